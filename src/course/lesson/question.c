#include <string.h>

#include "course/lesson/private.h"

const struct question_kind_row lesson_question_table[QUESTION_KINDS] = {
#define QUESTION(id, keys, entry, begins, made_of, invitation, complaint)                                              \
	[QUESTION_##id] = {keys, QUESTION_##entry, begins, made_of, invitation, complaint},
#include "course/lesson/question_kinds.def"
#undef QUESTION
};

const char *const lesson_question_things[QUESTION_THINGS] =
	{[QUESTION_OF_LANE] = "lane", [QUESTION_OF_BANK] = "bank", [QUESTION_OF_LINE] = "line"};

/* --- its parts ---------------------------------------------------------------------------------------------------- */

static bool visit_text(const struct question_visitor *visitor, const char *text)
{
	return !text || !visitor->text || visitor->text(visitor->ctx, text);
}

static bool visit_judgment(const struct question_visitor *visitor, const struct judgment *judgment)
{
	return !judgment || !judgment->text || !visitor->judgment || visitor->judgment(visitor->ctx, judgment);
}

static bool visit_phrase(const struct question_visitor *visitor, const struct phrase *phrase)
{
	bool go_on = true;
	for (int i = 0; phrase->texts && i <= phrase->n && go_on; i++)
		go_on = visit_text(visitor, phrase->texts[i]) &&
			(i == phrase->n || visit_judgment(visitor, &phrase->values[i]));
	return go_on;
}

bool lesson_question_visit(const struct question *q, const struct question_visitor *visitor)
{
	bool go_on = visit_text(visitor, q->ask) && visit_judgment(visitor, &q->answer);
	for (int i = 0; i < q->n_choices && go_on; i++)
		go_on = visit_text(visitor, q->choices[i].text) && visit_judgment(visitor, q->choices[i].when) &&
			visit_phrase(visitor, &q->choices[i].why);
	for (int i = 0; i < q->n_wrong && go_on; i++)
		go_on = visit_judgment(visitor, &q->wrong[i].answer) && visit_phrase(visitor, &q->wrong[i].why);
	go_on = go_on && visit_phrase(visitor, &q->explain);
	for (int i = 0; i < q->n_hints && go_on; i++)
		go_on = visit_text(visitor, q->hints[i]);
	return go_on;
}

/* --- what is typed ------------------------------------------------------------------------------------------------ */

int lesson_question_numbers(const struct question *q, const char *typed, int numbers[LESSON_CHOICES_MAX])
{
	bool seen[LESSON_CHOICES_MAX] = {false};
	int n = 0;
	for (; *typed; typed++) {
		int at = *typed - '1';
		if (*typed == ',')
			continue;
		if (at < 0 || at >= q->n_choices || seen[at])
			return -1;
		seen[at] = true;
		numbers[n++] = at;
	}
	return n;
}

#define WITHIN_USUAL 0.005 /* half a percent: what a reader can compute without a calculator */

/* A question on its way. */
struct question_parse {
	struct step_draft *e;
	struct question question;
	struct judgment_scope scope;
	struct lesson_scalar metric;
	bool points;
	yaml_node_t *answer, *choices, *several, *order, *correct, *wrong, *explain; /* read when the scope is known */
};

static void read_hints(struct reader *r, yaml_node_t *value, void *into)
{
	struct question *q = &((struct question_parse *)into)->question;
	struct lesson_scalar_list list;
	if (!lesson_reader_texts(r, value, "hints", LESSON_HINTS_MAX, &list))
		return;
	q->hints = lesson_scalar_texts(r->arena, &list);
	q->n_hints = list.n;
}

static void read_question_metric(struct reader *r, yaml_node_t *value, void *into)
{
	struct question_parse *p = into;
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "metric", LESSON_TEXT_MAX, &scalar) &&
		lesson_names_check_metric(p->e->names, &scalar, r->diag))
		p->metric = scalar;
}

