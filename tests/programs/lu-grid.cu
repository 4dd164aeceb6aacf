// LU decomposition by the whole grid at once: a cooperative launch whose blocks wait for one another after each column.
// out: L times U is the matrix
#include <cmath>
#include <cooperative_groups.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
const int n = 24;

__global__ void decompose(double *a)
{
	cg::grid_group grid = cg::this_grid();
	for (int k = 0; k < n - 1; k++) {
		for (int i = k + 1 + (int)grid.thread_rank(); i < n; i += (int)grid.size())
			a[i * n + k] /= a[k * n + k];
		grid.sync();
		int rest = n - k - 1;
		for (int t = (int)grid.thread_rank(); t < rest * rest; t += (int)grid.size()) {
			int i = k + 1 + t / rest, j = k + 1 + t % rest;
			a[i * n + j] -= a[i * n + k] * a[k * n + j];
		}
		grid.sync();
	}
}

int main()
{
	std::vector<double> a(n * n), lu(n * n);
	for (int i = 0; i < n * n; i++)
		a[i] = (i * 7 % 13) + (i % (n + 1) == 0 ? 20 : 0);
	double *d, worst = 0;
	cudaMalloc(&d, a.size() * sizeof *d);
	cudaMemcpy(d, a.data(), a.size() * sizeof *d, cudaMemcpyHostToDevice);
	void *arguments[] = {&d};
	cudaError_t error = cudaLaunchCooperativeKernel((const void *)decompose, dim3(4), dim3(64), arguments, 0, 0);
	cudaMemcpy(lu.data(), d, a.size() * sizeof *d, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double sum = 0;
			for (int k = 0; k <= (i < j ? i : j); k++)
				sum += (k == i ? 1 : lu[i * n + k]) * lu[k * n + j];
			worst = std::fmax(worst, std::fabs(sum - a[i * n + j]));
		}
	puts(!error && worst < 1e-9 ? "L times U is the matrix" : cudaGetErrorString(error));
}
