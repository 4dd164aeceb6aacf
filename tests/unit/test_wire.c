#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/wire/wire.h"

/* Writes a message and reads it back. */
static struct wire_message round_trip(struct arena *arena, const struct wire_message *message)
{
	struct buf line = {0};
	struct diag diag = {0};
	struct wire_message back;
	wire_write(message, &line);
	assert_int_equal(line.data[line.len - 1], '\n');
	assert_ptr_equal(memchr(line.data, '\n', line.len), line.data + line.len - 1);
	assert_true(wire_read(arena, line.data, line.len - 1, &back, &diag));
	assert_int_equal(diag.count, 0);
	assert_int_equal(back.kind, message->kind);
	assert_int_equal(back.id, message->id);
	buf_free(&line);
	diag_free(&diag);
	return back;
}

static void requests_come_back_as_they_went(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct launch_arg args[] = {{.text = "u32:7"}, {.text = "f32[]:1,2"}};
	const char *metrics[] = {"a.sum", "b.avg"};
	struct wire_message m = {.kind = WIRE_MEASURE, .id = INT64_MAX};
	m.measure.job.ptx = "// caf\xC3\xA9 \"quoted\"\n\t.reg\\\n";
	m.measure.job.ptx_len = strlen(m.measure.job.ptx);
	m.measure.job.launch = (struct launch){.kernel = "kernel",
		.grid = {1, 2, 3},
		.block = {2147483647, 65535, 1},
		.cluster = {2, 3, 1},
		.shared = 49152,
		.args = args,
		.n_args = 2,
		.cooperative = true};
	m.measure.metrics = metrics;
	m.measure.n_metrics = 2;
	m.measure.return_buffers = true;
	struct wire_message back = round_trip(arena, &m);
	assert_string_equal(back.measure.job.ptx, m.measure.job.ptx);
	assert_int_equal(back.measure.job.ptx_len, m.measure.job.ptx_len);
	assert_string_equal(back.measure.job.launch.kernel, "kernel");
	assert_memory_equal(back.measure.job.launch.grid, m.measure.job.launch.grid, sizeof m.measure.job.launch.grid);
	assert_memory_equal(
		back.measure.job.launch.block, m.measure.job.launch.block, sizeof m.measure.job.launch.block);
	assert_memory_equal(
		back.measure.job.launch.cluster, m.measure.job.launch.cluster, sizeof m.measure.job.launch.cluster);
	assert_int_equal(back.measure.job.launch.shared, 49152);
	assert_int_equal(back.measure.job.launch.n_args, 2);
	assert_true(back.measure.job.launch.cooperative);
	assert_string_equal(back.measure.job.launch.args[1].text, "f32[]:1,2");
	assert_int_equal(back.measure.n_metrics, 2);
	assert_string_equal(back.measure.metrics[1], "b.avg");
	assert_true(back.measure.return_buffers);
	round_trip(arena, &(struct wire_message){.kind = WIRE_PROBE, .id = 1});
	round_trip(arena, &(struct wire_message){.kind = WIRE_QUIT});
	arena_free(arena);
}

/* A launch with memory at addresses, and what it leaves there. */
static void memory_comes_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const uint8_t bytes[] = {1, 0, 255};
	const struct launch_memory memory[] = {{0x110000000000, 4096, bytes, sizeof bytes},
		{0x110000001000, 1, NULL, 0}, {0x7FFFF0000000, 8, bytes, 1}};
	struct wire_message m = {.kind = WIRE_MEASURE, .id = 7};
	m.measure.job = (struct wire_job){
		"ptx", 3, {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .memory = memory, .n_memory = 3}};
	struct launch back = round_trip(arena, &m).measure.job.launch;
	assert_int_equal(back.n_memory, 3);
	for (int i = 0; i < 3; i++) {
		assert_true(back.memory[i].address == memory[i].address);
		assert_int_equal(back.memory[i].bytes, memory[i].bytes);
		assert_int_equal(back.memory[i].n_data, memory[i].n_data);
	}
	assert_memory_equal(back.memory[0].data, bytes, sizeof bytes);
	const void *after[] = {bytes, bytes};
	const size_t sizes[] = {3, 1};
	struct wire_message reply = {.kind = WIRE_RESULT_MEASURE, .id = 7};
	reply.measurement = (struct wire_measurement){
		.passes = 1, .memory = after, .memory_bytes = sizes, .n_memory = 2};
	struct wire_measurement got = round_trip(arena, &reply).measurement;
	assert_int_equal(got.n_memory, 2);
	assert_int_equal(got.memory_bytes[0], 3);
	assert_memory_equal(got.memory[0], bytes, 3);
	struct wire_message probe = {.kind = WIRE_RESULT_PROBE, .id = 1};
	probe.gpu = (struct wire_gpu){.name = "", .addresses = true, .counters = true};
	assert_true(round_trip(arena, &probe).gpu.addresses);
	arena_free(arena);
}

