/* Clusters: their barrier, and the addresses of their blocks' shared memory. */

#include "machine/race/race.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/memory.h"
#include "machine/simt/warp_state.h"

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static uint64_t address_at(const struct warp *w, const struct code *c, int i)
{
	bool wide = c->instr->operands[1].kind == PTX_REG ? c->slot[1] == 8 : c->bytes == 8;
	return wide ? ((const u64 *)R(1))[i] : ((const u32 *)R(1))[i];
}

/* 0, or where the shared window begins in the generic address space. */
static uint64_t window_of(const struct code *c)
{
	return ptx_form_space(c->instr->form) == SPACE_GENERIC ? SHARED_WINDOW : 0;
}

/* Addresses outside shared memory have no place in it. */
static bool are_shared(struct warp *w, const struct code *c, uint32_t mask)
{
	uint32_t other = 0;
	for (uint32_t left = mask; left; left &= left - 1)
		if (address_at(w, c, __builtin_ctz(left)) - window_of(c) >= WINDOW_SIZE)
			other |= left & -left;
	if (other)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = other},
			"the address is not in shared memory");
	return !other;
}

EXEC(mapa)
{
	const u32 *rank = R(2);
	uint32_t n = w->m->cluster->n, others = mask & LANES_WHERE(rank[i] >= n);
	if (others)
		simt_fault(w, c, (struct fault){.kind = SIMT_OUT_OF_BOUNDS, .lanes = others, .passes = true},
			"the cluster has %u block%s, and none of rank %u", n, plural(n), rank[__builtin_ctz(others)]);
	if (!are_shared(w, c, mask))
		return;
	for (uint32_t left = mask; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		uint64_t offset = (address_at(w, c, i) - window_of(c)) & CLUSTER_OFFSET;
		/* An address of a rank that there is not is of no memory: what uses it fails. */
		uint64_t part = (rank[i] < CLUSTER_BLOCKS_MAX ? rank[i] : CLUSTER_BLOCKS_MAX) + 1;
		uint64_t there = window_of(c) + (part << CLUSTER_SHIFT | offset);
		if (c->bytes == 8)
			((u64 *)R(0))[i] = there;
		else
			((u32 *)R(0))[i] = (u32)there;
	}
}
PICK_ALWAYS(cluster_mapa, mapa)

EXEC(rank)
{
	u32 *d = R(0);
	if (!are_shared(w, c, mask))
		return;
	for (uint32_t left = mask; left; left &= left - 1) {
		int i = __builtin_ctz(left);
		simt_cluster_owner(w->m, address_at(w, c, i) - window_of(c), &d[i]);
	}
}
PICK_ALWAYS(cluster_rank, rank)

/* --- the barrier -------------------------------------------------------------------------------------------------- */

/* A GPU lets such lanes go on. Verified: CC 9.0, driver 580.159.04; fixtures cluster-twice, cluster-unarrived. */
static void report_misuse(struct warp *w, const struct code *c, uint32_t lanes, const char *how)
{
	if (lanes)
		simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_MISSING, .lanes = lanes, .passes = true},
			"%d thread%s %s the cluster's barrier", __builtin_popcount(lanes),
			plural((uint64_t)__builtin_popcount(lanes)), how);
}

/* With .aligned all lanes of the warp execute it; what lanes of other paths do is seen when they come. */
static void report_divergence(struct warp *w, const struct code *c, uint32_t mask)
{
	uint32_t missing = c->instr->form->mod[PTX_MOD_ALIGNED] ? w->active & ~mask : 0;
	int n = __builtin_popcount(missing);
	if (missing)
		simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_DIVERGENT, .lanes = missing},
			"%d lane%s of the warp do%s not come to this barrier with the others", n, plural((uint64_t)n),
			n == 1 ? "es" : "");
}

/* Lanes of the warp have arrived at another instruction. Verified: CC 9.0, driver 580.159.04: two arms hang. */
static void report_arms(struct warp *w, const struct code *c, uint32_t mask)
{
	const struct cluster_lanes *lanes = &w->at_cluster;
	uint32_t before = lanes->arrived & w->live & ~mask;
	if (!before || lanes->by == c || w->yielded || !c->instr->form->mod[PTX_MOD_ALIGNED] ||
		!lanes->by->instr->form->mod[PTX_MOD_ALIGNED])
		return;
	struct ptx_location place = ptx_instr_location(w->m->program.kernel, (int)lanes->by->index);
	char where[PTX_LOCATION_TEXT];
	struct buf text = {0};
	simt_write_lanes(before, &text);
	simt_fault(w, c, (struct fault){.kind = SIMT_BARRIER_DIVERGENT, .lanes = before},
		"%s of the warp arrived at the cluster's barrier at %s instead: a GPU waits forever; it belongs where all threads of the cluster come to it, outside of the branch or loop that parts them",
		buf_str(&text), ptx_location_text(&place, where));
	buf_free(&text);
}

EXEC(arrive)
{
	struct cluster_lanes *lanes = &w->at_cluster;
	uint32_t again = mask & (lanes->arrived | lanes->passed);
	report_divergence(w, c, mask);
	report_misuse(w, c, again, "arrived before without having waited at");
	mask &= ~again;
	if (!mask)
		return;
	report_arms(w, c, mask);
	lanes->arrived |= mask;
	lanes->by = c;
	w->m->cluster->has_arrivals = true;
	if (w->m->detector && c->instr->form->mod[PTX_MOD_SEM] == PTX_SEM_RELAXED)
		race_cluster_arrive_relaxed(w->m->detector, w->m->cluster->race, w->index, mask);
	else if (w->m->detector)
		race_cluster_arrive(w->m->detector, w->m->cluster->race, w->index, mask);
	simt_cluster_update(w->m);
}
PICK_ALWAYS(cluster_arrive, arrive)

EXEC(wait)
{
	struct cluster_lanes *lanes = &w->at_cluster;
	uint32_t over = mask & lanes->passed, waiting = mask & ~over & lanes->arrived;
	report_divergence(w, c, mask);
	report_misuse(w, c, mask & ~over & ~waiting, "did not arrive before the wait at");
	lanes->passed &= ~over;
	if (over && w->m->detector)
		race_cluster_wait(w->m->detector, w->m->cluster->race, w->index, over);
	if (!waiting)
		return;
	simt_paths_park(w, c, PATH_AT_BARRIER, waiting, CLUSTER_BARRIER);
	if (!w->active)
		simt_paths_next(w);
}
PICK_ALWAYS(cluster_wait, wait)
