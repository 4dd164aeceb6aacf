/* bench_frame: how long a reader waits, and how much memory that takes. Prints; asserts nothing.
 *
 *   first frame     start of the process to the whole first screen, on a pseudo terminal of 80x24
 *   parameter key   key to drawn canvas, in this process, every value of every step, none seen before
 *   view of time    the same with a view whose timelines are made again for each value
 *   resident        of the program on the pseudo terminal after all that */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "screen/screen.h"
#include "tutor/tutor.h"

#define STARTS 15
#define DEADLINE_MS 20000
#define TIMES_MAX 4096

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* --- the program on a terminal ---------------------------------------------------------------------------------------- */
struct child {
	pid_t pid;
	int fd;
};

static struct child start(const char *program)
{
	struct winsize size = {24, 80, 0, 0};
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	if (fd < 0 || grantpt(fd) != 0 || unlockpt(fd) != 0)
		return (struct child){-1, -1};
	char slave[128];
	snprintf(slave, sizeof slave, "%s", ptsname(fd));
	pid_t pid = fork();
	if (pid != 0)
		return (struct child){pid, fd};
	setsid();
	int tty = open(slave, O_RDWR);
	ioctl(tty, TIOCSCTTY, 0);
	ioctl(tty, TIOCSWINSZ, &size);
	for (int i = 0; i < 3; i++)
		dup2(tty, i);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("XDG_STATE_HOME", "/dev/null/none", 1);
	execl(program, program, "learn", "--gpu", "none", "banks/1", (char *)NULL);
	_exit(127);
}

/* Reads until `text` was written; false at the deadline. */
static bool read_until(const struct child *child, const char *text)
{
	static char seen[1 << 16];
	size_t len = 0;
	double end = now_ms() + DEADLINE_MS;
	while (now_ms() < end) {
		struct pollfd p = {child->fd, POLLIN, 0};
		if (poll(&p, 1, 100) <= 0)
			continue;
		if (len > sizeof seen / 2)
			len = 0;
		ssize_t n = read(child->fd, seen + len, sizeof seen - len);
		if (n <= 0)
			return false;
		len += (size_t)n;
		if (memmem(seen, len, text, strlen(text)))
			return true;
	}
	return false;
}

static long resident_kb(pid_t pid)
{
	char path[64], line[256];
	long kb = -1;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "VmRSS: %ld", &kb);
	if (f)
		fclose(f);
	return kb;
}

static void stop(const struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->fd);
}

/* Walks all steps and some values, as a reader does, and waits until the last screen is there. */
static void walk(const struct child *child)
{
	for (int i = 0; i < 12; i++) {
		static const char keys[] = "\033OC\033OC\033OCvvnn";
		ssize_t wrote = write(child->fd, keys, sizeof keys - 1);
		(void)wrote;
		poll(NULL, 0, 20);
	}
	ssize_t wrote = write(child->fd, "?", 1);
	(void)wrote;
	read_until(child, "draw the screen afresh");
}

static bool bench_program(const char *program)
{
	double times[STARTS];
	long kb = -1;
	for (int i = 0; i < STARTS; i++) {
		double from = now_ms();
		struct child child = start(program);
		bool drawn = child.pid > 0 && read_until(&child, "help");
		times[i] = now_ms() - from;
		if (drawn && i == STARTS - 1) {
			walk(&child);
			kb = resident_kb(child.pid);
		}
		stop(&child);
		if (!drawn) {
			fprintf(stderr, "bench_frame: %s drew nothing\n", program);
			return false;
		}
	}
	qsort(times, STARTS, sizeof *times, ascending);
	printf("first frame     median %6.2f ms   max %6.2f ms   (%d starts; to stay under 100)\n", times[STARTS / 2],
		times[STARTS - 1], STARTS);
	printf("resident        %6.1f MB                         (to stay under 30)\n", (double)kb / 1024);
	return true;
}

/* --- a key and its screen --------------------------------------------------------------------------------------------- */
static int time_keys(
	struct tutor *tutor, const struct lesson *lesson, enum view_id view, struct canvas *canvas, double *times)
{
	int n = 0;
	struct screen_state screen = {0};
	for (int step = 0; step < lesson->n_steps; step++) {
		tutor_open(tutor, lesson, step);
		while (tutor_can(tutor, ACTION_PARAM_PREVIOUS) &&
			tutor->at.values[tutor->at.parameter] != lesson->parameters[tutor->at.parameter].values[0])
			tutor_act(tutor, ACTION_PARAM_PREVIOUS);
		int values = tutor->at.parameter >= 0 ? lesson->parameters[tutor->at.parameter].n_values : 0;
		for (int i = 1; i < values && n < TIMES_MAX; i++) {
			if (view != VIEW_NONE)
				tutor_look(tutor, view);
			double from = now_ms();
			screen_act(&screen, tutor, ACTION_PARAM_NEXT);
			screen_render(canvas, tutor, &screen, NULL);
			times[n++] = now_ms() - from;
		}
	}
	return n;
}

static bool bench_keys(void)
{
	static double times[TIMES_MAX];
	struct buf source = {0};
	struct diag diag = {0};
	const struct lesson *lesson = NULL;
	/* the build folder's note of where the lessons are; this program is not beside it, so paths_find would not see it */
	if (!file_read("simttutor.source", 4096, &source, &diag))
		buf_puts(&source, ".");
	source.data[strcspn(source.data, "\n")] = '\0';
	struct paths paths = {.data = source.data, .worker = "simttutor-gpu", .state = "/dev/null/none"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	if (tutor) {
		tutor->keeps_progress = false;
		tutor->background = true;
	}
	if (tutor && lesson_catalog_find(tutor->catalog, "banks", &lesson, NULL, &diag)) {
		struct canvas *canvas = canvas_new(50, 160);
		int n = time_keys(tutor, lesson, VIEW_NONE, canvas, times);
		qsort(times, (size_t)n, sizeof *times, ascending);
		printf("parameter key   median %6.2f ms   max %6.2f ms   (%d values, 160x50; to stay under 16)\n",
			times[n / 2], times[n - 1], n);
		for (int view = 0; view < VIEWS; view++) {
			if (!view_is_of((enum view_id)view, VIEW_OF_TIMES))
				continue;
			n = time_keys(tutor, lesson, (enum view_id)view, canvas, times);
			qsort(times, (size_t)n, sizeof *times, ascending);
			printf("%-12s    median %6.2f ms   max %6.2f ms   (likewise)\n", view_table[view].name,
				times[n / 2], times[n - 1]);
		}
		canvas_free(canvas);
	}
	struct buf text = {0};
	diag_format(&diag, &text);
	fputs(buf_str(&text), stderr);
	buf_free(&text);
	bool fine = tutor && lesson;
	tutor_free(tutor);
	diag_free(&diag);
	buf_free(&source);
	return fine;
}

int main(void)
{
	return bench_program("./simttutor") && bench_keys() ? 0 : 1;
}
