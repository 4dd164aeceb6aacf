/* The queue for a GPU, with real processes: order, one at a time, and what is left when one is killed or stopped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/portable.h"
#include "gpu/worker/turn.h"
#include "side_by_side.h"

#define LONG_MS 60000
#define SHORT_MS 300
#define CROWD 6

static char dir[] = "/tmp/simttutor-turn-XXXXXX";

/* A process that waits in the queue. It writes a letter to `events` as it goes: w (waiting, at each position reported,
 * followed by the position as a digit), t (has the turn), n (sees that another one waits), s (gave up), l (left). A
 * byte on `go` makes it leave. */
struct worker {
	pid_t pid;
	int events, go;
};

static void say(int fd, char what)
{
	if (write(fd, &what, 1) != 1)
		_exit(9);
}

static void tell(void *ctx, int before)
{
	static int last;
	if (before != last) {
		say(*(int *)ctx, 'w');
		say(*(int *)ctx, (char)('0' + before));
	}
	last = before;
}

static _Noreturn void work(const char *name, int stuck_ms, int events, int go)
{
	struct turn turn;
	struct turn_stuck stuck;
	char byte;
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves no process running */
	turn_init(&turn, name);
	bool taken = turn_take(&turn, &(struct turn_wait){stuck_ms, tell, &events, NULL}, &stuck);
	say(events, !taken ? 's' : turn.has ? 't' : 'f');
	if (!taken && write(events, &stuck.holder, sizeof stuck.holder) != sizeof stuck.holder)
		_exit(9);
	if (read(go, &byte, 1) != 1)
		_exit(8);
	bool wanted = turn_is_wanted(&turn);
	turn_leave(&turn);
	say(events, wanted ? 'n' : 'l');
	pause();
	_exit(0);
}

static struct worker start(const char *name, int stuck_ms)
{
	int events[2], go[2];
	assert_return_code(pipe(events), 0);
	assert_return_code(pipe(go), 0);
	struct worker w = {fork(), events[0], go[1]};
	if (w.pid == 0)
		work(name, stuck_ms, events[1], go[0]);
	close(events[1]);
	close(go[0]);
	return w;
}

static void expect_bytes(const struct worker *w, const char *what)
{
	for (; *what; what++) {
		char got = 0;
		assert_int_equal(read(w->events, &got, 1), 1);
		if (got != *what)
			fail_msg("expected '%c', got '%c'", *what, got);
	}
}

/* Its turn comes, after positions that only go down from `before`; some may be passed unseen. */
static void expect_turn(const struct worker *w, int before)
{
	char got[2] = {0};
	while (read(w->events, got, 1) == 1 && got[0] == 'w') {
		assert_int_equal(read(w->events, got + 1, 1), 1);
		assert_true(got[1] - '0' < before);
		before = got[1] - '0';
	}
	assert_int_equal(got[0], 't');
}

/* Nothing is reported within a time that is long for the queue. */
static void expect_silence(const struct worker *w)
{
	char got;
	nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
	fcntl(w->events, F_SETFL, O_NONBLOCK);
	ssize_t n = read(w->events, &got, 1);
	fcntl(w->events, F_SETFL, 0);
	if (n > 0)
		fail_msg("'%c' came too early", got);
}

static void leave(const struct worker *w)
{
	assert_int_equal(write(w->go, "", 1), 1);
}

static void end(struct worker *w)
{
	kill(w->pid, SIGKILL);
	assert_int_equal(waitpid(w->pid, NULL, 0), w->pid);
	close(w->events);
	close(w->go);
	w->pid = 0;
}

/* One has the turn, the others wait in the order of the array. */
static void line_up(struct worker crowd[], int n, const char *name)
{
	for (int i = 0; i < n; i++) {
		const char place[] = {'w', (char)('0' + i), '\0'};
		crowd[i] = start(name, LONG_MS);
		expect_bytes(&crowd[i], i ? place : "t");
	}
}

