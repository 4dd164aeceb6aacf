#include "machine/race/race.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"
#include "machine/race/missing.h"

#define CLOCK_MAX ((uint32_t)1 << 31) /* at the beginning of a block; none has so many events */

/* --- a grid ------------------------------------------------------------------------------------------------------- */

struct race_grid *race_grid_new(const struct race_setup *setup)
{
	struct race_grid *grid = base_calloc(1, sizeof *grid);
	grid->setup = *setup;
	grid->level = race_grid_clock_level(setup->blocks);
	for (uint32_t i = 0; i < setup->n_instrs; i++)
		grid->observes |= setup->order[i].observes;
	grid->synchronizes = setup->clusters;
	bool communicates = setup->clusters;
	for (uint32_t i = 0; i < setup->n_instrs; i++)
		grid->synchronizes |= setup->order[i].is_fence || setup->order[i].releases || setup->order[i].acquires;
	for (uint32_t i = 0; i < setup->n_instrs; i++)
		communicates |= setup->order[i].is_async || setup->order[i].arrives || setup->order[i].waits;
	grid->communicates = communicates;
	pthread_mutex_init(&grid->lock, NULL);
	return grid;
}

void race_grid_free(struct race_grid *grid)
{
	if (!grid)
		return;
	race_locations_free(&grid->locations);
	race_observed_free(&grid->observed);
	race_grid_shadow_free(grid);
	free(grid->uninitialized);
	pthread_mutex_destroy(&grid->lock);
	free(grid);
}

bool race_grid_communicates(const struct race_grid *grid)
{
	return grid->communicates;
}

bool race_grid_is_blind(const struct race_grid *grid)
{
	return !grid->synchronizes && !grid->observes;
}

void race_grid_uninitialized(struct race_grid *grid, uint64_t address, uint64_t bytes, uint8_t *written)
{
	grid->uninitialized = base_realloc(
		grid->uninitialized, (grid->n_uninitialized + 1) * sizeof *grid->uninitialized);
	grid->uninitialized[grid->n_uninitialized++] = (struct uninitialized_region){address, bytes, written};
}

/* --- a detector --------------------------------------------------------------------------------------------------- */

static uint64_t page_count(uint64_t bytes)
{
	return (bytes + PAGE_WORDS * 4 - 1) / (PAGE_WORDS * 4);
}

struct race_detector *race_detector_new(struct race_grid *grid, race_report_fn *report, void *ctx)
{
	struct race_detector *d = base_calloc(1, sizeof *d);
	const struct race_setup *setup = &grid->setup;

	d->grid = grid;
	d->setup = *setup;
	d->report = report;
	d->ctx = ctx;
	d->clock = 1;
	d->n_warps = (uint32_t)warp_count(setup->threads);
	d->written.local_stride = (setup->local_bytes + 15) / 16 * 16;
	if (setup->races && setup->shared_bytes)
		d->shared = base_calloc(page_count(setup->shared_bytes), sizeof *d->shared);
	if (setup->uninitialized && setup->shared_bytes)
		d->written.shared = base_calloc((setup->shared_bytes + 15) / 8, 1);
	if (setup->uninitialized && setup->local_bytes)
		d->written.local = base_calloc(d->written.local_stride / 8 * d->n_warps, WARP_SIZE);
	return d;
}

void race_detector_free(struct race_detector *d)
{
	if (!d)
		return;
	race_summaries_clear(d);
	free(d->summaries.at);
	free(d->summaries.values);
	race_threads_free(d);
	race_barriers_free(d);
	race_pages_free(d);
	race_locations_free(&d->locations);
	race_observed_free(&d->observed);
	race_copies_clear(d);
	race_async_clear(d);
	race_pending_clear(d);
	free(d->links.at);
	free(d->shared);
	free(d->written.shared);
	free(d->written.local);
	free(d);
}

uint64_t race_detector_bytes(const struct race_detector *d)
{
	uint64_t pages = d->global.made + (d->shared ? page_count(d->setup.shared_bytes) : 0);
	uint64_t local = d->written.local ? d->written.local_stride / 8 * d->n_warps * WARP_SIZE : 0;
	return pages * sizeof(struct shadow_page) + d->links.cap * sizeof *d->links.at +
		d->summaries.cap * sizeof *d->summaries.at + d->summaries.cap_values * sizeof *d->summaries.values +
		local;
}

/* --- a block ------------------------------------------------------------------------------------------------------ */

void race_block_start(struct race_detector *d, uint32_t block)
{
	if (d->clock > CLOCK_MAX) {
		/* The clock begins anew; nothing may be left of before. */
		race_pages_free(d);
		if (d->shared)
			memset(d->shared, 0, page_count(d->setup.shared_bytes) * sizeof *d->shared);
		d->clock = 1;
	}
	d->block = block;
	d->cluster = race_cluster_of(&d->setup, block);
	d->block_start = d->barrier_epoch = race_tick(d);
	d->fences++;
	d->links.n = 0;
	d->n_findings = 0;
	race_summaries_clear(d);
	race_threads_start(d);
	race_pages_start(d);
	race_locations_clear(&d->locations);
	race_observed_clear(&d->observed);
	race_written_clear(d);
	race_copies_clear(d);
	race_async_start(d);
	race_pending_clear(d);
}

void race_block_end(struct race_detector *d)
{
	if (d->setup.races)
		race_grid_shadow_merge(d);
	race_flush_findings(d);
	if (d->communicates)
		d->grid->communicates = true;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

const char *race_missing_name(enum race_missing missing)
{
	static const char *const names[] = {
		[RACE_MISSING_SYNCWARP] = "syncwarp",
		[RACE_MISSING_BARRIER] = "barrier",
		[RACE_MISSING_ORDER] = "order",
		[RACE_MISSING_FENCE] = "fence",
		[RACE_MISSING_ATOMIC] = "atomic",
		[RACE_MISSING_SCOPE] = "scope",
		[RACE_MISSING_SAME_SIZE] = "same size",
		[RACE_MISSING_WAIT] = "wait",
		[RACE_MISSING_CLUSTER] = "cluster barrier",
		[RACE_MISSING_WAIT_READ] = "wait of product",
		[RACE_MISSING_PROXY_FENCE] = "proxy fence",
		[RACE_MISSING_UPDATE] = "atomic update",
		[RACE_MISSING_ONE_VALUE] = "one value",
		[RACE_MISSING_SAME_VALUE] = "same value",
		[RACE_MISSING_LOCK_FENCES] = "lock fences",
	};
	return (size_t)missing < sizeof names / sizeof *names ? names[missing] : NULL;
}
