// The sum of the elements of each block, by halves in dynamic shared memory.
#include "simt.h"

extern __shared__ int partial[];

extern "C" __global__ void reduce(const int *in, int *out, int n)
{
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

	partial[t] = i < n ? in[i] : 0;
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half; half /= 2) {
		if (t < half)
			partial[t] += partial[t + half];
		__syncthreads();
	}
	if (t == 0)
		out[blockIdx.x] = partial[0];
}
