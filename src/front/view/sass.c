/* What the compiler made of a kernel, line by line of its source. In little room the lines are a list with how many
 * instructions each became, and one of them is unfolded; in the larger form source, PTX and machine code are columns,
 * and all lines are. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "base/utf8.h"
#include "front/view/code.h"
#include "front/view/draw.h"
#include "front/view/source.h"

/* A row: a source line with how many instructions it has, or one PTX instruction with the first machine instruction
 * made from it, then the others. */
struct view_sass_row {
	int line;          /* of the source; 0: instructions that belong to none */
	bool head;         /* the line itself */
	int ptx, sass;     /* indices, -1: none in this row */
	int n_ptx, n_sass; /* of a head: of the line */
};

struct view_sass_rows {
	struct view_sass_row *at;
	int n;
};

#define GUTTER 5      /* the line number and the mark */
#define TALLY_COLS 5  /* how many instructions of a kind a line has */
#define SIDES_MIN 64  /* columns from which PTX and machine code stand side by side */
#define SOURCE_MIN 24 /* of the larger form */
#define SOURCE_MAX 44
#define ADDRESS_COLS 5
#define CODE_MIN 24 /* of a machine instruction's text, beside what one execution of it is */

static const char *sass_lacks(const struct view_input *input)
{
	if (input->code->listing)
		return NULL;
	return input->code->why ? input->code->why : "There is no kernel here.";
}

/* What one execution of a machine instruction is, in the order in which there has to be room. */
enum { SASS_THREADS, SASS_SECTORS, SASS_WAVEFRONTS, SASS_DETAILS };
static const char *const detail_titles[SASS_DETAILS] =
	{[SASS_THREADS] = N_("threads"), [SASS_SECTORS] = N_("sectors"), [SASS_WAVEFRONTS] = N_("wavefronts")};

static struct value detail_of(const struct view_code_instr *instr, int detail)
{
	return detail == SASS_THREADS ? instr->threads : detail == SASS_SECTORS ? instr->sectors : instr->wavefronts;
}

/* Where everything is. */
struct sass_layout {
	struct rect rect;
	const struct view_input *input;
	const struct view_code *code;
	int selected;
	int source;              /* columns of the source, with its gutter; 0: it has rows of its own */
	int ptx_col, ptx_cols;   /* the column of PTX, with its count */
	int sass_col, sass_cols; /* likewise; the column of PTX: below it */
	int ptx_count, sass_count;
	int details[SASS_DETAILS]; /* columns of each, in the larger form; 0: not shown */
	bool folded;               /* lines that are not selected have their head alone */
};

static bool is_beside(const struct sass_layout *l)
{
	return l->sass_col != l->ptx_col;
}

static int value_columns(struct value value)
{
	struct buf text = {0};
	if (value.state == VALUE_OK)
		value_format(value.v, &text);
	int cols = utf8_columns(buf_str(&text));
	buf_free(&text);
	return cols;
}

/* Columns of the widest count, with a blank before; 0: there is none. */
static int count_columns(const struct view_code_instr *instrs, int n)
{
	int widest = 0;
	for (int i = 0; i < n; i++) {
		int cols = value_columns(instrs[i].executed);
		widest = cols > widest ? cols : widest;
	}
	return widest ? widest + 1 : 0;
}

/* The column after the text and the count; details follow. */
static int count_end(const struct sass_layout *l)
{
	int end = l->sass_col + l->sass_cols;
	for (int d = 0; d < SASS_DETAILS; d++)
		end -= l->details[d];
	return end;
}

#define MIX_MIN 64 /* columns from which the kinds of instructions are counted */

struct line_tally {
	int line, n_ptx, n_sass;
};

/* By line; those without one come last. */
static int compare_tallies(const void *a, const void *b)
{
	const struct line_tally *x = a, *y = b;
	if (!x->line || !y->line)
		return !x->line - !y->line;
	return (x->line > y->line) - (x->line < y->line);
}

/* One for each line that has instructions. The caller frees them. */
static struct line_tally *tally_lines(const struct view_code *code, int *n)
{
	size_t most = (size_t)code->n_ptx + (size_t)code->n_sass;
	struct line_tally *all = base_calloc(most + 1, sizeof *all);
	for (int i = 0; i < code->n_ptx; i++)
		all[i] = (struct line_tally){code->ptx[i].line, 1, 0};
	for (int i = 0; i < code->n_sass; i++)
		all[code->n_ptx + i] = (struct line_tally){code->sass[i].line, 0, 1};
	qsort(all, most, sizeof *all, compare_tallies);
	*n = 0;
	for (size_t i = 0; i < most; i++) {
		const struct line_tally one = all[i];
		if (*n && all[*n - 1].line == one.line) {
			all[*n - 1].n_ptx += one.n_ptx;
			all[*n - 1].n_sass += one.n_sass;
		} else {
			all[(*n)++] = one;
		}
	}
	return all;
}

