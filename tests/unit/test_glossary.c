/* Every term of the course's glossary is introduced, in bold, by the step that the glossary names, and no step before that one, in
 * the order of the lessons, uses it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "tutor/tutor.h"

static struct arena *arena;
static struct catalog *catalog;

static int load(void **state)
{
	(void)state;
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	arena = arena_new();
	catalog = lesson_catalog_load(arena, top ? top : ".", &tutor_lesson_names, &diag);
	bool ok = catalog && diag.count == 0;
	diag_free(&diag);
	return ok ? 0 : -1;
}

static int drop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

/* --- words ------------------------------------------------------------------------------------------------------------ */

/* The term as a whole word, in any case, also in the plural; not in code. */
static bool has_term(const char *text, const char *term)
{
	size_t len = strlen(term);
	for (const char *at = text; *at; at++) {
		if (strncasecmp(at, term, len) != 0 ||
			(at > text && (isalnum((unsigned char)at[-1]) || strchr("-`", at[-1]))))
			continue;
		const char *end = at + len;
		end += *end == 's';
		if (!isalnum((unsigned char)*end) && (!*end || !strchr("-_[`", *end)))
			return true;
	}
	return false;
}

struct search {
	const char *term, *found;
};

static bool look(void *ctx, const char *text)
{
	struct search *search = ctx;
	if (text && has_term(text, search->term))
		search->found = text;
	return !search->found;
}

static void look_in_phrase(struct search *search, const struct phrase *phrase)
{
	for (int i = 0; i <= phrase->n && phrase->texts; i++)
		look(search, phrase->texts[i]);
}

/* A reader is sent to a lesson by its title. */
static bool is_title(const char *text)
{
	for (int i = 0; i < catalog->n_lessons; i++)
		if (strcmp(catalog->lessons[i]->title, text) == 0)
			return true;
	return false;
}

/* A text of the step with the term, NULL: there is none. Code is not text, and notes are the speaker's. */
static const char *find_in_step(const struct step *step, const char *term)
{
	struct search search = {.term = term};
	for (int b = 0; b < step->text.n_blocks; b++) {
		const struct block *block = &step->text.blocks[b];
		for (int i = 0; i < block->n_spans && block->kind != BLOCK_CODE; i++)
			if (block->spans[i].style != SPAN_CODE && !is_title(block->spans[i].text))
				look(&search, block->spans[i].text);
	}
	const struct question_visitor visitor = {.ctx = &search, .text = look};
	if (step->question.kind != QUESTION_NONE)
		lesson_question_visit(&step->question, &visitor);
	look(&search, step->claim.text);
	look_in_phrase(&search, &step->claim.says);
	for (int i = 0; i < step->exercise.n_hints; i++)
		look(&search, step->exercise.hints[i]);
	look_in_phrase(&search, &step->exercise.explain);
	return search.found;
}

static bool introduces(const struct step *step, const char *term)
{
	for (int b = 0; b < step->text.n_blocks; b++)
		for (int i = 0; i < step->text.blocks[b].n_spans; i++) {
			const struct span *span = &step->text.blocks[b].spans[i];
			if (span->style == SPAN_STRONG && has_term(span->text, term))
				return true;
		}
	return false;
}

/* --- the tests ---------------------------------------------------------------------------------------------------------- */

static void every_term_is_introduced_before_it_is_used(void **state)
{
	(void)state;
	int faults = 0;
	assert_true(catalog->n_terms > 30);
	for (int t = 0; t < catalog->n_terms; t++) {
		const struct glossary_term *term = &catalog->terms[t];
		struct diag diag = {0};
		const struct lesson *lesson = NULL;
		int step = 0;
		if (!lesson_catalog_find(catalog, term->where, &lesson, &step, &diag))
			fail_msg("%s: there is no step %s", term->term, term->where);
		diag_free(&diag);
		if (!introduces(&lesson->steps[step], term->term)) {
			print_error("%s is not in bold in %s\n", term->term, term->where);
			faults++;
		}
		for (int l = 0; l < catalog->n_lessons; l++) {
			const struct lesson *before = catalog->lessons[l];
			int end = before == lesson ? step : before->n_steps;
			for (int s = 0; s < end; s++) {
				const char *text = find_in_step(&before->steps[s], term->term);
				if (!text)
					continue;
				print_error("%s, of %s, is used before, in %s/%d: %.120s\n", term->term, term->where,
					before->id, s + 1, text);
				faults++;
			}
			if (before == lesson)
				break;
		}
	}
	assert_int_equal(faults, 0);
}

/* One definition of each. */
static void no_term_is_there_twice(void **state)
{
	(void)state;
	for (int i = 0; i < catalog->n_terms; i++)
		for (int k = 0; k < i; k++)
			if (strcasecmp(catalog->terms[i].term, catalog->terms[k].term) == 0)
				fail_msg("%s is there twice", catalog->terms[i].term);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_term_is_introduced_before_it_is_used),
		cmocka_unit_test(no_term_is_there_twice),
	};
	return cmocka_run_group_tests_name("glossary", tests, load, drop);
}
