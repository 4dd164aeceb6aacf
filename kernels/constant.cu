// Tables in constant memory, read at one address by all lanes of a warp, and at several.
#include "simt.h"

#define ENTRIES 256
#define ROUNDS 16
#define TERMS 8

#define ENTRY(n) ((n) * (n) + 1)
#define FOUR(n) ENTRY(n), ENTRY((n) + 1), ENTRY((n) + 2), ENTRY((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)

__constant__ unsigned table[ENTRIES] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};
__constant__ unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
	27, 28, 29, 30, 31, 32};
__constant__ float terms[TERMS] = {1, 2, 3, 4, 5, 6, 7, 8};

// The lanes of a warp ask for the first `different` words of the table: in turn, and one group of lanes after the other.
extern "C" __global__ void in_turn(unsigned *out, unsigned different)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	out[i] = table[lane % different]; //@ in_turn
}

extern "C" __global__ void in_groups(unsigned *out, unsigned different)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	out[i] = table[lane / (32 / different)]; //@ in_groups
}

// The same of bytes, four of which are in a word.
extern "C" __global__ void in_bytes(unsigned *out, unsigned different)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	out[i] = bytes[lane % different]; //@ in_bytes
}

// A sum of powers, whose factors all threads share: from constant memory, and from global memory. Both take the same arguments.
extern "C" __global__ void powers_constant(const float *x, float *out, const float *factors)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float at = x[i], sum = 0; //@ x_constant
	#pragma unroll
	for (unsigned k = 0; k < TERMS; k++)
		sum = sum * at + terms[k]; //@ powers_constant
	out[i] = sum;
}

extern "C" __global__ void powers_global(const float *x, float *out, const float *factors)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float at = x[i], sum = 0; //@ x_global
	#pragma unroll
	for (unsigned k = 0; k < TERMS; k++)
		sum = sum * at + factors[k]; //@ powers_global
	out[i] = sum;
}

// What is looked up depends on the data, so lanes ask for any words: of the table, and of a copy of it in shared memory.
extern "C" __global__ void look_up_constant(const unsigned *codes, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	unsigned code = codes[i]; //@ look_up_constant
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++)
		sum += table[(code + 13 * round) % ENTRIES];
	out[i] = sum;
}

extern "C" __global__ void look_up_shared(const unsigned *codes, unsigned *out)
{
	__shared__ unsigned words[ENTRIES];

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, code = codes[i], sum = 0;
	for (unsigned entry = threadIdx.x; entry < ENTRIES; entry += blockDim.x)
		words[entry] = table[entry]; //@ copy
	__syncthreads();
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++)
		sum += words[(code + 13 * round) % ENTRIES]; //@ look_up_shared
	out[i] = sum;
}
