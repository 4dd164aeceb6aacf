/* The profiler's bookkeeping against a CUPTI made here: which sets of metrics are counted together, that values reach
 * the metrics that were asked for, and what is left after failures. Metric "m7" counts 7. */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/worker/profiler.h"

#define MANY WIRE_METRICS_MAX

static struct {
	int enabled, disabled;  /* how often */
	int hosts;              /* open now */
	int configured;         /* metrics of the last host that was asked for its config */
	CUptiResult initialize; /* what opening a host answers */
	int busy;               /* how often a start finds the counters taken */
	size_t passes;          /* that a config takes, 0: one */
	size_t pass;            /* the next to be made */
	unsigned made;          /* bit i: pass i was made since the data was cleared */
	bool full;              /* the range is over: nothing more fits until it is cleared */
	CUpti_ProfilerReplayMode replay;
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
	p->numOfPasses = fake.passes ? fake.passes : 1;
	return CUPTI_SUCCESS;
}

/* Metric i of a set is counted in pass i, round and round; m99 needs the first two. */
static bool is_there(size_t i, const char *name)
{
	unsigned needs = !strcmp(name, "m99") ? 3 : 1u << (fake.passes ? i % fake.passes : 0);
	return !fake.passes || (fake.made & needs) == needs;
}

static CUptiResult evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *p)
{
	for (size_t i = 0; i < p->numMetrics; i++)
		p->pMetricValues[i] = is_there(i, p->ppMetricNames[i]) ? atof(p->ppMetricNames[i] + 1) : (double)NAN;
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
	bool all = fake.replay == CUPTI_KernelReplay || fake.passes < 2;
	if (!fake.full)
		fake.made |= all ? ~0u : 1u << fake.pass;
	fake.pass = all ? 0 : (fake.pass + 1) % fake.passes;
	p->isAllPassSubmitted = fake.pass == 0;
	fake.full |= fake.pass == 0;
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

#define NOTHING_TO_DO(name, params)                                                                                    \
	static CUptiResult name(params *p)                                                                             \
	{                                                                                                              \
		(void)p;                                                                                               \
		return CUPTI_SUCCESS;                                                                                  \
	}
NOTHING_TO_DO(config_image, CUpti_Profiler_Host_GetConfigImage_Params)
NOTHING_TO_DO(decode, CUpti_RangeProfiler_DecodeData_Params)

static CUptiResult start(CUpti_RangeProfiler_Start_Params *p)
{
	(void)p;
	return fake.busy && fake.busy-- ? CUPTI_ERROR_HARDWARE_BUSY : CUPTI_SUCCESS;
}

static CUptiResult set_config(CUpti_RangeProfiler_SetConfig_Params *p)
{
	fake.replay = p->replayMode;
	fake.pass = 0;
	return CUPTI_SUCCESS;
}

static CUptiResult clear_data(CUpti_RangeProfiler_CounterDataImage_Initialize_Params *p)
{
	(void)p;
	fake.made = 0;
	fake.full = false;
	return CUPTI_SUCCESS;
}

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
	p->cupti = (struct cupti){.api = 130000,
		.driver_cuda = 13000,
		.version = "",
		.cuptiGetResultString = name_result,
		.cuptiProfilerHostInitialize = open_host,
		.cuptiProfilerHostDeinitialize = close_host,
		.cuptiProfilerHostConfigAddMetrics = add_metrics,
		.cuptiProfilerHostGetConfigImageSize = config_size,
		.cuptiProfilerHostGetConfigImage = config_image,
		.cuptiProfilerHostGetNumOfPasses = count_passes,
		.cuptiProfilerHostEvaluateToGpuValues = evaluate,
		.cuptiRangeProfilerEnable = enable,
		.cuptiRangeProfilerDisable = disable,
		.cuptiRangeProfilerSetConfig = set_config,
		.cuptiRangeProfilerStart = start,
		.cuptiRangeProfilerStop = stop,
		.cuptiRangeProfilerDecodeData = decode,
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

/* A holder that was killed leaves the counters taken for a moment; another profiler keeps them. */
static void counters_that_are_taken_are_waited_for(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	const char *const metric[] = {"m1"};
	double value;
	bool available;
	struct profiler_request request = {.metrics = metric, .n = 1, .values = &value, .available = &available};
	struct wire_error error = {WIRE_INTERNAL, ""};
	fake.busy = 3;
	measure(p, 1, 1);
	assert_int_equal(fake.enabled, 4);
	fake.busy = 1; /* who has counted already did not get its turn from anybody */
	assert_false(profiler_measure(p, &request, &(struct profiler_run){run_nothing, NULL}, &error));
	assert_int_equal(error.code, WIRE_OTHER_PROFILER);
	fake.busy = 1 << 30;
	assert_false(profiler_measure(p, &request, &(struct profiler_run){run_nothing, NULL}, &error));
	assert_int_equal(error.code, WIRE_OTHER_PROFILER);
	assert_true(fake.busy < (1 << 30) - 10);
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

/* --- passes ------------------------------------------------------------------------------------------------------- */

#define PASSES 3

static struct {
	int reported, give_up_after; /* 0: never */
	int there;                   /* values of the last report */
	int runs;
} watch;

static bool watch_pass(const struct profiler_request *so_far)
{
	watch.there = 0;
	watch.reported++;
	assert_int_equal(so_far->made, watch.reported);
	assert_int_equal(so_far->passes, PASSES);
	for (int i = 0; i < so_far->n; i++)
		watch.there += !isnan(so_far->values[i]);
	return watch.reported != watch.give_up_after;
}

static bool run_counted(void *ctx, struct wire_error *error)
{
	(void)ctx, (void)error;
	watch.runs++;
	return true;
}

static bool measure_watched(struct profiler *p, enum profiler_replay replay, int give_up_after)
{
	static const char *const metrics[] = {"m1", "m2", "m3", "m4"};
	double values[4];
	bool available[4];
	struct profiler_request request = {.metrics = metrics,
		.n = 4,
		.values = values,
		.available = available,
		.replay = replay,
		.passed = watch_pass};
	struct wire_error error = {WIRE_INTERNAL, ""};
	memset(&watch, 0, sizeof watch);
	watch.give_up_after = give_up_after;
	if (!profiler_measure(p, &request, &(struct profiler_run){run_counted, NULL}, &error)) {
		assert_int_equal(error.code, WIRE_CANCELED);
		return false;
	}
	for (int i = 0; i < 4; i++)
		assert_true(values[i] == i + 1);
	return true;
}

static void passes_are_reported_and_can_be_given_up(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	fake.passes = PASSES;
	assert_true(measure_watched(p, PROFILER_REPLAY_US, 0));
	assert_int_equal(watch.runs, PASSES);
	assert_int_equal(watch.reported, PASSES - 1);
	assert_int_equal(watch.there, 3); /* m1 and m4 in the first pass, m2 in the second */
	/* what is given up leaves the profiler set, and the next measurement begins in the middle of the passes */
	for (int after = 1; after < PASSES; after++) {
		assert_false(measure_watched(p, PROFILER_REPLAY_US, after));
		assert_int_equal(watch.runs, after);
		assert_true(measure_watched(p, PROFILER_REPLAY_US, 0));
		assert_int_equal(watch.runs, PASSES);
	}
	assert_int_equal(fake.enabled, 1);
	close_profiler(p);
}

static void what_takes_several_passes_begins_with_the_first(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	static const char *const metrics[] = {"m1", "m99"};
	double values[2];
	bool available[2];
	struct profiler_request request = {
		.metrics = metrics, .n = 2, .values = values, .available = available, .passed = watch_pass};
	struct wire_error error = {WIRE_INTERNAL, ""};
	fake.passes = PASSES;
	for (int round = 0; round < 2; round++) {
		memset(&watch, 0, sizeof watch);
		watch.give_up_after = 1;
		assert_false(profiler_measure(p, &request, &(struct profiler_run){run_counted, NULL}, &error));
		request.passed = NULL;
		assert_true(profiler_measure(p, &request, &(struct profiler_run){run_counted, NULL}, &error));
		request.passed = watch_pass;
		assert_true(values[0] == 1 && values[1] == 99);
	}
	assert_int_equal(fake.enabled, 3);
	close_profiler(p);
}

static void cupti_replays_what_we_cannot(void **state)
{
	(void)state;
	struct profiler *p = open_profiler();
	fake.passes = PASSES;
	assert_true(measure_watched(p, PROFILER_REPLAY_CUPTI, 0));
	assert_int_equal(watch.runs, 1);
	assert_int_equal(watch.reported, 0);
	assert_int_equal(fake.replay, CUPTI_KernelReplay);
	assert_true(measure_watched(p, PROFILER_REPLAY_US, 0));
	assert_int_equal(watch.runs, PASSES);
	assert_int_equal(fake.enabled, 2);
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
		cmocka_unit_test(counters_that_are_taken_are_waited_for),
		cmocka_unit_test(an_unknown_metric_is_missing),
		cmocka_unit_test(passes_are_reported_and_can_be_given_up),
		cmocka_unit_test(what_takes_several_passes_begins_with_the_first),
		cmocka_unit_test(cupti_replays_what_we_cannot),
	};
	return cmocka_run_group_tests_name("profiler", tests, NULL, NULL);
}
