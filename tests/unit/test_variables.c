/* Variables of the source in the debugger: of debug information as nvcc -G and as clang -O0 -g write it, of the same
 * kernel. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "front/debug/object.h"
#include "debug_kernels.h"

#define LOOP "37" /* the line that adds to `sum`: its variables are all in scope */
#define LAST "40" /* after the loop */

static const char *const compilers[] = {"variables", "variables-clang"};
#define COMPILERS (sizeof compilers / sizeof *compilers)

static struct opened open_at(const char *compiler, const char *commands)
{
	struct opened o = debug_open(compiler, "variables", NULL);
	char line[200];
	for (const char *at = commands; *at;) {
		size_t len = strcspn(at, "\n");
		snprintf(line, sizeof line, "%.*s", (int)len, at);
		assert_true(debug_do(o.debug, line));
		at += len + (at[len] != '\0');
	}
	return o;
}

/* What a path is in a lane. */
static void shows(const struct opened *o, const char *path, int lane, const char *value)
{
	struct debug_at at = debug_at_now(o->debug);
	struct debug_object object;
	const char *rest = path, *why = "";
	struct buf out = {0};
	if (!debug_object_find(&at, &rest, &object, &why) || *rest)
		fail_msg("%s: %s at '%s'", path, why, rest);
	debug_object_write(&at, &object, lane, &out);
	if (strcmp(buf_str(&out), value) != 0)
		fail_msg("%s: %s, not %s", path, buf_str(&out), value);
	buf_free(&out);
}

static void has_type(const struct opened *o, const char *path, const char *type)
{
	struct debug_at at = debug_at_now(o->debug);
	struct debug_object object;
	const char *rest = path, *why = "";
	struct buf out = {0};
	assert_true(debug_object_find(&at, &rest, &object, &why));
	debug_object_write_type(&at, &object, &out);
	assert_string_equal(buf_str(&out), type);
	buf_free(&out);
}

static void evaluates(const struct opened *o, const char *text, uint32_t lanes, const char *value)
{
	struct debug_at at = debug_at_now(o->debug);
	struct buf out = {0};
	debug_write_expression(&at, text, lanes, &out);
	assert_string_equal(buf_str(&out), value);
	buf_free(&out);
}

/* The message of a command that has to fail. */
static void refuses(const struct opened *o, const char *command, const char *message)
{
	struct diag diag = {0};
	struct diag_pos at = {.file = "f", .line = 1, .text = command, .text_len = strlen(command)};
	assert_false(debug_command(o->debug, command, at, &diag));
	assert_int_equal(diag.count, 1);
	if (!strstr(diag.entries[0].message, message))
		fail_msg("%s: %s", command, diag.entries[0].message);
	diag_free(&diag);
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static void both_compilers_say_what_variables_hold(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP " if j == 2\nc");
		shows(&o, "i", 5, "5");
		shows(&o, "j", 5, "2");
		shows(&o, "n", 0, "5");
		shows(&o, "odd", 4, "false");
		shows(&o, "odd", 5, "true");
		shows(&o, "c", 4, "GREEN");
		shows(&o, "c", 5, "RED");
		shows(&o, "p", 9, "{x = 1.5, y = 2, n = 3}");
		shows(&o, "q", 9, "{x = 10.5, y = 2, n = 3}");
		shows(&o, "q.x", 3, "4.5");
		shows(&o, "last", 7, "{0, 2, 2, 3}");
		shows(&o, "last[1]", 7, "2");
		shows(&o, "tile[31]", 0, "31");
		shows(&o, "t", 1, "5"); /* tile[2] * q.x */
		shows(&o, "*in", 8, "0");
		shows(&o, "in[i]", 8, "8");
		shows(&o, "total", 0, "40");
		shows(&o, "table[1][2]", 0, "6");
		shows(&o, "table[1]", 0, "{4, 5, 6}");
		has_type(&o, "table", "short[2][3]");
		has_type(&o, "in", "const float *");
		has_type(&o, "q", "point");
		has_type(&o, "last", "int[4]");
		has_type(&o, "table[1]", "short[3]");
		debug_close(&o);
	}
}

