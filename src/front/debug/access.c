/* The memory access that the panes draw: of the instruction that is next, when its addresses can be computed from
 * registers, or the last one the followed warp made. */

#include "front/debug/private.h"
#include "machine/ptx/instr.h"
#include "model/profile/profile.h"

/* The machine keeps global memory below all windows of the other spaces (machine/simt/machine.h). */
#define GENERIC_GLOBAL_END ((uint64_t)1 << 56)

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

/* As run and the counters take it. */
static void refine(const struct debug *debug, int instr, struct warp_access *access)
{
	struct instr_counted counted = instr_counted_as(debug->program->kernel, instr);
	uint8_t op = access->space == SPACE_SHARED ? counted.shared : counted.other;
	if (op < ACCESS_OPS_N)
		access->op = (enum access_op)op;
}

bool debug_instr_goes_to_memory(const struct debug *debug, int instr)
{
	const struct ptx_instr *code = debug->program->instrs[instr].code;
	struct instr_access access[INSTR_ACCESSES_MAX];
	int n = instr_accesses(code, access);
	for (int i = 0; i < n; i++) {
		enum mem_space space = access[i].space;
		if (space == SPACE_SHARED || space == SPACE_GLOBAL || space == SPACE_GENERIC)
			return true;
	}
	return false;
}

static bool next_access(const struct debug *debug, struct warp_access *out)
{
	if (debug->now.instr < 0 || debug->now.n_paths == 0)
		return false;
	const struct ptx_instr *instr = debug->program->instrs[debug->now.instr].code;
	struct instr_access access[INSTR_ACCESSES_MAX];

	/* Others have an address of their own in each lane, but it does not say alone where they go. */
	enum ptx_kind kind = instr_kind(instr->form);
	bool is_plain = kind == PTX_KIND_LOAD || kind == PTX_KIND_STORE || instr_is_atomic(instr->form);
	if (!is_plain || !instr_accesses(instr, access))
		return false;
	const struct ptx_operand *o = &instr->operands[access->operand];
	if (o->kind != PTX_MEM_REG && o->kind != PTX_MEM_VAR)
		return false;
	out->op = access->op;
	out->width = access->width;
	out->active = debug->now.executing;
	addresses(debug, o, out->address);
	if (out->width == 0 || out->width > 16)
		return false;

	/* A variable's address is known for shared memory only; a generic address when it is a global one. */
	const struct debug_part *part = &debug->program->parts[debug->program->instrs[debug->now.instr].part];
	enum mem_space space = ptx_form_space(instr->form);
	if (o->kind == PTX_MEM_VAR) {
		out->space = SPACE_SHARED;
		if (part->of->code->uses[o->index].var->space != SPACE_SHARED)
			return false;
	} else {
		out->space = space == SPACE_SHARED ? SPACE_SHARED : SPACE_GLOBAL;
		for (int i = 0; i < WARP_SIZE && space == SPACE_GENERIC; i++)
			if ((out->active >> i & 1) && out->address[i] >= GENERIC_GLOBAL_END)
				return false;
		if (space != SPACE_SHARED && space != SPACE_GLOBAL && space != SPACE_GENERIC)
			return false;
	}

	refine(debug, debug->now.instr, out);
	return true;
}

void debug_access_look(struct debug *debug)
{
	struct debug_access *a = &debug->access;
	*a = (struct debug_access){.when = DEBUG_ACCESS_NEXT, .instr = debug->now.instr};
	if (next_access(debug, &a->access))
		return;
	*a = (struct debug_access){
		.when = DEBUG_ACCESS_LAST, .instr = debug->private->accesses.last[debug->warp].site.instr};

	const struct simt_site *site = &debug->private->accesses.last[debug->warp].site;
	const struct warp_access *last = &debug->private->accesses.last[debug->warp].access;
	bool made = (debug->private->accesses.has >> debug->warp & 1) && site->block == debug->block;
	if (made && (last->space == SPACE_SHARED || last->space == SPACE_GLOBAL)) {
		a->access = *last;
		refine(debug, site->instr, &a->access);
	} else {
		*a = (struct debug_access){.when = DEBUG_ACCESS_NONE, .instr = -1};
	}
}
