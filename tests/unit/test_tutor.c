/* The session against a lesson of its own (written below), the project's kernel, and the fake worker. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "course/experiment/recordings.h"
#include "front/screen/screen.h"
#include "front/view/code.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "side_by_side.h"
#include "front/tutor/code.h"
#include "front/tutor/private.h"
#include "front/tutor/tutor.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"
#include "side_by_side.h"

static const char
	lesson_text[] = "---\n"
			"format: 1\n"
			"title: Strides\n"
			"track: Tests\n"
			"summary: A lesson for the tests.\n"
			"kernel: shared_stride\n"
			"parameters:\n"
			"  - name: stride\n"
			"    label: stride\n"
			"    unit: words\n"
			"    range: [0, 8]\n"
			"    default: 1\n"
			"  - name: rounds\n"
			"    label: rounds\n"
			"    values: [1, 2, 4]\n"
			"    default: 2\n"
			"experiment:\n"
			"  launch: {grid: \"2\", block: \"64\"}\n"
			"  args: [\"f32[1024]:iota\", \"f32[128]\", \"u32:{stride}\", \"u32:{rounds}\"]\n"
			"  watch: read\n"
			"  views: [banks, source, numbers]\n"
			"  metrics: [shared_load_requests, shared_load_wavefronts_per_request, time]\n"
			"takeaway: Done.\n"
			"---\n"
			"\n"
			"# Strides\n"
			"\n"
			"## First\n"
			"\n"
			"Text.\n"
			"\n"
			"```simt\n"
			"set: {stride: 2}\n"
			"question:\n"
			"  ask: How many wavefronts at stride 4?\n"
			"  set: {stride: 4}\n"
			"  metric: shared_load_wavefronts_per_request\n"
			"  hints: [one hint, another]\n"
			"  explain: Because.\n"
			"```\n"
			"\n"
			"## Second\n"
			"\n"
			"More text.\n"
			"\n"
			"```simt\n"
			"set: {stride: 1}\n"
			"views: [sweep, banks]\n"
			"sweep: {metric: shared_load_wavefronts_per_request, parameter: stride, range: [1, 8]}\n"
			"question:\n"
			"  ask: Which?\n"
			"  choices: [wrong, right]\n"
			"  correct: 2\n"
			"  explain: So it is.\n"
			"```\n"
			"\n"
			"## Third\n"
			"\n"
			"Nothing but text.\n";

static char data[64], state_dir[80];

__attribute__((format(printf, 1, 2))) static void run_shell(const char *format, ...)
{
	char command[2048];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof command, format, args);
	va_end(args);
	assert_int_equal(system(command), 0);
}

static const char *env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);
	return value ? value : otherwise;
}

static void remove_recording(void)
{
	run_shell("rm -f %s/lessons/01-strides/recorded.json", data);
}

static int make_data(void **state)
{
	(void)state;
	struct diag diag = {0};
	char path[200], worker[4096];
	snprintf(worker, sizeof worker, "%s/tests/fake-worker", env("top_builddir", "."));
	if (access(worker, X_OK) != 0) {
		fprintf(stderr, "# %s is not there: make it, or set top_builddir\n", worker);
		return 1;
	}
	strcpy(data, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(data))
		return 1;
	snprintf(state_dir, sizeof state_dir, "%s/state", data);
	run_shell("mkdir -p %s/lessons/01-strides && ln -s $(cd '%s' && pwd)/kernels %s/kernels", data,
		env("top_srcdir", "."), data);
	snprintf(path, sizeof path, "%s/lessons/01-strides/lesson.md", data);
	return !file_write(path, lesson_text, sizeof lesson_text - 1, &diag);
}

static int remove_data(void **state)
{
	(void)state;
	run_shell("rm -rf %s", data);
	return 0;
}

/* --- sessions ----------------------------------------------------------------------------------------------------- */

static struct screen_state screen; /* of the session that is open */

static struct tutor *begin_with(const char *gpu)
{
	struct diag diag = {0};
	struct paths paths = {.data = data, .worker = "/nonexistent/simttutor-gpu", .state = state_dir};
	struct tutor *tutor = tutor_new(&paths, gpu, &diag);
	screen = (struct screen_state){0};
	struct buf text = {0};
	diag_format(&diag, &text);
	if (!tutor || diag.errors)
		fail_msg("%s", buf_str(&text));
	buf_free(&text);
	diag_free(&diag);
	return tutor;
}

static struct tutor *begin(void)
{
	run_shell("rm -rf %s", state_dir);
	return begin_with("none");
}

static struct tutor *begin_at(int step)
{
	struct tutor *tutor = begin();
	tutor_open(tutor, tutor->catalog->lessons[0], step);
	return tutor;
}

static void press(struct tutor *tutor, const char *keys)
{
	char word[16];
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n)
		screen_key(&screen, tutor, key_named(word));
}

static double predicted(const struct tutor *tutor, int row)
{
	assert_true(row < tutor->shown.input.numbers->n_rows);
	assert_int_equal(tutor->shown.input.numbers->rows[row].predicted.state, VALUE_OK);
	return tutor->shown.input.numbers->rows[row].predicted.v;
}

#define assert_near(a, b) assert_true((a) - (b) < 1e-9 && (b) - (a) < 1e-9)

/* --- opening and walking ------------------------------------------------------------------------------------------ */

static void a_step_opens_with_its_own_values(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	assert_int_equal(tutor->at.mode, TUTOR_LIST);
	press(tutor, "Enter");
	assert_int_equal(tutor->at.mode, TUTOR_LESSON);
	assert_int_equal(tutor->at.values[0], 2);
	assert_int_equal(tutor->at.values[1], 2);
	assert_int_equal(tutor->shown.view, VIEW_BANKS);
	assert_null(tutor->shown.problems);
	/* 2 blocks of 2 warps, 2 rounds */
	assert_near(predicted(tutor, 0), 8);
	assert_near(predicted(tutor, 1), 2);
	assert_int_equal(tutor->shown.input.numbers->rows[2].predicted.state, VALUE_OK); /* time, an estimate */
	assert_non_null(tutor->shown.input.access);
	assert_int_equal(tutor->shown.input.access->active, ~0u);
	assert_int_equal(tutor->shown.input.access->address[3] - tutor->shown.input.access->address[0], 3 * 2 * 4);
	tutor_free(tutor);
}

static void steps_end_in_the_ending(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "p");
	assert_int_equal(tutor->at.step, 0);
	press(tutor, "n n");
	assert_int_equal(tutor->at.step, 2);
	assert_null(tutor->shown.input.access);
	assert_int_equal(tutor->shown.view, VIEW_NONE);
	assert_false(tutor_can(tutor, ACTION_VIEW_NEXT));
	assert_false(tutor_can(tutor, ACTION_PARAM_NEXT));
	press(tutor, "Right Left Tab r v V z m a h Up Down Space PgUp");
	assert_int_equal(tutor->at.step, 2);
	press(tutor, "n");
	assert_true(tutor->at.ending);
	assert_null(tutor_step(tutor));
	press(tutor, "Right Left Tab r v V z m a h Up Down Space PgUp 5 Backspace");
	assert_true(tutor->at.ending);
	press(tutor, "p");
	assert_false(tutor->at.ending);
	assert_int_equal(tutor->at.step, 2);
	press(tutor, "n n");
	assert_int_equal(tutor->at.mode, TUTOR_LIST);
	tutor_free(tutor);
}

static void progress_is_kept_where_it_is_wanted(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "n");
	tutor_free(tutor);
	tutor = begin_with("none");
	press(tutor, "Enter");
	assert_int_equal(tutor->at.step, 1);
	tutor->keeps_progress = false;
	press(tutor, "n");
	tutor_free(tutor);
	tutor = begin_with("none");
	press(tutor, "Enter");
	assert_int_equal(tutor->at.step, 1);
	tutor_free(tutor);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static void arrows_turn_the_parameter_within_its_values(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "Right");
	assert_int_equal(tutor->at.values[0], 3);
	assert_near(predicted(tutor, 1), 1);
	press(tutor, "Left Left Left Left Left Left");
	assert_int_equal(tutor->at.values[0], 0);
	assert_near(predicted(tutor, 1), 1);
	for (int i = 0; i < 20; i++)
		press(tutor, "Right");
	assert_int_equal(tutor->at.values[0], 8);
	assert_near(predicted(tutor, 1), 8);
	press(tutor, "Tab Right");
	assert_int_equal(tutor->at.values[1], 4);
	assert_near(predicted(tutor, 0), 16);
	press(tutor, "Tab Left");
	assert_int_equal(tutor->at.values[0], 7);
	assert_true(tutor_can(tutor, ACTION_PARAM_RESET));
	press(tutor, "r");
	assert_int_equal(tutor->at.values[0], 2);
	assert_int_equal(tutor->at.values[1], 2);
	assert_false(tutor_can(tutor, ACTION_PARAM_RESET));
	tutor_free(tutor);
}

static void set_names_what_it_takes(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	struct diag diag = {0};
	assert_true(tutor_set(tutor, "rounds", 4, &diag));
	assert_near(predicted(tutor, 0), 16);
	assert_false(tutor_set(tutor, "rounds", 3, &diag));
	assert_non_null(strstr(diag.entries[0].message, "1, 2, 4"));
	assert_false(tutor_set(tutor, "width", 3, &diag));
	assert_non_null(strstr(diag.entries[1].message, "stride, rounds"));
	assert_int_equal(tutor->at.values[1], 4);
	diag_free(&diag);
	tutor_free(tutor);
}

