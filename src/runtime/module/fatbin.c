#include "runtime/module/fatbin.h"

#include "config.h"

#include <stdint.h>
#include <string.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LIBLZ4
#include <lz4.h>
#endif

#define MAGIC 0xBA55ED50u
#define KIND_PTX 1
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define PTX_MAX ((uint64_t)256 << 20)

struct fatbin_header {
	uint32_t magic;
	uint16_t version, header_bytes;
	uint64_t bytes; /* of the entries */
};

struct fatbin_entry {
	uint16_t kind, version;
	uint32_t header_bytes;
	uint64_t bytes; /* that follow the header, the padding among them */
	uint32_t compressed_bytes;
	uint32_t options_at;
	uint16_t minor, major;
	uint32_t arch; /* 90 */
	uint32_t name_at, name_bytes;
	uint64_t flags, zero, plain_bytes;
};
_Static_assert(sizeof(struct fatbin_entry) == 64, "as nvcc writes it");

static bool refuse(struct diag *diag, const char *why)
{
	diag_error(diag, (struct diag_pos){0}, "%s", why);
	return false;
}

static bool expand(struct arena *arena, const struct fatbin_entry *entry, const char *bytes, struct fatbin_ptx *out,
	struct diag *diag)
{
	uint64_t plain = entry->plain_bytes;
	if (plain > PTX_MAX || entry->compressed_bytes > entry->bytes)
		return refuse(diag, "its compressed PTX has no sound size");
	char *text = arena_alloc(arena, plain + 1);
	uint64_t made = 0;
	if (entry->flags & FLAG_ZSTD) {
#ifdef HAVE_LIBZSTD
		made = ZSTD_decompress(text, plain, bytes, entry->compressed_bytes);
#else
		return refuse(diag,
			"its PTX is compressed by zstd, which this build cannot read; compile it with nvcc --no-compress");
#endif
	} else {
#ifdef HAVE_LIBLZ4
		made = (uint64_t)LZ4_decompress_safe(bytes, text, (int)entry->compressed_bytes, (int)plain);
#else
		return refuse(diag,
			"its PTX is compressed by LZ4, which this build cannot read; compile it with nvcc --no-compress");
#endif
	}
	if (made != plain)
		return refuse(diag, "its compressed PTX is damaged");
	text[plain] = '\0';
	*out = (struct fatbin_ptx){text, strlen(text), (int)entry->arch};
	return true;
}

static bool is_better(int arch, int than, int cc)
{
	if (!than)
		return true;
	return than > cc ? arch < than : arch <= cc && arch > than;
}

bool fatbin_find_ptx(
	struct arena *arena, const void *data, size_t room, int cc, struct fatbin_ptx *out, struct diag *diag)
{
	const char *at = data;
	struct fatbin_header header;
	struct fatbin_entry entry, best = {0};
	const char *best_bytes = NULL;

	if (room < sizeof header.magic)
		return refuse(diag, "it has no device code");
	memcpy(&header.magic, at, sizeof header.magic);
	if (header.magic != MAGIC) { /* PTX as it is */
		*out = (struct fatbin_ptx){at, strnlen(at, room), 0};
		return true;
	}
	if (room < sizeof header)
		return refuse(diag, "the container of its device code is cut off");
	memcpy(&header, at, sizeof header);
	if (header.header_bytes > room || header.bytes > room - header.header_bytes)
		return refuse(diag, "the container of its device code is larger than the program");
	at += header.header_bytes;
	for (uint64_t left = header.bytes; left >= sizeof entry; at += entry.bytes) {
		memcpy(&entry, at, sizeof entry);
		if (entry.header_bytes < sizeof entry || entry.header_bytes > left ||
			entry.bytes > left - entry.header_bytes)
			break;
		at += entry.header_bytes;
		left -= entry.header_bytes + entry.bytes;
		if (entry.kind == KIND_PTX && is_better((int)entry.arch, (int)best.arch, cc)) {
			best = entry;
			best_bytes = at;
		}
	}
	if (!best_bytes)
		return refuse(diag,
			"it has machine code alone, and no PTX; compile it with -arch=compute_75 or newer (nvcc -arch=native has none)");
	if (best.flags & (FLAG_ZSTD | FLAG_LZ4))
		return expand(arena, &best, best_bytes, out, diag);
	*out = (struct fatbin_ptx){best_bytes, strnlen(best_bytes, best.bytes), (int)best.arch};
	return true;
}
