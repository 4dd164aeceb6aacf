/* device_launch_parameters.h: threadIdx, blockIdx, blockDim, gridDim, warpSize. Each use reads the special register. */
#pragma once
#include "vector_types.h"

#ifndef __CUDA__ /* a C or C++ compiler, whose sources may name this header */
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
#else
#define SIMT_AXIS(register, axis)                                                                                      \
	__declspec(property(get = simt_##axis)) unsigned int axis;                                                     \
	static __device__ __forceinline__ __attribute__((nodebug)) unsigned int simt_##axis()                          \
	{                                                                                                              \
		return __nvvm_read_ptx_sreg_##register##_##axis();                                                     \
	}
#define SIMT_INDEX(name, register)                                                                                     \
	struct simt_##name {                                                                                           \
		SIMT_AXIS(register, x)                                                                                 \
		SIMT_AXIS(register, y)                                                                                 \
		SIMT_AXIS(register, z)                                                                                 \
		__device__ __forceinline__ __attribute__((nodebug)) operator dim3() const                              \
		{                                                                                                      \
			return dim3(x, y, z);                                                                          \
		}                                                                                                      \
		__device__ __forceinline__ __attribute__((nodebug)) operator uint3() const                             \
		{                                                                                                      \
			return uint3{x, y, z};                                                                         \
		}                                                                                                      \
	};                                                                                                             \
	extern const __device__ simt_##name name;
SIMT_INDEX(threadIdx, tid)
SIMT_INDEX(blockIdx, ctaid)
SIMT_INDEX(blockDim, ntid)
SIMT_INDEX(gridDim, nctaid)
#undef SIMT_INDEX
#undef SIMT_AXIS
/* No macro: cudaDeviceProp has a member of that name. */
static constexpr int warpSize = 32;
#endif