static void experiments_are_kept_but_not_without_bound(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	struct experiments *set = tutor->private->experiments;
	press(tutor, "Right Left Right Left");
	assert_int_equal(experiments_count(set), 2);
	int64_t values[2] = {0, 0};
	for (int i = 0; i < 3 * TUTOR_EXPERIMENTS; i++) {
		values[0] = i % 9;
		values[1] = 1 + i / 9;
		struct experiment *e = experiment_open(set, &tutor->at.lesson->steps[0], values);
		assert_true(experiment_run(e)->ran);
		assert_int_equal(e->values[1], values[1]);
		assert_ptr_equal(experiment_find_run(set, &tutor->at.lesson->steps[0], values), e);
	}
	assert_int_equal(experiments_count(set), TUTOR_EXPERIMENTS);
	/* what is on the screen is still there */
	assert_near(predicted(tutor, 1), 2);
	assert_int_equal(tutor->shown.input.access->address[1], 8);
	tutor_free(tutor);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void a_number_is_checked_against_the_model(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "7 Enter");
	assert_int_equal(tutor->answer.state, ANSWER_WRONG);
	assert_false(tutor_answered(tutor));
	assert_int_equal(tutor->at.values[0], 2);
	press(tutor, "Enter Enter"); /* begin again, with nothing typed */
	assert_int_equal(tutor->answer.state, ANSWER_TYPING);
	assert_non_null(strstr(tutor->notice, "Type a number"));
	press(tutor, "4 1 Backspace Enter");
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	assert_true(tutor_answered(tutor));
	/* the picture now shows what was asked about */
	assert_int_equal(tutor->at.values[0], 4);
	assert_near(predicted(tutor, 1), 4);
	press(tutor, "9");
	assert_string_equal(tutor->answer.text, "4");
	press(tutor, "Enter");
	assert_int_equal(tutor->at.step, 1);
	press(tutor, "p");
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	tutor_free(tutor);
}

static void other_spellings_of_the_number_are_right_too(void **state)
{
	(void)state;
	static const struct {
		const char *keys;
		enum tutor_answer_state state;
	} rows[] = {
		{"4 . 0 0 Enter", ANSWER_RIGHT},
		{"0 4 Enter", ANSWER_RIGHT},
		{"3 . 9 9 Enter", ANSWER_RIGHT},
		{"3 . 9 Enter", ANSWER_WRONG},
		{"4 . . Enter", ANSWER_TYPING},
		{"4 - 1 Enter", ANSWER_TYPING},
		{"4 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 Enter", ANSWER_WRONG},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tutor *tutor = begin_at(0);
		press(tutor, rows[i].keys);
		if (tutor->answer.state != rows[i].state)
			fail_msg("%s: %d", rows[i].keys, (int)tutor->answer.state);
		tutor_free(tutor);
	}
}

/* A character left out would make another number of what was typed, and of that a try. */
static void what_is_not_a_number_is_not_judged(void **state)
{
	(void)state;
	static const struct {
		const char *keys, *answer;
	} rows[] = {
		{"1 6 , 5", "16,5"},
		{"3 3 / 2", "33/2"},
		{", 5", ",5"},
		{"1 e 3", "1e3"},
		{"0 x 4", "0x4"},
		{"4 %", "4%"},
		{"a +", "+"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tutor *tutor = begin_at(0);
		press(tutor, rows[i].keys);
		assert_string_equal(tutor->answer.text, rows[i].answer);
		assert_non_null(strstr(tutor->notice, "digits, point, minus"));
		press(tutor, "Enter");
		assert_int_equal(tutor->answer.state, ANSWER_TYPING);
		assert_non_null(strstr(tutor->notice, "digits, point, minus"));
		assert_int_equal(
			lesson_progress_tries(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id).tries, 0);
		tutor_free(tutor);
	}
	struct tutor *tutor = begin_at(0);
	press(tutor, "4 , Backspace");
	assert_string_equal(tutor->notice, "");
	press(tutor, "Enter");
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	tutor_free(tutor);
	tutor = begin_at(0);
	press(tutor, "%"); /* nothing is being typed */
	assert_false(tutor_typing(tutor));
	press(tutor, "- 4 h"); /* keys keep their meaning */
	assert_string_equal(tutor->answer.text, "-4");
	assert_int_equal(tutor->answer.hints_shown, 1);
	press(tutor, "Enter");
	assert_int_equal(tutor->answer.state, ANSWER_WRONG);
	tutor_free(tutor);
}

static void an_answer_can_be_given_up(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "a 1 2");
	assert_true(tutor_typing(tutor));
	press(tutor, "Esc");
	assert_false(tutor_typing(tutor));
	assert_int_equal(tutor->at.mode, TUTOR_LESSON);
	assert_string_equal(tutor->answer.text, "");
	press(tutor, "Esc");
	assert_int_equal(tutor->at.mode, TUTOR_LIST);
	press(tutor, "4 Backspace a h");
	assert_int_equal(tutor->at.mode, TUTOR_LIST);
	tutor_free(tutor);
}

static void an_answer_can_be_taken_back(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	const char *lesson = tutor->at.lesson->id, *step = tutor_step(tutor)->id;
	lesson_progress_answer(tutor->progress, lesson, step);
	tutor_open(tutor, tutor->at.lesson, 0);
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	press(tutor, "B");
	assert_int_equal(tutor->answer.state, ANSWER_NONE);
	assert_false(lesson_progress_answered(tutor->progress, lesson, step));
	lesson_progress_answer(tutor->progress, lesson, step);
	press(tutor, "R n R");
	assert_true(lesson_progress_answered(tutor->progress, lesson, step)); /* one R warns */
	press(tutor, "R");
	assert_false(lesson_progress_answered(tutor->progress, lesson, step));
	assert_int_equal(tutor->at.step, 0);
	tutor_free(tutor);
}

static void hints_come_one_by_one(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "h");
	assert_int_equal(tutor->answer.hints_shown, 1);
	press(tutor, "h h");
	assert_int_equal(tutor->answer.hints_shown, 2);
	assert_non_null(strstr(tutor->notice, "no more hints"));
	press(tutor, "n");
	assert_int_equal(tutor->answer.hints_shown, 0);
	assert_string_equal(tutor->notice, "");
	tutor_free(tutor);
}

static void a_choice_is_made_by_number_or_arrows(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(1);
	press(tutor, "Enter Enter");
	assert_int_equal(tutor->answer.state, ANSWER_TYPING);
	assert_non_null(strstr(tutor->notice, "Choose"));
	press(tutor, "9");
	assert_int_equal(tutor->answer.choice, -1);
	press(tutor, "1 Enter");
	assert_int_equal(tutor->answer.state, ANSWER_WRONG);
	press(tutor, "a Down Down Down Enter");
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	assert_int_equal(tutor->answer.choice, 1);
	tutor_free(tutor);
}

static enum value_state state_of(const struct tutor *tutor, int row)
{
	return tutor->shown.input.numbers->rows[row].predicted.state;
}

static void what_answers_a_question_is_covered(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	assert_false(tutor_covered(tutor) || tutor_can(tutor, ACTION_UNCOVER));
	press(tutor, "Right Right");
	assert_int_equal(tutor->at.values[0], 4);
	assert_true(tutor_covered(tutor) && tutor_can(tutor, ACTION_UNCOVER));
	assert_non_null(strstr(tutor->notice, "Commit to an answer first? (u"));
	assert_int_equal(state_of(tutor, 0), VALUE_COVERED);
	assert_int_equal(state_of(tutor, 1), VALUE_COVERED);
	assert_null(tutor->shown.input.access);
	assert_non_null(strstr(tutor->shown.input.covered, "press u"));
	assert_false(tutor_can(tutor, ACTION_PLAY));
	press(tutor, "7 Enter"); /* a wrong answer uncovers nothing */
	assert_int_equal(tutor->answer.state, ANSWER_WRONG);
	assert_int_equal(state_of(tutor, 1), VALUE_COVERED);
	press(tutor, "Left");
	assert_false(tutor_covered(tutor));
	assert_near(predicted(tutor, 1), 1);
	press(tutor, "u"); /* there is nothing to uncover */
	assert_false(lesson_progress_tries(tutor->progress, tutor->at.lesson->id, tutor_step(tutor)->id).looked);
	press(tutor, "Tab Right Tab Right"); /* with 4 rounds it is not what was asked about */
	assert_near(predicted(tutor, 1), 4);
	tutor_free(tutor);
}

static void what_is_uncovered_counts_as_looked_up(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	const struct lesson *lesson = tutor->at.lesson;
	press(tutor, "Right Right u");
	assert_false(tutor_covered(tutor));
	assert_near(predicted(tutor, 1), 4);
	assert_int_equal(lesson_progress_score(tutor->progress, lesson).looked_up, 0); /* it is not answered yet */
	press(tutor, "n p Right Right");
	assert_near(predicted(tutor, 1), 4); /* it stays uncovered */
	press(tutor, "4 Enter");
	assert_int_equal(tutor->answer.state, ANSWER_RIGHT);
	struct lesson_progress_score score = lesson_progress_score(tutor->progress, lesson);
	assert_int_equal(score.answered, 1);
	assert_int_equal(score.looked_up, 1);
	assert_int_equal(score.at_once, 0);
	tutor_free(tutor);
	tutor = begin_with("none");
	score = lesson_progress_score(tutor->progress, tutor->catalog->lessons[0]);
	assert_int_equal(score.looked_up, 1);
	tutor_free(tutor);
}

