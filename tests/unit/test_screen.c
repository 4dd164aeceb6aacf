#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "front/screen/flow.h"
#include "front/screen/parts.h"
#include "front/screen/screen.h"
#include "front/tutor/private.h"
#include "front/view/subjects.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"

/* --- what is on a canvas ------------------------------------------------------------------------------------------ */

static char *row_text(const struct canvas *canvas, int row, struct buf *out)
{
	buf_clear(out);
	for (int col = 0; col < canvas->cols; col++) {
		char bytes[4];
		uint32_t ch = canvas_at(canvas, row, col)->ch;
		if (ch)
			buf_append(out, bytes, utf8_put(ch, bytes));
	}
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	return out->data ? out->data : (char *)"";
}

/* The row that shows `text`, -1: none. */
static int find(const struct canvas *canvas, const char *text)
{
	struct buf line = {0};
	int found = -1;
	for (int row = 0; row < canvas->rows && found < 0; row++)
		if (strstr(row_text(canvas, row, &line), text))
			found = row;
	buf_free(&line);
	return found;
}

static void assert_shows(const struct canvas *canvas, const char *text)
{
	if (find(canvas, text) >= 0)
		return;
	struct buf line = {0};
	for (int row = 0; row < canvas->rows; row++)
		print_message("|%s\n", row_text(canvas, row, &line));
	buf_free(&line);
	fail_msg("the screen does not show '%s'", text);
}

/* --- a session made by hand --------------------------------------------------------------------------------------- */

static struct span paragraph_spans[] = {
	{SPAN_PLAIN, "A stride of two words sends lane 0 and lane 16 to "},
	{SPAN_STRONG, "the same bank"},
	{SPAN_PLAIN, ", so the hardware needs two "},
	{SPAN_EMPH, "wavefronts"},
	{SPAN_PLAIN, "; see "},
	{SPAN_CODE, "tile[lane * stride]"},
	{SPAN_PLAIN, "."},
};
static struct span item_spans[] = {{SPAN_PLAIN, "an item that is long enough to be wrapped onto a second line"}};
static struct span code_spans[] = {{SPAN_PLAIN, "for (;;)"}, {SPAN_PLAIN, "	x = 1;"}};
static struct span quote_spans[] = {{SPAN_PLAIN, "What is said again, in other words, to be sure"}};
static struct span heading_spans[] = {{SPAN_PLAIN, "A heading"}};
static struct block blocks[] = {
	{BLOCK_PARAGRAPH, 0, 0, paragraph_spans, 7},
	{BLOCK_HEADING, 3, 0, heading_spans, 1},
	{BLOCK_ITEM, 1, 0, item_spans, 1},
	{BLOCK_ITEM, 2, 0, item_spans, 1},
	{BLOCK_ITEM, 1, 7, item_spans, 1},
	{BLOCK_CODE, 0, 0, code_spans, 2},
	{BLOCK_QUOTE, 0, 0, quote_spans, 1},
	{BLOCK_RULE, 0, 0, NULL, 0},
};

static int64_t values[] = {0, 1, 2, 4};
static struct parameter parameters[] = {
	{.name = "stride", .label = "stride", .unit = "words", .values = values, .n_values = 4, .initial = 1},
	{.name = "width", .label = "width", .unit = "B", .values = values, .n_values = 4, .initial = 4},
};
static int64_t present[] = {2, 4};
static bool shown[] = {true, true};
static const char *views[] = {"banks", "source", "sweep"};
static const char *metrics[] = {"shared_load_requests", "shared_load_wavefronts_per_request"};
static const char *hints[] = {"Count the banks."};
static const struct choice choices[] = {
	{.text = "one"},
	{.text = "two"},
	{.text = "a choice with so many words that they go onto another line"},
};

static struct step steps[] = {
	{
		.id = "first",
		.title = "Two lanes, one bank",
		.text = {.blocks = blocks, .n_blocks = 8},
		.notes = "",
		.has_experiment = true,
		.set = present,
		.shown = shown,
		.watch.line = "2",
		.views = views,
		.n_views = 3,
		.metrics = metrics,
		.n_metrics = 2,
		.question = {.kind = QUESTION_NUMBER,
			.ask = "How many wavefronts with stride 6?",
			.set = present,
			.hints = hints,
			.n_hints = 1},
	},
	{
		.id = "second",
		.title = "Only text",
		.text = {.blocks = blocks, .n_blocks = 1},
		.notes = "",
		.question = {.kind = QUESTION_CHOICE,
			.ask = "Which?",
			.choices = choices,
			.n_choices = 3,
			.right = (const int[]){1},
			.n_right = 1,
			.hints = hints,
			.n_hints = 1},
	},
};

