#include "config.h"
#include "tui/tui.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>

#include "screen/screen.h"
#include "tui/signals.h"
#include "tui/term.h"
#include "tutor/keys.h"

#define EXIT_NO_TERMINAL 3
#define WHEEL_ROWS 3
#define SAVE_MS 500 /* progress is written when the keys have been still for so long */

struct tui {
	struct tutor *tutor;
	struct canvas *canvas;
	struct screen_targets targets;
	bool dirty;        /* the screen is to be drawn again */
	bool unsaved;      /* there may be progress to write */
	bool gone;         /* the terminal is */
	int killed_by;     /* signal, 0: none */
};

static void draw(struct tui *tui)
{
	int rows, cols;
	term_size(&rows, &cols);
	if (!tui->canvas || tui->canvas->rows != rows || tui->canvas->cols != cols) {
		canvas_free(tui->canvas);
		tui->canvas = canvas_new(rows, cols);
	}
	screen_draw(tui->canvas, tui->tutor, &tui->targets);
	term_draw(tui->canvas);
	tui->dirty = false;
}

/* --- events ----------------------------------------------------------------------------------------------------------- */
static void take_signal(struct tui *tui, int signal)
{
	switch (signal) {
	case SIGWINCH:
		term_resize();
		break;
	case SIGTSTP:
		term_suspend();
		signals_stop();
		term_resume();
		term_resize();
		break;
	case SIGCONT: /* stopped without asking, too */
		term_resume();
		term_resize();
		break;
	default:
		tui->killed_by = signal;
		break;
	}
	tui->dirty = true;
}

static void wheel(struct tui *tui, enum tutor_action action)
{
	for (int i = 0; i < WHEEL_ROWS; i++)
		tutor_act(tui->tutor, action);
}

static void take_key(struct tui *tui, const char *key)
{
	if (key_action(key_mode_of(tui->tutor), key) == ACTION_REDRAW)
		term_forget();
	tutor_key(tui->tutor, key);
}

/* Everything that was typed, before anything is drawn. */
static void take_input(struct tui *tui)
{
	for (;;) {
		struct term_event event = term_read();
		if (event.kind == TERM_NOTHING)
			return;
		tui->dirty = tui->unsaved = true;
		switch (event.kind) {
		case TERM_KEY: take_key(tui, event.key); break;
		case TERM_CLICK: screen_click(tui->tutor, &tui->targets, event.row, event.col); break;
		case TERM_WHEEL_UP: wheel(tui, ACTION_UP); break;
		case TERM_WHEEL_DOWN: wheel(tui, ACTION_DOWN); break;
		case TERM_GONE: tui->gone = true; return;
		default: break;
		}
		if (tui->tutor->quit)
			return;
	}
}

static void save(struct tui *tui)
{
	struct diag diag = {0};
	tui->unsaved = false;
	if (!tutor_save(tui->tutor, &diag) && diag.count > 0) {
		struct buf sentence = {0};
		buf_printf(&sentence, "Progress is not kept: %s%s%s.", diag.entries[0].file ? diag.entries[0].file : "",
			diag.entries[0].file ? ": " : "", diag.entries[0].message);
		tutor_notice(tui->tutor, buf_str(&sentence));
		buf_free(&sentence);
		tui->dirty = true;
	}
	diag_free(&diag);
}

/* --- the loop --------------------------------------------------------------------------------------------------------- */
static int wait_ms(const struct tui *tui)
{
	if (tutor_has_work(tui->tutor))
		return 0;
	int gpu = gpu_timeout_ms(tui->tutor->gpu);
	if (tui->unsaved && (gpu < 0 || gpu > SAVE_MS))
		return SAVE_MS;
	return gpu;
}

static void wait_for_events(struct tui *tui)
{
	struct pollfd fds[] = {
		{.fd = 0, .events = POLLIN},
		{.fd = signals_fd(), .events = POLLIN},
		{.fd = gpu_fd(tui->tutor->gpu), .events = POLLIN},
		{.fd = gpu_write_fd(tui->tutor->gpu), .events = POLLOUT},
	};
	int timeout = wait_ms(tui);
	int n = poll(fds, sizeof fds / sizeof *fds, timeout);
	if (n == 0 && tutor_has_work(tui->tutor))
		tui->dirty |= tutor_work(tui->tutor);
	else if (n == 0 && tui->unsaved)
		save(tui);
	for (int signal; (signal = signals_read()) != 0;)
		take_signal(tui, signal);
	if (fds[0].revents & POLLIN)
		take_input(tui);
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		tui->gone = true;
}

static void loop(struct tui *tui)
{
	draw(tui);
	tutor_gpu_start(tui->tutor);
	tui->dirty = tui->unsaved = true;
	while (!tui->tutor->quit && !tui->killed_by && !tui->gone) {
		tui->dirty |= tutor_gpu_step(tui->tutor);
		if (tui->dirty)
			draw(tui);
		wait_for_events(tui);
	}
}

int tui_run(struct tutor *tutor, struct diag *diag)
{
	struct tui tui = {.tutor = tutor};
	tutor->background = true;
	/* first, so that curses leaves the signals alone */
	if (!signals_open(term_rescue)) {
		diag_error(diag, (struct diag_pos){0}, "no pipe for signals is to be had");
		return EXIT_NO_TERMINAL;
	}
	if (!term_open(diag)) {
		signals_close();
		return EXIT_NO_TERMINAL;
	}
	atexit(term_close);
	loop(&tui);
	term_close();
	signals_close();
	canvas_free(tui.canvas);
	tutor_save(tutor, diag);
	return tui.gone ? 128 + SIGHUP : tui.killed_by ? 128 + tui.killed_by : 0;
}
