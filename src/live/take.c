/* What the worker's answer to a plan says. */
#include <inttypes.h>
#include <stdlib.h>

#include "live/private.h"
#include "model/occupancy.h"
#include "ptx/ptx.h"

int live_line(const struct live_plan *plan, const struct probe_event *event)
{
	const struct ptx_place *place = &event->site->place;
	return plan->request.file ? place->line : place->ptx_line;
}

struct probe_event *live_by_clock(struct arena *arena, const struct probe_event *events, size_t n)
{
	struct probe_event *out = arena_array(arena, struct probe_event, n + 1);
	for (size_t i = 0; i < n; i++) {
		size_t at = i;
		for (; at > 0 && out[at - 1].clock > events[i].clock; at--)
			out[at] = out[at - 1];
		out[at] = events[i];
	}
	return out;
}

/* Blocks of the kernel that fit on an SM when a thread has so many registers; 0: not known. */
static uint32_t count_resident(const struct live_plan *plan, int registers, int cc)
{
	const struct launch *launch = plan->request.launch;
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(plan->request.module, launch->kernel, &unheard);
	diag_free(&unheard);
	if (!kernel || registers <= 0)
		return 0;
	struct occupancy_block block = {.threads = launch->block[0] * launch->block[1] * launch->block[2],
		.registers = (uint32_t)registers, .shared = ptx_shared_bytes(kernel) + launch->shared};
	struct occupancy limits = occupancy(cc, &block);
	return limits.state == OCCUPANCY_OK ? limits.blocks : 0;
}

static const char *warn(struct arena *arena, const struct live_plan *plan, const struct wire_stamped *answer, int cc)
{
	if (answer->differs >= 0)
		return arena_printf(arena, "With stamps, argument %d is not what it is without: a race, or an order that the stamps"
			" changed.", answer->differs);
	uint32_t with = count_resident(plan, answer->registers, cc), without = count_resident(plan, answer->plain_registers, cc);
	if (with == without)
		return NULL;
	return arena_printf(arena, "With stamps %u block%s fit%s on an SM, %u without: they take registers.", with,
		with == 1 ? "" : "s", with == 1 ? "s" : "", without);
}

static const char *describe_cut(struct arena *arena, const struct live_plan *plan, const struct probe_log *log)
{
	if (!log->lost)
		return plan->cut;
	return arena_printf(arena, "%s%s%" PRIu64 " stamps of %" PRIu64 " warps had no room", plan->cut ? plan->cut : "",
		plan->cut ? "; " : "", log->lost, log->warps_lost);
}

static bool read_timeline(const struct live_reading *r, struct timelines *out)
{
	switch (r->plan->what) {
	case LIVE_BLOCKS:
		return (out->blocks = live_read_blocks(r)) != NULL;
	case LIVE_SCHEDULE:
		return (out->schedule = live_read_schedule(r)) != NULL;
	default:
		return (out->mask = live_read_mask(r)) != NULL;
	}
}

bool live_take(struct arena *arena, const struct live_plan *plan, const struct wire_stamped *answer,
	const struct live_gpu *gpu, struct timelines *out, const char **warning, struct diag *diag)
{
	struct probe_log log;
	struct diag_pos nowhere = {0};
	if (!probe_read(arena, plan->probe, answer->buffer, answer->bytes, &log, diag))
		return false;
	size_t wrong = probe_implausible(&log, gpu->sms);
	if (wrong) {
		diag_error(diag, nowhere, "%zu of %zu stamps cannot be: another SM than the block's, or a clock that went back", wrong, log.n);
		return false;
	}
	struct live_reading r = {arena, plan, &log, {WITNESS_LIVE, TIMELINE_CYCLES, 1, gpu->where, describe_cut(arena, plan, &log)},
		gpu->sms, count_resident(plan, answer->registers, gpu->cc)};
	if (!read_timeline(&r, out)) {
		diag_error(diag, nowhere, "no stamps of what is watched came back");
		return false;
	}
	*warning = warn(arena, plan, answer, gpu->cc);
	return true;
}
