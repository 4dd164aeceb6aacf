/* The layouts that readers see are those of the machine: products of matrices that were laid out by them come out
 * right. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/buf.h"
#include "machine/ptx/matrix.h"
#include "machine/ptx/ptx.h"
#include "machine/simt/simt.h"

#define WORDS 65536
#define A_AT 0
#define B_AT 8192
#define D_AT 16384
#define SHARED_WORDS 2048

struct bench {
	struct arena *arena;
	struct simt_memory *memory;
	uint64_t address;
	uint32_t *words;
	struct warp_tiles tiles;
};

static void start(struct bench *b, const char *opcode)
{
	memset(b, 0, sizeof *b);
	b->arena = arena_new();
	b->memory = simt_memory_new(1 << 20);
	b->address = simt_memory_alloc(b->memory, WORDS * 4);
	b->words = simt_memory_at(b->memory, b->address, WORDS * 4);
	const char *why = ptx_tiles_of_opcode(b->arena, opcode, &b->tiles);
	if (why)
		fail_msg("%s: %s", opcode, why);
}

static void done(struct bench *b)
{
	simt_memory_free(b->memory);
	arena_free(b->arena);
}

/* `body` has %rd0, the buffer, %r0, the thread, and %rd1, the thread's first word in it. */
static void run(struct bench *b, const char *declarations, const char *body, uint32_t threads)
{
	static const char head[] =
		".version 8.0\n.target sm_90a\n.address_size 64\n"
		".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
		".shared .align 1024 .b8 tile[8192];\n";
	static const char start[] = "ld.param.u64 %rd0, [out];\nmov.u32 %r0, %tid.x;\nmul.wide.u32 %rd1, %r0, 4;\n"
				    "add.s64 %rd1, %rd0, %rd1;\n";
	struct buf text = {0};
	struct diag diag = {0};
	struct simt_result result;
	buf_printf(&text, "%s%s%s%s\nret;\n}\n", head, declarations, start, body);
	struct ptx_module *m = ptx_parse(b->arena, "t.ptx", buf_str(&text), text.len, &diag);
	if (diag.count)
		fail_msg("%d: %s\n%s", diag.entries[0].line, diag.entries[0].message, buf_str(&text));
	struct simt_launch launch = {.kernel = ptx_find_kernel(m, NULL, &diag),
		.grid = {1, 1, 1},
		.block = {threads, 1, 1},
		.params = &b->address,
		.limits.steps = 100000};
	simt_run(&launch, b->memory, &result);
	if (result.outcome != SIMT_OK)
		fail_msg("%s\n%s", result.message, buf_str(&text));
	buf_free(&text);
	diag_free(&diag);
}

/* --- elements: whole numbers from 0 to 3 -------------------------------------------------------------------------- */

static uint64_t bits_of(const char *type, int v)
{
	static const uint16_t half[] = {0, 0x3C00, 0x4000, 0x4200};
	static const uint32_t single[] = {0, 0x3F800000, 0x40000000, 0x40400000};
	static const uint64_t wide[] = {0, 0x3FF0000000000000, 0x4000000000000000, 0x4008000000000000};
	return strcmp(type, "f16") == 0                                 ? half[v]
		: strcmp(type, "tf32") == 0 || strcmp(type, "f32") == 0 ? single[v]
		: strcmp(type, "f64") == 0                              ? wide[v]
									: (uint64_t)v;
}

/* Register r of lane i is word 32 * r + i, of .f64 two of them. */
static void put(uint32_t *words, const struct warp_tile *t, int lane, int e, int v)
{
	uint32_t *at = words + (size_t)(e / t->packed * WARP_SIZE + lane) * (t->bits > 32 ? 2 : 1);
	uint64_t bits = bits_of(t->type, v);
	if (t->bits >= 32)
		memcpy(at, &bits, t->bits / 8);
	else
		*at |= (uint32_t)bits << e % t->packed * t->bits;
}

static double number_at(const uint32_t *words, const struct warp_tile *t, int lane, int e)
{
	const uint32_t *at = words + (size_t)(e / t->packed * WARP_SIZE + lane) * (t->bits > 32 ? 2 : 1);
	float f;
	double d;
	memcpy(&f, at, sizeof f);
	if (t->bits > 32)
		memcpy(&d, at, sizeof d);
	else
		d = strcmp(t->type, "f32") == 0 ? (double)f : (double)(int32_t)*at;
	return d;
}

static int value_at(const struct warp_tile *t, int number)
{
	return (number * 7 + number / t->columns * 5 + t->name) % 4;
}

