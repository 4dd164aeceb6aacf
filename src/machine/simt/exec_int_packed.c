/* Several small integers in one word: pairs of 16 bits, dot products of bytes. */

#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"

/* --- pairs of 16 bits --------------------------------------------------------------------------------------------- */

EXEC2(add_x2, u32, u32, u32, ((a[i] + b[i]) & 0xFFFF) | ((a[i] & 0xFFFF0000) + (b[i] & 0xFFFF0000)))

exec_fn *simt_pick_int_add_x2(const struct code *c)
{
	(void)c;
	return add_x2;
}

static inline int32_t half_of(uint32_t v, int shift, bool is_signed)
{
	return is_signed ? (int16_t)(v >> shift) : (int32_t)(v >> shift & 0xFFFF);
}

EXEC(order_x2)
{
	const struct ptx_form *form = c->instr->form;
	bool is_signed = form->type == PTX_S16X2, smaller = form->op == PTX_OP_MIN_X2, relu = form->mod[PTX_MOD_RELU];
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2);
	FOR_LANES(mask, {
		uint32_t value = 0;
		for (int shift = 0; shift < 32; shift += 16) {
			int32_t x = half_of(a[i], shift, is_signed), y = half_of(b[i], shift, is_signed);
			int32_t picked = (x < y) == smaller ? x : y;
			value |= (uint32_t)(relu && picked < 0 ? 0 : picked & 0xFFFF) << shift;
		}
		d[i] = value;
	});
}

exec_fn *simt_pick_int_order_x2(const struct code *c)
{
	(void)c;
	return order_x2;
}

/* --- dot products -------------------------------------------------------------------------------------------------- */

static inline uint32_t dot4(uint32_t x, uint32_t y, bool x_signed, bool y_signed, uint32_t sum)
{
	for (int k = 0; k < 32; k += 8) {
		int32_t p = x_signed ? (int8_t)(x >> k) : (uint8_t)(x >> k),
			q = y_signed ? (int8_t)(y >> k) : (uint8_t)(y >> k);
		sum += (uint32_t)(p * q);
	}
	return sum;
}

EXEC(dp4a)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *sum = R(3);
	bool a_signed = c->instr->form->type == PTX_S32, b_signed = c->instr->form->type2 == PTX_S32;
	FOR_LANES(mask, d[i] = dot4(a[i], b[i], a_signed, b_signed, sum[i]));
}

exec_fn *simt_pick_int_dp4a(const struct code *c)
{
	(void)c;
	return dp4a;
}

/* Halves of x with the two lower bytes of y. */
static inline uint32_t dot2(uint32_t x, uint32_t y, bool x_signed, bool y_signed, uint32_t sum)
{
	for (int k = 0; k < 2; k++) {
		uint32_t half = x >> 16 * k, byte = y >> 8 * k;
		int32_t p = x_signed ? (int16_t)half : (uint16_t)half, q = y_signed ? (int8_t)byte : (uint8_t)byte;
		sum += (uint32_t)(p * q);
	}
	return sum;
}

EXEC(dp2a)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *sum = R(3);
	int at = c->instr->form->op == PTX_OP_DP2A_HI ? 16 : 0;
	bool a_signed = c->instr->form->type == PTX_S32, b_signed = c->instr->form->type2 == PTX_S32;
	FOR_LANES(mask, d[i] = dot2(a[i], b[i] >> at, a_signed, b_signed, sum[i]));
}

exec_fn *simt_pick_int_dp2a(const struct code *c)
{
	(void)c;
	return dp2a;
}
