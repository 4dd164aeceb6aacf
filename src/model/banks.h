/* model/banks.h: what shared memory does with one request.
 *
 * The rules are those of the compute capability given; each is marked in the source with where it was verified. */
#pragma once
#include "model/access.h"

/* At most this many wavefronts in one access: 32 lanes, each alone, twice over for a compare-and-swap. */
#define BANKS_WAVEFRONTS_MAX 64

/* One pass of the data stage: which lanes it serves and which word each bank delivers. */
struct bank_wavefront {
	uint32_t lanes;                 /* bit i: lane i is served (a wide lane: its last word comes with this pass) */
	int64_t word[MODEL_BANKS];      /* word index (address / 4) per bank, -1: bank idle */
};

/* Splits `access` into wavefronts in the order the diagrams number them. Writes at most `cap` to `out` (NULL: count only)
 * and returns how many there are; 0 when no lane is active. */
int bank_wavefronts(const struct warp_access *access, int cc, struct bank_wavefront *out, int cap);

/* The fewest wavefronts an access of this op, width and mask needs: 1, 2 or 4. */
int bank_ideal(const struct warp_access *access, int cc);
