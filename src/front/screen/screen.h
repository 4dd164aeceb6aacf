/* front/screen/screen.h: the whole screen drawn on a canvas from the session's state: panes, list, lesson, help. No
 * terminal, so that `show` prints and tests compare exactly what a reader sees.
 *
 * What the reader opened and scrolled is a screen_state, which belongs to the caller. Keys change it and the session;
 * screen_lay_out fits it to both and to the canvas's size; drawing changes nothing. */
#pragma once
#include "base/key.h"
#include "front/canvas/canvas.h"
#include "front/tutor/tutor.h"

/* The smallest terminal the panes are laid out for; on a smaller one the screen says so and still takes keys. */
#define SCREEN_MIN_ROWS 16
#define SCREEN_MIN_COLS 60

struct debug;
struct screen_mode;

/* What lies over the screen and has the keys, the highest last: each is one of those below (modes.h). */
#define SCREEN_MODES_MAX 4
struct screen_modes {
	const struct screen_mode *at[SCREEN_MODES_MAX];
	int n;
};
void screen_push(struct screen_modes *modes, const struct screen_mode *mode);
bool screen_has(const struct screen_modes *modes, const struct screen_mode *mode);

/* The first start: in the place of the list, until a key is pressed; the list of keys; the line to type in of a finder;
 * the reader's settings; the step's kernel in the debugger; and the debugger's own list of keys. */
extern const struct screen_mode screen_mode_welcome, screen_mode_help, screen_mode_finder, screen_mode_settings,
	screen_mode_debugger, screen_mode_debug_help;

/* Where a mouse click does something. */
struct screen_target {
	struct rect rect;
	enum tutor_action action;
	int index; /* OPEN: the lesson; VIEW_NEXT: the step's view; PARAM_*: the parameter; else -1 */
};
#define SCREEN_TARGETS_MAX 64

struct screen_targets {
	struct screen_target t[SCREEN_TARGETS_MAX];
	int n;
};

/* What of a lesson is shown. */
enum screen_focus { SCREEN_BOTH, SCREEN_PICTURE, SCREEN_TEXT, SCREEN_FOCUSES };

/* A line to type in, and which of what it finds is chosen. `kind`: SEARCH, PALETTE, GOTO. */
struct screen_finder {
	enum tutor_action kind;
	char typed[64];
	int chosen;
};

/* All zero at first; what it opened is freed by screen_end. Rows of the running text count from 0. */
struct screen_state {
	struct screen_modes modes;
	enum screen_focus focus;
	bool playing; /* the picture, moment by moment */
	int moment;   /* of view_moments; 0: all of it is shown */
	int pace;     /* index of how fast */
	struct screen_finder finder;
	bool pointing;                  /* arrows move what is picked */
	struct view_pick picked;        /* by the reader */
	struct view_pick hovered;       /* by the mouse: explained beside it, */
	int hover_row, hover_col;       /* there */
	int view_scroll, source_scroll; /* rows of the picture and of the source, as view_input has them */
	int at_row, at_col;             /* of the canvas, where it was */
	struct screen_stepper *stepper; /* the step's kernel in the debugger; NULL: it is not open */
	bool playground_asked;          /* by the last key: the caller's, to be opened over the session */
	bool theme_asked;               /* by the last key: the caller's */
	enum tutor_action
		copy_asked;   /* by the last key: COPY, COPY_PATH; the caller's: of screen_copy_text; else NONE */
	bool edit_asked;      /* by the last key: the file of tutor_file_to_edit, the caller's */
	int setting_at;       /* of the settings, the one that is chosen (enum tutor_setting) */
	bool setting_changed; /* that one, by the last key: to be carried out and kept, by the caller */
	int help_scroll;      /* first line of the key list, and */
	int text_scroll;      /* first row of the text, that is seen */

	/* made by screen_lay_out */
	int rows, cols;           /* of the canvas */
	int body_end;             /* row of the canvas after the panes; the notice and the keys follow */
	int text_rows, text_room; /* rows that the text takes, and how many of them are seen */
	int question_row;         /* row at which the question begins; where there is none, the text ends */

	int pad_row, pad_col;  /* first line and column of a kernel's text that are seen, and */
	struct rect pad_place; /* where it is */

	view_id played;           /* the view that the moment is of */
	view_id scrolled;         /* the view that is scrolled */
	struct tutor_events seen; /* what has happened in the session since is still to be followed */
	enum tutor_attention_to attention;
};

/* Closes what the reader has open besides the lesson. */
void screen_end(struct screen_state *state);

/* The debugger that is open, NULL: none; while it is, nothing may be done that has the session show another launch: no
 * tutor_work, tutor_attempt_step, tutor_explore_step. Whether something is under way in it; a slice of that. */
struct debug *screen_debugger(const struct screen_state *state);
bool screen_debugger_busy(const struct screen_state *state);
void screen_debugger_work(struct screen_state *state);

/* Fits the state to the session and to a canvas of this size: what has happened since is followed, scroll positions are
 * within what there is. */
void screen_lay_out(struct screen_state *state, const struct tutor *tutor, int rows, int cols);

/* Draws the session to fill `canvas`, for whose size the state was laid out. `targets` may be NULL. */
void screen_draw(struct canvas *canvas, const struct tutor *tutor, const struct screen_state *state,
	struct screen_targets *targets);

/* Lays out for the canvas and draws. */
void screen_render(
	struct canvas *canvas, const struct tutor *tutor, struct screen_state *state, struct screen_targets *targets);

/* Carries out an action: what is the screen's on the state, all other by tutor_act. */
void screen_act(struct screen_state *state, struct tutor *tutor, enum tutor_action action);

/* What copy_asked asks for: the picture as text, or a path. Nothing where there is none. */
void screen_copy_text(const struct screen_state *state, const struct tutor *tutor, struct buf *out);

/* Milliseconds until the next moment of what is playing, -1: nothing is. And that moment: true, the screen is to be
 * drawn. */
int screen_play_ms(const struct screen_state *state);
bool screen_play_step(struct screen_state *state, const struct tutor *tutor);

/* A key goes to what lies over the screen, else: digits, '.', ',', '-' and Backspace go to the question where there is
 * an open one, while a reader types also those without another meaning; all others are looked up in the key table
 * (front/tutor/keys.h). */
void screen_key(struct screen_state *state, struct tutor *tutor, key_code key);

/* A text that was pasted goes where text is typed: into a playground, a question's answer, a line that is open.
 * Elsewhere a notice says that nothing takes it. No part of it is a key. */
void screen_paste(struct screen_state *state, struct tutor *tutor, const char *text);

/* The wheel, turned over a pane, scrolls what is in it; `rows` less than 0: up. */
void screen_wheel(struct screen_state *state, struct tutor *tutor, int row, int col, int rows);

/* The mouse is there now. True: something is explained beside it, or no longer, and the screen is to be drawn. */
bool screen_hover(struct screen_state *state, const struct tutor *tutor, int row, int col);

/* Does what a click at this cell does: shows the view, turns the parameter, opens the lesson (on a second click). False
 * when nothing is there. */
bool screen_click(
	struct screen_state *state, struct tutor *tutor, const struct screen_targets *targets, int row, int col);

/* --- notes.c: the speaker's notes on a terminal of their own --- */

struct notes_slide;
struct screen_notes {
	const struct notes_slide *slide; /* NULL: nobody presents: */
	const char *why;
	int64_t now;       /* seconds since 1970 */
	const char *clock; /* the time of the room, "14:05" */
};

void screen_notes_draw(struct canvas *canvas, const struct screen_notes *notes);
