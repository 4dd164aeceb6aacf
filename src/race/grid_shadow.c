/* What the blocks of a grid did to each word of global memory, and whether the next one races with it.
 *
 * Of each kind of access a word keeps a few: those of different blocks, bytes or values that no later one stands for.
 * Without fences in the kernel no block knows anything of another, and one is as good as all. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

#define MARKS_OF_A_WORD 4u    /* of one kind; more replace the last */
#define MARKS_MAX (10u << 20) /* in all: beyond, words that are new are not compared between blocks */

struct mark {
	struct world *others; /* what its thread knew of other blocks */
	uint32_t block, instr, time, lanes, value;
	uint8_t warp, bytes, kind, size; /* bytes 0: not used */
	uint32_t next;                   /* index into the spare marks, 0: none */
};

/* Marks of one kind for the words of a page. */
struct mark_page {
	uint8_t bytes[PAGE_WORDS]; /* of each word, that have marks */
	struct mark marks[PAGE_WORDS];
};

struct marked {
	uint64_t number;                   /* of the page */
	struct mark_page *of[TOUCH_KINDS]; /* or NULL */
};

struct marks {
	struct marked **table; /* by hash */
	uint32_t n, cap, n_pages;
	struct mark *spare; /* [0] is not used */
	uint32_t n_spare, cap_spare;
	struct marked *last; /* found */
};

/* --- pages -------------------------------------------------------------------------------------------------------- */

static struct marked **lookup(const struct marks *m, uint64_t number)
{
	uint32_t at = (uint32_t)(number * 0x9E3779B97F4A7C15u >> 32) & (m->cap - 1);
	while (m->table[at] && m->table[at]->number != number)
		at = (at + 1) & (m->cap - 1);
	return &m->table[at];
}

static void grow(struct marks *m)
{
	struct marked **old = m->table;
	uint32_t n = m->cap;
	m->cap = n ? n * 2 : 256;
	m->table = base_calloc(m->cap, sizeof *m->table);
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			*lookup(m, old[i]->number) = old[i];
	free(old);
}

/* What is marked of a page; never NULL. */
static struct marked *find(struct marks *m, uint64_t number)
{
	if (m->last && m->last->number == number)
		return m->last;
	if (2 * m->n >= m->cap)
		grow(m);
	struct marked **slot = lookup(m, number);
	if (!*slot) {
		*slot = base_calloc(1, sizeof **slot);
		(*slot)->number = number;
		m->n++;
	}
	return m->last = *slot;
}

/* NULL when there are too many. */
static struct mark_page *page_of(struct marks *m, struct marked *marked, int kind)
{
	if (!marked->of[kind] && (uint64_t)m->n_pages * PAGE_WORDS + m->n_spare < MARKS_MAX) {
		marked->of[kind] = base_calloc(1, sizeof *marked->of[kind]);
		m->n_pages++;
	}
	return marked->of[kind];
}

static void free_marks(const struct mark *marks, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		world_drop(marks[i].others);
}

void check_marks_free(struct check_grid *grid)
{
	struct marks *m = grid->marks;
	for (uint32_t i = 0; m && i < m->cap; i++) {
		for (int kind = 0; m->table[i] && kind < TOUCH_KINDS; kind++) {
			if (m->table[i]->of[kind])
				free_marks(m->table[i]->of[kind]->marks, PAGE_WORDS);
			free(m->table[i]->of[kind]);
		}
		free(m->table[i]);
	}
	if (m) {
		if (m->n_spare)
			free_marks(m->spare + 1, m->n_spare);
		free(m->spare);
		free(m->table);
	}
	free(m);
	grid->marks = NULL;
}

/* --- comparison ---------------------------------------------------------------------------------------------------- */

static bool knows(const struct world *others, uint32_t block, uint32_t warp, uint32_t lanes, uint32_t time)
{
	return others && !past_misses(world_past(others, block), warp, lanes, time);
}

