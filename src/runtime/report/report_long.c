/* Launches that take long, and programs that are ended before their end: a line on the terminal, where warps are, and
 * what SIGINT, SIGTERM and a limit of time do.
 *
 * A thread of its own looks at what runs, some times a second. The handler of a signal only wakes it, so that it can
 * take the lock, stop what runs, and write the report; then the program ends by that signal. Threads of the program
 * that call the runtime meanwhile stay in their call. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/portable.h"
#include "base/utf8.h"
#include "runtime/module/module.h"
#include "runtime/report/report.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define TICK_MS 200
#define LINE_AFTER_MS 2000.0  /* of a launch */
#define ONCE_AFTER_MS 10000.0 /* of one, where there is no line */
#define QUIET_AFTER_MS 5000.0 /* in which no block of it has ended */
#define STOP_MS 5000.0        /* in which launches stop that are asked to */
#define LOCK_S 2
#define STATUS_SIGNALED 128

static struct {
	struct runtime *r;
	pthread_t thread;
	sem_t woken;
	pid_t owner; /* the process that has the thread */
	bool started, signals;
	_Atomic int signal;     /* that came; 0: none */
	_Atomic bool over;      /* the program ends */
	_Atomic bool ending;    /* and before its end */
	double began, limit_ms; /* limit_ms 0: none */
	char why[64];           /* it is ended before its end */
	enum { TELL_ONCE, TELL_BY_LINE, TELL_NOTHING } how;
	const char *terminal; /* TERM */
} watcher;

/* --- the line -----------------------------------------------------------------------------------------------------
 *
 * It has the last row of the terminal; the others scroll without it, so that what the program prints meanwhile is
 * where it would have been. Everything is written to standard error at once. */

#define ROWS_LEAST 5
#define COLUMNS_LEAST 40

static struct {
	_Atomic bool shown;
	int rows;
	char erase[64]; /* what takes it away, for a handler */
	struct sigaction stop_before;
} line;

/* Also in a handler. */
static void write_text(const char *text)
{
	runtime_write(&(struct buf){.data = (char *)text, .len = strlen(text)});
}

/* Whether what goes to standard output cannot meet the line in the middle of the terminal: it is this terminal, or
 * nobody draws it there. */
static bool output_suits(void)
{
	struct stat out, err;
	if (fstat(STDOUT_FILENO, &out) != 0 || fstat(STDERR_FILENO, &err) != 0)
		return false;
	return S_ISREG(out.st_mode) || (S_ISCHR(out.st_mode) && (!isatty(STDOUT_FILENO) || out.st_rdev == err.st_rdev));
}

static bool terminal_size(struct winsize *size)
{
	return watcher.how == TELL_BY_LINE && isatty(STDERR_FILENO) && watcher.terminal && *watcher.terminal &&
		strcmp(watcher.terminal, "dumb") != 0 && output_suits() && tcgetpgrp(STDERR_FILENO) == getpgrp() &&
		ioctl(STDERR_FILENO, TIOCGWINSZ, size) == 0 && size->ws_row >= ROWS_LEAST &&
		size->ws_col >= COLUMNS_LEAST;
}

/* Ctrl-Z: the shell has the whole terminal. The line comes back with the next look after the program goes on. */
static void on_stop(int number)
{
	int error = errno;
	(void)number;
	if (atomic_exchange(&line.shown, false))
		write_text(line.erase);
	kill(getpid(), SIGSTOP);
	errno = error;
}

static void erase_line(void)
{
	if (!atomic_exchange(&line.shown, false))
		return;
	write_text(line.erase);
	if (line.stop_before.sa_handler == SIG_DFL && !(line.stop_before.sa_flags & SA_SIGINFO))
		sigaction(SIGTSTP, &line.stop_before, NULL);
}

/* The state of a launch, and as much of its name as there is room for; its place where there is room for all. False: it
 * cannot be drawn here. */
