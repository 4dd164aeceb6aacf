/* model/hardware/banks.h: what shared memory does with one request.
 *
 * The rules are those of the compute capability given; each is marked in the source with where it was verified. */
#pragma once
#include "model/hardware/access.h"

/* The most wavefronts of one access: 32 lanes, each alone, twice. */
#define BANKS_WAVEFRONTS_MAX 64

/* One pass of the data stage: which lanes it serves and which word each bank delivers. */
struct bank_wavefront {
	uint32_t lanes;            /* bit i: lane i is served */
	int64_t word[MODEL_BANKS]; /* word index (address / 4) per bank, -1: bank idle */
};

/* Splits `access` into wavefronts in the order the diagrams number them. Writes at most `cap` to `out` (NULL: count only)
 * and returns how many there are; 0 when no lane is active.
 *
 * The hardware counts wavefronts; it does not say which lanes each serves. The order here is a natural one: the
 * groups of lanes (bank_groups) one after the other; within a group, wavefront k takes from each bank the k-th distinct
 * word, in the order of the first lane that uses it, and serves all lanes that use it. All words of a wide lane
 * come in the same wavefront. An atomic shares nothing: wavefront k serves the k-th lane of each bank; where it takes two
 * passes, to compare and to swap, they follow each other. */
int bank_wavefronts(const struct warp_access *access, int cc, struct bank_wavefront *out, int cap);

/* The groups of lanes that the hardware serves separately, as masks of active lanes in ascending order; groups without an
 * active lane are left out. Returns how many. */
#define BANKS_GROUPS_MAX 4
int bank_groups(const struct warp_access *access, int cc, uint32_t out[BANKS_GROUPS_MAX]);

/* The fewest wavefronts an access of this op, width and mask needs: one for each group. */
int bank_ideal(const struct warp_access *access, int cc);

/* Bank conflicts as the hardware counts them, of an access of `wavefronts`: the wavefronts beyond the fewest; for a
 * compare-and-swap, one per two passes; for the adding of floats none, whose rounds are separate requests. */
int bank_conflicts(const struct warp_access *access, int cc, int wavefronts);

/* Whether the rule for this op and width was checked on hardware of this compute capability. */
bool bank_rule_verified(enum access_op op, int width, int cc);
