/* simttutor_narrow_operations.h: what halves and bfloats have alike. Included by cuda_fp16.h and cuda_bf16.h, each with its names:
 * SIMT_N, SIMT_N2 (a number, a pair), SIMT_N_NAME (as functions spell it), SIMT_N_TO_FLOAT, SIMT_N_FROM_FLOAT (to nearest),
 * SIMT_N_FROM_BITS, SIMT_N_DIGITS (of the significand), SIMT_N_BIAS. */

/* --- conversions from integers, and to them ----------------------------------------------------------------------------- */

#define SIMT_PASTE_4(a, b, c, d) a##b##c##d
#define SIMT_PASTE(a, b, c, d) SIMT_PASTE_4(a, b, c, d)
#define SIMT_FROM_INTEGER(name, type, way, mode)                                                                       \
	SIMT_BOTH SIMT_N SIMT_PASTE(__, name, 2, SIMT_PASTE(SIMT_N_NAME, _, way, ))(type i)                            \
	{                                                                                                              \
		return SIMT_N_FROM_BITS(simt_narrow_of_integer<SIMT_N_DIGITS, SIMT_N_BIAS>(                            \
			i < 0 ? 0 - (unsigned long long)i : (unsigned long long)i, i < 0, mode));                      \
	}
#define SIMT_FROM_INTEGERS(name, type)                                                                                 \
	SIMT_FROM_INTEGER(name, type, rn, SIMT_NEAREST)                                                                \
	SIMT_FROM_INTEGER(name, type, rz, SIMT_TO_ZERO)                                                                \
	SIMT_FROM_INTEGER(name, type, rd, SIMT_DOWN)                                                                   \
	SIMT_FROM_INTEGER(name, type, ru, SIMT_UP)
SIMT_FROM_INTEGERS(int, int)
SIMT_FROM_INTEGERS(uint, unsigned int)
SIMT_FROM_INTEGERS(short, short)
SIMT_FROM_INTEGERS(ushort, unsigned short)
SIMT_FROM_INTEGERS(ll, long long)
SIMT_FROM_INTEGERS(ull, unsigned long long)
#undef SIMT_FROM_INTEGERS
#undef SIMT_FROM_INTEGER