static void memory_out_of_order_is_refused(void **state)
{
	(void)state;
	static const char *const rows[] = {
		"{\"address\":4096,\"bytes\":16,\"data\":\"\"},{\"address\":4111,\"bytes\":1,\"data\":\"\"}",
		"{\"address\":4096,\"bytes\":0,\"data\":\"\"}",
		"{\"address\":0,\"bytes\":16,\"data\":\"\"}",
		"{\"address\":72057594037927937,\"bytes\":16,\"data\":\"\"}",
		"{\"address\":4096,\"bytes\":2,\"data\":\"AAAA\"}",
		"{\"address\":4096,\"bytes\":2,\"data\":7}",
		"{\"address\":4096,\"bytes\":1073741825,\"data\":\"\"}",
		"7",
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		struct wire_message out;
		const char *line = arena_printf(arena,
			"{\"type\":\"measure\",\"id\":1,\"ptx\":\"\",\"metrics\":[],\"buffers\":true,\"launch\":{\"kernel\":\"k\","
			"\"grid\":[1,1,1],\"block\":[1,1,1],\"shared\":0,\"args\":[],\"memory\":[%s]}}",
			rows[i]);
		assert_false(wire_read(arena, line, strlen(line), &out, &diag));
		diag_free(&diag);
		arena_free(arena);
	}
}

static void sources_come_back_as_they_went(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const struct wire_header headers[] = {{"/a/b.h", "#pragma once\n"}, {"/a/\"c\".h", ""}};
	const char *defines[] = {"N=3"};
	struct wire_message m = {.kind = WIRE_COMPILE, .id = 4};
	m.compile = (struct wire_compile){"/a/k.cu", "// \xC3\xA9\n", headers, 2, defines, 1, 0};
	struct wire_message back = round_trip(arena, &m);
	assert_string_equal(back.compile.file, "/a/k.cu");
	assert_string_equal(back.compile.source, m.compile.source);
	assert_int_equal(back.compile.n_headers, 2);
	assert_string_equal(back.compile.headers[0].text, "#pragma once\n");
	assert_string_equal(back.compile.headers[1].file, "/a/\"c\".h");
	assert_string_equal(back.compile.defines[0], "N=3");
	assert_int_equal(back.compile.cc, 0);
	m.compile.cc = 121;
	assert_int_equal(round_trip(arena, &m).compile.cc, 121);
	m = (struct wire_message){.kind = WIRE_RESULT_COMPILE, .id = 4};
	m.compiled = (struct wire_compiled){".version 6.3\n", 13, "a log", "NVRTC 13.0", 90, 20.5};
	back = round_trip(arena, &m);
	assert_string_equal(back.compiled.ptx, ".version 6.3\n");
	assert_int_equal(back.compiled.ptx_len, 13);
	assert_string_equal(back.compiled.compiler, "NVRTC 13.0");
	assert_true(back.compiled.worker_ms == 20.5);
	m.compiled.ptx = NULL; /* refused */
	back = round_trip(arena, &m);
	assert_null(back.compiled.ptx);
	assert_string_equal(back.compiled.log, "a log");
	assert_int_equal(wire_answer(WIRE_COMPILE), WIRE_RESULT_COMPILE);
	arena_free(arena);
}

