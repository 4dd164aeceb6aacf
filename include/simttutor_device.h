/* simttutor_device.h: what kernels call beside mathematics: barriers, fences, atomics, warps, bits, conversions, memory. */
#pragma once
#include <new> /* clang's own, which has operator new for the device */
#include <stddef.h>
#include <time.h>
#include "device_launch_parameters.h"
#include "simttutor_words.h"

/* --- barriers, fences, time ------------------------------------------------------------------------------------------- */

/* Clang 14 moves loads of a shared variable across its own __syncthreads(); a clobber of memory stops it. */
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
SIMT_DEVICE int __syncthreads_count(int predicate)
{
	int result;
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
		     : "=r"(result)
		     : "r"(predicate)
		     : "memory");
	return result;
}
#define SIMT_BARRIER_VOTE(name, op)                                                                                    \
	SIMT_DEVICE int name(int predicate)                                                                            \
	{                                                                                                              \
		int result;                                                                                            \
		asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." op                                    \
			     ".pred q, 0, p; selp.s32 %0, 1, 0, q; }"                                                  \
			     : "=r"(result)                                                                            \
			     : "r"(predicate)                                                                          \
			     : "memory");                                                                              \
		return result;                                                                                         \
	}
SIMT_BARRIER_VOTE(__syncthreads_and, "and")
SIMT_BARRIER_VOTE(__syncthreads_or, "or")
#undef SIMT_BARRIER_VOTE

SIMT_DEVICE void __syncwarp(unsigned int mask = 0xFFFFFFFF)
{
	asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
SIMT_DEVICE void __threadfence()
{
	asm volatile("membar.gl;" ::: "memory");
}
SIMT_DEVICE void __threadfence_block()
{
	asm volatile("membar.cta;" ::: "memory");
}
SIMT_DEVICE void __threadfence_cluster()
{
	asm volatile("fence.acq_rel.cluster;" ::: "memory");
}
SIMT_DEVICE void __threadfence_system()
{
	asm volatile("membar.sys;" ::: "memory");
}
SIMT_DEVICE long long clock64()
{
	long long now;
	asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
	return now;
}
SIMT_DEVICE clock_t clock()
{
	int now;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
	return now;
}
/* A handle of the runtime is the address of the condition. */
SIMT_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value)
{
	asm volatile("st.global.u32 [%0], %1;" : : "l"(handle), "r"(value) : "memory");
}
SIMT_DEVICE void __nanosleep(unsigned int ns)
{
	asm volatile("nanosleep.u32 %0;" ::"r"(ns) : "memory");
}
SIMT_DEVICE void __trap()
{
	asm volatile("trap;");
}
SIMT_DEVICE void __brkpt()
{
	asm volatile("brkpt;");
}

/* --- warps ------------------------------------------------------------------------------------------------------------ */

/* The last operand of shfl: the segment's mask in bits 8 to 12, in bits 0 to 4 the lane that bounds the source. */
#define SIMT_SEGMENT(width) ((32 - (width)) << 8)
#define SIMT_SHUFFLE(name, kind, argument, bound)                                                                      \
	SIMT_DEVICE int name(unsigned int mask, int v, argument lane, int width = 32)                                  \
	{                                                                                                              \
		int result;                                                                                            \
		asm volatile("shfl.sync." kind ".b32 %0, %1, %2, %3, %4;"                                              \
			     : "=r"(result)                                                                            \
			     : "r"(v), "r"(lane), "r"(SIMT_SEGMENT(width) | (bound)), "r"(mask));                      \
		return result;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE unsigned int name(unsigned int mask, unsigned int v, argument lane, int width = 32)                \
	{                                                                                                              \
		return (unsigned int)name(mask, (int)v, lane, width);                                                  \
	}                                                                                                              \
	SIMT_DEVICE float name(unsigned int mask, float v, argument lane, int width = 32)                              \
	{                                                                                                              \
		return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, v), lane, width));                 \
	}                                                                                                              \
	SIMT_DEVICE long long name(unsigned int mask, long long v, argument lane, int width = 32)                      \
	{                                                                                                              \
		unsigned int low = name(mask, (unsigned int)v, lane, width);                                           \
		int high = name(mask, (int)(v >> 32), lane, width);                                                    \
		return (long long)((unsigned long long)(unsigned int)high << 32 | low);                                \
	}                                                                                                              \
	SIMT_DEVICE unsigned long long name(unsigned int mask, unsigned long long v, argument lane, int width = 32)    \
	{                                                                                                              \
		return (unsigned long long)name(mask, (long long)v, lane, width);                                      \
	}                                                                                                              \
	SIMT_DEVICE long name(unsigned int mask, long v, argument lane, int width = 32)                                \
	{                                                                                                              \
		return (long)name(mask, (long long)v, lane, width);                                                    \
	}                                                                                                              \
	SIMT_DEVICE unsigned long name(unsigned int mask, unsigned long v, argument lane, int width = 32)              \
	{                                                                                                              \
		return (unsigned long)name(mask, (long long)v, lane, width);                                           \
	}                                                                                                              \
	SIMT_DEVICE double name(unsigned int mask, double v, argument lane, int width = 32)                            \
	{                                                                                                              \
		return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, v), lane, width));          \
	}
