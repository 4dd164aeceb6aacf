// Staged, but as if the last block were full.
#include "simt.h"

#define THREADS 128

struct pixel { float red, green, blue; };

extern "C" __global__ void color(const float *in, float *out, unsigned pixels)
{
	__shared__ struct pixel tile[THREADS];
	float *staged = (float *)tile;

	unsigned first = blockIdx.x * THREADS * 3;
	for (unsigned k = threadIdx.x; k < THREADS * 3; k += THREADS)
		staged[k] = in[first + k]; //@ read
	__syncthreads();

	struct pixel *p = tile + threadIdx.x;
	float gray = (p->red + p->green + p->blue) / 3;
	p->red -= gray;
	p->green -= gray;
	p->blue -= gray;
	__syncthreads();

	for (unsigned k = threadIdx.x; k < THREADS * 3; k += THREADS)
		out[first + k] = staged[k];
}
