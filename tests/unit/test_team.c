/* Blocks on several cores: whatever a kernel does, memory, result and what the listener saw are those of one core. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/simt/simt.h"

#define WORDS 65536
#define BLOCKS 512

struct seen {
	uint64_t n_steps, steps, lanes, accesses, addresses, branches;
	int forks;
};

struct outcome {
	struct simt_result result;
	struct seen seen;
	struct simt_report report;
	struct simt_defect defects[8];
	uint32_t words[WORDS];
};

static uint32_t checks; /* of the runs that follow */
static struct simt_progress *progress;
static _Atomic uint64_t in_vain; /* steps of teams whose work was dropped */

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct seen *t = ctx;
	(void)active;
	t->n_steps++;
	t->steps += (uint64_t)site->instr + 1;
	t->lanes += executing;
}

static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *access)
{
	(void)site;
	struct seen *t = ctx;
	t->accesses++;
	for (int i = 0; i < 32; i++)
		t->addresses += access->active >> i & 1 ? access->address[i] : 0;
}

static void on_branch(void *ctx, const struct simt_site *site, uint32_t active, uint32_t taken)
{
	(void)site, (void)active;
	((struct seen *)ctx)->branches += taken;
}

static void *on_fork(void *ctx)
{
	((struct seen *)ctx)->forks++;
	return calloc(1, sizeof(struct seen));
}

static void on_join(void *ctx, void *of_core)
{
	struct seen *t = ctx, *part = of_core;
	t->n_steps += part->n_steps;
	t->steps += part->steps;
	t->lanes += part->lanes;
	t->accesses += part->accesses;
	t->addresses += part->addresses;
	t->branches += part->branches;
	free(part);
}

static void on_drop(void *ctx, void *of_core)
{
	(void)ctx;
	in_vain += ((struct seen *)of_core)->n_steps;
	free(of_core);
}

/* `body` has %r0: thread, %r1: block, %r2: threads of the block, %rd0: the buffer, %rd1: the buffer at the thread's own
 * word of the grid; each thread first counts to 40 to make work. */
static void run(const char *body, uint32_t cores, uint64_t steps, struct outcome *out)
{
	char text[8192];
	struct diag diag = {0};
	struct arena *arena = arena_new();
	struct simt_memory *memory = simt_memory_new(1 << 20);
	uint64_t buffer = simt_memory_alloc(memory, sizeof out->words);

	snprintf(text, sizeof text,
		".version 6.3\n.target sm_75\n.address_size 64\n.global .align 4 .u32 ticket;\n"
		".func store(.reg .b64 at, .reg .b32 v)\n{\nst.global.u32 [at], v;\n}\n"
		".func (.reg .b32 r) draw(.reg .b64 at)\n{\natom.global.add.u32 r, [at], 1;\n}\n"
		".func (.reg .b32 r) sum(.reg .b32 n)\n{\n.reg .pred %%p;\n.reg .b32 %%r;\n.local .b8 big[40];\nsetp.eq.u32 %%p, n, 0;\n"
		"st.local.u32 [big], n;\n@%%p ret;\nsub.u32 %%r, n, 1;\ncall (%%r), sum, (%%r);\nld.local.u32 r, [big];\n"
		"add.u32 r, r, %%r;\n}\n"
		".visible .entry k(.param .u64 out)\n{\n.reg .pred %%p<8>;\n.reg .b32 %%r<32>;\n.reg .b64 %%rd<16>;\n.reg .f32 %%f<8>;\n"
		".shared .align 4 .u32 s[64];\n"
		"ld.param.u64 %%rd0, [out];\nmov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, %%ctaid.x;\nmov.u32 %%r2, %%ntid.x;\n"
		"mad.lo.u32 %%r3, %%r1, %%r2, %%r0;\nmul.wide.u32 %%rd1, %%r3, 4;\nadd.s64 %%rd1, %%rd1, %%rd0;\n"
		"mov.u32 %%r31, 0;\nWORK: add.u32 %%r31, %%r31, 1;\nsetp.lt.u32 %%p7, %%r31, 40;\n@%%p7 bra WORK;\n%s\nret;\n}\n",
		body);
	struct ptx_module *module = ptx_parse(arena, "t.ptx", text, strlen(text), &diag);
	if (diag.count)
		fprintf(stderr, "# %d: %s\n", diag.entries[0].line, diag.entries[0].message);
	assert_non_null(module);
	memset(out, 0, sizeof *out);
	struct simt_listener listener = {.ctx = &out->seen,
		.access = on_access,
		.branch = on_branch,
		.step = on_step,
		.fork = on_fork,
		.join = on_join,
		.drop = on_drop};
	struct simt_launch launch = {.kernel = ptx_find_kernel(module, NULL, &diag),
		.grid = {BLOCKS, 1, 1},
		.block = {64, 1, 1},
		.params = &buffer,
		.limits = {.steps = steps, .cores = cores, .progress = progress},
		.listener = &listener,
		.checks = checks,
		.report = checks ? &out->report : NULL};
	out->report = (struct simt_report){.defects = out->defects, .cap = 8};
	simt_run(&launch, memory, &out->result);
	memcpy(out->words, simt_memory_at(memory, buffer, sizeof out->words), sizeof out->words);
	simt_memory_free(memory);
	diag_free(&diag);
	arena_free(arena);
}

