// Padded, and what lies behind the end put at the front of the tile, where other words are.
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
			tile[(r * 33 + lane) % 1024] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[(lane * 33 + c) % 1024]) / 2; //@ load
			tile[(lane * 33 + c) % 1024] = value;               //@ store
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[(r * 33 + lane) % 1024];
}
