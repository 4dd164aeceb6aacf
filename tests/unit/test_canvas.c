#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "front/canvas/canvas.h"

static void check_row(const struct canvas *canvas, int row, const char *ascii)
{
	char got[1001];
	for (int col = 0; col < canvas->cols; col++)
		got[col] = (char)canvas_ascii(canvas_at(canvas, row, col)->ch);
	got[canvas->cols] = '\0';
	assert_string_equal(got, ascii);
}

static void sizes_are_clamped(void **state)
{
	(void)state;
	static const struct {
		int rows, cols, want_rows, want_cols;
	} sizes[] = {
		{0, 0, 1, 1},
		{-5, 3, 1, 3},
		{1001, INT_MAX, 1000, 1000},
		{24, 80, 24, 80},
	};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct canvas *canvas = canvas_new(sizes[i].rows, sizes[i].cols);
		assert_int_equal(canvas->rows, sizes[i].want_rows);
		assert_int_equal(canvas->cols, sizes[i].want_cols);
		canvas_free(canvas);
	}
}

static void drawing_outside_does_nothing(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(3, 5);
	canvas_put(canvas, -1, 0, 'x', ROLE_BAD);
	canvas_put(canvas, 3, 0, 'x', ROLE_BAD);
	canvas_put(canvas, 0, INT_MAX, 'x', ROLE_BAD);
	canvas_put(canvas, 0, INT_MIN, 'x', ROLE_BAD);
	canvas_fill(canvas, (struct rect){-3, INT_MIN, 2, INT_MAX}, 'x', ROLE_BAD);
	canvas_fill(canvas, (struct rect){1, 3, INT_MAX, INT_MAX}, '#', ROLE_BAD);
	canvas_recolor(canvas, (struct rect){2, 4, INT_MAX, INT_MAX}, ROLE_GOOD);
	check_row(canvas, 0, "     ");
	check_row(canvas, 1, "   ##");
	check_row(canvas, 2, "   ##");
	assert_int_equal(canvas_at(canvas, 2, 3)->role, ROLE_BAD);
	assert_int_equal(canvas_at(canvas, 2, 4)->role, ROLE_GOOD);
	assert_int_equal(canvas_at(canvas, 99, 99)->ch, ' ');
	canvas_free(canvas);
}

static void clips_nest(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(2, 8);
	struct rect outer = canvas_clip(canvas, (struct rect){0, 2, 2, 4});
	struct rect inner = canvas_clip(canvas, (struct rect){0, 0, 1, 4});
	assert_int_equal(canvas_text(canvas, 0, 0, ROLE_TEXT, "abcdefgh"), 8);
	canvas_unclip(canvas, inner);
	canvas_text(canvas, 1, 0, ROLE_TEXT, "abcdefgh");
	canvas_unclip(canvas, outer);
	canvas_put(canvas, 1, 7, 'Z', ROLE_TEXT);
	check_row(canvas, 0, "  cd    ");
	check_row(canvas, 1, "  cdef Z");
	canvas_free(canvas);
}

static void wide_characters_stay_whole(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 6);
	assert_int_equal(canvas_text(canvas, 0, 0, ROLE_TEXT, "\xE6\xBC\xA2\xE5\xAD\x97"), 4);
	assert_int_equal(canvas_at(canvas, 0, 0)->ch, 0x6F22);
	assert_int_equal(canvas_at(canvas, 0, 1)->ch, 0);
	canvas_put(canvas, 0, 1, 'x', ROLE_TEXT);
	check_row(canvas, 0, " x?   ");
	canvas_put(canvas, 0, 1, 0x6F22, ROLE_TEXT);
	assert_int_equal(canvas_at(canvas, 0, 3)->ch, ' ');
	canvas_put(canvas, 0, 5, 0x6F22, ROLE_TEXT);
	assert_int_equal(canvas_at(canvas, 0, 5)->ch, ' ');
	canvas_free(canvas);
}

static void marks_lie_over_their_letter(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 6);
	assert_int_equal(canvas_text(canvas, 0, 0, ROLE_TEXT, "e\xCC\x81[1m"), 4);
	assert_int_equal(canvas_at(canvas, 0, 0)->ch, 'e');
	assert_int_equal(canvas_at(canvas, 0, 0)->mark, 0x301);
	check_row(canvas, 0, "e[1m  ");
	canvas_put(canvas, 0, 0, 'o', ROLE_TEXT);
	assert_int_equal(canvas_at(canvas, 0, 0)->mark, 0);
	canvas_free(canvas);
}

