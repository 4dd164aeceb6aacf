/* What strong accesses observe of each other: machine/race/location.h. Accesses are weak, and ordered by nothing
 * else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/race/detector.h"

#define WARPS 4
#define AT 64 /* bytes */
#define WORD (AT / 4)

static const struct race_order exchange = {.strong = true,
	.observable = true,
	.observes = true,
	.scope = RACE_SCOPE_GPU,
	.size = 4};
static const struct race_order reduction = {.strong = true, .observable = true, .scope = RACE_SCOPE_GPU, .size = 4};
static const struct race_order wide = {.strong = true,
	.observable = true,
	.observes = true,
	.scope = RACE_SCOPE_GPU,
	.size = 8};
static const struct race_order half = {.strong = true,
	.observable = true,
	.observes = true,
	.scope = RACE_SCOPE_GPU,
	.size = 2};
static const struct race_order narrow = {.strong = true,
	.observable = true,
	.observes = true,
	.scope = RACE_SCOPE_CTA,
	.size = 4};

struct bench {
	struct race_grid *grid;
	struct race_detector *detector;
};

static void on_finding(void *ctx, const struct race_finding *finding)
{
	(void)ctx;
	(void)finding;
}

static void start(struct bench *b)
{
	struct race_setup setup = {.blocks = 4,
		.threads = WARPS * 32,
		.shared_bytes = 1024,
		.races = true,
		.order = &exchange,
		.n_instrs = 1};
	b->grid = race_grid_new(&setup);
	b->detector = race_detector_new(b->grid, on_finding, b);
	race_block_start(b->detector, 0);
}

static void done(struct bench *b)
{
	race_detector_free(b->detector);
	race_grid_free(b->grid);
}

/* A strong access by a lane; returns what a shadow entry of it would be. */
static struct shadow_access strong_at(struct bench *b, enum mem_space space, enum access_op op,
	const struct race_order *order, uint32_t warp, int lane, uint64_t address)
{
	struct warp_access a = {.active = 1u << lane, .space = space, .op = op, .width = order->size};
	const struct race_site site = {0, 0, warp, 0, 0, false};
	a.address[lane] = address;
	race_observe(b->detector, &site, &a, order);
	return (struct shadow_access){.epoch = b->detector->warps[warp].epoch,
		.warps = 1u << warp,
		.lanes = 1u << lane,
		.kind = SHADOW_STRONG | (op == ACCESS_LOAD ? 0 : SHADOW_WRITES),
		.size = order->size,
		.chain = race_observed_chain(b->detector, space, address / 4)};
}

static struct shadow_access strong(
	struct bench *b, enum access_op op, const struct race_order *order, uint32_t warp, int lane)
{
	return strong_at(b, SPACE_SHARED, op, order, warp, lane, AT);
}

static bool comes_after(struct bench *b, uint32_t warp, int lane, const struct shadow_access *write)
{
	return race_observed(b->detector, SPACE_SHARED, WORD, warp, lane, write);
}

/* --- one chain ---------------------------------------------------------------------------------------------------- */

static void who_observes_a_write_comes_after_it(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_ATOMIC, &exchange, 0, 3);
	struct shadow_access second = strong(&b, ACCESS_ATOMIC, &exchange, 1, 5);
	assert_true(comes_after(&b, 1, 5, &first));
	assert_false(comes_after(&b, 0, 3, &second)); /* which it did not see */
	assert_false(comes_after(&b, 1, 6, &first));  /* another lane */
	assert_false(comes_after(&b, 2, 5, &first));  /* another warp */
	done(&b);
}

static void a_load_observes_all_of_the_chain(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_STORE, &reduction, 0, 0);
	struct shadow_access second = strong(&b, ACCESS_ATOMIC, &exchange, 1, 0);
	strong(&b, ACCESS_LOAD, &exchange, 2, 7);
	assert_true(comes_after(&b, 2, 7, &first));
	assert_true(comes_after(&b, 2, 7, &second));
	assert_false(comes_after(&b, 2, 8, &second));
	done(&b);
}

