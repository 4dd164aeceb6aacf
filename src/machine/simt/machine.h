/* machine/simt/machine.h: a block that is being run. Inside simt/ only. */
#pragma once
#include "machine/simt/cluster.h"
#include "machine/simt/code.h"
#include "machine/simt/memory.h"
#include "machine/simt/sync.h"

struct arena;
struct worker;

enum block_state {
	BLOCK_RUNS,
	BLOCK_ENDED,
	BLOCK_STUCK, /* its turn is over: it waits for another block, or has run for long */
};

/* The module's variables; of each its address, of constants the offset in their window. */
struct variables {
	struct region globals, constants;
	uint64_t *address;
};

struct simt_variables {
	const struct ptx_module *module;
	struct simt_memory *memory; /* where `host` is mapped; NULL: nowhere */
	void *host;                 /* the globals, SIMT_GLOBALS_SHARED */
	struct variables kept;      /* the globals are a buffer of the memory */
	int moved;                  /* but for so many: simt_variables_move */
};

/* Warp instructions: of this block; how many it will have taken at the limit of the launch, see simt_steps_left; the limit. */
struct step_count {
	uint64_t taken, end, max;
};

/* How long no block has ended on this core, and none has found another value where it waits. */
struct quiet {
	double since;  /* by clock_thread_ms */
	uint64_t look; /* at the clock when so many steps of the block were taken */
	bool news;     /* the block has found another value, and the clock was not looked at since */
};

/* The turn of a block, among those that are resident. */
struct block_turn {
	uint64_t began, warp_began; /* when so many steps of the block had been taken; likewise the turn of its warp */
	uint64_t since;             /* likewise what follows is counted */
	uint32_t looks;             /* of its warps, at what they had looked at before */
	bool computes;              /* a warp has taken a whole turn without looking */
	bool looked;                /* there were looks in this turn */
	uint32_t rotations;         /* of the paths of warps that look again and again */
	bool in_vain;               /* it ended because they do */
};

/* The turns of a block's warps. */
struct turns {
	uint32_t warp, left;            /* the turn of the round, and how many steps of it are left */
	uint32_t rotations;             /* of the paths of warps, since memory was changed */
	uint32_t first;                 /* of a round: the warp that begins, */
	bool backward;                  /* and whether those before it come next */
	uint64_t chance;                /* state of simt_schedule_pick */
	uint64_t changes, seen_changes; /* to memory so far; at the end of the last round */
	uint64_t stuck_changes;         /* when it last was stuck */
};

/* Where on the host the bytes of an access are. */
struct host_bytes {
	bool together; /* all of a full warp's are at access.address plus bias, */
	uint64_t bias;
	uint8_t *at[WARP_SIZE];      /* or these */
	uint64_t sink[WARP_SIZE][8]; /* where lanes with a wrong address load zeros, and what they store is lost */
	const struct region **last_region; /* by instruction: where its last global access was */
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
	uint32_t checks;                   /* SIMT_CHECK_... */
	struct simt_report *report;        /* never NULL */
	struct race_grid *race_grid;       /* of the launch; NULL: checks for neither races nor uninitialized reads */
	struct race_detector *detector;    /* of the block */
	bool global_unwritten;             /* some of global memory begins uninitialized */
	struct undefined_origins *origins; /* undefined.h; NULL: there are none in the block */
	struct step_count steps;
	struct quiet quiet;
	uint32_t block; /* linear index */
	struct cluster_shape cluster_shape;
	struct cluster *cluster; /* NULL before it begins and when it has ended */
	uint32_t rank;           /* in the cluster */
	uint32_t n_warps, threads;
	struct warp *warps;
	struct worker *worker; /* that runs it, of a team; NULL: it runs alone */
	enum block_state state;
	struct block_turn turn;
	struct turns turns;
	struct barrier barriers[BARRIERS];
	struct region shared; /* from address 0 */
	struct machine
		*owner; /* of the shared memory that is being accessed: itself, or another block of the cluster */
	uint32_t cluster_parts;           /* of the access, before this one */
	uint64_t local_bytes, local_room; /* of one thread: of the kernel itself; with room for some calls */
	uint64_t stack_bytes;             /* what calls take beyond that and the kernel's registers */
	struct variables variables;
	uint64_t workspace;        /* of a cooperative launch: cooperative.h; 0: it is not */
	uint8_t *params;           /* a copy */
	struct warp_access access; /* being made */
	struct host_bytes host;
};

/* Steps until the limit of the launch. */
static inline uint64_t simt_steps_left(const struct machine *m)
{
	return m->steps.end - m->steps.taken;
}

static inline void simt_steps_allow(struct machine *m, uint64_t left)
{
	m->steps.end = left < UINT64_MAX - m->steps.taken ? m->steps.taken + left : UINT64_MAX;
}
