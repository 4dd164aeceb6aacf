// The bytes come first, rounded up to eight, and the launch does not give the bytes for that.
#include "simt.h"

#define ROUNDS 16
#define NEXT 2654435769u

extern "C" __global__ void play(const unsigned *draws, const unsigned long long *prizes, unsigned n_prizes,
	const unsigned char *extras, unsigned n_extras, unsigned long long *out, unsigned n)
{
	extern __shared__ unsigned long long memory[];
	unsigned char *my_extras = (unsigned char *)memory;
	unsigned long long *my_prizes = memory + (n_extras + 7) / 8;

	for (unsigned k = threadIdx.x; k < n_prizes; k += blockDim.x)
		my_prizes[k] = prizes[k];
	for (unsigned k = threadIdx.x; k < n_extras; k += blockDim.x)
		my_extras[k] = extras[k];
	__syncthreads();

	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
		unsigned draw = draws[i]; //@ read
		unsigned long long total = 0;
		#pragma unroll 1
		for (unsigned round = 0; round < ROUNDS; round++) {
			total += my_prizes[(draw & 0xFFFF) * n_prizes >> 16];
			total += my_extras[(draw >> 16) * n_extras >> 16];
			draw += NEXT;
		}
		out[i] = total;
	}
}
