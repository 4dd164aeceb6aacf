/* Special registers: 32 values each in a bank of the warp, so that they are read like any register. */

#include "simt/specials.h"

#include "simt/code.h"
#include "simt/lanes.h"
#include "simt/machine.h"
#include "simt/warp_state.h"

static void fill32(struct warp *w, enum ptx_special special, uint32_t value)
{
	u32 *lanes = (u32 *)(w->bank[BANK_SPECIALS] + w->m->program.special_offset[special]);
	for (int i = 0; i < WARP_SIZE; i++)
		lanes[i] = value;
}

static void fill64(struct warp *w, enum ptx_special special, uint64_t value)
{
	u64 *lanes = (u64 *)(w->bank[BANK_SPECIALS] + w->m->program.special_offset[special]);
	for (int i = 0; i < WARP_SIZE; i++)
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

/* What does not change from block to block. */
static void fill_launch(struct warp *w)
{
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
	fill32(w, PTX_SPECIAL_AGGR_SMEM, (uint32_t)w->m->shared.size);
	*(u32 *)(w->bank[BANK_SPECIALS] +
		w->m->program.special_offset[PTX_SPECIAL_IS_EXPLICIT_CLUSTER]) = shape->is_explicit ? WARP_FULL_MASK
												    : 0;
	fill32(w, PTX_SPECIAL_ENVREG1, (uint32_t)(w->m->workspace >> 32));
	fill32(w, PTX_SPECIAL_ENVREG2, (uint32_t)w->m->workspace);
	fill64(w, PTX_SPECIAL_GRIDID, 1);
	fill32(w, PTX_SPECIAL_DYNAMIC_SMEM, l->dynamic_shared);
	fill32(w, PTX_SPECIAL_TOTAL_SMEM, (uint32_t)w->m->shared.size);
}

static void fill_lanes(struct warp *w)
{
	uint8_t *bank = w->bank[BANK_SPECIALS];
	const uint32_t *at = w->m->program.special_offset, *block = w->m->launch->block;
	for (uint32_t i = 0; i < WARP_SIZE; i++) {
		uint32_t thread = w->index * WARP_SIZE + i, below = lane_bit[i] - 1;
		((u32 *)(bank + at[PTX_SPECIAL_TID_X]))[i] = thread % block[0];
		((u32 *)(bank + at[PTX_SPECIAL_TID_Y]))[i] = thread / block[0] % block[1];
		((u32 *)(bank + at[PTX_SPECIAL_TID_Z]))[i] = thread / block[0] / block[1];
		((u32 *)(bank + at[PTX_SPECIAL_LANEID]))[i] = i;
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_EQ]))[i] = lane_bit[i];
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_LT]))[i] = below;
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_LE]))[i] = below | lane_bit[i];
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_GT]))[i] = ~(below | lane_bit[i]);
		((u32 *)(bank + at[PTX_SPECIAL_LANEMASK_GE]))[i] = ~below;
	}
}

void simt_specials_launch(struct warp *w)
{
	fill_launch(w);
	fill_lanes(w);
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