/* Of warp `warp`. */
static void lay_out(uint32_t *words, const struct warp_tile *t, int warp)
{
	int before = warp * t->rows / t->warps * t->columns;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		for (int e = 0; e < t->each; e++)
			put(words, t, lane, e, value_at(t, before + warp_tile_number(t, lane, e % t->distinct)));
}

static void check_product(const uint32_t *words, const struct warp_tiles *tiles, int warp)
{
	const struct warp_tile *a = &tiles->at[0], *b = &tiles->at[1], *d = &tiles->at[2];
	int before = warp * d->rows / d->warps;
	for (int lane = 0; lane < WARP_SIZE; lane++)
		for (int e = 0; e < d->each; e++) {
			int number = warp_tile_number(d, lane, e), row = before + number / d->columns,
			    column = number % d->columns, sum = 0;
			for (int k = 0; k < a->columns; k++)
				sum += value_at(a, row * a->columns + k) * value_at(b, k * b->columns + column);
			if (number_at(words, d, lane, e) != sum)
				fail_msg("%s: lane %d, element %d: %g, and D[%d][%d] is %d", tiles->name, lane, e,
					number_at(words, d, lane, e), row, column, sum);
		}
}

/* --- products ----------------------------------------------------------------------------------------------------- */

/* "{%a0, %a1}" */
static void write_vector(struct buf *out, char letter, int n)
{
	for (int i = 0; i < n; i++)
		buf_printf(out, "%s%%%c%d", i ? ", " : "{", letter, i);
	buf_puts(out, "}");
}

/* Loads or stores of the registers of a tile, at a word of the buffer. */
static void write_registers(struct buf *body, const struct bench *b, int i, const char *op, int at)
{
	const struct warp_tile *t = &b->tiles.at[i];
	int bytes = t->bits > 32 ? 8 : 4;
	for (int r = 0; r < warp_tile_registers(t); r++) {
		char name[16], place[32];
		snprintf(name, sizeof name, "%%%c%d", "abd"[i], r);
		snprintf(place, sizeof place, "[%%rd%d+%d]", bytes / 4, 4 * at + r * WARP_SIZE * bytes);
		bool load = strcmp(op, "ld") == 0;
		buf_printf(body, "%s.global.b%d %s, %s;\n", op, 8 * bytes, load ? name : place, load ? place : name);
	}
}

static const char *register_type(const struct warp_tile *t)
{
	return t->bits == 64 ? ".f64" : strcmp(t->type, "f32") == 0 ? ".f32" : ".b32";
}

static void declare(struct buf *out, const struct warp_tiles *tiles)
{
	for (int i = 0; i < tiles->n; i++)
		buf_printf(out, ".reg %s %%%c<%d>;\n", register_type(&tiles->at[i]), "abd"[i],
			warp_tile_registers(&tiles->at[i]) + 1);
}

static void multiply(const char *opcode)
{
	struct bench b;
	struct buf body = {0}, declarations = {0};
	start(&b, opcode);
	const struct warp_tile *t = b.tiles.at;
	lay_out(b.words + A_AT, &t[0], 0);
	lay_out(b.words + B_AT, &t[1], 0);
	declare(&declarations, &b.tiles);
	buf_puts(&body, "mul.wide.u32 %rd2, %r0, 8;\nadd.s64 %rd2, %rd0, %rd2;\n");
	write_registers(&body, &b, 0, "ld", A_AT);
	write_registers(&body, &b, 1, "ld", B_AT);
	write_registers(&body, &b, 2, "ld", D_AT);
	buf_printf(&body, "%s ", opcode);
	for (const char *letter = "dabd"; *letter; letter++) {
		const struct warp_tile *of = *letter == 'd' ? &t[2] : *letter == 'a' ? &t[0] : &t[1];
		buf_puts(&body, letter[0] == 'd' && letter[1] == 'a' ? "" : ", ");
		write_vector(&body, *letter, warp_tile_registers(of));
	}
	buf_puts(&body, ";\n");
	write_registers(&body, &b, 2, "st", D_AT);
	run(&b, buf_str(&declarations), buf_str(&body), WARP_SIZE);
	check_product(b.words + D_AT, &b.tiles, 0);
	buf_free(&body);
	buf_free(&declarations);
	done(&b);
}

static void products_of_what_is_laid_out_are_right(void **state)
{
	(void)state;
	static const char *const opcodes[] = {
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
		"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32",
		"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
		"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32",
		"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32",
		"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
		"mma.sync.aligned.m8n8k32.row.col.s32.u4.u4.s32",
		"mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32",
		"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
		"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64",
		"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
		"wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32",
		"wmma.mma.sync.aligned.row.col.m8n32k16.f32.f32",
		"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32",
		"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
		"wmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32",
	};
	for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
		multiply(opcodes[i]);
}

