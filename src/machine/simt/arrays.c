#include "machine/simt/code.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/clones.h"
#include "base/demangle.h"
#include "machine/ptx/ops.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

#define PASSES_MAX 16 /* over a function; what is not found by then belongs to no variable */

/* What a register holds: no address, that of a use of the function, or of none that is known. */
enum { NO_ADDRESS = -1, ANY_ADDRESS = -2 };

struct array_flow {
	const struct ptx_kernel *code;
	int32_t *of; /* registers */
	bool changed;
};

/* --- the code ----------------------------------------------------------------------------------------------------- */

static bool is_array(const struct ptx_var *var)
{
	return (var->space == SPACE_SHARED || var->space == SPACE_GLOBAL) && !var->dynamic && !var->is_extern &&
		var->size;
}

static int32_t held_by(const struct array_flow *f, const struct ptx_operand *o)
{
	if (o->kind == PTX_REG || o->kind == PTX_MEM_REG)
		return f->of[o->index];
	if (o->kind != PTX_VAR && o->kind != PTX_MEM_VAR)
		return NO_ADDRESS;
	return is_array(f->code->uses[o->index].var) ? o->index : ANY_ADDRESS;
}

struct source_addresses {
	const struct array_flow *f;
	bool any;
};

static void note_source(void *ctx, int32_t reg, enum instr_use use)
{
	struct source_addresses *s = ctx;
	s->any |= use == INSTR_READS && s->f->of[reg] != NO_ADDRESS;
}

/* What the result of an instruction holds. */
static int32_t result_of(const struct array_flow *f, const struct ptx_instr *instr)
{
	const struct ptx_operand *o = instr->operands;
	struct source_addresses sources = {.f = f};
	switch (instr->form->op) {
	case PTX_OP_MOV:
	case PTX_OP_CVT:
	case PTX_OP_CVTA:
	case PTX_OP_CVTA_TO:
		if (o[0].kind == PTX_REG && o[1].kind != PTX_VECTOR)
			return held_by(f, &o[1]);
		break;
	case PTX_OP_ADD_INT: { /* an address and what is none */
		int32_t a = held_by(f, &o[1]), b = held_by(f, &o[2]);
		return a == NO_ADDRESS ? b : b == NO_ADDRESS ? a : ANY_ADDRESS;
	}
	case PTX_OP_SUB_INT:
		if (held_by(f, &o[2]) == NO_ADDRESS)
			return held_by(f, &o[1]);
		break;
	case PTX_OP_MAD_LO:
	case PTX_OP_MAD_WIDE:
		if (held_by(f, &o[1]) == NO_ADDRESS && held_by(f, &o[2]) == NO_ADDRESS)
			return held_by(f, &o[3]);
		break;
	default: break;
	}
	if (instr_kind(instr->form) == PTX_KIND_LOAD)
		return NO_ADDRESS;
	for (int i = 1; i < instr->n; i++)
		sources.any |= o[i].kind == PTX_VAR;
	instr_each_register(instr, note_source, &sources);
	return sources.any ? ANY_ADDRESS : NO_ADDRESS;
}

struct held_result {
	struct array_flow *f;
	int32_t what;
};

static void note_result(void *ctx, int32_t reg, enum instr_use use)
{
	const struct held_result *r = ctx;
	int32_t *of = &r->f->of[reg], merged = ANY_ADDRESS;
	if (use != INSTR_WRITES)
		return;
	if (*of == NO_ADDRESS || *of == r->what)
		merged = r->what;
	else if (r->what == NO_ADDRESS)
		merged = *of;
	r->f->changed |= merged != *of;
	*of = merged;
}

/* Nothing lies beside an array that is all of its region: past its end is out of bounds anyway. */
static bool has_neighbors(const struct machine *m, const struct code_array *array)
{
	const struct region *r = array->var->space == SPACE_SHARED ? &m->shared : &m->variables.globals;
	return array->first != r->base || array->end - array->first < r->size;
}

