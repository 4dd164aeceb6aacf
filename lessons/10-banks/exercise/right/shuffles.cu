// No shared memory: each warp adds up its rows by shuffles.
#include "clang.h"

#define COLUMNS 32

extern "C" __global__ void row_sums(const float *in, float *out, unsigned rows)
{
	unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

	#pragma unroll 1
	for (unsigned row = blockIdx.x * 32 + warp; row < blockIdx.x * 32 + 32 && row < rows; row += warps) {
		float sum = in[row * COLUMNS + lane];
		#pragma unroll
		for (unsigned d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
		if (lane == 0)
			out[row] = sum;
	}
}
