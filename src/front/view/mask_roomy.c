/* The rows of the mask as bars: the source, then a bar over the lanes that execute it, then what happened in words. */
#include <limits.h>
#include <stdio.h>

#include "base/utf8.h"
#include "front/view/light.h"
#include "front/view/mask.h"

#define MARK_COLS 2
#define REPEAT_COLS 6 /* "×1234 " */
#define WORDS_COLS 28 /* "16 of 32  other arm, barrier" */
#define SOURCE_MIN 20
#define TIME_COLS 9
#define PITCH_MAX 3
#define LABEL_MIN 8

/* Columns: line, its source, mark, lanes, repeats, words, time. */
struct bars {
	int source, mark, lanes, pitch, after, end; /* where each begins */
	bool times;
};

static struct bars fit_bars(const struct view_mask *p)
{
	struct bars g = {
		.source = p->rect.col + VIEW_MASK_LABEL + 1, .end = p->rect.col + p->rect.cols, .pitch = PITCH_MAX};
	int fixed = VIEW_MASK_LABEL + 1 + MARK_COLS + 1 + REPEAT_COLS + WORDS_COLS;
	while (g.pitch > 1 && p->rect.cols - fixed - g.pitch * WARP_SIZE < SOURCE_MIN)
		g.pitch--;
	int left = p->rect.cols - fixed - g.pitch * WARP_SIZE;
	g.times = left >= SOURCE_MIN + TIME_COLS + 4;
	g.mark = g.source + left - (g.times ? TIME_COLS : 0);
	g.lanes = g.mark + MARK_COLS;
	g.after = g.lanes + g.pitch * WARP_SIZE + 1;
	return g;
}

/* --- how long ------------------------------------------------------------------------------------------------------- */
/* From the first step of a row to that of the next one. */
static uint64_t row_time(const struct view_mask *p, size_t row)
{
	const struct mask_timeline *mask = p->mask;
	size_t next = p->lines[row].last + 1;
	uint64_t from = mask->steps[p->lines[row].first].time, to = next < mask->n ? mask->steps[next].time : mask->end;
	return to > from ? to - from : 0;
}

void view_mask_draw_verdict(struct canvas *canvas, struct rect row, const struct view_mask *p)
{
	uint64_t all = 0, diverged = 0;
	double lanes = 0;
	for (size_t i = 0; i < p->n; i++) {
		uint64_t time = row_time(p, i);
		all += time;
		diverged += p->lines[i].arm ? time : 0;
		lanes += (double)time * __builtin_popcount(p->lines[i].lanes);
	}
	if (!all)
		return;
	struct buf text = {0};
	if (diverged) {
		buf_printf(&text, "diverged for %llu of ", (unsigned long long)diverged);
		view_times_format(p->mask->origin.unit, all, &text);
	} else {
		buf_puts(&text, "not diverged");
	}
	buf_printf(&text, "; over time %.3g of %d lanes are active", lanes / (double)all, WARP_SIZE);
	canvas_text_fit(canvas, row, diverged ? ROLE_CONFLICT : ROLE_GOOD, buf_str(&text));
	buf_free(&text);
}

/* --- which lanes go together -------------------------------------------------------------------------------------- */
#define ARMS_MAX 8
#define ARM_COLS 84       /* its lanes, steps and lines */
#define ARM_SHARE_COLS 19 /* " 100 % of the time" */
#define ARM_BAR_MIN 10
#define ARM_BAR_MAX 40

struct arm {
	uint32_t lanes;
	enum role role;
	uint64_t steps, time;
	int first, last; /* lines */
};

static struct arm *find_arm(struct arm *arms, int *n, const struct view_mask_line *line)
{
	for (int i = 0; i < *n; i++)
		if (arms[i].lanes == line->lanes)
			return &arms[i];
	if (*n == ARMS_MAX)
		return NULL;
	arms[*n] = (struct arm){
		.lanes = line->lanes, .role = line->arm ? view_wave_role(line->arm) : ROLE_LANE, .first = INT_MAX};
	return &arms[(*n)++];
}

