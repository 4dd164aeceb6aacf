// Loads the neighbor's word from global memory, too.
// needs: sm_80, PTX 7.0
#include "clang.h"

#define THREADS 256

// A copy to shared memory that is not waited for; the copies so far become a group; wait until all groups but the last n have come.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" \
	:: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_BUT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

extern "C" __global__ void distance(const unsigned *in, unsigned *out, unsigned tiles)
{
	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS;
	for (unsigned k = 0; k < tiles; k++) {
		unsigned both = in[k * THREADS + t] ^ in[k * THREADS + (t + 1) % THREADS]; //@ read
		for (unsigned b = 0; b < 32; b++)
			sum += both >> b & 1;
	}
	out[blockIdx.x * THREADS + t] = sum;
}
