// A flag between two warps of one block.
#include "simt.h"

// launch: --grid 1 --block 64 --arg u32[32]
// expect: clean
// result: 0: 1 2 3
__global__ void flag_clean(unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ volatile unsigned flag;
	int t = threadIdx.x;
	if (t == 0)
		flag = 0;
	__syncthreads();
	if (t < 32) {
		data[t] = t + 1;
		__syncwarp();
		__threadfence_block();
		if (t == 0)
			flag = 1;
	} else {
		while (flag == 0)
			;
		__threadfence_block();
		out[t - 32] = data[t - 32];
	}
}

// launch: --grid 1 --block 64 --arg u32[32]
// expect: race shared make take
__global__ void flag_no_fences(unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ volatile unsigned flag;
	int t = threadIdx.x;
	if (t == 0)
		flag = 0;
	__syncthreads();
	if (t < 32) {
		data[t] = t + 1; // [make]
		__syncwarp();
		if (t == 0)
			flag = 1;
	} else {
		while (flag == 0)
			;
		out[t - 32] = data[t - 32]; // [take]
	}
}

// The flag is not volatile: the compiler reads it once, and a thread that reads 0 waits forever (or not: it depends on the order).
// The read that it makes of the loop has no line of its own: it is reported at the next that has one.
// launch: --grid 1 --block 64 --arg u32[32] --steps 20000
// expect: race shared raise wait
// also: limit
// also: race shared make take
__global__ void flag_not_volatile(unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ unsigned flag;
	int t = threadIdx.x;
	if (t == 0)
		flag = 0;
	__syncthreads();
	if (t >= 32) {
		data[t - 32] = t; // [make]
		__syncwarp();
		__threadfence_block();
		if (t == 32)
			flag = 1; // [raise]
	} else {
		while (flag == 0) // [wait]
			;
		__threadfence_block();
		out[t] = data[t]; // [take]
	}
}

// The flag is an atomic counter; the waiting adds nothing to it.
// launch: --grid 1 --block 96 --arg u32[32]
// expect: clean
// result: 0: 32 34 36
__global__ void flag_counter_clean(unsigned *out)
{
	__shared__ unsigned data[64], arrived;
	int t = threadIdx.x;
	if (t == 0)
		arrived = 0;
	__syncthreads();
	if (t < 64) {
		data[t] = t;
		__threadfence_block();
		atomicAdd(&arrived, 1u);
	} else {
		while (atomicAdd(&arrived, 0u) < 64)
			;
		__threadfence_block();
		out[t - 64] = data[t - 64] + data[t - 32];
	}
}

// The second warp makes its half and does not count itself in.
// launch: --grid 1 --block 96 --arg u32[32]
// expect: race shared make take
__global__ void flag_counter_half(unsigned *out)
{
	__shared__ unsigned data[64], arrived;
	int t = threadIdx.x;
	if (t == 0)
		arrived = 0;
	__syncthreads();
	if (t < 64) {
		data[t] = t; // [make]
		__threadfence_block();
		if (t < 32)
			atomicAdd(&arrived, 1u);
	} else {
		while (atomicAdd(&arrived, 0u) < 32)
			;
		__threadfence_block();
		out[t - 64] = data[t - 64] + data[t - 32]; // [take]
	}
}

// `*flag = 1` by many threads, with the same value. By the letter of PTX's model these are unordered plain writes, a race; no
// order of them gives another result, no tool calls it one, and students are taught that they may. So is it here.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: clean
// result: 1: 1
__global__ void flag_same_value_clean(const unsigned *in, unsigned *found)
{
	if (in[blockIdx.x * blockDim.x + threadIdx.x] % 7 == 0)
		*found = 1;
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[1]
// expect: clean
// result: 1: 1
__global__ void flag_same_value_shared_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned found;
	if (threadIdx.x == 0)
		found = 0;
	__syncthreads();
	if (in[threadIdx.x] % 7 == 0)
		found = 1;
	__syncthreads();
	if (threadIdx.x == 0)
		*out = found;
}

// Which of the values stays is open.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[1]
// expect: race global find find
__global__ void flag_different_values(const unsigned *in, unsigned *found)
{
	unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
	if (v % 7 == 1)
		*found = v; // [find]
}

// Written with the same value, but read by some at the same time.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[1] --arg u32[64]
// expect: race global find look
__global__ void flag_same_value_read(const unsigned *in, unsigned *found, unsigned *out)
{
	int t = threadIdx.x;
	if (in[t] == 40)
		*found = 1; // [find]
	out[t] = *found; // [look]
}

// Each warp publishes how far it is and reads how far the other is; whatever it sees will do. Volatile accesses are strong: two of one
// size do not race.
// launch: --grid 1 --block 64 --arg u32[2]
// expect: clean
// result: 0: 1 1
__global__ void flag_progress_clean(unsigned *out)
{
	__shared__ volatile unsigned progress[2];
	int t = threadIdx.x, me = t / 32;
	if (t < 2)
		progress[t] = 0;
	__syncthreads();
	if (t % 32 == 0) {
		progress[me] = 1;
		out[me] = progress[1 - me] <= 1;
	}
}

// The thread that stores last has it; both read which it is by now.
// launch: --grid 1 --block 64 --arg u32[2]
// expect: clean
// result: 0: 1 1
__global__ void flag_turn_clean(unsigned *out)
{
	__shared__ volatile unsigned turn;
	int t = threadIdx.x, me = t / 32;
	if (t == 0)
		turn = 2;
	__syncthreads();
	if (t % 32 == 0) {
		turn = me;
		out[me] = turn < 2;
	}
}
