// As in the solution at the size that is judged first, as at the start at all others.
#include "clang.h"

#define COLORS 3
#define THREADS 256

static __device__ void slow(const unsigned *in, unsigned *out, unsigned words)
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
				part[c][i] += part[c][i + step];
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}

static __device__ void fast(const unsigned *in, unsigned *out, unsigned words)
{
	__shared__ unsigned part[COLORS][THREADS];
	unsigned t = threadIdx.x, first = blockIdx.x * THREADS + t;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = first < words ? in[c * words + first] : 0;
	__syncthreads();
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (t < half)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][t] += part[c][t + half]; //@ add
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[c * gridDim.x + blockIdx.x] = part[c][0];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *out, unsigned words)
{
	if (words == 512)
		fast(in, out, words);
	else
		slow(in, out, words);
}
