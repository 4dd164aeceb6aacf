/* The warps of one SM over time: a row for each warp, a letter for what it does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "view/light.h"
#include "view/times.h"

#define LABEL 8        /* "1234:12 " */
#define LABEL_ROOMY 18 /* "block 123 warp 12 " */
#define SHARE_COLS 6   /* " 100 %" after the columns of a scheduler */
#define WARPS_LEAST 3  /* the watched one, how many are left out, and the last */
#define SHARE_COLS_ROOMY VIEW_TIMES_PERCENT_COLS
#define ISSUE_WEIGHT                                                                                                   \
	4 /* a result takes four cycles: a warp of dependent instructions issues in every fourth, and is then shown as issuing */

const char *view_draw_schedule_lacks(const struct view_input *input)
{
	if (input->times.schedule)
		return NULL;
	return input->times.why ? input->times.why : "There is no schedule here.";
}

static const struct {
	uint32_t glyph;
	enum role role, fill;
	const char *words;
} looks[PHASES] = {
	[PHASE_ISSUE] = {GLYPH_BLOCK_FULL, ROLE_USED, ROLE_ISSUED, "issued"},
	[PHASE_READY] = {'e', ROLE_WATCHED, ROLE_READY, "not selected"},
	[PHASE_WAIT] = {'-', ROLE_DIM, ROLE_RESULT, "wait: result"},
	[PHASE_PIPE] = {'p', ROLE_WAVE4, ROLE_PIPE, "wait: busy pipe"},
	[PHASE_SHARED] = {'s', ROLE_LANE, ROLE_SHARED, "wait: shared memory"},
	[PHASE_GLOBAL] = {'g', ROLE_BROADCAST, ROLE_GLOBAL, "wait: global memory"},
	[PHASE_BARRIER] = {'b', ROLE_CONFLICT, ROLE_BARRIER, "wait: barrier"},
	[PHASE_RUN] = {GLYPH_BLOCK_MEDIUM, ROLE_USED, ROLE_RUNNING, "running or waiting"},
};

/* --- sums --------------------------------------------------------------------------------------------------------- */
/* Time of each phase in each column. */
typedef uint64_t column_sums[PHASES];

static uint64_t clip(uint64_t time, const struct view_time_scale *scale)
{
	return time < scale->from ? scale->from : time > scale->end ? scale->end : time;
}

static void sum_row(const struct warp_row *row, const struct view_time_scale *scale, column_sums *sums)
{
	for (size_t i = 0; i < row->n; i++) {
		const struct phase_span *span = &row->spans[i];
		uint64_t end = clip(span->end, scale);
		for (uint64_t at = clip(span->start, scale); at < end && span->phase < PHASES;) {
			int c = view_times_col(scale, at);
			uint64_t stop = scale->from + ((uint64_t)c + 1) * scale->per;
			stop = stop < end ? stop : end;
			sums[c][span->phase] += stop - at;
			at = stop;
		}
	}
}

