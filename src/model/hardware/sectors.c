#include "model/hardware/access.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/clones.h"

static int fill_uses(int width, uint32_t active, const uint64_t *address, struct sector_use *uses)
{
	uint32_t lane_bytes = width < 32 ? (1u << width) - 1 : 0xFFFFFFFFu;
	int n = 0;

	for (; active; active &= active - 1) {
		int lane = __builtin_ctz(active);

		/* The use of `sector` in the sorted list, made if it is new. */
		uint64_t sector = address[lane] / MODEL_SECTOR_BYTES;
		int at = n;
		while (at > 0 && uses[at - 1].sector >= sector)
			at--;
		struct sector_use *use = &uses[at];
		if (at == n || use->sector != sector) {
			memmove(use + 1, use, (size_t)(n - at) * sizeof *uses);
			*use = (struct sector_use){.sector = sector};
			n++;
		}
		use->lanes |= 1u << lane;
		use->bytes |= lane_bytes << address[lane] % MODEL_SECTOR_BYTES;
	}
	return n;
}

/* Verified: CC 9.0 (H200), tests/gpu, against l1tex__t_sectors_pipe_lsu_mem_global_op_{ld,st}: any width, any order. */
int sector_uses(const struct warp_access *access, struct sector_use *out)
{
	struct sector_use own[SECTORS_MAX];
	return fill_uses(access->width, access->active, access->address, out ? out : own);
}

/* The lanes whose unit of memory, of `size` bytes, is not that of the lane before them; lane 0 is one. */
CLONES_AVX2 static uint32_t run_heads(const uint64_t *address, uint64_t size)
{
	static const uint64_t bit[WARP_SIZE] = {
#define BITS(i) 1u << (i), 1u << (i + 1), 1u << (i + 2), 1u << (i + 3)
		BITS(0),
		BITS(4),
		BITS(8),
		BITS(12),
		BITS(16),
		BITS(20),
		BITS(24),
		BITS(28),
#undef BITS
	};
	uint64_t heads = 0;

	for (int i = 1; i < WARP_SIZE; i++)
		heads |= (address[i] ^ address[i - 1]) >= size ? bit[i] : 0;
	return (uint32_t)heads | 1;
}

/* Whether each lane's bytes come after those of the lane before it. */
CLONES_AVX2 static bool ascends(int width, const uint64_t *address)
{
	uint64_t not_after = 0;
	for (int i = 1; i < WARP_SIZE; i++)
		not_after |= address[i] < address[i - 1] + (uint64_t)width;
	return !not_after;
}

/* Verified: CC 9.0 (H200), the recordings of the lessons, against smsp__sass_data_bytes_mem_global_op_{ld,st}. */
int sector_bytes(int width, uint32_t active, const uint64_t address[WARP_SIZE])
{
	struct sector_use uses[SECTORS_MAX];
	int bytes = 0;

	if (active == 0xFFFFFFFF) {
		if (ascends(width, address))
			return WARP_SIZE * width;
		active = run_heads(address, (uint64_t)width);
	}
	for (int n = fill_uses(width, active, address, uses); n--;)
		bytes += __builtin_popcount(uses[n].bytes);
	return bytes;
}

/* Neighboring lanes mostly share a sector, so only the first lane of each run is looked at. */
int sector_count(uint32_t active, const uint64_t address[WARP_SIZE])
{
	/* by a sorted list; ascending accesses always append */
	uint32_t heads = active == 0xFFFFFFFF ? run_heads(address, MODEL_SECTOR_BYTES) : active;
	uint64_t sorted[WARP_SIZE];
	int n = 0;
	for (; heads; heads &= heads - 1) {
		uint64_t sector = address[__builtin_ctz(heads)] / MODEL_SECTOR_BYTES;
		int at = n;
		while (at > 0 && sorted[at - 1] > sector)
			at--;
		if (at > 0 && sorted[at - 1] == sector)
			continue;
		memmove(&sorted[at + 1], &sorted[at], (size_t)(n++ - at) * sizeof *sorted);
		sorted[at] = sector;
	}
	return n;
}

/* From `first` to before `end`. */
struct byte_range {
	uint64_t first, end;
};

