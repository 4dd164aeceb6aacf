// Reads and writes well, but as if the colors lay in planes: other values.
#include "simt.h"

extern "C" __global__ void color(const float *in, float *out, unsigned pixels)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= pixels)
		return;
	float red = in[i]; //@ read
	float green = in[pixels + i];
	float blue = in[2 * pixels + i];
	float gray = (red + green + blue) / 3;
	out[i] = red - gray;
	out[pixels + i] = green - gray;
	out[2 * pixels + i] = blue - gray;
}
