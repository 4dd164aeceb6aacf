// Through shared memory: each lane reads the conditions of all lanes before it.
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void compact(const unsigned *in, unsigned *out, unsigned *counts, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = i - lane;
	unsigned v = i < n ? in[i] : 1, hit = v % 3 == 0;
	__shared__ unsigned flags[128];
	flags[threadIdx.x] = hit;
	__syncwarp();
	unsigned hits = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < 32; k++)
		hits |= flags[threadIdx.x - lane + k] << k;
	if (hit)
		out[first + __popc(hits & ((1u << lane) - 1))] = v; //@ keep
	if (lane == 0 && i < n)
		counts[i / 32] = __popc(hits);
}
