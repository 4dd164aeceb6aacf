#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "course/experiment/recordings.h"
#include "course/experiment/recordings_parts.h"

#include "model/hardware/listing.h"

static char dir[] = "/tmp/simttutor-recorded-XXXXXX";
static const struct experiment_provenance h200 = {
	"NVIDIA \"H200\"", "580.159", "13.0", "13.0.85", "2026-11-21", 90, 132};
static const struct experiment_provenance older = {"NVIDIA T4", "535.1", "12.6", "12.6.1", "2025-01-31", 75, 40};

static char *path_of(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", dir, name);
}

static void put(struct experiment_recordings *recorded, const struct experiment_provenance *from, const char *ptx,
	const char *stride, double v)
{
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = stride}};
	struct launch launch = {.kernel = "shared_stride",
		.grid = {132, 1, 1},
		.block = {256, 1, 1},
		.shared = 0,
		.args = args,
		.n_args = 2,
		.cooperative = false};
	const char *names[] = {"a.sum", "none.sum", "b.pct"};
	const double values[] = {v, 7, v / 3};
	const bool available[] = {true, false, true};
	struct wire_measurement m = {.metrics = names, .values = values, .available = available, .n = 3};
	experiment_recordings_put(recorded, from, ptx, &launch, &m);
}

static enum experiment_recorded get(const struct experiment_recordings *recorded, const char *ptx, const char *stride,
	struct experiment_recorded_result *out)
{
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = stride}};
	struct launch launch = {.kernel = "shared_stride",
		.grid = {132, 1, 1},
		.block = {256, 1, 1},
		.shared = 0,
		.args = args,
		.n_args = 2,
		.cooperative = false};
	return experiment_recordings_find(recorded, ptx, &launch, out);
}

static void put_lines(struct experiment_recordings *recorded, const char *stride, double v)
{
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = stride}};
	struct launch launch = {.kernel = "shared_stride",
		.grid = {132, 1, 1},
		.block = {256, 1, 1},
		.shared = 0,
		.args = args,
		.n_args = 2,
		.cooperative = false};
	const char *names[] = {"requests", "not_there", "wavefronts"};
	const bool available[] = {true, false, true};
	const double none[] = {0, 5, 0}, some[] = {v, 5, 2 * v};
	const struct wire_line lines[] = {{0, none}, {22, some}};
	experiment_recordings_put_lines(recorded, "00ff", &launch,
		&(struct wire_line_counts){
			.metrics = names, .available = available, .n = 3, .lines = lines, .n_lines = 2});
}

static void lines_come_back_from_the_file(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct experiment_recorded_result found;
	char *path = path_of(arena, "lines.json");
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	put(recorded, &h200, "00ff", "u32:1", 1);
	put(recorded, &h200, "00ff", "u32:2", 1);
	put_lines(recorded, "u32:2", 2048);
	put_lines(recorded, "u32:3", 1); /* of no result */
	assert_true(experiment_recordings_write(recorded, path, &diag));
	recorded = experiment_recordings_load(arena, path, &diag);
	assert_non_null(recorded);
	assert_int_equal(get(recorded, "00ff", "u32:1", &found), RECORDED_OK);
	assert_int_equal(found.lines->n_lines, 0);
	assert_int_equal(get(recorded, "00ff", "u32:2", &found), RECORDED_OK);
	assert_int_equal(found.lines->n, 2);
	assert_int_equal(found.lines->n_lines, 2);
	assert_string_equal(found.lines->metrics[1], "wavefronts");
	assert_int_equal(found.lines->lines[1].line, 22);
	assert_true(found.lines->lines[1].values[0] == 2048 && found.lines->lines[1].values[1] == 4096);
	assert_true(found.lines->available[0] && found.lines->available[1]);
	diag_free(&diag);
	arena_free(arena);
}

static void put_model(struct experiment_recordings *recorded, const char *stride, double cycles)
{
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = stride}};
	struct launch launch = {
		.kernel = "shared_stride", .grid = {132, 1, 1}, .block = {256, 1, 1}, .args = args, .n_args = 2};
	struct counts counts = {0};
	counts.c[COUNTER_CYCLES] = value_ok(cycles);
	counts.c[COUNTER_TIME] = value_missing(VALUE_FAILED);
	const struct experiment_line lines[] = {
		{12, true, 6000000000, value_ok(2.5), value_missing(VALUE_NONE), value_ok(32)},
		{14, false, 0, value_missing(VALUE_NONE), value_missing(VALUE_NONE), value_missing(VALUE_NONE)}};
	const uint64_t executed[] = {1, 5000000000, 0};
	const struct experiment_modeled modeled = {7000000000, lines, 2, executed, 3};
	experiment_recordings_put_model(recorded, "00ff", &launch, &counts, &modeled);
}

