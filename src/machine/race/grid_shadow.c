/* Between blocks: what each leaves of its accesses to global memory, and whether the next one races with that. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* --- what a block leaves for the blocks after it ------------------------------------------------------------------ */

/* The first accesses of each kind to each word of global memory. They are summarized again after a fence that reaches
 * other blocks, since those may know what came before it. */

/* Of one block; those beyond are not compared with other blocks. Races may be missed then, none is invented. */
#define SUMMARIES_MAX (2u << 20)

void race_summary_reset(const struct race_detector *d, struct shadow_page *page, const struct grid_clock *others)
{
	memset(page->seen, 0, sizeof page->seen);
	memset(page->part, 0, sizeof page->part);
	page->fences = d->fences;
	page->others = others;
}

void race_summaries_clear(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->summaries.n; i++)
		race_grid_clock_drop(d->summaries.at[i].others);
	d->summaries.n = 0;
}

/* Whether the block's summaries have such an access already; from now on they do. */
static bool is_seen(struct shadow_page *page, uint32_t word, const struct shadow_access *access, uint32_t value)
{
	int kind = summary_kind(access->kind);
	if (kind == SUMMARY_WEAK_WRITE) {
		/* A weak write of another value is summarized again. */
		uint32_t bits = shadow_bits(access->bytes), differs = (page->value[word] ^ value) & bits;
		bool seen = !(access->bytes & ~(page->part[word] >> 4)) && !differs;
		page->value[word] = (page->value[word] & ~bits) | (value & bits);
		page->part[word] |= (uint8_t)(access->bytes << 4);
		return seen;
	}
	if (kind == SUMMARY_WEAK_READ) {
		bool seen = !(access->bytes & ~page->part[word]);
		page->part[word] |= access->bytes;
		return seen;
	}
	/* Strong ones are of whole words but for a few, and of one or two. */
	uint16_t bit = (uint16_t)(1u << (kind + (access->size > 4) * SUMMARY_KINDS));
	bool seen = page->seen[word] & bit;
	page->seen[word] |= access->bytes == 0xF ? bit : (uint16_t)0;
	return seen;
}

/* Whether the last summary reaches up to this one, which then becomes part of it. */
static bool extend_last(struct race_detector *d, const struct access_summary *s)
{
	struct access_summary *last = d->summaries.n ? &d->summaries.at[d->summaries.n - 1] : NULL;
	if (!last || last->words + s->words > WARP_SIZE || last->word + last->words != s->word ||
		s->word % PAGE_WORDS == 0)
		return false;
	if (last->lanes << last->words != s->lanes)
		return false;
	if (last->instr != s->instr || last->epoch != s->epoch || last->kind != s->kind || last->bytes != s->bytes ||
		last->size != s->size)
		return false;
	if (last->writes.from != s->writes.from || last->writes.to != s->writes.to)
		return false;
	if (last->warp != s->warp || last->others != s->others || last->value != s->value)
		return false;
	last->words = (uint8_t)(last->words + s->words);
	return true;
}

static void keep_summary(struct race_detector *d, const struct access_summary *s)
{
	if (extend_last(d, s))
		return;
	if (d->summaries.n == SUMMARIES_MAX) {
		d->communicates = true;
		return;
	}
	race_grid_clock_keep(s->others);
	*vec_push(d->summaries.at, d->summaries.n, d->summaries.cap) = *s;
}

/* Whether a strong write that is like others is not ordered as they may be. */
static bool is_new_write(struct race_detector *d, const struct access_summary *s)
{
	return d->grid->relies && s->kind & SHADOW_STRONG && s->kind & SHADOW_WRITES && race_observed_anew(d, s->word);
}

void race_summarize(struct race_detector *d, struct shadow_page *page, uint32_t word,
	const struct shadow_access *access, uint32_t value)
{
	uint32_t warp = (uint32_t)__builtin_ctz(access->warps);
	struct grid_clock *others = race_thread_clocks(d, warp, __builtin_ctz(access->lanes))->now.more.others;
	struct access_summary summary = {page->number * PAGE_WORDS + word, others, access->instr, access->epoch,
		access->lanes, value, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, 1};

	if (page->others != others)
		race_summary_reset(d, page, others);
	if (is_seen(page, word, access, value) && !is_new_write(d, &summary))
		return;
	if (d->grid->observed_any) {
		/* What is to be known of an access and the strong writes to its word. */
		if (!(summary.kind & SHADOW_STRONG))
			summary.writes = race_observed_writes(
				d, summary.word, summary.warp, __builtin_ctz(summary.lanes));
		else if (summary.kind & SHADOW_WRITES)
			summary.writes = race_last_write(d, summary.word);
		else
			summary.writes = (struct write_range){0};
	}
	keep_summary(d, &summary);
}

