/* A text that is typed: what can be typed, where the cursor goes, what is taken back; and random keys beside a plain
 * string. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "front/tutor/playground.h"

static struct tutor_edit begin(const char *text)
{
	struct tutor_edit edit = {.most = 1000};
	tutor_edit_set(&edit, text, strlen(text));
	return edit;
}

static void type(struct tutor_edit *edit, const char *text)
{
	assert_true(tutor_edit_type(edit, text, strlen(text)));
}

static void expect(const struct tutor_edit *edit, const char *text, size_t at)
{
	assert_string_equal(buf_str(&edit->text), text);
	assert_int_equal(edit->at, at);
}

static void what_is_typed_stands_at_the_cursor(void **state)
{
	(void)state;
	struct tutor_edit edit = begin("ab\ncd\n");
	expect(&edit, "ab\ncd\n", 0);
	type(&edit, "x");
	tutor_edit_lines(&edit, 1);
	type(&edit, "\n\t");
	expect(&edit, "xab\nc\n\td\n", 7);
	tutor_edit_rub_out(&edit);
	tutor_edit_rub_out(&edit);
	expect(&edit, "xab\ncd\n", 5);
	tutor_edit_delete(&edit);
	tutor_edit_delete(&edit);
	tutor_edit_delete(&edit); /* at the end */
	expect(&edit, "xab\nc", 5);
	tutor_edit_home(&edit);
	expect(&edit, "xab\nc", 4);
	tutor_edit_rub_out(&edit);
	expect(&edit, "xabc", 3);
	tutor_edit_free(&edit);
}

/* A text from a file keeps what it has; only what can be shown is added. */
static void only_what_can_be_shown_is_typed(void **state)
{
	(void)state;
	static const char *const refused[] = {"\033", "\a", "\177", "\xC2\x9B", "\xFF", "\xE2\x80\xAE", "\r", ""};
	struct tutor_edit edit = begin("a\033[31m\r\xFF");
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		assert_false(tutor_edit_type(&edit, refused[i], strlen(refused[i])));
	expect(&edit, "a\033[31m\r\xFF", 0);
	for (int i = 0; i < 20; i++)
		tutor_edit_right(&edit);
	assert_int_equal(edit.at, edit.text.len);
	for (int i = 0; i < 20; i++)
		tutor_edit_rub_out(&edit);
	expect(&edit, "", 0);
	edit.one_line = true;
	assert_false(tutor_edit_type(&edit, "\n", 1));
	assert_false(tutor_edit_type(&edit, "\t", 1));
	type(&edit, "漢e\xCC\x81");
	expect(&edit, "漢e\xCC\x81", 6);
	edit.most = 7;
	assert_false(tutor_edit_type(&edit, "ab", 2));
	type(&edit, "a");
	tutor_edit_free(&edit);
}

/* 漢 has two columns; an accent goes with its letter; a tab reaches to the next stop. */
static void the_cursor_stands_between_characters(void **state)
{
	(void)state;
	struct tutor_edit edit = begin("漢e\xCC\x81x\n\ty\nlong line here\n");
	static const int columns[] = {0, 2, 3, 4};
	static const size_t places[] = {0, 3, 6, 7};
	for (int i = 0; i < 4; i++) {
		assert_int_equal(tutor_edit_column(&edit), columns[i]);
		assert_int_equal(edit.at, places[i]);
		tutor_edit_right(&edit);
	}
	assert_int_equal(tutor_edit_line(&edit), 1);
	tutor_edit_right(&edit);
	assert_int_equal(tutor_edit_column(&edit), TUTOR_EDIT_TAB);
	tutor_edit_go(&edit, 0, 3);
	tutor_edit_rub_out(&edit);
	assert_memory_equal(edit.text.data, "漢x\n", 5);
	assert_int_equal(tutor_edit_column(&edit), 2);
	tutor_edit_left(&edit);
	assert_int_equal(edit.at, 0);
	tutor_edit_left(&edit);
	assert_int_equal(edit.at, 0);
	assert_int_equal(tutor_edit_count(&edit), 4);
	tutor_edit_free(&edit);
}

