// Asynchronous copies that arrive at a barrier in memory, and such barriers as full and empty signs of a pipeline.
// needs: sm_80, PTX 7.1
#include "simt.h"

typedef unsigned long long barrier;

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(AT(to)), "l"(from) : "memory")

__device__ __forceinline__ void barrier_init(barrier *b, unsigned count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(AT(b)), "r"(count) : "memory");
}

__device__ __forceinline__ barrier barrier_arrive(barrier *b)
{
	barrier state;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(AT(b)) : "memory");
	return state;
}

__device__ __forceinline__ unsigned barrier_done(barrier *b, barrier state)
{
	unsigned done;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
		: "=r"(done) : "r"(AT(b)), "l"(state) : "memory");
	return done;
}

__device__ __forceinline__ unsigned phase_done(barrier *b, unsigned parity)
{
	unsigned done;
	asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
		: "=r"(done) : "r"(AT(b)), "r"(parity) : "memory");
	return done;
}

// The copies of a thread arrive for it when they are done, besides its own arrival.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void copies_arrive_clean(const unsigned *in, unsigned *out)
{
	__shared__ barrier b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	__syncthreads();
	COPY(&s[t], &in[t]);
	asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" :: "r"(AT(&b)) : "memory");
	barrier state = barrier_arrive(&b);
	while (!barrier_done(&b, state))
		;
	out[t] = s[63 - t];
}

// The threads arrive, their copies do not: the barrier says nothing of them.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy use
// also: uninitialized shared use
__global__ void copies_do_not_arrive(const unsigned *in, unsigned *out)
{
	__shared__ barrier b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	__syncthreads();
	COPY(&s[t], &in[t]); // [copy]
	barrier state = barrier_arrive(&b);
	while (!barrier_done(&b, state))
		;
	out[t] = s[63 - t]; // [use]
}

// Asked once whether the phase is over, and gone on whatever the answer.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared put get
__global__ void phase_asked_once(const unsigned *in, unsigned *out)
{
	__shared__ barrier b;
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	if (t == 0)
		barrier_init(&b, 64);
	s[t] = 0;
	__syncthreads();
	s[t] = in[t]; // [put]
	barrier state = barrier_arrive(&b);
	unsigned done = barrier_done(&b, state);
	out[t] = s[63 - t] + done; // [get]
}

// One warp fills, the other uses; a barrier says full, another empty.
// launch: --grid 1 --block 64 --arg u32[128]:iota --arg u32[32]
// expect: clean
// result: 1: 192 196 200
__global__ void full_and_empty_clean(const unsigned *in, unsigned *out)
{
	__shared__ barrier full, empty;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	unsigned sum = 0;
	if (t == 0) {
		barrier_init(&full, 64);
		barrier_init(&empty, 64);
	}
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		if (t < 32)
			s[lane] = in[k * 32 + lane];
		barrier state = barrier_arrive(&full);
		while (!barrier_done(&full, state))
			;
		if (t >= 32)
			sum += s[lane];
		state = barrier_arrive(&empty);
		while (!barrier_done(&empty, state))
			;
	}
	if (t >= 32)
		out[lane] = sum;
}

// Filled again without waiting for empty.
// launch: --grid 1 --block 64 --arg u32[128]:iota --arg u32[32]
// expect: race shared fill use
__global__ void full_alone(const unsigned *in, unsigned *out)
{
	__shared__ barrier full;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	unsigned sum = 0;
	if (t == 0)
		barrier_init(&full, 64);
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		if (t < 32)
			s[lane] = in[k * 32 + lane]; // [fill]
		barrier state = barrier_arrive(&full);
		while (!barrier_done(&full, state))
			;
		if (t >= 32)
			sum += s[lane]; // [use]
	}
	if (t >= 32)
		out[lane] = sum;
}

