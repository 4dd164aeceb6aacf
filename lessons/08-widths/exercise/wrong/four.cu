// Each thread takes four floats that lie side by side, but one by one.
#include "simt.h"

extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned threads = gridDim.x * blockDim.x;

	for (unsigned first = 4 * thread; first < n; first += 4 * threads)
		#pragma unroll 1
		for (unsigned i = first; i < first + 4 && i < n; i++)
			y[i] += a * x[i]; //@ read
}
