// Kernels that each put one kind of traffic on memory: atomics, reductions, local memory, and more bytes than caches hold.
#include "simt.h"

#define WORDS 1024

extern "C" __global__ void shared_atomics(unsigned *out, unsigned stride)
{
	__shared__ unsigned bins[WORDS];
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		bins[i] = 0;
	__syncthreads();
	atomicAdd(&bins[threadIdx.x * stride % WORDS], threadIdx.x);
	atomicMax(&bins[threadIdx.x * stride % WORDS], threadIdx.x + stride);
	__syncthreads();
	out[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x];
}

/* The old values are wanted. */
extern "C" __global__ void global_atomics(unsigned *sums, unsigned *old, unsigned stride)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	old[i] = atomicAdd(&sums[i * stride % WORDS], i);
}

/* Nobody wants them: the compiler makes reductions. */
extern "C" __global__ void global_reductions(unsigned *sums, unsigned stride)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&sums[i * stride % WORDS], i);
}

/* Each thread has an array that is indexed by what the compiler does not know, and so lies in local memory. */
extern "C" __global__ void local_array(const unsigned *in, unsigned *out)
{
	unsigned table[32], i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
	for (unsigned k = 0; k < 32; k++)
		table[k] = in[(i + k) % WORDS];
	for (unsigned k = 0; k < 8; k++)
		sum += table[(in[i % WORDS] + k) % 32];
	out[i] = sum;
}

extern "C" __global__ void stream(const float *in, float *out, unsigned n)
{
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = in[i] * 2.0f;
}
