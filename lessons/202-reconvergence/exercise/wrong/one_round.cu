// Makes one round, however many there are.
#include "simt.h"

#define ENTRIES 128

extern "C" __global__ void look(const unsigned *even, const unsigned *odd, unsigned *out, unsigned *marks, unsigned rounds)
{
	unsigned t = threadIdx.x, first = 2048 * blockIdx.x, sum = 0;
	const unsigned *table = t % 2 == 0 ? even : odd;
	if (rounds > 0) {
		marks[first + t] = t % 2 == 0 ? 2 : 1;
		sum += table[t]; //@ read
	}
	out[64 * blockIdx.x + t] = sum;
}
