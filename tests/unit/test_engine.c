/* The model of time: caches, and one SM. Expected numbers are worked out from the rules at the head of cache.h and
 * engine.h and from timings.def, so that they stay right when a parameter is read off anew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model/hardware/engine.h"
#include "model/hardware/schedule.h"

#define KIB 1024u

/* --- caches ------------------------------------------------------------------------------------------------------- */

static int hits_of(struct cache_l1 *l1, enum cache_op op, uint64_t line, uint8_t sectors)
{
	return __builtin_popcount(cache_l1_access(l1, op, &(struct cache_line){line, sectors}).sectors);
}

static void loads_bring_the_sectors_they_lack(void **state)
{
	(void)state;
	struct cache_l1 *l1 = cache_l1_new(0);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 7, 3), 0);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 7, 15), 2);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 7, 15), 4);
	cache_l1_free(l1);
}

static void stores_leave_what_they_wrote_and_atomics_nothing(void **state)
{
	(void)state;
	struct cache_l1 *l1 = cache_l1_new(0);
	hits_of(l1, CACHE_STORE, 1, 1);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 1, 3), 1);
	hits_of(l1, CACHE_ATOMIC, 1, 1);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 1, 3), 0);
	hits_of(l1, CACHE_LOAD_PAST, 1, 3);
	assert_int_equal(hits_of(l1, CACHE_LOAD, 1, 3), 0);
	cache_l1_free(l1);
}

/* A ring of `kib` is gone through twice: hits of the second time, in percent. */
static int ring(uint32_t shared, uint32_t kib)
{
	struct cache_l1 *l1 = cache_l1_new(shared);
	uint32_t lines = kib * KIB / 128, hits = 0;
	for (uint32_t i = 0; i < 3 * lines; i++) {
		int here = hits_of(l1, CACHE_LOAD, i % lines, 15);
		hits += i >= 2 * lines && here == 4;
	}
	cache_l1_free(l1);
	return (int)(100 * hits / lines);
}

/* micro.tsv, l1_size and l1_replacement, on an H200. */
static void rings_fit_as_far_as_the_carveout_leaves_room(void **state)
{
	(void)state;
	assert_int_equal(ring(32 * KIB, 216), 100);
	assert_int_equal(ring(32 * KIB, 232), 100 * 1344 / 1856);
	assert_int_equal(ring(32 * KIB, 240), 100 * 896 / 1920);
	assert_int_equal(ring(64 * KIB, 184), 100);
	assert_int_equal(ring(228 * KIB, 16), 100);
	assert_int_equal(ring(228 * KIB, 32), 0);
}

static void the_carveout_holds_the_blocks(void **state)
{
	(void)state;
	assert_int_equal(cache_carveout(90, 32, 0), 32 * KIB); /* a KiB of each is the system's */
	assert_int_equal(cache_carveout(90, 2, 100 * KIB), 228 * KIB);
	assert_int_equal(cache_carveout(90, 1, 132 * KIB), 164 * KIB);
	assert_int_equal(cache_carveout(12, 1, 0), 0); /* no such GPU */
}

static void assert_near(double value, double expected, double most)
{
	assert_true(fabs(value - expected) <= most);
}

static void lines_of_an_access_are_each_there_once(void **state)
{
	(void)state;
	struct cache_line out[CACHE_LINES_MAX];
	struct warp_access a = {.space = SPACE_GLOBAL, .op = ACCESS_LOAD, .width = 4, .active = 0xFFFFFFFF};
	for (uint32_t i = 0; i < 32; i++)
		a.address[i] = 4096 + 8 * i;
	assert_int_equal(cache_lines(&a, 0, out), 2);
	assert_int_equal(out[0].line, 32);
	assert_int_equal(out[0].sectors, 15);
	a.active = 0x80000001;
	assert_int_equal(cache_lines(&a, 0, out), 2);
	assert_int_equal(out[1].sectors, 8);
	/* the words of a warp's lanes are adjacent in local memory, and each warp has its own */
	struct warp_access local = {.space = SPACE_LOCAL, .op = ACCESS_LOAD, .width = 8, .active = 0xFFFFFFFF};
	assert_int_equal(cache_lines(&local, 1, out), 2);
	uint64_t first = out[0].line;
	assert_int_equal(cache_lines(&local, 2, out), 2);
	assert_true(out[0].line != first && out[1].line == out[0].line + 1);
}

static void a_footprint_counts_each_sector_once(void **state)
{
	(void)state;
	struct cache_set *set = cache_set_new(), *more = cache_set_new();
	for (uint64_t i = 0; i < 5000; i++) {
		cache_set_add(set, CACHE_LOAD, &(struct cache_line){i, 15}, 0, 0);
		cache_set_add(more, CACHE_LOAD, &(struct cache_line){i, 1}, 1, 0);
	}
	cache_set_add(more, CACHE_STORE, &(struct cache_line){9999, 3}, 1, 0);
	cache_set_join(set, more);
	struct cache_footprint f = cache_set_footprint(set, 1e6);
	assert_true(f.loaded == 20000 && f.stored == 2 && f.touched == 20002);
	assert_true(f.halves == 25000 && f.loads == 25000 && f.pairs == 10000 && f.requests == 10000);
	assert_true(f.fits && f.kept == 1 && f.missing == 0 && f.again == 0);
	assert_true(cache_set_has(set, 9999) && !cache_set_has(set, 9998));
	/* of buffers of which L2 has only the last ones, the first lines are missing */
	f = cache_set_footprint(set, 1e9);
	assert_true(f.missing == 10000);
	cache_set_add(set, CACHE_LOAD, &(struct cache_line){(1u << 30) / 128, 15}, 0, 0);
	f = cache_set_footprint(set, 1e9);
	assert_true(f.missing == 10000);
	cache_set_free(set);
	cache_set_free(more);
}

