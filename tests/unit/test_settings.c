/* The reader's settings: their file, what is wrong with it, and the box on the screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/paths.h"
#include "front/canvas/theme.h"
#include "front/screen/screen.h"
#include "front/tui/term_parts.h"
#include "front/tutor/keys.h"
#include "front/tutor/settings.h"

static char folder[] = "/tmp/simttutor-settings-XXXXXX", path[80];

static int make_folder(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/settings", folder);
	return 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

static void read_settings(struct tutor_settings *settings, const char *text, struct buf *said)
{
	struct diag diag = {0};
	*settings = (struct tutor_settings){.path = path};
	tutor_settings_read(settings, "FILE", text, strlen(text), &diag);
	buf_clear(said);
	diag_format(&diag, said);
	assert_int_equal(diag.errors, 0); /* no file keeps a reader from the lessons */
	diag_free(&diag);
}

static void values_are_read_and_the_rest_is_standard(void **state)
{
	(void)state;
	struct tutor_settings settings;
	struct buf said = {0};
	read_settings(&settings,
		"# mine\n\n theme =light \r\nmotion=off\ngpu = command:srun --gres=gpu:1 simttutor-gpu", &said);
	assert_string_equal(buf_str(&said), "");
	assert_string_equal(tutor_setting(&settings, SETTING_THEME), "light");
	assert_true(tutor_setting_is(&settings, SETTING_MOTION, "off"));
	assert_string_equal(tutor_setting(&settings, SETTING_GPU), "command:srun --gres=gpu:1 simttutor-gpu");
	assert_string_equal(tutor_setting(&settings, SETTING_MOUSE), "on");
	for (int i = 0; i < SETTINGS; i++)
		assert_string_equal(tutor_setting(NULL, (enum tutor_setting)i), tutor_setting_table[i].standard);
	buf_free(&said);
}

static void what_is_wrong_is_named_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text, *said;
	} cases[] = {
		{"theme = pink\n", "FILE:1: warning: theme cannot be 'pink'; it takes one of: auto terminal dark"},
		{"\n\nclicks = on\n", "FILE:3: warning: there is no setting 'clicks'; there are theme, motion, mouse"},
		{"# x\ntheme\n", "FILE:2: warning: expected NAME = VALUE"},
		{"mouse = off\nmouse = on\n", "FILE:2: warning: mouse is set twice"},
		{"gpu =\n", "FILE:1: warning: gpu cannot be ''"},
		{"gpu = command:\033]0;x\a\n", "FILE:1: warning: gpu cannot be"},
		{"theme\001 = light\n", "FILE:1: warning: there is no setting"},
	};
	struct buf said = {0};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tutor_settings settings;
		read_settings(&settings, cases[i].text, &said);
		if (!strstr(buf_str(&said), cases[i].said))
			fail_msg("'%s' says '%s'", cases[i].text, buf_str(&said));
		assert_null(strchr(buf_str(&said), '\033')); /* the terminal is left alone */
		assert_string_equal(tutor_setting(&settings, SETTING_THEME), "auto");
		assert_string_equal(tutor_setting(&settings, SETTING_GPU), "local");
	}
	buf_free(&said);
}

static void any_bytes_can_be_read(void **state)
{
	(void)state;
	static const char pieces[] = "theme=mouse gpu\n\r\t#\0\377\033 on off light";
	uint32_t random = 16;
	for (int round = 0; round < 3000; round++) {
		char text[120];
		struct tutor_settings settings = {0};
		struct diag diag = {0};
		for (size_t i = 0; i < sizeof text; i++) {
			random = random * 1664525 + 1013904223;
			text[i] = pieces[(random >> 16) % sizeof pieces];
		}
		tutor_settings_read(&settings, "FILE", text, sizeof text, &diag);
		for (int id = 0; id < SETTINGS; id++) {
			const char *value = tutor_setting(&settings, (enum tutor_setting)id);
			assert_true(*value && strlen(value) < SETTING_VALUE_MAX);
			for (; *value; value++)
				assert_true((unsigned char)*value >= ' ' && *value != 127);
		}
		diag_free(&diag);
	}
}

