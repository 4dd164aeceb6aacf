/* Golden pictures of the screens that a reader walks through: tests/golden/screens/NAME.txt, each at three sizes.
 * SIMTTUTOR_UPDATE_GOLDEN=1 rewrites them. */
#include <limits.h>
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
#include "front/canvas/export.h"
#include "front/screen/screen.h"
#include "front/tutor/present.h"

/* What was pressed since the list came up; @VIEW turns to a view that the step does not offer; @slides: in front of a
 * class; @beside: the steps compare the stride with 32. */
static const struct {
	const char *name, *keys;
} cases[] = {
	{"list", ""},
	{"list-help", "?"},
	{"banks-1", "Enter"},
	{"banks-2", "Enter n"},
	{"banks-3", "Enter n n"},
	{"banks-4", "Enter n n n"},
	{"banks-5", "Enter n n n n"},
	{"banks-6", "Enter n n n n n"},
	{"banks-7", "Enter n n n n n n"},
	{"banks-end", "Enter n n n n n n n"},
	{"banks-help", "Enter ?"},
	{"banks-2-turned", "Enter n Right Right"},
	{"banks-2-uncovered", "Enter n Right Right u"},
	{"banks-2-source", "Enter n v"},
	{"banks-2-numbers", "Enter n v v"},
	{"banks-2-zoomed", "Enter n z"},
	{"banks-2-scrolled", "Enter n Space Space Space"},
	{"banks-2-typing", "Enter n 1 2"},
	{"banks-2-no-number", "Enter n 1 6 , 5"},
	{"banks-2-wrong", "Enter n 1 2 Enter h"},
	{"banks-2-right", "Enter n 4 Enter"},
	{"banks-2-measure", "Enter n m"},
	{"banks-1-choice", "Enter 1 Enter a 2"},
	{"banks-2-schedule", "Enter n @schedule"},
	{"banks-2-schedule-zoomed", "Enter n @schedule z"},
	{"banks-2-blocks", "Enter n @blocks"},
	{"banks-2-mask", "Enter n @mask"},
	{"banks-2-played", "Enter n Right Right u >"},
	{"banks-2-playing", "Enter n Right Right u . > ."},
	{"banks-2-schedule-played", "Enter n @schedule > > > > > > > > > >"},
	{"banks-2-mask-played", "Enter n @mask > > > >"},
	{"banks-2-debug", "Enter n u s"},
	{"banks-2-debug-back", "Enter n Right Right u > s s S n q"},
	{"banks-2-debug-covered", "Enter n Right Right s"},
	{"banks-2-beside", "@beside Enter n 4 Enter"},
	{"banks-2-beside-covered", "@beside Enter n Right Right"},
	{"banks-2-beside-numbers", "@beside Enter n @numbers"},
	{"banks-2-beside-compare", "@beside Enter n @compare"},
	{"slide-2-beside", "@beside @slides 2 Enter"},
	{"banks-2-text", "Enter n z z"},
	{"banks-2-search", "Enter n / b r o a d Down"},
	{"banks-2-palette", "Enter n : s t e p"},
	{"banks-2-goto", "Enter n g"},
	{"list-search", "/ s t r i d e Space 2"},
	{"slide-1", "@slides"},
	{"slide-1-text", "@slides Space Space PgUp Space"},
	{"slide-1-vote", "@slides 1 Enter Space Space Space 1 2 Down 7 _ +"},
	{"slide-1-answer", "@slides Space Space Space 1 2 Down 7 Space"},
	{"slide-2-called", "@slides 2 Enter Space Space Space Space 4 Enter 4 Enter 2 Enter 1 6"},
	{"slide-2-answer", "@slides 2 Enter Space Space Space Space 8 Enter u"},
	{"slide-2-zoomed", "@slides 2 Enter Space z"},
	{"slide-2-pointing", "@slides 2 Enter x Right Right"},
	{"slide-2-turned", "@slides 2 Enter ] ] t"},
	{"slide-2-playing", "@slides 2 Enter > a"},
	{"slide-4-number", "@slides N N N 4"},
	{"slide-blank", "@slides b"},
	{"slide-help", "@slides ?"},
	{"slide-7-exercise", "@slides End Space Space Space Space"},
	{"slide-end", "@slides End N"},
};

