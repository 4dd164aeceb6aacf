// Takes the brightness out of each pixel: what is left is its color. Three floats make a pixel, and each thread reads
// and writes its own. The result is right, but the warp's requests are spread.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
struct pixel { float red, green, blue; };

extern "C" __global__ void color(const struct pixel *in, struct pixel *out, unsigned pixels)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= pixels)
		return;
	float red = in[i].red; //@ read
	float green = in[i].green;
	float blue = in[i].blue;
	float gray = (red + green + blue) / 3;
	out[i].red = red - gray;
	out[i].green = green - gray;
	out[i].blue = blue - gray;
}