static int count_arms(const struct view_mask *p, struct arm *arms)
{
	int n = 0;
	for (size_t i = 0; i < p->n; i++) {
		struct arm *arm = find_arm(arms, &n, &p->lines[i]);
		if (arm)
			arm->time += row_time(p, i);
		for (size_t s = p->lines[i].first; arm && s <= p->lines[i].last; s++) {
			const struct mask_step *step = &p->mask->steps[s];
			arm->steps += step->repeats;
			arm->first = step->line && step->line < arm->first ? step->line : arm->first;
			arm->last = step->line > arm->last ? step->line : arm->last;
		}
	}
	return n;
}

void view_mask_draw_arms(struct canvas *canvas, struct rect rect, const struct view_mask *p)
{
	struct arm arms[ARMS_MAX];
	int n = count_arms(p, arms), row = rect.row + 1, bar = rect.cols - ARM_COLS - ARM_SHARE_COLS;
	uint64_t all = 0;
	for (int i = 0; i < n; i++)
		all += arms[i].time;
	if (n < 2 || rect.rows < n + 2)
		return;
	canvas_text(canvas, row++, rect.col, ROLE_TITLE, "which lanes go together");
	for (int i = 0; i < n; i++, row++) {
		struct buf text = {0};
		view_write_lanes(arms[i].lanes, 4, &text);
		canvas_paint(canvas, (struct rect){row, rect.col, 1, 2}, arms[i].role);
		canvas_text_fit(canvas, (struct rect){row, rect.col + 3, 1, 31}, ROLE_TEXT, buf_str(&text));
		bool one = arms[i].first == arms[i].last;
		int col = rect.col + 35;
		col += canvas_textf(canvas, row, col, ROLE_DIM, "%2d of %d lanes in %llu step%s, line%s %d",
			__builtin_popcount(arms[i].lanes), __builtin_popcount(p->mask->lanes),
			(unsigned long long)arms[i].steps, arms[i].steps == 1 ? "" : "s", one ? "" : "s",
			arms[i].first);
		if (!one)
			canvas_textf(canvas, row, col, ROLE_DIM, " to %d", arms[i].last);
		buf_free(&text);
		if (bar < ARM_BAR_MIN || !all)
			continue;
		struct rect r = {row, rect.col + ARM_COLS, 1, bar > ARM_BAR_MAX ? ARM_BAR_MAX : bar};
		view_draw_bar(canvas, r, arms[i].role, arms[i].time, all);
		canvas_textf(canvas, row, r.col + r.cols, ROLE_TEXT, "%4.0f %% of the time",
			100.0 * (double)arms[i].time / (double)all);
	}
}

/* --- rows --------------------------------------------------------------------------------------------------------- */
void view_mask_draw_ruler_roomy(struct canvas *canvas, int row, const struct view_mask *p)
{
	struct bars g = fit_bars(p);
	canvas_text(canvas, row, p->rect.col, ROLE_DIM, "line");
	canvas_text(canvas, row, g.source, ROLE_DIM, "source");
	for (int lane = 0; lane < WARP_SIZE; lane += 4)
		canvas_textf(canvas, row, g.lanes + lane * g.pitch, ROLE_DIM, "%d", lane);
	canvas_text(canvas, row, g.after + REPEAT_COLS, ROLE_DIM, "active");
	if (g.times)
		canvas_textf(canvas, row, g.end - TIME_COLS, ROLE_DIM, "%*s", TIME_COLS,
			p->mask->origin.unit == TIMELINE_CYCLES ? "cycle" : "ns");
}

/* A bar over lanes [first, end), which lanes they are in it where there is room; never in some of many small ones alone. */
static void draw_run(struct canvas *canvas, struct rect r, enum role role, int first, int end)
{
	char text[40];
	snprintf(text, sizeof text, " lanes %d–%d ", first, end - 1);
	if (utf8_columns(text) > r.cols)
		snprintf(text, sizeof text, " %d–%d ", first, end - 1);
	if (end - first == 1)
		snprintf(text, sizeof text, "%2d", first);
	if (utf8_columns(text) <= r.cols && (r.cols >= LABEL_MIN || end - first == 1))
		canvas_label(canvas, r, role, text);
	else
		canvas_paint(canvas, r, role);
}

