/* Faults, limits and races: each defect reported once, however often it is found, and in words. */
#include "machine/simt/defect.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "machine/ptx/instr.h"
#include "machine/simt/code.h"
#include "machine/simt/locks.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

int simt_reported_instr(const struct warp *w, const struct code *c)
{
	const struct ptx_kernel *kernel = w->m->program.kernel;
	const struct code *at = c;
	if (!w->frame)
		return (int)c->index;
	for (uint32_t frame = w->frame; frame && at; frame = w->frames.at[frame].caller) {
		if (ptx_reported_location(kernel, (int)at->index).line)
			return (int)at->index;
		at = w->frames.at[frame].call;
	}
	return at && ptx_reported_location(kernel, (int)at->index).line ? (int)at->index : (int)c->index;
}

struct simt_side simt_side_at(const struct warp *w, const struct code *c, uint32_t lanes)
{
	/* The instruction's own line in the PTX, and the source line by which a reader knows it. */
	const struct ptx_kernel *kernel = w->m->program.kernel;
	struct ptx_location place = ptx_reported_location(kernel, simt_reported_instr(w, c));
	place.ptx_line = ptx_reported_location(kernel, (int)c->index).ptx_line;

	return (struct simt_side){.instr = (int)c->index,
		.place = place,
		.block = w->m->block,
		.warp = w->index,
		.lanes = lanes,
		.lane = lanes ? __builtin_ctz(lanes) : 0};
}

void simt_fault(struct warp *w, const struct code *c, struct fault fault, const char *format, ...)
{
	struct machine *m = w->m;
	struct simt_defect d = {
		.kind = fault.kind, .other.instr = -1, .address = fault.address, .in_neighbor = fault.made};
	bool passes = fault.passes || fault.made || fault.kind == SIMT_BAD_MASK || fault.kind == SIMT_BARRIER_PENDING ||
		(fault.kind == SIMT_BARRIER_MISMATCHED && fault.ending != SIMT_ENDING_ILLEGAL) ||
		(fault.kind == SIMT_BARRIER_DIVERGENT && !(m->checks & SIMT_CHECK_UNNAMED));
	bool is_of_access = (fault.kind == SIMT_OUT_OF_BOUNDS || fault.kind == SIMT_MISALIGNED) &&
		instr_kind(c->instr->form) != PTX_KIND_BRANCH_TABLE;
	va_list args;

	d.here = simt_side_at(w, c, fault.lanes);
	if (fault.other)
		d.other = simt_side_at(fault.other_warp, fault.other, fault.other_warp->live);
	if (is_of_access) {
		d.here.accesses = true;
		d.here.op = m->access.op;
		d.space = m->access.space;
	}
	va_start(args, format);
	vsnprintf(d.message, sizeof d.message, format, args);
	va_end(args);

	/* The lanes can do without what these accesses would have done, and do what a GPU lets them do at a barrier. */
	d.ends = m->stop || !passes;
	m->stop |= is_of_access ? d.ends && m->launch->ends_at_fault : d.ends;
	if (d.ends && m->result->ended_by == SIMT_DEFECT_NONE) {
		m->result->ended_by = d.kind;
		m->result->ending = fault.ending;
	}
	simt_report_defect(m, &d);
}

