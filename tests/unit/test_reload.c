/* A lesson that changes while it is open: what stays of where the reader is, and what a fault leaves as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "front/tutor/private.h"
#include "front/tutor/tutor.h"
#include "front/view/views.h"

#define DEADLINE_MS 20000

static char course[64], lesson_path[100], ptx_path[100], source_path[100];

static const char
	source[] = "extern \"C\" __global__ void copy(const float *in, float *out) { *out = *in; } //@ read\n";
static const char ptx[] =
	".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"copy.cu\"\n"
	".visible .entry copy(.param .u64 a, .param .u64 b)\n{\n.reg .b64 %rd<9>; .reg .f32 %f<2>; .reg .b32 %r<2>;\n"
	".loc 1 1 1\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nld.param.u64 %rd1, [a];\n"
	"ld.param.u64 %rd2, [b];\nadd.s64 %rd4, %rd1, %rd3;\nadd.s64 %rd5, %rd2, %rd3;\n"
	"ld.global.f32 %f1, [%rd4];\nst.global.f32 [%rd5], %f1;\nret;\n}\n";

/* A lesson of three steps; the first two have a question. */
static void write_lesson(const char *first, const char *between, const char *last)
{
	struct buf text = {0};
	struct diag diag = {0};
	buf_printf(&text,
		"---\nformat: 1\ntitle: L\ntrack: T\nsummary: S.\ntakeaway: T.\ncan: c\nkernel: copy\n"
		"parameters:\n  - {name: size, values: [1, 2, 4], default: 1}\n"
		"experiment:\n  launch: {grid: \"1\", block: \"32\"}\n  args: [\"f32[32]:iota\", \"f32[32]\"]\n"
		"  watch: read\n  results: {1: \"arg0[i]\"}\n  views: [sectors, source]\n---\n\n"
		"## One\n\n%s\n\n```simt\nid: one\nquestion:\n  ask: Which?\n  answer: size\n  hints: [a, b]\n```\n\n%s"
		"## %s\n\nText.\n\n```simt\nid: two\n```\n",
		first, between, last);
	char fresh[110];
	snprintf(fresh, sizeof fresh, "%s.new", lesson_path);
	assert_true(file_write(fresh, buf_str(&text), text.len, &diag));
	assert_int_equal(rename(fresh, lesson_path), 0);
	buf_free(&text);
	diag_free(&diag);
}

static void put(const char *path, const char *text)
{
	struct diag diag = {0};
	assert_true(file_write(path, text, strlen(text), &diag));
	diag_free(&diag);
}

static int make_course(void **state)
{
	(void)state;
	char command[200];
	strcpy(course, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(course))
		return 1;
	snprintf(command, sizeof command, "mkdir -p %s/lessons/01-l %s/kernels", course, course);
	snprintf(lesson_path, sizeof lesson_path, "%s/lessons/01-l/lesson.md", course);
	snprintf(ptx_path, sizeof ptx_path, "%s/kernels/copy.ptx", course);
	snprintf(source_path, sizeof source_path, "%s/kernels/copy.cu", course);
	if (system(command) != 0)
		return 1;
	put(source_path, source);
	put(ptx_path, ptx);
	write_lesson("Old text.", "", "Two");
	return 0;
}

static int remove_course(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -r %s", course);
	return system(command);
}

static struct tutor *begin(void)
{
	struct diag diag = {0};
	struct paths paths = {
		.data = course, .worker = "/nonexistent/simttutor-gpu", .own = course, .state = "/dev/null/state"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	if (!tutor || diag.errors)
		fail_msg("%s", diag.count ? diag.entries[0].message : "no session");
	diag_free(&diag);
	tutor->keeps_progress = false;
	tutor_reload_begin(tutor, &paths);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_false(tutor_reload_step(tutor)); /* what is there now is remembered */
	return tutor;
}

/* Until something is said; fails when nothing is. */
static void wait_for_news(struct tutor *tutor)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	double end = clock_ms() + DEADLINE_MS;
	while (!tutor_reload_step(tutor)) {
		if (clock_ms() > end)
			fail_msg("nothing is read again");
		nanosleep(&pause, NULL);
	}
}

static void assert_notice(const struct tutor *tutor, const char *part)
{
	if (!strstr(tutor->notice, part))
		fail_msg("'%s' does not say '%s'", tutor->notice, part);
}

