#include "machine/race/location.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "machine/race/detector.h"

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* Released by threads of a block, or by signals to it. */
struct release_part {
	uint32_t block;
	struct shared_clock scope[RACE_SCOPE_GPU]; /* for threads of that block, of its cluster */
};

#define PARTS_MAX 16 /* of a location, as many as a cluster has blocks; more are not kept */

static void clear_scopes(struct release_clock *clock)
{
	for (int scope = 0; scope < RACE_SCOPES; scope++)
		race_clock_drop(&clock->scope[scope]);
}

static void clear_release(struct release_clock *clock)
{
	clear_scopes(clock);
	for (uint32_t i = 0; i < clock->n_kept; i++)
		for (int scope = 0; scope < RACE_SCOPE_GPU; scope++)
			race_clock_drop(&clock->kept[i].scope[scope]);
	free(clock->kept);
	clock->kept = NULL;
	clock->n_kept = 0;
}

/* NULL when there are too many. */
static struct release_part *part_of(struct release_clock *c, uint32_t block)
{
	for (uint32_t i = 0; i < c->n_kept; i++)
		if (c->kept[i].block == block)
			return &c->kept[i];
	if (c->n_kept == PARTS_MAX)
		return NULL;
	if (!c->kept)
		c->kept = base_calloc(PARTS_MAX, sizeof *c->kept);
	c->kept[c->n_kept].block = block;
	return &c->kept[c->n_kept++];
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
	const struct race_order *order;
	uint64_t address;
};

/* `clock`, of threads of `block`, as those of other blocks know it. */
static struct grid_clock *as_others(const struct race_detector *d, const struct shared_clock *clock, uint32_t block)
{
	return race_grid_clock_with(clock->others, d->grid->level, block, clock->own);
}

static bool is_in_cluster(const struct race_detector *d, uint32_t block)
{
	return race_cluster_of(&d->setup, block) == d->cluster;
}

/* What an access finds there, by the scope of the fence that makes it known. */
struct found_release {
	struct shared_clock scope[RACE_SCOPES];
};

static void find_others(
	const struct race_detector *d, struct shared_clock *found, const struct shared_clock *clock, uint32_t block)
{
	struct shared_clock others = {.others = as_others(d, clock, block)};
	race_clock_join(found, others);
	race_clock_drop(&others);
}

static bool has_fenced(const struct thread_clocks *t)
{
	const struct vector_clock *v = &t->release_fence[RACE_SCOPE_CTA];
	return v->lane_epoch || v->more.own || v->more.others;
}

static bool leaves(const struct sync_access *a)
{
	return a->op != ACCESS_LOAD && !a->order->waits;
}

