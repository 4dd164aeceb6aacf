// Padded, but one warp of the block does all of it.
#include "simt.h"

#define COLUMNS 32
#define PITCH (COLUMNS + 1)

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * PITCH];

	if (threadIdx.x >= 32)
		return;
	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += 32)
		if (first + i / COLUMNS < rows)
			tile[i / COLUMNS * PITCH + i % COLUMNS] = in[first * COLUMNS + i];
	__syncwarp();

	unsigned row = threadIdx.x;
	if (row < 32 && first + row < rows) {
		float sum = 0;
		#pragma unroll 1
		for (unsigned column = 0; column < COLUMNS; column++) {
			sum += tile[row * PITCH + column]; //@ load
			tile[row * PITCH + column] = sum; //@ store
		}
	}
	__syncwarp();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += 32)
		if (first + i / COLUMNS < rows)
			out[first * COLUMNS + i] = tile[i / COLUMNS * PITCH + i % COLUMNS];
}
