// A table is looked up over and over; each word found says where to look next.
#include "simt.h"

#define HOP 2048 // words: no look-up finds what another has brought into a cache

extern "C" __global__ void look_up_shared(const unsigned *table, unsigned *out, unsigned rounds)
{
	__shared__ unsigned words[32];

	unsigned lane = threadIdx.x % 32, at = lane;
	words[lane] = table[lane];
	__syncwarp();
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = words[at]; //@ look_up_shared
	out[threadIdx.x] = at;
}

extern "C" __global__ void look_up_dram(const unsigned *table, unsigned *out, unsigned rounds)
{
	unsigned at = threadIdx.x % 32;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		at = table[at] + HOP; //@ look_up_dram
	out[threadIdx.x] = at;
}
