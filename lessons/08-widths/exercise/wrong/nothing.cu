// Few requests, since the first four floats alone are done.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4))); // for clang without NVIDIA's headers
#endif

extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	const float4 *x4 = (const float4 *)x;
	float4 *y4 = (float4 *)y;

	if (thread == 0) {
		float4 p = x4[0]; //@ read
		y4[0].x += a * p.x;
	}
}
