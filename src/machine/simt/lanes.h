/* machine/simt/lanes.h: how an executor reads and writes lanes. Inside simt/ only. */
#pragma once
#include <string.h>

#include "base/clones.h"
#include "machine/simt/warp_state.h"

/* Registers have no type: the same bytes are read as integers and floats. */
typedef uint8_t __attribute__((may_alias)) u8;
typedef int8_t __attribute__((may_alias)) s8;
typedef uint16_t __attribute__((may_alias)) u16;
typedef int16_t __attribute__((may_alias)) s16;
typedef uint32_t __attribute__((may_alias)) u32;
typedef int32_t __attribute__((may_alias)) s32;
typedef uint64_t __attribute__((may_alias)) u64;
typedef int64_t __attribute__((may_alias)) s64;
typedef float __attribute__((may_alias)) f32;
typedef double __attribute__((may_alias)) f64;

static inline void *lanes_of(const struct warp *w, struct ref ref)
{
	return w->bank[ref.bank] + ref.offset;
}

#define R(n) lanes_of(w, c->r[n])

/* Source and destination of one instruction are the same array or apart, so lanes never depend on each other. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* Does `body` for each lane i of `mask`; a full warp in one loop that the compiler makes vectors of. */
#define FOR_LANES(mask, ...)                                                                                           \
	do {                                                                                                           \
		if ((mask) == WARP_FULL_MASK) {                                                                        \
			INDEPENDENT                                                                                    \
			for (int i = 0; i < WARP_SIZE; i++) {                                                          \
				__VA_ARGS__;                                                                           \
			}                                                                                              \
		} else {                                                                                               \
			for (uint32_t left_ = (mask); left_; left_ &= left_ - 1) {                                     \
				int i = __builtin_ctz(left_);                                                          \
				__VA_ARGS__;                                                                           \
			}                                                                                              \
		}                                                                                                      \
	} while (0)

#define EXEC(name) static void name(struct warp *w, const struct code *c, uint32_t mask)

/* simt_pick_NAME of code.h: one executor whatever the instruction's type and modifiers; one on a condition of `c`; or
 * that of its type, from a table. */
#define PICK_ALWAYS(name, executor)                                                                                    \
	exec_fn *simt_pick_##name(const struct code *c)                                                                \
	{                                                                                                              \
		(void)c;                                                                                               \
		return executor;                                                                                       \
	}
#define PICK_IF(name, executor, condition)                                                                             \
	exec_fn *simt_pick_##name(const struct code *c)                                                                \
	{                                                                                                              \
		return (condition) ? executor : NULL;                                                                  \
	}
#define PICK_BY_TYPE(name, ...)                                                                                        \
	exec_fn *simt_pick_##name(const struct code *c)                                                                \
	{                                                                                                              \
		static exec_fn *const by_type[PTX_TYPES] = {__VA_ARGS__};                                              \
		return by_type[form_type(c->instr)];                                                                   \
	}

/* Executors of one result from one, two or three operands; `value` is made of a[i], b[i], c_[i]. */
#define EXEC1(name, D, A, value)                                                                                       \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		D *d = R(0);                                                                                           \
		const A *a = R(1);                                                                                     \
		FOR_LANES(mask, d[i] = (D)(value));                                                                    \
	}
#define EXEC2(name, D, A, B, value)                                                                                    \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		D *d = R(0);                                                                                           \
		const A *a = R(1);                                                                                     \
		const B *b = R(2);                                                                                     \
		FOR_LANES(mask, d[i] = (D)(value));                                                                    \
	}
#define EXEC3(name, D, A, B, C, value)                                                                                 \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		D *d = R(0);                                                                                           \
		const A *a = R(1);                                                                                     \
		const B *b = R(2);                                                                                     \
		const C *c_ = R(3);                                                                                    \
		FOR_LANES(mask, d[i] = (D)(value));                                                                    \
	}

/* The lanes of `test`, an expression of i that is 0 or 1. */
static const u32 lane_bit[WARP_SIZE] = {
	1u << 0,
	1u << 1,
	1u << 2,
	1u << 3,
	1u << 4,
	1u << 5,
	1u << 6,
	1u << 7,
	1u << 8,
	1u << 9,
	1u << 10,
	1u << 11,
	1u << 12,
	1u << 13,
	1u << 14,
	1u << 15,
	1u << 16,
	1u << 17,
	1u << 18,
	1u << 19,
	1u << 20,
	1u << 21,
	1u << 22,
	1u << 23,
	1u << 24,
	1u << 25,
	1u << 26,
	1u << 27,
	1u << 28,
	1u << 29,
	1u << 30,
	1u << 31,
};
#define LANES_WHERE(test)                                                                                              \
	({                                                                                                             \
		u32 found_ = 0;                                                                                        \
		for (int i = 0; i < WARP_SIZE; i++)                                                                    \
			found_ |= (test) ? lane_bit[i] : 0;                                                            \
		found_;                                                                                                \
	})

/* Writes the lanes of `mask` of a predicate. */
static inline void set_pred(void *pred, uint32_t mask, uint32_t value)
{
	u32 *p = pred;
	*p = (*p & ~mask) | (value & mask);
}

static inline void set_second(struct warp *w, const struct code *c, uint32_t mask, uint32_t value)
{
	if (c->second >= 0)
		set_pred(w->bank[BANK_REGS] + c->second, mask, value);
}

static inline uint32_t get_pred(const struct warp *w, const struct code *c, int n)
{
	return *(const u32 *)R(n) ^ c->invert;
}
