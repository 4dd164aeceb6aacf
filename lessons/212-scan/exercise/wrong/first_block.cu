// Each block scans the first 512 words.
#include "simt.h"

#define WORDS 512
#define AT(i) ((i) + (i) / 32)

extern "C" __global__ void running(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[AT(WORDS)];
	unsigned t = threadIdx.x, i = t, low = in[i], high = in[i + WORDS / 2];

	words[AT(t)] = low;
	words[AT(t + WORDS / 2)] = high;
	#pragma unroll 1
	for (unsigned stride = 1; stride < WORDS; stride *= 2) {
		__syncthreads();
		unsigned right = (2 * t + 2) * stride - 1, left = right - stride;
		if (right < WORDS)
			words[AT(right)] += words[AT(left)]; //@ read
	}
	if (t == 0)
		words[AT(WORDS - 1)] = 0;
	#pragma unroll 1
	for (unsigned stride = WORDS / 2; stride > 0; stride /= 2) {
		__syncthreads();
		unsigned right = (2 * t + 2) * stride - 1, left = right - stride;
		if (right < WORDS) {
			unsigned v = words[AT(left)];
			words[AT(left)] = words[AT(right)];
			words[AT(right)] += v;
		}
	}
	__syncthreads();
	out[i] = words[AT(t)] + low;
	out[i + WORDS / 2] = words[AT(t + WORDS / 2)] + high;
}
