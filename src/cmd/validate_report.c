#include "config.h"
#include "cmd/validate.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cmd/json.h"
#include "machine/ptx/ops.h"
#include "model/hardware/occupancy.h"

/* Rows with instances, or enabled ones. */
static bool is_shown(const struct validation *v, int op)
{
	return v->tally->rows[op].instances || (v->choice.enabled[op] && !v->expect);
}

static const char *other_side(const struct validation *v)
{
	return v->gpu_name ? v->gpu_name : v->expect;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void write_tally_head(const struct validation *v, struct buf *out)
{
	const struct tally *t = v->tally;
	buf_printf(out, "the machine and %s: ", other_side(v));
	if (!v->expect)
		buf_printf(out, "seed %" PRIu64 ", ", v->seed);
	buf_printf(out, "%" PRIu64 " program%s, %" PRIu64 " instruction%s, %" PRIu64 " instance%s\n", t->programs,
		t->programs == 1 ? "" : "s", t->instructions, t->instructions == 1 ? "" : "s", t->instances,
		t->instances == 1 ? "" : "s");
	buf_puts(out,
		"(an instance is one instruction on one set of operand values, a lane's, or a warp's where lanes act\n"
		"together; repeated operand values of an instruction are not counted again)\n\n");
}

static void write_tally_row(const struct validation *v, int op, struct buf *out)
{
	const struct tally_row *row = &v->tally->rows[op];
	char forms[24];
	snprintf(forms, sizeof forms, "%d/%d", row->forms, validate_forms_count(v->forms, op));
	buf_printf(out, "%-16s %9s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64, ptx_op_rows[op].spelling, forms,
		row->instances, row->equal, row->within, row->different);
	if (row->bound)
		buf_printf(out, "  largest error %.3g %s, bound %s", row->error, validate_bound_unit(row->bound),
			validate_bound_text(row->bound));
	if (row->unbounded)
		buf_printf(out, "  %" PRIu64 " without a bound", row->unbounded);
	buf_putc(out, '\n');
}

static void write_tally_table(const struct validation *v, struct buf *out)
{
	const char *group = "";
	buf_printf(out, "%-16s %9s %9s %9s %7s %7s\n", "", "forms", "instances", "equal", "within", "differ");
	for (int op = 0; op < PTX_OPS; op++) {
		if (!is_shown(v, op))
			continue;
		if (validate_forms_group(v->forms, op) != group &&
			strcmp(validate_forms_group(v->forms, op), group) != 0)
			buf_printf(out, "%s\n", validate_forms_group(v->forms, op));
		group = validate_forms_group(v->forms, op);
		write_tally_row(v, op, out);
	}
}

static void write_difference(const struct validation *v, const struct tally_difference *d, struct buf *out)
{
	buf_printf(out, "program %" PRIu64 ": %s\n    ", d->seed, d->instruction);
	if (d->whole) {
		buf_printf(out, "some lane: the machine's results hash to %016" PRIx64 ", recorded is %016" PRIx64 "\n",
			d->machine, d->other);
		return;
	}
	buf_printf(out, "lane %d, operands", d->lane);
	for (int i = 0; i < d->n_operands; i++)
		buf_printf(out, " 0x%" PRIx64, d->operands[i]);
	buf_printf(out, ": %%r%d is 0x%" PRIx64 " on the machine", d->result, d->machine);
	if (d->machine != d->other || v->gpu_name)
		buf_printf(out, ", 0x%" PRIx64 " on %s\n", d->other, other_side(v));
	else
		buf_puts(out, ", which is not within the bound\n");
}

void cmd_validate_write_text(const struct validation *v, struct buf *out)
{
	const struct tally *t = v->tally;
	write_tally_head(v, out);
	write_tally_table(v, out);
	buf_putc(out, '\n');
	for (int i = 0; i < t->n_differences; i++)
		write_difference(v, &t->differences[i], out);
	if (v->failed)
		buf_printf(out, "%" PRIu64 " program%s gave no results\n", v->failed, v->failed == 1 ? "" : "s");
	if (t->different)
		buf_printf(out, "%" PRIu64 " of %" PRIu64 " instance%s %s\n", t->different, t->instances,
			t->instances == 1 ? "" : "s", t->different == 1 ? "differs" : "differ");
	else
		buf_printf(out,
			t->instances == 1 ? "the %" PRIu64 " instance agrees\n" : "all %" PRIu64 " instances agree\n",
			t->instances);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static json_t *hex_json(uint64_t value)
{
	char text[20];
	snprintf(text, sizeof text, "0x%" PRIx64, value);
	return json_string(text);
}

static json_t *row_json(const struct validation *v, int op)
{
	const struct tally_row *row = &v->tally->rows[op];
	json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I, s:I}", "row", ptx_op_rows[op].id,
		"instruction", ptx_op_rows[op].spelling, "group", validate_forms_group(v->forms, op), "forms",
		row->forms, "forms_legal", validate_forms_count(v->forms, op), "instances", (json_int_t)row->instances,
		"equal", (json_int_t)row->equal, "within_bound", (json_int_t)row->within, "different",
		(json_int_t)row->different, "without_bound", (json_int_t)row->unbounded);
	if (row->bound) {
		json_object_set_new(json, "largest_error", json_real(row->error));
		json_object_set_new(json, "unit", json_string(validate_bound_unit(row->bound)));
		json_object_set_new(json, "bound", json_string(validate_bound_text(row->bound)));
	}
	return json;
}

