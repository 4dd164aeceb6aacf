// Cooperative groups: tiles of several warps, which meet in shared memory that the system reserves, beside what the kernel has of its own.
// out: 64: sums 2016 6112 10208 14304, scans 0 127 254 381 and 443
// out: 128: sums 8128 24512, any 1 0, moved 5 133
// out: 256: sum 32640, rounds 10, own 255
// out: no error
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;
#define THREADS 256

template <unsigned size> __global__ void tiles(int *out)
{
	__shared__ cg::block_tile_memory<THREADS> memory;
	__shared__ int own[THREADS];
	auto block = cg::this_thread_block(memory);
	auto tile = cg::tiled_partition<size>(block);
	int rank = (int)block.thread_rank(), group = (int)tile.meta_group_rank(), within = (int)tile.thread_rank();
	own[rank] = rank;

	int sum = cg::reduce(tile, rank, cg::plus<int>());
	int scan = cg::exclusive_scan(tile, within == 0 ? 127 * group : 1, cg::plus<int>());
	int any = tile.any(rank == 5), moved = tile.shfl(own[rank], 5);
	/* Neighbors of a tile, round after round: each needs that the whole tile has come. */
	int rounds = 0;
	for (int i = 0; i < 10; i++) {
		own[group * (int)size + (within + 1) % (int)size] = rank + i;
		tile.sync();
		rounds += own[rank] == group * (int)size + (within + (int)size - 1) % (int)size + i;
		tile.sync();
	}
	own[rank] = rank;
	block.sync();
	int *at = out + rank * 6;
	at[0] = sum, at[1] = scan, at[2] = any, at[3] = moved, at[4] = rounds, at[5] = own[THREADS - 1 - rank];
}

int main()
{
	static int h[THREADS][6];
	int *d;
	cudaMalloc(&d, sizeof h);

	tiles<64><<<1, THREADS>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("64: sums %d %d %d %d, scans %d %d %d %d and %d\n", h[0][0], h[64][0], h[128][0], h[192][0], h[1][1], h[65][1], h[129][1],
		h[193][1], h[255][1]);
	tiles<128><<<1, THREADS>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("128: sums %d %d, any %d %d, moved %d %d\n", h[0][0], h[128][0], h[0][2], h[128][2], h[0][3], h[128][3]);
	tiles<256><<<1, THREADS>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	int fewest = 10;
	for (auto &thread : h)
		fewest = thread[4] < fewest ? thread[4] : fewest;
	printf("256: sum %d, rounds %d, own %d\n", h[0][0], fewest, h[0][5]);
	cudaFree(d);
	printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
