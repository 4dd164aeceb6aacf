#include "config.h"
#include "gpu/worker/profiler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/portable.h"
#include "gpu/worker/cause.h"

#define PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}
#define PATIENCE_FIRST 4 /* repeating a part of a larger set costs about 150 ms by then */
#define PATIENCE_MOST 1024
#define JOINED_MAX (2 * WIRE_METRICS_MAX) /* metrics counted together for two requests */
#define BUSY_MS                                                                                                        \
	2000 /* how long counters that are taken are waited for; cleaning up after a killed process takes less */
#define BUSY_POLL_MS 50
#define RUNS_MAX 64 /* launches of one measurement; CUPTI needs one for each pass at most */

/* --- opening ------------------------------------------------------------------------------------------------------ */

bool profiler_fail(struct profiler *p, const char *what, CUptiResult result, struct wire_error *error)
{
	return cause_fail_cupti(p->arena, &p->cupti, what, result, error);
}

/* A process that was killed while it counted keeps the counters for as long as the driver takes to clean up after its
 * process; our turn has begun then already. Waits a little; false when `until` is over. */
static bool waits_until(double until)
{
	nanosleep(&(struct timespec){.tv_nsec = BUSY_POLL_MS * 1000000L}, NULL);
	return clock_ms() < until;
}

static CUptiResult get_availability(struct profiler *p)
{
	PARAMS(CUpti_Profiler_GetCounterAvailability_Params, a);
	a.ctx = p->context;
	CUptiResult result = p->cupti.cuptiProfilerGetCounterAvailability(&a);
	if (result != CUPTI_SUCCESS)
		return result;
	p->availability = arena_alloc(p->arena, a.counterAvailabilityImageSize);
	a.pCounterAvailabilityImage = p->availability;
	return p->cupti.cuptiProfilerGetCounterAvailability(&a);
}

bool profiler_open(
	struct arena *arena, struct profiler *profiler, const struct profiler_gpu *gpu, struct wire_error *error)
{
	*profiler = (struct profiler){.arena = arena, .context = gpu->context, .chip = "", .patience = PATIENCE_FIRST};
	struct cupti *cupti = &profiler->cupti;
	if (!cupti_open(arena, cupti, gpu->driver_cuda, error))
		return false;
	PARAMS(CUpti_Profiler_Initialize_Params, init);
	CUptiResult result = cupti->cuptiProfilerInitialize(&init);
	if (result != CUPTI_SUCCESS)
		return profiler_fail(profiler, "cuptiProfilerInitialize", result, error);
	PARAMS(CUpti_Device_GetChipName_Params, chip);
	chip.deviceIndex = (size_t)gpu->device;
	result = cupti->cuptiDeviceGetChipName(&chip);
	if (result != CUPTI_SUCCESS)
		return profiler_fail(profiler, "cuptiDeviceGetChipName", result, error);
	profiler->chip = arena_strdup(arena, chip.pChipName);

	PARAMS(CUpti_Profiler_DeviceSupported_Params, s);
	s.cuDevice = gpu->device;
	s.api = CUPTI_PROFILER_RANGE_PROFILING;
	/* where the library has no answer, try */
	if (profiler->cupti.cuptiProfilerDeviceSupported(&s) == CUPTI_SUCCESS &&
		!cause_check_support(profiler->arena, &s, error))
		return false;

	double until = clock_ms() + BUSY_MS;
	while ((result = get_availability(profiler)) == CUPTI_ERROR_HARDWARE_BUSY && waits_until(until))
		continue;
	if (result != CUPTI_SUCCESS)
		return profiler_fail(profiler, "cuptiProfilerGetCounterAvailability", result, error);
	return true;
}

/* --- setting ------------------------------------------------------------------------------------------------------ */

static CUptiResult disable(struct profiler *p)
{
	PARAMS(CUpti_RangeProfiler_Disable_Params, params);
	params.pRangeProfilerObject = p->range;
	CUptiResult result = p->range ? p->cupti.cuptiRangeProfilerDisable(&params) : CUPTI_SUCCESS;
	p->range = NULL;
	p->set = NULL;
	p->pass = 0;
	return result;
}

void profiler_rest(struct profiler *profiler)
{
	disable(profiler);
}

static CUptiResult clear_data(struct profiler *p, struct plan *plan)
{
	PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, params);
	params.pRangeProfilerObject = p->range;
	params.counterDataSize = plan->data_size;
	params.pCounterData = plan->data;
	return p->cupti.cuptiRangeProfilerCounterDataImageInitialize(&params);
}

