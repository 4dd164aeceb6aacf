// Many threads, one place: counting, maximum, histogram.
#include "simt.h"

#define BINS 8

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: race shared count count
__global__ void histogram_shared_plain(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[BINS];
	int t = threadIdx.x;
	if (t < BINS)
		bins[t] = 0;
	__syncthreads();
	bins[in[t] % BINS]++; // [count]
	__syncthreads();
	if (t < BINS)
		out[t] = bins[t];
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: clean
// result: 1: 8 8 8 8 8 8 8 8
__global__ void histogram_shared_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[BINS];
	int t = threadIdx.x;
	if (t < BINS)
		bins[t] = 0;
	__syncthreads();
	atomicAdd(&bins[in[t] % BINS], 1u);
	__syncthreads();
	if (t < BINS)
		out[t] = bins[t];
}

// The bins are emptied by one warp and used by both; an atomic does not wait for them.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[8]
// expect: race shared empty count
__global__ void histogram_shared_not_empty(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[BINS];
	int t = threadIdx.x;
	if (t < BINS)
		bins[t] = 0; // [empty]
	atomicAdd(&bins[in[t] % BINS], 1u); // [count]
	__syncthreads();
	if (t < BINS)
		out[t] = bins[t];
}

// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[8]
// expect: race global count count
__global__ void histogram_global_plain(const unsigned *in, unsigned *bins)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bins[in[i] % BINS]++; // [count]
}

// launch: --grid 4 --block 64 --arg u32[256]:iota --arg u32[8]
// expect: clean
// result: 1: 32 32 32 32 32 32 32 32
__global__ void histogram_global_clean(const unsigned *in, unsigned *bins)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&bins[in[i] % BINS], 1u);
}

// One thread of each block counts, without an atomic: a race between blocks alone.
// launch: --grid 4 --block 32 --arg u32[1]
// expect: race global count count
__global__ void counter_blocks_plain(unsigned *count)
{
	if (threadIdx.x == 0)
		*count += 1; // [count]
}

// launch: --grid 4 --block 32 --arg u32[1]
// expect: clean
// result: 0: 4
__global__ void counter_blocks_clean(unsigned *count)
{
	if (threadIdx.x == 0)
		atomicAdd(count, 1u);
}

// Some add with an atomic, one without.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race global atomic plain
__global__ void counter_mixed(unsigned *count)
{
	if (blockIdx.x == 0)
		atomicAdd(count, 1u); // [atomic]
	else if (threadIdx.x == 0)
		*count += 1; // [plain]
}

// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: race global look store
// expect: race global store store
__global__ void maximum_plain(const unsigned *in, unsigned *most)
{
	unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
	if (v > *most) // [look]
		*most = v; // [store]
}

// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: clean
// result: 1: 127
__global__ void maximum_clean(const unsigned *in, unsigned *most)
{
	atomicMax(most, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// A plain look before the atomic, to spare it. By PTX's model the plain read races with the others' atomics; what it costs in
// practice is an old value, which does no harm here. It is a race all the same, and a compiler may make more of it.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: race global look max
__global__ void maximum_guard_plain(const unsigned *in, unsigned *most)
{
	unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
	if (v > *most) // [look]
		atomicMax(most, v); // [max]
}

// The look is volatile, which is a strong (relaxed) read: no race.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: clean
// result: 1: 127
__global__ void maximum_guard_clean(const unsigned *in, unsigned *most)
{
	unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
	if (v > *(volatile unsigned *)most)
		atomicMax(most, v);
}

// One thread's atomics, read by all after a barrier.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 2016 2016
__global__ void total_barrier_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned total;
	int t = threadIdx.x;
	if (t == 0)
		total = 0;
	__syncthreads();
	atomicAdd(&total, in[t]);
	__syncthreads();
	out[t] = total;
}

// Read without waiting for the other threads' atomics.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared add read
__global__ void total_no_barrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned total;
	int t = threadIdx.x;
	if (t == 0)
		total = 0;
	__syncthreads();
	atomicAdd(&total, in[t]); // [add]
	out[t] = total; // [read]
}

// Adding up with floating-point atomics over many blocks.
// launch: --grid 4 --block 64 --arg f32[256]:iota --arg f32[1]
// expect: clean
// result: 1: 32640
__global__ void sum_float_clean(const float *in, float *sum)
{
	atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

// The last lines read the sum while other blocks still add.
// launch: --grid 4 --block 64 --arg f32[256]:iota --arg f32[1] --arg f32[1]
// expect: race global add read
__global__ void sum_read_early(const float *in, float *sum, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(sum, in[i]); // [add]
	__syncthreads();
	if (i == 0)
		*out = *sum; // [read]
}

// Each thread takes a slot of its own with an atomic and fills it with a plain store.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1] --arg u32[128]
// expect: clean
// result: 1: 64
__global__ void compact_clean(const unsigned *in, unsigned *n, unsigned *out)
{
	unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
	if (v % 2)
		out[atomicAdd(n, 1u)] = v;
}

// The slot is taken by reading and adding apart.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[1] --arg u32[128]
// expect: race global take take
// also: race global fill fill
__global__ void compact_plain(const unsigned *in, unsigned *n, unsigned *out)
{
	unsigned v = in[threadIdx.x];
	if (v % 2) {
		unsigned slot = (*n)++; // [take]
		out[slot] = v; // [fill]
	}
}
