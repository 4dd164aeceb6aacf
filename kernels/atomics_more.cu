// What atomics do beyond adding: compare and swap, a lock, flags and tickets between blocks, and for whom they are atomic.
#include "clang.h"

#define ALL 0xFFFFFFFF

// Every lane makes 2 * x + 1 of its word. No atomic does that.
extern "C" __global__ void double_add(unsigned *word, unsigned words)
{
	unsigned *mine = &word[threadIdx.x % words];
	unsigned seen, found = *mine;
	do {
		seen = found;
		found = atomicCAS(mine, seen, 2 * seen + 1); //@ swap
	} while (found != seen);
}

// The largest of 32 floats, `negative` of which are below 0.
extern "C" __global__ void largest_swap(const float *in, float *out, float negative)
{
	float mine = in[threadIdx.x] - negative;
	int found = __float_as_int(*out);
	while (mine > __int_as_float(found)) {
		int seen = found;
		found = atomicCAS((int *)out, seen, __float_as_int(mine)); //@ largest_swap
		if (found == seen)
			break;
	}
}

extern "C" __global__ void largest_order(const float *in, float *out, float negative)
{
	float mine = in[threadIdx.x] - negative;
	int bits = __float_as_int(mine);
	if (bits >= 0)
		atomicMax((int *)out, bits); //@ largest_order
	else
		atomicMin((unsigned *)out, (unsigned)bits);
}

// The largest value and its place: two words that must fit each other.
extern "C" __global__ void lock_lane(const int *in, int *best, int *lock)
{
	int i = threadIdx.x, mine = in[i];
	bool done = false;
	while (!done)
		if (atomicExch(lock, 1) == 0) { //@ lock_lane
			__threadfence();
			volatile int *shared = best;
			int value = shared[0], place = shared[1];
			best[0] = mine > value ? mine : value;
			best[1] = mine > value ? i : place;
			__threadfence();
			atomicExch(lock, 0);
			done = true;
		}
}

extern "C" __global__ void lock_warp(const int *in, int *best, int *lock)
{
	int i = threadIdx.x, mine = in[i], lane = threadIdx.x % 32;
	for (int distance = 16; distance > 0; distance /= 2) {
		int other = __shfl_xor_sync(ALL, mine, distance), at = __shfl_xor_sync(ALL, i, distance);
		i = other > mine ? at : i;
		mine = other > mine ? other : mine;
	}
	if (lane == 0) {
		while (atomicExch(lock, 1) != 0) //@ lock_warp
			;
		__threadfence();
		volatile int *shared = best;
		int value = shared[0], place = shared[1];
		best[0] = mine > value ? mine : value;
		best[1] = mine > value ? i : place;
		__threadfence();
		atomicExch(lock, 0);
	}
}

// Threads of block 0 each hand a word to one of block 1.
extern "C" __global__ void message_none(int *data, int *flag, int *out)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 100;
		atomicExch(&flag[t], 1); //@ raise_none
	} else {
		while (atomicAdd(&flag[t], 0) == 0)
			;
		out[t] = data[t]; //@ take_none
	}
}

extern "C" __global__ void message_writer(int *data, int *flag, int *out)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 100;
		__threadfence();
		atomicExch(&flag[t], 1); //@ raise_writer
	} else {
		while (atomicAdd(&flag[t], 0) == 0)
			;
		out[t] = data[t]; //@ take_writer
	}
}

extern "C" __global__ void message_both(int *data, int *flag, int *out)
{
	unsigned t = threadIdx.x;
	if (blockIdx.x == 0) {
		data[t] = t + 100;
		__threadfence();
		atomicExch(&flag[t], 1); //@ raise_both
	} else {
		while (atomicAdd(&flag[t], 0) == 0)
			;
		__threadfence();
		out[t] = data[t]; //@ take_both
	}
}

// Each block adds to a row of 32 counters, `rows` of which there are.
extern "C" __global__ void count_block(int *count, unsigned rows)
{
	int *mine = &count[blockIdx.x % rows * 32 + threadIdx.x % 32];
	atomicAdd_block(mine, 1); //@ count_block
}

extern "C" __global__ void count_device(int *count, unsigned rows)
{
	int *mine = &count[blockIdx.x % rows * 32 + threadIdx.x % 32];
	atomicAdd(mine, 1); //@ count_device
}

extern "C" __global__ void count_system(int *count, unsigned rows)
{
	int *mine = &count[blockIdx.x % rows * 32 + threadIdx.x % 32];
	atomicAdd_system(mine, 1); //@ count_system
}

static __device__ __forceinline__ int warp_sum(int sum)
{
	for (int distance = 16; distance > 0; distance /= 2)
		sum += __shfl_xor_sync(ALL, sum, distance);
	return sum;
}

// A sum in one launch: every warp stores its part, and the block that is done last adds the parts up.
extern "C" __global__ void last_fenced(const int *in, int *parts, int *ticket, int *out, unsigned n)
{
	__shared__ bool last;
	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0;
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += threads)
		sum += in[i];
	sum = warp_sum(sum);
	if (t % 32 == 0)
		parts[(blockIdx.x * blockDim.x + t) / 32] = sum;
	__syncthreads();
	if (t == 0) {
		__threadfence();
		last = atomicAdd(ticket, 1) == gridDim.x - 1; //@ ticket_fenced
		__threadfence();
	}
	__syncthreads();
	if (last && t < 32) {
		sum = 0;
		for (unsigned part = t; part < threads / 32; part += 32)
			sum += parts[part];
		sum = warp_sum(sum);
		if (t == 0) {
			*out = sum;
			*ticket = 0;
		}
	}
}

// The same without the first fence.
extern "C" __global__ void last_nothing(const int *in, int *parts, int *ticket, int *out, unsigned n)
{
	__shared__ bool last;
	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	int sum = 0;
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += threads)
		sum += in[i];
	sum = warp_sum(sum);
	if (t % 32 == 0)
		parts[(blockIdx.x * blockDim.x + t) / 32] = sum;
	__syncthreads();
	if (t == 0) {
		last = atomicAdd(ticket, 1) == gridDim.x - 1; //@ ticket_nothing
		__threadfence();
	}
	__syncthreads();
	if (last && t < 32) {
		sum = 0;
		for (unsigned part = t; part < threads / 32; part += 32)
			sum += parts[part];
		sum = warp_sum(sum);
		if (t == 0) {
			*out = sum;
			*ticket = 0;
		}
	}
}
