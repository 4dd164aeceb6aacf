// Loads are aligned. Stores are not, and many small ones hide it in the average.
#include "simt.h"

extern "C" __global__ void scale_part(float *data, float factor, unsigned first, unsigned n)
{
	__shared__ float scaled[128 + 8];

	unsigned begin = first / 8 * 8 + blockIdx.x * blockDim.x;
	unsigned i = begin + threadIdx.x;
	if (i >= first && i < first + n)
		scaled[threadIdx.x] = data[i] * factor; //@ read
	__syncthreads();

	// Thread t stores what lies one float further; the first thread stores its own as well, three times.
	volatile float *out = data;
	unsigned k = (threadIdx.x + 1) % blockDim.x;
	if (begin + k >= first && begin + k < first + n) {
		out[begin + k] = scaled[k];
		for (int times = 0; times < 3 && threadIdx.x % 32 == 0; times++)
			out[begin + k] = scaled[k];
	}
}
