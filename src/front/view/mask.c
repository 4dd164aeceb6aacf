/* One warp over time: a row for each step, 32 lanes wide. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/view/source.h"
#include "front/view/times.h"
#include "machine/warp/warp.h"

#define LABEL 5 /* "  22+" */

/* A row of the picture: steps [first, last] of one mask. */
struct view_mask_line {
	size_t first, last;
	uint32_t lanes, gone; /* gone: ended before */
	int arm;              /* counts the arms of a diverged warp; 0: it has not diverged */
	uint32_t repeats;     /* of the group that ends with this row; 1: none */
	size_t group;         /* rows of that group */
	bool in_group;        /* and is not the last row of it */
	bool more_lines;      /* of the source than the one that is shown */
	bool has_text;        /* where source has rows of its own: not that of the row before */
};

/* Which steps share a row, beside the two sides of a barrier. */
enum view_mask_rows {
	MASK_ROWS_STEPS, /* none */
	MASK_ROWS_LOOPS, /* those of one mask, but a loop has a row of its own */
	MASK_ROWS_MASKS, /* those of one mask */
};

struct view_mask {
	const struct view_input *input;
	const struct mask_timeline *mask;
	const struct view_source *source;
	struct rect rect;
	enum view_mask_rows per;
	bool under;   /* too narrow for source beside the lanes: it has a row of its own above them */
	int lanes_at; /* column of lane 0: after the label, the mark, and a blank where there is room */
	struct view_mask_line *lines;
	size_t n;
};

/* How a row's lanes relate to those before (enum mask_relation), and what they do (enum mask_what). */
struct view_mask_sign {
	uint32_t glyph;
	enum role role;
	const char *words;
};
#define COUNT_COLS 6 /* " ×1234" */
#define TIME_COLS 9
#define WORDS_COLS 28   /* " 31  reconverged, barrier", " 16  diverged until line 18" */
#define VERDICT_ROWS 14 /* of the larger form: with a row for what is to be seen */
#define SOURCE_MIN 24
#define SOURCE_WHOLE 36 /* most lines are no longer: what is said of it beside that */

static const char *mask_lacks(const struct view_input *input)
{
	if (input->times->mask)
		return NULL;
	return input->times->why ? input->times->why : "There is no warp to watch here.";
}

