// Kernels that do little but move bytes.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

// A thread for each element.
extern "C" __global__ void add_one(const float *a, const float *b, float *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sum[i] = a[i] + b[i]; //@ add_one
}

// A thread for four elements, which it loads at once. n is a multiple of 4.
extern "C" __global__ void add_four(const float4 *a, const float4 *b, float4 *sum, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n / 4) {
		float4 x = a[i], y = b[i]; //@ add_four
		x.x += y.x;
		x.y += y.y;
		x.z += y.z;
		x.w += y.w;
		sum[i] = x;
	}
}

// The threads of the grid take four elements each, and go on by their number until all are added.
extern "C" __global__ void add_stride(const float4 *a, const float4 *b, float4 *sum, unsigned n)
{
	unsigned threads = gridDim.x * blockDim.x;
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += threads) {
		float4 x = a[i], y = b[i]; //@ add_stride
		x.x += y.x;
		x.y += y.y;
		x.z += y.z;
		x.w += y.w;
		sum[i] = x;
	}
}

// Read and write, and read alone: four elements a thread.
extern "C" __global__ void copy(const float4 *in, float4 *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n / 4)
		out[i] = in[i]; //@ copy
}

extern "C" __global__ void read(const float4 *in, float4 *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n / 4) {
		float4 x = in[i]; //@ read
		if (x.x + x.y + x.z + x.w < 0) // which is never so
			out[0] = x;
	}
}
