// Indices and layouts that overlap where they should not.
#include "simt.h"

// Three values a thread; the loop writes four.
// launch: --grid 1 --block 64 --arg u32[193]
// expect: race global store store
__global__ void record_too_long(unsigned *out)
{
	int t = threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 4; k++)
		out[t * 3 + k] = t * 10 + k; // [store]
}

// launch: --grid 1 --block 64 --arg u32[192]
// expect: clean
// result: 0: 0 1 2 10 11 12
__global__ void record_clean(unsigned *out)
{
	int t = threadIdx.x;
#pragma unroll 1
	for (int k = 0; k < 3; k++)
		out[t * 3 + k] = t * 10 + k;
}

// Two arrays in one piece of dynamic shared memory; the second begins one element too early.
// launch: --grid 1 --block 64 --shared 512 --arg u32[64]
// expect: race shared first second
// also: race shared second both
// also: race shared first both
__global__ void arrays_overlapping(unsigned *out)
{
	extern __shared__ unsigned room[];
	unsigned *a = room, *b = room + blockDim.x - 1;
	int t = threadIdx.x;
	a[t] = t; // [first]
	b[t] = t + 100; // [second]
	__syncthreads();
	out[t] = a[t] + b[t]; // [both]
}

// launch: --grid 1 --block 64 --shared 512 --arg u32[64]
// expect: clean
// result: 0: 100 102 104
__global__ void arrays_apart_clean(unsigned *out)
{
	extern __shared__ unsigned room[];
	unsigned *a = room, *b = room + blockDim.x;
	int t = threadIdx.x;
	a[t] = t;
	b[t] = t + 100;
	__syncthreads();
	out[t] = a[t] + b[t];
}

// Doubles after an odd number of words.
// launch: --grid 1 --block 32 --shared 1024 --arg s32:33 --arg f64[32]
// expect: misaligned shared store
// expect: misaligned shared load
__global__ void doubles_after_words(int words, double *out)
{
	extern __shared__ unsigned room[];
	double *d = (double *)(room + words);
	int t = threadIdx.x;
	d[t] = t; // [store]
	__syncwarp();
	out[t] = d[31 - t]; // [load]
}

// Blocks (i, j) and (j, i) swap the same tiles.
// launch: --grid 2,2 --block 8,8 --arg u32[256]:iota
// expect: race global read write
// expect: race global read write2
// also: race global write write2
__global__ void transpose_tiles_twice(unsigned *a)
{
	int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	unsigned v = a[y * 16 + x], w = a[x * 16 + y]; // [read]
	__syncthreads();
	a[x * 16 + y] = v; // [write]
	a[y * 16 + x] = w; // [write2]
}

// Elements above the diagonal do it for those below.
// launch: --grid 2,2 --block 8,8 --arg u32[256]:iota
// expect: clean
// result: 0: 0 16 32 48
__global__ void transpose_upper_clean(unsigned *a)
{
	int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	if (x > y) {
		unsigned v = a[y * 16 + x], w = a[x * 16 + y];
		a[x * 16 + y] = v;
		a[y * 16 + x] = w;
	}
}

// A word is added to, and one half of it, both atomically: atomics of different sizes are not atomic for each other.
// launch: --grid 1 --block 64 --arg u64[1]
// expect: race global whole half
__global__ void atomics_of_two_sizes(unsigned long long *a)
{
	if (threadIdx.x < 32)
		atomicAdd(a, 1ull); // [whole]
	else
		atomicAdd((unsigned *)a, 1u); // [half]
}

// Bins of a warp's own are still shared by its lanes.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: race shared count count
__global__ void bins_of_a_warp(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[2][4];
	int t = threadIdx.x, warp = t / 32;
	if (t < 8)
		bins[t / 4][t % 4] = 0;
	__syncthreads();
	bins[warp][in[t] % 4]++; // [count]
	__syncthreads();
	if (t < 8)
		out[t] = bins[t / 4][t % 4];
}

// Before the first element, by way of an index without sign.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: out-of-bounds global look
__global__ void before_first(const unsigned *in, unsigned *out)
{
	unsigned i = threadIdx.x;
	out[i] = in[i - 1u]; // [look]
}

// Rows are taken for longer than they are: the last reach past the end.
// launch: --grid 1 --block 16,4 --arg u32[64]:iota --arg u32[64]
// expect: out-of-bounds global look
__global__ void rows_too_long(const unsigned *in, unsigned *out)
{
	int x = threadIdx.x, y = threadIdx.y;
	out[y * 16 + x] = in[y * 20 + x]; // [look]
}

// One step of a cellular automaton, in place, in shared memory.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared step step
__global__ void automaton_in_place(const unsigned *in, unsigned *out)
{
	__shared__ unsigned char cell[64];
	int t = threadIdx.x;
	cell[t] = in[t] % 2;
	__syncthreads();
	cell[t] = cell[(t + 63) % 64] ^ cell[(t + 1) % 64]; // [step]
	__syncthreads();
	out[t] = cell[t];
}

// A tile of the halo type: the first threads load the borders too.
// launch: --grid 2 --block 32 --arg u32[64]:iota --arg u32[64]
// expect: race shared border sum
// expect: race shared load sum
__global__ void halo_no_barrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[34];
	int t = threadIdx.x, i = blockIdx.x * 32 + t;
	s[t + 1] = in[i]; // [load]
	if (t < 2)
		s[t * 33] = t == 0 ? (i > 0 ? in[i - 1] : 0) : (i + 31 < 64 ? in[i + 31] : 0); // [border]
	out[i] = s[t] + s[t + 1] + s[t + 2]; // [sum]
}

// launch: --grid 2 --block 32 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 1 3 6 9
__global__ void halo_barrier_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[34];
	int t = threadIdx.x, i = blockIdx.x * 32 + t;
	s[t + 1] = in[i];
	if (t < 2)
		s[t * 33] = t == 0 ? (i > 0 ? in[i - 1] : 0) : (i + 31 < 64 ? in[i + 31] : 0);
	__syncthreads();
	out[i] = s[t] + s[t + 1] + s[t + 2];
}

struct pair {
	unsigned low, high;
};

__device__ __noinline__ void fill(struct pair *p, unsigned v, bool both)
{
	p->low = v;
	if (both)
		p->high = v + 1;
}

// A function fills in one member, both are used.
// launch: --grid 1 --block 32 --arg u32[32] --arg s32:0
// expect: uninitialized local use
__global__ void pair_half_filled(unsigned *out, int both)
{
	struct pair p;
	fill(&p, threadIdx.x, both);
	out[threadIdx.x] = p.low + p.high; // [use]
}

// launch: --grid 1 --block 32 --arg u32[32] --arg s32:1
// expect: clean
// result: 0: 1 3 5
__global__ void pair_filled_clean(unsigned *out, int both)
{
	struct pair p;
	fill(&p, threadIdx.x, both);
	out[threadIdx.x] = p.low + p.high;
}