static void leave_model(struct experiment_recordings *recorded, const char *stride)
{
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = stride}};
	struct launch launch = {
		.kernel = "shared_stride", .grid = {132, 1, 1}, .block = {256, 1, 1}, .args = args, .n_args = 2};
	experiment_recordings_leave_model(recorded, "00ff", &launch);
}

static void what_the_model_has_comes_back_from_the_file(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct experiment_recorded_result found;
	char *path = path_of(arena, "model.json");
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	put(recorded, &h200, "00ff", "u32:1", 1);
	put(recorded, &h200, "00ff", "u32:2", 1);
	put(recorded, &older, "00ff", "u32:2", 1);
	put_model(recorded, "u32:2", 12345);
	put_model(recorded, "u32:3", 1); /* of no result */
	put(recorded, &h200, "00ff", "u32:4", 1);
	put_model(recorded, "u32:4", 1);
	leave_model(recorded, "u32:4");
	put_model(recorded, "u32:4", 1); /* which cannot be */
	assert_true(experiment_recordings_write(recorded, path, &diag));
	recorded = experiment_recordings_load(arena, path, &diag);
	assert_non_null(recorded);
	assert_int_equal(experiment_recordings_count(recorded), 4);
	assert_int_equal(get(recorded, "00ff", "u32:4", &found), RECORDED_OK);
	assert_int_equal(found.n_model, 0);
	assert_true(found.modeled.steps == 0);
	experiment_recordings_prefer(recorded, 1);
	assert_int_equal(get(recorded, "00ff", "u32:2", &found), RECORDED_OK);
	assert_true(found.n_model == 1 && found.modeled.steps == 7000000000); /* it is not of a GPU */
	experiment_recordings_prefer(recorded, 0);
	assert_int_equal(get(recorded, "00ff", "u32:1", &found), RECORDED_OK);
	assert_int_equal(found.n_model, 0);
	assert_int_equal(get(recorded, "00ff", "u32:2", &found), RECORDED_OK);
	assert_int_equal(found.n_model, 1); /* a number that it does not have is not there */
	assert_string_equal(found.model_metrics[0], counter_table[COUNTER_CYCLES].hw);
	assert_true(found.model_values[0] == 12345);
	assert_int_equal(found.n, 2);
	const struct experiment_modeled *m = &found.modeled;
	assert_true(m->steps == 7000000000 && m->n_lines == 2 && m->n_executed == 3);
	assert_true(m->lines[0].line == 12 && m->lines[0].executed && m->lines[0].requests == 6000000000);
	assert_true(m->lines[0].wavefronts.v == 2.5 && m->lines[0].active_lanes.v == 32);
	assert_int_equal(m->lines[0].sectors.state, VALUE_NONE);
	assert_true(m->lines[1].line == 14 && !m->lines[1].executed);
	assert_true(m->executed[0] == 1 && m->executed[1] == 5000000000 && m->executed[2] == 0);
	diag_free(&diag);
	arena_free(arena);
}

static void a_cooperative_launch_is_another_one(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct experiment_recorded_result found;
	char *path = path_of(arena, "cooperative.json");
	struct launch launch = {.kernel = "k",
		.grid = {2, 1, 1},
		.block = {32, 1, 1},
		.shared = 0,
		.args = NULL,
		.n_args = 0,
		.cooperative = true};
	const char *name = "a.sum";
	const double value = 5;
	const bool available = true;
	struct wire_measurement m = {.metrics = &name, .values = &value, .available = &available, .n = 1};
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	experiment_recordings_put(recorded, &h200, "00ff", &launch, &m);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	recorded = experiment_recordings_load(arena, path, &diag);
	assert_non_null(recorded);
	assert_int_equal(experiment_recordings_find(recorded, "00ff", &launch, &found), RECORDED_OK);
	launch.cooperative = false;
	assert_int_not_equal(experiment_recordings_find(recorded, "00ff", &launch, &found), RECORDED_OK);
	diag_free(&diag);
	arena_free(arena);
}