// A thread that waits for a phase late uses what was stored for the next one, at which its maker has arrived and another has not.
// launch: --grid 1 --block 96 --arg u32[64]:iota --arg u32[32]
// expect: race shared second use
__global__ void next_phase_used(const unsigned *in, unsigned *out)
{
	__shared__ barrier full;
	__shared__ unsigned s[64];
	int t = threadIdx.x, lane = t % 32;
	if (t == 0)
		barrier_init(&full, 64);
	s[t % 64] = 0;
	__syncthreads();
	if (t < 32) {
		s[lane] = in[lane];
		barrier_arrive(&full);
		while (!phase_done(&full, 0))
			;
		s[32 + lane] = in[32 + lane]; // [second]
		barrier_arrive(&full);
	} else if (t < 64) {
		barrier_arrive(&full);
	} else {
		while (!phase_done(&full, 0))
			;
		out[lane] = s[lane] + s[63 - lane]; // [use]
	}
}

// launch: --grid 1 --block 96 --arg u32[64]:iota --arg u32[32]
// expect: clean
// result: 1: 63 63 63
__global__ void next_phase_used_clean(const unsigned *in, unsigned *out)
{
	__shared__ barrier full;
	__shared__ unsigned s[64];
	int t = threadIdx.x, lane = t % 32;
	if (t == 0)
		barrier_init(&full, 64);
	s[t % 64] = 0;
	__syncthreads();
	if (t < 32) {
		s[lane] = in[lane];
		barrier_arrive(&full);
		while (!phase_done(&full, 0))
			;
		s[32 + lane] = in[32 + lane];
		barrier_arrive(&full);
	} else {
		if (t < 64)
			barrier_arrive(&full);
		while (!phase_done(&full, 0))
			;
		if (t < 64)
			barrier_arrive(&full);
		while (!phase_done(&full, 1))
			;
		if (t >= 64)
			out[lane] = s[lane] + s[63 - lane];
	}
}

// Who waits tells nobody that it has: the maker looks at the barrier again and stores again.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: race shared again use
__global__ void waiting_tells_nothing(const unsigned *in, unsigned *out)
{
	__shared__ barrier full;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	if (t == 0)
		barrier_init(&full, 32);
	__syncthreads();
	if (t < 32) {
		s[31 - lane] = in[lane];
		barrier_arrive(&full);
	}
	while (!phase_done(&full, 0))
		;
	if (t >= 32) {
		out[lane] = s[lane]; // [use]
		phase_done(&full, 0);
	} else {
		phase_done(&full, 0);
		s[31 - lane] = in[lane] + 1; // [again]
	}
}

// The user arrives at a barrier of its own when it is done.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 31 30 29
__global__ void waiting_tells_nothing_clean(const unsigned *in, unsigned *out)
{
	__shared__ barrier full, empty;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	if (t == 0) {
		barrier_init(&full, 32);
		barrier_init(&empty, 32);
	}
	__syncthreads();
	if (t < 32) {
		s[31 - lane] = in[lane];
		barrier_arrive(&full);
	}
	while (!phase_done(&full, 0))
		;
	if (t >= 32) {
		out[lane] = s[lane];
		barrier_arrive(&empty);
	} else {
		while (!phase_done(&empty, 0))
			;
		s[31 - lane] = in[lane] + 1;
	}
}

// Asked in vain for the second phase: that tells nothing of the first one either.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: race shared put get
__global__ void later_phase_asked_once(const unsigned *in, unsigned *out)
{
	__shared__ barrier full;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	if (t == 0)
		barrier_init(&full, 32);
	s[lane] = 0;
	__syncthreads();
	if (t < 32) {
		s[31 - lane] = in[lane]; // [put]
		barrier_arrive(&full);
	} else {
		unsigned done = phase_done(&full, 1);
		out[lane] = s[lane] + done; // [get]
	}
}

