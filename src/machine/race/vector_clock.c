#include "machine/race/vector_clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* More entries than this are rounded up, warp by warp: then accesses count as ordered that are not, and a race may be
 * missed; none is invented. Only hundreds of threads that each pass on a lock of their own come here. */
#define ENTRIES_MAX 512u

static void keep_ref(uint32_t *refs)
{
	__atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* Whether it was the last one. */
static bool drop_ref(uint32_t *refs)
{
	return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

/* --- of one block ------------------------------------------------------------------------------------------------- */

static struct block_clock *alloc_block_clock(uint32_t all, size_t entries)
{
	struct block_clock *clock = base_malloc(sizeof *clock + entries * sizeof *clock->entries);
	clock->refs = 1;
	clock->all = all;
	clock->n = 0;
	return clock;
}

struct block_clock *race_block_clock_new(uint32_t all, struct clock_entry entry)
{
	struct block_clock *clock = alloc_block_clock(all, 1);
	if (entry.epoch > all && entry.warps && entry.lanes)
		clock->entries[clock->n++] = entry;
	return clock;
}

static struct block_clock *keep_block_clock(const struct block_clock *clock)
{
	struct block_clock *kept = (struct block_clock *)clock;
	if (kept)
		keep_ref(&kept->refs);
	return kept;
}

void race_block_clock_drop(struct block_clock *clock)
{
	if (clock && drop_ref(&clock->refs))
		free(clock);
}

static bool is_part_of(struct clock_entry a, struct clock_entry b)
{
	return !(a.warps & ~b.warps) && !(a.lanes & ~b.lanes) && a.epoch <= b.epoch;
}

static void add_entry(struct block_clock *clock, struct clock_entry c)
{
	uint32_t kept = 0;
	if (c.epoch <= clock->all)
		return;
	for (uint32_t i = 0; i < clock->n; i++)
		if (is_part_of(c, clock->entries[i]))
			return;
	for (uint32_t i = 0; i < clock->n; i++)
		if (!is_part_of(clock->entries[i], c))
			clock->entries[kept++] = clock->entries[i];
	clock->n = kept;
	for (uint32_t i = 0; i < clock->n; i++) {
		/* One entry for two, where nothing is lost or gained by it. */
		struct clock_entry *into = &clock->entries[i];
		if (into->epoch == c.epoch && (into->warps == c.warps || into->lanes == c.lanes)) {
			into->warps |= c.warps;
			into->lanes |= c.lanes;
			return;
		}
	}
	clock->entries[clock->n++] = c;
}

/* Begins at `from`: an entry often has the same index in both clocks. */
static bool includes_entry(const struct block_clock *clock, struct clock_entry c, uint32_t from)
{
	if (c.epoch <= clock->all)
		return true;
	for (uint32_t i = from; i < clock->n; i++)
		if (is_part_of(c, clock->entries[i]))
			return true;
	for (uint32_t i = 0; i < from && i < clock->n; i++)
		if (is_part_of(c, clock->entries[i]))
			return true;
	return false;
}

/* Whether `a` knows all that `b` does: b <= a. */
static bool block_clock_includes(const struct block_clock *a, const struct block_clock *b)
{
	if (b->all > a->all)
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		if (!includes_entry(a, b->entries[i], i))
			return false;
	return true;
}

struct block_clock *race_block_clock_join(const struct block_clock *a, const struct block_clock *b)
{
	if (!b || a == b)
		return keep_block_clock(a);
	if (!a || block_clock_includes(b, a))
		return keep_block_clock(b);
	if (block_clock_includes(a, b))
		return keep_block_clock(a);
	struct block_clock *joined = alloc_block_clock(a->all > b->all ? a->all : b->all, (size_t)a->n + b->n);
	for (uint32_t i = 0; i < a->n; i++)
		add_entry(joined, a->entries[i]);
	for (uint32_t i = 0; i < b->n; i++)
		add_entry(joined, b->entries[i]);
	if (joined->n > ENTRIES_MAX) {
		struct clock_entry rounded[BLOCK_WARPS_MAX];
		for (uint32_t warp = 0; warp < BLOCK_WARPS_MAX; warp++) {
			rounded[warp] = (struct clock_entry){1u << warp, 0, 0};
			for (uint32_t i = 0; i < joined->n; i++) {
				const struct clock_entry *c = &joined->entries[i];
				if (!(c->warps >> warp & 1))
					continue;
				rounded[warp].lanes |= c->lanes;
				rounded[warp].epoch = c->epoch > rounded[warp].epoch ? c->epoch : rounded[warp].epoch;
			}
		}
		joined->n = 0;
		for (uint32_t warp = 0; warp < BLOCK_WARPS_MAX; warp++)
			if (rounded[warp].lanes)
				add_entry(joined, rounded[warp]);
	}
	return joined;
}

uint32_t race_block_clock_missing(const struct block_clock *clock, uint32_t warp, uint32_t lanes, uint32_t epoch)
{
	if (!clock)
		return lanes;
	if (epoch <= clock->all)
		return 0;
	for (uint32_t i = 0; i < clock->n && lanes; i++)
		if (clock->entries[i].epoch >= epoch && clock->entries[i].warps >> warp & 1)
			lanes &= ~clock->entries[i].lanes;
	return lanes;
}

/* --- of many blocks ----------------------------------------------------------------------------------------------- */

uint32_t race_grid_clock_level(uint64_t blocks)
{
	uint32_t level = 0;
	while (level < 7 && blocks > (uint64_t)16 << 4 * level)
		level++;
	return level;
}

struct grid_clock *race_grid_clock_keep(const struct grid_clock *clock)
{
	struct grid_clock *kept = (struct grid_clock *)clock;
	if (kept)
		keep_ref(&kept->refs);
	return kept;
}

void race_grid_clock_drop(struct grid_clock *clock)
{
	if (!clock || !drop_ref(&clock->refs))
		return;
	for (int i = 0; i < 16; i++) {
		if (clock->level)
			race_grid_clock_drop(clock->branch[i]);
		else
			race_block_clock_drop(clock->branch[i]);
	}
	free(clock);
}

static struct grid_clock *new_grid_clock(uint32_t level)
{
	struct grid_clock *clock = base_calloc(1, sizeof *clock);
	clock->refs = 1;
	clock->level = level;
	return clock;
}

/* `made`, unless it equals one of the two, branch by branch: then that. */
static struct grid_clock *reuse_equal(struct grid_clock *made, const struct grid_clock *a, const struct grid_clock *b)
{
	const struct grid_clock *same = memcmp(made->branch, a->branch, sizeof made->branch) == 0 ? a
		: memcmp(made->branch, b->branch, sizeof made->branch) == 0                       ? b
												  : NULL;
	if (!same)
		return made;
	race_grid_clock_drop(made);
	return race_grid_clock_keep(same);
}

struct grid_clock *race_grid_clock_join(const struct grid_clock *a, const struct grid_clock *b)
{
	if (!a || !b || a == b)
		return race_grid_clock_keep(a ? a : b);
	struct grid_clock *joined = new_grid_clock(a->level);
	for (int i = 0; i < 16; i++)
		joined->branch[i] = a->level ? (void *)race_grid_clock_join(a->branch[i], b->branch[i])
					     : (void *)race_block_clock_join(a->branch[i], b->branch[i]);
	return reuse_equal(joined, a, b);
}

struct grid_clock *race_grid_clock_with(
	const struct grid_clock *clock, uint32_t level, uint32_t block, const struct block_clock *more)
{
	uint32_t digit = block >> 4 * level & 15;
	struct grid_clock *copy;
	if (!more)
		return race_grid_clock_keep(clock);

	copy = new_grid_clock(level);
	for (int i = 0; clock && i < 16; i++)
		copy->branch[i] = level ? (void *)race_grid_clock_keep(clock->branch[i])
					: (void *)keep_block_clock(clock->branch[i]);

	const void *old = copy->branch[digit];
	void *branch = level ? (void *)race_grid_clock_with(old, level - 1, block, more)
			     : (void *)race_block_clock_join(old, more);
	if (level)
		race_grid_clock_drop(copy->branch[digit]);
	else
		race_block_clock_drop(copy->branch[digit]);
	copy->branch[digit] = branch;
	return clock ? reuse_equal(copy, clock, clock) : copy;
}

const struct block_clock *race_grid_clock_block(const struct grid_clock *clock, uint32_t block)
{
	const void *at = clock;
	for (uint32_t level = clock ? clock->level + 1 : 0; at && level-- > 0;)
		at = ((const struct grid_clock *)at)->branch[block >> 4 * level & 15];
	return at;
}

/* --- of both ------------------------------------------------------------------------------------------------------ */

struct shared_clock race_clock_keep(struct shared_clock clock)
{
	keep_block_clock(clock.own);
	race_grid_clock_keep(clock.others);
	return clock;
}

void race_clock_drop(struct shared_clock *clock)
{
	race_block_clock_drop(clock->own);
	race_grid_clock_drop(clock->others);
	*clock = (struct shared_clock){0};
}

void race_clock_join(struct shared_clock *clock, struct shared_clock more)
{
	struct shared_clock sum = *clock;
	if (more.own && more.own != clock->own)
		sum.own = race_block_clock_join(clock->own, more.own);
	else
		keep_block_clock(sum.own);
	if (more.others && more.others != clock->others)
		sum.others = race_grid_clock_join(clock->others, more.others);
	else
		race_grid_clock_keep(sum.others);
	race_clock_drop(clock);
	*clock = sum;
}