bool race_summarize_row(struct race_detector *d, struct shadow_page *page, uint32_t word, uint32_t n,
	const struct shadow_access *access, uint32_t lanes)
{
	uint32_t warp = (uint32_t)__builtin_ctz(access->warps);
	const struct warp_clocks *clocks = &d->warps[warp];
	struct grid_clock *others = clocks->common.now.more.others;
	uint8_t any = 0;

	if (!n || clocks->split || d->grid->observed_any)
		return false;
	if (page->others != others)
		race_summary_reset(d, page, others);
	for (uint32_t i = 0; i < n; i++)
		any |= page->part[word + i];
	if (any & access->bytes)
		return false;
	for (uint32_t i = 0; i < n; i++)
		page->part[word + i] |= access->bytes;
	keep_summary(d,
		&(struct access_summary){page->number * PAGE_WORDS + word, others, access->instr, access->epoch, lanes,
			0, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, (uint8_t)n});
	return true;
}

/* --- what blocks did so far --------------------------------------------------------------------------------------- */

/* The shadow memory of the grid, for each word of global memory; when a block ends, it is compared with that. Of each
 * kind of access a word keeps a few: those of different blocks, bytes or values that no later one stands for. Without
 * fences in the kernel no block knows anything of another, and one is as good as all. */

#define ACCESSES_PER_WORD 4u          /* of one kind; more replace the last */
#define GRID_ACCESSES_MAX (10u << 20) /* in all: beyond, words that are new are not compared between blocks */

struct grid_access {
	struct grid_clock *others; /* what its thread knew of other blocks */
	uint32_t block, instr, epoch, lanes, value;
	uint8_t warp, bytes, kind, size; /* bytes 0: not used */
	struct write_range writes;       /* as in access_summary */
	uint32_t next;                   /* index into the overflow, 0: none */
};

/* Accesses of one kind to the words of a page. */
struct grid_access_page {
	uint8_t bytes[PAGE_WORDS]; /* of each word, that were accessed */
	struct grid_access first[PAGE_WORDS];
};

struct grid_shadow_page {
	uint64_t number;
	struct grid_access_page *of[SUMMARY_KINDS]; /* or NULL */
};

struct grid_shadow {
	struct race_table pages;      /* by number */
	uint32_t n_pages;             /* grid_access_page, of all of them */
	struct grid_access *overflow; /* the second accesses of words and those after; [0] is not used */
	uint32_t n_overflow, cap_overflow;
	struct grid_shadow_page *last; /* found */
};

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* Never NULL. */
static struct grid_shadow_page *find_page(struct grid_shadow *shadow, uint64_t number)
{
	if (shadow->last && shadow->last->number == number)
		return shadow->last;
	struct grid_shadow_page *page = race_table_find(&shadow->pages, number);
	if (!page) {
		page = base_calloc(1, sizeof *page);
		page->number = number;
		race_table_add(&shadow->pages, page);
	}
	return shadow->last = page;
}

static void drop_clocks(const struct grid_access *accesses, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		race_grid_clock_drop(accesses[i].others);
}

void race_grid_shadow_free(struct race_grid *grid)
{
	struct grid_shadow *shadow = grid->shadow;
	if (!shadow)
		return;
	for (uint32_t i = 0; i < shadow->pages.cap; i++) {
		struct grid_shadow_page *page = (struct grid_shadow_page *)shadow->pages.slots[i];
		for (int kind = 0; page && kind < SUMMARY_KINDS; kind++) {
			if (page->of[kind])
				drop_clocks(page->of[kind]->first, PAGE_WORDS);
			free(page->of[kind]);
		}
		free(page);
	}
	race_table_free(&shadow->pages);
	if (shadow->n_overflow)
		drop_clocks(shadow->overflow + 1, shadow->n_overflow);
	free(shadow->overflow);
	free(shadow);
	grid->shadow = NULL;
}

/* --- comparison --------------------------------------------------------------------------------------------------- */

