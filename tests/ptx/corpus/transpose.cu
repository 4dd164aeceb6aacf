// A matrix turned over, patch by patch of 32 by 32. The lane that keeps a word of a patch is mixed with the number of its row, so that
// neither the rows that are written nor the columns that are read meet in a bank, without a word of padding.
#include "simt.h"

#define SIDE 32

extern "C" __global__ void transpose(const float *from, float *to, int columns, int rows)
{
	__shared__ float patch[SIDE * SIDE];
	int lane = threadIdx.x, left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

	for (int line = threadIdx.y; line < SIDE; line += blockDim.y) {
		if (left + lane >= columns || top + line >= rows)
			continue;
		patch[line * SIDE + (lane ^ line)] = from[(top + line) * columns + left + lane];
	}
	__syncthreads();
	// A line of the result is a column of the patch.
	for (int line = threadIdx.y; line < SIDE; line += blockDim.y) {
		if (top + lane >= rows || left + line >= columns)
			continue;
		to[(left + line) * rows + top + lane] = patch[lane * SIDE + (line ^ lane)];
	}
}
