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

/* The requests of access_cost alone. Without an active lane a shared load or store is still one request, any other access
 * none. A shared ADD_FLOAT makes one per round of its loop, a local access one per word, a constant load of 16 bytes
 * four. */
int access_requests(const struct warp_access *access);

/* Whether an access of this width in bytes to this space exists. */
bool access_exists(enum mem_space space, enum access_op op, int width);

/* The widths in bytes that an op has, as bits; 0: the space does not have it. */
uint32_t access_widths(enum mem_space space, enum access_op op);
