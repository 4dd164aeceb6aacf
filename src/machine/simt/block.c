/* One block: its warps have turns of RUN_STEPS warp instructions. */
#include "machine/simt/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/portable.h"
#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/mem.h"
#include "machine/simt/memory.h"
#include "machine/simt/run.h"
#include "machine/simt/undefined.h"
#include "machine/simt/warp_state.h"
#include "machine/simt/watch.h"
#include "machine/simt/wgmma.h"

#define IDLE_ROUNDS 2u         /* rounds of polling without a change to memory, after which others run */
#define STEPS_PER_CLOCK 16384u /* between readings of the clock: the slowest take some 20 us each */
#define QUIET_ROUNDS 8u        /* of a warp that still may be polling */

/* A block's turn is over when its warps have polled so often what they had polled before, and, for each poll and warp,
 * not more than so many steps were taken meanwhile; or, where they do more beside, after so many in all. Whatever it
 * does, it is over after a long time, for a block may wait by weak loads, too. */
#define TURN_POLLS 8u
#define TURN_STEPS_PER_POLL 64u
#define TURN_STEPS_POLLING 65536u
#define TURN_STEPS_MAX 1048576u
#define ADDRESS_BITS 48 /* addresses have no more */

/* --- memory of a block -------------------------------------------------------------------------------------------- */

static uint8_t *alloc_aligned(struct arena *arena, size_t bytes)
{
	uintptr_t at = (uintptr_t)arena_alloc(arena, bytes + 64);
	return (uint8_t *)((at + 63) / 64 * 64);
}

/* Makes the warps and shared memory of `m`, whose program is decoded; its arena is its own. */
void simt_block_prepare(struct machine *m)
{
	m->warps = arena_array(m->arena, struct warp, m->n_warps);
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		w->m = m;
		w->index = i;
		w->frames.at = base_calloc(1, sizeof *w->frames.at);
		w->frames.n = w->frames.cap = 1;
		w->frames.at[0].unit = m->program.units;
		w->frames.at[0].regs = w->bank[BANK_REGS] = alloc_aligned(m->arena, m->program.units->regs_bytes);
		w->frames.at[0].local_end = m->local_bytes;
		w->bank[BANK_CONSTS] = m->program.consts;
		w->bank[BANK_SPECIALS] = alloc_aligned(m->arena, m->program.specials_bytes);
		w->local.bytes = w->local.first = alloc_aligned(m->arena, (size_t)m->local_room * WARP_SIZE);
		w->local.size = w->local.charged = m->local_room;
		simt_specials_launch(w);
		simt_passed_prepare(w);
	}
	m->host.last_region = arena_array(m->arena, const struct region *, m->program.n);
	m->shared.bytes = alloc_aligned(m->arena, m->shared.size);
	m->owner = m;
	simt_watch_prepare(m);
}

void simt_block_free(struct machine *m)
{
	for (uint32_t i = 0; m->warps && i < m->n_warps; i++)
		simt_paths_free(&m->warps[i]);
	m->warps = NULL;
	simt_cluster_leave(m);
	simt_undefined_forget(m);
	simt_watch_free(m);
}

static void begin_turn(struct machine *m)
{
	m->turn.began = m->turn.since = m->turn.warp_began = m->steps.taken;
	m->turn.polls = 0;
	m->turn.polled = m->turn.computes = m->turn.in_vain = m->turn.by_chance = false;
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct polling *p = &m->warps[i].polling;
		p->at = p->polls ? p->at : NULL;
		p->polls = 0;
	}
}

void simt_block_resume(struct machine *m)
{
	m->state = BLOCK_RUNS;
	begin_turn(m);
}