static void what_a_kernel_does_not_use_does_not_observe(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_ATOMIC, &reduction, 0, 0);
	struct shadow_access second = strong(&b, ACCESS_ATOMIC, &reduction, 1, 0);
	assert_false(comes_after(&b, 1, 0, &first));
	strong(&b, ACCESS_ATOMIC, &exchange, 2, 0); /* but it is observed */
	assert_true(comes_after(&b, 2, 0, &first));
	assert_true(comes_after(&b, 2, 0, &second));
	done(&b);
}

static void barriers_pass_it_on(void **state)
{
	(void)state;
	struct bench b;
	const uint32_t live[WARPS] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_ATOMIC, &exchange, 0, 3);
	strong(&b, ACCESS_LOAD, &exchange, 1, 5);
	assert_false(comes_after(&b, 2, 9, &first));
	for (uint32_t w = 0; w < WARPS; w++)
		race_barrier_arrive(b.detector, 0, w, live[w]);
	race_barrier_complete(b.detector, 0, live, live);
	assert_true(comes_after(&b, 2, 9, &first));
	done(&b);
}

/* --- chains that begin anew --------------------------------------------------------------------------------------- */

static void a_store_begins_a_new_chain(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access old = strong(&b, ACCESS_ATOMIC, &exchange, 0, 0);
	strong(&b, ACCESS_LOAD, &exchange, 1, 0);
	struct shadow_access fresh = strong(&b, ACCESS_STORE, &reduction, 2, 0);
	assert_int_not_equal(old.chain, fresh.chain);
	strong(&b, ACCESS_LOAD, &exchange, 3, 0);
	assert_true(comes_after(&b, 3, 0, &fresh));
	assert_false(comes_after(&b, 3, 0, &old)); /* it read the store alone, which had not observed the old one */
	assert_false(comes_after(&b, 1, 0, &fresh));
	done(&b);
}

static void a_store_by_who_observed_takes_the_old_chain_along(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access old = strong(&b, ACCESS_ATOMIC, &exchange, 0, 0);
	strong(&b, ACCESS_LOAD, &exchange, 1, 0);
	strong(&b, ACCESS_STORE, &reduction, 1, 0);
	assert_true(comes_after(&b, 1, 0, &old));
	assert_false(comes_after(&b, 2, 0, &old));
	done(&b);
}

static void accesses_of_another_size_or_place_observe_nothing(void **state)
{
	(void)state;
	static const struct {
		const struct race_order *order;
		uint64_t address;
	} others[] = {{&wide, AT}, {&half, AT}, {&half, AT + 2}};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct bench b;
		start(&b);
		struct shadow_access first = strong(&b, ACCESS_ATOMIC, &exchange, 0, 0);
		strong_at(&b, SPACE_SHARED, ACCESS_LOAD, others[i].order, 1, 0, others[i].address);
		assert_false(comes_after(&b, 1, 0, &first));
		struct shadow_access other = strong_at(
			&b, SPACE_SHARED, ACCESS_ATOMIC, others[i].order, 1, 0, others[i].address);
		assert_false(comes_after(&b, 1, 0, &first));
		assert_int_not_equal(first.chain, other.chain);
		done(&b);
	}
}

static void eight_bytes_are_found_at_both_words(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_ATOMIC, &wide, 0, 0);
	strong(&b, ACCESS_LOAD, &wide, 1, 0);
	assert_true(race_observed(b.detector, SPACE_SHARED, WORD, 1, 0, &first));
	assert_true(race_observed(b.detector, SPACE_SHARED, WORD + 1, 1, 0, &first));
	assert_false(race_observed(b.detector, SPACE_SHARED, WORD + 2, 1, 0, &first));
	done(&b);
}

