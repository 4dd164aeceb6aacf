/* gpu/worker/sass.h: CUPTI's SASS metrics: counters of each machine instruction, which CUPTI patches into the kernel
 * when it is launched; and the source lines of machine instructions. Inside the worker only.
 *
 * Seen on CC 9.0 with CUPTI 13.0:
 *   - SetConfig succeeds once in a process. Each later one answers "out of memory", also after UnsetConfig, in another
 *     context, and with fewer metrics. So all metrics of the chip are set at once, which makes a launch 0.1 ms longer
 *     than ten would.
 *   - Only where the range profiler was enabled before may a kernel be counted again: otherwise each function is
 *     counted at its first launch and never after, and the range profiler's counters are not numbers from then on. So
 *     session_open_counters comes first.
 *   - Then each kernel can be counted again and again, with the range profiler enabled or not. But lines can spoil the
 *     counters of a range profiler in the same process, so they have a process of their own (struct sass_worker).
 *   - A kernel that was patched runs as before once counting is disabled. */
#pragma once
#include <stdbool.h>

#include "gpu/worker/cupti.h"
#include "gpu/worker/profiler.h"

struct sass {
	struct arena *arena;
	const struct cupti *cupti;
	CUcontext context;
	bool tried, ready;
	struct wire_error error; /* why it is not ready */
	CUpti_SubscriberHandle subscriber;
	CUpti_SassMetrics_MetricDetails *metrics; /* of the chip */
	size_t n_metrics;
	/* what the driver made of the module that was loaded last; who takes the cubin owns it */
	void *cubin;
	size_t cubin_size;
};

/* What is counted where. */
struct sass_chip {
	const struct cupti *cupti;
	const char *name; /* "GH100" */
	int device;
	CUcontext context;
};

/* Makes everything ready, once; the range profiler must have counted before. From then on modules that are loaded leave
 * their cubin in sass->cubin. False with the reason. */
bool sass_open(struct arena *arena, struct sass *sass, const struct sass_chip *chip, struct wire_error *error);

/* Frees the cubin that was kept last. */
void sass_drop_cubin(struct sass *sass);

struct sass_request {
	const char *const *metrics;
	int n;
	const void *cubin; /* of the module that runs, compiled with line information */
	size_t cubin_size;
	bool *available;         /* n, filled */
	struct wire_line *lines; /* filled, ascending */
	int n_lines;
	const char *kernel; /* whose machine instructions are counted one by one, too; NULL: only lines */
	const char *code;   /* then filled as in struct wire_line_counts */
	struct wire_line *instrs;
	int n_instrs;
};

/* Counts one launch, line by line and, if asked, instruction by instruction. What it fills in is in `arena`. False with
 * the reason. */
bool sass_count(struct sass *sass, struct arena *arena, struct sass_request *request, const struct profiler_run *run,
	struct wire_error *error);
