/* Asynchronous operations: what they access from where they begin until they are complete. */
#include <stdlib.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* --- reads and writes by the asynchronous proxy ------------------------------------------------------------------- */

/* Reads of shared memory by the asynchronous proxy, which go on until they are waited for: what stores do to the words
 * that they read. And what stores lack that come before such a read, or a write: a proxy fence. */

/* A word, its last such read and its last store by the generic proxy. */
struct async_word {
	uint32_t reader, writer; /* instruction, plus 1; 0: none; the writer is of the generic proxy */
	uint32_t group;          /* of the read */
	uint32_t fences;         /* of proxies, before the store */
	uint8_t reader_warp, reader_lane, writer_warp, writer_lane;
};

struct async_reads {
	uint32_t fences;      /* of proxies, so far */
	uint32_t fence_epoch; /* of the last; 0: there was none */
	uint32_t done[BLOCK_WARPS_MAX];
	struct async_word words[];
};

void race_async_start(struct race_detector *d)
{
	race_async_clear(d);
	if (d->setup.async_reads && d->setup.races)
		d->async = base_calloc(1, sizeof *d->async + (d->setup.shared_bytes / 4 + 1) * sizeof *d->async->words);
}

void race_async_clear(struct race_detector *d)
{
	free(d->async);
	d->async = NULL;
}

static void add_finding(struct race_detector *d, const struct race_side *here, const struct race_side *other,
	enum mem_space space, uint64_t word)
{
	race_add_finding(d,
		&(struct race_finding){.space = space,
			.address = word * 4,
			.here = *here,
			.other = *other,
			.missing = RACE_MISSING_PROXY_FENCE});
}

static struct race_side side_here(
	const struct race_detector *d, const struct race_site *site, enum access_op op, int lane)
{
	return (struct race_side){site->reported, op, d->block, site->warp, 1u << lane, lane};
}

/* --- stores without a proxy fence after them ---------------------------------------------------------------------- */

static void compare_shared(
	struct race_detector *d, const struct race_site *site, const struct warp_access *a, uint64_t word, int lane)
{
	const struct async_word *at = &d->async->words[word];
	const struct race_side here = side_here(d, site, a->op, lane);
	const struct race_side store = {
		(int)at->writer - 1, ACCESS_STORE, d->block, at->writer_warp, 1u << at->writer_lane, at->writer_lane};
	if (at->writer && at->fences == d->async->fences)
		add_finding(d, &here, &store, SPACE_SHARED, word);
}

/* Of global memory the last write of each word is known, by the epoch of its warp: that of a store after the fence may
 * be before it, and then nothing is found. */
static void compare_global(
	struct race_detector *d, const struct race_site *site, const struct warp_access *a, uint64_t word, int lane)
{
	const struct shadow_access *old = &race_page(d, word)->write[word % PAGE_WORDS];
	if (old->epoch <= d->block_start || old->epoch <= d->async->fence_epoch || !old->lanes ||
		!d->setup.order[old->instr].stores)
		return;
	const struct race_side here = side_here(d, site, a->op, lane);
	uint32_t warp = (uint32_t)__builtin_ctz(old->warps);
	const struct race_side store = {
		(int)old->instr, shadow_op(old->kind), d->block, warp, old->lanes, __builtin_ctz(old->lanes)};
	add_finding(d, &here, &store, SPACE_GLOBAL, word);
}

/* What an asynchronous operation is about to access by its proxy, and stores of the block before it. */
static void compare_proxy(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	if (!d->async || !d->setup.order[site->instr].async_proxy)
		return;
	for (uint32_t left = a->active; left; left &= left - 1)
		for (uint32_t i = 0; i < a->width; i += 4)
			(a->space == SPACE_SHARED ? compare_shared : compare_global)(
				d, site, a, (a->address[__builtin_ctz(left)] + i) / 4, __builtin_ctz(left));
}

/* --- reads -------------------------------------------------------------------------------------------------------- */

void race_async_read(struct race_detector *d, const struct race_site *site, const struct warp_access *a, uint32_t group)
{
	if (!d->async)
		return;
	compare_proxy(d, site, a);
	for (uint32_t left = a->space == SPACE_SHARED ? a->active : 0; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		for (uint32_t i = 0; i < a->width; i += 4) {
			struct async_word *at = &d->async->words[(a->address[lane] + i) / 4];
			at->reader = (uint32_t)site->reported + 1;
			at->group = group;
			at->reader_warp = (uint8_t)site->warp;
			at->reader_lane = (uint8_t)lane;
		}
	}
	race_flush_findings(d);
}

