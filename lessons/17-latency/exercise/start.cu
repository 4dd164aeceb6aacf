// Multiplies and adds to four values in each thread, as often as `rounds` says. The results are right, but the values take
// their turns, and the warp waits for each step.
#include "simt.h"

#define VALUES 4

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned k = 0; k < VALUES; k++) {
		float a = values[i + k * threads]; //@ read
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			a = a * factor + 1;
		values[i + k * threads] = a;
	}
}
