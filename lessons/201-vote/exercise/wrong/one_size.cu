// As in the solution at the size that is judged first, as at the start at all others.
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void compact(const unsigned *in, unsigned *out, unsigned *counts, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, first = i - lane;
	unsigned v = i < n ? in[i] : 1, hit = v % 3 == 0;
	if (n != 1024) {
		unsigned place = 0;
		#pragma unroll 1
		for (unsigned k = first; k < i && i < n; k++)
			place += in[k] % 3 == 0;
		if (hit)
			out[first + place] = v;
		if (i < n && (i == n - 1 || lane == 31))
			counts[i / 32] = place + hit;
		return;
	}
	unsigned hits = __ballot_sync(ALL, hit);
	if (hit)
		out[first + __popc(hits & ((1u << lane) - 1))] = v; //@ keep
	if (lane == 0 && i < n)
		counts[i / 32] = __popc(hits);
}
