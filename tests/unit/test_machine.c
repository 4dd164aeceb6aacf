/* What machine instructions PTX becomes: model/profile/machine.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "machine/ptx/instr.h"
#include "model/hardware/schedule.h"
#include "model/profile/private.h"

static struct arena *arena;
static struct ptx_module *module;

/* The body of a kernel with parameters p (an address) and n. Its program: as many ops as it has instructions. */
static const struct schedule_op *compile(const char *body)
{
	struct diag diag = {0};
	const char *text = arena_printf(arena,
		".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
		"\t.reg .b32 %%r<20>;\n\t.reg .b64 %%a<20>;\n\t.reg .f32 %%f<20>;\n\t.reg .f64 %%d<9>;\n\t.reg .pred %%q<9>;\n"
		"\tld.param.u64 %%a0, [p];\n\tld.param.u32 %%r0, [n];\n\tmov.u32 %%r1, %%tid.x;\n%s\tret;\n}\n",
		body);
	module = ptx_parse(arena, "k.ptx", text, strlen(text), &diag);
	assert_non_null(module);
	const struct ptx_kernel *kernel = ptx_find_kernel(module, "k", &diag);
	assert_non_null(kernel);
	diag_free(&diag);
	return profile_cost(arena, kernel, NULL)->ops;
}
#define FIRST 3 /* the instruction after those */

static void what_is_an_operand_costs_nothing(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tmul.wide.u32 %a1, %r1, 4;\n\tadd.s64 %a2, %a0, %a1;\n"
					       "\tld.global.f32 %f1, [%a2];\n\tadd.f32 %f2, %f1, %f1;\n"
					       "\tst.global.f32 [%a2], %f2;\n");
	assert_int_equal(
		op[0].issues, 3); /* a parameter, and what each kernel with accesses to global memory begins with */
	assert_true(op[0].pipe == PIPE_NONE && op[0].cycles);
	assert_int_equal(op[1].issues, 0);         /* one that nothing uses */
	assert_int_equal(op[2].issues, 1);         /* a special register */
	assert_int_equal(op[FIRST].issues, 0);     /* the product is part of the sum */
	assert_int_equal(op[FIRST + 1].issues, 1); /* which is no pair of sums then, but a product with a sum */
	assert_true(op[FIRST + 1].pipe == PIPE_FMA && op[FIRST + 1].cycles && !op[FIRST + 1].either);
	assert_int_equal(op[FIRST + 2].issues, 1);
	assert_int_equal(op[FIRST + 3].issues, 1);
	assert_int_equal(op[FIRST + 4].issues, 1);
}

/* The engine makes an instruction wait for its guard: that is the register which the comparison writes, also one of a
 * branch, and an instruction without a guard has none. */
static void a_guard_is_the_register_of_its_comparison(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tsetp.lt.u32 %q3, %r1, %r0;\n\t@%q3 add.u32 %r2, %r1, %r0;\n"
					       "\t@!%q3 st.global.u32 [%a0], %r1;\n\tadd.u32 %r3, %r2, %r1;\n"
					       "\t@%q3 bra L;\n\tst.global.u32 [%a0], %r3;\nL:\n");
	const struct schedule_op *compares = &op[FIRST];
	assert_int_equal(compares->guard, 0);
	assert_int_equal(compares->n_written, 1);
	for (int i = 1; i <= 4; i++)
		assert_int_equal(op[FIRST + i].guard, i == 3 ? 0 : compares->registers[0] + 1);
}

static void a_product_is_part_of_each_sum(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tmul.wide.u32 %a1, %r1, 4;\n\tadd.s64 %a2, %a0, %a1;\n"
					       "\tadd.s64 %a3, %a1, %a0;\n\tmul.wide.u32 %a4, %r1, 8;\n"
					       "\tadd.s64 %a5, %a0, %a4;\n\txor.b64 %a6, %a5, %a4;\n");
	assert_int_equal(op[FIRST].issues, 0);
	assert_int_equal(op[FIRST + 1].issues, 1);
	assert_int_equal(op[FIRST + 2].issues, 1);
	assert_int_equal(op[FIRST + 3].issues, 1); /* one that is used by itself, too */
	assert_int_equal(op[FIRST + 4].issues, 2);
}

