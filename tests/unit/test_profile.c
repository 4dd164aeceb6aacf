#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "model/hardware/metrics.h"
#include "model/profile/private.h"
#include "model/profile/profile.h"

#define BLOCKS 3
#define THREADS 96
#define WARPS (THREADS / 32)
#define ROUNDS 5
#define WORDS 1024

struct fixture {
	struct arena *arena;
	struct diag diag;
	struct buf source;
	struct ptx_module *module;
};

static void read_text(const char *path, struct buf *out)
{
	struct diag diag = {0};
	const char *top = getenv("top_srcdir");
	struct buf full = {0};
	buf_printf(&full, "%s/%s", top ? top : ".", path);
	assert_true(file_read(buf_str(&full), 1 << 20, out, &diag));
	buf_free(&full);
	diag_free(&diag);
}

static void show(const struct diag *diag)
{
	struct buf out = {0};
	diag_format(diag, &out);
	print_error("%s", buf_str(&out));
	buf_free(&out);
}

static struct fixture open_text(const char *text, size_t len)
{
	struct fixture f = {.arena = arena_new()};
	f.module = ptx_parse(f.arena, "test.ptx", text, len, &f.diag);
	if (!f.module)
		show(&f.diag);
	assert_non_null(f.module);
	return f;
}

static struct fixture open_stride(void)
{
	struct buf ptx = {0};
	read_text("kernels/shared_stride.ptx", &ptx);
	struct fixture f = open_text(ptx.data, ptx.len);
	read_text("kernels/shared_stride.cu", &f.source);
	buf_free(&ptx);
	return f;
}

static void close_fixture(struct fixture *f)
{
	diag_free(&f->diag);
	buf_free(&f->source);
	arena_free(f->arena);
}

/* The line of the source that holds `mark`. */
static int line_of(const struct fixture *f, const char *mark)
{
	const char *found = strstr(f->source.data, mark);
	int line = 1;
	assert_non_null(found);
	for (const char *p = f->source.data; p < found; p++)
		line += *p == '\n';
	return line;
}

/* `args` are texts, ending in NULL. */
static struct launch *make_launch(struct fixture *f, uint32_t grid, uint32_t block, const char *const *args)
{
	struct launch *launch = arena_alloc(f->arena, sizeof *launch);
	*launch = (struct launch){.kernel = NULL, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
	launch->args = arena_array(f->arena, struct launch_arg, LAUNCH_ARGS_MAX);
	for (; args[launch->n_args]; launch->n_args++)
		assert_true(launch_arg_parse(
			f->arena, "test", args[launch->n_args], &launch->args[launch->n_args], &f->diag));
	return launch;
}

static struct launch *stride_launch(struct fixture *f, int stride)
{
	const char *const args[] = {"f32[1024]:iota", "f32[288]", arena_printf(f->arena, "u32:%d", stride),
		arena_printf(f->arena, "u32:%d", ROUNDS), NULL};
	return make_launch(f, BLOCKS, THREADS, args);
}

static double count(const struct counts *counts, enum counter_id id)
{
	assert_int_equal(counts->c[id].state, VALUE_OK);
	return counts->c[id].v;
}

static int gcd(int a, int b)
{
	return b ? gcd(b, a % b) : a;
}

/* Warps that still have a thread below WORDS, summed over the turns of the copy loop of one block. */
static int copy_turns(void)
{
	int turns = 0;
	for (int warp = 0; warp < WARPS; warp++)
		for (int first = warp * 32; first < WORDS; first += THREADS)
			turns++;
	return turns;
}

static void every_stride_counts_as_the_formula_says(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	int line = line_of(&f, "//@ read"), copies = BLOCKS * copy_turns(), reads = BLOCKS * WARPS * ROUNDS;
	for (int stride = 0; stride <= 33; stride++) {
		int waves = stride ? gcd(stride, 32) : 1;
		struct profile *p = profile_run(f.arena, f.module, stride_launch(&f, stride),
			(struct profile_watch){.line = line, .block = 1, .warp = 2}, &f.diag);
		assert_non_null(p);
		assert_int_equal(p->result.outcome, SIMT_OK);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_REQUESTS) == reads);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_WAVEFRONTS) == reads * waves);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_CONFLICTS) == reads * (waves - 1));
		assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == copies);
		assert_true(count(&p->counts, COUNTER_SHARED_ST_WAVEFRONTS) == copies);
		assert_true(count(&p->counts, COUNTER_SHARED_ST_CONFLICTS) == 0);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_REQUESTS) == copies);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_SECTORS) == 4 * copies);
		assert_true(count(&p->counts, COUNTER_GLOBAL_ST_REQUESTS) == BLOCKS * WARPS);
		assert_true(count(&p->counts, COUNTER_GLOBAL_ST_SECTORS) == 4 * BLOCKS * WARPS);
		assert_true(count(&p->counts, COUNTER_PTX_INSTRUCTIONS) == (double)p->result.steps);
		/* an untaken branch is executed by all the same: the hardware counts threads whose predicate is off */
		assert_true(count(&p->counts, COUNTER_THREAD_INSTRUCTIONS) ==
			32.0 * count(&p->counts, COUNTER_INSTRUCTIONS));
		assert_true(fabs(metric_value(METRIC_SHARED_LD_WAVES_PER_REQUEST, &p->counts).v - waves) < 1e-12);
		assert_int_equal(p->counts.c[COUNTER_TIME].state, VALUE_NONE);
		assert_true(
			count(&p->counts, COUNTER_OCCUPANCY_LIMIT) == 98.4375); /* 21 blocks of three warps, of 64 */
		assert_int_equal(p->n_watched, ROUNDS);
		for (int i = 0; i < p->n_watched; i++) {
			assert_int_equal(p->watched[i].space, SPACE_SHARED);
			assert_int_equal(p->watched[i].op, ACCESS_LOAD);
			assert_int_equal(p->watched[i].width, 4);
			assert_int_equal(p->watched[i].active, 0xFFFFFFFF);
			for (int lane = 0; lane < 32; lane++)
				assert_int_equal(
					p->watched[i].address[lane] - p->watched[i].address[0], 4 * lane * stride);
		}
	}
	close_fixture(&f);
}

