/* simttutor_words.h: arithmetic on the two halves or the four bytes of a word, each by itself, and the fused minima and maxima. */
#pragma once
#include "simttutor_keywords.h"

/* --- halves and bytes ------------------------------------------------------------------------------------------------- */

SIMT_DEVICE int simt_clamp(int v, int least, int most)
{
	return v < least ? least : v > most ? most : v;
}
/* `value` of x, y: a part of each word as a number of type s_type or u_type; `least`, `most`: of the former; `top`: of the latter. */
#define SIMT_PARTS(name, bits, type, value)                                                                            \
	SIMT_DEVICE unsigned int name(unsigned int a, unsigned int b)                                                  \
	{                                                                                                              \
		unsigned int d = 0;                                                                                    \
		_Pragma("unroll") for (int at = 0; at < 32; at += bits)                                                \
		{                                                                                                      \
			int x = (type)(a >> at), y = (type)(b >> at);                                                  \
			d |= ((unsigned int)(value) & (0xFFFFFFFFu >> (32 - bits))) << at;                             \
		}                                                                                                      \
		return d;                                                                                              \
	}
#define SIMT_PARTS1(name, bits, type, value)                                                                           \
	SIMT_DEVICE unsigned int name(unsigned int a)                                                                  \
	{                                                                                                              \
		unsigned int d = 0;                                                                                    \
		_Pragma("unroll") for (int at = 0; at < 32; at += bits)                                                \
		{                                                                                                      \
			int x = (type)(a >> at);                                                                       \
			d |= ((unsigned int)(value) & (0xFFFFFFFFu >> (32 - bits))) << at;                             \
		}                                                                                                      \
		return d;                                                                                              \
	}
#define SIMT_PARTS_SUM(name, bits, type)                                                                               \
	SIMT_DEVICE unsigned int name(unsigned int a, unsigned int b)                                                  \
	{                                                                                                              \
		unsigned int d = 0;                                                                                    \
		_Pragma("unroll") for (int at = 0; at < 32; at += bits)                                                \
		{                                                                                                      \
			int x = (type)(a >> at), y = (type)(b >> at);                                                  \
			d += (unsigned int)(x < y ? y - x : x - y);                                                    \
		}                                                                                                      \
		return d;                                                                                              \
	}
