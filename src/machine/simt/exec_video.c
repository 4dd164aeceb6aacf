/* Video instructions: PTX ISA, "Scalar Video Instructions" and "SIMD Video Instructions". No GPU since CC 5.0 has them;
 * ptxas makes sequences of them. One executor each for those that work on a word, on pairs of halves, and on four
 * bytes. */

#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"

static bool is_signed(uint8_t type)
{
	return type == PTX_S32;
}

/* The types of the destination, of a and of b; vset has only the last two, and gives 0 or 1. */
struct video_types {
	bool d, a, b; /* signed */
};

static struct video_types types_of(const struct ptx_form *form)
{
	if (instr_takes(form, PTX_MOD_CMP))
		return (struct video_types){.a = is_signed(form->type), .b = is_signed(form->type2)};
	return (struct video_types){
		is_signed(form->type), is_signed(form->type2), form->mod[PTX_MOD_VTYPE] == PTX_VTYPE_S32};
}

static int64_t extend(uint32_t v, int bits, bool with_sign)
{
	int unused = 32 - bits;
	return with_sign ? (int32_t)(v << unused) >> unused : (int64_t)(v << unused >> unused);
}

static int64_t clamp(int64_t v, int bits, bool with_sign)
{
	int64_t most = with_sign ? (1ll << (bits - 1)) - 1 : (1ll << bits) - 1, least = with_sign ? -most - 1 : 0;
	return v > most ? most : v < least ? least : v;
}

static bool holds(uint8_t how, int64_t a, int64_t b)
{
	switch (how) {
	case PTX_CMP_EQ: return a == b;
	case PTX_CMP_NE: return a != b;
	case PTX_CMP_LT: return a < b;
	case PTX_CMP_LE: return a <= b;
	case PTX_CMP_GT: return a > b;
	default: return a >= b;
	}
}

/* The operation itself, without loss. */
static int64_t primary(const struct ptx_form *form, int64_t a, int64_t b)
{
	switch (form->op) {
	case PTX_OP_VADD:
	case PTX_OP_VADD2:
	case PTX_OP_VADD4: return a + b;
	case PTX_OP_VSUB:
	case PTX_OP_VSUB2:
	case PTX_OP_VSUB4: return a - b;
	case PTX_OP_VABSDIFF:
	case PTX_OP_VABSDIFF2:
	case PTX_OP_VABSDIFF4: return a < b ? b - a : a - b;
	case PTX_OP_VMIN:
	case PTX_OP_VMIN2:
	case PTX_OP_VMIN4: return a < b ? a : b;
	case PTX_OP_VMAX:
	case PTX_OP_VMAX2:
	case PTX_OP_VMAX4: return a > b ? a : b;
	case PTX_OP_VAVRG2:
	case PTX_OP_VAVRG4: return (a + b + (a + b >= 0)) >> 1;
	case PTX_OP_VSHL:
	case PTX_OP_VSHR: {
		int count = form->mod[PTX_MOD_WRAP] == PTX_WRAP_WRAP ? (int)(b & 31) : b > 32 ? 32 : (int)b;
		return form->op == PTX_OP_VSHL ? (int64_t)((uint64_t)a << count) : a >> count;
	}
	default: return holds(form->mod[PTX_MOD_CMP], a, b);
	}
}

/* --- words
 * ---------------------------------------------------------------------------------------------------------- */

static int64_t word_part(uint32_t v, int64_t select, bool with_sign)
{
	return extend(v >> ptx_select_shift(select), ptx_select_bits(select), with_sign);
}

static uint32_t second(uint8_t op, int64_t v, uint32_t c, bool with_sign)
{
	int64_t value = extend((uint32_t)v, 32, with_sign), other = extend(c, 32, with_sign);
	switch (op) {
	case PTX_SECOND_ADD: return (uint32_t)v + c;
	case PTX_SECOND_MIN: return (uint32_t)(value < other ? value : other);
	case PTX_SECOND_MAX: return (uint32_t)(value > other ? value : other);
	default: return (uint32_t)v;
	}
}

