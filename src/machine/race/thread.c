#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"
#include "machine/race/vector_clock.h"

/* --- states ------------------------------------------------------------------------------------------------------- */

static void set_vector_clock(struct vector_clock *clock, struct vector_clock value)
{
	struct shared_clock kept = race_clock_keep(value.more);
	race_clock_drop(&clock->more);
	*clock = value;
	clock->more = kept;
}

static void set_shared(struct shared_clock *clock, struct shared_clock value)
{
	struct shared_clock kept = race_clock_keep(value);
	race_clock_drop(clock);
	*clock = kept;
}

static void set_thread(struct thread_clocks *t, const struct thread_clocks *value)
{
	set_vector_clock(&t->now, value->now);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		set_vector_clock(&t->release_fence[scope], value->release_fence[scope]);
		set_shared(&t->acquire_fence[scope], value->acquire_fence[scope]);
	}
	set_shared(&t->rmw_acquire, value->rmw_acquire);
	t->last_location = 0;
	t->has_unpublished = true;
	t->init_epoch = value->init_epoch;
}

static void clear_thread(struct thread_clocks *t)
{
	static const struct thread_clocks nothing;
	set_thread(t, &nothing);
}

struct thread_clocks *race_thread_clocks(struct race_detector *d, uint32_t warp, int lane)
{
	struct warp_clocks *w = &d->warps[warp];
	return w->split ? &w->lane[lane] : &w->common;
}

void race_threads_split(struct warp_clocks *w)
{
	if (w->split)
		return;
	if (!w->lane)
		w->lane = base_calloc(WARP_SIZE, sizeof *w->lane);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		set_thread(&w->lane[lane], &w->common);
	w->split = true;
	clear_thread(&w->common);
}

static void unite_threads(struct warp_clocks *w, const struct thread_clocks *clocks)
{
	set_thread(&w->common, clocks);
	for (int lane = 0; w->split && lane < WARP_SIZE; lane++)
		clear_thread(&w->lane[lane]);
	w->split = false;
}

void race_threads_start(struct race_detector *d)
{
	const struct thread_clocks fresh = {.now.block_epoch = d->barrier_epoch};
	for (uint32_t i = 0; i < d->n_warps; i++) {
		uint32_t threads = d->setup.threads - i * WARP_SIZE;
		struct warp_clocks *w = &d->warps[i];
		unite_threads(w, &fresh);
		w->lanes = threads >= WARP_SIZE ? WARP_FULL_MASK : (1u << threads) - 1;
		w->epoch = d->clock;
	}
}

void race_threads_free(struct race_detector *d)
{
	static const struct thread_clocks nothing;
	for (uint32_t i = 0; i < BLOCK_WARPS_MAX; i++) {
		unite_threads(&d->warps[i], &nothing);
		free(d->warps[i].lane);
	}
}

/* --- what clocks know --------------------------------------------------------------------------------------------- */

static void add_to_clock(struct shared_clock *clock, uint32_t all, struct clock_entry entry)
{
	struct shared_clock more = {.own = race_block_clock_new(all, entry)};
	race_clock_join(clock, more);
	race_block_clock_drop(more.own);
}

void race_clock_publish(struct shared_clock *clock, const struct vector_clock *v, uint32_t warp, uint32_t lanes)
{
	if (v->block_epoch || v->warp_epoch)
		add_to_clock(clock, v->block_epoch, (struct clock_entry){1u << warp, WARP_FULL_MASK, v->warp_epoch});
	if (v->lane_epoch)
		add_to_clock(clock, v->block_epoch, (struct clock_entry){1u << warp, lanes, v->lane_epoch});
	if (v->more.own || v->more.others)
		race_clock_join(clock, v->more);
}

void race_clock_acquire(const struct race_detector *d, struct shared_clock *clock, struct shared_clock *pending)
{
	/* Other blocks may know things of this block that this thread does not. */
	struct shared_clock own = {.own = (struct block_clock *)race_grid_clock_block(pending->others, d->block)};
	race_clock_join(clock, *pending);
	race_clock_join(clock, own);
	race_clock_drop(pending);
}

