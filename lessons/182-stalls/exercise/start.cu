// Translates codes by a table, which each block makes in shared memory first: the curve times a gain. The results are right, but most warps
// wait.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ look says which line the pictures show: keep it.

#define ENTRIES 256

extern "C" __global__ void translate(const unsigned *codes, unsigned *out, const unsigned *curve, unsigned gain, unsigned n)
{
	__shared__ unsigned table[ENTRIES];

	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	if (t == 0)
		#pragma unroll 1
		for (unsigned e = 0; e < ENTRIES; e++)
			table[e] = gain * curve[e];
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += threads)
		out[i] = table[codes[i] % ENTRIES]; //@ look
}
