#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/draw.h"
#include "front/view/numbers.h"
#include "front/view/times.h"
#include "model/hardware/metrics.h"

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

static const char *sweep_lacks(const struct view_input *input)
{
	return input->sweep->n > 0 ? NULL : "This step has no sweep.";
}

/* The values of the model, which 0, or the measured ones, which 1; and whether it has one. */
static const struct value *sweep_series(const struct view_sweep *sweep, int which)
{
	return which == 0 ? sweep->predicted : sweep->measured;
}

static bool sweep_there(const struct view_sweep *sweep, int which, int i)
{
	const struct value *values = sweep_series(sweep, which);
	return values && values[i].state == VALUE_OK && isfinite(values[i].v);
}

/* Whether it answers a question that is open: a ? stands in its place. */
static bool sweep_covered(const struct view_sweep *sweep, int i)
{
	return (sweep->predicted && sweep->predicted[i].state == VALUE_COVERED) ||
		(sweep->measured && sweep->measured[i].state == VALUE_COVERED);
}

/* --- scales ------------------------------------------------------------------------------------------------------- */

/* The level of a value, in parts of a row, and as the row. */
static double sweep_part(const struct view_sweep_scale *s, double v)
{
	double part;
	if (s->log) {
		double span = log2((s->high + s->shift) / (s->low + s->shift));
		double up = log2((v + s->shift) / (s->low + s->shift));
		/* Whole rows to a doubling wherever they fit, so that powers of two lie evenly. */
		double per = span > 0 ? (s->rows - 1) / ceil(span - 1e-9) : 0;
		part = per >= 1 ? up * floor(per) : span > 0 ? up / span * (s->rows - 1) : 0;
	} else {
		part = s->high > 0 ? v / s->high * (s->rows - 1) : 0;
	}
	return part;
}

static int sweep_level(const struct view_sweep_scale *s, double v)
{
	int level = (int)lround(sweep_part(s, v));
	return level < 0 ? 0 : level >= s->rows ? s->rows - 1 : level;
}

/* The next of 1, 2, 5, 10, 20, ... */
static double round_up(double v)
{
	double ten = pow(10, floor(log10(v)));
	static const double steps[] = {1, 2, 5, 10};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i] * ten >= v * (1 - 1e-9))
			return steps[i] * ten;
	return 10 * ten;
}

static double linear_step(const struct view_sweep_scale *s)
{
	int ticks = s->rows / 2 < 1 ? 1 : s->rows / 2 > 8 ? 8 : s->rows / 2;
	return s->high > 0 ? round_up(s->high / ticks) : 1;
}

/* Levels that hold values of the sweep: how many of its values a reader can distinguish. */
static int levels_used(const struct view_sweep *sweep, const struct view_sweep_scale *scale)
{
	bool used[1000] = {false};
	int n = 0;
	for (int which = 0; which < 2; which++) {
		for (int i = 0; i < sweep->n; i++) {
			int level = sweep_there(sweep, which, i) ? sweep_level(scale, sweep_series(sweep, which)[i].v)
								 : -1;
			if (level >= 0 && level < 1000 && !used[level]) {
				used[level] = true;
				n++;
			}
		}
	}
	return n;
}

/* Linear, unless a logarithmic axis distinguishes more values in the rows there are. */
static struct view_sweep_scale scale_fit(const struct view_sweep *sweep, int rows)
{
	double low = INFINITY, high = 0;
	for (int which = 0; which < 2; which++) {
		for (int i = 0; i < sweep->n; i++) {
			if (!sweep_there(sweep, which, i))
				continue;
			double v = sweep_series(sweep, which)[i].v;
			low = v < low ? v : low;
			high = v > high ? v : high;
		}
	}
	struct view_sweep_scale linear = {.high = high, .rows = rows};
	if (high > 0)
		linear.high = ceil(high / linear_step(&linear) - 1e-9) * linear_step(&linear);
	struct view_sweep_scale log = {.log = true,
		.low = low > 0 ? exp2(floor(log2(low))) : low,
		.high = high,
		.shift = low > 0 ? 0 : 1,
		.rows = rows};
	if (isinf(low) || low < 0 || (high + log.shift) / (low + log.shift) < 8)
		return linear;
	return levels_used(sweep, &log) > levels_used(sweep, &linear) ? log : linear;
}

/* --- axes --------------------------------------------------------------------------------------------------------- */

