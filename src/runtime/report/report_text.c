/* The report as text: launches as a table, the costliest lines, what was wrong. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "machine/ptx/program.h"
#include "model/hardware/occupancy.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

#define WORST_LINES 5
#define ROWS_SHOWN 24
#define KERNEL_COLUMNS 56
#define SOURCE_COLUMNS 60

/* --- lines of kernels --------------------------------------------------------------------------------------------- */

uint64_t report_waste(const struct report_cost *c)
{
	return c->sectors - c->ideal_sectors + c->wavefronts - c->ideal_wavefronts + c->turns;
}

static int by_waste(const void *a, const void *b)
{
	const struct report_line *x = a, *y = b;
	uint64_t p = report_waste(&x->cost), q = report_waste(&y->cost);
	return p != q ? (p < q) - (p > q) : x->line - y->line;
}

static void add_line(
	struct report_lines *lines, const struct ptx_kernel *kernel, int instr, const struct report_cost *c)
{
	struct ptx_location place = ptx_instr_location(kernel, instr);
	struct report_line *at = NULL;
	for (int i = 0; i < lines->n && !at; i++)
		if (lines->of[i].line == place.line && lines->of[i].kernel == kernel && lines->of[i].path == place.file)
			at = &lines->of[i];
	if (!at) {
		at = vec_push(lines->of, lines->n, lines->cap);
		*at = (struct report_line){.path = place.file, .line = place.line, .kernel = kernel};
	}
	at->cost.requests += c->requests;
	at->cost.sectors += c->sectors;
	at->cost.ideal_sectors += c->ideal_sectors;
	at->cost.wavefronts += c->wavefronts;
	at->cost.ideal_wavefronts += c->ideal_wavefronts;
	at->cost.turns += c->turns;
}

struct report_lines report_lines(const struct report *report)
{
	struct report_lines lines = {0};
	for (int k = 0; k < report->n_kernels; k++)
		for (int i = 0; i < report->kernels[k].n; i++)
			if (report->kernels[k].costs[i].requests)
				add_line(&lines, report->kernels[k].kernel, i, &report->kernels[k].costs[i]);
	if (lines.n)
		qsort(lines.of, (size_t)lines.n, sizeof *lines.of, by_waste);
	return lines;
}

double report_total_ms(const struct report *report)
{
	double ms = 0;
	for (int i = 0; i < report->n_rows; i++)
		ms += report->rows[i].ms;
	return ms;
}

/* --- a table ------------------------------------------------------------------------------------------------------ */

enum report_column {
	COL_NUMBER,
	COL_TIMES,
	COL_KERNEL,
	COL_PLACE,
	COL_OCCUPANCY,
	COL_TIME,
	COL_SHARE,
	COL_REQUESTS,
	COL_GLOBAL,
	COL_SHARED,
	COLS
};

static const struct {
	const char *head;
	bool left;
} columns[COLS] = {
	[COL_NUMBER] = {"#", false},
	[COL_TIMES] = {"times", false},
	[COL_KERNEL] = {"kernel", true},
	[COL_PLACE] = {"launched at", true},
	[COL_OCCUPANCY] = {"occupancy", false},
	[COL_TIME] = {"time", false},
	[COL_SHARE] = {"share", false},
	[COL_REQUESTS] = {"requests", false},
	[COL_GLOBAL] = {"sectors used", false},
	[COL_SHARED] = {"bank efficiency", false},
};

struct report_cells {
	struct buf of[COLS];
};

/* Nothing of what was not looked at; a dash where there was nothing to use. */
static void put_percent(uint64_t part, uint64_t whole, struct buf *out)
{
	if (whole)
		buf_printf(out, "%.0f%%", 100.0 * (double)part / (double)whole);
	else
		buf_puts(out, "-");
}

/* A launch as wide as a column may be: a longer name is without template arguments, then without namespaces. */
static void put_kernel(const struct report_row *row, struct buf *out)
{
	struct buf launch = {0};
	runtime_put_launch(row->kernel, &row->config, &launch);
	const char *text = buf_str(&launch), *end = strstr(text, "<<<"), *arguments = strchr(text, '<');
	if (end && end - text > KERNEL_COLUMNS) {
		const char *name = text;
		for (const char *part;
			arguments - name > KERNEL_COLUMNS && (part = strstr(name, "::")) && part < arguments;)
			name = part + 2;
		escape_text(name, (size_t)(arguments - name), ESCAPE_LINE, out);
		/* The last "<<<" is the launch's: arguments of templates have none. */
		buf_puts(out, arguments < end ? "<...>" : "");
		text = end;
	}
	escape_text(text, strlen(text), ESCAPE_LINE, out);
	buf_free(&launch);
}