static void samples_come_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *metrics[] = {"a.sum", "none.sum"};
	const double times[] = {500, 1000.5, 1500}, values[] = {0, 0.25, NAN};
	const double *of_metrics[] = {values, NULL};
	struct wire_message ask = {.kind = WIRE_SAMPLE, .id = 5};
	ask.sample.job = (struct wire_job){"ptx", 3,
		{.kernel = "k",
			.grid = {1, 1, 1},
			.block = {32, 1, 1},
			.shared = 0,
			.args = NULL,
			.n_args = 0,
			.cooperative = false}};
	ask.sample.metrics = metrics;
	ask.sample.n_metrics = 2;
	ask.sample.interval = 2000;
	struct wire_message back = round_trip(arena, &ask);
	assert_int_equal(back.sample.interval, 2000);
	assert_string_equal(back.sample.metrics[1], "none.sum");
	assert_string_equal(back.sample.job.launch.kernel, "k");
	struct wire_message m = {.kind = WIRE_RESULT_SAMPLE, .id = 5};
	m.samples = (struct wire_samples){metrics, of_metrics, 2, times, 3, 500, true, 12.5};
	back = round_trip(arena, &m);
	assert_int_equal(back.samples.n, 3);
	assert_true(back.samples.times[1] == 1000.5);
	assert_true(back.samples.values[0][1] == 0.25);
	assert_true(isnan(back.samples.values[0][2]));
	assert_null(back.samples.values[1]);
	assert_int_equal(back.samples.interval, 500);
	assert_true(back.samples.cut);
	arena_free(arena);
}

static void stamps_come_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct launch_arg args[] = {{.text = "u32:7"}, {.text = "b8[64]"}};
	struct wire_message ask = {.kind = WIRE_STAMP, .id = 6};
	ask.stamp.job = (struct wire_job){"with", 4,
		{.kernel = "k",
			.grid = {1, 1, 1},
			.block = {32, 1, 1},
			.shared = 0,
			.args = args,
			.n_args = 2,
			.cooperative = false}};
	ask.stamp.plain = "without";
	ask.stamp.plain_len = 7;
	struct wire_message back = round_trip(arena, &ask);
	assert_string_equal(back.stamp.plain, "without");
	assert_int_equal(back.stamp.plain_len, 7);
	assert_string_equal(back.stamp.job.ptx, "with");
	const uint8_t bytes[] = {0, 1, 2, 255};
	struct wire_message m = {.kind = WIRE_RESULT_STAMP, .id = 6};
	m.stamped = (struct wire_stamped){bytes, sizeof bytes, -1, 40, 32, 1.5};
	back = round_trip(arena, &m);
	assert_int_equal(back.stamped.bytes, sizeof bytes);
	assert_memory_equal(back.stamped.buffer, bytes, sizeof bytes);
	assert_int_equal(back.stamped.differs, -1);
	assert_int_equal(back.stamped.registers, 40);
	assert_int_equal(back.stamped.plain_registers, 32);
	arena_free(arena);
}

static void numbers_come_back_to_the_last_bit(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const double values[] = {
		0, 67584, 0.1, 1.0 / 3, 1e300, 5e-324, 9007199254740993.0, NAN, INFINITY, -INFINITY, 7};
	enum { N = sizeof values / sizeof values[0] };
	const char *names[N];
	bool available[N];
	for (int i = 0; i < N; i++) {
		names[i] = "m";
		available[i] = i != N - 1;
	}
	const uint8_t bytes[] = {0, 1, 2, 253, 254, 255, 10};
	const void *buffers[] = {NULL, bytes, bytes};
	const size_t sizes[] = {0, sizeof bytes, 0};
	struct wire_message m = {.kind = WIRE_RESULT_MEASURE, .id = 3};
	m.measurement = (struct wire_measurement){
		names, values, available, N, 4, 3.0625, buffers, sizes, 3, 40, NULL, NULL, 0};
	struct wire_message back = round_trip(arena, &m);
	assert_int_equal(back.measurement.n, N);
	for (int i = 0; i < N - 1; i++) {
		assert_true(back.measurement.available[i]);
		if (isnan(values[i]))
			assert_true(isnan(back.measurement.values[i]));
		else
			assert_true(back.measurement.values[i] == values[i]);
	}
	assert_false(back.measurement.available[N - 1]);
	assert_int_equal(back.measurement.passes, 4);
	assert_true(back.measurement.worker_ms == 3.0625);
	assert_int_equal(back.measurement.registers, 40);
	assert_int_equal(back.measurement.n_buffers, 3);
	assert_null(back.measurement.buffers[0]);
	assert_int_equal(back.measurement.buffer_bytes[1], sizeof bytes);
	assert_memory_equal(back.measurement.buffers[1], bytes, sizeof bytes);
	assert_non_null(back.measurement.buffers[2]);
	assert_int_equal(back.measurement.buffer_bytes[2], 0);
	arena_free(arena);
}

