/* tui/term.h: the terminal behind curses: opened, drawn on, read from, and given back as it was. One per process. */
#pragma once
#include <stdbool.h>

#include "base/diag.h"
#include "canvas/canvas.h"

/* False, with an error, when standard input or output is no terminal or TERM names one that cannot place the cursor. */
bool term_open(struct diag *diag);
void term_close(void);

/* Gives the terminal back from inside a signal handler: only write() and tcsetattr(). */
void term_rescue(void);

/* Between the two the terminal is the shell's. */
void term_suspend(void);
void term_resume(void);

/* Takes over the terminal's present size. */
void term_resize(void);
void term_size(int *rows, int *cols);

/* Puts the canvas on the terminal; only what changed goes out. term_forget: the next one goes out whole. */
void term_draw(const struct canvas *canvas);
void term_forget(void);

enum term_event_kind { TERM_NOTHING, TERM_UNKNOWN, TERM_KEY, TERM_CLICK, TERM_WHEEL_UP, TERM_WHEEL_DOWN, TERM_GONE };

struct term_event {
	enum term_event_kind kind;
	char key[16]; /* TERM_KEY: its name, as in tutor/keys.def */
	int row, col; /* of the mouse */
};

/* The next event that waits, without blocking. Call until TERM_NOTHING. TERM_GONE: nobody is at the other end any more. */
struct term_event term_read(void);