static void a_kernel_begins_with_what_its_memory_needs(void **state)
{
	(void)state;
	assert_int_equal(compile("\tadd.u32 %r2, %r1, %r0;\n")[0].issues, 1);
	assert_int_equal(compile("\tst.shared.u32 [%r1], %r0;\n")[0].issues, 1);
	assert_int_equal(compile("\tst.global.u32 [%a0], %r1;\n")[0].issues, 3);
	assert_int_equal(compile("\tst.u32 [%a0], %r1;\n")[0].issues, 3);
}

static void what_goes_to_another_pipe_is_known(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tadd.s32 %r2, %r1, %r0;\n\tmin.s32 %r3, %r2, %r1;\n"
					       "\tadd.f32 %f1, %f2, %f3;\n\tadd.s64 %a1, %a2, %a0;\n"
					       "\tst.global.u32 [%a1], %r3;\n");
	assert_true(op[2].of_thread && !op[FIRST].of_thread); /* %tid.x */
	assert_true(op[FIRST].either && !op[FIRST + 1].either && !op[FIRST + 2].either);
	assert_true(op[FIRST + 3].issues == 2 && !op[FIRST + 3].either);
}

static void logic_of_three_operands_is_one(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tand.b32 %r2, %r1, 7;\n\txor.b32 %r3, %r2, %r0;\n\tadd.s64 %a1, %a0, %a0;\n"
		"\tst.global.u32 [%a1], %r3;\n");
	assert_int_equal(op[FIRST].issues, 0);
	assert_int_equal(op[FIRST + 1].issues, 1);
	assert_int_equal(op[FIRST + 2].issues, 2); /* 64 bits without a product */
}

static void divisions_are_sequences(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\trem.u32 %r2, %r1, %r0;\n\tdiv.u32 %r3, %r1, 10;\n\tdiv.rn.f32 %f1, %f2, %f3;\n"
		"\tdiv.approx.f32 %f4, %f2, %f3;\n\tdiv.rn.f64 %d1, %d2, %d3;\n"
		"\trem.u64 %a1, %a2, %a3;\n\tsqrt.rn.f32 %f5, %f1;\n");
	assert_true(op[FIRST].cycles == (int)timing[TIMING_DIVIDE_BY_ANOTHER]);
	assert_true(op[FIRST].issues == (int)timing[TIMING_DIVIDE_BY_ANOTHER_SLOTS]);
	assert_true(op[FIRST].interval == (int)timing[TIMING_DIVIDE_BY_ANOTHER_INTERVAL]);
	assert_true(op[FIRST].on_fma == op[FIRST].issues / 2 && op[FIRST].on_alu == 0);
	assert_int_equal(op[FIRST + 1].cycles, 0); /* by a constant: no division */
	assert_true(op[FIRST + 2].cycles == (int)timing[TIMING_DIVIDE_FLOAT]);
	assert_true(op[FIRST + 3].pipe == PIPE_XU && op[FIRST + 3].issues == 5);
	assert_true(op[FIRST + 4].cycles == (int)timing[TIMING_DIVIDE_DOUBLE]);
	assert_true(op[FIRST + 5].cycles == (int)timing[TIMING_DIVIDE_WIDE]);
	assert_true(op[FIRST + 6].cycles == (int)timing[TIMING_ROOT]);
}

/* A divisor that a loop leaves as it is has its reciprocal taken before. */
static void what_stays_is_divided_by_faster(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tmov.u32 %r3, 3;\nagain:\n\trem.u32 %r2, %r1, %r0;\n\tadd.u32 %r3, %r3, 2;\n"
		"\trem.u32 %r4, %r1, %r3;\n\tdiv.s32 %r5, %r2, %r4;\n\tsetp.lt.u32 %q1, %r3, 100;\n\t@%q1 bra again;\n"
		"\tst.global.u32 [%a0], %r5;\n");
	assert_true(op[FIRST + 1].cycles == (int)timing[TIMING_DIVIDE]);
	assert_true(op[FIRST + 3].cycles == (int)timing[TIMING_DIVIDE_BY_ANOTHER]);
	assert_true(op[FIRST + 4].cycles == (int)timing[TIMING_DIVIDE_SIGNED]);
}

