// Paints an image: each pixel is a number from 0 to 255, and the palette says which brightness that is. A block paints
// 8 pixels for each of its threads, and first copies the palette to shared memory.
#include "simt.h"

#define PIXELS (8 * blockDim.x)
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
		unsigned color = image[first + k];
		float brightness = staged[color];
		out[first + k] = brightness;
	}
}