static void results_come_back_from_the_file(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct experiment_recorded_result found;
	char *path = path_of(arena, "a.json");
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	put(recorded, &h200, "00ff", "u32:10", 67584);
	put(recorded, &older, "00ff", "u32:2", 1);
	put(recorded, &h200, "00ff", "u32:9", 3);
	put(recorded, &h200, "00ff", "u32:9", 4); /* replaces */
	assert_int_equal(experiment_recordings_count(recorded), 3);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	recorded = experiment_recordings_load(arena, path, &diag);
	assert_non_null(recorded);
	assert_int_equal(experiment_recordings_count(recorded), 3);
	assert_int_equal(get(recorded, "00ff", "u32:10", &found), RECORDED_OK);
	assert_int_equal(found.n, 2); /* what the GPU does not have is not recorded */
	assert_string_equal(found.metrics[1], "b.pct");
	assert_true(found.values[0] == 67584 && found.values[1] == 22528);
	assert_string_equal(found.provenance->gpu, "NVIDIA \"H200\"");
	assert_string_equal(found.provenance->date, "2026-11-21");
	assert_int_equal(found.provenance->cc, 90);
	assert_int_equal(get(recorded, "00ff", "u32:9", &found), RECORDED_OK);
	assert_true(found.values[1] == 4.0 / 3); /* to the last bit */
	assert_int_equal(get(recorded, "00ff", "u32:2", &found), RECORDED_OK);
	assert_string_equal(found.provenance->gpu, "NVIDIA T4");
	assert_int_equal(get(recorded, "00ff", "u32:3", &found), RECORDED_NONE);
	assert_int_equal(get(recorded, "0100", "u32:2", &found), RECORDED_STALE);
	assert_int_equal(found.n, 0);
	put(recorded, &h200, "0100", "u32:2", 7); /* two kernels of one name do not replace each other */
	assert_int_equal(experiment_recordings_count(recorded), 4);
	assert_int_equal(get(recorded, "0100", "u32:2", &found), RECORDED_OK);
	assert_true(found.values[0] == 7);
	assert_int_equal(get(recorded, "00ff", "u32:2", &found), RECORDED_OK);
	assert_true(found.values[0] == 1);
	arena_free(arena);
}

static void the_file_does_not_depend_on_the_order(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	static const char *const strides[] = {"u32:10", "u32:2", "u32:1", "u32:33"};
	struct buf text[2] = {{0}, {0}};
	for (int way = 0; way < 2; way++) {
		struct experiment_recordings *recorded = experiment_recordings_new(arena);
		for (int i = 0; i < 4; i++)
			put(recorded, &h200, "1", strides[way ? 3 - i : i], 1);
		char *path = path_of(arena, way ? "b.json" : "c.json");
		assert_true(experiment_recordings_write(recorded, path, &diag));
		assert_true(file_read(path, 1 << 20, &text[way], &diag));
	}
	assert_string_equal(text[0].data, text[1].data);
	assert_true(strstr(text[0].data, "u32:2\"") < strstr(text[0].data, "u32:10\"")); /* by value */
	buf_free(&text[0]);
	buf_free(&text[1]);
	arena_free(arena);
}

/* Results of two GPUs of one launch stand beside each other. */
static void gpus_keep_their_own_results(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct experiment_recorded_result result;
	struct experiment_provenance again = h200;
	again.date = "2026-12-01";
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	put(recorded, &h200, "00ff", "u32:2", 100);
	put(recorded, &older, "00ff", "u32:2", 200);
	put(recorded, &older, "00ff", "u32:1", 300);
	put_lines(recorded, "u32:1", 5);
	put(recorded, &again, "00ff", "u32:2", 101); /* in the place of the first */
	assert_int_equal(experiment_recordings_count(recorded), 3);
	for (int round = 0; round < 2; round++) { /* as made, and as read */
		assert_string_equal(experiment_recordings_gpu(recorded, 0)->gpu, h200.gpu);
		assert_string_equal(experiment_recordings_gpu(recorded, 1)->gpu, older.gpu);
		assert_null(experiment_recordings_gpu(recorded, 2));
		assert_int_equal(get(recorded, "00ff", "u32:2", &result), RECORDED_OK);
		assert_true(result.values[0] == 101);
		assert_string_equal(result.provenance->date, "2026-12-01");
		/* what the first was not asked the other stands in for, under its own name */
		assert_int_equal(get(recorded, "00ff", "u32:1", &result), RECORDED_OK);
		assert_string_equal(result.provenance->gpu, older.gpu);
		assert_int_equal(result.lines->n_lines, 2);
		experiment_recordings_prefer(recorded, 1);
		assert_int_equal(get(recorded, "00ff", "u32:2", &result), RECORDED_OK);
		assert_true(result.values[0] == 200);
		assert_string_equal(result.provenance->gpu, older.gpu);
		assert_int_equal(get(recorded, "other", "u32:2", &result), RECORDED_STALE);
		struct buf text = {0};
		experiment_recordings_format(recorded, &text);
		recorded = experiment_recordings_read(arena, "r.json", buf_str(&text), text.len, &diag);
		assert_non_null(recorded);
		buf_free(&text);
	}
	/* one that is recorded anew keeps the others' results, and the order of the file */
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = "u32:2"}};
	struct launch launch = {
		.kernel = "shared_stride", .grid = {132, 1, 1}, .block = {256, 1, 1}, .args = args, .n_args = 2};
	struct experiment_recordings *anew = experiment_recordings_new(arena);
	experiment_recordings_order_as(anew, recorded);
	assert_true(experiment_recordings_has(recorded, "00ff", &launch, &h200));
	assert_true(experiment_recordings_take(anew, recorded, "00ff", &launch, &h200));
	assert_false(experiment_recordings_has(anew, "00ff", &launch, &h200));
	put(anew, &again, "00ff", "u32:2", 102);
	assert_int_equal(experiment_recordings_count(anew), 2);
	assert_int_equal(get(anew, "00ff", "u32:2", &result), RECORDED_OK);
	assert_true(result.values[0] == 102);
	diag_free(&diag);
	arena_free(arena);
}

