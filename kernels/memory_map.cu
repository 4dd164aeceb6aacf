// Where variables lie, who reaches them, and for how long.
#include "simt.h"

#define THREADS 256
#define HOP 1024 // words

__constant__ unsigned factors[4] = {1, 2, 3, 4};

// A variable in each kind of memory. The index into `own` is known at run time alone, so it cannot be registers.
extern "C" __global__ void everywhere(const unsigned *in, unsigned *out, unsigned from)
{
	__shared__ unsigned block[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t, own[8];
	#pragma unroll
	for (unsigned k = 0; k < 8; k++)
		own[k] = i + k;
	block[t] = in[i]; //@ everywhere
	__syncthreads();
	out[i] = block[THREADS - 1 - t] * factors[from % 4] + own[from % 8];
}

// One thread, `rounds` steps, each of which needs the result of the one before.
extern "C" __global__ void in_register(const unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned at = rounds;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = at * at; //@ in_register
	out[0] = at;
}

extern "C" __global__ void in_shared(const unsigned *table, unsigned *out, unsigned rounds)
{
	__shared__ unsigned words[32];

	unsigned at = 0;
	#pragma unroll 1
	for (unsigned k = 0; k < 32; k++)
		words[k] = (k + 1) % 32;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = words[at]; //@ in_shared
	out[0] = at;
}

extern "C" __global__ void in_global(const unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned at = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = table[at] + HOP; //@ in_global
	out[0] = at;
}

// The words of a block backwards, through shared memory: with the barrier, and without.
extern "C" __global__ void backwards(const unsigned *in, unsigned *out)
{
	__shared__ unsigned block[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	block[t] = in[i];
	__syncthreads();
	out[i] = block[THREADS - 1 - t]; //@ backwards
}

extern "C" __global__ void hasty(const unsigned *in, unsigned *out)
{
	__shared__ unsigned block[THREADS];

	unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
	block[t] = in[i];
	out[i] = block[THREADS - 1 - t]; //@ hasty
}

// One launch stores 1, the next adds 1 to it: in global memory, and, in vain, in shared memory.
extern "C" __global__ void begin_global(unsigned *count, unsigned *out)
{
	count[blockIdx.x * THREADS + threadIdx.x] = 1;
}

extern "C" __global__ void begin_shared(unsigned *count, unsigned *out)
{
	__shared__ unsigned kept[THREADS];

	kept[threadIdx.x] = 1;
	out[blockIdx.x * THREADS + threadIdx.x] = kept[threadIdx.x];
}

extern "C" __global__ void add_global(unsigned *count, unsigned *out)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	out[i] = count[i] + 1; //@ global
}

extern "C" __global__ void add_shared(unsigned *count, unsigned *out)
{
	__shared__ unsigned kept[THREADS];

	unsigned now = *(volatile unsigned *)&kept[threadIdx.x] + 1; //@ shared
	out[blockIdx.x * THREADS + threadIdx.x] = now;
}