static void scopes_are_those_of_the_source(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LAST "\nc");
		struct debug_at at = debug_at_now(o.debug);
		struct debug_object object;
		const char *rest = "j", *why = "";
		shows(&o, "sum", 1, "25");                                  /* (0 + 1 + 2 + 3 + 4) * 2.5 */
		assert_false(debug_object_find(&at, &rest, &object, &why)); /* the loop is over */
		debug_close(&o);

		o = open_at(compilers[c], "break 14\nc\nc");
		shows(&o, "k", 2, "1");
		shows(&o, "by", 2, "2");
		shows(&o, "p->n", 2, "3");
		shows(&o, "p->x", 2, "3.5");
		shows(&o, "*p", 2, "{x = 3.5, y = 2, n = 3}");
		shows(&o, "sum", 2, "11");
		rest = "tile";
		at = debug_at_now(o.debug);
		assert_false(debug_object_find(&at, &rest, &object, &why)); /* the kernel's */
		debug_close(&o);
	}
}

static void expressions_are_those_of_the_lanes(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP " if j == 2\nc");
		evaluates(&o, "i * 2 + j", 0xF, "2, 4, 6, 8");
		evaluates(&o, "last[j & 3] + last[i & 1]", 0x3, "2, 4");
		evaluates(&o, "q.x > 2 && odd", 0x7, "0, 1, 0");
		evaluates(&o, "c == GREEN", 0x3, "1, 0");
		evaluates(&o, "threadIdx.x + 100 * blockDim.x + lane", 0x6, "3202, 3204");
		evaluates(&o, "in[i] / 2", 0x9, "0, 1.5");
		evaluates(&o, "-*in + 1", 0x1, "1");
		evaluates(&o, "nothing + 1", 0x1, "<there is no such variable here, and no such register>");
		evaluates(&o, "q", 0x1, "{x = 1.5, y = 2, n = 3}");
		debug_close(&o);
	}
}

static void paths_that_lead_nowhere_say_why(void **state)
{
	(void)state;
	static const struct {
		const char *path, *why;
	} cases[] = {{"q.z", "no such member"}, {"i.x", "no members"}, {"i[0]", "neither an array nor a pointer"},
		{"last[4]", "no such element"}, {"last[-1]", "no such element"}, {"last[q.x]", "no whole number"},
		{"last[", "never closed"}, {"last[1", "never closed"}, {"*i", "no pointer"}, {"i->x", "no pointer"},
		{"last[last[last[last[last[last[last[last[last[last[0]]]]]]]]]]", "no expression"},
		{"", "expected the name"}, {"in->x", "no members"}};
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP "\nc");
		struct debug_at at = debug_at_now(o.debug);
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
			struct debug_object object;
			const char *rest = cases[i].path, *why = "";
			assert_false(debug_object_find(&at, &rest, &object, &why));
			if (!strstr(why, cases[i].why))
				fail_msg("%s: %s", cases[i].path, why);
		}
		shows(&o, "in[1000000]", 0, "<there is no memory at its address>");
		debug_close(&o);
	}
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static int result_of(const struct opened *o, int lane)
{
	size_t bytes = 4;
	const int32_t *at = debug_memory(o->debug, SPACE_GLOBAL, 0x7f0000000000u + (uint64_t)lane * 4, &bytes);
	assert_non_null(at);
	return *at;
}

static void a_change_is_part_of_the_launch(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(
			compilers[c], "break " LOOP " if j == 2\nc\nset last[1] = 100 + lane\nset j = 3");
		uint64_t step = o.debug->step;
		shows(&o, "last[1]", 7, "107");
		shows(&o, "j", 0, "3");
		assert_true(debug_do(o.debug, "step 9"));
		assert_true(debug_do(o.debug, "reverse-step 9"));
		assert_int_equal(o.debug->step, step);
		shows(&o, "last[1]", 7, "107");
		assert_true(debug_do(o.debug, "reverse-step"));
		shows(&o, "last[1]", 7, "2"); /* not yet */
		assert_true(debug_do(o.debug, "restart"));
		assert_true(debug_do(o.debug, "c"));
		assert_int_equal(o.debug->step, step); /* it stops where it had stopped */
		shows(&o, "j", 0, "3");
		assert_true(debug_do(o.debug, "undo"));
		assert_int_equal(o.debug->step, step);
		shows(&o, "j", 0, "2");
		shows(&o, "last[1]", 7, "107");
		assert_true(debug_do(o.debug, "undo"));
		shows(&o, "last[1]", 7, "2");
		refuses(&o, "undo", "nothing has been changed");
		debug_close(&o);
	}
}