/* The value of tick `i` counted from the bottom, or NaN past the top. */
static double sweep_tick(const struct view_sweep_scale *s, int i)
{
	double v = s->log ? ldexp(s->low + s->shift, i) - s->shift : linear_step(s) * i;
	return v <= s->high * (1 + 1e-9) ? v : NAN;
}

#define LABEL_MAX 32
#define WIDEST 8 /* columns from one x to the next */
#define WIDEST_BARS 14

/* A value of the parameter as people see it; how many columns that takes. */
static int x_label(const struct view_sweep *sweep, int64_t x, char out[LABEL_MAX])
{
	if (sweep->names)
		snprintf(out, LABEL_MAX, "%s", sweep->names[x]);
	else
		snprintf(out, LABEL_MAX, "%lld", (long long)x);
	return utf8_columns(out);
}

/* Columns from one x to the next, with room for names; 0: several share a column. The column of x `i`. */
static int sweep_pitch(const struct view_sweep *sweep, int cols, int most)
{
	char text[LABEL_MAX];
	for (int i = 0; sweep->names && i < sweep->n; i++) {
		int name = x_label(sweep, sweep->xs[i], text) + 2;
		most = name > most ? name : most;
	}
	return cols / sweep->n > most ? most : cols / sweep->n;
}

/* How the values of a parameter go on: names are no numbers, and fewer than three have no way of their own. */
enum x_spacing { X_EVEN, X_DOUBLING, X_LINEAR, X_LOG };

static enum x_spacing spacing_of(const struct view_sweep *sweep)
{
	bool even = true, doubling = sweep->n > 2 && sweep->xs[0] > 0, far = doubling;
	for (int i = 1; i < sweep->n; i++) {
		if (sweep->names || sweep->n < 3 || sweep->xs[i] <= sweep->xs[i - 1])
			return X_EVEN;
		even = even && sweep->xs[i] - sweep->xs[i - 1] == sweep->xs[1] - sweep->xs[0];
		doubling = doubling && sweep->xs[i] == 2 * sweep->xs[i - 1];
		far = far && 2 * sweep->xs[i] >= 3 * sweep->xs[i - 1];
	}
	return even ? X_EVEN : doubling ? X_DOUBLING : far ? X_LOG : X_LINEAR;
}

static double place_of(enum x_spacing spacing, int64_t x)
{
	return spacing == X_LOG ? log2((double)x) : (double)x;
}

/* Columns in proportion to the values, each at least one after that before. NULL: there is no room for that, or no
 * need. */
static int *lay_columns(const struct view_sweep_plot *p, enum x_spacing spacing)
{
	const struct view_sweep *sweep = p->sweep;
	int first = p->left + 1, last = p->left + p->cols - 2;
	if (spacing < X_LINEAR || last - first < sweep->n)
		return NULL;
	int *at = base_calloc((size_t)sweep->n, sizeof *at);
	double low = place_of(spacing, sweep->xs[0]), high = place_of(spacing, sweep->xs[sweep->n - 1]);
	for (int i = 0; i < sweep->n; i++) {
		double part = (place_of(spacing, sweep->xs[i]) - low) / (high - low);
		at[i] = first + (int)lround(part * (last - first));
		if (i > 0 && at[i] <= at[i - 1])
			at[i] = at[i - 1] + 1;
	}
	for (int i = sweep->n - 1, most = last; i >= 0 && at[i] > most; i--, most--)
		at[i] = most;
	return at;
}

static int sweep_x_col(const struct view_sweep_plot *p, int i)
{
	if (p->at)
		return p->at[i];
	int pitch = sweep_pitch(p->sweep, p->cols, p->widest);
	return pitch >= 1 ? p->left + pitch / 2 + i * pitch : p->left + (int)((int64_t)i * p->cols / p->sweep->n);
}

/* Marks the columns of a label and of the blanks beside it; false, marking nothing, when they are taken. */
static bool reserve(bool taken[1000], int from, int cols)
{
	for (int i = from - 1; i <= from + cols; i++)
		if (i >= 0 && i < 1000 && taken[i])
			return false;
	for (int i = from; i < from + cols; i++)
		if (i >= 0 && i < 1000)
			taken[i] = true;
	return true;
}

