#include "model/profile/cluster.h"

#include "machine/ptx/program.h"
#include "model/hardware/sectors.h"

void profile_cluster_find(
	const struct ptx_kernel *kernel, const struct launch *launch, uint32_t block, struct warp_cluster *c)
{
	const uint32_t *dims = launch->cluster[0] ? launch->cluster : kernel->cluster, *grid = launch->grid;
	c->n = dims[0] ? dims[0] * dims[1] * dims[2] : 1;
	if (c->n > CLUSTER_RANKS_MAX || block >= warp_dim_volume(grid))
		c->n = 1;
	for (uint32_t rank = 0; c->n > 1 && rank < c->n; rank++) {
		uint32_t at = block, in = rank, step = 1;
		for (int i = 0; i < 3; i++) {
			c->block[rank] += (at % grid[i] / dims[i] * dims[i] + in % dims[i]) * step;
			at /= grid[i];
			in /= dims[i];
			step *= grid[i];
		}
		if (c->block[rank] == block)
			c->watched = rank;
	}
}

void profile_cluster_note(struct warp_cluster *c, uint32_t block, uint32_t to, const struct warp_access *access)
{
	for (uint32_t from = 0; from < c->n; from++) {
		if (c->block[from] != block)
			continue;
		struct cluster_traffic *t = &c->at[from][to == PROFILE_CLUSTER_OWN ? from : to];
		t->requests++;
		t->atomics += warp_op_is_atomic(access->op);
		t->bytes += (uint64_t)sector_bytes(access->width, access->active, access->address);
	}
}

void profile_cluster_join(struct warp_cluster *to, const struct warp_cluster *more)
{
	for (uint32_t i = 0; i < to->n * CLUSTER_RANKS_MAX; i++) {
		struct cluster_traffic *t = &to->at[i / CLUSTER_RANKS_MAX][i % CLUSTER_RANKS_MAX];
		const struct cluster_traffic *m = &more->at[i / CLUSTER_RANKS_MAX][i % CLUSTER_RANKS_MAX];
		t->requests += m->requests;
		t->atomics += m->atomics;
		t->bytes += m->bytes;
	}
}
