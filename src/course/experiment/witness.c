/* What was recorded of an experiment, and what a GPU says of it now. */
#include <string.h>

#include "base/buf.h"
#include "base/text.h"
#include "course/experiment/private.h"
#include "course/experiment/recordings.h"
#include "model/profile/profile.h"

static void look_up_recording(struct experiment *e, struct experiment_recording *out)
{
	const struct experiment_recordings *recorded = e->set->recorded;
	struct experiment_recorded_result result;
	if (!recorded || !experiment_is_for_gpu(e))
		return;
	out->found = experiment_recordings_find(recorded, e->kernel->fingerprint, e->launch, &result);
	if (out->found != RECORDED_OK)
		return;
	counts_set_named(&out->counts, &(struct named_counts){result.metrics, result.values, NULL, result.n, 0});
	out->provenance = result.provenance;
	out->executed = result.executed;
	out->n_executed = result.n_executed;
	out->instrs = experiment_lines_read(e->arena, result.instrs);
	out->instrs_code = result.instrs->code;
	out->has_model = result.n_model > 0;
	out->modeled = result.modeled;
	if (out->has_model)
		counts_set_named(&out->model,
			&(struct named_counts){result.model_metrics, result.model_values, NULL, result.n_model, 0});
	out->lines = experiment_lines_read(e->arena, result.lines);
	out->wavefronts = line_table_shared_wavefronts(&out->lines);
}

const struct experiment_recording *experiment_recording(struct experiment *e)
{
	if (!e->private->has_recording)
		look_up_recording(e, &e->private->recording);
	e->private->has_recording = true;
	return &e->private->recording;
}

const struct experiment_recording *experiment_first_recording(struct experiment *e)
{
	struct experiments *set = e->set;
	if (set->preferred == 0)
		return experiment_recording(e);
	if (!e->private->has_first && set->recorded) {
		experiment_recordings_prefer(set->recorded, 0);
		look_up_recording(e, &e->private->first);
		experiment_recordings_prefer(set->recorded, set->preferred);
	}
	e->private->has_first = true;
	return &e->private->first;
}

bool experiment_recorded_counts(struct experiment *e, int gpu, struct counts *out)
{
	struct experiments *set = e->set;
	const struct experiment_provenance *from = experiments_recorded_on(set, gpu);
	struct experiment_recorded_result result;
	if (!from || !experiment_is_for_gpu(e))
		return false;
	experiment_recordings_prefer(set->recorded, gpu);
	bool found = experiment_recordings_find(set->recorded, e->kernel->fingerprint, e->launch, &result) ==
			RECORDED_OK &&
		experiment_same_gpu(result.provenance, from);
	experiment_recordings_prefer(set->recorded, set->preferred);
	if (found)
		counts_set_named(out, &(struct named_counts){result.metrics, result.values, NULL, result.n, 0});
	return found;
}

bool experiment_is_program(const struct experiment *e)
{
	return e->kernel->file->is_program;
}

const char *experiment_program_arguments(const struct experiment *e)
{
	struct buf text = {0};
	for (int i = 0; e->launch && i < e->launch->n_args; i++)
		buf_printf(&text, "%s%s", i ? " " : "", e->launch->args[i].text + strlen(LESSON_PROGRAM_ARGUMENT));
	const char *out = arena_strdup(e->arena, buf_str(&text));
	buf_free(&text);
	return out;
}

const struct experiment_program *experiment_program(struct experiment *e, enum experiment_recorded *found)
{
	struct experiment_program wanted = {.name = e->kernel->file->name, .source = e->kernel->fingerprint};
	enum experiment_recorded how = RECORDED_NONE;
	if (experiment_is_program(e) && e->launch && e->set->recorded) {
		wanted.arguments = experiment_program_arguments(e);
		how = experiment_recordings_find_program(e->set->recorded, &wanted, &e->private->program);
	}
	if (found)
		*found = how;
	return how == RECORDED_OK ? e->private->program : NULL;
}

