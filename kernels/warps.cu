// Who am I? Threads write down their lane, and a small piece of work for each element of an array.
#include "simt.h"

// Each thread of a block, whatever the block's shape, writes down which lane of its warp it is.
extern "C" __global__ void write_lane(unsigned *lane)
{
	unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
	unsigned threads = blockDim.x * blockDim.y * blockDim.z;

	lane[blockIdx.x * threads + thread] = thread % 32; //@ write
}

// One thread for each element: halves the element's distance to 2, `rounds` times.
extern "C" __global__ void approach(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float value = in[i];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		value = 0.5f * value + 1.0f; //@ work
	out[i] = value; //@ result
}