void simt_refuse(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_ERROR;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void simt_limit(struct machine *m, const char *format, ...)
{
	va_list args;
	m->stop = true;
	m->result->outcome = SIMT_LIMIT;
	va_start(args, format);
	vsnprintf(m->result->message, sizeof m->result->message, format, args);
	va_end(args);
}

void simt_limit_at(struct warp *w, const struct code *c, const char *format, ...)
{
	struct simt_result *r = w->m->result;
	va_list args;
	w->m->stop = true;
	r->outcome = SIMT_LIMIT;
	r->instr = (int)c->index;
	r->place = ptx_reported_location(w->m->program.kernel, (int)c->index);
	r->block = w->m->block;
	r->warp = w->index;
	r->lanes = w->active;
	va_start(args, format);
	vsnprintf(r->message, sizeof r->message, format, args);
	va_end(args);
}

const char *simt_defect_name(enum simt_defect_kind kind)
{
	static const char *const names[] = {
		[SIMT_DEFECT_NONE] = "none",
		[SIMT_OUT_OF_BOUNDS] = "out of bounds",
		[SIMT_MISALIGNED] = "misaligned address",
		[SIMT_BARRIER_DIVERGENT] = "divergent barrier",
		[SIMT_BARRIER_MISSING] = "missing barrier",
		[SIMT_BARRIER_PENDING] = "pending barrier",
		[SIMT_BARRIER_MISMATCHED] = "mismatched barrier",
		[SIMT_BAD_MASK] = "wrong mask",
		[SIMT_TRAP] = "trap",
		[SIMT_RACE] = "race",
		[SIMT_UNINITIALIZED] = "uninitialized read",
		[SIMT_BAD_CALL] = "wrong call",
		[SIMT_BAD_TEXTURE] = "wrong texture",
		[SIMT_ASSERTION] = "assertion",
		[SIMT_BAD_PRODUCT] = "wrong matrix product",
	};
	return names[kind];
}

bool simt_checks_read(const char *list, uint32_t *checks)
{
	static const struct {
		const char *name;
		uint32_t bits;
	} names[] = {
		{"bounds", SIMT_CHECK_BOUNDS},
		{"align", SIMT_CHECK_ALIGN},
		{"race", SIMT_CHECK_RACE},
		{"uninit", SIMT_CHECK_UNINIT},
		{"sync", SIMT_CHECK_SYNC},
		{"all", SIMT_CHECK_ALL},
		{"none", SIMT_CHECK_NONE},
	};
	uint32_t all = 0;
	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		size_t len = strcspn(at, ",");
		uint32_t bits = 0;
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (strlen(names[i].name) == len && memcmp(names[i].name, at, len) == 0)
				bits = names[i].bits;
		if (!bits)
			return false;
		all |= bits;
	}
	*checks = all;
	return true;
}

bool simt_defect_is_named(enum simt_defect_kind kind, const char *name)
{
	static const char british[] = "uninitiali"
				      "sed read"; /* in two, as the spelling is checked */
	return strcmp(simt_defect_name(kind), name) == 0 || (kind == SIMT_UNINITIALIZED && strcmp(name, british) == 0);
}

void simt_write_lanes(uint32_t lanes, struct buf *out)
{
	const char *between = lanes & (lanes - 1) ? "lanes " : "lane ";
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		int last = lane;
		if (!(lanes >> lane & 1))
			continue;
		while (last < WARP_SIZE - 1 && (lanes >> (last + 1) & 1))
			last++;
		buf_printf(out, last > lane ? "%s%d-%d" : "%s%d", between, lane, last);
		between = ", ";
		lane = last;
	}
}

/* --- what is missing between the sides of a race ------------------------------------------------------------------ */

#define REACH 64 /* instructions between a load and the store that goes with it */

/* From the narrowest to the widest; what is not among them is of another kind. */
static const enum race_missing by_width[] = {RACE_MISSING_SAME_VALUE, RACE_MISSING_SYNCWARP, RACE_MISSING_BARRIER,
	RACE_MISSING_CLUSTER, RACE_MISSING_ORDER, RACE_MISSING_UPDATE};

static int width_of(enum race_missing missing)
{
	for (int i = 0; i < (int)(sizeof by_width / sizeof *by_width); i++)
		if (by_width[i] == missing)
			return i;
	return -1;
}

/* Whether one is missing where all would be right that the other puts right: of the pairs at two lines the widest
 * decides. */
static bool is_wider(enum race_missing a, enum race_missing b)
{
	return width_of(b) >= 0 && width_of(a) > width_of(b);
}

static const struct ptx_instr *instr_at(const struct ptx_part *part, int index)
{
	int at = index - part->first;
	return at >= 0 && at < part->code->n_instrs ? &part->code->instrs[at] : NULL;
}

static const struct ptx_operand *address_of(const struct ptx_instr *instr)
{
	struct instr_access access[INSTR_ACCESSES_MAX];
	return instr_accesses(instr, access) == 1 ? &instr->operands[access[0].operand] : NULL;
}

/* Whether a load and a store of one line are at one address, as the code gives it. */
static bool are_update(
	const struct ptx_kernel *kernel, const struct ptx_part *part, int load, const struct ptx_instr *store, int line)
{
	const struct ptx_instr *instr = instr_at(part, load);
	if (!instr || instr_kind(instr->form) != PTX_KIND_LOAD || ptx_reported_location(kernel, load).line != line)
		return false;
	const struct ptx_operand *from = address_of(instr), *to = address_of(store);
	return from && to && from->kind == to->kind && from->index == to->index && from->value == to->value;
}