static void put_rows(struct buf *out, const struct report *report)
{
	int n = report->n_rows < ROWS_SHOWN ? report->n_rows : ROWS_SHOWN;
	struct report_cells *rows = base_calloc((size_t)n + 1, sizeof *rows);
	double total = report_total_ms(report), left = total;
	bool repeated = false;
	for (int i = 0; i < n; i++)
		repeated = repeated || report->rows[i].n > 1;
	for (int i = 0; i < n; i++) {
		const struct report_row *row = &report->rows[i];
		struct report_cells *c = &rows[i];
		struct buf place = {0};
		buf_printf(&c->of[COL_NUMBER], "%" PRIu64, row->first);
		if (repeated)
			buf_printf(&c->of[COL_TIMES], "%" PRIu64, row->n);
		put_kernel(row, &c->of[COL_KERNEL]);
		if (row->site && report_site_text(row->site, &place))
			escape_text(buf_str(&place), place.len, ESCAPE_LINE, &c->of[COL_PLACE]);
		buf_printf(&c->of[COL_OCCUPANCY], "%.0f%%", row->occupancy);

		struct buf *time = &c->of[COL_TIME];
		double ms = row->ms, us = ms * 1000;
		if (us < 1000)
			buf_printf(time, us < 10 ? "%.2f us" : us < 100 ? "%.1f us" : "%.0f us", us);
		else if (ms < 1000)
			buf_printf(time, ms < 10 ? "%.2f ms" : ms < 100 ? "%.1f ms" : "%.0f ms", ms);
		else
			buf_printf(time, "%.2f s", ms / 1000);

		buf_printf(&c->of[COL_SHARE], "%.0f%%", total > 0 ? 100 * row->ms / total : 0);
		if (row->looked) {
			buf_printf(&c->of[COL_REQUESTS], "%" PRIu64, row->cost.requests);
			put_percent(row->cost.ideal_sectors, row->cost.sectors, &c->of[COL_GLOBAL]);
			put_percent(row->cost.ideal_wavefronts, row->cost.wavefronts, &c->of[COL_SHARED]);
		} else {
			buf_puts(&c->of[COL_REQUESTS], "not looked at");
		}
		buf_free(&place);

		left -= report->rows[i].ms;
	}
	if (n) {
		/* Columns in which no row has anything are left out. */
		int widths[COLS] = {0};
		for (int c = 0; c < COLS; c++)
			for (int i = 0; i < n; i++) {
				int width = utf8_columns(buf_str(&rows[i].of[c]));
				widths[c] = width > widths[c] ? width : widths[c];
			}
		for (int i = -1; i < n; i++) {
			int owed = 0; /* blanks that only what follows needs */
			for (int c = 0; c < COLS; c++) {
				const char *text = i < 0 ? columns[c].head : buf_str(&rows[i].of[c]);
				int head = utf8_columns(columns[c].head), width = widths[c] > head ? widths[c] : head;
				int pad = width - utf8_columns(text);
				if (!widths[c])
					continue;
				owed += 2 + (columns[c].left ? 0 : pad);
				if (*text) {
					buf_pad(out, ' ', owed);
					buf_puts(out, text);
					owed = 0;
					pad = columns[c].left ? pad : 0;
				} else {
					pad = columns[c].left ? pad : 0;
				}
				owed += pad;
			}
			buf_puts(out, "\n");
		}
	}
	if (n < report->n_rows)
		buf_printf(out, "  and %d more, with %.0f%% of the time; as JSON all are written\n", report->n_rows - n,
			total > 0 ? 100 * left / total : 0);
	for (int i = 0; i < n; i++)
		for (int c = 0; c < COLS; c++)
			buf_free(&rows[i].of[c]);
	free(rows);
}

/* --- lines and problems ------------------------------------------------------------------------------------------- */

