#include "config.h"
#include "front/tui/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/text.h"
#include "front/tui/term.h"
#include "front/tutor/keys.h"
#include "tools/sandbox/starter.h"

#define EXIT_NO_TERMINAL 3
#define WHEEL_ROWS 3
#define EVENTS_MAX 10000 /* taken before signals are looked at, and the screen is drawn */
#define ANSWER_MS 15     /* that the first picture waits for the color of the terminal's background */

struct loop {
	const struct tui_app *app;
	struct canvas *canvas;
	bool dirty;            /* the screen is to be drawn again */
	bool gone;             /* the terminal is */
	bool editing;          /* the terminal is the editor's */
	bool more;             /* there was more than was taken */
	int killed_by;         /* signal, 0: none */
	struct tui_event over; /* where the mouse was last, while that was not looked at */
};

static void draw_frame(struct loop *loop)
{
	int rows, cols;
	tui_term_size(&rows, &cols);
	if (!loop->canvas || loop->canvas->rows != rows || loop->canvas->cols != cols) {
		canvas_free(loop->canvas);
		loop->canvas = canvas_new(rows, cols);
	}
	loop->app->draw(loop->app->ctx, loop->canvas);
	tui_term_draw(loop->canvas);
	loop->dirty = false;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Everything that was typed, before anything is drawn; of a flood a part. */
static void take_input(struct loop *loop)
{
	const struct tui_app *app = loop->app;
	loop->more = false;
	for (int n = 0; n < EVENTS_MAX; n++) {
		struct tui_event event = tui_term_read();
		if (event.kind == TUI_NOTHING)
			return;
		loop->dirty |= event.kind != TUI_HOVER;
		switch (event.kind) {
		case TUI_KEY:
			if (tutor_key_row(KEYS_ANY, event.key) == ACTION_REDRAW) /* in every program */
				tui_term_forget();
			app->key(app->ctx, event.key);
			break;
		case TUI_PASTE:
			if (app->paste)
				app->paste(app->ctx, tui_term_pasted());
			break;
		case TUI_CLICK: app->click(app->ctx, event.row, event.col); break;
		case TUI_WHEEL_UP: app->wheel(app->ctx, event.row, event.col, -WHEEL_ROWS); break;
		case TUI_WHEEL_DOWN: app->wheel(app->ctx, event.row, event.col, WHEEL_ROWS); break;
		case TUI_HOVER: loop->over = event; break;
		case TUI_GONE: loop->gone = true; return;
		default: break;
		}

		/* A key, or a click on one, may ask for the editor. */
		bool may_edit = (event.kind == TUI_KEY || event.kind == TUI_CLICK) && !loop->editing && app->edit;
		const char *path;
		int line;
		if (may_edit && app->edit(app->ctx, &path, &line)) {
			tui_term_suspend();
			loop->editing = foreground_start(path, line);
			if (!loop->editing) {
				tui_term_resume();
				app->edited(app->ctx, _("cannot be started any more"));
			}
		}
		if (loop->editing || app->is_done(app->ctx))
			return;
	}
	loop->more = true;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

int tui_loop(const struct tui_app *app, struct diag *diag)
{
	struct loop loop = {.app = app};
	/* first, so that curses leaves the signals alone */
	if (!tui_signals_open(tui_term_crashed)) {
		diag_error(diag, (struct diag_pos){0}, "no pipe can be made for signals");
		return EXIT_NO_TERMINAL;
	}
	atexit(tui_term_exit);
	if (!tui_term_open(diag)) {
		tui_signals_close();
		return EXIT_NO_TERMINAL;
	}

	struct pollfd keys = {.fd = 0, .events = POLLIN};
	if (tui_term_waits() && poll(&keys, 1, ANSWER_MS) > 0)
		take_input(&loop);
	draw_frame(&loop);
	if (app->begin) {
		app->begin(app->ctx);
		loop.dirty = true;
	}
	while (!app->is_done(app->ctx) && !loop.killed_by && !loop.gone) {
		if (app->step)
			loop.dirty |= app->step(app->ctx);
		if (loop.dirty && !loop.editing)
			draw_frame(&loop);

		struct pollfd fds[2 + TUI_FDS_MAX] = {
			{.fd = 0, .events = POLLIN}, {.fd = tui_signals_fd(), .events = POLLIN}};
		if (loop.editing)
			fds[0].fd = foreground_fd();
		int others = app->fds ? app->fds(app->ctx, fds + 2) : 0;
		int n = poll(fds, (nfds_t)(2 + others), loop.more ? 0 : app->timeout_ms(app->ctx));
		if (n == 0 && !loop.more)
			loop.dirty |= app->idle(app->ctx);
		for (int signal; (signal = tui_signals_read()) != 0;) {
			if (loop.editing) {
				/* The editor has the terminal: ^C and the like are for it, and it stops with us. */
				switch (signal) {
				case SIGWINCH:
				case SIGINT:
				case SIGQUIT: break;
				case SIGTSTP: tui_signals_stop(); /* fall through */
				case SIGCONT: foreground_go_on(); break;
				default: loop.killed_by = signal; break;
				}
				continue;
			}
			switch (signal) {
			case SIGWINCH: tui_term_resize(); break;
			case SIGTSTP:
				tui_term_suspend();
				tui_signals_stop();
				tui_term_resume();
				tui_term_resize();
				break;
			case SIGCONT: /* stopped without asking, too */
				tui_term_resume();
				tui_term_resize();
				break;
			case SIGINT:
				if (app->interrupt && app->interrupt(app->ctx))
					break;
				/* fall through */
			default: loop.killed_by = signal; break;
			}
			loop.dirty = true;
		}
		if (loop.editing) {
			if (fds[0].revents) {
				/* It has stopped, and we with it, or ended. */
				struct sandbox_end end;
				struct buf wrong = {0};
				enum foreground_event event = foreground_take(&end);
				if (event == FOREGROUND_STOPPED) {
					tui_signals_stop();
					foreground_go_on();
				}
				if (event != FOREGROUND_ENDED)
					continue;
				loop.editing = false;
				loop.dirty = true;
				if (!sandbox_succeeded(&end))
					sandbox_describe(&end, &wrong);
				if (end.outcome == SANDBOX_ENDED && WIFSIGNALED(end.status))
					tui_term_calm();
				tui_term_resume();
				tui_term_resize();
				loop.app->edited(loop.app->ctx, buf_str(&wrong));
				buf_free(&wrong);
			}
			continue;
		}
		if (loop.more || fds[0].revents & POLLIN)
			take_input(&loop);

		/* Of all places that the mouse went over, the last. */
		if (loop.over.kind == TUI_HOVER && app->hover)
			loop.dirty |= app->hover(app->ctx, loop.over.row, loop.over.col);
		loop.over.kind = TUI_NOTHING;

		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			loop.gone = true;
	}

	if (loop.editing)
		foreground_stop();
	tui_term_close();
	tui_signals_close();
	canvas_free(loop.canvas);
	return loop.gone ? 128 + SIGHUP : loop.killed_by ? 128 + loop.killed_by : 0;
}
