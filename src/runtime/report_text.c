/* The report as text and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mangled.h"
#include "base/vec.h"
#include "model/occupancy.h"
#include "ptx/program.h"
#include "runtime/launch.h"
#include "runtime/report_parts.h"

#define WORST_LINES 5

/* --- lines of kernels --------------------------------------------------------------------------------------------------------- */

struct costly {
	const char *file; /* without its folders */
	int line;
	const struct ptx_kernel *kernel;
	struct report_cost cost;
};

static uint64_t waste_of(const struct report_cost *c)
{
	return c->sectors - c->ideal_sectors + c->wavefronts - c->ideal_wavefronts;
}

static int by_waste(const void *a, const void *b)
{
	const struct costly *x = a, *y = b;
	uint64_t p = waste_of(&x->cost), q = waste_of(&y->cost);
	return p != q ? (p < q) - (p > q) : x->line - y->line;
}

static const char *base_name(const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	return slash ? slash + 1 : file;
}

struct costly_lines {
	struct costly *of;
	int n, cap;
};

static void add_line(
	struct costly_lines *lines, const struct ptx_kernel *kernel, int instr, const struct report_cost *c)
{
	struct ptx_place place = ptx_instr_place(kernel, instr);
	const char *file = base_name(place.file);
	struct costly *at = NULL;
	for (int i = 0; i < lines->n && !at; i++)
		if (lines->of[i].line == place.line && lines->of[i].kernel == kernel && lines->of[i].file == file)
			at = &lines->of[i];
	if (!at) {
		at = vec_push(lines->of, lines->n, lines->cap);
		*at = (struct costly){.file = file, .line = place.line, .kernel = kernel};
	}
	at->cost.requests += c->requests;
	at->cost.sectors += c->sectors;
	at->cost.ideal_sectors += c->ideal_sectors;
	at->cost.wavefronts += c->wavefronts;
	at->cost.ideal_wavefronts += c->ideal_wavefronts;
}

/* All lines, the costliest first; its array is the caller's. */
static struct costly_lines lines_of(const struct report *report)
{
	struct costly_lines lines = {0};
	for (int k = 0; k < report->n_kernels; k++)
		for (int i = 0; i < report->kernels[k].n; i++)
			if (report->kernels[k].costs[i].requests)
				add_line(&lines, report->kernels[k].kernel, i, &report->kernels[k].costs[i]);
	if (lines.n)
		qsort(lines.of, (size_t)lines.n, sizeof *lines.of, by_waste);
	return lines;
}

/* --- text ----------------------------------------------------------------------------------------------------------------------- */

static void put_name(struct buf *out, const char *name)
{
	size_t len = strlen(name);
	const char *source = mangled_source(name, len, &len);
	escape_text(source ? source : name, len, ESCAPE_LINE, out);
}

static void put_dim(struct buf *out, const struct dim3_abi *d)
{
	if (d->z > 1)
		buf_printf(out, "(%u, %u, %u)", d->x, d->y, d->z);
	else if (d->y > 1)
		buf_printf(out, "(%u, %u)", d->x, d->y);
	else
		buf_printf(out, "%u", d->x);
}

static void put_config(struct buf *out, const struct cuda_config *c)
{
	buf_puts(out, "<<<");
	put_dim(out, &c->grid);
	buf_puts(out, ", ");
	put_dim(out, &c->block);
	if (c->shared)
		buf_printf(out, ", %zu", c->shared);
	buf_puts(out, ">>>");
}

static void put_efficiency(struct buf *out, const struct report_cost *c)
{
	if (c->sectors)
		buf_printf(out, ", %" PRIu64 " sectors where %" PRIu64 " would do (%.0f%%)", c->sectors,
			c->ideal_sectors, 100.0 * (double)c->ideal_sectors / (double)c->sectors);
	if (c->wavefronts)
		buf_printf(out, ", %" PRIu64 " wavefronts where %" PRIu64 " would do (%.0f%%)", c->wavefronts,
			c->ideal_wavefronts, 100.0 * (double)c->ideal_wavefronts / (double)c->wavefronts);
}

