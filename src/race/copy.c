/* Asynchronous copies to shared memory: from where they begin until their thread waits for them, nobody may touch what they
 * write. They are of whole words. */
#include <stdlib.h>

#include "base/arena.h"
#include "race/detector.h"

static bool is_inside(const struct check *k, const struct simt_access *a, int lane)
{
	uint64_t last = k->setup.shared_bytes - a->width;
	return a->address[lane] % a->width == 0 && k->setup.shared_bytes >= a->width && a->address[lane] <= last;
}

static void begin(struct check *k, const struct simt_access *a, int told, int lane)
{
	for (uint32_t i = 0; i < a->width; i += 4) {
		struct copying *c = &k->copies[(a->address[lane] + i) / 4];
		k->n_copies += !c->told;
		*c = (struct copying){(uint32_t)told + 1, (uint8_t)a->warp, (uint8_t)lane};
	}
}

void check_copy_begins(struct check *k, const struct simt_access *a, int told)
{
	struct simt_access good = *a;
	if (!k->setup.races || a->space != SPACE_SHARED)
		return;
	if (!k->copies)
		k->copies = base_calloc(k->setup.shared_bytes / 4 + 1, sizeof *k->copies);
	for (uint32_t left = a->active; left; left &= left - 1)
		if (!is_inside(k, a, __builtin_ctz(left)))
			good.active &= ~(left & -left);
	check_compare(k, &good, told);
	for (uint32_t left = good.active; left; left &= left - 1)
		begin(k, a, told, __builtin_ctz(left));
}

static void end(struct check *k, const struct simt_access *a, int lane)
{
	for (uint32_t i = 0; i < a->width; i += 4) {
		struct copying *c = &k->copies[(a->address[lane] + i) / 4];
		if (!c->told || c->warp != a->warp || c->lane != lane)
			continue;
		c->told = 0;
		k->n_copies--;
	}
}

void check_copy_ends(struct check *k, const struct simt_access *a)
{
	for (uint32_t left = k->n_copies && a->space == SPACE_SHARED ? a->active : 0; left; left &= left - 1)
		end(k, a, __builtin_ctz(left));
}

void check_copy_start(struct check *k)
{
	free(k->copies);
	k->copies = NULL;
	k->n_copies = 0;
}