/* Rounded, then into the range; NaN is 0, or the least of 64 bits. */
#define SIMT_TO_INTEGER(name, type, way, round)                                                                        \
	SIMT_BOTH type SIMT_PASTE(__, SIMT_N_NAME, 2, name##_##way)(SIMT_N v)                                          \
	{                                                                                                              \
		return simt_integer_of_float<type>(round(SIMT_N_TO_FLOAT(v)));                                         \
	}
#define SIMT_TO_INTEGERS(name, type)                                                                                   \
	SIMT_TO_INTEGER(name, type, rn, __builtin_rintf)                                                               \
	SIMT_TO_INTEGER(name, type, rz, __builtin_truncf)                                                              \
	SIMT_TO_INTEGER(name, type, rd, __builtin_floorf)                                                              \
	SIMT_TO_INTEGER(name, type, ru, __builtin_ceilf)
SIMT_TO_INTEGERS(int, int)
SIMT_TO_INTEGERS(uint, unsigned int)
SIMT_TO_INTEGERS(short, short)
SIMT_TO_INTEGERS(ushort, unsigned short)
SIMT_TO_INTEGERS(ll, long long)
SIMT_TO_INTEGERS(ull, unsigned long long)
SIMT_TO_INTEGER(char, signed char, rz, __builtin_truncf)
SIMT_TO_INTEGER(uchar, unsigned char, rz, __builtin_truncf)
#undef SIMT_TO_INTEGERS
#undef SIMT_TO_INTEGER
#undef SIMT_PASTE
#undef SIMT_PASTE_4

/* --- comparisons ---------------------------------------------------------------------------------------------------------- */

SIMT_BOTH SIMT_N2 __hisnan2(SIMT_N2 a)
{
	return SIMT_N2(SIMT_N(__hisnan(a.x) ? 1.0f : 0.0f), SIMT_N(__hisnan(a.y) ? 1.0f : 0.0f));
}
SIMT_BOTH int __hisinf(SIMT_N a)
{
	return simt_is_infinite<SIMT_N_DIGITS>(a.__x) ? a.__x >> 15 ? -1 : 1 : 0;
}

/* Ordered ones, which NaN is in none of, and unordered ones (u), which it is in all of. Of pairs: 1 or 0 for each; whether both are; a
 * mask of those that are. */
#define SIMT_PAIRS(name)                                                                                               \
	SIMT_BOTH SIMT_N2 __h##name##2(SIMT_N2 a, SIMT_N2 b)                                                           \
	{                                                                                                              \
		return SIMT_N2(SIMT_N(__h##name(a.x, b.x) ? 1.0f : 0.0f), SIMT_N(__h##name(a.y, b.y) ? 1.0f : 0.0f));  \
	}                                                                                                              \
	SIMT_BOTH bool __hb##name##2(SIMT_N2 a, SIMT_N2 b)                                                             \
	{                                                                                                              \
		return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                     \
	}                                                                                                              \
	SIMT_BOTH unsigned int __h##name##2_mask(SIMT_N2 a, SIMT_N2 b)                                                 \
	{                                                                                                              \
		return (__h##name(a.x, b.x) ? 0xFFFFu : 0u) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0u);                \
	}
#define SIMT_COMPARE(name, is)                                                                                         \
	SIMT_BOTH bool __h##name(SIMT_N one, SIMT_N other)                                                             \
	{                                                                                                              \
		float a = SIMT_N_TO_FLOAT(one), b = SIMT_N_TO_FLOAT(other);                                            \
		return is;                                                                                             \
	}                                                                                                              \
	SIMT_BOTH bool __h##name##u(SIMT_N one, SIMT_N other)                                                          \
	{                                                                                                              \
		float a = SIMT_N_TO_FLOAT(one), b = SIMT_N_TO_FLOAT(other);                                            \
		return a != a || b != b || (is);                                                                       \
	}                                                                                                              \
	SIMT_PAIRS(name)                                                                                               \
	SIMT_PAIRS(name##u)
SIMT_COMPARE(eq, a == b)
SIMT_COMPARE(ne, a<b || a> b)
SIMT_COMPARE(lt, a < b)
SIMT_COMPARE(le, a <= b)
SIMT_COMPARE(gt, a > b)
SIMT_COMPARE(ge, a >= b)
#undef SIMT_COMPARE
#undef SIMT_PAIRS
#define SIMT_OPERATOR(op, name)                                                                                        \
	SIMT_BOTH bool operator op(const SIMT_N &a, const SIMT_N &b)                                                   \
	{                                                                                                              \
		return __h##name(a, b);                                                                                \
	}                                                                                                              \
	SIMT_BOTH bool operator op(const SIMT_N2 &a, const SIMT_N2 &b)                                                 \
	{                                                                                                              \
		return __hb##name##2(a, b);                                                                            \
	}
SIMT_OPERATOR(==, eq)
SIMT_OPERATOR(!=, neu)
SIMT_OPERATOR(<, lt)
SIMT_OPERATOR(<=, le)
SIMT_OPERATOR(>, gt)
SIMT_OPERATOR(>=, ge)
#undef SIMT_OPERATOR

/* -0 is less than 0. A NaN gives way, but for those that end in _nan; two make the one that hardware makes. */
#define SIMT_CHOOSE(name, before)                                                                                      \
	SIMT_BOTH SIMT_N name(SIMT_N a, SIMT_N b)                                                                      \
	{                                                                                                              \
		if (__hisnan(a) || __hisnan(b))                                                                        \
			return __hisnan(a) && __hisnan(b) ? SIMT_N_FROM_BITS(0x7FFF) : __hisnan(a) ? b : a;            \
		if (!((a.__x | b.__x) & 0x7FFF))                                                                       \
			return (a.__x > b.__x) == before(SIMT_N(0.0f), SIMT_N(1.0f)) ? a : b;                          \
		return before(a, b) ? a : b;                                                                           \
	}                                                                                                              \
	SIMT_BOTH SIMT_N name##_nan(SIMT_N a, SIMT_N b)                                                                \
	{                                                                                                              \
		return __hisnan(a) || __hisnan(b) ? SIMT_N_FROM_BITS(0x7FFF) : name(a, b);                             \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 name##2(SIMT_N2 a, SIMT_N2 b)                                                                \
	{                                                                                                              \
		return SIMT_N2(name(a.x, b.x), name(a.y, b.y));                                                        \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 name##2_nan(SIMT_N2 a, SIMT_N2 b)                                                            \
	{                                                                                                              \
		return SIMT_N2(name##_nan(a.x, b.x), name##_nan(a.y, b.y));                                            \
	}
SIMT_CHOOSE(__hmin, __hlt)
SIMT_CHOOSE(__hmax, __hgt)
#undef SIMT_CHOOSE

/* --- arithmetic made of __hadd, __hsub, __hmul, __hfma ---------------------------------------------------------------------- */

/* Into [0, 1], where NaN is 0. */
SIMT_BOTH SIMT_N simt_saturated(SIMT_N a)
{
	float f = SIMT_N_TO_FLOAT(a);
	return f > 0 ? f < 1 ? a : SIMT_N(1.0f) : SIMT_N(0.0f);
}
SIMT_BOTH SIMT_N simt_not_negative(SIMT_N a)
{
	return __hisnan(a) ? SIMT_N_FROM_BITS(0x7FFF) : SIMT_N_TO_FLOAT(a) > 0 ? a : SIMT_N(0.0f);
}
#define SIMT_VARIANTS(name)                                                                                            \
	SIMT_BOTH SIMT_N name##_rn(SIMT_N a, SIMT_N b)                                                                 \
	{                                                                                                              \
		return name(a, b);                                                                                     \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 name##2_rn(SIMT_N2 a, SIMT_N2 b)                                                             \
	{                                                                                                              \
		return name##2(a, b);                                                                                  \
	}                                                                                                              \
	SIMT_BOTH SIMT_N name##_sat(SIMT_N a, SIMT_N b)                                                                \
	{                                                                                                              \
		return simt_saturated(name(a, b));                                                                     \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 name##2_sat(SIMT_N2 a, SIMT_N2 b)                                                            \
	{                                                                                                              \
		return SIMT_N2(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                            \
	}
SIMT_VARIANTS(__hadd)
SIMT_VARIANTS(__hsub)
SIMT_VARIANTS(__hmul)
#undef SIMT_VARIANTS
SIMT_BOTH SIMT_N __hfma_sat(SIMT_N a, SIMT_N b, SIMT_N c)
{
	return simt_saturated(__hfma(a, b, c));
}
SIMT_BOTH SIMT_N2 __hfma2_sat(SIMT_N2 a, SIMT_N2 b, SIMT_N2 c)
{
	return SIMT_N2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
SIMT_BOTH SIMT_N __hfma_relu(SIMT_N a, SIMT_N b, SIMT_N c)
{
	return simt_not_negative(__hfma(a, b, c));
}
SIMT_BOTH SIMT_N2 __hfma2_relu(SIMT_N2 a, SIMT_N2 b, SIMT_N2 c)
{
	return SIMT_N2(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));
}
/* Of complex numbers. */
SIMT_BOTH SIMT_N2 __hcmadd(SIMT_N2 a, SIMT_N2 b, SIMT_N2 c)
{
	return SIMT_N2(__hfma(SIMT_N_FROM_BITS((unsigned short)(a.y.__x ^ 0x8000)), b.y, __hfma(a.x, b.x, c.x)),
		__hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));
}
SIMT_BOTH SIMT_N2 __hneg2(SIMT_N2 a)
{
	return SIMT_N2(__hneg(a.x), __hneg(a.y));
}
SIMT_BOTH SIMT_N2 __habs2(SIMT_N2 a)
{
	return SIMT_N2(__habs(a.x), __habs(a.y));
}

#define SIMT_OPERATOR(op, scalar, pair)                                                                                \
	SIMT_BOTH SIMT_N operator op(const SIMT_N &a, const SIMT_N &b)                                                 \
	{                                                                                                              \
		return scalar(a, b);                                                                                   \
	}                                                                                                              \
	SIMT_BOTH SIMT_N &operator op##=(SIMT_N &a, const SIMT_N &b)                                                   \
	{                                                                                                              \
		return a = scalar(a, b);                                                                               \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 operator op(const SIMT_N2 &a, const SIMT_N2 &b)                                              \
	{                                                                                                              \
		return pair(a, b);                                                                                     \
	}                                                                                                              \
	SIMT_BOTH SIMT_N2 &operator op##=(SIMT_N2 &a, const SIMT_N2 &b)                                                \
	{                                                                                                              \
		return a = pair(a, b);                                                                                 \
	}
SIMT_OPERATOR(+, __hadd, __hadd2)
SIMT_OPERATOR(-, __hsub, __hsub2)
SIMT_OPERATOR(*, __hmul, __hmul2)
SIMT_OPERATOR(/, __hdiv, __h2div)
#undef SIMT_OPERATOR
#define SIMT_OPERATOR(type, op, one)                                                                                   \
	SIMT_BOTH type &operator op##op(type &a)                                                                       \
	{                                                                                                              \
		return a = a op one;                                                                                   \
	}                                                                                                              \
	SIMT_BOTH type operator op##op(type &a, int)                                                                   \
	{                                                                                                              \
		type was = a;                                                                                          \
		a = a op one;                                                                                          \
		return was;                                                                                            \
	}
SIMT_OPERATOR(SIMT_N, +, SIMT_N(1.0f))
SIMT_OPERATOR(SIMT_N, -, SIMT_N(1.0f))
SIMT_OPERATOR(SIMT_N2, +, SIMT_N2(SIMT_N(1.0f), SIMT_N(1.0f)))
SIMT_OPERATOR(SIMT_N2, -, SIMT_N2(SIMT_N(1.0f), SIMT_N(1.0f)))
#undef SIMT_OPERATOR
SIMT_BOTH SIMT_N operator+(const SIMT_N &a)
{
	return a;
}
SIMT_BOTH SIMT_N2 operator+(const SIMT_N2 &a)
{
	return a;
}
SIMT_BOTH SIMT_N operator-(const SIMT_N &a)
{
	return __hneg(a);
}
SIMT_BOTH SIMT_N2 operator-(const SIMT_N2 &a)
{
	return __hneg2(a);
}

#ifdef __CUDA__
/* --- mathematics, warps --------------------------------------------------------------------------------------------------- */

#define SIMT_BY_FLOAT(name, function)                                                                                  \
	SIMT_DEVICE SIMT_N h##name(SIMT_N a)                                                                           \
	{                                                                                                              \
		return SIMT_N_FROM_FLOAT(function(SIMT_N_TO_FLOAT(a)));                                                \
	}                                                                                                              \
	SIMT_DEVICE SIMT_N2 h2##name(SIMT_N2 a)                                                                        \
	{                                                                                                              \
		return SIMT_N2(h##name(a.x), h##name(a.y));                                                            \
	}
SIMT_BY_FLOAT(sqrt, sqrtf)
SIMT_BY_FLOAT(rsqrt, rsqrtf)
SIMT_BY_FLOAT(exp, expf)
SIMT_BY_FLOAT(exp2, exp2f)
SIMT_BY_FLOAT(exp10, exp10f)
SIMT_BY_FLOAT(log, logf)
SIMT_BY_FLOAT(log2, log2f)
SIMT_BY_FLOAT(log10, log10f)
SIMT_BY_FLOAT(tanh, tanhf)
SIMT_BY_FLOAT(tanh_approx, simt_tanh_approx)
SIMT_BY_FLOAT(sin, sinf)
SIMT_BY_FLOAT(cos, cosf)
SIMT_BY_FLOAT(floor, floorf)
SIMT_BY_FLOAT(ceil, ceilf)
SIMT_BY_FLOAT(trunc, truncf)
SIMT_BY_FLOAT(rint, rintf)
SIMT_BY_FLOAT(rcp, __frcp_rn)
#undef SIMT_BY_FLOAT

#define SIMT_SHUFFLE(name, argument)                                                                                   \
	SIMT_DEVICE SIMT_N name(unsigned int mask, SIMT_N v, argument lane, int width = 32)                            \
	{                                                                                                              \
		return SIMT_N_FROM_BITS((unsigned short)name(mask, (unsigned int)v.__x, lane, width));                 \
	}                                                                                                              \
	SIMT_DEVICE SIMT_N2 name(unsigned int mask, SIMT_N2 v, argument lane, int width = 32)                          \
	{                                                                                                              \
		unsigned int both = name(mask, (unsigned int)v.y.__x << 16 | v.x.__x, lane, width);                    \
		return SIMT_N2(                                                                                        \
			SIMT_N_FROM_BITS((unsigned short)both), SIMT_N_FROM_BITS((unsigned short)(both >> 16)));       \
	}
SIMT_SHUFFLE(__shfl_sync, int)
SIMT_SHUFFLE(__shfl_up_sync, unsigned int)
SIMT_SHUFFLE(__shfl_down_sync, unsigned int)
SIMT_SHUFFLE(__shfl_xor_sync, int)
#undef SIMT_SHUFFLE
#endif

#undef SIMT_N
#undef SIMT_N2
#undef SIMT_N_NAME
#undef SIMT_N_TO_FLOAT
#undef SIMT_N_FROM_FLOAT
#undef SIMT_N_FROM_BITS
#undef SIMT_N_DIGITS
#undef SIMT_N_BIAS
