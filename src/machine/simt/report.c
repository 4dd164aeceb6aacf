/* The defects of a run: each once, however often it is found. */
#include <string.h>

#include "machine/simt/advice.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"

/* The check that has to be on for a kind to be reported; 0: none. */
static const uint32_t checks_of[] = {
	[SIMT_OUT_OF_BOUNDS] = SIMT_CHECK_BOUNDS,
	[SIMT_MISALIGNED] = SIMT_CHECK_ALIGN,
	[SIMT_BARRIER_PENDING] = SIMT_CHECK_SYNC,
	[SIMT_BARRIER_MISMATCHED] = SIMT_CHECK_SYNC,
	[SIMT_BAD_MASK] = SIMT_CHECK_SYNC,
	[SIMT_BARRIER_DIVERGENT] = 0,
	[SIMT_BARRIER_MISSING] = 0,
	[SIMT_TRAP] = 0,
	[SIMT_BAD_CALL] = 0,
	[SIMT_BAD_PRODUCT] = SIMT_CHECK_SYNC,
	[SIMT_BAD_TEXTURE] = 0,
	[SIMT_ASSERTION] = 0, /* the block cannot go on */
	[SIMT_RACE] = SIMT_CHECK_RACE,
	[SIMT_UNINITIALIZED] = SIMT_CHECK_UNINIT,
};

static bool is_checked(const struct machine *m, enum simt_defect_kind kind)
{
	uint32_t bit = (size_t)kind < sizeof checks_of / sizeof *checks_of ? checks_of[kind] : 0;
	return !bit || m->checks & bit;
}

bool simt_same_place(const struct simt_side *a, const struct simt_side *b)
{
	const struct ptx_place *x = &a->place, *y = &b->place;
	if (a->instr == b->instr)
		return true;
	if (a->instr < 0 || b->instr < 0 || x->line != y->line)
		return false;
	if (!x->line)
		return x->ptx_line == y->ptx_line;
	return x->file == y->file || (x->file && y->file && strcmp(x->file, y->file) == 0);
}

/* Of the same kind at the same place or, whichever came first, at the same two. */
static bool is_same(const struct simt_defect *a, const struct simt_defect *b)
{
	return a->kind == b->kind &&
		((simt_same_place(&a->here, &b->here) && simt_same_place(&a->other, &b->other)) ||
			(simt_same_place(&a->here, &b->other) && simt_same_place(&a->other, &b->here)));
}

static bool comes_before(const struct simt_side *a, const struct simt_side *b)
{
	return a->block != b->block ? a->block < b->block : a->warp < b->warp;
}

/* A load that came before the store it races with may have read uninitialized memory: then the race is the cause. */
static bool explains(const struct simt_defect *race, const struct simt_defect *d)
{
	const struct simt_side *load = d->other.instr >= 0 ? &d->other : &d->here;
	return race->kind == SIMT_RACE && d->kind == SIMT_UNINITIALIZED && race->space == d->space &&
		(simt_same_place(&race->here, load) || simt_same_place(&race->other, load));
}

static bool is_explained(const struct simt_report *r, const struct simt_defect *d)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (explains(&r->defects[i], d))
			return true;
	return false;
}

static void drop_explained(struct simt_report *r, const struct simt_defect *race)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (!explains(race, &r->defects[i]))
			r->defects[kept++] = r->defects[i];
	r->n = kept;
}

static struct simt_defect *insert_defect(struct simt_report *r, const struct simt_defect *defect, uint32_t order)
{
	uint32_t at = r->n++;
	for (; at && comes_before(&defect->here, &r->defects[at - 1].here); at--)
		r->defects[at] = r->defects[at - 1];
	r->defects[at] = *defect;
	r->defects[at].count = 1;
	r->defects[at].order = order;
	return &r->defects[at];
}

/* The result says what the first defect says. */
static void copy_first(struct simt_result *result, const struct simt_report *r)
{
	const struct simt_defect *first = &r->defects[0];
	result->outcome = SIMT_DEFECT;
	result->defect = first->kind;
	result->instr = first->here.instr;
	result->place = first->here.place;
	result->block = first->here.block;
	result->warp = first->here.warp;
	result->lanes = first->here.lanes;
	result->address = first->address;
	memcpy(result->message, first->message, sizeof result->message);
}

static struct simt_defect *find_same(const struct simt_report *r, const struct simt_defect *defect)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (is_same(&r->defects[i], defect))
			return &r->defects[i];
	return NULL;
}

/* Of all pairs at two lines, that decides which needs the widest order. It was found as often as they were together. */
static void widen_defect(struct simt_report *r, struct simt_defect *same, const struct simt_defect *wider)
{
	uint64_t count = same->count;
	uint32_t order = same->order, at = (uint32_t)(same - r->defects);
	if (same->kind != SIMT_RACE || !simt_is_wider(wider->missing, same->missing))
		return;
	memmove(same, same + 1, (r->n - at - 1) * sizeof *same);
	r->n--;
	insert_defect(r, wider, order)->count = count;
}

void simt_report_add(struct simt_report *report, struct simt_result *result, const struct simt_report *more)
{
	for (uint32_t i = 0; i < more->n; i++) {
		const struct simt_defect *d = &more->defects[i];
		struct simt_defect *same = find_same(report, d);
		if (same)
			widen_defect(report, same, d);
		if (same || is_explained(report, d) || report->n == report->cap)
			continue;
		drop_explained(report, d);
		report->defects[report->n++] = *d;
	}
	if (report->n)
		copy_first(result, report);
}

bool simt_report_repeats(struct machine *m, const struct simt_defect *race)
{
	struct simt_defect *same = find_same(m->report, race);
	if (!same || simt_is_wider(race->missing, same->missing))
		return false;
	m->stop |= ++same->count >= SIMT_REPEATS_MAX;
	copy_first(m->result, m->report);
	return true;
}

void simt_report_defect(struct machine *m, const struct simt_defect *defect)
{
	struct simt_report *r = m->report;

	if (!is_checked(m, defect->kind) && !m->stop)
		return; /* what ends the run is always reported */
	struct simt_defect *same = find_same(r, defect);
	if (same) {
		m->stop |= ++same->count >= SIMT_REPEATS_MAX;
		widen_defect(r, same, defect);
		copy_first(m->result, r);
		return;
	}
	if (r->n == r->cap || is_explained(r, defect))
		return;
	drop_explained(r, defect);
	insert_defect(r, defect, m->launch->order);
	copy_first(m->result, r);
	m->stop |= r->n == r->cap;
}
