// Prefix sums: of warps by shuffles, of blocks through shared memory, of the grid by a second kernel.
// out: 1000 prefix sums, the last 499500
#include <cstdio>
#include <vector>

const int block = 256;

__device__ int scan_warp(int v)
{
	for (int step = 1; step < 32; step *= 2) {
		int other = __shfl_up_sync(0xFFFFFFFF, v, step);
		if (threadIdx.x % 32 >= step)
			v += other;
	}
	return v;
}

__global__ void scan_blocks(const int *in, int *out, int *totals, int n)
{
	__shared__ int warps[block / 32];
	int i = blockIdx.x * block + threadIdx.x, v = scan_warp(i < n ? in[i] : 0);
	if (threadIdx.x % 32 == 31)
		warps[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x < 32) {
		int sum = scan_warp(threadIdx.x < block / 32 ? warps[threadIdx.x] : 0);
		if (threadIdx.x < block / 32)
			warps[threadIdx.x] = sum;
	}
	__syncthreads();
	if (threadIdx.x >= 32)
		v += warps[threadIdx.x / 32 - 1];
	if (i < n)
		out[i] = v;
	if (threadIdx.x == block - 1)
		totals[blockIdx.x] = v;
}

__global__ void add_before(int *out, const int *totals, int n)
{
	int i = blockIdx.x * block + threadIdx.x, before = 0;
	for (unsigned b = 0; b < blockIdx.x; b++)
		before += totals[b];
	if (i < n)
		out[i] += before;
}

int main()
{
	const int n = 1000, blocks = (n + block - 1) / block;
	std::vector<int> in(n), out(n);
	int *d, *sums, *totals, wrong = 0, sum = 0;
	for (int i = 0; i < n; i++)
		in[i] = i;
	cudaMalloc(&d, n * sizeof *d);
	cudaMalloc(&sums, n * sizeof *sums);
	cudaMalloc(&totals, blocks * sizeof *totals);
	cudaMemcpy(d, in.data(), n * sizeof *d, cudaMemcpyHostToDevice);
	scan_blocks<<<blocks, block>>>(d, sums, totals, n);
	add_before<<<blocks, block>>>(sums, totals, n);
	cudaMemcpy(out.data(), sums, n * sizeof *sums, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		wrong += out[i] != (sum += i);
	if (wrong)
		printf("%d wrong\n", wrong);
	printf("%d prefix sums, the last %d\n", n, out[n - 1]);
}
