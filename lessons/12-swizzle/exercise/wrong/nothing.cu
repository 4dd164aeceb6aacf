// No conflicts, since nothing is smoothed.
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
			tile[r * COLUMNS + lane] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[r * COLUMNS + lane];
}
