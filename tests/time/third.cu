// Twenty kernels more, for the third round, of kinds that a student writes: written when the model of time was finished, and not run on it
// before a GPU had counted them.
#include "simt.h"

// A brighter picture, clipped.
extern "C" __global__ void third_brighten(const unsigned char *from, unsigned char *to, float gain, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float v = (float)from[i] * gain;
		to[i] = (unsigned char)(v > 255 ? 255 : v);
	}
}

// z = a x + b y, with a loop over the grid.
extern "C" __global__ void third_blend(const float2 *x, const float2 *y, float2 *z, float a, float b, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		z[i] = make_float2(a * x[i].x + b * y[i].x, a * x[i].y + b * y[i].y);
}

// The sum of squares: a tree in shared memory, then an atomic of each block.
extern "C" __global__ void third_norm(const float *x, float *sum, unsigned n)
{
	__shared__ float part[256];
	float mine = 0;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		mine += x[i] * x[i];
	part[threadIdx.x] = mine;
	__syncthreads();
	for (unsigned half = 128; half > 0; half /= 2) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicAdd(sum, part[0]);
}

// A histogram of 64 bins in global memory, as a first try has it.
extern "C" __global__ void third_counts(const unsigned *words, unsigned *bins, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&bins[words[i] >> 26], 1u);
}

// Every even number is counted in one word.
extern "C" __global__ void third_evens(const unsigned *words, unsigned *count, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		if (words[i] % 2 == 0)
			atomicAdd(count, 1u);
}

// The sum of each of 1024 groups, by atomics on floats.
extern "C" __global__ void third_groups(const unsigned *group, const float *x, float *sums, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&sums[group[i] & 1023], x[i]);
}

// The largest of each row, a block for each.
extern "C" __global__ void third_row_max(const float *rows, float *to, unsigned columns)
{
	__shared__ float part[128];
	float best = -1e30f;
	for (unsigned c = threadIdx.x; c < columns; c += blockDim.x) {
		float v = rows[blockIdx.x * columns + c];
		best = v > best ? v : best;
	}
	part[threadIdx.x] = best;
	__syncthreads();
	for (unsigned half = 64; half > 0; half /= 2) {
		if (threadIdx.x < half && part[threadIdx.x + half] > part[threadIdx.x])
			part[threadIdx.x] = part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		to[blockIdx.x] = part[0];
}

// A matrix times a vector, a thread for each row.
extern "C" __global__ void third_matvec(const float *a, const float *x, float *y, unsigned n)
{
	unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	if (row >= n)
		return;
	for (unsigned c = 0; c < n; c++)
		sum += a[row * n + c] * x[c];
	y[row] = sum;
}

// The product of two matrices, as a first try has it.
extern "C" __global__ void third_matmul(const float *a, const float *b, float *c, unsigned n)
{
	unsigned col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	float sum = 0;
	for (unsigned k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + col];
	c[row * n + col] = sum;
}

// A picture turned by a quarter, without shared memory.
extern "C" __global__ void third_quarter(const unsigned *from, unsigned *to, unsigned side)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	to[x * side + side - 1 - y] = from[y * side + x];
}

// A filter of 3 by 3 from shared memory, with an edge.
extern "C" __global__ void third_smooth(const float *from, float *to, unsigned width, unsigned height)
{
	__shared__ float tile[18][18];
	int x = (int)(blockIdx.x * 16 + threadIdx.x), y = (int)(blockIdx.y * 16 + threadIdx.y);
	for (int j = (int)threadIdx.y; j < 18; j += 16)
		for (int i = (int)threadIdx.x; i < 18; i += 16) {
			int fx = (int)(blockIdx.x * 16) + i - 1, fy = (int)(blockIdx.y * 16) + j - 1;
			fx = fx < 0 ? 0 : fx >= (int)width ? (int)width - 1 : fx;
			fy = fy < 0 ? 0 : fy >= (int)height ? (int)height - 1 : fy;
			tile[j][i] = from[fy * (int)width + fx];
		}
	__syncthreads();
	float sum = 0;
	for (int j = 0; j < 3; j++)
		for (int i = 0; i < 3; i++)
			sum += tile[(int)threadIdx.y + j][(int)threadIdx.x + i];
	to[y * (int)width + x] = sum / 9;
}

