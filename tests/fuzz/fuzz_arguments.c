/* Fuzz target of what a user writes for a launch: each line is taken as an argument of a kernel, a size of a grid, a
 * specification of a GPU, an expression for the addresses of a warp and a list of them, what a variable holds, and a
 * mangled name. An argument that was read has the values that its text says: written and read again they are the
 * same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "cmd/access.h"
#include "gpu/client/private.h"
#include "machine/launch/launch.h"

#define FILL_MAX ((size_t)1 << 16)
#define LINES 20

static void check_faults(bool read, struct diag *diag, size_t len)
{
	if (read != (diag->errors == 0))
		abort();
	for (size_t i = 0; i < diag->count; i++)
		if ((size_t)diag->entries[i].col > len + 1 || !*diag->entries[i].message)
			abort();
	diag_free(diag);
	*diag = (struct diag){0};
}

/* Every element as text gives the same bytes, but for the payload of a NaN. */
static void check_elements(struct arena *arena, const struct launch_arg *arg)
{
	size_t size = launch_type_size(arg->type), bytes = launch_arg_bytes(arg);
	char *filled = arena_alloc(arena, bytes + 1);
	struct diag diag = {0};
	if (bytes != size * arg->count)
		abort();
	launch_arg_fill(arg, filled);
	for (size_t i = 0; i < arg->count && i < 8; i++) {
		struct launch_arg again;
		struct buf text = {0};
		buf_printf(&text, "%s:", launch_type_name(arg->type));
		launch_format(arg->type, filled, i, &text);
		double number = launch_number(arg->type, filled, i);
		if (!launch_arg_parse(arena, NULL, buf_str(&text), &again, &diag) || again.count != 1 || again.buffer)
			abort();
		if (number == number && memcmp(again.bytes, filled + i * size, size) != 0)
			abort();
		buf_free(&text);
	}
	diag_free(&diag);
}

/* Addresses lie in the bytes of what they are in, which are 0 there, and do not overlap; what they point to is an
 * argument, too. */
static void check_pointers(struct arena *arena, const struct launch_arg *arg, int depth)
{
	size_t bytes = launch_arg_bytes(arg), end = 0;
	uint64_t hole = 0;
	if (depth > 16 || (arg->n_pointers && (arg->fill != LAUNCH_VALUES || bytes > LAUNCH_STRUCT_MAX)))
		abort();
	for (int i = 0; i < arg->n_pointers; i++) {
		const struct launch_pointer *p = &arg->pointers[i];
		if (p->offset < end || p->offset % 8 || p->offset + 8 > bytes)
			abort();
		memcpy(&hole, (const char *)arg->bytes + p->offset, 8);
		if (hole || (p->to == LAUNCH_TO_BUFFER) != (p->buffer != NULL) ||
			(p->to != LAUNCH_TO_BUFFER) != (p->name != NULL))
			abort();
		end = p->offset + 8;
		if (p->buffer && !p->buffer->buffer)
			abort();
		if (p->buffer)
			check_pointers(arena, p->buffer, depth + 1);
	}
	if (arg->is_struct && (!arg->align || bytes % arg->align))
		abort();
}

/* A name is asked for by what it says in the source. */
static void read_name(struct arena *arena, const char *line)
{
	struct demangled d;
	const char *signature = demangle_signature(arena, line);
	if (demangle(arena, line, &d) && (!demangle_is(arena, line, signature) || !demangle_is(arena, line, d.name)))
		abort();
}

static void read_set(struct arena *arena, const char *line)
{
	struct launch_set set;
	struct diag diag = {0};
	bool read = launch_set_parse(arena, NULL, line, &set, &diag);
	check_faults(read, &diag, strlen(line));
	if (read && !*set.variable)
		abort();
	if (read)
		check_pointers(arena, &set.value, 0);
}

static void read_argument(struct arena *arena, const char *line)
{
	struct launch_arg arg;
	struct diag diag = {0};
	/* Without a name for messages, as it is for arguments of lessons: files are not read. */
	bool read = launch_arg_parse(arena, NULL, line, &arg, &diag);
	check_faults(read, &diag, strlen(line));
	if (read && launch_arg_bytes(&arg) > LAUNCH_BUFFER_MAX)
		abort();
	if (read && launch_arg_bytes(&arg) <= FILL_MAX)
		check_elements(arena, &arg);
	if (read)
		check_pointers(arena, &arg, 0);
}

static void read_access(struct arena *arena, const char *line, struct warp_access access)
{
	struct diag diag = {0};
	bool read = cmd_access_parse_expr(arena, line, &access, &diag);
	check_faults(read, &diag, strlen(line));
	if (read)
		access_cost(&access, MODEL_CC_DEFAULT);
	read = cmd_access_parse_offsets(line, &access, &diag);
	check_faults(read, &diag, strlen(line));
	if (read)
		access_cost(&access, MODEL_CC_DEFAULT);
}

static void read_line(struct arena *arena, const char *line)
{
	struct diag diag = {0};
	struct spec spec;
	uint32_t dims[3];
	bool read;

	read_argument(arena, line);
	read_set(arena, line);
	read_name(arena, line);
	read = launch_dim_parse("--grid", line, dims, &diag);
	check_faults(read, &diag, strlen(line));
	if (read && (!dims[0] || !dims[1] || !dims[2] || dims[0] > INT32_MAX || dims[1] > 65535 || dims[2] > 65535))
		abort();
	read = gpu_spec_parse(arena, line, "/worker", (struct diag_pos){0}, &spec, &diag);
	check_faults(read, &diag, strlen(line));
	read_access(arena, line, (struct warp_access){.space = SPACE_SHARED, .op = ACCESS_LOAD, .width = 4});
	read_access(arena, line, (struct warp_access){.space = SPACE_GLOBAL, .op = ACCESS_STORE, .width = 16});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	char *line = arena_strndup(arena, (const char *)data, size), *end = line + strlen(line);
	for (int i = 0; i < LINES && line < end; i++) {
		char *next = line + strcspn(line, "\n");
		*next = '\0';
		read_line(arena, line);
		line = next + 1;
	}
	arena_free(arena);
	return 0;
}

#include "replay.h"