static struct lesson lesson = {
	.id = "banks",
	.dir = "10-banks",
	.number = "10",
	.path = "lesson.md",
	.title = "Bank conflicts",
	.track = "Shared memory",
	.summary = "What happens when lanes meet in a bank.",
	.needs = "nothing",
	.takeaway = "Mind the divisor.",
	.parameters = parameters,
	.n_parameters = 2,
	.steps = steps,
	.n_steps = 2,
};
static struct lesson *lessons[40] = {&lesson};

static struct view_source_line lines[] = {
	{.line = 1, .text = "float sum = 0;"},
	{.line = 2, .text = "sum += tile[lane * stride];", .executed = true},
};
static struct view_number numbers[] = {
	{METRIC_SHARED_LD_REQUESTS, {512, VALUE_OK}, {512, VALUE_OK}, WITNESS_RECORDED, NULL},
	{METRIC_SHARED_LD_WAVES_PER_REQUEST, {2, VALUE_OK}, {0, VALUE_NO_GPU}, WITNESS_NONE, NULL},
};
static struct warp_access warp_access = {.space = SPACE_SHARED, .op = ACCESS_LOAD, .width = 4, .active = ~0u};
static struct catalog catalog = {.lessons = lessons, .n_lessons = 1};

static struct screen_state screen; /* of the session that is open */
static struct tutor_private private;
static struct view_subjects subjects, bare;

static struct tutor *session(void)
{
	screen = (struct screen_state){0};
	struct diag diag = {0};
	struct tutor *tutor = base_calloc(1, sizeof *tutor);
	for (int lane = 0; lane < 32; lane++)
		warp_access.address[lane] = (uint64_t)lane * 8;
	*tutor = (struct tutor){
		.catalog = &catalog,
		.progress = lesson_progress_load("/nonexistent", &diag),
		.gpu = gpu_new("none", "none", &diag),
		.at = {.mode = TUTOR_LESSON, .lesson = &lesson, .values = present},
		.answer.choice = -1,
		.shown = {.view = VIEW_BANKS,
			.input = {.access = &warp_access, .cc = 90, .place = "line 2 · block 0 warp 0"}},
		.measured = {.on = "NVIDIA H200, recorded 2026-11-21",
			.on_short = "NVIDIA H200, recorded",
			.status = "recorded: NVIDIA H200, 2026-11-21",
			.status_by = WITNESS_RECORDED},
	};
	subjects = (struct view_subjects){
		.source = {.file = "k.cu", .lines = lines, .n_lines = 2, .watched = 2},
		.numbers = {.rows = numbers, .n_rows = 2, .measured_on = "NVIDIA H200, recorded 2026-11-21"},
	};
	view_input_of(&tutor->shown.input, &subjects);
	private = (struct tutor_private){.full = &subjects, .bare = &bare, .input_full = tutor->shown.input};
	tutor->private = &private;
	assert_non_null(tutor->progress);
	assert_non_null(tutor->gpu);
	diag_free(&diag);
	catalog.n_lessons = 1;
	return tutor;
}

static void end(struct tutor *tutor)
{
	lesson_progress_free(tutor->progress);
	gpu_free(tutor->gpu);
	free(tutor);
}

static struct canvas *draw(const struct tutor *tutor, int cols, int rows, struct screen_targets *targets)
{
	struct canvas *canvas = canvas_new(rows, cols);
	screen_render(canvas, tutor, &screen, targets);
	return canvas;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static void assert_flow(const struct text *text, const char *plain, int cols, const char *const *expected, int n)
{
	struct canvas *canvas = canvas_new(60, cols + 10);
	struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 3, .cols = cols};
	if (text)
		screen_flow_text(&flow, text);
	else
		screen_flow_plain(&flow, ROLE_TEXT, "• ", 2, plain);
	struct buf line = {0};
	for (int row = 0; row < n; row++)
		assert_string_equal(row_text(canvas, row, &line), expected[row]);
	assert_int_equal(flow.row, n);
	assert_string_equal(row_text(canvas, n, &line), "");
	buf_free(&line);
	canvas_free(canvas);
}