static bool is_ordered(const struct check *k, const struct touch *t, const struct mark *m)
{
	return knows(t->others, m->block, m->warp, m->lanes, m->time) ||
		knows(m->others, k->block, t->warp, t->lanes, t->time);
}

static bool stores(uint8_t kind)
{
	return kind & RECORD_WRITES && !(kind & RECORD_READS);
}

static uint32_t bits_of_bytes(uint32_t bytes)
{
	return (bytes & 1) * 0xFFu | (bytes >> 1 & 1) * 0xFF00u | (bytes >> 2 & 1) * 0xFF0000u |
		(bytes >> 3 & 1) * 0xFF000000u;
}

static bool same_value(const struct touch *t, const struct mark *m)
{
	return stores(t->kind) && stores(m->kind) && !((t->value ^ m->value) & bits_of_bytes(t->bytes & m->bytes));
}

static enum access_op op_of(uint8_t kind)
{
	return kind & RECORD_READS ? ACCESS_ATOMIC : kind & RECORD_WRITES ? ACCESS_STORE : ACCESS_LOAD;
}

static enum simt_missing what_is_missing(const struct touch *t, const struct mark *m)
{
	bool strong = t->kind & RECORD_STRONG, was_strong = m->kind & RECORD_STRONG;
	if (strong && was_strong)
		return t->size == m->size ? SIMT_MISSING_SCOPE : SIMT_MISSING_SAME_SIZE;
	return strong != was_strong && (t->kind | m->kind) & RECORD_READS ? SIMT_MISSING_ATOMIC : SIMT_MISSING_ORDER;
}

/* Both of a scope that reaches the other block, and of one size: they overlap as a whole. */
static bool are_strong(const struct touch *t, const struct mark *m)
{
	uint8_t both = t->kind & m->kind, any = t->kind | m->kind;
	return both & RECORD_STRONG && !(any & RECORD_CTA) && t->size == m->size;
}

static void compare(struct check *k, const struct touch *t, const struct mark *m)
{
	uint32_t common = t->bytes & m->bytes;
	if (!common || m->block == k->block || are_strong(t, m) || same_value(t, m) || is_ordered(k, t, m))
		return;
	struct check_finding finding = {
		.kind = SIMT_RACE,
		.space = SPACE_GLOBAL,
		.address = t->word * 4 + (uint32_t)__builtin_ctz(common),
		.here = {(int)t->instr, op_of(t->kind), k->block, t->warp, t->lanes, __builtin_ctz(t->lanes)},
		.other = {(int)m->instr, op_of(m->kind), m->block, m->warp, m->lanes, __builtin_ctz(m->lanes)},
		.missing = what_is_missing(t, m),
	};
	check_tell(k, &finding);
}

static bool writes(int kind)
{
	return kind >= TOUCH_WEAK_WRITE;
}

/* The touch of the word that is `i` behind the first. */
static struct touch one_of(const struct touch *t, uint32_t i)
{
	struct touch one = *t;
	one.word += i;
	one.lanes <<= i;
	one.words = 1;
	return one;
}

static void compare_word(struct check *k, const struct touch *t, const struct mark_page *page)
{
	const struct marks *marks = k->grid->marks;
	const struct mark *m = &page->marks[t->word % PAGE_WORDS];
	compare(k, t, m);
	while (m->next) {
		m = &marks->spare[m->next];
		compare(k, t, m);
	}
}

static void compare_all(struct check *k, const struct touch *t)
{
	const struct marked *marked = find(k->grid->marks, t->word / PAGE_WORDS);
	int own = check_touch_kind(t->kind);
	for (int kind = 0; kind < TOUCH_KINDS; kind++) {
		const struct mark_page *page = marked->of[kind] && (writes(own) || writes(kind)) ? marked->of[kind]
												 : NULL;
		for (uint32_t i = 0; page && i < t->words; i++) {
			struct touch one = one_of(t, i);
			if (page->bytes[one.word % PAGE_WORDS] & t->bytes)
				compare_word(k, &one, page);
		}
	}
}

