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

#define IDLE_ROUNDS 2u        /* rounds of polling without a change to memory, after which others run */
#define STEPS_PER_LOOK 16384u /* at the clock: the slowest take some 20 us each */
#define QUIET_ROUNDS 8u       /* of a warp that still may be polling */

/* A block's turn is over when its warps have looked so often at what they had looked at before, and, for each look and warp, not
 * more than so many steps were taken meanwhile; or, where they do more beside, after so many in all. Whatever it does, it is
 * over after a long time, for a block may wait by weak loads, too. */
#define TURN_LOOKS 8u
#define TURN_STEPS_PER_LOOK 64u
#define TURN_STEPS_LOOKING 65536u
#define TURN_STEPS_MAX 1048576u

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
	m->turn.looks = 0;
	m->turn.looked = m->turn.computes = m->turn.in_vain = false;
	for (uint32_t i = 0; i < m->n_warps; i++) {
		struct polling *p = &m->warps[i].polling;
		p->at = p->looks ? p->at : NULL;
		p->looks = 0;
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
	m->quiet.look = STEPS_PER_LOOK;
	m->quiet.news = false;
	m->turn.rotations = 0;
	if (m->cluster_shape.n == 1)
		simt_cluster_new(&m, 1);
	m->turns.warp = 0;
	m->turns.rotations = 0;
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
		w->site = (struct simt_site){.block = block, .warp = i};
		w->carry = 0;
		w->polling = (struct polling){0};
		w->at_cluster = (struct cluster_lanes){0};
		simt_paths_start(w, threads >= WARP_SIZE ? WARP_FULL_MASK : (1u << threads) - 1);
	}
	begin_turn(m);
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

static void end_block(struct machine *m)
{
	m->state = BLOCK_ENDED;
	simt_barriers_end(m);
	simt_products_end(m);
	if (m->detector && simt_team_wait(m)) /* blocks are compared in their order */
		simt_watch_block_end(m);
	simt_cluster_leave(m);
}

static bool for_each_warp(struct machine *m, bool (*does)(struct warp *w))
{
	bool done = false;
	for (uint32_t i = 0; i < m->n_warps; i++)
		done |= does(&m->warps[i]);
	return done;
}

/* A warp is idle when it has polled in enough rounds and memory stayed as it was. It may do something else in between, but
 * not for long: a warp that computes is not to be disturbed. */
static bool is_idle(struct warp *w, bool changed)
{
	w->polling.quiet_rounds = w->polling.polled ? 0 : w->polling.quiet_rounds + 1;
	w->polling.idle_rounds = changed || w->polling.quiet_rounds > QUIET_ROUNDS
		? 0
		: w->polling.idle_rounds + w->polling.polled;
	w->polling.polled = false;
	return w->polling.idle_rounds >= IDLE_ROUNDS;
}

/* Whether all warps that run only poll memory. */
static bool all_idle(struct machine *m)
{
	bool changed = m->turns.changes != m->turns.seen_changes, all = true;

	m->turns.seen_changes = m->turns.changes;
	if (changed)
		m->turns.rotations = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		all &= is_idle(&m->warps[i], changed) || m->warps[i].state != WARP_RUNS;
	return all;
}

static uint32_t most_paths(const struct machine *m)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		most = m->warps[i].paths.n > most ? m->warps[i].paths.n : most;
	return most;
}

/* The block waits: for another path of a warp, and when each has had its turn, for lanes that wait at a join, and when
 * there are none, for another block. */
static void let_others_run(struct machine *m)
{
	for (uint32_t i = 0; i < m->n_warps; i++)
		m->warps[i].polling.idle_rounds = 0;
	if (m->turns.rotations++ < most_paths(m) && for_each_warp(m, simt_paths_rotate))
		return;
	m->turns.rotations = 0;
	if (!for_each_warp(m, simt_paths_loosen))
		m->state = BLOCK_STUCK;
}

/* --- the turn of the block ---------------------------------------------------------------------------------------- */

void simt_block_looks(struct warp *w, const struct code *c)
{
	const struct warp_access *a = &w->m->access;
	uint32_t lane = a->active ? (uint32_t)__builtin_ctz(a->active) : 0;
	struct look look = {.at = a->address[lane] ^ (uint64_t)c->index << 48}, /* addresses are shorter */
		*last = &w->polling.last[c->index % LOOKS];

	simt_mem_read_bytes(&look.value, simt_mem_lane(w->m, (int)lane),
		c->bytes < sizeof look.value ? c->bytes : sizeof look.value);
	if (last->at == look.at) {
		w->polling.at = c;
		w->polling.looks++;
		w->m->turn.looks++;
		w->m->quiet.news |= last->value != look.value;
	}
	*last = look;
}

