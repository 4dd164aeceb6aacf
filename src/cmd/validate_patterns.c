/* Random accesses: what the model predicts against what a GPU counts, or counted. */
#include "config.h"
#include "cmd/validate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/measure.h"
#include "model/hardware/access.h"
#include "model/validate/pattern.h"

#define FAILURES_MAX 5 /* patterns in a row without counts: the GPU is given up */

/* One pattern's counts, set after set; NAN for a set that was not counted. */
struct pattern_counts {
	double values[PATTERN_COUNTS_MAX];
	bool failed;
};

struct pattern_run {
	struct validation *v;
	struct agreement agreement;
	struct pattern_counts *counted; /* of each pattern */
	uint64_t measured, of;          /* sets of patterns */
	uint64_t differ;                /* sets of exact rules that were measured and differ */
	int rules[256];                 /* row of each kind */
	const char **ptx;               /* of each kind, made on first use */
	int failures_in_a_row;
	int cc;
};

static void begin_patterns(struct pattern_run *run, struct validation *v, const char *other, int cc)
{
	struct arena *arena = v->ctx->arena;
	*run = (struct pattern_run){
		.v = v, .agreement = validate_agreement_new(arena, "patterns", "pattern", "patterns"), .cc = cc};
	run->agreement.other = other;
	run->ptx = arena_array(arena, const char *, (size_t)validate_pattern_kinds());
	for (int i = 0; i < validate_pattern_kinds(); i++)
		run->rules[i] = validate_agreement_rule(&run->agreement, validate_pattern_kind(i)->name,
			validate_pattern_is_exact(validate_pattern_kind(i), cc));
}

