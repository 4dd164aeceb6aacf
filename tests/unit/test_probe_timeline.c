/* Plans for stamps, and timelines made of stamps and samples that are made up here, good and bad. */
#include "config.h"

#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/ptx/ptx.h"
#include "model/probe/timeline.h"

/* Lines of the PTX: 9 entry's first, 11 one arm, 14 the other, 16 where they reconverge at a barrier, 17 the end. */
static const char text[] = ".version 6.3\n" /* 1 */
			   ".target sm_70\n"
			   ".address_size 64\n"
			   ".visible .entry k(.param .u64 out)\n"
			   "{\n" /* 5 */
			   "\t.reg .pred %p;\n"
			   "\t.reg .u32 %r<4>;\n"
			   "\t.shared .align 4 .b8 tile[1024];\n"
			   "\tmov.u32 %r1, %tid.x;\n"
			   "\tsetp.lt.u32 %p, %r1, 7; @%p bra A;\n" /* 10 */
			   "\tadd.u32 %r2, %r1, 1;\n"
			   "\tbra J;\n"
			   "A:\n"
			   "\tadd.u32 %r2, %r1, 2;\n"
			   "J:\n" /* 15 */
			   "\tbar.sync 0;\n"
			   "\tret;\n"
			   "}\n";

struct fixture {
	struct arena *arena;
	struct diag diag;
	struct launch launch;
	struct launch_arg args[1];
	struct probe_timeline_request request;
	struct probe_timeline_plan *plan;
	uint8_t *bytes;
	struct wire_stamped answer;
	struct timelines times;
	const char *warning;
};

static int set_up(void **state)
{
	static struct fixture f;
	f = (struct fixture){.arena = arena_new()};
	f.launch = (struct launch){.kernel = "k", .grid = {5, 1, 1}, .block = {64, 1, 1}, .args = f.args, .n_args = 1};
	assert_true(launch_arg_parse(f.arena, NULL, "u32[64]", &f.args[0], &f.diag));
	f.request.module = ptx_parse(f.arena, "k.ptx", text, sizeof text - 1, &f.diag);
	f.request.launch = &f.launch;
	assert_non_null(f.request.module);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	diag_free(&f->diag);
	arena_free(f->arena);
	return 0;
}

static void plan(struct fixture *f, enum probe_timeline_kind what)
{
	f->plan = probe_timeline_plan(f->arena, what, &f->request, &f->diag);
	assert_non_null(f->plan);
	f->bytes = arena_alloc(f->arena, f->plan->probe->bytes);
	f->answer = (struct wire_stamped){f->bytes, f->plan->probe->bytes, -1, 32, 32, 1};
}

static uint32_t find_site(const struct fixture *f, enum probe_event_kind kind, int line)
{
	for (int i = 0; i < f->plan->probe->n_sites; i++)
		if (f->plan->probe->sites[i].kind == kind && (!line || f->plan->probe->sites[i].place.ptx_line == line))
			return (uint32_t)i + 1;
	fail_msg("no site of kind %d in line %d", (int)kind, line);
	return 0;
}

struct stamp {
	uint64_t block;
	uint32_t warp;
	enum probe_event_kind kind;
	int line;
	uint32_t lanes, sm, slot;
	uint64_t clock, time;
};

/* As probe.h has it. */
static void write_stamp(struct fixture *f, const struct stamp *s)
{
	const struct probe_request *r = &f->plan->probe->request;
	uint64_t warp = (s->block - r->first_block) * r->n_warps + (s->warp - r->first_warp);
	uint8_t *part = f->bytes + warp * (16 + 32 * (uint64_t)r->capacity), *at;
	uint32_t n, site = find_site(f, s->kind, s->line);
	memcpy(&n, part, 4);
	at = part + 16 + 32 * (uint64_t)n++;
	memcpy(part, &n, 4);
	if (n > r->capacity)
		return;
	memcpy(at, &s->clock, 8);
	memcpy(at + 8, &s->time, 8);
	memcpy(at + 16, &site, 4);
	memcpy(at + 20, &s->lanes, 4);
	memcpy(at + 24, &s->sm, 4);
	memcpy(at + 28, &s->slot, 4);
}

