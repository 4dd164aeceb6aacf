#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/portable.h"
#include "base/text.h"
#include "course/experiment/recordings.h"
#include "front/tutor/present.h"
#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"

/* --- where the numbers come from, in words ------------------------------------------------------------------------ */

/* Whether the GPU at hand, if any, takes the kernel of the experiment. */
static bool fits_gpu(const struct tutor *tutor, const struct experiment *e)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	return !info || !e || experiment_fits_gpu(e, info->cc);
}

/* Whether the GPU at hand is ready to count. */
static bool gpu_counts(const struct tutor *tutor)
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
	if (gpu_counts(tutor) && p->shown && p->shown->launch && !fits_gpu(tutor, p->shown)) {
		tutor->measured.status_by = from ? WITNESS_RECORDED : WITNESS_MODEL;
		int cc = experiment_needs_cc(p->shown);
		snprintf(out, size, _("needs CC %d.%d; your GPU has %d.%d"), cc / 10, cc % 10, info->cc / 10,
			info->cc % 10);
		return;
	}

	/* Whether the numbers on the screen are live, or about to be. */
	const struct view_numbers *numbers = &p->full->numbers;
	bool live = p->live.id || numbers->n_rows == 0;
	for (int i = 0; i < numbers->n_rows; i++)
		live |= numbers->rows[i].measured_by == WITNESS_LIVE;
	if (gpu_counts(tutor) && (!from || live)) {
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

/* --- timelines and samples ---------------------------------------------------------------------------------------- */

static bool is_asked(const struct tutor *tutor, enum probe_timeline_kind *what)
{
	*what = view_is_of(tutor->shown.view, VIEW_OF_TIMES) ? probe_timeline_find(view_table[tutor->shown.view].name)
							     : PROBE_TIMELINES;
	return *what != PROBE_TIMELINES;
}

static void send_message(
	struct tutor *tutor, struct experiment *e, enum tutor_live_asked asked, const struct wire_message *message)
{
	struct tutor_live *live = &tutor->private->live;
	live->what = asked;
	live->n_asked = 0;
	live->experiment = e;
	live->progress = (struct wire_progress){0};
	experiment_pin(e);
	live->id = gpu_request(tutor->gpu, message);
}

static void free_plan(struct tutor_live *live)
{
	arena_free(live->plan_arena);
	live->plan_arena = NULL;
	live->plan = NULL;
}

/* Asks for the timeline of the view shown, and samples with the blocks, where that was not done. False when there is
 * nothing to ask. */
static bool request_timeline(struct tutor *tutor)
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
		if (!fits_gpu(tutor, e)) {
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
			send_message(tutor, e, LIVE_ASKED_STAMPS, &message);
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
			send_message(tutor, e, LIVE_ASKED_SAMPLES, &message);
		}
	}
	return samples;
}

static struct probe_gpu where(struct tutor *tutor, struct experiment *e)
{
	const struct wire_gpu *gpu = gpu_info(tutor->gpu);
	return (struct probe_gpu){arena_strdup(e->arena, gpu->name), gpu->sms > 0 ? (uint32_t)gpu->sms : 0, gpu->cc};
}

static void take_timeline(struct tutor *tutor, const struct wire_stamped *answer)
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

/* The request for them is over; what is still pending of the experiment is `missing`. */
static void settle_timeline(struct tutor_live *live, enum value_state missing)
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

/* --- a kernel that went wrong ------------------------------------------------------------------------------------- */

#define SLICE_MS 10 /* a key is not kept waiting for longer */

static void end_blaming(struct tutor *tutor)
{
	profile_blame_free(tutor->private->blame);
	tutor->private->blame = NULL;
}

bool tutor_blame_step(struct tutor *tutor)
{
	struct blame *blame = tutor->private->blame;
	size_t len = strlen(tutor->notice);
	if (!blame || !profile_blame_step(blame, SLICE_MS))
		return false;
	/* a notice that a key has put away is not shown again for this */
	snprintf(tutor->notice + len, sizeof tutor->notice - len, "%s%s",
		len ? " " : _("The kernel failed on the GPU. "), profile_blame_sentence(blame));
	end_blaming(tutor);
	return true;
}