static void what_is_changed_is_computed_with(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "c");
		int before = result_of(&o, 4);
		assert_int_not_equal(before, 0);
		debug_close(&o);

		/* last[n & 3] is added to the result, and so is c */
		o = open_at(compilers[c],
			"break " LAST "\nc\nlane 4\nset last[1] = last[1] + 1000\nlane all\nset c = 10005\ndelete\nc");
		assert_int_equal(result_of(&o, 4), before + 1000 + 10000);
		assert_true(o.debug->ended && o.debug->result.outcome == SIMT_OK);
		refuses(&o, "set c = 1", "has ended");
		debug_close(&o);
	}
}

static void only_the_chosen_lanes_change(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP "\nc\nlane 3\nset q.x = 0.5");
		shows(&o, "q.x", 3, "0.5");
		shows(&o, "q.x", 4, "5.5");
		assert_true(debug_do(o.debug, "set odd = false"));
		shows(&o, "odd", 3, "false");
		shows(&o, "odd", 5, "true");
		assert_true(debug_do(o.debug, "set tile[3] = -i"));
		shows(&o, "tile[3]", 9, "-3"); /* shared memory is one */
		assert_true(debug_do(o.debug, "set in[5] = 8"));
		shows(&o, "*in", 3, "0");
		shows(&o, "in[5]", 3, "8");
		assert_true(debug_do(o.debug, "set total = 7"));
		shows(&o, "total", 0, "7");
		debug_close(&o);
	}
}

static void what_cannot_be_changed_says_why(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP "\nc");
		refuses(&o, "set table[0][0] = 1", "constants and parameters");
		refuses(&o, "set q = 1", "not one number");
		refuses(&o, "set last[0] = 4294967296", "too large");
		refuses(&o, "set last[0] = 1.5", "whole number");
		refuses(&o, "set i = q", "not one number");
		refuses(&o, "set in[1000000] = 1", "no memory");
		refuses(&o, "set GREEN = 1", "cannot be changed");
		refuses(&o, "set i = 1 / 0", "division by zero");
		assert_true(debug_do(o.debug, "set last[0] = -2147483648"));
		assert_true(debug_do(o.debug, "set last[0] = 4294967295"));
		shows(&o, "last[0]", 0, "-1");
		debug_close(&o);
	}
}

static void a_change_in_the_past_has_another_future(void **state)
{
	(void)state;
	struct opened o = open_at("variables", "break " LOOP " if j == 3\nc\nset last[0] = 5");
	uint64_t late = o.debug->step;
	assert_true(debug_do(o.debug, "reverse-step 20"));
	assert_true(debug_do(o.debug, "set last[0] = 9"));
	assert_true(debug_do(o.debug, "delete"));
	char command[60];
	snprintf(command, sizeof command, "goto %llu", (unsigned long long)late);
	assert_true(debug_do(o.debug, command));
	shows(&o, "last[0]", 0, "9"); /* the change at the later step is no more */
	debug_close(&o);
}

