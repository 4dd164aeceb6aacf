/* model/schedule.h: when the schedulers of one SM would issue the instructions that the machine saw its warps execute.
 *
 * It is a model, and every picture of it says so. Its rules:
 *   - The SM has four schedulers; the warp in slot i belongs to scheduler i modulo 4. Each issues one instruction a cycle, of a
 *     warp that is eligible: loose round robin, beginning with the warp behind the one that it issued last.
 *   - A warp's instructions are issued in order, one a cycle at most. One waits until the registers that it reads or writes are
 *     there (a scoreboard by PTX register), for the branch or barrier before it, and for its pipe.
 *   - latencies.def says when a result is there and for how long a pipe is taken. Each scheduler has pipes of its own but for the
 *     one to memory, which they share: it takes one pass a cycle, so wavefronts and sectors beyond the first lengthen both.
 *     First comes the scheduler behind the one that had it last.
 *   - A barrier lets its block's warps go when all that have not ended wait at one. Barriers of a part of the block are taken so too.
 *   - All warps begin in cycle 0. Caches, dual issue, replays, the compiler's reordering and its registers are not modelled: the
 *     instructions are those of the PTX.
 * Verified: tests/unit/test_schedule has the rules in cases computed by hand. On an H200, a kernel of loads from shared memory with
 * bank conflicts takes the cycles that the model says, and grows with the conflicts as it says, within 2 % (tests/run.sh); without them
 * it takes 15 % more. The other rules were checked against no hardware; latencies.def says where its numbers are from. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "model/timeline.h"

enum latency_id {
#define LATENCY(id, name, pipe, cycles, interval, phase, source) LATENCY_##id,
#include "model/latencies.def"
#undef LATENCY
	LATENCIES
};

enum pipe { PIPE_NONE, PIPE_ALU, PIPE_FMA, PIPE_FP64, PIPE_XU, PIPE_TENSOR, PIPE_LSU, PIPES };

struct latency {
	const char *name;
	uint8_t pipe, phase; /* enum pipe, enum warp_phase */
	uint16_t cycles, interval;
	const char *source;
};
extern const struct latency latency_table[LATENCIES];

/* An instruction of the program. */
struct schedule_op {
	uint8_t latency; /* enum latency_id, unless a step says otherwise */
	bool ends;       /* exit: its lanes end there */
	int32_t line;    /* 0: none */
	int32_t meets;   /* of a conditional branch: the line where lanes that part there meet again; 0: none */
	const uint32_t *registers; /* that it reads or writes; first those written */
	uint16_t n_registers, n_written;
};

/* One that a warp executed. */
struct schedule_step {
	uint32_t op;
	uint32_t lanes;  /* the active ones; where they end, those that do */
	uint16_t passes; /* of a memory instruction: how often it goes through the pipe; else 0 */
	uint8_t latency;
};

struct schedule_warp {
	uint32_t block, warp;
	const struct schedule_step *steps;
	uint32_t n;
	uint64_t executed; /* that it executed; more than `n`: the others were not kept */
};

struct schedule_input {
	const struct schedule_op *ops;
	uint32_t n_registers;              /* of a warp */
	const struct schedule_warp *warps; /* in the order of their slots */
	int n_warps;
};

#define SCHEDULE_WARPS_MAX 64         /* resident on an SM at a time, CC 9.0's most */
#define SCHEDULE_STEPS_MAX 131072u    /* of all warps */
#define SCHEDULE_REGISTERS_MAX 65536u /* of a warp */

/* Times in cycles, all in `arena`; rows by scheduler, then slot, of which `input` has at most the above. `origin.where`, `cut`
 * and `sm` are the caller's to set. A warp whose steps were not all kept ends with the last that was. */
struct schedule_timeline *schedule_run(struct arena *arena, const struct schedule_input *input);

/* Passes of an access through the pipe to memory: wavefronts, or pairs of sectors; 1 at least. */
uint16_t schedule_passes(int wavefronts, int sectors);