static void a_changed_one_is_kept_among_the_others(void **state)
{
	(void)state;
	static const char before[] = "# of mine\ntheme = light\n\nbroken line\n",
			  after[] = "# of mine\ntheme = projector\n\nbroken line\nmotion = off\n";
	struct tutor_settings settings = {.path = path};
	struct diag diag = {0};
	struct buf text = {0};
	assert_true(file_write_private(path, before, strlen(before), &diag));
	tutor_settings_load(&settings, path, &diag);
	assert_int_equal(diag.count, 1); /* the broken line */
	assert_true(tutor_setting_set(&settings, SETTING_THEME, "projector", (struct diag_pos){0}, &diag));
	assert_true(tutor_setting_turn(&settings, SETTING_MOTION, 1));
	assert_true(tutor_settings_save(&settings, SETTING_THEME, &diag));
	assert_true(tutor_settings_save(&settings, SETTING_MOTION, &diag));
	assert_true(file_read(path, 1000, &text, &diag));
	assert_string_equal(buf_str(&text), after);
	buf_free(&text);
	diag_free(&diag);
	unlink(path);
}

static void a_file_that_cannot_be_read_is_left_alone(void **state)
{
	(void)state;
	struct tutor_settings settings = {0};
	struct diag diag = {0};
	assert_int_equal(mkdir(path, 0700), 0);
	tutor_settings_load(&settings, path, &diag);
	assert_int_equal(diag.count, 1);
	assert_int_equal(diag.errors, 0);
	assert_null(settings.path);
	assert_false(tutor_settings_save(&settings, SETTING_THEME, &diag));
	assert_string_equal(tutor_setting(&settings, SETTING_THEME), "auto");
	assert_int_equal(rmdir(path), 0);
	diag_free(&diag);
}

static void turning_goes_around_and_keeps_what_is_free(void **state)
{
	(void)state;
	struct tutor_settings settings = {0};
	struct diag diag = {0};
	for (int i = 0; i < SETTINGS; i++) {
		enum tutor_setting id = (enum tutor_setting)i;
		int n = 0;
		do {
			assert_true(tutor_setting_turn(&settings, id, 1));
			n++;
		} while (strcmp(tutor_setting(&settings, id), tutor_setting_table[i].standard) != 0 && n < 100);
		assert_in_range(n, 2, 99);
		assert_true(tutor_setting_turn(&settings, id, -1) && tutor_setting_turn(&settings, id, 1));
		assert_string_equal(tutor_setting(&settings, id), tutor_setting_table[i].standard);
	}
	assert_true(tutor_setting_set(&settings, SETTING_GPU, "ssh:host", (struct diag_pos){0}, &diag));
	assert_false(tutor_setting_turn(&settings, SETTING_GPU, 1));
	assert_string_equal(tutor_setting(&settings, SETTING_GPU), "ssh:host");
	for (int theme = 0; theme < CANVAS_THEMES; theme++)
		assert_true(tutor_setting_set(&settings, SETTING_THEME,
			canvas_theme_row((enum canvas_theme)theme)->name, (struct diag_pos){0}, &diag));
	diag_free(&diag);
}

/* --- the screen --------------------------------------------------------------------------------------------------- */

static struct tutor *begin(struct tutor_settings *settings)
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
	tutor->settings = settings;
	diag_free(&diag);
	return tutor;
}

static void the_box_changes_what_is_chosen(void **state)
{
	(void)state;
	struct tutor_settings settings = {.path = path};
	struct tutor *tutor = begin(&settings);
	struct screen_state screen = {0};
	struct screen_targets targets;
	struct canvas *canvas = canvas_new(24, 80);
	screen_key(&screen, tutor, 'o');
	assert_true(screen_has(&screen.modes, &screen_mode_settings));
	screen_key(&screen, tutor, KEYC_RIGHT);
	assert_true(screen.setting_changed);
	assert_string_equal(tutor_setting(&settings, SETTING_THEME), "terminal");
	screen_key(&screen, tutor, KEYC_DOWN);
	assert_false(screen.setting_changed);
	screen_key(&screen, tutor, KEYC_SPACE);
	assert_true(tutor_setting_is(&settings, SETTING_MOTION, "off"));
	screen_render(canvas, tutor, &screen, &targets);
	assert_int_equal(targets.n, SETTINGS + 1);
	const struct screen_target *mouse = &targets.t[1 + SETTING_MOUSE];
	assert_true(screen_click(&screen, tutor, &targets, mouse->rect.row, mouse->rect.col));
	assert_true(tutor_setting_is(&settings, SETTING_MOUSE, "off"));
	assert_true(screen_click(&screen, tutor, &targets, 0, 0));
	assert_false(screen_has(&screen.modes, &screen_mode_settings));
	canvas_free(canvas);
	tutor_free(tutor);
}

