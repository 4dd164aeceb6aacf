#include <string.h>

#include "course/lesson/private.h"

/* --- claims ------------------------------------------------------------------------------------------------------- */

struct claim_parse {
	struct claim claim;
	struct judgment_scope scope;
};

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
		READER_TEXT("text", true, struct claim_parse, claim.text, LESSON_TEXT_MAX),
		READER_CALL("number", false, read_claim_number),
		READER_CALL("holds", true, read_claim_holds),
		READER_CALL("says", true, read_claim_says),
		{0},
	};
	struct claim_parse p = {.scope = lesson_judgment_scope_of_launch(e, e->set)};
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
	struct exercise_parse *of;
	struct goal goal;
	yaml_node_t *holds, *at;
};

static void read_run_arguments(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_run *run = into;
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "arguments", LESSON_TEXT_MAX, &scalar)) {
		/* The words of a text. */
		const char **words = arena_array(r->arena, const char *, LESSON_ARGUMENTS_MAX);
		for (const char *at = scalar.text; *at; at += strspn(at, " ")) {
			size_t len = strcspn(at, " ");
			if (run->n_arguments == LESSON_ARGUMENTS_MAX) {
				lesson_reader_error(r, value, "at most %d arguments", LESSON_ARGUMENTS_MAX);
				break;
			}
			words[(run->n_arguments)++] = arena_strndup(r->arena, at, len);
			at += len;
		}
		run->arguments = words;
	}
}

static void read_run_prints(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_run *run = into;
	struct lesson_scalar_list lines = {0};
	struct lesson_scalar one;
	if (lesson_reader_is_scalar(value) && lesson_reader_text(r, value, "prints", LESSON_TEXT_MAX, &one))
		lines = (struct lesson_scalar_list){&one, 1, true};
	else if (lesson_reader_is_scalar(value) || !lesson_reader_texts(r, value, "prints", LESSON_PRINTS_MAX, &lines))
		return;
	run->prints = lesson_scalar_texts(r->arena, &lines);
	run->n_prints = lines.n;
}

static void read_program(struct reader *r, yaml_node_t *value, void *into)
{
	static const struct reader_key keys[] = {
		READER_CALL("arguments", false, read_run_arguments), READER_CALL("prints", true, read_run_prints), {0}};
	struct exercise_parse *p = into;
	int n = lesson_reader_list(r, value, "program", LESSON_RUNS_MAX);
	if (n == 0)
		lesson_reader_error(r, value, "a program needs a run, with what it prints");
	if (n <= 0)
		return;
	struct exercise_run *runs = arena_array(r->arena, struct exercise_run, (size_t)n);
	for (int i = 0; i < n; i++)
		lesson_reader_map(r, lesson_reader_item(r, value, i), "a run", keys, &runs[i]);
	p->exercise.runs = runs;
	p->exercise.n_runs = n;
}

static void read_goal_kernel(struct reader *r, yaml_node_t *value, void *into)
{
	struct goal_parse *p = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "kernel", LESSON_TITLE_MAX, &scalar))
		return;
	if (!p->of->scope.of_program)
		lesson_reader_error(r, value, "only goals of programs name a kernel: the step launches one");
	p->goal.kernel = scalar.text;
}

static struct goal read_goal(struct reader *r, yaml_node_t *item, struct exercise_parse *of)
{
	static const struct reader_key keys[] = {
		READER_TEXT("text", false, struct goal_parse, goal.text, LESSON_TEXT_MAX),
		READER_KEEP("holds", true, struct goal_parse, holds), READER_KEEP("at", false, struct goal_parse, at),
		READER_CALL("kernel", false, read_goal_kernel), {0}};
	struct goal_parse p = {.of = of, .holds = item};
	size_t errors = r->diag->errors;
	if (lesson_reader_is_map(item)) {
		p.holds = NULL;
		lesson_reader_map(r, item, "a goal", keys, &p);
	}
	if (p.holds) {
		if (lesson_judgment_read(r, p.holds, "a goal", &p.of->scope, &p.goal.holds)) {
			for (int i = 0; i < p.goal.holds.n_terms; i++)
				if (p.goal.holds.terms[i].witness != TERM_MODEL)
					lesson_reader_error(r, p.holds,
						"a goal is judged by the model; nothing of the reader's kernel is recorded");
		}
	}
	if (p.at && of->scope.of_program) {
		lesson_reader_error(r, p.at, "the launches of a program have no parameters");
	} else if (p.at && r->diag->errors == errors) {
		/* The judgment once more for each setting. */
		int n = lesson_reader_list(r, p.at, "at", LESSON_TRIES_MAX);
		p.goal.also = arena_array(r->arena, struct judgment, (size_t)(n < 0 ? 0 : n) + 1);
		for (int i = 0; i < n; i++) {
			int64_t *set = lesson_draft_copy_set(r->arena, p.of->e);
			const struct judgment_scope scope = lesson_judgment_scope_of(p.of->e, set);
			lesson_names_read_settings(r, lesson_reader_item(r, p.at, i), p.of->e->lesson, set);
			if (lesson_judgment_read(r, p.holds, "a goal", &scope, &p.goal.also[p.goal.n_also]))
				p.goal.n_also++;
		}
	}
	if (!p.goal.text)
		p.goal.text = p.goal.holds.text;
	return p.goal;
}

