/* vector_types.h: CUDA's vectors, with their alignment, and dim3. */
#pragma once
#include "simttutor_keywords.h"
#define SIMT_VECTORS(name, type, align2, align4)                                                                       \
	struct name##1 {                                                                                               \
		type x;                                                                                                \
	};                                                                                                             \
	struct __attribute__((aligned(align2))) name##2 {                                                              \
		type x, y;                                                                                             \
	};                                                                                                             \
	struct name##3 {                                                                                               \
		type x, y, z;                                                                                          \
	};                                                                                                             \
	struct __attribute__((aligned(align4))) name##4 {                                                              \
		type x, y, z, w;                                                                                       \
	};                                                                                                             \
	SIMT_TYPEDEF(struct, name##1)                                                                                  \
	SIMT_TYPEDEF(struct, name##2)                                                                                  \
	SIMT_TYPEDEF(struct, name##3)                                                                                  \
	SIMT_TYPEDEF(struct, name##4)                                                                                  \
	SIMT_BOTH name##1 make_##name##1(type x)                                                                       \
	{                                                                                                              \
		return SIMT_VALUE(name##1){x};                                                                         \
	}                                                                                                              \
	SIMT_BOTH name##2 make_##name##2(type x, type y)                                                               \
	{                                                                                                              \
		return SIMT_VALUE(name##2){x, y};                                                                      \
	}                                                                                                              \
	SIMT_BOTH name##3 make_##name##3(type x, type y, type z)                                                       \
	{                                                                                                              \
		return SIMT_VALUE(name##3){x, y, z};                                                                   \
	}                                                                                                              \
	SIMT_BOTH name##4 make_##name##4(type x, type y, type z, type w)                                               \
	{                                                                                                              \
		return SIMT_VALUE(name##4){x, y, z, w};                                                                \
	}
SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned int, 8, 16)
SIMT_VECTORS(long, long int, 16, 16)
SIMT_VECTORS(ulong, unsigned long int, 16, 16)
SIMT_VECTORS(longlong, long long int, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long int, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
#undef SIMT_VECTORS
/* Those of 32 bytes with their alignment in the name, as CUDA 13 has them beside. */
#define SIMT_ALIGNED(name, type, align)                                                                                \
	struct __attribute__((aligned(align))) name##4_##align##a {                                                    \
		type x, y, z, w;                                                                                       \
	};                                                                                                             \
	SIMT_TYPEDEF(struct, name##4_##align##a)                                                                       \
	SIMT_BOTH name##4_##align##a make_##name##4_##align##a(type x, type y, type z, type w)                         \
	{                                                                                                              \
		return SIMT_VALUE(name##4_##align##a){x, y, z, w};                                                     \
	}
SIMT_ALIGNED(long, long int, 16)
SIMT_ALIGNED(long, long int, 32)
SIMT_ALIGNED(ulong, unsigned long int, 16)
SIMT_ALIGNED(ulong, unsigned long int, 32)
SIMT_ALIGNED(longlong, long long int, 16)
SIMT_ALIGNED(longlong, long long int, 32)
SIMT_ALIGNED(ulonglong, unsigned long long int, 16)
SIMT_ALIGNED(ulonglong, unsigned long long int, 32)
SIMT_ALIGNED(double, double, 16)
SIMT_ALIGNED(double, double, 32)
#undef SIMT_ALIGNED

#ifndef __cplusplus
typedef struct dim3 {
	unsigned int x, y, z;
} dim3;
#else
struct dim3 {
	unsigned int x, y, z;
	__host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z)
	{
	}
	__host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ constexpr operator uint3() const
	{
		return uint3{x, y, z};
	}
};
#endif
