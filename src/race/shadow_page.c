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
	uint32_t at = race_hash(number) & (d->cap_table - 1);
	while (d->table[at] && d->table[at]->number != number)
		at = (at + 1) & (d->cap_table - 1);
	return &d->table[at];
}

static void enter_page(struct race_detector *d, struct shadow_page *page)
{
	struct shadow_page **slot = find_slot(d, page->number);
	*slot = page;
	page->slot = (uint32_t)(slot - d->table);
}

static void grow_pages(struct race_detector *d)
{
	free(d->table);
	d->cap_table = d->cap_table ? d->cap_table * 2 : 256;
	d->table = base_calloc(d->cap_table, sizeof *d->table);
	for (uint32_t i = 0; i < d->n_pages; i++)
		enter_page(d, d->pages[i]);
}

void race_pages_start(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->n_pages; i++)
		d->table[d->pages[i]->slot] = NULL;
	d->n_pages = 0;
	d->last_page = NULL;
}

/* A page that this block has not used, as far as there is one. What it holds of blocks before is out of date. */
static struct shadow_page *reuse_page(struct race_detector *d)
{
	if (d->n_pages == PAGES_MAX)
		race_pages_start(d);
	if (d->n_pages == d->made_pages) {
		if (!(d->made_pages & (d->made_pages - 1)))
			d->pages = base_realloc(d->pages, (d->made_pages ? 2 * d->made_pages : 1) * sizeof *d->pages);
		d->pages[d->made_pages++] = base_calloc(1, sizeof(struct shadow_page));
	}
	struct shadow_page *page = d->pages[d->n_pages];
	if (page->block_start == d->block_start)
		memset(page, 0, sizeof *page);
	page->block_start = d->block_start;
	page->fences = 0;
	return page;
}

static struct shadow_page *add_page(struct race_detector *d, uint64_t number)
{
	if (2 * d->n_pages >= d->cap_table)
		grow_pages(d);
	struct shadow_page *page = reuse_page(d);
	page->number = number;
	d->n_pages++;
	enter_page(d, page);
	return page;
}

struct shadow_page *race_page_find(struct race_detector *d, uint64_t number)
{
	struct shadow_page *page = d->cap_table ? *find_slot(d, number) : NULL;
	if (!page)
		page = add_page(d, number);
	if (page->fences != d->fences)
		race_summary_reset(d, page, NULL);
	d->last_page = page;
	return page;
}

void race_pages_free(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->made_pages; i++)
		free(d->pages[i]);
	free(d->pages);
	free(d->table);
	d->pages = d->table = NULL;
	d->last_page = NULL;
	d->n_pages = d->made_pages = d->cap_table = 0;
}