SIMT_SHUFFLE(__shfl_sync, "idx", int, 31)
SIMT_SHUFFLE(__shfl_up_sync, "up", unsigned int, 0)
SIMT_SHUFFLE(__shfl_down_sync, "down", unsigned int, 31)
SIMT_SHUFFLE(__shfl_xor_sync, "bfly", int, 31)
#undef SIMT_SHUFFLE

SIMT_DEVICE unsigned int __activemask()
{
	unsigned int mask;
	asm volatile("activemask.b32 %0;" : "=r"(mask));
	return mask;
}
SIMT_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
	unsigned int result;
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
		     : "=r"(result)
		     : "r"(predicate), "r"(mask));
	return result;
}
#define SIMT_VOTE(name, op)                                                                                            \
	SIMT_DEVICE int name(unsigned int mask, int predicate)                                                         \
	{                                                                                                              \
		int result;                                                                                            \
		asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync." op                                  \
			     ".pred q, p, %2; selp.s32 %0, 1, 0, q; }"                                                 \
			     : "=r"(result)                                                                            \
			     : "r"(predicate), "r"(mask));                                                             \
		return result;                                                                                         \
	}
SIMT_VOTE(__any_sync, "any")
SIMT_VOTE(__all_sync, "all")
SIMT_VOTE(__uni_sync, "uni")
#undef SIMT_VOTE

#define SIMT_MATCH(type, letter, bits, as)                                                                             \
	SIMT_DEVICE unsigned int __match_any_sync(unsigned int mask, type v)                                           \
	{                                                                                                              \
		unsigned int result;                                                                                   \
		asm volatile("match.any.sync." bits " %0, %1, %2;"                                                     \
			     : "=r"(result)                                                                            \
			     : letter(__builtin_bit_cast(as, v)), "r"(mask));                                          \
		return result;                                                                                         \
	}                                                                                                              \
	SIMT_DEVICE unsigned int __match_all_sync(unsigned int mask, type v, int *all)                                 \
	{                                                                                                              \
		unsigned int result;                                                                                   \
		int same;                                                                                              \
		asm volatile("{ .reg .pred p; match.all.sync." bits " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"           \
			     : "=r"(result), "=r"(same)                                                                \
			     : letter(__builtin_bit_cast(as, v)), "r"(mask));                                          \
		*all = same;                                                                                           \
		return result;                                                                                         \
	}
SIMT_MATCH(int, "r", "b32", int)
SIMT_MATCH(unsigned int, "r", "b32", int)
SIMT_MATCH(float, "r", "b32", int)
SIMT_MATCH(long, "l", "b64", long)
SIMT_MATCH(unsigned long, "l", "b64", long)
SIMT_MATCH(long long, "l", "b64", long)
SIMT_MATCH(unsigned long long, "l", "b64", long)
SIMT_MATCH(double, "l", "b64", long)
#undef SIMT_MATCH

#define SIMT_REDUCE(name, type, op)                                                                                    \
	SIMT_DEVICE type name(unsigned int mask, type v)                                                               \
	{                                                                                                              \
		type result;                                                                                           \
		asm volatile("redux.sync." op " %0, %1, %2;" : "=r"(result) : "r"(v), "r"(mask));                      \
		return result;                                                                                         \
	}
