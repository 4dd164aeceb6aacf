#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/race/race.h"
#include "machine/race/detector.h"
#include "machine/race/vector_clock.h"

/* --- a detector, and what it found -------------------------------------------------------------------------------- */

enum {
	PLAIN,
	VOLATILE,
	STRONG,
	STRONG_CTA,
	ACQUIRE,
	RELEASE,
	SPINS,
	LATER,
	STRONG_WIDE,
	COPY,
	FENCE_CTA,
	FENCE_GPU,
	ARRIVE,
	WAIT,
	ORDERS
};

static const struct race_order orders[ORDERS] = {
	[VOLATILE] = {.strong = true, .is_volatile = true, .scope = RACE_SCOPE_GPU},
	[STRONG] = {.strong = true, .scope = RACE_SCOPE_GPU},
	[STRONG_CTA] = {.strong = true, .scope = RACE_SCOPE_CTA},
	[ACQUIRE] = {.strong = true, .scope = RACE_SCOPE_GPU, .acquires = true},
	[RELEASE] = {.strong = true, .scope = RACE_SCOPE_GPU, .releases = true},
	[STRONG_WIDE] = {.strong = true, .scope = RACE_SCOPE_GPU, .size = 8},
	[FENCE_CTA] = {.is_fence = true, .scope = RACE_SCOPE_CTA},
	[FENCE_GPU] = {.is_fence = true, .scope = RACE_SCOPE_GPU},
	[COPY] = {.ends_copy = true},
	[ARRIVE] = {.strong = true, .scope = RACE_SCOPE_CTA, .size = 8, .releases = true, .arrives = true},
	[WAIT] = {.strong = true, .scope = RACE_SCOPE_CTA, .size = 8, .acquires = true, .waits = true},
	[SPINS] = {.strong = true, .is_volatile = true, .scope = RACE_SCOPE_GPU, .spins = true},
};

#define BYTES 4096
#define WARPS 4
#define ALL UINT32_MAX
#define LANE(n) (1u << (n))

struct bench {
	struct race_grid *grid;
	struct race_detector *detector;
	uint8_t memory[BYTES]; /* shared or global, as it is now */
	uint32_t live[WARPS];
	struct race_finding found[16];
	int n_found;
};

static void on_finding(void *ctx, const struct race_finding *finding)
{
	struct bench *b = ctx;
	if (b->n_found < 16)
		b->found[b->n_found++] = *finding;
}

/* A kernel of the first instructions of them. */
static void start_with(struct bench *b, uint64_t blocks, uint32_t n_instrs)
{
	struct race_setup setup = {.blocks = blocks,
		.threads = WARPS * 32,
		.shared_bytes = BYTES,
		.local_bytes = 64,
		.races = true,
		.uninitialized = false,
		.order = orders,
		.n_instrs = n_instrs};
	memset(b, 0, sizeof *b);
	for (int w = 0; w < WARPS; w++)
		b->live[w] = ALL;
	b->grid = race_grid_new(&setup);
	b->detector = race_detector_new(b->grid, on_finding, b);
	race_block_start(b->detector, 0);
}

static void start(struct bench *b, uint64_t blocks)
{
	start_with(b, blocks, ORDERS);
}

static void done(struct bench *b)
{
	race_detector_free(b->detector);
	race_grid_free(b->grid);
}

static void expect_clean(const struct bench *b)
{
	if (b->n_found)
		fail_msg("warp %u lanes %x accused with warp %u lanes %x, %d", b->found[0].here.warp,
			b->found[0].here.lanes, b->found[0].other.warp, b->found[0].other.lanes,
			(int)b->found[0].missing);
}

/* A race of lanes of `warp` with `other_lanes` of `other`, and nothing else. */
static void expect_race(const struct bench *b, uint32_t warp, uint32_t lanes, uint32_t other, uint32_t other_lanes)
{
	assert_int_equal(b->n_found, 1);
	assert_int_equal(b->found[0].here.warp, warp);
	assert_int_equal(b->found[0].here.lanes, lanes);
	assert_int_equal(b->found[0].other.warp, other);
	assert_int_equal(b->found[0].other.lanes, other_lanes);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

struct shot {
	enum mem_space space;
	enum access_op op;
	int how;
	uint32_t warp, lanes;
	uint32_t base, step, width; /* bytes; lane i is at base + i * step */
	uint32_t value, value_step;
};

static void shoot(struct bench *b, struct shot s)
{
	const struct race_site site = {s.how, s.how, s.warp, 0, 0, false};
	struct warp_access a = {.active = s.lanes, .space = s.space, .op = s.op, .width = (uint8_t)s.width};
	uint32_t values[32];
	struct race_store stored = {.lanes = {(const uint8_t *)values}, .n = 1, .stride = 4, .bytes = s.width};
	for (uint32_t i = 0; i < 32; i++) {
		a.address[i] = s.base + (uint64_t)i * s.step;
		stored.at[i] = b->memory + a.address[i] % BYTES;
		values[i] = s.value + i * s.value_step;
	}
	race_access(b->detector, &site, &a, s.op == ACCESS_STORE ? &stored : NULL);
	for (uint32_t i = 0; i < 32; i++)
		if (s.lanes >> i & 1 && s.op == ACCESS_STORE)
			memcpy(b->memory + a.address[i] % BYTES, &values[i], s.width);
}

static void load(struct bench *b, int how, uint32_t warp, uint32_t lanes, uint32_t base, uint32_t step)
{
	shoot(b, (struct shot){SPACE_SHARED, ACCESS_LOAD, how, warp, lanes, base, step, 4, 0, 0});
}

/* Each lane stores a value of its own. */
static void store(struct bench *b, int how, uint32_t warp, uint32_t lanes, uint32_t base, uint32_t step)
{
	shoot(b, (struct shot){SPACE_SHARED, ACCESS_STORE, how, warp, lanes, base, step, 4, 100 * warp + 1, 1});
}

static void add(struct bench *b, int how, uint32_t warp, uint32_t lanes, uint32_t base)
{
	shoot(b, (struct shot){SPACE_SHARED, ACCESS_ATOMIC, how, warp, lanes, base, 0, 4, 0, 0});
}

static void global(
	struct bench *b, enum access_op op, int how, uint32_t warp, uint32_t lanes, uint32_t base, uint32_t value)
{
	shoot(b, (struct shot){SPACE_GLOBAL, op, how, warp, lanes, base, 0, 4, value, 0});
}

static void fence(struct bench *b, int how, uint32_t warp, uint32_t lanes)
{
	const struct race_site site = {how, how, warp, 0, 0, false};
	race_fence(b->detector, &site, lanes);
}

static void sync_block(struct bench *b)
{
	for (uint32_t w = 0; w < WARPS; w++)
		race_barrier_arrive(b->detector, 0, w, b->live[w]);
	race_barrier_complete(b->detector, 0, b->live, b->live);
}

static void next_block(struct bench *b, uint32_t block)
{
	race_block_end(b->detector);
	race_block_start(b->detector, block);
}

/* --- communication ------------------------------------------------------------------------------------------------ */

/* Ends the block, and all. */
static void expect_communication(struct bench *b, bool expected)
{
	race_block_end(b->detector);
	assert_int_equal(race_grid_communicates(b->grid), expected);
	done(b);
}

static void threads_apart_do_not_communicate(void **state)
{
	(void)state;
	struct bench b;
	start_with(&b, 2, ARRIVE);
	store(&b, VOLATILE, 0, ALL, 0, 4);
	load(&b, VOLATILE, 0, ALL, 0, 4); /* each its own */
	store(&b, VOLATILE, 0, ALL, 0, 4);
	sync_block(&b);
	load(&b, VOLATILE, 1, ALL, 0, 0);
	load(&b, VOLATILE, 2, ALL, 0, 4); /* nobody writes */
	sync_block(&b);
	store(&b, STRONG, 3, LANE(7), 0, 0);
	global(&b, ACCESS_LOAD, STRONG, 0, ALL, 64, 0);
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(1), 0, 0);
	next_block(&b, 1);
	global(&b, ACCESS_LOAD, STRONG, 0, ALL, 64, 0);
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(1), 4, 0);
	expect_clean(&b);
	expect_communication(&b, false);
}

