/* The launches of a program, counted: those that were kept are launched again with the models listening. */
#include "config.h"
#include "cmd/program_grade_parts.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "course/experiment/hostlog.h"
#include "course/experiment/judge.h"
#include "machine/ptx/ptx.h"
#include "machine/snapshot/snapshot.h"
#include "model/hardware/metrics.h"
#include "model/profile/profile.h"

#define LAUNCHES "launches"
#define STEPS_MAX 20000000u /* warp instructions of a launch */

/* --- what the report has ---------------------------------------------------------------------------------------------- */

int program_grade_launches(const json_t *report)
{
	size_t i;
	const json_t *row;
	json_int_t n = 0;
	json_array_foreach(json_object_get(report, "launches"), i, row)
		n += json_integer_value(json_object_get(row, "count"));
	return (int)n;
}

/* What goals can name beside metrics. */
static const char *const words[] = {LESSON_LAUNCHES, LESSON_LEAKS};

static bool is_goal_word(const char *name)
{
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], name) == 0)
			return true;
	return lesson_program_word(name);
}

bool program_grade_has_metrics(const struct exercise *exercise)
{
	for (int i = 0; i < exercise->n_goals; i++) {
		const struct judgment *holds = &exercise->goals[i].holds;
		for (int k = 0; k < holds->n_terms; k++)
			if (!is_goal_word(holds->terms[k].metric) || exercise->goals[i].kernel)
				return true;
	}
	return false;
}

void program_grade_count(struct grading_program *g, const json_t *report)
{
	size_t i;
	const json_t *problem;
	const char *why;
	struct hostlog *log = experiment_hostlog_read(g->arena, report, &why);
	if (log)
		g->sums = hostlog_sum(log);
	g->launches = program_grade_launches(report);
	g->reported = true;
	json_array_foreach(json_object_get(report, "problems"), i, problem)
	{
		const char *kind = json_string_value(json_object_get(problem, "kind"));
		if (kind && strcmp(kind, "leak") == 0)
			g->leaks++;
	}
}

/* --- counters --------------------------------------------------------------------------------------------------------- */

/* The launches of a goal, added up. */
struct counting {
	struct grading_program *g;
	const char *kernel; /* NULL: all */
	struct counts counts;
	int n;
	const char *why; /* there is no number; NULL: there is */
};

static void count_launch(struct counting *c, const char *path)
{
	struct arena *arena = arena_new();
	struct diag quiet = {0};
	const struct snapshot *s = snapshot_read(arena, path, &quiet);
	struct ptx_module *module = NULL;
	struct launch launch;
	if (s && (!c->kernel || demangle_is(arena, s->kernel, c->kernel)))
		module = ptx_parse(arena, path, s->ptx, s->ptx_len, &quiet);
	const struct profile *profile = NULL;
	if (module) {
		snapshot_launch(s, &launch);
		profile = profile_run(
			arena, module, &launch, (struct profile_watch){.cc = s->cc, .steps = STEPS_MAX}, &quiet);
	}
	if (profile && profile->result.outcome != SIMT_LIMIT) {
		/* Sums add up; of what is none, as the registers of a thread, launches must agree. */
		const struct counts *more = &profile->counts;
		for (int i = 0; i < COUNTERS; i++) {
			struct value *sum = &c->counts.c[i];
			const char *hw = counter_table[i].hw;
			size_t len = strlen(hw);
			if (!c->n)
				*sum = more->c[i];
			else if (sum->state != VALUE_OK || more->c[i].state != VALUE_OK)
				*sum = sum->state == VALUE_OK ? more->c[i] : *sum;
			else if (len > 4 && strcmp(hw + len - 4, ".sum") == 0)
				sum->v += more->c[i].v;
			else if (sum->v < more->c[i].v || sum->v > more->c[i].v)
				*sum = value_missing(VALUE_NONE);
		}
		c->n++;
	} else if (module || !s) {
		c->why = "a launch is too long, or too large, to be counted";
	}
	diag_free(&quiet);
	arena_free(arena);
}

/* --- goals ------------------------------------------------------------------------------------------------------------ */

static bool term_value(void *ctx, const struct term *term, double *out, const char **why)
{
	struct counting *c = ctx;
	*why = "the program has left no report";
	if (strcmp(term->metric, LESSON_LEAKS) == 0) {
		*out = c->g->leaks;
		return c->g->reported;
	}
	if (strcmp(term->metric, LESSON_LAUNCHES) == 0) {
		*out = c->kernel ? c->n : c->g->launches;
		return c->g->reported;
	}
	if (experiment_program_word(&c->g->sums, term->metric, out))
		return c->g->reported;
	struct value value = metric_value(metric_find(term->metric), &c->counts);
	*why = c->why ? c->why : value_reason(value.state);
	*out = value.v;
	return !c->why && value.state == VALUE_OK;
}

static const char *label_of(const char *term)
{
	return is_goal_word(term) ? term : metric_table[metric_find(term)].label;
}

void program_grade_goal(struct grading_program *g, const struct goal *goal, struct experiment_grade_goal *out)
{
	struct counting c = {.g = g, .kernel = goal->kernel};
	const struct lesson_terms terms = {term_value, &c};
	struct buf is = {0};
	const char *why = "";
	double v;
	if (g->counts) {
		const char *folder = path_join(c.g->arena, c.g->build->scratch.path, LAUNCHES);
		DIR *dir = opendir(folder);
		for (struct dirent *entry; dir && !c.why && (entry = readdir(dir)) != NULL;)
			if (snapshot_is_named(entry->d_name))
				count_launch(&c, path_join(c.g->arena, folder, entry->d_name));
		if (dir)
			closedir(dir);
		if (!c.n && !c.why)
			c.why = c.kernel ? "it does not launch such a kernel" : "it launches nothing";
	}
	out->text = goal->text;
	out->holds = lesson_judge(g->lesson, &goal->holds, terms, &v, &why) && experiment_is_true(v);
	for (int i = 0; i < goal->holds.n_terms; i++) {
		const struct term *term = &goal->holds.terms[i];
		buf_printf(&is, "%s%s: ", i ? ", " : "", label_of(term->metric));
		if (term_value(&c, term, &v, &why))
			value_format(v, &is);
		else
			buf_puts(&is, why);
	}
	out->is = arena_strdup(g->arena, buf_str(&is));
	buf_free(&is);
}
