// Blocks of a cluster that use each other's shared memory. What orders them is the cluster's barrier, or strong accesses whose scope
// is the cluster or wider. A block has to stay until nobody uses its shared memory any more.
// needs: sm_90, PTX 8.0
#include "simt.h"

#define PAIR __cluster_dims__(2, 1, 1)

static __device__ __forceinline__ unsigned cluster_rank()
{
	unsigned rank;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

// The same shared variable in another block.
static __device__ __forceinline__ unsigned in_block(const void *p, unsigned rank)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_address(p)), "r"(rank));
	return there;
}

#define LOAD_FAR(value, address) asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory")
#define STORE_FAR(address, value) asm volatile("st.shared::cluster.u32 [%0], %1;" : : "r"(address), "r"(value) : "memory")
#define CLUSTER_SYNC() \
	asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" : : : "memory")

// Each block takes what the other one made.
// launch: --grid 4 --block 64 --arg u32[256]
// expect: clean
// result: 0: 1064 1065 1066
PAIR
__global__ void cluster_exchange(unsigned *out)
{
	__shared__ unsigned s[64];
	unsigned t = threadIdx.x, value;
	s[t] = 1000 + blockIdx.x * 64 + t;
	CLUSTER_SYNC();
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1));
	CLUSTER_SYNC();
	out[blockIdx.x * 64 + t] = value;
}

// A barrier of the block alone; that the other block has stored nothing yet is a consequence.
// launch: --grid 4 --block 64 --arg u32[256]
// expect: race shared make take
// also: uninitialized shared take
PAIR
__global__ void cluster_block_barrier(unsigned *out)
{
	__shared__ unsigned s[64];
	unsigned t = threadIdx.x, value;
	s[t] = 1000 + blockIdx.x * 64 + t; // [make]
	__syncthreads();
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1)); // [take]
	CLUSTER_SYNC();
	out[blockIdx.x * 64 + t] = value;
}

// Arrivals that do not release.
// launch: --grid 4 --block 64 --arg u32[256]
// expect: race shared make take
PAIR
__global__ void cluster_relaxed(unsigned *out)
{
	__shared__ unsigned s[64];
	unsigned t = threadIdx.x, value;
	s[t] = 1000 + blockIdx.x * 64 + t; // [make]
	asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" : : : "memory");
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1)); // [take]
	CLUSTER_SYNC();
	out[blockIdx.x * 64 + t] = value;
}

// A block ends while the other one still reads its shared memory.
// launch: --grid 4 --block 64 --arg u32[256]
// expect: out-of-bounds shared take
PAIR
__global__ void cluster_ends(unsigned *out)
{
	__shared__ unsigned s[64];
	unsigned t = threadIdx.x, value;
	s[t] = 1000 + blockIdx.x * 64 + t;
	CLUSTER_SYNC();
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1)); // [take]
	out[blockIdx.x * 64 + t] = value;
}

// The next round begins before all have read: the second barrier is missing.
// launch: --grid 2 --block 32 --arg u32[64]
// expect: race shared make take
PAIR
__global__ void cluster_next_round(unsigned *out)
{
	__shared__ unsigned s[32];
	unsigned t = threadIdx.x, sum = 0, value;
	for (unsigned round = 0; round < 4; round++) {
		s[t] = round * 100 + t; // [make]
		CLUSTER_SYNC();
		LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1)); // [take]
		sum += value;
	}
	CLUSTER_SYNC();
	out[blockIdx.x * 32 + t] = sum;
}

// Work between the two halves of the barrier, which does not touch what they order.
// launch: --grid 2 --block 32 --arg u32[64]
// expect: clean
PAIR
__global__ void cluster_two_halves(unsigned *out)
{
	__shared__ unsigned s[32], own[32];
	unsigned t = threadIdx.x, value;
	s[t] = t;
	asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
	own[t] = 2 * t;
	__syncwarp();
	out[blockIdx.x * 32 + t] = own[31 - t];
	asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1));
	out[blockIdx.x * 32 + t] += value;
	CLUSTER_SYNC();
}

