/* Every term of the course's glossary is introduced, in bold, by the step that the glossary names, and no step before
 * that one, in the order of the lessons, uses it, however it is inflected. What is in bold is a term, and words of the
 * field that the lessons use are terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "course/lesson/lesson.h"
#include "front/screen/screen.h"
#include "front/screen/flow.h"
#include "front/tutor/tutor.h"

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

/* --- words -------------------------------------------------------------------------------------------------------- */

static const char *const endings[] = {"", "s", "e", "es", "ed", "ing", "ence", "ent"};

/* The part of a term that its inflected forms share: "diverg" of "divergence". */
static size_t stem(const char *term)
{
	size_t len = strlen(term);
	static const char *const cut[] = {"ence", "ing", "ed", "e"};
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		size_t n = strlen(cut[i]);
		if (len > n + 4 && strcmp(term + len - n, cut[i]) == 0)
			return len - n;
	}
	return len;
}

static bool is_word_end(const char *at)
{
	return !isalnum((unsigned char)*at) && (!*at || !strchr("-_[`", *at));
}

/* The term as whole words, in any case and form; not in code. */
static bool has_term(const char *text, const char *term)
{
	size_t len = stem(term);
	for (const char *at = text; *at; at++) {
		if (strncasecmp(at, term, len) != 0 ||
			(at > text && (isalnum((unsigned char)at[-1]) || strchr("-`", at[-1]))))
			continue;
		for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
			size_t n = strlen(endings[i]);
			if (strncasecmp(at + len, endings[i], n) == 0 && is_word_end(at + len + n))
				return true;
		}
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

/* A text of the step with the term, NULL: there is none. Code is not text, notes are the speaker's, and a claim is in
 * others' words. */
static const char *find_in_step(const struct step *step, const char *term)
{
	struct search search = {.term = term};
	if (!is_title(step->title))
		look(&search, step->title);
	for (int b = 0; b < step->text.n_blocks; b++) {
		const struct block *block = &step->text.blocks[b];
		for (int i = 0; i < block->n_spans && block->kind != BLOCK_CODE; i++)
			if (block->spans[i].style != SPAN_CODE && !is_title(block->spans[i].text))
				look(&search, block->spans[i].text);
	}
	const struct question_visitor visitor = {.ctx = &search, .text = look};
	if (step->question.kind != QUESTION_NONE)
		lesson_question_visit(&step->question, &visitor);
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

/* --- the tests ---------------------------------------------------------------------------------------------------- */

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
			if (before != lesson && has_term(before->takeaway, term->term)) {
				print_error("%s, of %s, is used before, in the takeaway of %s\n", term->term,
					term->where, before->id);
				faults++;
			}
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

static bool is_term(const char *word)
{
	for (int t = 0; t < catalog->n_terms; t++)
		if (has_term(word, catalog->terms[t].term) && strlen(word) <= strlen(catalog->terms[t].term) + 3 &&
			strncasecmp(word, catalog->terms[t].term, stem(catalog->terms[t].term)) == 0)
			return true;
	return false;
}

/* Bold introduces, or says that it has done so; what is only stressed is in italics. */
static void what_is_in_bold_is_a_term(void **state)
{
	(void)state;
	int faults = 0;
	for (int l = 0; l < catalog->n_lessons; l++) {
		const struct lesson *lesson = catalog->lessons[l];
		for (int s = 0; s < lesson->n_steps; s++)
			for (int b = 0; b < lesson->steps[s].text.n_blocks; b++) {
				const struct block *block = &lesson->steps[s].text.blocks[b];
				for (int i = 0; i < block->n_spans; i++)
					if (block->spans[i].style == SPAN_STRONG && !is_term(block->spans[i].text)) {
						print_error("%s/%d: \"%s\" is in bold, and no term of the glossary\n",
							lesson->id, s + 1, block->spans[i].text);
						faults++;
					}
			}
	}
	assert_int_equal(faults, 0);
}

/* Words of the field that a reader may not know: a lesson that uses one needs a definition of it. */
static const char *const field_words[] = {"achieved occupancy", "acquire", "aligned", "atomic", "bandwidth", "bank",
	"bank conflict", "barrier", "broadcast", "cache line", "cluster", "coalesced", "constant memory",
	"cooperative launch", "deadlock", "divergence", "DRAM", "eligible", "fence", "grid-stride",
	"independent thread scheduling", "issue slot", "kernel", "lane", "latency", "launch", "local memory",
	"lost update", "mask", "memory fence", "pipe", "predicate", "race", "reconvergence point", "register",
	"release", "request", "resident", "scheduler", "sector", "shared memory", "shuffle", "spilling", "staging",
	"stride", "tail", "texture", "throughput", "tile", "vector clock", "warp", "warp slot", "wave", "wavefront"};

static void words_of_the_field_are_defined(void **state)
{
	(void)state;
	int faults = 0;
	for (size_t w = 0; w < sizeof field_words / sizeof *field_words; w++) {
		const char *where = NULL;
		for (int l = 0; l < catalog->n_lessons && !where; l++)
			for (int s = 0; s < catalog->lessons[l]->n_steps && !where; s++)
				where = find_in_step(&catalog->lessons[l]->steps[s], field_words[w])
					? catalog->lessons[l]->id
					: NULL;
		bool defined = false;
		for (int t = 0; t < catalog->n_terms; t++)
			defined |= has_term(catalog->terms[t].term, field_words[w]) ||
				has_term(field_words[w], catalog->terms[t].term);
		if (where && !defined) {
			print_error("%s uses \"%s\", which the glossary does not define\n", where, field_words[w]);
			faults++;
		}
	}
	assert_int_equal(faults, 0);
}

/* The test of the tests: they find what they look for, and nothing else. */
static void forms_of_a_term_are_found(void **state)
{
	(void)state;
	assert_true(has_term("two lanes diverge", "divergence"));
	assert_true(has_term("a divergent barrier", "divergence"));
	assert_true(has_term("Swizzled rows", "swizzling"));
	assert_true(has_term("coalescing", "coalesced"));
	assert_true(has_term("two wavefronts.", "wavefront"));
	assert_false(has_term("two wavefronts", "wave"));
	assert_false(has_term("uncoalesced", "coalesced"));
	assert_false(has_term("scanner", "scan"));
	assert_false(is_term("2 wavefronts"));
	assert_false(is_term("no"));
	assert_true(is_term("wavefronts"));
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

/* --- on the screen ------------------------------------------------------------------------------------------------ */

static void terms_are_found_in_texts(void **state)
{
	(void)state;
	static struct glossary_term terms[] = {
		{"lane", "", "a"}, {"SM", "", "b"}, {"L1 cache", "", "c"}, {"cache line", "", "d"}, {"cache", "", "e"}};
	const struct catalog some = {.terms = terms, .n_terms = 5};
	static const struct {
		const char *text;
		int index[4]; /* -1: no more */
	} cases[] = {{"Lanes of a lane", {0, 0, -1}}, {"planes, lane's, lane-wise, a-lane", {0, -1}},
		{"SMs are no sm", {1, -1}}, {"the L1 cache has cache lines", {2, 3, -1}},
		{"caches \xc3\xa9lane lane\xc3\xa9", {4, -1}}, {"", {-1}}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct screen_term term;
		size_t at = 0, len = strlen(cases[i].text);
		for (int k = 0; cases[i].index[k] >= 0; k++, at = term.to) {
			assert_true(screen_term_next(&some, cases[i].text, len, at, &term));
			assert_int_equal(term.index, cases[i].index[k]);
			assert_true(term.from >= at && term.to <= len && term.from < term.to);
		}
		assert_false(screen_term_next(&some, cases[i].text, len, at, &term));
	}
}

static void the_mouse_over_a_word_explains_it(void **state)
{
	(void)state;
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	struct paths paths = {
		.data = top ? top : ".", .worker = "/nonexistent/w", .state = "/dev/null/none", .own = "/nonexistent"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	const struct lesson *lesson;
	assert_non_null(tutor);
	tutor->keeps_progress = false;
	assert_true(lesson_catalog_find(tutor->catalog, "banks", &lesson, NULL, &diag));
	tutor_open(tutor, lesson, 1);
	struct screen_state screen = {0};
	struct canvas *canvas = canvas_new(24, 80);
	screen_render(canvas, tutor, &screen, NULL);
	int terms = 0, metrics = 0;
	for (int row = 0; row < canvas->rows; row++)
		for (int col = 0; col < canvas->cols; col++) {
			screen_hover(&screen, tutor, row, col);
			terms += screen.hovered.thing == THING_TERM;
			metrics += screen.hovered.thing == THING_METRIC;
			assert_false(screen_hover(&screen, tutor, row, col)); /* nothing is new there */
			if (col % 7 == 0)
				screen_render(canvas, tutor, &screen, NULL);
		}
	assert_true(terms > 10 && metrics > 40);
	assert_int_equal(screen.picked.thing, THING_NONE); /* it is nothing but looked at */
	canvas_free(canvas);
	diag_free(&diag);
	tutor_free(tutor);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_term_is_introduced_before_it_is_used),
		cmocka_unit_test(what_is_in_bold_is_a_term),
		cmocka_unit_test(words_of_the_field_are_defined),
		cmocka_unit_test(forms_of_a_term_are_found),
		cmocka_unit_test(no_term_is_there_twice),
		cmocka_unit_test(terms_are_found_in_texts),
		cmocka_unit_test(the_mouse_over_a_word_explains_it),
	};
	return cmocka_run_group_tests_name("glossary", tests, load, drop);
}