/* The line that is unfolded where there is little room: what is watched, else the one with most machine instructions.
 * What is picked does not matter, so that nothing moves when a reader points at it. */
static int sass_selected(const struct view_input *input)
{
	const struct view_code *code = input->code;
	int n, best = 0, watched = input->source->watched;
	bool there = false;
	for (int i = 0; i < code->n_ptx; i++)
		there |= code->ptx[i].line == watched;
	for (int i = 0; i < code->n_sass; i++)
		there |= code->sass[i].line == watched;
	if (watched && there)
		return watched;
	struct line_tally *lines = tally_lines(code, &n);
	for (int i = 1; i < n; i++)
		best = lines[i].line && lines[i].n_sass > lines[best].n_sass ? i : best;
	int line = n ? lines[best].line : 0;
	free(lines);
	return line;
}

/* Machine instructions by the PTX instruction that they were made from, as lists: `first` has n_ptx + 1 of them, the
 * last for those made from none. */
struct made_from {
	int *first, *next;
};

/* All rows, or instructions only of the line `only` (-1: of all). The caller frees `at`. */
static struct view_sass_rows sass_rows_of(const struct view_code *code, int only)
{
	int n;
	struct line_tally *lines = tally_lines(code, &n);

	struct made_from m = {base_calloc((size_t)code->n_ptx + 1, sizeof *m.first),
		base_calloc((size_t)code->n_sass + 1, sizeof *m.next)};
	for (int i = 0; i <= code->n_ptx; i++)
		m.first[i] = -1;
	for (int i = code->n_sass - 1; i >= 0; i--) {
		int ptx = code->sass[i].ptx >= 0 && code->sass[i].ptx < code->n_ptx ? code->sass[i].ptx : code->n_ptx;
		m.next[i] = m.first[ptx];
		m.first[ptx] = i;
	}

	struct view_sass_rows rows = {
		base_calloc((size_t)n + (size_t)code->n_ptx + (size_t)code->n_sass + 1, sizeof *rows.at), 0};
	for (int i = 0; i < n; i++) {
		rows.at[rows.n++] = (struct view_sass_row){.line = lines[i].line,
			.head = true,
			.ptx = -1,
			.sass = -1,
			.n_ptx = lines[i].n_ptx,
			.n_sass = lines[i].n_sass};
		if (only < 0 || only == lines[i].line) {
			int instrs_line = lines[i].line;
			for (int p = 0; p < code->n_ptx; p++) {
				if (code->ptx[p].line != instrs_line)
					continue;
				rows.at[rows.n++] = (struct view_sass_row){
					.line = instrs_line, .ptx = p, .sass = m.first[p]};
				for (int s = m.first[p] < 0 ? -1 : m.next[m.first[p]]; s >= 0; s = m.next[s])
					rows.at[rows.n++] = (struct view_sass_row){
						.line = instrs_line, .ptx = -1, .sass = s};
			}
			for (int s = m.first[code->n_ptx]; s >= 0; s = m.next[s])
				if (code->sass[s].line == instrs_line)
					rows.at[rows.n++] = (struct view_sass_row){
						.line = instrs_line, .ptx = -1, .sass = s};
		}
	}
	free(lines);
	free(m.first);
	free(m.next);
	return rows;
}

/* The text of a source line, without its indentation; "" where there is none. */
static const char *sass_source(const struct view_input *input, int line)
{
	const struct view_source *source = input->source;
	for (int i = 0; i < source->n_lines; i++)
		if (source->lines[i].line == line)
			return source->lines[i].text + strspn(source->lines[i].text, " \t");
	return "";
}

/* "32 registers, no spills": what a thread takes; then who made it, and in so many columns what kinds of instructions
 * there are. */
