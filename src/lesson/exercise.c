#include "lesson/judgment.h"
#include "lesson/limits.h"
#include "lesson/names.h"
#include "lesson/question.h"

/* --- claims ------------------------------------------------------------------------------------------------------- */

struct claim_parse {
	struct claim claim;
	struct judgment_scope scope;
};

static void read_claim_text(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "text", LESSON_TEXT_MAX, &scalar))
		((struct claim_parse *)into)->claim.text = scalar.text;
}

static void read_claim_number(struct reader *r, yaml_node_t *value, void *into)
{
	int64_t number;
	if (lesson_reader_int(r, value, (struct lesson_range){"number", 1, 1000}, &number))
		((struct claim_parse *)into)->claim.number = (int)number;
}

static void read_claim_holds(struct reader *r, yaml_node_t *value, void *into)
{
	struct claim_parse *p = into;
	lesson_judgment_read(r, value, "holds", &p->scope, &p->claim.holds);
}

static void read_claim_says(struct reader *r, yaml_node_t *value, void *into)
{
	struct claim_parse *p = into;
	lesson_phrase_read(r, value, "says", &p->scope, &p->claim.says);
}

void lesson_claim_read(struct reader *r, struct step_draft *e)
{
	static const struct reader_key keys[] = {
		{"text", true, read_claim_text},
		{"number", false, read_claim_number},
		{"holds", true, read_claim_holds},
		{"says", true, read_claim_says},
		{0},
	};
	struct claim_parse p = {.scope = lesson_judgment_scope_of(e, e->set)};
	size_t errors = r->diag->errors;
	lesson_reader_map(r, e->nodes.claim, "a claim", keys, &p);
	if (r->diag->errors == errors)
		e->claim = p.claim;
}

/* --- exercises ---------------------------------------------------------------------------------------------------- */

struct exercise_parse {
	struct step_draft *e;
	struct exercise exercise;
	struct judgment_scope scope;
};

struct goal_parse {
	const struct judgment_scope *scope;
	struct goal goal;
};

static void read_goal_text(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "text", LESSON_TEXT_MAX, &scalar))
		((struct goal_parse *)into)->goal.text = scalar.text;
}

static void read_goal_holds(struct reader *r, yaml_node_t *value, void *into)
{
	struct goal_parse *p = into;
	if (!lesson_judgment_read(r, value, "a goal", p->scope, &p->goal.holds))
		return;
	for (int i = 0; i < p->goal.holds.n_terms; i++)
		if (p->goal.holds.terms[i].witness != TERM_MODEL)
			lesson_reader_error(
				r, value, "a goal is judged by the model; nothing of the reader's kernel is recorded");
}

static void read_goals(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		{"text", false, read_goal_text}, {"holds", true, read_goal_holds}, {0}};
	struct exercise_parse *p = into;
	int n = lesson_reader_list(r, value, "goals", LESSON_GOALS_MAX);
	if (n == 0)
		lesson_reader_error(r, value, "an exercise needs a goal");
	struct goal *goals = arena_array(r->arena, struct goal, (size_t)(n < 0 ? 0 : n) + 1);
	for (int i = 0; i < n; i++) {
		yaml_node_t *item = lesson_reader_item(r, value, i);
		struct goal_parse one = {.scope = &p->scope};
		if (lesson_reader_is_map(item))
			lesson_reader_map(r, item, "a goal", keys, &one);
		else
			read_goal_holds(r, item, &one);
		if (!one.goal.text)
			one.goal.text = one.goal.holds.text;
		goals[i] = one.goal;
	}
	p->exercise.goals = goals;
	p->exercise.n_goals = n < 0 ? 0 : n;
}

static void read_tries(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	int n = lesson_reader_list(r, value, "tries", LESSON_TRIES_MAX);
	if (n < 0)
		return;
	p->exercise.tries = arena_array(r->arena, int64_t *, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		p->exercise.tries[i] = lesson_draft_copy_set(r->arena, p->e);
		lesson_names_read_settings(r, lesson_reader_item(r, value, i), p->e->lesson, p->exercise.tries[i]);
	}
	p->exercise.n_tries = n;
}

static void read_timed(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	p->exercise.timed = lesson_draft_copy_set(r->arena, p->e);
	lesson_names_read_settings(r, value, p->e->lesson, p->exercise.timed);
}

static void read_slower(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "slower", LESSON_TEXT_MAX, &scalar))
		((struct exercise_parse *)into)->exercise.slower = scalar.text;
}

static void read_exercise_hints(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	struct lesson_scalar_list list;
	if (!lesson_reader_texts(r, value, "hints", LESSON_HINTS_MAX, &list))
		return;
	p->exercise.hints = lesson_scalar_texts(r->arena, &list);
	p->exercise.n_hints = list.n;
}

static void read_exercise_explain(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	lesson_phrase_read(r, value, "explain", &p->scope, &p->exercise.explain);
}

void lesson_exercise_read(struct reader *r, struct step_draft *e)
{
	static const struct reader_key keys[] = {
		{"goals", true, read_goals},
		{"tries", false, read_tries},
		{"timed", false, read_timed},
		{"slower", false, read_slower},
		{"hints", true, read_exercise_hints},
		{"explain", false, read_exercise_explain},
		{0},
	};
	if (e->nodes.question)
		lesson_reader_error(
			r, e->nodes.question, "an exercise asks no question besides; its hints are its own");
	struct exercise_parse p = {.e = e, .scope = lesson_judgment_scope_of(e, e->set)};
	size_t errors = r->diag->errors;
	lesson_reader_map(r, e->nodes.exercise, "an exercise", keys, &p);
	if (p.exercise.slower && !p.exercise.timed)
		lesson_reader_error(r, e->nodes.exercise,
			"slower says why the solution is not faster where it is timed: timed is missing");
	p.exercise.dir = e->exercise.dir;
	if (r->diag->errors == errors)
		e->exercise = p.exercise;
}
