/* The report of a campaign that compares numbers: a table of rules, and how to reproduce each difference. */
#include "config.h"
#include "cmd/validate.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/text.h"
#include "cmd/json.h"

/* --- text --------------------------------------------------------------------------------------------------------- */

static const char *what_are(const struct agreement *a, uint64_t n)
{
	return n == 1 ? a->one : a->what;
}

static void write_agreement_head(const struct agreement *a, struct buf *out)
{
	buf_printf(out, "%s: the model and %s: ", a->campaign, a->other);
	if (a->seeded)
		buf_printf(out, "seed %" PRIu64 ", ", a->seed);
	buf_printf(out, "%" PRIu64 " %s%s\n", validate_agreement_cases(a), what_are(a, validate_agreement_cases(a)),
		a->stopped ? " (stopped)" : "");
}

static int longest_rule(const struct agreement *a)
{
	int most = 4;
	for (int i = 0; i < a->n; i++)
		most = (int)strlen(a->rows[i].rule) > most ? (int)strlen(a->rows[i].rule) : most;
	return most;
}

static void write_agreement_table(const struct agreement *a, struct buf *out)
{
	int cols = longest_rule(a);
	buf_printf(out, "%-*s %9s %9s %9s\n", cols, "rule", "cases", "agree", "differ");
	for (int i = 0; i < a->n; i++) {
		const struct agreement_row *r = &a->rows[i];
		if (r->cases)
			buf_printf(out, "%-*s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 "%s\n", cols, r->rule, r->cases,
				r->agree, r->cases - r->agree, r->exact ? "" : "  not exact");
	}
}

static void write_agreement_text(const struct agreement *a, struct buf *out)
{
	uint64_t violations = validate_agreement_violations(a);
	write_agreement_head(a, out);
	write_agreement_table(a, out);
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

static json_t *row_json(const struct agreement_row *r)
{
	json_t *json = json_pack("{s:s, s:b, s:I, s:I, s:I}", "rule", r->rule, "exact", (int)r->exact, "cases",
		(json_int_t)r->cases, "agree", (json_int_t)r->agree, "differ", (json_int_t)(r->cases - r->agree));
	if (r->difference)
		json_object_set_new(json, "first_difference",
			json_pack("{s:s, s:s}", "what", r->difference, "reproduce", r->reproduce));
	return json;
}

static void write_agreement_json(const struct agreement *a, struct buf *out)
{
	json_t *rows = json_array();
	for (int i = 0; i < a->n; i++)
		if (a->rows[i].cases)
			json_array_append_new(rows, row_json(&a->rows[i]));
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
