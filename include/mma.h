/* mma.h: products of small matrices by a warp, of halves, with sums in halves or floats. How the elements of a matrix lie in the lanes is
 * not said; all of a fragment may be changed alike. */
#pragma once
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

/* Elements that a lane has: of the factors 16 halves, each twice, of the sum 8. */
template <typename Use, int M, int N, int K, typename T, typename Layout = void> class fragment;
#define SIMT_FRAGMENT(use, m, n, k, type, count, parameter, argument)                                                  \
	template <parameter> class fragment<use, m, n, k, type, argument> {                                            \
	public:                                                                                                        \
		typedef type element_type;                                                                             \
		enum { num_elements = count, num_storage_elements = count };                                           \
		type x[count];                                                                                         \
	};
#define SIMT_FRAGMENTS(m, n, k)                                                                                        \
	SIMT_FRAGMENT(matrix_a, m, n, k, __half, 16, typename Layout, Layout)                                          \
	SIMT_FRAGMENT(matrix_b, m, n, k, __half, 16, typename Layout, Layout)                                          \
	SIMT_FRAGMENT(accumulator, m, n, k, __half, 8, , void)                                                         \
	SIMT_FRAGMENT(accumulator, m, n, k, float, 8, , void)
SIMT_FRAGMENTS(16, 16, 16)
SIMT_FRAGMENTS(32, 8, 16)
SIMT_FRAGMENTS(8, 32, 16)
#undef SIMT_FRAGMENTS
#undef SIMT_FRAGMENT

template <typename Use, int M, int N, int K, typename T, typename Layout, typename V>
__device__ __forceinline__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &a, const V &v)
{
	for (int i = 0; i < a.num_elements; i++)
		a.x[i] = T(v);
}

/* Registers of halves are words of two. */
#define SIMT_WORDS4(mode, w) mode(w[0]), mode(w[1]), mode(w[2]), mode(w[3])
#define SIMT_WORDS8(mode, w) SIMT_WORDS4(mode, w), mode(w[4]), mode(w[5]), mode(w[6]), mode(w[7])

