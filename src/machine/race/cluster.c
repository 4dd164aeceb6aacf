/* Clusters: barriers of several blocks, and shared memory that several blocks access.
 *
 * To other blocks, a block's shared memory is global memory at addresses that nothing else has; so it is compared as
 * that is, when a block ends. What the block itself does there is compared both ways. */
#include "machine/race/detector.h"

#include <stdlib.h>

#include "base/arena.h"

/* --- the barrier -------------------------------------------------------------------------------------------------- */

/* What all threads that have arrived know, and what those of the last complete phase knew. */
struct race_cluster {
	struct grid_clock *arriving, *complete;
};

struct race_cluster *race_cluster_new(void)
{
	return base_calloc(1, sizeof(struct race_cluster));
}

void race_cluster_free(struct race_cluster *c)
{
	if (!c)
		return;
	race_grid_clock_drop(c->arriving);
	race_grid_clock_drop(c->complete);
	free(c);
}

struct arrival {
	uint32_t warp, epoch;
	bool relaxed;
};

static void publish(const struct race_detector *d, struct shared_clock *sum, struct thread_clocks *t,
	const struct arrival *a, uint32_t lanes)
{
	if (a->relaxed) {
		race_clock_publish(sum, &t->release_fence[RACE_SCOPE_CLUSTER], a->warp, lanes);
		return;
	}
	race_clock_acquire(d, &t->now.more, &t->rmw_acquire);
	struct vector_clock now = t->now;
	now.lane_epoch = a->epoch;
	race_clock_publish(sum, &now, a->warp, lanes);
}

static void arrive(struct race_detector *d, struct race_cluster *c, const struct arrival *a, uint32_t lanes)
{
	struct warp_clocks *w = &d->warps[a->warp];
	struct shared_clock sum = {0};

	if (!w->split)
		publish(d, &sum, &w->common, a, lanes);
	for (uint32_t left = w->split ? lanes : 0; left; left &= left - 1)
		publish(d, &sum, &w->lane[__builtin_ctz(left)], a, left & -left);
	struct grid_clock *joined = race_grid_clock_join(c->arriving, sum.others);
	race_grid_clock_drop(c->arriving);
	c->arriving = race_grid_clock_with(joined, d->grid->level, d->block, sum.own);
	race_grid_clock_drop(joined);
	race_clock_drop(&sum);
	w->epoch = d->clock;
	d->fences++;
}

void race_cluster_arrive(struct race_detector *d, struct race_cluster *c, uint32_t warp, uint32_t lanes)
{
	const struct arrival a = {.warp = warp, .epoch = race_tick(d)};
	arrive(d, c, &a, lanes);
}

/* PTX ISA, barrier.cluster: what comes before a relaxed arrival has to be ordered by a fence. */
void race_cluster_arrive_relaxed(struct race_detector *d, struct race_cluster *c, uint32_t warp, uint32_t lanes)
{
	const struct arrival a = {.warp = warp, .epoch = race_tick(d), .relaxed = true};
	arrive(d, c, &a, lanes);
}

void race_cluster_complete(struct race_cluster *c)
{
	race_grid_clock_drop(c->complete);
	c->complete = c->arriving;
	c->arriving = NULL;
}

static void acquire(const struct race_detector *d, const struct race_cluster *c, struct thread_clocks *t)
{
	struct shared_clock found = {.others = race_grid_clock_keep(c->complete)};
	race_clock_acquire(d, &t->now.more, &found);
	t->has_unpublished = true;
}

void race_cluster_wait(struct race_detector *d, const struct race_cluster *c, uint32_t warp, uint32_t lanes)
{
	struct warp_clocks *w = &d->warps[warp];
	race_tick(d);
	if (lanes != w->lanes)
		race_threads_split(w);
	if (!w->split)
		acquire(d, c, &w->common);
	for (uint32_t left = w->split ? lanes : 0; left; left &= left - 1)
		acquire(d, c, &w->lane[__builtin_ctz(left)]);
	w->epoch = d->clock;
}

/* --- shared memory ------------------------------------------------------------------------------------------------ */

#define FAR_BASE ((uint64_t)1 << 60) /* above all global memory; and then a part for each block */
#define FAR_SHIFT 24u

uint32_t race_cluster_place_block(uint64_t address)
{
	return (uint32_t)((address - FAR_BASE) >> FAR_SHIFT);
}

static uint64_t far_address(const struct race_detector *owner, uint64_t address)
{
	return FAR_BASE + ((uint64_t)owner->block << FAR_SHIFT) + address;
}

void race_access_cluster(struct race_detector *d, struct race_detector *owner, const struct race_site *site,
	const struct warp_access *a, const struct race_store *store)
{
	struct warp_access far = *a;
	far.space = SPACE_GLOBAL;
	for (uint32_t left = a->active; left; left &= left - 1)
		far.address[__builtin_ctz(left)] = far_address(owner, a->address[__builtin_ctz(left)]);
	if (d->setup.races)
		race_pending_compare(d, owner, site, a);
	if (d->setup.races && owner == d)
		race_check(d, site, a, store, RACE_CHECK_COMPARES);
	if (d->setup.races)
		race_check(d, site, &far, store, RACE_CHECK_ORDERS);
	if (d->async && owner == d)
		race_async_write(d, site, a);
	race_flush_findings(d);
}

void race_phase_complete(struct race_detector *d, struct race_detector *owner, uint64_t address)
{
	if (d->setup.races && d->setup.clusters)
		race_location_complete(d, SPACE_GLOBAL, far_address(owner, address));
	else if (d->setup.races)
		race_location_complete(d, SPACE_SHARED, address);
}

void race_cluster_place(struct race_finding *f, const struct race_detector *owner)
{
	if (f->space != SPACE_SHARED)
		return;
	f->space = SPACE_GLOBAL;
	f->address = far_address(owner, f->address);
}

void race_cluster_name(struct race_finding *f)
{
	f->far = f->space == SPACE_GLOBAL && f->address >= FAR_BASE;
	if (!f->far)
		return;
	f->space = SPACE_SHARED;
	f->owner = race_cluster_place_block(f->address);
	f->address &= ((uint64_t)1 << FAR_SHIFT) - 1;
	if (f->missing == RACE_MISSING_ORDER)
		f->missing = RACE_MISSING_CLUSTER;
}
