/* A kernel of the reader's as a lesson: what --sweep takes, the session over it, two versions, and a file that
 * changes. */
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
#include "cmd/explore.h"
#include "front/screen/screen.h"
#include "front/tutor/keys.h"
#include "front/tutor/private.h"
#include "front/view/numbers.h"
#include "front/view/source.h"
#include "front/view/views.h"
#include "model/hardware/metrics.h"

/* --- fixtures ----------------------------------------------------------------------------------------------------- */

struct fixture {
	struct cmd_ctx ctx;
	struct explore x;
	struct cmd_parsed args[16];
	struct buf ptx[2];
	char dir[64], path[2][128];
	struct tutor *tutor;
};

static const char *top(void)
{
	const char *dir = getenv("top_srcdir");
	return dir ? dir : ".";
}

static int new_fixture(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	setenv("PTXAS", ":", 1); /* how many registers a kernel has depends on it */
	f->ctx.arena = arena_new();
	f->x.ctx = &f->ctx;
	f->x.args = f->args;
	f->x.show.view = VIEW_NONE;
	strcpy(f->dir, "/tmp/simttutor-test-XXXXXX");
	*state = f;
	return mkdtemp(f->dir) ? 0 : -1;
}

static int free_fixture(void **state)
{
	struct fixture *f = *state;
	char command[128];
	tutor_free(f->tutor);
	for (int i = 0; i < 2; i++)
		buf_free(&f->ptx[i]);
	diag_free(&f->ctx.diag);
	arena_free(f->ctx.arena);
	snprintf(command, sizeof command, "rm -rf %s", f->dir);
	free(f);
	return system(command);
}

static const struct cmd_option *option(const char *name)
{
	for (const struct cmd_option *o = cmd_explore_entry.options; o->name; o++)
		if (strcmp(o->name, name) == 0)
			return o;
	fail_msg("there is no option %s", name);
	return NULL;
}

static void give(struct fixture *f, const char *name, const char *value)
{
	f->args[f->x.n_args++] = (struct cmd_parsed){option(name), value};
}

static void copy_exercise(struct fixture *f, const char *name, const char *end, const char *to)
{
	struct buf text = {0};
	char path[256];
	snprintf(path, sizeof path, "%s/lessons/10-banks/exercise/%s%s", top(), name, end);
	assert_true(file_read_text(path, 1 << 20, &text, &f->ctx.diag));
	assert_true(file_write(to, buf_str(&text), text.len, &f->ctx.diag));
	buf_free(&text);
}

/* The exercise's kernel `name` as the reader's file `i`, with its source beside it. */
static void put_kernel(struct fixture *f, int i, const char *name)
{
	char source[128];
	snprintf(source, sizeof source, "%s/%s.cu", f->dir, name);
	snprintf(f->path[i], sizeof f->path[i], "%s/%s.ptx", f->dir, i ? "other" : "mine");
	copy_exercise(f, name, ".cu", source);
	copy_exercise(f, name, ".ptx", f->path[i]);
}

/* The compiler of files that are PTX. */
static int copy_ptx(void *ctx, const char *path, const char *ptx_path)
{
	struct diag diag = {0};
	struct buf text = {0};
	(void)ctx;
	bool ok = file_read_text(path, 1 << 20, &text, &diag) && file_write(ptx_path, buf_str(&text), text.len, &diag);
	buf_free(&text);
	diag_free(&diag);
	return ok ? 0 : 1;
}

