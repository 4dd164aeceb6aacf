#include "config.h"
#include "cmd/validate.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "cmd/measure.h"
#include "machine/ptx/ops.h"
#include "model/hardware/occupancy.h"
#include "tools/compile/compile.h"

/* The report of a campaign that compares numbers: a table of rules, and how to reproduce each difference. */

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *what_are(const struct agreement *a, uint64_t n)
{
	return n == 1 ? a->one : a->what;
}

static void write_agreement_text(const struct agreement *a, struct buf *out)
{
	uint64_t violations = validate_agreement_violations(a);

	buf_printf(out, "%s: %s and %s: ", a->campaign, a->model, a->other);
	if (a->seeded)
		buf_printf(out, "seed %" PRIu64 ", ", a->seed);
	buf_printf(out, "%" PRIu64 " %s%s\n", validate_agreement_cases(a), what_are(a, validate_agreement_cases(a)),
		a->stopped ? " (stopped)" : "");

	int cols = 4;
	for (int i = 0; i < a->n; i++)
		cols = (int)strlen(a->rows[i].rule) > cols ? (int)strlen(a->rows[i].rule) : cols;

	buf_printf(out, "%-*s %9s %9s %9s\n", cols, "rule", "cases", "agree", "differ");
	for (int i = 0; i < a->n; i++) {
		const struct agreement_row *r = &a->rows[i];
		if (r->cases)
			buf_printf(out, "%-*s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "%s\n", cols, r->rule, r->cases,
				r->agree, r->cases - r->agree, r->exact ? "" : "  not exact");
	}

	for (int i = 0; i < a->n; i++)
		if (a->rows[i].difference)
			buf_printf(
				out, "%s: %s\n    %s\n", a->rows[i].rule, a->rows[i].difference, a->rows[i].reproduce);
	if (a->left_out)
		buf_printf(out,
			text_plural("%llu launch is left out: it needs another GPU\n",
				"%llu launches are left out: they need another GPU\n", (unsigned long)a->left_out),
			(unsigned long long)a->left_out);
	if (a->failed)
		buf_printf(out, "%" PRIu64 " %s gave nothing to compare\n", a->failed, what_are(a, a->failed));
	if (violations)
		buf_printf(out, "%" PRIu64 " of %" PRIu64 " %s %s from an exact rule\n", violations,
			validate_agreement_cases(a), what_are(a, validate_agreement_cases(a)),
			violations == 1 ? "differs" : "differ");
	else if (validate_agreement_cases(a))
		buf_printf(out, "no %s differ from an exact rule\n", a->what);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void write_agreement_json(const struct agreement *a, struct buf *out)
{
	json_t *rows = json_array();
	for (int i = 0; i < a->n; i++)
		if (a->rows[i].cases) {
			json_t *row = json_pack("{s:s, s:b, s:I, s:I, s:I}", "rule", a->rows[i].rule, "exact",
				(int)a->rows[i].exact, "cases", (json_int_t)a->rows[i].cases, "agree",
				(json_int_t)a->rows[i].agree, "differ",
				(json_int_t)(a->rows[i].cases - a->rows[i].agree));
			if (a->rows[i].difference)
				json_object_set_new(row, "first_difference",
					json_pack("{s:s, s:s}", "what", a->rows[i].difference, "reproduce",
						a->rows[i].reproduce));
			json_array_append_new(rows, row);
		}
	json_t *json = json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:b, s:o}", "campaign", a->campaign, "compared_with",
		a->other, "seed", a->seeded ? json_integer((json_int_t)a->seed) : json_null(), "cases",
		(json_int_t)validate_agreement_cases(a), "differ", (json_int_t)validate_agreement_violations(a),
		"failed", (json_int_t)a->failed, "stopped", (int)a->stopped, "rules", rows);
	json_object_set_new(json, "left_out", json_integer((json_int_t)a->left_out));
	cmd_json_write(json, JSON_INDENT(1), out);
}

int cmd_validate_report_agreement(struct validation *v, const struct agreement *agreement)
{
	(v->format == PICTURE_JSON ? write_agreement_json : write_agreement_text)(agreement, &v->out);
	return validate_agreement_failed(agreement) ? EXIT_FAILED : EXIT_OK;
}

/* --- the report --------------------------------------------------------------------------------------------------- */

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

