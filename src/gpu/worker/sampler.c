#include "gpu/worker/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/worker/cause.h"

#define PARAMS(type, name) type name = {.structSize = type##_STRUCT_SIZE}
#define HARDWARE_BYTES ((size_t)64 << 20) /* 16 MiB were too few for 4300 samples, 64 enough for 2100 */
#define FINEST 500                        /* ns; finer ones fill the image with what is before and after the kernel */
#define AROUND_MS 0.38                    /* sampled before and after the kernel */
#define ROOM 0.9                          /* of the image that an interval may be chosen to fill */

/* --- opening ------------------------------------------------------------------------------------------------------ */

static CUptiResult get_availability(struct sampler *s)
{
	PARAMS(CUpti_PmSampling_GetCounterAvailability_Params, a);
	a.deviceIndex = s->device;
	CUptiResult result = s->profiler->cupti.cuptiPmSamplingGetCounterAvailability(&a);
	if (result != CUPTI_SUCCESS)
		return result;
	s->availability = arena_alloc(s->profiler->arena, a.counterAvailabilityImageSize);
	a.pCounterAvailabilityImage = s->availability;
	return s->profiler->cupti.cuptiPmSamplingGetCounterAvailability(&a);
}

bool sampler_open(struct sampler *sampler, struct profiler *profiler, int device, struct wire_error *error)
{
	*sampler = (struct sampler){.device = (size_t)device};

	PARAMS(CUpti_Profiler_DeviceSupported_Params, s);
	s.cuDevice = (CUdevice)sampler->device;
	s.api = CUPTI_PROFILER_PM_SAMPLING;
	if (!profiler->cupti.sampling) {
		*error = (struct wire_error){WIRE_CUPTI_TOO_OLD, "this CUPTI has no PM sampling (CUDA 12.6 has it)"};
		return false;
	}
	/* where the library has no answer, try */
	if (profiler->cupti.cuptiProfilerDeviceSupported(&s) == CUPTI_SUCCESS &&
		!cause_check_support(profiler->arena, &s, error))
		return false;

	sampler->profiler = profiler;
	profiler_rest(profiler);
	CUptiResult result = get_availability(sampler);
	if (result == CUPTI_SUCCESS)
		return true;
	sampler->profiler = NULL;
	return profiler_fail(profiler, "cuptiPmSamplingGetCounterAvailability", result, error);
}

/* --- setting ------------------------------------------------------------------------------------------------------ */

void sampler_rest(struct sampler *sampler)
{
	PARAMS(CUpti_PmSampling_Disable_Params, params);
	params.pPmSamplingObject = sampler->object;
	if (sampler->object)
		sampler->profiler->cupti.cuptiPmSamplingDisable(&params);
	sampler->object = NULL;
	sampler->interval = 0;
}

/* Leaves the plan for what is asked for; false when the chip cannot sample that. */
static bool choose_plan(struct sampler *s, const struct sampler_request *r, struct wire_error *error)
{
	struct profiler *p = s->profiler;

	bool same = s->plan && s->plan->n == r->n_metrics;
	for (int i = 0; same && i < s->plan->n; i++)
		same = strcmp(s->plan->metrics[i], r->metrics[i]) == 0;
	if (same)
		return true;
	sampler_rest(s);
	plan_free(s->plan, &p->cupti);
	arena_free(s->plan_arena);
	s->plan_arena = arena_new();
	const struct plan_chip chip = {&p->cupti, p->chip, s->availability, CUPTI_PROFILER_TYPE_PM_SAMPLING};
	s->plan = plan_new(s->plan_arena, &chip, r->metrics, r->n_metrics, error);
	if (!s->plan) {
		error->message = arena_strdup(r->arena, error->message);
		return false;
	}
	if (!s->plan->n_counted)
		*error = (struct wire_error){WIRE_UNSUPPORTED_GPU, "this GPU can sample none of the metrics asked for"};
	else if (s->plan->passes != 1)
		*error = (struct wire_error){WIRE_BAD_REQUEST,
			arena_printf(
				r->arena, "the metrics asked for take %zu passes; sampling has one", s->plan->passes)};
	else
		return true;
	plan_free(s->plan, &p->cupti);
	s->plan = NULL;
	return false;
}

