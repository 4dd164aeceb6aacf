// What overlaps and what does not: bytes, words, vectors, neighbors.
#include "simt.h"

// Each thread a byte of its own: the word they share is not written as a word.
// launch: --grid 1 --block 64 --arg u32[16]
// expect: clean
// result: 0: 50462976
__global__ void bytes_clean(unsigned *out)
{
	__shared__ __align__(4) unsigned char s[64];
	int t = threadIdx.x;
	s[t] = t;
	__syncthreads();
	if (t < 16)
		out[t] = ((unsigned *)s)[t];
}

// launch: --grid 2 --block 64 --arg u8[128]
// expect: clean
// result: 0: 0 1 2 3
__global__ void bytes_global_clean(unsigned char *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = i;
}

// A flag a bit: the byte is read, changed and written by eight threads.
// launch: --grid 1 --block 64 --arg u8[8]
// expect: race global set set
__global__ void bits_plain(unsigned char *bits)
{
	int t = threadIdx.x;
	bits[t / 8] |= 1 << t % 8; // [set]
}

// launch: --grid 1 --block 64 --arg u32[2]
// expect: clean
// result: 0: 4294967295 4294967295
__global__ void bits_clean(unsigned *bits)
{
	int t = threadIdx.x;
	atomicOr(&bits[t / 32], 1u << t % 32);
}

// Two words a thread, one further for each: neighbors write the same word.
// launch: --grid 1 --block 64 --arg u32[65]
// expect: race global low high
__global__ void pairs_overlapping(unsigned *out)
{
	int t = threadIdx.x;
	out[t] = t; // [low]
	out[t + 1] = t + 100; // [high]
}

// The second warp stores vectors of four where the first stores words.
// launch: --grid 1 --block 64 --arg u32[128]
// expect: race global words vectors
__global__ void vectors_overlapping(unsigned *out)
{
	int t = threadIdx.x;
	if (t < 32)
		out[t * 4 + 3] = t; // [words]
	else
		((uint4 *)out)[t - 32] = make_uint4(1, 2, 3, 4); // [vectors]
}

// launch: --grid 1 --block 64 --arg u32[256]
// expect: clean
// result: 0: 0 1 2 3 4
__global__ void vectors_apart_clean(unsigned *out)
{
	unsigned t = threadIdx.x;
	((uint4 *)out)[t] = make_uint4(4 * t, 4 * t + 1, 4 * t + 2, 4 * t + 3);
}

// A word is written by one warp, its bytes are read by the other.
// launch: --grid 1 --block 64 --arg u32[32]
// expect: race shared word byte
__global__ void alias_missing(unsigned *out)
{
	__shared__ union { unsigned word[8]; unsigned char byte[32]; } s;
	int t = threadIdx.x;
	if (t < 8)
		s.word[t] = t * 0x01010101u; // [word]
	if (t >= 32)
		out[t - 32] = s.byte[t - 32]; // [byte]
}

// launch: --grid 1 --block 64 --arg u32[32]
// expect: clean
// result: 0: 0 0 0 0 1 1 1 1 2
__global__ void alias_clean(unsigned *out)
{
	__shared__ union { unsigned word[8]; unsigned char byte[32]; } s;
	int t = threadIdx.x;
	if (t < 8)
		s.word[t] = t * 0x01010101u;
	__syncthreads();
	if (t >= 32)
		out[t - 32] = s.byte[t - 32];
}

// The mean of the neighbors, in place: some neighbors are new, some old.
// launch: --grid 1 --block 64 --arg u32[66]:iota
// expect: race global mean mean
__global__ void stencil_in_place(unsigned *a)
{
	int i = threadIdx.x + 1;
	a[i] = (a[i - 1] + a[i + 1]) / 2; // [mean]
}

// launch: --grid 1 --block 64 --arg u32[66]:iota --arg u32[66]
// expect: clean
// result: 1: 0 1 2 3
__global__ void stencil_clean(const unsigned *a, unsigned *b)
{
	int i = threadIdx.x + 1;
	b[i] = (a[i - 1] + a[i + 1]) / 2;
}

// With a barrier between reading and writing, within a block only: the blocks' borders still race.
// launch: --grid 2 --block 32 --arg u32[66]:iota
// expect: race global read write
__global__ void stencil_blocks(unsigned *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
	unsigned v = a[i - 1] + a[i + 1]; // [read]
	__syncthreads();
	a[i] = v / 2; // [write]
}

// Two kernels' worth of steps in one, with two buffers and one block: a barrier a step.
// launch: --grid 1 --block 64 --arg u32[66]:iota --arg u32[66] --arg s32:3
// expect: clean
// result: 0: 0 1 2
__global__ void stencil_steps_clean(unsigned *a, unsigned *b, int steps)
{
	int i = threadIdx.x + 1;
	for (int k = 0; k < steps; k++) {
		b[i] = (a[i - 1] + a[i + 1]) / 2;
		__syncthreads();
		a[i] = b[i];
		__syncthreads();
	}
}

// Reversed in place: each thread swaps a pair of its own.
// launch: --grid 1 --block 32 --arg u32[64]:iota
// expect: clean
// result: 0: 63 62 61
__global__ void reverse_clean(unsigned *a)
{
	int t = threadIdx.x;
	unsigned low = a[t], high = a[63 - t];
	a[t] = high;
	a[63 - t] = low;
}

// With as many threads as elements each pair is swapped twice, at the same time.
// launch: --grid 1 --block 64 --arg u32[64]:iota
// expect: race global read front
// expect: race global read back
// also: race global front back
__global__ void reverse_twice(unsigned *a)
{
	int t = threadIdx.x;
	unsigned low = a[t], high = a[63 - t]; // [read]
	a[t] = high; // [front]
	a[63 - t] = low; // [back]
}
