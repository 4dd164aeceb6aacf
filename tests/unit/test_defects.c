#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/simt/simt.h"

/* One kernel with one parameter, a buffer of WORDS words that counts up from 0, and the defects of its run. */
#define WORDS 64
#define ROOM 8

struct bench {
	struct arena *arena;
	struct diag diag;
	struct simt_memory *memory;
	uint64_t buffer;
	uint32_t *words;
	struct simt_launch launch;
	struct simt_defect defects[ROOM];
	struct simt_report report;
	struct simt_result result;
};

static void prepare_module(struct bench *b, const char *text, uint32_t blocks, uint32_t threads)
{
	memset(b, 0, sizeof *b);
	b->arena = arena_new();
	b->memory = simt_memory_new(1 << 20);
	b->buffer = simt_memory_alloc(b->memory, WORDS * 4);
	b->words = simt_memory_at(b->memory, b->buffer, WORDS * 4);
	for (uint32_t i = 0; i < WORDS; i++)
		b->words[i] = i;
	struct ptx_module *m = ptx_parse(b->arena, "t.ptx", text, strlen(text), &b->diag);
	if (b->diag.count)
		fprintf(stderr, "# %d:%d %s\n", b->diag.entries[0].line, b->diag.entries[0].col,
			b->diag.entries[0].message);
	assert_non_null(m);
	b->report = (struct simt_report){.defects = b->defects, .cap = ROOM};
	b->launch = (struct simt_launch){.kernel = ptx_find_kernel(m, "k", &b->diag),
		.grid = {blocks, 1, 1},
		.block = {threads, 1, 1},
		.params = &b->buffer,
		.limits.steps = 100000,
		.checks = SIMT_CHECK_ALL,
		.report = &b->report};
	assert_non_null(b->launch.kernel);
}

/* `body` has %p0..3, %r0..15, %rd0..7, shared memory `s` and local memory `l` of 256 bytes; %rd0 is the buffer, %r0 the
 * thread, %r1 the block, %rd1 the address of the buffer's word of the thread. */
static void prepare(struct bench *b, const char *body, uint32_t blocks, uint32_t threads)
{
	char text[4096];
	snprintf(text, sizeof text,
		".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
		".reg .pred %%p<4>;\n.reg .b32 %%r<16>;\n.reg .b64 %%rd<8>;\n.shared .align 16 .b8 s[256];\n"
		".local .align 16 .b8 l[256];\nld.param.u64 %%rd0, [p];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\n"
		"mad.wide.u32 %%rd1, %%r0, 4, %%rd0;\n%s\nret;\n}\n",
		body);
	prepare_module(b, text, blocks, threads);
}

static void run(struct bench *b)
{
	simt_run(&b->launch, b->memory, &b->result);
}

static void done(struct bench *b)
{
	simt_memory_free(b->memory);
	diag_free(&b->diag);
	arena_free(b->arena);
}

static void expect_kinds(const struct bench *b, uint32_t n, enum simt_defect_kind first, enum simt_defect_kind second)
{
	if (b->report.n != n)
		fail_msg("%u defects, first %s", b->report.n, b->report.n ? b->defects[0].message : "");
	assert_int_equal(b->defects[0].kind, first);
	if (n > 1)
		assert_int_equal(b->defects[1].kind, second);
	assert_int_equal(b->result.outcome, SIMT_DEFECT);
	assert_int_equal(b->result.defect, first);
	assert_string_equal(b->result.message, b->defects[0].message);
}

/* --- going on ----------------------------------------------------------------------------------------------------- */

static void lanes_with_a_wrong_address_do_nothing_and_load_zeros(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b,
		/* lanes 0-31, words 0, 2, ... 62 */
		"mul.lo.u32 %r2, %r0, 8;\ncvt.u64.u32 %rd2, %r2;\nadd.s64 %rd3, %rd0, %rd2;\n"
		"mov.u32 %r3, 7;\nld.global.u32 %r3, [%rd3+128];\n" /* past the end from lane 16 on */
		"st.global.u32 [%rd3+132], %r0;\nst.global.u32 [%rd1], %r3;",
		1, 32);
	run(&b);
	expect_kinds(&b, 2, SIMT_OUT_OF_BOUNDS, SIMT_OUT_OF_BOUNDS);
	assert_int_equal(b.defects[0].here.lanes, 0xFFFF0000);
	assert_int_equal(b.defects[0].here.op, ACCESS_LOAD);
	assert_int_equal(b.defects[0].space, SPACE_GLOBAL);
	assert_int_equal(b.defects[0].address, b.buffer + WORDS * 4);
	assert_int_equal(b.defects[1].here.op, ACCESS_STORE);
	assert_true(b.result.ended);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], i < 16 ? 32 + 2 * i : 0);
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(b.words[33 + 2 * i], i);
	done(&b);
}

