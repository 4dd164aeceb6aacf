#include "validate/forms.h"

#include <string.h>

#include "base/buf.h"
#include "base/vec.h"

#define BIT(x) (1ull << (x))

struct form_list {
	const struct ptx_form **forms;
	int n;
	size_t cap;
};

struct forms {
	struct arena *arena;
	struct ptx_forms parsed;
	struct form_list rows[PTX_OPS];
	const char *groups[PTX_OPS];
};

/* --- rows --------------------------------------------------------------------------------------------------------- */

static bool has_mod(int op, enum ptx_mod_class class)
{
	return ptx_op_rows[op].mods & BIT(class);
}

static struct ptx_form row_form(int op)
{
	return (struct ptx_form){.op = (uint16_t)op};
}

bool forms_is_atomic(int op)
{
	struct ptx_form form = row_form(op);
	return instr_is_atomic(&form);
}

bool forms_is_warp(int op)
{
	return op == PTX_OP_ACTIVEMASK || forms_has_mask(op);
}

bool forms_has_mask(int op)
{
	struct ptx_form form = row_form(op);
	return instr_members(&form) >= 0;
}

static size_t group_len(int op)
{
	return strcspn(ptx_op_rows[op].pick, "_");
}

static bool in_group(int op, const char *name)
{
	return strlen(name) == group_len(op) && !memcmp(name, ptx_op_rows[op].pick, group_len(op));
}

const char *forms_group(const struct forms *forms, int op)
{
	return forms->groups[op];
}

const char *forms_left_out(int op)
{
	struct ptx_form form = row_form(op);
	uint32_t traits = instr_traits(&form);
	if (forms_is_atomic(op))
		return traits & LETTER_VECTOR ? "its operands are vectors" : NULL;
	if (in_group(op, "mem") || in_group(op, "mbarrier") || traits & LETTER_MEMORY)
		return "it is about memory, not values";
	if (traits & LETTER_FRAGMENT)
		return "it is about matrices";
	if (traits & LETTER_CONTROL)
		return "it is about control";
	if (!(traits & LETTER_WRITES))
		return "it has no result";
	if (in_group(op, "warp") && !forms_is_warp(op))
		return "hardware has it no more from CC 7.0 on";
	return NULL;
}

bool forms_is_approximate(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL] || strstr(form->spelling, ".approx");
}

bool forms_writes_carry(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_CC] || strstr(ptx_op_rows[form->op].spelling, ".cc");
}

bool forms_reads_carry(const struct ptx_form *form)
{
	return has_mod(form->op, PTX_MOD_CC);
}

/* --- constraints: what the rows do not say of which modifiers go together ------------------------------------------- */

static bool is_float(enum ptx_type type)
{
	return ptx_type_kind(type) == 'F';
}

/* binary16, bfloat16 and pairs of them. */
static bool is_half(enum ptx_type type)
{
	return is_float(type) && type != PTX_F32 && type != PTX_F64;
}

static enum ptx_type type_of(const struct ptx_form *f)
{
	return (enum ptx_type)f->type;
}

static enum ptx_type type2_of(const struct ptx_form *f)
{
	return (enum ptx_type)f->type2;
}

static bool is_bf16(enum ptx_type type)
{
	return type == PTX_BF16 || type == PTX_BF16X2;
}

static bool is_set(const struct ptx_form *f)
{
	return has_mod(f->op, PTX_MOD_CMP) && f->type2;
}

/* Of the values that are compared. */
static enum ptx_type compared_type(const struct ptx_form *f)
{
	return is_set(f) ? type2_of(f) : type_of(f);
}

static bool is_cvt(const struct ptx_form *f)
{
	return f->op == PTX_OP_CVT;
}

static bool saturates_s32_only(const struct ptx_form *f)
{
	return f->mod[PTX_MOD_SAT] && !is_cvt(f) && !is_float(type_of(f)) && f->type != PTX_S32;
}

