// Every fourth block has four times as much to do as the others.
#include "simt.h"

extern "C" __global__ void uneven(float *data, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.x % 4 ? rounds : 4 * rounds;
	float v = data[i];
	#pragma unroll 1
	for (unsigned k = 0; k < n; k++)
		v = v * 0.5f + 1;
	data[i] = v;
}