static CUptiResult set_config(struct sampler *s, int interval)
{
	PARAMS(CUpti_PmSampling_SetConfig_Params, params);
	params.pPmSamplingObject = s->object;
	params.configSize = s->plan->config_size;
	params.pConfig = s->plan->config;
	params.hardwareBufferSize = HARDWARE_BYTES;
	params.samplingInterval = (uint64_t)interval;
	params.triggerMode = CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
	params.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
	return s->profiler->cupti.cuptiPmSamplingSetConfig(&params);
}

static bool set(struct sampler *s, int interval, struct wire_error *error)
{
	if (s->interval == interval)
		return true;
	sampler_rest(s);
	profiler_rest(s->profiler);
	const char *what = "cuptiPmSamplingEnable";

	PARAMS(CUpti_PmSampling_Enable_Params, params);
	params.deviceIndex = s->device;
	CUptiResult result = s->profiler->cupti.cuptiPmSamplingEnable(&params);
	s->object = result == CUPTI_SUCCESS ? params.pPmSamplingObject : NULL;
	if (result == CUPTI_SUCCESS) {
		what = "cuptiPmSamplingGetCounterDataSize";

		/* As for the range profiler, the image is sized again for each newly enabled sampler. */
		struct plan *plan = s->plan;
		PARAMS(CUpti_PmSampling_GetCounterDataSize_Params, size);
		size.pPmSamplingObject = s->object;
		size.pMetricNames = plan->counted;
		size.numMetrics = (size_t)plan->n_counted;
		size.maxSamples = SAMPLER_SAMPLES_MAX;
		result = s->profiler->cupti.cuptiPmSamplingGetCounterDataSize(&size);
		if (result == CUPTI_SUCCESS) {
			free(plan->data);
			plan->data_size = size.counterDataSize;
			plan->data = base_calloc(1, plan->data_size);
		}
	}
	if (result == CUPTI_SUCCESS) {
		what = "cuptiPmSamplingSetConfig";
		result = set_config(s, interval);
	}
	if (result != CUPTI_SUCCESS)
		return profiler_fail(s->profiler, what, result, error);
	s->interval = interval;
	return true;
}

/* --- sampling ----------------------------------------------------------------------------------------------------- */

static CUptiResult start(struct sampler *s)
{
	PARAMS(CUpti_PmSampling_Start_Params, params);
	params.pPmSamplingObject = s->object;
	return s->profiler->cupti.cuptiPmSamplingStart(&params);
}

static CUptiResult stop(struct sampler *s)
{
	PARAMS(CUpti_PmSampling_Stop_Params, params);
	params.pPmSamplingObject = s->object;
	return s->profiler->cupti.cuptiPmSamplingStop(&params);
}

static bool take_samples(struct sampler *s, const struct profiler_run *run, struct wire_error *error)
{
	const char *what = "cuptiPmSamplingCounterDataImageInitialize";

	PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params, params);
	params.pPmSamplingObject = s->object;
	params.counterDataSize = s->plan->data_size;
	params.pCounterData = s->plan->data;
	CUptiResult result = s->profiler->cupti.cuptiPmSamplingCounterDataImageInitialize(&params);
	if (result == CUPTI_SUCCESS) {
		what = "cuptiPmSamplingStart";
		result = start(s);
	}
	if (result != CUPTI_SUCCESS)
		return profiler_fail(s->profiler, what, result, error);
	bool ran = run->run(run->ctx, error);
	result = stop(s);
	if (!ran)
		return false;
	return result == CUPTI_SUCCESS || profiler_fail(s->profiler, "cuptiPmSamplingStop", result, error);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* From the hardware's buffer into the image; how many samples are whole there. */