/* --- what to ask -------------------------------------------------------------------------------------------------- */

struct wish {
	enum counter_id counters[COUNTERS];
	int n;
};

static void wish_counter(struct wish *wish, struct experiment *e, enum counter_id id)
{
	if (id == COUNTER_NONE || counter_is_of_model(id) || experiment_live(e)->counts.c[id].state != VALUE_NONE)
		return;
	for (int i = 0; i < wish->n; i++)
		if (wish->counters[i] == id)
			return;
	wish->counters[wish->n++] = id;
}

static void wish_metric(struct wish *wish, struct experiment *e, enum metric_id metric)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	for (int i = 0, n = metric_counters(metric, of); i < n; i++)
		wish_counter(wish, e, of[i]);
}

static const struct launch *launch_on_gpu(const struct tutor *tutor, struct experiment *e, struct value *why)
{
	bool fits = fits_gpu(tutor, e);
	*why = fits ? value_missing(VALUE_NOT_LAUNCHED) : (struct value){experiment_needs_cc(e), VALUE_OTHER_GPU};
	return fits ? experiment_gpu_launch(e) : NULL;
}

/* "the kernel needs compute capability 9.0, RTX 4090 has 8.9" */
static void report_other_gpu(const struct tutor *tutor, char *out, size_t size)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	struct buf needs = {0};
	experiment_needs_gpu(tutor->private->shown, &needs);
	snprintf(out, size, _("the kernel needs %s, %s has %d.%d: the machine runs it instead"), buf_str(&needs),
		info->name, info->cc / 10, info->cc % 10);
	buf_free(&needs);
}

static void send(struct tutor *tutor, struct experiment *e, const struct wish *wish)
{
	struct tutor_live *live = &tutor->private->live;
	const struct kernel_file *file = e->kernel->file;
	struct value why;
	const struct launch *launch = launch_on_gpu(tutor, e, &why);
	struct counts *counts = &experiment_live(e)->counts;
	const char *names[2 * COUNTERS];

	/* The names of all in one set, so that the profiler need not be set up again; first what is counted per machine
	 * instruction, which the worker counts first. */
	int n = 0, cc = gpu_info(tutor->gpu)->cc;
	bool loads = counter_only_loads(file->ptx_text, file->ptx_len);
	for (int i = 0; i < wish->n; i++)
		if (counter_per_instruction(wish->counters[i]))
			names[n++] = counter_per_instruction(wish->counters[i]);
	for (int i = 0; i < wish->n; i++)
		if (!loads || !counter_is_replaced(wish->counters[i], cc))
			names[n++] = counter_table[wish->counters[i]].hw;

	for (int i = 0; i < wish->n; i++) {
		live->asked[i] = wish->counters[i];
		counts->c[wish->counters[i]] = launch ? value_missing(VALUE_PENDING) : why;
	}
	if (!launch)
		return;
	live->n_asked = wish->n;
	live->experiment = e;
	live->progress = (struct wire_progress){0};
	experiment_pin(e);
	live->id = gpu_measure(
		tutor->gpu, &(struct wire_measure){{file->ptx_text, file->ptx_len, *launch}, names, n, false});
}

/* Asks for the counters of the lines. False when there is nothing to ask. */
static bool send_lines(struct tutor *tutor, struct experiment *e)
{
	struct tutor_live *live = &tutor->private->live;
	if (experiment_live(e)->lines_state != VALUE_NONE || live->paused.lines || e->kernel->n_lines == 0)
		return false;
	struct value why;
	const char *ptx = experiment_lines_ptx(e);
	const struct launch *launch = launch_on_gpu(tutor, e, &why);
	experiment_live(e)->lines_state = ptx && launch ? VALUE_PENDING : ptx ? why.state : VALUE_FAILED;
	if (!ptx || !launch)
		return false;
	const struct wire_message request = experiment_lines_message(ptx, launch);
	live->n_asked = 0;
	live->experiment = e;
	experiment_pin(e);
	live->id = gpu_request(tutor->gpu, &request);
	return true;
}