void simt_arrays_find(struct machine *m, struct arena *arena)
{
	for (uint32_t u = 0; u < m->program.n_units; u++) {
		const struct code_unit *unit = &m->program.units[u];
		const struct ptx_kernel *code = unit->code;
		struct array_flow f = {.code = code, .changed = true};
		bool any = false;
		for (int i = 0; i < code->n_uses; i++)
			any |= is_array(code->uses[i].var);
		if (!any)
			continue;

		f.of = arena_array(arena, int32_t, (size_t)code->n_regs + 1);
		for (int i = 0; i < code->n_regs; i++)
			f.of[i] = NO_ADDRESS;
		for (int pass = 0; f.changed && pass < PASSES_MAX; pass++) {
			f.changed = false;
			for (int i = 0; i < code->n_instrs; i++) {
				struct held_result r = {&f, result_of(&f, &code->instrs[i])};
				instr_each_register(&code->instrs[i], note_result, &r);
			}
		}
		if (f.changed) /* not all was found */
			continue;

		struct code_array *arrays = arena_array(arena, struct code_array, (size_t)code->n_uses + 1);
		for (int i = 0; i < code->n_uses; i++)
			arrays[i] = (struct code_array){code->uses[i].var, unit->var_address[i],
				unit->var_address[i] + code->uses[i].var->size};
		for (int i = 0; i < code->n_instrs; i++) {
			struct instr_access access[INSTR_ACCESSES_MAX];
			if (instr_accesses(&code->instrs[i], access) != 1)
				continue;
			int32_t of = held_by(&f, &code->instrs[i].operands[access[0].operand]);
			if (of >= 0 && has_neighbors(m, &arrays[of]))
				m->program.code[unit->first + (uint32_t)i].array = &arrays[of];
		}
	}
}

/* --- accesses
 * ------------------------------------------------------------------------------------------------------ */

/* As in the source, with its size: "s (128 bytes)". */
static void name_array(const struct code_array *array, char *out, size_t size)
{
	size_t len = strlen(array->var->name), source_len = len;
	const char *source = mangled_source(array->var->name, len, &source_len);
	snprintf(out, size, "%.*s (%" PRIu64 " bytes)", (int)(source_len < 40 ? source_len : 40),
		source ? source : array->var->name, array->end - array->first);
}

/* The variable that an address is in; false: none that the kernel uses. */
static bool find_array(const struct program *p, enum mem_space space, uint64_t address, struct code_array *out)
{
	for (uint32_t i = 0; i < p->n_units; i++) {
		const struct code_unit *unit = &p->units[i];
		for (int k = 0; k < unit->code->n_uses; k++) {
			const struct ptx_var *var = unit->code->uses[k].var;
			if (var->space != space || !is_array(var) || address - unit->var_address[k] >= var->size)
				continue;
			*out = (struct code_array){var, unit->var_address[k], unit->var_address[k] + var->size};
			return true;
		}
	}
	return false;
}

/* Whether one of the addresses of a full warp is not in [first, first + last]. */
CLONES_AVX2 static bool one_is_outside(const uint64_t *address, uint64_t first, uint64_t last)
{
	uint64_t outside = 0;
	for (int i = 0; i < WARP_SIZE; i++)
		outside |= (address[i] - first) | (last - (address[i] - first));
	return outside >> 63;
}

static void report_neighbor(struct warp *w, const struct code *c, uint32_t lanes)
{
	const struct warp_access *a = &w->m->access;
	uint64_t address = a->address[__builtin_ctz(lanes)];
	const struct code_array *of = c->array;
	struct code_array neighbor;
	char name[80], other[80] = "";
	bool before = address < of->first;
	uint64_t apart = before ? of->first - address : address < of->end ? of->end - address : address - of->end;

	name_array(of, name, sizeof name);
	if (find_array(&w->m->program, a->space, before || address >= of->end ? address : of->end, &neighbor))
		name_array(&neighbor, other, sizeof other);
	simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = lanes, .address = address, .made = true},
		"%s %u-byte %s %s memory at 0x%" PRIx64 ", %" PRIu64 " byte%s %s of %s%s%s", a->width == 8 ? "an" : "a",
		a->width, warp_op_phrase(a->op), warp_space_name(a->space), address, apart, plural(apart),
		before                      ? "before the beginning"
			: address < of->end ? "before the end"
					    : "past the end",
		name, *other ? ", in " : "", other);
}

void simt_arrays_check(struct warp *w, const struct code *c)
{
	const struct warp_access *a = &w->m->access;
	uint64_t size = c->array->end - c->array->first;
	uint32_t lanes = 0;
	if (a->space != c->array->var->space || size < a->width ||
		(a->active == WARP_FULL_MASK && !one_is_outside(a->address, c->array->first, size - a->width)))
		return;
	for (int i = 0; i < WARP_SIZE; i++)
		lanes |= a->address[i] - c->array->first > size - a->width ? 1u << i : 0;
	if (lanes & a->active)
		report_neighbor(w, c, lanes & a->active);
}
