#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "base/paths.h"
#include "base/utf8.h"
#include "cmd/picture.h"
#include "front/view/view.h"

#define CANVAS_ROWS 1000 /* the most a canvas has; longer tables take several */
#define TEXT_MIN 20      /* columns of source text below which the table is drawn wider than the terminal */

static struct value executed(const struct line_counts *counts)
{
	return counts->c[LINE_COUNT_INSTRUCTIONS];
}

static void format_count(double v, struct buf *out)
{
	buf_printf(out, "%.0f", v);
}

/* Whether the GPU's count is shown beside a column, and compared: how many instructions a line has is up to the compiler, so
 * those are not. */
enum live_column { LIVE_NONE, LIVE_SHOWN, LIVE_COMPARED };

static const struct run_column {
	const char *title;
	struct value (*value)(const struct line_counts *counts);
	void (*format)(double v, struct buf *out);
	enum live_column live;
} columns[] = {
	{"executed", executed, format_count, LIVE_SHOWN},
	{"lanes", line_counts_lanes, value_format, LIVE_NONE},
	{"requests", line_counts_requests, format_count, LIVE_COMPARED},
	{"sect/req", line_counts_sectors, value_format, LIVE_COMPARED},
	{"wave/req", line_counts_wavefronts, value_format, LIVE_COMPARED},
	{"conflicts", line_counts_conflicts, format_count, LIVE_NONE},
	{"branches", line_counts_branches, value_format, LIVE_NONE},
	{"divergent", line_counts_divergent, value_format, LIVE_COMPARED},
};
#define N_COLUMNS ((int)(sizeof columns / sizeof *columns))

/* The counts of one line by the machine and by the GPU; NULL: not counted there. */
struct run_line {
	struct line_counts model;
	const struct line_counts *live;
};

/* A row: counts, and what stands beside them. */
struct run_row {
	const struct profile_line *counts;
	const char *text;
	size_t len;
	const struct ptx_place *chain; /* shown for the text; NULL: the text is */
	bool numbered;                 /* a line of the main file, with its number */
};

struct run_table {
	const struct run *run;
	struct run_row *rows;
	int n_rows;
	int widths[N_COLUMNS]; /* with the blank before; 0: empty, left out */
	int live[N_COLUMNS];   /* the same, of the GPU's counts */
	int gutter, cols;
};

/* The GPU counts by caller alone. */
static struct run_line run_line_of(const struct run *run, const struct profile_line *line)
{
	bool live = run->inlined == RUN_INLINED_CALLER;
	return (struct run_line){
		profile_line_counts(line), live ? line_table_find(&run->measured.lines, line->line) : NULL};
}

static void model_text(const struct run_column *column, const struct run_line *line, struct buf *out)
{
	struct value value = column->value(&line->model);
	if (value.state == VALUE_OK)
		column->format(value.v, out);
}

/* "= 2", or "≠ 2" where it differs. */
static void live_text(const struct run_column *column, const struct run_line *line, struct buf *out)
{
	if (column->live == LIVE_NONE || !line->live)
		return;
	struct value live = column->value(line->live);
	if (live.state != VALUE_OK)
		return;
	struct buf model = {0}, text = {0};
	model_text(column, line, &model);
	column->format(live.v, &text);
	bool same = !strcmp(buf_str(&model), buf_str(&text));
	buf_printf(out, "%s%s", column->live == LIVE_SHOWN ? "" : same ? "= " : "≠ ", buf_str(&text));
	buf_free(&model);
	buf_free(&text);
}

static int widest_cell(const struct run_table *t, const struct run_column *column,
	void (*text_of)(const struct run_column *column, const struct run_line *line, struct buf *out),
	const char *title)
{
	int most = 0;
	for (int i = 0; i < t->n_rows; i++) {
		struct run_line line = run_line_of(t->run, t->rows[i].counts);
		struct buf text = {0};
		text_of(column, &line, &text);
		int cols = utf8_columns(buf_str(&text));
		most = cols > most ? cols : most;
		buf_free(&text);
	}
	int least = (int)strlen(title);
	return !most ? 0 : (most > least ? most : least) + 1;
}

/* --- rows -------------------------------------------------------------------------------------------------------------- */

static void add_row(struct run_table *t, const struct profile_line *counts, bool numbered)
{
	struct run_row *row = &t->rows[t->n_rows++];
	*row = (struct run_row){.counts = counts, .numbered = numbered};
	if (numbered)
		row->text = run_line_text(t->run, counts->line, &row->len);
}