static void a_right_answer_says_where_it_turned_to(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "4 Enter");
	assert_int_equal(tutor->at.values[0], 4);
	assert_string_equal(tutor->answer.moved, "stride 4 words");
	assert_near(predicted(tutor, 1), 4);
	press(tutor, "n p");
	assert_string_equal(tutor->answer.moved, "");
	tutor_free(tutor);
	tutor = begin_at(0);
	press(tutor, "Right Right 4 Enter");
	assert_string_equal(tutor->answer.moved, ""); /* it was there */
	assert_near(predicted(tutor, 1), 4);
	tutor_free(tutor);
}

/* --- views, sweep, help ------------------------------------------------------------------------------------------- */

/* The model's timelines are made when a view needs them, for the values of then, and on the SMs of the recorded GPU or
 * a named default. */
static void timelines_come_with_their_views(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	assert_null(tutor->shown.input.times->schedule);
	press(tutor, "Right");
	assert_null(tutor->shown.input.times->schedule);
	tutor_turn_to_view(tutor, VIEW_SCHEDULE);
	assert_non_null(tutor->shown.input.times->schedule);
	assert_true(tutor->shown.input.times->blocks && tutor->shown.input.times->mask);
	/* block 0 of 2 warps is alone on its SM; 2 of 132 SMs have a block */
	assert_int_equal(tutor->shown.input.times->schedule->n_rows, 2);
	assert_int_equal(tutor->shown.input.times->blocks->sms, 132);
	assert_int_equal(tutor->shown.input.times->blocks->used, 2);
	const struct schedule_timeline *before = tutor->shown.input.times->schedule;
	uint64_t end = before->end;
	tutor_turn_to_view(tutor, VIEW_MASK);
	assert_ptr_equal(tutor->shown.input.times->schedule, before);
	tutor_act(tutor, ACTION_PARAM_PREVIOUS);
	assert_non_null(tutor->shown.input.times->schedule);
	/* back at stride 2, where each load takes two wavefronts, and at 3 one */
	assert_true(tutor->shown.input.times->schedule->end > end);
	assert_false(tutor->shown.input.times->mask->n == 0);
	tutor_turn_to_view(tutor, VIEW_BANKS);
	press(tutor, "Right");
	assert_null(tutor->shown.input.times->schedule);
	press(tutor, "n n");
	tutor_turn_to_view(tutor, VIEW_BLOCKS);
	assert_null(tutor->shown.input.times->blocks);
	press(tutor, "q q");
	tutor_free(tutor);
}

static void views_go_round(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "v");
	assert_int_equal(tutor->shown.view, VIEW_SOURCE);
	press(tutor, "v v");
	assert_int_equal(tutor->shown.view, VIEW_BANKS);
	press(tutor, "V");
	assert_int_equal(tutor->shown.view, VIEW_NUMBERS);
	tutor_show_view(tutor, 1);
	assert_int_equal(tutor->shown.view, VIEW_SOURCE);
	tutor_show_view(tutor, 7);
	assert_int_equal(tutor->shown.view, VIEW_SOURCE);
	press(tutor, "z");
	assert_int_equal(screen.focus, SCREEN_PICTURE);
	press(tutor, "Esc");
	assert_int_equal(screen.focus, SCREEN_BOTH);
	assert_int_equal(tutor->at.mode, TUTOR_LESSON);
	tutor_free(tutor);
}

/* The first letters of a title, typed one by one. */
static void type_title(struct tutor *tutor, const char *title)
{
	for (int i = 0; i < 12 && title[i]; i++)
		press(tutor, title[i] == ' ' ? "Space" : (char[]){title[i], '\0'});
}

static void everything_is_found(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "g 2 Enter");
	assert_int_equal(tutor->at.step, 1);
	assert_false(screen_has(&screen.modes, &screen_mode_finder));
	press(tutor, "/");
	type_title(tutor, tutor->at.lesson->steps[0].title);
	press(tutor, "Enter");
	assert_int_equal(tutor->at.step, 0);
	press(tutor, ": n e x t Space s t e p Enter");
	assert_int_equal(tutor->at.step, 1);
	/* 'T' is typed here; as an action it is the caller's */
	press(tutor, "/ T");
	assert_false(screen.theme_asked);
	assert_string_equal(screen.finder.typed, "T");
	press(tutor, "Backspace Backspace x é Backspace");
	assert_string_equal(screen.finder.typed, "x");
	press(tutor, "Esc : c o l o r s Enter");
	assert_true(screen.theme_asked);
	/* nothing is found, nothing is gone to; more than fits is not typed */
	press(tutor, "/ q q q Down Up Enter");
	assert_int_equal(tutor->at.step, 1);
	press(tutor, "/");
	for (int i = 0; i < 200; i++)
		press(tutor, "y");
	assert_true(strlen(screen.finder.typed) < sizeof screen.finder.typed);
	press(tutor, "Esc");
	tutor_free(tutor);
}

/* A step by its title, completed by Tab; a step in the list. */
static void steps_are_chosen(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	const struct lesson *lesson = tutor->at.lesson;
	press(tutor, ":");
	type_title(tutor, lesson->steps[1].title);
	press(tutor, "Tab");
	assert_string_equal(screen.finder.typed, lesson->steps[1].title);
	press(tutor, "Tab Enter");
	assert_int_equal(tutor->at.step, 1);
	press(tutor, ": n e x t Space s t Tab");
	assert_string_equal(screen.finder.typed, "next step");
	press(tutor, "Esc q");
	assert_int_equal(tutor->at.mode, TUTOR_LIST);
	assert_int_equal(tutor->at.listed_step, 0);
	press(tutor, "Right"); /* where the lesson was left */
	assert_int_equal(tutor->at.listed_step, 2);
	press(tutor, "Up Up Up");
	assert_int_equal(tutor->at.listed_step, 1);
	for (int i = 0; i < 30; i++)
		press(tutor, "Down");
	assert_int_equal(tutor->at.listed_step, lesson->n_steps);
	press(tutor, "Left");
	assert_int_equal(tutor->at.listed_step, 0);
	press(tutor, "Right PgUp Enter");
	assert_int_equal(tutor->at.mode, TUTOR_LESSON);
	assert_int_equal(tutor->at.step, 0);
	press(tutor, "q");
	assert_int_equal(tutor->at.listed_step, 0);
	tutor_free(tutor);
}

static void the_source_shows_what_each_line_did(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	const struct view_source *source = tutor->shown.input.source;
	assert_true(source->watched > 0 && source->watched <= source->n_lines);
	const struct view_source_line *line = &source->lines[source->watched - 1];
	assert_non_null(strstr(line->text, "tile[lane * stride]"));
	assert_true(line->executed);
	assert_int_equal(line->requests, 8);
	assert_near(line->wavefronts.v, 2);
	assert_int_equal(line->sectors.state, VALUE_NONE);
	assert_near(line->active_lanes.v, 32);
	assert_int_equal(source->lines[0].requests, 0);
	tutor_free(tutor);
}

static void check_sweep(const struct view_sweep *sweep)
{
	static const double waves[] = {1, 2, 1, 4, 1, 2, 1, 8};
	assert_int_equal(sweep->n, 8);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(sweep->xs[i], i + 1);
		assert_int_equal(sweep->predicted[i].state, VALUE_OK);
		assert_near(sweep->predicted[i].v, waves[i]);
	}
}

static void a_sweep_is_there_at_once_or_bit_by_bit(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(1);
	check_sweep(tutor->shown.input.sweep);
	assert_int_equal(tutor->shown.input.sweep->at, 1);
	assert_false(tutor_has_work(tutor));
	tutor_free(tutor);
	tutor = begin();
	tutor->background = true;
	tutor_open(tutor, tutor->catalog->lessons[0], 1);
	assert_true(tutor_has_work(tutor));
	assert_int_equal(tutor->shown.input.sweep->predicted[7].state, VALUE_PENDING);
	int pieces = 0;
	for (; tutor_has_work(tutor); pieces++)
		tutor_work(tutor);
	assert_int_equal(pieces, 8);
	check_sweep(tutor->shown.input.sweep);
	press(tutor, "Right");
	assert_false(tutor_has_work(tutor)); /* the swept parameter itself changes nothing */
	assert_int_equal(tutor->shown.input.sweep->at, 2);
	press(tutor, "Tab Right");
	assert_true(tutor_has_work(tutor));
	press(tutor, "p");
	assert_false(tutor_has_work(tutor));
	assert_int_equal(tutor->shown.input.sweep->n, 0);
	tutor_free(tutor);
}

static void help_takes_the_next_key(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	press(tutor, "? Down Down PgDn");
	assert_true(screen_has(&screen.modes, &screen_mode_help));
	press(tutor, "4");
	assert_false(screen_has(&screen.modes, &screen_mode_help));
	assert_string_equal(tutor->answer.text, "");
	press(tutor, "? n");
	assert_false(screen_has(&screen.modes, &screen_mode_help));
	assert_int_equal(tutor->at.step, 0);
	press(tutor, "? ?");
	assert_false(screen_has(&screen.modes, &screen_mode_help));
	press(tutor, "? Q");
	assert_true(tutor->quit);
	tutor_free(tutor);
}

