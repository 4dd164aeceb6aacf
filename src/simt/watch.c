/* Between the machine and the detector: what happens one way, sentences about it the other way. */
#include "simt/watch.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"
#include "race/race.h"
#include "simt/mem.h"

/* --- sentences ---------------------------------------------------------------------------------------------------- */

static const char *const present[] = {
	[ACCESS_LOAD] = "loads",
	[ACCESS_STORE] = "stores to",
	[ACCESS_ATOMIC] = "changes atomically",
};
static const char *const past[] = {
	[ACCESS_LOAD] = "loaded it",
	[ACCESS_STORE] = "stored to it",
	[ACCESS_ATOMIC] = "changed it atomically",
};

static const char *const advice[] = {
	[SIMT_MISSING_SYNCWARP] = "nothing orders the two: a __syncwarp() is missing between",
	[SIMT_MISSING_BARRIER] = "nothing orders the two: a __syncthreads() is missing between",
	[SIMT_MISSING_ORDER] = "nothing orders blocks but atomics, or a flag with __threadfence() on both sides",
	[SIMT_MISSING_FENCE] = "a __threadfence() is missing after the flag was read",
	[SIMT_MISSING_ATOMIC] = "only one of the two is atomic",
	[SIMT_MISSING_SCOPE] = "a scope of one block does not reach another",
	[SIMT_MISSING_SAME_SIZE] = "atomic accesses of different sizes are not atomic to each other",
	[SIMT_MISSING_WAIT] = "the copy has not been waited for",
	[SIMT_MISSING_ONE_VALUE] = "in one instruction, with another value; either may stay",
};

static uint32_t thread_of(const struct simt_side *side)
{
	return side->warp * WARP_SIZE + (uint32_t)side->lane;
}

static void word_race(struct simt_defect *d)
{
	char here[PTX_PLACE_TEXT], other[PTX_PLACE_TEXT], whose[32] = "";
	if (d->other.block != d->here.block)
		snprintf(whose, sizeof whose, " of block %u", d->other.block);
	snprintf(d->message, sizeof d->message,
		"thread %u of block %u %s %s memory at 0x%" PRIx64 " (%s), and thread %u%s %s (%s); %s",
		thread_of(&d->here), d->here.block, present[d->here.op], warp_space_name(d->space), d->address,
		ptx_place_text(&d->here.place, here), thread_of(&d->other), whose, past[d->other.op],
		ptx_place_text(&d->other.place, other), advice[d->missing]);
}

