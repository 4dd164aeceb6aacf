#include "model/sectors.h"

#include <stddef.h>
#include <string.h>

/* The use of `sector` in the sorted list, made if it is new. */
static struct sector_use *find_or_insert(struct sector_use *uses, int *n, uint64_t sector)
{
	int at = *n;
	while (at > 0 && uses[at - 1].sector > sector)
		at--;
	if (at > 0 && uses[at - 1].sector == sector)
		return &uses[at - 1];
	memmove(&uses[at + 1], &uses[at], (size_t)(*n - at) * sizeof *uses);
	uses[at] = (struct sector_use){.sector = sector};
	++*n;
	return &uses[at];
}

/* Verified: CC 9.0 (H200), tests/gpu, against l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}: any width, any order. */
int sector_uses(const struct warp_access *access, struct sector_use *out)
{
	struct sector_use own[SECTORS_MAX], *uses = out ? out : own;
	uint32_t lane_bytes = access->width < 32 ? (1u << access->width) - 1 : 0xFFFFFFFFu;
	int n = 0;

	for (int lane = 0; lane < MODEL_LANES; lane++) {
		if (!(access->active >> lane & 1))
			continue;
		uint64_t address = access->address[lane];
		struct sector_use *use = find_or_insert(uses, &n, address / MODEL_SECTOR_BYTES);
		use->lanes |= 1u << lane;
		use->bytes |= lane_bytes << address % MODEL_SECTOR_BYTES;
	}
	return n;
}
