// Twenty kernels more, for the fifth round: written when the model of time read machine code, too, and nobody changed it any more, and not run on
// it before a GPU had counted them.
#include "simt.h"

// Philox 4x32 with ten rounds: four random numbers for each counter.
extern "C" __global__ void fifth_philox(float *to, unsigned key0, unsigned key1)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, c0 = i, c1 = 0, c2 = 7, c3 = 11;
	for (int round = 0; round < 10; round++) {
		unsigned high0 = __umulhi(0xD2511F53, c0), low0 = 0xD2511F53 * c0, high1 = __umulhi(0xCD9E8D57, c2), low1 = 0xCD9E8D57 * c2;
		c0 = high1 ^ c1 ^ key0;
		c1 = low1;
		c2 = high0 ^ c3 ^ key1;
		c3 = low0;
		key0 += 0x9E3779B9;
		key1 += 0xBB67AE85;
	}
	((float4 *)to)[i] = make_float4(c0 * 0x1p-32f, c1 * 0x1p-32f, c2 * 0x1p-32f, c3 * 0x1p-32f);
}

// Rows of bytes times a vector of bytes, four products an instruction; a warp for each row.
extern "C" __global__ void fifth_quantized(const int *rows, const int *vector, int *to, unsigned words)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	int sum = 0;
	for (unsigned i = lane; i < words; i += 32)
		sum = __dp4a(rows[row * words + i], vector[i], sum);
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(0xFFFFFFFF, sum, step);
	if (lane == 0)
		to[row] = sum;
}

// Rows of 1024 get mean 0 and variance 1; a block for each, four values for each thread.
extern "C" __global__ void fifth_layer_norm(const float *from, const float *gain, float *to)
{
	__shared__ float sums[8], squares[8];
	unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
	float4 v = ((const float4 *)from)[blockIdx.x * 256 + t];
	float sum = v.x + v.y + v.z + v.w, square = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
	for (int step = 16; step > 0; step /= 2) {
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, step);
		square += __shfl_xor_sync(0xFFFFFFFF, square, step);
	}
	if (lane == 0) {
		sums[warp] = sum;
		squares[warp] = square;
	}
	__syncthreads();
	sum = square = 0;
	for (int w = 0; w < 8; w++) {
		sum += sums[w];
		square += squares[w];
	}
	float mean = sum / 1024, scale = rsqrtf(square / 1024 - mean * mean + 1e-5f);
	float4 g = ((const float4 *)gain)[t];
	((float4 *)to)[blockIdx.x * 256 + t] =
		make_float4((v.x - mean) * scale * g.x, (v.y - mean) * scale * g.y, (v.z - mean) * scale * g.z, (v.w - mean) * scale * g.w);
}

// An image turned about its middle: each pixel is fetched from where it was.
extern "C" __global__ void fifth_rotate(const unsigned char *from, unsigned char *to, int width, int height, float cosine, float sine)
{
	int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	float dx = x - 0.5f * width, dy = y - 0.5f * height;
	int u = (int)(cosine * dx - sine * dy + 0.5f * width), v = (int)(sine * dx + cosine * dy + 0.5f * height);
	to[y * width + x] = u >= 0 && u < width && v >= 0 && v < height ? from[v * width + u] : 0;
}

// The nearest of 256 boxes that a ray meets.
extern "C" __global__ void fifth_boxes(const float *rays, const float *boxes, float *nearest)
{
	__shared__ float box[256 * 6];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	for (unsigned k = threadIdx.x; k < 256 * 6; k += blockDim.x)
		box[k] = boxes[k];
	__syncthreads();
	float x = rays[i], y = rays[n + i], z = rays[2 * n + i];
	float ix = 1 / (rays[3 * n + i] + 0.1f), iy = 1 / (rays[4 * n + i] + 0.1f), iz = 1 / (rays[5 * n + i] + 0.1f), best = 1e30f;
	for (int b = 0; b < 256; b++) {
		const float *p = box + 6 * b;
		float x0 = (p[0] - x) * ix, x1 = (p[0] + p[3] - x) * ix, y0 = (p[1] - y) * iy, y1 = (p[1] + p[4] - y) * iy;
		float z0 = (p[2] - z) * iz, z1 = (p[2] + p[5] - z) * iz;
		float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
		float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
		if (enter <= leave && leave > 0)
			best = fminf(best, enter);
	}
	nearest[i] = best;
}