static void text_is_wrapped_at_blanks(void **state)
{
	(void)state;
	static const char *const a[] = {"   • one two", "     three", "     four"};
	assert_flow(NULL, "one two three four", 9, a, 3);
	static const char *const b[] = {"   • abcdefg", "     hijklmn", "     op q"};
	assert_flow(NULL, "abcdefghijklmnop q", 9, b, 3);
	static const char *const c[] = {"   • one `two three"};
	assert_flow(NULL, "one `two three", 30, c, 1);
	static const char *const d[] = {"   • one two three"};
	assert_flow(NULL, "one `two` three", 30, d, 1);
	static const char *const e[] = {"   •"};
	assert_flow(NULL, "", 30, e, 1);
	static const char *const f[] = {"   • exactly", "     fits"};
	assert_flow(NULL, "exactly fits", 9, f, 2);
}

static void code_in_a_sentence_is_whole(void **state)
{
	(void)state;
	static const char *const a[] = {"   • it reads", "     tile[lane * 2] now"};
	assert_flow(NULL, "it reads `tile[lane * 2]` now", 21, a, 2);
	/* unless it is most of a line */
	static const char *const b[] = {"   • it reads tile[l", "     + k * 33] now"};
	assert_flow(NULL, "it reads `tile[l + k * 33]` now", 18, b, 2);
}

static void a_percent_sign_stays_with_its_number(void **state)
{
	(void)state;
	static const char *const a[] = {"   • it is 48 / 64 =", "     75 %."};
	assert_flow(NULL, "it is 48 / 64 = 75 %.", 21, a, 2);
	static const char *const b[] = {"   • i %", "     32"};
	assert_flow(NULL, "i % 32", 6, b, 2);
}

static void a_path_is_broken_after_slashes(void **state)
{
	(void)state;
	static const struct {
		const char *path, *rows[4];
	} cases[] = {
		{"/home/me/banks.cu", {"/home/me/banks.cu"}},
		{"/home/me/data/simttutor/banks.cu", {"/home/me/data/", "simttutor/banks.cu"}},
		{"/home/my own/banks.cu", {"/home/my own/", "banks.cu"}},
		{"a-name-that-does-not-fit.cu", {"a-name-that-does-n", "ot-fit.cu"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct canvas *canvas = canvas_new(10, 30);
		struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 0, .cols = 18};
		struct buf line = {0};
		screen_flow_path(&flow, cases[i].path);
		for (int row = 0; row < flow.row; row++)
			assert_string_equal(row_text(canvas, row, &line), cases[i].rows[row]);
		assert_null(cases[i].rows[flow.row]);
		buf_free(&line);
		canvas_free(canvas);
	}
}

static void blocks_have_their_shapes(void **state)
{
	(void)state;
	static const char *const expected[] = {
		"   A stride of two words sends lane",
		"   0 and lane 16 to the same bank,",
		"   so the hardware needs two",
		"   wavefronts; see",
		"   tile[lane * stride].",
		"",
		"   A heading",
		"",
		"   • an item that is long enough to",
		"     be wrapped onto a second line",
		"     • an item that is long enough",
		"       to be wrapped onto a second",
		"       line",
		"   7. an item that is long enough",
		"      to be wrapped onto a second",
		"      line",
		"",
		"     for (;;)",
		"     x = 1;",
		"",
		"   │ What is said again, in other",
		"   │ words, to be sure",
		"",
		"   ────────────────────────────────",
	};
	code_spans[1].text = "x = 1;";
	assert_flow(&(struct text){.blocks = blocks, .n_blocks = 8}, NULL, 32, expected,
		sizeof expected / sizeof *expected);
}

static void flow_counts_rows_outside_the_clip(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(5, 40);
	struct screen_flow shown_flow = {.canvas = canvas, .row = 0, .col = 0, .cols = 40},
			   hidden = {.canvas = canvas, .row = -500, .col = 0, .cols = 40};
	screen_flow_text(&shown_flow, &(struct text){.blocks = blocks, .n_blocks = 8});
	screen_flow_text(&hidden, &(struct text){.blocks = blocks, .n_blocks = 8});
	assert_int_equal(shown_flow.row, hidden.row + 500);
	canvas_free(canvas);
}

/* --- screens ------------------------------------------------------------------------------------------------------ */

static void every_size_is_drawn(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct screen_targets targets;
	for (int rows = 1; rows <= 64; rows += rows < 30 ? 1 : 11) {
		for (int cols = 1; cols <= 200; cols += cols < 100 ? 3 : 37) {
			for (int variant = 0; variant < 6; variant++) {
				tutor->at.mode = variant == 0 ? TUTOR_LIST : TUTOR_LESSON;
				screen.focus = variant == 2 ? SCREEN_PICTURE : variant == 5 ? SCREEN_TEXT : SCREEN_BOTH;
				screen.modes.n = 0;
				if (variant == 3)
					screen_push(&screen.modes, &screen_mode_help);
				tutor->at.ending = variant == 4;
				screen.finder.kind = variant == 4 ? ACTION_SEARCH : ACTION_PALETTE;
				if (variant >= 4)
					screen_push(&screen.modes, &screen_mode_finder);
				tutor->at.step = variant == 5;
				struct canvas *canvas = draw(tutor, cols, rows, &targets);
				for (int i = 0; i < targets.n; i++) {
					struct rect r = targets.t[i].rect;
					assert_true(r.row >= 0 && r.col >= 0 && r.row + r.rows <= rows &&
						r.col + r.cols <= cols);
				}
				canvas_free(canvas);
			}
		}
	}
	end(tutor);
}

static void panes_are_all_there(void **state)
{
	(void)state;
	static const int sizes[][2] = {{80, 24}, {100, 30}, {160, 50}, {250, 80}};
	struct tutor *tutor = session();
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas *canvas = draw(tutor, sizes[i][0], sizes[i][1], NULL);
		assert_shows(canvas, "Bank conflicts 1/2");
		assert_shows(canvas, "recorded: NVIDIA H200, 2026-11-21");
		assert_shows(canvas, "banks · line 2 · block 0 warp 0");
		assert_shows(canvas, "A stride of two words");
		assert_shows(canvas, "banks ─ source ─ sweep");
		assert_shows(canvas, "wavefronts / request");
		assert_shows(canvas, "measured: NVIDIA H200, recorded");
		assert_shows(canvas, "stride ◂ 2 words ▸   width ◂ 4 B ▸");
		assert_shows(canvas, "← → change");
		assert_shows(canvas, "? help");
		canvas_free(canvas);
	}
	end(tutor);
}

