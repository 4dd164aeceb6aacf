/* front/tui/term.h: the terminal, through curses: opened, drawn on, read from, and given back as it was. One per
 * process. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/key.h"
#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"

/* False, with an error, when standard input or output is not a terminal or TERM names one that cannot place the
 * cursor. */
bool tui_term_open(struct diag *diag);
void tui_term_close(void);

/* The theme from the next opening on. Else, and with CANVAS_THEMES, the one for the terminal's background, which the
 * terminal is asked for (OSC 11): until it answers, and where it never does, the one that COLORFGBG says, or one for
 * any background. */
void tui_term_set_theme(enum canvas_theme theme);

/* What the terminal's mouse and letters are used for, from now on. */
struct tui_uses {
	bool no_mouse; /* it is the terminal's: it selects text there */
	bool ascii;    /* letters and dashes only; else where the locale has no more */
};
void tui_term_use(struct tui_uses uses);

/* Puts a text on the clipboard of the terminal (OSC 52), which may have none, or let no program at it. False: it is
 * known to have none, or the text is too long for one. */
bool tui_term_copy(const char *text, size_t len);

/* Goes on to the next theme and returns it. */
enum canvas_theme tui_term_next_theme(void);

/* The present one. */
enum canvas_theme tui_term_theme(void);

/* This theme from now on; CANVAS_THEMES: the one that suits the terminal, as far as it has said. */
void tui_term_turn_theme(enum canvas_theme theme);

/* Whether the first picture had better wait a moment for the terminal's answer. */
bool tui_term_waits(void);

/* Gives the terminal back from inside a signal handler: only write() and tcsetattr(). */
void tui_term_rescue(void);

/* The same in the handler of a crash. Where that is curses without memory, it says so and ends the program
 * (base/arena.h). */
void tui_term_crashed(void);

/* What exit() is to call: curses calls it where it lacks memory. */
void tui_term_exit(void);

/* Between the two the terminal is the shell's. */
void tui_term_suspend(void);
void tui_term_resume(void);

/* What an editor that did not end by itself leaves: modes of terminals that nobody has asked for any more. */
void tui_term_calm(void);

/* A line in the place of the screen, whole and without anything beside it, until Enter or a signal. */
void tui_term_show_line(const char *text, int signals);

/* Takes over the terminal's present size. */
void tui_term_resize(void);
void tui_term_size(int *rows, int *cols);

/* Puts the canvas on the terminal; only what changed goes out. tui_term_forget: the next one goes out whole. */
void tui_term_draw(const struct canvas *canvas);
void tui_term_forget(void);

enum tui_event_kind {
	TUI_NOTHING,
	TUI_UNKNOWN,
	TUI_KEY,
	TUI_CLICK,
	TUI_WHEEL_UP,
	TUI_WHEEL_DOWN,
	TUI_HOVER,
	TUI_BACKGROUND,
	TUI_PASTE,
	TUI_GONE
};

struct tui_event {
	enum tui_event_kind kind;
	key_code key; /* TUI_KEY */
	int row, col; /* of the mouse */
};

/* The next event that waits, without blocking. Call until TUI_NOTHING. TUI_BACKGROUND: the terminal has answered, and
 * the theme is another one. TUI_PASTE: a text was pasted, that of tui_term_pasted. TUI_GONE: the terminal was
 * closed. */
struct tui_event tui_term_read(void);

/* The key of a character that was typed, or, `special`, of curses' code of one. KEYC_NONE where there is none: it does
 * nothing. */
key_code tui_term_key(bool special, uint32_t ch);

/* The text that was pasted last, valid until the next reading: UTF-8, of control characters only line ends and tabs. */
const char *tui_term_pasted(void);
