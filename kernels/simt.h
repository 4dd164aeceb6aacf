// simt.h: the one include of a kernel. Empty for nvcc and NVRTC, which know CUDA's names; for clang without NVIDIA's
// headers it supplies the few that the kernels use:
//   clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 -S kernel.cu
#pragma once
#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

// threadIdx.x and the like read a special register each time they are named.
#define SIMT_AXIS(register, axis) \
	__declspec(property(get = simt_##axis)) unsigned axis; \
	static __device__ __forceinline__ unsigned simt_##axis() { return __nvvm_read_ptx_sreg_##register##_##axis(); }
#define SIMT_INDEX(name, register) \
	struct simt_##name { SIMT_AXIS(register, x) SIMT_AXIS(register, y) SIMT_AXIS(register, z) }; \
	extern const __device__ struct simt_##name name;
SIMT_INDEX(threadIdx, tid)
SIMT_INDEX(blockIdx, ctaid)
SIMT_INDEX(blockDim, ntid)
SIMT_INDEX(gridDim, nctaid)
#define warpSize 32

// __syncthreads() is known to clang itself.
static __device__ __forceinline__ void __syncwarp(unsigned mask = 0xFFFFFFFF) { __nvvm_bar_warp_sync(mask); }
static __device__ __forceinline__ void __threadfence() { __nvvm_membar_gl(); }
static __device__ __forceinline__ void __threadfence_block() { __nvvm_membar_cta(); }

static __device__ __forceinline__ int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
static __device__ __forceinline__ unsigned atomicAdd(unsigned *p, unsigned v)
{
	return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
static __device__ __forceinline__ float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }

#endif
