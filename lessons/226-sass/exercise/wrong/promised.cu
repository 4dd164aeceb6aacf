// The pointers are promised to lead to different places: the level is read once, the pixels still one by one.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(
	const float *__restrict__ pixels, const float *__restrict__ levels, float *__restrict__ out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	for (unsigned k = 0; k < 4; k++)
		if (first + k < count)
			out[first + k] = pixels[first + k] * levels[blockIdx.x]; //@ read
}
