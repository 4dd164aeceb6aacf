// Each thread adds up every threads-th number, from its own on. The sums are right, but a thread loads one number, waits for it, adds it,
// and only then loads the next.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.

extern "C" __global__ void total(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	#pragma unroll 1
	for (unsigned k = i; k < n; k += threads)
		sum += in[k]; //@ read
	out[i] = sum;
}
