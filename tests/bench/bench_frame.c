/* bench_frame: how long a reader waits, and how much memory that takes. Prints; asserts nothing.
 *
 *   first frame     start of the process to the whole first screen, on a pseudo terminal of 80x24
 *   bytes           that a parameter key writes to the terminal, until it is silent; a changed cell's share of them
 *   moment          the processor's time for one more moment of a picture that is played, drawn
 *   parameter key   key to drawn canvas, in this process, every value of every step, none seen before
 *   view of time    the same with a view whose timelines are made again for each value
 *   debugger, playground   a key to the first of its frame, on the pseudo terminal: s and back from each step; letters of an
 *                   expression, and its space, operation and width
 *   resident        of the program on the pseudo terminal after all that, and after a launch with large buffers */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "front/screen/screen.h"
#include "front/tutor/tutor.h"
#include "front/view/views.h"

#define STARTS 15
#define DEADLINE_MS 20000
#define TIMES_MAX 4096
#define SILENCE_MS 80 /* after which a picture is whole */
#define KEYS_COUNTED 8
#define SETTLE_MS 3000 /* after which a sweep has been filled */

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

/* --- the program on a terminal ------------------------------------------------------------------------------------ */

struct child {
	pid_t pid;
	int fd;
};

static const char *const lesson_arguments[] = {"learn", "--gpu", "none", "banks/1", NULL};

static struct child start(const char *program, const char *const *arguments, struct winsize size)
{
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
	setenv("XDG_DATA_HOME", "/dev/null/none", 1);
	const char *argv[8] = {program};
	for (int i = 0; arguments[i]; i++)
		argv[i + 1] = arguments[i];
	execv(program, (char *const *)(uintptr_t)argv);
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
	read_until(child, "┌ keys");
}

