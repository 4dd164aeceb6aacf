/* simttutor_atomic.h: what cuda/atomic is made of: PTX on the device, the compiler's builtins on the host. */
#pragma once
#include "cuda_runtime.h"
#include <string.h>

/* Costs are those of the lines that call these. */
#define SIMT_MEMBER __host__ __device__ __forceinline__ __attribute__((nodebug))

namespace simt_atomic
{

enum { SYSTEM, DEVICE, BLOCK, THREAD };

template <size_t Bytes> struct bits_of;
template <> struct bits_of<1> {
	using type = unsigned short; /* of a register */
};
template <> struct bits_of<2> {
	using type = unsigned short;
};
template <> struct bits_of<4> {
	using type = unsigned int;
};
template <> struct bits_of<8> {
	using type = unsigned long long;
};

template <typename A, typename B> inline constexpr bool same = false;
template <typename A> inline constexpr bool same<A, A> = true;
template <typename T> inline constexpr bool has_sign = same<T, int> || same<T, long> || same<T, long long>;
template <bool Signed, typename Bits> struct signed_or_not {
	using type = Bits;
};
template <> struct signed_or_not<true, unsigned int> {
	using type = int;
};
template <> struct signed_or_not<true, unsigned long long> {
	using type = long long;
};

template <typename To, typename From> SIMT_MEMBER To same_bits(const From &from)
{
	To to = {};
	memcpy(&to, &from, sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From));
	return to;
}

template <typename T>
inline constexpr bool has_sum = same<T, int> || same<T, unsigned int> || same<T, long> || same<T, unsigned long> ||
	same<T, long long> || same<T, unsigned long long> || same<T, float> || same<T, double>;
template <typename T> inline constexpr bool has_logic = has_sum<T> && !same<T, float> && !same<T, double>;

#ifdef __CUDA_ARCH__
#if __CUDA_ARCH__ < 700
#error "cuda/atomic: its orders and scopes need compute capability 7.0 or later: compile with -arch=sm_70, or use atomicAdd and __threadfence"
#endif

template <int Scope> struct device; /* one operation each, relaxed */

#define SIMT_READ(scope, bytes, kind, reg)                                                                             \
	static __device__ __forceinline__ __attribute__((nodebug)) bits_of<bytes>::type load##bytes(const void *at)    \
	{                                                                                                              \
		bits_of<bytes>::type v;                                                                                \
		asm volatile("ld.relaxed." scope "." kind " %0, [%1];" : "=" reg(v) : "l"(at) : "memory");             \
		return v;                                                                                              \
	}                                                                                                              \
	static __device__ __forceinline__ __attribute__((nodebug)) void store##bytes(void *at, bits_of<bytes>::type v) \
	{                                                                                                              \
		asm volatile("st.relaxed." scope "." kind " [%0], %1;" ::"l"(at), reg(v) : "memory");                  \
	}
#define SIMT_CHANGE(scope, name, what, type, reg)                                                                      \
	static __device__ __forceinline__ __attribute__((nodebug)) type name(void *at, type v)                         \
	{                                                                                                              \
		type old;                                                                                              \
		asm volatile("atom.relaxed." scope "." what " %0, [%1], %2;"                                           \
			     : "=" reg(old)                                                                            \
			     : "l"(at), reg(v)                                                                         \
			     : "memory");                                                                              \
		return old;                                                                                            \
	}
#define SIMT_COMPARE(scope, kind, type, reg)                                                                           \
	static __device__ __forceinline__ __attribute__((nodebug)) type compare(void *at, type expected, type v)       \
	{                                                                                                              \
		type old;                                                                                              \
		asm volatile("atom.relaxed." scope ".cas." kind " %0, [%1], %2, %3;"                                   \
			     : "=" reg(old)                                                                            \
			     : "l"(at), reg(expected), reg(v)                                                          \
			     : "memory");                                                                              \
		return old;                                                                                            \
	}
#define SIMT_LOGIC(scope, kind, type, reg)                                                                             \
	SIMT_CHANGE(scope, exchange, "exch." kind, type, reg)                                                          \
	SIMT_CHANGE(scope, fetch_and, "and." kind, type, reg)                                                          \
	SIMT_CHANGE(scope, fetch_or, "or." kind, type, reg)                                                            \
	SIMT_CHANGE(scope, fetch_xor, "xor." kind, type, reg)                                                          \
	SIMT_COMPARE(scope, kind, type, reg)
