/* Values from uninitialized memory, followed from their load to their use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"

#define ROOM 8
#define WORDS 288

struct bench {
	struct arena *arena;
	struct simt_memory *memory;
	struct simt_defect defects[ROOM];
	struct simt_report report;
	struct simt_result result;
};

/* Runs a kernel of one warp: `body` has %p0..3, %h0..3, %r0..15, %rd0..7, %f0..3, shared memory `s` and local memory
 * `l` of 256 bytes, of which the first 128 of `s` are written; %rd0 is a buffer, %r0 the thread, %rd1 the buffer's word
 * of the thread, %r4 the thread's word of `s` that is written, %r5 the one after them that is not, both in `s`. */
static void run(struct bench *b, const char *functions, const char *body)
{
	struct buf text = {0};
	struct diag diag = {0};
	memset(b, 0, sizeof *b);
	b->arena = arena_new();
	b->memory = simt_memory_new(1 << 20);
	uint64_t buffer = simt_memory_alloc(b->memory, WORDS * 4);
	buf_printf(&text,
		".version 8.0\n.target sm_80\n.address_size 64\n"
		".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 args);\n"
		".global .align 1 .b8 format[4] = {37, 117, 10, 0};\n%s\n"
		".file 1 \"t.cu\"\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .b32 %%r<16>;\n"
		".reg .b64 %%rd<8>;\n.reg .f32 %%f<4>;\n.shared .align 16 .b8 s[256];\n.local .align 16 .b8 l[256];\n"
		"ld.param.u64 %%rd0, [p];\nmov.u32 %%r0, %%tid.x;\nmad.wide.u32 %%rd1, %%r0, 4, %%rd0;\n"
		"mov.u32 %%r1, s;\nmad.lo.u32 %%r4, %%r0, 4, %%r1;\nadd.u32 %%r5, %%r4, 128;\n"
		"st.shared.u32 [%%r4], %%r0;\n%s\nret;\n}\n",
		functions, body);
	struct ptx_module *m = ptx_parse(b->arena, "t.ptx", buf_str(&text), text.len, &diag);
	if (diag.count)
		fail_msg("%d: %s", diag.entries[0].line, diag.entries[0].message);
	b->report = (struct simt_report){.defects = b->defects, .cap = ROOM};
	struct simt_launch launch = {.kernel = ptx_find_kernel(m, "k", &diag),
		.grid = {1, 1, 1},
		.block = {32, 1, 1},
		.params = &buffer,
		.limits.steps = 100000,
		.checks = SIMT_CHECK_ALL,
		.report = &b->report};
	simt_run(&launch, b->memory, &b->result);
	buf_free(&text);
	diag_free(&diag);
}

static void done(struct bench *b)
{
	simt_memory_free(b->memory);
	arena_free(b->arena);
}

struct flow_case {
	const char *body;
	const char *says; /* a part of the one defect's message; NULL: there is none */
	uint32_t lanes;   /* that use it; 0: all */
};

static void check(const char *functions, const struct flow_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct bench b;
		run(&b, functions, cases[i].body);
		if (b.result.outcome == SIMT_ERROR)
			fail_msg("%s: %s", cases[i].body, b.result.message);
		if (b.report.n != (cases[i].says != NULL))
			fail_msg("%s: %u defects, first %s", cases[i].body, b.report.n,
				b.report.n ? b.defects[0].message : "none");
		if (cases[i].says) {
			assert_int_equal(b.defects[0].kind, SIMT_UNINITIALIZED);
			if (!strstr(b.defects[0].message, cases[i].says))
				fail_msg("%s: %s", cases[i].body, b.defects[0].message);
			assert_int_equal(b.defects[0].here.lanes, cases[i].lanes ? cases[i].lanes : UINT32_MAX);
		}
		assert_true(b.result.ended);
		done(&b);
	}
}
#define CHECK(functions, cases) check(functions, cases, sizeof(cases) / sizeof *(cases))

#define SPREAD "mad.wide.u32 %rd2, %r0, 32, %rd0;\n"
#define LOAD "ld.shared.u32 %r6, [%r5];\n" /* undefined */
#define GOOD "ld.shared.u32 %r7, [%r4];\n"
#define OUT(r) "st.global.u32 [%rd1], " r ";\n"
#define FROM "a value from uninitialized shared memory at 0x80"
#define RESULT "computes with " FROM