static void counts_of_lines_come_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *names[] = {"smsp__sass_inst_executed", "no_such", "smsp__sass_sectors_mem_global"};
	const bool available[] = {true, false, true};
	const double first[] = {4096, 0, 0}, last[] = {64, 0, 1e15};
	const struct wire_line lines[] = {{0, first}, {14, last}};
	struct wire_message m = {.kind = WIRE_RESULT_LINES,
		.id = 3,
		.line_counts = {.metrics = names,
			.available = available,
			.n = 3,
			.lines = lines,
			.n_lines = 2,
			.passes = 1,
			.worker_ms = 0.5}};
	struct wire_message back = round_trip(arena, &m);
	assert_int_equal(back.line_counts.n, 3);
	assert_string_equal(back.line_counts.metrics[2], names[2]);
	assert_true(back.line_counts.available[0] && !back.line_counts.available[1]);
	assert_int_equal(back.line_counts.n_lines, 2);
	assert_int_equal(back.line_counts.lines[1].line, 14);
	assert_true(back.line_counts.lines[0].values[0] == 4096 && back.line_counts.lines[1].values[2] == 1e15);
	assert_int_equal(back.line_counts.passes, 1);
	assert_true(back.line_counts.worker_ms == 0.5);
	arena_free(arena);
}

static void counts_of_machine_instructions_come_back(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *names[] = {"smsp__sass_inst_executed"};
	const bool available[] = {true};
	const double eight[] = {8}, four[] = {4};
	const struct wire_line lines[] = {{14, eight}}, instrs[] = {{0, four}, {32, eight}};
	struct wire_message m = {.kind = WIRE_RESULT_LINES,
		.id = 3,
		.line_counts = {names, available, 1, lines, 1, 1, 0.5, "0123456789abcdef", instrs, 2}};
	struct wire_message back = round_trip(arena, &m);
	assert_string_equal(back.line_counts.code, "0123456789abcdef");
	assert_int_equal(back.line_counts.n_instrs, 2);
	assert_true(back.line_counts.instrs[1].line == 32 && back.line_counts.instrs[1].values[0] == 8);
	m.line_counts.code = NULL;
	back = round_trip(arena, &m);
	assert_true(!back.line_counts.code && back.line_counts.n_instrs == 0);
	struct wire_message ask = {.kind = WIRE_LINES, .id = 4};
	ask.lines.job = (struct wire_job){"", 0, {.kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}}};
	ask.lines.metrics = names;
	ask.lines.n_metrics = 1;
	assert_false(round_trip(arena, &ask).lines.instrs);
	ask.lines.instrs = true;
	assert_true(round_trip(arena, &ask).lines.instrs);
	arena_free(arena);
}