static bool knows(const struct grid_clock *others, uint32_t block, uint32_t warp, uint32_t lanes, uint32_t epoch)
{
	return others && !race_block_clock_missing(race_grid_clock_block(others, block), warp, lanes, epoch);
}

/* Whether a weak access comes after a strong write by observation. */
static bool is_observed(uint8_t kind, struct write_range writes, uint8_t other, struct write_range its)
{
	return !(kind & SHADOW_STRONG) && other & SHADOW_STRONG && other & SHADOW_WRITES && its.to > writes.from &&
		its.to <= writes.to;
}

static bool is_store(uint8_t kind)
{
	return kind & SHADOW_WRITES && !(kind & SHADOW_READS);
}

static bool same_value(const struct access_summary *s, const struct grid_access *old)
{
	return is_store(s->kind) && is_store(old->kind) &&
		!((s->value ^ old->value) & shadow_bits(s->bytes & old->bytes));
}

/* The same value, which no data can change. */
static bool always_same(const struct access_summary *s, const struct grid_access *old)
{
	return same_value(s, old) && !((s->kind | old->kind) & SHADOW_DATA);
}

static enum race_missing what_is_missing(const struct access_summary *s, const struct grid_access *old)
{
	bool strong = s->kind & SHADOW_STRONG, was_strong = old->kind & SHADOW_STRONG;
	if (strong && was_strong)
		return s->size == old->size ? RACE_MISSING_SCOPE : RACE_MISSING_SAME_SIZE;
	if (!strong && !was_strong && same_value(s, old))
		return RACE_MISSING_SAME_VALUE;
	return strong != was_strong && (s->kind | old->kind) & SHADOW_READS ? RACE_MISSING_ATOMIC : RACE_MISSING_ORDER;
}

static void compare_access(struct race_detector *d, const struct access_summary *s, const struct grid_access *old)
{
	uint32_t common = s->bytes & old->bytes;
	if (common && old->block != d->block && s->kind & old->kind & SHADOW_STRONG)
		d->communicates = true;
	if (!common || old->block == d->block)
		return;
	/* Both of a scope that reaches the other block, and of one size: they overlap as a whole. */
	uint8_t both = s->kind & old->kind, any = s->kind | old->kind;
	if (both & SHADOW_STRONG && !(any & SHADOW_CTA) && s->size == old->size &&
		(!(any & SHADOW_CLUSTER) || race_cluster_of(&d->setup, old->block) == d->cluster))
		return;
	if (always_same(s, old))
		return;
	if (knows(s->others, old->block, old->warp, old->lanes, old->epoch) ||
		knows(old->others, d->block, s->warp, s->lanes, s->epoch) ||
		is_observed(s->kind, s->writes, old->kind, old->writes) ||
		is_observed(old->kind, old->writes, s->kind, s->writes))
		return;
	/* By tiles: see race.h. Nothing is known of the order of others. */
	if (d->setup.tiles && !(any & SHADOW_STRONG) &&
		(is_store(s->kind) ? old->block < d->block : old->block > d->block) &&
		is_store(s->kind) != is_store(old->kind))
		return;
	struct race_finding finding = {
		.space = SPACE_GLOBAL,
		.address = s->word * 4 + (uint32_t)__builtin_ctz(common),
		.here = {(int)s->instr, shadow_op(s->kind), d->block, s->warp, s->lanes, __builtin_ctz(s->lanes)},
		.other = {(int)old->instr, shadow_op(old->kind), old->block, old->warp, old->lanes,
			__builtin_ctz(old->lanes)},
		.missing = what_is_missing(s, old),
	};
	race_add_finding(d, &finding);
}

static bool writes(int kind)
{
	return kind >= SUMMARY_WEAK_WRITE;
}

/* The summary of its word number `i` alone. */
static struct access_summary word_of(const struct access_summary *s, uint32_t i)
{
	struct access_summary one = *s;
	one.word += i;
	one.lanes <<= i;
	one.words = 1;
	return one;
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

/* The word's first access, or one of the overflow. Those move when one is added. */
static struct grid_access *access_at(
	const struct grid_shadow *shadow, struct grid_access_page *page, uint32_t word, uint32_t overflow)
{
	return overflow ? &shadow->overflow[overflow] : &page->first[word];
}

/* Where the summary of one word goes: an access that it replaces, or a new one. NULL when it is needless. */
static struct grid_access *slot_for(
	struct race_detector *d, const struct access_summary *s, struct grid_access_page *page)
{
	struct grid_shadow *shadow = d->grid->shadow;
	uint32_t word = s->word % PAGE_WORDS, at = 0;

