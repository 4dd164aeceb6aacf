/* Confinement, and what starts programs for a confined process. What a confined process cannot do is in
 * tests/attack/confine.sh. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "tools/sandbox/confine.h"
#include "tools/sandbox/process.h"
#include "tools/sandbox/sandbox.h"
#include "tools/sandbox/starter.h"

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/simttutor-test-XXXXXX");
	return mkdtemp(folder) && setenv("TMPDIR", folder, 1) == 0 ? 0 : 1;
}

static int remove_folder(void **state)
{
	(void)state;
	return rmdir(folder); /* which is empty again */
}

#ifdef SIMT_CONFINES
static const bool confines = true;
#else
static const bool confines = false;
#endif

/* --- what the kernel offers --------------------------------------------------------------------------------------- */

static void what_this_system_lacks_is_said(void **state)
{
	(void)state;
	struct confine_support support = confine_support();
	struct confine_lack lacks[CONFINE_LACKS_MAX];
	bool landlock = true, seccomp = true;
	for (int i = 0, n = confine_lacks(&support, lacks); i < n; i++) {
		landlock = landlock && strcmp(lacks[i].what, "Landlock") != 0;
		seccomp = seccomp && strcmp(lacks[i].what, "seccomp") != 0;
	}
	assert_int_equal(landlock, support.abi > 0);
	assert_int_equal(seccomp, support.seccomp);
	assert_true(confines || (!landlock && !seccomp));
}

static void an_old_kernel_is_asked_for_no_more_than_it_knows(void **state)
{
	(void)state;
	static const struct {
		int abi, files, net, scopes; /* how many rights */
	} rows[] = {{0, 0, 0, 0}, {1, 13, 0, 0}, {2, 14, 0, 0}, {3, 15, 0, 0}, {4, 15, 2, 0}, {5, 16, 2, 0},
		{6, 16, 2, 2}, {7, 16, 2, 2}, {99, 16, 2, 2}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct confine_rights r = confine_rights(rows[i].abi);
		assert_int_equal(__builtin_popcountll(r.files), rows[i].files);
		assert_int_equal(__builtin_popcountll(r.net), rows[i].net);
		assert_int_equal(__builtin_popcountll(r.scopes), rows[i].scopes);
		assert_int_equal(r.files >> rows[i].files, 0);
	}
}

