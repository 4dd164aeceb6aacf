/* Which stores write values that may come from memory: what else they can write, constants, parameters and indices, is
 * the same for every input of the kernel.
 *
 * Without regard to which branch is taken: from another basic block a register has data when some instruction puts data
 * into it; within one it has what was put there last. What functions pass each other is one thing, and so is local
 * memory. */
#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/memory_order.h"

#define PASSES_MAX 64 /* over the code; data that are not found by then count as none */

/* Of a kernel and its functions. */
struct data_flow {
	bool passed; /* to functions, and by them */
	bool local;  /* in local memory */
	bool changed;
};

/* Of the registers of one of them. */
struct data_registers {
	bool *data;  /* values from memory */
	bool *local; /* addresses in local memory, as generic ones */
	bool *last;  /* values from memory, put there last in the basic block `block`, */
	int *block;  /* if that is `now`; the first is 1 */
	int now;
};

/* What an instruction reads and where it puts it. */
struct data_visit {
	struct data_registers *registers;
	int skip; /* registers of the address of a store, which come first */
	bool data, local, puts_data, puts_local, guarded;
	bool *changed;
};

static void set_flag(bool *flag, bool value, bool *changed)
{
	*changed |= value && !*flag;
	*flag |= value;
}

static void note_read(void *ctx, int32_t reg, enum instr_use use)
{
	struct data_visit *v = ctx;
	if (use == INSTR_WRITES || v->skip-- > 0)
		return;
	const struct data_registers *r = v->registers;
	v->data |= r->block[reg] == r->now ? r->last[reg] : r->data[reg];
	v->local |= r->local[reg];
}

static void note_write(void *ctx, int32_t reg, enum instr_use use)
{
	struct data_visit *v = ctx;
	if (use == INSTR_READS)
		return;
	struct data_registers *r = v->registers;
	set_flag(&r->data[reg], v->puts_data, v->changed);
	set_flag(&r->local[reg], v->puts_local, v->changed);
	bool stays = v->guarded && (r->block[reg] == r->now ? r->last[reg] : r->data[reg]);
	r->last[reg] = v->puts_data || stays;
	r->block[reg] = r->now;
}

/* The space of a load or store, generic addresses of local memory among it. */
static enum mem_space space_of(const struct ptx_instr *instr, const struct data_registers *r)
{
	bool stores = instr_kind(instr->form) == PTX_KIND_STORE;
	const struct ptx_operand *address = &instr->operands[stores ? 0 : instr->n - 1];
	enum mem_space space = ptx_form_space(instr->form);
	return space == SPACE_GENERIC && address->kind == PTX_MEM_REG && r->local[address->index] ? SPACE_LOCAL : space;
}

static bool loads_data(const struct ptx_instr *instr, const struct data_registers *r, const struct data_flow *f)
{
	switch (space_of(instr, r)) {
	case SPACE_PARAM: return f->passed;
	case SPACE_LOCAL: return f->local;
	case SPACE_CONST: return false;
	default: return true;
	}
}

static bool stores_data(const struct ptx_instr *instr, struct data_registers *r)
{
	struct data_visit v = {.registers = r, .skip = instr->operands[0].kind == PTX_MEM_REG};
	instr_each_register(instr, note_read, &v);
	return v.data;
}

/* What the results of an instruction are, and what it stores. */
static void follow_instr(struct data_flow *f, struct data_registers *r, const struct ptx_instr *instr)
{
	struct data_visit v = {.registers = r, .changed = &f->changed};
	instr_each_register(instr, note_read, &v);
	v.guarded = instr->guard >= 0;
	v.puts_data = v.data;
	v.puts_local = v.local || (instr->form->op == PTX_OP_CVTA && ptx_form_space(instr->form) == SPACE_LOCAL);
	switch (instr_kind(instr->form)) {
	case PTX_KIND_LOAD:
		v.puts_data |= loads_data(instr, r, f);
		v.puts_local = false;
		break;
	case PTX_KIND_STORE:
		if (space_of(instr, r) == SPACE_LOCAL)
			set_flag(&f->local, stores_data(instr, r), &f->changed);
		if (space_of(instr, r) == SPACE_PARAM)
			set_flag(&f->passed, stores_data(instr, r), &f->changed);
		break;
	case PTX_KIND_CALL:
		set_flag(&f->passed, v.data, &f->changed);
		v.puts_data = f->passed;
		break;
	case PTX_KIND_ATOMIC:
	case PTX_KIND_MATRIX_LOAD:
	case PTX_KIND_GROUP_MMA:
	case PTX_KIND_TILE_LOAD: v.puts_data = true; break;
	default: break;
	}
	instr_each_register(instr, note_write, &v);
}

void simt_data_find(struct arena *arena, const struct ptx_kernel *kernel, struct race_order *order)
{
	struct data_registers *registers = arena_array(arena, struct data_registers, (size_t)kernel->n_parts + 1);
	struct data_flow f = {.changed = true};

	for (int i = 0; i < kernel->n_parts; i++) {
		size_t n = (size_t)kernel->parts[i].code->n_regs + 1;
		registers[i] = (struct data_registers){.data = arena_array(arena, bool, n),
			.local = arena_array(arena, bool, n),
			.last = arena_array(arena, bool, n),
			.block = arena_array(arena, int, n)};
	}
	for (int pass = 0; f.changed && pass < PASSES_MAX; pass++) {
		f.changed = false;
		for (int i = 0; i < kernel->n_parts; i++) {
			const struct ptx_kernel *code = kernel->parts[i].code;
			const struct ptx_signature *s = &code->signature;
			struct race_order *of_part = order + kernel->parts[i].first;
			struct data_registers *r = &registers[i];

			for (int n = 0; n < s->n_params; n++)
				if (s->params[n].type)
					set_flag(&r->data[s->params[n].index], f.passed, &f.changed);
			for (int b = 0; b < code->n_blocks; b++) {
				r->now++;
				for (int k = code->blocks[b].first; k <= code->blocks[b].last; k++) {
					const struct ptx_instr *instr = &code->instrs[k];
					of_part[k].stores_data = instr_kind(instr->form) == PTX_KIND_STORE &&
						stores_data(instr, r);
					follow_instr(&f, r, instr);
				}
			}
			for (int n = 0; n < s->n_results; n++)
				if (s->results[n].type)
					set_flag(&f.passed, r->data[s->results[n].index], &f.changed);
		}
	}
}
