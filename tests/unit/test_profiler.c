/* The profiler's bookkeeping against a CUPTI made here: which sets of metrics are counted together, that values reach the
 * metrics that were asked for, and what failures leave behind. Metric "m7" counts 7. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "worker/profiler.h"

#define MANY WIRE_METRICS_MAX

static struct {
	int enabled, disabled;     /* how often */
	int hosts;                 /* open now */
	int configured;            /* metrics of the last host that was asked for its config */
	CUptiResult initialize;    /* what opening a host answers */
} fake;

struct CUpti_Profiler_Host_Object {
	int n;
};

static CUptiResult name_result(CUptiResult result, const char **name)
{
	*name = result == CUPTI_SUCCESS ? "fine" : "as the test asked";
	return CUPTI_SUCCESS;
}

static CUptiResult open_host(CUpti_Profiler_Host_Initialize_Params *p)
{
	if (fake.initialize != CUPTI_SUCCESS)
		return fake.initialize;
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
	p->pHostObject->n = (int)p->numMetrics;
	return CUPTI_SUCCESS;
}

static CUptiResult config_size(CUpti_Profiler_Host_GetConfigImageSize_Params *p)
{
	fake.configured = p->pHostObject->n;
	p->configImageSize = 16;
	return CUPTI_SUCCESS;
}

static CUptiResult count_passes(CUpti_Profiler_Host_GetNumOfPasses_Params *p)
{
	p->numOfPasses = 1;
	return CUPTI_SUCCESS;
}

static CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
	for (size_t i = 0; i < p->numMetrics; i++)
		p->pMetricValues[i] = atof(p->ppMetricNames[i] + 1);
	return CUPTI_SUCCESS;
}

static CUptiResult enable(CUpti_RangeProfiler_Enable_Params *p)
{
	p->pRangeProfilerObject = (CUpti_RangeProfiler_Object *)&fake;
	fake.enabled++;
	return CUPTI_SUCCESS;
}

static CUptiResult data_size(CUpti_RangeProfiler_GetCounterDataSize_Params *p)
{
	p->counterDataSize = 64;
	return CUPTI_SUCCESS;
}

static CUptiResult stop(CUpti_RangeProfiler_Stop_Params *p)
{
	p->isAllPassSubmitted = 1;
	return CUPTI_SUCCESS;
}

static CUptiResult data_info(CUpti_RangeProfiler_GetCounterDataInfo_Params *p)
{
	p->numTotalRanges = 1;
	return CUPTI_SUCCESS;
}

static CUptiResult disable(CUpti_RangeProfiler_Disable_Params *p)
{
	(void)p;
	fake.disabled++;
	return CUPTI_SUCCESS;
}

#define NOTHING_TO_DO(name, params) \
	static CUptiResult name(params *p) \
	{ \
		(void)p; \
		return CUPTI_SUCCESS; \
	}
