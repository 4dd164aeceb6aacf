/* The timelines of a GPU's stamps, for run and probe. */
#include "config.h"
#include "cmd/run.h"

#include "cmd/measure.h"
#include "front/view/views.h"
#include "model/probe/timeline.h"
#include "model/profile/profile.h"

static const struct diag_pos nowhere;

/* A launch whose timelines are requested. */
struct timeline_query {
	struct run *run;
	struct gpu *gpu;
	struct probe_gpu where;
	struct probe_timeline_request request;
	int *changed;
};

static bool fetch_timeline(struct timeline_query *a, enum probe_timeline_kind what)
{
	struct run *run = a->run;
	struct cmd_ctx *ctx = run->ctx;
	struct probe_timeline_plan *plan = probe_timeline_plan(ctx->arena, what, &a->request, &ctx->diag);
	if (!plan)
		return false;
	struct wire_message question = probe_timeline_message(plan);
	const struct wire_error *error;
	const char *warning;
	const struct wire_message *answer = gpu_wait_answer(a->gpu, &question, &error);
	if (!answer) {
		const struct wire_job job = {buf_str(&run->ptx), run->ptx.len, run->launch};
		measure_report_job(ctx, a->gpu, &(struct measure_problem){"on the GPU", error, &job}, NULL);
		return false;
	}
	if (!probe_timeline_read(ctx->arena, &(struct probe_timeline_answer){plan, &answer->stamped, a->where},
		    &run->times, &warning, &ctx->diag))
		return false;
	if (answer->stamped.differs >= 0)
		*a->changed = answer->stamped.differs;
	if (warning)
		diag_warn(&ctx->diag, nowhere, "%s", warning);
	return true;
}

/* Samples accompany the blocks where counters are permitted; the picture does without them otherwise. */
static void fetch_samples(struct timeline_query *a)
{
	struct run *run = a->run;
	const struct wire_job job = {buf_str(&run->ptx), run->ptx.len, run->launch};
	struct wire_message question = probe_activity_message(&job);
	const struct wire_error *error;
	const struct wire_message *answer = gpu_wait_answer(a->gpu, &question, &error);
	if (answer)
		run->times.activity = probe_activity_read(run->ctx->arena, &answer->samples, &a->where);
	else
		diag_note(&run->ctx->diag, nowhere, "no samples of the SMs' activity: %s", error->message);
}

int run_time_live(struct run *run, int line, int *changed)
{
	struct cmd_ctx *ctx = run->ctx;
	struct gpu *gpu = run_gpu(run);
	if (!gpu)
		return EXIT_USAGE;
	const struct wire_gpu *info = measure_find(ctx, gpu);
	if (!info)
		return EXIT_MISSING;
	const struct ptx_kernel *kernel = ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag);
	struct timeline_query a = {run, gpu,
		{arena_strdup(ctx->arena, info->name), info->sms > 0 ? (uint32_t)info->sms : 0, info->cc},
		{run->module, &run->launch, profile_file(kernel), run->watch.block, run->watch.warp, line}, changed};
	bool counters = info->counters;
	for (int i = 0; i < view_count; i++)
		if (run->views >> i & 1 && !fetch_timeline(&a, probe_timeline_find(view_table[i].name)))
			return EXIT_FAILED;
	if (run->views >> VIEW_BLOCKS & 1 && counters)
		fetch_samples(&a);
	return EXIT_OK;
}