static void results_come_back(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	struct launch *launch = stride_launch(&f, 7);
	struct profile *p = profile_run(f.arena, f.module, launch, (struct profile_watch){0}, &f.diag);
	assert_non_null(p);
	assert_int_equal(p->n_watched, 0);
	struct profile_watch unread = {.unread = true};
	struct profile *same = profile_run(f.arena, f.module, launch, unread, &f.diag);
	assert_null(same->buffers); /* nobody asked for them */
	assert_memory_equal(&same->counts, &p->counts, sizeof p->counts);
	assert_null(p->buffers[2]);
	assert_null(p->buffers[3]);
	for (size_t i = 0; i < WORDS; i++)
		assert_true(launch_number(LAUNCH_F32, p->buffers[0], i) == (double)i);
	for (size_t i = 0; i < BLOCKS * THREADS; i++)
		assert_true(launch_number(LAUNCH_F32, p->buffers[1], i) == ROUNDS * 7.0 * (double)(i % 32));
	close_fixture(&f);
}

static void lines_add_up_to_the_kernel(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	int line = line_of(&f, "//@ read");
	struct profile *p = profile_run(f.arena, f.module, stride_launch(&f, 4), (struct profile_watch){0}, &f.diag);
	struct counts sum, of_line;
	uint64_t executions = 0;
	const struct profile_line *read = NULL;

	assert_non_null(p);
	counts_start_model(&sum);
	for (int i = 0; i < p->n_lines; i++) {
		assert_true(p->lines[i].line > (i ? p->lines[i - 1].line : 0));
		counts_add_sums(&sum, &p->lines[i].sums);
		executions += p->lines[i].executions;
		if (p->lines[i].line == line)
			read = &p->lines[i];
	}
	for (int id = 0; id < COUNTERS; id++) /* what no instruction moves is no line's, nor are machine instructions */
		assert_true(counter_table[id].trust == COUNTER_ROUGH || id == COUNTER_INSTRUCTIONS ||
			id == COUNTER_THREAD_INSTRUCTIONS ||
			(sum.c[id].v == p->counts.c[id].v && sum.c[id].state == p->counts.c[id].state));
	assert_int_equal(executions, p->result.steps);
	assert_non_null(read);
	counts_start_model(&of_line);
	counts_add_sums(&of_line, &read->sums);
	assert_true(count(&of_line, COUNTER_SHARED_LD_WAVEFRONTS) == 4 * BLOCKS * WARPS * ROUNDS);
	assert_true(count(&of_line, COUNTER_GLOBAL_LD_REQUESTS) == 0);
	assert_int_equal(read->active_lanes, 32 * read->executions);
	close_fixture(&f);
}

