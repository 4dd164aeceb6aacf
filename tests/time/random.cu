// Random access.
#include "simt.h"

static __device__ __forceinline__ unsigned mix(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	x ^= x >> 15;
	x *= 0x846ca68b;
	return x ^ x >> 16;
}

extern "C" __global__ void gather_words(const float *table, float *out, unsigned size, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned r = 0; r < rounds; r++)
		sum += table[mix(i * rounds + r) % size];
	out[i] = sum;
}

extern "C" __global__ void scatter_words(const unsigned *from, unsigned *table, unsigned size)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	table[i * 2654435761u & (size - 1)] = from[i]; // each word once
}

extern "C" __global__ void update_words(unsigned *table, unsigned size, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned r = 0; r < rounds; r++)
		atomicXor(&table[mix(i * rounds + r) % size], i);
}

// A chain of words, each of which says where the next is.
extern "C" __global__ void follow(const unsigned *table, unsigned *out, unsigned size, unsigned links)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = mix(i) % size;
	for (unsigned k = 0; k < links; k++)
		at = (table[at] + k) % size;
	out[i] = at;
}

// Keys in a table of open addresses.
extern "C" __global__ void probe_table(const unsigned *keys, const unsigned *table, unsigned *found, unsigned size)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i], at = mix(key) & (size - 1), n = 0;
	while (n < 16 && (table[at] & 3) != (key & 3)) {
		at = (at + 1) & (size - 1);
		n++;
	}
	found[i] = at;
}