static void misaligned_lanes_do_nothing(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, "cvt.u64.u32 %rd2, %r0;\nadd.s64 %rd3, %rd0, %rd2;\natom.global.add.u32 %r3, [%rd3], 100;", 1, 8);
	run(&b);
	expect_kinds(&b, 1, SIMT_MISALIGNED, 0);
	assert_int_equal(b.defects[0].here.lanes, 0xEE);
	assert_int_equal(b.words[0], 100);
	assert_int_equal(b.words[1], 101);
	assert_int_equal(b.words[2], 2);
	done(&b);
}

static void a_full_report_ends_the_run(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, "ld.global.u32 %r3, [%rd1+256];\nst.global.u32 [%rd1], %r3;", 2, 32);
	b.report.cap = 1;
	run(&b);
	expect_kinds(&b, 1, SIMT_OUT_OF_BOUNDS, 0);
	assert_false(b.result.ended);
	assert_int_equal(b.words[1], 1);
	done(&b);
}

static void what_is_found_again_is_counted(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, "ld.global.u32 %r3, [%rd1+256];", 3, 64);
	run(&b);
	expect_kinds(&b, 1, SIMT_OUT_OF_BOUNDS, 0);
	assert_int_equal(b.defects[0].count, 6);
	assert_int_equal(b.defects[0].here.block, 0);
	done(&b);
}

static void a_wrong_mask_does_not_stop_lanes_that_are_there(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b,
		"mov.u32 %r2, 0x0000FFFF;\nmov.u32 %r4, 5;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 mov.u32 %r2, 0xFFFFFFFF;\n"
		"shfl.sync.idx.b32 %r3, %r0, 1, 31, %r2;\nst.global.u32 [%rd1], %r3;",
		1, 32);
	run(&b);
	/* The upper lanes wait until the lower ones have ended, as a mask of their own lets them; lane 1 has no value
	 * for them then. */
	expect_kinds(&b, 1, SIMT_BAD_MASK, 0);
	assert_non_null(strstr(b.defects[0].message, "thread 16 of block 0 stores an undefined value"));
	assert_true(b.result.ended);
	assert_int_equal(b.words[0], 1);
	done(&b);
}

static void a_trap_ends_the_run_whatever_is_looked_for(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, "trap;", 1, 32);
	b.launch.checks = SIMT_CHECK_NONE;
	run(&b);
	expect_kinds(&b, 1, SIMT_TRAP, 0);
	assert_false(b.result.ended);
	done(&b);
}

/* --- what is looked for ------------------------------------------------------------------------------------------- */

#define STRANGERS_WORD                                                                                                 \
	"xor.b32 %r4, %r0, 33;\nmul.wide.u32 %rd4, %r4, 4;\nmov.u64 %rd5, s;\nadd.s64 %rd4, %rd4, %rd5;\n"             \
	"mul.wide.u32 %rd6, %r0, 4;\nadd.s64 %rd6, %rd6, %rd5;\n"

static void both_sides_of_a_race_are_reported(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, STRANGERS_WORD "st.shared.u32 [%rd6], %r0;\nld.shared.u32 %r5, [%rd4];", 1, 64);
	run(&b);
	expect_kinds(&b, 1, SIMT_RACE, 0); /* what the first warp loads was not written yet, but that is why */
	const struct simt_defect *d = &b.defects[0];
	assert_int_equal(d->space, SPACE_SHARED);
	assert_int_equal(d->here.warp, 1);
	assert_int_equal(d->other.warp, 0);
	assert_int_equal(d->missing, RACE_MISSING_BARRIER);
	assert_true(strstr(d->message, "thread 32 of block 0") && strstr(d->message, "thread 1 ") &&
		strstr(d->message, "(PTX line"));
	assert_true(strstr(d->message, "__syncthreads() is missing"));
	done(&b);
	prepare(&b, STRANGERS_WORD "st.shared.u32 [%rd6], %r0;\nbar.sync 0;\nld.shared.u32 %r5, [%rd4];", 1, 64);
	run(&b);
	assert_int_equal(b.result.outcome, SIMT_OK);
	done(&b);
}

