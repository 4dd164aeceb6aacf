#include "cmd/measure.h"

#include <string.h>

#include "cmd/json.h"
#include "course/experiment/experiment.h"
#include "course/experiment/recordings.h"
#include "model/profile/profile.h"
#include "tools/compile/ptxas.h"

#define BLAME_SLICE_MS 1000

void measure_report(struct cmd_ctx *ctx, const struct gpu *gpu, const char *what, const struct wire_error *error)
{
	diag_error(&ctx->diag, (struct diag_pos){0}, "%s: %s", what, error->message);
	diag_note(&ctx->diag, (struct diag_pos){0}, "%s", wire_error_remedy(error->code));
	struct wire_remedy lines[WIRE_PLACES];
	if (gpu && wire_error_remedies(error->code, gpu_place(gpu), lines) && lines[0].place == gpu_place(gpu))
		diag_note(&ctx->diag, (struct diag_pos){0}, "here, %s: %s", wire_place_words(lines[0].place),
			lines[0].text);
}

const struct wire_gpu *measure_find(struct cmd_ctx *ctx, struct gpu *gpu)
{
	const struct wire_error *error;
	const struct wire_gpu *found = gpu_wait_info(gpu, &error);
	if (!found)
		measure_report(ctx, gpu, "cannot measure", error);
	return found;
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
	const struct wire_message *answer = gpu_wait_answer(gpu, &request, &error);
	if (answer)
		return &answer->measurement;
	measure_report_job(ctx, gpu, &(struct measure_problem){label, error, &request.measure.job}, r->failure);
	return NULL;
}

const struct wire_line_counts *measure_lines(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error)
{
	const struct wire_message request = experiment_lines_message(ptx, launch);
	const struct wire_message *answer = gpu_wait_answer(gpu, &request, error);
	return answer ? &answer->line_counts : NULL;
}

const struct wire_line_counts *measure_code(
	struct gpu *gpu, const char *ptx, const struct launch *launch, const struct wire_error **error)
{
	const struct wire_message request = experiment_code_message(ptx, launch);
	const struct wire_message *answer = gpu_wait_answer(gpu, &request, error);
	return answer ? &answer->line_counts : NULL;
}

struct counts measure_counts(const struct wire_measurement *m, int cc)
{
	struct counts counts = {0};
	counts_set_named(&counts, &(struct named_counts){m->metrics, m->values, m->available, m->n, cc});
	return counts;
}

/* --- machine code ------------------------------------------------------------------------------------------------- */

/* The session's own arena is not used: that of the command lives longer. */
static const struct code_listing *assemble_for(
	void *of, struct arena *arena, const struct experiment_assembly *what, const char **why)
{
	struct buf ptx = {0};
	(void)arena;
	buf_append(&ptx, what->ptx, what->len);
	const struct code_listing *listing = ptxas_listing(cmd_compile_ctx(of), &ptx, what->kernel, what->cc, why);
	buf_free(&ptx);
	return listing;
}

struct experiment_assembler measure_assembler(struct cmd_ctx *ctx)
{
	return (struct experiment_assembler){assemble_for, ctx};
}
