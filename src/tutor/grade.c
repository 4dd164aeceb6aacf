#include "tutor/grade.h"

#include <string.h>

#include "tutor/runs.h"

#define STEPS_MAX 2000000u /* of a launch: a reader waits for an endless loop to be told */

struct grading {
	struct arena *arena;
	const struct lesson *lesson;
	const struct step *step; /* with the kernel that is graded */
	struct runs *runs;
	struct grade *grade;
};

/* "n 33, stride 2: " */
static const char *with_values(const struct grading *g, const int64_t *values)
{
	struct buf text = {0};
	for (int i = 0; i < g->lesson->n_parameters; i++) {
		const struct parameter *p = &g->lesson->parameters[i];
		if (values[i] == g->step->set[i])
			continue;
		buf_printf(&text, "%s%s ", text.len ? ", " : "with ", p->name);
		lesson_write_value(p, values[i], &text);
	}
	const char *result = arena_printf(g->arena, "%s%s", buf_str(&text), text.len ? ": " : "");
	buf_free(&text);
	return result;
}

static void tell_defect(const struct grading *g, const int64_t *values, const struct simt_defect *d)
{
	char place[PTX_PLACE_TEXT];
	g->grade->defect = arena_printf(g->arena, "%s%s in %s: %s", with_values(g, values), simt_defect_name(d->kind),
		ptx_place_text(&d->here.place, place), d->message);
	g->grade->line = d->here.place.line;
}

static bool try_launch(struct grading *g, const int64_t *values)
{
	const struct machine_run *run = runs_get(g->runs, g->step, values);
	struct grade *grade = g->grade;
	if (!run || !run->ran)
		return false;
	grade->launches++;
	if (run->n_defects && !grade->defect) {
		tell_defect(g, values, &run->defects[0]);
	} else if (run->result.outcome != SIMT_OK && !grade->defect) {
		grade->defect = arena_printf(g->arena, "%s%s", with_values(g, values), run->result.message);
		grade->line = run->result.place.line;
	}
	if (!run->results && !grade->wrong)
		grade->wrong = arena_printf(g->arena, "%s%s", with_values(g, values),
			run->wrong ? run->wrong : "not compared, since it does not run well");
	return true;
}

static void judge_goal(struct grading *g, const struct goal *goal, struct grade_goal *out)
{
	struct buf is = {0};
	const char *why = "";
	double v;
	out->text = goal->text;
	out->holds = runs_judge(g->runs, g->step, &goal->holds, &v, &why) && (v < 0 || v > 0);
	for (int i = 0; i < goal->holds.n_terms; i++) {
		const struct term *term = &goal->holds.terms[i];
		buf_printf(&is, "%s%s: ", i ? ", " : "", metric_table[metric_find(term->metric)].label);
		if (runs_term(g->runs, g->step, term, &v, &why))
			value_format(v, &is);
		else
			buf_puts(&is, why);
	}
	out->is = arena_strdup(g->arena, buf_str(&is));
	buf_free(&is);
}

bool grade_kernel(struct arena *arena, const struct lesson *lesson, const struct step *step,
	const struct kernel_file *file, struct grade *out, struct diag *diag)
{
	struct step *mine = arena_alloc(arena, sizeof *mine);
	struct grading g = {.arena = arena, .lesson = lesson, .step = mine, .grade = out};
	const struct exercise *exercise = &step->exercise;
	size_t errors = diag->errors;

	*mine = *step;
	mine->file = file;
	*out = (struct grade){.n_goals = exercise->n_goals};
	g.runs = runs_new(arena, lesson, diag);
	runs_limit(g.runs, STEPS_MAX);
	if (!try_launch(&g, step->set))
		return false;
	for (int i = 0; i < exercise->n_tries; i++)
		if (!try_launch(&g, exercise->tries[i]))
			return false;
	bool reached = true;
	for (int i = 0; i < exercise->n_goals; i++) {
		judge_goal(&g, &exercise->goals[i], &out->goals[i]);
		reached = reached && out->goals[i].holds;
	}
	out->right = !out->wrong;
	out->clean = !out->defect;
	out->solved = reached && out->right && out->clean;
	return diag->errors == errors;
}
