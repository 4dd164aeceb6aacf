/* The playground: accesses as they are typed, what is kept, a kernel that is edited, and the screen over it, with any
 * keys. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/utf8.h"
#include "cmd/play.h"
#include "front/canvas/export.h"
#include "front/screen/screen.h"
#include "front/tutor/keys.h"
#include "front/tutor/private.h"
#include "front/view/numbers.h"
#include "front/view/views.h"
#include "model/hardware/access.h"
#include "model/hardware/metrics.h"

#define KEYS_ALL 20000
#define KEYS_SOME 1500
#define WAIT_LOOKS 2000

struct fixture {
	struct cmd_ctx ctx;
	char dir[64];
	struct play *play;
	struct tutor *tutor;
	struct screen_state screen;
};

static int new_fixture(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	setenv("PTXAS", ":", 1);
	setenv("NVCC", ":", 1);
	setenv("CLANG", ":", 1);
	strcpy(f->dir, "/tmp/simttutor-test-XXXXXX");
	*state = f;
	if (!mkdtemp(f->dir))
		return -1;
	f->ctx.arena = arena_new();
	f->ctx.gpu = "none";
	f->ctx.paths = (struct paths){.own = f->dir, .worker = "/nonexistent/simttutor-gpu"};
	return 0;
}

static void leave(struct fixture *f)
{
	screen_end(&f->screen);
	tutor_free(f->tutor);
	f->tutor = NULL;
	f->screen = (struct screen_state){0};
}

static int free_fixture(void **state)
{
	struct fixture *f = *state;
	char command[128];
	leave(f);
	diag_free(&f->ctx.diag);
	arena_free(f->ctx.arena);
	snprintf(command, sizeof command, "rm -rf %s", f->dir);
	free(f);
	return system(command);
}

static void enter(struct fixture *f)
{
	f->play = play_new(&f->ctx, NULL);
	f->tutor = play_open(f->play, NULL, &f->ctx.diag);
	assert_non_null(f->tutor);
}

/* Keys with blanks between them. */
static void press(struct fixture *f, const char *keys)
{
	char word[16];
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n)
		screen_key(&f->screen, f->tutor, key_named(word));
}

static const struct tutor_playground *pad(const struct fixture *f)
{
	return f->tutor->playground;
}

static int64_t predicted(const struct fixture *f, enum metric_id metric)
{
	const struct view_numbers *numbers = f->tutor->shown.input.numbers;
	for (int i = 0; i < numbers->n_rows; i++)
		if (numbers->rows[i].metric == (int)metric && numbers->rows[i].predicted.state == VALUE_OK)
			return (int64_t)numbers->rows[i].predicted.v;
	return -1;
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

static void an_expression_is_shown_as_it_is_typed(void **state)
{
	struct fixture *f = *state;
	enter(f);
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane");
	press(f, "* 8");
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 8);
	assert_int_equal(f->tutor->shown.view, VIEW_BANKS);
	press(f, "+");
	assert_string_not_equal(pad(f)->fault.text, "");
	assert_int_equal(pad(f)->fault.column, 7);
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 8); /* the one before */
	press(f, "l a n e");
	assert_string_equal(pad(f)->fault.text, "");
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 1); /* lane * 9 */
	press(f, "Tab Right");
	assert_int_equal(pad(f)->access.space, SPACE_GLOBAL);
	assert_int_equal(f->tutor->shown.view, VIEW_SECTORS);
	assert_int_equal(predicted(f, METRIC_GLOBAL_LD_SECTORS_PER_REQUEST), 32);
	press(f, "^U ^U ^U ^U ^U ^U ^U ^U");
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane");
	assert_int_equal(predicted(f, METRIC_GLOBAL_LD_SECTORS_PER_REQUEST), 4);
}

/* Every access that there is has a kernel, whose counts are those of the access alone. */
static void every_access_has_a_kernel(void **state)
{
	struct fixture *f = *state;
	int n = 0;
	enter(f);
	for (int space = SPACE_SHARED; space <= SPACE_CONST; space++) {
		for (int op = 0; op < ACCESS_OPS_N; op++) {
			for (int width = 1; width <= 16; width *= 2) {
				struct tutor_playground_tried t = {
					(enum mem_space)space, (enum access_op)op, (uint8_t)width, "lane*3"};
				if (!(play_access_widths(t.space, t.op) & (uint32_t)width))
					continue;
				if (!tutor_playground_try(f->tutor, &t))
					fail_msg("%s %s %d: %s", warp_space_name(t.space), warp_op_name(t.op), width,
						pad(f)->fault.text);
				assert_null(f->tutor->shown.problems);
				const struct experiment_run *run = experiment_run(f->tutor->private->shown);
				assert_true(run->ran);
				assert_int_equal(run->result.outcome, SIMT_OK);
				n++;
				if (t.space != SPACE_SHARED && t.space != SPACE_GLOBAL)
					continue;
				assert_true(run->has_access);
				if (t.space == SPACE_SHARED)
					assert_int_equal(run->access.op, t.op);
				assert_int_equal(run->access.width, width);
				for (int lane = 0; lane < WARP_SIZE; lane++)
					assert_int_equal(run->access.address[lane] - run->access.address[0],
						(uint64_t)(lane * 3 * width));
			}
		}
	}
	assert_true(n > 40);
}