static bool looks_in_vain(struct machine *m)
{
	struct block_turn *t = &m->turn;
	uint64_t now = m->steps.taken;
	bool often = t->looks >= TURN_LOOKS,
	     dense = often && !t->computes && now - t->since <= (uint64_t)t->looks * m->n_warps * TURN_STEPS_PER_LOOK;

	t->looked |= t->looks > 0;
	if (often || t->computes) {
		t->since = now;
		t->looks = 0;
		t->computes = false;
	}
	return dense || (t->looked && now - t->began >= TURN_STEPS_LOOKING);
}

static bool rotate_looking(struct warp *w)
{
	return w->polling.looks && simt_paths_rotate(w);
}

static bool loosen_looking(struct warp *w)
{
	return w->polling.looks && simt_paths_loosen(w);
}

/* The warps of the block may wait for something though memory changes: as let_others_run, but warps that do not look are not
 * disturbed. */
static void end_turn(struct machine *m)
{
	bool others = m->turn.rotations++ < most_paths(m) && for_each_warp(m, rotate_looking);
	if (!others) {
		m->turn.rotations = 0;
		others = for_each_warp(m, loosen_looking);
	}
	if (others) {
		begin_turn(m);
		return;
	}
	m->turn.in_vain = true;
	m->state = BLOCK_STUCK;
}

static void look_at_turn(struct machine *m)
{
	if (looks_in_vain(m))
		end_turn(m);
	else if (!m->worker && m->steps.taken - m->turn.began >= TURN_STEPS_MAX)
		m->state = BLOCK_STUCK;
}

/* All warps had their turns. */
static void end_round(struct machine *m)
{
	bool left = false, runs = false, idle = all_idle(m);

	for (uint32_t i = 0; i < m->n_warps; i++) {
		left |= m->warps[i].state != WARP_DONE;
		runs |= m->warps[i].state == WARP_RUNS;
	}
	if (!left)
		end_block(m);
	else if (!runs && simt_cluster_waits(m) && !simt_cluster_is_stuck(m))
		m->state = BLOCK_STUCK;
	else if (!runs)
		simt_barriers_deadlock(m);
	else if (idle)
		let_others_run(m);
	else
		look_at_turn(m);
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
		m->result->place = ptx_instr_place(m->program.kernel, m->result->instr);
	m->result->block = m->block;
	m->result->warp = w->index;
	m->result->lanes = w->active;
	return m->result->message;
}

static void report_step_limit(struct warp *w)
{
	snprintf(stop_at(w), sizeof w->m->result->message,
		"the launch was stopped after %" PRIu64 " warp instructions; it may never end", w->m->steps.max);
}

void simt_block_hears(struct machine *m)
{
	if (m->quiet.news)
		m->quiet.since = clock_thread_ms();
	m->quiet.news = false;
}

/* An endless kernel takes minutes to its limit of steps when each is slow. A core of a team gives up sooner, since one core then
 * starts again at the first block. */
static void look_at_clock(struct warp *w)
{
	struct machine *m = w->m;
	uint32_t most = m->launch->limits.quiet_ms;
	struct simt_progress *progress = m->launch->limits.progress;
	m->quiet.look = m->steps.taken + STEPS_PER_LOOK;
	simt_block_hears(m);
	if (progress)
		progress->steps += STEPS_PER_LOOK;
	if (progress && progress->stop && !m->worker) {
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
	progress->steps += m->steps.taken % STEPS_PER_LOOK; /* the others were counted as they were taken */
	progress->blocks++;
}

/* The warp whose turn it is; NULL when the block has ended, is stuck, or has failed. */
struct warp *simt_block_next(struct machine *m)
{
	while (!m->stop && m->state == BLOCK_RUNS) {
		struct warp *w = &m->warps[simt_schedule_warp(m, m->turns.warp)];
		if (w->state == WARP_RUNS && m->turns.left) {
			if (m->steps.taken >= m->quiet.look)
				look_at_clock(w);
			return m->stop ? NULL : w;
		}
		m->turn.computes |= m->steps.taken - m->turn.warp_began >= RUN_STEPS && !w->polling.polled;
		m->turn.warp_began = m->steps.taken;
		m->turns.left = simt_schedule_steps(m);
		m->stop |= m->worker && simt_team_has_given_up(m);
		if (++m->turns.warp == m->n_warps) {
			m->turns.warp = 0;
			end_round(m);
			simt_schedule_round(m);
			if (m->state == BLOCK_RUNS && simt_schedule_yields(m))
				m->state = BLOCK_STUCK;
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
		report_step_limit(w);
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
	if (c->flags & CODE_CLOCK)
		simt_specials_clock(w);
	if (w->undefined)
		simt_undefined_follow(w, c, mask);
	if (mask || c->flags & CODE_ALWAYS)
		c->run(w, c, mask);
	else if (c->flags & CODE_SHARED)
		simt_mem_report_empty(w, c);
	if (w->pc == w->rpc && w->state == WARP_RUNS && !m->stop)
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
