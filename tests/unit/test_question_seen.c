/* No question is off the screen without a sign: every step of the course that asks, in the smallest terminals that are
 * common, with text and picture, picture alone and text alone, and wherever the text is scrolled. And the key that the
 * sign names brings the question, that of a hint the hint, and a wrong answer what is said to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "course/lesson/lesson.h"
#include "front/canvas/export.h"
#include "front/screen/screen.h"

static const struct {
	int cols, rows;
} sizes[] = {{80, 24}, {60, 16}, {100, 30}, {160, 50}};

/* What a reader sees. */
struct sight {
	struct tutor *tutor;
	struct screen_state screen;
	struct buf text;
	int cols, rows;
};

static struct tutor *begin(void)
{
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	struct paths paths = {
		.data = top ? top : ".", .worker = "/nonexistent/simttutor-gpu", .state = "/dev/null/none"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	assert_non_null(tutor);
	tutor->keeps_progress = false;
	diag_free(&diag);
	return tutor;
}

static void look(struct sight *s)
{
	struct canvas *canvas = canvas_new(s->rows, s->cols);
	screen_render(canvas, s->tutor, &s->screen, NULL);
	buf_clear(&s->text);
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &(struct canvas_export_options){.charset = CANVAS_UTF8}, &s->text);
	canvas_free(canvas);
}

static bool sees(const struct sight *s, const char *what)
{
	return strstr(buf_str(&s->text), what) != NULL;
}

/* Down to the last words below it, or to the field that is typed in. */
static bool sees_question(const struct sight *s)
{
	const struct question *q = &tutor_step(s->tutor)->question;
	bool typed = lesson_question_table[q->kind].entry == QUESTION_TYPED;
	if (s->tutor->answer.state == ANSWER_TYPING && typed)
		return sees(s, "▸ _");
	return sees(s, strrchr(lesson_question_table[q->kind].invitation, ' ') + 1);
}

static bool sees_sign(const struct sight *s)
{
	return sees(s, "a question: a") || sees(s, "a: a question");
}

static bool sees_exercise_or_sign(const struct sight *s)
{
	if (s->screen.focus != SCREEN_PICTURE && s->screen.text_scroll > s->screen.question_row)
		return true; /* what is seen is it */
	return sees(s, "─ exercise ─") || sees(s, "the exercise: End") || sees(s, "z: the exercise");
}

/* Down the text, page by page. Returns the places at which neither is seen. */
static int look_down(struct sight *s, bool asks)
{
	int faults = 0;
	for (int before = -1; s->screen.text_scroll != before;) {
		look(s);
		before = s->screen.text_scroll;
		if (asks ? !sees_question(s) && !sees_sign(s) : !sees_exercise_or_sign(s)) {
			print_error("%s/%d at %dx%d, focus %d, row %d: neither a question nor a sign\n%s\n",
				s->tutor->at.lesson->id, s->tutor->at.step + 1, s->cols, s->rows, (int)s->screen.focus,
				before, buf_str(&s->text));
			faults++;
		}
		if (s->screen.focus == SCREEN_PICTURE)
			break;
		screen_act(&s->screen, s->tutor, ACTION_PAGE_DOWN);
		look(s);
	}
	return faults;
}

/* After the key of the sign the question is there; where it has more rows than the text, its first. */
static int press_answer(struct sight *s)
{
	screen_key(&s->screen, s->tutor, 'a');
	look(s);
	bool fits = s->screen.text_rows - s->screen.question_row <= s->screen.text_room;
	bool seen = (!fits || sees_question(s)) && sees(s, "─ question ─");
	if (!seen)
		print_error("%s/%d at %dx%d: the key of the question does not show it\n%s\n", s->tutor->at.lesson->id,
			s->tutor->at.step + 1, s->cols, s->rows, buf_str(&s->text));
	return !seen;
}

static int end_is_seen(const struct sight *s, const char *after)
{
	bool seen = s->screen.focus == SCREEN_PICTURE ||
		s->screen.text_scroll + s->screen.text_room >= s->screen.text_rows;
	if (!seen)
		print_error("%s/%d at %dx%d: the end of the text is not seen after %s\n%s\n", s->tutor->at.lesson->id,
			s->tutor->at.step + 1, s->cols, s->rows, after, buf_str(&s->text));
	return !seen;
}

/* After its key the last hint is there, and after a wrong answer what is said to it, which stands below all of them. */
static int ask_hints_and_fail(struct sight *s)
{
	const struct question *q = &tutor_step(s->tutor)->question;
	int faults = 0;
	for (int i = 0; i < q->n_hints; i++) {
		screen_key(&s->screen, s->tutor, 'h');
		look(s);
		faults += end_is_seen(s, "a hint");
	}
	for (const char *key = q->kind == QUESTION_NUMBER ? "987654" : "1"; *key; key++)
		screen_key(&s->screen, s->tutor, (unsigned char)*key);
	screen_key(&s->screen, s->tutor, KEYC_ENTER);
	look(s);
	faults += s->tutor->answer.state == ANSWER_WRONG ? end_is_seen(s, "a wrong answer") : 0;
	if (tutor_answered(s->tutor)) /* right by chance: the question stays open for the next look */
		screen_key(&s->screen, s->tutor, 'B');
	return faults;
}

static int walk_step(struct tutor *tutor, const struct lesson *lesson, int step, int *looked)
{
	int faults = 0;
	bool asks = lesson->steps[step].question.kind != QUESTION_NONE;
	if (!asks && !lesson->steps[step].exercise.dir)
		return 0;
	for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
		struct sight s = {.tutor = tutor, .cols = sizes[size].cols, .rows = sizes[size].rows};
		for (int focus = 0; focus < SCREEN_FOCUSES; focus++) {
			tutor_open(tutor, lesson, step);
			screen_end(&s.screen);
			s.screen = (struct screen_state){0};
			look(&s);
			for (int turn = 0; turn < focus && tutor_can(tutor, ACTION_ZOOM); turn++)
				screen_act(&s.screen, tutor, ACTION_ZOOM);
			faults += look_down(&s, asks);
			++*looked;
			if (asks)
				faults += press_answer(&s) + ask_hints_and_fail(&s);
		}
		screen_end(&s.screen);
		buf_free(&s.text);
	}
	return faults;
}

static void every_open_question_is_seen_or_announced(void **state)
{
	(void)state;
	int looked = 0, faults = 0;
	struct tutor *tutor = begin();
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		for (int step = 0; step < tutor->catalog->lessons[i]->n_steps; step++)
			faults += walk_step(tutor, tutor->catalog->lessons[i], step, &looked);
	tutor_free(tutor);
	print_message("%d screens with a question or an exercise\n", looked);
	assert_int_equal(faults, 0);
	assert_true(looked > 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(every_open_question_is_seen_or_announced)};
	return cmocka_run_group_tests_name("question_seen", tests, NULL, NULL);
}