// Inverses of matrices of 3 by 3, nine floats one after the other.
extern "C" __global__ void fifth_inverse(const float *from, float *to, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	const float *m = from + 9 * i;
	float a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5], g = m[6], h = m[7], k = m[8];
	float p = e * k - f * h, q = f * g - d * k, r = d * h - e * g, one = 1 / (a * p + b * q + c * r + 1e-6f);
	float *w = to + 9 * i;
	w[0] = p * one;
	w[1] = (c * h - b * k) * one;
	w[2] = (b * f - c * e) * one;
	w[3] = q * one;
	w[4] = (a * k - c * g) * one;
	w[5] = (c * d - a * f) * one;
	w[6] = r * one;
	w[7] = (b * g - a * h) * one;
	w[8] = (a * e - b * d) * one;
}

// To the place whose number has the bits in reverse order.
extern "C" __global__ void fifth_bit_reverse(const float *from, float *to, unsigned bits)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	to[__brev(i) >> (32 - bits)] = from[i];
}

// A polynomial of degree 15 in double precision at two places for each thread.
extern "C" __global__ void fifth_horner(const double *x, const double *coefficients, double *to)
{
	unsigned i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
	double a = x[i], b = x[i + blockDim.x], sum_a = 0, sum_b = 0;
	for (int k = 15; k >= 0; k--) {
		sum_a = sum_a * a + coefficients[k];
		sum_b = sum_b * b + coefficients[k];
	}
	to[i] = sum_a;
	to[i + blockDim.x] = sum_b;
}

// The four largest of each of 65536 columns, in registers.
extern "C" __global__ void fifth_tops(const float *from, float *to, unsigned columns, unsigned rows)
{
	unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
	float a = -1, b = -1, c = -1, d = -1;
	for (unsigned y = 0; y < rows; y++) {
		float v = from[y * columns + x];
		if (v > d) {
			d = v;
			if (d > c) {
				float t = c;
				c = d, d = t;
			}
			if (c > b) {
				float t = b;
				b = c, c = t;
			}
			if (b > a) {
				float t = a;
				a = b, b = t;
			}
		}
	}
	to[x] = a;
	to[columns + x] = b;
	to[2 * columns + x] = c;
	to[3 * columns + x] = d;
}

// A matrix of rows with as many entries each becomes one with all its zeros; a warp for each row.
extern "C" __global__ void fifth_dense(const unsigned *column, const float *value, float *to, unsigned entries, unsigned columns)
{
	unsigned row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	for (unsigned x = lane; x < columns; x += 32)
		to[row * columns + x] = 0;
	__syncwarp();
	for (unsigned k = lane; k < entries; k += 32)
		to[row * columns + column[row * entries + k] % columns] = value[row * entries + k];
}

// What flows along a field of velocities, from the side that it comes from.
extern "C" __global__ void fifth_upwind(const float *c, const float *u, const float *v, float *to, int side, float step)
{
	int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y), i = y * side + x;
	if (x == 0 || y == 0 || x == side - 1 || y == side - 1)
		return;
	float here = c[i], p = u[i] - 0.5f, q = v[i] - 0.5f;
	float along = p > 0 ? here - c[i - 1] : c[i + 1] - here, across = q > 0 ? here - c[i - side] : c[i + side] - here;
	to[i] = here - step * (p * along + q * across);
}

// How often each of eight answers was given: votes of warps, sums of blocks, then one atomic for each block and answer.
extern "C" __global__ void fifth_votes(const unsigned *answers, unsigned *counts, unsigned n)
{
	__shared__ unsigned block[8];
	unsigned lane = threadIdx.x % 32;
	if (threadIdx.x < 8)
		block[threadIdx.x] = 0;
	__syncthreads();
	unsigned mine = 0;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned answer = answers[i] % 8;
		for (unsigned k = 0; k < 8; k++) {
			unsigned who = __ballot_sync(0xFFFFFFFF, answer == k);
			if (lane == k)
				mine += (unsigned)__popc(who);
		}
	}
	if (lane < 8)
		atomicAdd(&block[lane], mine);
	__syncthreads();
	if (threadIdx.x < 8)
		atomicAdd(&counts[threadIdx.x], block[threadIdx.x]);
}

// Haar's wavelets of 512 values a block: halves of sums, halves of differences, again for the sums.
extern "C" __global__ void fifth_haar(const float *from, float *to)
{
	__shared__ float values[512];
	unsigned t = threadIdx.x, at = blockIdx.x * 512;
	values[t] = from[at + t];
	values[t + 256] = from[at + t + 256];
	__syncthreads();
	for (unsigned half = 256; half > 0; half /= 2) {
		float a = 0, b = 0;
		if (t < half) {
			a = values[2 * t];
			b = values[2 * t + 1];
		}
		__syncthreads();
		if (t < half) {
			values[t] = 0.5f * (a + b);
			to[at + half + t] = 0.5f * (a - b);
		}
		__syncthreads();
	}
	if (t == 0)
		to[at] = values[0];
}