/* --- measured numbers --------------------------------------------------------------------------------------------- */

static void without_a_gpu_the_number_is_missing(void **state)
{
	(void)state;
	struct tutor *tutor = begin_at(0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(tutor->shown.input.numbers->rows[i].measured.state, VALUE_NO_GPU);
		assert_int_equal(tutor->shown.input.numbers->rows[i].measured_by, WITNESS_NONE);
	}
	assert_null(tutor->measured.on);
	assert_int_equal(tutor->measured.status_by, WITNESS_NONE);
	assert_string_equal(tutor->notice, "");
	press(tutor, "m");
	assert_true(tutor->notice[0]);
	tutor_gpu_start(tutor);
	for (int i = 0; i < 5; i++)
		tutor_gpu_step(tutor);
	tutor_free(tutor);
}

/* Stores a result for stride 2 of the first step: 8 requests, 17 wavefronts, under `fingerprint`. */
static void record(const char *fingerprint)
{
	struct tutor *tutor = begin_at(0);
	struct arena *arena = arena_new();
	struct experiment_recordings *recorded = experiment_recordings_new(arena);
	static const char *const names[] = {
		"smsp__inst_executed_op_shared_ld.sum",
		"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
	};
	static const double values[] = {8, 17};
	static const bool available[] = {true, true};
	struct experiment_provenance from = {"NVIDIA H200", "580.1", "13.0", "13.0.85", "2026-11-21", 90, 132};
	struct wire_measurement m = {.metrics = names, .values = values, .available = available, .n = 2, .passes = 1};
	experiment_recordings_put(recorded, &from,
		fingerprint ? fingerprint : tutor->private->shown->kernel->fingerprint, tutor->private->shown->launch,
		&m);
	char path[200];
	struct diag diag = {0};
	snprintf(path, sizeof path, "%s/lessons/01-strides/recorded.json", data);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	arena_free(arena);
	tutor_free(tutor);
}

/* Beside that of the H200 one of a GPU that does not exist. */
static void record_on_another(void)
{
	char path[200];
	struct diag diag = {0};
	struct tutor *tutor = begin_at(0);
	struct arena *arena = arena_new();
	static const char *const names[] = {
		"smsp__inst_executed_op_shared_ld.sum",
		"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
	};
	static const double values[] = {8, 24};
	static const bool available[] = {true, true};
	struct experiment_provenance from = {"Made-up GPU", "1.0", "13.0", "13.0.85", "2026-11-22", 86, 20};
	struct wire_measurement m = {.metrics = names, .values = values, .available = available, .n = 2, .passes = 1};
	snprintf(path, sizeof path, "%s/lessons/01-strides/recorded.json", data);
	struct experiment_recordings *recorded = experiment_recordings_load(arena, path, &diag);
	experiment_recordings_put(
		recorded, &from, tutor->private->shown->kernel->fingerprint, tutor->private->shown->launch, &m);
	assert_true(experiment_recordings_write(recorded, path, &diag));
	arena_free(arena);
	tutor_free(tutor);
}

static void recordings_of_several_gpus_are_chosen_from(void **state)
{
	(void)state;
	struct diag diag = {0};
	record(NULL);
	struct tutor *tutor = begin_at(0);
	assert_false(tutor_can(tutor, ACTION_RECORDING));
	tutor_free(tutor);
	record_on_another();
	tutor = begin_at(0);
	assert_near(tutor->shown.input.numbers->rows[1].measured.v, 17.0 / 8);
	assert_string_equal(tutor->measured.on, "NVIDIA H200, recorded 2026-11-21 (1 of 2)");
	assert_true(tutor_can(tutor, ACTION_RECORDING));
	press(tutor, "W");
	assert_near(tutor->shown.input.numbers->rows[1].measured.v, 3);
	assert_string_equal(tutor->measured.on, "Made-up GPU, recorded 2026-11-22 (2 of 2)");
	assert_string_equal(tutor->measured.on_short, "Made-up GPU, recorded (W: H200)");
	assert_string_equal(tutor->measured.status, "recorded: Made-up GPU, 2026-11-22");
	assert_string_equal(tutor->notice,
		"The numbers shown were recorded on Made-up GPU. Texts, questions and claims are about NVIDIA H200.");
	/* it is remembered */
	tutor_act(tutor, ACTION_BACK);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_near(tutor->shown.input.numbers->rows[1].measured.v, 3);
	press(tutor, "W");
	assert_near(tutor->shown.input.numbers->rows[1].measured.v, 17.0 / 8);
	assert_true(tutor_show_recorded_on(tutor, "Made-up GPU", &diag));
	assert_near(tutor->shown.input.numbers->rows[1].measured.v, 3);
	assert_false(tutor_show_recorded_on(tutor, "H100", &diag));
	assert_string_equal(
		diag.entries[0].message, "the lesson was not recorded on 'H100'; it was on NVIDIA H200, Made-up GPU");
	diag_free(&diag);
	tutor_free(tutor);
	remove_recording();
}

static void recordings_of_several_gpus_stand_beside_each_other(void **state)
{
	(void)state;
	record(NULL);
	record_on_another();
	struct tutor *tutor = begin_at(0);
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	assert_int_equal(numbers->n_elsewhere, 1);
	assert_string_equal(numbers->measured_name, "H200");
	assert_string_equal(numbers->elsewhere[0].name, "Made-up GPU");
	assert_string_equal(numbers->elsewhere[0].date, "2026-11-22");
	assert_near(numbers->elsewhere[0].measured[1].v, 3);
	assert_true(view_elsewhere_is_same(&numbers->rows[0], numbers->elsewhere[0].measured[0]));
	assert_false(view_elsewhere_is_same(&numbers->rows[1], numbers->elsewhere[0].measured[1]));
	assert_int_not_equal(numbers->elsewhere[0].measured[2].state, VALUE_OK);
	press(tutor, "W");
	assert_int_equal(numbers->n_elsewhere, 1);
	assert_string_equal(numbers->elsewhere[0].name, "H200");
	assert_near(numbers->elsewhere[0].measured[1].v, 17.0 / 8);
	/* what neither was asked to do is recorded nowhere */
	press(tutor, "Right");
	assert_int_equal(numbers->n_elsewhere, 0);
	tutor_free(tutor);
	remove_recording();
}

static void names_of_gpus_are_shortened(void **state)
{
	(void)state;
	static const char *const names[][2] = {{"NVIDIA H200", "H200"}, {"NVIDIA H100 80GB HBM3", "H100"},
		{"NVIDIA A100-SXM4-80GB", "A100"}, {"NVIDIA GeForce RTX 4090", "RTX 4090"}, {"Tesla T4", "T4"},
		{"Made-up GPU", "Made-up GPU"}, {"NVIDIA ", "NVIDIA "}, {"", ""}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char out[48];
		tutor_gpu_short_name(names[i][0], out, sizeof out);
		assert_string_equal(out, names[i][1]);
	}
}

static void recorded_numbers_name_their_gpu(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin_at(0);
	const struct view_number *rows = tutor->shown.input.numbers->rows;
	assert_int_equal(rows[0].measured_by, WITNESS_RECORDED);
	assert_near(rows[0].measured.v, 8);
	assert_near(rows[1].measured.v, 17.0 / 8);
	assert_int_equal(rows[2].measured.state, VALUE_NO_GPU);
	assert_non_null(strstr(tutor->measured.on, "NVIDIA H200"));
	assert_non_null(strstr(tutor->measured.on, "2026-11-21"));
	assert_int_equal(tutor->measured.status_by, WITNESS_RECORDED);
	press(tutor, "Right");
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured.state, VALUE_NO_GPU);
	assert_null(tutor->measured.on);
	tutor_free(tutor);
	remove_recording();
}

/* A session whose first step compares its stride of 2 with another. */
static void compare_with(struct tutor *tutor, const int64_t *values)
{
	tutor->catalog->lessons[0]->steps[0].compare = values;
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
}

static const int64_t stride_8[] = {8, 2}, stride_4[] = {4, 2}; /* and two rounds */

static void check_names(const struct tutor *tutor, const char *first, const char *second, int shown)
{
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	assert_non_null(numbers->other);
	assert_string_equal(numbers->names[0], first);
	assert_string_equal(numbers->names[1], second);
	assert_int_equal(numbers->shown, shown);
	assert_string_equal(tutor->shown.input.compare->names[1], second);
	assert_int_equal(tutor->shown.input.compare->shown, shown);
}

