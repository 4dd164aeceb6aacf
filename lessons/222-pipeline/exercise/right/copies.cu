// With three tiles in shared memory, by copies.
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
	__shared__ unsigned tile[3][THREADS];

	unsigned t = threadIdx.x, sum = 0;
	in += blockIdx.x * tiles * THREADS + t;
	for (unsigned k = 0; k < 2; k++) {
		if (k < tiles)
			COPY(&tile[k][t], &in[k * THREADS]);
		COMMIT();
	}
	for (unsigned k = 0; k < tiles; k++) {
		WAIT_BUT(1);
		__syncthreads();
		if (k + 2 < tiles)
			COPY(&tile[(k + 2) % 3][t], &in[(k + 2) * THREADS]); //@ read
		COMMIT();
		sum += differ(tile[k % 3]);
	}
	out[blockIdx.x * THREADS + t] = sum;
}
