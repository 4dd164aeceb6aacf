// Kernels whose warps wait, each for something else.
#include "clang.h"

#define TILE 1024

// Each load needs the result of the one before, and goes to memory: no entry of the list is read twice.
extern "C" __global__ void memory(const unsigned *list, unsigned *out, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = 8 * i;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++)
		at = list[at] + 8 * gridDim.x * blockDim.x; //@ memory
	out[i] = at;
}

// The same in shared memory.
extern "C" __global__ void shared(const unsigned *list, unsigned *out, unsigned steps)
{
	__shared__ unsigned words[TILE];

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x;
	for (unsigned k = threadIdx.x; k < TILE; k += blockDim.x)
		words[k] = (k + 33) % TILE;
	__syncthreads();
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++)
		#pragma unroll
		for (unsigned k = 0; k < 8; k++)
			at = words[at]; //@ shared
	out[i] = at;
}

// Multiply-adds, each of which needs the result of the one before.
extern "C" __global__ void arithmetic(const unsigned *list, unsigned *out, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = i;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++)
		#pragma unroll
		for (unsigned k = 0; k < 16; k++)
			a = a * 0.5f + 1;
	out[i] = a; //@ arithmetic
}

// The first warp of each block has something to do; the others wait for it at the barrier.
extern "C" __global__ void barrier(const unsigned *list, unsigned *out, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = i;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++) {
		if (threadIdx.x < 32)
			#pragma unroll
			for (unsigned k = 0; k < 64; k++)
				a = a * 0.5f + 1;
		__syncthreads();
	}
	out[i] = a; //@ barrier
}

// Stores to a sector of its own in each lane, which take longer to leave than to be issued.
extern "C" __global__ void stores(const unsigned *list, unsigned *out, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = 8 * i, v = i;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++)
		#pragma unroll
		for (unsigned k = 0; k < 8; k++)
			out[at + k] = v + step; //@ stores
}

// Square roots, in four chains that do not need one another.
extern "C" __global__ void roots(const unsigned *list, unsigned *out, unsigned steps)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float a = i, b = a + 1, c = a + 2, d = a + 3;
	#pragma unroll 1
	for (unsigned step = 0; step < steps; step++) {
		a = rsqrtf(a);
		b = rsqrtf(b);
		c = rsqrtf(c);
		d = rsqrtf(d);
	}
	out[i] = a + b + c + d > 0; //@ roots
}
