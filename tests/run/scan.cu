// Running sums of a block's values: within each warp by shuffles, then the warps' totals by the first warp.
#include "simt.h"

#define WARPS 4

__global__ void scan(const int *in, int *out)
{
	__shared__ int total[WARPS];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	int sum = in[threadIdx.x];

	for (int d = 1; d < 32; d *= 2) {
		int below = __shfl_up_sync(0xFFFFFFFF, sum, d);
		if (lane >= d)
			sum += below;
	}
	if (lane == 31)
		total[warp] = sum;
	__syncthreads();
	for (int w = 0; w < warp; w++)
		sum += total[w];
	out[threadIdx.x] = sum;
}