static double total_ms(const struct report *report)
{
	double ms = 0;
	for (int i = 0; i < report->n_rows; i++)
		ms += report->rows[i].ms;
	return ms;
}

static void put_row(struct buf *out, const struct report_row *row, double total)
{
	struct buf at = {0};
	if (row->last > row->first)
		buf_printf(out, "  %" PRIu64 "-%" PRIu64 " ", row->first, row->last);
	else
		buf_printf(out, "  %" PRIu64 " ", row->first);
	put_name(out, row->kernel->name);
	put_config(out, &row->config);
	if (row->site && report_site_text(row->site, &at)) {
		buf_puts(out, " at ");
		escape_text(buf_str(&at), at.len, ESCAPE_LINE, out);
	}
	buf_printf(out, ": occupancy %.0f%%, %.3g ms (%.0f%%)", row->occupancy, row->ms,
		total > 0 ? 100 * row->ms / total : 0);
	if (row->looked)
		buf_printf(out, ", %" PRIu64 " request%s", row->cost.requests, row->cost.requests == 1 ? "" : "s");
	put_efficiency(out, &row->cost);
	if (row->defects)
		buf_printf(out, ", %u defect%s", row->defects, row->defects == 1 ? "" : "s");
	buf_puts(out, row->looked ? "\n" : ", not looked at\n");
	buf_free(&at);
}

static void put_lines(struct buf *out, const struct report *report)
{
	struct costly_lines lines = lines_of(report);
	for (int i = 0; i < lines.n && i < WORST_LINES && waste_of(&lines.of[i].cost); i++) {
		const struct costly *c = &lines.of[i];
		if (!i)
			buf_puts(out, "The lines that waste most:\n");
		buf_puts(out, "  ");
		escape_puts(c->file ? c->file : "PTX", out);
		buf_printf(out, ":%d ", c->line);
		put_name(out, c->kernel->name);
		buf_printf(out, ": %" PRIu64 " request%s", c->cost.requests, c->cost.requests == 1 ? "" : "s");
		put_efficiency(out, &c->cost);
		buf_puts(out, "\n");
	}
	free(lines.of);
}

static void put_problem(struct buf *out, const struct report_problem *p)
{
	buf_puts(out, "  ");
	if (p->line) {
		escape_puts(p->file, out);
		buf_printf(out, ":%d: ", p->line);
	}
	escape_puts(p->text, out);
	buf_puts(out, "\n");
}

void report_put_text(const struct runtime *r, struct buf *out)
{
	const struct report *report = report_state();
	const char *gpu = "";
	uint64_t launches = report->n_rows ? report->rows[report->n_rows - 1].last : 0;
	double total = total_ms(report);
	occupancy_sms(r->cc, &gpu);
	buf_printf(out,
		"simttutor: %" PRIu64 " launch%s, %d problem%s; on a model of CC %d.%d (%s), whose times these are\n",
		launches, launches == 1 ? "" : "es", report->n_problems, report->n_problems == 1 ? "" : "s", r->cc / 10,
		r->cc % 10, gpu);
	for (int i = 0; i < report->n_rows; i++)
		put_row(out, &report->rows[i], total);
	put_lines(out, report);
	for (int i = 0; i < report->n_problems && strcmp(report->path, "-") != 0; i++) {
		if (!i)
			buf_puts(out, "What was wrong:\n");
		put_problem(out, &report->problems[i]);
	}
}

/* --- JSON ----------------------------------------------------------------------------------------------------------------------- */

static void json_text(struct buf *out, const char *text, size_t len)
{
	struct buf valid = {0};
	escape_to_json(text, len, &valid);
	buf_puts(out, "\"");
	for (size_t i = 0; i < valid.len; i++) {
		unsigned char c = (unsigned char)valid.data[i];
		if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else if (c < 0x20)
			buf_printf(out, "\\u%04x", c);
		else
			buf_append(out, (const char *)&c, 1);
	}
	buf_puts(out, "\"");
	buf_free(&valid);
}

