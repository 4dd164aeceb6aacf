#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/hardware/schedule.h"

/* A program of few instructions by letter, so that a trace is a word. Register 0 is written by capitals, read by their
 * small letters; 'i' and 'x' are of registers of their own. */
#define OP(id, ends_it, at, list, n, written)                                                                          \
	{                                                                                                              \
		.latency = LATENCY_##id, .ends = ends_it, .line = at, .registers = list, .n_registers = n,             \
		.n_written = written                                                                                   \
	}
static const uint32_t r0[] = {0}, r1[] = {1}, r2[] = {2};
enum {
	FMA_W,
	FMA_R,
	FMA_X,
	INT_X,
	LOAD_G,
	LOAD_S,
	STORE_S,
	BAR,
	BRA,
	EXIT,
	MEMBAR,
	STORE_G,
	XU_W,
	FETCH,
	COMMIT,
	WAIT_ONE,
	WAIT_ALL,
	SETP_W,
	BRA_R,
	SHUFFLE_W
};
static const struct schedule_op ops[] = {
	[FMA_W] = OP(FMA, false, 1, r0, 1, 1),
	[FMA_R] = OP(FMA, false, 2, r0, 1, 0),
	[FMA_X] = OP(FMA, false, 3, r1, 1, 0),
	[INT_X] = OP(ALU, false, 4, r2, 1, 0),
	[LOAD_G] = OP(GLOBAL, false, 5, r0, 1, 1),
	[LOAD_S] = OP(SHARED, false, 6, r0, 1, 1),
	[STORE_S] = OP(SHARED, false, 7, r1, 1, 0),
	[BAR] = OP(BARRIER, false, 8, NULL, 0, 0),
	[BRA] = OP(BRANCH, false, 9, NULL, 0, 0),
	[EXIT] = OP(FREE, true, 10, NULL, 0, 0),
	[MEMBAR] = OP(FENCE, false, 11, NULL, 0, 0),
	[STORE_G] = OP(GLOBAL, false, 12, r1, 1, 0),
	[XU_W] = OP(SPECIAL, false, 13, r0, 1, 1),
	[FETCH] = {.latency = LATENCY_GLOBAL, .line = 14, .async = SCHEDULE_FETCH},
	[COMMIT] = {.latency = LATENCY_FREE, .line = 15, .async = SCHEDULE_FETCH_COMMIT},
	[WAIT_ONE] = {.latency = LATENCY_FENCE, .line = 16, .async = SCHEDULE_FETCH_WAIT, .keeps = 1},
	[WAIT_ALL] = {.latency = LATENCY_FENCE, .line = 17, .async = SCHEDULE_FETCH_WAIT},
	[SETP_W] = OP(ALU, false, 18, r0, 1, 1),
	[BRA_R] = {.latency = LATENCY_BRANCH, .line = 19, .registers = r0, .n_registers = 1, .guard = 1},
	[SHUFFLE_W] = OP(SHUFFLE, false, 20, r0, 1, 1),
};
static const char letters[] = "FfxiGSsBbE|gXc,wWPJH";

#define STEPS 64
#define WARPS 9
struct fixture {
	struct schedule_step steps[WARPS][STEPS];
	struct schedule_warp warps[WARPS];
	struct schedule_input in;
	struct arena *arena;
	struct schedule_timeline *t;
};

/* Each word is a warp: letters of instructions, a digit after one of memory its passes. `per_block` warps are a
 * block. */
static void run(struct fixture *f, int per_block, const char *const *words)
{
	memset(f, 0, sizeof *f);
	for (; words[f->in.n_warps]; f->in.n_warps++) {
		int w = f->in.n_warps;
		struct schedule_warp *warp = &f->warps[w];
		*warp = (struct schedule_warp){
			.block = (uint32_t)(w / per_block), .warp = (uint32_t)(w % per_block), .steps = f->steps[w]};
		for (const char *p = words[w]; *p; p++) {
			if (*p >= '0' && *p <= '9') {
				f->steps[w][warp->n - 1].passes = (uint16_t)(*p - '0');
				continue;
			}
			uint32_t op = (uint32_t)(strchr(letters, *p) - letters);
			f->steps[w][warp->n++] = (struct schedule_step){
				.op = op, .lanes = 0xFFFFFFFF, .latency = ops[op].latency};
		}
		warp->executed = warp->n;
	}
	f->in.ops = ops;
	f->in.n_registers = 3;
	f->in.warps = f->warps;
	f->arena = arena_new();
	f->t = schedule_run(f->arena, &f->in);
}

static const struct warp_row *row_of(const struct fixture *f, int slot)
{
	for (int i = 0; i < f->t->n_rows; i++)
		if (f->t->rows[i].slot == (uint32_t)slot)
			return &f->t->rows[i];
	fail_msg("no row of slot %d", slot);
	return NULL;
}

