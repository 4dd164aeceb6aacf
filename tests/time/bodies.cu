// Arithmetic: bodies that attract each other, polynomials, fractals, random numbers.
#include "simt.h"

static __device__ __forceinline__ float4 pull(float4 a, float4 b, float4 sum)
{
	float x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
	float inverse = rsqrtf(x * x + y * y + z * z + 0.01f);
	float f = b.w * inverse * inverse * inverse;
	return make_float4(sum.x + f * x, sum.y + f * y, sum.z + f * z, 0);
}

extern "C" __global__ void bodies_plain(const float4 *bodies, float4 *forces, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 own = bodies[i], sum = make_float4(0, 0, 0, 0);
	for (unsigned k = 0; k < n; k++)
		sum = pull(own, bodies[k], sum);
	forces[i] = sum;
}

extern "C" __global__ void bodies_tiled(const float4 *bodies, float4 *forces, unsigned n)
{
	__shared__ float4 tile[256];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 own = bodies[i], sum = make_float4(0, 0, 0, 0);
	for (unsigned k = 0; k < n; k += blockDim.x) {
		tile[threadIdx.x] = bodies[k + threadIdx.x];
		__syncthreads();
		#pragma unroll 8
		for (unsigned j = 0; j < blockDim.x; j++)
			sum = pull(own, tile[j], sum);
		__syncthreads();
	}
	forces[i] = sum;
}

extern "C" __global__ void polynomial(const double *x, double *y, unsigned degree)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = x[i], sum = 1;
	for (unsigned k = degree; k > 0; k--)
		sum = sum * v + 1.0 / 3;
	y[i] = sum;
}

extern "C" __global__ void mandelbrot(unsigned *counts, unsigned n, unsigned most)
{
	unsigned px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
	float cx = 3.0f * (float)px / (float)n - 2, cy = 2.0f * (float)py / (float)n - 1, x = 0, y = 0;
	unsigned k = 0;
	while (k < most && x * x + y * y < 4) {
		float next = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = next;
		k++;
	}
	counts[py * n + px] = k;
}

extern "C" __global__ void collatz(unsigned *steps, unsigned first)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, v = first + i, n = 0;
	while (v > 1 && n < 300) {
		v = v & 1 ? 3 * v + 1 : v / 2;
		n++;
	}
	steps[i] = n;
}

extern "C" __global__ void darts(unsigned *hits, unsigned throws)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, s = 2 * i + 1, inside = 0;
	for (unsigned k = 0; k < throws; k++) {
		s ^= s << 13;
		s ^= s >> 17;
		s ^= s << 5;
		float x = (float)(s & 0xFFFF) / 65536, y = (float)(s >> 16) / 65536;
		inside += x * x + y * y < 1;
	}
	hits[i] = inside;
}

// Prices of options: logarithm, exponential, roots, division.
extern "C" __global__ void prices(const float *spot, const float *strike, float *price, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float s = spot[i] + 1, k = strike[i] + 1, root = sqrtf(s);
		float d = (logf(s / k) + 0.06f) / (0.2f * root);
		float c = 1 / (1 + 0.2316419f * fabsf(d));
		float tail = 0.39894228f * expf(-0.5f * d * d) * c * (0.31938153f + c * (-0.35656378f + c * 1.7814779f));
		price[i] = s * (1 - tail) - k * expf(-0.02f) * (1 - tail * root);
	}
}
