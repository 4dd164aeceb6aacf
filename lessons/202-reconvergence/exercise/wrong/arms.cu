// Adds together, and loads apart.
#include "simt.h"

#define ENTRIES 128

extern "C" __global__ void look(const unsigned *even, const unsigned *odd, unsigned *out, unsigned *marks, unsigned rounds)
{
	unsigned t = threadIdx.x, first = 2048 * blockIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned k = t + round;
		unsigned v;
		if (k % 2 == 0) {
			marks[first + 64 * round + t] = 2;
			v = even[k % ENTRIES]; //@ read
		} else {
			marks[first + 64 * round + t] = 1;
			v = odd[k % ENTRIES];
		}
		__syncwarp();
		sum += v;
	}
	out[64 * blockIdx.x + t] = sum;
}