static bool draw_line(const struct buf *launch, const struct buf *place, const struct buf *state)
{
	struct winsize size;
	struct buf out = {0};
	if (!terminal_size(&size)) {
		erase_line();
		return false;
	}
	if (line.shown && size.ws_row != line.rows)
		erase_line();
	if (!line.shown) {
		/* A row more below the cursor, which stays in its column; then the last row is taken from what scrolls.
		 * Escape sequences of VT100: index, reverse index, save, region, restore. */
		buf_printf(&out, "\033D\033M\0337\033[1;%dr\0338", size.ws_row - 1);
		snprintf(line.erase, sizeof line.erase, "\0337\033[r\033[%d;1H\033[2K\0338", size.ws_row);
		line.rows = size.ws_row;
		struct sigaction ours = {.sa_handler = on_stop, .sa_flags = SA_RESTART};
		if (sigaction(SIGTSTP, NULL, &line.stop_before) == 0 && line.stop_before.sa_handler == SIG_DFL)
			sigaction(SIGTSTP, &ours, NULL);
	}
	buf_printf(&out, "\0337\033[%d;1H", line.rows);
	static const char name[] = "simttutor: ";
	struct buf text = {0};
	size_t next;
	int cols = size.ws_col - 1 - (int)strlen(name) - utf8_columns(buf_str(state));
	escape_text(buf_str(launch), launch->len, ESCAPE_LINE, &text);
	buf_puts(&out, name);
	if (utf8_columns(buf_str(&text)) + utf8_columns(buf_str(place)) <= cols)
		escape_text(buf_str(place), place->len, ESCAPE_LINE, &text);
	buf_append(
		&out, text.data, wrap_line(buf_str(&text), text.len, cols > 1 ? cols : 1, WRAP_AFTER_SLASHES, &next));
	buf_puts(&out, buf_str(state));
	buf_free(&text);
	buf_puts(&out, "\033[K\0338");
	line.shown = true;
	runtime_write(&out);
	buf_free(&out);
	return true;
}

/* --- launches that run -------------------------------------------------------------------------------------------- */

/* That of the launch which has run for longest; `*n`: how many there are. */
static struct running *longest(const struct runtime *r, int *n, struct running_look *out)
{
	const struct runtime_queue *q = r->queue;
	struct running *run = NULL;
	*n = 0;
	for (int i = 0; i < q->n; i++) {
		const struct cuda_operation *o = q->streams[i]->first;
		struct running_look look;
		if (!o || !o->run)
			continue;
		running_look(o->run, &look);
		if (!run || look.ms > out->ms) {
			run = o->run;
			*out = look;
		}
		++*n;
	}
	return run;
}

static void put_time(double ms, struct buf *out)
{
	uint64_t s = (uint64_t)(ms / 1000);
	if (s < 60)
		buf_printf(out, "%" PRIu64 " s", s);
	else if (s < 3600)
		buf_printf(out, "%" PRIu64 " min %" PRIu64 " s", s / 60, s % 60);
	else
		buf_printf(out, "%" PRIu64 " h %" PRIu64 " min", s / 3600, s / 60 % 60);
}

/* "scan<<<64, 256>>>", " at main.cu:41" */
static void put_launch(const struct running_look *look, struct buf *out)
{
	runtime_put_launch(look->work->launch.kernel, &look->work->launch.config, out);
}

static void put_place(const struct running_look *look, struct buf *out)
{
	struct buf at = {0};
	if (report_is_on() && look->work->site && report_site_text(look->work->site, &at))
		buf_printf(out, " at %s", buf_str(&at));
	buf_free(&at);
}

/* Its blocks, its time, and what is left of that if the other blocks take as long. */
static void put_state(const struct running_look *look, int n, struct buf *out)
{
	buf_printf(out, ": %" PRIu64 " of %" PRIu64 " block%s, ", look->blocks, look->of, look->of == 1 ? "" : "s");
	put_time(look->ms, out);
	if (look->blocks && look->blocks < look->of) {
		buf_puts(out, ", about ");
		put_time(look->ms / (double)look->blocks * (double)(look->of - look->blocks) + 1000, out);
		buf_puts(out, " left");
	}
	if (n > 1)
		buf_printf(out, "; %d launches run", n);
}

/* What an address is that warps poll: a variable of the module, or of an allocation. */
static void put_polled(struct runtime *r, const struct cuda_work *work, uint64_t address, struct buf *out)
{
	const struct simt_variables *of = work->launch.kernel->module->variables[work->launch.device];
	struct simt_variable v;
	for (int i = 0; of && i < r->n_variables; i++) {
		const struct cuda_variable *variable = &r->variables[i];
		if (variable->module != work->launch.kernel->module || !simt_variables_find(of, variable->name, &v) ||
			address < v.address || address - v.address >= v.size)
			continue;
		buf_puts(out, ", at ");
		runtime_put_name(variable->name, out);
		if (address > v.address)
			buf_printf(out, " + %" PRIu64 " bytes", address - v.address);
		return;
	}
	struct buf what = {0};
	if (report_address(r, address, &what))
		buf_printf(out, ", at memory %s", buf_str(&what));
	buf_free(&what);
}

