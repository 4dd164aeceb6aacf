/* race/vector_clock.h: what a thread knows to be over: the accesses that come before all that it does from now on.
 *
 * Each block has a clock. An access is stamped with its time; knowledge says for lanes of warps of a block up to which time
 * all they did is known. Knowledge is immutable and shared: functions that return it give the caller a reference of its own,
 * and NULL, nothing known, is a value like any other. References are counted atomically, so that cores may share it. */
#pragma once
#include <stdint.h>

#include "warp/warp.h"

#define CHECK_ALL UINT32_MAX

/* Lanes of warps (bit masks) of one block, up to and with `time`. */
struct cover {
	uint32_t warps, lanes, time;
};

/* What is known of one block. */
struct past {
	uint32_t refs;
	uint32_t all; /* every thread, up to this time */
	uint32_t n;
	struct cover covers[]; /* what is known beyond that, none inside another */
};

/* What is known of several blocks: a tree with 16 branches at each level, by the hexadecimal digits of the block. */
struct world {
	uint32_t refs;
	uint32_t level; /* 0: its branches are `struct past` */
	void *branch[16];
};

/* What is known of the own block and of others. */
struct known {
	struct past *own;
	struct world *others;
};

/* `cover` and what all threads did up to `all`. */
struct past *past_new(uint32_t all, struct cover cover);
struct past *past_keep(const struct past *past);
void past_drop(struct past *past);
struct past *past_join(const struct past *a, const struct past *b);

/* Those of `lanes` of `warp` that are not known up to `time`. */
uint32_t past_misses(const struct past *past, uint32_t warp, uint32_t lanes, uint32_t time);

/* How high a tree for `blocks` blocks has to be. */
uint32_t world_level(uint64_t blocks);
struct world *world_keep(const struct world *world);
void world_drop(struct world *world);
struct world *world_join(const struct world *a, const struct world *b);

/* `world`, of height `level`, with what `past` knows of `block`. */
struct world *world_with(const struct world *world, uint32_t level, uint32_t block, const struct past *past);

/* What it knows of the block; lives as long as `world`. */
const struct past *world_past(const struct world *world, uint32_t block);

struct known known_keep(struct known known);
void known_drop(struct known *known); /* leaves nothing known */

/* Adds what `more` knows to `known`. */
void known_add(struct known *known, struct known more);
