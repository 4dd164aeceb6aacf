#include "course/lesson/lesson.h"

const struct question_kind_row lesson_question_table[QUESTION_KINDS] = {
#define QUESTION(id, keys, entry, begins, made_of, invitation, complaint)                                              \
	[QUESTION_##id] = {keys, QUESTION_##entry, begins, made_of, invitation, complaint},
#include "course/lesson/question_kinds.def"
#undef QUESTION
};

const char *const lesson_question_things[QUESTION_THINGS] =
	{[QUESTION_OF_LANE] = "lane", [QUESTION_OF_BANK] = "bank", [QUESTION_OF_LINE] = "line"};

/* --- its parts ------------------------------------------------------------------------------------------------------- */

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

/* --- what is typed ---------------------------------------------------------------------------------------------------- */

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
