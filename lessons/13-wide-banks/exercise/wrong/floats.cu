// Word by word in padded rows: no conflicts, but four times as many requests.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define RECORDS 32
#define FIELDS 8

extern "C" __global__ void to_arrays(const float4 *in, float4 *out, unsigned rows)
{
	__shared__ float tile[RECORDS * (FIELDS * 4 + 1)];
	const float *from = (const float *)in;
	float *to = (float *)out;

	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS * 4; i += blockDim.x) {
		unsigned r = i / (FIELDS * 4), c = i % (FIELDS * 4);
		if (first + r < rows)
			tile[r * (FIELDS * 4 + 1) + c] = from[first * FIELDS * 4 + i]; //@ store
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS * 4; i += blockDim.x) {
		unsigned r = i / 4 % RECORDS, c = i / (RECORDS * 4), j = i % 4;
		if (first + r < rows)
			to[(c * rows + first + r) * 4 + j] = tile[r * (FIELDS * 4 + 1) + c * 4 + j]; //@ load
	}
}
