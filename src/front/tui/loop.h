/* front/tui/loop.h: the event loop that every program on the terminal shares: signals, keys, mouse, drawing. Inside
 * tui/ only. */
#pragma once
#include <poll.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/key.h"
#include "front/canvas/canvas.h"

#define TUI_FDS_MAX 14

/* What is on the terminal. Members without a word may not be NULL. */
struct tui_app {
	void *ctx;
	void (*draw)(void *ctx, struct canvas *canvas);
	void (*key)(void *ctx, key_code key);
	void (*paste)(void *ctx, const char *text); /* a text was pasted; no part of it came as a key; or NULL */
	void (*click)(void *ctx, int row, int col);
	void (*wheel)(void *ctx, int row, int col, int rows); /* turned there by so many rows downwards; negative: up */
	bool (*hover)(void *ctx, int row, int col);           /* the mouse is there; true: draw again; or NULL */
	bool (*edit)(void *ctx, const char **path,
		int *line);                           /* whether the last key asks for a file in the editor; or NULL */
	void (*edited)(void *ctx, const char *wrong); /* it is back; what went wrong, "" nothing */
	bool (*is_done)(const void *ctx);
	int (*timeout_ms)(const void *ctx); /* until `idle`; 0: there is work, -1: never */
	bool (*idle)(void *ctx);            /* nothing came for so long; true: draw again */
	bool (*interrupt)(void *ctx);       /* SIGINT; false: it ends the program. NULL: it always does */
	void (*begin)(void *ctx);           /* after the first frame; or NULL */
	bool (*step)(void *ctx);            /* before every frame; true: draw again; or NULL */
	int (*fds)(const void *ctx, struct pollfd fds[TUI_FDS_MAX]); /* others that wake the loop; how many; or NULL */
};

/* Runs it until it is done. The terminal is restored on every way out, signals included. Returns as tui_run. */
int tui_loop(const struct tui_app *app, struct diag *diag);

/* Signals as bytes in a pipe, so that the event loop sees them like any other input. One per process. */
/* Takes over SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP and SIGCONT; on a crash `rescue` is called (from the
 * handler) before the signal does its work. False when no pipe can be made. */
bool tui_signals_open(void (*rescue)(void));
void tui_signals_close(void);

int tui_signals_fd(void);

/* The next signal that came, 0: none. */
int tui_signals_read(void);

/* Stops the process as ^Z does; returns when it goes on. */
void tui_signals_stop(void);
