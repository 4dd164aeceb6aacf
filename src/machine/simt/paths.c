#include "machine/simt/warp_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/wgmma.h"

/* --- lists -------------------------------------------------------------------------------------------------------- */

static uint32_t add_join(struct warp *w, uint32_t pc)
{
	*vec_push(w->joins.at, w->joins.n, w->joins.cap) = (struct join){
		.pc = pc, .frame = w->frame, .callee = NO_FRAME, .mask = w->active, .parent = w->join};
	return w->joins.n - 1;
}

static void drop_join(struct warp *w, uint32_t join)
{
	if (w->joins.at[join].callee != NO_FRAME)
		simt_frame_drop(w, w->joins.at[join].callee);
	w->joins.at[join].mask = 0;
	while (w->joins.n && !w->joins.at[w->joins.n - 1].mask)
		w->joins.n--;
}

static struct path *add_path(struct warp *w, uint32_t pc, uint32_t mask)
{
	struct path *path = vec_push(w->paths.at, w->paths.n, w->paths.cap);
	*path = (struct path){.state = PATH_READY, .pc = pc, .frame = w->frame, .mask = mask, .join = w->join};
	return path;
}

/* Lanes return to a call, wherever they are in the function; at other joins they arrive by the program counter. */
static void run_path(struct warp *w, uint32_t pc, uint32_t frame, uint32_t mask, uint32_t join)
{
	w->pc = pc;
	w->active = mask;
	w->join = join;
	w->rpc = join == NO_JOIN || w->joins.at[join].callee != NO_FRAME ? NOWHERE : w->joins.at[join].pc;
	w->state = WARP_RUNS;
	if (frame != w->frame) {
		w->frame = frame;
		simt_frame_view(w, frame);
	}
}

/* --- which path runs -------------------------------------------------------------------------------------------------- */

/* Lets the newest ready path run. False: there is none. */
static bool run_newest(struct warp *w)
{
	for (uint32_t i = w->paths.n; i-- > 0;) {
		struct path p = w->paths.at[i];
		if (p.state != PATH_READY)
			continue;
		w->paths.n--;
		memmove(&w->paths.at[i], &w->paths.at[i + 1], (w->paths.n - i) * sizeof *w->paths.at);
		run_path(w, p.pc, p.frame, p.mask, p.join);
		return true;
	}
	w->active = 0;
	w->join = NO_JOIN;
	w->rpc = NOWHERE;
	w->state = w->live ? WARP_WAITS : WARP_DONE;
	return false;
}

/* Lets the lanes of a complete join go on. True: they run, or there are none and the join around it may be complete. */
static bool leave_join(struct warp *w, uint32_t *join)
{
	struct join j = w->joins.at[*join];
	uint32_t living = j.mask & w->live;

	if (living & ~j.arrived)
		return false;
	drop_join(w, *join);
	*join = j.parent;
	w->active = 0;
	if (living)
		run_path(w, j.pc, j.frame, living, j.parent);
	return true;
}

static void wait_at_join(struct warp *w)
{
	w->joins.at[w->join].arrived |= w->active;
	w->active = 0;
}

/* The running path is over, at `join` or on the way to it: lets the next one run. */
static void run_next(struct warp *w, uint32_t join)
{
	for (;;) {
		while (join != NO_JOIN && leave_join(w, &join)) {
			if (w->active && w->pc != w->rpc)
				return;
			if (w->active)
				wait_at_join(w);
		}
		if (!run_newest(w) || w->pc != w->rpc)
			return;
		join = w->join;
		wait_at_join(w);
	}
}

void simt_paths_arrive(struct warp *w)
{
	uint32_t join = w->join;
	wait_at_join(w);
	run_next(w, join);
}