static void fingerprints_see_code_only(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{"mov.u32 %r1, 7;\n", "// made by X\nmov.u32 %r1, 7; // seven\n\n", true},
		{"a\nb\n", "a\n\n/* c\n * d */\n\tb", true},
		{"a b", "ab", false},
		{"mov.u32 %r1, 7;", "mov.u32 %r1, 8;", false},
		{".file 1 \"a//b\"", ".file 1 \"a//c\"", false},
		{"", "// nothing\n", true},
		{"a /* open", "a", true},
		{"a /*/ b */ c", "a /**/ c", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char a[17], b[17];
		experiment_fingerprint(rows[i].a, strlen(rows[i].a), a);
		experiment_fingerprint(rows[i].b, strlen(rows[i].b), b);
		assert_int_equal(strlen(a), 16);
		if ((strcmp(a, b) == 0) != rows[i].same)
			fail_msg("row %zu: %s %s", i, a, b);
	}
}

#define HEAD                                                                                                           \
	"{\"format\": 1,\n\"machines\": [{\"gpu\": \"G\", \"cc\": 90, \"sms\": 1, \"driver\": \"\", \"cuda\": \"\", \
\"cupti\": \"\", \"date\": \"\"}],\n\"results\": ["
#define MODEL_METRICS(names) "], \"model_metrics\": " names "}"
#define MODELED(steps, lines, executed)                                                                                \
	"{}, \"model\": [1], \"model_steps\": " steps ", \"model_lines\": " lines ", \"model_executed\": " executed
#define RESULT(grid, args, machine, metrics)                                                                           \
	"{\"kernel\": \"k\", \"grid\": " grid ", \"block\": [1, 1, 1], \"shared\": 0,\n\
\"args\": " args ", \"ptx\": \"0\",\n\"machine\": " machine ", \"metrics\": " metrics "}"

static const struct {
	const char *text, *says;
} damaged[] = {
	{"", ":1:1: not JSON"},
	{"{\"format\": 1,\n \"machines\": oops}", ":2:"},
	{"[]", "\"format\" must be an integer"},
	{"{\"format\": 2}", ":1:12: this \"format\" is not known"},
	{"{\"format\": 1,\n\"results\": []}", ":1:1: \"machines\" must be an array"},
	{"{\"format\": 1, \"machines\": [],\n\"results\": 7}", ":2:12: \"results\" must be an array"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"lines\": {\"7\": [1]}") "]}", "\"line_metrics\" must be an array"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [\"a\"], \"lines\": 7") "]}", ":5:"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [\"a\"], \"lines\": {\"x\": [1]}") "]}",
		"\"x\" is not a line number"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [\"a\"], \"lines\": {\"7\": [1, 2]}") "]}",
		"must be a number for each"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [\"a\"], \"lines\": {\"8\": [1], \"7\": [1]}") "]}",
		"\"lines\" must ascend"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [7], \"lines\": {}") "]}", "must be a string"},
	{"{\"format\": 1, \"machines\": [7], \"results\": []}", ":1:28: \"gpu\" must be a string"},
	{HEAD "7]}", ":3:13: \"kernel\" must be a string"},
	{HEAD RESULT("[1, 1]", "[]", "0", "{}") "]}", ":3:37: \"grid\" must be three positive integers"},
	{HEAD RESULT("[1, 0, 1]", "[]", "0", "{}") "]}", ":3:37: \"grid\" must be three positive integers"},
	{HEAD RESULT("[1, 1, 1]", "[\"a\", 3]", "0", "{}") "]}", ":4:15: a member of \"args\" must be a string"},
	{HEAD RESULT("[1, 1, 1]", "[]", "1", "{}") "]}", ":5:12: \"machine\" is not an index"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{\"a\": \"1\"}") "]}", ":5:32: \"a\" must be a number"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "[]") "]}", ":5:26: \"metrics\" must be an object"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": 1") "]}", "\"model\" must be a number or null for each"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": [1]") "]}", "\"model\" must be a number or null for each"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": [\"1\"]") MODEL_METRICS("[\"a\"]"),
		"\"model\" must be a number or null for each"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": [1]") MODEL_METRICS("7"),
		"\"model_metrics\" must be an array"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": [1]") MODEL_METRICS("[7]"),
		"a member of \"model_metrics\" must be a string"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("0", "{}", "[]")) MODEL_METRICS("[\"a\"]"),
		"\"model_steps\" must be a positive integer"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "[]", "[]")) MODEL_METRICS("[\"a\"]"),
		"\"model_lines\" must be an object of lines"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{\"x\": [0, 1, 1, 1]}", "[]")) MODEL_METRICS("[\"a\"]"),
		"\"model_lines\" must be lines that ascend"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{\"9\": [0, 1, 1, 1], \"8\": [0, 1, 1, 1]}", "[]"))
			MODEL_METRICS("[\"a\"]"),
		"\"model_lines\" must be lines that ascend"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{\"9\": [-1, 1, 1, 1]}", "[]")) MODEL_METRICS("[\"a\"]"),
		"\"model_lines\" must be lines that ascend"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{\"9\": [1, 1, 1]}", "[]")) MODEL_METRICS("[\"a\"]"),
		"\"model_lines\" must be lines that ascend"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{}", "7")) MODEL_METRICS("[\"a\"]"),
		"\"model_executed\" must be an array"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", MODELED("5", "{}", "[1, -1]")) MODEL_METRICS("[\"a\"]"),
		"a member of \"model_executed\" must be an integer"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"model\": {\"a\": \"b\"}") "]}", "\"a\" must be a number"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}") ",\n" RESULT("[]", "[]", "0", "{}") "]}", ":6:25: \"grid\""},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"before\": 7") "]}", ":5:40: \"before\" must be an array"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"before\": [7]") "]}", ":5:41: \"kernel\" must be a string"},
	{HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"before\": [1, 2, 3, 4, 5, 6, 7, 8]") "]}",
		":5:40: \"before\" holds too many launches"},
};