/* With the way from the line to the code, or the file that is not the main one. */
static void add_part(struct run_table *t, const struct profile_part *part)
{
	const struct run *run = t->run;
	bool main = run->profile->file && strcmp(run->profile->file, part->place.file) == 0;
	add_row(t, &part->counts, main);
	struct run_row *row = &t->rows[t->n_rows - 1];
	if (part->place.inlined) {
		row->chain = &part->place;
	} else if (!main) {
		row->text = arena_printf(run->ctx->arena, "%s:%d", path_last(part->place.file), part->place.line);
		row->len = strlen(row->text);
	}
}

static void make_rows(struct run_table *t)
{
	const struct profile *p = t->run->profile;
	bool chains = t->run->inlined == RUN_INLINED_CHAIN, callees = t->run->inlined == RUN_INLINED_CALLEE;
	int n = chains ? p->n_parts : callees ? p->n_written : p->n_lines;
	t->rows = arena_array(t->run->ctx->arena, struct run_row, (size_t)n + 1);
	for (int i = 0; i < n; i++)
		if (chains || callees)
			add_part(t, &(chains ? p->parts : p->written)[i]);
		else
			add_row(t, &p->lines[i], true);
}

/* Empty columns take no room. */
static struct run_table lay_out_lines(const struct run *run, int cols)
{
	struct run_table t = {.run = run, .gutter = 5};
	make_rows(&t);
	int used = t.gutter + 2;
	for (int c = 0; c < N_COLUMNS; c++) {
		t.widths[c] = widest_cell(&t, &columns[c], model_text, columns[c].title);
		t.live[c] = widest_cell(&t, &columns[c], live_text, "live");
		used += t.widths[c] + t.live[c];
	}
	t.cols = cols > used + TEXT_MIN ? cols : used + TEXT_MIN;
	return t;
}

static void draw_lines_header(const struct run_table *t, struct canvas *canvas)
{
	int at = t->gutter;
	canvas_text(canvas, 0, t->gutter - 4, ROLE_DIM, "line");
	for (int c = 0; c < N_COLUMNS; c++) {
		at += t->widths[c];
		if (t->widths[c])
			canvas_text(canvas, 0, at - (int)strlen(columns[c].title), ROLE_DIM, columns[c].title);
		at += t->live[c];
		if (t->live[c])
			canvas_text(canvas, 0, at - 4, ROLE_LIVE, "live");
	}
	canvas_text_fit(canvas, (struct rect){0, at + 2, 1, t->cols - at - 2}, ROLE_DIM, t->run->source_name);
}

static void expand_tabs(const char *text, size_t len, struct buf *out)
{
	int col = 0;
	for (size_t i = 0, n; i < len; i += n) {
		uint32_t ch;
		n = utf8_decode(text + i, len - i, &ch);
		int cols = ch == '\t' ? 4 - col % 4 : utf8_width(ch);
		if (ch == '\t')
			buf_pad(out, ' ', cols);
		else
			buf_append(out, text + i, n);
		col += cols;
	}
}

static void draw_right(struct canvas *canvas, int row, int end, enum role role, const struct buf *text)
{
	canvas_text(canvas, row, end - utf8_columns(buf_str(text)), role, buf_str(text));
}

/* Returns the column after the numbers. */
static int draw_numbers(const struct run_table *t, struct canvas *canvas, int row, const struct run_line *line)
{
	int at = t->gutter;
	for (int c = 0; c < N_COLUMNS; c++) {
		struct buf model = {0}, live = {0};
		model_text(&columns[c], line, &model);
		live_text(&columns[c], line, &live);
		at += t->widths[c];
		draw_right(canvas, row, at, ROLE_MODEL, &model);
		at += t->live[c];
		draw_right(canvas, row, at, strstr(buf_str(&live), "≠") ? ROLE_BAD : ROLE_LIVE, &live);
		buf_free(&model);
		buf_free(&live);
	}
	return at;
}

/* One that does not fit loses its beginning: where the code is written matters most. */
static void write_chain(const struct ptx_place *place, int cols, struct buf *out)
{
	for (int skip = 1, left = 2; left > 1; skip++) {
		struct buf text = {0};
		left = ptx_place_chain(place, skip, &text);
		const char *shown = buf_str(&text) + (skip == 1 ? strlen("… ") : 0); /* the line itself is beside it */
		bool fits = utf8_columns(shown) <= cols;
		if (fits || left <= 1)
			buf_puts(out, shown);
		buf_free(&text);
		if (fits)
			return;
	}
}

static void draw_row(const struct run_table *t, struct canvas *canvas, int row, const struct run_row *of)
{
	bool watched = of->numbered && of->counts->line == t->run->watch.line;
	enum role role = watched ? ROLE_WATCHED : of->counts->executions ? ROLE_TEXT : ROLE_DIM;
	struct run_line line = run_line_of(t->run, of->counts);
	struct buf code = {0};
	if (of->numbered)
		canvas_textf(canvas, row, 0, role, "%*d", t->gutter, of->counts->line);
	int at = draw_numbers(t, canvas, row, &line);
	if (of->chain)
		write_chain(of->chain, t->cols - at - 2, &code);
	else
		expand_tabs(of->text ? of->text : "", of->len, &code);
	canvas_text_fit(canvas, (struct rect){row, at + 2, 1, t->cols - at - 2}, role, buf_str(&code));
	buf_free(&code);
}

