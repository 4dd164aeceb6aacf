// Takes the brightness out of each pixel: what is left is its color. The block stages its pixels in shared memory, and
// reads and writes global memory in the order in which the floats lie.
#include "simt.h"

#define THREADS 128

struct pixel { float red, green, blue; };

extern "C" __global__ void color(const float *in, float *out, unsigned pixels)
{
	__shared__ struct pixel tile[THREADS];
	float *staged = (float *)tile;

	unsigned first = blockIdx.x * THREADS * 3;
	for (unsigned k = threadIdx.x; k < THREADS * 3 && first + k < pixels * 3; k += THREADS)
		staged[k] = in[first + k]; //@ read
	__syncthreads();

	if (blockIdx.x * THREADS + threadIdx.x < pixels) {
		struct pixel *p = tile + threadIdx.x;
		float gray = (p->red + p->green + p->blue) / 3;
		p->red -= gray;
		p->green -= gray;
		p->blue -= gray;
	}
	__syncthreads();

	for (unsigned k = threadIdx.x; k < THREADS * 3 && first + k < pixels * 3; k += THREADS)
		out[first + k] = staged[k];
}
