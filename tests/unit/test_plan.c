/* Planning what CUPTI counts needs CUPTI's library but no GPU; without the library the tests are skipped. So they are
 * under sanitizers, which do not stand the way in which CUPTI opens its companions (RTLD_DEEPBIND). */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/worker/profiler.h"
#include "model/hardware/counters.h"

/* Those that CUPTI counts. */
static const char *counters[COUNTERS];
static int n_counters;

static struct arena *arena;
static struct cupti cupti;

static struct plan *make(const char *chip_name, const char *const *metrics, int n)
{
	struct wire_error error = {WIRE_INTERNAL, ""};
	const struct plan_chip chip = {&cupti, chip_name, NULL, CUPTI_PROFILER_TYPE_RANGE_PROFILER};
	return plan_new(arena, &chip, metrics, n, &error);
}

static void every_counter_exists(void **state)
{
	(void)state;
	struct plan *plan = make("GH100", counters, n_counters);
	assert_non_null(plan);
	assert_int_equal(plan->n_counted, n_counters);
	for (int i = 0; i < n_counters; i++) {
		if (!plan->available[i])
			fail_msg("%s is not there", counters[i]);
		assert_int_equal(plan->index[i], i);
		assert_string_equal(plan->counted[i], counters[i]);
	}
	assert_true(plan->passes <= 12); /* 3 ms each: a measurement of everything must stay quick */
	plan_free(plan, &cupti);
}

/* What the worker relies on. */
static void every_counter_takes_one_pass(void **state)
{
	(void)state;
	for (int i = 0; i < n_counters; i++) {
		struct plan *plan = make("GH100", &counters[i], 1);
		assert_non_null(plan);
		if (plan->passes != 1)
			fail_msg("%s takes %zu passes", counters[i], plan->passes);
		plan_free(plan, &cupti);
	}
}

static void check_chip(const struct chip *chip)
{
	struct plan *plan = make(chip->name, counters, n_counters);
	assert_non_null(plan);
	for (int i = 0; i < n_counters; i++)
		if (plan->available[i] != counter_is_collected(counter_find(counters[i]), chip->cc))
			fail_msg("%s on %s: %s", counters[i], chip->name,
				plan->available[i] ? "is there" : "is not there");
	plan_free(plan, &cupti);
}

static void the_table_knows_what_each_chip_has(void **state)
{
	(void)state;
	for (int i = 0; i < chip_count; i++)
		check_chip(&chip_table[i]);
	assert_null(make("GV11B", counters, 1));
}

static void the_shared_counters_need_one_pass(void **state)
{
	(void)state;
	struct plan *plan = make("GH100", counters, 6);
	assert_non_null(plan);
	assert_non_null(strstr(counters[5], "shared_op_st"));
	assert_int_equal(plan->passes, 1);
	plan_free(plan, &cupti);
}

static void unknown_metrics_are_left_out(void **state)
{
	(void)state;
	static const char *const some[] = {"no_such__metric.sum", "smsp__inst_executed.sum",
		"smsp__inst_executed.nonsense", "", "gpu__time_duration.sum"};
	struct plan *plan = make("GH100", some, 5);
	assert_non_null(plan);
	assert_int_equal(plan->n_counted, 2);
	assert_int_equal(plan->index[0], 1);
	assert_int_equal(plan->index[1], 4);
	assert_string_equal(plan->counted[1], "gpu__time_duration.sum");
	assert_int_equal(plan->passes, 1);
	for (int i = 0; i < 5; i++)
		assert_int_equal(plan->available[i], i == 1 || i == 4);
	plan_free(plan, &cupti);
	plan = make("GH100", some, 1);
	assert_non_null(plan);
	assert_int_equal(plan->n_counted, 0);
	assert_false(plan->available[0]);
	plan_free(plan, &cupti);
}

static void an_unknown_chip_is_an_error(void **state)
{
	(void)state;
	assert_null(make("NO-SUCH-CHIP", counters, 1));
}

static bool load(struct wire_error *error)
{
#ifdef SIMT_SANITIZED
	error->message = "built with sanitizers";
	return false;
#else
	return cupti_open(arena, &cupti, 13000, error);
#endif
}

/* Samples are of one pass: what is drawn over a kernel's life must be one on each of these. */
static void what_is_sampled_takes_one_pass(void **state)
{
	static const char *const chips[] = {"TU102", "GA100", "GA102", "AD102", "GH100", "GB202"};
	static const char *const metrics[] = {
#define ACTIVITY(id, hw, meaning) hw,
#include "model/probe/activity.def"
#undef ACTIVITY
	};
	enum { N = sizeof metrics / sizeof *metrics };
	(void)state;
	for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
		struct wire_error error = {WIRE_INTERNAL, ""};
		const struct plan_chip chip = {&cupti, chips[i], NULL, CUPTI_PROFILER_TYPE_PM_SAMPLING};
		struct plan *plan = plan_new(arena, &chip, metrics, N, &error);
		assert_non_null(plan);
		assert_int_equal(plan->n_counted, N);
		assert_int_equal(plan->passes, 1);
		plan_free(plan, &cupti);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_counter_exists),
		cmocka_unit_test(every_counter_takes_one_pass),
		cmocka_unit_test(the_table_knows_what_each_chip_has),
		cmocka_unit_test(the_shared_counters_need_one_pass),
		cmocka_unit_test(unknown_metrics_are_left_out),
		cmocka_unit_test(what_is_sampled_takes_one_pass),
		cmocka_unit_test(an_unknown_chip_is_an_error),
	};
	struct wire_error error = {WIRE_INTERNAL, ""};
	arena = arena_new();
	for (int i = 0; i < COUNTERS; i++)
		if (strchr(counter_table[i].hw, '.') && !counter_is_of_model((enum counter_id)i))
			counters[n_counters++] = counter_table[i].hw;
	bool loaded = load(&error);
	int failed = 0;
	if (loaded)
		failed = cmocka_run_group_tests_name("plan", tests, NULL, NULL);
	else
		printf("1..0 # SKIP %s\n", error.message);
	arena_free(arena);
	return failed;
}
