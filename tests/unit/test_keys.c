#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/debug/keys.h"
#include "front/tui/keynames.h"
#include "front/tutor/keys.h"

static void every_action_has_a_key_and_help(void **state)
{
	(void)state;
	for (int action = ACTION_NONE + 1; action < ACTIONS; action++) {
		int keys = 0;
		for (int i = 0; i < tutor_key_count; i++)
			keys += (int)tutor_keys[i].action == action;
		if (keys == 0 || !tutor_actions[action].help[0] || !tutor_actions[action].name[0])
			fail_msg("action %s: %d keys, help '%s'", tutor_actions[action].name, keys,
				tutor_actions[action].help);
	}
}

#define CODES 1024 /* more than curses has */

static bool can_be_typed(const char *name)
{
	char typed[TUI_KEYNAME_SIZE];
	for (wint_t ch = 0; ch < 128; ch++)
		if (tui_keyname_char(ch, typed) && !strcmp(typed, name))
			return true;
	for (wint_t code = 0; code < CODES; code++)
		if (tui_keyname_code(code, typed) && !strcmp(typed, name))
			return true;
	return false;
}

static void every_key_does_something_and_can_be_typed(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		assert_int_not_equal(tutor_keys[i].action, ACTION_NONE);
		if (!can_be_typed(tutor_keys[i].name))
			fail_msg("there is no key %s", tutor_keys[i].name);
		assert_int_equal(tutor_key_action(tutor_keys[i].mode, tutor_keys[i].name), tutor_keys[i].action);
	}
}

static void every_key_of_the_debugger_can_be_typed(void **state)
{
	(void)state;
	for (int i = 0; i < debug_key_count; i++)
		if (!can_be_typed(debug_keys[i].name))
			fail_msg("there is no key %s", debug_keys[i].name);
}

static void no_key_means_two_things(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		for (int k = i + 1; k < tutor_key_count; k++) {
			bool meet = tutor_keys[i].mode == tutor_keys[k].mode || tutor_keys[i].mode == KEYS_ANY ||
				tutor_keys[k].mode == KEYS_ANY;
			if (meet && !strcmp(tutor_keys[i].name, tutor_keys[k].name))
				fail_msg("%s is in the table twice", tutor_keys[i].name);
		}
	}
}

static void keys_of_an_answer_are_left_free(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		if (tutor_keys[i].mode == KEYS_TYPING || tutor_keys[i].mode == KEYS_EDITING)
			continue;
		assert_string_not_equal(tutor_keys[i].name, "Backspace");
		assert_true(tutor_keys[i].name[1] || !strchr("0123456789,-", tutor_keys[i].name[0]));
	}
}

static void a_mode_falls_back_on_the_keys_of_all(void **state)
{
	(void)state;
	assert_int_equal(tutor_key_action(KEYS_LIST, "?"), ACTION_HELP);
	assert_int_equal(tutor_key_action(KEYS_LESSON, "?"), ACTION_HELP);
	assert_int_equal(tutor_key_action(KEYS_LIST, "q"), ACTION_QUIT);
	assert_int_equal(tutor_key_action(KEYS_LESSON, "q"), ACTION_BACK);
	assert_int_equal(tutor_key_action(KEYS_LESSON, "Right"), ACTION_PARAM_NEXT);
	assert_int_equal(tutor_key_action(KEYS_LESSON, "F1"), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_LIST, ""), ACTION_NONE);
}

static void what_is_typed_is_no_key(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].mode == KEYS_TYPING || tutor_keys[i].mode == KEYS_EDITING)
			assert_true(tutor_keys[i].name[1] != 0 && strcmp(tutor_keys[i].name, "Space") != 0);
	assert_int_equal(tutor_key_action(KEYS_TYPING, "?"), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_EDITING, "q"), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_EDITING, "^L"), ACTION_REDRAW);
	assert_int_equal(tutor_key_action(KEYS_PLAYGROUND, "m"), ACTION_MEASURE);
	assert_int_equal(tutor_key_action(KEYS_PLAYGROUND, "q"), ACTION_BACK);
}

static void help_can_be_found_in_every_footer(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].action == ACTION_HELP && tutor_keys[i].mode == KEYS_ANY && tutor_keys[i].footer[0])
			return;
	fail_msg("the footer does not show the key for help");
}

static void characters_have_their_names(void **state)
{
	(void)state;
	static const struct {
		wint_t ch;
		const char *name;
	} rows[] = {{'a', "a"}, {'?', "?"}, {' ', "Space"}, {27, "Esc"}, {'\r', "Enter"}, {'\n', "Enter"}, {12, "^L"},
		{127, "Backspace"}, {9, "Tab"}, {18, "^R"}, {21, "^U"}, {0xE9, "é"}, {0x4E00, "一"}};
	char name[TUI_KEYNAME_SIZE];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		assert_true(tui_keyname_char(rows[i].ch, name));
		assert_string_equal(name, rows[i].name);
	}
	static const wint_t none[] = {0, 1, 5, 0x85, 0x200B, 0xFEFF, 0xD800};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_false(tui_keyname_char(none[i], name));
	assert_false(tui_keyname_code(0x7FFF, name));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_action_has_a_key_and_help),
		cmocka_unit_test(every_key_does_something_and_can_be_typed),
		cmocka_unit_test(every_key_of_the_debugger_can_be_typed),
		cmocka_unit_test(no_key_means_two_things),
		cmocka_unit_test(keys_of_an_answer_are_left_free),
		cmocka_unit_test(a_mode_falls_back_on_the_keys_of_all),
		cmocka_unit_test(what_is_typed_is_no_key),
		cmocka_unit_test(help_can_be_found_in_every_footer),
		cmocka_unit_test(characters_have_their_names),
	};
	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
