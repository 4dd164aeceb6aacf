// The level is read once, the pixels still one by one.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(const float *pixels, const float *levels, float *out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	float level = levels[blockIdx.x];
	for (unsigned k = 0; k < 4; k++)
		if (first + k < count)
			out[first + k] = pixels[first + k] * level; //@ read
}