static void what_reaches_too_far_is_said(void **state)
{
	struct fixture *f = *state;
	static const struct {
		enum mem_space space;
		const char *text;
	} rows[] = {{SPACE_SHARED, "lane*1000000"}, {SPACE_GLOBAL, "lane<<30"}, {SPACE_CONST, "lane*10000"},
		{SPACE_LOCAL, "lane<<20"}, {SPACE_SHARED, "lane-1"}, {SPACE_SHARED, "lane/0"}, {SPACE_SHARED, ""},
		{SPACE_SHARED, "lane+"}, {SPACE_SHARED, "x"}};
	enter(f);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct tutor_playground_tried t = {rows[i].space, ACCESS_LOAD, 4, ""};
		strcpy(t.text, rows[i].text);
		assert_false(tutor_playground_try(f->tutor, &t));
		assert_string_not_equal(pad(f)->fault.text, "");
	}
	struct tutor_playground_tried far = {
		SPACE_GLOBAL, ACCESS_LOAD, 4, "lane + (1<<40)"}; /* only what it spans counts */
	assert_true(tutor_playground_try(f->tutor, &far));
}

static void what_was_tried_is_kept(void **state)
{
	struct fixture *f = *state;
	enter(f);
	press(f, "* 2 Enter * 3 Enter Tab Tab Tab Right Enter");
	assert_int_equal(pad(f)->n_tried, 3);
	leave(f);
	enter(f);
	assert_int_equal(pad(f)->n_tried, 3);
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane*2*3");
	assert_int_equal(pad(f)->access.width, 8);
	press(f, "Up");
	assert_int_equal(pad(f)->access.width, 4);
	press(f, "Up");
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane*2");
	press(f, "Up Up Down");
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane*2*3");
	press(f, "x Enter");
	assert_int_equal(pad(f)->n_tried, 3); /* faulty */
}

/* What comes back is shown as what it is: sectors of global memory, banks of shared memory. */
static void what_comes_back_has_its_picture(void **state)
{
	struct fixture *f = *state;
	enter(f);
	assert_int_equal(f->tutor->shown.view, VIEW_BANKS);
	press(f, "Enter Tab Right Enter");
	assert_int_equal(f->tutor->shown.view, VIEW_SECTORS);
	press(f, "Up");
	assert_int_equal(pad(f)->access.space, SPACE_SHARED);
	assert_int_equal(f->tutor->shown.view, VIEW_BANKS);
	press(f, "Down");
	assert_int_equal(f->tutor->shown.view, VIEW_SECTORS);
}

/* Pasted text is one change; where the reader looked, typing begins; what is too long is not cut. */
static void what_is_pasted_is_typed(void **state)
{
	struct fixture *f = *state;
	char large[TUTOR_PLAYGROUND_EXPR_MAX + 1];
	memset(large, '1', sizeof large - 1);
	large[sizeof large - 1] = '\0';
	enter(f);
	press(f, "Esc");
	assert_false(pad(f)->typing);
	tutor_playground_paste(f->tutor, " *3\n+1\n");
	assert_true(pad(f)->typing);
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane *3+1");
	assert_int_equal(pad(f)->access.address[2], 28);
	tutor_playground_paste(f->tutor, large);
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane *3+1");
	assert_non_null(strstr(f->tutor->notice, "too long"));
	press(f, "^U");
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane");
}

/* Lines that nobody could have tried are left out. */
static void a_broken_history_is_no_harm(void **state)
{
	struct fixture *f = *state;
	static const char
		text[] = "shared ld 4 lane*5\nshared ld 3 lane\nshared\n\n\033[31m ld 4 lane\nshared ld 4 \033]0;x\a\n"
			 "nowhere ld 4 lane\nshared sing 4 lane\nshared ldmatrix 4 lane\nglobal st 99999999999 lane\n";
	struct buf long_line = {0};
	char path[128];
	buf_puts(&long_line, text);
	buf_pad(&long_line, 'x', 5000);
	snprintf(path, sizeof path, "%s/playground/history", f->dir);
	assert_true(file_write(path, buf_str(&long_line), long_line.len, &f->ctx.diag));
	buf_free(&long_line);
	enter(f);
	assert_int_equal(pad(f)->n_tried, 1);
	assert_string_equal(buf_str(&pad(f)->expr.text), "lane*5");
}

