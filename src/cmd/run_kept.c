/* A launch that a program made, from the file that run --record kept it in. */
#include "config.h"
#include "cmd/run.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "cmd/json.h"
#include "machine/snapshot/snapshot.h"

bool run_is_kept(const struct run *run)
{
	return run->file && snapshot_is_named(run->file);
}

/* What is given for a launch, which this one has already. */
static const char *given_too(const struct run *run)
{
	return run->n_steps               ? "--then"
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
}

bool run_open_kept(struct run *run)
{
	struct arena *arena = run->ctx->arena;
	const char *given = given_too(run);
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
	return !run->live || run->entry != &cmd_run_entry || run_plain_kept(run);
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

/* "launch 3 of its program, at main.cu:41" */
void run_kept_title(const struct snapshot *s, struct buf *out)
{
	buf_printf(out, "launch %" PRIu64 " of its program", s->number);
	if (*s->place) {
		buf_puts(out, ", at ");
		escape_puts(s->place, out);
	}
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

static void write_difference(const struct snapshot *s, const struct snapshot_difference *d, struct buf *out)
{
	const struct snapshot_buffer *b = &s->buffers[d->first];
	buf_printf(out,
		"memory after it differs from what was kept in %" PRIu64 " byte%s of %zu buffer%s, first at 0x%" PRIx64
		", byte %" PRIu64 " of %zu",
		d->bytes, d->bytes == 1 ? "" : "s", d->buffers, d->buffers == 1 ? "" : "s", b->address + d->at, d->at,
		b->bytes);
	run_write_place(s, b->address, out);
	buf_printf(out, ": 0x%02x, kept 0x%02x\n", d->now, d->kept);
}

/* Why it may. */
static void write_reason(const struct snapshot *s, struct buf *out)
{
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
	if (!s->ended)
		buf_puts(out, "it was stopped before it began, so nothing is known of the memory after it\n");
	else if (!run->kept.compared)
		buf_puts(out, "memory after it is not compared, as it did not come to its end\n");
	else if (d->first < 0)
		buf_puts(out, "memory after it is bit for bit what was kept\n");
	else
		write_difference(s, d, out);
	if (s->ended && (!run->kept.compared || d->first >= 0))
		write_reason(s, out);
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