/* --- uses --------------------------------------------------------------------------------------------------------- */

static void a_use_is_reported_once_and_a_copy_never(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{LOAD, NULL, 0},
		{LOAD "mov.u32 %r7, %r6;\nst.shared.u32 [%r5], %r7;\nst.local.u32 [l+4], %r7;", NULL, 0},
		{LOAD "add.u32 %r7, %r6, 1;\nmul.lo.u32 %r7, %r7, 5;", NULL, 0},
		{LOAD OUT("%r6"), "stores " FROM, 0},
		{LOAD OUT("%r6") OUT("%r6"), "stores " FROM, 0}, /* then it counts as known */
		{LOAD "add.u32 %r7, %r6, 1;\n" OUT("%r7"), RESULT, 0},
		{LOAD "setp.gt.u32 %p0, %r6, 9;\n@%p0 bra L;\nL:", RESULT, 0},
		{LOAD "setp.gt.u32 %p0, %r6, 9;\n@%p0 mov.u32 %r7, 1;", RESULT, 0},
		{LOAD "cvt.u64.u32 %rd2, %r6;\nadd.u64 %rd2, %rd2, %rd0;\nld.global.u32 %r7, [%rd2];", "as an address",
			0},
		{LOAD "red.shared.add.u32 [%r4], %r6;", "uses " FROM, 0},
		{"atom.shared.exch.b32 %r6, [%r5], 1;\n", NULL, 0},
		{"atom.shared.exch.b32 %r6, [%r5], 1;\n" OUT("%r6"), "stores " FROM, 0},
		{"atom.shared.add.u32 %r6, [%r5], 1;\n", "atomically changes uninitialized shared", 0},
		{LOAD "add.u32 %r8, %r6, %r4;\nld.shared.u32 %r7, [%r8];\n", "as an address", 0},
		{LOAD "mov.u32 %r6, 3;\n" OUT("%r6"), NULL, 0}, /* a new value */
		{LOAD "bar.sync %r6;", "uses " FROM, 0},
	};
	CHECK("", cases);
}

/* --- bits --------------------------------------------------------------------------------------------------------- */

static void bits_are_followed(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		/* A byte of a word that only has that one. */
		{"st.shared.u8 [%r5], %r0;\n" LOAD "and.b32 %r7, %r6, 255;\n" OUT("%r7"), NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "shr.u32 %r7, %r6, 8;\n" OUT("%r7"), RESULT, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "bfe.u32 %r7, %r6, 0, 8;\n" OUT("%r7"), NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "bfe.u32 %r7, %r6, 4, 8;\n" OUT("%r7"), NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "bfe.u32 %r7, %r6, 8, 8;\n" OUT("%r7"), RESULT, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "prmt.b32 %r7, %r6, 0, 0x4440;\nadd.u32 %r7, %r7, 1;\n" OUT("%r7"),
			NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "prmt.b32 %r7, %r6, 0, 0x4441;\nadd.u32 %r7, %r7, 1;\n" OUT("%r7"),
			RESULT, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD
		 "cvt.u16.u32 %h0, %r6;\ncvt.u32.u8 %r7, %h0;\nadd.u32 %r7, %r7, 1;\n" OUT("%r7"),
			NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "shl.b32 %r7, %r6, 24;\nadd.u32 %r7, %r7, 1;\n" OUT("%r7"), NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "bfi.b32 %r7, %r6, 0, 8, 8;\nadd.u32 %r7, %r7, 1;\n" OUT("%r7"),
			NULL, 0},
		/* The rest is padding, which is stored with it. */
		{"st.shared.u8 [%r5], %r0;\n" LOAD OUT("%r6"), NULL, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "add.u32 %r7, %r6, 1;\n" OUT("%r7"), RESULT, 0},
		{"st.shared.u8 [%r5], %r0;\n" LOAD "setp.eq.u32 %p0, %r6, 1;\n@%p0 bra L;\nL:", RESULT, 0},
		/* Sums keep what is below. */
		{"st.shared.u16 [%r5], %r0;\n" LOAD "add.u32 %r7, %r6, 1;\nand.b32 %r7, %r7, 65535;\n" OUT("%r7"), NULL,
			0},
		{"st.shared.u16 [%r5], %r0;\n" LOAD "mul.lo.u32 %r7, %r6, 3;\nshr.u32 %r7, %r7, 16;\n" OUT("%r7"),
			RESULT, 0},
		/* What decides alone. */
		{LOAD "and.b32 %r7, %r6, 0;\n" OUT("%r7"), NULL, 0},
		{LOAD "or.b32 %r7, %r6, -1;\n" OUT("%r7"), NULL, 0},
		{LOAD "xor.b32 %r7, %r6, -1;\n" OUT("%r7"), "stores " FROM, 0},
		{LOAD "lop3.b32 %r7, %r6, 0, %r6, 0x88;\n" OUT("%r7"), NULL, 0}, /* b & c */
		{LOAD "xor.b32 %r7, %r6, %r6;\nmov.u32 %r7, 0;\n" OUT("%r7"), NULL, 0},
		/* Packed halves. */
		{"st.shared.u16 [%r5], %r0;\n" LOAD
		 "add.f16x2 %r7, %r6, %r6;\nmov.b32 {%h0, %h1}, %r7;\nst.global.u16 [%rd1], %h0;",
			NULL, 0},
		{"st.shared.u16 [%r5], %r0;\n" LOAD
		 "add.f16x2 %r7, %r6, %r6;\nmov.b32 {%h0, %h1}, %r7;\nst.global.u16 [%rd1], %h1;",
			RESULT, 0},
		{"st.shared.u16 [%r5], %r0;\n" LOAD
		 "mov.b32 {%h0, %h1}, %r6;\nmov.b32 %r7, {%h1, %h0};\nst.global.u16 [%rd1], %r7;",
			"stores " FROM, 0},
		/* Signs. */
		{"ld.shared.s8 %r6, [%r5];\nshr.s32 %r7, %r6, 31;\n" OUT("%r7"), RESULT, 0},
		{"ld.shared.u8 %r6, [%r5];\nshr.u32 %r7, %r6, 8;\n" OUT("%r7"), NULL, 0},
	};
	CHECK("", cases);
}