/* --- a kernel ----------------------------------------------------------------------------------------------------- */

/* Until the file was written, compiled and shown, or refused. */
static void wait_for_kernel(struct fixture *f)
{
	for (int i = 0; i < WAIT_LOOKS; i++) {
		tutor_playground_step(f->tutor);
		tutor_explore_step(f->tutor);
		if (i > 100 && tutor_playground_timeout_ms(f->tutor) < 0 &&
			f->tutor->explored->state != EXPLORED_COMPILING)
			return;
		usleep(10000);
	}
	fail_msg("the kernel was not compiled");
}

static void a_kernel_is_edited_in_place(void **state)
{
	struct fixture *f = *state;
	enter(f);
	press(f, "Esc P");
	assert_int_equal(pad(f)->kind, PLAYGROUND_KERNEL);
	assert_false(pad(f)->has_kernel);
	wait_for_kernel(f);
	assert_true(pad(f)->has_kernel);
	assert_string_equal(pad(f)->fault.text, "");
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 2); /* stride 2 */
	/* bytes of a word: shl by 2 becomes one by 3 */
	const char *text = buf_str(&pad(f)->source.text), *at = strstr(text, "%r3, 2;");
	assert_non_null(at);
	int line = 0;
	for (const char *c = text; c < at; c++)
		line += *c == '\n';
	tutor_edit_go(&f->tutor->playground->source, line, 1000);
	press(f, "Left Backspace 3");
	wait_for_kernel(f);
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 4);
	press(f, "Backspace Backspace");
	wait_for_kernel(f);
	assert_string_not_equal(pad(f)->fault.text, "");
	assert_int_equal(pad(f)->fault.line, line + 1);
	assert_true(pad(f)->fault.column > 0);
	assert_int_equal(predicted(f, METRIC_SHARED_LD_WAVES_PER_REQUEST), 4); /* the one before */
	press(f, "^U ^U");
	wait_for_kernel(f);
	assert_string_equal(pad(f)->fault.text, "");
	leave(f);
	enter(f);
	press(f, "Esc P");
	assert_non_null(strstr(buf_str(&pad(f)->source.text), "%r3, 3;"));
}

static void the_launch_is_in_a_comment(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *line, *says;
	} rows[] = {{"", "how it is launched"}, {"// launch: --grid 1", "block"},
		{"// launch: grid 1", "no option of a launch"},
		{"// launch: --source /etc --grid 1 --block 32", "no option of a launch"},
		{"// launch: --grid 1 --block 32 --arg u32[]:@/etc/passwd", "takes no file"},
		{"// launch: --grid", "needs a value"},
		{"// launch: --grid 1 --block 32 --arg u32[32] --arg u32:1", ""}};
	char path[128];
	snprintf(path, sizeof path, "%s/playground/kernel.ptx", f->dir);
	enter(f);
	press(f, "Esc P");
	wait_for_kernel(f);
	const char *kernel = strstr(buf_str(&pad(f)->source.text), ".version");
	char *body = strdup(kernel);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf text = {0};
		buf_printf(&text, "%s\n%s", rows[i].line, body);
		assert_true(file_write(path, buf_str(&text), text.len, &f->ctx.diag));
		buf_free(&text);
		usleep(300000);
		wait_for_kernel(f);
		if (rows[i].says[0] ? !strstr(pad(f)->fault.text, rows[i].says) : pad(f)->fault.text[0] != 0)
			fail_msg("%s: %s", rows[i].line, pad(f)->fault.text);
		assert_true(strncmp(buf_str(&pad(f)->source.text), rows[i].line, strlen(rows[i].line)) == 0);
	}
	free(body);
}

/* --- any keys ----------------------------------------------------------------------------------------------------- */

static uint64_t random_state = 16;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

static key_code random_key(void)
{
	static const char *const others[] = {
		"l", "a", "n", "e", "*", "Space", "é", "漢", "\xCC\x81", "F1", "Enter", "\t", "P"};
	if (random_below(10) < 5)
		return tutor_keys[random_below((uint32_t)tutor_key_count)].key;
	if (random_below(10) < 6)
		return key_named(others[random_below(sizeof others / sizeof *others)]);
	return '!' + random_below('~' - '!' + 1);
}

