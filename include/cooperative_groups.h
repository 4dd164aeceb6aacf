/* cooperative_groups.h: groups of threads: a thread, a tile of a warp, the coalesced threads of a warp, a block, a cluster, the grid. */
#pragma once
#ifdef __CUDA__ /* C++ that is not CUDA has no groups */
#include "cuda_runtime.h"
#include <type_traits>

namespace cooperative_groups
{

class thread_group
{
      protected:
	unsigned int kind_, mask_; /* of lanes; blocks and grids have none */
	enum { BLOCK, LANES, GRID };
	__device__ __forceinline__ thread_group(unsigned int kind, unsigned int mask) : kind_(kind), mask_(mask)
	{
	}
	static __device__ __forceinline__ unsigned int lane()
	{
		unsigned int id;
		asm("mov.u32 %0, %%laneid;" : "=r"(id));
		return id;
	}
	static __device__ __forceinline__ unsigned int below()
	{
		unsigned int mask;
		asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
		return mask;
	}

      public:
	__device__ __forceinline__ unsigned int lanes() const
	{
		return mask_;
	}
	__device__ __forceinline__ unsigned long long num_threads() const
	{
		unsigned long long block = (unsigned long long)blockDim.x * blockDim.y * blockDim.z;
		return kind_ == LANES    ? (unsigned long long)__popc(mask_)
			: kind_ == BLOCK ? block
					 : block * gridDim.x * gridDim.y * gridDim.z;
	}
	__device__ __forceinline__ unsigned long long size() const
	{
		return num_threads();
	}
	__device__ __forceinline__ unsigned long long thread_rank() const
	{
		unsigned int block = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
		unsigned long long at = ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
			blockIdx.x;
		return kind_ == LANES    ? (unsigned long long)__popc(mask_ & below())
			: kind_ == BLOCK ? block
					 : at * (blockDim.x * blockDim.y * blockDim.z) + block;
	}
	__device__ __forceinline__ void sync() const;
	__device__ __forceinline__ bool is_valid() const;
	/* Of lanes of one warp, or of a block, or of the grid. */
	__device__ __forceinline__ bool simt_is_lanes() const
	{
		return kind_ == LANES;
	}
};

/* A value of any size, from another lane: what hardware does not shuffle as it is goes word by word. */
template <typename T, typename Shuffle> __device__ __forceinline__ T simt_shuffle(const T &v, Shuffle shuffle)
{
	if constexpr (std::is_arithmetic<T>::value && (sizeof(T) == 4 || sizeof(T) == 8)) {
		return shuffle(v);
	} else {
		unsigned int words[(sizeof(T) + 3) / 4] = {};
		T result;
		__builtin_memcpy(words, &v, sizeof(T));
		for (unsigned int &word : words)
			word = shuffle(word);
		__builtin_memcpy(&result, words, sizeof(T));
		return result;
	}
}

class thread_block : public thread_group
{
	friend __device__ thread_block this_thread_block();
	__device__ __forceinline__ thread_block() : thread_group(BLOCK, 0)
	{
	}

      public:
	static __device__ __forceinline__ void sync()
	{
		__syncthreads();
	}
	static __device__ __forceinline__ unsigned int thread_rank()
	{
		return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	}
	static __device__ __forceinline__ unsigned int num_threads()
	{
		return blockDim.x * blockDim.y * blockDim.z;
	}
	static __device__ __forceinline__ unsigned int size()
	{
		return num_threads();
	}
	static __device__ __forceinline__ dim3 group_index()
	{
		return blockIdx;
	}
	static __device__ __forceinline__ dim3 thread_index()
	{
		return threadIdx;
	}
	static __device__ __forceinline__ dim3 group_dim()
	{
		return blockDim;
	}
	static __device__ __forceinline__ dim3 dim_threads()
	{
		return blockDim;
	}
	/* Both halves of a sync: nobody waits in the first, of barrier 0. */
	struct arrival_token {
	};
	static __device__ __forceinline__ arrival_token barrier_arrive()
	{
		asm volatile("barrier.cta.arrive 0, %0;" ::"r"((num_threads() + 31) / 32 * 32 * 2) : "memory");
		return arrival_token();
	}
	static __device__ __forceinline__ void barrier_wait(arrival_token)
	{
		asm volatile("barrier.cta.sync 0, %0;" ::"r"((num_threads() + 31) / 32 * 32 * 2) : "memory");
	}
};

class grid_group : public thread_group
{
	/* The workspace of a cooperative launch: its size, and the word that blocks count in; none in another launch. */
	static __device__ __forceinline__ unsigned int *workspace()
	{
		unsigned int high, low;
		asm("mov.u32 %0, %%envreg1;" : "=r"(high));
		asm("mov.u32 %0, %%envreg2;" : "=r"(low));
		return (unsigned int *)((unsigned long long)high << 32 | low);
	}
	friend __device__ grid_group this_grid();
	__device__ __forceinline__ grid_group() : thread_group(GRID, 0)
	{
	}

