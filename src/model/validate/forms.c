#include "model/validate/trial.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "machine/ptx/ops.h"

#define BIT(x) (1ull << (x))

struct form_list {
	const struct ptx_form **forms;
	int n;
	size_t cap;
};

struct forms {
	uint8_t mods[PTX_MODS]; /* by class: those of class c from first_mod[c] to before first_mod[c + 1] */
	int first_mod[PTX_MOD_CLASSES + 1];
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

bool validate_forms_is_atomic(int op)
{
	struct ptx_form form = row_form(op);
	return instr_is_atomic(&form);
}

bool validate_forms_is_warp(int op)
{
	return op == PTX_OP_ACTIVEMASK || validate_forms_has_mask(op);
}

bool validate_forms_has_mask(int op)
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

const char *validate_forms_group(const struct forms *forms, int op)
{
	return forms->groups[op];
}

const char *validate_forms_left_out(int op)
{
	struct ptx_form form = row_form(op);
	uint32_t traits = instr_traits(&form);
	if (op == PTX_OP_ATOM_HINT)
		return "it is another row with a hint";
	if (validate_forms_is_atomic(op))
		return traits & LETTER_VECTOR ? "its operands are vectors" : NULL;
	if (traits & LETTER_VECTOR && !(traits & LETTER_MEMORY))
		return "its operands are vectors";
	if (in_group(op, "mem") || in_group(op, "mbarrier") || traits & LETTER_MEMORY)
		return "it is about memory, not values";
	if (in_group(op, "stack") || in_group(op, "cluster"))
		return "it is about memory, not values";
	if (traits & LETTER_FRAGMENT)
		return "it is about matrices";
	if (traits & LETTER_CONTROL)
		return "it is about control";
	if (!(traits & LETTER_WRITES))
		return "it has no result";
	if (in_group(op, "warp") && !validate_forms_is_warp(op))
		return "hardware no longer has it from CC 7.0 on";
	return NULL;
}

bool validate_forms_is_approximate(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_APPROX] || form->mod[PTX_MOD_FULL] || strstr(form->spelling, ".approx");
}

bool validate_forms_writes_carry(const struct ptx_form *form)
{
	return form->mod[PTX_MOD_CC] || strstr(ptx_op_rows[form->op].spelling, ".cc");
}

bool validate_forms_reads_carry(const struct ptx_form *form)
{
	return has_mod(form->op, PTX_MOD_CC);
}

bool validate_forms_is_exact(const struct ptx_form *form)
{
	return form->type == PTX_BF16 || form->type == PTX_BF16X2 || form->type2 == PTX_BF16 ||
		form->type2 == PTX_BF16X2;
}

/* --- all forms ---------------------------------------------------------------------------------------------------- */

/* Where a suffix stands in an opcode: classes not named here come before the types, those after TYPES after them. */
enum { TYPES = PTX_MOD_CLASSES };
static const uint8_t first_classes[] = {PTX_MOD_APPROX, PTX_MOD_FULL, PTX_MOD_RND, PTX_MOD_RNDI, PTX_MOD_CMP,
	PTX_MOD_BOOL, PTX_MOD_SEM, PTX_MOD_SCOPE, PTX_MOD_SPACE, PTX_MOD_ATOM, PTX_MOD_NOFTZ, PTX_MOD_FTZ};
static const uint8_t last_classes[] = {
	TYPES, PTX_MOD_VTYPE, PTX_MOD_BYTES, PTX_MOD_SECOND, PTX_MOD_THIRD, PTX_MOD_PRMT};

static bool is_listed(const uint8_t *classes, size_t n, int class)
{
	return memchr(classes, class, n) != NULL;
}

