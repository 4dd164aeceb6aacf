#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "model/hardware/schedule.h"
#include "model/hardware/timeline.h"

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-6);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

/* Three SMs of one place each: three blocks of 10; SM 1 has two of them, SM 2 none. */
static void blocks_one_place(void **state)
{
	(void)state;
	struct block_span spans[] = {
		{.block = 2, .sm = 1, .start = 10, .end = 20},
		{.block = 0, .sm = 0, .start = 0, .end = 10},
		{.block = 1, .sm = 1, .start = 0, .end = 10},
	};
	struct blocks_timeline b = {
		.origin = {.resolution = 1}, .sms = 3, .resident = 1, .launched = 3, .spans = spans, .n = 3};
	blocks_settle(&b);
	assert_int_equal(b.end, 20);
	assert_int_equal(b.used, 2);
	assert_int_equal(b.slots, 1);
	assert_int_equal(b.waves, 2);
	assert_int_equal(b.tail, 10);
	assert_near(b.idle, 30.0 / 60);
	assert_near(b.tail_idle, 20.0 / 30);
	assert_near(b.full_waves, 1);
	assert_int_equal(spans[0].block, 0);
	assert_int_equal(spans[1].block, 1);
	assert_int_equal(spans[2].block, 2);
	assert_int_equal(spans[2].wave, 1);
	assert_int_equal(spans[2].slot, 0);
}

/* Blocks of one SM that overlap have slots of their own; the lowest free one is taken again. Overlap counts once. */
static void blocks_slots(void **state)
{
	(void)state;
	struct block_span spans[] = {
		{.block = 0, .start = 0, .end = 30},
		{.block = 1, .start = 0, .end = 10},
		{.block = 2, .start = 0, .end = 20},
		{.block = 3, .start = 10, .end = 40},
		{.block = 4, .start = 30, .end = 35},
	};
	static const uint32_t slots[] = {0, 1, 2, 1, 0}, waves[] = {0, 0, 0, 1, 1};
	struct blocks_timeline b = {.origin = {.resolution = 1}, .sms = 1, .launched = 5, .spans = spans, .n = 5};
	blocks_settle(&b);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(spans[i].block, i);
		assert_int_equal(spans[i].slot, slots[i]);
		assert_int_equal(spans[i].wave, waves[i]);
	}
	assert_int_equal(b.slots, 3);
	assert_int_equal(b.tail, 40);
	assert_near(b.idle, 0);
	assert_near(b.tail_idle, 0);
	assert_near(b.full_waves, 5.0 / 3);
}

/* By a clock that ticks every 32 ns, a block can seem to start before the one whose place it has ended. */
static void blocks_resolution(void **state)
{
	(void)state;
	struct block_span spans[] = {{.block = 0, .start = 0, .end = 128}, {.block = 1, .start = 97, .end = 200}};
	struct blocks_timeline b = {.origin = {.resolution = 32}, .sms = 1, .launched = 2, .spans = spans, .n = 2};
	blocks_settle(&b);
	assert_int_equal(b.slots, 1);
	assert_int_equal(spans[1].wave, 1);
	b.origin.resolution = 31;
	blocks_settle(&b);
	assert_int_equal(b.slots, 2);
}

static void blocks_none(void **state)
{
	(void)state;
	struct blocks_timeline b = {.origin = {.resolution = 1}, .sms = 4};
	blocks_settle(&b);
	assert_int_equal(b.end, 0);
	assert_int_equal(b.waves, 0);
	assert_near(b.idle, 0);
	assert_near(b.full_waves, 0);
	/* a worker that says fewer SMs than it has */
	struct block_span span = {.block = 0, .sm = 9, .start = 0, .end = 1};
	b.spans = &span;
	b.n = b.launched = 1;
	blocks_settle(&b);
	assert_int_equal(b.sms, 10);
}

/* --- blocks: the model -------------------------------------------------------------------------------------------- */

