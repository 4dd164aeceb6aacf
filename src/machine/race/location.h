/* machine/race/location.h: words of memory by which threads synchronize, and strong writes that they observe. Inside
 * race/ only. */
#pragma once
#include <stdint.h>

#include "machine/race/race.h"
#include "machine/race/vector_clock.h"

/* --- tables ------------------------------------------------------------------------------------------------------- */

struct race_table {
	uint64_t **slots; /* NULL: empty; else the number of a thing, and so the thing */
	uint32_t n, cap;
};

/* The thing with this number, or NULL. */
void *race_table_find(const struct race_table *table, uint64_t number);

/* Adds a thing whose number the table does not have. */
void race_table_add(struct race_table *table, void *thing);

/* Empties the table; frees its memory. */
void race_table_clear(struct race_table *table);
void race_table_free(struct race_table *table);

/* --- locations: flags, locks, tickets, mbarriers: location.c ------------------------------------------------------ */

/* Each has a release clock: what threads that fenced before they wrote to it knew then. A strong read that finds it
 * synchronizes with them, once the reader has a fence. */

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

/* --- causality order by observation: observe.c -------------------------------------------------------------------- */

/* PTX ISA, Causality order: what a thread does after a strong read or read-modify-write, or after whatever that happens
 * before, comes after the strong writes that it observed: the one whose value it read and, if that was a
 * read-modify-write, what that observed; all of them morally strong with each other. What the writing threads did
 * before is another matter.
 *
 * Of each word there is the chain of writes that the next read observes. A strong store begins a new one; so does an
 * access that is not morally strong with those before it. Weak stores are not followed: they race with the chain, or
 * come after it. A read-modify-write whose value is not used is observed and does not observe: what came before it is
 * chance. */

/* Lanes of a warp that had observed all of a chain; their accesses then had that epoch. */
struct observer {
	uint32_t block, warp, lanes, epoch; /* lanes 0: there is none */
};

#define OBSERVERS_MAX 8 /* readers of a chain; more replace each other, and accesses count as unordered that are not */

struct observed_word {
	uint64_t number;                 /* address / 4 */
	uint32_t writes;                 /* strong ones so far; the last one's number */
	uint32_t from;                   /* those after this one are of the chain */
	uint32_t chain;                  /* its number */
	uint32_t one_block, one_cluster; /* that made the chain; BLOCKS_MANY */
	uint8_t size, offset;
	bool cta, cluster;      /* there is scope .cta, .cluster in the chain */
	struct observer writer; /* of the last write; it had observed all before */
	struct observer reader[OBSERVERS_MAX];
	uint32_t n_readers;
	struct observer before;              /* had observed the chains from `before_chain` on, up to this one: */
	uint32_t before_from, before_chain;  /* the writes after this one */
	uint32_t relied, again, again_block; /* see race_observed_anew */
};

/* Writes to a word, by number: those after `from`, up to `to`. */
struct write_range {
	uint32_t from, to;
};

struct race_detector;
struct shadow_access;

/* A strong access, before it is made and entered. */
void race_observe(struct race_detector *d, const struct race_site *site, const struct warp_access *access,
	const struct race_order *order);

/* The chain that a strong write which was observed last belongs to, by its last 8 bits. */
uint8_t race_observed_chain(struct race_detector *d, enum mem_space space, uint64_t word);

/* Whether `old`, a strong write of this block, comes before the next access of `lane` of `warp` by observation. */
bool race_observed(struct race_detector *d, enum mem_space space, uint64_t word, uint32_t warp, int lane,
	const struct shadow_access *old);

/* Of global memory. The writes that come before the next weak access of a lane by observation; the last write's number,
 * as a range up to it. */
struct write_range race_observed_writes(struct race_detector *d, uint64_t word, uint32_t warp, int lane);
struct write_range race_last_write(struct race_detector *d, uint64_t word);

/* Whether the last write has to be told from those of its block before, as some access counts on having observed those:
 * once for each block and such access. */
bool race_observed_anew(struct race_detector *d, uint64_t word);

void race_observed_clear(struct race_table *words);
void race_observed_free(struct race_table *words);
