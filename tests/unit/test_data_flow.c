/* Which stores may write what data can change: machine/simt/data_flow.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/memory_order.h"

#define PARTS                                                                                                          \
	".global .u32 cell;\n.const .u32 fixed = 3;\n"                                                                 \
	".func (.reg .b32 back) same(.reg .b32 x)\n{\nmov.u32 back, x;\nret;\n}\n"                                     \
	".func put(.reg .b64 to, .reg .b32 x)\n{\nst.global.u32 [to], x;\nret;\n}\n"

/* For each store of the kernel to global memory 'd', where data can change it, or '-'; then those of its functions. */
static void find(const char *body, char out[16])
{
	struct buf text = {0};
	struct diag diag = {0};
	struct arena *arena = arena_new();
	size_t n = 0;
	buf_printf(&text,
		".version 8.0\n.target sm_80\n.address_size 64\n" PARTS
		".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .pred %%p<4>;\n.reg .b32 %%r<16>;\n"
		".reg .b64 %%rd<8>;\n.shared .align 16 .b8 s[64];\n.local .align 16 .b8 l[64];\n"
		"ld.param.u64 %%rd0, [p];\nld.param.u32 %%r1, [n];\nmov.u32 %%r0, %%tid.x;\n%s\nret;\n}\n",
		body);
	struct ptx_module *m = ptx_parse(arena, "t.ptx", buf_str(&text), text.len, &diag);
	if (diag.count)
		fail_msg("%d: %s", diag.entries[0].line, diag.entries[0].message);
	const struct ptx_kernel *kernel = ptx_find_kernel(m, "k", &diag);
	const struct race_order *order = simt_memory_order(arena, kernel, false);
	for (int i = 0; i < kernel->n_parts; i++) {
		const struct ptx_kernel *code = kernel->parts[i].code;
		for (int k = 0; k < code->n_instrs && n < 15; k++)
			if (instr_kind(code->instrs[k].form) == PTX_KIND_STORE &&
				ptx_form_space(code->instrs[k].form) == SPACE_GLOBAL)
				out[n++] = order[kernel->parts[i].first + k].stores_data ? 'd' : '-';
	}
	out[n] = '\0';
	buf_free(&text);
	diag_free(&diag);
	arena_free(arena);
}

struct flow_case {
	const char *body, *stores;
};

static void check(const struct flow_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char stores[16];
		find(cases[i].body, stores);
		if (strcmp(stores, cases[i].stores) != 0)
			fail_msg("%s: %s, not %s", cases[i].body, stores, cases[i].stores);
	}
}
#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

#define OUT(r) "st.global.u32 [%rd0], " r ";\n"

static void constants_parameters_and_indices_are_no_data(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{OUT("7"), "-"},
		{OUT("%r0"), "-"},
		{OUT("%r1"), "-"},
		{"mad.lo.u32 %r2, %r0, 4, %r1;\n" OUT("%r2"), "-"},
		{"ld.const.u32 %r2, [fixed];\n" OUT("%r2"), "-"},
		{"mov.u32 %r2, %clock;\n" OUT("%r2"), "-"},
	};
	CHECK(cases);
}

static void what_is_loaded_is_data_and_so_is_what_is_made_of_it(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{"ld.global.u32 %r2, [%rd0];\n" OUT("%r2"), "d"},
		{"ld.shared.u32 %r2, [s];\n" OUT("%r2"), "d"},
		{"ld.u32 %r2, [%rd0];\n" OUT("%r2"), "d"},
		{"atom.global.add.u32 %r2, [%rd0], 1;\n" OUT("%r2"), "d"},
		{"ld.global.u32 %r2, [%rd0];\nadd.u32 %r3, %r2, 1;\nxor.b32 %r4, %r3, %r0;\n" OUT("%r4") OUT("%r0"),
			"d-"},
		{"ld.global.u32 %r2, [%rd0];\nsetp.gt.u32 %p0, %r2, 1;\nselp.u32 %r3, 4, 5, %p0;\n" OUT("%r3"), "d"},
		/* Which branch is taken says nothing of a value; an address does not, either. */
		{"ld.global.u32 %r2, [%rd0];\nsetp.gt.u32 %p0, %r2, 1;\n@%p0 bra L;\n" OUT("1") "L:", "-"},
		{"ld.global.u64 %rd1, [%rd0];\nst.global.u32 [%rd1], 1;\n", "-"},
		{"ld.global.u64 %rd1, [%rd0];\nst.global.u64 [%rd0], %rd1;\n", "d"},
	};
	CHECK(cases);
}