// A step of heat in two dimensions.
extern "C" __global__ void third_heat(const float *from, float *to, unsigned side, float k)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
	if (x >= side - 1 || y >= side - 1)
		return;
	unsigned i = y * side + x;
	to[i] = from[i] + k * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side] - 4 * from[i]);
}

// Sums from the first to each, of a block, in steps that double.
extern "C" __global__ void third_prefix(const unsigned *from, unsigned *to)
{
	__shared__ unsigned sums[2][512];
	unsigned t = threadIdx.x, now = 0;
	sums[0][t] = from[blockIdx.x * 512 + t];
	__syncthreads();
	for (unsigned step = 1; step < 512; step *= 2) {
		sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
		now = 1 - now;
		__syncthreads();
	}
	to[blockIdx.x * 512 + t] = sums[now][t];
}

// Odd and even neighbors exchanged in turns, until a block's 256 words are sorted.
extern "C" __global__ void third_bubble(unsigned *words)
{
	__shared__ unsigned mine[256];
	unsigned t = threadIdx.x;
	mine[t] = words[blockIdx.x * 256 + t];
	__syncthreads();
	for (unsigned round = 0; round < 256; round++) {
		unsigned i = 2 * t + round % 2;
		if (i + 1 < 256) {
			unsigned a = mine[i], b = mine[i + 1];
			if (a > b) {
				mine[i] = b;
				mine[i + 1] = a;
			}
		}
		__syncthreads();
	}
	words[blockIdx.x * 256 + t] = mine[t];
}

// How many primes there are, by division.
extern "C" __global__ void third_primes(unsigned *is, unsigned first)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = first + 2 * i + 1, prime = 1;
	for (unsigned d = 3; d * d <= n; d += 2)
		if (n % d == 0) {
			prime = 0;
			break;
		}
	is[i] = prime;
}

// The circle's area from points at random.
extern "C" __global__ void third_circle(unsigned *inside, unsigned rounds)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 2654435761u + 1, n = 0;
	for (unsigned r = 0; r < rounds; r++) {
		state = state * 1664525u + 1013904223u;
		float x = (float)(state >> 8) / 16777216.0f;
		state = state * 1664525u + 1013904223u;
		float y = (float)(state >> 8) / 16777216.0f;
		n += x * x + y * y < 1;
	}
	inside[i] = n;
}

// A polynomial of degree 12 in doubles.
extern "C" __global__ void third_polynomial(const double *x, const double *c, double *y, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double sum = 0;
	for (int k = 12; k >= 0; k--)
		sum = sum * x[i] + c[k];
	y[i] = sum;
}

// Softmax of each row of 32 by a warp.
extern "C" __global__ void third_softmax(const float *from, float *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = from[i], most = v;
	for (int step = 16; step > 0; step /= 2) {
		float other = __shfl_xor_sync(0xFFFFFFFF, most, step);
		most = other > most ? other : most;
	}
	float e = __expf(v - most), sum = e;
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, step);
	to[i] = e / sum;
}

// A list that is followed, a thread for each beginning.
extern "C" __global__ void third_follow(const unsigned *next, unsigned *to, unsigned mask, unsigned links)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, at = i & mask;
	for (unsigned k = 0; k < links; k++)
		at = (next[at] + i) & mask;
	to[i] = at;
}

// Records of 20 bytes, of which each thread changes two members.
struct third_record {
	float x, y, vx, vy;
	unsigned id;
};

extern "C" __global__ void third_move(struct third_record *all, float dt, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		all[i].x += dt * all[i].vx;
		all[i].y += dt * all[i].vy;
	}
}