static void word_unwritten(struct simt_defect *d)
{
	snprintf(d->message, sizeof d->message,
		"thread %u of block %u %s %s memory at 0x%" PRIx64 ", which nobody has written", thread_of(&d->here),
		d->here.block, present[d->here.op], warp_space_name(d->space), d->address);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static struct simt_side side_of(const struct machine *m, const struct check_side *side)
{
	return (struct simt_side){.instr = side->instr,
		.place = ptx_instr_place(m->program.kernel, side->instr),
		.accesses = true,
		.op = side->op,
		.block = side->block,
		.warp = side->warp,
		.lanes = side->lanes,
		.lane = side->lane};
}

static void on_finding(void *ctx, const struct check_finding *f)
{
	struct machine *m = ctx;
	struct simt_defect d = {.kind = f->kind,
		.here = side_of(m, &f->here),
		.other.instr = -1,
		.missing = f->missing,
		.space = f->space,
		.address = f->address};
	if (f->kind == SIMT_RACE) {
		d.other = side_of(m, &f->other);
		word_race(&d);
	} else {
		word_unwritten(&d);
	}
	report_defect(m, &d);
}

/* --- the launch, and its blocks ------------------------------------------------------------------------------------- */

void watch_open(struct machine *m)
{
	const uint32_t *grid = m->launch->grid;
	struct check_setup setup = {
		.blocks = (uint64_t)grid[0] * grid[1] * grid[2],
		.threads = m->threads,
		.shared_bytes = m->shared_bytes,
		.local_bytes = m->local_bytes,
		.races = m->checks & SIMT_CHECK_RACE,
		.uninitialised = m->checks & SIMT_CHECK_UNINIT,
		.n_instrs = m->program.n,
	};
	if (!setup.races && !setup.uninitialised)
		return;
	setup.how = check_code(m->arena, m->program.kernel);
	m->check_grid = check_grid_new(&setup);
	for (int i = 0; i < m->memory->n; i++)
		if (m->memory->regions[i].written)
			check_grid_unwritten(m->check_grid, m->memory->regions[i].base, m->memory->regions[i].size,
				m->memory->regions[i].written);
}

void watch_close(struct machine *m)
{
	check_grid_free(m->check_grid);
}

void watch_prepare(struct machine *m)
{
	m->check = m->check_grid ? check_new(m->check_grid, on_finding, m) : NULL;
}

void watch_free(struct machine *m)
{
	check_free(m->check);
	m->check = NULL;
}

uint64_t watch_bytes(const struct machine *m)
{
	return m->check ? check_bytes(m->check) : 0;
}

void watch_block_start(struct machine *m)
{
	check_block_start(m->check, m->block);
}

void watch_block_end(struct machine *m)
{
	check_block_end(m->check);
}

/* --- what happens ------------------------------------------------------------------------------------------------- */

static struct check_stored stored_by(const struct warp *w, const struct code *c)
{
	struct check_stored stored = {.n = c->lanes, .stride = c->slot[0], .bytes = c->bytes};
	for (int e = 0; e < c->lanes; e++)
		stored.lanes[e] = c->elements ? lanes_of(w, c->elements[e]) : R(1);
	return stored;
}

void watch_access(struct warp *w, const struct code *c)
{
	struct machine *m = w->m;
	m->access.instr = (int)c->index;
	m->access.block = m->block;
	m->access.warp = w->index;
	if (c->instr->form->op != PTX_OP_ST) {
		check_access(m->check, &m->access, told_instr(w, c), NULL);
		return;
	}
	struct check_stored stored = stored_by(w, c);
	for (uint32_t left = m->access.active; left; left &= left - 1)
		stored.at[__builtin_ctz(left)] = mem_lane(m, __builtin_ctz(left));
	check_access(m->check, &m->access, told_instr(w, c), &stored);
}

void watch_copy_begins(struct warp *w, const struct code *c, uint32_t lanes)
{
	struct simt_access *a = &w->m->access;
	uint64_t window = c->space == SPACE_GENERIC ? SHARED_WINDOW : 0;
	a->instr = (int)c->index;
	a->block = w->m->block;
	a->warp = w->index;
	a->active = lanes;
	a->space = SPACE_SHARED;
	a->op = ACCESS_STORE;
	a->width = c->bytes;
	for (uint32_t left = lanes; left; left &= left - 1)
		a->address[__builtin_ctz(left)] -= window;
	check_copy_begins(w->m->check, a, told_instr(w, c));
}

void watch_fence(struct warp *w, const struct code *c, uint32_t lanes)
{
	check_fence_by(w->m->check, (int)c->index, w->index, lanes);
}

void watch_warp_sync(struct warp *w, uint32_t lanes)
{
	check_warp_sync(w->m->check, w->index, lanes, w->live);
}

void watch_barrier_come(struct warp *w, uint32_t id, uint32_t lanes)
{
	check_barrier_come(w->m->check, id, w->index, lanes);
}

void watch_barrier_done(struct machine *m, uint32_t id)
{
	uint32_t released[WARP_SIZE], live[WARP_SIZE];
	for (uint32_t i = 0; i < m->n_warps; i++) {
		live[i] = m->warps[i].live;
		released[i] = m->warps[i].barrier == id ? live[i] : 0;
	}
	check_barrier_done(m->check, id, released, live);
}
