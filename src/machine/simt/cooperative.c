#include "machine/simt/run.h"

#include <string.h>

#include "base/arena.h"
#include "machine/ptx/instr.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/warp_state.h"

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

/* The registers of a kernel or function that its address goes to. Code that is not optimized also keeps it in memory. */
struct address_flow {
	bool *reaches;
	bool stored;
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

static bool names_address(const struct ptx_instr *instr)
{
	for (int i = 0; i < instr->n; i++) {
		const struct ptx_operand *o = &instr->operands[i];
		if (o->kind == PTX_SPECIAL_REG && (o->index == PTX_SPECIAL_ENVREG1 || o->index == PTX_SPECIAL_ENVREG2))
			return true;
	}
	return false;
}

static bool may_load_address(const struct ptx_form *form)
{
	enum mem_space space = ptx_form_space(form);
	return (space == SPACE_LOCAL || space == SPACE_GENERIC) && ptx_type_bytes((enum ptx_type)form->type) == 8;
}

static bool *follow_address(struct arena *arena, const struct ptx_kernel *code)
{
	struct address_flow flow = {.reaches = arena_array(arena, bool, (size_t)code->n_regs + 1), .changed = true};
	while (flow.changed) {
		flow.changed = false;
		for (int i = 0; i < code->n_instrs; i++) {
			const struct ptx_instr *instr = &code->instrs[i];
			enum ptx_kind kind = instr_kind(instr->form);
			flow.reads = names_address(instr);
			instr_each_register(instr, note_read, &flow);
			if (kind == PTX_KIND_STORE) {
				flow.changed |= flow.reads && !flow.stored;
				flow.stored |= flow.reads;
			} else if (kind == PTX_KIND_LOAD ? flow.stored && may_load_address(instr->form) : flow.reads) {
				instr_each_register(instr, note_write, &flow);
			}
		}
	}
	return flow.reaches;
}

/* The predicate that decides if instruction `at` is executed: its guard, or that of the last branch before it; -1: there is none. */
static int32_t deciding_predicate(const struct ptx_kernel *code, int at)
{
	if (code->instrs[at].guard >= 0)
		return code->instrs[at].guard;
	for (int i = at - 1; i >= 0; i--)
		if (instr_kind(code->instrs[i].form) == PTX_KIND_BRANCH && code->instrs[i].guard >= 0)
			return code->instrs[i].guard;
	return -1;
}

/* The trap may be in a function that does nothing else. */
static bool is_decided_by_address(struct arena *arena, const struct warp *w, const struct code *c)
{
	const struct code *at = c;
	for (uint32_t frame = w->frame; at; frame = w->frames.at[frame].caller) {
		const struct code_unit *unit = w->frames.at[frame].unit;
		int32_t predicate = deciding_predicate(unit->code, (int)(at->index - unit->first));
		if (predicate >= 0)
			return follow_address(arena, unit->code)[predicate];
		at = frame ? w->frames.at[frame].call : NULL;
	}
	return false;
}

bool simt_workspace_is_missed(const struct warp *w, const struct code *c)
{
	const struct program *p = &w->m->program;
	if (w->m->launch->cooperative ||
		!(p->uses_special[PTX_SPECIAL_ENVREG1] || p->uses_special[PTX_SPECIAL_ENVREG2]))
		return false;
	struct arena *scratch = arena_new();
	bool missed = is_decided_by_address(scratch, w, c);
	arena_free(scratch);
	return missed;
}
