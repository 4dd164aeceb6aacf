#include "config.h"
#include "cmd/run.h"

#include <math.h>
#include <string.h>

#include "cmd/access_text.h"
#include "cmd/picture.h"
#include "view/view.h"

#define COLS 120         /* where standard output is no terminal */
#define PICTURE_ROWS 60
#define CANVAS_ROWS 1000 /* the most a canvas has; longer tables take several */
#define TEXT_MIN 20      /* columns of source text below which the table is drawn wider than the terminal */

/* --- the lines ---------------------------------------------------------------------------------------------------- */

static void executions_text(const struct profile_line *line, struct buf *out)
{
	buf_printf(out, "%llu", (unsigned long long)line->executions);
}

static void value_text(struct value value, struct buf *out)
{
	if (value.state == VALUE_OK)
		value_format(value.v, out);
}

static void lanes_text(const struct profile_line *line, struct buf *out)
{
	value_text(profile_lanes(line), out);
}

static void requests_text(const struct profile_line *line, struct buf *out)
{
	if (line->shared_requests + line->global_requests)
		buf_printf(out, "%llu", (unsigned long long)(line->shared_requests + line->global_requests));
}

static void sectors_text(const struct profile_line *line, struct buf *out)
{
	value_text(profile_sectors(line), out);
}

static void wavefronts_text(const struct profile_line *line, struct buf *out)
{
	value_text(profile_wavefronts(line), out);
}

static void conflicts_text(const struct profile_line *line, struct buf *out)
{
	if (line->shared_requests)
		buf_printf(out, "%llu", (unsigned long long)line->conflicts);
}

static void branches_text(const struct profile_line *line, struct buf *out)
{
	double branches = line->counts.c[COUNTER_BRANCH_TARGETS].v;
	if (branches > 0)
		value_format(branches, out);
}

static void divergent_text(const struct profile_line *line, struct buf *out)
{
	double branches = line->counts.c[COUNTER_BRANCH_TARGETS].v, uniform = line->counts.c[COUNTER_BRANCH_UNIFORM].v;
	if (branches > 0)
		value_format(branches - uniform, out);
}

static const struct column {
	const char *title;
	void (*text)(const struct profile_line *line, struct buf *out);
} columns[] = {
	{"executed", executions_text}, {"lanes", lanes_text}, {"requests", requests_text}, {"sect/req", sectors_text},
	{"wave/req", wavefronts_text}, {"conflicts", conflicts_text}, {"branches", branches_text}, {"divergent", divergent_text},
};
#define N_COLUMNS ((int)(sizeof columns / sizeof *columns))

struct table {
	const struct run *run;
	int widths[N_COLUMNS]; /* with the blank before; 0: empty, left out */
	int gutter, cols;
};

