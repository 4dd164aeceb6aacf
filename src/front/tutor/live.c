#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/portable.h"
#include "base/text.h"
#include "course/experiment/lines.h"
#include "front/tutor/present.h"
#include "front/tutor/private.h"
#include "model/hardware/metrics.h"

/* --- what to ask ------------------------------------------------------------------------------------------------------ */
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

/* The names of all in one set, so that the profiler need not be set up again; first what is counted per machine instruction, which
 * the worker counts first. Returns how many. */
static int name_counters(
	const struct wish *wish, const struct kernel_file *file, int cc, const char *names[2 * COUNTERS])
{
	int n = 0;
	bool loads = counter_only_loads(file->ptx_text, file->ptx_len);
	for (int i = 0; i < wish->n; i++)
		if (counter_per_instruction(wish->counters[i]))
			names[n++] = counter_per_instruction(wish->counters[i]);
	for (int i = 0; i < wish->n; i++)
		if (!loads || !counter_is_replaced(wish->counters[i], cc))
			names[n++] = counter_table[wish->counters[i]].hw;
	return n;
}

bool tutor_live_fits(const struct tutor *tutor, const struct experiment *e)
{
	const struct wire_gpu *info = gpu_info(tutor->gpu);
	return !info || !e || experiment_fits_gpu(e, info->cc);
}

const struct launch *tutor_live_launch(const struct tutor *tutor, struct experiment *e, struct value *why)
{
	bool fits = tutor_live_fits(tutor, e);
	*why = fits ? value_missing(VALUE_NOT_LAUNCHED) : (struct value){experiment_needs_cc(e), VALUE_OTHER_GPU};
	return fits ? experiment_gpu_launch(e) : NULL;
}

/* "the kernel needs compute capability 9.0, RTX 4090 has 8.9" */
static void say_other_gpu(const struct tutor *tutor, char *out, size_t size)
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
	const struct launch *launch = tutor_live_launch(tutor, e, &why);
	struct counts *counts = &experiment_live(e)->counts;
	const char *names[2 * COUNTERS];
	int n = name_counters(wish, file, gpu_info(tutor->gpu)->cc, names);
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
	const struct launch *launch = tutor_live_launch(tutor, e, &why);
	experiment_live(e)->lines_state = ptx && launch ? VALUE_PENDING : ptx ? why.state : VALUE_FAILED;
	if (!ptx || !launch)
		return false;
	const struct wire_message request = experiment_lines_message(ptx, launch);
	live->n_asked = 0;
	live->experiment = e;
	experiment_pin(e);
	live->id = gpu_ask(tutor->gpu, &request);
	return true;
}

static void refuse_unsupported(const struct tutor *tutor, struct experiment *e, enum metric_id metric)
{
	enum counter_id of[METRIC_COUNTERS_MAX];
	int cc = gpu_info(tutor->gpu)->cc;
	for (int i = metric_counters(metric, of); i-- > 0;) {
		struct value *value = &experiment_live(e)->counts.c[of[i]];
		if (value->state == VALUE_NONE && !counter_is_collected(of[i], cc))
			*value = value_unsupported(cc);
	}
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
	for (int i = 0; i < tutor->private->full.numbers.n_rows; i++) {
		refuse_unsupported(tutor, e, tutor->private->numbers[i].metric);
		wish_metric(&wish, e, tutor->private->numbers[i].metric);
	}
	wish_roofline(tutor, &wish, e);
	return wish;
}

/* What is measured is no longer what the reader looks at, and that is not measured yet: the GPU is to turn to it. */
static void cancel_unseen(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	if (p->live.canceled || p->live.experiment == p->shown || !p->shown || !p->shown->launch ||
		!tutor_live_counts(tutor))
		return;
	if (wish_numbers(tutor, tutor->private->shown).n == 0)
		return;
	p->live.canceled = true;
	gpu_cancel(tutor->gpu, p->live.id);
}

