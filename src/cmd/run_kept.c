/* A launch that a program made, from the file that run --record kept it in. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "cmd/json.h"
#include "cmd/run.h"
#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"

/* --- at addresses ------------------------------------------------------------------------------------------------- */

/* Buffers that an address leads to, and were not looked at yet. */
struct addresses_found {
	struct run_plain *plain;
	int *at;
	size_t n, cap;
};

/* The buffer that an address is in, or at the end of; -1: none. Freed ones have no bytes. */
static int run_plain_buffer(const struct snapshot *s, uint64_t address)
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

/* All of these bytes may be addresses, at whatever offset. */
static void look_for_addresses(struct addresses_found *f, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i + 8 <= n; i++) {
		uint64_t word;
		memcpy(&word, bytes + i, sizeof word);
		int at = run_plain_buffer(f->plain->kept, word);
		if (at < 0 || f->plain->used[at])
			continue;
		f->plain->used[at] = true;
		*vec_push(f->at, f->n, f->cap) = at;
	}
}

/* "launch 3 of its program, at main.cu:41" */
void run_kept_title(const struct snapshot *s, struct buf *out)
{
	buf_printf(out, "launch %" PRIu64 " of its program", s->number);
	if (*s->place) {
		buf_puts(out, ", at ");
		escape_puts(s->place, out);
	}
}

/* Adds the error that says so. Returns false. */
static bool run_plain_cannot(const struct run_plain *p, const char *why)
{
	struct buf title = {0};
	run_kept_title(p->kept, &title);
	diag_error(&p->run->ctx->diag, (struct diag_pos){0}, "%s: it cannot be launched on a GPU from here: %s",
		buf_str(&title), why);
	buf_free(&title);
	return false;
}

static bool cannot_too(const struct run_plain *p, const char *why)
{
	return run_plain_cannot(p, arena_printf(p->run->ctx->arena, "%s, and %s", p->why, why));
}

/* Reads the text of the next argument. */
static bool run_plain_argument(struct run_plain *p, int i, const struct buf *text)
{
	struct cmd_ctx *ctx = p->run->ctx;
	return launch_arg_parse(
		ctx->arena, NULL, arena_strndup(ctx->arena, buf_str(text), text->len), &p->run->args[i], &ctx->diag);
}

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

/* A parameter as what it is in bytes. */
static void run_plain_scalar(const uint8_t *bytes, size_t n, struct buf *out)
{
	bool one = n == 1 || n == 2 || n == 4 || n == 8;
	size_t size = one ? n : element_of(n);
	buf_printf(out, one ? "b%zu:" : "(b%zu:", 8 * size);
	put_values(bytes, n, size, out);
	buf_puts(out, one ? "" : ")");
}

/* Arguments that are bytes, and memory that is where they point. */
static bool run_place_kept(struct run_plain *p)
{
	struct run *run = p->run;
	const struct snapshot *s = p->kept;
	struct launch_memory *memory = arena_array(run->ctx->arena, struct launch_memory, s->n_buffers + 1);
	size_t total = 0;
	int n = 0, n_params = ptx_param_count(p->kernel);

	/* Which buffers the kernel can come to, from its parameters on. */
	struct addresses_found found = {.plain = p};
	memset(p->used, 0, s->n_buffers * sizeof *p->used);
	look_for_addresses(&found, s->params, s->n_params);
	while (found.n) {
		const struct snapshot_buffer *b = &s->buffers[found.at[--found.n]];
		uint8_t *bytes = base_malloc(b->bytes);
		snapshot_fill(b, false, bytes);
		look_for_addresses(&found, bytes, b->bytes);
		free(bytes);
	}
	free(found.at);

	for (size_t i = 0; i < s->n_buffers; i++) {
		if (!p->used[i])
			continue;

		const struct snapshot_buffer *b = &s->buffers[i];
		total += b->bytes;
		if (p->kept->globals >= b->address && p->kept->globals - b->address < b->bytes)
			return cannot_too(p, "some are of variables of its module, which a GPU has elsewhere");
		if (b->of_heap)
			return cannot_too(p, "some are of memory that kernels have asked for");
		if (total > WIRE_BUFFERS_MAX)
			return cannot_too(p, "the memory there is more than a message to the GPU's worker holds");

		struct launch_memory *out = &memory[n++];
		uint8_t *bytes = arena_alloc(run->ctx->arena, b->bytes);
		size_t used = b->bytes;
		snapshot_fill(b, false, bytes);
		while (used && !bytes[used - 1])
			used--;
		*out = (struct launch_memory){b->address, b->bytes, bytes, used};
	}
	for (int i = 0; i < n_params; i++) {
		struct ptx_param param = ptx_kernel_param(p->kernel, i);
		struct buf text = {0};
		run_plain_scalar(p->kept->params + param.offset, param.size, &text);
		bool ok = run_plain_argument(p, i, &text);
		buf_free(&text);
		if (!ok)
			return false;
	}
	run->launch.n_args = n_params;
	run->launch.memory = memory;
	run->launch.n_memory = n;
	run->placed_why = p->why;
	return true;
}

