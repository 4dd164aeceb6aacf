/* What the title says of the measured numbers: whose they are, or why there are none. */
#include <stdio.h>

#include "base/text.h"
#include "front/tutor/private.h"

bool tutor_live_counts(const struct tutor *tutor)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	return gpu_state(tutor->gpu) == GPU_READY && info && info->counters;
}

enum value_state tutor_live_absence(const struct tutor *tutor)
{
	const struct wire_error *error = gpu_error(tutor->gpu);
	if (gpu_state(tutor->gpu) == GPU_OFF)
		return error && error->code == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_NO_GPU;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	if (!info || info->counters)
		return VALUE_PENDING;
	return info->counters_error == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_FAILED;
}

/* Whether the numbers on the screen are live, or about to be. */
static bool shows_live(const struct tutor *tutor)
{
	const struct view_numbers *numbers = &tutor->private->full.numbers;
	if (tutor->private->live.id || numbers->n_rows == 0)
		return true;
	for (int i = 0; i < numbers->n_rows; i++)
		if (numbers->rows[i].measured_by == WITNESS_LIVE)
			return true;
	return false;
}

void tutor_live_describe(struct tutor *tutor)
{
	const struct tutor_private *p = tutor->private;
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	char *out = tutor->measured.status;
	size_t size = sizeof tutor->measured.status;
	tutor->measured.status_by = WITNESS_NONE;
	const struct experiment_provenance *from = p->shown ? experiment_recording(p->shown)->provenance : NULL;
	if (p->live.progress.waiting) {
		snprintf(out, size, _("waiting for the GPU, %d before you"), p->live.progress.waiting);
		return;
	}
	if (gpu_state(tutor->gpu) == GPU_STARTING && *gpu_said(tutor->gpu)) {
		snprintf(out, size, _("starting: %s"), gpu_said(tutor->gpu));
		return;
	}
	if (gpu_state(tutor->gpu) == GPU_LOST) {
		snprintf(out, size, _("connection lost, trying again"));
		return;
	}
	if (tutor_live_counts(tutor) && p->shown && p->shown->launch && !tutor_live_fits(tutor, p->shown)) {
		tutor->measured.status_by = from ? WITNESS_RECORDED : WITNESS_MODEL;
		int cc = experiment_needs_cc(p->shown);
		snprintf(out, size, _("needs CC %d.%d; your GPU has %d.%d"), cc / 10, cc % 10, info->cc / 10,
			info->cc % 10);
		return;
	}
	if (tutor_live_counts(tutor) && (!from || shows_live(tutor))) {
		tutor->measured.status_by = WITNESS_LIVE;
		if (p->live.progress.passes > 1)
			snprintf(out, size, _("live: %s, pass %d of %d"), info->name, p->live.progress.pass,
				p->live.progress.passes);
		else
			snprintf(out, size, _("live: %s"), info->name);
		return;
	}
	if (from) {
		tutor->measured.status_by = WITNESS_RECORDED;
		snprintf(out, size, _("recorded: %s, %s"), from->gpu, from->date);
	} else if (gpu_state(tutor->gpu) == GPU_STARTING) {
		snprintf(out, size, _("looking for a GPU"));
	} else {
		snprintf(out, size, "%s", value_reason(tutor_live_absence(tutor)));
	}
}
