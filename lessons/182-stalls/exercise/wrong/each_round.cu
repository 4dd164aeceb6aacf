// The entry that a thread makes is put into the table in every round, with two barriers around it.
#include "simt.h"

#define ENTRIES 256

extern "C" __global__ void translate(const unsigned *codes, unsigned *out, const unsigned *curve, unsigned gain, unsigned n)
{
	__shared__ unsigned table[ENTRIES];

	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	for (unsigned first = blockIdx.x * blockDim.x; first < n; first += threads) {
		unsigned i = first + t;
		table[t] = gain * curve[t];
		__syncthreads();
		if (i < n)
			out[i] = table[codes[i] % ENTRIES]; //@ look
		__syncthreads();
	}
}