static void draw_lanes(struct canvas *canvas, int row, const struct bars *g, const struct view_mask *p,
	const struct view_mask_line *line)
{
	uint32_t all = p->mask->lanes;
	enum role role = line->arm ? view_wave_role(line->arm) : ROLE_LANE;
	for (int lane = 0, end; lane < WARP_SIZE; lane = end) {
		bool active = line->lanes >> lane & 1;
		for (end = lane + 1; active && end < WARP_SIZE && (line->lanes >> end & 1);)
			end++;
		struct rect r = {row, g->lanes + lane * g->pitch, 1, (end - lane) * g->pitch};
		if (active && end - lane == 1 && g->pitch > 1)
			r.cols--; /* neighbors that go alone are seen to be several */
		if (active)
			draw_run(canvas, r, role, lane, end);
		else if ((all & ~line->gone) >> lane & 1)
			canvas_put(canvas, row, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		for (int i = lane; i < end && ((all & ~line->gone) >> i & 1); i++)
			view_spot(canvas, p->input,
				(struct rect){row, g->lanes + i * g->pitch, 1, g->pitch - (g->pitch > 1)},
				&(struct view_shows){{THING_LANE, i}, (uint32_t)1 << i, {0}});
	}
}

static void draw_words(struct canvas *canvas, int row, const struct bars *g, const struct view_mask *p,
	const struct view_mask_line *line)
{
	const struct mask_step *step = &p->mask->steps[line->first];
	const struct view_mask_sign *relation = &view_mask_relations[step->relation],
				    *what = &view_mask_whats[step->what];
	int col = g->after, end = col + REPEAT_COLS + WORDS_COLS;
	if (line->repeats > 1)
		canvas_textf(canvas, row, col, ROLE_STRONG, "×%u", line->repeats);
	else if (line->in_group)
		canvas_put(canvas, row, col, GLYPH_LINE_V, ROLE_DIM);
	col += REPEAT_COLS;
	int active = __builtin_popcount(line->lanes);
	col += canvas_textf(canvas, row, col, active < WARP_SIZE ? ROLE_STRONG : ROLE_DIM, "%2d", active) + 2;
	col += canvas_text(canvas, row, col, relation->role, relation->words);
	if (view_mask_until(p, line))
		col += canvas_textf(canvas, row, col, ROLE_DIM, " until line %d", view_mask_until(p, line));
	if (*relation->words && *what->words)
		col += canvas_text(canvas, row, col, ROLE_TEXT, ", ");
	canvas_text_fit(canvas, (struct rect){row, col, 1, end - col}, what->role, what->words);
	if (g->times)
		canvas_textf(
			canvas, row, g->end - TIME_COLS, ROLE_DIM, "%*llu", TIME_COLS, (unsigned long long)step->time);
}

void view_mask_draw_line_roomy(
	struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	struct bars g = fit_bars(p);
	const struct mask_step *step = &p->mask->steps[line->first];
	bool related = step->relation != MASK_SAME;
	const struct view_mask_sign *sign = related ? &view_mask_relations[step->relation]
						    : &view_mask_whats[step->what];
	int shown = view_mask_line_of(p, line);
	if (shown)
		canvas_textf(canvas, row, p->rect.col, shown == p->source->watched ? ROLE_WATCHED : ROLE_DIM, "%*d%s",
			VIEW_MASK_LABEL - 1, shown, line->more_lines ? "+" : "");
	view_draw_code_row(
		canvas, (struct rect){row, g.source, 1, g.mark - g.source - 1}, view_mask_source(p->source, shown));
	if (shown)
		view_spot_of(canvas, p->input, (struct rect){row, p->rect.col, 1, g.mark - p->rect.col - 1}, THING_LINE,
			shown);
	canvas_put(canvas, row, g.mark, sign->glyph, sign->role);
	draw_lanes(canvas, row, &g, p, line);
	draw_words(canvas, row, &g, p, line);
}