static void a_picture_is_played(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct canvas *canvas = draw(tutor, 100, 30, NULL);
	int n = view_moments(tutor->shown.view, &tutor->shown.input);
	assert_int_equal(n, 2);
	assert_shows(canvas, ".: play");
	assert_int_equal(screen_play_ms(&screen), -1);
	screen_key(&screen, tutor, '.');
	assert_true(screen.playing && screen_play_ms(&screen) > 0);
	canvas_free(canvas);
	canvas = draw(tutor, 100, 30, NULL);
	assert_shows(canvas, "playing 1 of 2");
	assert_shows(canvas, "wavefront 1 of 2");
	assert_shows(canvas, ". pause  < > moment  + speed"); /* in the footer; and the numbers count along: */
	assert_shows(canvas, "wavefronts / request   1/2");
	int slow = screen_play_ms(&screen);
	screen_key(&screen, tutor, '+');
	assert_true(screen_play_ms(&screen) < slow);
	screen_key(&screen, tutor, '>');
	assert_false(screen.playing);
	assert_int_equal(screen.moment, 2);
	screen_key(&screen, tutor, '<');
	assert_int_equal(screen.moment, 1);
	screen_key(&screen, tutor, '.');
	assert_true(screen_play_step(&screen, tutor));
	assert_false(screen.playing); /* the second was the last: all of it, and what came of it */
	assert_int_equal(screen.moment, 0);
	assert_false(screen_play_step(&screen, tutor));
	screen_key(&screen, tutor, '>');
	screen_key(&screen, tutor, KEYC_ESC);
	assert_int_equal(screen.moment, 0);
	assert_int_equal(tutor->at.mode, TUTOR_LESSON);
	screen_key(&screen, tutor, '>');
	screen_key(&screen, tutor, 'v'); /* another picture begins with all of it */
	assert_int_equal(screen.moment, 0);
	canvas_free(canvas);
	end(tutor);
}

static void a_small_terminal_gets_a_notice(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct canvas *canvas = draw(tutor, 59, 24, NULL);
	assert_shows(canvas, "59 columns and 24 rows");
	canvas_free(canvas);
	canvas = draw(tutor, SCREEN_MIN_COLS, SCREEN_MIN_ROWS, NULL);
	assert_shows(canvas, "A stride of two words");
	assert_shows(canvas, "z: banks");
	canvas_free(canvas);
	screen.focus = SCREEN_PICTURE;
	canvas = draw(tutor, SCREEN_MIN_COLS, SCREEN_MIN_ROWS, NULL);
	assert_shows(canvas, "banks · line 2");
	canvas_free(canvas);
	end(tutor);
}

