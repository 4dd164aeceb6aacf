/* front/tui/term_parts.h: what term*.c share. Inside term*.c only. */
#pragma once
#include <curses.h>
#include <wchar.h>

#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"
#include "front/tui/background.h"
#include "front/tui/term.h"

/* --- term.c ------------------------------------------------------------------------------------------------------------- */
/* curses takes memory by itself. Where there is none it goes on with what it has, ends the program or crashes: between these two calls
 * it is watched, and the program ends as it does elsewhere. errno is how curses says that it lacked memory. */
void tui_term_curses_begin(void);
void tui_term_curses_end(void);

/* Past curses, at once. */
bool tui_term_send(const char *text);
bool tui_term_has_mouse(void);

/* --- term_look.c -------------------------------------------------------------------------------------------------------- */
struct tui_look {
	bool known;
	attr_t attrs;
	short pair; /* 0: none */
};
const struct tui_look *tui_look_of(const struct cell *cell);
/* Those that are used. */
enum canvas_colors tui_look_colors(void);
/* The theme of a terminal that was just opened, TERM=name, which is asked for its background. */
void tui_term_choose_theme(const char *name);
/* Takes what was answered; whether it changes anything. */
bool tui_term_take_answer(const struct tui_command *command);

/* What curses is given as codes of keys, past its own ones and those of terminfo: the begin and the end of what is pasted. */
enum { TUI_CODE_PASTE_BEGINS = 0x7000, TUI_CODE_PASTE_ENDS };

/* --- term_read.c -------------------------------------------------------------------------------------------------------- */
/* Nothing has arrived of a terminal that was just opened. */
void tui_term_read_begin(void);
