// Each warp adds up its words by shuffles; one word of each goes through shared memory.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][THREADS / 32];
	unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * THREADS + t;

	#pragma unroll
	for (unsigned c = 0; c < COLORS; c++) {
		unsigned sum = first < words ? in[c * words + first] : 0;
		#pragma unroll
		for (unsigned d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(ALL, sum, d);
		if (lane == 0)
			part[c][warp] = sum;
	}
	__syncthreads();
	if (warp >= COLORS)
		return;
	unsigned sum = lane < THREADS / 32 ? part[warp][lane] : 0;
	#pragma unroll
	for (unsigned d = THREADS / 64; d > 0; d /= 2)
		sum += __shfl_down_sync(ALL, sum, d);
	if (lane == 0)
		out[warp * gridDim.x + blockIdx.x] = sum;
}
