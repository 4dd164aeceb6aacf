// What a compiler makes of a line: a product in a sum, a loop, addresses, a load that it may not move, four loads in a row.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define ROWS 8
#define WIDTH 256
#define ROUNDS 8

// A sum, and a sum with a product in it. Both take the same arguments.
extern "C" __global__ void plain_sum(const float *x, const float *y, float *out, float a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = x[i] + y[i]; //@ plain_sum
}

extern "C" __global__ void with_product(const float *x, const float *y, float *out, float a)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = a * x[i] + y[i]; //@ with_product
}

// Each thread adds up a column of 8 rows: in a loop that stays one, in one that is unrolled, and in one whose rows are as long as an
// argument says.
extern "C" __global__ void rows_loop(const unsigned *in, unsigned *out, unsigned width)
{
	unsigned i = threadIdx.x, sum = 0;
	#pragma unroll 1
	for (unsigned row = 0; row < ROWS; row++)
		sum += in[row * WIDTH + i]; //@ rows_loop
	out[i] = sum;
}

extern "C" __global__ void rows_unrolled(const unsigned *in, unsigned *out, unsigned width)
{
	unsigned i = threadIdx.x, sum = 0;
	#pragma unroll
	for (unsigned row = 0; row < ROWS; row++)
		sum += in[row * WIDTH + i]; //@ rows_unrolled
	out[i] = sum;
}

extern "C" __global__ void rows_argument(const unsigned *in, unsigned *out, unsigned width)
{
	unsigned i = threadIdx.x, sum = 0;
	#pragma unroll
	for (unsigned row = 0; row < ROWS; row++)
		sum += in[row * width + i]; //@ rows_argument
	out[i] = sum;
}

// Eight values each are multiplied by a factor that lies in memory: by pointers that may lead to the same place, by pointers that are
// promised not to, and with the factor in a variable.
extern "C" __global__ void scale_plain(const float *x, const float *factor, float *out)
{
	unsigned i = threadIdx.x;
	#pragma unroll
	for (unsigned k = 0; k < ROUNDS; k++)
		out[k * WIDTH + i] = x[k * WIDTH + i] * *factor; //@ scale_plain
}

extern "C" __global__ void scale_promised(
	const float *__restrict__ x, const float *__restrict__ factor, float *__restrict__ out)
{
	unsigned i = threadIdx.x;
	#pragma unroll
	for (unsigned k = 0; k < ROUNDS; k++)
		out[k * WIDTH + i] = x[k * WIDTH + i] * *factor; //@ scale_promised
}

extern "C" __global__ void scale_copied(const float *x, const float *factor, float *out)
{
	unsigned i = threadIdx.x;
	float by = *factor;
	#pragma unroll
	for (unsigned k = 0; k < ROUNDS; k++)
		out[k * WIDTH + i] = x[k * WIDTH + i] * by; //@ scale_copied
}

// Each thread doubles four neighbors: one after the other, and as one float4.
extern "C" __global__ void four_single(const float *__restrict__ x, float *__restrict__ out)
{
	unsigned i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
	#pragma unroll
	for (unsigned k = 0; k < 4; k++)
		out[i + k] = 2 * x[i + k]; //@ four_single
}

extern "C" __global__ void four_vector(const float4 *__restrict__ x, float4 *__restrict__ out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float4 v = x[i]; //@ four_vector
	v.x = 2 * v.x;
	v.y = 2 * v.y;
	v.z = 2 * v.z;
	v.w = 2 * v.w;
	out[i] = v;
}