static void only_the_watched_warp_is_kept_and_not_too_long(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	struct profile_watch watch = {.line = line_of(&f, "//@ read")};
	struct launch *launch = stride_launch(&f, 1);
	assert_true(launch_arg_parse(f.arena, "test", "u32:100", &launch->args[3], &f.diag));
	struct profile *p = profile_run(f.arena, f.module, launch, watch, &f.diag);
	assert_int_equal(p->n_watched, PROFILE_WATCHED_MAX);
	for (int warp = 0; warp < BLOCK_WARPS_MAX; warp++)
		assert_int_equal(p->taking_part[warp], warp < WARPS ? 0xFFFFFFFF : 0);
	watch.warp = WARPS;
	assert_int_equal(profile_run(f.arena, f.module, launch, watch, &f.diag)->n_watched, 0);
	watch = (struct profile_watch){.line = 9999};
	assert_int_equal(profile_run(f.arena, f.module, launch, watch, &f.diag)->n_watched, 0);
	close_fixture(&f);
}

static void expect_refusal(struct fixture *f, const struct launch *launch, const char *says)
{
	size_t before = f->diag.count;
	assert_null(profile_run(f->arena, f->module, launch, (struct profile_watch){0}, &f->diag));
	assert_true(f->diag.count > before);
	if (!strstr(f->diag.entries[before].message, says))
		fail_msg("%s", f->diag.entries[before].message);
}

static void arguments_that_do_not_fit_are_named(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	static const struct {
		const char *args[6];
		const char *says;
	} cases[] = {
		{{"f32[4]", "f32[4]", "u32:1", NULL},
			"takes 4 arguments, 3 given: shared_stride(float *, float *, unsigned, unsigned)"},
		{{"f32[4]", "f32[4]", "u32:1", "u32:1", "u32:1", NULL}, "takes 4 arguments, 5 given"},
		{{"f32[4]", "u32:7", "u32:1", "u32:1", NULL},
			"argument 1, u32:7, is 4 bytes; the kernel takes float *, 8 bytes, as in f32[32]"},
		{{"f32[4]", "f32[4]", "u32[1]", "u32:1", NULL},
			"argument 2, u32[1], is an address of 8 bytes; the kernel takes unsigned, 4 bytes, as in u32:32"},
		{{"f32[4]", "f32[4]", "u32:1", "u64:1", NULL}, "argument 3, u64:1, is 8 bytes"},
		{{"f32[4]", "f32[4]", "f32:1", "u32:1", NULL},
			"argument 2, f32:1, is a float; the kernel takes unsigned; b32: "
			"gives it bits of any kind"},
		{{"u8[536870912]", "u8[536870913]", "u32:1", "u32:1", NULL}, "hold at most 1024 MiB together"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_refusal(&f, make_launch(&f, 1, 32, cases[i].args), cases[i].says);
	struct launch *launch = stride_launch(&f, 1);
	launch->kernel = "no_such";
	expect_refusal(&f, launch, "no_such");
	close_fixture(&f);
}

static void a_defect_is_a_result_with_its_place(void **state)
{
	(void)state;
	struct fixture f = open_stride();
	const char *const args[] = {"f32[1024]:iota", "f32[128]", "u32:1", "u32:1", NULL};
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, BLOCKS, THREADS, args), (struct profile_watch){0}, &f.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_DEFECT);
	assert_int_equal(p->result.defect, SIMT_OUT_OF_BOUNDS);
	assert_int_equal(p->result.place.line, line_of(&f, "out[blockIdx"));
	assert_int_equal(p->result.block, 1); /* 128 elements: block 0 and warp 0 of block 1 */
	assert_int_equal(p->result.warp, 1);
	assert_true(count(&p->counts, COUNTER_GLOBAL_ST_REQUESTS) >= WARPS + 1);
	assert_non_null(p->buffers[1]);
	close_fixture(&f);
}

/* Wide, masked, atomic and local accesses, and a line from another file. */
static const char spaces_ptx[] =
	".version 6.3\n.target sm_75\n.address_size 64\n"
	".visible .entry k(.param .u64 p)\n{\n"
	"\t.reg .pred %q;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<4>;\n\t.reg .f32 %f<5>;\n"
	"\t.shared .align 16 .b8 tile[512];\n"
	"\t.loc 1 10 0\n"
	"\tld.param.u64 %rd1, [p];\n\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %rd2, %r1, 16;\n\tadd.s64 %rd3, %rd1, %rd2;\n"
	"\tshl.b32 %r2, %r1, 4;\n\tmov.u32 %r3, tile;\n\tadd.s32 %r4, %r3, %r2;\n\tsetp.lt.u32 %q, %r1, 8;\n"
	"\t.loc 1 11 0\n\tld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n"
	"\t.loc 1 12 0\n\tst.shared.v4.f32 [%r4], {%f1, %f2, %f3, %f4};\n"
	"\t.loc 2 12 0\n\tbar.sync 0;\n"
	"\t.loc 1 13 0\n\t@%q st.global.f32 [%rd3], %f1;\n"
	"\tret;\n}\n"
	".file 1 \"a.cu\"\n.file 2 \"b.h\"\n";

