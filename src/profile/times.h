/* profile/times.h: the model's timelines of a launch: trace.h, and what model/schedule.h and model/blocks.h make of it. */
#pragma once
#include "launch/launch.h"
#include "model/metrics.h"
#include "model/timeline.h"
#include "profile/trace.h"

struct times_request {
	uint32_t block, warp;      /* watched: its SM is shown, and its masks */
	uint32_t sms;              /* 0, or more than TIMELINE_SMS_MAX: TIMES_SMS */
	const char *gpu;           /* whose these are; NULL with sms 0 */
	uint32_t registers;        /* of a thread; 0: not known, and limit nothing */
	int cc;
	uint64_t steps;            /* as in trace_watch */
	unsigned cores;
};

#define TIMES_SMS 132u             /* the SMs of an H100 or H200 in an SXM module */

/* Runs the launch and fills `out`, in `arena`; its `why` says why there is nothing. Never fails otherwise. */
void times_model(struct arena *arena, struct ptx_module *module, const struct launch *launch, const struct times_request *request,
	struct timelines *out);

/* The rough counters that timelines of the model give: cycles, and how busy SMs and schedulers were, of which SM 0 speaks for all.
 * Those of a timeline that is not there stay as they are. */
void times_count(const struct timelines *times, struct counts *counts);

/* Whether one of these metrics, by name, is made of such counters. */
bool times_are_in(const char *const *metrics, int n);

/* As many as times_model gives for a launch, added to `counts`. */
void times_count_launch(struct ptx_module *module, const struct launch *launch, int cc, struct counts *counts);
