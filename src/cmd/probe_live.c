/* simttutor probe --view: timelines made of a GPU's stamps, drawn. */
#include "config.h"
#include "cmd/probe.h"

#include <stdlib.h>

#include "cmd/measure.h"
#include "cmd/picture.h"
#include "live/live.h"
#include "profile/profile.h"
#include "view/view.h"

#define COLS 80

static const struct diag_pos nowhere;

static bool take_timeline(struct probing *p, struct gpu *gpu, const struct live_gpu *where, enum live_what what)
{
	struct run *run = &p->run;
	struct cmd_ctx *ctx = run->ctx;
	const struct live_request request = {run->module, &run->launch, p->request.file, run->watch.block, run->watch.warp,
		p->request.n_lines ? p->lines[0] : 0};
	struct live_plan *plan = live_plan(ctx->arena, what, &request, &ctx->diag);
	if (!plan)
		return false;
	struct wire_message question = live_message(plan);
	const struct wire_error *error;
	const char *warning;
	const struct wire_message *answer = measure_ask(gpu, &question, &error);
	if (!answer)
		return measure_report_job(ctx, gpu, "on the GPU", error, &(struct wire_job){buf_str(&run->ptx), run->ptx.len,
			run->launch}, NULL), false;
	if (!live_take(ctx->arena, plan, &answer->stamped, where, &run->times, &warning, &ctx->diag))
		return false;
	if (answer->stamped.differs >= 0)
		p->changed = answer->stamped.differs;
	if (warning)
		diag_warn(&ctx->diag, nowhere, "%s", warning);
	return true;
}

/* Samples go with the blocks, where there are any: counters may be locked, and the picture is not worse for it. */
static void take_samples(struct probing *p, struct gpu *gpu, const struct live_gpu *where)
{
	struct run *run = &p->run;
	const struct wire_job job = {buf_str(&run->ptx), run->ptx.len, run->launch};
	struct wire_message question = live_activity_message(&job);
	const struct wire_error *error;
	const struct wire_message *answer = measure_ask(gpu, &question, &error);
	if (answer)
		run->times.activity = live_activity(run->ctx->arena, &answer->samples, where);
	else
		diag_note(&run->ctx->diag, nowhere, "no samples of the SMs' activity: %s", error->message);
}

static int take_times(struct probing *p, struct gpu *gpu)
{
	struct cmd_ctx *ctx = p->run.ctx;
	const struct wire_gpu *info = measure_find(ctx, gpu);
	if (!info)
		return EXIT_MISSING;
	const struct live_gpu where = {arena_strdup(ctx->arena, info->name), info->sms > 0 ? (uint32_t)info->sms : 0,
		info->cc};
	bool counters = info->counters;
	for (int i = 0; i < VIEWS; i++)
		if (p->run.views >> i & 1 && !take_timeline(p, gpu, &where, live_find(view_table[i].name)))
			return EXIT_FAILED;
	if (p->run.times.blocks && counters)
		take_samples(p, gpu, &where);
	return EXIT_OK;
}

static void write_text(const struct probing *p, struct buf *out)
{
	int cols = COLS, lines, format = picture_choose(p->run.ctx, p->run.format);
	picture_size(&cols, &lines);
	if (p->changed >= 0)
		buf_printf(out, "argument %d is NOT what it is without stamps\n\n", p->changed);
	run_write_times(&p->run, cols, format, out);
}

static void write_json(const struct probing *p, struct buf *out)
{
	json_t *json = run_times_json(&p->run);
	json_object_set_new(json, "kernel", json_string(p->run.launch.kernel));
	json_object_set_new(json, "same_results", json_boolean(p->changed < 0));
	char *text = json_dumps(json, JSON_INDENT(0));
	buf_printf(out, "%s\n", text ? text : "null");
	free(text);
	json_decref(json);
}

int probing_show_times(struct probing *p)
{
	struct run *run = &p->run;
	struct cmd_ctx *ctx = run->ctx;
	p->request.file = profile_file(ptx_find_kernel(run->module, run->launch.kernel, &ctx->diag));
	run_find_source(run, p->request.file);
	struct gpu *gpu = run_gpu(run);
	int status = gpu ? take_times(p, gpu) : EXIT_USAGE;
	if (status != EXIT_OK)
		return status;
	struct buf out = {0};
	(run->format == PICTURE_JSON ? write_json : write_text)(p, &out);
	status = cmd_print(ctx, &out) && p->changed < 0 ? EXIT_OK : EXIT_FAILED;
	buf_free(&out);
	return status;
}
