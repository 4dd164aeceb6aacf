// Cooperative groups: tiles of a warp, reductions and scans of them, coalesced threads, a partition by a label.
// out: sums 28 92 156 220, scan 0 0 1 3
// out: 11 together, ranks to 10; 8 have label 3
// out: 2 of 2 in a tile of 8, of 4 in a tile of 32, of 8 in the block
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void tiles(int *sums, int *scan, int *counts)
{
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	int rank = block.thread_rank(), sum = cg::reduce(tile, rank, cg::plus<int>());
	int before = cg::exclusive_scan(tile, rank, cg::plus<int>());
	if (tile.thread_rank() == 0)
		sums[tile.meta_group_rank()] = sum;
	if (rank < 4)
		scan[rank] = before;
	block.sync();
	if (rank % 3 == 0) {
		auto here = cg::coalesced_threads();
		if (here.thread_rank() == here.size() - 1) {
			counts[0] = (int)here.size();
			counts[1] = (int)here.thread_rank();
		}
	}
	auto alike = cg::labeled_partition(cg::coalesced_threads(), rank % 4);
	if (rank == 3)
		counts[2] = (int)alike.size();
}

__global__ void tiles_of_tiles(int *counts)
{
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	auto eight = cg::tiled_partition<8>(warp);
	auto four = cg::tiled_partition<4>(eight);
	if (block.thread_rank() == 60) {
		counts[0] = (int)four.meta_group_rank() + 1;
		counts[1] = (int)four.meta_group_size();
		counts[2] = (int)eight.meta_group_size();
		counts[3] = (int)cg::tiled_partition<8>(block).meta_group_size();
	}
}

int main()
{
	int *d, h[11];
	cudaMalloc(&d, sizeof h);
	tiles<<<1, 32>>>(d, d + 4, d + 8);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("sums %d %d %d %d, scan %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
	printf("%d together, ranks to %d; %d have label 3\n", h[8], h[9], h[10]);
	tiles_of_tiles<<<1, 64>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d of %d in a tile of 8, of %d in a tile of 32, of %d in the block\n", h[0], h[1], h[2], h[3]);
}