/* What the view of roofs is made of, where it is shown. */
static void wish_roofline(const struct tutor *tutor, struct wish *wish, struct experiment *e)
{
	const enum counter_id *of;
	int cc = gpu_info(tutor->gpu)->cc;
	if (!view_is_of(tutor->shown.view, VIEW_OF_ROOFLINE))
		return;
	for (int i = 0, n = roof_counters(&of); i < n; i++) {
		struct value *value = &experiment_live(e)->counts.c[of[i]];
		if (value->state == VALUE_NONE && !counter_is_collected(of[i], cc))
			*value = value_unsupported(cc);
		wish_counter(wish, e, of[i]);
	}
}

/* What the step's numbers lack of an experiment. */
static struct wish wish_numbers(struct tutor *tutor, struct experiment *e)
{
	struct wish wish = {.n = 0};
	for (int i = 0; i < tutor->private->full->numbers.n_rows; i++) {
		enum metric_id metric = tutor->private->numbers[i].metric;
		enum counter_id of[METRIC_COUNTERS_MAX];
		int cc = gpu_info(tutor->gpu)->cc;
		for (int j = metric_counters(metric, of); j-- > 0;) {
			struct value *value = &experiment_live(e)->counts.c[of[j]];
			if (value->state == VALUE_NONE && !counter_is_collected(of[j], cc))
				*value = value_unsupported(cc);
		}

		wish_metric(&wish, e, metric);
	}
	wish_roofline(tutor, &wish, e);
	return wish;
}

/* What the step's numbers lack, then those beside them. False when there is nothing to ask. */
static bool request_numbers(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	struct experiment *of[] = {p->shown, p->full->numbers.other ? p->other : NULL};
	for (int i = 0; i < 2; i++) {
		struct wish wish = {.n = 0};
		if (of[i] && of[i]->launch)
			wish = wish_numbers(tutor, of[i]);
		if (wish.n) {
			send(tutor, of[i], &wish);
			return true;
		}
	}
	return false;
}

/* Where counters are locked, stamps are not. */
void tutor_live_request(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	bool counts = gpu_counts(tutor);
	if (p->live.halted)
		return;
	if (p->live.id) {
		/* What is measured is no longer what the reader looks at, and that is not measured yet: the GPU is to
		 * turn to it. */
		if (p->live.canceled || p->live.experiment == p->shown || !p->shown || !p->shown->launch ||
			!gpu_counts(tutor))
			return;
		if (wish_numbers(tutor, tutor->private->shown).n == 0)
			return;
		p->live.canceled = true;
		gpu_cancel(tutor->gpu, p->live.id);

		return;
	}
	if (tutor->presented && !tutor->presented->measured)
		return;
	if (!p->shown || !p->shown->launch || gpu_state(tutor->gpu) != GPU_READY || !gpu_info(tutor->gpu))
		return;
	if ((counts && request_numbers(tutor)) || request_timeline(tutor))
		return;
	if (counts && !send_lines(tutor, p->shown)) {
		/* The next point of the sweep. */
		struct wish wish = {.n = 0};
		if (!tutor->background || p->live.paused.sweep)
			return;
		struct experiment *e = tutor_sweep_unmeasured(tutor);
		if (e && e->launch) {
			wish_metric(&wish, e, p->sweep.metric);
			wish_roofline(tutor, &wish, e);
		}
		if (wish.n)
			send(tutor, e, &wish);
	}
}

void tutor_live_detach(struct tutor *tutor)
{
	settle_timeline(&tutor->private->live, VALUE_NONE);
	experiment_unpin(tutor->private->live.experiment);
	tutor->private->live.experiment = NULL;
	end_blaming(tutor);
}

/* --- what came ---------------------------------------------------------------------------------------------------- */