static void special_functions_guard_subnormals(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\trsqrt.approx.f32 %f1, %f2;\n\trsqrt.approx.ftz.f32 %f3, %f1;\n\tsin.approx.f32 %f4, %f3;\n"
		"\tst.global.f32 [%a0], %f4;\n");
	const struct latency *special = &latency_table[LATENCY_SPECIAL];
	assert_int_equal(op[FIRST].issues, 4);
	assert_true(op[FIRST].cycles > special->cycles + (int)timing[TIMING_GUARD]);
	assert_true(op[FIRST].on_alu == 1 && op[FIRST].on_fma == 2); /* a comparison and two products */
	assert_true(op[FIRST + 1].issues == 1 && op[FIRST + 1].cycles == special->cycles);
	assert_true(op[FIRST + 1].on_alu == 0 && op[FIRST + 1].on_fma == 0);
	assert_true(op[FIRST + 2].on_alu == 0 && op[FIRST + 2].on_fma == 1);
	assert_true(op[FIRST + 2].issues == 2 && op[FIRST + 2].cycles > special->cycles);
	assert_int_equal(op[FIRST].interval, special->interval);
}

/* A loop over %r2 whose body is given: the ops from its first instruction on. */
static const struct schedule_op *compile_loop(const char *before, const char *body, const char *end)
{
	return compile(arena_printf(arena,
		       "\tmov.u32 %%r2, 0;\nround:\n%s%s\tadd.u32 %%r2, %%r2, %s;\n\tsetp.lt.u32 %%q1, %%r2, %%r0;\n\t@%%q1 bra round;\n",
		       before, body, end)) +
		FIRST + 1;
}

static void loops_with_counters_are_unrolled(void **state)
{
	(void)state;
	const char *load = "\tadd.u64 %a0, %a0, 4;\n\tld.global.f32 %f1, [%a0];\n\tadd.f32 %f2, %f2, %f1;\n";
	const struct schedule_op *op = compile_loop("", load, "32");
	for (int i = 0; i < 6; i++)
		assert_true(op[i].unrolled == 4 && op[i].mixes);
	assert_true(op[0].once && !op[1].once && !op[2].once && op[3].once && op[4].once && op[5].once);
	/* a step that is no number; one that the source forbids */
	assert_int_equal(compile_loop("", load, "%r1")[0].unrolled, 0);
	assert_int_equal(compile_loop("\t.pragma \"nounroll\";\n", load, "32")[0].unrolled, 0);
	assert_int_equal(compile_loop("\t.pragma \"used_bytes_mask\";\n", load, "32")[0].unrolled, 4);
	/* what is stored may be what is loaded next; barriers are passed one by one */
	op = compile_loop("", "\tld.global.f32 %f1, [%a0];\n\tst.global.f32 [%a0+4], %f1;\n", "1");
	assert_true(op[0].unrolled == 4 && !op[0].mixes);
	op = compile_loop("", "\tld.global.f32 %f1, [%a0];\n\tbar.sync 0;\n\tst.shared.f32 [%r1], %f1;\n", "1");
	assert_true(op[0].unrolled == 4 && !op[0].mixes);
	op = compile_loop("", "\tld.global.f32 %f1, [%a0];\n\tst.shared.f32 [%r1], %f1;\n", "1");
	assert_true(op[0].unrolled == 4 && op[0].mixes);
}

static void long_loops_stay(void **state)
{
	(void)state;
	struct buf body = {0};
	for (int i = 0; i < 45; i++)
		buf_puts(&body, "\tfma.rn.f32 %f1, %f1, %f2, %f3;\n");
	assert_int_equal(compile_loop("", buf_str(&body), "1")[0].unrolled, 0);
	/* where how often is a number, two times */
	const struct schedule_op *op = compile(arena_printf(arena,
		"\tmov.u32 %%r2, 0;\nround:\n%s\tadd.u32 %%r2, %%r2, 1;\n\tsetp.ne.u32 %%q1, %%r2, 64;\n\t@%%q1 bra round;\n",
		buf_str(&body)));
	assert_int_equal(op[FIRST + 1].unrolled, 2);
	buf_free(&body);
}

