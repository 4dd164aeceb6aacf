/* The process that counts lines for the worker: tests/fake-worker stands in for it, with the behaviors it has for the
 * front end. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gpu/worker/serve.h"

static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry nothing()\n{\n\tret;\n}\n";
static const char *const metrics[] = {"smsp__sass_inst_executed"};

static char dir[] = "/tmp/simttutor-test-XXXXXX", program[sizeof dir + 16];
static struct sass_worker worker = {.process = PROCESS_NONE};
static struct server server = {.program = program};
static struct arena *arena;

/* The program that is started from now on: the stand-in with this behavior, or what the shell is told. */
static void become(const char *behavior, const char *command)
{
	const char *build = getenv("top_builddir");
	char absolute[4096];
	assert_non_null(realpath(build ? build : ".", absolute));
	FILE *file = fopen(program, "w");
	assert_non_null(file);
	if (behavior)
		fprintf(file, "#!/bin/sh\nexec '%s/tests/fake-worker' '%s'\n", absolute, behavior);
	else
		fprintf(file, "#!/bin/sh\n%s\n", command);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(program, 0700), 0);
}

static struct wire_message ask(int64_t id)
{
	struct wire_message answer, request = {.kind = WIRE_LINES, .id = id};
	request.lines.job = (struct wire_job){
		ptx, sizeof ptx - 1, {.kernel = "nothing", .grid = {1, 1, 1}, .block = {32, 1, 1}}};
	request.lines.metrics = metrics;
	request.lines.n_metrics = 1;
	sass_worker_ask(&worker, &server, arena, &request, &answer);
	assert_int_equal(answer.id, id);
	return answer;
}

static void assert_error(const struct wire_message *answer, enum wire_error_code code, const char *words)
{
	assert_int_equal(answer->kind, WIRE_ERROR_REPLY);
	assert_int_equal(answer->error.code, code);
	if (!strstr(answer->error.message, words))
		fail_msg("no '%s' in '%s'", words, answer->error.message);
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(program, sizeof program, "%s/worker", dir);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(program);
	return rmdir(dir);
}

static int begin(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int end(void **state)
{
	(void)state;
	sass_worker_stop(&worker);
	arena_free(arena);
	return 0;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void one_process_answers_all(void **state)
{
	(void)state;
	become("ok", NULL);
	assert_false(sass_worker_runs(&worker));
	struct wire_message first = ask(1);
	pid_t pid = worker.process.pid;
	assert_int_equal(first.kind, WIRE_RESULT_LINES);
	assert_true(first.line_counts.n_lines > 0);
	struct wire_message next = ask(2);
	assert_int_equal(next.kind, WIRE_RESULT_LINES);
	assert_int_equal(next.line_counts.n_lines, first.line_counts.n_lines);
	assert_int_equal(worker.process.pid, pid);
}

/* What is answered to others, or is no answer to lines, is not taken for one. */
static void only_its_own_answer_is_taken(void **state)
{
	(void)state;
	become(NULL,
		"read -r line\n"
		"echo '{\"type\":\"hello\",\"protocol\":1,\"version\":\"1\",\"place\":\"host\"}'\n"
		"echo '{\"type\":\"error\",\"id\":6,\"code\":\"internal\",\"message\":\"of another\"}'\n"
		"echo '{\"type\":\"progress\",\"id\":7,\"pass\":0,\"passes\":0,\"waiting\":1}'\n"
		"echo '{\"type\":\"error\",\"id\":7,\"code\":\"bad_ptx\",\"message\":\"of this one\"}'\n"
		"read -r line");
	struct wire_message answer = ask(7);
	assert_error(&answer, WIRE_BAD_PTX, "of this one");
	assert_true(sass_worker_runs(&worker));
}

static void after_a_fault_another_is_started(void **state)
{
	(void)state;
	become("lines-error:kernel_fault", NULL);
	struct wire_message answer = ask(1);
	assert_error(&answer, WIRE_KERNEL_FAULT, "");
	assert_false(sass_worker_runs(&worker));
	become("ok", NULL);
	answer = ask(2);
	assert_int_equal(answer.kind, WIRE_RESULT_LINES);
}

static void its_end_is_an_error(void **state)
{
	static const struct {
		const char *command, *words;
	} ends[] = {
		{"read -r line; echo 'no GPU today' >&2; exit 3",
			"the process that counts lines ended with exit status 3: no GPU today"},
		{"read -r line; kill -9 $$", "was ended by signal 9"},
		{"echo oops; sleep 600", "was stopped"},
		{"exec >&-; sleep 600", "closed its output"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		become(NULL, ends[i].command);
		struct wire_message answer = ask(5);
		assert_error(&answer, WIRE_INTERNAL, ends[i].words);
		assert_false(sass_worker_runs(&worker));
	}
	become("ok", NULL);
	struct wire_message answer = ask(6);
	assert_int_equal(answer.kind, WIRE_RESULT_LINES);
}

static void what_cannot_be_started_is_said(void **state)
{
	(void)state;
	become("ok", NULL);
	assert_int_equal(unlink(program), 0);
	struct wire_message answer = ask(1);
	assert_error(&answer, WIRE_INTERNAL, "worker");
	server.program = NULL;
	answer = ask(2);
	assert_error(&answer, WIRE_INTERNAL, "cannot be found");
	server.program = program;
	become("ok", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_process_answers_all, begin, end),
		cmocka_unit_test_setup_teardown(only_its_own_answer_is_taken, begin, end),
		cmocka_unit_test_setup_teardown(after_a_fault_another_is_started, begin, end),
		cmocka_unit_test_setup_teardown(its_end_is_an_error, begin, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_started_is_said, begin, end),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