static void explore_rows(struct fixture *f, const char *other)
{
	put_kernel(f, 0, "start");
	f->x.file = f->path[0];
	if (other) {
		put_kernel(f, 1, other);
		f->x.other = f->path[1];
		f->x.other_is_file = true;
	}
	assert_true(explore_read_knob(&f->x, "rows=32..128+32@64"));
	give(f, "grid", "{(rows+31)/32}");
	give(f, "block", "128");
	give(f, "arg", "f32[{rows*32}]:iota");
	give(f, "arg", "f32[{rows}]");
	give(f, "arg", "u32:{rows}");
	for (int i = 0; i < (other ? 2 : 1); i++)
		assert_true(file_read_text(f->path[i], 1 << 20, &f->ptx[i], &f->ctx.diag));
	struct tutor_explorer by = {.ctx = &f->x,
		.paths = {f->path[0], other ? f->path[1] : NULL},
		.n_paths = other ? 2 : 1,
		.compiler = {NULL, copy_ptx},
		.make = explore_make,
		.steps = 1000000,
		.cc = 90};
	f->tutor = tutor_explore(&by, f->ptx, "none", "/nonexistent", &f->ctx.diag);
	if (!f->tutor)
		fail_msg("%s", f->ctx.diag.count ? f->ctx.diag.entries[0].message : "no session");
}

static int64_t value_of(const struct tutor *tutor, const char *name)
{
	for (int i = 0; i < tutor->at.lesson->n_parameters; i++)
		if (strcmp(tutor->at.lesson->parameters[i].name, name) == 0)
			return tutor->at.values[i];
	fail_msg("there is no parameter %s", name);
	return 0;
}

static void select_parameter(struct tutor *tutor, const char *label)
{
	for (int i = 0; i < 16 && strcmp(tutor->at.lesson->parameters[tutor->at.parameter].label, label) != 0; i++)
		tutor_act(tutor, ACTION_PARAM_SELECT);
	assert_string_equal(tutor->at.lesson->parameters[tutor->at.parameter].label, label);
}

/* Until the file that was changed is shown, or refused. */
static void settle(struct tutor *tutor, enum tutor_explored_state state, unsigned loaded)
{
	for (int i = 0; i < 2000; i++) {
		tutor_explore_step(tutor);
		if (tutor->explored->state == state && tutor->explored->loaded == loaded)
			return;
		usleep(10000);
	}
	fail_msg("state %d, loaded %u", (int)tutor->explored->state, tutor->explored->loaded);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static void assert_values(struct fixture *f, const char *text, int n, const int64_t *values, int64_t initial)
{
	f->x.n_knobs = 0;
	if (!explore_read_knob(&f->x, text))
		fail_msg("%s: %s", text, f->ctx.diag.entries[f->ctx.diag.count - 1].message);
	const struct explore_knob *k = &f->x.knobs[0];
	assert_int_equal(k->n, n);
	assert_memory_equal(k->values, values, (size_t)n * sizeof *values);
	assert_int_equal(k->initial, initial);
}

static void values_are_lists_and_ranges(void **state)
{
	struct fixture *f = *state;
	assert_values(f, "n=1,2,4", 3, (int64_t[]){1, 2, 4}, 1);
	assert_values(f, "n=3..6", 4, (int64_t[]){3, 4, 5, 6}, 3);
	assert_values(f, "n=32..1024", 6, (int64_t[]){32, 64, 128, 256, 512, 1024}, 32);
	assert_values(f, "n=32..1000@128", 6, (int64_t[]){32, 64, 128, 256, 512, 1000}, 128);
	assert_values(f, "n=0..10+4", 4, (int64_t[]){0, 4, 8, 10}, 0);
	assert_values(f, "n=1..27*3", 4, (int64_t[]){1, 3, 9, 27}, 1);
	assert_values(f, "n=-2..1,5", 5, (int64_t[]){-2, -1, 0, 1, 5}, -2);
}

static void other_values_are_refused(void **state)
{
	static const char *const bad[] = {"", "n", "n=", "=1", "n=2,1", "n=1..", "n=4..1", "n=1..x", "n=1..8*1",
		"n=0..8*2", "n=1..8+0", "n=1,2@3", "n=1 ", "n=1,,2", "1n=1", "line=1", "block=1", "i=1", "a-b=1",
		"time=1", "n=0..2000+1", "n=99999999999999999999", "n={}"};
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		f->x.n_knobs = 0;
		if (explore_read_knob(&f->x, bad[i]))
			fail_msg("'%s' is taken", bad[i]);
	}
	assert_true(explore_read_knob(&f->x, "n=1"));
	assert_false(explore_read_knob(&f->x, "n=2")); /* a second time */
}

