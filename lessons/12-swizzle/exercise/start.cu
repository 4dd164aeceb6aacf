// Smooths rows of 32 words: each word becomes the mean of itself and the smoothed word before it. Each warp copies 32 rows to
// its tile, each lane goes along one row, and the warp copies the tile out. The launch gives each warp 4096 bytes of shared
// memory.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ load says which line the pictures show: keep it.
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

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[lane * COLUMNS + c]) / 2; //@ load
			tile[lane * COLUMNS + c] = value;               //@ store
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[r * COLUMNS + lane];
}
