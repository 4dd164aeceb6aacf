/* The worker without a GPU: how requests are decoded and refused, how lines come in, what limits a launch has, what the
 * driver says of a kernel, and who replays it. The driver is made of the functions below. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu/worker/serve.h"
#include "gpu/worker/session.h"

/* --- requests ----------------------------------------------------------------------------------------------------- */

/* The last answer of the server, and how many there were. */
static struct wire_message answer;
static char answer_text[400];
static int answers;

static void keep_answer(const struct wire_message *message)
{
	answer = *message;
	answers++;
	answer_text[0] = '\0';
	if (message->kind == WIRE_ERROR_REPLY)
		snprintf(answer_text, sizeof answer_text, "%s", message->error.message);
}

static struct server server = {.send = keep_answer};

static enum served serve(const char *line)
{
	answers = 0;
	return serve_message(&server, line, strlen(line));
}

static void assert_refused(const char *line, int64_t id, enum wire_error_code code, const char *words)
{
	assert_int_equal(serve(line), SERVED);
	assert_int_equal(answers, 1);
	assert_int_equal(answer.kind, WIRE_ERROR_REPLY);
	assert_int_equal(answer.id, id);
	assert_int_equal(answer.error.code, code);
	if (!strstr(answer_text, words))
		fail_msg("no '%s' in '%s'", words, answer_text);
}

static void what_is_not_a_request_is_refused(void **state)
{
	(void)state;
	assert_refused("oops", 0, WIRE_BAD_REQUEST, "not JSON");
	assert_refused("[1]", 0, WIRE_BAD_REQUEST, "JSON object");
	assert_refused("{\"type\":\"frob\",\"id\":1}", 0, WIRE_BAD_REQUEST, "\"frob\"");
	assert_refused("{\"type\":\"error\",\"id\":3,\"code\":\"busy\",\"message\":\"x\"}", 3, WIRE_BAD_REQUEST,
		"not a request");
	assert_refused("{\"type\":\"hello\",\"protocol\":1,\"version\":\"\"}", 0, WIRE_BAD_REQUEST, "not a request");
}

static void quit_ends_and_a_late_cancel_has_no_answer(void **state)
{
	(void)state;
	assert_int_equal(serve("{\"type\":\"cancel\",\"id\":4}"), SERVED);
	assert_int_equal(answers, 0);
	assert_int_equal(serve("{\"type\":\"quit\"}"), SERVED_QUIT);
	assert_int_equal(answers, 0);
}

/* A request to measure with these arguments, as JSON strings. */
static const char *measure(const char *args)
{
	static char line[4000];
	snprintf(line, sizeof line,
		"{\"type\":\"measure\",\"id\":9,\"ptx\":\"\",\"launch\":{\"kernel\":\"k\",\"grid\":[1,1,1],\"block\":[1,1,1],"
		"\"shared\":0,\"args\":[%s]},\"metrics\":[],\"buffers\":false}",
		args);
	return line;
}

static void arguments_are_checked_before_a_gpu_is_sought(void **state)
{
	(void)state;
	assert_refused(measure("\"u99:1\""), 9, WIRE_BAD_REQUEST, "argument 0, \"u99:1\": ");
	assert_refused(measure("\"u32:1\",\"u8[]:300\""), 9, WIRE_BAD_REQUEST, "argument 1, \"u8[]:300\": ");
	assert_refused(measure("\"b8[]:@/etc/passwd\""), 9, WIRE_BAD_REQUEST, "argument 0");
	char many[400] = "\"u8[1073741824]\"";
	for (int i = 0; i < 8; i++)
		strcat(many, ",\"u8[1073741824]\"");
	assert_refused(
		measure(many), 9, WIRE_OUT_OF_MEMORY, "the buffers hold 9216 MiB together; at most 8192 are taken");
	assert_null(server.session);
}

static void without_a_session_there_is_nothing_to_wait_for(void **state)
{
	(void)state;
	assert_int_equal(serve_idle(&server), -1);
}

/* --- input -------------------------------------------------------------------------------------------------------- */

static int input_pipe;

static int open_input(void **state)
{
	int ends[2];
	(void)state;
	if (pipe(ends) != 0 || dup2(ends[0], STDIN_FILENO) < 0)
		return -1;
	close(ends[0]);
	input_pipe = ends[1];
	return 0;
}

static int close_input(void **state)
{
	const char *line;
	size_t len;
	(void)state;
	close(input_pipe);
	while (input_read() || input_line(&line, &len))
		continue;
	return 0;
}

