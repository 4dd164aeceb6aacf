/* front/screen/layout.h: where the panes of a lesson lie. A large screen has the picture above, over its whole width, and below it the
 * text in a measure that is easy to read, with numbers and source at its side; a smaller one has text and picture side by
 * side. For this folder only. */
#pragma once
#include "front/screen/parts.h"

struct screen_layout {
	int wall, wall_top, wall_bottom; /* column between panes, and the rules that it goes from and to; 0: none */
	int dividers[3], n_dividers;     /* rows of the rules from side to side */
	int tabs, tabs_col;              /* where the views are named; without a view, how to get at it */
	int title;                       /* column of the view's title, in the rule above it */
	int parameters;                  /* row */
	struct rect text, view, source, numbers; /* 0 rows or columns: not shown */
};
struct screen_layout screen_layout(const struct screen_state *state, const struct tutor *tutor, struct rect body);

/* Parts of a lesson's screen by themselves: the picture with its title in the rule above, and the source below it where the layout has
 * that; the parameters; the numbers. */
void screen_draw_picture(struct screen_sketch *sketch, const struct screen_layout *layout);
void screen_draw_parameters(struct screen_sketch *sketch, int row);
void screen_draw_numbers(struct screen_sketch *sketch, struct rect rect);

/* The place of a view among the step's, -1: the step does not offer it. */
int screen_view_index(const struct step *step, view_id id);