static void same_on_any_number(const char *body, uint64_t steps, enum simt_outcome outcome)
{
	static const uint32_t numbers[] = {2, 3, 7};
	struct outcome *one = malloc(sizeof *one), *more = malloc(sizeof *more);

	run(body, 1, steps, one);
	if (one->result.outcome != outcome)
		fail_msg("%s", one->result.message);
	assert_int_equal(one->seen.forks, 0);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		run(body, numbers[i], steps, more);
		assert_int_equal(more->seen.forks, numbers[i]);
		more->seen.forks = 0;
		assert_memory_equal(&more->seen, &one->seen, sizeof one->seen);
		assert_memory_equal(more->words, one->words, sizeof one->words);
		assert_int_equal(more->result.outcome, one->result.outcome);
		assert_int_equal(more->result.steps, one->result.steps);
		assert_int_equal(more->result.block, one->result.block);
		assert_int_equal(more->result.warp, one->result.warp);
		assert_int_equal(more->result.lanes, one->result.lanes);
		assert_int_equal(more->result.address, one->result.address);
		assert_string_equal(more->result.message, one->result.message);
		assert_int_equal(more->report.n, one->report.n);
		for (uint32_t k = 0; k < one->report.n; k++) {
			assert_string_equal(more->defects[k].message, one->defects[k].message);
			assert_int_equal(more->defects[k].count, one->defects[k].count);
		}
	}
	free(one);
	free(more);
}

static void blocks_apart(void **state)
{
	(void)state;
	same_on_any_number("add.u32 %r4, %r3, 7;\nst.global.u32 [%rd1], %r4;", 0, SIMT_OK);
}

static void sums_that_commute(void **state)
{
	(void)state;
	same_on_any_number(
		"and.b32 %r4, %r3, 15;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd2, %rd2, %rd0;\n"
		"atom.global.add.u32 %r5, [%rd2], %r3;\nred.global.max.u32 [%rd0+256], %r3;\nred.global.xor.b32 [%rd0+260], %r3;",
		0, SIMT_OK);
}

/* The old values, in the order of the blocks. */
static void tickets(void **state)
{
	(void)state;
	same_on_any_number("atom.global.add.u32 %r5, [ticket], 1;\nst.global.u32 [%rd1], %r5;", 0, SIMT_OK);
}

/* Only a function looks at the old values. */
static void tickets_for_a_function(void **state)
{
	(void)state;
	same_on_any_number("atom.global.add.u32 %r5, [ticket], 1;\ncall store, (%rd1, %r5);", 0, SIMT_OK);
}

/* Only the caller of a function looks at the old values. */
static void tickets_from_a_function(void **state)
{
	(void)state;
	same_on_any_number("mov.u64 %rd2, ticket;\ncall (%r5), draw, (%rd2);\nst.global.u32 [%rd1], %r5;", 0, SIMT_OK);
}

