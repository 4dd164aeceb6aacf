/* machine/race/detector.h: the state of a detector, and what its parts offer each other. Inside race/ only. */
#pragma once
#include <pthread.h>

#include "machine/race/location.h"
#include "machine/race/race.h"
#include "machine/race/shadow.h"
#include "machine/race/thread.h"

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
	struct async_reads *async;      /* async_read.c; NULL: there are none */
	struct pending_ranges *pending; /* pending.c; NULL: there were none */
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

struct race_grid {
	struct race_setup setup;
	bool communicates;           /* see race_grid_communicates */
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
	struct grid_shadow *shadow; /* grid_shadow.c: what blocks did so far */
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

/* copy.c: the access that ends a copy; a block begins without any. */
void race_copy_end(struct race_detector *d, uint32_t warp, const struct warp_access *access);
void race_copies_clear(struct race_detector *d);

/* async_read.c: a block begins; a store or an atomic. */
void race_async_start(struct race_detector *d);
void race_async_clear(struct race_detector *d);
void race_async_write(struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* What asynchronous operations are about to access by their proxy, and stores of the block before them. */
void race_proxy_compare(struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* pending.c: a block begins; an access of the block's shared memory, of `owner`'s where blocks form clusters, or of global memory. */
void race_pending_clear(struct race_detector *d);
void race_pending_compare(struct race_detector *d, const struct race_detector *owner, const struct race_site *site,
	const struct warp_access *access);

/* access.c: what an access means. */
const struct race_order *race_order_of(
	const struct race_detector *d, const struct race_site *site, const struct warp_access *access);

/* uninitialized.c */
void race_written_clear(struct race_detector *d);

/* compare.c: a finding of the access being checked; they are reported when it is over. */
void race_add_finding(struct race_detector *d, const struct race_finding *finding);
void race_flush_findings(struct race_detector *d);

/* Compares an access with those before it, and does not enter it. */
void race_compare(struct race_detector *d, const struct race_site *site, const struct warp_access *access);
