// The scope .cluster: PTX ISA, Memory Consistency Model: two operations are morally strong only where each one's scope has the other's
// thread. That of the cluster has the blocks of one's own cluster, no others. In these launches blocks 0 and 1 are a cluster, and
// blocks 2 and 3 another.
// needs: sm_90, PTX 8.6
#include "simt.h"

#define PAIR __cluster_dims__(2, 1, 1)
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

typedef unsigned long long barrier;

static __device__ __forceinline__ unsigned in_block(const void *p, unsigned rank)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(AT(p)), "r"(rank));
	return there;
}

#define SET(how, flag) asm volatile("st." how ".global.u32 [%0], 1;" ::"l"(flag) : "memory")
#define POLL(how, flag, seen) \
	do \
		asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); \
	while (!seen)
#define ADD(how, old, counter) \
	asm volatile("atom." how ".global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(counter) : "memory")
#define FENCE(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")
#define CLUSTER_ARRIVE(how) asm volatile("barrier.cluster.arrive" how ".aligned;" ::: "memory")
#define CLUSTER_WAIT() asm volatile("barrier.cluster.wait.aligned;" ::: "memory")
#define CLUSTER_SYNC() \
	do { \
		CLUSTER_ARRIVE(""); \
		CLUSTER_WAIT(); \
	} while (0)
#define BARRIER_INIT(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(b)), "r"(n) : "memory")
#define BARRIER_ARRIVE(how, at) asm volatile("mbarrier.arrive" how ".shared::cluster.b64 _, [%0];" ::"r"(at) : "memory")
#define BARRIER_WAIT(how, b) \
	do \
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity" how \
			     ".shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" \
			     : "=r"(done) \
			     : "r"(AT(b)) \
			     : "memory"); \
	while (!done)
#define STORE_FAR(address, value) asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory")

// --- flags in global memory ---------------------------------------------------------------------------------------------

// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: clean
PAIR
__global__ void flag_in_cluster(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100;
		__syncwarp();
		if (t == 0)
			SET("release.cluster", flag);
	} else if (blockIdx.x == 1) {
		POLL("acquire.cluster", flag, seen);
		out[t] = data[t];
	}
}

// The reader is in another cluster: neither do the two synchronize, nor are the accesses to the flag morally strong.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
// expect: race global set poll
PAIR
__global__ void flag_between_clusters(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100; // [make]
		__syncwarp();
		if (t == 0)
			SET("release.cluster", flag); // [set]
	} else if (blockIdx.x == 2) {
		POLL("acquire.cluster", flag, seen); // [poll]
		out[t] = data[t]; // [take]
	}
}

// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: clean
PAIR
__global__ void flag_gpu_between_clusters(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100;
		__syncwarp();
		if (t == 0)
			SET("release.gpu", flag);
	} else if (blockIdx.x == 2) {
		POLL("acquire.gpu", flag, seen);
		out[t] = data[t];
	}
}

// The scope of the reader is too narrow, that of the writer would do.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
// expect: race global set poll
PAIR
__global__ void flag_read_narrow(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100; // [make]
		__syncwarp();
		if (t == 0)
			SET("release.gpu", flag); // [set]
	} else if (blockIdx.x == 2) {
		POLL("acquire.cluster", flag, seen); // [poll]
		out[t] = data[t]; // [take]
	}
}

// The scope of the writer is too narrow, that of the reader would do.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
// expect: race global set poll
PAIR
__global__ void flag_written_narrow(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100; // [make]
		__syncwarp();
		if (t == 0)
			SET("release.cluster", flag); // [set]
	} else if (blockIdx.x == 3) {
		POLL("acquire.gpu", flag, seen); // [poll]
		out[t] = data[t]; // [take]
	}
}

// Scopes differ, and each has the other's thread.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: clean
PAIR
__global__ void flag_scopes_differ(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 2) {
		data[t] += 100;
		__syncwarp();
		if (t == 0)
			SET("release.cluster", flag);
	} else if (blockIdx.x == 3) {
		POLL("acquire.gpu", flag, seen);
		out[t] = data[t];
	}
}

