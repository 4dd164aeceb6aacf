/* Asynchronous copies to shared memory: from where they begin until their thread waits for them, no thread may touch what
 * they write. They are of whole words. */
#include <stdlib.h>

#include "base/arena.h"
#include "machine/race/detector.h"

static bool is_in_bounds(const struct race_detector *d, const struct warp_access *a, int lane)
{
	uint64_t last = d->setup.shared_bytes - a->width;
	return a->address[lane] % a->width == 0 && d->setup.shared_bytes >= a->width && a->address[lane] <= last;
}

static void begin_lane(struct race_detector *d, const struct race_site *site, const struct warp_access *a, int lane)
{
	for (uint32_t i = 0; i < a->width; i += 4) {
		struct pending_copy *c = &d->copies.of_word[(a->address[lane] + i) / 4];
		d->copies.n += !c->instr_plus_1;
		*c = (struct pending_copy){(uint32_t)site->reported + 1, (uint8_t)site->warp, (uint8_t)lane};
	}
}

void race_copy_begin(struct race_detector *d, const struct race_site *site, const struct warp_access *a)
{
	struct warp_access valid = *a;
	if (!d->setup.races || a->space != SPACE_SHARED)
		return;
	if (!d->copies.of_word)
		d->copies.of_word = base_calloc(d->setup.shared_bytes / 4 + 1, sizeof *d->copies.of_word);
	for (uint32_t left = a->active; left; left &= left - 1)
		if (!is_in_bounds(d, a, __builtin_ctz(left)))
			valid.active &= ~(left & -left);
	race_compare(d, site, &valid);
	for (uint32_t left = valid.active; left; left &= left - 1)
		begin_lane(d, site, a, __builtin_ctz(left));
}

static void end_lane(struct race_detector *d, uint32_t warp, const struct warp_access *a, int lane)
{
	for (uint32_t i = 0; i < a->width; i += 4) {
		struct pending_copy *c = &d->copies.of_word[(a->address[lane] + i) / 4];
		if (!c->instr_plus_1 || c->warp != warp || c->lane != lane)
			continue;
		c->instr_plus_1 = 0;
		d->copies.n--;
	}
}

void race_copy_end(struct race_detector *d, uint32_t warp, const struct warp_access *a)
{
	for (uint32_t left = d->copies.n && a->space == SPACE_SHARED ? a->active : 0; left; left &= left - 1)
		end_lane(d, warp, a, __builtin_ctz(left));
}

void race_copies_clear(struct race_detector *d)
{
	free(d->copies.of_word);
	d->copies.of_word = NULL;
	d->copies.n = 0;
}
