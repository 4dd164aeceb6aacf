#include "ptx/form.h"

#include <string.h>

#include "ptx/names.h"

/* --- the tables --------------------------------------------------------------------------------------------------- */

#define T(id) (1u << PTX_##id)
#define INTS (T(U16) | T(U32) | T(U64) | T(S16) | T(S32) | T(S64))
#define WORDS (T(U32) | T(S32) | T(U64) | T(S64))
#define WORD32 (T(U32) | T(S32))
#define NARROW (T(U16) | T(S16) | T(U32) | T(S32))
#define SIGNED (T(S16) | T(S32) | T(S64))
#define BITS (T(B16) | T(B32) | T(B64))
#define BITS32 T(B32)
#define BITS64 T(B64)
#define UINT32 T(U32)
#define TYPE_S32 T(S32)
#define BITS3264 (T(B32) | T(B64))
#define LOGIC (BITS | T(PRED))
#define SHIFTS (INTS | BITS)
#define F32 T(F32)
#define FLOATS (T(F32) | T(F64))
#define PAIRS_HALF (T(F16X2) | T(BF16X2))
#define HALVES (T(F16) | T(BF16) | PAIRS_HALF)
#define COMPARED (INTS | BITS | FLOATS)
#define PAIRS_INT (T(U16X2) | T(S16X2))
#define PACKED (T(U8) | T(S8) | T(U16) | T(S16))
#define PAIRS_FP8 (T(E4M3X2) | T(E5M2X2))
#define TYPE_F16X2 T(F16X2)
#define TO_HALF (T(F16) | T(BF16))
#define FROM_HALF (HALVES | T(U16) | T(S16) | T(U32) | T(S32))
#define RESULTS (T(U32) | T(S32) | T(F32))
#define SLCT_TYPES (T(S32) | T(F32))
#define CVT_FROM (INTS | T(U8) | T(S8) | T(F16) | T(BF16) | FLOATS)
#define CVT_TYPES (CVT_FROM | T(TF32))
#define MOVED (INTS | BITS | FLOATS | T(PRED))
#define STORED (INTS | BITS | FLOATS | T(U8) | T(S8) | T(B8))
#define ATOMIC (WORDS | BITS | FLOATS | HALVES)
#define ADDRESSES (T(U32) | T(U64))
#define BITS16 T(B16)
#define SUMS (T(F16) | T(F32) | T(F64) | T(S32))
#define FACTORS (T(F16) | T(BF16) | T(TF32) | T(F64) | T(S8) | T(U8))
#define PREDS T(PRED)

#define C(class) (1ull << PTX_MOD_##class)
#define RND C(RND)
#define RNDI C(RNDI)
#define FTZ C(FTZ)
#define SAT C(SAT)
#define CMP C(CMP)
#define BOOL C(BOOL)
#define SPACE C(SPACE)
#define VEC C(VEC)
#define SEM C(SEM)
#define SCOPE C(SCOPE)
#define CACHE C(CACHE)
#define ATOM C(ATOM)
#define NOFTZ C(NOFTZ)
#define UNI C(UNI)
#define ALIGNED C(ALIGNED)
#define APPROX C(APPROX)
#define FULL C(FULL)
#define SHFL C(SHFL)
#define WRAP C(WRAP)
#define PRMT C(PRMT)
#define SHIFTAMT C(SHIFTAMT)
#define CC C(CC)
#define TESTP C(TESTP)
#define NANS C(NANS)
#define XORSIGN C(XORSIGN)
#define ABS C(ABS)
#define RELU C(RELU)
#define FINITE C(FINITE)
#define MMIO C(MMIO)
#define HINT C(HINT)
#define THIRD C(THIRD)
#define BYTES C(BYTES)
#define MATB C(MATB)
#define MATC C(MATC)
#define COUNT C(COUNT)
#define LAYOUT C(LAYOUT)
#define LAYOUTB C(LAYOUTB)
#define WSHAPE C(WSHAPE)
#define TRANS C(TRANS)