#define SIMT_ORDER(scope, kind, type, reg)                                                                             \
	SIMT_CHANGE(scope, fetch_min, "min." kind, type, reg)                                                          \
	SIMT_CHANGE(scope, fetch_max, "max." kind, type, reg)
#define SIMT_SCOPE(number, scope)                                                                                      \
	template <> struct device<number> {                                                                            \
		SIMT_READ(scope, 1, "u8", "h")                                                                         \
		SIMT_READ(scope, 2, "u16", "h")                                                                        \
		SIMT_READ(scope, 4, "u32", "r")                                                                        \
		SIMT_READ(scope, 8, "u64", "l")                                                                        \
		SIMT_LOGIC(scope, "b32", unsigned int, "r")                                                            \
		SIMT_LOGIC(scope, "b64", unsigned long long, "l")                                                      \
		SIMT_ORDER(scope, "s32", int, "r")                                                                     \
		SIMT_ORDER(scope, "u32", unsigned int, "r")                                                            \
		SIMT_ORDER(scope, "s64", long long, "l")                                                               \
		SIMT_ORDER(scope, "u64", unsigned long long, "l")                                                      \
		SIMT_CHANGE(scope, fetch_add, "add.u32", unsigned int, "r")                                            \
		SIMT_CHANGE(scope, fetch_add, "add.u64", unsigned long long, "l")                                      \
		SIMT_CHANGE(scope, fetch_add, "add.f32", float, "f")                                                   \
		SIMT_CHANGE(scope, fetch_add, "add.f64", double, "d")                                                  \
	};
SIMT_SCOPE(SYSTEM, "sys")
SIMT_SCOPE(DEVICE, "gpu")
SIMT_SCOPE(BLOCK, "cta")
template <> struct device<THREAD> : device<BLOCK> {
};
#undef SIMT_READ
#undef SIMT_CHANGE
#undef SIMT_COMPARE
#undef SIMT_LOGIC
#undef SIMT_ORDER
#undef SIMT_SCOPE
#endif

