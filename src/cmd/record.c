#include "config.h"
#include "cmd/record_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/measure.h"
#include "cmd/output.h"
#include "cmd/program_grade.h"
#include "cmd/which_course.h"
#include "course/experiment/points.h"
#include "course/experiment/timed.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "tools/compile/compile.h"

static int run_record(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	CMD_COURSE_OPTION,
	{"output", 'o', "DIR", N_("write DIR/LESSON/recorded.json instead of the file in the lesson's own folder")},
	{"force", 0, NULL, N_("let --output overwrite files that are no recordings")},
	{"check", 0, NULL, N_("measure and compare, but write nothing")},
	{"resume", 0, NULL,
		N_("measure only what is not recorded yet, and keep what was measured when something fails")},
	{"no-model", 0, NULL, N_("only measure, where time on a GPU is dear: --model predicts and compares later")},
	{"model", 0, NULL, N_("only predict and compare what is recorded already; no GPU is needed")},
	{"code", 0, NULL,
		N_("only store the machine code that ptxas and nvdisasm make of the kernels, and keep what is recorded; no GPU is "
		   "needed")},
	{0},
};

static void needs_of_record(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	needs->gpu = cmd_gpu(needs->ctx);
	needs->records = needs->tools = true; /* ptxas, nvdisasm */
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "code"))
			needs->gpu = NULL;
		if (cmd_is(&args[i], "model")) {
			needs->gpu = NULL;
			program_grade_needs(needs); /* a lesson may show programs, which are run */
		}
		if (cmd_is(&args[i], "output"))
			cmd_needs_writing(needs, args[i].value, CMD_OUTPUT_MODE);
		needs->records = needs->records && !cmd_is(&args[i], "output") && !cmd_is(&args[i], "check");
	}
}

const struct cmd_entry cmd_record_entry = {
	.name = "record",
	.of_course = true,
	.usage =
		"[--course COURSE] [--check | --output DIR [--force]] [--resume] [--no-model | --model | --code] LESSON...",
	.summary = N_("store live results with a lesson"),
	.details = N_(
		"Measures every launch that the lesson leads to: each step, every value of its parameters, its sweep, "
		"what it is compared with and its question, and the start and the solution of its exercise where that says when they are timed. "
		"What the model has for these two, and for launches that a reader would have to wait for, is stored "
		"with them. Where ptxas and nvdisasm are on this machine (PTXAS and NVDISASM name others), the machine code that they make of "
		"each kernel is stored once; how often a launch executed each of its instructions, by how many threads and with how many sectors and "
		"wavefronts, is stored with each launch of a step that shows machine code. Counters that the model predicts exactly are compared with it. A disagreement, or "
		"results that are not those the lesson states, are shown and make the exit status 1; the measured "
		"numbers are stored anyway. A launch whose defect is the lesson is not made if it would end or "
		"hang on the GPU, as with a misaligned access or a divergent barrier; counters of other launches with "
		"a defect are stored and not compared."),
	.options = options,
	.run = run_record,
	.needs = needs_of_record,
};

#define RECORDED_MARK "{\n\t\"format\": " /* how experiment_recordings_write begins */
#define EXPERIMENTS_KEPT 8                /* each is recorded once */
#define FAILURES_MAX 3                    /* of a lesson; with more the GPU is not well */
#define STEPS_MAX 1000000000u             /* warp instructions of a launch that is predicted: about a minute */

/* --- one lesson --------------------------------------------------------------------------------------------------- */

static const char *recording_path(struct recording *r, const struct lesson *lesson)
{
	struct arena *arena = r->ctx->arena;
	const char *folder = r->output ? path_join(arena, r->output, lesson->dir) : lesson_folder(arena, lesson);
	return path_join(arena, folder, "recorded.json");
}

static bool write_recording(
	struct recording *r, const struct lesson *lesson, const struct experiment_recordings *recorded)
{
	const char *path = recording_path(r, lesson);
	if (!experiment_recordings_write(recorded, path, &r->ctx->diag))
		return false;
	escape_line(&r->text, "  written: %s", path);
	return true;
}

/* What is recorded already. Where recording begins anew a file that is damaged is no loss. */
static const struct experiment_recordings *load_before(struct recording *r, const struct lesson *lesson)
{
	struct arena *arena = r->ctx->arena;
	bool keeps = r->resume || r->model || r->code;
	struct diag unheard = {0};
	const struct experiment_recordings *before = experiment_recordings_load(
		arena, recording_path(r, lesson), keeps ? &r->ctx->diag : &unheard);
	diag_free(&unheard);
	return before || keeps ? before : experiment_recordings_new(arena);
}

/* What other GPUs said of the launch stays; of this one, or of all with --model, what is not to be measured again. True: nothing is. */
static bool keep_recorded(struct recording_lesson *l, const struct experiment *e)
{
	const struct recording *r = l->r;
	const char *ptx = e->kernel->fingerprint;
	if (r->model)
		return experiment_recordings_take(l->recorded, l->before, ptx, e->launch, NULL);
	const struct experiment_provenance here = cmd_record_provenance(r->ctx->arena, gpu_info(r->gpu));
	bool has = r->resume && experiment_recordings_has(l->before, ptx, e->launch, &here);
	experiment_recordings_take(l->recorded, l->before, ptx, e->launch, has ? NULL : &here);
	return has;
}