/* Bytes go above what c holds, halves fill the result. */
static bool packs_otherwise(const struct ptx_form *f)
{
	return f->op == PTX_OP_CVT_PACK && (ptx_type_bytes(type_of(f)) == 1) != (f->mod[PTX_MOD_THIRD] != 0);
}

static bool lop3_combines_otherwise(const struct ptx_form *f)
{
	return f->op == PTX_OP_LOP3_BOOL && f->mod[PTX_MOD_BOOL] == PTX_BOOL_XOR;
}

static bool rounds_twice(const struct ptx_form *f)
{
	return (f->mod[PTX_MOD_RND] != 0) + (f->mod[PTX_MOD_RNDI] != 0) + (f->mod[PTX_MOD_APPROX] != 0) +
		(f->mod[PTX_MOD_FULL] != 0) >
		1;
}

static bool half_not_nearest(const struct ptx_form *f)
{
	return is_half(type_of(f)) && !is_cvt(f) && f->mod[PTX_MOD_RND] && f->mod[PTX_MOD_RND] != PTX_RND_RN &&
		f->op != PTX_OP_CVT_PAIR;
}

static bool away_but_tf32(const struct ptx_form *f)
{
	return f->mod[PTX_MOD_RND] == PTX_RND_RNA && f->type != PTX_TF32;
}

/* .ftz says what becomes of subnormals of single precision, and of binary16 where it is calculated with. */
static bool flushes_nothing(const struct ptx_form *f)
{
	if (!f->mod[PTX_MOD_FTZ])
		return false;
	if (is_cvt(f))
		return f->type != PTX_F32 && f->type2 != PTX_F32;
	if (f->op == PTX_OP_SLCT)
		return f->type2 != PTX_F32;
	if (is_set(f))
		return type2_of(f) == PTX_F64 || !is_float(type2_of(f)) || is_bf16(type_of(f)) || is_bf16(type2_of(f));
	if (f->op == PTX_OP_RCP || f->op == PTX_OP_RSQRT)
		return false;
	if (f->op == PTX_OP_EX2_HALF)
		return !is_bf16(type_of(f));
	return type_of(f) == PTX_F64 || !is_float(type_of(f)) || is_bf16(type_of(f));
}

/* One kind of half at a time, pairs among themselves. */
static bool sets_otherwise(const struct ptx_form *f)
{
	bool halves = is_set(f) && is_half(type2_of(f)), pair = ptx_type_bytes(type2_of(f)) == 4;
	return halves && ((is_half(type_of(f)) && f->type != f->type2) || (pair && ptx_type_bytes(type_of(f)) != 4));
}

static bool compares_otherwise(const struct ptx_form *f)
{
	enum ptx_type type = compared_type(f);
	char kind = ptx_type_kind(type);
	uint8_t how = f->mod[PTX_MOD_CMP];
	if (how >= PTX_CMP_EQU)
		return kind != 'F';
	if (how >= PTX_CMP_LO)
		return kind != 'U';
	return how > PTX_CMP_NE && kind == 'B';
}

/* Narrower floats from wider ones, and floats from integers, are rounded; integers from floats are rounded to whole
 * numbers, as floats to floats of the same type may be. */
static bool cvt_rounds_wrongly(const struct ptx_form *f)
{
	if (!is_cvt(f))
		return false;
	bool to_float = is_float(type_of(f)), from_float = is_float(type2_of(f));
	uint32_t to = ptx_type_bytes(type_of(f)), from = ptx_type_bytes(type2_of(f));
	bool needs_rnd = to_float && (!from_float || to < from), needs_rndi = !to_float && from_float;
	bool may_rndi = needs_rndi || (to_float && f->type == f->type2);
	return needs_rnd != (f->mod[PTX_MOD_RND] != 0) || (needs_rndi && !f->mod[PTX_MOD_RNDI]) ||
		(f->mod[PTX_MOD_RNDI] && !may_rndi);
}

