// Staged, but only as many colours as there are threads.
#include "simt.h"

#define PIXELS 1024
#define COLOURS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLOURS];

	staged[threadIdx.x] = palette[threadIdx.x]; //@ read
	__syncthreads();

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < PIXELS && first + k < pixels; k += blockDim.x) {
		unsigned colour = image[first + k];
		float brightness = staged[colour];
		out[first + k] = brightness;
	}
}
