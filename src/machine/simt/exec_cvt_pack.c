/* Conversions of two values side by side: cvt.pack of integers, cvt to .f16x2 and .bf16x2, and pairs of bytes. */

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/narrow.h"

static inline uint32_t clamp_to(int32_t v, uint32_t bits, bool is_signed)
{
	int32_t low = is_signed ? -(1 << (bits - 1)) : 0, high = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
	return (uint32_t)(v < low ? low : v > high ? high : v) & ((1u << bits) - 1);
}

static uint32_t packed_bits(enum ptx_type type)
{
	switch (type) {
	case PTX_U2:
	case PTX_S2: return 2;
	case PTX_U4:
	case PTX_S4: return 4;
	default: return 8 * ptx_type_bytes(type);
	}
}

/* PTX ISA, cvt.pack: b is the lower one; those narrower than a half move what is in c up. */
EXEC(pack)
{
	uint32_t bits = packed_bits(form_type(c->instr));
	bool is_signed = ptx_type_kind(form_type(c->instr)) == 'S';
	u32 *d = R(0);
	const s32 *a = R(1), *b = R(2);
	const u32 *above = c->instr->n > 3 ? R(3) : NULL;
	FOR_LANES(mask, {
		uint32_t pair = clamp_to(a[i], bits, is_signed) << bits | clamp_to(b[i], bits, is_signed);
		d[i] = above ? above[i] << 2 * bits | pair : pair;
	});
}

exec_fn *simt_pick_cvt_pack(const struct code *c)
{
	(void)c;
	return pack;
}

/* b goes to the lower half. */
EXEC(pair)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type type = simt_narrow_element(form_type(c->instr));
	u32 *d = R(0);
	const f32 *a = R(1), *b = R(2);
	FOR_LANES(mask,
		d[i] = simt_narrow_convert(form, type, (double)a[i]) << 16 |
			simt_narrow_convert(form, type, (double)b[i]));
}

exec_fn *simt_pick_cvt_pair(const struct code *c)
{
	(void)c;
	return pair;
}

/* --- pairs of bytes ----------------------------------------------------------------------------------------------- */

static uint16_t two_bytes(const struct ptx_form *form, double upper, double lower)
{
	enum ptx_type type = (enum ptx_type)form->type;
	return (uint16_t)(simt_narrow_convert(form, type, upper) << 8 | simt_narrow_convert(form, type, lower));
}

EXEC(to_fp8)
{
	const struct ptx_form *form = c->instr->form;
	u16 *d = R(0);
	const f32 *a = R(1), *b = R(2);
	FOR_LANES(mask, d[i] = two_bytes(form, (double)a[i], (double)b[i]));
}

EXEC(pair_to_fp8)
{
	const struct ptx_form *form = c->instr->form;
	u16 *d = R(0);
	const u32 *a = R(1);
	FOR_LANES(mask,
		d[i] = two_bytes(form, simt_narrow_to_double(a[i] >> 16, PTX_F16),
			simt_narrow_to_double(a[i] & 0xFFFF, PTX_F16)));
}

EXEC(from_fp8)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type from = (enum ptx_type)form->type2;
	u32 *d = R(0);
	const u16 *a = R(1);
	FOR_LANES(mask,
		d[i] = simt_narrow_convert(form, PTX_F16, simt_narrow_to_double(a[i] >> 8, from)) << 16 |
			simt_narrow_convert(form, PTX_F16, simt_narrow_to_double(a[i] & 0xFF, from)));
}

exec_fn *simt_pick_cvt_fp8(const struct code *c)
{
	const struct ptx_form *form = c->instr->form;
	if (form->op == PTX_OP_CVT_FROM_FP8)
		return from_fp8;
	return form->op == PTX_OP_CVT_TO_FP8 ? to_fp8 : pair_to_fp8;
}
