#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model/hardware/engine.h"
#include "model/hardware/metrics.h"
#include "model/hardware/schedule.h"
#include "model/profile/profile.h"
#include "model/profile/times.h"

#define ARGS_MAX 8

struct fixture {
	struct arena *arena;
	struct diag diag;
	struct ptx_module *module;
	struct launch_arg args[ARGS_MAX];
	struct launch launch;
	struct times_request request;
	struct timelines times;
};

static struct fixture open_kernel(
	const char *path, const char *kernel, uint32_t grid, uint32_t block, const char *const *args)
{
	struct fixture f = {.arena = arena_new()};
	const char *top = getenv("top_srcdir");
	struct buf ptx = {0};
	assert_true(file_read(arena_printf(f.arena, "%s/%s", top ? top : ".", path), 1 << 20, &ptx, &f.diag));
	f.module = ptx_parse(f.arena, path, ptx.data, ptx.len, &f.diag);
	assert_non_null(f.module);
	buf_free(&ptx);
	f.launch = (struct launch){.kernel = kernel, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
	for (; args[f.launch.n_args]; f.launch.n_args++)
		assert_true(launch_arg_parse(f.arena, NULL, args[f.launch.n_args], &f.args[f.launch.n_args], &f.diag));
	f.request = (struct times_request){.cc = 90};
	return f;
}
#define LIST(...)                                                                                                      \
	(const char *const[])                                                                                          \
	{                                                                                                              \
		__VA_ARGS__, NULL                                                                                      \
	}

static void run(struct fixture *f)
{
	f->launch.args = f->args;
	profile_times_model(f->arena, f->module, &f->launch, &f->request, &f->times);
}

static void close_kernel(struct fixture *f)
{
	diag_free(&f->diag);
	arena_free(f->arena);
}

static struct fixture open_uneven(uint32_t grid)
{
	return open_kernel("tests/run/uneven.ptx", "uneven", grid, 256, LIST("f32[1048576]", "u32:20"));
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-6);
}

/* --- the SM ------------------------------------------------------------------------------------------------------- */

/* 8 blocks of 256 threads fit on an SM, so that it is full; every instruction of each is issued. */
static void schedules_a_full_sm(void **state)
{
	(void)state;
	struct fixture f = open_uneven(132 * 8);
	run(&f);
	const struct schedule_timeline *s = f.times.schedule;
	assert_non_null(s);
	assert_int_equal(s->n_rows, 64);
	assert_int_equal(s->sm, 0);
	uint64_t issued = 0;
	for (int i = 0; i < 4; i++)
		issued += s->issued[i];
	/* block 0 and the others at distances of 132, all of them multiples of 4 */
	uint64_t spans = 0;
	for (int i = 0; i < s->n_rows; i++) {
		assert_int_equal(s->rows[i].block % 132, 0);
		uint64_t at = 0;
		for (size_t k = 0; k < s->rows[i].n; k++) {
			const struct phase_span *span = &s->rows[i].spans[k];
			assert_int_equal(span->start, at);
			at = span->end;
			spans += span->phase == PHASE_ISSUE ? span->end - span->start : 0;
		}
		assert_int_equal(at, s->rows[i].end);
	}
	assert_int_equal(spans, issued);
	assert_null(s->origin.cut);
	assert_int_equal(s->origin.witness, WITNESS_MODEL);
	close_kernel(&f);
}

/* The watched block's SM is shown, whichever wave it is in. */
static void follows_the_block(void **state)
{
	(void)state;
	struct fixture f = open_uneven(20);
	f.request.sms = 2;
	f.request.gpu = "a small GPU";
	f.request.block = 19;
	f.request.warp = 3;
	run(&f);
	/* 16 at a time: block 19 is the second of SM 1 in the second wave */
	assert_int_equal(f.times.schedule->n_rows, 16);
	assert_int_equal(f.times.schedule->sm, 1);
	for (int i = 0; i < 16; i++)
		assert_true(f.times.schedule->rows[i].block == 17 || f.times.schedule->rows[i].block == 19);
	assert_int_equal(f.times.mask->block, 19);
	assert_int_equal(f.times.mask->warp, 3);
	assert_string_equal(f.times.blocks->origin.where, "2 SMs of a small GPU");
	assert_int_equal(f.times.blocks->resident, 8);
	close_kernel(&f);
}