/* --- the session -------------------------------------------------------------------------------------------------- */

static void the_costliest_line_is_watched(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	const struct view_input *input = &f->tutor->shown.input;
	assert_int_equal(input->source->watched, 23);
	assert_non_null(input->access);
	assert_int_equal(input->access->space, SPACE_SHARED);
	assert_int_equal(f->tutor->shown.view, VIEW_BANKS);
	assert_int_equal(value_of(f->tutor, "rows"), 64);
	assert_string_equal(input->place, "line 23 · warp 0:0 · 1 of 32");
	assert_null(input->compare->names[0]);
	assert_false(f->tutor->shown.problems);
}

static void the_watched_lies_in_the_launch(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	struct tutor *tutor = f->tutor;
	select_parameter(tutor, "block");
	for (int i = 0; i < 5; i++)
		tutor_act(tutor, ACTION_PARAM_NEXT);
	assert_int_equal(value_of(tutor, "block"), 1); /* of two */
	select_parameter(tutor, "warp");
	for (int i = 0; i < 9; i++)
		tutor_act(tutor, ACTION_PARAM_NEXT);
	assert_int_equal(value_of(tutor, "warp"), 3);
	select_parameter(tutor, "rows");
	tutor_act(tutor, ACTION_PARAM_PREVIOUS);
	assert_int_equal(value_of(tutor, "rows"), 32);
	assert_int_equal(value_of(tutor, "block"), 0); /* of one */
	assert_int_equal(value_of(tutor, "warp"), 3);
	assert_null(tutor->shown.input.access); /* the first warp alone adds */
	select_parameter(tutor, "warp");
	for (int i = 0; i < 3; i++)
		tutor_act(tutor, ACTION_PARAM_PREVIOUS);
	uint64_t first = tutor->shown.input.access->address[1];
	select_parameter(tutor, "access");
	for (int i = 0; i < 100; i++)
		tutor_act(tutor, ACTION_PARAM_NEXT);
	assert_int_equal(value_of(tutor, "access"), 32);
	assert_int_equal(tutor->shown.input.access->address[1], first + 31 * sizeof(float));
	tutor_act(tutor, ACTION_LINE_DOWN);
	assert_int_equal(value_of(tutor, "access"), 1);
	assert_int_equal(tutor->shown.input.source->watched, 24);
	assert_int_equal(tutor->shown.input.access->space, SPACE_GLOBAL);
}

static void the_sweep_is_over_what_is_turned(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	const struct view_sweep *sweep = f->tutor->shown.input.sweep;
	assert_int_equal(sweep->n, 4);
	assert_string_equal(sweep->parameter, "rows");
	assert_int_equal(sweep->metric, METRIC_SHARED_LD_WAVES_PER_REQUEST);
	assert_int_equal(sweep->at, 64);
	for (int i = 0; i < sweep->n; i++)
		assert_true(sweep->predicted[i].state == VALUE_OK && sweep->predicted[i].v >= 32 &&
			sweep->predicted[i].v <= 32);
	int before = experiments_count(f->tutor->private->experiments);
	tutor_act(f->tutor, ACTION_LINE_UP); /* what is watched changes nothing of it */
	assert_int_equal(f->tutor->shown.input.sweep->n, 4);
	assert_int_equal(experiments_count(f->tutor->private->experiments), before + 1);
}