static void a_probe_says_why_there_are_no_counters(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct wire_message m = {.kind = WIRE_RESULT_PROBE, .id = 1};
	m.gpu = (struct wire_gpu){
		"NVIDIA H200", "GH100", "GPU-1", 90, 132, 13000, "580.159", true, 130000, "13.0.85", true, 0, ""};
	struct wire_message back = round_trip(arena, &m);
	assert_string_equal(back.gpu.name, "NVIDIA H200");
	assert_string_equal(back.gpu.chip, "GH100");
	assert_string_equal(back.gpu.uuid, "GPU-1");
	assert_int_equal(back.gpu.cc, 90);
	assert_int_equal(back.gpu.sms, 132);
	assert_int_equal(back.gpu.driver_cuda, 13000);
	assert_string_equal(back.gpu.driver, "580.159");
	assert_int_equal(back.gpu.cupti, 130000);
	assert_string_equal(back.gpu.cupti_version, "13.0.85");
	assert_true(back.gpu.counters);
	m.gpu.counters = false;
	m.gpu.counters_error = WIRE_NO_PERMISSION;
	m.gpu.counters_message = "locked";
	back = round_trip(arena, &m);
	assert_false(back.gpu.counters);
	assert_int_equal(back.gpu.counters_error, WIRE_NO_PERMISSION);
	assert_string_equal(back.gpu.counters_message, "locked");
	arena_free(arena);
}

static void every_error_code_travels(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (int code = 0; code < WIRE_ERRORS; code++) {
		struct wire_message m = {.kind = WIRE_ERROR_REPLY, .id = code};
		m.error = (struct wire_error){(enum wire_error_code)code, "bytes that are no UTF-8: \xFF\xC3"};
		struct wire_message back = round_trip(arena, &m);
		assert_int_equal(back.error.code, code);
		assert_string_equal(back.error.message, "bytes that are no UTF-8: \xEF\xBF\xBD\xEF\xBF\xBD");
		assert_int_equal(wire_error_find(wire_error_name((enum wire_error_code)code)), code);
		assert_true(strlen(wire_error_remedy((enum wire_error_code)code)) > 10);
	}
	assert_int_equal(wire_error_find("no such code"), WIRE_ERRORS);
	arena_free(arena);
}

static void remedies_begin_with_those_of_the_place(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (int place = 0; place < WIRE_PLACES; place++) {
		struct wire_message m = {.kind = WIRE_HELLO, .hello = {WIRE_PROTOCOL, "1", (enum wire_place)place}};
		struct wire_remedy lines[WIRE_PLACES];
		assert_int_equal(round_trip(arena, &m).hello.place, place);
		assert_int_equal(wire_place_find(wire_place_name((enum wire_place)place)), place);
		assert_int_equal(wire_error_remedies(WIRE_NO_PERMISSION, (enum wire_place)place, lines), WIRE_PLACES);
		assert_int_equal(lines[0].place, place);
		assert_true(lines[1].place != lines[2].place && lines[1].place != lines[0].place &&
			lines[2].place != lines[0].place);
		assert_int_equal(wire_error_remedies(WIRE_BAD_PTX, (enum wire_place)place, lines), 0);
	}
	assert_int_equal(wire_place_find("moon"), WIRE_PLACES);
	arena_free(arena);
}

static void unknown_members_are_ignored(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message m;
	const char *line = " {\"later\":{\"a\":[1]},\"type\":\"progress\",\"pass\":1,\"id\":5,\"passes\":2} ";
	assert_true(wire_read(arena, line, strlen(line), &m, &diag));
	assert_int_equal(m.progress.passes, 2);
	assert_int_equal(m.progress.waiting, 0);
	/* a later protocol's hello is read far enough to say that it is one */
	line = "{\"type\":\"hello\",\"protocol\":2}";
	assert_true(wire_read(arena, line, strlen(line), &m, &diag));
	assert_int_equal(m.hello.protocol, 2);
	arena_free(arena);
}

#define LAUNCH(grid, args)                                                                                             \
	"\"launch\":{\"kernel\":\"k\",\"grid\":" grid ",\"block\":[1,1,1],\"shared\":0,\"args\":" args "}"
#define MEASURE(ptx, launch, metrics, buffers)                                                                         \
	"{\"type\":\"measure\",\"id\":1,\"ptx\":" ptx "," launch ",\"metrics\":" metrics ",\"buffers\":" buffers "}"
#define RESULT(metrics, passes, buffers)                                                                               \
	"{\"type\":\"measurement\",\"id\":1,\"metrics\":" metrics ",\"passes\":" passes                                \
	",\"ms\":1,\"buffers\":" buffers "}"
