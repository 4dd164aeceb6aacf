/* The front end's side of the worker, against tests/fake-worker. Deadlines are short only where silence is what is
 * tested; everything else may take long on a busy machine without failing. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "gpu/client/gpu.h"
#include "gpu/client/private.h"
#include "side_by_side.h"

#define LONG_MS 60000
#define SHORT_MS 300
#define WAIT_MS 250
#define RETRY_MS 20

static char dir[] = "/tmp/simttutor-gpu-XXXXXX";
static char fake[4096];
static const char ptx[] = ".version 6.3\n";
static const char *const metrics[] = {"a.sum", "b.sum"};

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int open_files(void)
{
	int n = 0;
	DIR *d = opendir("/proc/self/fd");
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A front end whose worker is the fake one, started through a shell. */
static struct gpu *start(const char *arguments)
{
	char spec[8192];
	struct diag diag = {0};
	snprintf(spec, sizeof spec, "command:exec '%s' %s", fake, arguments);
	struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
	assert_non_null(gpu);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	return gpu;
}

/* Asks for a measurement of a launch with these arguments. */
static int64_t ask(struct gpu *gpu, const char *scalar, bool buffers)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct launch_arg args[2];
	assert_true(launch_arg_parse(arena, NULL, scalar, &args[0], &diag));
	assert_true(launch_arg_parse(arena, NULL, "u32[5]:iota", &args[1], &diag));
	struct launch launch = {.kernel = "kernel",
		.grid = {1, 1, 1},
		.block = {32, 1, 1},
		.shared = 0,
		.args = args,
		.n_args = 2,
		.cooperative = false};
	int64_t id = gpu_measure(gpu, &(struct wire_measure){{ptx, sizeof ptx - 1, launch}, metrics, 2, buffers});
	arena_free(arena);
	assert_true(id > 0);
	return id;
}

static struct gpu_event expect(struct gpu *gpu, enum gpu_event_kind kind, int64_t id)
{
	struct gpu_event event = gpu_wait(gpu, LONG_MS);
	if (event.kind != kind && event.kind == GPU_EVENT_ERROR)
		fail_msg("error %s: %s", wire_error_name(event.error->code), event.error->message);
	assert_int_equal(event.kind, kind);
	assert_int_equal(event.id, id);
	return event;
}

static void expect_values(struct gpu *gpu, int64_t id, double scalar)
{
	struct gpu_event event = expect(gpu, GPU_EVENT_MEASURED, id);
	assert_int_equal(event.measurement->n, 2);
	assert_string_equal(event.measurement->metrics[1], "b.sum");
	assert_true(event.measurement->available[0]);
	assert_true(event.measurement->values[0] == 1000 + scalar);
	assert_true(event.measurement->values[1] == 2000 + scalar);
	assert_true(event.ms > 0);
}

static void answers_come_in_order(void **state)
{
	(void)state;
	struct gpu *gpu = start("ok");
	assert_int_equal(gpu_state(gpu), GPU_OFF);
	assert_null(gpu_info(gpu));
	gpu_start(gpu);
	assert_int_equal(gpu_state(gpu), GPU_STARTING);
	expect(gpu, GPU_EVENT_PROBED, 0);
	assert_int_equal(gpu_state(gpu), GPU_READY);
	assert_string_equal(gpu_info(gpu)->name, "Fake GPU");
	assert_int_equal(gpu_info(gpu)->cc, 90);
	int64_t first = ask(gpu, "u32:1", false), second = ask(gpu, "u32:20", false), third = ask(gpu, "s32:-3", false);
	assert_true(first < second && second < third);
	expect_values(gpu, first, 1);
	expect_values(gpu, second, 20);
	expect_values(gpu, third, -3);
	assert_int_equal(gpu_wait(gpu, 0).kind, GPU_EVENT_NONE);
	gpu_free(gpu);
}

static void buffers_come_back(void **state)
{
	(void)state;
	struct gpu *gpu = start("ok");
	int64_t id = ask(gpu, "u32:1", true); /* starts the worker by itself */
	expect(gpu, GPU_EVENT_PROBED, 0);
	struct gpu_event event = expect(gpu, GPU_EVENT_MEASURED, id);
	const uint32_t iota[] = {0, 1, 2, 3, 4};
	assert_int_equal(event.measurement->n_buffers, 2);
	assert_null(event.measurement->buffers[0]);
	assert_int_equal(event.measurement->buffer_bytes[1], sizeof iota);
	assert_memory_equal(event.measurement->buffers[1], iota, sizeof iota);
	gpu_free(gpu);
}

static void a_missing_metric_is_missing(void **state)
{
	(void)state;
	struct gpu *gpu = start("no-metric");
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	struct gpu_event event = expect(gpu, GPU_EVENT_MEASURED, id);
	assert_false(event.measurement->available[0]);
	assert_true(event.measurement->available[1]);
	gpu_free(gpu);
}

static void progress_is_reported(void **state)
{
	(void)state;
	struct gpu *gpu = start("progress");
	int64_t id = ask(gpu, "u32:1", false);
	int pass = 0;
	for (double until = now_ms() + LONG_MS; now_ms() < until;) {
		struct gpu_event event = gpu_step(gpu);
		if (event.kind == GPU_EVENT_PROGRESS) {
			assert_int_equal(event.id, id);
			assert_true(
				event.progress.pass > pass); /* one that was not taken in time gives way to the next */
			pass = event.progress.pass;
			assert_int_equal(event.progress.passes, 3);
		}
		if (event.kind == GPU_EVENT_MEASURED)
			break;
		assert_int_not_equal(event.kind, GPU_EVENT_ERROR);
	}
	assert_int_equal(pass, 3);
	gpu_free(gpu);
}

