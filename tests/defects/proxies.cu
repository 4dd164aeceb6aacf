// What is atomic with bulk reductions and red.async, and where the asynchronous proxy needs a fence: PTX ISA, Memory Consistency Model,
// Proxies: accesses by different proxies are ordered where a proxy fence is on the way from one to the other. What an operation's
// completion tells of needs none, and neither does what an asynchronous operation did before another.
// needs: sm_90, PTX 8.1
#include "simt.h"

typedef unsigned long long barrier;

#define PAIR __cluster_dims__(2, 1, 1)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define BARRIER_INIT(b, n) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(b)), "r"(n) : "memory")
#define BARRIER_EXPECT(b, bytes) \
	asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(AT(b)), "r"(bytes) : "memory")
#define BULK_LOAD(to, from, bytes, b) \
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)), \
		     "l"(from), "r"(bytes), "r"(AT(b)) \
		     : "memory")
#define BULK_STORE(to, from, bytes) \
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(AT(from)), "r"(bytes) : "memory")
#define BULK_ADD(to, from, bytes) \
	asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(to), "r"(AT(from)), \
		     "r"(bytes) \
		     : "memory")
#define ADD_FAR(to, b) \
	asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], 1, [%1];" ::"r"(to), \
		     "r"(b) \
		     : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async;" ::: "memory")
#define CLUSTER_SYNC() asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" : : : "memory")

static __device__ __forceinline__ void barrier_wait(barrier *b, unsigned parity)
{
	unsigned done;
	do
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(AT(b)), "r"(parity)
			     : "memory");
	while (!done);
}

static __device__ __forceinline__ unsigned in_block(const void *p, unsigned rank)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(AT(p)), "r"(rank));
	return there;
}

// --- what is atomic with what -------------------------------------------------------------------------------------------

// A bulk reduction by words, and an atomic operation on two of them at once, while it may be under way.
// launch: --grid 1 --block 32 --arg u64[16]
// expect: race global copy add
__global__ void sum_of_other_size(unsigned long long *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128); // [copy]
		BULK_COMMIT();
		atomicAdd(&sum[1], 1); // [add]
		BULK_WAIT();
	}
}

// After it has been waited for they are ordered.
// launch: --grid 1 --block 32 --arg u64[16]
// expect: clean
__global__ void sum_of_other_size_later(unsigned long long *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128);
		BULK_COMMIT();
		BULK_WAIT();
		atomicAdd(&sum[1], 1);
	}
}

// red.async has the scope of the cluster, and so has the other side.
// launch: --grid 2 --block 32 --arg u32[64]
// expect: clean
// result: 0: 64
PAIR
__global__ void far_sum(unsigned *out)
{
	__shared__ unsigned sum;
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x;
	if (t == 0) {
		BARRIER_INIT(&b, 1);
		BARRIER_EXPECT(&b, 128);
		sum = 0;
	}
	CLUSTER_SYNC();
	if (rank == 1)
		ADD_FAR(in_block(&sum, 0), in_block(&b, 0));
	else {
		asm volatile("red.relaxed.cluster.shared::cta.add.u32 [%0], 1;" ::"r"(AT(&sum)) : "memory");
		__syncwarp();
		barrier_wait(&b, 0);
		out[t] = sum;
	}
	CLUSTER_SYNC();
}

// The scope of one side is its block.
// launch: --grid 2 --block 32 --arg u32[64]
// expect: race shared far near
PAIR
__global__ void far_sum_narrow(unsigned *out)
{
	__shared__ unsigned sum;
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x;
	if (t == 0) {
		BARRIER_INIT(&b, 1);
		BARRIER_EXPECT(&b, 128);
		sum = 0;
	}
	CLUSTER_SYNC();
	if (rank == 1)
		ADD_FAR(in_block(&sum, 0), in_block(&b, 0)); // [far]
	else {
		asm volatile("red.relaxed.cta.shared::cta.add.u32 [%0], 1;" ::"r"(AT(&sum)) : "memory"); // [near]
		__syncwarp();
		barrier_wait(&b, 0);
		out[t] = sum;
	}
	CLUSTER_SYNC();
}

