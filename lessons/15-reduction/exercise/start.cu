// Adds up three colors, `words` words of each, in blocks of 256. The sums are right, but the reads and writes of shared memory
// conflict.
#include "clang.h"
// clang.h: what the kernel needs where CUDA's headers are missing. A mark as @ add says which line the pictures show: keep it.
#define COLORS 3
#define THREADS 256

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][THREADS];
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS + t;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = first < words ? in[c * words + first] : 0;
	__syncthreads();
	for (unsigned step = 1; step < THREADS; step *= 2) {
		unsigned i = 2 * step * t;
		if (i < THREADS)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][i] += part[c][i + step]; //@ add
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}