/* A warp's life as text: a letter of phases.def and how many cycles, "#1-3#1". Checks that nothing is missing in
 * between. */
static void expect_life(const struct fixture *f, int slot, const char *expected)
{
	char text[512] = "";
	size_t len = 0;
	uint64_t at = 0;
	const struct warp_row *row = row_of(f, slot);
	for (size_t i = 0; i < row->n; i++) {
		const struct phase_span *s = &row->spans[i];
		assert_int_equal(s->start, at);
		at = s->end;
		/* lines are not looked at here: spans of one phase are one */
		uint64_t n = s->end - s->start;
		while (i + 1 < row->n && row->spans[i + 1].phase == s->phase && row->spans[i + 1].start == at) {
			i++;
			n += row->spans[i].end - row->spans[i].start;
			at = row->spans[i].end;
		}
		len += (size_t)snprintf(
			text + len, sizeof text - len, "%c%u", phase_table[s->phase].letter, (unsigned)n);
	}
	assert_string_equal(text, expected);
	assert_int_equal(row->end, at);
	assert_int_equal(row->scheduler, slot % 4);
}

static void expect(int per_block, const char *const *words, const char *const *lives)
{
	struct fixture f;
	run(&f, per_block, words);
	for (int i = 0; lives[i]; i++)
		expect_life(&f, i, lives[i]);
	assert_int_equal(f.t->n_rows, f.in.n_warps);
	arena_free(f.arena);
}
#define LIST(...)                                                                                                      \
	(const char *const[])                                                                                          \
	{                                                                                                              \
		__VA_ARGS__, NULL                                                                                      \
	}

/* --- one warp ----------------------------------------------------------------------------------------------------- */

static void one_a_cycle(void **state)
{
	(void)state;
	expect(1, LIST("xxxx"), LIST("#4"));
}

static void a_result_takes_four_cycles(void **state)
{
	(void)state;
	expect(1, LIST("Ff"), LIST("#1-3#1"));
	/* what does not need it goes on meanwhile, and shortens the wait */
	expect(1, LIST("Fxxf"), LIST("#3-1#1"));
	/* written again: the later write is waited for */
	expect(1, LIST("FF"), LIST("#1-3#1"));
}

static void a_pipe_is_taken(void **state)
{
	(void)state;
	/* 64 integer results a cycle: a warp's 32 take a scheduler's 16 lanes two cycles */
	expect(1, LIST("iii"), LIST("#1p1#1p1#1"));
	expect(1, LIST("ixi"), LIST("#3"));
}

static void memory_takes_its_time(void **state)
{
	(void)state;
	expect(1, LIST("Gf"), LIST("#1g654#1"));
	expect(1, LIST("G4f"), LIST("#1g657#1"));
	expect(1, LIST("Sf"), LIST("#1s22#1"));
	expect(1, LIST("S8f"), LIST("#1s29#1"));
	expect(1, LIST("Hf"), LIST("#1h25#1")); /* of a shuffle, which is no access to memory */
	/* no instruction waits for a store, but the next access waits for the pipe while it makes its passes */
	expect(1, LIST("s4xx"), LIST("#3"));
	expect(1, LIST("s4s"), LIST("#1p3#1"));
}

static void a_fence_waits_for_stores(void **state)
{
	(void)state;
	expect(1, LIST("g|x"), LIST("#2g653#1"));
	expect(1, LIST("|x"), LIST("#2"));
}

static void a_wait_leaves_copies_under_way(void **state)
{
	(void)state;
	expect(1, LIST("c,c,wx"), LIST("#5g650#1")); /* the first */
	expect(1, LIST("c,c,Wx"), LIST("#5g652#1"));
	expect(1, LIST("c,wx"), LIST("#4"));
}

static void a_branch_is_waited_for(void **state)
{
	(void)state;
	expect(1, LIST("bx"), LIST("#1-7#1"));
}

/* ptxas puts 13 cycles between a comparison and a branch that needs it; before anything else it takes 4. */
static void a_branch_waits_longer_for_its_comparison(void **state)
{
	(void)state;
	expect(1, LIST("PJx"), LIST("#1-12#1-7#1"));
	expect(1, LIST("Pf"), LIST("#1-3#1"));
	expect(1, LIST("PxxxxxxxxJ"), LIST("#9-4#1"));
	/* nothing has been compared yet */
	expect(1, LIST("J"), LIST("#1"));
}

/* --- several warps ------------------------------------------------------------------------------------------------ */

