/* Random launch shapes: how many blocks an SM holds, by the model and as counted by the blocks themselves.
 *
 * Some SMs may hold one block less than fits while the kernel runs (seen on an H200: 9 of 10 blocks of six warps); the rule
 * is about the most blocks that any SM held. */
#include "cmd/validate.h"
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/measure.h"
#include "model/validate/pattern.h"

#define FAILURES_MAX 5 /* shapes in a row without results: the GPU is given up */

/* The fewest and the most that any SM held. */
static bool read_resident(const struct wire_measurement *m, int sms, uint32_t *fewest, uint32_t *most)
{
	if (m->n_buffers <= SHAPE_RESULT || m->buffer_bytes[SHAPE_RESULT] != (size_t)sms * sizeof(uint32_t))
		return false;
	*fewest = UINT32_MAX;
	*most = 0;
	for (int i = 0; i < sms; i++) {
		uint32_t n;
		memcpy(&n, (const char *)m->buffers[SHAPE_RESULT] + (size_t)i * sizeof n, sizeof n);
		*fewest = n < *fewest ? n : *fewest;
		*most = n > *most ? n : *most;
	}
	return true;
}

/* The rule is the resource that limits the blocks. */
static const char *rule_of(struct arena *arena, const struct occupancy *o)
{
	const char *names = "";
	for (int r = 0; r < OCCUPANCY_N; r++)
		if (o->limits >> r & 1)
			names = arena_printf(arena, "%s%s%s", names, *names ? " and " : "limited by ",
				occupancy_resource_name((enum occupancy_resource)r));
	return names;
}

static bool try_shape(struct validation *v, struct agreement *agreement, const struct shape *shape, struct arena *arena)
{
	const char *ptx = validate_shape_ptx(arena, shape), *label = arena_printf(arena, "shape %" PRIu64, shape->seed);
	const struct measure_request request = {.ptx = ptx,
		.ptx_len = strlen(ptx),
		.buffers = true,
		.launch = validate_shape_launch(arena, shape, v->info.cc, v->info.sms)};
	const struct wire_measurement *m = measure_launch(v->ctx, v->gpu, label, &request);
	uint32_t fewest, most;
	if (!m)
		return false;
	if (!read_resident(m, v->info.sms, &fewest, &most)) {
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%s: only part of its results was returned", label);
		return false;
	}
	struct occupancy o = validate_shape_occupancy(shape, v->info.cc, m->registers);
	struct buf what = {0};
	validate_shape_describe(shape, m->registers, &what);
	buf_printf(&what, ": predicted %" PRIu32 " block%s of an SM, counted %" PRIu32 " to %" PRIu32, o.blocks,
		o.blocks == 1 ? "" : "s", fewest, most);
	bool same = o.blocks == most;
	const char *again = arena_printf(
		arena, "simttutor validate occupancy --live --seed %" PRIu64 " --count 1", shape->seed);
	validate_agreement_add(agreement,
		validate_agreement_rule(agreement, rule_of(arena, &o), o.state != OCCUPANCY_UNKNOWN_CC),
		same ? NULL : buf_str(&what), again);
	buf_free(&what);
	return true;
}

int cmd_validate_occupancy(struct validation *v)
{
	struct agreement agreement = validate_agreement_new(
		v->ctx->arena, "occupancy", "launch shape", "launch shapes");
	int failures = 0;
	agreement.other = v->gpu_name;
	agreement.seed = v->seed;
	agreement.seeded = true;
	for (uint64_t i = 0; i < v->cases && failures < FAILURES_MAX && !cmd_validate_stopped(); i++) {
		struct arena *arena = arena_new();
		struct shape shape = validate_shape_generate(v->seed + i);
		validate_shape_fit(&shape, v->info.cc);
		cmd_validate_progress(v, "occupancy", i, validate_agreement_violations(&agreement));
		bool ok = try_shape(v, &agreement, &shape, arena);
		failures = ok ? 0 : failures + 1;
		agreement.failed += !ok;
		arena_free(arena);
	}
	agreement.stopped = cmd_validate_stopped();
	return cmd_validate_report_agreement(v, &agreement);
}
