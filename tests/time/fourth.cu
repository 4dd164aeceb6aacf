// Twenty kernels more, for the fourth round, of kinds that students and engineers write: written when nobody changed the model of time any
// more, and not run on it before a GPU had counted them.
#include "simt.h"

// y = a x + y, as BLAS has it: the elements are so far apart.
extern "C" __global__ void fourth_saxpy(unsigned n, float a, const float *x, unsigned x_step, float *y, unsigned y_step)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i * y_step] += a * x[i * x_step];
}

// The sum of two matrices whose rows have a pitch; four rows for each thread.
extern "C" __global__ void fourth_add(const float *a, const float *b, float *c, unsigned columns, unsigned rows, unsigned pitch)
{
	unsigned x = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32 + threadIdx.y;
	if (x >= columns)
		return;
	for (unsigned y = first; y < first + 32 && y < rows; y += 8)
		c[y * pitch + x] = a[y * pitch + x] + b[y * pitch + x];
}

// A step of Jacobi's iteration for Poisson's equation, from tiles with an edge, and the largest change of all.
extern "C" __global__ void fourth_jacobi(const float *u, const float *f, float *to, unsigned *largest, unsigned side)
{
	__shared__ float tile[18][34];
	__shared__ float changes[16];
	unsigned tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx + 1, y = blockIdx.y * 16 + ty + 1, i = y * side + x;
	tile[ty + 1][tx + 1] = u[i];
	if (tx == 0)
		tile[ty + 1][0] = u[i - 1];
	if (tx == 31)
		tile[ty + 1][33] = u[i + 1];
	if (ty == 0)
		tile[0][tx + 1] = u[i - side];
	if (ty == 15)
		tile[17][tx + 1] = u[i + side];
	__syncthreads();
	float v = 0.25f * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] + tile[ty + 2][tx + 1] - f[i]);
	float change = fabsf(v - tile[ty + 1][tx + 1]);
	to[i] = v;
	for (int step = 16; step > 0; step /= 2)
		change = fmaxf(change, __shfl_xor_sync(0xFFFFFFFF, change, step));
	if (tx == 0)
		changes[ty] = change;
	__syncthreads();
	if (tx == 0 && ty == 0) {
		for (unsigned w = 1; w < 16; w++)
			change = fmaxf(change, changes[w]);
		atomicMax(largest, __float_as_uint(change));
	}
}

// Sums that begin anew at each head, of a warp's 32 words, by shuffles as Kogge and Stone have them.
extern "C" __global__ void fourth_segments(const unsigned *heads, const float *from, float *to)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	unsigned mask = __ballot_sync(0xFFFFFFFF, lane == 0 || heads[i] % 8 == 0) & (0xFFFFFFFFu >> (31 - lane));
	unsigned first = 31 - (unsigned)__clz((int)mask);
	float sum = from[i];
	for (unsigned step = 1; step < 32; step *= 2) {
		float other = __shfl_up_sync(0xFFFFFFFF, sum, step);
		if (lane >= first + step)
			sum += other;
	}
	to[i] = sum;
}

// The transpose of a matrix times a vector: a thread for each column, a block for 64 rows.
extern "C" __global__ void fourth_gemv(const float *a, const float *x, float *y, unsigned columns)
{
	__shared__ float part[64];
	unsigned c = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * 64;
	if (threadIdx.x < 64)
		part[threadIdx.x] = x[row + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (unsigned r = 0; r < 64; r++)
		sum += a[(row + r) * columns + c] * part[r];
	atomicAdd(&y[c], sum);
}

// The columns of a blur that can be separated, with weights in constant memory.
static __constant__ float fourth_weights[17] = {0.012f, 0.019f, 0.028f, 0.040f, 0.053f, 0.067f, 0.079f, 0.088f, 0.091f,
	0.088f, 0.079f, 0.067f, 0.053f, 0.040f, 0.028f, 0.019f, 0.012f};

extern "C" __global__ void fourth_blur(const float *from, float *to, unsigned width, unsigned height)
{
	int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	float sum = 0;
	for (int k = -8; k <= 8; k++) {
		int at = min(max(y + k, 0), (int)height - 1);
		sum += fourth_weights[k + 8] * from[at * (int)width + x];
	}
	to[y * (int)width + x] = sum;
}

// Each pixel is the mean of its neighbors, weighted by how near they are in place and in brightness.
extern "C" __global__ void fourth_bilateral(const float *from, float *to, int width, int height, float place, float light)
{
	int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	if (x >= width || y >= height)
		return;
	float here = from[y * width + x], sum = 0, weights = 0;
	for (int j = -2; j <= 2; j++)
		for (int i = -2; i <= 2; i++) {
			int fx = min(max(x + i, 0), width - 1), fy = min(max(y + j, 0), height - 1);
			float v = from[fy * width + fx], d = v - here;
			float weight = __expf(-(float)(i * i + j * j) * place - d * d * light);
			sum += weight * v;
			weights += weight;
		}
	to[y * width + x] = sum / weights;
}

// Conway's Game of Life, 32 cells in each word: sums of neighbors bit by bit.
extern "C" __global__ void fourth_life(const unsigned *from, unsigned *to, unsigned words, unsigned rows)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned left = x ? x - 1 : words - 1, right = x + 1 < words ? x + 1 : 0;
	unsigned one = 0, two = 0, four = 0, middle = 0;
	for (unsigned j = 0; j < 3; j++) {
		const unsigned *row = from + (y + j + rows - 1) % rows * words;
		unsigned center = row[x], west = center << 1 | row[left] >> 31, east = center >> 1 | row[right] << 31;
		unsigned add[3] = {west, east, j == 1 ? 0 : center};
		for (unsigned k = 0; k < 3; k++) {
			unsigned carry = one & add[k], over = two & carry;
			one ^= add[k];
			two ^= carry;
			four |= over;
		}
		middle = j == 1 ? center : middle;
	}
	to[y * words + x] = two & ~four & (one | middle);
}

