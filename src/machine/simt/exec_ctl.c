/* Branches and exits. */

#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/run.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"

EXEC(nothing)
{
	(void)w;
	(void)c;
	(void)mask;
}
PICK_ALWAYS(nothing, nothing)

/* --- branches ----------------------------------------------------------------------------------------------------- */

EXEC(bra)
{
	const struct simt_listener *l = w->m->listener;
	if (l->branch && c->guard >= 0)
		l->branch(l->ctx, simt_warp_site(w, c), w->active, mask);
	if ((w->let_go | w->past) & w->active)
		simt_passed_decide(w, c, mask);
	if (c->condition)
		simt_passed_branch(w, c, mask);
	if (mask == w->active)
		w->pc = c->target;
	else if (mask)
		simt_paths_diverge(w, c, mask);
}
PICK_ALWAYS(ctl_bra, bra)

/* Lanes whose guard is off fall through. An index past the list is undefined in PTX. */
EXEC(brx)
{
	const u32 *index = R(0);
	uint32_t target[WARP_SIZE], past = mask & LANES_WHERE(index[i] >= c->target);

	if (past) {
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = past},
			"a branch with index %u, past the end of a list of %u label%s", index[__builtin_ctz(past)],
			c->target, plural(c->target));
		return;
	}
	for (int i = 0; i < WARP_SIZE; i++)
		target[i] = mask >> i & 1 ? c->elements[index[i]].offset : w->pc;
	simt_paths_switch(w, c, target);
}
PICK_ALWAYS(ctl_brx, brx)

EXEC(fence)
{
	if (w->m->detector)
		simt_watch_fence(w, c, mask);
}
PICK_ALWAYS(ctl_fence, fence)

EXEC(proxy_fence)
{
	(void)c, (void)mask;
	if (w->m->detector)
		simt_watch_proxy_fence(w);
}
PICK_ALWAYS(ctl_proxy_fence, proxy_fence)

EXEC(leave)
{
	(void)c;
	simt_paths_exit(w, mask);
}

EXEC(ret)
{
	(void)c;
	simt_call_return(w, mask);
}

exec_fn *simt_pick_ctl_exit(const struct code *c)
{
	return instr_kind(c->instr->form) == PTX_KIND_RETURN ? ret : leave;
}

EXEC(trap)
{
	simt_fault(w, c, (struct fault){.kind = SIMT_TRAP, .lanes = mask}, "%s",
		simt_workspace_is_missed(w, c)
			? "the whole grid cannot synchronize in a launch that is not cooperative: grid.sync() and its like stop the kernel with trap"
			: "the kernel stopped itself with trap");
}
PICK_ALWAYS(ctl_trap, trap)

EXEC(brkpt)
{
	simt_fault(w, c, (struct fault){.kind = SIMT_TRAP, .lanes = mask},
		"a breakpoint (brkpt) ends a kernel that no debugger watches");
}
PICK_ALWAYS(ctl_brkpt, brkpt)