static void a_strong_access_and_a_strong_write_communicate(void **state)
{
	(void)state;
	static const struct {
		enum access_op first, then;
		uint32_t warp, lanes;
		bool expected;
	} cases[] = {
		{ACCESS_STORE, ACCESS_LOAD, 1, LANE(3), true},
		{ACCESS_STORE, ACCESS_LOAD, 0, LANE(4), true},
		{ACCESS_LOAD, ACCESS_STORE, 1, LANE(3), true},
		{ACCESS_LOAD, ACCESS_ATOMIC, 0, LANE(4), true},
		{ACCESS_ATOMIC, ACCESS_ATOMIC, 1, LANE(3), true},
		{ACCESS_LOAD, ACCESS_LOAD, 1, LANE(3), false},
		{ACCESS_ATOMIC, ACCESS_STORE, 0, LANE(3), false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int space = 0; space < 2; space++) {
			struct bench b;
			enum mem_space in = space ? SPACE_SHARED : SPACE_GLOBAL;
			start_with(&b, 1, ARRIVE);
			shoot(&b, (struct shot){in, cases[i].first, STRONG, 0, LANE(3), 64, 0, 4, 5, 0});
			shoot(&b,
				(struct shot){
					in, cases[i].then, STRONG, cases[i].warp, cases[i].lanes, 64, 0, 4, 5, 0});
			expect_clean(&b);
			expect_communication(&b, cases[i].expected);
		}
}

static void blocks_communicate(void **state)
{
	(void)state;
	for (int reads = 0; reads < 2; reads++) {
		struct bench b;
		start_with(&b, 2, ARRIVE);
		global(&b, reads ? ACCESS_LOAD : ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
		next_block(&b, 1);
		global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
		expect_clean(&b);
		expect_communication(&b, true);
	}
}

/* Which warps a barrier of some of them releases, an mbarrier's phases. */
static void what_may_be_chance_counts_as_communication(void **state)
{
	(void)state;
	struct bench b;
	uint32_t some[WARPS] = {ALL, ALL, 0, 0};
	start_with(&b, 1, ARRIVE);
	race_barrier_arrive(b.detector, 1, 0, ALL);
	race_barrier_arrive(b.detector, 1, 1, ALL);
	race_barrier_complete(b.detector, 1, some, b.live);
	expect_communication(&b, true);
	start(&b, 1);
	expect_communication(&b, true);
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

static void a_barrier_orders_the_block(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	sync_block(&b);
	load(&b, PLAIN, 1, ALL, 0, 4);
	sync_block(&b);
	store(&b, PLAIN, 2, ALL, 0, 4);
	expect_clean(&b);
	load(&b, PLAIN, 1, LANE(5), 0, 4);
	expect_race(&b, 1, LANE(5), 2, LANE(5));
	assert_int_equal(b.found[0].missing, RACE_MISSING_BARRIER);
	assert_int_equal(b.found[0].address, 20);
	assert_int_equal(b.found[0].here.op, ACCESS_LOAD);
	assert_int_equal(b.found[0].other.op, ACCESS_STORE);
	done(&b);
}

static void no_reader_is_forgotten(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	load(&b, PLAIN, 0, LANE(3), 64, 0);
	load(&b, PLAIN, 1, LANE(4), 64, 0);
	load(&b, PLAIN, 2, LANE(5), 64, 0);
	store(&b, PLAIN, 2, LANE(5), 64, 0); /* the last reader itself */
	assert_int_equal(b.n_found, 2);
	assert_int_equal(b.found[0].other.warp + b.found[1].other.warp, 0 + 1);
	done(&b);
}

static void lanes_of_one_warp_need_a_warp_sync(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	race_warp_sync(b.detector, 0, ALL, ALL);
	load(&b, PLAIN, 0, ALL, 128, 0);
	load(&b, PLAIN, 0, LANE(0) | LANE(1), 8, 4);
	expect_clean(&b);
	store(&b, PLAIN, 0, LANE(2), 0, 4); /* lane 0 has read it */
	expect_race(&b, 0, LANE(2), 0, LANE(0));
	assert_int_equal(b.found[0].missing, RACE_MISSING_SYNCWARP);
	done(&b);
}

static void a_partial_warp_sync_orders_its_lanes_only(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	race_warp_sync(b.detector, 0, 0x0000FFFF, ALL);
	race_warp_sync(b.detector, 0, 0xFFFF0000, ALL);
	load(&b, PLAIN, 0, LANE(3), 0, 0);
	load(&b, PLAIN, 0, LANE(20), 124, 0);
	expect_clean(&b);
	load(&b, PLAIN, 0, LANE(3), 124, 0);
	expect_race(&b, 0, LANE(3), 0, LANE(31));
	b.n_found = 0;
	race_warp_sync(b.detector, 0, LANE(20) | LANE(3), ALL); /* lane 20 knew of lane 31 */
	load(&b, PLAIN, 0, LANE(3), 120, 0);
	expect_clean(&b);
	done(&b);
}

static void lanes_that_have_ended_need_not_arrive(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	b.live[0] = 0xFFFF;
	b.live[3] = 0;
	race_warp_sync(b.detector, 0, 0xFFFF, 0xFFFF);
	load(&b, PLAIN, 0, LANE(0), 124, 0);
	sync_block(&b);
	load(&b, PLAIN, 1, LANE(0), 124, 0);
	expect_clean(&b);
	done(&b);
}

static void a_named_barrier_orders_warps_that_arrive(void **state)
{
	(void)state;
	struct bench b;
	uint32_t waits[WARPS] = {0, ALL, 0, 0};
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	race_barrier_arrive(b.detector, 1, 0, ALL); /* arrives, and goes on */
	store(&b, PLAIN, 0, ALL, 256, 4);
	race_barrier_arrive(b.detector, 1, 1, ALL);
	race_barrier_complete(b.detector, 1, waits, b.live);
	load(&b, PLAIN, 1, ALL, 0, 4);
	expect_clean(&b);
	load(&b, PLAIN, 1, LANE(0), 256, 4); /* stored after the arrival */
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	b.n_found = 0;
	load(&b, PLAIN, 2, LANE(1), 0, 4);
	expect_race(&b, 2, LANE(1), 0, LANE(1));
	b.n_found = 0;
	store(&b, PLAIN, 0, LANE(2), 0, 4); /* a warp that only arrives acquires nothing */
	assert_int_equal(b.n_found, 1);
	assert_int_equal(b.found[0].other.warp, 1);
	done(&b);
}

static void complete_some(struct bench *b, uint32_t id, uint32_t warps, uint32_t waiting)
{
	uint32_t waits[WARPS] = {0};
	for (uint32_t w = 0; w < WARPS; w++) {
		if (warps >> w & 1)
			race_barrier_arrive(b->detector, id, w, ALL);
		waits[w] = waiting >> w & 1 ? ALL : 0;
	}
	race_barrier_complete(b->detector, id, waits, b->live);
}

static void a_warp_that_only_arrives_acquires_nothing(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 1, LANE(0), 0, 0);
	complete_some(&b, 1, 0xF, 0xE);
	load(&b, PLAIN, 2, LANE(0), 0, 0);
	expect_clean(&b);
	load(&b, PLAIN, 0, LANE(0), 0, 0);
	expect_race(&b, 0, LANE(0), 1, LANE(0));
	done(&b);
}

static void a_barrier_begins_again(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0), 0, 0);
	complete_some(&b, 1, 0x3, 0x3);
	complete_some(&b, 1, 0xC, 0xC);
	load(&b, PLAIN, 1, LANE(0), 0, 0);
	expect_clean(&b);
	load(&b, PLAIN, 2, LANE(0), 0, 0);
	expect_race(&b, 2, LANE(0), 0, LANE(0));
	done(&b);
}

/* --- bytes and values --------------------------------------------------------------------------------------------- */

static void different_bytes_of_a_word_do_not_conflict(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 0, ALL, 0, 1, 1, 1, 1});
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 1, ALL, 32, 1, 1, 1, 1});
	expect_clean(&b);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_LOAD, PLAIN, 0, LANE(3), 30, 1, 1, 0, 0});
	assert_int_equal(b.n_found, 1);
	assert_int_equal(b.found[0].address, 33);
	assert_int_equal(b.found[0].other.lanes, LANE(1));
	done(&b);
}

static void wide_accesses_are_of_all_their_words(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_LOAD, PLAIN, 0, LANE(0), 16, 16, 16, 0, 0});
	store(&b, PLAIN, 1, LANE(2), 20, 4);
	expect_race(&b, 1, LANE(2), 0, LANE(0));
	assert_int_equal(b.found[0].address, 28);
	done(&b);
}

static void the_same_value_may_be_stored_by_many(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 0, ALL, 8, 0, 4, 7, 0});
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 1, ALL, 8, 0, 4, 7, 0});
	expect_clean(&b);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 2, LANE(9), 8, 0, 4, 8, 0});
	expect_race(&b, 2, LANE(9), 0, ALL);
	done(&b);
}

