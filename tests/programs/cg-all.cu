// Cooperative groups: partitions of groups that are known when the kernel runs, shuffles of structures, scans, updates, the grid's barrier in two
// halves.
// out: 64 32 8
// out: groups 2016 4 7 3 20
// out: structures 1.5 7 3
// out: partitions 16 10 11 2
// out: scans 496 31 62 1008 32
// out: labels 7 5 4
// out: grid 28 8 7
// out: one 42 7
// nvcc: -arch=compute_80
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cstdio>
namespace cg = cooperative_groups;
struct particle {
	double mass;
	int id;
	char kind;
};
__device__ void say(cg::thread_group g)
{
	if (threadIdx.x == 0)
		printf(g.size() == 8 ? "%u\n" : "%u ", (unsigned)g.size());
}
template <typename Group> __device__ int sum_of(const Group &g, int v)
{
	for (int step = g.size() / 2; step > 0; step /= 2)
		v += g.shfl_down(v, step);
	return g.shfl(v, 0);
}
__global__ void runtime_sizes()
{
	cg::thread_block b = cg::this_thread_block();
	say(b);
	auto t = cg::tiled_partition(b, 32);
	say(t);
	auto u = cg::tiled_partition(t, 8);
	say(u);
	u.sync();
	cg::sync(b);
}
__global__ void groups(int *out)
{
	cg::thread_block b = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(b);
	cg::thread_block_tile<4> quad = cg::tiled_partition<4>(warp);
	int rank = (int)b.thread_rank(), all = cg::reduce(warp, rank, cg::plus<int>());
	if (warp.thread_rank() == 0)
		atomicAdd(&out[0], all);
	if (rank == 7)
		out[1] = (int)quad.size(), out[3] = (int)quad.thread_rank();
	int most = cg::reduce(quad, rank, cg::greater<int>());
	if (rank == 4)
		out[2] = most;
	if (rank < 20) {
		auto here = cg::coalesced_threads();
		int n = (int)here.size();
		auto third = cg::tiled_partition(here, 8);
		if (rank == 19)
			out[4] = n, out[9] = (int)third.size() * 4 + (int)third.thread_rank() * 0;
		third.sync();
	}
	particle p = {1.5 * rank, rank + 6, (char)(rank + 2)};
	particle q = warp.shfl(p, 1);
	if (rank == 0)
		out[5] = (int)(q.mass * 10), out[6] = q.id, out[7] = q.kind;
	auto odd = cg::binary_partition(warp, rank % 2 == 1);
	if (rank == 9)
		out[8] = (int)odd.size();
	if (rank < 32) {
		auto low = cg::binary_partition(cg::coalesced_threads(), rank < 10);
		if (rank == 3)
			out[10] = (int)low.size();
		if (rank == 30)
			out[11] = (int)low.thread_rank() - 9;
	}
	if (rank == 0)
		out[12] = (int)warp.meta_group_size();
}
__global__ void scans(int *out, cuda::atomic<int, cuda::thread_scope_device> *total)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int v = (int)warp.thread_rank(), up = cg::inclusive_scan(warp, v), before = cg::exclusive_scan(warp, 1);
	int most = cg::inclusive_scan(warp, 2 * v, cg::greater<int>());
	int at = cg::exclusive_scan_update(warp, *total, 1, cg::plus<int>());
	cg::reduce_update_async(warp, *total, v + 15, cg::plus<int>());
	warp.sync();
	if (v == 31)
		out[0] = up, out[1] = before, out[2] = most, out[3] = total->load(), out[4] = at + 1;
}
__global__ void labels(int *out)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int v = (int)warp.thread_rank();
	auto g = cg::labeled_partition(warp, v % 5);
	if (v == 1)
		out[0] = (int)g.size(), out[1] = (int)g.meta_group_size();
	if (v == 24)
		out[2] = (int)g.thread_rank();
}
__global__ void grid(int *out)
{
	cg::grid_group g = cg::this_grid();
	if (threadIdx.x == 0)
		out[1 + g.block_rank()] = (int)g.block_rank();
	auto token = g.barrier_arrive();
	g.barrier_wait(std::move(token));
	g.sync();
	if (g.thread_rank() == 0) {
		int sum = 0;
		for (unsigned i = 0; i < g.num_blocks(); i++)
			sum += out[1 + i];
		out[0] = sum;
		out[31] = (int)g.num_blocks();
	}
}
__global__ void one(int *out)
{
	__shared__ int part[64];
	auto b = cg::this_thread_block();
	cg::memcpy_async(b, part, out, sizeof part);
	cg::wait(b);
	auto warp = cg::tiled_partition<32>(b);
	int v = cg::invoke_one_broadcast(warp, [&] { return part[1] + 41; });
	cg::invoke_one(b, [&] { out[0] = v; });
	auto token = b.barrier_arrive();
	b.barrier_wait(std::move(token));
}
int main()
{
	int h[64], *d;
	cudaMalloc(&d, sizeof h);
	cudaMemset(d, 0, sizeof h);
	runtime_sizes<<<1, 64>>>();
	groups<<<1, 64>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("groups %d %d %d %d %d\nstructures %g %d %d\npartitions %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5] / 10.0, h[6], h[7], h[8], h[10],
		h[11], h[12]);
	cudaMemset(d, 0, sizeof h);
	scans<<<1, 32>>>(d, (cuda::atomic<int, cuda::thread_scope_device> *)(d + 60));
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("scans %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
	labels<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("labels %d %d %d\n", h[0], h[1], h[2]);
	void *args[] = {&d};
	cudaLaunchCooperativeKernel((const void *)grid, dim3(8), dim3(64), args, 0, 0);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("grid %d %d %d\n", h[0], h[31], h[8]);
	h[1] = 1;
	cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
	one<<<1, 64>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("one %d %d\n", h[0], h[8]);
	cudaFree(d);
}