const struct ptx_op_row ptx_op_rows[PTX_OPS] = {
#define OP(id, spelling, types, types2, operands, modifiers, pick, meaning)                                            \
	[PTX_OP_##id] = {#id, spelling, operands, meaning, types, types2, modifiers},
#include "ptx/ops.def"
#undef OP
};

static const struct {
	const char *spelling;
	uint8_t bytes;
	char kind;
} types[PTX_TYPES] = {
#define TYPE(id, spelling, bytes, kind) [PTX_##id] = {spelling, bytes, #kind[0]},
#include "ptx/types.def"
#undef TYPE
};

static const struct {
	const char *spelling;
	enum ptx_mod_class class;
} mods[PTX_MODS] = {
#define MOD(class, id, spelling) [PTX_##class##_##id] = {spelling, PTX_MOD_##class},
#include "ptx/mods.def"
#undef MOD
};

static const struct {
	const char *spelling;
	enum ptx_type type;
} specials[PTX_SPECIALS] = {
#define SPECIAL(id, spelling, type, meaning) [PTX_SPECIAL_##id] = {spelling, PTX_##type},
#include "ptx/specials.def"
#undef SPECIAL
};

uint32_t ptx_type_bytes(enum ptx_type type)
{
	return types[type].bytes;
}

const char *ptx_type_name(enum ptx_type type)
{
	return types[type].spelling;
}

char ptx_type_kind(enum ptx_type type)
{
	return types[type].kind;
}

uint32_t ptx_slot_bytes(enum ptx_type type)
{
	return types[type].bytes == 1 ? 2 : types[type].bytes;
}

const char *ptx_special_name(enum ptx_special special)
{
	return specials[special].spelling;
}

enum ptx_type ptx_special_type(enum ptx_special special)
{
	return specials[special].type;
}

const char *ptx_mod_name(enum ptx_mod mod)
{
	return mods[mod].spelling;
}

enum ptx_mod_class ptx_mod_class_of(enum ptx_mod mod)
{
	return mods[mod].class;
}

enum mem_space ptx_form_space(const struct ptx_form *form)
{
	switch (form->mod[PTX_MOD_SPACE]) {
	case PTX_SPACE_GLOBAL: return SPACE_GLOBAL;
	case PTX_SPACE_SHARED:
	case PTX_SPACE_SHARED_CLUSTER: /* the cluster is the block */
	case PTX_SPACE_SHARED_CTA: return SPACE_SHARED;
	case PTX_SPACE_LOCAL: return SPACE_LOCAL;
	case PTX_SPACE_CONST: return SPACE_CONST;
	case PTX_SPACE_PARAM:
	case PTX_SPACE_PARAM_ENTRY: return SPACE_PARAM;
	default: return SPACE_GENERIC;
	}
}

static enum ptx_type wide_type(enum ptx_type type)
{
	switch (type) {
	case PTX_U16: return PTX_U32;
	case PTX_S16: return PTX_S32;
	case PTX_U32: return PTX_U64;
	case PTX_S32: return PTX_S64;
	default: return type;
	}
}

bool ptx_letter_writes(char letter)
{
	return letter && strchr("dwDkpsKVoM", letter);
}

enum ptx_type ptx_letter_type(const struct ptx_form *form, char letter)
{
	switch (letter) {
	case 'w':
	case 'x': return wide_type((enum ptx_type)form->type);
	case 'B':
	case 'b': return (enum ptx_type)form->type2;
	case 'u':
	case 'k':
	case 'K':
	case 'i':
	case 'j':
	case 'z': return PTX_U32;
	case 'p':
	case 'q': return PTX_PRED;
	case 'f': return PTX_F32;
	case 'g':
	case 'h': return PTX_U64;
	default: return (enum ptx_type)form->type;
	}
}

/* --- from text ---------------------------------------------------------------------------------------------------- */

struct ptx_form_entry {
	struct ptx_form form;
	struct hash_link link; /* by its spelling */
};

void ptx_forms_init(struct ptx_forms *forms, struct arena *arena)
{
	forms->arena = arena;
	hash_init(&forms->by_spelling, arena);
}

static bool same(const char *word, const char *text, size_t len)
{
	return !strncmp(word, text, len) && word[len] == '\0';
}

static enum ptx_type find_type(const char *text, size_t len)
{
	for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES; t++) {
		if (same(types[t].spelling, text, len))
			return (enum ptx_type)t;
	}
	return PTX_NO_TYPE;
}