static void wide_and_masked_accesses_count(void **state)
{
	(void)state;
	static const char *const args[] = {"f32[128]:iota", NULL};
	struct fixture f = open_text(spaces_ptx, sizeof spaces_ptx - 1);
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, 1, 32, args), (struct profile_watch){.line = 13}, &f.diag);
	if (!p)
		show(&f.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_OK);
	assert_true(count(&p->counts, COUNTER_GLOBAL_LD_REQUESTS) == 1);
	assert_true(count(&p->counts, COUNTER_GLOBAL_LD_SECTORS) == 16);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == 1);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_WAVEFRONTS) == 4);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_CONFLICTS) == 0);
	assert_true(count(&p->counts, COUNTER_GLOBAL_ST_SECTORS) == 4); /* lanes 0 to 7, 16 bytes apart */
	assert_int_equal(p->n_watched, 1);
	assert_int_equal(p->watched[0].active, 0xFF);
	assert_int_equal(p->taking_part[0], 0xFF);
	assert_int_equal(p->n_lines, 4); /* 10, 11, 12, 13; the barrier's line 12 is of another file */
	assert_int_equal(p->lines[2].line, 12);
	assert_int_equal(p->lines[2].executions, 1);
	assert_true(count(&p->counts, COUNTER_PTX_INSTRUCTIONS) == (double)p->result.steps);
	close_fixture(&f);
}

/* All lanes add to one word. The counter of the launch has its sector once for each turn, that of the line once. */
static const char turns_ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
				".visible .entry k(.param .u64 p)\n{\n\t.reg .b64 %rd<2>;\n"
				"\t.loc 1 10 0\n\tld.param.u64 %rd1, [p];\n"
				"\t.loc 1 11 0\n\tred.global.add.u32 [%rd1], 1;\n\tret;\n}\n"
				".file 1 \"a.cu\"\n";

static void a_line_counts_no_turns(void **state)
{
	(void)state;
	static const char *const args[] = {"u32[1]", NULL};
	struct fixture f = open_text(turns_ptx, sizeof turns_ptx - 1);
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, 1, 32, args), (struct profile_watch){.line = 11}, &f.diag);
	assert_non_null(p);
	assert_true(count(&p->counts, COUNTER_GLOBAL_RED_SECTORS) == 32);
	assert_int_equal(p->lines[1].line, 11);
	assert_true(profile_sectors(&p->lines[1]).v == 1);
	close_fixture(&f);
}

/* Line 20 for all lanes, line 21 for none, line 22 for none and elsewhere; line 23 reads one back. */
static const char
	off_ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
		    ".visible .entry k(.param .u64 p)\n{\n"
		    "\t.reg .pred %q;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<4>;\n"
		    "\t.shared .align 16 .b8 tile[128];\n"
		    "\t.loc 1 19 0\n"
		    "\tld.param.u64 %rd1, [p];\n\tmov.u32 %r1, %tid.x;\n\tshl.b32 %r2, %r1, 2;\n\tmov.u32 %r3, tile;\n"
		    "\tadd.s32 %r4, %r3, %r2;\n\tsetp.gt.u32 %q, %r1, 99;\n"
		    "\t.loc 1 20 0\n\tst.shared.u32 [%r4], %r1;\n"
		    "\t.loc 1 21 0\n\t@%q ld.shared.u32 %r5, [%r4];\n\t@%q st.shared.u32 [%r4], %r5;\n"
		    "\t.loc 1 22 0\n\t@%q ld.global.u32 %r6, [%rd1];\n\t@%q st.global.u32 [%rd1], %r6;\n"
		    "\tret;\n}\n"
		    ".file 1 \"a.cu\"\n";