/* Cycles of each of 256 accesses, one needing the other, to shared memory of the block of that rank in a cluster of
 * two. */
static double remote_chain(const char *kernel, const char *rank)
{
	double cycles[2];
	for (int i = 0; i < 2; i++) {
		struct fixture f = open_kernel(
			"tests/time/async.ptx", kernel, 2, 32, LIST("u32[1]", rank, i ? "u32:320" : "u32:64"));
		run(&f);
		assert_non_null(f.times.estimate);
		cycles[i] = f.times.estimate->active_max;
		close_kernel(&f);
	}
	return (cycles[1] - cycles[0]) / 256;
}

static void other_blocks_shared_memory_takes_longer(void **state)
{
	(void)state;
	const double alu = latency_table[LATENCY_ALU].cycles; /* the address */
	assert_true(fabs(remote_chain("async_remote_loads", "u32:1") - timing[TIMING_CLUSTER_LOAD]) <= 2 * alu);
	assert_true(fabs(remote_chain("async_remote_loads", "u32:0") - timing[TIMING_CLUSTER_OWN_LOAD]) <= 2 * alu);
	assert_true(fabs(remote_chain("async_remote_atomics", "u32:1") - timing[TIMING_CLUSTER_ATOMIC]) <= 2 * alu);
	assert_true(fabs(remote_chain("async_remote_atomics", "u32:0") - timing[TIMING_CLUSTER_OWN_ATOMIC]) <= 2 * alu);
}

/* Cycles of a round of atomics that go to all blocks of a cluster of four: an access of each of 32 warps, eight
 * times. */
static void what_leaves_the_block_passes_by_and_by(void **state)
{
	(void)state;
	double cycles[2];
	for (int i = 0; i < 2; i++) {
		struct fixture f = open_kernel("tests/time/remote.ptx", "remote_red_4", 4, 1024,
			LIST("u32[1]", "u32:0", "u32:31153", "u32:1", "u32:4", i ? "u32:40" : "u32:8"));
		f.launch.shared = 131072;
		run(&f);
		assert_non_null(f.times.estimate);
		cycles[i] = f.times.estimate->active_max;
		close_kernel(&f);
	}
	double expected = 32 * 8 * 32 * 24 *
		timing[TIMING_CLUSTER_SPREAD]; /* rounds, accesses, warps, lanes that leave */
	assert_true(fabs(cycles[1] - cycles[0] - expected) < expected / 20);
}

/* --- the blocks --------------------------------------------------------------------------------------------------- */

static uint64_t life(const struct blocks_timeline *b, uint32_t block)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->spans[i].block == block)
			return b->spans[i].end - b->spans[i].start;
	fail_msg("no block %u", block);
	return 0;
}

static void blocks_last_as_they_work(void **state)
{
	(void)state;
	struct fixture f = open_uneven(1000);
	run(&f);
	const struct blocks_timeline *b = f.times.blocks;
	assert_int_equal(b->n, 1000);
	assert_int_equal(b->launched, 1000);
	assert_int_equal(b->sms, 132);
	assert_near(b->full_waves, 1000.0 / 1056);
	assert_true(life(b, 0) > 2 * life(b, 1));
	assert_int_equal(life(b, 1), life(b, 2));
	assert_int_equal(life(b, 0), life(b, 4));
	/* the SM that was scheduled has such blocks only, and lasts as long */
	uint64_t end = f.times.schedule->end;
	assert_in_range(life(b, 0), end * 8 / 10, end);
	close_kernel(&f);
}

static void activity_adds_up(void **state)
{
	(void)state;
	struct fixture f = open_uneven(132 * 8);
	f.request.sms = 132;
	run(&f);
	const struct activity_timeline *a = f.times.activity;
	assert_int_equal(a->max_warps, 64);
	assert_near(a->samples[0].warps, 64);
	double warps = 0, whole = 0;
	for (size_t i = 0; i < a->n; i++)
		warps += a->samples[i].warps / (double)a->n;
	for (size_t i = 0; i < f.times.blocks->n; i++)
		whole += 8.0 * (double)(f.times.blocks->spans[i].end - f.times.blocks->spans[i].start);
	assert_near(warps, whole / 132 / (double)f.times.blocks->end);
	close_kernel(&f);
}

