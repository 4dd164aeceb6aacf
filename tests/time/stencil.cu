// Stencils: each word of the result from its neighbors.
#include "simt.h"

#define RADIUS 4
#define WIDE 256

extern "C" __global__ void stencil_line(const float *from, float *to, unsigned n)
{
	__shared__ float row[WIDE + 2 * RADIUS];
	int i = blockIdx.x * WIDE + threadIdx.x, last = n - 1;
	row[threadIdx.x + RADIUS] = from[min(i, last)];
	if (threadIdx.x < RADIUS) {
		row[threadIdx.x] = from[max(i - RADIUS, 0)];
		row[threadIdx.x + RADIUS + WIDE] = from[min(i + WIDE, last)];
	}
	__syncthreads();
	float sum = 0;
	for (int k = -RADIUS; k <= RADIUS; k++)
		sum += row[threadIdx.x + RADIUS + k] * (1.0f / (1 + k * k));
	if (i <= last)
		to[i] = sum;
}

extern "C" __global__ void stencil_five(const float *from, float *to, unsigned n)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
		return;
	unsigned i = y * n + x;
	to[i] = 0.2f * (from[i] + from[i - 1] + from[i + 1] + from[i - n] + from[i + n]);
}

extern "C" __global__ void stencil_tiled(const float *from, float *to, unsigned n)
{
	__shared__ float tile[18][34];
	unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	for (unsigned r = threadIdx.y; r < 18; r += 16) {
		for (unsigned c = threadIdx.x; c < 34; c += 32) {
			unsigned fx = min(max(blockIdx.x * 32 + c, 1u) - 1, n - 1), fy = min(max(blockIdx.y * 16 + r, 1u) - 1, n - 1);
			tile[r][c] = from[fy * n + fx];
		}
	}
	__syncthreads();
	unsigned r = threadIdx.y + 1, c = threadIdx.x + 1;
	float sum = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			sum += tile[r + dy][c + dx];
	if (x < n && y < n)
		to[y * n + x] = sum / 9;
}

extern "C" __global__ void stencil_seven(const double *from, double *to, unsigned n)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, area = n * n;
	if (x >= n - 1 || y >= n - 1)
		return;
	unsigned i = area + y * n + x;
	double below = from[i - area], here = from[i];
	for (unsigned z = 1; z < n - 1; z++, i += area) {
		double above = from[i + area];
		to[i] = 0.5 * here + 0.1 * (from[i - 1] + from[i + 1] + from[i - n] + from[i + n] + below + above);
		below = here;
		here = above;
	}
}

extern "C" __global__ void life(const unsigned char *from, unsigned char *to, unsigned n)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned alive = 0;
	for (unsigned dy = n - 1; dy <= n + 1; dy++)
		for (unsigned dx = n - 1; dx <= n + 1; dx++)
			alive += from[(y + dy) % n * n + (x + dx) % n] & 1;
	alive -= from[y * n + x] & 1;
	to[y * n + x] = alive == 3 || (alive == 2 && (from[y * n + x] & 1));
}