static bool take(struct fixture *f)
{
	const struct probe_gpu gpu = {"a GPU, live", 2, 90};
	f->times = (struct timelines){0};
	f->warning = NULL;
	const struct probe_timeline_answer came = {f->plan, &f->answer, gpu};
	return probe_timeline_read(f->arena, &came, &f->times, &f->warning, &f->diag);
}

#define ALL UINT32_MAX

/* Blocks 0 to 4 of two warps on two SMs, the last one alone in a second wave. */
static void write_blocks(struct fixture *f, uint64_t blocks)
{
	for (uint64_t b = 0; b < blocks; b++)
		for (uint32_t w = 0; w < 2; w++) {
			uint64_t begin = 1000000 + (b == 4 ? 6400 : 0) + 32 * b + 64 * w, sm = b % 2;
			write_stamp(f, &(struct stamp){b, w, PROBE_ENTRY, 0, ALL, (uint32_t)sm, w, 500 + begin, begin});
			write_stamp(f,
				&(struct stamp){
					b, w, PROBE_EXIT, 0, ALL, (uint32_t)sm, w, 900 + begin, begin + 6400 - 96});
		}
}

static void blocks_are_from_their_first_warp_to_their_last(void **state)
{
	struct fixture *f = *state;
	plan(f, PROBE_TIMELINE_BLOCKS);
	assert_null(f->plan->cut);
	write_blocks(f, 5);
	assert_true(take(f));
	const struct blocks_timeline *b = f->times.blocks;
	assert_null(f->times.schedule);
	assert_null(f->warning);
	assert_int_equal(b->n, 5);
	assert_int_equal(b->launched, 5);
	assert_int_equal(b->sms, 2);
	assert_int_equal(b->origin.witness, WITNESS_LIVE);
	assert_int_equal(b->origin.unit, TIMELINE_NS);
	assert_int_equal(b->origin.resolution, 32);
	assert_string_equal(b->origin.where, "a GPU, live");
	assert_null(b->origin.cut);
	assert_int_equal(b->resident, 32);
	assert_int_equal(b->slots, 2);
	assert_int_equal(b->waves, 2);
	for (size_t i = 0; i < b->n; i++) {
		assert_int_equal(b->spans[i].sm, b->spans[i].block % 2);
		assert_int_equal(b->spans[i].end - b->spans[i].start, 6368);
		assert_int_equal(b->spans[i].start, 32 * b->spans[i].block + (b->spans[i].block == 4 ? 6400 : 0));
	}
}

static void a_block_without_an_end_is_left_out(void **state)
{
	struct fixture *f = *state;
	plan(f, PROBE_TIMELINE_BLOCKS);
	write_blocks(f, 3);
	for (uint32_t w = 0; w < 2; w++) { /* lane 31 of warp 1 is missing */
		write_stamp(f, &(struct stamp){3, w, PROBE_ENTRY, 0, ALL, 1, w, 1000, 1000032});
		write_stamp(f, &(struct stamp){3, w, PROBE_EXIT, 0, ALL >> w, 1, w, 1001, 1000064});
	}
	write_stamp(f, &(struct stamp){4, 0, PROBE_ENTRY, 0, ALL, 0, 0, 1000, 1000032});
	for (int i = 0; i < 7; i++) /* one more than there is room for */
		write_stamp(f, &(struct stamp){4, 1, PROBE_ENTRY, 0, ALL, 0, 1, 1000 + (uint64_t)i, 1000032});
	assert_true(take(f));
	assert_int_equal(f->times.blocks->n, 3);
	assert_non_null(strstr(f->times.blocks->origin.cut, "1 stamp of 1 warp had"));
	assert_non_null(strstr(f->times.blocks->origin.cut, "2 blocks whose end is not known"));
}

