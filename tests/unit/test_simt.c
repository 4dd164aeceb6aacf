#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/simt/simt.h"

#define HEAD ".version 6.3\n.target sm_75\n.address_size 64\n"
#define WORDS 1024

/* One kernel with one parameter, a buffer of WORDS words that starts as zero, and what was seen of its run. */
struct bench {
	struct arena *arena;
	struct diag diag;
	struct simt_memory *memory;
	uint64_t out;
	uint32_t *words;
	struct simt_launch launch;
	struct simt_listener listener;
	struct simt_result result;
	uint32_t masks[4096];  /* lanes executing in each step of warp 0 */
	uint32_t active[4096]; /* ... and those the warp was on with */
	int instrs[4096];
	int n_steps;
	struct warp_access accesses[64];
	int access_instrs[64];
	int n_accesses;
	struct {
		uint32_t active, taken;
	} branches[64];
	int n_branches;
	struct warp_shuffle shuffles[64];
	int n_shuffles;
};

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct bench *b = ctx;
	if (site->block || site->warp || b->n_steps == 4096)
		return;
	b->instrs[b->n_steps] = site->instr;
	b->active[b->n_steps] = active;
	b->masks[b->n_steps++] = executing;
}

static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	struct bench *b = ctx;
	if (b->n_accesses == 64)
		return;
	b->access_instrs[b->n_accesses] = site->instr;
	b->accesses[b->n_accesses++] = *access;
}

static void on_branch(void *ctx, const struct simt_site *site, uint32_t active, uint32_t taken)
{
	struct bench *b = ctx;
	(void)site;
	if (b->n_branches == 64)
		return;
	b->branches[b->n_branches].active = active;
	b->branches[b->n_branches++].taken = taken;
}

static void on_shuffle(void *ctx, const struct simt_site *site, const struct warp_shuffle *shuffle)
{
	(void)site;
	struct bench *b = ctx;
	if (b->n_shuffles < 64)
		b->shuffles[b->n_shuffles++] = *shuffle;
}

/* `body` has registers %p0..7, %r0..31, %rd0..15, %f0..15; %rd0 is the buffer and %r0 the thread in the block. */
static void make(struct bench *b, const char *functions, const char *body, uint32_t blocks, uint32_t threads)
{
	char text[8192];
	static const char
		head[] = "\n.visible .entry k(.param .u64 out)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n"
			 ".reg .b64 %rd<16>;\n.reg .f32 %f<16>;\nld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\n";
	snprintf(text, sizeof text, HEAD "%s%s%s\n}\n", functions, head, body);
	memset(b, 0, sizeof *b);
	b->arena = arena_new();
	b->memory = simt_memory_new(1 << 20);
	b->out = simt_memory_alloc(b->memory, WORDS * 4);
	b->words = simt_memory_at(b->memory, b->out, WORDS * 4);
	struct ptx_module *m = ptx_parse(b->arena, "t.ptx", text, strlen(text), &b->diag);
	if (b->diag.count)
		fprintf(stderr, "# %d:%d %s\n", b->diag.entries[0].line, b->diag.entries[0].col,
			b->diag.entries[0].message);
	assert_non_null(m);
	b->listener = (struct simt_listener){
		.ctx = b, .access = on_access, .branch = on_branch, .shuffle = on_shuffle, .step = on_step};
	b->launch = (struct simt_launch){.kernel = ptx_find_kernel(m, NULL, &b->diag),
		.grid = {blocks, 1, 1},
		.block = {threads, 1, 1},
		.params = &b->out,
		.listener = &b->listener,
		.limits.steps = 100000};
	assert_non_null(b->launch.kernel);
}

static void run_with(struct bench *b, const char *functions, const char *body, uint32_t blocks, uint32_t threads)
{
	make(b, functions, body, blocks, threads);
	simt_run(&b->launch, b->memory, &b->result);
}

static void run(struct bench *b, const char *body, uint32_t blocks, uint32_t threads)
{
	run_with(b, "", body, blocks, threads);
}

static void done(struct bench *b)
{
	simt_memory_free(b->memory);
	diag_free(&b->diag);
	arena_free(b->arena);
}

static void expect_ok(const struct bench *b)
{
	if (b->result.outcome != SIMT_OK)
		fail_msg("outcome %d: %s", b->result.outcome, b->result.message);
}

/* Stores %r1 at word %r0. */
#define STORE "mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r1;\n"
#define GLOBAL_THREAD "mov.u32 %r30, %ctaid.x;\nmov.u32 %r31, %ntid.x;\nmad.lo.s32 %r0, %r30, %r31, %r0;\n"

/* --- control flow ------------------------------------------------------------------------------------------------- */

static void nested_ifs_reconverge(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"mov.u32 %r1, 0;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra ELSE;\n"
		"setp.lt.u32 %p2, %r0, 8;\n@%p2 bra INNER;\nadd.s32 %r1, %r1, 1;\nINNER: add.s32 %r1, %r1, 10;\nbra END;\n"
		"ELSE: add.s32 %r1, %r1, 100;\nEND: add.s32 %r1, %r1, 1000;\n" STORE "ret;",
		1, 32);
	expect_ok(&b);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], i < 8 ? 1010 : i < 16 ? 1011 : 1100);
	assert_int_equal(b.n_branches, 2);
	assert_int_equal(b.branches[0].active, 0xFFFFFFFF);
	assert_int_equal(b.branches[0].taken, 0xFFFF0000);
	assert_int_equal(b.branches[1].active, 0x0000FFFF);
	assert_int_equal(b.branches[1].taken, 0x000000FF);
	for (int i = 0; i < b.n_steps; i++) { /* the joined part runs once, with all lanes */
		if (b.instrs[i] == 11)
			assert_int_equal(b.masks[i], 0xFFFFFFFF);
		if (b.instrs[i] == 8)
			assert_int_equal(b.masks[i], 0x0000FFFF);
	}
	assert_int_equal(b.n_steps, 2 + 3 + 2 + 1 + 1 + 1 + 1 + 1 + 3 + 1);
	done(&b);
}

static void loops_run_as_often_as_each_lane_asks(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\nsetp.le.u32 %p1, %r1, %r0;\n@%p1 bra L;\n" STORE "ret;", 1,
		32);
	expect_ok(&b);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], i + 1);
	assert_int_equal(b.n_steps, 3 + 32 * 3 + 4);
	assert_int_equal(b.masks[b.n_steps - 1], 0xFFFFFFFF);
	done(&b);
}

/* for i < lane % 5: for j <= i: if (j is odd) continue; r1 += 1 */
static void nested_loops_with_continue(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"mov.u32 %r1, 0;\nrem.u32 %r2, %r0, 5;\nmov.u32 %r3, 0;\n"
		"OUTER: setp.ge.u32 %p1, %r3, %r2;\n@%p1 bra END;\nmov.u32 %r4, 0;\n"
		"INNER: setp.gt.u32 %p2, %r4, %r3;\n@%p2 bra NEXT;\nand.b32 %r5, %r4, 1;\nadd.s32 %r4, %r4, 1;\n"
		"setp.eq.u32 %p3, %r5, 1;\n@%p3 bra INNER;\nadd.s32 %r1, %r1, 1;\nbra INNER;\n"
		"NEXT: add.s32 %r3, %r3, 1;\nbra OUTER;\nEND: " STORE "ret;",
		1, 32);
	expect_ok(&b);
	for (uint32_t lane = 0; lane < 32; lane++) {
		uint32_t want = 0;
		for (uint32_t i = 0; i < lane % 5; i++)
			want += i / 2 + 1;
		assert_int_equal(b.words[lane], want);
	}
	done(&b);
}

static void lanes_that_left_stay_away(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"mov.u32 %r1, 7;\nsetp.lt.u32 %p1, %r0, 4;\n@%p1 exit;\nsetp.gt.u32 %p2, %r0, 20;\n@%p2 bra A;\n"
		"mov.u32 %r1, 8;\nA: " STORE "ret;",
		1, 40);
	expect_ok(&b);
	for (uint32_t i = 0; i < 40; i++)
		assert_int_equal(b.words[i], i < 4 || i > 35 + 4 ? 0 : i < 21 ? 8 : 7);
	assert_int_equal(b.masks[b.n_steps - 1], 0xFFFFFFF0);
	done(&b);
}

