#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/numbers.h"

/* Powers of ten: operations per byte to the right, per nanosecond upwards. */
struct roofline_scale {
	double x_low, x_high, y_low, y_high; /* their exponents */
};

struct roofline_plot {
	const struct view_roofline *roofline;
	struct roofline_scale scale;
	struct rect rect; /* inside the axes; the names of the roofs are on the row above */
	int label;        /* columns of the labels of the levels, left of the axis */
};

/* Where the launch is, by the model, which 0, or as it was measured, which 1. */
struct roofline_point {
	enum roof_level level;
	double x, y;
};

#define BEYOND 1.5 /* powers of ten beyond the last ridge that are drawn; points farther out are at the edge */
#define ABOVE 0.1  /* powers of ten above the roof */
#define DEEPEST 5  /* powers of ten below the roof, at most */

/* --- points ------------------------------------------------------------------------------------------------------- */

static const struct roof_work *roofline_work(const struct view_roofline *r, int which, int i)
{
	return which == 0 ? &r->predicted[i] : &r->measured[i];
}

static bool roofline_covered(const struct view_roofline *r, int i)
{
	return r->covered && r->covered[i];
}

static bool view_roofline_point(const struct view_roofline *r, int which, int i, struct roofline_point *out)
{
	const struct roof_work *work = roofline_work(r, which, i);
	out->level = roof_tightest(r->roofs, work);
	return out->level != ROOF_LEVELS && roof_intensity(work, out->level, &out->x) && roof_rate(work, &out->y);
}

static enum role roofline_measured_role(const struct view_roofline *r)
{
	return r->measured_by == WITNESS_RECORDED ? ROLE_RECORDED : ROLE_LIVE;
}

/* Percent of the roof above a point. */
static double roofline_share(const struct view_roofline *r, const struct roofline_point *p)
{
	return 100 * p->y / roof_above(r->roofs, p->level, p->x);
}

