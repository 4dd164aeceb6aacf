// The last four are read and stored although the picture ends within them.
#include "simt.h"
#include "clang.h"
extern "C" __global__ void dim(const float *pixels, const float *levels, float *out, unsigned count)
{
	unsigned first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	if (first >= count)
		return;
	float level = levels[blockIdx.x];
	float4 four = *(const float4 *)(pixels + first); //@ read
	four.x *= level;
	four.y *= level;
	four.z *= level;
	four.w *= level;
	*(float4 *)(out + first) = four;
}
