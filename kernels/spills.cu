// What a thread keeps, and what it cannot keep in registers.
#include "simt.h"

#define LAST 16

// Sixteen running sums in turn: each value is added to the one of sixteen rounds before. The index is known when the kernel runs, so the array is
// in local memory.
extern "C" __global__ void ring_indexed(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last[LAST];
	for (unsigned k = 0; k < LAST; k++)
		last[k] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round++) {
		unsigned v = in[i + round * threads]; //@ ring_indexed
		v += last[round % LAST];
		last[round % LAST] = v;
		out[i + round * threads] = v;
	}
}

// The same, sixteen rounds in a piece: each index is known when the kernel is compiled.
extern "C" __global__ void ring_unrolled(const unsigned *in, unsigned *out, unsigned rounds)
{
	unsigned threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned last[LAST];
	#pragma unroll
	for (unsigned k = 0; k < LAST; k++)
		last[k] = 0;
	#pragma unroll 1
	for (unsigned round = 0; round < rounds; round += LAST)
		#pragma unroll
		for (unsigned k = 0; k < LAST; k++) {
			unsigned v = in[i + (round + k) * threads]; //@ ring_unrolled
			last[k] += v;
			out[i + (round + k) * threads] = last[k];
		}
}

// Each thread has a table of its own. In a round lane l looks at word (l * step + round) % 32 of it.
#define TABLE 32
#define ROUNDS 16

extern "C" __global__ void own_table(const unsigned *in, unsigned *out, unsigned step)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, sum = 0;
	unsigned table[TABLE], first = in[i]; //@ own_table
	#pragma unroll 1
	for (unsigned k = 0; k < TABLE; k++)
		table[k] = first + k * k;
	#pragma unroll 1
	for (unsigned round = 0; round < ROUNDS; round++)
		sum += table[(lane * step + round) % TABLE];
	out[i] = sum;
}

// 96 values in each thread, halved and raised by 1 in every round. How many registers it may have follows from the largest block it
// is compiled for.
#define VALUES 96

static __device__ __forceinline__ float keep(const float *in, unsigned rounds)
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

extern "C" __global__ void __launch_bounds__(256) keep_256(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep(in, rounds); //@ keep_256
}

extern "C" __global__ void __launch_bounds__(512) keep_512(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep(in, rounds); //@ keep_512
}

extern "C" __global__ void __launch_bounds__(1024) keep_1024(const float *in, float *out, unsigned rounds)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = keep(in, rounds); //@ keep_1024
}
