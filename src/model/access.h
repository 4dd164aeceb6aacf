/* model/access.h: one warp's access to memory, as the models take it. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MODEL_LANES 32
#define MODEL_BANKS 32
#define MODEL_BANK_BYTES 4
#define MODEL_SECTOR_BYTES 32
#define MODEL_LINE_BYTES 128

/* The compute capability whose rules apply when nothing else is known: the one they were verified on. */
#define MODEL_CC_DEFAULT 90

enum access_space { ACCESS_SHARED, ACCESS_GLOBAL };
enum access_op { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

/* A lane whose bit in `active` is 0 takes no part and has no address. Addresses are bytes: offsets into the block's
 * shared window, or global addresses (only their place within a line matters, so offsets do as well). */
struct warp_access {
	enum access_space space;
	enum access_op op;
	uint8_t width;          /* bytes a lane: 1, 2, 4, 8 or 16; addresses are multiples of it */
	uint32_t active;        /* bit i: lane i */
	uint64_t address[MODEL_LANES];
};

/* What the rules say about one access; a field that does not apply to the space is 0. */
struct access_cost {
	int requests;           /* 1; without an active lane 1 for shared and 0 for global memory */
	int wavefronts, ideal_wavefronts, bank_conflicts; /* shared */
	int sectors, ideal_sectors;                       /* global; ideal: the fewest that hold the distinct bytes */
	int bytes_used, bytes_moved;                      /* global: distinct bytes touched; 32 a sector */
	bool exact;             /* false: the rule for this space, op and width was not verified on hardware */
};

struct access_cost access_cost(const struct warp_access *access, int cc);

/* How many requests that is: access_cost's, alone. */
int access_requests(const struct warp_access *access);

const char *access_space_name(enum access_space space);
const char *access_op_name(enum access_op op);
