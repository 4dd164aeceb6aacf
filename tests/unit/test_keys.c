#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "front/debug/keys.h"
#include "front/tui/term.h"
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

static bool can_be_typed(key_code key)
{
	for (uint32_t ch = 0; ch < 128; ch++)
		if (tui_term_key(false, ch) == key)
			return true;
	for (uint32_t code = 0; code < CODES; code++)
		if (tui_term_key(true, code) == key)
			return true;
	return false;
}

static void every_key_does_something_and_can_be_typed(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		assert_int_not_equal(tutor_keys[i].action, ACTION_NONE);
		if (!can_be_typed(tutor_keys[i].key))
			fail_msg("there is no key %s", key_string(tutor_keys[i].key).text);
		assert_int_equal(tutor_key_action(tutor_keys[i].mode, tutor_keys[i].key), tutor_keys[i].action);
	}
}

static void every_key_of_the_debugger_can_be_typed(void **state)
{
	(void)state;
	for (int i = 0; i < debug_key_count; i++)
		if (!can_be_typed(debug_keys[i].key))
			fail_msg("there is no key %s", key_string(debug_keys[i].key).text);
}

static void no_key_means_two_things(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		for (int k = i + 1; k < tutor_key_count; k++) {
			bool meet = tutor_keys[i].mode == tutor_keys[k].mode || tutor_keys[i].mode == KEYS_ANY ||
				tutor_keys[k].mode == KEYS_ANY;
			if (meet && tutor_keys[i].key == tutor_keys[k].key)
				fail_msg("%s is in the table twice", key_string(tutor_keys[i].key).text);
		}
	}
}

static void keys_of_an_answer_are_left_free(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++) {
		if (tutor_keys[i].mode == KEYS_TYPING || tutor_keys[i].mode == KEYS_EDITING)
			continue;
		assert_int_not_equal(tutor_keys[i].key, KEYC_BACKSPACE);
		assert_true(tutor_keys[i].key > '~' || !strchr("0123456789,-", (char)tutor_keys[i].key));
	}
}

static void a_mode_falls_back_on_the_keys_of_all(void **state)
{
	(void)state;
	assert_int_equal(tutor_key_action(KEYS_LIST, '?'), ACTION_HELP);
	assert_int_equal(tutor_key_action(KEYS_LESSON, '?'), ACTION_HELP);
	assert_int_equal(tutor_key_action(KEYS_LIST, 'q'), ACTION_QUIT);
	assert_int_equal(tutor_key_action(KEYS_LESSON, 'q'), ACTION_BACK);
	assert_int_equal(tutor_key_action(KEYS_LESSON, KEYC_RIGHT), ACTION_PARAM_NEXT);
	assert_int_equal(tutor_key_action(KEYS_LESSON, KEYC_NONE), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_LIST, KEYC_NONE), ACTION_NONE);
}

static void what_is_typed_is_no_key(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].mode == KEYS_TYPING || tutor_keys[i].mode == KEYS_EDITING)
			assert_false(key_types(tutor_keys[i].key));
	assert_int_equal(tutor_key_action(KEYS_TYPING, '?'), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_EDITING, 'q'), ACTION_NONE);
	assert_int_equal(tutor_key_action(KEYS_EDITING, KEYC_CTRL_L), ACTION_REDRAW);
	assert_int_equal(tutor_key_action(KEYS_PLAYGROUND, 'm'), ACTION_MEASURE);
	assert_int_equal(tutor_key_action(KEYS_PLAYGROUND, 'q'), ACTION_BACK);
}

static void help_can_be_found_in_every_footer(void **state)
{
	(void)state;
	for (int i = 0; i < tutor_key_count; i++)
		if (tutor_keys[i].action == ACTION_HELP && tutor_keys[i].mode == KEYS_ANY && tutor_keys[i].footer[0])
			return;
	fail_msg("the footer does not show the key for help");
}

static void characters_are_keys_with_names(void **state)
{
	(void)state;
	static const struct {
		uint32_t ch;
		const char *name;
	} rows[] = {{'a', "a"}, {'?', "?"}, {' ', "Space"}, {27, "Esc"}, {'\r', "Enter"}, {'\n', "Enter"}, {12, "^L"},
		{127, "Backspace"}, {8, "Backspace"}, {9, "Tab"}, {18, "^R"}, {21, "^U"}, {0xE9, "é"}, {0x4E00, "一"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		key_code key = tui_term_key(false, rows[i].ch);
		assert_string_equal(key_string(key).text, rows[i].name);
		assert_int_equal(key_named(rows[i].name), key);
	}
	static const uint32_t none[] = {0, 1, 5, 0x85, 0x200B, 0xFEFF, 0xD800, KEYC_UP};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(tui_term_key(false, none[i]), KEYC_NONE);
	assert_int_equal(tui_term_key(true, 0x7FFF), KEYC_NONE);
}

static void names_are_those_of_one_key(void **state)
{
	(void)state;
	static const char *const none[] = {"", "F1", "up", "ab", " ", "\t", "\xFF", "\xC3", "^A"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(key_named(none[i]), KEYC_NONE);
	assert_int_equal(key_named("PgUp"), KEYC_PGUP);
	assert_string_equal(key_label(KEYC_UP).text, "↑");
	assert_string_equal(key_label('k').text, "k");
	assert_string_equal(key_string(KEYC_NONE).text, "");
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
		cmocka_unit_test(characters_are_keys_with_names),
		cmocka_unit_test(names_are_those_of_one_key),
	};
	return cmocka_run_group_tests_name("keys", tests, NULL, NULL);
}