static void another_setting_stands_beside_the_shown_one(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct tutor *tutor = begin();
	compare_with(tutor, stride_8);
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	check_names(tutor, "2 words", "8 words", 0);
	assert_near(predicted(tutor, 1), 2);
	assert_near(numbers->other[1].predicted.v, 8);
	assert_int_equal(numbers->other[1].metric, numbers->rows[1].metric);
	assert_near(tutor->shown.input.compare->values[1][1].v, 8);
	press(tutor, "Right"); /* the first column is the reader's */
	check_names(tutor, "3 words", "8 words", 0);
	assert_near(predicted(tutor, 1), 1);
	assert_true(tutor_set(tutor, "rounds", 4, &diag)); /* what is not compared is that of both */
	assert_near(predicted(tutor, 0), 16);
	assert_near(numbers->other[0].predicted.v, 16);
	assert_true(tutor_set(tutor, "stride", 8, &diag)); /* both columns stay where they are */
	check_names(tutor, "2 words", "8 words", 1);
	assert_near(predicted(tutor, 1), 8);
	assert_near(numbers->other[1].predicted.v, 2);
	assert_near(tutor->shown.input.compare->values[1][1].v, 8);
	tutor_open(tutor, tutor->at.lesson, 1); /* which compares nothing */
	assert_null(numbers->other);
	assert_null(tutor->shown.input.compare->names[0]);
	tutor_free(tutor);
}

static void where_both_settings_were_measured_is_named(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin();
	compare_with(tutor, stride_8);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured_by, WITNESS_RECORDED);
	assert_int_equal(tutor->shown.input.numbers->other[0].measured.state, VALUE_NO_GPU);
	assert_string_equal(tutor->measured.on, "2 words: NVIDIA H200, recorded 2026-11-21; 8 words: no GPU");
	tutor_free(tutor);
	remove_recording();
}

static void a_question_covers_the_setting_beside_the_shown_one(void **state)
{
	(void)state;
	struct tutor *tutor = begin();
	compare_with(tutor, stride_4); /* which the question asks about */
	const struct view_input *input = &tutor->shown.input;
	assert_true(tutor_covered(tutor));
	assert_false(tutor_covers_launch(tutor));
	assert_near(predicted(tutor, 1), 2);
	assert_non_null(input->access);
	for (int i = 0; i < input->numbers->n_rows; i++)
		assert_int_equal(input->numbers->other[i].predicted.state, VALUE_COVERED);
	for (int i = 0; i < input->compare->n_metrics; i++) {
		assert_int_equal(input->compare->values[0][i].state, VALUE_OK);
		assert_int_equal(input->compare->values[1][i].state, VALUE_COVERED);
	}
	for (int i = 0; i < input->compare->sources[1].n_lines; i++)
		assert_int_equal(input->compare->sources[1].lines[i].wavefronts.state, VALUE_NONE);
	for (int i = 0; i < input->compare->n_rows; i++)
		assert_int_not_equal(input->compare->rows[i].mark, '#');
	press(tutor, "u");
	assert_near(input->numbers->other[1].predicted.v, 4);
	assert_near(input->compare->values[1][1].v, 4);
	tutor_free(tutor);
}

static void a_stale_recording_is_not_shown(void **state)
{
	(void)state;
	record("0123456789abcdef");
	struct tutor *tutor = begin_at(0);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured.state, VALUE_STALE);
	tutor_free(tutor);
	remove_recording();
}

/* A claim may ask for a launch that would take the machine seconds. */
static void what_is_recorded_is_looked_up_without_a_run(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin_at(0);
	struct experiments *set = tutor->private->experiments;
	const struct step *step = &tutor->at.lesson->steps[0];
	int run = experiments_count(set);
	int64_t values[2] = {2, 2}; /* stride, rounds */
	const struct experiment_recording *recording = experiment_recording(experiment_open(set, step, values));
	assert_int_equal(recording->found, RECORDED_OK);
	assert_near(metric_value(metric_find("shared_load_wavefronts_per_request"), &recording->counts).v, 17.0 / 8);
	values[0] = 7;
	recording = experiment_recording(experiment_open(set, step, values));
	assert_int_equal(recording->found, RECORDED_NONE);
	assert_int_equal(metric_value(metric_find("shared_load_requests"), &recording->counts).state, VALUE_NONE);
	assert_int_equal(experiments_count(set), run);
	assert_null(experiment_find_run(set, step, values));
	tutor_free(tutor);
	remove_recording();
}

static struct tutor *begin_live(const char *behavior)
{
	char spec[400];
	run_shell("rm -rf %s %s/once", state_dir, data);
	snprintf(spec, sizeof spec, "command:exec '%s/tests/fake-worker' %s", env("top_builddir", "."), behavior);
	struct tutor *tutor = begin_with(spec);
	tutor->background = true;
	return tutor;
}

/* Runs the session's loop until `done`, as long as the worker takes. It waits for nothing but the worker: where none of
 * it is to be waited for and `done` is not reached, the session is stuck. */
static void run_until(struct tutor *tutor, bool (*done)(const struct tutor *))
{
	time_t end = time(NULL) + 30;
	while (!done(tutor)) {
		assert_true(time(NULL) < end);
		tutor_gpu_step(tutor);
		if (done(tutor))
			break;
		if (tutor_has_work(tutor)) {
			tutor_work(tutor);
			continue;
		}
		struct pollfd fds[] = {
			{.fd = gpu_fd(tutor->gpu), .events = POLLIN},
			{.fd = gpu_write_fd(tutor->gpu), .events = POLLOUT},
		};
		if (gpu_timeout_ms(tutor->gpu) < 0)
			fail_msg("nothing is under way");
		poll(fds, 2, gpu_timeout_ms(tutor->gpu));
	}
}

static bool is_measured(const struct tutor *tutor)
{
	for (int i = 0; i < tutor->shown.input.numbers->n_rows; i++)
		if (tutor->shown.input.numbers->rows[i].measured_by != WITNESS_LIVE)
			return false;
	return tutor->private->live.id == 0;
}

static bool is_waiting(const struct tutor *tutor)
{
	return strstr(tutor->measured.status, "2 before you") != NULL;
}

static bool has_notice(const struct tutor *tutor)
{
	return tutor->notice[0] && tutor->private->live.id == 0;
}

static bool is_swept(const struct tutor *tutor)
{
	return tutor->shown.input.sweep->measured_by == WITNESS_LIVE &&
		tutor->shown.input.sweep->measured[7].state == VALUE_OK;
}

static void a_place_in_line_is_shown(void **state)
{
	(void)state;
	static const char *const where[] = {"--ms 100 queue-probe", "--ms 100 queue"};
	for (int i = 0; i < 2; i++) {
		struct tutor *tutor = begin_live(where[i]);
		tutor_open(tutor, tutor->catalog->lessons[0], 0);
		tutor_gpu_start(tutor);
		run_until(tutor, is_waiting);
		assert_string_equal(tutor->measured.status, "waiting for the GPU, 2 before you");
		assert_int_equal(tutor->measured.status_by, WITNESS_NONE);
		assert_int_equal(tutor->shown.input.numbers->rows[0].predicted.state, VALUE_OK);
		run_until(tutor, is_measured);
		assert_null(strstr(tutor->measured.status, "before you"));
		tutor_free(tutor);
	}
}

/* The fake worker measures 1000 * (i + 1) + the sum of the scalar arguments for metric i of a request. */
static void live_numbers_replace_the_recorded_ones(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin_live("progress");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured_by, WITNESS_RECORDED);
	tutor_gpu_start(tutor);
	run_until(tutor, is_measured);
	const struct view_number *rows = tutor->shown.input.numbers->rows;
	assert_near(rows[0].measured.v, 1000 + 2 + 2);
	assert_near(rows[1].measured.v, 2004.0 / 1004);
	assert_near(rows[2].measured.v, 3004 * 0.001);
	assert_string_equal(tutor->measured.on, "Fake GPU, live");
	assert_string_equal(tutor->measured.status, "live: Fake GPU");
	assert_int_equal(tutor->measured.status_by, WITNESS_LIVE);
	/* a value seen before shows its numbers at once */
	press(tutor, "Right");
	assert_int_not_equal(tutor->shown.input.numbers->rows[0].measured_by, WITNESS_LIVE);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured.state, VALUE_PENDING);
	run_until(tutor, is_measured);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1000 + 3 + 2);
	press(tutor, "Left");
	assert_true(is_measured(tutor));
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1004);
	tutor_free(tutor);
	remove_recording();
}

static bool is_refused(const struct tutor *tutor)
{
	return tutor->shown.input.numbers->rows[0].measured.state == VALUE_OTHER_GPU;
}

static bool is_status_of_other_gpu(const struct tutor *tutor)
{
	return strstr(tutor->measured.status, "your GPU") != NULL;
}

/* The kernel is for compute capability 7.5, the GPU has 7.0, and would refuse it: nothing is asked of it. */
static void a_kernel_for_another_gpu_is_left_to_the_machine(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("--cc 70 ok");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_refused);
	assert_int_equal(tutor->private->live.id, 0);
	assert_string_equal(tutor->measured.status, "needs CC 7.5; your GPU has 7.0");
	assert_int_equal(tutor->measured.status_by, WITNESS_MODEL);
	assert_string_equal(tutor->notice, "");
	assert_int_equal(tutor->shown.input.numbers->rows[0].predicted.state, VALUE_OK);
	assert_true(tutor->shown.input.numbers->rows[0].measured.v == 75);
	press(tutor, "m");
	assert_string_equal(tutor->notice,
		"the kernel needs compute capability 7.5, Fake GPU has 7.0: the machine runs it instead");
	press(tutor, "n");
	for (int i = 0; i < 100 && tutor_has_work(tutor); i++)
		tutor_work(tutor);
	assert_int_equal(tutor->private->live.id, 0);
	assert_int_equal(tutor->shown.input.sweep->measured_by, WITNESS_NONE);
	tutor_free(tutor);
	/* recorded numbers stand in for those of the GPU */
	record(NULL);
	tutor = begin_live("--cc 70 ok");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_status_of_other_gpu);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured_by, WITNESS_RECORDED);
	assert_int_equal(tutor->measured.status_by, WITNESS_RECORDED);
	tutor_free(tutor);
	remove_recording();
}

