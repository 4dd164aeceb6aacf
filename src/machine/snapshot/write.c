/* Launches into files. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "machine/snapshot/format.h"
#include "machine/snapshot/snapshot.h"

struct writer_copy {
	uint64_t address;
	size_t bytes;
	uint8_t *data; /* NULL: all zero */
};

struct snapshot_writer {
	struct buf out;
	size_t flags_at; /* in `out` */
	struct writer_copy *copies;
	int n;
	bool has_after;
};

/* --- numbers and text --------------------------------------------------------------------------------------------- */

static void put_number(struct buf *out, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_putc(out, (char)(value >> 8 * i));
}

static void put_bytes(struct buf *out, const void *bytes, size_t len)
{
	put_number(out, len, 8);
	buf_append(out, bytes, len);
}

/* A name or a sentence, no longer than is read. */
static void put_words(struct buf *out, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	put_bytes(out, text ? text : "", len < SNAPSHOT_WORDS_MAX ? len : SNAPSHOT_WORDS_MAX);
}

static void put_dims(struct buf *out, const uint32_t dims[3])
{
	for (int i = 0; i < 3; i++)
		put_number(out, dims[i], 4);
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

static bool is_same(const uint8_t *now, const uint8_t *before, size_t len)
{
	static const uint8_t zeros[SNAPSHOT_PAGE];
	return memcmp(now, before ? before : zeros, len) == 0;
}

/* The pages of `now` that are not as `before`, NULL: zero; neighbors are one piece. The count goes before them. */
static void put_pieces(struct buf *out, const uint8_t *now, const uint8_t *before, size_t bytes)
{
	size_t count_at = out->len;
	uint64_t n = 0;
	put_number(out, 0, 8);
	for (size_t at = 0, end; at < bytes; at = end) {
		end = at;
		while (end < bytes) {
			size_t page = bytes - end < SNAPSHOT_PAGE ? bytes - end : SNAPSHOT_PAGE;
			if (is_same(now + end, before ? before + end : NULL, page))
				break;
			end += page;
		}
		if (end == at) {
			end += SNAPSHOT_PAGE;
			continue;
		}
		n++;
		put_number(out, at, 8);
		put_bytes(out, now + at, end - at);
	}
	for (int i = 0; i < 8; i++)
		out->data[count_at + (size_t)i] = (char)(n >> 8 * i);
}

/* --- before ------------------------------------------------------------------------------------------------------- */

static uint8_t *copy_bytes(const struct simt_buffer *b)
{
	const uint8_t *bytes = b->host;
	bool zero = !b->bytes || (!bytes[0] && memcmp(bytes, bytes + 1, b->bytes - 1) == 0);
	return zero ? NULL : memcpy(base_malloc(b->bytes), bytes, b->bytes);
}

struct snapshot_writer *snapshot_begin(const struct snapshot *what, const struct simt_memory *memory,
	const struct simt_variables *variables, snapshot_place_of *place_of, void *ctx)
{
	struct simt_variables_place at = variables ? simt_variables_place(variables) : (struct simt_variables_place){0};
	size_t left = SNAPSHOT_MEMORY_MAX;
	for (int i = 0; i < simt_memory_count(memory); i++) {
		struct simt_buffer b = simt_memory_buffer(memory, i);
		if (b.bytes > left)
			return NULL;
		left -= b.bytes;
	}
	if (simt_memory_count(memory) > SNAPSHOT_BUFFERS_MAX || what->n_textures > SNAPSHOT_TEXTURES_MAX ||
		what->ptx_len > SNAPSHOT_PTX_MAX || what->n_params > SNAPSHOT_PARAMS_MAX ||
		at.bytes > SNAPSHOT_CONSTANTS_MAX)
		return NULL;

	struct snapshot_writer *w = base_calloc(1, sizeof *w);
	w->n = simt_memory_count(memory);
	w->copies = base_calloc((size_t)w->n + 1, sizeof *w->copies);

	struct buf *out = &w->out;
	struct simt_room room = simt_memory_room(memory);
	buf_append(out, SNAPSHOT_MARK, SNAPSHOT_MARK_BYTES);
	put_number(out, 0, 8); /* the length */
	w->flags_at = out->len;
	put_number(out, what->cooperative ? SNAPSHOT_COOPERATIVE : 0, 4);
	put_words(out, what->kernel);
	put_words(out, what->place);
	put_bytes(out, what->ptx, what->ptx_len);
	put_words(out, what->source_name);
	put_bytes(out, what->source ? what->source : "", what->source_len < SNAPSHOT_SOURCE_MAX ? what->source_len : 0);
	put_number(out, what->number, 8);
	put_number(out, (uint64_t)what->cc, 4);
	put_dims(out, what->grid);
	put_dims(out, what->block);
	put_dims(out, what->cluster);
	put_number(out, what->shared, 4);
	put_bytes(out, what->params, what->n_params);
	put_number(out, what->n_textures, 8);
	for (uint32_t i = 0; i < what->n_textures; i++) {
		const struct simt_texture *texture = &what->textures[i];
		const struct warp_texture *t = &texture->shape;
		const struct warp_sampler *s = &t->sampler;
		put_number(out,
			(t->is_surface ? SNAPSHOT_SURFACE : 0u) | (t->layered ? SNAPSHOT_LAYERED : 0u) |
				(t->cube ? SNAPSHOT_CUBE : 0u) | (t->normalized ? SNAPSHOT_NORMALIZED : 0u) |
				(t->reads_floats ? SNAPSHOT_FLOATS : 0u) | (s->linear ? SNAPSHOT_LINEAR : 0u) |
				(s->unnormalized ? SNAPSHOT_UNNORMALIZED : 0u),
			4);
		put_number(out, (uint8_t)t->kind, 1);
		put_number(out, t->bytes, 1);
		put_number(out, t->channels, 1);
		put_number(out, t->dimensions, 1);
		put_dims(out, t->size);
		put_number(out, t->layers, 4);
		put_number(out, t->pitch, 4);
		for (int j = 0; j < 3; j++)
			put_number(out, s->addressing[j], 1);
		put_number(out, texture->address, 8);
		put_words(out, texture->reference);
	}
	put_number(out, room.next, 8);
	put_number(out, room.end, 8);

	put_number(&w->out, at.globals, 8);
	put_number(&w->out, at.bytes, 8);
	put_pieces(&w->out, at.constants, NULL, at.bytes);
	put_number(&w->out, (uint64_t)w->n, 8);
	for (int i = 0; i < w->n; i++) {
		struct simt_buffer b = simt_memory_buffer(memory, i);
		bool shared = b.mapped;
		const char *place = place_of ? place_of(ctx, b.address, &shared) : "";

		put_number(&w->out, b.address, 8);
		put_number(&w->out, b.bytes, 8);
		put_number(&w->out,
			(shared ? SNAPSHOT_SHARED : 0u) | (b.of_heap ? SNAPSHOT_OF_HEAP : 0u) |
				(b.freed ? SNAPSHOT_FREED : 0u) | (b.written ? SNAPSHOT_SOME_WRITTEN : 0u),
			4);
		put_words(&w->out, place);
		if (b.written)
			put_bytes(&w->out, b.written, (b.bytes + 7) / 8);
		put_pieces(&w->out, b.host, NULL, b.bytes);

		w->copies[i] = (struct writer_copy){b.address, b.bytes, copy_bytes(&b)};
	}
	return w;
}

/* --- after -------------------------------------------------------------------------------------------------------- */

void snapshot_after(struct snapshot_writer *w, const struct snapshot *what, const struct simt_memory *memory)
{
	w->has_after = true;
	w->out.data[w->flags_at] |= (char)(SNAPSHOT_ENDED | (what->beside ? SNAPSHOT_BESIDE : 0));
	put_number(&w->out, (uint64_t)what->outcome, 1);
	put_words(&w->out, what->message);
	for (int i = 0; i < w->n; i++) {
		const struct writer_copy *copy = &w->copies[i];
		const void *now = copy->bytes ? simt_memory_at(memory, copy->address, copy->bytes) : NULL;
		put_number(&w->out, now != NULL, 1);
		if (now)
			put_pieces(&w->out, now, copy->data, copy->bytes);
	}
}

void snapshot_end(struct snapshot_writer *w, struct buf *out)
{
	uint64_t len = w->out.len + SNAPSHOT_CHECKSUM_BYTES;
	for (int i = 0; i < 8; i++)
		w->out.data[SNAPSHOT_MARK_BYTES + i] = (char)(len >> 8 * i);
	put_number(&w->out, hash_bytes(HASH_START, w->out.data, w->out.len), SNAPSHOT_CHECKSUM_BYTES);
	*out = w->out;
	for (int i = 0; i < w->n; i++)
		free(w->copies[i].data);
	free(w->copies);
	free(w);
}
