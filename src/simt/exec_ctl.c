/* Branches, exits and barriers. */
#include "simt/lanes.h"

EXEC(nothing)
{
	(void)w;
	(void)c;
	(void)mask;
}

exec_fn *pick_nothing(const struct code *c)
{
	(void)c;
	return nothing;
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

EXEC(bra)
{
	const struct simt_listener *l = w->m->listener;
	if (l->branch && c->guard >= 0) {
		struct simt_branch branch = {(int)c->index, w->m->block, w->index, w->active, mask};
		l->branch(l->ctx, &branch);
	}
	if (mask == w->active)
		w->pc = c->target;
	else if (mask)
		warp_diverge(w, mask, c->target, c->reconverge);
}

exec_fn *pick_ctl_bra(const struct code *c)
{
	(void)c;
	return bra;
}

/* Lanes whose guard is off fall through. An index past the list is undefined in PTX. */
EXEC(brx)
{
	const u32 *index = R(0);
	uint32_t target[WARP], past = mask & LANES_WHERE(index[i] >= c->target);

	if (past) {
		defect(w, c, SIMT_OUT_OF_BOUNDS, past, 0, "a branch with index %u, past the end of a list of %u label%s",
			index[__builtin_ctz(past)], c->target, plural(c->target));
		return;
	}
	for (int i = 0; i < WARP; i++)
		target[i] = mask >> i & 1 ? c->elements[index[i]].offset : w->pc;
	warp_switch(w, target, c->reconverge);
}

exec_fn *pick_ctl_brx(const struct code *c)
{
	(void)c;
	return brx;
}

exec_fn *pick_ctl_call(const struct code *c)
{
	(void)c;
	return NULL;
}

EXEC(leave)
{
	(void)c;
	warp_exit(w, mask);
}

exec_fn *pick_ctl_exit(const struct code *c)
{
	(void)c;
	return leave;
}

EXEC(trap)
{
	defect(w, c, SIMT_TRAP, mask, 0, "the kernel stopped itself with trap");
}

exec_fn *pick_ctl_trap(const struct code *c)
{
	(void)c;
	return trap;
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* What bar.red gives its warps when the barrier is complete. */
static void give_result(struct warp *w, const struct barrier *b)
{
	const struct code *c = w->waits_at;
	uint32_t mask = w->active;
	switch (c->instr->form->op) {
	case PTX_OP_BARRIER_RED_POPC:
	case PTX_OP_BAR_RED_POPC: {
		u32 *d = R(0);
		FOR_LANES(mask, d[i] = b->count);
		break;
	}
	case PTX_OP_BARRIER_RED_AND:
	case PTX_OP_BAR_RED_AND: set_pred(R(0), mask, b->all ? FULL_MASK : 0); break;
	case PTX_OP_BARRIER_RED_OR:
	case PTX_OP_BAR_RED_OR: set_pred(R(0), mask, b->any ? FULL_MASK : 0); break;
	}
}

static void release(struct machine *m, uint32_t id)
{
	struct barrier *b = &m->barriers[id];
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		if (w->state != WARP_WAITS || w->barrier != id)
			continue;
		give_result(w, b);
		w->state = WARP_RUNS;
	}
	*b = (struct barrier){0};
}

void barriers_update(struct machine *m)
{
	uint32_t live = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		live += m->warps[i].state != WARP_DONE;
	for (uint32_t id = 0; id < BARRIERS; id++) {
		const struct barrier *b = &m->barriers[id];
		if (b->arrived && b->arrived >= (b->expected ? b->expected : live))
			release(m, id);
	}
}

/* The count that a barrier is given, in warps; 0 with a defect when it is none. */
static uint32_t warps_expected(struct warp *w, const struct code *c, uint32_t mask, uint32_t threads)
{
	if (threads && threads % WARP == 0)
		return threads / WARP;
	defect(w, c, SIMT_BARRIER_MISSING, mask, 0, "a barrier waits for a multiple of 32 threads, not for %u", threads);
	return 0;
}

/* bar.red and barrier.red: a destination, the barrier, a count that may be missing, the predicate. */
static bool reduces(const struct code *c)
{
	return c->instr->n == 4;
}

static void arrive(struct warp *w, const struct code *c, uint32_t mask, uint32_t id, uint32_t expected, bool waits)
{
	struct barrier *b = &w->m->barriers[id];
	if (!b->arrived)
		b->all = 1;
	b->arrived++;
	b->expected = expected;
	if (reduces(c)) {
		uint32_t held = get_pred(w, c, 3) & mask;
		b->all &= held == mask;
		b->any |= held != 0;
		b->count += (uint32_t)__builtin_popcount(held);
	}
	if (waits) {
		w->state = WARP_WAITS;
		w->barrier = id;
		w->waits_at = c;
	}
	barriers_update(w->m);
}

EXEC(bar)
{
	uint16_t op = c->instr->form->op;
	int lane = __builtin_ctz(mask), first = reduces(c);
	uint32_t id = ((const u32 *)R(first))[lane], expected = 0;

	if (mask != w->live) {
		uint32_t missing = w->live & ~mask;
		defect(w, c, SIMT_BARRIER_DIVERGENT, missing, 0, "%d lane%s of the warp do%s not come to this barrier with the others",
			__builtin_popcount(missing), plural((uint64_t)__builtin_popcount(missing)),
			__builtin_popcount(missing) == 1 ? "es" : "");
		return;
	}
	if (id >= BARRIERS) {
		defect(w, c, SIMT_BARRIER_MISSING, mask, 0, "there is no barrier %u; they go from 0 to %d", id, BARRIERS - 1);
		return;
	}
	if (c->instr->n > first + 1 && c->instr->operands[first + 1].kind != PTX_NONE) {
		expected = warps_expected(w, c, mask, ((const u32 *)R(first + 1))[lane]);
		if (!expected)
			return;
	}
	arrive(w, c, mask, id, expected, op != PTX_OP_BAR_ARRIVE && op != PTX_OP_BARRIER_ARRIVE);
}

exec_fn *pick_ctl_bar(const struct code *c)
{
	(void)c;
	return bar;
}

uint32_t mask_group(uint32_t left, const uint32_t *members)
{
	uint32_t named = members[__builtin_ctz(left)], group = 0;
	for (uint32_t rest = left; rest; rest &= rest - 1)
		group |= members[__builtin_ctz(rest)] == named ? rest & -rest : 0;
	return group;
}

/* Lanes that a mask of *.sync names have to come together: those that live and are not here are a defect, for the machine
 * runs the sides of a branch one after the other and nobody would meet them. */
bool mask_fits(struct warp *w, const struct code *c, uint32_t mask, const uint32_t *members)
{
	for (uint32_t left = mask, group; left; left &= ~group) {
		group = mask_group(left, members);
		uint32_t named = members[__builtin_ctz(group)], absent = named & w->live & ~mask;
		uint32_t unnamed = group & ~named, others = named & mask & ~group;
		if (absent)
			defect(w, c, SIMT_BAD_MASK, absent, 0, "mask 0x%08X names lanes that do not take part", named);
		else if (unnamed)
			defect(w, c, SIMT_BAD_MASK, unnamed, 0, "mask 0x%08X does not name lane %d, which executes it", named,
				__builtin_ctz(unnamed));
		else if (others)
			defect(w, c, SIMT_BAD_MASK, others, 0, "mask 0x%08X names lanes that give another mask", named);
		if (w->m->stop)
			return false;
	}
	return true;
}

EXEC(warp_sync)
{
	mask_fits(w, c, mask, R(0));
}

exec_fn *pick_ctl_warp_sync(const struct code *c)
{
	(void)c;
	return warp_sync;
}
