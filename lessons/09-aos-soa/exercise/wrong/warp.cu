// Staged, but one warp of the block does all of it.
#include "simt.h"

#define THREADS 128

struct pixel { float red, green, blue; };

extern "C" __global__ void color(const float *in, float *out, unsigned pixels)
{
	__shared__ struct pixel tile[THREADS];
	float *staged = (float *)tile;

	if (threadIdx.x >= 32)
		return;
	unsigned first = blockIdx.x * THREADS * 3;
	for (unsigned k = threadIdx.x; k < THREADS * 3 && first + k < pixels * 3; k += 32)
		staged[k] = in[first + k]; //@ read
	__syncwarp();

	for (unsigned t = threadIdx.x; t < THREADS && blockIdx.x * THREADS + t < pixels; t += 32) {
		struct pixel *p = tile + t;
		float gray = (p->red + p->green + p->blue) / 3;
		p->red -= gray;
		p->green -= gray;
		p->blue -= gray;
	}
	__syncwarp();

	for (unsigned k = threadIdx.x; k < THREADS * 3 && first + k < pixels * 3; k += 32)
		out[first + k] = staged[k];
}
