// Every thread copies one float. Neighboring threads read floats that lie `stride` apart, and write side by side.
#include "simt.h"

extern "C" __global__ void copy_forward(const float *in, float *out, unsigned stride)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = in[i * stride]; //@ read_forward
	out[i] = x;
}

// The same floats, from the last to the first.
extern "C" __global__ void copy_backward(const float *in, float *out, unsigned stride)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last = gridDim.x * blockDim.x - 1;
	float x = in[(last - i) * stride]; //@ read_backward
	out[i] = x;
}
