/* The timelines of the experiment shown, made when a view first needs them: most steps never do. */
#include "profile/times.h"
#include "tutor/private.h"

void model_times_free(struct model_times *times)
{
	arena_free(times->arena);
	*times = (struct model_times){.arena = NULL};
}

/* Whose SMs the blocks are placed on: the GPU at hand, else the one that was recorded, else (0) the model's own idea of one. */
static struct times_request request_of(const struct workbench *bench, const struct experiment *e)
{
	const struct provenance *recorded = e->provenance && e->provenance->sms > 0 ? e->provenance : NULL;
	return (struct times_request){
		.block = e->step->watch_block,
		.warp = e->step->watch_warp,
		.sms = bench->sms  ? bench->sms
			: recorded ? (uint32_t)recorded->sms
				   : 0,
		.gpu = bench->sms  ? bench->gpu
			: recorded ? recorded->gpu
				   : NULL,
		.cc = MODEL_CC_DEFAULT,
	};
}

/* --- with the run of an experiment -------------------------------------------------------------------------------- */

struct timing timing_begin(const struct workbench *bench, const struct experiment *e, struct arena *scratch)
{
	struct times_request request = request_of(bench, e);
	struct timing timing = {
		.counted = times_are_in(e->step->metrics, e->step->n_metrics),
		/* what is counted is of block 0 on a GPU as the model knows it: with others it is another timeline */
		.shown = bench->wants_times && request.block == 0 && (request.sms == 0 || request.sms == TIMES_SMS),
		.sms = request.sms,
	};
	if (!timing.shown)
		request = (struct times_request){.cc = MODEL_CC_DEFAULT};
	if (timing.shown || timing.counted)
		timing.recorder = times_listen(scratch, e->program->module, e->launch, &request);
	return timing;
}

void timing_end(
	const struct timing *timing, struct workbench *bench, struct experiment *e, const struct profile *profile)
{
	if (!timing->recorder)
		return;
	struct model_times made = {.arena = arena_new(), .of = e->serial, .sms = timing->sms};
	times_take(timing->recorder, profile ? &profile->result : NULL, made.arena, &made.times);
	if (timing->counted &&
		e->model.c[COUNTER_INSTRUCTIONS].state == VALUE_OK) /* else what was counted does not stand */
		times_count(&made.times, &e->model);
	if (timing->shown) {
		model_times_free(&bench->times);
		bench->times = made;
	} else {
		model_times_free(&made);
	}
}

/* --- for the view ------------------------------------------------------------------------------------------------- */

static void note_gpu(struct workbench *bench, const struct gpu *gpu)
{
	const struct wire_gpu *info = gpu_info(gpu);
	bool known = info && info->sms > 0;
	bench->sms = known ? (uint32_t)info->sms : 0;
	bench->gpu = known ? info->name : NULL;
}

struct experiment *times_get_shown(struct tutor *tutor, const struct step *step)
{
	struct workbench *bench = tutor->private->bench;
	note_gpu(bench, tutor->gpu);
	bench->wants_times = view_is_of_time(tutor->view);
	struct experiment *e = workbench_get(bench, step, tutor->values);
	bench->wants_times = false;
	return e;
}

static void compute(struct model_times *times, const struct experiment *e, struct times_request *request)
{
	model_times_free(times);
	times->arena = arena_new();
	times->of = e->serial;
	times->sms = request->sms;
	request->gpu = request->gpu ? arena_strdup(times->arena, request->gpu) : NULL;
	times_model(times->arena, e->program->module, e->launch, request, &times->times);
}

/* Those that the run of the experiment left. */
static bool take_over(struct model_times *times, struct model_times *left, const struct experiment *e, uint32_t sms)
{
	if (left->of != e->serial || left->sms != sms)
		return false;
	model_times_free(times);
	*times = *left;
	*left = (struct model_times){.arena = NULL};
	return true;
}

void times_refresh(struct tutor *tutor)
{
	tutor->live_times = false;
	if (!view_is_of_time(tutor->view))
		return;
	struct tutor_private *p = tutor->private;
	const struct experiment *e = p->shown;
	if (!e || !e->launch || !e->program->module)
		return;
	note_gpu(p->bench, tutor->gpu);
	struct times_request request = request_of(p->bench, e);
	bool there = p->times.of == e->serial && p->times.sms == request.sms;
	if (!there && !take_over(&p->times, &p->bench->times, e, request.sms))
		compute(&p->times, e, &request);
	times_choose(tutor);
}

/* The GPU's, where they came and the reader does not want the model's. */
void times_choose(struct tutor *tutor)
{
	const struct tutor_private *p = tutor->private;
	const struct experiment *e = p->shown;
	tutor->live_times = e && stamps_there(tutor);
	if (!e || !view_is_of_time(tutor->view))
		return;
	const struct timelines *live = &e->live_times.times;
	struct timelines *shown = &tutor->input.times;
	*shown = p->times.of == e->serial ? p->times.times : (struct timelines){0};
	if (tutor->model_times)
		return;
	shown->schedule = live->schedule ? live->schedule : shown->schedule;
	shown->mask = live->mask ? live->mask : shown->mask;
	if (live->blocks) {
		shown->blocks = live->blocks;
		shown->activity = live->activity;
	}
}
