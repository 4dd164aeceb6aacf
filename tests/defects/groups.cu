// Cooperative groups within a block: tiles of a warp synchronize their lanes, and order no others.
#include <cooperative_groups.h>
#include "simt.h"

namespace cg = cooperative_groups;

// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 7 6 5 4 3 2 1 0 15
__global__ void tile_of_8_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
	int t = threadIdx.x;
	s[t] = in[t];
	tile.sync();
	out[t] = s[t ^ 7];
}

// The neighbor's tile is another group.
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: race shared put get
__global__ void tile_of_8_beyond(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
	int t = threadIdx.x;
	s[t] = in[t]; // [put]
	tile.sync();
	out[t] = s[t ^ 15]; // [get]
}

// The group of the block is __syncthreads().
// launch: --grid 1 --block 64 --arg u32[64]:iota --arg u32[64]
// expect: clean
// result: 1: 63 62 61
__global__ void block_group_clean(const unsigned *in, unsigned *out)
{
	__shared__ unsigned s[64];
	int t = threadIdx.x;
	s[t] = in[t];
	cg::this_thread_block().sync();
	out[t] = s[63 - t];
}

// One lane of each tile counts for all; the others learn where by a shuffle of the tile.
// launch: --grid 2 --block 64 --arg u32[1] --arg u32[128]
// expect: clean
// result: 0: 128
__global__ void tile_counts_clean(unsigned *count, unsigned *out)
{
	cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
	unsigned at = 0;
	if (tile.thread_rank() == 0)
		at = atomicAdd(count, 16u);
	at = tile.shfl(at, 0) + tile.thread_rank();
	out[at] = at;
}
