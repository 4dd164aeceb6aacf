/* Launches from files, which anyone may have written. */
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "machine/snapshot/format.h"
#include "machine/snapshot/snapshot.h"

/* What is left to read; `wrong`: it ends too early, or something in it cannot be. */
struct snapshot_reader {
	struct arena *arena;
	const uint8_t *at, *end;
	const char *wrong;
};

static void refuse_file(struct snapshot_reader *r, const char *why)
{
	r->wrong = r->wrong ? r->wrong : why;
	r->at = r->end;
}

static size_t left(const struct snapshot_reader *r)
{
	return (size_t)(r->end - r->at);
}

static uint64_t get_number(struct snapshot_reader *r, size_t bytes)
{
	uint64_t value = 0;
	if (left(r) < bytes) {
		refuse_file(r, "it ends too early");
		return 0;
	}
	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)r->at[i] << 8 * i;
	r->at += bytes;
	return value;
}

/* A number that is `most` at most. */
static uint64_t get_least(struct snapshot_reader *r, size_t bytes, uint64_t most, const char *why)
{
	uint64_t value = get_number(r, bytes);
	if (value <= most)
		return value;
	refuse_file(r, why);
	return 0;
}

/* Bytes in the file. */
static const uint8_t *get_bytes(struct snapshot_reader *r, size_t most, size_t *len)
{
	uint64_t n = get_least(r, 8, most, "a text in it is too long");
	const uint8_t *bytes = r->at;
	*len = 0;
	if (n > left(r)) {
		refuse_file(r, "it ends too early");
		return bytes;
	}
	r->at += n;
	*len = (size_t)n;
	return bytes;
}

/* A copy with a NUL at its end, and none in it. */
static const char *get_text(struct snapshot_reader *r, size_t most, size_t *len)
{
	size_t n;
	const uint8_t *bytes = get_bytes(r, most, &n);
	if (n && memchr(bytes, 0, n))
		refuse_file(r, "a text in it has a zero byte");
	if (len)
		*len = n;
	return arena_strndup(r->arena, (const char *)bytes, n);
}

static const char *get_words(struct snapshot_reader *r)
{
	return get_text(r, SNAPSHOT_WORDS_MAX, NULL);
}

static void get_dims(struct snapshot_reader *r, uint32_t dims[3])
{
	for (int i = 0; i < 3; i++)
		dims[i] = (uint32_t)get_number(r, 4);
}

/* How many things follow, each of them at least so many bytes. */
static size_t get_count(struct snapshot_reader *r, size_t most, size_t least)
{
	uint64_t n = get_least(r, 8, most, "it has too many of something");
	if (n <= left(r) / least)
		return (size_t)n;
	refuse_file(r, "it ends too early");
	return 0;
}

static void get_pieces(struct snapshot_reader *r, size_t bytes, struct snapshot_pieces *out)
{
	size_t n = get_count(r, bytes, 17);
	uint64_t after = 0;
	for (size_t i = 0; i < n && !r->wrong; i++) {
		struct snapshot_piece piece = {.at = get_number(r, 8)};
		piece.data = get_bytes(r, bytes, &piece.bytes);
		if (!piece.bytes || piece.at < after || piece.at > bytes || piece.bytes > bytes - piece.at)
			refuse_file(r, "what it has of a buffer is not inside it");
		after = piece.at + piece.bytes;
		*vec_push_in(r->arena, out->of, out->n, out->cap) = piece;
	}
}

/* --- textures ----------------------------------------------------------------------------------------------------- */

