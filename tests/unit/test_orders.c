/* In which order blocks and warps have their turns: machine/simt/run.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "machine/simt/machine.h"
#include "machine/simt/run.h"

#define ORDERS 34u /* by number, reversed, and random ones */

static struct machine machine_of(const struct simt_launch *launch, uint32_t warps, uint32_t block)
{
	struct machine m = {.launch = launch, .n_warps = warps};
	m.turns.chance = simt_schedule_seed(launch->order, block);
	return m;
}

static void an_order_has_a_name(void **state)
{
	(void)state;
	char name[SIMT_ORDER_TEXT];
	assert_string_equal(simt_order_name(SIMT_ORDER_NUMBERS, name), "by number");
	assert_string_equal(simt_order_name(SIMT_ORDER_REVERSED, name), "reversed");
	assert_string_equal(simt_order_name(SIMT_ORDER_RANDOM, name), "random 1");
	assert_string_equal(simt_order_name(SIMT_ORDER_RANDOM + 30, name), "random 31");
}

static void every_block_begins_once(void **state)
{
	(void)state;
	static const uint64_t counts[] = {1, 2, 3, 7, 8, 30, 31, 64, 210, 1000};
	for (uint32_t order = 0; order < ORDERS; order++) {
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			bool begun[1000] = {false};
			for (uint64_t k = 0; k < counts[i]; k++) {
				uint64_t block = simt_schedule_block(order, k, counts[i]);
				assert_true(block < counts[i]);
				assert_false(begun[block]);
				begun[block] = true;
			}
		}
	}
	assert_true(simt_schedule_block(SIMT_ORDER_RANDOM, 4000000000u, 4294967291u) < 4294967291u);
}

static void orders_by_number_and_reversed_are_what_they_say(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 100; k++) {
		assert_int_equal(simt_schedule_block(SIMT_ORDER_NUMBERS, k, 100), k);
		assert_int_equal(simt_schedule_block(SIMT_ORDER_REVERSED, k, 100), 99 - k);
	}
}

/* The orders of a number of blocks or warps that differ from each other. */
static int count_different(uint32_t n, uint32_t (*at)(uint32_t order, uint32_t k))
{
	static uint32_t seen[ORDERS][64];
	int different = 0;
	for (uint32_t order = 0; order < ORDERS; order++) {
		bool fresh = true;
		for (uint32_t k = 0; k < n; k++)
			seen[order][k] = at(order, k);
		for (uint32_t i = 0; i < order; i++)
			fresh &= memcmp(seen[i], seen[order], n * sizeof **seen) != 0;
		different += fresh;
	}
	return different;
}

static uint32_t block_of_64(uint32_t order, uint32_t k)
{
	return (uint32_t)simt_schedule_block(order, k, 64);
}

static uint32_t warp_of_32(uint32_t order, uint32_t k)
{
	const struct simt_launch launch = {.order = order};
	struct machine m = machine_of(&launch, 32, 0);
	simt_schedule_round(&m);
	return simt_schedule_warp(&m, k);
}

static void random_orders_differ(void **state)
{
	(void)state;
	assert_true(count_different(64, block_of_64) > 30);
	assert_true(count_different(32, warp_of_32) > 20);
}

static void a_round_gives_every_warp_a_turn(void **state)
{
	(void)state;
	for (uint32_t order = 0; order < ORDERS; order++) {
		const struct simt_launch launch = {.order = order};
		for (uint32_t warps = 1; warps <= 32; warps++) {
			struct machine m = machine_of(&launch, warps, 3);
			for (int round = 0; round < 5; round++) {
				uint32_t had = 0;
				simt_schedule_round(&m);
				for (uint32_t turn = 0; turn < warps; turn++) {
					uint32_t warp = simt_schedule_warp(&m, turn);
					assert_true(warp < warps);
					had |= 1u << warp;
					if (order == SIMT_ORDER_NUMBERS)
						assert_int_equal(warp, turn);
					if (order == SIMT_ORDER_REVERSED)
						assert_int_equal(warp, warps - 1 - turn);
				}
				assert_int_equal(had, warps < 32 ? (1u << warps) - 1 : UINT32_MAX);
			}
		}
	}
}

/* Only random orders interrupt warps early and blocks at all: some turns are of one instruction, and some of many. */
static void random_orders_interrupt(void **state)
{
	(void)state;
	for (uint32_t order = 0; order < ORDERS; order++) {
		const struct simt_launch launch = {.order = order};
		struct machine m = machine_of(&launch, 4, 0);
		uint32_t least = UINT32_MAX, most = 0, yields = 0;
		for (int i = 0; i < 1000; i++) {
			uint32_t steps = simt_schedule_steps(&m);
			assert_true(steps);
			least = steps < least ? steps : least;
			most = steps > most ? steps : most;
			yields += simt_schedule_yields(&m);
		}
		if (order < SIMT_ORDER_RANDOM) {
			assert_int_equal(least, most);
			assert_int_equal(yields, 0);
		} else {
			assert_int_equal(least, 1);
			assert_true(most > 1);
			assert_true(yields > 200 && yields < 800);
		}
	}
}

static void the_same_order_is_the_same_again(void **state)
{
	(void)state;
	const struct simt_launch launch = {.order = SIMT_ORDER_RANDOM + 5};
	struct machine a = machine_of(&launch, 8, 2), b = machine_of(&launch, 8, 2), other = machine_of(&launch, 8, 1);
	bool differs = false;
	for (int i = 0; i < 100; i++) {
		uint32_t steps = simt_schedule_steps(&a);
		assert_int_equal(steps, simt_schedule_steps(&b));
		differs |= steps != simt_schedule_steps(&other);
	}
	assert_true(differs);
}

static void a_pick_is_below_its_limit_and_fair(void **state)
{
	(void)state;
	uint64_t chance = simt_schedule_seed(SIMT_ORDER_RANDOM, 0);
	int picked[7] = {0};
	for (int i = 0; i < 7000; i++) {
		uint32_t n = simt_schedule_pick(&chance, 7);
		assert_true(n < 7);
		picked[n]++;
	}
	for (int i = 0; i < 7; i++)
		assert_true(picked[i] > 800 && picked[i] < 1200);
	assert_int_equal(simt_schedule_pick(&chance, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_order_has_a_name),
		cmocka_unit_test(every_block_begins_once),
		cmocka_unit_test(orders_by_number_and_reversed_are_what_they_say),
		cmocka_unit_test(random_orders_differ),
		cmocka_unit_test(a_round_gives_every_warp_a_turn),
		cmocka_unit_test(random_orders_interrupt),
		cmocka_unit_test(the_same_order_is_the_same_again),
		cmocka_unit_test(a_pick_is_below_its_limit_and_fair),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
