// Gathers: each thread reads the float that an index names. Here the index is computed; it could come from memory.
#include "simt.h"

// Any order inside the warp: neighbors are exchanged as the bits of `mask` say.
extern "C" __global__ void exchange(const float *in, float *out, unsigned mask)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = in[i ^ mask]; //@ exchange
	out[i] = value;
}

// Each 32 * hands floats are dealt out like cards: which card thread i gets.
static __device__ unsigned dealt(unsigned i, unsigned hands)
{
	unsigned deck = 32 * hands;
	return i / deck * deck + i % 32 * hands + i % deck / 32;
}

extern "C" __global__ void deal_gather(const float *in, float *out, unsigned hands)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = in[dealt(i, hands)]; //@ deal_gather
	out[i] = value;
}

// The way back: thread i puts its float where it came from.
extern "C" __global__ void deal_scatter(const float *in, float *out, unsigned hands)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = in[i];
	out[dealt(i, hands)] = value; //@ deal_scatter
}

// Numbers from 0 to 65535 that look like random ones.
static __device__ unsigned hash(unsigned key)
{
	unsigned mixed = key * 747796405 + 2891336453;
	return (mixed >> 16 ^ mixed) * 277803737 >> 16;
}

extern "C" __global__ void lookup_mixed(const float *table, float *out, unsigned slots)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float value = table[hash(i) % slots]; //@ lookup_mixed
	out[i] = value;
}

// The keys were sorted into buckets: warp w has those of the 32 slots from 32 * w on, in any order.
extern "C" __global__ void lookup_bucketed(const float *table, float *out, unsigned slots)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned bucket = i / 32 * 32 % slots;
	float value = table[bucket + hash(i) % 32]; //@ lookup_bucketed
	out[i] = value;
}