static void first_come_first_served(void **state)
{
	(void)state;
	struct worker crowd[CROWD];
	line_up(crowd, CROWD, "order");
	for (int i = 0; i < CROWD; i++) {
		if (i + 1 < CROWD)
			expect_silence(&crowd[i + 1]);
		leave(&crowd[i]);
		expect_bytes(&crowd[i], i + 1 < CROWD ? "n" : "l");
		if (i + 1 < CROWD)
			expect_bytes(&crowd[i + 1], "t");
		for (int k = i + 2; k < CROWD; k++) {
			const char place[] = {'w', (char)('0' + k - i - 1), '\0'};
			expect_bytes(&crowd[k], place);
		}
	}
	for (int i = 0; i < CROWD; i++)
		end(&crowd[i]);
}

static void a_killed_process_leaves_nothing(void **state)
{
	(void)state;
	struct worker crowd[CROWD];
	line_up(crowd, CROWD, "killed");
	end(&crowd[0]); /* has the turn */
	expect_bytes(&crowd[1], "t");
	expect_bytes(&crowd[5], "w4");
	end(&crowd[3]); /* in the middle of the line */
	expect_bytes(&crowd[5], "w3");
	end(&crowd[2]); /* is next */
	expect_bytes(&crowd[5], "w2");
	expect_silence(&crowd[5]);
	end(&crowd[1]);
	expect_turn(&crowd[4], 4);
	end(&crowd[4]);
	expect_turn(&crowd[5], 2);
	end(&crowd[5]);
}

static void a_holder_that_is_stopped_is_named(void **state)
{
	(void)state;
	struct worker holder = start("stopped", LONG_MS);
	expect_bytes(&holder, "t");
	kill(holder.pid, SIGSTOP);
	double began = clock_ms();
	struct worker waiter = start("stopped", SHORT_MS);
	expect_bytes(&waiter, "w1s");
	assert_true(clock_ms() - began >= SHORT_MS - 1);
	pid_t named = 0;
	assert_int_equal(read(waiter.events, &named, sizeof named), sizeof named);
	assert_int_equal(named, holder.pid);
	/* it has left the line: the next to come has only the holder before it, and gets the turn when that goes */
	struct worker next = start("stopped", LONG_MS);
	expect_bytes(&next, "w1");
	end(&holder);
	expect_bytes(&next, "t");
	end(&next);
	end(&waiter);
}

static void a_waiter_that_is_stopped_is_overtaken(void **state)
{
	(void)state;
	struct worker crowd[3];
	line_up(crowd, 3, "overtaken");
	kill(crowd[1].pid, SIGSTOP);
	leave(&crowd[0]);
	expect_bytes(&crowd[2], "w1t");
	kill(crowd[1].pid, SIGCONT);
	expect_silence(&crowd[1]);
	leave(&crowd[2]);
	expect_bytes(&crowd[2], "n");
	expect_bytes(&crowd[1], "t");
	for (int i = 0; i < 3; i++)
		end(&crowd[i]);
}

static void other_gpus_have_other_lines(void **state)
{
	(void)state;
	struct worker one = start("GPU-1", LONG_MS), two = start("GPU-2", LONG_MS);
	expect_bytes(&one, "t");
	expect_bytes(&two, "t");
	end(&one);
	end(&two);
}

/* Several processes change a file by turns, without any other protection; a single overlap would lose a step. */
static void one_process_at_a_time_has_the_turn(void **state)
{
	(void)state;
	enum { PROCESSES = 5, STEPS = 20 };
	char path[100];
	snprintf(path, sizeof path, "%s/count", dir);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0) {
			struct turn turn;
			struct turn_stuck stuck;
			int null = open("/dev/null", O_WRONLY);
			turn_init(&turn, "count");
			for (int k = 0; k < STEPS; k++) {
				char c = 'x';
				struct stat before, after;
				if (!turn_take(&turn, &(struct turn_wait){LONG_MS, tell, &null, NULL}, &stuck) ||
					!turn.has)
					_exit(1);
				int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
				if (fstat(fd, &before) != 0 || write(fd, &c, 1) != 1)
					_exit(2);
				nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
				if (fstat(fd, &after) != 0 || after.st_size != before.st_size + 1)
					_exit(3);
				close(fd);
				turn_leave(&turn);
			}
			_exit(0);
		}
	for (int i = 0, status; i < PROCESSES; i++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	struct stat st;
	assert_return_code(stat(path, &st), 0);
	assert_int_equal(st.st_size, PROCESSES * STEPS);
}

