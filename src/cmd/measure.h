/* cmd/measure.h: what the commands that measure share: one GPU, one launch after the other, waiting for each. */
#pragma once
#include "cmd/cmd.h"
#include "gpu/gpu.h"
#include "model/metrics.h"

/* Adds the error, after `what` was to be done, and its remedies. */
void measure_report(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error);

/* Starts the worker, unless it was tried before, and waits for what it finds. NULL with `*error` when there is no GPU. Valid
 * as gpu_info() is. */
const struct wire_gpu *measure_probe(struct gpu *gpu, const struct wire_error **error);

/* Asks and waits for the answer. NULL with `*error`. Both are valid until the next question. */
const struct wire_message *measure_ask(struct gpu *gpu, const struct wire_message *request, const struct wire_error **error);

/* Starts the worker and waits for what it finds. NULL, with an error that says why, when there is no GPU; its counters
 * may be forbidden all the same. Valid as gpu_info() is. */
const struct wire_gpu *measure_find(struct cmd_ctx *ctx, struct gpu *gpu);

struct measure_request {
	const char *ptx;
	size_t ptx_len;
	const struct launch *launch;
	const char *const *metrics; /* hardware names */
	int n_metrics;
	bool buffers;               /* are to come back */
};

/* Measures and waits. NULL, with an error that names `label`, when it fails. Valid until the next measurement. */
const struct wire_measurement *measure_launch(struct cmd_ctx *ctx, struct gpu *gpu, const char *label,
	const struct measure_request *request);

/* Counts by source lines and waits; `ptx` is one that lines_ptx made. NULL, and why, when it fails. Both are valid until the
 * next measurement. */
const struct wire_line_counts *measure_lines(struct gpu *gpu, const char *ptx, const struct launch *launch,
	const struct wire_error **error);

/* The counters measured on a GPU of compute capability `cc`; those the GPU does not have are VALUE_UNSUPPORTED, those not asked for VALUE_NONE. */
struct counts measure_counts(const struct wire_measurement *m, int cc);
