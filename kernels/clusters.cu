// Blocks of a cluster that use each other's shared memory: sums, neighbors, and a histogram that is spread over them.
// needs: sm_90, PTX 8.0
#include "simt.h"

#define CLUSTER(blocks) extern "C" __global__ void __cluster_dims__(blocks, 1, 1)

// Which block of its cluster this is, and how many blocks the cluster has.
static __device__ __forceinline__ unsigned cluster_rank()
{
	unsigned rank;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

static __device__ __forceinline__ unsigned cluster_size()
{
	unsigned blocks;
	asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
	return blocks;
}

// The address of a shared variable: this block's, and the same one in the block of that rank.
static __device__ __forceinline__ unsigned here(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ unsigned in_block(const void *p, unsigned rank)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here(p)), "r"(rank));
	return there;
}

// Atomics on shared memory of any block of the cluster: takes the word, leaving 0, and adds to it.
static __device__ __forceinline__ unsigned take_at(unsigned there)
{
	unsigned value;
	asm volatile("atom.relaxed.cluster.shared::cluster.exch.b32 %0, [%1], 0;" : "=r"(value) : "r"(there) : "memory");
	return value;
}

static __device__ __forceinline__ void add_at(unsigned there, unsigned value)
{
	asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" : : "r"(there), "r"(value) : "memory");
}

// The barrier of the cluster, in its two halves.
static __device__ __forceinline__ void cluster_arrive()
{
	asm volatile("barrier.cluster.arrive.aligned;" : : : "memory");
}

static __device__ __forceinline__ void cluster_wait()
{
	asm volatile("barrier.cluster.wait.aligned;" : : : "memory");
}

// --- sums of 32 columns: all blocks of a cluster, each of one warp, add to words of its first block -----------------------

static __device__ __forceinline__ void zero(unsigned *words)
{
	words[threadIdx.x] = 0;
	cluster_arrive();
	cluster_wait();
}

// The first block adds the cluster's sums to those of the grid.
static __device__ __forceinline__ void finish(const unsigned *words, unsigned *out)
{
	unsigned end = cluster_rank() == 0 ? 32 : 0;
	for (unsigned t = threadIdx.x; t < end; t += blockDim.x)
		atomicAdd(&out[t], words[t]); //@ finish
}

static __device__ __forceinline__ void columns(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x];
	zero(words);
	add_at(in_block(&words[threadIdx.x], 0), value);
	cluster_arrive();
	cluster_wait();
	finish(words, out);
}

CLUSTER(2) columns_two(const unsigned *in, unsigned *out) { columns(in, out); }
CLUSTER(4) columns_four(const unsigned *in, unsigned *out) { columns(in, out); }
CLUSTER(8) columns_eight(const unsigned *in, unsigned *out) { columns(in, out); }

// The same with the address as it is in this block, and as it is in the first.
CLUSTER(8) columns_own(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x]; //@ own
	zero(words);
	add_at(here(&words[threadIdx.x]), value);
	cluster_arrive();
	cluster_wait();
	finish(words, out);
}

CLUSTER(8) columns_mapped(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x]; //@ mapped
	zero(words);
	add_at(in_block(&words[threadIdx.x], 0), value);
	cluster_arrive();
	cluster_wait();
	finish(words, out);
}

// What stands between the adding and the first block's reading: both halves of the barrier, one of them, the barrier of a block.
CLUSTER(8) columns_both(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x]; //@ both
	zero(words);
	add_at(in_block(&words[threadIdx.x], 0), value);
	cluster_arrive();
	cluster_wait();
	finish(words, out);
}

CLUSTER(8) columns_arrive(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x]; //@ arrive
	zero(words);
	add_at(in_block(&words[threadIdx.x], 0), value);
	cluster_arrive();
	finish(words, out);
	cluster_wait();
}

CLUSTER(8) columns_block(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	unsigned value = in[blockIdx.x * blockDim.x + threadIdx.x]; //@ block
	zero(words);
	add_at(in_block(&words[threadIdx.x], 0), value);
	__syncthreads();
	finish(words, out);
	cluster_arrive();
	cluster_wait();
}

// --- neighbors: each block takes the words of the next block of its cluster, the last one those of the first -----------------------

static __device__ __forceinline__ void neighbors(const unsigned *in, unsigned *out, unsigned *words)
{
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t, next = (cluster_rank() + 1) % cluster_size();
	words[t] = in[i];
	cluster_arrive();
	cluster_wait();
	out[i] = take_at(in_block(&words[t], next)); //@ next
}

CLUSTER(4) neighbors_leave(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	neighbors(in, out, words);
}

CLUSTER(4) neighbors_wait(const unsigned *in, unsigned *out)
{
	__shared__ unsigned words[32];

	neighbors(in, out, words);
	cluster_arrive();
	cluster_wait();
}

// --- histograms: in global memory, one in each block, and one in each cluster, which every block has a share of -------------------

// A large odd factor sends neighbors to bins far apart, and 0 all values to one bin. The bins are a power of two.
#define BIN_OF(value) ((value) * factor & (bins - 1))

extern __shared__ unsigned mine[];

extern "C" __global__ void histogram_common(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		atomicAdd(&out[BIN_OF(in[i])], 1); //@ in_common
}

extern "C" __global__ void histogram_private(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned b = threadIdx.x; b < bins; b += blockDim.x)
		mine[b] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
		atomicAdd(&mine[BIN_OF(in[i])], 1); //@ in_private
	__syncthreads();
	for (unsigned b = threadIdx.x; b < bins; b += blockDim.x)
		atomicAdd(&out[b], mine[b]);
}

static __device__ __forceinline__ void histogram(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	unsigned threads = gridDim.x * blockDim.x, share = bins / cluster_size();
	for (unsigned b = threadIdx.x; b < share; b += blockDim.x)
		mine[b] = 0;
	cluster_arrive();
	cluster_wait();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
		unsigned bin = BIN_OF(in[i]); //@ spread
		add_at(in_block(&mine[bin % share], bin / share), 1);
	}
	cluster_arrive();
	cluster_wait();
	for (unsigned b = threadIdx.x; b < share; b += blockDim.x)
		atomicAdd(&out[cluster_rank() * share + b], mine[b]);
}

CLUSTER(8) histogram_spread(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	histogram(in, out, n, bins, factor); //@ in_spread
}

CLUSTER(2) histogram_two(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	histogram(in, out, n, bins, factor);
}

CLUSTER(4) histogram_four(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	histogram(in, out, n, bins, factor);
}

CLUSTER(8) histogram_eight(const unsigned *in, unsigned *out, unsigned n, unsigned bins, unsigned factor)
{
	histogram(in, out, n, bins, factor);
}
