// Products of a sparse matrix and a vector. Row r has 1 + (r * 7) % most entries, at columns that look random.
#include "simt.h"

static __device__ __forceinline__ unsigned mix(unsigned x)
{
	x ^= x >> 16;
	x *= 0x7feb352d;
	x ^= x >> 15;
	x *= 0x846ca68b;
	return x ^ x >> 16;
}

// A row per thread; the columns are read.
extern "C" __global__ void sparse_threads(
	const unsigned *columns, const float *values, const float *x, float *y, unsigned rows, unsigned most)
{
	unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
	if (r >= rows)
		return;
	float sum = 0;
	unsigned n = 1 + r * 7 % most;
	for (unsigned k = r * most; k < r * most + n; k++)
		sum += values[k] * x[columns[k] % rows];
	y[r] = sum;
}

// A row per warp.
extern "C" __global__ void sparse_warps(
	const unsigned *columns, const float *values, const float *x, float *y, unsigned rows, unsigned most)
{
	unsigned r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	if (r >= rows)
		return;
	float sum = 0;
	unsigned n = 1 + r * 7 % most;
	for (unsigned k = lane; k < n; k += 32)
		sum += values[r * most + k] * x[columns[r * most + k] % rows];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xFFFFFFFF, sum, d);
	if (lane == 0)
		y[r] = sum;
}

// Columns first: entry k of all rows side by side.
extern "C" __global__ void sparse_columns(
	const unsigned *columns, const float *values, const float *x, float *y, unsigned rows, unsigned most)
{
	unsigned r = blockIdx.x * blockDim.x + threadIdx.x;
	if (r >= rows)
		return;
	float sum = 0;
	for (unsigned k = 0; k < most; k++)
		sum += values[k * rows + r] * x[columns[k * rows + r] % rows];
	y[r] = sum;
}

// A graph whose edges are computed: levels of a search in breadth.
extern "C" __global__ void relax(const unsigned *level, unsigned *next, unsigned n, unsigned degree)
{
	unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
	if (v >= n)
		return;
	unsigned least = level[v];
	for (unsigned e = 0; e < degree; e++)
		least = min(least, level[mix(v * degree + e) % n] + 1);
	next[v] = least;
}