/* PTX ISA, cvt: pairs, .relu and .satfinite have .rn and .rz alone, without .ftz and .sat; .bf16 has no .sat. */
static bool cvt_clamps_otherwise(const struct ptx_form *f)
{
	bool clamps = f->mod[PTX_MOD_RELU] || f->mod[PTX_MOD_FINITE], pair = f->op == PTX_OP_CVT_PAIR;
	bool toward = f->mod[PTX_MOD_RND] == PTX_RND_RM || f->mod[PTX_MOD_RND] == PTX_RND_RP ||
		f->mod[PTX_MOD_RND] == PTX_RND_RNA;
	if (!is_cvt(f) && !pair)
		return false;
	return ((clamps || pair) && toward) || (clamps && (f->mod[PTX_MOD_FTZ] || f->mod[PTX_MOD_SAT])) ||
		(f->mod[PTX_MOD_SAT] && forms_is_exact(f));
}

bool forms_is_exact(const struct ptx_form *f)
{
	return is_bf16(type_of(f)) || is_bf16(type2_of(f));
}

static bool cvt_bytes_to_bf16(const struct ptx_form *f)
{
	return is_cvt(f) && forms_is_exact(f) && (ptx_type_bytes(type_of(f)) == 1 || ptx_type_bytes(type2_of(f)) == 1);
}

/* Nothing to clamp: the destination holds whatever the source can be. */
static bool cvt_clamps_nothing(const struct ptx_form *f)
{
	if (!is_cvt(f) || !f->mod[PTX_MOD_SAT] || is_float(type_of(f)) || is_float(type2_of(f)))
		return false;
	uint32_t to = ptx_type_bytes(type_of(f)), from = ptx_type_bytes(type2_of(f));
	bool to_signed = ptx_type_kind(type_of(f)) == 'S', from_signed = ptx_type_kind(type2_of(f)) == 'S';
	return to_signed == from_signed ? to >= from : to_signed && to > from;
}

/* Double precision is rounded, or approximated under .ftz in the upper word only. */
static bool f64_approximate(const struct ptx_form *f)
{
	return f->type == PTX_F64 && f->op == PTX_OP_RCP && (f->mod[PTX_MOD_APPROX] != 0) != (f->mod[PTX_MOD_FTZ] != 0);
}

static bool f64_clamped(const struct ptx_form *f)
{
	return f->type == PTX_F64 && f->mod[PTX_MOD_SAT] && !is_cvt(f);
}

/* An order goes with a scope here, and neither changes a value that one thread alone works on: two of the orders do. */
static bool atomic_order_alone(const struct ptx_form *f)
{
	uint8_t sem = f->mod[PTX_MOD_SEM], scope = f->mod[PTX_MOD_SCOPE];
	if (!forms_is_atomic(f->op))
		return false;
	if (!sem || !scope)
		return sem || scope;
	uint8_t strong = f->op == PTX_OP_RED ? PTX_SEM_RELEASE : PTX_SEM_ACQ_REL;
	return !(sem == PTX_SEM_RELAXED && scope == PTX_SCOPE_GPU) && !(sem == strong && scope == PTX_SCOPE_CTA);
}

static bool atomic_elsewhere(const struct ptx_form *f)
{
	uint8_t space = f->mod[PTX_MOD_SPACE];
	return forms_is_atomic(f->op) && space && space != PTX_SPACE_GLOBAL && space != PTX_SPACE_SHARED;
}

