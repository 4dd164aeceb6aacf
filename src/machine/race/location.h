/* machine/race/location.h: words of memory by which threads synchronize: flags, locks, tickets, mbarriers. Inside race/ only.
 *
 * Each has a release clock: what threads that fenced before they wrote to it knew then. A strong read that finds it
 * synchronizes with them, once the reader has a fence. */
#pragma once
#include "machine/race/race.h"
#include "machine/race/table.h"
#include "machine/race/vector_clock.h"

struct release_part;

struct release_clock {
	uint32_t block;                         /* that wrote last */
	struct shared_clock scope[RACE_SCOPES]; /* for threads of that block, of its cluster, and for all */
	struct release_part *kept; /* where blocks form clusters: what blocks before it released to fewer */
	uint32_t n_kept;
};

struct sync_location {
	uint64_t number;             /* address / 4 */
	uint32_t version;            /* counts changes */
	struct release_clock now;    /* up to the last write */
	struct release_clock phases; /* of an mbarrier: up to the end of its last complete phase */
};

/* Of tables of them: a location without anything to find stays until the table is emptied. */
void race_locations_clear(struct race_table *locations);
void race_locations_free(struct race_table *locations);

/* A strong access of one lane: acquires what the location has, and releases to it. */
void race_synchronize(struct race_detector *d, uint32_t warp, int lane, const struct warp_access *access,
	const struct race_order *order);

/* A phase of the mbarrier there is complete: what has been released to it so far is of that phase or of one before. */
void race_location_complete(struct race_detector *d, enum mem_space space, uint64_t address);
