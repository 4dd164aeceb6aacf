/* Special registers: 32 values each in a bank of the warp, so that they are read like any register. Those that no
 * instruction reads have no place there. */

#include "machine/simt/code.h"
#include "machine/simt/lanes.h"
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

/* NULL: no instruction reads it. */
static void *values_of(const struct warp *w, enum ptx_special special)
{
	const struct program *p = &w->m->program;
	return p->uses_special[special] ? w->bank[BANK_SPECIALS] + p->special_offset[special] : NULL;
}

static void fill32(struct warp *w, enum ptx_special special, uint32_t value)
{
	u32 *lanes = values_of(w, special);
	for (int i = 0; lanes && i < WARP_SIZE; i++)
		lanes[i] = value;
}

static void fill64(struct warp *w, enum ptx_special special, uint64_t value)
{
	u64 *lanes = values_of(w, special);
	for (int i = 0; lanes && i < WARP_SIZE; i++)
		lanes[i] = value;
}

void simt_specials_clock(struct warp *w)
{
	uint64_t now = w->m->steps.taken;
	fill32(w, PTX_SPECIAL_CLOCK, (uint32_t)now);
	fill32(w, PTX_SPECIAL_CLOCK_HI, (uint32_t)(now >> 32));
	fill64(w, PTX_SPECIAL_CLOCK64, now);
	fill64(w, PTX_SPECIAL_GLOBALTIMER, now);
	fill32(w, PTX_SPECIAL_GLOBALTIMER_LO, (uint32_t)now);
	fill32(w, PTX_SPECIAL_GLOBALTIMER_HI, (uint32_t)(now >> 32));
}

static uint32_t value_of_lane(const struct warp *w, enum ptx_special special, uint32_t lane)
{
	const uint32_t *block = w->m->launch->block;
	uint32_t thread = w->index * WARP_SIZE + lane, below = lane_bit[lane] - 1;
	switch (special) {
	case PTX_SPECIAL_TID_X: return thread % block[0];
	case PTX_SPECIAL_TID_Y: return thread / block[0] % block[1];
	case PTX_SPECIAL_TID_Z: return thread / block[0] / block[1];
	case PTX_SPECIAL_LANEID: return lane;
	case PTX_SPECIAL_LANEMASK_EQ: return lane_bit[lane];
	case PTX_SPECIAL_LANEMASK_LT: return below;
	case PTX_SPECIAL_LANEMASK_LE: return below | lane_bit[lane];
	case PTX_SPECIAL_LANEMASK_GT: return ~(below | lane_bit[lane]);
	case PTX_SPECIAL_LANEMASK_GE:
	default: return ~below;
	}
}

void simt_specials_launch(struct warp *w)
{
	static const enum ptx_special of_lanes[] = {PTX_SPECIAL_TID_X, PTX_SPECIAL_TID_Y, PTX_SPECIAL_TID_Z,
		PTX_SPECIAL_LANEID, PTX_SPECIAL_LANEMASK_EQ, PTX_SPECIAL_LANEMASK_LT, PTX_SPECIAL_LANEMASK_LE,
		PTX_SPECIAL_LANEMASK_GT, PTX_SPECIAL_LANEMASK_GE};
	const struct simt_launch *l = w->m->launch;
	const struct cluster_shape *shape = &w->m->cluster_shape;
	for (int i = 0; i < 3; i++) {
		fill32(w, PTX_SPECIAL_NTID_X + i, l->block[i]);
		fill32(w, PTX_SPECIAL_NCTAID_X + i, l->grid[i]);
		fill32(w, PTX_SPECIAL_NCLUSTERID_X + i, l->grid[i] / shape->dims[i]);
		fill32(w, PTX_SPECIAL_CLUSTER_NCTAID_X + i, shape->dims[i]);
	}
	fill32(w, PTX_SPECIAL_WARPID, w->index);
	fill32(w, PTX_SPECIAL_NWARPID, w->m->n_warps);
	fill32(w, PTX_SPECIAL_NSMID, 1);
	fill32(w, PTX_SPECIAL_CLUSTER_NCTARANK, shape->n);
	fill32(w, PTX_SPECIAL_AGGR_SMEM, (uint32_t)w->m->shared_own);
	u32 *is_explicit = values_of(w, PTX_SPECIAL_IS_EXPLICIT_CLUSTER);
	if (is_explicit)
		*is_explicit = shape->is_explicit ? WARP_FULL_MASK : 0;
	fill32(w, PTX_SPECIAL_ENVREG1, (uint32_t)(w->m->workspace >> 32));
	fill32(w, PTX_SPECIAL_ENVREG2, (uint32_t)w->m->workspace);
	fill64(w, PTX_SPECIAL_GRIDID, 1);
	fill32(w, PTX_SPECIAL_DYNAMIC_SMEM, l->dynamic_shared);
	fill32(w, PTX_SPECIAL_TOTAL_SMEM, (uint32_t)w->m->shared_own);
	uint32_t reserved = (uint32_t)w->m->shared_reserved;
	fill32(w, PTX_SPECIAL_RESERVED_SMEM_BEGIN, reserved);
	fill32(w, PTX_SPECIAL_RESERVED_SMEM_END, reserved + SIMT_RESERVED_SHARED);
	fill32(w, PTX_SPECIAL_RESERVED_SMEM_CAP, SIMT_RESERVED_SHARED);
	fill32(w, PTX_SPECIAL_RESERVED_SMEM_0, reserved);
	fill32(w, PTX_SPECIAL_RESERVED_SMEM_1, reserved + SIMT_RESERVED_SHARED / 2);

	for (size_t i = 0; i < sizeof of_lanes / sizeof *of_lanes; i++) {
		u32 *lanes = values_of(w, of_lanes[i]);
		for (uint32_t lane = 0; lanes && lane < WARP_SIZE; lane++)
			lanes[lane] = value_of_lane(w, of_lanes[i], lane);
	}
}

void simt_specials_block(struct warp *w)
{
	const uint32_t *grid = w->m->launch->grid, *dims = w->m->cluster_shape.dims, block = w->m->block;
	const uint32_t index[3] = {block % grid[0], block / grid[0] % grid[1], block / grid[0] / grid[1]};
	for (int i = 0; i < 3; i++) {
		fill32(w, PTX_SPECIAL_CTAID_X + i, index[i]);
		fill32(w, PTX_SPECIAL_CLUSTERID_X + i, index[i] / dims[i]);
		fill32(w, PTX_SPECIAL_CLUSTER_CTAID_X + i, index[i] % dims[i]);
	}
	fill32(w, PTX_SPECIAL_CLUSTER_CTARANK, w->m->rank);
}