/* A line such as b[k]++ needs an atomic: its load is the other side, or goes before a store that races with itself. But
 * not where both hold a lock. */
enum race_missing simt_advice(
	const struct machine *m, const struct simt_side *here, const struct simt_side *other, enum race_missing missing)
{
	const struct ptx_kernel *kernel = m->program.kernel;
	const struct simt_side *store = here->op == ACCESS_STORE ? here : other, *load = store == here ? other : here;
	const struct ptx_part *part = ptx_part_of(kernel, store->instr);
	const struct ptx_instr *instr = instr_at(part, store->instr);
	int line = here->place.line;
	bool updates = false;

	if ((width_of(missing) >= 0 || missing == RACE_MISSING_ONE_VALUE || missing == RACE_MISSING_FENCE) &&
		simt_locks_guard(m, here->instr, other->instr))
		return RACE_MISSING_LOCK_FENCES;
	if (!line || other->place.line != line || !instr || instr_kind(instr->form) != PTX_KIND_STORE ||
		(width_of(missing) < 0 && missing != RACE_MISSING_ONE_VALUE))
		return missing;
	if (load->op == ACCESS_LOAD)
		updates = are_update(kernel, part, load->instr, instr, line);
	for (int i = store->instr - 1;
		load->op != ACCESS_LOAD && load->instr == store->instr && i >= store->instr - REACH; i--)
		updates |= are_update(kernel, part, i, instr, line);
	return updates ? RACE_MISSING_UPDATE : missing;
}

/* --- the defects of a run ----------------------------------------------------------------------------------------- */

/* The check that has to be on for a kind to be reported; 0: none. */
static const uint32_t checks_of[] = {
	[SIMT_OUT_OF_BOUNDS] = SIMT_CHECK_BOUNDS,
	[SIMT_MISALIGNED] = SIMT_CHECK_ALIGN,
	[SIMT_BARRIER_PENDING] = SIMT_CHECK_SYNC,
	[SIMT_BARRIER_MISMATCHED] = SIMT_CHECK_SYNC,
	[SIMT_BAD_MASK] = SIMT_CHECK_SYNC,
	[SIMT_BARRIER_DIVERGENT] = SIMT_CHECK_SYNC,
	[SIMT_BARRIER_MISSING] = 0,
	[SIMT_TRAP] = 0,
	[SIMT_BAD_CALL] = 0,
	[SIMT_BAD_PRODUCT] = SIMT_CHECK_SYNC,
	[SIMT_BAD_TEXTURE] = 0,
	[SIMT_ASSERTION] = 0, /* the block cannot go on */
	[SIMT_RACE] = SIMT_CHECK_RACE,
	[SIMT_UNINITIALIZED] = SIMT_CHECK_UNINIT,
};

bool simt_same_location(const struct simt_side *a, const struct simt_side *b)
{
	const struct ptx_location *x = &a->place, *y = &b->place;
	if (a->instr == b->instr)
		return true;
	if (a->instr < 0 || b->instr < 0 || x->line != y->line)
		return false;
	if (!x->line)
		return x->ptx_line == y->ptx_line;
	return x->file == y->file || (x->file && y->file && strcmp(x->file, y->file) == 0);
}

/* A load that came before the store it races with may have read uninitialized memory: then the race is the cause. */
static bool explains(const struct simt_defect *race, const struct simt_defect *d)
{
	const struct simt_side *load = d->other.instr >= 0 ? &d->other : &d->here;
	return race->kind == SIMT_RACE && d->kind == SIMT_UNINITIALIZED && race->space == d->space &&
		(simt_same_location(&race->here, load) || simt_same_location(&race->other, load));
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
	for (; at; at--) { /* by block and warp */
		const struct simt_side *here = &defect->here, *before = &r->defects[at - 1].here;
		if (here->block != before->block ? here->block > before->block : here->warp >= before->warp)
			break;
		r->defects[at] = r->defects[at - 1];
	}
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

/* That of the same kind at the same location or, whichever came first, at the same two. */
static struct simt_defect *find_same(const struct simt_report *r, const struct simt_defect *defect)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct simt_side *a = &r->defects[i].here, *b = &r->defects[i].other;
		if (r->defects[i].kind == defect->kind &&
			((simt_same_location(a, &defect->here) && simt_same_location(b, &defect->other)) ||
				(simt_same_location(a, &defect->other) && simt_same_location(b, &defect->here))))
			return &r->defects[i];
	}
	return NULL;
}