static uint64_t sum_lines(const struct profile *p)
{
	uint64_t sum = p->elsewhere.executions;
	for (int i = 0; i < p->n_lines; i++)
		sum += p->lines[i].executions;
	return sum;
}

static uint64_t sum_rows(const struct run_table *t)
{
	uint64_t sum = 0;
	for (int i = 0; i < t->n_rows; i++)
		sum += t->rows[i].counts->executions;
	return sum;
}

static bool has_inlined(const struct profile *p)
{
	bool found = false;
	for (int i = 0; i < p->n_parts; i++)
		found |= p->parts[i].place.inlined && p->parts[i].counts.executions;
	return found;
}

/* "4 loads from global memory, 4 stores to shared memory"; nothing where all are of one kind. */
static void write_kinds(const struct profile_line *line, struct buf *out)
{
	static const char *const kinds[] = {
		[PROFILE_LOADS] = "load", [PROFILE_STORES] = "store", [PROFILE_ATOMICS] = "atomic"};
	static const char *const words[] = {
		[PROFILE_LOADS] = "from", [PROFILE_STORES] = "to", [PROFILE_ATOMICS] = "on"};
	static const char *const spaces[] = {[PROFILE_GLOBAL] = "global", [PROFILE_SHARED] = "shared"};
	int n = 0;
	for (int i = 0; i < PROFILE_SPACES * PROFILE_KINDS; i++) {
		int space = i / PROFILE_KINDS, kind = i % PROFILE_KINDS;
		uint64_t requests = line->kinds[space][kind];
		if (requests)
			buf_printf(out, "%s%llu %s%s %s %s memory", n++ ? ", " : "", (unsigned long long)requests,
				kinds[kind], requests == 1 ? "" : "s", words[kind], spaces[space]);
	}
	if (n < 2)
		buf_clear(out);
}

/* The requests of lines that make several kinds of them. */
static void write_mixed(const struct run_table *t, const struct picture_page *page)
{
	for (int i = 0; i < t->n_rows; i++) {
		const struct profile_line *line = t->rows[i].counts;
		const struct line_counts counts = profile_line_counts(line);
		struct buf text = {0};
		if (t->rows[i].numbered && !t->rows[i].chain && line_counts_requests(&counts).state == VALUE_OK)
			write_kinds(line, &text);
		if (text.len)
			picture_printf(page, "requests of line %d: %s\n", line->line, buf_str(&text));
		buf_free(&text);
	}
}

/* The instructions that are not in the table, and those that it could show elsewhere. */
static void write_elsewhere(const struct run_table *t, const struct picture_page *page)
{
	const struct run *run = t->run;
	bool caller = run->inlined == RUN_INLINED_CALLER;
	uint64_t missing = sum_lines(run->profile) - sum_rows(t);
	const struct line_counts *live = caller ? line_table_find(&run->measured.lines, 0) : NULL;
	if (missing)
		picture_printf(page, "%llu more warp instructions belong to %s\n", (unsigned long long)missing,
			caller ? "other files, or to no line" : "no line");
	if (caller && has_inlined(run->profile))
		picture_printf(page,
			"code inlined from other files counts where it is called; --inlined chain or callee: where it is written\n");
	if (live && live->c[LINE_COUNT_INSTRUCTIONS].state == VALUE_OK && live->c[LINE_COUNT_INSTRUCTIONS].v > 0)
		picture_printf(page, "on %s, %.0f belong to no line here\n", run->measured.gpu,
			live->c[LINE_COUNT_INSTRUCTIONS].v);
}

void run_write_lines(const struct run *run, const struct picture_page *page)
{
	struct run_table t = lay_out_lines(run, page->cols);
	for (int i = 0; i < t.n_rows;) {
		int left = t.n_rows - i + (i == 0), rows = left < CANVAS_ROWS ? left : CANVAS_ROWS;
		struct canvas *canvas = canvas_new(rows, t.cols);
		if (i == 0)
			draw_lines_header(&t, canvas);
		for (int row = i == 0; row < rows; row++, i++)
			draw_row(&t, canvas, row, &t.rows[i]);
		picture_write(page->ctx, canvas, page->format, "", page->out);
		canvas_free(canvas);
	}
	write_mixed(&t, page);
	write_elsewhere(&t, page);
	buf_putc(page->out, '\n');
}
