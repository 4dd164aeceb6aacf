// Swizzled, but as if there were always 32 records.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define RECORDS 32
#define FIELDS 8

extern "C" __global__ void to_arrays(const float4 *in, float4 *out, unsigned rows)
{
	__shared__ float4 tile[RECORDS * FIELDS];

	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i / FIELDS, c = i % FIELDS;
		tile[r * FIELDS + (c ^ r % FIELDS)] = in[first * FIELDS + i]; //@ store
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		out[c * rows + first + r] = tile[r * FIELDS + (c ^ r % FIELDS)]; //@ load
	}
}