static void what_is_not_chosen_is_not_used(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{LOAD GOOD "setp.lt.u32 %p0, %r0, 32;\nselp.u32 %r8, %r7, %r6, %p0;\n" OUT("%r8"), NULL, 0},
		{LOAD GOOD "setp.lt.u32 %p0, %r0, 30;\nselp.u32 %r8, %r7, %r6, %p0;\n" OUT("%r8"), "stores",
			0xC0000000},
		{LOAD "setp.lt.u32 %p0, %r6, 30;\nselp.u32 %r8, 4, 4, %p0;\n" OUT("%r8"), NULL, 0},
		{LOAD "setp.lt.u32 %p0, %r6, 30;\nselp.u32 %r8, 4, 5, %p0;\n" OUT("%r8"), RESULT, 0},
		{LOAD "setp.lt.u32 %p0, %r6, 30;\nsetp.ge.u32 %p1, %r0, 32;\nand.pred %p2, %p0, %p1;\n@%p2 bra L;\nL:",
			NULL, 0},
		{LOAD "setp.ge.u32 %p1, %r0, 32;\nsetp.lt.and.u32 %p0, %r6, 30, %p1;\n@%p0 bra L;\nL:", NULL, 0},
		{LOAD "setp.ge.u32 %p1, %r0, 31;\nsetp.lt.and.u32 %p0, %r6, 30, %p1;\n@%p0 bra L;\nL:", "branches",
			0x80000000},
		{LOAD "setp.ge.u32 %p1, %r0, 1;\nsetp.lt.or.u32 %p0, %r6, 30, %p1;\n@%p0 bra L;\nL:", "branches", 1},
	};
	CHECK("", cases);
}

/* --- other lanes -------------------------------------------------------------------------------------------------- */

static void lanes_pass_them_on(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		/* Lane 0 alone has one. */
		{"setp.ne.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [%r5], 1;\n" LOAD
		 "shfl.sync.idx.b32 %r7, %r6, 3, 31, -1;\n" OUT("%r7"),
			NULL, 0},
		{"setp.ne.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [%r5], 1;\n" LOAD
		 "shfl.sync.up.b32 %r7, %r6, 1, 0, -1;\n" OUT("%r7"),
			"stores", 3},
		{"setp.ne.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [%r5], 1;\n" LOAD
		 "redux.sync.add.u32 %r7, %r6, -1;\n" OUT("%r7"),
			"computes", 0},
		{"setp.ne.u32 %p0, %r0, 0;\n@%p0 st.shared.u32 [%r5], 1;\n" LOAD
		 "setp.eq.u32 %p1, %r6, 0;\nvote.sync.any.pred %p2, %p1, -1;\n@%p2 bra L;\nL:",
			"computes", 0},
	};
	CHECK("", cases);
}

