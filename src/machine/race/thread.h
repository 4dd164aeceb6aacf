/* machine/race/thread.h: the vector clocks of a block's threads. Inside race/ only.
 *
 * As in happens-before detectors for C++11 (Lidbury and Donaldson, "Dynamic race detection for C++11", POPL 2017), a
 * thread has beside its clock a release-fence clock, which a strong write publishes, and an acquire-fence clock, which
 * collects what strong reads found until a fence makes it known; here one of each for each scope. */
#pragma once
#include "machine/race/race.h"
#include "machine/race/vector_clock.h"

struct thread_clocks {
	struct vector_clock now;                        /* lane_epoch does not matter: a lane knows what it did */
	struct vector_clock release_fence[RACE_SCOPES]; /* `now` at the last fence of that scope or a wider one */
	struct shared_clock acquire_fence[RACE_SCOPES]; /* known from the next fence of that scope on */
	struct shared_clock
		rmw_acquire; /* found by read-modify-writes; known from the next barrier of the block on, too */
	/* The location with which it last synchronized, as that was then: a thread that polls mostly finds it unchanged. */
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

/* The lanes of the warp have clocks of their own from now on; or all know what `clocks` says. */
void race_threads_split(struct warp_clocks *w);
void race_threads_unite(struct warp_clocks *w, const struct thread_clocks *clocks);

void race_vector_clock_set(struct vector_clock *clock, struct vector_clock value);

/* Joins to `clock`: an entry, and everything of the block up to `all`; what `v`, the clock of `lanes` of `warp`, knows, as
 * threads of other warps see it; what was found at strong reads, of which nothing is pending then. */
void race_clock_add(struct shared_clock *clock, uint32_t all, struct clock_entry entry);
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

/* barrier.c */
void race_barriers_free(struct race_detector *d);