static struct blocks_timeline *place(
	struct arena *arena, uint32_t sms, uint32_t resident, const double *cycles, size_t n)
{
	return blocks_place(arena, &(struct blocks_input){sms, resident, n, cycles, n});
}

static const struct block_span *span_of(const struct blocks_timeline *t, uint32_t block)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->spans[i].block == block)
			return &t->spans[i];
	fail_msg("no block %u", block);
	return NULL;
}

/* 2 SMs of 2 places, 9 blocks of 10: two full waves, and a tail of one block. */
static void placed_in_waves(void **state)
{
	(void)state;
	static const double cycles[] = {10, 10, 10, 10, 10, 10, 10, 10, 10};
	static const uint32_t sms[] = {0, 1, 0, 1, 0, 1, 0, 1, 0}, waves[] = {0, 0, 0, 0, 1, 1, 1, 1, 2};
	struct arena *arena = arena_new();
	struct blocks_timeline *t = place(arena, 2, 2, cycles, 9);
	for (uint32_t i = 0; i < 9; i++) {
		assert_int_equal(span_of(t, i)->sm, sms[i]);
		assert_int_equal(span_of(t, i)->wave, waves[i]);
		assert_int_equal(span_of(t, i)->start, 10 * waves[i]);
		assert_int_equal(span_of(t, i)->end, 10 * waves[i] + 10);
	}
	assert_int_equal(t->end, 30);
	assert_int_equal(t->tail, 20);
	assert_near(t->full_waves, 2.25);
	assert_near(t->idle, 10.0 / 60);
	assert_near(t->tail_idle, 0.5);
	assert_null(t->origin.cut);
	assert_int_equal(t->origin.witness, WITNESS_MODEL);
	arena_free(arena);
}

/* The next block goes where one ends first. */
static void placed_where_free(void **state)
{
	(void)state;
	static const double cycles[] = {30, 10, 10, 5, 0.2};
	struct arena *arena = arena_new();
	struct blocks_timeline *t = place(arena, 2, 1, cycles, 5);
	assert_int_equal(span_of(t, 2)->sm, 1);
	assert_int_equal(span_of(t, 2)->start, 10);
	assert_int_equal(span_of(t, 3)->start, 20);
	assert_int_equal(span_of(t, 4)->start, 25);
	assert_int_equal(span_of(t, 4)->end, 26); /* a cycle at least */
	assert_int_equal(t->end, 30);
	assert_int_equal(t->tail, 26);
	arena_free(arena);
}

static void placed_the_first(void **state)
{
	(void)state;
	static const double cycles[] = {1, 1};
	struct arena *arena = arena_new();
	struct blocks_timeline *t = blocks_place(arena, &(struct blocks_input){132, 8, 1000000, cycles, 2});
	assert_string_equal(t->origin.cut, "the first 2 of 1000000 blocks");
	assert_int_equal(t->used, 2);
	assert_int_equal(t->sms, 132);
	t = blocks_place(arena, &(struct blocks_input){1, 1, 0, cycles, 0});
	assert_int_equal(t->end, 0);
	arena_free(arena);
}

/* --- masks -------------------------------------------------------------------------------------------------------- */

static struct mask_timeline settle(struct mask_step *steps, size_t n, uint32_t lanes)
{
	struct mask_timeline mask = {.origin = {.resolution = 1}, .lanes = lanes, .steps = steps, .n = n};
	mask_settle(&mask);
	return mask;
}

/* if (lane < 16) { if (lane < 8) 4; else 5; 6; } else 7; 8 */
static void mask_nested(void **state)
{
	(void)state;
	struct mask_step steps[] = {
		{.line = 2, .lanes = 0xFFFFFFFF},
		{.line = 3, .lanes = 0x0000FFFF},
		{.line = 4, .lanes = 0x000000FF},
		{.line = 5, .lanes = 0x0000FF00},
		{.line = 6, .lanes = 0x0000FFFF},
		{.line = 7, .lanes = 0xFFFF0000},
		{.line = 8, .lanes = 0xFFFFFFFF},
	};
	static const enum mask_relation relations[] = {
		MASK_SAME, MASK_DIVERGED, MASK_DIVERGED, MASK_OTHER, MASK_RECONVERGED, MASK_OTHER, MASK_RECONVERGED};
	struct mask_timeline mask = settle(steps, 7, 0xFFFFFFFF);
	assert_int_equal(mask.n, 7);
	for (int i = 0; i < 7; i++)
		assert_int_equal(steps[i].relation, relations[i]);
}