/* A launch that comes after others is another one than by itself, or after others. */
static void launches_before_tell_results_apart(void **state)
{
	static const char *const firsts[] = {NULL, "u32:1", "u32:2", "u32:1"};
	const char *names[] = {"a.sum"};
	const bool available[] = {true};
	struct launch_arg args[4][1] = {{{.text = "x"}}};
	struct launch before[4], second[4];
	struct arena *arena = arena_new();
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	struct buf text = {0}, again = {0};
	struct diag diag = {0};
	(void)state;
	for (int i = 0; i < 4; i++) {
		args[i][0].text = firsts[i];
		before[i] = (struct launch){
			.kernel = "first", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = args[i], .n_args = 1};
		second[i] = (struct launch){.kernel = "second",
			.grid = {1, 1, 1},
			.block = {1, 1, 1},
			.before = firsts[i] ? &before[i] : NULL};
		if (i == 3)
			before[i].before = &before[2]; /* two before it */
		const double values[] = {i};
		struct wire_measurement m = {.metrics = names, .values = values, .available = available, .n = 1};
		experiment_recordings_put(recorded, &h200, "0", &second[i], &m);
	}
	assert_int_equal(experiment_recordings_count(recorded), 4);
	experiment_recordings_format(recorded, &text);
	struct experiment_recordings *read = experiment_recordings_read(
		arena, "read.json", buf_str(&text), text.len, &diag);
	assert_non_null(read);
	for (int i = 0; i < 4; i++) {
		struct experiment_recorded_result result;
		assert_int_equal(experiment_recordings_find(read, "0", &second[i], &result), RECORDED_OK);
		assert_true(result.values[0] == i);
	}
	experiment_recordings_format(read, &again);
	assert_string_equal(buf_str(&again), buf_str(&text));
	buf_free(&text);
	buf_free(&again);
	diag_free(&diag);
	arena_free(arena);
}

static void damage_is_placed(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	char *path = path_of(arena, "damaged.json");
	for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
		struct diag diag = {0};
		struct buf text = {0};
		assert_true(file_write(path, damaged[i].text, strlen(damaged[i].text), &diag));
		assert_null(experiment_recordings_load(arena, path, &diag));
		diag_format(&diag, &text);
		if (!strstr(buf_str(&text), damaged[i].says))
			fail_msg("%s\ngives: %s\nwithout: %s", damaged[i].text, buf_str(&text), damaged[i].says);
		buf_free(&text);
		diag_free(&diag);
	}
	struct diag diag = {0};
	struct buf names = {0}, many = {0};
	for (int i = 0; i < WIRE_METRICS_MAX; i++)
		buf_puts(&names, "\"a\", ");
	buf_printf(&many, HEAD RESULT("[1, 1, 1]", "[]", "0", "{}, \"line_metrics\": [%s\"a\"], \"lines\": {}") "]}",
		buf_str(&names));
	assert_null(experiment_recordings_read(arena, "many.json", buf_str(&many), many.len, &diag));
	assert_non_null(strstr(diag.entries[0].message, "holds too many metrics"));
	buf_free(&names);
	buf_free(&many);
	diag_free(&diag);
	diag = (struct diag){0};
	struct experiment_recordings *none = experiment_recordings_load(arena, path_of(arena, "missing.json"), &diag);
	assert_non_null(none);
	assert_int_equal(experiment_recordings_count(none), 0);
	assert_null(experiment_recordings_load(arena, dir, &diag)); /* a folder can be opened, but not read */
	assert_int_equal(diag.errors, 1);
	diag_free(&diag);
	arena_free(arena);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	static const char *const names[] = {
		"a.json", "b.json", "c.json", "damaged.json", "lines.json", "model.json", "cooperative.json"};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char path[100];
		snprintf(path, sizeof path, "%s/%s", dir, names[i]);
		unlink(path);
	}
	return rmdir(dir);
}