/* Slots 0, 4 and 8 are scheduler 0's; the others' warps do not get in their way. */
static void round_robin(void **state)
{
	(void)state;
	expect(1, LIST("xx", "xx", "xx", "xx", "xx", "xx", "xx", "xx", "xx"),
		LIST("#1e2#1", "#1e1#1", "#1e1#1", "#1e1#1", "e1#1e2#1", "e1#1e1#1", "e1#1e1#1", "e1#1e1#1",
			"e2#1e2#1"));
}

static void others_hide_a_latency(void **state)
{
	(void)state;
	struct fixture f;
	/* of one scheduler: 0 and 4 */
	run(&f, 1, LIST("Ff", "E", "E", "E", "Ff"));
	expect_life(&f, 0, "#1-3#1");
	expect_life(&f, 4, "e1#1-3#1");
	assert_int_equal(f.t->end, 6);
	assert_int_equal(f.t->issued[0], 4);
	assert_int_equal(f.t->issued[1], 1);
	arena_free(f.arena);
}

/* The pipe to memory is the SM's: schedulers 0 to 3 come to it one after the other. */
static void one_pipe_to_memory(void **state)
{
	(void)state;
	expect(1, LIST("s", "s", "s", "s"), LIST("#1", "p1#1", "p2#1", "p3#1"));
	expect(1, LIST("s2", "x", "s"), LIST("#1", "#1", "p2#1"));
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

static void a_barrier_waits_for_all(void **state)
{
	(void)state;
	/* the second comes in cycle 5; both go on 15 cycles after that */
	expect(2, LIST("xBx", "FfBx"), LIST("#2b18#1", "#1-3#2b14#1"));
	/* other blocks do not wait */
	expect(1, LIST("xBx", "FfBx"), LIST("#2b14#1", "#1-3#2b14#1"));
	/* who has ended is not waited for, whether before or after */
	expect(2, LIST("x", "FfBx"), LIST("#1", "#1-3#2b14#1"));
	expect(2, LIST("xBx", "Ff"), LIST("#2b17#1", "#1-3#1"));
}

static void a_load_after_a_barrier(void **state)
{
	(void)state;
	/* 15 cycles of the barrier, then the rest of the load's 655 */
	expect(1, LIST("GBf"), LIST("#2b14g639#1"));
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static void nothing_at_all(void **state)
{
	(void)state;
	struct fixture f;
	run(&f, 1, LIST("", "x"));
	assert_int_equal(row_of(&f, 0)->n, 0);
	expect_life(&f, 1, "#1");
	arena_free(f.arena);
	memset(&f, 0, sizeof f);
	f.arena = arena_new();
	f.t = schedule_run(f.arena, &f.in);
	assert_int_equal(f.t->n_rows, 0);
	assert_int_equal(f.t->end, 0);
	arena_free(f.arena);
}

static void rows_are_by_scheduler(void **state)
{
	(void)state;
	struct fixture f;
	run(&f, 3, LIST("x", "x", "x", "x", "x", "x"));
	static const struct {
		uint32_t slot, block, warp;
	} rows[] = {{0, 0, 0}, {4, 1, 1}, {1, 0, 1}, {5, 1, 2}, {2, 0, 2}, {3, 1, 0}};
	for (int i = 0; i < 6; i++) {
		assert_int_equal(f.t->rows[i].slot, rows[i].slot);
		assert_int_equal(f.t->rows[i].block, rows[i].block);
		assert_int_equal(f.t->rows[i].warp, rows[i].warp);
	}
	assert_int_equal(f.t->origin.witness, WITNESS_MODEL);
	arena_free(f.arena);
}

static void passes(void **state)
{
	(void)state;
	assert_int_equal(schedule_passes(0, 0), 1);
	assert_int_equal(schedule_passes(1, 0), 1);
	assert_int_equal(schedule_passes(32, 0), 32);
	assert_int_equal(schedule_passes(0, 4), 2);
	assert_int_equal(schedule_passes(0, 5), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_a_cycle),
		cmocka_unit_test(a_result_takes_four_cycles),
		cmocka_unit_test(a_pipe_is_taken),
		cmocka_unit_test(memory_takes_its_time),
		cmocka_unit_test(a_fence_waits_for_stores),
		cmocka_unit_test(a_wait_leaves_copies_under_way),
		cmocka_unit_test(a_branch_is_waited_for),
		cmocka_unit_test(a_branch_waits_longer_for_its_comparison),
		cmocka_unit_test(round_robin),
		cmocka_unit_test(others_hide_a_latency),
		cmocka_unit_test(one_pipe_to_memory),
		cmocka_unit_test(a_barrier_waits_for_all),
		cmocka_unit_test(a_load_after_a_barrier),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(rows_are_by_scheduler),
		cmocka_unit_test(passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
