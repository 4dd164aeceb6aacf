// Records of 8 float4 become 8 arrays of float4: out[c * rows + r] is element c of record r. A block takes 32 records: it copies
// them to its tile, row by row, and writes the tile out column by column. The results are right, but the reads of the tile have
// conflicts.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ store says which line the pictures show: keep it.
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
		if (first + r < rows)
			tile[r * FIELDS + c] = in[first * FIELDS + i]; //@ store
	}
	__syncthreads();

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < RECORDS * FIELDS; i += blockDim.x) {
		unsigned r = i % RECORDS, c = i / RECORDS;
		if (first + r < rows)
			out[c * rows + first + r] = tile[r * FIELDS + c]; //@ load
	}
}
