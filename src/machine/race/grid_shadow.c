/* Between blocks: what each leaves of its accesses to global memory, and whether the next one races with that. */
#include <assert.h>
#include <stdatomic.h>
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
	memset(page->data, 0, sizeof page->data);
	page->fences = d->fences;
	page->others = others;
}

void race_summaries_clear(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->summaries.n; i++)
		race_grid_clock_drop(d->summaries.at[i].others);
	d->summaries.n = d->summaries.n_values = 0;
}

/* Whether the block's summaries have such an access already; from now on they do. */
static bool is_seen(struct shadow_page *page, uint32_t word, const struct shadow_access *access, uint32_t value)
{
	int kind = summary_kind(access->kind);
	if (kind == SUMMARY_WEAK_WRITE) {
		/* Whatever races with a store races with one of data. */
		bool seen = !(access->bytes & ~page->data[word]);
		if (access->kind & SHADOW_DATA)
			page->data[word] |= access->bytes;
		if (seen || access->kind & SHADOW_DATA)
			return seen;

		/* A weak write of another value is summarized again. */
		uint32_t bits = shadow_bits(access->bytes), differs = (page->value[word] ^ value) & bits;
		seen = !(access->bytes & ~(page->part[word] >> 4)) && !differs;
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

/* The lanes of word `i` of a row; 0: there are none so far on. */
static uint32_t lanes_of_word(uint32_t lanes, uint32_t step, uint32_t i)
{
	return i * step < WARP_SIZE ? lanes << i * step : 0;
}

/* Lanes that a word of a row has to itself. */
static uint32_t packed_lanes(bool packed, uint8_t size)
{
	return packed ? 4u / size : 1;
}

/* Whether `last` reaches up to `s`, which then becomes part of it. */
static bool extend_summary(struct access_summary *last, const struct access_summary *s)
{
	if (last->word + last->words != s->word || last->words + s->words > WARP_SIZE || s->word % PAGE_WORDS == 0)
		return false;
	uint32_t step = last->lanes != s->lanes;
	if (last->words > 1 || s->words > 1)
		step = last->words > 1 ? last->step : s->step;
	else if (last->packed)
		step = packed_lanes(true, last->size);
	if (lanes_of_word(last->lanes, step, last->words) != s->lanes || (s->words > 1 && s->step != step))
		return false;
	if (last->instr != s->instr || last->epoch != s->epoch || last->kind != s->kind || last->bytes != s->bytes ||
		last->size != s->size || last->packed != s->packed)
		return false;
	if (last->writes.from != s->writes.from || last->writes.to != s->writes.to)
		return false;
	uint32_t value = last->value + (last->has_values ? last->words : 0);
	if (last->warp != s->warp || last->others != s->others || last->has_values != s->has_values ||
		value != s->value)
		return false;
	last->words = (uint8_t)(last->words + s->words);
	last->step = (uint8_t)step;
	return true;
}

/* So many summaries back it is looked whether one can be extended: a loop has some loads. */
#define EXTENDED_MAX 6u

static void keep_summary(struct race_detector *d, const struct access_summary *s)
{
	uint32_t n = d->summaries.n;
	for (uint32_t i = 1; i <= EXTENDED_MAX && i <= n; i++)
		if (extend_summary(&d->summaries.at[n - i], s))
			return;
	if (n == SUMMARIES_MAX) {
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
		access->lanes, value, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, 1, 0, false,
		false};

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
	const struct shadow_access *access, uint32_t lanes, const uint32_t *values)
{
	uint32_t warp = (uint32_t)__builtin_ctz(access->warps);
	const struct warp_clocks *clocks = &d->warps[warp];
	struct grid_clock *others = clocks->common.now.more.others;
	uint8_t *summarized = access->kind & SHADOW_WRITES ? page->data : page->part, any = 0;
	bool packed = !access->kind && access->packed;

	if (!n || clocks->split || d->grid->observed_any || (packed && d->grid->synchronizes))
		return false;
	if (page->others != others)
		race_summary_reset(d, page, others);
	for (uint32_t i = 0; i < n; i++)
		any |= summarized[word + i];
	if (any & access->bytes)
		return false;
	for (uint32_t i = 0; i < n; i++)
		summarized[word + i] |= access->bytes;
	uint32_t value = values ? d->summaries.n_values : 0;
	if (values) {
		struct summary_list *list = &d->summaries;
		vec_reserve(list->values, list->n_values, list->cap_values, n);
		memcpy(list->values + list->n_values, values, n * sizeof *values);
		list->n_values += n;
	}
	keep_summary(d,
		&(struct access_summary){page->number * PAGE_WORDS + word, others, access->instr, access->epoch, lanes,
			value, (uint8_t)warp, access->bytes, access->kind, access->size, {0}, (uint8_t)n,
			(uint8_t)packed_lanes(packed, access->size), packed, values != NULL});
	return true;
}

/* --- what blocks did so far --------------------------------------------------------------------------------------- */

/* The shadow memory of the grid, for each word of global memory; when a block ends, it is compared with that. Of each
 * kind of access a word keeps a few: those of different blocks, bytes or values that no later one stands for. Without
 * fences in the kernel no block knows anything of another, and one is as good as all. */

#define ACCESSES_PER_WORD 4u /* of one kind; more replace the last */
/* Of a part: beyond, words that are new are not compared between blocks. */
#define GRID_ACCESSES_MAX ((10u << 20) / GRID_PARTS)

struct grid_access {
	struct grid_clock *others; /* what its thread knew of other blocks */
	uint32_t block, instr, epoch, lanes, value;
	uint8_t warp, bytes, kind, size; /* bytes 0: not used */
	struct write_range writes;       /* as in access_summary */
	bool packed;                     /* as in shadow_access */
	uint32_t next;                   /* index into the overflow, 0: none */
};

/* The same access to neighboring words, each by the lanes `step` above those of the word before. */
struct grid_row {
	struct grid_access first;
	uint8_t word, words, step; /* word: place in the page */
	uint32_t *values;          /* of stores, one of each word; NULL: all are first.value */
};

#define ROWS_MAX 24u

/* Most pages are accessed row by row, and no word twice by one kind of accesses. */
struct grid_rows {
	uint32_t n, cap;
	struct grid_row at[];
};

struct grid_words {
	uint8_t bytes[PAGE_WORDS]; /* of each word, that were accessed */
	struct grid_access first[PAGE_WORDS];
};

/* Accesses of one kind to the words of a page: rows of which no two overlap, or words; or none. */
struct grid_access_page {
	struct grid_rows *rows;
	struct grid_words *words;
};

struct grid_shadow_page {
	uint64_t number;
	struct grid_access_page of[SUMMARY_KINDS];
};

struct grid_shadow {
	struct race_table pages;      /* by number */
	uint32_t n_words, n_rows;     /* grid_words, rows, of all of them */
	struct grid_access *overflow; /* the second accesses of words and those after; [0] is not used */
	uint32_t n_overflow, cap_overflow;
	struct grid_shadow_page *last; /* found */
};

/* --- pages -------------------------------------------------------------------------------------------------------- */

/* Which part a word is in; neighboring pages are in different ones. */
static uint32_t part_of(uint64_t word)
{
	return (uint32_t)(word / PAGE_WORDS * 0x9E3779B97F4A7C15u >> 59);
}
static_assert(GRID_PARTS == 1u << (64 - 59), "the part is the upper bits of the product");

static struct grid_shadow *shadow_of(struct race_grid *grid, uint64_t word)
{
	struct grid_shadow **shadow = &grid->shadow[part_of(word)];
	if (!*shadow)
		*shadow = base_calloc(1, sizeof **shadow);
	return *shadow;
}

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

static void free_accesses(struct grid_access_page *page)
{
	for (uint32_t i = 0; page->rows && i < page->rows->n; i++) {
		race_grid_clock_drop(page->rows->at[i].first.others);
		free(page->rows->at[i].values);
	}
	if (page->words)
		drop_clocks(page->words->first, PAGE_WORDS);
	free(page->rows);
	free(page->words);
}

static void free_part(struct grid_shadow *shadow)
{
	if (!shadow)
		return;
	for (uint32_t i = 0; i < shadow->pages.cap; i++) {
		struct grid_shadow_page *page = (struct grid_shadow_page *)shadow->pages.slots[i];
		for (int kind = 0; page && kind < SUMMARY_KINDS; kind++)
			free_accesses(&page->of[kind]);
		free(page);
	}
	race_table_free(&shadow->pages);
	if (shadow->n_overflow)
		drop_clocks(shadow->overflow + 1, shadow->n_overflow);
	free(shadow->overflow);
	free(shadow);
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

/* Those of `lanes` that are at a byte of their word. */
static uint32_t lanes_at_byte(uint32_t lanes, bool packed, uint8_t size, uint32_t byte)
{
	for (uint32_t left = packed ? byte / size : 0; left; left--)
		lanes &= lanes - 1;
	return packed ? lanes & -lanes : lanes;
}

/* A block whose summaries are being compared. */
struct block_comparison {
	struct race_grid *grid;
	struct race_detector *d; /* which has findings; NULL: that there are some is all that counts */
	const uint32_t *values;  /* of its summaries: summary_list */
	uint32_t block;
	bool communicates, races;
};

static void compare_access(struct block_comparison *c, const struct access_summary *s, const struct grid_access *old)
{
	uint32_t common = s->bytes & old->bytes;
	if (common && old->block != c->block && s->kind & old->kind & SHADOW_STRONG)
		c->communicates = true;
	if (!common || old->block == c->block)
		return;
	/* Both of a scope that reaches the other block, and of one size: they overlap as a whole. */
	const struct race_setup *setup = &c->grid->setup;
	uint8_t both = s->kind & old->kind, any = s->kind | old->kind;
	if (both & SHADOW_STRONG && !(any & SHADOW_CTA) && s->size == old->size &&
		(!(any & SHADOW_CLUSTER) || race_cluster_of(setup, old->block) == race_cluster_of(setup, c->block)))
		return;
	if (always_same(s, old))
		return;
	if (knows(s->others, old->block, old->warp, old->lanes, old->epoch) ||
		knows(old->others, c->block, s->warp, s->lanes, s->epoch) ||
		is_observed(s->kind, s->writes, old->kind, old->writes) ||
		is_observed(old->kind, old->writes, s->kind, s->writes))
		return;
	/* By tiles: see race.h. Nothing is known of the order of others. */
	if (setup->tiles && !(any & SHADOW_STRONG) &&
		(is_store(s->kind) ? old->block < c->block : old->block > c->block) &&
		is_store(s->kind) != is_store(old->kind))
		return;
	uint32_t byte = (uint32_t)__builtin_ctz(common);
	uint32_t lanes = lanes_at_byte(s->lanes, s->packed, s->size, byte);
	uint32_t others = lanes_at_byte(old->lanes, old->packed, old->size, byte);
	struct race_finding finding = {
		.space = SPACE_GLOBAL,
		.address = s->word * 4 + byte,
		.here = {(int)s->instr, shadow_op(s->kind), c->block, s->warp, lanes, __builtin_ctz(lanes)},
		.other = {(int)old->instr, shadow_op(old->kind), old->block, old->warp, others, __builtin_ctz(others)},
		.missing = what_is_missing(s, old),
	};
	c->races = true;
	if (c->d)
		race_add_finding(c->d, &finding);
}

static bool writes(int kind)
{
	return kind >= SUMMARY_WEAK_WRITE;
}

/* The summary of its word number `i` alone. */
static struct access_summary word_of(const struct block_comparison *c, const struct access_summary *s, uint32_t i)
{
	struct access_summary one = *s;
	one.value = s->has_values ? c->values[s->value + i] : s->value;
	one.has_values = false;
	one.word += i;
	one.lanes = lanes_of_word(s->lanes, s->step, i);
	one.words = 1;
	return one;
}

/* The access of a row to its word number `i`. */
static struct grid_access access_of(const struct grid_row *row, uint32_t i)
{
	struct grid_access access = row->first;
	access.lanes = lanes_of_word(row->first.lanes, row->step, i);
	if (row->values)
		access.value = row->values[i];
	return access;
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

/* The word's first access, or one of the overflow. Those move when one is added. */
static struct grid_access *access_at(
	const struct grid_shadow *shadow, struct grid_words *page, uint32_t word, uint32_t overflow)
{
	return overflow ? &shadow->overflow[overflow] : &page->first[word];
}

/* Where the summary of one word goes: an access that it replaces, or a new one. NULL when it is needless. */
static struct grid_access *slot_for(struct grid_shadow *shadow, const struct block_comparison *c,
	const struct access_summary *s, struct grid_words *page)
{
	uint32_t word = s->word % PAGE_WORDS, at = 0;

	for (uint32_t n = 1;; n++) {
		struct grid_access *old = access_at(shadow, page, word, at);
		/* Whatever races with the summary races with the older access, as far as can be known. */
		if (!c->grid->synchronizes && !(s->bytes & ~old->bytes) && always_same(s, old))
			return NULL;

		bool replaces, all_bytes = !(old->bytes & ~s->bytes);
		if (!old->bytes)
			replaces = true;
		else if (old->block == c->block) /* its own earlier one; other blocks may know that and not this */
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

static void compare_words(struct block_comparison *c, const struct access_summary *s, const struct grid_shadow *shadow,
	const struct grid_words *words)
{
	for (uint32_t j = 0; j < s->words; j++) {
		if (!(words->bytes[(s->word + j) % PAGE_WORDS] & s->bytes))
			continue;
		struct access_summary one = word_of(c, s, j);
		const struct grid_access *old = &words->first[one.word % PAGE_WORDS];
		compare_access(c, &one, old);
		while (old->next) {
			old = &shadow->overflow[old->next];
			compare_access(c, &one, old);
		}
	}
}

static void compare_rows(struct block_comparison *c, const struct access_summary *s, const struct grid_rows *rows)
{
	uint32_t from = s->word % PAGE_WORDS, to = from + s->words;
	for (uint32_t i = 0; i < rows->n; i++) {
		const struct grid_row *row = &rows->at[i];
		uint32_t first = from > row->word ? from : row->word, end = row->word + row->words;
		if (row->first.block == c->block || !(row->first.bytes & s->bytes))
			continue;
		for (uint32_t word = first; word < to && word < end; word++) {
			struct access_summary one = word_of(c, s, word - from);
			struct grid_access old = access_of(row, word - row->word);
			compare_access(c, &one, &old);
		}
	}
}

static void compare_all(struct block_comparison *c, const struct access_summary *summaries, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct access_summary *s = &summaries[i];
		struct grid_shadow *shadow = shadow_of(c->grid, s->word);
		const struct grid_shadow_page *all = find_page(shadow, s->word / PAGE_WORDS);
		int own = summary_kind(s->kind);
		for (int kind = 0; kind < SUMMARY_KINDS; kind++) {
			const struct grid_access_page *page = &all->of[kind];
			if (!writes(own) && !writes(kind))
				continue;
			if (page->words)
				compare_words(c, s, shadow, page->words);
			else if (page->rows)
				compare_rows(c, s, page->rows);
		}
	}
}

static struct grid_access as_access(const struct block_comparison *c, const struct access_summary *s)
{
	race_grid_clock_keep(s->others);
	return (struct grid_access){s->others, c->block, s->instr, s->epoch, s->lanes, s->value, s->warp, s->bytes,
		s->kind, s->size, s->writes, s->packed, 0};
}

/* Of loads and atomics no more need be known, where no block knows of another, than that one did it. */
static bool one_will_do(const struct race_grid *grid, const struct access_summary *s)
{
	return !grid->synchronizes && !grid->relies && !is_store(s->kind);
}

static void add_grid_row(struct block_comparison *c, struct grid_shadow *shadow, struct grid_access_page *page,
	const struct access_summary *s)
{
	if (!page->rows || page->rows->n == page->rows->cap) {
		uint32_t n = page->rows ? page->rows->n : 0, cap = n ? n * 2 + (n == 1) * 6 : 1;
		page->rows = base_realloc(page->rows, sizeof *page->rows + cap * sizeof *page->rows->at);
		page->rows->n = n;
		page->rows->cap = cap;
	}
	uint32_t *values = NULL;
	if (s->has_values)
		values = memcpy(
			base_malloc(s->words * sizeof *values), c->values + s->value, s->words * sizeof *values);
	page->rows->at[page->rows->n++] = (struct grid_row){
		as_access(c, s), (uint8_t)(s->word % PAGE_WORDS), s->words, s->step, values};
	shadow->n_rows++;
}

/* Adds it as rows: those of its words that no other row has. False, and nothing was done: some have to be looked at
 * closely, or there are too many rows. */
static bool add_to_rows(struct block_comparison *c, struct grid_shadow *shadow, struct grid_access_page *page,
	const struct access_summary *s)
{
	uint32_t from = s->word % PAGE_WORDS, to = from + s->words, pieces = 0;
	uint64_t there = 0; /* bit i: word i of s is in a row */

	if (page->words)
		return false;
	for (uint32_t i = 0; page->rows && i < page->rows->n; i++) {
		const struct grid_row *row = &page->rows->at[i];
		uint32_t first = from > row->word ? from : row->word, end = row->word + row->words;
		end = end < to ? end : to;
		if (first >= end)
			continue;
		if (!one_will_do(c->grid, s) || s->bytes & ~row->first.bytes)
			return false;
		there |= (((uint64_t)1 << (end - first)) - 1) << (first - from);
	}
	uint64_t all = ((uint64_t)1 << s->words) - 1, begins = ~there & (there << 1 | 1) & all;
	pieces = (uint32_t)__builtin_popcountll(begins);
	if ((page->rows ? page->rows->n : 0) + pieces > ROWS_MAX)
		return false;
	for (; begins; begins &= begins - 1) {
		uint32_t i = (uint32_t)__builtin_ctzll(begins);
		struct access_summary piece = word_of(c, s, i);
		piece.has_values = s->has_values;
		piece.value = s->value + (s->has_values ? i : 0);
		piece.words = (uint8_t)__builtin_ctzll(there >> i | (uint64_t)1 << (s->words - i));
		add_grid_row(c, shadow, page, &piece);
	}
	return true;
}

static void turn_into_words(struct grid_shadow *shadow, struct grid_access_page *page)
{
	page->words = base_calloc(1, sizeof *page->words);
	shadow->n_words++;
	for (uint32_t i = 0; page->rows && i < page->rows->n; i++) {
		const struct grid_row *row = &page->rows->at[i];
		for (uint32_t j = 0; j < row->words; j++) {
			page->words->bytes[row->word + j] = row->first.bytes;
			page->words->first[row->word + j] = access_of(row, j);
			race_grid_clock_keep(row->first.others);
		}
		race_grid_clock_drop(row->first.others);
		free(row->values);
	}
	shadow->n_rows -= page->rows ? page->rows->n : 0;
	free(page->rows);
	page->rows = NULL;
}

static void add_all(struct block_comparison *c, const struct access_summary *summaries, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct access_summary *s = &summaries[i];
		struct grid_shadow *shadow = shadow_of(c->grid, s->word);
		struct grid_access_page *page = &find_page(shadow, s->word / PAGE_WORDS)->of[summary_kind(s->kind)];
		bool full = (uint64_t)shadow->n_words * PAGE_WORDS + shadow->n_rows + shadow->n_overflow >=
			GRID_ACCESSES_MAX;
		if (!page->words && !full && add_to_rows(c, shadow, page, s))
			continue;
		if (!page->words && full) {
			c->communicates = true;
			continue;
		}
		if (!page->words)
			turn_into_words(shadow, page);
		for (uint32_t j = 0; j < s->words; j++) {
			uint32_t word = (s->word + j) % PAGE_WORDS;
			if (one_will_do(c->grid, s) && !(s->bytes & ~page->words->bytes[word]))
				continue;
			struct access_summary one = word_of(c, s, j);
			struct grid_access *slot = slot_for(shadow, c, &one, page->words);
			page->words->bytes[word] |= s->bytes;
			if (slot) {
				uint32_t next = slot->next;
				race_grid_clock_drop(slot->others);
				*slot = as_access(c, &one);
				slot->next = next;
			}
		}
	}
}

/* Adding may replace what others had to be compared with. */
static void compare_and_add(struct block_comparison *c, const struct access_summary *summaries, uint32_t n)
{
	compare_all(c, summaries, n);
	add_all(c, summaries, n);
	if (c->communicates)
		c->grid->communicates = true;
}

void race_grid_shadow_merge(struct race_detector *d)
{
	struct block_comparison c = {.grid = d->grid, .d = d, .values = d->summaries.values, .block = d->block};
	compare_and_add(&c, d->summaries.at, d->summaries.n);
	race_summaries_clear(d);
}

/* --- blocks on several cores -------------------------------------------------------------------------------------- */

/* What a block did is compared part by part: two threads may work at two parts. Each part takes the blocks in order,
 * and pages are in one part alone; so each page sees what it would see if the blocks ended one after the other. */

#define LEFT_MAX                                                                                                       \
	512u /* blocks that wait; one that is so far ahead of those that have been compared waits with its end */

#define LEFT_KEPT 256u /* summaries for which there stays room */

struct left_block {
	_Atomic uint64_t block_plus_1; /* 0: none; else all below is there, until every part has taken its own */
	_Atomic uint32_t taken;        /* by so many parts */
	struct summary_list summaries; /* part by part */
	uint32_t first[GRID_PARTS + 1];
};

struct left_blocks {
	struct left_block at[LEFT_MAX]; /* by the number of the block */
	_Atomic uint64_t gone;          /* the blocks before this one have been taken by every part */
	struct left_part {
		pthread_mutex_t lock;  /* of the part of the grid's shadow, and to change: */
		_Atomic uint64_t next; /* the block to take */
	} part[GRID_PARTS];
	_Atomic bool races;
};

void race_grid_gather(struct race_grid *grid, uint64_t first)
{
	struct left_blocks *left = grid->left = base_calloc(1, sizeof *left);
	left->gone = first;
	for (uint32_t i = 0; i < GRID_PARTS; i++) {
		pthread_mutex_init(&left->part[i].lock, NULL);
		left->part[i].next = first;
	}
}

bool race_block_leave(struct race_detector *d)
{
	struct left_blocks *left = d->grid->left;
	struct left_block *b = &left->at[d->block % LEFT_MAX];
	if (d->block >= left->gone + LEFT_MAX)
		return false;
	if (d->communicates)
		d->grid->communicates = true;

	/* The summaries of each part together, in their order. */
	uint32_t at[GRID_PARTS + 1] = {0};
	for (uint32_t i = 0; i < d->summaries.n; i++)
		at[part_of(d->summaries.at[i].word) + 1]++;
	for (uint32_t i = 0; i < GRID_PARTS; i++)
		at[i + 1] += at[i];
	memcpy(b->first, at, sizeof at);
	b->summaries.n = 0;
	vec_reserve(b->summaries.at, b->summaries.n, b->summaries.cap, d->summaries.n);
	for (uint32_t i = 0; i < d->summaries.n; i++)
		b->summaries.at[at[part_of(d->summaries.at[i].word)]++] = d->summaries.at[i];
	b->summaries.n = d->summaries.n;
	d->summaries.n = 0;

	uint32_t n = d->summaries.n_values;
	b->summaries.n_values = 0;
	vec_reserve(b->summaries.values, b->summaries.n_values, b->summaries.cap_values, n);
	if (n)
		memcpy(b->summaries.values, d->summaries.values, n * sizeof *b->summaries.values);
	d->summaries.n_values = 0;

	b->taken = 0;
	b->block_plus_1 = (uint64_t)d->block + 1;
	return true;
}

static bool has_left(const struct left_blocks *left, uint64_t block)
{
	return left->at[block % LEFT_MAX].block_plus_1 == block + 1;
}

/* Under the part's lock: takes a block's summaries that are in it. */
static void take_part(struct race_grid *grid, struct left_block *b, uint32_t part)
{
	const struct access_summary *summaries = b->summaries.at + b->first[part];
	uint32_t n = b->first[part + 1] - b->first[part];
	struct block_comparison c = {
		.grid = grid, .values = b->summaries.values, .block = (uint32_t)(b->block_plus_1 - 1)};
	if (n)
		compare_and_add(&c, summaries, n);
	if (c.races)
		grid->left->races = true;
	for (uint32_t i = 0; i < n; i++)
		race_grid_clock_drop(summaries[i].others);
	if (atomic_fetch_add(&b->taken, 1) == GRID_PARTS - 1) {
		if (b->summaries.cap > LEFT_KEPT || b->summaries.cap_values > LEFT_KEPT * WARP_SIZE) {
			free(b->summaries.at);
			free(b->summaries.values);
			b->summaries = (struct summary_list){0};
		}
		b->block_plus_1 = 0;
		grid->left->gone++;
	}
}

bool race_grid_compare(struct race_grid *grid, uint32_t thread)
{
	struct left_blocks *left = grid->left;
	for (uint32_t i = 0; i < GRID_PARTS && !left->races; i++) {
		uint32_t number = (i + thread * 7) % GRID_PARTS;
		struct left_part *part = &left->part[number];
		if (!has_left(left, part->next) || pthread_mutex_trylock(&part->lock) != 0)
			continue;
		for (; has_left(left, part->next) && !left->races; part->next++)
			take_part(grid, &left->at[part->next % LEFT_MAX], number);
		pthread_mutex_unlock(&part->lock);
	}
	return left->races;
}

void race_grid_shadow_free(struct race_grid *grid)
{
	struct left_blocks *left = grid->left;
	for (uint32_t i = 0; i < GRID_PARTS; i++)
		free_part(grid->shadow[i]);
	for (uint32_t i = 0; left && i < LEFT_MAX; i++) {
		/* One that a race, or the end of the launch, left there: its parts before `taken` dropped theirs. */
		struct left_block *b = &left->at[i];
		for (uint32_t part = 0; b->block_plus_1 && part < GRID_PARTS; part++)
			for (uint32_t j = b->first[part];
				left->part[part].next < b->block_plus_1 && j < b->first[part + 1]; j++)
				race_grid_clock_drop(b->summaries.at[j].others);
		free(b->summaries.at);
		free(b->summaries.values);
	}
	for (uint32_t i = 0; left && i < GRID_PARTS; i++)
		pthread_mutex_destroy(&left->part[i].lock);
	free(left);
	grid->left = NULL;
}
