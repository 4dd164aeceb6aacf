#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/profile/profile.h"

#define HEAD                                                                                                                   \
	".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"/home/you/saxpy.cu\"\n.visible .entry k(.param .u64 p)\n{\n" \
	"\t.reg .b64 %a<4>;\n\t.reg .b32 %r<4>;\n\t.reg .pred %q;\n\tld.param.u64 %a0, [p];\n\tmov.u32 %r0, %tid.x;\n"         \
	"\tmov.u32 %r1, %ctaid.x;\n\tmad.lo.u32 %r0, %r1, 64, %r0;\n\t.loc 1 7 5\n"
#define TAIL "\tret;\n}\n"

static const struct {
	const char *body, *arg, *expected[5];
} rows[] = {
	/* 4 blocks of 64 threads over 232 words: of the last warp lanes 8-31 are outside */
	{"\tmul.wide.u32 %a1, %r0, 4;\n\tadd.s64 %a0, %a0, %a1;\n\tst.global.u32 [%a0], %r0;\n", "u32[232]",
		{"The machine finds: out of bounds store at saxpy.cu:7, block 3, warp 1, lanes 8-31 ("}},
	{"\tadd.s64 %a0, %a0, 2;\n\tld.global.u32 %r0, [%a0];\n", "u32[256]",
		{"The machine finds: misaligned address load at saxpy.cu:7, block 0, warp 0, lanes 0-31 ("}},
	{"\tsetp.eq.u32 %q, %r0, 70;\n\t@%q trap;\n", "u32[256]",
		{"The machine finds: trap at saxpy.cu:7, block 1, warp 0, lane 6 ("}},
	{"again:\n\tld.volatile.global.u32 %r2, [%a0];\n\tsetp.eq.u32 %q, %r2, 0;\n\t@%q bra again;\n", "u32[256]",
		{"The machine does not come to an end either: after ",
			" warp instructions it is at saxpy.cu:7, block "}},
	{"\tst.global.u32 [%a0], 1;\n", "u32[256]:iota",
		{"The machine finds nothing wrong: there the kernel ends after "}},
	{"", "u32:1", {"The machine cannot run it: "}},
};

static void each_kind_is_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf ptx = {0};
		struct diag diag = {0};
		struct arena *arena = arena_new();
		struct launch_arg arg;
		struct launch launch = {
			.kernel = "k", .grid = {4, 1, 1}, .block = {64, 1, 1}, .args = &arg, .n_args = 1};
		buf_printf(&ptx, "%s%s%s", HEAD, rows[i].body, TAIL);
		assert_true(launch_arg_parse(arena, NULL, rows[i].arg, &arg, &diag));
		struct blame *blame = profile_blame_new(buf_str(&ptx), ptx.len, &launch);
		/* nothing of the launch is needed any more */
		memset(ptx.data, 'x', ptx.len);
		arena_free(arena);
		int slices = 1;
		while (!profile_blame_step(blame, 5))
			slices++;
		for (int k = 0; k < 5 && rows[i].expected[k]; k++)
			if (!strstr(profile_blame_sentence(blame), rows[i].expected[k]))
				fail_msg("'%s' has no '%s'", profile_blame_sentence(blame), rows[i].expected[k]);
		if (i == 3)
			assert_true(slices > 1);
		assert_true(profile_blame_step(blame, 5));
		profile_blame_free(blame);
		buf_free(&ptx);
	}
}

static void a_launch_that_cannot_be_is_reported(void **state)
{
	(void)state;
	struct launch launch = {.kernel = "other", .grid = {1, 1, 1}, .block = {1, 1, 1}};
	struct blame *blame = profile_blame_new("nonsense", 8, &launch);
	assert_true(profile_blame_step(blame, 1));
	assert_non_null(strstr(profile_blame_sentence(blame), "The machine cannot run it: "));
	profile_blame_free(blame);
	launch = (struct launch){.kernel = "k", .grid = {1, 1, 1}, .block = {4096, 1, 1}};
	static const char ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
	blame = profile_blame_new(ptx, sizeof ptx - 1, &launch);
	assert_true(profile_blame_step(blame, 1));
	assert_non_null(strstr(profile_blame_sentence(blame), "The machine stops: "));
	profile_blame_free(blame);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_is_named),
		cmocka_unit_test(a_launch_that_cannot_be_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