      public:
	static __device__ __forceinline__ bool is_valid()
	{
		return workspace() != nullptr;
	}
	/* Each block adds one, but the first, which adds what is missing to the highest bit: that changes when all are there. */
	typedef unsigned int arrival_token;
	static __device__ __forceinline__ arrival_token barrier_arrive()
	{
		unsigned int *at = workspace(), old = 0;
		if (!at)
			__trap();
		unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
		bool first = !(blockIdx.x | blockIdx.y | blockIdx.z);
		__syncthreads();
		if (!(threadIdx.x | threadIdx.y | threadIdx.z)) {
			__threadfence();
			old = atomicAdd(at + 1, first ? 0x80000000u - (blocks - 1) : 1u);
		}
		return old;
	}
	static __device__ __forceinline__ void barrier_wait(arrival_token old)
	{
		unsigned int *at = workspace();
		if (!(threadIdx.x | threadIdx.y | threadIdx.z)) {
			unsigned int now;
			do
				asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(at + 1) : "memory");
			while (!((old ^ now) & 0x80000000u));
			__threadfence();
		}
		__syncthreads();
	}
	static __device__ __forceinline__ void sync()
	{
		barrier_wait(barrier_arrive());
	}
	static __device__ __forceinline__ unsigned long long num_blocks()
	{
		return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
	}
	static __device__ __forceinline__ unsigned long long block_rank()
	{
		return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	}
	static __device__ __forceinline__ unsigned long long num_threads()
	{
		return num_blocks() * thread_block::num_threads();
	}
	static __device__ __forceinline__ unsigned long long size()
	{
		return num_threads();
	}
	static __device__ __forceinline__ unsigned long long thread_rank()
	{
		return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
	}
	static __device__ __forceinline__ dim3 group_dim()
	{
		return gridDim;
	}
	static __device__ __forceinline__ dim3 dim_blocks()
	{
		return gridDim;
	}
	static __device__ __forceinline__ dim3 block_index()
	{
		return blockIdx;
	}
	static __device__ __forceinline__ unsigned long long num_clusters()
	{
		dim3 n = dim_clusters();
		return (unsigned long long)n.x * n.y * n.z;
	}
	static __device__ __forceinline__ unsigned long long cluster_rank()
	{
		dim3 n = dim_clusters(), at = cluster_index();
		return ((unsigned long long)at.z * n.y + at.y) * n.x + at.x;
	}
	static __device__ __forceinline__ dim3 cluster_index()
	{
		dim3 v;
		asm("mov.u32 %0, %%clusterid.x;" : "=r"(v.x));
		asm("mov.u32 %0, %%clusterid.y;" : "=r"(v.y));
		asm("mov.u32 %0, %%clusterid.z;" : "=r"(v.z));
		return v;
	}
	static __device__ __forceinline__ dim3 dim_clusters()
	{
		dim3 v;
		asm("mov.u32 %0, %%nclusterid.x;" : "=r"(v.x));
		asm("mov.u32 %0, %%nclusterid.y;" : "=r"(v.y));
		asm("mov.u32 %0, %%nclusterid.z;" : "=r"(v.z));
		return v;
	}
};

__device__ __forceinline__ bool thread_group::is_valid() const
{
	return kind_ != GRID || grid_group::is_valid();
}

