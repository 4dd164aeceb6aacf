// Dense rows and matrices.
#include "simt.h"

// y = a x, a row per warp.
extern "C" __global__ void matrix_vector(const float *a, const float *x, float *y, unsigned columns)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (unsigned k = lane; k < columns; k += 32)
		sum += a[row * columns + k] * x[k];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
	if (lane == 0)
		y[row] = sum;
}

// c = a b in tiles of 64 x 64, 4 x 4 words a thread.
extern "C" __global__ void matrix_matrix(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float left[16][64], top[16][64];
	unsigned t = threadIdx.x, x = t % 16, y = t / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
	float sum[4][4] = {};
	for (unsigned k = 0; k < n; k += 16) {
		for (unsigned i = t; i < 1024; i += 256) {
			left[i % 16][i / 16] = a[(row + i / 16) * n + k + i % 16];
			top[i / 64][i % 64] = b[(k + i / 64) * n + column + i % 64];
		}
		__syncthreads();
		for (unsigned i = 0; i < 16; i++) {
			float p[4], q[4];
			for (unsigned j = 0; j < 4; j++) {
				p[j] = left[i][y * 4 + j];
				q[j] = top[i][x + 16 * j];
			}
			for (unsigned u = 0; u < 4; u++)
				for (unsigned v = 0; v < 4; v++)
					sum[u][v] += p[u] * q[v];
		}
		__syncthreads();
	}
	for (unsigned u = 0; u < 4; u++)
		for (unsigned v = 0; v < 4; v++)
			c[(row + y * 4 + u) * n + column + x + 16 * v] = sum[u][v];
}

// A row per block: the largest, the sum of powers, the quotients.
extern "C" __global__ void softmax_rows(const float *from, float *to, unsigned n)
{
	__shared__ float warps[8];
	unsigned t = threadIdx.x;
	const float *row = from + (size_t)blockIdx.x * n;
	float most = -1e30f, sum = 0;
	for (unsigned i = t; i < n; i += 256)
		most = fmaxf(most, row[i]);
	for (int d = 16; d > 0; d /= 2)
		most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFF, most, d));
	if (t % 32 == 0)
		warps[t / 32] = most;
	__syncthreads();
	for (unsigned w = 0; w < 8; w++)
		most = fmaxf(most, warps[w]);
	__syncthreads();
	for (unsigned i = t; i < n; i += 256)
		sum += expf(row[i] - most);
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
	if (t % 32 == 0)
		warps[t / 32] = sum;
	__syncthreads();
	sum = 0;
	for (unsigned w = 0; w < 8; w++)
		sum += warps[w];
	for (unsigned i = t; i < n; i += 256)
		to[(size_t)blockIdx.x * n + i] = expf(row[i] - most) / sum;
}

// One step of all shortest paths.
extern "C" __global__ void shortest_paths(const unsigned *from, unsigned *to, unsigned n, unsigned via)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned way = from[y * n + via] / 2 + from[via * n + x] / 2;
	to[y * n + x] = min(way, from[y * n + x]);
}

// Convolution with 33 factors from constant memory.
__constant__ float factors[33] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};

extern "C" __global__ void convolve(const float *from, float *to, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned k = 0; k < 33; k++)
		sum += factors[k] * from[min(i + k, n - 1)];
	if (i < n)
		to[i] = sum;
}

// Distances of two words, along diagonals, with a barrier for each.
extern "C" __global__ void edit_distance(const unsigned char *a, const unsigned char *b, unsigned *out)
{
	__shared__ unsigned short row[3][257];
	unsigned t = threadIdx.x, n = blockDim.x, base = blockIdx.x * n;
	unsigned own = a[base + t] & 3;
	for (unsigned d = 0; d < 2 * n - 1; d++) {
		unsigned now = d % 3, last = (d + 2) % 3, before = (d + 1) % 3;
		if (t <= d && d - t < n) {
			unsigned j = d - t;
			unsigned up = t ? row[last][t - 1] : j + 1, left = j ? row[last][t] : t + 1;
			unsigned corner = t && j ? row[before][t - 1] : t + j;
			row[now][t] = (unsigned short)min(min(up, left) + 1, corner + ((b[base + j] & 3) != own));
		}
		__syncthreads();
	}
	if (t == n - 1)
		out[blockIdx.x] = row[(2 * n - 2) % 3][t];
}
