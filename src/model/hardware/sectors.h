/* model/hardware/sectors.h: what the L1 does with one request to global or local memory: which 32-byte sectors it touches. */
#pragma once
#include "model/hardware/access.h"

struct sector_use {
	uint64_t sector; /* address / 32 */
	uint32_t lanes;  /* lanes with a byte in it */
	uint32_t bytes;  /* bit i: byte i of the sector is touched */
};

/* At most 32 lanes of 16 bytes, each aligned to its width, so no lane spans two sectors. */
#define SECTORS_MAX 32

/* Writes the distinct sectors in ascending order to `out` (room for SECTORS_MAX; NULL: count only); returns how many. */
int sector_uses(const struct warp_access *access, struct sector_use *out);

/* How many distinct sectors the lanes in `active` access. */
int sector_count(uint32_t active, const uint64_t address[WARP_SIZE]);

/* How many distinct bytes the lanes in `active` touch, each `width` of them: those that several lanes share count once. */
int sector_bytes(int width, uint32_t active, const uint64_t address[WARP_SIZE]);

/* Adds both counts of an access to `*sectors` and `*bytes`; what is known of its halves makes it quicker. */
void sector_tally(const struct warp_access *access, uint64_t *sectors, uint64_t *bytes);

/* How many sectors an atomic counts: lanes with the same address are served one after the other, and the sector counts each
 * time; its other addresses are served along with them. */
int sector_count_atomic(uint32_t active, const uint64_t address[WARP_SIZE]);

/* Word `index` of each lane of an access to local memory, as an access to global memory: the words of a warp's lanes are
 * adjacent, word after word. */
struct warp_access local_word(const struct warp_access *access, int index);
