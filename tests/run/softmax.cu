// Softmax of the rows of a matrix, one warp a row, written transposed. Columns past a row's length are left out, and each
// lane sums the series of the exponential for as long as its value needs: lanes of one warp go different ways.
#include "simt.h"

#define COLS 32
#define ROWS 4

__global__ void softmax(const float *in, const int *length, float *out)
{
	__shared__ float tile[COLS][ROWS];
	int row = threadIdx.y, col = threadIdx.x;
	float x = in[row * COLS + col], most = x, part = 0, sum;

	for (int d = 16; d > 0; d /= 2)
		most = fmaxf(most, __shfl_xor_sync(0xFFFFFFFF, most, d));
	if (col < length[row]) {
		float e = 1, term = 1;
		for (int n = 1; term > 1e-6f * e; n++) {
			term *= (most - x) / n;
			e += term;
		}
		part = 1 / e;
	}
	__syncwarp();
	sum = part;
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
	tile[col][row] = part / sum;
	__syncthreads();
	int i = row * COLS + col;
	out[i] = tile[i / ROWS][i % ROWS];
}
