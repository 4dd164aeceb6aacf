// Scales a vector. In every turn of the loop neighboring threads take neighboring floats; then all of them step forward by
// as many floats as there are threads.
#include "simt.h"

extern "C" __global__ void scale(const float *in, float *out, float factor, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		out[i] = factor * in[i]; //@ read
}