static struct gpu_event await_end(struct gpu *gpu)
{
	struct gpu_event event = gpu_wait(gpu, LONG_MS);
	while (event.kind == GPU_EVENT_PROBED)
		event = gpu_wait(gpu, LONG_MS);
	return event;
}

/* Values come with the progress, and what is not wanted ends early. */
static void a_measurement_is_canceled_between_passes(void **state)
{
	(void)state;
	struct gpu *gpu = start("--ms 60000 passes");
	int64_t id = ask(gpu, "u32:1", false), queued = ask(gpu, "u32:2", false);
	struct gpu_event event = {0};
	for (double until = now_ms() + LONG_MS; event.kind != GPU_EVENT_PROGRESS && now_ms() < until;
		event = gpu_step(gpu))
		poll(&(struct pollfd){gpu_fd(gpu), POLLIN, 0}, 1, 10);
	assert_int_equal(event.progress.n, 1);
	assert_string_equal(event.progress.metrics[0], "a.sum");
	assert_true(event.progress.values[0] == 1001);
	gpu_cancel(gpu, queued);
	gpu_cancel(gpu, id);
	gpu_cancel(gpu, id + 100);
	for (int i = 0; i < 2; i++) {
		event = await_end(gpu);
		assert_int_equal(event.kind, GPU_EVENT_ERROR);
		assert_int_equal(event.error->code, WIRE_CANCELED);
		assert_int_equal(event.id, i == 0 ? queued : id);
	}
	gpu_cancel(gpu, id); /* too late */
	assert_int_equal(gpu_state(gpu), GPU_READY);
	gpu_free(gpu);
}

static void passes_that_go_on_end_in_a_result(void **state)
{
	(void)state;
	struct gpu *gpu = start("--ms 1 passes");
	ask(gpu, "u32:1", false);
	struct gpu_event event = await_end(gpu);
	assert_int_equal(event.kind, GPU_EVENT_MEASURED);
	assert_true(event.measurement->values[1] == 2001);
	gpu_free(gpu);
}

/* The queue for a GPU is reported, for a measurement and for the start, and deadlines do not run while waiting. */
static void waiting_in_the_queue_is_reported(void **state)
{
	(void)state;
	static const char *const where[] = {"queue", "queue-probe"};
	for (int i = 0; i < 2; i++) {
		char arguments[100];
		snprintf(arguments, sizeof arguments, "--ms %d %s", WAIT_MS, where[i]);
		struct gpu *gpu = start(arguments);
		int64_t id = ask(gpu, "u32:1", false);
		int before = 4;
		struct gpu_event event = {0};
		while (event.kind != GPU_EVENT_MEASURED) {
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
			event = gpu_step(gpu);
			assert_int_not_equal(event.kind, GPU_EVENT_ERROR);
			if (event.kind != GPU_EVENT_PROGRESS)
				continue;
			/* more than one report takes, less than the line takes */
			gpu_set_deadlines(gpu, 5 * WAIT_MS / 2, 5 * WAIT_MS / 2);
			assert_int_equal(event.id, i == 0 ? id : 0);
			assert_true(event.progress.waiting < before);
			before = event.progress.waiting;
			assert_int_equal(event.progress.passes, 0);
		}
		assert_int_equal(before, 1);
		gpu_free(gpu);
	}
}

static void a_banner_before_the_hello_is_passed_over(void **state)
{
	(void)state;
	static const char *const greetings[] = {
		"echo Welcome", "printf 'no newline'", "printf '{}\\n\\n{\"a\":1}\\r\\n'"};
	for (size_t i = 0; i < sizeof greetings / sizeof greetings[0]; i++) {
		char spec[8192];
		struct diag diag = {0};
		snprintf(spec, sizeof spec, "command:%s; exec '%s' ok", greetings[i], fake);
		struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		int64_t id = ask(gpu, "u32:1", false);
		expect(gpu, GPU_EVENT_PROBED, 0);
		expect_values(gpu, id, 1);
		gpu_free(gpu);
	}
}

/* Nobody asks for anything: the worker is back by itself. */
static void a_lost_connection_is_made_again(void **state)
{
	(void)state;
	char arguments[8192];
	snprintf(arguments, sizeof arguments, "--once %s/lost die-measure", dir);
	struct gpu *gpu = start(arguments);
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect(gpu, GPU_EVENT_ERROR, id);
	double lost = now_ms();
	assert_int_equal(gpu_state(gpu), GPU_LOST);
	assert_true(gpu_timeout_ms(gpu) > 0);
	assert_int_equal(gpu_step(gpu).kind, GPU_EVENT_NONE);
	struct gpu_event event = {0};
	while (event.kind == GPU_EVENT_NONE && now_ms() < lost + LONG_MS) {
		poll(&(struct pollfd){gpu_fd(gpu), POLLIN, 0}, 1, gpu_timeout_ms(gpu));
		event = gpu_step(gpu);
	}
	assert_int_equal(event.kind, GPU_EVENT_PROBED);
	assert_true(now_ms() - lost >= 900);
	id = ask(gpu, "u32:2", false);
	expect_values(gpu, id, 2);
	gpu_free(gpu);
}

