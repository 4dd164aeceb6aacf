#include "model/access.h"

#include <stddef.h>

#include "model/banks.h"
#include "model/sectors.h"

/* Global atomics were not measured; loads and stores of any width were, on CC 9.0 (H200), tests/gpu. */
static bool sector_rule_verified(enum access_op op, int cc)
{
	return op != ACCESS_ATOMIC && cc == MODEL_CC_DEFAULT;
}

static void cost_shared(const struct warp_access *access, int cc, struct access_cost *cost)
{
	cost->wavefronts = bank_wavefronts(access, cc, NULL, 0);
	cost->ideal_wavefronts = bank_ideal(access, cc);
	cost->bank_conflicts = cost->wavefronts - cost->ideal_wavefronts;
	cost->exact = bank_rule_verified(access->op, access->width, cc);
}

static void cost_global(const struct warp_access *access, int cc, struct access_cost *cost)
{
	struct sector_use uses[SECTORS_MAX];
	cost->sectors = sector_uses(access, uses);
	for (int i = 0; i < cost->sectors; i++)
		cost->bytes_used += __builtin_popcount(uses[i].bytes);
	cost->bytes_moved = cost->sectors * MODEL_SECTOR_BYTES;
	cost->ideal_sectors = (cost->bytes_used + MODEL_SECTOR_BYTES - 1) / MODEL_SECTOR_BYTES;
	cost->exact = sector_rule_verified(access->op, cc);
}

/* Without an active lane: shared memory still counts a request, and no wavefront (measured: CC 9.0, H200,
 * smsp__inst_executed_op_shared_{ld,st}). For global memory it was not measured: nothing is counted. */
int access_requests(const struct warp_access *access)
{
	return access->active || access->space == ACCESS_SHARED;
}

struct access_cost access_cost(const struct warp_access *access, int cc)
{
	struct access_cost cost = {.requests = access_requests(access)};
	if (access->space == ACCESS_SHARED)
		cost_shared(access, cc, &cost);
	else
		cost_global(access, cc, &cost);
	return cost;
}

const char *access_space_name(enum access_space space)
{
	return space == ACCESS_SHARED ? "shared" : "global";
}

const char *access_op_name(enum access_op op)
{
	static const char *const names[] = {[ACCESS_LOAD] = "ld", [ACCESS_STORE] = "st", [ACCESS_ATOMIC] = "atom"};
	return names[op];
}
