// The tile is turned around: the loop is free of conflicts, and now both copies have them.
#include "simt.h"

#define COLUMNS 32

extern "C" __global__ void smooth(const float *in, float *out, unsigned rows)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			tile[lane * COLUMNS + r] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[c * COLUMNS + lane]) / 2; //@ load
			tile[c * COLUMNS + lane] = value;               //@ store
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[lane * COLUMNS + r];
}