/* Another worker gets the same request before those that followed it; the session does not notice. */
static void a_stuck_profiler_is_replaced(void **state)
{
	(void)state;
	char arguments[8192];
	snprintf(arguments, sizeof arguments, "--once %s/stuck error:profiler_stuck", dir);
	struct gpu *gpu = start(arguments);
	int64_t first = ask(gpu, "u32:1", false), second = ask(gpu, "u32:2", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect_values(gpu, first, 1);
	expect_values(gpu, second, 2);
	gpu_free(gpu);
}

static void a_profiler_that_stays_stuck_is_reported(void **state)
{
	(void)state;
	struct gpu *gpu = start("error:profiler_stuck");
	for (int i = 0; i < 2; i++) {
		int64_t id = ask(gpu, "u32:1", false);
		expect(gpu, GPU_EVENT_PROBED, 0);
		expect(gpu, GPU_EVENT_PROBED, 0);
		assert_int_equal(expect(gpu, GPU_EVENT_ERROR, id).error->code, WIRE_PROFILER_STUCK);
	}
	gpu_free(gpu);
}

/* Whether the GPU is back by itself within the time; errors that say that it is not yet are passed over, and from then
 * on a worker may take long to be there. */
static bool comes_back(struct gpu *gpu, int *errors)
{
	*errors = 0;
	for (double until = now_ms() + LONG_MS; now_ms() < until;) {
		struct gpu_event event = gpu_wait(gpu, LONG_MS);
		if (event.kind == GPU_EVENT_PROBED)
			return true;
		*errors += event.kind == GPU_EVENT_ERROR;
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	}
	return false;
}

/* At every point of a worker's life: one behavior after the other, the first that is left out is well. */
static const struct {
	const char *behaviors;
	bool ask;   /* something is asked for when the first is lost */
	int errors; /* until it is back */
} losses[] = {
	{"die-probe", false, 1},
	{"die-idle", false, 1},
	{"silent-probe", false, 1},
	{"die-midline", true, 1},
	{"die-measure probe-error:busy", true, 2},
	{"die-measure die-hello", true, 2},
};

static void a_connection_lost_at_any_point_is_made_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
		char spec[8192];
		int errors;
		struct diag diag = {0};
		snprintf(spec, sizeof spec,
			"command:cd '%s'; echo x >> losses-%zu; n=$(wc -l < losses-%zu); set -- %s; shift $((n - 1)) ||"
			" set --; exec '%s' ${1:-ok}",
			dir, i, i, losses[i].behaviors, fake);
		struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		gpu_set_retry(gpu, RETRY_MS);
		gpu_start(gpu);
		if (strstr(losses[i].behaviors, "silent")) /* for the answer to the probe; the hello has its time */
			gpu_set_deadlines(gpu, SHORT_MS, LONG_MS);
		if (losses[i].ask) {
			expect(gpu, GPU_EVENT_PROBED, 0);
			ask(gpu, "u32:1", false);
		} else if (strstr(losses[i].behaviors, "idle")) {
			expect(gpu, GPU_EVENT_PROBED, 0);
		}
		if (!comes_back(gpu, &errors) || errors != losses[i].errors)
			fail_msg("%s: %d errors", losses[i].behaviors, errors);
		int64_t id = ask(gpu, "u32:2", false);
		expect_values(gpu, id, 2);
		gpu_free(gpu);
	}
}

/* srun and ssh say on standard error why the worker is not there yet. */
static void what_is_said_before_the_hello_can_be_shown(void **state)
{
	(void)state;
	char spec[8192];
	struct diag diag = {0};
	snprintf(spec, sizeof spec,
		"command:echo first >&2; echo 'job 7 queued' >&2; until [ -e '%s/go' ]; do sleep 0.02; done; exec '%s'",
		dir, fake);
	struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
	struct gpu_event event = {0};
	gpu_start(gpu);
	assert_string_equal(gpu_said(gpu), "");
	for (double until = now_ms() + LONG_MS; strcmp(gpu_said(gpu), "job 7 queued") != 0 && now_ms() < until;) {
		int timeout = gpu_timeout_ms(gpu);
		poll(&(struct pollfd){gpu_fd(gpu), POLLIN, 0}, 1, timeout < 0 ? LONG_MS : timeout);
		event = gpu_step(gpu);
		assert_int_not_equal(event.kind, GPU_EVENT_ERROR);
	}
	assert_int_equal(event.kind, GPU_EVENT_PROGRESS);
	assert_int_equal(event.id, 0);
	assert_int_equal(gpu_state(gpu), GPU_STARTING);
	snprintf(spec, sizeof spec, "%s/go", dir);
	fclose(fopen(spec, "w"));
	expect(gpu, GPU_EVENT_PROBED, 0);
	assert_string_equal(gpu_said(gpu), "");
	gpu_free(gpu);
}

/* srun and ssh can end what they started elsewhere only when they are asked to end; who does not hear that is
 * killed. */
static void a_far_worker_is_asked_to_end_before_it_is_killed(void **state)
{
	(void)state;
	const char *all = getenv("SIMTTUTOR_TEST_LONG"); /* the second takes PROCESS_GRACE_MS */
	int n = all && strcmp(all, "1") == 0 ? 2 : 1;
	for (int i = 0; i < n; i++) {
		char spec[16384], file[4096], text[32] = "";
		struct diag diag = {0};
		if (i == 0)
			snprintf(spec, sizeof spec,
				"command:trap 'echo asked > %s/asked; exit 0' TERM; exec 3<&0; '%s' silent <&3 & wait",
				dir, fake);
		else
			snprintf(spec, sizeof spec, "command:trap '' TERM; echo $$ >> '%s/deaf'; exec '%s' silent", dir,
				fake);
		struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
		gpu_set_deadlines(gpu, LONG_MS, SHORT_MS);
		gpu_start(gpu);
		expect(gpu, GPU_EVENT_PROBED, 0);
		int64_t id = ask(gpu, "u32:1", false);
		assert_int_equal(expect(gpu, GPU_EVENT_ERROR, id).error->code, WIRE_TIMEOUT);
		double from = now_ms();
		snprintf(file, sizeof file, "%s/%s", dir, i == 0 ? "asked" : "deaf");
		bool over = false;
		while (!over && now_ms() < from + LONG_MS) {
			FILE *f = fopen(file, "r");
			bool there = f && fgets(text, sizeof text, f);
			if (f)
				fclose(f);
			over = there && (i == 0 || kill(atoi(text), 0) != 0);
			gpu_step(gpu);
			nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
		}
		assert_true(over);
		if (i == 1)
			assert_true(now_ms() - from >= 2500);
		gpu_free(gpu);
	}
}