__device__ __forceinline__ void thread_group::sync() const
{
	if (kind_ == LANES)
		__syncwarp(mask_);
	else if (kind_ == BLOCK)
		__syncthreads();
	else
		grid_group::sync();
}

__device__ __forceinline__ thread_block this_thread_block()
{
	return thread_block();
}
__device__ __forceinline__ grid_group this_grid()
{
	return grid_group();
}

/* The threads of a warp that came here together. */
class coalesced_group : public thread_group
{
	friend __device__ coalesced_group coalesced_threads();
	friend __device__ coalesced_group simt_group_of(unsigned int, unsigned int, unsigned int);
	unsigned int at_, of_; /* which of how many groups that one was parted into */
	__device__ __forceinline__ explicit coalesced_group(unsigned int mask, unsigned int at = 0, unsigned int of = 1)
	    : thread_group(LANES, mask), at_(at), of_(of)
	{
	}
	/* The lane of a rank. */
	__device__ __forceinline__ int lane_of(unsigned int rank) const
	{
		return (int)__fns(mask_, 0, (int)rank + 1);
	}

      public:
	__device__ __forceinline__ unsigned int num_threads() const
	{
		return (unsigned int)__popc(mask_);
	}
	__device__ __forceinline__ unsigned int size() const
	{
		return num_threads();
	}
	__device__ __forceinline__ unsigned int thread_rank() const
	{
		return (unsigned int)__popc(mask_ & below());
	}
	__device__ __forceinline__ unsigned int meta_group_rank() const
	{
		return at_;
	}
	__device__ __forceinline__ unsigned int meta_group_size() const
	{
		return of_;
	}
	__device__ __forceinline__ void sync() const
	{
		__syncwarp(mask_);
	}
	template <typename T> __device__ __forceinline__ unsigned int match_any(T v) const
	{
		return ranks_of(__match_any_sync(mask_, v));
	}
	template <typename T> __device__ __forceinline__ unsigned int match_all(T v, int &all) const
	{
		return ranks_of(__match_all_sync(mask_, v, &all));
	}
	template <typename T> __device__ __forceinline__ T shfl(T v, unsigned int rank) const
	{
		int lane = lane_of(rank % num_threads());
		return simt_shuffle(v, [=](auto word) { return __shfl_sync(mask_, word, lane); });
	}
	template <typename T> __device__ __forceinline__ T shfl_down(T v, unsigned int delta) const
	{
		unsigned int rank = thread_rank() + delta;
		int from = rank < num_threads() ? lane_of(rank) : (int)lane();
		return simt_shuffle(v, [=](auto word) { return __shfl_sync(mask_, word, from); });
	}
	template <typename T> __device__ __forceinline__ T shfl_up(T v, unsigned int delta) const
	{
		unsigned int rank = thread_rank();
		int from = rank >= delta ? lane_of(rank - delta) : (int)lane();
		return simt_shuffle(v, [=](auto word) { return __shfl_sync(mask_, word, from); });
	}
	__device__ __forceinline__ int any(int predicate) const
	{
		return __any_sync(mask_, predicate);
	}
	__device__ __forceinline__ int all(int predicate) const
	{
		return __all_sync(mask_, predicate);
	}
	/* Bit i is of the thread of rank i. */
	__device__ __forceinline__ unsigned int ballot(int predicate) const
	{
		return ranks_of(__ballot_sync(mask_, predicate));
	}

      private:
	__device__ __forceinline__ unsigned int ranks_of(unsigned int lanes) const
	{
		unsigned int ranks = 0, rank = 0;
		for (unsigned int rest = mask_; rest; rest &= rest - 1, rank++)
			ranks |= (lanes >> (__ffs((int)rest) - 1) & 1) << rank;
		return ranks;
	}
};

__device__ __forceinline__ coalesced_group simt_group_of(unsigned int mask, unsigned int at = 0, unsigned int of = 1)
{
	return coalesced_group(mask, at, of);
}