SIMT_MEMBER void fence(int order, int scope)
{
#ifdef __CUDA_ARCH__
	if (order == __ATOMIC_RELAXED || scope == THREAD)
		asm volatile("" ::: "memory");
	else if (order == __ATOMIC_SEQ_CST && scope == SYSTEM)
		asm volatile("fence.sc.sys;" ::: "memory");
	else if (order == __ATOMIC_SEQ_CST && scope == DEVICE)
		asm volatile("fence.sc.gpu;" ::: "memory");
	else if (order == __ATOMIC_SEQ_CST)
		asm volatile("fence.sc.cta;" ::: "memory");
	else if (scope == SYSTEM)
		asm volatile("fence.acq_rel.sys;" ::: "memory");
	else if (scope == DEVICE)
		asm volatile("fence.acq_rel.gpu;" ::: "memory");
	else
		asm volatile("fence.acq_rel.cta;" ::: "memory");
#else
	(void)scope;
	if (order != __ATOMIC_RELAXED)
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

template <int Scope> SIMT_MEMBER void fence_before(int order)
{
	if (order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST)
		fence(order, Scope);
}

template <int Scope> SIMT_MEMBER void fence_after(int order)
{
	if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
		fence(__ATOMIC_ACQ_REL, Scope);
}

/* What is done with an object of type T for threads of that scope. */
template <typename T, int Scope> struct way {
	static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
		"atomic objects here have 1, 2, 4 or 8 bytes");
	using bits = typename bits_of<sizeof(T)>::type;
	using ordered = typename signed_or_not<has_sign<T>, bits>::type; /* what min and max compare */

	static SIMT_MEMBER T load(const T *at, int order)
	{
		if (order == __ATOMIC_SEQ_CST)
			fence(order, Scope);
#ifdef __CUDA_ARCH__
		bits v;
		if constexpr (sizeof(T) == 1)
			v = device<Scope>::load1(at);
		else if constexpr (sizeof(T) == 2)
			v = device<Scope>::load2(at);
		else if constexpr (sizeof(T) == 4)
			v = device<Scope>::load4(at);
		else
			v = device<Scope>::load8(at);
		T value = same_bits<T>(v);
#else
		T value;
		__atomic_load(const_cast<T *>(at), &value, __ATOMIC_RELAXED);
#endif
		fence_after<Scope>(order);
		return value;
	}

	static SIMT_MEMBER void store(T *at, T value, int order)
	{
		fence_before<Scope>(order);
#ifdef __CUDA_ARCH__
		bits v = same_bits<bits>(value);
		if constexpr (sizeof(T) == 1)
			device<Scope>::store1(at, v);
		else if constexpr (sizeof(T) == 2)
			device<Scope>::store2(at, v);
		else if constexpr (sizeof(T) == 4)
			device<Scope>::store4(at, v);
		else
			device<Scope>::store8(at, v);
#else
		__atomic_store(at, &value, __ATOMIC_RELAXED);
#endif
	}

	static SIMT_MEMBER bool relaxed_compare(T *at, T &expected, T value)
	{
#ifdef __CUDA_ARCH__
		static_assert(
			sizeof(T) >= 4, "objects of 1 or 2 bytes have loads and stores here; use an unsigned int");
		bits was = same_bits<bits>(expected);
		bits old = device<Scope>::compare(at, was, same_bits<bits>(value));
		if (old != was)
			expected = same_bits<T>(old);
		return old == was;
#else
		return __atomic_compare_exchange(at, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
	}

	static SIMT_MEMBER bool compare_exchange(T *at, T &expected, T value, int order)
	{
		fence_before<Scope>(order);
		bool done = relaxed_compare(at, expected, value);
		fence_after<Scope>(order);
		return done;
	}

	static SIMT_MEMBER T exchange(T *at, T value, int order)
	{
		fence_before<Scope>(order);
#ifdef __CUDA_ARCH__
		static_assert(
			sizeof(T) >= 4, "objects of 1 or 2 bytes have loads and stores here; use an unsigned int");
		T old = same_bits<T>(device<Scope>::exchange(at, same_bits<bits>(value)));
#else
		T old;
		__atomic_exchange(at, &value, &old, __ATOMIC_RELAXED);
#endif
		fence_after<Scope>(order);
		return old;
	}

	template <typename Change> static SIMT_MEMBER T changed(T *at, Change change)
	{
		T old = load(at, __ATOMIC_RELAXED);
		while (!relaxed_compare(at, old, change(old)))
			;
		return old;
	}

	static SIMT_MEMBER T fetch_add(T *at, T value, int order)
	{
		fence_before<Scope>(order);
		T old;
#ifdef __CUDA_ARCH__
		if constexpr (same<T, float> || same<T, double>)
			old = device<Scope>::fetch_add(at, value);
		else
			old = (T)device<Scope>::fetch_add(at, (bits)value);
#else
		old = changed(at, [=](T was) { return (T)(was + value); });
#endif
		fence_after<Scope>(order);
		return old;
	}

	static SIMT_MEMBER T fetch_sub(T *at, T value, int order)
	{
		return fetch_add(at, (T)-value, order);
	}

#ifdef __CUDA_ARCH__
#define SIMT_DO(name, kind, expression) T old = (T)device<Scope>::name(at, (kind)value);
#else
#define SIMT_DO(name, kind, expression) T old = changed(at, [=](T was) { return (T)(expression); });
#endif
#define SIMT_FETCH(name, kind, expression)                                                                             \
	static SIMT_MEMBER T name(T *at, T value, int order)                                                           \
	{                                                                                                              \
		static_assert(has_logic<T>, "that is of integers of 4 or 8 bytes");                                    \
		fence_before<Scope>(order);                                                                            \
		SIMT_DO(name, kind, expression)                                                                        \
		fence_after<Scope>(order);                                                                             \
		return old;                                                                                            \
	}
	SIMT_FETCH(fetch_and, bits, was &value)
	SIMT_FETCH(fetch_or, bits, was | value)
	SIMT_FETCH(fetch_xor, bits, was ^ value)
	SIMT_FETCH(fetch_min, ordered, was < value ? was : value)
	SIMT_FETCH(fetch_max, ordered, was > value ? was : value)
#undef SIMT_FETCH
#undef SIMT_DO
};

} // namespace simt_atomic