static void shared_accesses_of_no_lane_are_requests(void **state)
{
	(void)state;
	static const char *const args[] = {"u32[1]", NULL};
	struct fixture f = open_text(off_ptx, sizeof off_ptx - 1);
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, 1, 32, args), (struct profile_watch){.line = 21}, &f.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_OK);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == 2);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_WAVEFRONTS) == 1);
	assert_true(count(&p->counts, COUNTER_SHARED_LD_REQUESTS) == 1);
	assert_true(count(&p->counts, COUNTER_SHARED_LD_WAVEFRONTS) == 0);
	assert_true(count(&p->counts, COUNTER_SHARED_LD_CONFLICTS) == 0);
	assert_true(count(&p->counts, COUNTER_GLOBAL_LD_REQUESTS) == 0);
	assert_true(count(&p->counts, COUNTER_GLOBAL_ST_REQUESTS) == 0);
	assert_int_equal(p->n_watched, 0); /* there is nothing to draw */
	close_fixture(&f);
}

#define COPY_PTX(head, body)                                                                                              \
	".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"                           \
	"\t.reg .pred %p<2>;\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<6>;\n\t.shared .align 8 .b8 s[1024];\n"                 \
	"\tld.param.u64 %rd1, [in];\n\tmov.u32 %r1, %tid.x;\n\tmul.wide.u32 %rd2, %r1, 4;\n\tadd.s64 %rd3, %rd1, %rd2;\n" \
	"\tcvt.u32.u64 %r2, %rd2;\n\tmov.u32 %r3, s;\n\tadd.u32 %r2, %r2, %r3;\n" head body "\tret;\n}\n"
#define COPY "\tcp.async.ca.shared.global [%r2], [%rd3], 4;\n"
#define COPIES_END "\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n"

/* What an H200 counts for one warp: three loads whose lanes are all off for the copies of a basic block, and no
 * bytes. */
static void copies_to_shared_memory_bring_empty_loads(void **state)
{
	(void)state;
	static const struct {
		const char *ptx;
		int loads, copies;
	} cases[] = {
		{COPY_PTX("", COPY COPIES_END), 3, 1},
		{COPY_PTX("", COPY COPY COPY COPY COPIES_END), 3, 4},
		{COPY_PTX("", COPY "\tcp.async.commit_group;\n" COPY COPIES_END), 3, 2},
		{COPY_PTX("\tmov.u32 %r1, 0;\nL:\n",
			 COPY COPIES_END "\tadd.u32 %r1, %r1, 1;\n\tsetp.lt.u32 %p1, %r1, 8;\n\t@%p1 bra L;\n"),
			24, 8},
		{COPY_PTX("", "\tld.shared.u32 %r1, [s+512];\n"), 1, 0},
	};
	static const char *const args[] = {"u32[32]:iota", NULL};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f = open_text(cases[i].ptx, strlen(cases[i].ptx));
		struct profile_watch watch = {.unread = true};
		struct profile *p = profile_run(f.arena, f.module, make_launch(&f, 1, 32, args), watch, &f.diag);
		assert_non_null(p);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_REQUESTS) == cases[i].loads);
		assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == 0);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_REQUESTS) == cases[i].copies);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_SECTORS) == 4 * cases[i].copies);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_BYTES) == 0);
		close_fixture(&f);
	}
}

/* Nor are operations on an mbarrier stores or atomics of shared memory. */
static void barriers_in_memory_are_not_counted(void **state)
{
	(void)state;
	static const char ptx[] = COPY_PTX("",
		"\tsetp.ne.u32 %p1, %r1, 0;\n\t@%p1 bra L;\n\tmbarrier.init.shared.b64 [s], 32;\nL:\n"
		"\tbar.sync 0;\n\tmbarrier.arrive.shared.b64 %rd4, [s];\n\tmbarrier.test_wait.shared.b64 %p1, [s], %rd4;\n");
	static const char *const args[] = {"u32[32]:iota", NULL};
	struct fixture f = open_text(ptx, sizeof ptx - 1);
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, 1, 32, args), (struct profile_watch){0}, &f.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_OK);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == 0);
	assert_true(count(&p->counts, COUNTER_SHARED_ST_WAVEFRONTS) == 0);
	assert_true(count(&p->counts, COUNTER_SHARED_ATOM_REQUESTS) == 0);
	close_fixture(&f);
}

static struct fixture open_file(const char *path)
{
	struct buf ptx = {0};
	read_text(path, &ptx);
	struct fixture f = open_text(ptx.data, ptx.len);
	buf_free(&ptx);
	return f;
}

