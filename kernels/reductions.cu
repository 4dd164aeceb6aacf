// Three colors of an image, one after the other. Each block adds up, of every color, as many words as it has threads: a power
// of two, 128 at least. The sum of in[r * threads] to in[r * threads + threads - 1] goes to out[r].
#include "clang.h"

#define COLORS 3
#define THREADS_MAX 1024

// Where a block's words of a color begin, in blocks.
#define ROW(color) ((color) * gridDim.x + blockIdx.x)

extern "C" __global__ void sum_modulo(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[COLORS][THREADS_MAX];
	unsigned t = threadIdx.x;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = in[ROW(c) * blockDim.x + t];
	__syncthreads();
	for (unsigned step = 1; step < blockDim.x; step *= 2) {
		if (t % (2 * step) == 0)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][t] += part[c][t + step]; //@ add_sum_modulo
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[ROW(c)] = part[c][0];
}

extern "C" __global__ void sum_strided(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[COLORS][THREADS_MAX];
	unsigned t = threadIdx.x;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = in[ROW(c) * blockDim.x + t];
	__syncthreads();
	for (unsigned step = 1; step < blockDim.x; step *= 2) {
		unsigned i = 2 * step * t;
		if (i < blockDim.x)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][i] += part[c][i + step]; //@ add_sum_strided
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[ROW(c)] = part[c][0];
}

extern "C" __global__ void sum_sequential(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[COLORS][THREADS_MAX];
	unsigned t = threadIdx.x;

	for (unsigned c = 0; c < COLORS; c++)
		part[c][t] = in[ROW(c) * blockDim.x + t];
	__syncthreads();
	for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
		if (t < half)
			#pragma unroll 1
			for (unsigned c = 0; c < COLORS; c++)
				part[c][t] += part[c][t + half]; //@ add_sum_sequential
		__syncthreads();
	}
	if (t == 0)
		for (unsigned c = 0; c < COLORS; c++)
			out[ROW(c)] = part[c][0];
}

// The sum of a warp's 32 words, for lane 0.
static __device__ __forceinline__ unsigned warp_sum(unsigned word)
{
	for (unsigned half = 16; half > 0; half /= 2)
		word += __shfl_down_sync(0xFFFFFFFF, word, half); //@ shuffle
	return word;
}

extern "C" __global__ void sum_shuffle(const unsigned *in, unsigned *out)
{
	__shared__ unsigned part[COLORS][32]; // a word of each warp
	unsigned t = threadIdx.x, warp = t / 32, lane = t % 32;

	for (unsigned c = 0; c < COLORS; c++) {
		unsigned word = warp_sum(in[ROW(c) * blockDim.x + t]);
		if (lane == 0)
			part[c][warp] = word;
	}
	__syncthreads();
	if (warp < COLORS) {
		unsigned word = lane < blockDim.x / 32 ? part[warp][lane] : 0; //@ add_sum_shuffle
		word = warp_sum(word);
		if (lane == 0)
			out[ROW(warp)] = word;
	}
}
