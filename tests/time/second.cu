// Twenty kernels more, for the second round: written after what the first (tests/time/final.cu) had shown was seen to, and not run on the
// model before a GPU had counted them.
#include "simt.h"

extern "C" __global__ void second_clamp(float *x, float low, float high, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] = x[i] < low ? low : x[i] > high ? high : x[i];
}

extern "C" __global__ void second_dot(const float *a, const float *b, float *out, unsigned n)
{
	__shared__ float parts[8];
	float sum = 0;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += a[i] * b[i];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(0xFFFFFFFF, sum, step);
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int w = 1; w < 8; w++)
			sum += parts[w];
		atomicAdd(out, sum);
	}
}

extern "C" __global__ void second_blur(const float *from, float *to, unsigned n)
{
	__shared__ float tile[264];
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	tile[threadIdx.x + 4] = from[i];
	if (threadIdx.x < 4)
		tile[threadIdx.x] = i >= 4 ? from[i - 4] : 0;
	else if (threadIdx.x >= 252)
		tile[threadIdx.x + 8] = i + 4 < n ? from[i + 4] : 0;
	__syncthreads();
	float sum = 0;
	for (int k = 0; k < 9; k++)
		sum += tile[threadIdx.x + k];
	to[i] = sum / 9;
}

// Those that are even, closely packed.
extern "C" __global__ void second_pack(const unsigned *from, unsigned *to, unsigned *count)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = from[i], base = 0;
	unsigned mask = __ballot_sync(0xFFFFFFFF, v % 2 == 0);
	if (lane == 0)
		base = atomicAdd(count, (unsigned)__popc(mask));
	base = __shfl_sync(0xFFFFFFFF, base, 0);
	if (v % 2 == 0)
		to[base + (unsigned)__popc(mask & ((1u << lane) - 1))] = v;
}

extern "C" __global__ void second_gray(const uchar4 *from, unsigned char *to, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = (unsigned char)((77u * from[i].x + 150u * from[i].y + 29u * from[i].z) >> 8);
}

// A thread for each row, which is why nothing of it is coalesced.
extern "C" __global__ void second_rows(const float *from, float *to, unsigned columns)
{
	unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned c = 0; c < columns; c++)
		sum += from[row * columns + c];
	to[row] = sum;
}

extern "C" __global__ void second_filter(const float *from, const float *taps, float *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned k = 0; k < 24; k++)
		sum += from[i + k] * taps[k];
	to[i] = sum;
}

extern "C" __global__ void second_join(const unsigned *keys, const uint2 *table, unsigned *to, unsigned size)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i], found = 0;
	for (unsigned k = 0; k < 4; k++) {
		uint2 entry = table[(key * 2654435761u + k * 7919u) & (size - 1)];
		found += entry.x == key ? entry.y : 1;
	}
	to[i] = found;
}

extern "C" __global__ void second_wide(unsigned long long *out, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned long long state = i;
	for (unsigned r = 0; r < rounds; r++)
		state = state * 6364136223846793005ull + 1442695040888963407ull;
	out[i] = state;
}

extern "C" __global__ void second_tiles(const float *a, const float *b, float *c, unsigned n)
{
	__shared__ float as[32][33], bs[32][33];
	unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32 + y, col = blockIdx.x * 32 + x;
	float sum[4] = {};
	for (unsigned k = 0; k < n; k += 32) {
		for (unsigned j = 0; j < 4; j++) {
			as[y + 8 * j][x] = a[(row + 8 * j) * n + k + x];
			bs[y + 8 * j][x] = b[(k + y + 8 * j) * n + col];
		}
		__syncthreads();
		for (unsigned e = 0; e < 32; e++)
			for (unsigned j = 0; j < 4; j++)
				sum[j] += as[y + 8 * j][e] * bs[e][x];
		__syncthreads();
	}
	for (unsigned j = 0; j < 4; j++)
		c[(row + 8 * j) * n + col] = sum[j];
}