static void scrolling_stops_at_the_ends(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	screen.text_scroll = 10000;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_true(screen.text_scroll > 0 && screen.text_scroll < 60);
	assert_shows(canvas, "Type a number, then press Enter.");
	assert_true(screen.text_room >= 6);
	canvas_free(canvas);
	screen.text_scroll = -5;
	canvas = draw(tutor, 80, 24, NULL);
	assert_int_equal(screen.text_scroll, 0);
	assert_shows(canvas, "more, a question: a");
	canvas_free(canvas);
	lesson_progress_answer(tutor->progress, "banks", "first");
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "more: Space");
	canvas_free(canvas);
	screen.attention = ATTENTION_END_OF_TEXT;
	canvas = draw(tutor, 80, 24, NULL);
	assert_true(screen.text_scroll > 0);
	assert_int_equal(find(canvas, "more: Space"), -1);
	assert_int_equal(screen.attention, ATTENTION_NONE);
	canvas_free(canvas);
	screen.text_scroll = 3;
	canvas = draw(tutor, 200, 80, NULL);
	assert_int_equal(screen.text_scroll, 0);
	canvas_free(canvas);
	end(tutor);
}

static void the_question_shows_its_state(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	strcpy(tutor->answer.text, "12");
	tutor->answer.state = ANSWER_TYPING;
	screen.attention = ATTENTION_QUESTION;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "▸ 12_");
	assert_int_equal(screen.attention, ATTENTION_NONE);
	canvas_free(canvas);
	tutor->answer.state = ANSWER_WRONG;
	tutor->answer.reason = "Those are the banks.";
	tutor->answer.hints_shown = 1;
	screen.attention = ATTENTION_QUESTION;
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "✗ 12 is not it.");
	assert_shows(canvas, "Those are the banks.");
	assert_shows(canvas, "Hint: Count the banks.");
	canvas_free(canvas);
	tutor->answer.state = ANSWER_RIGHT;
	tutor->answer.explain = "They share a divisor.";
	screen.attention = ATTENTION_QUESTION;
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "✓ 12 is right.");
	assert_shows(canvas, "They share a divisor.");
	assert_int_equal(find(canvas, "Hint:"), -1);
	canvas_free(canvas);
	tutor->at.step = 1;
	tutor->answer.state = ANSWER_TYPING;
	tutor->answer.choice = 1;
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "▸ 2  two");
	assert_shows(canvas, "Choose by number");
	canvas_free(canvas);
	end(tutor);
}

static void a_question_of_every_kind_shows_its_choices(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	for (int kind = QUESTION_NONE + 1; kind < QUESTION_KINDS; kind++) {
		const struct question q = {
			.kind = (enum question_kind)kind, .ask = "Which?", .choices = choices, .n_choices = 3};
		struct canvas *canvas = canvas_new(24, 70);
		struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 0, .cols = 70};
		screen_flow_question(&flow, tutor, &q);
		assert_shows(canvas, "Which?");
		for (int i = 0; i < q.n_choices; i++)
			assert_shows(canvas, choices[i].text);
		assert_shows(canvas, lesson_question_table[kind].invitation);
		canvas_free(canvas);
	}
	end(tutor);
}

static void the_exercise_shows_its_state(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct experiment_grade grade = {.right = true, .clean = true};
	struct tutor_attempt attempt = {.state = ATTEMPT_GRADED, .path = "/home/me/banks.cu", .grade = &grade};
	struct exercise exercise = {.dir = "x", .hints = hints, .n_hints = 1};
	struct canvas *canvas = canvas_new(24, 60);
	struct screen_flow flow = {.canvas = canvas, .row = 0, .col = 0, .cols = 60};
	tutor->exercise.attempt = &attempt;
	tutor->answer.hints_shown = 1;
	screen_flow_exercise(&flow, tutor, &exercise);
	assert_shows(canvas, "e edits it");
	assert_shows(canvas, "Hint: Count the banks.");
	assert_int_equal(find(canvas, "Solved"), -1);
	canvas_free(canvas);
	/* the verdict comes first */
	grade.solved = true;
	tutor->answer.explain = "They share no divisor.";
	canvas = canvas_new(24, 60);
	flow = (struct screen_flow){.canvas = canvas, .cols = 60};
	screen_flow_exercise(&flow, tutor, &exercise);
	assert_int_equal(find(canvas, "✓ Solved. The views show your kernel."), 1);
	assert_int_equal(find(canvas, "They share no divisor."), 2);
	assert_shows(canvas, "✓ right results");
	assert_true(find(canvas, "e edits it") > find(canvas, "✓ right results"));
	assert_shows(canvas, "/home/me/banks.cu");
	assert_int_equal(find(canvas, "Hint:"), -1);
	tutor->exercise.attempt = NULL;
	canvas_free(canvas);
	end(tutor);
}