/* Of two chains the second goes on while the first waits, if it is near. */
static void chains_are_woven(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tadd.f32 %f1, %f2, %f3;\n\tadd.f32 %f1, %f1, %f3;\n\tadd.f32 %f4, %f5, %f6;\n\tadd.f32 %f4, %f4, %f6;\n"
		"\tadd.f32 %f1, %f1, %f4;\n\tst.global.f32 [%a0], %f1;\n");
	assert_true(op[FIRST].rank < op[FIRST + 2].rank);
	assert_true(op[FIRST + 2].rank < op[FIRST + 1].rank);
	assert_true(op[FIRST + 1].rank < op[FIRST + 3].rank);
	assert_true(op[FIRST + 3].rank < op[FIRST + 4].rank);
}

static void products_and_conversions_have_pipes_of_their_own(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tmul.lo.u32 %r2, %r1, %r0;\n\tmul.hi.u32 %r3, %r1, %r0;\n"
		"\tcvt.rn.f32.u32 %f1, %r3;\n\tcvt.rn.f64.u32 %d1, %r2;\n\tadd.u32 %r4, %r2, %r3;\n"
		"\tst.global.u32 [%a0], %r4;\n");
	assert_true(op[FIRST].pipe == PIPE_FMA && op[FIRST].interval == (int)timing[TIMING_IMAD_INTERVAL]);
	assert_true(op[FIRST + 1].pipe == PIPE_FMA && op[FIRST + 1].cycles == (int)timing[TIMING_HIGH]);
	assert_true(op[FIRST + 2].pipe == PIPE_XU && op[FIRST + 2].cycles == (int)timing[TIMING_CONVERT]);
	assert_true(op[FIRST + 3].pipe == PIPE_XU && op[FIRST + 3].cycles == (int)timing[TIMING_CONVERT_DOUBLE]);
	assert_int_equal(op[FIRST + 4].cycles, 0);
}

static void atomics_of_one_word_are_seen(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tmul.wide.u32 %a1, %r1, 4;\n\tadd.s64 %a2, %a0, %a1;\n"
		"\tred.global.add.u32 [%a0], 1;\n\tred.global.add.u32 [%a2], 1;\n"
		"\tld.global.u64 %a3, [%a0];\n\tred.global.add.u32 [%a3], 1;\n"
		"\tmov.u32 %r5, %ctaid.x;\n\tmul.wide.u32 %a4, %r5, 4;\n\tadd.s64 %a5, %a0, %a4;\n"
		"\tred.global.add.u32 [%a5], 1;\n");
	assert_true(op[FIRST + 2].uniform);
	assert_false(op[FIRST + 3].uniform); /* by thread */
	assert_false(op[FIRST + 5].uniform); /* read from memory */
	assert_true(op[FIRST + 9].uniform);  /* by block */
	assert_false(op[FIRST + 4].uniform);
}

static void loads_come_as_early_as_they_can(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\tld.global.f32 %f1, [%a0];\n\tadd.f32 %f2, %f1, %f1;\n"
		"\tld.global.f32 %f3, [%a0+4];\n\tst.global.f32 [%a0+8], %f2;\n"
		"\tld.global.f32 %f4, [%a0+12];\n\tadd.f32 %f5, %f3, %f4;\n\tst.global.f32 [%a0], %f5;\n");
	assert_true(op[FIRST + 2].rank < op[FIRST + 1].rank); /* before what waits for the first */
	assert_true(op[FIRST + 4].rank > op[FIRST + 3].rank); /* not before a store, which may be to its address */
	assert_true(op[FIRST + 5].rank > op[FIRST + 4].rank);
}

/* Machine instructions where warps execute each instruction `times` times, but `skipped` ones from `first` to `last`
 * less often. */
static double executed_by_rules(const char *body, uint64_t times, int first, int last, uint64_t skipped)
{
	compile(body);
	struct diag diag = {0};
	const struct ptx_kernel *kernel = ptx_find_kernel(module, "k", &diag);
	diag_free(&diag);
	uint64_t *executed = arena_array(arena, uint64_t, (size_t)ptx_instr_count(kernel));
	for (int i = 0; i < ptx_instr_count(kernel); i++)
		executed[i] = i >= first && i <= last ? skipped : times;
	return profile_machine_instructions(kernel, executed);
}
#define NONE -1, -2, 0

