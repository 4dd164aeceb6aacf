// Sorting.
#include "simt.h"

// 1024 words of a block, in shared memory.
extern "C" __global__ void bitonic_block(const unsigned *from, unsigned *to)
{
	__shared__ unsigned words[1024];
	unsigned t = threadIdx.x, base = blockIdx.x * 1024;
	words[t] = from[base + t];
	words[t + 512] = from[base + t + 512];
	for (unsigned size = 2; size <= 1024; size *= 2) {
		for (unsigned d = size / 2; d > 0; d /= 2) {
			__syncthreads();
			unsigned i = 2 * t - (t & (d - 1)), up = (i & size) == 0;
			unsigned a = words[i], b = words[i + d];
			if ((a > b) == up) {
				words[i] = b;
				words[i + d] = a;
			}
		}
	}
	__syncthreads();
	to[base + t] = words[t];
	to[base + t + 512] = words[t + 512];
}

// One step of the network over all words.
extern "C" __global__ void bitonic_step(unsigned *words, unsigned size, unsigned d)
{
	unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned i = 2 * t - (t & (d - 1)), up = (i & size) == 0;
	unsigned a = words[i], b = words[i + d];
	if ((a > b) == up) {
		words[i] = b;
		words[i + d] = a;
	}
}

// Where each word of one digit goes within its block.
extern "C" __global__ void radix_ranks(const unsigned *words, unsigned *ranks, unsigned shift)
{
	__shared__ unsigned counts[8][16];
	unsigned t = threadIdx.x, warp = t / 32, lane = t % 32, i = blockIdx.x * 256 + t;
	unsigned digit = words[i] >> shift & 15, rank = 0;
	for (unsigned d = 0; d < 16; d++) {
		unsigned same = __ballot_sync(0xFFFFFFFF, digit == d);
		if (digit == d)
			rank = __popc(same & ((1u << lane) - 1));
		if (lane == 0)
			counts[warp][d] = __popc(same);
	}
	__syncthreads();
	for (unsigned w = 0; w < warp; w++)
		rank += counts[w][digit];
	ranks[i] = rank;
}

// Each word of one sorted half finds its place in the other.
extern "C" __global__ void merge_ranks(const unsigned *words, unsigned *to, unsigned half)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, first = i < half ? half : 0;
	unsigned key = words[i], low = 0, high = half;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		bool before = i < half ? words[first + middle] < key : words[first + middle] <= key;
		if (before)
			low = middle + 1;
		else
			high = middle;
	}
	to[(i < half ? i : i - half) + low] = key;
}