static void record_point(struct recording_lesson *l, const struct step *step, const int64_t *values, const char *label)
{
	struct experiment *e = experiment_open(l->set, step, values);
	l->launches++;
	if (l->r->code) {
		cmd_record_code_point(l, e);
		return;
	}
	cmd_record_code(l, e);
	if (e->launch && !experiment_is_for_gpu(e)) {
		escape_line(&l->r->text,
			"  %-20s not launched: a GPU cannot be given what the launches before it leave", label);
	} else if (e->launch && keep_recorded(l, e)) {
		l->kept++;
		const struct experiment_run *run;
		if (l->r->model && !lesson_expects_defect(l->r->lesson, step, values)) {
			if (cmd_record_predict(l->r, e, label, &run) == PREDICTED)
				cmd_record_take_prediction(l->r, l->recorded, e, label, run);
			else
				l->failures++;
		}
	} else if (e->launch && !l->r->model && !experiment_fits_gpu(e, gpu_info(l->r->gpu)->cc)) {
		struct buf needs = {0};
		experiment_needs_gpu(e, &needs);
		escape_line(&l->r->text, _("  %-20s not launched: it needs %s"), label, buf_str(&needs));
		buf_free(&needs);
	} else if (l->r->model) {
		escape_line(&l->r->text, "  %-20s not recorded", label);
	} else if (l->failures < (l->r->resume ? FAILURES_MAX : 1)) {
		l->failures += !cmd_record_launch(l->r, l->recorded, e, label);
	}
}

/* Another step may show the same. */
static bool is_recorded_now(const struct recording_lesson *l, const struct experiment *e, const char *arguments)
{
	const struct experiment_program *found,
		wanted = {.name = e->step->file->name, .arguments = arguments, .source = e->kernel->fingerprint};
	return experiment_recordings_find_program(l->recorded, &wanted, &found) == RECORDED_OK;
}

/* A program that is shown: run where --model asks for that and a compiler is there; else what is there is kept. */
static void record_program(struct recording_lesson *l, const struct step *step, const int64_t *values)
{
	struct experiment *e = experiment_open(l->set, step, values);
	const struct experiment_program *kept = experiment_program(e, NULL), *run = NULL;
	const char *arguments = experiment_program_arguments(e),
		   *label = arena_printf(l->r->ctx->arena, "%s %s", step->file->name, arguments);
	if (is_recorded_now(l, e, arguments))
		return;
	l->launches++;
	struct program_record *p = NULL;
	if (l->r->model && compile_can_here(cmd_compile_ctx(l->r->ctx)) &&
		program_grade_can(l->r->ctx, step->file->source_path) == EXIT_OK)
		p = program_record_of(l->r->ctx, l->r->ctx->arena, &l->program, step->file->source_path);
	if (p)
		run = program_record_run(p, arena_strdup(l->r->ctx->arena, arguments));
	if (run) {
		struct experiment_program named = *run;
		named.name = step->file->name;
		named.source = arena_strdup(l->r->ctx->arena, e->kernel->fingerprint);
		experiment_recordings_put_program(l->recorded, &named);
		escape_line(&l->r->text, "  %-20s %d calls", label, named.log->n_ops);
	} else if (kept) {
		experiment_recordings_put_program(l->recorded, kept);
		l->kept++;
	} else {
		escape_line(&l->r->text, "  %-20s not recorded: --model runs it, with a compiler", label);
		l->failures += l->r->model;
	}
}

static void record_programs(struct recording_lesson *l, const struct step *step)
{
	struct experiment_points points;
	if (!step->has_experiment || !step->file->is_program)
		return;
	if (!experiment_points_of_step(l->r->ctx->arena, l->r->lesson, step, &points, &l->r->ctx->diag))
		l->failures++;
	for (int i = 0; i < points.n; i++)
		record_program(l, step, points.points[i].values);
}

/* Its start and its solution. */
static void record_exercise(struct recording_lesson *l, const struct step *step)
{
	static const char *timed[] = {"time"};
	struct arena *arena = l->r->ctx->arena;
	for (int side = 0; side < EXPERIMENT_SIDES; side++) {
		struct step copy = *step;
		copy.defect = NULL; /* not looked for here */
		copy.metrics = timed;
		copy.n_metrics = 1;
		copy.file = lesson_exercise_kernel(arena, step, experiment_side_kernels[side], &l->r->ctx->diag);
		if (!copy.file) {
			l->failures++;
			return;
		}
		record_point(l, &copy, step->exercise.timed,
			arena_printf(arena, "%s: exercise/%s", step->id, experiment_side_kernels[side]));
		experiments_forget(l->set, &copy);
	}
}

