#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/cmd.h"
#include "cmd/confined.h"
#include "cmd/course.h"
#include "cmd/measure.h"
#include "cmd/picture.h"
#include "cmd/program.h"
#include "cmd/record.h"
#include "course/experiment/experiment.h"
#include "course/experiment/recordings.h"
#include "course/lesson/lesson.h"
#include "front/tutor/tutor.h"
#include "front/view/view.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/program.h"
#include "tools/compile/compile.h"
#include "tools/compile/ptxas.h"

/* --- machine code ------------------------------------------------------------------------------------------------- */

static bool record_shows_code(const struct step *step)
{
	for (int i = 0; i < step->n_views; i++)
		if (view_is_of(view_find(step->views[i]), VIEW_OF_CODE))
			return true;
	return false;
}

/* The machine code of its kernel, once for all launches of it; what was recorded before stays where none can be
 * made. */
static void record_code(struct recording_lesson *l, struct experiment *e)
{
	struct recording *r = l->r;
	struct diag unheard = {0};
	const char *ptx = e->kernel->fingerprint;
	int cc = r->code || r->model ? MODEL_CC_DEFAULT : gpu_info(r->gpu)->cc;
	const char *kernel = e->launch && e->kernel->module
		? ptx_resolve_kernel(e->kernel->module, e->launch->kernel, &unheard)
		: NULL;
	diag_free(&unheard);
	if (!kernel || experiment_recordings_find_code(l->recorded, ptx, kernel, cc))
		return;

	struct code_listing *made = NULL; /* none can be made here */
	if (!r->model) {
		struct buf text = {0};
		const char *why = NULL;
		buf_append(&text, e->kernel->file->ptx_text, e->kernel->file->ptx_len);
		made = ptxas_listing(cmd_compile_ctx(r->ctx), &text, kernel, cc, &why);
		buf_free(&text);
		if (!made && !r->uncoded) {
			r->uncoded = why;
			escape_line(&r->text, "  no machine code is stored: %s", why);
		}
	}

	const struct ptx_kernel *entry = made ? ptx_find_kernel(e->kernel->module, kernel, &r->ctx->diag) : NULL;
	if (entry && ptx_instr_count(entry))
		made->first_line = ptx_instr_location(entry, 0).ptx_line;
	const struct code_listing *listing = made ? made : experiment_recordings_find_code(l->before, ptx, kernel, cc);
	if (listing)
		experiment_recordings_put_code(l->recorded, ptx, kernel, listing);
	l->codes += made != NULL;
}

/* The machine code of the start and the solution of an exercise that shows it; they are not launched for it. */
static void record_code_exercise(struct recording_lesson *l, const struct lesson *lesson, const struct step *step)
{
	struct arena *arena = l->r->ctx->arena;
	int64_t *values = arena_array(arena, int64_t, (size_t)lesson->n_parameters + 1);
	for (int i = 0; i < lesson->n_parameters; i++)
		values[i] = lesson->parameters[i].initial;
	for (int side = 0; side < EXPERIMENT_SIDES; side++) {
		struct step copy = *step;
		copy.file = lesson_exercise_kernel(arena, step, experiment_side_kernels[side], &l->r->ctx->diag);
		if (!copy.file) {
			l->failures++;
			return;
		}
		record_code(l, experiment_open(l->set, &copy, values));
		experiments_forget(l->set, &copy);
	}
}

/* --- launches and their lines ------------------------------------------------------------------------------------- */

/* Launches of lessons on the GPU, with what the model says of them. */

/* --- the GPU ------------------------------------------------------------------------------------------------------ */

/* Of what this GPU measures today; in `arena` and in `info`. */
static struct experiment_provenance record_provenance(struct arena *arena, const struct wire_gpu *info)
{
	char date[20];
	time_t now = time(NULL);
	struct tm utc;
	gmtime_r(&now, &utc);
	strftime(date, sizeof date, "%Y-%m-%d", &utc);
	return (struct experiment_provenance){
		.gpu = info->name,
		.driver = info->driver,
		.cuda = arena_printf(arena, "%d.%d", info->driver_cuda / 1000, info->driver_cuda % 1000 / 10),
		.cupti = info->cupti_version,
		.date = arena_strdup(arena, date),
		.cc = info->cc,
		.sms = info->sms,
	};
}

