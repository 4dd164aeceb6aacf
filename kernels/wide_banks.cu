// One warp reads shared memory with 4, 8 and 16 bytes a lane.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define ELEMENTS 512

// Lanes with the same number modulo `wrap` read one element, and so do each `together` neighbors; the elements of the others
// are `stride` apart.
static __device__ __forceinline__ unsigned element(unsigned stride, unsigned together, unsigned wrap)
{
	return threadIdx.x % wrap / together * stride;
}

extern "C" __global__ void read_float(const float *in, float *out, unsigned stride, unsigned together, unsigned wrap)
{
	__shared__ float tile[ELEMENTS];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ELEMENTS; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();
	out[threadIdx.x] = tile[element(stride, together, wrap)]; //@ read_float
}

extern "C" __global__ void read_float2(const float2 *in, float2 *out, unsigned stride, unsigned together, unsigned wrap)
{
	__shared__ float2 tile[ELEMENTS];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ELEMENTS; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();
	out[threadIdx.x] = tile[element(stride, together, wrap)]; //@ read_float2
}

extern "C" __global__ void read_float4(const float4 *in, float4 *out, unsigned stride, unsigned together, unsigned wrap)
{
	__shared__ float4 tile[ELEMENTS];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ELEMENTS; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();
	out[threadIdx.x] = tile[element(stride, together, wrap)]; //@ read_float4
}

#define WORDS 4096

static __device__ __forceinline__ void fill(float *words, const float *in)
{
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		words[i] = in[i];
	__syncthreads();
}

// Each thread adds up its share of 4096 words, with 4, 8 or 16 bytes at a time.
extern "C" __global__ void add_float(const float *in, float *out)
{
	__shared__ float words[WORDS];

	fill(words, in);
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		sum += words[i]; //@ add_float
	out[threadIdx.x] = sum;
}

extern "C" __global__ void add_float2(const float *in, float *out)
{
	__shared__ float2 words[WORDS / 2];

	fill((float *)words, in);
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS / 2; i += blockDim.x) {
		float2 w = words[i]; //@ add_float2
		sum += w.x + w.y;
	}
	out[threadIdx.x] = sum;
}

extern "C" __global__ void add_float4(const float *in, float *out)
{
	__shared__ float4 words[WORDS / 4];

	fill((float *)words, in);
	float sum = 0;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS / 4; i += blockDim.x) {
		float4 w = words[i]; //@ add_float4
		sum += w.x + w.y + w.z + w.w;
	}
	out[threadIdx.x] = sum;
}

#define ROWS 32
#define ROW 8

// A tile of 32 rows with 8 float4 each, 32 words; lane r reads element c of row r.
extern "C" __global__ void column_plain(const float4 *in, float4 *out, unsigned c)
{
	__shared__ float4 tile[ROWS * ROW];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ROWS * ROW; i += blockDim.x)
		tile[i] = in[i];
	__syncthreads();
	unsigned r = threadIdx.x;
	out[r] = tile[r * ROW + c]; //@ column_plain
}

// One unused float4 behind each row.
extern "C" __global__ void column_padded(const float4 *in, float4 *out, unsigned c)
{
	__shared__ float4 tile[ROWS * (ROW + 1)];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ROWS * ROW; i += blockDim.x)
		tile[i / ROW * (ROW + 1) + i % ROW] = in[i];
	__syncthreads();
	unsigned r = threadIdx.x;
	out[r] = tile[r * (ROW + 1) + c]; //@ column_padded
}

// Element c of row r is at place c ^ (r % 8) of the row.
extern "C" __global__ void column_swizzled(const float4 *in, float4 *out, unsigned c)
{
	__shared__ float4 tile[ROWS * ROW];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ROWS * ROW; i += blockDim.x)
		tile[i / ROW * ROW + (i % ROW ^ i / ROW % ROW)] = in[i];
	__syncthreads();
	unsigned r = threadIdx.x;
	out[r] = tile[r * ROW + (c ^ r % ROW)]; //@ column_swizzled
}
