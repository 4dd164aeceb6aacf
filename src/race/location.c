#include "race/location.h"

#include <stdlib.h>

#include "base/arena.h"
#include "race/detector.h"

/* --- the table ---------------------------------------------------------------------------------------------------- */

static struct sync_location *add_location(struct race_table *locations, uint64_t address)
{
	struct sync_location *location = base_calloc(1, sizeof *location);
	location->number = address / 4;
	race_table_add(locations, location);
	return location;
}

static void clear_release(struct release_clock *clock)
{
	for (int scope = 0; scope < RACE_SCOPES; scope++)
		race_clock_drop(&clock->scope[scope]);
}

void race_locations_clear(struct race_table *locations)
{
	for (uint32_t i = 0; locations->n && i < locations->cap; i++) {
		struct sync_location *location = (struct sync_location *)locations->slots[i];
		if (location) {
			clear_release(&location->now);
			clear_release(&location->phases);
		}
		free(location);
	}
	race_table_clear(locations);
}

void race_locations_free(struct race_table *locations)
{
	race_locations_clear(locations);
	race_table_free(locations);
}

/* --- acquire and release ------------------------------------------------------------------------------------------ */

/* The strong access of one lane. */
struct sync_access {
	uint32_t warp;
	int lane;
	enum access_op op;
	enum race_scope scope;
	bool arrives, waits; /* race_order */
};

/* Another block wrote last: what its threads knew of that block is, from now on, of another block. Scope .cta ends
 * here. */
static void hand_to_block(const struct race_detector *d, struct release_clock *c)
{
	struct shared_clock *far = &c->scope[RACE_SCOPE_GPU];
	struct grid_clock *others = race_grid_clock_with(far->others, d->grid->level, c->block, far->own);
	clear_release(c);
	for (int scope = 0; scope < RACE_SCOPES; scope++)
		c->scope[scope].others = race_grid_clock_keep(others);
	race_grid_clock_drop(others);
	c->block = d->block;
}

/* A read-modify-write adds to what is there; another write replaces it. */
static void release_to(
	struct race_detector *d, struct sync_location *l, const struct thread_clocks *t, const struct sync_access *a)
{
	bool adds = a->op == ACCESS_ATOMIC;
	l->version++;
	if (l->now.block != d->block && adds)
		hand_to_block(d, &l->now);
	if (!adds) {
		clear_release(&l->now);
		clear_release(&l->phases);
	}
	l->now.block = d->block;
	for (int i = 0; i <= (int)a->scope; i++)
		race_clock_publish(&l->now.scope[i], &t->release_fence[i], a->warp, 1u << a->lane);
}

/* What an access of that scope finds, and the scope of the fence that makes it known. */
static struct shared_clock find_release(
	const struct race_detector *d, const struct release_clock *c, enum race_scope scope, enum race_scope *needs)
{
	const struct shared_clock *far = &c->scope[RACE_SCOPE_GPU];
	struct shared_clock found = {0};
	*needs = c->block == d->block ? RACE_SCOPE_CTA : RACE_SCOPE_GPU;
	if (c->block != d->block && scope == RACE_SCOPE_GPU)
		found.others = race_grid_clock_with(far->others, d->grid->level, c->block, far->own);
	for (int i = 0; c->block == d->block && i < RACE_SCOPES; i++)
		race_clock_join(&found, c->scope[i]);
	return found;
}

static void acquire_from(const struct race_detector *d, const struct release_clock *c, struct thread_clocks *t,
	const struct sync_access *a)
{
	enum race_scope needs;
	struct shared_clock found = find_release(d, c, a->scope, &needs);
	race_clock_join(&t->acquire_fence[needs], found);
	if (a->op == ACCESS_ATOMIC && !a->waits)
		race_clock_join(&t->rmw_acquire, found);
	race_clock_drop(&found);
}

static bool has_fenced(const struct thread_clocks *t)
{
	const struct vector_clock *v = &t->release_fence[RACE_SCOPE_CTA];
	return v->lane_epoch || v->more.own || v->more.others;
}

static bool finds(const struct sync_access *a)
{
	return a->op != ACCESS_STORE && !a->arrives;
}

static bool leaves(const struct sync_access *a)
{
	return a->op != ACCESS_LOAD && !a->waits;
}

/* The access finds the location as the lane left it, and has nothing to add. */
static bool changes_nothing(
	const struct thread_clocks *t, const struct sync_location *l, uint64_t key, const struct sync_access *a)
{
	return t->last_location == key && t->last_version == l->version &&
		(!leaves(a) || (a->op == ACCESS_ATOMIC && !t->has_unpublished));
}

static void synchronize(
	struct race_detector *d, struct race_table *locations, const struct sync_access *a, uint64_t address)
{
	uint64_t word = address / 4, in_shared = locations == &d->locations;
	uint64_t key = (word << 4 | in_shared << 3 | (uint64_t)a->waits << 2 | (uint64_t)a->scope) + 1; /* 0 is none */
	struct sync_location *l = race_table_find(locations, word);

	if (!l && (!leaves(a) || !has_fenced(race_thread_clocks(d, a->warp, a->lane))))
		return;
	race_threads_split(&d->warps[a->warp]);
	struct thread_clocks *t = &d->warps[a->warp].lane[a->lane];
	if (l && changes_nothing(t, l, key, a))
		return;
	if (l && finds(a))
		acquire_from(d, a->waits ? &l->phases : &l->now, t, a);
	if (!l)
		l = add_location(locations, address);
	if (a->op == ACCESS_STORE || (leaves(a) && has_fenced(t)))
		release_to(d, l, t, a);
	t->has_unpublished = !leaves(a) && t->has_unpublished;
	t->last_location = key;
	t->last_version = l->version;
}

static struct race_table *lock_locations(struct race_detector *d, enum mem_space space)
{
	if (space == SPACE_SHARED)
		return &d->locations;
	pthread_mutex_lock(&d->grid->lock);
	return &d->grid->locations;
}

static void unlock_locations(struct race_detector *d, enum mem_space space)
{
	if (space != SPACE_SHARED)
		pthread_mutex_unlock(&d->grid->lock);
}

void race_synchronize(struct race_detector *d, uint32_t warp, int lane, const struct warp_access *access,
	const struct race_order *order)
{
	const struct sync_access a = {
		warp, lane, access->op, (enum race_scope)order->scope, order->arrives, order->waits};
	synchronize(d, lock_locations(d, access->space), &a, access->address[lane]);
	unlock_locations(d, access->space);
}

void race_location_complete(struct race_detector *d, enum mem_space space, uint64_t address)
{
	struct sync_location *l = race_table_find(lock_locations(d, space), address / 4);
	if (l) {
		clear_release(&l->phases);
		l->phases.block = l->now.block;
		for (int scope = 0; scope < RACE_SCOPES; scope++)
			l->phases.scope[scope] = race_clock_keep(l->now.scope[scope]);
		l->version++;
	}
	unlock_locations(d, space);
}
