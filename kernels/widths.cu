// Copies of the same bytes, with 1, 2, 4, 8 and 16 bytes a thread.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

// Each copies n elements of its type.
extern "C" __global__ void copy_char(const char *in, char *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i]; //@ copy_char
}

extern "C" __global__ void copy_short(const short *in, short *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i]; //@ copy_short
}

extern "C" __global__ void copy_float(const float *in, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i]; //@ copy_float
}

extern "C" __global__ void copy_float2(const float2 *in, float2 *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i]; //@ copy_float2
}

extern "C" __global__ void copy_float4(const float4 *in, float4 *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i]; //@ copy_float4
}

// Adds up four floats at once, from `offset` floats on. A float4 may lie there only if offset is a multiple of 4.
extern "C" __global__ void sum_fours(const float *in, float *out, unsigned offset)
{
	const float4 *from = (const float4 *)(in + offset);

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 four = from[i]; //@ sum_fours
	out[i] = four.x + four.y + four.z + four.w;
}
