#include <string.h>

#include <jansson.h>

#include "base/utf8.h"
#include "course/experiment/experiment.h"
#include "course/experiment/grade.h"
#include "model/hardware/metrics.h"

static json_t *text_of(const char *text)
{
	struct buf valid = {0};
	if (!text)
		return json_null();
	escape_to_json(text, strlen(text), &valid);
	json_t *out = json_stringn(buf_str(&valid), valid.len);
	buf_free(&valid);
	return out ? out : json_string("");
}

void experiment_grade_write(const struct experiment_grade *grade, struct buf *out)
{
	json_t *goals = json_array();
	for (int i = 0; i < grade->n_goals; i++)
		json_array_append_new(goals,
			json_pack("{s:b, s:o}", "holds", grade->goals[i].holds, "is", text_of(grade->goals[i].is)));
	json_t *json = json_pack("{s:b, s:o, s:b, s:o, s:b, s:o, s:i, s:i}", "solved", grade->solved, "goals", goals,
		"right", grade->right, "wrong", text_of(grade->wrong), "clean", grade->clean, "defect",
		text_of(grade->defect), "line", grade->line, "launches", grade->launches);
	char *text = json_dumps(json, JSON_COMPACT);
	buf_puts(out, text ? text : "");
	free(text);
	json_decref(json);
}

static const char *string_of(struct arena *arena, const json_t *json, const char *name)
{
	const char *text = json_string_value(json_object_get(json, name));
	return text ? arena_strdup(arena, text) : NULL;
}

const struct experiment_grade *experiment_grade_read(
	struct arena *arena, const struct step *step, const char *text, size_t len)
{
	json_t *json = json_loadb(text, len, 0, NULL);
	const json_t *goals = json_object_get(json, "goals");
	struct experiment_grade *grade = NULL;
	if (json_is_array(goals) && json_array_size(goals) == (size_t)step->exercise.n_goals) {
		grade = arena_alloc(arena, sizeof *grade);
		*grade = (struct experiment_grade){.solved = json_is_true(json_object_get(json, "solved")),
			.n_goals = step->exercise.n_goals,
			.right = json_is_true(json_object_get(json, "right")),
			.wrong = string_of(arena, json, "wrong"),
			.clean = json_is_true(json_object_get(json, "clean")),
			.defect = string_of(arena, json, "defect"),
			.line = (int)json_integer_value(json_object_get(json, "line")),
			.launches = (int)json_integer_value(json_object_get(json, "launches"))};
		for (int i = 0; i < grade->n_goals; i++) {
			const json_t *goal = json_array_get(goals, (size_t)i);
			grade->goals[i] = (struct experiment_grade_goal){.text = step->exercise.goals[i].text,
				.holds = json_is_true(json_object_get(goal, "holds")),
				.is = string_of(arena, goal, "is")};
		}
	}
	json_decref(json);
	return grade;
}

#define STEPS_MAX 2000000u /* of a launch: a reader waits for an endless loop to be reported */

struct grading {
	struct arena *arena;
	const struct lesson *lesson;
	const struct step *step; /* with the kernel that is graded */
	struct experiments *set;
	struct experiment_grade *grade;
};

/* "with n 33, stride 2: " */
static const char *with_values(const struct grading *g, const int64_t *values)
{
	struct buf text = {0};
	for (int i = 0; i < g->lesson->n_parameters; i++) {
		const struct parameter *p = &g->lesson->parameters[i];
		if (values[i] == g->step->set[i]) {
			/* Whether one of the launches has another value of the parameter: then its value is part of
			 * each. */
			bool tried = false;
			const struct exercise *exercise = &g->step->exercise;
			for (int j = 0; j < exercise->n_tries && !tried; j++)
				tried = exercise->tries[j][i] != g->step->set[i];

			if (!tried)
				continue;
		}
		buf_printf(&text, "%s%s ", text.len ? ", " : "with ", p->name);
		lesson_write_value(p, values[i], &text);
	}
	const char *result = arena_printf(g->arena, "%s%s", buf_str(&text), text.len ? ": " : "");
	buf_free(&text);
	return result;
}