static bool record_lesson(struct recording *r, const struct lesson *lesson)
{
	struct arena *arena = r->ctx->arena;
	struct experiment_points points;
	struct recording_lesson l = {.r = r, .before = load_before(r, lesson)};
	if (!l.before || !experiment_points_of_lesson(arena, lesson, &points, &r->ctx->diag))
		return false;
	l.recorded = experiment_recordings_new(arena);
	experiment_recordings_order_as(l.recorded, l.before);
	l.set = experiments_new(lesson,
		&(struct experiment_rules){.steps = STEPS_MAX,
			.cc = r->model || r->code ? 0 : gpu_info(r->gpu)->cc,
			.keep = EXPERIMENTS_KEPT,
			.stored = EXPERIMENT_STORED_NEVER});
	r->lesson = lesson;
	for (int i = 0; i < points.n; i++)
		record_point(&l, points.points[i].step, points.points[i].values, points.points[i].label);
	for (int i = 0; i < lesson->n_steps; i++)
		record_programs(&l, &lesson->steps[i]);
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].exercise.timed)
			record_exercise(&l, &lesson->steps[i]);
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].exercise.dir && cmd_record_shows_code(&lesson->steps[i]))
			cmd_record_code_exercise(&l, lesson, &lesson->steps[i]);
	buf_printf(&r->text, text_plural("%s: %d launch", "%s: %d launches", (unsigned)l.launches), lesson->id,
		l.launches);
	buf_printf(&r->text, l.kept ? ", %d of them recorded before\n" : "\n", l.kept);
	bool any = experiment_recordings_count(l.recorded) > 0 || l.codes;
	bool write = !r->check && (!l.failures || r->resume || r->model) && any;
	bool written = !write || write_recording(r, lesson, l.recorded);
	program_record_close(l.program);
	experiments_free(l.set); /* what was kept of programs is its */
	return written && !l.failures;
}

static int record_all(struct recording *r, const struct lesson **lessons, int n)
{
	bool measures = !r->model && !r->code;
	if (measures && !cmd_record_find_gpu(r))
		return EXIT_MISSING;
	if (measures)
		escape_line(&r->text, "measured on %s", gpu_info(r->gpu)->name);
	bool done = true;
	for (int i = 0; i < n; i++)
		done = record_lesson(r, lessons[i]) &&
			done; /* one that fails does not keep the others from being recorded */
	if (done && !r->agreed)
		buf_puts(&r->text, "the model and this GPU disagree\n");
	bool printed = cmd_print(r->ctx, &r->text);
	return done && r->agreed && printed ? EXIT_OK : EXIT_FAILED;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/* Finds the lessons named. An exit status. */
static int find_lessons(struct recording *r, const struct cmd_parsed *args, int n, const struct lesson **out)
{
	int count = 0;
	r->catalog = tutor_catalog_load(r->ctx->arena, &r->ctx->paths, &r->ctx->diag);
	if (!r->catalog)
		return EXIT_MISSING;
	for (int i = 0; i < n; i++)
		if (!args[i].option &&
			!lesson_catalog_find(r->catalog, args[i].value, &out[count++], NULL, &r->ctx->diag))
			return EXIT_USAGE;
	return EXIT_OK;
}

/* Whether --output would destroy nothing. Replacing the recording in a lesson's own folder is what the command is for. */
static bool outputs_check(struct recording *r, const struct lesson **lessons, int n)
{
	bool ok = true;
	for (int i = 0; r->output && i < n; i++)
		ok = output_check(r->ctx,
			     &(struct output){"--output", recording_path(r, lessons[i]), RECORDED_MARK, r->force}) &&
			ok;
	return ok;
}

static int run_record(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct recording r = {.ctx = ctx, .agreed = true};
	int named = 0;
	for (int i = 0; i < n; i++) {
		if (cmd_is(&args[i], "output"))
			r.output = args[i].value;
		r.check |= cmd_is(&args[i], "check");
		r.resume |= cmd_is(&args[i], "resume");
		r.force |= cmd_is(&args[i], "force");
		r.no_model |= cmd_is(&args[i], "no-model");
		r.model |= cmd_is(&args[i], "model");
		r.code |= cmd_is(&args[i], "code");
		named += !args[i].option;
	}
	if (!named)
		return cmd_usage(ctx, &cmd_record_entry, "name a lesson");
	if (r.check && r.output)
		return cmd_usage(ctx, &cmd_record_entry, "--check writes nothing, so --output makes no sense");
	if (r.model + r.no_model + r.code > 1)
		return cmd_usage(ctx, &cmd_record_entry, "--model, --no-model and --code exclude each other");
	const struct lesson **lessons = arena_array(ctx->arena, const struct lesson *, (size_t)named);
	int status = find_lessons(&r, args, n, lessons);
	if (status == EXIT_OK && !outputs_check(&r, lessons, named))
		status = EXIT_USAGE;
	if (status != EXIT_OK)
		return status;
	r.n_metrics = counter_hardware_names(r.metrics);
	r.gpu = gpu_new(cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
	if (!r.gpu)
		return EXIT_USAGE;
	status = record_all(&r, lessons, named);
	gpu_free(r.gpu);
	buf_free(&r.text);
	return status;
}
