/* model/hardware/occupancy.h: theoretical occupancy, how many blocks of a launch can be resident on one SM at a time
 * and what limits them. One row of limits for each compute capability, with their sources: occupancy.def. */
#pragma once
#include <stdint.h>

/* What can limit the blocks: LIMIT(id, name). */
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
	OCCUPANCY_IMPOSSIBLE, /* no block fits: such a launch fails; `limits` says why */
	OCCUPANCY_UNKNOWN_CC, /* nothing is known of this compute capability; no other field is set */
};

/* One block. */
struct occupancy_block {
	uint32_t threads;
	uint32_t registers; /* of a thread; 0: none, or not known: they limit nothing */
	uint32_t shared;    /* bytes, static and dynamic */
	uint32_t barriers;  /* named barriers used (bar 0 to 15); 0 and 1 limit nothing */
	/* Bytes of the SM requested as shared memory; 0: as much as there is. The SM has a few sizes: the next larger
	 * one is used, at least one that holds a block */
	uint32_t carveout;
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

/* What one SM has: a row of occupancy.def, with shared memory in bytes. */
#define OCCUPANCY_CARVEOUTS_MAX 12
struct occupancy_sm {
	int cc;
	const char *verified; /* the GPU that the row was compared with; NULL: none, see occupancy_doubt */
	uint32_t warps, blocks, registers, block_registers, thread_registers, register_unit, warp_unit, barriers;
	uint32_t shared, block_shared, reserved, shared_unit;
	uint32_t carveouts[OCCUPANCY_CARVEOUTS_MAX]; /* ascending; 0 past the last */
};

/* NULL: the table does not have that compute capability. */
const struct occupancy_sm *occupancy_sm(int cc);

/* What must be said beside numbers of a compute capability: that they are documented, not verified here. NULL: they
 * were verified; of one that the table does not have, nothing is documented here. */
const char *occupancy_doubt(int cc);

struct occupancy occupancy(int cc, const struct occupancy_block *block);

/* What a block is given of a resource, in its units (warps, blocks, registers, bytes, barriers), and what the SM has of
 * it. All 0: the compute capability is not known, or nothing of it is taken. */
struct occupancy_use {
	uint64_t block, sm;
};
struct occupancy_use occupancy_use(int cc, const struct occupancy_block *block, enum occupancy_resource resource);

/* The most registers per thread at which the occupancy is that of `block` without any (block->registers is ignored); 0
 * when no block fits. */
uint32_t occupancy_free_registers(int cc, const struct occupancy_block *block);

const char *occupancy_resource_name(enum occupancy_resource resource);

/* The GPU that stands for a compute capability: gpus.def. NULL: none is known. */
struct occupancy_gpu {
	uint32_t sms, memory_kib;
	uint32_t clock_khz;              /* the highest; 0: it is not known */
	uint32_t l2, persisting, window; /* bytes; 0: likewise */
	const char *name;
};
const struct occupancy_gpu *occupancy_gpu(int cc);

/* The SMs of the GPU that stands for a compute capability, and its name where `name` is not NULL: gpus.def. 0: none is
 * known. */
uint32_t occupancy_sms(int cc, const char **name);

/* The compute capabilities of the table, ascending by `index` from 0; 0 past the last. */
int occupancy_cc(int index);
