/* What the worker's answer to a plan says. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/ptx.h"
#include "model/hardware/occupancy.h"
#include "model/probe/timeline_parts.h"

static const char *const names[PROBE_TIMELINES] =
	{[PROBE_TIMELINE_BLOCKS] = "blocks", [PROBE_TIMELINE_SCHEDULE] = "schedule", [PROBE_TIMELINE_MASK] = "mask"};

enum probe_timeline_kind probe_timeline_find(const char *name)
{
	int what = 0;
	while (what < PROBE_TIMELINES && strcmp(names[what], name) != 0)
		what++;
	return (enum probe_timeline_kind)what;
}

int probe_event_line(const struct probe_timeline_plan *plan, const struct probe_event *event)
{
	const struct ptx_place *place = &event->site->place;
	return plan->request.file ? place->line : place->ptx_line;
}

struct probe_event *probe_events_by_clock(struct arena *arena, const struct probe_event *events, size_t n)
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
static uint32_t count_resident(const struct probe_timeline_plan *plan, int registers, int cc)
{
	const struct launch *launch = plan->request.launch;
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(plan->request.module, launch->kernel, &unheard);
	diag_free(&unheard);
	if (!kernel || registers <= 0)
		return 0;
	struct occupancy_block block = {.threads = (uint32_t)warp_dim_volume(launch->block),
		.registers = (uint32_t)registers,
		.shared = ptx_shared_bytes(kernel) + launch->shared};
	struct occupancy limits = occupancy(cc, &block);
	return limits.state == OCCUPANCY_OK ? limits.blocks : 0;
}

static void add_clause(struct buf *cut)
{
	if (cut->len)
		buf_puts(cut, "; ");
}

/* What is not in the picture, or is otherwise than without stamps; NULL: nothing. */
static const char *describe_cut(struct probe_reading *r, const struct wire_stamped *answer, int cc)
{
	const struct probe_timeline_plan *plan = r->plan;
	uint32_t without = count_resident(plan, answer->plain_registers, cc);
	struct buf cut = {0};
	if (plan->cut)
		buf_puts(&cut, plan->cut);
	if (r->log->lost) {
		add_clause(&cut);
		buf_printf(&cut, "%" PRIu64 " stamp%s of %" PRIu64 " warp%s had no room", r->log->lost,
			r->log->lost == 1 ? "" : "s", r->log->warps_lost, r->log->warps_lost == 1 ? "" : "s");
	}
	if (plan->what != PROBE_TIMELINE_MASK && r->resident != without) {
		add_clause(&cut);
		buf_printf(&cut, "stamps take registers: %u block%s on an SM, %u without", r->resident,
			r->resident == 1 ? "" : "s", without);
	}
	const char *out = cut.len ? arena_strndup(r->arena, buf_str(&cut), cut.len) : NULL;
	buf_free(&cut);
	return out;
}

static bool read_timeline(const struct probe_reading *r, struct timelines *out)
{
	switch (r->plan->what) {
	case PROBE_TIMELINE_BLOCKS: return (out->blocks = probe_read_blocks(r)) != NULL;
	case PROBE_TIMELINE_SCHEDULE: return (out->schedule = probe_read_schedule(r)) != NULL;
	default: return (out->mask = probe_read_mask(r)) != NULL;
	}
}

/* The reading has its arenas and its plan. */
static bool read_stamps(
	struct probe_reading *r, const struct probe_timeline_answer *answer, struct timelines *out, struct diag *diag)
{
	const struct wire_stamped *stamped = answer->stamped;
	struct probe_log log;
	struct diag_pos nowhere = {0};
	if (!probe_read(r->scratch, r->plan->probe, (struct probe_bytes){stamped->buffer, stamped->bytes}, &log, diag))
		return false;
	size_t wrong = probe_implausible(&log, answer->gpu.sms);
	if (wrong) {
		diag_error(diag, nowhere,
			"%zu of %zu stamps cannot be: another SM than the block's, or a clock that went back", wrong,
			log.n);
		return false;
	}
	r->log = &log;
	r->sms = answer->gpu.sms;
	r->resident = count_resident(r->plan, stamped->registers, answer->gpu.cc);
	r->origin = (struct timeline_origin){
		WITNESS_LIVE, TIMELINE_CYCLES, 1, answer->gpu.where, describe_cut(r, stamped, answer->gpu.cc)};
	if (read_timeline(r, out))
		return true;
	diag_error(diag, nowhere, "no stamps of what is watched came back");
	return false;
}

bool probe_timeline_read(struct arena *arena, const struct probe_timeline_answer *answer, struct timelines *out,
	const char **warning, struct diag *diag)
{
	struct arena *scratch = arena_new();
	struct probe_reading reading = {.arena = arena, .scratch = scratch, .plan = answer->plan};
	bool ok = read_stamps(&reading, answer, out, diag);
	int differs = answer->stamped->differs;
	arena_free(scratch);
	*warning = !ok || differs < 0 ? NULL
				      : arena_printf(arena,
						"With stamps, argument %d is not what it is without: a"
						" race, or an order that the stamps changed.",
						differs);
	return ok;
}