#define LINES(metrics, lines)                                                                                          \
	"{\"type\":\"line_counts\",\"id\":1,\"metrics\":" metrics ",\"lines\":" lines ",\"passes\":1,\"ms\":1}"

static const struct {
	const char *line, *says;
} malformed[] = {
	{"", "not JSON"},
	{"x", "not JSON"},
	{"{", "not JSON"},
	{"{}", "string \"type\""},
	{"[]", "string \"type\""},
	{"7", "not JSON"},
	{"null", "not JSON"},
	{"{\"type\":7}", "string \"type\""},
	{"{\"type\":\"greeting\"}", "\"greeting\" is not a type of message"},
	{"{\"type\":\"quit\"} trailing", "not JSON"},
	{"{\"type\":\"quit\",\"type\":\"probe\"}", "duplicate"},
	{"{\"type\":\"\xFF\"}", "not JSON"},
	{"{\"type\":\"probe\\u0000\"}", "not JSON"},
	{"{\"type\":\"probe\"}", "\"id\" must be an integer"},
	{"{\"type\":\"probe\",\"id\":0}", "\"id\" must be an integer from 1"},
	{"{\"type\":\"probe\",\"id\":-1}", "\"id\" must be an integer"},
	{"{\"type\":\"probe\",\"id\":1.5}", "\"id\" must be an integer"},
	{"{\"type\":\"probe\",\"id\":\"1\"}", "\"id\" must be an integer"},
	{"{\"type\":\"probe\",\"id\":99999999999999999999}", "not JSON"},
	{"{\"type\":\"hello\",\"version\":\"1\"}", "\"protocol\" must be an integer"},
	{"{\"type\":\"hello\",\"protocol\":1}", "\"version\" must be a string"},
	{"{\"type\":\"hello\",\"protocol\":1,\"version\":1}", "\"version\" must be a string"},
	{"{\"type\":\"progress\",\"id\":1,\"pass\":-1,\"passes\":2}", "\"pass\" must be"},
	{"{\"type\":\"progress\",\"id\":1,\"pass\":1}", "\"passes\" must be"},
	{"{\"type\":\"progress\",\"id\":1,\"pass\":0,\"passes\":0,\"waiting\":-1}", "\"waiting\" must be"},
	{"{\"type\":\"progress\",\"id\":1,\"pass\":0,\"passes\":2,\"metrics\":[{\"name\":\"m\",\"value\":null}]}",
		"must have a value"},
	{"{\"type\":\"progress\",\"id\":1,\"pass\":0,\"passes\":2,\"metrics\":[{\"value\":1}]}", "\"name\" must be"},
	{"{\"type\":\"cancel\"}", "\"id\" must be an integer"},
	{"{\"type\":\"error\",\"id\":1,\"message\":\"m\"}", "\"code\" must be a string"},
	{"{\"type\":\"error\",\"id\":1,\"code\":\"oops\",\"message\":\"m\"}", "\"oops\", which is not an error code"},
	{"{\"type\":\"error\",\"id\":1,\"code\":\"bad_ptx\"}", "\"message\" must be a string"},
	{"{\"type\":\"samples\",\"id\":1,\"interval\":1,\"times\":[1,2],\"metrics\":[{\"name\":\"m\",\"values\":[1]}],\"cut\":false,\"ms\":1}",
		"\"values\" has 1 members, not 2"},
	{"{\"type\":\"samples\",\"id\":1,\"interval\":0,\"times\":[],\"metrics\":[],\"cut\":false,\"ms\":1}",
		"\"interval\" must be"},
	{"{\"type\":\"samples\",\"id\":1,\"interval\":1,\"times\":[\"x\"],\"metrics\":[],\"cut\":false,\"ms\":1}",
		"member 0 of \"times\""},
	{"{\"type\":\"samples\",\"id\":1,\"interval\":1,\"times\":7,\"metrics\":[],\"cut\":false,\"ms\":1}",
		"\"times\" must be an array"},
	{"{\"type\":\"stamps\",\"id\":1,\"differs\":-2,\"registers\":1,\"plain_registers\":1,\"ms\":1,\"buffer\":\"\"}",
		"\"differs\" must be"},
	{"{\"type\":\"stamps\",\"id\":1,\"differs\":-1,\"registers\":1,\"plain_registers\":1,\"ms\":1,\"buffer\":null}",
		"\"buffer\" must be base64"},
	{"{\"type\":\"stamp\",\"id\":1,\"ptx\":\"\",\"plain\":\"\",\"launch\":{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[1,1,1],\"shared\":0,"
	 "\"args\":[]}}",
		"lacks the buffer of the probes"},
	{"{\"type\":\"gpu\",\"id\":1}", "\"name\" must be a string"},
	{LINES("[{\"name\":\"a\"}]", "[]"), "\"available\" must be true or false"},
	{LINES("[]", "[{\"line\":-1,\"values\":[]}]"), "\"line\" must be an integer from 0"},
	{LINES("[]", "[{\"line\":1,\"values\":[1]}]"), "\"values\" of line 1 must be as many as \"metrics\""},
	{LINES("[{\"name\":\"a\",\"available\":true}]", "[{\"line\":1,\"values\":[null]}]"),
		"value 0 of line 1 must be a number"},
	{LINES("[]", "[{\"line\":2,\"values\":[]},{\"line\":2,\"values\":[]}]"), "\"lines\" must ascend"},
	{LINES("[]", "[7]"), "\"line\" must be an integer"},
	{LINES("[]", "[],\"code\":7,\"instrs\":[]"), "\"code\" must be a string"},
	{LINES("[]", "[],\"code\":\"a\""), "\"instrs\" must be an array"},
	{LINES("[]", "[],\"code\":\"a\",\"instrs\":[{\"at\":8,\"values\":[]}]"), "no instruction stands there"},
	{LINES("[]", "[],\"code\":\"a\",\"instrs\":[{\"at\":16,\"values\":[]},{\"at\":0,\"values\":[]}]"),
		"\"instrs\" must ascend"},
	{LINES("[]", "[],\"code\":\"a\",\"instrs\":[{\"at\":16,\"values\":[1]}]"),
		"\"values\" of at 16 must be as many as \"metrics\""},
	{MEASURE("1", LAUNCH("[1,1,1]", "[]"), "[]", "true"), "\"ptx\" must be a string"},
	{MEASURE("\"\"", "\"launch\":[]", "[]", "true"), "\"launch\" must be an object"},
	{MEASURE("\"\"", LAUNCH("7", "[]"), "[]", "true"), "\"grid\" must be an array"},
	{MEASURE("\"\"", LAUNCH("[1,1]", "[]"), "[]", "true"), "\"grid\" must have three members"},
	{MEASURE("\"\"", LAUNCH("[1,1,1,1]", "[]"), "[]", "true"), "\"grid\" has 4 members"},
	{MEASURE("\"\"", LAUNCH("[0,1,1]", "[]"), "[]", "true"), "\"grid\" must be an integer from 1"},
	{MEASURE("\"\"", LAUNCH("[1,1,4294967296]", "[]"), "[]", "true"), "\"grid\" must be an integer"},
	{MEASURE("\"\"", LAUNCH("[1,1,1]", "{}"), "[]", "true"), "\"args\" must be an array"},
	{MEASURE("\"\"", LAUNCH("[1,1,1]", "[1]"), "[]", "true"), "member 0 of \"args\" must be a string"},
	{MEASURE("\"\"", LAUNCH("[1,1,1]", "[]"), "[\"a\",null]", "true"), "member 1 of \"metrics\" must be a string"},
	{MEASURE("\"\"", LAUNCH("[1,1,1]", "[]"), "[]", "1"), "\"buffers\" must be true or false"},
	{RESULT("{}", "1", "[]"), "\"metrics\" must be an array"},
	{RESULT("[7]", "1", "[]"), "\"name\" must be a string"},
	{RESULT("[{\"name\":\"a\"}]", "1", "[]"), "\"value\" of metric 0 must be a number"},
	{RESULT("[{\"name\":\"a\",\"value\":\"big\"}]", "1", "[]"), "\"value\" of metric 0 must be a number"},
	{RESULT("[]", "-1", "[]"), "\"passes\" must be an integer"},
	{RESULT("[]", "1", "[],\"registers\":0"), "\"registers\" must be an integer from 1"},
	{RESULT("[]", "1", "[\"A\"]"), "member 0 of \"buffers\" must be null or base64"},
	{RESULT("[]", "1", "[null,\"AA=A\"]"), "member 1 of \"buffers\" must be null or base64"},
	{RESULT("[]", "1", "[\"A===\"]"), "member 0 of \"buffers\" must be null or base64"},
	{RESULT("[]", "1", "[7]"), "member 0 of \"buffers\" must be null or base64"},
};

