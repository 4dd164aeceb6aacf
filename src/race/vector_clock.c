#include "race/vector_clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* More covers than this are rounded up, warp by warp: then knowledge is claimed that is not there, and a race may be
 * missed; none is invented. Only hundreds of threads that each pass on a lock of their own come here. */
#define COVERS_MAX 512u

static void keep(uint32_t *refs)
{
	__atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/* Whether it was the last one. */
static bool drop(uint32_t *refs)
{
	return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

/* --- of one block ------------------------------------------------------------------------------------------------- */

static struct past *past_alloc(uint32_t all, size_t covers)
{
	struct past *past = base_malloc(sizeof *past + covers * sizeof *past->covers);
	past->refs = 1;
	past->all = all;
	past->n = 0;
	return past;
}

struct past *past_new(uint32_t all, struct cover cover)
{
	struct past *past = past_alloc(all, 1);
	if (cover.time > all && cover.warps && cover.lanes)
		past->covers[past->n++] = cover;
	return past;
}

struct past *past_keep(const struct past *past)
{
	struct past *kept = (struct past *)past;
	if (kept)
		keep(&kept->refs);
	return kept;
}

void past_drop(struct past *past)
{
	if (past && drop(&past->refs))
		free(past);
}

static bool is_inside(struct cover a, struct cover b)
{
	return !(a.warps & ~b.warps) && !(a.lanes & ~b.lanes) && a.time <= b.time;
}

/* One cover for two, where nothing is lost or gained by it. */
static bool merge(struct cover *into, struct cover c)
{
	if (into->time != c.time || (into->warps != c.warps && into->lanes != c.lanes))
		return false;
	into->warps |= c.warps;
	into->lanes |= c.lanes;
	return true;
}

static void add_cover(struct past *past, struct cover c)
{
	uint32_t kept = 0;
	if (c.time <= past->all)
		return;
	for (uint32_t i = 0; i < past->n; i++)
		if (is_inside(c, past->covers[i]))
			return;
	for (uint32_t i = 0; i < past->n; i++)
		if (!is_inside(past->covers[i], c))
			past->covers[kept++] = past->covers[i];
	past->n = kept;
	for (uint32_t i = 0; i < past->n; i++)
		if (merge(&past->covers[i], c))
			return;
	past->covers[past->n++] = c;
}

static void round_up(struct past *past)
{
	struct cover rounded[BLOCK_WARPS_MAX];
	for (uint32_t warp = 0; warp < BLOCK_WARPS_MAX; warp++) {
		rounded[warp] = (struct cover){1u << warp, 0, 0};
		for (uint32_t i = 0; i < past->n; i++) {
			const struct cover *c = &past->covers[i];
			if (!(c->warps >> warp & 1))
				continue;
			rounded[warp].lanes |= c->lanes;
			rounded[warp].time = c->time > rounded[warp].time ? c->time : rounded[warp].time;
		}
	}
	past->n = 0;
	for (uint32_t warp = 0; warp < BLOCK_WARPS_MAX; warp++)
		if (rounded[warp].lanes)
			add_cover(past, rounded[warp]);
}

/* Begins at `from`: what one knows of another often stands at the same place in both. */
static bool has_cover(const struct past *past, struct cover c, uint32_t from)
{
	if (c.time <= past->all)
		return true;
	for (uint32_t i = from; i < past->n; i++)
		if (is_inside(c, past->covers[i]))
			return true;
	for (uint32_t i = 0; i < from && i < past->n; i++)
		if (is_inside(c, past->covers[i]))
			return true;
	return false;
}

/* Whether `a` knows all that `b` does. */
static bool past_has(const struct past *a, const struct past *b)
{
	if (b->all > a->all)
		return false;
	for (uint32_t i = 0; i < b->n; i++)
		if (!has_cover(a, b->covers[i], i))
			return false;
	return true;
}

struct past *past_join(const struct past *a, const struct past *b)
{
	if (!b || a == b)
		return past_keep(a);
	if (!a || past_has(b, a))
		return past_keep(b);
	if (past_has(a, b))
		return past_keep(a);
	struct past *joined = past_alloc(a->all > b->all ? a->all : b->all, (size_t)a->n + b->n);
	for (uint32_t i = 0; i < a->n; i++)
		add_cover(joined, a->covers[i]);
	for (uint32_t i = 0; i < b->n; i++)
		add_cover(joined, b->covers[i]);
	if (joined->n > COVERS_MAX)
		round_up(joined);
	return joined;
}

uint32_t past_misses(const struct past *past, uint32_t warp, uint32_t lanes, uint32_t time)
{
	if (!past)
		return lanes;
	if (time <= past->all)
		return 0;
	for (uint32_t i = 0; i < past->n && lanes; i++)
		if (past->covers[i].time >= time && past->covers[i].warps >> warp & 1)
			lanes &= ~past->covers[i].lanes;
	return lanes;
}

/* --- of many blocks ----------------------------------------------------------------------------------------------- */

uint32_t world_level(uint64_t blocks)
{
	uint32_t level = 0;
	while (level < 7 && blocks > (uint64_t)16 << 4 * level)
		level++;
	return level;
}

struct world *world_keep(const struct world *world)
{
	struct world *kept = (struct world *)world;
	if (kept)
		keep(&kept->refs);
	return kept;
}

void world_drop(struct world *world)
{
	if (!world || !drop(&world->refs))
		return;
	for (int i = 0; i < 16; i++) {
		if (world->level)
			world_drop(world->branch[i]);
		else
			past_drop(world->branch[i]);
	}
	free(world);
}

static struct world *world_new(uint32_t level)
{
	struct world *world = base_calloc(1, sizeof *world);
	world->refs = 1;
	world->level = level;
	return world;
}

static void *branch_join(uint32_t level, const void *a, const void *b)
{
	return level ? (void *)world_join(a, b) : (void *)past_join(a, b);
}

static void branch_drop(uint32_t level, void *branch)
{
	if (level)
		world_drop(branch);
	else
		past_drop(branch);
}

/* `made` when it is news; a tree that it equals, branch by branch, otherwise. */
static struct world *unless_same(struct world *made, const struct world *a, const struct world *b)
{
	const struct world *same = memcmp(made->branch, a->branch, sizeof made->branch) == 0 ? a
		: memcmp(made->branch, b->branch, sizeof made->branch) == 0                  ? b
											     : NULL;
	if (!same)
		return made;
	world_drop(made);
	return world_keep(same);
}

struct world *world_join(const struct world *a, const struct world *b)
{
	if (!a || !b || a == b)
		return world_keep(a ? a : b);
	struct world *joined = world_new(a->level);
	for (int i = 0; i < 16; i++)
		joined->branch[i] = branch_join(a->level, a->branch[i], b->branch[i]);
	return unless_same(joined, a, b);
}

static struct world *world_copy(const struct world *world, uint32_t level)
{
	struct world *copy = world_new(level);
	for (int i = 0; world && i < 16; i++)
		copy->branch[i] = level ? (void *)world_keep(world->branch[i]) : (void *)past_keep(world->branch[i]);
	return copy;
}

struct world *world_with(const struct world *world, uint32_t level, uint32_t block, const struct past *past)
{
	uint32_t digit = block >> 4 * level & 15;
	struct world *copy;
	if (!past)
		return world_keep(world);
	copy = world_copy(world, level);
	const void *old = copy->branch[digit];
	void *branch = level ? (void *)world_with(old, level - 1, block, past) : (void *)past_join(old, past);
	branch_drop(level, copy->branch[digit]);
	copy->branch[digit] = branch;
	return world ? unless_same(copy, world, world) : copy;
}

const struct past *world_past(const struct world *world, uint32_t block)
{
	const void *at = world;
	for (uint32_t level = world ? world->level + 1 : 0; at && level-- > 0;)
		at = ((const struct world *)at)->branch[block >> 4 * level & 15];
	return at;
}

/* --- of both ------------------------------------------------------------------------------------------------------ */

struct known known_keep(struct known known)
{
	past_keep(known.own);
	world_keep(known.others);
	return known;
}

void known_drop(struct known *known)
{
	past_drop(known->own);
	world_drop(known->others);
	*known = (struct known){0};
}

void known_add(struct known *known, struct known more)
{
	struct known sum = *known;
	if (more.own && more.own != known->own)
		sum.own = past_join(known->own, more.own);
	else
		past_keep(sum.own);
	if (more.others && more.others != known->others)
		sum.others = world_join(known->others, more.others);
	else
		world_keep(sum.others);
	known_drop(known);
	*known = sum;
}
