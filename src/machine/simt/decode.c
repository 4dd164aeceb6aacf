/* The instructions of a kernel and its functions with everything looked up: executors, offsets of registers, constants,
 * addresses. */
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/ops.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/wgmma.h"

#define OP(id, spelling, types, types2, operands, modifiers, kind, pick, meaning) pick_fn simt_pick_##pick;
#include "machine/ptx/ops.def"
#undef OP

static pick_fn *const picks[PTX_OPS] = {
#define OP(id, spelling, types, types2, operands, modifiers, kind, pick, meaning) [PTX_OP_##id] = simt_pick_##pick,
#include "machine/ptx/ops.def"
#undef OP
};

/* Every warp keeps 256 bytes at offset 0 of its registers for results that are discarded. */
#define SINK_BYTES 256u
#define REGS_MAX ((uint64_t)256 << 20) /* bytes of registers of a block */
#define CONSTS_MAX ((size_t)256 << 20) /* of constants, written out for every lane */

static uint32_t lanes_bytes(enum ptx_type type)
{
	return type == PTX_PRED ? 4 : WARP_SIZE * ptx_slot_bytes(type);
}

/* Widest first, so that each array is aligned to its own size up to a cache line. */
static bool place_registers(struct machine *m, struct code_unit *unit, struct arena *arena)
{
	static const uint32_t sizes[] = {8, 4, 2, 0};
	const struct ptx_kernel *k = unit->code;
	uint64_t at = SINK_BYTES;

	unit->reg_offset = arena_array(arena, uint32_t, (size_t)k->n_regs);
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		for (int i = 0; i < k->n_regs; i++) {
			if (ptx_slot_bytes(k->regs[i].type) != sizes[s])
				continue;
			unit->reg_offset[i] = (uint32_t)at;
			at += lanes_bytes(k->regs[i].type);
		}
	}
	at = (at + 63) / 64 * 64;
	unit->regs_bytes = (uint32_t)at;
	if (at * m->n_warps <= REGS_MAX)
		return true;
	simt_refuse(m, "the registers of a block would take more than %u MiB", (unsigned)(REGS_MAX >> 20));
	return false;
}

/* 32 copies of a constant of `bytes` bytes, or a predicate's mask. */
static struct ref add_constant(struct program *p, enum ptx_type type, uint64_t value)
{
	uint32_t bytes = ptx_slot_bytes(type), size = lanes_bytes(type);
	vec_reserve(p->consts, p->n_consts, p->cap_consts, SINK_BYTES);
	struct ref ref = {BANK_CONSTS, (uint32_t)p->n_consts};
	uint8_t *at = p->consts + p->n_consts;
	p->n_consts += (size + 63) / 64 * 64;
	if (!bytes) {
		uint32_t mask = value ? WARP_FULL_MASK : 0;
		memcpy(at, &mask, 4);
		return ref;
	}
	for (int i = 0; i < WARP_SIZE; i++)
		memcpy(at + (size_t)i * bytes, &value, bytes);
	return ref;
}

struct ref simt_decode_operand(struct program *p, const struct ptx_operand *o, enum ptx_type type, uint8_t *slot)
{
	const struct ptx_kernel *k = p->unit->code;
	*slot = (uint8_t)ptx_slot_bytes(type);
	switch (o->kind) {
	case PTX_REG:
		*slot = (uint8_t)ptx_slot_bytes(k->regs[o->index].type);
		return (struct ref){BANK_REGS, p->unit->reg_offset[o->index]};
	case PTX_SPECIAL_REG:
		/* Only those that the code reads have room, each aligned for any access: most kernels read a few of the
		 * hundred. */
		*slot = (uint8_t)ptx_slot_bytes(ptx_special_type((enum ptx_special)o->index));
		if (!p->uses_special[o->index]) {
			p->uses_special[o->index] = true;
			p->special_offset[o->index] = p->specials_bytes;
			p->specials_bytes += (lanes_bytes(ptx_special_type((enum ptx_special)o->index)) + 63) / 64 * 64;
		}
		return (struct ref){BANK_SPECIALS, p->special_offset[o->index]};
	case PTX_IMM: return add_constant(p, type, (uint64_t)o->value);
	case PTX_VAR: return add_constant(p, type, p->unit->var_address[o->index] + (uint64_t)o->value);
	case PTX_FUNC: return add_constant(p, type, simt_function_address(k->module->functions[o->index]));
	default: return (struct ref){BANK_REGS, 0};
	}
}