void race_async_write(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	if (a->space != SPACE_SHARED || a->op == ACCESS_LOAD)
		return;
	for (uint32_t left = a->active; left; left &= left - 1)
		for (uint32_t i = 0; i < a->width; i += 4) {
			uint64_t word = (a->address[__builtin_ctz(left)] + i) / 4;
			int lane = __builtin_ctz(left);
			struct async_word *at = &d->async->words[word];
			const struct race_side here = side_here(d, site, a->op, lane);
			const struct race_side read = {(int)at->reader - 1, ACCESS_LOAD, d->block, at->reader_warp,
				1u << at->reader_lane, at->reader_lane};
			bool copies = d->setup.order[site->instr].ends_copy || d->setup.order[site->instr].is_async;
			if (at->reader && at->group > d->async->done[at->reader_warp])
				race_add_finding(d,
					&(struct race_finding){.space = SPACE_SHARED,
						.address = word * 4,
						.here = here,
						.other = read,
						.missing = RACE_MISSING_WAIT_READ});
			at->writer = copies ? 0 : (uint32_t)site->reported + 1;
			at->fences = d->async->fences;
			at->writer_warp = (uint8_t)site->warp;
			at->writer_lane = (uint8_t)lane;
		}
}

void race_async_done(struct race_detector *d, uint32_t warp, uint32_t group)
{
	if (d->async)
		d->async->done[warp] = group;
}