void cmd_validate_write_text(const struct validation *v, struct buf *out)
{
	const struct tally *t = v->tally;

	buf_printf(out, "the machine and %s: ", other_side(v));
	if (!v->expect)
		buf_printf(out, "seed %" PRIu64 ", ", v->seed);
	buf_printf(out, "%" PRIu64 " program%s, %" PRIu64 " instruction%s, %" PRIu64 " instance%s\n",
		v->tally->programs, v->tally->programs == 1 ? "" : "s", v->tally->instructions,
		v->tally->instructions == 1 ? "" : "s", v->tally->instances, v->tally->instances == 1 ? "" : "s");
	buf_puts(out,
		"(an instance is one instruction on one set of operand values, a lane's, or a warp's where lanes act\n"
		"together; repeated operand values of an instruction are not counted again)\n\n");

	const char *group = "";
	buf_printf(out, "%-16s %9s %9s %9s %7s %7s\n", "", "forms", "instances", "equal", "within", "differ");
	for (int op = 0; op < PTX_OPS; op++) {
		if (!is_shown(v, op))
			continue;
		if (validate_forms_group(v->forms, op) != group &&
			strcmp(validate_forms_group(v->forms, op), group) != 0)
			buf_printf(out, "%s\n", validate_forms_group(v->forms, op));
		group = validate_forms_group(v->forms, op);

		const struct tally_row *row = &v->tally->rows[op];
		char forms[24];
		snprintf(forms, sizeof forms, "%d/%d", row->forms, validate_forms_count(v->forms, op));
		buf_printf(out, "%-16s %9s %9" PRIu64 " %9" PRIu64 " %7" PRIu64 " %7" PRIu64, ptx_op_rows[op].spelling,
			forms, row->instances, row->equal, row->within, row->different);
		if (row->bound)
			buf_printf(out, "  largest error %.3g %s, bound %s", row->error,
				validate_bound_unit(row->bound), validate_bound_text(row->bound));
		if (row->unbounded)
			buf_printf(out, "  %" PRIu64 " without a bound", row->unbounded);
		buf_putc(out, '\n');
	}

	buf_putc(out, '\n');
	for (int i = 0; i < t->n_differences; i++) {
		const struct tally_difference *d = &t->differences[i];
		buf_printf(out, "program %" PRIu64 ": %s\n    ", d->seed, d->instruction);
		if (d->whole) {
			buf_printf(out,
				"some lane: the machine's results hash to %016" PRIx64 ", recorded is %016" PRIx64 "\n",
				d->machine, d->other);
			continue;
		}
		buf_printf(out, "lane %d, operands", d->lane);
		for (int j = 0; j < d->n_operands; j++)
			buf_printf(out, " 0x%" PRIx64, d->operands[j]);
		buf_printf(out, ": %%r%d is 0x%" PRIx64 " on the machine", d->result, d->machine);
		if (d->machine != d->other || v->gpu_name)
			buf_printf(out, ", 0x%" PRIx64 " on %s\n", d->other, other_side(v));
		else
			buf_puts(out, ", which is not within the bound\n");
	}
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

void cmd_validate_write_json(const struct validation *v, struct buf *out)
{
	const struct tally *t = v->tally;
	json_t *rows = json_array(), *differences = json_array();
	for (int op = 0; op < PTX_OPS; op++)
		if (is_shown(v, op)) {
			const struct tally_row *row = &v->tally->rows[op];
			json_t *json = json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:I, s:I, s:I}", "row",
				ptx_op_rows[op].id, "instruction", ptx_op_rows[op].spelling, "group",
				validate_forms_group(v->forms, op), "forms", row->forms, "forms_legal",
				validate_forms_count(v->forms, op), "instances", (json_int_t)row->instances, "equal",
				(json_int_t)row->equal, "within_bound", (json_int_t)row->within, "different",
				(json_int_t)row->different, "without_bound", (json_int_t)row->unbounded);
			if (row->bound) {
				json_object_set_new(json, "largest_error", json_real(row->error));
				json_object_set_new(json, "unit", json_string(validate_bound_unit(row->bound)));
				json_object_set_new(json, "bound", json_string(validate_bound_text(row->bound)));
			}
			json_array_append_new(rows, json);
		}
	for (int k = 0; k < t->n_differences; k++) {
		const struct tally_difference *d = &t->differences[k];
		json_t *operands = json_array(), *json;
		for (int i = 0; i < d->n_operands; i++)
			json_array_append_new(operands, hex_json(d->operands[i]));
		json = json_pack("{s:I, s:s, s:s, s:o, s:b, s:o, s:o}", "program", (json_int_t)d->seed, "row",
			ptx_op_rows[d->op].id, "instruction", d->instruction, "machine", hex_json(d->machine), "hashes",
			(int)d->whole, "other", hex_json(d->other), "operands", operands);
		if (!d->whole)
			json_object_set_new(json, "lane", json_integer(d->lane));
		json_array_append_new(differences, json);
	}
	json_t *json = json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "compared_with", other_side(v),
		"seed", v->expect ? json_null() : json_integer((json_int_t)v->seed), "programs",
		(json_int_t)t->programs, "instructions", (json_int_t)t->instructions, "instances",
		(json_int_t)t->instances, "different", (json_int_t)t->different, "failed", (json_int_t)v->failed,
		"rows", rows, "differences", differences);
	cmd_json_write(json, JSON_REAL_PRECISION(12) | JSON_INDENT(1), out);
}