static const struct {
	int cols, rows;
} sizes[] = {{80, 24}, {100, 30}, {160, 50}, {220, 60}};
#define SIZES_OF_SCREENS 3 /* those of slides are larger, too */

static const char *top(void)
{
	const char *dir = getenv("top_srcdir");
	return dir ? dir : ".";
}

/* A course of the one lesson that is drawn here: the others come and go. */
static char course[64];

static int make_course(void **state)
{
	(void)state;
	char command[PATH_MAX + 256];
	strcpy(course, "/tmp/simttutor-test-XXXXXX");
	if (!mkdtemp(course))
		return -1;
	snprintf(command, sizeof command,
		"top=$(cd '%s' && pwd); cd %s && mkdir lessons && ln -s \"$top/kernels\" . && "
		"ln -s \"$top/lessons/10-banks\" lessons",
		top(), course);
	return system(command);
}

static int remove_course(void **state)
{
	(void)state;
	char command[sizeof course + 16];
	snprintf(command, sizeof command, "rm -rf %s", course);
	return system(command);
}

static struct tutor *begin(void)
{
	struct diag diag = {0};
	struct paths paths = {.data = course, .worker = "/nonexistent/simttutor-gpu", .state = "/dev/null/none"};
	struct tutor *tutor = tutor_new(&paths, "none", &diag);
	struct buf text = {0};
	diag_format(&diag, &text);
	if (!tutor)
		fail_msg("%s", buf_str(&text));
	tutor->keeps_progress = false;
	buf_free(&text);
	diag_free(&diag);
	return tutor;
}

static void compare_stride(struct lesson *lesson)
{
	static const int64_t beside[] = {32, 32, 64}; /* stride, group, rows */
	assert_int_equal(lesson->n_parameters, 3);
	for (int i = 0; i < lesson->n_steps; i++)
		lesson->steps[i].compare = beside;
}

static void picture(const char *keys, int cols, int rows, struct buf *out)
{
	struct tutor *tutor = begin();
	struct screen_state screen = {0};
	struct canvas *canvas = canvas_new(rows, cols);
	char word[16];
	/* drawn once before, as on a terminal: the first drawing finds out how long a page is */
	screen_render(canvas, tutor, &screen, NULL);
	for (int n; sscanf(keys, " %15s%n", word, &n) == 1; keys += n) {
		if (strcmp(word, "@slides") == 0)
			tutor_present(tutor, tutor->catalog->lessons[0], 0, 45);
		else if (strcmp(word, "@beside") == 0)
			compare_stride(tutor->catalog->lessons[0]);
		else if (word[0] == '@')
			tutor_turn_to_view(tutor, view_find(word + 1));
		else
			screen_key(&screen, tutor, key_named(word));
		while (screen_debugger_busy(&screen))
			screen_debugger_work(&screen);
		screen_render(canvas, tutor, &screen, NULL);
	}
	struct canvas_export_options options = {.charset = CANVAS_UTF8};
	buf_printf(out, "=== %d columns, %d rows\n", cols, rows);
	canvas_export(canvas, CANVAS_FORMAT_TEXT, &options, out);
	screen_end(&screen);
	canvas_free(canvas);
	tutor_free(tutor);
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

static int check(const char *name, const char *keys)
{
	struct buf got = {0}, want = {0}, path = {0};
	struct diag diag = {0};
	int faults = 0;
	size_t n = strncmp(name, "slide-", 6) == 0 ? sizeof sizes / sizeof *sizes : SIZES_OF_SCREENS;
	for (size_t i = 0; i < n; i++)
		picture(keys, sizes[i].cols, sizes[i].rows, &got);
	buf_printf(&path, "%s/tests/golden/screens/%s.txt", top(), name);
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
		faults += check(cases[i].name, cases[i].keys);
	assert_int_equal(faults, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {cmocka_unit_test(screens_look_as_before)};
	return cmocka_run_group_tests_name("screens", tests, make_course, remove_course);
}