/* --- the masks ---------------------------------------------------------------------------------------------------- */

static int line_of(const char *path, const char *mark)
{
	const char *top = getenv("top_srcdir");
	struct buf full = {0}, text = {0};
	struct diag diag = {0};
	buf_printf(&full, "%s/%s", top ? top : ".", path);
	assert_true(file_read(buf_str(&full), 1 << 20, &text, &diag));
	const char *found = strstr(text.data, mark);
	assert_non_null(found);
	int line = 1;
	for (const char *p = text.data; p < found; p++)
		line += *p == '\n';
	buf_free(&full);
	buf_free(&text);
	return line;
}

static const struct mask_step *step_at(const struct mask_timeline *m, int line)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->steps[i].line == line)
			return &m->steps[i];
	return NULL;
}

static void masks_of_a_branch(void **state)
{
	(void)state;
	const char *path = "tests/run/divergent.cu";
	struct fixture f = open_kernel(
		"tests/run/divergent.ptx", "divergent", 2, 64, LIST("u32[128]:iota", "u32[256]", "u32:120"));
	run(&f);
	const struct mask_timeline *m = f.times.mask;
	assert_non_null(m);
	assert_int_equal(m->lanes, 0xFFFFFFFF);
	const struct mask_step *whole = step_at(m, line_of(path, "if (v % 2 == 0)"));
	const struct mask_step *first = step_at(m, line_of(path, "v = v * 3"));
	const struct mask_step *second = step_at(m, line_of(path, "v = v / 7"));
	const struct mask_step *odd = step_at(m, line_of(path, "v = v * v"));
	assert_int_equal(whole->lanes, 0xFFFFFFFF);
	assert_int_equal(first->lanes, 0x11111111);
	assert_int_equal(second->lanes, 0x44444444);
	assert_int_equal(odd->lanes, 0xAAAAAAAA);
	assert_true(second->relation == MASK_OTHER || first->relation == MASK_OTHER);
	/* the one that comes after the branch knows where it ends: nvcc gave both arms of the outer branch one store */
	const struct mask_step *inner = second->relation == MASK_OTHER ? first : second;
	assert_int_equal(inner->relation, MASK_DIVERGED);
	assert_int_equal(inner->reconverges, line_of(path, "out[i + n] = v + 1;"));
	for (size_t i = 1; i < m->n; i++)
		assert_true(m->steps[i].time > m->steps[i - 1].time);
	assert_true(m->end > m->steps[m->n - 1].time);
	close_kernel(&f);
}

/* Threads 120 to 127 end at once: lanes 24 to 31 of the last warp. */
static void masks_of_an_end(void **state)
{
	(void)state;
	struct fixture f = open_kernel(
		"tests/run/divergent.ptx", "divergent", 2, 64, LIST("u32[128]:iota", "u32[256]", "u32:120"));
	f.request.block = f.request.warp = 1;
	run(&f);
	const struct mask_step *whole = step_at(f.times.mask, line_of("tests/run/divergent.cu", "if (v % 2 == 0)"));
	assert_int_equal(whole->lanes, 0x00FFFFFF);
	close_kernel(&f);
}