static void exits_inside_a_branch_do_not_come_back(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"mov.u32 %r1, 1;\nand.b32 %r2, %r0, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra EVEN;\n"
		"setp.gt.u32 %p2, %r0, 16;\n@%p2 bra GONE;\nadd.s32 %r1, %r1, 1;\nEVEN: add.s32 %r1, %r1, 10;\n" STORE
		"ret;\nGONE: ret;",
		1, 32);
	expect_ok(&b);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], i % 2 == 0 ? 11 : i > 16 ? 0 : 12);
	done(&b);
}

static void a_switch_goes_to_every_target(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"and.b32 %r2, %r0, 3;\nT: .branchtargets A, B, A, C;\nbrx.idx %r2, T;\n"
		"A: mov.u32 %r1, 10;\nbra END;\nB: mov.u32 %r1, 20;\nbra END;\nC: mov.u32 %r1, 30;\nEND: add.s32 %r1, %r1, 1;\n" STORE
		"ret;",
		1, 32);
	expect_ok(&b);
	static const uint32_t want[] = {11, 21, 11, 31};
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], want[i % 4]);
	assert_int_equal(b.masks[b.n_steps - 1], 0xFFFFFFFF);
	done(&b);
}

static void kernels_may_end_without_ret(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "mov.u32 %r1, 5;\nsetp.lt.u32 %p1, %r0, 9;\n@%p1 bra END;\n" STORE "END:", 2, 64);
	expect_ok(&b);
	assert_int_equal(b.words[8], 0);
	assert_int_equal(b.words[9], 5);
	done(&b);
}

static void predicated_lanes_do_not_take_part(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "mov.u32 %r1, 3;\nsetp.lt.u32 %p1, %r0, 4;\n@!%p1 add.s32 %r1, %r1, 1;\n" STORE "ret;", 1, 32);
	expect_ok(&b);
	assert_int_equal(b.words[3], 3);
	assert_int_equal(b.words[4], 4);
	assert_int_equal(b.masks[4], 0xFFFFFFF0);
	assert_int_equal(b.active[4], 0xFFFFFFFF);
	done(&b);
}

/* --- blocks, barriers --------------------------------------------------------------------------------------------- */

static void warps_wait_for_each_other_at_barriers(void **state)
{
	(void)state;
	struct bench b;
	/* every thread reads what the thread across the block wrote */
	run(&b,
		".shared .align 4 .b32 s[256];\nshl.b32 %r2, %r0, 2;\nmov.u32 %r3, s;\nadd.s32 %r4, %r3, %r2;\n"
		"add.s32 %r1, %r0, 1;\nst.shared.u32 [%r4], %r1;\nbar.sync 0;\nmov.u32 %r5, 1020;\nsub.s32 %r5, %r5, %r2;\n"
		"add.s32 %r5, %r5, %r3;\nld.shared.u32 %r1, [%r5];\nbar.sync 0;\nst.shared.u32 [%r4], %r1;\n" GLOBAL_THREAD
			STORE "ret;",
		2, 256);
	expect_ok(&b);
	for (uint32_t i = 0; i < 512; i++)
		assert_int_equal(b.words[i], 256 - i % 256);
	done(&b);
}

static void ended_warps_do_not_hold_a_barrier(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "mov.u32 %r1, 1;\nsetp.ge.u32 %p1, %r0, 64;\n@%p1 exit;\nbar.sync 0;\n" STORE "ret;", 1, 128);
	expect_ok(&b);
	assert_int_equal(b.words[63], 1);
	assert_int_equal(b.words[64], 0);
	done(&b);
}

static void a_divergent_barrier_is_a_defect(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "setp.ge.u32 %p1, %r0, 48;\n@%p1 bra A;\n.loc 1 12 1\nbar.sync 0;\nA: mov.u32 %r1, 1;\n" STORE "ret;\n",
		1, 64);
	assert_int_equal(b.result.outcome, SIMT_DEFECT);
	assert_int_equal(b.result.defect, SIMT_BARRIER_DIVERGENT);
	assert_int_equal(b.result.instr, 4);
	assert_int_equal(b.result.warp, 1);
	assert_int_equal(b.result.lanes, 0xFFFF0000);
	done(&b);
}

static void a_barrier_under_a_predicate_is_a_defect(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "setp.ge.u32 %p1, %r0, 48;\n@!%p1 bar.sync 0;\nret;\n", 1, 64);
	assert_int_equal(b.result.defect, SIMT_BARRIER_DIVERGENT);
	assert_int_equal(b.result.lanes, 0xFFFF0000);
	done(&b);
}

static void the_sides_of_a_branch_do_not_share_aligned_barriers(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"setp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA: bar.sync 0;\nB: mov.u32 %r1, 1;\n" STORE
		"ret;\n",
		1, 32);
	assert_int_equal(b.result.defect, SIMT_BARRIER_DIVERGENT);
	done(&b);
	run(&b,
		"setp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbarrier.sync 0;\nbra B;\nA: barrier.sync 0;\nB: mov.u32 %r1, 1;\n" STORE
		"ret;\n",
		1, 64);
	expect_ok(&b);
	assert_int_equal(b.words[31], 1);
	done(&b);
}

/* Lanes that return early are no reason to accuse those that go on: they end before the barrier and the vote. */
static void early_returns_hold_no_warp_up(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"setp.ge.u32 %p1, %r0, 40;\n@%p1 bra A;\nbar.sync 0;\nvote.sync.ballot.b32 %r1, %p1, -1;\nadd.s32 %r1, %r1, 7;\n" STORE
		"A: ret;\n",
		1, 64);
	expect_ok(&b);
	assert_int_equal(b.words[39], 7);
	assert_int_equal(b.words[40], 0);
	done(&b);
}

/* --- waits that are the machine's own ----------------------------------------------------------------------------- */

/* Runs it in orders by number, reversed and random, with room for defects. */
static void run_in_orders(struct bench *b, const char *body, uint32_t threads, void (*judge)(const struct bench *b))
{
	struct simt_defect defects[4];
	for (uint32_t order = 0; order < SIMT_ORDER_RANDOM + 6; order++) {
		make(b, "", body, 1, threads);
		struct simt_report report = {.defects = defects, .cap = 4};
		b->launch.report = &report;
		b->launch.order = order;
		simt_run(&b->launch, b->memory, &b->result);
		b->n_steps = (int)report.n;
		judge(b);
		done(b);
	}
}

static void expect_all_parts(const struct bench *b)
{
	expect_ok(b);
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(b->words[i], i == 20 ? 100 : 3);
}

/* As clang has it: the return out of the loop takes the way of those that stay, to a branch that all come to. */
static void a_lane_that_returns_by_the_way_of_others_holds_up_nobody(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mov.u32 %r2, 0;\nL: setp.eq.u32 %p1, %r0, 20;\nmov.u32 %r1, 100;\n@!%p1 bra GO;\n" STORE
		"setp.ne.u32 %p2, %r0, %r0;\nbra J;\n"
		"GO: bar.sync 0;\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 3;\nmov.u32 %r1, %r2;\n"
		"mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r1;\n"
		"J: @%p2 bra L;\nret;",
		64, expect_all_parts);
}

static void expect_both_places(const struct bench *b)
{
	expect_ok(b);
	assert_int_equal(b->words[3], 1);
	assert_int_equal(b->words[64], 0);
	assert_int_equal(b->words[68], 3);
}

/* Lanes wait for each other at two __syncwarp() of the kernel, and some wait to reconverge with those that do not come. */
static void two_places_are_one_warp_barrier(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd1, %rd0, %rd1;\nsetp.ge.u32 %p1, %r0, 4;\n@%p1 bra A;\n"
		"bar.warp.sync -1;\nst.global.u32 [%rd1], 1;\nexit;\n"
		"A: st.global.u32 [%rd1+112], 2;\nbar.warp.sync -1;\nst.global.u32 [%rd1+256], 3;\nret;",
		32, expect_both_places);
}

/* --- reports change nothing --------------------------------------------------------------------------------------- */