static void blocks_are_sorted(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b, "setp.ne.u32 %p1, %r1, 1;\n@!%p1 ld.global.u32 %r3, [%rd1+256];\nst.global.u32 [%rd0], %r1;", 3, 1);
	run(&b);
	expect_kinds(&b, 2, SIMT_OUT_OF_BOUNDS, SIMT_RACE);
	assert_int_equal(b.defects[0].here.block, 1);
	assert_int_equal(b.defects[1].here.block, 1);
	assert_int_equal(b.defects[1].other.block, 0);
	assert_int_equal(b.defects[1].count, 3); /* 1 with 0, 2 with both */
	done(&b);
}

static void only_what_is_checked_is_reported(void **state)
{
	(void)state;
	static const struct {
		uint32_t checks;
		enum simt_defect_kind kind;
	} cases[] = {
		{SIMT_CHECK_BOUNDS, SIMT_OUT_OF_BOUNDS},
		{SIMT_CHECK_ALIGN, SIMT_MISALIGNED},
		{SIMT_CHECK_RACE, SIMT_RACE},
		{SIMT_CHECK_UNINIT, SIMT_UNINITIALIZED},
		{SIMT_CHECK_NONE, SIMT_DEFECT_NONE},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		prepare(&b,
			STRANGERS_WORD
			"ld.global.u32 %r3, [%rd1+256];\nld.global.u32 %r3, [%rd1+1];\n"
			"ld.local.u32 %r6, [l+4];\nst.global.u32 [%rd1], %r6;\nst.shared.u32 [%rd6], %r0;\nst.shared.u32 [%rd4], 9;",
			1, 64);
		b.launch.checks = cases[i].checks;
		run(&b);
		assert_int_equal(b.report.n, cases[i].kind != SIMT_DEFECT_NONE);
		if (b.report.n)
			assert_int_equal(b.defects[0].kind, cases[i].kind);
		assert_int_equal(b.result.outcome, b.report.n ? SIMT_DEFECT : SIMT_OK);
		done(&b);
	}
}

static void a_kind_goes_by_its_name_and_an_older_one(void **state)
{
	(void)state;
	assert_true(simt_defect_is_named(SIMT_UNINITIALIZED, "uninitialized read"));
	assert_true(simt_defect_is_named(SIMT_UNINITIALIZED,
		"uninitiali"
		"sed read"));
	assert_false(simt_defect_is_named(SIMT_RACE,
		"uninitiali"
		"sed read"));
	assert_true(simt_defect_is_named(SIMT_RACE, simt_defect_name(SIMT_RACE)));
}

static void a_buffer_can_be_uninitialized(void **state)
{
	(void)state;
	struct bench b;
	prepare(&b,
		"setp.ge.u32 %p1, %r0, 4;\n@%p1 st.global.u32 [%rd1], %r0;\nld.global.u32 %r3, [%rd1];\n"
		"st.global.u32 [%rd1], %r3;",
		1, 32);
	simt_memory_uninitialized(b.memory, b.buffer, SIZE_MAX);
	run(&b);
	expect_kinds(&b, 1, SIMT_UNINITIALIZED, 0);
	assert_int_equal(b.defects[0].here.lanes, 0xF);
	assert_int_equal(b.defects[0].address, b.buffer);
	done(&b);
}

/* A function of a library has no lines: the reader knows the call. */
static void a_function_without_lines_is_reported_at_its_call(void **state)
{
	(void)state;
	struct bench b;
	static const char text[] =
		".version 7.0\n.target sm_75\n.address_size 64\n"
		".func put(.param .b64 to, .param .b32 value)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nld.param.u64 %rd0, [to];\n"
		"ld.param.u32 %r0, [value];\nst.global.u32 [%rd0], %r0;\nret;\n}\n"
		".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n.loc 1 7 0\nld.param.u64 %rd0, [p];\n"
		"mov.u32 %r0, %tid.x;\n{\n.param .b64 a;\n.param .b32 v;\nst.param.b64 [a], %rd0;\nst.param.b32 [v], %r0;\n"
		".loc 1 9 0\ncall put, (a, v);\n}\n.loc 1 11 0\n{\n.param .b64 a;\n.param .b32 v;\nst.param.b64 [a], 8;\n"
		"st.param.b32 [v], %r0;\ncall put, (a, v);\n}\nret;\n}\n.file 1 \"t.cu\"\n";
	prepare_module(&b, text, 1, 64);
	run(&b);
	expect_kinds(&b, 2, SIMT_RACE, SIMT_OUT_OF_BOUNDS);
	assert_int_equal(b.defects[0].here.place.line, 9);
	assert_int_equal(b.defects[0].other.place.line, 9);
	assert_int_equal(b.defects[1].here.place.line, 11);
	assert_int_equal(b.defects[1].here.place.ptx_line, 10); /* the store itself */
	done(&b);
}