static void blocks_of_one_moment_have_a_width(void **state)
{
	struct fixture *f = *state;
	plan(f, PROBE_TIMELINE_BLOCKS);
	for (uint32_t w = 0; w < 2; w++) {
		write_stamp(f, &(struct stamp){2, w, PROBE_ENTRY, 0, ALL, 0, w, 10, UINT64_MAX});
		write_stamp(f, &(struct stamp){2, w, PROBE_EXIT, 0, ALL, 0, w, 20, UINT64_MAX});
	}
	assert_true(take(f));
	assert_int_equal(f->times.blocks->n, 1);
	assert_int_equal(f->times.blocks->spans[0].start, 0);
	assert_int_equal(f->times.blocks->spans[0].end, 1);
}

static void what_cannot_be_is_refused(void **state)
{
	struct fixture *f = *state;
	plan(f, PROBE_TIMELINE_BLOCKS);
	assert_false(take(f)); /* nothing was written */
	write_blocks(f, 5);
	f->answer.bytes--;
	assert_false(take(f));
	f->answer.bytes++;
	write_stamp(f, &(struct stamp){0, 0, PROBE_EXIT, 0, 1, 2, 0, 90000000, 1000032}); /* there is no SM 2 */
	assert_false(take(f));
	memset(f->bytes, 0, f->answer.bytes);
	write_stamp(f, &(struct stamp){0, 0, PROBE_ENTRY, 0, ALL, 0, 0, 500, 1000});
	write_stamp(f, &(struct stamp){0, 0, PROBE_EXIT, 0, ALL, 0, 0, 400, 1000}); /* the clock went back */
	assert_false(take(f));
	memset(f->bytes, 0x5A, f->answer.bytes);
	assert_false(take(f));
	uint32_t seed = 1;
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < f->answer.bytes; i++) {
			seed = seed * 1664525 + 1013904223;
			f->bytes[i] = (seed >> 30) ? 0 : (uint8_t)(seed >> 24);
		}
		take(f);
	}
}

static void another_result_and_another_occupancy_are_reported(void **state)
{
	struct fixture *f = *state;
	plan(f, PROBE_TIMELINE_BLOCKS);
	write_blocks(f, 5);
	f->answer.registers = 128;
	assert_true(take(f));
	assert_int_equal(f->times.blocks->resident, 8);
	assert_null(f->warning);
	assert_string_equal(f->times.blocks->origin.cut, "stamps take registers: 8 blocks on an SM, 32 without");
	f->answer.differs = 0;
	assert_true(take(f));
	assert_non_null(strstr(f->warning, "argument 0 is not what it is without"));
}

static void the_warps_of_the_blocks_sm_have_phases(void **state)
{
	struct fixture *f = *state;
	f->request.block = 2;
	f->request.line = 14;
	plan(f, PROBE_TIMELINE_SCHEDULE);
	for (uint32_t w = 0; w < 2; w++) {
		uint64_t begin = 10000 + 10 * w;
		uint32_t slot = 5 - w;
		write_stamp(f, &(struct stamp){2, w, PROBE_ENTRY, 0, ALL, 1, slot, begin, 0});
		write_stamp(f, &(struct stamp){2, w, PROBE_LINE, 14, 0x7F, 1, slot, begin + 100, 0});
		write_stamp(f, &(struct stamp){2, w, PROBE_ARRIVE, 0, ~0x7Fu, 1, slot, begin + 120, 0});
		write_stamp(f, &(struct stamp){2, w, PROBE_ARRIVE, 0, 0x7F, 1, slot, begin + 150, 0});
		write_stamp(f, &(struct stamp){2, w, PROBE_LEAVE, 0, ALL, 1, slot, begin + 400, 0});
		write_stamp(f, &(struct stamp){2, w, PROBE_EXIT, 0, ALL, 1, slot, begin + 500, 0});
	}
	write_stamp(
		f, &(struct stamp){1, 0, PROBE_ENTRY, 0, ALL, 0, 3, 7, 0}); /* on another SM, whose clock is another */
	assert_true(take(f));
	const struct schedule_timeline *s = f->times.schedule;
	assert_int_equal(s->sm, 1);
	assert_int_equal(s->n_rows, 2);
	assert_int_equal(s->origin.unit, TIMELINE_CYCLES);
	assert_int_equal(s->end, 511);
	assert_int_equal(s->rows[0].slot, 4); /* scheduler 0 */
	assert_int_equal(s->rows[1].scheduler, 1);
	const struct warp_row *row = &s->rows[1];
	static const struct phase_span want[] = {{0, 100, 0, PHASE_RUN}, {100, 150, 14, PHASE_RUN},
		{150, 400, 16, PHASE_BARRIER}, {400, 500, 14, PHASE_RUN}};
	assert_int_equal(row->warp, 0);
	assert_int_equal(row->n, 4);
	for (size_t i = 0; i < row->n; i++) {
		assert_int_equal(row->spans[i].start, want[i].start);
		assert_int_equal(row->spans[i].end, want[i].end);
		assert_int_equal(row->spans[i].line, want[i].line);
		assert_int_equal(row->spans[i].phase, want[i].phase);
	}
}