static void expect_divergence(const struct bench *b, uint32_t n)
{
	assert_int_equal(b->result.outcome, SIMT_DEFECT);
	assert_int_equal(b->result.defect, SIMT_BARRIER_DIVERGENT);
	assert_true(b->result.ended);
	assert_int_equal(b->n_steps, n);
	assert_false(b->launch.report->defects[0].ends);
}

static void expect_arms(const struct bench *b)
{
	expect_divergence(b, 1);
	assert_int_equal(b->words[0], 31);
	assert_int_equal(b->words[31], 100);
}

static void arms_of_a_warp_share_a_barrier(void **state)
{
	struct bench b;
	(void)state;
	/* Each lane reads what one of the other arm stored before the barrier. */
	run_in_orders(&b,
		".shared .align 4 .b32 s[32];\nmov.u32 %r2, s;\nmul.lo.u32 %r3, %r0, 4;\nadd.u32 %r4, %r2, %r3;\n"
		"sub.u32 %r5, 124, %r3;\nadd.u32 %r5, %r2, %r5;\nsetp.ge.u32 %p1, %r0, 4;\n@%p1 bra A;\n"
		"add.u32 %r6, %r0, 100;\nst.shared.u32 [%r4], %r6;\nbar.sync 0;\nld.shared.u32 %r1, [%r5];\nbra B;\n"
		"A: st.shared.u32 [%r4], %r0;\nbar.sync 0;\nld.shared.u32 %r1, [%r5];\nB: " STORE "ret;",
		32, expect_arms);
}

static void expect_half(const struct bench *b)
{
	expect_divergence(b, 1);
	assert_int_equal(b->result.lanes, 0xFFFF0000);
	assert_int_equal(b->words[0], 5);
	assert_int_equal(b->words[16], 1);
}

static void half_a_warp_that_goes_past_a_barrier_holds_up_nobody(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mov.u32 %r1, 1;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nmov.u32 %r1, 5;\nA: " STORE
		"ret;",
		32, expect_half);
}

static void expect_whole(const struct bench *b)
{
	expect_divergence(b, 1);
	assert_int_equal(b->result.warp, 1);
	assert_int_equal(b->result.lanes, WARP_FULL_MASK);
	assert_int_equal(b->words[0], 5);
	assert_int_equal(b->words[63], 1);
}

static void a_whole_warp_that_goes_past_a_barrier_is_reported(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mov.u32 %r1, 1;\nsetp.ge.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.sync 0;\nmov.u32 %r1, 5;\nA: " STORE
		"ret;",
		64, expect_whole);
}

static void expect_rounds(const struct bench *b)
{
	expect_divergence(b, 1);
	assert_int_equal(b->words[0], 1);
	assert_int_equal(b->words[32], 2);
}

/* A warp that leaves a loop sooner, and one that returns out of it. */
/* Lanes 0 to 15 of each warp get `low`, the others `high`, of what `body` leaves in %r1. */
static void expect_words(struct bench *b, const char *body, uint32_t threads, uint32_t low, uint32_t high)
{
	char text[1024];
	struct simt_defect defects[4];
	snprintf(text, sizeof text, "%s%s", body, "\n" STORE "ret;");
	make(b, "", text, 1, threads);
	struct simt_report report = {.defects = defects, .cap = 4};
	b->launch.report = &report;
	simt_run(&b->launch, b->memory, &b->result);
	if (!b->result.ended)
		fail_msg("%s: %s", body, b->result.message);
	for (uint32_t i = 0; i < threads; i++)
		if (b->words[i] != (i % 32 < 16 ? low : high))
			fail_msg("%s: thread %u has %u", body, i, b->words[i]);
	assert_int_equal(b->result.ended_by, SIMT_DEFECT_NONE);
	b->launch.report = NULL;
}

#define ARMS(low, high) "setp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\n" low "bra B;\nA: " high "B:"
#define ODD "and.b32 %r2, %r0, 1;\nsetp.eq.u32 %p2, %r2, 1;\nsetp.eq.u32 %p3, %r0, %r0;\n"

/* What an H200 (driver 580.159.04, 2026-11-29) lets pass, and what it gives then. */
static void wrong_barriers_that_a_gpu_lets_pass(void **state)
{
	static const struct {
		const char *body;
		uint32_t threads, low, high;
		enum simt_defect_kind kind;
	} cases[] = {
		{"mov.u32 %r2, 16;\nbar.sync %r2;\nmov.u32 %r1, 3;", 32, 3, 3, SIMT_BARRIER_MISSING},
		{"mov.u32 %r2, 0;\nbar.sync 1, %r2;\nmov.u32 %r1, 3;", 64, 3, 3, SIMT_DEFECT_NONE},
		{".shared .align 8 .b64 b;\nmbarrier.init.shared.b64 [b], 0;\nmov.u32 %r1, 3;", 1, 3, 3,
			SIMT_BARRIER_MISSING},
		{"barrier.cluster.arrive;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 %r1, 3;", 64, 3, 3,
			SIMT_BARRIER_MISSING},
		{"barrier.cluster.wait;\nmov.u32 %r1, 3;", 32, 3, 3, SIMT_BARRIER_MISSING},
		{"mov.u32 %r1, 3;\n" ARMS("barrier.cluster.arrive;\nbarrier.cluster.wait;\nmov.u32 %r1, 4;\n", ""), 32,
			4, 3, SIMT_DEFECT_NONE},
		{".shared .u32 s;\nmapa.shared::cluster.u32 %r1, s, 7;\nmov.u32 %r1, 3;", 32, 3, 3, SIMT_OUT_OF_BOUNDS},
		{ODD ARMS("bar.red.popc.u32 %r1, 0, %p2;\n", "bar.red.popc.u32 %r1, 0, %p3;\nadd.u32 %r1, %r1, 100;\n"),
			32, 8, 116, SIMT_BARRIER_DIVERGENT},
		{ODD ARMS("bar.red.and.pred %p4, 0, %p3;\nselp.u32 %r1, 1, 0, %p4;\n",
			 "bar.red.and.pred %p4, 0, !%p3;\nselp.u32 %r1, 101, 100, %p4;\n"),
			32, 1, 100, SIMT_BARRIER_DIVERGENT},
		/* A GPU hangs. */
		{ARMS("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 %r1, 3;\n",
			 "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 %r1, 4;\n"),
			32, 3, 4, SIMT_BARRIER_DIVERGENT},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		expect_words(&b, cases[i].body, cases[i].threads, cases[i].low, cases[i].high);
		if (b.result.defect != cases[i].kind)
			fail_msg("%s: %s: %s", cases[i].body, simt_defect_name(b.result.defect), b.result.message);
		done(&b);
	}
}

/* What an H200 ends with an illegal instruction, and, the last three, with another error. */
static void wrong_barriers_that_end_a_launch(void **state)
{
	static const struct {
		const char *body, *says;
		enum simt_ending ending;
	} cases[] = {
		{"setp.ge.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.red.popc.u32 %r1, 0, %p1;\nbra B;\nA: bar.sync 0;\nB:",
			"a reduction while warp", SIMT_ENDING_ILLEGAL},
		{"setp.ge.u32 %p1, %r0, 32;\nselp.u32 %r2, 96, 64, %p1;\nbar.sync 1, %r2;",
			"all have to give the same number", SIMT_ENDING_ILLEGAL},
		{"and.b32 %r2, %r0, 1;\nbar.sync %r2, 32;", "name barrier 0 and barrier 1", SIMT_ENDING_ILLEGAL},
		{"bar.sync 1, 33;", "not for 33", SIMT_ENDING_ILLEGAL},
		{"brkpt;", "breakpoint", SIMT_ENDING_OF_KIND},
		{"trap;", "trap", SIMT_ENDING_OF_KIND},
		{".shared .align 8 .b64 b;\nmbarrier.init.shared.b64 [b], 3;\nmbarrier.arrive.shared.b64 %rd1, [b];",
			"32 arrivals", SIMT_ENDING_OF_KIND},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		run(&b, cases[i].body, 1, 96);
		if (b.result.outcome != SIMT_DEFECT || !strstr(b.result.message, cases[i].says))
			fail_msg("%s: %s", cases[i].body, b.result.message);
		assert_true(b.result.ended_by != SIMT_DEFECT_NONE);
		assert_int_equal(b.result.ending, cases[i].ending);
		done(&b);
	}
	/* Shared memory of a rank that the cluster does not have. */
	struct bench other;
	make(&other, "", ".shared .u32 s;\nmapa.shared::cluster.u32 %r1, s, 7;\nld.shared::cluster.u32 %r1, [%r1];", 2,
		32);
	struct simt_defect defects[4];
	struct simt_report report = {.defects = defects, .cap = 4};
	other.launch.report = &report;
	other.launch.cluster[0] = 2;
	other.launch.cluster[1] = other.launch.cluster[2] = 1;
	other.launch.ends_at_fault = true;
	simt_run(&other.launch, other.memory, &other.result);
	assert_int_equal(report.n, 2);
	assert_int_equal(other.result.ended_by, SIMT_OUT_OF_BOUNDS);
	assert_int_equal(other.result.ending, SIMT_ENDING_FAILURE);
	done(&other);

	/* The same number of threads, the same kind of barrier: nothing is wrong. */
	struct bench b;
	run(&b, "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.arrive 1, 96;\nbra B;\nA: bar.sync 1, 96;\nB: bar.sync 0, 96;",
		1, 96);
	expect_ok(&b);
	done(&b);
}