static bool has_live_lines(const struct tutor *tutor)
{
	return tutor->shown.input.source->measured && tutor->shown.input.source->measured_by == WITNESS_LIVE;
}

static bool has_live_numbers(const struct tutor *tutor)
{
	return tutor->shown.input.numbers->rows[0].measured_by == WITNESS_LIVE;
}

static double counted(const struct tutor *tutor, enum line_count_id id)
{
	const struct view_source *source = tutor->shown.input.source;
	const struct line_counts *counts = line_table_find(source->measured, source->watched);
	assert_non_null(counts);
	assert_int_equal(counts->c[id].state, VALUE_OK);
	return counts->c[id].v;
}

/* The fake worker counts what the machine does, or one wavefront more for each request. */
static void lines_are_counted_after_the_numbers(void **state)
{
	(void)state;
	static const char *const behaviors[] = {"ok", "lines-off"};
	for (int more = 0; more < 2; more++) {
		struct tutor *tutor = begin_live(behaviors[more]);
		tutor_open(tutor, tutor->catalog->lessons[0], 0);
		tutor_gpu_start(tutor);
		run_until(tutor, has_live_numbers);
		assert_false(has_live_lines(tutor));
		run_until(tutor, has_live_lines);
		assert_near(counted(tutor, LINE_COUNT_SHARED_REQUESTS), 8);
		assert_near(counted(tutor, LINE_COUNT_WAVEFRONTS), 8 * (2 + more));
		press(tutor, "Right"); /* those of the value before are not shown for this one */
		assert_null(tutor->shown.input.source->measured);
		run_until(tutor, has_live_lines);
		assert_near(counted(tutor, LINE_COUNT_WAVEFRONTS), 8 * (1 + more));
		press(tutor, "Left");
		assert_true(has_live_lines(tutor));
		press(tutor, "m");
		run_until(tutor, has_live_lines);
		assert_near(counted(tutor, LINE_COUNT_WAVEFRONTS), 8 * (2 + more));
		tutor_free(tutor);
	}
}

static bool nothing_asked(const struct tutor *tutor)
{
	return tutor->private->live.id == 0 && gpu_state(tutor->gpu) == GPU_READY && is_measured(tutor);
}

static bool shows_live_blocks(const struct tutor *tutor)
{
	return tutor->shown.input.times->blocks && tutor->shown.input.times->blocks->origin.witness == WITNESS_LIVE;
}

static bool shows_live_samples(const struct tutor *tutor)
{
	const struct activity_timeline *a = tutor->shown.input.times->activity;
	return shows_live_blocks(tutor) && a && a->origin.witness == WITNESS_LIVE;
}

static bool shows_live_mask(const struct tutor *tutor)
{
	return tutor->shown.input.times->mask && tutor->shown.input.times->mask->origin.witness == WITNESS_LIVE;
}

static bool shows_live_schedule(const struct tutor *tutor)
{
	return tutor->shown.input.times->schedule && tutor->shown.input.times->schedule->origin.witness == WITNESS_LIVE;
}

/* The fake worker runs probes on the machine, as one SM, and its GPU has 132. */
static void the_gpus_timeline_takes_the_models_place(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("ok");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_turn_to_view(tutor, VIEW_BLOCKS);
	assert_non_null(tutor->shown.input.times->blocks);
	assert_int_equal(tutor->shown.input.times->blocks->origin.witness, WITNESS_MODEL);
	assert_false(tutor_can(tutor, ACTION_WITNESS));
	tutor_gpu_start(tutor);
	run_until(tutor, shows_live_samples);
	assert_int_equal(tutor->shown.input.times->blocks->n, 2);
	assert_int_equal(tutor->shown.input.times->blocks->sms, 132);
	assert_string_equal(tutor->shown.input.times->blocks->origin.where, "Fake GPU");
	assert_int_equal(tutor->shown.input.times->schedule->origin.witness, WITNESS_MODEL); /* it was not drawn */
	press(tutor, "w");
	assert_int_equal(tutor->shown.input.times->blocks->origin.witness, WITNESS_MODEL);
	assert_int_equal(tutor->shown.input.times->activity->origin.witness, WITNESS_MODEL);
	press(tutor, "w");
	assert_true(shows_live_samples(tutor));
	tutor_turn_to_view(tutor, VIEW_MASK);
	run_until(tutor, shows_live_mask);
	assert_int_equal(tutor->shown.input.times->mask->lanes, UINT32_MAX);
	tutor_turn_to_view(tutor, VIEW_SCHEDULE);
	run_until(tutor, shows_live_schedule);
	assert_int_equal(tutor->shown.input.times->schedule->n_rows, 4);
	press(tutor, "Right"); /* another value is another launch */
	assert_false(shows_live_schedule(tutor));
	run_until(tutor, shows_live_schedule);
	press(tutor, "Left");
	assert_true(shows_live_schedule(tutor));
	press(tutor, "m");
	assert_false(shows_live_schedule(tutor));
	run_until(tutor, shows_live_schedule);
	tutor_free(tutor);
}

static void locked_counters_leave_the_stamps(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("no-counters");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_turn_to_view(tutor, VIEW_BLOCKS);
	tutor_gpu_start(tutor);
	run_until(tutor, shows_live_blocks);
	assert_int_equal(tutor->private->live.id, 0);
	assert_false(shows_live_samples(tutor));
	tutor_free(tutor);
}

static void a_timeline_that_does_not_come_leaves_the_models(void **state)
{
	(void)state;
	static const struct {
		const char *behavior, *words;
	} cases[] = {
		{"stamps-error:bad_ptx", "The driver rejected the PTX"},
		{"stamps-garbage", "the probe's buffer: block 0, warp 0"},
		{"stamps-short", "another buffer than was asked for"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tutor *tutor = begin_live(cases[i].behavior);
		tutor_open(tutor, tutor->catalog->lessons[0], 0);
		tutor_turn_to_view(tutor, VIEW_MASK);
		tutor_gpu_start(tutor);
		run_until(tutor, has_notice);
		assert_non_null(strstr(tutor->notice, cases[i].words));
		assert_int_equal(tutor->shown.input.times->mask->origin.witness, WITNESS_MODEL);
		assert_false(tutor_can(tutor, ACTION_WITNESS));
		tutor_free(tutor);
	}
	struct tutor *tutor = begin_live("samples-error:unsupported_gpu");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_turn_to_view(tutor, VIEW_BLOCKS);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_true(shows_live_blocks(tutor));
	tutor->notice[0] = '\0';
	press(tutor, "Right"); /* samples are not asked for again */
	run_until(tutor, shows_live_blocks);
	run_until(tutor, nothing_asked);
	assert_string_equal(tutor->notice, "");
	tutor_free(tutor);
}

static void other_results_with_stamps_are_reported(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("stamps-differ");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_turn_to_view(tutor, VIEW_SCHEDULE);
	tutor_gpu_start(tutor);
	run_until(tutor, shows_live_schedule);
	assert_non_null(strstr(tutor->notice, "argument 0 is not what it is without"));
	tutor_free(tutor);
}

static void leaving_while_stamps_are_asked_for_is_safe(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("--ms 200 slow-stamps");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_turn_to_view(tutor, VIEW_MASK);
	tutor_gpu_start(tutor);
	while (tutor->private->live.what != LIVE_ASKED_STAMPS)
		tutor_gpu_step(tutor);
	tutor_open(tutor, tutor->catalog->lessons[0], 1);
	run_until(tutor, nothing_asked);
	tutor_free(tutor);
}

static void lines_that_cannot_be_counted_are_reported_once(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("lines-error:unsupported_gpu");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_true(is_measured(tutor));
	assert_null(tutor->shown.input.source->measured);
	press(tutor, "Right");
	tutor->notice[0] = '\0';
	run_until(tutor, is_measured);
	assert_int_equal(tutor->private->live.id, 0);
	assert_int_equal(experiment_live(tutor->private->shown)->lines_state, VALUE_NONE);
	press(tutor, "m");
	run_until(tutor, has_notice);
	assert_true(is_measured(tutor));
	tutor_free(tutor);
}

static void only_what_is_on_the_screen_is_asked_for(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("--ms 20 slow");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_measured);
	press(tutor,
		"Right Right Right Right Right Right"); /* one was asked for, and canceled; the rest was passed by */
	run_until(tutor, is_measured);
	assert_int_equal(tutor->at.values[0], 8);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1010);
	int measured = 0;
	for (int64_t stride = 0; stride <= 8; stride++) {
		const int64_t values[2] = {stride, 2};
		struct experiment *e = experiment_find_run(
			tutor->private->experiments, &tutor->at.lesson->steps[0], values);
		measured += e && experiment_live(e)->counts.c[COUNTER_TIME].state == VALUE_OK;
	}
	assert_int_equal(measured, 2); /* the first and the last */
	tutor_free(tutor);
}

static bool is_partly_measured(const struct tutor *tutor)
{
	const struct view_number *rows = tutor->shown.input.numbers->rows;
	return rows[0].measured.state == VALUE_OK && rows[2].measured.state == VALUE_PENDING;
}

