#include "race/race.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "race/detector.h"

#define CLOCK_MAX ((uint32_t)1 << 31) /* at the beginning of a block; none has so many events */

/* --- a grid ------------------------------------------------------------------------------------------------------- */

struct check_grid *check_grid_new(const struct check_setup *setup)
{
	struct check_grid *grid = base_calloc(1, sizeof *grid);
	grid->setup = *setup;
	grid->level = world_level(setup->blocks);
	for (uint32_t i = 0; i < setup->n_instrs; i++)
		grid->ordering |= setup->how[i].fences || setup->how[i].releases || setup->how[i].acquires;
	pthread_mutex_init(&grid->lock, NULL);
	return grid;
}

void check_grid_free(struct check_grid *grid)
{
	if (!grid)
		return;
	places_free(&grid->places);
	check_marks_free(grid);
	free(grid->unwritten);
	pthread_mutex_destroy(&grid->lock);
	free(grid);
}

void check_grid_unwritten(struct check_grid *grid, uint64_t address, uint64_t bytes, uint8_t *written)
{
	grid->unwritten = base_realloc(grid->unwritten, (grid->n_unwritten + 1) * sizeof *grid->unwritten);
	grid->unwritten[grid->n_unwritten++] = (struct unwritten){address, bytes, written};
}

/* --- a block ------------------------------------------------------------------------------------------------------ */

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE_WORDS * 4 - 1) / (PAGE_WORDS * 4);
}

struct check *check_new(struct check_grid *grid, check_report_fn *report, void *ctx)
{
	struct check *k = base_calloc(1, sizeof *k);
	const struct check_setup *setup = &grid->setup;

	k->grid = grid;
	k->setup = *setup;
	k->report = report;
	k->ctx = ctx;
	k->now = 1;
	k->n_warps = (uint32_t)warp_count(setup->threads);
	k->local_stride = (setup->local_bytes + 15) / 16 * 16;
	if (setup->races && setup->shared_bytes)
		k->shared = base_calloc(pages(setup->shared_bytes), sizeof *k->shared);
	if (setup->uninitialised && setup->shared_bytes)
		k->shared_written = base_calloc((setup->shared_bytes + 15) / 8, 1);
	if (setup->uninitialised && setup->local_bytes)
		k->local_written = base_calloc(k->local_stride / 8 * k->n_warps, WARP_SIZE);
	return k;
}

static void drop_touches(struct check *k)
{
	for (uint32_t i = 0; i < k->n_touches; i++)
		world_drop(k->touches[i].others);
	k->n_touches = 0;
}

void check_free(struct check *k)
{
	if (!k)
		return;
	drop_touches(k);
	check_threads_free(k);
	check_pages_free(k);
	places_free(&k->places);
	check_copy_start(k);
	free(k->links);
	free(k->shared);
	free(k->shared_written);
	free(k->local_written);
	free(k);
}

uint64_t check_bytes(const struct check *k)
{
	uint64_t all_pages = k->made_pages + (k->shared ? pages(k->setup.shared_bytes) : 0);
	uint64_t local = k->local_written ? k->local_stride / 8 * k->n_warps * WARP_SIZE : 0;
	return all_pages * sizeof(struct page) + k->cap_links * sizeof *k->links + k->cap_touches * sizeof *k->touches +
		local;
}

/* The clock has gone so far that it begins anew; nothing may be left of before. */
static void wind_back(struct check *k)
{
	check_pages_free(k);
	if (k->shared)
		memset(k->shared, 0, pages(k->setup.shared_bytes) * sizeof *k->shared);
	k->now = 1;
}

void check_block_start(struct check *k, uint32_t block)
{
	if (k->now > CLOCK_MAX)
		wind_back(k);
	k->block = block;
	k->start = k->floor = k->now++;
	k->epoch++;
	k->n_links = 0;
	k->n_findings = 0;
	drop_touches(k);
	check_threads_start(k);
	check_pages_start(k);
	places_clear(&k->places);
	check_written_start(k);
	check_copy_start(k);
}

void check_block_end(struct check *k)
{
	if (k->setup.races)
		check_marks_merge(k);
	check_flush(k);
}