/* Sets the profiler to the plan, if it is set to another, and empties the counter data. */
static CUptiResult set(struct profiler *p, struct plan *plan, enum profiler_replay replay)
{
	CUptiResult result = CUPTI_SUCCESS;
	bool other = p->set != plan || p->replay != replay;
	if (other) {
		const struct plan *before = p->set;
		disable(p);
		p->before = before;
		p->replay = replay;

		PARAMS(CUpti_RangeProfiler_Enable_Params, params);
		params.ctx = p->context;
		result = p->cupti.cuptiRangeProfilerEnable(&params);
		p->range = result == CUPTI_SUCCESS ? params.pRangeProfilerObject : NULL;

		if (result == CUPTI_SUCCESS) {
			/* Has to be asked of each newly enabled profiler, also where the image is there already:
			 * initializing one that was only sized by an earlier profiler ended in a segmentation fault
			 * (CUPTI 13.0). */
			PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
			size.pRangeProfilerObject = p->range;
			size.pMetricNames = plan->counted;
			size.numMetrics = (size_t)plan->n_counted;
			size.maxNumOfRanges = 1;
			size.maxNumRangeTreeNodes = 1;
			result = p->cupti.cuptiRangeProfilerGetCounterDataSize(&size);
			if (result == CUPTI_SUCCESS) {
				free(plan->data);
				plan->data_size = size.counterDataSize;
				plan->data = base_calloc(1, plan->data_size);
			}
		}
	}
	if (result == CUPTI_SUCCESS)
		result = clear_data(p, plan);
	if (result == CUPTI_SUCCESS && other) {
		PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
		params.pRangeProfilerObject = p->range;
		params.configSize = plan->config_size;
		params.pConfig = plan->config;
		params.counterDataImageSize = plan->data_size;
		params.pCounterDataImage = plan->data;
		params.range = CUPTI_AutoRange;
		params.replayMode = p->replay == PROFILER_REPLAY_US ? CUPTI_UserReplay : CUPTI_KernelReplay;
		params.maxRangesPerPass = 1;
		params.numNestingLevels = 1;
		params.minNestingLevel = 1;
		params.targetNestingLevel = 1;
		result = p->cupti.cuptiRangeProfilerSetConfig(&params);
	}
	p->set = result == CUPTI_SUCCESS ? plan : NULL;
	return result;
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

/* The plan for these metrics, made at first use and valid until another is made. */
static struct plan *find_plan(struct profiler *p, const char *const *metrics, int n, struct wire_error *error)
{
	for (int i = 0; i < p->n_plans; i++) {
		bool same = p->plans[i]->n == n;
		for (int j = 0; j < n && same; j++)
			same = strcmp(p->plans[i]->metrics[j], metrics[j]) == 0;
		if (same)
			return p->plans[i];
	}
	const struct plan_chip chip = {&p->cupti, p->chip, p->availability, CUPTI_PROFILER_TYPE_RANGE_PROFILER};
	struct arena *arena = arena_new();
	struct plan *plan = plan_new(arena, &chip, metrics, n, error);
	if (!plan) {
		error->message = arena_strdup(p->arena, error->message);
		arena_free(arena);
		return NULL;
	}
	int at = p->next_plan++ % PROFILER_PLANS_MAX;
	if (at < p->n_plans) {
		const struct plan *old = p->plans[at];
		if (p->set == old)
			disable(p);
		/* another plan may get its address, and would be taken for it */
		p->before = p->before == old ? NULL : p->before;
		p->last = p->last == old ? NULL : p->last;
		plan_free(p->plans[at], &p->cupti);
		arena_free(p->plan_arenas[at]);
	} else {
		p->n_plans++;
	}
	p->plans[at] = plan;
	p->plan_arenas[at] = arena;
	return plan;
}

static int find_metric(const struct plan *plan, const char *name)
{
	for (int i = 0; i < plan->n; i++)
		if (!strcmp(plan->metrics[i], name))
			return i;
	return -1;
}

/* The plan to measure `asked` with. */
static struct plan *choose_plan(struct profiler *p, struct plan *asked, struct wire_error *error)
{
	p->repeated = p->last == asked ? p->repeated + 1 : 1;
	p->last = asked;
	if (!p->set || p->set == asked)
		return asked;

	bool within = true;
	for (int i = 0; i < asked->n && within; i++)
		within = find_metric(p->set, asked->metrics[i]) >= 0;
	if (within)
		return p->repeated >= p->patience && asked->passes < p->set->passes ? asked : p->set;
	if (p->before != asked || asked->n + p->set->n > JOINED_MAX)
		return asked;
	if (p->patience < PATIENCE_MOST)
		p->patience *= 2;

	/* A plan for what both count. */
	const char *metrics[JOINED_MAX];
	int n = 0;
	for (int i = 0; i < asked->n; i++)
		metrics[n++] = asked->metrics[i];
	for (int i = 0; i < p->set->n; i++)
		if (find_metric(asked, p->set->metrics[i]) < 0)
			metrics[n++] = p->set->metrics[i];
	return find_plan(p, metrics, n, error);
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

static CUptiResult stop(struct profiler *p, bool *finished)
{
	PARAMS(CUpti_RangeProfiler_Stop_Params, params);
	params.pRangeProfilerObject = p->range;
	CUptiResult result = p->cupti.cuptiRangeProfilerStop(&params);
	*finished = params.isAllPassSubmitted;
	return result;
}

static CUptiResult decode(struct profiler *p)
{
	PARAMS(CUpti_RangeProfiler_DecodeData_Params, params);
	params.pRangeProfilerObject = p->range;
	return p->cupti.cuptiRangeProfilerDecodeData(&params);
}

/* One pass, or with CUPTI's replay all of them. */
static bool run_pass(struct profiler *p, const struct profiler_run *run, bool *finished, struct wire_error *error)
{
	PARAMS(CUpti_RangeProfiler_Start_Params, params);
	params.pRangeProfilerObject = p->range;
	CUptiResult result = p->cupti.cuptiRangeProfilerStart(&params);
	if (result != CUPTI_SUCCESS)
		return profiler_fail(p, "cuptiRangeProfilerStart", result, error);
	bool ran = run->run(run->ctx, error);
	result = stop(p, finished);
	p->pass = *finished ? 0 : p->pass + 1;
	p->between = !*finished;
	if (ran && result != CUPTI_SUCCESS)
		return profiler_fail(p, "cuptiRangeProfilerStop", result, error);
	return ran;
}

/* Hands over what the plan counted: `counted` has a value for each metric that the chip has, NAN where it was not yet
 * counted since the data was cleared; what was known stays. */
static void deliver(const struct plan *plan, const double *counted, struct profiler_request *request)
{
	for (int i = 0; i < request->n; i++) {
		int at = find_metric(plan, request->metrics[i]), k = 0;
		while (k < plan->n_counted && plan->index[k] != at)
			k++;
		request->available[i] = plan->available[at];
		if (k < plan->n_counted && !isnan(counted[k]))
			request->values[i] = counted[k];
	}
}

/* CUPTI 13.0 was seen to answer "unknown" here permanently, where lines were counted in the same process (sass.h):
 * sizing, configuring and initializing again change nothing. A new process helps. */
static bool read_counters(
	struct profiler *p, const struct plan *plan, struct profiler_request *request, struct wire_error *error)
{
	double *counted = base_calloc((size_t)plan->n_counted + 1, sizeof *counted);
	const char *what = "cuptiRangeProfilerDecodeData";
	CUptiResult result = decode(p);
	if (result == CUPTI_SUCCESS) {
		what = "cuptiRangeProfilerGetCounterDataInfo";

		PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
		info.pCounterDataImage = plan->data;
		info.counterDataImageSize = plan->data_size;
		result = p->cupti.cuptiRangeProfilerGetCounterDataInfo(&info);
		if (result == CUPTI_SUCCESS && info.numTotalRanges != 1)
			result = CUPTI_ERROR_QUEUE_EMPTY;
	}
	if (result == CUPTI_SUCCESS) {
		what = "cuptiProfilerHostEvaluateToGpuValues";

		PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
		params.pHostObject = plan->host;
		params.pCounterDataImage = plan->data;
		params.counterDataImageSize = plan->data_size;
		params.ppMetricNames = plan->counted;
		params.numMetrics = (size_t)plan->n_counted;
		params.pMetricValues = counted;
		result = p->cupti.cuptiProfilerHostEvaluateToGpuValues(&params);
	}
	deliver(plan, counted, request);
	free(counted);
	if (result == CUPTI_SUCCESS)
		return p->has_read = true;
	profiler_fail(p, what, result, error);
	if (error->code == WIRE_PROFILER && p->has_read)
		error->code = WIRE_PROFILER_STUCK;
	return false;
}

/* Whether there are numbers that are counted per machine instruction. */
static bool has_quick(const struct profiler_request *request)
{
	for (int i = 0; i < request->n; i++)
		if (strstr(request->metrics[i], "__sass_") && !isnan(request->values[i]))
			return true;
	return false;
}

/* Our own replay counts its passes: after one that was given up they begin in the middle, and `finished` comes early.
 * What follows would be a second range, for which the data has no room. */
static bool run_passes(struct profiler *p, struct plan *plan, struct profiler_request *request,
	const struct profiler_run *run, struct wire_error *error)
{
	for (bool finished = false;; finished = false) {
		if (request->made >= RUNS_MAX)
			return profiler_fail(p, "cuptiRangeProfilerStart", CUPTI_ERROR_MAX_LIMIT_REACHED, error);
		int pass = p->pass;
		if (!run_pass(p, run, &finished, error))
			return false;
		request->made++;
		bool quick = has_quick(request), read = read_counters(p, plan, request, error);
		if (read && !quick && has_quick(request) && plan->quick == PLAN_QUICK_UNKNOWN &&
			p->replay == PROFILER_REPLAY_US)
			plan->quick = pass;
		if (!read || (request->replay == PROFILER_REPLAY_US ? request->made == request->passes : finished))
			return read;

		if (request->passed && !request->passed(request)) {
			*error = (struct wire_error){WIRE_CANCELED, "the measurement was canceled"};
			return false;
		}

		CUptiResult result = finished ? clear_data(p, plan) : CUPTI_SUCCESS;
		if (result != CUPTI_SUCCESS)
			return profiler_fail(p, "clearing the counters", result, error);
	}
}

/* Gives up the profiler's setting after any failure but a cancel, which leaves it between two passes. */
static bool measure_plan(struct profiler *p, struct plan *plan, struct profiler_request *request,
	const struct profiler_run *run, struct wire_error *error)
{
	for (int i = 0; i < request->n; i++)
		request->values[i] = (double)NAN;
	if (!plan->n_counted) {
		deliver(plan, NULL, request);
		return true;
	}
	CUptiResult result = set(p, plan, request->replay);
	if (result != CUPTI_SUCCESS)
		return profiler_fail(p, "setting up the range profiler", result, error);
	bool measured = run_passes(p, plan, request, run, error);
	if (measured && p->between) {
		bool complete = true;
		for (int i = 0; i < request->n && complete; i++)
			complete = !request->available[i] || !isnan(request->values[i]);

		if (!complete) {
			/* what takes several passes was cleared in the midst of them: begin with the first */
			disable(p);
			request->made = 0;
			plan->quick = PLAN_NEVER_QUICK; /* nor in their midst the next time */
			result = set(p, plan, request->replay);
			measured = result == CUPTI_SUCCESS
				? run_passes(p, plan, request, run, error)
				: profiler_fail(p, "setting up the range profiler", result, error);
		}
	}
	if (!measured && error->code != WIRE_CANCELED)
		disable(p);
	return measured;
}

bool profiler_is_behind(const struct profiler *profiler)
{
	const struct plan *set = profiler->set;
	return set && profiler->replay == PROFILER_REPLAY_US && set->quick >= 0 && profiler->pass != set->quick;
}

void profiler_go_ahead(struct profiler *profiler, const struct profiler_run *run)
{
	struct wire_error error;
	bool finished;
	if (clear_data(profiler, profiler->set) != CUPTI_SUCCESS || !run_pass(profiler, run, &finished, &error) ||
		decode(profiler) != CUPTI_SUCCESS)
		disable(profiler);
}

bool profiler_measure(struct profiler *profiler, struct profiler_request *request, const struct profiler_run *run,
	struct wire_error *error)
{
	struct plan *plan = find_plan(profiler, request->metrics, request->n, error);
	if (plan)
		plan = choose_plan(profiler, plan, error);
	if (!plan)
		return false;
	request->passes = (int)plan->passes;

	double until = clock_ms() + (profiler->range ? 0 : BUSY_MS);
	for (;;) {
		request->made = 0;
		if (measure_plan(profiler, plan, request, run, error))
			return true;
		if (error->code != WIRE_OTHER_PROFILER || !waits_until(until))
			return false;
	}
}
