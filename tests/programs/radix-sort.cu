// A radix sort of keys with values, four bits at a time: counts, a scan of them, and a stable scatter by one block's ranks.
// out: 256 pairs sorted, and equal keys stay in order
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

const int n = 256, digits = 16;

__global__ void pass(const unsigned *keys, const int *values, unsigned *to_keys, int *to_values, int shift)
{
	__shared__ int counts[digits][n / 32], starts[digits][n / 32];
	int i = threadIdx.x, warp = i / 32, lane = i % 32;
	int digit = keys[i] >> shift & (digits - 1);
	unsigned same = 0xFFFFFFFF;
	for (int bit = 0; bit < 4; bit++) {
		unsigned ballot = __ballot_sync(0xFFFFFFFF, digit >> bit & 1);
		same &= digit >> bit & 1 ? ballot : ~ballot;
	}
	int rank = __popc(same & ((1u << lane) - 1));
	for (int k = i; k < digits * (n / 32); k += n)
		(&counts[0][0])[k] = 0;
	__syncthreads();
	if (rank == 0)
		counts[digit][warp] = __popc(same);
	__syncthreads();
	if (i == 0) {
		int sum = 0;
		for (int d = 0; d < digits; d++)
			for (int w = 0; w < n / 32; w++) {
				starts[d][w] = sum;
				sum += counts[d][w];
			}
	}
	__syncthreads();
	int to = starts[digit][warp] + rank;
	to_keys[to] = keys[i];
	to_values[to] = values[i];
}

int main()
{
	std::vector<std::pair<unsigned, int>> pairs(n);
	std::vector<unsigned> keys(n);
	std::vector<int> values(n);
	unsigned seed = 3, *dk[2];
	int *dv[2];
	for (int i = 0; i < n; i++) {
		seed = seed * 1664525 + 1013904223;
		pairs[i] = {keys[i] = seed >> 20 & 0xFF, values[i] = i};
	}
	for (int k = 0; k < 2; k++) {
		cudaMalloc(&dk[k], n * sizeof(unsigned));
		cudaMalloc(&dv[k], n * sizeof(int));
	}
	cudaMemcpy(dk[0], keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
	cudaMemcpy(dv[0], values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
	pass<<<1, n>>>(dk[0], dv[0], dk[1], dv[1], 0);
	pass<<<1, n>>>(dk[1], dv[1], dk[0], dv[0], 4);
	cudaMemcpy(keys.data(), dk[0], n * sizeof(unsigned), cudaMemcpyDeviceToHost);
	cudaMemcpy(values.data(), dv[0], n * sizeof(int), cudaMemcpyDeviceToHost);
	std::stable_sort(pairs.begin(), pairs.end(), [](auto &a, auto &b) { return a.first < b.first; });
	bool same = true;
	for (int i = 0; i < n; i++)
		same &= pairs[i].first == keys[i] && pairs[i].second == values[i];
	printf("%d pairs %s\n", n, same ? "sorted, and equal keys stay in order" : "are wrong");
}
