// Counts the bits in which neighbors of a tile differ, with the next tile on its way to a register.
// needs: sm_80, PTX 7.0
#include "clang.h"

#define THREADS 256

// A copy to shared memory that is not waited for; the copies so far become a group; wait until all groups but the last n have come.
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" \
	:: "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_BUT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

// In how many bits a thread's word differs from its neighbor's.
static __device__ __forceinline__ unsigned differ(const unsigned *tile)
{
	unsigned bits = 0, both = tile[threadIdx.x] ^ tile[(threadIdx.x + 1) % THREADS];
	#pragma unroll 1
	for (unsigned b = 0; b < 32; b++)
		bits += both >> b & 1;
	return bits;
}

extern "C" __global__ void distance(const unsigned *in, unsigned *out, unsigned tiles)
{
	__shared__ unsigned tile[2][THREADS];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS + t;
	unsigned next = in[0];
	for (unsigned k = 0; k < tiles; k++) {
		tile[k % 2][t] = next;
		if (k + 1 < tiles)
			next = in[(k + 1) * THREADS]; //@ read
		__syncthreads();
		sum += differ(tile[k % 2]);
	}
	out[blockIdx.x * THREADS + t] = sum;
}