/* The processor's time that a process has taken. */
static double taken_ms(pid_t pid)
{
	clockid_t clock;
	struct timespec t = {0};
	if (clock_getcpuclockid(pid, &clock) == 0)
		clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static bool bench_program(const char *program)
{
	double times[STARTS], taken[STARTS];
	long kb = -1;
	for (int i = 0; i < STARTS; i++) {
		double from = now_ms();
		struct child child = start(program, lesson_arguments, (struct winsize){24, 80, 0, 0});
		bool drawn = child.pid > 0 && read_until(&child, "help");
		times[i] = now_ms() - from;
		taken[i] = taken_ms(child.pid);
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
	qsort(taken, STARTS, sizeof *taken, ascending);
	printf("first frame     median %6.2f ms   max %6.2f ms   (%d starts; to stay under 50)\n", times[STARTS / 2],
		times[STARTS - 1], STARTS);
	printf("  of which        median %6.2f ms   max %6.2f ms   of the processor's time\n", taken[STARTS / 2],
		taken[STARTS - 1]);
	printf("resident        %6.1f MB                         (to stay under 30)\n", (double)kb / 1024);
	return true;
}

/* --- what a key writes -------------------------------------------------------------------------------------------- */

static long count_bytes(const struct child *child)
{
	static char seen[1 << 16];
	struct pollfd p = {child->fd, POLLIN, 0};
	long bytes = 0;
	while (poll(&p, 1, SILENCE_MS) > 0) {
		ssize_t n = read(child->fd, seen, sizeof seen);
		if (n <= 0)
			break;
		bytes += n;
	}
	return bytes;
}

/* Until the first of the frame that answers to what is typed; what follows is read away. */
static double answer_ms(const struct child *child, const char *typed)
{
	struct pollfd p = {child->fd, POLLIN, 0};
	double from = now_ms();
	ssize_t wrote = write(child->fd, typed, strlen(typed));
	(void)wrote;
	poll(&p, 1, DEADLINE_MS);
	double ms = now_ms() - from;
	count_bytes(child);
	return ms;
}

static void bench_answers(
	const char *program, const char *what, const char *const *arguments, const char *const *typed, int times_over)
{
	static double times[TIMES_MAX];
	struct child child = start(program, arguments, (struct winsize){50, 160, 0, 0});
	int n = 0;
	if (!read_until(&child, arguments == lesson_arguments ? "help" : "look"))
		fprintf(stderr, "bench_frame: nothing was drawn\n");
	count_bytes(&child);
	for (int over = 0; over < times_over; over++)
		for (int i = 0; typed[i] && n < TIMES_MAX; i++)
			times[n++] = answer_ms(&child, typed[i]);
	stop(&child);
	qsort(times, (size_t)n, sizeof *times, ascending);
	printf("%-12s    median %6.2f ms   max %6.2f ms   (%d keys, 160x50; to stay under 16)\n", what, times[n / 2],
		times[n - 1], n);
}

/* The debugger is opened, steps twice and is left, step after step; an expression is typed letter by letter, and its
 * access changed. */
static void bench_doing(const char *program)
{
	static const char *const stepped[] = {"s", "s", "s", "q", "n", NULL};
	static const char *const play[] = {"play", "--gpu", "none", NULL};
	static const char *const typed[] = {"*", "3", "3", "+", "(", "l", "a", "n", "e", "/", "4", ")", "*", "2", "\t",
		"\033[C", "\033[C", "\t", "\033[C", "\t", "\033[C", "\025", NULL};
	bench_answers(program, "debugger", lesson_arguments, stepped, 6);
	bench_answers(program, "playground", play, typed, 4);
}

/* Of a step whose launch has buffers of 30 MB, when it is drawn and nothing more comes. */
static void bench_large(const char *program)
{
	static const char *const arguments[] = {"learn", "--gpu", "none", "swizzle/5", NULL};
	struct child child = start(program, arguments, (struct winsize){24, 80, 0, 0});
	if (!read_until(&child, "help"))
		fprintf(stderr, "bench_frame: nothing was drawn\n");
	poll(NULL, 0, SETTLE_MS);
	count_bytes(&child);
	printf("  large buffers %6.1f MB                         (likewise)\n", (double)resident_kb(child.pid) / 1024);
	stop(&child);
}

/* Cells in which two pictures of a session differ: of the parameter's present value, and of the next. */
static long changed_cells(struct tutor *tutor, struct screen_state *screen, int rows, int cols)
{
	struct canvas *before = canvas_new(rows, cols), *after = canvas_new(rows, cols);
	long n = 0;
	screen_render(before, tutor, screen, NULL);
	screen_act(screen, tutor, ACTION_PARAM_NEXT);
	screen_render(after, tutor, screen, NULL);
	for (int i = 0; i < rows * cols; i++)
		n += memcmp(&before->cells[i], &after->cells[i], sizeof *before->cells) != 0;
	canvas_free(before);
	canvas_free(after);
	return n;
}

/* The first values of the lesson's first step, in the program and here. */
static void bench_bytes(const char *program, struct tutor *tutor, const struct lesson *lesson, int cols, int rows)
{
	struct child child = start(
		program, lesson_arguments, (struct winsize){(unsigned short)rows, (unsigned short)cols, 0, 0});
	struct screen_state screen = {0};
	long most = 0, all = 0, cells = 0;
	tutor_open(tutor, lesson, 0);
	if (!read_until(&child, "help"))
		fprintf(stderr, "bench_frame: nothing was drawn\n");
	count_bytes(&child);
	for (int i = 0; i < KEYS_COUNTED; i++) {
		ssize_t wrote = write(child.fd, "\033OC", 3);
		long bytes = count_bytes(&child);
		(void)wrote;
		most = bytes > most ? bytes : most;
		all += bytes;
		cells += changed_cells(tutor, &screen, rows, cols);
	}
	stop(&child);
	printf("bytes           mean   %6ld      max %6ld      (%d keys, %dx%d; %.1f a changed cell)\n",
		all / KEYS_COUNTED, most, KEYS_COUNTED, cols, rows, cells ? (double)all / (double)cells : 0.0);
}

static double processor_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Every picture of the lesson, played from end to end. */
static void bench_moments(struct tutor *tutor, const struct lesson *lesson, struct canvas *canvas, double *times)
{
	int n = 0;
	struct screen_state screen = {0};
	for (int step = 0; step < lesson->n_steps; step++) {
		tutor_open(tutor, lesson, step);
		screen_render(canvas, tutor, &screen, NULL);
		screen_act(&screen, tutor, ACTION_PLAY);
		while (screen_play_ms(&screen) >= 0 && n < TIMES_MAX) {
			double from = processor_ms();
			screen_play_step(&screen, tutor);
			screen_render(canvas, tutor, &screen, NULL);
			times[n++] = processor_ms() - from;
		}
	}
	qsort(times, (size_t)n, sizeof *times, ascending);
	if (n)
		printf("moment          median %6.2f ms   max %6.2f ms   (%d of %s, %dx%d; to stay under 8)\n",
			times[n / 2], times[n - 1], n, lesson->id, canvas->cols, canvas->rows);
}

/* --- a key and its screen ----------------------------------------------------------------------------------------- */

static int time_keys(
	struct tutor *tutor, const struct lesson *lesson, view_id view, struct canvas *canvas, double *times)
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
				tutor_turn_to_view(tutor, view);
			double from = now_ms();
			screen_act(&screen, tutor, ACTION_PARAM_NEXT);
			screen_render(canvas, tutor, &screen, NULL);
			times[n++] = now_ms() - from;
		}
	}
	return n;
}

static bool bench_keys(const char *program)
{
	static double times[TIMES_MAX];
	struct buf source = {0};
	struct diag diag = {0};
	const struct lesson *lesson = NULL;
	/* the build folder's note of where the lessons are; this program is not beside it, so paths_find would not see
	 * it */
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
			if (!view_is_of((view_id)view, VIEW_OF_TIMES))
				continue;
			n = time_keys(tutor, lesson, (view_id)view, canvas, times);
			qsort(times, (size_t)n, sizeof *times, ascending);
			printf("%-12s    median %6.2f ms   max %6.2f ms   (likewise)\n", view_table[view].name,
				times[n / 2], times[n - 1]);
		}
		static const char *const played[] = {"banks", "sectors", "latency", "divergence"};
		for (size_t i = 0; i < sizeof played / sizeof *played; i++)
			if (lesson_catalog_find(tutor->catalog, played[i], &lesson, NULL, &diag))
				bench_moments(tutor, lesson, canvas, times);
		if (lesson_catalog_find(tutor->catalog, "banks", &lesson, NULL, &diag)) {
			bench_bytes(program, tutor, lesson, 80, 24);
			bench_bytes(program, tutor, lesson, 160, 50);
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
	if (!bench_program("./simttutor"))
		return 1;
	bench_large("./simttutor");
	bench_doing("./simttutor");
	return bench_keys("./simttutor") ? 0 : 1;
}