static void read_point(struct reader *r, yaml_node_t *value, void *into)
{
	struct question_parse *p = into;
	struct lesson_scalar scalar;
	p->points = true;
	if (!lesson_reader_text(r, value, "point", LESSON_TITLE_MAX, &scalar))
		return;
	for (int thing = 0; thing < QUESTION_THINGS; thing++)
		if (strcmp(scalar.text, lesson_question_things[thing]) == 0) {
			p->question.thing = (enum question_thing)thing;
			return;
		}
	diag_error(r->diag, scalar.pos, "'%s': one can point at a lane, bank or line", scalar.text);
}

static void read_question_within(struct reader *r, yaml_node_t *value, void *into)
{
	lesson_reader_fraction(r, value, "within", &((struct question_parse *)into)->question.within);
}

static void read_from(struct reader *r, yaml_node_t *value, void *into)
{
	struct question_parse *p = into;
	struct lesson_scalar scalar;
	if (!lesson_reader_text(r, value, "from", LESSON_TITLE_MAX, &scalar))
		return;
	if (strcmp(scalar.text, "recorded") == 0)
		p->scope.from = TERM_RECORDED;
	else if (strcmp(scalar.text, "model") != 0)
		diag_error(r->diag, scalar.pos, "'%s': an answer is from: model or from: recorded", scalar.text);
}