bool experiment_is_for_gpu(const struct experiment *e)
{
	if (experiment_is_program(e))
		return false;
	if (!e->launch || !launch_is_for_machine(e->launch))
		return e->launch;
	return e->kernel->module && profile_can_be_alone(e->kernel->module, e->launch);
}

static struct ptx_target built_for(const struct experiment *e)
{
	return e->kernel->module ? ptx_built_for(e->kernel->module) : (struct ptx_target){0};
}

bool experiment_fits_gpu(const struct experiment *e, int cc)
{
	return ptx_target_fits(built_for(e), cc);
}

int experiment_needs_cc(const struct experiment *e)
{
	return built_for(e).cc;
}

void experiment_needs_gpu(const struct experiment *e, struct buf *out)
{
	struct ptx_target target = built_for(e);
	int major = target.cc / 10, minor = target.cc % 10;
	if (target.only == 'a')
		buf_printf(out, _("compute capability %d.%d and no other"), major, minor);
	else if (target.only == 'f')
		buf_printf(out, _("compute capability %d.%d or a later one of its family"), major, minor);
	else
		buf_printf(out, _("compute capability %d.%d"), major, minor);
}

const struct launch *experiment_gpu_launch(struct experiment *e)
{
	struct experiment_private *p = e->private;
	struct diag unheard = {0};
	if (!p->has_gpu_launch && experiment_is_for_gpu(e))
		p->gpu_launch = !launch_is_for_machine(e->launch)
			? e->launch
			: profile_launch_alone(e->arena, e->kernel->module, e->launch, &unheard);
	diag_free(&unheard);
	p->has_gpu_launch = true;
	return p->gpu_launch;
}

void experiment_forget_live(struct experiment *e)
{
	struct experiment_live *live = &e->private->live;
	bool never = experiment_on_gpu(e, NULL) != EXPERIMENT_ENDS_ON_GPU || (e->launch && !experiment_is_for_gpu(e));
	enum value_state state = !never ? VALUE_NONE : VALUE_NOT_LAUNCHED;
	*live = (struct experiment_live){.lines_state = state, .activity_state = state};
	for (int i = 0; i < COUNTERS; i++)
		live->counts.c[i] = value_missing(state);
	for (int i = 0; i < PROBE_TIMELINES; i++)
		live->times_state[i] = state;
	e->private->has_live = true;
}

/* The same launch, whatever is watched of it. */
static bool is_same_launch(const struct experiment *a, const struct experiment *b)
{
	bool same = a != b && a->step == b->step && b->private->has_live;
	for (int i = 0; i < a->set->lesson->n_parameters && same; i++)
		same = a->values[i] == b->values[i] || lesson_is_watch(a->step, i);
	return same;
}

struct experiment_live *experiment_live(struct experiment *e)
{
	if (!e->private->has_live) {
		experiment_forget_live(e);

		/* What was counted of the same launch, while something else of it was watched, is known. */
		struct experiment_live *live = &e->private->live;
		const struct experiment *same = NULL;
		for (int i = 0; e->step->watch.by && i < e->set->n && !same; i++)
			same = is_same_launch(e, e->set->all[i]) ? e->set->all[i] : NULL;
		const struct experiment_live *from = same ? &same->private->live : NULL;
		for (int i = 0; from && i < COUNTERS; i++)
			if (from->counts.c[i].state != VALUE_PENDING)
				live->counts.c[i] = from->counts.c[i];
		if (from && from->lines_state == VALUE_OK) {
			live->lines_state = VALUE_OK;
			for (int i = 0; i < from->lines.n; i++)
				line_table_row(e->arena, &live->lines, from->lines.rows[i].line)
					->counts = from->lines.rows[i].counts;
		}
	}
	return &e->private->live;
}

const char *experiment_lines_ptx(struct experiment *e)
{
	return e->launch ? experiment_kernel_lines(e->set->arena, e->kernel, e->launch->kernel) : NULL;
}
