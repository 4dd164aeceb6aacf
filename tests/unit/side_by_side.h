/* Tests that mostly wait, at the same time: each in a process of its own, with the group's set-up and tear-down around
 * it, so they share nothing but what main made before. What is printed is what cmocka would print, in the order of the
 * table.
 *
 * Only where TAP is asked for, as by `make check`: on a terminal, in a debugger, and with SIMTTUTOR_TEST_ONE_BY_ONE set
 * they run one after the other. Included after cmocka.h. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIDE_BY_SIDE_TESTS 64
#define SIDE_BY_SIDE_AT_ONCE 16

struct side_by_side_child {
	pid_t pid;
	FILE *output;
	int status; /* as of waitpid, once pid is 0 */
};

/* Prints a test's result and, as comments, what else there is of it; returns whether it passed. */
static inline bool side_by_side_print(const struct side_by_side_child *child, const char *name, int number)
{
	char line[4096], result[4096] = "";
	bool well = WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0;
	rewind(child->output);
	while (fgets(line, sizeof line, child->output))
		if (strncmp(line, "ok 1 ", 5) == 0)
			strcpy(result, line + 5);
		else if (strncmp(line, "not ok 1 # SKIP", 15) == 0) /* cmocka's way */
			strcpy(result, line + 9);
	if (result[0] && well) {
		printf("ok %d %s", number, result);
		return true;
	}
	printf("not ok %d - %s\n", number, name);
	printf("# its process ended with status 0x%x\n", (unsigned)child->status);
	rewind(child->output);
	while (fgets(line, sizeof line, child->output))
		printf("# %s", line);
	return false;
}

static inline void side_by_side_wait(struct side_by_side_child *children, int n)
{
	int status;
	pid_t pid = wait(&status);
	for (int i = 0; i < n; i++)
		if (children[i].pid == pid) {
			children[i].pid = 0;
			children[i].status = status;
		}
}

/* Like cmocka_run_group_tests_name. */
static inline int run_side_by_side(
	const char *group, const struct CMUnitTest *tests, int n, CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	static struct side_by_side_child children[SIDE_BY_SIDE_TESTS];
	const char *format = getenv("CMOCKA_MESSAGE_OUTPUT");
	if (!format || strcasecmp(format, "tap") != 0 || getenv("SIMTTUTOR_TEST_ONE_BY_ONE") || n > SIDE_BY_SIDE_TESTS)
		return _cmocka_run_group_tests(group, tests, (size_t)n, set_up, tear_down);
	printf("1..%d\n", n);
	fflush(stdout);
	for (int i = 0; i < n; i++) {
		if (i >= SIDE_BY_SIDE_AT_ONCE)
			side_by_side_wait(children, i);
		children[i].output = tmpfile();
		if (!children[i].output || (children[i].pid = fork()) < 0)
			return 1;
		if (children[i].pid == 0) {
			dup2(fileno(children[i].output), STDOUT_FILENO);
			cmocka_set_test_filter(tests[i].name);
			exit(_cmocka_run_group_tests(group, tests, (size_t)n, set_up, tear_down));
		}
	}
	int failed = 0;
	for (int i = 0; i < n; i++) {
		while (children[i].pid)
			side_by_side_wait(children, n);
		failed += !side_by_side_print(&children[i], tests[i].name, i + 1);
		fclose(children[i].output);
	}
	return failed;
}
