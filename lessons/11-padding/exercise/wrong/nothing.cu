// No conflicts, since nothing is added up.
#include "simt.h"

#define COLUMNS 32

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * COLUMNS];

	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			tile[i] = in[first * COLUMNS + i];
	__syncthreads();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			out[first * COLUMNS + i] = tile[i];
}