static void every_malformed_line_gets_a_sentence(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
		struct diag diag = {0};
		struct buf text = {0};
		struct wire_message m;
		if (wire_read(arena, malformed[i].line, strlen(malformed[i].line), &m, &diag))
			fail_msg("read without complaint: %s", malformed[i].line);
		diag_format(&diag, &text);
		if (!strstr(buf_str(&text), malformed[i].says))
			fail_msg("%s\ngives: %s\nwithout: %s", malformed[i].line, buf_str(&text), malformed[i].says);
		buf_free(&text);
		diag_free(&diag);
	}
	arena_free(arena);
}

static void depth_and_length_are_bounded(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct wire_message m;
	char *deep = malloc(200000);
	memset(deep, '[', 200000);
	assert_false(wire_read(arena, deep, 200000, &m, &diag));
	free(deep);
	assert_false(wire_read(arena, "{}", WIRE_LINE_MAX + 1, &m, &diag)); /* refused before a byte is read */
	assert_int_equal(diag.errors, 2);
	diag_free(&diag);
	struct buf many = {0};
	buf_puts(&many, "{\"type\":\"measurement\",\"id\":1,\"passes\":1,\"ms\":1,\"buffers\":[],\"metrics\":[");
	for (int i = 0; i <= WIRE_METRICS_MAX; i++)
		buf_printf(&many, "%s{\"name\":\"a\",\"value\":1}", i ? "," : "");
	buf_puts(&many, "]}");
	assert_false(wire_read(arena, many.data, many.len, &m, &diag));
	assert_non_null(strstr(diag.entries[0].message, "at most 256"));
	buf_free(&many);
	diag_free(&diag);
	arena_free(arena);
}