/* PTX ISA, atom and red: which operation takes which types. */
static bool atomic_of_other_type(const struct ptx_form *f)
{
	if (!forms_is_atomic(f->op))
		return false;
	enum ptx_type type = type_of(f);
	char kind = ptx_type_kind(type);
	bool cas = f->mod[PTX_MOD_ATOM] == PTX_ATOM_CAS;
	if (type == PTX_B16) /* one operation alone works on 16 bits */
		return !cas || f->op == PTX_OP_RED;
	switch (f->mod[PTX_MOD_ATOM]) {
	case PTX_ATOM_AND:
	case PTX_ATOM_OR:
	case PTX_ATOM_XOR: return kind != 'B';
	case PTX_ATOM_EXCH:
	case PTX_ATOM_CAS: return kind != 'B' || f->op == PTX_OP_RED;
	case PTX_ATOM_INC:
	case PTX_ATOM_DEC: return type != PTX_U32;
	case PTX_ATOM_ADD: return kind == 'B' || type == PTX_S64;
	default: return kind == 'B' || kind == 'F';
	}
}

static bool atomic_noftz(const struct ptx_form *f)
{
	return forms_is_atomic(f->op) && (f->mod[PTX_MOD_NOFTZ] != 0) != is_half(type_of(f));
}

static const struct {
	bool (*holds)(const struct ptx_form *f);
	const char *why;
} forbidden[] = {
	{saturates_s32_only, ".sat clamps .s32 only"},
	{packs_otherwise, "cvt.pack takes c with bytes only"},
	{lop3_combines_otherwise, "lop3 has .and and .or"},
	{rounds_twice, "one rounding"},
	{half_not_nearest, "halves are rounded to nearest"},
	{flushes_nothing, ".ftz without single precision"},
	{compares_otherwise, "a comparison that the type does not have"},
	{cvt_rounds_wrongly, "a rounding where a conversion has none"},
	{away_but_tf32, ".rna makes .tf32"},
	{sets_otherwise, "halves of one kind"},
	{cvt_clamps_otherwise, ".relu and .satfinite alone"},
	{cvt_bytes_to_bf16, "no bytes from or to .bf16"},
	{cvt_clamps_nothing, "a conversion that needs no .sat"},
	{f64_approximate, "rcp.approx.ftz.f64 is one word"},
	{f64_clamped, ".sat does not go with .f64"},
	{atomic_order_alone, "order and scope together"},
	{atomic_elsewhere, "atomics work on global, shared or generic addresses"},
	{atomic_of_other_type, "an operation that the type does not have"},
	{atomic_noftz, ".noftz goes with halves, always"},
};

static bool is_forbidden(const struct ptx_form *form)
{
	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
		if (forbidden[i].holds(form))
			return true;
	return false;
}

/* --- all forms ---------------------------------------------------------------------------------------------------- */

/* Where a suffix stands in an opcode: classes not named here come before the types, those after TYPES behind them. */
enum { TYPES = PTX_MOD_CLASSES };
static const uint8_t first_classes[] = {PTX_MOD_APPROX, PTX_MOD_FULL, PTX_MOD_RND, PTX_MOD_RNDI, PTX_MOD_CMP,
	PTX_MOD_BOOL, PTX_MOD_SEM, PTX_MOD_SCOPE, PTX_MOD_SPACE, PTX_MOD_ATOM, PTX_MOD_NOFTZ, PTX_MOD_FTZ};
static const uint8_t last_classes[] = {TYPES, PTX_MOD_THIRD, PTX_MOD_PRMT};

static bool listed(const uint8_t *classes, size_t n, int class)
{
	return memchr(classes, class, n) != NULL;
}

/* Writes the order of all classes and the types; returns how many. */
static int spelling_order(uint8_t *order)
{
	int n = 0;
	for (size_t i = 0; i < sizeof first_classes; i++)
		order[n++] = first_classes[i];
	for (int class = 0; class < PTX_MOD_CLASSES; class ++)
		if (!listed(first_classes, sizeof first_classes, class) &&
			!listed(last_classes, sizeof last_classes, class))
			order[n++] = (uint8_t) class;
	for (size_t i = 0; i < sizeof last_classes; i++)
		order[n++] = last_classes[i];
	return n;
}