/* --- one launch --------------------------------------------------------------------------------------------------- */

/* Prints one line, or one for each disagreement. */
static void compare_launch(struct recording *r, const char *label, const struct counts *model,
	const struct counts *hardware, struct value wavefronts)
{
	int agreed = 0, compared = 0, waited = 0;
	for (int i = 0; i < COUNTERS; i++) {
		const struct value *predicted = &model->c[i], *counted = &hardware->c[i];
		if (!counter_is_comparable((enum counter_id)i, model, hardware))
			continue;
		compared++;
		enum counter_relation relation = counter_compare((enum counter_id)i, model, hardware, wavefronts);
		agreed += relation != COUNTER_DIFFERS;
		waited += relation == COUNTER_WAITED;
		if (relation != COUNTER_DIFFERS)
			continue;
		buf_printf(&r->text, "  %-20s %s: predicted ", label, counter_table[i].hw);
		value_format(predicted->v, &r->text);
		buf_puts(&r->text, ", measured ");
		value_format(counted->v, &r->text);
		buf_putc(&r->text, '\n');
	}
	r->agreed &= agreed == compared && compared > 0;
	buf_printf(&r->text, "  %-20s %d of %d exact counters agree", label, agreed, compared);
	if (waited)
		buf_printf(&r->text, ", %d of them but for accesses that waited", waited);
	buf_putc(&r->text, '\n');
}

/* What the model has for it in `run`, NULL where it is not asked. With a defect that is the lesson nothing is predicted
 * but whether a GPU runs the launch to its end; else PREDICTED_STOP. PREDICTION_FAILED with an error. */
static enum prediction record_predict(
	struct recording *r, struct experiment *e, const char *label, const struct experiment_run **run)
{
	struct diag *diag = &r->ctx->diag;
	const char *why = NULL;
	*run = NULL;
	if (lesson_expects_defect(r->lesson, e->step, e->values)) {
		enum experiment_on_gpu end = experiment_on_gpu(e, &why);
		if (end == EXPERIMENT_ENDS_ON_GPU)
			return PREDICTED;
		if (end == EXPERIMENT_STOPS_ON_GPU) {
			escape_line(&r->text, "  %-20s not launched, it would end or hang on a GPU: %s", label, why);
			return PREDICTED_STOP;
		}
	} else if (r->no_model && e->launch && e->kernel->module) {
		return PREDICTED;
	} else {
		*run = experiment_run(e);
		if ((*run)->ran && (*run)->result.outcome == SIMT_OK)
			return PREDICTED;
		why = (*run)->ran ? (*run)->result.message : NULL;
	}
	if (why)
		diag_error(diag, (struct diag_pos){0}, "%s: the model did not run to the end: %s", label, why);
	else
		experiment_report(e, diag);
	return PREDICTION_FAILED;
}

/* Kernels of exercises are there to be timed: ptxas may keep in registers what they share, or join their accesses. */
static bool is_compared(const struct experiment *e)
{
	return !e->step->exercise.dir;
}

#define LONG_STEPS 20000u /* warp instructions: some milliseconds on the machine */

/* Products of matrices take the machine as long as many other instructions. */
static bool has_products(const struct experiment *e, const struct experiment_run *run)
{
	struct diag unheard = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(e->kernel->module, e->launch->kernel, &unheard);
	bool has = false;
	for (int i = 0; kernel && i < run->n_executed; i++) {
		const struct ptx_part *part = ptx_part_of(kernel, i);
		enum ptx_kind kind = instr_kind(part->code->instrs[i - part->first].form);
		has |= run->executed[i] > 0 && (kind == PTX_KIND_MMA || kind == PTX_KIND_GROUP_MMA);
	}
	diag_free(&unheard);
	return has;
}

static void keep_model(struct experiment_recordings *recorded, struct experiment *e, const struct experiment_run *run)
{
	if (!run)
		return;

	/* Whether what the model has is stored, too: a reader would wait for it. */
	bool keeps = run->result.steps > PROFILE_STEPS_MAX || e->step->exercise.timed ||
		((run->result.steps > LONG_STEPS || has_products(e, run)) &&
			(!cmd_draws_blocks(e->step) || experiment_beginning_suffices(e)));
	if (!keeps) {
		experiment_recordings_leave_model(recorded, e->kernel->fingerprint, e->launch);
		return;
	}
	const struct experiment_modeled modeled = {
		run->result.steps, run->lines, run->n_lines, run->executed, run->n_executed};
	experiment_recordings_put_model(recorded, e->kernel->fingerprint, e->launch, &run->counts, &modeled);
}

