// Makes pictures darker: the pixels of each block are multiplied by its level.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(const float *pixels, const float *levels, float *out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	for (unsigned k = 0; k < 4; k++)
		if (first + k < count)
			out[first + k] = pixels[first + k] * levels[blockIdx.x]; //@ read
}