static void the_same_value_is_of_the_bytes_stored(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 0, 4, 0x0101, 0});
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 1, LANE(0), 0, 0, 2, 0x0101, 0});
	expect_clean(&b);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 2, LANE(0), 0, 0, 2, 0x0201, 0});
	assert_int_equal(b.n_found, 1);
	done(&b);
}

static void lanes_of_one_store_may_not_differ(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, PLAIN, 0, LANE(1) | LANE(6), 8, 0, 4, 7, 1});
	expect_race(&b, 0, LANE(6), 0, LANE(1));
	assert_int_equal(b.found[0].missing, RACE_MISSING_ONE_VALUE);
	done(&b);
}

/* --- strong accesses ---------------------------------------------------------------------------------------------- */

static void atomics_do_not_race_with_each_other(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	for (uint32_t w = 0; w < WARPS; w++)
		add(&b, w % 2 ? STRONG : STRONG_CTA, w, ALL, 0);
	expect_clean(&b);
	load(&b, PLAIN, 3, LANE(31), 0, 0); /* the last one itself, but the others are not over for it */
	assert_int_equal(b.n_found, 2);     /* those by one instruction go together */
	assert_int_equal(b.found[0].missing, RACE_MISSING_ATOMIC);
	for (int i = 0; i < 2; i++) /* another thread on each side */
		assert_true(b.found[i].other.warp != 3 || b.found[i].other.lane != b.found[i].here.lane);
	done(&b);
}

static void an_atomic_does_not_hide_a_plain_store_before(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0), 0, 0);
	add(&b, STRONG, 0, LANE(0), 0);
	expect_clean(&b);
	add(&b, STRONG, 1, LANE(0), 0);
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	assert_int_equal(b.found[0].other.op, ACCESS_STORE);
	done(&b);
}

static void atomics_that_overlap_in_part_race(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	add(&b, STRONG, 0, LANE(0), 4);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_ATOMIC, STRONG_WIDE, 1, LANE(3), 0, 0, 8, 0, 0});
	expect_race(&b, 1, LANE(3), 0, LANE(0));
	assert_int_equal(b.found[0].missing, RACE_MISSING_SAME_SIZE);
	b.n_found = 0;
	shoot(&b, (struct shot){SPACE_GLOBAL, ACCESS_ATOMIC, STRONG_WIDE, 1, LANE(3), 0, 0, 8, 0, 0});
	next_block(&b, 1);
	shoot(&b, (struct shot){SPACE_GLOBAL, ACCESS_ATOMIC, STRONG_WIDE, 1, LANE(3), 0, 0, 8, 0, 0});
	global(&b, ACCESS_ATOMIC, STRONG, 1, LANE(3), 4, 0);
	race_block_end(b.detector);
	assert_int_equal(b.n_found, 1);
	assert_int_equal(b.found[0].address, 4);
	done(&b);
}

static void volatile_stores_of_two_warps_do_not_race(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, VOLATILE, 0, LANE(1), 4, 0);
	store(&b, VOLATILE, 1, LANE(1), 4, 0);
	store(&b, VOLATILE, 1, LANE(1), 4, 0); /* the same lane again */
	expect_clean(&b);
	done(&b);
}

/* --- mbarriers ---------------------------------------------------------------------------------------------------- */

#define MBARRIER 2048

/* A warp's lane 0 arrives at the mbarrier, or waits for a phase that is complete. */
static void mbarrier(struct bench *b, int how, uint32_t warp)
{
	shoot(b, (struct shot){SPACE_SHARED, ACCESS_ATOMIC, how, warp, LANE(0), MBARRIER, 0, 8, 0, 0});
}

static void complete_phase(struct bench *b)
{
	race_phase_complete(b->detector, b->detector, MBARRIER);
}

static void a_wait_acquires_what_was_released_in_its_phase(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0), 0, 4);
	mbarrier(&b, ARRIVE, 0);
	complete_phase(&b);
	store(&b, PLAIN, 0, LANE(0), 4, 0);
	mbarrier(&b, ARRIVE, 0);
	mbarrier(&b, WAIT, 1);
	load(&b, PLAIN, 1, LANE(0), 0, 4);
	expect_clean(&b);
	load(&b, PLAIN, 1, LANE(0), 4, 4);
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	b.n_found = 0;
	complete_phase(&b);
	mbarrier(&b, WAIT, 1);
	load(&b, PLAIN, 1, LANE(0), 4, 4);
	expect_clean(&b);
	done(&b);
}

static void an_arrival_acquires_nothing_and_a_wait_releases_nothing(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0), 0, 4);
	mbarrier(&b, ARRIVE, 0);
	mbarrier(&b, ARRIVE, 1);
	fence(&b, FENCE_CTA, 1, LANE(0));
	load(&b, PLAIN, 1, LANE(0), 0, 4);
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	b.n_found = 0;
	complete_phase(&b);
	mbarrier(&b, WAIT, 2);
	load(&b, PLAIN, 2, LANE(0), 0, 4);
	expect_clean(&b);
	mbarrier(&b, WAIT, 2);
	complete_phase(&b);
	mbarrier(&b, WAIT, 0);
	store(&b, PLAIN, 0, LANE(0), 0, 4);
	assert_true(b.n_found > 0);
	assert_int_equal(b.found[0].here.warp, 0);
	done(&b);
}

static void a_wait_in_vain_acquires_nothing(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0), 0, 4);
	mbarrier(&b, ARRIVE, 0);
	complete_phase(&b);
	const struct race_site site = {WAIT, WAIT, 1, LANE(0), 0, false};
	const struct warp_access a = {
		.active = LANE(0), .space = SPACE_SHARED, .op = ACCESS_ATOMIC, .width = 8, .address = {MBARRIER}};
	race_access(b.detector, &site, &a, NULL);
	load(&b, PLAIN, 1, LANE(0), 0, 4);
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	done(&b);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static void copy(struct bench *b, bool ends, uint32_t warp, uint32_t base)
{
	const struct race_site site = {COPY, COPY, warp, 0, 0, false};
	struct warp_access a = {.active = ALL, .space = SPACE_SHARED, .op = ACCESS_STORE, .width = 4};
	for (uint32_t i = 0; i < 32; i++)
		a.address[i] = base + 4 * i;
	if (ends)
		race_access(b->detector, &site, &a, NULL);
	else
		race_copy_begin(b->detector, &site, &a);
}

static void a_copy_lasts_until_its_thread_waits(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	copy(&b, false, 0, 0);
	sync_block(&b); /* which is too early */
	load(&b, PLAIN, 1, LANE(2), 4, 0);
	expect_race(&b, 1, LANE(2), 0, LANE(1));
	assert_int_equal(b.found[0].missing, RACE_MISSING_WAIT);
	copy(&b, true, 0, 0);
	b.n_found = 0;
	load(&b, PLAIN, 0, LANE(1), 4, 0);
	expect_clean(&b);
	sync_block(&b);
	load(&b, PLAIN, 1, ALL, 0, 4);
	expect_clean(&b);
	copy(&b, false, 0, 0); /* while the other warp may still be loading */
	assert_int_equal(b.n_found, 1);
	assert_int_equal(b.found[0].here.op, ACCESS_STORE);
	assert_int_equal(b.found[0].other.op, ACCESS_LOAD);
	assert_int_equal(b.found[0].missing, RACE_MISSING_BARRIER);
	copy(&b, false, 0, BYTES - 64); /* in part out of bounds: those lanes are reported elsewhere */
	done(&b);
}

/* Half a warp's lanes copy 4 bytes each of memory of that space; the copy's number. */
static uint32_t begin_operation(struct bench *b, enum mem_space space, enum access_op op, uint32_t base)
{
	const struct race_site site = {COPY, COPY, 0, 0, 0, false};
	struct warp_access a = {.active = 0xFFFF, .space = space, .op = op, .width = 4};
	for (uint32_t i = 0; i < 16; i++)
		a.address[i] = base + 4 * i;
	if (op == ACCESS_LOAD)
		race_access(b->detector, &site, &a, NULL);
	return race_pending_begin(b->detector, b->detector, &site, &a, 0);
}

