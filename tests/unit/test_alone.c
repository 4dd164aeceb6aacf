/* Launches that come after others, made ones that a GPU can be given alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile/profile.h"

/* `mark` puts, in one block of 4 lanes, its second argument beside the lane's number into the first. */
#define HEAD ".version 6.3\n.target sm_75\n.address_size 64\n"
#define MARK                                                                                                           \
	".visible .entry mark(.param .u64 p, .param .u32 v)\n{\n\t.reg .b64 %a<3>;\n\t.reg .b32 %r<4>;\n"              \
	"\tld.param.u64 %a0, [p];\n\tld.param.u32 %r0, [v];\n\tmov.u32 %r1, %tid.x;\n\tadd.u32 %r2, %r0, %r1;\n"       \
	"\tmul.wide.u32 %a1, %r1, 4;\n\tadd.s64 %a0, %a0, %a1;\n\tst.global.u32 [%a0], %r2;\n\tret;\n}\n"              \
	".visible .entry both(.param .u64 a, .param .u64 b)\n{\n\tret;\n}\n"

#define LAUNCHES 3

/* The launches one after the other, each with two arguments, and the last of them alone. */
struct alone {
	struct arena *arena;
	struct diag diag;
	struct ptx_module *module;
	struct launch_arg args[LAUNCHES][2];
	struct launch all[LAUNCHES];
	int n;
	const struct launch *result;
	char error[300];
};

static void open_module(struct alone *a, const char *ptx)
{
	*a = (struct alone){.arena = arena_new()};
	a->module = ptx_parse(a->arena, "alone.ptx", ptx, strlen(ptx), &a->diag);
	assert_non_null(a->module);
}

static void add(struct alone *a, const char *kernel, const char *first, const char *second)
{
	struct launch_arg *args = a->args[a->n];
	assert_true(launch_arg_parse(a->arena, NULL, first, &args[0], &a->diag));
	assert_true(launch_arg_parse(a->arena, NULL, second, &args[1], &a->diag));
	a->all[a->n] = (struct launch){.kernel = kernel,
		.grid = {1, 1, 1},
		.block = {4, 1, 1},
		.args = args,
		.n_args = 2,
		.before = a->n ? &a->all[a->n - 1] : NULL};
	a->n++;
}

static void make_alone(struct alone *a)
{
	a->result = profile_launch_alone(a->arena, a->module, &a->all[a->n - 1], &a->diag);
	snprintf(a->error, sizeof a->error, "%s", a->diag.count ? a->diag.entries[0].message : "");
}

static void close_module(struct alone *a)
{
	diag_free(&a->diag);
	arena_free(a->arena);
}

static void one_by_itself_stays_what_it_is(void **state)
{
	struct alone a;
	(void)state;
	open_module(&a, HEAD MARK);
	add(&a, "mark", "u32[4]", "u32:1");
	assert_true(profile_can_be_alone(a.module, &a.all[0]));
	make_alone(&a);
	assert_ptr_equal(a.result, &a.all[0]);
	close_module(&a);
}

/* As bits of the elements' size: what of f32 is no number stays the same. */
static void what_others_left_is_given(void **state)
{
	static const struct {
		const char *made, *value, *given;
	} rows[] = {
		{"x=u32[4]", "u32:7", "b32[]:7,8,9,10"}, {"x=u32[6]:iota", "u32:7", "b32[]:7,8,9,10,4,5"},
		{"x=f32[4]", "u32:0x7FC00001", "b32[]:2143289345,2143289346,2143289347,2143289348"},
		{"x=u64[2]", "u32:0", "b64[]:4294967296,12884901890"},
		{"x=u8[16]", "u32:0", "b8[]:0,0,0,0,1,0,0,0,2,0,0,0,3,0,0,0"},
		{"x=u32[4]:iota", "u32:0", "x=u32[4]:iota"}, /* as it was */
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct alone a;
		open_module(&a, HEAD MARK);
		add(&a, "mark", rows[i].made, rows[i].value);
		add(&a, "both", "u32[3]:=5", "x");
		assert_true(profile_can_be_alone(a.module, &a.all[1]));
		make_alone(&a);
		if (!a.result)
			fail_msg("%s", a.error);
		assert_null(a.result->before);
		assert_string_equal(a.result->kernel, "both");
		assert_string_equal(a.result->args[0].text, "u32[3]:=5");
		assert_string_equal(a.result->args[1].text, rows[i].given);
		assert_true(a.result->args[1].buffer);
		assert_int_equal(a.result->args[1].type, a.args[0][0].type);
		assert_int_equal(launch_arg_bytes(&a.result->args[1]), launch_arg_bytes(&a.args[0][0]));
		assert_false(launch_is_for_machine(a.result));
		close_module(&a);
	}
}

static void the_last_one_that_wrote_counts(void **state)
{
	struct alone a;
	(void)state;
	open_module(&a, HEAD MARK);
	add(&a, "mark", "x=u32[5]", "u32:1");
	add(&a, "mark", "x", "u32:20");
	add(&a, "mark", "x", "u32:300");
	make_alone(&a);
	assert_non_null(a.result);
	assert_string_equal(a.result->args[0].text, "b32[]:20,21,22,23,0");
	close_module(&a);
	open_module(&a, HEAD MARK);
	add(&a, "mark", "x=u32[1024]:=9", "u32:9");
	add(&a, "both", "x", "u32[1]");
	make_alone(&a);
	assert_non_null(a.result);
	assert_memory_equal(a.result->args[0].text, "b32[]:9,10,11,12,9,9", 20);
	close_module(&a);
}

static void what_cannot_be_given_is_refused(void **state)
{
	static const struct {
		const char *ptx, *made, *first, *second;
	} rows[] = {
		{HEAD MARK, "x=u32[4]", "x", "x"},
		{HEAD MARK, "u32[4]", "y=u32[4]", "y"},
		{HEAD MARK, "x=u32[1048577]", "x", "u32[1]"},
		{HEAD ".global .u32 total;\n" MARK, "x=u32[4]", "x", "u32[1]"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct alone a;
		open_module(&a, rows[i].ptx);
		add(&a, "mark", rows[i].made, "u32:7");
		add(&a, "both", rows[i].first, rows[i].second);
		assert_false(profile_can_be_alone(a.module, &a.all[1]));
		make_alone(&a);
		assert_null(a.result);
		assert_string_equal(a.error, "a GPU is not given this launch");
		close_module(&a);
	}
}

static void a_constant_table_is_no_hindrance(void **state)
{
	struct alone a;
	(void)state;
	open_module(&a, HEAD ".const .u32 table[2] = {1, 2};\n" MARK);
	add(&a, "mark", "x=u32[4]", "u32:7");
	add(&a, "both", "x", "u32[1]");
	make_alone(&a);
	assert_non_null(a.result);
	close_module(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_by_itself_stays_what_it_is),
		cmocka_unit_test(what_others_left_is_given),
		cmocka_unit_test(the_last_one_that_wrote_counts),
		cmocka_unit_test(what_cannot_be_given_is_refused),
		cmocka_unit_test(a_constant_table_is_no_hindrance),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