/* Half of a warp adds to global memory, the other half to shared memory, by one instruction. */
static void sums_in_two_spaces(void **state)
{
	(void)state;
	same_on_any_number(
		"mov.u64 %rd2, s;\ncvta.shared.u64 %rd2, %rd2;\nmov.u64 %rd3, %rd0;\n"
		"and.b32 %r4, %r0, 16;\nsetp.ne.u32 %p0, %r4, 0;\n@%p0 mov.u64 %rd3, %rd2;\nmov.u32 %r4, 0;\n"
		"ADD: red.add.u32 [%rd3], 1;\nadd.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 200;\n@%p1 bra ADD;",
		0, SIMT_OK);
}

/* Blocks of a kernel that has a race find what others wrote, whole. Under ThreadSanitizer this also says that such a
 * race is none of the machine's. */
static void blocks_that_race(void **state)
{
	struct outcome *out = malloc(sizeof *out);
	(void)state;
	run("ld.global.u32 %r4, [%rd0];\nst.global.u32 [%rd0], %r3;\nadd.u32 %r4, %r3, 65536;\n"
	    "st.global.v2.u32 [%rd0+8], {%r3, %r4};\nld.global.v2.u32 {%r4, %r5}, [%rd0+8];\n"
	    "red.global.add.u32 [%rd0+16], 1;\nld.global.u32 %r6, [%rd0+16];\n"
	    "st.global.u8 [%rd0+20], %r3;\nld.global.u8 %r6, [%rd0+20];\nld.global.u64 %rd2, [%rd0+16];\n"
	    "mov.u64 %rd3, s;\ncp.async.ca.shared.global [%rd3], [%rd0], 16;\ncp.async.wait_all;\n"
	    "red.global.add.v2.f32 [%rd0+24], {%f0, %f0};",
		4, 0, out);
	if (out->result.outcome != SIMT_OK)
		fail_msg("%s", out->result.message);
	assert_true(out->words[0] < BLOCKS * 64u);
	assert_true(out->words[2] < BLOCKS * 64u);
	assert_in_range(out->words[3], 65536, 65536 + BLOCKS * 64u);
	assert_int_equal(out->words[4], BLOCKS * 64);
	free(out);
}

/* That clearing the memory of blocks takes too long does not depend on how many cores do it. */
static void blocks_too_large_for_so_many(void **state)
{
	struct outcome *one = malloc(sizeof *one), *more = malloc(sizeof *more);
	(void)state;
	run(".local .align 4 .b8 huge[200000];\nst.local.u32 [huge], %r0;\nst.global.u32 [%rd1], %r0;", 1, 1000000,
		one);
	run(".local .align 4 .b8 huge[200000];\nst.local.u32 [huge], %r0;\nst.global.u32 [%rd1], %r0;", 3, 1000000,
		more);
	assert_int_equal(one->result.outcome, SIMT_LIMIT);
	assert_int_equal(more->result.outcome, SIMT_LIMIT);
	assert_string_equal(more->result.message, one->result.message);
	assert_memory_equal(more->words, one->words, sizeof one->words);
	free(one);
	free(more);
}

static void calls_of_many_depths(void **state)
{
	(void)state;
	same_on_any_number(
		"xor.b32 %r4, %r0, %r1;\nand.b32 %r4, %r4, 15;\ncall (%r5), sum, (%r4);\nst.global.u32 [%rd1], %r5;", 0,
		SIMT_OK);
	same_on_any_number(
		"mov.u32 %r5, 3;\nsetp.eq.u32 %p0, %r1, 300;\n@%p0 mov.u32 %r5, 2000;\ncall (%r5), sum, (%r5);\n"
		"st.global.u32 [%rd1], %r5;",
		0, SIMT_LIMIT);
}

static void floats_are_added_in_order(void **state)
{
	(void)state;
	same_on_any_number(
		"cvt.rn.f32.u32 %f0, %r3;\nmul.f32 %f0, %f0, 0f3DCCCCCD;\nred.global.add.f32 [%rd0], %f0;", 0, SIMT_OK);
}

