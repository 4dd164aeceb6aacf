/* Golden pictures of the debugger: tests/golden/debug/NAME.txt, each at three sizes. SIMTTUTOR_UPDATE_GOLDEN=1 rewrites
 * them. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "front/debug/keys.h"
#include "debug_kernels.h"
#include "front/canvas/export.h"
#include "front/screen/debug.h"

/* Commands, each on a line of its own, then keys. */
static const struct {
	const char *name, *kernel, *commands, *keys;
} cases[] = {
	{"start", "histogram", "", ""},
	{"stepped", "histogram", "step 8", ""},
	{"diverged", "softmax", "warp 1\nbreak 19 lane 3 warp 1\nc\nc\nc", ""},
	{"diverged-paths", "softmax", "warp 1\nbreak 19 lane 3 warp 1\nc\nc\nc", "3"},
	{"at-the-barrier", "histogram", "warp 1\nbreakptx 53 warp 1\nc\nany\nwarp 1", "4"},
	{"conflict", "histogram", "break 16\nc\nstep 8", "2"},
	{"conflict-zoomed", "softmax", "break 28\nc\nstep 6", "2 z"},
	{"sectors", "stencil", "step 13", "2"},
	{"defect", "unbounded", "c", ""},
	{"race", "tile_reuse_missing", "c", ""},
	{"ended", "scan", "c", ""},
	{"to-come", "histogram", "block 1", ""},
	{"called", "calls", "break 5\nc\nc", "3"},
	{"lane", "softmax", "warp 2\nlane 30\nstep 45", ""},
	{"hex", "matmul", "break 16\nc\nstep 5\nformat hex\ndisplay %r1", "Right Right"},
	{"variables", "variables", "break 37\nc\nc", "5"},
	{"variables-of-a-lane", "variables", "break 14\nc\nlane 7", "5 z"},
	{"variables-without-names", "scan", "step 5", "5"},
	{"ptx", "scan", "step 20", "v v"},
	{"source", "scan", "step 20", "v"},
	{"break", "scan", "breakptx 60\nbreak 17", "Down Down b"},
	{"prompt", "scan", "", ": b r e a k Space 1"},
	{"wrong", "scan", "", ": b r e a k Space x Enter"},
	{"help", "scan", "", "?"},
	{"help-commands", "scan", "", "? PgDn PgDn PgDn PgDn PgDn PgDn"},
};

static const struct {
	int cols, rows;
} sizes[] = {{80, 24}, {120, 35}, {160, 50}};

static struct opened begin(const char *kernel)
{
	for (size_t i = 0; i < sizeof debug_launches / sizeof *debug_launches; i++)
		if (strstr(debug_launches[i].kernel, kernel))
			return debug_open(debug_launches[i].name, kernel, ".cu");
	fail_msg("no kernel %s", kernel);
	return (struct opened){0};
}

static void do_commands(struct debug *debug, struct screen_debug_state *screen, const char *commands)
{
	char line[80];
	for (int n; sscanf(commands, "%79[^\n]%n", line, &n) == 1; commands += n + (commands[n] == '\n'))
		if (debug_do(debug, line))
			screen_debug_take(screen, debug);
		else
			fail_msg("%s: refused", line);
}

static void picture(const char *kernel, const char *commands, const char *keys, int cols, int rows, struct buf *out)
{
	struct screen_debug_state screen = {0};
	struct opened o = begin(kernel);
	struct canvas *canvas = canvas_new(rows, cols);
	char word[16];
	do_commands(o.debug, &screen, commands);
	screen_debug_render(canvas, o.debug, &screen, NULL);
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n) {
		screen_debug_key(&screen, o.debug, key_named(word));
		debug_finish(o.debug);
		screen_debug_render(canvas, o.debug, &screen, NULL);
	}
	struct canvas_export_options options = {.charset = CANVAS_UTF8};
	buf_printf(out, "=== %d columns, %d rows\n", cols, rows);
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &options, out);
	canvas_free(canvas);
	debug_close(&o);
}