static bool draw_x_label(
	struct canvas *canvas, const struct view_sweep_plot *p, bool taken[1000], int i, enum role role)
{
	char text[LABEL_MAX];
	int cols = x_label(p->sweep, p->sweep->xs[i], text);
	int from = sweep_x_col(p, i) - (cols - 1) / 2;
	if (from + cols > p->right)
		from = p->right - cols;
	if (!reserve(taken, from - p->left + p->label + 1, cols))
		return false;
	canvas_text(canvas, p->axis + 1, from, role, text);
	return true;
}

/* Every x that is a multiple of `step` gets a label, if all of them find room. */
static bool labels_fit(const struct view_sweep_plot *p, int64_t step)
{
	char text[LABEL_MAX];
	int end = -1;
	for (int i = 0; i < p->sweep->n; i++) {
		if (p->sweep->xs[i] % step != 0)
			continue;
		int cols = x_label(p->sweep, p->sweep->xs[i], text), from = sweep_x_col(p, i) - (cols - 1) / 2;
		if (from <= end)
			return false;
		end = from + cols;
	}
	return end >= 0;
}

/* --- the points --------------------------------------------------------------------------------------------------- */

static enum role sweep_measured_role(const struct view_sweep *sweep)
{
	return sweep->measured_by == WITNESS_RECORDED ? ROLE_RECORDED : ROLE_LIVE;
}

/* Whether both are there and print alike. */
static bool sweep_agree(const struct view_sweep *sweep, int i)
{
	struct buf a = {0}, b = {0};
	bool same = sweep_there(sweep, 0, i) && sweep_there(sweep, 1, i);
	if (same) {
		value_format(sweep->predicted[i].v, &a);
		value_format(sweep->measured[i].v, &b);
		same = strcmp(buf_str(&a), buf_str(&b)) == 0;
	}
	buf_free(&a);
	buf_free(&b);
	return same;
}

/* PRESENT: the value that the parameter has now. */
enum point_look { POINT_PLAIN, POINT_PRESENT };

/* Whether a value is left out between two others of even ones, as for a question: what it has is not to be read off the
 * line. */
static bool has_gap(const struct view_sweep_plot *p, int i)
{
	const int64_t *xs = p->sweep->xs;
	enum x_spacing spacing = spacing_of(p->sweep);
	if (i < 1 || i + 2 >= p->sweep->n)
		return false;
	double here = place_of(spacing, xs[i + 1]) - place_of(spacing, xs[i]),
	       before = place_of(spacing, xs[i]) - place_of(spacing, xs[i - 1]),
	       after = place_of(spacing, xs[i + 2]) - place_of(spacing, xs[i + 1]);
	bool even = before < 1.9 * after && after < 1.9 * before;
	return even && here > 1.9 * before && here > 1.9 * after;
}

/* Of the present point of an estimate between which levels a GPU counts it. A stem from the axis to the higher of the
 * two points, unless a line joins them; then the points; one sign where both are in one cell. */
