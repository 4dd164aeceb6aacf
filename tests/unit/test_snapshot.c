#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/hash.h"
#include "machine/ptx/program.h"
#include "machine/snapshot/format.h"
#include "machine/snapshot/snapshot.h"
#include "model/profile/profile.h"

/* Follows a pointer in memory, adds a constant and a variable, counts in the variable. */
static const char
	text[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
		 ".const .align 4 .b32 c = 7;\n.global .align 4 .b32 g = 100;\n"
		 ".visible .entry k(.param .u64 list)\n{\n.reg .b32 %r<6>;\n.reg .b64 %rd<4>;\n"
		 "ld.param.u64 %rd0, [list];\nld.global.u64 %rd1, [%rd0];\nld.global.u32 %r0, [%rd1];\n"
		 "ld.const.u32 %r1, [c];\nld.global.u32 %r2, [g];\nadd.s32 %r0, %r0, %r1;\nadd.s32 %r0, %r0, %r2;\n"
		 "st.global.u32 [%rd1+4], %r0;\nadd.s32 %r2, %r2, 1;\nst.global.u32 [g], %r2;\nret;\n}\n";

struct kept_bench {
	struct arena *arena;
	struct diag diag;
	struct ptx_module *module;
	struct simt_memory *memory;
	struct simt_variables *variables;
	uint64_t list, values;
	struct buf file;
};

static uint32_t *word(const struct simt_memory *memory, uint64_t address)
{
	return simt_memory_at(memory, address, 4);
}

/* The variable has been counted in before, and one buffer was given back. */
static void make_device(struct kept_bench *b)
{
	struct simt_variable g;
	*b = (struct kept_bench){.arena = arena_new(), .memory = simt_memory_new(1 << 20)};
	b->module = ptx_parse(b->arena, "t.ptx", text, strlen(text), &b->diag);
	assert_non_null(b->module);
	uint64_t gone = simt_memory_alloc(b->memory, 300);
	b->list = simt_memory_alloc(b->memory, 8);
	b->values = simt_memory_alloc(b->memory, 5000);
	b->variables = simt_variables_new(b->memory, b->module, SIMT_GLOBALS_APART);
	assert_true(simt_memory_release(b->memory, gone));
	memcpy(simt_memory_at(b->memory, b->list, 8), &b->values, 8);
	*word(b->memory, b->values) = 5;
	*word(b->memory, b->values + 4996) = 0xABCDEF;
	assert_true(simt_variables_find(b->variables, "g", &g));
	*(uint32_t *)g.bytes = 0; /* not what it was at first */
}

static const char *place_of(void *ctx, uint64_t address, bool *shared)
{
	const struct kept_bench *b = ctx;
	*shared = address == b->list;
	return address == b->values ? "main.cu:12" : "";
}

static void keep_launch(struct kept_bench *b, bool with_after)
{
	struct snapshot what = {.kernel = "k",
		.place = "main.cu:41",
		.ptx = text,
		.ptx_len = strlen(text),
		.number = 3,
		.cc = 90,
		.grid = {1, 1, 1},
		.block = {1, 1, 1},
		.params = (const uint8_t *)&b->list,
		.n_params = 8};
	struct simt_result result;
	make_device(b);
	struct simt_launch launch = {.kernel = ptx_find_kernel(b->module, "k", &b->diag),
		.grid = {1, 1, 1},
		.block = {1, 1, 1},
		.params = &b->list,
		.variables = b->variables};
	struct snapshot_writer *writer = snapshot_begin(&what, b->memory, b->variables, place_of, b);
	assert_non_null(writer);
	simt_run(&launch, b->memory, &result);
	assert_int_equal(result.outcome, SIMT_OK);
	if (with_after)
		snapshot_after(writer, &what, b->memory);
	snapshot_end(writer, &b->file);
}

static void close_device(struct kept_bench *b)
{
	simt_variables_free(b->variables);
	simt_memory_free(b->memory);
	buf_free(&b->file);
	diag_free(&b->diag);
	arena_free(b->arena);
}

static struct snapshot *parse(struct kept_bench *b)
{
	return snapshot_parse(b->arena, "t.launch", b->file.data, b->file.len, &b->diag);
}

static void a_launch_comes_back_as_it_was(void **state)
{
	struct kept_bench b;
	(void)state;
	keep_launch(&b, true);
	const struct snapshot *s = parse(&b);
	assert_non_null(s);
	assert_string_equal(s->kernel, "k");
	assert_string_equal(s->place, "main.cu:41");
	assert_string_equal(s->ptx, text);
	assert_true(s->ended);
	assert_int_equal(s->number, 3);
	assert_int_equal(s->n_buffers, 4);
	assert_true(s->buffers[0].freed);
	assert_true(s->buffers[1].shared_with_host);
	assert_int_equal(s->buffers[2].address, b.values);
	assert_string_equal(s->buffers[2].place, "main.cu:12");
	close_device(&b);
}

static void it_runs_as_it_did(void **state)
{
	struct kept_bench b;
	struct launch launch;
	(void)state;
	keep_launch(&b, true);
	const struct snapshot *s = parse(&b);
	snapshot_launch(s, &launch);
	struct profile_device *device = profile_device_open(b.module, &launch, NULL, &b.diag);
	assert_non_null(device);
	assert_int_equal(*word(device->memory, b.values + 4), 0);
	assert_int_equal(*word(device->memory, b.values + 4996), 0xABCDEF);
	struct profile *p = profile_run_on(b.arena, device, &launch, (struct profile_watch){0}, &b.diag);
	assert_non_null(p);
	assert_int_equal(p->result.outcome, SIMT_OK);
	assert_int_equal(*word(device->memory, b.values + 4), 5 + 7 + 0);
	assert_int_equal(snapshot_compare(s, device->memory).first, -1);
	/* and what is not so is found */
	*word(device->memory, b.values + 8) = 0x100;
	struct snapshot_difference d = snapshot_compare(s, device->memory);
	assert_int_equal(d.first, 2);
	assert_int_equal(d.at, 9);
	assert_int_equal(d.now, 1);
	assert_int_equal(d.bytes, 1);
	profile_device_free(device);
	close_device(&b);
}

static void one_that_was_stopped_has_no_after(void **state)
{
	struct kept_bench b;
	(void)state;
	keep_launch(&b, false);
	const struct snapshot *s = parse(&b);
	assert_non_null(s);
	assert_false(s->ended);
	assert_false(s->buffers[2].kept_after);
	close_device(&b);
}

/* With the checksum of what it has become. */
static void sign(struct buf *file)
{
	uint64_t sum = hash_bytes(HASH_START, file->data, file->len - 8);
	for (int i = 0; i < 8; i++)
		file->data[file->len - 8 + (size_t)i] = (char)(sum >> 8 * i);
}

static void a_damaged_file_is_refused(void **state)
{
	struct kept_bench b;
	(void)state;
	keep_launch(&b, true);
	for (size_t i = 0; i < b.file.len; i++) {
		b.file.data[i] ^= 1;
		assert_null(parse(&b));
		b.file.data[i] ^= 1;
	}
	size_t len = b.file.len;
	for (b.file.len = 0; b.file.len < len; b.file.len++)
		assert_null(parse(&b));
	close_device(&b);
}

/* A stranger can sign a file, too. Whatever is in it, it is refused, or runs. */
static void a_hostile_file_is_harmless(void **state)
{
	static const uint8_t values[] = {0, 1, 0x7F, 0x80, 0xFF};
	struct kept_bench b;
	int ran = 0, refused = 0;
	(void)state;
	keep_launch(&b, true);
	for (size_t i = SNAPSHOT_MARK_BYTES + 8; i < b.file.len - 8; i++) {
		char was = b.file.data[i];
		if (b.file.data + i > (char *)memmem(b.file.data, b.file.len, ".version", 8) &&
			b.file.data + i < (char *)memmem(b.file.data, b.file.len, "ret;\n}\n", 7))
			continue; /* PTX has its own tests */
		for (size_t v = 0; v < sizeof values; v++) {
			struct arena *arena = arena_new();
			struct diag diag = {0};
			struct simt_memory *memory;
			struct simt_variables *variables;
			b.file.data[i] = (char)values[v];
			sign(&b.file);
			struct snapshot *s = snapshot_parse(arena, "t.launch", b.file.data, b.file.len, &diag);
			bool ok = s && snapshot_restore(s, b.module, &memory, &variables, &diag);
			assert_true(ok == (diag.errors == 0));
			if (ok) {
				snapshot_compare(s, memory);
				snapshot_textures(s, memory, arena);
				simt_variables_free(variables);
				simt_memory_free(memory);
			}
			ok ? ran++ : refused++;
			diag_free(&diag);
			arena_free(arena);
		}
		b.file.data[i] = was;
	}
	assert_true(ran > 0);
	assert_true(refused > 0);
	close_device(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch_comes_back_as_it_was),
		cmocka_unit_test(it_runs_as_it_did),
		cmocka_unit_test(one_that_was_stopped_has_no_after),
		cmocka_unit_test(a_damaged_file_is_refused),
		cmocka_unit_test(a_hostile_file_is_harmless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
