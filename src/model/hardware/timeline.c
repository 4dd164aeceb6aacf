#include "model/hardware/timeline.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"

const struct phase_row phase_table[PHASES] = {
#define PHASE(id, name, letter, words, verb, meaning) [PHASE_##id] = {name, letter, words, verb, meaning},
#include "model/hardware/phases.def"
#undef PHASE
};

/* --- blocks on SMs ------------------------------------------------------------------------------------------------ */

static int compare_spans(const void *a, const void *b)
{
	const struct block_span *x = a, *y = b;
	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->block > y->block) - (x->block < y->block);
}

/* A slot of the current SM. */
struct sm_slot {
	uint64_t free;   /* from when on */
	uint32_t blocks; /* that have had it */
};

struct sm_slots {
	struct sm_slot *at;
	uint32_t n, cap;
};

static uint32_t find_slot(struct sm_slots *slots, uint64_t start, uint32_t resolution)
{
	for (uint32_t i = 0; i < slots->n; i++)
		if (slots->at[i].free <= start || slots->at[i].free - start < resolution)
			return i;
	*vec_push(slots->at, slots->n, slots->cap) = (struct sm_slot){0};
	return slots->n - 1;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The share of the time of all SMs, from `from` on, in which they had no block. */
static double idle_share(const struct blocks_timeline *b, uint64_t from)
{
	double whole = (double)(b->end - from) * b->sms;
	uint64_t busy = 0, covered = from;
	for (size_t i = 0; i < b->n; i++) {
		const struct block_span *span = &b->spans[i];
		if (i > 0 && span->sm != span[-1].sm)
			covered = from;
		uint64_t start = later(span->start, covered);
		if (span->end > start) {
			busy += span->end - start;
			covered = span->end;
		}
	}
	return whole > 0 ? 1 - (double)busy / whole : 0;
}

void blocks_settle(struct blocks_timeline *b)
{
	b->end = b->tail = 0;
	b->used = b->slots = b->waves = 0;
	if (b->n)
		qsort(b->spans, b->n, sizeof *b->spans, compare_spans);

	struct sm_slots slots = {0};
	for (size_t i = 0; i < b->n; i++) {
		struct block_span *span = &b->spans[i];
		if (i == 0 || span->sm != span[-1].sm) {
			slots.n = 0;
			b->used++;
		}
		span->slot = find_slot(&slots, span->start, b->origin.resolution);
		struct sm_slot *slot = &slots.at[span->slot];
		span->wave = slot->blocks++;
		slot->free = span->end;
		b->slots = (uint32_t)later(b->slots, slots.n);
		b->waves = (uint32_t)later(b->waves, slot->blocks);
		b->end = later(b->end, span->end);
		if (span->sm >= b->sms)
			b->sms = span->sm + 1;
	}
	free(slots.at);

	/* when the first SM that had blocks had run its last one */
	uint64_t last = 0;
	b->tail = b->end;
	for (size_t i = 0; i < b->n; i++) {
		last = later(last, b->spans[i].end);
		if (i + 1 == b->n || b->spans[i + 1].sm != b->spans[i].sm) {
			b->tail = last < b->tail ? last : b->tail;
			last = 0;
		}
	}

	b->idle = idle_share(b, 0);
	b->tail_idle = idle_share(b, b->tail);
	double places = (double)b->sms * (b->resident ? b->resident : b->slots);
	b->full_waves = places > 0 ? (double)b->launched / places : 0;
}

#define GROUP_MAX 16

/* Whether the last `p` of `n` steps are what the `p` before them are, or what these have been folded from. */
static bool repeats_group(const struct mask_step *steps, size_t n, size_t p)
{
	const struct mask_step *b = steps + n - p, *a = b - p;
	for (size_t i = 0; i < p; i++)
		if (a[i].line != b[i].line || a[i].lanes != b[i].lanes || a[i].what != b[i].what ||
			(i + 1 < p && (a[i].repeats != b[i].repeats || a[i].group != b[i].group)))
			return false;
	return b[p - 1].repeats == 1 && (a[p - 1].repeats == 1 || a[p - 1].group == p);
}

void mask_settle(struct mask_timeline *mask)
{
	size_t n = 0;
	uint32_t before = mask->lanes, gone = 0;
	for (size_t i = 0; i < mask->n; i++) {
		struct mask_step *step = &mask->steps[i];
		if ((before & ~gone) == (step->lanes & ~gone))
			step->relation = MASK_SAME;
		else if (!(step->lanes & before))
			step->relation = MASK_OTHER;
		else
			step->relation = step->lanes & ~before ? MASK_RECONVERGED : MASK_DIVERGED;
		step->repeats = step->group = 1;
		before = step->lanes;
		if (step->what == MASK_EXIT)
			gone |= step->lanes;
	}

	for (size_t i = 0; i < mask->n; i++) {
		mask->steps[n++] = mask->steps[i];
		size_t p = 1;
		while (p <= GROUP_MAX && 2 * p <= n && !repeats_group(mask->steps, n, p))
			p++;
		if (p > GROUP_MAX || 2 * p > n)
			continue;
		n -= p;
		mask->steps[n - 1].repeats++;
		mask->steps[n - 1].group = (uint32_t)p;
	}
	mask->n = n;
}
