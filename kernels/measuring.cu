// Kernels to be measured: one that moves bytes, and some that are slow, each for a reason of its own.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef unsigned long long ulonglong2 __attribute__((ext_vector_type(2)));
#endif

#define PITCH 36

// One array is read and one is written, two numbers in each thread. n is a multiple of 2.
extern "C" __global__ void plus_one(const ulonglong2 *in, ulonglong2 *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n / 2) {
		ulonglong2 v = in[i]; //@ plus_one
		v.x += 1;
		v.y += 1;
		out[i] = v;
	}
}

// One word of every `apart` is needed.
extern "C" __global__ void take(const float *in, float *out, unsigned apart, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i * apart]; //@ take
}

// A grid-stride loop. Its launch has eight blocks.
extern "C" __global__ void few(const float *in, float *out, unsigned n)
{
	#pragma unroll 1
	for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = in[i] + 1; //@ few
}

// Each thread has eight neighbors.
extern "C" __global__ void runs(const float *in, float *out, unsigned n)
{
	unsigned first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
	#pragma unroll 1
	for (unsigned i = first; i < first + 8 && i < n; i++)
		out[i] = in[i] + 1; //@ runs
}

// Each warp copies 32 rows of 32 words to shared memory, and then each lane adds up a row.
extern "C" __global__ void rows(const float *in, float *out, unsigned n)
{
	__shared__ float tiles[8 * 32 * PITCH];

	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	float *tile = tiles + threadIdx.x / 32 * 32 * PITCH, sum = 0;
	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		tile[r * PITCH + lane] = in[(row - lane + r) * 32 + lane];
	__syncwarp();
	#pragma unroll 1
	for (unsigned c = 0; c < 32; c++)
		sum += tile[lane * PITCH + c]; //@ rows
	if (row < n)
		out[row] = sum;
}

// The first warp of a block computes a factor, for which the others wait.
extern "C" __global__ void lonely(const float *in, float *out, unsigned n)
{
	__shared__ float factor;

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x < 32) {
		float f = threadIdx.x;
		#pragma unroll 1
		for (unsigned round = 0; round < 256; round++)
			f = f * 0.5f + 1;
		if (threadIdx.x == 0)
			factor = f;
	}
	__syncthreads();
	if (i < n)
		out[i] = factor * in[i]; //@ lonely
}

// Much arithmetic for each word, in two chains.
extern "C" __global__ void busy(const float *in, float *out, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float a = in[i], b = a + 1; //@ busy
	#pragma unroll 1
	for (unsigned round = 0; round < 32; round++)
		#pragma unroll
		for (unsigned k = 0; k < 4; k++) {
			a = a * 0.5f + 1;
			b = b * 0.5f + 1;
		}
	out[i] = a + b;
}

// Rows become columns, of a matrix with 640 of each: a block has 32 x 32 of its words, and one row of threads after the other.
#define SIDE 640

extern "C" __global__ void turn_plain(const float *in, float *out)
{
	unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
	#pragma unroll 1
	for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
		out[x * SIDE + y + k] = in[(y + k) * SIDE + x]; //@ plain
}

// The same, launched with smaller blocks.
extern "C" __global__ void turn_smaller(const float *in, float *out)
{
	unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
	#pragma unroll 1
	for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
		out[x * SIDE + y + k] = in[(y + k) * SIDE + x]; //@ smaller
}

// With four loads before the first store.
extern "C" __global__ void turn_unrolled(const float *in, float *out)
{
	unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	float v[4];
	#pragma unroll
	for (unsigned k = 0; k < 4; k++)
		v[k] = in[(y + 8 * k) * SIDE + x];
	#pragma unroll
	for (unsigned k = 0; k < 4; k++)
		out[x * SIDE + y + 8 * k] = v[k]; //@ unrolled
}

// By way of shared memory.
extern "C" __global__ void turn_staged(const float *in, float *out)
{
	__shared__ float tile[32][33];

	unsigned x = blockIdx.x * 32, y = blockIdx.y * 32;
	#pragma unroll 1
	for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
		tile[k][threadIdx.x] = in[(y + k) * SIDE + x + threadIdx.x];
	__syncthreads();
	#pragma unroll 1
	for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
		out[(x + k) * SIDE + y + threadIdx.x] = tile[threadIdx.x][k]; //@ staged
}
