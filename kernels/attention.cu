// Attention: for each of n queries, weights for all n keys, and the sum of their values by these weights. Queries, keys and values are 8
// numbers each. The heads are independent of one another, one after the other in memory and in blockIdx.y.
#include "clang.h"

#define DIM 8
#define TILE 32

#if defined(__NVCC__) || defined(__CUDACC_RTC__)
typedef float4 four;
#else
typedef float four __attribute__((ext_vector_type(4)));
#endif

static __device__ __forceinline__ float dot(const four *a, const four *b)
{
	return a[0].x * b[0].x + a[0].y * b[0].y + a[0].z * b[0].z + a[0].w * b[0].w + a[1].x * b[1].x + a[1].y * b[1].y +
		a[1].z * b[1].z + a[1].w * b[1].w;
}

static __device__ __forceinline__ void add_weighted(four *sum, float down, four value, float weight)
{
	sum->x = sum->x * down + value.x * weight;
	sum->y = sum->y * down + value.y * weight;
	sum->z = sum->z * down + value.z * weight;
	sum->w = sum->w * down + value.w * weight;
}

// A thread for each query and key: how well they fit, to a matrix of n × n.
extern "C" __global__ void scores(const float *q, const float *k, const float *v, float *matrix, float *out, unsigned n)
{
	unsigned key = blockIdx.x * blockDim.x + threadIdx.x, query = key / n, head = blockIdx.y;
	const four *rows = (const four *)q + head * n * 2, *columns = (const four *)k + head * n * 2;
	float score = dot(rows + 2 * query, columns + key % n * 2);
	matrix[head * n * n + key] = score; //@ scores
}

static __device__ __forceinline__ float warp_max(float x)
{
	for (unsigned half = 16; half > 0; half /= 2)
		x = fmaxf(x, __shfl_xor_sync(0xFFFFFFFF, x, half));
	return x;
}

static __device__ __forceinline__ float warp_sum(float x)
{
	for (unsigned half = 16; half > 0; half /= 2)
		x += __shfl_xor_sync(0xFFFFFFFF, x, half);
	return x;
}

// A warp for each row of the matrix: its scores become weights whose sum is 1.
extern "C" __global__ void weights(const float *q, const float *k, const float *v, float *matrix, float *out, unsigned n)
{
	unsigned lane = threadIdx.x % 32;
	float *row = matrix + (blockIdx.y * n + (blockIdx.x * blockDim.x + threadIdx.x) / 32) * n, most = -1e30f, sum = 0;
	#pragma unroll 1
	for (unsigned key = lane; key < n; key += 32)
		most = fmaxf(most, row[key]); //@ weights
	most = warp_max(most);
	#pragma unroll 1
	for (unsigned key = lane; key < n; key += 32)
		sum += __expf(row[key] - most);
	sum = warp_sum(sum);
	#pragma unroll 1
	for (unsigned key = lane; key < n; key += 32)
		row[key] = __expf(row[key] - most) / sum;
}

// The same with one loop for the largest score and the sum: when a larger one comes, the sum so far is scaled down.
extern "C" __global__ void running(const float *q, const float *k, const float *v, float *matrix, float *out, unsigned n)
{
	unsigned lane = threadIdx.x % 32;
	float *row = matrix + (blockIdx.y * n + (blockIdx.x * blockDim.x + threadIdx.x) / 32) * n, most = -1e30f, sum = 0;
	#pragma unroll 1
	for (unsigned key = lane; key < n; key += 32) {
		float score = row[key], larger = fmaxf(most, score); //@ running
		sum = sum * __expf(most - larger) + __expf(score - larger);
		most = larger;
	}
	float all = warp_max(most);
	sum = warp_sum(sum * __expf(most - all));
	#pragma unroll 1
	for (unsigned key = lane; key < n; key += 32)
		row[key] = __expf(row[key] - all) / sum;
}

// A thread for each number of the result: a row of weights times a column of the values.
extern "C" __global__ void product(const float *q, const float *k, const float *v, float *matrix, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, head = blockIdx.y;
	const float *row = matrix + (head * n + i / DIM) * n, *column = v + head * n * DIM + i % DIM;
	float sum = 0;
	#pragma unroll 4
	for (unsigned key = 0; key < n; key++)
		sum += row[key] * column[key * DIM]; //@ product
	out[head * n * DIM + i] = sum;
}

// A thread for each query, and a tile of keys and values at a time. There is no matrix.
extern "C" __global__ void fused(const float *q, const float *k, const float *v, float *matrix, float *out, unsigned n)
{
	__shared__ four keys[2 * TILE], values[2 * TILE];

	unsigned t = threadIdx.x, query = blockIdx.x * blockDim.x + t, head = blockIdx.y;
	const four *all_keys = (const four *)k + head * n * 2, *all_values = (const four *)v + head * n * 2;
	const four *mine = (const four *)q + (head * n + query) * 2;
	four own[2] = {mine[0], mine[1]}, a = {0, 0, 0, 0}, b = a;
	float most = -1e30f, sum = 0;
	#pragma unroll 1
	for (unsigned first = 0; first < n; first += TILE) {
		__syncthreads();
		#pragma unroll 1
		for (unsigned i = t; i < 2 * TILE; i += blockDim.x) {
			keys[i] = all_keys[2 * first + i]; //@ fused
			values[i] = all_values[2 * first + i];
		}
		__syncthreads();
		#pragma unroll 4
		for (unsigned key = 0; key < TILE; key++) {
			float score = dot(own, keys + 2 * key), larger = fmaxf(most, score);
			float down = __expf(most - larger), weight = __expf(score - larger);
			sum = sum * down + weight;
			add_weighted(&a, down, values[2 * key], weight);
			add_weighted(&b, down, values[2 * key + 1], weight);
			most = larger;
		}
	}
	four *to = (four *)out + (head * n + query) * 2, zero = {0, 0, 0, 0};
	add_weighted(&a, 1 / sum, zero, 0);
	add_weighted(&b, 1 / sum, zero, 0);
	to[0] = a;
	to[1] = b;
}
