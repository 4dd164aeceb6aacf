// Copies of floats that do not begin where a sector does.
#include "simt.h"

// Every thread copies one float; the first thread begins `offset` floats into the buffer.
extern "C" __global__ void copy_offset(const float *in, float *out, unsigned offset)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = in[offset + i]; //@ read
	out[i] = x;
}

// Every warp copies 32 floats of one row; row r begins r * pitch floats into the buffer.
extern "C" __global__ void copy_rows(const float *in, float *out, unsigned pitch)
{
	unsigned row = blockIdx.x * blockDim.y + threadIdx.y;
	unsigned column = threadIdx.x;
	float x = in[row * pitch + column]; //@ row
	out[row * 32 + column] = x;
}
