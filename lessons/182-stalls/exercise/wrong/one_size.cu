// Right for a multiple of the threads alone: all make the same number of rounds, past the end, too.
#include "simt.h"

#define ENTRIES 256

extern "C" __global__ void translate(const unsigned *codes, unsigned *out, const unsigned *curve, unsigned gain, unsigned n)
{
	__shared__ unsigned table[ENTRIES];

	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	table[t] = gain * curve[t];
	__syncthreads();
	for (unsigned k = 0; k < (n + threads - 1) / threads; k++) {
		unsigned i = k * threads + blockIdx.x * blockDim.x + t;
		out[i] = table[codes[i] % ENTRIES]; //@ look
	}
}
