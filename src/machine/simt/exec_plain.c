/* Floating point in its common forms, rounded to nearest and without further modifiers, as loops that become vectors.
 *
 * This file is compiled for the usual rounding mode, which is in force here; where it may be another, compilers make no
 * vectors of an fma, which reads it. */

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,fma")))
#define HAS_WIDE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define WIDE
#define HAS_WIDE false
#endif

/* Each twice: for every processor, and for those that have wider vectors and an fma of one instruction. */
#define SINGLE(name, EXECN, ...)                                                                                       \
	EXECN(name##_f32, __VA_ARGS__)                                                                                 \
	WIDE EXECN(name##_f32_wide, __VA_ARGS__)
#define DOUBLE(name, EXECN, ...)                                                                                       \
	EXECN(name##_f64, __VA_ARGS__)                                                                                 \
	WIDE EXECN(name##_f64_wide, __VA_ARGS__)

SINGLE(add, EXEC2, f32, f32, f32, canonical(a[i] + b[i]))
SINGLE(sub, EXEC2, f32, f32, f32, canonical(a[i] - b[i]))
SINGLE(mul, EXEC2, f32, f32, f32, canonical(a[i] * b[i]))
SINGLE(div, EXEC2, f32, f32, f32, canonical(a[i] / b[i]))
SINGLE(fma, EXEC3, f32, f32, f32, f32, canonical(__builtin_fmaf(a[i], b[i], c_[i])))
DOUBLE(add, EXEC2, f64, f64, f64, with_nan2(a[i] + b[i], b[i], a[i]))
DOUBLE(sub, EXEC2, f64, f64, f64, with_nan2(a[i] - b[i], b[i], a[i]))
DOUBLE(mul, EXEC2, f64, f64, f64, with_nan2(a[i] * b[i], b[i], a[i]))
DOUBLE(div, EXEC2, f64, f64, f64, with_nan2(a[i] / b[i], a[i], b[i]))
DOUBLE(fma, EXEC3, f64, f64, f64, f64, with_nan3(__builtin_fma(a[i], b[i], c_[i]), b[i], c_[i], a[i]))

#define ROW(name)                                                                                                      \
	{                                                                                                              \
		{name##_f32, name##_f32_wide},                                                                         \
		{                                                                                                      \
			name##_f64, name##_f64_wide                                                                    \
		}                                                                                                      \
	}
static const struct {
	exec_fn *f32[2], *f64[2]; /* for every processor; for those with wider vectors */
} executors[PTX_OPS] = {
	[PTX_OP_ADD_FLOAT] = ROW(add),
	[PTX_OP_SUB_FLOAT] = ROW(sub),
	[PTX_OP_MUL_FLOAT] = ROW(mul),
	[PTX_OP_DIV_FLOAT] = ROW(div),
	[PTX_OP_FMA] = ROW(fma),
	[PTX_OP_MAD_FLOAT] = ROW(fma),
};

exec_fn *simt_plain_executor(const struct code *c)
{
	exec_fn *const *by_width = form_type(c->instr) == PTX_F32 ? executors[c->instr->form->op].f32
								  : executors[c->instr->form->op].f64;
	return by_width[HAS_WIDE];
}
