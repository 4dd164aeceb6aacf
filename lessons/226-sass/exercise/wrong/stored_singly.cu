// Four pixels are read at once and stored one by one.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(const float *pixels, const float *levels, float *out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	if (first >= count)
		return;
	float level = levels[blockIdx.x];
	if (first + 4 > count) {
		for (unsigned i = first; i < count; i++)
			out[i] = pixels[i] * level;
		return;
	}
	float4 four = *(const float4 *)(pixels + first); //@ read
	out[first] = four.x * level;
	out[first + 1] = four.y * level;
	out[first + 2] = four.z * level;
	out[first + 3] = four.w * level;
}
