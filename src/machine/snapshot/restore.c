/* A launch that was kept, again. */
#include <stdlib.h>
#include <string.h>

#include "machine/ptx/program.h"
#include "machine/snapshot/snapshot.h"

void snapshot_launch(const struct snapshot *s, struct launch *out)
{
	*out = (struct launch){.kernel = s->kernel, .shared = s->shared, .cooperative = s->cooperative, .kept = s};
	memcpy(out->grid, s->grid, sizeof out->grid);
	memcpy(out->block, s->block, sizeof out->block);
	memcpy(out->cluster, s->cluster, sizeof out->cluster);
}

static void put_pieces_into(const struct snapshot_pieces *pieces, uint8_t *out)
{
	for (size_t i = 0; i < pieces->n; i++)
		memcpy(out + pieces->of[i].at, pieces->of[i].data, pieces->of[i].bytes);
}

void snapshot_fill(const struct snapshot_buffer *b, bool after, uint8_t *out)
{
	memset(out, 0, b->bytes);
	put_pieces_into(&b->before, out);
	if (after)
		put_pieces_into(&b->after, out);
}

/* The bytes of constants are those of the module; where the file has others, it is not of this PTX. */
static bool fill_constants(const struct snapshot *s, const struct simt_variables *variables)
{
	struct simt_variables_place at = simt_variables_place(variables);
	if (at.bytes != s->constants)
		return false;
	if (at.bytes)
		memset(at.constants, 0, at.bytes);
	if (at.bytes)
		put_pieces_into(&s->constant, at.constants);
	return true;
}

static bool make_buffers(const struct snapshot *s, struct simt_memory *memory)
{
	for (size_t i = 0; i < s->n_buffers; i++) {
		const struct snapshot_buffer *b = &s->buffers[i];
		struct simt_buffer buffer = {.address = b->address,
			.bytes = b->bytes,
			.written = b->written,
			.of_heap = b->of_heap,
			.freed = b->freed};
		if (!simt_memory_make(memory, &buffer))
			return false;
	}
	return simt_memory_make_room(memory, s->room);
}

bool snapshot_restore(const struct snapshot *s, const struct ptx_module *module, struct simt_memory **memory,
	struct simt_variables **variables, struct diag *diag)
{
	*memory = simt_memory_new(2 * SNAPSHOT_MEMORY_MAX); /* kernels may ask for more */
	*variables = NULL;
	const char *why = "its buffers cannot be where they are said to be, or there is no memory for them";
	if (make_buffers(s, *memory)) {
		why = "its variables are not those of its PTX";
		*variables = simt_variables_again(*memory, module, s->globals);
	}
	if (*variables && fill_constants(s, *variables)) {
		/* Of a buffer with variables their initial values are no longer what it holds. */
		for (size_t i = 0; i < s->n_buffers; i++) {
			const struct snapshot_buffer *b = &s->buffers[i];
			uint8_t *bytes = b->bytes ? simt_memory_at(*memory, b->address, b->bytes) : NULL;
			if (bytes && s->globals >= b->address && s->globals - b->address < b->bytes)
				memset(bytes, 0, b->bytes);
			if (bytes)
				put_pieces_into(&b->before, bytes);
		}

		return true;
	}
	diag_error(diag, (struct diag_pos){0}, "the kept launch cannot be made again: %s", why);
	simt_variables_free(*variables);
	simt_memory_free(*memory);
	return false;
}

struct simt_texture *snapshot_textures(const struct snapshot *s, const struct simt_memory *memory, struct arena *arena)
{
	struct simt_texture *out = arena_array(arena, struct simt_texture, s->n_textures + (size_t)1);
	for (uint32_t i = 0; i < s->n_textures; i++) {
		uint64_t bytes = s->textures[i].shape.bytes ? warp_texture_bytes(&s->textures[i].shape) : 0;
		if (bytes && simt_memory_at(memory, s->textures[i].address, bytes))
			out[i] = s->textures[i];
	}
	return out;
}

struct snapshot_difference snapshot_compare(const struct snapshot *s, const struct simt_memory *memory)
{
	struct snapshot_difference d = {.first = -1};
	for (size_t i = 0; i < s->n_buffers; i++) {
		const struct snapshot_buffer *b = &s->buffers[i];
		const uint8_t *now = b->kept_after && b->bytes ? simt_memory_at(memory, b->address, b->bytes) : NULL;
		if (!now)
			continue;
		uint8_t *kept = base_malloc(b->bytes);
		uint64_t before = d.bytes;
		snapshot_fill(b, true, kept);
		for (size_t at = 0; at < b->bytes; at++) {
			if (now[at] == kept[at])
				continue;
			if (d.first < 0) {
				d.first = (int)i;
				d.at = at;
				d.now = now[at];
				d.kept = kept[at];
			}
			d.bytes++;
		}
		d.buffers += d.bytes > before;
		free(kept);
	}
	return d;
}
