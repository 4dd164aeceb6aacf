// Two ways to leave words of shared memory unused: rows of a tile that lie `pitch` words apart, and one long row with a gap
// after every 32 words.
#include "simt.h"

#define ROWS 32
#define COLUMNS 32
#define MAX_PITCH 48

// The block copies the tile in, 32 words a row.
static __device__ __forceinline__ void fill(float *tile, const float *in, unsigned pitch)
{
	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < ROWS * COLUMNS; i += blockDim.x)
		tile[i / COLUMNS * pitch + i % COLUMNS] = in[i]; //@ fill
	__syncthreads();
}

// Thread t adds up column t: at each turn of the loop the warp reads along a row.
extern "C" __global__ void along_rows(const float *in, float *out, unsigned pitch)
{
	__shared__ float tile[ROWS * MAX_PITCH];

	fill(tile, in, pitch);
	float sum = 0;
	#pragma unroll 1
	for (unsigned row = 0; row < ROWS; row++)
		sum += tile[row * pitch + threadIdx.x]; //@ along_rows
	out[threadIdx.x] = sum;
}

// Thread t adds up row t: at each turn of the loop the warp reads down a column.
extern "C" __global__ void down_columns(const float *in, float *out, unsigned pitch)
{
	__shared__ float tile[ROWS * MAX_PITCH];

	fill(tile, in, pitch);
	float sum = 0;
	#pragma unroll 1
	for (unsigned column = 0; column < COLUMNS; column++)
		sum += tile[threadIdx.x * pitch + column]; //@ down_columns
	out[threadIdx.x] = sum;
}

#define WORDS (32 * 8)

// One row; lanes read words `stride` apart.
extern "C" __global__ void line_plain(const float *in, float *out, unsigned stride)
{
	__shared__ float line[WORDS];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		line[i] = in[i];
	__syncthreads();
	out[threadIdx.x] = line[threadIdx.x * stride]; //@ plain
}

// The same with one word more at the end.
extern "C" __global__ void line_longer(const float *in, float *out, unsigned stride)
{
	__shared__ float line[WORDS + 1];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		line[i] = in[i];
	__syncthreads();
	out[threadIdx.x] = line[threadIdx.x * stride]; //@ longer
}

// Where word i of the row lies when every 32 words are followed by an unused one.
static __device__ __forceinline__ unsigned place(unsigned i)
{
	return i + i / 32;
}

extern "C" __global__ void line_gaps(const float *in, float *out, unsigned stride)
{
	__shared__ float line[WORDS + WORDS / 32];

	#pragma unroll 1
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		line[place(i)] = in[i];
	__syncthreads();
	out[threadIdx.x] = line[place(threadIdx.x * stride)]; //@ gaps
}