static bool is_texture(const struct warp_texture *t)
{
	bool power = (t->bytes == 1 || t->bytes == 2 || t->bytes == 4) &&
		(t->channels == 1 || t->channels == 2 || t->channels == 4);
	bool kind = t->kind == 'U' || t->kind == 'S' || (t->kind == 'F' && t->bytes > 1);
	bool shape = t->dimensions >= 1 && t->dimensions <= 3 && (t->dimensions > 2 || t->size[2] == 1) &&
		(t->dimensions > 1 || t->size[1] == 1) && (!t->cube || t->dimensions == 2) &&
		(t->layered || t->layers == 1);
	bool rows = !t->pitch || t->pitch >= (uint64_t)warp_texel_bytes(t) * t->size[0];
	for (int i = 0; i < 3; i++)
		kind &= t->sampler.addressing[i] <= WARP_ADDRESS_BORDER;

	if (!power || !kind || !shape || !rows)
		return false;
	/* Whether what the machine computes of it, bytes of a row, a slice and all, is below 2^62. */
	uint64_t row = warp_texture_row(t), small_rows, all, layers;
	return t->size[0] && t->size[1] && t->size[2] && t->layers &&
		!__builtin_mul_overflow((uint64_t)t->layers, t->cube ? 6u : 1u, &layers) && layers <= UINT32_MAX &&
		!__builtin_mul_overflow((uint64_t)t->size[1] * t->size[2], layers, &small_rows) &&
		!__builtin_mul_overflow(small_rows, row, &all) && all < (uint64_t)1 << 62;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

struct snapshot *snapshot_parse(struct arena *arena, const char *path, const void *bytes, size_t len, struct diag *diag)
{
	const struct diag_pos pos = {.file = path};
	const size_t least = SNAPSHOT_MARK_BYTES + 8 + SNAPSHOT_CHECKSUM_BYTES;
	struct snapshot_reader r = {.arena = arena, .at = bytes, .end = (const uint8_t *)bytes + len};
	if (len < least || memcmp(bytes, SNAPSHOT_MARK, SNAPSHOT_MARK_BYTES) != 0) {
		diag_error(diag, pos, "this is no launch that --record has kept, or of another version");
		return NULL;
	}
	r.at += SNAPSHOT_MARK_BYTES;
	uint64_t said = get_number(&r, 8);
	struct snapshot_reader sum = {.arena = arena, .at = r.end - SNAPSHOT_CHECKSUM_BYTES, .end = r.end};
	if (said != len || get_number(&sum, 8) != hash_bytes(HASH_START, bytes, len - SNAPSHOT_CHECKSUM_BYTES)) {
		diag_error(diag, pos, "the file is damaged: its %s is not what it says",
			said != len ? "length" : "checksum");
		return NULL;
	}
	r.end -= SNAPSHOT_CHECKSUM_BYTES;
	struct snapshot *s = arena_alloc(arena, sizeof *s);

	uint32_t flags = (uint32_t)get_number(&r, 4);
	s->cooperative = flags & SNAPSHOT_COOPERATIVE;
	s->beside = flags & SNAPSHOT_BESIDE;
	s->ended = flags & SNAPSHOT_ENDED;
	s->message = "";

	s->kernel = get_words(&r);
	s->place = get_words(&r);
	s->ptx = get_text(&r, SNAPSHOT_PTX_MAX, &s->ptx_len);
	s->source_name = get_words(&r);
	s->source = get_text(&r, SNAPSHOT_SOURCE_MAX, &s->source_len);
	s->number = get_number(&r, 8);
	s->cc = (int)get_least(&r, 4, 199, "there is no such compute capability");
	get_dims(&r, s->grid);
	get_dims(&r, s->block);
	get_dims(&r, s->cluster);
	s->shared = (uint32_t)get_number(&r, 4);
	s->params = get_bytes(&r, SNAPSHOT_PARAMS_MAX, &s->n_params);
	s->n_textures = (uint32_t)get_count(&r, SNAPSHOT_TEXTURES_MAX, 46);
	s->textures = arena_array(r.arena, struct simt_texture, s->n_textures + (size_t)1);
	for (uint32_t i = 0; i < s->n_textures; i++) {
		struct simt_texture *out = &s->textures[i];
		struct warp_texture *t = &out->shape;
		uint32_t texture_flags = (uint32_t)get_number(&r, 4);
		t->is_surface = texture_flags & SNAPSHOT_SURFACE;
		t->layered = texture_flags & SNAPSHOT_LAYERED;
		t->cube = texture_flags & SNAPSHOT_CUBE;
		t->normalized = texture_flags & SNAPSHOT_NORMALIZED;
		t->reads_floats = texture_flags & SNAPSHOT_FLOATS;
		t->sampler.linear = texture_flags & SNAPSHOT_LINEAR;
		t->sampler.unnormalized = texture_flags & SNAPSHOT_UNNORMALIZED;
		t->kind = (char)get_number(&r, 1);
		t->bytes = (uint8_t)get_number(&r, 1);
		t->channels = (uint8_t)get_number(&r, 1);
		t->dimensions = (uint8_t)get_number(&r, 1);
		get_dims(&r, t->size);
		t->layers = (uint32_t)get_number(&r, 4);
		t->pitch = (uint32_t)get_number(&r, 4);
		for (int j = 0; j < 3; j++)
			t->sampler.addressing[j] = (uint8_t)get_number(&r, 1);
		out->address = get_number(&r, 8);
		const char *reference = get_words(&r);
		out->reference = *reference ? reference : NULL;
		if (!t->bytes) /* its slot alone */
			*out = (struct simt_texture){0};
		else if (!is_texture(t))
			refuse_file(&r, "a texture in it cannot be");
	}
	s->room.next = get_number(&r, 8);
	s->room.end = get_number(&r, 8);
	s->globals = get_number(&r, 8);
	s->constants = get_least(&r, 8, SNAPSHOT_CONSTANTS_MAX, "its constants are too large");
	get_pieces(&r, s->constants, &s->constant);

	s->n_buffers = get_count(&r, SNAPSHOT_BUFFERS_MAX, 36);
	s->buffers = arena_array(r.arena, struct snapshot_buffer, s->n_buffers + 1);
	for (size_t i = 0; i < s->n_buffers && !r.wrong; i++) {
		struct snapshot_buffer *b = &s->buffers[i];
		b->address = get_number(&r, 8);
		b->bytes = get_least(&r, 8, SNAPSHOT_MEMORY_MAX - s->memory, "its memory is more than 1 GiB");
		uint32_t buffer_flags = (uint32_t)get_number(&r, 4);
		b->shared_with_host = buffer_flags & SNAPSHOT_SHARED;
		b->of_heap = buffer_flags & SNAPSHOT_OF_HEAP;
		b->freed = buffer_flags & SNAPSHOT_FREED;
		b->place = get_words(&r);
		s->memory += b->bytes;
		if (buffer_flags & SNAPSHOT_SOME_WRITTEN) {
			size_t n;
			b->written = get_bytes(&r, (b->bytes + 7) / 8, &n);
			if (n != (b->bytes + 7) / 8)
				refuse_file(&r, "what it has of a buffer is not as long as the buffer");
		}
		get_pieces(&r, b->bytes, &b->before);
	}
	if (s->ended) {
		s->outcome = (enum simt_outcome)get_least(&r, 1, SIMT_ERROR, "the launch cannot have ended so");
		s->message = get_words(&r);
		for (size_t i = 0; i < s->n_buffers; i++) {
			struct snapshot_buffer *b = &s->buffers[i];
			b->kept_after = get_least(&r, 1, 1, "a buffer is there, or not") != 0;
			if (b->kept_after)
				get_pieces(&r, b->bytes, &b->after);
		}
	}
	if (left(&r))
		refuse_file(&r, "there is more in it than its end");

	if (!r.wrong)
		return s;
	diag_error(diag, pos, "the file cannot be read: %s", r.wrong);
	return NULL;
}

bool snapshot_is_named(const char *path)
{
	size_t n = strlen(path), m = strlen(SNAPSHOT_SUFFIX);
	return n > m && strcmp(path + n - m, SNAPSHOT_SUFFIX) == 0;
}

struct snapshot *snapshot_read(struct arena *arena, const char *path, struct diag *diag)
{
	struct buf bytes = {0};
	if (!file_read(path, SNAPSHOT_FILE_MAX, &bytes, diag)) {
		buf_free(&bytes);
		return NULL;
	}
	size_t len = bytes.len;
	return snapshot_parse(arena, path, arena_adopt(arena, buf_steal(&bytes)), len, diag);
}