static void masks_at_barriers(void **state)
{
	(void)state;
	struct fixture f = open_kernel(
		"tests/run/phases.ptx", "phases", 1, 96, LIST("f32[96]:iota", "f32[96]", "u32:3"));
	f.request.warp = 1;
	run(&f);
	const struct mask_timeline *m = f.times.mask;
	int arrivals = 0;
	for (size_t i = 0; i + 1 < m->n; i++) {
		if (m->steps[i].what != MASK_ARRIVE)
			continue;
		arrivals += (int)m->steps[i].repeats;
		assert_int_equal(m->steps[i + 1].what, MASK_LEAVE);
		assert_true(m->steps[i + 1].time > m->steps[i].time + 1);
	}
	assert_in_range(arrivals, 1, 6);
	/* the others wait for the one that has more to do */
	uint64_t waits = 0;
	for (int i = 0; i < f.times.schedule->n_rows; i++)
		for (size_t k = 0; k < f.times.schedule->rows[i].n; k++)
			waits += f.times.schedule->rows[i].spans[k].phase == PHASE_BARRIER;
	assert_in_range(waits, 18, 1000);
	close_kernel(&f);
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

static void what_cannot_be(void **state)
{
	(void)state;
	struct fixture f = open_uneven(4);
	f.request.block = 4; /* there is none; its SM is shown, empty */
	run(&f);
	assert_null(f.times.mask);
	assert_string_equal(f.times.why, "The watched block or warp does not exist in this launch.");
	f.request.sms = UINT32_MAX;
	f.request.gpu = "a liar";
	run(&f);
	assert_int_equal(f.times.blocks->sms, TIMES_SMS);
	assert_string_equal(f.times.blocks->origin.where, "132 SMs, as on an H100");
	f.request.sms = 0;
	f.request.block = 0;
	f.request.warp = 8;
	run(&f);
	assert_null(f.times.mask);
	f.request.cc = 42;
	run(&f);
	assert_null(f.times.blocks);
	assert_non_null(strstr(f.times.why, "4.2"));
	f.request.cc = 90;
	f.request.steps = 100;
	run(&f);
	assert_null(f.times.schedule);
	assert_non_null(strstr(f.times.why, "did not run to its end"));
	f.request.steps = 0;
	f.launch.block[0] = 1025;
	run(&f);
	assert_non_null(strstr(f.times.why, "not one block"));
	f.launch.kernel = "nobody";
	run(&f);
	assert_non_null(f.times.why);
	close_kernel(&f);
}

/* One thread; the largest blocks; more steps and more blocks than are kept. */
static void extremes(void **state)
{
	(void)state;
	struct fixture f = open_uneven(1);
	f.launch.block[0] = 1;
	run(&f);
	assert_int_equal(f.times.schedule->n_rows, 1);
	assert_int_equal(f.times.mask->lanes, 1);
	assert_int_equal(f.times.blocks->used, 1);
	f.launch.block[0] = 1024;
	f.launch.grid[0] = 300;
	run(&f);
	assert_int_equal(f.times.schedule->n_rows, 64);
	close_kernel(&f);

	f = open_kernel("tests/run/uneven.ptx", "uneven", 264, 1024, LIST("f32[1048576]", "u32:1000"));
	f.request.steps = UINT64_MAX;
	run(&f);
	assert_string_equal(f.times.schedule->origin.cut, "the first 2048 instructions of each warp");
	assert_in_range(life(f.times.blocks, 0), 3 * life(f.times.blocks, 1), 5 * life(f.times.blocks, 1));
	close_kernel(&f);

	f = open_kernel("tests/run/uneven.ptx", "uneven", BLOCKS_MAX + 5, 8, LIST("f32[1048576]", "u32:0"));
	f.request.steps = UINT64_MAX;
	run(&f);
	assert_string_equal(f.times.blocks->origin.cut, "the first 65536 of 65541 blocks");
	f.request.block = BLOCKS_MAX + 4;
	run(&f);
	assert_non_null(f.times.mask);
	close_kernel(&f);
}

/* Several cores give what one gives. */
static void cores_do_not_matter(void **state)
{
	(void)state;
	struct fixture one = open_uneven(500), many = open_uneven(500);
	one.request.cores = 1;
	many.request.cores = 4;
	run(&one);
	run(&many);
	assert_int_equal(one.times.schedule->end, many.times.schedule->end);
	assert_int_equal(one.times.blocks->end, many.times.blocks->end);
	assert_int_equal(one.times.mask->n, many.times.mask->n);
	for (int i = 0; i < one.times.schedule->n_rows; i++)
		assert_int_equal(one.times.schedule->rows[i].n, many.times.schedule->rows[i].n);
	close_kernel(&one);
	close_kernel(&many);
}

static void counters_are_those_of_the_estimate(void **state)
{
	(void)state;
	struct fixture f = open_uneven(66); /* of 132 SMs */
	struct counts counts = {0};
	run(&f);
	profile_times_count(&f.times, &counts);
	const struct engine_estimate *e = f.times.estimate;
	assert_non_null(e);
	assert_true(counts.c[COUNTER_CYCLES].v == e->elapsed);
	assert_true(counts.c[COUNTER_CYCLES_ACTIVE_MAX].v == e->active_max);
	assert_true(counts.c[COUNTER_CYCLES_ACTIVE_MAX].v < counts.c[COUNTER_CYCLES].v); /* by the launch */
	assert_true(counts.c[COUNTER_CYCLES_ACTIVE].v > 0.1 * counts.c[COUNTER_CYCLES_ACTIVE_MAX].v);
	assert_true(counts.c[COUNTER_CYCLES_ACTIVE].v <= 0.5 * counts.c[COUNTER_CYCLES_ACTIVE_MAX].v);
	assert_true(counts.c[COUNTER_ISSUE_PCT].v > 0 && counts.c[COUNTER_ISSUE_PCT].v <= 100);
	assert_true(100 * counts.c[COUNTER_ELIGIBLE].v >= counts.c[COUNTER_ISSUE_PCT].v - 1e-9);
	assert_true(counts.c[COUNTER_ELIGIBLE].v <= 2); /* of the 8 warps, each scheduler has two */
	assert_true(counts.c[COUNTER_TIME].v > 0);
	/* the mix is that of machine instructions, of as many as there are said to be */
	assert_true(counts.c[COUNTER_PIPE_ALU].v > 0 && e->mix[PIPE_ALU] > 0);
	assert_true(fabs(counts.c[COUNTER_PIPE_ALU].v - e->instructions * e->mix[PIPE_ALU]) < 1e-6);
	counts.c[COUNTER_INSTRUCTIONS] = value_ok(1000);
	profile_times_count(&f.times, &counts);
	assert_true(fabs(metric_value(METRIC_MIX_ALU, &counts).v - 100 * e->mix[PIPE_ALU]) < 1e-6);
	assert_true(metric_value(METRIC_PIPE_ALU, &counts).v == e->pipe_pct[PIPE_ALU]);
	assert_int_equal(metric_value(METRIC_MIX_UNIFORM, &counts).state, VALUE_NONE);
	assert_true(profile_times_are_in(LIST("registers", "mix_xu"), 2));
	assert_true(profile_times_are_in(LIST("registers", "sm_activity"), 2));
	assert_true(profile_times_are_in(LIST("l2_hit_rate", "registers"), 2));
	assert_false(profile_times_are_in(LIST("registers", "instructions"), 2));
	close_kernel(&f);
}

/* What an H200 counted of each kernel: 132 blocks of 8 warps, so many instructions of a warp, of its pipe, and how busy
 * that was. */
static const struct {
	const char *kernel;
	enum metric_id mix, pipe;
	double all, of_pipe, busy;
} piped[] = {
	{"shift", METRIC_MIX_ALU, METRIC_PIPE_ALU, 298, 267, 58.3},
	{"fma", METRIC_MIX_FMA, METRIC_PIPE_FMA, 300, 258, 35.4},
	{"fp64", METRIC_MIX_FP64, METRIC_PIPE_FP64, 300, 256, 41.1},
	{"power", METRIC_MIX_XU, METRIC_PIPE_XU, 298, 256, 86},
	{"matrix", METRIC_MIX_TENSOR, METRIC_PIPE_TENSOR, 566, 256, 46.2},
	{"store", METRIC_MIX_LSU, METRIC_PIPE_LSU, 297, 259, 85.2},
};

static void the_mix_is_nearly_what_a_gpu_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof piped / sizeof *piped; i++) {
		struct fixture f = open_kernel(
			"tests/run/pipes.ptx", piped[i].kernel, 132, 256, LIST("u32[67584]", "u32:16"));
		struct counts counts = {0};
		f.request.instructions = 132 * 8 * piped[i].all;
		run(&f);
		counts.c[COUNTER_INSTRUCTIONS] = value_ok(f.request.instructions);
		profile_times_count(&f.times, &counts);
		double mix = metric_value(piped[i].mix, &counts).v, counted = 100 * piped[i].of_pipe / piped[i].all;
		double busy = metric_value(piped[i].pipe, &counts).v;
		/* after each instruction of the tensor cores ptxas puts one that does nothing, which the model does not
		 * know */
		double most = piped[i].pipe == METRIC_PIPE_TENSOR ? 2.1 : 1.1;
		assert_true(mix > 0.99 * counted && mix < most * counted);
		assert_true(busy > 0.99 * piped[i].busy && busy < 1.4 * (most / 1.1) * piped[i].busy);
		close_kernel(&f);
	}
}