/* Every cell holds a character to be seen, and the columns counted are those drawn. */
static void what_cannot_be_shown_is_escaped(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 30);
	static const char text[] = "a\x1B]\x07\xC2\x9B\xFF\xE2\x80\xAE"
				   "b";
	assert_int_equal(canvas_text(canvas, 0, 0, ROLE_TEXT, text), 27);
	assert_int_equal(utf8_columns(text), 27);
	check_row(canvas, 0, "a\\x1b]\\x07\\u009b\\xff\\u202eb   ");
	canvas_clear(canvas);
	assert_int_equal(canvas_text_fit(canvas, (struct rect){0, 0, 1, 6}, ROLE_TEXT, "ab\x1B]0;"), 3);
	check_row(canvas, 0, "ab~                           ");
	canvas_clear(canvas);
	canvas_put(canvas, 0, 28, 0x1B, ROLE_TEXT);
	check_row(canvas, 0, "                            \\x");
	canvas_free(canvas);
}

static void long_text_ends_in_an_ellipsis(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(1, 8);
	assert_int_equal(canvas_text_fit(canvas, (struct rect){0, 0, 1, 6}, ROLE_TEXT, "abcdefgh"), 6);
	check_row(canvas, 0, "abcde~  ");
	canvas_clear(canvas);
	assert_int_equal(canvas_text_fit(canvas, (struct rect){0, 0, 1, 6}, ROLE_TEXT, "abcdef"), 6);
	check_row(canvas, 0, "abcdef  ");
	canvas_clear(canvas);
	assert_int_equal(canvas_text_fit(canvas, (struct rect){0, 0, 1, 4}, ROLE_TEXT,
				 "ab\xE6\xBC\xA2"
				 "def"),
		3);
	check_row(canvas, 0, "ab~     ");
	assert_int_equal(canvas_text_fit(canvas, (struct rect){0, 0, 1, 0}, ROLE_TEXT, "abc"), 0);
	canvas_free(canvas);
}

static void a_box_has_an_inside(void **state)
{
	(void)state;
	struct canvas *canvas = canvas_new(3, 12);
	struct rect in = canvas_box(canvas, (struct rect){0, 0, 3, 12}, ROLE_FRAME, "a long title");
	check_row(canvas, 0, "+ a long ~ +");
	check_row(canvas, 1, "|          |");
	check_row(canvas, 2, "+----------+");
	assert_int_equal(in.row * 1000 + in.col * 100 + in.rows * 10, 1000 + 100 + 10);
	assert_int_equal(in.cols, 10);
	assert_int_equal(canvas_box(canvas, (struct rect){0, 0, 1, 1}, ROLE_FRAME, "x").rows, 0);
	canvas_free(canvas);
}

static void every_glyph_has_a_printable_stand_in(void **state)
{
	(void)state;
	static const uint32_t all[] = {
#define GLYPH(id, unicode, ascii, use) GLYPH_##id,
#include "front/canvas/glyphs.def"
#undef GLYPH
	};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint32_t ascii = canvas_ascii(all[i]);
		assert_true(all[i] > 0x7F);
		assert_true(ascii >= 0x20 && ascii < 0x7F);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(all[i], all[j]);
	}
	assert_int_equal(canvas_ascii(0x6F22), '?');
	assert_int_equal(canvas_ascii('~'), '~');
}

static void roles_read_their_attributes(void **state)
{
	(void)state;
	assert_string_equal(canvas_roles[ROLE_WAVE1].name, "WAVE1");
	assert_int_equal(canvas_roles[ROLE_GLOBAL].texture, 'g');
	assert_true(canvas_roles[ROLE_TITLE].bold && !canvas_roles[ROLE_TITLE].dim);
	assert_true(canvas_roles[ROLE_SELECTED].reverse);
	assert_true(canvas_roles[ROLE_BROADCAST].underline);
	assert_true(canvas_roles[ROLE_IDLE].dim && !canvas_roles[ROLE_IDLE].bold);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_clamped),
		cmocka_unit_test(drawing_outside_does_nothing),
		cmocka_unit_test(clips_nest),
		cmocka_unit_test(wide_characters_stay_whole),
		cmocka_unit_test(marks_lie_over_their_letter),
		cmocka_unit_test(what_cannot_be_shown_is_escaped),
		cmocka_unit_test(long_text_ends_in_an_ellipsis),
		cmocka_unit_test(a_box_has_an_inside),
		cmocka_unit_test(every_glyph_has_a_printable_stand_in),
		cmocka_unit_test(roles_read_their_attributes),
	};
	return cmocka_run_group_tests_name("canvas", tests, NULL, NULL);
}
