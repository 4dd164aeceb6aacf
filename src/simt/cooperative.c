#include "simt/cooperative.h"

#include <string.h>

#include "base/arena.h"
#include "ptx/instr.h"
#include "simt/code.h"
#include "simt/defect.h"
#include "simt/machine.h"
#include "simt/memory.h"
#include "simt/warp_state.h"

/* As details::grid_workspace. */
struct workspace {
	uint32_t size, barrier;
};

bool simt_workspace_open(struct machine *m)
{
	const struct workspace fresh = {.size = sizeof fresh};
	if (!m->launch->cooperative)
		return true;
	m->workspace = simt_memory_alloc(m->memory, sizeof fresh);
	if (!m->workspace) {
		simt_refuse(m, "there is no memory for the workspace of a cooperative launch");
		return false;
	}
	memcpy(simt_memory_at(m->memory, m->workspace, sizeof fresh), &fresh, sizeof fresh);
	return true;
}

void simt_workspace_close(struct machine *m)
{
	if (m->workspace)
		simt_memory_release(m->memory, m->workspace);
}

/* --- a workspace that is not there --------------------------------------------------------------------------------- */

/* The registers of a kernel or function that its address goes to. */
struct address_flow {
	bool *reaches;
	bool reads, changed; /* the instruction reads one of them; another was found */
};

static void note_read(void *ctx, int32_t reg, enum instr_use use)
{
	struct address_flow *flow = ctx;
	flow->reads |= use == INSTR_READS && flow->reaches[reg];
}

static void note_write(void *ctx, int32_t reg, enum instr_use use)
{
	struct address_flow *flow = ctx;
	if (use == INSTR_READS || flow->reaches[reg])
		return;
	flow->reaches[reg] = flow->changed = true;
}

static bool reads_address(const struct ptx_instr *instr)
{
	for (int i = 0; i < instr->n; i++) {
		const struct ptx_operand *o = &instr->operands[i];
		if (o->kind == PTX_SPECIAL_REG && (o->index == PTX_SPECIAL_ENVREG1 || o->index == PTX_SPECIAL_ENVREG2))
			return true;
	}
	return false;
}

static bool *follow_address(struct arena *arena, const struct ptx_kernel *code)
{
	struct address_flow flow = {.reaches = arena_array(arena, bool, (size_t)code->n_regs + 1), .changed = true};
	while (flow.changed) {
		flow.changed = false;
		for (int i = 0; i < code->n_instrs; i++) {
			const struct ptx_instr *instr = &code->instrs[i];
			flow.reads = reads_address(instr);
			instr_each_register(instr, note_read, &flow);
			if (flow.reads && instr_kind(instr->form) != PTX_KIND_LOAD)
				instr_each_register(instr, note_write, &flow);
		}
	}
	return flow.reaches;
}

/* Whether the address decides if instruction `at` is executed: by its guard, or that of the last branch before it. */
static bool is_decided_by(const struct ptx_kernel *code, int at, const bool *reaches)
{
	if (code->instrs[at].guard >= 0)
		return reaches[code->instrs[at].guard];
	for (int i = at - 1; i >= 0; i--)
		if (instr_kind(code->instrs[i].form) == PTX_KIND_BRANCH && code->instrs[i].guard >= 0)
			return reaches[code->instrs[i].guard];
	return false;
}

/* Code that is not optimized calls a function of cooperative groups to trap. */
static bool is_of_cooperative_groups(const struct ptx_kernel *code)
{
	return !code->entry && strstr(code->name, "18cooperative_groups") != NULL;
}

bool simt_workspace_is_missed(const struct warp *w, const struct code *c)
{
	const struct machine *m = w->m;
	const struct code_unit *unit = w->frames.at[w->frame].unit;
	if (m->launch->cooperative ||
		!(m->program.uses_special[PTX_SPECIAL_ENVREG1] || m->program.uses_special[PTX_SPECIAL_ENVREG2]))
		return false;
	if (is_of_cooperative_groups(unit->code))
		return true;
	struct arena *scratch = arena_new();
	bool missed = is_decided_by(unit->code, (int)(c->index - unit->first), follow_address(scratch, unit->code));
	arena_free(scratch);
	return missed;
}