static void keys_of_lessons_do_no_harm(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	for (int action = 0; action < ACTIONS; action++) {
		tutor_act(f->tutor, (enum tutor_action)action);
		assert_int_equal(f->tutor->at.mode, TUTOR_LESSON);
		assert_false(f->tutor->at.ending);
		assert_int_equal(f->tutor->at.step, 0);
	}
	assert_true(f->tutor->quit); /* one of them was that */
}

static void two_versions_are_compared(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, "solution");
	struct tutor *tutor = f->tutor;
	const struct view_compare *c = tutor->shown.input.compare;
	assert_string_equal(c->names[0], "mine.ptx");
	assert_string_equal(c->names[1], "other.ptx");
	bool differs = false;
	for (int i = 0; i < c->n_metrics; i++)
		if (c->metrics[i] == METRIC_SHARED_LD_CONFLICTS)
			differs = c->values[0][i].v > 1000 && c->values[1][i].v < 1;
	assert_true(differs);
	/* every line of both stands in one row, in order */
	int seen[2] = {0, 0}, at[2] = {-1, -1};
	for (int r = 0; r < c->n_rows; r++)
		for (int side = 0; side < 2; side++)
			if (c->rows[r].lines[side] >= 0) {
				assert_true(c->rows[r].lines[side] > at[side]);
				at[side] = c->rows[r].lines[side];
				seen[side]++;
			}
	assert_true(seen[0] > 10 && seen[1] > 10);
	int line = tutor->shown.input.source->watched;
	assert_int_equal(line, 23);
	assert_int_equal(tutor->shown.input.source->lines[line - 1].mark, '~');
	assert_int_equal(tutor->shown.input.source->lines[line - 3].mark, 0);
	tutor_act(tutor, ACTION_STEP_NEXT);
	assert_int_equal(tutor->at.step, 1);
	assert_int_equal(tutor->shown.input.source->watched, 24);
	assert_int_equal(tutor->shown.input.compare->shown, 1);
	assert_int_equal(tutor->shown.view, VIEW_COMPARE);
	tutor_act(tutor, ACTION_STEP_NEXT); /* there are two */
	assert_int_equal(tutor->at.step, 1);
	tutor_act(tutor, ACTION_STEP_PREVIOUS);
	assert_int_equal(tutor->shown.input.source->watched, line);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void a_file_that_changes_is_shown_anew(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	struct tutor *tutor = f->tutor;
	tutor_act(tutor, ACTION_PARAM_NEXT);
	tutor_turn_to_view(tutor, VIEW_OCCUPANCY);
	double before = metric_value(METRIC_SHARED_LD_CONFLICTS, &experiment_run(tutor->private->shown)->counts).v;
	put_kernel(f, 0, "solution");
	settle(tutor, EXPLORED_SHOWN, 1);
	double after = metric_value(METRIC_SHARED_LD_CONFLICTS, &experiment_run(tutor->private->shown)->counts).v;
	assert_true(before > 0 && after < 1);
	assert_int_equal(value_of(tutor, "rows"), 96);
	assert_int_equal(tutor->shown.view, VIEW_OCCUPANCY);
}

static void a_faulty_one_leaves_what_is_shown(void **state)
{
	struct fixture *f = *state;
	explore_rows(f, NULL);
	struct tutor *tutor = f->tutor;
	const char *place = arena_strdup(f->ctx.arena, tutor->shown.input.place);
	static const char *const faulty[] = {"this is no PTX", ".version 8.0\n.target sm_90\n.address_size 64\n", ""};
	for (size_t i = 0; i < sizeof faulty / sizeof *faulty; i++) {
		assert_true(file_write(f->path[0], faulty[i], strlen(faulty[i]), &f->ctx.diag));
		settle(tutor, EXPLORED_REFUSED, 0);
		assert_true(strlen(tutor->explored->message) > 0);
		assert_string_equal(tutor->shown.input.place, place);
		assert_non_null(tutor->shown.input.access);
		tutor_act(tutor, ACTION_PARAM_NEXT); /* it can still be turned */
		assert_non_null(tutor->shown.input.access);
		tutor_act(tutor, ACTION_PARAM_PREVIOUS);
	}
	unlink(f->path[0]);
	for (int i = 0; i < 30; i++) {
		tutor_explore_step(tutor);
		usleep(10000);
	}
	assert_non_null(tutor->shown.input.access);
	put_kernel(f, 0, "start");
	settle(tutor, EXPLORED_SHOWN, 1);
}

