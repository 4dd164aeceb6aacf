/* The sampler's bookkeeping against a CUPTI made here that has the habits seen on a GPU: an enabled sampler takes its
 * first configuration alone, the range profiler keeps it out, the first sample is of another time, and after an
 * overflow it does not start again. Sample i of metric "m7" is 7 + i / 100. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/worker/sampler.h"

static struct {
	int enabled; /* how often */
	bool on, range_on, broken;
	uint64_t interval; /* of the first configuration; 0: none */
	size_t passes, samples;
	bool full, overflow;
	int hosts, runs;
} fake;

struct CUpti_Profiler_Host_Object {
	int n;
};

static CUptiResult name_result(CUptiResult result, const char **name)
{
	*name = result == CUPTI_SUCCESS ? "fine" : "as the test asked";
	return CUPTI_SUCCESS;
}

static CUptiResult supported(CUpti_Profiler_DeviceSupported_Params *p)
{
	p->isSupported = CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
	return CUPTI_SUCCESS;
}

static CUptiResult unsupported(CUpti_Profiler_DeviceSupported_Params *p)
{
	p->isSupported = p->architecture = CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
	return CUPTI_SUCCESS;
}

static CUptiResult availability(CUpti_PmSampling_GetCounterAvailability_Params *p)
{
	p->counterAvailabilityImageSize = 8;
	return fake.range_on ? CUPTI_ERROR_HARDWARE_BUSY : CUPTI_SUCCESS;
}

static CUptiResult open_host(CUpti_Profiler_Host_Initialize_Params *p)
{
	assert_int_equal(p->profilerType, CUPTI_PROFILER_TYPE_PM_SAMPLING);
	p->pHostObject = calloc(1, sizeof *p->pHostObject);
	fake.hosts++;
	return CUPTI_SUCCESS;
}

static CUptiResult close_host(CUpti_Profiler_Host_Deinitialize_Params *p)
{
	free(p->pHostObject);
	fake.hosts--;
	return CUPTI_SUCCESS;
}

static CUptiResult add_metrics(CUpti_Profiler_Host_ConfigAddMetrics_Params *p)
{
	for (size_t i = 0; i < p->numMetrics; i++)
		if (p->ppMetricNames[i][0] != 'm')
			return CUPTI_ERROR_INVALID_PARAMETER;
	return CUPTI_SUCCESS;
}

static CUptiResult config_size(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
	p->configImageSize = 16;
	return CUPTI_SUCCESS;
}

static CUptiResult count_passes(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
	p->numOfPasses = fake.passes;
	return CUPTI_SUCCESS;
}

static CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
	for (size_t i = 0; i < p->numMetrics; i++)
		p->pMetricValues[i] = atof(p->ppMetricNames[i] + 1) + (double)p->rangeIndex / 100;
	return CUPTI_SUCCESS;
}

static CUptiResult disable_range(CUpti_RangeProfiler_Disable_Params *p)
{
	(void)p;
	fake.range_on = false;
	return CUPTI_SUCCESS;
}

static CUptiResult enable(CUpti_PmSampling_Enable_Params *p)
{
	p->pPmSamplingObject = (CUpti_PmSampling_Object *)&fake;
	fake.enabled++;
	fake.on = true;
	fake.interval = 0;
	fake.broken = false;
	return CUPTI_SUCCESS;
}

static CUptiResult disable(CUpti_PmSampling_Disable_Params *p)
{
	assert_ptr_equal(p->pPmSamplingObject, &fake);
	fake.on = false;
	return CUPTI_SUCCESS;
}

static CUptiResult data_size(CUpti_PmSampling_GetCounterDataSize_Params *p)
{
	p->counterDataSize = 64;
	return CUPTI_SUCCESS;
}

static CUptiResult set_config(CUpti_PmSampling_SetConfig_Params *p)
{
	if (fake.range_on)
		return CUPTI_ERROR_HARDWARE_BUSY;
	fake.interval = fake.interval ? fake.interval : p->samplingInterval;
	return CUPTI_SUCCESS;
}

