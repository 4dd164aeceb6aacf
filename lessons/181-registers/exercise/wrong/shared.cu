// Keeps the sums in shared memory.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	__shared__ unsigned last[LAST][128];
	#pragma unroll
	for (unsigned k = 0; k < LAST; k++)
		last[k][threadIdx.x] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned v = in[i + round * threads]; //@ read
		v += last[round % LAST][threadIdx.x];
		last[round % LAST][threadIdx.x] = v;
		out[i + round * threads] = v;
	}
}
