/* A lesson in front of a class: pieces, the vote, jumps, what drives it; and the slides of the whole course. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/canvas/export.h"
#include "front/screen/script.h"
#include "front/tutor/present.h"

static const char *top(void)
{
	const char *dir = getenv("top_srcdir");
	return dir ? dir : ".";
}

static struct tutor *tutor;
static struct screen_state screen;

static int begin_session(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct paths paths = {.data = top(), .worker = "/nonexistent/simttutor-gpu"};
	tutor = tutor_new(&paths, "none", &diag);
	tutor->background = true; /* sweeps are not what is looked at here */
	diag_free(&diag);
	return tutor ? 0 : -1;
}

static int end_session(void **state)
{
	(void)state;
	tutor_free(tutor);
	return 0;
}

static void press(const char *keys)
{
	char word[16];
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n)
		screen_key(&screen, tutor, key_named(word));
}

static const struct lesson *find_lesson(const char *id)
{
	for (int i = 0; i < tutor->catalog->n_lessons; i++)
		if (strcmp(tutor->catalog->lessons[i]->id, id) == 0)
			return tutor->catalog->lessons[i];
	fail_msg("there is no lesson %s", id);
	return NULL;
}

static void begin(const char *id, int step)
{
	lesson_progress_forget(tutor->progress, id, NULL);
	screen = (struct screen_state){0};
	tutor_present(tutor, find_lesson(id), step, 0);
	screen_lay_out(&screen, tutor, 30, 100);
}

static void draw(struct buf *out, int rows, int cols)
{
	struct canvas *canvas = canvas_new(rows, cols);
	struct canvas_export_options plain = {.charset = CANVAS_UTF8};
	buf_clear(out);
	screen_render(canvas, tutor, &screen, NULL);
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &plain, out);
	canvas_free(canvas);
}

static bool is_on_slide(const char *text)
{
	struct buf out = {0};
	draw(&out, 30, 100);
	bool there = strstr(buf_str(&out), text) != NULL;
	buf_free(&out);
	return there;
}

static void pieces_come_one_by_one_and_go_again(void **state)
{
	(void)state;
	begin("banks", 0);
	const struct tutor_presented *p = tutor->presented;
	assert_int_equal(p->shown, 1);
	assert_int_equal(p->pieces.n, p->pieces.text + 2);
	assert_true(is_on_slide("The threads of a block share"));
	assert_false(is_on_slide("The lanes of a warp load together"));
	press("PgDn");
	assert_true(is_on_slide("The lanes of a warp load together"));
	press("PgUp");
	assert_false(is_on_slide("The lanes of a warp load together"));
	press("PgUp"); /* there is nothing before */
	assert_int_equal(tutor->at.step, 0);
	for (int i = 1; i < p->pieces.n; i++)
		press("Space");
	assert_true(tutor_present_answers(tutor));
	press("Right");
	assert_int_equal(tutor->at.step, 1);
	assert_int_equal(p->shown, 1);
	press("Left"); /* as it was left */
	assert_int_equal(tutor->at.step, 0);
	assert_true(tutor_present_answers(tutor));
}

static void a_slide_that_was_jumped_over_keeps_its_answer(void **state)
{
	(void)state;
	begin("banks", 3);
	press("p");
	assert_int_equal(tutor->at.step, 2);
	assert_true(tutor_present_asks(tutor));
	assert_false(tutor_present_answers(tutor));
}

static void hands_are_counted_for_choices(void **state)
{
	(void)state;
	begin("banks", 0);
	const struct tutor_presented *p = tutor->presented;
	press("1 2"); /* no vote yet: it is a slide's number */
	assert_string_equal(p->number, "12");
	press("Esc Space Space Space");
	assert_non_null(p->vote);
	assert_int_equal(p->vote->n, 4);
	press("1 2 Down 7 + _ _ Down Backspace Up Up Up 3");
	assert_int_equal(p->vote->at[0].hands, 3); /* chosen again, it is typed anew */
	assert_int_equal(p->vote->at[1].hands, 6);
	assert_int_equal(p->vote->hands, 9);
	press("9 9 9 9 9");
	assert_int_equal(p->vote->at[0].hands, 3999); /* what is too much is not taken */
	assert_false(p->vote->at[1].right);
	press("Space");
	assert_true(p->vote->at[1].right);
	assert_false(p->vote->at[0].right);
	press("5"); /* it is over */
	assert_int_equal(p->vote->at[0].hands, 3999);
	press("PgUp"); /* asked again */
	assert_false(tutor_answered(tutor));
	assert_int_equal(p->vote->at[1].hands, 6);
}

