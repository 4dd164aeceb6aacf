// Each warp keeps the multiples of 3 among its 32 values, side by side and in order, and stores how many there are. The
// results are right, but each lane loads the values of all lanes before it, to count which of them are kept.
#include "clang.h"
// clang.h: what the kernel needs where CUDA's headers are missing. A mark as @ keep says which line the pictures show: keep it.

extern "C" __global__ void compact(const unsigned *in, unsigned *out, unsigned *counts, unsigned n)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, first = i / 32 * 32;
	if (i >= n)
		return;

	unsigned v = in[i], place = 0;
	#pragma unroll 1
	for (unsigned k = first; k < i; k++)
		place += in[k] % 3 == 0;
	if (v % 3 == 0)
		out[first + place] = v; //@ keep
	if (i == n - 1 || i % 32 == 31)
		counts[i / 32] = place + (v % 3 == 0);
}
