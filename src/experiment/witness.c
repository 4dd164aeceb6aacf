/* What was recorded of an experiment, and what a GPU says of it now. */
#include "experiment/lines.h"
#include "experiment/private.h"

static void look_up_recording(struct experiment *e, struct experiment_recording *out)
{
	const struct experiment_recordings *recorded = e->set->recorded;
	struct experiment_recorded_result result;
	if (!recorded || !e->launch)
		return;
	out->found = experiment_recordings_find(recorded, e->kernel->fingerprint, e->launch, &result);
	if (out->found != RECORDED_OK)
		return;
	counts_set_named(&out->counts, &(struct named_counts){result.metrics, result.values, NULL, result.n, 0});
	out->provenance = result.provenance;
	out->lines = experiment_lines_read(e->arena, result.lines);
	out->wavefronts = line_table_total(&out->lines).c[LINE_COUNT_WAVEFRONTS];
}

const struct experiment_recording *experiment_recording(struct experiment *e)
{
	if (!e->private->has_recording)
		look_up_recording(e, &e->private->recording);
	e->private->has_recording = true;
	return &e->private->recording;
}

void experiment_forget_live(struct experiment *e)
{
	struct experiment_live *live = &e->private->live;
	enum value_state state = experiment_on_gpu(e, NULL) == EXPERIMENT_ENDS_ON_GPU ? VALUE_NONE : VALUE_NOT_LAUNCHED;
	*live = (struct experiment_live){.lines_state = state, .activity_state = state};
	for (int i = 0; i < COUNTERS; i++)
		live->counts.c[i] = value_missing(state);
	for (int i = 0; i < PROBE_TIMELINES; i++)
		live->times_state[i] = state;
	e->private->has_live = true;
}

struct experiment_live *experiment_live(struct experiment *e)
{
	if (!e->private->has_live)
		experiment_forget_live(e);
	return &e->private->live;
}

const char *experiment_lines_ptx(struct experiment *e)
{
	return e->launch ? experiment_kernel_lines(e->set->arena, e->kernel, e->launch->kernel) : NULL;
}