/* One page is at home or is not; four in a row are half and half. */
static void pages_lie_in_one_half(void **state)
{
	(void)state;
	struct cache_set *set = cache_set_new();
	double expected[] = {64, 0, 64, 0};
	for (uint64_t page = 0; page < 4; page++) {
		for (uint64_t i = 0; i < 32; i++)
			cache_set_add(set, CACHE_LOAD, &(struct cache_line){128 + 32 * page + i, 15}, 0, 0);
		assert_true(cache_set_footprint(set, 65536).undecided == expected[page]);
	}
	/* two rows of four that are not balanced may lie either way: a standard deviation */
	for (uint64_t i = 0; i < 32; i++) {
		cache_set_add(set, CACHE_LOAD, &(struct cache_line){128 * 7 + i, 15}, 0, 0);
		cache_set_add(set, CACHE_LOAD, &(struct cache_line){128 * 9 + i, 15}, 0, 0);
	}
	assert_near(cache_set_footprint(set, 65536).undecided, 64 * sqrt(2), 0.01);
	cache_set_free(set);
}

static struct cache_footprint footprint_of(uint64_t mib, int passes, double buffers)
{
	struct cache_set *set = cache_set_new();
	for (int p = 0; p < passes; p++)
		for (uint64_t i = 1; i <= mib * 8192; i++)
			cache_set_add(set, CACHE_LOAD, &(struct cache_line){i, 15}, 0, p);
	struct cache_footprint f = cache_set_footprint(set, buffers);
	cache_set_free(set);
	return f;
}

/* What is read in turns stays as far as it did on a GPU. */
static void larger_footprints_leave_less(void **state)
{
	(void)state;
	double before = 0;
	for (uint64_t mib = 16; mib <= 72; mib += 8) {
		struct cache_footprint f = footprint_of(mib, 2, (double)(mib << 20));
		double gone = f.missing / f.pairs;
		assert_true(f.in_turns && gone >= before && gone <= 1);
		assert_near(f.kept, 1 - gone, 1e-6);
		assert_true(mib > 28 || gone == 0);
		assert_true(mib < 64 || gone == 1);
		before = gone;
	}
	assert_near(footprint_of(40, 1, 40 << 20).missing / footprint_of(40, 1, 40 << 20).pairs, timing[TIMING_GONE_40],
		1e-6);
	/* the beginning of what was copied long ago */
	assert_true(footprint_of(8, 1, 64 << 20).missing == footprint_of(8, 1, 64 << 20).pairs);
}

static void stores_leave_for_memory_as_measured(void **state)
{
	(void)state;
	double mib = 1048576;
	assert_near(cache_written(32 * mib, 0), 32 * mib * timing[TIMING_WRITTEN_32], 1);
	assert_near(cache_written(20 * mib, 20 * mib), 20 * mib * timing[TIMING_COPIED_20], 1);
	assert_near(cache_written(36 * mib, 0), 18 * mib * (timing[TIMING_WRITTEN_32] + timing[TIMING_WRITTEN_40]), 1);
	assert_near(cache_written(96 * mib, 0), 96 * mib * timing[TIMING_WRITTEN_64], 1);
	assert_true(cache_written(0, 1e6) == 0);
}

/* --- one SM ------------------------------------------------------------------------------------------------------- */

static const uint32_t chain[] = {0}, address[] = {1, 2};
enum {
	FMA,
	LOAD,
	STORE,
	BAR,
	EXIT,
	FOLDED,
	REDUCE,
	COMPARE,
	GUARDED,
	DIVIDE,
	ROOT,
	PRODUCT,
	COMMIT,
	PRODUCTS_WAIT,
	FETCH,
	FETCH_COMMIT,
	FETCH_WAIT,
	COPY,
	ARRIVE,
	MBARRIER_WAIT,
	LOAD_NEXT,
	CLUSTER_BAR
};
#define OP(id, list, n, written, counts)                                                                               \
	{                                                                                                              \
		.latency = LATENCY_##id, .registers = list, .n_registers = n, .n_written = written, .issues = counts   \
	}
static struct schedule_op ops[] = {
	[FMA] = OP(FMA, chain, 1, 1, 1),
	[LOAD] = OP(GLOBAL, address, 2, 1, 1),
	[STORE] = OP(GLOBAL, address, 1, 0, 1),
	[BAR] = OP(BARRIER, NULL, 0, 0, 1),
	[EXIT] = OP(FREE, NULL, 0, 0, 1),
	[FOLDED] = OP(ALU, chain, 1, 1, 0),
	[REDUCE] = OP(ATOMIC, NULL, 0, 0, 1),
	[COMPARE] = OP(ALU, chain, 1, 1, 1),
	[GUARDED] = {.latency = LATENCY_FREE, .registers = chain, .n_registers = 1, .guard = 1, .issues = 1},
	[DIVIDE] = {.latency = LATENCY_LONG,
		.registers = chain,
		.n_registers = 1,
		.n_written = 1,
		.issues = 13,
		.pipe = PIPE_ALU,
		.cycles = 60,
		.interval = 13},
	[ROOT] = {.latency = LATENCY_SPECIAL,
		.registers = chain,
		.n_registers = 1,
		.n_written = 1,
		.issues = 4,
		.on_alu = 1,
		.on_fma = 2,
		.pipe = PIPE_XU,
		.cycles = 39,
		.interval = 8},
	[PRODUCT] = {.latency = LATENCY_MATRIX,
		.issues = 1,
		.pipe = PIPE_TENSOR,
		.interval = 128,
		.async = SCHEDULE_PRODUCT},
	[COMMIT] = {.latency = LATENCY_FREE, .issues = 1, .async = SCHEDULE_PRODUCT_COMMIT},
	[PRODUCTS_WAIT] = {.latency = LATENCY_FENCE, .issues = 1, .async = SCHEDULE_PRODUCT_WAIT},
	[FETCH] = {.latency = LATENCY_SHARED, .issues = 1, .async = SCHEDULE_FETCH},
	[FETCH_COMMIT] = {.latency = LATENCY_FREE, .issues = 1, .async = SCHEDULE_FETCH_COMMIT},
	[FETCH_WAIT] = {.latency = LATENCY_FENCE, .issues = 1, .async = SCHEDULE_FETCH_WAIT},
	[COPY] = {.latency = LATENCY_GLOBAL, .issues = 1, .async = SCHEDULE_COPY},
	[ARRIVE] = {.latency = LATENCY_SHARED, .issues = 1, .async = SCHEDULE_ARRIVE},
	[MBARRIER_WAIT] = {.latency = LATENCY_SHARED,
		.registers = chain,
		.n_registers = 1,
		.n_written = 1,
		.issues = 1,
		.async = SCHEDULE_PHASE_WAIT},
	[LOAD_NEXT] = OP(SHARED, chain, 1, 1, 1),
	[CLUSTER_BAR] = {.latency = LATENCY_BARRIER, .issues = 1, .async = SCHEDULE_CLUSTER_WAIT},
};

