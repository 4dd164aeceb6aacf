/* screen/parts.h: what the files of screen/ share: the parts of every screen, and the screens. */
#pragma once
#include "screen/screen.h"

/* One drawing of one screen. */
struct sketch {
	struct canvas *canvas;
	struct tutor *tutor;
	struct screen_targets *targets; /* or NULL */
};

void sketch_target(struct sketch *sketch, struct rect rect, enum tutor_action action, int index);

/* The first row: the program, `where` in strong type, `what`, and where the numbers come from at the right. */
void draw_title(struct sketch *sketch, const char *where, const char *what);

/* The last rows: a notice where there is one, and the keys. Returns the first row they take. */
int draw_footer(struct sketch *sketch);

/* A frame around `rect` with a rule at `row`, or another piece of it. */
void draw_frame(struct canvas *canvas, struct rect rect);
void draw_divider(struct canvas *canvas, struct rect rect, int row);
void draw_wall(struct canvas *canvas, int col, int top, int bottom);

/* Words in the upper or lower edge of a frame: returns the columns they took. */
int draw_label(struct canvas *canvas, int row, int col, int cols, enum role role, const char *text);

/* Tells the session how many rows its text takes and how many are seen, and keeps its scroll position within them. */
void scroll_fit(struct tutor *tutor, int total, int rows);

/* In the frame above and below a text: how many rows are hidden there, and what waits below, NULL for nothing. */
void draw_scroll_marks(struct sketch *sketch, struct rect r, int above, int below, const char *waits);

/* Each screen fills rows `top` up to, without, `bottom`. */
void draw_lesson(struct sketch *sketch, int top, int bottom);
void draw_ending(struct sketch *sketch, int top, int bottom);
void draw_list(struct sketch *sketch, int top, int bottom);
void draw_help(struct sketch *sketch);
