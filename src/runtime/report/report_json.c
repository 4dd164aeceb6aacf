/* The report as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "machine/ptx/program.h"
#include "model/hardware/occupancy.h"
#include "runtime/report/report.h"
#include "runtime/report/report_parts.h"
#include "runtime/stream/queue.h"

static void put_string(struct buf *out, const char *text)
{
	struct buf valid = {0};
	escape_to_json(text, strlen(text), &valid);
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

static void put_name(struct buf *out, const char *mangled)
{
	struct buf name = {0};
	runtime_put_name(mangled, &name);
	put_string(out, buf_str(&name));
	buf_free(&name);
}

static void put_location(struct buf *out, const char *prefix, const char *file, int line)
{
	if (!file || !line)
		return;
	buf_printf(out, ",\"%sfile\":", prefix);
	put_string(out, file);
	buf_printf(out, ",\"%sline\":%d", prefix, line);
}

static void put_cost(struct buf *out, const struct report_cost *c)
{
	buf_printf(out,
		"\"requests\":%" PRIu64 ",\"sectors\":%" PRIu64 ",\"ideal_sectors\":%" PRIu64 ",\"wavefronts\":%" PRIu64
		",\"ideal_wavefronts\":%" PRIu64,
		c->requests, c->sectors, c->ideal_sectors, c->wavefronts, c->ideal_wavefronts);
}

static void put_count(struct buf *out, const char *name, int64_t value)
{
	buf_printf(out, ",\"%s\":%" PRId64, name, value);
}

static void put_word(struct buf *out, const char *name, const char *value)
{
	if (!*value)
		return;
	buf_printf(out, ",\"%s\":", name);
	put_string(out, value);
}

static void put_operation(struct buf *out, const struct hostlog_op *op)
{
	buf_printf(out, "{\"kind\":\"%s\"", hostlog_kind_names[op->kind]);
	put_word(out, "call", op->call);
	put_word(out, "kernel", op->name);
	put_location(out, "", op->file, op->line);
	const struct {
		const char *name;
		int value; /* index; -1: none */
	} of[] = {{"stream", op->stream}, {"of", op->of}, {"to", op->to}, {"from", op->from}, {"graph", op->graph},
		{"after", op->after}};
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		if (of[i].value >= 0)
			put_count(out, of[i].name, of[i].value);
	if (op->bytes)
		put_count(out, "bytes", (int64_t)op->bytes);
	put_word(out, "memory", hostlog_memory_names[op->memory]);
	put_word(out, "direction", hostlog_direction_names[op->direction]);
	if (op->blocks)
		buf_puts(out, ",\"blocks\":true");
	if (op->kind == HOSTLOG_LAUNCH)
		buf_printf(out, ",\"model_ms\":%.6g,\"device_share\":%.4g", op->ms, op->share);
	buf_printf(out, ",\"asked_ms\":%.6g,\"returned_ms\":%.6g", op->asked, op->returned);
	if (op->stream >= 0 && op->kind != HOSTLOG_SYNC && op->kind != HOSTLOG_GRAPH)
		buf_printf(out, ",\"begin_ms\":%.6g,\"end_ms\":%.6g,\"waited_for\":\"%s\"", op->begin, op->end,
			hostlog_why_names[op->why]);
	buf_puts(out, "}");
}

void report_put_json(const struct runtime *r, struct buf *out)
{
	const struct report *report = report_state();
	struct buf text = {0};
	double total = report_total_ms(report);
	buf_printf(
		&text, "{\"cc\":%d,\"verified\":%s,\"launches\":[", r->cc, occupancy_doubt(r->cc) ? "false" : "true");
	for (int i = 0; i < report->n_rows; i++) {
		buf_puts(&text, i ? ",\n" : "\n");

		const struct report_row *row = &report->rows[i];
		const struct cuda_config *c = &row->config;
		char file[128];
		int line;
		buf_printf(&text,
			"{\"first\":%" PRIu64 ",\"last\":%" PRIu64 ",\"count\":%" PRIu64 ",\"kernel\":", row->first,
			row->last, row->n);
		put_name(&text, row->kernel->name);
		buf_printf(&text, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"dynamic_shared\":%zu", c->grid.x,
			c->grid.y, c->grid.z, c->block.x, c->block.y, c->block.z, c->shared);
		if (row->site && report_site_line(row->site, file, sizeof file, &line))
			put_location(&text, "", file, line);
		buf_printf(&text, ",\"occupancy\":%.4g,\"model_ms\":%.6g,\"share\":%.4g,\"defects\":%u", row->occupancy,
			row->ms, total > 0 ? row->ms / total : 0, row->defects);
		if (row->looked) {
			buf_puts(&text, ",");
			put_cost(&text, &row->cost);
		}
		buf_puts(&text, "}");
	}
	buf_puts(&text, "],\n\"lines\":[");

	struct report_lines lines = report_lines(report);
	for (int i = 0; i < lines.n; i++) {
		const struct report_line *l = &lines.of[i];
		buf_puts(&text, i ? ",\n{\"file\":" : "\n{\"file\":");
		put_string(&text, l->path ? report_base_name(l->path) : "");
		buf_printf(&text, ",\"line\":%d,\"kernel\":", l->line);
		put_name(&text, l->kernel->name);
		buf_puts(&text, ",");
		put_cost(&text, &l->cost);
		buf_puts(&text, "}");
	}
	free(lines.of);

	buf_puts(&text, "],\n\"problems\":[");
	for (int i = 0; i < report->n_problems; i++) {
		buf_puts(&text, i ? ",\n" : "\n");

		const struct report_problem *p = &report->problems[i];
		buf_printf(&text, "{\"kind\":\"%s\",\"serious\":%s", report_kind_name(p->kind),
			report_kind_counts(p->kind) ? "true" : "false");
		put_location(&text, "", p->file, p->line);
		if (p->kernel) {
			buf_puts(&text, ",\"kernel\":");
			put_name(&text, p->kernel->name);
			put_location(&text, "kernel_", report_base_name(p->place.file), p->place.line);
		}
		buf_printf(&text, ",\"times\":%u,\"message\":", p->times);
		put_string(&text, p->text);
		buf_puts(&text, "}");
	}
	buf_puts(&text, "],\n");

	/* What the program asked for; indices count from 0. */
	struct hostlog log = report_log();
	buf_puts(&text, "\"streams\":[");
	for (int i = 0; i < log.n_streams; i++)
		buf_printf(&text, "%s{\"kind\":\"%s\",\"number\":%d,\"blocking\":%s}", i ? ",\n" : "\n",
			hostlog_stream_names[log.streams[i].kind], log.streams[i].number,
			log.streams[i].blocking ? "true" : "false");
	buf_printf(&text, "],\n\"operations_left_out\":%" PRIu64 ",\"costs_measured\":%s,\"operations\":[",
		log.left_out, hostlog_costs_are_measured() ? "true" : "false");
	for (int i = 0; i < log.n_ops; i++) {
		buf_puts(&text, i ? ",\n" : "\n");
		put_operation(&text, &log.ops[i]);
	}
	buf_puts(&text, "]");

	buf_puts(&text, "}\n");
	escape_json(text.data, text.len, out);
	buf_free(&text);
}
