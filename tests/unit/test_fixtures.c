/* Runs every tests/ptx/NAME.ptx as its own comments say:
 *
 *   // launch: grid X[,Y[,Z]] block X[,Y[,Z]] [cluster X[,Y[,Z]]] [shared BYTES]; arg ARG; arg ARG ...     (ARG as for simttutor run --arg)
 *   // expect N: VALUES          the whole buffer N afterwards, or with a last "..." its beginning
 *   // expect-near N ABSOLUTE: VALUES         floats: each no farther from its value than that; what the manual's bounds of
 *                             approximate instructions come to, on a GPU too
 *   // no-gpu: WHY              tests/gpu/fixtures.sh leaves it out
 *   // no-gpu N: WHY            it does not compare buffer N
 *   // expect-print TEXT         a line of what the kernel prints; all such lines together are everything that it does
 *   // expect-outcome defect|limit|error TEXT      instead of success; TEXT is part of the message
 *   // expect-error LINE:COL TEXT                  the PTX is refused there
 *
 * A test of its own is that every row of the instruction table was executed by a fixture that succeeded. */
#include <glob.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "machine/launch/launch.h"
#include "machine/ptx/instr.h"
#include "machine/ptx/ops.h"
#include "machine/simt/simt.h"

#define MEMORY ((size_t)64 << 20)

struct fixture {
	const char *name;
	const char *text;
	struct arena *arena;
	struct diag diag;
	struct launch launch;
	struct ptx_module *module;
	const struct ptx_kernel *kernel;
	struct simt_memory *memory;
	uint64_t buffers[LAUNCH_ARGS_MAX];
	struct simt_texture textures[LAUNCH_ARGS_MAX];
	uint32_t n_textures;
	struct simt_result result;
	struct buf printed;
	bool covered[PTX_OPS];
	struct buf why; /* of the failure */
};

static bool executed[PTX_OPS];

/* --- what the comments say ---------------------------------------------------------------------------------------- */

/* The rest of the next line that begins with `key`, copied; `*at` moves past it. NULL when there is none. */
static char *next_line(struct fixture *f, const char *key, const char **at)
{
	for (const char *line = *at; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, strlen(key)) != 0)
			continue;
		const char *rest = line + strlen(key);
		*at = rest;
		return arena_strndup(f->arena, rest, strcspn(rest, "\n"));
	}
	return NULL;
}

static bool parse_part(struct fixture *f, char *part)
{
	char word[8], value[64];
	part += strspn(part, " ");
	if (!strncmp(part, "arg ", 4)) {
		part += 4;
		const char *brace = strchr(part, '}'); /* of a texture */
		part[brace ? (size_t)(brace - part) + 1 : strcspn(part, " ;")] = '\0';
		return f->launch.n_args < LAUNCH_ARGS_MAX &&
			launch_arg_parse(f->arena, f->name, part, &f->launch.args[f->launch.n_args++], &f->diag);
	}
	for (int used; sscanf(part, " %7s %63s%n", word, value, &used) == 2; part += used) {
		if (!strcmp(word, "grid") ? !launch_dim_parse(f->name, value, f->launch.grid, &f->diag)
					  : !strcmp(word, "block") &&
					!launch_dim_parse(f->name, value, f->launch.block, &f->diag))
			return false;
		if (!strcmp(word, "cluster") && !launch_dim_parse(f->name, value, f->launch.cluster, &f->diag))
			return false;
		if (!strcmp(word, "shared"))
			f->launch.shared = (uint32_t)strtoul(value, NULL, 10);
	}
	return true;
}

