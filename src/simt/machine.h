/* simt/machine.h: a block that is being run. Inside simt/ only. */
#pragma once
#include "simt/code.h"
#include "simt/memory.h"
#include "simt/sync.h"

struct arena;
struct worker;

enum block_state {
	BLOCK_RUNS,
	BLOCK_ENDED,
	BLOCK_STUCK, /* it only polls memory, and another block has to change it */
};

/* A block that is being run, and all that it needs; several may have begun, which share the launch and its memory. */
struct machine {
	const struct simt_launch *launch;
	struct simt_memory *memory;
	struct simt_result *result;
	const struct simt_listener *listener; /* never NULL */
	struct arena *arena;
	struct program program;
	bool stop;
	uint32_t checks;                /* SIMT_CHECK_... */
	struct simt_report *report;     /* never NULL */
	struct race_grid *race_grid;    /* of the launch; NULL: checks for neither races nor uninitialized reads */
	struct race_detector *detector; /* of the block */
	uint64_t steps;                 /* of this block */
	uint64_t left, max_steps;       /* steps until the limit of the launch; the limit */
	uint32_t block;                 /* linear index */
	uint32_t n_warps, threads;
	struct warp *warps;
	struct worker *worker; /* that runs it, of a team; NULL: it runs alone */
	enum block_state state;
	uint32_t turn_of, turn;         /* the warp that has its turn, and how many steps of it are left */
	uint32_t rotations;             /* of the paths of warps, since memory was changed */
	uint64_t changes, seen_changes; /* to memory so far; at the end of the last round */
	struct barrier barriers[BARRIERS];
	uint8_t *shared;
	uint64_t shared_bytes;
	struct region shared_region;       /* the same, from address 0 */
	uint64_t local_bytes, local_room;  /* of one thread: of the kernel itself; with room for some calls */
	uint64_t stack_bytes;              /* what calls take beyond that and the kernel's registers */
	struct region globals, constants;  /* the module's variables */
	uint64_t *var_address;             /* of the module's variables; of constants, in their window */
	struct warp_access access;         /* being made */
	const struct region **last_region; /* by instruction: where its last global access was */
	uint8_t *params;                   /* a copy */
	bool together;                     /* the host addresses of the lanes are access.address plus bias, */
	uint64_t bias;
	uint8_t *at[WARP_SIZE];      /* or these */
	uint64_t sink[WARP_SIZE][8]; /* where lanes with a wrong address load zeros, and what they store is lost */
};