static void a_source_is_read_until_its_copy_is_complete(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	uint32_t copy = begin_operation(&b, SPACE_GLOBAL, ACCESS_LOAD, 240);
	sync_block(&b);
	global(&b, ACCESS_LOAD, PLAIN, 1, LANE(2), 260, 0);
	global(&b, ACCESS_STORE, PLAIN, 1, LANE(2), 236, 0);
	global(&b, ACCESS_STORE, PLAIN, 1, LANE(2), 240 + 64, 0);
	expect_clean(&b);
	global(&b, ACCESS_STORE, PLAIN, 1, LANE(2), 260, 0); /* in the next granule */
	expect_race(&b, 1, LANE(2), 0, LANE(5));
	assert_int_equal(b.found[0].missing, RACE_MISSING_WAIT);
	assert_int_equal(b.found[0].other.op, ACCESS_LOAD);
	b.n_found = 0;
	race_pending_end(b.detector, b.detector, copy, 0xFF & ~LANE(5)); /* which would be reported again */
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(7), 268, 0);
	expect_clean(&b);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(8), 272, 0);
	expect_race(&b, 0, LANE(8), 0, LANE(8));
	b.n_found = 0;
	race_pending_end(b.detector, b.detector, copy, ALL);
	b.n_found = 0;
	global(&b, ACCESS_STORE, PLAIN, 1, LANE(9), 276, 0); /* which is not ordered after the end */
	expect_race(&b, 1, LANE(9), 0, LANE(9));
	assert_int_equal(b.found[0].missing, RACE_MISSING_BARRIER);
	b.n_found = 0;
	sync_block(&b);
	global(&b, ACCESS_STORE, PLAIN, 1, LANE(9), 280, 0);
	expect_clean(&b);
	done(&b);
}

static void what_an_operation_writes_nobody_may_touch(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	load(&b, PLAIN, 1, LANE(0), 0, 4);
	uint32_t copy = begin_operation(&b, SPACE_SHARED, ACCESS_STORE, 0);
	expect_race(&b, 0, LANE(0), 1, LANE(0));
	assert_int_equal(b.found[0].missing, RACE_MISSING_BARRIER);
	b.n_found = 0;
	sync_block(&b);
	load(&b, PLAIN, 1, LANE(3), 0, 4);
	expect_race(&b, 1, LANE(3), 0, LANE(3));
	assert_int_equal(b.found[0].missing, RACE_MISSING_WAIT);
	b.n_found = 0;
	race_pending_read(b.detector, copy, ALL);
	load(&b, PLAIN, 0, LANE(0), 0, 0);
	expect_race(&b, 0, LANE(0), 0, LANE(0));
	b.n_found = 0;
	race_pending_end(b.detector, b.detector, copy, ALL);
	load(&b, PLAIN, 1, LANE(3), 0, 4);
	expect_clean(&b);
	begin_operation(&b, SPACE_SHARED, ACCESS_ATOMIC, 512);
	sync_block(&b);
	add(&b, STRONG, 1, LANE(0), 512);
	expect_clean(&b);
	store(&b, PLAIN, 1, LANE(0), 512, 0);
	assert_true(b.n_found > 0);
	done(&b);
}

static void volatile_does_not_make_lanes_run_in_step(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, VOLATILE, 0, ALL, 0, 4);
	load(&b, VOLATILE, 1, LANE(0), 0, 0);
	load(&b, SPINS, 0, LANE(1), 0, 0);
	expect_clean(&b);
	load(&b, VOLATILE, 0, LANE(0), 64, 0);
	expect_race(&b, 0, LANE(0), 0, LANE(16));
	assert_int_equal(b.found[0].missing, RACE_MISSING_SYNCWARP);
	done(&b);
}

static void each_instruction_is_named(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, LANE(0) | LANE(1), 0, 4);
	load(&b, PLAIN, 0, LANE(1), 4, 0);
	shoot(&b, (struct shot){SPACE_SHARED, ACCESS_STORE, LATER, 0, LANE(1), 0, 4, 4, 9, 0}); /* no other lane's */
	expect_clean(&b);
	load(&b, PLAIN, 0, LANE(0), 4, 0);
	expect_race(&b, 0, LANE(0), 0, LANE(1));
	assert_int_equal(b.found[0].other.instr, LATER);
	done(&b);
}

/* --- flags, in one block ------------------------------------------------------------------------------------------ */

enum { FENCE_BEFORE = 1, FENCE_AFTER = 2 };

/* Warp 0 stores data and sets a flag; warp 1 sees the flag and loads. */
static void hand_over(struct bench *b, int fences, int set_how, int get_how)
{
	store(b, PLAIN, 0, LANE(0), 0, 0);
	if (fences & FENCE_BEFORE)
		fence(b, FENCE_GPU, 0, LANE(0));
	store(b, set_how, 0, LANE(0), 64, 0);
	load(b, get_how, 1, LANE(2), 64, 0);
	if (fences & FENCE_AFTER)
		fence(b, FENCE_CTA, 1, LANE(2));
	load(b, PLAIN, 1, LANE(2), 0, 0);
}

static void a_flag_with_two_fences_orders(void **state)
{
	(void)state;
	static const struct {
		int fences, set, get;
		bool clean;
	} cases[] = {
		{FENCE_BEFORE | FENCE_AFTER, VOLATILE, VOLATILE, true},
		{FENCE_BEFORE | FENCE_AFTER, STRONG_CTA, STRONG, true},
		{FENCE_AFTER, RELEASE, STRONG, true},
		{FENCE_BEFORE, STRONG, ACQUIRE, true},
		{0, RELEASE, ACQUIRE, true},
		{FENCE_BEFORE, VOLATILE, VOLATILE, false},
		{FENCE_AFTER, VOLATILE, VOLATILE, false},
		{0, STRONG, STRONG, false},
		{0, RELEASE, STRONG, false},
		{0, STRONG, ACQUIRE, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		start(&b, 1);
		hand_over(&b, cases[i].fences, cases[i].set, cases[i].get);
		if (b.n_found != !cases[i].clean)
			fail_msg("case %zu: %d found", i, b.n_found);
		if (cases[i].fences == FENCE_BEFORE && !cases[i].clean)
			assert_int_equal(b.found[0].missing, RACE_MISSING_FENCE);
		done(&b);
	}
}

static void what_comes_after_the_fence_is_not_passed_on(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	fence(&b, FENCE_GPU, 0, LANE(0));
	store(&b, PLAIN, 0, LANE(0), 0, 0);
	store(&b, STRONG, 0, LANE(0), 64, 0);
	load(&b, ACQUIRE, 1, LANE(0), 64, 0);
	load(&b, PLAIN, 1, LANE(0), 0, 0);
	expect_race(&b, 1, LANE(0), 0, LANE(0));
	done(&b);
}

static void polling_acquires_what_is_new(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	fence(&b, FENCE_CTA, 0, LANE(0));
	for (uint32_t round = 0; round < 3; round++) {
		add(&b, STRONG, 0, LANE(0), 64); /* nothing new to leave at first */
		add(&b, STRONG, 0, LANE(0), 64);
		load(&b, ACQUIRE, 1, LANE(2), 64, 0);
		load(&b, ACQUIRE, 1, LANE(2), 64, 0);
		store(&b, PLAIN, 0, LANE(0), 4 * round, 0);
		fence(&b, FENCE_CTA, 0, LANE(0));
		add(&b, STRONG, 0, LANE(0), 64);
		load(&b, ACQUIRE, 1, LANE(2), 64, 0);
		load(&b, PLAIN, 1, LANE(2), 4 * round, 0);
		add(&b, STRONG, 2, LANE(1), 64); /* an atomic that leaves nothing breaks no chain */
		load(&b, ACQUIRE, 3, LANE(3), 64, 0);
		load(&b, PLAIN, 3, LANE(3), 4 * round, 0);
	}
	expect_clean(&b);
	store(&b, PLAIN, 0, LANE(0), 128, 0);
	add(&b, STRONG, 0, LANE(0), 64);
	load(&b, ACQUIRE, 1, LANE(2), 64, 0);
	load(&b, PLAIN, 1, LANE(2), 128, 0);
	expect_race(&b, 1, LANE(2), 0, LANE(0));
	done(&b);
}

static void another_lane_has_to_fence_itself(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	fence(&b, FENCE_GPU, 0, ALL);
	add(&b, STRONG, 0, LANE(0), 256); /* without a bar.warp.sync after the fence */
	load(&b, ACQUIRE, 1, LANE(0), 256, 0);
	load(&b, PLAIN, 1, LANE(0), 0, 4);
	expect_clean(&b);
	load(&b, PLAIN, 1, LANE(1), 0, 4);
	load(&b, PLAIN, 1, LANE(0), 4, 4);
	assert_int_equal(b.n_found, 2);
	done(&b);
}

static void a_fence_on_the_other_side_of_a_barrier_suffices(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(7), 0, 1);
	for (uint32_t w = 0; w < WARPS; w++)
		fence(&b, FENCE_GPU, w, ALL);
	sync_block(&b);
	global(&b, ACCESS_ATOMIC, STRONG, 1, LANE(0), 64, 0);
	next_block(&b, 1);
	global(&b, ACCESS_LOAD, STRONG, 2, LANE(0), 64, 0);
	sync_block(&b);
	fence(&b, FENCE_GPU, 3, LANE(9));
	global(&b, ACCESS_LOAD, PLAIN, 3, LANE(9), 0, 0);
	expect_clean(&b);
	global(&b, ACCESS_LOAD, LATER, 3, LANE(8), 0, 0); /* which did not fence */
	race_block_end(b.detector);
	expect_race(&b, 3, LANE(8), 0, LANE(7));
	assert_int_equal(b.found[0].here.instr, LATER);
	done(&b);
}