static bool is_partly_live(const struct tutor *tutor)
{
	const struct view_number *rows = tutor->shown.input.numbers->rows;
	return rows[0].measured_by == WITNESS_LIVE && rows[1].measured_by == WITNESS_RECORDED;
}

static void numbers_of_two_witnesses_say_so(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin_live("--ms 150 passes");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_partly_live);
	assert_string_equal(tutor->measured.on, "Fake GPU, live and recorded");
	run_until(tutor, is_measured);
	assert_string_equal(tutor->measured.on, "Fake GPU, live");
	tutor_free(tutor);
	remove_recording();
}

/* The first pass's numbers are there before the last's, and turning on ends the measurement between two. */
static void numbers_come_pass_by_pass(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("--ms 150 passes");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_partly_measured);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1004);
	assert_non_null(strstr(tutor->measured.status, ", pass "));
	press(tutor, "Right");
	run_until(tutor, is_measured);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1005);
	const int64_t first[2] = {2, 2};
	struct experiment *canceled = experiment_find_run(
		tutor->private->experiments, &tutor->at.lesson->steps[0], first);
	for (int c = 0; c < COUNTERS; c++)
		assert_int_not_equal(experiment_live(canceled)->counts.c[c].state, VALUE_OK);
	assert_string_equal(tutor->notice, "");
	press(tutor, "Left");
	run_until(tutor, is_measured);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1004);
	tutor_free(tutor);
}

static bool both_are_measured(const struct tutor *tutor)
{
	const struct view_numbers *numbers = tutor->shown.input.numbers;
	for (int i = 0; i < numbers->n_rows; i++)
		if (numbers->other[i].measured_by != WITNESS_LIVE)
			return false;
	return is_measured(tutor);
}

static void both_settings_are_measured(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("ok");
	compare_with(tutor, stride_8);
	tutor_gpu_start(tutor);
	run_until(tutor, both_are_measured);
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1000 + 2 + 2);
	assert_near(tutor->shown.input.numbers->other[0].measured.v, 1000 + 8 + 2);
	assert_string_equal(tutor->measured.on, "Fake GPU, live");
	press(tutor, "m"); /* of both, all is asked for again */
	assert_int_not_equal(tutor->shown.input.numbers->other[0].measured_by, WITNESS_LIVE);
	run_until(tutor, both_are_measured);
	tutor_free(tutor);
	struct diag diag = {0};
	tutor = begin_live("ok");
	tutor->background = false; /* as show does */
	compare_with(tutor, stride_8);
	assert_true(tutor_measure_now(tutor, 30000, &diag));
	assert_near(tutor->shown.input.numbers->other[0].measured.v, 1000 + 8 + 2);
	tutor_free(tutor);
}

static void the_sweep_is_measured_when_there_is_time(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("ok");
	tutor_open(tutor, tutor->catalog->lessons[0], 1);
	tutor_gpu_start(tutor);
	run_until(tutor, is_swept);
	for (int i = 0; i < 8; i++) /* wavefronts were asked for first, then requests */
		assert_true(tutor->shown.input.sweep->measured[i].v > 0);
	tutor_free(tutor);
}

static void a_worker_that_fails_is_one_notice(void **state)
{
	(void)state;
	static const struct {
		const char *behavior;
		enum value_state state;
		enum wire_error_code code;
	} rows[] = {
		{"error:kernel_fault", VALUE_FAILED, WIRE_KERNEL_FAULT},
		{"error:no_permission", VALUE_NO_PERMISSION, WIRE_NO_PERMISSION},
		{"die-measure", VALUE_PENDING, WIRE_WORKER_DIED},
		{"garbage", VALUE_FAILED, WIRE_GARBAGE},
		{"no-counters", VALUE_NO_PERMISSION, WIRE_NO_PERMISSION},
		{"probe-error:no_cupti", VALUE_NO_GPU, WIRE_NO_CUPTI},
		{"wrong-version", VALUE_NO_GPU, WIRE_WRONG_VERSION},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tutor *tutor = begin_live(rows[i].behavior);
		tutor_open(tutor, tutor->catalog->lessons[0], 0);
		tutor_gpu_start(tutor);
		run_until(tutor, has_notice);
		if (!strstr(tutor->notice, wire_error_remedy(rows[i].code)))
			fail_msg("%s: '%s'", rows[i].behavior, tutor->notice);
		assert_int_equal(tutor->shown.input.numbers->rows[0].measured.state, rows[i].state);
		/* and the lesson goes on */
		press(tutor, "Right");
		assert_near(predicted(tutor, 1), 1);
		tutor_free(tutor);
	}
}

static void every_reason_is_a_notice(void **state)
{
	(void)state;
	for (int code = 0; code < WIRE_ERRORS; code++) {
		char behavior[64];
		struct wire_remedy lines[WIRE_PLACES];
		snprintf(behavior, sizeof behavior, "probe-error:%s", wire_error_name((enum wire_error_code)code));
		struct tutor *tutor = begin_live(behavior);
		tutor_open(tutor, tutor->catalog->lessons[0], 0);
		press(tutor, "m"); /* a reader who asks sees even that there is no GPU */
		run_until(tutor, has_notice);
		if (!strstr(tutor->notice, wire_error_remedy((enum wire_error_code)code)))
			fail_msg("%s: '%s'", behavior, tutor->notice);
		if (wire_error_remedies((enum wire_error_code)code, WIRE_HOST, lines) && lines[0].place == WIRE_HOST)
			assert_non_null(strstr(tutor->notice, lines[0].text));
		press(tutor, "Right");
		assert_near(predicted(tutor, 1), 1);
		tutor_free(tutor);
	}
}

static bool is_blamed(const struct tutor *tutor)
{
	return strstr(tutor->notice, "The machine ") != NULL;
}

static void a_kernel_that_faults_is_run_on_the_machine(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("error:kernel_fault");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, is_blamed);
	if (!strstr(tutor->notice, wire_error_remedy(WIRE_KERNEL_FAULT)) ||
		!strstr(tutor->notice, " The machine finds nothing wrong: there the kernel ends after "))
		fail_msg("'%s'", tutor->notice);
	assert_null(tutor->private->blame);
	/* a lesson that is closed meanwhile takes it along */
	press(tutor, "m");
	run_until(tutor, has_notice);
	tutor_free(tutor);
}

static bool has_counters(const struct tutor *tutor)
{
	return gpu_state(tutor->gpu) == GPU_READY && gpu_info(tutor->gpu)->counters;
}

static void counters_that_were_locked_are_tried_again(void **state)
{
	(void)state;
	char behavior[400];
	snprintf(behavior, sizeof behavior, "--once %s/once no-counters", data);
	struct tutor *tutor = begin_live(behavior);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_false(has_counters(tutor));
	press(tutor, "m");
	run_until(tutor, has_counters);
	run_until(tutor, is_measured);
	tutor_free(tutor);
}

static void a_failed_measurement_leaves_the_recording_named(void **state)
{
	(void)state;
	record(NULL);
	struct tutor *tutor = begin_live("error:kernel_fault");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured_by, WITNESS_RECORDED);
	assert_int_equal(tutor->measured.status_by, WITNESS_RECORDED);
	tutor_free(tutor);
	remove_recording();
}

static void a_worker_that_died_comes_back(void **state)
{
	(void)state;
	char behavior[200];
	snprintf(behavior, sizeof behavior, "--once %s/once killed", data);
	struct tutor *tutor = begin_live(behavior);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_int_equal(tutor->shown.input.numbers->rows[0].measured.state, VALUE_PENDING);
	press(tutor, "m");
	run_until(tutor, is_measured);
	assert_string_equal(tutor->notice, "");
	tutor_free(tutor);
}

/* The reader does nothing, and goes on reading: the numbers come all the same. */
static void a_lost_connection_is_reported_and_made_again(void **state)
{
	(void)state;
	char behavior[200];
	snprintf(behavior, sizeof behavior, "--once %s/once killed", data);
	struct tutor *tutor = begin_live(behavior);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	assert_string_equal(tutor->measured.status, "connection lost, trying again");
	assert_int_equal(tutor->shown.input.numbers->rows[0].predicted.state, VALUE_OK);
	run_until(tutor, is_measured);
	assert_string_equal(tutor->measured.status, "live: Fake GPU");
	tutor_free(tutor);
}

/* It does not come back at the first attempt: that is no news. */
static void a_lost_connection_is_reported_once(void **state)
{
	(void)state;
	char spec[600];
	run_shell("rm -rf %s", state_dir);
	snprintf(spec, sizeof spec,
		"command:echo x >> '%s/starts'; case $(wc -l < '%s/starts') in 1) set -- killed ;; 2) set -- die-hello ;; "
		"*) set -- ok ;; esac; exec '%s/tests/fake-worker' $1",
		data, data, env("top_builddir", "."));
	struct tutor *tutor = begin_with(spec);
	gpu_set_retry(tutor->gpu, 50);
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	run_until(tutor, has_notice);
	tutor->notice[0] = '\0';
	run_until(tutor, is_measured);
	assert_string_equal(tutor->notice, "");
	tutor_free(tutor);
	run_shell("[ $(wc -l < '%s/starts') = 3 ] && rm '%s/starts'", data, data);
}