// The nearest of 512 codes of 128 bits, by the bits that differ.
extern "C" __global__ void fifth_codes(const unsigned *queries, const unsigned *codes, unsigned *nearest)
{
	__shared__ uint4 shared[128];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, best = 0xFFFFFFFF;
	uint4 q = ((const uint4 *)queries)[i];
	for (unsigned first = 0; first < 512; first += 128) {
		__syncthreads();
		shared[threadIdx.x] = ((const uint4 *)codes)[first + threadIdx.x];
		__syncthreads();
		for (unsigned k = 0; k < 128; k++) {
			uint4 c = shared[k];
			unsigned bits = (unsigned)(__popc(q.x ^ c.x) + __popc(q.y ^ c.y) + __popc(q.z ^ c.z) + __popc(q.w ^ c.w));
			best = min(best, bits << 16 | (first + k));
		}
	}
	nearest[i] = best;
}

// How like a signal is to itself later: one lag for each thread, so that the last has the least to do.
extern "C" __global__ void fifth_lags(const float *signal, float *to, unsigned n)
{
	unsigned lag = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (unsigned i = 0; i + lag < n; i++)
		sum += signal[i] * signal[i + lag];
	to[lag] = sum;
}

// One pass of a Fourier transform of base 4, with its factors from a table.
extern "C" __global__ void fifth_butterflies(const float *from, const float *factors, float *to, unsigned quarter, unsigned part)
{
	const float2 *in = (const float2 *)from, *w = (const float2 *)factors;
	float2 *out = (float2 *)to;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, k = i % part;
	float2 v[4];
	for (unsigned r = 0; r < 4; r++) {
		float2 x = in[i + r * quarter], f = w[r * k * (quarter / part)];
		v[r] = make_float2(x.x * f.x - x.y * f.y, x.x * f.y + x.y * f.x);
	}
	float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
	float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].x - v[3].x, v[1].y - v[3].y);
	unsigned at = (i - k) * 4 + k;
	out[at] = make_float2(a.x + c.x, a.y + c.y);
	out[at + part] = make_float2(b.x + d.y, b.y - d.x);
	out[at + 2 * part] = make_float2(a.x - c.x, a.y - c.y);
	out[at + 3 * part] = make_float2(b.x - d.y, b.y + d.x);
}

// Of two ends of an edge the one with the larger label takes the smaller one.
extern "C" __global__ void fifth_labels(const unsigned *ends, unsigned *label, unsigned nodes)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	uint2 edge = ((const uint2 *)ends)[i];
	unsigned a = edge.x % nodes, b = edge.y % nodes, of_a = label[a], of_b = label[b];
	if (of_a < of_b)
		atomicMin(&label[b], of_a);
	else if (of_b < of_a)
		atomicMin(&label[a], of_b);
}

struct fifth_order { unsigned customer; float amount, price, discount; unsigned day, store, flags, units; float tax; unsigned pad[3]; };

// Some fields of orders of 48 bytes, which a list names.
extern "C" __global__ void fifth_orders(const fifth_order *orders, const unsigned *list, float *to, unsigned n_orders)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	const fifth_order *o = &orders[list[i] % n_orders];
	to[i] = o->amount * o->price * (1 - o->discount) + o->tax;
}

static __device__ void order(float &a, float &b)
{
	float least = fminf(a, b);
	b = fmaxf(a, b);
	a = least;
}

// The median of a pixel and its eight neighbors, by a network of comparisons.
extern "C" __global__ void fifth_median(const float *from, float *to, int side)
{
	int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
	if (x == 0 || y == 0 || x >= side - 1 || y >= side - 1)
		return;
	float p[9];
	for (int k = 0; k < 9; k++)
		p[k] = from[(y + k / 3 - 1) * side + x + k % 3 - 1];
	order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[1]), order(p[3], p[4]), order(p[6], p[7]);
	order(p[1], p[2]), order(p[4], p[5]), order(p[7], p[8]), order(p[0], p[3]), order(p[5], p[8]), order(p[4], p[7]);
	order(p[3], p[6]), order(p[1], p[4]), order(p[2], p[5]), order(p[4], p[7]), order(p[4], p[2]), order(p[6], p[4]), order(p[4], p[2]);
	to[y * side + x] = p[4];
}

// A filter with a memory: each thread follows a channel, step by step.
extern "C" __global__ void fifth_recursive(const float *from, float *to, unsigned channels, unsigned steps, float a, float b)
{
	unsigned c = blockIdx.x * blockDim.x + threadIdx.x;
	float y1 = 0, y2 = 0;
	for (unsigned t = 0; t < steps; t++) {
		float y = from[t * channels + c] + a * y1 + b * y2;
		y2 = y1;
		y1 = y;
		to[t * channels + c] = y;
	}
}
