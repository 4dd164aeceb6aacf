/* Tools in a sandbox, and their private folders; what whole compilations do to it is in tests/attack/compile.sh. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/portable.h"
#include "side_by_side.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"

static char tmp[64];
static struct arena *arena;
static struct diag diag;
static struct scratch scratch;

static int make_folder(void **state)
{
	(void)state;
	strcpy(tmp, "/tmp/simttutor-test-XXXXXX");
	arena = arena_new();
	diag = (struct diag){0};
	return mkdtemp(tmp) && setenv("TMPDIR", tmp, 1) == 0 && scratch_make(&scratch, arena, &diag) ? 0 : 1;
}

static int remove_folder(void **state)
{
	(void)state;
	scratch_remove(&scratch);
	arena_free(arena);
	diag_free(&diag);
	unsetenv("SIMTTUTOR_COMPILER_SECONDS");
	return rmdir(tmp); /* which is empty again */
}

static struct sandbox_end run(const char *script, size_t log_max, struct buf *log)
{
	const char *const argv[] = {"/bin/sh", "-c", script, NULL};
	return sandbox_run(&(struct sandbox_job){.argv = argv, .scratch = &scratch, .log_max = log_max}, log);
}

static void what_it_prints_is_kept_up_to_a_limit(void **state)
{
	(void)state;
	struct buf log = {0};
	struct sandbox_end end = run("echo out; echo err >&2", 100, &log);
	assert_true(sandbox_succeeded(&end));
	assert_false(sandbox_failed(&end));
	assert_string_equal(log.data, "out\nerr\n");
	assert_int_equal(end.dropped, 0);
	end = run("yes | head -n 100000; exit 3", 7, &log); /* it is appended */
	assert_true(sandbox_failed(&end));
	assert_int_equal(WEXITSTATUS(end.status), 3);
	assert_string_equal(log.data, "out\nerr\ny\ny\ny\ny");
	assert_int_equal(end.dropped, 200000 - 7);
	buf_free(&log);
}

static void how_it_ended_is_described(void **state)
{
	(void)state;
	static const char *const none[] = {"/nonexistent/program", NULL};
	struct buf log = {0}, how = {0};
	struct sandbox_end ends[] = {
		sandbox_run(&(struct sandbox_job){.argv = none, .scratch = &scratch, .log_max = 100}, &log),
		run("exit 9", 100, &log),
		run("kill -SEGV $$", 100, &log),
		{.outcome = SANDBOX_OUT_OF_TIME},
		{.outcome = SANDBOX_OUT_OF_SPACE},
		{.outcome = SANDBOX_FLOODED},
		{.outcome = SANDBOX_INTERRUPTED},
	};
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		sandbox_describe(&ends[i], &how);
		buf_putc(&how, '\n');
		assert_false(sandbox_succeeded(&ends[i]));
		assert_int_equal(sandbox_failed(&ends[i]), i == 1);
	}
	assert_string_equal(how.data,
		"cannot be started: No such file or directory\nended with exit status 9\n"
		"was ended by signal 11 (Segmentation fault)\ndid not end within 60 s and was stopped\n"
		"wrote more than 256 MiB and was stopped\n"
		"printed more than 64 MiB and was stopped\nwas interrupted\n");
	buf_free(&log);
	buf_free(&how);
}

static void seconds_are_a_whole_number(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int seconds;
	} cases[] = {{"1", 1}, {"86400", 86400}, {"86401", 60}, {"0", 60}, {"-1", 60}, {"", 60}, {"1x", 60},
		{"99999999999999999999", 60}, {" 5", 60}};
	assert_int_equal(sandbox_seconds(), SANDBOX_SECONDS);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag faults = {0};
		bool fine = !*cases[i].text || cases[i].seconds != SANDBOX_SECONDS;
		setenv("SIMTTUTOR_COMPILER_SECONDS", cases[i].text, 1);
		assert_int_equal(sandbox_seconds(), cases[i].seconds);
		sandbox_check_environment(&faults);
		assert_int_equal(faults.errors, !fine);
		if (!fine)
			assert_string_equal(faults.entries[0].file, "SIMTTUTOR_COMPILER_SECONDS");
		diag_free(&faults);
	}
}

static void builds_have_more_seconds(void **state)
{
	(void)state;
	unsetenv("SIMTTUTOR_COMPILER_SECONDS");
	sandbox_allow_seconds(SANDBOX_BUILD_SECONDS);
	assert_int_equal(sandbox_seconds(), 600);
	setenv("SIMTTUTOR_COMPILER_SECONDS", "7", 1);
	assert_int_equal(sandbox_seconds(), 7);
	unsetenv("SIMTTUTOR_COMPILER_SECONDS");
	sandbox_allow_seconds(SANDBOX_SECONDS);
}

