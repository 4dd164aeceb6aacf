/* The source and the PTX: where the followed warp is, where its other paths wait, how often each was executed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "front/screen/debug_parts.h"

#define TAB 2
#define MARGIN 2      /* rows kept in sight above and below the cursor */
#define COUNT_FROM 36 /* columns of the pane from which counts are shown */

/* --- what both have in common ------------------------------------------------------------------------------------- */

/* One row: a gutter with breakpoint, number and mark, the text, and a count at the right. */
struct code_row {
	int number; /* 0: none */
	const char *text;
	bool break_, here, waits; /* a breakpoint; the followed warp; another path of it */
	bool side;                /* a side of a race, but for the one where the warp is */
	bool linked;              /* belongs to the line of the cursor */
	bool cursor, code;        /* code: there is an instruction */
	uint64_t count;
};

/* "", "999", "12k", "3M". */
static void count_text(uint64_t count, char out[8])
{
	static const char units[] = {' ', 'k', 'M', 'G', 'T'};
	int unit = 0;
	for (; count > 9999 && unit < 4; unit++)
		count /= 1000;
	snprintf(out, 8, unit ? "%d%c" : "%d", (int)count, units[unit]);
	if (count == 0)
		out[0] = '\0';
}

/* Columns that the counts up to `most` take, with the blank before them. */
static int count_cols(uint64_t most, int cols)
{
	char text[8];
	count_text(most, text);
	return most && cols >= COUNT_FROM ? (int)strlen(text) + 2 : 0;
}

/* What all rows of a pane have in common. */
struct code_shape {
	int digits, count_cols;
};

static void draw_code_row(
	struct canvas *canvas, struct rect rect, const struct code_row *r, const struct code_shape *shape)
{
	char count[8];
	enum role role = r->here ? ROLE_WATCHED : r->code ? ROLE_TEXT : ROLE_DIM;
	int digits = shape->digits, col = rect.col + 1 + digits, end = rect.col + rect.cols - shape->count_cols;
	count_text(r->count, count);
	if (r->break_)
		canvas_put(canvas, rect.row, rect.col, GLYPH_DISC, ROLE_ERROR);
	if (r->number)
		canvas_textf(canvas, rect.row, rect.col + 1,
			r->cursor         ? ROLE_SELECTED
				: r->here ? ROLE_WATCHED
					  : ROLE_DIM,
			"%*d", digits, r->number);
	else if (r->cursor)
		canvas_fill(canvas, (struct rect){rect.row, rect.col + 1, 1, digits}, ' ', ROLE_SELECTED);

	if (r->here)
		canvas_put(canvas, rect.row, col, GLYPH_POINT_RIGHT, ROLE_WATCHED);
	else if (r->side)
		canvas_put(canvas, rect.row, col, GLYPH_CROSS_MARK, ROLE_ERROR);
	else if (r->waits)
		canvas_put(canvas, rect.row, col, GLYPH_DIAMOND_OPEN, ROLE_WASTED);
	else if (r->linked)
		canvas_put(canvas, rect.row, col, GLYPH_LINE_V_DASHED, ROLE_DIM);

	canvas_text_fit(canvas, (struct rect){rect.row, col + 2, 1, end - col - 2}, role, r->text);
	if (shape->count_cols)
		canvas_text(canvas, rect.row, rect.col + rect.cols - 1 - utf8_columns(count), ROLE_MODEL, count);
}

/* The first row shown, moved no more than it must be so that `cursor` is in sight. */
static int keep_in_sight(int first, int cursor, int n, int rows)
{
	int margin = rows > 2 * MARGIN + 1 ? MARGIN : 0;
	if (cursor < first + margin)
		first = cursor - margin;
	if (cursor > first + rows - 1 - margin)
		first = cursor - rows + 1 + margin;
	first = first > n - rows ? n - rows : first;
	return first < 0 ? 0 : first;
}

static int digits_of(int number)
{
	int digits = 2;
	for (int n = 99; number > n && digits < 7; n = n * 10 + 9)
		digits++;
	return digits;
}

/* Whether a path of the followed warp other than the one that runs is at an instruction that `fits`. */
static bool some_path(const struct debug *debug, bool (*fits)(const struct debug *debug, int instr, int at), int at)
{
	for (int i = 1; i < debug->now.n_paths; i++)
		if (debug->now.paths[i].instr >= 0 && fits(debug, debug->now.paths[i].instr, at))
			return true;
	return false;
}

static bool is_side(const struct debug *debug, bool (*fits)(const struct debug *debug, int instr, int at), int at)
{
	int other = debug_other_side(debug), late = debug_late_side(debug);
	return (other >= 0 && fits(debug, other, at)) || (late >= 0 && fits(debug, late, at));
}

/* --- the source --------------------------------------------------------------------------------------------------- */

static bool is_on_line(const struct debug *debug, int instr, int line)
{
	return debug->program->instrs[instr].line == line;
}

/* What is known of each source line, by its number. */
struct line_use {
	uint64_t count;
	bool code;
};

static int page_of(int rows)
{
	return rows > 1 ? rows - 1 : 1;
}

