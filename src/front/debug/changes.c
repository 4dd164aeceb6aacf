/* What the reader has put into registers and memory: it belongs to the launch from then on, and happens again when that is run again. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "front/debug/private.h"

static void apply_change(struct debug *debug, const struct debug_change *c)
{
	struct simt_session *session = debug->private->session;
	if (c->reg >= 0) {
		simt_session_put_register(session, c->block, c->warp, c->reg, c->lanes, c->value);
		return;
	}
	for (uint32_t left = c->lanes; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		simt_session_put(
			session, c->block, c->warp, (uint32_t)lane, c->address[lane], &c->value[lane], c->bytes);
	}
}

void debug_changes_apply(struct debug *debug, uint64_t step)
{
	const struct debug_changes *all = &debug->private->changes;
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].step == step)
			apply_change(debug, &all->at[i]);
}

void debug_change_add(struct debug *debug, const struct debug_change *change)
{
	struct debug_changes *all = &debug->private->changes;
	while (all->n && all->at[all->n - 1].step > debug->step)
		all->n--; /* of another future */
	struct debug_change *c = vec_push(all->at, all->n, all->cap);
	*c = *change;
	c->step = debug->step;
	c->block = debug->block;
	c->warp = debug->warp;
	debug->private->furthest = debug->step;
	apply_change(debug, c);
	/* What is now may differ from what was: another guard may hold. */
	simt_session_next(debug->private->session, &debug->next);
	debug_look(debug);
}

void debug_changes_free(struct debug *debug)
{
	free(debug->private->changes.at);
}

/* --- commands --------------------------------------------------------------------------------------------------------- */

void debug_changes_write(const struct debug *debug, struct buf *out)
{
	const struct debug_changes *all = &debug->private->changes;
	for (size_t i = 0; i < all->n; i++)
		buf_printf(out, "step %" PRIu64 "  block %" PRIu32 " warp %" PRIu32 "  %s\n", all->at[i].step,
			all->at[i].block, all->at[i].warp, all->at[i].text);
	if (!all->n)
		buf_puts(out, "nothing has been changed\n");
}

bool debug_change_undo(struct debug *debug)
{
	struct debug_changes *all = &debug->private->changes;
	if (!all->n)
		return false;
	uint64_t step = all->at[--all->n].step;
	debug->private->furthest = step < debug->private->furthest ? step : debug->private->furthest;
	debug_job_again(debug, step);
	return true;
}
