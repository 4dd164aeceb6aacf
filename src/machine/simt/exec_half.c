/* Arithmetic on .f16 and .bf16, alone and in pairs: each half by itself, in double precision, rounded once. */

#include "base/narrow.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"

/* One half from up to three. */
typedef uint16_t half_fn(const struct ptx_form *form, enum ptx_type type, const uint16_t v[3]);

static bool is_nan(uint16_t bits, enum ptx_type type)
{
	return (bits & 0x7FFF) > (type == PTX_F16 ? 0x7C00 : 0x7F80);
}

/* .ftz, which only .f16 has: subnormals become zero of their sign. */
static uint16_t flush_half(const struct ptx_form *form, uint16_t bits)
{
	return form->mod[PTX_MOD_FTZ] && !(bits & 0x7C00) ? bits & 0x8000 : bits;
}

static double number(const struct ptx_form *form, enum ptx_type type, uint16_t bits)
{
	return type == PTX_F16 ? narrow_half_to_double(flush_half(form, bits))
			       : narrow_float_to_double((uint32_t)bits << 16);
}

/* --- sums and products -------------------------------------------------------------------------------------------- */

/* The NaN with which a tensor map fills what lies outside of the tensor, of either sign, in .f16 and .bf16 alike; no
 * other NaN is taken for it. Verified: CC 9.0 (H200), all 65,536 values of each operand beside numbers, NaN and
 * infinity. */
static bool is_out_of_bounds(uint16_t bits)
{
	return (bits & 0x7FFF) == 0x7FF7;
}

/* PTX ISA, fma: of .oob the result is +0 where a or b is out of bounds, whatever the others are. */
static uint16_t arithmetic(const struct ptx_form *form, enum ptx_type type, const uint16_t v[3])
{
	if (form->mod[PTX_MOD_OOB] && (is_out_of_bounds(v[0]) || is_out_of_bounds(v[1])))
		return 0;
	double x = number(form, type, v[0]), y = number(form, type, v[1]), z = number(form, type, v[2]);
	double result;
	switch (form->op) {
	case PTX_OP_ADD_HALF: result = simt_narrow_sum(x, y); break;
	case PTX_OP_SUB_HALF: result = simt_narrow_sum(x, -y); break;
	case PTX_OP_MUL_HALF: result = x * y; break;
	default: result = simt_narrow_sum(x * y, z); break;
	}

	if (form->mod[PTX_MOD_SAT])
		result = saturate64(result);
	if (form->mod[PTX_MOD_RELU] && result <= 0)
		result = 0;
	uint16_t bits = (uint16_t)simt_narrow_from_double(result, type, PTX_RND_RN);
	/* What is below the least normal .f16 when it is rounded to the digits of a normal one is flushed by .ftz, even
	 * when rounding to a subnormal gives the least normal one. Verified: CC 9.0 (H200), tests/gpu/validate.sh. */
	return form->mod[PTX_MOD_FTZ] && fabs(result) < 0x1p-14 - 0x1p-26 ? bits & 0x8000 : flush_half(form, bits);
}

/* --- signs and order ---------------------------------------------------------------------------------------------- */

/* A NaN becomes the canonical one: the GPU does these by an addition. */
static uint16_t sign_change(const struct ptx_form *form, enum ptx_type type, const uint16_t v[3])
{
	uint16_t bits = flush_half(form, v[0]);
	if (is_nan(bits, type))
		return 0x7FFF;
	return form->op == PTX_OP_ABS_HALF ? bits & 0x7FFF : bits ^ 0x8000;
}

/* Halves as numbers of which -0 is the one below +0. */
static int rank(uint16_t bits)
{
	return bits & 0x8000 ? -(bits & 0x7FFF) - 1 : bits;
}

/* A number goes before NaN, with .NaN a NaN before a number. */
static uint16_t order(const struct ptx_form *form, enum ptx_type type, const uint16_t v[3])
{
	uint16_t x = flush_half(form, v[0]), y = flush_half(form, v[1]), sign = 0;
	bool x_nan = is_nan(x, type), y_nan = is_nan(y, type), smaller = form->op == PTX_OP_MIN_HALF;

	if ((x_nan && y_nan) || (form->mod[PTX_MOD_NANS] && (x_nan || y_nan)))
		return 0x7FFF;
	if (form->mod[PTX_MOD_XORSIGN]) {
		sign = (x ^ y) & 0x8000;
		x &= 0x7FFF;
		y &= 0x7FFF;
	}
	bool first = y_nan || (!x_nan && (smaller ? rank(x) < rank(y) : rank(x) > rank(y)));
	return (first ? x : y) | sign;
}

/* --- approximate functions ---------------------------------------------------------------------------------------- */

static uint16_t approximate(const struct ptx_form *form, enum ptx_type type, const uint16_t v[3])
{
	double x = number(form, type, v[0]);
	if (form->mod[PTX_MOD_FTZ] && type == PTX_BF16 && !(v[0] & 0x7F80))
		x = copysign(0, x);
	double result = form->op == PTX_OP_EX2_HALF ? exp2(x) : tanh(x);
	uint16_t bits = (uint16_t)simt_narrow_from_double(result, type, PTX_RND_RN);
	if (form->mod[PTX_MOD_FTZ] && type == PTX_BF16)
		return bits & 0x7F80 ? bits : bits & 0x8000;
	return flush_half(form, bits);
}

/* --- lanes -------------------------------------------------------------------------------------------------------- */

static half_fn *const functions[PTX_OPS] = {
	[PTX_OP_ADD_HALF] = arithmetic,
	[PTX_OP_SUB_HALF] = arithmetic,
	[PTX_OP_MUL_HALF] = arithmetic,
	[PTX_OP_FMA_HALF] = arithmetic,
	[PTX_OP_ABS_HALF] = sign_change,
	[PTX_OP_NEG_HALF] = sign_change,
	[PTX_OP_MIN_HALF] = order,
	[PTX_OP_MAX_HALF] = order,
	[PTX_OP_EX2_HALF] = approximate,
	[PTX_OP_TANH_HALF] = approximate,
};

EXEC(half)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type type = simt_narrow_element(form_type(c->instr));
	half_fn *f = functions[form->op];
	uint16_t v[3] = {0};

	FOR_LANES(mask, {
		for (int k = 1; k < c->instr->n; k++)
			v[k - 1] = ((const u16 *)R(k))[i];
		((u16 *)R(0))[i] = f(form, type, v);
	});
}

EXEC(half_pair)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type type = simt_narrow_element(form_type(c->instr));
	half_fn *f = functions[form->op];
	uint16_t low[3] = {0}, high[3] = {0};

	FOR_LANES(mask, {
		for (int k = 1; k < c->instr->n; k++) {
			low[k - 1] = (uint16_t)((const u32 *)R(k))[i];
			high[k - 1] = (uint16_t)(((const u32 *)R(k))[i] >> 16);
		}
		((u32 *)R(0))[i] = f(form, type, low) | (uint32_t)f(form, type, high) << 16;
	});
}

exec_fn *simt_pick_half(const struct code *c)
{
	return c->bytes == 2 ? half : half_pair;
}