static void base64_agrees_with_the_rfc(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"},
		{"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}, {"\xFF\xFE\xFD\xFC", "//79/A=="}};
	struct arena *arena = arena_new();
	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
		struct buf out = {0};
		void *bytes;
		size_t n;
		wire_base64_encode(pairs[i][0], strlen(pairs[i][0]), &out);
		assert_string_equal(buf_str(&out), pairs[i][1]);
		assert_true(wire_base64_decode(arena, pairs[i][1], strlen(pairs[i][1]), &bytes, &n));
		assert_int_equal(n, strlen(pairs[i][0]));
		assert_memory_equal(bytes, pairs[i][0], n);
		buf_free(&out);
	}
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_come_back_as_they_went),
		cmocka_unit_test(memory_comes_back),
		cmocka_unit_test(memory_out_of_order_is_refused),
		cmocka_unit_test(sources_come_back_as_they_went),
		cmocka_unit_test(numbers_come_back_to_the_last_bit),
		cmocka_unit_test(samples_come_back),
		cmocka_unit_test(stamps_come_back),
		cmocka_unit_test(counts_of_lines_come_back),
		cmocka_unit_test(counts_of_machine_instructions_come_back),
		cmocka_unit_test(a_probe_says_why_there_are_no_counters),
		cmocka_unit_test(every_error_code_travels),
		cmocka_unit_test(remedies_begin_with_those_of_the_place),
		cmocka_unit_test(unknown_members_are_ignored),
		cmocka_unit_test(every_malformed_line_gets_a_sentence),
		cmocka_unit_test(depth_and_length_are_bounded),
		cmocka_unit_test(base64_agrees_with_the_rfc),
	};
	return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
