/* Launches of lessons on the GPU, with what the model says of them. */
#include "config.h"
#include "cmd/record_parts.h"

#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "cmd/drawn.h"
#include "cmd/measure.h"
#include "course/experiment/lines.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/program.h"

/* --- the GPU ------------------------------------------------------------------------------------------------------ */

bool cmd_record_find_gpu(struct recording *r)
{
	const struct wire_gpu *info = measure_find(r->ctx, r->gpu);
	if (info && !info->counters)
		measure_report(r->ctx, r->gpu, "cannot count",
			&(struct wire_error){info->counters_error, info->counters_message});
	return info && info->counters;
}

struct experiment_provenance cmd_record_provenance(struct arena *arena, const struct wire_gpu *info)
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

enum prediction cmd_record_predict(
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

/* Whether the buffers come back in one message of the worker. */
static bool buffers_fit(const struct launch *launch)
{
	size_t bytes = 0;
	for (int i = 0; i < launch->n_args; i++)
		bytes += launch->args[i].buffer ? launch_arg_bytes(&launch->args[i]) : 0;
	return bytes <= WIRE_BUFFERS_MAX;
}

/* Whether the GPU computed what the lesson says; a defect that is the lesson may compute anything. */
static void check_results(
	struct recording *r, struct experiment *e, const char *label, const struct wire_measurement *m)
{
	void *buffers[LAUNCH_ARGS_MAX] = {0};
	const char *wrong = "the worker sent no buffers";
	bool all = m->n_buffers == e->launch->n_args;
	for (int i = 0; all && i < m->n_buffers; i++)
		buffers[i] = (void *)m->buffers[i];
	if (all && experiment_results_right(e, buffers, &wrong))
		return;
	r->agreed = false;
	escape_line(&r->text, "  %-20s wrong results: %s", label, wrong);
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

/* Whether what the model has is stored, too: a reader would wait for it. */
static bool keeps_model(struct experiment *e, const struct experiment_run *run)
{
	if (!run || run->result.steps > PROFILE_STEPS_MAX || e->step->exercise.timed)
		return run;
	return (run->result.steps > LONG_STEPS || has_products(e, run)) &&
		(!cmd_draws_blocks(e->step) || experiment_beginning_suffices(e));
}

static void keep_model(struct experiment_recordings *recorded, struct experiment *e, const struct experiment_run *run)
{
	if (!run)
		return;
	if (!keeps_model(e, run)) {
		experiment_recordings_leave_model(recorded, e->kernel->fingerprint, e->launch);
		return;
	}
	const struct experiment_modeled modeled = {
		run->result.steps, run->lines, run->n_lines, run->executed, run->n_executed};
	experiment_recordings_put_model(recorded, e->kernel->fingerprint, e->launch, &run->counts, &modeled);
}

/* The counters of the launch's lines, and of them its shared wavefronts. False with an error that names it. */
static bool record_lines(struct recording *r, struct experiment_recordings *recorded, struct experiment *e,
	const char *label, struct value *wavefronts)
{
	const char *ptx = experiment_lines_ptx(e);
	const struct wire_error *error;
	const struct launch *launch = experiment_gpu_launch(e);
	const struct wire_line_counts *counts = ptx ? measure_lines(r->gpu, ptx, launch, &error) : NULL;
	if (counts) {
		experiment_recordings_put_lines(recorded, e->kernel->fingerprint, e->launch, counts);
		*wavefronts = experiment_lines_wavefronts(counts);
	} else if (ptx) {
		const struct wire_job job = {ptx, strlen(ptx), *launch};
		measure_report_job(r->ctx, r->gpu, &(struct measure_problem){label, error, &job}, NULL);
	} else {
		experiment_report(e, &r->ctx->diag);
	}
	return counts != NULL;
}

/* How often the machine code was executed, by lines of the PTX and by instruction. False with an error that names it. */
static bool record_executed(
	struct recording *r, struct experiment_recordings *recorded, struct experiment *e, const char *label)
{
	const struct wire_error *error;
	const struct launch *launch = experiment_gpu_launch(e);
	const char *ptx = experiment_ptx_for_code(r->ctx->arena, e->kernel->module, e->launch->kernel, &r->ctx->diag);
	const struct wire_line_counts *counts = ptx ? measure_code(r->gpu, ptx, launch, &error) : NULL;
	if (counts) {
		experiment_recordings_put_executed(recorded, e->kernel->fingerprint, e->launch, counts);
	} else if (ptx) {
		const struct wire_job job = {ptx, strlen(ptx), *launch};
		measure_report_job(r->ctx, r->gpu, &(struct measure_problem){label, error, &job}, NULL);
	}
	return counts != NULL;
}

void cmd_record_take_prediction(struct recording *r, struct experiment_recordings *recorded, struct experiment *e,
	const char *label, const struct experiment_run *run)
{
	struct experiment_recorded_result result;
	struct counts hardware = {0};
	experiment_recordings_find(recorded, e->kernel->fingerprint, e->launch, &result);
	counts_set_named(&hardware, &(struct named_counts){result.metrics, result.values, NULL, result.n, 0});
	keep_model(recorded, e, run);
	if (is_compared(e))
		compare_launch(r, label, &run->counts, &hardware, experiment_lines_wavefronts(result.lines));
}

bool cmd_record_launch(
	struct recording *r, struct experiment_recordings *recorded, struct experiment *e, const char *label)
{
	const struct kernel_file *file = e->kernel->file;
	const struct experiment_provenance from = cmd_record_provenance(r->ctx->arena, gpu_info(r->gpu));
	const struct experiment_run *run;
	struct value wavefronts;
	enum prediction prediction = cmd_record_predict(r, e, label, &run);
	if (prediction != PREDICTED)
		return prediction == PREDICTED_STOP;
	const char *defect = lesson_expects_defect(r->lesson, e->step, e->values);
	const struct launch *launch = experiment_gpu_launch(e);
	if (!launch)
		return false;
	/* what must be in the buffers is said of the last launch */
	bool compared = e->step->n_results > 0 && e->all.watched == e->all.n - 1 && !defect && is_compared(e) &&
		buffers_fit(launch);
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
	if (compared)
		check_results(r, e, label, m);
	if (!record_lines(r, recorded, e, label, &wavefronts))
		return false;
	if (cmd_record_shows_code(e->step) && !record_executed(r, recorded, e, label))
		return false;
	keep_model(recorded, e, run);
	if (run && is_compared(e))
		compare_launch(r, label, &run->counts, &hardware, wavefronts);
	else if (defect)
		escape_line(&r->text, "  %-20s measured; the machine leaves out what is defective: %s", label, defect);
	else
		escape_line(&r->text, "  %-20s measured", label);
	return true;
}