struct unordered_lanes race_unordered(
	const struct race_detector *d, uint32_t warp, int lane, const struct shadow_access *access)
{
	const struct warp_clocks *w = &d->warps[warp];
	const struct vector_clock *v = w->split ? &w->lane[lane].now : &w->common.now;
	struct unordered_lanes found = {0};
	for (uint32_t left = access->epoch > v->block_epoch ? access->warps : 0; left && !found.lanes;
		left &= left - 1) {
		uint32_t other = (uint32_t)__builtin_ctz(left);
		uint32_t lanes = access->lanes;
		if (other == warp)
			lanes &= access->epoch <= v->warp_epoch ? 0 : ~(1u << lane);
		if (lanes)
			lanes = race_block_clock_missing(v->more.own, other, lanes, access->epoch);
		found = (struct unordered_lanes){other, lanes};
	}
	return found;
}

/* --- fences ------------------------------------------------------------------------------------------------------- */

static void fence_thread(struct race_detector *d, struct thread_clocks *t, enum race_scope scope, uint32_t epoch)
{
	for (int i = 0; i <= (int)scope; i++)
		race_clock_acquire(d, &t->now.more, &t->acquire_fence[i]);
	struct vector_clock now = t->now;
	now.lane_epoch = epoch;
	for (int i = 0; i <= (int)scope; i++)
		set_vector_clock(&t->release_fence[i], now);
	t->has_unpublished = true;
}

void race_fence_scope(struct race_detector *d, uint32_t warp, uint32_t lanes, enum race_scope scope)
{
	struct warp_clocks *w = &d->warps[warp];
	uint32_t epoch = race_tick(d);

	if (!w->split && lanes == w->lanes) {
		fence_thread(d, &w->common, scope, epoch);
	} else {
		race_threads_split(w);
		for (uint32_t left = lanes; left; left &= left - 1)
			fence_thread(d, &w->lane[__builtin_ctz(left)], scope, epoch);
	}
	w->epoch = d->clock;
	d->fences += scope != RACE_SCOPE_CTA;
}

/* Makes known what the thread did up to its last mbarrier, and nothing that it knows of others. */
static void fence_inits(struct thread_clocks *t, enum race_scope scope)
{
	for (int i = 0; i <= (int)scope; i++)
		t->release_fence[i].lane_epoch = epoch_max(t->release_fence[i].lane_epoch, t->init_epoch);
	t->has_unpublished = true;
}

/* The states of these lanes of a warp: its common one, or one of each. */
static uint32_t states_of(struct warp_clocks *w, uint32_t lanes)
{
	if (w->split || lanes != w->lanes) {
		race_threads_split(w);
		return lanes;
	}
	return 0;
}

void race_inits(struct race_detector *d, uint32_t warp, uint32_t lanes)
{
	struct warp_clocks *w = &d->warps[warp];
	uint32_t each = states_of(w, lanes), epoch = race_tick(d);
	if (!each)
		w->common.init_epoch = epoch;
	for (uint32_t left = each; left; left &= left - 1)
		w->lane[__builtin_ctz(left)].init_epoch = epoch;
	w->epoch = d->clock;
}

void race_fence(struct race_detector *d, const struct race_site *site, uint32_t lanes)
{
	const struct race_order *order = &d->setup.order[site->instr];
	if (order->inits_alone) {
		enum race_scope scope = (enum race_scope)order->scope;
		struct warp_clocks *w = &d->warps[site->warp];
		uint32_t each = states_of(w, lanes);
		if (!each)
			fence_inits(&w->common, scope);
		for (uint32_t left = each; left; left &= left - 1)
			fence_inits(&w->lane[__builtin_ctz(left)], scope);
		d->fences += scope != RACE_SCOPE_CTA;
	} else {
		race_fence_scope(d, site->warp, lanes, (enum race_scope)order->scope);
	}
}

/* --- bar.warp.sync ------------------------------------------------------------------------------------------------ */

