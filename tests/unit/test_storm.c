/* Random keys, clicks, turns of the wheel and sizes of the terminal, in every lesson: nothing is drawn outside its
 * place, nothing that cannot be shown is drawn, and nothing falls over. A part of it always; all with
 * SIMTTUTOR_TEST_LONG, where a sanitizer's build belongs. The seed is fixed, so that what fails fails again;
 * SIMTTUTOR_TEST_SEED has another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "front/screen/screen.h"
#include "front/tutor/keys.h"

#define KEYS_ALL 20000
#define SIZES_ALL 500
#define KEYS_SOME 1500
#define SIZES_SOME 60

static uint64_t random_state;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

static struct tutor *begin(void)
{
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	struct paths paths = {.data = top ? top : ".",
		.worker = "/nonexistent/simttutor-gpu",
		.state = "/dev/null/none",
		.own = "/nonexistent"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	assert_non_null(tutor);
	tutor->keeps_progress = false;
	tutor->background = true;
	diag_free(&diag);
	return tutor;
}

struct storm {
	struct tutor *tutor;
	struct screen_state screen;
	struct screen_targets targets;
	struct canvas *canvas;
};

static void resize(struct storm *s, int cols, int rows)
{
	canvas_free(s->canvas);
	s->canvas = canvas_new(rows, cols);
}

static void draw(struct storm *s)
{
	screen_render(s->canvas, s->tutor, &s->screen, &s->targets);
	for (int i = 0; i < s->canvas->rows * s->canvas->cols; i++) {
		const struct cell *cell = &s->canvas->cells[i];
		assert_true(cell->role < ROLES && cell->ground < ROLES);
		assert_true(cell->ch == 0 || utf8_width(cell->ch) > 0);
	}
	assert_true(s->targets.n <= SCREEN_TARGETS_MAX);
}

/* Those of the tables, and what else can be typed. EDIT is left out: it writes where the reader's files are. */
static key_code random_key(void)
{
	static const char *const others[] = {"Backspace", "F1", "é", "漢", "́"};
	uint32_t which = random_below(10);
	if (which < 7) {
		const struct tutor_key *key = &tutor_keys[random_below((uint32_t)tutor_key_count)];
		return key->action == ACTION_EDIT ? 'n' : key->key;
	}
	if (which == 7)
		return key_named(others[random_below(sizeof others / sizeof *others)]);
	key_code typed = '!' + random_below('~' - '!' + 1);
	return typed == 'e' ? 'n' : typed;
}

static void do_something(struct storm *s)
{
	int row = (int)random_below((uint32_t)s->canvas->rows), col = (int)random_below((uint32_t)s->canvas->cols);
	switch (random_below(12)) {
	case 0: screen_click(&s->screen, s->tutor, &s->targets, row, col); break;
	case 1: screen_wheel(&s->screen, s->tutor, row, col, (int)random_below(7) - 3); break;
	case 4: screen_hover(&s->screen, s->tutor, row, col); break;
	case 2: screen_play_step(&s->screen, s->tutor); break;
	case 3:
		if (!screen_debugger(&s->screen) && tutor_has_work(s->tutor))
			tutor_work(s->tutor);
		break;
	default: screen_key(&s->screen, s->tutor, random_key()); break;
	}
	if (screen_debugger(&s->screen))
		screen_debugger_work(&s->screen);
	s->tutor->quit = false;
}

static bool is_long(void)
{
	const char *all = getenv("SIMTTUTOR_TEST_LONG");
	return all && *all;
}

static void random_keys_in_every_lesson(void **state)
{
	(void)state;
	const char *seed = getenv("SIMTTUTOR_TEST_SEED");
	random_state = seed ? strtoull(seed, NULL, 0) : 16;
	struct storm s = {.tutor = begin()};
	int keys = is_long() ? KEYS_ALL : KEYS_SOME, lessons = s.tutor->catalog->n_lessons;
	resize(&s, 80, 24);
	draw(&s);
	for (int i = 0; i < keys; i++) {
		if (i % (keys / (lessons + 1) + 1) == 0) {
			const struct lesson *lesson = s.tutor->catalog->lessons[random_below((uint32_t)lessons)];
			screen_end(&s.screen);
			tutor_open(s.tutor, lesson, (int)random_below((uint32_t)lesson->n_steps));
		}
		if (random_below(30) == 0)
			resize(&s, 40 + (int)random_below(200), 10 + (int)random_below(60));
		do_something(&s);
		draw(&s);
	}
	screen_end(&s.screen);
	canvas_free(s.canvas);
	tutor_free(s.tutor);
}

static void any_size_on_every_view(void **state)
{
	(void)state;
	random_state = 300;
	struct storm s = {.tutor = begin()};
	int sizes = is_long() ? SIZES_ALL : SIZES_SOME;
	for (int i = 0; i < sizes; i++) {
		const struct lesson *lesson = s.tutor->catalog
						      ->lessons[random_below((uint32_t)s.tutor->catalog->n_lessons)];
		if (i % 5 == 0)
			tutor_open(s.tutor, lesson, (int)random_below((uint32_t)lesson->n_steps));
		const struct step *step = tutor_step(s.tutor);
		if (step && step->has_experiment && step->n_views)
			tutor_show_view(s.tutor, (int)random_below((uint32_t)step->n_views));
		s.screen.focus = (enum screen_focus)random_below(SCREEN_FOCUSES);
		if (i % 3 == 0)
			screen_key(&s.screen, s.tutor, 'x');
		resize(&s, 1 + (int)random_below(300), 1 + (int)random_below(100));
		draw(&s);
	}
	screen_end(&s.screen);
	canvas_free(s.canvas);
	tutor_free(s.tutor);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_size_on_every_view),
		cmocka_unit_test(random_keys_in_every_lesson),
	};
	return cmocka_run_group_tests_name("storm", tests, NULL, NULL);
}