/* How the addresses of a half-warp follow each other. */
CLONES_AVX2 static enum warp_half classify_half(int width, const uint64_t *address)
{
	uint64_t moves = 0, jumps = 0;
	for (int i = 1; i < WARP_HALF_SIZE; i++) {
		uint64_t step = address[i] - address[i - 1];
		moves |= step;
		jumps |= step ^ (uint64_t)width;
	}
	return !moves ? HALF_SAME : !jumps ? HALF_ADJACENT : HALF_SPREAD;
}

/* The bytes of a half-warp whose lanes all access the same bytes, or adjacent ones; false: neither. */
static bool half_range(const struct warp_access *access, int half, struct byte_range *span)
{
	const uint64_t *address = access->address + half * WARP_HALF_SIZE;
	enum warp_half seen = (enum warp_half)access->half[half];
	if (seen == HALF_UNKNOWN)
		seen = classify_half(access->width, address);
	*span = (struct byte_range){address[0], address[WARP_HALF_SIZE - 1] + access->width};
	return seen != HALF_SPREAD;
}

static struct byte_range sectors_of(struct byte_range bytes)
{
	return (struct byte_range){bytes.first / MODEL_SECTOR_BYTES, (bytes.end - 1) / MODEL_SECTOR_BYTES + 1};
}

/* The size of the union. */
static uint64_t union_size(struct byte_range a, struct byte_range b)
{
	uint64_t first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
	return a.end - a.first + (b.end - b.first) - (first < end ? end - first : 0);
}

/* In nearly all accesses both halves are one range each, and no lane needs to be looked at alone. */
void sector_tally(const struct warp_access *access, uint64_t *sectors, uint64_t *bytes)
{
	struct byte_range low, high;
	if (access->active == WARP_FULL_MASK && half_range(access, 0, &low) && half_range(access, 1, &high)) {
		*sectors += union_size(sectors_of(low), sectors_of(high));
		*bytes += union_size(low, high);
	} else {
		*sectors += (uint64_t)sector_count(access->active, access->address);
		*bytes += (uint64_t)sector_bytes(access->width, access->active, access->address);
	}
}

/* Verified: CC 9.0 (H200), validate patterns, against l1tex__t_sectors_pipe_lsu_mem_global_op_{atom,red}: operations of
 * 4 and 8 bytes on integers and floats. */
int sector_count_atomic(uint32_t active, const uint64_t address[WARP_SIZE])
{
	int sectors = 0;
	while (active) {
		uint64_t sector = address[__builtin_ctz(active)] / MODEL_SECTOR_BYTES;
		uint32_t in_sector = 0;
		int most = 0;
		for (uint32_t lanes = active; lanes; lanes &= lanes - 1)
			in_sector |= address[__builtin_ctz(lanes)] / MODEL_SECTOR_BYTES == sector ? lanes & -lanes : 0;
		for (uint32_t lanes = in_sector; lanes; lanes &= lanes - 1) {
			int n = 0;
			for (uint32_t others = in_sector; others; others &= others - 1)
				n += address[__builtin_ctz(others)] == address[__builtin_ctz(lanes)];
			most = n > most ? n : most;
		}
		sectors += most;
		active &= ~in_sector;
	}
	return sectors;
}

/* Verified: CC 9.0 (H200), validate patterns, against l1tex__t_{requests,sectors}_pipe_lsu_mem_local_op_{ld,st}. */
struct warp_access local_word(const struct warp_access *access, int index)
{
	struct warp_access word = {
		.space = SPACE_GLOBAL, .op = access->op, .width = access->width, .active = access->active};
	if (word.width > MODEL_BANK_BYTES)
		word.width = MODEL_BANK_BYTES;
	for (uint32_t lanes = access->active; lanes; lanes &= lanes - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(lanes);
		uint64_t at = access->address[lane] + (uint64_t)index * MODEL_BANK_BYTES;
		word.address[lane] = at / MODEL_BANK_BYTES * MODEL_LINE_BYTES + lane * MODEL_BANK_BYTES +
			at % MODEL_BANK_BYTES;
	}
	return word;
}
