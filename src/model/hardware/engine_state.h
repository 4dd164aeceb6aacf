/* model/hardware/engine_state.h: the SM that engine.c runs, as its parts share it. Inside model/ only. Times are cycles
 * since the launch began; one that is a double may lie between two of them. */
#pragma once

#include <math.h>

#include "model/hardware/engine.h"
#include "model/hardware/schedule.h"

#define TLB_PAGES_MAX 256

enum engine_state { ENGINE_AHEAD, ENGINE_GOES, ENGINE_AT_BARRIER, ENGINE_AT_PHASE, ENGINE_ENDED };

struct engine_register {
	uint64_t ready;
	uint64_t fixed; /* when it was issued, by the warp's own count */
	uint8_t stall;  /* of a warp that waits for it */
};

#define ENGINE_GROUPS 8 /* whose ends are kept: a wait that leaves more under way waits for none */

/* What a warp has under way in groups: when its last one is there, and when those of the groups committed last are. */
struct engine_groups {
	double last, ends[ENGINE_GROUPS];
	uint32_t n; /* committed so far */
};

struct engine_warp {
	const struct schedule_warp *trace;
	struct engine_register *registers;
	uint32_t *order; /* of the steps */
	uint32_t n;      /* of them, without those that the compiler saved */
	uint32_t next;
	uint8_t slots; /* that the next step issues: machine instructions */
	double owed;   /* parts of them, where each step has not as many as a whole number: engine_input.instructions */
	uint32_t block; /* index into the blocks */
	enum engine_state state;
	uint8_t stall;  /* why not before `ready` */
	uint64_t ready; /* of the next step */
	uint64_t idle;  /* since when it has not been issued */
	uint64_t begin;
	uint64_t settled;              /* its stores have left */
	uint64_t reached;              /* its last load has come */
	struct engine_groups products; /* of a warp group */
	struct engine_groups fetches;
	uint64_t waited; /* for what has no fixed latency; the other cycles are its own count */
};

/* Of an mbarrier: copies and arrivals so far, and when the last one of them takes effect. */
struct engine_mbarrier {
	uint32_t arrived;
	double ready;
};

struct engine_block {
	uint32_t left, waiting; /* warps that have not ended; of them at a barrier */
	uint32_t slot;
	double begin;
	uint64_t end;
	struct engine_mbarrier mbarriers[SCHEDULE_MBARRIERS_MAX];
};

struct engine {
	const struct engine_input *in;
	struct engine_result *out;
	struct engine_warp *warps;
	struct engine_block *blocks;
	struct engine_warp *slots[SCHEDULE_WARPS_MAX];
	struct cache_l1 *l1;
	struct cache_set *asked; /* lines that L2 was asked for */
	uint32_t n_blocks, next_block, left;
	uint64_t now;
	double products[TIMELINE_SCHEDULERS]; /* when the tensor cores are through with those of warp groups */
	double copies;                        /* when the unit for bulk copies is free */
	uint64_t pipe[TIMELINE_SCHEDULERS][PIPES], free[TIMELINE_SCHEDULERS];
	int last[TIMELINE_SCHEDULERS], n_slots, used;
	double cluster; /* when the way to shared memory of other SMs is free */
	double lsu, constant, sm_read, sm_write, l2, fabric, dram, dispatch; /* when each is free */
	double atomics, accepted;    /* L2's atomics; when it took the last one */
	uint64_t tlb[TLB_PAGES_MAX]; /* pages, plus 1, whose translations the SM has: those used last, first */
	double translated;           /* when that of the last one that it lacked has come */
	bool held_up;                /* a load waited for atomics before it */
	double from_dram, far;       /* shares that have added up */
	/* Machine instructions for each that the rules have, but for those to memory, which they have all of */
	double each;
};

/* --- engine_memory.c ---------------------------------------------------------------------------------------------- */

/* What `free` says is free from then on serves for so many cycles, not before `from`: when it begins. */
double engine_serve(double *free, double from, double cycles, double *busy);

/* A request to global or local memory: when its data are there, or have left. */
double engine_access(struct engine *e, struct engine_warp *w, const struct schedule_step *step);

/* An access that names the cluster, also to the own block: when its data are there, or have arrived. What goes to other
 * blocks passes between the SMs sector by sector. As much comes in as goes out: the other blocks do as the own one
 * does, so that a block that all others go to is not seen. */
double engine_cluster_access(struct engine *e, const struct schedule_step *step);

/* A bulk copy: when its bytes have come. */
double engine_copy(struct engine *e, const struct engine_warp *w, const struct schedule_step *step);

static inline uint64_t engine_whole(double cycles)
{
	return (uint64_t)ceil(cycles);
}
