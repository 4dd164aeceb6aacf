#include "course/experiment/experiment.h"

#include "base/file.h"
#include "base/paths.h"
#include "course/experiment/private.h"
#include "model/hardware/metrics.h"

const char *const experiment_side_kernels[EXPERIMENT_SIDES] = {"start", "solution"};

/* What differs from the values of the step. */
static const char *describe_timed(struct arena *arena, const struct lesson *lesson, const struct step *step)
{
	struct buf text = {0};
	for (int i = 0; i < lesson->n_parameters; i++) {
		if (step->exercise.timed[i] == step->set[i])
			continue;
		buf_printf(&text, "%s%s ", text.len ? ", " : "", lesson->parameters[i].name);
		lesson_write_value(&lesson->parameters[i], step->exercise.timed[i], &text);
	}
	const char *result = arena_strdup(arena, buf_str(&text));
	buf_free(&text);
	return result;
}

static struct value time_of(const char *const *metrics, const double *values, int n)
{
	struct counts counts = {0};
	counts_set_named(&counts, &(struct named_counts){metrics, values, NULL, n, 0});
	return metric_value(METRIC_TIME, &counts);
}

bool experiment_timed(struct arena *arena, struct experiments *set, const struct step *step,
	struct experiment_timed *out, struct diag *diag)
{
	const struct experiment_provenance *from[EXPERIMENT_SIDES] = {0};
	if (!step->exercise.timed || !set->recorded)
		return false;
	if (!file_is_named(path_join(arena, step->exercise.dir, "solution.cu")))
		return false; /* a course may withhold it */
	*out = (struct experiment_timed){.at = describe_timed(arena, set->lesson, step)};
	const struct launch *launch = lesson_launch(arena, set->lesson, step, step->exercise.timed, diag);
	for (int side = 0; side < EXPERIMENT_SIDES; side++) {
		const struct kernel_file *file = lesson_exercise_kernel(
			arena, step, experiment_side_kernels[side], diag);
		struct experiment_recorded_result result;
		char fingerprint[17];
		if (!launch || !file)
			return false;
		experiment_fingerprint(file->ptx_text, file->ptx_len, fingerprint);
		enum experiment_recorded found = experiment_recordings_find(
			set->recorded, fingerprint, launch, &result);
		out->time[side] = out->model[side] = value_missing(found == RECORDED_STALE ? VALUE_STALE : VALUE_NONE);
		if (found != RECORDED_OK)
			continue;
		from[side] = result.provenance;
		out->time[side] = time_of(result.metrics, result.values, result.n);
		out->model[side] = time_of(result.model_metrics, result.model_values, result.n_model);
	}
	bool same = from[EXPERIMENT_BEFORE] && experiment_same_gpu(from[EXPERIMENT_BEFORE], from[EXPERIMENT_AFTER]);
	out->provenance = same ? from[EXPERIMENT_AFTER] : NULL;
	return true;
}

static bool is_complete(const struct value times[EXPERIMENT_SIDES])
{
	return times[EXPERIMENT_BEFORE].state == VALUE_OK && times[EXPERIMENT_AFTER].state == VALUE_OK;
}

void experiment_timed_write(const struct experiment_timed *timed, const struct exercise *exercise, struct buf *out)
{
	if (!timed->provenance || !is_complete(timed->time))
		return;
	buf_printf(out, "Measured on %s%s%s: ", timed->provenance->gpu, *timed->at ? ", " : "", timed->at);
	value_format(timed->time[EXPERIMENT_BEFORE].v, out);
	buf_puts(out, " us before the fix, ");
	value_format(timed->time[EXPERIMENT_AFTER].v, out);
	buf_puts(out, " us after it.");
	if (is_complete(timed->model)) {
		buf_puts(out, " In the model: ≈");
		value_format(timed->model[EXPERIMENT_BEFORE].v, out);
		buf_puts(out, " and ≈");
		value_format(timed->model[EXPERIMENT_AFTER].v, out);
		buf_puts(out, " us");
		const struct metric_error *error = metric_error(METRIC_TIME);
		if (error)
			buf_printf(out, " (±%.0f %%)", error->off);
		buf_puts(out, ".");
	}
	if (exercise->slower)
		buf_printf(out, " %s", exercise->slower);
}