/* Of all pairs at two lines, that decides which needs the widest order. It was found as often as they were together. */
static void widen_defect(struct simt_report *r, struct simt_defect *same, const struct simt_defect *wider)
{
	uint64_t count = same->count;
	uint32_t order = same->order, at = (uint32_t)(same - r->defects);
	if (same->kind != SIMT_RACE || !is_wider(wider->missing, same->missing))
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

void simt_report_locks(struct machine *m)
{
	struct simt_report *r = m->report;
	bool any = false;
	for (uint32_t i = 0; m->locks && m->cluster_shape.n == 1 && i < r->n; i++) {
		struct simt_defect *d = &r->defects[i];
		enum race_missing missing = d->kind == SIMT_RACE ? simt_advice(m, &d->here, &d->other, d->missing)
								 : d->missing;
		if (missing != RACE_MISSING_LOCK_FENCES || d->missing == missing)
			continue;
		d->missing = missing;
		simt_describe_race(d, -1);
		any = true;
	}
	if (any && m->result->outcome == SIMT_DEFECT)
		copy_first(m->result, r);
}

static void count_again(struct machine *m, struct simt_defect *same)
{
	same->count += same->count < SIMT_REPEATS_MAX;
	m->stop |= same->count == SIMT_REPEATS_MAX && !m->launch->to_its_end;
}

bool simt_report_repeats(struct machine *m, const struct simt_defect *race)
{
	struct simt_defect *same = find_same(m->report, race);
	if (!same || is_wider(race->missing, same->missing))
		return false;
	count_again(m, same);
	copy_first(m->result, m->report);
	return true;
}

void simt_report_defect(struct machine *m, const struct simt_defect *defect)
{
	struct simt_report *r = m->report;

	uint32_t check = (size_t)defect->kind < sizeof checks_of / sizeof *checks_of ? checks_of[defect->kind] : 0;
	if (check && !(m->checks & check) && !m->stop)
		return; /* what ends the run is always reported */
	struct simt_defect *same = find_same(r, defect);
	if (same) {
		count_again(m, same);
		same->ends |= defect->ends;
		widen_defect(r, same, defect);
		copy_first(m->result, r);
		return;
	}
	if (is_explained(r, defect))
		return;
	r->n -= r->n == r->cap && defect->ends; /* which is worth more than the last one */
	if (r->n == r->cap)
		return;
	drop_explained(r, defect);
	insert_defect(r, defect, m->launch->order);
	copy_first(m->result, r);
	m->stop |= r->n == r->cap && (m->worker || !m->launch->to_its_end); /* a team gives up: one core reports it */
}

/* --- the words of a defect ---------------------------------------------------------------------------------------- */

static const char *const present[] = {
	[ACCESS_LOAD] = "loads",
	[ACCESS_STORE] = "stores to",
	[ACCESS_ATOMIC] = "atomically changes",
};
static const char *const past[] = {
	[ACCESS_LOAD] = "loaded it",
	[ACCESS_STORE] = "stored to it",
	[ACCESS_ATOMIC] = "atomically changed it",
};

static const char *const advice[] = {
	[RACE_MISSING_SYNCWARP] = "nothing orders the two: a __syncwarp() is missing between them",
	[RACE_MISSING_BARRIER] = "nothing orders the two: a __syncthreads() is missing between them",
	[RACE_MISSING_ORDER] =
		"no barrier orders blocks: an atomic, a flag with __threadfence() on both sides, another launch or grid.sync() does",
	[RACE_MISSING_CLUSTER] =
		"nothing orders the two: the cluster's barrier, cluster.sync(), is missing between them",
	[RACE_MISSING_FENCE] = "a __threadfence() is missing after the flag was read",
	[RACE_MISSING_ATOMIC] = "only one of the two is atomic",
	[RACE_MISSING_SCOPE] = "a scope of one block does not reach another, nor that of a cluster another cluster",
	[RACE_MISSING_SAME_SIZE] = "atomic accesses of different sizes are not atomic to each other",
	[RACE_MISSING_WAIT] = "the copy has not been waited for",
	[RACE_MISSING_WAIT_READ] =
		"the wgmma that reads it has not been waited for: a wgmma.wait_group is missing before",
	[RACE_MISSING_PROXY_FENCE] =
		"a fence.proxy.async is missing between them: what accesses it asynchronously goes another way than stores",
	[RACE_MISSING_UPDATE] =
		"the line loads, changes and stores one place: several threads need an atomic for that, such as atomicAdd()",
	[RACE_MISSING_ONE_VALUE] = "by the same instruction, with another value; either may remain",
	[RACE_MISSING_SAME_VALUE] =
		"both stored the same value this time; with other data the values may differ, and either may remain",
	[RACE_MISSING_LOCK_FENCES] =
		"the lock around the two orders them only with fences: a __threadfence() after it is taken and one before it is released",
};

static uint32_t thread_of(const struct simt_side *side)
{
	return side->warp * WARP_SIZE + (uint32_t)side->lane;
}

void simt_describe_race(struct simt_defect *d, int64_t owner)
{
	char here[PTX_LOCATION_TEXT], other[PTX_LOCATION_TEXT], whose[32] = "", memory[32] = "";
	if (d->other.block != d->here.block)
		snprintf(whose, sizeof whose, " of block %u", d->other.block);
	if (owner >= 0)
		snprintf(memory, sizeof memory, " of block %u", (uint32_t)owner);
	snprintf(d->message, sizeof d->message,
		"thread %u of block %u %s %s memory%s at 0x%" PRIx64 " (%s), and thread %u%s %s (%s); %s",
		thread_of(&d->here), d->here.block, present[d->here.op], warp_space_name(d->space), memory, d->address,
		ptx_location_text(&d->here.place, here), thread_of(&d->other), whose, past[d->other.op],
		ptx_location_text(&d->other.place, other), advice[d->missing]);
}

/* --- uninitialized memory ----------------------------------------------------------------------------------------- */

/* Before and after what is used. */
static const struct {
	const char *does, *where;
} uses[] = {
	[UNDEFINED_BRANCH] = {"branches on", ""},
	[UNDEFINED_ADDRESS] = {"takes", " as an address"},
	[UNDEFINED_STORED] = {"stores", " to global memory"},
	[UNDEFINED_OPERAND] = {"uses", ""},
	[UNDEFINED_PRINTED] = {"prints", ""},
};

void simt_describe_undefined(struct simt_defect *d, enum undefined_use use, const struct simt_side *leaves)
{
	char value[PTX_LOCATION_TEXT + 96], text[PTX_LOCATION_TEXT + 128], place[PTX_LOCATION_TEXT];
	bool loaded = use == UNDEFINED_LOADED, apart = d->other.instr >= 0;
	if (d->kind == SIMT_BAD_MASK)
		snprintf(value, sizeof value, "an undefined value, from a lane that takes no part in the shuffle%s%s%s",
			apart ? " (" : "", apart ? ptx_location_text(&d->other.place, place) : "", apart ? ")" : "");
	else
		snprintf(value, sizeof value, "%suninitialized %s memory at 0x%" PRIx64 "%s%s%s",
			loaded ? "" : "a value from ", warp_space_name(d->space), d->address,
			apart ? " (loaded at " : "", apart ? ptx_location_text(&d->other.place, place) : "",
			apart ? ")" : "");
	if (loaded)
		snprintf(text, sizeof text, "%s %s", present[d->here.op], value);
	else if (leaves)
		snprintf(text, sizeof text, "computes with %s", value);
	else
		snprintf(text, sizeof text, "%s %s%s", uses[use].does, value, uses[use].where);
	int n = snprintf(
		d->message, sizeof d->message, "thread %u of block %u %s", thread_of(&d->here), d->here.block, text);
	if (!leaves || n < 0 || (size_t)n >= sizeof d->message)
		return;
	bool there = !simt_same_location(&d->here, leaves);
	snprintf(d->message + n, sizeof d->message - (size_t)n, ", and %s the result%s%s%s", uses[use].does,
		uses[use].where, there ? " at " : "", there ? ptx_location_text(&leaves->place, place) : "");
}
