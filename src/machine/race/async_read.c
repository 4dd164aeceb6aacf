/* Reads of shared memory by the asynchronous proxy, which go on until they are waited for: what stores do to the words that they
 * read. And what stores lack that come before such a read, or a write: a proxy fence. */
#include <stdlib.h>

#include "base/arena.h"
#include "machine/race/detector.h"

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

/* --- stores without a proxy fence after them ----------------------------------------------------------------------- */

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

/* Of global memory the last write of each word is known, by the epoch of its warp: that of a store after the fence may be before it,
 * and then nothing is found. */
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

void race_proxy_compare(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
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
	race_proxy_compare(d, site, a);
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

static void write_word(
	struct race_detector *d, const struct race_site *site, const struct warp_access *a, uint64_t word, int lane)
{
	struct async_word *at = &d->async->words[word];
	const struct race_side here = side_here(d, site, a->op, lane);
	const struct race_side read = {
		(int)at->reader - 1, ACCESS_LOAD, d->block, at->reader_warp, 1u << at->reader_lane, at->reader_lane};
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

void race_async_write(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	if (a->space != SPACE_SHARED || a->op == ACCESS_LOAD)
		return;
	for (uint32_t left = a->active; left; left &= left - 1)
		for (uint32_t i = 0; i < a->width; i += 4)
			write_word(d, site, a, (a->address[__builtin_ctz(left)] + i) / 4, __builtin_ctz(left));
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