void simt_block_start(struct machine *m, uint32_t block)
{
	m->block = block;
	m->state = BLOCK_RUNS;
	m->steps.taken = 0;
	m->quiet.check_at = STEPS_PER_CLOCK;
	m->quiet.found_value = false;
	m->turn.yields = 0;
	if (m->cluster_shape.n == 1)
		simt_cluster_new(&m, 1);
	m->turns.warp = 0;
	m->turns.yields = 0;
	m->turns.chance = simt_schedule_seed(m->launch->order, block);
	simt_schedule_round(m);
	m->turns.left = simt_schedule_steps(m);
	memset(m->shared.bytes, 0, m->shared.size);
	simt_undefined_forget(m);
	memset(m->barriers, 0, sizeof m->barriers);
	if (m->detector)
		simt_watch_block_start(m);
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct warp *w = &m->warps[i];
		uint32_t threads = m->threads - i * WARP_SIZE;
		memset(w->frames.at[0].regs, 0, m->program.units->regs_bytes);
		memset(w->frames.at[0].stack_used, 0, sizeof w->frames.at[0].stack_used);
		simt_specials_block(w);
		simt_passed_begin(w);
		w->site = (struct simt_site){.block = block, .warp = i};
		w->carry = 0;
		w->polling = (struct polling){0};
		w->at_cluster = (struct cluster_lanes){0};
		simt_paths_start(w, threads >= WARP_SIZE ? WARP_FULL_MASK : (1u << threads) - 1);
	}
	begin_turn(m);
}

/* --- forward progress --------------------------------------------------------------------------------------------- */

void simt_block_note_poll(struct warp *w, const struct code *c)
{
	const struct warp_access *a = &w->m->access;
	uint32_t lane = a->active ? (uint32_t)__builtin_ctz(a->active) : 0;
	struct poll poll = {.at = a->address[lane] ^ (uint64_t)c->index << ADDRESS_BITS},
		    *last = &w->polling.last[c->index % POLLS];

	simt_mem_read_bytes(&poll.value, simt_mem_lane(w->m, (int)lane),
		c->bytes < sizeof poll.value ? c->bytes : sizeof poll.value);
	if (last->at == poll.at) {
		w->polling.at = c;
		w->polling.polls++;
		w->m->turn.polls++;
		w->m->quiet.found_value |= last->value != poll.value;
	}
	*last = poll;
}

uint64_t simt_block_polled(const struct warp *w)
{
	const struct code *c = w->polling.at;
	return w->polling.last[c->index % POLLS].at ^ (uint64_t)c->index << ADDRESS_BITS;
}

/* Whether the block does little else than poll words of global memory that it has polled before. */
static bool polls_in_vain(struct machine *m)
{
	struct block_turn *t = &m->turn;
	uint64_t now = m->steps.taken;
	bool often = t->polls >= TURN_POLLS,
	     dense = often && !t->computes && now - t->since <= (uint64_t)t->polls * m->n_warps * TURN_STEPS_PER_POLL;

	t->polled |= t->polls > 0;
	if (often || t->computes) {
		t->since = now;
		t->polls = 0;
		t->computes = false;
	}
	return dense || (t->polled && now - t->began >= TURN_STEPS_POLLING);
}

enum yielding { ALL_WARPS, POLLING_WARPS };

/* Lets other paths of the warps run, and when each has had its turn, lanes that wait at reconvergence points; `*yields`
 * counts the turns. False: there are no others. */
static bool yield_paths(struct machine *m, enum yielding which, uint32_t *yields)
{
	uint32_t most = 0;
	bool others = false;

	for (uint32_t i = 0; i < m->n_warps; i++)
		most = m->warps[i].paths.n > most ? m->warps[i].paths.n : most;
	if ((*yields)++ < most)
		for (uint32_t i = 0; i < m->n_warps; i++)
			if (which == ALL_WARPS || m->warps[i].polling.polls)
				others |= simt_paths_yield_turn(&m->warps[i]);
	if (others)
		return true;

	*yields = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (which == ALL_WARPS || m->warps[i].polling.polls)
			others |= simt_paths_yield_reconvergence(&m->warps[i]);
	return others;
}