/* --- with another's run ------------------------------------------------------------------------------------------- */

static const struct profile *profile_with(struct fixture *f, struct times_recorder *recorder, unsigned cores)
{
	struct profile_watch watch = {.cores = cores, .also = recorder ? profile_times_listener(recorder) : NULL};
	return profile_run(f->arena, f->module, &f->launch, watch, &f->diag);
}

static void assert_same_schedule(const struct schedule_timeline *a, const struct schedule_timeline *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->n_rows, b->n_rows);
	for (int i = 0; i < a->n_rows; i++) {
		assert_int_equal(a->rows[i].n, b->rows[i].n);
		for (size_t k = 0; k < a->rows[i].n; k++) {
			assert_int_equal(a->rows[i].spans[k].start, b->rows[i].spans[k].start);
			assert_int_equal(a->rows[i].spans[k].phase, b->rows[i].spans[k].phase);
		}
	}
}

/* The timelines are those of a run of their own, and the profile that of a run without them. */
static void a_profile_and_its_times_take_one_run(void **state)
{
	(void)state;
	for (unsigned cores = 1; cores <= 4; cores += 3) {
		struct fixture f = open_uneven(500);
		struct timelines heard;
		run(&f);
		struct times_recorder *recorder = profile_times_listen(f.arena, f.module, &f.launch, &f.request);
		const struct profile *with = profile_with(&f, recorder, cores),
				     *without = profile_with(&f, NULL, cores);
		assert_true(with && without && with->result.outcome == SIMT_OK);
		profile_times_take(recorder, &with->result, f.arena, &heard);
		assert_memory_equal(&with->counts, &without->counts, sizeof with->counts);
		assert_same_schedule(heard.schedule, f.times.schedule);
		assert_int_equal(heard.blocks->end, f.times.blocks->end);
		assert_int_equal(heard.mask->n, f.times.mask->n);
		assert_null(heard.why);
		close_kernel(&f);
	}
}