#define STEPS 600
#define WARPS 64
static struct schedule_step steps[WARPS][STEPS];
static struct cache_line lines[WARPS][STEPS];
static struct schedule_warp warps[WARPS];

#define AT_ONCE 8 /* lines of a load or store */

/* All warps do the same: so often the op, a load or store of lines of its own each time; then they end. */
static struct engine_input fill(int n, int per_block, uint32_t op, uint32_t times)
{
	for (int w = 0; w < n; w++) {
		memset(steps[w], 0, sizeof steps[w]);
		for (uint32_t i = 0; i < times; i++) {
			steps[w][i] = (struct schedule_step){.op = op, .latency = ops[op].latency};
			if (op != LOAD && op != STORE && op != REDUCE)
				continue;
			steps[w][i].cache = op == LOAD ? CACHE_LOAD : op == STORE ? CACHE_STORE : CACHE_ATOMIC;
			steps[w][i].n_lines = steps[w][i].wavefronts = AT_ONCE;
			steps[w][i].rounds = op == REDUCE ? 4 * AT_ONCE : 0;
			steps[w][i].first_line = i * AT_ONCE;
			for (uint64_t k = i * AT_ONCE; k < (i + 1) * AT_ONCE; k++)
				lines[w][k] = (struct cache_line){(uint64_t)w * STEPS + k, 15};
		}
		steps[w][times] = (struct schedule_step){.op = EXIT, .latency = LATENCY_FREE};
		warps[w] = (struct schedule_warp){.block = (uint32_t)(w / per_block),
			.warp = (uint32_t)(w % per_block),
			.steps = steps[w],
			.lines = lines[w],
			.n = times + 1,
			.executed = times + 1};
	}
	for (int i = 0; i <= CLUSTER_BAR; i++)
		ops[i].basic_block = (uint32_t)i; /* nothing is put into another order */
	return (struct engine_input){.ops = ops,
		.n_registers = 4,
		.warps = warps,
		.n_warps = n,
		.warps_per_block = (uint32_t)per_block,
		.resident = 1,
		.active_sms = 1,
		.fill = 1};
}

static void expect_near(double value, double expected, double percent)
{
	if (value < expected * (1 - percent / 100) || value > expected * (1 + percent / 100))
		fail_msg("%g is not within %g %% of %g", value, percent, expected);
}

static void a_chain_takes_its_latency_each_time(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, FMA, 500);
	struct engine_result r;
	engine_run(&in, &r);
	expect_near(r.cycles, timing[TIMING_START] + 500 * latency_table[LATENCY_FMA].cycles, 1);
	assert_int_equal(r.issued, 501);
	expect_near(r.stalls[ENGINE_STALL_WAIT], 500 * (latency_table[LATENCY_FMA].cycles - 1), 1);
	double share;
	assert_int_equal(engine_bound_of(&r, &share), ENGINE_LATENCY);
	in = fill(1, 1, FOLDED, 500);
	engine_run(&in, &r);
	assert_int_equal(r.issued, 1);
}

/* Accesses to shared memory by the way that leads to all blocks of a cluster; `there`: sectors of another block. */
static struct engine_input fill_cluster(int n, uint32_t op, enum cache_op cache, uint8_t there, uint32_t times)
{
	struct engine_input in = fill(n, n, FMA, times); /* which have no lines */
	for (int w = 0; w < n; w++)
		for (uint32_t i = 0; i < times; i++) {
			steps[w][i] = (struct schedule_step){.op = op,
				.latency = LATENCY_SHARED,
				.by_cluster = true,
				.cache = (uint8_t)cache,
				.there = there};
		}
	return in;
}

static void another_block_s_memory_is_far(void **state)
{
	(void)state;
	struct engine_result own, there, changed, many;
	struct engine_input in = fill_cluster(1, LOAD_NEXT, CACHE_LOAD, 0, 100);
	engine_run(&in, &own);
	expect_near(own.cycles, timing[TIMING_START] + 100 * timing[TIMING_CLUSTER_OWN_LOAD], 2);
	in = fill_cluster(1, LOAD_NEXT, CACHE_LOAD, 4, 100);
	engine_run(&in, &there);
	expect_near(there.cycles, timing[TIMING_START] + 100 * timing[TIMING_CLUSTER_LOAD], 2);
	in = fill_cluster(1, LOAD_NEXT, CACHE_ATOMIC, 4, 100);
	engine_run(&in, &changed);
	expect_near(changed.cycles, timing[TIMING_START] + 100 * timing[TIMING_CLUSTER_ATOMIC], 2);
	in = fill_cluster(16, STORE, CACHE_ATOMIC, 32, 100); /* nobody waits for what they leave */
	engine_run(&in, &many);
	expect_near(many.cycles, 16 * 100 * 32 * timing[TIMING_CLUSTER_CHANGE], 2);
	double share;
	assert_int_equal(engine_bound_of(&many, &share), ENGINE_CLUSTER);
	in = fill_cluster(16, STORE, CACHE_ATOMIC, 32, 100);
	for (int w = 0; w < 16; w++)
		for (int i = 0; i < 100; i++)
			steps[w][i].spread = true;
	engine_run(&in, &many);
	expect_near(many.cycles, 16 * 100 * 32 * timing[TIMING_CLUSTER_SPREAD], 2);
	in = fill_cluster(16, STORE, CACHE_STORE, 32, 100);
	engine_run(&in, &many);
	expect_near(many.cycles, 16 * 100 * 32 * timing[TIMING_CLUSTER_WRITE], 2);
}

