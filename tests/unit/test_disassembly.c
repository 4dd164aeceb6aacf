/* A disassembler's text -> the listing of a kernel: model/profile/disassembly.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "model/profile/cubin.h"

static struct arena *arena;

static const struct cubin_instr code[] = {
	{.ptx_line = 9, .target = -1, .begins = true},
	{.ptx_line = 12, .target = -1},
	{.ptx_line = 14, .target = 1, .flow = CUBIN_BRANCH, .is_conditional = true},
	{.ptx_line = 15, .target = -1, .flow = CUBIN_END},
	{.ptx_line = 15, .target = -1, .flow = CUBIN_END}, /* to itself */
	{.ptx_line = 15, .target = -1},
	{.ptx_line = 30, .target = -1, .begins = true},
};
static const struct cubin_function functions[] = {{"k", 0, 6}, {"helper", 6, 1}};
static const struct cubin cubin = {code, 7, functions, 2};

#define HEAD "\t.headerflags\t@\"EF_CUDA_SM90\"\n\t.section\t.text.k,\"ax\",@progbits\n"
#define KERNEL                                                                                                         \
	"k:\n.text.k:\n        /*0000*/                   LDC R1, c[0x0][0x28] ;\n.L_x_0:\n"                           \
	"        /*0010*/                   FFMA R3,  R2, R5, R3 ;  /* 0x0000000502037223 */\n"                        \
	"                                                            /* 0x000fc80000000003 */\n"                       \
	"        /*0020*/              @!P0 BRA `(.L_x_0) ;\n        /*0030*/                   EXIT ;\n"
#define PADDING ".L_x_1:\n        /*0040*/                   BRA `(.L_x_1);\n        /*0050*/                   NOP;\n"
#define HELPER ".text.helper:\n        /*0000*/                   RET.REL.NODEC R20 `(k) ;\n"

static struct code_listing read_text(const char *text, const char **why)
{
	struct code_listing out = {0};
	*why = profile_disassembly(arena, &cubin, "k", text, &out);
	return out;
}

static void instructions_have_lines_and_labels_addresses(void **state)
{
	(void)state;
	const char *why;
	struct code_listing out = read_text(HEAD KERNEL PADDING HELPER, &why);
	assert_null(why);
	assert_int_equal(out.n, 5); /* without what pads */
	assert_string_equal(out.instrs[0].text, "LDC R1, c[0x0][0x28]");
	assert_int_equal(out.instrs[0].ptx_line, 9);
	assert_string_equal(out.instrs[1].text, "FFMA R3, R2, R5, R3");
	assert_int_equal(out.instrs[1].address, 0x10);
	assert_string_equal(out.instrs[2].text, "@!P0 BRA 0x10");
	assert_string_equal(out.instrs[3].text, "EXIT");
	/* the section alone says it, too */
	read_text(
		"\t.section\t.text.k,\"ax\",@progbits\n/*0000*/ A ;\n/*0010*/ B ;\n/*0020*/ C ;\n/*0030*/ D ;\n/*0040*/ E ;\n"
		"/*0050*/ NOP ;\n" HELPER,
		&why);
	assert_null(why);
	/* a label that is not there stays, and another function begins at 0 */
	assert_string_equal(out.instrs[4].text, "RET.REL.NODEC R20 `(k)");
	assert_int_equal(out.instrs[4].address, 0);
	assert_int_equal(out.instrs[4].ptx_line, 30);
}

static void cuobjdump_is_read_too(void **state)
{
	(void)state;
	const char *why;
	struct code_listing out = read_text(
		"\t\tFunction : helper\n\t.headerflags @\"\"\n        /*0000*/ RET ;\n"
		"\t\tFunction : k\n        /*0000*/ A ;\n        /*0010*/ B ;\n        /*0020*/ C ;\n"
		"        /*0030*/ D ;\n        /*0040*/ BRA 0x40;\n        /*0050*/ NOP ;\n",
		&why);
	assert_null(why);
	assert_int_equal(out.n, 5);
	assert_string_equal(out.instrs[3].text, "D");
	assert_string_equal(out.instrs[4].text, "RET");
}

static void what_does_not_fit_is_no_listing(void **state)
{
	(void)state;
	const char *why;
	static const char *const bad[] = {"", "/*0000*/ EXIT ;\n", HEAD KERNEL HELPER, HEAD KERNEL PADDING,
		HEAD KERNEL ".L_x_1:\n /*0040*/ BRA `(.L_x_1);\n /*0050*/ N\033[2JOP;\n" HELPER,
		HEAD KERNEL ".L_x_1:\n /*0040*/ ;\n /*0050*/ NOP;\n" HELPER,
		HEAD KERNEL ".L_x_1:\n /*0040*/ B\x80 ;\n /*0050*/ NOP;\n" HELPER};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		read_text(bad[i], &why);
		assert_non_null(why);
	}
	struct code_listing out = {0};
	assert_non_null(profile_disassembly(arena, &cubin, "other", HEAD KERNEL PADDING HELPER, &out));
}

static void a_long_text_is_refused(void **state)
{
	(void)state;
	const char *why;
	struct buf text = {0};
	buf_puts(&text, HEAD KERNEL ".L_x_1:\n /*0040*/ BRA `(.L_x_1);\n /*0050*/ ");
	buf_pad(&text, 'N', 500);
	buf_puts(&text, ";\n" HELPER);
	read_text(buf_str(&text), &why);
	assert_non_null(why);
	buf_free(&text);
}

static void instructions_are_of_kinds(void **state)
{
	(void)state;
	assert_int_equal(listing_kind_of("IMAD.WIDE R2, R7, 0x4, R4"), LISTING_ARITHMETIC);
	assert_int_equal(listing_kind_of("@!P0 LDG.E R0, [R4.64]"), LISTING_MEMORY);
	assert_int_equal(listing_kind_of("LDC R1, c[0x0][0x28]"), LISTING_MOVE);
	assert_int_equal(listing_kind_of("ULDC UR4, c[0x0][0x208]"), LISTING_MOVE);
	assert_int_equal(listing_kind_of("UIADD3 UR4, UR4, 0x1, URZ"), LISTING_ARITHMETIC);
	assert_int_equal(listing_kind_of("@P0 BRA 0x70"), LISTING_CONTROL);
	assert_int_equal(listing_kind_of("REDUX.SUM UR4, R2"), LISTING_ARITHMETIC);
	assert_int_equal(listing_kind_of("RED.E.ADD [R2.64], R5"), LISTING_MEMORY);
	assert_int_equal(listing_kind_of("NOP"), LISTING_OTHER);
	assert_int_equal(listing_kind_of("@P0"), LISTING_OTHER);
	assert_int_equal(listing_kind_of(""), LISTING_OTHER);
}

static int setup(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instructions_have_lines_and_labels_addresses),
		cmocka_unit_test(cuobjdump_is_read_too),
		cmocka_unit_test(what_does_not_fit_is_no_listing),
		cmocka_unit_test(a_long_text_is_refused),
		cmocka_unit_test(instructions_are_of_kinds),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
