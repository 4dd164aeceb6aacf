// Nothing is computed.
#include "clang.h"

extern "C" __global__ void others(const unsigned *in, unsigned *part, unsigned *out, unsigned *arrived, unsigned n)
{
	out[blockIdx.x * blockDim.x + threadIdx.x] = 0; //@ read
}