/* A column in which nothing stands takes no room. */
static struct table lay_out(const struct run *run, int cols)
{
	const struct profile *p = run->profile;
	struct table t = {.run = run, .gutter = 5};
	int used = t.gutter + 2;
	for (int c = 0; c < N_COLUMNS; c++) {
		int widest = 0;
		for (int i = 0; i < p->n_lines; i++) {
			struct buf text = {0};
			columns[c].text(&p->lines[i], &text);
			widest = (int)text.len > widest ? (int)text.len : widest;
			buf_free(&text);
		}
		int title = (int)strlen(columns[c].title);
		t.widths[c] = widest ? (widest > title ? widest : title) + 1 : 0;
		used += t.widths[c];
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
	}
	canvas_text_fit(canvas, 0, at + 2, t->cols - at - 2, ROLE_DIM, t->run->source_name);
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

static void draw_line(const struct table *t, struct canvas *canvas, int row, const struct profile_line *line)
{
	enum role role = line->line == t->run->watch.line ? ROLE_WATCHED : line->executions ? ROLE_TEXT : ROLE_DIM;
	int at = t->gutter;
	size_t len = 0;
	struct buf code = {0};
	const char *source = run_line_text(t->run, line->line, &len);
	canvas_textf(canvas, row, 0, role, "%*d", t->gutter, line->line);
	for (int c = 0; c < N_COLUMNS; c++) {
		struct buf text = {0};
		columns[c].text(line, &text);
		at += t->widths[c];
		canvas_text(canvas, row, at - (int)text.len, ROLE_MODEL, buf_str(&text));
		buf_free(&text);
	}
	expand_tabs(source ? source : "", source ? len : 0, &code);
	canvas_text_fit(canvas, row, at + 2, t->cols - at - 2, role, buf_str(&code));
	buf_free(&code);
}

/* Instructions that the table leaves out. */
static void write_elsewhere(const struct run *run, struct buf *out)
{
	const struct profile *p = run->profile;
	uint64_t left = p->result.steps;
	for (int i = 0; i < p->n_lines; i++)
		left -= p->lines[i].executions;
	if (left)
		buf_printf(out, "%llu more warp instructions are of other files, or of no line\n", (unsigned long long)left);
}

static void write_lines(const struct run *run, int cols, int format, struct buf *out)
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

/* --- the totals and the picture ------------------------------------------------------------------------------------ */

static void write_view(const struct run *run, enum view_id view, const struct view_input *input, struct rect size, int format,
	struct buf *out)
{
	struct canvas *canvas = canvas_new(size.rows, size.cols);
	view_draw(view, canvas, (struct rect){0, 0, size.rows, size.cols}, input);
	picture_crop(canvas);
	picture_write(run->ctx, canvas, format, "", out);
	canvas_free(canvas);
	buf_puts(out, "\n");
}

/* Metrics of what the kernel does; the others would be rows of nothing. */
static void write_totals(const struct run *run, int cols, int format, struct buf *out)
{
	struct view_number rows[METRICS];
	struct view_input input = {.cc = run->cc};
	int n = 0;
	for (int i = 0; i < METRICS; i++) {
		struct view_number row = {(enum metric_id)i, metric_value((enum metric_id)i, &run->profile->counts),
			metric_value((enum metric_id)i, &run->measured.counts), WITNESS_LIVE};
		if (!run_ended(run))
			row.predicted = value_missing(VALUE_FAILED);
		bool nothing = row.predicted.state != VALUE_OK || (row.predicted.v <= 0 && !metric_is_rate((enum metric_id)i));
		if (!nothing || (row.measured.state == VALUE_OK && row.measured.v > 0))
			rows[n++] = row;
	}
	input.numbers = (struct view_numbers){rows, n, run->measured.gpu};
	if (n)
		write_view(run, VIEW_NUMBERS, &input, (struct rect){0, 0, n + 4, cols}, format, out);
}

/* The first load, store and atomic of each space; a line can make them all. */
static void write_pictures(const struct run *run, int cols, int format, struct buf *out)
{
	static const enum view_id views[] = {[ACCESS_SHARED] = VIEW_BANKS, [ACCESS_GLOBAL] = VIEW_SECTORS};
	const struct profile_watch *w = &run->watch;
	const struct profile *p = run->profile;
	bool drawn[2][ACCESS_OPS_N] = {{false}};
	const char *place = arena_printf(run->ctx->arena, "line %d, block %u warp %u", w->line, w->block, w->warp);
	if (!p->n_watched)
		buf_printf(out, "%s: no access to shared or global memory\n\n", place);
	for (int i = 0; i < p->n_watched; i++) {
		const struct warp_access *access = &p->watched[i];
		struct view_input input = {.access = access, .cc = run->cc, .place = place};
		if (drawn[access->space][access->op])
			continue;
		drawn[access->space][access->op] = true;
		buf_printf(out, "%s: the first ", place);
		access_title(access, NULL, out);
		buf_puts(out, "\n");
		write_view(run, views[access->space], &input, (struct rect){0, 0, PICTURE_ROWS, cols}, format, out);
	}
}

/* --- the buffers --------------------------------------------------------------------------------------------------- */

static void write_buffer(const struct run *run, int argument, int cols, struct buf *out)
{
	const struct launch_arg *arg = &run->args[argument];
	size_t begun = 0;
	buf_printf(out, "argument %d, %s[%zu]:", argument, launch_type_name(arg->type), arg->count);
	for (size_t i = 0; i < arg->count; i++) {
		struct buf text = {0};
		launch_format(arg->type, run->profile->buffers[argument], i, &text);
		if (i == 0 || out->len - begun + text.len + 1 > (size_t)cols) {
			buf_puts(out, "\n");
			begun = out->len;
			buf_printf(out, "%8zu:", i);
		}
		buf_printf(out, " %s", buf_str(&text));
		buf_free(&text);
	}
	buf_puts(out, "\n");
}

static void write_differences(const struct run *run, struct buf *out)
{
	const struct run_live *live = &run->measured;
	if (!live->n_differences)
		buf_printf(out, "every buffer is bit for bit the one that %s made\n", live->gpu);
	for (int i = 0; i < live->n_differences; i++) {
		const struct run_difference *d = &live->differences[i];
		enum launch_type type = run->args[d->argument].type;
		buf_printf(out, "argument %d differs in %zu of %zu elements, first in element %zu: the machine has ", d->argument,
			d->count, run->args[d->argument].count, d->index);
		launch_format(type, d->machine, d->index, out);
		buf_printf(out, ", %s ", live->gpu);
		launch_format(type, d->gpu, d->index, out);
		if (isfinite(d->largest) && d->largest >= 0)
			buf_printf(out, "; by at most %.2g", d->largest);
		buf_puts(out, "\n");
	}
}

static void write_outcome(const struct run *run, struct buf *out)
{
	static const char *const words[] = {[SIMT_OK] = "ok", [SIMT_DEFECT] = "defect", [SIMT_LIMIT] = "limit",
		[SIMT_ERROR] = "error"};
	const struct simt_result *r = &run->profile->result;
	buf_printf(out, "%s: %s", run->launch.kernel, words[r->outcome]);
	if (run->profile->report.n > 1)
		buf_printf(out, ", one of %u:", run->profile->report.n);
	if (r->outcome != SIMT_OK)
		buf_printf(out, "%s %s", run->profile->report.n > 1 ? "" : ",", r->message);
	buf_puts(out, "\n");
	if (r->outcome == SIMT_ERROR)
		return; /* nothing ran */
	buf_printf(out, "%llu warp instruction%s%s\n\n", (unsigned long long)r->steps, r->steps == 1 ? "" : "s",
		r->ended ? "" : "; what follows is up to where it stopped");
}

/* What the kernel printed, as it came. */
static void write_output(const struct run *run, struct buf *out)
{
	const struct profile *p = run->profile;
	if (!p->output_len)
		return;
	buf_printf(out, "%s prints:\n", run->launch.kernel);
	buf_append(out, p->output, p->output_len);
	if (p->output[p->output_len - 1] != '\n')
		buf_puts(out, "\n");
	if (p->result.printed > p->output_len)
		buf_printf(out, "and %llu more bytes; of what a launch prints %zu are kept\n",
			(unsigned long long)(p->result.printed - p->output_len), SIMT_PRINT_MAX);
	buf_puts(out, "\n");
}

void run_write_text(const struct run *run, struct buf *out)
{
	int cols = COLS, rows, format = picture_choose(run->ctx, run->format);
	picture_size(&cols, &rows);
	write_output(run, out);
	write_outcome(run, out);
	if (run->profile->result.outcome == SIMT_ERROR)
		return;
	write_lines(run, cols, format, out);
	write_totals(run, cols, format, out);
	run_write_occupancy(run, out);
	if (run->picture)
		write_pictures(run, cols, format, out);
	for (int i = 0; i < run->launch.n_args; i++)
		if (run->print[i])
			write_buffer(run, i, cols, out);
	if (run->measured.gpu)
		write_differences(run, out);
}
