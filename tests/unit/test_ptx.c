#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"

#define HEAD ".version 6.3\n.target sm_75\n.address_size 64\n"
#define KERNEL(body) HEAD ".visible .entry k(.param .u64 out, .param .u32 n)\n{\n" body "\n}\n"

#define KERNEL_ONLY(body) ".visible .entry k(.param .u64 out)\n{\n" body "\n}\n"
#define FUNCS HEAD ".func (.param .b32 r) f(.param .b32 a);\n"

struct parsed {
	struct arena *arena;
	struct diag diag;
	struct ptx_module *module;
};

static struct parsed parse(const char *text)
{
	struct parsed p = {.arena = arena_new()};
	p.module = ptx_parse(p.arena, "t.ptx", text, strlen(text), &p.diag);
	return p;
}

static void done(struct parsed *p)
{
	diag_free(&p->diag);
	arena_free(p->arena);
}

static const struct ptx_kernel *kernel(struct parsed *p)
{
	if (p->diag.count)
		fprintf(stderr, "# %d:%d %s\n", p->diag.entries[0].line, p->diag.entries[0].col,
			p->diag.entries[0].message);
	assert_non_null(p->module);
	const struct ptx_kernel *k = ptx_find_kernel(p->module, NULL, &p->diag);
	assert_non_null(k);
	return k;
}

/* --- diagnostics -------------------------------------------------------------------------------------------------- */

