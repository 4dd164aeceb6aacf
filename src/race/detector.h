/* race/detector.h: the inside of the detector. Inside race/ only. */
#pragma once
#include <pthread.h>

#include "race/race.h"
#include "race/vector_clock.h"

/* --- what threads know -------------------------------------------------------------------------------------------- */

/* All threads of the block up to `base`, all lanes of the warp up to `warp`, the lane itself up to `self`, and more. */
struct view {
	uint32_t base, warp, self;
	struct known more;
};

struct lane_state {
	struct view live;                 /* `self` does not matter: a lane knows what it did */
	struct view fenced[CHECK_SCOPES]; /* as it was at the last fence of that scope or a wider one */
	struct known heard[CHECK_SCOPES]; /* found at strong reads, and known from the next fence of that scope on */
	/* The place where it last passed on what it knew, as it was then: whoever polls a place finds it so most times. */
	uint64_t passed; /* address and space, scope; 0: none */
	uint32_t passed_version;
	bool has_news;      /* for whoever looks there, since then */
	struct known drawn; /* found at read-modify-writes, and known from the next barrier of the block on, too */
};

/* As long as the lanes of a warp know the same (but each itself), they share one state. */
struct warp_state {
	uint32_t stamp; /* time of its accesses */
	uint32_t lanes; /* that exist */
	bool split;
	struct lane_state all;   /* not split */
	struct lane_state *each; /* split; or NULL if it never was */
};

/* What came to a barrier so far. */
struct gathering {
	uint32_t lanes[BLOCK_WARPS_MAX], time[BLOCK_WARPS_MAX];
	uint32_t base;
	struct known more, fenced[CHECK_SCOPES], heard[CHECK_SCOPES];
};

/* --- what was accessed -------------------------------------------------------------------------------------------- */

enum {
	RECORD_WRITES = 1,
	RECORD_STRONG = 2,
	RECORD_CTA = 4,      /* strong, of scope .cta */
	RECORD_VOLATILE = 8, /* strong, and not atomic */
	RECORD_WAITS = 16,   /* volatile read in a loop that waits */
	RECORD_READS = 32,   /* with RECORD_WRITES: atomic */
};

/* Accesses by one instruction to bytes of a word, of the same lanes of each of some warps. */
struct record {
	uint32_t time; /* 0: none */
	uint32_t warps, lanes, instr;
	uint8_t bytes, kind; /* bytes: bit 0 is the word's first */
	uint8_t size;        /* of the whole operation: bytes of an element */
};

struct link {
	struct record record;
	uint32_t next;
};

#define PAGE_WORDS 256u

/* Reads and writes: weak, of scope .cta, of scope .gpu. */
enum { TOUCH_WEAK_READ, TOUCH_CTA_READ, TOUCH_READ, TOUCH_WEAK_WRITE, TOUCH_CTA_WRITE, TOUCH_WRITE, TOUCH_KINDS };

/* Words of memory as one block used them since its last full barrier. Most pages are only read: then nothing but `read` is
 * looked at. */
struct page {
	uint64_t number;                                   /* address / bytes of a page */
	uint32_t slot;                                     /* in the table */
	uint32_t epoch;                                    /* that `seen`, `part` and `value` are of */
	uint32_t start;                                    /* of the block that the words are of */
	uint32_t changed;                                  /* when something was last entered that is not in `read` */
	struct record read[PAGE_WORDS], write[PAGE_WORDS]; /* the last ones */
	struct chain {
		uint32_t first,
			time; /* earlier ones that are not over for all: index into the links, 0: none; the last change */
		bool writes; /* there are writes among them */
	} chain[PAGE_WORDS];
	/* What the grid was told of each word, by threads that know `others`. */
	const struct world *others;
	uint8_t seen[PAGE_WORDS];   /* a bit for each kind of strong accesses */
	uint8_t part[PAGE_WORDS];   /* bytes of weak reads (low half), of weak writes */
	uint32_t value[PAGE_WORDS]; /* of weak writes, the last */
};

static inline int check_touch_kind(uint8_t record_kind)
{
	int reach = !(record_kind & RECORD_STRONG) ? TOUCH_WEAK_READ
		: record_kind & RECORD_CTA         ? TOUCH_CTA_READ
						   : TOUCH_READ;
	return reach + (record_kind & RECORD_WRITES ? TOUCH_WEAK_WRITE : 0);
}

/* Something that a block did to words of global memory, to be compared with other blocks. */
struct touch {
	uint64_t word;        /* address / 4 of the first; all are in one page */
	struct world *others; /* what the thread knew of other blocks */
	uint32_t instr, time, lanes, value;
	uint8_t warp, bytes, kind; /* kind: of record */
	uint8_t size;              /* of record */
	uint8_t words;             /* one behind the other, each by lanes one above those of the word before */
};

/* --- places through which threads pass on what they know ------------------------------------------------------------- */

