// Running sums: out[i] is the sum of in[0] to in[i]. Each block adds up its own WORDS words, in four ways; then all of several blocks.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define WORDS 512
#define WARPS (WORDS / 32)

// A thread for each word. In step after step it adds the word d before its own, from one buffer into the other. Zeros stand before both, so
// that all threads add.
extern "C" __global__ void scan_steps(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[2][2 * WORDS];
	unsigned t = threadIdx.x, i = blockIdx.x * WORDS + t, at = 0;

	words[0][t] = words[1][t] = 0;
	words[at][WORDS + t] = in[i];
	__syncthreads();
	#pragma unroll 1
	for (unsigned d = 1; d < WORDS; d *= 2) {
		unsigned v = words[at][WORDS + t];
		v += words[at][WORDS + t - d]; //@ add_scan_steps
		at = 1 - at;
		words[at][WORDS + t] = v;
		__syncthreads();
	}
	out[i] = words[at][WORDS + t];
}

// A thread for two words, which it also keeps. Up the tree each node becomes the sum of its words; down again it becomes the sum of all
// words before it.
extern "C" __global__ void scan_tree(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[WORDS];
	unsigned t = threadIdx.x, i = blockIdx.x * WORDS + t, low = in[i], high = in[i + WORDS / 2];

	words[t] = low;
	words[t + WORDS / 2] = high;
	#pragma unroll 1
	for (unsigned stride = 1; stride < WORDS; stride *= 2) {
		__syncthreads();
		#pragma unroll 1
		for (unsigned node = t; node < WORDS / 2 / stride; node += blockDim.x) {
			unsigned right = (2 * node + 2) * stride - 1, left = right - stride;
			words[right] += words[left]; //@ add_scan_tree
		}
	}
	__syncthreads();
	if (t % 32 == 0)
		words[WORDS - 1] = 0;
	#pragma unroll 1
	for (unsigned stride = WORDS / 2; stride > 0; stride /= 2) {
		__syncthreads();
		#pragma unroll 1
		for (unsigned node = t; node < WORDS / 2 / stride; node += blockDim.x) {
			unsigned right = (2 * node + 2) * stride - 1, left = right - stride;
			unsigned v = words[left];
			words[left] = words[right];
			words[right] += v;
		}
	}
	__syncthreads();
	out[i] = words[t] + low;
	out[i + WORDS / 2] = words[t + WORDS / 2] + high;
}

// The reads of one level on the way up: the words at the end of both halves of each node, `stride` apart. With a word left out after every
// 32, or not.
#define LEVEL_WORDS 2048
#define PADDED(i) ((i) + (i) / 32)

extern "C" __global__ void level_plain(const unsigned *in, unsigned *out, unsigned stride)
{
	__shared__ unsigned words[LEVEL_WORDS];
	unsigned t = threadIdx.x, right = (2 * t + 2) * stride - 1, left = right - stride;

	words[t] = in[t];
	words[t + LEVEL_WORDS / 2] = in[t + LEVEL_WORDS / 2];
	__syncthreads();
	if (right < LEVEL_WORDS)
		out[t] = words[left] + words[right]; //@ level_plain
}

extern "C" __global__ void level_padded(const unsigned *in, unsigned *out, unsigned stride)
{
	__shared__ unsigned words[PADDED(LEVEL_WORDS)];
	unsigned t = threadIdx.x, right = (2 * t + 2) * stride - 1, left = right - stride;

	words[PADDED(t)] = in[t];
	words[PADDED(t + LEVEL_WORDS / 2)] = in[t + LEVEL_WORDS / 2];
	__syncthreads();
	if (right < LEVEL_WORDS)
		out[t] = words[PADDED(left)] + words[PADDED(right)]; //@ level_padded
}

// The running sum of a warp, without shared memory.
static __device__ __forceinline__ unsigned scan_warp(unsigned v)
{
	unsigned lane = threadIdx.x % 32;
	#pragma unroll
	for (unsigned d = 1; d < 32; d *= 2) {
		unsigned left = __shfl_up_sync(ALL, v, d);
		if (lane >= d)
			v += left;
	}
	return v;
}

// A thread for each word. Warps add up theirs by shuffles, and one word for each warp goes through shared memory.
static __device__ __forceinline__ unsigned scan_block(unsigned v, unsigned *sums)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	v = scan_warp(v);
	if (lane == 31)
		sums[warp] = v;
	__syncthreads();
	if (warp == 0) {
		unsigned own = lane < WARPS ? sums[lane] : 0, before = scan_warp(own) - own;
		if (lane < WARPS)
			sums[lane] = before;
	}
	__syncthreads();
	return v + sums[warp];
}

extern "C" __global__ void scan_warps(const unsigned *in, unsigned *out)
{
	__shared__ unsigned sums[WARPS];

	unsigned i = blockIdx.x * WORDS + threadIdx.x;
	unsigned v = in[i]; //@ add_scan_warps
	out[i] = scan_block(v, sums);
}

// Several blocks: each adds up its own words; then their totals are added up; then what comes before a block is added to its words, for
// all but the first.
extern "C" __global__ void scan_blocks(const unsigned *in, unsigned *out, unsigned *totals)
{
	__shared__ unsigned sums[WARPS];

	unsigned i = blockIdx.x * WORDS + threadIdx.x;
	unsigned v = scan_block(in[i], sums);
	out[i] = v; //@ stage_1
	if (threadIdx.x == WORDS - 1)
		totals[blockIdx.x] = v;
}

extern "C" __global__ void scan_totals(unsigned *totals, unsigned blocks)
{
	unsigned lane = threadIdx.x, v = scan_warp(lane < blocks ? totals[lane] : 0);
	if (lane < blocks)
		totals[lane] = v; //@ stage_2
}

extern "C" __global__ void add_totals(unsigned *out, const unsigned *totals)
{
	unsigned i = (blockIdx.x + 1) * WORDS + threadIdx.x, before = totals[blockIdx.x];
	out[i] += before; //@ stage_3
}
