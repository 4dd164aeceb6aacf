/* simttutor_keywords.h: CUDA's keywords for clang, which knows them as attributes. First of all headers: what it declares for the
 * device must be there before the C++ library's headers name it. C++ that is not CUDA sees types and functions of the host alone. */
#pragma once

#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define __SIMTTUTOR_CC__ 1
/* By these, Thrust and others know that the keywords are here, so that they do not make their own. */
#define __HOST_DEFINES_H__ 1
#define __DRIVER_TYPES_H__ 1

#ifdef __CUDA__
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#ifdef __CUDA_ARCH__ /* used: in a namespace without a name, or of a struct without one, what the host writes would be left out */
#define __constant__ __attribute__((constant, used))
#else
#define __constant__ __attribute__((constant))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
/* Clang cannot say it in PTX. */
#define __cluster_dims__(...)                                                                                          \
	__attribute__((unavailable("clang has no __cluster_dims__; cudaLaunchKernelEx and cudaLaunchAttributeClusterDimension do it")))
#else
#define __host__
#define __device__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
/* Clang has no managed variables, but a shadow of each of the device's in the program. Those of managed ones are together, and the runtime,
 * which is told where, lets the kernels' variables lie there. */
#ifdef __CUDA__
#ifdef __CUDA_ARCH__
#define __managed__ __device__
#else
#define __managed__ __device__ __attribute__((section("simttutor_managed")))
extern "C" {
extern __attribute__((weak, visibility("hidden"))) const char __start_simttutor_managed[], __stop_simttutor_managed[];
void __simttutorManaged(const void *begin, const void *end);
__attribute__((constructor(101), weak, visibility("hidden"), nodebug)) void __simttutor_managed_here()
{
	if (__start_simttutor_managed)
		__simttutorManaged(__start_simttutor_managed, __stop_simttutor_managed);
}
}
#endif
#endif
/* What C has otherwise: names of types, values of a type, and what a parameter is that is left out. */
#ifdef __cplusplus
#define SIMT_TYPEDEF(kind, name)
#define SIMT_VALUE(type) type
#define SIMT_OR(value) = value
#define SIMT_ASSERT(...) static_assert(__VA_ARGS__)
#else
#define SIMT_TYPEDEF(kind, name) typedef kind name name;
#define SIMT_VALUE(type) (type)
#define SIMT_OR(value)
#define SIMT_ASSERT(...)
#endif
#define CUDARTAPI
#define CUDART_CB

/* What is defined here: on the device, and on both sides. */
#ifdef __CUDA__
#define SIMT_DEVICE static __inline__ __attribute__((always_inline, device, nodebug, unused))
#define SIMT_BOTH static __inline__ __attribute__((always_inline, host, device, nodebug, unused))
#define SIMT_MEMBER __inline__ __attribute__((always_inline, host, device, nodebug))
#else
#define SIMT_BOTH static __inline__ __attribute__((always_inline, unused))
#define SIMT_MEMBER __inline__ __attribute__((always_inline))
#endif

#ifdef __CUDA__
/* The device's own, beside the C library's of the same name. */
extern "C" {
__attribute__((device)) void *malloc(__SIZE_TYPE__ bytes);
__attribute__((device)) void free(void *pointer);
__attribute__((device)) int printf(const char *format, ...);
__attribute__((device)) int vprintf(const char *format, __builtin_va_list arguments);
__attribute__((device, noreturn)) void __assertfail(
	const char *condition, const char *file, unsigned line, const char *function, __SIZE_TYPE__ bytes_of_char);
}
/* Clang makes loops of these where it knows no better. */
__attribute__((device, always_inline, nodebug)) inline void *memcpy(void *to, const void *from, __SIZE_TYPE__ bytes)
{
	return __builtin_memcpy(to, from, bytes);
}
__attribute__((device, always_inline, nodebug)) inline void *memset(void *to, int value, __SIZE_TYPE__ bytes)
{
	return __builtin_memset(to, value, bytes);
}
SIMT_DEVICE __attribute__((noreturn)) void __assert_fail(
	const char *condition, const char *file, unsigned line, const char *function)
{
	__assertfail(condition, file, line, function, 1);
}
#endif
