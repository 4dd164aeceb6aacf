// Groups of threads: blocks, tiles of sizes that are known and that are not, those that came together, parts by label.
// out: 32640 1520 92 2544 31 40 255 496 32 105 256 1440400 256 65520 5 16 8 1 0 256 8 10 0 11 15 65536 24
// out: 86
#include <cstdio>
#include <cstdlib>
#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                                  \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
using namespace cooperative_groups;
__device__ int sumReduce(thread_group g, int *temp, int val)
{
	int lane = g.thread_rank();
	for (int i = g.size() / 2; i > 0; i /= 2) {
		temp[lane] = val;
		g.sync();
		if (lane < i)
			val += temp[lane + i];
		g.sync();
	}
	return val;
}
template <typename G> __device__ int sumTile(G g, int v)
{
	for (int i = g.size() / 2; i > 0; i /= 2)
		v += g.shfl_down(v, i);
	return v;
}
__device__ int aggInc(int *c)
{
	auto g = cg::coalesced_threads();
	int b;
	if (g.thread_rank() == 0)
		b = atomicAdd(c, g.size());
	return g.shfl(b, 0) + g.thread_rank();
}
__global__ void k(int *o, int *ctr)
{
	__shared__ int temp[256];
	auto b = this_thread_block();
	int t = b.thread_rank();
	int r = sumReduce(b, temp, t);
	if (t == 0)
		o[0] = r;
	b.sync();
	auto t32 = tiled_partition<32>(b);
	auto t8 = cg::tiled_partition<8>(t32);
	auto t16 = tiled_partition<16>(this_thread_block());
	r = sumTile(t32, t);
	if (t == 32)
		o[1] = r;
	r = sumTile(t8, t);
	if (t == 8)
		o[2] = r;
	r = cg::reduce(t32, t, cg::plus<int>());
	if (t == 64)
		o[3] = r;
	r = cg::reduce(t16, t, cg::greater<int>());
	if (t == 17)
		o[4] = r;
	r = cg::reduce(t8, t ^ 5, cg::less<int>());
	if (t == 40)
		o[5] = r;
	unsigned u = cg::reduce(t8, 1u << (t & 7), cg::bit_or<unsigned>());
	if (t == 3)
		o[6] = u;
	double dd = cg::reduce(t32, (double)t, cg::plus<double>());
	if (t == 5)
		o[7] = (int)dd;
	int sc = cg::inclusive_scan(t32, 1);
	if (t == 63)
		o[8] = sc;
	sc = cg::exclusive_scan(t16, t, cg::plus<int>());
	if (t == 15)
		o[9] = sc;
	if (t % 3 == 0) {
		int p = aggInc(ctr);
		(void)p;
	}
	if (t < 40 && t % 2) {
		auto c = coalesced_threads();
		int m = cg::reduce(c, t, cg::plus<int>());
		if (t == 1)
			o[10] = m;
		if (t == 33)
			o[11] = c.size() * 100 + c.thread_rank() + m * 10000;
		int s = cg::inclusive_scan(c, t);
		if (t == 31)
			o[12] = s;
		unsigned bb = c.ballot(t > 8);
		if (t == 1)
			o[13] = bb;
	}
	auto lab = cg::labeled_partition(cg::coalesced_threads(), t / 5);
	int ls = cg::reduce(lab, 1, cg::plus<int>());
	if (t == 12)
		o[14] = ls;
	auto bin = cg::binary_partition(t32, t & 1);
	if (t == 1)
		o[15] = bin.size();
	if (t32.meta_group_rank() == 3 && t32.thread_rank() == 0)
		o[16] = t32.meta_group_size();
	if (t == 9) {
		o[17] = t8.meta_group_rank();
		o[18] = b.group_index().x;
		o[19] = b.dim_threads().x;
	}
	int sh = t8.shfl_xor(t, 1);
	if (t == 9)
		o[20] = sh;
	sh = t8.shfl_up(t, 2);
	if (t == 12)
		o[21] = sh;
	if (t == 9)
		o[22] = 0;
	int any = t8.any(t == 14), all = t16.all(t < 32);
	if (t == 9)
		o[23] = any * 10 + all;
	unsigned ma = t32.match_any(t / 4);
	if (t == 33)
		o[24] = ma;
	int pred;
	unsigned ml = t16.match_all(7, pred);
	if (t == 20)
		o[25] = ml + pred;
	thread_group dyn = tiled_partition(b, 4);
	if (t == 6)
		o[26] = dyn.thread_rank() * 10 + dyn.size();
}
int main()
{
	int *o, h[64] = {};
	CHECK(cudaMalloc(&o, 256));
	CHECK(cudaMemset(o, 0, 256));
	int *c;
	CHECK(cudaMalloc(&c, 4));
	CHECK(cudaMemset(c, 0, 4));
	k<<<1, 256>>>(o, c);
	CHECK(cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 27; i++)
		printf(i ? " %d" : "%d", h[i]);
	printf("\n");
	CHECK(cudaMemcpy(h, c, 4, cudaMemcpyDeviceToHost));
	printf("%d\n", h[0]);
	CHECK(cudaFree(o));
	CHECK(cudaFree(c));
	return 0;
}