__device__ __forceinline__ coalesced_group coalesced_threads()
{
	return simt_group_of(__activemask());
}
/* Of a tile or a coalesced group: those on one side, those with one label. */
template <typename Group> __device__ __forceinline__ coalesced_group binary_partition(const Group &group, bool side)
{
	unsigned int yes = __ballot_sync(group.lanes(), side);
	return simt_group_of(side ? yes : group.lanes() & ~yes, side, 2);
}
template <typename Group, typename T>
__device__ __forceinline__ coalesced_group labeled_partition(const Group &group, T label)
{
	unsigned int mask = __match_any_sync(group.lanes(), label), first = mask & (0u - mask), firsts = 0, before = 0;
	firsts = __reduce_or_sync(group.lanes(), first);
	before = (unsigned int)__popc(firsts & (first - 1));
	return simt_group_of(mask, before, (unsigned int)__popc(firsts));
}

template <unsigned int Size, typename Parent = thread_block> class thread_block_tile;

/* What tiles are counted in: the tile that they were cut from, else the block. */
template <typename Parent> struct simt_parent : thread_block {
};
template <unsigned int Size, typename Parent> struct simt_parent<thread_block_tile<Size, Parent>> {
	static __device__ __forceinline__ unsigned int num_threads()
	{
		return Size;
	}
	static __device__ __forceinline__ unsigned int thread_rank()
	{
		return thread_block_tile<Size, Parent>::thread_rank();
	}
};

/* A tile of `Size` threads, a power of two up to 32, of what it was cut from. */
template <unsigned int Size, typename Parent> class thread_block_tile : public thread_group
{
	static_assert(Size && Size <= 32 && !(Size & (Size - 1)), "a tile has 1, 2, 4, 8, 16 or 32 threads");
	static __device__ __forceinline__ unsigned int mask_here()
	{
		return Size == 32 ? 0xFFFFFFFFu : ((1u << (Size & 31)) - 1) << (lane() & ~(Size - 1));
	}

      public:
	template <typename Group>
	__device__ __forceinline__ explicit thread_block_tile(const Group &) : thread_group(LANES, mask_here())
	{
	}
	template <typename Other>
	__device__ __forceinline__ thread_block_tile(const thread_block_tile<Size, Other> &tile)
	    : thread_group(LANES, tile.lanes())
	{
	}
	static __device__ __forceinline__ constexpr unsigned int num_threads()
	{
		return Size;
	}
	static __device__ __forceinline__ constexpr unsigned int size()
	{
		return Size;
	}
	static __device__ __forceinline__ unsigned int thread_rank()
	{
		return lane() & (Size - 1);
	}
	static __device__ __forceinline__ unsigned int meta_group_rank()
	{
		return simt_parent<Parent>::thread_rank() / Size;
	}
	static __device__ __forceinline__ unsigned int meta_group_size()
	{
		return (simt_parent<Parent>::num_threads() + Size - 1) / Size;
	}
	__device__ __forceinline__ void sync() const
	{
		__syncwarp(mask_);
	}
	template <typename T> __device__ __forceinline__ T shfl(T v, int rank) const
	{
		return simt_shuffle(v, [=](auto word) { return __shfl_sync(mask_, word, rank, Size); });
	}
	template <typename T> __device__ __forceinline__ T shfl_down(T v, unsigned int delta) const
	{
		return simt_shuffle(v, [=](auto word) { return __shfl_down_sync(mask_, word, delta, Size); });
	}
	template <typename T> __device__ __forceinline__ T shfl_up(T v, unsigned int delta) const
	{
		return simt_shuffle(v, [=](auto word) { return __shfl_up_sync(mask_, word, delta, Size); });
	}
	template <typename T> __device__ __forceinline__ T shfl_xor(T v, unsigned int lanes) const
	{
		return simt_shuffle(v, [=](auto word) { return __shfl_xor_sync(mask_, word, (int)lanes, Size); });
	}
	__device__ __forceinline__ int any(int predicate) const
	{
		return __any_sync(mask_, predicate);
	}
	__device__ __forceinline__ int all(int predicate) const
	{
		return __all_sync(mask_, predicate);
	}
	__device__ __forceinline__ unsigned int ballot(int predicate) const
	{
		return __ballot_sync(mask_, predicate) >> (lane() & ~(Size - 1) & 31);
	}
	template <typename T> __device__ __forceinline__ unsigned int match_any(T v) const
	{
		return __match_any_sync(mask_, v) >> (lane() & ~(Size - 1) & 31);
	}
	template <typename T> __device__ __forceinline__ unsigned int match_all(T v, int &all) const
	{
		return __match_all_sync(mask_, v, &all) >> (lane() & ~(Size - 1) & 31);
	}
	__device__ __forceinline__ operator coalesced_group() const
	{
		return simt_group_of(mask_);
	}
};