static void numbers_that_are_called_out_are_collected(void **state)
{
	(void)state;
	begin("banks", 1);
	const struct tutor_presented *p = tutor->presented;
	press("Space Space Space Space");
	assert_non_null(p->vote);
	press("4 Enter 2 . 5 Enter 4 Enter 1 6 Backspace Backspace");
	assert_int_equal(p->vote->n, 2);
	assert_int_equal(p->vote->at[0].hands, 2);
	assert_string_equal(p->vote->at[1].answer, "2.5");
	assert_true(is_on_slide("2.5"));
	press("8 Esc 1 Enter 2 Enter 3 Enter 5 Enter 6 Enter 7 Enter 9 Enter 1 0 Enter");
	assert_int_equal(p->vote->n, PRESENT_OPTIONS_MAX);
	assert_string_equal(tutor->notice, "There is no room for more answers.");
	assert_true(tutor_covered(tutor) || tutor->at.values[0] == 2);
	press("u");
	assert_true(p->vote->at[0].right);
	assert_string_equal(p->right, "4");
	assert_int_equal(tutor->at.values[tutor->at.parameter], 4); /* the picture proves it */
}

static void what_answers_is_covered_until_it_is_revealed(void **state)
{
	(void)state;
	begin("banks", 1);
	press("] ]"); /* stride 4: what is asked about */
	assert_int_equal(tutor->at.values[tutor->at.parameter], 4);
	assert_true(is_on_slide("Covered until the answer is revealed."));
	assert_string_equal(tutor->notice, ""); /* a class is not told to commit */
	press("u");
	assert_false(is_on_slide("Covered until"));
}

static void numbers_lead_to_slides(void **state)
{
	(void)state;
	begin("banks", 0);
	press("3 Enter");
	assert_int_equal(tutor->at.step, 2);
	press("9 9 Enter");
	assert_int_equal(tutor->at.step, 2);
	assert_string_equal(tutor->notice, "There is no such slide.");
	press("End");
	assert_int_equal(tutor->at.step, tutor->at.lesson->n_steps - 1);
	press("N");
	assert_true(tutor->at.ending);
	assert_true(is_on_slide("Take away"));
	press("N Space");
	assert_string_equal(tutor->notice, "That was the last slide.");
	press("PgUp");
	assert_false(tutor->at.ending);
	press("Home");
	assert_int_equal(tutor->at.step, 0);
	press("2 Backspace Enter"); /* nothing is left of it: goes on */
	assert_int_equal(tutor->presented->shown, 2);
}

static void any_key_ends_the_blank(void **state)
{
	static const char *const keys[] = {"b", ".", "Space", "PgUp", "x", "z", "7"};
	(void)state;
	struct buf out = {0};
	begin("banks", 1);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		press("b");
		draw(&out, 30, 100);
		assert_int_equal(strspn(buf_str(&out), "\n"), out.len);
		press(keys[i]);
		assert_int_equal(tutor->at.step, 1);
		assert_int_equal(tutor->presented->shown, 1);
		if (strcmp(keys[i], "7") != 0)
			assert_false(tutor->presented->blank);
		press("Esc");
		assert_false(tutor->presented->blank);
		assert_int_equal(screen.focus, SCREEN_BOTH);
	}
	buf_free(&out);
}

static void it_takes_two_keys_to_leave(void **state)
{
	(void)state;
	begin("banks", 0);
	press("q Space q");
	assert_false(tutor->quit);
	press("q");
	assert_true(tutor->quit);
	tutor->quit = false;
}

static void another_lesson_has_votes_of_its_own(void **state)
{
	(void)state;
	begin("banks", 0);
	press("Space Space Space 5");
	tutor_open(tutor, find_lesson("warps"), 0);
	assert_null(tutor->presented->vote);
	for (int i = 0; i < find_lesson("warps")->n_steps; i++) {
		tutor_present_go(tutor, i);
		press("u 5");
	}
	tutor_open(tutor, find_lesson("banks"), 0);
	assert_true(tutor->presented->shown < tutor->presented->pieces.n || tutor_answered(tutor));
}

/* --- the whole course --------------------------------------------------------------------------------------------- */

static bool is_blank_row(const char *line, size_t len)
{
	return strspn(line, " ") >= len;
}

/* A slide has its title, and something below it. */
static void check_slide(struct buf *out, int rows, int cols)
{
	draw(out, rows, cols);
	const char *text = buf_str(out);
	int filled = 0;
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		filled += !is_blank_row(line, strcspn(line, "\n"));
	if (filled < 5)
		fail_msg("%s/%d at %dx%d, piece %d:\n%s", tutor->at.lesson->id, tutor->at.step + 1, cols, rows,
			tutor->presented->shown, text);
}

static void the_course_can_be_walked_there_and_back(void **state)
{
	static const int sizes[][2] = {{16, 60}, {24, 80}, {30, 100}, {50, 160}};
	(void)state;
	struct buf out = {0};
	for (int l = 0; l < tutor->catalog->n_lessons; l++) {
		const struct lesson *lesson = tutor->catalog->lessons[l];
		begin(lesson->id, 0);
		int keys = 0;
		for (; !tutor->at.ending; keys++) {
			const int *size = sizes[keys % 4];
			check_slide(&out, size[0], size[1]);
			press("PgDn");
			assert_true(keys < 1000);
		}
		check_slide(&out, 30, 100);
		assert_int_equal(tutor->answer.state == ANSWER_TYPING, 0);
		for (; tutor->at.step > 0 || tutor->at.ending || tutor->presented->shown > 1; keys--) {
			press("PgUp");
			assert_true(keys > -100);
		}
	}
	buf_free(&out);
}

