// The rows are shared evenly, but each thread takes a row of its own, and a warp reads from 32 rows at a time.
#include "simt.h"

#define COLUMNS 128

extern "C" __global__ void double_rows(const float *in, float *out, unsigned rows)
{
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * COLUMNS; i += gridDim.x * blockDim.x)
		out[i % rows * COLUMNS + i / rows] = 2 * in[i % rows * COLUMNS + i / rows]; //@ read
}