static void fences_order_blocks(void **state)
{
	(void)state;
	struct bench b;
	/* each block but the last stores, fences and sets a flag for the next one, which waits for it */
	prepare(&b,
		"mad.wide.u32 %rd2, %r1, 4, %rd0;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra FIRST;\n"
		"WAIT: ld.volatile.global.u32 %r3, [%rd2+124];\nsetp.ne.u32 %p2, %r3, 99;\n@%p2 bra WAIT;\nmembar.gl;\n"
		"ld.global.u32 %r4, [%rd2+-4];\nadd.u32 %r4, %r4, 1;\nbra STORE;\nFIRST: mov.u32 %r4, 5;\nSTORE: st.global.u32 [%rd2], %r4;\n"
		"membar.gl;\nst.volatile.global.u32 [%rd2+128], 99;",
		4, 1);
	run(&b);
	if (b.result.outcome != SIMT_OK)
		fail_msg("%s", b.result.message);
	assert_int_equal(b.words[3], 8);
	done(&b);
}

/* The mbarrier orders the copy before the reads of all threads that saw its phase end; one that does not test it
 * races. */
static void a_thread_that_waited_for_a_bulk_copy_may_read_it(void **state)
{
	(void)state;
	static const char begin[] =
		".shared .align 16 .u32 tile[32];\n.shared .align 8 .b64 full;\n"
		"setp.ne.u32 %p1, %r0, 0;\nmov.u32 %r1, tile;\n@%p1 bra READY;\nmbarrier.init.shared.b64 [full], 1;\n"
		"READY: bar.sync 0;\n@%p1 bra WAIT;\nmbarrier.arrive.expect_tx.shared.b64 %rd4, [full], 128;\n"
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd0], 128, [full];\n"
		"WAIT: shl.b32 %r2, %r0, 2;\nadd.u32 %r3, %r1, %r2;\n";
	static const char look[] = "LOOK: mbarrier.try_wait.parity.shared.b64 %p2, [full], 0;\n@!%p2 bra LOOK;\n";
	static const char read[] = "ld.shared.u32 %r4, [%r3];\nret;";
	char body[2048];
	struct bench b;

	snprintf(body, sizeof body, "%s%s%s", begin, look, read);
	prepare(&b, body, 1, 32);
	run(&b);
	if (b.report.n)
		fail_msg("%s", b.report.defects[0].message);
	done(&b);
	snprintf(body, sizeof body, "%s%s", begin, read);
	prepare(&b, body, 1, 32);
	run(&b);
	assert_true(b.report.n > 0);
	done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_waited_for_a_bulk_copy_may_read_it),
		cmocka_unit_test(lanes_with_a_wrong_address_do_nothing_and_load_zeros),
		cmocka_unit_test(misaligned_lanes_do_nothing),
		cmocka_unit_test(a_full_report_ends_the_run),
		cmocka_unit_test(what_is_found_again_is_counted),
		cmocka_unit_test(a_wrong_mask_does_not_stop_lanes_that_are_there),
		cmocka_unit_test(a_trap_ends_the_run_whatever_is_looked_for),
		cmocka_unit_test(both_sides_of_a_race_are_reported),
		cmocka_unit_test(blocks_are_sorted),
		cmocka_unit_test(only_what_is_checked_is_reported),
		cmocka_unit_test(a_kind_goes_by_its_name_and_an_older_one),
		cmocka_unit_test(a_buffer_can_be_uninitialized),
		cmocka_unit_test(a_function_without_lines_is_reported_at_its_call),
		cmocka_unit_test(fences_order_blocks),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
