// Each element and its two neighbors on either side, through shared memory; beyond the ends there is nothing.
#include "simt.h"

#define RADIUS 2
#define BLOCK 64

__global__ void stencil(const int *in, int *out, int n)
{
	__shared__ int tile[BLOCK + 2 * RADIUS];
	int i = blockIdx.x * BLOCK + threadIdx.x, at = threadIdx.x + RADIUS;

	tile[at] = i < n ? in[i] : 0;
	if (threadIdx.x < RADIUS) {
		tile[threadIdx.x] = i >= RADIUS ? in[i - RADIUS] : 0;
		tile[at + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
	}
	__syncthreads();
	int sum = 0;
	for (int d = -RADIUS; d <= RADIUS; d++)
		sum += tile[at + d];
	if (i < n)
		out[i] = sum;
}

// The same without a thought for the ends: its first thread reads before the buffer.
__global__ void stencil_unbounded(const int *in, int *out)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	out[i] = in[i - RADIUS] + in[i + RADIUS];
}