static void read_question_set(struct reader *r, yaml_node_t *value, void *into)
{
	struct question_parse *p = into;
	p->question.has_set = true;
	lesson_names_read_settings(r, value, p->e->lesson, p->question.set);
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

struct choice_parse {
	struct question_parse *question;
	struct choice choice;
};

static void read_choice_text(struct reader *r, yaml_node_t *value, void *into)
{
	struct lesson_scalar scalar;
	if (lesson_reader_text(r, value, "a choice", LESSON_TEXT_MAX, &scalar))
		((struct choice_parse *)into)->choice.text = scalar.text;
}

static void read_choice_why(struct reader *r, yaml_node_t *value, void *into)
{
	struct choice_parse *p = into;
	lesson_phrase_read(r, value, "why", &p->question->scope, &p->choice.why);
}

static void read_choice_judgment(struct reader *r, yaml_node_t *value, struct choice_parse *p, const char *key)
{
	struct judgment *when = arena_alloc(r->arena, sizeof *when);
	if (lesson_judgment_read(r, value, key, &p->question->scope, when))
		p->choice.when = when;
}

static void read_choice_when(struct reader *r, yaml_node_t *value, void *into)
{
	read_choice_judgment(r, value, into, "when");
}

static void read_choice_by(struct reader *r, yaml_node_t *value, void *into)
{
	read_choice_judgment(r, value, into, "by");
}

/* What is listed, of each kind: the key of the list, that of the judgment, and what the list is of. */
struct list_kind {
	const char *key, *judgment, *noun;
	void (*read_judgment)(struct reader *r, yaml_node_t *value, void *into);
};
static const struct list_kind one_of = {"choices", "when", "choice", read_choice_when},
			      several_of = {"several", "when", "choice", read_choice_when},
			      in_order = {"order", "by", "item", read_choice_by};

static void read_listed(struct reader *r, struct question_parse *p, yaml_node_t *node, const struct list_kind *kind)
{
	size_t errors = r->diag->errors;
	if (p->wrong) {
		lesson_reader_error(
			r, p->e->nodes.question, "'wrong' is for numbers; each %s has a 'why' of its own", kind->noun);
	} else {
		const struct reader_key keys[] = {
			READER_CALL("text", true, read_choice_text),
			READER_CALL(kind->judgment, false, kind->read_judgment),
			READER_CALL("why", false, read_choice_why),
			{0},
		};
		int n = lesson_reader_list(r, node, kind->key, LESSON_CHOICES_MAX);
		if (n >= 0 && n < 2)
			lesson_reader_error(
				r, node, "'%s' needs 2 to %d %ss", kind->key, LESSON_CHOICES_MAX, kind->noun);
		if (n >= 2) {
			struct choice *choices = arena_array(r->arena, struct choice, (size_t)n);
			for (int i = 0; i < n; i++) {
				yaml_node_t *item = lesson_reader_item(r, node, i);
				struct choice_parse one = {.question = p};
				if (lesson_reader_is_map(item))
					lesson_reader_map(r, item, "a choice", keys, &one);
				else
					read_choice_text(r, item, &one);
				choices[i] = one.choice;
			}
			p->question.choices = choices;
			p->question.n_choices = n;
		}
	}
	if (r->diag->errors == errors) {
		/* Either `correct` says it, or the judgments do, of all or of none. */
		bool is_list = kind != &one_of;
		struct question *q = &p->question;
		int judged = 0;
		for (int i = 0; i < q->n_choices; i++)
			judged += q->choices[i].when != NULL;
		q->judged = judged > 0;
		if (judged == 0 && !p->correct) {
			lesson_reader_error(r, p->e->nodes.question,
				"'correct' must say what is right, or each %s have '%s'", kind->noun, kind->judgment);
		} else if (judged > 0 && (judged < q->n_choices || p->correct)) {
			lesson_reader_error(r, p->e->nodes.question,
				"either 'correct' says what is right, or each %s has '%s'", kind->noun, kind->judgment);
		} else if (p->correct) {
			/* The author says which are right, or in which order: `correct`, one number or a list of them,
			 * counted from 1. */
			const struct lesson_range range = {"correct", 1, p->question.n_choices};
			int n = is_list ? lesson_reader_list(r, p->correct, "correct", p->question.n_choices) : 1;
			int *right = arena_array(r->arena, int, (size_t)(n > 0 ? n : 1));
			bool seen[LESSON_CHOICES_MAX + 1] = {false};
			for (int i = 0; i < n; i++) {
				int64_t number;
				yaml_node_t *item = is_list ? lesson_reader_item(r, p->correct, i) : p->correct;
				if (!lesson_reader_int(r, item, range, &number))
					return;
				if (seen[number])
					lesson_reader_error(r, item, "'correct' names %d twice", (int)number);
				seen[number] = true;
				right[i] = (int)number - 1;
			}
			p->question.right = right;
			p->question.n_right = n;
		}
	}
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void read_number(struct reader *r, struct question_parse *p)
{
	if (p->metric.text && p->answer) {
		lesson_reader_error(r, p->e->nodes.question, "a question has either a metric or an answer");
		return;
	}
	p->question.judged = true;
	if (p->metric.text)
		lesson_judgment_parse(r, &p->metric, &p->scope, &p->question.answer);
	else
		lesson_judgment_read(r, p->answer, "answer", &p->scope, &p->question.answer);
	if (p->wrong) {
		int n = lesson_reader_pairs(r, p->wrong, "wrong");
		if (n < 0)
			return;
		struct wrong_answer *wrong = arena_array(r->arena, struct wrong_answer, (size_t)n + 1);
		for (int i = 0; i < n; i++) {
			struct lesson_scalar key;
			yaml_node_t *value;
			if (lesson_reader_pair(r, p->wrong, i, &key, &value) &&
				lesson_judgment_parse(r, &key, &p->scope, &wrong[i].answer))
				lesson_phrase_read(r, value, "the reason", &p->scope, &wrong[i].why);
		}
		p->question.wrong = wrong;
		p->question.n_wrong = n;
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void read_answer(struct reader *r, struct question_parse *p)
{
	const struct question *q = &p->question;
	size_t errors = r->diag->errors;
	switch (q->kind) {
	case QUESTION_NUMBER: read_number(r, p); break;
	case QUESTION_CHOICE: read_listed(r, p, p->choices, &one_of); break;
	case QUESTION_SEVERAL:
		read_listed(r, p, p->several, &several_of);
		if (r->diag->errors == errors && p->correct && !q->n_right)
			lesson_reader_error(r, p->correct, "'correct' must name at least one of the choices");
		break;
	case QUESTION_ORDER:
		read_listed(r, p, p->order, &in_order);
		if (r->diag->errors == errors && p->correct && q->n_right < q->n_choices)
			lesson_reader_error(
				r, p->correct, "'correct' must name all %d items, in their order", q->n_choices);
		break;
	case QUESTION_POINT:
		if (p->metric.text || !p->answer)
			lesson_reader_error(
				r, p->e->nodes.question, "what is to be pointed at has its number as the 'answer'");
		else
			read_number(r, p);
		p->question.within = 0;
		break;
	default: break;
	}
}

/* What was measured elsewhere needs none. */
static bool asks_launch(const struct judgment *judgment)
{
	for (int i = 0; i < judgment->n_terms; i++)
		if (judgment->terms[i].witness != TERM_MEASURED)
			return true;
	return false;
}

/* Whether the lesson has the keys of this kind. */
static bool is_meant(const struct question_parse *p, enum question_kind kind)
{
	switch (kind) {
	case QUESTION_NUMBER: return (p->metric.text || p->answer) && !p->points;
	case QUESTION_CHOICE: return p->choices || (p->correct && !p->several && !p->order);
	case QUESTION_SEVERAL: return p->several;
	case QUESTION_ORDER: return p->order;
	case QUESTION_POINT: return p->points;
	default: return false;
	}
}

/* Of the kinds that are meant, or of all: "metric or answer; choices". */
static const char *write_keys(struct arena *arena, const struct question_parse *p, bool all)
{
	const char *keys = "";
	for (int kind = QUESTION_NONE + 1; kind < QUESTION_KINDS; kind++)
		if (all || is_meant(p, (enum question_kind)kind))
			keys = arena_printf(arena, "%s%s%s", keys, *keys ? "; " : "", lesson_question_table[kind].keys);
	return keys;
}

void lesson_question_read(struct reader *r, struct step_draft *e)
{
	static const struct reader_key keys[] = {
		READER_TEXT("ask", true, struct question_parse, question.ask, LESSON_TEXT_MAX),
		READER_CALL("set", false, read_question_set),
		READER_CALL("from", false, read_from),
		READER_CALL("metric", false, read_question_metric),
		READER_KEEP("answer", false, struct question_parse, answer),
		READER_CALL("point", false, read_point),
		READER_CALL("within", false, read_question_within),
		READER_KEEP("wrong", false, struct question_parse, wrong),
		READER_KEEP("choices", false, struct question_parse, choices),
		READER_KEEP("several", false, struct question_parse, several),
		READER_KEEP("order", false, struct question_parse, order),
		READER_KEEP("correct", false, struct question_parse, correct),
		READER_KEEP("explain", false, struct question_parse, explain),
		READER_CALL("hints", false, read_hints),
		{0},
	};
	size_t errors = r->diag->errors;
	struct question_parse p = {
		.e = e, .question = {.within = WITHIN_USUAL, .set = lesson_draft_copy_set(r->arena, e)}};
	p.scope = lesson_judgment_scope_of_launch(e, p.question.set);
	lesson_reader_map(r, e->nodes.question, "a question", keys, &p);
	p.question.from = p.scope.from;
	if (r->diag->errors == errors) {

		int meant = 0;
		for (int kind = QUESTION_NONE + 1; kind < QUESTION_KINDS; kind++) {
			if (!is_meant(&p, (enum question_kind)kind))
				continue;
			p.question.kind = (enum question_kind)kind;
			meant++;
		}
		if (meant != 1)
			lesson_reader_error(r, p.e->nodes.question,
				meant ? "a question has one kind of answer, not all of: %s"
				      : "a question needs one kind of answer: %s",
				write_keys(r->arena, &p, meant == 0));

		if (r->diag->errors == errors)
			read_answer(r, &p);
		if (r->diag->errors == errors && p.explain)
			lesson_phrase_read(r, p.explain, "explain", &p.scope, &p.question.explain);
		if (r->diag->errors == errors) {
			const struct question *q = &p.question;
			bool needs = asks_launch(&q->answer);
			for (int i = 0; i < q->n_choices; i++)
				needs = needs || (q->choices[i].when && asks_launch(q->choices[i].when));
			if (needs && !p.e->given)
				lesson_reader_error(r, p.e->nodes.question,
					"the answer is a metric, but there is no experiment to take it from");
		}
	}
	if (r->diag->errors == errors)
		e->question = p.question;
}