static void on_a_gpu_only_what_ends_a_launch_ends_it(void **state)
{
	(void)state;
	static const struct {
		const char *file, *kernel;
		uint32_t threads;
		const char *args[6];
		enum simt_defect_kind on_gpu; /* a defect it is in any case */
	} cases[] = {
		{"tests/defects/bounds.ptx", "_Z12words_at_oddPKhPj", 32, {"u8[160]:iota", "u32[32]"}, SIMT_MISALIGNED},
		{"tests/defects/bounds.ptx", "_Z15shared_past_endPKjPj", 64, {"u32[64]:iota", "u32[64]"},
			SIMT_OUT_OF_BOUNDS},
		{"tests/defects/bounds.ptx", "_Z20difference_unguardedPKiPi", 64, {"u32[64]:iota", "u32[64]"},
			SIMT_OUT_OF_BOUNDS},
		/* 256 bytes are 64 words: the last thread but those writes the first byte that may be another
		 * buffer's */
		{"tests/defects/bounds.ptx", "_Z14copy_unguardedPKjPji", 64, {"u32[1]:iota", "u32[63]", "s32:100"},
			SIMT_DEFECT_NONE},
		{"tests/defects/bounds.ptx", "_Z14copy_unguardedPKjPji", 65, {"u32[1]:iota", "u32[63]", "s32:100"},
			SIMT_OUT_OF_BOUNDS},
		{"tests/defects/bounds.ptx", "_Z14copy_unguardedPKjPji", 65, {"u32[64]:iota", "u32[64]", "s32:100"},
			SIMT_OUT_OF_BOUNDS},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct fixture f = open_file(cases[i].file);
		struct launch *launch = make_launch(&f, 1, cases[i].threads, cases[i].args);
		launch->kernel = cases[i].kernel;
		struct profile *p = profile_run(f.arena, f.module, launch, (struct profile_watch){0}, &f.diag);
		struct profile *q = profile_on_gpu(
			f.arena, f.module, launch, (struct profile_watch){.steps = 0}, &f.diag);
		if (!p || !q)
			show(&f.diag);
		assert_true(p && q);
		assert_int_equal(p->result.outcome, SIMT_DEFECT);
		assert_int_equal(q->result.defect, cases[i].on_gpu);
		assert_int_equal(q->result.outcome, cases[i].on_gpu ? SIMT_DEFECT : SIMT_OK);
		close_fixture(&f);
	}
}

/* A warp barrier at lanes that are not named ends a kernel there; that others who are named never come does not, nor
 * does it elsewhere. */
static void a_gpu_stops_at_a_barrier_of_others(void **state)
{
	static const struct {
		const char *instr;
		bool stops;
	} rows[] = {
		{"bar.warp.sync 0x0000FFFF;", true},
		{"bar.warp.sync 0xFFFFFFFF;", false},
		{"vote.sync.ballot.b32 %r2, %p, 0x0000FFFF;", false},
	};
	static const char *const args[] = {NULL};
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[600];
		int len = snprintf(text, sizeof text,
			".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %%r<3>;\n"
			"\t.reg .pred %%p;\n\tmov.u32 %%r1, %%tid.x;\n\tsetp.lt.u32 %%p, %%r1, 16;\n\t%s\n\tret;\n}\n",
			rows[i].instr);
		struct fixture f = open_text(text, (size_t)len);
		struct launch *launch = make_launch(&f, 1, 32, args);
		struct profile *p = profile_on_gpu(
			f.arena, f.module, launch, (struct profile_watch){.steps = 0}, &f.diag);
		if (!p)
			show(&f.diag);
		assert_non_null(p);
		assert_int_equal(p->result.outcome, rows[i].stops ? SIMT_DEFECT : SIMT_OK);
		assert_int_equal(p->result.defect, rows[i].stops ? SIMT_TRAP : SIMT_DEFECT_NONE);
		close_fixture(&f);
	}
}

static const char endless_ptx[] =
	".version 6.3\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\nagain:\n\tbra.uni again;\n}\n";

static const char shuffle_ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
				  ".visible .entry k()\n{\n\t.reg .b32 %r<5>;\n"
				  "\t.loc 1 20 0\n\tmov.u32 %r1, %tid.x;\n"
				  "\t.loc 1 21 0\n\tmov.u32 %r2, %ctaid.x;\n"
				  "\t.loc 1 22 0\n\tshfl.sync.up.b32 %r3, %r1, %r2, 0, -1;\n"
				  "\t.loc 1 22 0\n\tshfl.sync.down.b32 %r4, %r1, %r2, 31, -1;\n"
				  "\tret;\n}\n"
				  ".file 1 \"a.cu\"\n";