static json_t *difference_json(const struct tally_difference *d)
{
	json_t *operands = json_array(), *json;
	for (int i = 0; i < d->n_operands; i++)
		json_array_append_new(operands, hex_json(d->operands[i]));
	json = json_pack("{s:I, s:s, s:s, s:o, s:b, s:o, s:o}", "program", (json_int_t)d->seed, "row",
		ptx_op_rows[d->op].id, "instruction", d->instruction, "machine", hex_json(d->machine), "hashes",
		(int)d->whole, "other", hex_json(d->other), "operands", operands);
	if (!d->whole)
		json_object_set_new(json, "lane", json_integer(d->lane));
	return json;
}

void cmd_validate_write_json(const struct validation *v, struct buf *out)
{
	const struct tally *t = v->tally;
	json_t *rows = json_array(), *differences = json_array();
	for (int op = 0; op < PTX_OPS; op++)
		if (is_shown(v, op))
			json_array_append_new(rows, row_json(v, op));
	for (int i = 0; i < t->n_differences; i++)
		json_array_append_new(differences, difference_json(&t->differences[i]));
	json_t *json = json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "compared_with", other_side(v),
		"seed", v->expect ? json_null() : json_integer((json_int_t)v->seed), "programs",
		(json_int_t)t->programs, "instructions", (json_int_t)t->instructions, "instances",
		(json_int_t)t->instances, "different", (json_int_t)t->different, "failed", (json_int_t)v->failed,
		"rows", rows, "differences", differences);
	cmd_json_write(json, JSON_REAL_PRECISION(12) | JSON_INDENT(1), out);
}

/* --- of a GPU, for others -------------------------------------------------------------------------------------------------- */
static json_int_t result_number(const json_t *result, const char *name)
{
	return json_integer_value(json_object_get(result, name));
}

/* "830 cases, 3 differ, 20 left out" */
static void write_totals(const json_t *result, struct buf *out)
{
	bool programs = json_object_get(result, "instances");
	json_int_t cases = result_number(result, programs ? "instances" : "cases");
	const struct {
		json_int_t n;
		const char *what;
	} more[] = {{result_number(result, programs ? "different" : "differ"), _("differ")},
		{result_number(result, "failed"), _("gave no results")},
		{result_number(result, "left_out"), _("left out")}};
	buf_printf(out, text_plural("%lld case", "%lld cases", (unsigned long)cases), (long long)cases);
	for (size_t i = 0; i < sizeof more / sizeof *more; i++)
		if (more[i].n)
			buf_printf(out, ", %lld %s", (long long)more[i].n, more[i].what);
}

void cmd_validate_report_campaign(
	struct validation *v, const struct campaign *c, int status, size_t begin, const char *why)
{
	const char *word = why           ? "not run"
		: status == EXIT_OK      ? "agrees"
		: status == EXIT_MISSING ? "not finished"
					 : "differs";
	json_t *one = json_pack("{s:s}", "outcome", word);
	json_t *result = why ? NULL : json_loadb(v->out.data + begin, v->out.len - begin, 0, NULL);
	struct buf totals = {0};
	if (why)
		json_object_set_new(one, "why", cmd_json_text(why));
	if (result) {
		write_totals(result, &totals);
		json_object_set_new(one, "result", result);
	}
	if (!v->campaigns)
		v->campaigns = json_object();
	json_object_set_new(v->campaigns, c->name, one);
	v->out.len = why ? v->out.len : begin; /* it is in the file */
	const char *rest = why ? why : buf_str(&totals);
	escape_line(&v->out, *rest ? "%s: %s: %s" : "%s: %s", c->name, word, rest);
	buf_free(&totals);
}

static json_t *report_json(struct validation *v, const char *date)
{
	const struct wire_gpu *g = &v->info;
	json_t *gpu = json_pack("{s:o, s:o, s:i, s:i, s:o, s:i, s:o, s:b, s:b}", "name", cmd_json_text(g->name), "chip",
		cmd_json_text(g->chip), "cc", g->cc, "sms", g->sms, "driver", cmd_json_text(g->driver), "driver_cuda",
		g->driver_cuda, "cupti", cmd_json_text(g->cupti_version), "counters", (int)g->counters,
		"verified_before", occupancy_doubt(g->cc) == NULL);
	json_t *json = json_pack("{s:i, s:s, s:s, s:I, s:o, s:o}", "simttutor_validation", 1, "version",
		PACKAGE_VERSION, "date", date, "seed", (json_int_t)v->seed, "gpu", gpu, "campaigns",
		v->campaigns ? v->campaigns : json_object());
	v->campaigns = NULL;
	return json;
}

