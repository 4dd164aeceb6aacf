/* gpu/worker/profiler.h: CUPTI's range profiler on one context, kept set to what was measured last. Inside the worker
 * only.
 *
 * A pass costs 0.3 to 24 ms, by what it counts (doc/hardware.md). Counting other metrics than before costs 150 ms once,
 * because the profiler has to be disabled and enabled: a second SetConfig succeeds, but the counters stay those of the
 * first. (Seen on CC 9.0, CUPTI 13.0, where each measurement without a new SetConfig, but with the counter data image
 * initialized again, gives fresh values.) So a set of metrics that is part of what is counted already is taken from
 * there; two sets asked for in turns are counted together; and a small set asked for again and again gets the profiler
 * for itself, less readily each time that turned out to be wrong.
 *
 * The passes of a set come one after the other, round and round, whatever was asked in between: a measurement is as
 * many runs as there are passes, from any one on. After each, what it counted can be read, and the measurement be given
 * up.
 *
 * What is counted per machine instruction (smsp__sass_*) is one pass of 0.3 to 1 ms, the last of the set by CUPTI's
 * order. So that a measurement begins with it, the passes before it are made ahead, of any kernel, while nothing is
 * asked (profiler_is_behind). */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/worker/cupti.h"

#define PROFILER_PLANS_MAX 16

/* Who runs the kernel again for each pass. */
enum profiler_replay {
	PROFILER_REPLAY_US,    /* we: where a run puts all that the kernel changes into the state before the launch */
	PROFILER_REPLAY_CUPTI, /* CUPTI, inside one run, with all memory saved and restored */
};

struct profiler {
	struct arena *arena;
	struct cupti cupti;
	const char *chip;
	uint8_t *availability;
	CUcontext context;
	CUpti_RangeProfiler_Object *range;      /* NULL: disabled */
	struct plan *set;                       /* what it is set to, or NULL */
	enum profiler_replay replay;            /* likewise */
	bool between;                           /* the next pass is not the first of its passes */
	int pass;                               /* number of the next pass, from 0, where we replay */
	bool has_read;                          /* counters were read once */
	const struct plan *before, *last;       /* what it was set to before; what was asked for last: only compared */
	int repeated;                           /* how often the last set was asked for without another between */
	int patience;                           /* how often a part must be repeated before it is counted alone */
	struct plan *plans[PROFILER_PLANS_MAX]; /* of the metric sets asked for; the oldest goes first */
	struct arena *plan_arenas[PROFILER_PLANS_MAX];
	int n_plans, next_plan;
};

/* What is opened: a context of the device with this number, below a driver of CUDA `driver_cuda`. */
struct profiler_gpu {
	CUcontext context;
	int device, driver_cuda;
};

/* Opens CUPTI for it. False with the reason. Strings belong to `arena`. */
bool profiler_open(
	struct arena *arena, struct profiler *profiler, const struct profiler_gpu *gpu, struct wire_error *error);

/* Disables the profiler, so that another process may count; the next measurement enables it again. Harmless when it was
 * not opened. */
void profiler_rest(struct profiler *profiler);

/* One run of the kernel: puts its buffers into the state before the launch, launches, waits for the end. */
struct profiler_run {
	bool (*run)(void *ctx, struct wire_error *error);
	void *ctx;
};

struct profiler_request {
	const char *const *metrics;
	int n;
	enum profiler_replay replay;
	double *values;  /* n, filled */
	bool *available; /* n, filled: false: the chip does not have the metric */
	int passes;      /* filled: how many it takes */
	int made;        /* filled: how many were made */
	/* Called before the last pass is made, after each: `values` has what is there, NAN for what is not. False: give
	 * up. May be NULL. */
	bool (*passed)(const struct profiler_request *so_far);
	void *ctx; /* for it */
};

/* Measures the metrics. False with the reason, CANCELED when `passed` said so. */
bool profiler_measure(struct profiler *profiler, struct profiler_request *request, const struct profiler_run *run,
	struct wire_error *error);

/* Whether a measurement with the same metrics would not begin with the pass that is quick, and passes made ahead can
 * change that. */
bool profiler_is_behind(const struct profiler *profiler);

/* Makes one pass ahead, whose numbers are nobody's. After a failure the profiler is disabled, as by profiler_rest. */
void profiler_go_ahead(struct profiler *profiler, const struct profiler_run *run);

/* Says what CUPTI answered to `what`, under the code of its cause. Always false. */
bool profiler_fail(struct profiler *profiler, const char *what, CUptiResult result, struct wire_error *error);

/* --- plan.c: how CUPTI counts one set of metrics ------------------------------------------------------------------ */

/* A plan is its configuration, its number of passes, and which of the metrics the chip does not have. Needs no GPU. */

#define PLAN_QUICK_UNKNOWN (-1)
#define PLAN_NEVER_QUICK (-2) /* to begin with it would cut other metrics in two */

struct plan {
	const char **metrics; /* as asked */
	bool *available;      /* of each: false: the chip does not have it */
	int n;
	const char **counted; /* the available ones */
	int *index;           /* of each counted one among `metrics` */
	int n_counted;
	size_t passes;
	int quick; /* number, from 0, of the pass in which CUPTI counts machine instructions, or one of these */
	CUpti_Profiler_Host_Object *host;
	uint8_t *config, *data; /* CUPTI's config image; its counter data image, made by the profiler */
	size_t config_size, data_size;
};

/* What plans are made for. */
struct plan_chip {
	const struct cupti *cupti;
	const char *name;            /* "GH100" */
	const uint8_t *availability; /* CUPTI's image of the counters that may be read; NULL: all of the chip */
	CUpti_ProfilerType type;     /* of the profiler that is to count */
};

/* Makes a plan. It belongs to `arena` but for what plan_free gives back. NULL with the reason when CUPTI fails. */
struct plan *plan_new(
	struct arena *arena, const struct plan_chip *chip, const char *const *metrics, int n, struct wire_error *error);
void plan_free(struct plan *plan, const struct cupti *cupti);