static void a_notice_is_shown_whole(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	strcpy(tutor->notice,
		"Counters are locked: as root run `modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0`, or give "
		"the container SYS_ADMIN.");
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "Counters are locked");
	assert_shows(canvas, "SYS_ADMIN.");
	assert_shows(canvas, "stride ◂");
	canvas_free(canvas);
	end(tutor);
}

static void problems_stand_above_the_view(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct diag problems = {0};
	diag_error(&problems, (struct diag_pos){.file = "k.cu", .line = 9}, "lane 3 reads past the end");
	tutor->shown.problems = &problems;
	struct canvas *canvas = draw(tutor, 100, 30, NULL);
	assert_shows(canvas, "k.cu:9: lane 3 reads past the end");
	canvas_free(canvas);
	diag_free(&problems);
	end(tutor);
}

static void help_lists_the_keys_of_the_mode(void **state)
{
	(void)state;
	static const int sizes[][2] = {{60, 16}, {80, 24}, {160, 50}};
	struct tutor *tutor = session();
	screen_push(&screen.modes, &screen_mode_help);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		tutor->at.mode = TUTOR_LESSON;
		screen.help_scroll = 0;
		struct canvas *canvas = draw(tutor, sizes[i][0], sizes[i][1], NULL);
		assert_shows(canvas, "→            next value of the parameter");
		assert_shows(canvas, "Enter        open");
		canvas_free(canvas);
		screen.help_scroll = 100;
		canvas = draw(tutor, sizes[i][0], sizes[i][1], NULL);
		assert_shows(canvas, "leave the tutor");
		assert_int_equal(find(canvas, "… │"), -1);
		assert_shows(canvas, "lessons; scroll");
		canvas_free(canvas);
		tutor->at.mode = TUTOR_LIST;
		canvas = draw(tutor, sizes[i][0], sizes[i][1], NULL);
		assert_shows(canvas, "q Q");
		assert_int_equal(find(canvas, "next step"), -1);
		canvas_free(canvas);
	}
	end(tutor);
}

#define MANY 40

/* A course of lessons like ours, four to a track. */
static void make_course(void)
{
	static struct lesson many[MANY];
	static char titles[MANY][32], tracks[MANY][32], dirs[MANY][32];
	for (int i = 0; i < MANY; i++) {
		many[i] = lesson;
		snprintf(titles[i], sizeof titles[i], "Lesson number %d.", i + 1);
		snprintf(tracks[i], sizeof tracks[i], "Track %d", i / 4);
		snprintf(dirs[i], sizeof dirs[i], "%02d", i + 1);
		many[i].dir = dirs[i];
		many[i].number = dirs[i] + (i < 9); /* without the zero */
		many[i].title = titles[i];
		many[i].track = tracks[i];
		lessons[i] = &many[i];
	}
	catalog.n_lessons = MANY;
}

static void the_list_keeps_the_selected_lesson_in_sight(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	make_course();
	tutor->at.mode = TUTOR_LIST;
	for (tutor->at.selected = 0; tutor->at.selected < MANY; tutor->at.selected++) {
		struct canvas *canvas = draw(tutor, 80, 24, NULL);
		char text[64];
		snprintf(text, sizeof text, "▸ %2d  Lesson number %d.", tutor->at.selected + 1, tutor->at.selected + 1);
		assert_shows(canvas, text);
		assert_shows(canvas, "What happens when lanes meet in a bank.");
		canvas_free(canvas);
	}
	tutor->at.selected = 0;
	tutor->at.listed_step = lessons[0]->n_steps; /* steps take the place of what is said of the lesson */
	struct screen_targets targets;
	struct canvas *canvas = draw(tutor, 80, 24, &targets);
	char text[64];
	snprintf(text, sizeof text, "▸○ %d", lessons[0]->n_steps);
	assert_shows(canvas, text);
	assert_true(screen_click(&screen, tutor, &targets, find(canvas, "○ 1"), 10));
	assert_int_equal(tutor->at.listed_step, 1);
	canvas_free(canvas);
	lessons[0] = &lesson;
	end(tutor);
}

static void the_ending_says_what_is_open(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	tutor->at.ending = true;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "Mind the divisor.");
	assert_shows(canvas, "You answered 0 of 2 questions");
	assert_shows(canvas, "step 1, Two lanes, one bank");
	assert_int_equal(find(canvas, "exercise"), -1);
	canvas_free(canvas);
	lesson_progress_try(tutor->progress, "banks", "first", 0);
	lesson_progress_answer(tutor->progress, "banks", "first");
	lesson_progress_try(tutor->progress, "banks", "second", 0);
	lesson_progress_try(tutor->progress, "banks", "second", 2);
	lesson_progress_answer(tutor->progress, "banks", "second");
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "You answered 2 of 2 questions, 1 at the first try, 1 with hints.");
	canvas_free(canvas);
	end(tutor);
}

