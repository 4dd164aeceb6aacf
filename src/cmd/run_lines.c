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

/* What the GPU counted stands beside some columns, where it counted; how many instructions a line has is the compiler's
 * affair, so those are not compared. */
enum beside { ALONE, BESIDE, COMPARED };

static const struct column {
	const char *title;
	struct value (*value)(const struct line_counts *counts);
	void (*format)(double v, struct buf *out);
	enum beside live;
} columns[] = {
	{"executed", executed, format_count, BESIDE},
	{"lanes", line_counts_lanes, value_format, ALONE},
	{"requests", line_counts_requests, format_count, COMPARED},
	{"sect/req", line_counts_sectors, value_format, COMPARED},
	{"wave/req", line_counts_wavefronts, value_format, COMPARED},
	{"conflicts", line_counts_conflicts, format_count, ALONE},
	{"branches", line_counts_branches, value_format, ALONE},
	{"divergent", line_counts_divergent, value_format, COMPARED},
};
#define N_COLUMNS ((int)(sizeof columns / sizeof *columns))

/* Of one line: what the machine counted, and the GPU; NULL: it did not. */
struct line {
	struct line_counts model;
	const struct line_counts *live;
};

struct table {
	const struct run *run;
	int widths[N_COLUMNS]; /* with the blank before; 0: empty, left out */
	int live[N_COLUMNS];   /* likewise, of what stands beside */
	int gutter, cols;
};

static struct line line_of(const struct run *run, const struct profile_line *line)
{
	return (struct line){profile_line_counts(line), line_table_find(&run->measured.lines, line->line)};
}

static void model_text(const struct column *column, const struct line *line, struct buf *out)
{
	struct value value = column->value(&line->model);
	if (value.state == VALUE_OK)
		column->format(value.v, out);
}

/* "= 2", or with the sign for what differs. */
static void live_text(const struct column *column, const struct line *line, struct buf *out)
{
	if (column->live == ALONE || !line->live)
		return;
	struct value live = column->value(line->live);
	if (live.state != VALUE_OK)
		return;
	struct buf model = {0}, text = {0};
	model_text(column, line, &model);
	column->format(live.v, &text);
	bool same = !strcmp(buf_str(&model), buf_str(&text));
	buf_printf(out, "%s%s", column->live == BESIDE ? "" : same ? "= " : "≠ ", buf_str(&text));
	buf_free(&model);
	buf_free(&text);
}

static int widest(const struct run *run, const struct column *column,
	void (*text_of)(const struct column *column, const struct line *line, struct buf *out), const char *title)
{
	int most = 0;
	for (int i = 0; i < run->profile->n_lines; i++) {
		struct line line = line_of(run, &run->profile->lines[i]);
		struct buf text = {0};
		text_of(column, &line, &text);
		int cols = utf8_columns(buf_str(&text));
		most = cols > most ? cols : most;
		buf_free(&text);
	}
	int least = (int)strlen(title);
	return !most ? 0 : (most > least ? most : least) + 1;
}

/* A column in which nothing stands takes no room. */
static struct table lay_out(const struct run *run, int cols)
{
	struct table t = {.run = run, .gutter = 5};
	int used = t.gutter + 2;
	for (int c = 0; c < N_COLUMNS; c++) {
		t.widths[c] = widest(run, &columns[c], model_text, columns[c].title);
		t.live[c] = widest(run, &columns[c], live_text, "live");
		used += t.widths[c] + t.live[c];
	}
	t.cols = cols > used + TEXT_MIN ? cols : used + TEXT_MIN;
	return t;
}

static void draw_header(const struct table *t, struct canvas *canvas)
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
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\t') {
			buf_pad(out, ' ', 4 - col % 4);
			col += 4 - col % 4;
		} else {
			buf_putc(out, text[i]);
			col += ((unsigned char)text[i] & 0xC0) != 0x80;
		}
	}
}

static void draw_right(struct canvas *canvas, int row, int end, enum role role, const struct buf *text)
{
	canvas_text(canvas, row, end - utf8_columns(buf_str(text)), role, buf_str(text));
}

/* Returns the column behind the numbers. */
static int draw_numbers(const struct table *t, struct canvas *canvas, int row, const struct line *line)
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

static void draw_line(const struct table *t, struct canvas *canvas, int row, const struct profile_line *of)
{
	enum role role = of->line == t->run->watch.line ? ROLE_WATCHED : of->executions ? ROLE_TEXT : ROLE_DIM;
	struct line line = line_of(t->run, of);
	struct buf code = {0};
	size_t len = 0;
	const char *source = run_line_text(t->run, of->line, &len);
	canvas_textf(canvas, row, 0, role, "%*d", t->gutter, of->line);
	int at = draw_numbers(t, canvas, row, &line);
	expand_tabs(source ? source : "", source ? len : 0, &code);
	canvas_text_fit(canvas, (struct rect){row, at + 2, 1, t->cols - at - 2}, role, buf_str(&code));
	buf_free(&code);
}

/* Instructions that the table leaves out. */
static void write_elsewhere(const struct run *run, struct buf *out)
{
	const struct profile *p = run->profile;
	const struct line_counts *live = line_table_find(&run->measured.lines, 0);
	if (p->elsewhere.executions)
		buf_printf(out, "%llu more warp instructions are of other files, or of no line\n",
			(unsigned long long)p->elsewhere.executions);
	if (live && live->c[LINE_COUNT_INSTRUCTIONS].state == VALUE_OK && live->c[LINE_COUNT_INSTRUCTIONS].v > 0)
		buf_printf(
			out, "on %s %.0f are of no line here\n", run->measured.gpu, live->c[LINE_COUNT_INSTRUCTIONS].v);
}

void run_write_lines(const struct run *run, int cols, int format, struct buf *out)
{
	const struct profile *p = run->profile;
	struct table t = lay_out(run, cols);
	for (int i = 0; i < p->n_lines;) {
		int left = p->n_lines - i + (i == 0), rows = left < CANVAS_ROWS ? left : CANVAS_ROWS;
		struct canvas *canvas = canvas_new(rows, t.cols);
		if (i == 0)
			draw_header(&t, canvas);
		for (int row = i == 0; row < rows; row++, i++)
			draw_line(&t, canvas, row, &p->lines[i]);
		picture_write(run->ctx, canvas, format, "", out);
		canvas_free(canvas);
	}
	write_elsewhere(run, out);
	buf_puts(out, "\n");
}