/* --- ldmatrix and its like ---------------------------------------------------------------------------------------- */

/* Halfword h of shared memory is h; lane i has the address of row i. */
static const char
	fill_shared[] = "mov.u32 %r1, tile;\nshl.b32 %r2, %r0, 4;\nadd.u32 %r1, %r1, %r2;\n"
			"mul.lo.u32 %r2, %r0, 0x80008;\nadd.u32 %r2, %r2, 0x10000;\n"
			"st.shared.b32 [%r1], %r2;\nadd.u32 %r2, %r2, 0x20002;\nst.shared.b32 [%r1+4], %r2;\n"
			"add.u32 %r2, %r2, 0x20002;\nst.shared.b32 [%r1+8], %r2;\nadd.u32 %r2, %r2, 0x20002;\n"
			"st.shared.b32 [%r1+12], %r2;\nbar.warp.sync -1;\n";

static void load_matrices(const char *opcode)
{
	struct bench b;
	struct buf body = {0};
	start(&b, opcode);
	const struct warp_tile *t = &b.tiles.at[0];
	buf_printf(&body, "%s%s ", fill_shared, opcode);
	write_vector(&body, 'd', warp_tile_registers(t));
	buf_puts(&body, ", [%r1];\n");
	for (int r = 0; r < warp_tile_registers(t); r++)
		buf_printf(&body, "st.global.b32 [%%rd1+%d], %%d%d;\n", r * WARP_SIZE * 4, r);
	run(&b, ".reg .b32 %d<5>;\n", buf_str(&body), WARP_SIZE);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		for (int e = 0; e < t->each; e++) {
			int got = (int)(b.words[e / 2 * WARP_SIZE + lane] >> e % 2 * 16 & 0xFFFF);
			assert_int_equal(got, warp_tile_number(t, lane, e));
		}
	buf_free(&body);
	done(&b);
}

