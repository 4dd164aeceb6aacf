#include "machine/simt/warp_state.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/simt/async.h"
#include "machine/simt/code.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/wgmma.h"

/* --- lists -------------------------------------------------------------------------------------------------------- */

static uint32_t add_reconverge_point(struct warp *w, uint32_t pc)
{
	*vec_push(w->points.at, w->points.n, w->points.cap) = (struct reconverge_point){
		.pc = pc, .frame = w->frame, .callee = NO_FRAME, .mask = w->active, .parent = w->point};
	return w->points.n - 1;
}

static struct path *add_path(struct warp *w, uint32_t pc, uint32_t mask)
{
	struct path *path = vec_push(w->paths.at, w->paths.n, w->paths.cap);
	*path = (struct path){.state = PATH_READY, .pc = pc, .frame = w->frame, .mask = mask, .point = w->point};
	return path;
}

/* Lanes return to a call, wherever they are in the function; at other reconvergence points they arrive by the program
 * counter. */
static void run_path(struct warp *w, uint32_t pc, uint32_t frame, uint32_t mask, uint32_t point)
{
	w->pc = pc;
	w->active = mask;
	w->point = point;
	w->reconverge_pc = point == NO_POINT || w->points.at[point].callee != NO_FRAME ? NOWHERE
										       : w->points.at[point].pc;
	w->state = WARP_RUNS;
	if (frame != w->frame) {
		w->frame = frame;
		simt_frame_view(w, frame);
	}
}

/* --- which path runs
 * -------------------------------------------------------------------------------------------------- */

/* Lets the newest ready path run. False: there is none. */
static bool run_newest(struct warp *w)
{
	for (uint32_t i = w->paths.n; i-- > 0;) {
		struct path p = w->paths.at[i];
		if (p.state != PATH_READY)
			continue;
		w->paths.n--;
		memmove(&w->paths.at[i], &w->paths.at[i + 1], (w->paths.n - i) * sizeof *w->paths.at);
		run_path(w, p.pc, p.frame, p.mask, p.point);
		return true;
	}
	w->active = 0;
	w->point = NO_POINT;
	w->reconverge_pc = NOWHERE;
	w->state = w->live ? WARP_WAITS : WARP_DONE;
	return false;
}

/* Lets the lanes of a complete reconvergence point go on. True: they run, or there are none and the point around it may
 * be complete. */
static bool leave_reconverge_point(struct warp *w, uint32_t *point)
{
	struct reconverge_point j = w->points.at[*point];
	uint32_t living = j.mask & w->live;

	if (living & ~j.arrived)
		return false;

	uint32_t drop_reconverge_point = *point;
	if (w->points.at[drop_reconverge_point].callee != NO_FRAME)
		simt_frame_drop(w, w->points.at[drop_reconverge_point].callee);
	w->points.at[drop_reconverge_point].mask = 0;
	while (w->points.n && !w->points.at[w->points.n - 1].mask)
		w->points.n--;

	*point = j.parent;
	w->active = 0;
	if (living)
		run_path(w, j.pc, j.frame, living, j.parent);
	return true;
}

static void wait_to_reconverge(struct warp *w)
{
	w->points.at[w->point].arrived |= w->active;
	w->active = 0;
}

/* The running path is over, at `point` or on the way to it: lets the next one run. */
static void run_next(struct warp *w, uint32_t point)
{
	for (;;) {
		while (point != NO_POINT && leave_reconverge_point(w, &point)) {
			if (w->active && w->pc != w->reconverge_pc)
				return;
			if (w->active)
				wait_to_reconverge(w);
		}
		if (!run_newest(w) || w->pc != w->reconverge_pc)
			return;
		point = w->point;
		wait_to_reconverge(w);
	}
}

void simt_paths_arrive(struct warp *w)
{
	uint32_t point = w->point;
	wait_to_reconverge(w);
	run_next(w, point);
}