/* What the step's numbers lack, then those beside them. False when there is nothing to ask. */
static bool ask_numbers(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	struct experiment *of[] = {p->shown, p->full.numbers.other ? p->other : NULL};
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

/* The next point of the sweep. */
static void ask_sweep(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
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

/* Where counters are locked, stamps are not. */
void tutor_live_ask(struct tutor *tutor)
{
	struct tutor_private *p = tutor->private;
	bool counts = tutor_live_counts(tutor);
	if (p->live.halted)
		return;
	if (p->live.id) {
		cancel_unseen(tutor);
		return;
	}
	if (tutor->presented && !tutor->presented->measured)
		return;
	if (!p->shown || !p->shown->launch || gpu_state(tutor->gpu) != GPU_READY || !gpu_info(tutor->gpu))
		return;
	if ((counts && ask_numbers(tutor)) || tutor_stamps_ask(tutor))
		return;
	if (counts && !send_lines(tutor, p->shown))
		ask_sweep(tutor);
}

void tutor_live_detach(struct tutor *tutor)
{
	tutor_stamps_settle(&tutor->private->live, VALUE_NONE);
	experiment_unpin(tutor->private->live.experiment);
	tutor->private->live.experiment = NULL;
	tutor_blame_end(tutor);
}

/* --- what came -------------------------------------------------------------------------------------------------------- */
static bool is_plain_absence(enum wire_error_code code)
{
	return code == WIRE_SWITCHED_OFF || code == WIRE_NO_WORKER || code == WIRE_NO_DRIVER || code == WIRE_NO_DEVICE;
}

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
	if (!error || ((is_plain_absence(error->code) || again) && !live->asked_for))
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
	if (p->full.numbers.other && p->other && p->live.experiment != p->other)
		experiment_forget_live(p->other);

	if (gpu_state(tutor->gpu) == GPU_OFF || gpu_state(tutor->gpu) == GPU_LOST) {
		gpu_start(tutor->gpu);
		if (gpu_state(tutor->gpu) == GPU_OFF)
			report_error(tutor, gpu_error(tutor->gpu));
	}
	if (gpu_state(tutor->gpu) == GPU_READY && !gpu_info(tutor->gpu)->counters)
		gpu_restart(tutor->gpu);
	tutor_live_ask(tutor);
	tutor_refresh_measured(tutor);
	if (gpu_state(tutor->gpu) == GPU_READY && tutor->private->shown &&
		!tutor_live_fits(tutor, tutor->private->shown))
		say_other_gpu(tutor, tutor->notice, sizeof tutor->notice);
}

static void settle(struct tutor_live *live, struct value missing)
{
	for (int i = 0; live->experiment && i < live->n_asked; i++) {
		struct value *v = &experiment_live(live->experiment)->counts.c[live->asked[i]];
		if (v->state == VALUE_PENDING)
			*v = missing;
	}
	tutor_stamps_settle(live, missing.state);
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

/* What the passes made so far have counted. */
static void take_progress(struct tutor *tutor, const struct wire_progress *progress)
{
	struct tutor_live *live = &tutor->private->live;
	live->progress = (struct wire_progress){progress->pass, progress->passes, progress->waiting, NULL, NULL, 0};
	if (live->experiment)
		counts_set_named(&experiment_live(live->experiment)->counts,
			&(struct named_counts){progress->metrics, progress->values, NULL, progress->n, 0});
}

static void take_answer(struct tutor *tutor, const struct wire_message *answer)
{
	switch (answer->kind) {
	case WIRE_RESULT_LINES: {
		struct tutor_live *live = &tutor->private->live;
		if (live->experiment) {
			struct experiment_live *of = experiment_live(live->experiment);
			of->lines = experiment_lines_read(live->experiment->arena, &answer->line_counts);
			of->lines_state = VALUE_OK;
		}
		settle(live, value_missing(VALUE_FAILED));
		break;
	}
	case WIRE_RESULT_STAMP:
		tutor_stamps_take(tutor, &answer->stamped);
		settle(&tutor->private->live, value_missing(VALUE_FAILED));
		break;
	case WIRE_RESULT_SAMPLE:
		tutor_stamps_take_samples(tutor, &answer->samples);
		settle(&tutor->private->live, value_missing(VALUE_FAILED));
		break;
	default: break;
	}
}

static void take_event(struct tutor *tutor, const struct gpu_event *event)
{
	struct tutor_live *live = &tutor->private->live;
	bool ours = live->id && event->id == live->id;
	switch (event->kind) {
	case GPU_EVENT_PROGRESS:
		if (ours || event->id == 0)
			take_progress(tutor, &event->progress);
		break;
	case GPU_EVENT_MEASURED:
		if (ours) {
			const struct wire_measurement *m = event->measurement;
			struct tutor_live *asked = &tutor->private->live;
			if (asked->experiment)
				counts_set_named(&experiment_live(asked->experiment)->counts,
					&(struct named_counts){
						m->metrics, m->values, m->available, m->n, gpu_info(tutor->gpu)->cc});
			settle(asked, value_missing(VALUE_FAILED));
		}
		break;
	case GPU_EVENT_ERROR:
		if (ours && event->error && event->error->code == WIRE_CANCELED) {
			/* Of a measurement that was given up nothing is kept: all of it is asked for together again. */
			for (int i = 0; live->experiment && i < live->n_asked; i++)
				experiment_live(live->experiment)->counts.c[live->asked[i]] = value_missing(VALUE_NONE);
			settle(live, value_missing(VALUE_NONE));
			break;
		}
		report_error(tutor, event->error);
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
		if (wire_error_blames_kernel(event->error->code)) {
			live->paused.lines = live->paused.stamps = live->paused.samples =
				true; /* it would only fail again */
			tutor_blame_begin(tutor, live->experiment);
		}
		settle(live,
			value_missing(event->error->code == WIRE_NO_PERMISSION ? VALUE_NO_PERMISSION : VALUE_FAILED));
		break;
	case GPU_EVENT_PROBED:
		live->asked_for = live->lost = false;
		tutor->measured.failure = NULL;
		tutor_recorded_begin(tutor);
		live->progress = (struct wire_progress){0};
		if (gpu_info(tutor->gpu) && !gpu_info(tutor->gpu)->counters)
			report_failure(
				tutor, gpu_info(tutor->gpu)->counters_message, gpu_info(tutor->gpu)->counters_error);
		break;
	case GPU_EVENT_ANSWERED:
		if (ours)
			take_answer(tutor, event->answer);
		break;
	case GPU_EVENT_NONE: break;
	}
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
		take_event(tutor, &event);
		changed = true;
		if (event.kind == GPU_EVENT_PROGRESS)
			break; /* a worker that reports without end must not keep the reader's keys waiting */
	}
	tutor_live_ask(tutor);
	if (changed)
		tutor_refresh_measured(tutor);
	return changed;
}

static bool all_answered(const struct tutor *tutor)
{
	const struct tutor_private *p = tutor->private;
	for (int i = 0; i < p->full.numbers.n_rows; i++)
		if (!metric_is_of_model(p->numbers[i].metric) &&
			(p->numbers[i].measured_by != WITNESS_LIVE ||
				(p->full.numbers.other && p->others[i].measured_by != WITNESS_LIVE)))
			return false;
	return true;
}

/* Why the live numbers are not there; `late` is the reason when time ran out and nothing else is known, else NULL. */
static bool explain_missing(struct tutor *tutor, const char *late, struct diag *diag)
{
	struct diag_pos nowhere = {0};
	const struct wire_error *error = gpu_error(tutor->gpu);
	while (tutor->private->blame)
		tutor_blame_step(tutor);
	if (!tutor_live_fits(tutor, tutor->private->shown))
		say_other_gpu(tutor, tutor->notice, sizeof tutor->notice);
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
	return (all_answered(tutor) && tutor_stamps_answered(tutor)) || explain_missing(tutor, NULL, diag);
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
		tutor_live_ask(tutor);
}