/* Lanes that ended are not missed: what goes on without them has not diverged. */
static void mask_exits(void **state)
{
	(void)state;
	struct mask_step steps[] = {
		{.line = 1, .lanes = 0xFF},
		{.line = 2, .lanes = 0x0F, .what = MASK_EXIT},
		{.line = 3, .lanes = 0xF0},
		{.line = 4, .lanes = 0x30},
		{.line = 5, .lanes = 0xF0},
		{.line = 6, .lanes = 0xF0, .what = MASK_EXIT},
	};
	static const enum mask_relation relations[] = {
		MASK_SAME, MASK_DIVERGED, MASK_OTHER, MASK_DIVERGED, MASK_RECONVERGED, MASK_SAME};
	settle(steps, 6, 0xFF);
	for (int i = 0; i < 6; i++)
		assert_int_equal(steps[i].relation, relations[i]);

	struct mask_step shrinking[] = {{.line = 1, .lanes = 0xF}, {.line = 2, .lanes = 0xF},
		{.line = 2, .lanes = 0x1, .what = MASK_EXIT}, {.line = 3, .lanes = 0xE}};
	settle(shrinking, 4, 0xF);
	assert_int_equal(shrinking[3].relation, MASK_OTHER);
}

static void mask_loops(void **state)
{
	(void)state;
	/* 1 (2 3)x3 4 4 5 */
	struct mask_step steps[] = {
		{.time = 0, .line = 1, .lanes = 1},
		{.time = 1, .line = 2, .lanes = 1},
		{.time = 2, .line = 3, .lanes = 1},
		{.time = 3, .line = 2, .lanes = 1},
		{.time = 4, .line = 3, .lanes = 1},
		{.time = 5, .line = 2, .lanes = 1},
		{.time = 6, .line = 3, .lanes = 1},
		{.time = 7, .line = 4, .lanes = 1},
		{.time = 8, .line = 4, .lanes = 1},
		{.time = 9, .line = 5, .lanes = 1},
	};
	struct mask_timeline mask = settle(steps, 10, 1);
	assert_int_equal(mask.n, 5);
	assert_int_equal(steps[1].repeats, 1);
	assert_int_equal(steps[2].line, 3);
	assert_int_equal(steps[2].time, 2);
	assert_int_equal(steps[2].repeats, 3);
	assert_int_equal(steps[2].group, 2);
	assert_int_equal(steps[3].repeats, 2);
	assert_int_equal(steps[3].group, 1);
	assert_int_equal(steps[4].line, 5);
}

/* Another mask is another step: a loop that lanes leave one after the other is not folded. */
static void mask_loop_diverges(void **state)
{
	(void)state;
	struct mask_step steps[] = {{.line = 2, .lanes = 0xF}, {.line = 2, .lanes = 0xE}, {.line = 2, .lanes = 0xC},
		{.line = 2, .lanes = 0xC}};
	struct mask_timeline mask = settle(steps, 4, 0xF);
	assert_int_equal(mask.n, 3);
	assert_int_equal(steps[1].relation, MASK_DIVERGED);
	assert_int_equal(steps[2].repeats, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_one_place),
		cmocka_unit_test(blocks_slots),
		cmocka_unit_test(blocks_resolution),
		cmocka_unit_test(blocks_none),
		cmocka_unit_test(placed_in_waves),
		cmocka_unit_test(placed_where_free),
		cmocka_unit_test(placed_the_first),
		cmocka_unit_test(mask_nested),
		cmocka_unit_test(mask_exits),
		cmocka_unit_test(mask_loops),
		cmocka_unit_test(mask_loop_diverges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