/* Only the last report matters: those that were not taken in time are dropped, and do not delay what follows. */
static void a_flood_of_progress_is_cut_short(void **state)
{
	(void)state;
	struct gpu *gpu = start("flood");
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	gpu_set_deadlines(gpu, LONG_MS, SHORT_MS);
	int64_t id = ask(gpu, "u32:1", false);
	struct gpu_event event = {0};
	for (int reports = 0; event.kind != GPU_EVENT_ERROR; reports += event.kind == GPU_EVENT_PROGRESS) {
		nanosleep(&(struct timespec){.tv_nsec = SHORT_MS * 100000L}, NULL);
		event = gpu_step(gpu);
		assert_true(reports <= 20); /* a step each 30 ms, for 300 ms */
	}
	assert_int_equal(event.id, id);
	assert_int_equal(event.error->code, WIRE_TIMEOUT);
	gpu_free(gpu);
}

/* What a worker does wrong in the middle of a measurement, and what the reader sees. */
static const struct {
	const char *behavior;
	enum wire_error_code code;
	const char *says;
	int measure_ms;
} during[] = {
	{"die-measure", WIRE_WORKER_DIED, "ended with exit status 3: out of luck", LONG_MS},
	{"die-midline", WIRE_WORKER_DIED, "ended with exit status 3: mid-line", LONG_MS},
	{"killed", WIRE_WORKER_DIED, "was ended by signal 9", LONG_MS},
	{"orphan", WIRE_WORKER_DIED, "left a child", LONG_MS},
	{"close-stdout", WIRE_WORKER_DIED, "closed its output", LONG_MS},
	{"silent", WIRE_TIMEOUT, "within 0.3 s", SHORT_MS},
	{"silent-midline", WIRE_TIMEOUT, "within 0.3 s", SHORT_MS},
	{"--ms 5000 slow", WIRE_TIMEOUT, "within 0.3 s", SHORT_MS},
	{"deaf", WIRE_TIMEOUT, "within 0.3 s", SHORT_MS},
	{"garbage", WIRE_GARBAGE, "not JSON", LONG_MS},
	{"endless", WIRE_GARBAGE, "without ending the line", LONG_MS},
	{"wrong-id", WIRE_GARBAGE, "answers nothing asked", LONG_MS},
	{"fewer-metrics", WIRE_GARBAGE, "other metrics", LONG_MS},
	{"short-buffer", WIRE_GARBAGE, "other buffers", LONG_MS},
	{"error:kernel_fault", WIRE_KERNEL_FAULT, "as the test asked", LONG_MS},
};

static void a_worker_that_fails_is_replaced(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof during / sizeof during[0]; i++) {
		char arguments[8192];
		int files = open_files();
		snprintf(arguments, sizeof arguments, "--once %s/during-%zu %s", dir, i, during[i].behavior);
		struct gpu *gpu = start(arguments);
		gpu_start(gpu);
		expect(gpu, GPU_EVENT_PROBED, 0);
		gpu_set_deadlines(gpu, LONG_MS, during[i].measure_ms);
		int64_t bad = ask(gpu, "u32:1", true), good = ask(gpu, "u32:2", false);
		double asked = now_ms();
		struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, bad);
		if (event.error->code != during[i].code || !strstr(event.error->message, during[i].says))
			fail_msg("%s: %s: %s", during[i].behavior, wire_error_name(event.error->code),
				event.error->message);
		if (during[i].measure_ms == SHORT_MS)
			assert_true(now_ms() - asked < SHORT_MS + 3000 && event.ms >= SHORT_MS - 1);
		/* the request after it is served by a new worker */
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		expect(gpu, GPU_EVENT_PROBED, 0);
		expect_values(gpu, good, 2);
		assert_int_equal(gpu_state(gpu), GPU_READY);
		gpu_free(gpu);
		assert_int_equal(open_files(), files);
	}
}

/* What goes wrong before a worker is ready: one error of the worker as a whole, one for the queued request. */
static const struct {
	const char *behavior;
	enum wire_error_code code;
	const char *says;
	int start_ms;
} before[] = {
	{"die-hello", WIRE_WORKER_DIED, "ended with exit status 3: no hello today", LONG_MS},
	{"die-probe", WIRE_WORKER_DIED, "ended with exit status 3:  [31mdriver trouble", LONG_MS},
	{"silent-hello", WIRE_TIMEOUT, "not ready within 0.3 s", SHORT_MS},
	{"silent-probe", WIRE_TIMEOUT, "not ready within 0.3 s", SHORT_MS},
	{"half-hello", WIRE_TIMEOUT, "not ready within 0.3 s", SHORT_MS},
	{"garbage-hello", WIRE_GARBAGE, "no hello of a worker", LONG_MS},
	{"banner-only", WIRE_WORKER_DIED, "ended with exit status 0: Welcome to the login node!", LONG_MS},
	{"wrong-version", WIRE_WRONG_VERSION, "speaks protocol 2", LONG_MS},
	{"probe-error:no_driver", WIRE_NO_DRIVER, "as the test asked", LONG_MS},
};

