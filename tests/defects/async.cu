// Copies from global to shared memory that run on their own (cp.async): the thread that started them waits for them to end,
// and a barrier orders the others.
// needs: sm_80, PTX 7.0
#include "simt.h"

#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(to)), \
	"l"(from) : "memory")
#define WAIT() asm volatile("cp.async.wait_all;" ::: "memory")

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void copy_wait_barrier_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	WAIT();
	__syncthreads();
	out[t] = s[63 - t];
}

// A barrier does not wait for copies.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy read
// also: uninitialized shared read
__global__ void copy_no_wait(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]); // [copy]
	__syncthreads();
	out[t] = s[63 - t]; // [read]
}

// Waiting orders no other thread.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy read
__global__ void copy_no_barrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]); // [copy]
	WAIT();
	out[t] = s[63 - t]; // [read]
}

// Each thread its own element: waiting is enough.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 0 2 4
__global__ void copy_own_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	WAIT();
	out[t] = s[t] * 2;
}
