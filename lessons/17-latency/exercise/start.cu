// Multiplies and adds to four values in each thread, in rounds of 16 steps. The results are right, but the values take their
// turns, and the warp waits for each step.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#define VALUES 4
#define STEPS 16

extern "C" __global__ void grow(float *values, float factor, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll 1
	for (unsigned k = 0; k < VALUES; k++) {
		float a = values[i + k * threads]; //@ read
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++) {
			#pragma unroll
			for (unsigned step = 0; step < STEPS; step++)
				a = a * factor + 1;
		}
		values[i + k * threads] = a;
	}
}