static void the_barrier_of_a_cluster_takes_longer_with_more_warps(void **state)
{
	(void)state;
	for (int n = 1; n <= 8; n += 7) {
		struct engine_input in = fill(n, n, CLUSTER_BAR, 100);
		struct engine_result r;
		engine_run(&in, &r);
		expect_near(r.cycles,
			timing[TIMING_START] +
				100 * (timing[TIMING_CLUSTER_BARRIER] + (n - 1) * timing[TIMING_CLUSTER_BARRIER_WARP]),
			3);
	}
}

static void many_chains_fill_the_issue_slots(void **state)
{
	(void)state;
	struct engine_input in = fill(32, 32, FMA, 500);
	struct engine_result r;
	double share;
	engine_run(&in, &r);
	expect_near(r.cycles, timing[TIMING_START] + 32 * 500 / 4, 5);
	assert_int_equal(engine_bound_of(&r, &share), ENGINE_ISSUE);
	assert_true(share > 0.9);
	/* of eight warps one issues and three wait for their results; their pipe takes an instruction in each cycle, so
	 * it holds nobody up */
	expect_near(r.stalls[ENGINE_STALL_NOT_SELECTED] / (double)r.issued, 4, 5);
	expect_near(r.stalls[ENGINE_STALL_MATH] / (double)r.issued, 0, 0);
}

static double mixed(const struct engine_result *r)
{
	double all = 0;
	for (int pipe = 0; pipe < PIPES; pipe++)
		all += r->by_pipe[pipe];
	return all;
}

static void instructions_are_divided_among_the_pipes(void **state)
{
	(void)state;
	struct engine_input in = fill(64, 64, ROOT, 50);
	struct engine_result r;
	engine_run(&in, &r);
	expect_near(r.by_pipe[PIPE_XU], 64 * 50, 0);
	expect_near(r.by_pipe[PIPE_ALU], 64 * 50, 0);
	expect_near(r.by_pipe[PIPE_FMA], 64 * 50 * 2, 0);
	expect_near(r.by_pipe[PIPE_NONE], 64, 0); /* the ends */
	expect_near(mixed(&r), (double)r.issued, 0);
	/* a quarter of them fills its pipe */
	expect_near(engine_pipe_pct(PIPE_XU, r.by_pipe[PIPE_XU], r.cycles), 100, 10);
	assert_true(engine_pipe_pct(PIPE_FMA, r.by_pipe[PIPE_FMA], r.cycles) < 30);
	assert_true(engine_pipe_pct(PIPE_ALU, r.by_pipe[PIPE_ALU], r.cycles) < 30);
	/* for that they wait, and not for their turns */
	assert_true(r.stalls[ENGINE_STALL_MATH] > 2 * r.stalls[ENGINE_STALL_NOT_SELECTED]);
	/* sums go to two */
	in = fill(1, 1, COMPARE, 90);
	ops[COMPARE].either = true;
	engine_run(&in, &r);
	ops[COMPARE].either = false;
	expect_near(r.by_pipe[PIPE_ALU], 60, 1e-6);
	expect_near(r.by_pipe[PIPE_FMA], 30, 1e-6);
	/* the memory pipe brings a thread's number */
	ops[COMPARE].of_thread = true;
	engine_run(&in, &r);
	ops[COMPARE].of_thread = false;
	expect_near(r.by_pipe[PIPE_LSU], 90, 0);
	/* an access is one of the memory pipe, whatever else belongs to it */
	float slots[ROOT + 1] = {[LOAD] = 3, [EXIT] = 1};
	in = fill(8, 8, LOAD, 50);
	in.slots = slots;
	engine_run(&in, &r);
	expect_near(r.by_pipe[PIPE_LSU], 8 * 50, 0);
	expect_near(r.by_pipe[PIPE_ALU], 8 * 50 * 2, 0);
	expect_near(mixed(&r), (double)r.issued, 0);
}

/* As an H200 counted kernels of one kind of instruction, 8 warps of an SM with 256 of them each. */
static void pipes_are_as_busy_as_counted(void **state)
{
	(void)state;
	static const struct {
		enum pipe pipe;
		double instructions, cycles, pct;
	} counted[] = {
		{PIPE_ALU, 8 * 267, 1830.41, 58.3},
		{PIPE_FMA, 8 * 258, 1457.13, 35.4},
		{PIPE_FP64, 8 * 256, 2492.25, 41.1},
		{PIPE_XU, 8 * 256, 4762, 86},
		{PIPE_TENSOR, 8 * 256, 6649.12, 46.2},
		{PIPE_LSU, 8 * 259, 2433, 85.2},
	};
	for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
		expect_near(engine_pipe_pct(counted[i].pipe, counted[i].instructions, counted[i].cycles),
			counted[i].pct, 0.5);
	assert_true(engine_pipe_pct(PIPE_NONE, 1000, 10) == 0 && engine_pipe_pct(PIPE_XU, 1, 0) == 0);
	assert_true(engine_pipe_pct(PIPE_XU, 1000, 10) == 100);
}