/* What warps of a tile of several meet by, and hand values on in: one for a block. */
struct simt_tiles {
	unsigned int arrived[16];
	alignas(16) unsigned char values[32][32];
};
static __device__ __forceinline__ __attribute__((nodebug)) simt_tiles *simt_block_tiles()
{
	static __shared__ simt_tiles tiles;
	return &tiles;
}

/* A tile of whole warps. Its parent is the block, all of whose threads make it together. */
template <unsigned int Size> class simt_large_tile : private thread_group
{
	static __device__ __forceinline__ unsigned char *value_of(unsigned int warp)
	{
		return simt_block_tiles()->values[meta_group_rank() * (Size / 32) + warp];
	}

      protected:
	__device__ __forceinline__ simt_large_tile() : thread_group(LANES, 0xFFFFFFFFu)
	{
		__syncthreads();
		if (thread_block::thread_rank() < 16)
			simt_block_tiles()->arrived[thread_block::thread_rank()] = 0;
		__syncthreads();
	}

      public:
	static __device__ __forceinline__ constexpr unsigned int num_threads()
	{
		return Size;
	}
	static __device__ __forceinline__ constexpr unsigned int size()
	{
		return Size;
	}
	static __device__ __forceinline__ unsigned int thread_rank()
	{
		return thread_block::thread_rank() & (Size - 1);
	}
	static __device__ __forceinline__ unsigned int meta_group_rank()
	{
		return thread_block::thread_rank() / Size;
	}
	static __device__ __forceinline__ unsigned int meta_group_size()
	{
		return (thread_block::num_threads() + Size - 1) / Size;
	}
	/* Its warps count themselves in, and wait until all of this round have. */
	static __device__ __forceinline__ void sync()
	{
		unsigned int *arrived = &simt_block_tiles()->arrived[meta_group_rank()];
		__syncwarp();
		if (lane() == 0) {
			__threadfence_block();
			unsigned int round = atomicAdd(arrived, 1u) / (Size / 32);
			while (*(volatile unsigned int *)arrived / (Size / 32) == round)
				;
			__threadfence_block();
		}
		__syncwarp();
	}
	template <typename T> __device__ __forceinline__ T shfl(const T &v, unsigned int rank) const
	{
		static_assert(sizeof(T) <= 32, "a tile of several warps hands on values of 32 bytes at most");
		T result;
		if (thread_rank() == rank)
			__builtin_memcpy(value_of(0), &v, sizeof(T));
		sync();
		__builtin_memcpy(&result, value_of(0), sizeof(T));
		sync();
		return result;
	}
	/* Of the warps' values, in their order: those before this warp's, or all. */
	template <typename T, typename Op>
	__device__ __forceinline__ T simt_of_warps(const T &mine, Op op, unsigned int until) const
	{
		static_assert(sizeof(T) <= 32, "a tile of several warps hands on values of 32 bytes at most");
		T sum{}, next;
		if (lane() == 31)
			__builtin_memcpy(value_of(thread_rank() / 32), &mine, sizeof(T));
		sync();
		for (unsigned int warp = 0; warp < until; warp++) {
			__builtin_memcpy(&next, value_of(warp), sizeof(T));
			sum = warp ? op(sum, next) : next;
		}
		sync();
		return sum;
	}
	__device__ __forceinline__ int any(int predicate) const
	{
		return simt_of_warps(__any_sync(0xFFFFFFFFu, predicate), [](int a, int b) { return a | b; }, Size / 32);
	}
	__device__ __forceinline__ int all(int predicate) const
	{
		return simt_of_warps(__all_sync(0xFFFFFFFFu, predicate), [](int a, int b) { return a & b; }, Size / 32);
	}
};
#define SIMT_LARGE_TILE(Size)                                                                                          \
	template <typename Parent> class thread_block_tile<Size, Parent> : public simt_large_tile<Size>                \
	{                                                                                                              \
	      public:                                                                                                  \
		__device__ __forceinline__ explicit thread_block_tile(const thread_block &)                            \
		{                                                                                                      \
		}                                                                                                      \
	};
