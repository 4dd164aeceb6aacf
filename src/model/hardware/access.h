/* model/hardware/access.h: one warp's access to memory, as the models take it. */
#pragma once
#include "machine/warp/warp.h"

#define MODEL_BANKS 32
#define MODEL_BANK_BYTES 4
#define MODEL_SECTOR_BYTES 32
#define MODEL_LINE_BYTES 128

/* The compute capability whose rules apply by default: the one they were verified on. */
#define MODEL_CC_DEFAULT 90

/* What the rules say about one access; a field that does not apply to the space is 0. */
struct access_cost {
	int requests;                                     /* 1, but see access_requests */
	int wavefronts, ideal_wavefronts, bank_conflicts; /* shared; conflicts as the hardware counts them */
	int sectors, ideal_sectors;  /* global, local; ideal: the fewest that hold the distinct bytes */
	int bytes_used, bytes_moved; /* global, local: distinct bytes touched; 32 per distinct sector */
	int replays;                 /* constant: passes beyond the first: distinct addresses less one */
	/* Loads of the loop that a shared ADD_FLOAT is compiled to: it loads, adds, and compares and swaps. */
	int loop_loads, loop_load_wavefronts, loop_load_conflicts;
	bool exact; /* no access_doubt */
};

struct access_cost access_cost(const struct warp_access *access, int cc);

/* Why the numbers may differ from the hardware's, to follow "this rule"; NULL: they are exact. */
const char *access_doubt(const struct warp_access *access, int cc);

/* The requests of access_cost alone. Without an active lane a shared load or store is still one request, any other
 * access none. A shared ADD_FLOAT makes one per round of its loop, a local access one per word, a constant load of 16
 * bytes four. */
int access_requests(const struct warp_access *access);

/* The widths in bytes that an op has, as bits; 0: the space does not have it. */
uint32_t access_widths(enum mem_space space, enum access_op op);

/* --- banks.c ------------------------------------------------------------------------------------------------------ */

/* What shared memory does with one request.
 *
 * The rules are those of the compute capability given; each is marked in the source with where it was verified. */

/* The most wavefronts of one access: 32 lanes, each alone, twice. */
#define BANKS_WAVEFRONTS_MAX 64

/* One pass of the data stage: which lanes it serves and which word each bank delivers. */
struct bank_wavefront {
	uint32_t lanes;            /* bit i: lane i is served */
	int64_t word[MODEL_BANKS]; /* word index (address / 4) per bank, -1: bank idle */
};

/* Splits `access` into wavefronts in the order the diagrams number them. Writes at most `cap` to `out` (NULL: count
 * only) and returns how many there are; 0 when no lane is active.
 *
 * The hardware counts wavefronts; it does not say which lanes each serves. The order here is a natural one: the groups
 * of lanes (bank_groups) one after the other; within a group, wavefront k takes from each bank the k-th distinct word,
 * in the order of the first lane that uses it, and serves all lanes that use it. All words of a wide lane come in the
 * same wavefront. An atomic shares nothing: wavefront k serves the k-th lane of each bank; where it takes two passes,
 * to compare and to swap, they follow each other. */
int bank_wavefronts(const struct warp_access *access, int cc, struct bank_wavefront *out, int cap);

/* The groups of lanes that the hardware serves separately, as masks of active lanes in ascending order; groups without
 * an active lane are left out. Returns how many. */
#define BANKS_GROUPS_MAX 4
int bank_groups(const struct warp_access *access, int cc, uint32_t out[BANKS_GROUPS_MAX]);

/* The fewest wavefronts an access of this op, width and mask needs: one for each group. */
int bank_ideal(const struct warp_access *access, int cc);

/* Bank conflicts as the hardware counts them, of an access of `wavefronts`: the wavefronts beyond the fewest; for a
 * compare-and-swap, one per two passes; for the adding of floats none, whose rounds are separate requests. */
int bank_conflicts(const struct warp_access *access, int cc, int wavefronts);

/* Whether the rule for this op and width was checked on hardware of this compute capability. */
bool bank_rule_verified(enum access_op op, int width, int cc);

/* --- sectors.c ---------------------------------------------------------------------------------------------------- */

/* What the L1 does with one request to global or local memory: which 32-byte sectors it touches. */

struct sector_use {
	uint64_t sector; /* address / 32 */
	uint32_t lanes;  /* lanes with a byte in it */
	uint32_t bytes;  /* bit i: byte i of the sector is touched */
};

/* At most 32 lanes of 16 bytes, each aligned to its width, so no lane spans two sectors. */
#define SECTORS_MAX 32

/* Writes the distinct sectors in ascending order to `out` (room for SECTORS_MAX; NULL: count only); returns how
 * many. */
int sector_uses(const struct warp_access *access, struct sector_use *out);

/* How many distinct sectors the lanes in `active` access. */
int sector_count(uint32_t active, const uint64_t address[WARP_SIZE]);

/* How many distinct bytes the lanes in `active` touch, each `width` of them: those that several lanes share count
 * once. */
int sector_bytes(int width, uint32_t active, const uint64_t address[WARP_SIZE]);

/* Adds both counts of an access to `*sectors` and `*bytes`; what is known of its halves makes it quicker. */
void sector_tally(const struct warp_access *access, uint64_t *sectors, uint64_t *bytes);

/* How many sectors an atomic counts: lanes with the same address are served one after the other, and the sector counts
 * each time; its other addresses are served along with them. */
int sector_count_atomic(uint32_t active, const uint64_t address[WARP_SIZE]);

/* Word `index` of each lane of an access to local memory, as an access to global memory: the words of a warp's lanes
 * are adjacent, word after word. */
struct warp_access local_word(const struct warp_access *access, int index);