static void sass_note(struct view_notes *notes, const struct view_code *code, int cols)
{
	static const char *const kinds[LISTING_KINDS] = {[LISTING_ARITHMETIC] = N_("arithmetic"),
		[LISTING_MEMORY] = N_("memory"),
		[LISTING_CONTROL] = N_("control"),
		[LISTING_MOVE] = N_("moves"),
		[LISTING_OTHER] = N_("others")};
	const struct code_listing *l = code->listing;
	struct buf spills = {0};
	if (l->spill_stores || l->spill_loads)
		buf_printf(&spills, _("spills: %d\u00a0bytes stored, %d\u00a0loaded"), l->spill_stores, l->spill_loads);
	else
		buf_puts(&spills, _("no spills"));
	view_notes_add(notes, ROLE_STRONG,
		_("%d\u00a0PTX instructions, %d\u00a0machine instructions; %d\u00a0registers, %s"), code->n_ptx,
		code->n_sass, l->registers, buf_str(&spills));
	view_notes_add(notes, ROLE_DIM,
		code->made_by == WITNESS_RECORDED ? _("for %s by %s, recorded") : _("for %s by %s"), l->target,
		l->compiler);

	/* What the counts beside machine instructions are of. */
	bool live = code->counted_by == WITNESS_LIVE;
	enum role counted = view_witness_role(code->counted_by);
	if (code->counted_by != WITNESS_NONE && code->each)
		view_notes_add(notes, counted,
			live ? _("executed by the GPU: each machine instruction")
			     : _("executed by the GPU, recorded: each machine instruction"));
	else if (code->counted_by != WITNESS_NONE && code->is_other)
		view_notes_add(notes, counted,
			live ? _("executed by the GPU, per PTX instruction: the driver's code differs")
			     : _("executed by the GPU, recorded, per PTX instruction: the driver's code differs"));
	else if (code->counted_by != WITNESS_NONE)
		view_notes_add(notes, counted,
			live ? _("executed by the GPU: all that a PTX instruction became, together")
			     : _("executed by the GPU, recorded: all that a PTX instruction became, together"));

	buf_free(&spills);
	if (cols >= MIX_MIN) {
		/* "of the machine instructions: 9 arithmetic, 3 memory, 1 control, 4 moves" */
		int counts[LISTING_KINDS] = {0};
		struct buf text = {0};
		for (int i = 0; i < code->n_sass; i++)
			counts[listing_kind_of(code->sass[i].text)]++;
		for (int kind = 0; kind < LISTING_KINDS; kind++) {
			if (!counts[kind])
				continue;
			buf_puts(&text, text.len ? ", " : "");
			buf_printf(&text, "%d\u00a0%s", counts[kind], text_translate(kinds[kind]));
		}
		view_notes_add(notes, ROLE_DIM, _("of the machine instructions: %s"), buf_str(&text));
		buf_free(&text);
	}
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static void draw_count(struct canvas *canvas, int row, int end, struct value value, enum role role)
{
	struct buf text = {0};
	if (value.state == VALUE_OK)
		value_format(value.v, &text);
	canvas_text(canvas, row, end - utf8_columns(buf_str(&text)), role, buf_str(&text));
	buf_free(&text);
}

/* How many rows of the canvas it takes. */
static int rows_of(const struct sass_layout *l, const struct view_sass_row *r)
{
	return r->head ? l->source == 0 : is_beside(l) ? 1 : (r->ptx >= 0) + (r->sass >= 0);
}

static int draw_instrs(struct canvas *canvas, const struct sass_layout *l, int row, const struct view_sass_row *r)
{
	int first = row;
	if (r->ptx >= 0) {
		const struct view_code_instr *instr = &l->code->ptx[r->ptx];
		canvas_text_fit(
			canvas, (struct rect){row, l->ptx_col, 1, l->ptx_cols - l->ptx_count}, ROLE_TEXT, instr->text);
		draw_count(canvas, row, l->ptx_col + l->ptx_cols, instr->executed, ROLE_MODEL);
	}
	row += r->ptx >= 0 && !is_beside(l);
	if (r->sass >= 0) {
		const struct view_code_instr *instr = &l->code->sass[r->sass];
		int indent = is_beside(l) ? 0 : 2, end = count_end(l);
		int cols = end - l->sass_col - l->sass_count - indent - ADDRESS_COLS;
		enum role role = view_witness_role(l->code->counted_by);
		canvas_textf(canvas, row, l->sass_col + indent, ROLE_DIM, "%04x", instr->address);
		canvas_text_fit(canvas, (struct rect){row, l->sass_col + indent + ADDRESS_COLS, 1, cols}, ROLE_CODE,
			instr->text);
		draw_count(canvas, row, end, instr->executed, role);
		for (int d = 0; d < SASS_DETAILS; d++) {
			end += l->details[d];
			if (l->details[d])
				draw_count(canvas, row, end, detail_of(instr, d), role);
		}
	}
	row = is_beside(l) ? first + 1 : row + (r->sass >= 0);
	return row - first;
}

/* --- the picture -------------------------------------------------------------------------------------------------- */

/* The first row shown, so that the unfolded line is seen, from its head on. */
static int first_row(const struct sass_layout *l, const struct view_sass_rows *rows, int room)
{
	int at = 0, above = 0, below = 0;
	while (at < rows->n && !(rows->at[at].head && rows->at[at].line == l->selected))
		at++;
	for (int i = at; i < rows->n && below < room; i++)
		below += rows_of(l, &rows->at[i]);
	int most = below < room ? room - below : 1;
	while (at > 0 && above + rows_of(l, &rows->at[at - 1]) <= most)
		above += rows_of(l, &rows->at[--at]);
	/* in columns a line has its head and its first instruction in one row */
	while (l->source && at > 0 && !rows->at[at].head)
		at++;
	return at;
}

static void draw_sass_view(struct canvas *canvas, struct rect rect, const struct view_input *input)
{
	const struct view_code *code = input->code;
	struct sass_layout l = {.rect = rect,
		.input = input,
		.code = code,
		.selected = sass_selected(input),
		.ptx_count = count_columns(code->ptx, code->n_ptx),
		.sass_count = count_columns(code->sass, code->n_sass)};
	if (input->roomy) {
		int share = rect.cols / (code->each ? 5 : 4); /* so that there is room for more of machine code */
		l.source = share < SOURCE_MIN ? SOURCE_MIN : share > SOURCE_MAX ? SOURCE_MAX : share;
		l.source += GUTTER;
	}
	int left = rect.cols - l.source - (l.source ? 1 : 2);
	l.ptx_col = rect.col + (l.source ? l.source + 1 : 2);
	l.sass_col = l.ptx_col;
	l.ptx_cols = l.sass_cols = left;
	if (rect.cols >= SIDES_MIN) {
		l.ptx_cols = l.source && code->each ? (left - 2) * 2 / 5 : (left - 2) / 2;
		l.sass_col = l.ptx_col + l.ptx_cols + 2;
		l.sass_cols = left - l.ptx_cols - 2;
	}
	if (l.source && code->each) {
		/* Those that some instruction has and that leave room for the code. With them each column is as wide as
		 * its title. */
		int count = utf8_columns(_("executed")) + 1;
		count = l.sass_count > count ? l.sass_count : count;
		int room = l.sass_cols - ADDRESS_COLS - CODE_MIN - count;
		for (int d = 0; d < SASS_DETAILS; d++) {
			int widest = 0, title = utf8_columns(text_translate(detail_titles[d]));
			for (int i = 0; i < code->n_sass; i++) {
				int cols = value_columns(detail_of(&code->sass[i], d));
				widest = cols > widest ? cols : widest;
			}
			int cols = !widest ? 0 : (widest > title ? widest : title) + 2;
			if (!cols || cols > room)
				continue;
			l.details[d] = cols;
			l.sass_count = count;
			room -= cols;
		}
	}

	struct view_notes notes = {.n = 0};
	sass_note(&notes, l.code, rect.cols);
	int above = view_notes_fit(&notes, rect.rows >= 12 ? 4 : 2, rect.cols);
	view_notes_draw(canvas, (struct rect){rect.row, rect.col, above, rect.cols}, &notes);

	int titles_row = rect.row + above;
	int end = l.rect.col + l.rect.cols;
	if (!l.source) {
		canvas_text(canvas, titles_row, l.rect.col + GUTTER, ROLE_DIM, _("source"));
		canvas_textf(canvas, titles_row, end - 2 * TALLY_COLS, ROLE_DIM, "%*s%*s", TALLY_COLS, "PTX",
			TALLY_COLS, "SASS");
	} else {
		canvas_text(canvas, titles_row, l.rect.col + GUTTER, ROLE_DIM, _("source"));
		canvas_text(canvas, titles_row, l.ptx_col, ROLE_DIM, "PTX");
		canvas_text(canvas, titles_row, l.sass_col, ROLE_DIM, _("machine code (SASS)"));
		const char *executed = _("executed");
		if (l.ptx_count)
			canvas_text(canvas, titles_row, l.ptx_col + l.ptx_cols - utf8_columns(executed), ROLE_DIM,
				executed);
		end = count_end(&l);
		if (l.sass_count)
			canvas_text(canvas, titles_row, end - utf8_columns(executed), ROLE_DIM, executed);
		for (int d = 0; d < SASS_DETAILS; d++) {
			const char *title = text_translate(detail_titles[d]);
			end += l.details[d];
			if (l.details[d])
				canvas_text(canvas, titles_row, end - utf8_columns(title), ROLE_DIM, title);
		}
	}

	above++;

	/* All rows where there is room for them, else only the instructions of one line. */
	struct view_sass_rows rows = sass_rows_of(code, -1);
	int needed = 0;
	for (int i = 0; i < rows.n; i++)
		needed += rows_of(&l, &rows.at[i]);
	l.folded = !l.source && needed > rect.rows - above;
	if (l.folded) {
		free(rows.at);
		rows = sass_rows_of(code, l.selected);
	}

	struct rect r = {rect.row + above, rect.col, rect.rows - above, rect.cols};
	int row = r.row, first = first_row(&l, &rows, r.rows), last = first;
	for (int used = 0; last < rows.n; last++) {
		used += rows_of(&l, &rows.at[last]);
		if (used > r.rows || (used == r.rows && rows.at[last].head && l.source))
			break;
	}
	for (int i = first; i < last; i++) {
		const struct view_sass_row *at = &rows.at[i];
		int begun = row;
		if (at->head) {
			/* The number of a line and its text; where it has a row of its own, how many instructions of
			 * both kinds it has. */
			bool selected = at->line == l.selected;
			enum role role = selected ? ROLE_WATCHED : at->line ? ROLE_TEXT : ROLE_DIM;
			int cols = l.source ? l.source - GUTTER : l.rect.cols - GUTTER - 2 * TALLY_COLS;
			struct rect text = {row, l.rect.col + GUTTER, 1, cols};
			if (at->line)
				canvas_textf(
					canvas, row, l.rect.col, selected ? ROLE_WATCHED : ROLE_DIM, "%3d", at->line);
			if (selected)
				canvas_put(canvas, row, l.rect.col + GUTTER - 2, GLYPH_POINT_RIGHT, ROLE_WATCHED);
			else if (l.folded)
				canvas_put(canvas, row, l.rect.col + GUTTER - 2, GLYPH_ELLIPSIS_V, ROLE_DIM);
			if (at->line)
				view_draw_code_row(canvas, text, sass_source(l.input, at->line));
			else
				canvas_text_fit(canvas, text, ROLE_DIM, _("of no source line"));
			canvas_recolor(canvas, text, role);
			if (!l.source)
				canvas_textf(canvas, row, l.rect.col + l.rect.cols - 2 * TALLY_COLS, role, "%*d%*d",
					TALLY_COLS, at->n_ptx, TALLY_COLS, at->n_sass);
		}
		row += at->head ? rows_of(&l, at) : draw_instrs(canvas, &l, row, at);
		bool cut = (begun == r.row && first > 0) || (i == last - 1 && last < rows.n);
		if (cut && !(at->head && l.folded && at->line != l.selected)) /* which has such a sign already */
			canvas_put(canvas, begun, r.col + (at->head || l.source ? GUTTER - 1 : 0), GLYPH_ELLIPSIS_V,
				ROLE_DIM);
		if (row > begun)
			view_spot_of(canvas, l.input, (struct rect){begun, r.col, row - begun, r.cols}, THING_LINE,
				at->line);
	}

	free(rows.at);
}

static void describe_instr(const char *before, const struct view_code_instr *instr, struct buf *out)
{
	buf_printf(out, "  %s%s", before, instr->text);
	if (instr->executed.state == VALUE_OK) {
		buf_puts(out, ", executed ");
		view_describe_value(instr->executed, out);
		buf_puts(out, " times");
	}
	buf_putc(out, '\n');
}

static void describe_sass(const struct view_input *input, struct buf *out)
{
	const struct view_code *code = input->code;
	struct view_sass_rows rows = sass_rows_of(code, -1);
	struct view_notes notes = {.n = 0};
	sass_note(&notes, code, INT_MAX);
	for (int i = 0; i < notes.n; i++)
		buf_printf(out, "%s.\n", notes.at[i].text);
	for (int i = 0; i < rows.n; i++) {
		const struct view_sass_row *row = &rows.at[i];
		if (row->head && row->line)
			buf_printf(out, "Line %d, %s\n", row->line, sass_source(input, row->line));
		else if (row->head)
			buf_puts(out, "Of no source line\n");
		if (row->ptx >= 0)
			describe_instr("PTX ", &code->ptx[row->ptx], out);
		if (row->sass >= 0)
			describe_instr("  became ", &code->sass[row->sass], out);
	}
	free(rows.at);
}

const struct view_drawer view_drawer_sass = {.draw = draw_sass_view, .lacks = sass_lacks, .describe = describe_sass};
