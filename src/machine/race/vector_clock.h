/* machine/race/vector_clock.h: which accesses happen before what a thread does next. Inside race/ only.
 *
 * Each block has a clock (race_detector.clock), whose values are epochs: every access has the epoch of its warp. A full
 * vector clock would have an entry for each thread of the grid; these say the same of many threads at once, as sets of
 * lanes of sets of warps.
 *
 * Block clocks and grid clocks are immutable and shared: a function that returns one gives the caller a reference of its
 * own, and NULL, nothing known, is a value like any other. References are counted atomically, so that cores may share them. */
#pragma once
#include <stdint.h>

#include "machine/warp/warp.h"

/* What `lanes` of each of `warps` of a block (bit masks) did up to `epoch`, that included. */
struct clock_entry {
	uint32_t warps, lanes, epoch;
};

/* Of the threads of one block. */
struct block_clock {
	uint32_t refs;
	uint32_t all; /* every thread, up to this epoch */
	uint32_t n;
	struct clock_entry entries[]; /* what is known beyond that, none part of another */
};

/* Of the threads of many blocks: a tree with 16 branches at each level, by the hexadecimal digits of the block. */
struct grid_clock {
	uint32_t refs;
	uint32_t level; /* 0: its branches are `struct block_clock` */
	void *branch[16];
};

/* Of the own block and of the others. */
struct shared_clock {
	struct block_clock *own;
	struct grid_clock *others;
};

/* What a thread knows to have happened before its next instruction. Nearly always the first three numbers say it all. */
struct vector_clock {
	uint32_t block_epoch; /* everything of its block up to this epoch, */
	uint32_t warp_epoch;  /* of its warp up to this one, */
	uint32_t lane_epoch;  /* of its own up to this one, */
	struct shared_clock more;
};

static inline uint32_t epoch_max(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* `entry`, and everything of the block up to `all`. */
struct block_clock *race_block_clock_new(uint32_t all, struct clock_entry entry);
void race_block_clock_drop(struct block_clock *clock);
struct block_clock *race_block_clock_join(const struct block_clock *a, const struct block_clock *b);

/* Those of `lanes` of `warp` that it does not know up to `epoch`. */
uint32_t race_block_clock_missing(const struct block_clock *clock, uint32_t warp, uint32_t lanes, uint32_t epoch);

/* The level of the root of a tree for `blocks` blocks. */
uint32_t race_grid_clock_level(uint64_t blocks);
struct grid_clock *race_grid_clock_keep(const struct grid_clock *clock);
void race_grid_clock_drop(struct grid_clock *clock);
struct grid_clock *race_grid_clock_join(const struct grid_clock *a, const struct grid_clock *b);

/* `clock`, whose root is of `level`, joined with what `more` knows of `block`. */
struct grid_clock *race_grid_clock_with(
	const struct grid_clock *clock, uint32_t level, uint32_t block, const struct block_clock *more);

/* What it knows of the block; lives as long as `clock`. */
const struct block_clock *race_grid_clock_block(const struct grid_clock *clock, uint32_t block);

struct shared_clock race_clock_keep(struct shared_clock clock);
void race_clock_drop(struct shared_clock *clock); /* leaves nothing known */

/* Joins `more` to `clock`. */
void race_clock_join(struct shared_clock *clock, struct shared_clock more);
