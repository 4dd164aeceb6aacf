/* model/hardware/cache.h: what the caches make of a launch's accesses to global and local memory: the L1 of one SM,
 * simulated access by access; the L2 of all, as a set of lines without an order in time.
 *
 * Lines of 128 bytes with four sectors of 32. The rules are those of CC 9.0:
 *   - L1 has what the carve-out for shared memory leaves of the SM's memory, in groups of lines that each forget the
 *     line that was used longest ago. A load brings the sectors that it lacks. A store goes through to L2 and leaves
 *     the sectors that it wrote; atomics and loads past the L1 make it forget the line.
 *   - L2 has two halves. A line has its home in one, and SMs of the other copy it there sector by sector, from then on
 *     near.
 *   - It begins with what fits of the launch's buffers, and asks DRAM for at least two sectors at a time.
 * An estimate: errors.def. Verified: H200, tests/time/h200 (l1_size, l1_sets, l1_policy, next_block, l2_sectors, and
 * the counters of fit). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/warp/warp.h"

#define CACHE_SECTORS 4          /* of a line */
#define CACHE_LOCAL (1ull << 58) /* addresses from here on are of local memory: see cache_lines */

/* One line that a request touches, and which of its sectors. */
struct cache_line {
	uint64_t line; /* address / 128 */
	uint8_t sectors;
};

enum cache_op { CACHE_LOAD, CACHE_LOAD_PAST, CACHE_STORE, CACHE_ATOMIC };

/* The lines that an access to global or local memory touches, each once, in the order of the lanes; at most
 * CACHE_LINES_MAX. `warp` is unique in the launch: of local memory every warp has its own. */
#define CACHE_LINES_MAX 128
int cache_lines(const struct warp_access *access, uint32_t warp, struct cache_line out[CACHE_LINES_MAX]);

enum cache_op cache_op_of(const struct warp_access *access, bool past);

/* --- the L1 of one SM --------------------------------------------------------------------------------------------- */

struct cache_l1;

/* `shared`: bytes of the SM's memory that are shared memory. */
struct cache_l1 *cache_l1_new(uint32_t shared);
void cache_l1_free(struct cache_l1 *l1);

struct cache_hit {
	uint8_t sectors; /* that it has, of those asked for */
	double arrives;  /* when the line's latest sector came or will come */
};

/* Looks the line up and leaves it as `op` does; sectors that a load lacks arrive at `arrives`, which may be set later
 * with cache_l1_arrive. */
struct cache_hit cache_l1_access(struct cache_l1 *l1, enum cache_op op, const struct cache_line *line);
void cache_l1_arrive(struct cache_l1 *l1, uint64_t line, double when);

/* Bytes of shared memory that an SM sets aside for so many blocks that use so much each, reserved bytes not among
 * them. */
uint32_t cache_carveout(int cc, uint32_t blocks, uint32_t shared);

/* --- what L2 sees of a launch ------------------------------------------------------------------------------------- */

/* A set of lines, to which every access of the launch is added, in any order; sets of parts of the launch can be
 * joined. */
struct cache_set;

struct cache_set *cache_set_new(void);
void cache_set_free(struct cache_set *set);

/* `half`: of the SM, 0 or 1. `when`: 0 to 63, so that accesses far apart in time differ. */
void cache_set_add(struct cache_set *set, enum cache_op op, const struct cache_line *line, int half, int when);
/* An atomic that went through the line's sectors so often. `word`: the only one of the line that it adds floats to, 0
 * to 31; else -1. */
void cache_set_change(struct cache_set *set, uint64_t line, int rounds, int word);
bool cache_set_has(const struct cache_set *set, uint64_t line);
void cache_set_join(struct cache_set *set, const struct cache_set *more);

/* In sectors. Of loads: those that were touched at all; those that a half touched, of each half; lookups, and of those
 * how many came back to a line after long. */
struct cache_footprint {
	double loaded, stored, touched; /* distinct sectors; touched: by either */
	double halves;                  /* distinct sectors of each half, added */
	double pairs;                   /* of loaded, pairs of sectors that DRAM is asked for together */
	double loads, stores, again;    /* lookups before the L1; `again`: loads that came back after long */
	double changed;                 /* those of stores that were atomics */
	double requests;                /* lines that loads asked for, before the L1 */
	double missing;                 /* of `pairs`, those that L2 does not have when the launch begins */
	double undecided;               /* of loaded: how far what is found may be from half, see cache_set.c */
	bool fits;                      /* all that is touched fits into L2 */
	bool in_turns;                  /* all is touched as often, one after the other */
	double kept;                    /* share of what is touched that is there when it is touched again */
	double rounds,
		/* Of atomics through sectors, in all; of one slice of L2, at most, slow ones counted as more */
		rounds_most;
};

/* `buffers`: bytes of all of the launch's, which L2 has as far as they fit. */
struct cache_footprint cache_set_footprint(const struct cache_set *set, double buffers);

/* Of what is stored, in bytes, those that go to DRAM while the kernel runs, when it also loads so many from
 * elsewhere. */
double cache_written(double stored, double loaded);