static void machine_instructions_are_summed_up(void **state)
{
	(void)state;
	/* two begin the kernel, tid is read, and it exits; what is an operand costs nothing */
	assert_true(executed_by_rules("\tst.global.u32 [%a0], %r1;\n", 10, NONE) == 10 * (2 + 1 + 1 + 1 + 1));
	assert_true(executed_by_rules("\tmov.u32 %r2, %r1;\n\tst.global.u32 [%a0], %r2;\n", 10, NONE) ==
		executed_by_rules("\tst.global.u32 [%a0], %r1;\n", 10, NONE));
}

static void skipped_instructions_are_executed_with_predicates(void **state)
{
	(void)state;
	static const char arm[] = "\tsetp.eq.u32 %q1, %r1, %r0;\n\t@%q1 bra DONE;\n\tst.global.u32 [%a0], %r1;\nDONE:\n"
				  "\tst.global.u32 [%a0+4], %r1;\n";
	/* however few warps take the arm, all execute it */
	double all = executed_by_rules(arm, 10, NONE), few = executed_by_rules(arm, 10, FIRST + 2, FIRST + 2, 3);
	assert_true(all == few);
}

static void an_early_exit_is_one_instruction(void **state)
{
	(void)state;
	static const char
		check[] = "\tsetp.ge.u32 %q1, %r1, %r0;\n\t@%q1 bra DONE;\n\tst.global.u32 [%a0], %r1;\nDONE:\n";
	double all = executed_by_rules(check, 10, NONE), few = executed_by_rules(check, 10, FIRST + 2, FIRST + 2, 3);
	/* 7 warps leave at the branch: they neither store nor come to the exit at the end */
	assert_true(all - few == 7 + 7);
}

/* Where the body of a kernel ends with a label, there is no instruction at it. */
static void a_label_may_stand_at_the_end(void **state)
{
	(void)state;
	struct diag diag = {0};
	static const char
		text[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
			 "\t.reg .b32 %r<4>;\n\t.reg .b64 %a<4>;\n\t.reg .pred %q<4>;\n\tld.param.u64 %a0, [p];\n"
			 "\tmov.u32 %r1, %tid.x;\n\tsetp.ge.u32 %q1, %r1, 5;\n\t@%q1 bra DONE;\n"
			 "\tst.global.u32 [%a0], %r1;\nDONE:\n}\n";
	struct ptx_module *end = ptx_parse(arena, "k.ptx", text, sizeof text - 1, &diag);
	assert_non_null(end);
	const struct ptx_kernel *kernel = ptx_find_kernel(end, "k", &diag);
	static const uint64_t all[] = {10, 10, 10, 10, 10}, few[] = {10, 10, 10, 10, 3};
	assert_int_equal(ptx_instr_count(kernel), 5);
	assert_true(profile_machine_instructions(kernel, all) - profile_machine_instructions(kernel, few) == 7);
	assert_non_null(profile_cost(arena, kernel, NULL));
	diag_free(&diag);
}

static void what_counts_a_loop_is_executed_once_for_its_copies(void **state)
{
	(void)state;
	static const char loop[] = "\tmov.u32 %r2, 0;\nAGAIN:\n\tadd.f32 %f1, %f1, %f2;\n\tadd.s32 %r2, %r2, 1;\n"
				   "\tsetp.lt.u32 %q1, %r2, %r0;\n\t@%q1 bra AGAIN;\n\tst.global.f32 [%a0], %f1;\n";
	/* the sum is each time's; counting, comparing and branching are done once for four times */
	double once = executed_by_rules(loop, 4, NONE), more = executed_by_rules(loop, 4, FIRST + 1, FIRST + 4, 16);
	assert_true(more - once == 12 + 3 * 12 / 4.);
}

static void what_becomes_predicates_joins_its_neighbors(void **state)
{
	(void)state;
	/* the later load needs nothing of the arm, and comes before it */
	const struct schedule_op *op = compile(
		"\tsetp.ne.u32 %q1, %r1, 0;\n\t@%q1 bra DONE;\n\tst.shared.u32 [%r1], %r1;\nDONE:\n"
		"\tld.global.f32 %f1, [%a0];\n\tst.global.f32 [%a0+4], %f1;\n");
	assert_int_equal(op[FIRST].basic_block, op[FIRST + 4].basic_block);
	assert_true(op[FIRST + 3].rank < op[FIRST + 4].rank);
	/* one that is long stays a branch, and so does one over a barrier */
	op = compile(
		"\tsetp.ne.u32 %q1, %r1, 0;\n\t@%q1 bra DONE;\n\tbar.sync 0;\nDONE:\n\tld.global.f32 %f1, [%a0];\n");
	assert_int_not_equal(op[FIRST].basic_block, op[FIRST + 3].basic_block);
	/* where a loop comes back to, a basic block begins */
	op = compile("\tsetp.ne.u32 %q1, %r1, 0;\n\t@%q1 bra DONE;\n\tadd.s32 %r1, %r1, 1;\nDONE:\n"
		     "\tadd.s32 %r1, %r1, 2;\n\tsetp.lt.u32 %q2, %r1, %r0;\n\t@%q2 bra DONE;\n");
	assert_int_not_equal(op[FIRST].basic_block, op[FIRST + 3].basic_block);
}

static void loads_need_not_wait_for_shuffles(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tld.global.u32 %r2, [%a0];\n"
					       "\tshfl.sync.bfly.b32 %r3, %r2, 1, 31, -1;\n"
					       "\tld.global.u32 %r4, [%a0+4];\n"
					       "\tshfl.sync.bfly.b32 %r5, %r4, 1, 31, -1;\n"
					       "\tst.global.u32 [%a0+8], %r3;\n\tst.global.u32 [%a0+12], %r5;\n");
	assert_true(op[FIRST + 2].rank < op[FIRST + 1].rank);
}