/* --- memory, calls, printf ---------------------------------------------------------------------------------------- */

static void memory_keeps_them(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{LOAD "st.local.u32 [l+8], %r6;\nld.local.u32 %r7, [l+8];\n" OUT("%r7"), "stores " FROM, 0},
		{LOAD "st.local.u32 [l+8], 1;\nst.local.u32 [l+8], %r6;\nld.local.u32 %r7, [l+8];\n" OUT("%r7"),
			"stores " FROM, 0},
		{LOAD "st.local.u32 [l+8], %r6;\nst.local.u32 [l+8], 1;\nld.local.u32 %r7, [l+8];\n" OUT("%r7"), NULL,
			0},
		{LOAD "st.shared.u32 [%r4], %r6;\n" GOOD OUT("%r7"), "stores " FROM, 0},
		{LOAD "add.u32 %r8, %r6, 1;\nst.local.u32 [l+8], %r8;\nld.local.u32 %r7, [l+8];\n" OUT("%r7"), RESULT,
			0},
		/* Half of a pair, and of a structure that is copied in one piece. */
		{LOAD GOOD "st.local.v2.u32 [l+8], {%r7, %r6};\nld.local.u32 %r8, [l+8];\n" OUT("%r8"), NULL, 0},
		{LOAD GOOD "st.local.v2.u32 [l+8], {%r7, %r6};\nld.local.u32 %r8, [l+12];\n" OUT("%r8"), "stores " FROM,
			0},
		{LOAD GOOD "and.b32 %r8, %r0, 30;\nmad.wide.u32 %rd2, %r8, 4, %rd0;\nsetp.eq.u32 %p0, %r8, %r0;\n"
			   "@%p0 st.global.v2.u32 [%rd2], {%r7, %r6};\n",
			NULL, 0},
		{LOAD "and.b32 %r8, %r0, 30;\nmad.wide.u32 %rd2, %r8, 4, %rd0;\nsetp.eq.u32 %p0, %r8, %r0;\n"
		      "@%p0 st.global.v2.u32 [%rd2], {%r6, %r6};\n",
			"stores " FROM, 0x55555555},
		{LOAD "mov.u64 %rd2, l;\ncvta.local.u64 %rd3, %rd2;\nst.u32 [%rd3], %r6;\nld.u32 %r7, [%rd3];\n" OUT(
			 "%r7"),
			"stores " FROM, 0},
		/* Word by word; in one that is not set at all, both are used, and lines without neighbors, too. */
		{".loc 1 5 0\n" LOAD GOOD SPREAD "st.global.u32 [%rd2], %r7;\nst.global.u32 [%rd2+4], %r6;\n", NULL, 0},
		{".loc 1 5 0\n" LOAD GOOD SPREAD "st.global.u32 [%rd2], %r6;\nst.global.u32 [%rd2+4], %r6;\n",
			"stores " FROM, 0},
		{".loc 1 5 0\n" LOAD GOOD SPREAD
		 "st.global.u32 [%rd2], %r7;\n.loc 1 6 0\nst.global.u32 [%rd2+4], %r6;\n",
			"stores " FROM, 0},
		{".loc 1 5 0\n" LOAD GOOD SPREAD "st.global.u32 [%rd2], %r7;\nst.global.u32 [%rd2+16], %r6;\n",
			"stores " FROM, 0},
		{".loc 1 5 0\n" LOAD GOOD SPREAD
		 "add.s64 %rd3, %rd2, 8;\nst.global.u32 [%rd3+4], %r6;\nst.global.u32 [%rd2+4], %r7;\n",
			NULL, 0},
		{".loc 1 5 0\n" LOAD GOOD SPREAD
		 "mul.lo.u64 %rd3, %rd2, 1;\nst.global.u32 [%rd3+4], %r6;\nst.global.u32 [%rd2], %r7;\n",
			"stores " FROM, 0},
		/* A byte with a bit that is known counts as known. */
		{LOAD "and.b32 %r7, %r6, 0xFFFFFFFE;\nst.local.u32 [l], %r7;\nld.local.u8 %r8, [l];\nadd.u32 %r8, %r8, 1;\n" OUT(
			 "%r8"),
			NULL, 0},
		{LOAD "and.b32 %r7, %r6, 0xFFFFFFFE;\nst.local.u32 [l], %r7;\nld.local.u8 %r8, [l+1];\nadd.u32 %r8, %r8, 1;\n" OUT(
			 "%r8"),
			RESULT, 0},
	};
	CHECK("", cases);
}

