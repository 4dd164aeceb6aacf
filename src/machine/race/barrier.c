/* Barriers of the block: what arrives is joined, and given to the warps that wait. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

static void clear_barrier(struct barrier_clocks *b)
{
	race_clock_drop(&b->more);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		race_clock_drop(&b->release_fence[scope]);
		race_clock_drop(&b->acquire_fence[scope]);
	}
	memset(b, 0, sizeof *b);
}

void race_barriers_free(struct race_detector *d)
{
	for (int id = 0; id < RACE_BARRIERS; id++) {
		if (d->barriers[id])
			clear_barrier(d->barriers[id]);
		free(d->barriers[id]);
	}
}

/* --- arrival ------------------------------------------------------------------------------------------------------ */

static void join_arrival(
	const struct race_detector *d, struct barrier_clocks *b, uint32_t warp, struct thread_clocks *t, uint32_t lanes)
{
	race_clock_acquire(d, &t->now.more, &t->rmw_acquire);
	b->block_epoch = epoch_max(b->block_epoch, t->now.block_epoch);
	race_clock_join(&b->more, t->now.more);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		race_clock_publish(&b->release_fence[scope], &t->release_fence[scope], warp, lanes);
		race_clock_join(&b->acquire_fence[scope], t->acquire_fence[scope]);
	}
}

void race_barrier_arrive(struct race_detector *d, uint32_t id, uint32_t warp, uint32_t lanes)
{
	struct warp_clocks *w = &d->warps[warp];
	struct barrier_clocks *b = d->barriers[id];

	if (!b)
		b = d->barriers[id] = base_calloc(1, sizeof *b);
	b->lanes[warp] |= lanes;
	b->epoch[warp] = race_tick(d);
	w->epoch = d->clock;
	if (!w->split) {
		join_arrival(d, b, warp, &w->common, lanes);
		return;
	}
	for (uint32_t left = lanes; left; left &= left - 1)
		join_arrival(d, b, warp, &w->lane[__builtin_ctz(left)], left & -left);
}

/* --- completion --------------------------------------------------------------------------------------------------- */

/* Whether all threads of the block that have not ended arrived and waited. */
static bool is_full(
	const struct race_detector *d, const struct barrier_clocks *b, const uint32_t *released, const uint32_t *live)
{
	for (uint32_t i = 0; i < d->n_warps; i++)
		if (live[i] & ~(b->lanes[i] & released[i]))
			return false;
	return true;
}

static void release_block(struct race_detector *d, struct barrier_clocks *b)
{
	struct thread_clocks sum = {.now.block_epoch = race_tick(d), .now.more.others = b->more.others};
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		sum.release_fence[scope].more = b->release_fence[scope];
		sum.acquire_fence[scope] = b->acquire_fence[scope];
	}
	d->barrier_epoch = sum.now.block_epoch;
	d->links.n = 0;
	for (uint32_t i = 0; i < d->n_warps; i++) {
		race_threads_unite(&d->warps[i], &sum);
		d->warps[i].epoch = d->clock;
	}
}

/* `lanes` are those that share the clocks `t`. */
static void release_thread(const struct barrier_clocks *b, struct thread_clocks *t, uint32_t warp, uint32_t lanes)
{
	t->now.block_epoch = epoch_max(t->now.block_epoch, b->block_epoch);
	race_clock_join(&t->now.more, b->more);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		struct shared_clock fence = race_clock_keep(b->release_fence[scope]);
		race_clock_publish(&fence, &t->release_fence[scope], warp, lanes);
		race_vector_clock_set(&t->release_fence[scope], (struct vector_clock){.more = fence});
		race_clock_drop(&fence);
		race_clock_join(&t->acquire_fence[scope], b->acquire_fence[scope]);
	}
	t->has_unpublished = true;
}

static void release_lanes(const struct barrier_clocks *b, struct warp_clocks *w, uint32_t warp, uint32_t lanes)
{
	if (lanes != w->lanes)
		race_threads_split(w);
	if (!w->split) {
		release_thread(b, &w->common, warp, w->lanes);
		return;
	}
	for (uint32_t left = lanes; left; left &= left - 1)
		release_thread(b, &w->lane[__builtin_ctz(left)], warp, left & -left);
}

static void release_some(struct race_detector *d, struct barrier_clocks *b, const uint32_t *released)
{
	for (uint32_t i = 0; i < d->n_warps; i++)
		if (b->lanes[i])
			race_clock_add(
				&b->more, b->block_epoch, (struct clock_entry){1u << i, b->lanes[i], b->epoch[i]});
	race_tick(d);
	for (uint32_t i = 0; i < d->n_warps; i++) {
		if (!released[i])
			continue;
		release_lanes(b, &d->warps[i], i, released[i]);
		d->warps[i].epoch = d->clock;
	}
}

void race_barrier_complete(struct race_detector *d, uint32_t id, const uint32_t *released, const uint32_t *live)
{
	struct barrier_clocks *b = d->barriers[id];
	if (!b)
		return;
	if (is_full(d, b, released, live)) {
		release_block(d, b);
	} else {
		d->communicates = true; /* which warps arrive first may be chance */
		release_some(d, b, released);
	}
	clear_barrier(b);
}