static int mask_moments(const struct view_input *input)
{
	return input->times->mask->n < INT_MAX ? (int)input->times->mask->n : INT_MAX;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Whether the row before step `i` can show it too. */
static bool joins(const struct view_mask *p, const struct view_mask_line *before, size_t i)
{
	const struct mask_step *step = &p->mask->steps[i];
	/* A barrier's two sides are one row: leaving it right after arriving there. */
	if (step->what == MASK_LEAVE && step->relation == MASK_SAME && i > 0 &&
		p->mask->steps[i - 1].what == MASK_ARRIVE)
		return true;
	/* The end of lanes that are the last ones of the warp says nothing new. */
	bool last_end = step->what == MASK_EXIT && i + 1 == p->mask->n;
	if (p->per == MASK_ROWS_STEPS || step->relation != MASK_SAME || (step->what == MASK_EXIT && !last_end))
		return false;
	return before->lanes == step->lanes && p->mask->steps[before->first].what == MASK_LINE &&
		(step->what == MASK_LINE || step->what == MASK_EXIT);
}

/* The line of source that stands for a row: where lanes diverge next the last, which branches; else the watched one,
 * the last of a loop, the last. 0: not known. */
static int mask_line_of(const struct view_mask *p, const struct view_mask_line *line)
{
	const struct mask_step *steps = p->mask->steps;
	int last = 0, loop = 0;
	bool branches = line->last + 1 < p->mask->n && steps[line->last + 1].relation == MASK_DIVERGED;
	for (size_t i = line->first; i <= line->last; i++) {
		if (!branches && steps[i].line && steps[i].line == p->source->watched)
			return steps[i].line;
		if (steps[i].line && (steps[i].what != MASK_EXIT || !last))
			last = steps[i].line;
		if (steps[i].repeats >= 2 && steps[i].line)
			loop = steps[i].line;
	}
	return loop && !branches ? loop : last;
}

static void lay_rows(struct view_mask *p)
{
	const struct mask_timeline *m = p->mask;
	size_t *row_of = base_calloc(m->n + 1, sizeof *row_of);

	/* Where steps that were run several times begin, and where others follow them: rows begin there. */
	bool *borders = base_calloc(m->n + 1, sizeof *borders);
	for (size_t i = 0; i < m->n; i++) {
		size_t first = i + 1 - m->steps[i].group;
		bool one_mask = true;
		for (size_t k = first + 1; k <= i; k++)
			one_mask &= m->steps[k].lanes == m->steps[first].lanes;
		if (m->steps[i].repeats >= 2 && (p->per != MASK_ROWS_MASKS || !one_mask))
			borders[first] = borders[i + 1] = true;
	}

	uint32_t gone = 0;
	int arm = 0;
	p->n = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct mask_step *step = &m->steps[i];
		struct view_mask_line *before = p->n ? &p->lines[p->n - 1] : NULL;
		if (before && !borders[i] && joins(p, before, i)) {
			before->more_lines |= step->what != MASK_EXIT && step->line != m->steps[before->first].line;
			before->last = i;
		} else {
			bool whole = (step->lanes | gone) == m->lanes;
			arm = whole ? 0 : step->relation == MASK_SAME ? arm : arm + 1;
			p->lines[p->n++] = (struct view_mask_line){.first = i,
				.last = i,
				.lanes = step->lanes,
				.gone = gone,
				.arm = whole  ? 0
					: arm ? arm
					      : 1,
				.repeats = 1,
				.group = 1};
		}
		row_of[i] = p->n - 1;
		if (step->what == MASK_EXIT)
			gone |= step->lanes;
	}
	for (size_t i = 0; i < m->n; i++) {
		/* A group of steps that was run several times, in rows: only where it is whole rows, or part of one
		 * that shows a line of it. */
		const struct mask_step *step = &m->steps[i];
		size_t first = i + 1 - step->group, from = row_of[first], to = row_of[i];
		bool whole = p->lines[from].first == first && p->lines[to].last == i, shown = false;
		for (size_t k = first; k <= i && from == to; k++)
			shown |= m->steps[k].line == mask_line_of(p, &p->lines[to]);
		if (step->repeats < 2 || !(whole || shown))
			continue;
		p->lines[to].repeats = step->repeats;
		p->lines[to].group = to - from + 1;
		for (size_t r = from; r < to; r++)
			p->lines[r].in_group = true;
	}
	for (size_t r = 0; r < p->n; r++)
		p->lines[r].has_text = r == 0 || p->lines[r].repeats > 1 ||
			mask_line_of(p, &p->lines[r]) != mask_line_of(p, &p->lines[r - 1]);
	free(borders);
	free(row_of);
}

/* Rows of the canvas that rows [from, to) of the picture take. The first has its text wherever the picture begins. */
static size_t rows_taken(const struct view_mask *p, size_t from, size_t to)
{
	size_t rows = to - from;
	for (size_t r = from; p->under && r < to; r++)
		rows += p->lines[r].has_text || r == from;
	return rows;
}

/* --- one row ------------------------------------------------------------------------------------------------------ */

static const struct view_mask_sign relation_signs[] = {
	[MASK_SAME] = {' ', ROLE_TEXT, ""},
	[MASK_DIVERGED] = {GLYPH_TRIANGLE_DOWN_SMALL, ROLE_CONFLICT, "diverged"},
	[MASK_OTHER] = {GLYPH_DIAMOND, ROLE_WATCHED, "other arm"},
	[MASK_RECONVERGED] = {GLYPH_TRIANGLE_UP_SMALL, ROLE_GOOD, "reconverged"},
};
static const struct view_mask_sign what_signs[] = {
	[MASK_LINE] = {' ', ROLE_TEXT, ""},
	[MASK_ARRIVE] = {'b', ROLE_CONFLICT, "barrier"},
	[MASK_LEAVE] = {'b', ROLE_CONFLICT, "after the barrier"},
	[MASK_EXIT] = {'x', ROLE_DIM, "end"},
};