static enum ptx_mod find_mod(const char *text, size_t len, uint64_t classes)
{
	for (int m = PTX_NO_MOD + 1; m < PTX_MODS; m++) {
		if (classes & 1ull << mods[m].class && same(mods[m].spelling, text, len))
			return (enum ptx_mod)m;
	}
	return PTX_NO_MOD;
}

/* Takes one suffix into the form; false, with `why`, when the row does not have it. */
static bool take_suffix(
	struct arena *arena, struct ptx_form *form, const struct ptx_op_row *row, const char *text, size_t len)
{
	enum ptx_type type = find_type(text, len);
	if (type && !form->type && row->types & 1u << type) {
		form->type = (uint8_t)type;
		return true;
	}
	if (type && form->type && !form->type2 && row->types2 & 1u << type) {
		form->type2 = (uint8_t)type;
		return true;
	}
	uint64_t free_classes = row->mods;
	for (int class = 0; class < PTX_MOD_CLASSES; class ++)
		free_classes &= form->mod[class] && class != PTX_MOD_CACHE ? ~(1ull << class) : ~0ull;
	enum ptx_mod mod = find_mod(text, len, free_classes);
	if (mod) {
		form->mod[mods[mod].class] = (uint8_t)mod;
		return true;
	}
	form->why = arena_printf(arena, "%s does not take .%.*s here", row->spelling, (int)(len > 40 ? 40 : len), text);
	return false;
}

/* A conversion that can lose something says how it rounds. */
static const char *cvt_lacks(const struct ptx_form *form)
{
	bool to_float = types[form->type].kind == 'F', from_float = types[form->type2].kind == 'F';
	bool narrows = types[form->type].bytes < types[form->type2].bytes || form->type == PTX_TF32;
	bool half_to_half = form->type != form->type2 && types[form->type].bytes == 2 && types[form->type2].bytes == 2;
	if (from_float && !to_float && !form->mod[PTX_MOD_RNDI])
		return "it needs a rounding to integers, as .rzi";
	if (to_float && (!from_float || narrows || half_to_half) && !form->mod[PTX_MOD_RND])
		return "it needs a rounding, as .rn";
	if (form->mod[PTX_MOD_RND] == PTX_RND_RNA && form->type != PTX_TF32)
		return "only .tf32 is rounded with .rna";
	if (form->type == PTX_TF32 && form->type2 != PTX_F32)
		return ".tf32 comes from .f32";
	bool narrow = form->type == PTX_F16 || form->type == PTX_BF16 || form->type == PTX_TF32;
	if ((form->mod[PTX_MOD_RELU] || form->mod[PTX_MOD_FINITE]) && (!narrow || form->type2 != PTX_F32))
		return ".relu and .satfinite are for .f32 to a narrower float";
	return NULL;
}

static const char *float_lacks(const struct ptx_form *form)
{
	bool approximate = form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL];
	switch (form->op) {
	case PTX_OP_FMA:
	case PTX_OP_MAD_FLOAT:
	case PTX_OP_FMA_HALF:
	case PTX_OP_CVT_PAIR:
	case PTX_OP_CVT_FROM_FP8: return form->mod[PTX_MOD_RND] ? NULL : "it needs a rounding, as .rn";
	case PTX_OP_CVT_TO_FP8:
	case PTX_OP_CVT_PAIR_TO_FP8:
		return form->mod[PTX_MOD_RND] && form->mod[PTX_MOD_FINITE] ? NULL : "it needs .rn and .satfinite";
	case PTX_OP_DIV_FLOAT:
	case PTX_OP_RCP:
	case PTX_OP_SQRT:
		return form->mod[PTX_MOD_RND] || approximate ? NULL : "it needs a rounding, as .rn, or .approx";
	default: return NULL;
	}
}