static void fences_pass_a_barrier_of_some_warps(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 3, LANE(0), 0, 0);
	store(&b, RELEASE, 3, LANE(0), 64, 0);
	load(&b, STRONG, 0, LANE(0), 64, 0);
	complete_some(&b, 1, 0x3, 0x3);
	fence(&b, FENCE_CTA, 1, LANE(5));
	load(&b, PLAIN, 1, LANE(5), 0, 0);
	expect_clean(&b);
	done(&b);
}

static void a_warp_sync_passes_fences_on(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	store(&b, PLAIN, 0, ALL, 0, 4);
	fence(&b, FENCE_CTA, 0, ALL);
	race_warp_sync(b.detector, 0, ALL, ALL);
	store(&b, STRONG, 0, LANE(1), 256, 0);
	load(&b, ACQUIRE, 1, LANE(0), 256, 0);
	load(&b, PLAIN, 1, LANE(0), 0, 0);
	expect_clean(&b);
	done(&b);
}

/* The first block stores, fences and counts; the second finds that by `op`, has a barrier and loads. */
static void draw_ticket(struct bench *b, enum access_op op)
{
	start(b, 2);
	global(b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	fence(b, FENCE_GPU, 0, LANE(0));
	global(b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	next_block(b, 1);
	global(b, op, STRONG, 0, LANE(0), 64, 0);
	sync_block(b);
	global(b, ACCESS_LOAD, PLAIN, 3, LANE(9), 0, 0);
	race_block_end(b->detector);
}

static void a_ticket_and_a_barrier_need_no_fence_after_them(void **state)
{
	(void)state;
	struct bench b;
	draw_ticket(&b, ACCESS_ATOMIC);
	expect_clean(&b);
	done(&b);
	draw_ticket(&b, ACCESS_LOAD);
	expect_race(&b, 3, LANE(9), 0, LANE(0));
	done(&b);
}

static void a_lock_orders_its_holders(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	for (uint32_t w = 0; w < WARPS; w++) {
		for (int lane = 0; lane < 32; lane++) {
			add(&b, STRONG, w, LANE(lane), 64);
			fence(&b, FENCE_CTA, w, LANE(lane));
			load(&b, PLAIN, w, LANE(lane), 0, 0);
			store(&b, PLAIN, w, LANE(lane), 0, 0);
			fence(&b, FENCE_CTA, w, LANE(lane));
			add(&b, STRONG, w, LANE(lane), 64);
		}
	}
	expect_clean(&b);
	load(&b, PLAIN, 0, LANE(0), 0, 0);
	assert_int_equal(b.n_found, 1);
	done(&b);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* A full warp loads neighboring elements, which come again after `period` lanes. */
struct row {
	enum mem_space space;
	uint32_t base, width, period;
};

static void load_row(struct bench *b, uint32_t warp, const struct row *row)
{
	const struct race_site site = {PLAIN, PLAIN, warp, 0, 0, false};
	struct warp_access a = {.active = ALL, .space = row->space, .op = ACCESS_LOAD, .width = (uint8_t)row->width};
	for (uint32_t i = 0; i < 32; i++)
		a.address[i] = row->base + i % row->period * row->width;
	race_access(b->detector, &site, &a, NULL);
}

static uint32_t words_of(const struct row *row)
{
	return row->period * row->width / 4;
}

/* The lanes that load a word. */
static uint32_t lanes_of_word(const struct row *row, uint32_t word)
{
	uint32_t lanes = 0;
	for (uint32_t i = word * 4 / row->width; i < 32; i += row->period)
		lanes |= LANE(i);
	return lanes;
}

/* A lane of warp 3 stores to a word, counted from the row's first. */
static void store_to_word(struct bench *b, const struct row *row, uint32_t word)
{
	shoot(b, (struct shot){row->space, ACCESS_STORE, PLAIN, 3, LANE(0), row->base + 4 * word, 0, 4, 1, 0});
}

#define N_ROWS 28

/* In both memories, of every period and width; the last ones in no single page. */
static void make_rows(struct row rows[N_ROWS])
{
	int n = 0;
	for (int space = 0; space < 2; space++) {
		enum mem_space in = space ? SPACE_GLOBAL : SPACE_SHARED;
		for (uint32_t period = 4; period <= 32; period *= 2)
			for (uint32_t width = 4; width <= 16; width *= 2)
				rows[n++] = (struct row){in, 16 * period, width, period};
		rows[n++] = (struct row){in, 1024 - 8, 4, 32};
		rows[n++] = (struct row){in, 1024 - 16, 16, 16};
	}
	assert_int_equal(n, N_ROWS);
}

static void each_word_of_a_row_has_its_lanes(void **state)
{
	(void)state;
	struct row rows[N_ROWS];
	make_rows(rows);
	for (int i = 0; i < N_ROWS; i++)
		for (uint32_t word = 0; word <= words_of(&rows[i]); word++) {
			struct bench b;
			start(&b, 1);
			load_row(&b, 0, &rows[i]);
			load_row(&b, 0, &rows[i]); /* which changes nothing */
			store_to_word(&b, &rows[i], word);
			if (word < words_of(&rows[i]))
				expect_race(&b, 3, LANE(0), 0, lanes_of_word(&rows[i], word));
			else
				expect_clean(&b);
			done(&b);
		}
}

/* One word of it was read by another instruction, of another warp: the row is entered word by word from there on. */
static void a_row_goes_on_after_a_word_with_another_reader(void **state)
{
	(void)state;
	enum { READ = 6 };
	struct row rows[N_ROWS];
	make_rows(rows);
	for (int i = 0; i < N_ROWS; i++)
		for (uint32_t word = 0; word < words_of(&rows[i]); word++) {
			uint32_t read = READ % words_of(&rows[i]);
			struct bench b;
			start(&b, 1);
			shoot(&b,
				(struct shot){rows[i].space, ACCESS_LOAD, LATER, 2, LANE(9), rows[i].base + 4 * read, 0,
					4, 0, 0});
			load_row(&b, 0, &rows[i]);
			expect_clean(&b);
			store_to_word(&b, &rows[i], word);
			assert_int_equal(b.n_found, word == read ? 2 : 1);
			for (int k = 0; k < b.n_found; k++) {
				bool other = b.found[k].other.warp == 2;
				assert_int_equal(b.found[k].other.instr, other ? LATER : PLAIN);
				assert_int_equal(
					b.found[k].other.lanes, other ? LANE(9) : lanes_of_word(&rows[i], word));
			}
			assert_true(b.n_found == 1 || b.found[0].other.warp != b.found[1].other.warp);
			done(&b);
		}
}

/* A write since the barrier, or a copy that has begun, is seen by the row's lane at it. */
static void a_row_sees_what_was_written(void **state)
{
	(void)state;
	struct row rows[N_ROWS];
	make_rows(rows);
	for (int i = 0; i < N_ROWS; i++) {
		uint32_t word = words_of(&rows[i]) - 2;
		struct bench b;
		start(&b, 1);
		store_to_word(&b, &rows[i], word);
		load_row(&b, 0, &rows[i]);
		expect_race(&b, 0, lanes_of_word(&rows[i], word), 3, LANE(0));
		done(&b);
		start(&b, 1);
		store_to_word(&b, &rows[i], word);
		sync_block(&b);
		load_row(&b, 0, &rows[i]);
		expect_clean(&b);
		done(&b);
	}
	const struct row row = {SPACE_SHARED, 0, 4, 32};
	struct bench b;
	start(&b, 1);
	copy(&b, false, 3, 4 * 31);
	load_row(&b, 0, &row);
	expect_race(&b, 0, LANE(31), 3, LANE(0));
	assert_int_equal(b.found[0].missing, RACE_MISSING_WAIT);
	done(&b);
}

/* What a later block's store to a word of a row races with. */
static void expect_known(const struct row *row, uint32_t word, uint32_t read)
{
	struct bench b;
	start(&b, 2);
	if (read < words_of(row)) {
		shoot(&b,
			(struct shot){SPACE_GLOBAL, ACCESS_LOAD, LATER, 2, LANE(9), row->base + 4 * read, 0, 4, 0, 0});
		shoot(&b,
			(struct shot){
				SPACE_GLOBAL, ACCESS_LOAD, PLAIN, 0, lanes_of_word(row, 1), row->base + 4, 0, 4, 0, 0});
	}
	load_row(&b, 0, row);
	next_block(&b, 1);
	store_to_word(&b, row, word);
	race_block_end(b.detector);
	if (word == read)
		expect_race(&b, 3, LANE(0), 2, LANE(9)); /* the first */
	else if (word < words_of(row))
		expect_race(&b, 3, LANE(0), 0, lanes_of_word(row, word));
	else
		expect_clean(&b);
	done(&b);
}

/* Of global memory, also when words had another reader before, or the same. */
static void each_word_of_a_row_is_known_to_later_blocks(void **state)
{
	(void)state;
	struct row rows[N_ROWS];
	make_rows(rows);
	for (int i = 0; i < N_ROWS; i++)
		for (uint32_t word = 0; rows[i].space == SPACE_GLOBAL && word <= words_of(&rows[i]); word++) {
			expect_known(&rows[i], word, UINT32_MAX);
			expect_known(&rows[i], word, 3);
		}
}

static void words_between_lanes_are_not_loaded(void **state)
{
	(void)state;
	for (uint32_t word = 0; word < 64; word++) {
		struct bench b;
		start(&b, 1);
		load(&b, PLAIN, 0, ALL, 0, 8);
		store(&b, PLAIN, 3, LANE(0), 4 * word, 0);
		if (word % 2)
			expect_clean(&b);
		else
			expect_race(&b, 3, LANE(0), 0, LANE(word / 2));
		done(&b);
	}
}

static void half_a_warp_may_be_at_one_address(void **state)
{
	(void)state;
	for (uint32_t half = 0; half < 2; half++) {
		const struct race_site site = {PLAIN, PLAIN, 0, 0, 0, false};
		struct warp_access a = {.active = ALL, .space = SPACE_SHARED, .op = ACCESS_LOAD, .width = 4};
		struct bench b;
		start(&b, 1);
		for (uint32_t i = 0; i < 32; i++)
			a.address[i] = i / 16 * 64;
		race_access(b.detector, &site, &a, NULL);
		store(&b, PLAIN, 3, LANE(0), 64 * half, 0);
		expect_race(&b, 3, LANE(0), 0, 0xFFFFu << 16 * half);
		done(&b);
	}
}

/* Of the same lanes: an earlier one, or one of fewer lanes, is not reported besides. */
static void the_last_reader_is_named(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 1);
	load(&b, PLAIN, 0, LANE(3), 12, 0);
	load(&b, LATER, 0, ALL, 0, 4);
	store(&b, PLAIN, 3, LANE(0), 12, 0);
	expect_race(&b, 3, LANE(0), 0, LANE(3));
	assert_int_equal(b.found[0].other.instr, LATER);
	done(&b);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void blocks_race_when_nothing_orders_them(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 3);
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 512, 1);
	next_block(&b, 1);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 512, 1); /* the same value */
	sync_block(&b);
	next_block(&b, 2);
	expect_clean(&b);
	global(&b, ACCESS_STORE, LATER, 1, LANE(2), 0, 0);
	race_block_end(b.detector);
	expect_race(&b, 1, LANE(2), 0, LANE(0));
	assert_int_equal(b.found[0].here.block, 2);
	assert_int_equal(b.found[0].here.instr, LATER);
	assert_int_equal(b.found[0].other.block, 0);
	assert_int_equal(b.found[0].missing, RACE_MISSING_ORDER);
	done(&b);
}