SIMT_LARGE_TILE(64)
SIMT_LARGE_TILE(128)
SIMT_LARGE_TILE(256)
SIMT_LARGE_TILE(512)
#undef SIMT_LARGE_TILE
/* Memory for such tiles, as programs for GPUs before CC 8.0 give it: here it is not needed. */
template <unsigned int Threads = 1024> struct block_tile_memory {
	char simt_unused;
};
template <unsigned int Threads>
__device__ __forceinline__ thread_block this_thread_block(block_tile_memory<Threads> &)
{
	return this_thread_block();
}

template <unsigned int Size, typename Parent>
__device__ __forceinline__ thread_block_tile<Size, Parent> tiled_partition(const Parent &parent)
{
	return thread_block_tile<Size, Parent>(parent);
}
/* Of a size that is known when the kernel runs, a power of two up to 32. */
__device__ __forceinline__ coalesced_group tiled_partition(const coalesced_group &group, unsigned int size)
{
	unsigned int mask = 0, rest = group.lanes(), at = group.thread_rank() / size;
	for (unsigned int rank = 0; rest; rest &= rest - 1, rank++)
		mask |= rank / size == at ? rest & (0u - rest) : 0;
	return simt_group_of(mask, at, (group.num_threads() + size - 1) / size);
}
__device__ __forceinline__ thread_group tiled_partition(const thread_group &group, unsigned int size)
{
	unsigned int lane;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	if (group.simt_is_lanes())
		return tiled_partition(simt_group_of(group.lanes()), size);
	return simt_group_of(size >= 32 ? 0xFFFFFFFFu : ((1u << size) - 1) << (lane & ~(size - 1)));
}
/* Blocks that run at the same time on neighboring SMs, and reach one another's shared memory. */
class cluster_group : public thread_group
{
	friend __device__ cluster_group this_cluster();
	__device__ __forceinline__ cluster_group() : thread_group(BLOCK, 0)
	{
	}
	static __device__ __forceinline__ dim3 at()
	{
		dim3 v;
		asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v.x));
		asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v.y));
		asm("mov.u32 %0, %%cluster_ctaid.z;" : "=r"(v.z));
		return v;
	}

      public:
	struct arrival_token {
	};
	static __device__ __forceinline__ void sync()
	{
		barrier_wait(barrier_arrive());
	}
	static __device__ __forceinline__ arrival_token barrier_arrive()
	{
		asm volatile("barrier.cluster.arrive;" ::: "memory");
		return arrival_token();
	}
	static __device__ __forceinline__ void barrier_wait(arrival_token)
	{
		asm volatile("barrier.cluster.wait;" ::: "memory");
	}
	static __device__ __forceinline__ void barrier_wait()
	{
		barrier_wait(arrival_token());
	}
	static __device__ __forceinline__ unsigned int block_rank()
	{
		unsigned int rank;
		asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
		return rank;
	}
	static __device__ __forceinline__ unsigned int num_blocks()
	{
		unsigned int n;
		asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
		return n;
	}
	static __device__ __forceinline__ dim3 block_index()
	{
		return at();
	}
	static __device__ __forceinline__ dim3 dim_blocks()
	{
		dim3 v;
		asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(v.x));
		asm("mov.u32 %0, %%cluster_nctaid.y;" : "=r"(v.y));
		asm("mov.u32 %0, %%cluster_nctaid.z;" : "=r"(v.z));
		return v;
	}
	static __device__ __forceinline__ dim3 dim_threads()
	{
		dim3 n = dim_blocks();
		return dim3(n.x * blockDim.x, n.y * blockDim.y, n.z * blockDim.z);
	}
	static __device__ __forceinline__ dim3 thread_index()
	{
		dim3 v = at();
		return dim3(
			v.x * blockDim.x + threadIdx.x, v.y * blockDim.y + threadIdx.y, v.z * blockDim.z + threadIdx.z);
	}
	static __device__ __forceinline__ unsigned int num_threads()
	{
		return num_blocks() * thread_block::num_threads();
	}
	static __device__ __forceinline__ unsigned int size()
	{
		return num_threads();
	}
	static __device__ __forceinline__ unsigned int thread_rank()
	{
		return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
	}
	/* The same variable in the shared memory of a block of the cluster, and which block has one. */
	template <typename T> static __device__ __forceinline__ T *map_shared_rank(T *shared, int rank)
	{
		T *there;
		asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(shared), "r"(rank));
		return there;
	}
	static __device__ __forceinline__ unsigned int query_shared_rank(const void *shared)
	{
		unsigned int rank;
		asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(shared));
		return rank;
	}
};
__device__ __forceinline__ cluster_group this_cluster()
{
	return cluster_group();
}