static void a_failed_start_is_reported_and_tried_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
		char arguments[8192];
		int files = open_files();
		snprintf(arguments, sizeof arguments, "--once %s/before-%zu %s", dir, i, before[i].behavior);
		struct gpu *gpu = start(arguments);
		gpu_set_deadlines(gpu, before[i].start_ms, LONG_MS);
		int64_t bad = ask(gpu, "u32:1", false);
		struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
		if (event.error->code != before[i].code || !strstr(event.error->message, before[i].says))
			fail_msg("%s: %s: %s", before[i].behavior, wire_error_name(event.error->code),
				event.error->message);
		event = expect(gpu, GPU_EVENT_ERROR, bad);
		assert_int_equal(event.error->code, before[i].code);
		/* only a connection that broke once it stood is made again by itself */
		assert_int_equal(gpu_state(gpu), strstr(before[i].behavior, "-probe") ? GPU_LOST : GPU_OFF);
		assert_int_equal(gpu_error(gpu)->code, before[i].code);
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		int64_t good = ask(gpu, "u32:2", false);
		assert_null(gpu_error(gpu));
		expect(gpu, GPU_EVENT_PROBED, 0);
		expect_values(gpu, good, 2);
		gpu_free(gpu);
		assert_int_equal(open_files(), files);
	}
}

static void every_error_code_comes_through(void **state)
{
	(void)state;
	for (int code = 0; code < WIRE_ERRORS; code++) {
		char arguments[100];
		snprintf(arguments, sizeof arguments, "error:%s", wire_error_name((enum wire_error_code)code));
		struct gpu *gpu = start(arguments);
		int64_t id = ask(gpu, "u32:1", false);
		for (int asked = 0; asked <= wire_error_asks_again((enum wire_error_code)code); asked++)
			expect(gpu, GPU_EVENT_PROBED, 0);
		struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, id);
		assert_int_equal(event.error->code, code);
		gpu_free(gpu);
	}
}

static void a_death_between_requests_is_reported(void **state)
{
	(void)state;
	char arguments[8192];
	snprintf(arguments, sizeof arguments, "--once %s/idle die-idle", dir);
	struct gpu *gpu = start(arguments);
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
	assert_int_equal(event.error->code, WIRE_WORKER_DIED);
	int64_t id = ask(gpu, "u32:4", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect_values(gpu, id, 4);
	gpu_free(gpu);
}

static void an_answer_without_a_request_is_garbage(void **state)
{
	(void)state;
	struct gpu *gpu = start("twice");
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect_values(gpu, id, 1);
	struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
	assert_int_equal(event.error->code, WIRE_GARBAGE);
	gpu_free(gpu);
}

/* How often a flood that FLOOD, a shell command, writes to its standard error wakes the front end in a second. Each
 * wake-up costs the same, so no time is compared: it would depend on the machine. */
static int wakes_of_a_flood(const char *flood)
{
	char spec[8192];
	struct diag diag = {0};
	snprintf(spec, sizeof spec, "command:{ %s; } >&2 & exec '%s' ok", flood, fake);
	struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
	assert_non_null(gpu);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	double until = now_ms() + 1000;
	int wakes = 0;
	for (double left; (left = until - now_ms()) > 0; wakes++) {
		int timeout = gpu_timeout_ms(gpu);
		struct pollfd fd = {gpu_fd(gpu), POLLIN, 0};
		poll(&fd, 1, timeout < 0 || timeout > left ? (int)left + 1 : timeout);
		assert_int_equal(gpu_step(gpu).kind, GPU_EVENT_NONE);
	}
	int64_t id = ask(gpu, "u32:1", false);
	expect_values(gpu, id, 1);
	gpu_free(gpu);
	return wakes;
}

static void a_flood_on_stderr_costs_nothing(void **state)
{
	(void)state;
	assert_in_range(wakes_of_a_flood("yes 'a flood'"), 1, 50); /* of thousands, if every chunk woke it */
	assert_in_range(wakes_of_a_flood("for i in $(seq 5000); do sleep 0.001; echo drop by drop; done"), 1, 50);
}

static void noise_on_stderr_is_swallowed(void **state)
{
	(void)state;
	struct gpu *gpu = start("noisy");
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect_values(gpu, id, 1);
	gpu_free(gpu);
}

static void a_step_never_waits_for_a_worker_that_does_not_read(void **state)
{
	(void)state;
	struct gpu *gpu = start("deaf");
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	struct launch launch = {.kernel = "kernel",
		.grid = {1, 1, 1},
		.block = {32, 1, 1},
		.shared = 0,
		.args = NULL,
		.n_args = 0,
		.cooperative = false};
	size_t len = (size_t)4 << 20; /* far more than a pipe holds */
	char *large = malloc(len);
	memset(large, ' ', len);
	gpu_set_deadlines(gpu, LONG_MS, SHORT_MS);
	int64_t id = gpu_measure(gpu, &(struct wire_measure){{large, len, launch}, metrics, 2, false});
	free(large);
	struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, id);
	assert_int_equal(event.error->code, WIRE_TIMEOUT);
	gpu_free(gpu);
}

/* Several workers of the given kinds, tried in turn. */
static struct gpu *start_several(const char *const arguments[], int n)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const char *specs = NULL;
	for (int i = 0; i < n; i++)
		specs = gpu_several(arena, specs, arena_printf(arena, "command:exec '%s' %s", fake, arguments[i]));
	struct gpu *gpu = gpu_new(specs, "/nonexistent", &diag);
	assert_non_null(gpu);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	arena_free(arena);
	return gpu;
}

