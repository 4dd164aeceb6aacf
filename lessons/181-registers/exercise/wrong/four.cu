// Unrolls four rounds, whose indices are still computed.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last[LAST];
	#pragma unroll
	for (unsigned k = 0; k < LAST; k++)
		last[k] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round += 4)
		#pragma unroll
		for (unsigned k = 0; k < 4; k++)
			if (round + k < rounds) {
				last[(round + k) % LAST] += in[i + (round + k) * threads]; //@ read
				out[i + (round + k) * threads] = last[(round + k) % LAST];
			}
}
