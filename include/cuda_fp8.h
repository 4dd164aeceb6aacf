/* cuda_fp8.h: numbers of 8 bits: E4M3, with 4 bits of exponent and no infinities, and E5M2, with 5; in pairs and fours. They are stored
 * and converted; sums are made in wider formats. */
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* The nearest, ties to even; past the greatest that, if it saturates, else NaN, or infinity where there is one. */
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float f, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	int stored = format == __NV_E4M3 ? 3 : 2, bias = format == __NV_E4M3 ? 7 : 15;
	unsigned int bits = __builtin_bit_cast(unsigned int, f), sign = bits >> 24 & 0x80, rest = bits & 0x7FFFFFFF;
	unsigned int greatest = format == __NV_E4M3 ? 0x7E : 0x7B;
	if (rest > 0x7F800000)
		return 0x7F;
	int exponent = (int)(rest >> 23) - 127, least = 1 - bias;
	unsigned int significand = (rest & 0x7FFFFF) | 0x800000, made = 0;
	int drop = 23 - stored + (exponent < least ? least - exponent : 0);
	if (drop < 25) {
		unsigned int kept = significand >> drop, lost = significand & ((1u << drop) - 1), half = 1u << (drop - 1);
		kept += lost > half || (lost == half && (kept & 1));
		made = kept + ((unsigned int)((exponent < least ? least : exponent) + bias - 1) << stored);
	}
	if (made > greatest)
		made = saturate == __NV_SATFINITE ? greatest : greatest + 1;
	return (__nv_fp8_storage_t)(sign | made);
}
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(double d, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	return __nv_cvt_float_to_fp8(simt_float_odd(d), saturate, format);
}
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
	__half_raw h, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	return __nv_cvt_float_to_fp8(simt_float_of_half(h.x), saturate, format);
}
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(
	__nv_bfloat16_raw b, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	return __nv_cvt_float_to_fp8(simt_float_of_bfloat(b.x), saturate, format);
}
#define SIMT_PAIR(name, type, one)                                                                                     \
	SIMT_BOTH __nv_fp8x2_storage_t name(type v, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)      \
	{                                                                                                              \
		return (__nv_fp8x2_storage_t)(one(v.x, saturate, format) | one(v.y, saturate, format) << 8);           \
	}
SIMT_BOTH __nv_fp8_storage_t simt_fp8_of_half_bits(
	unsigned short bits, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	return __nv_cvt_halfraw_to_fp8(__half_raw{bits}, saturate, format);
}
SIMT_BOTH __nv_fp8_storage_t simt_fp8_of_bfloat_bits(
	unsigned short bits, __nv_saturation_t saturate, __nv_fp8_interpretation_t format)
{
	return __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{bits}, saturate, format);
}
SIMT_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8)
SIMT_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8)
SIMT_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, simt_fp8_of_half_bits)
SIMT_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, simt_fp8_of_bfloat_bits)
#undef SIMT_PAIR

/* Halves hold them all. */
SIMT_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format)
{
	unsigned int sign = (x & 0x80u) << 8, rest = x & 0x7Fu;
	if (format == __NV_E5M2)
		return __half_raw{(unsigned short)(rest > 0x7C ? 0x7FFF : sign | rest << 8)};
	if (rest == 0x7F)
		return __half_raw{0x7FFF};
	unsigned short magnitude =
		rest < 8 ? simt_half_of_float((float)rest * 0x1p-9f) : (unsigned short)((rest << 7) + ((15 - 7) << 10));
	return __half_raw{(unsigned short)(sign | magnitude)};
}
SIMT_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format)
{
	return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, format).x,
		__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), format).x};
}

#define SIMT_FROM(name, type, made)                                                                                    \
	SIMT_MEMBER explicit name(type v) : __x(made)                                                                  \
	{                                                                                                              \
	}
#define SIMT_TO(type, made)                                                                                            \
	SIMT_MEMBER explicit operator type() const                                                                     \
	{                                                                                                              \
		return made;                                                                                           \
	}