static void read_goals(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	int n = lesson_reader_list(r, value, "goals", LESSON_GOALS_MAX);
	if (n == 0)
		lesson_reader_error(r, value, "an exercise needs a goal");
	struct goal *goals = arena_array(r->arena, struct goal, (size_t)(n < 0 ? 0 : n) + 1);
	for (int i = 0; i < n; i++)
		goals[i] = read_goal(r, lesson_reader_item(r, value, i), p);
	p->exercise.goals = goals;
	p->exercise.n_goals = n < 0 ? 0 : n;
}

static void read_tries(struct reader *r, yaml_node_t *value, void *into)
{
	struct exercise_parse *p = into;
	int n = lesson_reader_list(r, value, "tries", LESSON_TRIES_MAX);
	if (n < 0)
		return;
	p->exercise.tries = arena_array(r->arena, int64_t *, LESSON_TRIES_MAX);
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
	if (p->scope.of_program && p->exercise.explain.n)
		lesson_reader_error(r, value, "no numbers are kept of a program's launches, to be named here");
}

/* Where a goal must hold, results must be right, too. */
static void try_where_goals_are_judged(struct reader *r, struct exercise_parse *p)
{
	if (!p->exercise.tries)
		p->exercise.tries = arena_array(r->arena, int64_t *, LESSON_TRIES_MAX);
	for (int i = 0; i < p->exercise.n_goals; i++) {
		const struct goal *goal = &p->exercise.goals[i];
		for (int j = 0; j < goal->n_also; j++) {
			const int64_t *set = goal->also[j].set;
			size_t size = (size_t)p->e->lesson->n_parameters * sizeof *set;
			bool found = memcmp(set, p->e->set, size) == 0;
			for (int k = 0; k < p->exercise.n_tries && !found; k++)
				found = memcmp(set, p->exercise.tries[k], size) == 0;
			if (found)
				continue;

			if (p->exercise.n_tries == LESSON_TRIES_MAX) {
				lesson_reader_error(
					r, p->e->nodes.exercise, "too many parameter settings in tries and at");
				return;
			}
			p->exercise.tries[p->exercise.n_tries++] = goal->also[j].set;
		}
	}
}

void lesson_exercise_read(struct reader *r, struct step_draft *e)
{
	static const struct reader_key of_program[] = {
		READER_CALL("program", true, read_program),
		READER_CALL("goals", false, read_goals),
		READER_CALL("hints", true, read_exercise_hints),
		READER_CALL("explain", false, read_exercise_explain),
		{0},
	};
	static const struct reader_key keys[] = {
		READER_CALL("goals", true, read_goals),
		READER_CALL("tries", false, read_tries),
		READER_CALL("timed", false, read_timed),
		READER_TEXT("slower", false, struct exercise_parse, exercise.slower, LESSON_TEXT_MAX),
		READER_CALL("hints", true, read_exercise_hints),
		READER_CALL("explain", false, read_exercise_explain),
		{0},
	};
	if (e->nodes.question)
		lesson_reader_error(
			r, e->nodes.question, "an exercise asks no question besides; its hints are its own");
	struct exercise_parse p = {.e = e, .scope = lesson_judgment_scope_of(e, e->set)};
	size_t errors = r->diag->errors;
	p.scope.of_program = e->of_program;
	lesson_reader_map(r, e->nodes.exercise, "an exercise", e->of_program ? of_program : keys, &p);
	try_where_goals_are_judged(r, &p);
	if (p.exercise.slower && !p.exercise.timed)
		lesson_reader_error(r, e->nodes.exercise,
			"slower says why the solution is not faster where it is timed: timed is missing");
	p.exercise.dir = e->exercise.dir;
	p.exercise.start = e->exercise.start;
	if (r->diag->errors == errors)
		e->exercise = p.exercise;
}

const char *lesson_exercise_wants_right(const struct exercise *exercise)
{
	return exercise->n_runs ? "it prints what it should" : "right results, for other sizes, too";
}

const char *lesson_exercise_wants_clean(const struct exercise *exercise)
{
	return exercise->n_runs ? "no defect in its kernels, no misuse of CUDA" : "no race, no other defect";
}
