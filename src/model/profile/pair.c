#include "model/profile/private.h"

#include <stdlib.h>

#include "base/arena.h"

/* What one core has: the two listeners with contexts of its own. */
struct part {
	struct pair pair;
	struct simt_listener first, second;
};

static void pair_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	const struct pair *pair = ctx;
	if (pair->first->access)
		pair->first->access(pair->first->ctx, site, access);
	if (pair->second->access)
		pair->second->access(pair->second->ctx, site, access);
}

static void pair_cluster(
	void *ctx, const struct simt_site *site, const struct warp_access *access, const struct simt_cluster_part *part)
{
	const struct pair *pair = ctx;
	if (pair->first->cluster)
		pair->first->cluster(pair->first->ctx, site, access, part);
	if (pair->second->cluster)
		pair->second->cluster(pair->second->ctx, site, access, part);
}

static void pair_branch(void *ctx, const struct simt_site *site, uint32_t active, uint32_t taken)
{
	const struct pair *pair = ctx;
	if (pair->first->branch)
		pair->first->branch(pair->first->ctx, site, active, taken);
	if (pair->second->branch)
		pair->second->branch(pair->second->ctx, site, active, taken);
}

static void pair_shuffle(void *ctx, const struct simt_site *site, const struct warp_shuffle *shuffle)
{
	const struct pair *pair = ctx;
	if (pair->first->shuffle)
		pair->first->shuffle(pair->first->ctx, site, shuffle);
	if (pair->second->shuffle)
		pair->second->shuffle(pair->second->ctx, site, shuffle);
}

static void pair_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	const struct pair *pair = ctx;
	if (pair->first->step)
		pair->first->step(pair->first->ctx, site, active, executing);
	if (pair->second->step)
		pair->second->step(pair->second->ctx, site, active, executing);
}

static void pair_print(void *ctx, const char *text, size_t len)
{
	const struct pair *pair = ctx;
	if (pair->first->print)
		pair->first->print(pair->first->ctx, text, len);
}

static void *pair_fork(void *ctx)
{
	const struct pair *pair = ctx;
	struct part *part = base_malloc(sizeof *part);
	part->first = *pair->first;
	part->second = *pair->second;
	part->first.ctx = pair->first->fork(pair->first->ctx);
	part->second.ctx = pair->second->fork(pair->second->ctx);
	part->pair = (struct pair){&part->first, &part->second};
	return &part->pair;
}

static void pair_join(void *ctx, void *of_core)
{
	const struct pair *pair = ctx;
	struct part *part = of_core; /* whose first member is the pair that pair_fork returned */
	pair->first->join(pair->first->ctx, part->first.ctx);
	pair->second->join(pair->second->ctx, part->second.ctx);
	free(part);
}

static void pair_drop(void *ctx, void *of_core)
{
	const struct pair *pair = ctx;
	struct part *part = of_core;
	pair->first->drop(pair->first->ctx, part->first.ctx);
	pair->second->drop(pair->second->ctx, part->second.ctx);
	free(part);
}

struct simt_listener profile_pair_listener(struct pair *pair)
{
	struct simt_listener both = {.ctx = pair,
		.access = pair_access,
		.cluster = pair_cluster,
		.branch = pair_branch,
		.shuffle = pair_shuffle,
		.step = pair_step,
		.print = pair_print};
	if (pair->second && pair->first->fork && pair->second->fork) {
		both.fork = pair_fork;
		both.join = pair_join;
		both.drop = pair_drop;
	}
	return both;
}