static void spell(const struct ptx_form *form, struct buf *out)
{
	uint8_t order[PTX_MOD_CLASSES + 1];
	int n = spelling_order(order);
	buf_clear(out);
	buf_puts(out, ptx_op_rows[form->op].spelling);
	for (int i = 0; i < n; i++) {
		if (order[i] != TYPES && form->mod[order[i]])
			buf_printf(out, ".%s", ptx_mod_name((enum ptx_mod)form->mod[order[i]]));
		if (order[i] == TYPES && form->type)
			buf_printf(out, ".%s", ptx_type_name(type_of(form)));
		if (order[i] == TYPES && form->type2)
			buf_printf(out, ".%s", ptx_type_name(type2_of(form)));
	}
}

/* Keeps the form when the parser takes it as what it is. */
static void keep(struct forms *forms, const struct ptx_form *form)
{
	struct buf text = {0};
	struct form_list *list = &forms->rows[form->op];
	spell(form, &text);
	const struct ptx_form *parsed = ptx_forms_find(&forms->parsed, text.data, text.len);
	if (parsed->op == form->op && !memcmp(parsed->mod, form->mod, sizeof form->mod)) {
		*vec_push_in(forms->arena, list->forms, list->n, list->cap) = parsed;
	}
	buf_free(&text);
}

/* Every choice of modifiers from class `class` on. */
static void choose_mods(struct forms *forms, struct ptx_form *form, int class)
{
	while (class < PTX_MOD_CLASSES && !has_mod(form->op, (enum ptx_mod_class) class))
		class ++;
	if (class == PTX_MOD_CLASSES) {
		if (!is_forbidden(form))
			keep(forms, form);
		return;
	}
	form->mod[class] = PTX_NO_MOD;
	choose_mods(forms, form, class + 1);
	for (int mod = PTX_NO_MOD + 1; mod < PTX_MODS; mod++) {
		if (ptx_mod_class_of((enum ptx_mod)mod) != (enum ptx_mod_class) class)
			continue;
		form->mod[class] = (uint8_t)mod;
		choose_mods(forms, form, class + 1);
	}
	form->mod[class] = PTX_NO_MOD;
}

static void choose_types(struct forms *forms, int op)
{
	const struct ptx_op_row *row = &ptx_op_rows[op];
	for (int type = PTX_NO_TYPE; type < PTX_TYPES; type++) {
		if (row->types ? !(row->types & BIT(type)) : type != PTX_NO_TYPE)
			continue;
		for (int type2 = PTX_NO_TYPE; type2 < PTX_TYPES; type2++) {
			if (row->types2 ? !(row->types2 & BIT(type2)) : type2 != PTX_NO_TYPE)
				continue;
			struct ptx_form form = {.spelling = row->spelling,
				.op = (uint16_t)op,
				.type = (uint8_t)type,
				.type2 = (uint8_t)type2};
			choose_mods(forms, &form, 0);
		}
	}
}

struct forms *forms_new(struct arena *arena)
{
	struct forms *forms = arena_array(arena, struct forms, 1);
	forms->arena = arena;
	ptx_forms_init(&forms->parsed, arena);
	for (int op = 0; op < PTX_OPS; op++) {
		forms->groups[op] = arena_strndup(arena, ptx_op_rows[op].pick, group_len(op));
		if (!forms_left_out(op))
			choose_types(forms, op);
	}
	return forms;
}

int forms_count(const struct forms *forms, int op)
{
	return forms->rows[op].n;
}

const struct ptx_form *forms_at(const struct forms *forms, int op, int index)
{
	return forms->rows[op].forms[index];
}

const struct ptx_form *forms_find(struct forms *forms, const char *spelling, size_t len, int *index)
{
	const struct ptx_form *form = ptx_forms_find(&forms->parsed, spelling, len);
	if (form->op >= PTX_OPS)
		return NULL;
	for (*index = 0; *index < forms->rows[form->op].n; (*index)++)
		if (forms->rows[form->op].forms[*index] == form)
			return form;
	return NULL;
}
