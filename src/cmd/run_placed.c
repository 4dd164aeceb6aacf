/* A launch that was kept, for a GPU: with its memory where the machine had it, so that addresses in it stay good. */
#include "config.h"
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/run_plain.h"
#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"

/* Buffers that an address leads to, and were not looked at yet. */
struct addresses_found {
	struct run_plain *plain;
	int *at;
	size_t n, cap;
};

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

/* Which buffers the kernel can come to, from its parameters on. */
static void find_buffers(struct run_plain *p)
{
	const struct snapshot *s = p->kept;
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
}

static bool cannot_too(const struct run_plain *p, const char *why)
{
	return run_plain_cannot(p, arena_printf(p->run->ctx->arena, "%s, and %s", p->why, why));
}

static bool check_buffer(const struct run_plain *p, const struct snapshot_buffer *b, size_t *total)
{
	*total += b->bytes;
	if (p->kept->globals >= b->address && p->kept->globals - b->address < b->bytes)
		return cannot_too(p, "some are of variables of its module, which a GPU has elsewhere");
	if (b->of_heap)
		return cannot_too(p, "some are of memory that kernels have asked for");
	if (*total > WIRE_BUFFERS_MAX)
		return cannot_too(p, "the memory there is more than a message to the GPU's worker holds");
	return true;
}

static void take_buffer(struct arena *arena, const struct snapshot_buffer *b, struct launch_memory *out)
{
	uint8_t *bytes = arena_alloc(arena, b->bytes);
	size_t n = b->bytes;
	snapshot_fill(b, false, bytes);
	while (n && !bytes[n - 1])
		n--;
	*out = (struct launch_memory){b->address, b->bytes, bytes, n};
}

static bool add_bytes(struct run_plain *p, int i)
{
	struct ptx_param param = ptx_kernel_param(p->kernel, i);
	struct buf text = {0};
	run_plain_scalar(p->kept->params + param.offset, param.size, &text);
	bool ok = run_plain_argument(p, i, &text);
	buf_free(&text);
	return ok;
}

bool run_place_kept(struct run_plain *p)
{
	struct run *run = p->run;
	const struct snapshot *s = p->kept;
	struct launch_memory *memory = arena_array(run->ctx->arena, struct launch_memory, s->n_buffers + 1);
	size_t total = 0;
	int n = 0, n_params = ptx_param_count(p->kernel);
	find_buffers(p);
	for (size_t i = 0; i < s->n_buffers; i++) {
		if (!p->used[i])
			continue;
		if (!check_buffer(p, &s->buffers[i], &total))
			return false;
		take_buffer(run->ctx->arena, &s->buffers[i], &memory[n++]);
	}
	for (int i = 0; i < n_params; i++)
		if (!add_bytes(p, i))
			return false;
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
