/* Reads of shared memory by the asynchronous proxy, which go on until they are waited for: what stores do to the words that they
 * read, and what stores before them lack. */
#include <stdlib.h>

#include "base/arena.h"
#include "race/detector.h"

/* A word, its last such read and its last store by the generic proxy. */
struct async_word {
	uint32_t reader, writer; /* instruction, plus 1; 0: none */
	uint32_t group;          /* of the read */
	uint32_t fences;         /* of proxies, before the store */
	uint8_t reader_warp, reader_lane, writer_warp, writer_lane;
};

struct async_reads {
	uint32_t fences; /* of proxies, so far */
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
	uint64_t word, enum race_missing missing)
{
	race_add_finding(d,
		&(struct race_finding){.space = SPACE_SHARED,
			.address = word * 4,
			.here = *here,
			.other = *other,
			.missing = missing});
}

static struct race_side side_here(
	const struct race_detector *d, const struct race_site *site, enum access_op op, int lane)
{
	return (struct race_side){site->reported, op, d->block, site->warp, 1u << lane, lane};
}

static void read_word(struct race_detector *d, const struct race_site *site, uint64_t word, int lane, uint32_t group)
{
	struct async_word *at = &d->async->words[word];
	const struct race_side here = side_here(d, site, ACCESS_LOAD, lane);
	const struct race_side store = {
		(int)at->writer - 1, ACCESS_STORE, d->block, at->writer_warp, 1u << at->writer_lane, at->writer_lane};
	if (at->writer && at->fences == d->async->fences)
		add_finding(d, &here, &store, word, RACE_MISSING_PROXY_FENCE);
	at->reader = (uint32_t)site->reported + 1;
	at->group = group;
	at->reader_warp = (uint8_t)site->warp;
	at->reader_lane = (uint8_t)lane;
}

void race_async_read(struct race_detector *d, const struct race_site *site, const struct warp_access *a, uint32_t group)
{
	if (!d->async || a->space != SPACE_SHARED)
		return;
	for (uint32_t left = a->active; left; left &= left - 1)
		for (uint32_t i = 0; i < a->width; i += 4)
			read_word(d, site, (a->address[__builtin_ctz(left)] + i) / 4, __builtin_ctz(left), group);
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
		add_finding(d, &here, &read, word, RACE_MISSING_WAIT_READ);
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
	if (d->async)
		d->async->fences++;
}