static void draw_points(struct canvas *canvas, const struct view_sweep_plot *p, int i, enum point_look look)
{
	bool present = look == POINT_PRESENT;
	int level[2], col = sweep_x_col(p, i);
	for (int which = 0; which < 2; which++)
		level[which] = sweep_there(p->sweep, which, i)
			? sweep_level(&p->scale, sweep_series(p->sweep, which)[i].v)
			: -1;
	if (sweep_covered(p->sweep, i))
		canvas_put(canvas, p->axis - 1, col, '?', ROLE_WATCHED);
	int high = level[0] > level[1] ? level[0] : level[1];
	double least, most;
	if (present && level[0] >= 0 && metric_range(p->sweep->metric, p->sweep->predicted[i].v, &least, &most))
		for (int up = sweep_level(&p->scale, least); up <= sweep_level(&p->scale, most); up++)
			canvas_put(canvas, p->axis - 1 - up, col, GLYPH_LINE_V_DOTTED, ROLE_MODEL);
	for (int up = 0; up < high && (present || !p->line); up++)
		canvas_put(canvas, p->axis - 1 - up, col, present ? GLYPH_LINE_V_HEAVY : GLYPH_LINE_V_DOTTED,
			present ? ROLE_WATCHED : ROLE_FRAME);
	if (level[0] >= 0)
		canvas_put(canvas, p->axis - 1 - level[0], col, GLYPH_CIRCLE, ROLE_MODEL);
	if (level[1] >= 0)
		canvas_put(canvas, p->axis - 1 - level[1], col, GLYPH_TIMES, sweep_measured_role(p->sweep));
	if (level[0] >= 0 && level[0] == level[1])
		canvas_put(canvas, p->axis - 1 - level[0], col, sweep_agree(p->sweep, i) ? GLYPH_DISC : GLYPH_DIAMOND,
			sweep_agree(p->sweep, i) ? ROLE_GOOD : sweep_measured_role(p->sweep));
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* Columns of ": predicted ", ", measured ", and of ": ○ ", "  × ". */
#define LONG_WORDS 23
#define SHORT_WORDS 8

/* "▲ stride 6: predicted 2, measured 2"; a shorter word for the model where that is too long, else the marks of the
 * points. The parameter's name goes before a number would: it is in the title. */
static void draw_readout(struct canvas *canvas, struct rect rect, const struct view_sweep *sweep, int at)
{
	char present[LABEL_MAX];
	x_label(sweep, sweep->at, present);
	if (at < 0) {
		struct buf text = {0};
		buf_printf(&text, "%s %s is not in this sweep", sweep->parameter, present);
		canvas_text_fit(canvas, rect, ROLE_DIM, buf_str(&text));
		buf_free(&text);
		return;
	}
	struct buf text[2] = {{0}, {0}};
	int col = rect.col, end = rect.col + rect.cols;
	for (int which = 0; which < 2; which++) {
		struct buf *out = &text[which];
		const struct value *values = sweep_series(sweep, which);
		if (sweep_there(sweep, which, at) && which == 0 && metric_is_estimate(sweep->metric))
			buf_puts(out, "≈");
		if (sweep_there(sweep, which, at))
			value_format(values[at].v, out);
		else if (which == 0 && values && values[at].state == VALUE_PENDING)
			buf_puts(out, "computing"); /* the model does not measure */
		else if (values && values[at].state != VALUE_NONE && values[at].state != VALUE_OK)
			value_explain(values[at], out);
		else
			buf_puts(out, "–");
	}
	int numbers = utf8_columns(buf_str(&text[0])) + utf8_columns(buf_str(&text[1])), need = numbers + LONG_WORDS;
	bool named = utf8_columns(sweep->parameter) + utf8_columns(present) + 3 + numbers + SHORT_WORDS <= rect.cols;
	col += canvas_textf(canvas, rect.row, col, ROLE_WATCHED, "▲ %s%s%s", named ? sweep->parameter : "",
		named ? " " : "", present);

	/* The range of an estimate, or how far off it may be, as there is room. Returns the columns that it took. */
	int room = end - col - need;
	struct buf range = {0}, off = {0};
	int cols = 0;
	if (sweep_there(sweep, 0, at) && metric_write_range(sweep->metric, sweep->predicted[at].v, &range)) {
		metric_write_off(sweep->metric, sweep->predicted[at].v, &off);
		cols = utf8_columns(buf_str(&range)) + 3;
		if (cols <= room) {
			buf_printf(&text[0], " (%s)", buf_str(&range));
		} else {
			cols = utf8_columns(buf_str(&off));
			if (cols > room + LONG_WORDS - SHORT_WORDS)
				cols = 0;
			else
				buf_puts(&text[0], buf_str(&off)); /* words are shortened for it */
		}
	}
	buf_free(&range);
	buf_free(&off);
	need += cols;

	const char *const words[] = {need > end - col + 4 ? ": ○ "
			: need > end - col                ? ": model "
							  : ": predicted ",
		need > end - col + 4 ? "  × " : ", measured "};
	for (int which = 0; which < 2; which++) {
		enum role role = !sweep_there(sweep, which, at) ? ROLE_MISSING
			: which == 0                            ? ROLE_MODEL
								: sweep_measured_role(sweep);
		col += canvas_text_fit(canvas, (struct rect){rect.row, col, 1, end - col}, ROLE_DIM, words[which]);
		col += canvas_text_fit(canvas, (struct rect){rect.row, col, 1, end - col}, role, buf_str(&text[which]));
		buf_free(&text[which]);
	}
}

/* A sweep as bars: what the model predicts as their height, in eighths of a row, what was measured as a mark on each,
 * the present value in a color of its own. */

/* Half a row more than the level, whose tick is in the middle of its row. */
static int height_of(const struct view_sweep_plot *p, int which, int i)
{
	if (!sweep_there(p->sweep, which, i))
		return 0;
	double v = sweep_series(p->sweep, which)[i].v;
	int eighths = v > 0 ? (int)lround(8 * sweep_part(&p->scale, v)) + 4 : 0;
	return eighths < 0 ? 0 : eighths > 8 * p->scale.rows ? 8 * p->scale.rows : eighths;
}

/* Bars for the model, marks for what was measured, numbers where there is room; `at`: of the present value, -1:
 * none. */
static void sweep_draw_bars(struct canvas *canvas, const struct view_sweep_plot *p, int at)
{
	for (int i = 1; !isnan(sweep_tick(&p->scale, i)) && i < 64; i++)
		canvas_fill(canvas,
			(struct rect){
				p->axis - 1 - sweep_level(&p->scale, sweep_tick(&p->scale, i)), p->left, 1, p->cols},
			GLYPH_LINE_H_DASHED, ROLE_FRAME);
	for (int i = 0; i < p->sweep->n; i++) {
		enum role role = i == at ? ROLE_WATCHED : ROLE_MODEL;

		int pitch = sweep_pitch(p->sweep, p->cols, p->widest), cols = pitch > 1 ? pitch - 1 : 1;
		int eighths = height_of(p, 0, i), from = sweep_x_col(p, i) - (cols - 1) / 2;
		for (int up = 0; 8 * up < eighths; up++) {
			int part = eighths - 8 * up;
			struct rect r = {p->axis - 1 - up, from, 1, cols};
			if (part >= 8)
				canvas_paint(canvas, r, role);
			else
				canvas_fill(canvas, r, view_times_eighth(part), role);
		}

		/* × at what was measured, where that is not as predicted; in the color of the paper inside the bar. */
		const struct view_sweep *sweep = p->sweep;
		if (sweep_there(sweep, 1, i) && !sweep_agree(sweep, i)) {
			int level = sweep_level(&p->scale, sweep_series(sweep, 1)[i].v), col = sweep_x_col(p, i);
			if (8 * (level + 1) <= height_of(p, 0, i))
				canvas_put_on(canvas, (struct rect){p->axis - 1 - level, col, 1, 1}, GLYPH_TIMES,
					ROLE_PAPER, role);
			else
				canvas_put(canvas, p->axis - 1 - level, col, GLYPH_TIMES, sweep_measured_role(sweep));
		}

		if (sweep_covered(p->sweep, i))
			canvas_put(canvas, p->axis - 1, sweep_x_col(p, i), '?', ROLE_WATCHED);
	}

	/* The model's number above its bar, and above a mark that is higher: where all have room. */
	int pitch = sweep_pitch(p->sweep, p->cols, p->widest);
	struct buf text = {0};
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < p->sweep->n; i++) {
			if (!sweep_there(p->sweep, 0, i))
				continue;
			buf_clear(&text);
			value_format(p->sweep->predicted[i].v, &text);
			/* Rows that the bar reaches into. */
			int cols = utf8_columns(buf_str(&text)), high = (height_of(p, 0, i) + 7) / 8;
			if (pass == 0 && cols >= pitch) {
				buf_free(&text);
				return;
			}
			int measured = sweep_there(p->sweep, 1, i) && !sweep_agree(p->sweep, i)
				? sweep_level(&p->scale, p->sweep->measured[i].v) + 1
				: 0;
			high = measured > high ? measured : high;
			if (pass == 1)
				canvas_text(canvas, p->axis - 1 - high, sweep_x_col(p, i) - (cols - 1) / 2, ROLE_MODEL,
					buf_str(&text));
		}
	}
	buf_free(&text);
}