/* The row's text from the box's left frame to its right one. */
static void row_text(const struct canvas *canvas, const struct rect *row, char *out)
{
	int n = 0;
	for (int col = row->col; col < row->col + row->cols; col++)
		out[n++] = (char)(canvas_at(canvas, row->row, col)->ch < 128 ? canvas_at(canvas, row->row, col)->ch
									     : '#');
	out[n] = '\0';
}

/* At every width the whole of it, and no value goes over the frame. */
static void the_present_value_is_seen(void **state)
{
	(void)state;
	struct tutor_settings settings = {.path = path};
	struct tutor *tutor = begin(&settings);
	struct screen_state screen = {0};
	struct screen_targets targets;
	char text[200];
	screen_key(&screen, tutor, 'o');
	for (int cols = 60; cols <= 100; cols += 20)
		for (int turned = 0; turned < CANVAS_THEMES + 1; turned++) {
			struct canvas *canvas = canvas_new(24, cols);
			screen_render(canvas, tutor, &screen, &targets);
			const struct rect *row = &targets.t[1 + SETTING_THEME].rect;
			row_text(canvas, row, text);
			assert_non_null(strstr(text, tutor_setting(&settings, SETTING_THEME)));
			assert_int_equal(canvas_at(canvas, row->row, row->col + row->cols + 1)->ch,
				canvas_at(canvas, row->row + 1, row->col + row->cols + 1)->ch);
			row_text(canvas, &targets.t[1 + SETTING_PLAYGROUND].rect, text);
			assert_non_null(strstr(text, "playground "));
			canvas_free(canvas);
			screen_key(&screen, tutor, KEYC_RIGHT);
		}
	tutor_free(tutor);
}

static void without_motion_a_key_shows_a_moment_more(void **state)
{
	(void)state;
	struct tutor_settings settings = {.value[SETTING_MOTION] = "off"};
	struct tutor *tutor = begin(&settings);
	struct screen_state screen = {0};
	struct diag diag = {0};
	const struct lesson *lesson;
	assert_true(lesson_catalog_find(tutor->catalog, "banks", &lesson, NULL, &diag));
	tutor_open(tutor, lesson, 1);
	screen_lay_out(&screen, tutor, 24, 80);
	screen_key(&screen, tutor, '.');
	assert_int_equal(screen.moment, 1);
	assert_false(screen.playing);
	assert_int_equal(screen_play_ms(&screen), -1);
	screen_key(&screen, tutor, '.');
	assert_int_equal(screen.moment, 2);
	settings.value[SETTING_MOTION][0] = '\0';
	screen_key(&screen, tutor, '<');
	screen_key(&screen, tutor, '.');
	assert_true(screen.playing);
	diag_free(&diag);
	tutor_free(tutor);
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

static void the_list_is_filtered_by_progress_and_track(void **state)
{
	(void)state;
	struct tutor *tutor = begin(NULL);
	const struct catalog *c = tutor->catalog;
	const struct lesson *first = c->lessons[0];
	int n = c->n_lessons;
	for (int s = 0; s < first->n_steps; s++)
		lesson_progress_visit(tutor->progress, first->id, s, first->steps[s].id);
	assert_true(tutor_lists(tutor, 0));
	tutor_act(tutor, ACTION_FILTER);
	assert_int_equal(tutor->at.filter, FILTER_UNREAD);
	assert_false(tutor_lists(tutor, 0));
	assert_int_equal(tutor->at.selected, 1); /* the nearest that is listed */
	tutor_act(tutor, ACTION_UP);
	assert_int_equal(tutor->at.selected, 1);
	for (int s = 0; s < first->n_steps; s++)
		if (first->steps[s].question.kind != QUESTION_NONE)
			lesson_progress_answer(tutor->progress, first->id, first->steps[s].id);
	tutor_act(tutor, ACTION_FILTER);
	assert_int_equal(tutor->at.filter, FILTER_UNANSWERED);
	assert_false(tutor_lists(tutor, 0));
	while (tutor->at.filter != FILTER_ALL)
		tutor_act(tutor, ACTION_FILTER);
	int tracks = 0, listed = 0;
	for (tutor_act(tutor, ACTION_TRACK); tutor->at.track; tutor_act(tutor, ACTION_TRACK), tracks++)
		for (int i = 0; i < n; i++) {
			bool of = strcmp(c->lessons[i]->track, tutor->at.track) == 0;
			assert_true(tutor_lists(tutor, i) == of);
			listed += of;
		}
	assert_in_range(tracks, 2, n);
	assert_int_equal(listed, n); /* each lesson is of one track */
	tutor_free(tutor);
}

/* --- the clipboard ------------------------------------------------------------------------------------------------ */

static void bytes_become_letters(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *letters;
	} cases[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="},
		{"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"},
		{"\377\376\375", "//79"}}; /* of RFC 4648, but for the last */
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf out = {0};
		tui_base64(cases[i].bytes, strlen(cases[i].bytes), &out);
		assert_string_equal(buf_str(&out), cases[i].letters);
		buf_free(&out);
	}
}

