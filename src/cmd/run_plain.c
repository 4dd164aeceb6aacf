/* A launch that was kept, for a GPU: with arguments in place of memory at addresses, where that is the same. */
#include "config.h"
#include "cmd/run_plain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"

#define TEXT_MAX ((size_t)48 << 20) /* of all arguments, which travel in one message */

bool run_plain_cannot(const struct run_plain *p, const char *why)
{
	struct buf title = {0};
	run_kept_title(p->kept, &title);
	diag_error(&p->run->ctx->diag, (struct diag_pos){0}, "%s: it cannot be launched on a GPU from here: %s",
		buf_str(&title), why);
	buf_free(&title);
	return false;
}

int run_plain_buffer(const struct snapshot *s, uint64_t address)
{
	size_t low = 0, high = s->n_buffers; /* they are in the order of their addresses */
	if (!high || address < s->buffers[0].address)
		return -1;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (s->buffers[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const struct snapshot_buffer *b = low ? &s->buffers[low - 1] : NULL;
	return b && b->bytes && !b->freed && address - b->address <= b->bytes ? (int)low - 1 : -1;
}

static bool another_way(struct run_plain *p, const char *why)
{
	p->why = why;
	return false;
}

/* Whether eight bytes are an address of one of the buffers. */
static bool has_addresses(const struct snapshot *s, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i + 8 <= n; i++) {
		uint64_t word;
		memcpy(&word, bytes + i, sizeof word);
		if (run_plain_buffer(s, word) >= 0)
			return true;
	}
	return false;
}

/* --- as text ---------------------------------------------------------------------------------------------------------- */

static void put_values(const uint8_t *bytes, size_t n, size_t size, struct buf *out)
{
	for (size_t i = 0; i < n; i += size) {
		uint64_t value = 0;
		memcpy(&value, bytes + i, size); /* little endian */
		buf_printf(out, value ? "%s0x%" PRIx64 : "%s%" PRIx64, i ? "," : "", value);
	}
}

static size_t element_of(size_t bytes)
{
	return bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

static bool is_repeated(const uint8_t *bytes, size_t n, size_t size)
{
	return n <= size || memcmp(bytes, bytes + size, n - size) == 0;
}

static void put_buffer(const uint8_t *bytes, size_t n, struct buf *out)
{
	size_t size = element_of(n);
	bool same = is_repeated(bytes, n, size);
	if (same)
		buf_printf(out, "b%zu[%zu]:=", 8 * size, n / size);
	else
		buf_printf(out, "b%zu[]:", 8 * size);
	put_values(bytes, same ? size : n, size, out);
}

void run_plain_scalar(const uint8_t *bytes, size_t n, struct buf *out)
{
	bool one = n == 1 || n == 2 || n == 4 || n == 8;
	size_t size = one ? n : element_of(n);
	buf_printf(out, one ? "b%zu:" : "(b%zu:", 8 * size);
	put_values(bytes, n, size, out);
	buf_puts(out, one ? "" : ")");
}

/* --- parameters ------------------------------------------------------------------------------------------------------- */

static bool put_pointer(struct run_plain *p, int at, uint64_t address, struct buf *out)
{
	const struct snapshot_buffer *b = &p->kept->buffers[at];
	if (b->address != address)
		return another_way(p, "a parameter points into the middle of a buffer");
	if (p->used[at])
		return another_way(p, "two parameters have the address of one buffer");
	p->used[at] = true;
	uint8_t *bytes = base_malloc(b->bytes + 8);
	snapshot_fill(b, false, bytes);
	const char *why = has_addresses(p->kept, bytes, b->bytes) ? "there are addresses in its memory" : NULL;
	if (!why)
		put_buffer(bytes, b->bytes, out);
	snapshot_fill(b, true, bytes);
	if (!why && has_addresses(p->kept, bytes, b->bytes))
		why = "it writes addresses to its memory";
	free(bytes);
	return !why || another_way(p, why);
}

static bool put_parameter(struct run_plain *p, int i, struct buf *out)
{
	struct ptx_param param = ptx_kernel_param(p->kernel, i);
	const uint8_t *bytes = p->kept->params + param.offset;
	uint64_t word = 0;
	memcpy(&word, bytes, param.size < 8 ? param.size : 8);
	int at = param.size == 8 ? run_plain_buffer(p->kept, word) : -1;
	if (at >= 0)
		return put_pointer(p, at, word, out);
	if (has_addresses(p->kept, bytes, param.size))
		return another_way(p, "a parameter is a structure with addresses");
	run_plain_scalar(bytes, param.size, out);
	return true;
}

bool run_plain_argument(struct run_plain *p, int i, const struct buf *text)
{
	struct cmd_ctx *ctx = p->run->ctx;
	return launch_arg_parse(
		ctx->arena, NULL, arena_strndup(ctx->arena, buf_str(text), text->len), &p->run->args[i], &ctx->diag);
}

static bool add_parameter(struct run_plain *p, int i)
{
	struct buf text = {0};
	bool ok = put_parameter(p, i, &text);
	p->text += text.len;
	if (ok && p->text > TEXT_MAX)
		ok = another_way(p, "its memory is more than a message to the GPU's worker holds");
	ok = ok && run_plain_argument(p, i, &text);
	buf_free(&text);
	return ok;
}

/* Arguments in place of memory, where they do as well; else the memory where it is. */
static bool add_parameters(struct run_plain *p)
{
	int n = ptx_param_count(p->kernel);
	struct run *run = p->run;
	for (int i = 0; i < n; i++)
		if (!add_parameter(p, i))
			return p->why && run_place_kept(p);
	run->launch.n_args = n;
	run->plain_of = p->kept;
	run->launch.kept = NULL;
	return true;
}

/* Whether variables hold what they begin with. */
static bool has_new_variables(const struct run_plain *p)
{
	struct simt_memory *memory, *fresh = simt_memory_new(SNAPSHOT_MEMORY_MAX);
	struct simt_variables *variables, *first = simt_variables_new(fresh, p->kernel->module, SIMT_GLOBALS_APART);
	struct diag quiet = {0};
	bool same = first && snapshot_restore(p->kept, p->kernel->module, &memory, &variables, &quiet);
	if (same) {
		struct simt_variables_place a = simt_variables_place(first), b = simt_variables_place(variables);
		int global = b.globals ? run_plain_buffer(p->kept, b.globals) : -1;
		size_t bytes = global >= 0 ? p->kept->buffers[global].bytes : 0;
		const void *was = bytes ? simt_memory_at(fresh, a.globals, bytes) : NULL;
		same = (!a.bytes || memcmp(a.constants, b.constants, a.bytes) == 0) &&
			(!bytes || (was && memcmp(was, simt_memory_at(memory, b.globals, bytes), bytes) == 0));
		simt_variables_free(variables);
		simt_memory_free(memory);
	}
	simt_variables_free(first);
	simt_memory_free(fresh);
	diag_free(&quiet);
	return same;
}

bool run_plain_kept(struct run *run)
{
	struct cmd_ctx *ctx = run->ctx;
	struct run_plain p = {.run = run, .kept = run->launch.kept};
	run->module = ptx_parse(ctx->arena, run->ptx_name, buf_str(&run->ptx), run->ptx.len, &ctx->diag);
	p.kernel = run->module ? ptx_find_kernel(run->module, p.kept->kernel, &ctx->diag) : NULL;
	if (!p.kernel)
		return false;
	int n = ptx_param_count(p.kernel);
	if (p.kept->n_params != ptx_param_bytes(p.kernel) || n > LAUNCH_ARGS_MAX)
		return run_plain_cannot(&p, "its parameters are not those of its kernel");
	for (uint32_t i = 0; i < p.kept->n_textures; i++)
		if (p.kept->textures[i].shape.bytes)
			return run_plain_cannot(&p, "its program has textures");
	if (!has_new_variables(&p))
		return run_plain_cannot(&p, "variables of its module were written before");
	p.used = arena_array(ctx->arena, bool, p.kept->n_buffers + 1);
	return add_parameters(&p);
}
