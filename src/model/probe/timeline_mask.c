/* Stamps of every line of one warp -> its masks, one after the other. */
#include "model/probe/timeline_parts.h"

static const uint8_t whats[PROBE_EVENT_KINDS] = {
	[PROBE_LINE] = MASK_LINE,
	[PROBE_ARRIVE] = MASK_ARRIVE,
	[PROBE_LEAVE] = MASK_LEAVE,
	[PROBE_EXIT] = MASK_EXIT,
};

struct mask_timeline *probe_read_mask(const struct probe_reading *r)
{
	const struct probe_log *log = r->log;
	struct mask_timeline *m = arena_alloc(r->arena, sizeof *m);
	const struct probe_event *events = probe_events_by_clock(r->scratch, log->events, log->n);
	*m = (struct mask_timeline){
		.origin = r->origin, .block = r->plan->request.block, .warp = r->plan->request.warp};
	m->steps = arena_array(r->arena, struct mask_step, log->n + 1);
	for (size_t i = 0; i < log->n; i++) {
		const struct probe_event *e = &events[i];
		m->lanes |= e->lanes;
		if (e->site->kind != PROBE_ENTRY)
			m->steps[m->n++] = (struct mask_step){.time = e->clock - events->clock,
				.lanes = e->lanes,
				.line = probe_event_line(r->plan, e),
				.what = whats[e->site->kind]};
	}
	if (!m->n)
		return NULL;
	m->end = m->steps[m->n - 1].time + 1;
	mask_settle(m);
	return m;
}
