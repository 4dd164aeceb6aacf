// How often each byte occurs, counted per block in shared memory first.
#include "simt.h"

extern "C" __global__ void histogram(const unsigned char *in, int n, unsigned *bins)
{
	__shared__ unsigned count[256];

	for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
		count[i] = 0;
	__syncthreads();
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&count[in[i]], 1u);
	__syncthreads();
	for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)
		atomicAdd(&bins[i], count[i]);
}
