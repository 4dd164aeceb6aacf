/* front/screen/parts.h: what the files of screen/ share: the parts of every screen, and the screens. */
#pragma once
#include "front/screen/flow.h"
#include "front/screen/screen.h"
#include "front/tutor/present.h"

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

/* layout.c: where the panes of a lesson lie. A large screen has the picture above, over its whole width, and below it
 * the text in a measure that is easy to read, with numbers and source at its side; a smaller one has text and picture
 * side by side. */
struct screen_layout {
	int wall, wall_top, wall_bottom; /* column between panes, and the rules that it goes from and to; 0: none */
	int dividers[3], n_dividers;     /* rows of the rules from side to side */
	int tabs, tabs_col;              /* where the views are named; without a view, how to get at it */
	int title;                       /* column of the view's title, in the rule above it */
	int parameters;                  /* row */
	struct rect text, view, source, numbers; /* 0 rows or columns: not shown */
};
struct screen_layout screen_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body);

/* Parts of a lesson's screen by themselves: the picture with its title in the rule above, and the source below it where
 * the layout has that; the parameters; the numbers. */
void screen_draw_picture(struct screen_sketch *sketch, const struct screen_layout *layout);
int screen_draw_parameters(struct screen_sketch *sketch, int row); /* returns the column after them */
void screen_draw_numbers(struct screen_sketch *sketch, struct rect rect);

/* The place of a view among the step's, -1: the step does not offer it. */
int screen_view_index(const struct step *step, view_id id);

/* point.c: things on the screen that are pointed at, with arrows from piece to piece of a pane, or with the mouse. What
 * is picked is lit by the views wherever they show it. */

/* Whether arrows move what is pointed at. */
bool screen_is_pointing(const struct screen_state *state, const struct tutor *tutor);

/* POINT and what follows it in actions.def. */
void screen_point_act(struct screen_state *state, const struct tutor *tutor, enum tutor_action action);

/* Picks what lies there; what was picked already, no longer. False: nothing does. */
bool screen_point_click(struct screen_state *state, const struct tutor *tutor, int row, int col);

/* What lies under the mouse, where a word explains it: a metric's name, a term. True when that is another than
 * before. */
bool screen_point_hover(struct screen_state *state, const struct tutor *tutor, int row, int col);

/* The explanation, beside the mouse. */
void screen_point_draw_hover(struct screen_sketch *sketch);

void screen_point_end(struct screen_state *state);

enum screen_pane { PANE_VIEW, PANE_SOURCE, PANE_NUMBERS, PANE_TEXT, PANES };

/* What a pane draws: the session's input, the moment, what is picked, how far it is scrolled. */
struct view_input screen_view_input(const struct screen_sketch *sketch, enum screen_pane pane);

/* Scrolls what is pointed at, or a picture that is shown alone, or whose text is seen whole; false: the text is to be
 * scrolled. */
bool screen_point_scroll(struct screen_state *state, const struct tutor *tutor, int rows);

/* The sentence about what is picked. */
void screen_describe_pick(const struct tutor *tutor, struct view_pick pick, struct buf *out);

/* question.c: a step's question as part of the running text. */
void screen_flow_question(struct screen_flow *flow, const struct tutor *tutor, const struct question *question);

/* An exercise: where the kernel is, what must hold, and what does. */
void screen_flow_exercise(struct screen_flow *flow, const struct tutor *tutor, const struct exercise *exercise);

/* A claim about GPUs; and, below the question, whether it holds, once the question is answered. */
void screen_flow_claim(struct screen_flow *flow, const struct claim *claim);
void screen_flow_verdict(struct screen_flow *flow, const struct tutor *tutor);

/* slide.c, vote.c: a step as a slide: its picture as large as the text lets it be, the text piece by piece, a vote. */

/* Where the panes of a slide lie. */
struct screen_layout screen_slide_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body);

/* Brings what was revealed last in sight. */
void screen_lay_out_slide(struct screen_state *state, const struct tutor *tutor, struct rect body);
void screen_draw_slide(struct screen_sketch *sketch, struct rect body);

/* The question with what the room says of it, and, once it is revealed, the answer. `roomy`: rows that it may take; a
 * list that has them is drawn large. */
void screen_flow_vote(struct screen_flow *flow, const struct tutor *tutor, int roomy);

/* pad.c: what is typed in a playground, where an explored kernel has its source: the form of an access, or a text with
 * its cursor. */

/* Whether there is nothing beside it yet: a kernel that was never compiled. */
bool screen_pad_alone(const struct tutor *tutor);

/* Whether the text is shown in place of the source with its numbers. */
bool screen_pad_covers_source(const struct tutor *tutor);

/* The cursor is kept in sight. */
void screen_pad_lay_out(struct screen_state *state, const struct tutor *tutor, struct rect r);
void screen_pad_draw(struct screen_sketch *sketch, struct rect r);

/* The cursor goes to where the text of a kernel was clicked. False: it was elsewhere. */
bool screen_pad_click(struct screen_state *state, struct tutor *tutor, int row, int col);

/* settings.c: the reader's settings (front/tutor/settings.h) in a box. */

/* A click on the line of one; -1: elsewhere. */
void screen_settings_click(struct screen_state *state, struct tutor *tutor, int index);

/* stepper.c: the step's kernel in the debugger, over the lesson, which waits as it is. */

/* Opens it at the watched line; where nothing is launched, or what the question asks about is still covered, says
 * so. */
void screen_stepper_open(struct screen_state *state, struct tutor *tutor);
void screen_stepper_close(struct screen_state *state);
