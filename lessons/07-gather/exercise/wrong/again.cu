// Staged anew for each pixel of a thread: the palette is read eight times.
#include "simt.h"

#define PIXELS 1024
#define COLORS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLORS];

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned round = 0; round < PIXELS; round += blockDim.x) {
		for (unsigned k = threadIdx.x; k < COLORS; k += blockDim.x)
			staged[k] = palette[k]; //@ read
		__syncthreads();
		unsigned i = first + round + threadIdx.x;
		if (i < pixels)
			out[i] = staged[image[i]];
		__syncthreads();
	}
}