/* The last block to take a ticket sums up what the others stored. */
static void last_block(void **state)
{
	(void)state;
	same_on_any_number(
		"setp.ne.u32 %p0, %r0, 0;\n@%p0 bra DONE;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd2, %rd0;\n"
		"add.u32 %r4, %r1, 3;\nst.global.u32 [%rd2], %r4;\nmembar.gl;\natom.global.inc.u32 %r5, [ticket], 511;\n"
		"setp.ne.u32 %p1, %r5, 511;\n@%p1 bra DONE;\nmembar.gl;\nmov.u32 %r6, 0;\nmov.u32 %r7, 0;\nmov.u64 %rd3, %rd0;\n"
		"SUM: ld.global.u32 %r8, [%rd3];\nadd.u32 %r6, %r6, %r8;\nadd.s64 %rd3, %rd3, 4;\nadd.u32 %r7, %r7, 1;\n"
		"setp.lt.u32 %p2, %r7, 512;\n@%p2 bra SUM;\nst.global.u32 [%rd0+4096], %r6;\nDONE:",
		0, SIMT_OK);
}

/* Block 100 waits for block 400: no team can do that, one core can. */
static void a_block_waits_for_a_later_one(void **state)
{
	(void)state;
	same_on_any_number(
		"setp.eq.u32 %p0, %r1, 400;\n@%p0 st.volatile.global.u32 [ticket], 5;\nsetp.ne.u32 %p1, %r1, 100;\n"
		"@%p1 bra DONE;\nWAIT: ld.volatile.global.u32 %r4, [ticket];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra WAIT;\n"
		"st.global.u32 [%rd1], %r4;\nDONE:",
		0, SIMT_OK);
}

static void a_fault_in_a_late_block(void **state)
{
	(void)state;
	same_on_any_number("st.global.u32 [%rd1], %r3;\nsetp.eq.u32 %p0, %r1, 333;\n@%p0 ld.global.u32 %r4, [%rd0+-4];",
		0, SIMT_DEFECT);
}

/* With the detector on: clean ones stay clean, and a race between blocks far apart is the same race. */
static void the_detector_sees_the_same(void **state)
{
	checks = SIMT_CHECK_ALL;
	blocks_apart(state);
	sums_that_commute(state);
	last_block(state);
	a_fault_in_a_late_block(state);
	same_on_any_number(
		"setp.eq.u32 %p0, %r1, 17;\n@%p0 st.global.u32 [%rd0+128], %r3;\nsetp.eq.u32 %p0, %r1, 418;\n"
		"@%p0 ld.global.u32 %r4, [%rd0+128];\n@%p0 st.global.u32 [%rd0+132], %r3;\nst.global.u32 [%rd1+4096], %r3;",
		0, SIMT_DEFECT);
	checks = 0;
}

static void a_limit_in_the_middle(void **state)
{
	(void)state;
	same_on_any_number("st.global.u32 [%rd1], %r3;", 100000, SIMT_LIMIT);
}

/* A team does not run the whole grid to find that the limit was passed long ago. */
static void a_team_stops_at_the_limit(void **state)
{
	struct outcome *out = malloc(sizeof *out);
	(void)state;
	in_vain = 0;
	run("st.global.u32 [%rd1], %r3;", 3, 30000, out);
	assert_int_equal(out->result.outcome, SIMT_LIMIT);
	assert_in_range(in_vain, 1, 12000);
	free(out);
}

/* Looks at the launch as it runs, twice, and stops it. */
static struct simt_standing looked[2];

static void *look_and_stop(void *arg)
{
	struct simt_progress *p = arg;
	for (int i = 0; i < 2; i++) {
		while (p->steps < (i ? 2000000u : 1u)) /* the first may come before the team */
			sched_yield();
		p->look++;
		while (p->seen != p->look)
			sched_yield();
		looked[i] = p->standing;
	}
	p->stop = true;
	return NULL;
}

static void look_at(const char *body, uint32_t cores, struct outcome *out)
{
	static struct simt_progress fresh;
	pthread_t thread;
	memset(&fresh, 0, sizeof fresh);
	progress = &fresh;
	assert_int_equal(pthread_create(&thread, NULL, look_and_stop, progress), 0);
	run(body, cores, (uint64_t)1 << 62, out);
	pthread_join(thread, NULL);
	progress = NULL;
	assert_int_equal(out->result.outcome, SIMT_LIMIT);
	assert_true(out->result.interrupted && !out->result.ended);
}