static void a_launch_that_never_ran_has_a_reason(void **state)
{
	(void)state;
	struct fixture f = open_uneven(4);
	struct timelines heard;
	f.launch.args = f.args;
	struct times_recorder *recorder = profile_times_listen(f.arena, f.module, &f.launch, &f.request);
	profile_times_take(recorder, NULL, f.arena, &heard);
	assert_null(heard.schedule);
	assert_non_null(strstr(heard.why, "did not run"));
	f.launch.block[0] = 2048;
	recorder = profile_times_listen(f.arena, f.module, &f.launch, &f.request);
	assert_null(profile_times_listener(recorder));
	profile_times_take(recorder, NULL, f.arena, &heard);
	assert_non_null(strstr(heard.why, "not one block fits"));
	close_kernel(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(schedules_a_full_sm),
		cmocka_unit_test(other_blocks_shared_memory_takes_longer),
		cmocka_unit_test(what_leaves_the_block_passes_by_and_by),
		cmocka_unit_test(follows_the_block),
		cmocka_unit_test(blocks_last_as_they_work),
		cmocka_unit_test(activity_adds_up),
		cmocka_unit_test(masks_of_a_branch),
		cmocka_unit_test(masks_of_an_end),
		cmocka_unit_test(masks_at_barriers),
		cmocka_unit_test(what_cannot_be),
		cmocka_unit_test(extremes),
		cmocka_unit_test(cores_do_not_matter),
		cmocka_unit_test(counters_are_those_of_the_estimate),
		cmocka_unit_test(the_mix_is_nearly_what_a_gpu_counts),
		cmocka_unit_test(a_profile_and_its_times_take_one_run),
		cmocka_unit_test(a_launch_that_never_ran_has_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
