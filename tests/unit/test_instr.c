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

/* A kernel of one instruction, and of what follows it. */
struct parsed_one {
	struct arena *arena;
	const struct ptx_kernel *kernel;
	const struct ptx_instr *instr;
};

static struct parsed_one parse_one(const char *text)
{
	struct parsed_one one = {.arena = arena_new()};
	struct buf ptx = {0};
	struct diag diag = {0};
	buf_printf(&ptx,
		".version 8.2\n.target sm_90\n.address_size 64\n.func (.reg .b32 fr) f(.reg .b32 fa)\n{\nmov.u32 fr, fa;\nret;\n}\n.visible .entry k()\n{\n"
		".reg .b32 %%r<9>;\n.reg .b64 %%d<9>;\n.reg .f32 %%f<9>;\n.reg .pred %%p<4>;\n"
		"end:\n%s\nst.global.u32 [%%d0], %%r0;\nret;\n}\n",
		text);
	struct ptx_module *module = ptx_parse(one.arena, "test.ptx", buf_str(&ptx), ptx.len, &diag);
	one.kernel = module ? ptx_find_kernel(module, "k", &diag) : NULL;
	if (!one.kernel)
		fail_msg("%s: %s", text, diag.count ? diag.entries[0].message : "no kernel");
	one.instr = one.kernel->instrs;
	buf_free(&ptx);
	diag_free(&diag);
	return one;
}