static CUptiResult start(CUpti_PmSampling_Start_Params *p)
{
	(void)p;
	return !fake.on || fake.broken ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

static CUptiResult decode(CUpti_PmSampling_DecodeData_Params *p)
{
	p->decodeStopReason = fake.full ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
					: CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
	p->overflow = fake.overflow;
	fake.broken = fake.overflow;
	return fake.overflow ? CUPTI_ERROR_OUT_OF_MEMORY : CUPTI_SUCCESS;
}

static CUptiResult data_info(CUpti_PmSampling_GetCounterDataInfo_Params *p)
{
	p->numCompletedSamples = fake.samples;
	return CUPTI_SUCCESS;
}

static CUptiResult sample_info(CUpti_PmSampling_CounterData_GetSampleInfo_Params *p)
{
	p->startTimestamp = p->sampleIndex ? 5000 + p->sampleIndex * fake.interval : 7;
	p->endTimestamp = 5000 + (p->sampleIndex + 1) * fake.interval;
	return CUPTI_SUCCESS;
}

#define NOTHING_TO_DO(name, params)                                                                                    \
	static CUptiResult name(params *p)                                                                             \
	{                                                                                                              \
		(void)p;                                                                                               \
		return CUPTI_SUCCESS;                                                                                  \
	}
NOTHING_TO_DO(config_image, CUpti_Profiler_Host_GetConfigImage_Params)
NOTHING_TO_DO(empty_image, CUpti_PmSampling_CounterDataImage_Initialize_Params)
NOTHING_TO_DO(stop, CUpti_PmSampling_Stop_Params)

static struct profiler profiler;
static struct sampler sampler;
static struct arena *arena;

static int set_up(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.passes = 1;
	fake.samples = 4;
	fake.range_on = true;
	arena = arena_new();
	profiler = (struct profiler){.arena = arena, .chip = "FAKE", .range = (CUpti_RangeProfiler_Object *)&fake};
	profiler.cupti = (struct cupti){.api = 130000,
		.driver_cuda = 13000,
		.version = "",
		.sampling = true,
		.cuptiGetResultString = name_result,
		.cuptiProfilerDeviceSupported = supported,
		.cuptiRangeProfilerDisable = disable_range,
		.cuptiProfilerHostInitialize = open_host,
		.cuptiProfilerHostDeinitialize = close_host,
		.cuptiProfilerHostConfigAddMetrics = add_metrics,
		.cuptiProfilerHostGetConfigImageSize = config_size,
		.cuptiProfilerHostGetConfigImage = config_image,
		.cuptiProfilerHostGetNumOfPasses = count_passes,
		.cuptiProfilerHostEvaluateToGpuValues = evaluate,
		.cuptiPmSamplingGetCounterAvailability = availability,
		.cuptiPmSamplingEnable = enable,
		.cuptiPmSamplingDisable = disable,
		.cuptiPmSamplingGetCounterDataSize = data_size,
		.cuptiPmSamplingCounterDataImageInitialize = empty_image,
		.cuptiPmSamplingSetConfig = set_config,
		.cuptiPmSamplingStart = start,
		.cuptiPmSamplingStop = stop,
		.cuptiPmSamplingDecodeData = decode,
		.cuptiPmSamplingGetCounterDataInfo = data_info,
		.cuptiPmSamplingCounterDataGetSampleInfo = sample_info};
	sampler = (struct sampler){0};
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	sampler_rest(&sampler);
	plan_free(sampler.plan, &profiler.cupti);
	arena_free(sampler.plan_arena);
	assert_int_equal(fake.hosts, 0);
	arena_free(arena);
	return 0;
}

static bool run_once(void *ctx, struct wire_error *error)
{
	(void)ctx, (void)error;
	fake.runs++;
	return true;
}

static bool measure(
	const char *const *metrics, int n, int interval, double ms, struct wire_samples *out, struct wire_error *error)
{
	struct sampler_request request = {metrics, n, interval, ms, arena, out};
	return sampler_measure(&sampler, &request, &(struct profiler_run){run_once, NULL}, error);
}

static void open_sampler(void)
{
	struct wire_error error;
	assert_true(sampler_open(&sampler, &profiler, 0, &error));
	assert_false(fake.range_on);
}

static const char *const metrics[] = {"m7", "x", "m3"};

static void samples_reach_their_metrics_but_for_the_first(void **state)
{
	(void)state;
	struct wire_samples s;
	struct wire_error error;
	open_sampler();
	assert_true(measure(metrics, 3, 1000, 0.1, &s, &error));
	assert_int_equal(s.n, 3);
	assert_int_equal(s.interval, 1000);
	assert_false(s.cut);
	assert_null(s.values[1]);
	for (int i = 0; i < 3; i++) {
		assert_true(s.times[i] == 1000.0 * (i + 1));
		assert_true(s.values[0][i] == 7 + (i + 1) / 100.0);
		assert_true(s.values[2][i] == 3 + (i + 1) / 100.0);
	}
	fake.samples = 0;
	fake.full = true;
	assert_true(measure(metrics, 3, 1000, 0.1, &s, &error));
	assert_int_equal(s.n, 0);
	assert_true(s.cut);
	assert_int_equal(fake.enabled, 1);
	assert_int_equal(fake.runs, 2);
}

static void another_interval_or_other_metrics_are_really_set(void **state)
{
	(void)state;
	struct wire_samples s;
	struct wire_error error;
	open_sampler();
	assert_true(measure(metrics, 1, 1000, 0.1, &s, &error));
	assert_true(measure(metrics, 1, 3000, 0.1, &s, &error));
	assert_int_equal(fake.interval, 3000);
	assert_true(s.times[0] == 3000);
	assert_true(measure(metrics + 2, 1, 3000, 0.1, &s, &error));
	assert_int_equal(fake.enabled, 3);
	assert_true(s.values[0][0] == 3.01);
	fake.range_on = true;
	profiler.range = (CUpti_RangeProfiler_Object *)&fake;
	sampler_rest(&sampler);
	assert_true(measure(metrics + 2, 1, 3000, 0.1, &s, &error));
	assert_int_equal(fake.enabled, 4);
	assert_false(fake.range_on);
}

static void the_interval_suits_the_kernel(void **state)
{
	(void)state;
	static const struct {
		double ms;
		int least, most;
	} cases[] = {{0.01, 500, 1000}, {0.8, 1000, 2000}, {4, 4000, 8000}, {1000, 1000000, 2500000},
		{1e12, 1 << 29, INT32_MAX}};
	struct wire_samples s;
	struct wire_error error;
	open_sampler();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_true(measure(metrics, 1, 0, cases[i].ms, &s, &error));
		assert_in_range(s.interval, cases[i].least, cases[i].most);
	}
	int enabled = fake.enabled;
	assert_true(measure(metrics, 1, 0, 1e12, &s, &error));
	assert_int_equal(fake.enabled, enabled);
}

