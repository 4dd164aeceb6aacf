// Records of 8 float4 become 8 arrays of float4: out[c * rows + r] is element c of record r. A block takes 32 records: it copies
// them to its tile, row by row, and writes the tile out column by column. Element c of row r is at place
// c ^ (r % 8) of the row, so that the 8 lanes of a quarter-warp read all 32 banks.
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
