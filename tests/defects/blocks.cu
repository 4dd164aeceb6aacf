// Blocks that wait for each other.
#include "simt.h"

// A barrier of the grid, for as many blocks as are resident together.
// launch: --grid 4 --block 64 --arg u32[256] --arg u32[1] --arg u32[256]
// expect: clean
// result: 2: 255 254 253
__global__ void grid_barrier_clean(unsigned *data, unsigned *arrived, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	data[i] = i;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(arrived, 1u);
		while (*(volatile unsigned *)arrived < gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
	out[i] = data[n - 1 - i];
}

// Without fences the others' data are not ordered.
// launch: --grid 4 --block 64 --arg u32[256] --arg u32[1] --arg u32[256]
// expect: race global make take
__global__ void grid_barrier_no_fences(unsigned *data, unsigned *arrived, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	data[i] = i; // [make]
	__syncthreads();
	if (threadIdx.x == 0) {
		atomicAdd(arrived, 1u);
		while (*(volatile unsigned *)arrived < gridDim.x)
			;
	}
	__syncthreads();
	out[i] = data[n - 1 - i]; // [take]
}

// The fence after the wait is missing, which a library's barrier of the grid has. bar.sync is no substitute between blocks.
// launch: --grid 4 --block 64 --arg u32[256] --arg u32[1] --arg u32[256]
// expect: race global make take
__global__ void grid_barrier_no_reader_fence(unsigned *data, unsigned *arrived, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	data[i] = i; // [make]
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd(arrived, 1u);
		while (*(volatile unsigned *)arrived < gridDim.x)
			;
	}
	__syncthreads();
	out[i] = data[n - 1 - i]; // [take]
}

// Only __syncthreads(), which is of a block.
// launch: --grid 4 --block 64 --arg u32[256] --arg u32[256]
// expect: race global make take
__global__ void grid_barrier_none(unsigned *data, unsigned *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	data[i] = i; // [make]
	__syncthreads();
	out[i] = data[n - 1 - i]; // [take]
}

// The blocks hand a running sum down the row.
// launch: --grid 4 --block 32 --arg u32[4]:iota --arg u32[4] --arg u32[4] --arg u32[4]
// expect: clean
// result: 3: 0 1 3 6
__global__ void chain_clean(const unsigned *in, unsigned *sum, volatile unsigned *ready, unsigned *out)
{
	int b = blockIdx.x;
	if (threadIdx.x)
		return;
	unsigned before = 0;
	if (b > 0) {
		while (!ready[b - 1])
			;
		__threadfence();
		before = sum[b - 1];
	}
	sum[b] = before + in[b];
	__threadfence();
	ready[b] = 1;
	out[b] = before + in[b];
}

// Ready before the sum is there for all to see.
// launch: --grid 4 --block 32 --arg u32[4]:iota --arg u32[4] --arg u32[4] --arg u32[4]
// expect: race global give take
__global__ void chain_no_fence(const unsigned *in, unsigned *sum, volatile unsigned *ready, unsigned *out)
{
	int b = blockIdx.x;
	if (threadIdx.x)
		return;
	unsigned before = 0;
	if (b > 0) {
		while (!ready[b - 1])
			;
		__threadfence();
		before = sum[b - 1]; // [take]
	}
	sum[b] = before + in[b]; // [give]
	ready[b] = 1;
	out[b] = before + in[b];
}

// State and sum in one word, looked back at until a whole prefix is found.
// launch: --grid 4 --block 32 --arg u32[4]:iota --arg u64[4] --arg u32[4]
// expect: clean
// result: 2: 0 1 3 6
__global__ void look_back_clean(const unsigned *in, volatile unsigned long long *state, unsigned *out)
{
	const unsigned long long part = 1ull << 32, whole = 2ull << 32;
	int b = blockIdx.x;
	if (threadIdx.x)
		return;
	unsigned own = in[b], before = 0;
	state[b] = (b ? part : whole) | own;
	for (int k = b - 1; k >= 0; k--) {
		unsigned long long v;
		while (!((v = state[k]) >> 32))
			;
		before += (unsigned)v;
		if (v & whole)
			break;
	}
	state[b] = whole | (before + own);
	out[b] = before + own;
}

// Two blocks write one element: a grid-stride loop whose stride is that of one block.
// launch: --grid 2 --block 32 --arg u32[128]:iota --arg s32:128
// expect: race global add add
__global__ void stride_overlapping(unsigned *a, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
		a[i] += 1; // [add]
}

// launch: --grid 2 --block 32 --arg u32[128]:iota --arg s32:128
// expect: clean
// result: 0: 1 2 3
__global__ void stride_clean(unsigned *a, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		a[i] += 1;
}

// All blocks start at the first element.
// launch: --grid 2 --block 32 --arg u32[64]:iota
// expect: race global add add
__global__ void block_index_forgotten(unsigned *a)
{
	a[threadIdx.x] += 1; // [add]
}

// All read the same, no thread writes it.
// launch: --grid 2 --block 64 --arg u32[4]:iota --arg u32[128]
// expect: clean
// result: 1: 6 6
__global__ void read_only_clean(const unsigned *weights, unsigned *out)
{
	__shared__ unsigned w[4];
	if (threadIdx.x < 4)
		w[threadIdx.x] = weights[threadIdx.x];
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = w[0] + w[1] + w[2] + w[3];
}
