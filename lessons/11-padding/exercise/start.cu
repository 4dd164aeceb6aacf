// Running sums along each row of a matrix with 32 columns. A block takes 32 rows: it copies them to shared memory, each
// thread of its first warp goes along one row, and the block copies the sums out. They are right, but the lanes of the loop
// meet in one bank.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ load says which line the pictures show: keep it.
#define COLUMNS 32

extern "C" __global__ void running_sums(const float *in, float *out, unsigned rows)
{
	__shared__ float tile[32 * COLUMNS];

	unsigned first = blockIdx.x * 32;
	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			tile[i] = in[first * COLUMNS + i];
	__syncthreads();

	unsigned row = threadIdx.x;
	if (row < 32 && first + row < rows) {
		float sum = 0;
		#pragma unroll 1
		for (unsigned column = 0; column < COLUMNS; column++) {
			sum += tile[row * COLUMNS + column]; //@ load
			tile[row * COLUMNS + column] = sum; //@ store
		}
	}
	__syncthreads();

	for (unsigned i = threadIdx.x; i < 32 * COLUMNS; i += blockDim.x)
		if (first + i / COLUMNS < rows)
			out[first * COLUMNS + i] = tile[i];
}
