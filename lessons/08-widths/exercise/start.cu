// Adds a * x to y, n floats each. The threads of the grid share the work, a float at a time: each load and each store takes
// 4 bytes a lane.
#include "simt.h"
// simt.h: what the kernel needs where CUDA's headers are missing. A mark as @ read says which line the pictures show: keep it.
#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4))); // for clang without NVIDIA's headers
#endif

extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned threads = gridDim.x * blockDim.x;

	#pragma unroll 1
	for (unsigned i = thread; i < n; i += threads)
		y[i] += a * x[i]; //@ read
}