void screen_debug_lay_out_source(struct screen_debug_state *state, const struct debug *debug, int rows)
{
	state->source_first = keep_in_sight(
		state->source_first, debug->cursor.line - 1, debug->program->source.n_lines, rows);
	if (!debug->cursor.in_ptx)
		state->page = page_of(rows);
}

void screen_debug_draw_source(struct screen_debug_sketch *sketch, struct rect rect)
{
	const struct debug *debug = sketch->debug;
	const struct debug_program *program = debug->program;
	struct line_use *lines = base_calloc((size_t)program->source.n_lines + 1, sizeof *lines);
	for (int i = 0; i < program->n_instrs; i++) {
		int line = program->instrs[i].line;
		if (line > program->source.n_lines)
			continue;
		lines[line].code = true;
		lines[line].count += debug->executions[i];
	}

	int first = sketch->state->source_first;
	const struct source *source = &debug->program->source;
	struct code_shape shape = {digits_of(source->n_lines), 0};
	uint64_t most = 0;
	for (int line = 1; line <= source->n_lines; line++)
		most = lines[line].count > most ? lines[line].count : most;
	shape.count_cols = count_cols(most, rect.cols);
	for (int i = 0; i < rect.rows && first + i < source->n_lines; i++) {
		int line = first + i + 1;
		struct buf text = {0};

		struct code_row r = {
			.number = line,
			.break_ = debug_has_break(debug, DEBUG_SOURCE, line),
			.code = lines[line].code,
			.count = lines[line].count,
			.here = debug->now.instr >= 0 && is_on_line(debug, debug->now.instr, line),
			.waits = some_path(debug, is_on_line, line),
			.side = is_side(debug, is_on_line, line),
			.cursor = !debug->cursor.in_ptx && debug->cursor.line == line,
			.linked = debug->cursor.in_ptx && debug->cursor.line == line,
		};

		struct rect row = {rect.row + i, rect.col, 1, rect.cols};

		size_t len;
		const char *line_text = source_line_text(&debug->program->source, line - 1, &len);
		for (size_t j = 0; j < len; j++) {
			if (line_text[j] == '\t')
				buf_pad(&text, ' ', TAB);
			else
				buf_putc(&text, line_text[j]);
		}

		r.text = buf_str(&text);
		draw_code_row(sketch->canvas, row, &r, &shape);
		screen_debug_add_target(sketch, (struct screen_debug_target){row, DEBUG_ACT_NONE, line, -1});
		buf_free(&text);
	}

	free(lines);
}

/* --- the PTX ------------------------------------------------------------------------------------------------------ */

static bool is_on_row(const struct debug *debug, int instr, int row)
{
	return debug->program->instrs[instr].row == row;
}

static uint64_t row_count(const struct debug *debug, int row)
{
	int instr = debug->program->rows[row].instr;
	return instr >= 0 ? debug->executions[instr] : 0;
}

void screen_debug_lay_out_ptx(struct screen_debug_state *state, const struct debug *debug, int rows)
{
	state->ptx_first = keep_in_sight(state->ptx_first, debug->cursor.row, debug->program->n_rows, rows);
	if (debug->cursor.in_ptx)
		state->page = page_of(rows);
}

void screen_debug_draw_ptx(struct screen_debug_sketch *sketch, struct rect rect)
{
	const struct debug *debug = sketch->debug;
	const struct debug_program *program = debug->program;
	int first = sketch->state->ptx_first;
	struct code_shape shape;
	uint64_t most = 0;
	int last = 0; /* functions may stand before the kernel */
	for (int i = 0; i < program->n_rows; i++)
		last = program->rows[i].line > last ? program->rows[i].line : last;
	shape.digits = digits_of(last);
	for (int i = 0; i < program->n_rows; i++)
		most = row_count(debug, i) > most ? row_count(debug, i) : most;
	shape.count_cols = count_cols(most, rect.cols);
	for (int i = 0; i < rect.rows && first + i < program->n_rows; i++) {
		int at = first + i;
		const struct debug_row *ptx_row = &program->rows[at];
		struct code_row r = {.text = ptx_row->text, .code = ptx_row->instr >= 0, .count = row_count(debug, at)};
		r.number = ptx_row->instr >= 0 ? ptx_row->line : 0;
		r.break_ = debug_has_break(debug, DEBUG_PTX, ptx_row->line);
		r.here = debug->now.instr >= 0 && is_on_row(debug, debug->now.instr, at);
		r.waits = some_path(debug, is_on_row, at);
		r.side = is_side(debug, is_on_row, at);
		r.cursor = debug->cursor.in_ptx && debug->cursor.row == at;
		r.linked = !debug->cursor.in_ptx && ptx_row->instr >= 0 && program->source.n_lines &&
			program->instrs[ptx_row->instr].line == debug->cursor.line;

		struct rect row = {rect.row + i, rect.col, 1, rect.cols};
		draw_code_row(sketch->canvas, row, &r, &shape);
		screen_debug_add_target(sketch, (struct screen_debug_target){row, DEBUG_ACT_NONE, 0, first + i});
	}
}
