/* setp and set: every comparison as one mask of lanes. Halves are compared as .f32, which holds them all. */
#include "machine/ptx/ops.h"
#include "machine/simt/code.h"
#include "machine/simt/float.h"
#include "machine/simt/lanes.h"

typedef uint32_t test_fn(const void *a, const void *b, bool ftz);

#define TEST(name, T, ...)                                                                                             \
	static uint32_t name(const void *left, const void *right, bool ftz)                                            \
	{                                                                                                              \
		const T *a = left, *b = right;                                                                         \
		(void)ftz;                                                                                             \
		return LANES_WHERE(__VA_ARGS__);                                                                       \
	}
#define INT_TESTS(suffix, T)                                                                                           \
	TEST(eq_##suffix, T, a[i] == b[i])                                                                             \
	TEST(ne_##suffix, T, a[i] != b[i])                                                                             \
	TEST(lt_##suffix, T, a[i] < b[i])                                                                              \
	TEST(le_##suffix, T, a[i] <= b[i])                                                                             \
	TEST(gt_##suffix, T, a[i] > b[i])                                                                              \
	TEST(ge_##suffix, T, a[i] >= b[i])
INT_TESTS(u16, u16)
INT_TESTS(u32, u32)
INT_TESTS(u64, u64)
INT_TESTS(s16, s16)
INT_TESTS(s32, s32)
INT_TESTS(s64, s64)

/* Subnormals compare as zero under .ftz. */
#define F32_TEST(name, ...)                                                                                            \
	static uint32_t name##_f32(const void *left, const void *right, bool ftz)                                      \
	{                                                                                                              \
		f32 a[WARP_SIZE], b[WARP_SIZE];                                                                        \
		memcpy(a, left, sizeof a);                                                                             \
		memcpy(b, right, sizeof b);                                                                            \
		for (int i = 0; ftz && i < WARP_SIZE; i++) {                                                           \
			a[i] = flush(a[i]);                                                                            \
			b[i] = flush(b[i]);                                                                            \
		}                                                                                                      \
		return LANES_WHERE(__VA_ARGS__);                                                                       \
	}
#define FLOAT_TEST(name, ...)                                                                                          \
	F32_TEST(name, __VA_ARGS__)                                                                                    \
	TEST(name##_f64, f64, __VA_ARGS__)
/* Ordered comparisons fail for NaN (C's do, but !=); those with u hold. */
FLOAT_TEST(eq, a[i] == b[i])
FLOAT_TEST(ne, a[i]<b[i] || a[i]> b[i])
FLOAT_TEST(lt, a[i] < b[i])
FLOAT_TEST(le, a[i] <= b[i])
FLOAT_TEST(gt, a[i] > b[i])
FLOAT_TEST(ge, a[i] >= b[i])
FLOAT_TEST(equ, !(a[i] < b[i] || a[i] > b[i]))
FLOAT_TEST(neu, !(a[i] == b[i]))
FLOAT_TEST(ltu, !(a[i] >= b[i]))
FLOAT_TEST(leu, !(a[i] > b[i]))
FLOAT_TEST(gtu, !(a[i] <= b[i]))
FLOAT_TEST(geu, !(a[i] < b[i]))
FLOAT_TEST(num, a[i] == a[i] && b[i] == b[i])
FLOAT_TEST(nan, a[i] != a[i] || b[i] != b[i])

#define NUMBERS(f)                                                                                                     \
	[PTX_U16] = f##_u16, [PTX_S16] = f##_s16, [PTX_U32] = f##_u32, [PTX_S32] = f##_s32, [PTX_U64] = f##_u64,       \
	[PTX_S64] = f##_s64, [PTX_F32] = f##_f32, [PTX_F64] = f##_f64
/* Untyped bits have no order. */
#define EQUALITY(f)                                                                                                    \
	{                                                                                                              \
		NUMBERS(f), [PTX_B16] = f##_u16, [PTX_B32] = f##_u32, [PTX_B64] = f##_u64                              \
	}
#define ORDER(f)                                                                                                       \
	{                                                                                                              \
		NUMBERS(f)                                                                                             \
	}
/* The orders of unsigned numbers have names of their own. */
#define UNSIGNED(f)                                                                                                    \
	{                                                                                                              \
		[PTX_U16] = f##_u16, [PTX_U32] = f##_u32, [PTX_U64] = f##_u64                                          \
	}
#define FLOATS(f)                                                                                                      \
	{                                                                                                              \
		[PTX_F32] = f##_f32, [PTX_F64] = f##_f64                                                               \
	}

static test_fn *const tests[PTX_MODS][PTX_TYPES] = {
	[PTX_CMP_EQ] = EQUALITY(eq),
	[PTX_CMP_NE] = EQUALITY(ne),
	[PTX_CMP_LT] = ORDER(lt),
	[PTX_CMP_LE] = ORDER(le),
	[PTX_CMP_GT] = ORDER(gt),
	[PTX_CMP_GE] = ORDER(ge),
	[PTX_CMP_LO] = UNSIGNED(lt),
	[PTX_CMP_LS] = UNSIGNED(le),
	[PTX_CMP_HI] = UNSIGNED(gt),
	[PTX_CMP_HS] = UNSIGNED(ge),
	[PTX_CMP_EQU] = FLOATS(equ),
	[PTX_CMP_NEU] = FLOATS(neu),
	[PTX_CMP_LTU] = FLOATS(ltu),
	[PTX_CMP_LEU] = FLOATS(leu),
	[PTX_CMP_GTU] = FLOATS(gtu),
	[PTX_CMP_GEU] = FLOATS(geu),
	[PTX_CMP_NUM] = FLOATS(num),
	[PTX_CMP_NAN] = FLOATS(nan),
};

static test_fn *test_of(const struct ptx_form *form)
{
	enum ptx_type type = (enum ptx_type)(form->op != PTX_OP_SETP ? form->type2 : form->type);
	return tests[form->mod[PTX_MOD_CMP]][type];
}

static uint32_t combine(enum ptx_mod how, uint32_t found, uint32_t with)
{
	switch (how) {
	case PTX_BOOL_AND: return found & with;
	case PTX_BOOL_OR: return found | with;
	case PTX_BOOL_XOR: return found ^ with;
	default: return found;
	}
}

EXEC(setp)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod how = (enum ptx_mod)form->mod[PTX_MOD_BOOL];
	uint32_t found = test_of(form)(R(1), R(2), form->mod[PTX_MOD_FTZ]);
	uint32_t with = how ? get_pred(w, c, 3) : 0;

	set_pred(R(0), mask, combine(how, found, with));
	set_second(w, c, mask, combine(how, ~found, with));
}

PICK_IF(compare_setp, setp, test_of(c->instr->form))

EXEC(set)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod how = (enum ptx_mod)form->mod[PTX_MOD_BOOL];
	uint32_t found = test_of(form)(R(1), R(2), form->mod[PTX_MOD_FTZ]);
	uint32_t yes = form->type == PTX_F32 ? 0x3F800000 : WARP_FULL_MASK;
	u32 *d = R(0);

	found = combine(how, found, how ? get_pred(w, c, 3) : 0);
	FOR_LANES(mask, d[i] = found & lane_bit[i] ? yes : 0);
}

PICK_IF(compare_set, set, test_of(c->instr->form))

/* --- halves ------------------------------------------------------------------------------------------------------- */

/* Halves of a register, from bit `at` on, as .f32. */
static void widen(const void *lanes, const struct ptx_form *form, enum ptx_type type, int at, float out[WARP_SIZE])
{
	bool flushes = form->mod[PTX_MOD_FTZ] && simt_narrow_element(type) == PTX_F16;
	for (int i = 0; i < WARP_SIZE; i++) {
		uint32_t bits = ptx_type_bytes(type) == 2 ? ((const u16 *)lanes)[i]
							  : ((const u32 *)lanes)[i] >> at & 0xFFFF;
		bits &= flushes && !(bits & 0x7C00) ? 0x8000 : 0xFFFF;
		out[i] = (float)simt_narrow_to_double(bits, simt_narrow_element(type));
	}
}

static uint32_t test_halves(struct warp *w, const struct code *c, enum ptx_type type, int at)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod how = (enum ptx_mod)form->mod[PTX_MOD_BOOL];
	float a[WARP_SIZE], b[WARP_SIZE];
	widen(R(1), form, type, at, a);
	widen(R(2), form, type, at, b);
	return combine(how, tests[form->mod[PTX_MOD_CMP]][PTX_F32](a, b, false), how ? get_pred(w, c, 3) : 0);
}

static bool is_pair(enum ptx_type type)
{
	return type == PTX_F16X2 || type == PTX_BF16X2;
}

/* PTX ISA, setp: of a pair, p is the lower half's and q the upper half's. */
EXEC(setp_half)
{
	enum ptx_type type = form_type(c->instr);
	uint32_t lower = test_halves(w, c, type, 0), upper = is_pair(type) ? test_halves(w, c, type, 16) : 0;
	set_pred(R(0), mask, lower);
	set_second(w, c, mask, upper);
}

static bool has_half_test(const struct ptx_form *form)
{
	return tests[form->mod[PTX_MOD_CMP]][PTX_F32] != NULL;
}

PICK_IF(compare_setp_half, setp_half, has_half_test(c->instr->form))

/* What a comparison that holds leaves in a half or a whole. */
static uint32_t yes_of(enum ptx_type type)
{
	switch (type) {
	case PTX_F16:
	case PTX_F16X2: return 0x3C00;
	case PTX_BF16:
	case PTX_BF16X2: return 0x3F80;
	case PTX_U16:
	case PTX_S16: return 0xFFFF;
	default: return WARP_FULL_MASK;
	}
}

static void write_set(const struct code *c, void *to, uint32_t mask, uint32_t found, uint32_t upper)
{
	enum ptx_type type = form_type(c->instr);
	uint32_t yes = yes_of(type), above = 0;
	if (is_pair((enum ptx_type)c->instr->form->type2)) {
		yes &= 0xFFFF;
		above = yes << 16;
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int i = __builtin_ctz(rest);
		uint32_t value = (found >> i & 1 ? yes : 0) | (upper >> i & 1 ? above : 0);
		if (c->bytes == 2)
			((u16 *)to)[i] = (uint16_t)value;
		else
			((u32 *)to)[i] = value;
	}
}

EXEC(set_half)
{
	enum ptx_type from = (enum ptx_type)c->instr->form->type2;
	uint32_t upper = is_pair(from) ? test_halves(w, c, from, 16) : 0;
	write_set(c, R(0), mask, test_halves(w, c, from, 0), upper);
}

EXEC(set_to_half)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_mod how = (enum ptx_mod)form->mod[PTX_MOD_BOOL];
	uint32_t found = test_of(form)(R(1), R(2), form->mod[PTX_MOD_FTZ]);
	write_set(c, R(0), mask, combine(how, found, how ? get_pred(w, c, 3) : 0), 0);
}

/* A pair gives a pair or a whole word, a half a half or a word. */
exec_fn *simt_pick_compare_set_half(const struct code *c)
{
	const struct ptx_form *form = c->instr->form;
	enum ptx_type to = form_type(c->instr), from = (enum ptx_type)form->type2;
	if (form->op == PTX_OP_SET_TO_HALF)
		return test_of(form) ? set_to_half : NULL;
	bool word = to == PTX_U32 || to == PTX_S32, half_int = to == PTX_U16 || to == PTX_S16;
	bool to_bf16 = to == PTX_BF16 && from == PTX_F16; /* 1.0 is 0x3F80. Verified: CC 9.0 (H200) */
	bool fits = word || to == from || to_bf16 || (half_int && !is_pair(from));
	return fits && has_half_test(form) ? set_half : NULL;
}

/* --- selp and slct: one of two values, by a predicate or by a third value ----------------------------------------- */

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
