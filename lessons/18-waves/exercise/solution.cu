// Doubles the rows of a matrix, 128 numbers each. The blocks take the rows in turn, so that no two differ by more than one.
#include "simt.h"

#define COLUMNS 128

extern "C" __global__ void double_rows(const float *in, float *out, unsigned rows)
{
	#pragma unroll 1
	for (unsigned row = blockIdx.x; row < rows; row += gridDim.x)
		out[row * COLUMNS + threadIdx.x] = 2 * in[row * COLUMNS + threadIdx.x]; //@ read
}