static void an_unknown_counter_is_unsupported(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("no-metric");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	time_t end = time(NULL) + 30;
	while (tutor->shown.input.numbers->rows[0].measured.state != VALUE_UNSUPPORTED) {
		assert_true(time(NULL) < end);
		poll(&(struct pollfd){.fd = gpu_fd(tutor->gpu), .events = POLLIN}, 1, 20);
		tutor_gpu_step(tutor);
	}
	assert_int_equal(
		tutor->shown.input.numbers->rows[2].measured.state, VALUE_OK); /* the others of the request are there */
	tutor_free(tutor);
}

static void leaving_in_the_middle_of_a_measurement_is_safe(void **state)
{
	(void)state;
	struct tutor *tutor = begin_live("--ms 30 slow");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	tutor_gpu_start(tutor);
	time_t end = time(NULL) + 30;
	while (!tutor->private->live.id && time(NULL) < end) {
		poll(&(struct pollfd){.fd = gpu_fd(tutor->gpu), .events = POLLIN}, 1, 20);
		tutor_gpu_step(tutor);
	}
	press(tutor, "q Enter n n n Enter Enter");
	run_until(tutor, is_measured);
	tutor_free(tutor);
}

static void one_measurement_can_be_waited_for(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct tutor *tutor = begin_live("ok");
	tutor->background = false;
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_true(tutor_measure_now(tutor, 30000, &diag));
	assert_near(tutor->shown.input.numbers->rows[0].measured.v, 1004);
	tutor_free(tutor);
	tutor = begin_live("error:bad_launch");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_false(tutor_measure_now(tutor, 30000, &diag));
	assert_int_equal(diag.count, 1);
	assert_non_null(strstr(diag.entries[0].message, wire_error_remedy(WIRE_BAD_LAUNCH)));
	tutor_free(tutor);
	tutor = begin_live("silent-hello");
	tutor_open(tutor, tutor->catalog->lessons[0], 0);
	assert_false(tutor_measure_now(tutor, 50, &diag));
	assert_int_equal(diag.count, 2);
	tutor_free(tutor);
	diag_free(&diag);
}

/* Counts by address are shown beside the very code that they are of, else those by PTX instruction. */
static void machine_code_is_counted_by_address_only_where_it_is_the_same(void **state)
{
	(void)state;
	static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
				  ".reg .b64 %a<9>; .reg .f32 %f<9>;\n"
				  "ld.param.u64 %a0, [p];\n" /* 7 */
				  "ld.global.f32 %f1, [%a0];\n"
				  "ret;\n}\n";
	static const struct listing_instr instrs[] = {
		{7, 0, "LDC.64 R2, c[0x0][0x210]"}, {8, 16, "LDG.E R2, desc[UR4][R2.64]"}, {9, 32, "EXIT"}};
	static const struct experiment_executed by_line[] = {{7, 8}, {8, 4}, {9, 8}};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct ptx_module *module = ptx_parse(arena, "k.ptx", ptx, strlen(ptx), &diag);
	struct code_listing listing = {.instrs = instrs, .n = 3, .code = "0123456789abcdef"};
	struct line_table counted = {0};
	for (int address = 0; address <= 16; address += 16) {
		struct line_counts *counts = &line_table_row(arena, &counted, address)->counts;
		counts->c[LINE_COUNT_INSTRUCTIONS] = value_ok(4 + address);
		counts->c[LINE_COUNT_THREADS] = value_ok(16 * (4 + address));
		counts->c[LINE_COUNT_GLOBAL_REQUESTS] = value_ok(address);
		counts->c[LINE_COUNT_SECTORS] = value_ok(4 * address);
	}
	struct tutor_code_request request = {.kernel = ptx_find_kernel(module, "k", &diag),
		.listing = &listing,
		.counted = by_line,
		.n_counted = 3,
		.instrs = &counted,
		.instrs_code = "0123456789abcdef",
		.counted_by = WITNESS_LIVE};
	struct view_code code = tutor_code(arena, &request);
	assert_true(code.each && !code.is_other && code.counted_by == WITNESS_LIVE);
	assert_true(code.sass[0].executed.v == 4 && code.sass[1].executed.v == 20 && code.sass[1].threads.v == 16);
	assert_true(code.sass[1].sectors.v == 4 && code.sass[0].sectors.state == VALUE_NONE);
	assert_int_equal(code.sass[2].executed.state, VALUE_NONE); /* it was not counted */
	request.instrs_code = "0123456789abcdee";
	code = tutor_code(arena, &request);
	assert_true(!code.each && code.is_other && code.sass[1].executed.v == 4);
	assert_int_equal(code.sass[1].threads.state, VALUE_NONE);
	request.instrs_code = NULL;
	code = tutor_code(arena, &request);
	assert_true(!code.each && !code.is_other && code.sass[1].executed.v == 4);
	listing.code = NULL; /* recorded before that was known */
	request.instrs_code = "0123456789abcdef";
	code = tutor_code(arena, &request);
	assert_true(!code.each && !code.is_other && code.sass[2].executed.v == 8);
	diag_free(&diag);
	arena_free(arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_opens_with_its_own_values),
		cmocka_unit_test(steps_end_in_the_ending),
		cmocka_unit_test(progress_is_kept_where_it_is_wanted),
		cmocka_unit_test(arrows_turn_the_parameter_within_its_values),
		cmocka_unit_test(set_names_what_it_takes),
		cmocka_unit_test(timelines_come_with_their_views),
		cmocka_unit_test(experiments_are_kept_but_not_without_bound),
		cmocka_unit_test(a_number_is_checked_against_the_model),
		cmocka_unit_test(other_spellings_of_the_number_are_right_too),
		cmocka_unit_test(what_is_not_a_number_is_not_judged),
		cmocka_unit_test(an_answer_can_be_given_up),
		cmocka_unit_test(an_answer_can_be_taken_back),
		cmocka_unit_test(hints_come_one_by_one),
		cmocka_unit_test(a_choice_is_made_by_number_or_arrows),
		cmocka_unit_test(what_answers_a_question_is_covered),
		cmocka_unit_test(what_is_uncovered_counts_as_looked_up),
		cmocka_unit_test(a_right_answer_says_where_it_turned_to),
		cmocka_unit_test(views_go_round),
		cmocka_unit_test(everything_is_found),
		cmocka_unit_test(steps_are_chosen),
		cmocka_unit_test(the_source_shows_what_each_line_did),
		cmocka_unit_test(a_sweep_is_there_at_once_or_bit_by_bit),
		cmocka_unit_test(help_takes_the_next_key),
		cmocka_unit_test(without_a_gpu_the_number_is_missing),
		cmocka_unit_test(recorded_numbers_name_their_gpu),
		cmocka_unit_test(recordings_of_several_gpus_are_chosen_from),
		cmocka_unit_test(recordings_of_several_gpus_stand_beside_each_other),
		cmocka_unit_test(names_of_gpus_are_shortened),
		cmocka_unit_test(what_is_recorded_is_looked_up_without_a_run),
		cmocka_unit_test(another_setting_stands_beside_the_shown_one),
		cmocka_unit_test(where_both_settings_were_measured_is_named),
		cmocka_unit_test(a_question_covers_the_setting_beside_the_shown_one),
		cmocka_unit_test(both_settings_are_measured),
		cmocka_unit_test(a_stale_recording_is_not_shown),
		cmocka_unit_test(a_place_in_line_is_shown),
		cmocka_unit_test(live_numbers_replace_the_recorded_ones),
		cmocka_unit_test(a_kernel_for_another_gpu_is_left_to_the_machine),
		cmocka_unit_test(lines_are_counted_after_the_numbers),
		cmocka_unit_test(lines_that_cannot_be_counted_are_reported_once),
		cmocka_unit_test(only_what_is_on_the_screen_is_asked_for),
		cmocka_unit_test(numbers_come_pass_by_pass),
		cmocka_unit_test(numbers_of_two_witnesses_say_so),
		cmocka_unit_test(the_sweep_is_measured_when_there_is_time),
		cmocka_unit_test(every_reason_is_a_notice),
		cmocka_unit_test(a_kernel_that_faults_is_run_on_the_machine),
		cmocka_unit_test(counters_that_were_locked_are_tried_again),
		cmocka_unit_test(a_worker_that_fails_is_one_notice),
		cmocka_unit_test(a_failed_measurement_leaves_the_recording_named),
		cmocka_unit_test(a_worker_that_died_comes_back),
		cmocka_unit_test(a_lost_connection_is_reported_and_made_again),
		cmocka_unit_test(the_gpus_timeline_takes_the_models_place),
		cmocka_unit_test(locked_counters_leave_the_stamps),
		cmocka_unit_test(a_timeline_that_does_not_come_leaves_the_models),
		cmocka_unit_test(other_results_with_stamps_are_reported),
		cmocka_unit_test(leaving_while_stamps_are_asked_for_is_safe),
		cmocka_unit_test(a_lost_connection_is_reported_once),
		cmocka_unit_test(an_unknown_counter_is_unsupported),
		cmocka_unit_test(leaving_in_the_middle_of_a_measurement_is_safe),
		cmocka_unit_test(one_measurement_can_be_waited_for),
		cmocka_unit_test(machine_code_is_counted_by_address_only_where_it_is_the_same),
	};
	return run_side_by_side("tutor", tests, sizeof tests / sizeof tests[0], make_data, remove_data);
}
