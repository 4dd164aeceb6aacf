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
#include "machine/simt/memory_order.h"

/* A kernel with this body. */
static const struct ptx_kernel *kernel_of(struct arena *arena, const char *body)
{
	struct buf text = {0};
	struct diag diag = {0};
	buf_printf(&text,
		".version 8.2\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
		".reg .b32 %%r<9>;\n.reg .b64 %%d<9>;\n.reg .f32 %%f<9>;\n.reg .pred %%p;\n.shared .align 16 .b8 s[64];\n%s\nret;\n}\n",
		body);
	struct ptx_module *module = ptx_parse(arena, "test.ptx", buf_str(&text), text.len, &diag);
	assert_non_null(module);
	const struct ptx_kernel *kernel = ptx_find_kernel(module, "k", &diag);
	assert_non_null(kernel);
	buf_free(&text);
	diag_free(&diag);
	return kernel;
}

/* What its instructions mean to the order of memory. */
static const struct race_order *orders_of(struct arena *arena, const char *body)
{
	return simt_memory_order(arena, kernel_of(arena, body), false);
}

static void qualifiers_say_what_orders(void **state)
{
	static const struct {
		const char *instr;
		bool strong, releases, acquires, is_fence;
		enum race_scope scope;
	} cases[] = {
		{"ld.global.u32 %r1, [%d1];", false, false, false, false, RACE_SCOPE_GPU},
		{"ld.weak.global.u32 %r1, [%d1];", false, false, false, false, RACE_SCOPE_GPU},
		{"ld.volatile.global.u32 %r1, [%d1];", true, false, false, false, RACE_SCOPE_GPU},
		{"ld.relaxed.cta.global.u32 %r1, [%d1];", true, false, false, false, RACE_SCOPE_CTA},
		{"ld.acquire.gpu.global.u32 %r1, [%d1];", true, false, true, false, RACE_SCOPE_GPU},
		{"st.release.sys.global.u32 [%d1], %r1;", true, true, false, false, RACE_SCOPE_GPU},
		{"atom.global.add.u32 %r1, [%d1], 1;", true, false, false, false, RACE_SCOPE_GPU},
		{"atom.acq_rel.cta.global.add.u32 %r1, [%d1], 1;", true, true, true, false, RACE_SCOPE_CTA},
		{"red.global.v2.f32.add [%d1], {%f1, %f2};", true, false, false, false, RACE_SCOPE_GPU},
		{"membar.cta;", false, false, false, true, RACE_SCOPE_CTA},
		{"fence.acq_rel.gpu;", false, false, false, true, RACE_SCOPE_GPU},
		{"fence.proxy.async;", false, false, false, false, RACE_SCOPE_CTA},
		{"mbarrier.init.shared.b64 [s], 1;", false, false, false, false, RACE_SCOPE_CTA},
		{"mbarrier.arrive.shared.b64 %d2, [s];", true, true, false, false, RACE_SCOPE_CTA},
		{"mbarrier.expect_tx.relaxed.cta.shared.b64 [s], 4;", true, false, false, false, RACE_SCOPE_CTA},
		{"mbarrier.arrive.expect_tx.shared.b64 %d2, [s], 4;", true, true, false, false, RACE_SCOPE_CTA},
		{"mbarrier.test_wait.relaxed.cta.shared.b64 %p, [s], %d2;", true, false, false, false, RACE_SCOPE_CTA},
		{"mbarrier.test_wait.shared.b64 %p, [s], %d2;", true, false, true, false, RACE_SCOPE_CTA},
		{"mbarrier.inval.shared.b64 [s];", true, false, false, false, RACE_SCOPE_CTA},
		{"mbarrier.pending_count.b64 %r1, %d2;", false, false, false, false, RACE_SCOPE_CTA},
		{"cp.async.mbarrier.arrive.shared.b64 [s];", true, true, false, false, RACE_SCOPE_CTA},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		const struct race_order *order = orders_of(arena, cases[i].instr);
		print_message("%s\n", cases[i].instr);
		assert_int_equal(order->strong, cases[i].strong);
		assert_int_equal(order->releases, cases[i].releases);
		assert_int_equal(order->acquires, cases[i].acquires);
		assert_int_equal(order->is_fence, cases[i].is_fence);
		if (order->strong || order->is_fence)
			assert_int_equal(order->scope, cases[i].scope);
		arena_free(arena);
	}
}

/* Where blocks form clusters; an mbarrier's scope that is not written is its cluster. */
static void clusters_are_a_scope_of_their_own(void **state)
{
	static const struct {
		const char *instr;
		enum race_scope alone, in_cluster;
	} cases[] = {
		{"ld.relaxed.cluster.global.u32 %r1, [%d1];", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"st.release.cta.global.u32 [%d1], %r1;", RACE_SCOPE_CTA, RACE_SCOPE_CTA},
		{"atom.acquire.cluster.global.add.u32 %r1, [%d1], 1;", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"atom.global.add.u32 %r1, [%d1], 1;", RACE_SCOPE_GPU, RACE_SCOPE_GPU},
		{"fence.acq_rel.cluster;", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"fence.sc.gpu;", RACE_SCOPE_GPU, RACE_SCOPE_GPU},
		{"fence.mbarrier_init.release.cluster;", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"mbarrier.arrive.shared.b64 %d2, [s];", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"mbarrier.arrive.release.cta.shared.b64 %d2, [s];", RACE_SCOPE_CTA, RACE_SCOPE_CTA},
		{"mbarrier.arrive.release.cluster.shared.b64 %d2, [s];", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"mbarrier.test_wait.shared.b64 %p, [s], %d2;", RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
		{"mbarrier.test_wait.acquire.cta.shared.b64 %p, [s], %d2;", RACE_SCOPE_CTA, RACE_SCOPE_CTA},
		{"red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [s], %r1, [s];",
			RACE_SCOPE_CTA, RACE_SCOPE_CLUSTER},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		const struct ptx_kernel *kernel = kernel_of(arena, cases[i].instr);
		struct race_order *order = simt_memory_order(arena, kernel, false);
		print_message("%s\n", cases[i].instr);
		assert_true(order->strong || order->is_fence);
		assert_int_equal(order->scope, cases[i].alone);
		simt_memory_order_clusters(order, kernel);
		assert_int_equal(order->scope, cases[i].in_cluster);
		arena_free(arena);
	}
}

/* A loop that loads a flag until it is set, with something else in it. */
static void a_loop_that_does_more_does_not_only_wait(void **state)
{
	static const struct {
		const char *more;
		bool spins;
	} cases[] = {
		{"", true},
		{"add.u32 %r2, %r2, 1;", true},
		{"st.global.u32 [%d2], %r2;", false},
		{"red.global.add.u32 [%d2], 1;", false},
		{"red.global.v2.f32.add [%d2], {%f1, %f2};", false},
		{"atom.global.v2.f32.add {%f3, %f4}, [%d2], {%f1, %f2};", false},
		{"add.u64 %d1, %d1, 4;", false},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena *arena = arena_new();
		struct buf body = {0};
		buf_printf(&body,
			"again:\nld.relaxed.gpu.global.u32 %%r1, [%%d1];\n%s\n"
			"setp.eq.u32 %%p, %%r1, 0;\n@%%p bra again;\n",
			cases[i].more);
		print_message("%s\n", cases[i].more);
		assert_int_equal(orders_of(arena, buf_str(&body))->spins, cases[i].spins);
		buf_free(&body);
		arena_free(arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(qualifiers_say_what_orders),
		cmocka_unit_test(clusters_are_a_scope_of_their_own),
		cmocka_unit_test(a_loop_that_does_more_does_not_only_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