struct place {
	uint64_t key;                     /* address / 4 plus 1; 0: none */
	uint32_t block;                   /* that left something last */
	uint32_t version;                 /* goes on with each change */
	struct known reach[CHECK_SCOPES]; /* for threads of that block, and for all */
};

struct places {
	struct place *table;
	uint32_t n, cap;
};

struct place *places_find(const struct places *places, uint64_t address);
struct place *places_add(struct places *places, uint64_t address);
void places_clear(struct places *places);
void places_free(struct places *places);

/* --- a block, and a grid ---------------------------------------------------------------------------------------------- */

#define FINDINGS_AT_ONCE 8

struct check {
	struct check_grid *grid;
	struct check_setup setup;
	check_report_fn *report;
	void *ctx;
	uint32_t block, n_warps;
	uint32_t now;   /* the clock; it goes on from block to block, so that what is left of one is out of date */
	uint32_t start; /* of the block */
	uint32_t floor; /* all threads know all that was done up to here: the last full barrier */
	uint32_t epoch; /* of what other blocks may know: counts fences that reach them */
	struct warp_state warps[BLOCK_WARPS_MAX];
	struct gathering *gathered[CHECK_BARRIERS];
	struct page *shared;          /* the pages of shared memory */
	struct copying *copies;       /* by word of shared memory; NULL: there was none yet */
	uint32_t n_copies;            /* words being copied to */
	struct page **table, **pages; /* by hash; those in use, then those that are to spare */
	uint32_t n_pages, made_pages, cap_table;
	struct page *last_page;
	struct link *links; /* [0] is not used */
	uint32_t n_links, cap_links;
	struct touch *touches;
	uint32_t n_touches, cap_touches;
	struct places places;                            /* in shared memory */
	uint8_t *shared_written, *local_written;         /* a bit a byte; of local memory thread after thread */
	uint64_t local_stride;                           /* bytes of a thread in it, a multiple of 16 */
	struct check_finding findings[FINDINGS_AT_ONCE]; /* of the access being looked at */
	uint32_t n_findings;
};

/* An asynchronous copy to a word of shared memory that has begun and not ended. */
struct copying {
	uint32_t told; /* instruction plus 1; 0: none */
	uint8_t warp, lane;
};

struct unwritten {
	uint64_t address, bytes;
	uint8_t *written;
};

struct marks;

struct check_grid {
	struct check_setup setup;
	bool ordering;        /* the kernel has fences, so that blocks and threads can know of each other by flags */
	uint32_t level;       /* of a world */
	pthread_mutex_t lock; /* of `places` */
	struct places places; /* in global memory */
	struct unwritten *unwritten;
	uint32_t n_unwritten;
	struct marks *marks; /* check_marks.c: what blocks did so far */
};

/* --- check_sync.c */
struct lane_state *check_lane(struct check *check, uint32_t warp, int lane);
void check_threads_start(struct check *check);
void check_threads_free(struct check *check);

/* The strong access of one lane to a place: what it finds and what it leaves. */
void check_pass_on(
	struct check *check, uint32_t warp, int lane, const struct simt_access *access, const struct check_how *how);

/* Lanes of a warp that somebody does not know to be over. */
struct strangers {
	uint32_t warp, lanes; /* lanes 0: there are none */
};

/* Those of `record`, of its first warp that has any, that `lane` of `warp` does not know to be over. */
struct strangers check_unordered(const struct check *check, uint32_t warp, int lane, const struct record *record);

/* --- check_cell.c: enters an access into what is known of a word. */
void cell_enter(struct check *check, struct page *page, uint32_t word, const struct record *record);

/* --- check_page.c: the page of an address. Tells the grid of an access to a word, where it is news. */
void check_pages_start(struct check *check);
struct page *check_page_find(struct check *check, uint64_t number);

static inline struct page *check_page(struct check *check, uint64_t word)
{
	struct page *page = check->last_page;
	uint64_t number = word / PAGE_WORDS;
	return page && page->number == number && page->epoch == check->epoch ? page : check_page_find(check, number);
}

void check_touch(struct check *check, struct page *page, uint32_t word, const struct record *record, uint32_t value);
void check_pages_free(struct check *check); /* and the touches */

/* --- check_marks.c: compares what the block did with what blocks before it did, and adds it. */
void check_marks_merge(struct check *check);
void check_marks_free(struct check_grid *grid);

/* --- check_copy.c: the access that ends a copy; no copy is left, at the start of a block. */
void check_copy_ends(struct check *check, const struct simt_access *access);
void check_copy_start(struct check *check);

/* --- check_unwritten.c */
void check_written_start(struct check *check);
void check_written(struct check *check, const struct simt_access *access, int told);

/* --- check_access.c: a finding of the access being looked at; those told are handed over when it is over. */
void check_tell(struct check *check, const struct check_finding *finding);
void check_flush(struct check *check);

/* Compares an access with those before it, and does not enter it. */
void check_compare(struct check *check, const struct simt_access *access, int told);