#define SIMT_FP8(name, format)                                                                                         \
	struct name {                                                                                                  \
		__nv_fp8_storage_t __x;                                                                                \
		name() = default;                                                                                      \
		SIMT_FROM(name, float, __nv_cvt_float_to_fp8(v, __NV_SATFINITE, format))                               \
		SIMT_FROM(name, double, __nv_cvt_double_to_fp8(v, __NV_SATFINITE, format))                             \
		SIMT_FROM(name, __half, __nv_cvt_halfraw_to_fp8(v, __NV_SATFINITE, format))                            \
		SIMT_FROM(name, __nv_bfloat16, __nv_cvt_bfloat16raw_to_fp8(v, __NV_SATFINITE, format))                 \
		SIMT_FROM(name, int, __nv_cvt_double_to_fp8(v, __NV_SATFINITE, format))                                \
		SIMT_FROM(name, unsigned int, __nv_cvt_double_to_fp8(v, __NV_SATFINITE, format))                       \
		SIMT_FROM(name, short, __nv_cvt_float_to_fp8(v, __NV_SATFINITE, format))                               \
		SIMT_FROM(name, unsigned short, __nv_cvt_float_to_fp8(v, __NV_SATFINITE, format))                      \
		SIMT_FROM(name, long, __nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, format))                       \
		SIMT_FROM(name, unsigned long, __nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, format))              \
		SIMT_FROM(name, long long, __nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, format))                  \
		SIMT_FROM(name, unsigned long long, __nv_cvt_double_to_fp8((double)v, __NV_SATFINITE, format))         \
		SIMT_TO(__half, __half(__nv_cvt_fp8_to_halfraw(__x, format)))                                          \
		SIMT_TO(float, simt_float_of_half(__nv_cvt_fp8_to_halfraw(__x, format).x))                             \
		SIMT_TO(double, (double)float(*this))                                                                  \
		SIMT_TO(__nv_bfloat16, __float2bfloat16(float(*this)))                                                 \
		SIMT_TO(int, __half2int_rz(__half(*this)))                                                             \
		SIMT_TO(unsigned int, __half2uint_rz(__half(*this)))                                                   \
		SIMT_TO(short, __half2short_rz(__half(*this)))                                                         \
		SIMT_TO(unsigned short, __half2ushort_rz(__half(*this)))                                               \
		SIMT_TO(signed char, __half2char_rz(__half(*this)))                                                    \
		SIMT_TO(unsigned char, __half2uchar_rz(__half(*this)))                                                 \
		SIMT_TO(long long, __half2ll_rz(__half(*this)))                                                        \
		SIMT_TO(unsigned long long, __half2ull_rz(__half(*this)))                                              \
		SIMT_TO(bool, (__x & 0x7F) != 0)                                                                       \
	};
#define SIMT_FP8X2(name, format)                                                                                       \
	struct __attribute__((aligned(2))) name {                                                                      \
		__nv_fp8x2_storage_t __x;                                                                              \
		name() = default;                                                                                      \
		SIMT_FROM(name, float2, __nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, format))                           \
		SIMT_FROM(name, double2, __nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, format))                         \
		SIMT_FROM(name, __half2, __nv_cvt_halfraw2_to_fp8x2(v, __NV_SATFINITE, format))                        \
		SIMT_FROM(name, __nv_bfloat162, __nv_cvt_bfloat16raw2_to_fp8x2(v, __NV_SATFINITE, format))             \
		SIMT_TO(__half2, __half2(__nv_cvt_fp8x2_to_halfraw2(__x, format)))                                     \
		SIMT_TO(float2, __half22float2(__half2(*this)))                                                        \
	};
