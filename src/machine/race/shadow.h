/* machine/race/shadow.h: shadow memory: what is remembered of each word that a block accessed, and of each that the blocks
 * before it accessed. Inside race/ only. */
#pragma once
#include "machine/race/observe.h"
#include "machine/race/race.h"
#include "machine/race/vector_clock.h"

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
	uint8_t chain;       /* of a strong write: race_observed_chain */
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

/* Words of memory as one block used them since its last full barrier: what is older is out of date by its epoch, so that
 * nothing need be cleared. Most pages are only read: then nothing but `read` is looked at. */
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
	uint32_t value[PAGE_WORDS]; /* of weak writes, the last */
};

/* shadow_word.c: enters an access. */
void race_shadow_enter(
	struct race_detector *d, struct shadow_page *page, uint32_t word, const struct shadow_access *fresh);

/* shadow_page.c: a block begins; the page of that number, which is made if need be. */
void race_pages_start(struct race_detector *d);
struct shadow_page *race_page_find(struct race_detector *d, uint64_t number);
void race_pages_free(struct race_detector *d);

/* --- of a block, for the blocks after it -------------------------------------------------------------------------------- */

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
	uint8_t words;             /* neighbors, each by the lanes one above those of the word before */
};

/* summary.c: adds an access to a word to the block's summaries, unless it is one that they have. */
void race_summarize(struct race_detector *d, struct shadow_page *page, uint32_t word,
	const struct shadow_access *access, uint32_t value);

/* The same for a weak read of `n` neighboring words, each by the lanes one above those of the word before, which are `lanes` at the
 * first. False when it has to be done word by word; then nothing was done. */
bool race_summarize_row(struct race_detector *d, struct shadow_page *page, uint32_t word, uint32_t n,
	const struct shadow_access *access, uint32_t lanes);
void race_summaries_clear(struct race_detector *d);

/* Forgets what has been summarized of a page: from now on all is new, for threads that know `others` of other blocks. */
void race_summary_reset(const struct race_detector *d, struct shadow_page *page, const struct grid_clock *others);

/* grid_shadow.c: compares what the block did with what blocks before it did, and adds it to that. */
void race_grid_shadow_merge(struct race_detector *d);
void race_grid_shadow_free(struct race_grid *grid);
