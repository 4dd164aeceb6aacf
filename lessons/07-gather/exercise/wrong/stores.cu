// Staged, but each thread paints eight neighbouring pixels: now the stores are spread.
#include "simt.h"

#define PIXELS 1024
#define COLOURS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLOURS];

	for (unsigned k = threadIdx.x; k < COLOURS; k += blockDim.x)
		staged[k] = palette[k]; //@ read
	__syncthreads();

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x * 8; k < threadIdx.x * 8 + 8 && first + k < pixels; k++) {
		unsigned colour = image[first + k];
		float brightness = staged[colour];
		out[first + k] = brightness;
	}
}
