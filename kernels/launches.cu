// Kernels that are right for every launch, so that the launch can be chosen.
#include "simt.h"

// A thread for each element. The grid is rounded up, and threads past the end have nothing to do.
extern "C" __global__ void double_each(const float *in, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = 2 * in[i]; //@ double
}

// The same with work that takes a while: each step waits for the one before.
extern "C" __global__ void halve_each(const float *in, float *out, unsigned rounds, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float a = in[i]; //@ halve
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		a = a * 0.5f + 1;
	out[i] = a;
}

// A polynomial: each thread loads the four factors, then its element ...
extern "C" __global__ void poly_each(const float *in, float *out, const float *factors, unsigned n)
{
	float a = factors[0], b = factors[1], c = factors[2], d = factors[3];
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = ((a * in[i] + b) * in[i] + c) * in[i] + d; //@ poly_each
}

// ... and one element after the other.
extern "C" __global__ void poly_stride(const float *in, float *out, const float *factors, unsigned n)
{
	float a = factors[0], b = factors[1], c = factors[2], d = factors[3];
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = ((a * in[i] + b) * in[i] + c) * in[i] + d; //@ poly_stride
}

// The work of halve_each in a grid-stride loop. The launch gives its blocks more or less shared memory, as if they had a table there.
extern "C" __global__ void halve_stride(const float *in, float *out, unsigned rounds, unsigned n)
{
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float a = in[i]; //@ share
		#pragma unroll 1
		for (unsigned round = 0; round < rounds; round++)
			a = a * 0.5f + 1;
		out[i] = a;
	}
}

// Threads that keep 32 values each: in as many registers as that takes, and in so few that two blocks of 1024 threads fit.
static __device__ __forceinline__ void keep(const float *in, float *out, unsigned rounds)
{
	float value[32], sum = 0;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	#pragma unroll
	for (unsigned k = 0; k < 32; k++)
		value[k] = in[i + k];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		#pragma unroll
		for (unsigned k = 0; k < 32; k++)
			value[k] = value[k] * 0.5f + 1;
	#pragma unroll
	for (unsigned k = 0; k < 32; k++)
		sum += value[k];
	out[i] = sum; //@ keep
}

extern "C" __global__ void keep_free(const float *in, float *out, unsigned rounds)
{
	keep(in, out, rounds);
}

extern "C" __global__ void __launch_bounds__(1024, 2) keep_two(const float *in, float *out, unsigned rounds)
{
	keep(in, out, rounds);
}
