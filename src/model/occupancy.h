/* model/occupancy.h: theoretical occupancy, how many blocks of a launch can be resident on one SM at a time and what keeps
 * more of them out. One row of limits for each compute capability, with their sources: occupancy.def. */
#pragma once
#include <stdint.h>

/* What can keep a block out: LIMIT(id, name). */
#define OCCUPANCY_RESOURCES(LIMIT)                                                                                     \
	LIMIT(WARPS, "warps") /* warps, and so threads, of the SM */                                                   \
	LIMIT(BLOCKS, "blocks")                                                                                        \
	LIMIT(REGISTERS, "registers")                                                                                  \
	LIMIT(SHARED, "shared")                                                                                        \
	LIMIT(BARRIERS, "barriers")

enum occupancy_resource {
#define LIMIT(id, name) OCCUPANCY_##id,
	OCCUPANCY_RESOURCES(LIMIT)
#undef LIMIT
		OCCUPANCY_N
};

enum occupancy_state {
	OCCUPANCY_OK,
	OCCUPANCY_IMPOSSIBLE, /* not one block fits: no such launch; `limits` says why */
	OCCUPANCY_UNKNOWN_CC, /* nothing is known of this compute capability; no other field is set */
};

/* One block. */
struct occupancy_block {
	uint32_t threads;
	uint32_t registers; /* of a thread; 0: none, or not known: they limit nothing */
	uint32_t shared;    /* bytes, static and dynamic */
	uint32_t barriers;  /* named barriers used (bar 0 to 15); 0 and 1 limit nothing */
	uint32_t
		carveout; /* bytes of the SM asked for as shared memory; 0: as much as there is. The SM has a few sizes:
	                           * the next larger is taken, and one that holds a block at least */
};

#define OCCUPANCY_UNLIMITED UINT32_MAX

struct occupancy {
	enum occupancy_state state;
	uint32_t blocks, warps; /* resident on an SM */
	uint32_t max_warps;
	double percent;           /* warps of max_warps */
	uint32_t by[OCCUPANCY_N]; /* blocks that each resource alone would admit; OCCUPANCY_UNLIMITED */
	uint32_t limits;          /* bit r: resource r admits no more than `blocks`; several may */
};

struct occupancy occupancy(int cc, const struct occupancy_block *block);

/* The most registers a thread may have at which `block` is as occupied as without any (block->registers is not looked at);
 * 0 when its occupancy is none. */
uint32_t occupancy_free_registers(int cc, const struct occupancy_block *block);

const char *occupancy_resource_name(enum occupancy_resource resource);

/* The compute capabilities there are rows for, ascending by `index` from 0; 0 past the last. */
int occupancy_cc(int index);