/* The text `begin`, `n` times `item` with commas between, and `end`. */
static void read_many(const char *begin, const char *item, int n, const char *end, const char *expected)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	buf_puts(&text, begin);
	for (int i = 0; i < n; i++)
		buf_printf(&text, "%s%s", i ? "," : "", item);
	buf_puts(&text, end);
	assert_null(experiment_recordings_read(arena, "many.json", buf_str(&text), text.len, &diag));
	assert_true(diag.count > 0 && diag.count <= DIAG_MAX);
	bool said = false;
	for (size_t i = 0; i < diag.count; i++)
		said |= strstr(diag.entries[i].message, expected) != NULL;
	assert_true(said);
	buf_free(&text);
	diag_free(&diag);
	arena_free(arena);
}

static void a_file_of_faults_takes_no_longer_than_its_size(void **state)
{
	(void)state;
	static const char format[] = "{\"format\":1,\"machines\":[", none[] = "],\"results\":[]}",
			  results[] = "{\"format\":1,\"machines\":[],\"results\":[",
			  lines[] = "{\"format\":1,\"machines\":[],\"results\":[{\"line_metrics\":[";
	alarm(60); /* looking for each place from the beginning took hours */
	char wide[1600];
	memset(wide, ' ', sizeof wide);
	memcpy(wide, "[", 1);
	memcpy(wide + sizeof wide - 2, "]", 2);
	read_many(results, wide, 10000, "]}", "\"kernel\" must be a string");
	read_many(format, wide, 10000, none, "\"gpu\" must be a string");
	read_many(format, "[]", 10001, none, "\"machines\" holds more than 10000 items");
	read_many(results, "[]", 10001, "]}", "\"results\" holds more than 10000 items");
	read_many(lines, "\"m\"", 256, "],\"lines\":{\"1\":0,\"2\":0,\"3\":0,\"4\":0,\"5\":0,\"6\":0}}]}",
		"\"lines\" must be an object of lines");
	alarm(0);
}

static const struct listing_instr instrs[] = {
	{12, 0, "LDC R1, c[0x0][0x28]"}, {0, 16, "@!P0 BRA `(\"\\)"}, {13, 0, "RET.REL.NODEC R20 0x0"}};
static const struct code_listing listing = {"sm_90", "ptxas 13.0.88", 12, 8, 4, 0, instrs, 3, "fedcba9876543210", 40};

static void machine_code_is_kept_by_kernel_and_target(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	struct code_listing newer = listing;
	newer.target = "sm_100";
	experiment_recordings_put_code(recorded, "abc", "k", &newer);
	experiment_recordings_put_code(recorded, "abc", "k", &listing);
	experiment_recordings_put_code(recorded, "abc", "k", &listing);
	experiment_recordings_format(recorded, &text);
	recorded = experiment_recordings_read(arena, "written.json", buf_str(&text), text.len, &diag);
	assert_non_null(recorded);
	const struct code_listing *read = experiment_recordings_find_code(recorded, "abc", "k", 90);
	assert_string_equal(read->target, "sm_90");
	assert_string_equal(read->compiler, "ptxas 13.0.88");
	assert_true(read->registers == 12 && read->stack == 8 && read->spill_stores == 4 && read->n == 3 &&
		read->first_line == 40);
	assert_string_equal(read->code, "fedcba9876543210");
	for (int i = 0; i < read->n; i++) {
		assert_string_equal(read->instrs[i].text, instrs[i].text);
		assert_true(
			read->instrs[i].ptx_line == instrs[i].ptx_line && read->instrs[i].address == instrs[i].address);
	}
	assert_string_equal(experiment_recordings_find_code(recorded, "abc", "k", 100)->target, "sm_100");
	assert_non_null(experiment_recordings_find_code(recorded, "abc", "k", 75)); /* better than none */
	assert_null(experiment_recordings_find_code(recorded, "other", "k", 90));
	assert_null(experiment_recordings_find_code(recorded, "abc", "other", 90));
	buf_free(&text);
	arena_free(arena);
}