static void keys_and_sizes_do_no_harm_here(void **state)
{
	struct fixture *f = *state;
	int keys = getenv("SIMTTUTOR_TEST_LONG") ? KEYS_ALL : KEYS_SOME, cols = 80, rows = 24;
	struct screen_targets targets = {.n = 0};
	enter(f);
	f->tutor->background = true;
	for (int i = 0; i < keys; i++) {
		if (random_below(30) == 0) {
			cols = 1 + (int)random_below(300);
			rows = 1 + (int)random_below(100);
		}
		struct canvas *canvas = canvas_new(rows, cols);
		screen_render(canvas, f->tutor, &f->screen, &targets);
		for (int c = 0; c < canvas->rows * canvas->cols; c++) {
			assert_true(canvas->cells[c].role < ROLES);
			assert_true(canvas->cells[c].ch == 0 || utf8_width(canvas->cells[c].ch) > 0);
		}
		canvas_free(canvas);
		int row = (int)random_below((uint32_t)rows), col = (int)random_below((uint32_t)cols);
		switch (random_below(15)) {
		case 0: screen_click(&f->screen, f->tutor, &targets, row, col); break;
		case 1: screen_wheel(&f->screen, f->tutor, row, col, (int)random_below(7) - 3); break;
		case 2: screen_hover(&f->screen, f->tutor, row, col); break;
		case 3:
			if (!screen_debugger(&f->screen)) {
				tutor_playground_step(f->tutor);
				tutor_explore_step(f->tutor);
				if (tutor_has_work(f->tutor))
					tutor_work(f->tutor);
			} else {
				screen_debugger_work(&f->screen);
			}
			break;
		default: screen_key(&f->screen, f->tutor, random_key()); break;
		}
		f->tutor->quit = f->tutor->playground->left = false;
	}
}

/* --- pictures ----------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *keys;
} pictures[] = {
	{"access", "* 1 7 Enter"},
	{"access-faulty", "* 1 7 Enter + ("},
	{"access-global", "* 8 Tab Right Tab Right Enter"},
	{"access-looked-at", "* 2 Enter Esc x"},
	{"access-help", "Esc ?"},
	{"kernel-typed", "Esc P @"},
	{"kernel-looked-at", "Esc P @ Esc"},
};

static void draw_picture(struct fixture *f, const char *keys, int cols, int rows, struct buf *out)
{
	struct canvas *canvas = canvas_new(rows, cols);
	struct canvas_export_options as = {.charset = CANVAS_UTF8};
	char word[16];
	enter(f);
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n) {
		screen_render(canvas, f->tutor, &f->screen, NULL);
		if (strcmp(word, "@") == 0)
			wait_for_kernel(f);
		else
			screen_key(&f->screen, f->tutor, key_named(word));
	}
	screen_render(canvas, f->tutor, &f->screen, NULL);
	buf_printf(out, "=== %d columns, %d rows\n", cols, rows);
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &as, out);
	canvas_free(canvas);
	leave(f);
	char history[128];
	snprintf(history, sizeof history, "%s/playground/history", f->dir);
	unlink(history);
}

static void the_playground_looks_as_before(void **state)
{
	struct fixture *f = *state;
	const char *top = getenv("top_srcdir");
	int faults = 0;
	for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
		struct buf got = {0}, want = {0}, path = {0};
		draw_picture(f, pictures[i].keys, 80, 24, &got);
		draw_picture(f, pictures[i].keys, 160, 50, &got);
		buf_printf(&path, "%s/tests/golden/playground/%s.txt", top ? top : ".", pictures[i].name);
		if (getenv("SIMTTUTOR_UPDATE_GOLDEN"))
			assert_true(file_write(buf_str(&path), buf_str(&got), got.len, &f->ctx.diag));
		else if (!file_read(buf_str(&path), 1 << 20, &want, &f->ctx.diag) ||
			strcmp(buf_str(&want), buf_str(&got)) != 0) {
			print_error("%s is not:\n%s", buf_str(&path), buf_str(&got));
			faults++;
		}
		buf_free(&got);
		buf_free(&want);
		buf_free(&path);
	}
	assert_int_equal(faults, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_fixture, free_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_expression_is_shown_as_it_is_typed),
		TEST(every_access_has_a_kernel),
		TEST(what_reaches_too_far_is_said),
		TEST(what_was_tried_is_kept),
		TEST(what_comes_back_has_its_picture),
		TEST(what_is_pasted_is_typed),
		TEST(a_broken_history_is_no_harm),
		TEST(a_kernel_is_edited_in_place),
		TEST(the_launch_is_in_a_comment),
		TEST(the_playground_looks_as_before),
		TEST(keys_and_sizes_do_no_harm_here),
	};
	return cmocka_run_group_tests_name("playground", tests, NULL, NULL);
}
