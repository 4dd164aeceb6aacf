/* selp and slct: one of two values, by a predicate or by a third value. */

#include "machine/simt/code.h"
#include "machine/simt/lanes.h"

#define SELP(bits)                                                                                                     \
	EXEC(selp_##bits)                                                                                              \
	{                                                                                                              \
		u##bits *d = R(0);                                                                                     \
		const u##bits *a = R(1), *b = R(2);                                                                    \
		uint32_t pred = get_pred(w, c, 3);                                                                     \
		FOR_LANES(mask, d[i] = pred & lane_bit[i] ? a[i] : b[i]);                                              \
	}
SELP(16)
SELP(32)
SELP(64)

exec_fn *simt_pick_compare_selp(const struct code *c)
{
	static exec_fn *const by_bytes[] = {[2] = selp_16, [4] = selp_32, [8] = selp_64};
	return by_bytes[c->bytes];
}

/* -0.0 >= 0 holds and NaN >= 0 does not; .ftz makes a subnormal zero, which is not below it. */
#define SLCT(bits)                                                                                                     \
	EXEC2(slct_s32_##bits, u##bits, u##bits, u##bits, ((const s32 *)R(3))[i] >= 0 ? a[i] : b[i])                   \
	EXEC2(slct_f32_##bits, u##bits, u##bits, u##bits, ((const f32 *)R(3))[i] >= 0 ? a[i] : b[i])                   \
	EXEC2(slct_ftz_##bits, u##bits, u##bits, u##bits, ((const f32 *)R(3))[i] > -0x1p-126f ? a[i] : b[i])
SLCT(16)
SLCT(32)
SLCT(64)

exec_fn *simt_pick_compare_slct(const struct code *c)
{
	static exec_fn *const s32_by_bytes[] = {[2] = slct_s32_16, [4] = slct_s32_32, [8] = slct_s32_64};
	static exec_fn *const f32_by_bytes[] = {[2] = slct_f32_16, [4] = slct_f32_32, [8] = slct_f32_64};
	static exec_fn *const ftz_by_bytes[] = {[2] = slct_ftz_16, [4] = slct_ftz_32, [8] = slct_ftz_64};
	if (c->instr->form->type2 == PTX_S32)
		return s32_by_bytes[c->bytes];
	return (c->instr->form->mod[PTX_MOD_FTZ] ? ftz_by_bytes : f32_by_bytes)[c->bytes];
}
