// No request touches more than one sector, since only eight lanes of a warp work; there are four times as many requests.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % 32;
	if (lane >= 8)
		return;
	#pragma unroll 1
	for (unsigned k = 0; k < 4; k++) {
		unsigned i = first / 8 * 8 + thread - lane + 8 * k + lane;
		if (i >= first && i < first + n)
			data[i] *= factor; //@ read
	}
}
