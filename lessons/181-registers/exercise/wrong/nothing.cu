// Copies.
#include "simt.h"

#define LAST 16

extern "C" __global__ void ring(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	for (unsigned round = 0; round < rounds; round++)
		out[i + round * threads] = in[i + round * threads]; //@ read
}
