/* model/profile/estimate.h: how long a launch takes, what its caches do, and what bounds it: what was traced, through model/hardware/engine.h for one SM
 * and model/hardware/blocks.h for all. */
#pragma once
#include "model/hardware/engine.h"
#include "model/profile/machine_code.h"
#include "model/profile/trace.h"

struct estimate_input {
	const struct trace *trace; /* with a set; of the SM that has block 0 */
	const struct launch *launch;
	const struct trace_watch *watch;
	uint32_t max_warps;              /* of an SM */
	uint32_t shared;                 /* bytes of a block */
	double instructions;             /* machine instructions of all warps, as a GPU counted them; 0: it did not */
	const char *gpu;                 /* that it is for; NULL: not known */
	const struct machine_code *code; /* where they were not counted; NULL: the model's rules */
};

/* In `arena`; NULL where nothing was kept. */
const struct engine_estimate *profile_estimate(struct arena *arena, const struct estimate_input *input);

/* What a block does, in cycles at the least: its longest warp, one instruction a cycle, or all of them by four schedulers. */
double profile_block_work(const struct trace *trace, size_t block);
