// Memory that is read again: by a block, by other lanes, by other SMs.
#include "clang.h"

#define KIB 256 // words

// Each block adds up its own words, `rounds` times.
extern "C" __global__ void again(const unsigned *in, unsigned *out, unsigned kib, unsigned rounds)
{
	unsigned words = kib * KIB, first = blockIdx.x * words, sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		#pragma unroll 4
		for (unsigned i = threadIdx.x; i < words; i += blockDim.x)
			sum += in[first + i]; //@ again
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each lane reads the first word of a sector of its own line, then of the same sector or of the next one.
extern "C" __global__ void sector_same(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, first = in[32 * i];
	__syncthreads();
	out[i] = first + in[32 * i + 1]; //@ sector_same
}

extern "C" __global__ void sector_next(const unsigned *in, unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, first = in[32 * i];
	__syncthreads();
	out[i] = first + in[32 * i + 8]; //@ sector_next
}

// All blocks add up the same words, 16 bytes in each thread.
extern "C" __global__ void all_the_same(const float4 *in, float *out, unsigned kib)
{
	unsigned words = kib * (KIB / 4);
	float sum = 0;
	#pragma unroll 2
	for (unsigned i = threadIdx.x; i < words; i += blockDim.x) {
		float4 v = in[i]; //@ all_the_same
		sum += v.x + v.y + v.z + v.w;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The blocks share the words, `rounds` times.
extern "C" __global__ void shared_out(const float4 *in, float *out, unsigned mib, unsigned rounds)
{
	unsigned words = mib * (1024 * KIB / 4), threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		#pragma unroll 2
		for (unsigned i = t; i < words; i += threads) {
			float4 v = in[i]; //@ shared_out
			sum += v.x + v.y + v.z + v.w;
		}
	out[t] = sum;
}
