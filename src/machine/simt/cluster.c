#include "machine/simt/machine.h"

#include <stdlib.h>

#include "base/arena.h"
#include "machine/race/race.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

/* --- which blocks ------------------------------------------------------------------------------------------------- */

uint32_t simt_cluster_block(const struct machine *m, uint64_t cluster, uint32_t rank)
{
	const uint32_t *grid = m->launch->grid, *dims = m->cluster_shape.dims;
	uint64_t block = 0, step = 1;
	for (int i = 0; i < 3; i++) {
		uint64_t clusters = grid[i] / dims[i];
		block += (cluster % clusters * dims[i] + rank % dims[i]) * step;
		cluster /= clusters;
		rank /= dims[i];
		step *= grid[i];
	}
	return (uint32_t)block;
}

uint64_t simt_cluster_of(const struct machine *m, uint32_t block)
{
	const uint32_t *grid = m->launch->grid, *dims = m->cluster_shape.dims;
	uint64_t cluster = 0, step = 1;
	for (int i = 0; i < 3; i++) {
		cluster += block % grid[i] / dims[i] * step;
		step *= grid[i] / dims[i];
		block /= grid[i];
	}
	return cluster;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

struct cluster *simt_cluster_new(struct machine **block, uint32_t n)
{
	struct cluster *c = base_calloc(1, sizeof *c);
	c->n = n;
	for (uint32_t i = 0; i < n; i++) {
		c->block[i] = block[i];
		block[i]->cluster = c;
		block[i]->rank = i;
	}
	c->race = block[0]->detector ? race_cluster_new() : NULL;
	return c;
}

void simt_cluster_leave(struct machine *m)
{
	struct cluster *c = m->cluster;
	if (!c)
		return;
	c->block[m->rank] = NULL;
	m->cluster = NULL;
	c->idle = 0;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->block[i])
			return;
	race_cluster_free(c->race);
	free(c);
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

struct machine *simt_cluster_owner(const struct machine *m, uint64_t address, uint32_t *rank)
{
	uint64_t above = address >> CLUSTER_SHIFT;
	*rank = above ? (uint32_t)above - 1 : m->rank;
	return *rank < m->cluster->n ? m->cluster->block[*rank] : NULL;
}

struct machine *simt_cluster_of_host(const struct machine *m, const uint8_t *host)
{
	for (uint32_t i = 0; i < m->cluster->n; i++) {
		struct machine *other = m->cluster->block[i];
		if (other && (uintptr_t)host - (uintptr_t)other->shared.bytes < other->shared.size)
			return other;
	}
	return NULL;
}

/* --- the barrier -------------------------------------------------------------------------------------------------- */

static bool has_arrived(const struct machine *m)
{
	uint32_t missing = 0;
	for (uint32_t i = 0; i < m->n_warps; i++)
		missing |= m->warps[i].live & ~m->warps[i].at_cluster.arrived;
	return !missing;
}

void simt_cluster_update(struct machine *m)
{
	struct cluster *c = m->cluster;
	bool all = c && c->has_arrivals;
	for (uint32_t i = 0; all && i < c->n; i++)
		all = !c->block[i] || has_arrived(c->block[i]);
	if (!all)
		return;

	/* The phase is complete: the lanes of paths that waited for it go on. */
	if (c->race)
		race_cluster_complete(c->race);
	c->idle = 0;
	c->has_arrivals = false;
	for (uint32_t b = 0; b < c->n; b++) {
		struct machine *block = c->block[b];
		for (uint32_t i = 0; block && i < block->n_warps; i++) {
			struct cluster_lanes *lanes = &block->warps[i].at_cluster;
			lanes->passed |= lanes->arrived;
			lanes->arrived = 0;
		}
	}
	for (uint32_t b = 0; b < c->n; b++) {
		for (uint32_t i = 0; c->block[b] && i < c->block[b]->n_warps; i++) {
			struct warp *w = &c->block[b]->warps[i];
			for (uint32_t k = 0; k < w->paths.n; k++) {
				struct path *p = &w->paths.at[k];
				if (p->state != PATH_AT_BARRIER || p->waits_for != CLUSTER_BARRIER)
					continue;
				p->state = PATH_READY;
				w->at_cluster.passed &= ~p->mask;
				if (w->m->detector)
					race_cluster_wait(w->m->detector, c->race, w->index, p->mask);
			}
			if (w->state == WARP_WAITS && !w->active && w->barrier == NO_BARRIER)
				simt_paths_next(w);
		}
	}
}

/* --- waiting in vain ---------------------------------------------------------------------------------------------- */

static const struct path *waiting_path(const struct warp *w)
{
	for (uint32_t i = 0; i < w->paths.n; i++)
		if (w->paths.at[i].state == PATH_AT_BARRIER && w->paths.at[i].waits_for == CLUSTER_BARRIER)
			return &w->paths.at[i];
	return NULL;
}

bool simt_cluster_waits(const struct machine *m)
{
	for (uint32_t i = 0; i < m->n_warps; i++)
		if (waiting_path(&m->warps[i]))
			return true;
	return false;
}

bool simt_cluster_is_stuck(const struct machine *m)
{
	for (uint32_t b = 0; b < m->cluster->n; b++) {
		const struct machine *other = m->cluster->block[b];
		for (uint32_t i = 0; other && i < other->n_warps; i++)
			if (other->warps[i].state == WARP_RUNS)
				return false;
	}
	return true;
}

bool simt_cluster_goes_on(struct machine *m)
{
	bool goes_on = false;
	for (uint32_t b = 0; b < m->cluster->n; b++) {
		struct machine *other = m->cluster->block[b];
		for (uint32_t i = 0; other && other != m && i < other->n_warps; i++)
			goes_on |= simt_paths_give_up_reconvergence(&other->warps[i]);
	}
	return goes_on;
}

/* Threads of the cluster that have neither ended nor arrived, and the block of the first of them. */
static uint32_t count_absent(const struct cluster *c, uint32_t *block)
{
	uint32_t n = 0;
	for (uint32_t b = 0; b < c->n; b++) {
		const struct machine *m = c->block[b];
		for (uint32_t i = 0; m && i < m->n_warps; i++) {
			uint32_t absent = m->warps[i].live & ~m->warps[i].at_cluster.arrived;
			if (absent && !n)
				*block = m->block;
			n += (uint32_t)__builtin_popcount(absent);
		}
	}
	return n;
}

bool simt_cluster_deadlock(struct machine *m)
{
	for (uint32_t i = 0; i < m->n_warps; i++) {
		const struct path *p = waiting_path(&m->warps[i]);
		uint32_t block = 0, absent = p ? count_absent(m->cluster, &block) : 0;
		if (!p)
			continue;
		simt_fault(&m->warps[i], p->at, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = p->mask},
			"the cluster's barrier waits forever: %u thread%s, the first of block %u, do%s not arrive",
			absent, plural(absent), block, absent == 1 ? "es" : "");
		return true;
	}
	return false;
}