static void type_in(const char *text)
{
	assert_int_equal(write(input_pipe, text, strlen(text)), (ssize_t)strlen(text));
}

static void assert_line(const char *wanted)
{
	const char *line;
	size_t len;
	assert_true(input_line(&line, &len));
	assert_int_equal(len, strlen(wanted));
	assert_memory_equal(line, wanted, len);
}

static void lines_come_whole(void **state)
{
	const char *line;
	size_t len;
	(void)state;
	assert_false(input_line(&line, &len));
	type_in("one\n\ntw");
	assert_true(input_read());
	assert_line("one");
	assert_line("");
	assert_false(input_line(&line, &len));
	type_in("o\nthree\n");
	assert_true(input_read());
	assert_line("two");
	assert_line("three");
	assert_false(input_line(&line, &len));
}

static void a_cancel_is_seen_and_all_lines_stay(void **state)
{
	(void)state;
	type_in("{\"type\":\"probe\",\"id\":5}\n{\"type\":\"cancel\",\"id\":7}\n{\"type\":\"cancel\",\"id\":8");
	assert_true(input_cancels(7));
	assert_false(input_cancels(5));
	assert_false(input_cancels(8)); /* its line is not whole */
	type_in("}\n");
	assert_true(input_cancels(8));
	assert_line("{\"type\":\"probe\",\"id\":5}");
	assert_true(input_cancels(7));
	assert_line("{\"type\":\"cancel\",\"id\":7}");
	assert_false(input_cancels(7)); /* it was given out */
	assert_line("{\"type\":\"cancel\",\"id\":8}");
}

static void nothing_cancels_where_nothing_comes(void **state)
{
	(void)state;
	assert_false(input_cancels(1));
	type_in("nonsense\n");
	assert_false(input_cancels(1));
	assert_line("nonsense");
}

/* --- a driver ----------------------------------------------------------------------------------------------------- */

/* What the kernel is, as the driver knows it. */
static struct {
	size_t params[3];
	int n_params;
	int threads, registers, static_shared, local;
	int resident;        /* blocks on an SM */
	CUresult attributes; /* of the functions that tell about it */
	size_t free, allocated;
	int allocations;
} fake;

static CUresult get_param(CUfunction function, size_t index, size_t *offset, size_t *size)
{
	(void)function;
	if (index >= (size_t)fake.n_params)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = 0;
	*size = fake.params[index];
	return CUDA_SUCCESS;
}

static CUresult get_function_attribute(int *value, CUfunction_attribute which, CUfunction function)
{
	(void)function;
	*value = which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? fake.threads
		: which == CU_FUNC_ATTRIBUTE_NUM_REGS             ? fake.registers
		: which == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES     ? fake.local
								  : fake.static_shared;
	return fake.attributes;
}

static CUresult set_function_attribute(CUfunction function, CUfunction_attribute which, int value)
{
	(void)function, (void)which, (void)value;
	return CUDA_SUCCESS;
}

static CUresult get_device_attribute(int *value, CUdevice_attribute which, CUdevice device)
{
	(void)device;
	*value = which == CU_DEVICE_ATTRIBUTE_WARP_SIZE                          ? 32
		: which == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR    ? 2048
		: which == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN ? 100000
										 : 0;
	return CUDA_SUCCESS;
}

static CUresult get_occupancy(int *blocks, CUfunction function, int threads, size_t shared)
{
	(void)function, (void)threads, (void)shared;
	*blocks = fake.resident;
	return fake.attributes;
}

static CUresult load_module(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
	(void)image, (void)n, (void)options, (void)values;
	*module = (CUmodule)&fake;
	return CUDA_SUCCESS;
}