/* Modifiers of single precision that double precision does not have; .approx.ftz.f64 is a form of rcp and rsqrt. */
static const char *f64_takes_not(const struct ptx_form *form)
{
	bool rough = form->op == PTX_OP_RCP || form->op == PTX_OP_RSQRT;
	if (form->type != PTX_F64 || form->op == PTX_OP_CVT || rough)
		return NULL;
	if (form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT])
		return "with .f64 it takes neither .ftz nor .sat";
	return form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL] ? "with .f64 it takes neither .approx nor .full"
								    : NULL;
}

static const char *order_lacks(const struct ptx_form *form)
{
	if ((form->mod[PTX_MOD_XORSIGN] != 0) != (form->mod[PTX_MOD_ABS] != 0))
		return ".xorsign and .abs go together";
	bool only_f32 = form->mod[PTX_MOD_NANS] || form->mod[PTX_MOD_XORSIGN];
	if (form->type == PTX_F64 && only_f32)
		return "with .f64 it takes neither .NaN nor .xorsign.abs";
	char kind = types[form->type].kind;
	if (form->mod[PTX_MOD_RELU] && (kind == 'U' || (kind == 'S' && types[form->type].bytes != 4)))
		return "of integers only .s32 and .s16x2 take .relu";
	return NULL;
}

/* What halves do not have: roundings but .rn; .bf16 besides .ftz, .sat and, in ex2, subnormals. */
static const char *half_lacks(const struct ptx_form *form)
{
	uint8_t rnd = form->mod[PTX_MOD_RND];
	bool is_bf16 = form->type == PTX_BF16 || form->type == PTX_BF16X2;
	if (rnd && rnd != PTX_RND_RN)
		return "halves are rounded with .rn";
	if (form->op == PTX_OP_EX2_HALF && is_bf16 && !form->mod[PTX_MOD_FTZ])
		return "with .bf16 it needs .ftz";
	if (form->op != PTX_OP_EX2_HALF && is_bf16 && (form->mod[PTX_MOD_FTZ] || form->mod[PTX_MOD_SAT]))
		return "with .bf16 it takes neither .ftz nor .sat";
	return form->mod[PTX_MOD_SAT] && form->mod[PTX_MOD_RELU] ? "it takes .sat or .relu" : NULL;
}

/* Classes of which a row that takes them needs one. */
static const struct {
	enum ptx_mod_class class;
	const char *lacks;
} needed[] = {
	{PTX_MOD_CMP, "it needs a comparison, as .lt"},
	{PTX_MOD_ATOM, "it needs an operation, as .add"},
	{PTX_MOD_SHFL, "it needs a mode, as .down"},
	{PTX_MOD_TESTP, "it needs a property, as .finite"},
	{PTX_MOD_WRAP, "it needs .clamp or .wrap"},
	{PTX_MOD_COUNT, "it needs .x1, .x2 or .x4"},
};

/* What a form must have beyond what its row says. */
static const char *form_lacks(const struct ptx_form *form)
{
	const struct ptx_op_row *row = &ptx_op_rows[form->op];
	if (row->types && !form->type)
		return "it needs a type";
	if (row->types2 && !form->type2)
		return "it needs a second type";
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
		if (row->mods & 1ull << needed[i].class && !form->mod[needed[i].class])
			return needed[i].lacks;
	}
	if (ptx_matrix_lacks(form))
		return ptx_matrix_lacks(form);
	if (order_lacks(form))
		return order_lacks(form);
	if (row->types && !(row->types & ~(uint64_t)HALVES) && form->op != PTX_OP_CVT_PAIR && half_lacks(form))
		return half_lacks(form);
	if (form->op == PTX_OP_LOP3_BOOL && !form->mod[PTX_MOD_BOOL])
		return "it needs .and or .or";
	const char *lacks = form->op == PTX_OP_CVT ? cvt_lacks(form) : float_lacks(form);
	return lacks ? lacks : form->op == PTX_OP_SLCT ? NULL : f64_takes_not(form);
}

