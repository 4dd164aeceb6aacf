// Five ways to lay out a tile of 32 x 32 words. Each warp copies a table into a tile of its own, row by row, and lane r then
// adds up the chosen columns of row r: the lanes read down a column. The launch gives shared memory for the tiles.
#include "simt.h"

#define ROWS 32
#define COLUMNS 32
#define PITCH (COLUMNS + 1)

extern "C" __global__ void plain(const float *in, const unsigned *columns, unsigned n, float *out)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *table = in + (row - lane) * COLUMNS;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 8
	for (unsigned r = 0; r < ROWS; r++)
		tile[r * COLUMNS + lane] = table[r * COLUMNS + lane];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned c = columns[k];
		sum += tile[lane * COLUMNS + c]; //@ plain
	}
	out[row] = sum;
}

// One unused word behind each row.
extern "C" __global__ void padded(const float *in, const unsigned *columns, unsigned n, float *out)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *table = in + (row - lane) * COLUMNS;
	float *tile = tiles + (threadIdx.x - lane) * PITCH;

	#pragma unroll 8
	for (unsigned r = 0; r < ROWS; r++)
		tile[r * PITCH + lane] = table[r * COLUMNS + lane];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned c = columns[k];
		sum += tile[lane * PITCH + c]; //@ padded
	}
	out[row] = sum;
}

// Row r begins r places further on, and what runs over its end comes back in at its front.
extern "C" __global__ void rotated(const float *in, const unsigned *columns, unsigned n, float *out)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *table = in + (row - lane) * COLUMNS;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 8
	for (unsigned r = 0; r < ROWS; r++)
		tile[r * COLUMNS + (lane + r) % COLUMNS] = table[r * COLUMNS + lane];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned c = columns[k];
		sum += tile[lane * COLUMNS + (c + lane) % COLUMNS]; //@ rotated
	}
	out[row] = sum;
}

// Column c of row r is at place c ^ r of the row.
extern "C" __global__ void swizzled(const float *in, const unsigned *columns, unsigned n, float *out)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *table = in + (row - lane) * COLUMNS;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 8
	for (unsigned r = 0; r < ROWS; r++)
		tile[r * COLUMNS + (lane ^ r)] = table[r * COLUMNS + lane]; //@ fill
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned c = columns[k];
		sum += tile[lane * COLUMNS + (c ^ lane)]; //@ swizzled
	}
	out[row] = sum;
}

// The same with some bits of the row's number.
extern "C" __global__ void masked(const float *in, const unsigned *columns, unsigned n, float *out, unsigned mask)
{
	extern __shared__ float tiles[];
	unsigned lane = threadIdx.x % 32, row = blockIdx.x * blockDim.x + threadIdx.x;
	const float *table = in + (row - lane) * COLUMNS;
	float *tile = tiles + (threadIdx.x - lane) * COLUMNS;

	#pragma unroll 8
	for (unsigned r = 0; r < ROWS; r++)
		tile[r * COLUMNS + (lane ^ (r & mask))] = table[r * COLUMNS + lane];
	__syncwarp();
	float sum = 0;
	for (unsigned k = 0; k < n; k++) {
		unsigned c = columns[k];
		sum += tile[lane * COLUMNS + (c ^ (lane & mask))]; //@ masked
	}
	out[row] = sum;
}