void report_standing(struct runtime *r, const struct cuda_work *work, const struct simt_standing *standing,
	enum simt_stand_when when)
{
	struct diag diag = {0};
	struct buf text = {0};
	char at[PTX_LOCATION_TEXT];
	for (uint32_t i = 0; i < standing->n; i++) {
		const struct simt_stand *stand = &standing->at[i];
		const struct ptx_location *place = &stand->place;
		buf_clear(&text);
		simt_stand_sentence(stand, when, &text);
		if (stand->state == SIMT_STAND_POLLS)
			put_polled(r, work, stand->address, &text);
		const struct buf *source = place->file && place->line ? report_source_text(place->file) : NULL;
		if (source)
			diag_note(&diag,
				(struct diag_pos){.file = report_base_name(place->file),
					.line = place->line,
					.text = source->len ? source->data : NULL,
					.text_len = source->len},
				"%s", buf_str(&text));
		else
			diag_note(&diag, (struct diag_pos){.file = ptx_location_text(place, at)}, "%s", buf_str(&text));
	}
	if (standing->left_out)
		diag_note(&diag, (struct diag_pos){0}, "%u more at other lines", standing->left_out);
	runtime_warn_diag(&diag);
	diag_free(&diag);
	buf_free(&text);
}

/* No block has ended for some time: says where the warps are, once for each kernel. */
#define KERNELS_MAX 64
static const struct cuda_kernel *explained[KERNELS_MAX];
static int n_explained;

static void explain(struct runtime *r, struct running *run, const struct running_look *look)
{
	struct buf text = {0}, blocks = {0};
	bool known = n_explained == KERNELS_MAX;
	for (int i = 0; i < n_explained; i++)
		known = known || explained[i] == look->work->launch.kernel;
	if (known || look->quiet_ms < QUIET_AFTER_MS)
		return;
	const struct simt_standing *standing = running_standing(run);
	if (!standing)
		return;
	explained[n_explained++] = look->work->launch.kernel;

	put_launch(look, &text);
	put_place(look, &text);
	buf_puts(&text, " has run for ");
	put_time(look->ms, &text);
	buf_puts(&text, look->blocks ? ", and no block has ended for " : "");
	if (look->blocks)
		put_time(look->quiet_ms, &text);
	simt_standing_sentence(standing, &blocks);
	runtime_warn("%s: %s", buf_str(&text), buf_str(&blocks));
	report_standing(r, look->work, standing, SIMT_STANDS_NOW);
	buf_free(&text);
	buf_free(&blocks);
}

static void look_at_launches(struct runtime *r)
{
	static bool told;
	int n;
	struct running_look look = {0};
	struct running *run = longest(r, &n, &look);
	if (!run || look.ms < LINE_AFTER_MS || watcher.how == TELL_NOTHING) {
		erase_line();
		return;
	}
	explain(r, run, &look);

	struct buf launch = {0}, place = {0}, state = {0};
	put_launch(&look, &launch);
	put_place(&look, &place);
	put_state(&look, n, &state);
	if (!draw_line(&launch, &place, &state) && !told && look.ms >= ONCE_AFTER_MS) {
		told = true;
		runtime_warn("%s%s%s", buf_str(&launch), buf_str(&place), buf_str(&state));
	}
	buf_free(&launch);
	buf_free(&place);
	buf_free(&state);
}

/* --- an end before the end ---------------------------------------------------------------------------------------- */

bool report_is_ending(void)
{
	return watcher.ending;
}

const char *report_why_ending(void)
{
	return watcher.why;
}

void report_stay_if_ending(void)
{
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	while (watcher.ending)
		runtime_sleep(&never);
}

/* False: someone has had the lock for too long. */
static bool lock_soon(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LOCK_S;
	return runtime_lock_until(&until);
}

/* Stops what runs, and reports all that was. */
static void report_early(struct runtime *r)
{
	struct runtime_queue *q = r->queue;
	bool ran = q->open > 0;
	double began = clock_ms();
	watcher.ending = true;
	for (int i = 0; i < q->n; i++) {
		struct cuda_operation *o = q->streams[i]->first;
		if (o && o->run)
			running_stop(o->run);
	}
	executor_wake();
	while (q->open && clock_ms() - began < STOP_MS) {
		struct timespec pause = {0, 10 * 1000 * 1000};
		runtime_unlock();
		nanosleep(&pause, NULL);
		runtime_lock();
	}
	if (!ran)
		report_problem(r, REPORT_ENDED, &(struct report_site){0}, "the program was ended by %s; no kernel ran",
			watcher.why);
	else if (q->open)
		report_problem(r, REPORT_ENDED, &(struct report_site){0},
			"the program was ended by %s; a kernel that ran then could not be stopped", watcher.why);

	/* What kernels have printed. A thread that writes to a full pipe may have standard output for ever. */
	if (ftrylockfile(stdout) == 0) {
		runtime_print(r);
		report_end(r);
		funlockfile(stdout);
	}
}