static void time_is_limited(void **state)
{
	(void)state;
	struct buf log = {0};
	double start = clock_ms();
	setenv("SIMTTUTOR_COMPILER_SECONDS", "1", 1);
	struct sandbox_end end = run("trap '' TERM; echo first; while :; do sleep 60; done", 100, &log);
	assert_int_equal(end.outcome, SANDBOX_OUT_OF_TIME);
	assert_true(clock_ms() - start >= 1000);
	assert_string_equal(log.data, "first\n");
	buf_free(&log);
}

#ifdef HAVE_SYS_PRCTL_H /* elsewhere orphans become nobody's that ends them */
static struct {
	pid_t keeper, sleeper;
} killed;

/* The numbers that the tool wrote when all has started. */
static void *kill_keeper(void *ctx)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	char path[128];
	FILE *file = NULL;
	snprintf(path, sizeof path, "%s/started", scratch.path);
	for (int i = 0; i < 1000 && !(file = fopen(path, "r")); i++)
		nanosleep(&pause, NULL);
	if (file && fscanf(file, "%d %d", &killed.keeper, &killed.sleeper) == 2)
		kill(killed.keeper, SIGKILL);
	if (file)
		fclose(file);
	return ctx;
}

static void what_it_left_goes_with_it_also_when_its_keeper_is_killed(void **state)
{
	(void)state;
	struct buf log = {0};
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, kill_keeper, NULL), 0);
	struct sandbox_end end = run("setsid sleep 600 & echo $PPID $! > new; mv new started; wait", 100, &log);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(end.outcome, SANDBOX_INTERRUPTED);
	assert_true(killed.keeper > 1 && killed.sleeper > 1);
	assert_int_equal(kill(killed.sleeper, 0), -1);
	assert_int_equal(errno, ESRCH);
	buf_free(&log);
}
#endif

static void what_it_left_in_its_group_goes_on_every_system(void **state)
{
	(void)state;
	struct buf log = {0};
	char path[128];
	snprintf(path, sizeof path, "%s/held", scratch.path);
	assert_int_equal(mkfifo(path, 0600), 0);
	int held = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	assert_true(held >= 0);
	struct sandbox_end end = run("sleep 600 > held & echo started", 100, &log);
	assert_int_equal(end.outcome, SANDBOX_ENDED);
	assert_string_equal(log.data, "started\n");
	char byte;
	ssize_t n = -1;
	for (int i = 0; i < 2000 && (n = read(held, &byte, 1)) != 0; i++)
		poll(NULL, 0, 10);
	assert_int_equal(n, 0); /* nobody can write to it any more */
	close(held);
	buf_free(&log);
}

