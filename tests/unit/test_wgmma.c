/* What wgmma demands, PTX ISA "Asynchronous Warpgroup Level Matrix Instructions": each kernel does one thing that the
 * manual calls undefined, and has a twin that does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "machine/simt/simt.h"

#define ROOM 8
#define BODY_MAX 4096

/* Fills shared memory, 1 KiB, with 1.0 in .f16; A is its first 2 KiB and B follows, 8 columns. */
static const char head[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
			   ".shared .align 128 .b8 s[4096];\n"
			   ".reg .pred %p, %q;\n.reg .b32 %t, %w, %x, %a<4>;\n.reg .f32 %d<8>, %f;\n"
			   ".reg .b64 %da, %db, %out;\n"
			   "ld.param.u64 %out, [p];\nmov.u32 %t, %tid.x;\nshr.u32 %w, %t, 5;\n"
			   "mul.lo.u32 %x, %t, 4;\nsetp.ne.u32 %q, %t, %t;\n"
			   "mov.u64 %da, 0x1000080000;\nmov.u64 %db, 0x1000080080;\n";

#define FILL                                                                                                           \
	"FILL: st.shared.b32 [%x], 0x3c003c00;\nadd.u32 %x, %x, 512;\nsetp.lt.u32 %p, %x, 4096;\n@%p bra FILL;\n"      \
	"mul.lo.u32 %x, %t, 4;\n"
#define FILLED FILL "fence.proxy.async;\nbar.sync 0;\n"
#define MULTIPLY_BY(b)                                                                                                 \
	"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, " b ", %q, 1, 1, 0, 0;\n"
#define MULTIPLY MULTIPLY_BY("%db")
#define MULTIPLY_A                                                                                                     \
	"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, %db, %q, 1, "   \
	"1, 0;\n"
#define MULTIPLY_WIDE                                                                                                  \
	"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5, %d6, %d7}, %da, %db, %q, "  \
	"1, 1, 0, 0;\n"
#define FENCE "wgmma.fence.sync.aligned;\n"
#define COMMIT "wgmma.commit_group.sync.aligned;\n"
#define WAIT(n) "wgmma.wait_group.sync.aligned " #n ";\n"
#define USE "add.f32 %f, %d0, %d1;\n"

static const struct {
	const char *name, *body;
	uint32_t threads;
	enum simt_defect_kind kind; /* NONE: it is right */
	const char *message;
} kernels[] = {
	{"right", FILLED FENCE MULTIPLY COMMIT WAIT(0) USE, 128, SIMT_DEFECT_NONE, ""},
	{"two groups of warps", FILLED FENCE MULTIPLY COMMIT WAIT(0) USE, 256, SIMT_DEFECT_NONE, ""},
	{"products in a row", FILLED FENCE MULTIPLY MULTIPLY COMMIT WAIT(0) USE FENCE MULTIPLY COMMIT WAIT(0), 128,
		SIMT_DEFECT_NONE, ""},
	{"no fence", FILLED MULTIPLY COMMIT WAIT(0) USE, 128, SIMT_BAD_PRODUCT, "no wgmma.fence is before the first"},
	{"used since the fence", FILLED FENCE MULTIPLY COMMIT WAIT(0) USE MULTIPLY COMMIT WAIT(0), 128,
		SIMT_BAD_PRODUCT, "another one is missing"},
	{"A written after the fence", FILLED FENCE "mov.b32 %a2, 0;\n" MULTIPLY_A COMMIT WAIT(0), 128, SIMT_BAD_PRODUCT,
		"another one is missing"},
	{"A written before the fence", FILLED "mov.b32 %a2, 0;\n" FENCE MULTIPLY_A COMMIT WAIT(0), 128,
		SIMT_DEFECT_NONE, ""},
	{"other shape", FILLED FENCE MULTIPLY MULTIPLY_WIDE COMMIT WAIT(0), 128, SIMT_BAD_PRODUCT,
		"another one is missing"},
	{"other shape, fence", FILLED FENCE MULTIPLY FENCE MULTIPLY_WIDE COMMIT WAIT(0), 128, SIMT_DEFECT_NONE, ""},
	{"no wait", FILLED FENCE MULTIPLY COMMIT USE, 128, SIMT_BAD_PRODUCT, "no wgmma.wait_group has waited"},
	{"A overwritten before the wait", FILLED FENCE MULTIPLY_A COMMIT "mov.b32 %a1, %t;\n" WAIT(0), 128,
		SIMT_BAD_PRODUCT, "no wgmma.wait_group has waited"},
	{"not committed", FILLED FENCE MULTIPLY WAIT(0) USE, 128, SIMT_BAD_PRODUCT, "no wgmma.wait_group has waited"},
	{"one group left", FILLED FENCE MULTIPLY COMMIT WAIT(1) USE, 128, SIMT_BAD_PRODUCT,
		"no wgmma.wait_group has waited"},
	{"another group left", FILLED FENCE MULTIPLY COMMIT COMMIT WAIT(1) USE, 128, SIMT_DEFECT_NONE, ""},
	{"three warps", FILLED FENCE MULTIPLY COMMIT WAIT(0), 96, SIMT_BAD_PRODUCT, "all 128 threads of a warpgroup"},
	{"one warp less", FILLED "setp.eq.u32 %p, %w, 3;\n@%p ret;\n" FENCE MULTIPLY COMMIT WAIT(0), 128,
		SIMT_BAD_PRODUCT, "warp 3 of the warpgroup ended"},
	{"half a warp", FILLED "and.b32 %x, %t, 1;\nsetp.eq.u32 %p, %x, 1;\n@%p ret;\n" FENCE, 128, SIMT_BAD_PRODUCT,
		"all 128 threads of a warpgroup"},
	{"another instruction",
		FILLED FENCE "setp.eq.u32 %p, %w, 2;\n@%p bra TWO;\n" MULTIPLY "bra END;\nTWO:\n" MULTIPLY
			     "END:\n" COMMIT WAIT(0),
		128, SIMT_BAD_PRODUCT, "warp 2 of the warpgroup comes here where another one executed"},
	{"other descriptors", FILLED "setp.eq.u32 %p, %w, 1;\n@%p add.u64 %db, %db, 8;\n" FENCE MULTIPLY COMMIT WAIT(0),
		128, SIMT_BAD_PRODUCT, "warp 1 of the warpgroup has other descriptors"},
	{"lanes with other descriptors",
		FILLED "setp.eq.u32 %p, %t, 5;\n@%p add.u64 %db, %db, 8;\n" FENCE MULTIPLY COMMIT WAIT(0), 128,
		SIMT_BAD_PRODUCT, "other descriptors than lane 0"},
	{"out of bounds", FILLED "add.u64 %db, %db, 0x100;\n" FENCE MULTIPLY COMMIT WAIT(0), 128, SIMT_OUT_OF_BOUNDS,
		"load from shared memory"},
	{"no proxy fence", FILL "bar.sync 0;\n" FENCE MULTIPLY COMMIT WAIT(0), 128, SIMT_RACE, "fence.proxy.async"},
	{"no barrier", FILL "fence.proxy.async;\n" FENCE MULTIPLY COMMIT WAIT(0), 128, SIMT_RACE,
		"nothing orders the two"},
	{"stored before the wait", FILLED FENCE MULTIPLY COMMIT "bar.sync 0;\nst.shared.b32 [%x], 0;\n" WAIT(0), 128,
		SIMT_RACE, "wgmma.wait_group is missing"},
	{"stored after the wait", FILLED FENCE MULTIPLY COMMIT WAIT(0) "bar.sync 0;\nst.shared.b32 [%x], 0;\n", 128,
		SIMT_DEFECT_NONE, ""},
	{"not initialized", "fence.proxy.async;\n" FENCE MULTIPLY COMMIT WAIT(0), 128, SIMT_UNINITIALIZED,
		"uninitialized shared memory"},
};

static void run_kernel(struct arena *arena, const char *body, uint32_t threads, struct simt_report *report)
{
	struct diag diag = {0};
	struct simt_memory *memory = simt_memory_new(1 << 20);
	struct simt_result result;
	uint64_t buffer = simt_memory_alloc(memory, 64);
	char text[BODY_MAX];
	snprintf(text, sizeof text, "%s%sret;\n}\n", head, body);
	struct ptx_module *m = ptx_parse(arena, "t.ptx", text, strlen(text), &diag);
	if (diag.count)
		fprintf(stderr, "# %d:%d %s\n", diag.entries[0].line, diag.entries[0].col, diag.entries[0].message);
	assert_non_null(m);
	const struct simt_launch launch = {.kernel = ptx_find_kernel(m, "k", &diag),
		.grid = {1, 1, 1},
		.block = {threads, 1, 1},
		.params = &buffer,
		.limits.steps = 100000,
		.checks = SIMT_CHECK_ALL,
		.report = report};
	simt_run(&launch, memory, &result);
	if (!report->n && result.outcome != SIMT_OK)
		fprintf(stderr, "# %s\n", result.message);
	assert_true(report->n || result.outcome == SIMT_OK);
	simt_memory_free(memory);
}

static void what_is_undefined_is_a_defect(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
		struct arena *arena = arena_new();
		struct simt_defect defects[ROOM];
		struct simt_report report = {.defects = defects, .cap = ROOM};
		bool found = false;
		run_kernel(arena, kernels[i].body, kernels[i].threads, &report);
		for (uint32_t k = 0; k < report.n; k++)
			found |= defects[k].kind == kernels[i].kind && strstr(defects[k].message, kernels[i].message);
		bool right = kernels[i].kind ? found : !report.n;
		if (!right)
			fprintf(stderr, "# %s: %u found, the first: %s\n", kernels[i].name, report.n,
				report.n ? defects[0].message : "none");
		assert_true(right);
		arena_free(arena);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_undefined_is_a_defect)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