/* `v` in the place of a part of c. */
static uint32_t merge(uint32_t v, uint32_t c, int64_t select)
{
	int bits = ptx_select_bits(select), shift = ptx_select_shift(select);
	uint32_t part = bits == 32 ? UINT32_MAX : ((1u << bits) - 1) << shift;
	return (c & ~part) | (v << shift & part);
}

EXEC(video_word)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct video_types types = types_of(form);
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *other = c->instr->n > 3 ? R(3) : a;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		int64_t v = primary(form, word_part(a[i], o[1].value, types.a), word_part(b[i], o[2].value, types.b));
		if (form->mod[PTX_MOD_SAT])
			v = clamp(v, ptx_select_bits(o[0].value), types.d);
		d[i] = merge(second(form->mod[PTX_MOD_SECOND], v, other[i], types.d), other[i], o[0].value);
	}
}
PICK_ALWAYS(video_word, video_word)

/* --- multiply and add
 * ----------------------------------------------------------------------------------------------- */

typedef __int128 s128;

EXEC(video_mad)
{
	u32 *d = R(0);
	const u32 *a = R(1), *b = R(2), *z = R(3);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);

		/* PTX ISA, vmad: a negated product is its complement plus 1, and so is a negated c. */
		const struct ptx_form *form = c->instr->form;
		const struct ptx_operand *o = c->instr->operands;
		const struct video_types types = types_of(form);
		bool negates = o[1].negated != o[2].negated, with_sign = types.a || types.b || negates || o[3].negated;
		int shift = form->mod[PTX_MOD_SCALE] == PTX_SCALE_SHR15 ? 15 : form->mod[PTX_MOD_SCALE] ? 7 : 0;

		s128 product = (s128)word_part(a[i], o[1].value, types.a) * word_part(b[i], o[2].value, types.b);
		s128 addend = extend(z[i], 32, with_sign);
		s128 sum = (negates ? -product : product) + (o[3].negated ? -addend : addend) +
			(form->mod[PTX_MOD_PO] != 0);
		int64_t scaled = (int64_t)(sum >> shift);
		d[i] = (uint32_t)(form->mod[PTX_MOD_SAT] ? clamp(scaled, 32, with_sign) : scaled);
	}
}
PICK_ALWAYS(video_mad, video_mad)

/* --- halves and bytes
 * ----------------------------------------------------------------------------------------------- */

/* An element of both words, b above a. */
static int64_t element(uint64_t both, int index, bool with_sign, int bits)
{
	return extend((uint32_t)(both >> bits * index), bits, with_sign);
}

static uint32_t packed(const struct code *c, uint32_t a, uint32_t b, uint32_t other, int bits)
{
	const struct ptx_form *form = c->instr->form;
	const struct ptx_operand *o = c->instr->operands;
	const struct video_types types = types_of(form);
	uint64_t both = (uint64_t)b << 32 | a;
	uint32_t part = (1u << bits) - 1, result = 0, sum = other;
	int n = 32 / bits;
	for (int k = 0; k < n; k++) {
		if (!ptx_select_writes(o[0].value, k)) {
			result |= other & part << k * bits;
			continue;
		}
		int x = ptx_select_element(o[1].value, k, k), y = ptx_select_element(o[2].value, k, n + k);
		int64_t v = primary(form, element(both, x, types.a, bits), element(both, y, types.b, bits));
		if (form->mod[PTX_MOD_SAT])
			v = clamp(v, bits, types.d);
		result |= ((uint32_t)v & part) << k * bits;
		sum += (uint32_t)v;
	}
	return form->mod[PTX_MOD_BYTES] ? sum : result;
}

#define EXEC_PACKED(name, bits)                                                                                        \
	EXEC(name)                                                                                                     \
	{                                                                                                              \
		u32 *d = R(0);                                                                                         \
		const u32 *a = R(1), *b = R(2), *other = R(3);                                                         \
		for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                   \
			int i = __builtin_ctz(rest);                                                                   \
			d[i] = packed(c, a[i], b[i], other[i], bits);                                                  \
		}                                                                                                      \
	}                                                                                                              \
	exec_fn *simt_pick_##name(const struct code *c)                                                                \
	{                                                                                                              \
		(void)c;                                                                                               \
		return name;                                                                                           \
	}

EXEC_PACKED(video_halves, 16)
EXEC_PACKED(video_bytes, 8)
