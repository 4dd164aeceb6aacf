// Values counted in four bins a warp, so that warps do not meet in shared memory; then all warps' bins added up.
#include "simt.h"

#define BINS 4
#define WARPS 4

__global__ void histogram(const unsigned *in, int n, unsigned *bins)
{
	__shared__ unsigned count[WARPS][BINS];
	int warp = threadIdx.x / 32;

	if (threadIdx.x < WARPS * BINS)
		count[threadIdx.x / BINS][threadIdx.x % BINS] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		atomicAdd(&count[warp][in[i] % BINS], 1u);
	__syncthreads();
	if (threadIdx.x < BINS) {
		unsigned sum = 0;
		for (int w = 0; w < WARPS; w++)
			sum += count[w][threadIdx.x];
		bins[threadIdx.x] = sum;
	}
}
