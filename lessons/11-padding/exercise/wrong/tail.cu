// Padded, but as if there were always 32 rows.
#include "simt.h"

#define COLUMNS 32
#define PITCH (COLUMNS + 1)

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * PITCH];

	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		tile[i / COLUMNS * PITCH + i % COLUMNS] = in[first * COLUMNS + i];
	__syncthreads();

	unsigned row = threadIdx.x;
	if (row < 32) {
		float sum = 0;
		#pragma unroll 1
		for (unsigned column = 0; column < COLUMNS; column++) {
			sum += tile[row * PITCH + column]; //@ load
			tile[row * PITCH + column] = sum; //@ store
		}
	}
	__syncthreads();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		out[first * COLUMNS + i] = tile[i / COLUMNS * PITCH + i % COLUMNS];
}
