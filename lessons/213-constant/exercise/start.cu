// Replaces each code by its entry in a table of constant memory.
#include "simt.h"

#define ENTRIES 256

#define ENTRY(n) ((n) * (n) + 7)
#define FOUR(n) ENTRY(n), ENTRY((n) + 1), ENTRY((n) + 2), ENTRY((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define SIXTY_FOUR(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)

__constant__ unsigned table[ENTRIES] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192)};

extern "C" __global__ void decode(const unsigned *codes, unsigned *out, unsigned count)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads)
		out[i] = table[codes[i] % ENTRIES]; //@ read
}
