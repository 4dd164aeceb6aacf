/* front/screen/point.h: pointing at what is drawn: with arrows from piece to piece of a pane, or with the mouse. What is picked is lit by the
 * views wherever they show it. For this folder only. */
#pragma once
#include "front/screen/parts.h"

/* Whether arrows move what is pointed at. */
bool screen_is_pointing(const struct screen_state *state, const struct tutor *tutor);

/* POINT and what follows it in actions.def; false: the action is another. */
bool screen_point_act(struct screen_state *state, const struct tutor *tutor, enum tutor_action action);

/* Picks what lies there; what was picked already, no longer. False: nothing does. */
bool screen_point_click(struct screen_state *state, const struct tutor *tutor, int row, int col);

/* What lies under the mouse, where a word explains it: a metric's name, a term. True when that is another than before. */
bool screen_point_hover(struct screen_state *state, const struct tutor *tutor, int row, int col);

/* The explanation, beside the mouse. */
void screen_point_draw_hover(struct screen_sketch *sketch);

void screen_point_end(struct screen_state *state);

enum screen_pane { PANE_VIEW, PANE_SOURCE, PANE_NUMBERS, PANE_TEXT, PANES };

/* What a pane draws: the session's input, the moment, what is picked, how far it is scrolled. */
struct view_input screen_view_input(const struct screen_sketch *sketch, enum screen_pane pane);

/* Scrolls what is pointed at, or a picture that is shown alone, or whose text is seen whole; false: the text is to be scrolled. */
bool screen_point_scroll(struct screen_state *state, const struct tutor *tutor, int rows);

/* The sentence about what is picked. */
void screen_point_say(const struct screen_state *state, const struct tutor *tutor, struct buf *out);
