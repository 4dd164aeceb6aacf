/* machine/simt/run.h: a launch: what its blocks share. Inside simt/ only. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "machine/simt/simt.h"

struct code;
struct machine;
struct warp;

/* globals.c: the module's variables, the launch's or new ones with their initial values; false when they do not fit. */
bool simt_globals_init(struct machine *m);
void simt_globals_close(struct machine *m);

/* The launch, checked and decoded, with the module's variables and the parameters; it has no warps. When it cannot be
 * launched, the result says so. Never NULL; simt_launch_close frees it. */
struct machine *simt_launch_open(
	const struct simt_launch *launch, struct simt_memory *memory, struct simt_result *result);
void simt_launch_close(struct machine *m);

/* --- the blocks of a launch on one core --------------------------------------------------------------------------- */

/* One block after the other, each to its end; a block whose turn is over (block.c) is put aside while others run, so
 * that blocks that set each other flags or synchronize at a barrier of the whole grid all make progress, as they do on
 * a GPU that holds them at the same time. No more begin than the launch says are resident. The order is the same in
 * every run. */

struct residents {
	const struct machine *model; /* the launch, decoded; without warps */
	struct machine **blocks;     /* that have begun and not ended */
	uint32_t n, cap;
	uint32_t current;
	struct machine *spare; /* of a block that has ended */
	uint64_t next, end;    /* the block that begins next; blocks of the grid */
	uint64_t left;         /* steps until the limit */
	uint64_t cleared;      /* bytes, for the blocks so far */
	uint64_t steps;        /* of the blocks that have ended */
	uint64_t chance;       /* state of simt_schedule_pick */
	uint32_t in_vain;      /* turns of blocks, one after the other, that found nothing new */
	bool failed;
	bool reached;       /* the block simt_limits.through has ended */
	double quiet_since; /* a block ended, or found another value where it waits, by clock_thread_ms */
};

/* Bytes that blocks that have begun and not ended may take in all, and that one takes. */
#define RESIDENT_BYTES ((uint64_t)1 << 30)
uint64_t simt_resident_bytes(const struct machine *model);

/* Whether another block, or cluster, that has not begun may begin. */
bool simt_residents_have_room(const struct residents *r);

/* Blocks [first, end) of the launch that `model` was made for. */
void simt_residents_init(struct residents *r, const struct machine *model, uint64_t first);
void simt_residents_free(struct residents *r);

/* The block that runs now, after beginning one if need be; NULL when all have ended or one has failed. */
struct machine *simt_residents_current(struct residents *r);

/* The current block is no longer BLOCK_RUNS, or has stopped with a fault: decides what runs next. */
void simt_residents_update(struct residents *r);

/* Steps of all blocks so far. */
uint64_t simt_residents_steps(const struct residents *r);

/* The machine of a block that has begun and not ended, or NULL. */
struct machine *simt_residents_find(const struct residents *r, uint32_t block);

/* --- blocks on several cores -------------------------------------------------------------------------------------- */

/* A team runs blocks at the same time and has the effect that one core would have had, or none. Blocks are taken in
 * order; an access that could see in which order they run (CODE_ORDERED) waits until all blocks before its own have
 * ended. Should anything else happen (a fault, a limit, a block that waits for another), the team gives up, memory is
 * restored, and one core runs the blocks again. */

/* Runs the blocks of `model`'s launch from `first` on. TEAM_ENDED: all have ended without a fault, `*steps` counts what
 * they took, and the listener has all reports. TEAM_STOPPED: the same of those until simt_progress.stop, which ends
 * them wherever they are: in the standing of the launch's result. TEAM_GAVE_UP: nothing has happened. */
enum simt_team_end { TEAM_GAVE_UP, TEAM_ENDED, TEAM_STOPPED };
enum simt_team_end simt_team_run(struct machine *model, uint64_t first, uint64_t *steps);

/* A look at the launch is asked for (simt_progress.look): adds where the warps of this worker's block are, and gives
 * the answer when all workers have. */
void simt_team_look(struct machine *m);

/* Whether blocks of this launch may run on several cores, and whether there are several. */
bool simt_team_possible(const struct machine *model);

/* Returns when all blocks before that of `m` have ended. False: the team has given up, and so does the block. Machines
 * that are in no team need not wait. */
bool simt_team_wait(struct machine *m);

/* Whether the team that `m` is in has given up, or was stopped. */
bool simt_team_is_over(const struct machine *m);

/* What follows needs a single core. False: `m` is in a team, which gives up. */
bool simt_team_alone(struct machine *m);

/* The block of `m`, which is in a team and has a detector, is over: leaves what it did to be compared with other
 * blocks. If some race, the team gives up. */
void simt_team_block_end(struct machine *m);

/* Finds the instructions that could see in which order blocks run. */
void simt_order_find(struct machine *m);

/* --- orders of blocks and warps ----------------------------------------------------------------------------------- */

/* Whatever the order, a run with it is deterministic. */

/* The block that begins after `begun` others of `blocks`. */
uint64_t simt_schedule_block(uint32_t order, uint64_t begun, uint64_t blocks);

/* Of a block that has its turns: a round begins; the warp whose turn is number `turn` of the round, and how many
 * instructions it takes; whether another block has its turn after this round. */
void simt_schedule_round(struct machine *m);
uint32_t simt_schedule_warp(const struct machine *m, uint32_t turn);
uint32_t simt_schedule_steps(struct machine *m);
bool simt_schedule_yields(struct machine *m);

/* A number below `n`, other each time where the order is random. `*state` begins as simt_schedule_seed says. */
uint64_t simt_schedule_seed(uint32_t order, uint64_t block);
uint32_t simt_schedule_pick(uint64_t *state, uint32_t n);

/* --- where warps are: of a launch that a limit has stopped, or as it runs ----------------------------------------- */

void simt_standing_find(const struct residents *r, struct simt_standing *out);

/* Adds those of a block that has begun and not ended. */
void simt_standing_add(struct simt_standing *standing, const struct machine *m);

/* --- the workspace of a cooperative launch ------------------------------------------------------------------------ */

/* As the driver gives it and cooperative_groups/details/driver_abi.h reads it: %envreg1 is the high and %envreg2 the
 * low half of its address, 0 in a launch that is not cooperative. It begins with its size; after that comes the barrier
 * that grid.sync() adds to and polls, 0 at the beginning. */

/* False, with the reason in the result, when there is no memory for it. A launch that is not cooperative has none. */
bool simt_workspace_open(struct machine *m);
void simt_workspace_close(struct machine *m);

/* Whether the trap at `c` is what the code asks for where there is no workspace, as grid.sync() does. */
bool simt_workspace_is_missed(const struct warp *w, const struct code *c);