// A histogram of 256 bins, of which each of a block's eight warps has its own.
extern "C" __global__ void fourth_bins(const unsigned *words, unsigned *bins, unsigned n)
{
	__shared__ unsigned mine[8][256];
	unsigned t = threadIdx.x, warp = t / 32;
	for (unsigned w = 0; w < 8; w++)
		mine[w][t] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) {
		unsigned v = words[i];
		atomicAdd(&mine[warp][v & 255], 1u);
		atomicAdd(&mine[warp][v >> 8 & 255], 1u);
		atomicAdd(&mine[warp][v >> 16 & 255], 1u);
		atomicAdd(&mine[warp][v >> 24], 1u);
	}
	__syncthreads();
	unsigned sum = 0;
	for (unsigned w = 0; w < 8; w++)
		sum += mine[w][t];
	atomicAdd(&bins[t], sum);
}

// The last part of a round of Floyd and Warshall in tiles: the shortest ways through 32 places.
extern "C" __global__ void fourth_paths(unsigned *ways, unsigned n, unsigned through)
{
	__shared__ unsigned to[32][32], on[32][32];
	unsigned tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	for (unsigned j = 0; j < 32; j += 8) {
		to[ty + j][tx] = ways[(y + j) * n + through + tx];
		on[ty + j][tx] = ways[(through + ty + j) * n + x];
	}
	__syncthreads();
	if (blockIdx.x * 32 == through || blockIdx.y * 32 == through)
		return;
	for (unsigned j = 0; j < 32; j += 8) {
		unsigned best = ways[(y + j) * n + x];
		for (unsigned k = 0; k < 32; k++)
			best = min(best, to[ty + j][k] / 2 + on[k][tx] / 2);
		ways[(y + j) * n + x] = best;
	}
}

// How often a text of four letters has a word, letter by letter.
extern "C" __global__ void fourth_find(const unsigned char *text, const unsigned char *word, unsigned length, unsigned *found, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i + length > n)
		return;
	unsigned k = 0;
	while (k < length && (text[i + k] & 3) == (word[k] & 3))
		k++;
	if (k == length)
		atomicAdd(found, 1u);
}

// The length of each run of what is not zero, at its beginning.
extern "C" __global__ void fourth_runs(const unsigned *words, unsigned *lengths, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, end = i;
	if (i >= n)
		return;
	if (i == 0 || words[i - 1] >> 29 == 0)
		while (end < n && words[end] >> 29 != 0)
			end++;
	lengths[i] = end - i;
}

// The circle's area from points that are evenly spread: Halton's, by two and by three.
extern "C" __global__ void fourth_halton(unsigned *inside, unsigned rounds)
{
	__shared__ unsigned sums[8];
	unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * rounds, count = 0;
	for (unsigned r = 0; r < rounds; r++) {
		float x = (float)__brev(first + r) * 2.3283064e-10f, y = 0, third = 1.0f / 3;
		for (unsigned k = first + r; k > 0; k /= 3) {
			y += (float)(k % 3) * third;
			third *= 1.0f / 3;
		}
		if (x * x + y * y < 1)
			count++;
	}
	for (int step = 16; step > 0; step /= 2)
		count += __shfl_down_sync(0xFFFFFFFF, count, step);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = count;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (unsigned w = 1; w < 8; w++)
			count += sums[w];
		atomicAdd(inside, count);
	}
}