static CUresult get_function(CUfunction *function, CUmodule module, const char *name)
{
	(void)module;
	*function = (CUfunction)&fake;
	return strcmp(name, "k") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

static CUresult take_memory(CUdeviceptr *address, size_t bytes)
{
	if (fake.allocated + bytes > fake.free)
		return CUDA_ERROR_OUT_OF_MEMORY;
	fake.allocated += bytes;
	fake.allocations++;
	*address = (CUdeviceptr)bytes; /* so that giving back knows how much it was */
	return CUDA_SUCCESS;
}

static CUresult give_memory(CUdeviceptr address)
{
	fake.allocated -= (size_t)address;
	return CUDA_SUCCESS;
}

static CUresult get_memory(size_t *free_bytes, size_t *total)
{
	*free_bytes = fake.free - fake.allocated;
	*total = fake.free;
	return CUDA_SUCCESS;
}

static CUresult get_words(CUresult result, const char **words)
{
	(void)result;
	*words = "words";
	return CUDA_SUCCESS;
}

static struct session session;
static struct wire_job job;
static struct launch_arg args[3];

static int open_session(void **state)
{
	(void)state;
	memset(&fake, 0, sizeof fake);
	fake.threads = 1024;
	fake.free = (size_t)64 << 20;
	session = (struct session){.arena = arena_new(),
		.driver = {.cuFuncGetParamInfo = get_param,
			.cuFuncGetAttribute = get_function_attribute,
			.cuFuncSetAttribute = set_function_attribute,
			.cuDeviceGetAttribute = get_device_attribute,
			.cuOccupancyMaxActiveBlocksPerMultiprocessor = get_occupancy,
			.cuModuleLoadDataEx = load_module,
			.cuModuleGetFunction = get_function,
			.cuMemAlloc = take_memory,
			.cuMemFree = give_memory,
			.cuMemGetInfo = get_memory,
			.cuGetErrorName = get_words,
			.cuGetErrorString = get_words}};
	job = (struct wire_job){"ptx", 3, {.kernel = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .args = args}};
	return 0;
}

static int close_session(void **state)
{
	(void)state;
	for (int i = 0; i < session.n_modules; i++)
		free(session.modules[i].ptx);
	arena_free(session.arena);
	return 0;
}

static void set_args(const char *first, const char *second)
{
	const char *const texts[] = {first, second};
	struct diag diag = {0};
	for (job.launch.n_args = 0; job.launch.n_args < 2 && texts[job.launch.n_args]; job.launch.n_args++)
		assert_true(launch_arg_parse(
			session.arena, NULL, texts[job.launch.n_args], &args[job.launch.n_args], &diag));
}

static struct wire_error prepare(struct session_launch *out)
{
	struct wire_error error = {WIRE_ERRORS, ""};
	bool ok = session_prepare(&session, session.arena, &job, out, &error);
	assert_int_equal(ok, error.code == WIRE_ERRORS);
	return error;
}

static void assert_bad_launch(const char *words)
{
	struct session_launch out;
	struct wire_error error = prepare(&out);
	assert_int_equal(error.code, WIRE_BAD_LAUNCH);
	if (!strstr(error.message, words))
		fail_msg("no '%s' in '%s'", words, error.message);
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void arguments_must_be_the_kernels(void **state)
{
	(void)state;
	fake.n_params = 2;
	fake.params[0] = 8;
	fake.params[1] = 4;
	set_args("u32[4]", "u32:1");
	struct session_launch out;
	assert_int_equal(prepare(&out).code, WIRE_ERRORS);
	set_args("u32[4]", NULL);
	assert_bad_launch("1 argument was given, the kernel takes more");
	set_args("u32[4]", "u64:1");
	assert_bad_launch("argument 1 (u64:1) has 8 bytes, the kernel takes 4");
	fake.n_params = 1;
	set_args("u32[4]", "u32:1");
	assert_bad_launch("2 arguments were given, the kernel takes 1");
	job.launch.kernel = "other";
	assert_bad_launch("no kernel named other");
}

static void blocks_and_shared_memory_have_limits(void **state)
{
	struct session_launch out;
	(void)state;
	fake.threads = 512;
	job.launch.block[0] = 513;
	assert_bad_launch("a block of 513 x 1 x 1 threads; this kernel can have 512 here");
	job.launch.block[0] = UINT32_MAX;
	job.launch.block[1] = 2;
	assert_bad_launch("this kernel can have 512");
	job.launch.block[0] = 64;
	job.launch.block[1] = 8;
	fake.static_shared = 90000;
	job.launch.shared = 10001;
	assert_bad_launch("10001 bytes of dynamic and 90000 of static shared memory; this GPU has 100000");
	job.launch.shared = UINT32_MAX;
	assert_bad_launch("static shared memory");
	job.launch.shared = 10000;
	assert_int_equal(prepare(&out).code, WIRE_ERRORS);
}

static void buffers_are_kept_and_given_back_when_memory_is_short(void **state)
{
	struct session_launch out;
	(void)state;
	fake.n_params = 2;
	fake.params[0] = fake.params[1] = 8;
	set_args("u8[33554432]", "u8[1048576]");
	assert_int_equal(prepare(&out).code, WIRE_ERRORS);
	assert_int_equal(fake.allocations, 2);
	assert_int_equal(prepare(&out).code, WIRE_ERRORS);
	assert_int_equal(fake.allocations, 2); /* the same ones */
	set_args("u8[1048576]", "u8[41943040]");
	assert_int_equal(prepare(&out).code, WIRE_ERRORS); /* the large one of before makes room */
	assert_true(fake.allocated <= fake.free);
	set_args("u8[33554432]", "u8[41943040]");
	struct wire_error error = prepare(&out);
	assert_int_equal(error.code, WIRE_OUT_OF_MEMORY);
	assert_non_null(strstr(error.message, "64 MiB of 64 MiB are free"));
	set_args("u8[]:1,2,3", "u8[4]");
	assert_int_equal(prepare(&out).code, WIRE_ERRORS);
	assert_memory_equal(out.filled[0], "\1\2\3", 3);
	assert_ptr_equal(out.params[0], &session.buffers[0].address);
}

static void a_module_is_loaded_once_for_one_text(void **state)
{
	struct session_launch one, two;
	(void)state;
	prepare(&one);
	prepare(&two);
	assert_ptr_equal(one.module, two.module);
	assert_int_equal(session.n_modules, 1);
	struct wire_error error;
	struct wire_job other = job;
	other.ptx = "ptx 2";
	other.ptx_len = 5;
	assert_true(session_prepare(&session, session.arena, &other, &two, &error));
	assert_ptr_not_equal(one.module, two.module);
	assert_int_equal(session.n_modules, 2);
}

static void only_variables_in_global_memory_need_cuptis_replay(void **state)
{
	(void)state;
	static const struct {
		const char *ptx;
		enum profiler_replay replay;
	} rows[] = {
		{"", PROFILER_REPLAY_US},
		{".entry k() { ld.global.u32 %r1, [%rd1]; }", PROFILER_REPLAY_US},
		{".visible .global .align 4 .u32 head;", PROFILER_REPLAY_CUPTI},
		{".global .u32 head;", PROFILER_REPLAY_CUPTI},
		{"}\n.global\t.u32 head;", PROFILER_REPLAY_CUPTI},
		{"x.global.y", PROFILER_REPLAY_US},
		{" .globally", PROFILER_REPLAY_US},
		{" .global", PROFILER_REPLAY_US},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_int_equal(session_replay(rows[i].ptx, strlen(rows[i].ptx)), rows[i].replay);
}

/* --- facts -------------------------------------------------------------------------------------------------------- */

static double assert_fact(const struct session_launch *of, const char *name, bool known)
{
	double value = -1;
	bool available = !known;
	assert_true(facts_find(of, name, &value, &available));
	assert_int_equal(available, known);
	return value;
}

static void the_driver_knows_some_metrics(void **state)
{
	struct session_launch out;
	(void)state;
	fake.registers = 40;
	fake.local = 16;
	fake.resident = 3;
	job.launch.block[0] = 33; /* two warps */
	prepare(&out);
	assert_int_equal(session_registers(&out), 40);
	assert_true(assert_fact(&out, "CU_FUNC_ATTRIBUTE_NUM_REGS", true) == 40);
	assert_true(assert_fact(&out, "CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES", true) == 16);
	assert_true(assert_fact(&out, "sm__maximum_warps_per_active_cycle_pct", true) == 100.0 * 6 / 64);
	fake.attributes = CUDA_ERROR_NOT_SUPPORTED;
	assert_fact(&out, "CU_FUNC_ATTRIBUTE_NUM_REGS", false);
	assert_fact(&out, "sm__maximum_warps_per_active_cycle_pct", false);
	double value;
	bool available;
	assert_false(facts_find(&out, "smsp__inst_executed.sum", &value, &available));
}

#define INPUT(name) cmocka_unit_test_setup_teardown(name, open_input, close_input)
#define SESSION(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_a_request_is_refused),
		cmocka_unit_test(quit_ends_and_a_late_cancel_has_no_answer),
		cmocka_unit_test(arguments_are_checked_before_a_gpu_is_sought),
		cmocka_unit_test(without_a_session_there_is_nothing_to_wait_for),
		INPUT(lines_come_whole),
		INPUT(a_cancel_is_seen_and_all_lines_stay),
		INPUT(nothing_cancels_where_nothing_comes),
		SESSION(arguments_must_be_the_kernels),
		SESSION(blocks_and_shared_memory_have_limits),
		SESSION(buffers_are_kept_and_given_back_when_memory_is_short),
		SESSION(a_module_is_loaded_once_for_one_text),
		SESSION(only_variables_in_global_memory_need_cuptis_replay),
		SESSION(the_driver_knows_some_metrics),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
