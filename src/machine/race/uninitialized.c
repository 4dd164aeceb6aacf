/* Which bytes were written: a bit for each. */
#include <string.h>

#include "machine/race/detector.h"

void race_written_clear(struct race_detector *d)
{
	if (d->written.shared)
		memset(d->written.shared, 0, (d->setup.shared_bytes + 15) / 8);
	if (d->written.local)
		memset(d->written.local, 0, d->written.local_stride / 8 * d->n_warps * WARP_SIZE);
}

/* The bits of the array that the lane's address is in, and the byte's index in it; NULL when all of it counts as
 * written: so it does in the frames of functions, after the kernel's own, which are not followed. */
static inline __attribute__((always_inline)) uint8_t *bits_of_lane(
	const struct race_detector *d, uint32_t warp, const struct warp_access *a, int lane, uint64_t *at)
{
	*at = a->address[lane];
	if (a->space == SPACE_SHARED)
		return d->setup.shared_reserved && *at >= d->setup.shared_reserved ? NULL : d->written.shared;
	if (a->space == SPACE_LOCAL && *at + a->width > d->setup.local_bytes)
		return NULL;
	if (a->space == SPACE_LOCAL) {
		*at += (uint64_t)(warp * WARP_SIZE + (uint32_t)lane) * d->written.local_stride;
		return d->written.local;
	}

	const struct uninitialized_region *region = NULL;
	for (uint32_t i = 0; i < d->grid->n_uninitialized && !region; i++)
		if (*at - d->grid->uninitialized[i].address < d->grid->uninitialized[i].bytes)
			region = &d->grid->uninitialized[i];

	if (region)
		*at -= region->address;
	return region ? region->written : NULL;
}

/* Accesses are aligned: up to 8 bytes are bits of one byte, 16 are two whole ones. */
static uint32_t written_of(const uint8_t *bits, uint64_t at, uint32_t width)
{
	return width > 8 ? bits[at / 8] | (uint32_t)bits[at / 8 + 1] << 8 : (uint32_t)bits[at / 8] >> at % 8;
}

static bool has_unwritten(const struct race_detector *d, const struct warp_access *a)
{
	return d->setup.uninitialized && a->space != SPACE_CONST && a->space != SPACE_PARAM &&
		(a->space != SPACE_GLOBAL || d->grid->n_uninitialized);
}

/* The bits of a row: a full warp at neighboring elements, from a multiple of 8 bytes on, in one array, for which the
 * bits of all lanes are `bytes` whole bytes. NULL: it is none, or all of it counts as written. */
static uint8_t *bits_of_row(const struct race_detector *d, uint32_t warp, const struct warp_access *a, uint32_t *bytes)
{
	uint64_t first, last;
	if (a->active != WARP_FULL_MASK || a->space == SPACE_LOCAL || a->half[0] != HALF_ADJACENT ||
		a->half[1] != HALF_ADJACENT || a->address[WARP_HALF_SIZE] != a->address[WARP_HALF_SIZE - 1] + a->width)
		return NULL;
	uint8_t *bits = bits_of_lane(d, warp, a, 0, &first);
	if (!bits || first % 8 || bits_of_lane(d, warp, a, WARP_SIZE - 1, &last) != bits)
		return NULL;
	*bytes = (uint32_t)WARP_SIZE * a->width / 8;
	return bits + first / 8;
}

uint32_t race_unwritten(
	const struct race_detector *d, uint32_t warp, const struct warp_access *a, uint16_t bytes[WARP_SIZE])
{
	uint32_t lanes = 0, all = (1u << a->width) - 1, n = 0;
	if (!has_unwritten(d, a))
		return 0;
	const uint8_t *row = bits_of_row(d, warp, a, &n);
	uint8_t written = 0xFF;
	for (uint32_t i = 0; i < n; i++)
		written &= row[i];
	if (row && written == 0xFF)
		return 0;
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint64_t at;
		const uint8_t *bits = bits_of_lane(d, warp, a, lane, &at);
		uint32_t unwritten = bits ? all & ~written_of(bits, at, a->width) : 0;
		if (!unwritten)
			continue;
		bytes[lane] = (uint16_t)unwritten;
		lanes |= left & -left;
	}
	return lanes;
}

void race_written(struct race_detector *d, uint32_t warp, const struct warp_access *a, const uint16_t *but)
{
	if (!has_unwritten(d, a))
		return;
	uint32_t n = 0;
	uint8_t *row = but ? NULL : bits_of_row(d, warp, a, &n);
	/* Other cores at most set the same bits. */
	if (row) {
		memset(row, 0xFF, n);
		return;
	}
	for (uint32_t left = a->active; left; left &= left - 1) {
		int lane = __builtin_ctz(left);
		uint64_t at;
		uint8_t *bits = bits_of_lane(d, warp, a, lane, &at);
		if (!bits)
			continue;

		/* Blocks on other cores may write to bytes of the same eight at the same time. */
		uint32_t width = a->width;
		uint8_t set = (uint8_t)(width >= 8 ? 0xFF : ((1u << width) - 1) << at % 8);
		for (uint32_t i = 0; i < (width + 7) / 8; i++)
			if ((bits[at / 8 + i] & set) != set)
				__atomic_fetch_or(&bits[at / 8 + i], set, __ATOMIC_RELAXED);

		if (but && a->space != SPACE_GLOBAL) {
			/* Of memory that only this block has. */
			uint32_t bytes = but[lane];
			for (; bytes; bytes &= bytes - 1) {
				uint64_t byte = at + (uint64_t)__builtin_ctz(bytes);
				bits[byte / 8] &= (uint8_t) ~(1u << byte % 8);
			}
		}
	}
}