static const char *roofline_lacks(const struct view_input *input)
{
	const struct view_roofline *r = input->roofline;
	struct roofline_point point;
	bool counted = false, some = false, time = false;
	if (r->n == 0)
		return "The kernel was not run here.";
	for (int i = 0; i < r->n; i++) {
		if (roofline_covered(r, i) || view_roofline_point(r, 0, i, &point) ||
			view_roofline_point(r, 1, i, &point))
			return NULL;
		for (int which = 0; which < 2; which++) {
			const struct roof_work *work = roofline_work(r, which, i);
			counted |= work->operations.state == VALUE_OK;
			some |= work->operations.state == VALUE_OK && work->operations.v > 0;
			time |= work->time.state == VALUE_OK;
		}
	}
	if (!counted)
		return "The operations of the launch were not counted: neither predicted nor measured.";
	if (!some)
		return "The kernel makes no operations on floats of single precision: there is nothing to divide by its bytes.";
	return time
		? "The launch moves no bytes, or they were not counted: no memory is its roof."
		: "There is no time of this launch, neither predicted nor measured: a place under the roof needs one.";
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void roofline_write_count(double v, struct buf *out)
{
	static const char suffix[] = {' ', 'k', 'M', 'G', 'T'};
	int step = 0;
	while (v >= 999.5 && step < 4) {
		v /= 1000;
		step++;
	}
	buf_printf(out, v >= 100 || (step == 0 && v >= 10) ? "%.0f" : "%.3g", v);
	if (step)
		buf_putc(out, suffix[step]);
}

/* "61.2 TFLOP/s", "4.57 TB/s"; "12.3", "1.2M". */
static void roofline_write_rate(double per_ns, const char *unit, struct buf *out)
{
	double v = per_ns / 1000;
	buf_printf(out, v >= 99.95 ? "%.0f T%s" : "%.3g T%s", v, unit);
}

/* --- scales ------------------------------------------------------------------------------------------------------- */

static void widen_to(double *low, double *high, double v)
{
	*low = v < *low ? v : *low;
	*high = v > *high ? v : *high;
}

/* All of the ridges, and the points, unless they are far beyond. */
static struct roofline_scale scale_fit(const struct view_roofline *r)
{
	struct roofline_scale s = {INFINITY, -INFINITY, INFINITY, -INFINITY};
	double most = INFINITY, flat = r->roofs ? r->roofs->of[ROOF_FLOAT].rate : 0;
	for (int level = 0; flat > 0 && level < ROOF_LEVELS; level++) {
		double slope = roof_level_rate(r->roofs, (enum roof_level)level);
		if (slope > 0)
			widen_to(&s.x_low, &s.x_high, log10(flat / slope));
	}
	if (flat > 0) {
		most = s.x_high + BEYOND;
		s.x_low -= 0.5;
		s.x_high += 0.5;
		s.y_low = log10(flat) - 1;
		s.y_high = log10(flat);
	}
	for (int i = 0; i < r->n; i++) {
		struct roofline_point p;
		for (int which = 0; which < 2; which++) {
			if (roofline_covered(r, i) || !view_roofline_point(r, which, i, &p))
				continue;
			widen_to(&s.x_low, &s.x_high, log10(p.x) < most ? log10(p.x) : most);
			widen_to(&s.y_low, &s.y_high, log10(p.y));
		}
	}
	if (isinf(s.x_low)) /* all are covered, and there are no roofs */
		return (struct roofline_scale){-1, 2, 0, 3};
	s.x_low = floor(s.x_low);
	s.x_high = ceil(s.x_high);
	s.y_high = flat > 0 ? s.y_high + ABOVE : ceil(s.y_high);
	s.y_low = floor(s.y_low) < s.y_high - DEEPEST ? s.y_high - DEEPEST : floor(s.y_low);
	s.x_high += s.x_high - s.x_low < 1;
	s.y_low -= s.y_high - s.y_low < 1;
	return s;
}

static int keep_between(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int col_at(const struct roofline_plot *p, double x)
{
	double part = (log10(x) - p->scale.x_low) / (p->scale.x_high - p->scale.x_low);
	return p->rect.col + keep_between((int)lround(part * (p->rect.cols - 1)), 0, p->rect.cols - 1);
}

/* The row of so many operations per nanosecond; of what is below the plot the one below it. */
static int row_at(const struct roofline_plot *p, double y)
{
	double part = (log10(y) - p->scale.y_low) / (p->scale.y_high - p->scale.y_low);
	return p->rect.row + p->rect.rows - 1 -
		keep_between((int)lround(part * (p->rect.rows - 1)), -1, p->rect.rows - 1);
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

/* 0.01, 1, 100, 1k */
static void write_power(double exponent, struct buf *out)
{
	buf_printf(out, exponent < 3 ? "%g" : "%gk", pow(10, exponent < 3 ? exponent : exponent - 3));
}

/* --- roofs -------------------------------------------------------------------------------------------------------- */

/* A level's slope up to the flat roof; that which bounds the launch shown more clearly. */
static void draw_slope(struct canvas *canvas, const struct roofline_plot *p, enum roof_level level, bool bounds)
{
	const struct roofs *roofs = p->roofline->roofs;
	double slope = roof_level_rate(roofs, level), flat = roofs->of[ROOF_FLOAT].rate;
	for (int i = 0; i < p->rect.cols; i++) {
		double at = (double)i / (p->rect.cols - 1);
		double y = slope * pow(10, p->scale.x_low + at * (p->scale.x_high - p->scale.x_low));
		int row = y < flat ? row_at(p, y) : -1;
		if (row >= p->rect.row && row < p->rect.row + p->rect.rows)
			canvas_put(canvas, row, p->rect.col + i, bounds ? GLYPH_BULLET : GLYPH_MIDDLE_DOT,
				bounds ? ROLE_STRONG : ROLE_DIM);
	}
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void put_point(struct canvas *canvas, const struct roofline_plot *p, const struct roofline_point *point,
	uint32_t glyph, enum role role)
{
	bool beyond = log10(point->x) > p->scale.x_high + 0.01;
	canvas_put(canvas, row_at(p, point->y), col_at(p, point->x), beyond ? GLYPH_POINT_RIGHT : glyph, role);
}

/* ○ predicted, × measured, ◆ both in one cell; of other values of the parameter both fainter. */
static void draw_launch(struct canvas *canvas, const struct roofline_plot *p, int i)
{
	const struct view_roofline *r = p->roofline;
	struct roofline_point at[2];
	bool there[2], present = i == r->at;
	if (roofline_covered(r, i))
		return;
	for (int which = 0; which < 2; which++)
		there[which] = view_roofline_point(r, which, i, &at[which]);
	const struct roofline_point *best = &at[there[1]];
	if (present && there[there[1]])
		for (int row = p->rect.row + p->rect.rows - 1; row > row_at(p, best->y); row--)
			canvas_put(canvas, row, col_at(p, best->x), GLYPH_LINE_V_HEAVY, ROLE_WATCHED);
	bool same = there[0] && there[1] && row_at(p, at[0].y) == row_at(p, at[1].y) &&
		col_at(p, at[0].x) == col_at(p, at[1].x);
	if (there[0])
		put_point(canvas, p, &at[0], GLYPH_CIRCLE, present ? ROLE_MODEL : ROLE_DIM);
	if (there[1])
		put_point(canvas, p, &at[1], same ? GLYPH_DIAMOND : GLYPH_TIMES,
			present ? roofline_measured_role(r) : ROLE_DIM);
	if (present && there[there[1]])
		canvas_put(canvas, p->rect.row + p->rect.rows, col_at(p, best->x), GLYPH_TRIANGLE_UP, ROLE_WATCHED);
}

static void roofline_draw_plot(struct canvas *canvas, struct rect rect, const struct view_roofline *r)
{
	struct roofline_plot p = {.roofline = r, .scale = scale_fit(r)};

	int most = 1;
	for (double e = p.scale.y_low; e <= p.scale.y_high; e++) {
		struct buf text = {0};
		write_power(e - 3, &text);
		int cols = utf8_columns(buf_str(&text));
		most = cols > most ? cols : most;
		buf_free(&text);
	}
	p.label = most;

	p.rect = (struct rect){rect.row + 1, rect.col + p.label + 1, rect.rows - 3, rect.cols - p.label - 1};

	int axis = p.rect.row + p.rect.rows, col = p.rect.col - 1, next = p.rect.col, above = axis + 1;
	struct buf text = {0};
	canvas_fill(canvas, (struct rect){p.rect.row, col, p.rect.rows, 1}, GLYPH_LINE_V, ROLE_FRAME);
	for (double e = p.scale.y_low; e <= p.scale.y_high; e++) {
		int row = row_at(&p, pow(10, e));
		if (row >= above)
			continue;
		above = row;
		buf_clear(&text);
		write_power(e - 3, &text);
		canvas_textf(canvas, row, col - p.label, ROLE_DIM, "%*s", p.label, buf_str(&text));
		canvas_put(canvas, row, col, GLYPH_TEE_LEFT, ROLE_FRAME);
	}
	canvas_put(canvas, axis, col, GLYPH_CORNER_BL, ROLE_FRAME);
	canvas_hline(canvas, axis, p.rect.col, p.rect.cols, ROLE_FRAME);
	for (double e = p.scale.x_low; e <= p.scale.x_high; e++) {
		buf_clear(&text);
		write_power(e, &text);
		int cols = utf8_columns(buf_str(&text)), at = col_at(&p, pow(10, e)), from = at - (cols - 1) / 2;
		from = keep_between(from, p.rect.col, p.rect.col + p.rect.cols - cols);
		canvas_put(canvas, axis, at, GLYPH_TEE_DOWN, ROLE_FRAME);
		if (from < next)
			continue;
		canvas_text(canvas, axis + 1, from, ROLE_DIM, buf_str(&text));
		next = from + cols + 1;
	}
	buf_free(&text);

	double flat = r->roofs ? r->roofs->of[ROOF_FLOAT].rate : 0, first = INFINITY;
	enum roof_level bounds = ROOF_LEVELS;
	struct roofline_point point;
	if (flat > 0) {
		for (int which = 0; which < 2; which++)
			if (r->at >= 0 && !roofline_covered(r, r->at) && view_roofline_point(r, which, r->at, &point))
				bounds = point.level;
		for (int level = 0; level < ROOF_LEVELS; level++) {
			double slope = roof_level_rate(r->roofs, (enum roof_level)level);
			if (!(slope > 0))
				continue;
			first = flat / slope < first ? flat / slope : first;
			if (level != (int)bounds)
				draw_slope(canvas, &p, (enum roof_level)level, false);
		}
		if (bounds != ROOF_LEVELS)
			draw_slope(canvas, &p, bounds, true);
		for (int c = col_at(&p, first); c < p.rect.col + p.rect.cols; c++)
			canvas_put(canvas, row_at(&p, flat), c, GLYPH_LINE_H, ROLE_STRONG);

		/* The names of the levels stand over their ridges, and the flat roof's number at its end. */
		int row = p.rect.row - 1, end = p.rect.col + p.rect.cols;
		next = p.rect.col;
		for (int level = 0; level < ROOF_LEVELS; level++) {
			double slope = roof_level_rate(r->roofs, (enum roof_level)level);
			if (!(slope > 0))
				continue;
			const char *name = roof_level_name((enum roof_level)level);
			int at = col_at(&p, flat / slope);
			at = at < next ? next : at;
			canvas_text(canvas, row, at, level == (int)bounds ? ROLE_STRONG : ROLE_DIM, name);
			next = at + utf8_columns(name) + 1;
		}
		struct buf rate = {0};
		roofline_write_rate(flat, "FLOP/s", &rate);
		int cols = utf8_columns(buf_str(&rate));
		if (end - cols > next)
			canvas_text(canvas, row, end - cols, ROLE_DIM, buf_str(&rate));
		buf_free(&rate);
	}

	for (int i = 0; i < r->n; i++)
		if (i != r->at)
			draw_launch(canvas, &p, i);
	if (r->at >= 0)
		draw_launch(canvas, &p, r->at);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

static void roofline_draw_legend(struct canvas *canvas, struct rect row, const struct view_roofline *r)
{
	struct roofline_point point;
	bool measured = false;
	int col = row.col;
	for (int i = 0; i < r->n; i++)
		measured |= view_roofline_point(r, 1, i, &point);
	col += canvas_text(canvas, row.row, col, ROLE_MODEL, "○ predicted") + 2;
	if (measured)
		col += canvas_textf(canvas, row.row, col, roofline_measured_role(r), "× %s  ◆ both",
			       r->measured_by == WITNESS_RECORDED ? "recorded" : "measured") +
			2;
	else
		col += canvas_text(canvas, row.row, col, ROLE_MISSING, "nothing measured") + 2;
	if (!r->roofs)
		canvas_text_fit(canvas, (struct rect){row.row, col, 1, row.col + row.cols - col}, ROLE_MISSING,
			"no roofs measured");
}

/* "○ ≈8.1 × 7.9 TFLOP/s, 13 % of L2's roof" */
static void draw_place(struct canvas *canvas, struct rect row, const struct view_roofline *r)
{
	struct roofline_point point[2];
	bool there[2];
	int col = row.col, end = row.col + row.cols, best;
	if (r->at < 0 || roofline_covered(r, r->at)) {
		canvas_text_fit(canvas, row, ROLE_DIM,
			r->at < 0 ? "this launch is not in the sweep" : "? this launch is covered");
		return;
	}
	for (int which = 0; which < 2; which++)
		there[which] = view_roofline_point(r, which, r->at, &point[which]);
	for (int which = 0; which < 2; which++) {
		if (!there[which])
			continue;
		struct buf text = {0};
		buf_printf(&text, which ? "× %.3g " : "○ ≈%.3g ", point[which].y / 1000);
		col += canvas_text_fit(canvas, (struct rect){row.row, col, 1, end - col},
			which ? roofline_measured_role(r) : ROLE_MODEL, buf_str(&text));
		buf_free(&text);
	}
	best = there[1];
	if (!there[best]) {
		bool counted = roofline_work(r, 0, r->at)->operations.state == VALUE_OK;
		canvas_text_fit(canvas, row, ROLE_MISSING,
			counted ? "this launch has no operations, or no time" : "the operations were not counted");
		return;
	}
	struct buf text = {0};
	buf_puts(&text, "TFLOP/s");
	if (r->roofs) {
		double share = roofline_share(r, &point[best]);
		buf_printf(&text, ", %.0f %% of the roof", share);
		if (utf8_columns(buf_str(&text)) > end - col) {
			buf_clear(&text);
			buf_printf(&text, "TFLOP/s, %.0f %% of roof", share);
		}
	}
	canvas_text_fit(canvas, (struct rect){row.row, col, 1, end - col}, ROLE_DIM, buf_str(&text));
	buf_free(&text);
}

/* The roofs with a table beside them: what the launch does at each memory, and what it could. */

#define TABLE_COLS 44
#define NAME_COLS 22
#define VALUE_COLS 11

/* A row of the table: a name, and what each witness has, already in words. */
static int draw_table_row(struct canvas *canvas, struct rect *rest, const char *name, const struct buf text[2],
	const struct view_roofline *r)
{
	if (rest->rows <= 0)
		return 0;
	canvas_text_fit(canvas, (struct rect){rest->row, rest->col, 1, NAME_COLS}, ROLE_DIM, name);
	for (int which = 0; which < 2; which++) {
		bool there = text[which].len > 0;
		const char *shown = there ? buf_str(&text[which]) : "–";
		int cols = utf8_columns(shown), end = rest->col + NAME_COLS + (which + 1) * VALUE_COLS;
		canvas_text(canvas, rest->row, end - cols,
			!there          ? ROLE_MISSING
				: which ? roofline_measured_role(r)
					: ROLE_MODEL,
			shown);
	}
	rest->row++;
	rest->rows--;
	return 1;
}

static void write_value(struct value v, double scale, struct buf *out)
{
	if (v.state == VALUE_OK)
		roofline_write_count(v.v * scale, out);
}

static void draw_table(struct canvas *canvas, struct rect *rest, const struct view_roofline *r)
{
	struct buf text[2] = {{0}, {0}};
	struct roofline_point point[2];
	bool there[2];
	buf_puts(&text[0], "predicted");
	buf_puts(&text[1], r->measured_by == WITNESS_RECORDED ? "recorded" : "measured");
	draw_table_row(canvas, rest, "", text, r);
#define ROW(name, ...)                                                                                                 \
	do {                                                                                                           \
		for (int which = 0; which < 2; which++) {                                                              \
			const struct roof_work *work = roofline_work(r, which, r->at);                                 \
			struct buf *out = &text[which];                                                                \
			buf_clear(out);                                                                                \
			(void)work;                                                                                    \
			__VA_ARGS__;                                                                                   \
		}                                                                                                      \
		draw_table_row(canvas, rest, name, text, r);                                                           \
	} while (0)
	for (int which = 0; which < 2; which++)
		there[which] = view_roofline_point(r, which, r->at, &point[which]);
	ROW(r->counted ? "FLOP" : "FLOP, by the model", write_value(work->operations, 1, out));
	ROW("time, us", write_value(work->time, 0.001, out));
	ROW("TFLOP/s", if (there[which]) buf_printf(out, "%.3g", point[which].y / 1000));
	for (int level = 0; level < ROOF_LEVELS; level++) {
		char name[40];
		double x;
		snprintf(name, sizeof name, "FLOP/byte of %s", roof_level_name((enum roof_level)level));
		ROW(name, if (roof_intensity(work, (enum roof_level)level, &x)) roofline_write_count(x, out));
	}
	if (r->roofs) {
		ROW(
			"bounded by", if (there[which]) {
				double flat = r->roofs->of[ROOF_FLOAT].rate;
				bool above = roof_level_rate(r->roofs, point[which].level) * point[which].x >= flat;
				buf_puts(out, above ? "operations" : roof_level_name(point[which].level));
			});
		ROW("of that roof, %", if (there[which]) buf_printf(out, "%.3g", roofline_share(r, &point[which])));
	}
#undef ROW
	buf_free(&text[0]);
	buf_free(&text[1]);
}

static void draw_roofline(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_roofline *r = input->roofline;
	if (input->roomy) {
		/* The larger form. */
		int left = rect.cols - TABLE_COLS - 3;
		struct rect rest = {rect.row, rect.col + left + 3, rect.rows, TABLE_COLS};
		canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, left}, ROLE_TITLE,
			"operations on floats per second (TFLOP/s) by operations per byte");
		roofline_draw_plot(canvas, (struct rect){rect.row + 1, rect.col, rect.rows - 2, left}, r);
		roofline_draw_legend(canvas, (struct rect){rect.row + rect.rows - 1, rect.col, 1, left}, r);
		if (r->at >= 0 && !roofline_covered(r, r->at)) {
			draw_table(canvas, &rest, r);
			rest.row++;
			rest.rows--;
		}
		if (rest.rows > 0) {
			/* The roofs and where they come from. */
			struct view_notes notes = {.n = 0};
			struct buf text = {0};
			if (!r->roofs) {
				view_notes_add(&notes, ROLE_MISSING,
					"No roofs were measured on %s: only the launch is drawn.",
					r->gpu ? r->gpu : "this GPU");
			} else {
				for (int level = 0; level < ROOF_LEVELS; level++) {
					buf_printf(&text, "%s ", roof_level_name((enum roof_level)level));
					roofline_write_rate(
						roof_level_rate(r->roofs, (enum roof_level)level), "B/s", &text);
					buf_puts(&text, ", ");
				}
				buf_puts(&text, "floats ");
				roofline_write_rate(r->roofs->of[ROOF_FLOAT].rate, "FLOP/s", &text);
				view_notes_add(&notes, ROLE_TEXT, "Roofs: %s.", buf_str(&text));
				view_notes_add(&notes, ROLE_DIM, "Measured by tests/time/roofs on an %s, %s.",
					r->roofs->gpu, r->roofs->measured);
			}
			view_notes_add(&notes, ROLE_DIM,
				"FLOP: an operation on floats; a multiply-add is two. L1 is also shared memory: 128 bytes each wavefront.");
			view_notes_fit(&notes, rest.rows, rest.cols);
			view_notes_draw(canvas, rest, &notes);
			buf_free(&text);
		}

		return;
	}
	bool readout = rect.rows >= 9, legend = rect.rows >= 11;

	/* "TFLOP/s by FLOP/byte of L2" */
	struct roofline_point point;
	bool there = r->at >= 0 && !roofline_covered(r, r->at) &&
		(view_roofline_point(r, 1, r->at, &point) || view_roofline_point(r, 0, r->at, &point));
	struct buf text = {0};
	buf_printf(&text, "TFLOP/s by FLOP/byte");
	if (there)
		buf_printf(&text, " of %s", roof_level_name(point.level));
	if (there && rect.cols >= 34) {
		buf_puts(&text, ": ");
		roofline_write_count(point.x, &text);
	}
	canvas_text_fit(canvas, (struct rect){rect.row, rect.col, 1, rect.cols}, ROLE_TITLE, buf_str(&text));
	buf_free(&text);

	roofline_draw_plot(
		canvas, (struct rect){rect.row + 1, rect.col, rect.rows - 1 - readout - legend, rect.cols}, r);
	if (readout)
		draw_place(canvas, (struct rect){rect.row + rect.rows - 1 - legend, rect.col, 1, rect.cols}, r);
	if (legend)
		roofline_draw_legend(canvas, (struct rect){rect.row + rect.rows - 1, rect.col, 1, rect.cols}, r);
}

static void describe_roofline(const struct view_input *input, struct buf *out)
{
	const struct view_roofline *r = input->roofline;
	if (!r->roofs)
		buf_printf(out, "No roofs were measured on %s.\n", r->gpu ? r->gpu : "this GPU");
	for (int level = 0; r->roofs && level < ROOF_LEVELS; level++) {
		buf_printf(out, "%s gives ", roof_level_name((enum roof_level)level));
		roofline_write_rate(roof_level_rate(r->roofs, (enum roof_level)level), "B/s", out);
		buf_puts(out, ".\n");
	}
	if (r->roofs) {
		roofline_write_rate(r->roofs->of[ROOF_FLOAT].rate, "FLOP/s", out);
		buf_printf(out, " are the most operations on floats. Measured on an %s, %s.\n", r->roofs->gpu,
			r->roofs->measured);
	}
	for (int i = 0; i < r->n; i++) {
		if (r->sweep && r->sweep->names)
			buf_printf(out, "%s %s%s:\n", r->sweep->parameter, r->sweep->names[r->sweep->xs[i]],
				i == r->at ? ", which is shown" : "");
		else if (r->sweep)
			buf_printf(out, "%s %lld%s:\n", r->sweep->parameter, (long long)r->sweep->xs[i],
				i == r->at ? ", which is shown" : "");
		for (int which = 0; which < 2 && !roofline_covered(r, i); which++) {
			const struct roof_work *work = roofline_work(r, which, i);
			struct roofline_point point;
			const char *verb = which == 0                ? "predicted"
				: r->measured_by == WITNESS_RECORDED ? "recorded"
								     : "measured";
			if (!view_roofline_point(r, which, i, &point))
				continue;
			buf_printf(out, "%s: ", verb);
			roofline_write_rate(point.y, "FLOP/s", out);
			for (int level = 0; level < ROOF_LEVELS; level++) {
				double x;
				if (!roof_intensity(work, (enum roof_level)level, &x))
					continue;
				buf_puts(out, ", ");
				roofline_write_count(x, out);
				buf_printf(out, " operations per byte of %s", roof_level_name((enum roof_level)level));
			}
			if (r->roofs)
				buf_printf(out, "; %.3g %% of the roof of %s there", roofline_share(r, &point),
					roof_level_name(point.level));
			buf_puts(out, ".\n");
		}
	}
}

const struct view_drawer view_drawer_roofline = {.draw = draw_roofline,
	.lacks = roofline_lacks,
	.describe = describe_roofline};