static void registers_can_be_changed_without_debug_information(void **state)
{
	(void)state;
	struct opened o = debug_open("scan", "scan", ".cu");
	assert_true(debug_do(o.debug, "step 6"));
	assert_true(debug_do(o.debug, "set %r24 = 100 + lane"));
	shows(&o, "%r24", 5, "105");
	shows(&o, "r24", 31, "131");
	assert_true(debug_do(o.debug, "lane 2"));
	assert_true(debug_do(o.debug, "set r24 = 0x10"));
	shows(&o, "r24", 2, "16");
	shows(&o, "r24", 3, "103");
	evaluates(&o, "r24 + 1", 0xC, "17, 104");
	debug_close(&o);
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

static void a_breakpoint_stops_where_its_condition_holds(void **state)
{
	(void)state;
	for (size_t c = 0; c < COMPILERS; c++) {
		struct opened o = open_at(compilers[c], "break " LOOP " if j == 3 && threadIdx.x == 7\nc");
		shows(&o, "j", 0, "3");
		assert_true(debug_do(o.debug, "reverse-continue"));
		assert_int_equal(o.debug->step, 0); /* there is none before it */
		assert_true(debug_do(o.debug, "c"));
		shows(&o, "j", 0, "3");
		assert_true(debug_do(o.debug, "c"));
		assert_true(o.debug->ended);
		debug_close(&o);

		o = open_at(compilers[c], "break " LOOP " lane 7 if threadIdx.x == 8\nc");
		assert_true(o.debug->ended); /* only that lane is asked */
		debug_close(&o);
	}
}

static void a_breakpoint_counts(void **state)
{
	(void)state;
	static const struct {
		const char *count, *stops; /* the values of j */
	} cases[] = {
		{"3", "234"}, {">= 3", "234"}, {"> 3", "34"}, {"== 2", "1"}, {"=2", "1"}, {"%2", "13"}, {"< 3", "01"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct opened o = open_at("variables", "break " LOOP);
		struct debug_break *b = &o.debug->breaks.at[0];
		assert_null(debug_break_count(b, cases[i].count));
		for (int again = 0; again < 2; again++) {
			for (const char *s = cases[i].stops; *s; s++) {
				assert_true(debug_do(o.debug, "c"));
				shows(&o, "j", 0, (char[]){*s, '\0'});
			}
			assert_true(debug_do(o.debug, "c"));
			assert_true(o.debug->ended);
			assert_true(debug_do(o.debug, "restart")); /* and counts from there again */
		}
		assert_non_null(debug_break_count(b, "x"));
		assert_non_null(debug_break_count(b, "0"));
		assert_non_null(debug_break_count(b, "3 4"));
		assert_non_null(debug_break_count(b, ""));
		debug_close(&o);
	}
}

static void a_log_is_written_once(void **state)
{
	(void)state;
	struct opened o = open_at("variables", "break " LOOP " if j < 2");
	snprintf(o.debug->breaks.at[0].log, sizeof o.debug->breaks.at[0].log, "j is {j}, {q.x > 2} {what} {");
	assert_true(debug_do(o.debug, "c"));
	assert_true(o.debug->ended);
	assert_string_equal(buf_str(&o.debug->said.output),
		"j is 0 in all lanes, 0, 1, 1, 1, 1, 1, 1, 1, ... <there is no such variable here, and no such register> {\n"
		"j is 1 in all lanes, 0, 1, 1, 1, 1, 1, 1, 1, ... <there is no such variable here, and no such register> {\n");
	buf_clear(&o.debug->said.output);
	assert_true(debug_do(o.debug, "restart"));
	assert_true(debug_do(o.debug, "c"));
	assert_string_equal(buf_str(&o.debug->said.output), ""); /* it was there before */
	debug_close(&o);
}

/* --- debug information that is none ------------------------------------------------------------------------------- */

/* Whatever a byte of it is changed to, reading and showing it stays inside of it. */
static void broken_debug_information_is_only_not_shown(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	size_t len, begin, changed = 0;
	char *ptx = debug_read(arena, "variables", ".ptx", &len);
	begin = (size_t)(strstr(ptx, ".section") - ptx);
	for (size_t at = begin; at + 4 < len; at++) {
		if (memcmp(ptx + at, "\n.b8 ", 5) != 0 || ++changed % 7)
			continue;
		char *copy = arena_strndup(arena, ptx, len);
		size_t digits = strspn(copy + at + 5, "0123456789");
		memset(copy + at + 5, (int)('1' + changed % 9), digits < 2 ? digits : 2);
		struct opened o = debug_open_text("variables", copy, len);
		struct debug_at now;
		int list[100];
		debug_do(o.debug, "goto 150");
		now = debug_at_now(o.debug);
		int n = debug_variables(&now, list, 100);
		for (int i = 0; i < n; i++) {
			struct debug_object object;
			struct buf out = {0};
			debug_object_of(&now, list[i], &object);
			debug_object_write(&now, &object, 0, &out);
			debug_object_write_type(&now, &object, &out);
			assert_true(out.len > 0);
			buf_free(&out);
		}
		debug_close(&o);
	}
	assert_true(changed > 500);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_compilers_say_what_variables_hold),
		cmocka_unit_test(scopes_are_those_of_the_source),
		cmocka_unit_test(expressions_are_those_of_the_lanes),
		cmocka_unit_test(paths_that_lead_nowhere_say_why),
		cmocka_unit_test(a_change_is_part_of_the_launch),
		cmocka_unit_test(what_is_changed_is_computed_with),
		cmocka_unit_test(only_the_chosen_lanes_change),
		cmocka_unit_test(what_cannot_be_changed_says_why),
		cmocka_unit_test(a_change_in_the_past_has_another_future),
		cmocka_unit_test(registers_can_be_changed_without_debug_information),
		cmocka_unit_test(a_breakpoint_stops_where_its_condition_holds),
		cmocka_unit_test(a_breakpoint_counts),
		cmocka_unit_test(a_log_is_written_once),
		cmocka_unit_test(broken_debug_information_is_only_not_shown),
	};
	return cmocka_run_group_tests_name("variables", tests, NULL, NULL);
}
