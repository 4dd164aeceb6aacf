// Staged, but each thread paints eight neighboring pixels: now the stores are spread.
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
	for (unsigned k = threadIdx.x * 8; k < threadIdx.x * 8 + 8 && first + k < pixels; k++) {
		unsigned color = image[first + k];
		float brightness = staged[color];
		out[first + k] = brightness;
	}
}
