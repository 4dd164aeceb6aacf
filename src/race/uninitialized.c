/* Which bytes were written: a bit each. */
#include <string.h>

#include "race/detector.h"

void check_written_start(struct check *k)
{
	if (k->shared_written)
		memset(k->shared_written, 0, (k->setup.shared_bytes + 15) / 8);
	if (k->local_written)
		memset(k->local_written, 0, k->local_stride / 8 * k->n_warps * WARP_SIZE);
}

static const struct unwritten *find(const struct check_grid *grid, uint64_t address)
{
	for (uint32_t i = 0; i < grid->n_unwritten; i++)
		if (address - grid->unwritten[i].address < grid->unwritten[i].bytes)
			return &grid->unwritten[i];
	return NULL;
}

/* Beyond the kernel's own frame are those of functions, which are not followed. */
static bool is_in_frame(const struct check *k, const struct simt_access *a, uint64_t at)
{
	return at + a->width <= k->setup.local_bytes;
}

/* The bits of the array that the lane's address is in, and the byte's place in it; NULL when all of it counts as written. */
static uint8_t *bits_of(const struct check *k, const struct simt_access *a, int lane, uint64_t *at)
{
	*at = a->address[lane];
	if (a->space == SPACE_SHARED)
		return k->shared_written;
	if (a->space == SPACE_LOCAL && !is_in_frame(k, a, *at))
		return NULL;
	if (a->space == SPACE_LOCAL) {
		*at += (uint64_t)(a->warp * WARP_SIZE + (uint32_t)lane) * k->local_stride;
		return k->local_written;
	}
	const struct unwritten *u = find(k->grid, *at);
	if (u)
		*at -= u->address;
	return u ? u->written : NULL;
}

/* Accesses are aligned: up to 8 bytes are bits of one byte, 16 are two whole ones. */
static bool is_unwritten(const uint8_t *bits, uint64_t at, uint32_t width)
{
	if (width == 16)
		return !(bits[at / 8] | bits[at / 8 + 1]);
	return !(bits[at / 8] >> at % 8 & ((1u << width) - 1));
}

/* Other blocks may write beside it at the same time. */
static void write(uint8_t *bits, uint64_t at, uint32_t width)
{
	uint8_t set = (uint8_t)(width >= 8 ? 0xFF : ((1u << width) - 1) << at % 8);
	for (uint32_t i = 0; i < (width + 7) / 8; i++)
		if ((bits[at / 8 + i] & set) != set)
			__atomic_fetch_or(&bits[at / 8 + i], set, __ATOMIC_RELAXED);
}

static void tell(struct check *k, const struct simt_access *a, int told, uint32_t lanes)
{
	struct check_finding finding = {.kind = SIMT_UNINITIALISED,
		.space = a->space,
		.address = a->address[__builtin_ctz(lanes)],
		.here = {told, a->op, k->block, a->warp, lanes, __builtin_ctz(lanes)}};
	check_tell(k, &finding);
}

void check_written(struct check *k, const struct simt_access *a, int told)
{
	uint32_t unwritten = 0;
	if (a->space == SPACE_CONST || a->space == SPACE_PARAM || (a->space == SPACE_GLOBAL && !k->grid->n_unwritten))
		return;
	for (uint32_t left = a->active; left; left &= left - 1) {
		uint64_t at;
		uint8_t *bits = bits_of(k, a, __builtin_ctz(left), &at);
		if (bits && a->op != ACCESS_STORE && is_unwritten(bits, at, a->width))
			unwritten |= left & -left;
		if (bits && a->op != ACCESS_LOAD)
			write(bits, at, a->width);
	}
	if (unwritten)
		tell(k, a, told, unwritten);
}