extern "C" __global__ void second_normal(const float *uniform, float *to, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (2 * i + 1 >= n)
		return;
	float u = 0.5f + 0.49f * uniform[2 * i], v = uniform[2 * i + 1];
	float r = sqrtf(-2 * __logf(u)), s = 6.2831853f * v;
	to[2 * i] = r * __cosf(s);
	to[2 * i + 1] = r * __sinf(s);
}

extern "C" __global__ void second_running_max(const unsigned *from, unsigned *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, v = from[i];
	for (unsigned step = 1; step < 32; step *= 2) {
		unsigned other = __shfl_up_sync(0xFFFFFFFF, v, step);
		if (lane >= step && other > v)
			v = other;
	}
	to[i] = v;
}

extern "C" __global__ void second_jacobi(const double *from, double *to, unsigned side)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
	if (x < side - 1 && y < side - 1)
		to[y * side + x] = 0.25 * (from[y * side + x - 1] + from[y * side + x + 1] + from[(y - 1) * side + x] + from[(y + 1) * side + x]);
}

// Into 16 buckets of the block, in an order that differs from run to run.
extern "C" __global__ void second_buckets(const unsigned *from, unsigned *to)
{
	__shared__ unsigned counts[16], starts[16];
	unsigned v[4];
	if (threadIdx.x < 16)
		counts[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned k = 0; k < 4; k++) {
		v[k] = from[blockIdx.x * 1024 + k * 256 + threadIdx.x];
		atomicAdd(&counts[v[k] >> 28], 1u);
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (unsigned b = 0; b < 16; b++) {
			starts[b] = sum;
			sum += counts[b];
		}
	}
	__syncthreads();
	for (unsigned k = 0; k < 4; k++)
		to[blockIdx.x * 1024 + atomicAdd(&starts[v[k] >> 28], 1u)] = v[k];
}

extern "C" __global__ void second_letters(const unsigned char *text, unsigned *counts, unsigned n)
{
	__shared__ unsigned mine[256];
	mine[threadIdx.x] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&mine[text[i]], 1u);
	__syncthreads();
	atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

extern "C" __global__ void second_divisors(const unsigned *a, const unsigned *b, unsigned *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = a[i] | 1, y = b[i] | 1;
	while (y) {
		unsigned rest = x % y;
		x = y;
		y = rest;
	}
	to[i] = x;
}

extern "C" __global__ void second_edges(const unsigned char *from, unsigned char *to, unsigned width, unsigned height)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
		return;
	const unsigned char *at = from + y * width + x;
	int across = at[1 - (int)width] + 2 * at[1] + at[1 + width] - at[-1 - (int)width] - 2 * at[-1] - at[width - 1];
	int down = at[width - 1] + 2 * at[width] + at[width + 1] - at[-(int)width - 1] - 2 * at[-(int)width] - at[1 - (int)width];
	int sum = (across < 0 ? -across : across) + (down < 0 ? -down : down);
	to[y * width + x] = (unsigned char)(sum > 255 ? 255 : sum);
}

extern "C" __global__ void second_lengths(const float *rows, float *to, unsigned columns)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	float sum = 0;
	for (unsigned c = lane; c < columns; c += 32)
		sum += rows[row * columns + c] * rows[row * columns + c];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, step);
	if (lane == 0)
		to[row] = sqrtf(sum);
}

extern "C" __global__ void second_weave(const float *a, const float *b, const float *c, const float *d, float4 *to, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		to[i] = make_float4(a[i], b[i], c[i], d[i]);
}

extern "C" __global__ void second_nearest(const float2 *points, const float2 *places, unsigned *to, unsigned n)
{
	__shared__ float2 tile[256];
	unsigned i = blockIdx.x * 256 + threadIdx.x, nearest = 0;
	float2 here = points[i];
	float least = 1e30f;
	for (unsigned first = 0; first < n; first += 256) {
		tile[threadIdx.x] = places[first + threadIdx.x];
		__syncthreads();
		for (unsigned k = 0; k < 256; k++) {
			float x = tile[k].x - here.x, y = tile[k].y - here.y, d = x * x + y * y;
			if (d < least) {
				least = d;
				nearest = first + k;
			}
		}
		__syncthreads();
	}
	to[i] = nearest;
}
