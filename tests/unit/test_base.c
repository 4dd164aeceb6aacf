#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/expr.h"
#include "base/utf8.h"

static void arena_gives_zeroed_aligned_memory(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	for (size_t size = 1; size < 100000; size = size * 3 + 1) {
		unsigned char *p = arena_alloc(arena, size);
		assert_int_equal((uintptr_t)p % sizeof(double), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset(p, 0xFF, size);
	}
	assert_string_equal(arena_printf(arena, "%d-%s", 7, "x"), "7-x");
	arena_free(arena);
}

static void diag_shows_the_line_and_a_caret(void **state)
{
	(void)state;
	static const char text[] = "one\n\ttwo \xC3\xA9 three\n";
	struct diag diag = {0};
	struct diag_pos pos = {.file = "f", .line = 2, .col = 9, .text = text, .text_len = sizeof text - 1};
	diag_error(&diag, pos, "no %s", "good");
	struct buf out = {0};
	diag_format(&diag, &out);
	assert_string_equal(out.data, "simttutor: f:2:9: no good\n    \ttwo \xC3\xA9 three\n    \t      ^\n");
	assert_true(diag_failed(&diag));
	buf_free(&out);
	diag_free(&diag);
}

static void diag_tells_a_place_once(void **state)
{
	(void)state;
	struct diag diag = {0};
	struct diag_pos pos = {.file = "f", .line = 2, .col = 9};
	diag_error(&diag, pos, "no good");
	diag_error(&diag, pos, "no good");
	diag_error(&diag, pos, "no better");
	diag_error(&diag, (struct diag_pos){0}, "nowhere");
	diag_error(&diag, (struct diag_pos){0}, "nowhere");
	assert_int_equal(diag.count, 4);
	assert_int_equal(diag.errors, 5);
	diag_free(&diag);
}

static void diag_keeps_a_bounded_number(void **state)
{
	(void)state;
	struct diag diag = {0};
	for (int i = 0; i < 1000; i++)
		diag_error(&diag, (struct diag_pos){0}, "fault %d", i);
	assert_int_equal(diag.count, DIAG_MAX);
	assert_int_equal(diag.errors, 1000);
	diag_free(&diag);
}

static int64_t eval(const char *text, int64_t lane)
{
	static const char *const names[] = {"lane"};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	const struct expr *e = expr_parse(arena, "EXPR", text, names, 1, &diag);
	assert_non_null(e);
	int64_t v = 0;
	const char *why = NULL;
	assert_true(expr_eval(e, &lane, &v, &why));
	diag_free(&diag);
	arena_free(arena);
	return v;
}

static void expr_follows_c(void **state)
{
	(void)state;
	assert_int_equal(eval("1+2*3", 0), 7);
	assert_int_equal(eval("(1+2)*3", 0), 9);
	assert_int_equal(eval("10-3-2", 0), 5);
	assert_int_equal(eval("lane*33", 5), 165);
	assert_int_equal(eval("(lane*32 + (lane^7))%1024", 31), (31 * 32 + (31 ^ 7)) % 1024);
	assert_int_equal(eval("1 << 4 | 1", 0), 17);
	assert_int_equal(eval("lane & 1 ? 100 : lane > 2 ? 7 : 8", 4), 7);
	assert_int_equal(eval("-7 / 2", 0), -3);
	assert_int_equal(eval("-7 % 2", 0), -1);
	assert_int_equal(eval("!0 + ~0", 0), 0);
	assert_int_equal(eval("0x10 + 010 + 0b11 + 5u", 0), 16 + 8 + 3 + 5);
	assert_int_equal(eval("0 && 1/0", 0), 0);
	assert_int_equal(eval("1 || 1/0", 0), 1);
	assert_int_equal(eval("2 == 2 != 0", 0), 1);
	assert_int_equal(eval("1 | 6 ^ 3 & 2", 0), 1 | (6 ^ (3 & 2)));
}

static void expr_faults_name_the_column(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int col;
	} faults[] = {
		{"", 1}, {"lane*", 6}, {"lain", 1}, {"1 +* 2", 4}, {"(1", 1}, {"1)", 2}, {"09", 2},
		{"99999999999999999999", 1}, {"1 ? 2", 6}, {"0x", 1}, {"1 = 2", 3},
	};
	static const char *const names[] = {"lane"};
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct arena *arena = arena_new();
		struct diag diag = {0};
		assert_null(expr_parse(arena, "EXPR", faults[i].text, names, 1, &diag));
		assert_int_equal(diag.count, 1);
		assert_int_equal(diag.entries[0].col, faults[i].col);
		diag_free(&diag);
		arena_free(arena);
	}
}

static void expr_survives_depth_and_bad_arithmetic(void **state)
{
	(void)state;
	static const char *const bad[] = {"1/0", "1%(lane-lane)", "1<<64", "1>>-1"};
	static const char *const names[] = {"lane"};
	struct arena *arena = arena_new();
	struct diag diag = {0};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const struct expr *e = expr_parse(arena, "EXPR", bad[i], names, 1, &diag);
		assert_non_null(e);
		int64_t lane = 3, v;
		const char *why = NULL;
		assert_false(expr_eval(e, &lane, &v, &why));
		assert_non_null(why);
	}
	assert_int_equal(eval("(-9223372036854775807-1) / -1", 0), INT64_MIN);
	char deep[4000];
	memset(deep, '(', sizeof deep - 1);
	deep[sizeof deep - 1] = '\0';
	assert_null(expr_parse(arena, "EXPR", deep, names, 1, &diag));
	memset(deep, '-', sizeof deep - 1);
	assert_null(expr_parse(arena, "EXPR", deep, names, 1, &diag));
	diag_free(&diag);
	arena_free(arena);
}

static void utf8_counts_columns(void **state)
{
	(void)state;
	assert_int_equal(utf8_columns("abc"), 3);
	assert_int_equal(utf8_columns("\xE2\x94\x8C\xE2\x94\x80"), 2);      /* box drawing */
	assert_int_equal(utf8_columns("e\xCC\x81"), 1);                     /* combining acute */
	assert_int_equal(utf8_columns("\xE6\xBC\xA2"), 2);                  /* a wide character */
	assert_int_equal(utf8_columns("\xFF\xC3"), 2);                      /* invalid: one replacement each */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(arena_gives_zeroed_aligned_memory),
		cmocka_unit_test(diag_shows_the_line_and_a_caret),
		cmocka_unit_test(diag_tells_a_place_once),
		cmocka_unit_test(diag_keeps_a_bounded_number),
		cmocka_unit_test(expr_follows_c),
		cmocka_unit_test(expr_faults_name_the_column),
		cmocka_unit_test(expr_survives_depth_and_bad_arithmetic),
		cmocka_unit_test(utf8_counts_columns),
	};
	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
