// Makes pictures darker: the pixels of each block are multiplied by its level, four at a time.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(const float *pixels, const float *levels, float *out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	if (first >= count)
		return;
	float level = levels[blockIdx.x];
	if (first + 4 <= count) {
		float4 four = *(const float4 *)(pixels + first); //@ read
		four.x *= level;
		four.y *= level;
		four.z *= level;
		four.w *= level;
		*(float4 *)(out + first) = four;
		return;
	}
	for (unsigned i = first; i < count; i++)
		out[i] = pixels[i] * level;
}
