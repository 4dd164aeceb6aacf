/* Shared memory of other blocks of the cluster: accesses that name it go by a way of their own, also to the own block. What goes to other
 * blocks passes between the SMs sector by sector. As much comes in as goes out: the other blocks of the cluster do as the own one does. */
#include "model/engine_state.h"

double engine_cluster_access(struct engine *e, const struct schedule_step *step)
{
	bool changes = step->cache == CACHE_ATOMIC;
	double own = step->passes ? step->passes : 1;
	double at = engine_serve(&e->lsu, (double)e->now, own, &e->out->busy[ENGINE_LSU]);
	if (!step->there)
		return at + own - 1 + timing[changes ? TIMING_CLUSTER_OWN_ATOMIC : TIMING_CLUSTER_OWN_LOAD];
	double service = step->there * timing[changes ? TIMING_CLUSTER_CHANGE : TIMING_CLUSTER_READ];
	at = engine_serve(&e->cluster, at, service, &e->out->busy[ENGINE_CLUSTER]);
	/* what is on its way holds up what comes after it at the memory pipe */
	e->lsu = e->cluster > e->lsu ? e->cluster : e->lsu;
	return at + timing[changes ? TIMING_CLUSTER_ATOMIC : TIMING_CLUSTER_LOAD];
}
