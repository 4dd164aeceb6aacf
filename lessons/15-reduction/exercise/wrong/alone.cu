// Three threads add up everything from global memory; shared memory only looks busy.
#include "clang.h"

#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ volatile unsigned part[COLORS];
	unsigned c = threadIdx.x;
	if (c >= COLORS)
		return;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS; i < (blockIdx.x + 1) * THREADS && i < words; i++)
		sum += in[c * words + i];
	part[c] = sum;
	out[c * gridDim.x + blockIdx.x] = part[c]; //@ add
}