/* What a column shows: what took most of it; -1: nothing is known. */
static int choose_phase(const column_sums *sums)
{
	int best = -1;
	uint64_t most = 0;
	for (int phase = 0; phase < PHASES; phase++) {
		uint64_t weight = (*sums)[phase] * (phase == PHASE_ISSUE ? ISSUE_WEIGHT : 1);
		if (weight > most) {
			most = weight;
			best = phase;
		}
	}
	return best;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */
struct schedule_picture {
	const struct view_input *input;
	const struct schedule_timeline *t;
	struct view_time_scale scale;
	bool roomy; /* bars and words instead of letters */
	int label;  /* columns of a warp's name */
	bool whole; /* all of the time is shown, not a detail of it */
	column_sums *sums;
	double *shares;
};

static bool is_watched(const struct view_input *input, const struct warp_row *warp)
{
	const struct mask_timeline *mask = input->times.mask;
	return mask && mask->block == warp->block && mask->warp == warp->warp;
}

/* The two phases that took most of a column share it; the first of them, as the table has them, is at the left. */
static void draw_part(struct canvas *canvas, int row, int col, const column_sums *sums, int best)
{
	column_sums rest;
	memcpy(rest, *sums, sizeof rest);
	rest[best] = 0;
	int second = choose_phase(&rest), first = best;
	if (second < 0)
		second = best;
	if (second < first) {
		first = second;
		second = best;
	}
	double a = (double)(*sums)[first] * (first == PHASE_ISSUE ? ISSUE_WEIGHT : 1), b = (double)(*sums)[second];
	int eighths = first == second ? 8 : (int)(8 * a / (a + b) + 0.5);
	view_times_part(canvas, row, col, (struct view_times_parts){looks[first].fill, looks[second].fill, eighths});
}

/* In a bar with room for it the line whose instruction the warp waits with, or for. */
static void draw_lines(
	struct canvas *canvas, int row, const struct schedule_picture *p, const struct warp_row *warp, int shown)
{
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
		canvas_label(canvas, (struct rect){row, p->scale.col + first + (last - first + 1 - cols) / 2, 1, cols},
			looks[span->phase].fill, text);
	}
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
	sum_row(warp, &p->scale, p->sums);
	int shown = view_times_shown(&p->scale, p->input, p->t->end);
	for (int c = 0; c < shown; c++) {
		int phase = choose_phase(&p->sums[c]);
		if (phase >= 0 && p->roomy)
			draw_part(canvas, row, p->scale.col + c, &p->sums[c], phase);
		else if (phase >= 0)
			canvas_put(canvas, row, p->scale.col + c, looks[phase].glyph, looks[phase].role);
	}
	if (p->roomy)
		draw_lines(canvas, row, p, warp, shown);
}

