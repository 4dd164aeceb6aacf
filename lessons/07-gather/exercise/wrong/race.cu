// Staged, but nobody waits for the copy.
#include "simt.h"

#define PIXELS 1024
#define COLORS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLORS];

	for (unsigned k = threadIdx.x; k < COLORS; k += blockDim.x)
		staged[k] = palette[k]; //@ read

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < PIXELS && first + k < pixels; k += blockDim.x) {
		unsigned color = image[first + k];
		float brightness = staged[color];
		out[first + k] = brightness;
	}
}
