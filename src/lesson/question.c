#include "lesson/question.h"

#include "lesson/limits.h"
#include "lesson/names.h"

static void read_ask(struct reader *r, yaml_node_t *value, void *into)
{
	struct told told;
	if (reader_text(r, value, "ask", LESSON_TEXT_MAX, &told))
		((struct experiment *)into)->question.ask = told.text;
}

static void read_explain(struct reader *r, yaml_node_t *value, void *into)
{
	struct told told;
	if (reader_text(r, value, "explain", LESSON_TEXT_MAX, &told))
		((struct experiment *)into)->question.explain = told.text;
}

static void read_hints(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told_list list;
	if (!reader_texts(r, value, "hints", LESSON_HINTS_MAX, &list))
		return;
	e->question.hints = told_texts(r->arena, &list);
	e->question.n_hints = list.n;
}

static void read_choices(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told_list list;
	if (!reader_texts(r, value, "choices", LESSON_CHOICES_MAX, &list))
		return;
	if (list.n < 2)
		reader_error(r, value, "a choice needs 2 to %d choices", LESSON_CHOICES_MAX);
	e->question.choices = told_texts(r->arena, &list);
	e->question.n_choices = list.n;
}

static void read_correct(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	int64_t number;
	if (reader_int(r, value, "correct", 1, LESSON_CHOICES_MAX, &number))
		e->question.correct = (int)number;
}

static void read_question_metric(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	struct told told;
	if (reader_text(r, value, "metric", LESSON_TEXT_MAX, &told) && names_check_metric(e->names, &told, r->diag))
		e->question.metric = told.text;
}

static void read_question_set(struct reader *r, yaml_node_t *value, void *into)
{
	struct experiment *e = into;
	names_read_settings(r, value, e->lesson, e->question.set);
}

/* The two kinds of question, told apart by what is there. */
static void settle_question(struct reader *r, yaml_node_t *node, struct question *q)
{
	if (q->metric && (q->choices || q->correct)) {
		reader_error(r, node, "a question has either a metric or choices");
	} else if (q->metric) {
		q->kind = QUESTION_NUMBER;
	} else if (!q->choices) {
		reader_error(r, node, "a question needs a metric (its value is the answer) or choices");
	} else if (q->correct < 1 || q->correct > q->n_choices) {
		reader_error(r, node, "'correct' must name one of the choices, 1 to %d", q->n_choices);
	} else {
		q->kind = QUESTION_CHOICE;
		q->correct--;
		q->set = NULL;
	}
}

void question_read(struct reader *r, struct experiment *e)
{
	static const struct reader_key keys[] = {
		{"ask", true, read_ask}, {"set", false, read_question_set}, {"metric", false, read_question_metric},
		{"choices", false, read_choices}, {"correct", false, read_correct}, {"explain", false, read_explain},
		{"hints", false, read_hints}, {0},
	};
	size_t errors = r->diag->errors, n = (size_t)e->lesson->n_parameters;
	e->question = (struct question){.explain = "", .set = arena_array(r->arena, int64_t, n)};
	for (size_t i = 0; i < n; i++)
		e->question.set[i] = e->set[i];
	reader_map(r, e->question_node, "a question", keys, e);
	if (r->diag->errors == errors)
		settle_question(r, e->question_node, &e->question);
	if (r->diag->errors == errors && e->question.kind == QUESTION_NUMBER && !e->given)
		reader_error(r, e->question_node, "the answer is a metric, but there is no experiment to take it from");
}