/* Returns how many lines differ, and shows the first of them. */
static int compare(const char *file, const char *want, const char *got)
{
	int faults = 0;
	for (int line = 1; *want || *got; line++) {
		size_t w = strcspn(want, "\n"), g = strcspn(got, "\n");
		if ((w != g || memcmp(want, got, w) != 0) && faults++ < 10)
			print_error("%s:%d\n-%.*s\n+%.*s\n", file, line, (int)w, want, (int)g, got);
		want += w + (want[w] == '\n');
		got += g + (got[g] == '\n');
	}
	return faults;
}

static int check(size_t c)
{
	struct buf got = {0}, want = {0}, path = {0};
	struct diag diag = {0};
	int faults = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		picture(cases[c].kernel, cases[c].commands, cases[c].keys, sizes[i].cols, sizes[i].rows, &got);
	buf_printf(&path, "%s/tests/golden/debug/%s.txt", debug_top(), cases[c].name);
	if (getenv("SIMTTUTOR_UPDATE_GOLDEN")) {
		assert_true(file_write(path.data, got.data, got.len, &diag));
	} else if (!file_read(path.data, 1 << 20, &want, &diag)) {
		print_error("%s: not there; run with SIMTTUTOR_UPDATE_GOLDEN=1\n", path.data);
		faults = 1;
	} else {
		faults = compare(path.data, buf_str(&want), buf_str(&got));
	}
	buf_free(&got);
	buf_free(&want);
	buf_free(&path);
	diag_free(&diag);
	return faults;
}

static void screens_look_as_before(void **state)
{
	(void)state;
	int faults = 0;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		faults += check(i);
	assert_int_equal(faults, 0);
}

/* Whatever the size, the screen is drawn, and nothing outside of it. */
static void any_size_can_be_drawn(void **state)
{
	(void)state;
	struct screen_debug_state screen = {0};
	struct opened o = begin("softmax");
	struct screen_debug_targets targets;
	do_commands(o.debug, &screen, "warp 1\nbreak 19\nc\nc");
	for (int rows = 1; rows <= 60; rows += 3) {
		for (int cols = 1; cols <= 200; cols += 7) {
			struct canvas *canvas = canvas_new(rows, cols);
			for (int pane = 0; pane < DEBUG_PANE_COUNT; pane++) {
				screen.pane = (enum debug_pane)pane;
				screen_debug_render(canvas, o.debug, &screen, &targets);
				for (int i = 0; i < targets.n; i++) {
					struct rect r = targets.t[i].rect;
					assert_true(r.row >= 0 && r.col >= 0 && r.row + r.rows <= rows &&
						r.col + r.cols <= cols);
				}
			}
			canvas_free(canvas);
		}
	}
	debug_close(&o);
}

/* Every character has a stand-in where there is only ASCII. */
static void ascii_knows_every_sign(void **state)
{
	(void)state;
	struct screen_debug_state screen = {0};
	struct opened o = begin("softmax");
	struct canvas *canvas = canvas_new(50, 160);
	do_commands(o.debug, &screen, "warp 1\nbreak 19\nc\nc\nstep 3");
	for (int pane = 0; pane < DEBUG_PANE_COUNT; pane++) {
		screen.pane = (enum debug_pane)pane;
		screen_debug_render(canvas, o.debug, &screen, NULL);
		for (int row = 0; row < canvas->rows; row++)
			for (int col = 0; col < canvas->cols; col++)
				assert_true(canvas_ascii(canvas_at(canvas, row, col)->ch) != '?' ||
					canvas_at(canvas, row, col)->ch == '?');
	}
	canvas_free(canvas);
	debug_close(&o);
}

