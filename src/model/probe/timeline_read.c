/* What the worker's answer to a plan says: its stamps become blocks on SMs, the phases of the warps of one SM, or the
 * masks of one warp. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/ptx.h"
#include "model/hardware/occupancy.h"
#include "model/probe/timeline.h"

static const char *const names[PROBE_TIMELINES] =
	{[PROBE_TIMELINE_BLOCKS] = "blocks", [PROBE_TIMELINE_SCHEDULE] = "schedule", [PROBE_TIMELINE_MASK] = "mask"};

enum probe_timeline_kind probe_timeline_find(const char *name)
{
	int what = 0;
	while (what < PROBE_TIMELINES && strcmp(names[what], name) != 0)
		what++;
	return (enum probe_timeline_kind)what;
}

/* A log, and what is needed to make a timeline of it. */
struct probe_reading {
	struct arena *arena, *scratch; /* for what stays, and for what does not */
	const struct probe_timeline_plan *plan;
	const struct probe_log *log;
	struct timeline_origin origin; /* but for its unit and resolution */
	uint32_t sms, resident;        /* 0: not known */
};

/* The line of an event in the request's terms. */
static int line_of_event(const struct probe_timeline_plan *plan, const struct probe_event *event)
{
	const struct ptx_location *place = &event->site->place;
	return plan->request.file ? place->line : place->ptx_line;
}

/* Copies of the events, ordered by clock; those of one clock stay as they were written. */
static struct probe_event *events_by_clock(struct arena *arena, const struct probe_event *events, size_t n)
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

/* --- the warps' ends -> blocks on SMs ----------------------------------------------------------------------------- */

/* --- ends, barriers and a line -> the warps of one SM and their phases -------------------------------------------- */

/* Of one warp, between two of its stamps. */
struct warp_record {
	uint32_t alive, waiting; /* lanes that have not ended; lanes at a barrier */
	int line, barrier;       /* the last watched line passed; that of the barrier */
};

