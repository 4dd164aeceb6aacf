// Twenty kernels that the model of time is judged by in the end: written after it, and not looked at before.
#include "simt.h"

extern "C" __global__ void final_axpby(const float *x, float *y, float a, float b, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = a * x[i] + b * y[i];
}

extern "C" __global__ void final_reverse(const float *from, float *to, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		to[n - 1 - i] = from[i];
}

// Points of three floats, one after the other, to three arrays.
extern "C" __global__ void final_split(const float *points, float *x, float *y, float *z, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	x[i] = points[3 * i];
	y[i] = points[3 * i + 1];
	z[i] = points[3 * i + 2];
}

extern "C" __global__ void final_sums(const unsigned *from, unsigned *to)
{
	__shared__ unsigned sums[512];
	unsigned t = threadIdx.x;
	sums[t] = from[blockIdx.x * 512 + t];
	for (unsigned step = 1; step < 512; step *= 2) {
		__syncthreads();
		unsigned at = (t + 1) * 2 * step - 1;
		if (at < 512)
			sums[at] += sums[at - step];
	}
	for (unsigned step = 128; step > 0; step /= 2) {
		__syncthreads();
		unsigned at = (t + 1) * 2 * step - 1;
		if (at + step < 512)
			sums[at + step] += sums[at];
	}
	__syncthreads();
	to[blockIdx.x * 512 + t] = sums[t];
}

extern "C" __global__ void final_largest(const unsigned *from, unsigned *largest, unsigned n)
{
	unsigned most = 0;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		most = from[i] > most ? from[i] : most;
	for (int step = 16; step > 0; step /= 2) {
		unsigned other = __shfl_xor_sync(0xFFFFFFFF, most, step);
		most = other > most ? other : most;
	}
	if (threadIdx.x % 32 == 0)
		atomicMax(largest, most);
}

// Heat in a rod: many steps of a piece of it in shared memory.
extern "C" __global__ void final_rod(const float *from, float *to, unsigned steps)
{
	__shared__ float now[258], next[258];
	unsigned t = threadIdx.x + 1, i = blockIdx.x * 256 + threadIdx.x;
	now[t] = from[i];
	if (threadIdx.x < 2)
		now[threadIdx.x * 257] = next[threadIdx.x * 257] = 0;
	__syncthreads();
	for (unsigned k = 0; k < steps; k++) {
		next[t] = now[t] + 0.25f * (now[t - 1] - 2 * now[t] + now[t + 1]);
		__syncthreads();
		now[t] = next[t];
		__syncthreads();
	}
	to[i] = now[t];
}

extern "C" __global__ void final_volume(const float *from, float *to, unsigned side)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x == 0 || y == 0 || x >= side - 1 || y >= side - 1)
		return;
	for (unsigned z = 1; z < side - 1; z++) {
		unsigned i = (z * side + y) * side + x;
		to[i] = from[i - 1] + from[i + 1] + from[i - side] + from[i + side] + from[i - side * side] + from[i + side * side] -
			6 * from[i];
	}
}

extern "C" __global__ void final_forces(const float *at, float *force, unsigned n)
{
	__shared__ float tile[128];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float here = at[i], sum = 0;
	for (unsigned first = 0; first < n; first += 128) {
		tile[threadIdx.x] = at[first + threadIdx.x];
		__syncthreads();
		for (unsigned k = 0; k < 128; k++) {
			float d = tile[k] - here, r = rsqrtf(d * d + 0.01f);
			sum += d * r * r * r;
		}
		__syncthreads();
	}
	force[i] = sum;
}

// 64 bins for each warp of the block.
extern "C" __global__ void final_bins(const unsigned *from, unsigned *bins, unsigned n)
{
	__shared__ unsigned mine[8][64];
	unsigned warp = threadIdx.x / 32;
	for (unsigned b = threadIdx.x; b < 512; b += blockDim.x)
		mine[b / 64][b % 64] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&mine[warp][from[i] >> 26], 1u);
	__syncthreads();
	for (unsigned b = threadIdx.x; b < 64; b += blockDim.x) {
		unsigned sum = 0;
		for (unsigned w = 0; w < 8; w++)
			sum += mine[w][b];
		atomicAdd(&bins[b], sum);
	}
}

// A sparse matrix whose rows have 1 to 64 elements, a warp for each row.
extern "C" __global__ void final_sparse(const unsigned *columns, const float *values, const float *x, float *y, unsigned size)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, n = 1 + (row * 2654435761u >> 26);
	float sum = 0;
	for (unsigned k = lane; k < n; k += 32)
		sum += values[row * 64 + k] * x[columns[row * 64 + k] & (size - 1)];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(0xFFFFFFFF, sum, step);
	if (lane == 0)
		y[row] = sum;
}

