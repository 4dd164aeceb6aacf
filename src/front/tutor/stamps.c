/* Timelines from a GPU: asked for when a view of time is looked at, kept with the experiment. */
#include "base/text.h"
#include "front/tutor/private.h"
#include "model/profile/profile.h"

static bool is_asked(const struct tutor *tutor, enum probe_timeline_kind *what)
{
	*what = view_is_of(tutor->shown.view, VIEW_OF_TIMES) ? probe_timeline_find(view_table[tutor->shown.view].name)
							     : PROBE_TIMELINES;
	return *what != PROBE_TIMELINES;
}

static void send(
	struct tutor *tutor, struct experiment *e, enum tutor_live_asked asked, const struct wire_message *message)
{
	struct tutor_live *live = &tutor->private->live;
	live->what = asked;
	live->n_asked = 0;
	live->experiment = e;
	live->progress = (struct wire_progress){0};
	experiment_pin(e);
	live->id = gpu_ask(tutor->gpu, message);
}

static void free_plan(struct tutor_live *live)
{
	arena_free(live->plan_arena);
	live->plan_arena = NULL;
	live->plan = NULL;
}

bool tutor_stamps_ask(struct tutor *tutor)
{
	struct tutor_live *live = &tutor->private->live;
	struct experiment *e = tutor->private->shown;
	const struct experiment_live *of = experiment_live(e);
	enum probe_timeline_kind what;
	if (!is_asked(tutor, &what) || !e->kernel->module)
		return false;
	if (of->times_state[what] == VALUE_NONE && !live->paused.stamps) {
		/* No plan: the state says that there will be no timeline, and the notice why. */
		struct diag diag = {0};
		if (!tutor_live_fits(tutor, e)) {
			experiment_live(e)->times_state[what] = VALUE_OTHER_GPU;
			return false;
		}
		const struct ptx_kernel *kernel = ptx_find_kernel(e->kernel->module, e->launch->kernel, &diag);
		const struct launch *launch = experiment_gpu_launch(e);
		const struct probe_timeline_request request = {e->kernel->module, launch,
			kernel ? profile_file(kernel) : NULL, e->watched.block, e->watched.warp, e->watched.line};
		live->plan_arena = arena_new();
		live->plan = !kernel || !launch ? NULL : probe_timeline_plan(live->plan_arena, what, &request, &diag);
		experiment_live(e)->times_state[what] = live->plan ? VALUE_PENDING : VALUE_FAILED;
		if (live->plan) {
			const struct wire_message message = probe_timeline_message(live->plan);
			send(tutor, e, LIVE_ASKED_STAMPS, &message);
		} else {
			tutor_notice(
				tutor, diag.count ? diag.entries[0].message : _("there is no timeline of this launch"));
			free_plan(live);
		}
		diag_free(&diag);
		return live->plan != NULL;
	}
	bool samples = what == PROBE_TIMELINE_BLOCKS && of->times_state[what] == VALUE_OK &&
		of->activity_state == VALUE_NONE && !live->paused.samples && gpu_info(tutor->gpu)->counters;
	if (samples) {
		const struct kernel_file *file = e->kernel->file;
		const struct launch *launch = experiment_gpu_launch(e);
		experiment_live(e)->activity_state = launch ? VALUE_PENDING : VALUE_FAILED;
		if (launch) {
			const struct wire_job job = {file->ptx_text, file->ptx_len, *launch};
			const struct wire_message message = probe_activity_message(&job);
			send(tutor, e, LIVE_ASKED_SAMPLES, &message);
		}
	}
	return samples;
}

static struct probe_gpu where(struct tutor *tutor, struct experiment *e)
{
	const struct wire_gpu *gpu = gpu_info(tutor->gpu);
	return (struct probe_gpu){arena_strdup(e->arena, gpu->name), gpu->sms > 0 ? (uint32_t)gpu->sms : 0, gpu->cc};
}

void tutor_stamps_take(struct tutor *tutor, const struct wire_stamped *answer)
{
	struct tutor_live *live = &tutor->private->live;
	struct experiment *e = live->experiment;
	struct diag diag = {0};
	const char *warning = NULL;
	if (!e || !live->plan)
		return;
	const struct probe_timeline_answer came = {live->plan, answer, where(tutor, e)};
	bool ok = probe_timeline_read(e->arena, &came, &experiment_live(e)->times, &warning, &diag);
	experiment_live(e)->times_state[live->plan->what] = ok ? VALUE_OK : VALUE_FAILED;
	if (!ok)
		tutor_notice(tutor, diag.count ? diag.entries[0].message : _("the stamps make no timeline"));
	else if (warning && e == tutor->private->shown)
		tutor_notice(tutor, warning);
	diag_free(&diag);
}

void tutor_stamps_take_samples(struct tutor *tutor, const struct wire_samples *answer)
{
	struct experiment *e = tutor->private->live.experiment;
	if (!e)
		return;
	const struct probe_gpu gpu = where(tutor, e);
	struct experiment_live *live = experiment_live(e);
	live->times.activity = probe_activity_read(e->arena, answer, &gpu);
	live->activity_state = live->times.activity ? VALUE_OK : VALUE_FAILED;
}

void tutor_stamps_settle(struct tutor_live *live, enum value_state missing)
{
	struct experiment_live *of = live->experiment ? experiment_live(live->experiment) : NULL;
	for (int i = 0; of && i < PROBE_TIMELINES; i++)
		if (of->times_state[i] == VALUE_PENDING)
			of->times_state[i] = missing;
	if (of && of->activity_state == VALUE_PENDING)
		of->activity_state = missing;
	free_plan(live);
}

bool tutor_stamps_there(const struct tutor *tutor)
{
	enum probe_timeline_kind what;
	struct experiment *e = tutor->private->shown;
	return e && is_asked(tutor, &what) && experiment_live(e)->times_state[what] == VALUE_OK;
}

bool tutor_stamps_answered(const struct tutor *tutor)
{
	enum probe_timeline_kind what;
	return !is_asked(tutor, &what) || tutor_stamps_there(tutor);
}