/* --- adding ------------------------------------------------------------------------------------------------------- */

static void set(struct mark *m, const struct touch *t, uint32_t block)
{
	world_keep(t->others);
	world_drop(m->others);
	*m = (struct mark){
		t->others, block, t->instr, t->time, t->lanes, t->value, t->warp, t->bytes, t->kind, t->size, m->next};
}

/* Whatever races with the touch races with the mark, as far as can be known. */
static bool is_needless(const struct check *k, const struct touch *t, const struct mark *m)
{
	return !k->grid->ordering && !(t->bytes & ~m->bytes) && same_value(t, m);
}

static bool replaces(const struct check *k, const struct touch *t, const struct mark *m)
{
	bool all_bytes = !(m->bytes & ~t->bytes);
	if (!m->bytes)
		return true;
	if (m->block == k->block) /* its own earlier one; other blocks may know that and not this */
		return all_bytes && m->warp == t->warp && m->lanes == t->lanes;
	return all_bytes && knows(t->others, m->block, m->warp, m->lanes, m->time);
}

static uint32_t new_spare(struct marks *marks)
{
	if (marks->n_spare + 1 >= marks->cap_spare) {
		marks->cap_spare = marks->cap_spare ? marks->cap_spare * 2 : 256;
		marks->spare = base_realloc(marks->spare, marks->cap_spare * sizeof *marks->spare);
	}
	marks->spare[++marks->n_spare] = (struct mark){0};
	return marks->n_spare;
}

/* The word's own mark, or a spare one. They move when spare ones are added. */
static struct mark *mark_at(const struct marks *marks, struct mark_page *page, uint32_t word, uint32_t spare)
{
	return spare ? &marks->spare[spare] : &page->marks[word];
}

/* Where the touch of one word goes: a mark that it replaces, or a new one. NULL when it is needless. */
static struct mark *place_for(struct check *k, const struct touch *t, struct mark_page *page)
{
	struct marks *marks = k->grid->marks;
	uint32_t word = t->word % PAGE_WORDS, at = 0;

	for (uint32_t n = 1;; n++) {
		struct mark *m = mark_at(marks, page, word, at);
		if (is_needless(k, t, m))
			return NULL;
		if (replaces(k, t, m) || (!m->next && n >= MARKS_OF_A_WORD))
			return m;
		if (!m->next) {
			uint32_t spare = new_spare(marks);
			mark_at(marks, page, word, at)->next = spare;
			return &marks->spare[spare];
		}
		at = m->next;
	}
}

/* Of loads and atomics no more need be known, where no block knows of another, than that one did it. */
static bool is_covered(const struct check *k, const struct touch *t, const struct mark_page *page, uint32_t word)
{
	return !k->grid->ordering && !stores(t->kind) && !(t->bytes & ~page->bytes[word]);
}

static void add(struct check *k, const struct touch *t)
{
	struct marks *marks = k->grid->marks;
	struct mark_page *page = page_of(marks, find(marks, t->word / PAGE_WORDS), check_touch_kind(t->kind));
	for (uint32_t i = 0; page && i < t->words; i++) {
		uint32_t word = (t->word + i) % PAGE_WORDS;
		if (is_covered(k, t, page, word))
			continue;
		struct touch one = one_of(t, i);
		struct mark *m = place_for(k, &one, page);
		page->bytes[word] |= t->bytes;
		if (m)
			set(m, &one, k->block);
	}
	world_drop(t->others);
}

void check_marks_merge(struct check *k)
{
	if (!k->grid->marks)
		k->grid->marks = base_calloc(1, sizeof *k->grid->marks);
	for (uint32_t i = 0; i < k->n_touches; i++)
		compare_all(k, &k->touches[i]);
	for (uint32_t i = 0; i < k->n_touches; i++) /* which may replace what others had to be compared with */
		add(k, &k->touches[i]);
	k->n_touches = 0;
}
