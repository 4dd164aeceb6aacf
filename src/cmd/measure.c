#include "cmd/measure.h"

#include <string.h>

#include "cmd/json.h"
#include "course/experiment/lines.h"
#include "model/profile/blame.h"

#define START_MS 600000 /* the front end's own deadline comes first */
#define MEASURE_MS 60000
#define BLAME_SLICE_MS 1000

static const struct wire_error late = {WIRE_TIMEOUT, "the GPU did not answer in time"};

void measure_report(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error)
{
	diag_error(&ctx->diag, (struct diag_pos){0}, "%s: %s", what, error->message);
	diag_note(&ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(error->code));
	struct wire_remedy lines[WIRE_PLACES];
	if (gpu && wire_error_remedies(error->code, gpu_place(gpu), lines) && lines[0].place == gpu_place(gpu))
		diag_note(&ctx->diag, (struct diag_pos){0}, "here, %s: %s", wire_place_words(lines[0].place),
			lines[0].text);
}

const struct wire_gpu *measure_probe(struct gpu *gpu, const struct wire_error **error)
{
	*error = gpu_error(gpu);
	if (gpu_info(gpu) || *error)
		return gpu_info(gpu);
	gpu_start(gpu);
	struct gpu_event event = gpu_wait(gpu, START_MS);
	if (event.kind == GPU_EVENT_PROBED)
		return gpu_info(gpu);
	*error = event.kind == GPU_EVENT_ERROR ? event.error : gpu_error(gpu);
	if (!*error)
		*error = &late;
	return NULL;
}

const struct wire_gpu *measure_find(struct cmd_ctx *ctx, struct gpu *gpu)
{
	const struct wire_error *error;
	const struct wire_gpu *found = measure_probe(gpu, &error);
	if (!found)
		measure_report(ctx, gpu, "cannot measure", error);
	return found;
}

const struct wire_message *measure_ask(
	struct gpu *gpu, const struct wire_message *request, const struct wire_error **error)
{
	int64_t id = gpu_ask(gpu, request);
	struct gpu_event event;
	do
		event = gpu_wait(gpu, MEASURE_MS);
	while (event.kind != GPU_EVENT_NONE && event.id != id);
	*error = event.kind == GPU_EVENT_ERROR ? event.error : &late;
	return event.kind == GPU_EVENT_MEASURED || event.kind == GPU_EVENT_ANSWERED ? event.answer : NULL;
}

/* --- what failed -------------------------------------------------------------------------------------------------- */

void measure_fail(struct cmd_ctx *ctx, const struct wire_error *error, struct measure_failure *out)
{
	*out = (struct measure_failure){.code = error->code, .message = arena_strdup(ctx->arena, error->message)};
}

json_t *measure_failure_json(const struct measure_failure *f)
{
	return json_pack("{s:s, s:o, s:s, s:o}", "code", wire_error_name(f->code), "message", cmd_json_text(f->message),
		"remedy", wire_error_remedy(f->code), "machine", cmd_json_text(f->machine));
}

void measure_report_job(struct cmd_ctx *ctx, const struct gpu *gpu, const struct measure_problem *problem,
	struct measure_failure *failure)
{
	const struct wire_job *job = problem->job;
	measure_report(ctx, gpu, problem->what, problem->error);
	if (failure)
		measure_fail(ctx, problem->error, failure);
	if (!wire_error_blames_kernel(problem->error->code))
		return;
	struct blame *blame = profile_blame_new(job->ptx, job->ptx_len, &job->launch);
	while (!profile_blame_step(blame, BLAME_SLICE_MS))
		continue;
	diag_note(&ctx->diag, (struct diag_pos){0}, "%s", profile_blame_sentence(blame));
	if (failure)
		failure->machine = arena_strdup(ctx->arena, profile_blame_sentence(blame));
	profile_blame_free(blame);
}

/* --- one launch --------------------------------------------------------------------------------------------------- */

const struct wire_measurement *measure_launch(
	struct cmd_ctx *ctx, struct gpu *gpu, const char *label, const struct measure_request *r)
{
	struct wire_message request = {.kind = WIRE_MEASURE};
	const struct wire_error *error;
	request.measure.job = (struct wire_job){r->ptx, r->ptx_len, *r->launch};
	request.measure.metrics = r->metrics;
	request.measure.n_metrics = r->n_metrics;
	request.measure.return_buffers = r->buffers;
	const struct wire_message *answer = measure_ask(gpu, &request, &error);
	if (answer)
		return &answer->measurement;
	measure_report_job(ctx, gpu, &(struct measure_problem){label, error, &request.measure.job}, r->failure);
	return NULL;
}

const struct wire_line_counts *measure_lines(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error)
{
	const struct wire_message request = experiment_lines_message(ptx, launch);
	const struct wire_message *answer = measure_ask(gpu, &request, error);
	return answer ? &answer->line_counts : NULL;
}

const struct wire_line_counts *measure_code(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error)
{
	const struct wire_message request = experiment_code_message(ptx, launch);
	const struct wire_message *answer = measure_ask(gpu, &request, error);
	return answer ? &answer->line_counts : NULL;
}

struct counts measure_counts(const struct wire_measurement *m, int cc)
{
	struct counts counts = {0};
	counts_set_named(&counts, &(struct named_counts){m->metrics, m->values, m->available, m->n, cc});
	return counts;
}