/* One cell of a table: what a driver or a GPU says of itself may hold anything. */
static void put_cell(struct buf *out, const char *text)
{
	struct buf line = {0};
	escape_line(&line, "%s", text);
	for (const char *c = buf_str(&line); *c && (c[0] != '\n' || c[1]); c++) {
		if (strchr("|\\`*_<>[]", *c))
			buf_putc(out, '\\');
		buf_putc(out, *c == '\n' ? ' ' : *c);
	}
	buf_free(&line);
}

__attribute__((format(printf, 3, 4))) static void put_row(struct buf *out, const char *label, const char *format, ...)
{
	struct buf text = {0};
	va_list args;
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	buf_printf(out, "| %s | ", label);
	put_cell(out, buf_str(&text));
	buf_puts(out, " |\n");
	buf_free(&text);
}

/* What differs, each with both numbers and, where there is one, the command that shows it again. */
static void put_differences(struct buf *out, const char *campaign, const json_t *result)
{
	size_t i;
	json_t *row;
	json_array_foreach(json_object_get(result, "rules"), i, row)
	{
		const json_t *first = json_object_get(row, "first_difference");
		if (!first)
			continue;
		struct buf text = {0};
		buf_printf(&text, "%s, %s, %lld of %lld: %s; %s", campaign,
			json_string_value(json_object_get(row, "rule")), (long long)result_number(row, "differ"),
			(long long)result_number(row, "cases"), json_string_value(json_object_get(first, "what")),
			json_string_value(json_object_get(first, "reproduce")));
		buf_puts(out, "- ");
		put_cell(out, buf_str(&text));
		buf_puts(out, "\n");
		buf_free(&text);
	}
	json_array_foreach(json_object_get(result, "differences"), i, row)
	{
		struct buf text = {0};
		buf_printf(&text, "%s, program %lld, %s: machine %s, GPU %s", campaign,
			(long long)result_number(row, "program"),
			json_string_value(json_object_get(row, "instruction")),
			json_string_value(json_object_get(row, "machine")),
			json_string_value(json_object_get(row, "other")));
		buf_puts(out, "- ");
		put_cell(out, buf_str(&text));
		buf_puts(out, "\n");
		buf_free(&text);
	}
}

/* The same to be read: tables, and the JSON at the end. */
static void write_markdown(const struct validation *v, const char *date, const json_t *json, struct buf *out)
{
	const struct wire_gpu *g = &v->info;
	const char *name;
	json_t *one;
	buf_puts(out, CMD_VALIDATE_MARKDOWN_MARK "| | |\n|---|---|\n");
	put_row(out, "GPU", "%s, %s, compute capability %d.%d, %d SMs", g->name, g->chip, g->cc / 10, g->cc % 10,
		g->sms);
	put_row(out, "driver", "%s, CUDA %d.%d", g->driver, g->driver_cuda / 1000, g->driver_cuda % 1000 / 10);
	put_row(out, "CUPTI", "%s, counters %s", g->cupti_version, g->counters ? "can be read" : "cannot be read");
	put_row(out, "simttutor", "%s, %s, seed %" PRIu64, PACKAGE_VERSION, date, v->seed);
	buf_puts(out, "\n| campaign | outcome | |\n|---|---|---|\n");
	json_object_foreach(json_object_get(json, "campaigns"), name, one)
	{
		const json_t *result = json_object_get(one, "result");
		const char *why = json_string_value(json_object_get(one, "why"));
		struct buf rest = {0};
		if (result)
			write_totals(result, &rest);
		buf_printf(out, "| %s | %s | ", name, json_string_value(json_object_get(one, "outcome")));
		put_cell(out, why ? why : buf_str(&rest));
		buf_puts(out, " |\n");
		buf_free(&rest);
	}
	buf_puts(out, "\n");
	json_object_foreach(json_object_get(json, "campaigns"), name, one)
		put_differences(out, name, json_object_get(one, "result"));
}

bool cmd_validate_report(struct validation *v)
{
	char date[20];
	time_t now = time(NULL);
	struct buf text = {0};
	bool markdown = cmd_validate_is_markdown(v->report.path);
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	json_t *json = report_json(v, date);
	if (markdown) {
		write_markdown(v, date, json, &text);
		buf_puts(&text, "\n~~~json\n");
	}
	cmd_json_write(json, JSON_REAL_PRECISION(12) | JSON_INDENT(1), &text);
	if (markdown)
		buf_puts(&text, "~~~\n");
	bool written = output_write(v->ctx, &v->report, &text);
	buf_free(&text);
	return written;
}

bool cmd_validate_is_markdown(const char *path)
{
	size_t len = path ? strlen(path) : 0;
	return len > 3 && strcmp(path + len - 3, ".md") == 0;
}