static void the_arms_of_a_branch_follow_each_other(void **state)
{
	struct fixture *f = *state;
	f->request.block = 3;
	f->request.warp = 1;
	plan(f, PROBE_TIMELINE_MASK);
	assert_int_equal(f->plan->probe->request.n_blocks, 1);
	static const struct stamp stamps[] = {
		{3, 1, PROBE_ENTRY, 0, ALL, 0, 0, 100, 0},
		{3, 1, PROBE_LINE, 9, ALL, 0, 0, 110, 0},
		{3, 1, PROBE_LINE, 10, ALL, 0, 0, 120, 0},
		{3, 1, PROBE_LINE, 14, 0x7F, 0, 0, 150, 0},
		{3, 1, PROBE_LINE, 11, ~0x7Fu, 0, 0, 140, 0}, /* took its place later, but was there first */
		{3, 1, PROBE_ARRIVE, 0, ALL, 0, 0, 170, 0},
		{3, 1, PROBE_LEAVE, 0, ALL, 0, 0, 190, 0},
		{3, 1, PROBE_EXIT, 0, ALL, 0, 0, 200, 0},
	};
	for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++)
		write_stamp(f, &stamps[i]);
	assert_true(take(f));
	const struct mask_timeline *m = f->times.mask;
	assert_int_equal(m->block, 3);
	assert_int_equal(m->warp, 1);
	assert_int_equal(m->lanes, ALL);
	assert_int_equal(m->n, 7);
	assert_int_equal(m->end, 101);
	assert_int_equal(m->steps[0].time, 10);
	assert_int_equal(m->steps[2].line, 11);
	assert_int_equal(m->steps[2].relation, MASK_DIVERGED);
	assert_int_equal(m->steps[3].line, 14);
	assert_int_equal(m->steps[3].relation, MASK_OTHER);
	assert_int_equal(m->steps[2].lanes & m->steps[3].lanes, 0);
	assert_int_equal(m->steps[2].lanes | m->steps[3].lanes, m->steps[1].lanes);
	assert_int_equal(m->steps[4].what, MASK_ARRIVE);
	assert_int_equal(m->steps[6].what, MASK_EXIT);
}

