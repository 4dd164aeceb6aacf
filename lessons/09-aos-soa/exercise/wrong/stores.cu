// The loads are staged, the stores still lie three floats apart.
#include "simt.h"

#define THREADS 128

struct pixel { float red, green, blue; };

extern "C" __global__ void color(const float *in, struct pixel *out, unsigned pixels)
{
	__shared__ struct pixel tile[THREADS];
	float *staged = (float *)tile;

	unsigned first = blockIdx.x * THREADS * 3;
	for (unsigned k = threadIdx.x; k < THREADS * 3 && first + k < pixels * 3; k += THREADS)
		staged[k] = in[first + k]; //@ read
	__syncthreads();

	unsigned i = blockIdx.x * THREADS + threadIdx.x;
	if (i >= pixels)
		return;
	struct pixel p = tile[threadIdx.x];
	float gray = (p.red + p.green + p.blue) / 3;
	out[i].red = p.red - gray;
	out[i].green = p.green - gray;
	out[i].blue = p.blue - gray;
}