static void synchronize(struct race_detector *d, struct race_table *locations, const struct sync_access *a)
{
	uint64_t word = a->address / 4, in_shared = locations == &d->locations;
	uint64_t key = (word << 4 | in_shared << 3 | (uint64_t)a->order->waits << 2 | (uint64_t)a->scope) +
		1; /* 0 is none */
	struct sync_location *l = race_table_find(locations, word);

	if (!l && (!leaves(a) || !has_fenced(race_thread_clocks(d, a->warp, a->lane))))
		return;
	race_threads_split(&d->warps[a->warp]);
	struct thread_clocks *t = &d->warps[a->warp].lane[a->lane];
	/* The access finds the location as the lane left it, and has nothing to add. */
	if (l && t->last_location == key && t->last_version == l->version &&
		(!leaves(a) || (a->op == ACCESS_ATOMIC && !t->has_unpublished)))
		return;
	if (l && a->op != ACCESS_STORE && !a->order->arrives) {
		const struct release_clock *c = a->order->waits ? &l->phases : &l->now;
		struct found_release found = {0};
		enum race_scope needs = is_in_cluster(d, c->block) ? RACE_SCOPE_CLUSTER : RACE_SCOPE_GPU;
		if (c->block != d->block && a->scope >= needs)
			find_others(d, &found.scope[needs], &c->scope[needs], c->block);
		for (int i = 0; c->block == d->block && i < RACE_SCOPES; i++)
			race_clock_join(&found.scope[RACE_SCOPE_CTA], c->scope[i]);
		for (uint32_t i = 0; i < c->n_kept; i++) {
			const struct release_part *part = &c->kept[i];
			if (part->block == d->block)
				race_clock_join(&found.scope[RACE_SCOPE_CTA], part->scope[RACE_SCOPE_CTA]);
			else if (a->scope >= RACE_SCOPE_CLUSTER && is_in_cluster(d, part->block))
				find_others(d, &found.scope[RACE_SCOPE_CLUSTER], &part->scope[RACE_SCOPE_CLUSTER],
					part->block);
		}

		for (int scope = 0; scope < RACE_SCOPES; scope++) {
			race_clock_join(&t->acquire_fence[scope], found.scope[scope]);
			if (a->op == ACCESS_ATOMIC && !a->order->waits)
				race_clock_join(&t->rmw_acquire, found.scope[scope]);
			race_clock_drop(&found.scope[scope]);
		}
	}
	if (!l) {
		l = base_calloc(1, sizeof *l);
		l->number = a->address / 4;
		race_table_add(locations, l);
	}
	if (a->op == ACCESS_STORE || (leaves(a) && has_fenced(t))) {
		/* A read-modify-write adds to what is there; another write replaces it. */
		bool adds = a->op == ACCESS_ATOMIC;
		l->version++;
		if (a->order->signals && race_cluster_place_block(a->address) != d->block) {
			/* Bytes have come to the shared memory of another block, which that block is to know by any
			 * scope. */
			struct release_part *part = part_of(&l->now, race_cluster_place_block(a->address));
			struct shared_clock released = {0}, others = {0};
			race_clock_publish(&released, &t->release_fence[RACE_SCOPE_CLUSTER], a->warp, 1u << a->lane);
			others.others = as_others(d, &released, d->block);
			for (int scope = 0; part && scope < RACE_SCOPE_GPU; scope++)
				race_clock_join(&part->scope[scope], others);
			race_clock_drop(&others);
			race_clock_drop(&released);
		} else {
			if (l->now.block != d->block && adds) {
				/* Another block wrote last: what its threads knew of that block is, from now on, of
				 * another block, and what was released to fewer threads than all is found by those
				 * alone. */
				struct release_clock *c = &l->now;
				struct grid_clock *others = as_others(d, &c->scope[RACE_SCOPE_GPU], c->block);
				if (d->setup.clusters) {
					struct release_part *part = part_of(c, c->block);
					for (int scope = 0; part && scope < RACE_SCOPE_GPU; scope++)
						race_clock_join(&part->scope[scope], c->scope[scope]);
				}
				clear_scopes(c);
				for (int scope = 0; scope < RACE_SCOPES; scope++)
					c->scope[scope].others = race_grid_clock_keep(others);
				race_grid_clock_drop(others);
				c->block = d->block;
			}
			if (!adds) {
				clear_release(&l->now);
				clear_release(&l->phases);
			}
			l->now.block = d->block;
			for (int i = 0; i <= (int)a->scope; i++)
				race_clock_publish(&l->now.scope[i], &t->release_fence[i], a->warp, 1u << a->lane);
		}
	}
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
		warp, lane, access->op, (enum race_scope)order->scope, order, access->address[lane]};
	synchronize(d, lock_locations(d, access->space), &a);
	unlock_locations(d, access->space);
}

void race_location_complete(struct race_detector *d, enum mem_space space, uint64_t address)
{
	struct sync_location *l = race_table_find(lock_locations(d, space), address / 4);
	if (l) {
		clear_release(&l->phases);

		struct release_clock *to = &l->phases;
		const struct release_clock *from = &l->now;
		to->block = from->block;
		for (int scope = 0; scope < RACE_SCOPES; scope++)
			to->scope[scope] = race_clock_keep(from->scope[scope]);
		to->n_kept = from->n_kept;
		to->kept = from->n_kept ? base_calloc(PARTS_MAX, sizeof *to->kept) : NULL;
		for (uint32_t i = 0; i < from->n_kept; i++) {
			to->kept[i].block = from->kept[i].block;
			for (int scope = 0; scope < RACE_SCOPE_GPU; scope++)
				to->kept[i].scope[scope] = race_clock_keep(from->kept[i].scope[scope]);
		}

		l->version++;
	}
	unlock_locations(d, space);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

#define FIRST_SLOTS 64

/* Where the thing is, or goes. */
static uint64_t **find_table_slot(const struct race_table *table, uint64_t number)
{
	uint32_t at = (uint32_t)(number * 0x9E3779B97F4A7C15u >> 32) & (table->cap - 1);
	while (table->slots[at] && *table->slots[at] != number)
		at = (at + 1) & (table->cap - 1);
	return &table->slots[at];
}

void *race_table_find(const struct race_table *table, uint64_t number)
{
	return table->n ? *find_table_slot(table, number) : NULL;
}

void race_table_add(struct race_table *table, void *thing)
{
	uint64_t *number = thing;
	if (2 * (table->n + 1) > table->cap) {
		struct race_table larger = {.cap = table->cap ? table->cap * 2 : FIRST_SLOTS, .n = table->n};
		larger.slots = base_calloc(larger.cap, sizeof *larger.slots);
		for (uint32_t i = 0; i < table->cap; i++)
			if (table->slots[i])
				*find_table_slot(&larger, *table->slots[i]) = table->slots[i];
		free(table->slots);
		*table = larger;
	}
	*find_table_slot(table, *number) = number;
	table->n++;
}

void race_table_clear(struct race_table *table)
{
	if (table->n)
		memset(table->slots, 0, table->cap * sizeof *table->slots);
	table->n = 0;
}

void race_table_free(struct race_table *table)
{
	free(table->slots);
	*table = (struct race_table){0};
}
