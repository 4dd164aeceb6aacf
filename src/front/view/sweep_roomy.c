/* A sweep as bars: what the model predicts as their height, in eighths of a row, what was measured as a mark on each, the present
 * value in a color of its own. */
#include "front/view/sweep.h"

#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/times.h"

/* Half a row more than the level, whose tick is in the middle of its row. */
static int height_of(const struct view_sweep_plot *p, int which, int i)
{
	if (!view_sweep_there(p->sweep, which, i))
		return 0;
	double v = view_sweep_series(p->sweep, which)[i].v;
	int eighths = v > 0 ? (int)lround(8 * view_sweep_part(&p->scale, v)) + 4 : 0;
	return eighths < 0 ? 0 : eighths > 8 * p->scale.rows ? 8 * p->scale.rows : eighths;
}

static void draw_guides(struct canvas *canvas, const struct view_sweep_plot *p)
{
	for (int i = 1; !isnan(view_sweep_tick(&p->scale, i)) && i < 64; i++)
		canvas_fill(canvas,
			(struct rect){p->axis - 1 - view_sweep_level(&p->scale, view_sweep_tick(&p->scale, i)), p->left,
				1, p->cols},
			GLYPH_LINE_H_DASHED, ROLE_FRAME);
}

static void draw_predicted(struct canvas *canvas, const struct view_sweep_plot *p, int i, enum role role)
{
	int pitch = view_sweep_pitch(p->sweep, p->cols, p->widest), cols = pitch > 1 ? pitch - 1 : 1;
	int eighths = height_of(p, 0, i), from = view_sweep_x_col(p, i) - (cols - 1) / 2;
	for (int up = 0; 8 * up < eighths; up++) {
		int part = eighths - 8 * up;
		struct rect r = {p->axis - 1 - up, from, 1, cols};
		if (part >= 8)
			canvas_paint(canvas, r, role);
		else
			canvas_fill(canvas, r, view_times_eighth(part), role);
	}
}

/* Rows that the bar reaches into. */
static int above(const struct view_sweep_plot *p, int i)
{
	return (height_of(p, 0, i) + 7) / 8;
}

/* × at what was measured, where that is not as predicted; in the color of the paper inside the bar. */
static void draw_mark(struct canvas *canvas, const struct view_sweep_plot *p, int i, enum role bar)
{
	const struct view_sweep *sweep = p->sweep;
	if (!view_sweep_there(sweep, 1, i) || view_sweep_agree(sweep, i))
		return;
	int level = view_sweep_level(&p->scale, view_sweep_series(sweep, 1)[i].v), col = view_sweep_x_col(p, i);
	if (8 * (level + 1) <= height_of(p, 0, i))
		canvas_put_on(canvas, (struct rect){p->axis - 1 - level, col, 1, 1}, GLYPH_TIMES, ROLE_PAPER, bar);
	else
		canvas_put(canvas, p->axis - 1 - level, col, GLYPH_TIMES, view_sweep_measured_role(sweep));
}

/* ● on the axis below each bar that was measured as predicted: at its end it would be read as another value. */
void view_sweep_draw_agreement(struct canvas *canvas, const struct view_sweep_plot *p)
{
	for (int i = 0; i < p->sweep->n; i++)
		if (view_sweep_agree(p->sweep, i))
			canvas_put(canvas, p->axis, view_sweep_x_col(p, i), GLYPH_DISC, ROLE_GOOD);
}

/* The model's number above its bar, and above a mark that is higher: where all have room. */
static void draw_values(struct canvas *canvas, const struct view_sweep_plot *p)
{
	int pitch = view_sweep_pitch(p->sweep, p->cols, p->widest);
	struct buf text = {0};
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < p->sweep->n; i++) {
			if (!view_sweep_there(p->sweep, 0, i))
				continue;
			buf_clear(&text);
			value_format(p->sweep->predicted[i].v, &text);
			int cols = utf8_columns(buf_str(&text)), high = above(p, i);
			if (pass == 0 && cols >= pitch) {
				buf_free(&text);
				return;
			}
			int measured = view_sweep_there(p->sweep, 1, i) && !view_sweep_agree(p->sweep, i)
				? view_sweep_level(&p->scale, p->sweep->measured[i].v) + 1
				: 0;
			high = measured > high ? measured : high;
			if (pass == 1)
				canvas_text(canvas, p->axis - 1 - high, view_sweep_x_col(p, i) - (cols - 1) / 2,
					ROLE_MODEL, buf_str(&text));
		}
	}
	buf_free(&text);
}

void view_sweep_draw_bars(struct canvas *canvas, const struct view_sweep_plot *p, int at)
{
	draw_guides(canvas, p);
	for (int i = 0; i < p->sweep->n; i++) {
		enum role role = i == at ? ROLE_WATCHED : ROLE_MODEL;
		draw_predicted(canvas, p, i, role);
		draw_mark(canvas, p, i, role);
		if (view_sweep_covered(p->sweep, i))
			canvas_put(canvas, p->axis - 1, view_sweep_x_col(p, i), '?', ROLE_WATCHED);
	}
	draw_values(canvas, p);
}

void view_sweep_draw_bars_legend(struct canvas *canvas, struct rect rect, const struct view_sweep *sweep)
{
	bool any = false, same = false, other = false;
	for (int i = 0; i < sweep->n; i++) {
		any |= view_sweep_there(sweep, 1, i);
		same |= view_sweep_agree(sweep, i);
		other |= view_sweep_there(sweep, 1, i) && !view_sweep_agree(sweep, i);
	}
	int col = rect.col + canvas_text(canvas, rect.row, rect.col, ROLE_MODEL, "█ predicted") + 2;
	const char *measured = sweep->measured_by == WITNESS_RECORDED ? "recorded" : "measured";
	if (!any)
		canvas_text(canvas, rect.row, col, ROLE_MISSING, "nothing measured");
	if (same)
		col += canvas_textf(canvas, rect.row, col, ROLE_GOOD, "● %s, equal", measured) + 2;
	if (other)
		canvas_textf(canvas, rect.row, col, view_sweep_measured_role(sweep), "× %s", measured);
}