static bool parse_launch(struct fixture *f)
{
	const char *at = f->text;
	char *line = next_line(f, "// launch:", &at), *save = NULL;
	if (!line) {
		buf_puts(&f->why, "it has no launch line");
		return false;
	}
	f->launch.args = arena_array(f->arena, struct launch_arg, LAUNCH_ARGS_MAX);
	for (char *part = strtok_r(line, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
		if (!parse_part(f, part)) {
			diag_format(&f->diag, &f->why);
			return false;
		}
	}
	return true;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static void on_step(void *ctx, const struct simt_site *site, uint32_t active, uint32_t executing)
{
	struct fixture *f = ctx;
	(void)active;
	if (!executing)
		return;
	const struct ptx_part *part = ptx_part_of(f->kernel, site->instr);
	f->covered[part->code->instrs[site->instr - part->first].form->op] = true;
}

/* What the machine says of how the addresses of a warp follow each other is so. */
static void on_access(void *ctx, const struct simt_site *site, const struct warp_access *a)
{
	struct fixture *f = ctx;
	for (int half = 0; half < WARP_HALVES && a->active == WARP_FULL_MASK; half++) {
		const uint64_t *address = a->address + half * WARP_HALF_SIZE;
		bool same = true, adjacent = true;
		for (int lane = 1; lane < WARP_HALF_SIZE; lane++) {
			same &= address[lane] == address[0];
			adjacent &= address[lane] == address[lane - 1] + a->width;
		}
		enum warp_half is = same ? HALF_SAME : adjacent ? HALF_ADJACENT : HALF_SPREAD;
		if (a->half[half] != HALF_UNKNOWN && a->half[half] != is && !f->why.len)
			buf_printf(&f->why, "half %d of an access of instruction %d is said to be %d and is %d", half,
				site->instr, a->half[half], (int)is);
	}
}

static void on_print(void *ctx, const char *text, size_t len)
{
	struct fixture *f = ctx;
	buf_append(&f->printed, text, len);
}

/* A texture's texels are in its buffer; returns its handle. */
static uint64_t add_texture(struct fixture *f, const struct launch_texture *texture, uint64_t address)
{
	f->textures[f->n_textures] = (struct simt_texture){texture->shape, address, texture->reference};
	return simt_texture_handle(f->n_textures++);
}

static bool make_params(struct fixture *f, uint8_t *params)
{
	for (int i = 0, next = 0; i < f->launch.n_args; i++) {
		const struct launch_arg *arg = &f->launch.args[i];
		size_t bytes = launch_arg_bytes(arg);
		bool passed = !arg->texture || !arg->texture->reference;
		if (passed && next >= ptx_param_count(f->kernel)) {
			buf_puts(&f->why, "it has more arguments than the kernel has parameters");
			return false;
		}
		void *to = passed ? params + ptx_kernel_param(f->kernel, next++).offset : NULL;
		if (arg->buffer) {
			f->buffers[i] = simt_memory_alloc(f->memory, bytes);
			launch_arg_fill(arg, simt_memory_at(f->memory, f->buffers[i], bytes));
			uint64_t value = arg->texture ? add_texture(f, arg->texture, f->buffers[i]) : f->buffers[i];
			struct warp_tensor map = arg->tensor ? *arg->tensor : (struct warp_tensor){0};
			map.address = value;
			if (to && arg->tensor)
				memcpy(to, &map, sizeof map);
			else if (to)
				memcpy(to, &value, sizeof value);
		} else {
			launch_arg_fill(arg, to);
		}
	}
	return true;
}

static bool run(struct fixture *f)
{
	struct simt_listener listener = {.ctx = f, .step = on_step, .access = on_access, .print = on_print};
	uint8_t *params = arena_alloc(f->arena, ptx_param_bytes(f->kernel) + 16);
	struct simt_launch launch = {.kernel = f->kernel,
		.dynamic_shared = f->launch.shared,
		.params = params,
		.limits.steps = 1000000,
		.listener = &listener};

	memcpy(launch.grid, f->launch.grid, sizeof launch.grid);
	memcpy(launch.cluster, f->launch.cluster, sizeof launch.cluster);
	memcpy(launch.block, f->launch.block, sizeof launch.block);
	if (!make_params(f, params))
		return false;
	launch.textures = f->textures;
	launch.n_textures = f->n_textures;
	simt_run(&launch, f->memory, &f->result);
	return !f->why.len;
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

/* Bits are written in hexadecimal, everything else as `simttutor run` prints it. */
static void format_element(const struct launch_arg *arg, const void *bytes, size_t i, struct buf *out)
{
	enum launch_type type = arg->type;
	size_t size = launch_type_size(type);
	uint64_t bits = 0;

	buf_clear(out);
	if (type != LAUNCH_B8 && type != LAUNCH_B16 && type != LAUNCH_B32 && type != LAUNCH_B64) {
		launch_format(type, bytes, i, out);
		return;
	}
	memcpy(&bits, (const char *)bytes + i * size, size);
	buf_printf(out, "0x%0*" PRIx64, (int)(2 * size), bits);
}

/* Element i, written to `value`, is the word's, or where `within` is not negative near it. */
static bool is_expected(
	const struct launch_arg *arg, const void *bytes, size_t i, const char *word, double within, struct buf *value)
{
	format_element(arg, bytes, i, value);
	return !strcmp(buf_str(value), word) ||
		(within >= 0 && launch_type_is_float(arg->type) &&
			fabs(launch_number(arg->type, bytes, i) - strtod(word, NULL)) <= within);
}

static bool expect_buffer(struct fixture *f, char *line)
{
	char *save = NULL, *end;
	unsigned long n = strtoul(line, &end, 10);
	double within = *end == ' ' ? strtod(end, &end) : -1; /* of expect-near */
	struct buf value = {0};
	size_t i = 0;
	bool open = false, ok = *end == ':' && n < (unsigned long)f->launch.n_args && f->launch.args[n].buffer;

	for (char *word = ok ? strtok_r(end + 1, " ", &save) : NULL; ok && word;
		word = strtok_r(NULL, " ", &save), i++) {
		const struct launch_arg *arg = &f->launch.args[n];
		open = !strcmp(word, "...");
		if (open || i == arg->count)
			break;
		ok = is_expected(
			arg, simt_memory_at(f->memory, f->buffers[n], launch_arg_bytes(arg)), i, word, within, &value);
		if (!ok)
			buf_printf(&f->why, "element %zu of argument %lu is %s, not %s", i, n, buf_str(&value), word);
	}
	if (ok && !open && i != f->launch.args[n].count) {
		buf_printf(&f->why, "%zu values are expected of argument %lu, which has %zu", i, n,
			f->launch.args[n].count);
		ok = false;
	} else if (!ok && !f->why.len) {
		buf_printf(&f->why, "there is no buffer for: expect %s", line);
	}
	buf_free(&value);
	return ok;
}

/* Lines of the fixture, each with its end; `*lines` counts them. */
static bool expect_print(struct fixture *f, int *lines)
{
	struct buf want = {0};
	const char *at = f->text;
	*lines = 0;
	for (char *line; (line = next_line(f, "// expect-print ", &at)); ++*lines)
		buf_printf(&want, "%s\n", line);
	bool ok = strcmp(buf_str(&f->printed), buf_str(&want)) == 0;
	if (!ok)
		buf_printf(&f->why, "it prints:\n%snot:\n%s", buf_str(&f->printed), buf_str(&want));
	buf_free(&want);
	return ok;
}

static bool expect_outcome(struct fixture *f, const char *line)
{
	static const char *const names[] = {
		[SIMT_OK] = "ok",
		[SIMT_DEFECT] = "defect",
		[SIMT_LIMIT] = "limit",
		[SIMT_ERROR] = "error",
	};
	char want[16] = "ok", text[200] = "";
	if (line)
		sscanf(line, " %15s %199[^\n]", want, text);
	if (!strcmp(names[f->result.outcome], want) && strstr(f->result.message, text))
		return true;
	buf_printf(&f->why, "%s (%s: %s), not %s %s", names[f->result.outcome], simt_defect_name(f->result.defect),
		f->result.message, want, text);
	return false;
}

static bool expect_error(struct fixture *f, const char *line)
{
	int row = 0, col = 0;
	char text[200] = "";
	sscanf(line, " %d:%d %199[^\n]", &row, &col, text);
	const struct diag_entry *e = f->diag.count ? &f->diag.entries[0] : NULL;
	if (e && e->line == row && e->col == col && strstr(e->message, text))
		return true;
	buf_printf(&f->why, "error at %d:%d: %s; expected %s", e ? e->line : 0, e ? e->col : 0, e ? e->message : "none",
		line);
	return false;
}

static bool passes(struct fixture *f)
{
	const char *at = f->text;
	const char *error = next_line(f, "// expect-error", &at);
	f->module = ptx_parse(f->arena, f->name, f->text, strlen(f->text), &f->diag);
	f->kernel = f->module ? ptx_find_kernel(f->module, NULL, &f->diag) : NULL;
	if (error)
		return expect_error(f, error);
	if (!f->kernel) {
		diag_format(&f->diag, &f->why);
		return false;
	}
	if (!parse_launch(f) || !run(f))
		return false;
	at = f->text;
	const char *outcome = next_line(f, "// expect-outcome", &at);
	if (!expect_outcome(f, outcome))
		return false;
	int expectations;
	if (!expect_print(f, &expectations))
		return false;
	expectations += outcome != NULL;
	static const char *const keys[] = {"// expect ", "// expect-near "};
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
		at = f->text;
		for (char *line; (line = next_line(f, keys[k], &at)); expectations++)
			if (!expect_buffer(f, line))
				return false;
	}
	if (!expectations)
		buf_puts(&f->why, "it expects nothing");
	return expectations > 0;
}

static bool run_fixture(const char *path)
{
	struct fixture f = {.name = path, .arena = arena_new(), .memory = simt_memory_new(MEMORY)};
	struct buf text = {0};
	bool ok = file_read(path, 1 << 24, &text, &f.diag);

	f.text = buf_str(&text);
	ok = ok && passes(&f);
	if (!ok)
		printf("# %s\n", buf_str(&f.why));
	for (int i = 0; ok && i < PTX_OPS; i++)
		executed[i] |= f.covered[i];
	buf_free(&f.why);
	buf_free(&f.printed);
	buf_free(&text);
	diag_free(&f.diag);
	simt_memory_free(f.memory);
	arena_free(f.arena);
	return ok;
}

/* trap stops a run, so no fixture that uses it can succeed; its fixture expects the defect. */
static bool all_rows_executed(void)
{
	bool all = true;
	for (int i = 0; i < PTX_OPS; i++) {
		if (executed[i] || i == PTX_OP_TRAP || i == PTX_OP_BRKPT)
			continue;
		printf("# no fixture executes %s (%s)\n", ptx_op_rows[i].id, ptx_op_rows[i].spelling);
		all = false;
	}
	return all;
}

int main(int argc, char **argv)
{
	const char *top = getenv("top_srcdir");
	char pattern[4096];
	glob_t found = {0};
	int n = 0, failed = 0;

	snprintf(pattern, sizeof pattern, "%s/tests/ptx/%s.ptx", top ? top : ".", argc > 1 ? argv[1] : "*");
	glob(pattern, 0, NULL, &found);
	printf("1..%zu\n", found.gl_pathc + (argc < 2));
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *slash = strrchr(found.gl_pathv[i], '/');
		bool ok = run_fixture(found.gl_pathv[i]);
		printf("%sok %d - %s\n", ok ? "" : "not ", ++n, slash ? slash + 1 : found.gl_pathv[i]);
		failed += !ok;
	}
	if (argc < 2) {
		bool ok = all_rows_executed();
		printf("%sok %d - every row of the instruction table is executed by a fixture\n", ok ? "" : "not ",
			++n);
		failed += !ok;
	}
	globfree(&found);
	return failed != 0;
}
