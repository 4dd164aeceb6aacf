// Cooperative groups: tiles of a warp, reductions and scans of them, coalesced threads, a partition by a label.
// out: sums 28 92 156 220, scan 0 0 1 3
// out: 11 together, ranks to 10; 8 have label 3
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

int main()
{
	int *d, h[11];
	cudaMalloc(&d, sizeof h);
	tiles<<<1, 32>>>(d, d + 4, d + 8);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("sums %d %d %d %d, scan %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
	printf("%d together, ranks to %d; %d have label 3\n", h[8], h[9], h[10]);
}
