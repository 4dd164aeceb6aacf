/* machine/race/detector.h: shadow memory, the state of a detector, and what its parts offer each other. Inside race/
 * only. */
#pragma once
#include <pthread.h>

#include "machine/race/location.h"
#include "machine/race/race.h"
#include "machine/race/vector_clock.h"

/* --- shadow memory: what is remembered of each word that a block accessed ----------------------------------------- */

/* Of what kind a remembered access is. */
enum {
	SHADOW_WRITES = 1,
	SHADOW_STRONG = 2,
	SHADOW_CTA = 4,       /* strong, of scope .cta */
	SHADOW_VOLATILE = 8,  /* strong, and not atomic */
	SHADOW_SPINS = 16,    /* volatile read in a loop that waits */
	SHADOW_READS = 32,    /* with SHADOW_WRITES: atomic */
	SHADOW_CLUSTER = 128, /* strong, of scope .cluster */
	SHADOW_DATA = 64,     /* with SHADOW_WRITES: of a value that may be another one another time */
};

/* Accesses by one instruction to bytes of a word, of the same lanes of each of some warps, at one epoch. */
struct shadow_access {
	uint32_t epoch; /* 0: none */
	uint32_t warps, lanes, instr;
	uint8_t bytes, kind; /* bytes: bit 0 is the word's first */
	uint8_t size;        /* of the whole operation: bytes of an element */
	union {
		uint8_t chain; /* of a strong write: race_observed_chain */
		bool packed; /* of a weak read: of elements of 1 or 2 bytes, each by the next of `lanes`; race_unpack */
	};
};

static inline enum access_op shadow_op(uint8_t kind)
{
	return kind & SHADOW_READS ? ACCESS_ATOMIC : kind & SHADOW_WRITES ? ACCESS_STORE : ACCESS_LOAD;
}

/* The bits of a word that its `bytes` have. */
static inline uint32_t shadow_bits(uint32_t bytes)
{
	return (bytes & 1) * 0xFFu | (bytes >> 1 & 1) * 0xFF00u | (bytes >> 2 & 1) * 0xFF0000u |
		(bytes >> 3 & 1) * 0xFF000000u;
}

/* --- of one block ------------------------------------------------------------------------------------------------- */

#define PAGE_WORDS 256u

/* Earlier accesses to a word that do not happen before all that is still to come. */
struct shadow_chain {
	uint32_t first; /* index into the links, 0: none */
	uint32_t epoch; /* of the last change */
	bool writes;    /* there are writes among them */
};

struct shadow_link {
	struct shadow_access access;
	uint32_t next;
};

/* Words of memory as one block used them since its last full barrier: what is older is out of date by its epoch, so
 * that nothing need be cleared. Most pages are only read: then nothing but `read` is looked at. */
struct shadow_page {
	uint64_t number;                                          /* address / bytes of a page */
	uint32_t fences;                                          /* when `seen`, `part` and `value` were begun */
	uint32_t block_start;                                     /* of the block that the words are of */
	uint32_t changed;                                         /* epoch of the last entry that is not in `read` */
	struct shadow_access read[PAGE_WORDS], write[PAGE_WORDS]; /* the last ones */
	struct shadow_chain chain[PAGE_WORDS];
	/* What has been summarized of each word, of threads whose clock of other blocks is `others`. */
	const struct grid_clock *others;
	uint16_t seen[PAGE_WORDS];  /* a bit for each kind of strong accesses */
	uint8_t part[PAGE_WORDS];   /* bytes of weak reads (low half), of weak writes */
	uint8_t data[PAGE_WORDS];   /* bytes of weak writes with SHADOW_DATA */
	uint32_t value[PAGE_WORDS]; /* of weak writes without, the last */
};

/* shadow.c: the last read of a word, if it is packed, as accesses of a lane each. Whatever looks at a word closely asks
 * for that first. */
void race_unpack(struct race_detector *d, struct shadow_page *page, uint32_t word);

/* shadow.c: enters an access. */
void race_shadow_enter(
	struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *fresh);

/* shadow.c: a block begins; the page of that number, which is made if need be. */
void race_pages_start(struct race_detector *d);
struct shadow_page *race_page_find(struct race_detector *d, uint64_t number);
void race_pages_free(struct race_detector *d);

/* --- of a block, for the blocks after it -------------------------------------------------------------------------- */

/* Reads and writes: weak, of scope .cta, of scope .cluster, of scope .gpu. */
enum {
	SUMMARY_WEAK_READ,
	SUMMARY_CTA_READ,
	SUMMARY_CLUSTER_READ,
	SUMMARY_READ,
	SUMMARY_WEAK_WRITE,
	SUMMARY_CTA_WRITE,
	SUMMARY_CLUSTER_WRITE,
	SUMMARY_WRITE,
	SUMMARY_KINDS
};