static void a_word_without_strong_writes_orders_nothing(void **state)
{
	(void)state;
	struct bench b;
	const struct shadow_access write = {.epoch = 1, .warps = 1, .lanes = 1, .kind = SHADOW_STRONG | SHADOW_WRITES};
	start(&b);
	strong(&b, ACCESS_LOAD, &exchange, 1, 0);
	assert_false(comes_after(&b, 1, 0, &write));
	assert_int_equal(race_observed_chain(b.detector, SPACE_SHARED, WORD), 0);
	done(&b);
}

/* Readers that are forgotten count as not having observed. */
static void readers_are_kept_up_to_a_limit(void **state)
{
	(void)state;
	struct bench b;
	int known = 0;
	start(&b);
	struct shadow_access first = strong(&b, ACCESS_ATOMIC, &reduction, 0, 0);
	for (uint32_t i = 0; i < 3 * OBSERVERS_MAX; i++) {
		b.detector->warps[1].epoch = race_tick(b.detector); /* looks of one warp at one epoch are one reader */
		strong(&b, ACCESS_LOAD, &exchange, 1, (int)i);
		assert_true(comes_after(&b, 1, (int)i, &first));
	}
	for (int i = 0; i < 3 * OBSERVERS_MAX; i++)
		known += comes_after(&b, 1, i, &first);
	assert_int_equal(known, OBSERVERS_MAX);
	done(&b);
}

/* --- between blocks ----------------------------------------------------------------------------------------------- */

static void writes_to_global_memory_are_numbered(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	assert_int_equal(race_last_write(b.detector, WORD).to, 0);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &exchange, 0, 0, AT);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &exchange, 0, 1, AT);
	assert_int_equal(race_last_write(b.detector, WORD).to, 2);
	race_block_end(b.detector);
	race_block_start(b.detector, 1);
	struct write_range none = race_observed_writes(b.detector, WORD, 0, 0);
	assert_int_equal(none.from, none.to);
	assert_false(b.grid->relies);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &exchange, 0, 0, AT);
	struct write_range seen = race_observed_writes(b.detector, WORD, 0, 0);
	assert_int_equal(seen.from, 0);
	assert_int_equal(seen.to, 3);
	assert_true(b.grid->relies);
	assert_false(race_observed_anew(b.detector, WORD)); /* nothing was written since */
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &exchange, 1, 0, AT);
	assert_true(race_observed_anew(b.detector, WORD));
	assert_false(race_observed_anew(b.detector, WORD)); /* once */
	done(&b);
}

static void a_scope_of_one_block_observes_nothing_of_others(void **state)
{
	(void)state;
	struct bench b;
	start(&b);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &narrow, 0, 0, AT);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &narrow, 1, 0, AT);
	assert_int_equal(race_observed_writes(b.detector, WORD, 1, 0).to, 2); /* of its own block it does */
	race_block_end(b.detector);
	race_block_start(b.detector, 1);
	strong_at(&b, SPACE_GLOBAL, ACCESS_ATOMIC, &narrow, 0, 0, AT);
	struct write_range seen = race_observed_writes(b.detector, WORD, 0, 0);
	assert_int_equal(seen.from, 2); /* a chain of its own */
	assert_int_equal(seen.to, 3);
	done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_observes_a_write_comes_after_it),
		cmocka_unit_test(a_load_observes_all_of_the_chain),
		cmocka_unit_test(what_a_kernel_does_not_use_does_not_observe),
		cmocka_unit_test(barriers_pass_it_on),
		cmocka_unit_test(a_store_begins_a_new_chain),
		cmocka_unit_test(a_store_by_who_observed_takes_the_old_chain_along),
		cmocka_unit_test(accesses_of_another_size_or_place_observe_nothing),
		cmocka_unit_test(eight_bytes_are_found_at_both_words),
		cmocka_unit_test(a_word_without_strong_writes_orders_nothing),
		cmocka_unit_test(readers_are_kept_up_to_a_limit),
		cmocka_unit_test(writes_to_global_memory_are_numbered),
		cmocka_unit_test(a_scope_of_one_block_observes_nothing_of_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