static void what_is_missing_is_said(void **state)
{
	(void)state;
	static const struct {
		struct confine_support support;
		int n;
		const char *first;
	} rows[] = {
		{{7, true, false}, 0, NULL},
		{{2, true, false}, 3, "Landlock's network rules (ABI 4)"},
		{{5, true, false}, 1, "Landlock's scopes (ABI 6)"},
		{{7, false, false}, 1, "seccomp"},
		{{0, true, false}, 1, "Landlock"},
		{{0, false, false}, 2, "Landlock"},
		{{7, true, true}, 1, "confinement"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct confine_lack lacks[CONFINE_LACKS_MAX];
		assert_int_equal(confine_lacks(&rows[i].support, lacks), rows[i].n);
		if (rows[i].first)
			assert_string_equal(lacks[0].what, rows[i].first);
	}
}

static void a_kernel_without_either_changes_nothing(void **state)
{
	(void)state;
	const struct confine_profile nothing = {0};
	const struct confine_support none = {0}, refused = {.abi = 1, .seccomp = true, .refused = true};
	pid_t pid = fork();
	if (pid == 0)
		_exit(confine_self(&nothing, &none) && confine_self(&nothing, &refused) &&
					access("/etc/passwd", R_OK) == 0 && fopen("/etc/passwd", "r")
				? 0
				: 1);
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* --- the starter -------------------------------------------------------------------------------------------------- */

static const char *const command[] = {"/bin/sh", "-c", "read x; echo $x; echo 1 >&2; exit 3", NULL};
static const char *const *agreed = command;
static const char *const tools[] = {"/bin/sh", NULL};

static const char *in_folder(struct arena *arena, const char *name)
{
	return arena_printf(arena, "%s/%s", folder, name);
}

/* A process with a starter, confined like the program, with no more of Landlock than that ABI has, does the rest; 0:
 * all was well. */
static int status_with(int abi, int (*rest)(struct arena *))
{
	pid_t pid = fork();
	if (pid == 0) {
		struct arena *arena = arena_new();
		struct confine_profile profile = {.liberties = CONFINE_MAY_FORK};
		struct confine_support support = confine_support();
		static const char *const another[] = {"/bin/echo", "another", NULL};
		const char *const *const commands[] = {another, agreed, NULL};
		const struct starter_terms terms = {commands, tools, &profile};
		confine_allow(arena, &profile, "/usr/include", CONFINE_READ);
		confine_allow(arena, &profile, "/dev/null", CONFINE_READ | CONFINE_WRITE);
		confine_allow(arena, &profile, in_folder(arena, "own"), CONFINE_READ | CONFINE_WRITE);
		confine_allow(arena, &profile, in_folder(arena, "own/link"), CONFINE_READ);
		support.abi = support.abi < abi ? support.abi : abi;
		bool ok = starter_begin(&terms, arena, &profile) && confine_self(&profile, &support);
		int status = ok ? rest(arena) : 99;
		starter_end();
		arena_free(arena);
		_exit(status);
	}
	int status = 0;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static int status_of(int (*rest)(struct arena *))
{
	return status_with(INT_MAX, rest);
}

static int run_command(struct arena *arena)
{
	(void)arena;
	struct process p = PROCESS_NONE;
	struct buf why = {0}, out = {0};
	const struct timespec pause = {.tv_nsec = 1000000};
	if (!process_start(&p, command, &why) || process_write(&p, "hello\n", 6) != 6)
		return 1;
	while (process_read(&p, &out, 100) >= 0)
		nanosleep(&pause, NULL);
	while (!process_ended(&p))
		nanosleep(&pause, NULL);
	process_read_errors(&p);
	bool ok = strcmp(buf_str(&out), "hello\n") == 0 && strcmp(buf_str(&p.errors), "1\n") == 0 &&
		WIFEXITED(p.status) && WEXITSTATUS(p.status) == 3;
	process_kill(&p);
	buf_free(&out);
	return ok ? 0 : 2;
}

static void the_command_agreed_on_is_started_and_is_our_child(void **state)
{
	(void)state;
	assert_int_equal(status_of(run_command), 0);
}

static int run_others(struct arena *arena)
{
	(void)arena;
	static const char *const others[][4] = {
		{"/bin/sh", "-c", "read x; echo $x; echo 1 >&2; exit 4", NULL},
		{"/bin/sh", NULL},
		{"/bin/true", NULL},
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct process p = PROCESS_NONE;
		struct buf why = {0};
		if (process_start(&p, others[i], &why) || !strstr(buf_str(&why), strerror(EPERM)))
			return 1;
		buf_free(&why);
	}
	return 0;
}

static void no_other_command_is(void **state)
{
	(void)state;
	assert_int_equal(status_of(run_others), 0);
}

static struct sandbox_end run_tool(
	struct arena *arena, const char *program, const char *script, const char *reads, struct buf *log)
{
	const char *const argv[] = {program, "-c", script, NULL};
	struct scratch scratch;
	struct diag diag = {0};
	struct sandbox_end end = {.outcome = SANDBOX_INTERRUPTED};
	if (scratch_make_held(&scratch, arena, &diag))
		end = sandbox_run(
			&(struct sandbox_job){
				.argv = argv, .scratch = &scratch, .log_max = 1000, .reads = &reads, .n_reads = 1},
			log);
	scratch_remove(&scratch);
	diag_free(&diag);
	return end;
}

static int run_tools(struct arena *arena)
{
	struct buf log = {0};
	struct sandbox_end good = run_tool(arena, "/bin/sh", "echo made > here && cat here", "/usr/include", &log);
	if (!sandbox_succeeded(&good) || strcmp(buf_str(&log), "made\n") != 0)
		return 1;
	struct sandbox_end other = run_tool(arena, "/bin/cat", "", "/usr/include", &log);
	if (other.outcome != SANDBOX_NOT_STARTED || other.error != EPERM)
		return 2;
	struct sandbox_end nosy = run_tool(arena, "/bin/sh", "true", "/etc", &log);
	if (nosy.outcome != SANDBOX_NOT_STARTED || nosy.error != EPERM)
		return 3;
	buf_free(&log);
	return 0;
}

static void tools_agreed_on_are_run_and_read_no_more_than_we(void **state)
{
	(void)state;
	assert_int_equal(status_of(run_tools), 0);
}

/* A link that we may read, in a folder of ours, leads elsewhere once we are confined. */
static int read_by_a_new_link(struct arena *arena)
{
	struct buf log = {0};
	const char *link = in_folder(arena, "own/link");
	struct sandbox_end before = run_tool(arena, "/bin/sh", "true", link, &log);
	if (!sandbox_succeeded(&before))
		return 1;
	if (unlink(link) != 0 || symlink("/etc", link) != 0)
		return 2;
	struct sandbox_end after = run_tool(arena, "/bin/sh", "true", link, &log);
	struct sandbox_end target = run_tool(arena, "/bin/sh", "true", "/etc", &log);
	buf_free(&log);
	return after.outcome == SANDBOX_NOT_STARTED && after.error == EPERM && target.outcome == SANDBOX_NOT_STARTED
		? 0
		: 3;
}

static void what_tools_read_is_what_it_was_before(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	const char *own = in_folder(arena, "own"), *link = in_folder(arena, "own/link");
	assert_int_equal(mkdir(own, 0700), 0);
	assert_int_equal(symlink("/usr/include", link), 0);
	assert_int_equal(status_of(read_by_a_new_link), 0);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(rmdir(own), 0);
	arena_free(arena);
}

static struct {
	const char *one, *other;
	atomic_bool ended;
} exchanged;

static void *exchange(void *ctx)
{
	while (!exchanged.ended)
		(void)renameat2(AT_FDCWD, exchanged.one, AT_FDCWD, exchanged.other, RENAME_EXCHANGE);
	return ctx;
}

/* Its scratch folder, and what it reads, become a link to elsewhere again and again while tools are started. */
static int exchange_folders(struct arena *arena)
{
	struct scratch scratch;
	struct diag diag = {0};
	struct buf log = {0};
	pthread_t thread;
	if (!scratch_make_held(&scratch, arena, &diag))
		return 1;
	exchanged.one = scratch.path;
	exchanged.other = arena_printf(arena, "%s-other", scratch.path);
	if (symlink(in_folder(arena, "outside"), exchanged.other) != 0 ||
		pthread_create(&thread, NULL, exchange, NULL) != 0)
		return 2;
	const char *shell = arena_printf(
		arena, "cat %s; echo made > %s", in_folder(arena, "outside/secret"), in_folder(arena, "outside/made"));
	const char *const reaching[] = {"/bin/sh", "-c", shell, NULL};
	for (int i = 0; i < 200; i++)
		sandbox_run(&(struct sandbox_job){.argv = reaching,
				    .scratch = &scratch,
				    .log_max = 100000,
				    .reads = &exchanged.other,
				    .n_reads = 1},
			&log);
	exchanged.ended = true;
	pthread_join(thread, NULL);
	struct stat info;
	if (lstat(scratch.path, &info) != 0 ||
		(S_ISLNK(info.st_mode) &&
			renameat2(AT_FDCWD, exchanged.one, AT_FDCWD, exchanged.other, RENAME_EXCHANGE)))
		return 3;
	unlink(exchanged.other);
	scratch_remove(&scratch);
	bool read = strstr(buf_str(&log), "treasure") != NULL;
	buf_free(&log);
	diag_free(&diag);
	return read ? 4 : 0;
}

static void exchanging_folders_while_a_tool_starts_gains_nothing(void **state)
{
	(void)state;
	if (confine_support().abi < 1)
		skip();
	struct arena *arena = arena_new();
	const char *outside = in_folder(arena, "outside"), *secret = in_folder(arena, "outside/secret"),
		   *made = in_folder(arena, "outside/made");
	assert_int_equal(mkdir(outside, 0700), 0);
	FILE *file = fopen(secret, "w");
	assert_non_null(file);
	assert_true(fputs("treasure\n", file) >= 0 && fclose(file) == 0);
	assert_int_equal(status_of(exchange_folders), 0);
	assert_int_equal(unlink(made), -1);
	assert_int_equal(unlink(secret), 0);
	assert_int_equal(rmdir(outside), 0);
	arena_free(arena);
}

/* --- signals ------------------------------------------------------------------------------------------------------ */

static const struct timespec moment = {.tv_nsec = 10000000};
static pid_t victim; /* one of the user's other processes */

static bool is_refused(long result)
{
	return result == -1 && errno == EPERM;
}

static int sleep_long(void *ctx)
{
	(void)ctx;
	return (int)sleep(600);
}

/* By each of the calls that send one, and by the starter. */
static int signal_others(struct arena *arena)
{
	(void)arena;
	int pidfd = (int)syscall(SYS_pidfd_open, victim, 0u);
	siginfo_t info = {.si_code = SI_QUEUE};
	if (!is_refused(kill(victim, SIGTERM)) || !is_refused(syscall(SYS_tgkill, victim, victim, SIGTERM)) ||
		!is_refused(syscall(SYS_tkill, victim, SIGTERM)) ||
		!is_refused(syscall(SYS_rt_sigqueueinfo, victim, SIGTERM, &info)))
		return 1;
	if (pidfd >= 0 && !is_refused(syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, NULL, 0u)))
		return 2;
	const pid_t others[] = {victim, getppid(), getpid(), 1, 0, -1, -victim};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (starter_signal(others[i], SIGTERM) != EPERM)
			return 3;
	return kill(getpid(), 0) == 0 && raise(SIGCONT) == 0 ? 0 : 4;
}

/* What it started, and copies of it: also those that want no signal. */
static int signal_own(struct arena *arena)
{
	(void)arena;
	struct process p = PROCESS_NONE;
	struct buf why = {0};
	if (!process_start(&p, command, &why))
		return 1;
	pid_t pid = p.pid;
	if (starter_signal(pid, SIGSTOP) != EPERM || starter_signal(pid, SIGTERM) != 0)
		return 2;
	process_kill(&p);
	if (kill(pid, 0) == 0 || starter_signal(pid, SIGKILL) == 0)
		return 3;
	if (!process_fork(&p, sleep_long, NULL, &why))
		return 4;
	process_end(&p); /* it waits until it is gone */
	if (!process_fork(&p, sleep_long, NULL, &why))
		return 5;
	process_kill(&p);
	return 0;
}

/* As under the kernel that is here, before signals were in a scope, and where there is seccomp alone. */
static void signals_go_to_what_we_started_and_to_nothing_else(void **state)
{
	(void)state;
	static const int abis[] = {INT_MAX, 5, 0};
	if (!confine_support().seccomp)
		skip();
	for (size_t i = 0; i < sizeof abis / sizeof *abis; i++) {
		victim = fork();
		if (victim == 0)
			_exit(sleep_long(NULL));
		assert_int_equal(status_with(abis[i], signal_own), 0);
		assert_int_equal(status_with(abis[i], signal_others), 0);
		assert_int_equal(waitpid(victim, NULL, WNOHANG), 0);
		assert_int_equal(kill(victim, SIGKILL), 0);
		assert_int_equal(waitpid(victim, NULL, 0), victim);
	}
}

/* --- when we are gone --------------------------------------------------------------------------------------------- */

/* It notices neither the end of its input nor a signal that asks it to end; nor does what it starts. */
static const char *const stubborn_command[] = {
	"/bin/sh", "-c", "trap '' TERM HUP; echo ready; while :; do sleep 1; done", NULL};

static int leave_command(struct arena *arena)
{
	(void)arena;
	struct process p = PROCESS_NONE;
	struct buf why = {0}, out = {0};
	if (!process_start(&p, stubborn_command, &why))
		return 1;
	while (!out.len && process_read(&p, &out, 100) >= 0)
		nanosleep(&moment, NULL);
	return raise(SIGKILL);
}

static void what_it_started_goes_when_we_are_killed(void **state)
{
	(void)state;
	int open_in_all[2]; /* of them, ours is closed here */
	char byte;
	assert_int_equal(pipe(open_in_all), 0);
	agreed = stubborn_command;
	assert_int_equal(status_of(leave_command), SIGKILL);
	agreed = command;
	close(open_in_all[1]);
	struct pollfd left = {.fd = open_in_all[0], .events = POLLIN};
	assert_int_equal(poll(&left, 1, 5 * PROCESS_GRACE_MS), 1);
	assert_int_equal(read(open_in_all[0], &byte, 1), 0);
	close(open_in_all[0]);
}

static int be_killed(struct arena *arena)
{
	struct scratch scratch;
	struct diag diag = {0};
	if (!scratch_make(&scratch, arena, &diag) || access(folder, F_OK) != 0)
		return 1;
	return raise(SIGKILL);
}

static void its_folder_goes_also_when_we_are_killed(void **state)
{
	(void)state;
	const struct timespec pause = {.tv_nsec = 10000000};
	assert_int_equal(status_of(be_killed), SIGKILL);
	struct stat info;
	for (int i = 0; i < 500 && stat(folder, &info) == 0 && info.st_nlink > 2; i++)
		nanosleep(&pause, NULL);
	assert_int_equal(info.st_nlink, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_this_system_lacks_is_said),
		cmocka_unit_test(what_is_missing_is_said),
		cmocka_unit_test(a_kernel_without_either_changes_nothing),
		/* what follows needs a system that can confine */
		cmocka_unit_test(an_old_kernel_is_asked_for_no_more_than_it_knows),
		cmocka_unit_test_setup_teardown(
			the_command_agreed_on_is_started_and_is_our_child, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(no_other_command_is, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			tools_agreed_on_are_run_and_read_no_more_than_we, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(what_tools_read_is_what_it_was_before, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			exchanging_folders_while_a_tool_starts_gains_nothing, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(
			signals_go_to_what_we_started_and_to_nothing_else, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(its_folder_goes_also_when_we_are_killed, make_folder, remove_folder),
		/* only in make check-attack: it takes twice PROCESS_GRACE_MS */
		cmocka_unit_test_setup_teardown(what_it_started_goes_when_we_are_killed, make_folder, remove_folder),
	};
	const char *all = getenv("SIMTTUTOR_TEST_LONG");
	size_t n = sizeof tests / sizeof *tests, slow = all && strcmp(all, "1") == 0 ? 0 : 1;
	return _cmocka_run_group_tests("tests", tests, confines ? n - slow : 3, NULL, NULL);
}
