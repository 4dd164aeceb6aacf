// Bulk copies and other operations that no thread does: from where they begin until they are waited for, what they write is theirs,
// and what they read nobody may write.
// needs: sm_90, PTX 8.1
#include "simt.h"

typedef unsigned long long barrier;

#define PAIR __cluster_dims__(2, 1, 1)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ __forceinline__ void barrier_init(barrier *b, unsigned count)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(AT(b)), "r"(count) : "memory");
}

__device__ __forceinline__ void barrier_expect(barrier *b, unsigned bytes)
{
	asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" :: "r"(AT(b)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_wait(barrier *b, unsigned parity)
{
	unsigned done;
	do
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
			: "=r"(done) : "r"(AT(b)), "r"(parity) : "memory");
	while (!done);
}

#define BULK_LOAD(to, from, bytes, b) \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
		:: "r"(AT(to)), "l"(from), "r"(bytes), "r"(AT(b)) : "memory")
#define BULK_STORE(to, from, bytes) \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" :: "l"(to), "r"(AT(from)), "r"(bytes) : "memory")
#define BULK_ADD(to, from, bytes) \
	asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" \
		:: "l"(to), "r"(AT(from)), "r"(bytes) : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define BULK_WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async;" ::: "memory")
#define CLUSTER_SYNC() \
	asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" : : : "memory")

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void load_waited_clean(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		PROXY_FENCE();
	}
	__syncthreads();
	if (t == 0) {
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b);
	}
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// The first warp waits, the other one does not.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy use
__global__ void load_waited_by_some(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		PROXY_FENCE();
	}
	__syncthreads();
	if (t == 0) {
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	if (t < 32)
		barrier_wait(&b, 0);
	out[t] = s[63 - t]; // [use]
}

// All look at what the copy writes, then they meet at a barrier, then it is waited for.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy use
__global__ void load_waited_late(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = 0;
	if (t == 0)
		barrier_init(&b, 1);
	PROXY_FENCE();
	__syncthreads();
	if (t == 0) {
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	unsigned early = s[63 - t]; // [use]
	__syncthreads();
	barrier_wait(&b, 0);
	out[t] = early;
}

// Its own thread stores where the copy writes.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: race shared copy store
__global__ void load_stored_over(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[32];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		PROXY_FENCE();
		barrier_expect(&b, 128);
		BULK_LOAD(s, in, 128, &b); // [copy]
		s[3] = 7; // [store]
	}
	__syncwarp();
	barrier_wait(&b, 0);
	out[t] = s[t];
}

// The copy goes where others may still be reading; that they meet before it is waited for is too late.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared copy use
__global__ void load_over_readers(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = t;
	if (t == 32)
		barrier_init(&b, 1);
	PROXY_FENCE();
	__syncthreads();
	unsigned sum = s[63 - t]; // [use]
	if (t == 32) {
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	__syncthreads();
	barrier_wait(&b, 0);
	out[t] = sum + s[63 - t];
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 126 124 122
__global__ void load_over_readers_clean(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = t;
	if (t == 32)
		barrier_init(&b, 1);
	PROXY_FENCE();
	__syncthreads();
	unsigned sum = s[63 - t];
	PROXY_FENCE();
	__syncthreads();
	if (t == 32) {
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b);
	}
	barrier_wait(&b, 0);
	out[t] = sum + s[63 - t];
}

// Another thread changes what the copy reads; a barrier says that it has begun, not that it is done.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race global copy store
__global__ void load_source_stored_to(unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		PROXY_FENCE();
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	__syncthreads();
	if (t == 40)
		in[5] = 7; // [store]
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void load_source_stored_to_clean(unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		PROXY_FENCE();
		barrier_expect(&b, 256);
		BULK_LOAD(s, in, 256, &b);
	}
	__syncthreads();
	barrier_wait(&b, 0);
	if (t == 40)
		in[5] = 7;
	out[t] = s[63 - t];
}

// What is stored from is used again when it has been read: wait_group.read says so, and nothing of what is written.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[128]
// expect: clean
// result: 1: 0 1 2 3
__global__ void store_source_used_again_clean(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	int t = threadIdx.x;
	for (int k = 0; k < 2; k++) {
		s[t] = in[t] + k;
		PROXY_FENCE();
		__syncthreads();
		if (t == 0) {
			BULK_STORE(out + 64 * k, s, 256);
			BULK_COMMIT();
			BULK_WAIT_READ();
		}
		__syncthreads();
	}
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[128]
// expect: race shared store copy
__global__ void store_source_used_again(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	int t = threadIdx.x;
	for (int k = 0; k < 2; k++) {
		s[t] = in[t] + k; // [store]
		PROXY_FENCE();
		__syncthreads();
		if (t == 0) {
			BULK_STORE(out + 64 * k, s, 256); // [copy]
			BULK_COMMIT();
		}
		__syncthreads();
	}
	if (t == 0)
		BULK_WAIT();
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32] --arg u32[1]
// expect: clean
// result: 2: 7
__global__ void store_read_back_clean(const unsigned *in, unsigned *out, unsigned *seen)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_STORE(out, s, 128);
		BULK_COMMIT();
		BULK_WAIT();
		*seen = out[7];
	}
}