SIMT_REDUCE(__reduce_add_sync, int, "add.s32")
SIMT_REDUCE(__reduce_min_sync, int, "min.s32")
SIMT_REDUCE(__reduce_max_sync, int, "max.s32")
SIMT_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
SIMT_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
SIMT_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
SIMT_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
SIMT_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
SIMT_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef SIMT_REDUCE

/* --- atomics ---------------------------------------------------------------------------------------------------------- */

/* `letter`: of the asm operand; `as`: the type that it has. */
#define SIMT_ATOMIC_SCOPE(name, scope, op, type, letter, as)                                                           \
	SIMT_DEVICE type name(type *p, type v)                                                                         \
	{                                                                                                              \
		as old;                                                                                                \
		asm volatile("atom" scope "." op " %0, [%1], %2;"                                                      \
			     : "=" letter(old)                                                                         \
			     : "l"(p), letter((as)v)                                                                   \
			     : "memory");                                                                              \
		return (type)old;                                                                                      \
	}
#define SIMT_ATOMIC(name, op, type, letter, as)                                                                        \
	SIMT_ATOMIC_SCOPE(name, "", op, type, letter, as)                                                              \
	SIMT_ATOMIC_SCOPE(name##_block, ".cta", op, type, letter, as)                                                  \
	SIMT_ATOMIC_SCOPE(name##_system, ".sys", op, type, letter, as)

SIMT_ATOMIC(atomicAdd, "add.u32", int, "r", int)
SIMT_ATOMIC(atomicAdd, "add.u32", unsigned int, "r", unsigned int)
SIMT_ATOMIC(atomicAdd, "add.u64", unsigned long long, "l", unsigned long long)
SIMT_ATOMIC(atomicAdd, "add.f32", float, "f", float)
SIMT_ATOMIC(atomicAdd, "add.f64", double, "d", double)
SIMT_ATOMIC(atomicExch, "exch.b32", int, "r", int)
SIMT_ATOMIC(atomicExch, "exch.b32", unsigned int, "r", unsigned int)
SIMT_ATOMIC(atomicExch, "exch.b64", unsigned long long, "l", unsigned long long)
SIMT_ATOMIC(atomicExch, "exch.b32", float, "f", float)
SIMT_ATOMIC(atomicMin, "min.s32", int, "r", int)
SIMT_ATOMIC(atomicMin, "min.u32", unsigned int, "r", unsigned int)
SIMT_ATOMIC(atomicMin, "min.s64", long long, "l", long long)
SIMT_ATOMIC(atomicMin, "min.u64", unsigned long long, "l", unsigned long long)
SIMT_ATOMIC(atomicMax, "max.s32", int, "r", int)
SIMT_ATOMIC(atomicMax, "max.u32", unsigned int, "r", unsigned int)
SIMT_ATOMIC(atomicMax, "max.s64", long long, "l", long long)
SIMT_ATOMIC(atomicMax, "max.u64", unsigned long long, "l", unsigned long long)
SIMT_ATOMIC(atomicInc, "inc.u32", unsigned int, "r", unsigned int)
SIMT_ATOMIC(atomicDec, "dec.u32", unsigned int, "r", unsigned int)
#define SIMT_ATOMIC_BITS(name, op)                                                                                     \
	SIMT_ATOMIC(name, op ".b32", int, "r", int)                                                                    \
	SIMT_ATOMIC(name, op ".b32", unsigned int, "r", unsigned int)                                                  \
	SIMT_ATOMIC(name, op ".b64", unsigned long long, "l", unsigned long long)
SIMT_ATOMIC_BITS(atomicAnd, "and")
SIMT_ATOMIC_BITS(atomicOr, "or")
SIMT_ATOMIC_BITS(atomicXor, "xor")
#undef SIMT_ATOMIC_BITS
#undef SIMT_ATOMIC
#undef SIMT_ATOMIC_SCOPE

#define SIMT_ATOMIC_SUB(scope)                                                                                         \
	SIMT_DEVICE int atomicSub##scope(int *p, int v)                                                                \
	{                                                                                                              \
		return atomicAdd##scope(p, -v);                                                                        \
	}                                                                                                              \
	SIMT_DEVICE unsigned int atomicSub##scope(unsigned int *p, unsigned int v)                                     \
	{                                                                                                              \
		return atomicAdd##scope(p, 0u - v);                                                                    \
	}
SIMT_ATOMIC_SUB()
SIMT_ATOMIC_SUB(_block)
SIMT_ATOMIC_SUB(_system)
#undef SIMT_ATOMIC_SUB

#define SIMT_CAS_SCOPE(name, scope, type, bits, letter)                                                                \
	SIMT_DEVICE type name(type *p, type compare, type v)                                                           \
	{                                                                                                              \
		type old;                                                                                              \
		asm volatile("atom" scope ".cas." bits " %0, [%1], %2, %3;"                                            \
			     : "=" letter(old)                                                                         \
			     : "l"(p), letter(compare), letter(v)                                                      \
			     : "memory");                                                                              \
		return old;                                                                                            \
	}
#define SIMT_CAS(type, bits, letter)                                                                                   \
	SIMT_CAS_SCOPE(atomicCAS, "", type, bits, letter)                                                              \
	SIMT_CAS_SCOPE(atomicCAS_block, ".cta", type, bits, letter)                                                    \
	SIMT_CAS_SCOPE(atomicCAS_system, ".sys", type, bits, letter)
SIMT_CAS(int, "b32", "r")
SIMT_CAS(unsigned int, "b32", "r")
SIMT_CAS(unsigned long long, "b64", "l")
SIMT_CAS(unsigned short, "b16", "h")
#undef SIMT_CAS
#undef SIMT_CAS_SCOPE

/* --- bits and integers ------------------------------------------------------------------------------------------------ */

SIMT_DEVICE int __popc(unsigned int x)
{
	return __builtin_popcount(x);
}
SIMT_DEVICE int __popcll(unsigned long long x)
{
	return __builtin_popcountll(x);
}
SIMT_DEVICE int __ffs(int x)
{
	return __builtin_ffs(x);
}
SIMT_DEVICE int __ffsll(long long x)
{
	return __builtin_ffsll(x);
}
SIMT_DEVICE int __clz(int x)
{
	return x ? __builtin_clz((unsigned int)x) : 32;
}
SIMT_DEVICE int __clzll(long long x)
{
	return x ? __builtin_clzll((unsigned long long)x) : 64;
}
SIMT_DEVICE unsigned int __brev(unsigned int x)
{
	return __builtin_bitreverse32(x);
}
SIMT_DEVICE unsigned long long __brevll(unsigned long long x)
{
	return __builtin_bitreverse64(x);
}
SIMT_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
	unsigned int found;
	asm("fns.b32 %0, %1, %2, %3;" : "=r"(found) : "r"(mask), "r"(base), "r"(offset));
	return found;
}

/* An instruction with operands of one type and a result. */
#define SIMT_ASM1(name, result, type, op, out, in)                                                                     \
	SIMT_DEVICE result name(type a)                                                                                \
	{                                                                                                              \
		result d;                                                                                              \
		asm(op " %0, %1;" : "=" out(d) : in(a));                                                               \
		return d;                                                                                              \
	}
#define SIMT_ASM2(name, type, op, letter)                                                                              \
	SIMT_DEVICE type name(type a, type b)                                                                          \
	{                                                                                                              \
		type d;                                                                                                \
		asm(op " %0, %1, %2;" : "=" letter(d) : letter(a), letter(b));                                         \
		return d;                                                                                              \
	}
#define SIMT_ASM3(name, type, op, letter)                                                                              \
	SIMT_DEVICE type name(type a, type b, type c)                                                                  \
	{                                                                                                              \
		type d;                                                                                                \
		asm(op " %0, %1, %2, %3;" : "=" letter(d) : letter(a), letter(b), letter(c));                          \
		return d;                                                                                              \
	}
SIMT_ASM2(__mulhi, int, "mul.hi.s32", "r")
SIMT_ASM2(__umulhi, unsigned int, "mul.hi.u32", "r")
SIMT_ASM2(__mul64hi, long long, "mul.hi.s64", "l")
SIMT_ASM2(__umul64hi, unsigned long long, "mul.hi.u64", "l")
SIMT_ASM2(__mul24, int, "mul24.lo.s32", "r")
SIMT_ASM2(__umul24, unsigned int, "mul24.lo.u32", "r")
SIMT_ASM3(__byte_perm, unsigned int, "prmt.b32", "r")
SIMT_ASM3(__funnelshift_l, unsigned int, "shf.l.wrap.b32", "r")
SIMT_ASM3(__funnelshift_r, unsigned int, "shf.r.wrap.b32", "r")
SIMT_ASM3(__funnelshift_lc, unsigned int, "shf.l.clamp.b32", "r")
SIMT_ASM3(__funnelshift_rc, unsigned int, "shf.r.clamp.b32", "r")
SIMT_ASM3(__dp4a, int, "dp4a.s32.s32", "r")
SIMT_ASM3(__dp4a, unsigned int, "dp4a.u32.u32", "r")
SIMT_ASM3(__dp2a_lo, int, "dp2a.lo.s32.s32", "r")
SIMT_ASM3(__dp2a_lo, unsigned int, "dp2a.lo.u32.u32", "r")
SIMT_ASM3(__dp2a_hi, int, "dp2a.hi.s32.s32", "r")
SIMT_ASM3(__dp2a_hi, unsigned int, "dp2a.hi.u32.u32", "r")
SIMT_DEVICE int __dp4a(char4 a, char4 b, int c)
{
	return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
SIMT_DEVICE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
	return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
#define SIMT_DP2A(half)                                                                                                \
	SIMT_DEVICE int __dp2a_##half(short2 a, char4 b, int c)                                                        \
	{                                                                                                              \
		return __dp2a_##half(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);                       \
	}                                                                                                              \
	SIMT_DEVICE unsigned int __dp2a_##half(ushort2 a, uchar4 b, unsigned int c)                                    \
	{                                                                                                              \
		return __dp2a_##half(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);     \
	}
SIMT_DP2A(lo)
SIMT_DP2A(hi)
#undef SIMT_DP2A
SIMT_DEVICE unsigned int __sad(int a, int b, unsigned int c)
{
	unsigned int d;
	asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
	return d;
}
SIMT_ASM3(__usad, unsigned int, "sad.u32", "r")
SIMT_DEVICE int __hadd(int a, int b)
{
	return (a & b) + ((a ^ b) >> 1); /* a sum of 64 bits is shifted by clang 14 to the wrong sign */
}
SIMT_DEVICE int __rhadd(int a, int b)
{
	return (a | b) - ((a ^ b) >> 1);
}
SIMT_DEVICE unsigned int __uhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b) >> 1);
}
SIMT_DEVICE unsigned int __urhadd(unsigned int a, unsigned int b)
{
	return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

/* --- floating-point instructions -------------------------------------------------------------------------------------- */

#define SIMT_ROUNDED(suffix, mode)                                                                                     \
	SIMT_ASM2(__fadd_##suffix, float, "add." mode ".f32", "f")                                                     \
	SIMT_ASM2(__fsub_##suffix, float, "sub." mode ".f32", "f")                                                     \
	SIMT_ASM2(__fmul_##suffix, float, "mul." mode ".f32", "f")                                                     \
	SIMT_ASM2(__fdiv_##suffix, float, "div." mode ".f32", "f")                                                     \
	SIMT_ASM3(__fmaf_##suffix, float, "fma." mode ".f32", "f")                                                     \
	SIMT_ASM1(__frcp_##suffix, float, float, "rcp." mode ".f32", "f", "f")                                         \
	SIMT_ASM1(__fsqrt_##suffix, float, float, "sqrt." mode ".f32", "f", "f")                                       \
	SIMT_ASM2(__dadd_##suffix, double, "add." mode ".f64", "d")                                                    \
	SIMT_ASM2(__dsub_##suffix, double, "sub." mode ".f64", "d")                                                    \
	SIMT_ASM2(__dmul_##suffix, double, "mul." mode ".f64", "d")                                                    \
	SIMT_ASM2(__ddiv_##suffix, double, "div." mode ".f64", "d")                                                    \
	SIMT_ASM3(__fma_##suffix, double, "fma." mode ".f64", "d")                                                     \
	SIMT_ASM1(__drcp_##suffix, double, double, "rcp." mode ".f64", "d", "d")                                       \
	SIMT_ASM1(__dsqrt_##suffix, double, double, "sqrt." mode ".f64", "d", "d")                                     \
	SIMT_ASM1(__int2float_##suffix, float, int, "cvt." mode ".f32.s32", "f", "r")                                  \
	SIMT_ASM1(__uint2float_##suffix, float, unsigned int, "cvt." mode ".f32.u32", "f", "r")                        \
	SIMT_ASM1(__ll2float_##suffix, float, long long, "cvt." mode ".f32.s64", "f", "l")                             \
	SIMT_ASM1(__ull2float_##suffix, float, unsigned long long, "cvt." mode ".f32.u64", "f", "l")                   \
	SIMT_ASM1(__ll2double_##suffix, double, long long, "cvt." mode ".f64.s64", "d", "l")                           \
	SIMT_ASM1(__ull2double_##suffix, double, unsigned long long, "cvt." mode ".f64.u64", "d", "l")                 \
	SIMT_ASM1(__double2float_##suffix, float, double, "cvt." mode ".f32.f64", "f", "d")                            \
	SIMT_ASM1(__float2int_##suffix, int, float, "cvt." mode "i.s32.f32", "r", "f")                                 \
	SIMT_ASM1(__float2uint_##suffix, unsigned int, float, "cvt." mode "i.u32.f32", "r", "f")                       \
	SIMT_ASM1(__float2ll_##suffix, long long, float, "cvt." mode "i.s64.f32", "l", "f")                            \
	SIMT_ASM1(__float2ull_##suffix, unsigned long long, float, "cvt." mode "i.u64.f32", "l", "f")                  \
	SIMT_ASM1(__double2int_##suffix, int, double, "cvt." mode "i.s32.f64", "r", "d")                               \
	SIMT_ASM1(__double2uint_##suffix, unsigned int, double, "cvt." mode "i.u32.f64", "r", "d")                     \
	SIMT_ASM1(__double2ll_##suffix, long long, double, "cvt." mode "i.s64.f64", "l", "d")                          \
	SIMT_ASM1(__double2ull_##suffix, unsigned long long, double, "cvt." mode "i.u64.f64", "l", "d")
SIMT_ROUNDED(rn, "rn")
SIMT_ROUNDED(rz, "rz")
SIMT_ROUNDED(ru, "rp")
SIMT_ROUNDED(rd, "rm")
#undef SIMT_ROUNDED
SIMT_ASM1(__int2double_rn, double, int, "cvt.rn.f64.s32", "d", "r")
SIMT_ASM1(__uint2double_rn, double, unsigned int, "cvt.rn.f64.u32", "d", "r")
SIMT_ASM1(__frsqrt_rn, float, float, "rsqrt.approx.f32", "f", "f")
SIMT_ASM1(__saturatef, float, float, "cvt.sat.f32.f32", "f", "f")
SIMT_ASM1(__sinf, float, float, "sin.approx.f32", "f", "f")
SIMT_ASM1(__cosf, float, float, "cos.approx.f32", "f", "f")
SIMT_ASM1(__log2f, float, float, "lg2.approx.f32", "f", "f")
SIMT_ASM1(__exp2f, float, float, "ex2.approx.f32", "f", "f")
SIMT_ASM1(__tanhf, float, float, "tanh.approx.f32", "f", "f")
SIMT_ASM2(__fdividef, float, "div.approx.f32", "f")
SIMT_DEVICE float __expf(float x)
{
	return __exp2f(x * 1.4426950408889634f);
}
SIMT_DEVICE float __exp10f(float x)
{
	return __exp2f(x * 3.3219280948873623f);
}
SIMT_DEVICE float __logf(float x)
{
	return __log2f(x) * 0.69314718055994531f;
}
SIMT_DEVICE float __log10f(float x)
{
	return __log2f(x) * 0.30102999566398120f;
}
SIMT_DEVICE float __powf(float x, float y)
{
	return __exp2f(y * __log2f(x));
}
SIMT_DEVICE float __tanf(float x)
{
	return __fdividef(__sinf(x), __cosf(x));
}
SIMT_DEVICE void __sincosf(float x, float *sine, float *cosine)
{
	*sine = __sinf(x);
	*cosine = __cosf(x);
}

SIMT_DEVICE int __float_as_int(float x)
{
	return __builtin_bit_cast(int, x);
}
SIMT_DEVICE unsigned int __float_as_uint(float x)
{
	return __builtin_bit_cast(unsigned int, x);
}
SIMT_DEVICE float __int_as_float(int x)
{
	return __builtin_bit_cast(float, x);
}
SIMT_DEVICE float __uint_as_float(unsigned int x)
{
	return __builtin_bit_cast(float, x);
}
SIMT_DEVICE long long __double_as_longlong(double x)
{
	return __builtin_bit_cast(long long, x);
}
SIMT_DEVICE double __longlong_as_double(long long x)
{
	return __builtin_bit_cast(double, x);
}
SIMT_DEVICE int __double2hiint(double x)
{
	return (int)(__builtin_bit_cast(unsigned long long, x) >> 32);
}
SIMT_DEVICE int __double2loint(double x)
{
	return (int)__builtin_bit_cast(unsigned long long, x);
}
SIMT_DEVICE double __hiloint2double(int high, int low)
{
	return __builtin_bit_cast(double, (unsigned long long)(unsigned int)high << 32 | (unsigned int)low);
}

/* --- memory ----------------------------------------------------------------------------------------------------------- */

#define SIMT_LOAD(name)                                                                                                \
	template <typename T> SIMT_DEVICE T name(const T *p)                                                           \
	{                                                                                                              \
		return *p;                                                                                             \
	}
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
#undef SIMT_LOAD
/* Fetched each time that it is named. */
template <typename T> SIMT_DEVICE T __ldcv(const T *p)
{
	asm volatile("" ::: "memory");
	return *p;
}
#define SIMT_STORE(name)                                                                                               \
	template <typename T> SIMT_DEVICE void name(T *p, T v)                                                         \
	{                                                                                                              \
		*p = v;                                                                                                \
	}
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)
#undef SIMT_STORE

#define SIMT_IS_SPACE(name, space)                                                                                     \
	SIMT_DEVICE unsigned int name(const void *p)                                                                   \
	{                                                                                                              \
		unsigned int is;                                                                                       \
		asm("{ .reg .pred p; isspacep." space " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(p));          \
		return is;                                                                                             \
	}
SIMT_IS_SPACE(__isGlobal, "global")
SIMT_IS_SPACE(__isShared, "shared")
SIMT_IS_SPACE(__isConstant, "const")
SIMT_IS_SPACE(__isLocal, "local")
#undef SIMT_IS_SPACE
SIMT_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
	size_t at;
	asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
	return at;
}
#define SIMT_CVTA(name, op)                                                                                            \
	SIMT_DEVICE void *name(size_t at)                                                                              \
	{                                                                                                              \
		void *p;                                                                                               \
		asm(op " %0, %1;" : "=l"(p) : "l"(at));                                                                \
		return p;                                                                                              \
	}
SIMT_CVTA(__cvta_shared_to_generic, "cvta.shared.u64")
SIMT_CVTA(__cvta_global_to_generic, "cvta.global.u64")
SIMT_CVTA(__cvta_local_to_generic, "cvta.local.u64")
SIMT_CVTA(__cvta_constant_to_generic, "cvta.const.u64")
#undef SIMT_CVTA
SIMT_DEVICE size_t __cvta_generic_to_local(const void *p)
{
	size_t at;
	asm("cvta.to.local.u64 %0, %1;" : "=l"(at) : "l"(p));
	return at;
}
SIMT_DEVICE size_t __cvta_generic_to_constant(const void *p)
{
	size_t at;
	asm("cvta.to.const.u64 %0, %1;" : "=l"(at) : "l"(p));
	return at;
}
SIMT_DEVICE size_t __cvta_generic_to_global(const void *p)
{
	size_t at;
	asm("cvta.to.global.u64 %0, %1;" : "=l"(at) : "l"(p));
	return at;
}
