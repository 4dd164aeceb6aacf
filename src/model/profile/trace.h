/* model/profile/trace.h: what the warps of one SM executed, in order, and how much every block did: recorded while a launch runs on the SIMT
 * machine. */
#pragma once
#include "machine/launch/launch.h"
#include "machine/simt/simt.h"
#include "model/hardware/blocks.h"
#include "model/profile/cost.h"

/* Whose warps to keep: those of the blocks that are resident on one SM together with `block`, when blocks are given out in turns
 * to `sms` SMs that hold `resident` of them each. */
struct trace_watch {
	uint32_t block, sms, resident;
	uint64_t steps; /* warp instructions after which the run ends with SIMT_LIMIT; 0: PROFILE_STEPS_MAX */
	unsigned cores; /* of the host; 0: all */
	int cc;         /* whose rules say what an access costs */
	bool caches;    /* keeps which lines are accessed, too */
};

#define TRACE_WAVES 3

struct trace {
	struct simt_result result;
	const struct cost_program *program;
	const struct schedule_warp *warps; /* kept, by block and warp; of each as many steps as there is room for */
	int n_warps;                       /* of the blocks that are resident together */
	int n_kept;            /* also of those that the SM gets after them: TRACE_WAVES times as many at most */
	struct cache_set *set; /* all accesses of the launch; NULL without trace_watch.caches */
	uint64_t blocks;       /* of the grid */
	uint32_t warps_per_block;
	const uint32_t *counts; /* warp instructions by block and warp, of the first n_counted blocks */
	size_t n_counted;       /* at most BLOCKS_MAX */
};

struct trace_recorder;

/* Records a trace of a launch run elsewhere, through profile_trace_listener's listener, which lives as long as `arena`. NULL when a
 * block is too large. */
struct trace_recorder *profile_trace_listen(
	struct arena *arena, const struct ptx_kernel *kernel, const struct launch *launch, struct trace_watch watch);
const struct simt_listener *profile_trace_listener(const struct trace_recorder *recorder);

/* What was kept, in the same arena, but for the set, which is the caller's. Once for each recorder, also when nothing ran. */
struct trace *profile_trace_take(struct trace_recorder *recorder, const struct simt_result *result);

/* All at once. NULL with diagnostics when it cannot start, as profile_run. All in `arena`. */
struct trace *profile_trace_run(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	struct trace_watch watch, struct diag *diag);
