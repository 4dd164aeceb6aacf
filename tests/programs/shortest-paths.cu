// All shortest paths of a graph by Floyd and Warshall, a launch for each node between.
// out: from 0 to 15: 10, longest 12
#include <algorithm>
#include <cstdio>

const int n = 16, far = 1 << 20;

__global__ void relax(int *distance, int between)
{
	int i = blockIdx.x, j = threadIdx.x;
	int through = distance[i * n + between] + distance[between * n + j];
	if (through < distance[i * n + j])
		distance[i * n + j] = through;
}

int main()
{
	int distance[n][n], host[n][n], *d, longest = 0;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			distance[i][j] = host[i][j] = i == j ? 0 : (i * 7 + j * 3) % 5 == 0 ? 2 + (i + j * 5) % 11 : far;
	cudaMalloc(&d, sizeof distance);
	cudaMemcpy(d, distance, sizeof distance, cudaMemcpyHostToDevice);
	for (int k = 0; k < n; k++) {
		relax<<<n, n>>>(d, k);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				host[i][j] = std::min(host[i][j], host[i][k] + host[k][j]);
	}
	cudaMemcpy(distance, d, sizeof distance, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			longest = std::max(longest, distance[i][j] < far ? distance[i][j] : 0);
			if (distance[i][j] != host[i][j])
				return 1;
		}
	printf("from 0 to %d: %d, longest %d\n", n - 1, distance[0][n - 1], longest);
}