static _Noreturn void end_program_early(struct runtime *r, int number)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	erase_line();
	if (number == SIGINT && isatty(STDERR_FILENO))
		write_text("\n"); /* after the ^C */
	if (number) {
		snprintf(watcher.why, sizeof watcher.why, "%s", number == SIGINT ? "SIGINT (Ctrl-C)" : "SIGTERM");
	} else {
		struct buf limit = {0};
		put_time(watcher.limit_ms, &limit);
		snprintf(watcher.why, sizeof watcher.why, "the limit of %s", buf_str(&limit));
		buf_free(&limit);
	}
	if (lock_soon())
		report_early(r);
	if (!number)
		_exit(EXIT_TIMED_OUT);
	sigaction(number, &plain, NULL);
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(number);
	_exit(STATUS_SIGNALED + number);
}

/* The second one ends the program at once. */
static void on_signal(int number)
{
	struct sigaction plain = {.sa_handler = SIG_DFL};
	int error = errno;
	if (getpid() != watcher.owner || watcher.over || watcher.signal) {
		if (getpid() == watcher.owner && atomic_exchange(&line.shown, false))
			write_text(line.erase);
		sigaction(number, &plain, NULL);
		raise(number); /* once this handler has returned */
	} else {
		watcher.signal = number;
		sem_post(&watcher.woken);
	}
	errno = error;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

static void wait_for_tick(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += TICK_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000L;
	until.tv_nsec %= 1000000000L;
	while (sem_timedwait(&watcher.woken, &until) != 0 && errno == EINTR)
		continue;
}

static void *watch(void *arg)
{
	struct runtime *r = arg;
	for (;;) {
		wait_for_tick();
		if (watcher.over)
			return NULL;
		if (watcher.signal)
			end_program_early(r, watcher.signal);
		if (watcher.limit_ms > 0 && clock_ms() - watcher.began >= watcher.limit_ms)
			end_program_early(r, 0);
		runtime_lock();
		if (!watcher.over)
			look_at_launches(r);
		runtime_unlock();
	}
}

static void catch (int number)
{
	struct sigaction before, ours = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	if (sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_DFL)
		sigaction(number, &ours, NULL);
}

void report_long_begin(struct runtime *r)
{
	const char *limit = getenv("SIMTTUTOR_TIMEOUT"), *how = getenv("SIMTTUTOR_PROGRESS");
	watcher.r = r;
	watcher.began = clock_ms();
	watcher.terminal = getenv("TERM");
	if (watcher.terminal)
		watcher.terminal = arena_strdup(r->arena, watcher.terminal);
	if (how && strcmp(how, "line") == 0)
		watcher.how = TELL_BY_LINE;
	else if (how && strcmp(how, "none") == 0)
		watcher.how = TELL_NOTHING;
	else if (how && *how && strcmp(how, "once") != 0)
		runtime_warn("SIMTTUTOR_PROGRESS=%s is none of line, once and none; it is once", how);
	if (limit && *limit) {
		double seconds = environment_duration(limit);
		if (seconds > 0)
			watcher.limit_ms = seconds * 1000;
		else
			runtime_warn("SIMTTUTOR_TIMEOUT=%s is no time as 10, 1.5m or 2h; there is no limit", limit);
	}
	if (watcher.limit_ms > 0)
		report_long_start();
}

/* Every signal is for the program's threads. */
void report_long_start(void)
{
	sigset_t all, before;
	if (watcher.started || watcher.over)
		return;
	watcher.owner = getpid();
	if (sem_init(&watcher.woken, 0, 0) != 0)
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	watcher.started = pthread_create(&watcher.thread, NULL, watch, watcher.r) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (watcher.started && report_is_on()) {
		catch (SIGINT);
		catch (SIGTERM);
	}
}

void report_long_ended(void)
{
	if (!watcher.r->queue->open)
		erase_line();
}

void report_long_end(void)
{
	if (!watcher.started)
		return;
	erase_line();
	watcher.over = true;
	sem_post(&watcher.woken);
	runtime_unlock();
	pthread_join(watcher.thread, NULL);
	runtime_lock();
	watcher.started = false;
}

void report_long_forget(void)
{
	watcher.started = false;
	watcher.over = false;
	line.shown = false;
}
