/* The pages of global memory that a block accesses. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* 8 MiB of global memory: when a block accesses more between two barriers, what was remembered of it before is forgotten.
 * Races may be missed then, none is invented. */
#define PAGES_MAX (8u << 10)

void race_pages_start(struct race_detector *d)
{
	race_table_clear(&d->global.by_number);
	memset(d->global.recent, 0, sizeof d->global.recent);
}

/* A page that this block has not used, as far as there is one. What it holds of blocks before is out of date. */
static struct shadow_page *reuse_page(struct race_detector *d)
{
	if (d->global.by_number.n == PAGES_MAX) {
		d->communicates = true;
		race_pages_start(d);
	}
	if (d->global.by_number.n == d->global.made)
		*vec_push(d->global.pages, d->global.made, d->global.cap) = base_calloc(1, sizeof(struct shadow_page));
	struct shadow_page *page = d->global.pages[d->global.by_number.n];
	if (page->block_start == d->block_start)
		memset(page, 0, sizeof *page);
	page->block_start = d->block_start;
	page->fences = 0;
	return page;
}

static struct shadow_page *add_page(struct race_detector *d, uint64_t number)
{
	struct shadow_page *page = reuse_page(d);
	page->number = number;
	race_table_add(&d->global.by_number, page);
	return page;
}

struct shadow_page *race_page_find(struct race_detector *d, uint64_t number)
{
	struct shadow_page *page = race_table_find(&d->global.by_number, number);
	if (!page)
		page = add_page(d, number);
	if (page->fences != d->fences)
		race_summary_reset(d, page, NULL);
	d->global.recent[number % RECENT_PAGES] = page;
	return page;
}

void race_pages_free(struct race_detector *d)
{
	for (uint32_t i = 0; i < d->global.made; i++)
		free(d->global.pages[i]);
	free(d->global.pages);
	race_table_free(&d->global.by_number);
	d->global = (struct page_table){0};
}