/* All warps had their turns. */
static void end_round(struct machine *m)
{
	bool changed = m->turns.changes != m->turns.seen_changes, left = false, runs = false, idle = true;

	m->turns.seen_changes = m->turns.changes;
	if (changed)
		m->turns.yields = 0;

	/* Only lanes of the warp itself let a path go on that waits at a *.sync or for the rest of its warp at a
	 * barrier, so those that the machine holds back at a reconvergence point are let go. */
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (m->warps[i].state == WARP_WAITS && simt_paths_wait_for_lanes(&m->warps[i]))
			simt_paths_give_up_reconvergence(&m->warps[i]);

	/* A warp is idle when it has polled in enough rounds and memory stayed as it was. It may do something else in
	 * between, but not for long: a warp that computes is not to be disturbed. */
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct polling *p = &m->warps[i].polling;
		p->quiet_rounds = p->polled ? 0 : p->quiet_rounds + 1;
		p->idle_rounds = changed || p->quiet_rounds > QUIET_ROUNDS ? 0 : p->idle_rounds + p->polled;
		p->polled = false;
		left |= m->warps[i].state != WARP_DONE;
		runs |= m->warps[i].state == WARP_RUNS;
		idle &= p->idle_rounds >= IDLE_ROUNDS || m->warps[i].state != WARP_RUNS;
	}

	if (!left) {
		m->state = BLOCK_ENDED;
		simt_barriers_end(m);
		simt_wgmma_end(m);
		if (m->detector && m->worker)
			simt_team_block_end(m);
		else if (m->detector)
			simt_watch_block_end(m);
		simt_cluster_leave(m);
	} else if (!runs && simt_cluster_waits(m) && !simt_cluster_is_stuck(m)) {
		m->state = BLOCK_STUCK;
	} else if (!runs) {
		bool goes_on = false;
		for (uint32_t i = 0; i < m->n_warps; i++)
			goes_on |= simt_paths_give_up_reconvergence(&m->warps[i]);
		if (!goes_on && simt_cluster_goes_on(m))
			m->state = BLOCK_STUCK;
		else if (!goes_on)
			simt_barriers_deadlock(m);
	} else if (idle) {
		/* All warps that run only poll: the block waits for another of its paths or, when there is none, for
		 * another block. */
		for (uint32_t i = 0; i < m->n_warps; i++)
			m->warps[i].polling.idle_rounds = 0;
		if (!yield_paths(m, ALL_WARPS, &m->turns.yields))
			m->state = BLOCK_STUCK;
	} else if (polls_in_vain(m)) {
		/* They may wait for something though memory changes; warps that do not poll are not disturbed. */
		if (yield_paths(m, POLLING_WARPS, &m->turn.yields)) {
			begin_turn(m);
		} else {
			m->turn.in_vain = true;
			m->state = BLOCK_STUCK;
		}
	} else if (!m->worker && m->steps.taken - m->turn.began >= TURN_STEPS_MAX) {
		m->state = BLOCK_STUCK;
	}
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

/* Ends the launch for a limit; returns where the message goes. */
static char *stop_at(struct warp *w)
{
	struct machine *m = w->m;
	m->stop = true;
	m->result->outcome = SIMT_LIMIT;
	m->result->instr = w->pc < m->program.n ? (int)w->pc : -1;
	if (m->result->instr >= 0)
		m->result->place = ptx_reported_location(m->program.kernel, m->result->instr);
	m->result->block = m->block;
	m->result->warp = w->index;
	m->result->lanes = w->active;
	return m->result->message;
}

void simt_block_note_progress(struct machine *m)
{
	if (m->quiet.found_value)
		m->quiet.since = clock_thread_ms();
	m->quiet.found_value = false;
}

/* An endless kernel takes minutes to its limit of steps when each is slow. A core of a team gives up sooner, since one
 * core then starts again at the first block. */
