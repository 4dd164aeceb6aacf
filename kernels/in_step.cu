// Warps add up 32 words of shared memory each by halves, without and with barriers. A warp stores only a wrong sum: the store
// requests to global memory count the wrong sums.
#include "clang.h"

#define LANES 32

// As code does that takes lanes to execute in lockstep.
extern "C" __global__ void halves_without(const int *in, int *out, int right)
{
	__shared__ int tile[2 * LANES];

	unsigned t = threadIdx.x;
	int sum = in[blockIdx.x * LANES + t];
	tile[t] = sum;
	tile[t + LANES] = 0;
	__syncwarp();
	for (unsigned half = LANES / 2; half > 0; half /= 2) {
		sum += tile[t + half]; //@ add_without
		tile[t] = sum;
	}
	if (t == 0 && sum != right)
		out[blockIdx.x] = sum; //@ wrong_without
}

extern "C" __global__ void halves_with(const int *in, int *out, int right)
{
	__shared__ int tile[2 * LANES];

	unsigned t = threadIdx.x;
	int sum = in[blockIdx.x * LANES + t];
	tile[t] = sum;
	tile[t + LANES] = 0;
	__syncwarp();
	for (unsigned half = LANES / 2; half > 0; half /= 2) {
		sum += tile[t + half]; //@ add_with
		__syncwarp();
		tile[t] = sum;
		__syncwarp();
	}
	if (t == 0 && sum != right)
		out[blockIdx.x] = sum; //@ wrong_with
}