static inline int summary_kind(uint8_t shadow_kind)
{
	int reach = !(shadow_kind & SHADOW_STRONG) ? SUMMARY_WEAK_READ
		: shadow_kind & SHADOW_CTA         ? SUMMARY_CTA_READ
		: shadow_kind & SHADOW_CLUSTER     ? SUMMARY_CLUSTER_READ
						   : SUMMARY_READ;
	return reach + (shadow_kind & SHADOW_WRITES ? SUMMARY_WEAK_WRITE : 0);
}

/* Accesses of a block to words of global memory, to be compared with other blocks. */
struct access_summary {
	uint64_t word;             /* address / 4 of the first; all are in one page */
	struct grid_clock *others; /* what the thread knew of other blocks */
	uint32_t instr, epoch, lanes, value;
	uint8_t warp, bytes, kind, size; /* the last three as in shadow_access */
	struct write_range writes; /* weak: that it comes after by observation; a strong write: up to its own number */
	uint8_t words;             /* neighbors, each by the lanes `step` above those of the word before */
	uint8_t step;              /* any where there is one word */
	bool packed;               /* as in shadow_access */
	bool has_values;           /* each word its own: `value` is the place of the first in summary_list.values */
};

/* grid_shadow.c: adds an access to a word to the block's summaries, unless it is one that they have. */
void race_summarize(struct race_detector *d, struct shadow_page *page, uint32_t word,
	const struct shadow_access *access, uint32_t value);

/* Adds a weak read, perhaps packed, or a weak write with SHADOW_DATA, of `n` neighboring words, each by the lanes after
 * those of the word before, which are `lanes` at the first; `values` are those of a write. False when it has to be
 * done word by word; then nothing was done. */
bool race_summarize_row(struct race_detector *d, struct shadow_page *page, uint32_t word, uint32_t n,
	const struct shadow_access *access, uint32_t lanes, const uint32_t *values);
void race_summaries_clear(struct race_detector *d);

/* Forgets what has been summarized of a page: from now on all is new, for threads that know `others` of other
 * blocks. */
void race_summary_reset(const struct race_detector *d, struct shadow_page *page, const struct grid_clock *others);

/* grid_shadow.c: compares what the block did with what blocks before it did, and adds it to that. */
void race_grid_shadow_merge(struct race_detector *d);
void race_grid_shadow_free(struct race_grid *grid);

/* The shadow memory of the grid is in parts, each of some pages, so that several cores can work on it. */
#define GRID_PARTS 32u

/* --- the state of a detector -------------------------------------------------------------------------------------- */

#define FINDINGS_AT_ONCE 8

#define RECENT_PAGES 512u

/* The shadow pages of global memory. */
struct page_table {
	struct race_table by_number;              /* those in use */
	struct shadow_page **pages;               /* all: those in use, then spare ones */
	uint32_t made, cap;                       /* of all */
	struct shadow_page *recent[RECENT_PAGES]; /* found, by the low bits of their number; or NULL */
};

/* The links of chains; [0] is not used. */
struct link_pool {
	struct shadow_link *at;
	uint32_t n, cap;
};

struct summary_list {
	struct access_summary *at;
	uint32_t n, cap;
	uint32_t *values; /* of those that have values: word after word */
	uint32_t n_values, cap_values;
};

/* Which bytes were written: a bit per byte. */
struct written_bits {
	uint8_t *shared, *local; /* of local memory thread after thread */
	uint64_t local_stride;   /* bytes of a thread in it, a multiple of 16 */
};

/* An asynchronous copy to a word of shared memory that has begun and not ended. */
struct pending_copy {
	uint32_t instr_plus_1; /* 0: none */
	uint8_t warp, lane;
};

struct pending_copies {
	struct pending_copy *of_word; /* of shared memory; NULL: there was none yet */
	uint32_t n;                   /* words being copied to */
};

struct race_detector {
	struct race_grid *grid;
	struct race_setup setup;
	race_report_fn *report;
	void *ctx;
	uint32_t block, cluster, n_warps; /* cluster: race_cluster_of(block) */
	uint32_t clock;                   /* runs on from block to block, so that what is left of one is out of date */
	uint32_t block_start;             /* its value when the block began */
	uint32_t barrier_epoch; /* what was done up to here happens before everything: the last full barrier */
	uint32_t fences;        /* that reach other blocks, so far: after each, others may know more of this block */
	struct warp_clocks warps[BLOCK_WARPS_MAX];
	struct barrier_clocks *barriers[RACE_BARRIERS];
	struct shadow_page *shared; /* the pages of shared memory */
	struct pending_copies copies;
	struct async_reads *async;      /* async.c; NULL: there are none */
	struct pending_ranges *pending; /* async.c; NULL: there were none */
	uint32_t operations;            /* asynchronous ones, so far */
	bool communicates;              /* as race_grid_communicates; of the grid when the block ends */
	struct page_table global;
	struct link_pool links;
	struct summary_list summaries;
	struct race_table locations; /* in shared memory */
	struct race_table observed;  /* words of shared memory */
	struct written_bits written;
	struct race_finding findings[FINDINGS_AT_ONCE]; /* of the access being checked */
	uint32_t n_findings;
};