static void count_shuffle(void *ctx, const struct simt_site *site, const struct warp_shuffle *shuffle)
{
	(void)site, (void)shuffle;
	++*(int *)ctx;
}

/* Block b of this shuffles by b lanes; on several cores another may come first. */
static void the_first_shuffle_of_the_watched_warp_is_kept(void **state)
{
	(void)state;
	static const char *const args[] = {NULL};
	struct fixture f = open_text(shuffle_ptx, sizeof shuffle_ptx - 1);
	struct launch *launch = make_launch(&f, 20, 64, args);
	for (uint32_t block = 0; block < 20; block += 3) {
		struct profile_watch watch = {.line = 22, .block = block, .warp = 1, .cores = 1 + block % 2 * 3};
		struct profile *p = profile_run(f.arena, f.module, launch, watch, &f.diag);
		assert_non_null(p);
		assert_true(p->has_shuffled);
		assert_int_equal(p->shuffled.active, 0xFFFFFFFF);
		assert_int_equal(p->shuffled.found, 0xFFFFFFFFu << block);
		for (int lane = 0; lane < 32; lane++)
			assert_int_equal(p->shuffled.from[lane], lane - (lane >= (int)block ? (int)block : 0));
	}
	int heard = 0;
	struct simt_listener also = {.ctx = &heard, .shuffle = count_shuffle};
	assert_true(profile_run(f.arena, f.module, launch, (struct profile_watch){.line = 22, .also = &also}, &f.diag)
			    ->has_shuffled);
	assert_int_equal(heard, 20 * 2 * 2);
	assert_false(profile_run(f.arena, f.module, launch, (struct profile_watch){.line = 21}, &f.diag)->has_shuffled);
	assert_false(profile_run(f.arena, f.module, launch, (struct profile_watch){.line = 22, .warp = 2}, &f.diag)
			     ->has_shuffled);
	assert_false(profile_run(f.arena, f.module, launch, (struct profile_watch){0}, &f.diag)->has_shuffled);
	close_fixture(&f);
}

/* Two blocks of a cluster: each stores to the other's words, loads its own, and adds to those of rank 0. */
static const char cluster_ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
				  ".visible .entry k()\n.reqnctapercluster 2\n{\n\t.reg .b32 %r<8>;\n"
				  "\t.shared .align 4 .b32 words[32];\n"
				  "\tmov.u32 %r0, %tid.x;\n\tmov.u32 %r1, words;\n\tshl.b32 %r2, %r0, 2;\n"
				  "\tadd.u32 %r1, %r1, %r2;\n\tmov.u32 %r3, %cluster_ctarank;\n\txor.b32 %r4, %r3, 1;\n"
				  "\tmapa.shared::cluster.u32 %r5, %r1, %r4;\n\tmapa.shared::cluster.u32 %r6, %r1, 0;\n"
				  "\tst.shared::cluster.u32 [%r5], %r0;\n"
				  "\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
				  "\tld.shared::cluster.u32 %r7, [%r1];\n"
				  "\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
				  "\tred.relaxed.cluster.shared::cluster.add.u32 [%r6], %r7;\n"
				  "\tbarrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;\n"
				  "\tst.shared.u32 [%r1], %r7;\n"
				  "\tret;\n}\n";

static void check_traffic(const struct cluster_traffic *t, int requests, int atomics)
{
	assert_int_equal(t->requests, requests);
	assert_int_equal(t->atomics, atomics);
	assert_int_equal(t->bytes, 128 * requests);
}