/* As the one_chain launches of lessons/17-latency on an H200. */
static void older_blocks_come_first(void **state)
{
	(void)state;
	struct engine_input in = fill(64, 32, FMA, 500);
	struct engine_result one, two;
	in.n_warps = 32;
	engine_run(&in, &one);
	expect_near(one.warps / one.active, 32, 5);
	in.n_warps = 64;
	in.resident = 2;
	engine_run(&in, &two);
	expect_near(two.active, 2 * one.active, 10);
	/* the first block ends after half of the time, and the second one is there for all of it */
	expect_near(two.warps / two.active, 64 * 0.75, 5);
}

static void blocks_follow_each_other(void **state)
{
	(void)state;
	struct engine_input in = fill(2, 1, FMA, 500);
	struct engine_result one, two;
	in.n_warps = 1;
	engine_run(&in, &one);
	in.n_warps = 2;
	engine_run(&in, &two);
	expect_near(two.cycles, 2 * one.cycles + timing[TIMING_BLOCK_NEXT], 1);
	expect_near(two.active, 2 * one.cycles, 1);
	in.resident = 2;
	engine_run(&in, &two);
	expect_near(two.cycles, one.cycles + timing_block_start(1), 1);
}

static void streams_are_bound_by_what_brings_them(void **state)
{
	(void)state;
	struct engine_input in = fill(64, 32, LOAD, 480 / AT_ONCE);
	struct engine_requests asked;
	struct engine_result r;
	double share;
	engine_count_requests(&in, &asked);
	assert_true(asked.touched == 64 * 480 * 4 && asked.asked == asked.touched && asked.first == asked.touched);
	in.resident = 2;
	in.active_sms = 132;
	in.dram = 1;
	engine_run(&in, &r);
	expect_near(r.cycles, 132 * 64 * 480 * 128 / timing[TIMING_DRAM_BYTES], 5);
	assert_int_equal(engine_bound_of(&r, &share), ENGINE_DRAM);
	assert_true(r.l1_hits == 0 && r.l2_loads == asked.touched);
	in.dram = 0;
	engine_run(&in, &r);
	expect_near(r.cycles, 132 * 64 * 480 * 128 / timing[TIMING_L2_READ], 5);
	assert_int_equal(engine_bound_of(&r, &share), ENGINE_L2);
	assert_true(r.stalls[ENGINE_STALL_LONG_SCOREBOARD] > 0 || r.stalls[ENGINE_STALL_LG] > 0);
	in = fill(32, 32, STORE, 480 / AT_ONCE);
	in.active_sms = 132;
	engine_run(&in, &r);
	expect_near(r.cycles, 132.0 * 32 * 480 * 128 / 2 / timing[TIMING_FABRIC], 5);
	assert_true(r.l2_stores == 32 * 480 * 4);
}

static void stores_of_parts_of_sectors_take_longer(void **state)
{
	(void)state;
	struct engine_input in = fill(32, 32, STORE, 480 / AT_ONCE);
	struct engine_result whole, parts;
	in.active_sms = 132;
	for (int w = 0; w < 32; w++)
		for (int k = 0; k < 480; k++)
			lines[w][k].sectors = 1;
	engine_run(&in, &whole);
	for (int w = 0; w < 32; w++)
		for (int i = 0; i < 480 / AT_ONCE; i++)
			steps[w][i].partial = true;
	engine_run(&in, &parts);
	assert_true(whole.cycles < parts.cycles);
	expect_near(parts.cycles, 132.0 * 32 * 480 / timing[TIMING_L2_STORES], 5);
}

static void atomics_on_one_line_follow_each_other(void **state)
{
	(void)state;
	struct engine_input in = fill(4, 4, REDUCE, 10);
	struct engine_result spread, hot, after;
	double rounds = 132.0 * 4 * 10 * 4 * AT_ONCE, share;
	in.active_sms = 132;
	engine_run(&in, &spread);
	expect_near(spread.changed, rounds / timing[TIMING_L2_REDUCTIONS], 10);
	in.hot = 1;
	engine_run(&in, &hot);
	/* the SM is through before L2 is, unless it has something to ask for behind them */
	expect_near(hot.changed, rounds * timing[TIMING_L2_SAME], 5);
	assert_true(hot.cycles < hot.changed);
	for (int w = 0; w < 4; w++)
		steps[w][9] = (struct schedule_step){.op = LOAD,
			.latency = LATENCY_GLOBAL,
			.cache = CACHE_LOAD,
			.n_lines = 1,
			.wavefronts = 1,
			.first_line = 0};
	engine_run(&in, &after);
	assert_true(
		after.cycles >= after.changed && after.changed < hot.changed && after.active >= after.changed - 200);
	assert_int_equal(engine_bound_of(&after, &share), ENGINE_ATOMICS);
	assert_true(share > 0.9);
}

/* tests/time/h100/atomics.tsv: 256 bytes are in one slice of L2, a page in eight, and several pages in more. */
static double slices_of(int n, int word)
{
	struct cache_set *set = cache_set_new();
	for (int i = 0; i < n; i++)
		for (int k = 0; k < 3; k++)
			cache_set_change(set, (uint64_t)i, 4, word);
	struct cache_footprint f = cache_set_footprint(set, 1e6);
	cache_set_free(set);
	assert_near(f.rounds, 12.0 * n, 1e-6);
	return f.rounds / f.rounds_most;
}