// The same with .cta on one side.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
// expect: race global set poll
PAIR
__global__ void flag_of_block(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 2) {
		data[t] += 100; // [make]
		__syncwarp();
		if (t == 0)
			SET("release.cta", flag); // [set]
	} else if (blockIdx.x == 3) {
		POLL("acquire.cluster", flag, seen); // [poll]
		out[t] = data[t]; // [take]
	}
}

// --- fences -------------------------------------------------------------------------------------------------------------

// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: clean
PAIR
__global__ void fence_in_cluster(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100;
		__syncwarp();
		FENCE("cluster");
		if (t == 0)
			SET("relaxed.gpu", flag);
	} else if (blockIdx.x == 1) {
		POLL("relaxed.gpu", flag, seen);
		FENCE("cluster");
		out[t] = data[t];
	}
}

// The flag is seen by all, but the writer's fence does not reach the reader.
// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
PAIR
__global__ void fence_of_writer_narrow(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100; // [make]
		__syncwarp();
		FENCE("cluster");
		if (t == 0)
			SET("relaxed.gpu", flag);
	} else if (blockIdx.x == 2) {
		POLL("relaxed.gpu", flag, seen);
		FENCE("gpu");
		out[t] = data[t]; // [take]
	}
}

// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: race global make take
PAIR
__global__ void fence_of_reader_narrow(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100; // [make]
		__syncwarp();
		FENCE("gpu");
		if (t == 0)
			SET("relaxed.gpu", flag);
	} else if (blockIdx.x == 2) {
		POLL("relaxed.gpu", flag, seen);
		FENCE("cluster");
		out[t] = data[t]; // [take]
	}
}

// launch: --grid 4 --block 32 --arg u32[32]:iota --arg u32[64] --arg u32[4]
// expect: clean
PAIR
__global__ void fence_gpu(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0) {
		data[t] += 100;
		__syncwarp();
		FENCE("gpu");
		if (t == 0)
			SET("relaxed.gpu", flag);
	} else if (blockIdx.x == 2) {
		POLL("relaxed.gpu", flag, seen);
		FENCE("gpu");
		out[t] = data[t];
	}
}

// --- atomic operations --------------------------------------------------------------------------------------------------

// A counter of each cluster.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[128]
// expect: clean
// result: 0: 64 64
PAIR
__global__ void counter_of_cluster(unsigned *counters, unsigned *out)
{
	unsigned old;
	ADD("relaxed.cluster", old, &counters[blockIdx.x / 2]);
	out[blockIdx.x * 32 + threadIdx.x] = old;
}

// One counter of all.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[128]
// expect: race global add add
PAIR
__global__ void counter_of_all(unsigned *counters, unsigned *out)
{
	unsigned old;
	ADD("relaxed.cluster", old, counters); // [add]
	out[blockIdx.x * 32 + threadIdx.x] = old;
}

// One counter of all, by atomic operations of scope .gpu.
// launch: --grid 4 --block 32 --arg u32[2] --arg u32[128]
// expect: clean
// result: 0: 128
PAIR
__global__ void counter_gpu(unsigned *counters, unsigned *out)
{
	unsigned old;
	ADD("relaxed.gpu", old, counters);
	out[blockIdx.x * 32 + threadIdx.x] = old;
}

// The last block of a cluster sums what its blocks made.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[2] --arg u32[2]
// expect: clean
// result: 2: 2080 6176
PAIR
__global__ void last_of_cluster(unsigned *data, unsigned *tickets, unsigned *out)
{
	__shared__ unsigned ticket;
	unsigned t = threadIdx.x, cluster = blockIdx.x / 2, sum = 0;
	data[blockIdx.x * 32 + t] += 1;
	__syncwarp();
	if (t == 0)
		ADD("acq_rel.cluster", ticket, &tickets[cluster]);
	__syncwarp();
	if (ticket == 1 && t == 0) {
		for (unsigned i = 0; i < 64; i++)
			sum += data[cluster * 64 + i];
		out[cluster] = sum;
	}
}