void simt_paths_next(struct warp *w)
{
	run_next(w, NO_JOIN);
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

static void reconverge_at(struct warp *w, uint32_t pc)
{
	if (pc == w->rpc || pc == NOWHERE)
		return;
	w->join = add_join(w, pc);
	w->rpc = pc;
}

void simt_paths_diverge(struct warp *w, uint32_t taken, uint32_t target, uint32_t reconverge)
{
	uint32_t falls = w->active & ~taken, next = w->pc;

	if (target == next)
		return;
	reconverge_at(w, reconverge);
	if (next == w->rpc) {
		w->joins.at[w->join].arrived |= falls;
		w->active = taken;
		w->pc = target;
		return;
	}
	if (target == w->rpc)
		w->joins.at[w->join].arrived |= taken;
	else
		add_path(w, target, taken);
	w->active = falls;
}

void simt_paths_switch(struct warp *w, const uint32_t target[WARP_SIZE], uint32_t reconverge)
{
	uint32_t rest = w->active;

	reconverge_at(w, reconverge);
	while (rest) {
		uint32_t to = target[__builtin_ctz(rest)], lanes = 0;
		for (uint32_t others = rest; others; others &= others - 1)
			lanes |= target[__builtin_ctz(others)] == to ? others & -others : 0;
		rest &= ~lanes;
		if (to == w->rpc)
			w->joins.at[w->join].arrived |= lanes;
		else
			add_path(w, to, lanes);
	}
	w->active = 0;
	run_next(w, w->join);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

void simt_paths_stay(struct warp *w, uint32_t mask)
{
	reconverge_at(w, w->pc);
	w->joins.at[w->join].arrived |= w->active & ~mask;
	w->active = mask;
}

void simt_paths_call(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t frame)
{
	uint32_t join = add_join(w, w->pc);

	w->joins.at[join].mask = lanes;
	w->joins.at[join].callee = frame;
	if (lanes == w->active) {
		run_path(w, pc, frame, lanes, join);
		return;
	}
	struct path *p = add_path(w, pc, lanes);
	p->frame = frame;
	p->join = join;
	w->active &= ~lanes;
}

void simt_paths_return(struct warp *w, uint32_t lanes)
{
	uint32_t join = w->join;
	for (; w->joins.at[join].callee == NO_FRAME; join = w->joins.at[join].parent)
		w->joins.at[join].mask &= ~lanes;
	w->joins.at[join].arrived |= lanes;
	w->active &= ~lanes;
	if (!w->active)
		run_next(w, w->join);
}

/* --- the end of lanes --------------------------------------------------------------------------------------------- */

void simt_paths_exit(struct warp *w, uint32_t mask)
{
	if (w->async)
		simt_async_end(w, mask);
	w->live &= ~mask;
	w->active &= ~mask;
	if (!w->active)
		run_next(w, w->join);
	simt_converge_update(w);
	simt_barriers_update(w);
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

void simt_paths_park(struct warp *w, const struct code *c, enum path_state state, uint32_t lanes, uint32_t waits_for)
{
	struct path *p = add_path(w, w->pc, lanes);
	p->state = state;
	p->at = c;
	p->waits_for = waits_for;
	w->active &= ~lanes;
}

/* --- independent thread scheduling -------------------------------------------------------------------------------- */

bool simt_paths_rotate(struct warp *w)
{
	bool other = false;
	for (uint32_t i = 0; i < w->paths.n; i++)
		other |= w->paths.at[i].state == PATH_READY;
	if (!other || w->state != WARP_RUNS)
		return false;
	add_path(w, w->pc, w->active);
	struct path last = w->paths.at[w->paths.n - 1];
	memmove(&w->paths.at[1], &w->paths.at[0], (w->paths.n - 1) * sizeof *w->paths.at);
	w->paths.at[0] = last;
	simt_paths_next(w);
	return true;
}

bool simt_paths_loosen(struct warp *w)
{
	if (w->state != WARP_RUNS)
		return false;
	for (uint32_t i = w->join; i != NO_JOIN; i = w->joins.at[i].parent) {
		struct join *j = &w->joins.at[i];
		uint32_t waiting = j->arrived & w->live;
		if (!waiting)
			continue;
		j->mask &= ~waiting;
		j->arrived = 0;
		w->loose = true;
		struct path *p = add_path(w, j->pc, waiting);
		p->join = j->parent;
		p->frame = j->frame;
		return simt_paths_rotate(w);
	}
	return false;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

void simt_paths_start(struct warp *w, uint32_t lanes)
{
	w->paths.n = w->joins.n = 0;
	simt_async_start(w);
	simt_products_free(w);
	w->live = lanes;
	w->loose = false;
	w->barrier = NO_BARRIER;
	w->waits_at = NULL;
	simt_frames_start(w);
	run_path(w, 0, 0, lanes, NO_JOIN);
}

void simt_paths_free(struct warp *w)
{
	free(w->paths.at);
	free(w->joins.at);
	simt_async_free(w);
	simt_products_free(w);
	simt_frames_free(w);
}