static void of_several_the_first_that_can_be_used_is(void **state)
{
	(void)state;
	struct gpu *gpu = start_several(
		(const char *const[]){"die-hello", "no-counters", "garbage-hello", "ok", "die-probe"}, 5);
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0); /* nothing is said of the others */
	expect_values(gpu, id, 1);
	assert_non_null(strstr(gpu_spec(gpu), " ok"));
	assert_null(gpu_error(gpu));
	gpu_free(gpu);
}

static void of_several_that_all_fail_each_is_named(void **state)
{
	(void)state;
	struct gpu *gpu = start_several((const char *const[]){"die-hello", "garbage-hello"}, 2);
	for (int round = 0; round < 2; round++) { /* and the next request tries them all again */
		int64_t id = ask(gpu, "u32:1", false);
		struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
		assert_non_null(strstr(event.error->message, "none of 2 GPUs can be used: "));
		assert_non_null(strstr(event.error->message, "die-hello: the worker "));
		assert_non_null(strstr(event.error->message, "garbage-hello: "));
		expect(gpu, GPU_EVENT_ERROR, id);
	}
	gpu_free(gpu);
}

static void where_none_of_several_has_counters_the_last_is_used(void **state)
{
	(void)state;
	struct gpu *gpu = start_several((const char *const[]){"no-counters", "no-counters"}, 2);
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	assert_false(gpu_info(gpu)->counters);
	gpu_free(gpu);
}

static void a_pool_is_a_file_of_gpus(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		unsigned first;
		const char *joined, *fault; /* NULL: the other */
		int line;
	} rows[] = {
		{"# ours\n\nssh:a\r\n\t local:1 \ncommand:srun w # x", 0, "ssh:a\036local:1\036command:srun w # x",
			NULL, 0},
		{"ssh:a\nlocal:1\nlocal:2\n", 4, "local:1\036local:2\036ssh:a", NULL, 0},
		{"ssh:a\nnowhere\n", 0, NULL, "names no GPU", 2},
		{"ssh:a\n\nnone\n", 0, NULL, "cannot be in a pool", 3},
		{"pool:other\n", 0, NULL, "names no GPU", 1},
		{"ssh:a\n# \ncommand:a\036ssh:b\n", 0, NULL, "no text", 3},
		{" \n#\n", 0, NULL, "has no GPU", 0},
		{"", 0, NULL, "has no GPU", 0},
	};
	char path[] = "/tmp/gpu-pool-XXXXXX", spec[64];
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	snprintf(spec, sizeof spec, "pool:%s", path);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, rows[i].text, strlen(rows[i].text), 0), strlen(rows[i].text));
		const char *joined = gpu_pool(arena, spec, rows[i].first, &diag);
		if (rows[i].joined) {
			assert_non_null(joined);
			assert_string_equal(joined, rows[i].joined);
		} else {
			assert_null(joined);
			assert_non_null(strstr(diag.entries[0].message, rows[i].fault));
			assert_int_equal(diag.entries[0].line, rows[i].line);
		}
		diag_free(&diag);
		arena_free(arena);
	}
	close(fd);
	unlink(path);
	struct diag diag = {0};
	assert_null(gpu_pool(NULL, spec, 0, &diag));
	assert_int_equal(diag.errors, 1);
	diag_free(&diag);
	assert_string_equal(gpu_pool(NULL, "ssh:a", 3, NULL), "ssh:a");
	assert_null(gpu_new("ssh:a\036none", "/w", &diag));
	assert_non_null(strstr(diag.entries[0].message, "none"));
	diag_free(&diag);
}

static void specs_become_commands(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *argv[SPEC_ARGV_MAX];
	} rows[] = {
		{"none", {NULL}},
		{"local", {"/w", NULL}},
		{"local:3", {"/w", "--device", "3", NULL}},
		{"ssh:user@host",
			{"ssh", "-T", "-oBatchMode=yes", "-oConnectTimeout=20", "-oServerAliveInterval=5",
				"-oServerAliveCountMax=3", "-oClearAllForwardings=yes", "-oRemoteCommand=none", "--",
				"user@host", "simttutor-gpu", NULL}},
		{"command:srun -n1 w --x", {"/bin/sh", "-c", "srun -n1 w --x", NULL}},
	};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct spec spec;
		assert_true(gpu_spec_parse(arena, rows[i].spec, "/w", (struct diag_pos){0}, &spec, &diag));
		for (int k = 0; k < SPEC_ARGV_MAX && (rows[i].argv[k] || spec.argv[k]); k++) {
			assert_non_null(spec.argv[k]);
			assert_string_equal(spec.argv[k], rows[i].argv[k]);
		}
	}
	static const char *const bad[] = {"", "nobody", "local:", "local:x", "local:-1", "local:99999", "ssh",
		"ssh:", "ssh:-oProxyCommand=x", "ssh:a b", "command", "command:", "none:1", "localhost"};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct diag fault = {0};
		if (gpu_new(bad[i], "/w", &fault))
			fail_msg("taken: %s", bad[i]);
		assert_int_equal(fault.errors, 1);
		assert_non_null(strstr(fault.entries[0].message, "local:N"));
		diag_free(&fault);
	}
	arena_free(arena);
}

static void a_missing_gpu_is_reported(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct gpu *gpu = gpu_new("none", "/w", &diag);
	gpu_start(gpu);
	assert_int_equal(gpu_state(gpu), GPU_OFF);
	assert_int_equal(gpu_error(gpu)->code, WIRE_SWITCHED_OFF);
	assert_int_equal(gpu_fd(gpu), -1);
	int64_t id = ask(gpu, "u32:1", false);
	struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, id);
	assert_int_equal(event.error->code, WIRE_SWITCHED_OFF);
	assert_int_equal(gpu_wait(gpu, LONG_MS).kind, GPU_EVENT_NONE); /* at once: nothing can come */
	gpu_free(gpu);
}

