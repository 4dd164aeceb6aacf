// Doubles the rows of a matrix, 128 numbers each. Every block takes the same number of rows, and the last one the rest. The
// results are right, but one SM works long after the others.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#define COLUMNS 128

extern "C" __global__ void double_rows(const float *in, float *out, unsigned rows)
{
	unsigned share = rows / gridDim.x;
	unsigned first = blockIdx.x * share;
	unsigned end = blockIdx.x + 1 < gridDim.x ? first + share : rows;
	#pragma unroll 1
	for (unsigned row = first; row < end; row++)
		out[row * COLUMNS + threadIdx.x] = 2 * in[row * COLUMNS + threadIdx.x]; //@ read
}
