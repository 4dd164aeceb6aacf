// Copies in stages (cp.async in groups) and barriers in memory (mbarrier).
// needs: sm_80, PTX 7.0
#include "simt.h"

#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((unsigned)__cvta_generic_to_shared(to)), \
	"l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_BUT(n) asm volatile("cp.async.wait_group %0;" :: "n"(n) : "memory")

// One group ahead of the one in use.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64]
// expect: clean
// result: 1: 636 632
__global__ void stages_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[2][64];
	int t = threadIdx.x;
	unsigned sum = 0;
	COPY(&s[0][t], &in[t]);
	COMMIT();
	for (int k = 0; k < 4; k++) {
		if (k < 3)
			COPY(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]);
		COMMIT();
		WAIT_BUT(1);
		__syncthreads();
		sum += s[k % 2][63 - t];
		__syncthreads();
	}
	out[t] = sum;
}

// It waits for one group too few: the one in use may still be on its way.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64]
// expect: race shared next use
// also: race shared first next
// also: race shared next next
// also: race shared first use
// also: uninitialized shared use
__global__ void stages_wait_too_little(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[2][64];
	int t = threadIdx.x;
	unsigned sum = 0;
	COPY(&s[0][t], &in[t]); // [first]
	COMMIT();
	for (int k = 0; k < 4; k++) {
		if (k < 3)
			COPY(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]); // [next]
		COMMIT();
		WAIT_BUT(2);
		__syncthreads();
		sum += s[k % 2][63 - t]; // [use]
		__syncthreads();
	}
	out[t] = sum;
}

// The barrier after the use is missing: the next copy begins while the other warp still reads.
// launch: --grid 1 --block 64 --arg u32[256]:iota --arg u32[64]
// expect: race shared next use
__global__ void stages_no_second_barrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[2][64];
	int t = threadIdx.x;
	unsigned sum = 0;
	COPY(&s[0][t], &in[t]);
	COMMIT();
#pragma unroll 1
	for (int k = 0; k < 4; k++) {
		if (k < 3)
			COPY(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t]); // [next]
		COMMIT();
		WAIT_BUT(1);
		__syncthreads();
		sum += s[k % 2][63 - t]; // [use]
	}
	out[t] = sum;
}

__device__ void barrier_init(unsigned long long *b, unsigned count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"((unsigned)__cvta_generic_to_shared(b)), "r"(count) : "memory");
}

__device__ unsigned long long barrier_arrive(unsigned long long *b)
{
	unsigned long long state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"((unsigned)__cvta_generic_to_shared(b)) : "memory");
	return state;
}

__device__ bool barrier_test(unsigned long long *b, unsigned long long state)
{
	unsigned done;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done)
		: "r"((unsigned)__cvta_generic_to_shared(b)), "l"(state) : "memory");
	return done;
}

// Arrive, do something else, wait.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void mbarrier_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned long long b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	__syncthreads();
	s[t] = in[t];
	unsigned long long state = barrier_arrive(&b);
	while (!barrier_test(&b, state))
		;
	out[t] = s[63 - t];
}

// Arrived, not waited.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared put get
__global__ void mbarrier_not_waited(const unsigned *in, unsigned *out)
{
	__shared__ unsigned long long b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	__syncthreads();
	s[t] = in[t]; // [put]
	barrier_arrive(&b);
	out[t] = s[63 - t]; // [get]
}

// Arrived first, written then.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared put get
__global__ void mbarrier_written_late(const unsigned *in, unsigned *out)
{
	__shared__ unsigned long long b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	__syncthreads();
	unsigned long long state = barrier_arrive(&b);
	s[t] = in[t]; // [put]
	while (!barrier_test(&b, state))
		;
	out[t] = s[63 - t]; // [get]
}
