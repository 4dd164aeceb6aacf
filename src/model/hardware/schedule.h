/* model/hardware/schedule.h: when the schedulers of one SM would issue the instructions that the machine saw its warps
 * execute.
 *
 * It is a model, and every picture of it is labeled so. Its rules:
 *   - The SM has four schedulers; the warp in slot i belongs to scheduler i modulo 4. Each issues one instruction per
 *     cycle, of an eligible warp: loose round robin, beginning after the warp that it issued last.
 *   - A warp's instructions are issued in order, at most one per cycle. Each waits until the registers that it reads or
 *     writes are available (a scoreboard by PTX register), for the branch or barrier before it, and for its pipe.
 *   - latencies.def says when a result is available and for how long a pipe is busy. Each scheduler has its own pipes
 *     except the one to memory, which they share: it takes one pass per cycle, so wavefronts and sectors beyond the
 *     first lengthen both. The scheduler after the one that used it last comes first.
 *   - A barrier completes when all warps of its block that have not exited wait at one, also a barrier of part of the
 *     block.
 *   - All warps begin in cycle 0. Caches, dual issue, replays, the compiler's reordering and its registers are not
 *     modeled: the instructions are those of the PTX.
 * Verified: tests/unit/test_schedule has the rules in cases computed by hand. On an H200, a kernel of loads from shared
 * memory with bank conflicts takes the cycles that the model predicts, for any number of conflicts, within 2 %
 * (tests/run.sh); without conflicts it takes 15 % more. The other rules were not checked against hardware;
 * latencies.def says where its numbers are from. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "model/hardware/cache.h"
#include "model/hardware/timeline.h"

enum latency_id {
#define LATENCY(id, name, pipe, cycles, interval, phase, source) LATENCY_##id,
#include "model/hardware/latencies.def"
#undef LATENCY
	LATENCIES
};

struct latency {
	const char *name;
	uint8_t pipe, phase; /* enum pipe, enum warp_phase */
	uint16_t cycles, interval;
	const char *source;
};
extern const struct latency latency_table[LATENCIES];

/* What goes on while its warp does something else, and waits for it. But those of cp.async for engine.h alone. */
enum schedule_async {
	SCHEDULE_PLAIN,
	SCHEDULE_PRODUCT,        /* of a warp group */
	SCHEDULE_PRODUCT_COMMIT, /* makes a group of those before */
	SCHEDULE_PRODUCT_WAIT,   /* for all groups but the last schedule_op.keeps */
	SCHEDULE_FETCH,          /* cp.async, of a few bytes for each lane */
	SCHEDULE_FETCH_COMMIT,   /* makes a group of those before */
	SCHEDULE_FETCH_WAIT,     /* for all groups but the last schedule_op.keeps; 0: and for those of no group */
	SCHEDULE_COPY,           /* of many bytes, which arrive at an mbarrier */
	SCHEDULE_ARRIVE,         /* at an mbarrier */
	SCHEDULE_PHASE_WAIT,     /* for a phase of it */
	SCHEDULE_CLUSTER_WAIT,   /* at the barrier of the cluster */
};

/* An instruction of the program. */
struct schedule_op {
	uint8_t latency;           /* enum latency_id, unless a step says otherwise */
	bool ends;                 /* exit */
	int32_t line;              /* 0: none */
	int32_t reconverges;       /* of a conditional branch: the line of its reconvergence point; 0: none */
	const uint32_t *registers; /* that it reads or writes; first those written */
	uint16_t n_registers, n_written;
	uint32_t guard; /* register that its guard is, plus 1; 0: none */
	/* For engine.h alone: */
	uint8_t issues;         /* machine instructions that it becomes; 0: part of another one */
	uint8_t pipe;           /* with `cycles`, enum pipe */
	uint8_t on_alu, on_fma; /* of `issues`, those that go to these pipes beside its own */
	bool of_thread;         /* its number in the block, which the memory pipe brings */
	/* A sum of integers, which the compiler gives to the ALU pipe or, as a product with 1, to the FMA pipes */
	bool either;
	uint16_t cycles,
		interval; /* instead of those of its latency; interval: of all its machine instructions; 0: those */
	bool uniform;     /* its address is the same for all lanes, which the compiler sees */
	uint32_t basic_block, rank; /* its place in the order in which the compiler issues those of its basic block */
	uint16_t depth;             /* loads, one needing the other, that come before it there */
	uint8_t unrolled;           /* of a loop of one basic block: so many times are one; 0: each is for itself */
	bool mixes;                 /* the loads of those times come first */
	uint8_t async, keeps;       /* enum schedule_async; groups that a wait leaves under way */
	bool once;                  /* it counts the loop, and is done once for all of those times */
};