static void json_name(struct buf *out, const char *name)
{
	size_t len = strlen(name);
	const char *source = mangled_source(name, len, &len);
	json_text(out, source ? source : name, len);
}

static void json_cost(struct buf *out, const struct report_cost *c)
{
	buf_printf(out,
		"\"requests\":%" PRIu64 ",\"sectors\":%" PRIu64 ",\"ideal_sectors\":%" PRIu64 ",\"wavefronts\":%" PRIu64
		",\"ideal_wavefronts\":%" PRIu64,
		c->requests, c->sectors, c->ideal_sectors, c->wavefronts, c->ideal_wavefronts);
}

static void json_row(struct buf *out, const struct report_row *row, double total)
{
	const struct cuda_config *c = &row->config;
	char file[128];
	int line;
	buf_printf(out, "{\"first\":%" PRIu64 ",\"last\":%" PRIu64 ",\"kernel\":", row->first, row->last);
	json_name(out, row->kernel->name);
	buf_printf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"dynamic_shared\":%zu", c->grid.x, c->grid.y,
		c->grid.z, c->block.x, c->block.y, c->block.z, c->shared);
	if (row->site && report_site_line(row->site, file, sizeof file, &line)) {
		buf_puts(out, ",\"file\":");
		json_text(out, file, strlen(file));
		buf_printf(out, ",\"line\":%d", line);
	}
	buf_printf(out, ",\"occupancy\":%.4g,\"model_ms\":%.6g,\"share\":%.4g,\"defects\":%u", row->occupancy, row->ms,
		total > 0 ? row->ms / total : 0, row->defects);
	if (row->looked) {
		buf_puts(out, ",");
		json_cost(out, &row->cost);
	}
	buf_puts(out, "}");
}

static void json_lines(struct buf *out, const struct report *report)
{
	struct costly_lines lines = lines_of(report);
	for (int i = 0; i < lines.n; i++) {
		const struct costly *c = &lines.of[i];
		buf_puts(out, i ? ",\n{\"file\":" : "\n{\"file\":");
		json_text(out, c->file ? c->file : "", c->file ? strlen(c->file) : 0);
		buf_printf(out, ",\"line\":%d,\"kernel\":", c->line);
		json_name(out, c->kernel->name);
		buf_puts(out, ",");
		json_cost(out, &c->cost);
		buf_puts(out, "}");
	}
	free(lines.of);
}

void report_put_json(const struct runtime *r, struct buf *out)
{
	const struct report *report = report_state();
	struct buf text = {0};
	double total = total_ms(report);
	buf_printf(&text, "{\"cc\":%d,\"launches\":[", r->cc);
	for (int i = 0; i < report->n_rows; i++) {
		buf_puts(&text, i ? ",\n" : "\n");
		json_row(&text, &report->rows[i], total);
	}
	buf_puts(&text, "],\n\"lines\":[");
	json_lines(&text, report);
	buf_puts(&text, "],\n\"problems\":[");
	for (int i = 0; i < report->n_problems; i++) {
		const struct report_problem *p = &report->problems[i];
		buf_printf(&text, "%s{\"kind\":\"%s\",\"serious\":%s", i ? ",\n" : "\n", report_kind_name(p->kind),
			report_kind_counts(p->kind) ? "true" : "false");
		if (p->line) {
			buf_puts(&text, ",\"file\":");
			json_text(&text, p->file, strlen(p->file));
			buf_printf(&text, ",\"line\":%d", p->line);
		}
		buf_puts(&text, ",\"message\":");
		json_text(&text, p->text, strlen(p->text));
		buf_puts(&text, "}");
	}
	buf_puts(&text, "]}\n");
	escape_json(text.data, text.len, out);
	buf_free(&text);
}
