// The tile is turned around: the loop is free of conflicts, and now both copies have them.
#include "simt.h"

#define COLUMNS 32

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * COLUMNS];

	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			tile[i % COLUMNS * 32 + i / COLUMNS] = in[first * COLUMNS + i];
	__syncthreads();

	unsigned row = threadIdx.x;
	if (row < 32 && first + row < rows) {
		float sum = 0;
		#pragma unroll 1
		for (unsigned column = 0; column < COLUMNS; column++) {
			sum += tile[column * 32 + row]; //@ load
			tile[column * 32 + row] = sum; //@ store
		}
	}
	__syncthreads();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			out[first * COLUMNS + i] = tile[i % COLUMNS * 32 + i / COLUMNS];
}
