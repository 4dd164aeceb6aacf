// As in the solution at the size that is judged first, as at the start at all others.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define RECORDS 32
#define FIELDS 8

static __device__ void slow(const float4 *in, float4 *out, unsigned rows)
{
	__shared__ float4 tile[RECORDS * FIELDS];

	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i / FIELDS, c = i % FIELDS;
		if (first + r < rows)
			tile[r * FIELDS + c] = in[first * FIELDS + i];
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		if (first + r < rows)
			out[c * rows + first + r] = tile[r * FIELDS + c];
	}
}

static __device__ void fast(const float4 *in, float4 *out, unsigned rows)
{
	__shared__ float4 tile[RECORDS * FIELDS];

	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i / FIELDS, c = i % FIELDS;
		if (first + r < rows)
			tile[r * FIELDS + (c ^ r % FIELDS)] = in[first * FIELDS + i]; //@ store
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		if (first + r < rows)
			out[c * rows + first + r] = tile[r * FIELDS + (c ^ r % FIELDS)]; //@ load
	}
}

extern "C" __global__ void to_arrays(const float4 *in, float4 *out, unsigned rows)
{
	if (rows == 64)
		fast(in, out, rows);
	else
		slow(in, out, rows);
}