// The last block of all, by a ticket whose scope is the cluster.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[2] --arg u32[2]
// expect: race global make take
// expect: race global ticket ticket
PAIR
__global__ void last_of_all(unsigned *data, unsigned *tickets, unsigned *out)
{
	__shared__ unsigned ticket;
	unsigned t = threadIdx.x, sum = 0;
	data[blockIdx.x * 32 + t] += 1; // [make]
	__syncwarp();
	if (t == 0)
		ADD("acq_rel.cluster", ticket, tickets); // [ticket]
	__syncwarp();
	if (ticket == 3 && t == 0) {
		for (unsigned i = 0; i < 128; i++)
			sum += data[i]; // [take]
		out[0] = sum;
	}
}

// --- the barrier of a cluster -------------------------------------------------------------------------------------------

// It orders nothing between clusters.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[128]
// expect: race global make take
PAIR
__global__ void barrier_between_clusters(unsigned *data, unsigned *out)
{
	unsigned t = threadIdx.x;
	data[blockIdx.x * 32 + t] += 100; // [make]
	CLUSTER_SYNC();
	out[blockIdx.x * 32 + t] = data[(blockIdx.x ^ 2) * 32 + t]; // [take]
}

// What a block of the cluster made is known after the barrier, and is handed on by a flag that reaches all.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[32] --arg u32[1]
// expect: clean
PAIR
__global__ void handed_on(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0)
		data[t] += 100;
	CLUSTER_SYNC();
	if (blockIdx.x == 1 && t == 0)
		SET("release.gpu", flag);
	if (blockIdx.x == 3) {
		POLL("acquire.gpu", flag, seen);
		out[t] = data[t];
	}
}

// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[32] --arg u32[1]
// expect: race global make take
PAIR
__global__ void handed_on_relaxed(unsigned *data, unsigned *out, unsigned *flag)
{
	unsigned t = threadIdx.x, seen;
	if (blockIdx.x == 0)
		data[t] += 100; // [make]
	CLUSTER_SYNC();
	if (blockIdx.x == 1 && t == 0)
		SET("relaxed.gpu", flag);
	if (blockIdx.x == 3) {
		POLL("acquire.gpu", flag, seen);
		out[t] = data[t]; // [take]
	}
}

// A relaxed arrival after a fence: PTX ISA, barrier.cluster.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[128]
// expect: clean
PAIR
__global__ void relaxed_after_fence(unsigned *data, unsigned *out)
{
	unsigned t = threadIdx.x;
	data[blockIdx.x * 32 + t] += 100;
	FENCE("cluster");
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	out[blockIdx.x * 32 + t] = data[(blockIdx.x ^ 1) * 32 + t];
}

// The fence does not reach the other block.
// launch: --grid 4 --block 32 --arg u32[128]:iota --arg u32[128]
// expect: race global make take
PAIR
__global__ void relaxed_after_fence_of_block(unsigned *data, unsigned *out)
{
	unsigned t = threadIdx.x;
	data[blockIdx.x * 32 + t] += 100; // [make]
	FENCE("cta");
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	out[blockIdx.x * 32 + t] = data[(blockIdx.x ^ 1) * 32 + t]; // [take]
}

// --- mbarriers ----------------------------------------------------------------------------------------------------------

// The blocks of a cluster know an mbarrier by its fence and a relaxed arrival, as CUTLASS has it.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: clean
// result: 1: 32 33 34
PAIR
__global__ void arrive_far(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0) {
		BARRIER_INIT(&b, 32);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncwarp();
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]);
	BARRIER_ARRIVE(".release.cluster", in_block(&b, rank ^ 1));
	BARRIER_WAIT(".acquire.cluster", &b);
	out[blockIdx.x * 32 + t] = data[t];
	CLUSTER_SYNC();
}

// Without its fence the mbarrier may not be there yet.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared init arrive
PAIR
__global__ void arrive_far_unfenced(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 32); // [init]
	__syncwarp();
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]);
	BARRIER_ARRIVE(".release.cluster", in_block(&b, rank ^ 1)); // [arrive]
	BARRIER_WAIT(".acquire.cluster", &b);
	out[blockIdx.x * 32 + t] = data[t];
	CLUSTER_SYNC();
}

// That fence is for mbarriers, not for what else its thread stored.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared make take
PAIR
__global__ void fenced_as_mbarrier(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, value;
	if (t == 0) {
		data = in[rank]; // [make]
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncwarp();
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(in_block(&data, rank ^ 1)) : "memory"); // [take]
	out[blockIdx.x * 32 + t] = value;
	CLUSTER_SYNC();
}

