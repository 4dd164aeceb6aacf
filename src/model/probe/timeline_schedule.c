/* Stamps of ends, barriers and a line -> the warps of one SM and their phases. */
#include <stdlib.h>

#include "machine/ptx/instr.h"
#include "model/probe/timeline_parts.h"

/* Of one warp, between two of its stamps. */
struct warp_record {
	uint32_t alive, waiting; /* lanes that have not ended; lanes at a barrier */
	int line, barrier;       /* the last watched line passed; that of the barrier */
};

static bool waits_there(const struct probe_event *e)
{
	return instr_kind(e->site->code->instrs[e->site->instr].form) == PTX_KIND_BARRIER;
}

static void pass(const struct probe_timeline_plan *plan, const struct probe_event *e, struct warp_record *s)
{
	s->waiting &= ~e->lanes;
	switch (e->site->kind) {
	case PROBE_ENTRY: s->alive |= e->lanes; break;
	case PROBE_EXIT: s->alive &= ~e->lanes; break;
	case PROBE_ARRIVE:
		s->waiting |= waits_there(e) ? e->lanes : 0;
		s->barrier = probe_event_line(plan, e);
		break;
	case PROBE_LINE: s->line = probe_event_line(plan, e); break;
	default: break;
	}
}

/* A warp waits when all of its lanes do. */
static void add_span(const struct warp_record *s, uint64_t start, uint64_t end, struct phase_span *spans, size_t *n)
{
	bool waits = s->waiting && s->waiting == s->alive;
	struct phase_span span = {start, end, waits ? s->barrier : s->line, waits ? PHASE_BARRIER : PHASE_RUN};
	struct phase_span *before = *n ? &spans[*n - 1] : NULL;
	if (end <= start)
		return;
	if (before && before->phase == span.phase && before->line == span.line && before->end == start)
		before->end = end;
	else
		spans[(*n)++] = span;
}

static struct warp_row read_row(
	const struct probe_reading *r, const struct probe_event *events, size_t n, uint64_t first)
{
	struct phase_span *spans = arena_array(r->arena, struct phase_span, n + 1);
	const struct probe_event *e = probe_events_by_clock(r->scratch, events, n);
	struct warp_record state = {0};
	struct warp_row row = {.block = (uint32_t)e->block,
		.warp = e->warp,
		.slot = e->slot,
		.scheduler = (int8_t)(e->slot % TIMELINE_SCHEDULERS),
		.start = e->clock - first,
		.end = e[n - 1].clock - first + 1,
		.spans = spans};
	for (size_t i = 0; i < n; i++) {
		pass(r->plan, &e[i], &state);
		if (i + 1 < n)
			add_span(&state, e[i].clock - first, e[i + 1].clock - first, spans, &row.n);
	}
	return row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct warp_row *x = a, *y = b;
	if (x->scheduler != y->scheduler)
		return x->scheduler < y->scheduler ? -1 : 1;
	if (x->slot != y->slot)
		return x->slot < y->slot ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* The SM that had the watched block; false when no stamp says. */
static bool find_sm(const struct probe_reading *r, uint32_t *sm, uint64_t *first)
{
	const struct probe_log *log = r->log;
	bool found = false;
	for (size_t i = 0; i < log->n && !found; i++)
		if (log->events[i].block == r->plan->request.block) {
			*sm = log->events[i].sm;
			found = true;
		}
	*first = UINT64_MAX;
	for (size_t i = 0; i < log->n; i++)
		if (log->events[i].sm == *sm && log->events[i].clock < *first)
			*first = log->events[i].clock;
	return found;
}

static size_t count_warps(const struct probe_log *log)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n; i++)
		n += !i || log->events[i].block != log->events[i - 1].block ||
			log->events[i].warp != log->events[i - 1].warp;
	return n;
}

struct schedule_timeline *probe_read_schedule(const struct probe_reading *r)
{
	const struct probe_log *log = r->log;
	struct schedule_timeline *s = arena_alloc(r->arena, sizeof *s);
	struct warp_row *rows = arena_array(r->arena, struct warp_row, count_warps(log) + 1);
	uint64_t first;
	*s = (struct schedule_timeline){.origin = r->origin, .rows = rows};
	if (!find_sm(r, &s->sm, &first))
		return NULL;
	for (size_t at = 0, n; at < log->n; at += n) {
		const struct probe_event *e = &log->events[at];
		for (n = 1; at + n < log->n && e[n].block == e->block && e[n].warp == e->warp; n++)
			continue;
		if (e->sm != s->sm)
			continue;
		rows[s->n_rows] = read_row(r, e, n, first);
		s->end = rows[s->n_rows].end > s->end ? rows[s->n_rows].end : s->end;
		s->n_rows++;
	}
	qsort(rows, (size_t)s->n_rows, sizeof *rows, compare_rows);
	return s;
}