static void clicks_do_what_is_there(void **state)
{
	(void)state;
	struct screen_debug_state screen = {0};
	struct opened o = begin("scan");
	struct canvas *canvas = canvas_new(24, 80);
	struct screen_debug_targets targets;
	screen_debug_render(canvas, o.debug, &screen, &targets);
	for (int i = 0; i < targets.n; i++) {
		const struct screen_debug_target t = targets.t[i];
		if (t.action != DEBUG_ACT_PANE_WARPS && t.line != 8)
			continue;
		assert_true(screen_debug_click(&screen, o.debug, &targets, t.rect.row, t.rect.col));
		if (t.action == DEBUG_ACT_PANE_WARPS)
			assert_int_equal(screen.pane, DEBUG_PANE_WARPS);
		else
			assert_int_equal(o.debug->cursor.line, 8);
	}
	assert_false(screen_debug_click(&screen, o.debug, &targets, 0, 0));
	canvas_free(canvas);
	debug_close(&o);
}

/* Keys in any order, as a cat would press them; the same ones in every run. */
#define KEYS_ALL 20000
#define KEYS_SOME 600

static bool is_long(void)
{
	const char *all = getenv("SIMTTUTOR_TEST_LONG");
	return all && *all;
}

static void render_any_size(const struct opened *o, struct screen_debug_state *screen, uint32_t random)
{
	struct canvas *canvas = canvas_new(1 + (int)(random >> 8) % 100, 1 + (int)(random >> 4) % 300);
	struct screen_debug_targets targets;
	screen_debug_render(canvas, o->debug, screen, &targets);
	for (int row = 0; row < canvas->rows; row++)
		for (int col = 0; col < canvas->cols; col++)
			assert_true(canvas_at(canvas, row, col)->role < ROLES);
	canvas_free(canvas);
}

static void any_keys_can_be_pressed(void **state)
{
	static const char *const kernels[] = {"softmax", "calls", "unbounded", "histogram"};
	static const char typed[] = "bw1 23lpxsn";
	uint32_t random = 1;
	(void)state;
	for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
		struct screen_debug_state screen = {0};
		struct opened o = begin(kernels[k]);
		struct canvas *small = canvas_new(24, 80), *large = canvas_new(40, 130);
		struct screen_debug_targets targets;
		int keys = is_long() ? KEYS_ALL / (int)(sizeof kernels / sizeof *kernels) : KEYS_SOME;
		for (int i = 0; i < keys; i++) {
			random = random * 1664525u + 1013904223u;
			key_code key = debug_keys[(random >> 16) % (uint32_t)debug_key_count].key;
			key_code letter = (key_code)typed[(random >> 8) % (sizeof typed - 1)];
			if (debug_key_action(key) == DEBUG_ACT_QUIT)
				continue;
			screen_debug_key(&screen, o.debug, o.debug->prompt.mark && random >> 31 ? letter : key);
			debug_finish(o.debug);
			o.debug->quit = false;
			buf_clear(&o.debug->said.output);
			screen_debug_render(i % 2 ? small : large, o.debug, &screen, &targets);
			if (i % 40 == 0) /* another terminal, from one cell on */
				render_any_size(&o, &screen, random);
			assert_in_range(o.debug->cursor.row, 0, o.debug->program->n_rows - 1);
			assert_in_range(o.debug->cursor.line, 1, o.debug->program->source.n_lines);
			assert_true(o.debug->warp < o.debug->extent.warps && o.debug->block < o.debug->extent.blocks);
			assert_true((o.debug->now.executing & ~o.debug->now.active) == 0);
			assert_true((o.debug->now.waiting & o.debug->now.active) == 0);
		}
		canvas_free(small);
		canvas_free(large);
		debug_close(&o);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(screens_look_as_before),
		cmocka_unit_test(any_size_can_be_drawn),
		cmocka_unit_test(ascii_knows_every_sign),
		cmocka_unit_test(clicks_do_what_is_there),
		cmocka_unit_test(any_keys_can_be_pressed),
	};
	return cmocka_run_group_tests_name("debug screens", tests, NULL, NULL);
}