static void what_is_copied_is_the_picture_or_the_path(void **state)
{
	(void)state;
	struct tutor *tutor = begin(NULL);
	struct screen_state screen = {0};
	struct diag diag = {0};
	struct buf text = {0};
	const struct lesson *lesson;
	assert_true(lesson_catalog_find(tutor->catalog, "banks", &lesson, NULL, &diag));
	tutor_open(tutor, lesson, 1);
	screen_lay_out(&screen, tutor, 24, 80);
	screen_copy_text(&screen, tutor, &text);
	assert_int_equal(text.len, 0); /* nobody asked */
	screen_key(&screen, tutor, 'y');
	screen_copy_text(&screen, tutor, &text);
	assert_non_null(strstr(buf_str(&text), "2 wavefronts, ideal 1"));
	assert_null(strstr(buf_str(&text), "│ bank")); /* the picture without its frame */
	buf_clear(&text);
	screen_key(&screen, tutor, 'Y');
	screen_copy_text(&screen, tutor, &text);
	assert_string_equal(path_last(buf_str(&text)), "shared_stride.cu");
	buf_clear(&text);
	screen_key(&screen, tutor, 'n');
	screen_copy_text(&screen, tutor, &text);
	assert_int_equal(text.len, 0);
	buf_free(&text);
	diag_free(&diag);
	tutor_free(tutor);
}

/* --- the list of keys --------------------------------------------------------------------------------------------- */

static void keys_are_listed_by_topic(void **state)
{
	(void)state;
	int topics = 0;
	const char *last = "";
	for (int i = ACTION_NONE + 1; i < ACTIONS; i++) {
		const char *topic = tutor_action_topic((enum tutor_action)i);
		assert_true(*topic);
		topics += strcmp(topic, last) != 0;
		last = topic;
	}
	assert_in_range(topics, 5, 15);
	struct tutor *tutor = begin(NULL);
	struct screen_state screen = {0};
	screen_key(&screen, tutor, '?');
	screen_lay_out(&screen, tutor, 16, 80);
	assert_int_equal(screen.help_scroll, 0);
	screen_key(&screen, tutor, KEYC_RIGHT);
	int next = screen.help_scroll;
	assert_in_range(next, 2, 20);
	screen_key(&screen, tutor, KEYC_LEFT);
	assert_int_equal(screen.help_scroll, 0);
	assert_true(screen_has(&screen.modes, &screen_mode_help));
	tutor_free(tutor);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_read_and_the_rest_is_standard),
		cmocka_unit_test(what_is_wrong_is_named_with_its_line),
		cmocka_unit_test(any_bytes_can_be_read),
		cmocka_unit_test(a_changed_one_is_kept_among_the_others),
		cmocka_unit_test(a_file_that_cannot_be_read_is_left_alone),
		cmocka_unit_test(turning_goes_around_and_keeps_what_is_free),
		cmocka_unit_test(the_box_changes_what_is_chosen),
		cmocka_unit_test(the_present_value_is_seen),
		cmocka_unit_test(without_motion_a_key_shows_a_moment_more),
		cmocka_unit_test(the_list_is_filtered_by_progress_and_track),
		cmocka_unit_test(bytes_become_letters),
		cmocka_unit_test(what_is_copied_is_the_picture_or_the_path),
		cmocka_unit_test(keys_are_listed_by_topic),
	};
	return cmocka_run_group_tests_name("settings", tests, make_folder, remove_folder);
}
