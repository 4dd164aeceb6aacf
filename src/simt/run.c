/* A launch from beginning to end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "simt/block.h"
#include "simt/code.h"
#include "simt/cooperative.h"
#include "simt/machine.h"
#include "simt/memory.h"
#include "simt/resident.h"
#include "simt/run.h"
#include "simt/standing.h"
#include "simt/team.h"
#include "simt/watch.h"

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
	m->steps.max = m->steps.left = launch->limits.steps ? launch->limits.steps : SIMT_STEPS_DEFAULT;
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
	model->steps.left = r->left;
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

static void run_blocks(struct machine *model)
{
	struct residents r;
	struct machine *m;
	bool may = !model->launch->order && !model->launch->cooperative && simt_team_possible(model);

	simt_residents_init(&r, model, 0);
	do {
		if (may && calls_for_team(model, &r)) {
			may = false;
			try_team(model, &r);
		}
		m = simt_residents_current(&r);
		if (m) {
			simt_block_run(m);
			simt_residents_update(&r);
		}
	} while (m && !(model->launch->limits.progress && model->launch->limits.progress->stop));
	model->result->steps = simt_residents_steps(&r);
	model->result->ended = !r.failed;
	note_interruption(model);
	if (model->result->outcome == SIMT_LIMIT)
		simt_standing_find(&r, &model->result->standing);
	simt_residents_free(&r);
}

void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct machine *model = simt_launch_open(launch, memory, result);
	if (result->outcome == SIMT_OK)
		run_blocks(model);
	simt_launch_close(model);
}