static bool decode(struct sampler *s, struct wire_samples *out, size_t *n, struct wire_error *error)
{
	PARAMS(CUpti_PmSampling_DecodeData_Params, params);
	params.pPmSamplingObject = s->object;
	params.pCounterDataImage = s->plan->data;
	params.counterDataImageSize = s->plan->data_size;
	CUptiResult result = s->profiler->cupti.cuptiPmSamplingDecodeData(&params);
	if (result != CUPTI_SUCCESS)
		return profiler_fail(s->profiler,
			params.overflow ? "cuptiPmSamplingDecodeData, its buffer is full" : "cuptiPmSamplingDecodeData",
			result, error);
	out->cut = params.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;
	PARAMS(CUpti_PmSampling_GetCounterDataInfo_Params, info);
	info.pCounterDataImage = s->plan->data;
	info.counterDataImageSize = s->plan->data_size;
	result = s->profiler->cupti.cuptiPmSamplingGetCounterDataInfo(&info);
	*n = info.numCompletedSamples < SAMPLER_SAMPLES_MAX ? info.numCompletedSamples : SAMPLER_SAMPLES_MAX;
	return result == CUPTI_SUCCESS ||
		profiler_fail(s->profiler, "cuptiPmSamplingGetCounterDataInfo", result, error);
}

static CUptiResult evaluate(struct sampler *s, size_t index, double *counted)
{
	PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
	params.pHostObject = s->plan->host;
	params.pCounterDataImage = s->plan->data;
	params.counterDataImageSize = s->plan->data_size;
	params.rangeIndex = index;
	params.ppMetricNames = s->plan->counted;
	params.numMetrics = (size_t)s->plan->n_counted;
	params.pMetricValues = counted;
	return s->profiler->cupti.cuptiProfilerHostEvaluateToGpuValues(&params);
}

/* The arrays of the answer, for `n` samples; of each counted metric those to be filled. */
static double **make_values(const struct sampler *s, const struct sampler_request *r, size_t n)
{
	const struct plan *plan = s->plan;
	const double **values = arena_array(r->arena, const double *, (size_t)plan->n + 1);
	double **counted = arena_array(r->arena, double *, (size_t)plan->n_counted + 1);
	for (int i = 0; i < plan->n_counted; i++)
		values[plan->index[i]] = counted[i] = arena_array(r->arena, double, n + 1);
	r->out->metrics = r->metrics;
	r->out->n_metrics = r->n_metrics;
	r->out->values = values;
	return counted;
}

/* All but the first. */
static CUptiResult read_samples(struct sampler *s, const struct sampler_request *r, size_t n)
{
	double **values = make_values(s, r, n), *times = arena_array(r->arena, double, n + 1);
	double *counted = arena_array(r->arena, double, (size_t)s->plan->n_counted + 1);
	uint64_t first = 0, begin, end;
	r->out->times = times;
	for (size_t i = 1; i < n; i++) {
		PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params, params);
		params.pPmSamplingObject = s->object;
		params.pCounterDataImage = s->plan->data;
		params.counterDataImageSize = s->plan->data_size;
		params.sampleIndex = i;
		CUptiResult result = s->profiler->cupti.cuptiPmSamplingCounterDataGetSampleInfo(&params);
		begin = params.startTimestamp;
		end = params.endTimestamp;
		if (result == CUPTI_SUCCESS)
			result = evaluate(s, i, counted);
		if (result != CUPTI_SUCCESS)
			return result;
		first = i == 1 ? begin : first;
		times[i - 1] = (double)(end - first);
		for (int k = 0; k < s->plan->n_counted; k++)
			values[k][i - 1] = counted[k];
		r->out->n++;
	}
	return CUPTI_SUCCESS;
}

bool sampler_measure(struct sampler *sampler, const struct sampler_request *request, const struct profiler_run *run,
	struct wire_error *error)
{
	*request->out = (struct wire_samples){0};
	if (!choose_plan(sampler, request, error))
		return false;

	size_t n = 0;

	int interval = request->interval;
	if (!interval) {
		interval = FINEST;
		while ((request->kernel_ms + AROUND_MS) * 1e6 > (double)interval * SAMPLER_SAMPLES_MAX * ROOM &&
			interval < INT32_MAX / 2)
			interval *= 2;
		if (sampler->interval >= interval && sampler->interval <= 2 * (int64_t)interval)
			interval = sampler->interval;
	}
	if (set(sampler, interval, error) && take_samples(sampler, run, error) &&
		decode(sampler, request->out, &n, error)) {
		request->out->interval = sampler->interval;
		CUptiResult result = read_samples(sampler, request, n);
		if (result == CUPTI_SUCCESS || profiler_fail(sampler->profiler, "reading samples", result, error))
			return true;
	}

	sampler_rest(sampler); /* after a failure it may refuse to start */
	return false;
}