static void a_loop_that_warps_leave_at_different_rounds(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mov.u32 %r1, 0;\nshr.u32 %r2, %r0, 5;\nL: bar.sync 0;\nadd.u32 %r1, %r1, 1;\n"
		"setp.le.u32 %p1, %r1, %r2;\n@%p1 bra L;\n" STORE "ret;",
		64, expect_rounds);
	run(&b,
		"mov.u32 %r1, 0;\nshr.u32 %r2, %r0, 5;\nL: bar.sync 0;\nadd.u32 %r1, %r1, 1;\n"
		"setp.gt.u32 %p1, %r1, %r2;\n@%p1 ret;\nbra L;",
		1, 64);
	expect_ok(&b);
	done(&b);
}

/* Conditions that are the same for the block, in a loop that warps run at different times, and a warp that returns early
 * after it was past the barrier as often as the others. */
static void conditions_that_are_uniform_are_not_reported(void **state)
{
	struct bench b;
	(void)state;
	for (uint32_t order = 0; order < SIMT_ORDER_RANDOM + 8; order++) {
		make(&b, "",
			"mov.u32 %r1, 0;\nshr.u32 %r2, %r0, 5;\nL: and.b32 %r3, %r1, 3;\nsetp.ne.u32 %p1, %r3, 3;\n"
			"@%p1 bra A;\nbar.sync 0;\nA: " STORE "add.u32 %r1, %r1, 1;\n"
			"setp.eq.u32 %p2, %r2, 2;\nsetp.eq.u32 %p3, %r1, 6;\nand.pred %p2, %p2, %p3;\n@%p2 ret;\n"
			"setp.lt.u32 %p1, %r1, 20;\n@%p1 bra L;\n" STORE "ret;",
			1, 128);
		b.launch.order = order;
		simt_run(&b.launch, b.memory, &b.result);
		expect_ok(&b);
		assert_int_equal(b.words[0], 20);
		done(&b);
	}
}

static void expect_mask(const struct bench *b)
{
	assert_int_equal(b->result.outcome, SIMT_DEFECT);
	assert_int_equal(b->result.defect, SIMT_BAD_MASK);
	assert_int_equal(b->result.lanes, 0xFFFF0000);
	assert_true(b->result.ended);
	assert_int_equal(b->n_steps, 1);
	assert_int_equal(b->words[0], 1);
	assert_int_equal(b->words[14], 15);
	assert_int_equal(b->words[16], 7);
}

/* Whether the lanes that are named and do not come wait at a barrier then, or have ended. */
static void a_shuffle_goes_on_without_lanes_that_do_not_come(void **state)
{
	struct bench b;
	(void)state;
	run_in_orders(&b,
		"mov.u32 %r1, 7;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\n"
		"shfl.sync.down.b32 %r1, %r0, 1, 0x1F, -1;\nA: bar.sync 0;\n" STORE "ret;",
		32, expect_mask);
	run_in_orders(&b,
		"mov.u32 %r1, 7;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\n"
		"shfl.sync.down.b32 %r1, %r0, 1, 0x1F, -1;\nA: " STORE "ret;",
		32, expect_mask);
}

/* Each lane takes the lock in turn, and the one that has it waits for the others before it gives it back. */
static void a_lock_whose_holder_waits_for_those_that_want_it(void **state)
{
	(void)state;
	for (uint32_t order = 0; order < SIMT_ORDER_RANDOM + 2; order++) {
		struct bench b;
		make(&b, "",
			".shared .align 4 .b32 s[1];\nL: atom.shared.cas.b32 %r2, [s], 0, 1;\nsetp.ne.s32 %p1, %r2, 0;\n"
			"@%p1 bra J;\nbar.warp.sync -1;\nmov.u32 %r1, 9;\n" STORE "atom.shared.exch.b32 %r2, [s], 0;\n"
			"J: @%p1 bra L;\nret;",
			1, 32);
		struct simt_defect defects[4];
		struct simt_report report = {.defects = defects, .cap = 4};
		b.launch.report = &report;
		b.launch.order = order;
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.result.defect, SIMT_BAD_MASK);
		assert_true(b.result.ended);
		assert_int_equal(report.n, 1);
		for (int i = 0; i < 32; i++)
			assert_int_equal(b.words[i], 9);
		done(&b);
	}
}

/* What a GPU might wait for without end is not put to one: there such a launch ends at once. */
static void a_launch_for_a_gpu_ends_where_lanes_do_not_come(void **state)
{
	static const char *const bodies[] = {
		"setp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nbra B;\nA: bar.sync 0;\nB: ret;",
		"mov.u32 %r1, 1;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.sync 0;\nA: " STORE "ret;",
		"mov.u32 %r1, 1;\nsetp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.warp.sync -1;\nA: " STORE "ret;",
		"setp.ge.u32 %p1, %r0, 16;\n@%p1 bra A;\nbar.warp.sync -1;\nA: bar.sync 0;\nret;"};
	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct bench b;
		make(&b, "", bodies[i], 1, 32);
		b.launch.checks = SIMT_CHECK_BOUNDS | SIMT_CHECK_ALIGN | SIMT_CHECK_UNNAMED;
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.result.outcome, SIMT_DEFECT);
		assert_false(b.result.ended);
		done(&b);
	}
}

static void an_access_that_is_out_of_bounds_ends_the_launch_if_asked(void **state)
{
	(void)state;
	for (int ends = 0; ends < 2; ends++) {
		struct bench b;
		make(&b, "",
			"mov.u32 %r1, 5;\n" STORE "setp.ne.u32 %p1, %r0, 3;\n@%p1 bra A;\nst.global.u32 [0], %r1;\n"
			"A: bar.sync 0;\nmov.u32 %r1, 6;\n" STORE "ret;",
			1, 64);
		b.launch.ends_at_fault = ends;
		struct simt_defect defects[4];
		struct simt_report report = {.defects = defects, .cap = 4};
		b.launch.report = &report;
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.result.defect, SIMT_OUT_OF_BOUNDS);
		assert_int_equal(b.result.ended, !ends);
		assert_true(defects[0].ends);
		assert_int_equal(b.words[0], ends ? 5 : 6);
		done(&b);
	}
}

static void an_arrival_without_a_wait_is_a_defect(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "bar.arrive 1, 96;\nret;", 1, 64);
	assert_int_equal(b.result.defect, SIMT_BARRIER_PENDING);
	assert_int_equal(b.result.warp, 1);
	assert_non_null(strstr(b.result.message, "2 warps arrived"));
	done(&b);
}

/* The lock is taken by one lane after the other of one warp, by the loop that a stack of reconvergence never leaves. */
static void lanes_of_a_warp_can_share_a_spin_lock(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		".shared .align 4 .b32 s[2];\n"
		"L: atom.shared.cas.b32 %r1, [s], 0, 1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\n"
		"ld.volatile.shared.u32 %r2, [s+4];\nadd.s32 %r2, %r2, 1;\nst.volatile.shared.u32 [s+4], %r2;\n"
		"membar.cta;\natom.shared.exch.b32 %r1, [s], 0;\n"
		"bar.sync 0;\nld.shared.u32 %r1, [s+4];\n" STORE "ret;",
		1, 96);
	expect_ok(&b);
	assert_int_equal(b.words[0], 96);
	assert_int_equal(b.words[95], 96);
	done(&b);
}

