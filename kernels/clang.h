// clang.h: CUDA's names for clang without NVIDIA's headers, beyond those of simt.h. `simttutor run` and `debug` put it
// before a .cu that clang compiles, so that a kernel written for nvcc need not know of it. What would need NVIDIA's
// libraries (expf, sinf, __half, cooperative groups) is not here.
#pragma once
#include "simt.h"
#if !defined(__NVCC__) && !defined(__CUDACC_RTC__)

// nodebug: what these make belongs to the line that calls them.
#define SIMT_DEVICE static __device__ __forceinline__ __attribute__((nodebug))

// Clang 14 moves loads of a __shared__ variable across its own __syncthreads(); a clobber of memory stops it.
SIMT_DEVICE unsigned simt_mask(unsigned mask = 0xFFFFFFFF) { return mask; }
#define __syncthreads() asm volatile("bar.sync 0;" ::: "memory")
#define __syncwarp(...) asm volatile("bar.warp.sync %0;" :: "r"(simt_mask(__VA_ARGS__)) : "memory")
#define __threadfence() asm volatile("membar.gl;" ::: "memory")
#define __threadfence_block() asm volatile("membar.cta;" ::: "memory")
#define __threadfence_system() asm volatile("membar.sys;" ::: "memory")

struct dim3 { unsigned x, y, z; };
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
SIMT_DEVICE float2 make_float2(float x, float y) { return (float2){x, y}; }
SIMT_DEVICE float4 make_float4(float x, float y, float z, float w) { return (float4){x, y, z, w}; }
extern "C" __device__ int printf(const char *format, ...);

