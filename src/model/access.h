/* model/access.h: one warp's access to memory, as the models take it. */
#pragma once
#include "warp/warp.h"

#define MODEL_BANKS 32
#define MODEL_BANK_BYTES 4
#define MODEL_SECTOR_BYTES 32
#define MODEL_LINE_BYTES 128

/* The compute capability whose rules apply when nothing else is known: the one they were verified on. */
#define MODEL_CC_DEFAULT 90

/* What the rules say about one access; a field that does not apply to the space is 0. */
struct access_cost {
	int requests;                                     /* 1, but see access_requests */
	int wavefronts, ideal_wavefronts, bank_conflicts; /* shared; conflicts as the hardware counts them */
	int sectors, ideal_sectors;  /* global, local; ideal: the fewest that hold the distinct bytes */
	int bytes_used, bytes_moved; /* global, local: distinct bytes touched; 32 a distinct sector */
	int replays;                 /* constant: passes beyond the first: distinct addresses but one */
	/* Shared ADD_FLOAT: it is compiled to a loop that loads, adds, and stores what still is as it was loaded. Its loads. */
	int loop_loads, loop_load_wavefronts, loop_load_conflicts;
	bool exact; /* no access_doubt */
};

struct access_cost access_cost(const struct warp_access *access, int cc);

/* Why the numbers may not be what the hardware counts, after "this rule"; NULL: they are. */
const char *access_doubt(const struct warp_access *access, int cc);

/* How many requests that is: access_cost's, alone. Without an active lane a shared load or store still is one, all else
 * none. A shared ADD_FLOAT is as many as its loop has rounds, a local access one for each word, a constant load of 16
 * bytes four. */
int access_requests(const struct warp_access *access);

/* Whether there is such an access at all: of this width in bytes, to this space. */
bool access_exists(enum mem_space space, enum access_op op, int width);