/* Decoupled look-back: tiles in order, in place. */
static void a_tile_may_be_written_when_it_was_read(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 3);
	b.grid->setup.tiles = b.detector->setup.tiles = true;
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	b.memory[512] = 7;
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 512, 7); /* as it was */
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 1024, 9);
	next_block(&b, 1);
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 512, 0);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	next_block(&b, 2);
	expect_clean(&b);
	global(&b, ACCESS_LOAD, LATER, 1, LANE(2), 1024, 0); /* written by a tile before: no order makes that right */
	race_block_end(b.detector);
	expect_race(&b, 1, LANE(2), 0, LANE(0));
	assert_int_equal(b.found[0].here.instr, LATER);
	done(&b);
}

static void a_tile_s_two_writers_race(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	b.grid->setup.tiles = b.detector->setup.tiles = true;
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	next_block(&b, 1);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 2);
	race_block_end(b.detector);
	expect_race(&b, 0, LANE(0), 0, LANE(0));
	done(&b);
}

static void a_second_value_of_a_block_is_seen(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	next_block(&b, 1);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	global(&b, ACCESS_STORE, LATER, 0, LANE(0), 0, 2);
	race_block_end(b.detector);
	expect_race(&b, 0, LANE(0), 0, LANE(0));
	assert_int_equal(b.found[0].here.instr, LATER);
	done(&b);
}

static void scopes_have_to_reach_the_other_block(void **state)
{
	(void)state;
	static const struct {
		int first, second;
		enum race_missing missing;
		bool clean;
	} cases[] = {
		{STRONG, STRONG, 0, true},
		{STRONG_CTA, STRONG, RACE_MISSING_SCOPE, false},
		{STRONG, STRONG_CTA, RACE_MISSING_SCOPE, false},
		{STRONG, PLAIN, RACE_MISSING_ATOMIC, false},
		{VOLATILE, STRONG, 0, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		start(&b, 2);
		global(&b, ACCESS_ATOMIC, cases[i].first, 0, LANE(0), 0, 0);
		next_block(&b, 1);
		global(&b, ACCESS_LOAD, cases[i].second, 0, LANE(0), 0, 0);
		race_block_end(b.detector);
		assert_int_equal(b.n_found, !cases[i].clean);
		if (!cases[i].clean)
			assert_int_equal(b.found[0].missing, cases[i].missing);
		done(&b);
	}
}

/* A block stores data, fences and counts; the next counts, fences and loads. */
static void count_blocks(struct bench *b, int fenced, int how)
{
	start(b, 2);
	global(b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	fence(b, fenced, 0, LANE(0));
	global(b, ACCESS_ATOMIC, how, 0, LANE(0), 64, 0);
	next_block(b, 1);
	global(b, ACCESS_ATOMIC, how, 0, LANE(0), 64, 0);
	fence(b, fenced, 0, LANE(0));
	global(b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	race_block_end(b->detector);
}

static void a_counter_with_fences_orders_blocks(void **state)
{
	(void)state;
	struct bench b;
	count_blocks(&b, FENCE_GPU, STRONG);
	expect_clean(&b);
	done(&b);
	count_blocks(&b, FENCE_CTA, STRONG);
	assert_int_equal(b.n_found, 1);
	done(&b);
	count_blocks(&b, FENCE_GPU, STRONG_CTA);
	assert_int_equal(b.n_found, 2); /* the counter, and the data */
	done(&b);
}

static void what_a_block_does_after_it_counted_is_not_known(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	global(&b, ACCESS_STORE, LATER, 0, LANE(0), 0, 2);
	next_block(&b, 1);
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	race_block_end(b.detector);
	expect_race(&b, 0, LANE(0), 0, LANE(0));
	assert_int_equal(b.found[0].other.instr, LATER);
	done(&b);
}

static void both_fences_have_to_reach_the_other_block(void **state)
{
	(void)state;
	static const struct {
		int first, flag, second, n_found;
	} cases[] = {
		{FENCE_GPU, STRONG, FENCE_GPU, 0}, {FENCE_GPU, STRONG, FENCE_CTA, 1}, {FENCE_CTA, STRONG, FENCE_GPU, 1},
		{FENCE_GPU, STRONG_CTA, FENCE_GPU, 2}, /* the flag, and the data */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench b;
		start(&b, 2);
		global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
		fence(&b, cases[i].first, 0, LANE(0));
		global(&b, ACCESS_STORE, STRONG, 0, LANE(0), 64, 1);
		next_block(&b, 1);
		global(&b, ACCESS_LOAD, cases[i].flag, 0, LANE(0), 64, 0);
		fence(&b, cases[i].second, 0, LANE(0));
		global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
		race_block_end(b.detector);
		if (b.n_found != cases[i].n_found)
			fail_msg("case %zu: %d found", i, b.n_found);
		done(&b);
	}
}

/* The first block releases to its own threads only; that another counts to all does not change it. */
static void an_atomic_widens_no_scope(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 3);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	fence(&b, FENCE_CTA, 0, LANE(0));
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	next_block(&b, 1);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	next_block(&b, 2);
	global(&b, ACCESS_LOAD, STRONG, 0, LANE(0), 64, 0);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	race_block_end(b.detector);
	expect_race(&b, 0, LANE(0), 0, LANE(0));
	done(&b);
}

static void a_reader_of_another_block_is_not_forgotten(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 3);
	global(&b, ACCESS_LOAD, LATER, 0, LANE(0), 0, 0);
	next_block(&b, 1);
	global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 0, 0);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_STORE, STRONG, 0, LANE(0), 64, 1);
	next_block(&b, 2);
	global(&b, ACCESS_LOAD, ACQUIRE, 0, LANE(0), 64, 0);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	race_block_end(b.detector);
	assert_int_equal(b.n_found, 1);
	assert_int_equal(b.found[0].other.instr, LATER);
	done(&b);
}