/* Makes the launch on the GPU and stores its counters, those of its lines and its results. False with an error. */
static bool record_launch(
	struct recording *r, struct experiment_recordings *recorded, struct experiment *e, const char *label)
{
	const struct kernel_file *file = e->kernel->file;
	const struct experiment_provenance from = record_provenance(r->ctx->arena, gpu_info(r->gpu));
	const struct experiment_run *run;
	struct value wavefronts;
	enum prediction prediction = record_predict(r, e, label, &run);
	if (prediction != PREDICTED)
		return prediction == PREDICTED_STOP;
	const char *defect = lesson_expects_defect(r->lesson, e->step, e->values);
	const struct launch *launch = experiment_gpu_launch(e);
	if (!launch)
		return false;
	/* what must be in the buffers is said of the last launch, if they come back in one message of the worker */
	size_t bytes = 0;
	for (int i = 0; i < launch->n_args; i++)
		bytes += launch->args[i].buffer ? launch_arg_bytes(&launch->args[i]) : 0;
	bool compared = e->step->n_results > 0 && e->all.watched == e->all.n - 1 && !defect && is_compared(e) &&
		bytes <= WIRE_BUFFERS_MAX;
	const struct measure_request request = {.ptx = file->ptx_text,
		.ptx_len = file->ptx_len,
		.launch = launch,
		.metrics = r->metrics,
		.n_metrics = r->n_metrics,
		.buffers = compared};
	const struct wire_measurement *m = measure_launch(r->ctx, r->gpu, label, &request);
	if (!m)
		return false;
	const struct counts hardware = measure_counts(m, from.cc);
	experiment_recordings_put(recorded, &from, e->kernel->fingerprint, e->launch, m);
	if (compared) {
		/* Whether the GPU computed what the lesson says; a defect that is the lesson may compute anything. */
		void *buffers[LAUNCH_ARGS_MAX] = {0};
		const char *wrong = "the worker sent no buffers";
		bool all = m->n_buffers == e->launch->n_args;
		for (int i = 0; all && i < m->n_buffers; i++)
			buffers[i] = (void *)m->buffers[i];
		if (!all || !experiment_results_right(e, buffers, &wrong)) {
			r->agreed = false;
			escape_line(&r->text, "  %-20s wrong results: %s", label, wrong);
		}
	}

	/* The counters of the launch's lines, and of them its shared wavefronts. */
	const char *ptx = experiment_lines_ptx(e);
	const struct wire_error *error;
	const struct launch *lines_launch = experiment_gpu_launch(e);
	const struct wire_line_counts *counts = ptx ? measure_lines(r->gpu, ptx, lines_launch, &error) : NULL;
	if (counts) {
		experiment_recordings_put_lines(recorded, e->kernel->fingerprint, e->launch, counts);
		wavefronts = experiment_lines_wavefronts(counts);
	} else if (ptx) {
		const struct wire_job job = {ptx, strlen(ptx), *lines_launch};
		measure_report_job(r->ctx, r->gpu, &(struct measure_problem){label, error, &job}, NULL);
	} else {
		experiment_report(e, &r->ctx->diag);
	}
	if (!counts)
		return false;

	if (record_shows_code(e->step)) {
		/* How often the machine code was executed, by lines of the PTX and by instruction. */
		const struct wire_error *executed_error;
		const struct launch *executed_launch = experiment_gpu_launch(e);
		const char *executed_ptx = experiment_ptx_for_code(
			r->ctx->arena, e->kernel->module, e->launch->kernel, &r->ctx->diag);
		const struct wire_line_counts *executed_counts = executed_ptx
			? measure_code(r->gpu, executed_ptx, executed_launch, &executed_error)
			: NULL;
		if (executed_counts) {
			experiment_recordings_put_executed(
				recorded, e->kernel->fingerprint, e->launch, executed_counts);
		} else if (executed_ptx) {
			const struct wire_job job = {executed_ptx, strlen(executed_ptx), *executed_launch};
			measure_report_job(
				r->ctx, r->gpu, &(struct measure_problem){label, executed_error, &job}, NULL);
		}
		if (!executed_counts)
			return false;
	}