static void atomics_share_the_slices_of_their_page(void **state)
{
	(void)state;
	assert_near(slices_of(1, -1), 1, 1e-6);
	assert_near(slices_of(2, -1), 1, 1e-6);
	assert_near(slices_of(4, -1), 2, 1e-6);
	assert_near(slices_of(8, -1), 2, 1e-6);
	assert_near(slices_of(16, -1), 4, 1e-6);
	assert_near(slices_of(32, -1), 8, 1e-6);
	assert_near(slices_of(64, -1), 12, 3); /* counted: 11.7 */
	assert_near(slices_of(256, -1), 46, 8);
	/* sums of floats in one word wait for each other, in two words of a line they do not */
	assert_near(slices_of(1, 5), 1 / timing[TIMING_L2_SAME_FLOAT], 1e-6);
	struct cache_set *set = cache_set_new();
	for (int i = 0; i < 100; i++)
		cache_set_change(set, 1, 1, i % 2);
	assert_near(cache_set_footprint(set, 1e6).rounds_most, 100, 2);
	cache_set_free(set);
}

static void so_many_atomics_may_be_under_way(void **state)
{
	(void)state;
	struct engine_result few, many;
	struct engine_input in = fill(4, 4, REDUCE, 2);
	double held = timing[TIMING_ATOMICS_HELD], each = 132 * timing[TIMING_L2_SAME];
	in.active_sms = 132;
	in.hot = 1;
	engine_run(&in, &few);
	assert_true(4 * 2 * 4 * AT_ONCE < held);
	assert_true(few.cycles < few.changed / 2);
	in = fill(4, 4, REDUCE, 40);
	in.active_sms = 132;
	in.hot = 1;
	engine_run(&in, &many);
	expect_near(many.cycles, (4.0 * 40 * 4 * AT_ONCE - held) * each, 10);
}

static void counted_instructions_are_those_issued(void **state)
{
	(void)state;
	struct engine_input in = fill(8, 8, FMA, 200);
	struct engine_result rules, fewer, more;
	engine_run(&in, &rules);
	in.instructions = 1.5 * (double)rules.issued;
	engine_run(&in, &more);
	expect_near((double)more.issued, in.instructions, 2);
	assert_true(more.cycles > rules.cycles);
	in.instructions = 0.5 * (double)rules.issued;
	engine_run(&in, &fewer);
	expect_near((double)fewer.issued, in.instructions, 2);
	assert_true(fewer.cycles < rules.cycles && fewer.cycles > 0);
	/* those to memory are known, and stay as many */
	in = fill(8, 8, LOAD, 50);
	engine_run(&in, &rules);
	in.instructions = 10 * (double)rules.issued;
	engine_run(&in, &more);
	assert_true(more.l2_loads == rules.l2_loads && more.l1_sectors == rules.l1_sectors);
}

/* Where each instruction has its own number, not one for all. */
static void machine_code_says_how_many_are_issued(void **state)
{
	(void)state;
	struct engine_input in = fill(8, 8, FMA, 200);
	struct engine_result rules, code;
	float slots[16];
	engine_run(&in, &rules);
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
		slots[i] = 1;
	in.slots = slots;
	engine_run(&in, &code);
	assert_true(code.issued == rules.issued && code.cycles == rules.cycles);
	for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
		slots[i] = 0.25f;
	engine_run(&in, &code);
	expect_near((double)code.issued, 0.25 * (double)rules.issued, 2);
	assert_true(code.cycles < rules.cycles);
	/* an access is one at least */
	in = fill(8, 8, LOAD, 50);
	engine_run(&in, &rules);
	in.slots = slots;
	engine_run(&in, &code);
	assert_true(code.l2_loads == rules.l2_loads && code.issued >= 8 * 50);
}

static void expect_said(const struct engine_estimate *e, const char *said)
{
	struct buf text = {0};
	engine_explain(e, &text);
	if (!strstr(buf_str(&text), said))
		fail_msg("%s does not say: %s", buf_str(&text), said);
	buf_free(&text);
}

static void what_bounds_a_kernel_is_said(void **state)
{
	(void)state;
	struct engine_estimate e = {
		.active_max = 20000, .elapsed = 23000, .ns = 12000, .bound = ENGINE_DRAM, .share = 0.83};
	expect_said(&e, "≈ 20,000 cycles");
	expect_said(&e, "with the launch; DRAM bounds the kernel: it is busy for 83 % of those cycles.\n");
	e.bound = ENGINE_TENSOR;
	expect_said(&e, "the tensor cores bound the kernel: they are busy for 83 %");
	e.instructions_by = ENGINE_BY_CODE;
	e.elsewhere = true;
	expect_said(&e, "that ptxas makes of it. Caches, pipes and clock are those of an NVIDIA H200, not");
	e = (struct engine_estimate){
		.active_max = 500, .elapsed = 500 + 20000 + timing[TIMING_LAUNCH], .bound = ENGINE_ATOMICS};
	expect_said(&e, "atomics in L2 bound the kernel: they go on for ≈ 20,000 cycles after its last warp.");
	e = (struct engine_estimate){
		.active_max = 100, .elapsed = 100 + timing[TIMING_LAUNCH], .bound = ENGINE_LATENCY, .share = 0.4};
	e.stalls[ENGINE_STALL_BARRIER] = 1;
	expect_said(&e,
		"with the launch, which is most of it; nothing bounds the kernel for long: its warps wait for 40 %");
	e.share = 0.9;
	expect_said(
		&e, "latency bounds the kernel: its warps wait for 90 % of their time, mostly for the other warps of");
}