/* The old value of an atomic is unused when its register is named nowhere else. */
static void hardware_counts_an_access_as(void **state)
{
	static const struct {
		const char *text;
		uint8_t shared, other;
	} cases[] = {
		{"red.global.add.u32 [%d0], %r1;", ACCESS_REDUCE, ACCESS_REDUCE},
		{"red.shared.add.u32 [%r2], 1;", ACCESS_COUNT, ACCESS_REDUCE},
		{"atom.global.add.u32 %r2, [%d0], %r1;", ACCESS_REDUCE, ACCESS_REDUCE},
		{"atom.global.add.u32 _, [%d0], %r1;", ACCESS_REDUCE, ACCESS_REDUCE},
		{"atom.global.add.u32 %r0, [%d0], %r1;", ACCESS_ATOMIC, ACCESS_ATOMIC},
		{"atom.global.add.u32 %r1, [%d0], %r1;", ACCESS_ATOMIC, ACCESS_ATOMIC},
		{"atom.global.exch.b32 %r2, [%d0], %r1;", ACCESS_EXCHANGE, ACCESS_ATOMIC},
		{"atom.global.cas.b32 %r2, [%d0], %r1, 0;", ACCESS_CAS, ACCESS_ATOMIC},
		{"atom.global.add.f32 %f0, [%d0], %f1;", ACCESS_ADD_FLOAT, ACCESS_REDUCE},
		{"red.global.v2.f32.add [%d0], {%f1, %f2};", ACCESS_ATOMIC, ACCESS_REDUCE},
		{"cp.async.ca.shared.global [%r1], [%d0], 4;", INSTR_UNSEEN, ACCESS_COPY},
		{"cp.async.cg.shared.global [%r1], [%d0], 16;", INSTR_UNSEEN, ACCESS_COPY_BYPASS},
		{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", ACCESS_LOAD_MATRIX, INSTR_PLAIN},
		{"ld.global.u32 %r2, [%d0];", INSTR_PLAIN, INSTR_PLAIN},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed_one one = parse_one(cases[i].text);
		struct instr_counted counted = instr_counted_as(one.kernel, 0);
		if (counted.shared != cases[i].shared || counted.other != cases[i].other)
			fail_msg("%s: %d, %d", cases[i].text, counted.shared, counted.other);
		arena_free(one.arena);
	}
}

static void accesses_have_operand_space_and_width(void **state)
{
	static const struct {
		const char *text;
		int n;
		struct instr_access first;
		bool memory;
	} cases[] = {
		{"ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1];", 1, {ACCESS_LOAD, SPACE_SHARED, 1, 16, WARP_FULL_MASK},
			true},
		{"st.u8 [%d1], %r1;", 1, {ACCESS_STORE, SPACE_GENERIC, 0, 1, WARP_FULL_MASK}, true},
		{"red.global.v2.f32.add [%d0], {%f1, %f2};", 1, {ACCESS_ATOMIC, SPACE_GLOBAL, 0, 8, WARP_FULL_MASK},
			true},
		{"atom.shared.add.u64 %d1, [%r1], %d2;", 1, {ACCESS_ATOMIC, SPACE_SHARED, 1, 8, WARP_FULL_MASK}, true},
		{"cp.async.cg.shared.global [%r1], [%d0], 16;", 2, {ACCESS_LOAD, SPACE_GLOBAL, 1, 16, WARP_FULL_MASK},
			true},
		{"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r3}, [%r2];", 1,
			{ACCESS_LOAD, SPACE_SHARED, 1, 16, 0xFFFF}, true},
		{"mbarrier.arrive.shared.b64 %d1, [%r1];", 1, {ACCESS_ATOMIC, SPACE_SHARED, 1, 8, WARP_FULL_MASK},
			true},
		{"mbarrier.test_wait.shared.b64 %p1, [%r1], %d1;", 0, {0}, true},
		{"cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 16;", 0, {0}, true},
		{"prefetch.global.L2 [%d1];", 0, {0}, false},
		{"add.u32 %r1, %r2, %r3;", 0, {0}, false},
		{"fence.acq_rel.gpu;", 0, {0}, false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed_one one = parse_one(cases[i].text);
		struct instr_access accesses[INSTR_ACCESSES_MAX];
		const struct instr_access *e = &cases[i].first;
		print_message("%s\n", cases[i].text);
		assert_int_equal(instr_accesses(one.instr, accesses), cases[i].n);
		assert_int_equal(instr_accesses_memory(one.instr->form), cases[i].memory);
		if (cases[i].n) {
			assert_int_equal(accesses->op, e->op);
			assert_int_equal(accesses->space, e->space);
			assert_int_equal(accesses->operand, e->operand);
			assert_int_equal(accesses->width, e->width);
			assert_int_equal(accesses->lanes, e->lanes);
		}
		arena_free(one.arena);
	}
}

struct register_names {
	const struct ptx_kernel *kernel;
	struct buf written, read;
};

static void note_register(void *ctx, int32_t reg, enum instr_use use)
{
	struct register_names *names = ctx;
	buf_printf(use == INSTR_WRITES ? &names->written : &names->read, " %s", names->kernel->regs[reg].name);
}

static void definitions_and_uses_are_those_of_the_operands(void **state)
{
	static const struct {
		const char *text, *written, *read;
	} cases[] = {
		{"add.u32 %r1, %r2, %r2;", " %r1", " %r2 %r2"},
		{"@%p1 mov.u32 %r1, 5;", " %r1", " %p1"},
		{"setp.lt.and.u32 %p1|%p2, %r1, %r2, !%p3;", " %p1 %p2", " %r1 %r2 %p3"},
		{"ld.global.v2.u32 {%r1, %r2}, [%d1+8];", " %r1 %r2", " %d1"},
		{"st.global.v2.u32 [%d1], {%r1, %r2};", "", " %d1 %r1 %r2"},
		{"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, 31, -1;", " %r1 %p1", " %r2 %r3"},
		{"atom.global.add.u32 _, [%d1], %r1;", "", " %d1 %r1"},
		{"call (%r1), f, (%r2);", " %r1", " %r2"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed_one one = parse_one(cases[i].text);
		struct register_names names = {.kernel = one.kernel};
		instr_each_register(one.instr, note_register, &names);
		assert_string_equal(buf_str(&names.written), cases[i].written);
		assert_string_equal(buf_str(&names.read), cases[i].read);
		buf_free(&names.written);
		buf_free(&names.read);
		arena_free(one.arena);
	}
}

static void control_flow_is_known(void **state)
{
	static const struct {
		const char *text;
		bool branches, ends_block, ends_thread, barrier;
		int members;
	} cases[] = {
		{"bra end;", true, true, false, false, -1},
		{"ret;", false, true, true, false, -1},
		{"exit;", false, true, true, false, -1},
		{"trap;", false, true, false, false, -1},
		{"bar.sync 0;", false, false, false, true, -1},
		{"barrier.arrive 1, 64;", false, false, false, true, -1},
		{"barrier.cluster.wait;", false, false, false, false, -1},
		{"bar.warp.sync -1;", false, false, false, false, 0},
		{"shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;", false, false, false, false, 4},
		{"add.u32 %r1, %r2, %r3;", false, false, false, false, -1},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed_one one = parse_one(cases[i].text);
		const struct ptx_form *form = one.instr->form;
		print_message("%s\n", cases[i].text);
		assert_int_equal(instr_is_branch(form), cases[i].branches);
		assert_int_equal(instr_ends_block(form), cases[i].ends_block);
		assert_int_equal(instr_ends_thread(one.kernel, form), cases[i].ends_thread);
		assert_int_equal(instr_is_barrier(form), cases[i].barrier);
		assert_int_equal(instr_members(form), cases[i].members);
		arena_free(one.arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(hardware_counts_an_access_as),
		cmocka_unit_test(accesses_have_operand_space_and_width),
		cmocka_unit_test(definitions_and_uses_are_those_of_the_operands),
		cmocka_unit_test(control_flow_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
