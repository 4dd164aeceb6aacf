/* simttutor metrics: the catalog of metrics and counters. */
#include "config.h"
#include "cmd/cmd.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cmd/confined.h"
#include "cmd/json.h"
#include "model/hardware/metrics.h"

static int run_metrics(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n);

static const struct cmd_option options[] = {
	{"cc", 0, "CC", N_("mark what a GPU of this compute capability (9.0) cannot count")},
	{"format", 0, "FORMAT", N_("text or json (default: text)")},
	{0},
};

const struct cmd_entry cmd_metrics_entry = {
	.name = "metrics",
	.usage = "[--cc CC] [--format text|json] [NAME...]",
	.summary = N_("list the metrics, their formulas and which witness has them"),
	.details = N_(
		"A NAME is that of a metric, or of a group, which the list has in parentheses after its title: mix, stalls. "
		"Without names all are listed. simttutor-metrics(7) is the same as a manual page."),
	.options = options,
	.run = run_metrics,
	.needs = cmd_needs_no_files,
};

struct selection {
	bool chosen[METRICS];
	int cc; /* 0: none given */
	bool json;
};

/* --- text --------------------------------------------------------------------------------------------------------- */

static void write_metrics_text(const struct selection *s, struct buf *out)
{
	for (int g = 0; g < METRIC_GROUPS; g++) {
		bool headed = false;
		for (int i = 0; i < METRICS; i++) {
			if (!s->chosen[i] || (int)metric_table[i].group != g)
				continue;
			if (!headed)
				buf_printf(out, "%s%s (%s)\n", out->len ? "\n" : "", metric_group_table[g].title,
					metric_group_table[g].name);
			headed = true;

			enum metric_id id = (enum metric_id)i;
			const struct metric *m = &metric_table[id];
			enum counter_trust trust = metric_trust(id);
			buf_printf(out, "  %s (%s)\n      %s\n      ", m->name, m->unit, m->meaning);
			metric_formula(id, NULL, out);
			buf_puts(out, "\n      ");
			buf_puts(out,
				trust == COUNTER_HARDWARE        ? "hardware"
					: metric_is_of_model(id) ? "model alone"
								 : "model, and hardware");
			if (metric_is_estimate(id)) {
				buf_puts(out,
					metric_error(id) ? " (the model is an estimate: a GPU counted "
							 : " (the model is an estimate, ");
				metric_explain_error(id, out);
				buf_puts(out, ")");
			} else {
				buf_printf(out, trust == COUNTER_EXACT ? " (the model is %s)" : " (%s)",
					counter_trust_name(trust));
			}
			if (s->cc && !metric_is_of_model(id) && !metric_is_collected(id, s->cc))
				buf_printf(out, "; not collected on CC %d.%d", s->cc / 10, s->cc % 10);
			buf_puts(out, "\n");
		}
	}
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void write_metrics_json(const struct selection *s, struct buf *out)
{
	json_t *all = json_array();
	for (int k = 0; k < METRICS; k++) {
		enum metric_id id = (enum metric_id)k;
		if (!s->chosen[k])
			continue;
		const struct metric *m = &metric_table[id];
		struct buf formula = {0};
		metric_formula(id, NULL, &formula);
		enum counter_id of[METRIC_COUNTERS_MAX];
		json_t *counters = json_array();
		for (int i = 0, n = metric_counters(id, of); i < n; i++) {
			const struct counter *c = &counter_table[of[i]];
			json_array_append_new(counters,
				json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?}", "name", c->hw, "unit", c->unit, "trust",
					counter_trust_name(c->trust), "verified", c->verified, "meaning", c->meaning,
					"per_instruction", counter_per_instruction(of[i])));
		}
		json_t *ccs = json_array();
		for (int i = 0; i < chip_count; i++) {
			int cc = chip_table[i].cc;
			if ((i == 0 || chip_table[i - 1].cc != cc) && !metric_is_collected(id, cc))
				json_array_append_new(ccs, json_real(cc / 10.0));
		}
		const struct metric_error *e = metric_error(id);
		json_t *error = !e
			? json_null()
			: json_pack("{s:i, s:f, s:f, s:o, s:f}", "launches", e->launches, "least", e->least, "most",
				  e->most, "median", e->median > 0 ? json_real(e->median) : json_null(), "of_launches",
				  e->median > 0 ? 0.9 : 1.0);
		json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "name", m->name, "group",
			metric_group_table[m->group].title, "label", m->label, "unit", m->unit, "meaning", m->meaning,
			"formula", buf_str(&formula), "trust", counter_trust_name(metric_trust(id)), "error", error,
			"counters", counters, "not_collected_on", ccs);
		if (s->cc)
			json_object_set_new(json, "collected", json_boolean(metric_is_collected(id, s->cc)));
		buf_free(&formula);
		json_array_append_new(all, json);
	}
	cmd_json_write(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6), out);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

static bool read_metrics_argument(struct cmd_ctx *ctx, const struct cmd_parsed *arg, struct selection *s, bool *named)
{
	if (cmd_is(arg, "cc"))
		return cmd_cc(ctx, arg->value, &s->cc);
	if (cmd_is(arg, "format")) {
		s->json = !strcmp(arg->value, "json");
		return s->json || !strcmp(arg->value, "text") ||
			cmd_bad_value(ctx, "--format", arg->value, "text or json");
	}
	enum metric_id id = metric_find(arg->value);
	bool found = false;
	for (int i = 0; i < METRICS; i++) {
		bool belongs = strcmp(metric_group_table[metric_table[i].group].name, arg->value) == 0;
		s->chosen[i] |= belongs;
		found |= belongs;
	}
	if (found)
		return *named = true;
	if (id == METRIC_NONE) {
		diag_error(&ctx->diag, (struct diag_pos){0},
			"there is no metric and no group '%s'; simttutor metrics lists them", arg->value);
		return false;
	}
	return s->chosen[id] = *named = true;
}

static int run_metrics(struct cmd_ctx *ctx, const struct cmd_parsed *args, int n)
{
	struct selection s = {.cc = 0};
	bool named = false;
	for (int i = 0; i < n; i++)
		if (!read_metrics_argument(ctx, &args[i], &s, &named))
			return EXIT_USAGE;
	for (int i = 0; i < METRICS; i++)
		s.chosen[i] |= !named;
	struct buf text = {0};
	(s.json ? write_metrics_json : write_metrics_text)(&s, &text);
	int status = cmd_print(ctx, &text) ? EXIT_OK : EXIT_FAILED;
	buf_free(&text);
	return status;
}
