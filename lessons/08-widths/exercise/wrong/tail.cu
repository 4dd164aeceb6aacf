// Four at a time, and what is left at the end is forgotten.
#include "simt.h"

#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)
typedef float float4 __attribute__((ext_vector_type(4))); // for clang without NVIDIA's headers
#endif

extern "C" __global__ void axpy(float a, const float *x, float *y, unsigned n)
{
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned threads = gridDim.x * blockDim.x;
	const float4 *x4 = (const float4 *)x;
	float4 *y4 = (float4 *)y;

	#pragma unroll 1
	for (unsigned i = thread; i < n / 4; i += threads) {
		float4 p = x4[i]; //@ read
		float4 q = y4[i];
		q.x += a * p.x;
		q.y += a * p.y;
		q.z += a * p.z;
		q.w += a * p.w;
		y4[i] = q;
	}
}