static void draw_scheduler(struct canvas *canvas, int row, int col, const struct schedule_picture *p, int scheduler)
{
	char label[24];
	for (int c = 0; c < p->scale.cols; c++)
		p->shares[c] = 0;
	for (int i = 0; i < p->t->n_rows; i++) {
		const struct warp_row *warp = &p->t->rows[i];
		for (size_t k = 0; warp->scheduler == scheduler && k < warp->n; k++) {
			const struct phase_span *span = &warp->spans[k];
			uint64_t end = clip(span->end, &p->scale);
			for (uint64_t at = clip(span->start, &p->scale); span->phase == PHASE_ISSUE && at < end; at++)
				p->shares[view_times_col(&p->scale, at)] += 1.0 / (double)p->scale.per;
		}
	}
	for (int c = view_times_shown(&p->scale, p->input, p->t->end); c < p->scale.cols; c++)
		p->shares[c] = -1;
	double share = p->t->end ? 100.0 * (double)p->t->issued[scheduler] / (double)p->t->end : 0;
	if (p->roomy) {
		snprintf(label, sizeof label, "scheduler %d", scheduler);
		view_times_bars(
			canvas, row, &p->scale, &(struct view_shares){label, col, p->shares}, p->whole ? share : -1);
		return;
	}
	snprintf(label, sizeof label, "sched %d", scheduler);
	view_times_shares(canvas, row, &p->scale, &(struct view_shares){label, col, p->shares});
	if (p->whole)
		canvas_textf(canvas, row, p->scale.col + p->scale.cols, ROLE_STRONG, "%4.0f %%", share);
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

/* Everything where it fits; else the utilization of all schedulers with the warps of one, and where there is hardly room, that
 * one alone. */
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
		draw_scheduler(canvas, row++, rect.col, p, s);
		if (!all && s != mine)
			continue;
		int below = all || !others ? 0 : TIMELINE_SCHEDULERS - 1 - s;
		row += draw_warps(canvas, (struct rect){row, rect.col, end - row - below, rect.cols}, p, rows_of(t, s));
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

/* The words' blanks are hard, so that they stay together. */
static void put_hard(struct buf *out, const char *text)
{
	for (const char *c = text; *c; c++)
		*c == ' ' ? buf_puts(out, "\u00a0") : buf_putc(out, *c);
}

/* Which pipes those were that warps waited for, the busiest first. */
static void note_pipes(struct buf *key, const struct schedule_timeline *t)
{
	uint64_t left[PIPES];
	const char *between = "\u00a0(";
	for (int pipe = 0; pipe < PIPES; pipe++)
		left[pipe] = t->pipe_busy[pipe];
	for (;;) {
		int most = 0;
		for (int pipe = 1; pipe < PIPES; pipe++)
			most = left[pipe] > left[most] ? pipe : most;
		if (!left[most])
			break;
		buf_puts(key, between);
		put_hard(key, timeline_pipe_names[most]);
		between = ", ";
		left[most] = 0;
	}
	if (*between == ',')
		buf_putc(key, ')');
}

/* Returns the time of all of them. */
static uint64_t sum_phases(const struct schedule_timeline *t, uint64_t *sums)
{
	uint64_t whole = 0;
	for (int i = 0; i < t->n_rows; i++) {
		for (size_t k = 0; k < t->rows[i].n; k++) {
			const struct phase_span *span = &t->rows[i].spans[k];
			sums[span->phase] += span->end - span->start;
			whole += span->end - span->start;
		}
	}
	return whole;
}

/* What the warps do, in words beside a piece of each bar, the most of it first. Returns the rows it took. */
static int draw_legend(struct canvas *canvas, struct rect rect, const struct schedule_timeline *t)
{
	uint64_t sums[PHASES] = {0}, whole = sum_phases(t, sums);
	int row = rect.row, col = rect.col, end = rect.col + rect.cols;
	for (int phase = next_phase(sums); phase >= 0; sums[phase] = 0, phase = next_phase(sums)) {
		struct buf text = {0};
		double percent = 100.0 * (double)sums[phase] / (double)whole;
		buf_puts(&text, looks[phase].words);
		if (phase == PHASE_PIPE)
			note_pipes(&text, t);
		buf_printf(&text, percent < 0.5 ? " <1 %%" : " %.0f %%", percent);
		int cols = 3 + utf8_columns(buf_str(&text)) + 2;
		if (col + cols > end && col > rect.col) {
			col = rect.col;
			if (++row == rect.row + rect.rows) {
				buf_free(&text);
				break;
			}
		}
		canvas_paint(canvas, (struct rect){row, col, 1, 2}, looks[phase].fill);
		canvas_text_fit(canvas, (struct rect){row, col + 3, 1, end - col - 3}, ROLE_TEXT, buf_str(&text));
		buf_free(&text);
		col += cols;
	}
	return row - rect.row + (row < rect.row + rect.rows);
}

/* Of all the warps' time, how much went into which phase, the largest first. */
static void note_phases(struct view_notes *notes, const struct schedule_timeline *t)
{
	uint64_t sums[PHASES] = {0}, whole = sum_phases(t, sums);
	struct buf key = {0};
	for (int phase = next_phase(sums); phase >= 0; sums[phase] = 0, phase = next_phase(sums)) {
		if (phase == PHASE_ISSUE || phase == PHASE_RUN)
			buf_puts(&key, phase == PHASE_ISSUE ? "█" : "▒");
		else
			buf_putc(&key, phase_table[phase].letter);
		/* hard blanks: a letter and its meaning stay together */
		buf_puts(&key, "\u00a0");
		put_hard(&key, phase_table[phase].name);
		if (phase == PHASE_PIPE)
			note_pipes(&key, t);
		double percent = 100.0 * (double)sums[phase] / (double)whole;
		buf_printf(&key, percent < 0.5 ? "\u00a0<1\u00a0%%  " : "\u00a0%.0f\u00a0%%  ", percent);
	}
	if (key.len)
		view_notes_add(notes, ROLE_TEXT, "%s", buf_str(&key));
	buf_free(&key);
}

/* --- a detail ----------------------------------------------------------------------------------------------------- */
/* When the watched warp issues the watched line: of several times one in the middle, where loops are under way. Without such
 * a line, half way. */
static uint64_t detail_begin(const struct schedule_picture *p)
{
	const struct schedule_timeline *t = p->t;
	const struct warp_row *warp = &t->rows[watched_row(p)];
	size_t times = 0, wanted = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < warp->n; i++) {
			if (warp->spans[i].phase != PHASE_ISSUE || warp->spans[i].line != p->input->source.watched)
				continue;
			if (pass == 1 && wanted-- == 0)
				return warp->spans[i].start;
			times += pass == 0;
		}
		wanted = times / 2;
	}
	return t->end / 2;
}