static void check_clock(struct warp *w)
{
	struct machine *m = w->m;
	uint32_t most = m->launch->limits.quiet_ms;
	struct simt_progress *progress = m->launch->limits.progress;
	m->quiet.check_at = m->steps.taken + STEPS_PER_CLOCK;
	simt_block_note_progress(m);
	if (progress)
		progress->steps += STEPS_PER_CLOCK;
	if (progress && progress->look != progress->seen && m->worker)
		simt_team_look(m);
	if (progress && progress->stop) {
		snprintf(stop_at(w), sizeof m->result->message, "the launch was interrupted");
		m->result->interrupted = true;
		return;
	}
	if (!most || clock_thread_ms() - m->quiet.since < (m->worker ? most / 2 : most))
		return;
	snprintf(stop_at(w), sizeof m->result->message,
		"the launch was stopped: no block has ended within %g s of a core's time, nor found anything new where it waits; it may never end",
		most / 1e3);
}

void simt_block_count(struct machine *m)
{
	struct simt_progress *progress = m->launch->limits.progress;
	if (!progress)
		return;
	progress->steps += m->steps.taken % STEPS_PER_CLOCK; /* the others were counted as they were taken */
	progress->blocks++;
}

/* The warp whose turn it is; NULL when the block has ended, is stuck, or has failed. */
struct warp *simt_block_next(struct machine *m)
{
	while (!m->stop && m->state == BLOCK_RUNS) {
		struct warp *w = &m->warps[simt_schedule_warp(m, m->turns.warp)];
		if (w->state == WARP_RUNS && m->turns.left) {
			if (m->steps.taken >= m->quiet.check_at)
				check_clock(w);
			return m->stop ? NULL : w;
		}
		m->turn.computes |= m->steps.taken - m->turn.warp_began >= RUN_STEPS && !w->polling.polled;
		m->turn.warp_began = m->steps.taken;
		m->turns.left = simt_schedule_steps(m);
		m->stop |= m->worker && simt_team_is_over(m);
		if (++m->turns.warp == m->n_warps) {
			m->turns.warp = 0;
			end_round(m);
			simt_schedule_round(m);
			if (m->state == BLOCK_RUNS && simt_schedule_yields(m)) {
				m->turn.by_chance = true;
				m->state = BLOCK_STUCK;
			}
		}
	}
	return NULL;
}

static inline __attribute__((always_inline)) void step(
	struct machine *m, struct warp *w, const struct simt_listener *listener)
{
	if (w->pc >= m->program.n) { /* fell off the end */
		simt_call_return(w, w->active);
		return;
	}
	if (m->steps.taken >= m->steps.end) {
		snprintf(stop_at(w), sizeof w->m->result->message,
			"the launch was stopped after %" PRIu64 " warp instructions; it may never end",
			w->m->steps.max);
		return;
	}
	const struct code *c = &m->program.code[w->pc];
	uint32_t mask = w->active;
	if (c->guard >= 0)
		mask &= *(const u32 *)(w->bank[BANK_REGS] + c->guard) ^ c->guard_xor;
	m->steps.taken++;
	m->turns.left--;
	if (listener->step)
		listener->step(listener->ctx, simt_warp_site(w, c), w->active, mask);
	w->pc = c->next;
	if ((w->let_go | w->past) & mask && c->flags & CODE_ACTS)
		simt_passed_act(w, c, mask);
	if (c->flags & CODE_CLOCK)
		simt_specials_clock(w);
	if (w->undefined)
		simt_undefined_follow(w, c, mask);
	if (mask || c->flags & CODE_ALWAYS)
		c->run(w, c, mask);
	else if (c->flags & CODE_SHARED)
		simt_mem_report_empty(w, c);
	if (w->pc == w->reconverge_pc && w->state == WARP_RUNS && !m->stop)
		simt_paths_arrive(w);
	if (c->flags & CODE_YIELDS)
		m->turns.left = 0;
}

void simt_block_step(struct warp *w)
{
	step(w->m, w, w->m->listener);
}

/* Runs the block until it ends, is stuck, or fails. */
void simt_block_run(struct machine *m)
{
	const struct simt_listener *listener = m->listener;
	struct warp *w;
	while ((w = simt_block_next(m)))
		while (w->state == WARP_RUNS && m->turns.left && !m->stop)
			step(m, w, listener);
}
