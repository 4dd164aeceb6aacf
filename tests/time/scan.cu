// Scans: running sums.
#include "simt.h"

// Each block its own words, one per thread: steps of 1, 2, 4, ... in shared memory.
extern "C" __global__ void scan_steps(const unsigned *from, unsigned *to)
{
	__shared__ unsigned sums[2][1024];
	unsigned t = threadIdx.x, n = blockDim.x, at = 0;
	sums[0][t] = from[blockIdx.x * n + t];
	__syncthreads();
	for (unsigned d = 1; d < n; d *= 2, at ^= 1) {
		sums[at ^ 1][t] = sums[at][t] + (t >= d ? sums[at][t - d] : 0);
		__syncthreads();
	}
	to[blockIdx.x * n + t] = sums[at][t];
}

// A tree, up and down.
extern "C" __global__ void scan_tree(const unsigned *from, unsigned *to)
{
	__shared__ unsigned tree[2048];
	unsigned t = threadIdx.x, n = 2 * blockDim.x, step = 1;
	tree[2 * t] = from[blockIdx.x * n + 2 * t];
	tree[2 * t + 1] = from[blockIdx.x * n + 2 * t + 1];
	for (unsigned d = n / 2; d > 0; d /= 2, step *= 2) {
		__syncthreads();
		if (t < d)
			tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
	}
	if (t == 0)
		tree[n - 1] = 0;
	for (unsigned d = 1; d < n; d *= 2) {
		step /= 2;
		__syncthreads();
		if (t < d) {
			unsigned left = tree[step * (2 * t + 1) - 1];
			tree[step * (2 * t + 1) - 1] = tree[step * (2 * t + 2) - 1];
			tree[step * (2 * t + 2) - 1] += left;
		}
	}
	__syncthreads();
	to[blockIdx.x * n + 2 * t] = tree[2 * t];
	to[blockIdx.x * n + 2 * t + 1] = tree[2 * t + 1];
}

// Four words a thread, warps by shuffles.
extern "C" __global__ void scan_warps(const uint4 *from, uint4 *to)
{
	__shared__ unsigned warps[32];
	unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, i = blockIdx.x * blockDim.x + t;
	uint4 v = from[i];
	v.y += v.x;
	v.z += v.y;
	v.w += v.z;
	unsigned sum = v.w;
	for (unsigned d = 1; d < 32; d *= 2) {
		unsigned before = __shfl_up_sync(0xFFFFFFFF, sum, d);
		sum += lane >= d ? before : 0;
	}
	if (lane == 31)
		warps[warp] = sum;
	__syncthreads();
	unsigned base = sum - v.w;
	for (unsigned w = 0; w < warp; w++)
		base += warps[w];
	to[i] = make_uint4(v.x + base, v.y + base, v.z + base, v.w + base);
}
