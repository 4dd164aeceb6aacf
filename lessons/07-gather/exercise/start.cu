// Paints an image: each pixel is a number from 0 to 255, and the palette says which brightness that is. A block paints
// 8 pixels for each of its threads. The result is right, but the palette is read all over the place.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#define PIXELS (8 * blockDim.x)

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	unsigned first = blockIdx.x * PIXELS;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < PIXELS && first + k < pixels; k += blockDim.x) {
		unsigned color = image[first + k];
		float brightness = palette[color]; //@ read
		out[first + k] = brightness;
	}
}