/* One that a warp executed. */
struct schedule_step {
	uint32_t op;
	uint32_t lanes; /* the active ones; where they end, those that do */
	/* Of a memory instruction: how often it goes through the pipe, or through constant memory; else 0 */
	uint16_t passes;
	uint8_t latency;
	uint8_t cache;      /* enum cache_op */
	uint16_t n_lines;   /* that it asks for, of schedule_warp.lines; 0: it is no access to global or local memory */
	bool partial;       /* a store that leaves bytes of its sectors as they were */
	uint8_t wavefronts; /* of global or local memory: passes through the tags and data of L1 */
	bool by_cluster;    /* an access by the way that leads to shared memory of other blocks of the cluster */
	uint8_t there;      /* of such a one: sectors of other blocks that it goes through, an atomic as in `rounds` */
	bool spread;        /* of such a one: it goes to several blocks */
	bool returns;       /* an atomic whose old value is used */
	uint8_t rounds;     /* of an atomic: sectors that it goes through, once for each lane on the same word */
	uint32_t first_line; /* of them */
	/* An mbarrier of the block, counted from 1; 0: none. Of a wait: copies and arrivals that it had
	 * before. */
	uint32_t mbarrier, after;
};

struct schedule_warp {
	uint32_t block, warp;
	const struct schedule_step *steps;
	uint32_t n;
	const struct cache_line *lines;
	uint64_t executed; /* instructions that it executed; more than `n`: the others were not kept */
};

struct schedule_input {
	const struct schedule_op *ops;
	uint32_t n_registers;              /* of a warp */
	const struct schedule_warp *warps; /* in the order of their slots */
	int n_warps;
};

#define SCHEDULE_WARPS_MAX 64         /* resident on an SM at a time, CC 9.0's most */
#define SCHEDULE_STEPS_MAX 131072u    /* of all warps */
#define SCHEDULE_MBARRIERS_MAX 64     /* of a block; a wait for another takes no time */
#define SCHEDULE_REGISTERS_MAX 65536u /* of a warp */

/* Times in cycles, all in `arena`; rows by scheduler, then slot. `input` stays within the limits above. `origin.where`,
 * `cut` and `sm` are the caller's to set. A warp whose steps were not all kept ends with the last that was. */
struct schedule_timeline *schedule_run(struct arena *arena, const struct schedule_input *input);

/* What each replay of a load from constant memory takes, in cycles: of its warp, and of the SM, which makes one at a
 * time. Verified: H200, lessons/213-constant: one warp, 32 addresses in 32 bytes: 340 cycles for 31 replays; 8 warps,
 * 3,734 replays of an SM: 8,100 cycles. */
#define SCHEDULE_REPLAY_WAITS 11
#define SCHEDULE_REPLAY_TAKES 2.2

/* Passes of an access through the memory pipe: wavefronts, or pairs of sectors; at least 1. */
uint16_t schedule_passes(int wavefronts, int sectors);

/* --- blocks.c ----------------------------------------------------------------------------------------------------- */

/* Which SM would run which block when: waves, and the tail after them.
 *
 * It is a model: blocks are assigned in the order of their numbers, first one to each SM, then a second to each, until
 * as many are resident as fit; each further one goes where a block ends first, and of several such slots to the lowest
 * slot, then SM. How long a block lasts depends only on its share of the work, not on the blocks beside it. */

#define BLOCKS_MAX 65536u

struct blocks_input {
	uint32_t sms, resident; /* at least 1 each */
	uint64_t launched;
	const double *cycles; /* of each of the first `n` blocks, which are placed */
	size_t n;
};

/* After blocks_settle, in cycles; `cut` says when only the first blocks were placed; `origin.where` is the caller's to
 * set. All in `arena`. */
struct blocks_timeline *blocks_place(struct arena *arena, const struct blocks_input *input);

/* --- the parameters of the model of time -------------------------------------------------------------------------- */

enum timing_id {
#define TIMING(id, value, unit, source) TIMING_##id,
#include "model/hardware/timings.def"
#undef TIMING
	TIMINGS
};

extern const double timing[TIMINGS];

/* What a block of so many warps takes to begin after another, in cycles: between the measured ones a straight line. */
double timing_block_start(int warps);
