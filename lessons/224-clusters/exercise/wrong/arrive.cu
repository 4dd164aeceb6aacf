// Arrives after the counting, and does not wait.
// needs: sm_90, PTX 8.0
#include "simt.h"

#define BINS 65536
#define BLOCKS 2 // of a cluster
#define SHARE (BINS / BLOCKS)

extern __shared__ unsigned mine[]; // room for SHARE bins in each block

static __device__ __forceinline__ unsigned cluster_rank()
{
	unsigned rank;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	return rank;
}

// The address of a shared variable in the block of that rank.
static __device__ __forceinline__ unsigned in_block(const void *p, unsigned rank)
{
	unsigned there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((unsigned)__cvta_generic_to_shared(p)), "r"(rank));
	return there;
}

static __device__ __forceinline__ void add_at(unsigned there, unsigned value)
{
	asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" : : "r"(there), "r"(value) : "memory");
}

static __device__ __forceinline__ void cluster_arrive()
{
	asm volatile("barrier.cluster.arrive.aligned;" : : : "memory");
}

static __device__ __forceinline__ void cluster_wait()
{
	asm volatile("barrier.cluster.wait.aligned;" : : : "memory");
}

extern "C" __global__ void __cluster_dims__(BLOCKS, 1, 1) count(const unsigned *in, unsigned *out, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	for (unsigned b = threadIdx.x; b < SHARE; b += blockDim.x)
		mine[b] = 0;
	cluster_arrive();
	cluster_wait();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
		unsigned bin = in[i] * 2654435761u % BINS; //@ read
		add_at(in_block(&mine[bin % SHARE], bin / SHARE), 1);
	}
	cluster_arrive();
	for (unsigned b = threadIdx.x; b < SHARE; b += blockDim.x)
		atomicAdd(&out[cluster_rank() * SHARE + b], mine[b]);
	cluster_wait();
}