/* One thread of a group calls it; with a value, all get what it gave. */
template <typename Group, typename F, typename... Arguments>
__device__ __forceinline__ void invoke_one(const Group &group, F &&call, Arguments &&...arguments)
{
	if (group.thread_rank() == 0)
		call(static_cast<Arguments &&>(arguments)...);
}
template <typename Group, typename F, typename... Arguments>
__device__ __forceinline__ auto invoke_one_broadcast(const Group &group, F &&call, Arguments &&...arguments)
{
	decltype(call(static_cast<Arguments &&>(arguments)...)) value{};
	if (group.thread_rank() == 0)
		value = call(static_cast<Arguments &&>(arguments)...);
	return group.shfl(value, 0);
}

template <typename Group> __device__ __forceinline__ void sync(const Group &group)
{
	group.sync();
}
template <typename Group> __device__ __forceinline__ auto thread_rank(const Group &group)
{
	return group.thread_rank();
}
template <typename Group> __device__ __forceinline__ auto group_size(const Group &group)
{
	return group.size();
}
template <typename Group> __device__ __forceinline__ bool is_valid(const Group &group)
{
	return group.is_valid();
}

template <typename T> struct plus {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return a + b;
	}
};
template <typename T> struct less {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return b < a ? b : a;
	}
};
template <typename T> struct greater {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return a < b ? b : a;
	}
};
template <typename T> struct bit_and {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return a & b;
	}
};
template <typename T> struct bit_or {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return a | b;
	}
};
template <typename T> struct bit_xor {
	__device__ __forceinline__ T operator()(T a, T b) const
	{
		return a ^ b;
	}
};

/* Up to each thread of a tile of several warps: warps first. And of those before it; the first has T(). */
template <unsigned int Size, typename Parent, typename T, typename Op>
__device__ __forceinline__ T simt_large_scan(const thread_block_tile<Size, Parent> &tile, T v, Op op, T *exclusive)
{
	unsigned int lane = tile.thread_rank() % 32, warp = tile.thread_rank() / 32;
	for (unsigned int step = 1; step < 32; step *= 2) {
		T other = simt_shuffle(v, [=](auto word) { return __shfl_up_sync(0xFFFFFFFFu, word, step); });
		if (lane >= step)
			v = op(other, v);
	}
	T before = tile.simt_of_warps(v, op, warp);
	v = warp ? op(before, v) : v;
	T last = simt_shuffle(v, [](auto word) { return __shfl_up_sync(0xFFFFFFFFu, word, 1); });
	*exclusive = lane ? last : before;
	return v;
}