static void a_file_that_was_removed_is_made_again(void **state)
{
	(void)state;
	struct turn turn;
	struct turn_stuck stuck;
	struct turn_wait wait = {LONG_MS, tell, NULL, NULL};
	turn_init(&turn, "removed");
	assert_true(turn_take(&turn, &wait, &stuck) && turn.has);
	assert_return_code(unlink(turn.path), 0);
	assert_true(turn_take(&turn, &wait, &stuck) && turn.has);
	struct stat st;
	assert_return_code(stat(turn.path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666);
	struct worker other = start("removed", LONG_MS);
	expect_bytes(&other, "w1");
	assert_true(turn_is_wanted(&turn));
	turn_close(&turn);
	expect_bytes(&other, "t");
	end(&other);
}

/* What others may have put where the file should be: no queue then, and no reason not to measure. */
static void a_place_that_is_taken_means_no_queue(void **state)
{
	(void)state;
	struct turn turn;
	struct turn_stuck stuck;
	struct turn_wait wait = {LONG_MS, tell, NULL, NULL};
	char target[100];
	snprintf(target, sizeof target, "%s/target", dir);
	for (int i = 0; i < 3; i++) {
		turn_init(&turn, i == 0 ? "link" : i == 1 ? "folder" : "fifo");
		assert_return_code(i == 0 ? symlink(target, turn.path)
				: i == 1  ? mkdir(turn.path, 0700)
					  : mkfifo(turn.path, 0600),
			0);
		assert_true(turn_take(&turn, &wait, &stuck));
		assert_false(turn.has);
		assert_false(turn_is_wanted(&turn));
		turn_leave(&turn);
	}
	assert_int_equal(access(target, F_OK), -1); /* nothing was made where the link leads */
}

static void the_name_cannot_leave_the_folder(void **state)
{
	(void)state;
	struct turn turn;
	char expected[200];
	turn_init(&turn, "../../etc/GPU 0");
	snprintf(expected, sizeof expected, "%s/simttutor-gpu-______etc_GPU_0", dir);
	assert_string_equal(turn.path, expected);
	setenv("SIMTTUTOR_QUEUE_DIR", "relative", 1);
	turn_init(&turn, "x");
	assert_string_equal(turn.path, "/tmp/simttutor-gpu-x");
	setenv("SIMTTUTOR_QUEUE_DIR", dir, 1);
}

static void patience_can_be_set(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int ms;
	} cases[] = {{"3", 3000}, {"86400", 86400000}, {"86401", 30000}, {"0", 30000}, {"-3", 30000}, {"3s", 30000},
		{"", 30000}};
	assert_int_equal(turn_patience_ms(), 30000);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		setenv("SIMTTUTOR_QUEUE_SECONDS", cases[i].text, 1);
		assert_int_equal(turn_patience_ms(), cases[i].ms);
	}
	unsetenv("SIMTTUTOR_QUEUE_SECONDS");
}

static int set_up(void **state)
{
	(void)state;
	alarm(120); /* a queue that hangs is a failure, too */
	return mkdtemp(dir) && setenv("SIMTTUTOR_QUEUE_DIR", dir, 1) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", dir);
	return system(command);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_come_first_served),
		cmocka_unit_test(a_killed_process_leaves_nothing),
		cmocka_unit_test(a_holder_that_is_stopped_is_named),
		cmocka_unit_test(a_waiter_that_is_stopped_is_overtaken),
		cmocka_unit_test(other_gpus_have_other_lines),
		cmocka_unit_test(one_process_at_a_time_has_the_turn),
		cmocka_unit_test(patience_can_be_set),
		cmocka_unit_test(a_file_that_was_removed_is_made_again),
		cmocka_unit_test(a_place_that_is_taken_means_no_queue),
		cmocka_unit_test(the_name_cannot_leave_the_folder),
	};
	return run_side_by_side("turn", tests, sizeof tests / sizeof tests[0], set_up, tear_down);
}
