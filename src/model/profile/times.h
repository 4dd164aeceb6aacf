/* model/profile/times.h: the model's timelines of a launch: what was traced, through model/hardware/schedule.h.
 *
 * They take a run of their own (profile_times_model), or listen to one that is made anyway: profile_times_listen before
 * it, profile_times_take after it. */
#pragma once
#include "base/arena.h"
#include "machine/launch/launch.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"
#include "model/hardware/counters.h"
#include "model/hardware/timeline.h"
#include "model/profile/cubin.h"

struct times_request {
	uint32_t block, warp;     /* watched: its SM is shown, and its masks */
	uint32_t sms;             /* 0, or more than TIMELINE_SMS_MAX: TIMES_SMS */
	const char *gpu;          /* that has so many; NULL with sms 0 */
	uint32_t registers;       /* of a thread; 0: not known, and limit nothing */
	double instructions;      /* machine instructions of the launch, as a GPU counted them; 0: it did not */
	const struct cubin *code; /* what ptxas made of the kernel; NULL: not known */
	int cc;
	bool drawn;     /* what views draw is enough: there is no estimate, which takes as long again */
	uint64_t steps; /* as in trace_watch, and not of profile_times_listen */
	unsigned cores;
};

#define TIMES_SMS 132u /* the SMs of an H100 or H200 in an SXM module */

/* Runs the launch and fills `out`, in `arena`; its `why` says why there is nothing. Never fails otherwise. */
void profile_times_model(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	const struct times_request *request, struct timelines *out);

struct times_recorder;

/* Listens to a run of the launch by others, through profile_times_listener; all but the result of profile_times_take is
 * in `arena`. */
struct times_recorder *profile_times_listen(struct arena *arena, struct ptx_module *module, const struct launch *launch,
	const struct times_request *request);
/* NULL: it needs no events. */
const struct simt_listener *profile_times_listener(const struct times_recorder *recorder);
/* As profile_times_model, into another arena; once for each recorder, with NULL where nothing ran. */
void profile_times_take(
	struct times_recorder *recorder, const struct simt_result *result, struct arena *arena, struct timelines *out);

/* Rough counters from timelines of the model: cycles, and how busy SMs and schedulers were, where SM 0 stands for all.
 * Those of a missing timeline stay as they are. */
void profile_times_count(const struct timelines *times, struct counts *counts);

/* Whether one of these metrics, by name, is made of such counters. */
bool profile_times_are_in(const char *const *metrics, int n);
