// In each round a lane adds a word of one of two tables, chosen by its address alone, and marks which.
#include "simt.h"

#define ENTRIES 128

extern "C" __global__ void look(const unsigned *even, const unsigned *odd, unsigned *out, unsigned *marks, unsigned rounds)
{
	unsigned t = threadIdx.x, first = 2048 * blockIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned k = t + round;
		const unsigned *table = k % 2 == 0 ? even : odd;
		marks[first + 64 * round + t] = k % 2 == 0 ? 2 : 1;
		sum += table[k % ENTRIES]; //@ read
	}
	out[64 * blockIdx.x + t] = sum;
}