void race_proxy_fence(struct race_detector *d)
{
	if (!d->async)
		return;
	d->async->fences++;
	d->async->fence_epoch = race_tick(d);
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

/* Memory that asynchronous operations access from where they begin until they are complete: sources of copies, and what
 * bulk operations write. It is kept as ranges of one lane, found by the granule of memory that they are in and by their
 * operation. */

#define GRANULE 256u          /* bytes; a range is in one */
#define BUCKETS 1024u         /* a power of two */
#define PIECE 16u             /* bytes of the widest access */
#define RANGES_MAX (1u << 18) /* of one block's detector; races with those beyond may be missed */

struct pending_range {
	uint64_t address;
	uint64_t operation; /* block and number */
	uint32_t bytes;     /* 0: not used */
	int instr, reported;
	uint8_t space, op, warp, lane, size;         /* size: of an element of atomic operations */
	uint32_t next_in_granule, next_of_operation; /* 0: none */
};

struct pending_ranges {
	struct pending_range *at; /* [0] is not used */
	uint32_t n, cap;
	uint32_t spare;     /* the first of those not used, by next_in_granule */
	uint32_t last;      /* added */
	uint32_t in_use[2]; /* that are read, that are written */
	uint32_t by_granule[BUCKETS], by_operation[BUCKETS];
};

void race_pending_clear(struct race_detector *d)
{
	if (d->pending)
		free(d->pending->at);
	free(d->pending);
	d->pending = NULL;
}

static bool writes(int op)
{
	return op != ACCESS_LOAD;
}

static uint32_t granule_bucket(enum mem_space space, uint64_t address)
{
	return (uint32_t)((address / GRANULE * 2 + (space == SPACE_SHARED)) * 0x9E3779B97F4A7C15u >> 40) % BUCKETS;
}

static uint32_t operation_bucket(uint64_t operation)
{
	return (uint32_t)operation % BUCKETS;
}

static uint64_t whole_number(const struct race_detector *d, uint32_t operation)
{
	return (uint64_t)d->block << 32 | operation;
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

/* Whether `r`, of a piece of memory, begins where the last range of its lane and operation ends, which then has it,
 * too. */
static bool extend_range(struct pending_ranges *p, const struct pending_range *r)
{
	struct pending_range *last = p->last ? &p->at[p->last] : NULL;
	if (!last || last->operation != r->operation || last->address + last->bytes != r->address ||
		r->address % GRANULE == 0)
		return false;
	if (last->lane != r->lane || last->space != r->space || last->op != r->op)
		return false;
	last->bytes += r->bytes;
	return true;
}

uint32_t race_pending_begin(struct race_detector *d, struct race_detector *owner, const struct race_site *site,
	const struct warp_access *a, uint32_t operation)
{
	if (!d->setup.races)
		return 0;
	if (writes(a->op) && owner == d)
		race_compare(d, site, a);
	if (writes(a->op))
		race_pending_compare(d, owner, site, a);
	if (writes(a->op) && owner == d)
		compare_proxy(d, site, a);
	if (!owner->pending)
		owner->pending = base_calloc(1, sizeof *owner->pending);
	operation = operation ? operation : ++d->operations;
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		const struct pending_range r = {.address = a->address[lane],
			.operation = whole_number(d, operation),
			.bytes = a->width,
			.instr = site->instr,
			.reported = site->reported,
			.space = (uint8_t)a->space,
			.op = (uint8_t)a->op,
			.warp = (uint8_t)site->warp,
			.lane = (uint8_t)lane,
			.size = race_order_of(d, site, a)->size};

		struct pending_ranges *p = owner->pending;
		uint32_t granule = granule_bucket((enum mem_space)r.space, r.address),
			 of = operation_bucket(r.operation);
		if (extend_range(p, &r))
			continue;

		uint32_t index = p->spare;
		if (index) {
			p->spare = p->at[index].next_in_granule;
		} else if (p->n + 1 < RANGES_MAX) {
			vec_reserve(p->at, p->n, p->cap, 2);
			index = ++p->n;
		}
		p->last = index;
		if (!index) /* there are too many */
			continue;
		struct pending_range *added = &p->at[index];
		*added = r;
		added->next_in_granule = p->by_granule[granule];
		added->next_of_operation = p->by_operation[of];
		p->by_granule[granule] = p->by_operation[of] = p->last;
		p->in_use[writes(r.op)]++;
	}
	race_flush_findings(d);
	return operation;
}

/* --- the end ------------------------------------------------------------------------------------------------------ */

static void flush_reads(struct race_detector *d, const struct race_site *site, struct warp_access *a)
{
	if (a->active && a->space == SPACE_SHARED && d->setup.clusters)
		race_access_cluster(d, d, site, a, NULL);
	else if (a->active)
		race_access(d, site, a, NULL);
	a->active = 0;
}

enum pending_part { PENDING_READS, PENDING_ALL };

static void end_ranges(
	struct race_detector *d, struct pending_ranges *p, uint64_t operation, uint32_t lanes, enum pending_part part)
{
	struct warp_access again = {.op = ACCESS_LOAD};
	struct race_site site = {0};
	for (uint32_t *from = &p->by_operation[operation_bucket(operation)]; *from;) {
		struct pending_range *r = &p->at[*from];
		uint32_t index = *from;
		if (r->operation != operation || !(lanes >> r->lane & 1) || (part == PENDING_READS && writes(r->op))) {
			from = &r->next_of_operation;
			continue;
		}
		*from = r->next_of_operation;

		uint32_t *link = &p->by_granule[granule_bucket((enum mem_space)r->space, r->address)];
		while (*link != index)
			link = &p->at[*link].next_in_granule;
		*link = r->next_in_granule;
		p->in_use[writes(r->op)]--;
		p->last = p->last == index ? 0 : p->last;
		r->next_in_granule = p->spare;
		p->spare = index;

		if (!writes(r->op)) {
			/* The source of a copy is read for the last time where the copy ends: lanes in one access, as
			 * far as they can be. */
			const struct race_site again_site = {
				.instr = r->instr, .reported = r->reported, .warp = r->warp};
			uint64_t address = r->address, end = r->address + r->bytes;
			for (uint32_t width; address < end; address += width) {
				for (width = PIECE; width > end - address || address % width;)
					width /= 2;
				if (again.active >> r->lane & 1 ||
					(again.active && (again.width != width || again.space != r->space)))
					flush_reads(d, &again_site, &again);
				again.space = (enum mem_space)r->space;
				again.width = (uint8_t)width;
				again.active |= 1u << r->lane;
				again.address[r->lane] = address;
			}
		}
		site = (struct race_site){.instr = r->instr, .reported = r->reported, .warp = r->warp};
	}
	flush_reads(d, &site, &again);
}

void race_pending_read(struct race_detector *d, uint32_t operation, uint32_t lanes)
{
	if (d->pending)
		end_ranges(d, d->pending, whole_number(d, operation), lanes, PENDING_READS);
}

void race_pending_end(struct race_detector *d, struct race_detector *owner, uint32_t operation, uint32_t lanes)
{
	if (owner->pending)
		end_ranges(d, owner->pending, whole_number(d, operation), lanes, PENDING_ALL);
}

/* --- comparison --------------------------------------------------------------------------------------------------- */

/* Whether both are atomic operations of one size and of scopes that have each other: those under way have the cluster's
 * or a wider one, and in shared memory both are of one cluster. */
static bool are_atomic(const struct race_detector *d, const struct pending_range *r, const struct race_order *order)
{
	bool narrow = order->scope == RACE_SCOPE_CTA && (uint32_t)(r->operation >> 32) != d->block;
	return r->op == ACCESS_ATOMIC && order->strong && order->size == r->size && !narrow;
}

void race_pending_compare(struct race_detector *d, const struct race_detector *owner, const struct race_site *site,
	const struct warp_access *a)
{
	const struct pending_ranges *p = owner->pending;
	uint64_t none = UINT64_MAX; /* a granule that has no ranges */
	if (!p || !(writes(a->op) ? p->in_use[0] + p->in_use[1] : p->in_use[1]))
		return;
	const struct race_order *order = race_order_of(d, site, a);
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint64_t granule = a->address[lane] / GRANULE;
		if (granule == none)
			continue;
		uint32_t i = p->by_granule[granule_bucket(a->space, a->address[lane])];
		none = i ? none : granule;
		for (; i; i = p->at[i].next_in_granule) {
			/* Two of which one writes race but when both are atomic operations. */
			const struct pending_range *r = &p->at[i];
			uint64_t from = a->address[lane];
			bool overlap = r->space == a->space && r->address < from + a->width &&
				from < r->address + r->bytes;
			if (overlap && (writes(a->op) || writes(r->op)) && !are_atomic(d, r, order)) {
				uint64_t race_at = r->address > a->address[lane] ? r->address : a->address[lane];

				enum race_missing missing = RACE_MISSING_WAIT;
				if (r->op == ACCESS_ATOMIC && race_order_of(d, site, a)->strong)
					missing = race_order_of(d, site, a)->size == r->size ? RACE_MISSING_SCOPE
											     : RACE_MISSING_SAME_SIZE;
				struct race_finding finding = {
					.space = a->space,
					.address = race_at,
					.here = {site->reported, a->op, d->block, site->warp, 1u << lane, lane},
					.other = {r->reported, (enum access_op)r->op, (uint32_t)(r->operation >> 32),
						r->warp, 1u << r->lane, r->lane},
					.missing = missing,
				};
				if (owner != d)
					race_cluster_place(&finding, owner);
				race_add_finding(d, &finding);
			}
		}
	}
}