// A sparse matrix times a vector, of places and values in the order of rows, eight in each: a thread for each value.
extern "C" __global__ void fourth_coordinates(const unsigned *order, const unsigned *columns, const float *values, const float *x, float *y,
	unsigned size, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&y[order[i] >> 3], values[i] * x[columns[i] & (size - 1)]);
}

// Of each word of a block how far the first larger one is behind it.
extern "C" __global__ void fourth_warmer(const unsigned *from, unsigned *to)
{
	__shared__ unsigned mine[512];
	unsigned t = threadIdx.x, here = from[blockIdx.x * 512 + t], k = t + 1;
	mine[t] = here;
	__syncthreads();
	while (k < 512 && mine[k] <= here)
		k++;
	to[blockIdx.x * 512 + t] = k < 512 ? k - t : 0;
}

// A wave in three dimensions: the Laplacian of fourth order, and the two last steps.
extern "C" __global__ void fourth_wave(const float *now, float *before, unsigned side, float k)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	unsigned z = blockIdx.z * blockDim.z + threadIdx.z, i = (z * side + y) * side + x, row = side, plane = side * side;
	if (x < 2 || y < 2 || z < 2 || x >= side - 2 || y >= side - 2 || z >= side - 2)
		return;
	float here = now[i];
	float near = now[i - 1] + now[i + 1] + now[i - row] + now[i + row] + now[i - plane] + now[i + plane];
	float far = now[i - 2] + now[i + 2] + now[i - 2 * row] + now[i + 2 * row] + now[i - 2 * plane] + now[i + 2 * plane];
	before[i] = 2 * here - before[i] + k * (-7.5f * here + 1.3333333f * near - 0.0833333f * far);
}

// The four of all places that are nearest to each point, kept in order in registers.
extern "C" __global__ void fourth_neighbors(const float *points, const float *places, uint4 *to, unsigned n)
{
	__shared__ float tile[3][128];
	unsigned t = threadIdx.x, i = blockIdx.x * 128 + t;
	float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2], near[4] = {1e30f, 1e30f, 1e30f, 1e30f};
	unsigned which[4] = {0, 0, 0, 0};
	for (unsigned first = 0; first < n; first += 128) {
		__syncthreads();
		for (unsigned d = 0; d < 3; d++)
			tile[d][t] = places[3 * (first + t) + d];
		__syncthreads();
		for (unsigned k = 0; k < 128; k++) {
			float dx = tile[0][k] - x, dy = tile[1][k] - y, dz = tile[2][k] - z, d = dx * dx + dy * dy + dz * dz;
			if (d >= near[3])
				continue;
			near[3] = d;
			which[3] = first + k;
			for (int j = 3; j > 0; j--)
				if (near[j] < near[j - 1]) {
					float swap = near[j];
					near[j] = near[j - 1];
					near[j - 1] = swap;
					unsigned other = which[j];
					which[j] = which[j - 1];
					which[j - 1] = other;
				}
		}
	}
	to[i] = make_uint4(which[0], which[1], which[2], which[3]);
}

// How like each other two rows of 128 are, for pairs at random: a warp for each pair.
extern "C" __global__ void fourth_alike(const float4 *rows, const uint2 *pairs, float *to, unsigned n)
{
	unsigned pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	uint2 of = pairs[pair];
	float4 a = rows[of.x % n * 32 + lane], b = rows[of.y % n * 32 + lane];
	float ab = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
	float aa = a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
	float bb = b.x * b.x + b.y * b.y + b.z * b.z + b.w * b.w;
	for (int step = 16; step > 0; step /= 2) {
		ab += __shfl_xor_sync(0xFFFFFFFF, ab, step);
		aa += __shfl_xor_sync(0xFFFFFFFF, aa, step);
		bb += __shfl_xor_sync(0xFFFFFFFF, bb, step);
	}
	if (lane == 0)
		to[pair] = ab * rsqrtf(aa * bb);
}

// In how many bits each of many prints differs from the one looked for, 512 bits each; the least of a block.
extern "C" __global__ void fourth_bits(const uint4 *prints, const uint4 *wanted, unsigned *least)
{
	__shared__ unsigned best;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, differ = 0;
	if (threadIdx.x == 0)
		best = 512;
	__syncthreads();
	for (unsigned k = 0; k < 4; k++) {
		uint4 a = prints[i * 4 + k], b = wanted[k];
		differ += (unsigned)(__popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w));
	}
	atomicMin(&best, differ);
	__syncthreads();
	if (threadIdx.x == 0)
		least[blockIdx.x] = best;
}

// A step of LU decomposition in doubles: what is right of and below the pivot, whose column has been divided.
extern "C" __global__ void fourth_lu(double *a, unsigned n, unsigned k)
{
	unsigned x = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, y = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
	if (x < n && y < n)
		a[y * n + x] -= a[y * n + k] * a[k * n + x];
}
