#include "course/experiment/experiment.h"

#include <math.h>
#include <string.h>

#include "course/experiment/private.h"
#include "model/hardware/metrics.h"
#include "model/hardware/roofs.h"

const char experiment_not_recorded[] = "nothing is recorded";
const char experiment_recording_stale[] = "the recording is out of date";
static const char no_run[] = "the launch cannot be made, or does not run";

static const struct counts *counts_of(struct experiment *e, enum term_witness witness, const char **why)
{
	if (witness == TERM_MODEL) {
		const struct experiment_run *run = experiment_run(e);
		*why = no_run;
		return run->ran ? &run->counts : NULL;
	}
	const struct experiment_recording *recording = experiment_first_recording(e);
	*why = recording->found == RECORDED_STALE ? experiment_recording_stale : experiment_not_recorded;
	return recording->found == RECORDED_OK ? &recording->counts : NULL;
}

/* Whether the detector finds a defect of that kind. */
static bool judge_defect(struct experiment *e, const char *name, double *out, const char **why)
{
	const struct experiment_run *run = experiment_run(e);
	*why = !run->ran ? no_run : !run->looked ? "the detector is off" : "the launch does not end";
	if (!run->ran || !run->looked || (run->result.outcome != SIMT_OK && run->result.outcome != SIMT_DEFECT))
		return false;
	if (run->stored) {
		*why = "only the beginning of the launch is run";
		return false;
	}
	*out = 0;
	for (uint32_t i = 0; i < run->n_defects; i++)
		if (simt_defect_is_named(run->defects[i].kind, name))
			*out = 1;
	return true;
}

/* Of the GPU that the launch was recorded on; where it is not recorded, of the model's. */
static bool roof_value(struct experiment *e, const char *name, double *out, const char **why)
{
	const struct experiment_provenance *recorded = experiment_first_recording(e)->provenance;
	const struct roofs *roofs = roofs_of(recorded ? recorded->gpu : ROOFS_MODEL_GPU);
	enum roof_id id = roof_find(name);
	*why = "the roofs of this GPU were not measured";
	if (!roofs || id == ROOF_KINDS || !(roofs->of[id].rate > 0))
		return false;
	*out = roofs->of[id].rate;
	return true;
}

bool experiment_program_word(const struct hostlog_sums *sums, const char *word, double *out)
{
#define WORD(name, of, meaning)                                                                                        \
	if (strcmp(word, name) == 0) {                                                                                 \
		*out = (double)sums->of;                                                                               \
		return true;                                                                                           \
	}
#include "course/lesson/program_words.def"
#undef WORD
	return false;
}

bool experiment_judge_term(
	struct experiments *set, const struct step *step, const struct term *term, double *out, const char **why)
{
	if (term->witness == TERM_MEASURED) {
		*why = set->measured ? "measured.tsv has no such number" : experiment_not_recorded;
		return set->measured && experiment_measured_find(set->measured, term->metric, out);
	}
	struct experiment *e = experiment_open(set, step, term->set);
	if (experiment_is_program(e) && term->witness != TERM_ROOF) {
		const char *word = term->metric;
		const struct experiment_program *program = experiment_program(e, NULL);
		*why = "the program is not recorded";
		if (!program)
			return false;
		struct hostlog_sums sums = hostlog_sum(program->log);
		return experiment_program_word(&sums, word, out);
	}
	if (term->kind == TERM_DEFECT)
		return judge_defect(e, term->metric, out, why);
	if (term->kind == TERM_RESULT)
		return experiment_result(e, (int)term->argument, (uint64_t)term->element, out, why);
	if (term->witness == TERM_ROOF)
		return roof_value(e, term->metric, out, why);
	const struct counts *counts = counts_of(e, term->witness, why);
	if (!counts)
		return false;
	struct value value = metric_value(metric_find(term->metric), counts);
	*why = value_reason(value.state);
	*out = value.v;
	return value.state == VALUE_OK;
}

struct step_of_set {
	struct experiments *set;
	const struct step *step;
};

static bool term_value(void *ctx, const struct term *term, double *out, const char **why)
{
	const struct step_of_set *of = ctx;
	return experiment_judge_term(of->set, of->step, term, out, why);
}

bool experiment_judge(struct experiments *set, const struct step *step, const struct judgment *judgment, double *out,
	const char **why)
{
	struct step_of_set of = {set, step};
	return lesson_judge(set->lesson, judgment, (struct lesson_terms){term_value, &of}, out, why);
}

bool experiment_is_true(double v)
{
	return v < 0 || v > 0;
}

bool experiment_agrees(double typed, double right, double within)
{
	double slack = fabs(right) * within;
	return fabs(typed - right) <= (slack > 0.005 ? slack : 0.005) + 1e-9;
}

void experiment_write_phrase(
	struct experiments *set, const struct step *step, const struct phrase *phrase, struct buf *out)
{
	for (int i = 0; i <= phrase->n && phrase->texts; i++) {
		double v;
		const char *why;
		buf_puts(out, phrase->texts[i]);
		if (i == phrase->n)
			break;
		if (experiment_judge(set, step, &phrase->values[i], &v, &why))
			value_format(v, out);
		else
			buf_printf(out, "(%s)", why);
	}
}
