/* Every experiment of every lesson over the values of its parameters: the counters that the model predicts exactly. */
#include "cmd/validate.h"
#include "config.h"

#include <inttypes.h>

#include "cmd/measure.h"
#include "course/experiment/experiment.h"
#include "course/experiment/lines.h"
#include "course/experiment/points.h"
#include "front/tutor/tutor.h"
#include "model/hardware/counters.h"

#define EXPERIMENTS_KEPT 8 /* each is measured once */

struct lessons_run {
	struct validation *v;
	const struct lesson *lesson; /* that is being run */
	struct agreement agreement;
	enum counter_id counters[COUNTERS];
	const char *metrics[COUNTERS];
	int rules[COUNTERS];
	int n;
	uint64_t done;
};

static void choose_counters(struct lessons_run *run)
{
	for (int i = 0; i < COUNTERS; i++) {
		if (counter_table[i].trust != COUNTER_EXACT || counter_is_of_model((enum counter_id)i))
			continue;
		run->counters[run->n] = (enum counter_id)i;
		run->rules[run->n] = validate_agreement_rule(&run->agreement, counter_table[i].hw, true);
		run->metrics[run->n++] = counter_table[i].hw;
	}
}

static const char *command(struct arena *arena, const struct lesson *lesson, const struct experiment_point *point)
{
	struct buf out = {0};
	buf_printf(&out, "simttutor show %s/%s", lesson->id, point->step->id);
	for (int i = 0; i < lesson->n_parameters; i++)
		buf_printf(&out, " --set %s=%" PRId64, lesson->parameters[i].name, point->values[i]);
	buf_puts(&out, " --gpu local");
	const char *text = arena_strdup(arena, buf_str(&out));
	buf_free(&out);
	return text;
}

/* The shared wavefronts of the launch's instructions, counted only where they are needed to compare. */
static struct value count_wavefronts(
	struct lessons_run *run, struct experiment *e, const struct counts *model, const struct counts *counted)
{
	bool needed = false;
	for (int i = 0; i < run->n; i++)
		needed |= counter_counts_waits(run->counters[i]) &&
			counted->c[run->counters[i]].v > model->c[run->counters[i]].v;
	const char *ptx = needed ? experiment_lines_ptx(e) : NULL;
	const struct wire_error *error;
	const struct wire_line_counts *lines = ptx ? measure_lines(run->v->gpu, ptx, experiment_gpu_launch(e), &error)
						   : NULL;
	experiment_report(e, &run->v->ctx->diag);
	return lines ? experiment_lines_wavefronts(lines) : value_missing(VALUE_NONE);
}

static void compare_point(struct lessons_run *run, struct experiment *e, const struct experiment_point *point,
	const struct counts *counted)
{
	const struct counts *model = &experiment_run(e)->counts;
	struct value wavefronts = count_wavefronts(run, e, model, counted);
	struct arena *arena = arena_new();
	for (int i = 0; i < run->n; i++) {
		const struct value *predicted = &model->c[run->counters[i]], *measured = &counted->c[run->counters[i]];
		if (!counter_is_comparable(run->counters[i], model, counted))
			continue;
		const char *what = arena_printf(arena, "%s/%s, %s: predicted %.17g, counted %.17g", run->lesson->id,
			point->step->id, point->label, predicted->v, measured->v);
		bool same = counter_compare(run->counters[i], model, counted, wavefronts) != COUNTER_DIFFERS;
		validate_agreement_add(&run->agreement, run->rules[i], same ? NULL : what,
			same ? NULL : command(arena, run->lesson, point));
	}
	arena_free(arena);
}

/* False with an error when the model has no prediction. */
static bool predict(struct lessons_run *run, struct experiment *e, const char *label)
{
	const struct experiment_run *model = experiment_run(e);
	struct diag *diag = &run->v->ctx->diag;
	if (!model->ran)
		experiment_report(e, diag);
	else if (model->result.outcome != SIMT_OK)
		diag_error(diag, (struct diag_pos){.file = run->lesson->path}, "%s: %s", label, model->result.message);
	return model->ran && model->result.outcome == SIMT_OK;
}

static void run_point(struct lessons_run *run, struct experiments *set, const struct experiment_point *point)
{
	struct validation *v = run->v;
	struct experiment *e = experiment_open(set, point->step, point->values);
	const struct kernel_file *file = e->kernel->file;
	const struct launch *launch = experiment_gpu_launch(e);
	if (!launch)
		return;
	if (!experiment_fits_gpu(e, v->info.cc)) {
		run->agreement.left_out++;
		return;
	}
	const struct measure_request request = {.ptx = file->ptx_text,
		.ptx_len = file->ptx_len,
		.launch = launch,
		.metrics = run->metrics,
		.n_metrics = run->n};
	const struct wire_measurement *m = predict(run, e, point->label)
		? measure_launch(v->ctx, v->gpu, point->label, &request)
		: NULL;
	if (m) {
		const struct counts counted = measure_counts(m, v->info.cc);
		compare_point(run, e, point, &counted);
	}
	run->agreement.failed += !m;
}

static bool run_lesson(struct lessons_run *run, const struct lesson *lesson)
{
	struct validation *v = run->v;
	struct experiment_points points;
	if (!experiment_points_of_lesson(v->ctx->arena, lesson, &points, &v->ctx->diag))
		return false;
	struct experiments *set = experiments_new(lesson,
		&(struct experiment_rules){.steps = PROFILE_STEPS_PATIENT, .cc = v->info.cc, .keep = EXPERIMENTS_KEPT});
	run->lesson = lesson;
	v->cases = run->done + (uint64_t)points.n;
	for (int i = 0; i < points.n && !cmd_validate_stopped(); i++) {
		cmd_validate_progress(v, "lessons", run->done++, validate_agreement_violations(&run->agreement));
		if (!lesson_expects_defect(lesson, points.points[i].step, points.points[i].values))
			run_point(run, set, &points.points[i]);
	}
	experiments_free(set);
	return true;
}

int cmd_validate_lessons(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct lessons_run run = {.v = v,
		.agreement = validate_agreement_new(ctx->arena, "lessons", "count of launches", "counts of launches")};
	struct catalog *catalog = lesson_catalog_load(ctx->arena, ctx->paths.data, &tutor_lesson_names, &ctx->diag);
	run.agreement.other = v->gpu_name;
	if (!catalog)
		return EXIT_MISSING;
	choose_counters(&run);
	bool ok = true;
	for (int i = 0; i < catalog->n_lessons && !cmd_validate_stopped(); i++)
		ok = run_lesson(&run, catalog->lessons[i]) && ok;
	run.agreement.stopped = cmd_validate_stopped();
	int status = cmd_validate_report_agreement(v, &run.agreement);
	return ok ? status : EXIT_FAILED;
}
