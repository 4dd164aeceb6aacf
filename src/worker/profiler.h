/* worker/profiler.h: CUPTI's range profiler on one context, kept set to the metrics measured last. Inside the worker only.
 *
 * Measuring the same metrics again costs 3 ms for one pass and 6 ms for each pass of more. Other metrics cost 150 ms once,
 * because the profiler has to be disabled and enabled: a second SetConfig succeeds, but the counters stay those of the
 * first. (Seen on CC 9.0, CUPTI 13.0, where each measurement without a new SetConfig, but with the counter data image
 * initialised again, gives fresh values.) */
#pragma once
#include <stdbool.h>

#include "worker/plan.h"

#define PROFILER_PLANS_MAX 16

struct profiler {
	struct arena *arena;
	struct cupti cupti;
	const char *chip;
	int driver_cuda;
	uint8_t *availability;
	CUcontext context;
	CUpti_RangeProfiler_Object *range;      /* NULL: disabled */
	const struct plan *set;                 /* what it is set to, or NULL */
	struct plan *plans[PROFILER_PLANS_MAX]; /* of the metric sets asked for; the oldest goes first */
	struct arena *plan_arenas[PROFILER_PLANS_MAX];
	int n_plans, next_plan;
};

/* Opens CUPTI for the context of device `device`. False with the reason. Strings belong to `arena`. */
bool profiler_open(struct arena *arena, struct profiler *profiler, CUcontext context, int device, int driver_cuda,
	struct wire_error *error);

/* The plan for these metrics, made at first use and valid until the next call. NULL with the reason. */
struct plan *profiler_plan(struct profiler *profiler, const char *const *metrics, int n, struct wire_error *error);

/* One run of the kernel: puts its buffers into the state before the launch, launches, waits for the end. */
struct profiler_run {
	bool (*run)(void *ctx, struct wire_error *error);
	void *ctx;
};

/* Measures the plan's metrics over one launch, which CUPTI replays for each pass, saving and restoring the memory that the
 * kernel writes. Writes the available metrics' values at their places in the set asked for. */
bool profiler_measure(struct profiler *profiler, struct plan *plan, const struct profiler_run *run, double *values,
	struct wire_error *error);