static bool reads_clock(const struct ptx_operand *o)
{
	return o->kind == PTX_SPECIAL_REG && o->index >= PTX_SPECIAL_CLOCK && o->index <= PTX_SPECIAL_GLOBALTIMER_HI;
}

/* In the frame of a function: its address is known when it is called. */
static bool is_in_frame(const struct ptx_var *var)
{
	return var->space == SPACE_LOCAL || var->in_frame;
}

/* PTX ISA, mov: the address of a function's parameter is one of local memory. */
static void decode_address(struct program *p, struct code *c, int n, const struct ptx_operand *o)
{
	const struct ptx_kernel *k = p->unit->code;
	enum mem_space space = ptx_form_space(c->instr->form);

	c->offset = o->value;
	c->address = (uint8_t)n;
	if (o->kind == PTX_MEM_REG) {
		c->r[n] = (struct ref){BANK_REGS, p->unit->reg_offset[o->index]};
		c->address_bytes = (uint8_t)ptx_slot_bytes(k->regs[o->index].type);
		c->flags |= space == SPACE_PARAM && !k->entry ? CODE_PASSES : 0;
	} else if (o->kind == PTX_MEM_VAR) {
		c->flags |= is_in_frame(k->uses[o->index].var) ? CODE_FRAME : 0;
		c->flags |= k->uses[o->index].var->in_frame ? CODE_PASSES : 0;
		c->offset += (int64_t)p->unit->var_address[o->index];
		if (space == SPACE_GENERIC)
			space = k->uses[o->index].var->space;
	}
	c->space = (uint8_t)space;
}

/* Room for `n` more elements after those that the instruction has. */
static struct ref *add_elements(struct arena *arena, struct code *c, int n)
{
	struct ref *all = arena_array(arena, struct ref, (size_t)(c->n_elements + n) + 1), *added = all + c->n_elements;
	if (c->n_elements)
		memcpy(all, c->elements, c->n_elements * sizeof *all);
	c->elements = all;
	c->n_elements = (uint8_t)(c->n_elements + n);
	return added;
}

