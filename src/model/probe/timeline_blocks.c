/* Stamps of the warps' ends -> blocks on SMs. */

#include "model/probe/timeline_parts.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Steps in which the clock moves, as far as the stamps show: 1 when all are of one moment. */
static uint32_t find_resolution(const struct probe_log *log, uint64_t first)
{
	uint64_t step = 0;
	for (size_t i = 0; i < log->n && step != 1; i++)
		step = common_divisor(log->events[i].time - first, step);
	return step == 0 || step > UINT32_MAX ? 1 : (uint32_t)step;
}

static uint64_t find_first(const struct probe_log *log)
{
	uint64_t first = UINT64_MAX;
	for (size_t i = 0; i < log->n; i++)
		first = log->events[i].time < first ? log->events[i].time : first;
	return first;
}

/* The warp whose events begin at `at`: widens the span, and says whether every lane that began has ended. */
static size_t read_warp(const struct probe_log *log, size_t at, uint64_t first, struct block_span *span, bool *ended)
{
	const struct probe_event *of = &log->events[at];
	uint32_t begun = 0, done = 0;
	for (; at < log->n && log->events[at].block == of->block && log->events[at].warp == of->warp; at++) {
		const struct probe_event *e = &log->events[at];
		uint64_t time = e->time - first;
		span->start = time < span->start ? time : span->start;
		span->end = time > span->end ? time : span->end;
		begun |= e->site->kind == PROBE_ENTRY ? e->lanes : 0;
		done |= e->site->kind == PROBE_EXIT ? e->lanes : 0;
	}
	*ended = begun && done == begun;
	return at;
}

/* The block whose events begin at `at`; returns where the next one's do. */
static size_t read_block(const struct probe_reading *r, size_t at, uint64_t first, struct block_span *out, bool *ended)
{
	const struct probe_log *log = r->log;
	uint64_t block = log->events[at].block;
	uint32_t warps = 0;
	*out = (struct block_span){.start = UINT64_MAX, .block = (uint32_t)block, .sm = log->events[at].sm};
	while (at < log->n && log->events[at].block == block) {
		bool whole;
		at = read_warp(log, at, first, out, &whole);
		warps += whole;
	}
	*ended = warps == r->plan->probe->request.n_warps;
	return at;
}

static const char *add_open(struct arena *arena, const char *cut, size_t open)
{
	if (!open)
		return cut;
	return arena_printf(arena,
		open == 1 ? "%s%s%zu block whose end is not known is left out"
			  : "%s%s%zu blocks whose end is not known are left out",
		cut ? cut : "", cut ? "; " : "", open);
}

struct blocks_timeline *probe_read_blocks(const struct probe_reading *r)
{
	const struct probe_log *log = r->log;
	const uint32_t *grid = r->plan->request.launch->grid;
	uint64_t first = find_first(log);
	size_t open = 0;
	struct blocks_timeline *b = arena_alloc(r->arena, sizeof *b);
	*b = (struct blocks_timeline){.origin = r->origin,
		.sms = r->sms,
		.resident = r->resident,
		.launched = (uint64_t)grid[0] * grid[1] * grid[2]};
	b->origin.unit = TIMELINE_NS;
	b->origin.resolution = find_resolution(log, first);
	b->spans = arena_array(r->arena, struct block_span, r->plan->probe->request.n_blocks + 1);
	for (size_t at = 0; at < log->n;) {
		bool ended;
		struct block_span *span = &b->spans[b->n];
		at = read_block(r, at, first, span, &ended);
		span->end += span->end == span->start ? b->origin.resolution : 0;
		b->n += ended;
		open += !ended;
	}
	b->origin.cut = add_open(r->arena, b->origin.cut, open);
	blocks_settle(b);
	return b->n ? b : NULL;
}