/* --- copies of words: cp.async ------------------------------------------------------------------------------------ */

/* Asynchronous copies to shared memory: from where they begin until their thread waits for them, no thread may touch
 * what they write. They are of whole words. */

void race_copy_begin(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	struct warp_access valid = *a;
	if (!d->setup.races || a->space != SPACE_SHARED)
		return;
	if (!d->copies.of_word)
		d->copies.of_word = base_calloc(d->setup.shared_bytes / 4 + 1, sizeof *d->copies.of_word);
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint64_t last = d->setup.shared_bytes - a->width;
		bool in_bounds = a->address[lane] % a->width == 0 && d->setup.shared_bytes >= a->width &&
			a->address[lane] <= last;
		if (!in_bounds)
			valid.active &= ~(left & -left);
	}
	race_compare(d, site, &valid);
	for (uint32_t left = valid.active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		for (uint32_t i = 0; i < a->width; i += 4) {
			struct pending_copy *c = &d->copies.of_word[(a->address[lane] + i) / 4];
			d->copies.n += !c->instr_plus_1;
			*c = (struct pending_copy){(uint32_t)site->reported + 1, (uint8_t)site->warp, (uint8_t)lane};
		}
	}
}

void race_copy_end(struct race_detector *d, uint32_t warp, const struct warp_access *a)
{
	for (uint32_t left = d->copies.n && a->space == SPACE_SHARED ? a->active : 0; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		for (uint32_t i = 0; i < a->width; i += 4) {
			struct pending_copy *c = &d->copies.of_word[(a->address[lane] + i) / 4];
			if (!c->instr_plus_1 || c->warp != warp || c->lane != lane)
				continue;
			c->instr_plus_1 = 0;
			d->copies.n--;
		}
	}
}

void race_copies_clear(struct race_detector *d)
{
	free(d->copies.of_word);
	d->copies.of_word = NULL;
	d->copies.n = 0;
}
