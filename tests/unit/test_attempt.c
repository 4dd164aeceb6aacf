/* The reader's kernel in the session: found, compiled in the background whenever it changes, graded, shown. The
 * compiler here makes of a file what its first line names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/portable.h"
#include "exercise_kernels.h"
#include "front/tutor/private.h"
#include "front/view/source.h"
#include "side_by_side.h"

#define DEADLINE_MS 20000

static char data[64], own[80], tmp[80], path[120];

static int make_folders(void **state)
{
	(void)state;
	char command[200];
	strcpy(data, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(data) || !exercise_write(data))
		return 1;
	snprintf(own, sizeof own, "%s/own", data);
	snprintf(tmp, sizeof tmp, "%s/tmp", data);
	snprintf(path, sizeof path, "%s/twice.cu", own);
	snprintf(command, sizeof command, "mkdir %s", tmp);
	return setenv("TMPDIR", tmp, 1) || system(command);
}

static int remove_folders(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -r %s", data);
	return system(command);
}

/* --- a compiler --------------------------------------------------------------------------------------------------- */

static int compile_text(const char *text, const char *source_path, const char *ptx_path)
{
	struct diag diag = {0};
	if (strcmp(text, "refused") == 0) {
		fprintf(stderr,
			"%s(2): error: no such thing\nsimttutor: nvcc cannot compile it; its messages are above\n",
			source_path);
		fflush(stderr);
		return 1;
	}
	if (strcmp(text, "silent") == 0)
		return 1;
	if (strcmp(text, "crash") == 0)
		abort();
	if (strcmp(text, "slow") == 0)
		sleep(60);
	if (strcmp(text, "no PTX") == 0)
		return 0;
	char *ptx = strcmp(text, "broken") == 0 ? base_strdup("nonsense") : exercise_ptx(text);
	bool ok = file_write(ptx_path, ptx, strlen(ptx), &diag);
	free(ptx);
	return ok ? 0 : 1;
}

static int compile(void *ctx, const char *source_path, const char *ptx_path)
{
	struct buf source = {0};
	struct diag diag = {0};
	(void)ctx;
	if (!file_read(source_path, 4096, &source, &diag))
		return 3;
	source.data[strcspn(source.data, "\n")] = '\0';
	int status = compile_text(source.data, source_path, ptx_path);
	buf_free(&source);
	return status;
}

/* --- a session ---------------------------------------------------------------------------------------------------- */

static struct tutor *begin(void)
{
	struct diag diag = {0};
	unlink(path);
	struct paths paths = {
		.data = data, .worker = "/nonexistent/simttutor-gpu", .own = own, .state = "/dev/null/state"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	assert_non_null(tutor);
	diag_free(&diag);
	tutor->keeps_progress = false;
	tutor->exercise.compiler = (struct tutor_compiler){NULL, compile};
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_non_null(tutor->exercise.attempt);
	assert_int_equal(tutor->exercise.attempt->state, ATTEMPT_NEW);
	assert_string_equal(tutor->exercise.attempt->path, path);
	return tutor;
}

/* As an editor does: a new file under the old name. A second later, lest it is no other by its time and size. */
static void put(const char *name)
{
	static int seconds;
	struct diag diag = {0};
	char fresh[140];
	snprintf(fresh, sizeof fresh, "%s.new", path);
	assert_true(file_write(fresh, name, strlen(name), &diag));
	struct timespec time = {.tv_sec = 1000000000 + ++seconds}, times[2] = {time, time};
	assert_int_equal(utimensat(AT_FDCWD, fresh, times, 0), 0);
	assert_int_equal(rename(fresh, path), 0);
	diag_free(&diag);
}

static void wait_for(struct tutor *tutor, enum tutor_attempt_state state)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	double end = clock_ms() + DEADLINE_MS;
	while (tutor->exercise.attempt->state != state) {
		if (clock_ms() > end)
			fail_msg("state %d, not %d: %s", tutor->exercise.attempt->state, state,
				tutor->exercise.attempt->message);
		tutor_attempt_step(tutor);
		nanosleep(&pause, NULL);
	}
}

/* Waits for the next version's verdict, which is a new one: the state of the last does not count. */
static void put_and_wait(struct tutor *tutor, const char *name, enum tutor_attempt_state state)
{
	put(name);
	wait_for(tutor, ATTEMPT_COMPILING);
	wait_for(tutor, state);
}

static int left_over(void)
{
	DIR *dir = opendir(tmp);
	int n = 0;
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n - 2; /* without . and .. */
}

static void assert_says(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("'%s' does not say '%s'", text ? text : "nothing", part);
}