/* The first block waits for a flag that the last one sets. */
static void blocks_can_wait_for_later_blocks(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p1, %r2, 3;\n@%p1 bra SET;\n"
		"L: ld.volatile.global.u32 %r1, [%rd0+2048];\nsetp.eq.s32 %p1, %r1, 0;\n@%p1 bra L;\nbra DONE;\n"
		"SET: mov.u32 %r1, 9;\nst.volatile.global.u32 [%rd0+2048], %r1;\n"
		"DONE: " STORE "ret;",
		4, 32);
	expect_ok(&b);
	assert_int_equal(b.words[0], 9);
	done(&b);
}

/* Blocks take turns, 20000 of them, and none ends before the last; of a launch of one block, the second turn never
 * comes. */
static void blocks_that_find_news_are_not_quiet(void **state)
{
	(void)state;
	struct bench b;
	for (uint32_t blocks = 2; blocks >= 1; blocks--) {
		run(&b,
			"mov.u32 %r2, %ctaid.x;\n"
			"L: ld.volatile.global.u32 %r1, [%rd0+2048];\nsetp.ge.u32 %p1, %r1, 20000;\n@%p1 bra DONE;\n"
			"and.b32 %r3, %r1, 1;\nsetp.ne.u32 %p1, %r3, %r2;\n@%p1 bra L;\n"
			"add.u32 %r1, %r1, 1;\nst.volatile.global.u32 [%rd0+2048], %r1;\nbra L;\n"
			"DONE: ret;",
			blocks, 32);
		assert_int_equal(b.result.outcome, SIMT_LIMIT);
		b.words[512] = 0;
		b.launch.listener = NULL;
		b.launch.limits = (struct simt_limits){.steps = 100000000, .quiet_ms = 2};
		simt_run(&b.launch, b.memory, &b.result);
		if (blocks == 2)
			expect_ok(&b);
		else
			assert_non_null(strstr(b.result.message, "no block has ended within 0.002 s"));
		assert_int_equal(b.words[512], blocks == 2 ? 20000 : 1);
		done(&b);
	}
}

static void a_barrier_that_is_never_complete_is_a_defect(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "setp.ge.u32 %p1, %r0, 32;\n@%p1 bra A;\nbar.sync 1;\nA: bar.sync 0;\nret;\n", 1, 64);
	assert_int_equal(b.result.outcome, SIMT_DEFECT);
	assert_int_equal(b.result.defect, SIMT_BARRIER_MISSING);
	assert_int_equal(b.result.warp, 0);
	assert_string_equal(b.result.message, "barrier 1 waits forever: 1 warp arrived, and no other can");
	done(&b);
}

static void barriers_can_count_and_reduce(void **state)
{
	(void)state;
	struct bench b;
	/* warps 0 and 1 synchronize at barrier 3 of 64 threads; all reduce at 0 */
	run(&b,
		"setp.ge.u32 %p1, %r0, 64;\n@%p1 bra A;\nbar.sync 3, 64;\nA: setp.lt.u32 %p2, %r0, 40;\n"
		"bar.red.popc.u32 %r1, 0, %p2;\nbar.red.and.pred %p3, 1, %p2;\nbar.red.or.pred %p4, 1, %p2;\n"
		"@%p3 add.s32 %r1, %r1, 1000;\n@%p4 add.s32 %r1, %r1, 100;\n" STORE "ret;",
		1, 96);
	expect_ok(&b);
	for (int i = 0; i < 96; i++)
		assert_int_equal(b.words[i], 140);
	done(&b);
}

static void warps_wait_for_flags_of_other_warps(void **state)
{
	(void)state;
	struct bench b;
	/* warp 0 spins until warp 1 has written */
	run(&b,
		".shared .align 4 .b32 flag;\nsetp.ge.u32 %p1, %r0, 32;\n@%p1 bra SET;\n"
		"WAIT: ld.volatile.shared.u32 %r1, [flag];\nsetp.eq.s32 %p2, %r1, 0;\n@%p2 bra WAIT;\nbra END;\n"
		"SET: mov.u32 %r1, 5;\nst.volatile.shared.u32 [flag], %r1;\nEND: " STORE "ret;",
		1, 64);
	expect_ok(&b);
	assert_int_equal(b.words[0], 5);
	done(&b);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

#define ADD_ONE ".func (.reg .b32 r) add_one(.reg .b32 a)\n{\nadd.u32 r, a, 1;\nret;\n}\n"

static void instructions_of_functions_are_reported(void **state)
{
	(void)state;
	struct bench b;
	run_with(&b, ADD_ONE, "setp.lt.u32 %p1, %r0, 8;\n@%p1 call (%r1), add_one, (%r0);\n" STORE "ret;", 1, 32);
	expect_ok(&b);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], i < 8 ? i + 1 : 0);
	static const int instrs[] = {0, 1, 2, 3, 8, 9, 4, 5, 6, 7};
	static const uint32_t masks[] = {
		0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFF, 0xFF, 0xFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
	assert_int_equal(b.n_steps, 10);
	assert_memory_equal(b.instrs, instrs, sizeof instrs);
	assert_memory_equal(b.masks, masks, sizeof masks);
	done(&b);
}

static void defects_in_functions_name_their_place(void **state)
{
	(void)state;
	struct bench b;
	run_with(&b, ".func f(.reg .b64 a)\n{\n.reg .b32 %r;\nld.global.u32 %r, [a];\n}\n",
		"mul.wide.u32 %rd1, %r0, 4;\n"
		"add.u64 %rd1, %rd0, %rd1;\ncall f, (%rd1);\nmov.u64 %rd2, 64;\ncall f, (%rd2);",
		1, 32);
	assert_int_equal(b.result.outcome, SIMT_DEFECT);
	assert_int_equal(b.result.defect, SIMT_OUT_OF_BOUNDS);
	assert_int_equal(b.result.instr, 7);
	assert_int_equal(b.result.place.ptx_line, 7);
	assert_int_equal(b.n_accesses, 2); /* the kernel's parameter, and the first call's */
	assert_int_equal(b.access_instrs[1], 7);
	done(&b);
}

static void a_call_starts_with_clean_registers_and_memory(void **state)
{
	(void)state;
	struct bench b;
	run_with(&b,
		".func (.reg .b32 r) count(.reg .b32 by)\n{\n.reg .b32 %r<3>;\n.local .b32 l;\nld.local.b32 %r1, [l];\n"
		"add.u32 r, %r1, %r2;\nadd.u32 %r2, %r2, by;\nst.local.b32 [l], %r2;\n}\n",
		"call (%r1), count, (5);\n"
		"call (%r2), count, (7);\nadd.u32 %r1, %r1, %r2;\n" STORE,
		2, 64);
	expect_ok(&b);
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(b.words[i], 0);
	done(&b);
}

static void on_print(void *ctx, const char *text, size_t len)
{
	(void)text;
	*(size_t *)ctx += len;
}

/* The text is the format itself, so every call prints as much as a call can. */
static void printing_without_end_reaches_the_limit(void **state)
{
	(void)state;
	struct bench b;
	size_t printed = 0;
	run_with(&b,
		".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
		".global .align 8 .b8 format[] = {37, 52, 48, 57, 54, 100, 37, 52, 48, 57, 54, 100, 0};\n",
		".local .b64 args;\ncvta.local.u64 %rd2, args;\nmov.u64 %rd1, format;\nL: call (_), vprintf, (%rd1, %rd2);\nbra L;",
		1, 32);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_string_equal(b.result.message, "the kernel prints more than 64 MiB");
	assert_int_equal(b.result.place.ptx_line, 18);
	uint64_t steps = b.result.steps;
	b.launch.listener = &(struct simt_listener){.ctx = &printed, .print = on_print};
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.steps, steps);
	assert_int_equal(printed, SIMT_PRINT_MAX);
	assert_true(b.result.printed > (63u << 20));
	done(&b);
}