void race_warp_sync(struct race_detector *d, uint32_t warp, uint32_t lanes, uint32_t live)
{
	struct warp_clocks *w = &d->warps[warp];
	uint32_t epoch = race_tick(d);

	if (!w->split && !(live & ~lanes)) {
		/* The whole warp, whose lanes know the same: each now knows the others' accesses, and what each had
		 * before its fence. */
		w->common.now.warp_epoch = epoch;
		for (int scope = 0; scope < RACE_SCOPES; scope++) {
			struct vector_clock *fence = &w->common.release_fence[scope];
			fence->warp_epoch = epoch_max(fence->warp_epoch, fence->lane_epoch);
		}
	} else {
		race_threads_split(w);

		struct thread_clocks sum = {0};
		for (uint32_t left = lanes; left; left &= left - 1) {
			const struct thread_clocks *t = &w->lane[__builtin_ctz(left)];
			sum.now.block_epoch = epoch_max(sum.now.block_epoch, t->now.block_epoch);
			sum.now.warp_epoch = epoch_max(sum.now.warp_epoch, t->now.warp_epoch);
			race_clock_join(&sum.now.more, t->now.more);
			for (int scope = 0; scope < RACE_SCOPES; scope++) {
				race_clock_publish(
					&sum.release_fence[scope].more, &t->release_fence[scope], warp, left & -left);
				race_clock_join(&sum.acquire_fence[scope], t->acquire_fence[scope]);
			}
			race_clock_join(&sum.rmw_acquire, t->rmw_acquire);
		}

		if (!(live & ~lanes)) {
			sum.now.warp_epoch = epoch;
			unite_threads(w, &sum);
		} else {
			add_to_clock(
				&sum.now.more, sum.now.block_epoch, (struct clock_entry){1u << warp, lanes, epoch});
			for (uint32_t left = lanes; left; left &= left - 1)
				set_thread(&w->lane[__builtin_ctz(left)], &sum);
		}
		clear_thread(&sum);
	}
	w->epoch = d->clock;
}

/* --- barriers of the block: what arrives is joined, and given to the warps that wait ------------------------------ */

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

/* `lanes` are those that share the clocks `t`. */
static void release_thread(const struct barrier_clocks *b, struct thread_clocks *t, uint32_t warp, uint32_t lanes)
{
	t->now.block_epoch = epoch_max(t->now.block_epoch, b->block_epoch);
	race_clock_join(&t->now.more, b->more);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		struct shared_clock fence = race_clock_keep(b->release_fence[scope]);
		race_clock_publish(&fence, &t->release_fence[scope], warp, lanes);
		set_vector_clock(&t->release_fence[scope], (struct vector_clock){.more = fence});
		race_clock_drop(&fence);
		race_clock_join(&t->acquire_fence[scope], b->acquire_fence[scope]);
	}
	t->has_unpublished = true;
}

void race_barrier_complete(struct race_detector *d, uint32_t id, const uint32_t *released, const uint32_t *live)
{
	struct barrier_clocks *b = d->barriers[id];
	if (!b)
		return;

	/* Whether all threads of the block that have not ended arrived and waited. */
	bool is_full = true;
	for (uint32_t i = 0; i < d->n_warps && is_full; i++)
		is_full = !(live[i] & ~(b->lanes[i] & released[i]));
	if (is_full) {
		struct thread_clocks sum = {.now.block_epoch = race_tick(d), .now.more.others = b->more.others};
		for (int scope = 0; scope < RACE_SCOPES; scope++) {
			sum.release_fence[scope].more = b->release_fence[scope];
			sum.acquire_fence[scope] = b->acquire_fence[scope];
		}
		d->barrier_epoch = sum.now.block_epoch;
		d->links.n = 0;
		for (uint32_t i = 0; i < d->n_warps; i++) {
			unite_threads(&d->warps[i], &sum);
			d->warps[i].epoch = d->clock;
		}
	} else {
		d->communicates = true; /* which warps arrive first may be chance */

		for (uint32_t i = 0; i < d->n_warps; i++)
			if (b->lanes[i])
				add_to_clock(&b->more, b->block_epoch,
					(struct clock_entry){1u << i, b->lanes[i], b->epoch[i]});
		race_tick(d);
		for (uint32_t i = 0; i < d->n_warps; i++) {
			if (!released[i])
				continue;
			struct warp_clocks *w = &d->warps[i];
			if (released[i] != w->lanes)
				race_threads_split(w);
			if (!w->split)
				release_thread(b, &w->common, i, w->lanes);
			for (uint32_t left = w->split ? released[i] : 0; left; left &= left - 1)
				release_thread(b, &w->lane[__builtin_ctz(left)], i, left & -left);
			w->epoch = d->clock;
		}
	}
	clear_barrier(b);
}