static double shown_loads(const struct tutor *tutor)
{
	assert_int_equal(tutor->shown.input.numbers->rows[0].predicted.state, VALUE_OK);
	return tutor->shown.input.numbers->rows[0].predicted.v;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void a_kernel_is_put_there_compiled_and_graded(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	struct buf text = {0};
	struct diag diag = {0};
	assert_int_equal(tutor_attempt_timeout_ms(tutor) > 0, true);
	tutor_act(tutor, ACTION_EDIT);
	assert_true(file_read(path, 100, &text, &diag));
	assert_string_equal(buf_str(&text), "start\n");
	wait_for(tutor, ATTEMPT_GRADED);
	assert_false(tutor->exercise.attempt->grade->solved);
	assert_false(lesson_progress_answered(tutor->progress, "twice", "mend"));
	unsigned before = tutor->events.attentions;
	put_and_wait(tutor, "right", ATTEMPT_GRADED);
	assert_true(tutor->exercise.attempt->grade->solved);
	assert_true(tutor->events.attentions > before); /* the verdict is to be in sight */
	assert_int_equal(tutor->events.attention_to, ATTENTION_QUESTION);
	assert_true(lesson_progress_answered(tutor->progress, "twice", "mend"));
	assert_int_equal(lesson_progress_tries(tutor->progress, "twice", "mend").tries, 1);
	assert_int_equal(left_over(), 0);
	buf_free(&text);
	diag_free(&diag);
	tutor_free(tutor);
}

static void the_views_show_the_readers_kernel(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	assert_true(shown_loads(tutor) == 4);
	put_and_wait(tutor, "right", ATTEMPT_GRADED);
	assert_true(shown_loads(tutor) == 2);
	assert_string_equal(tutor->shown.input.source->file, "twice.cu");
	assert_ptr_not_equal(tutor_step_to_run(tutor), tutor_step(tutor));
	put_and_wait(tutor, "refused", ATTEMPT_REFUSED);
	assert_true(shown_loads(tutor) == 4); /* the lesson's again */
	assert_ptr_equal(tutor_step_to_run(tutor), tutor_step(tutor));
	tutor_free(tutor);
}

static void what_is_refused_says_why(void **state)
{
	(void)state;
	static const struct {
		const char *name, *says;
	} cases[] = {
		{"refused", "twice.cu(2): error: no such thing"},
		{"silent", "refuses it and says nothing"},
		{"crash", "refuses it and says nothing"},
		{"no PTX", "leaves no PTX"},
		{"broken", "it has none"},
	};
	struct tutor *tutor = begin();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		put_and_wait(tutor, cases[i].name, ATTEMPT_REFUSED);
		assert_says(tutor->exercise.attempt->message, cases[i].says);
		assert_null(strstr(tutor->exercise.attempt->message, own));              /* the name will do */
		assert_null(strstr(tutor->exercise.attempt->message, "cannot compile")); /* the compiler has said it */
		assert_null(tutor->exercise.attempt->grade);
	}
	assert_int_equal(left_over(), 0);
	tutor_free(tutor);
}

static void a_slow_compiler_is_left_for_the_next_version(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	put("slow");
	wait_for(tutor, ATTEMPT_COMPILING);
	pid_t first = tutor->private->attempt->file.compiler.pid;
	assert_false(tutor_attempt_step(tutor));
	put("right");
	tutor_act(tutor, ACTION_EDIT);
	assert_int_not_equal(tutor->private->attempt->file.compiler.pid, first);
	wait_for(tutor, ATTEMPT_GRADED);
	assert_true(tutor->exercise.attempt->grade->solved);
	assert_int_equal(left_over(), 0);
	tutor_free(tutor);
}

/* Nothing goes on, and nothing is left, after a step, a lesson or a session has ended. */
static void leaving_ends_it(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	put("slow");
	wait_for(tutor, ATTEMPT_COMPILING);
	assert_int_equal(left_over(), 1);
	tutor_act(tutor, ACTION_STEP_NEXT); /* the ending */
	assert_null(tutor->exercise.attempt);
	assert_int_equal(left_over(), 0);
	assert_int_equal(tutor_attempt_timeout_ms(tutor), -1);
	tutor_act(tutor, ACTION_STEP_PREVIOUS);
	wait_for(tutor, ATTEMPT_COMPILING);
	tutor_free(tutor);
	assert_int_equal(left_over(), 0);
}

static void a_file_that_goes_is_no_attempt(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	put_and_wait(tutor, "right", ATTEMPT_GRADED);
	assert_int_equal(unlink(path), 0);
	wait_for(tutor, ATTEMPT_NEW);
	assert_null(tutor->exercise.attempt->grade);
	assert_true(shown_loads(tutor) == 4);
	tutor_free(tutor);
}

static void without_a_compiler_why_is_said(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	tutor->exercise.compiler.run = NULL;
	tutor_act(tutor, ACTION_EDIT);
	assert_int_equal(tutor->exercise.attempt->state, ATTEMPT_REFUSED);
	assert_says(tutor->exercise.attempt->message, "nothing to compile it with");
	tutor->exercise.compiler.run = compile;
	setenv("TMPDIR", "/dev/null", 1);
	tutor_act(tutor, ACTION_EDIT);
	assert_int_equal(tutor->exercise.attempt->state, ATTEMPT_REFUSED);
	assert_says(tutor->exercise.attempt->message, "No folder");
	setenv("TMPDIR", tmp, 1);
	tutor_act(tutor, ACTION_EDIT);
	wait_for(tutor, ATTEMPT_GRADED);
	tutor_free(tutor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kernel_is_put_there_compiled_and_graded),
		cmocka_unit_test(the_views_show_the_readers_kernel),
		cmocka_unit_test(what_is_refused_says_why),
		cmocka_unit_test(a_slow_compiler_is_left_for_the_next_version),
		cmocka_unit_test(leaving_ends_it),
		cmocka_unit_test(a_file_that_goes_is_no_attempt),
		cmocka_unit_test(without_a_compiler_why_is_said),
	};
	return run_side_by_side("attempt", tests, sizeof tests / sizeof tests[0], make_folders, remove_folders);
}