static void lines_keep_the_column(void **state)
{
	(void)state;
	struct tutor_edit edit = begin("0123456789\nab\n0123456789");
	tutor_edit_go(&edit, 0, 7);
	tutor_edit_lines(&edit, 1);
	assert_int_equal(tutor_edit_column(&edit), 2);
	tutor_edit_lines(&edit, 1);
	assert_int_equal(tutor_edit_column(&edit), 7);
	tutor_edit_lines(&edit, 100);
	assert_int_equal(tutor_edit_line(&edit), 2);
	tutor_edit_lines(&edit, -100);
	assert_int_equal(tutor_edit_line(&edit), 0);
	tutor_edit_end(&edit);
	assert_int_equal(edit.at, 10);
	size_t len;
	assert_null(tutor_edit_text_of(&edit, 3, &len));
	assert_null(tutor_edit_text_of(&edit, -1, &len));
	assert_memory_equal(tutor_edit_text_of(&edit, 1, &len), "ab", 2);
	assert_int_equal(len, 2);
	tutor_edit_free(&edit);
}

static void changes_are_taken_back(void **state)
{
	(void)state;
	struct tutor_edit edit = begin("");
	assert_false(tutor_edit_undo(&edit));
	for (const char *c = "one two"; *c; c++)
		assert_true(tutor_edit_type(&edit, c, 1));
	assert_true(tutor_edit_undo(&edit)); /* a word is one change, a blank another */
	expect(&edit, "one ", 4);
	assert_true(tutor_edit_undo(&edit));
	expect(&edit, "one", 3);
	assert_true(tutor_edit_redo(&edit));
	expect(&edit, "one ", 4);
	type(&edit, "x");
	assert_false(tutor_edit_redo(&edit)); /* what was taken back is gone */
	tutor_edit_rub_out(&edit);
	tutor_edit_rub_out(&edit);
	expect(&edit, "one", 3);
	while (tutor_edit_undo(&edit))
		;
	expect(&edit, "", 0);
	while (tutor_edit_redo(&edit))
		;
	expect(&edit, "one", 3);
	tutor_edit_free(&edit);
}

/* All that any keys do is taken back, and done again. */
static void random_changes_are_taken_back(void **state)
{
	(void)state;
	static const char *const texts[] = {"a", " ", "\n", "\t", "漢", "\xCC\x81", "xyz", "\xFF", "é"};
	uint64_t random = 7;
	struct tutor_edit edit = begin("\xCC\x81start\n\nof a text\t\n");
	struct buf first = {0}, last = {0};
	buf_append(&first, buf_str(&edit.text), edit.text.len);
	for (int i = 0; i < 3000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		unsigned which = (unsigned)(random >> 33) % 13, more = (unsigned)(random >> 45) % 9;
		switch (which) {
		case 0: tutor_edit_left(&edit); break;
		case 1: tutor_edit_right(&edit); break;
		case 2: tutor_edit_home(&edit); break;
		case 3: tutor_edit_end(&edit); break;
		case 4: tutor_edit_lines(&edit, (int)more - 4); break;
		case 5: tutor_edit_rub_out(&edit); break;
		case 6: tutor_edit_delete(&edit); break;
		default: tutor_edit_type(&edit, texts[more], strlen(texts[more])); break;
		}
		assert_true(edit.at <= edit.text.len);
		assert_true(edit.text.len <= edit.most);
		assert_true(tutor_edit_column(&edit) >= 0);
	}
	buf_append(&last, buf_str(&edit.text), edit.text.len);
	while (tutor_edit_undo(&edit))
		;
	assert_string_equal(buf_str(&edit.text), buf_str(&first));
	while (tutor_edit_redo(&edit))
		;
	assert_string_equal(buf_str(&edit.text), buf_str(&last));
	buf_free(&first);
	buf_free(&last);
	tutor_edit_free(&edit);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_typed_stands_at_the_cursor),
		cmocka_unit_test(only_what_can_be_shown_is_typed),
		cmocka_unit_test(the_cursor_stands_between_characters),
		cmocka_unit_test(lines_keep_the_column),
		cmocka_unit_test(changes_are_taken_back),
		cmocka_unit_test(random_changes_are_taken_back),
	};
	return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
