/* The source and the PTX: where the followed warp is, where its other paths wait, how often each was executed. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "screen/debug_parts.h"

#define TAB 2
#define MARGIN 2               /* rows kept in sight above and below the cursor */
#define COUNT_COLS 5

/* --- what both have in common ----------------------------------------------------------------------------------------- */

/* One row: a gutter with breakpoint, number and mark, the text, and a count at the right. */
struct code_row {
	int number;                /* 0: none */
	const char *text;
	bool break_, here, waits;  /* a breakpoint; the followed warp; another path of it */
	bool linked;               /* belongs to the line of the cursor */
	bool cursor, code;         /* code: there is an instruction */
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

static void draw_mark(struct canvas *canvas, int row, int col, const struct code_row *r)
{
	if (r->here)
		canvas_put(canvas, row, col, GLYPH_POINT_RIGHT, ROLE_WATCHED);
	else if (r->waits)
		canvas_put(canvas, row, col, GLYPH_DIAMOND_OPEN, ROLE_WASTED);
	else if (r->linked)
		canvas_put(canvas, row, col, GLYPH_LINE_V_DASHED, ROLE_DIM);
}

static void draw_code_row(struct canvas *canvas, struct rect rect, const struct code_row *r, int digits)
{
	char count[8];
	enum role role = r->here ? ROLE_WATCHED : r->code ? ROLE_TEXT : ROLE_DIM;
	int col = rect.col + 1 + digits, end = rect.col + rect.cols - COUNT_COLS;
	count_text(r->count, count);
	if (r->break_)
		canvas_put(canvas, rect.row, rect.col, GLYPH_DISC, ROLE_ERROR);
	if (r->number)
		canvas_textf(canvas, rect.row, rect.col + 1, r->cursor ? ROLE_SELECTED : r->here ? ROLE_WATCHED : ROLE_DIM, "%*d",
			digits, r->number);
	else if (r->cursor)
		canvas_fill(canvas, (struct rect){rect.row, rect.col + 1, 1, digits}, ' ', ROLE_SELECTED);
	draw_mark(canvas, rect.row, col, r);
	canvas_text_fit(canvas, rect.row, col + 2, end - col - 2, role, r->text);
	canvas_text(canvas, rect.row, rect.col + rect.cols - utf8_columns(count), ROLE_MODEL, count);
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

/* --- the source ------------------------------------------------------------------------------------------------------- */
static bool is_on_line(const struct debug *debug, int instr, int line)
{
	return debug->program->line_of[instr] == line;
}

static void line_text(const struct debug *debug, int line, struct buf *out)
{
	size_t len;
	const char *text = source_line_text(&debug->program->source, line - 1, &len);
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\t')
			buf_pad(out, ' ', TAB);
		else
			buf_putc(out, text[i]);
	}
}

static struct code_row source_row(const struct debug *debug, int line)
{
	const struct debug_program *program = debug->program;
	struct code_row r = {.number = line, .break_ = debug_has_break(debug, false, line)};
	for (int i = 0; i < program->kernel->n_instrs; i++) {
		r.code |= program->line_of[i] == line;
		r.count += program->line_of[i] == line ? debug->executions[i] : 0;
	}
	r.here = debug->now.instr >= 0 && is_on_line(debug, debug->now.instr, line);
	r.waits = some_path(debug, is_on_line, line);
	r.cursor = !debug->cursor_in_ptx && debug->cursor_line == line;
	r.linked = debug->cursor_in_ptx && debug->cursor_line == line;
	return r;
}

void draw_debug_source(struct debug_sketch *sketch, struct rect rect)
{
	struct debug *debug = sketch->debug;
	const struct source *source = &debug->program->source;
	int digits = digits_of(source->n_lines);
	if (!debug->cursor_line)
		debug->cursor_line = 1;
	debug->source_first = keep_in_sight(debug->source_first, debug->cursor_line - 1, source->n_lines, rect.rows);
	if (!debug->cursor_in_ptx)
		debug->page = rect.rows > 1 ? rect.rows - 1 : 1;
	for (int i = 0; i < rect.rows && debug->source_first + i < source->n_lines; i++) {
		int line = debug->source_first + i + 1;
		struct buf text = {0};
		struct code_row r = source_row(debug, line);
		struct rect row = {rect.row + i, rect.col, 1, rect.cols};
		line_text(debug, line, &text);
		r.text = buf_str(&text);
		draw_code_row(sketch->canvas, row, &r, digits);
		debug_target(sketch, (struct debug_target){row, DEBUG_ACT_NONE, line, -1});
		buf_free(&text);
	}
}

/* --- the PTX ---------------------------------------------------------------------------------------------------------- */
static bool is_on_row(const struct debug *debug, int instr, int row)
{
	return debug->program->row_of[instr] == row;
}

static uint64_t row_count(const struct debug *debug, int row)
{
	int instr = debug->program->rows[row].instr;
	return instr >= 0 ? debug->executions[instr] : 0;
}

static struct code_row ptx_row(const struct debug *debug, int at)
{
	const struct debug_program *program = debug->program;
	const struct debug_row *row = &program->rows[at];
	struct code_row r = {.text = row->text, .code = row->instr >= 0, .count = row_count(debug, at)};
	r.number = row->instr >= 0 ? row->line : 0;
	r.break_ = debug_has_break(debug, true, row->line);
	r.here = debug->now.instr >= 0 && is_on_row(debug, debug->now.instr, at);
	r.waits = some_path(debug, is_on_row, at);
	r.cursor = debug->cursor_in_ptx && debug->cursor_row == at;
	r.linked = !debug->cursor_in_ptx && row->instr >= 0 && program->source.n_lines &&
		program->line_of[row->instr] == debug->cursor_line;
	return r;
}

void draw_debug_ptx(struct debug_sketch *sketch, struct rect rect)
{
	struct debug *debug = sketch->debug;
	const struct debug_program *program = debug->program;
	int digits = digits_of(program->n_rows ? program->rows[program->n_rows - 1].line : 0);
	debug->ptx_first = keep_in_sight(debug->ptx_first, debug->cursor_row, program->n_rows, rect.rows);
	if (debug->cursor_in_ptx)
		debug->page = rect.rows > 1 ? rect.rows - 1 : 1;
	for (int i = 0; i < rect.rows && debug->ptx_first + i < program->n_rows; i++) {
		struct code_row r = ptx_row(debug, debug->ptx_first + i);
		struct rect row = {rect.row + i, rect.col, 1, rect.cols};
		draw_code_row(sketch->canvas, row, &r, digits);
		debug_target(sketch, (struct debug_target){row, DEBUG_ACT_NONE, 0, debug->ptx_first + i});
	}
}