// Nor for what other threads stored, of which it knows by a barrier of its block.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared make take
PAIR
__global__ void fenced_for_others(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, value;
	data[t] = in[rank * 32 + t]; // [make]
	__syncthreads();
	if (t == 0) {
		BARRIER_INIT(&b, 32);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncwarp();
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(in_block(&data[t], rank ^ 1)) : "memory"); // [take]
	out[blockIdx.x * 32 + t] = value;
	CLUSTER_SYNC();
}

// A fence of all there is before it keeps what it has made known, whatever is made after it.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: clean
// result: 1: 32 33 34
PAIR
__global__ void fenced_twice(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, value;
	data[t] = in[rank * 32 + t];
	FENCE("cluster");
	if (t == 0) {
		BARRIER_INIT(&b, 32);
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncwarp();
	CLUSTER_ARRIVE(".relaxed");
	CLUSTER_WAIT();
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(in_block(&data[t], rank ^ 1)) : "memory");
	out[blockIdx.x * 32 + t] = value;
	CLUSTER_SYNC();
}

// Neither scope is written, as in CUTLASS, which arrives so at another block's mbarrier: by the letter of the manual both are .cta.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: clean
// result: 1: 32 33 34
PAIR
__global__ void arrive_far_default(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 32);
	CLUSTER_SYNC();
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]);
	BARRIER_ARRIVE("", in_block(&b, rank ^ 1));
	BARRIER_WAIT("", &b);
	out[blockIdx.x * 32 + t] = data[t];
	CLUSTER_SYNC();
}

// The arrival says that it is for its own block, and goes to another.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared make take
PAIR
__global__ void arrive_far_narrow(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 32);
	CLUSTER_SYNC();
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]); // [make]
	BARRIER_ARRIVE(".release.cta", in_block(&b, rank ^ 1));
	BARRIER_WAIT(".acquire.cluster", &b);
	out[blockIdx.x * 32 + t] = data[t]; // [take]
	CLUSTER_SYNC();
}

// The wait says that it hears its own block alone.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared make take
PAIR
__global__ void wait_far_narrow(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 32);
	CLUSTER_SYNC();
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]); // [make]
	BARRIER_ARRIVE(".release.cluster", in_block(&b, rank ^ 1));
	BARRIER_WAIT(".acquire.cta", &b);
	out[blockIdx.x * 32 + t] = data[t]; // [take]
	CLUSTER_SYNC();
}

// Half of the arrivals come from the own block, of its scope, the others from the other block.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: clean
// result: 1: 63 63 63
PAIR
__global__ void arrive_near_and_far(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32], own[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 64);
	CLUSTER_SYNC();
	own[t] = in[t];
	BARRIER_ARRIVE(".release.cta", AT(&b));
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]);
	BARRIER_ARRIVE(".release.cluster", in_block(&b, rank ^ 1));
	BARRIER_WAIT(".acquire.cluster", &b);
	out[blockIdx.x * 32 + t] = rank ? 63 : data[t] + own[31 - t];
	CLUSTER_SYNC();
}

// Those of the own block are relaxed.
// launch: --grid 4 --block 32 --arg u32[64]:iota --arg u32[128]
// expect: race shared make take
PAIR
__global__ void arrive_near_relaxed(const unsigned *in, unsigned *out)
{
	__shared__ unsigned data[32], own[32];
	__shared__ barrier b;
	unsigned t = threadIdx.x, rank = blockIdx.x % 2, done;
	if (t == 0)
		BARRIER_INIT(&b, 64);
	CLUSTER_SYNC();
	own[t] = in[t]; // [make]
	asm volatile("{ .reg .b64 s; mbarrier.arrive.relaxed.cta.shared::cta.b64 s, [%0]; }" ::"r"(AT(&b)) : "memory");
	STORE_FAR(in_block(&data[t], rank ^ 1), in[rank * 32 + t]);
	BARRIER_ARRIVE(".release.cluster", in_block(&b, rank ^ 1));
	BARRIER_WAIT(".acquire.cluster", &b);
	out[blockIdx.x * 32 + t] = data[t] + own[31 - t]; // [take]
	CLUSTER_SYNC();
}