	keep_model(recorded, e, run);
	if (run && is_compared(e))
		compare_launch(r, label, &run->counts, &hardware, wavefronts);
	else if (defect)
		escape_line(&r->text, "  %-20s measured; the machine leaves out what is defective: %s", label, defect);
	else
		escape_line(&r->text, "  %-20s measured", label);
	return true;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

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

/* What other GPUs said of the launch stays; of this one, or of all with --model, what is not to be measured again.
 * True: nothing is. */
static bool keep_recorded(struct recording_lesson *l, const struct experiment *e)
{
	const struct recording *r = l->r;
	const char *ptx = e->kernel->fingerprint;
	if (r->model)
		return experiment_recordings_take(l->recorded, l->before, ptx, e->launch, NULL);
	const struct experiment_provenance here = record_provenance(r->ctx->arena, gpu_info(r->gpu));
	bool has = r->resume && experiment_recordings_has(l->before, ptx, e->launch, &here);
	experiment_recordings_take(l->recorded, l->before, ptx, e->launch, has ? NULL : &here);
	return has;
}

static void record_point(struct recording_lesson *l, const struct step *step, const int64_t *values, const char *label)
{
	struct experiment *e = experiment_open(l->set, step, values);
	l->launches++;
	if (l->r->code) {
		/* The launch of a lesson whose machine code alone is stored; its result, if it has one, stays. */
		if (!e->launch || !e->kernel->module)
			return;
		l->kept += experiment_recordings_take(l->recorded, l->before, e->kernel->fingerprint, e->launch, NULL);
		record_code(l, e);

		return;
	}
	record_code(l, e);
	if (e->launch && !experiment_is_for_gpu(e)) {
		escape_line(&l->r->text,
			"  %-20s not launched: a GPU cannot be given what the launches before it leave", label);
	} else if (e->launch && keep_recorded(l, e)) {
		l->kept++;
		const struct experiment_run *run;
		if (l->r->model && !lesson_expects_defect(l->r->lesson, step, values)) {
			if (record_predict(l->r, e, label, &run) == PREDICTED) {
				/* What the model says of a launch that is recorded is compared with it, and stored
				 * where no reader can wait for it. */
				struct experiment_recorded_result result;
				struct counts hardware = {0};
				experiment_recordings_find(l->recorded, e->kernel->fingerprint, e->launch, &result);
				counts_set_named(&hardware,
					&(struct named_counts){result.metrics, result.values, NULL, result.n, 0});
				keep_model(l->recorded, e, run);
				if (is_compared(e))
					compare_launch(l->r, label, &run->counts, &hardware,
						experiment_lines_wavefronts(result.lines));
			} else {
				l->failures++;
			}
		}
	} else if (e->launch && !l->r->model && !experiment_fits_gpu(e, gpu_info(l->r->gpu)->cc)) {
		struct buf needs = {0};
		experiment_needs_gpu(e, &needs);
		escape_line(&l->r->text, _("  %-20s not launched: it needs %s"), label, buf_str(&needs));
		buf_free(&needs);
	} else if (l->r->model) {
		escape_line(&l->r->text, "  %-20s not recorded", label);
	} else if (l->failures < (l->r->resume ? FAILURES_MAX : 1)) {
		l->failures += !record_launch(l->r, l->recorded, e, label);
	}
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
	struct recording_lesson l = {.r = r};

	/* What is recorded already. Where recording begins anew a file that is damaged is no loss. */
	bool keeps = r->resume || r->model || r->code;
	struct diag unheard = {0};
	l.before = experiment_recordings_load(arena, recording_path(r, lesson), keeps ? &r->ctx->diag : &unheard);
	diag_free(&unheard);
	if (!l.before && !keeps)
		l.before = experiment_recordings_new(arena);

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
	for (int i = 0; i < lesson->n_steps; i++) {
		const struct step *step = &lesson->steps[i];
		struct experiment_points shown;
		if (!step->has_experiment || !step->file->is_program)
			continue;
		if (!experiment_points_of_step(r->ctx->arena, lesson, step, &shown, &r->ctx->diag))
			l.failures++;
		for (int j = 0; j < shown.n; j++) {
			/* A program that is shown: run where --model asks for that and a compiler is there; else what
			 * is there is kept. */
			struct experiment *e = experiment_open(l.set, step, shown.points[j].values);
			const struct experiment_program *kept = experiment_program(e, NULL), *run = NULL;
			const char *arguments = experiment_program_arguments(e),
				   *label = arena_printf(r->ctx->arena, "%s %s", step->file->name, arguments);
			/* Another step may show the same. */
			const struct experiment_program *found,
				wanted = {.name = e->step->file->name,
					.arguments = arguments,
					.source = e->kernel->fingerprint};
			if (experiment_recordings_find_program(l.recorded, &wanted, &found) == RECORDED_OK)
				continue;
			l.launches++;
			struct program_record *p = NULL;
			if (r->model && compile_can_here(cmd_compile_ctx(r->ctx)) &&
				program_grade_can(r->ctx, step->file->source_path) == EXIT_OK)
				p = program_record_of(r->ctx, r->ctx->arena, &l.program, step->file->source_path);
			if (p)
				run = program_record_run(p, arena_strdup(r->ctx->arena, arguments),
					lesson_expects_wrong(lesson, step, shown.points[j].values));
			if (run) {
				struct experiment_program named = *run;
				named.name = step->file->name;
				named.source = arena_strdup(r->ctx->arena, e->kernel->fingerprint);
				experiment_recordings_put_program(l.recorded, &named);
				escape_line(&r->text, "  %-20s %d calls", label, named.log->n_ops);
			} else if (kept) {
				experiment_recordings_put_program(l.recorded, kept);
				l.kept++;
			} else {
				escape_line(&r->text, "  %-20s not recorded: --model runs it, with a compiler", label);
				l.failures += r->model;
			}
		}
	}
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].exercise.timed)
			record_exercise(&l, &lesson->steps[i]);
	for (int i = 0; i < lesson->n_steps; i++)
		if (lesson->steps[i].exercise.dir && record_shows_code(&lesson->steps[i]))
			record_code_exercise(&l, lesson, &lesson->steps[i]);
	buf_printf(&r->text, text_plural("%s: %d launch", "%s: %d launches", (unsigned)l.launches), lesson->id,
		l.launches);
	buf_printf(&r->text, l.kept ? ", %d of them recorded before\n" : "\n", l.kept);
	bool any = experiment_recordings_count(l.recorded) > 0 || l.codes;
	bool write = !r->check && (!l.failures || r->resume || r->model) && any;
	const char *path = recording_path(r, lesson);
	bool written = !write || experiment_recordings_write(l.recorded, path, &r->ctx->diag);
	if (write && written)
		escape_line(&r->text, "  written: %s", path);
	program_record_close(l.program);
	experiments_free(l.set); /* what was kept of programs is its */
	return written && !l.failures;
}

static int record_all(struct recording *r, const struct lesson **lessons, int n)
{
	bool measures = !r->model && !r->code;

	if (measures) {
		/* False with an error: there is none that counts. */
		const struct wire_gpu *info = measure_find(r->ctx, r->gpu);
		if (info && !info->counters)
			measure_report(r->ctx, r->gpu, "cannot count",
				&(struct wire_error){info->counters_error, info->counters_message});
		if (!info || !info->counters)
			return EXIT_MISSING;
	}

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
	r.catalog = tutor_catalog_load(ctx->arena, &ctx->paths, &ctx->diag);
	int status = r.catalog ? EXIT_OK : EXIT_MISSING;
	for (int i = 0, count = 0; i < n && status == EXIT_OK; i++)
		if (!args[i].option &&
			!lesson_catalog_find(r.catalog, args[i].value, &lessons[count++], NULL, &ctx->diag))
			status = EXIT_USAGE;
	bool ok = true;
	for (int i = 0; status == EXIT_OK && r.output && i < named; i++)
		ok = output_check(r.ctx,
			     &(struct output){"--output", recording_path(&r, lessons[i]), RECORDED_MARK, r.force}) &&
			ok;
	if (status == EXIT_OK && !ok)
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