NOTHING_TO_DO(config_image, CUpti_Profiler_Host_GetConfigImage_Params)
NOTHING_TO_DO(set_config, CUpti_RangeProfiler_SetConfig_Params)
NOTHING_TO_DO(clear_data, CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
NOTHING_TO_DO(start, CUpti_RangeProfiler_Start_Params)
NOTHING_TO_DO(decode, CUpti_RangeProfiler_DecodeData_Params)

static bool run_nothing(void *ctx, struct wire_error *error)
{
	(void)ctx, (void)error;
	return true;
}

static struct profiler *open_profiler(void)
{
	struct arena *arena = arena_new();
	struct profiler *p = arena_alloc(arena, sizeof *p);
	*p = (struct profiler){.arena = arena, .chip = "FAKE", .patience = 4};
	p->cupti = (struct cupti){.api = 130000, .driver_cuda = 13000, .version = "", .cuptiGetResultString = name_result,
		.cuptiProfilerHostInitialize = open_host, .cuptiProfilerHostDeinitialize = close_host,
		.cuptiProfilerHostConfigAddMetrics = add_metrics, .cuptiProfilerHostGetConfigImageSize = config_size,
		.cuptiProfilerHostGetConfigImage = config_image, .cuptiProfilerHostGetNumOfPasses = count_passes,
		.cuptiProfilerHostEvaluateToGpuValues = evaluate, .cuptiRangeProfilerEnable = enable,
		.cuptiRangeProfilerDisable = disable, .cuptiRangeProfilerSetConfig = set_config,
		.cuptiRangeProfilerStart = start, .cuptiRangeProfilerStop = stop, .cuptiRangeProfilerDecodeData = decode,
		.cuptiRangeProfilerGetCounterDataSize = data_size,
		.cuptiRangeProfilerCounterDataImageInitialize = clear_data,
		.cuptiRangeProfilerGetCounterDataInfo = data_info};
	memset(&fake, 0, sizeof fake);
	return p;
}

/* The worker never closes its profiler: it ends. */
static void close_profiler(struct profiler *p)
{
	for (int i = 0; i < p->n_plans; i++) {
		plan_free(p->plans[i], &p->cupti);
		arena_free(p->plan_arenas[i]);
	}
	assert_int_equal(fake.hosts, 0);
	arena_free(p->arena);
}

/* Measures metrics m<first> to m<first + n - 1>, and checks what comes. */
static void measure(struct profiler *p, int first, int n)
{
	static char names[MANY][16];
	static const char *metrics[MANY];
	static double values[MANY];
	static bool available[MANY];
	struct wire_error error = {WIRE_INTERNAL, ""};
	for (int i = 0; i < n; i++) {
		snprintf(names[i], sizeof names[i], "m%d", first + i);
		metrics[i] = names[i];
	}
	struct profiler_request request = {.metrics = metrics, .n = n, .values = values, .available = available};
	if (!profiler_measure(p, &request, &(struct profiler_run){run_nothing, NULL}, &error))
		fail_msg("m%d: %s", first, error.message);
	for (int i = 0; i < n; i++) {
		assert_true(available[i]);
		assert_true(values[i] == first + i);
	}
}

static void two_sets_in_turns_are_counted_together(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	measure(p, 0, 4);
	measure(p, 2, 6);
	measure(p, 0, 4);
	assert_int_equal(fake.configured, 8);
	assert_int_equal(fake.enabled, 3);
	measure(p, 2, 6);
	measure(p, 0, 4);
	assert_int_equal(fake.enabled, 3);
	close_profiler(p);
}

static void a_profiler_that_rests_is_enabled_again(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	profiler_rest(p); /* not yet enabled */
	for (int i = 1; i <= 3; i++) {
		measure(p, 0, 4);
		measure(p, 0, 4);
		assert_int_equal(fake.enabled, i);
		assert_int_equal(fake.disabled, i - 1);
		profiler_rest(p);
		profiler_rest(p);
		assert_int_equal(fake.disabled, i);
	}
	close_profiler(p);
}

static void more_sets_than_are_kept_are_measured(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	for (int round = 0; round < 3; round++)
		for (int set = 0; set < 2 * PROFILER_PLANS_MAX; set++)
			measure(p, 10 * set, 1 + set % 7);
	assert_int_equal(p->n_plans, PROFILER_PLANS_MAX);
	close_profiler(p);
}

static void what_is_counted_together_has_a_limit(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	measure(p, 0, MANY);
	const struct plan *first = p->set;
	measure(p, MANY, MANY);
	measure(p, 2 * MANY, MANY);
	measure(p, MANY, MANY);
	assert_int_equal(p->set->n, 2 * MANY);
	p->before = first; /* as if it had been counted just before both */
	measure(p, 0, MANY);
	assert_int_equal(p->set->n, MANY);
	close_profiler(p);
}

static void a_failed_plan_says_why(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	const char *const metric[] = {"m1"};
	double value;
	bool available;
	struct profiler_request request = {.metrics = metric, .n = 1, .values = &value, .available = &available};
	struct wire_error error = {WIRE_INTERNAL, ""};
	fake.initialize = CUPTI_ERROR_UNKNOWN;
	assert_false(profiler_measure(p, &request, &(struct profiler_run){run_nothing, NULL}, &error));
	assert_int_equal(error.code, WIRE_PROFILER);
	assert_string_equal(error.message, "cuptiProfilerHostInitialize: as the test asked (999)");
	fake.initialize = CUPTI_SUCCESS;
	measure(p, 1, 1);
	close_profiler(p);
}

static void an_unknown_metric_is_missing(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	const char *const metrics[] = {"m1", "unknown", "m3"};
	double values[3] = {0};
	bool available[3];
	struct profiler_request request = {.metrics = metrics, .n = 3, .values = values, .available = available};
	struct wire_error error = {WIRE_INTERNAL, ""};
	assert_true(profiler_measure(p, &request, &(struct profiler_run){run_nothing, NULL}, &error));
	assert_true(available[0] && !available[1] && available[2]);
	assert_true(values[0] == 1 && values[2] == 3);
	close_profiler(p);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_sets_in_turns_are_counted_together),
		cmocka_unit_test(a_profiler_that_rests_is_enabled_again),
		cmocka_unit_test(more_sets_than_are_kept_are_measured),
		cmocka_unit_test(what_is_counted_together_has_a_limit),
		cmocka_unit_test(a_failed_plan_says_why),
		cmocka_unit_test(an_unknown_metric_is_missing),
	};
	return cmocka_run_group_tests_name("profiler", tests, NULL, NULL);
}
