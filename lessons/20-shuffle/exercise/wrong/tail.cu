// Threads behind the end leave first; the shuffles of the last warp name them all the same.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define THREADS 256

extern "C" __global__ void block_sum(const int *in, int *out, unsigned n)
{
	__shared__ int sums[THREADS / 32];

	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * THREADS + t;
	int v = i < n ? in[i] : 0;
	if (i >= n)
		return;
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d);
	if (lane == 0)
		sums[t / 32] = v;
	__syncthreads();

	if (t < 32) {
		v = t < THREADS / 32 ? sums[t] : 0; //@ add
		#pragma unroll 1
		for (unsigned d = THREADS / 64; d > 0; d /= 2)
			v += __shfl_down_sync(ALL, v, d);
		if (t == 0)
			out[blockIdx.x] = v;
	}
}