static void far_pages_wait_for_their_translation(void **state)
{
	(void)state;
	struct engine_input in = fill(4, 4, LOAD, 50);
	struct engine_result near, far;
	for (int w = 0; w < 4; w++)
		for (int k = 0; k < 50 * AT_ONCE; k++)
			lines[w][k].line = (uint64_t)(k * 4 + w) * 16384 + (uint64_t)(k % 32);
	in.active_sms = 132;
	engine_run(&in, &near);
	assert_true(near.busy[ENGINE_TLB] == 0);
	in.many_pages = true;
	engine_run(&in, &far);
	expect_near(far.busy[ENGINE_TLB], 132.0 * 4 * 50 * AT_ONCE * timing[TIMING_TLB_MISS], 1);
	assert_true(far.cycles > near.cycles);
	/* of a few pages the translations are there after the first time */
	for (int w = 0; w < 4; w++)
		for (int k = 0; k < 50 * AT_ONCE; k++)
			lines[w][k].line = (uint64_t)(k % 8) * 16384 + (uint64_t)(k * 4 + w);
	engine_run(&in, &far);
	expect_near(far.busy[ENGINE_TLB], 132.0 * 8 * timing[TIMING_TLB_MISS], 1);
}

static void a_guard_needs_its_comparison_for_longer(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, COMPARE, 100);
	struct engine_result chained, guarded;
	engine_run(&in, &chained);
	for (int i = 1; i < 100; i += 2)
		steps[0][i].op = GUARDED;
	engine_run(&in, &guarded);
	expect_near(chained.cycles, timing[TIMING_START] + 100 * latency_table[LATENCY_ALU].cycles, 2);
	expect_near(guarded.cycles, timing[TIMING_START] + 50 * (timing[TIMING_GUARD] + 2), 2);
}

static void a_sequence_takes_slots_and_its_latency(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, DIVIDE, 100);
	struct engine_result r;
	engine_run(&in, &r);
	expect_near(r.cycles, timing[TIMING_START] + 100 * ops[DIVIDE].cycles, 2);
	assert_int_equal(r.issued, 100 * ops[DIVIDE].issues + 1);
	in = fill(64, 64, DIVIDE, 100);
	engine_run(&in, &r);
	expect_near(r.cycles, timing[TIMING_START] + 100 * 16 * ops[DIVIDE].interval, 5);
}

/* Where a launch touches only a few pages, a first load costs what it does in the middle. */
static void few_pages_are_neither_near_nor_far(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, LOAD, 2); /* the second waits for the first */
	struct engine_result near, few;
	engine_run(&in, &near);
	in.few_pages = true;
	engine_run(&in, &few);
	expect_near(few.cycles - near.cycles, timing[TIMING_L2_FIRST] - timing[TIMING_L2_NEAR], 10);
	in.few_pages = false;
	in.far = 1;
	engine_run(&in, &few);
	expect_near(few.cycles - near.cycles, timing[TIMING_L2_FAR] - timing[TIMING_L2_NEAR], 10);
}

static void a_barrier_waits_for_the_last(void **state)
{
	(void)state;
	struct engine_input in = fill(2, 2, FMA, 100);
	struct engine_result r;
	steps[1][0] = steps[0][99] = (struct schedule_step){.op = BAR, .latency = LATENCY_BARRIER};
	engine_run(&in, &r);
	/* the second warp waits for 99 links of the first, and has 99 left then */
	expect_near(r.cycles, timing[TIMING_START] + (99 + 99) * latency_table[LATENCY_FMA].cycles, 10);
	assert_true(r.stalls[ENGINE_STALL_BARRIER] > 0);
}

static void put_step(int warp, uint32_t at, uint32_t op)
{
	steps[warp][at] = (struct schedule_step){.op = op, .latency = ops[op].latency};
}

static void products_go_on_until_they_are_waited_for(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, FMA, 100);
	struct engine_result r;
	for (uint32_t i = 0; i < 4; i++)
		put_step(0, i, PRODUCT);
	put_step(0, 4, COMMIT);
	put_step(0, 99, PRODUCTS_WAIT);
	engine_run(&in, &r);
	double products = 4 * 128 + timing[TIMING_PRODUCT_WAIT], sums = 94 * latency_table[LATENCY_FMA].cycles;
	expect_near(r.cycles, timing[TIMING_START] + products, 2);
	expect_near(r.busy[ENGINE_TENSOR], 4 * 128 / 4, 1);
	/* who waits for nothing ends before them */
	put_step(0, 99, FMA);
	engine_run(&in, &r);
	expect_near(r.cycles, timing[TIMING_START] + sums, 4);
	/* a wait that leaves a group under way waits for those before it */
	put_step(0, 3, COMMIT);
	put_step(0, 99, PRODUCTS_WAIT);
	ops[PRODUCTS_WAIT].keeps = 1;
	engine_run(&in, &r);
	ops[PRODUCTS_WAIT].keeps = 0;
	expect_near(r.cycles, timing[TIMING_START] + 3 * 128 + timing[TIMING_PRODUCT_WAIT], 6);
}

/* The first fetch has come long before the second is made. */
static void a_wait_leaves_fetches_under_way(void **state)
{
	(void)state;
	struct engine_input in = fill(1, 1, FMA, 100);
	struct engine_result all, but_one;
	put_step(0, 0, FETCH);
	put_step(0, 1, FETCH_COMMIT);
	put_step(0, 97, FETCH);
	put_step(0, 98, FETCH_COMMIT);
	put_step(0, 99, FETCH_WAIT);
	engine_run(&in, &all);
	ops[FETCH_WAIT].keeps = 1;
	engine_run(&in, &but_one);
	ops[FETCH_WAIT].keeps = 0;
	double takes = latency_table[LATENCY_SHARED].cycles;
	assert_true(all.cycles - but_one.cycles > takes - 5 && all.cycles - but_one.cycles < takes + 5);
	expect_near(all.stalls[ENGINE_STALL_LONG_SCOREBOARD], all.cycles - but_one.cycles, 20);
	assert_true(but_one.stalls[ENGINE_STALL_LONG_SCOREBOARD] == 0 && all.stalls[ENGINE_STALL_MEMBAR] == 0);
}

