/* The pages of global memory that a block touches, and what it has to tell the grid of them. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

/* Of one block: 8 MiB of global memory; when it touches more between two barriers, what was seen of it before is forgotten.
 * And touches: those beyond are not compared with other blocks. Races may be missed then, none is invented. */
#define PAGES_MAX (8u << 10)
#define TOUCHES_MAX (2u << 20)

static uint32_t slot_of(const struct check *k, uint64_t number)
{
	return (uint32_t)(number * 0x9E3779B97F4A7C15u >> 32) & (k->cap_table - 1);
}

static struct page **lookup(const struct check *k, uint64_t number)
{
	uint32_t at = slot_of(k, number);
	while (k->table[at] && k->table[at]->number != number)
		at = (at + 1) & (k->cap_table - 1);
	return &k->table[at];
}

static void enter(struct check *k, struct page *page)
{
	struct page **slot = lookup(k, page->number);
	*slot = page;
	page->slot = (uint32_t)(slot - k->table);
}

static void grow(struct check *k)
{
	free(k->table);
	k->cap_table = k->cap_table ? k->cap_table * 2 : 256;
	k->table = base_calloc(k->cap_table, sizeof *k->table);
	for (uint32_t i = 0; i < k->n_pages; i++)
		enter(k, k->pages[i]);
}

void check_pages_start(struct check *k)
{
	for (uint32_t i = 0; i < k->n_pages; i++)
		k->table[k->pages[i]->slot] = NULL;
	k->n_pages = 0;
	k->last_page = NULL;
}

/* A page that this block has not used, as far as there is one. What it holds of blocks before is out of date. */
static struct page *take(struct check *k)
{
	if (k->n_pages == PAGES_MAX)
		check_pages_start(k);
	if (k->n_pages == k->made_pages) {
		if (!(k->made_pages & (k->made_pages - 1)))
			k->pages = base_realloc(k->pages, (k->made_pages ? 2 * k->made_pages : 1) * sizeof *k->pages);
		k->pages[k->made_pages++] = base_calloc(1, sizeof(struct page));
	}
	struct page *page = k->pages[k->n_pages];
	if (page->start == k->start)
		memset(page, 0, sizeof *page);
	page->start = k->start;
	page->epoch = 0;
	return page;
}

static struct page *add(struct check *k, uint64_t number)
{
	if (2 * k->n_pages >= k->cap_table)
		grow(k);
	struct page *page = take(k);
	page->number = number;
	k->n_pages++;
	enter(k, page);
	return page;
}

static void forget_told(const struct check *k, struct page *page, const struct world *others)
{
	memset(page->seen, 0, sizeof page->seen);
	memset(page->part, 0, sizeof page->part);
	page->epoch = k->epoch;
	page->others = others;
}

struct page *check_page_find(struct check *k, uint64_t number)
{
	struct page *page = k->cap_table ? *lookup(k, number) : NULL;
	if (!page)
		page = add(k, number);
	if (page->epoch != k->epoch)
		forget_told(k, page, NULL);
	k->last_page = page;
	return page;
}

void check_pages_free(struct check *k)
{
	for (uint32_t i = 0; i < k->made_pages; i++)
		free(k->pages[i]);
	free(k->pages);
	free(k->table);
	free(k->touches);
	k->pages = k->table = NULL;
	k->touches = NULL;
	k->last_page = NULL;
	k->n_pages = k->made_pages = k->cap_table = k->n_touches = k->cap_touches = 0;
}

static uint32_t bits_of_bytes(uint32_t bytes)
{
	return (bytes & 1) * 0xFFu | (bytes >> 1 & 1) * 0xFF00u | (bytes >> 2 & 1) * 0xFF0000u |
		(bytes >> 3 & 1) * 0xFF000000u;
}

/* A weak write is told again when the value is another one. */
static bool is_weak_write_told(struct page *page, uint32_t word, const struct record *r, uint32_t value)
{
	uint32_t bits = bits_of_bytes(r->bytes), differs = (page->value[word] ^ value) & bits;
	bool told = !(r->bytes & ~(page->part[word] >> 4)) && !differs;
	page->value[word] = (page->value[word] & ~bits) | (value & bits);
	page->part[word] |= (uint8_t)(r->bytes << 4);
	return told;
}

/* Whether the grid knows of such an access already. */
static bool is_told(struct page *page, uint32_t word, const struct record *r, uint32_t value)
{
	int kind = check_touch_kind(r->kind);
	if (kind == TOUCH_WEAK_WRITE)
		return is_weak_write_told(page, word, r, value);
	if (kind == TOUCH_WEAK_READ) {
		bool told = !(r->bytes & ~page->part[word]);
		page->part[word] |= r->bytes;
		return told;
	}
	/* Strong ones are of whole words but for a few, and of one or two. */
	static const uint8_t bits[2][TOUCH_KINDS] = {
		{[TOUCH_CTA_READ] = 1, [TOUCH_READ] = 2, [TOUCH_CTA_WRITE] = 4, [TOUCH_WRITE] = 8},
		{[TOUCH_CTA_READ] = 16, [TOUCH_READ] = 32, [TOUCH_CTA_WRITE] = 64, [TOUCH_WRITE] = 128},
	};
	uint8_t bit = bits[r->size > 4][kind];
	bool told = page->seen[word] & bit;
	page->seen[word] |= r->bytes == 0xF ? bit : 0;
	return told;
}

/* Whether the last touch reaches up to this one, which then becomes part of it. */
static bool extend_last(struct check *k, const struct touch *t)
{
	struct touch *last = k->n_touches ? &k->touches[k->n_touches - 1] : NULL;
	if (!last || last->words == WARP_SIZE || last->word + last->words != t->word || t->word % PAGE_WORDS == 0)
		return false;
	if (last->lanes << last->words != t->lanes)
		return false;
	if (last->instr != t->instr || last->time != t->time || last->kind != t->kind || last->bytes != t->bytes ||
		last->size != t->size)
		return false;
	if (last->warp != t->warp || last->others != t->others || last->value != t->value)
		return false;
	last->words++;
	return true;
}

static void add_touch(struct check *k, const struct touch *t)
{
	if (extend_last(k, t) || k->n_touches == TOUCHES_MAX)
		return;
	if (k->n_touches == k->cap_touches) {
		k->cap_touches = k->cap_touches ? k->cap_touches * 2 : 4096;
		k->touches = base_realloc(k->touches, k->cap_touches * sizeof *k->touches);
	}
	world_keep(t->others);
	k->touches[k->n_touches++] = *t;
}

void check_touch(struct check *k, struct page *page, uint32_t word, const struct record *r, uint32_t value)
{
	uint32_t warp = (uint32_t)__builtin_ctz(r->warps);
	struct world *others = check_lane(k, warp, __builtin_ctz(r->lanes))->live.more.others;
	struct touch touch = {page->number * PAGE_WORDS + word, others, r->instr, r->time, r->lanes, value,
		(uint8_t)warp, r->bytes, r->kind, r->size, 1};

	if (page->others != others)
		forget_told(k, page, others);
	if (!is_told(page, word, r, value))
		add_touch(k, &touch);
}