static void decode_vector(struct program *p, struct arena *arena, struct code *c, const struct ptx_operand *o)
{
	static const enum ptx_type of_element[] = {[1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32};
	static const enum ptx_type of_slot[] = {[2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
	struct ref *elements = add_elements(arena, c, o->count);
	enum ptx_type type = form_type(c->instr);
	uint8_t slot;

	/* Elements of a vector of mov are as wide as the operand divided by their number. */
	if (c->instr->form->op == PTX_OP_MOV)
		type = of_element[ptx_type_bytes(type) / o->count];

	/* Constants and `_` are as wide as the registers beside them, which are alike. */
	for (int i = 0; i < o->count; i++) {
		if (o->elements[i].kind != PTX_REG && o->elements[i].kind != PTX_SPECIAL_REG)
			continue;
		simt_decode_operand(p, &o->elements[i], type, &slot);
		type = of_slot[slot];
		break;
	}
	for (int i = 0; i < o->count; i++) {
		elements[i] = simt_decode_operand(p, &o->elements[i], type, &c->slot[0]);
		if (reads_clock(&o->elements[i]))
			c->flags |= CODE_CLOCK;
	}
	c->lanes = o->count;
}

/* The handle of a texture, a sampler or a surface; one that is a parameter has been passed. */
static struct ref decode_handle(struct program *p, const struct machine *m, const struct ptx_operand *o)
{
	uint8_t slot;
	uint64_t handle;
	if (o->kind == PTX_REG || p->unit->code->uses[o->index].var->space != SPACE_PARAM)
		return simt_decode_operand(p, o, PTX_B64, &slot);
	memcpy(&handle, m->params + p->unit->var_address[o->index], sizeof handle);
	return add_constant(p, PTX_B64, handle);
}

/* The coordinates follow the elements of a vector before them. */
static void decode_texture(struct machine *m, struct arena *arena, struct code *c, int n, const struct ptx_operand *o)
{
	struct program *p = &m->program;
	struct ref *coordinates = add_elements(arena, c, o->count - 2);
	uint8_t slot;

	for (int i = 0; i < o->count - 2; i++)
		coordinates[i] = simt_decode_operand(p, &o->elements[2 + i], PTX_B32, &slot);
	c->r[n] = decode_handle(p, m, &o->elements[0]);
	c->has_sampler = o->elements[1].kind != PTX_NONE;
	if (c->has_sampler)
		c->sampler = decode_handle(p, m, &o->elements[1]);
	c->space = SPACE_GLOBAL;
	c->flags |= CODE_TEXTURE;
}

/* Coordinates in a tensor, and the offsets after them. */
static void decode_coordinates(struct program *p, struct arena *arena, struct code *c, const struct ptx_operand *o)
{
	struct ref *coordinates = add_elements(arena, c, o->count);
	enum ptx_type type = o->kind == PTX_VECTOR ? PTX_U16 : PTX_S32;
	uint8_t slot;
	for (int i = 0; i < o->count; i++)
		coordinates[i] = simt_decode_operand(p, &o->elements[i], type, &slot);
}

/* Where a branch inside the unit goes. */
static uint32_t target_of(const struct program *p, int32_t instr)
{
	return instr < p->unit->code->n_instrs ? p->unit->first + (uint32_t)instr : p->n;
}

/* The operands of an instruction but a call, by the letters of its row in ops.def. */
static void decode_operands(struct machine *m, struct arena *arena, struct code *c)
{
	struct program *p = &m->program;
	const struct ptx_instr *instr = c->instr;
	const char *letter = ptx_op_rows[instr->form->op].operands;
	bool has_address = false;

	for (int i = 0; i < instr->n; i++, letter++) {
		const struct ptx_operand *o = &instr->operands[i];
		uint8_t slot = 0;
		letter += *letter == '?';
		bool is_address = *letter == 'm' || *letter == '3';

		if (*letter == 't') {
			struct ref *targets = arena_array(arena, struct ref, (size_t)o->index + 1);
			for (int j = 0; j < o->index; j++)
				targets[j].offset = target_of(p, o->elements[j].index);
			c->elements = targets;
			c->target = (uint32_t)o->index;
		} else if (o->kind == PTX_TEXTURE) {
			decode_texture(m, arena, c, i, o);
		} else if (*letter == '4' && o->kind == PTX_VECTOR) {
			decode_coordinates(p, arena, c, o);
		} else if (o->kind == PTX_VECTOR) {
			decode_vector(p, arena, c, o);
		} else if (o->kind == PTX_LABEL) {
			c->target = target_of(p, o->index);
		} else if (is_address && has_address) { /* the second one, or the third */
			struct code *from = arena_array(arena, struct code, 1), *last = c;
			*from = *c;
			from->address_bytes = 0;
			from->from = NULL;
			decode_address(p, from, i, o);
			while (last->from)
				last = last->from;
			last->from = from;
		} else if (is_address) {
			decode_address(p, c, i, o);
		} else {
			c->r[i] = simt_decode_operand(p, o, ptx_letter_type(instr->form, *letter), &slot);
		}
		has_address |= is_address;

		if (*letter == '3')
			decode_coordinates(p, arena, c, o);
		if (o->kind == PTX_VAR && is_in_frame(p->unit->code->uses[o->index].var)) { /* its address is a sum */
			c->flags |= CODE_FRAME;
			c->offset = (int64_t)p->unit->var_address[o->index] + o->value;
		}
		if (i < 2 && slot)
			c->slot[i] = slot;
		if (o->negated)
			c->invert = WARP_FULL_MASK;
		if (o->second >= 0)
			c->second = (int32_t)p->unit->reg_offset[o->second];
		if (reads_clock(o))
			c->flags |= CODE_CLOCK;
	}
}

/* Whether others can see what it does. Results of functions and local memory are the thread's own. */
static bool acts(const struct ptx_form *form)
{
	switch (instr_kind(form)) {
	case PTX_KIND_ALU:
	case PTX_KIND_FLOAT:
	case PTX_KIND_SPECIAL:
	case PTX_KIND_LONG:
	case PTX_KIND_NO_EFFECT:
	case PTX_KIND_LOAD:
	case PTX_KIND_TEXTURE:
	case PTX_KIND_TEXTURE_QUERY:
	case PTX_KIND_SURFACE_LOAD:
	case PTX_KIND_STACK:
	case PTX_KIND_FENCE:
	case PTX_KIND_BRANCH:
	case PTX_KIND_BRANCH_TABLE:
	case PTX_KIND_CALL:
	case PTX_KIND_RETURN:
	case PTX_KIND_EXIT: return false;
	case PTX_KIND_STORE: return ptx_form_space(form) != SPACE_PARAM && ptx_form_space(form) != SPACE_LOCAL;
	default: return true;
	}
}

static uint32_t flags_of(const struct ptx_instr *instr)
{
	const struct ptx_form *form = instr->form;
	enum ptx_kind kind = instr_kind(form);
	/* An atomic operation on a surface has to be seen as one by other blocks. */
	uint32_t flags = instr_is_strong(form) || kind == PTX_KIND_SURFACE_REDUCTION ? CODE_STRONG : 0;
	/* PTX ISA, ld, st, atom, red, mbarrier: .shared::cluster, and generic addresses but for what waits at an
	 * mbarrier or is given its state. */
	bool reaches_cluster = form->mod[PTX_MOD_SPACE] == PTX_SPACE_SHARED_CLUSTER ||
		ptx_form_space(form) == SPACE_GENERIC;

	switch (kind) {
	case PTX_KIND_BRANCH: return flags | CODE_ALWAYS;
	case PTX_KIND_BARRIER:
	case PTX_KIND_BARRIER_ARRIVE:
	case PTX_KIND_CLUSTER_WAIT:
	case PTX_KIND_CLUSTER_ARRIVE: return flags | CODE_YIELDS;
	case PTX_KIND_LOAD:
	case PTX_KIND_STORE:
	case PTX_KIND_ATOMIC:
	case PTX_KIND_REDUCTION:
		return flags | (ptx_form_space(form) == SPACE_SHARED ? CODE_SHARED : 0) |
			(reaches_cluster ? CODE_CLUSTER : 0);
	case PTX_KIND_MBARRIER_ARRIVE:
		return flags | (reaches_cluster && instr->operands[0].kind != PTX_REG ? CODE_CLUSTER : 0);
	default: return flags;
	}
}

/* Instruction `index` of the unit. */
static bool decode_one(struct machine *m, struct arena *arena, int index)
{
	struct program *p = &m->program;
	const struct ptx_instr *instr = &p->unit->code->instrs[index];
	enum ptx_kind kind = instr_kind(instr->form);
	struct code *c = &p->code[p->unit->first + (uint32_t)index];

	if (!instr_is_known(instr->form)) {
		simt_refuse(m, "unsupported instruction %.100s (PTX line %d)", instr->form->spelling, instr->line);
		return false;
	}
	c->instr = instr;
	c->index = p->unit->first + (uint32_t)index;
	c->next = target_of(p, index + 1);
	c->lanes = 1;
	c->second = -1;
	c->guard = instr->guard < 0 ? -1 : (int32_t)p->unit->reg_offset[instr->guard];
	c->guard_xor = instr->guard_negated ? WARP_FULL_MASK : 0;

	/* Lanes that would reconverge only to end may as well end one by one, so that no lane that waits for the rest
	 * of the warp waits for them. */
	c->reconverge = NOWHERE;
	if (instr->reconverge >= 0) {
		const struct ptx_instr *at = &p->unit->code->instrs[instr->reconverge];
		bool ends = instr_kind(at->form) == PTX_KIND_RETURN || instr_kind(at->form) == PTX_KIND_EXIT;
		if (!ends || at->guard >= 0)
			c->reconverge = p->unit->first + (uint32_t)instr->reconverge;
	}

	c->bytes = (uint8_t)ptx_type_bytes(form_type(instr));
	c->flags = flags_of(instr) | (acts(instr->form) ? CODE_ACTS : 0);
	if (kind == PTX_KIND_CALL) {
		simt_call_decode(p, c, arena);
		c->flags |= c->call->builtin && !simt_math_exec(c->call->builtin) ? CODE_ACTS : 0;
	} else {
		decode_operands(m, arena, c);
	}
	if (kind == PTX_KIND_STORE || kind == PTX_KIND_REDUCTION)
		c->slot[0] = c->elements ? c->slot[0] : c->slot[1];
	simt_converge_decode(c);
	simt_async_decode(c);
	if (kind == PTX_KIND_GROUP_MMA)
		c->space = SPACE_SHARED;
	c->run = picks[instr->form->op](c);
	if (!c->run)
		simt_refuse(m, "the machine does not execute %.100s (PTX line %d)", instr->form->spelling, instr->line);
	return c->run != NULL;
}

/* What has to be known of a unit before calls of it are decoded. */
static bool make_units(struct machine *m, struct arena *arena)
{
	struct program *p = &m->program;
	const struct ptx_kernel *k = p->kernel;

	p->n_units = (uint32_t)k->n_parts;
	p->units = arena_array(arena, struct code_unit, p->n_units);
	p->unit_of = arena_array(arena, int32_t, (size_t)k->module->n_functions + 1);
	for (int i = 0; i < k->module->n_functions; i++)
		p->unit_of[i] = -1;
	for (uint32_t i = 0; i < p->n_units; i++) {
		struct code_unit *unit = &p->units[i];
		unit->code = k->parts[i].code;
		unit->first = (uint32_t)k->parts[i].first;
		unit->first_reg = p->n_regs;
		p->n_regs += (uint32_t)unit->code->n_regs;
		if (i)
			p->unit_of[unit->code->index] = (int32_t)i;
		if (!place_registers(m, unit, arena))
			return false;

		unit->var_address = arena_array(arena, uint64_t, (size_t)unit->code->n_uses);
		for (int j = 0; j < unit->code->n_uses; j++) {
			const struct ptx_var *var = unit->code->uses[j].var;
			bool in_module = var->space == SPACE_GLOBAL || var->space == SPACE_CONST;
			if (in_module && var->is_extern) {
				simt_refuse(m, "%.100s is declared .extern, and nothing defines it", var->name);
				return false;
			}
			unit->var_address[j] = in_module ? m->variables.address[var->index] : k->parts[i].offsets[j];
		}
		if (!simt_call_decode_unit(m, unit, arena))
			return false;
	}
	return true;
}

bool simt_program_decode(struct machine *m, struct arena *arena)
{
	struct program *p = &m->program;

	p->n = (uint32_t)ptx_instr_count(p->kernel);
	p->code = arena_array(arena, struct code, (size_t)p->n + 1);
	if (!make_units(m, arena))
		return false;
	for (uint32_t i = 0; i < p->n_units; i++) {
		p->unit = &p->units[i];
		for (int j = 0; j < p->unit->code->n_instrs; j++) {
			if (!decode_one(m, arena, j))
				return false;
			if (p->n_consts > CONSTS_MAX) {
				simt_refuse(m, "the kernel has more constants than the machine keeps");
				return false;
			}
		}
	}
	simt_wgmma_guard(p, arena);
	simt_arrays_find(m, arena);
	return true;
}