static void an_exercise_is_no_question(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct step with[3] = {steps[0], steps[1], {.id = "mend", .title = "Mend it", .exercise = {.dir = "exercise"}}};
	struct lesson more = lesson;
	more.steps = with;
	more.n_steps = 3;
	lessons[0] = &more;
	tutor->at.lesson = &more;
	tutor->at.ending = true;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "You answered 0 of 2 questions; still open:");
	assert_shows(canvas, "○ step 2, Only text");
	assert_int_equal(find(canvas, "Mend it"), -1);
	assert_shows(canvas, "The exercise, step 3, is still open.");
	canvas_free(canvas);

	lesson_progress_try(tutor->progress, "banks", "mend", 0);
	lesson_progress_answer(tutor->progress, "banks", "mend");
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "You answered 0 of 2 questions; still open:");
	assert_shows(canvas, "The exercise, step 3, is solved.");
	canvas_free(canvas);
	tutor->at.mode = TUTOR_LIST;
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "0/3 steps  0/2 answered");
	canvas_free(canvas);

	lesson_progress_answer(tutor->progress, "banks", "first");
	lesson_progress_answer(tutor->progress, "banks", "second");
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "0/3 steps  2/2 answered");
	canvas_free(canvas);
	lessons[0] = &lesson;
	end(tutor);
}

static void the_end_of_the_course_scrolls(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	make_course();
	tutor->at.selected = MANY - 1;
	tutor->at.ending = true;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "Take away");
	assert_shows(canvas, "more: Space");
	assert_shows(canvas, "Space scroll");
	assert_int_equal(find(canvas, "Enter: back to the list of lessons"), -1);
	canvas_free(canvas);
	screen_key(&screen, tutor, KEYC_DOWN);
	assert_int_equal(screen.text_scroll, 1);
	screen_key(&screen, tutor, KEYC_SPACE);
	canvas = draw(tutor, 80, 24, NULL);
	assert_shows(canvas, "▲");
	assert_shows(canvas, "Track 0: 0 of 4 lessons done");
	assert_shows(canvas, "Track 9: 0 of 4 lessons done");
	assert_shows(canvas, "Enter: back to the list of lessons");
	assert_int_equal(find(canvas, "more: Space"), -1);
	canvas_free(canvas);
	screen_key(&screen, tutor, 'b');
	canvas = draw(tutor, 80, 24, NULL);
	assert_int_equal(screen.text_scroll, 0);
	canvas_free(canvas);
	canvas = draw(tutor, 160, 50, NULL);
	assert_shows(canvas, "Enter: back to the list of lessons");
	assert_int_equal(find(canvas, "more: Space"), -1);
	canvas_free(canvas);
	lessons[0] = &lesson;
	end(tutor);
}

static void clicks_do_what_is_written_there(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct screen_targets targets;
	struct canvas *canvas = draw(tutor, 80, 24, &targets);
	int row = find(canvas, "banks ─ source ─ sweep"), col = -1;
	for (int i = 0; i + 3 < 80; i++)
		if (canvas_at(canvas, row, i)->ch == 's' && canvas_at(canvas, row, i + 1)->ch == 'w')
			col = i;
	assert_true(screen_click(&screen, tutor, &targets, row, col));
	assert_int_equal(tutor->shown.view, VIEW_SWEEP);
	assert_false(screen_click(&screen, tutor, &targets, 5, 5));
	canvas_free(canvas);
	canvas = draw(tutor, 80, 24, &targets);
	assert_true(screen_click(&screen, tutor, &targets, 23, 78)); /* "? help", at the right of the footer */
	assert_true(screen_has(&screen.modes, &screen_mode_help));
	canvas_free(canvas);
	canvas = draw(tutor, 80, 24, &targets);
	assert_true(screen_click(&screen, tutor, &targets, 5, 5));
	assert_false(screen_has(&screen.modes, &screen_mode_help));
	canvas_free(canvas);
	end(tutor);
}

