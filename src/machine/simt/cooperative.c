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

/* --- a workspace that is not there
 * --------------------------------------------------------------------------------- */

/* The registers of a kernel or function that its address goes to. Code that is not optimized also keeps it in
 * memory. */
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

/* The predicate that decides if instruction `at` is executed: its guard, or that of the last branch before it; -1:
 * there is none. */
static int32_t deciding_predicate(const struct ptx_kernel *code, int at)
{
	if (code->instrs[at].guard >= 0)
		return code->instrs[at].guard;
	for (int i = at - 1; i >= 0; i--)
		if (instr_kind(code->instrs[i].form) == PTX_KIND_BRANCH && code->instrs[i].guard >= 0)
			return code->instrs[i].guard;
	return -1;
}

bool simt_workspace_is_missed(const struct warp *w, const struct code *c)
{
	const struct program *p = &w->m->program;
	if (w->m->launch->cooperative ||
		!(p->uses_special[PTX_SPECIAL_ENVREG1] || p->uses_special[PTX_SPECIAL_ENVREG2]))
		return false;

	/* The trap may be in a function that does nothing else. */
	int32_t predicate = -1;
	const struct code_unit *unit = NULL;
	const struct code *at = c;
	for (uint32_t frame = w->frame; at && predicate < 0; frame = w->frames.at[frame].caller) {
		unit = w->frames.at[frame].unit;
		predicate = deciding_predicate(unit->code, (int)(at->index - unit->first));
		at = frame ? w->frames.at[frame].call : NULL;
	}
	if (predicate < 0)
		return false;
	struct arena *scratch = arena_new();

	/* Follow the address until no further register is found to hold it. */
	const struct ptx_kernel *code = unit->code;
	struct address_flow flow = {.reaches = arena_array(scratch, bool, (size_t)code->n_regs + 1), .changed = true};
	while (flow.changed) {
		flow.changed = false;
		for (int i = 0; i < code->n_instrs; i++) {
			const struct ptx_instr *instr = &code->instrs[i];
			const struct ptx_form *form = instr->form;
			enum mem_space space = ptx_form_space(form);
			bool may_load = flow.stored && (space == SPACE_LOCAL || space == SPACE_GENERIC) &&
				ptx_type_bytes((enum ptx_type)form->type) == 8;

			flow.reads = false;
			for (int n = 0; n < instr->n; n++)
				flow.reads |= instr->operands[n].kind == PTX_SPECIAL_REG &&
					(instr->operands[n].index == PTX_SPECIAL_ENVREG1 ||
						instr->operands[n].index == PTX_SPECIAL_ENVREG2);
			instr_each_register(instr, note_read, &flow);
			if (instr_kind(form) == PTX_KIND_STORE) {
				flow.changed |= flow.reads && !flow.stored;
				flow.stored |= flow.reads;
			} else if (instr_kind(form) == PTX_KIND_LOAD ? may_load : flow.reads) {
				instr_each_register(instr, note_write, &flow);
			}
		}
	}

	bool missed = flow.reaches[predicate];
	arena_free(scratch);
	return missed;
}
