// Rows of 33 words, as for floats: no float4 can be stored where the second one begins.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define RECORDS 32
#define FIELDS 8

extern "C" __global__ void to_arrays(const float4 *in, float4 *out, unsigned rows)
{
	__shared__ float tile[RECORDS * (FIELDS * 4 + 1)];

	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i / FIELDS, c = i % FIELDS;
		if (first + r < rows)
			*(float4 *)&tile[r * (FIELDS * 4 + 1) + c * 4] = in[first * FIELDS + i]; //@ store
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		if (first + r < rows)
			out[c * rows + first + r] = *(float4 *)&tile[r * (FIELDS * 4 + 1) + c * 4]; //@ load
	}
}