/* Warp 0 stores data and releases a flag; another thread writes the flag, and warp 1 acquires what it finds there. A
 * read-modify-write passes on what it found; another write ends the chain, also one that releases nothing. */
static void another_threads_write_ends_a_release_chain(void **state)
{
	(void)state;
	static const struct {
		enum access_op op;
		int how;
		bool clean;
	} cases[] = {
		{ACCESS_ATOMIC, STRONG, true},
		{ACCESS_STORE, STRONG, false},
		{ACCESS_STORE, RELEASE, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (uint32_t blocks = 1; blocks <= 3; blocks += 2) {
			struct bench b;
			start(&b, blocks);
			global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
			global(&b, ACCESS_STORE, RELEASE, 0, LANE(0), 64, 1);
			if (blocks > 1)
				next_block(&b, 1);
			global(&b, cases[i].op, cases[i].how, 2, LANE(0), 64, 2);
			if (blocks > 1)
				next_block(&b, 2);
			global(&b, ACCESS_LOAD, ACQUIRE, 1, LANE(0), 64, 0);
			global(&b, ACCESS_LOAD, PLAIN, 1, LANE(0), 0, 0);
			race_block_end(b.detector);
			if (b.n_found != !cases[i].clean)
				fail_msg("case %zu, %u blocks: %d found", i, blocks, b.n_found);
			if (!cases[i].clean)
				expect_race(&b, 1, LANE(0), 0, LANE(0));
			done(&b);
		}
}

static void an_ordered_access_does_not_hide_an_unordered_one(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	next_block(&b, 1);
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 2);
	sync_block(&b);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 3);
	expect_clean(&b);
	race_block_end(b.detector);
	expect_clean(&b);
	race_block_start(b.detector, 2);
	global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
	fence(&b, FENCE_GPU, 0, LANE(0));
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 2);
	race_block_end(b.detector);
	assert_int_equal(b.n_found, 1); /* block 1 stored after it had counted; the first store of block 0 is known */
	assert_int_equal(b.found[0].other.block, 1);
	done(&b);
}

static void the_last_of_many_blocks_knows_all(void **state)
{
	(void)state;
	struct bench b;
	const uint32_t blocks = 600;
	start(&b, blocks);
	for (uint32_t block = 0; block < blocks; block++) {
		global(&b, ACCESS_STORE, PLAIN, 1, LANE(3), 4096 + 4 * block, block);
		sync_block(&b);
		fence(&b, FENCE_GPU, 0, LANE(0));
		global(&b, ACCESS_ATOMIC, STRONG, 0, LANE(0), 64, 0);
		if (block + 1 < blocks)
			next_block(&b, block + 1);
	}
	fence(&b, FENCE_GPU, 0, LANE(0));
	for (uint32_t block = 0; block < blocks; block++)
		global(&b, ACCESS_LOAD, PLAIN, 0, LANE(0), 4096 + 4 * block, 0);
	race_block_end(b.detector);
	expect_clean(&b);
	done(&b);
}

/* --- uninitialized memory ---------------------------------------------------------------------------------------- */

static struct warp_access access_at(enum mem_space space, uint32_t lanes, uint32_t base, uint32_t step, uint8_t width)
{
	struct warp_access a = {.active = lanes, .space = space, .op = ACCESS_LOAD, .width = width};
	for (uint32_t i = 0; i < 32; i++)
		a.address[i] = base + (uint64_t)i * step;
	return a;
}

/* The lanes that find unwritten bytes, which are `expected` in each. */
static uint32_t unwritten(const struct bench *b, struct warp_access a, uint16_t expected)
{
	uint16_t bytes[32];
	uint32_t lanes = race_unwritten(b->detector, 1, &a, bytes);
	for (uint32_t left = lanes; left; left &= left - 1)
		assert_int_equal(bytes[__builtin_ctz(left)], expected);
	return lanes;
}

static void written(const struct bench *b, struct warp_access a, const uint16_t *but)
{
	race_written(b->detector, 1, &a, but);
}

static void start_unwritten(struct bench *b, uint8_t *bits)
{
	struct race_setup setup = {.blocks = 2,
		.threads = WARPS * 32,
		.shared_bytes = BYTES,
		.local_bytes = 64,
		.uninitialized = true,
		.order = orders,
		.n_instrs = ORDERS};
	memset(b, 0, sizeof *b);
	b->grid = race_grid_new(&setup);
	race_grid_uninitialized(b->grid, 0x10000, BYTES, bits);
	b->detector = race_detector_new(b->grid, on_finding, b);
	race_block_start(b->detector, 0);
}

static void unwritten_bytes_are_known(void **state)
{
	(void)state;
	struct bench b;
	uint8_t bits[BYTES / 8] = {0};
	start_unwritten(&b, bits);
	static const struct {
		enum mem_space space;
		uint32_t base;
	} spaces[] = {{SPACE_SHARED, 0}, {SPACE_LOCAL, 0}, {SPACE_GLOBAL, 0x10000}};
	for (size_t i = 0; i < 3; i++) {
		enum mem_space space = spaces[i].space;
		uint32_t base = spaces[i].base, step = space == SPACE_LOCAL ? 0 : 16;
		written(&b, access_at(space, 0xF0, base + 4, step, 4), NULL);
		assert_int_equal(unwritten(&b, access_at(space, 0xF0, base, step, 16), 0xFF0F), 0xF0);
		assert_int_equal(unwritten(&b, access_at(space, 0xFF, base + 4, step, 4), 0xF), 0x0F);
		assert_int_equal(unwritten(&b, access_at(space, 0x10, base + 8, step, 2), 0x3), 0x10);
		assert_int_equal(unwritten(&b, access_at(space, 0x10, base + 6, step, 1), 0), 0);
		written(&b, access_at(space, 0x1, base + 48, 0, 16), NULL);
		assert_int_equal(unwritten(&b, access_at(space, 0x1, base + 48, 0, 16), 0), 0);
	}
	assert_int_equal(unwritten(&b, access_at(SPACE_GLOBAL, ALL, 0x20000, 4, 4), 0), 0); /* the launch filled it */
	assert_int_equal(unwritten(&b, access_at(SPACE_PARAM, ALL, 0, 4, 4), 0), 0);
	race_block_end(b.detector);
	race_block_start(b.detector, 1); /* shared memory is new, global memory is not */
	assert_int_equal(unwritten(&b, access_at(SPACE_SHARED, 0x10, 4, 16, 4), 0xF), 0x10);
	assert_int_equal(unwritten(&b, access_at(SPACE_GLOBAL, 0x10, 0x10004, 16, 4), 0), 0);
	done(&b);
}

/* A store of undefined bytes takes away what was written; not from global memory, which others read. */
static void undefined_bytes_can_be_stored(void **state)
{
	(void)state;
	struct bench b;
	uint8_t bits[BYTES / 8] = {0};
	uint16_t but[32] = {[3] = 0x6, [4] = 0xF};
	start_unwritten(&b, bits);
	written(&b, access_at(SPACE_SHARED, ALL, 0, 4, 4), NULL);
	written(&b, access_at(SPACE_SHARED, 0x8, 0, 4, 4), but);
	assert_int_equal(unwritten(&b, access_at(SPACE_SHARED, ALL, 0, 4, 4), 0x6), 0x8); /* lane 4 stored nothing */
	written(&b, access_at(SPACE_SHARED, 0x8, 1, 4, 1), NULL);
	assert_int_equal(unwritten(&b, access_at(SPACE_SHARED, ALL, 0, 4, 4), 0x4), 0x8);
	written(&b, access_at(SPACE_GLOBAL, 0x8, 0x10000, 4, 4), but);
	assert_int_equal(unwritten(&b, access_at(SPACE_GLOBAL, 0x8, 0x10000, 4, 4), 0), 0);
	done(&b);
}

