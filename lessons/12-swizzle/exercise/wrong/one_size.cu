// As in the solution at the size that is judged first, as at the start at all others.
#include "simt.h"

#define COLUMNS 32

static __device__ void slow(const float *in, float *out, unsigned rows)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			tile[r * COLUMNS + lane] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[lane * COLUMNS + c]) / 2;
			tile[lane * COLUMNS + c] = value;
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[r * COLUMNS + lane];
}

static __device__ void fast(const float *in, float *out, unsigned rows)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, first = blockIdx.x * blockDim.x + threadIdx.x - lane;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			tile[r * COLUMNS + (lane ^ r)] = in[(first + r) * COLUMNS + lane];
	__syncwarp();

	if (first + lane < rows) {
		float value = 0;
		#pragma unroll 1
		for (unsigned c = 0; c < COLUMNS; c++) {
			value = (value + tile[lane * COLUMNS + (c ^ lane)]) / 2; //@ load
			tile[lane * COLUMNS + (c ^ lane)] = value;               //@ store
		}
	}
	__syncwarp();

	#pragma unroll 1
	for (unsigned r = 0; r < 32; r++)
		if (first + r < rows)
			out[(first + r) * COLUMNS + lane] = tile[r * COLUMNS + (lane ^ r)];
}

extern "C" __global__ void smooth(const float *in, float *out, unsigned rows)
{
	if (rows == 704)
		fast(in, out, rows);
	else
		slow(in, out, rows);
}