void simt_paths_next(struct warp *w)
{
	run_next(w, NO_POINT);
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

static void reconverge_at(struct warp *w, uint32_t pc)
{
	if (pc == w->reconverge_pc || pc == NOWHERE)
		return;
	w->point = add_reconverge_point(w, pc);
	w->reconverge_pc = pc;
}

static void note_parting(struct warp *w, const struct code *c, uint32_t some, uint32_t others)
{
	struct parting_list *list = &w->partings;
	uint32_t n = 0;
	for (uint32_t i = 0; i < list->n; i++)
		if ((list->at[i].lanes[0] | list->at[i].lanes[1]) & ~(some | others))
			list->at[n++] = list->at[i];
	if (n == WARP_SIZE)
		memmove(&list->at[0], &list->at[1], --n * sizeof *list->at);
	list->at[n] = (struct parting){.by = c, .lanes = {some, others}};
	list->n = n + 1;
}

void simt_paths_diverge(struct warp *w, const struct code *c, uint32_t taken)
{
	uint32_t falls = w->active & ~taken, next = w->pc, target = c->target;

	if (target == next)
		return;
	note_parting(w, c, taken, falls);
	reconverge_at(w, c->reconverge);
	if (next == w->reconverge_pc) {
		w->points.at[w->point].arrived |= falls;
		w->active = taken;
		w->pc = target;
		return;
	}
	if (target == w->reconverge_pc)
		w->points.at[w->point].arrived |= taken;
	else
		add_path(w, target, taken);
	w->active = falls;
}

void simt_paths_switch(struct warp *w, const struct code *c, const uint32_t target[WARP_SIZE])
{
	uint32_t rest = w->active;

	reconverge_at(w, c->reconverge);
	while (rest) {
		uint32_t to = target[__builtin_ctz(rest)], lanes = 0;
		for (uint32_t others = rest; others; others &= others - 1)
			lanes |= target[__builtin_ctz(others)] == to ? others & -others : 0;
		rest &= ~lanes;
		if (rest)
			note_parting(w, c, lanes, rest);
		if (to == w->reconverge_pc)
			w->points.at[w->point].arrived |= lanes;
		else
			add_path(w, to, lanes);
	}
	w->active = 0;
	run_next(w, w->point);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

void simt_paths_stay(struct warp *w, uint32_t mask)
{
	reconverge_at(w, w->pc);
	w->points.at[w->point].arrived |= w->active & ~mask;
	w->active = mask;
}

void simt_paths_call(struct warp *w, uint32_t lanes, uint32_t pc, uint32_t frame)
{
	uint32_t point = add_reconverge_point(w, w->pc);

	w->points.at[point].mask = lanes;
	w->points.at[point].callee = frame;
	if (lanes == w->active) {
		run_path(w, pc, frame, lanes, point);
		return;
	}
	struct path *p = add_path(w, pc, lanes);
	p->frame = frame;
	p->point = point;
	w->active &= ~lanes;
}

void simt_paths_return(struct warp *w, uint32_t lanes)
{
	uint32_t point = w->point;
	for (; w->points.at[point].callee == NO_FRAME; point = w->points.at[point].parent)
		w->points.at[point].mask &= ~lanes;
	w->points.at[point].arrived |= lanes;
	w->active &= ~lanes;
	if (!w->active)
		run_next(w, w->point);
}

/* --- the end of lanes --------------------------------------------------------------------------------------------- */

void simt_paths_exit(struct warp *w, uint32_t mask)
{
	if (w->async)
		simt_async_end(w, mask);

	/* A compiler may let a return out of a loop take the way of those that stay: lanes that only went to their end
	 * have returned early. */
	for (uint32_t i = 0; i < w->paths.n && mask & w->let_go; i++)
		w->paths.at[i].passed &= ~(mask & w->let_go);
	w->let_go &= ~mask;
	w->live &= ~mask;
	w->active &= ~mask;
	if (!w->active)
		run_next(w, w->point);
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

bool simt_paths_yield_turn(struct warp *w)
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

/* Whether point `outer` is on the way from `point`, or is it. */
static bool is_within(const struct warp *w, uint32_t point, uint32_t outer)
{
	while (point != NO_POINT && point != outer)
		point = w->points.at[point].parent;
	return point == outer;
}

/* The lanes that wait at point `i` go on without the others, as a path that is ready. False: none waits. */
static bool release_waiting(struct warp *w, uint32_t i)
{
	struct reconverge_point *j = &w->points.at[i];
	uint32_t waiting = j->arrived & w->live;
	if (!waiting)
		return false;
	j->mask &= ~waiting;
	j->arrived = 0;
	for (uint32_t k = 0; k < w->paths.n; k++)
		if (w->paths.at[k].state != PATH_READY && is_within(w, w->paths.at[k].point, i) &&
			(j->frame || simt_passed_rejoins(w, &w->paths.at[k], j->pc)))
			w->paths.at[k].passed |= waiting &
				~(j->frame ? 0 : simt_passed_beside(w, &w->paths.at[k], waiting, j->pc));
	w->let_go |= waiting;
	struct path *p = add_path(w, j->pc, waiting);
	p->point = j->parent;
	p->frame = j->frame;
	return true;
}

/* A point is made after the one around it, so the innermost comes first. */
static bool release_innermost(struct warp *w)
{
	for (uint32_t i = w->points.n; i-- > 0;)
		if (w->points.at[i].mask && release_waiting(w, i))
			return true;
	return false;
}

bool simt_paths_yield_reconvergence(struct warp *w)
{
	bool released = false;
	if (w->state != WARP_RUNS)
		return false;
	for (uint32_t i = w->point; i != NO_POINT && !released; i = w->points.at[i].parent)
		released = release_waiting(w, i);
	if (!released && !release_innermost(w))
		return false;
	w->yielded = true;
	return simt_paths_yield_turn(w);
}

bool simt_paths_are_passed(const struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_SYNC && w->paths.at[i].passed & w->live)
			return true;
	return false;
}

bool simt_paths_wait_for_lanes(const struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n && w->barrier == NO_BARRIER; i++)
		if (w->paths.at[i].state == PATH_AT_SYNC ||
			(w->paths.at[i].state == PATH_AT_BARRIER && w->paths.at[i].waits_for != CLUSTER_BARRIER))
			return true;
	return false;
}

bool simt_paths_give_up_reconvergence(struct warp *w)
{
	if (w->state != WARP_WAITS || w->barrier != NO_BARRIER || !release_innermost(w))
		return false;
	simt_paths_next(w);
	return true;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

void simt_paths_start(struct warp *w, uint32_t lanes)
{
	w->paths.n = w->points.n = 0;
	simt_async_start(w);
	simt_wgmma_free(w);
	w->live = lanes;
	w->yielded = false;
	w->let_go = w->past = 0;
	w->partings.n = 0;
	w->barrier = NO_BARRIER;
	w->waits_at = NULL;
	simt_frames_start(w);
	run_path(w, 0, 0, lanes, NO_POINT);
}

void simt_paths_free(struct warp *w)
{
	free(w->paths.at);
	free(w->points.at);
	simt_async_free(w);
	simt_wgmma_free(w);
	simt_frames_free(w);
}