/* Lanes go down to depths of their own, so every warp has a path for each. */
static void deep_calls_of_many_warps_and_blocks(void **state)
{
	(void)state;
	struct bench b;
	run_with(&b,
		".func (.reg .b32 r) sum(.reg .b32 n)\n{\n.reg .pred %p;\n.reg .b32 %r;\n.local .align 64 .b8 big[300];\n"
		"setp.eq.u32 %p, n, 0;\nst.local.u32 [big+64], n;\n@%p ret;\nsub.u32 %r, n, 1;\ncall (%r), sum, (%r);\n"
		"ld.local.u32 r, [big+64];\nadd.u32 r, r, %r;\n}\n",
		GLOBAL_THREAD "call (%r1), sum, (%r0);\n" STORE, 2, 128);
	expect_ok(&b);
	for (uint32_t i = 0; i < 256; i++)
		assert_int_equal(b.words[i], i * (i + 1) / 2);
	done(&b);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static void accesses_are_seen_with_their_lanes(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		".shared .align 16 .b8 s[512];\nmov.u32 %r3, s;\nshl.b32 %r2, %r0, 4;\nadd.s32 %r3, %r3, %r2;\n"
		"setp.lt.u32 %p1, %r0, 5;\n@%p1 st.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};\n@%p1 ld.shared.v2.u32 {%r1, %r4}, [%r3+8];\n" STORE
		"ret;",
		1, 32);
	expect_ok(&b);
	assert_int_equal(b.n_accesses, 4);
	assert_int_equal(b.accesses[0].space, SPACE_PARAM);
	const struct warp_access *a = &b.accesses[1];
	assert_int_equal(a->space, SPACE_SHARED);
	assert_int_equal(a->op, ACCESS_STORE);
	assert_int_equal(a->width, 16);
	assert_int_equal(a->active, 0x1F);
	assert_int_equal(a->address[4], 64);
	assert_int_equal(b.accesses[2].op, ACCESS_LOAD);
	assert_int_equal(b.accesses[2].width, 8);
	assert_int_equal(b.accesses[2].address[4], 72);
	assert_int_equal(b.accesses[3].space, SPACE_GLOBAL);
	assert_int_equal(b.accesses[3].address[31], b.out + 31 * 4);
	done(&b);
}

static void shuffles_are_seen_with_their_sources(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		"shfl.sync.down.b32 %r1, %r0, 4, 31, -1;\nshfl.sync.bfly.b32 %r2, %r0, 3, 0x181F, -1;\n"
		"setp.lt.u32 %p1, %r0, 5;\n@%p1 shfl.sync.up.b32 %r3, %r0, 1, 0, 31;\n"
		"shfl.sync.idx.b32 %r4, %r0, 9, 31, -1;\n" STORE "ret;",
		1, 32);
	expect_ok(&b);
	assert_int_equal(b.n_shuffles, 4);
	const struct warp_shuffle *s = b.shuffles;
	assert_int_equal(s[0].active, 0xFFFFFFFF);
	assert_int_equal(s[0].found, 0x0FFFFFFF);
	assert_int_equal(s[2].active, 0x1F);
	assert_int_equal(s[2].found, 0x1E);
	for (int i = 0; i < 32; i++) {
		assert_int_equal(s[0].from[i], i < 28 ? i + 4 : i);
		assert_int_equal(s[1].from[i], i ^ 3);
		assert_int_equal(s[3].from[i], 9);
		assert_int_equal(b.words[i], s[0].from[i]);
	}
	for (int i = 0; i < 5; i++)
		assert_int_equal(s[2].from[i], i ? i - 1 : 0);
	done(&b);
}

static void generic_addresses_are_resolved(void **state)
{
	(void)state;
	struct bench b;
	run(&b,
		".shared .align 4 .b32 s[32];\n.local .align 4 .b32 l[2];\nmov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\n"
		"mul.wide.u32 %rd3, %r0, 4;\nadd.s64 %rd2, %rd2, %rd3;\nst.u32 [%rd2], %r0;\n"
		"mov.u64 %rd4, l;\ncvta.local.u64 %rd4, %rd4;\nst.u32 [%rd4+4], %r0;\nld.u32 %r1, [%rd4+4];\n"
		"ld.u32 %r2, [%rd2];\nadd.s32 %r1, %r1, %r2;\n" STORE "ret;",
		1, 32);
	expect_ok(&b);
	assert_int_equal(b.accesses[1].space, SPACE_SHARED);
	assert_int_equal(b.accesses[1].address[3], 12);
	assert_int_equal(b.accesses[2].space, SPACE_LOCAL);
	assert_int_equal(b.accesses[2].address[3], 4);
	for (uint32_t i = 0; i < 32; i++)
		assert_int_equal(b.words[i], 2 * i);
	done(&b);
}

