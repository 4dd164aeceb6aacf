/* machine/simt/machine.h: a block that is being run: its cluster, and the turns of its warps. Inside simt/ only. */
#pragma once
#include "machine/simt/code.h"
#include "machine/simt/memory.h"
#include "machine/simt/warp_state.h"

struct arena;
struct race_cluster;
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

/* Warp instructions: of this block; how many it will have taken at the limit of the launch, see simt_steps_left; the
 * limit. */
struct step_count {
	uint64_t taken, end, max;
};

/* How long no block has ended on this core, and none has found another value where it waits. */
struct quiet {
	double since;      /* by clock_thread_ms */
	uint64_t check_at; /* the clock is read when so many steps of the block were taken */
	bool found_value;  /* the block has found another value, and the clock was not read since */
};

/* The turn of a block, among those that are resident. */
struct block_turn {
	uint64_t began, warp_began; /* when so many steps of the block had been taken; likewise the turn of its warp */
	uint64_t since;             /* likewise what follows is counted */
	uint32_t polls;             /* of its warps, of what they had polled before */
	bool computes;              /* a warp has taken a whole turn without polling */
	bool polled;                /* there were polls in this turn */
	uint32_t yields;            /* of the paths of warps that poll again and again */
	bool in_vain;               /* it ended because they do */
	bool by_chance;             /* it ended for none of that, in a random order */
};

/* The turns of a block's warps. */
struct turns {
	uint32_t warp, left;            /* the turn of the round, and how many steps of it are left */
	uint32_t yields;                /* of the paths of warps, since memory was changed */
	uint32_t first;                 /* of a round: the warp that begins, */
	bool backward;                  /* and whether those before it come next */
	uint64_t chance;                /* state of simt_schedule_pick */
	uint64_t changes, seen_changes; /* to memory so far; at the end of the last round */
	uint64_t stuck_changes;         /* when it last was stuck */
};

/* The blocks of a cluster begin together and are resident together. In the shared window an address below 1 <<
 * CLUSTER_SHIFT is in the own block; others have the block's rank plus 1 above these bits, as `mapa` makes them. */
#define CLUSTER_BLOCKS_MAX 16u /* CC 9.0, a size that is not portable */
#define CLUSTER_SHIFT 24u
#define CLUSTER_OFFSET (((uint64_t)1 << CLUSTER_SHIFT) - 1)

/* How the launch's blocks form clusters. */
struct cluster_shape {
	uint32_t dims[3], n; /* blocks of a cluster; 1: there are no clusters, each block is one by itself */
	bool is_explicit;    /* the kernel or the launch says so */
};

struct cluster {
	uint32_t n;
	struct machine *block[CLUSTER_BLOCKS_MAX]; /* by rank; NULL: it has ended */
	struct race_cluster *race;                 /* or NULL */
	bool has_arrivals;                         /* at the barrier, in this phase */
	uint32_t idle;                             /* turns of its blocks since one of them did something */
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
	struct locks *locks;               /* locks.h, of the launch; NULL: it takes none, or a worker runs it */
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
	/* Where the system's begins, after the kernel's own and a gap; 0: the kernel does not ask for it. */
	uint64_t shared_own, shared_reserved;
	/* Of the shared memory that is being accessed: itself, or another block of the cluster. */
	struct machine *owner;
	uint32_t cluster_parts;           /* of the access, before this one */
	uint64_t local_bytes, local_room; /* of one thread: of the kernel itself; with room for some calls */
	uint64_t stack_bytes;             /* what calls take beyond that and the kernel's registers */
	struct variables variables;
	uint64_t workspace;        /* of a cooperative launch: run.h; 0: it is not */
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

/* --- clusters ----------------------------------------------------------------------------------------------------- */

/* The linear index of the block of that rank, of cluster number `cluster`. */
uint32_t simt_cluster_block(const struct machine *model, uint64_t cluster, uint32_t rank);

/* The number of the cluster that the block of that linear index is in. */
uint64_t simt_cluster_of(const struct machine *model, uint32_t block);

/* A cluster of the blocks `block`, ready to begin; `race`: one that detectors watch. */
struct cluster *simt_cluster_new(struct machine **block, uint32_t n);

/* The block has ended; with its last block the cluster is freed. */
void simt_cluster_leave(struct machine *m);

/* Lanes have ended: completes the barrier if it waited for them alone. */
void simt_cluster_update(struct machine *m);

/* Whether a warp of the block waits at the cluster's barrier; whether the cluster's blocks all do nothing but wait. */
bool simt_cluster_waits(const struct machine *m);
bool simt_cluster_is_stuck(const struct machine *m);

/* No warp of the cluster can go on: lanes of the other blocks that wait to reconverge do. False: there are none. */
bool simt_cluster_goes_on(struct machine *m);

/* No warp of the cluster can go on, and one waits at its barrier: reports that. False: none waits there. */
bool simt_cluster_deadlock(struct machine *m);

/* The block that an address of the shared window is in, NULL when it has ended or there is none; `*rank` of which, the
 * own block's for an address below 1 << CLUSTER_SHIFT. */
struct machine *simt_cluster_owner(const struct machine *m, uint64_t address, uint32_t *rank);

/* The block of the cluster whose shared memory has the byte at `host`, NULL: none. */
struct machine *simt_cluster_of_host(const struct machine *m, const uint8_t *host);

/* --- a block and the turns of its warps --------------------------------------------------------------------------- */

#define RUN_STEPS 512u /* instructions a warp runs before the next one has its turn, */
#define POLL_STEPS 32u /* and after it has polled what others may do */

void simt_block_prepare(struct machine *m);

/* The block has ended: counts it in simt_launch.limits.progress. */
void simt_block_count(struct machine *m);

void simt_block_start(struct machine *m, uint32_t block);
void simt_block_free(struct machine *m);
struct warp *simt_block_next(struct machine *m);
void simt_block_step(struct warp *w);
void simt_block_run(struct machine *m);

/* A block whose turn was over has another one. */
void simt_block_resume(struct machine *m);

/* Reads the clock if the block has found another value where it waits. */
void simt_block_note_progress(struct machine *m);

/* A strong operation on global memory, the machine's `access`, has changed nothing. */
void simt_block_note_poll(struct warp *w, const struct code *c);

/* The address at which a warp polls, which has `polling.at`. */
uint64_t simt_block_polled(const struct warp *w);

/* A strong operation has changed nothing; if it is part of a loop that waits for others, those should run soon. */
static inline void simt_block_poll(struct warp *w, const struct code *c)
{
	w->polling.polled = true;
	if (w->m->turns.left > POLL_STEPS)
		w->m->turns.left = POLL_STEPS;
	if (w->m->access.space == SPACE_GLOBAL)
		simt_block_note_poll(w, c);
}

/* --- special registers -------------------------------------------------------------------------------------------- */

/* Those of a warp that stay, those that change with the block, and the clocks. */
void simt_specials_launch(struct warp *w);
void simt_specials_block(struct warp *w);
void simt_specials_clock(struct warp *w);
