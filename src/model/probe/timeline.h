/* model/probe/timeline.h: the timelines of a launch on a GPU: which probes to put into its kernel, what to ask the
 * worker for, and what its answer says. Asks nothing by itself.
 *
 * Each timeline has a run of its own, because the stamps that it needs change the times of the others:
 *   blocks    the warps' first and last moments, by %globaltimer, which all SMs share. On an H200 it moves in steps of
 *   32 ns;
 *             the steps are found from the stamps themselves (origin.resolution).
 *   schedule  those, barriers and one watched line, of the warps of one SM, by %clock64, which counts that SM's cycles.
 *   Clocks
 *             of different SMs are not synchronized and are never compared.
 *   mask      every line that has instructions, of one warp, likewise by %clock64.
 * The buffer of the stamps is bounded: when a launch has more blocks or warps than there is room for, fewer are
 * watched, and origin.cut says so. */
#pragma once
#include "gpu/wire/wire.h"
#include "machine/launch/launch.h"
#include "model/hardware/timeline.h"
#include "model/probe/probe.h"

enum probe_timeline_kind { PROBE_TIMELINE_BLOCKS, PROBE_TIMELINE_SCHEDULE, PROBE_TIMELINE_MASK, PROBE_TIMELINES };

/* By the name of the view that draws it: "blocks". PROBE_TIMELINES when there is none. */
enum probe_timeline_kind probe_timeline_find(const char *name);

struct probe_timeline_request {
	struct ptx_module *module;
	const struct launch *launch; /* of a kernel of the module, its arguments read */
	const char *file;            /* whose lines are meant, as the PTX names it; NULL: lines are of the PTX itself */
	uint32_t block, warp;        /* the warps of the block's SM; the warp's masks */
	int line;                    /* PROBE_TIMELINE_SCHEDULE: watched; 0: none */
};

struct probe_timeline_plan {
	enum probe_timeline_kind what;
	struct probe_timeline_request request;
	struct probe *probe;
	const char *ptx; /* with probes */
	size_t ptx_len;
	struct launch launch; /* with the buffer, the last argument */
	const char *cut;      /* what is not watched; NULL: nothing */
};

/* All in `arena`; what the request points to must outlive it. NULL with diagnostics. */
struct probe_timeline_plan *probe_timeline_plan(struct arena *arena, enum probe_timeline_kind what,
	const struct probe_timeline_request *request, struct diag *diag);

/* The request for the worker. Points into the plan. */
struct wire_message probe_timeline_message(const struct probe_timeline_plan *plan);

/* The GPU that answered. */
struct probe_gpu {
	const char *where; /* "NVIDIA H200" */
	uint32_t sms;      /* 0: not known */
	int cc;
};

/* What came of a plan's request. */
struct probe_timeline_answer {
	const struct probe_timeline_plan *plan;
	const struct wire_stamped *stamped;
	struct probe_gpu gpu;
};

/* Fills in the plan's timeline, and no other. `warning` becomes a sentence when the kernel computed something else with
 * the stamps, else NULL. False with a diagnostic when there is no timeline in the answer. All is
 * in `arena`, and needs the plan no more; gpu.where is the caller's. */
bool probe_timeline_read(struct arena *arena, const struct probe_timeline_answer *answer, struct timelines *out,
	const char **warning, struct diag *diag);

/* --- how busy ----------------------------------------------------------------------------------------------------- */

enum probe_activity {
#define ACTIVITY(id, hw, meaning) PROBE_ACTIVITY_##id,
#include "model/probe/activity.def"
#undef ACTIVITY
	PROBE_ACTIVITIES
};

/* The request for samples over the launch's life. */
struct wire_message probe_activity_message(const struct wire_job *job);

/* From the first sample in which an SM had a warp to the last; which samples are the kernel's is known by that alone.
 * NULL when there is none. In `arena`. */
struct activity_timeline *probe_activity_read(
	struct arena *arena, const struct wire_samples *samples, const struct probe_gpu *gpu);
