/* Fuzz target of the debugger's variables: debug information in PTX. An input that says .version is a whole module; any
 * other is what stands after the code of tests/run/variables.ptx, in the place of its sections. All that is seen at
 * some steps is shown, and changed. Run it where tests/run lies, or with $top_srcdir set. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/debug_kernels.h"
#include "front/debug/object.h"

#define VARIABLES 64
#define PARTS 6
#define DEPTH 3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const struct debug_at *at, const struct debug_object *o, int depth)
{
	struct buf out = {0}, path = {0};
	struct debug_object part;
	struct number n;
	const char *why = NULL;
	debug_object_write(at, o, depth, &out);
	debug_object_write_type(at, o, &out);
	if (debug_object_is_number(at, o) && !debug_object_number(at, o, 31, &n, &why) && !why)
		abort(); /* it says why */
	for (uint64_t i = 0; i < PARTS && depth < DEPTH && debug_object_part(at, o, i, &part, &path); i++)
		show(at, &part, depth + 1);
	buf_free(&out);
	buf_free(&path);
}

static void show_all(struct debug *debug)
{
	struct debug_at at = debug_at_now(debug);
	int list[VARIABLES], n = debug_variables(&at, list, VARIABLES);
	for (int i = 0; i < n; i++) {
		static const char *const paths[][2] = {
			{"", ""}, {"*", ""}, {"", "[1]"}, {"", ".x"}, {"", "->x"}, {"", "[threadIdx.x].y"}};
		const char *name = debug_dwarf_name(debug->program->dwarf, list[i]);
		struct debug_object o;
		struct buf path = {0}, out = {0};
		debug_object_of(&at, list[i], &o);
		show(&at, &o, 0);
		for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
			struct diag diag = {0};
			buf_clear(&path);
			buf_printf(&path, "%s%s%s", paths[k][0], name, paths[k][1]);
			debug_write_expression(&at, buf_str(&path), 0x80000001, &out);
			if (debug_assign(debug, buf_str(&path), "lane + 1", 0x8001, &diag) != (diag.errors == 0))
				abort();
			diag_free(&diag);
		}
		buf_free(&path);
		buf_free(&out);
	}
}

/* The code of the module that sections are put behind. */
static void put_code(struct buf *out)
{
	static char *code;
	static struct arena *arena;
	size_t len;
	if (!arena) {
		arena = arena_new();
		code = debug_read(arena, "variables", ".ptx", &len);
		*strstr(code, "\t.section") = '\0';
	}
	buf_puts(out, code);
}

/* One whose kernel has another name or parameters is of no use here. */
static bool is_module(const char *text, size_t len)
{
	struct arena *arena = arena_new();
	struct diag diag = {0};
	struct ptx_module *module = ptx_parse(arena, "fuzz", text, len, &diag);
	const struct ptx_kernel *kernel = module ? ptx_find_kernel(module, "variables", &diag) : NULL;
	bool ok = kernel && ptx_param_count(kernel) == 4 && ptx_param_bytes(kernel) == 36;
	diag_free(&diag);
	arena_free(arena);
	return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const moves[] = {
		"goto 30", "goto 150", "break 14", "c", "reverse-step 3", "undo", "goto 200"};
	struct buf text = {0};
	if (!memmem(data, size, ".version", 8))
		put_code(&text);
	buf_append(&text, (const char *)data, size);
	if (is_module(buf_str(&text), text.len)) {
		struct opened o = debug_open_text("variables", buf_str(&text), text.len);
		show_all(o.debug);
		for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
			debug_do(o.debug, moves[i]);
			show_all(o.debug);
		}
		debug_close(&o);
	}
	buf_free(&text);
	return 0;
}

#include "replay.h"
