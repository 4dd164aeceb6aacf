// The palette is left out: nothing is spread, and nothing painted.
#include "simt.h"

#define PIXELS 1024
#define COLORS 256

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[COLORS];

	for (unsigned k = threadIdx.x; k < COLORS; k += blockDim.x)
		staged[k] = palette[k]; //@ read
	__syncthreads();

	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < PIXELS && first + k < pixels; k += blockDim.x) {
		float brightness = staged[k % COLORS];
		out[first + k] = brightness;
	}
}