/* The line at which lanes that diverge come together; 0: not known, or its instruction is of a line before the branch,
 * where the compiler took it from. */
static int mask_until(const struct view_mask *p, const struct view_mask_line *line)
{
	const struct mask_step *step = &p->mask->steps[line->first];
	int branch = line->first > 0 ? p->mask->steps[line->first - 1].line : 0;
	bool diverges = step->relation == MASK_DIVERGED && step->what == MASK_LINE;
	return diverges && step->reconverges > branch ? step->reconverges : 0;
}

/* The text of a line of source, "" where there is none. */
static const char *mask_source(const struct view_source *source, int line)
{
	if (line < 1 || line > source->n_lines || !source->lines[line - 1].text)
		return "";
	return source->lines[line - 1].text;
}

static void draw_mask_line(struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	int col = p->rect.col, shown = mask_line_of(p, line);
	const struct mask_step *step = &p->mask->steps[line->first];
	bool related = step->relation != MASK_SAME;
	bool labeled = shown && (!p->under || line->has_text);
	if (labeled)
		canvas_textf(canvas, row, col, shown == p->source->watched ? ROLE_WATCHED : ROLE_DIM, "%*d%s",
			LABEL - 1, shown, line->more_lines ? "+" : "");
	if (p->under && line->has_text) {
		/* Its number and, in a row of its own, its text: how often it was run has its room first, what became
		 * of the lanes what is left. */
		const char *text = mask_source(p->source, mask_line_of(p, line));
		int end = p->rect.col + p->rect.cols;
		if (line->repeats > 1) {
			char times[16];
			snprintf(times, sizeof times, " ×%u", line->repeats);
			end -= utf8_columns(times);
			canvas_text(canvas, row, end, ROLE_STRONG, times);
		} else if (line->in_group) {
			canvas_put(canvas, row, --end, GLYPH_LINE_V, ROLE_DIM);
		}
		view_draw_code_row(canvas, (struct rect){row, p->lanes_at, 1, end - p->lanes_at}, text);
		text += strspn(text, " \t");
		const struct view_mask_sign *sign = step->what != MASK_LINE ? &what_signs[step->what]
									    : &relation_signs[step->relation];
		int words = utf8_columns(sign->words), taken = p->lanes_at + (int)view_code_length(text);
		if (end - taken >= words + 3)
			canvas_text(canvas, row, end - words - 1, sign->role, sign->words);
	}
	if (labeled)
		view_spot_of(canvas, p->input, (struct rect){row, col, 1, p->under ? p->rect.cols : LABEL}, THING_LINE,
			shown);
	row += p->under && line->has_text;
	canvas_put(canvas, row, col + LABEL,
		related ? relation_signs[step->relation].glyph : what_signs[step->what].glyph,
		related ? relation_signs[step->relation].role : what_signs[step->what].role);

	uint32_t all = p->mask->lanes;
	enum role role = line->arm ? view_wave_role(line->arm) : ROLE_LANE;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		if (line->lanes >> lane & 1)
			canvas_put(canvas, row, p->lanes_at + lane, view_lane_digit(lane), role);
		else if ((all & ~line->gone) >> lane & 1)
			canvas_put(canvas, row, p->lanes_at + lane, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		else
			continue;
		view_spot(canvas, p->input, (struct rect){row, p->lanes_at + lane, 1, 1},
			&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}

	if (!p->under) {
		/* What there is room for after the lanes, the source first. */
		int rest = p->lanes_at + WARP_SIZE, end = p->rect.col + p->rect.cols;
		if (end - rest >= COUNT_COLS) {
			if (line->repeats > 1)
				canvas_textf(canvas, row, rest + 1, ROLE_STRONG, "×%u", line->repeats);
			else if (line->in_group)
				canvas_put(canvas, row, rest + 1, GLYPH_LINE_V, ROLE_DIM);
			rest += COUNT_COLS;
		}
		if (end - rest >= TIME_COLS + SOURCE_WHOLE) {
			canvas_textf(
				canvas, row, rest, ROLE_DIM, "%*llu", TIME_COLS - 1, (unsigned long long)step->time);
			rest += TIME_COLS;
		}
		if (end - rest >= WORDS_COLS + SOURCE_WHOLE) {
			const char *relation = relation_signs[step->relation].words,
				   *what = what_signs[step->what].words;
			canvas_textf(canvas, row, rest + 1, ROLE_TEXT, "%2d", __builtin_popcount(line->lanes));
			int at = rest + 5 +
				canvas_text(canvas, row, rest + 5, relation_signs[step->relation].role, relation);
			if (mask_until(p, line))
				at += canvas_textf(canvas, row, at, ROLE_DIM, " until line %d", mask_until(p, line));
			if (*relation && *what)
				at += canvas_text(canvas, row, at, ROLE_TEXT, ", ");
			canvas_text_fit(canvas, (struct rect){row, at, 1, rest + WORDS_COLS - at},
				what_signs[step->what].role, what);
			rest += WORDS_COLS;
		}
		if (end - rest >= SOURCE_MIN)
			view_draw_code_row(canvas, (struct rect){row, rest, 1, end - rest},
				mask_source(p->source, mask_line_of(p, line)));
	} else if (line->in_group) {
		canvas_put(canvas, row, col + p->rect.cols - 1, GLYPH_LINE_V, ROLE_DIM);
	}
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* How many rows are of one arm; what the marks mean. Not whole: rows are left that are not played yet. */
static void note_mask(struct view_notes *notes, const struct view_mask *p, bool whole)
{
	int cols = p->rect.cols;
	size_t diverged = 0;
	bool seen[4] = {false}, ends = false, barrier = false, more = false;
	for (size_t i = 0; i < p->mask->n; i++) {
		const struct mask_step *step = &p->mask->steps[i];
		seen[step->relation] = true;
		barrier |= step->what == MASK_ARRIVE;
	}
	for (size_t i = 0; i < p->n; i++) {
		diverged += p->lines[i].arm > 0;
		ends |= p->mask->steps[p->lines[i].first].what == MASK_EXIT;
		more |= p->lines[i].more_lines;
	}
	if (diverged)
		view_notes_add(notes, ROLE_TEXT, "diverged in %zu of %zu row%s; · waits", diverged, p->n,
			view_plural((int)p->n));
	else
		view_notes_add(
			notes, ROLE_GOOD, whole ? "the warp never diverged" : "the warp has not diverged so far");
	char key[200] = "";
	int at = 0;
	static const char *const marks[] = {"", "▾\u00a0diverges  ", "◆\u00a0other\u00a0arm  ", "▴\u00a0reconverges  "};
	for (int r = MASK_DIVERGED; r <= MASK_RECONVERGED; r++)
		if (seen[r])
			at += snprintf(key + at, sizeof key - (size_t)at, "%s", marks[r]);
	at += snprintf(key + at, sizeof key - (size_t)at, "%s%s%s", barrier ? "b\u00a0barrier  " : "",
		ends ? "x\u00a0end  " : "", more ? "+\u00a0more\u00a0lines" : "");
	if (at)
		view_notes_add(notes, ROLE_DIM, "%s", key);
	if (!p->under && cols < LABEL + 2 + WARP_SIZE + COUNT_COLS) {
		/* Where there is no room for it after the lanes. */
		for (size_t i = 0; i < p->n; i++) {
			int from = mask_line_of(p, &p->lines[i + 1 - p->lines[i].group]),
			    to = mask_line_of(p, &p->lines[i]);
			if (p->lines[i].repeats > 1 && from == to)
				view_notes_add(notes, ROLE_TEXT, "line %d: %u times", to, p->lines[i].repeats);
			else if (p->lines[i].repeats > 1)
				view_notes_add(notes, ROLE_TEXT, "from line %d to %d: %u times", from, to,
					p->lines[i].repeats);
		}
	}
	view_times_note(notes, &p->mask->origin,
		cols > 60 && p->mask->origin.witness == WITNESS_MODEL
			? "which lanes go first is the machine's choice; a GPU promises no order"
			: NULL);
}

static void draw_mask_left_out(struct canvas *canvas, struct rect rect, int row, size_t rows)
{
	char text[64];
	snprintf(text, sizeof text, "⋮ %zu more row%s", rows, rows == 1 ? "" : "s");
	canvas_text_fit(canvas, (struct rect){row, rect.col, 1, rect.cols}, ROLE_STRONG, text);
}

/* The rows to show begin a little before the first that has diverged. */
static size_t first_row(const struct view_mask *p, size_t room)
{
	size_t diverged = 0;
	while (diverged < p->n && !p->lines[diverged].arm)
		diverged++;
	if (diverged == p->n || diverged + 2 < room || p->n <= room)
		return 0;
	size_t first = diverged - 1, last = p->n - room + 1;
	return first < last ? first : last;
}

/* The rows of the mask as bars: the source, then a bar over the lanes that execute it, then what happened in words. */

#define MARK_COLS 2
#define REPEAT_COLS 6 /* "×1234 " */
#define ROOMY_SOURCE_MIN 20
#define PITCH_MAX 3
#define LABEL_MIN 8

/* Columns: line, its source, mark, lanes, repeats, words, time. */
struct bars {
	int source, mark, lanes, pitch, after, end; /* where each begins */
	bool times;
};

static struct bars fit_bars(const struct view_mask *p)
{
	struct bars g = {.source = p->rect.col + LABEL + 1, .end = p->rect.col + p->rect.cols, .pitch = PITCH_MAX};
	int fixed = LABEL + 1 + MARK_COLS + 1 + REPEAT_COLS + WORDS_COLS;
	while (g.pitch > 1 && p->rect.cols - fixed - g.pitch * WARP_SIZE < ROOMY_SOURCE_MIN)
		g.pitch--;
	int left = p->rect.cols - fixed - g.pitch * WARP_SIZE;
	g.times = left >= ROOMY_SOURCE_MIN + TIME_COLS + 4;
	g.mark = g.source + left - (g.times ? TIME_COLS : 0);
	g.lanes = g.mark + MARK_COLS;
	g.after = g.lanes + g.pitch * WARP_SIZE + 1;
	return g;
}

/* --- how long ----------------------------------------------------------------------------------------------------- */

/* From the first step of a row to that of the next one. */
static uint64_t row_time(const struct view_mask *p, size_t row)
{
	const struct mask_timeline *mask = p->mask;
	size_t next = p->lines[row].last + 1;
	uint64_t from = mask->steps[p->lines[row].first].time, to = next < mask->n ? mask->steps[next].time : mask->end;
	return to > from ? to - from : 0;
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

/* Which lanes went together, over how many steps and which lines: where there are rows to spare. */
static void mask_draw_arms(struct canvas *canvas, struct rect rect, const struct view_mask *p)
{
	struct arm arms[ARMS_MAX];
	int n = 0, row = rect.row + 1, bar = rect.cols - ARM_COLS - ARM_SHARE_COLS;
	for (size_t i = 0; i < p->n; i++) {
		const struct view_mask_line *line = &p->lines[i];
		int k = 0;
		while (k < n && arms[k].lanes != line->lanes)
			k++;
		if (k == ARMS_MAX)
			continue;
		if (k == n)
			arms[n++] = (struct arm){.lanes = line->lanes,
				.role = line->arm ? view_wave_role(line->arm) : ROLE_LANE,
				.first = INT_MAX};
		struct arm *arm = &arms[k];
		arm->time += row_time(p, i);
		for (size_t s = line->first; s <= line->last; s++) {
			const struct mask_step *step = &p->mask->steps[s];
			arm->steps += step->repeats;
			arm->first = step->line && step->line < arm->first ? step->line : arm->first;
			arm->last = step->line > arm->last ? step->line : arm->last;
		}
	}

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

static void mask_draw_line_roomy(
	struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	struct bars g = fit_bars(p);
	const struct mask_step *step = &p->mask->steps[line->first];
	bool related = step->relation != MASK_SAME;
	const struct view_mask_sign *sign = related ? &relation_signs[step->relation] : &what_signs[step->what];
	int shown = mask_line_of(p, line);
	if (shown)
		canvas_textf(canvas, row, p->rect.col, shown == p->source->watched ? ROLE_WATCHED : ROLE_DIM, "%*d%s",
			LABEL - 1, shown, line->more_lines ? "+" : "");
	view_draw_code_row(
		canvas, (struct rect){row, g.source, 1, g.mark - g.source - 1}, mask_source(p->source, shown));
	if (shown)
		view_spot_of(canvas, p->input, (struct rect){row, p->rect.col, 1, g.mark - p->rect.col - 1}, THING_LINE,
			shown);
	canvas_put(canvas, row, g.mark, sign->glyph, sign->role);

	uint32_t all = p->mask->lanes;
	enum role role = line->arm ? view_wave_role(line->arm) : ROLE_LANE;
	for (int lane = 0, end; lane < WARP_SIZE; lane = end) {
		bool active = line->lanes >> lane & 1;
		for (end = lane + 1; active && end < WARP_SIZE && (line->lanes >> end & 1);)
			end++;
		struct rect r = {row, g.lanes + lane * g.pitch, 1, (end - lane) * g.pitch};
		if (active && end - lane == 1 && g.pitch > 1)
			r.cols--; /* neighbors that go alone are seen to be several */
		if (active) {
			/* A bar over lanes [first, end), which lanes they are in it where there is room; never in some
			 * of many small ones alone. */
			char text[40];
			snprintf(text, sizeof text, " lanes %d–%d ", lane, end - 1);
			if (utf8_columns(text) > r.cols)
				snprintf(text, sizeof text, " %d–%d ", lane, end - 1);
			if (end - lane == 1)
				snprintf(text, sizeof text, "%2d", lane);
			if (utf8_columns(text) <= r.cols && (r.cols >= LABEL_MIN || end - lane == 1))
				canvas_label(canvas, r, role, text);
			else
				canvas_paint(canvas, r, role);
		} else if ((all & ~line->gone) >> lane & 1) {
			canvas_put(canvas, row, r.col + r.cols / 2, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		}
		for (int i = lane; i < end && ((all & ~line->gone) >> i & 1); i++)
			view_spot(canvas, p->input,
				(struct rect){row, g.lanes + i * g.pitch, 1, g.pitch - (g.pitch > 1)},
				&(struct view_shows){{THING_LANE, i}, (uint32_t)1 << i, {0}});
	}

	const struct view_mask_sign *relation = &relation_signs[step->relation], *what = &what_signs[step->what];
	int col = g.after, end = col + REPEAT_COLS + WORDS_COLS;
	if (line->repeats > 1)
		canvas_textf(canvas, row, col, ROLE_STRONG, "×%u", line->repeats);
	else if (line->in_group)
		canvas_put(canvas, row, col, GLYPH_LINE_V, ROLE_DIM);
	col += REPEAT_COLS;
	int active = __builtin_popcount(line->lanes);
	col += canvas_textf(canvas, row, col, active < WARP_SIZE ? ROLE_STRONG : ROLE_DIM, "%2d", active) + 2;
	col += canvas_text(canvas, row, col, relation->role, relation->words);
	if (mask_until(p, line))
		col += canvas_textf(canvas, row, col, ROLE_DIM, " until line %d", mask_until(p, line));
	if (*relation->words && *what->words)
		col += canvas_text(canvas, row, col, ROLE_TEXT, ", ");
	canvas_text_fit(canvas, (struct rect){row, col, 1, end - col}, what->role, what->words);
	if (g.times)
		canvas_textf(
			canvas, row, g.end - TIME_COLS, ROLE_DIM, "%*llu", TIME_COLS, (unsigned long long)step->time);
}

static void draw_mask(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct mask_timeline *mask = input->times->mask;
	struct view_mask p = {.input = input,
		.mask = mask,
		.source = input->source,
		.rect = rect,
		.lanes_at = rect.col + LABEL + 1 + (rect.cols > LABEL + 1 + WARP_SIZE),
		.lines = base_calloc(mask->n + 1, sizeof *p.lines)};
	char title[80];
	struct view_notes notes = {0};
	/* Source beside the lanes takes columns, above them rows. */
	p.under = !input->roomy && input->source->n_lines > 0 &&
		rect.cols < LABEL + 2 + WARP_SIZE + COUNT_COLS + SOURCE_MIN;
	bool roomy = input->roomy, verdict = roomy && rect.rows >= VERDICT_ROWS;
	int above = 1 + !p.under + verdict;
	lay_rows(&p);
	while (p.per < MASK_ROWS_MASKS &&
		rows_taken(&p, 0, p.n) + (p.under ? 3 : 4 + (size_t)verdict) > (size_t)rect.rows) {
		p.per++;
		lay_rows(&p);
	}
	size_t rows = p.n;
	int spare = rect.rows - above - (int)rows_taken(&p, 0, p.n);
	while (input->moment > 0 && p.n > 1 && p.lines[p.n - 1].first >= (size_t)input->moment)
		p.n--;
	note_mask(&notes, &p, p.n == rows);
	int notes_most = rect.rows < 12 ? 2 : rect.rows / 4;
	if (p.under)
		notes_most = spare < 0 ? 0 : spare < notes_most ? spare : notes_most;
	int notes_rows = view_notes_fit(&notes, notes_most, rect.cols);
	snprintf(title, sizeof title, "block %u warp %u, top to bottom", mask->block, mask->warp);
	view_times_header(canvas, rect, &mask->origin, title);
	if (verdict) {
		/* For how long it was diverged, and how many lanes were active meanwhile. */
		struct rect row = {rect.row + 1, rect.col, 1, rect.cols};
		uint64_t all = 0, diverged = 0;
		double lanes = 0;
		for (size_t i = 0; i < p.n; i++) {
			uint64_t time = row_time(&p, i);
			all += time;
			diverged += p.lines[i].arm ? time : 0;
			lanes += (double)time * __builtin_popcount(p.lines[i].lanes);
		}
		if (all) {
			struct buf text = {0};
			if (diverged) {
				buf_printf(&text, "diverged for %llu of ", (unsigned long long)diverged);
				view_times_format(p.mask->origin.unit, all, &text);
			} else {
				buf_puts(&text, "not diverged");
			}
			buf_printf(&text, "; over time %.3g of %d lanes are active", lanes / (double)all, WARP_SIZE);
			canvas_text_fit(canvas, row, diverged ? ROLE_CONFLICT : ROLE_GOOD, buf_str(&text));
			buf_free(&text);
		}
	}
	if (roomy) {
		int header_row = rect.row + above - 1;
		struct bars g = fit_bars(&p);
		canvas_text(canvas, header_row, p.rect.col, ROLE_DIM, "line");
		canvas_text(canvas, header_row, g.source, ROLE_DIM, "source");
		for (int lane = 0; lane < WARP_SIZE; lane += 4)
			canvas_textf(canvas, header_row, g.lanes + lane * g.pitch, ROLE_DIM, "%d", lane);
		canvas_text(canvas, header_row, g.after + REPEAT_COLS, ROLE_DIM, "active");
		if (g.times)
			canvas_textf(canvas, header_row, g.end - TIME_COLS, ROLE_DIM, "%*s", TIME_COLS,
				p.mask->origin.unit == TIMELINE_CYCLES ? "cycle" : "ns");
	} else if (!p.under) {
		int ruler_row = rect.row + 1;
		canvas_text(canvas, ruler_row, rect.col, ROLE_DIM, "line");
		for (int lane = 0; lane < WARP_SIZE; lane += 8)
			canvas_textf(canvas, ruler_row, p.lanes_at + lane, ROLE_DIM, lane ? "%d" : "lane 0", lane);
		int col = p.lanes_at + WARP_SIZE + COUNT_COLS, end = rect.col + rect.cols;
		if (end - col >= TIME_COLS + SOURCE_WHOLE)
			canvas_textf(canvas, ruler_row, col, ROLE_DIM, "%*s", TIME_COLS - 1,
				p.mask->origin.unit == TIMELINE_CYCLES ? "cycle" : "ns");
		if (end - col - TIME_COLS >= WORDS_COLS + SOURCE_WHOLE)
			canvas_text(canvas, ruler_row, col + TIME_COLS, ROLE_DIM, "lanes");
	}
	int room = rect.rows - above - notes_rows;
	struct rect lines = {rect.row + above, rect.col, room, rect.cols};
	if (p.under) {
		/* From the row before the first that has diverged on, where not all of them fit; a row that says how
		 * many do not. */
		size_t under_room = (size_t)lines.rows, first = 0, end = p.n;
		int row = lines.row;
		if (rows_taken(&p, 0, p.n) > under_room) {
			while (first + 1 < p.n && !p.lines[first + 1].arm)
				first++;
			if (first + 1 == p.n)
				first = 0;
			while (first > 0 && rows_taken(&p, first, p.n) + 1 < under_room)
				first--;
			under_room -= first > 0;
			while (end > first && rows_taken(&p, first, end) + (end < p.n) > under_room)
				end--;
		}
		if (first > 0)
			draw_mask_left_out(canvas, lines, row++, first);
		for (size_t i = first; i < end; i++) {
			p.lines[i].has_text |= i == first;
			draw_mask_line(canvas, row, &p, &p.lines[i]);
			row += 1 + p.lines[i].has_text;
		}
		if (end < p.n)
			draw_mask_left_out(canvas, lines, row, p.n - end);
	} else {
		void (*draw_line)(struct canvas *, int, const struct view_mask *,
			const struct view_mask_line *) = p.input->roomy ? mask_draw_line_roomy : draw_mask_line;
		size_t rows_room = (size_t)lines.rows, first = first_row(&p, rows_room);
		int row = lines.row;
		if (first > 0) {
			draw_mask_left_out(canvas, lines, row++, first);
			rows_room--;
		}
		struct view_elision e = view_elide((int)(p.n - first), (int)rows_room);
		for (int i = 0; i < e.head; i++)
			draw_line(canvas, row++, &p, &p.lines[first + (size_t)i]);
		if (e.left_out)
			draw_mask_left_out(canvas, lines, row++, (size_t)e.left_out);
		for (size_t i = p.n - (size_t)e.tail; i < p.n; i++)
			draw_line(canvas, row++, &p, &p.lines[i]);
	}
	size_t taken = rows_taken(&p, 0, p.n);
	int used = taken < (size_t)room ? (int)taken + 1 : room;
	view_notes_draw(canvas, (struct rect){rect.row + above + used, rect.col, notes_rows, rect.cols}, &notes);
	used += above + notes_rows;
	if (roomy)
		mask_draw_arms(canvas, (struct rect){rect.row + used, rect.col, rect.rows - used, rect.cols}, &p);
	free(p.lines);
}

static void describe_mask(const struct view_input *input, struct buf *out)
{
	static const char *const relations[] = {[MASK_SAME] = "",
		[MASK_DIVERGED] = "diverged: ",
		[MASK_OTHER] = "the other arm: ",
		[MASK_RECONVERGED] = "reconverged: "};
	static const char *const whats[] = {[MASK_LINE] = "",
		[MASK_ARRIVE] = " arrive at a barrier",
		[MASK_LEAVE] = " leave the barrier",
		[MASK_EXIT] = " exit"};
	const struct mask_timeline *mask = input->times->mask;
	for (size_t i = 0; i < mask->n && i < VIEW_STEPS_DESCRIBED; i++) {
		const struct mask_step *step = &mask->steps[i];
		buf_printf(out, "Line %d, %s", step->line, relations[step->relation]);
		view_write_lanes(step->lanes, 6, out);
		buf_printf(out, "%s", whats[step->what]);
		if (step->repeats > 1)
			buf_printf(out, ", %u times", step->repeats);
		buf_puts(out, ".\n");
	}
	if (mask->n > VIEW_STEPS_DESCRIBED)
		buf_printf(out, "And %zu more step%s.\n", mask->n - VIEW_STEPS_DESCRIBED,
			mask->n - VIEW_STEPS_DESCRIBED == 1 ? "" : "s");
}

const struct view_drawer view_drawer_mask = {.draw = draw_mask,
	.lacks = mask_lacks,
	.moments = mask_moments,
	.describe = describe_mask};
