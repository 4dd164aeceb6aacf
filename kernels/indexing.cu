// Doubles every element of an array, an image and a volume: which thread does which element.
#include "simt.h"

extern "C" __global__ void double_1d(const float *in, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i]; //@ write_1d
}

// The same for whoever is sure that there are as many threads as elements.
extern "C" __global__ void double_unchecked(const float *in, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = 2 * in[i]; //@ write_unchecked
}

// An image is stored row by row.
extern "C" __global__ void double_2d(const float *in, float *out, unsigned width, unsigned height)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < width && y < height)
		out[y * width + x] = 2 * in[y * width + x]; //@ write_2d
}

// A volume is stored slice by slice.
extern "C" __global__ void double_3d(const float *in, float *out, unsigned width, unsigned height, unsigned depth)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < width && y < height && z < depth) {
		unsigned i = (z * height + y) * width + x;
		out[i] = 2 * in[i]; //@ write_3d
	}
}

// Any number of threads does any number of elements.
extern "C" __global__ void double_strided(const float *in, float *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		out[i] = 2 * in[i]; //@ write_strided
}