static void faults_name_their_place(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int line, col;
		const char *says;
	} cases[] = {
		{"", 1, 1, "begins with .version"},
		{"hello", 1, 1, "begins with .version"},
		{".version 6.3\n.address_size 32\n", 2, 15, "64 bits"},
		{HEAD ".visible .entry k()\n{\n\tret;\n", 6, 2, "does not end"},
		{KERNEL(".reg .b32 %r<4>;\nadd.s32 %r1, %r2, %r9;"), 7, 19, "%r9 is not declared"},
		{KERNEL(".reg .b32 %r<4>;\nadd.s32 %r1, %r2;"), 7, 17, "',' expected"},
		{KERNEL(".reg .b32 %r<4>;\nadd.s32 %r1, %r2, %r3, %r1;"), 7, 22, "';' expected"},
		{KERNEL(".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nadd.s64 %rd1, %rd2, %r1;"), 8, 21, ".b32 register; .s64"},
		{KERNEL(".reg .f32 %f<4>;\nadd.f32 %f1, %f2, 1;"), 7, 19, "integer constant does not fit .f32"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, 4/(2-2);"), 7, 15, "this divides by zero"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, -4%(1.5<1.0);"), 7, 16, "this divides by zero"},
		{KERNEL(".reg .f64 %f<4>;\nmov.f64 %f1, 1.5+2;"), 7, 17, "a float and an integer do not go together"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, ~1.5;"), 7, 14, "a float constant does not take this operator"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, (1;"), 7, 16, "')' expected"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, ((((((((((((((((((((((((((((((((((((((((((((((((((((1;"), 7, 65,
			"this constant is nested deeper than 50"},
		{KERNEL(".reg .f32 %f<4>;\nmov.f32 %f1, %f2+1;"), 7, 17, "a number is added to whole numbers only"},
		{KERNEL(".reg .b32 %r<4>;\nvadd.s32.s32.s32 %r1.h2, %r2, %r3, %r3;"), 7, 21,
			"does not have the part .h2"},
		{KERNEL(".reg .b32 %r<4>;\nvadd2.s32.s32.s32 %r1.h01, %r2, %r3, %r3;"), 7, 22,
			"does not have the part .h01"},
		{KERNEL(".reg .b32 %r<4>;\nvadd4.s32.s32.s32 %r1, %r2.b3218, %r3, %r3;"), 7, 27, "the part .b3218"},
		{KERNEL(".reg .b32 %r<4>;\nvadd.s32.s32.s32.add %r1, %r2, %r3;"), 7, 1, "c is missing"},
		{KERNEL(".reg .b32 %r<4>;\nvadd.s32.s32.s32.add %r1.b0, %r2, %r3, %r3;"), 7, 1, "or goes into a part"},
		{KERNEL(".reg .b32 %r<4>;\nvmad.s32.s32.s32.po %r1, -%r2, %r3, %r3;"), 7, 1,
			"nothing is negated with .po"},
		{KERNEL(".reg .b32 %r<4>;\nvmad.s32.s32.s32 %r1, -%r2, %r3, -%r3;"), 7, 1, "either the product or c"},
		{KERNEL(".reg .b32 %r<4>;\nmov.u32 %r1, %r2+1.5;"), 7, 18, "this has to be a whole number"},
		{KERNEL(".reg .b32 %r<4>;\n.reg .b64 %d;\nld.u32 {%r1,%r2}, [%d];"), 8, 8,
			"a vector of 2 does not fit"},
		{KERNEL(".reg .v4 .b32 %v;\nmov.v2.b32 %v, %v;"), 7, 12, "a vector of 4 .b32 does not fit"},
		{KERNEL(".reg .v4 .b32 %v;\nmov.v4.b32 %v, %laneid;"), 7, 16, "a vector in braces"},
		{".version 8.0\n.global .u8 a[2] = {0xff(a), 0xf0(a)};\n", 2, 30,
			"a mask picks one byte of an address"},
		{".version 8.0\n.global .u16 a[2] = {0xff(a)};\n", 2, 22, "a mask picks one byte of an address"},
		{KERNEL(".reg .b32 %r<4>;\nadd.s32 %r1, %r2, 1.5;"), 7, 19, "float constant does not fit .s32"},
		{KERNEL("bra NOWHERE;"), 6, 5, "there is no label NOWHERE"},
		{KERNEL("L: ret;\nL: ret;"), 7, 1, "declared twice, first in line 6"},
		{KERNEL(".reg .b32 %a;\n.reg .b32 %a;"), 7, 11, "declared twice, first in line 6"},
		{KERNEL(".reg .pred %p<2>;\n.reg .b32 %r<2>;\n@%r1 bra L;\nL: ret;"), 8, 2, "not a predicate register"},
		{KERNEL(".reg .b32 %r<2>;\nld.global.u32 %r1, [n];"), 7, 21, "not in the space"},
		{KERNEL(".shared .align 3 .b8 a[4];"), 6, 9, "power of two"},
		{KERNEL(".shared .b8 a[4096][4096][4096];"), 6, 13, "larger than 1024 MiB"},
		{KERNEL("\x01;"), 6, 1, "not byte 0x01"},
		{KERNEL("/* for ever"), 6, 1, "comment does not end"},
		{KERNEL(".reg .f32 %f<2>;\nmov.f32 %f1, 0f3F80;"), 7, 14, "8 hexadecimal digits"},
		{KERNEL(".reg .b32 %r<2>;\nmov.u32 %r1, 99999999999999999999;"), 7, 14, "64 bits"},
		{KERNEL(".reg .pred %p<3>;\n.reg .b32 %r<2>;\nsetp.lt.and.s32 %p1, %r1, 3;"), 8, 1, "goes with .and"},
		{KERNEL(".reg .b32 %r<3>;\nmov.b32 %r1, {%r1, %r2};"), 7, 15, ".b32 register; .b16"},
		{KERNEL(".reg .v4 .b32 v;\nadd.u32 v, 1, 1;"), 7, 9, "a register expected, not 'v'"},
		{KERNEL(".reg .v4 .b32 v;\nld.global.v2.u32 v, [0];"), 7, 18, "a vector of 4 .b32 does not fit here"},
		{KERNEL(".reg .v2 .pred v;"), 6, 10, "a type of registers"},
		{KERNEL(".reg .b16 %h<4>;\n.reg .pred %p<4>;\nsetp.lt.f16 %p1|%p2, %h1, %h2;"), 8, 1,
			"only a pair of halves"},
		{KERNEL("cp.async.ca.shared.global [0], [0], 12;"), 6, 1, "it copies 16 bytes, with .ca also 4 or 8"},
		{KERNEL(".reg .b32 %r<2>;\ncp.async.wait_group %r1;"), 7, 1, "the number of groups is a constant"},
		{KERNEL(".reg .b64 %rd<2>;\n.reg .b32 %r<2>;\nld.global.u32 %r1, [%rd1], %rd1;"), 8, 1,
			"with .L2::cache_hint"},
		{KERNEL(".reg .b32 %r<9>;\nldmatrix.sync.aligned.m8n8.x2.b16 {%r1, _}, [0];"), 7, 35,
			"consists of registers"},
		{KERNEL(".reg .b32 %r<9>;\nldmatrix.sync.aligned.m8n8.x2.b16 %r1, [0];"), 7, 35,
			"a vector in braces expected"},
		{HEAD ".global .u32 t[2] = {1, 2, 3};\n", 4, 28, "more values"},
		{HEAD ".global .u32 t[2][2] = {{1, 2, 3}};\n", 4, 25, "more values"},
		{HEAD ".entry k(.param .b8 a[99999])\n{\n}\n", 4, 21, "32764"},
		{HEAD ".entry k()\n{\n}\n.entry k()\n{\n}\n", 7, 8, "declared twice"},
		{HEAD ".func f()\n{\n}\n.func f()\n{\n}\n", 7, 7, "declared twice, first in line 4"},
		{HEAD ".func f(.param .b32 a);\n.func f(.param .b64 a)\n{\n}\n", 5, 7,
			"other parameters or results than in line 4"},
		{HEAD ".func (.reg .b32 r) f(.reg .b64 r)\n{\n}\n", 4, 21, "declared twice"},
		{FUNCS KERNEL_ONLY("call f, (1);"), 7, 1, "call: 0 results given, 1 expected"},
		{FUNCS KERNEL_ONLY("call (_), f, (1, 2);"), 7, 1, "call: 2 arguments given, 1 expected"},
		{FUNCS KERNEL_ONLY("call (_), f, (0d3FF0000000000000);"), 7, 1,
			"argument 1 is not of the 4 bytes expected"},
		{FUNCS KERNEL_ONLY(".param .b64 p;\ncall (_), f, (p);"), 8, 1,
			"argument 1 is not of the 4 bytes expected"},
		{FUNCS KERNEL_ONLY("call (_), f, (out);"), 7, 15, "a .param variable of this body expected"},
		{FUNCS KERNEL_ONLY("call g;"), 7, 6, "a function or a 64-bit register expected, not 'g'"},
		{FUNCS KERNEL_ONLY("call k;"), 7, 6, "a function or a 64-bit register expected, not 'k'"},
		{FUNCS KERNEL_ONLY(".reg .b64 a;\ncall (_), a, (1);"), 8, 1,
			"through a register has to name a prototype"},
		{FUNCS KERNEL_ONLY("p: .callprototype (.reg .b32 _) _ (.reg .b32 _);\ncall (_), f, (1), p;"), 8, 1,
			"only a call through"},
		{FUNCS KERNEL_ONLY("p: .calltargets f, f, nobody;"), 7, 23, "a function's name expected"},
		{HEAD ".func a();\n.func b(.reg .b32 x)\n{\n}\n.alias a, b;\n", 8, 8,
			".alias needs a declared function"},
		{HEAD ".func a();\n.alias a, b;\n", 5, 8, ".alias needs a declared function"},
		{FUNCS KERNEL_ONLY("st.param.u64 [out], 1;"), 7, 1, "this memory is read only"},
		{FUNCS KERNEL_ONLY(".reg .b64 a;\ncvta.global.u64 a, f;"), 8, 1, "generic already"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct parsed p = parse(cases[i].text);
		assert_null(p.module);
		assert_true(p.diag.count > 0);
		const struct diag_entry *e = &p.diag.entries[0];
		if (e->line != cases[i].line || e->col != cases[i].col || !strstr(e->message, cases[i].says))
			fail_msg("case %zu: got %d:%d %s; wanted %d:%d %s", i, e->line, e->col, e->message,
				cases[i].line, cases[i].col, cases[i].says);
		done(&p);
	}
}

static void faults_do_not_end_the_reading(void **state)
{
	(void)state;
	struct parsed p = parse(KERNEL(".reg .b32 %r<4>;\nadd.s32 %r1, %x, 1;\nadd.s32 %y, %r1, 1;\nbra A;"));
	assert_null(p.module);
	assert_int_equal(p.diag.errors, 3);
	assert_int_equal(p.diag.entries[0].line, 7);
	assert_int_equal(p.diag.entries[1].line, 8);
	assert_int_equal(p.diag.entries[2].line, 9);
	done(&p);
}

static void unsupported_is_reported_when_looked_up(void **state)
{
	(void)state;
	struct parsed p = parse(
		HEAD ".entry odd()\n{\n\twmma.load.a {%r1, %r2}, [%rd1], 3;\n\tadd.s32.foo %a, %b, %c;\n}\n"
		     ".entry fine()\n{\n\tret;\n}\n");
	assert_non_null(p.module);
	assert_int_equal(ptx_kernel_count(p.module), 2);
	assert_non_null(ptx_find_kernel(p.module, "fine", &p.diag));
	assert_int_equal(p.diag.errors, 0);
	assert_null(ptx_find_kernel(p.module, "odd", &p.diag));
	assert_int_equal(p.diag.count, 2);
	assert_int_equal(p.diag.entries[0].line, 6);
	assert_int_equal(p.diag.entries[0].col, 2);
	assert_string_equal(p.diag.entries[0].message, "unsupported instruction wmma.load.a");
	assert_string_equal(
		p.diag.entries[1].message, "unsupported instruction add.s32.foo: add does not take .foo here");
	done(&p);
}

static void sizes_of_blocks_and_clusters_are_numbers_of_32_bits(void **state)
{
	(void)state;
	static const struct {
		const char *said, *why; /* NULL: it is taken */
		int col;
		uint32_t threads;
	} cases[] = {
		{".maxntid 1024,1,65", NULL, 0, 66560},
		{".reqntid 2, 3, 4", NULL, 0, 24},
		{".maxntid 4294967295", NULL, 0, UINT32_MAX},
		{".reqnctapercluster 0", NULL, 0, 0},
		{".maxntid 4294967296", "expected a number from 1 to 4294967295", 30, 0},
		{".reqntid 1, 0", "expected a number from 1 to 4294967295", 33, 0},
		{".reqnctapercluster 4294967296", "expected a number from 0 to 4294967295", 40, 0},
		{".maxntid 65536,65536", "the product of these numbers is more than 4294967295", 30, 0},
		{".maxntid 2097152,2097152,4194304", "the product of these numbers is more than 4294967295", 30, 0},
		{".reqnctapercluster 65536,65536", "the product of these numbers is more than 4294967295", 40, 0},
		{".reqntid 1,1,1,1", "there are more than three numbers", 30, 0},
		{".maxntid", "a number expected, not '{'", 30, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		snprintf(text, sizeof text,
			".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() %s { ret; }\n",
			cases[i].said);
		struct parsed p = parse(text);
		if (!cases[i].why) {
			assert_int_equal(p.diag.errors, 0);
			assert_int_equal(p.module->kernels[0]->max_threads, cases[i].threads);
		} else {
			assert_true(p.diag.errors > 0);
			assert_string_equal(p.diag.entries[0].message, cases[i].why);
			assert_int_equal(p.diag.entries[0].line, 4);
			assert_int_equal(p.diag.entries[0].col, cases[i].col);
		}
		done(&p);
	}
}

/* What ptxas refuses because the ISA leaves no default. */
/* A row that is added to ops.def takes its name out of absent.def. */
static void what_is_absent_has_no_row(void **state)
{
	static const char *const absent[] = {
#define ABSENT(beginning, why) beginning,
#include "machine/ptx/absent.def"
#undef ABSENT
	};
	(void)state;
	for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
		size_t n = strlen(absent[i]);
		for (int op = 0; op < PTX_OPS; op++) {
			const char *spelling = ptx_op_rows[op].spelling;
			assert_false(!strncmp(spelling, absent[i], n) && (!spelling[n] || spelling[n] == '.'));
		}
	}
}

static void a_form_that_lacks_something_is_unsupported(void **state)
{
	(void)state;
	static const struct {
		const char *opcode, *why;
	} cases[] = {
		{"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32",
			"no tensor memory, which begins with CC 10.0"},
		{"tcgen05", "no tensor memory, which begins with CC 10.0"},
		{"barrier.cluster.arrive.acquire", "no such order of memory"},
		{"barrier.cluster.wait.relaxed", "no such order of memory"},
		{"mbarrier.arrive.relaxed.b64", "an order of memory needs a scope"},
		{"mbarrier.arrive.release.gpu.b64", "its scope is .cta or .cluster"},
		{"mbarrier.init.shared::cluster.b64", "mbarriers of the own block"},
		{"mapa.shared::cta.u32", "it takes .shared::cluster"},
		{"red.async.relaxed.cluster.mbarrier::complete_tx::bytes.min.s64", "its type has no such operation"},
		{"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16", ".noftz goes with sums of halves"},
		{"fma.rn.ftz.oob.f16", "it takes .oob or .ftz"},
		{"cvt.s32.f32", "a rounding to integers, such as .rzi"},
		{"cvt.rn.u8.f16", "a rounding to integers, such as .rzi"},
		{"cvt.f32.s32", "a rounding, such as .rn"},
		{"cvt.f32.f64", "a rounding, such as .rn"},
		{"cvt.f16.f32", "a rounding, such as .rn"},
		{"fma.f32", "a rounding, such as .rn"},
		{"mad.f64", "a rounding, such as .rn"},
		{"div.f32", "or .approx"},
		{"sqrt.f64", "or .approx"},
		{"shf.l.b32", "it needs .clamp or .wrap"},
		{"add.ftz.f64", "neither .ftz nor .sat"},
		{"mul.sat.f64", "neither .ftz nor .sat"},
		{"div.full.f64", "neither .approx nor .full"},
		{"setp.lt.ftz.f64", "neither .ftz nor .sat"},
		{"cvt.rn.relu.f32.f64", "for .f32 to a narrower float"},
		{"cvt.rna.f16.f32", "only .tf32 is rounded with .rna"},
		{"cvt.rn.tf32.f64", ".tf32 comes from .f32"},
		{"cvt.bf16.f32", "a rounding, such as .rn"},
		{"cvt.f16x2.f32", "a rounding, such as .rn"},
		{"fma.f16", "a rounding, such as .rn"},
		{"cvt.rn.e4m3x2.f32", "it needs .rn and .satfinite"},
		{"cvt.rn.relu.e5m2x2.f16x2", "it needs .rn and .satfinite"},
		{"add.rz.f16", "rounded with .rn"},
		{"add.sat.bf16", "neither .ftz nor .sat"},
		{"ex2.approx.bf16", "it needs .ftz"},
		{"fma.rn.sat.relu.f16", ".sat or .relu"},
		{"max.xorsign.f32", "go together"},
		{"min.NaN.f64", "neither .NaN"},
		{"min.relu.u32", "only .s32 and .s16x2"},
		{"bmsk.b32", "it needs .clamp or .wrap"},
		{"cvt.pack.sat.u16.s32.b32", "halves do not"},
		{"setp.lt.b32", "no such comparison"},
		{"setp.lo.s32", "no such comparison"},
		{"add.sat.u32", "only .s32 takes .sat"},
		{"cvt.sat.s64.s32", "nothing to clamp"},
		{"cvt.rn.f64.f32", "no such rounding"},
		{"div.approx.full.f32", "one rounding"},
		{"abs.ftz.f64", "neither .ftz nor .sat"},
		{"set.lt.ftz.u32.s32", "no .ftz"},
		{"atom.local.add.u32", "in .global and .shared only"},
		{"atom.global.add.s64", "no such operation"},
		{"red.global.cas.b32", "no such operation"},
		{"atom.global.add.f16", ".noftz goes with halves"},
		{"ldmatrix.sync.aligned.m8n8.shared.b16", "it needs .x1, .x2 or .x4"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16", "the types of D, A, B and C"},
		{"mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16", "these types do not go together"},
		{"mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32", "this shape does not go"},
		{"mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f32", "sums of .f16 or .f32"},
		{"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32", "products of bits"},
		{"mma.sync.aligned.m16n8k64.row.col.s32.s4.s8.s32", "these types do not go together"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", "this shape does not go"},
		{"mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16", "these types do not go together"},
		{"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16", "this shape does not go"},
		{"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8", "this shape does not go"},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16", "these types do not go together"},
		{"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1", "are .and.popc"},
		{"wgmma.mma_async.sync.aligned.f32.f16.f16", "it needs a shape"},
		{"wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16", "this shape does not go"},
		{"mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32", "only sums of integers"},
		{"wmma.load.a.sync.aligned.row.f16", "a layout and a shape"},
		{"wmma.load.c.sync.aligned.row.m16n16k16.f64", "this shape does not go"},
		{"wmma.mma.sync.aligned.row.m16n16k16.f32.f32", "the layouts of A and B"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.s8.f32", "these types do not go together"},
		{"wmma.mma.sync.aligned.row.col.m16n16k8.f32.bf16.bf16.f32", "this shape does not go"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[200];
		snprintf(text, sizeof text, HEAD ".entry k()\n{\n\t%s %%a, %%b;\n}\n", cases[i].opcode);
		struct parsed p = parse(text);
		assert_non_null(p.module);
		assert_null(ptx_find_kernel(p.module, "k", &p.diag));
		if (!strstr(p.diag.entries[0].message, cases[i].why))
			fail_msg("%s: %s", cases[i].opcode, p.diag.entries[0].message);
		done(&p);
	}
}

/* Small texts that would take much time or memory. */
static void a_text_cannot_exhaust_the_host(void **state)
{
	(void)state;
	static const char *const messages[] = {
		"the values of variables take more than 64 MiB together",
		"the lists of this module's branches have more than 1048576 labels together",
		"the branches of this kernel are too entangled",
	};
	for (int kind = 0; kind < 3; kind++) {
		struct buf text = {0};
		buf_puts(&text, HEAD);
		for (int i = 0; kind == 0 && i < 3; i++)
			buf_printf(&text, ".global .u8 a%d[2][30000000] = {{1}, {2}};\n", i);
		buf_puts(&text, ".entry k()\n{\n\t.reg .pred %p;\n\t.reg .b32 %r;\n");
		for (int i = 0; kind == 1 && i < 2000; i++)
			buf_printf(&text, "%sL%d", i ? ", " : "t: .branchtargets ", i);
		for (int i = 0; kind == 1 && i < 2000; i++)
			buf_printf(&text, "%s\nL%d:\tbrx.idx %%r, t;", i ? "" : ";", i);
		for (int i = 0; kind == 2 && i < 100000; i++)
			buf_printf(&text, "L%d:\t@%%p bra L%d;\n", i, i / 2);
		buf_puts(&text, "\n\tret;\n}\n");
		struct parsed p = parse(buf_str(&text));
		assert_null(p.module);
		assert_string_equal(p.diag.entries[0].message, messages[kind]);
		done(&p);
		buf_free(&text);
	}
}

static void unknown_kernels_list_the_known(void **state)
{
	(void)state;
	struct parsed p = parse(HEAD ".entry a()\n{\n}\n.entry b()\n{\n}\n.func f()\n{\n}\n");
	assert_non_null(p.module);
	assert_null(ptx_find_kernel(p.module, "c", &p.diag));
	assert_string_equal(p.diag.entries[0].message, "there is no kernel c; there are: a, b");
	assert_null(ptx_find_kernel(p.module, NULL, &p.diag));
	assert_string_equal(p.diag.entries[1].message, "which kernel? There are a, b");
	done(&p);
}

static void expect_said(struct parsed *p, const char *says)
{
	assert_int_equal(p->diag.count, 1);
	assert_string_equal(p->diag.entries[0].message, says);
	diag_free(&p->diag);
	p->diag = (struct diag){0};
}

static void names_of_the_source_may_mean_several(void **state)
{
	(void)state;
	struct parsed p = parse(HEAD ".entry _Z1kPi()\n{\n}\n.entry _Z1kPf()\n{\n}\n.entry _Z1jv()\n{\n}\n");
	assert_string_equal(ptx_resolve_kernel(p.module, "j", &p.diag), "_Z1jv");
	assert_string_equal(ptx_resolve_kernel(p.module, "_Z1kPf", &p.diag), "_Z1kPf");
	assert_null(ptx_resolve_kernel(p.module, "k", &p.diag));
	expect_said(&p, "which k? There are k(int *), k(float *)");
	done(&p);
	p = parse(HEAD ".func f()\n{\n}\n");
	assert_null(ptx_resolve_kernel(p.module, NULL, &p.diag));
	expect_said(&p, "there is no kernel in this PTX");
	done(&p);

	struct buf text = {0};
	buf_puts(&text, HEAD);
	for (int i = 0; i < 13; i++)
		buf_printf(&text, ".entry k%d()\n{\n}\n", i);
	p = parse(buf_str(&text));
	assert_null(ptx_resolve_kernel(p.module, "k13", &p.diag));
	expect_said(&p, "there is no kernel k13; there are: k0, k1, k2, k3, k4, k5, k6, k7, k8, k9 and 3 more");
	done(&p);
	buf_free(&text);
}

static void variables_are_found_by_name(void **state)
{
	(void)state;
	const struct diag_pos pos = {.file = "launch", .line = 3, .col = 1};
	struct parsed p = parse(HEAD ".global .u32 total;\n.const .f32 factor[4];\n.extern .global .u32 elsewhere;\n"
				     ".global .u32 _ZN1a5countE;\n.global .u32 _ZN1b5countE;\n");
	assert_string_equal(ptx_find_variable(p.module, "factor", pos, &p.diag)->name, "factor");
	assert_string_equal(ptx_find_variable(p.module, "a::count", pos, &p.diag)->name, "_ZN1a5countE");
	assert_null(ptx_find_variable(p.module, "elsewhere", pos, &p.diag));
	assert_int_equal(p.diag.entries[0].line, 3);
	expect_said(&p,
		"there is no __device__ or __constant__ variable elsewhere; there are: total, factor, a::count, b::count");
	done(&p);
	p = parse(HEAD ".entry k()\n{\n}\n");
	assert_null(ptx_find_variable(p.module, "total", pos, &p.diag));
	expect_said(&p, "there is no __device__ or __constant__ variable total");
	done(&p);
}

/* A kernel that was linked before can reach it then. */
static void a_function_whose_address_is_taken_is_linked(void **state)
{
	(void)state;
	const struct diag_pos pos = {.file = "launch", .line = 1, .col = 1};
	struct parsed p = parse(
		HEAD ".func _Z1fi(.param .b32 a)\n{\n.shared .b8 s[64];\n.reg .b32 %r<2>;\nmov.u32 %r1, s;\nret;\n}\n"
		     ".func _Z1ff(.param .b32 a)\n{\nret;\n}\n.func absent(.param .b32 a);\n"
		     ".entry k(.param .u64 to)\n{\n.reg .b64 %rd<2>;\n.param .b32 p;\n"
		     "ld.param.u64 %rd1, [to];\nP: .callprototype _ (.param .b32 _);\n"
		     "call %rd1, (p), P;\nret;\n}\n");
	const struct ptx_kernel *k = ptx_find_kernel(p.module, "k", &p.diag);
	assert_non_null(k);
	int linked = k->n_parts;
	assert_null(ptx_take_function(p.module, "f", pos, &p.diag));
	expect_said(&p, "which f? There are f(int), f(float)");
	assert_null(ptx_take_function(p.module, "absent", pos, &p.diag));
	expect_said(&p, "there is no function absent; there are: f(int), f(float)");
	const struct ptx_kernel *f = ptx_take_function(p.module, "_Z1fi", pos, &p.diag);
	assert_string_equal(f->name, "_Z1fi");
	assert_true(f->address_taken);
	assert_ptr_equal(ptx_take_function(p.module, "_Z1fi", pos, &p.diag), f);
	k = ptx_find_kernel(p.module, "k", &p.diag);
	assert_int_equal(k->n_parts, linked + 1);
	assert_int_equal(ptx_shared_bytes(k), 64);
	done(&p);
}

/* --- what a program holds ----------------------------------------------------------------------------------------- */

static void parameters_and_variables_are_laid_out(void **state)
{
	(void)state;
	struct parsed p = parse(
		HEAD ".entry k(.param .u32 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 c[12],\n"
		     ".param .u8 d)\n{\n.shared .align 4 .b8 s[5];\n.shared .align 16 .b8 t[16];\n.reg .b32 %r<3>;\n"
		     "mov.u32 %r1, s;\nmov.u32 %r2, t;\n}\n");
	const struct ptx_kernel *k = kernel(&p);
	static const uint32_t offsets[] = {0, 8, 16, 28}, sizes[] = {4, 8, 12, 1};
	assert_int_equal(ptx_param_count(k), 4);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(ptx_kernel_param(k, i).offset, offsets[i]);
		assert_int_equal(ptx_kernel_param(k, i).size, sizes[i]);
	}
	assert_int_equal(ptx_param_bytes(k), 29);
	assert_int_equal(ptx_shared_bytes(k), 32);
	done(&p);
}

static void initial_values_fill_arrays(void **state)
{
	(void)state;
	struct parsed p = parse(
		HEAD ".global .u16 t[2][3] = {{1}, {2, 3}};\n.const .f32 f[] = {0f3F800000, 2.5, -1.0};\n"
		     ".global .u64 a[2] = {0, t+4};\n.global .s8 n = -1;\n.entry k()\n{\n}\n");
	assert_non_null(p.module);
	static const uint16_t t[] = {1, 0, 0, 2, 3, 0};
	static const float f[] = {1, 2.5f, -1};
	assert_int_equal(p.module->n_vars, 4);
	assert_memory_equal(p.module->vars[0]->init, t, sizeof t);
	assert_int_equal(p.module->vars[1]->size, sizeof f);
	assert_memory_equal(p.module->vars[1]->init, f, sizeof f);
	assert_ptr_equal(p.module->vars[2]->relocs->target, p.module->vars[0]);
	assert_int_equal(p.module->vars[2]->relocs->offset, 8);
	assert_int_equal(p.module->vars[2]->relocs->addend, 4);
	assert_int_equal(p.module->vars[3]->init[0], 0xFF);
	done(&p);
}

static void places_follow_loc(void **state)
{
	(void)state;
	struct parsed p = parse(HEAD
		".file 1 \"a.cu\"\n.entry k()\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 0;\n.loc 1 7 3\n"
		"mov.u32 %r1, 1;\n.loc 2 90 1, function_name $L__info0, inlined_at 1 8 2\nmov.u32 %r1, 2;\n.loc 1 0 0\nret;\n}\n"
		".file 2 \"h.h\"\n");
	const struct ptx_kernel *k = kernel(&p);
	assert_int_equal(ptx_instr_location(k, 0).line, 0);
	assert_null(ptx_instr_location(k, 0).file);
	assert_int_equal(ptx_instr_location(k, 0).ptx_line, 8);
	assert_int_equal(ptx_instr_location(k, 1).line, 7);
	assert_string_equal(ptx_instr_location(k, 1).file, "a.cu");
	assert_int_equal(ptx_instr_location(k, 2).line, 8); /* inlined from another file: where it was put */
	assert_string_equal(ptx_instr_location(k, 2).file, "a.cu");
	assert_int_equal(ptx_instr_location(k, 3).line, 0);
	done(&p);
}

#define CALLS ".file 1 \"/s/a.cu\"\n.file 2 \"/h/p.h\"\n.file 3 \"q.h\"\n.entry k()\n{\n"
#define MOVE "mov.u32 %r1, 1;\n"

/* Two .loc with the same callers: one frame. */
static void equal_chains_are_one(void **state)
{
	(void)state;
	struct parsed p = parse(
		HEAD CALLS ".reg .b32 %r<2>;\n.loc 1 8 2\n.loc 2 10 1, function_name $L, inlined_at 1 8 2\n" MOVE
			   ".loc 1 8 2\n.loc 2 10 1, function_name $L, inlined_at 1 8 2\n" MOVE
			   ".loc 2 11 1, function_name $L, inlined_at 1 8 2\n" MOVE
			   ".loc 1 9 2\n.loc 2 10 1, function_name $L, inlined_at 1 9 2\n" MOVE "}\n");
	const struct ptx_frame *frames[4];
	for (int i = 0; i < 4; i++)
		frames[i] = ptx_instr_location(kernel(&p), i).inlined;
	assert_ptr_equal(frames[0], frames[1]);
	assert_ptr_equal(frames[0]->caller, frames[2]->caller);
	assert_ptr_not_equal(frames[0], frames[2]);
	assert_ptr_not_equal(frames[0], frames[3]);
	done(&p);
}

static void assert_place(const struct ptx_kernel *k, int instr, int line, const char *chain)
{
	struct ptx_location place = ptx_instr_location(k, instr);
	struct buf text = {0};
	ptx_location_chain(&place, 0, &text);
	assert_string_equal(place.file, "/s/a.cu");
	assert_int_equal(place.line, line);
	assert_string_equal(buf_str(&text), chain);
	buf_free(&text);
}

static void assert_place_without(const struct ptx_kernel *k, int instr, int skip, const char *chain)
{
	struct ptx_location place = ptx_instr_location(k, instr);
	struct buf text = {0};
	ptx_location_chain(&place, skip, &text);
	assert_string_equal(buf_str(&text), chain);
	buf_free(&text);
}

/* Each belongs to the innermost line of the kernel's own file. */
static void inlined_code_belongs_to_its_caller(void **state)
{
	(void)state;
	struct parsed p = parse(HEAD CALLS
		".reg .b32 %r<2>;\n.loc 1 8 2\n" MOVE ".loc 2 10 1, function_name $L__i0, inlined_at 1 8 2\n" MOVE
		".loc 3 20 1, function_name $L__i1+4, inlined_at 2 10 1\n" MOVE
		".loc 1 30 1, function_name $L__i2, inlined_at 3 20 1\n" MOVE /* the kernel's file again: a functor */
		".loc 3 40 1, function_name $L__i3, inlined_at 1 30 1\n" MOVE
		".loc 1 31 1, function_name $L__i4, inlined_at 1 8 2\n" MOVE /* a function of the same file */
		".loc 3 40 1, function_name $L__i3, inlined_at 1 9 2\n" MOVE /* a caller that has no .loc */
		"ret;\n}\n");
	const struct ptx_kernel *k = kernel(&p);
	assert_place(k, 0, 8, "");
	assert_place(k, 1, 8, "a.cu:8 → p.h:10");
	assert_place(k, 2, 8, "a.cu:8 → p.h:10 → q.h:20");
	assert_place_without(k, 2, 1, "… → p.h:10 → q.h:20");
	assert_place_without(k, 2, 9, "… → q.h:20");
	assert_place(k, 3, 30, "");
	assert_place(k, 4, 30, "a.cu:30 → q.h:40");
	assert_place(k, 5, 31, "");
	assert_place(k, 6, 9, "a.cu:9 → q.h:40");
	done(&p);
}

/* As of a template that calls itself: the caller is the last .loc with the position, so each is one deeper. */
static void long_chains_lose_their_middle(void **state)
{
	(void)state;
	struct buf text = {0};
	buf_puts(&text, HEAD CALLS ".reg .b32 %r<2>;\n.loc 1 8 2\n.loc 2 1 1, function_name $L, inlined_at 1 8 2\n");
	for (int i = 1; i < 100; i++)
		buf_printf(&text, ".loc 2 %d 1, function_name $L, inlined_at 2 %d 1\n%s", i + 1, i, MOVE);
	buf_puts(&text, ".loc 2 100 1, function_name $L, inlined_at 2 100 1\n" MOVE "}\n");
	struct parsed p = parse(buf_str(&text));
	const struct ptx_kernel *k = kernel(&p);
	assert_place(k, 98, 8,
		"a.cu:8 → p.h:1 → :2 → :3 → :4 → :5 → :6 → (88 more) → p.h:95 → :96 → :97 → :98 → :99 → :100");
	assert_place(k, 99, 8,
		"a.cu:8 → p.h:1 → :2 → :3 → :4 → :5 → :6 → (89 more) → p.h:96 → :97 → :98 → :99 → :100 → :100");
	done(&p);
	buf_free(&text);
}

static void scopes_hide_names(void **state)
{
	(void)state;
	struct parsed p = parse(
		KERNEL(".reg .b32 %a;\nmov.u32 %a, 1;\n{\n.reg .b64 %a;\nbra L;\nmov.u64 %a, 2;\nL: mov.u64 %a, 3;\n}\n"
		       "{\nbra L;\n}\nmov.u32 %a, 4;\nL: ret;"));
	const struct ptx_kernel *k = kernel(&p);
	assert_int_equal(k->n_regs, 2);
	assert_int_equal(k->instrs[1].operands[0].index, 3); /* the inner label */
	assert_int_equal(k->instrs[4].operands[0].index, 6);
	done(&p);
}

static void instructions_print_as_written(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"ld.param.u64 %rd1, [out]",
		"add.s32 %r1, %r2, -5",
		"@!%p1 mov.u32 %r1, %tid.x",
		"fma.rn.f32 %f1, %f2, 0f3F800000, %f1",
		"ld.global.nc.v4.f32 {%f1, %f2, %f1, %f2}, [%rd1+-16]",
		"setp.lt.and.u32 %p1|%p2, %r1, 7, !%p1",
		"bar.sync 0",
		"mov.b64 %rd1, {%r1, %r2}",
		"st.volatile.shared.u32 [%r1+4], %r2",
		"atom.global.cas.b32 %r1, [%rd1], %r2, 9",
		"shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1",
		"cvt.rni.ftz.s32.f32 %r1, %f1",
	};
	struct buf text = {0}, out = {0};
	buf_puts(&text,
		HEAD
		".entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\n.reg .pred %p<4>;\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		buf_printf(&text, "\t%s;\n", lines[i]);
	buf_puts(&text, "}\n");
	struct parsed p = parse(buf_str(&text));
	const struct ptx_kernel *k = kernel(&p);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		static const char *const shown[][2] = {{"+-16]", "-16]"}, {"31, -1", "31, 4294967295"}};
		char want[100];
		snprintf(want, sizeof want, "%s", lines[i]);
		for (size_t j = 0; j < 2; j++) {
			char *at = strstr(want, shown[j][0]);
			if (at)
				strcpy(at, shown[j][1]);
		}
		buf_clear(&out);
		ptx_instr_print(k, (int)i, &out);
		assert_string_equal(buf_str(&out), want);
	}
	buf_free(&text);
	buf_free(&out);
	done(&p);
}

static void rarer_operands_print_as_written(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"mov.f64 %d1, 0d3FF8000000000000",
		"add.s16 %h1, %h1, -3",
		"add.s64 %rd1, %rd1, -4",
		"vadd.s32.s32.s32 %r1, %r2.b1, %r3.h0",
		"vadd2.s32.s32.s32 %r1.h1, %r2.h10, %r3, %r3",
		"vadd4.s32.s32.s32 %r1.b20, %r2.b7604, %r3, %r3",
		"vmad.s32.s32.s32 %r1, -%r2, %r3, %r3",
		"tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f1}, [picture, {%r1, %r2}]",
		"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, smooth, {%f1, %f2}]",
		"suld.b.1d.b32.zero %r1, [plane, {%r2}]",
		"txq.width.b32 %r1, [picture]",
		"st.shared.u32 [s+4], %r1",
		"mov.u32 %r1, s+4",
		"ld.global.v4.u32 {_, %r1, _, %r2}, [%rd1]",
		"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r3]",
	};
	struct buf text = {0}, out = {0};
	buf_puts(&text,
		".version 8.0\n.target sm_90, texmode_independent\n.address_size 64\n.global .texref picture;\n"
		".global .samplerref smooth;\n.global .surfref plane;\n.entry k(.param .u64 out)\n{\n.reg .b16 %h<4>;\n"
		".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .f32 %f<4>;\n.reg .f64 %d<4>;\n"
		".shared .align 4 .b8 s[8];\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		buf_printf(&text, "\t%s;\n", lines[i]);
	buf_puts(&text, "}\n");
	struct parsed p = parse(buf_str(&text));
	const struct ptx_kernel *k = kernel(&p);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		buf_clear(&out);
		ptx_instr_print(k, (int)i, &out);
		assert_string_equal(buf_str(&out), lines[i]);
	}
	buf_free(&text);
	buf_free(&out);
	done(&p);
}

static void wrong_textures_and_samplers_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *line, *why;
		size_t col; /* of the line */
	} cases[] = {
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [plane, {%f1, %f2}]",
			"a .texref or a .u64 register expected, not 'plane'", 42},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, plane, {%f1, %f2}]",
			"a .samplerref or a .u64 register expected, not 'plane'", 51},
		{"suld.b.1d.b32.zero %r1, [picture, {%r2}]", "a .surfref or a .u64 register expected, not 'picture'",
			26},
		{"suld.b.cube.b32.zero %r1, [plane, {%r2}]", "there are no surfaces of cubes", 1},
		{"sured.b.add.a1d.u32.zero [plane, {%r2, %r3}], %r1", "it takes .1d, .2d or .3d", 1},
		{"sured.b.exch.1d.u32.zero [plane, {%r2}], %r1", "it takes .add, .min, .max, .and or .or", 1},
		{"tld4.r.1d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, smooth, {%f1}]",
			"it takes .2d, .a2d, .cube or .acube", 1},
		{"tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, smooth, {%f1, %f2, %f3, %f1}], {%r1, %r2, %r3, %r1}",
			"a cube has no offsets", 84},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, smooth, {%f1, %f2}], {%r1, %r2}, %f1",
			"no depth textures", 84},
		{"tex.2d.v4.f16x2.f32 {%r1, %r2, %r3, %r1}, [picture, {%f1, %f2}]", "of .f16x2 .v2", 1},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, (picture, {%f1, %f2})", "'[' expected, not '('", 41},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture; {%f1, %f2}]", "',' expected, not ';'", 49},
		{"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [picture, {%f1}]", "a vector of 1 does not fit here", 51},
		{".global .samplerref s = { addr_mode_0 = bend }", "wrap, mirror, clamp_ogl", 41},
		{".global .samplerref s = { filter_mode = cubic }", "nearest or linear expected, not 'cubic'", 41},
		{".global .samplerref s = { addr_mode_0 wrap }", "'=' expected, not 'wrap'", 39},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf text = {0};
		buf_printf(&text,
			".version 8.0\n.target sm_90, texmode_independent\n.address_size 64\n.global .texref picture;\n"
			".global .samplerref smooth;\n.global .surfref plane;\n%s"
			".entry k(.param .u64 out)\n{\n.reg .b32 %%r<4>;\n.reg .f32 %%f<4>;\n%s%s}\n",
			cases[i].line[0] == '.' ? cases[i].line : "", cases[i].line[0] == '.' ? "" : cases[i].line,
			cases[i].line[0] == '.' ? "" : ";\n");
		struct parsed p = parse(buf_str(&text));
		if (p.module) /* bodies are read when they are asked for */
			assert_null(ptx_find_kernel(p.module, "k", &p.diag));
		assert_true(p.diag.errors > 0);
		if (!strstr(p.diag.entries[0].message, cases[i].why))
			fail_msg("%s: %s", cases[i].line, p.diag.entries[0].message);
		assert_int_equal(p.diag.entries[0].col, cases[i].col);
		buf_free(&text);
		done(&p);
	}
}

/* --- functions and calls ------------------------------------------------------------------------------------------ */

#define CALLERS                                                                                                              \
	".extern .shared .align 32 .b8 dynamic[];\n.shared .align 4 .b32 both;\n.shared .align 16 .b8 other[16];\n"          \
	".func (.param .b32 r) f(.param .b32 a);\n.func lonely()\n{\nwmma.load.a %x;\n}\n.global .u64 table[2] = {f, 0};\n"  \
	".func (.reg .b32 r) g(.reg .b32 a, .reg .pred p)\n{\n.reg .b64 %rd<3>;\n.param .b32 arg;\n.param .b32 res;\n"       \
	"mov.u64 %rd1, both;\nmov.u64 %rd2, dynamic;\nst.param.b32 [arg], a;\ncall.uni (res), f, (arg);\n"                   \
	"ld.param.b32 r, [res+0];\nret;\n}\n"                                                                                \
	".func (.param .b32 r) f(.param .b32 a)\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.local .b64 l;\n.file 1 \"f.cu\"\n" \
	".loc 1 7 1\nld.param.b32 %r1, [a];\nmov.u64 %rd1, other;\nst.param.b32 [r], %r1;\n}\n"

static void instructions_of_called_functions_follow_the_kernels(void **state)
{
	(void)state;
	struct parsed p = parse(HEAD CALLERS ".entry k()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n.reg .b64 %rd<2>;\n"
					     "mov.u64 %rd1, both;\ncall (%r1), g, (%r2, %p1);\nret;\n}\n");
	const struct ptx_kernel *k = kernel(&p);
	struct buf out = {0};

	assert_int_equal(k->n_parts, 3);
	assert_int_equal(ptx_instr_count(k), 3 + 6 + 3);
	assert_ptr_equal(ptx_part_of(k, 2)->code, k);
	assert_string_equal(ptx_part_of(k, 3)->code->name, "g");
	assert_string_equal(ptx_part_of(k, 9)->code->name, "f");
	assert_int_equal(ptx_instr_location(k, 9).line, 7);
	assert_string_equal(ptx_instr_location(k, 9).file, "f.cu");
	ptx_instr_print(k, 6, &out);
	assert_string_equal(buf_str(&out), "call.uni (res), f, (arg)");
	/* one place each in the block's window, whichever function uses it; the dynamic part after all */
	assert_int_equal(k->parts[0].offsets[0], k->parts[1].offsets[2]);
	assert_int_equal(ptx_shared_bytes(k), 32);
	assert_int_equal(k->parts[1].offsets[3], 32);
	assert_int_equal(k->parts[2].offsets[3], 16);
	/* arguments lie in the frame */
	assert_int_equal(k->parts[1].code->local_bytes, 8);
	assert_int_equal(k->parts[2].code->local_bytes, 16);
	assert_ptr_equal(ptx_find_kernel(p.module, NULL, &p.diag), k);
	assert_int_equal(ptx_instr_count(k), 12);
	buf_free(&out);
	done(&p);
}

static void calls_print_as_written(void **state)
{
	(void)state;
	static const char *const lines[] = {
		"call (%r1), g, (%r2, %p1)",
		"@%p1 call.uni (_), g, (-7, %p1)",
		"call (res), f, (0f3F800000)",
		"call nothing",
		"call (%r1), %rd1, (%r2, %p1), some",
		"call %rd1, none",
		"mov.u64 %rd1, f",
		"call (res), %rd1, (arg), listed",
	};
	struct buf text = {0}, out = {0};
	buf_puts(&text,
		HEAD CALLERS
		".func nothing()\n{\n}\n.entry k()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n.reg .b64 %rd<2>;\n"
		".param .b32 arg;\n.param .b32 res;\nsome: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .pred _);\n"
		"none: .callprototype _ .noreturn;\nlisted: .calltargets f;\n");
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		buf_printf(&text, "\t%s;\n", lines[i]);
	buf_puts(&text, "}\n");
	struct parsed p = parse(buf_str(&text));
	const struct ptx_kernel *k = kernel(&p);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		buf_clear(&out);
		ptx_instr_print(k, (int)i, &out);
		assert_string_equal(buf_str(&out), lines[i]);
	}
	buf_free(&text);
	buf_free(&out);
	done(&p);
}

static void what_cannot_be_called_is_reported_when_looked_up(void **state)
{
	(void)state;
	struct parsed p = parse(
		HEAD ".extern .func ghost();\n.func bad()\n{\n\twmma.load.a %x;\n}\n.func f()\n{\n\tcall ghost;\n"
		     "\tcall f;\n\tcall bad;\n}\n.entry calls()\n{\n\tcall f;\n}\n.entry fine()\n{\n}\n");
	assert_non_null(p.module);
	assert_non_null(ptx_find_kernel(p.module, "fine", &p.diag));
	assert_null(ptx_find_kernel(p.module, "calls", &p.diag));
	assert_int_equal(p.diag.count, 2);
	assert_int_equal(p.diag.entries[0].line, 11);
	assert_string_equal(p.diag.entries[0].message, "unsupported call of ghost, which has no body in this PTX");
	assert_int_equal(p.diag.entries[1].line, 7);
	assert_string_equal(p.diag.entries[1].message, "unsupported instruction wmma.load.a");
	done(&p);
}

/* Functions whose address is taken are reached by any call through a register, even when nothing else names them. */
static void indirect_calls_reach_what_they_may(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		int parts;
	} cases[] = {
		{"call %rd1, any;", 3},
		{"call %rd1, listed;", 2},
		{"mov.u64 %rd1, b;", 1},
		{"mov.u64 %rd1, c;\ncall %rd1, any;", 4},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1000];
		snprintf(text, sizeof text,
			HEAD
			".func a()\n{\n}\n.func b()\n{\n}\n.func c()\n{\n}\n.func d()\n{\n}\n"
			".global .u64 t[] = {a, b};\n.entry k()\n{\n.reg .b64 %%rd<2>;\nany: .callprototype _ ();\n"
			"listed: .calltargets d;\n%s\n}\n",
			cases[i].body);
		struct parsed p = parse(text);
		assert_int_equal(kernel(&p)->n_parts, cases[i].parts);
		done(&p);
	}
}

/* --- control flow ------------------------------------------------------------------------------------------------- */

/* reconverge of the branches in order, -1 for the end. */
static void expect_reconverge(const char *body, const int *want, int n)
{
	char text[2000];
	snprintf(text, sizeof text, "%s.entry k()\n{\n.reg .pred %%p<8>;\n%s\n}\n", HEAD, body);
	struct parsed p = parse(text);
	const struct ptx_kernel *k = kernel(&p);
	int found = 0;
	for (int i = 0; i < k->n_instrs; i++) {
		if (k->instrs[i].form->op != PTX_OP_BRA)
			continue;
		assert_true(found < n);
		assert_int_equal(k->instrs[i].reconverge, want[found]);
		found++;
	}
	assert_int_equal(found, n);
	done(&p);
}

#define EXPECT(body, ...)                                                                                              \
	expect_reconverge(body, (const int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int))

static void branches_reconverge_at_the_post_dominator(void **state)
{
	(void)state;
	/*      0            1              2             3 */
	EXPECT("@%p1 bra A;\nmembar.gl;\nA: membar.gl;\nret;", 2);                                  /* if */
	EXPECT("@%p1 bra A;\nmembar.gl;\nbra B;\nA: membar.gl;\nB: ret;", 4, 4);                    /* if else */
	EXPECT("A: membar.gl;\n@%p1 bra A;\nret;", 2);                                              /* loop */
	EXPECT("A: membar.gl;\n@%p1 bra C;\nB: membar.gl;\n@%p2 bra B;\nbra A;\nC: ret;", 5, 4, 0); /* nested loops */
	EXPECT("A: membar.gl;\nbra A;", -1);                                                        /* for ever */
	EXPECT("@%p1 bra A;\nB: bra B;\nA: ret;", -1, -1); /* a side that never ends */
	EXPECT("@%p1 bra A;\n@%p2 bra B;\nmembar.gl;\nB: membar.gl;\nA: membar.gl;\nret;", 4, 3); /* nested ifs */
}

static void ways_out_do_not_move_the_meeting_point(void **state)
{
	(void)state;
	EXPECT("@%p1 bra A;\nret;\nA: membar.gl;\nret;", 2);                    /* both sides end */
	EXPECT("@%p1 bra A;\n@%p2 exit;\nA: membar.gl;\nret;", 2);              /* one side may end */
	EXPECT("@%p1 bra A;\nmembar.gl;\nA:", 1);                               /* out by the closing brace */
	EXPECT("A: @%p1 bra B;\n@%p2 bra A;\nmembar.gl;\nret;\nB: ret;", 4, 0); /* the last exit counts */
	/* nor does an exit that the source has put in the way, wherever the compiler puts it */
	EXPECT("A: @%p1 bra E;\n@%p2 bra A;\nmembar.gl;\nret;\nE: exit;", 1, 2);
	/* a loop with a return in it */
	EXPECT("A: @%p1 bra B;\nret;\nB: @%p2 bra A;\nbar.sync 0;\nret;", 2, 3);
	EXPECT("A: @%p1 bra B;\n@%p3 bra C;\nret;\nC: @%p2 bra A;\nB: bar.sync 0;\nret;", 4, 3, 4);
	/* an early return in nested ifs */
	EXPECT("@%p1 bra C;\n@%p2 bra B;\n@%p3 bra A;\nret;\nA: membar.gl;\nB: membar.gl;\nC: bar.sync 0;\nret;", 6, 5,
		4);
	/* inside a side that leaves, branches reconverge as ever */
	EXPECT("@%p1 bra C;\n@%p2 bra A;\nmembar.gl;\nA: membar.gl;\nret;\nC: bar.sync 0;\nret;", 5, 3);
	/* a fault is no way on, wherever it stands */
	EXPECT("A: @%p1 bra T;\n@%p2 bra A;\nbar.sync 0;\nret;\nT: trap;", 1, 2);
	EXPECT("@%p1 bra A;\nB: @%p2 bra B;\ntrap;\nA: trap;", 3, 2);
	/* an endless loop is not a way out */
	EXPECT("@%p1 bra A;\n@%p2 bra B;\nmembar.gl;\nA: ret;\nB: bra B;", -1, -1, -1);
}

/* Whether the branch may have the barrier in it, each at LINE COLUMN, with other statements in between or behind; its
 * comparison is at the branch's place or at another. */
static void expect_enclosed(
	const char *compares, const char *branch, const char *barrier, const char *rest, bool expected)
{
	struct buf text = {0};
	buf_printf(&text,
		HEAD
		".file 1 \"k.cu\"\n.entry k()\n{\n.reg .pred %%p<3>;\n.reg .b32 %%r<3>;\n.loc 1 2 2\nmov.u32 %%r1, 0;\n"
		"%s%s\nsetp.eq.u32 %%p1, %%r1, 0;\n%s%s\n@%%p1 bra A;\n%s%s\nbar.sync 0;\n%sA: .loc 1 90 2\nmembar.gl;\nret;\n}\n",
		*branch ? ".loc 1 " : "", compares ? compares : branch, *branch ? ".loc 1 " : "", branch,
		*barrier ? ".loc 1 " : "", barrier, rest);
	struct parsed p = parse(buf_str(&text));
	const struct ptx_kernel *k = kernel(&p);
	bool is = ptx_may_enclose(k, 2, 3);
	if (is != expected)
		fail_msg("branch at %s, barrier at %s, then %s: %d", branch, barrier, rest, is);
	done(&p);
	buf_free(&text);
}

static void a_branch_encloses_what_the_source_indents(void **state)
{
	(void)state;
	expect_enclosed(NULL, "10 2", "11 3", "", true);
	expect_enclosed(NULL, "10 2", "14 2", "", false); /* if (...) return; __syncthreads(); */
	expect_enclosed(NULL, "10 3", "14 2", "", false);
	expect_enclosed(NULL, "10 2", "10 20", "", true);  /* on one line */
	expect_enclosed("10 9", "10 2", "14 2", "", true); /* clang's columns are of expressions */
	expect_enclosed("", "", "", "", true);
	/* a statement in between, or behind, to which one way comes only: for (...) __syncthreads(); if (...) return; */
	expect_enclosed(NULL, "10 2", "15 3", ".loc 1 14 2\n@%p2 bra A;\n", false);
	expect_enclosed(NULL, "10 2", "15 3", ".loc 1 17 2\n@%p2 bra A;\n", false);
	expect_enclosed(NULL, "10 2", "15 3", ".loc 1 17 3\n@%p2 bra A;\n", true);
	expect_enclosed(NULL, "10 2", "15 3", ".loc 1 17 2\nadd.s32 %r1, %r1, 1;\n", true); /* moved there */
	/* } while (...); has the column of its condition */
	expect_enclosed(NULL, "10 2", "15 3", ".loc 1 17 11\n@%p2 bra A;\n", false);
	/* } else if (...) */
	expect_enclosed(NULL, "10 9", "11 3", "", true);
	expect_enclosed(NULL, "10 9", "14 2", "", false);
	/* a loop whose branch comes after the barrier: the end of a do loop, or a way out */
	expect_enclosed(NULL, "14 11", "11 3", "", true);
	expect_enclosed(NULL, "14 3", "11 3", "", false);
}

static void big_texts_parse_in_linear_time(void **state)
{
	(void)state;
	struct buf text = {0};
	buf_puts(&text, HEAD ".entry k()\n{\n.reg .b32 %r<200001>;\n.reg .pred %p<3>;\n");
	for (int i = 0; i < 100000; i++)
		buf_printf(
			&text, "L%d: @%%p1 bra L%d;\nadd.s32 %%r%d, %%r%d, %d;\n", i, (i * 7919) % 100000, i + 1, i, i);
	buf_puts(&text, "}\n");
	struct parsed p = parse(buf_str(&text));
	assert_int_equal(ptx_instr_count(kernel(&p)), 200000);
	done(&p);
	buf_free(&text);
}

static void damaged_texts_are_survived(void **state)
{
	(void)state;
	static const char good[] = KERNEL(
		".reg .b32 %r<4>;\n.reg .pred %p<2>;\n.shared .align 4 .b8 s[16];\n{\n.reg .b64 %rd<3>;\n"
		"ld.param.u64 %rd1, [out];\n@%p1 bra L;\nmov.b64 {%r1, %r2}, %rd1;\nld.global.v2.u32 {%r1, %r2}, [%rd1+8];\n"
		"setp.lt.u32 %p1|_, %r1, 0x1F;\nL: st.shared.u32 [s+4], %r1;\n}\n.loc 1 2 3, inlined_at 1 2 3\nret;") ".global .u32 t[4] = {1, {2}};\n.file 1 \"x\"\n" CALLERS
														      ".entry j()\n{\n.reg .b32 %r<3>;\n.reg .pred %p<2>;\n"
														      ".reg .b64 %rd<2>;\na: .callprototype (.reg .b32 _) _ (.reg .b32 _, .reg .pred _);\nb: .calltargets f;\n"
														      "call (%r1), %rd1, (-1, %p1), a;\ncall (%r1), %rd1, (%r2), b;\n}\n";
	struct buf out = {0};
	uint32_t seed = 1;
	for (int round = 0; round < 3000; round++) {
		char text[sizeof good];
		memcpy(text, good, sizeof good);
		for (int i = 0; i < 1 + round % 4; i++) {
			seed = seed * 1664525 + 1013904223;
			text[seed % (sizeof good - 1)] = (char)(seed >> 24);
		}
		struct parsed p = {.arena = arena_new()};
		size_t len = round % 3 ? sizeof good - 1 : (size_t)round % sizeof good;
		p.module = ptx_parse(p.arena, "t.ptx", text, len, &p.diag);
		assert_true(p.module != NULL || p.diag.errors > 0);
		if (p.module)
			ptx_find_kernel(p.module, "k", &p.diag);
		const struct ptx_kernel *j = p.module ? ptx_find_kernel(p.module, "j", &p.diag) : NULL;
		for (int i = 0; j && i < ptx_instr_count(j); i++)
			ptx_instr_print(j, i, &out);
		buf_clear(&out);
		done(&p);
	}
	buf_free(&out);
}

static void every_row_is_well_formed(void **state)
{
	(void)state;
	for (int i = 0; i < PTX_OPS; i++) {
		const struct ptx_op_row *row = &ptx_op_rows[i];
		assert_true(strlen(row->meaning) > 0);
		for (const char *letter = row->operands; *letter; letter++)
			if (*letter != '?' && !ptx_letter_traits(*letter))
				fail_msg(
					"%s of ops.def has an operand '%c', which letters.def lacks", row->id, *letter);
		assert_true(strlen(row->operands) <= PTX_OPERANDS_MAX + 1);
		assert_true(row->types || !row->types2);
	}
}

static void combine(const char *a, const char *b, struct parsed *p, struct buf *text)
{
	const struct ptx_source sources[] = {{"a.cu", a, strlen(a)}, {"b.cu", b, strlen(b)}};
	*p = (struct parsed){.arena = arena_new()};
	if (ptx_combine(p->arena, sources, 2, text, &p->diag))
		p->module = ptx_parse(p->arena, "linked", buf_str(text), text->len, &p->diag);
}

#define OTHER_HEAD ".version 7.1\n.target sm_80\n.address_size 64\n"

/* Declared in one, defined in the other; names that each has for itself; line tables. */
static void source_files_are_combined(void **state)
{
	struct parsed p;
	struct buf text = {0};
	(void)state;
	combine(HEAD
		".extern .func (.param .b32 r) f(.param .b32 a);\n.extern .global .u32 counter;\n"
		".extern .shared .align 16 .b8 s[];\n.global .u32 own = 1;\n.weak .func w() { ret; }\n"
		".visible .entry k(.param .u64 out)\n{\n.reg .u32 %r; .loc 1 7 0, function_name $L1, inlined_at 1 2 3\n"
		"ld.global.u32 %r, [own]; st.global.u32 [counter], %r; ret;\n}\n"
		".file 1 \"a.cu\"\n.section .debug_str\n{\n$L1:\n.b8 97,0\n}\n.section .debug_loc { .b8 1 }\n",
		OTHER_HEAD
		".visible .global .u32 counter = 4;\n.extern .shared .align 16 .b8 s[];\n.global .u32 own = 2;\n"
		".weak .func w() { ret; }\n.global .u64 at = own;\n"
		".visible .func (.param .b32 r) f(.param .b32 a)\n{\n.reg .u32 %r; ld.global.u32 %r, [own]; .loc 1 9 0\n"
		"st.param.b32 [r], %r; ret;\n}\n.file 1 \"b.cu\"\n",
		&p, &text);
	const char *linked = buf_str(&text);
	if (!p.module)
		fprintf(stderr, "%s\n%s", linked, p.diag.count ? p.diag.entries[0].message : "");
	assert_non_null(p.module);
	assert_int_equal(p.diag.count, 0);
	assert_non_null(strstr(linked, ".version 7.1\n.target sm_80\n"));
	assert_non_null(strstr(linked, "[own$0]"));
	assert_non_null(strstr(linked, "[own$1]"));
	assert_non_null(strstr(linked, "= own$1;"));
	assert_non_null(strstr(linked, ".loc 4097 9 0"));
	assert_non_null(strstr(linked, ".file 4097 \"b.cu\""));
	assert_non_null(strstr(linked, ".visible .func (.param .b32 r) f(.param .b32 a);"));
	assert_null(strstr(linked, ".extern .global .u32 counter"));
	assert_null(strstr(linked, "debug_loc"));
	assert_non_null(ptx_find_kernel(p.module, "k", &p.diag));
	buf_free(&text);
	done(&p);
}

static void two_definitions_are_not_combined(void **state)
{
	struct parsed p;
	struct buf text = {0};
	(void)state;
	combine(HEAD ".visible .global .u32 counter;\n", HEAD ".visible .global .u32 counter;\n", &p, &text);
	assert_null(p.module);
	assert_int_equal(p.diag.errors, 1);
	assert_string_equal(p.diag.entries[0].message, "counter is defined twice: in a.cu and in b.cu");
	buf_free(&text);
	done(&p);
}

static struct ptx_target read_made_for(const char *line)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct buf text = {0};
	buf_printf(&text, ".version 8.6\n%s\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n", line);
	struct ptx_module *module = ptx_parse(arena, "k.ptx", buf_str(&text), text.len, &diag);
	assert_non_null(module);
	struct ptx_target target = ptx_built_for(module);
	buf_free(&text);
	diag_free(&diag);
	arena_free(arena);
	return target;
}

static void what_a_text_was_made_for_fits_gpus(void **state)
{
	static const struct {
		const char *line;
		int cc, fits, fits_not;
		char only;
	} cases[] = {
		{".target sm_75", 75, 75, 70, 0},
		{".target sm_75, texmode_independent", 75, 121, 70, 0},
		{".target sm_90", 90, 120, 89, 0},
		{".target sm_90a", 90, 90, 100, 'a'},
		{".target sm_100f", 100, 103, 120, 'f'},
		{".target sm_100f, debug", 100, 100, 90, 'f'},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ptx_target target = read_made_for(cases[i].line);
		assert_int_equal(target.cc, cases[i].cc);
		assert_int_equal(target.only, cases[i].only);
		assert_true(ptx_target_fits(target, cases[i].fits));
		assert_false(ptx_target_fits(target, cases[i].fits_not));
	}
	assert_int_equal(read_made_for(".target sm_").cc, 0);
	assert_true(ptx_target_fits(read_made_for(".target nothing_at_all_of_the_kind"), 20));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_text_was_made_for_fits_gpus),
		cmocka_unit_test(source_files_are_combined),
		cmocka_unit_test(two_definitions_are_not_combined),
		cmocka_unit_test(faults_name_their_place),
		cmocka_unit_test(faults_do_not_end_the_reading),
		cmocka_unit_test(unsupported_is_reported_when_looked_up),
		cmocka_unit_test(what_is_absent_has_no_row),
		cmocka_unit_test(sizes_of_blocks_and_clusters_are_numbers_of_32_bits),
		cmocka_unit_test(a_form_that_lacks_something_is_unsupported),
		cmocka_unit_test(a_text_cannot_exhaust_the_host),
		cmocka_unit_test(unknown_kernels_list_the_known),
		cmocka_unit_test(names_of_the_source_may_mean_several),
		cmocka_unit_test(variables_are_found_by_name),
		cmocka_unit_test(a_function_whose_address_is_taken_is_linked),
		cmocka_unit_test(parameters_and_variables_are_laid_out),
		cmocka_unit_test(initial_values_fill_arrays),
		cmocka_unit_test(places_follow_loc),
		cmocka_unit_test(inlined_code_belongs_to_its_caller),
		cmocka_unit_test(long_chains_lose_their_middle),
		cmocka_unit_test(equal_chains_are_one),
		cmocka_unit_test(scopes_hide_names),
		cmocka_unit_test(instructions_print_as_written),
		cmocka_unit_test(rarer_operands_print_as_written),
		cmocka_unit_test(wrong_textures_and_samplers_are_named),
		cmocka_unit_test(instructions_of_called_functions_follow_the_kernels),
		cmocka_unit_test(calls_print_as_written),
		cmocka_unit_test(what_cannot_be_called_is_reported_when_looked_up),
		cmocka_unit_test(indirect_calls_reach_what_they_may),
		cmocka_unit_test(branches_reconverge_at_the_post_dominator),
		cmocka_unit_test(ways_out_do_not_move_the_meeting_point),
		cmocka_unit_test(a_branch_encloses_what_the_source_indents),
		cmocka_unit_test(big_texts_parse_in_linear_time),
		cmocka_unit_test(damaged_texts_are_survived),
		cmocka_unit_test(every_row_is_well_formed),
	};
	return cmocka_run_group_tests_name("ptx", tests, NULL, NULL);
}