/* Every choice of modifiers from class `class` on. */
static void choose_mods(struct forms *forms, struct ptx_form *form, int class)
{
	while (class < PTX_MOD_CLASSES && !has_mod(form->op, (enum ptx_mod_class) class))
		class ++;

	if (class == PTX_MOD_CLASSES) {
		/* Left out is shared memory by its other names, and what is not legal. */
		uint8_t space = form->mod[PTX_MOD_SPACE];
		if (space == PTX_SPACE_SHARED_CTA || space == PTX_SPACE_SHARED_CLUSTER)
			return;
		if (form->mod[PTX_MOD_HINT] || ptx_form_lacks(form))
			return;

		/* Orders and scopes of an atomic do not change a value that only one thread works on: two pairs of them
		 * are enough. */
		uint8_t sem = form->mod[PTX_MOD_SEM], scope = form->mod[PTX_MOD_SCOPE];
		if (instr_is_atomic(form) && (sem || scope)) {
			uint8_t strong = instr_kind(form) == PTX_KIND_REDUCTION ? PTX_SEM_RELEASE : PTX_SEM_ACQ_REL;
			if (!(sem == PTX_SEM_RELAXED && scope == PTX_SCOPE_GPU) &&
				!(sem == strong && scope == PTX_SCOPE_CTA))
				return;
		}

		/* Of words, ptxas 13 makes sequences that keep 32 bits where the manual has more: doc/hardware.md. */
		uint8_t second = form->mod[PTX_MOD_SECOND];
		if ((instr_takes(form, PTX_MOD_SECOND) || instr_takes(form, PTX_MOD_SCALE)) &&
			(form->mod[PTX_MOD_SAT] || form->mod[PTX_MOD_SCALE] || (second && second != PTX_SECOND_ADD)))
			return;

		/* all classes and the types, in the order in which they are spelled */
		uint8_t order[PTX_MOD_CLASSES + 1];
		int n = 0;
		for (size_t i = 0; i < sizeof first_classes; i++)
			order[n++] = first_classes[i];
		for (int middle = 0; middle < PTX_MOD_CLASSES; middle++)
			if (!is_listed(first_classes, sizeof first_classes, middle) &&
				!is_listed(last_classes, sizeof last_classes, middle))
				order[n++] = (uint8_t)middle;
		for (size_t i = 0; i < sizeof last_classes; i++)
			order[n++] = last_classes[i];

		struct buf text = {0};
		buf_puts(&text, ptx_op_rows[form->op].spelling);
		for (int i = 0; i < n; i++) {
			if (order[i] != TYPES && form->mod[order[i]])
				buf_printf(&text, ".%s", ptx_mod_name((enum ptx_mod)form->mod[order[i]]));
			if (order[i] == TYPES && form->type)
				buf_printf(&text, ".%s", ptx_type_name((enum ptx_type)form->type));
			if (order[i] == TYPES && form->type2)
				buf_printf(&text, ".%s", ptx_type_name((enum ptx_type)form->type2));
		}

		/* the form is kept if the parser reads its spelling as the same form */
		struct form_list *list = &forms->rows[form->op];
		const struct ptx_form *parsed = ptx_forms_find(&forms->parsed, text.data, text.len);
		if (parsed->op == form->op && !memcmp(parsed->mod, form->mod, sizeof form->mod))
			*vec_push_in(forms->arena, list->forms, list->n, list->cap) = parsed;
		buf_free(&text);
		return;
	}
	form->mod[class] = PTX_NO_MOD;
	choose_mods(forms, form, class + 1);
	for (int i = forms->first_mod[class]; i < forms->first_mod[class + 1]; i++) {
		form->mod[class] = forms->mods[i];
		choose_mods(forms, form, class + 1);
	}
	form->mod[class] = PTX_NO_MOD;
}

struct forms *validate_forms_new(struct arena *arena)
{
	struct forms *forms = arena_array(arena, struct forms, 1);
	forms->arena = arena;
	ptx_forms_init(&forms->parsed, arena);

	int n = 0;
	for (int class = 0; class < PTX_MOD_CLASSES; class ++) {
		forms->first_mod[class] = n;
		for (int mod = PTX_NO_MOD + 1; mod < PTX_MODS; mod++)
			if (ptx_mod_class_of((enum ptx_mod)mod) == (enum ptx_mod_class) class)
				forms->mods[n++] = (uint8_t)mod;
	}
	forms->first_mod[PTX_MOD_CLASSES] = n;

	for (int op = 0; op < PTX_OPS; op++) {
		forms->groups[op] = arena_strndup(arena, ptx_op_rows[op].pick, group_len(op));
		if (!validate_forms_left_out(op)) {
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
	}
	return forms;
}

int validate_forms_count(const struct forms *forms, int op)
{
	return forms->rows[op].n;
}

const struct ptx_form *validate_forms_at(const struct forms *forms, int op, int index)
{
	return forms->rows[op].forms[index];
}

const struct ptx_form *validate_forms_find(struct forms *forms, const char *spelling, size_t len, int *index)
{
	const struct ptx_form *form = ptx_forms_find(&forms->parsed, spelling, len);
	if (form->op >= PTX_OPS)
		return NULL;
	for (*index = 0; *index < forms->rows[form->op].n; (*index)++)
		if (forms->rows[form->op].forms[*index] == form)
			return form;
	return NULL;
}