static void what_was_put_there_last_counts(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{"ld.global.u32 %r2, [%rd0];\nmov.u32 %r2, 3;\n" OUT("%r2"), "-"},
		{OUT("%r2") "ld.global.u32 %r2, [%rd0];\n", "d"}, /* what comes before is not known */
		/* A guarded move may leave what was there. */
		{"ld.global.u32 %r2, [%rd0];\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mov.u32 %r2, 3;\n" OUT("%r2"), "d"},
		{"mov.u32 %r2, 1;\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mov.u32 %r2, 3;\n" OUT("%r2"), "-"},
		/* From another basic block anything that is put there may come; also around a loop. */
		{"ld.global.u32 %r2, [%rd0];\nmov.u32 %r2, 3;\nbra L;\nL:\n" OUT("%r2"), "d"},
		{"mov.u32 %r2, 0;\nmov.u32 %r3, 0;\nL:\n" OUT("%r2") "mov.u32 %r2, %r3;\nld.global.u32 %r3, [%rd0];\n"
								     "setp.eq.u32 %p0, %r0, 0;\n@%p0 bra L;\n",
			"d"},
	};
	CHECK(cases);
}

static void local_memory_is_one_thing(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{"st.local.u32 [l], %r0;\nld.local.u32 %r2, [l];\n" OUT("%r2"), "-"},
		{"ld.global.u32 %r2, [%rd0];\nst.local.u32 [l], %r2;\nld.local.u32 %r3, [l+8];\n" OUT("%r3"), "d"},
		{"ld.global.u32 %r2, [%rd0];\nmov.u64 %rd1, l;\ncvta.local.u64 %rd2, %rd1;\nst.u32 [%rd2], %r2;\n"
		 "ld.local.u32 %r3, [l];\n" OUT("%r3"),
			"d"},
		{"st.local.u32 [l], %r0;\nmov.u64 %rd1, l;\ncvta.local.u64 %rd2, %rd1;\nld.u32 %r3, [%rd2];\n" OUT(
			 "%r3"),
			"-"},
	};
	CHECK(cases);
}

static void functions_pass_it_on(void **state)
{
	(void)state;
	static const struct flow_case cases[] = {
		{"call (%r2), same, (%r0);\n" OUT("%r2"), "-"},
		{"ld.global.u32 %r2, [%rd0];\ncall (%r3), same, (%r2);\n" OUT("%r3"), "d"},
		{"call put, (%rd0, %r0);\n", "-"},
		{"ld.global.u32 %r2, [%rd0];\ncall put, (%rd0, %r2);\n", "d"},
		/* What functions pass is one thing: data of one call may be that of another. */
		{"ld.global.u32 %r2, [%rd0];\ncall put, (%rd0, %r2);\ncall (%r3), same, (%r0);\n" OUT("%r3"), "dd"},
	};
	CHECK(cases);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constants_parameters_and_indices_are_no_data),
		cmocka_unit_test(what_is_loaded_is_data_and_so_is_what_is_made_of_it),
		cmocka_unit_test(what_was_put_there_last_counts),
		cmocka_unit_test(local_memory_is_one_thing),
		cmocka_unit_test(functions_pass_it_on),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