	for (uint32_t n = 1;; n++) {
		struct grid_access *old = access_at(shadow, page, word, at);
		/* Whatever races with the summary races with the older access, as far as can be known. */
		if (!d->grid->synchronizes && !(s->bytes & ~old->bytes) && always_same(s, old))
			return NULL;

		bool replaces, all_bytes = !(old->bytes & ~s->bytes);
		if (!old->bytes)
			replaces = true;
		else if (old->block == d->block) /* its own earlier one; other blocks may know that and not this */
			replaces = all_bytes && old->warp == s->warp && old->lanes == s->lanes;
		else
			replaces = all_bytes && knows(s->others, old->block, old->warp, old->lanes, old->epoch);
		if (replaces)
			return old;
		if (!old->next && n >= ACCESSES_PER_WORD)
			return s->writes.to < old->writes.to ? NULL : old;
		if (!old->next) {
			vec_reserve(shadow->overflow, shadow->n_overflow, shadow->cap_overflow, 2);
			shadow->overflow[++shadow->n_overflow] = (struct grid_access){0};
			uint32_t overflow = shadow->n_overflow;

			access_at(shadow, page, word, at)->next = overflow;
			return &shadow->overflow[overflow];
		}
		at = old->next;
	}
}

void race_grid_shadow_merge(struct race_detector *d)
{
	if (!d->grid->shadow)
		d->grid->shadow = base_calloc(1, sizeof *d->grid->shadow);
	for (uint32_t i = 0; i < d->summaries.n; i++) {
		const struct access_summary *s = &d->summaries.at[i];
		const struct grid_shadow_page *all = find_page(d->grid->shadow, s->word / PAGE_WORDS);
		int own = summary_kind(s->kind);
		for (int kind = 0; kind < SUMMARY_KINDS; kind++) {
			const struct grid_access_page *page = writes(own) || writes(kind) ? all->of[kind] : NULL;
			for (uint32_t j = 0; page && j < s->words; j++) {
				if (!(page->bytes[(s->word + j) % PAGE_WORDS] & s->bytes))
					continue;
				struct access_summary one = word_of(s, j);

				const struct grid_shadow *shadow = d->grid->shadow;
				const struct grid_access *old = &page->first[one.word % PAGE_WORDS];
				compare_access(d, &one, old);
				while (old->next) {
					old = &shadow->overflow[old->next];
					compare_access(d, &one, old);
				}
			}
		}
	}
	for (uint32_t i = 0; i < d->summaries.n; i++) /* which may replace what others had to be compared with */
	{
		const struct access_summary *s = &d->summaries.at[i];
		struct grid_shadow *shadow = d->grid->shadow;

		struct grid_shadow_page *kind_page = find_page(shadow, s->word / PAGE_WORDS);
		int page_kind = summary_kind(s->kind);
		if (!kind_page->of[page_kind] &&
			(uint64_t)shadow->n_pages * PAGE_WORDS + shadow->n_overflow < GRID_ACCESSES_MAX) {
			kind_page->of[page_kind] = base_calloc(1, sizeof *kind_page->of[page_kind]);
			shadow->n_pages++;
		}
		struct grid_access_page *page = kind_page->of[page_kind];
		if (!page)
			d->communicates = true;
		for (uint32_t j = 0; page && j < s->words; j++) {
			uint32_t word = (s->word + j) % PAGE_WORDS;
			/* Of loads and atomics no more need be known, where no block knows of another, than that one
			 * did it. */
			if (!d->grid->synchronizes && !d->grid->relies && !is_store(s->kind) &&
				!(s->bytes & ~page->bytes[word]))
				continue;
			struct access_summary one = word_of(s, j);
			struct grid_access *slot = slot_for(d, &one, page);
			page->bytes[word] |= s->bytes;
			if (slot) {
				race_grid_clock_keep(one.others);
				race_grid_clock_drop(slot->others);
				*slot = (struct grid_access){one.others, d->block, one.instr, one.epoch, one.lanes,
					one.value, one.warp, one.bytes, one.kind, one.size, one.writes, slot->next};
			}
		}
	}
	race_summaries_clear(d);
}
