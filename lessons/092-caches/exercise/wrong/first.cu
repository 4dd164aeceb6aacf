// All blocks take the words of the first.
#include "simt.h"

#define PASSES 4
#define PIECE 4096

extern "C" __global__ void passes(const unsigned *in, unsigned *out, unsigned words)
{
	const unsigned *own = in;
	unsigned sum = 0;
	#pragma unroll 1
	for (unsigned from = 0; from < words; from += PIECE) {
		unsigned to = from + PIECE < words ? from + PIECE : words;
		#pragma unroll 1
		for (unsigned pass = 1; pass <= PASSES; pass++)
			#pragma unroll 1
			for (unsigned i = from + threadIdx.x; i < to; i += blockDim.x)
				sum += pass * own[i]; //@ read
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