static uint64_t blocks_of(const struct simt_standing *s)
{
	return s->ended + s->resident + s->waiting;
}

/* Blocks from 200 on never end: they are where the loop is, and the launch stops in the middle of them. */
static void endless_blocks_are_seen_and_stopped(void **state)
{
	static const char body[] = "setp.lt.u32 %p1, %r1, 200;\n@%p1 ret;\nEVER: add.u32 %r9, %r9, 1;\nbra EVER;\n";
	static const uint32_t cores[] = {1, 2, 3};
	struct outcome *out = malloc(sizeof *out);
	(void)state;
	for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
		look_at(body, cores[i], out);
		const struct simt_standing *s = &out->result.standing;
		for (int k = 0; k < 3; k++) {
			const struct simt_standing *of = k < 2 ? &looked[k] : s;
			assert_int_equal(blocks_of(of), BLOCKS);
			assert_true((k == 0 || (of->resident >= 1 && of->n >= 1)) && of->ended <= 200);
			assert_true(cores[i] == 1 || of->resident <= cores[i] ||
				k == 0); /* the first may come before the team */
		}
		assert_int_equal(s->ended, 200);
		assert_int_equal(s->at[0].state, SIMT_STAND_RUNS);
		assert_true(s->at[0].first >= 200 && s->at[0].warps & 1);
		assert_true(out->result.steps > 1000);
		assert_int_equal(out->seen.n_steps, out->result.steps);
	}
	free(out);
}

/* Blocks that wait for earlier ones, in their order, are seen and stopped, too. */
static void blocks_in_order_are_seen_and_stopped(void **state)
{
	static const char
		body[] = "setp.eq.u32 %p1, %r1, 200;\nEVER: @%p1 bra EVER;\natom.global.add.u32 %r4, [ticket], 1;\n"
			 "st.global.u32 [%rd1], %r4;\n";
	struct outcome *out = malloc(sizeof *out);
	(void)state;
	look_at(body, 3, out);
	const struct simt_standing *s = &out->result.standing;
	assert_int_equal(blocks_of(s), BLOCKS);
	assert_true(out->seen.forks == 3);
	assert_int_equal(s->ended, 200);
	bool found = false;
	for (uint32_t i = 0; i < s->n; i++)
		found = found || (s->at[i].first <= 200 && s->at[i].last >= 200);
	assert_true(found);
	assert_int_equal(blocks_of(&looked[1]), BLOCKS);
	free(out);
}

/* Of a word that a warp polls, the address. */
static void a_poll_has_an_address(void **state)
{
	static const char
		body[] = "EVER: ld.relaxed.gpu.global.u32 %r4, [%rd0+64];\nsetp.ne.u32 %p1, %r4, 77;\n@%p1 bra EVER;\n";
	struct outcome *out = malloc(sizeof *out);
	(void)state;
	look_at(body, 1, out);
	const struct simt_standing *s = &looked[1];
	assert_int_equal(s->at[0].state, SIMT_STAND_POLLS);
	assert_int_equal(s->at[0].address % 256, 64);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_apart),
		cmocka_unit_test(sums_that_commute),
		cmocka_unit_test(tickets),
		cmocka_unit_test(tickets_for_a_function),
		cmocka_unit_test(tickets_from_a_function),
		cmocka_unit_test(sums_in_two_spaces),
		cmocka_unit_test(blocks_that_race),
		cmocka_unit_test(blocks_too_large_for_so_many),
		cmocka_unit_test(calls_of_many_depths),
		cmocka_unit_test(floats_are_added_in_order),
		cmocka_unit_test(last_block),
		cmocka_unit_test(a_block_waits_for_a_later_one),
		cmocka_unit_test(a_fault_in_a_late_block),
		cmocka_unit_test(a_limit_in_the_middle),
		cmocka_unit_test(a_team_stops_at_the_limit),
		cmocka_unit_test(the_detector_sees_the_same),
		cmocka_unit_test(endless_blocks_are_seen_and_stopped),
		cmocka_unit_test(blocks_in_order_are_seen_and_stopped),
		cmocka_unit_test(a_poll_has_an_address),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