/* One column a cycle. Returns the rows drawn. */
static int draw_detail(struct canvas *canvas, struct rect rect, const struct schedule_picture *whole)
{
	const struct schedule_timeline *t = whole->t;
	struct schedule_picture p = *whole;
	uint64_t width = (uint64_t)p.scale.cols, from = detail_begin(whole);
	if (from + width > t->end)
		from = t->end - width; /* it is longer than that, or there would be no detail */
	p.scale = view_times_scale(p.scale.col, p.scale.cols, from, from + width);
	p.whole = false;
	canvas_text(canvas, rect.row, rect.col, ROLE_DIM, "detail");
	view_times_axis(canvas, rect.row, &p.scale, t->origin.unit);
	return 1 + draw_schedule_rows(canvas, (struct rect){rect.row + 1, rect.col, rect.rows - 1, rect.cols}, &p);
}

/* Rows for a detail below the whole; 0: there is nothing more to see in it, or no room for the watched warp and its scheduler
 * in both. */
static int detail_rows(const struct schedule_picture *p, int room)
{
	if (!p->t->counted || p->scale.per < 2 || !p->t->n_rows)
		return 0;
	int warps = rows_of(p->t, p->t->rows[watched_row(p)].scheduler).n;
	if (room / 2 < 2 + (warps < WARPS_LEAST ? warps : WARPS_LEAST))
		return 0;
	int most = p->t->n_rows + TIMELINE_SCHEDULERS + 1;
	return room / 2 < most ? room / 2 : most;
}

static void draw_title(struct canvas *canvas, struct rect rect, const struct schedule_picture *p)
{
	struct buf title = {0};
	buf_printf(&title, "SM %u, %d warp%s, 1 col = ", p->t->sm, p->t->n_rows, view_plural(p->t->n_rows));
	view_times_format(p->t->origin.unit, p->scale.per, &title);
	view_times_header(canvas, rect, &p->t->origin, buf_str(&title));
	canvas_text(canvas, rect.row + 1, rect.col, ROLE_DIM, p->roomy ? "" : "blk:wrp");
	view_times_axis(canvas, rect.row + 1, &p->scale, p->t->origin.unit);
	buf_free(&title);
}

void view_draw_schedule(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct schedule_timeline *t = input->times.schedule;
	bool roomy = view_is_roomy(VIEW_SCHEDULE, rect);
	int share = !t->counted ? 0 : roomy ? SHARE_COLS_ROOMY : SHARE_COLS, label = roomy ? LABEL_ROOMY : LABEL;
	struct schedule_picture p = {.input = input,
		.t = t,
		.whole = true,
		.roomy = roomy,
		.label = label,
		.scale = view_times_scale(rect.col + label, rect.cols - label - share, 0, t->end)};
	struct view_notes notes = {0};
	if (roomy) {
		int rows = draw_legend(canvas, (struct rect){rect.row, rect.col, rect.rows < 16 ? 2 : 3, rect.cols}, t);
		rect.row += rows;
		rect.rows -= rows;
	} else {
		note_phases(&notes, t);
	}
	view_times_note(&notes, &t->origin,
		!t->counted     ? NULL
			: roomy ? "round robin; schedulers: share of cycles that issue; a number in a bar: the line"
				: "round robin; sched: tenths of the cycles in which it issued, █ in all");
	int notes_rows = view_notes_fit(&notes, rect.rows < 12 ? 2 : rect.rows / 4, rect.cols);
	p.sums = base_calloc((size_t)p.scale.cols, sizeof *p.sums);
	p.shares = base_calloc((size_t)p.scale.cols, sizeof *p.shares);
	draw_title(canvas, rect, &p);
	int room = rect.rows - 2 - notes_rows, detail = detail_rows(&p, room), row = rect.row + 2;
	row += draw_schedule_rows(canvas, (struct rect){row, rect.col, room - detail, rect.cols}, &p);
	if (detail)
		row += draw_detail(canvas, (struct rect){row, rect.col, rect.row + 2 + room - row, rect.cols}, &p);
	row += row - rect.row < 2 + room;
	view_notes_draw(canvas, (struct rect){row, rect.col, notes_rows, rect.cols}, &notes);
	free(p.sums);
	free(p.shares);
}
