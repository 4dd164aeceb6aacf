/* The warps of one SM over time: a row for each warp, a color for what it does, a letter where there are no colors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/source.h"
#include "front/view/times.h"

#define LABEL 8        /* "1234:12 " */
#define LABEL_ROOMY 18 /* "block 123 warp 12 " */
#define WARPS_LEAST 3  /* the watched one, how many are left out, and the last */

static const char *schedule_lacks(const struct view_input *input)
{
	if (input->times->schedule)
		return NULL;
	return input->times->why ? input->times->why : "There is no schedule here.";
}

static const enum role fills[PHASES] = {
	[PHASE_ISSUE] = ROLE_ISSUED,
	[PHASE_READY] = ROLE_READY,
	[PHASE_WAIT] = ROLE_RESULT,
	[PHASE_PIPE] = ROLE_PIPE,
	[PHASE_SHARED] = ROLE_SHARED,
	[PHASE_SHUFFLE] = ROLE_SHUFFLE,
	[PHASE_GLOBAL] = ROLE_GLOBAL,
	[PHASE_BARRIER] = ROLE_BARRIER,
	[PHASE_RUN] = ROLE_RUNNING,
};

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* Time of each phase in each column. */
typedef uint64_t column_sums[PHASES];

static uint64_t clip(uint64_t time, const struct view_time_scale *scale)
{
	return time < scale->from ? scale->from : time > scale->end ? scale->end : time;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

struct schedule_picture {
	const struct view_input *input;
	const struct schedule_timeline *t;
	struct view_time_scale scale;
	bool roomy;     /* with the names of warps and lines */
	int label;      /* columns of a warp's name */
	bool whole;     /* all of the time is shown, not a detail of it */
	uint64_t until; /* the time that is reached where it is played, else the end */
	column_sums *sums;
	double *shares;
};

static bool is_watched(const struct view_input *input, const struct warp_row *warp)
{
	const struct mask_timeline *mask = input->times->mask;
	return mask && mask->block == warp->block && mask->warp == warp->warp;
}

static void draw_schedule_warp(
	struct canvas *canvas, int row, int col, const struct schedule_picture *p, const struct warp_row *warp)
{
	char label[48];
	bool watched = is_watched(p->input, warp);
	snprintf(label, sizeof label, p->roomy ? "block %u warp %u" : "%u:%u", warp->block, warp->warp);
	canvas_textf(canvas, row, col, watched ? ROLE_WATCHED : ROLE_DIM, "%*s", p->label - 1, label);
	if (watched)
		canvas_put(canvas, row, col + p->label - 1, GLYPH_POINT_RIGHT, ROLE_WATCHED);
	view_spot_of(canvas, p->input, (struct rect){row, col, 1, p->label}, THING_WARP,
		view_warp_index(warp->block, warp->warp));
	for (int c = 0; c < p->scale.cols; c++)
		for (int phase = 0; phase < PHASES; phase++)
			p->sums[c][phase] = 0;

	for (size_t i = 0; i < warp->n; i++) {
		const struct phase_span *span = &warp->spans[i];
		uint64_t end = clip(span->end, &p->scale);
		for (uint64_t at = clip(span->start, &p->scale); at < end && span->phase < PHASES;) {
			int c = view_times_col(&p->scale, at);
			uint64_t stop = p->scale.from + ((uint64_t)c + 1) * p->scale.per;
			stop = stop < end ? stop : end;
			p->sums[c][span->phase] += stop - at;
			at = stop;
		}
	}

	int shown = view_times_shown(&p->scale, p->input, p->t->end);
	for (int c = 0; c < shown; c++) {
		/* As much of it from the left as the warp issued in; what it waited for most has the rest. */
		/* What took most of a column, of what is no issue; PHASES: nothing did. */
		enum warp_phase wait = PHASES;
		for (int phase = 0; phase < PHASES; phase++)
			if (phase != PHASE_ISSUE && p->sums[c][phase] &&
				(wait == PHASES || p->sums[c][phase] > p->sums[c][wait]))
				wait = (enum warp_phase)phase;

		uint64_t issued = p->sums[c][PHASE_ISSUE], all = 0;
		for (int phase = 0; phase < PHASES; phase++)
			all += p->sums[c][phase];
		if (!all)
			continue;
		int eighths = (int)(8 * (double)issued / (double)all + 0.5);
		view_times_part(canvas, row, p->scale.col + c,
			(struct view_times_parts){ROLE_ISSUED, wait == PHASES ? ROLE_ISSUED : fills[wait], eighths});
	}
	if (p->roomy) {
		/* In a bar with room for it the line whose instruction the warp waits with, or for. */
		for (size_t i = 0; i < warp->n; i++) {
			const struct phase_span *span = &warp->spans[i];
			uint64_t from = clip(span->start, &p->scale), to = clip(span->end, &p->scale);
			char text[24];
			if (to <= from || !span->line || span->phase == PHASE_ISSUE)
				continue;
			int first = view_times_col(&p->scale, from) + 1, last = view_times_col(&p->scale, to - 1) - 1;
			int cols = snprintf(text, sizeof text, "line %d", (int)span->line);
			if (cols + 2 > last - first + 1)
				cols = snprintf(text, sizeof text, "%d", (int)span->line);
			if (cols + 2 > last - first + 1 || last >= shown)
				continue;
			canvas_label(canvas,
				(struct rect){row, p->scale.col + first + (last - first + 1 - cols) / 2, 1, cols},
				fills[span->phase], text);
		}
	}
}

/* --- which of them ------------------------------------------------------------------------------------------------ */

static int watched_row(const struct schedule_picture *p)
{
	for (int i = 0; i < p->t->n_rows; i++)
		if (is_watched(p->input, &p->t->rows[i]))
			return i;
	return 0;
}

/* Rows [first, first + n) of warps. */
struct schedule_range {
	int first, n;
};

static struct schedule_range rows_of(const struct schedule_timeline *t, int scheduler)
{
	struct schedule_range r = {0, 0};
	for (int i = 0; i < t->n_rows; i++) {
		if (t->rows[i].scheduler != scheduler)
			continue;
		if (!r.n)
			r.first = i;
		r.n++;
	}
	return r;
}

/* As many as there is room for, the watched one among them. Returns the rows drawn. */
static int draw_warps(
	struct canvas *canvas, struct rect rect, const struct schedule_picture *p, struct schedule_range range)
{
	int watched = watched_row(p), row = rect.row, room = rect.rows;
	if (range.n > room && watched >= range.first && watched < range.first + range.n &&
		watched - range.first >= room - 2) {
		canvas_textf(canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more above", watched - range.first);
		range = (struct schedule_range){watched, range.n - (watched - range.first)};
		room--;
	}
	struct view_elision e = view_elide(range.n, room);
	for (int i = 0; i < e.head; i++)
		draw_schedule_warp(canvas, row++, rect.col, p, &p->t->rows[range.first + i]);
	if (e.left_out)
		canvas_textf(
			canvas, row++, rect.col, ROLE_STRONG, "⋮ %d more warp%s", e.left_out, view_plural(e.left_out));
	for (int i = range.first + range.n - e.tail; i < range.first + range.n; i++)
		draw_schedule_warp(canvas, row++, rect.col, p, &p->t->rows[i]);
	return row - rect.row;
}

/* Everything where it fits; else the utilization of all schedulers with the warps of the watched one, and of others as
 * long as there is room; where there is hardly any, that one alone. */
static int draw_schedule_rows(struct canvas *canvas, struct rect rect, const struct schedule_picture *p)
{
	const struct schedule_timeline *t = p->t;
	if (!t->counted)
		return draw_warps(canvas, rect, p, (struct schedule_range){0, t->n_rows});
	int mine = t->n_rows ? t->rows[watched_row(p)].scheduler : 0, row = rect.row, end = rect.row + rect.rows;
	bool all = t->n_rows + TIMELINE_SCHEDULERS <= rect.rows, others = rect.rows >= TIMELINE_SCHEDULERS + 5;
	for (int s = 0; s < TIMELINE_SCHEDULERS; s++) {
		if (!all && !others && s != mine)
			continue;

		int scheduler_row = row++;
		char label[24];
		uint64_t issued = 0;
		for (int c = 0; c < p->scale.cols; c++)
			p->shares[c] = 0;
		for (int i = 0; i < p->t->n_rows; i++) {
			const struct warp_row *warp = &p->t->rows[i];
			for (size_t k = 0; warp->scheduler == s && k < warp->n; k++) {
				const struct phase_span *span = &warp->spans[k];
				uint64_t stop = clip(span->end, &p->scale);
				if (span->phase != PHASE_ISSUE)
					continue;
				issued += span->end <= p->until ? span->end - span->start : 0;
				for (uint64_t at = clip(span->start, &p->scale); at < stop; at++)
					p->shares[view_times_col(&p->scale, at)] += 1.0 / (double)p->scale.per;
			}
		}
		for (int c = view_times_shown(&p->scale, p->input, p->t->end); c < p->scale.cols; c++)
			p->shares[c] = -1;
		snprintf(label, sizeof label, p->roomy ? "scheduler %d" : "sched %d", s);
		view_times_bars(canvas, scheduler_row, &p->scale, &(struct view_shares){label, rect.col, p->shares},
			p->whole && p->until ? 100.0 * (double)issued / (double)p->until : -1);

		int below = all || !others ? 0 : TIMELINE_SCHEDULERS - 1 - s;
		struct schedule_range range = rows_of(t, s);
		/* another's warps only where all of them leave room for those of the watched one */
		if (!all && s != mine && end - row - below - range.n < (s < mine ? rows_of(t, mine).n : 0))
			continue;
		row += draw_warps(canvas, (struct rect){row, rect.col, end - row - below, rect.cols}, p, range);
	}
	return row - rect.row;
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

/* The one that took most of the time that is left; -1: none. */
static int next_phase(const uint64_t *sums)
{
	int most = 0;
	for (int phase = 1; phase < PHASES; phase++)
		most = sums[phase] > sums[most] ? phase : most;
	return sums[most] ? most : -1;
}

/* Up to a time. Returns the time of all of them. */
static uint64_t sum_phases(const struct schedule_picture *p, uint64_t *sums)
{
	const struct schedule_timeline *t = p->t;
	uint64_t whole = 0;
	for (int i = 0; i < t->n_rows; i++) {
		for (size_t k = 0; k < t->rows[i].n; k++) {
			const struct phase_span *span = &t->rows[i].spans[k];
			uint64_t end = span->end < p->until ? span->end : p->until;
			uint64_t time = end > span->start ? end - span->start : 0;
			sums[span->phase] += time;
			whole += time;
		}
	}
	return whole;
}

/* --- a detail ----------------------------------------------------------------------------------------------------- */

/* When the watched warp issues the watched line: of several times one in the middle, where loops are under way. Without
 * such a line, half way. */
static uint64_t detail_begin(const struct schedule_picture *p)
{
	const struct schedule_timeline *t = p->t;
	const struct warp_row *warp = &t->rows[watched_row(p)];
	size_t times = 0, wanted = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < warp->n; i++) {
			if (warp->spans[i].phase != PHASE_ISSUE || warp->spans[i].line != p->input->source->watched)
				continue;
			if (pass == 1 && wanted-- == 0)
				return warp->spans[i].start;
			times += pass == 0;
		}
		wanted = times / 2;
	}
	return t->end / 2;
}

/* Rows for a detail below the whole; 0: there is nothing more to see in it, or no room for the watched warp and its
 * scheduler in both. */
static int detail_rows(const struct schedule_picture *p, int room)
{
	if (!p->t->counted || p->scale.per < 2 || !p->t->n_rows)
		return 0;
	int warps = rows_of(p->t, p->t->rows[watched_row(p)].scheduler).n;
	if (room / 2 < 2 + (warps < WARPS_LEAST ? warps : WARPS_LEAST))
		return 0;
	/* the whole needs no more than a row for each; what it leaves is the detail's */
	int all = p->t->n_rows + TIMELINE_SCHEDULERS, rows = room - all > room / 2 ? room - all : room / 2;
	return rows < all + 1 ? rows : all + 1;
}

static void draw_schedule(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct schedule_timeline *t = input->times->schedule;
	bool roomy = input->roomy;
	int share = t->counted ? VIEW_TIMES_PERCENT_COLS : 0, label = roomy ? LABEL_ROOMY : LABEL;
	struct schedule_picture p = {.input = input,
		.t = t,
		.whole = true,
		.until = view_times_until(input, t->end),
		.roomy = roomy,
		.label = label,
		.scale = view_times_scale(rect.col + label, rect.cols - label - share, 0, t->end)};
	struct view_notes notes = {0};
	/* of 15 rows the detail needs all, for which fewer are too few */
	if (t->counted && rect.rows >= (roomy ? 13 : 20) && (!roomy || rect.rows != 15)) {
		/* How busy the schedulers are, and a warp. */
		struct rect verdict_row = {rect.row++, rect.col, 1, rect.cols};
		uint64_t sums[PHASES] = {0}, whole = sum_phases(&p, sums);
		if (whole && p.until) {
			char text[160];
			snprintf(text, sizeof text,
				"%.0f %% of the issue slots are used; a warp issues in %.0f %% of its time",
				100.0 * (double)sums[PHASE_ISSUE] / (double)p.until / TIMELINE_SCHEDULERS,
				100.0 * (double)sums[PHASE_ISSUE] / (double)whole);
			canvas_text_fit(canvas, verdict_row, ROLE_STRONG, text);
		}

		rect.rows--;
	}
	int legend = rect.rows < 16 ? 2 : 3;

	/* What the warps do, in words beside a piece of each bar, the most of it first. */
	uint64_t sums[PHASES] = {0}, whole = sum_phases(&p, sums);
	int legend_row = rect.row, legend_col = rect.col, end = rect.col + rect.cols;
	for (int phase = next_phase(sums); phase >= 0; sums[phase] = 0, phase = next_phase(sums)) {
		struct buf text = {0};
		double percent = 100.0 * (double)sums[phase] / (double)whole;
		buf_puts(&text, phase_table[phase].words);
		if (phase == PHASE_PIPE) {
			/* Which pipes those were that warps waited for, the busiest first. */
			uint64_t left[PIPES];
			const char *between = " (";
			for (int pipe = 0; pipe < PIPES; pipe++)
				left[pipe] = t->pipe_busy[pipe];
			for (;;) {
				int most = 0;
				for (int pipe = 1; pipe < PIPES; pipe++)
					most = left[pipe] > left[most] ? pipe : most;
				if (!left[most])
					break;
				buf_puts(&text, between);
				buf_puts(&text, timeline_pipe_names[most]);
				between = ", ";
				left[most] = 0;
			}
			if (*between == ',')
				buf_putc(&text, ')');
		}
		buf_printf(&text, percent < 0.5 ? " <1 %%" : " %.0f %%", percent);
		int legend_cols = 3 + utf8_columns(buf_str(&text)) + 2;
		if (legend_col + legend_cols > end && legend_col > rect.col) {
			legend_col = rect.col;
			if (++legend_row == rect.row + legend) {
				buf_free(&text);
				break;
			}
		}
		canvas_paint(canvas, (struct rect){legend_row, legend_col, 1, 2}, fills[phase]);
		canvas_text_fit(canvas, (struct rect){legend_row, legend_col + 3, 1, end - legend_col - 3}, ROLE_TEXT,
			buf_str(&text));
		buf_free(&text);
		legend_col += legend_cols;
	}
	legend = legend_row - rect.row + (legend_row < rect.row + legend);

	rect.row += legend;
	rect.rows -= legend;
	if (roomy || t->origin.cut || rect.rows >= 15)
		view_times_note(&notes, &t->origin,
			!t->counted ? NULL
				: roomy
				? "round robin; schedulers: share of cycles that issue; a number in a bar: the line"
				: "round robin; schedulers: share of cycles that issue");
	int notes_rows = view_notes_fit(&notes, rect.rows < 12 ? 1 : rect.rows / 4, rect.cols);
	p.sums = base_calloc((size_t)p.scale.cols, sizeof *p.sums);
	p.shares = base_calloc((size_t)p.scale.cols, sizeof *p.shares);

	struct buf title = {0};
	buf_printf(&title, "SM %u, %d warp%s, 1 col = ", p.t->sm, p.t->n_rows, view_plural(p.t->n_rows));
	view_times_format(p.t->origin.unit, p.scale.per, &title);
	view_times_header(canvas, rect, &p.t->origin, buf_str(&title));
	canvas_text(canvas, rect.row + 1, rect.col, ROLE_DIM, p.roomy ? "" : "blk:wrp");
	view_times_axis(canvas, rect.row + 1, &p.scale, p.t->origin.unit);
	buf_free(&title);

	int room = rect.rows - 2 - notes_rows, detail = detail_rows(&p, room), row = rect.row + 2;
	row += draw_schedule_rows(canvas, (struct rect){row, rect.col, room - detail, rect.cols}, &p);
	if (detail) {
		/* One column a cycle. */
		struct schedule_picture close = p;
		uint64_t width = (uint64_t)close.scale.cols, from = detail_begin(&p);
		if (from + width > t->end)
			from = t->end - width; /* it is longer than that, or there would be no detail */
		close.scale = view_times_scale(close.scale.col, close.scale.cols, from, from + width);
		close.whole = false;
		canvas_text(canvas, row, rect.col, ROLE_DIM, "detail");
		view_times_axis(canvas, row, &close.scale, t->origin.unit);
		row++;
		row += draw_schedule_rows(
			canvas, (struct rect){row, rect.col, rect.row + 2 + room - row, rect.cols}, &close);
	}
	row += row - rect.row < 2 + room;
	view_notes_draw(canvas, (struct rect){row, rect.col, notes_rows, rect.cols}, &notes);
	free(p.sums);
	free(p.shares);
}

static void describe_schedule(const struct view_input *input, struct buf *out)
{
	const struct schedule_timeline *t = input->times->schedule;
	struct view_input each = *input;
	for (int i = 0; i < t->n_rows && i < VIEW_STEPS_DESCRIBED; i++) {
		each.picked = (struct view_pick){THING_WARP, view_warp_index(t->rows[i].block, t->rows[i].warp)};
		view_describe_pick(&each, out);
		buf_putc(out, '\n');
	}
}

const struct view_drawer view_drawer_schedule = {.draw = draw_schedule,
	.lacks = schedule_lacks,
	.moments = view_times_moments,
	.describe = describe_schedule};