/* `*progress` is how far the reading of the suffixes came; the row that came farthest explains best. */
static bool try_row(struct arena *arena, struct ptx_form *form, int op, const char *text, size_t len, size_t *progress)
{
	const struct ptx_op_row *row = &ptx_op_rows[op];
	const char *at = text + strlen(row->spelling), *end = text + len;

	form->op = (uint16_t)op;
	form->type = form->type2 = PTX_NO_TYPE;
	memset(form->mod, 0, sizeof form->mod);
	while (at < end) {
		at++; /* the dot */
		const char *stop = memchr(at, '.', (size_t)(end - at));
		if (!stop)
			stop = end;
		*progress = (size_t)(at - text);
		if (!take_suffix(arena, form, row, at, (size_t)(stop - at)))
			return false;
		at = stop;
	}
	*progress = len; /* every suffix fits */
	const char *lacks = form_lacks(form);
	if (lacks)
		form->why = arena_printf(arena, "%s: %s", row->spelling, lacks);
	return !lacks;
}

/* True when the row's spelling is the opcode's beginning, up to a dot or its end. */
static bool row_fits(int op, const char *text, size_t len)
{
	size_t n = strlen(ptx_op_rows[op].spelling);
	return n <= len && !memcmp(ptx_op_rows[op].spelling, text, n) && (n == len || text[n] == '.');
}

/* Names that mean the same, as beginnings of opcodes: the table has the shorter ones. */
static const char *const aliases[][2] = {
	{"barrier.cta.", "barrier."},
	{"bar.cta.", "bar."},
	{"isspacep.shared::cta", "isspacep.shared"},
	{"isspacep.param::entry", "isspacep.param"},
	{"isspacep.shared::cluster", "isspacep.shared"},
	{"cp.async.bulk.shared::cta.global.", "cp.async.bulk.shared::cluster.global."},
	{"cp.async.ca.shared::cta.", "cp.async.ca.shared."},
	{"cp.async.cg.shared::cta.", "cp.async.cg.shared."},
};

/* The opcode with its beginning as the table has it. */
static const char *canonical_opcode(struct arena *arena, const char *text, size_t *len)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		size_t n = strlen(aliases[i][0]);
		if (*len < n || memcmp(text, aliases[i][0], n) != 0)
			continue;
		text = arena_printf(arena, "%s%.*s", aliases[i][1], (int)(*len - n), text + n);
		*len = strlen(text);
		break;
	}
	return text;
}

static void resolve(struct arena *arena, struct ptx_form *form, const char *text, size_t len)
{
	text = canonical_opcode(arena, text, &len);
	size_t longest = len + 1, farthest = 0, progress = 0;
	const char *why = NULL;

	for (;;) {
		size_t best = 0;
		for (int op = 0; op < PTX_OPS; op++) {
			size_t n = strlen(ptx_op_rows[op].spelling);
			if (n < longest && n > best && row_fits(op, text, len))
				best = n;
		}
		if (!best)
			break;
		for (int op = 0; op < PTX_OPS; op++) {
			if (strlen(ptx_op_rows[op].spelling) != best || !row_fits(op, text, len))
				continue;
			if (try_row(arena, form, op, text, len, &progress)) {
				form->why = NULL;
				return;
			}
			if (!why || progress > farthest) {
				why = form->why;
				farthest = progress;
			}
		}
		longest = best;
	}
	form->op = PTX_OP_UNSUPPORTED;
	form->why = why;
}

const struct ptx_form *ptx_forms_find(struct ptx_forms *forms, const char *text, size_t len)
{
	struct hash_link *known = hash_find(&forms->by_spelling, text, len);
	if (known)
		return &hash_entry(known, struct ptx_form_entry, link)->form;
	struct ptx_form_entry *e = arena_array(forms->arena, struct ptx_form_entry, 1);
	e->form.spelling = arena_strndup(forms->arena, text, len);
	resolve(forms->arena, &e->form, text, len);
	hash_add(&forms->by_spelling, &e->link, e->form.spelling, len);
	return &e->form;
}