static int kind_index(const struct pattern *p)
{
	return (int)(p->kind - validate_pattern_kind(0));
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Writes what differs in a set: "wavefronts: predicted 3, counted 4". */
static void describe_set(
	const struct pattern_run *run, const struct pattern *p, int set, const double *counts, struct buf *out)
{
	for (int i = 0; i < p->kind->sets[set].n; i++) {
		const struct pattern_counter *counter = &p->kind->sets[set].counters[i];
		double predicted = validate_pattern_predict(p, set, i, run->cc);
		if (!isnan(counts[i]) && counts[i] != predicted)
			buf_printf(out, "%s%s: predicted %g, counted %g", out->len ? "; " : "", counter->name,
				predicted - counter->own, counts[i] - counter->own);
	}
}

static void describe_differences(
	const struct pattern_run *run, const struct pattern *p, const double *counts, struct buf *out)
{
	for (int set = 0; set < p->kind->n_sets; counts += p->kind->sets[set++].n)
		describe_set(run, p, set, counts, out);
}

static void judge_pattern(struct pattern_run *run, const struct pattern *p, const double *counts)
{
	struct buf what = {0}, how = {0};
	describe_differences(run, p, counts, &what);
	if (what.len)
		validate_pattern_command(p, &how);
	validate_agreement_add(
		&run->agreement, run->rules[kind_index(p)], what.len ? buf_str(&what) : NULL, buf_str(&how));
	buf_free(&what);
	buf_free(&how);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

static const char *ptx_of(struct pattern_run *run, const struct pattern_kind *kind)
{
	const char **ptx = &run->ptx[kind - validate_pattern_kind(0)];
	if (!*ptx)
		*ptx = validate_pattern_ptx(run->v->ctx->arena, kind);
	return *ptx;
}

static bool read_counts(const struct wire_measurement *m, const struct pattern_set *set, double *out)
{
	for (int i = 0; i < set->n; i++) {
		if (i >= m->n || !m->available[i] || strcmp(m->metrics[i], set->counters[i].hw) != 0)
			return false;
		out[i] = m->values[i];
	}
	return true;
}

/* Measures one set of one pattern. */
static bool measure_set(struct pattern_run *run, struct arena *arena, const struct pattern *p, int set, double *out)
{
	const struct pattern_set *counters = &p->kind->sets[set];
	const char *metrics[PATTERN_SET_MAX];
	const char *ptx = ptx_of(run, p->kind),
		   *label = arena_printf(arena, "pattern %" PRIu64 ", %s", p->seed, p->kind->name);
	for (int i = 0; i < counters->n; i++)
		metrics[i] = counters->counters[i].hw;
	const struct measure_request request = {.ptx = ptx,
		.ptx_len = strlen(ptx),
		.launch = validate_pattern_launch(arena, p),
		.metrics = metrics,
		.n_metrics = counters->n};
	const struct wire_measurement *m = measure_launch(run->v->ctx, run->v->gpu, label, &request);
	if (!m)
		return false;
	if (read_counts(m, counters, out))
		return true;
	diag_error(&run->v->ctx->diag, (struct diag_pos){0}, "%s: this GPU does not have %s", label, metrics[0]);
	return false;
}

static bool set_differs(const struct pattern_run *run, const struct pattern *p, int set, const double *counts)
{
	struct buf what = {0};
	if (validate_pattern_is_exact(p->kind, run->cc))
		describe_set(run, p, set, counts, &what);
	bool differs = what.len > 0;
	buf_free(&what);
	return differs;
}

static void measure_pattern(struct pattern_run *run, uint64_t index, int set)
{
	struct pattern p = validate_pattern_generate(run->v->seed + index);
	struct pattern_counts *c = &run->counted[index];
	int at = 0;
	if (!validate_pattern_measures(&p, set))
		return;
	struct arena *arena = arena_new();
	for (int s = 0; s < set; s++)
		at += p.kind->sets[s].n;
	if (!c->failed)
		c->failed = !measure_set(run, arena, &p, set, &c->values[at]);
	run->failures_in_a_row = c->failed ? run->failures_in_a_row + 1 : 0;
	run->differ += !c->failed && set_differs(run, &p, set, &c->values[at]);
	cmd_validate_progress(run->v, "patterns", run->measured++ * run->v->cases / run->of, run->differ);
	arena_free(arena);
}

/* Whether an earlier kind, or set, has these counters. */
static bool is_first_with(const struct pattern_counter *counters, int kind, int set)
{
	for (int k = 0; k <= kind; k++)
		for (int s = 0; s < (k == kind ? set : validate_pattern_kind(k)->n_sets); s++)
			if (validate_pattern_kind(k)->sets[s].counters == counters)
				return false;
	return true;
}

/* Measures one set of all patterns of a kind. False when the campaign should end. */
static bool measure_kind(struct pattern_run *run, int kind, int set)
{
	uint64_t kinds = (uint64_t)validate_pattern_kinds(), seed = run->v->seed;
	for (uint64_t i = ((uint64_t)kind + kinds - seed % kinds) % kinds; i < run->v->cases; i += kinds) {
		if (cmd_validate_stopped() || run->failures_in_a_row >= FAILURES_MAX)
			return false;
		measure_pattern(run, i, set);
	}
	return true;
}

static bool measure_counters(struct pattern_run *run, const struct pattern_counter *counters)
{
	for (int k = 0; k < validate_pattern_kinds(); k++)
		for (int s = 0; s < validate_pattern_kind(k)->n_sets; s++)
			if (validate_pattern_kind(k)->sets[s].counters == counters && !measure_kind(run, k, s))
				return false;
	return true;
}

/* Switching the profiler to other counters takes longer than counting, so patterns are measured counter set by counter set. */
static void measure_all(struct pattern_run *run)
{
	for (int k = 0; k < validate_pattern_kinds(); k++)
		for (int s = 0; s < validate_pattern_kind(k)->n_sets; s++) {
			const struct pattern_counter *counters = validate_pattern_kind(k)->sets[s].counters;
			if (is_first_with(counters, k, s) && !measure_counters(run, counters))
				return;
		}
}

static bool is_complete(const struct pattern *p, const struct pattern_counts *c)
{
	int at = 0;
	for (int set = 0; set < p->kind->n_sets; set++)
		for (int i = 0; i < p->kind->sets[set].n; i++, at++)
			if (isnan(c->values[at]) && validate_pattern_measures(p, set))
				return false;
	return true;
}

static void judge_all(struct pattern_run *run)
{
	for (uint64_t i = 0; i < run->v->cases; i++) {
		struct pattern p = validate_pattern_generate(run->v->seed + i);
		const struct pattern_counts *c = &run->counted[i];
		run->agreement.failed += c->failed;
		if (c->failed || !is_complete(&p, c))
			continue;
		judge_pattern(run, &p, c->values);
		if (run->v->record.path)
			validate_pattern_record(&p, c->values, &run->v->recording);
	}
}

int cmd_validate_patterns(struct validation *v)
{
	struct pattern_run run;
	begin_patterns(&run, v, v->gpu_name, v->info.cc);
	run.agreement.seed = v->seed;
	run.agreement.seeded = true;
	run.counted = base_calloc(v->cases + 1, sizeof *run.counted);
	for (uint64_t i = 0; i < v->cases; i++) {
		struct pattern p = validate_pattern_generate(v->seed + i);
		for (int set = 0; set < p.kind->n_sets; set++)
			run.of += validate_pattern_measures(&p, set);
		for (int k = 0; k < PATTERN_COUNTS_MAX; k++)
			run.counted[i].values[k] = NAN;
	}
	if (v->record.path)
		cmd_validate_begin_recording(v, "patterns", PATTERN_FORMAT);
	measure_all(&run);
	judge_all(&run);
	run.agreement.stopped = cmd_validate_stopped();
	free(run.counted);
	return cmd_validate_report_agreement(v, &run.agreement);
}

/* --- a recording -------------------------------------------------------------------------------------------------- */

static bool replay_line(struct pattern_run *run, const char *line, int number)
{
	struct pattern p;
	double counts[PATTERN_COUNTS_MAX];
	struct diag_pos pos = {
		.file = run->v->expect, .line = number, .col = 1, .text = line, .text_len = strlen(line)};
	if (!validate_pattern_read(line, pos, &p, counts, &run->v->ctx->diag))
		return false;
	judge_pattern(run, &p, counts);
	return true;
}

static bool replay_lines(struct pattern_run *run, char *text)
{
	int number = 2; /* strtok_r skips empty lines */
	char *next = NULL, *line = strtok_r(text, "\n", &next);
	char expected[40];
	snprintf(expected, sizeof expected, "simttutor patterns %d", PATTERN_FORMAT);
	if (!line || strcmp(line, expected) != 0) {
		diag_error(&run->v->ctx->diag, (struct diag_pos){.file = run->v->expect, .line = 1},
			"it does not begin with '%s'", expected);
		return false;
	}
	for (line = strtok_r(NULL, "\n", &next); line; line = strtok_r(NULL, "\n", &next), number++)
		if (*line != '#' && !replay_line(run, line, number))
			return false;
	return true;
}

int cmd_validate_replay_patterns(struct validation *v, const struct buf *text)
{
	struct pattern_run run;
	begin_patterns(&run, v, v->expect, MODEL_CC_DEFAULT);
	char *lines = base_strdup(buf_str(text));
	bool ok = replay_lines(&run, lines);
	free(lines);
	if (ok && !validate_agreement_cases(&run.agreement))
		diag_error(&v->ctx->diag, (struct diag_pos){.file = v->expect}, "it holds no pattern");
	return ok && validate_agreement_cases(&run.agreement) ? cmd_validate_report_agreement(v, &run.agreement)
							      : EXIT_FAILED;
}
