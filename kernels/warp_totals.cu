// The sum of the 32 values of each warp: through shared memory, by shuffles, and by one instruction.
// needs: sm_80, PTX 7.0
#include "clang.h"

#define ALL 0xFFFFFFFF

extern "C" __global__ void total_memory(const unsigned *in, unsigned *out)
{
	__shared__ unsigned values[64];
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	unsigned v = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2) {
		values[t] = v;
		__syncwarp();
		v += values[t ^ d];
		__syncwarp();
	}
	if (lane == 0)
		out[i / 32] = v; //@ total_memory
}

extern "C" __global__ void total_shuffles(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	unsigned v = in[i];
	#pragma unroll 1
	for (unsigned d = 16; d > 0; d /= 2)
		v += __shfl_xor_sync(ALL, v, d);
	if (lane == 0)
		out[i / 32] = v; //@ total_shuffles
}

extern "C" __global__ void total_reduce(const unsigned *in, unsigned *out)
{
	unsigned t = threadIdx.x, lane = t % 32, i = blockIdx.x * blockDim.x + t;
	unsigned v = __reduce_add_sync(ALL, in[i]);
	if (lane == 0)
		out[i / 32] = v; //@ total_reduce
}
