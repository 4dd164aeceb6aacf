/* The model's timelines of an experiment: made when they are first needed, which for most steps is never. */
#include "course/experiment/private.h"

void experiment_times_free(struct experiment_times *times)
{
	arena_free(times->arena);
	*times = (struct experiment_times){.arena = NULL};
}

/* Machine instructions of the launch, where a recording of the PTX as it is has them. */
static double counted_instructions(struct experiment *e)
{
	const struct experiment_recording *recording = experiment_recording(e);
	struct value counted = recording->counts.c[COUNTER_INSTRUCTIONS];
	return recording->provenance && counted.state == VALUE_OK ? counted.v : 0;
}

/* Whose SMs the blocks are placed on. */
static struct times_request request_of(struct experiment *e)
{
	const struct experiments *set = e->set;
	const struct experiment_provenance *recorded = experiment_recording(e)->provenance;
	struct times_request request = {
		.block = e->watched.block,
		.warp = e->watched.warp,
		.cc = set->rules.cc,
		.instructions = counted_instructions(e),
	};
	if (set->sms) {
		request.sms = set->sms;
		request.gpu = set->gpu;
	} else if (recorded && recorded->sms > 0) {
		request.sms = (uint32_t)recorded->sms;
		request.gpu = recorded->gpu;
	}
	return request;
}

struct experiment_timing experiment_timing_begin(
	struct experiment *e, enum experiment_run_for what, struct arena *scratch)
{
	struct times_request request = request_of(e);
	struct experiment_timing timing = {
		/* what is stored may be shown by a step that counts other things */
		.counted = e->set->rules.stored == EXPERIMENT_STORED_NEVER ||
			profile_times_are_in(e->step->metrics, e->step->n_metrics),
		/* what is counted is of block 0 on a GPU as the model knows it: with others it is another timeline */
		.kept = what == EXPERIMENT_RUN_FOR_TIMES && request.block == 0 &&
			(request.sms == 0 || request.sms == TIMES_SMS),
		.sms = request.sms,
	};
	if (!timing.kept)
		request = (struct times_request){.cc = e->set->rules.cc, .instructions = request.instructions};
	if (timing.kept || timing.counted)
		timing.recorder = profile_times_listen(scratch, e->kernel->module, e->launch, &request);
	return timing;
}

void experiment_timing_end(const struct experiment_timing *timing, struct experiment *e, const struct profile *profile)
{
	if (!timing->recorder)
		return;
	struct experiment_times made = {.arena = arena_new(), .of = e, .sms = timing->sms};
	profile_times_take(timing->recorder, profile ? &profile->result : NULL, made.arena, &made.timelines);
	if (timing->counted && profile)
		profile_times_count(&made.timelines, &e->private->run.counts);
	if (timing->kept) {
		experiment_times_free(&e->set->times);
		e->set->times = made;
	} else {
		experiment_times_free(&made);
	}
}

/* `drawn`: those of before will do if they have no estimate. */
static const struct timelines *times_of(struct experiment *e, bool drawn)
{
	const struct experiment_times *times = &e->set->times;
	if (!e->launch || !e->kernel->module)
		return NULL;
	struct times_request request = request_of(e);
	if (!e->private->has_run)
		experiment_run_now(e, EXPERIMENT_RUN_FOR_TIMES);
	if (times->of == e && times->sms == request.sms && (drawn || !times->drawn))
		return &times->timelines;
	request.drawn = drawn && e->private->run.stored; /* what it counts is stored, too */

	struct experiment_times *make_times = &e->set->times;
	experiment_times_free(make_times);
	*make_times = (struct experiment_times){
		.arena = arena_new(), .of = e, .sms = request.sms, .drawn = request.drawn};
	profile_times_model(make_times->arena, e->kernel->module, e->launch, &request, &make_times->timelines);

	return &times->timelines;
}

const struct timelines *experiment_times(struct experiment *e)
{
	return times_of(e, true);
}

const struct engine_estimate *experiment_estimate(struct experiment *e)
{
	const struct timelines *times = times_of(e, false);
	return times ? times->estimate : NULL;
}