/* --- any key, at any size ----------------------------------------------------------------------------------------- */

#define KEYS_ALL 20000
#define SIZES_ALL 500
#define KEYS_SOME 1200
#define SIZES_SOME 60

static uint64_t random_state = 20261123;

static uint32_t random_below(uint32_t n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % n;
}

static key_code random_key(void)
{
	if (random_below(8) == 0)
		return ' ' + random_below(95);
	return tutor_keys[random_below((uint32_t)tutor_key_count)].key;
}

static void draw(struct fixture *f, struct screen_state *screen, int cols, int rows)
{
	struct screen_targets targets;
	struct canvas *canvas = canvas_new(rows, cols);
	screen_render(canvas, f->tutor, screen, &targets);
	for (int i = 0; i < canvas->rows * canvas->cols; i++) {
		const struct cell *cell = &canvas->cells[i];
		assert_true(cell->role < ROLES && cell->ground < ROLES);
		assert_true(cell->ch == 0 || utf8_width(cell->ch) > 0);
	}
	if (random_below(10) == 0)
		screen_click(screen, f->tutor, &targets, (int)random_below((uint32_t)canvas->rows),
			(int)random_below((uint32_t)canvas->cols));
	if (random_below(10) == 0)
		screen_wheel(screen, f->tutor, (int)random_below((uint32_t)canvas->rows),
			(int)random_below((uint32_t)canvas->cols), (int)random_below(11) - 5);
	canvas_free(canvas);
}

/* A part always, all with SIMTTUTOR_TEST_LONG; meanwhile the file changes, rightly and wrongly. */
static void keys_and_sizes_do_no_harm(void **state)
{
	struct fixture *f = *state;
	struct screen_state screen = {0};
	bool all = getenv("SIMTTUTOR_TEST_LONG") != NULL;
	int keys = all ? KEYS_ALL : KEYS_SOME, sizes = all ? SIZES_ALL : SIZES_SOME, cols = 80, rows = 24;
	explore_rows(f, "solution");
	f->tutor->background = true;
	for (int i = 0; i < keys; i++) {
		if (i % (keys / sizes) == 0) {
			cols = 1 + (int)random_below(300);
			rows = 1 + (int)random_below(100);
		}
		if (i % (keys / 6) == 0)
			put_kernel(f, 0, i % (keys / 3) == 0 ? "solution" : "start");
		if (i % (keys / 4) == 1)
			assert_true(file_write(f->path[1], "faulty", 6, &f->ctx.diag));
		screen_key(&screen, f->tutor, random_key());
		f->tutor->quit = false;
		if (screen_debugger(&screen)) {
			screen_debugger_work(&screen);
		} else {
			tutor_explore_step(f->tutor);
			if (tutor_has_work(f->tutor))
				tutor_work(f->tutor);
		}
		draw(f, &screen, cols, rows);
	}
	screen_end(&screen);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, new_fixture, free_fixture)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(values_are_lists_and_ranges),
		TEST(other_values_are_refused),
		TEST(the_costliest_line_is_watched),
		TEST(the_watched_lies_in_the_launch),
		TEST(the_sweep_is_over_what_is_turned),
		TEST(keys_of_lessons_do_no_harm),
		TEST(two_versions_are_compared),
		TEST(a_file_that_changes_is_shown_anew),
		TEST(a_faulty_one_leaves_what_is_shown),
		TEST(keys_and_sizes_do_no_harm),
	};
	return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