// What is stored between the two halves is ordered with nothing.
// launch: --grid 2 --block 32 --arg u32[128]
// expect: race shared make take
PAIR
__global__ void cluster_between_halves(unsigned *out)
{
	__shared__ unsigned s[32];
	unsigned t = threadIdx.x, value;
	s[t] = 0;
	asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
	s[t] = t + out[t]; // [make]
	asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
	LOAD_FAR(value, in_block(&s[t], cluster_rank() ^ 1)); // [take]
	CLUSTER_SYNC();
	out[64 + blockIdx.x * 32 + t] = value;
}

// Both blocks store to one word of the first block.
// launch: --grid 2 --block 32 --arg u32[32]:iota
// expect: race shared make make
PAIR
__global__ void cluster_same_word(unsigned *in)
{
	__shared__ unsigned s;
	if (threadIdx.x == 0)
		s = 0;
	CLUSTER_SYNC();
	if (threadIdx.x == 0)
		STORE_FAR(in_block(&s, 0), in[cluster_rank()]); // [make]
	CLUSTER_SYNC();
}

// A flag in the other block's shared memory, released and acquired in the scope of the cluster.
// launch: --grid 2 --block 32 --arg u32[32]
// expect: clean
// result: 0: 7 8 9
PAIR
__global__ void cluster_flag(unsigned *out)
{
	__shared__ unsigned data[32], flag;
	unsigned t = threadIdx.x, seen;
	if (t == 0)
		flag = 0;
	CLUSTER_SYNC();
	if (cluster_rank() == 0) {
		STORE_FAR(in_block(&data[t], 1), t + 7);
		__syncwarp();
		if (t == 0)
			asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" : : "r"(in_block(&flag, 1)) : "memory");
	} else {
		do
			asm volatile("ld.acquire.cluster.shared::cluster.u32 %0, [%1];"
				     : "=r"(seen)
				     : "r"(shared_address(&flag))
				     : "memory");
		while (!seen);
		out[t] = data[t];
	}
	CLUSTER_SYNC();
}

// The flag does not release.
// launch: --grid 2 --block 32 --arg u32[64]
// expect: race shared make take
PAIR
__global__ void cluster_flag_relaxed(unsigned *out)
{
	__shared__ unsigned data[32], flag;
	unsigned t = threadIdx.x, seen;
	if (t == 0)
		flag = 0;
	CLUSTER_SYNC();
	if (cluster_rank() == 0) {
		STORE_FAR(in_block(&data[t], 1), t + out[t]); // [make]
		__syncwarp();
		if (t == 0)
			asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" : : "r"(in_block(&flag, 1)) : "memory");
	} else {
		do
			asm volatile("ld.acquire.cluster.shared::cluster.u32 %0, [%1];"
				     : "=r"(seen)
				     : "r"(shared_address(&flag))
				     : "memory");
		while (!seen);
		out[t + 32] = data[t]; // [take]
	}
	CLUSTER_SYNC();
}

// Global memory between blocks of a cluster.
// launch: --grid 2 --block 32 --arg u32[64] --arg u32[64]
// expect: clean
PAIR
__global__ void cluster_global(unsigned *data, unsigned *out)
{
	unsigned t = threadIdx.x;
	data[blockIdx.x * 32 + t] = t + out[t];
	CLUSTER_SYNC();
	out[blockIdx.x * 32 + t] = data[(blockIdx.x ^ 1) * 32 + t];
}

// A histogram whose parts are in all blocks, by atomic operations.
// launch: --grid 2 --block 64 --arg u32[128]:iota --arg u32[16]
// expect: clean
// result: 1: 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8
PAIR
__global__ void cluster_histogram(const unsigned *in, unsigned *out)
{
	__shared__ unsigned bins[8];
	unsigned t = threadIdx.x, bin = in[blockIdx.x * 64 + t] % 16;
	if (t < 8)
		bins[t] = 0;
	CLUSTER_SYNC();
	asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;"
		     :
		     : "r"(in_block(&bins[bin % 8], bin / 8))
		     : "memory");
	CLUSTER_SYNC();
	if (t < 8)
		out[cluster_rank() * 8 + t] = bins[t];
}
