// Only threads that have a code copy, and wait.
#include "simt.h"

#define ENTRIES 256

#define ENTRY(n) ((n) * (n) + 7)
#define FOUR(n) ENTRY(n), ENTRY((n) + 1), ENTRY((n) + 2), ENTRY((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)

__constant__ unsigned table[ENTRIES] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

extern "C" __global__ void decode(const unsigned *codes, unsigned *out, unsigned count)
{
	__shared__ unsigned words[ENTRIES];

	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) {
		for (unsigned entry = threadIdx.x; entry < ENTRIES; entry += blockDim.x)
			words[entry] = table[entry];
		__syncthreads();
	}
	for (; i < count; i += threads)
		out[i] = words[codes[i] % ENTRIES]; //@ read
}