// Blocks add to one sum: some by a bulk reduction, whose scope is the GPU, some by atomic operations of that scope.
// launch: --grid 2 --block 32 --arg u32[32]
// expect: clean
// result: 0: 1 2 3
__global__ void sums_of_blocks(unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (blockIdx.x) {
		asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(sum + t) : "memory");
	} else if (t == 0) {
		BULK_ADD(sum, s, 128);
		BULK_COMMIT();
		BULK_WAIT();
	}
}

// launch: --grid 2 --block 32 --arg u32[32]
// expect: race global copy add
__global__ void sums_of_blocks_narrow(unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = t;
	PROXY_FENCE();
	__syncwarp();
	if (blockIdx.x) {
		asm volatile("red.relaxed.cta.global.add.u32 [%0], 1;" ::"l"(sum + t) : "memory"); // [add]
	} else if (t == 0) {
		BULK_ADD(sum, s, 128); // [copy]
		BULK_COMMIT();
		BULK_WAIT();
	}
}

// --- where a proxy fence is needed --------------------------------------------------------------------------------------

// Cleared by stores, then loaded over: two writes by two proxies.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared clear copy
__global__ void cleared_and_loaded(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = in[t]; // [clear]
	if (t == 0)
		BARRIER_INIT(&b, 1);
	__syncthreads();
	if (t == 0) {
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void cleared_fenced_and_loaded(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	s[t] = in[t];
	PROXY_FENCE();
	if (t == 0)
		BARRIER_INIT(&b, 1);
	__syncthreads();
	if (t == 0) {
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, in, 256, &b);
	}
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// What a copy reads of global memory was stored by the same kernel.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race global make copy
__global__ void made_and_loaded(unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	in[t] += 100; // [make]
	if (t == 0)
		BARRIER_INIT(&b, 1);
	__syncthreads();
	if (t == 0) {
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, in, 256, &b); // [copy]
	}
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// A fence of the thread that begins the copy will do, after the barrier.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 163 162 161
__global__ void made_fenced_and_loaded(unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	in[t] += 100;
	if (t == 0)
		BARRIER_INIT(&b, 1);
	__syncthreads();
	if (t == 0) {
		PROXY_FENCE();
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, in, 256, &b);
	}
	barrier_wait(&b, 0);
	out[t] = s[63 - t];
}

// The fence comes before the stores.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared make copy
__global__ void fenced_too_early(const unsigned *in, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	int t = threadIdx.x;
	PROXY_FENCE();
	s[t] = in[t]; // [make]
	__syncthreads();
	if (t == 0) {
		BULK_STORE(out, s, 256); // [copy]
		BULK_COMMIT();
		BULK_WAIT();
	}
}

// Global memory is cleared, and a bulk reduction adds to it.
// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: race global clear copy
__global__ void cleared_and_added(const unsigned *in, unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	PROXY_FENCE();
	__syncwarp();
	sum[t] = in[31 - t]; // [clear]
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128); // [copy]
		BULK_COMMIT();
		BULK_WAIT();
	}
}

// launch: --grid 1 --block 32 --arg u32[32]:iota --arg u32[32]
// expect: clean
// result: 1: 31 31 31
__global__ void cleared_fenced_and_added(const unsigned *in, unsigned *sum)
{
	__shared__ __align__(16) unsigned s[32];
	int t = threadIdx.x;
	s[t] = in[t];
	sum[t] = in[31 - t];
	PROXY_FENCE();
	__syncwarp();
	if (t == 0) {
		BULK_ADD(sum, s, 128);
		BULK_COMMIT();
		BULK_WAIT();
	}
}

// From copy to copy, and from a copy's end to a load, no fence is needed: loaded, stored elsewhere, loaded from there, read.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64] --arg u32[64]
// expect: clean
// result: 2: 63 62 61
__global__ void from_copy_to_copy(const unsigned *in, unsigned *between, unsigned *out)
{
	__shared__ __align__(16) unsigned s[64];
	__shared__ barrier b;
	int t = threadIdx.x;
	if (t == 0) {
		BARRIER_INIT(&b, 1);
		PROXY_FENCE();
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, in, 256, &b);
		barrier_wait(&b, 0);
		BULK_STORE(between, s, 256);
		BULK_COMMIT();
		BULK_WAIT();
		BARRIER_EXPECT(&b, 256);
		BULK_LOAD(s, between, 256, &b);
	}
	__syncthreads();
	barrier_wait(&b, 1);
	out[t] = s[63 - t];
}
