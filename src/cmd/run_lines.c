#include "config.h"
#include "cmd/run.h"

#include <string.h>

#include "base/utf8.h"
#include "cmd/picture.h"
#include "view/view.h"

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

struct run_table {
	const struct run *run;
	int widths[N_COLUMNS]; /* with the blank before; 0: empty, left out */
	int live[N_COLUMNS];   /* the same, of the GPU's counts */
	int gutter, cols;
};

static struct run_line run_line_of(const struct run *run, const struct profile_line *line)
{
	return (struct run_line){profile_line_counts(line), line_table_find(&run->measured.lines, line->line)};
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

static int widest_cell(const struct run *run, const struct run_column *column,
	void (*text_of)(const struct run_column *column, const struct run_line *line, struct buf *out),
	const char *title)
{
	int most = 0;
	for (int i = 0; i < run->profile->n_lines; i++) {
		struct run_line line = run_line_of(run, &run->profile->lines[i]);
		struct buf text = {0};
		text_of(column, &line, &text);
		int cols = utf8_columns(buf_str(&text));
		most = cols > most ? cols : most;
		buf_free(&text);
	}
	int least = (int)strlen(title);
	return !most ? 0 : (most > least ? most : least) + 1;
}

/* Empty columns take no room. */
static struct run_table lay_out_lines(const struct run *run, int cols)
{
	struct run_table t = {.run = run, .gutter = 5};
	int used = t.gutter + 2;
	for (int c = 0; c < N_COLUMNS; c++) {
		t.widths[c] = widest_cell(run, &columns[c], model_text, columns[c].title);
		t.live[c] = widest_cell(run, &columns[c], live_text, "live");
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

static void draw_source_line(const struct run_table *t, struct canvas *canvas, int row, const struct profile_line *of)
{
	enum role role = of->line == t->run->watch.line ? ROLE_WATCHED : of->executions ? ROLE_TEXT : ROLE_DIM;
	struct run_line line = run_line_of(t->run, of);
	struct buf code = {0};
	size_t len = 0;
	const char *source = run_line_text(t->run, of->line, &len);
	canvas_textf(canvas, row, 0, role, "%*d", t->gutter, of->line);
	int at = draw_numbers(t, canvas, row, &line);
	expand_tabs(source ? source : "", source ? len : 0, &code);
	canvas_text_fit(canvas, (struct rect){row, at + 2, 1, t->cols - at - 2}, role, buf_str(&code));
	buf_free(&code);
}

/* The instructions that are not in the table. */
static void write_elsewhere(const struct run *run, const struct picture_page *page)
{
	const struct profile *p = run->profile;
	const struct line_counts *live = line_table_find(&run->measured.lines, 0);
	if (p->elsewhere.executions)
		picture_printf(page, "%llu more warp instructions belong to other files, or to no line\n",
			(unsigned long long)p->elsewhere.executions);
	if (live && live->c[LINE_COUNT_INSTRUCTIONS].state == VALUE_OK && live->c[LINE_COUNT_INSTRUCTIONS].v > 0)
		picture_printf(page, "on %s, %.0f belong to no line here\n", run->measured.gpu,
			live->c[LINE_COUNT_INSTRUCTIONS].v);
}

void run_write_lines(const struct run *run, const struct picture_page *page)
{
	const struct profile *p = run->profile;
	struct run_table t = lay_out_lines(run, page->cols);
	for (int i = 0; i < p->n_lines;) {
		int left = p->n_lines - i + (i == 0), rows = left < CANVAS_ROWS ? left : CANVAS_ROWS;
		struct canvas *canvas = canvas_new(rows, t.cols);
		if (i == 0)
			draw_lines_header(&t, canvas);
		for (int row = i == 0; row < rows; row++, i++)
			draw_source_line(&t, canvas, row, &p->lines[i]);
		picture_write(page->ctx, canvas, page->format, "", page->out);
		canvas_free(canvas);
	}
	write_elsewhere(run, page);
	buf_putc(page->out, '\n');
}
