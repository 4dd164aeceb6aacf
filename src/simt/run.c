/* A launch from beginning to end. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "simt/resident.h"
#include "simt/run.h"

/* --- what all blocks share ----------------------------------------------------------------------------------------- */

static void copy_params(struct machine *m)
{
	uint32_t bytes = m->launch->kernel->param_bytes;
	m->params = arena_alloc(m->arena, bytes + 16u);
	m->params += (16 - (uintptr_t)m->params % 16) % 16;
	if (bytes)
		memcpy(m->params, m->launch->params, bytes);
}

struct machine *launch_open(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	static const struct simt_listener nobody;
	struct machine *m = base_calloc(1, sizeof *m);

	*result = (struct simt_result){.outcome = SIMT_OK, .instr = -1};
	m->launch = launch;
	m->memory = memory;
	m->result = result;
	m->listener = launch->listener ? launch->listener : &nobody;
	m->max_steps = m->left = launch->limits.steps ? launch->limits.steps : SIMT_STEPS_DEFAULT;
	m->program.kernel = launch->kernel;
	m->arena = arena_new();
	if (!launch_check(m) || !globals_init(m))
		return m;
	m->threads = launch->block[0] * launch->block[1] * launch->block[2];
	m->n_warps = (m->threads + WARP - 1) / WARP;
	if (program_decode(m, m->arena))
		copy_params(m);
	return m;
}

void launch_close(struct machine *m)
{
	free(m->program.consts);
	free(m->globals.bytes);
	free(m->constants.bytes);
	arena_free(m->arena);
	free(m);
}

/* --- one core ------------------------------------------------------------------------------------------------------ */

static uint64_t run_serially(struct machine *model, uint64_t first)
{
	struct residents r;
	struct machine *m;

	residents_init(&r, model, first);
	while ((m = residents_current(&r))) {
		block_run(m);
		residents_update(&r);
	}
	uint64_t steps = residents_steps(&r);
	residents_free(&r);
	return steps;
}

void simt_run(const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result)
{
	struct machine *model = launch_open(launch, memory, result);
	if (result->outcome == SIMT_OK)
		result->steps = run_serially(model, 0);
	launch_close(model);
}
