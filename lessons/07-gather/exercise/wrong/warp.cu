// Staged, but one warp of the block paints everything.
#include "simt.h"

extern "C" __global__ void paint(const unsigned char *image, const float *palette, float *out, unsigned pixels)
{
	__shared__ float staged[256];

	if (threadIdx.x >= 32)
		return;
	for (unsigned k = threadIdx.x; k < 256; k += 32)
		staged[k] = palette[k]; //@ read
	__syncwarp();

	unsigned first = blockIdx.x * 1024;
	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < 1024 && first + k < pixels; k += 32)
		out[first + k] = staged[image[first + k]];
}
