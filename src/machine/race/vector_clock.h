/* machine/race/vector_clock.h: which accesses happen before what a thread does next. Inside race/ only.
 *
 * Each block has a clock (race_detector.clock), whose values are epochs: every access has the epoch of its warp. A full
 * vector clock would have an entry for each thread of the grid; these say the same of many threads at once, as sets of
 * lanes of sets of warps.
 *
 * Block clocks and grid clocks are immutable and shared: a function that returns one gives the caller a reference of
 * its own, and NULL, nothing known, is a value like any other. References are counted atomically, so that cores may
 * share them. */
#pragma once
#include <stdint.h>

#include "machine/race/race.h"
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

/* What a thread knows to have happened before its next instruction. Nearly always the first three numbers say it
 * all. */
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

/* --- of the threads of a block: thread.c -------------------------------------------------------------------------- */

/* As in happens-before detectors for C++11 (Lidbury and Donaldson, "Dynamic race detection for C++11", POPL 2017), a
 * thread has beside its clock a release-fence clock, which a strong write publishes, and an acquire-fence clock, which
 * collects what strong reads found until a fence makes it known; here one of each for each scope. */

struct thread_clocks {
	struct vector_clock now;                        /* lane_epoch does not matter: a lane knows what it did */
	struct vector_clock release_fence[RACE_SCOPES]; /* `now` at the last fence of that scope or a wider one */
	struct shared_clock acquire_fence[RACE_SCOPES]; /* known from the next fence of that scope on */
	/* found by read-modify-writes; known from the next barrier of the block on, too */
	struct shared_clock rmw_acquire;
	/* The location with which it last synchronized, as that was then: a thread that polls mostly finds it
	 * unchanged. */
	uint64_t last_location; /* address and space, scope; 0: none */
	uint32_t last_version;
	bool has_unpublished; /* it has had a fence since then */
	uint32_t init_epoch;  /* in which it made an mbarrier last; 0: it made none */
};

/* As long as the lanes of a warp know the same (but each its own accesses), they share one state. */
struct warp_clocks {
	uint32_t epoch; /* of its accesses */
	uint32_t lanes; /* that exist */
	bool split;
	struct thread_clocks common; /* not split */
	struct thread_clocks *lane;  /* split; or NULL if it never was */
};

/* What has arrived at a barrier so far. */
struct barrier_clocks {
	uint32_t lanes[BLOCK_WARPS_MAX], epoch[BLOCK_WARPS_MAX];
	uint32_t block_epoch;
	struct shared_clock more, release_fence[RACE_SCOPES], acquire_fence[RACE_SCOPES];
};

struct shadow_access;

struct thread_clocks *race_thread_clocks(struct race_detector *d, uint32_t warp, int lane);
void race_threads_start(struct race_detector *d);
void race_threads_free(struct race_detector *d);

/* The lanes of the warp have clocks of their own from now on. */
void race_threads_split(struct warp_clocks *w);

/* Joins to `clock`: what `v`, the clock of `lanes` of `warp`, knows, as
 * threads of other warps see it; what was found at strong reads, of which nothing is pending then. */
void race_clock_publish(struct shared_clock *clock, const struct vector_clock *v, uint32_t warp, uint32_t lanes);
void race_clock_acquire(const struct race_detector *d, struct shared_clock *clock, struct shared_clock *pending);

/* `lanes` of the warp execute a fence. */
void race_fence_scope(struct race_detector *d, uint32_t warp, uint32_t lanes, enum race_scope scope);

/* `lanes` of the warp have made an mbarrier. */
void race_inits(struct race_detector *d, uint32_t warp, uint32_t lanes);

/* Lanes of a warp whose access does not happen before something. */
struct unordered_lanes {
	uint32_t warp, lanes; /* lanes 0: there are none */
};

/* Those of `access`, of its first warp that has any, that do not happen before the next access of `lane` of `warp`. */
struct unordered_lanes race_unordered(
	const struct race_detector *d, uint32_t warp, int lane, const struct shadow_access *access);

void race_barriers_free(struct race_detector *d);
