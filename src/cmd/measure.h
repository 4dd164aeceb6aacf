/* cmd/measure.h: what the commands that measure share: one GPU, one launch after the other, waiting for each. */
#pragma once
#include <jansson.h>

#include "cmd/cmd.h"
#include "gpu/client/gpu.h"
#include "model/hardware/counters.h"

/* Adds the error of `what`, and its remedies. */
void measure_report(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error);

/* Starts the worker and waits for its report. NULL, with an error that says why, when there is no GPU; a GPU that is
 * found may still not permit counting. Valid as gpu_info() is. */
const struct wire_gpu *measure_find(struct cmd_ctx *ctx, struct gpu *gpu);

/* Why something was not measured, for JSON. */
struct measure_failure {
	enum wire_error_code code;
	const char *message; /* NULL: nothing failed */
	const char *machine; /* what the machine finds about the kernel, NULL: the kernel is not suspected */
};

struct measure_request {
	const char *ptx;
	size_t ptx_len;
	const struct launch *launch;
	const char *const *metrics; /* hardware names */
	int n_metrics;
	bool buffers;                    /* are returned */
	struct measure_failure *failure; /* filled in when it fails; may be NULL */
};

void measure_fail(struct cmd_ctx *ctx, const struct wire_error *error, struct measure_failure *out);
json_t *measure_failure_json(const struct measure_failure *failure);

/* What failed: the request, its error and its job. */
struct measure_problem {
	const char *what;
	const struct wire_error *error;
	const struct wire_job *job;
};

/* Reports as measure_report does. A kernel that may be to blame is run on the machine, and a note says what that finds.
 * `failure` may be NULL. */
void measure_report_job(struct cmd_ctx *ctx, const struct gpu *gpu, const struct measure_problem *problem,
	struct measure_failure *failure);

/* Measures and waits. NULL, with an error that names `label`, when it fails. Valid until the next measurement. */
const struct wire_measurement *measure_launch(
	struct cmd_ctx *ctx, struct gpu *gpu, const char *label, const struct measure_request *request);

/* Counts by source lines and waits; `ptx` is one that experiment_ptx_for_lines made. NULL, and why, when it fails. Both
 * are valid until the next measurement. */
const struct wire_line_counts *measure_lines(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error);

/* Like measure_lines, of PTX that experiment_ptx_for_code made, by machine instruction, too. */
const struct wire_line_counts *measure_code(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error);

/* The counters measured on a GPU of compute capability `cc`; those that the GPU does not have are
 * VALUE_UNSUPPORTED, those not requested VALUE_NONE. */
struct counts measure_counts(const struct wire_measurement *m, int cc);

/* Makes the machine code of a session's experiments as text; must not outlive the context. */
struct experiment_assembler;
struct experiment_assembler measure_assembler(struct cmd_ctx *ctx);