static void put_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
	if (n)
		buf_printf(out, "%" PRIu64 " %s", n, n == 1 ? one : many);
	else
		buf_printf(out, "no %s", many);
}

void report_put_text(const struct runtime *r, bool with_problems, struct buf *out)
{
	const struct report *report = report_state();
	const char *gpu = "";
	uint64_t launches = 0, leaks = 0, ended = 0;
	for (int i = 0; i < report->n_rows; i++)
		launches += report->rows[i].n;
	for (int i = 0; i < report->n_problems; i++)
		leaks += report->problems[i].kind == REPORT_LEAK;
	for (int i = 0; i < report->n_problems; i++)
		ended += report->problems[i].kind == REPORT_ENDED;
	occupancy_sms(r->cc, &gpu);
	buf_puts(out, "simttutor: ");
	put_count(out, launches, "launch", "launches");
	buf_puts(out, ", ");
	put_count(out, (uint64_t)report->n_problems - leaks - ended, "problem", "problems");
	if (leaks) {
		buf_puts(out, ", ");
		put_count(out, leaks, "leak", "leaks");
	}
	if (report_is_ending())
		buf_printf(out, ", until %s ended the program", report_why_ending());
	buf_puts(out, !with_problems && report->n_problems ? " (see above)" : "");
	const char *doubt = occupancy_doubt(r->cc);
	if (launches)
		buf_printf(out, "; times and costs are those of a model of CC %d.%d (%s%s%s)", r->cc / 10, r->cc % 10,
			gpu, doubt ? "; limits " : "", doubt ? doubt : "");
	buf_puts(out, "\n");

	put_rows(out, report);

	struct report_lines lines = report_lines(report);
	for (int i = 0; i < lines.n && i < WORST_LINES && report_waste(&lines.of[i].cost); i++) {
		const struct report_line *l = &lines.of[i];
		if (!i)
			buf_puts(out, "Lines whose accesses cost more than they must:\n");
		buf_puts(out, "  ");
		if (l->path) {
			escape_puts(report_base_name(l->path), out);
			buf_printf(out, ":%d: ", l->line);
		} else {
			buf_puts(out, "code compiled without its lines (-lineinfo): ");
		}

		const struct report_cost *c = &l->cost;
		if (c->sectors > c->ideal_sectors)
			buf_printf(out, "%" PRIu64 " sectors, %" PRIu64 " would do", c->sectors, c->ideal_sectors);
		if (c->sectors > c->ideal_sectors && c->wavefronts > c->ideal_wavefronts)
			buf_puts(out, "; ");
		if (c->wavefronts > c->ideal_wavefronts)
			buf_printf(out, "%" PRIu64 " wavefronts, %" PRIu64 " would do: bank conflicts", c->wavefronts,
				c->ideal_wavefronts);

		if (c->turns)
			buf_printf(out,
				"%s%" PRIu64 " atomic operations wait for others of their warp at the same address",
				c->sectors > c->ideal_sectors || c->wavefronts > c->ideal_wavefronts ? "; " : "",
				c->turns);
		buf_puts(out, "\n");

		/* The line of source without its indentation, as far as it fits. */
		struct buf text = {0};
		report_put_source(l->path, l->line, &text);
		const char *at = buf_str(&text) + strspn(buf_str(&text), " \t");
		size_t len = strlen(at);
		bool fits = len <= SOURCE_COLUMNS;
		while (!fits && len > SOURCE_COLUMNS - 4 && len > 0)
			len--;
		while (!fits && len > 0 && (at[len] & 0xC0) == 0x80)
			len--;
		if (len)
			buf_puts(out, "      ");
		escape_text(at, len, ESCAPE_LINE, out);
		if (len)
			buf_puts(out, fits ? "\n" : " ...\n");
		buf_free(&text);
	}
	free(lines.of);

	for (int i = 0; i < report->n_problems && with_problems; i++) {
		if (!i)
			buf_puts(out, "What was wrong:\n");

		const struct report_problem *p = &report->problems[i];
		buf_puts(out, "  ");
		if (p->line) {
			escape_puts(p->file, out);
			buf_printf(out, ":%d: ", p->line);
		}
		escape_puts(p->text, out);
		if (p->times > 1)
			buf_printf(out, " (%u times)", p->times);
		buf_puts(out, "\n");
	}
}
