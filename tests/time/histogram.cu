// Histograms of bytes: 256 bins.
#include "simt.h"

extern "C" __global__ void histogram_global(const unsigned *words, unsigned *bins, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		atomicAdd(&bins[words[i] & 255], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned *words, unsigned *bins, unsigned n)
{
	__shared__ unsigned own[256];
	for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
		own[b] = 0;
	__syncthreads();
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned word = words[i];
		for (unsigned shift = 0; shift < 32; shift += 8)
			atomicAdd(&own[word >> shift & 255], 1u);
	}
	__syncthreads();
	for (unsigned b = threadIdx.x; b < 256; b += blockDim.x)
		atomicAdd(&bins[b], own[b]);
}

// Each thread a column of bytes of its own: no atomics until the end.
extern "C" __global__ void histogram_columns(const unsigned *words, unsigned *bins, unsigned n)
{
	__shared__ unsigned char own[16][128];
	unsigned t = threadIdx.x;
	for (unsigned b = 0; b < 16; b++)
		own[b][t] = 0;
	for (unsigned i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128)
		own[words[i] & 15][t]++;
	__syncthreads();
	if (t < 16) {
		unsigned sum = 0;
		for (unsigned k = 0; k < 128; k++)
			sum += own[t][(k + t * 4) & 127];
		atomicAdd(&bins[t], sum);
	}
}
