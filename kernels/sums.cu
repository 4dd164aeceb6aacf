// Sums of words, from the loads to the last block.
#include "clang.h"

#define THREADS 256
#define WARPS (THREADS / 32)
#define ALL 0xFFFFFFFF

// The sum of a warp's words, for lane 0.
static __device__ __forceinline__ unsigned warp_sum(unsigned word)
{
	for (unsigned half = 16; half > 0; half /= 2)
		word += __shfl_down_sync(ALL, word, half);
	return word;
}

// The sum of a block's words, for thread 0.
static __device__ __forceinline__ unsigned block_sum(unsigned word)
{
	__shared__ unsigned part[32];

	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	word = warp_sum(word);
	if (lane == 0)
		part[warp] = word;
	__syncthreads();
	if (warp == 0)
		word = warp_sum(lane < WARPS ? part[lane] : 0);
	return word;
}

// Each thread adds up every threads-th word, one load after the other.
extern "C" __global__ void sum_loop(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, word = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		word += in[i]; //@ sum_loop
	word = block_sum(word);
	if (threadIdx.x == 0)
		out[blockIdx.x] = word;
}

// The same, four loads at a time. n is a multiple of four times the threads.
extern "C" __global__ void sum_unrolled(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, word = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += 4 * threads) {
		unsigned a = in[i], b = in[i + threads], c = in[i + 2 * threads], d = in[i + 3 * threads]; //@ sum_unrolled
		word += a + b + c + d;
	}
	word = block_sum(word);
	if (threadIdx.x == 0)
		out[blockIdx.x] = word;
}

// The last 64 words of a block, by one warp in shared memory: with volatile and no barrier, with barriers, and by shuffles.
extern "C" __global__ void last_volatile(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[96];

	unsigned lane = threadIdx.x;
	volatile unsigned *part = words + lane;
	part[0] = in[blockIdx.x * 64 + lane];
	part[32] = in[blockIdx.x * 64 + lane + 32];
	part[64] = 0;
	__syncwarp();
	part[0] += part[32];
	part[0] += part[16]; //@ last_volatile
	part[0] += part[8];
	part[0] += part[4];
	part[0] += part[2];
	part[0] += part[1];
	if (lane == 0)
		out[blockIdx.x] = part[0];
}

extern "C" __global__ void last_barriers(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[96];

	unsigned lane = threadIdx.x, word = in[blockIdx.x * 64 + lane] + in[blockIdx.x * 64 + lane + 32];
	words[lane] = word;
	words[lane + 32] = 0;
	__syncwarp();
	#pragma unroll
	for (unsigned half = 16; half > 0; half /= 2) {
		word += words[lane + half]; //@ last_barriers
		__syncwarp();
		words[lane] = word;
		__syncwarp();
	}
	if (lane == 0)
		out[blockIdx.x] = word;
}

extern "C" __global__ void last_shuffles(const unsigned *in, unsigned *out)
{
	unsigned lane = threadIdx.x, word = in[blockIdx.x * 64 + lane] + in[blockIdx.x * 64 + lane + 32];
	word = warp_sum(word); //@ last_shuffles
	if (lane == 0)
		out[blockIdx.x] = word;
}

// The sums of the blocks become one. All take the same arguments; `arrived` is 0 before and after.
extern "C" __global__ void end_parts(const unsigned *in, unsigned *parts, unsigned *sum, unsigned *arrived, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, word = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		word += in[i]; //@ end_parts
	word = block_sum(word);
	if (threadIdx.x == 0)
		parts[blockIdx.x] = word;
}

extern "C" __global__ void end_atomic(const unsigned *in, unsigned *parts, unsigned *sum, unsigned *arrived, unsigned n)
{
	unsigned threads = gridDim.x * THREADS, word = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		word += in[i]; //@ end_atomic
	word = block_sum(word);
	if (threadIdx.x == 0)
		atomicAdd(sum, word);
}

// The block that arrives last finds all parts stored, and adds them up.
extern "C" __global__ void end_last(const unsigned *in, unsigned *parts, unsigned *sum, unsigned *arrived, unsigned n)
{
	__shared__ unsigned last;

	unsigned threads = gridDim.x * THREADS, word = 0;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += threads)
		word += in[i]; //@ end_last
	word = block_sum(word);
	if (threadIdx.x == 0) {
		parts[blockIdx.x] = word;
		__threadfence();
		last = atomicAdd(arrived, 1u) == gridDim.x - 1;
	}
	__syncthreads();
	if (last) {
		__threadfence();
		word = 0;
		#pragma unroll 1
		for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
			word += parts[i];
		word = block_sum(word);
		if (threadIdx.x == 0) {
			*sum = word;
			*arrived = 0;
		}
	}
}