static void a_table_of_branches_is_no_loop(void **state)
{
	(void)state;
	const struct schedule_op *op = compile(
		"\trem.u32 %r2, %r1, %r0;\n\tand.b32 %r3, %r1, 3;\nTABLE: .branchtargets A, B, C, D;\n"
		"\tbrx.idx %r3, TABLE;\nA:\nB:\nC:\nD:\n\tst.global.u32 [%a0], %r2;\n");
	assert_int_equal(op[FIRST].issues, (int)timing[TIMING_DIVIDE_BY_ANOTHER_SLOTS]);
	assert_int_not_equal(op[FIRST].basic_block, op[FIRST + 4].basic_block);
}

static void guards_name_their_register(void **state)
{
	(void)state;
	const struct schedule_op *op = compile("\tsetp.lt.u32 %q1, %r1, %r0;\n\t@%q1 add.u32 %r2, %r1, 1;\n"
					       "\tst.global.u32 [%a0], %r2;\n");
	assert_int_equal(op[FIRST].guard, 0);
	assert_true(op[FIRST + 1].guard > 0);
	assert_true(op[FIRST + 1].guard - 1 == op[FIRST].registers[0]);
}

static int open_arena(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int close_arena(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_an_operand_costs_nothing),
		TEST(a_guard_is_the_register_of_its_comparison),
		TEST(a_product_is_part_of_each_sum),
		TEST(a_kernel_begins_with_what_its_memory_needs),
		TEST(what_goes_to_another_pipe_is_known),
		TEST(logic_of_three_operands_is_one),
		TEST(divisions_are_sequences),
		TEST(what_stays_is_divided_by_faster),
		TEST(special_functions_guard_subnormals),
		TEST(loops_with_counters_are_unrolled),
		TEST(long_loops_stay),
		TEST(chains_are_woven),
		TEST(products_and_conversions_have_pipes_of_their_own),
		TEST(atomics_of_one_word_are_seen),
		TEST(loads_come_as_early_as_they_can),
		TEST(what_becomes_predicates_joins_its_neighbors),
		TEST(loads_need_not_wait_for_shuffles),
		TEST(a_table_of_branches_is_no_loop),
		TEST(guards_name_their_register),
		TEST(machine_instructions_are_summed_up),
		TEST(skipped_instructions_are_executed_with_predicates),
		TEST(an_early_exit_is_one_instruction),
		TEST(a_label_may_stand_at_the_end),
		TEST(what_counts_a_loop_is_executed_once_for_its_copies),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