/* Until it has let its GPU go; nothing is reported meanwhile. */
static void wait_for_rest(struct gpu *gpu)
{
	for (int i = 0; i < LONG_MS / 10 && gpu_fd(gpu) >= 0; i++)
		assert_int_equal(gpu_wait(gpu, 10).kind, GPU_EVENT_NONE);
	assert_int_equal(gpu_fd(gpu), -1);
	assert_int_equal(gpu_state(gpu), GPU_READY);
	assert_non_null(gpu_info(gpu));
	for (int i = 0; i < LONG_MS / 10 && gpu_timeout_ms(gpu) >= 0; i++) { /* nor is it left as a zombie */
		poll(NULL, 0, 10);
		assert_int_equal(gpu_step(gpu).kind, GPU_EVENT_NONE);
	}
	assert_int_equal(gpu_timeout_ms(gpu), -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void a_worker_with_nothing_to_do_lets_its_gpu_go_and_comes_back_unseen(void **state)
{
	(void)state;
	struct gpu *gpu = start("ok");
	gpu_set_rest(gpu, 20);
	int64_t id = ask(gpu, "u32:1", false);
	expect(gpu, GPU_EVENT_PROBED, 0);
	expect_values(gpu, id, 1);
	for (int round = 2; round < 4; round++) {
		wait_for_rest(gpu);
		id = ask(gpu, "u32:7", false);
		assert_int_equal(gpu_state(gpu), GPU_READY);
		expect_values(gpu, id, 7); /* no GPU_EVENT_PROBED before */
	}
	gpu_free(gpu);
}

static void a_front_end_that_takes_its_time_over_an_answer_may_ask_again(void **state)
{
	(void)state;
	char spec[16384], file[4096];
	struct diag diag = {0};
	snprintf(file, sizeof file, "%s/busy", dir);
	snprintf(spec, sizeof spec, "command:echo $$ >> '%s'; exec '%s' ok", file, fake);
	struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	gpu_set_rest(gpu, 50);
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	for (int i = 0; i < 3; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 120000000}, NULL); /* what the last event gave to do */
		assert_int_equal(gpu_step(gpu).kind, GPU_EVENT_NONE);
		expect_values(gpu, ask(gpu, "u32:1", false), 1);
	}
	gpu_free(gpu);
	FILE *f = fopen(file, "r");
	int workers = 0;
	for (char text[32]; f && fgets(text, sizeof text, f);)
		workers++;
	assert_non_null(f);
	fclose(f);
	assert_int_equal(workers, 1);
}

static void a_worker_that_does_not_come_back_from_its_rest_is_reported(void **state)
{
	(void)state;
	char spec[8192], gate[] = "/tmp/gpu-gate-XXXXXX";
	struct diag diag = {0};
	int fd = mkstemp(gate);
	assert_true(fd >= 0);
	close(fd);
	snprintf(spec, sizeof spec, "command:test -e %s || exit 127; exec '%s' ok", gate, fake);
	struct gpu *gpu = gpu_new(spec, "/nonexistent", &diag);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	gpu_set_rest(gpu, 20);
	gpu_start(gpu);
	expect(gpu, GPU_EVENT_PROBED, 0);
	wait_for_rest(gpu);
	unlink(gate);
	int64_t id = ask(gpu, "u32:7", false);
	assert_int_equal(expect(gpu, GPU_EVENT_ERROR, 0).error->code, WIRE_NOT_INSTALLED);
	assert_int_equal(expect(gpu, GPU_EVENT_ERROR, id).error->code, WIRE_NOT_INSTALLED);
	assert_null(gpu_info(gpu));
	gpu_free(gpu);
}

static void only_a_command_rests_unless_it_is_asked_to(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		int ms;
	} rows[] = {{"local", 0}, {"ssh:host", 0}, {"command:srun w", 60000}};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct spec spec;
		assert_true(gpu_spec_parse(arena, rows[i].spec, "/w", (struct diag_pos){0}, &spec, &diag));
		assert_int_equal(spec.rest_ms, rows[i].ms);
	}
	arena_free(arena);
}

static void a_worker_that_is_not_there_is_named(void **state)
{
	(void)state;
	struct diag diag = {0};
	const char *preloaded = getenv("LD_PRELOAD");
	if (preloaded && strstr(preloaded, "vgpreload")) /* valgrind's vfork is a fork, so posix_spawn cannot say why */
		skip();
	struct gpu *gpu = gpu_new("local", "/nonexistent/simttutor-gpu", &diag);
	gpu_start(gpu);
	struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
	assert_int_equal(event.error->code, WIRE_NO_WORKER);
	assert_non_null(strstr(event.error->message, "/nonexistent/simttutor-gpu: No such file"));
	gpu_free(gpu);
	gpu = gpu_new("command:no-such-program-here", "/w", &diag);
	gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
	gpu_start(gpu);
	event = expect(gpu, GPU_EVENT_ERROR, 0);
	assert_int_equal(event.error->code, WIRE_NOT_INSTALLED);
	assert_non_null(strstr(event.error->message, "no-such-program-here"));
	gpu_free(gpu);
}