static void a_signal_ends_it_and_waits_for_the_folder(void **state)
{
	(void)state;
	struct buf log = {0};
	int status;
	scratch_remove(&scratch);
	pid_t pid = fork();
	if (pid == 0) {
		signal(SIGINT, SIG_DFL);
		if (!scratch_make_held(&scratch, arena, &diag))
			_exit(1);
		raise(SIGINT);
		struct sandbox_end end = run("sleep 60", 100, &log);
		if (end.outcome != SANDBOX_INTERRUPTED)
			_exit(2);
		scratch_remove(&scratch);
		_exit(3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
	assert_true(scratch_make(&scratch, arena, &diag));
}

static void a_folder_is_private_and_locked(void **state)
{
	(void)state;
	struct stat info;
	struct scratch other;
	assert_int_equal(stat(scratch.path, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0700);
	assert_int_equal(strncmp(scratch.path, tmp, strlen(tmp)), 0);
	assert_true(scratch_make(&other, arena, &diag));
	assert_string_not_equal(other.path, scratch.path);
	assert_int_equal(access(scratch.path, F_OK), 0);
	scratch_remove(&other);
	assert_null(other.path);
	scratch_remove(&other);
	assert_int_equal(diag.count, 0);
}

static void what_is_in_a_folder_goes_with_it(void **state)
{
	(void)state;
	char deep[200] = "";
	uint64_t empty = scratch_size(&scratch);
	assert_true(scratch_write(&scratch, "file", "0123456789", 10, &diag));
	assert_true(scratch_size(&scratch) > empty);
	assert_false(scratch_write(&scratch, "file", "", 0, &diag)); /* there is one */
	assert_true(scratch_link(&scratch, "link", "/", &diag));
	assert_false(scratch_write(&scratch, "link", "", 0, &diag)); /* nor is a link followed */
	assert_true(scratch_size(&scratch) < (uint64_t)1 << 20);
	for (int i = 0; i < 50; i++) {
		strcat(deep, i ? "/d" : "d");
		assert_int_equal(mkdirat(scratch.fd, deep, 0700), 0);
	}
	assert_int_equal(mkfifoat(scratch.fd, "d/pipe", 0600), 0);
	assert_int_equal(fchmodat(scratch.fd, "d/d", 0, 0), 0);
	const char *path = scratch.path;
	scratch_remove(&scratch);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(access("/tmp", F_OK), 0);
}

/* --- as a user, whom modes bind ----------------------------------------------------------------------------------- */

static struct {
	int at;
	atomic_bool ended;
} exchanged;

static void *exchange(void *ctx)
{
	while (!exchanged.ended)
		(void)renameat2(exchanged.at, "shut", exchanged.at, "link", RENAME_EXCHANGE);
	return ctx;
}

/* Whether it is a folder that was opened up; then it is shut again. */
static bool shut(const char *name)
{
	int fd = openat(scratch.fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool open = fd >= 0 && fchmod(fd, 0) == 0;
	if (fd >= 0)
		close(fd);
	return open;
}

/* A folder that cannot be read becomes a link to one elsewhere, and back, while its size is taken, for which it is
 * opened up. */
static int take_sizes(const char *outside)
{
	struct stat info;
	pthread_t thread;
	if (mkdir(outside, 0500) != 0 || mkdirat(scratch.fd, "shut", 0) != 0 ||
		symlinkat(outside, scratch.fd, "link") != 0)
		return 1;
	exchanged.at = scratch.fd;
	if (pthread_create(&thread, NULL, exchange, NULL) != 0)
		return 2;
	bool opened = false;
	double until = clock_ms() + 1000;
	while (clock_ms() < until && stat(outside, &info) == 0 && (info.st_mode & 0777) == 0500) {
		scratch_size(&scratch);
		opened |= shut("shut") || shut("link");
	}
	exchanged.ended = true;
	pthread_join(thread, NULL);
	stat(outside, &info);
	rmdir(outside);
	return (info.st_mode & 0777) != 0500 ? 3 : opened ? 0 : 4;
}

static void opening_up_a_folder_follows_no_link(void **state)
{
	(void)state;
	int status;
	if (geteuid() == 0) {
		assert_int_equal(chown(tmp, 65534, 65534), 0);
		assert_int_equal(chown(scratch.path, 65534, 65534), 0);
	}
	pid_t pid = fork();
	if (pid == 0)
		_exit((geteuid() == 0 && setuid(65534) != 0) ? 9 : take_sizes(arena_printf(arena, "%s/outside", tmp)));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void a_folder_in_which_others_may_rename_is_passed_over(void **state)
{
	(void)state;
	static const struct {
		mode_t mode;
		bool taken;
	} cases[] = {{0700, true}, {0755, true}, {0770, false}, {0777, false}, {01770, true}, {01777, true}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct scratch other;
		struct diag notes = {0};
		assert_int_equal(chmod(tmp, cases[i].mode), 0);
		assert_true(scratch_make(&other, arena, &notes));
		assert_int_equal(strncmp(other.path, tmp, strlen(tmp)) == 0, cases[i].taken);
		assert_int_equal(notes.count, !cases[i].taken);
		scratch_remove(&other);
		diag_free(&notes);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_it_prints_is_kept_up_to_a_limit),
		TEST(how_it_ended_is_described),
		TEST(seconds_are_a_whole_number),
		TEST(builds_have_more_seconds),
		TEST(time_is_limited),
#ifdef HAVE_SYS_PRCTL_H
		TEST(what_it_left_goes_with_it_also_when_its_keeper_is_killed),
#endif
		TEST(what_it_left_in_its_group_goes_on_every_system),
		TEST(a_signal_ends_it_and_waits_for_the_folder),
		TEST(a_folder_is_private_and_locked),
		TEST(what_is_in_a_folder_goes_with_it),
		TEST(opening_up_a_folder_follows_no_link),
		TEST(a_folder_in_which_others_may_rename_is_passed_over),
	};
	return run_side_by_side("sandbox", tests, sizeof tests / sizeof tests[0], NULL, NULL);
}