/* What an H200 counts: no requests of shared memory, bytes of global memory, and wavefronts of atomics. */
static void accesses_to_a_cluster_are_no_shared_requests(void **state)
{
	(void)state;
	static const char *const args[] = {NULL};
	struct fixture f = open_text(cluster_ptx, sizeof cluster_ptx - 1);
	for (uint32_t block = 0; block < 6; block++) {
		const struct profile_watch watch = {.block = block, .checks = SIMT_CHECK_ALL, .cores = 1 + block % 2};
		struct profile *p = profile_run(f.arena, f.module, make_launch(&f, 6, 32, args), watch, &f.diag);
		assert_non_null(p);
		assert_int_equal(p->result.outcome, SIMT_OK);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_REQUESTS) == 0);
		assert_true(count(&p->counts, COUNTER_SHARED_LD_WAVEFRONTS) == 0);
		assert_true(count(&p->counts, COUNTER_SHARED_ST_REQUESTS) == 6);
		assert_true(count(&p->counts, COUNTER_SHARED_ATOM_REQUESTS) == 0);
		assert_true(count(&p->counts, COUNTER_SHARED_ATOM_WAVEFRONTS) == 6);
		assert_true(count(&p->counts, COUNTER_SHARED_ATOM_CONFLICTS) == 0);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_REQUESTS) == 0);
		assert_true(count(&p->counts, COUNTER_GLOBAL_LD_BYTES) == 6 * 128);
		assert_true(count(&p->counts, COUNTER_GLOBAL_ST_BYTES) == 6 * 128);
		assert_true(count(&p->counts, COUNTER_GLOBAL_RED_REQUESTS) == 0);
		assert_int_equal(p->cluster.n, 2);
		assert_int_equal(p->cluster.watched, block % 2);
		assert_int_equal(p->cluster.block[0], block / 2 * 2);
		check_traffic(&p->cluster.at[0][0], 3, 1);
		check_traffic(&p->cluster.at[0][1], 1, 0);
		check_traffic(&p->cluster.at[1][0], 2, 1);
		check_traffic(&p->cluster.at[1][1], 2, 0);
	}
	close_fixture(&f);
}

static void an_endless_kernel_is_stopped(void **state)
{
	(void)state;
	static const char *const args[] = {NULL};
	struct fixture f = open_text(endless_ptx, sizeof endless_ptx - 1);
	struct profile *p = profile_run(
		f.arena, f.module, make_launch(&f, 1, 32, args), (struct profile_watch){0}, &f.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_LIMIT);
	assert_int_equal(p->result.steps, PROFILE_STEPS_MAX);
	assert_non_null(strstr(p->result.message, "may never end"));
	close_fixture(&f);
}

/* Instructions at an mbarrier go through shared memory, a hint takes an issue slot, fences wait. */
static void every_row_has_the_class_of_its_kin(void **state)
{
	static const char
		text[] = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b64 %r;\n"
			 "\t.shared .align 8 .b64 m;\n"
			 "\tmbarrier.arrive.shared.b64 %r, [m];\n"
			 "\tmbarrier.arrive.noComplete.shared.b64 %r, [m], 1;\n"
			 "\tmbarrier.expect_tx.relaxed.cta.shared.b64 [m], 4;\n"
			 "\tcp.async.mbarrier.arrive.shared.b64 [m];\n"
			 "\tmbarrier.inval.shared.b64 [m];\n"
			 "\tfence.proxy.async;\n"
			 "\tgriddepcontrol.wait;\n"
			 "\tret;\n}\n";
	static const uint8_t classes[] = {LATENCY_SHARED, LATENCY_SHARED, LATENCY_SHARED, LATENCY_SHARED,
		LATENCY_SHARED, LATENCY_FENCE, LATENCY_FREE, LATENCY_BRANCH};
	struct fixture f = open_text(text, sizeof text - 1);
	const struct ptx_kernel *kernel = ptx_find_kernel(f.module, "k", &f.diag);
	(void)state;
	assert_non_null(kernel);
	struct cost_program *cost = profile_cost(f.arena, kernel, NULL);
	assert_int_equal(cost->n_ops, sizeof classes);
	for (int i = 0; i < cost->n_ops; i++)
		assert_int_equal(cost->ops[i].latency, classes[i]);
	close_fixture(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gpu_stops_at_a_barrier_of_others),
		cmocka_unit_test(every_stride_counts_as_the_formula_says),
		cmocka_unit_test(results_come_back),
		cmocka_unit_test(lines_add_up_to_the_kernel),
		cmocka_unit_test(only_the_watched_warp_is_kept_and_not_too_long),
		cmocka_unit_test(arguments_that_do_not_fit_are_named),
		cmocka_unit_test(a_defect_is_a_result_with_its_place),
		cmocka_unit_test(wide_and_masked_accesses_count),
		cmocka_unit_test(a_line_counts_no_turns),
		cmocka_unit_test(shared_accesses_of_no_lane_are_requests),
		cmocka_unit_test(copies_to_shared_memory_bring_empty_loads),
		cmocka_unit_test(barriers_in_memory_are_not_counted),
		cmocka_unit_test(on_a_gpu_only_what_ends_a_launch_ends_it),
		cmocka_unit_test(the_first_shuffle_of_the_watched_warp_is_kept),
		cmocka_unit_test(accesses_to_a_cluster_are_no_shared_requests),
		cmocka_unit_test(an_endless_kernel_is_stopped),
		cmocka_unit_test(every_row_has_the_class_of_its_kin),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