static void matrices_are_loaded_where_it_says(void **state)
{
	(void)state;
	load_matrices("ldmatrix.sync.aligned.m8n8.x1.shared.b16");
	load_matrices("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
	load_matrices("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
	load_matrices("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16");
}

/* Register 0 of lane i has elements 2i and 2i + 1 of S. */
static void a_matrix_is_moved_where_it_says(void **state)
{
	(void)state;
	struct bench b;
	start(&b, "movmatrix.sync.aligned.m8n8.trans.b16");
	run(&b, "",
		"mul.lo.u32 %r1, %r0, 0x20002;\nadd.u32 %r1, %r1, 0x10000;\n"
		"movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\nst.global.b32 [%rd1], %r2;\n",
		WARP_SIZE);
	for (int lane = 0; lane < WARP_SIZE; lane++)
		for (int e = 0; e < 2; e++) {
			assert_int_equal(warp_tile_number(&b.tiles.at[0], lane, e), 2 * lane + e);
			assert_int_equal(b.words[lane] >> e * 16 & 0xFFFF, warp_tile_number(&b.tiles.at[1], lane, e));
		}
	done(&b);
}

/* --- wgmma -------------------------------------------------------------------------------------------------------- */

/* B in shared memory, chunks of 8 elements along K: 128 bytes from one core matrix to the next along K, 256 along N. */
static void put_b(uint32_t *words, const struct warp_tile *t)
{
	for (int k = 0; k < t->rows; k++)
		for (int n = 0; n < t->columns; n++) {
			int byte = n / 8 * 256 + k / 8 * 128 + n % 8 * 16 + k % 8 * 2;
			words[byte / 4] |= (uint32_t)bits_of("f16", value_at(t, k * t->columns + n)) << byte % 4 * 8;
		}
}

static void a_group_multiplies_what_is_laid_out(void **state)
{
	(void)state;
	struct bench b;
	struct buf body = {0}, declarations = {0};
	start(&b, "wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16");
	const struct warp_tile *a = &b.tiles.at[0], *d = &b.tiles.at[2];
	int n_a = warp_tile_registers(a), n_d = warp_tile_registers(d);
	assert_int_equal(a->place, TILE_IN_SHARED);
	assert_int_equal(a->warps, 4);
	for (int warp = 0; warp < 4; warp++)
		lay_out(b.words + A_AT + warp * n_a * WARP_SIZE, a, warp);
	put_b(b.words + B_AT, &b.tiles.at[1]);
	declare(&declarations, &b.tiles);
	buf_printf(&body,
		"shl.b32 %%r1, %%r0, 2;\nmov.u32 %%r2, tile;\nadd.u32 %%r1, %%r1, %%r2;\n"
		"and.b32 %%r3, %%r0, 31;\nshr.u32 %%r4, %%r0, 5;\n"
		"mul.lo.u32 %%r5, %%r4, %d;\nadd.u32 %%r5, %%r5, %%r3;\nmul.wide.u32 %%rd2, %%r5, 4;\nadd.s64 %%rd2, %%rd0, %%rd2;\n"
		"mul.lo.u32 %%r5, %%r4, %d;\nadd.u32 %%r5, %%r5, %%r3;\nmul.wide.u32 %%rd3, %%r5, 4;\nadd.s64 %%rd3, %%rd0, %%rd3;\n",
		n_a * WARP_SIZE, n_d * WARP_SIZE);
	for (int i = 0; i < 2; i++) /* 768 bytes */
		buf_printf(&body, "ld.global.b32 %%r5, [%%rd1+%d];\nst.shared.b32 [%%r1+%d], %%r5;\n",
			B_AT * 4 + i * 512, i * 512);
	for (int r = 0; r < n_a; r++)
		buf_printf(&body, "ld.global.b32 %%a%d, [%%rd2+%d];\n", r, A_AT * 4 + r * WARP_SIZE * 4);
	for (int r = 0; r < n_d; r++)
		buf_printf(&body, "mov.f32 %%d%d, 0f00000000;\n", r);
	buf_puts(&body,
		"bar.sync 0;\nfence.proxy.async;\nshr.u32 %r2, %r2, 4;\ncvt.u64.u32 %rd4, %r2;\n"
		"or.b64 %rd4, %rd4, 0x0000001000080000;\nsetp.ne.u32 %p0, %r0, %r0;\nwgmma.fence.sync.aligned;\n"
		"wgmma.mma_async.sync.aligned.m64n24k16.f32.f16.f16 ");
	write_vector(&body, 'd', n_d);
	buf_puts(&body, ", ");
	write_vector(&body, 'a', n_a);
	buf_puts(&body, ", %rd4, %p0, 1, 1, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
	for (int r = 0; r < n_d; r++)
		buf_printf(&body, "st.global.f32 [%%rd3+%d], %%d%d;\n", D_AT * 4 + r * WARP_SIZE * 4, r);
	run(&b, buf_str(&declarations), buf_str(&body), 4 * WARP_SIZE);
	for (int warp = 0; warp < 4; warp++)
		check_product(b.words + D_AT + warp * n_d * WARP_SIZE, &b.tiles, warp);
	buf_free(&body);
	buf_free(&declarations);
	done(&b);
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* Each element of a tile belongs to one lane; of four products at once, to four. */
static void every_element_has_a_lane(void **state)
{
	(void)state;
	static const char *const opcodes[] = {
		"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
		"mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16",
		"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc",
		"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
		"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16",
		"wmma.store.d.sync.aligned.row.m8n32k16.f32",
	};
	static uint8_t seen[4096];
	for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++) {
		struct bench b;
		start(&b, opcodes[i]);
		for (int k = 0; k < b.tiles.n; k++) {
			const struct warp_tile *t = &b.tiles.at[k];
			if (t->place == TILE_IN_SHARED && t->warps == 1)
				continue;
			memset(seen, 0, sizeof seen);
			for (int lane = 0; lane < WARP_SIZE; lane++)
				for (int e = 0; e < t->distinct; e++)
					seen[warp_tile_number(t, lane, e)]++;
			for (int n = 0; n < t->rows / t->warps * t->columns; n++)
				assert_int_equal(seen[n], b.tiles.products);
		}
		done(&b);
	}
}

static void what_is_none_is_said(void **state)
{
	(void)state;
	struct arena *arena = arena_new();
	struct warp_tiles tiles;
	assert_string_equal(ptx_tiles_of_opcode(arena, "add.f32", &tiles), "it is not an instruction on matrices");
	assert_string_equal(ptx_tiles_of_opcode(arena, "frobnicate", &tiles), "there is no such instruction");
	assert_non_null(ptx_tiles_of_opcode(arena, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f64.f32", &tiles));
	assert_int_equal(tiles.n, 0);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(products_of_what_is_laid_out_are_right),
		cmocka_unit_test(matrices_are_loaded_where_it_says),
		cmocka_unit_test(a_matrix_is_moved_where_it_says),
		cmocka_unit_test(a_group_multiplies_what_is_laid_out),
		cmocka_unit_test(every_element_has_a_lane),
		cmocka_unit_test(what_is_none_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