static void large_launches_are_watched_in_part(void **state)
{
	struct fixture *f = *state;
	static const uint32_t grids[] = {1, 132, 5000, 200000, 2147483647};
	for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
		for (uint32_t threads = 1; threads <= 1024; threads *= 32)
			for (int what = 0; what < PROBE_TIMELINES; what++) {
				f->launch.grid[0] = grids[i];
				f->launch.block[0] = threads;
				f->request.block = grids[i] - 1;
				plan(f, (enum probe_timeline_kind)what);
				const struct probe_request *r = &f->plan->probe->request;
				assert_true(f->plan->probe->bytes <= 1 << 20);
				assert_true(r->first_block + r->n_blocks <= grids[i]);
				bool all = r->n_blocks == grids[i] && r->n_warps == (threads + 31) / 32;
				assert_int_equal(all || what == PROBE_TIMELINE_MASK, !f->plan->cut);
				assert_true(what == PROBE_TIMELINE_BLOCKS ||
					r->first_block + r->n_blocks > f->request.block);
			}
	f->launch.grid[0] = 132;
	f->launch.block[0] = 256;
	f->request.block = 0;
	plan(f, PROBE_TIMELINE_BLOCKS);
	assert_null(f->plan->cut);
	assert_true(f->plan->probe->bytes < 300 << 10);
	struct wire_message m = probe_timeline_message(f->plan);
	assert_int_equal(m.stamp.job.launch.n_args, 2);
	assert_int_equal(launch_arg_bytes(&m.stamp.job.launch.args[1]), f->plan->probe->bytes);
	assert_string_equal(m.stamp.plain, text);
}

static void what_does_not_exist_is_not_planned(void **state)
{
	struct fixture *f = *state;
	f->request.block = 5;
	assert_null(probe_timeline_plan(f->arena, PROBE_TIMELINE_MASK, &f->request, &f->diag));
	f->request.block = 0;
	f->request.warp = 2;
	assert_null(probe_timeline_plan(f->arena, PROBE_TIMELINE_MASK, &f->request, &f->diag));
	f->request.warp = 0;
	f->launch.n_args = LAUNCH_ARGS_MAX;
	assert_null(probe_timeline_plan(f->arena, PROBE_TIMELINE_MASK, &f->request, &f->diag));
	assert_int_equal(f->diag.count, 3);
}

static void samples_count_from_the_first_busy_one(void **state)
{
	struct fixture *f = *state;
	static const double times[] = {500, 1000, 1500, 2000, 2500};
	static const double warps[] = {0, 3200, 6400, 100, 0}, instructions[] = {0, 200, 400, 0, 0},
			    active[] = {0, 150, 200, 1, 0}, elapsed[] = {100, 100, 100, NAN, 100};
	const double *values[] = {elapsed, active, instructions, warps};
	const char *names[] = {
		"sm__cycles_elapsed.max", "sm__cycles_active.sum", "smsp__inst_executed.sum", "sm__warps_active.sum"};
	const struct probe_gpu gpu = {"a GPU, live", 2, 90};
	struct wire_samples s = {names, values, 4, times, 5, 500, false, 1};
	const struct activity_timeline *a = probe_activity_read(f->arena, &s, &gpu);
	assert_non_null(a);
	assert_int_equal(a->n, 3);
	assert_int_equal(a->max_warps, 64);
	assert_int_equal(a->origin.resolution, 500);
	assert_int_equal(a->samples[0].time, 500);
	assert_true(a->samples[0].warps == 16 && a->samples[0].issued == 1);
	assert_int_equal(a->samples[1].time, 1000);
	assert_true(a->samples[1].warps == 32 && a->samples[1].issued == 2);
	assert_true(a->samples[2].warps < 0 && a->samples[2].issued < 0);
	values[2] = NULL;
	a = probe_activity_read(f->arena, &s, &gpu);
	assert_true(a->samples[0].warps == 16 && a->samples[0].issued < 0);
	values[1] = NULL;
	assert_null(probe_activity_read(f->arena, &s, &gpu));
	s.n = 0;
	values[1] = active;
	assert_null(probe_activity_read(f->arena, &s, &gpu));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(blocks_are_from_their_first_warp_to_their_last, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_block_without_an_end_is_left_out, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blocks_of_one_moment_have_a_width, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_result_and_another_occupancy_are_reported, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_warps_of_the_blocks_sm_have_phases, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_arms_of_a_branch_follow_each_other, set_up, tear_down),
		cmocka_unit_test_setup_teardown(large_launches_are_watched_in_part, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_does_not_exist_is_not_planned, set_up, tear_down),
		cmocka_unit_test_setup_teardown(samples_count_from_the_first_busy_one, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