#define SIMT_PARTS_COMPARE(n, bits, name, type, op)                                                                    \
	SIMT_PARTS(__vcmp##name##n, bits, type, x op y ? -1 : 0)                                                       \
	SIMT_PARTS(__vset##name##n, bits, type, x op y ? 1 : 0)
#define SIMT_ALL_PARTS(n, bits, s_type, u_type, least, most, top)                                                      \
	SIMT_PARTS1(__vabs##n, bits, s_type, x < 0 ? -x : x)                                                           \
	SIMT_PARTS1(__vabsss##n, bits, s_type, simt_clamp(x < 0 ? -x : x, least, most))                                \
	SIMT_PARTS1(__vneg##n, bits, s_type, -x)                                                                       \
	SIMT_PARTS1(__vnegss##n, bits, s_type, simt_clamp(-x, least, most))                                            \
	SIMT_PARTS(__vadd##n, bits, u_type, x + y)                                                                     \
	SIMT_PARTS(__vaddss##n, bits, s_type, simt_clamp(x + y, least, most))                                          \
	SIMT_PARTS(__vaddus##n, bits, u_type, simt_clamp(x + y, 0, top))                                               \
	SIMT_PARTS(__vsub##n, bits, u_type, x - y)                                                                     \
	SIMT_PARTS(__vsubss##n, bits, s_type, simt_clamp(x - y, least, most))                                          \
	SIMT_PARTS(__vsubus##n, bits, u_type, simt_clamp(x - y, 0, top))                                               \
	SIMT_PARTS(__vabsdiffs##n, bits, s_type, x < y ? y - x : x - y)                                                \
	SIMT_PARTS(__vabsdiffu##n, bits, u_type, x < y ? y - x : x - y)                                                \
	SIMT_PARTS(__vavgs##n, bits, s_type, (x + y + (x + y >= 0)) >> 1)                                              \
	SIMT_PARTS(__vavgu##n, bits, u_type, (x + y + 1) >> 1)                                                         \
	SIMT_PARTS(__vhaddu##n, bits, u_type, (x + y) >> 1)                                                            \
	SIMT_PARTS(__vmaxs##n, bits, s_type, x < y ? y : x)                                                            \
	SIMT_PARTS(__vmaxu##n, bits, u_type, x < y ? y : x)                                                            \
	SIMT_PARTS(__vmins##n, bits, s_type, y < x ? y : x)                                                            \
	SIMT_PARTS(__vminu##n, bits, u_type, y < x ? y : x)                                                            \
	SIMT_PARTS_SUM(__vsads##n, bits, s_type)                                                                       \
	SIMT_PARTS_SUM(__vsadu##n, bits, u_type)                                                                       \
	SIMT_PARTS_COMPARE(n, bits, eq, u_type, ==)                                                                    \
	SIMT_PARTS_COMPARE(n, bits, ne, u_type, !=)                                                                    \
	SIMT_PARTS_COMPARE(n, bits, ges, s_type, >=)                                                                   \
	SIMT_PARTS_COMPARE(n, bits, geu, u_type, >=)                                                                   \
	SIMT_PARTS_COMPARE(n, bits, gts, s_type, >)                                                                    \
	SIMT_PARTS_COMPARE(n, bits, gtu, u_type, >)                                                                    \
	SIMT_PARTS_COMPARE(n, bits, les, s_type, <=)                                                                   \
	SIMT_PARTS_COMPARE(n, bits, leu, u_type, <=)                                                                   \
	SIMT_PARTS_COMPARE(n, bits, lts, s_type, <)                                                                    \
	SIMT_PARTS_COMPARE(n, bits, ltu, u_type, <)
SIMT_ALL_PARTS(2, 16, short, unsigned short, -32768, 32767, 65535)
SIMT_ALL_PARTS(4, 8, signed char, unsigned char, -128, 127, 255)
#undef SIMT_ALL_PARTS
#undef SIMT_PARTS_COMPARE
#undef SIMT_PARTS_SUM
#undef SIMT_PARTS1
#undef SIMT_PARTS

/* --- the lesser and the greater, of three, or of a sum ---------------------------------------------------------------- */

#define SIMT_EXTREMA(suffix, type, name, op)                                                                           \
	SIMT_BOTH type __vi##name##3_##suffix(type a, type b, type c)                                                  \
	{                                                                                                              \
		type d = a op b ? a : b;                                                                               \
		return d op c ? d : c;                                                                                 \
	}                                                                                                              \
	SIMT_BOTH type __viadd##name##_##suffix(type a, type b, type c)                                                \
	{                                                                                                              \
		type sum = (type)((unsigned int)a + (unsigned int)b);                                                  \
		return sum op c ? sum : c;                                                                             \
	}
SIMT_EXTREMA(s32, int, max, >)
SIMT_EXTREMA(s32, int, min, <)
SIMT_EXTREMA(u32, unsigned int, max, >)
SIMT_EXTREMA(u32, unsigned int, min, <)
#undef SIMT_EXTREMA
#define SIMT_NOT_NEGATIVE(name)                                                                                        \
	SIMT_BOTH int __vi##name##3_s32_relu(int a, int b, int c)                                                      \
	{                                                                                                              \
		int d = __vi##name##3_s32(a, b, c);                                                                    \
		return d > 0 ? d : 0;                                                                                  \
	}                                                                                                              \
	SIMT_BOTH int __viadd##name##_s32_relu(int a, int b, int c)                                                    \
	{                                                                                                              \
		int d = __viadd##name##_s32(a, b, c);                                                                  \
		return d > 0 ? d : 0;                                                                                  \
	}
SIMT_NOT_NEGATIVE(max)
SIMT_NOT_NEGATIVE(min)
#undef SIMT_NOT_NEGATIVE
SIMT_BOTH int __vimax_s32_relu(int a, int b)
{
	return a > b ? a > 0 ? a : 0 : b > 0 ? b : 0;
}
SIMT_BOTH int __vimin_s32_relu(int a, int b)
{
	int d = a < b ? a : b;
	return d > 0 ? d : 0;
}
