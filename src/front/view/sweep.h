/* front/view/sweep.h: the scales and axes of the view `sweep`, in both of its forms. For this folder only. */
#pragma once
#include "front/view/draw.h"

/* How values become levels, 0 (lowest row of the plot) to rows - 1. A logarithmic scale counts doublings of v + shift;
 * shift is 1 where there are zeros, so that 0, 1, 3, 7 become 0, 1, 2, 3. */
struct view_sweep_scale {
	bool log;
	double low, high; /* linear: low is 0 */
	double shift;
	int rows;
};

/* Where the plot lies: rows above the axis, columns right of the labels. */
struct view_sweep_plot {
	const struct view_sweep *sweep;
	struct view_sweep_scale scale;
	int top, axis, left, cols, label;
	int right;  /* end of the rectangle, which labels may use */
	int widest; /* the most columns from one x to the next */
	int *at;    /* the column of each x, where they do not lie evenly; NULL: they do */
	bool line;  /* the values are some of many: what lies between two of them is joined */
};

/* The values of the model, which 0, or the measured ones, which 1; and whether it has one. */
const struct value *view_sweep_series(const struct view_sweep *sweep, int which);
bool view_sweep_there(const struct view_sweep *sweep, int which, int i);

/* Whether it answers a question that is open: a ? stands in its place. */
bool view_sweep_covered(const struct view_sweep *sweep, int i);

/* Whether both are there and print alike. */
bool view_sweep_agree(const struct view_sweep *sweep, int i);

enum role view_sweep_measured_role(const struct view_sweep *sweep);

/* The level of a value, in parts of a row, and as the row. */
double view_sweep_part(const struct view_sweep_scale *s, double v);
int view_sweep_level(const struct view_sweep_scale *s, double v);

/* The value of tick `i` counted from the bottom, or NaN past the top. */
double view_sweep_tick(const struct view_sweep_scale *s, int i);

/* Columns from one x to the next, with room for names; 0: several share a column. The column of x `i`. */
int view_sweep_pitch(const struct view_sweep *sweep, int cols, int most);
int view_sweep_x_col(const struct view_sweep_plot *p, int i);

/* Bars for the model, marks for what was measured, numbers where there is room; `at`: of the present value, -1: none. */
void view_sweep_draw_bars(struct canvas *canvas, const struct view_sweep_plot *p, int at);
void view_sweep_draw_agreement(struct canvas *canvas, const struct view_sweep_plot *p);
void view_sweep_draw_bars_legend(struct canvas *canvas, struct rect rect, const struct view_sweep *sweep);
