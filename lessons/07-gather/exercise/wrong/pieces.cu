// Staged, but each thread copies two neighbors: the copy is spread itself.
#include "simt.h"

#define PIXELS 1024
#define COLORS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLORS];

	for (unsigned k = 0; k < 2; k++)
		staged[threadIdx.x * 2 + k] = palette[threadIdx.x * 2 + k]; //@ read
	__syncthreads();

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < PIXELS && first + k < pixels; k += blockDim.x) {
		unsigned color = image[first + k];
		float brightness = staged[color];
		out[first + k] = brightness;
	}
}