static void draw_sweep(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_sweep *sweep = input->sweep;
	/* Title, axis, its labels; from 8 rows on what holds at the present value, from 11 on the legend. */
	int below = 2 + (rect.rows >= 8) + (rect.rows >= 11), at = -1;
	for (int i = 0; i < sweep->n && at < 0; i++)
		at = sweep->xs[i] == sweep->at ? i : -1;
	bool bars = input->roomy && sweep->n <= rect.cols - LABEL_MAX;
	/* a row above the highest bar for its number */
	struct view_sweep_plot p = {.sweep = sweep, .top = rect.row + 1 + bars, .widest = bars ? WIDEST_BARS : WIDEST};
	p.scale = scale_fit(sweep, rect.rows - 1 - bars - below);
	p.axis = p.top + p.scale.rows;
	p.label = p.scale.log ? 3 : 1;
	for (int i = 0; !isnan(sweep_tick(&p.scale, i)) && i < 64; i++) {
		struct buf tick = {0};
		value_format(sweep_tick(&p.scale, i), &tick);
		int cols = utf8_columns(buf_str(&tick));
		p.label = cols > p.label ? cols : p.label;
		buf_free(&tick);
	}
	p.left = rect.col + p.label + 1;
	p.right = rect.col + rect.cols;
	p.cols = rect.cols - p.label - 1;
	enum x_spacing spacing = spacing_of(sweep);
	p.at = bars || p.cols > p.widest * sweep->n ? NULL : lay_columns(&p, spacing);
	p.line = !bars && (p.at || spacing == X_DOUBLING);
	if (!p.at && sweep_pitch(sweep, p.cols, p.widest) > 0)
		p.cols = sweep_pitch(sweep, p.cols, p.widest) * sweep->n;

	/* "wavefronts / request by stride (words)": units go where there is no room for them, and then the label is the
	 * short one. */
	const struct metric *metric = &metric_table[sweep->metric];
	bool metric_unit = !strstr(metric->label, metric->unit), unit = sweep->unit && *sweep->unit;
	struct buf text = {0};
	for (int tries = 0; tries < 4; tries++) {
		buf_clear(&text);
		view_number_label_text(sweep->metric, tries < 3 ? rect.cols : 0, &text);
		if (metric_unit)
			buf_printf(&text, " (%s)", metric->unit);
		buf_printf(&text, " by %s", sweep->parameter);
		if (unit)
			buf_printf(&text, " (%s)", sweep->unit);
		if (utf8_columns(buf_str(&text)) <= rect.cols)
			break;
		/* The metric's own unit is in the numbers too, so it goes first. */
		unit = metric_unit && unit;
		metric_unit = false;
	}
	canvas_text_fit(canvas, rect, ROLE_TITLE, buf_str(&text));
	buf_free(&text);

	int axis_col = p.left - 1, above = p.scale.rows;
	canvas_fill(canvas, (struct rect){p.top, axis_col, p.scale.rows, 1}, GLYPH_LINE_V, ROLE_FRAME);
	for (int i = 0; !isnan(sweep_tick(&p.scale, i)) && i < 64; i++) {
		int level = sweep_level(&p.scale, sweep_tick(&p.scale, i));
		if (i > 0 && level == above)
			continue;
		above = level;
		struct buf axis_text = {0};
		value_format(sweep_tick(&p.scale, i), &axis_text);
		int row = p.axis - 1 - level;
		canvas_textf(canvas, row, axis_col - p.label, ROLE_DIM, "%*s", p.label, buf_str(&axis_text));
		canvas_put(canvas, row, axis_col, GLYPH_TEE_LEFT, ROLE_FRAME);
		buf_free(&axis_text);
	}
	canvas_put(canvas, p.axis, axis_col, GLYPH_CORNER_BL, ROLE_FRAME);
	canvas_hline(canvas, p.axis, p.left, p.cols, ROLE_FRAME);
	if (p.scale.log)
		canvas_text_fit(canvas, (struct rect){p.axis, axis_col - p.label, 1, p.label}, ROLE_DIM, "log");

	if (bars)
		sweep_draw_bars(canvas, &p, at);
	for (int i = 0; i + 1 < sweep->n && p.line; i++) {
		/* From one point of the model to the next, where both are there. */
		if (!sweep_there(p.sweep, 0, i) || !sweep_there(p.sweep, 0, i + 1) || has_gap(&p, i))
			continue;
		int from = sweep_x_col(&p, i), to = sweep_x_col(&p, i + 1);
		double low = sweep_part(&p.scale, p.sweep->predicted[i].v),
		       high = sweep_part(&p.scale, p.sweep->predicted[i + 1].v);
		for (int col = from + 1; col < to; col++) {
			int level = (int)lround(low + (high - low) * (col - from) / (to - from));
			level = level < 0 ? 0 : level >= p.scale.rows ? p.scale.rows - 1 : level;
			canvas_put(canvas, p.axis - 1 - level, col, GLYPH_MIDDLE_DOT, ROLE_MODEL);
		}
	}
	for (int i = 0; i < sweep->n && !bars; i++)
		draw_points(canvas, &p, i, POINT_PLAIN);
	if (at >= 0 && !bars)
		draw_points(canvas, &p, at, POINT_PRESENT);

	bool taken[1000] = {false};
	if (at >= 0)
		draw_x_label(canvas, &p, taken, at, ROLE_WATCHED);
	int64_t step = 1;
	while (step < INT64_MAX / 4 && !labels_fit(&p, step)) {
		if (step > (int64_t)1 << 40)
			break;
		step *= 2;
	}
	for (int i = 0; i < p.sweep->n; i++) {
		if (p.sweep->xs[i] % step != 0)
			continue;
		if (draw_x_label(canvas, &p, taken, i, ROLE_DIM) || i == at)
			canvas_put(canvas, p.axis, sweep_x_col(&p, i), GLYPH_TEE_DOWN, ROLE_FRAME);
	}
	if (draw_x_label(canvas, &p, taken, 0, ROLE_DIM))
		canvas_put(canvas, p.axis, sweep_x_col(&p, 0), GLYPH_TEE_DOWN, ROLE_FRAME);

	if (bars) {
		/* ● on the axis below each bar that was measured as predicted: at its end it would be read as another
		 * value. */
		for (int i = 0; i < p.sweep->n; i++)
			if (sweep_agree(p.sweep, i))
				canvas_put(canvas, p.axis, sweep_x_col(&p, i), GLYPH_DISC, ROLE_GOOD);
	}
	if (at >= 0)
		canvas_put(canvas, p.axis, sweep_x_col(&p, at), GLYPH_TRIANGLE_UP, ROLE_WATCHED);
	if (rect.rows >= 8)
		draw_readout(canvas, (struct rect){p.axis + 2, rect.col, 1, rect.cols}, sweep, at);
	if (bars) {
		int legend_row = p.axis + 3;
		bool any = false, same = false, other = false;
		for (int i = 0; i < sweep->n; i++) {
			any |= sweep_there(sweep, 1, i);
			same |= sweep_agree(sweep, i);
			other |= sweep_there(sweep, 1, i) && !sweep_agree(sweep, i);
		}
		int legend_col = rect.col + canvas_text(canvas, legend_row, rect.col, ROLE_MODEL, "█ predicted") + 2;
		const char *measured = sweep->measured_by == WITNESS_RECORDED ? "recorded" : "measured";
		if (!any)
			canvas_text(canvas, legend_row, legend_col, ROLE_MISSING, "nothing measured");
		if (same)
			legend_col += canvas_textf(canvas, legend_row, legend_col, ROLE_GOOD, "● %s, equal", measured) +
				2;
		if (other)
			canvas_textf(canvas, legend_row, legend_col, sweep_measured_role(sweep), "× %s", measured);
	} else if (rect.rows >= 11) {
		bool any = false, same = false, near = false;
		for (int i = 0; i < sweep->n; i++) {
			any |= sweep_there(sweep, 1, i);
			same |= sweep_agree(sweep, i);
			near |= sweep_there(sweep, 0, i) && sweep_there(sweep, 1, i) && !sweep_agree(sweep, i) &&
				sweep_level(&p.scale, sweep->predicted[i].v) ==
					sweep_level(&p.scale, sweep->measured[i].v);
		}
		int row = p.axis + 3, col = rect.col;
		col += 2 + canvas_text(canvas, row, col, ROLE_MODEL, "○ predicted");
		if (!any) {
			canvas_text(canvas, row, col, ROLE_MISSING, "nothing measured");
		} else {
			col += 2 +
				canvas_textf(canvas, row, col, sweep_measured_role(sweep), "× %s",
					sweep->measured_by == WITNESS_RECORDED ? "recorded" : "measured");
			if (same)
				col += 2 + canvas_text(canvas, row, col, ROLE_GOOD, "● equal");
			if (near)
				canvas_text(canvas, row, col, sweep_measured_role(sweep), "◆ close");
		}
	}
	free(p.at);
}

static void describe_sweep(const struct view_input *input, struct buf *out)
{
	const struct view_sweep *s = input->sweep;
	buf_printf(out, "%s, against %s:\n", metric_table[s->metric].label, s->parameter);
	for (int i = 0; i < s->n; i++) {
		buf_printf(out, "%lld: ", (long long)s->xs[i]);
		view_describe_predicted(s->metric, s->predicted[i], out);
		view_describe_witness(", measured", s->measured[i], out);
		buf_puts(out, ".\n");
	}
}

const struct view_drawer view_drawer_sweep = {.draw = draw_sweep, .lacks = sweep_lacks, .describe = describe_sweep};