#define KEEP                                                                                                           \
	".func (.param .b32 back) keep(.param .b32 x)\n{\n.reg .b32 %q<3>;\n.local .align 4 .b8 v[8];\n"               \
	"ld.param.u32 %q0, [x];\nst.local.u32 [v], %q0;\nld.local.u32 %q1, [v];\nst.param.b32 [back], %q1;\nret;\n}\n" \
	".func (.reg .b32 back) plain(.reg .b32 x, .reg .b32 y)\n{\nmov.u32 back, x;\nret;\n}\n"                       \
	".func (.reg .b32 back) fresh()\n{\n.local .align 4 .b8 v[8];\nld.local.u32 back, [v];\nret;\n}\n"
#define CALL(r)                                                                                                        \
	"{\n.param .b32 x;\n.param .b32 back;\nst.param.b32 [x], " r                                                   \
	";\ncall (back), keep, (x);\nld.param.b32 %r8, [back];\n}\n"

static void calls_pass_them_on(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{LOAD CALL("%r6"), NULL, 0}, {LOAD CALL("%r6") OUT("%r8"), "stores " FROM, 0},
		{LOAD CALL("%r6") CALL("%r0") OUT("%r8"), NULL, 0}, /* the same frames again */
		{LOAD "call (%r8), plain, (%r6, %r0);\n" OUT("%r8"), "stores " FROM, 0},
		{LOAD "call (%r8), plain, (%r0, %r6);\n" OUT("%r8"), NULL, 0},
		{LOAD "mov.u32 %r8, %r6;\ncall (%r8), plain, (%r0, %r6);\n" OUT("%r8"), NULL, 0},
		{LOAD CALL("%r6") "call (%r8), fresh, ();\n" OUT("%r8"), NULL,
			0}, /* memory of frames counts as known */
	};
	CHECK(KEEP, cases);
}

#define PRINT                                                                                                          \
	"cvta.global.u64 %rd4, %rd3;\nmov.u64 %rd5, l;\ncvta.local.u64 %rd5, %rd5;\n"                                  \
	"{\n.param .b64 a;\n.param .b64 b;\n.param .b32 r;\nst.param.b64 [a], %rd4;\nst.param.b64 [b], %rd5;\n"        \
	"call (r), vprintf, (a, b);\nld.param.b32 %r9, [r];\n}\n"

static void what_is_printed_is_used(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{LOAD GOOD "mov.u64 %rd3, format;\nst.local.u32 [l], %r7;\n" PRINT, NULL, 0},
		{LOAD "mov.u64 %rd3, format;\nst.local.u32 [l], %r6;\nsetp.eq.u32 %p0, %r0, 0;\n@!%p0 exit;\n" PRINT,
			"prints " FROM, 1},
	};
	CHECK("", cases);
}

/* --- the launch --------------------------------------------------------------------------------------------------- */

static void the_load_is_the_other_side(void **state)
{
	(void)state;
	struct bench b;
	run(&b, "", LOAD "mov.u32 %r7, %r6;\n" OUT("%r7"));
	assert_int_equal(b.report.n, 1);
	assert_int_equal(b.defects[0].here.place.ptx_line - b.defects[0].other.place.ptx_line, 2);
	assert_true(b.defects[0].other.accesses);
	assert_int_equal(b.defects[0].other.op, ACCESS_LOAD);
	assert_int_equal(b.defects[0].space, SPACE_SHARED);
	assert_int_equal(b.defects[0].address, 128);
	assert_non_null(strstr(b.defects[0].message, " (loaded at "));
	done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_use_is_reported_once_and_a_copy_never),
		cmocka_unit_test(bits_are_followed),
		cmocka_unit_test(what_is_not_chosen_is_not_used),
		cmocka_unit_test(lanes_pass_them_on),
		cmocka_unit_test(memory_keeps_them),
		cmocka_unit_test(calls_pass_them_on),
		cmocka_unit_test(what_is_printed_is_used),
		cmocka_unit_test(the_load_is_the_other_side),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
