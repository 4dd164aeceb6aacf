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

void race_locations_clear(struct race_table *locations)
{
	for (uint32_t i = 0; locations->n && i < locations->cap; i++) {
		struct sync_location *location = (struct sync_location *)locations->slots[i];
		for (int scope = 0; location && scope < RACE_SCOPES; scope++)
			race_clock_drop(&location->release[scope]);
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
};

/* Another block wrote last: what its threads knew of that block is, from now on, of another block. Scope .cta ends
 * here. */
static void hand_to_block(const struct race_detector *d, struct sync_location *l)
{
	struct shared_clock *far = &l->release[RACE_SCOPE_GPU];
	struct grid_clock *others = race_grid_clock_with(far->others, d->grid->level, l->block, far->own);
	for (int scope = 0; scope < RACE_SCOPES; scope++) {
		race_clock_drop(&l->release[scope]);
		l->release[scope].others = race_grid_clock_keep(others);
	}
	race_grid_clock_drop(others);
	l->block = d->block;
}

/* A read-modify-write adds to what is there; another write replaces it. */
static void release_to(
	struct race_detector *d, struct sync_location *l, const struct thread_clocks *t, const struct sync_access *a)
{
	bool adds = a->op == ACCESS_ATOMIC;
	l->version++;
	if (l->block != d->block && adds)
		hand_to_block(d, l);
	for (int i = 0; i < RACE_SCOPES && !adds; i++)
		race_clock_drop(&l->release[i]);
	l->block = d->block;
	for (int i = 0; i <= (int)a->scope; i++)
		race_clock_publish(&l->release[i], &t->release_fence[i], a->warp, 1u << a->lane);
}

/* What an access of that scope finds, and the scope of the fence that makes it known. */
static struct shared_clock release_clock(
	const struct race_detector *d, const struct sync_location *l, enum race_scope scope, enum race_scope *needs)
{
	const struct shared_clock *far = &l->release[RACE_SCOPE_GPU];
	struct shared_clock found = {0};
	*needs = l->block == d->block ? RACE_SCOPE_CTA : RACE_SCOPE_GPU;
	if (l->block != d->block && scope == RACE_SCOPE_GPU)
		found.others = race_grid_clock_with(far->others, d->grid->level, l->block, far->own);
	for (int i = 0; l->block == d->block && i < RACE_SCOPES; i++)
		race_clock_join(&found, l->release[i]);
	return found;
}

static void acquire_from(const struct race_detector *d, const struct sync_location *l, struct thread_clocks *t,
	const struct sync_access *a)
{
	enum race_scope needs;
	struct shared_clock found = release_clock(d, l, a->scope, &needs);
	race_clock_join(&t->acquire_fence[needs], found);
	if (a->op == ACCESS_ATOMIC)
		race_clock_join(&t->rmw_acquire, found);
	race_clock_drop(&found);
}

static bool has_fenced(const struct thread_clocks *t)
{
	const struct vector_clock *v = &t->release_fence[RACE_SCOPE_CTA];
	return v->lane_epoch || v->more.own || v->more.others;
}

/* The access finds the location as the lane left it, and has nothing to add. */
static bool changes_nothing(
	const struct thread_clocks *t, const struct sync_location *l, uint64_t key, enum access_op op)
{
	return t->last_location == key && t->last_version == l->version &&
		(op == ACCESS_LOAD || (op == ACCESS_ATOMIC && !t->has_unpublished));
}

static void synchronize(
	struct race_detector *d, struct race_table *locations, const struct sync_access *a, uint64_t address)
{
	bool in_shared = locations == &d->locations;
	uint64_t key = (address << 2 | (uint64_t)in_shared << 1 | (uint64_t)a->scope) + 1; /* 0 is none */
	struct sync_location *l = race_table_find(locations, address / 4);

	if (!l && (a->op == ACCESS_LOAD || !has_fenced(race_thread_clocks(d, a->warp, a->lane))))
		return;
	race_threads_split(&d->warps[a->warp]);
	struct thread_clocks *t = &d->warps[a->warp].lane[a->lane];
	if (l && changes_nothing(t, l, key, a->op))
		return;
	if (l && a->op != ACCESS_STORE)
		acquire_from(d, l, t, a);
	if (!l)
		l = add_location(locations, address);
	if (a->op == ACCESS_STORE || (a->op == ACCESS_ATOMIC && has_fenced(t)))
		release_to(d, l, t, a);
	t->has_unpublished = a->op == ACCESS_LOAD && t->has_unpublished;
	t->last_location = key;
	t->last_version = l->version;
}

void race_synchronize(struct race_detector *d, uint32_t warp, int lane, const struct warp_access *access,
	const struct race_order *order)
{
	const struct sync_access a = {warp, lane, access->op, (enum race_scope)order->scope};
	if (access->space == SPACE_SHARED) {
		synchronize(d, &d->locations, &a, access->address[lane]);
		return;
	}
	pthread_mutex_lock(&d->grid->lock);
	synchronize(d, &d->grid->locations, &a, access->address[lane]);
	pthread_mutex_unlock(&d->grid->lock);
}