/* What all of a tile or a coalesced group have, put together; everyone gets it. */
template <typename Group> inline constexpr bool simt_is_large = false;
template <unsigned int Size, typename Parent>
inline constexpr bool simt_is_large<thread_block_tile<Size, Parent>> = (Size > 32);
template <typename Group, typename T, typename Op> __device__ __forceinline__ T reduce(const Group &group, T v, Op op)
{
	if constexpr (simt_is_large<Group>) {
		T before;
		return group.shfl(simt_large_scan(group, v, op, &before), group.num_threads() - 1);
	} else {
		for (unsigned int step = 1; step < group.num_threads(); step *= 2) {
			T other = group.shfl_down(v, step);
			if (group.thread_rank() + step < group.num_threads())
				v = op(v, other);
		}
		return group.shfl(v, 0);
	}
}
template <typename Group, typename T, typename Op>
__device__ __forceinline__ T inclusive_scan(const Group &group, T v, Op op)
{
	if constexpr (simt_is_large<Group>) {
		T before;
		return simt_large_scan(group, v, op, &before);
	} else {
		for (unsigned int step = 1; step < group.num_threads(); step *= 2) {
			T other = group.shfl_up(v, step);
			if (group.thread_rank() >= step)
				v = op(other, v);
		}
		return v;
	}
}
template <typename Group, typename T> __device__ __forceinline__ T inclusive_scan(const Group &group, T v)
{
	return inclusive_scan(group, v, plus<T>());
}
template <typename Group, typename T, typename Op>
__device__ __forceinline__ T exclusive_scan(const Group &group, T v, Op op)
{
	T before;
	if constexpr (simt_is_large<Group>)
		simt_large_scan(group, v, op, &before);
	else
		before = group.shfl_up(inclusive_scan(group, v, op), 1);
	return group.thread_rank() ? before : T();
}
template <typename Group, typename T> __device__ __forceinline__ T exclusive_scan(const Group &group, T v)
{
	return exclusive_scan(group, v, plus<T>());
}

/* Onto what is there: by one thread of the group. Atomic is cuda::atomic or cuda::atomic_ref, which is changed by `op`. */
template <typename Atomic, typename T, typename Op>
__device__ __forceinline__ T simt_update(Atomic &atomic, const T &v, Op op)
{
	T old = atomic.load();
	while (!atomic.compare_exchange_strong(old, op(old, v)))
		;
	return old;
}
template <typename Group, typename Atomic, typename T, typename Op>
__device__ __forceinline__ void reduce_update_async(const Group &group, Atomic &atomic, const T &v, Op op)
{
	T sum = reduce(group, v, op);
	if (group.thread_rank() == 0)
		simt_update(atomic, sum, op);
}
template <typename Group, typename Atomic, typename T, typename Op>
__device__ __forceinline__ void reduce_store_async(const Group &group, Atomic &atomic, const T &v, Op op)
{
	T sum = reduce(group, v, op);
	if (group.thread_rank() == 0)
		atomic.store(sum);
}
template <typename Group, typename T, typename Op>
__device__ __forceinline__ void reduce_store_async(const Group &group, T *to, const T &v, Op op)
{
	T sum = reduce(group, v, op);
	if (group.thread_rank() == 0)
		*to = sum;
}
/* What the object had before this thread's share. */
template <typename Group, typename Atomic, typename T, typename Op>
__device__ __forceinline__ T exclusive_scan_update(const Group &group, Atomic &atomic, const T &v, Op op)
{
	T up = inclusive_scan(group, v, op), base{};
	if (group.thread_rank() + 1 == group.num_threads())
		base = simt_update(atomic, up, op);
	base = group.shfl(base, (int)group.num_threads() - 1);
	T before = group.shfl_up(up, 1);
	return group.thread_rank() ? op(base, before) : base;
}
template <typename Group, typename Atomic, typename T>
__device__ __forceinline__ T exclusive_scan_update(const Group &group, Atomic &atomic, const T &v)
{
	return exclusive_scan_update(group, atomic, v, plus<T>());
}
template <typename Group, typename Atomic, typename T, typename Op>
__device__ __forceinline__ T inclusive_scan_update(const Group &group, Atomic &atomic, const T &v, Op op)
{
	return op(exclusive_scan_update(group, atomic, v, op), v);
}
template <typename Group, typename Atomic, typename T>
__device__ __forceinline__ T inclusive_scan_update(const Group &group, Atomic &atomic, const T &v)
{
	return inclusive_scan_update(group, atomic, v, plus<T>());
}

} // namespace cooperative_groups
#endif
