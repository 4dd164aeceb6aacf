/* The pages of global memory that a block accesses. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

/* 8 MiB of global memory: when a block accesses more between two barriers, what was remembered of it before is forgotten.
 * Races may be missed then, none is invented. */
#define PAGES_MAX (8u << 10)

static struct shadow_page **find_slot(const struct race_detector *d, uint64_t number)
{
	uint32_t at = race_hash(number) & (d->global.cap - 1);
	while (d->global.table[at] && d->global.table[at]->number != number)
		at = (at + 1) & (d->global.cap - 1);
	return &d->global.table[at];
}

static void enter_page(struct race_detector *d, struct shadow_page *page)
{
	struct shadow_page **slot = find_slot(d, page->number);
	*slot = page;
	page->slot = (uint32_t)(slot - d->global.table);
}

static void grow_pages(struct race_detector *d)
{
	free(d->global.table);
	d->global.cap = d->global.cap ? d->global.cap * 2 : 256;
	d->global.table = base_calloc(d->global.cap, sizeof *d->global.table);
	for (uint32_t i = 0; i < d->global.n; i++)
		enter_page(d, d->global.pages[i]);
}

void race_pages_start(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->global.n; i++)
		d->global.table[d->global.pages[i]->slot] = NULL;
	d->global.n = 0;
	d->global.last = NULL;
}

/* A page that this block has not used, as far as there is one. What it holds of blocks before is out of date. */
static struct shadow_page *reuse_page(struct race_detector *d)
{
	if (d->global.n == PAGES_MAX)
		race_pages_start(d);
	if (d->global.n == d->global.made) {
		if (!(d->global.made & (d->global.made - 1)))
			d->global.pages = base_realloc(
				d->global.pages, (d->global.made ? 2 * d->global.made : 1) * sizeof *d->global.pages);
		d->global.pages[d->global.made++] = base_calloc(1, sizeof(struct shadow_page));
	}
	struct shadow_page *page = d->global.pages[d->global.n];
	if (page->block_start == d->block_start)
		memset(page, 0, sizeof *page);
	page->block_start = d->block_start;
	page->fences = 0;
	return page;
}

static struct shadow_page *add_page(struct race_detector *d, uint64_t number)
{
	if (2 * d->global.n >= d->global.cap)
		grow_pages(d);
	struct shadow_page *page = reuse_page(d);
	page->number = number;
	d->global.n++;
	enter_page(d, page);
	return page;
}

struct shadow_page *race_page_find(struct race_detector *d, uint64_t number)
{
	struct shadow_page *page = d->global.cap ? *find_slot(d, number) : NULL;
	if (!page)
		page = add_page(d, number);
	if (page->fences != d->fences)
		race_summary_reset(d, page, NULL);
	d->global.last = page;
	return page;
}

void race_pages_free(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->global.made; i++)
		free(d->global.pages[i]);
	free(d->global.pages);
	free(d->global.table);
	d->global.pages = d->global.table = NULL;
	d->global.last = NULL;
	d->global.n = d->global.made = d->global.cap = 0;
}
