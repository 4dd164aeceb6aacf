/* One warp over time: a row for each step, 32 lanes wide. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "view/light.h"
#include "view/mask.h"

#define COUNT_COLS 6 /* " ×1234" */
#define TIME_COLS 9
#define WORDS_COLS 28 /* " 31  reconverged, barrier", " 16  diverged until line 18" */
#define SOURCE_MIN 24
#define LABEL VIEW_MASK_LABEL

const char *view_draw_mask_lacks(const struct view_input *input)
{
	if (input->times.mask)
		return NULL;
	return input->times.why ? input->times.why : "There is no warp to watch here.";
}

int view_draw_mask_moments(const struct view_input *input)
{
	return input->times.mask->n < INT_MAX ? (int)input->times.mask->n : INT_MAX;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */
/* Leaving a barrier right after arriving there. */
static bool is_other_side(const struct mask_timeline *m, size_t i)
{
	const struct mask_step *step = &m->steps[i];
	return step->what == MASK_LEAVE && step->relation == MASK_SAME && i > 0 && m->steps[i - 1].what == MASK_ARRIVE;
}

/* Whether the row before step `i` can show it too. */
static bool joins(const struct view_mask *p, const struct view_mask_line *before, size_t i)
{
	const struct mask_step *step = &p->mask->steps[i];
	if (is_other_side(p->mask, i))
		return true; /* a barrier's two sides are one row */
	if (!p->compact || step->relation != MASK_SAME || step->what == MASK_EXIT)
		return false;
	return before->lanes == step->lanes && p->mask->steps[before->first].what == MASK_LINE &&
		step->what == MASK_LINE;
}

/* A group of steps that was run several times, in rows: only where it is whole rows. */
static void mark_group(struct view_mask *p, const size_t *row_of, size_t i)
{
	const struct mask_step *step = &p->mask->steps[i];
	size_t first = i + 1 - step->group, from = row_of[first], to = row_of[i];
	if (step->repeats < 2 || p->lines[from].first != first || p->lines[to].last != i)
		return;
	p->lines[to].repeats = step->repeats;
	p->lines[to].group = to - from + 1;
	for (size_t r = from; r < to; r++)
		p->lines[r].in_group = true;
}

static void lay_rows(struct view_mask *p)
{
	const struct mask_timeline *m = p->mask;
	size_t *row_of = base_calloc(m->n + 1, sizeof *row_of);
	uint32_t gone = 0;
	int arm = 0;
	p->n = 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct mask_step *step = &m->steps[i];
		struct view_mask_line *before = p->n ? &p->lines[p->n - 1] : NULL;
		if (before && joins(p, before, i)) {
			before->more_lines |= step->line != m->steps[before->first].line;
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
	for (size_t i = 0; i < m->n; i++)
		mark_group(p, row_of, i);
	free(row_of);
}

/* --- one row ------------------------------------------------------------------------------------------------------ */
const struct view_mask_sign view_mask_relations[] = {
	[MASK_SAME] = {' ', ROLE_TEXT, ""},
	[MASK_DIVERGED] = {GLYPH_TRIANGLE_DOWN_SMALL, ROLE_CONFLICT, "diverged"},
	[MASK_OTHER] = {GLYPH_DIAMOND, ROLE_WATCHED, "other arm"},
	[MASK_RECONVERGED] = {GLYPH_TRIANGLE_UP_SMALL, ROLE_GOOD, "reconverged"},
};
const struct view_mask_sign view_mask_whats[] = {
	[MASK_LINE] = {' ', ROLE_TEXT, ""},
	[MASK_ARRIVE] = {'b', ROLE_CONFLICT, "barrier"},
	[MASK_LEAVE] = {'b', ROLE_CONFLICT, "after the barrier"},
	[MASK_EXIT] = {'x', ROLE_DIM, "end"},
};

static void draw_lanes_of(struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	int col = p->lanes_at;
	uint32_t all = p->mask->lanes;
	enum role role = line->arm ? view_wave_role(line->arm) : ROLE_LANE;
	for (int lane = 0; lane < WARP_SIZE; lane++) {
		if (line->lanes >> lane & 1)
			canvas_put(canvas, row, col + lane, view_lane_digit(lane), role);
		else if ((all & ~line->gone) >> lane & 1)
			canvas_put(canvas, row, col + lane, GLYPH_MIDDLE_DOT, ROLE_IDLE);
		else
			continue;
		view_spot(canvas, p->input, (struct rect){row, col + lane, 1, 1},
			&(struct view_shows){{THING_LANE, lane}, (uint32_t)1 << lane, {0}});
	}
}

int view_mask_until(const struct view_mask *p, const struct view_mask_line *line)
{
	const struct mask_step *step = &p->mask->steps[line->first];
	int branch = line->first > 0 ? p->mask->steps[line->first - 1].line : 0;
	bool diverges = step->relation == MASK_DIVERGED && step->what == MASK_LINE;
	return diverges && step->reconverges > branch ? step->reconverges : 0;
}

const char *view_mask_source(const struct view_source *source, int line)
{
	if (line < 1 || line > source->n_lines || !source->lines[line - 1].text)
		return "";
	return source->lines[line - 1].text;
}

/* What there is room for after the lanes, from left to right. */
static void draw_rest(struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	int col = p->lanes_at + WARP_SIZE, end = p->rect.col + p->rect.cols;
	const struct mask_step *step = &p->mask->steps[line->first];
	if (end - col >= COUNT_COLS) {
		if (line->repeats > 1)
			canvas_textf(canvas, row, col + 1, ROLE_STRONG, "×%u", line->repeats);
		else if (line->in_group)
			canvas_put(canvas, row, col + 1, GLYPH_LINE_V, ROLE_DIM);
		col += COUNT_COLS;
	}
	if (end - col >= TIME_COLS) {
		canvas_textf(canvas, row, col, ROLE_DIM, "%*llu", TIME_COLS - 1, (unsigned long long)step->time);
		col += TIME_COLS;
	}
	if (end - col >= WORDS_COLS) {
		const char *relation = view_mask_relations[step->relation].words,
			   *what = view_mask_whats[step->what].words;
		canvas_textf(canvas, row, col + 1, ROLE_TEXT, "%2d", __builtin_popcount(line->lanes));
		int at = col + 5 +
			canvas_text(canvas, row, col + 5, view_mask_relations[step->relation].role, relation);
		if (view_mask_until(p, line))
			at += canvas_textf(canvas, row, at, ROLE_DIM, " until line %d", view_mask_until(p, line));
		if (*relation && *what)
			at += canvas_text(canvas, row, at, ROLE_TEXT, ", ");
		canvas_text_fit(canvas, (struct rect){row, at, 1, col + WORDS_COLS - at},
			view_mask_whats[step->what].role, what);
		col += WORDS_COLS;
	}
	if (end - col >= SOURCE_MIN)
		view_draw_code_row(
			canvas, (struct rect){row, col, 1, end - col}, view_mask_source(p->source, step->line));
}

static void draw_mask_line(struct canvas *canvas, int row, const struct view_mask *p, const struct view_mask_line *line)
{
	int col = p->rect.col;
	const struct mask_step *step = &p->mask->steps[line->first];
	bool related = step->relation != MASK_SAME;
	if (step->line)
		canvas_textf(canvas, row, col, step->line == p->source->watched ? ROLE_WATCHED : ROLE_DIM, "%*d%s",
			LABEL - 1, step->line, line->more_lines ? "+" : "");
	canvas_put(canvas, row, col + LABEL,
		related ? view_mask_relations[step->relation].glyph : view_mask_whats[step->what].glyph,
		related ? view_mask_relations[step->relation].role : view_mask_whats[step->what].role);
	if (step->line)
		view_spot_of(canvas, p->input, (struct rect){row, col, 1, LABEL}, THING_LINE, step->line);
	draw_lanes_of(canvas, row, p, line);
	draw_rest(canvas, row, p, line);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */
static void draw_ruler(struct canvas *canvas, struct rect rect, int row, const struct view_mask *p)
{
	canvas_text(canvas, row, rect.col, ROLE_DIM, "line");
	for (int lane = 0; lane < WARP_SIZE; lane += 8)
		canvas_textf(canvas, row, p->lanes_at + lane, ROLE_DIM, lane ? "%d" : "lane 0", lane);
	int col = p->lanes_at + WARP_SIZE + COUNT_COLS, end = rect.col + rect.cols;
	if (end - col >= TIME_COLS)
		canvas_textf(canvas, row, col, ROLE_DIM, "%*s", TIME_COLS - 1,
			p->mask->origin.unit == TIMELINE_CYCLES ? "cycle" : "ns");
	if (end - col - TIME_COLS >= WORDS_COLS)
		canvas_text(canvas, row, col + TIME_COLS, ROLE_DIM, "lanes");
}

/* Where there is no room for it after the lanes. */
static void note_loops(struct view_notes *notes, const struct view_mask *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct view_mask_line *first = &p->lines[i + 1 - p->lines[i].group];
		if (p->lines[i].repeats > 1)
			view_notes_add(notes, ROLE_TEXT, "from line %d to %d: %u times",
				p->mask->steps[first->first].line, p->mask->steps[p->lines[i].last].line,
				p->lines[i].repeats);
	}
}

/* How many rows are of one arm; what the marks mean. Not whole: rows are left that are not played yet. */
static void note_mask(struct view_notes *notes, const struct view_mask *p, bool whole)
{
	int cols = p->rect.cols;
	size_t diverged = 0;
	bool seen[4] = {false}, ends = false, barrier = false;
	for (size_t i = 0; i < p->mask->n; i++) {
		const struct mask_step *step = &p->mask->steps[i];
		seen[step->relation] = true;
		ends |= step->what == MASK_EXIT;
		barrier |= step->what == MASK_ARRIVE;
	}
	for (size_t i = 0; i < p->n; i++)
		diverged += p->lines[i].arm > 0;
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
		ends ? "x\u00a0end  " : "", p->compact ? "+\u00a0more\u00a0lines" : "");
	if (at)
		view_notes_add(notes, ROLE_DIM, "%s", key);
	if (cols < LABEL + 2 + WARP_SIZE + COUNT_COLS)
		note_loops(notes, p);
	view_times_note(notes, &p->mask->origin,
		cols > 60 && p->mask->origin.witness == WITNESS_MODEL
			? "when which lanes go is the machine's order, not a GPU's promise"
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

static void draw_mask_rows(struct canvas *canvas, struct rect rect, const struct view_mask *p)
{
	void (*draw_line)(struct canvas *, int, const struct view_mask *,
		const struct view_mask_line *) = view_is_roomy(VIEW_MASK, p->rect) ? view_mask_draw_line_roomy
										   : draw_mask_line;
	size_t room = (size_t)rect.rows, first = first_row(p, room);
	int row = rect.row;
	if (first > 0) {
		draw_mask_left_out(canvas, rect, row++, first);
		room--;
	}
	struct view_elision e = view_elide((int)(p->n - first), (int)room);
	for (int i = 0; i < e.head; i++)
		draw_line(canvas, row++, p, &p->lines[first + (size_t)i]);
	if (e.left_out)
		draw_mask_left_out(canvas, rect, row++, (size_t)e.left_out);
	for (size_t i = p->n - (size_t)e.tail; i < p->n; i++)
		draw_line(canvas, row++, p, &p->lines[i]);
}

void view_draw_mask(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct mask_timeline *mask = input->times.mask;
	struct view_mask p = {.input = input,
		.mask = mask,
		.source = &input->source,
		.rect = rect,
		.lanes_at = rect.col + LABEL + 1 + (rect.cols > LABEL + 1 + WARP_SIZE),
		.lines = base_calloc(mask->n + 1, sizeof *p.lines)};
	char title[80];
	struct view_notes notes = {0};
	lay_rows(&p);
	p.compact = p.n > (size_t)rect.rows - 4;
	if (p.compact)
		lay_rows(&p);
	size_t rows = p.n;
	while (input->moment > 0 && p.n > 1 && p.lines[p.n - 1].first >= (size_t)input->moment)
		p.n--;
	note_mask(&notes, &p, p.n == rows);
	int notes_rows = view_notes_fit(&notes, rect.rows < 12 ? 2 : rect.rows / 4, rect.cols);
	snprintf(title, sizeof title, "block %u warp %u, top to bottom", mask->block, mask->warp);
	view_times_header(canvas, rect, &mask->origin, title);
	if (view_is_roomy(VIEW_MASK, rect))
		view_mask_draw_ruler_roomy(canvas, rect.row + 1, &p);
	else
		draw_ruler(canvas, rect, rect.row + 1, &p);
	int room = rect.rows - 2 - notes_rows;
	draw_mask_rows(canvas, (struct rect){rect.row + 2, rect.col, room, rect.cols}, &p);
	int used = p.n < (size_t)room ? (int)p.n + 1 : room;
	if (used > room)
		used = room;
	view_notes_draw(canvas, (struct rect){rect.row + 2 + used, rect.col, notes_rows, rect.cols}, &notes);
	used += 2 + notes_rows;
	if (view_is_roomy(VIEW_MASK, rect))
		view_mask_draw_arms(canvas, (struct rect){rect.row + used, rect.col, rect.rows - used, rect.cols}, &p);
	free(p.lines);
}