/* --- of a GPU, for others ----------------------------------------------------------------------------------------- */

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

/* For the report: what came of a campaign, with what it wrote to v->out from `begin` on; `why` it was not run, or NULL.
 * Then the whole, which is about the GPU of v->info. */
static void validate_report_campaign(
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

/* The report to be read: tables, and the JSON at the end. */
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
	{
		/* What differs, each with both numbers and, where there is one, the command that shows it again. */
		const json_t *result = json_object_get(one, "result");
		size_t i;
		json_t *row;
		json_array_foreach(json_object_get(result, "rules"), i, row)
		{
			const json_t *first = json_object_get(row, "first_difference");
			if (!first)
				continue;
			struct buf text = {0};
			buf_printf(&text, "%s, %s, %lld of %lld: %s; %s", name,
				json_string_value(json_object_get(row, "rule")),
				(long long)result_number(row, "differ"), (long long)result_number(row, "cases"),
				json_string_value(json_object_get(first, "what")),
				json_string_value(json_object_get(first, "reproduce")));
			buf_puts(out, "- ");
			put_cell(out, buf_str(&text));
			buf_puts(out, "\n");
			buf_free(&text);
		}
		json_array_foreach(json_object_get(result, "differences"), i, row)
		{
			struct buf text = {0};
			buf_printf(&text, "%s, program %lld, %s: machine %s, GPU %s", name,
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
}

/* Whether the report is one to be read, by the end of its name, .md. */
static bool validate_is_markdown(const char *path)
{
	size_t len = path ? strlen(path) : 0;
	return len > 3 && strcmp(path + len - 3, ".md") == 0;
}

static bool validate_report(struct validation *v)
{
	char date[20];
	time_t now = time(NULL);
	struct buf text = {0};
	bool markdown = validate_is_markdown(v->report.path);
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));

	const struct wire_gpu *g = &v->info;
	json_t *gpu = json_pack("{s:o, s:o, s:i, s:i, s:o, s:i, s:o, s:b, s:b}", "name", cmd_json_text(g->name), "chip",
		cmd_json_text(g->chip), "cc", g->cc, "sms", g->sms, "driver", cmd_json_text(g->driver), "driver_cuda",
		g->driver_cuda, "cupti", cmd_json_text(g->cupti_version), "counters", (int)g->counters,
		"verified_before", occupancy_doubt(g->cc) == NULL);
	json_t *json = json_pack("{s:i, s:s, s:s, s:I, s:o, s:o}", "simttutor_validation", 1, "version",
		PACKAGE_VERSION, "date", date, "seed", (json_int_t)v->seed, "gpu", gpu, "campaigns",
		v->campaigns ? v->campaigns : json_object());
	v->campaigns = NULL;

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

/* --- the command -------------------------------------------------------------------------------------------------- */

#define COUNT_DEFAULT 10000
#define COUNT_MAX 1000000
#define RECORDING_MAX ((size_t)64 << 20)
#define PROGRESS_MS 100

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

const struct campaign campaign_table[] = {
	{"instructions",
		"random programs from the table of instructions: every result of every instruction in every lane, bit by bit; "
		"approximate ones within the bound that the PTX manual states",
		50, false, VALIDATE_CC_LEAST, cmd_validate_instructions, false},
	{"patterns",
		"random accesses of a warp to every space, by every kind of load, store, copy and atomic operation: requests, "
		"wavefronts, bank conflicts, sectors and replays against the counters",
		1, true, VALIDATE_CC_LEAST, cmd_validate_patterns, false},
	{"occupancy", "random launch shapes: how many blocks an SM holds at a time", 100, false, VALIDATE_CC_SHAPES,
		cmd_validate_occupancy, false},
	{"lessons",
		"every experiment of every lesson over the values of its parameters: the counters that are predicted exactly",
		0, true, 0, cmd_validate_lessons, false},
	{"addresses",
		"the watched lines of the lessons: the addresses that warps record on the GPU against the machine's", 0,
		false, 0, cmd_validate_addresses, false},
	{"flow",
		"random control flow in CUDA C++, by every compiler that is here: the machine's results, in several orders, and "
		"the GPU's against those of an interpreter of the program's tree",
		500, false, VALIDATE_CC_FLOW, cmd_validate_flow, true},
	{0},
};
#define CAMPAIGNS (int)(sizeof campaign_table / sizeof *campaign_table - 1)

static const struct cmd_option options[] = {
	{"count", 'n', "N", N_("number of random cases; 10000 by default. Several campaigns share them, see below")},
	{"seed", 's', "S",
		N_("seed of the first case; each further case has the next one. By default a new one, which is printed")},
	{"every", 0, NULL,
		N_("instructions: instead of random programs, some that have every form of every instruction once")},
	{"live", 0, NULL, N_("compare with the GPU. --gpu SPEC means the same")},
	{"only", 0, "ROW|GROUP",
		N_("instructions: only these, such as add, ADD_INT, cvt, float or atom; may be repeated")},
	{"record", 0, "FILE", N_("instructions, patterns; with --live: store the cases and the GPU's results")},
	{"report", 0, "FILE",
		N_("with --live: write what agreed and what differed on this GPU, as JSON, or to be read where FILE ends in .md")},
	{"expect", 0, "FILE", N_("compare with such a recording; needs no GPU")},
	{"keep", 0, "DIR",
		N_("instructions: write each program that differs or fails to DIR/SEED.ptx, with its launch; flow: what is left "
		   "of it when all that may go has gone, source and PTX")},
	{"compiler", 0, "NAME", N_("flow: by this compiler alone, nvcc or clang")},
	{"batches", 0, "DIR", N_("flow: also write the PTX of all programs to DIR")},
	{"from", 0, "DIR",
		N_("flow: read the PTX from such a folder, as where no compiler is; --seed and --count as they were then")},
	{"force", 0, NULL,
		N_("let --record, --report, --keep and --batches overwrite files that the command did not write")},
	{"format", 0, "FORMAT", N_("text or json")},
	{0},
};

static void needs_of_validate(struct cmd_needs *needs, const struct cmd_parsed *args, int n)
{
	needs->gpu = needs->ctx->gpu;
	bool flow = false, others = false; /* compilers are for flow */
	for (int i = 0; i < n; i++) {
		flow |= args[i].option
			? cmd_is(&args[i], "compiler") || cmd_is(&args[i], "batches") || cmd_is(&args[i], "keep")
			: strcmp(args[i].value, "flow") == 0;
		others |= !args[i].option || cmd_is(&args[i], "expect");
		if (cmd_is(&args[i], "live") && !needs->gpu)
			needs->gpu = "local";
		else if (cmd_is(&args[i], "expect") || cmd_is(&args[i], "from"))
			cmd_needs_reading(needs, args[i].value);
		else if (cmd_is(&args[i], "record") || cmd_is(&args[i], "report"))
			cmd_needs_output(needs, args[i].value);
		else if (cmd_is(&args[i], "keep") || cmd_is(&args[i], "batches"))
			cmd_needs_writing(needs, args[i].value, CMD_OUTPUT_MODE);
	}
	needs->tools = flow || !others;
}

const struct cmd_entry cmd_validate_entry = {
	.name = "validate",
	.usage =
		"[CAMPAIGN]... (--live [--count N | --every] [--seed S] [--only ROW|GROUP]... [--record FILE] [--report FILE] | --expect FILE | "
		"flow [--compiler NAME] [--batches DIR | --from DIR]) [--keep DIR] [--force] [--format text|json]",
	.summary = N_("compare machine and model with the hardware"),
	.details = N_(
		"Runs campaigns, all when none is named, and prints for each a table of what agrees. Exit status 1 "
		"when anything differs that must not.\n"
		"instructions: random programs from the table of instructions, with inputs that favor edge values. "
		"Every result of every instruction in every lane is compared bit for bit; approximate instructions "
		"within the bound in the PTX manual. An instance is one instruction executed on one set of operand "
		"values, a lane's or, where lanes act together, a warp's; repeated operand values are not counted "
		"again. Among several campaigns it has N/50 programs.\n"
		"patterns: random accesses of one warp, by each kind of load, store, copy and atomic operation: all "
		"widths, masks, strides, windows, permutations, swizzles, broadcasts, pairs. What the model predicts "
		"is compared with what the GPU counts, rule by rule; the first access of a rule that differs is "
		"printed as a command that explains it. Rules that the model does not call verified may differ.\n"
		"occupancy: random launch shapes, by threads, registers, static and dynamic shared memory and "
		"barriers: how many blocks an SM holds at a time, by the model and as the blocks count themselves. "
		"Among several campaigns it has N/100.\n"
		"lessons: every experiment of every lesson over the values of its parameters. Counters that the "
		"machine and the model predict exactly are compared with the GPU's.\n"
		"addresses: the same launches with probes that record the addresses of the watched line, in the first "
		"four blocks: every access of every lane must be the machine's.\n"
		"flow: random control flow in CUDA C++: branches, loops, switches, jumps into and out of them, early ends, calls, and "
		"barriers, shuffles, votes and exchanges in the middle of it, with masks that are right. An interpreter of the "
		"program's tree, which knows nothing of PTX, says what every thread's result is. Each program is compiled by clang and by "
		"nvcc, as far as they are here, and run on the machine in four orders with every check: the results must be these, and "
		"nothing may be reported. Needs no GPU; with --live it also runs there. With --keep, statements are taken out of a program "
		"that differs as long as it does, and what is left is written to DIR/SEED-COMPILER.cu and .ptx. Among several campaigns it "
		"has N/500, where there is a compiler.\n"
		"--report FILE makes one file of it that can be sent to the authors, or to whoever has the GPU's type: the GPU, its driver and "
		"CUPTI, versions and date, what came of each campaign with its counts, and each difference with both numbers. "
		"It has no names of files, users or hosts, and not the GPU's serial number or UUID. Campaigns that this GPU cannot run are "
		"named with the reason, and the rest goes on. FILE.md is tables, with the JSON at their end.\n"
		"Each case has its own seed: --seed S --count 1 makes case S alone. --expect replays a recording "
		"where there is no GPU. Ctrl-C ends with what was compared so far."),
	.options = options,
	.examples = (const struct cmd_example[]){{"validate patterns --expect h200-patterns.txt",
							 "patterns: the model and h200-patterns.txt: 415 patterns"},
		{"validate instructions --expect h200.txt", "all 409674 instances agree"},
		{"validate instructions --expect h200.txt | grep ^fma",
			"fma                  19/20      4416      4416       0       0"},
		{"validate instructions --expect h200.txt --format json", "\"different\": 0,"},
		{"validate patterns --expect h200-patterns.txt --format json", "\"differ\": 0,"}, {0}},
	.groups = (const struct cmd_group[]){{N_("which cases"), "count seed every only"},
		{N_("what they are compared with"), "live expect record"},
		{N_("what comes of it"), "report keep format"}, {0}},
	.run = run_validate,
	.needs = needs_of_validate,
};

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* Whether `name` is the row's id, the beginning of its opcode, or its group. */
static bool row_matches(const struct forms *forms, int op, const char *name)
{
	const char *spelling = ptx_op_rows[op].spelling;
	size_t n = strlen(name);
	return strcasecmp(ptx_op_rows[op].id, name) == 0 || strcasecmp(validate_forms_group(forms, op), name) == 0 ||
		(strncmp(spelling, name, n) == 0 && (spelling[n] == '\0' || spelling[n] == '.'));
}

static bool read_validate_option(struct validation *v, const struct cmd_parsed *arg)
{
	if (!arg->option) {
		const char *name = arg->value;
		struct buf names = {0};
		for (int i = 0; i < CAMPAIGNS; i++) {
			if (strcmp(campaign_table[i].name, name) == 0) {
				buf_free(&names);
				return v->chosen[i] = true;
			}
			buf_printf(&names, "%s%s",
				i == 0                       ? ""
					: i == CAMPAIGNS - 1 ? " or "
							     : ", ",
				campaign_table[i].name);
		}
		cmd_usage(v->ctx, &cmd_validate_entry, "there is no campaign '%s'; there is %s", name, buf_str(&names));
		buf_free(&names);
		return false;
	}
	if (cmd_is(arg, "count"))
		return v->has_count = true, cmd_whole(v->ctx, arg, 0, COUNT_MAX, &v->count);
	if (cmd_is(arg, "seed"))
		return v->has_seed = true, cmd_whole(v->ctx, arg, 0, UINT64_MAX - COUNT_MAX, &v->seed);
	if (cmd_is(arg, "only")) {
		const char *name = arg->value;
		bool found = false;
		for (int op = 0; op < PTX_OPS; op++)
			if (!validate_forms_left_out(op) && row_matches(v->forms, op, name))
				v->choice.enabled[op] = found = true;
		return found ||
			cmd_bad_value(v->ctx, "--only", name,
				"an instruction with a result, such as add or ADD_INT, or a group, such as "
				"int, bits, float, compare, cvt, mem or warp");
	}
	if (cmd_is(arg, "format"))
		return picture_format(v->ctx, arg->value, &v->format) &&
			(v->format == CANVAS_FORMAT_TEXT || v->format == PICTURE_JSON ||
				cmd_bad_value(v->ctx, "--format", arg->value, "text or json"));
	if (cmd_is(arg, "compiler"))
		return (v->compiler = arg->value,
			       strcmp(arg->value, "nvcc") == 0 || strcmp(arg->value, "clang") == 0) ||
			cmd_bad_value(v->ctx, "--compiler", arg->value, "nvcc or clang");
	if (cmd_is(arg, "force"))
		v->force = v->record.force = v->report.force = true;
	else if (cmd_is(arg, "live") || cmd_is(arg, "every"))
		*(cmd_is(arg, "live") ? &v->live : &v->every) = true;
	else if (cmd_is(arg, "report"))
		v->report.path = arg->value;
	else if (cmd_is(arg, "batches"))
		v->batches = arg->value;
	else if (cmd_is(arg, "from"))
		v->from = arg->value;
	else
		*(cmd_is(arg, "record") ? &v->record.path : cmd_is(arg, "expect") ? &v->expect : &v->keep) = arg->value;
	return true;
}

static bool any_row_enabled(const struct validation *v)
{
	for (int op = 0; op < PTX_OPS; op++)
		if (v->choice.enabled[op])
			return true;
	return false;
}

static int campaigns_chosen(const struct validation *v)
{
	int n = 0;
	for (int i = 0; i < CAMPAIGNS; i++)
		n += v->chosen[i];
	return n;
}

static bool is_chosen(const struct validation *v, int (*run)(struct validation *v))
{
	for (int i = 0; i < CAMPAIGNS; i++)
		if (v->chosen[i] && campaign_table[i].run == run)
			return true;
	return false;
}

/* Whether every campaign that is chosen can do without a GPU. */
static bool only_offline(const struct validation *v)
{
	for (int i = 0; i < CAMPAIGNS; i++)
		if (v->chosen[i] && !campaign_table[i].offline)
			return false;
	return campaigns_chosen(v) > 0;
}

/* --- what campaigns share ----------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void request_stop(int signal)
{
	(void)signal;
	stopped = 1;
}

bool cmd_validate_stopped(void)
{
	return stopped;
}

void cmd_validate_progress(struct validation *v, const char *campaign, uint64_t done, uint64_t differ)
{
	static double last;
	double now = v->shows_progress ? clock_ms() : 0;
	if (!v->shows_progress || (now - last < PROGRESS_MS && done))
		return;
	last = now;
	struct buf text = {0};
	buf_printf(&text, "%s: %" PRIu64 " of %" PRIu64 ", %" PRIu64 " differ", campaign, done, v->cases, differ);
	cmd_print_progress(buf_str(&text));
	buf_free(&text);
}

void cmd_validate_begin_recording(struct validation *v, const char *kind, int format)
{
	char date[20];
	time_t now = time(NULL);
	const struct wire_gpu *info = &v->info;
	strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
	buf_clear(&v->recording);
	buf_printf(&v->recording,
		"simttutor %s %d\n# %s, CC %d.%d, driver %s, CUDA %d.%d, %s; simttutor %s, seed %" PRIu64 "\n", kind,
		format, info->name, info->cc / 10, info->cc % 10, info->driver, info->driver_cuda / 1000,
		info->driver_cuda % 1000 / 10, date, PACKAGE_VERSION, v->seed);
}

/* --- live --------------------------------------------------------------------------------------------------------- */

static int run_campaign(struct validation *v, const struct campaign *c)
{
	bool alone = campaigns_chosen(v) == 1;

	/* Why a campaign cannot be run on this GPU; NULL: it can. */
	const char *why = NULL;
	if (c->counters && !v->info.counters)
		why = v->info.counters_message;
	else if (v->gpu && v->info.cc < c->least_cc)
		why = arena_printf(v->ctx->arena, "%s has CC %d.%d; the kernels of %s need %d.%d", v->info.name,
			v->info.cc / 10, v->info.cc % 10, c->name, c->least_cc / 10, c->least_cc % 10);

	if (why && v->report.path) {
		validate_report_campaign(v, c, EXIT_MISSING, 0, why);
		return EXIT_OK;
	}
	if (c->counters && !v->info.counters) {
		measure_report(v->ctx, v->gpu, "cannot count",
			&(struct wire_error){v->info.counters_error, v->info.counters_message});
		return EXIT_MISSING;
	}
	if (why) {
		diag_error(&v->ctx->diag, (struct diag_pos){0}, "%s", why);
		return EXIT_MISSING;
	}
	v->cases = c->share == 0 ? 0 : alone && v->has_count ? v->count : (v->count + c->share - 1) / c->share;
	size_t begin = v->out.len;
	if (v->report.path)
		; /* each by itself */
	else if (!alone && v->format == PICTURE_JSON)
		buf_printf(&v->out, "%s\"%s\": ", v->out.len > 2 ? ",\n" : "", c->name);
	else if (v->out.len)
		buf_putc(&v->out, '\n');
	int status = c->run(v);
	if (v->shows_progress)
		cmd_print_progress("");
	if (v->report.path)
		validate_report_campaign(v, c, status, begin, NULL);
	return status;
}

static int run_live(struct validation *v)
{
	struct cmd_ctx *ctx = v->ctx;
	struct sigaction act = {.sa_handler = request_stop}, before;
	v->gpu = gpu_new(cmd_gpu(ctx), ctx->paths.worker, &ctx->diag);
	if (!v->gpu)
		return EXIT_USAGE;
	int status = EXIT_MISSING;
	const struct wire_gpu *info = measure_find(ctx, v->gpu);
	if (info) {
		v->info = *info; /* its strings live until the next message of the worker */
		v->info.driver = arena_strdup(ctx->arena, info->driver);
		v->info.counters_message = arena_strdup(ctx->arena, info->counters_message);
		v->info.chip = arena_strdup(ctx->arena, info->chip);
		v->info.cupti_version = arena_strdup(ctx->arena, info->cupti_version);
		v->gpu_name = v->info.name = arena_strdup(ctx->arena, info->name);

		sigaction(SIGINT, &act, &before); /* the worker has its own session, which Ctrl-C does not reach */

		/* Several in JSON are members of one object. */
		bool json = v->format == PICTURE_JSON && campaigns_chosen(v) > 1 && !v->report.path;
		status = EXIT_OK;
		if (json)
			buf_puts(&v->out, "{\n");
		for (int i = 0; i < CAMPAIGNS && status != EXIT_MISSING && !stopped; i++) {
			int one = v->chosen[i] ? run_campaign(v, &campaign_table[i]) : EXIT_OK;
			status = one > status ? one : status;
		}
		if (json)
			buf_puts(&v->out, "}\n");
		if (v->report.path && status != EXIT_MISSING && !validate_report(v))
			status = EXIT_FAILED;
		if (v->record.path && status != EXIT_MISSING && !output_write(v->ctx, &v->record, &v->recording))
			status = EXIT_FAILED;

		sigaction(SIGINT, &before, NULL);
	}
	gpu_free(v->gpu);
	return status;
}

/* --- without a GPU ------------------------------------------------------------------------------------------------ */

/* The chosen campaigns, which can do without. */
static int run_offline(struct validation *v)
{
	struct sigaction act = {.sa_handler = request_stop}, before;
	int status = EXIT_OK;
	sigaction(SIGINT, &act, &before);
	for (int i = 0; i < CAMPAIGNS && !stopped; i++) {
		int one = v->chosen[i] ? run_campaign(v, &campaign_table[i]) : EXIT_OK;
		status = one > status ? one : status;
	}
	sigaction(SIGINT, &before, NULL);
	return status;
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static int run_validate(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct validation v = {.ctx = ctx,
		.count = COUNT_DEFAULT,
		.format = PICTURE_DEFAULT,
		.shows_progress = isatty(STDERR_FILENO),
		.record = {.option = "--record", .mark = "simttutor "},
		.report = {.option = "--report", .mark = CMD_VALIDATE_REPORT_MARK}};
	v.forms = validate_forms_new(ctx->arena);
	v.choice = validate_choice_new(ctx->arena, v.forms);

	for (int i = 0; i < n; i++)
		if (!read_validate_option(&v, &args[i]))
			return EXIT_USAGE;
	v.live = v.live || (v.ctx->gpu && strcmp(v.ctx->gpu, "none") != 0);

	/* Without a name, the options of `instructions` select it; without those, all campaigns run. */
	bool only_instructions = v.every || v.keep || v.record.path || any_row_enabled(&v);
	bool only_flow = v.compiler || v.batches || v.from;
	if (!campaigns_chosen(&v))
		for (int i = 0; i < CAMPAIGNS; i++)
			v.chosen[i] = only_flow ? campaign_table[i].run == cmd_validate_flow
				: only_instructions
				? campaign_table[i].run == cmd_validate_instructions
				: campaign_table[i].run != cmd_validate_flow || compile_can_here(cmd_compile_ctx(ctx));

	const char *wrong = NULL;
	bool generates = v.has_seed || v.has_count || v.every || any_row_enabled(&v);
	bool instructions = v.chosen[0], flow = is_chosen(&v, cmd_validate_flow);
	bool live = v.live || only_offline(&v);
	if (v.live && v.expect)
		wrong = "--live or --expect, not both";
	else if (!live && !v.expect)
		wrong = "compare with what? --live (a GPU) or --expect FILE (a recording)";
	else if (v.every && v.has_count)
		wrong = "--every makes as many programs as it takes; --count is for random ones";
	else if (v.report.path && !v.live)
		wrong = "--report is about a GPU: it needs --live";
	else if (v.report.path && v.format != PICTURE_DEFAULT)
		wrong = "--report has JSON in its file, and prints a line for each campaign: it takes no --format";
	else if (v.expect && (generates || v.record.path))
		wrong = "--expect FILE replays what the file holds";
	else if ((v.every || any_row_enabled(&v)) && !instructions)
		wrong = "--every and --only are for the campaign instructions";
	else if (v.keep && !instructions && !flow)
		wrong = "--keep is for the campaigns instructions and flow";
	else if ((v.compiler || v.batches || v.from) && !flow)
		wrong = "--compiler, --batches and --from are for the campaign flow";
	else if (v.batches && v.from)
		wrong = "--batches writes what --from reads: one or the other";
	else if (v.from && !v.has_seed)
		wrong = "--from DIR: with --seed, and --count, as --batches had them";
	else if (v.record.path && campaigns_chosen(&v) > 1)
		wrong = "--record: of which campaign? Name one";
	else if (v.record.path && !v.chosen[0] && !v.chosen[1])
		wrong = "--record is for the campaigns instructions and patterns";

	if (wrong)
		cmd_usage(v.ctx, &cmd_validate_entry, "%s", wrong);
	if (wrong)
		return EXIT_USAGE;

	if (validate_is_markdown(v.report.path))
		v.report.mark = CMD_VALIDATE_MARKDOWN_MARK;
	if ((v.record.path && !output_check(ctx, &v.record)) || (v.report.path && !output_check(ctx, &v.report)))
		return EXIT_USAGE;
	if (v.report.path)
		v.format = PICTURE_JSON;
	uint32_t fresh = 0;
	if (!v.has_seed)
		v.seed = portable_random(&fresh, sizeof fresh) ? fresh : (uint32_t)time(NULL);
	v.tally = validate_tally_new(ctx->arena, v.forms);
	bool all = !any_row_enabled(&v);
	for (int op = 0; op < PTX_OPS; op++)
		v.choice.enabled[op] = v.choice.enabled[op] || (all && !validate_forms_left_out(op));

	int status;
	struct buf text = {0};
	if (!v.expect)
		status = v.live ? run_live(&v) : run_offline(&v);
	else if (!file_read_text(v.expect, RECORDING_MAX, &text, &ctx->diag))
		status = EXIT_MISSING;
	else if (strncmp(buf_str(&text), "simttutor patterns", 18) == 0)
		status = cmd_validate_replay_patterns(&v, &text);
	else
		status = cmd_validate_replay_instructions(&v, &text);
	buf_free(&text);
	if (v.out.len && !cmd_print(ctx, &v.out))
		status = EXIT_FAILED;
	buf_free(&v.out);
	buf_free(&v.recording);
	return status;
}