static void executed_machine_code_is_kept_by_lines_of_the_ptx(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = "u32:1"}};
	struct launch launch = {
		.kernel = "shared_stride", .grid = {132, 1, 1}, .block = {256, 1, 1}, .args = args, .n_args = 2};
	static const char *const metrics[] = {"other", "smsp__sass_inst_executed"};
	static const bool available[] = {true, true};
	static const double values[3][2] = {{1, 5}, {2, 8}, {3, 64}};
	const struct wire_line lines[] = {{0, values[0]}, {12, values[1]}, {14, values[2]}};
	const struct wire_line_counts counts = {
		.metrics = metrics, .available = available, .n = 2, .lines = lines, .n_lines = 3};
	struct experiment_recorded_result result;
	put(recorded, &h200, "abc", "u32:1", 7);
	experiment_recordings_put_executed(recorded, "abc", &launch, &counts);
	experiment_recordings_format(recorded, &text);
	recorded = experiment_recordings_read(arena, "written.json", buf_str(&text), text.len, &diag);
	assert_non_null(recorded);
	assert_int_equal(get(recorded, "abc", "u32:1", &result), RECORDED_OK);
	assert_int_equal(result.n_executed, 2); /* without what is of no line */
	assert_true(result.executed[0].ptx_line == 12 && result.executed[0].n == 8);
	assert_true(result.executed[1].ptx_line == 14 && result.executed[1].n == 64);
	buf_free(&text);
	arena_free(arena);
}

static void counts_of_machine_instructions_are_kept(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	struct launch_arg args[] = {{.text = "f32[1024]:iota"}, {.text = "u32:1"}};
	struct launch launch = {
		.kernel = "shared_stride", .grid = {132, 1, 1}, .block = {256, 1, 1}, .args = args, .n_args = 2};
	static const char *const metrics[] = {"smsp__sass_inst_executed", "no_such", "smsp__sass_thread_inst_executed"};
	static const bool available[] = {true, false, true};
	static const double values[][3] = {{8, 0, 256}, {64, 0, 2000.5}}, bad[] = {-1, 0, 0};
	const struct wire_line lines[] = {{12, values[0]}}, counted[] = {{0, values[0]}, {48, values[1]}},
			       negative[] = {{0, bad}};
	struct wire_line_counts counts = {metrics, available, 3, lines, 1, 1, 0, "0123456789abcdef", counted, 2};
	struct experiment_recorded_result result;
	put(recorded, &h200, "abc", "u32:1", 7);
	experiment_recordings_put_executed(recorded, "abc", &launch, &counts);
	experiment_recordings_format(recorded, &text);
	recorded = experiment_recordings_read(arena, "written.json", buf_str(&text), text.len, &diag);
	assert_non_null(recorded);
	assert_int_equal(get(recorded, "abc", "u32:1", &result), RECORDED_OK);
	assert_string_equal(result.instrs->code, "0123456789abcdef");
	assert_true(result.instrs->n == 2 && result.instrs->n_lines == 2 && result.n_executed == 1);
	assert_true(result.instrs->lines[1].line == 48 && result.instrs->lines[1].values[1] == 2000.5);
	/* what no file may hold is left out, and takes the place of what was */
	static const char *const codes[] = {NULL, "", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF"};
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
		counts.code = codes[i];
		experiment_recordings_put_executed(recorded, "abc", &launch, &counts);
		get(recorded, "abc", "u32:1", &result);
		assert_true(result.instrs->n_lines == 0 && result.n_executed == 1);
	}
	counts.code = "0123456789abcdef";
	counts.instrs = negative;
	counts.n_instrs = 1;
	experiment_recordings_put_executed(recorded, "abc", &launch, &counts);
	get(recorded, "abc", "u32:1", &result);
	assert_int_equal(result.instrs->n_lines, 0);
	buf_free(&text);
	arena_free(arena);
}

/* A file with this in the middle is refused with one error. */
static void refused(const char *before, const char *bad, const char *after)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *text = arena_printf(arena, "%s%s%s", before, bad, after);
	assert_null(experiment_recordings_read(arena, "bad.json", text, strlen(text), &diag));
	assert_int_equal(diag.errors, 1);
	diag_free(&diag);
	arena_free(arena);
}