static void faulty_addresses_are_defects(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		enum simt_defect_kind kind;
		uint32_t lanes;
		const char *says;
	} cases[] = {
		{"mul.wide.u32 %rd1, %r0, 256;\nadd.s64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r0;",
			SIMT_OUT_OF_BOUNDS, 0xFFFF0000, "0 bytes past the end of a buffer of 4096 bytes"},
		{"st.global.v2.u32 [%rd0+4092], {%r0, %r0};", SIMT_MISALIGNED, 0xFFFFFFFF, "not a multiple of 8"},
		{"st.global.u32 [%rd0+2], %r0;", SIMT_MISALIGNED, 0xFFFFFFFF, "not a multiple of 4"},
		{"ld.global.u32 %r1, [%rd5];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF, "null pointer"},
		{"ld.global.u32 %r1, [%rd0+-4];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF, "no buffer"},
		{".shared .b8 s[16];\nld.shared.u32 %r1, [s+16];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF,
			"there are 16 bytes"},
		{".shared .b8 s[16];\nshl.b32 %r2, %r0, 2;\nld.shared.u32 %r1, [%r2];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFF0,
			"at 0x10;"},
		{"ld.local.u32 %r1, [%r5];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF, "there are 0 bytes"},
		{"ld.const.u32 %r1, [%r5];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF, "constant memory"},
		{"ld.param.u32 %r1, [out+8];", SIMT_OUT_OF_BOUNDS, 0xFFFFFFFF, "parameter memory"},
		{"trap;", SIMT_TRAP, 0xFFFFFFFF, "trap"},
		{"brkpt;", SIMT_TRAP, 0xFFFFFFFF, "no debugger"},
		{"setp.lt.u32 %p1, %r0, 8;\n@%p1 bar.warp.sync -1;", SIMT_BAD_MASK, 0xFFFFFF00,
			"mask 0xFFFFFFFF: lanes 8-31 are named and not here"},
		{"bar.warp.sync 255;", SIMT_BAD_MASK, 0xFFFFFF00, "mask 0x000000FF: lanes 8-31 are here and not named"},
		{"bar.sync 16;", SIMT_BARRIER_MISSING, 0xFFFFFFFF, "no barrier 16"},
		{"bar.sync 1, 33;", SIMT_BARRIER_MISSING, 0xFFFFFFFF, "multiple of 32"},
		{"bar.arrive 1, 0;", SIMT_BARRIER_MISSING, 0xFFFFFFFF, "multiple of 32"},
		{"shr.u32 %r1, %r0, 4;\nbar.sync %r1, 32;", SIMT_BARRIER_MISMATCHED, 0xFFFF0000,
			"name barrier 0 and barrier 1"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		run(&b, cases[i].body, 1, 32);
		assert_int_equal(b.result.outcome, SIMT_DEFECT);
		if (b.result.defect != cases[i].kind || !strstr(b.result.message, cases[i].says))
			fail_msg("case %zu: %s: %s", i, simt_defect_name(b.result.defect), b.result.message);
		if (cases[i].kind != SIMT_BAD_MASK || i != 13)
			assert_int_equal(b.result.lanes, cases[i].lanes);
		done(&b);
	}
}

static void buffers_have_gaps_and_limits(void **state)
{
	(void)state;
	struct simt_memory *m = simt_memory_new(1000);
	uint64_t a = simt_memory_alloc(m, 300), b = simt_memory_alloc(m, 700);
	assert_true(a && b && a % 256 == 0 && b % 256 == 0);
	assert_int_equal(simt_memory_alloc(m, 1), 0);
	assert_non_null(simt_memory_at(m, a + 299, 1));
	assert_null(simt_memory_at(m, a + 299, 2));
	assert_null(simt_memory_at(m, a - 1, 1));
	assert_null(simt_memory_at(m, a + 300, 1));
	assert_non_null(simt_memory_at(m, b, 700));
	assert_null(simt_memory_at(m, b, 701));
	simt_memory_free(m);
}

/* --- limits and refusals ------------------------------------------------------------------------------------------ */

static void endless_loops_reach_the_limit(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "L: bra L;", 1, 32);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_int_equal(b.result.steps, 100000);
	assert_int_equal(b.result.instr, 2);
	b.launch.limits.threads = 31;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_int_equal(b.result.steps, 0);
	done(&b);
}

/* Each block adds 1 to the word of its number. */
#define COUNT_BLOCKS                                                                                                   \
	"mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y; mov.u32 %r4, %nctaid.x; mad.lo.u32 %r2, %r3, %r4, %r2;"         \
	"mul.wide.u32 %rd1, %r2, 4; add.u64 %rd1, %rd0, %rd1; red.global.add.u32 [%rd1], 1;"

static void a_launch_may_end_with_a_block(void **state)
{
	(void)state;
	struct bench b;
	run(&b, COUNT_BLOCKS "ret;", 64, 1);
	b.launch.limits.through = 1 + 5;
	memset(b.words, 0, 64 * sizeof *b.words);
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_string_equal(b.result.message, "the launch was stopped after block 5 of 64");
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(b.words[i], i <= 5);
	b.launch.limits.through = 1 + 63; /* the last: nothing is left out */
	memset(b.words, 0, 64 * sizeof *b.words);
	simt_run(&b.launch, b.memory, &b.result);
	expect_ok(&b);
	for (uint32_t i = 0; i < 64; i++)
		assert_int_equal(b.words[i], 1);
	done(&b);
}

/* Blocks 2, 3, 6 and 7 of four in a row are a cluster of two by two, the second one. */
static void a_launch_ends_with_the_cluster_of_a_block(void **state)
{
	(void)state;
	struct bench b;
	run(&b, COUNT_BLOCKS "barrier.cluster.arrive; barrier.cluster.wait; ret;", 16, 1);
	b.launch.grid[0] = b.launch.grid[1] = 4;
	b.launch.cluster[0] = b.launch.cluster[1] = 2;
	b.launch.cluster[2] = 1;
	b.launch.limits.through = 1 + 3;
	memset(b.words, 0, 16 * sizeof *b.words);
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	for (uint32_t i = 0; i < 16; i++)
		assert_int_equal(b.words[i], i < 8);
	done(&b);
}

/* Every block would take a moment to clear its memory, and there are millions. */
static void many_large_blocks_reach_the_limit(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "ret;", 1, 1);
	assert_int_equal(b.result.outcome, SIMT_OK);
	b.launch.grid[0] = 10000000;
	b.launch.dynamic_shared = 200000;
	b.launch.limits.threads = 0;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_non_null(strstr(b.result.message, "takes too long"));
	assert_true(b.result.steps < 100000);
	done(&b);
}

static void impossible_launches_are_refused(void **state)
{
	(void)state;
	struct bench b;
	run(&b, ".shared .b8 s[1024];\nst.shared.u32 [s], %r0;\nret;", 1, 32);
	expect_ok(&b);
	static const uint32_t shapes[][6] = {
		{0, 1, 1, 32, 1, 1},
		{1, 1, 1, 0, 1, 1},
		{1, 1, 1, 1025, 1, 1},
		{1, 1, 1, 33, 32, 1},
		{1, 1, 1, 1, 1, 65},
		{1, 65536, 1, 1, 1, 1},
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		memcpy(b.launch.grid, shapes[i], sizeof b.launch.grid);
		memcpy(b.launch.block, shapes[i] + 3, sizeof b.launch.block);
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.result.outcome, SIMT_ERROR);
		assert_true(b.result.message[0] != '\0');
	}
	memcpy(b.launch.grid, (uint32_t[]){1, 1, 1}, sizeof b.launch.grid);
	memcpy(b.launch.block, (uint32_t[]){1, 1, 1}, sizeof b.launch.block);
	b.launch.limits.shared = 1023;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_ERROR);
	b.launch.limits.shared = 0;
	b.launch.params = NULL;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_ERROR);
	done(&b);
}

/* Variables that last: what one launch stores the next one loads, and the host sees and sets them by name. */
static void variables_last_when_they_are_kept(void **state)
{
	(void)state;
	static const char variables[] = ".global .align 4 .u32 count = 40;\n.const .align 4 .u32 step = 1;\n"
					".global .align 8 .u64 at = generic(count);\n";
	struct bench b;
	run_with(&b, variables,
		"mov.u64 %rd1, count; ld.global.u32 %r1, [%rd1]; ld.const.u32 %r2, [step]; add.u32 %r1, %r1, %r2;\n"
		"st.global.u32 [%rd1], %r1; ld.global.u64 %rd2, [at]; ld.u32 %r3, [%rd2]; st.global.u32 [%rd0], %r3;",
		1, 1);
	assert_int_equal(b.result.outcome, SIMT_OK);
	assert_int_equal(b.words[0], 41);

	struct simt_variables *kept = simt_variables_new(
		b.memory, ptx_kernel_module(b.launch.kernel), SIMT_GLOBALS_APART);
	struct simt_variable count, step;
	assert_non_null(kept);
	b.launch.variables = kept;
	assert_true(simt_variables_find(kept, "count", &count) && simt_variables_find(kept, "step", &step));
	assert_false(simt_variables_find(kept, "format", &step));
	assert_true(step.constant && !count.constant);
	assert_int_equal(count.size, 4);
	assert_ptr_equal(simt_memory_at(b.memory, count.address, 4), count.bytes);
	for (uint32_t launch = 1; launch <= 2; launch++) {
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.words[0], 40 + launch);
	}
	*(uint32_t *)count.bytes = 100;
	*(uint32_t *)step.bytes = 7;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.words[0], 107);
	b.launch.variables = NULL; /* new ones again */
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.words[0], 41);
	simt_variables_free(kept);

	kept = simt_variables_new(b.memory, ptx_kernel_module(b.launch.kernel), SIMT_GLOBALS_SHARED);
	assert_true(kept && simt_variables_find(kept, "count", &count));
	assert_int_equal(count.address, (uintptr_t)count.bytes);
	b.launch.variables = kept;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(*(uint32_t *)count.bytes, 41);
	simt_variables_free(kept);
	assert_null(simt_memory_at(b.memory, count.address, 4));

	struct simt_memory *small = simt_memory_new(8);
	assert_null(simt_variables_new(small, ptx_kernel_module(b.launch.kernel), SIMT_GLOBALS_APART));
	simt_memory_free(small);
	done(&b);
}