void run_cannot_place(struct run *run, const char *why)
{
	const struct run_plain p = {.run = run, .kept = run->launch.kept, .why = run->placed_why};
	cannot_too(&p, why);
}

/* --- as arguments ------------------------------------------------------------------------------------------------- */

/* A launch that was kept, for a GPU: with arguments in place of memory at addresses, where that is the same. */

#define TEXT_MAX ((size_t)48 << 20) /* of all arguments, which travel in one message */

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

/* --- as text ------------------------------------------------------------------------------------------------------ */

static bool is_repeated(const uint8_t *bytes, size_t n, size_t size)
{
	return n <= size || memcmp(bytes, bytes + size, n - size) == 0;
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static bool put_parameter(struct run_plain *p, int i, struct buf *out)
{
	struct ptx_param param = ptx_kernel_param(p->kernel, i);
	const uint8_t *bytes = p->kept->params + param.offset;
	uint64_t word = 0;
	memcpy(&word, bytes, param.size < 8 ? param.size : 8);
	int at = param.size == 8 ? run_plain_buffer(p->kept, word) : -1;
	if (at >= 0) {
		const struct snapshot_buffer *b = &p->kept->buffers[at];
		if (b->address != word)
			return another_way(p, "a parameter points into the middle of a buffer");
		if (p->used[at])
			return another_way(p, "two parameters have the address of one buffer");
		p->used[at] = true;
		uint8_t *memory = base_malloc(b->bytes + 8);
		snapshot_fill(b, false, memory);
		const char *why = has_addresses(p->kept, memory, b->bytes) ? "there are addresses in its memory" : NULL;
		if (!why) {
			size_t n = b->bytes;
			size_t size = element_of(n);
			bool same = is_repeated(memory, n, size);
			if (same)
				buf_printf(out, "b%zu[%zu]:=", 8 * size, n / size);
			else
				buf_printf(out, "b%zu[]:", 8 * size);
			put_values(memory, same ? size : n, size, out);
		}
		snapshot_fill(b, true, memory);
		if (!why && has_addresses(p->kept, memory, b->bytes))
			why = "it writes addresses to its memory";
		free(memory);
		return !why || another_way(p, why);
	}
	if (has_addresses(p->kept, bytes, param.size))
		return another_way(p, "a parameter is a structure with addresses");
	run_plain_scalar(bytes, param.size, out);
	return true;
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

/* --- launches that were kept -------------------------------------------------------------------------------------- */

/* A launch that a program made, from the file that run --record kept it in. */

bool run_is_kept(const struct run *run)
{
	return run->file && snapshot_is_named(run->file);
}

bool run_open_kept(struct run *run)
{
	struct arena *arena = run->ctx->arena;

	/* What is given for a launch, which this one has already. */
	const char *given = run->n_steps  ? "--then"
		: run->launch.grid[0]     ? "--grid"
		: run->launch.block[0]    ? "--block"
		: run->launch.cluster[0]  ? "--cluster"
		: run->launch.n_args      ? "--arg"
		: run->n_sets             ? "--set"
		: run->kernel             ? "--kernel"
		: run->shared_given       ? "--shared"
		: run->launch.cooperative ? "--cooperative"
		: run->n_prints           ? "--print"
					  : NULL;
	if (given) {
		cmd_usage(run->ctx, run->entry,
			"%s: a launch that was kept has its own configuration, arguments and memory", given);
		return false;
	}
	const struct snapshot *s = snapshot_read(arena, run->file, &run->ctx->diag);
	if (!s) {
		run->missing = true;
		return false;
	}
	snapshot_launch(s, &run->launch);
	run->launch.args = run->args;
	run->kernel = s->kernel;
	run->shared_given = true;
	run->cc = run->cc_given || !s->cc ? run->cc : s->cc;
	buf_append(&run->ptx, s->ptx, s->ptx_len);
	run->ptx_name = arena_printf(arena, "%s (PTX)", run->kept_as ? run->kept_as : run->file);

	if (!run->live || run->entry != &cmd_run_entry)
		return true;
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

	/* Arguments in place of memory, where they do as well; else the memory where it is. */
	int n_parameters = ptx_param_count(p.kernel);
	for (int i = 0; i < n_parameters; i++)
		if (!add_parameter(&p, i))
			return p.why && run_place_kept(&p);
	run->launch.n_args = n_parameters;
	run->plain_of = p.kept;
	run->launch.kept = NULL;
	return true;
}

bool run_kept_source(struct run *run, const char *name)
{
	const struct snapshot *s = run->launch.kept;
	struct diag quiet = {0};
	if (!s || !s->source_len || strcmp(name, s->source_name) != 0)
		return false;
	run->source = (struct source){.file = run->source_name, .text = s->source, .len = s->source_len};
	source_open(run->ctx->arena, &run->source, &quiet);
	diag_free(&quiet);
	return true;
}

void run_compare_kept(struct run *run, const struct simt_memory *memory)
{
	const struct snapshot *s = run->launch.kept;
	run->kept.compared = s && s->ended && s->outcome != SIMT_ERROR && run->profile->result.ended;
	if (run->kept.compared)
		run->kept.difference = snapshot_compare(s, memory);
}

void run_write_place(const struct snapshot *s, uint64_t address, struct buf *out)
{
	for (size_t i = 0; i < s->n_buffers; i++) {
		if (s->buffers[i].address != address || !*s->buffers[i].place)
			continue;
		buf_puts(out, " allocated at ");
		escape_puts(s->buffers[i].place, out);
		return;
	}
}

void run_write_kept(const struct run *run, struct buf *out)
{
	const struct snapshot *s = run->launch.kept ? run->launch.kept : run->plain_of;
	const struct snapshot_difference *d = &run->kept.difference;
	if (!s)
		return;
	run_kept_title(s, out);
	if (run->plain_of) {
		buf_puts(out, "; with buffers of its parameters in place of its memory\n");
		return;
	}
	buf_printf(out, "; %zu byte%s of memory in %zu buffer%s\n", s->memory, s->memory == 1 ? "" : "s", s->n_buffers,
		s->n_buffers == 1 ? "" : "s");
	if (run->placed_why && run->measured.gpu)
		buf_printf(out,
			"the GPU gets %d of them, all that its parameters lead to, at the addresses that they have here\n",
			run->launch.n_memory);
	if (!s->ended) {
		buf_puts(out, "it was stopped before it began, so nothing is known of the memory after it\n");
	} else if (!run->kept.compared) {
		buf_puts(out, "memory after it is not compared, as it did not come to its end\n");
	} else if (d->first < 0) {
		buf_puts(out, "memory after it is bit for bit what was kept\n");
	} else {
		const struct snapshot_buffer *b = &s->buffers[d->first];
		buf_printf(out,
			"memory after it differs from what was kept in %" PRIu64
			" byte%s of %zu buffer%s, first at 0x%" PRIx64 ", byte %" PRIu64 " of %zu",
			d->bytes, d->bytes == 1 ? "" : "s", d->buffers, d->buffers == 1 ? "" : "s", b->address + d->at,
			d->at, b->bytes);
		run_write_place(s, b->address, out);
		buf_printf(out, ": 0x%02x, kept 0x%02x\n", d->now, d->kept);
	}
	if (s->ended && (!run->kept.compared || d->first >= 0)) {
		/* Why it may. */
		bool shared = false;
		for (size_t i = 0; i < s->n_buffers; i++)
			shared |= s->buffers[i].shared_with_host;
		if (s->beside)
			buf_puts(out,
				"other launches of the program ran at the same time, and what they wrote is not known here\n");
		if (shared)
			buf_puts(out,
				"the host could write some of its memory while it ran, and what it wrote is not known here\n");
	}
}

json_t *run_kept_json(const struct run *run)
{
	const struct snapshot *s = run->launch.kept;
	const struct snapshot_difference *d = &run->kept.difference;
	if (!s)
		return NULL;
	json_t *out = json_pack("{s:I, s:o, s:I, s:I, s:b}", "launch", (json_int_t)s->number, "place",
		cmd_json_text(s->place), "buffers", (json_int_t)s->n_buffers, "bytes", (json_int_t)s->memory, "ended",
		s->ended);
	if (run->kept.compared)
		json_object_set_new(out, "differing_bytes", json_integer((json_int_t)d->bytes));
	return out;
}