static struct warp_row read_row(
	const struct probe_reading *r, const struct probe_event *events, size_t n, uint64_t first)
{
	struct phase_span *spans = arena_array(r->arena, struct phase_span, n + 1);
	const struct probe_event *e = events_by_clock(r->scratch, events, n);
	struct warp_record state = {0};
	struct warp_row row = {.block = (uint32_t)e->block,
		.warp = e->warp,
		.slot = e->slot,
		.scheduler = (int8_t)(e->slot % TIMELINE_SCHEDULERS),
		.start = e->clock - first,
		.end = e[n - 1].clock - first + 1,
		.spans = spans};
	for (size_t i = 0; i < n; i++) {
		state.waiting &= ~e[i].lanes;
		switch (e[i].site->kind) {
		case PROBE_ENTRY: state.alive |= e[i].lanes; break;
		case PROBE_EXIT: state.alive &= ~e[i].lanes; break;
		case PROBE_ARRIVE:
			if (instr_kind(e[i].site->code->instrs[e[i].site->instr].form) == PTX_KIND_BARRIER)
				state.waiting |= e[i].lanes;
			state.barrier = line_of_event(r->plan, &e[i]);
			break;
		case PROBE_LINE: state.line = line_of_event(r->plan, &e[i]); break;
		default: break;
		}
		if (i + 1 == n)
			break;

		/* a warp waits when all of its lanes do */
		uint64_t start = e[i].clock - first, end = e[i + 1].clock - first;
		bool waits = state.waiting && state.waiting == state.alive;
		struct phase_span span = {
			start, end, waits ? state.barrier : state.line, waits ? PHASE_BARRIER : PHASE_RUN};
		struct phase_span *before = row.n ? &spans[row.n - 1] : NULL;
		if (end <= start)
			continue;
		if (before && before->phase == span.phase && before->line == span.line && before->end == start)
			before->end = end;
		else
			spans[row.n++] = span;
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

/* --- every line of one warp -> its masks, one after the other ----------------------------------------------------- */

static const uint8_t whats[PROBE_EVENT_KINDS] = {
	[PROBE_LINE] = MASK_LINE,
	[PROBE_ARRIVE] = MASK_ARRIVE,
	[PROBE_LEAVE] = MASK_LEAVE,
	[PROBE_EXIT] = MASK_EXIT,
};

static struct mask_timeline *make_mask(const struct probe_reading *r)
{
	const struct probe_log *log = r->log;
	struct mask_timeline *m = arena_alloc(r->arena, sizeof *m);
	const struct probe_event *events = events_by_clock(r->scratch, log->events, log->n);
	*m = (struct mask_timeline){
		.origin = r->origin, .block = r->plan->request.block, .warp = r->plan->request.warp};
	m->steps = arena_array(r->arena, struct mask_step, log->n + 1);
	for (size_t i = 0; i < log->n; i++) {
		const struct probe_event *e = &events[i];
		m->lanes |= e->lanes;
		if (e->site->kind != PROBE_ENTRY)
			m->steps[m->n++] = (struct mask_step){.time = e->clock - events->clock,
				.lanes = e->lanes,
				.line = line_of_event(r->plan, e),
				.what = whats[e->site->kind]};
	}
	if (!m->n)
		return NULL;
	m->end = m->steps[m->n - 1].time + 1;
	mask_settle(m);
	return m;
}

/* --- the answer --------------------------------------------------------------------------------------------------- */

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
	if (r->plan->what == PROBE_TIMELINE_BLOCKS) {
		const uint32_t *grid = r->plan->request.launch->grid;

		uint64_t first = UINT64_MAX;
		for (size_t i = 0; i < log.n; i++)
			first = log.events[i].time < first ? log.events[i].time : first;

		size_t open = 0;
		struct blocks_timeline *b = arena_alloc(r->arena, sizeof *b);
		*b = (struct blocks_timeline){.origin = r->origin,
			.sms = r->sms,
			.resident = r->resident,
			.launched = (uint64_t)grid[0] * grid[1] * grid[2]};
		b->origin.unit = TIMELINE_NS;

		/* steps in which the clock moves, as far as the stamps show: 1 when all are of one moment */
		uint64_t step = 0;
		for (size_t i = 0; i < log.n && step != 1; i++) {
			uint64_t a = log.events[i].time - first, rest = step;
			while (rest) {
				uint64_t next = a % rest;
				a = rest;
				rest = next;
			}
			step = a;
		}
		b->origin.resolution = step == 0 || step > UINT32_MAX ? 1 : (uint32_t)step;

		b->spans = arena_array(r->arena, struct block_span, r->plan->probe->request.n_blocks + 1);
		for (size_t at = 0; at < log.n;) {
			bool ended;
			struct block_span *span = &b->spans[b->n];

			/* The block whose events begin here. */
			uint64_t block = log.events[at].block;
			uint32_t warps = 0;
			*span = (struct block_span){
				.start = UINT64_MAX, .block = (uint32_t)block, .sm = log.events[at].sm};
			while (at < log.n && log.events[at].block == block) {
				/* The warp whose events begin here widens the span; it is whole when every lane that
				 * began ended. */
				const struct probe_event *of = &log.events[at];
				uint32_t begun = 0, done = 0;
				for (; at < log.n && log.events[at].block == of->block &&
					log.events[at].warp == of->warp;
					at++) {
					const struct probe_event *e = &log.events[at];
					uint64_t time = e->time - first;
					span->start = time < span->start ? time : span->start;
					span->end = time > span->end ? time : span->end;
					begun |= e->site->kind == PROBE_ENTRY ? e->lanes : 0;
					done |= e->site->kind == PROBE_EXIT ? e->lanes : 0;
				}
				bool whole = begun && done == begun;
				warps += whole;
			}
			ended = warps == r->plan->probe->request.n_warps;

			span->end += span->end == span->start ? b->origin.resolution : 0;
			b->n += ended;
			open += !ended;
		}
		if (open)
			b->origin.cut = arena_printf(r->arena,
				open == 1 ? "%s%s%zu block whose end is not known is left out"
					  : "%s%s%zu blocks whose end is not known are left out",
				b->origin.cut ? b->origin.cut : "", b->origin.cut ? "; " : "", open);
		blocks_settle(b);
		out->blocks = b->n ? b : NULL;
	} else if (r->plan->what == PROBE_TIMELINE_SCHEDULE) {
		struct schedule_timeline *s = arena_alloc(r->arena, sizeof *s);
		size_t warps = 0;
		for (size_t i = 0; i < log.n; i++)
			warps += !i || log.events[i].block != log.events[i - 1].block ||
				log.events[i].warp != log.events[i - 1].warp;
		struct warp_row *rows = arena_array(r->arena, struct warp_row, warps + 1);
		*s = (struct schedule_timeline){.origin = r->origin, .rows = rows};

		/* the SM that had the watched block, and its first moment */
		size_t watched = 0;
		while (watched < log.n && log.events[watched].block != r->plan->request.block)
			watched++;
		if (watched == log.n) {
			out->schedule = NULL;
		} else {
			s->sm = log.events[watched].sm;
			uint64_t first = UINT64_MAX;
			for (size_t i = 0; i < log.n; i++)
				if (log.events[i].sm == s->sm && log.events[i].clock < first)
					first = log.events[i].clock;

			for (size_t at = 0, n; at < log.n; at += n) {
				const struct probe_event *e = &log.events[at];
				for (n = 1; at + n < log.n && e[n].block == e->block && e[n].warp == e->warp; n++)
					continue;
				if (e->sm != s->sm)
					continue;
				rows[s->n_rows] = read_row(r, e, n, first);
				s->end = rows[s->n_rows].end > s->end ? rows[s->n_rows].end : s->end;
				s->n_rows++;
			}
			qsort(rows, (size_t)s->n_rows, sizeof *rows, compare_rows);
			out->schedule = s;
		}
	} else {
		out->mask = make_mask(r);
	}
	bool made = r->plan->what == PROBE_TIMELINE_BLOCKS ? out->blocks != NULL
		: r->plan->what == PROBE_TIMELINE_SCHEDULE ? out->schedule != NULL
							   : out->mask != NULL;
	if (made)
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
