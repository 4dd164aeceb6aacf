// The ballot stands in the branch: only lanes that keep their value come.
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void compact(const unsigned *in, unsigned *out, unsigned *counts, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = i - lane;
	unsigned v = i < n ? in[i] : 1, hit = v % 3 == 0;
	unsigned hits = 0;
	if (hit) {
		hits = __ballot_sync(ALL, hit);
		out[first + __popc(hits & ((1u << lane) - 1))] = v; //@ keep
	}
	if (lane == 0 && i < n)
		counts[i / 32] = __popc(hits);
}
