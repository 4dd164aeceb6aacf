/* cuComplex.h: complex numbers of floats and of doubles, on both sides. */
#pragma once
#include "cuda_runtime.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define SIMT_COMPLEX(suffix, type, real, f)                                                                    \
	SIMT_BOTH type make_##type(real x, real y)                                                                     \
	{                                                                                                              \
		type z;                                                                                                \
		z.x = x;                                                                                               \
		z.y = y;                                                                                               \
		return z;                                                                                              \
	}                                                                                                              \
	SIMT_BOTH real cuCreal##suffix(type z)                                                                         \
	{                                                                                                              \
		return z.x;                                                                                            \
	}                                                                                                              \
	SIMT_BOTH real cuCimag##suffix(type z)                                                                         \
	{                                                                                                              \
		return z.y;                                                                                            \
	}                                                                                                              \
	SIMT_BOTH type cuConj##suffix(type z)                                                                          \
	{                                                                                                              \
		return make_##type(z.x, -z.y);                                                                         \
	}                                                                                                              \
	SIMT_BOTH type cuCadd##suffix(type a, type b)                                                                  \
	{                                                                                                              \
		return make_##type(a.x + b.x, a.y + b.y);                                                              \
	}                                                                                                              \
	SIMT_BOTH type cuCsub##suffix(type a, type b)                                                                  \
	{                                                                                                              \
		return make_##type(a.x - b.x, a.y - b.y);                                                              \
	}                                                                                                              \
	SIMT_BOTH type cuCmul##suffix(type a, type b)                                                                  \
	{                                                                                                              \
		return make_##type(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                                      \
	}                                                                                                              \
	/* Scaled by the larger part of b, so that squares do not overflow. */                                         \
	SIMT_BOTH type cuCdiv##suffix(type a, type b)                                                                  \
	{                                                                                                              \
		real scale = 1 / (fabs##f(b.x) + fabs##f(b.y));                                                        \
		real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                           \
		real over = 1 / (bx * bx + by * by);                                                                   \
		return make_##type((ax * bx + ay * by) * over, (ay * bx - ax * by) * over);                            \
	}                                                                                                              \
	SIMT_BOTH real cuCabs##suffix(type z)                                                                          \
	{                                                                                                              \
		return hypot##f(z.x, z.y);                                                                             \
	}                                                                                                              \
	SIMT_BOTH type cuCfma##suffix(type a, type b, type c)                                                          \
	{                                                                                                              \
		return make_##type(                                                                                    \
			a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);                                      \
	}
SIMT_COMPLEX(f, cuFloatComplex, float, f)
SIMT_COMPLEX(, cuDoubleComplex, double, )
#undef SIMT_COMPLEX
SIMT_BOTH cuComplex make_cuComplex(float x, float y)
{
	return make_cuFloatComplex(x, y);
}
SIMT_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z)
{
	return make_cuDoubleComplex((double)z.x, (double)z.y);
}
SIMT_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z)
{
	return make_cuFloatComplex((float)z.x, (float)z.y);
}
