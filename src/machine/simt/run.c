/* A launch from beginning to end. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "machine/simt/block.h"
#include "machine/simt/code.h"
#include "machine/simt/cooperative.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/resident.h"
#include "machine/simt/run.h"
#include "machine/simt/standing.h"
#include "machine/simt/team.h"
#include "machine/simt/watch.h"

/* --- what all blocks share ----------------------------------------------------------------------------------------- */

static void copy_params(struct machine *m)
{
	uint32_t bytes = m->launch->kernel->param_bytes;
	m->params = arena_alloc(m->arena, bytes + 16u);
	m->params += (16 - (uintptr_t)m->params % 16) % 16;
	if (bytes)
		memcpy(m->params, m->launch->params, bytes);
}

static struct simt_report *new_report_of_one(struct arena *arena)
{
	struct simt_report *report = arena_alloc(arena, sizeof *report);
	*report = (struct simt_report){.defects = arena_alloc(arena, sizeof *report->defects), .cap = 1};
	return report;
}

struct machine *simt_launch_open(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	static const struct simt_listener no_listener;
	struct machine *m = base_calloc(1, sizeof *m);

	*result = (struct simt_result){.outcome = SIMT_OK, .instr = -1};
	m->launch = launch;
	m->memory = memory;
	m->result = result;
	m->listener = launch->listener ? launch->listener : &no_listener;
	m->checks = launch->checks ? launch->checks : SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN | SIMT_CHECK_SYNC;
	m->steps.max = m->steps.end = launch->limits.steps ? launch->limits.steps : SIMT_STEPS_DEFAULT;
	m->program.kernel = launch->kernel;
	m->arena = arena_new();
	m->report = launch->report ? launch->report : new_report_of_one(m->arena);
	if (!simt_launch_check(m) || !simt_globals_init(m))
		return m;
	m->threads = launch->block[0] * launch->block[1] * launch->block[2];
	m->n_warps = (uint32_t)warp_count(m->threads);
	copy_params(m);
	if (!simt_program_decode(m, m->arena))
		return m;
	if (!simt_workspace_open(m))
		return m;
	if (m->program.uses_heap)
		simt_heap_open(m->memory);
	simt_watch_open(m);
	simt_order_find(m);
	return m;
}

void simt_launch_close(struct machine *m)
{
	simt_watch_close(m);
	simt_workspace_close(m);
	free(m->program.consts);
	simt_globals_close(m);
	arena_free(m->arena);
	free(m);
}

/* --- one core, and then several ------------------------------------------------------------------------------------- */

#define TEAM_AFTER 20000u /* steps; with fewer the threads cost more than they save */

/* A team is tried once, between blocks. What the detector remembers of blocks cannot be undone, so it has to begin with
 * the team, and again after one that gave up. */
static bool calls_for_team(const struct machine *model, const struct residents *r)
{
	uint64_t after = model->race_grid ? 0 : TEAM_AFTER;
	return !r->n && r->steps >= after && r->next + 1 < r->end && !r->failed && simt_residents_may_clear_all(r);
}

static void try_team(struct machine *model, struct residents *r)
{
	uint64_t steps;
	simt_steps_allow(model, r->left);
	if (simt_team_run(model, r->next, &steps)) {
		r->steps += steps;
		r->left -= steps;
		r->next = r->end;
	} else if (model->race_grid) {
		simt_watch_close(model);
		simt_watch_open(model);
	}
}

/* A team that was asked to stop has left blocks out. */
static void note_interruption(struct machine *model)
{
	const struct simt_progress *progress = model->launch->limits.progress;
	struct simt_result *r = model->result;
	if (!progress || !progress->stop || r->outcome != SIMT_OK)
		return;
	r->outcome = SIMT_LIMIT;
	r->interrupted = true;
	r->ended = false;
	snprintf(r->message, sizeof r->message, "the launch was interrupted");
}

/* --- turns -------------------------------------------------------------------------------------------------------- */

#define TURN_STEPS 1000000u /* about, of a launch before others have their turn */

struct simt_turns {
	struct machine *model;
	struct simt_result *result;
	struct residents residents;
	bool may_team, ended;
	uint32_t in_vain; /* turns of blocks, one after the other, that found nothing new */
	double left;      /* when the last turn was over, by clock_thread_ms */
};

struct simt_turns *simt_begin(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct simt_turns *t = base_calloc(1, sizeof *t);
	t->result = result;
	t->model = simt_launch_open(launch, memory, result);
	t->ended = result->outcome != SIMT_OK;
	if (t->ended)
		return t;
	t->may_team = !launch->order && !launch->limits.through && !launch->cooperative && simt_team_possible(t->model);
	simt_residents_init(&t->residents, t->model, 0);
	t->left = clock_thread_ms();
	return t;
}

static void end_launch(struct simt_turns *t)
{
	t->ended = true;
	t->result->steps = simt_residents_steps(&t->residents);
	t->result->ended = !t->residents.failed;
	t->result->communicates = simt_watch_communicates(t->model);
	note_interruption(t->model);
	if (t->result->outcome == SIMT_LIMIT)
		simt_standing_find(&t->residents, &t->result->standing);
	simt_residents_free(&t->residents);
}

/* One turn of one block, or all blocks by a team. */
static bool run_block(struct simt_turns *t)
{
	struct residents *r = &t->residents;
	const struct simt_progress *progress = t->model->launch->limits.progress;
	if (t->may_team && calls_for_team(t->model, r)) {
		t->may_team = false;
		try_team(t->model, r);
	}
	struct machine *m = simt_residents_current(r);
	if (!m)
		return false;
	simt_block_run(m);
	t->in_vain = m->state == BLOCK_STUCK && m->steps.taken - m->turn.began < TURN_STEPS ? t->in_vain + 1 : 0;
	simt_residents_update(r);
	if (simt_residents_are_through(r) && t->result->outcome == SIMT_OK) {
		simt_limit(t->model, "the launch was stopped after block %" PRIu64 " of %" PRIu64,
			t->model->launch->limits.through - 1, r->end);
		return false;
	}
	return !(progress && progress->stop);
}

enum simt_turn simt_continue(struct simt_turns *t)
{
	if (t->ended)
		return SIMT_TURN_ENDED;
	uint64_t began = t->residents.left;
	t->residents.quiet_since += clock_thread_ms() - t->left;
	t->in_vain = 0;
	do {
		if (!run_block(t)) {
			end_launch(t);
			return SIMT_TURN_ENDED;
		}
	} while (began - t->residents.left < TURN_STEPS && t->in_vain <= t->residents.n);
	t->left = clock_thread_ms();
	return t->in_vain > t->residents.n ? SIMT_TURN_WAITS : SIMT_TURN_RAN;
}

void simt_end(struct simt_turns *t)
{
	if (!t->ended)
		end_launch(t);
	simt_launch_close(t->model);
	free(t);
}

void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct simt_turns *t = simt_begin(launch, memory, result);
	while (simt_continue(t) != SIMT_TURN_ENDED)
		;
	simt_end(t);
}