/* What is wrong, then the remedy; a remedy for this very place comes first, as the screen may cut what is long. */
static void report_failure(struct tutor *tutor, const char *message, enum wire_error_code code)
{
	size_t len = strlen(message), size = sizeof tutor->notice;
	const char *stop = len == 0 || strchr(".!?", message[len - 1]) ? "" : ".", *remedy = wire_error_remedy(code);
	struct wire_remedy lines[WIRE_PLACES];
	enum wire_place here = gpu_place(tutor->gpu);
	tutor->measured.failure = wire_error_name(code);
	if (wire_error_remedies(code, here, lines) > 0 && lines[0].place == here)
		snprintf(tutor->notice, size, _("%s Here, %s: %s. (%s)"), remedy, wire_place_words(here), lines[0].text,
			message);
	else
		snprintf(tutor->notice, size, "%s%s%s%s", message, stop, len ? " " : "", remedy);
}

/* That there is no GPU, or that it did not come back, is reported once; the status goes on showing it. */
static void report_error(struct tutor *tutor, const struct wire_error *error)
{
	struct tutor_live *live = &tutor->private->live;
	bool again = live->lost;
	live->lost = gpu_state(tutor->gpu) == GPU_LOST;
	if (!error)
		return;
	bool absent = error->code == WIRE_SWITCHED_OFF || error->code == WIRE_NO_WORKER ||
		error->code == WIRE_NO_DRIVER || error->code == WIRE_NO_DEVICE;
	if ((absent || again) && !live->asked_for)
		return;
	live->asked_for = false;
	report_failure(tutor, error->message ? error->message : "", error->code);
}

void tutor_live_measure(struct tutor *tutor)
{
	struct tutor_live *live = &tutor->private->live;
	live->asked_for = true;
	live->paused.sweep = live->paused.lines = live->paused.stamps = live->paused.samples = false;

	/* The numbers of the experiment shown, so that they are measured again; those on their way stay so. */
	struct tutor_private *p = tutor->private;
	if (p->shown && p->live.experiment != p->shown)
		experiment_forget_live(p->shown);
	if (p->full->numbers.other && p->other && p->live.experiment != p->other)
		experiment_forget_live(p->other);

	if (gpu_state(tutor->gpu) == GPU_OFF || gpu_state(tutor->gpu) == GPU_LOST) {
		gpu_start(tutor->gpu);
		if (gpu_state(tutor->gpu) == GPU_OFF)
			report_error(tutor, gpu_error(tutor->gpu));
	}
	if (gpu_state(tutor->gpu) == GPU_READY && !gpu_info(tutor->gpu)->counters)
		gpu_restart(tutor->gpu);
	tutor_live_request(tutor);
	tutor_refresh_measured(tutor);
	if (gpu_state(tutor->gpu) == GPU_READY && tutor->private->shown && !fits_gpu(tutor, tutor->private->shown))
		report_other_gpu(tutor, tutor->notice, sizeof tutor->notice);
}

static void settle(struct tutor_live *live, struct value missing)
{
	for (int i = 0; live->experiment && i < live->n_asked; i++) {
		struct value *v = &experiment_live(live->experiment)->counts.c[live->asked[i]];
		if (v->state == VALUE_PENDING)
			*v = missing;
	}
	settle_timeline(live, missing.state);
	if (live->experiment) {
		struct experiment_live *of = experiment_live(live->experiment);
		experiment_unpin(live->experiment);
		if (of->lines_state == VALUE_PENDING)
			of->lines_state = missing.state;
	}
	live->experiment = NULL;
	live->what = LIVE_ASKED_COUNTERS;
	live->id = 0;
	live->canceled = false;
	live->progress = (struct wire_progress){0};
}

void tutor_gpu_start(struct tutor *tutor)
{
	gpu_start(tutor->gpu);
	tutor_refresh_measured(tutor);
}