// The last operand of shfl: the segment's mask in bits 8 to 12, in bits 0 to 4 the lane that bounds the source.
#define SIMT_SEGMENT(width) ((32 - (width)) << 8)
#define SIMT_SHUFFLES(type, suffix) \
	SIMT_DEVICE type __shfl_sync(unsigned mask, type v, int lane, int width = 32) \
	{ return (type)__nvvm_shfl_sync_idx_##suffix(mask, v, lane, SIMT_SEGMENT(width) | 31); } \
	SIMT_DEVICE type __shfl_up_sync(unsigned mask, type v, unsigned delta, int width = 32) \
	{ return (type)__nvvm_shfl_sync_up_##suffix(mask, v, (int)delta, SIMT_SEGMENT(width)); } \
	SIMT_DEVICE type __shfl_down_sync(unsigned mask, type v, unsigned delta, int width = 32) \
	{ return (type)__nvvm_shfl_sync_down_##suffix(mask, v, (int)delta, SIMT_SEGMENT(width) | 31); } \
	SIMT_DEVICE type __shfl_xor_sync(unsigned mask, type v, int lanes, int width = 32) \
	{ return (type)__nvvm_shfl_sync_bfly_##suffix(mask, v, lanes, SIMT_SEGMENT(width) | 31); }
SIMT_SHUFFLES(int, i32)
SIMT_SHUFFLES(unsigned, i32)
SIMT_SHUFFLES(float, f32)

SIMT_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
SIMT_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
SIMT_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
#define SIMT_MATCHES(type, bits, letter) \
	SIMT_DEVICE unsigned __match_any_sync(unsigned mask, type v) \
	{ \
		unsigned same; \
		asm volatile("match.any.sync." bits " %0, %1, %2;" : "=r"(same) : letter(v), "r"(mask)); \
		return same; \
	} \
	SIMT_DEVICE unsigned __match_all_sync(unsigned mask, type v, int *all) \
	{ \
		unsigned same; \
		asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync." bits " %0|p, %2, %3;\n\tselp.b32 %1, 1, 0, p;\n\t}" \
		             : "=r"(same), "=r"(*all) : letter(v), "r"(mask)); \
		return same; \
	}
SIMT_MATCHES(int, "b32", "r")
SIMT_MATCHES(unsigned, "b32", "r")
SIMT_MATCHES(long long, "b64", "l")
SIMT_MATCHES(unsigned long long, "b64", "l")

// From compute capability 8.0 on: the kernel says "// needs: sm_80, PTX 7.0".
#define SIMT_REDUCE(operation, suffix, type) \
	SIMT_DEVICE type __reduce_##operation##_sync(unsigned mask, type v) \
	{ \
		type result; \
		asm volatile("redux.sync." #operation "." suffix " %0, %1, %2;" : "=r"(result) : "r"(v), "r"(mask)); \
		return result; \
	}
SIMT_REDUCE(add, "s32", int)
SIMT_REDUCE(add, "u32", unsigned)
SIMT_REDUCE(min, "s32", int)
SIMT_REDUCE(min, "u32", unsigned)
SIMT_REDUCE(max, "s32", int)
SIMT_REDUCE(max, "u32", unsigned)
SIMT_REDUCE(and, "b32", unsigned)
SIMT_REDUCE(or, "b32", unsigned)
SIMT_REDUCE(xor, "b32", unsigned)

// An address in shared memory, as instructions take it that are written out.
SIMT_DEVICE unsigned long long __cvta_generic_to_shared(const void *p)
{
	unsigned long long at;
	asm("cvta.to.shared.u64 %0, %1;" : "=l"(at) : "l"(p));
	return at;
}

SIMT_DEVICE unsigned __activemask()
{
	unsigned mask;
	asm volatile("activemask.b32 %0;" : "=r"(mask));
	return mask;
}

#define SIMT_ATOMICS(type, suffix) \
	SIMT_DEVICE type atomicSub(type *p, type v) { return (type)__nvvm_atom_add_gen_i((int *)p, -(int)v); } \
	SIMT_DEVICE type atomicExch(type *p, type v) { return (type)__nvvm_atom_xchg_gen_i((int *)p, (int)v); } \
	SIMT_DEVICE type atomicCAS(type *p, type old, type v) { return (type)__nvvm_atom_cas_gen_i((int *)p, (int)old, (int)v); } \
	SIMT_DEVICE type atomicAnd(type *p, type v) { return (type)__nvvm_atom_and_gen_i((int *)p, (int)v); } \
	SIMT_DEVICE type atomicOr(type *p, type v) { return (type)__nvvm_atom_or_gen_i((int *)p, (int)v); } \
	SIMT_DEVICE type atomicXor(type *p, type v) { return (type)__nvvm_atom_xor_gen_i((int *)p, (int)v); } \
	SIMT_DEVICE type atomicMin(type *p, type v) { return __nvvm_atom_min_gen_##suffix(p, v); } \
	SIMT_DEVICE type atomicMax(type *p, type v) { return __nvvm_atom_max_gen_##suffix(p, v); }
SIMT_ATOMICS(int, i)
SIMT_ATOMICS(unsigned, ui)

// Of another scope than the GPU, additions alone.
SIMT_DEVICE int atomicAdd_block(int *p, int v) { return __nvvm_atom_cta_add_gen_i(p, v); }
SIMT_DEVICE int atomicAdd_system(int *p, int v) { return __nvvm_atom_sys_add_gen_i(p, v); }
SIMT_DEVICE unsigned atomicAdd_block(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_cta_add_gen_i((int *)p, (int)v); }
SIMT_DEVICE unsigned atomicAdd_system(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_sys_add_gen_i((int *)p, (int)v); }

SIMT_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SIMT_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SIMT_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SIMT_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }

#define SIMT_LESS(type) \
	SIMT_DEVICE type min(type a, type b) { return b < a ? b : a; } \
	SIMT_DEVICE type max(type a, type b) { return a < b ? b : a; }
SIMT_LESS(int)
SIMT_LESS(unsigned)
SIMT_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
SIMT_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
SIMT_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
SIMT_DEVICE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
SIMT_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
SIMT_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
SIMT_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
SIMT_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.69314718055994531f; }

SIMT_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
SIMT_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
template <typename T> SIMT_DEVICE T __ldg(const T *p) { return *p; }

#endif