/* Buffers are given back, and memory of the host is used where it is. */
static void memory_comes_and_goes(void **state)
{
	(void)state;
	struct bench b;
	uint32_t *host = test_malloc(4096), other[4] = {7, 8, 9, 10};
	run_with(&b, "",
		"ld.global.u64 %rd1, [%rd0+8]; ld.global.u32 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.u32 [%rd1+4], %r1;",
		1, 1);
	assert_int_equal(b.result.outcome, SIMT_DEFECT); /* nothing is there */
	assert_true(simt_memory_map(b.memory, host, 4096));
	assert_false(simt_memory_map(b.memory, host, 4096));
	assert_false(simt_memory_map(b.memory, host + 1, 4));
	assert_true(simt_memory_map(b.memory, other, sizeof other));
	void *inside[] = {host, other};
	for (int i = 0; i < 2; i++) {
		((uint64_t *)b.words)[1] = (uintptr_t)inside[i];
		*(uint32_t *)inside[i] = 40 + (uint32_t)i;
		simt_run(&b.launch, b.memory, &b.result);
		assert_int_equal(b.result.outcome, SIMT_OK);
		assert_int_equal(((uint32_t *)inside[i])[1], 41 + i);
	}
	assert_ptr_equal(simt_memory_at(b.memory, (uintptr_t)(other + 2), 8), other + 2);
	assert_true(simt_memory_release(b.memory, (uintptr_t)other) && simt_memory_release(b.memory, (uintptr_t)host));
	assert_false(simt_memory_release(b.memory, (uintptr_t)host));
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.defect, SIMT_OUT_OF_BOUNDS);
	assert_true(simt_memory_map(b.memory, host, 8) && simt_memory_release(b.memory, (uintptr_t)host));

	uint64_t buffer = simt_memory_alloc(b.memory, 64);
	((uint64_t *)b.words)[1] = buffer;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_OK);
	assert_true(simt_memory_release(b.memory, buffer));
	assert_false(simt_memory_release(b.memory, buffer));
	assert_false(simt_memory_release(b.memory, buffer + 4));
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.defect, SIMT_OUT_OF_BOUNDS);
	assert_non_null(strstr(b.result.message, "freed"));

	uint64_t first = (uint64_t)1 << 47;
	assert_false(simt_memory_begin(b.memory, buffer, UINT64_MAX));
	assert_false(simt_memory_begin(b.memory, UINT64_MAX, UINT64_MAX));
	assert_false(simt_memory_begin(b.memory, first, first - 1));
	assert_true(simt_memory_begin(b.memory, first, first + 100000));
	assert_int_equal(simt_memory_alloc(b.memory, 1), first);
	assert_int_equal(simt_memory_alloc(b.memory, 100000), 0); /* they end before */
	assert_true(simt_memory_alloc(b.memory, 50000));
	test_free(host);
	done(&b);
}

/* Wherever the host's memory lies, before, among or behind the addresses of buffers. */
static void memory_of_the_host_lies_anywhere(void **state)
{
	(void)state;
	struct simt_memory *memory = simt_memory_new(1 << 20);
	uint8_t *host = test_malloc(3 << 16);
	uint64_t at = (uintptr_t)host, buffers[8];
	assert_true(simt_memory_begin(memory, at + 1024, at + (1 << 20)));
	assert_true(simt_memory_map(memory, host, 4096));
	assert_true(simt_memory_map(memory, host + 65536, 65536));
	assert_true(simt_memory_map(memory, host + (2 << 16) + 65000, 100));
	for (int i = 0; i < 8; i++) {
		buffers[i] = simt_memory_alloc(memory, 20000);
		assert_true(buffers[i] >= at + 1024);
		assert_false(simt_memory_map(memory, host + (buffers[i] - at), 1));
		*(int *)simt_memory_at(memory, buffers[i], 20000) = i;
	}
	for (int i = 0; i < 8; i++)
		assert_int_equal(*(int *)simt_memory_at(memory, buffers[i], 20000), i);
	assert_ptr_equal(simt_memory_at(memory, at, 4096), host);
	assert_ptr_equal(simt_memory_at(memory, at + 65536, 65536), host + 65536);
	assert_ptr_equal(simt_memory_at(memory, at + (2 << 16) + 65000, 100), host + (2 << 16) + 65000);
	simt_memory_free(memory);
	test_free(host);
}

/* What blocks on several cores may have to undo is all that they can change, the host's memory, too. */
static void the_hosts_memory_is_kept_for_several_cores(void **state)
{
	(void)state;
	struct bench b;
	uint32_t *host = test_calloc(1 << 20, sizeof *host);
	run_with(&b, "",
		"ld.global.u64 %rd1, [%rd0+8]; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd1, %rd1, %rd2; "
		"st.global.u32 [%rd1], %r2;",
		1, 1);
	assert_true(simt_memory_map(b.memory, host, (1 << 20) * sizeof *host));
	((uint64_t *)b.words)[1] = (uintptr_t)host;
	b.launch.grid[0] = 4096;
	b.launch.listener = NULL;
	b.launch.limits.cores = 2;
	simt_run(&b.launch, b.memory, &b.result);
	assert_int_equal(b.result.outcome, SIMT_OK);
	for (uint32_t i = 0; i < 4096; i++)
		assert_int_equal(host[i], i);
	assert_true(simt_memory_release(b.memory, (uintptr_t)host));
	test_free(host);
	done(&b);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_ifs_reconverge),
		cmocka_unit_test(loops_run_as_often_as_each_lane_asks),
		cmocka_unit_test(nested_loops_with_continue),
		cmocka_unit_test(lanes_that_left_stay_away),
		cmocka_unit_test(exits_inside_a_branch_do_not_come_back),
		cmocka_unit_test(a_switch_goes_to_every_target),
		cmocka_unit_test(kernels_may_end_without_ret),
		cmocka_unit_test(predicated_lanes_do_not_take_part),
		cmocka_unit_test(warps_wait_for_each_other_at_barriers),
		cmocka_unit_test(ended_warps_do_not_hold_a_barrier),
		cmocka_unit_test(a_divergent_barrier_is_a_defect),
		cmocka_unit_test(a_barrier_under_a_predicate_is_a_defect),
		cmocka_unit_test(the_sides_of_a_branch_do_not_share_aligned_barriers),
		cmocka_unit_test(early_returns_hold_no_warp_up),
		cmocka_unit_test(a_lane_that_returns_by_the_way_of_others_holds_up_nobody),
		cmocka_unit_test(two_places_are_one_warp_barrier),
		cmocka_unit_test(arms_of_a_warp_share_a_barrier),
		cmocka_unit_test(half_a_warp_that_goes_past_a_barrier_holds_up_nobody),
		cmocka_unit_test(a_whole_warp_that_goes_past_a_barrier_is_reported),
		cmocka_unit_test(wrong_barriers_that_a_gpu_lets_pass),
		cmocka_unit_test(wrong_barriers_that_end_a_launch),
		cmocka_unit_test(a_loop_that_warps_leave_at_different_rounds),
		cmocka_unit_test(conditions_that_are_uniform_are_not_reported),
		cmocka_unit_test(a_shuffle_goes_on_without_lanes_that_do_not_come),
		cmocka_unit_test(a_lock_whose_holder_waits_for_those_that_want_it),
		cmocka_unit_test(a_launch_for_a_gpu_ends_where_lanes_do_not_come),
		cmocka_unit_test(an_access_that_is_out_of_bounds_ends_the_launch_if_asked),
		cmocka_unit_test(variables_last_when_they_are_kept),
		cmocka_unit_test(memory_comes_and_goes),
		cmocka_unit_test(memory_of_the_host_lies_anywhere),
		cmocka_unit_test(the_hosts_memory_is_kept_for_several_cores),
		cmocka_unit_test(an_arrival_without_a_wait_is_a_defect),
		cmocka_unit_test(lanes_of_a_warp_can_share_a_spin_lock),
		cmocka_unit_test(blocks_can_wait_for_later_blocks),
		cmocka_unit_test(blocks_that_find_news_are_not_quiet),
		cmocka_unit_test(a_barrier_that_is_never_complete_is_a_defect),
		cmocka_unit_test(barriers_can_count_and_reduce),
		cmocka_unit_test(warps_wait_for_flags_of_other_warps),
		cmocka_unit_test(instructions_of_functions_are_reported),
		cmocka_unit_test(defects_in_functions_name_their_place),
		cmocka_unit_test(a_call_starts_with_clean_registers_and_memory),
		cmocka_unit_test(printing_without_end_reaches_the_limit),
		cmocka_unit_test(deep_calls_of_many_warps_and_blocks),
		cmocka_unit_test(accesses_are_seen_with_their_lanes),
		cmocka_unit_test(shuffles_are_seen_with_their_sources),
		cmocka_unit_test(generic_addresses_are_resolved),
		cmocka_unit_test(faulty_addresses_are_defects),
		cmocka_unit_test(buffers_have_gaps_and_limits),
		cmocka_unit_test(endless_loops_reach_the_limit),
		cmocka_unit_test(a_launch_may_end_with_a_block),
		cmocka_unit_test(a_launch_ends_with_the_cluster_of_a_block),
		cmocka_unit_test(many_large_blocks_reach_the_limit),
		cmocka_unit_test(impossible_launches_are_refused),
	};
	return cmocka_run_group_tests_name("simt", tests, NULL, NULL);
}