// That the source has been read does not say that the copy is written.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32] --arg u32[1]
// expect: race global copy use
__global__ void store_read_back(const unsigned *in, unsigned *out, unsigned *seen)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_STORE(out, s, 128); // [copy]
		BULK_COMMIT();
		BULK_WAIT_READ();
		*seen = out[7]; // [use]
		BULK_WAIT();
	}
}

// Atomic operations of both blocks, of one size; some by threads.
// launch: --grid 2 --block 32 --arg u32[32]
// expect: clean
// result: 0: 0 3 4 6
__global__ void sums_clean(unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128);
		BULK_COMMIT();
		if (blockIdx.x)
			atomicAdd(&sum[1], 1);
		BULK_WAIT();
	}
}

// One thread adds by a load and a store.
// launch: --grid 2 --block 32 --arg u32[32]
// expect: race global copy add
__global__ void sums_and_a_store(unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128); // [copy]
		BULK_COMMIT();
		BULK_WAIT();
	}
	if (blockIdx.x == 1 && t == 1)
		sum[1] += 1; // [add]
}

// Its own thread looks at the sum before it is waited for.
// launch: --grid 1 --block 32 --arg u32[32] --arg u32[1]
// expect: race global copy use
__global__ void sum_looked_at(unsigned *sum, unsigned *seen)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128); // [copy]
		BULK_COMMIT();
		*seen = sum[3]; // [use]
		BULK_WAIT();
	}
}

static __device__ __forceinline__ unsigned in_first(const void *p)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(AT(p)));
	return there;
}

#define RED_ASYNC(to, value, b) \
	asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" \
		:: "r"(to), "r"(value), "r"(b) : "memory")
#define ST_ASYNC(to, value, b) \
	asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" \
		:: "r"(to), "r"(value), "r"(b) : "memory")

// Both blocks add to a word of the first one, which waits for that.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: clean
// result: 0: 1056
PAIR
__global__ void cluster_sum_clean(unsigned *out)
{
	__shared__ unsigned sum;
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		sum = 0;
		barrier_init(&b, 1);
		barrier_expect(&b, 256);
	}
	CLUSTER_SYNC();
	RED_ASYNC(in_first(&sum), t + blockIdx.x * 2, in_first(&b));
	if (blockIdx.x == 0) {
		barrier_wait(&b, 0);
		if (t == 0)
			*out = sum;
	}
	CLUSTER_SYNC();
}

// Nobody waits: the cluster's barrier says nothing of what no thread does.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race shared add use
PAIR
__global__ void cluster_sum_not_waited(unsigned *out)
{
	__shared__ unsigned sum;
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		sum = 0;
		barrier_init(&b, 1);
		barrier_expect(&b, 256);
	}
	CLUSTER_SYNC();
	RED_ASYNC(in_first(&sum), t + blockIdx.x * 2, in_first(&b)); // [add]
	CLUSTER_SYNC();
	if (blockIdx.x == 0 && t == 0)
		*out = sum; // [use]
	CLUSTER_SYNC();
}

// A thread sets to 0 what others are adding to.
// launch: --grid 2 --block 32 --arg u32[1]
// expect: race shared clear add
PAIR
__global__ void cluster_sum_cleared(unsigned *out)
{
	__shared__ unsigned sum;
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		barrier_expect(&b, 256);
	}
	CLUSTER_SYNC();
	if (t == 0)
		sum = 0; // [clear]
	RED_ASYNC(in_first(&sum), t + blockIdx.x * 2, in_first(&b)); // [add]
	if (blockIdx.x == 0) {
		barrier_wait(&b, 0);
		if (t == 0)
			*out = sum;
	}
	CLUSTER_SYNC();
}

// A word for each thread of the second block.
// launch: --grid 2 --block 32 --arg u32[32]
// expect: clean
// result: 0: 31 30 29
PAIR
__global__ void cluster_message_clean(unsigned *out)
{
	__shared__ unsigned s[32];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		barrier_init(&b, 1);
		barrier_expect(&b, 128);
	}
	CLUSTER_SYNC();
	if (blockIdx.x == 1)
		ST_ASYNC(in_first(&s[t]), t, in_first(&b));
	if (blockIdx.x == 0) {
		barrier_wait(&b, 0);
		out[t] = s[31 - t];
	}
	CLUSTER_SYNC();
}

// launch: --grid 2 --block 32 --arg u32[32]
// expect: race shared send use
PAIR
__global__ void cluster_message_not_waited(unsigned *out)
{
	__shared__ unsigned s[32];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = 0;
	if (t == 0) {
		barrier_init(&b, 1);
		barrier_expect(&b, 128);
	}
	CLUSTER_SYNC();
	if (blockIdx.x == 1)
		ST_ASYNC(in_first(&s[t]), t, in_first(&b)); // [send]
	CLUSTER_SYNC();
	if (blockIdx.x == 0)
		out[t] = s[31 - t]; // [use]
	CLUSTER_SYNC();
}