/* Two warps: one waits at once, for one that copies after 50 links of its chain. */
static double copied(int n_lines, bool cut)
{
	struct engine_input in = fill(2, 2, FMA, 60);
	struct engine_result r;
	put_step(0, 50, COPY);
	put_step(1, 0, MBARRIER_WAIT);
	for (int i = 0; i < n_lines; i++)
		lines[0][i] = (struct cache_line){(uint64_t)i, 15};
	steps[0][50].cache = CACHE_LOAD_PAST;
	steps[0][50].n_lines = (uint16_t)n_lines;
	steps[0][50].mbarrier = steps[1][0].mbarrier = 3;
	steps[1][0].after = 1;
	warps[0].n = cut ? 20 : warps[0].n;
	engine_run(&in, &r);
	return r.cycles;
}

static void a_phase_ends_when_the_bytes_have_come(void **state)
{
	(void)state;
	double few = copied(1, false), many = copied(257, false), links = latency_table[LATENCY_FMA].cycles;
	assert_true(few > timing[TIMING_START] + (50 + 59) * links + timing[TIMING_L2_NEAR] / 2);
	double bytes = timing[TIMING_COPY_BYTES] < timing[TIMING_SM_READ] ? timing[TIMING_COPY_BYTES]
									  : timing[TIMING_SM_READ];
	expect_near(many - few, 256 * 128 / bytes, 50); /* the last line may be far */
	/* a copy that was not kept holds nobody up */
	assert_true(copied(1, true) < few);
}

static void an_arrival_lets_a_waiting_warp_go(void **state)
{
	(void)state;
	struct engine_input in = fill(2, 2, FMA, 60);
	struct engine_result r;
	put_step(0, 50, ARRIVE);
	put_step(1, 0, MBARRIER_WAIT);
	steps[0][50].mbarrier = steps[1][0].mbarrier = 1;
	steps[1][0].after = 1;
	engine_run(&in, &r);
	double shared = latency_table[LATENCY_SHARED].cycles;
	expect_near(r.cycles, timing[TIMING_START] + (50 + 59) * latency_table[LATENCY_FMA].cycles + shared, 5);
}

static void a_cut_warp_ends_and_holds_nobody_up(void **state)
{
	(void)state;
	struct engine_input in = fill(2, 2, FMA, 100);
	struct engine_result r;
	steps[1][50] = (struct schedule_step){.op = BAR, .latency = LATENCY_BARRIER};
	warps[0].n = 20;
	engine_run(&in, &r);
	assert_false(r.whole);
	assert_int_equal(r.issued, 20 + 101);
}

static void beginnings_lie_between_the_measured_ones(void **state)
{
	(void)state;
	assert_true(timing_block_start(1) == timing[TIMING_BLOCK_1]);
	assert_true(timing_block_start(32) == timing[TIMING_BLOCK_32]);
	assert_true(
		timing_block_start(24) > timing[TIMING_BLOCK_16] && timing_block_start(24) < timing[TIMING_BLOCK_32]);
	assert_true(cache_written(0, 0) == 0 && cache_written(1e9, 0) > 0.9e9 && cache_written(1e6, 0) < 1e5);
	/* what is loaded beside it takes room, but is not what has to be written */
	assert_true(cache_written(64 << 20, 64 << 20) < cache_written(64 << 20, 0));
	assert_true(cache_written(16 << 20, 16 << 20) > cache_written(16 << 20, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_bring_the_sectors_they_lack),
		cmocka_unit_test(stores_leave_what_they_wrote_and_atomics_nothing),
		cmocka_unit_test(rings_fit_as_far_as_the_carveout_leaves_room),
		cmocka_unit_test(the_carveout_holds_the_blocks),
		cmocka_unit_test(lines_of_an_access_are_each_there_once),
		cmocka_unit_test(a_footprint_counts_each_sector_once),
		cmocka_unit_test(pages_lie_in_one_half),
		cmocka_unit_test(larger_footprints_leave_less),
		cmocka_unit_test(stores_leave_for_memory_as_measured),
		cmocka_unit_test(a_chain_takes_its_latency_each_time),
		cmocka_unit_test(another_block_s_memory_is_far),
		cmocka_unit_test(the_barrier_of_a_cluster_takes_longer_with_more_warps),
		cmocka_unit_test(many_chains_fill_the_issue_slots),
		cmocka_unit_test(instructions_are_divided_among_the_pipes),
		cmocka_unit_test(pipes_are_as_busy_as_counted),
		cmocka_unit_test(older_blocks_come_first),
		cmocka_unit_test(blocks_follow_each_other),
		cmocka_unit_test(streams_are_bound_by_what_brings_them),
		cmocka_unit_test(stores_of_parts_of_sectors_take_longer),
		cmocka_unit_test(atomics_on_one_line_follow_each_other),
		cmocka_unit_test(atomics_share_the_slices_of_their_page),
		cmocka_unit_test(so_many_atomics_may_be_under_way),
		cmocka_unit_test(counted_instructions_are_those_issued),
		cmocka_unit_test(machine_code_says_how_many_are_issued),
		cmocka_unit_test(what_bounds_a_kernel_is_said),
		cmocka_unit_test(far_pages_wait_for_their_translation),
		cmocka_unit_test(a_guard_needs_its_comparison_for_longer),
		cmocka_unit_test(a_sequence_takes_slots_and_its_latency),
		cmocka_unit_test(few_pages_are_neither_near_nor_far),
		cmocka_unit_test(a_barrier_waits_for_the_last),
		cmocka_unit_test(products_go_on_until_they_are_waited_for),
		cmocka_unit_test(a_wait_leaves_fetches_under_way),
		cmocka_unit_test(a_phase_ends_when_the_bytes_have_come),
		cmocka_unit_test(an_arrival_lets_a_waiting_warp_go),
		cmocka_unit_test(a_cut_warp_ends_and_holds_nobody_up),
		cmocka_unit_test(beginnings_lie_between_the_measured_ones),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