bool tutor_gpu_step(struct tutor *tutor)
{
	bool changed = false;
	for (;;) {
		struct gpu_event event = gpu_step(tutor->gpu);
		if (event.kind == GPU_EVENT_NONE)
			break;

		struct tutor_live *live = &tutor->private->live;
		bool ours = live->id && event.id == live->id;
		switch (event.kind) {
		case GPU_EVENT_PROGRESS:
			if (ours || event.id == 0) {
				/* What the passes made so far have counted. */
				const struct wire_progress *progress = &event.progress;
				live->progress = (struct wire_progress){
					progress->pass, progress->passes, progress->waiting, NULL, NULL, 0};
				if (live->experiment)
					counts_set_named(&experiment_live(live->experiment)->counts,
						&(struct named_counts){
							progress->metrics, progress->values, NULL, progress->n, 0});
			}
			break;
		case GPU_EVENT_MEASURED:
			if (ours) {
				const struct wire_measurement *m = event.measurement;
				if (live->experiment)
					counts_set_named(&experiment_live(live->experiment)->counts,
						&(struct named_counts){m->metrics, m->values, m->available, m->n,
							gpu_info(tutor->gpu)->cc});
				settle(live, value_missing(VALUE_FAILED));
			}
			break;
		case GPU_EVENT_ERROR:
			if (ours && event.error && event.error->code == WIRE_CANCELED) {
				/* Of a measurement that was given up nothing is kept: all of it is asked for together
				 * again. */
				for (int i = 0; live->experiment && i < live->n_asked; i++)
					experiment_live(live->experiment)->counts.c[live->asked[i]] = value_missing(
						VALUE_NONE);
				settle(live, value_missing(VALUE_NONE));
				break;
			}
			report_error(tutor, event.error);
			live->progress = (struct wire_progress){0};
			if (!ours)
				break;
			if (gpu_state(tutor->gpu) == GPU_LOST) {
				settle(live, value_missing(VALUE_NONE)); /* asked for again when it is back */
				break;
			}
			/* After a failure nothing of its kind is asked for until the reader wants it. */
			live->paused.stamps |= live->what == LIVE_ASKED_STAMPS;
			live->paused.samples |= live->what == LIVE_ASKED_SAMPLES;
			live->paused.lines |= !live->n_asked && live->what == LIVE_ASKED_COUNTERS;
			live->paused.sweep = true;
			if (wire_error_blames_kernel(event.error->code)) {
				/* It would only fail again. */
				live->paused.lines = live->paused.stamps = live->paused.samples = true;

				/* The experiment's kernel went wrong on the GPU: begins to run it on the machine. */
				const struct experiment *e = live->experiment;
				end_blaming(tutor);
				if (e && e->launch)
					tutor->private->blame = profile_blame_new(
						e->kernel->file->ptx_text, e->kernel->file->ptx_len, e->launch);
			}
			settle(live,
				value_missing(
					event.error->code == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_FAILED));
			break;
		case GPU_EVENT_PROBED:
			live->asked_for = live->lost = false;
			tutor->measured.failure = NULL;
			tutor_recorded_begin(tutor);
			live->progress = (struct wire_progress){0};
			if (gpu_info(tutor->gpu) && !gpu_info(tutor->gpu)->counters)
				report_failure(tutor, gpu_info(tutor->gpu)->counters_message,
					gpu_info(tutor->gpu)->counters_error);
			break;
		case GPU_EVENT_ANSWERED:
			if (ours) {
				const struct wire_message *answer = event.answer;
				switch (answer->kind) {
				case WIRE_RESULT_LINES: {
					if (live->experiment) {
						struct experiment_live *of = experiment_live(live->experiment);
						of->lines = experiment_lines_read(
							live->experiment->arena, &answer->line_counts);
						of->lines_state = VALUE_OK;
					}
					settle(live, value_missing(VALUE_FAILED));
					break;
				}
				case WIRE_RESULT_STAMP:
					take_timeline(tutor, &answer->stamped);
					settle(live, value_missing(VALUE_FAILED));
					break;
				case WIRE_RESULT_SAMPLE:
					if (live->experiment) {
						const struct probe_gpu gpu = where(tutor, live->experiment);
						struct experiment_live *of = experiment_live(live->experiment);
						of->times.activity = probe_activity_read(
							live->experiment->arena, &answer->samples, &gpu);
						of->activity_state = of->times.activity ? VALUE_OK : VALUE_FAILED;
					}
					settle(live, value_missing(VALUE_FAILED));
					break;
				default: break;
				}
			}
			break;
		case GPU_EVENT_NONE: break;
		}

		changed = true;
		if (event.kind == GPU_EVENT_PROGRESS)
			break; /* a worker that reports without end must not keep the reader's keys waiting */
	}
	tutor_live_request(tutor);
	if (changed)
		tutor_refresh_measured(tutor);
	return changed;
}

