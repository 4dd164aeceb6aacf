// Streaming: words that are used once, in order.
#include "simt.h"

extern "C" __global__ void copy_words(const float *from, float *to, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = from[i];
}

extern "C" __global__ void triad(const float4 *b, const float4 *c, float4 *a, float s, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float4 x = b[i], y = c[i];
		a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
	}
}

extern "C" __global__ void fill_words(uint4 *to, unsigned value, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		to[i] = make_uint4(value, value + 1, value + 2, value + 3);
}

extern "C" __global__ void sum_words(const float *from, float *sums, unsigned n)
{
	__shared__ float warps[32];
	float sum = 0;
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		sum += from[i];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
	if (threadIdx.x % 32 == 0)
		warps[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (unsigned w = 1; w < blockDim.x / 32; w++)
			sum += warps[w];
		sums[blockIdx.x] = sum;
	}
}

// Each block reads the same table again and again, from another place on.
extern "C" __global__ void reread(const float *table, float *out, unsigned n, unsigned rounds)
{
	float sum = 0;
	unsigned at = (blockIdx.x * 977 + threadIdx.x) % n;
	for (unsigned r = 0; r < rounds; r++) {
		sum += table[at];
		at += blockDim.x;
		if (at >= n)
			at -= n;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
