// Shared memory whose size comes with the launch: one array, two of them, and where the second one may begin.
#include "simt.h"

#define MOST_ENTRIES 8192

// Each thread subtracts the value of its left neighbor in the block. The launch gives as many bytes as the block needs.
extern "C" __global__ void differences(const float *in, float *out)
{
	extern __shared__ float values[];

	unsigned t = threadIdx.x, first = blockIdx.x * blockDim.x;
	values[t] = in[first + t]; //@ differences
	__syncthreads();
	out[first + t] = values[t] - values[t == 0 ? 0 : t - 1];
}

// Values and their weights, in reverse order. Two names: both arrays begin where the shared memory of the block does.
extern "C" __global__ void weigh_names(const float *in, const float *weight, float *out)
{
	extern __shared__ float values[];
	extern __shared__ float weights[];
	volatile float *value = values, *factor = weights; // so that the compiler leaves all accesses as they are

	unsigned t = threadIdx.x, other = blockDim.x - 1 - t;
	value[t] = in[t]; //@ weigh_names
	factor[t] = weight[t];
	__syncthreads();
	out[t] = value[other] * factor[other];
}

// One name, and the second array begins where the first one ends.
extern "C" __global__ void weigh_offset(const float *in, const float *weight, float *out)
{
	extern __shared__ float values[];
	float *weights = values + blockDim.x;

	unsigned t = threadIdx.x, other = blockDim.x - 1 - t;
	values[t] = in[t]; //@ weigh_offset
	weights[t] = weight[t];
	__syncthreads();
	out[t] = values[other] * weights[other];
}

// A byte and a double for each thread: the bytes first, and the doubles right after them ...
extern "C" __global__ void grade_bytes_first(const double *in, const unsigned char *grade, double *out)
{
	extern __shared__ double memory[];
	unsigned char *grades = (unsigned char *)memory;
	double *marks = (double *)(grades + blockDim.x);

	unsigned t = threadIdx.x, other = blockDim.x - 1 - t;
	grades[t] = grade[t];
	marks[t] = in[t]; //@ grade_bytes_first
	__syncthreads();
	out[t] = marks[other] * grades[other];
}

// ... or after them, from the next multiple of eight bytes on ...
extern "C" __global__ void grade_rounded_up(const double *in, const unsigned char *grade, double *out)
{
	extern __shared__ double memory[];
	unsigned char *grades = (unsigned char *)memory;
	double *marks = memory + (blockDim.x + 7) / 8;

	unsigned t = threadIdx.x, other = blockDim.x - 1 - t;
	grades[t] = grade[t];
	marks[t] = in[t]; //@ grade_rounded_up
	__syncthreads();
	out[t] = marks[other] * grades[other];
}

// ... or before them.
extern "C" __global__ void grade_doubles_first(const double *in, const unsigned char *grade, double *out)
{
	extern __shared__ double memory[];
	double *marks = memory;
	unsigned char *grades = (unsigned char *)(marks + blockDim.x);

	unsigned t = threadIdx.x, other = blockDim.x - 1 - t;
	grades[t] = grade[t];
	marks[t] = in[t]; //@ grade_doubles_first
	__syncthreads();
	out[t] = marks[other] * grades[other];
}

// Replaces each number by its entry of a table, of which the block has a copy: of the size that the compiler was given ...
extern "C" __global__ void look_up_static(const unsigned *in, const float *table, float *out, unsigned entries)
{
	__shared__ float copy[MOST_ENTRIES];

	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < entries; k += blockDim.x)
		copy[k] = table[k];
	__syncthreads();
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = copy[in[i] % entries]; //@ look_up_static
}

// ... and of the size that the launch gives.
extern "C" __global__ void look_up_dynamic(const unsigned *in, const float *table, float *out, unsigned entries)
{
	extern __shared__ float copy[];

	#pragma unroll 1
	for (unsigned k = threadIdx.x; k < entries; k += blockDim.x)
		copy[k] = table[k];
	__syncthreads();
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = copy[in[i] % entries]; //@ look_up_dynamic
}