#define SIMT_LOAD_FACTOR(letter, use, m, n, k, layout, name)                                                           \
	__device__ __forceinline__ void load_matrix_sync(                                                              \
		fragment<use, m, n, k, __half, layout> &a, const __half *from, unsigned int stride)                    \
	{                                                                                                              \
		unsigned int w[8];                                                                                     \
		asm volatile("wmma.load." letter ".sync.aligned." name ".m" #m "n" #n "k" #k                           \
			     ".f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                                        \
			     : SIMT_WORDS8("=r", w)                                                                    \
			     : "l"(from), "r"(stride)                                                                  \
			     : "memory");                                                                              \
		__builtin_memcpy(a.x, w, sizeof w);                                                                    \
	}
#define SIMT_MOVE_SUM(m, n, k, layout, name)                                                                           \
	__device__ __forceinline__ void simt_load(fragment<accumulator, m, n, k, float> &a, const float *from,         \
		unsigned int stride, layout *)                                                                         \
	{                                                                                                              \
		asm volatile("wmma.load.c.sync.aligned." name ".m" #m "n" #n "k" #k                                    \
			     ".f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"                                        \
			     : SIMT_WORDS8("=f", a.x)                                                                  \
			     : "l"(from), "r"(stride)                                                                  \
			     : "memory");                                                                              \
	}                                                                                                              \
	__device__ __forceinline__ void simt_load(fragment<accumulator, m, n, k, __half> &a, const __half *from,       \
		unsigned int stride, layout *)                                                                         \
	{                                                                                                              \
		unsigned int w[4];                                                                                     \
		asm volatile("wmma.load.c.sync.aligned." name ".m" #m "n" #n "k" #k                                    \
			     ".f16 {%0, %1, %2, %3}, [%4], %5;"                                                        \
			     : SIMT_WORDS4("=r", w)                                                                    \
			     : "l"(from), "r"(stride)                                                                  \
			     : "memory");                                                                              \
		__builtin_memcpy(a.x, w, sizeof w);                                                                    \
	}                                                                                                              \
	__device__ __forceinline__ void simt_store(float *to, const fragment<accumulator, m, n, k, float> &a,          \
		unsigned int stride, layout *)                                                                         \
	{                                                                                                              \
		asm volatile("wmma.store.d.sync.aligned." name ".m" #m "n" #n "k" #k                                   \
			     ".f32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;"                                        \
			     :                                                                                         \
			     : SIMT_WORDS8("f", a.x), "l"(to), "r"(stride)                                             \
			     : "memory");                                                                              \
	}                                                                                                              \
	__device__ __forceinline__ void simt_store(__half *to, const fragment<accumulator, m, n, k, __half> &a,        \
		unsigned int stride, layout *)                                                                         \
	{                                                                                                              \
		unsigned int w[4];                                                                                     \
		__builtin_memcpy(w, a.x, sizeof w);                                                                    \
		asm volatile("wmma.store.d.sync.aligned." name ".m" #m "n" #n "k" #k                                   \
			     ".f16 [%4], {%0, %1, %2, %3}, %5;"                                                        \
			     :                                                                                         \
			     : SIMT_WORDS4("r", w), "l"(to), "r"(stride)                                               \
			     : "memory");                                                                              \
	}
#define SIMT_PRODUCT(m, n, k, a_layout, a_name, b_layout, b_name)                                                      \
	__device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, float> &d,                             \
		const fragment<matrix_a, m, n, k, __half, a_layout> &a,                                                \
		const fragment<matrix_b, m, n, k, __half, b_layout> &b,                                                \
		const fragment<accumulator, m, n, k, float> &c)                                                        \
	{                                                                                                              \
		unsigned int u[8], v[8];                                                                               \
		float sum[8];                                                                                          \
		__builtin_memcpy(u, a.x, sizeof u);                                                                    \
		__builtin_memcpy(v, b.x, sizeof v);                                                                    \
		asm volatile("wmma.mma.sync.aligned." a_name "." b_name ".m" #m "n" #n "k" #k                          \
			     ".f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "                                             \
			     "{%8, %9, %10, %11, %12, %13, %14, %15}, "                                                \
			     "{%16, %17, %18, %19, %20, %21, %22, %23}, "                                              \
			     "{%24, %25, %26, %27, %28, %29, %30, %31};"                                               \
			     : SIMT_WORDS8("=f", sum)                                                                  \
			     : SIMT_WORDS8("r", u), SIMT_WORDS8("r", v), SIMT_WORDS8("f", c.x));                       \
		__builtin_memcpy(d.x, sum, sizeof sum);                                                                \
	}                                                                                                              \
	__device__ __forceinline__ void mma_sync(fragment<accumulator, m, n, k, __half> &d,                            \
		const fragment<matrix_a, m, n, k, __half, a_layout> &a,                                                \
		const fragment<matrix_b, m, n, k, __half, b_layout> &b,                                                \
		const fragment<accumulator, m, n, k, __half> &c)                                                       \
	{                                                                                                              \
		unsigned int u[8], v[8], w[4], sum[4];                                                                 \
		__builtin_memcpy(u, a.x, sizeof u);                                                                    \
		__builtin_memcpy(v, b.x, sizeof v);                                                                    \
		__builtin_memcpy(w, c.x, sizeof w);                                                                    \
		asm volatile("wmma.mma.sync.aligned." a_name "." b_name ".m" #m "n" #n "k" #k                          \
			     ".f16.f16 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "                         \
			     "{%12, %13, %14, %15, %16, %17, %18, %19}, {%20, %21, %22, %23};"                         \
			     : SIMT_WORDS4("=r", sum)                                                                  \
			     : SIMT_WORDS8("r", u), SIMT_WORDS8("r", v), SIMT_WORDS4("r", w));                         \
		__builtin_memcpy(d.x, sum, sizeof sum);                                                                \
	}
#define SIMT_SHAPE(m, n, k)                                                                                            \
	SIMT_LOAD_FACTOR("a", matrix_a, m, n, k, row_major, "row")                                                     \
	SIMT_LOAD_FACTOR("a", matrix_a, m, n, k, col_major, "col")                                                     \
	SIMT_LOAD_FACTOR("b", matrix_b, m, n, k, row_major, "row")                                                     \
	SIMT_LOAD_FACTOR("b", matrix_b, m, n, k, col_major, "col")                                                     \
	SIMT_MOVE_SUM(m, n, k, row_major, "row")                                                                       \
	SIMT_MOVE_SUM(m, n, k, col_major, "col")                                                                       \
	SIMT_PRODUCT(m, n, k, row_major, "row", row_major, "row")                                                      \
	SIMT_PRODUCT(m, n, k, row_major, "row", col_major, "col")                                                      \
	SIMT_PRODUCT(m, n, k, col_major, "col", row_major, "row")                                                      \
	SIMT_PRODUCT(m, n, k, col_major, "col", col_major, "col")
SIMT_SHAPE(16, 16, 16)
SIMT_SHAPE(32, 8, 16)
SIMT_SHAPE(8, 32, 16)
#undef SIMT_SHAPE
#undef SIMT_PRODUCT
#undef SIMT_MOVE_SUM
#undef SIMT_LOAD_FACTOR
#undef SIMT_WORDS8
#undef SIMT_WORDS4

template <int M, int N, int K, typename T>
__device__ __forceinline__ void load_matrix_sync(
	fragment<accumulator, M, N, K, T> &a, const T *from, unsigned int stride, layout_t layout)
{
	if (layout == mem_row_major)
		simt_load(a, from, stride, (row_major *)nullptr);
	else
		simt_load(a, from, stride, (col_major *)nullptr);
}
template <int M, int N, int K, typename T>
__device__ __forceinline__ void store_matrix_sync(
	T *to, const fragment<accumulator, M, N, K, T> &a, unsigned int stride, layout_t layout)
{
	if (layout == mem_row_major)
		simt_store(to, a, stride, (row_major *)nullptr);
	else
		simt_store(to, a, stride, (col_major *)nullptr);
}

}
}
