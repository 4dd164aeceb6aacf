// Warps of a block between barriers: in each round one warp has more to do, and the others wait for it.
#include "simt.h"

extern "C" __global__ void phases(const float *in, float *out, unsigned rounds)
{
	__shared__ float tile[256];
	unsigned t = threadIdx.x, warp = t / 32;
	tile[t] = in[blockIdx.x * blockDim.x + t];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		__syncthreads();
		float sum = tile[(t + round) % blockDim.x];
		if (warp == round % (blockDim.x / 32)) {
			#pragma unroll 1
			for (unsigned k = 0; k < 8; k++)
				sum += tile[(t + 8 * k) % blockDim.x];
		}
		__syncthreads();
		tile[t] = sum;
	}
	out[blockIdx.x * blockDim.x + t] = tile[t];
}
