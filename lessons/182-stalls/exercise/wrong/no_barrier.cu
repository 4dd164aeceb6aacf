// Nobody waits, and a warp may look up what another one has not made yet.
#include "simt.h"

#define ENTRIES 256

extern "C" __global__ void translate(const unsigned *codes, unsigned *out, const unsigned *curve, unsigned gain, unsigned n)
{
	__shared__ unsigned table[ENTRIES];

	unsigned t = threadIdx.x, threads = gridDim.x * blockDim.x;
	for (unsigned e = t; e < ENTRIES; e += blockDim.x)
		table[e] = gain * curve[e];
	for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += threads)
		out[i] = table[codes[i] % ENTRIES]; //@ look
}
