/* The memory access that the panes draw: of the instruction that is next, when its addresses can be told from registers,
 * or the last one the followed warp made. */
#include <string.h>

#include "debug/private.h"
#include "profile/profile.h"

/* The machine keeps global memory below all windows of the other spaces (simt/machine.h). */
#define GENERIC_GLOBAL_END ((uint64_t)1 << 56)

static const struct ptx_operand *address_operand(const struct ptx_instr *instr)
{
	for (int i = 0; i < instr->n; i++)
		if (instr->operands[i].kind == PTX_MEM_REG || instr->operands[i].kind == PTX_MEM_VAR)
			return &instr->operands[i];
	return NULL;
}

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static bool op_of(const struct ptx_form *form, enum access_op *op)
{
	*op = starts(form->spelling, "st.")     ? ACCESS_STORE
		: starts(form->spelling, "ld.") ? ACCESS_LOAD
						: ACCESS_ATOMIC;
	return *op != ACCESS_ATOMIC || starts(form->spelling, "atom.") || starts(form->spelling, "red.");
}

static int vector_lanes(const struct ptx_form *form)
{
	const char *name = form->mod[PTX_MOD_VEC] ? ptx_mod_name((enum ptx_mod)form->mod[PTX_MOD_VEC]) : "";
	return strcmp(name, "v2") == 0 ? 2 : strcmp(name, "v4") == 0 ? 4 : 1;
}

static void addresses(const struct debug *debug, const struct ptx_operand *o, uint64_t out[WARP_SIZE])
{
	const struct debug_part *part = &debug->program->parts[debug->program->instrs[debug->now.instr].part];
	bool narrow = o->kind == PTX_MEM_REG && ptx_type_bytes(part->of->code->regs[o->index].type) == 4;
	for (int i = 0; i < WARP_SIZE; i++) {
		uint64_t base = o->kind == PTX_MEM_REG ? debug->registers[part->first_reg + o->index].lanes[i]
						       : part->of->offsets[o->index];
		uint64_t at = base + (uint64_t)o->value;
		out[i] = narrow ? (uint32_t)at : at;
	}
}

/* A variable's address is known for shared memory only; a generic address when it is a global one. */
static bool space_of(
	const struct debug *debug, const struct ptx_instr *instr, const struct ptx_operand *o, struct warp_access *out)
{
	const struct debug_part *part = &debug->program->parts[debug->program->instrs[debug->now.instr].part];
	enum mem_space space = ptx_form_space(instr->form);
	if (o->kind == PTX_MEM_VAR) {
		out->space = SPACE_SHARED;
		return part->of->code->uses[o->index].var->space == SPACE_SHARED;
	}
	out->space = space == SPACE_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
	for (int i = 0; i < WARP_SIZE && space == SPACE_GENERIC; i++)
		if ((out->active >> i & 1) && out->address[i] >= GENERIC_GLOBAL_END)
			return false;
	return space == SPACE_SHARED || space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* As run and the counters take it. */
static void refine(const struct debug *debug, int instr, struct warp_access *access)
{
	struct profile_ops ops = profile_ops(debug->program->kernel, instr);
	uint8_t op = access->space == SPACE_SHARED ? ops.shared : ops.other;
	if (op < ACCESS_OPS_N)
		access->op = (enum access_op)op;
}

static bool next_access(const struct debug *debug, struct warp_access *out)
{
	if (debug->now.instr < 0 || debug->now.n_paths == 0)
		return false;
	const struct ptx_instr *instr = debug->program->instrs[debug->now.instr].code;
	const struct ptx_operand *o = address_operand(instr);
	if (!o || !op_of(instr->form, &out->op))
		return false;
	out->width = (uint8_t)(ptx_type_bytes((enum ptx_type)instr->form->type) * (uint32_t)vector_lanes(instr->form));
	out->active = debug->now.executing;
	addresses(debug, o, out->address);
	if (out->width == 0 || out->width > 16 || !space_of(debug, instr, o, out))
		return false;
	refine(debug, debug->now.instr, out);
	return true;
}

static bool last_access(const struct debug *debug, struct warp_access *out)
{
	const struct simt_site *site = &debug->private->last[debug->warp].site;
	const struct warp_access *last = &debug->private->last[debug->warp].access;
	bool made = (debug->private->has_last >> debug->warp & 1) && site->block == debug->block;
	if (!made || (last->space != SPACE_SHARED && last->space != SPACE_GLOBAL))
		return false;
	*out = *last;
	refine(debug, site->instr, out);
	return true;
}

void access_look(struct debug *debug)
{
	struct debug_access *a = &debug->access;
	*a = (struct debug_access){.when = DEBUG_ACCESS_NEXT, .instr = debug->now.instr};
	if (next_access(debug, &a->access))
		return;
	*a = (struct debug_access){.when = DEBUG_ACCESS_LAST, .instr = debug->private->last[debug->warp].site.instr};
	if (!last_access(debug, &a->access))
		*a = (struct debug_access){.when = DEBUG_ACCESS_NONE, .instr = -1};
}
