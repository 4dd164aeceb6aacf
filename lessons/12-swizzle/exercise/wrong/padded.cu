// Padded, in memory that has no room for it: the last rows lie behind the end.
#include "simt.h"

#define COLUMNS 32
#define PITCH (COLUMNS + 1)

extern "C" __global__ void smooth(const float *in, float *out, unsigned rows)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
	float *tile = tiles + (threadIdx.x - lane) * PITCH;

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			tile[r * PITCH + lane] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[lane * PITCH + c]) / 2; //@ load
			tile[lane * PITCH + c] = value;               //@ store
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[r * PITCH + lane];
}
