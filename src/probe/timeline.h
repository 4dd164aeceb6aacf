/* probe/timeline.h: the timelines of a launch on a GPU: which probes to put into its kernel, what to ask the worker for, and what
 * its answer says. Asks nothing by itself.
 *
 * Each timeline has a run of its own, because the stamps that it needs change the times of the others:
 *   blocks    the warps' first and last moments, by %globaltimer, which all SMs share. On an H200 it moves in steps of 32 ns;
 *             the steps are found from the stamps themselves (origin.resolution).
 *   schedule  those, barriers and one watched line, of the warps of one SM, by %clock64, which counts that SM's cycles. Clocks
 *             of different SMs are not synchronised and are never compared.
 *   mask      every line that has instructions, of one warp, likewise by %clock64.
 * The buffer of the stamps is bounded: when a launch has more blocks or warps than there is room for, fewer are watched,
 * and origin.cut says so. */
#pragma once
#include "launch/launch.h"
#include "model/timeline.h"
#include "probe/probe.h"
#include "wire/wire.h"

enum live_what { LIVE_BLOCKS, LIVE_SCHEDULE, LIVE_MASK, LIVE_KINDS };

/* By the name of the view that draws it: "blocks". LIVE_KINDS when there is none. */
enum live_what live_find(const char *name);

struct live_request {
	struct ptx_module *module;
	const struct launch *launch; /* of a kernel of the module, its arguments read */
	const char *file;            /* whose lines are meant, as the PTX names it; NULL: lines are of the PTX itself */
	uint32_t block, warp;        /* the warps of the block's SM; the warp's masks */
	int line;                    /* LIVE_SCHEDULE: watched; 0: none */
};

struct live_plan {
	enum live_what what;
	struct live_request request;
	struct probe *probe;
	const char *ptx; /* with probes */
	size_t ptx_len;
	struct launch launch; /* with the buffer, the last argument */
	const char *cut;      /* what is not watched; NULL: nothing */
};

/* All in `arena`; what the request points to must outlive it. NULL with diagnostics. */
struct live_plan *live_plan(
	struct arena *arena, enum live_what what, const struct live_request *request, struct diag *diag);

/* The request for the worker. Points into the plan. */
struct wire_message live_message(const struct live_plan *plan);

/* The GPU that answered. */
struct live_gpu {
	const char *where; /* "NVIDIA H200" */
	uint32_t sms;      /* 0: not known */
	int cc;
};

/* Fills in the plan's timeline, and no other. `warning` becomes a sentence when the kernel computed something else with
 * the stamps, else NULL. False with a diagnostic when there is no timeline in the answer. All is
 * in `arena`, and needs the plan no more; gpu->where is the caller's. */
bool live_take(struct arena *arena, const struct live_plan *plan, const struct wire_stamped *answer,
	const struct live_gpu *gpu, struct timelines *out, const char **warning, struct diag *diag);

/* --- how busy --------------------------------------------------------------------------------------------------------- */

enum live_activity {
#define ACTIVITY(id, hw, meaning) LIVE_##id,
#include "probe/activity.def"
#undef ACTIVITY
	LIVE_ACTIVITIES
};
extern const char *const live_activity_metrics[LIVE_ACTIVITIES];

/* The request for samples over the launch's life. */
struct wire_message live_activity_message(const struct wire_job *job);

/* From the first sample in which an SM had a warp to the last; which samples are the kernel's is known by that alone. NULL
 * when there is none. In `arena`. */
struct activity_timeline *live_activity(
	struct arena *arena, const struct wire_samples *samples, const struct live_gpu *gpu);
