/* Shared memory of other blocks of the cluster, and the cluster's barrier. Accesses that name the cluster go by a way of their own, also to
 * the own block. What goes to other blocks passes between the SMs sector by sector. As much comes in as goes out: the other blocks do as the
 * own one does, so that a block that all others go to is not seen. */
#include "model/hardware/engine_state.h"

/* What a sector takes where all blocks send and receive. */
static double sector_of(const struct schedule_step *step)
{
	if (step->cache == CACHE_STORE)
		return timing[TIMING_CLUSTER_WRITE];
	if (step->spread)
		return timing[TIMING_CLUSTER_SPREAD];
	return timing[step->cache == CACHE_ATOMIC ? TIMING_CLUSTER_CHANGE : TIMING_CLUSTER_READ];
}

double engine_cluster_access(struct engine *e, const struct schedule_step *step)
{
	bool changes = step->cache == CACHE_ATOMIC;
	double own = step->passes ? step->passes : 1;
	double at = engine_serve(&e->lsu, (double)e->now, own, &e->out->busy[ENGINE_LSU]);
	if (!step->there)
		return at + own - 1 + timing[changes ? TIMING_CLUSTER_OWN_ATOMIC : TIMING_CLUSTER_OWN_LOAD];
	at = engine_serve(&e->cluster, at, step->there * sector_of(step), &e->out->busy[ENGINE_CLUSTER]);
	/* what is on its way holds up what comes after it at the memory pipe */
	e->lsu = e->cluster > e->lsu ? e->cluster : e->lsu;
	return at + timing[changes ? TIMING_CLUSTER_ATOMIC : TIMING_CLUSTER_LOAD];
}

uint64_t engine_cluster_barrier(const struct engine *e)
{
	return engine_whole(
		timing[TIMING_CLUSTER_BARRIER] + (e->in->warps_per_block - 1) * timing[TIMING_CLUSTER_BARRIER_WARP]);
}