static const char *shown_text(const struct tutor *tutor)
{
	return tutor_step(tutor)->text.blocks[0].spans[0].text;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void the_reader_stays_where_they_are(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	struct diag diag = {0};
	assert_true(tutor_set(tutor, "size", 4, &diag));
	tutor_show_view(tutor, 1);
	tutor_act(tutor, ACTION_ANSWER);
	tutor_type(tutor, '7');
	unsigned entered = tutor->events.steps_entered;
	write_lesson("New text.", "## Between\n\nText.\n\n", "Two");
	wait_for_news(tutor);
	assert_notice(tutor, "was read again");
	assert_string_equal(shown_text(tutor), "New text.");
	assert_int_equal(tutor->at.lesson->n_steps, 3);
	assert_int_equal(tutor->at.values[0], 4);
	assert_int_equal(tutor->shown.view, VIEW_SOURCE);
	assert_int_equal(tutor->answer.state, ANSWER_TYPING);
	assert_string_equal(tutor->answer.text, "7");
	assert_int_equal(tutor->events.steps_entered, entered);
	tutor_act(tutor, ACTION_BACK);
	tutor_go_to_step(tutor, 2); /* the step "two" is the third now, and the second again */
	write_lesson("New text.", "", "Second");
	wait_for_news(tutor);
	assert_int_equal(tutor->at.step, 1);
	assert_string_equal(tutor_step(tutor)->title, "Second");
	tutor_free(tutor);
}

static void a_fault_leaves_the_lesson_as_it_was(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	const struct lesson *before = tutor->at.lesson;
	put(lesson_path, "---\nformat: 1\nnonsense: 3\n---\n");
	wait_for_news(tutor);
	assert_notice(tutor, "cannot be read");
	assert_notice(tutor, "lesson.md:3: ");
	assert_ptr_equal(tutor->at.lesson, before);
	assert_string_equal(shown_text(tutor), "Old text.");
	unlink(lesson_path);
	wait_for_news(tutor);
	assert_notice(tutor, "lesson.md: cannot open");
	assert_ptr_equal(tutor->at.lesson, before);
	write_lesson("Right again.", "", "Two");
	wait_for_news(tutor);
	assert_notice(tutor, "was read again");
	assert_string_equal(shown_text(tutor), "Right again.");
	assert_ptr_equal(tutor->catalog->lessons[0], tutor->at.lesson);
	tutor_free(tutor);
}

static void ptx_is_read_again_and_a_source_alone_is_named(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	struct buf other = {0};
	buf_puts(&other, ptx);
	buf_puts(&other, "// another\n");
	put(ptx_path, buf_str(&other));
	wait_for_news(tutor);
	assert_notice(tutor, "was read again");
	assert_non_null(strstr(tutor->at.lesson->kernel->ptx_text, "// another"));
	put(source_path, "extern \"C\" __global__ void copy(const float *in, float *out); //@ read\n");
	wait_for_news(tutor);
	assert_notice(tutor, "lesson build");
	put(ptx_path, "no PTX");
	wait_for_news(tutor);
	assert_notice(tutor, "cannot be read");
	assert_non_null(strstr(tutor->at.lesson->kernel->ptx_text, "// another"));
	buf_free(&other);
	tutor_free(tutor);
}

static void what_nobody_changes_is_not_looked_at(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct paths paths = {
		.data = course, .worker = "/nonexistent/simttutor-gpu", .own = course, .state = "/dev/null/state"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	assert_non_null(tutor);
	tutor->keeps_progress = false;
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_int_equal(tutor_reload_timeout_ms(tutor), -1); /* nobody asked for it */
	assert_false(tutor_reload_step(tutor));
	tutor_reload_begin(tutor, &paths);
	assert_true(tutor_reload_timeout_ms(tutor) > 0);
	tutor_act(tutor, ACTION_BACK);
	assert_int_equal(tutor_reload_timeout_ms(tutor), -1);
	diag_free(&diag);
	tutor_free(tutor);
	if (geteuid() == 0) /* who may write everything */
		return;
	chmod(lesson_path, 0444);
	tutor = begin();
	assert_int_equal(tutor_reload_timeout_ms(tutor), -1);
	tutor_free(tutor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_reader_stays_where_they_are, make_course, remove_course),
		cmocka_unit_test_setup_teardown(a_fault_leaves_the_lesson_as_it_was, make_course, remove_course),
		cmocka_unit_test_setup_teardown(
			ptx_is_read_again_and_a_source_alone_is_named, make_course, remove_course),
		cmocka_unit_test_setup_teardown(what_nobody_changes_is_not_looked_at, make_course, remove_course),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
