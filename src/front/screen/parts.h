/* front/screen/parts.h: what the files of screen/ share: the parts of every screen, and the screens. */
#pragma once
#include "front/screen/screen.h"

/* One drawing of one screen. */
struct screen_sketch {
	struct canvas *canvas;
	const struct tutor *tutor;
	const struct screen_state *state;
	struct screen_targets *targets; /* or NULL */
	struct view_spots *spots;       /* or NULL */
};

void screen_add_target(struct screen_sketch *sketch, struct rect rect, enum tutor_action action, int index);

/* A frame around `rect` with a rule at `row`, or another piece of it. */
void screen_draw_frame(struct canvas *canvas, struct rect rect);
void screen_draw_divider(struct canvas *canvas, struct rect rect, int row);
void screen_draw_wall(struct canvas *canvas, int col, int top, int bottom);

/* Words in the upper or lower edge of a frame, between blanks: returns the columns they took. */
int screen_draw_label(struct canvas *canvas, struct rect rect, enum role role, const char *text);

/* Draws the session for where things lie that can be pointed at. */
void screen_draw_spots(
	struct canvas *canvas, const struct tutor *tutor, const struct screen_state *state, struct view_spots *spots);

/* Takes over what has happened in the session. */
void screen_follow(struct screen_state *state, const struct tutor *tutor);

/* The text takes `total` rows, of which `room` are seen: keeps the scroll position within them. */
void screen_lay_out_text(struct screen_state *state, int total, int room);

/* What waits below the text that is seen, and the key that shows it; `what` NULL: nothing. */
struct screen_waits {
	const char *what, *key;
	enum tutor_action action;
};

/* In the frame above and below the text in `r`: how many rows are hidden there, and what waits below. */
void screen_draw_scroll_marks(struct screen_sketch *sketch, struct rect r, const struct screen_waits *waits);

/* Whether a screen of this size has room for text and picture. */
bool screen_has_both(int rows, int cols);

/* Each screen fills the body, which is as wide as the canvas. */
void screen_lay_out_lesson(struct screen_state *state, const struct tutor *tutor, struct rect body);
void screen_draw_lesson(struct screen_sketch *sketch, struct rect body);
void screen_lay_out_ending(struct screen_state *state, const struct tutor *tutor, struct rect body);
void screen_draw_ending(struct screen_sketch *sketch, struct rect body);
/* What is known of the GPU, in a sentence. */
void screen_describe_gpu(const struct tutor *tutor, char *out, size_t size);

void screen_draw_welcome(struct screen_sketch *sketch, struct rect body);
void screen_draw_list(struct screen_sketch *sketch, struct rect body);
void screen_lay_out_help(struct screen_state *state, const struct tutor *tutor, int rows);
/* The list of keys goes on to the next topic, or back to the one before. */
void screen_help_turn(struct screen_state *state, const struct tutor *tutor, int by);
void screen_draw_help(struct screen_sketch *sketch);
