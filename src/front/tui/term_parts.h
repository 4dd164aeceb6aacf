/* front/tui/term_parts.h: what term*.c share. Inside term*.c only. */
#pragma once
#include <curses.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "base/buf.h"
#include "front/canvas/canvas.h"
#include "front/canvas/theme.h"
#include "front/tui/term.h"

/* What a character is to something that a terminal sends and that is read in pieces. */
enum tui_part {
	TUI_PART_MORE,   /* it was a part of it, and it goes on */
	TUI_PART_WHOLE,  /* it was the end */
	TUI_PART_BROKEN, /* it was a part of it, and it cannot go on */
	TUI_PART_KEY,    /* it was none: somebody typed this */
	TUI_PART_ESCAPED /* it was none: this came after Esc */
};

/* What the color of the terminal's background is, by the environment or by the terminal, which answers OSC 11 at any
 * time, in pieces, or never. Answers are read character by character among the keys that are typed. */

/* What the terminal TERM=name is asked; "" for one that would show the question. */
const char *tui_background_question(const char *name);

#define TUI_ANSWER_MAX 64   /* "11;rgba:ffff/ffff/ffff/ffff" and some; what is longer is none */
#define TUI_COMMAND_MAX 256 /* characters after which what never ends is over */

/* An operating system command, ESC ] number ; text, as far as it has arrived; {0}: after ESC ]. */
struct tui_command {
	char text[TUI_ANSWER_MAX];
	size_t len;
	size_t read; /* characters, with those that had no room */
	bool begun;  /* there was a number and a semicolon, which no one types */
	bool esc;    /* the last one was Esc */
};

enum tui_part tui_command_take(struct tui_command *command, wint_t ch);

/* Whether it is an answer with a color, 0xRRGGBB. */
bool tui_background_answered(const struct tui_command *command, uint32_t *rgb);

/* What a terminal says of the mouse, read character by character, as it arrives: after ESC [ <, the button, column and
 * row in digits (SGR); after ESC [ M, in a character each (X10). curses would wait for the end of it, however long. */
/* Written to the terminal, so that it says so, and no more. */
extern const char tui_mouse_on[], tui_mouse_off[];

struct tui_mouse {
	bool digits; /* SGR */
	bool release;
	int number[3]; /* button with modifiers, column and row from 1 on */
	int at;        /* the one that is being read */
};

/* Of a whole one; 0: no button that matters, or it was let go. MOVED: without one. */
enum tui_button { TUI_BUTTON_NONE, TUI_BUTTON_LEFT, TUI_BUTTON_WHEEL_UP, TUI_BUTTON_WHEEL_DOWN, TUI_BUTTON_MOVED };

/* Bytes as letters (base64), in which terminals take what is to be on their clipboard. */
void tui_base64(const char *bytes, size_t n, struct buf *out);

/* --- term.c ------------------------------------------------------------------------------------------------------- */

/* curses takes memory by itself. Where there is none it goes on with what it has, ends the program or crashes: between
 * these two calls it is watched, and the program ends as it does elsewhere. errno is how curses says that it lacked
 * memory. */
void tui_term_curses_begin(void);
void tui_term_curses_end(void);

/* Past curses, at once. */
bool tui_term_send(const char *text);
bool tui_term_has_mouse(void);

/* --- term_look.c -------------------------------------------------------------------------------------------------- */

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

/* What curses is given as codes of keys, past its own ones and those of terminfo: the begin and the end of what is
 * pasted. */
enum { TUI_CODE_PASTE_BEGINS = 0x7000, TUI_CODE_PASTE_ENDS };

/* --- term_read.c -------------------------------------------------------------------------------------------------- */

/* Nothing has arrived of a terminal that was just opened. */
void tui_term_read_begin(void);
