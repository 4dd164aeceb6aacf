#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/ptx/program.h"
#include "machine/simt/session.h"

/* Lanes 0-7 add 1, the others 2 and take a detour; then all store. */
static const char text[] =
	".version 6.3\n.target sm_75\n.address_size 64\n"
	".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
	".shared .align 4 .b32 s[64];\n"
	"ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\n"    /* 0 1 */
	"setp.ge.u32 %p1, %r0, 8;\n@%p1 bra A;\n"              /* 2 3 */
	"add.s32 %r1, %r0, 1;\nbra B;\n"                       /* 4 5 */
	"A: add.s32 %r1, %r0, 2;\nadd.s32 %r1, %r1, 0;\n"      /* 6 7 */
	"B: shl.b32 %r2, %r0, 2;\nst.shared.u32 [%r2], %r1;\n" /* 8 9 */
	"bar.sync 0;\nmul.wide.u32 %rd1, %r0, 4;\nadd.s64 %rd1, %rd0, %rd1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

struct bench {
	struct arena *arena;
	struct diag diag;
	struct simt_memory *memory;
	uint64_t out;
	struct simt_launch launch;
	struct simt_result result;
	struct simt_session *session;
};

static void open_text(struct bench *b, const char *ptx, uint32_t blocks, uint32_t threads, uint64_t steps)
{
	memset(b, 0, sizeof *b);
	b->arena = arena_new();
	b->memory = simt_memory_new(1 << 16);
	b->out = simt_memory_alloc(b->memory, 256);
	struct ptx_module *m = ptx_parse(b->arena, "t.ptx", ptx, strlen(ptx), &b->diag);
	assert_non_null(m);
	b->launch = (struct simt_launch){.kernel = ptx_find_kernel(m, NULL, &b->diag),
		.grid = {blocks, 1, 1},
		.block = {threads, 1, 1},
		.params = &b->out,
		.limits.steps = steps};
	b->session = simt_session_new(&b->launch, b->memory, &b->result);
}

static void open_bench(struct bench *b, uint32_t blocks, uint32_t threads, uint64_t steps)
{
	open_text(b, text, blocks, threads, steps);
}

static void close_bench(struct bench *b)
{
	simt_session_free(b->session);
	simt_memory_free(b->memory);
	diag_free(&b->diag);
	arena_free(b->arena);
}

static int reg(const struct bench *b, const char *name)
{
	const struct ptx_kernel *k = b->launch.kernel;
	for (int i = 0; i < k->n_regs; i++)
		if (strcmp(k->regs[i].name, name) == 0)
			return i;
	return -1;
}

static bool at_instr(void *ctx, const struct simt_point *next)
{
	return next->instr == *(const int *)ctx;
}

static void a_session_takes_the_steps_of_a_run(void **state)
{
	(void)state;
	struct bench b;
	struct simt_result run;
	struct simt_point next;
	uint64_t steps = 0;

	open_bench(&b, 3, 64, 0);
	for (; simt_session_next(b.session, &next); steps++) {
		assert_int_equal(next.step, steps);
		assert_true(next.block < 3 && next.warp < 2);
		assert_int_equal(next.executing & ~next.active, 0);
		simt_session_run(b.session, NULL, NULL);
	}
	assert_int_equal(b.result.outcome, SIMT_OK);
	assert_int_equal(b.result.steps, steps);
	assert_int_equal(((uint32_t *)simt_memory_at(b.memory, b.out, 256))[63], 65);
	simt_run(&b.launch, b.memory, &run);
	assert_int_equal(run.steps, steps);
	close_bench(&b);
}

/* Eight lanes call, and two of them return early. */
static const char calling[] =
	".version 6.3\n.target sm_75\n.address_size 64\n"
	".func (.reg .b32 r) twice(.reg .b32 a)\n{\n.reg .pred %p<2>;\n"
	"setp.lt.u32 %p1, a, 2;\n@%p1 ret;\nadd.u32 r, a, a;\nret;\n}\n" /* 5 6 7 8 */
	".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\n"
	"mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 8;\n@%p1 call (%r1), twice, (%r0);\nadd.u32 %r2, %r1, 1;\nret;\n}\n";

