/* The addresses of the lessons' watched lines: as warps record them on a GPU, and the machine's. */
#include "config.h"
#include "cmd/validate.h"

#include <inttypes.h>
#include <string.h>

#include "cmd/probe.h"
#include "course/experiment/points.h"
#include "front/tutor/tutor.h"

#define BLOCKS_MAX 4 /* of a launch; the records of all would not fit */
#define RECORDS 64   /* of a warp */

struct watched {
	struct validation *v;
	struct agreement *agreement;
	const struct lesson *lesson;
	int rule;
	uint64_t done;
};

static int watched_line(const struct watched *w, const struct experiment_point *point)
{
	return lesson_watched(w->lesson, point->step, point->values).line;
}

static const char *probe_command(struct arena *arena, const struct watched *w, const struct experiment_point *point)
{
	const struct launch *l = point->launch;
	struct buf out = {0};
	buf_printf(&out,
		"simttutor probe %s --kernel %s --grid %" PRIu32 ",%" PRIu32 ",%" PRIu32 " --block %" PRIu32 ",%" PRIu32
		",%" PRIu32 " --shared %" PRIu32,
		point->step->file->ptx_path, l->kernel, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
		l->block[2], l->shared);
	for (int i = 0; i < l->n_args; i++)
		buf_printf(&out, " --arg '%s'", l->args[i].text);
	buf_printf(&out, " --line %d --accesses --blocks 0:%d --live", watched_line(w, point), BLOCKS_MAX);
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* The launch with its watched line, as from the arguments of `simttutor probe`. */
static bool prepare_probing(
	struct probing *p, struct cmd_ctx *ctx, const struct watched *w, const struct experiment_point *point)
{
	struct run *run = &p->run;
	*p = (struct probing){.run = {.ctx = ctx,
				      .entry = &cmd_validate_entry,
				      .cc = w->v->info.cc,
				      .live = true,
				      .file = point->step->file->ptx_path,
				      .ptx_name = point->step->file->ptx_path,
				      .launch = *point->launch,
				      .watch = {.steps = PROFILE_STEPS_PATIENT}},
		.changed = -1};
	memcpy(run->args, point->launch->args, (size_t)point->launch->n_args * sizeof *run->args);
	run->launch.args = run->args;
	buf_append(&run->ptx, point->step->file->ptx_text, point->step->file->ptx_len);
	run->module = ptx_parse(ctx->arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx->diag);
	uint64_t blocks = warp_dim_volume(point->launch->grid);
	p->lines[0] = watched_line(w, point);
	p->request = (struct probe_request){.what = PROBE_ACCESSES,
		.lines = p->lines,
		.n_lines = 1,
		.capacity = RECORDS,
		.n_blocks = blocks < BLOCKS_MAX ? blocks : BLOCKS_MAX,
		.n_warps = (uint32_t)warp_count(warp_dim_volume(point->launch->block))};
	return run->module != NULL;
}

/* Whether the buffers, with that of the probes, fit in one message. */
static bool fits_a_message(const struct launch *launch, const struct probe *probe)
{
	uint64_t bytes = probe->bytes;
	for (int i = 0; i < launch->n_args; i++)
		bytes += launch->args[i].buffer ? launch_arg_bytes(&launch->args[i]) : 0;
	return bytes <= WIRE_BUFFERS_MAX;
}

/* False for a watched line without an access, such as a shuffle, and for launches too large for anything but measuring. */
static bool can_compare(struct probing *p)
{
	struct cmd_ctx *ctx = p->run.ctx;
	struct buf ptx = {0};
	p->request.file = profile_file(ptx_find_kernel(p->run.module, p->run.launch.kernel, &ctx->diag));
	const struct probe *probe = probe_write(ctx->arena, p->run.module, &p->request, &ptx, &ctx->diag);
	buf_free(&ptx);
	/* a failure to add probes is reported where the launch is compared */
	return !probe || (probe->n_sites > 0 && fits_a_message(&p->run.launch, probe));
}

static void judge_addresses(
	struct watched *w, struct arena *arena, const struct probing *p, const struct experiment_point *point)
{
	const char *what = NULL;
	if (p->changed >= 0)
		what = arena_printf(
			arena, "%s: argument %d is not the same as without probes", point->label, p->changed);
	else if (p->differs)
		what = arena_printf(arena, "%s: %zu of %zu access%s %s from the machine's", point->label, p->differs,
			p->gpu.n, p->gpu.n == 1 ? "" : "es", p->differs == 1 ? "differs" : "differ");
	validate_agreement_add(w->agreement, w->rule, what, what ? probe_command(arena, w, point) : NULL);
}

static void try_point(struct watched *w, const struct experiment_point *point)
{
	struct cmd_ctx ctx = *w->v->ctx; /* with an arena that goes with the launch */
	struct probing p;
	ctx.arena = arena_new();
	ctx.diag = (struct diag){0};
	bool ready = prepare_probing(&p, &ctx, w, point);
	if (ready && !ptx_target_fits(ptx_built_for(p.run.module), w->v->info.cc)) {
		w->agreement->left_out++;
		buf_free(&p.run.ptx);
		arena_free(ctx.arena);
		return;
	}
	bool nothing = ready && !can_compare(&p);
	bool ok = ready && !nothing && probing_compare(&p, w->v->gpu) == EXIT_OK && p.compared;
	if (ok)
		judge_addresses(w, ctx.arena, &p, point);
	/* one that the machine stops is too large for it: what it says of that is no fault */
	bool large = !ok && p.run.profile && p.run.profile->result.outcome == SIMT_LIMIT;
	w->agreement->failed += !ok && !nothing && !large;
	if (large)
		diag_free(&ctx.diag);
	buf_free(&p.run.ptx);
	buf_free(&p.ptx);
	diag_move(&ctx.diag, &w->v->ctx->diag);
	arena_free(ctx.arena);
}

static bool try_lesson(struct watched *w)
{
	struct validation *v = w->v;
	struct experiment_points points;
	if (!experiment_points_of_lesson(v->ctx->arena, w->lesson, &points, &v->ctx->diag))
		return false;
	v->cases = w->done + (uint64_t)points.n;
	for (int i = 0; i < points.n && !cmd_validate_stopped(); i++) {
		cmd_validate_progress(v, "addresses", w->done++, validate_agreement_violations(w->agreement));
		const struct experiment_point *point = &points.points[i];
		if (watched_line(w, point) && !launch_is_for_machine(point->launch) &&
			!lesson_expects_defect(w->lesson, point->step, point->values))
			try_point(w, point);
	}
	return true;
}

int cmd_validate_addresses(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct agreement agreement = validate_agreement_new(ctx->arena, "addresses", "launch", "launches");
	struct watched w = {.v = v, .agreement = &agreement};
	struct catalog *catalog = lesson_catalog_load(ctx->arena, ctx->paths.data, &tutor_lesson_names, &ctx->diag);
	agreement.other = v->gpu_name;
	if (!catalog)
		return EXIT_MISSING;
	bool ok = true;
	for (int i = 0; i < catalog->n_lessons && !cmd_validate_stopped(); i++) {
		w.lesson = catalog->lessons[i];
		w.rule = validate_agreement_rule(&agreement, w.lesson->id, true);
		ok = try_lesson(&w) && ok;
	}
	agreement.stopped = cmd_validate_stopped();
	int status = cmd_validate_report_agreement(v, &agreement);
	return ok ? status : EXIT_FAILED;
}