static bool grade_launch(struct grading *g, const int64_t *values, struct diag *diag)
{
	struct experiment *e = experiment_open(g->set, g->step, values);
	const struct experiment_run *run = experiment_run(e);
	struct experiment_grade *grade = g->grade;
	experiment_report(e, diag);
	if (!run->ran)
		return false;
	grade->launches++;
	if (run->n_defects && !grade->defect) {
		const struct simt_defect *d = &run->defects[0];
		char place[PTX_LOCATION_TEXT];
		g->grade->defect = arena_printf(g->arena, "%s%s in %s: %s", with_values(g, values),
			simt_defect_name(d->kind), ptx_location_text(&d->here.place, place), d->message);
		g->grade->line = d->here.place.line;
	} else if (run->result.outcome != SIMT_OK && !grade->defect) {
		grade->defect = arena_printf(g->arena, "%s%s", with_values(g, values), run->result.message);
		grade->line = run->result.place.line;
	}
	if (!run->results && !grade->wrong)
		grade->wrong = arena_printf(g->arena, "%s%s", with_values(g, values),
			run->wrong ? run->wrong : "not compared, since it does not run well");
	return true;
}

/* Whether a term before it is of the same number at the same values, as in "a >= 2 && a <= 4". */
static bool repeats(const struct grading *g, const struct term *terms, int i)
{
	for (int k = 0; k < i; k++)
		if (terms[k].kind == terms[i].kind && terms[k].witness == terms[i].witness &&
			strcmp(terms[k].metric, terms[i].metric) == 0 &&
			memcmp(terms[k].set, terms[i].set, (size_t)g->lesson->n_parameters * sizeof *terms[i].set) == 0)
			return true;
	return false;
}

static bool goal_holds(const struct grading *g, const struct judgment *holds)
{
	const char *why;
	double v;
	return experiment_judge(g->set, g->step, holds, &v, &why) && experiment_is_true(v);
}

static bool grade_step(struct grading *g, struct diag *diag)
{
	const struct exercise *exercise = &g->step->exercise;
	struct experiment_grade *grade = g->grade;
	bool reached = true;
	if (!grade_launch(g, g->step->set, diag))
		return false;
	for (int i = 0; i < exercise->n_tries; i++)
		if (!grade_launch(g, exercise->tries[i], diag))
			return false;
	grade->n_goals = exercise->n_goals;
	for (int i = 0; i < exercise->n_goals; i++) {
		/* Of several settings the first that fails is reported. */
		const struct goal *goal = &exercise->goals[i];
		struct experiment_grade_goal *out = &grade->goals[i];
		const struct judgment *failing = goal_holds(g, &goal->holds) ? NULL : &goal->holds;
		struct buf is = {0};
		for (int j = 0; j < goal->n_also && !failing; j++)
			failing = goal_holds(g, &goal->also[j]) ? NULL : &goal->also[j];
		out->text = goal->text;
		out->holds = !failing;
		if (failing && goal->n_also)
			buf_puts(&is, with_values(g, failing->set));

		/* "load sectors / request: 32" */
		const struct judgment *judged = failing ? failing : &goal->holds;
		const char *why = "";
		double v;
		for (int k = 0; k < judged->n_terms; k++) {
			const struct term *term = &judged->terms[k];
			if (repeats(g, judged->terms, k))
				continue;
			buf_printf(&is, "%s%s: ", k ? ", " : "", metric_table[metric_find(term->metric)].label);
			if (experiment_judge_term(g->set, g->step, term, &v, &why))
				value_format(v, &is);
			else
				buf_puts(&is, why);
		}

		out->is = arena_strdup(g->arena, buf_str(&is));
		buf_free(&is);

		reached = reached && grade->goals[i].holds;
	}
	grade->right = !grade->wrong;
	grade->clean = !grade->defect;
	grade->solved = reached && grade->right && grade->clean;
	return true;
}

const struct experiment_grade *experiment_grade_kernel(struct arena *arena, const struct lesson *lesson,
	const struct step *step, const struct kernel_file *file, struct diag *diag)
{
	const struct experiment_rules rules = {.care = EXPERIMENT_CHECKED, .steps = STEPS_MAX};
	struct experiment_grade *grade = arena_alloc(arena, sizeof *grade);
	struct step mine = *step;
	struct grading g = {arena, lesson, &mine, experiments_new(lesson, &rules), grade};
	size_t errors = diag->errors;
	mine.file = file;
	diag_move(experiments_problems(g.set), diag);
	bool graded = grade_step(&g, diag);
	experiments_free(g.set);
	return graded && diag->errors == errors ? grade : NULL;
}