/* Global memory that begins uninitialized. */
struct uninitialized_region {
	uint64_t address, bytes;
	uint8_t *written;
};

struct grid_shadow;
struct left_blocks;

struct race_grid {
	struct race_setup setup;
	_Atomic bool communicates;   /* see race_grid_communicates */
	bool synchronizes;           /* the kernel has fences, by which blocks and threads can know of each other */
	uint32_t level;              /* of the root of a grid clock */
	pthread_mutex_t lock;        /* of `locations`, `observed` */
	struct race_table locations; /* in global memory */
	struct race_table observed;  /* words of it */
	bool observes;               /* the kernel has accesses that observe */
	_Atomic bool observed_any;   /* `observed` is not empty; read without the lock, as is the next */
	_Atomic bool relies;         /* a weak access came after others by that */
	struct uninitialized_region *uninitialized;
	uint32_t n_uninitialized;
	struct grid_shadow *shadow[GRID_PARTS]; /* grid_shadow.c: what blocks did so far; NULL: nothing there */
	struct left_blocks *left;               /* grid_shadow.c: what blocks on several cores did; NULL: on one */
};

/* The first block of the cluster that `block` is in. */
static inline uint32_t race_cluster_of(const struct race_setup *setup, uint32_t block)
{
	uint32_t x, y, z;
	if (!setup->clusters)
		return block;
	x = block % setup->grid[0];
	y = block / setup->grid[0] % setup->grid[1];
	z = block / setup->grid[0] / setup->grid[1];
	x -= x % setup->cluster[0];
	y -= y % setup->cluster[1];
	z -= z % setup->cluster[2];
	return (z * setup->grid[1] + y) * setup->grid[0] + x;
}

/* What happens from here on has a later epoch than what it returns. */
static inline uint32_t race_tick(struct race_detector *d)
{
	return d->clock++;
}

static inline struct shadow_page *race_page(struct race_detector *d, uint64_t word)
{
	uint64_t number = word / PAGE_WORDS;
	struct shadow_page *page = d->global.recent[number % RECENT_PAGES];
	return page && page->number == number && page->fences == d->fences ? page : race_page_find(d, number);
}

/* async.c: the access that ends a copy; a block begins without any. */
void race_copy_end(struct race_detector *d, uint32_t warp, const struct warp_access *access);
void race_copies_clear(struct race_detector *d);

/* async.c: a block begins; a store or an atomic. */
void race_async_start(struct race_detector *d);
void race_async_clear(struct race_detector *d);
void race_async_write(struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* async.c: a block begins; an access of the block's shared memory, of `owner`'s where blocks form clusters, or of
 * global memory. */
void race_pending_clear(struct race_detector *d);
void race_pending_compare(struct race_detector *d, const struct race_detector *owner, const struct race_site *site,
	const struct warp_access *access);

/* access.c: what an access means. */
const struct race_order *race_order_of(
	const struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* uninitialized.c */
void race_written_clear(struct race_detector *d);

/* access.c: a finding of the access being checked; they are reported when it is over. */
void race_add_finding(struct race_detector *d, const struct race_finding *finding);
void race_flush_findings(struct race_detector *d);

/* Compares an access with those before it, and does not enter it. */
void race_compare(struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* --- the shared memory of other blocks of a cluster: cluster.c ---------------------------------------------------- */

/* Whether a check is for all that an access means, or compares it with others alone. */
enum race_check { RACE_CHECK_ORDERS, RACE_CHECK_COMPARES };

/* access.c: an access to shared or global memory. */
void race_check(struct race_detector *d, const struct race_site *site, const struct warp_access *a,
	const struct race_store *store, enum race_check check);

/* A finding in shared memory is in that of `owner`, by its place there. */
void race_cluster_place(struct race_finding *f, const struct race_detector *owner);

/* The block whose shared memory has the address, which is one of those that other blocks know it by. */
uint32_t race_cluster_place_block(uint64_t address);

/* Says of a finding whose shared memory it is in, if it is that of a block of a cluster. */
void race_cluster_name(struct race_finding *f);