/* --- clocks ------------------------------------------------------------------------------------------------------- */

static void a_joined_clock_has_both_and_no_more(void **state)
{
	(void)state;
	struct block_clock *a = race_block_clock_new(5, (struct clock_entry){1, 0x3, 9}),
			   *b = race_block_clock_new(3, (struct clock_entry){1, 0xC, 9});
	struct block_clock *both = race_block_clock_join(a, b), *again = race_block_clock_join(both, a);
	assert_int_equal(race_block_clock_missing(both, 0, 0xF, 9), 0);
	assert_int_equal(race_block_clock_missing(both, 0, 0xFF, 9), 0xF0);
	assert_int_equal(race_block_clock_missing(both, 1, 0xF, 9), 0xF);
	assert_int_equal(race_block_clock_missing(both, 7, ALL, 5), 0);
	assert_int_equal(race_block_clock_missing(both, 7, ALL, 6), ALL);
	assert_ptr_equal(both, again);
	assert_int_equal(both->n, 1);
	race_block_clock_drop(a);
	race_block_clock_drop(b);
	race_block_clock_drop(both);
	race_block_clock_drop(again);
}

static void too_many_entries_are_rounded_up(void **state)
{
	(void)state;
	struct block_clock *clock = NULL;
	for (uint32_t i = 0; i < 600; i++) { /* each at an epoch of its own */
		struct block_clock *one = race_block_clock_new(
			0, (struct clock_entry){LANE(i % 32), LANE(i / 32), 1000 + i});
		struct block_clock *more = race_block_clock_join(clock, one);
		race_block_clock_drop(clock);
		race_block_clock_drop(one);
		clock = more;
	}
	assert_true(clock->n <= 512);
	for (uint32_t i = 0; i < 600; i++) /* what was known still is */
		assert_int_equal(race_block_clock_missing(clock, i % 32, LANE(i / 32), 1000 + i), 0);
	assert_int_equal(race_block_clock_missing(clock, 0, LANE(31), 1000), LANE(31));
	race_block_clock_drop(clock);
}

static void the_epochs_begin_again(void **state)
{
	(void)state;
	struct bench b;
	start(&b, 2);
	store(&b, PLAIN, 0, LANE(0), 0, 0);
	global(&b, ACCESS_STORE, PLAIN, 0, LANE(0), 0, 1);
	b.detector->clock = UINT32_MAX - 7; /* as after billions of events */
	next_block(&b, 1);
	assert_true(b.detector->clock < 16);
	load(&b, PLAIN, 1, LANE(1), 0, 0);
	expect_clean(&b);
	store(&b, PLAIN, 0, LANE(0), 0, 0);
	expect_race(&b, 0, LANE(0), 1, LANE(1));
	b.n_found = 0;
	global(&b, ACCESS_LOAD, PLAIN, 2, LANE(3), 0, 0);
	race_block_end(b.detector); /* which still knows of block 0 */
	expect_race(&b, 2, LANE(3), 0, LANE(0));
	done(&b);
}

static void a_grid_clock_keeps_blocks_apart(void **state)
{
	(void)state;
	uint32_t level = race_grid_clock_level(70000);
	struct grid_clock *grid = NULL;
	for (uint32_t block = 0; block < 70000; block += 7) {
		struct block_clock *clock = race_block_clock_new(block + 1, (struct clock_entry){0});
		struct grid_clock *more = race_grid_clock_with(grid, level, block, clock);
		race_grid_clock_drop(grid);
		race_block_clock_drop(clock);
		grid = more;
	}
	for (uint32_t block = 0; block < 70000; block++) {
		const struct block_clock *clock = race_grid_clock_block(grid, block);
		if (block % 7)
			assert_null(clock);
		else
			assert_int_equal(clock->all, block + 1);
	}
	struct grid_clock *same = race_grid_clock_join(grid, grid);
	assert_ptr_equal(same, grid);
	race_grid_clock_drop(same);
	race_grid_clock_drop(grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_apart_do_not_communicate),
		cmocka_unit_test(a_strong_access_and_a_strong_write_communicate),
		cmocka_unit_test(blocks_communicate),
		cmocka_unit_test(what_may_be_chance_counts_as_communication),
		cmocka_unit_test(a_barrier_orders_the_block),
		cmocka_unit_test(no_reader_is_forgotten),
		cmocka_unit_test(lanes_of_one_warp_need_a_warp_sync),
		cmocka_unit_test(a_partial_warp_sync_orders_its_lanes_only),
		cmocka_unit_test(lanes_that_have_ended_need_not_arrive),
		cmocka_unit_test(a_named_barrier_orders_warps_that_arrive),
		cmocka_unit_test(a_warp_that_only_arrives_acquires_nothing),
		cmocka_unit_test(a_barrier_begins_again),
		cmocka_unit_test(different_bytes_of_a_word_do_not_conflict),
		cmocka_unit_test(wide_accesses_are_of_all_their_words),
		cmocka_unit_test(the_same_value_may_be_stored_by_many),
		cmocka_unit_test(the_same_value_is_of_the_bytes_stored),
		cmocka_unit_test(lanes_of_one_store_may_not_differ),
		cmocka_unit_test(atomics_do_not_race_with_each_other),
		cmocka_unit_test(an_atomic_does_not_hide_a_plain_store_before),
		cmocka_unit_test(atomics_that_overlap_in_part_race),
		cmocka_unit_test(volatile_stores_of_two_warps_do_not_race),
		cmocka_unit_test(a_wait_acquires_what_was_released_in_its_phase),
		cmocka_unit_test(an_arrival_acquires_nothing_and_a_wait_releases_nothing),
		cmocka_unit_test(a_wait_in_vain_acquires_nothing),
		cmocka_unit_test(a_copy_lasts_until_its_thread_waits),
		cmocka_unit_test(a_source_is_read_until_its_copy_is_complete),
		cmocka_unit_test(what_an_operation_writes_nobody_may_touch),
		cmocka_unit_test(volatile_does_not_make_lanes_run_in_step),
		cmocka_unit_test(each_instruction_is_named),
		cmocka_unit_test(a_flag_with_two_fences_orders),
		cmocka_unit_test(what_comes_after_the_fence_is_not_passed_on),
		cmocka_unit_test(polling_acquires_what_is_new),
		cmocka_unit_test(another_lane_has_to_fence_itself),
		cmocka_unit_test(a_fence_on_the_other_side_of_a_barrier_suffices),
		cmocka_unit_test(fences_pass_a_barrier_of_some_warps),
		cmocka_unit_test(a_warp_sync_passes_fences_on),
		cmocka_unit_test(a_ticket_and_a_barrier_need_no_fence_after_them),
		cmocka_unit_test(a_lock_orders_its_holders),
		cmocka_unit_test(each_word_of_a_row_has_its_lanes),
		cmocka_unit_test(a_row_goes_on_after_a_word_with_another_reader),
		cmocka_unit_test(a_row_sees_what_was_written),
		cmocka_unit_test(each_word_of_a_row_is_known_to_later_blocks),
		cmocka_unit_test(words_between_lanes_are_not_loaded),
		cmocka_unit_test(half_a_warp_may_be_at_one_address),
		cmocka_unit_test(the_last_reader_is_named),
		cmocka_unit_test(blocks_race_when_nothing_orders_them),
		cmocka_unit_test(a_tile_may_be_written_when_it_was_read),
		cmocka_unit_test(a_tile_s_two_writers_race),
		cmocka_unit_test(a_second_value_of_a_block_is_seen),
		cmocka_unit_test(scopes_have_to_reach_the_other_block),
		cmocka_unit_test(a_counter_with_fences_orders_blocks),
		cmocka_unit_test(what_a_block_does_after_it_counted_is_not_known),
		cmocka_unit_test(both_fences_have_to_reach_the_other_block),
		cmocka_unit_test(an_atomic_widens_no_scope),
		cmocka_unit_test(a_reader_of_another_block_is_not_forgotten),
		cmocka_unit_test(another_threads_write_ends_a_release_chain),
		cmocka_unit_test(an_ordered_access_does_not_hide_an_unordered_one),
		cmocka_unit_test(the_last_of_many_blocks_knows_all),
		cmocka_unit_test(unwritten_bytes_are_known),
		cmocka_unit_test(undefined_bytes_can_be_stored),
		cmocka_unit_test(a_joined_clock_has_both_and_no_more),
		cmocka_unit_test(too_many_entries_are_rounded_up),
		cmocka_unit_test(the_epochs_begin_again),
		cmocka_unit_test(a_grid_clock_keeps_blocks_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
