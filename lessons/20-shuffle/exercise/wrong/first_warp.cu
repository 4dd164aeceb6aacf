// The first warp adds everything: no shared memory, and seven warps that do nothing.
#include "clang.h"
#define ALL 0xFFFFFFFF
extern "C" __global__ void block_sum(const int *in, int *out, unsigned n)
{
	unsigned t = threadIdx.x;
	if (t >= 32)
		return;
	int v = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < 8; k++) {
		unsigned i = blockIdx.x * 256 + k * 32 + t;
		v += i < n ? in[i] : 0;
	}
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d);
	if (t == 0)
		out[blockIdx.x] = v;
}
