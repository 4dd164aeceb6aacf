// k-means of points around three centers: the nearest center of each point, sums by atomic additions, until nothing moves.
// out: (10, 10) of 40 points
// out: (50, 20) of 40 points
// out: (30, 60) of 40 points
#include <cstdio>

const int n = 120, k = 3;

__constant__ float2 centers[k];

__global__ void assign(const float2 *points, int *nearest, float2 *sums, int *counts)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
	if (i >= n)
		return;
	float least = 1e30f;
	for (int c = 0; c < k; c++) {
		float x = points[i].x - centers[c].x, y = points[i].y - centers[c].y;
		if (x * x + y * y < least) {
			least = x * x + y * y;
			best = c;
		}
	}
	nearest[i] = best;
	atomicAdd(&sums[best].x, points[i].x);
	atomicAdd(&sums[best].y, points[i].y);
	atomicAdd(&counts[best], 1);
}

int main()
{
	static const float2 truth[k] = {{10, 10}, {50, 20}, {30, 60}};
	float2 points[n], now[k], *d, *sums, total[k];
	int *nearest, *counts, count[k];
	for (int i = 0; i < n; i++) /* in pairs on both sides of a center */
		points[i] = make_float2(truth[i % k].x + (i / k % 2 ? 1 : -1) * (1 + i / k / 2 % 5),
			truth[i % k].y + (i / k % 2 ? -1 : 1) * (1 + i / k / 2 % 3));
	for (int c = 0; c < k; c++)
		now[c] = points[c];
	cudaMalloc(&d, sizeof points);
	cudaMalloc(&nearest, n * sizeof(int));
	cudaMalloc(&sums, sizeof total);
	cudaMalloc(&counts, sizeof count);
	cudaMemcpy(d, points, sizeof points, cudaMemcpyHostToDevice);
	for (bool moved = true; moved;) {
		moved = false;
		cudaMemcpyToSymbol(centers, now, sizeof now);
		cudaMemset(sums, 0, sizeof total);
		cudaMemset(counts, 0, sizeof count);
		assign<<<4, 32>>>(d, nearest, sums, counts);
		cudaMemcpy(total, sums, sizeof total, cudaMemcpyDeviceToHost);
		cudaMemcpy(count, counts, sizeof count, cudaMemcpyDeviceToHost);
		for (int c = 0; c < k; c++) {
			float2 mean = make_float2(total[c].x / count[c], total[c].y / count[c]);
			moved |= mean.x != now[c].x || mean.y != now[c].y;
			now[c] = mean;
		}
	}
	for (int c = 0; c < k; c++)
		printf("(%g, %g) of %d points\n", now[c].x, now[c].y, count[c]);
}
