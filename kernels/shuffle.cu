// Lanes of a warp hand values to one another: through shared memory, and straight from register to register.
#include "clang.h"

#define ALL 0xFFFFFFFF
#define MOST 128

// The sum of the 32 values of each warp.
extern "C" __global__ void warp_sum_shared(const int *in, int *out)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2) {
		tile[t] = v;
		__syncwarp();
		if (lane < d)
			v += tile[t + d]; //@ add_shared
		__syncwarp();
	}
	if (lane == 0)
		out[i / 32] = v;
}

extern "C" __global__ void warp_sum_shuffle(const int *in, int *out)
{
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d); //@ add_shuffle
	if (lane == 0)
		out[i / 32] = v;
}

// One exchange: which lane's value does each lane get?
extern "C" __global__ void exchange_down(const int *in, int *out, unsigned d)
{
	unsigned i = threadIdx.x;
	out[i] = __shfl_down_sync(ALL, in[i], d); //@ give_down
}

extern "C" __global__ void exchange_up(const int *in, int *out, unsigned d)
{
	unsigned i = threadIdx.x;
	out[i] = __shfl_up_sync(ALL, in[i], d); //@ give_up
}

extern "C" __global__ void exchange_xor(const int *in, int *out, unsigned d)
{
	unsigned i = threadIdx.x;
	out[i] = __shfl_xor_sync(ALL, in[i], d); //@ give_xor
}

// Running sums within each warp.
extern "C" __global__ void warp_scan_shared(const int *in, int *out)
{
	__shared__ int tile[MOST];

	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned d = 1; d < 32; d *= 2) {
		tile[t] = v;
		__syncwarp();
		if (lane >= d)
			v += tile[t - d]; //@ scan_shared
		__syncwarp();
	}
	out[i] = v;
}

extern "C" __global__ void warp_scan_shuffle(const int *in, int *out)
{
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	int v = in[i];
	#pragma unroll 1
	for (unsigned d = 1; d < 32; d *= 2) {
		int left = __shfl_up_sync(ALL, v, d); //@ scan_shuffle
		if (lane >= d)
			v += left;
	}
	out[i] = v;
}

// The first `count` lanes are added up.
extern "C" __global__ void part_sum_inside(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = 0;
	if (lane < count) {
		v = in[lane]; //@ part_inside
		#pragma unroll 1
		for (unsigned d = 16; d > 0; d /= 2)
			v += __shfl_down_sync(ALL, v, d);
	}
	if (lane == 0)
		out[0] = v;
}

extern "C" __global__ void part_sum_outside(const int *in, int *out, unsigned count)
{
	unsigned lane = threadIdx.x;
	int v = 0;
	if (lane < count)
		v = in[lane];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_down_sync(ALL, v, d); //@ part_outside
	if (lane == 0)
		out[0] = v;
}

// A table of 32 words is looked up over and over; each word found says where to look next.
extern "C" __global__ void chase_registers(const unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned lane = threadIdx.x % 32, word = table[lane], at = lane;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = __shfl_sync(ALL, word, at); //@ chase_registers
	out[threadIdx.x] = at;
}

extern "C" __global__ void chase_shared(const unsigned *table, unsigned *out, unsigned rounds)
{
	__shared__ unsigned words[32];

	unsigned lane = threadIdx.x % 32, at = lane;
	words[lane] = table[lane];
	__syncwarp();
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = words[at]; //@ chase_shared
	out[threadIdx.x] = at;
}

extern "C" __global__ void chase_l1(const unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned at = threadIdx.x % 32;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = table[at]; //@ chase_l1
	out[threadIdx.x] = at;
}

// Volatile: each read goes past the L1 cache.
extern "C" __global__ void chase_l2(const volatile unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned at = threadIdx.x % 32;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = table[at]; //@ chase_l2
	out[threadIdx.x] = at;
}
