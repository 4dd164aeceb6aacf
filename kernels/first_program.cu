// The kernels of a first program: sums of two arrays, and a picture.
#include "simt.h"

// A thread for each element.
extern "C" __global__ void add(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sum[i] = a[i] + b[i]; //@ add
}

// The same, by someone who forgot that the last block may have threads to spare.
extern "C" __global__ void add_all(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	sum[i] = a[i] + b[i]; //@ add_all
}

// A thread for each pixel of a picture, row by row in memory.
extern "C" __global__ void invert(const unsigned char *picture, unsigned char *out, unsigned width, unsigned height)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height)
		out[y * width + x] = 255 - picture[y * width + x]; //@ invert
}

// Any number of threads: each takes an element, and goes on by their number.
extern "C" __global__ void add_in_turns(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		sum[i] = a[i] + b[i]; //@ add_in_turns
}