static void a_worker_that_cannot_be_loaded_is_told_from_one_that_died(void **state)
{
	(void)state;
	static const struct {
		const char *command;
		enum wire_error_code code;
	} cases[] = {
		{"command:echo \"w: error while loading shared libraries: liby.so.2: cannot open\" >&2; exit 127",
			WIRE_MISSING_LIBRARY},
		{"command:echo \"Error loading shared library liby.so.2: No such file (needed by w)\" >&2; exit 127",
			WIRE_MISSING_LIBRARY},
		{"command:echo \"w: /lib/libc.so.6: version 'GLIBC_2.99' not found (required by w)\" >&2; exit 1",
			WIRE_MISSING_LIBRARY},
		{"command:echo no room >&2; exit 1", WIRE_WORKER_DIED},
		{"command:exit 126", WIRE_NOT_INSTALLED},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct diag diag = {0};
		struct gpu *gpu = gpu_new(cases[i].command, "/w", &diag);
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		gpu_start(gpu);
		struct gpu_event event = expect(gpu, GPU_EVENT_ERROR, 0);
		assert_int_equal(event.error->code, cases[i].code);
		gpu_free(gpu);
	}
}

static void ssh_and_local_run_the_worker(void **state)
{
	(void)state;
	char path[8192], script[100];
	struct diag diag = {0};
	snprintf(script, sizeof script, "%s/ssh", dir);
	FILE *file = fopen(script, "w");
	/* stands in for ssh: checks what it was asked and runs it here */
	fprintf(file, "#!/bin/sh\ncase \"$*\" in *' -- gpuhost simttutor-gpu') ;; *) exit 9 ;; esac\nexec '%s' ok\n",
		fake);
	fclose(file);
	chmod(script, 0700);
	snprintf(path, sizeof path, "%s:%s", dir, getenv("PATH"));
	setenv("PATH", path, 1);
	const char *const specs[] = {"ssh:gpuhost", "local", "local:1"};
	for (int i = 0; i < 3; i++) {
		struct gpu *gpu = gpu_new(specs[i], fake, &diag);
		gpu_set_deadlines(gpu, LONG_MS, LONG_MS);
		int64_t id = ask(gpu, "u32:5", false);
		expect(gpu, GPU_EVENT_PROBED, 0);
		expect_values(gpu, id, 5);
		gpu_free(gpu);
	}
}

static int set_up(void **state)
{
	(void)state;
	const char *build = getenv("top_builddir");
	snprintf(fake, sizeof fake, "%s/tests/fake-worker", build ? build : ".");
	return mkdtemp(dir) ? 0 : -1;
}

/* Nothing is left running by any test. */
static int tear_down(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", dir);
	/* one that was killed on a busy machine may take longer to be gone than gpu_free waits; one that was not never
	 * is */
	double until = now_ms() + 10000;
	int left;
	while ((left = waitpid(-1, NULL, WNOHANG)) >= 0 && now_ms() < until)
		poll(NULL, 0, 10);
	bool gone = left == -1 && errno == ECHILD;
	return system(command) == 0 && gone ? 0 : -1;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_in_order),
		cmocka_unit_test(buffers_come_back),
		cmocka_unit_test(a_missing_metric_is_missing),
		cmocka_unit_test(progress_is_reported),
		cmocka_unit_test(a_measurement_is_canceled_between_passes),
		cmocka_unit_test(passes_that_go_on_end_in_a_result),
		cmocka_unit_test(waiting_in_the_queue_is_reported),
		cmocka_unit_test(a_banner_before_the_hello_is_passed_over),
		cmocka_unit_test(a_lost_connection_is_made_again),
		cmocka_unit_test(a_stuck_profiler_is_replaced),
		cmocka_unit_test(a_profiler_that_stays_stuck_is_reported),
		cmocka_unit_test(a_connection_lost_at_any_point_is_made_again),
		cmocka_unit_test(a_far_worker_is_asked_to_end_before_it_is_killed),
		cmocka_unit_test(what_is_said_before_the_hello_can_be_shown),
		cmocka_unit_test(a_flood_of_progress_is_cut_short),
		cmocka_unit_test(a_worker_that_fails_is_replaced),
		cmocka_unit_test(a_failed_start_is_reported_and_tried_again),
		cmocka_unit_test(every_error_code_comes_through),
		cmocka_unit_test(a_death_between_requests_is_reported),
		cmocka_unit_test(an_answer_without_a_request_is_garbage),
		cmocka_unit_test(noise_on_stderr_is_swallowed),
		cmocka_unit_test(a_flood_on_stderr_costs_nothing),
		cmocka_unit_test(a_step_never_waits_for_a_worker_that_does_not_read),
		cmocka_unit_test(of_several_the_first_that_can_be_used_is),
		cmocka_unit_test(of_several_that_all_fail_each_is_named),
		cmocka_unit_test(where_none_of_several_has_counters_the_last_is_used),
		cmocka_unit_test(a_pool_is_a_file_of_gpus),
		cmocka_unit_test(specs_become_commands),
		cmocka_unit_test(a_missing_gpu_is_reported),
		cmocka_unit_test(a_worker_with_nothing_to_do_lets_its_gpu_go_and_comes_back_unseen),
		cmocka_unit_test(a_front_end_that_takes_its_time_over_an_answer_may_ask_again),
		cmocka_unit_test(a_worker_that_does_not_come_back_from_its_rest_is_reported),
		cmocka_unit_test(only_a_command_rests_unless_it_is_asked_to),
		cmocka_unit_test(a_worker_that_is_not_there_is_named),
		cmocka_unit_test(a_worker_that_cannot_be_loaded_is_told_from_one_that_died),
		cmocka_unit_test(ssh_and_local_run_the_worker),
	};
	return run_side_by_side("gpu", tests, sizeof tests / sizeof tests[0], set_up, tear_down);
}
