// Threads that keep more or fewer values in registers.
#include "simt.h"

// Adds up VALUES values of the input, after each has been halved and raised by 1 in every round.
template <unsigned VALUES> static __device__ __forceinline__ float keep(const float *in, unsigned rounds)
{
	float value[VALUES], sum = 0;
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		value[k] = in[blockIdx.x * blockDim.x + threadIdx.x + k];
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++)
		#pragma unroll
		for (unsigned k = 0; k < VALUES; k++)
			value[k] = value[k] * 0.5f + 1;
	#pragma unroll
	for (unsigned k = 0; k < VALUES; k++)
		sum += value[k];
	return sum;
}

extern "C" __global__ void keep_few(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep<16>(in, rounds); //@ keep_few
}

extern "C" __global__ void keep_some(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep<48>(in, rounds); //@ keep_some
}

extern "C" __global__ void keep_many(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep<96>(in, rounds); //@ keep_many
}

extern "C" __global__ void keep_most(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep<192>(in, rounds); //@ keep_most
}
