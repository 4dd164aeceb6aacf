/* The timelines of the experiment shown, made when a view first needs them: most steps never do. */
#include "profile/times.h"
#include "tutor/private.h"

void times_free(struct model_times *times)
{
	arena_free(times->arena);
	*times = (struct model_times){.arena = NULL};
}

/* Whose SMs the blocks are placed on: the GPU at hand, else the one that was recorded, else the model's own idea of one. */
static void name_gpu(const struct tutor *tutor, const struct experiment *e, struct times_request *request)
{
	const struct wire_gpu *gpu = gpu_info(tutor->gpu);
	if (gpu && gpu->sms > 0) {
		request->sms = (uint32_t)gpu->sms;
		request->gpu = gpu->name;
	} else if (e->provenance && e->provenance->sms > 0) {
		request->sms = (uint32_t)e->provenance->sms;
		request->gpu = e->provenance->gpu;
	}
}

static void compute(struct model_times *times, const struct experiment *e, struct times_request *request)
{
	times_free(times);
	times->arena = arena_new();
	times->of = e->serial;
	times->sms = request->sms;
	request->gpu = request->gpu ? arena_strdup(times->arena, request->gpu) : NULL;
	times_model(times->arena, e->program->module, e->launch, request, &times->times);
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
	struct times_request request = {.block = e->step->watch_block, .warp = e->step->watch_warp, .cc = MODEL_CC_DEFAULT};
	name_gpu(tutor, e, &request);
	if (p->times.of != e->serial || p->times.sms != request.sms)
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