// Full and empty, told apart by parity: no thread arrives where it waits.
// launch: --grid 1 --block 64 --arg u32[128]:iota --arg u32[32]
// expect: clean
// result: 1: 192 196 200
__global__ void parities_clean(const unsigned *in, unsigned *out)
{
	__shared__ barrier full, empty;
	__shared__ unsigned s[32];
	int t = threadIdx.x, lane = t % 32;
	unsigned sum = 0;
	if (t == 0) {
		barrier_init(&full, 32);
		barrier_init(&empty, 32);
	}
	__syncthreads();
	for (int k = 0; k < 4; k++) {
		if (t < 32) {
			while (!phase_done(&empty, ~k & 1))
				;
			s[lane] = in[k * 32 + lane];
			barrier_arrive(&full);
		} else {
			while (!phase_done(&full, k & 1))
				;
			sum += s[lane];
			barrier_arrive(&empty);
		}
	}
	if (t >= 32)
		out[lane] = sum;
}

// The copy's own thread stores where the copy still writes: the copy is done by no thread in particular until it is waited for.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: race shared copy store
__global__ void stored_over_a_copy(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]); // [copy]
	s[t] = 5; // [store]
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = s[t];
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 5 5 5
__global__ void stored_after_a_copy_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	asm volatile("cp.async.wait_all;" ::: "memory");
	s[t] = 5;
	out[t] = s[t];
}

// What a copy reads is stored to before it is waited for.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: race global copy store
__global__ void source_stored_to(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]); // [copy]
	in[t] = 5; // [store]
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = s[t];
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 0 1 2
__global__ void source_stored_to_clean(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	asm volatile("cp.async.wait_all;" ::: "memory");
	in[t] = 5;
	out[t] = s[t];
}

// The other warp changes what the copies read; a barrier says that they have begun, not that they are done.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: race global copy store
__global__ void source_stored_to_by_others(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32)
		COPY(&s[t], &in[t]); // [copy]
	__syncthreads();
	if (t < 32) {
		asm volatile("cp.async.wait_all;" ::: "memory");
		out[t] = s[t];
	} else {
		in[t - 32] = 5; // [store]
	}
}

// The same, and the copies are waited for after a second barrier.
// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: race global copy store
__global__ void source_stored_to_between(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32)
		COPY(&s[t], &in[t]); // [copy]
	__syncthreads();
	if (t >= 32)
		in[t - 32] = 5; // [store]
	__syncthreads();
	if (t < 32) {
		asm volatile("cp.async.wait_all;" ::: "memory");
		out[t] = s[t];
	}
}

// launch: --grid 1 --block 64 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 0 1 2
__global__ void source_stored_to_by_others_clean(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[32];
	int t = threadIdx.x;
	if (t < 32) {
		COPY(&s[t], &in[t]);
		asm volatile("cp.async.wait_all;" ::: "memory");
		out[t] = s[t];
	}
	__syncthreads();
	if (t >= 32)
		in[t - 32] = 5;
}

// Of two groups the older one is waited for: its source may be changed, the other's not.
// launch: --grid 1 --block 32 --arg u32[64]:iota --arg u32[32]
// expect: clean
// result: 1: 32 34 36
__global__ void older_source_stored_to_clean(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	asm volatile("cp.async.commit_group;" ::: "memory");
	COPY(&s[32 + t], &in[32 + t]);
	asm volatile("cp.async.commit_group;" ::: "memory");
	asm volatile("cp.async.wait_group 1;" ::: "memory");
	in[t] = 5;
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = s[t] + s[32 + t];
}

// launch: --grid 1 --block 32 --arg u32[64]:iota --arg u32[32]
// expect: race global younger store
__global__ void younger_source_stored_to(unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	COPY(&s[t], &in[t]);
	asm volatile("cp.async.commit_group;" ::: "memory");
	COPY(&s[32 + t], &in[32 + t]); // [younger]
	asm volatile("cp.async.commit_group;" ::: "memory");
	asm volatile("cp.async.wait_group 1;" ::: "memory");
	in[32 + t] = 5; // [store]
	asm volatile("cp.async.wait_all;" ::: "memory");
	out[t] = s[t] + s[32 + t];
}
