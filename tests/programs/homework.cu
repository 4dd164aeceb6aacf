// A student's program: sums of the rows of a table, wrong for want of a barrier in line 19's loop. README.md shows it.
// args: 4
// check: all
// says: nothing orders the two: a __syncthreads() is missing between them
// says: note: in row_sums<<<4, 128>>>
// says: homework.cu:19: race: thread 32 of block 0 stores
// out: row 0: 4560
// out: row 1: 16848
// out: row 2: 29136
// out: row 3: 41424
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int tree(int *part, int t)
{
	for (int half = blockDim.x / 2; half > 0; half /= 2) {
		if (t < half)
			part[t] += part[t + half];
	}
	return part[0];
}

__global__ void row_sums(const int *table, int *sums)
{
	__shared__ int part[128];
	part[threadIdx.x] = table[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	int sum = tree(part, threadIdx.x);
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}

int main(int argc, char **argv)
{
	int rows = argc > 1 ? atoi(argv[1]) : 2;
	std::vector<int> table(rows * 128), sums(rows);
	for (size_t i = 0; i < table.size(); i++)
		table[i] = (int)i;
	int *d_table, *d_sums;
	cudaMalloc(&d_table, table.size() * sizeof(int));
	cudaMalloc(&d_sums, rows * sizeof(int));
	cudaMemcpy(d_table, table.data(), table.size() * sizeof(int), cudaMemcpyHostToDevice);
	row_sums<<<rows, 128>>>(d_table, d_sums);
	cudaMemcpy(sums.data(), d_sums, rows * sizeof(int), cudaMemcpyDeviceToHost);
	for (int r = 0; r < rows; r++)
		printf("row %d: %d\n", r, sums[r]);
}