static uint32_t seed = 11;

static uint32_t random_below(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

static void any_keys_at_any_size_do_no_harm(void **state)
{
	static const char keys[][10] = {"Space", "PgDn", "PgUp", "Up", "Down", "Left", "Right", "Enter", "Tab", "Esc",
		"b", "x", "z", "v", "V", "a", "<", ">", "[", "]", "u", "h", "t", "+", "_", "1", "2", "9", "0", ".", "-",
		"Backspace", "N", "P", "Home", "End", "?", "g", "w", "m", "r", "q"};
	(void)state;
	struct buf out = {0};
	for (int round = 0; round < 6; round++) {
		begin(tutor->catalog->lessons[random_below((uint32_t)tutor->catalog->n_lessons)]->id, 0);
		for (int i = 0; i < 150; i++) {
			press(keys[random_below(sizeof keys / sizeof *keys)]);
			tutor->quit = false;
			draw(&out, 1 + (int)random_below(70), 1 + (int)random_below(240));
		}
	}
	buf_free(&out);
}

/* --- scripts ------------------------------------------------------------------------------------------------------ */

static size_t faults_of(const char *text, struct buf *messages)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct screen_script script;
	bool ok = screen_script_read(&script, arena, "talk", text, strlen(text), &diag);
	size_t errors = diag.errors;
	assert_int_equal(ok, errors == 0);
	buf_clear(messages);
	diag_format(&diag, messages);
	diag_free(&diag);
	arena_free(arena);
	return errors;
}

static void scripts_are_checked_whole(void **state)
{
	(void)state;
	struct buf messages = {0};
	assert_int_equal(faults_of("", &messages), 0);
	assert_int_equal(
		faults_of(
			"next\r\n  slide-next 3 # on\n\n#\nkey Space x Backspace\nwait 0.5\nset stride=4\ncount A 3\nquit",
			&messages),
		0);
	static const char *const wrong[] = {"nxt", "next x", "next 0", "next 1001", "next 3 4", "wait", "wait -1",
		"wait nan", "wait 1e9", "goto", "goto 0", "goto x", "set stride", "count A", "count A -1",
		"count A 10000", "count 3", "key", "key F99", "quit now", "show me", "slide-", "none"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (faults_of(wrong[i], &messages) != 1)
			fail_msg("'%s': %s", wrong[i], buf_str(&messages));
	assert_int_equal(faults_of("next\nnxt\nwait\n", &messages), 2);
	assert_non_null(strstr(buf_str(&messages), "talk:2: there is no command 'nxt'"));
	assert_non_null(strstr(buf_str(&messages), "talk:3: 'wait' takes a number of seconds"));
	buf_free(&messages);
}

static void a_script_performs_in_time(void **state)
{
	(void)state;
	static const char text[] = "next\nwait 10\nnext\nset stride=4\ngoto 2\nwait 4\nquit\n";
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct screen_script script;
	begin("banks", 0);
	assert_true(screen_script_read(&script, arena, "talk", text, strlen(text), &diag));
	script.speed = 2;
	assert_int_equal(screen_script_wait_ms(&script, 1000), 0);
	assert_true(screen_script_step(&script, &screen, tutor, 1000));
	assert_int_equal(tutor->presented->shown, 2);
	assert_int_equal(screen_script_wait_ms(&script, 1000), 5001);
	assert_false(screen_script_step(&script, &screen, tutor, 5999));
	assert_true(screen_script_step(&script, &screen, tutor, 6000));
	assert_int_equal(tutor->at.step, 1);
	assert_false(tutor->quit);
	assert_true(screen_script_step(&script, &screen, tutor, 8000));
	assert_true(tutor->quit);
	assert_int_equal(screen_script_wait_ms(&script, 9000), -1);
	tutor->quit = false;
	arena_free(arena);
	diag_free(&diag);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_come_one_by_one_and_go_again),
		cmocka_unit_test(a_slide_that_was_jumped_over_keeps_its_answer),
		cmocka_unit_test(hands_are_counted_for_choices),
		cmocka_unit_test(numbers_that_are_called_out_are_collected),
		cmocka_unit_test(what_answers_is_covered_until_it_is_revealed),
		cmocka_unit_test(numbers_lead_to_slides),
		cmocka_unit_test(any_key_ends_the_blank),
		cmocka_unit_test(it_takes_two_keys_to_leave),
		cmocka_unit_test(another_lesson_has_votes_of_its_own),
		cmocka_unit_test(the_course_can_be_walked_there_and_back),
		cmocka_unit_test(any_keys_at_any_size_do_no_harm),
		cmocka_unit_test(scripts_are_checked_whole),
		cmocka_unit_test(a_script_performs_in_time),
	};
	return cmocka_run_group_tests_name("present", tests, begin_session, end_session);
}
