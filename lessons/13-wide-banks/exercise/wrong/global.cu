// The conflicts are gone with the tile, and each lane reads another record.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define RECORDS 32
#define FIELDS 8

extern "C" __global__ void to_arrays(const float4 *in, float4 *out, unsigned rows)
{
	unsigned first = blockIdx.x * RECORDS;
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		if (first + r < rows)
			out[c * rows + first + r] = in[(first + r) * FIELDS + c]; //@ load
	}
}
