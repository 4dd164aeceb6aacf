/* cmd/measure.h: what the commands that measure share: one GPU, one launch after the other, waiting for each. */
#pragma once
#include <jansson.h>

#include "cmd/cmd.h"
#include "gpu/gpu.h"
#include "model/metrics.h"

/* Adds the error, after `what` was to be done, and its remedies. */
void measure_report(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error);

/* Starts the worker, unless it was tried before, and waits for what it finds. NULL with `*error` when there is no GPU. Valid
 * as gpu_info() is. */
const struct wire_gpu *measure_probe(struct gpu *gpu, const struct wire_error **error);

/* Asks and waits for the answer. NULL with `*error`. Both are valid until the next question. */
const struct wire_message *measure_ask(
	struct gpu *gpu, const struct wire_message *request, const struct wire_error **error);

/* Starts the worker and waits for what it finds. NULL, with an error that says why, when there is no GPU; its counters
 * may be forbidden all the same. Valid as gpu_info() is. */
const struct wire_gpu *measure_find(struct cmd_ctx *ctx, struct gpu *gpu);

struct measure_request {
	const char *ptx;
	size_t ptx_len;
	const struct launch *launch;
	const char *const *metrics; /* hardware names */
	int n_metrics;
	bool buffers; /* are to come back */
};

/* Why something was not measured, for JSON. */
struct measure_failure {
	enum wire_error_code code;
	const char *message; /* NULL: nothing failed */
	const char *machine; /* what the machine finds of the kernel, NULL: it is not suspected */
};

void measure_fail(struct cmd_ctx *ctx, const struct wire_error *error, struct measure_failure *out);
json_t *measure_failure_json(const struct measure_failure *failure);

/* Reports as measure_report does, and for a failure that the kernel may have brought on runs it on the machine, and notes
 * what that finds. `failure`, where it is not NULL, is filled. */
void measure_report_job(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error,
	const struct wire_job *job, struct measure_failure *failure);

/* Measures and waits. NULL, with an error that names `label`, when it fails. Valid until the next measurement. */
const struct wire_measurement *measure_launch(
	struct cmd_ctx *ctx, struct gpu *gpu, const char *label, const struct measure_request *request);
const struct wire_measurement *measure_launch_or(struct cmd_ctx *ctx, struct gpu *gpu, const char *label,
	const struct measure_request *request, struct measure_failure *failure);

/* Counts by source lines and waits; `ptx` is one that experiment_ptx_for_lines made. NULL, and why, when it fails. Both are valid until the
 * next measurement. */
const struct wire_line_counts *measure_lines(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error);

/* The counters measured on a GPU of compute capability `cc`; those the GPU does not have are VALUE_UNSUPPORTED, those not asked for VALUE_NONE. */
struct counts measure_counts(const struct wire_measurement *m, int cc);
