/* The reconvergence stack. Its top is in the warp itself; a frame below waits until those above it have met at the place
 * where it goes on.
 *
 * A branch that splits the active lanes leaves a frame that goes on at the branch's immediate post-dominator with all of
 * them, and runs the sides one after the other, each up to there; the side that falls through is first. When the frame
 * below already waits at that place no new one is needed, so a loop that lanes leave one by one keeps the stack flat. */
#include "base/arena.h"
#include "simt/machine.h"

static void push(struct warp *w, uint32_t pc, uint32_t rpc, uint32_t mask)
{
	if (w->depth == w->cap) {
		w->cap = w->cap ? w->cap * 2 : 16;
		w->stack = base_realloc(w->stack, w->cap * sizeof *w->stack);
	}
	w->stack[w->depth++] = (struct frame){pc, rpc, mask};
}

void warp_pop(struct warp *w)
{
	while (w->depth) {
		struct frame top = w->stack[--w->depth];
		w->active = top.mask & w->live;
		w->pc = top.pc;
		w->rpc = top.rpc;
		if (w->active && w->pc != w->rpc)
			return;
	}
	w->active = 0;
	w->state = WARP_DONE;
}

void warp_diverge(struct warp *w, uint32_t taken, uint32_t target, uint32_t reconverge)
{
	uint32_t falls = w->active & ~taken, next = w->pc;

	if (target == next)
		return;
	if (reconverge != w->rpc && reconverge != NOWHERE) {
		push(w, reconverge, w->rpc, w->active);
		w->rpc = reconverge;
	}
	if (next == w->rpc) {
		w->active = taken;
		w->pc = target;
		return;
	}
	if (target != w->rpc)
		push(w, target, w->rpc, taken);
	w->active = falls;
}

void warp_switch(struct warp *w, const uint32_t target[WARP], uint32_t reconverge)
{
	uint32_t rest = w->active;

	if (reconverge != w->rpc && reconverge != NOWHERE) {
		push(w, reconverge, w->rpc, w->active);
		w->rpc = reconverge;
	}
	while (rest) {
		uint32_t to = target[__builtin_ctz(rest)], lanes = 0;
		for (uint32_t others = rest; others; others &= others - 1)
			lanes |= target[__builtin_ctz(others)] == to ? others & -others : 0;
		rest &= ~lanes;
		if (to != w->rpc)
			push(w, to, w->rpc, lanes);
	}
	warp_pop(w);
}

void warp_exit(struct warp *w, uint32_t mask)
{
	w->live &= ~mask;
	w->active &= ~mask;
	if (!w->active)
		warp_pop(w);
	if (w->state == WARP_DONE)
		barriers_update(w->m);
}
