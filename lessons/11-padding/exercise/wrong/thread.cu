// No two lanes meet in a bank, since one thread goes along all rows.
#include "simt.h"

#define COLUMNS 32

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * COLUMNS];

	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			tile[i] = in[first * COLUMNS + i];
	__syncthreads();

	for (unsigned row = 0; threadIdx.x == 0 && row < 32 && first + row < rows; row++) {
		float sum = 0;
		#pragma unroll 1
		for (unsigned column = 0; column < COLUMNS; column++) {
			sum += tile[row * COLUMNS + column]; //@ load
			tile[row * COLUMNS + column] = sum; //@ store
		}
	}
	__syncthreads();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			out[first * COLUMNS + i] = tile[i];
}
