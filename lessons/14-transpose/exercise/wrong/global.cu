// Without a tile there are no conflicts; the writes to global memory are scattered instead.
#include "simt.h"

#define TILE 16

extern "C" __global__ void transpose_small(const float *in, float *out, unsigned rows, unsigned columns)
{
	unsigned row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	if (row < rows && column < columns)
		out[column * rows + row] = in[row * columns + column]; //@ read
}