// Keys into a table with open addresses.
extern "C" __global__ void final_insert(const unsigned *keys, unsigned *table, unsigned size, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned key = keys[i] | 1, at = key * 2654435761u & (size - 1);
	for (unsigned k = 0; k < 64; k++, at = (at + 1) & (size - 1)) {
		unsigned old = atomicCAS(&table[at], 0u, key);
		if (old == 0 || old == key)
			return;
	}
}

extern "C" __global__ void final_swaps(const unsigned *from, unsigned *to)
{
	__shared__ unsigned part[256];
	unsigned t = threadIdx.x;
	part[t] = from[blockIdx.x * 256 + t];
	for (unsigned k = 0; k < 64; k++) {
		__syncthreads();
		unsigned a = 2 * t + (k & 1);
		if (a + 1 < 256 && part[a] > part[a + 1]) {
			unsigned v = part[a];
			part[a] = part[a + 1];
			part[a + 1] = v;
		}
	}
	__syncthreads();
	to[blockIdx.x * 256 + t] = part[t];
}

extern "C" __global__ void final_search(const unsigned *sorted, const unsigned *keys, unsigned *where, unsigned size)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i] & (size - 1), low = 0, high = size;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (sorted[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	where[i] = low;
}

extern "C" __global__ void final_mix(unsigned *out, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, h = i;
	for (unsigned r = 0; r < rounds; r++) {
		h ^= h >> 16;
		h *= 0x85EBCA6Bu;
		h ^= h >> 13;
		h *= 0xC2B2AE35u;
		h ^= h >> 16;
		h += r;
	}
	out[i] = h;
}

extern "C" __global__ void final_roots(const double *from, double *to, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	double a = from[i] + 2, x = a;
	for (unsigned r = 0; r < rounds; r++)
		x = 0.5 * (x + a / x);
	to[i] = x;
}

// A tile of 64 by 64, each thread 16 of it.
extern "C" __global__ void final_product(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float as[16][64], bs[16][64];
	unsigned tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, col = blockIdx.x * 64;
	float sum[4][4] = {};
	for (unsigned k = 0; k < n; k += 16) {
		for (unsigned e = threadIdx.x; e < 1024; e += 256) {
			as[e % 16][e / 16] = a[(row + e / 16) * n + k + e % 16];
			bs[e / 64][e % 64] = b[(k + e / 64) * n + col + e % 64];
		}
		__syncthreads();
		for (unsigned j = 0; j < 16; j++)
			for (unsigned y = 0; y < 4; y++)
				for (unsigned x = 0; x < 4; x++)
					sum[y][x] += as[j][ty * 4 + y] * bs[j][tx * 4 + x];
		__syncthreads();
	}
	for (unsigned y = 0; y < 4; y++)
		for (unsigned x = 0; x < 4; x++)
			c[(row + ty * 4 + y) * n + col + tx * 4 + x] = sum[y][x];
}

extern "C" __global__ void final_turn(const double *from, double *to, unsigned n)
{
	__shared__ double tile[16][17];
	unsigned x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	tile[threadIdx.y][threadIdx.x] = from[y * n + x];
	__syncthreads();
	to[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// Eight polynomials at a time, which do not need each other.
extern "C" __global__ void final_series(float *out, unsigned terms)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x[8], sum[8];
	for (int k = 0; k < 8; k++) {
		x[k] = 1e-6f * (float)(i + k);
		sum[k] = 0;
	}
	for (unsigned t = 0; t < terms; t++)
		for (int k = 0; k < 8; k++)
			sum[k] = sum[k] * x[k] + 1.0f;
	float all = 0;
	for (int k = 0; k < 8; k++)
		all += sum[k];
	out[i] = all;
}

// Walks that end after a number of steps of their own.
extern "C" __global__ void final_walks(unsigned *out, unsigned most)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 2654435761u + 1, place = 0, steps = 0;
	while (steps < most && place < 40) {
		state = state * 1664525u + 1013904223u;
		place = state >> 31 ? place + 3 : place > 0 ? place - 1 : 0;
		steps++;
	}
	out[i] = steps;
}

// Waves of a string: sines by the special function unit.
extern "C" __global__ void final_waves(float *out, unsigned n, unsigned tones)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float t = 1e-4f * (float)i, sum = 0;
	for (unsigned k = 1; k <= tones; k++)
		sum += __sinf(t * (float)k) * __expf(-0.01f * (float)k);
	if (i < n)
		out[i] = sum;
}