static void counts_of_a_stranger_are_checked(void **state)
{
	(void)state;
	static const char *const bad[] = {"\"instr_metrics\": [\"a\"], \"instrs\": {\"0\": [1]}",
		"\"instr_code\": \"x\", \"instr_metrics\": [\"a\"], \"instrs\": {\"0\": [1]}",
		"\"instr_code\": 7, \"instr_metrics\": [\"a\"], \"instrs\": {\"0\": [1]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": {\"8\": [1]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": {\"-16\": [1]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": {\"0\": [-1]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": {\"0\": [1, 2]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": {\"16\": [1], \"0\": [1]}",
		"\"instr_code\": \"0123456789abcdef\", \"instr_metrics\": [\"a\"], \"instrs\": [1]"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused("{\"format\": 1, \"machines\": [{\"gpu\": \"g\", \"cc\": 90, \"sms\": 1, \"driver\": \"d\", "
			"\"cuda\": \"13.0\", \"cupti\": \"c\", \"date\": \"2026-11-27\"}], \"results\": [{\"kernel\": \"k\", "
			"\"grid\": [1, 1, 1], \"block\": [1, 1, 1], \"shared\": 0, \"args\": [], \"ptx\": \"a\", "
			"\"machine\": 0, \"metrics\": {}, ",
			bad[i], "}]}");
}

static void machine_code_of_a_stranger_is_checked(void **state)
{
	(void)state;
	static const char *const bad[] = {"[0, 1]", "[0, 1, \"\"]", "[0, 1, \"\\u001b[2J\"]", "[8, 1, \"NOP\"]",
		"[-16, 1, \"NOP\"]", "[0, -1, \"NOP\"]", "[0, 1, \" NOP\"]", "[0, 1, \"\u00e9\"]", "\"NOP\"",
		"[0, 1, 2]"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused("{\"format\": 1, \"machines\": [], \"results\": [], \"code\": [{\"kernel\": \"k\", \"ptx\": \"a\", "
			"\"target\": \"sm_90\", \"compiler\": \"x\", \"registers\": 1, \"stack\": 0, \"spill_stores\": 0, "
			"\"spill_loads\": 0, \"first_line\": 0, \"instrs\": [",
			bad[i], "]}]}");
}

/* Of the lesson that ships: what was counted by address is whole, and of the code that is stored. */
static void counted_machine_code_is_whole(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	const char *path = arena_printf(arena, "%s/lessons/226-sass/recorded.json", top ? top : ".");
	const struct experiment_recordings *r = experiment_recordings_load(arena, path, &diag);
	assert_true(r && r->n > 5);
	for (int i = 0; i < r->n; i++) {
		const struct recorded_launch *e = &r->entries[i];
		const struct code_listing *code = experiment_recordings_find_code(r, e->ptx, e->launch.kernel, 90);
		struct counts all = {0};
		double sum = 0;
		assert_string_equal(e->instrs.code, code->code);
		assert_true(e->instrs.n_lines >= code->n);
		assert_string_equal(e->instrs.metrics[0], "smsp__sass_inst_executed");
		for (int k = 0; k < e->instrs.n_lines; k++)
			sum += e->instrs.lines[k].values[0];
		counts_set_named(&all, &(struct named_counts){e->metrics, e->values, NULL, e->n, 90});
		assert_true(sum == all.c[COUNTER_INSTRUCTIONS].v);
	}
	arena_free(arena);
}

/* Of the lesson that ships: what is read is written as it was; and what does not fit together is refused. */
static void programs_come_back_from_the_file(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0}, again = {0};
	const char *top = getenv("top_srcdir");
	const char *path = arena_printf(arena, "%s/lessons/227-streams/recorded.json", top ? top : ".");
	assert_true(file_read_text(path, (size_t)4 << 20, &text, &diag));
	struct experiment_recordings *r = experiment_recordings_read(arena, path, buf_str(&text), text.len, &diag);
	assert_non_null(r);
	assert_true(experiment_recordings_count(r) > 0);
	experiment_recordings_format(r, &again);
	assert_string_equal(buf_str(&again), buf_str(&text));
	static const char *const damage[][2] = {{"\"stream\":0", "\"stream\":9"},
		{"\"kind\":\"copy\"", "\"kind\":\"gift\""}, {"\"operations\": [", "\"operations\": 7, \"others\": ["},
		{"\"device_share\":0.", "\"device_share\":2."}};
	for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
		char *at = strstr(buf_str(&text), damage[i][0]);
		struct buf bad = {0};
		assert_non_null(at);
		buf_append(&bad, buf_str(&text), (size_t)(at - buf_str(&text)));
		buf_printf(&bad, "%s%s", damage[i][1], at + strlen(damage[i][0]));
		assert_null(experiment_recordings_read(arena, path, buf_str(&bad), bad.len, &diag));
		assert_true(diag.errors == 1 && diag.entries[0].line > 1);
		diag_free(&diag);
		buf_free(&bad);
	}
	buf_free(&text);
	buf_free(&again);
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_come_back_from_the_file),
		cmocka_unit_test(lines_come_back_from_the_file),
		cmocka_unit_test(what_the_model_has_comes_back_from_the_file),
		cmocka_unit_test(a_cooperative_launch_is_another_one),
		cmocka_unit_test(the_file_does_not_depend_on_the_order),
		cmocka_unit_test(gpus_keep_their_own_results),
		cmocka_unit_test(fingerprints_see_code_only),
		cmocka_unit_test(damage_is_placed),
		cmocka_unit_test(launches_before_tell_results_apart),
		cmocka_unit_test(a_file_of_faults_takes_no_longer_than_its_size),
		cmocka_unit_test(machine_code_is_kept_by_kernel_and_target),
		cmocka_unit_test(executed_machine_code_is_kept_by_lines_of_the_ptx),
		cmocka_unit_test(machine_code_of_a_stranger_is_checked),
		cmocka_unit_test(counts_of_machine_instructions_are_kept),
		cmocka_unit_test(counts_of_a_stranger_are_checked),
		cmocka_unit_test(counted_machine_code_is_whole),
		cmocka_unit_test(programs_come_back_from_the_file),
	};
	return cmocka_run_group_tests_name("recorded", tests, set_up, tear_down);
}
