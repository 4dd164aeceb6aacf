/* machine/simt/narrow.h: floats narrower than single precision: binary16 (.f16), bfloat16 (.bf16), .tf32, and the bytes of .e4m3x2
 * (which has no infinity: past the largest, 448, there is NaN alone) and .e5m2x2, as their bits. Inside
 * simt/ only.
 *
 * Arithmetic on them is done in double precision, which holds each of their values and each product of two exactly, and is
 * rounded once, when the result becomes narrow again. */
#pragma once
#include "machine/ptx/program.h"

/* The bits of a value of the type (one byte of .e4m3x2 and .e5m2x2) as a number; exact. */
double simt_narrow_to_double(uint32_t bits, enum ptx_type type);

/* The number as a value of the type (one of .e4m3x2 and .e5m2x2): rounded as .rn .rz .rm .rp or .rna (half away from zero)
 * says, with subnormals; past the largest it is infinite, or the largest where the rounding stays inside. A NaN is the
 * canonical one, all ones but the sign. */
uint32_t simt_narrow_from_double(double v, enum ptx_type type, enum ptx_mod rounding);

/* The same with the rounding and the .sat, .relu and .satfinite of a form of cvt. */
uint32_t simt_narrow_convert(const struct ptx_form *form, enum ptx_type type, double v);

/* x + y to be rounded once more to a narrow type: where double precision is not enough the last bit is set (rounding to
 * odd), and then the second rounding gives what one rounding of the exact sum would. */
double simt_narrow_sum(double x, double y);

/* The type of one element: .f16 of .f16x2, .bf16 of .bf16x2, itself of others. */
enum ptx_type simt_narrow_element(enum ptx_type type);
