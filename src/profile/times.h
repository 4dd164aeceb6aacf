/* profile/times.h: the model's timelines of a launch: trace.h, and what model/schedule.h and model/blocks.h make of it. */
#pragma once
#include "launch/launch.h"
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