static void a_session_goes_into_functions(void **state)
{
	(void)state;
	struct bench b;
	struct simt_path paths[SIMT_PATHS_MAX];
	struct simt_point next;
	uint64_t lanes[32];
	int inside = 7, after = 3;

	open_text(&b, calling, 1, 32, 0);
	assert_true(simt_session_run(b.session, at_instr, &inside));
	assert_true(simt_session_next(b.session, &next));
	assert_int_equal(next.active, 0xFC);
	const struct ptx_kernel *f = ptx_part_of(b.launch.kernel, next.instr)->code;
	assert_string_equal(f->name, "twice");
	assert_true(simt_session_register(b.session, 0, 0, f->signature.params[0].index, lanes));
	assert_int_equal(lanes[5], 5);
	int n = simt_session_paths(b.session, 0, 0, paths);
	assert_int_equal(n, 3); /* in the function; back from it; those that did not call */
	assert_int_equal(paths[0].lanes, 0xFC);
	assert_int_equal(paths[0].reconverges, after);
	assert_int_equal(paths[1].lanes | paths[2].lanes, 0xFFFFFF03);
	assert_int_equal(paths[1].state, SIMT_PATH_AT_RECONVERGENCE);
	assert_int_equal(paths[2].state, SIMT_PATH_AT_RECONVERGENCE);
	assert_true(simt_session_run(b.session, at_instr, &after));
	assert_true(simt_session_next(b.session, &next));
	assert_int_equal(next.active, 0xFFFFFFFF);
	assert_true(simt_session_register(b.session, 0, 0, reg(&b, "%r1"), lanes));
	assert_int_equal(lanes[5], 10);
	assert_int_equal(lanes[1], 0);
	close_bench(&b);
}

static void a_divergent_warp_shows_its_paths(void **state)
{
	(void)state;
	struct bench b;
	struct simt_path paths[SIMT_PATHS_MAX];
	struct simt_point next;
	uint64_t lanes[32];
	int instr = 5;

	open_bench(&b, 1, 32, 0);
	assert_true(simt_session_run(b.session, at_instr, &instr));
	assert_true(simt_session_next(b.session, &next));
	assert_int_equal(next.active, 0xFF);
	assert_int_equal(simt_session_paths(b.session, 0, 0, paths), 2);
	assert_int_equal(paths[0].state, SIMT_PATH_RUNS);
	assert_int_equal(paths[0].lanes, 0xFF);
	assert_int_equal(paths[0].reconverges, 8);
	assert_int_equal(paths[0].depth, 1);
	assert_int_equal(paths[1].state, SIMT_PATH_READY);
	assert_int_equal(paths[1].instr, 6);
	assert_int_equal(paths[1].lanes, 0xFFFFFF00);
	assert_true(simt_session_register(b.session, 0, 0, reg(&b, "%r1"), lanes));
	assert_int_equal(lanes[7], 8);
	assert_int_equal(lanes[8], 0);
	assert_true(simt_session_register(b.session, 0, 0, reg(&b, "%p1"), lanes));
	assert_int_equal(lanes[7], 0);
	assert_int_equal(lanes[8], 1);
	instr = 7;
	assert_true(simt_session_run(b.session, at_instr, &instr));
	assert_int_equal(simt_session_paths(b.session, 0, 0, paths), 2);
	assert_int_equal(paths[1].state, SIMT_PATH_AT_RECONVERGENCE);
	assert_int_equal(paths[1].lanes, 0xFF);
	assert_int_equal(paths[1].expected, 0xFFFFFF00);
	close_bench(&b);
}

static void what_is_not_resident_is_not_shown(void **state)
{
	(void)state;
	struct bench b;
	struct simt_path paths[SIMT_PATHS_MAX];
	uint64_t lanes[32];
	size_t bytes;
	int instr = 11;

	open_bench(&b, 2, 64, 0);
	assert_int_equal(simt_session_paths(b.session, 1, 0, paths), 0);
	assert_int_equal(simt_session_paths(b.session, 0, 2, paths), 0);
	assert_false(simt_session_register(b.session, 0, 0, -1, lanes));
	assert_false(simt_session_register(b.session, 0, 0, 1000, lanes));
	assert_null(simt_session_shared(b.session, 1, &bytes));
	assert_true(simt_session_run(b.session, at_instr, &instr));
	const uint32_t *shared = simt_session_shared(b.session, 0, &bytes);
	assert_int_equal(bytes, 256);
	assert_int_equal(shared[31], 33);
	close_bench(&b);
}

static void a_session_ends_at_the_limit(void **state)
{
	(void)state;
	struct bench b;
	struct simt_point next;
	int never = -1;

	open_bench(&b, 1, 32, 5);
	assert_false(simt_session_run(b.session, at_instr, &never));
	assert_false(simt_session_next(b.session, &next));
	assert_int_equal(b.result.outcome, SIMT_LIMIT);
	assert_int_equal(b.result.steps, 5);
	assert_false(simt_session_run(b.session, NULL, NULL));
	close_bench(&b);
}

static void an_impossible_launch_is_at_its_end(void **state)
{
	(void)state;
	struct bench b;
	struct simt_point next;

	open_bench(&b, 1, 2048, 0);
	assert_false(simt_session_next(b.session, &next));
	assert_int_equal(b.result.outcome, SIMT_ERROR);
	close_bench(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_session_takes_the_steps_of_a_run),
		cmocka_unit_test(a_session_goes_into_functions),
		cmocka_unit_test(a_divergent_warp_shows_its_paths),
		cmocka_unit_test(what_is_not_resident_is_not_shown),
		cmocka_unit_test(a_session_ends_at_the_limit),
		cmocka_unit_test(an_impossible_launch_is_at_its_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