#define SIMT_FP8X4(name, pair)                                                                                         \
	struct __attribute__((aligned(4))) name {                                                                      \
		__nv_fp8x4_storage_t __x;                                                                              \
		name() = default;                                                                                      \
		SIMT_FROM(name, float4,                                                                                \
			pair(make_float2(v.x, v.y)).__x | (unsigned int)pair(make_float2(v.z, v.w)).__x << 16)         \
		SIMT_FROM(name, double4,                                                                               \
			pair(make_double2(v.x, v.y)).__x | (unsigned int)pair(make_double2(v.z, v.w)).__x << 16)       \
		SIMT_MEMBER explicit name(__half2 low, __half2 high)                                                   \
		    : __x(pair(low).__x | (unsigned int)pair(high).__x << 16)                                          \
		{                                                                                                      \
		}                                                                                                      \
		SIMT_MEMBER explicit name(__nv_bfloat162 low, __nv_bfloat162 high)                                     \
		    : __x(pair(low).__x | (unsigned int)pair(high).__x << 16)                                          \
		{                                                                                                      \
		}                                                                                                      \
		SIMT_MEMBER explicit operator float4() const                                                           \
		{                                                                                                      \
			pair low, high;                                                                                \
			low.__x = (__nv_fp8x2_storage_t)__x, high.__x = (__nv_fp8x2_storage_t)(__x >> 16);             \
			float2 a = float2(low), b = float2(high);                                                      \
			return make_float4(a.x, a.y, b.x, b.y);                                                        \
		}                                                                                                      \
	};
SIMT_FP8(__nv_fp8_e4m3, __NV_E4M3)
SIMT_FP8X2(__nv_fp8x2_e4m3, __NV_E4M3)
SIMT_FP8X4(__nv_fp8x4_e4m3, __nv_fp8x2_e4m3)
SIMT_FP8(__nv_fp8_e5m2, __NV_E5M2)
SIMT_FP8X2(__nv_fp8x2_e5m2, __NV_E5M2)
SIMT_FP8X4(__nv_fp8x4_e5m2, __nv_fp8x2_e5m2)
/* E8M0: powers of two, from 2^-127 on; 255 is NaN. Of the magnitude, toward 0 or up. */
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(float f, __nv_saturation_t saturate, cudaRoundMode mode)
{
	unsigned int rest = __builtin_bit_cast(unsigned int, f) & 0x7FFFFFFF, exponent = rest >> 23, more = rest & 0x7FFFFF;
	if (rest > 0x7F800000)
		return 0xFF;
	if (mode == cudaRoundPosInf)
		exponent += exponent ? more > 0 : more > 0x400000;
	return (__nv_fp8_storage_t)(exponent < 0xFF ? exponent : saturate == __NV_SATFINITE ? 0xFE : 0xFF);
}
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(double d, __nv_saturation_t saturate, cudaRoundMode mode)
{
	return __nv_cvt_float_to_e8m0(simt_float_odd(d), saturate, mode);
}
SIMT_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(
	__nv_bfloat16_raw b, __nv_saturation_t saturate, cudaRoundMode mode)
{
	return __nv_cvt_float_to_e8m0(simt_float_of_bfloat(b.x), saturate, mode);
}
SIMT_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(__nv_fp8_storage_t x)
{
	return __nv_bfloat16_raw{(unsigned short)(x == 0xFF ? 0x7FFF : x ? x << 7 : 0x40)};
}
struct __nv_fp8_e8m0 {
	__nv_fp8_storage_t __x;
	__nv_fp8_e8m0() = default;
	SIMT_FROM(__nv_fp8_e8m0, float, __nv_cvt_float_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
	SIMT_FROM(__nv_fp8_e8m0, double, __nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
	SIMT_FROM(__nv_fp8_e8m0, __nv_bfloat16, __nv_cvt_bfloat16raw_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf))
	SIMT_TO(__nv_bfloat16, __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)))
	SIMT_TO(float, simt_float_of_bfloat(__nv_cvt_e8m0_to_bf16raw(__x).x))
	SIMT_TO(double, (double)float(*this))
};
#undef SIMT_FP8
#undef SIMT_FP8X2
#undef SIMT_FP8X4
#undef SIMT_FROM
#undef SIMT_TO
