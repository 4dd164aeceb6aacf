#include "machine/simt/mem.h"

#include "base/clones.h"

/* Vectors of 32 bytes, which the compiler makes of two where the processor has only smaller ones. */
typedef uint64_t __attribute__((vector_size(32), aligned(8), may_alias)) words;
typedef uint32_t __attribute__((vector_size(16), aligned(4), may_alias)) four;

#define EACH 4 /* addresses of a vector */
#define HALF_VECTORS (WARP_HALF_SIZE / EACH)

/* How far the lanes of a half are from its first where they are adjacent, by log2 of the width. */
#define ROW(w)                                                                                                         \
	{                                                                                                              \
		0, 1 * w, 2 * w, 3 * w, 4 * w, 5 * w, 6 * w, 7 * w, 8 * w, 9 * w, 10 * w, 11 * w, 12 * w, 13 * w,      \
			14 * w, 15 * w                                                                                 \
	}
static const uint64_t adjacent[][WARP_HALF_SIZE] = {ROW(1), ROW(2), ROW(4), ROW(8), ROW(16), ROW(32)};
#undef ROW
static const uint64_t same[WARP_HALF_SIZE];

/* The bits of all elements of four vectors, as one each. */
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define COLLECT(m0, j0, m1, j1, sum)                                                                                   \
	do {                                                                                                           \
		words low_ = PICK(m0, j0, 0, 4, 2, 6) | PICK(m0, j0, 1, 5, 3, 7),                                      \
		      high_ = PICK(m1, j1, 0, 4, 2, 6) | PICK(m1, j1, 1, 5, 3, 7);                                     \
		sum = PICK(low_, high_, 0, 1, 4, 5) | PICK(low_, high_, 2, 3, 6, 7);                                   \
	} while (0)

/* Of the bits in which the addresses of a half differ from its first, and their distances from those of adjacent
 * lanes. */
#define HALF(moves, jumps)                                                                                             \
	(uint8_t)(HALF_SPREAD - (moves ? 0 : HALF_SPREAD - HALF_SAME) - (jumps ? 0 : HALF_SPREAD - HALF_ADJACENT))

/* `next` is the n-th vector of addresses. */
#define SCAN(name, T, next)                                                                                            \
	CLONES_AVX2 void name(                                                                                         \
		const void *base, uint64_t offset, uint32_t width, uint64_t *address, uint8_t half[WARP_HALVES])       \
	{                                                                                                              \
		const words *steps = (const words *)adjacent[__builtin_ctz(width)];                                    \
		words *to = (words *)address, moves[WARP_HALVES] = {{0}}, jumps[WARP_HALVES] = {{0}};                  \
		const T *from = base;                                                                                  \
		UNROLL                                                                                                 \
		for (int h = 0; h < WARP_HALVES; h++) {                                                                \
			uint64_t first = (T)(from[h * WARP_HALF_SIZE] + (T)offset);                                    \
			UNROLL                                                                                         \
			for (int i = 0; i < HALF_VECTORS; i++) {                                                       \
				int n = h * HALF_VECTORS + i;                                                          \
				words at = next;                                                                       \
				to[n] = at;                                                                            \
				at -= first;                                                                           \
				moves[h] |= at;                                                                        \
				jumps[h] |= at ^ steps[i];                                                             \
			}                                                                                              \
		}                                                                                                      \
		words all;                                                                                             \
		COLLECT(moves[0], jumps[0], moves[1], jumps[1], all);                                                  \
		half[0] = HALF(all[0], all[1]);                                                                        \
		half[1] = HALF(all[2], all[3]);                                                                        \
	}

/* `next` is the n-th vector of what is followed. */
#define FOLLOWS(name, T, next)                                                                                         \
	CLONES_AVX2 bool name(const void *base, const uint32_t step[WARP_HALVES])                                      \
	{                                                                                                              \
		const T *from = base;                                                                                  \
		words differs = {0};                                                                                   \
		UNROLL                                                                                                 \
		for (int h = 0; h < WARP_HALVES; h++) {                                                                \
			const words *steps = (const words *)(step[h] ? adjacent[__builtin_ctz(step[h])] : same);       \
			uint64_t first = from[h * WARP_HALF_SIZE];                                                     \
			UNROLL                                                                                         \
			for (int i = 0; i < HALF_VECTORS; i++) {                                                       \
				int n = h * HALF_VECTORS + i;                                                          \
				differs |= ((next)-first) ^ steps[i];                                                  \
			}                                                                                              \
		}                                                                                                      \
		return !(differs[0] | differs[1] | differs[2] | differs[3]);                                           \
	}

typedef uint32_t __attribute__((may_alias)) u32;
typedef uint64_t __attribute__((may_alias)) u64;
SCAN(simt_scan_u64, u64, ((const words *)base)[n] + offset)
SCAN(simt_scan_u32, u32, __builtin_convertvector(((const four *)base)[n] + (uint32_t)offset, words))
FOLLOWS(simt_follows_u64, u64, ((const words *)base)[n])
FOLLOWS(simt_follows_u32, u32, __builtin_convertvector(((const four *)base)[n], words))
