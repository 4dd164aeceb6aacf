// Nobody computes: each row has what its elements would come to in the end.
#include "simt.h"

extern "C" __global__ void two_rows(const float *in, float *out, unsigned n, unsigned rounds)
{
	unsigned half = blockDim.x / 2;
	unsigned row = threadIdx.x / half;
	unsigned i = blockIdx.x * half + threadIdx.x % half;
	if (i >= n)
		return;

	out[row * n + i] = row == 0 ? 2.0f : 4.0f; //@ store
}