static void what_cannot_be_sampled_is_reported(void **state)
{
	(void)state;
	struct wire_samples s;
	struct wire_error error;
	open_sampler();
	fake.passes = 2;
	assert_false(measure(metrics, 3, 0, 1, &s, &error));
	assert_int_equal(error.code, WIRE_BAD_REQUEST);
	assert_non_null(strstr(error.message, "2 passes"));
	assert_false(measure(metrics + 1, 1, 0, 1, &s, &error));
	assert_int_equal(error.code, WIRE_UNSUPPORTED_GPU);
	fake.passes = 1;
	fake.overflow = true;
	assert_false(measure(metrics, 3, 0, 1, &s, &error));
	assert_int_equal(error.code, WIRE_PROFILER);
	assert_non_null(strstr(error.message, "buffer is full"));
	fake.overflow = false;
	assert_true(measure(metrics, 3, 0, 1, &s, &error));
}

static void a_gpu_or_cupti_without_it_is_reported(void **state)
{
	(void)state;
	struct wire_error error = {WIRE_INTERNAL, ""};
	profiler.cupti.cuptiProfilerDeviceSupported = unsupported;
	assert_false(sampler_open(&sampler, &profiler, 0, &error));
	assert_true(error.code != WIRE_INTERNAL);
	assert_null(sampler.profiler);
	profiler.cupti.cuptiProfilerDeviceSupported = supported;
	profiler.cupti.sampling = false;
	assert_false(sampler_open(&sampler, &profiler, 0, &error));
	assert_non_null(strstr(error.message, "CUDA 12.6"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(samples_reach_their_metrics_but_for_the_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_interval_or_other_metrics_are_really_set, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_interval_suits_the_kernel, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_sampled_is_reported, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_gpu_or_cupti_without_it_is_reported, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
