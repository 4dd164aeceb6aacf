/* What the view of roofs draws of the step: its launch, and those of its sweep. */
#include <string.h>

#include "front/tutor/private.h"
#include "front/view/subjects.h"

struct drawn {
	struct roof_work *predicted, *recorded, *live;
	int n;
};

static void take_launch(struct drawn *d, int i, struct experiment *e)
{
	const struct experiment_recording *recording = experiment_recording(e);
	d->predicted[i] = roof_work_of(&experiment_run(e)->counts);
	d->live[i] = roof_work_of(&experiment_live(e)->counts);
	if (recording->found == RECORDED_OK)
		d->recorded[i] = roof_work_of(&recording->counts);
}

void tutor_roofline_refresh(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	struct view_roofline *r = &p->full->roofline;
	*r = (struct view_roofline){0};
	if (!view_is_of(tutor->shown.view, VIEW_OF_ROOFLINE) || !p->shown)
		return;
	int n = p->sweep.step ? p->sweep.step->sweep.n : 1;
	arena_free(p->roofline);
	struct arena *arena = p->roofline = arena_new();
	struct drawn d = {arena_array(arena, struct roof_work, (size_t)n),
		arena_array(arena, struct roof_work, (size_t)n), arena_array(arena, struct roof_work, (size_t)n), n};

	/* Of those of the sweep that were predicted by now; of the one launch where there is none. */
	if (!p->sweep.step) {
		take_launch(&d, 0, p->shown);
	} else {
		for (int i = 0; i < p->sweep.next; i++) {
			struct experiment *e = experiment_find_run(
				p->experiments, p->sweep.step, tutor_sweep_values(tutor, i));
			if (e)
				take_launch(&d, i, e);
		}
	}

	const struct view_sweep *sweep = &p->full->sweep;
	int at = p->sweep.step ? -1 : 0;
	for (int i = 0; i < sweep->n && at < 0; i++)
		at = sweep->xs[i] == sweep->at ? i : -1;

	/* one witness for all, as in a sweep */
	bool live = at >= 0 && d.live[at].time.state == VALUE_OK, recorded = false;
	for (int i = 0; i < n; i++)
		recorded |= d.recorded[i].time.state == VALUE_OK;
	const struct experiment_provenance *provenance = experiment_recording(p->shown)->provenance;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	struct roof_work *measured = live ? d.live : d.recorded;
	const char *gpu = live && info ? info->name : recorded && provenance ? provenance->gpu : ROOFS_MODEL_GPU;

	/* Operations are those of the model where they were not counted. */
	bool counted = true;
	for (int i = 0; i < n; i++) {
		if (measured[i].time.state != VALUE_OK || measured[i].operations.state == VALUE_OK)
			continue;
		measured[i].operations = d.predicted[i].operations;
		counted = false;
	}
	*r = (struct view_roofline){
		.counted = counted,
		.predicted = d.predicted,
		.measured = measured,
		.n = n,
		.at = at,
		.sweep = p->sweep.step ? &p->full->sweep : NULL,
		.measured_by = live ? WITNESS_LIVE
			: recorded  ? WITNESS_RECORDED
				    : WITNESS_NONE,
		.gpu = gpu,
		.roofs = roofs_of(gpu),
	};
}