static void the_wheel_scrolls_what_it_is_over(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	tutor->shown.view = VIEW_SOURCE;
	struct canvas *canvas = draw(tutor, 80, 24, NULL);
	canvas_free(canvas);
	screen_wheel(&screen, tutor, 5, 60, 3);
	assert_int_equal(screen.text_scroll, 0);
	int scrolled = screen.source_scroll;
	screen_wheel(&screen, tutor, 5, 60, 300); /* as far as there is something */
	screen_wheel(&screen, tutor, 5, 60, -300);
	assert_true(screen.source_scroll <= 0 && scrolled >= 0);
	screen_wheel(&screen, tutor, 5, 10, 3);
	assert_int_equal(screen.text_scroll, 3);
	screen_wheel(&screen, tutor, 5, 10, -3);
	assert_int_equal(screen.text_scroll, 0);
	end(tutor);
}

static void what_is_pointed_at_is_picked(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	struct screen_targets targets;
	struct canvas *canvas = draw(tutor, 80, 24, &targets);
	int row = find(canvas, "wavefronts / request");
	assert_true(row > 0);
	canvas_free(canvas);
	assert_true(screen_click(&screen, tutor, &targets, row, 3));
	assert_int_equal(screen.picked.thing, THING_METRIC);
	canvas = draw(tutor, 80, 24, &targets);
	assert_int_equal(canvas_at(canvas, find(canvas, "wavefronts / request"), 3)->role, ROLE_LIT);
	assert_shows(canvas, "passes that one shared load of a warp took");
	assert_shows(canvas, "Esc end");
	canvas_free(canvas);
	screen_key(&screen, tutor, KEYC_ESC);
	assert_int_equal(screen.picked.thing, THING_NONE);
	assert_false(screen.pointing);
	screen_key(&screen, tutor, 'x');
	assert_int_not_equal(screen.picked.thing, THING_NONE);
	screen_key(&screen, tutor, 'x');
	assert_int_equal(screen.picked.thing, THING_NONE);
	screen_key(&screen, tutor, 'x');
	tutor->events.steps_entered++; /* another step, other things */
	canvas_free(draw(tutor, 80, 24, &targets));
	assert_int_equal(screen.picked.thing, THING_NONE);
	end(tutor);
}

static void all_of_it_can_be_shown_in_ascii(void **state)
{
	(void)state;
	struct tutor *tutor = session();
	for (int variant = 0; variant < 5; variant++) {
		tutor->at.mode = variant == 0 ? TUTOR_LIST : TUTOR_LESSON;
		tutor->at.ending = variant == 1;
		screen.modes.n = 0;
		if (variant == 2)
			screen_push(&screen.modes, &screen_mode_help);
		tutor->answer.state = variant == 3 ? ANSWER_RIGHT : ANSWER_WRONG;
		screen.attention = ATTENTION_QUESTION;
		struct canvas *canvas = draw(tutor, 120, 40, NULL);
		for (int row = 0; row < canvas->rows; row++) {
			for (int col = 0; col < canvas->cols; col++) {
				uint32_t ch = canvas_at(canvas, row, col)->ch;
				if (ch > 0x7E && canvas_ascii(ch) == '?')
					fail_msg("U+%04X has no ASCII stand-in", (unsigned)ch);
			}
		}
		canvas_free(canvas);
	}
	end(tutor);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_wrapped_at_blanks),
		cmocka_unit_test(code_in_a_sentence_is_whole),
		cmocka_unit_test(a_percent_sign_stays_with_its_number),
		cmocka_unit_test(a_path_is_broken_after_slashes),
		cmocka_unit_test(blocks_have_their_shapes),
		cmocka_unit_test(flow_counts_rows_outside_the_clip),
		cmocka_unit_test(every_size_is_drawn),
		cmocka_unit_test(panes_are_all_there),
		cmocka_unit_test(a_picture_is_played),
		cmocka_unit_test(a_small_terminal_gets_a_notice),
		cmocka_unit_test(scrolling_stops_at_the_ends),
		cmocka_unit_test(the_question_shows_its_state),
		cmocka_unit_test(a_question_of_every_kind_shows_its_choices),
		cmocka_unit_test(the_exercise_shows_its_state),
		cmocka_unit_test(a_notice_is_shown_whole),
		cmocka_unit_test(problems_stand_above_the_view),
		cmocka_unit_test(help_lists_the_keys_of_the_mode),
		cmocka_unit_test(the_list_keeps_the_selected_lesson_in_sight),
		cmocka_unit_test(the_ending_says_what_is_open),
		cmocka_unit_test(an_exercise_is_no_question),
		cmocka_unit_test(the_end_of_the_course_scrolls),
		cmocka_unit_test(clicks_do_what_is_written_there),
		cmocka_unit_test(the_wheel_scrolls_what_it_is_over),
		cmocka_unit_test(what_is_pointed_at_is_picked),
		cmocka_unit_test(all_of_it_can_be_shown_in_ascii),
	};
	return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
