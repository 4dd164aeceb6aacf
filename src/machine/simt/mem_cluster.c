/* Accesses to shared memory of the cluster: the lanes of each block together, as one access each. */

#include <inttypes.h>

#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/defect.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/mem.h"
#include "machine/simt/warp_state.h"

/* Lanes whose address is in no memory. */
static bool report_lost(struct warp *w, const struct code *c, uint32_t lanes, uint32_t rank)
{
	struct machine *m = w->m;
	struct fault fault = {
		.kind = SIMT_OUT_OF_BOUNDS, .lanes = lanes, .address = m->access.address[__builtin_ctz(lanes)]};
	m->access.active = lanes;
	m->access.space = SPACE_SHARED;
	if (rank >= m->cluster->n)
		simt_fault(
			w, c, fault, "the address 0x%" PRIx64 " is in no shared memory of the cluster", fault.address);
	else if (!m->cluster->block[rank])
		simt_fault(
			w, c, fault, "shared memory of the block of rank %u in the cluster: the block has ended", rank);
	else
		simt_fault(w, c, fault,
			"the address is in shared memory of the block of rank %u in the cluster, which only instructions with .shared::cluster or a generic address reach",
			rank);
	simt_mem_divert(m, lanes);
	return !m->stop;
}

static bool access_block(struct warp *w, const struct code *c, uint32_t lanes, uint32_t rank)
{
	struct machine *m = w->m, *owner = rank < m->cluster->n ? m->cluster->block[rank] : NULL;
	if (!owner || (owner != m && !(c->flags & CODE_CLUSTER)))
		return report_lost(w, c, lanes, rank);
	for (uint32_t left = lanes; left; left &= left - 1)
		m->access.address[__builtin_ctz(left)] &= CLUSTER_OFFSET;
	m->owner = owner;
	bool good = simt_mem_make_access(w, c, lanes, SPACE_SHARED);
	m->owner = m;
	if (m->host.together)
		FOR_LANES(lanes, m->host.at[i] = simt_mem_lane(m, i));
	return good;
}

bool simt_cluster_access(struct warp *w, const struct code *c, uint32_t mask)
{
	const uint64_t *address = w->m->access.address;
	bool good = true;
	for (w->m->cluster_parts = 0; mask && good; w->m->cluster_parts++) {
		uint32_t lanes = 0, rank, other;
		simt_cluster_owner(w->m, address[__builtin_ctz(mask)], &rank);
		for (uint32_t left = mask; left; left &= left - 1) {
			simt_cluster_owner(w->m, address[__builtin_ctz(left)], &other);
			lanes |= other == rank ? left & -left : 0;
		}
		good = access_block(w, c, lanes, rank);
		mask &= ~lanes;
	}
	w->m->cluster_parts = 0;
	w->m->host.together = w->m->host.together && !good;
	return good;
}