/* Why the live numbers are not there; `late` is the reason when time ran out and nothing else is known, else NULL. */
static bool explain_missing(struct tutor *tutor, const char *late, struct diag *diag)
{
	struct diag_pos nowhere = {0};
	const struct wire_error *error = gpu_error(tutor->gpu);
	while (tutor->private->blame)
		tutor_blame_step(tutor);
	if (!fits_gpu(tutor, tutor->private->shown))
		report_other_gpu(tutor, tutor->notice, sizeof tutor->notice);
	if (tutor->notice[0])
		diag_error(diag, nowhere, "%s", tutor->notice);
	else if (late)
		diag_error(diag, nowhere, "%s", late);
	else if (error)
		diag_error(diag, nowhere, "%s: %s", error->message, wire_error_remedy(error->code));
	else if (!experiment_is_for_gpu(tutor->private->shown))
		diag_error(diag, nowhere, "not launched: a GPU cannot be given what the launches before it leave");
	else if (experiment_on_gpu(tutor->private->shown, NULL) != EXPERIMENT_ENDS_ON_GPU)
		diag_error(diag, nowhere,
			"not launched: the defect that is shown would end the kernel on a GPU, or hang it");
	else
		diag_error(diag, nowhere, "this GPU does not count all that the step shows");
	return false;
}

bool tutor_measure_now(struct tutor *tutor, int ms, struct diag *diag)
{
	double end = clock_ms() + ms;
	tutor->private->live.asked_for = true;
	tutor_gpu_start(tutor);
	while (gpu_state(tutor->gpu) != GPU_OFF) {
		tutor_gpu_step(tutor);
		bool asked = tutor->private->live.id != 0;
		bool ready = gpu_state(tutor->gpu) == GPU_READY;
		if ((ready && !asked) || gpu_state(tutor->gpu) == GPU_OFF)
			break;
		double left = end - clock_ms();
		if (left <= 0)
			return explain_missing(tutor, _("the GPU did not answer in time"), diag);
		struct pollfd fds[] = {
			{.fd = gpu_fd(tutor->gpu), .events = POLLIN},
			{.fd = gpu_write_fd(tutor->gpu), .events = POLLOUT},
		};
		int wait = gpu_timeout_ms(tutor->gpu);
		poll(fds, 2, wait >= 0 && wait < left ? wait : (int)left + 1);
	}
	tutor_gpu_step(tutor);

	bool all_answered = true;
	const struct tutor_private *p = tutor->private;
	for (int i = 0; i < p->full->numbers.n_rows; i++)
		if (!metric_is_of_model(p->numbers[i].metric))
			all_answered &= p->numbers[i].measured_by == WITNESS_LIVE &&
				(!p->full->numbers.other || p->others[i].measured_by == WITNESS_LIVE);
	enum probe_timeline_kind what;
	bool timeline = !is_asked(tutor, &what) || tutor_stamps_there(tutor);
	return (all_answered && timeline) || explain_missing(tutor, NULL, diag);
}

void tutor_pause(struct tutor *tutor, bool paused)
{
	struct tutor_live *live = &tutor->private->live;
	live->halted = paused;
	if (paused && live->id && !live->canceled) {
		live->canceled = true;
		gpu_cancel(tutor->gpu, live->id);
	}
	if (!paused)
		tutor_live_request(tutor);
}
