/* machine/simt/team.h: blocks of a launch on several cores. Inside simt/ only.
 *
 * A team runs blocks at the same time and has the effect that one core would have had, or none. Blocks are taken in order; an
 * access that could see in which order they run (CODE_ORDERED) waits until all blocks before its own have ended. Should
 * anything else happen (a fault, a limit, a block that waits for another), the team gives up, memory is restored, and one
 * core runs the blocks again. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Runs the blocks of `model`'s launch from `first` on. True: all have ended without a fault, `*steps` counts what they
 * took, and the listener has all reports. False: nothing has happened. */
bool simt_team_run(struct machine *model, uint64_t first, uint64_t *steps);

/* Whether blocks of this launch may run on several cores, and whether there are several. */
bool simt_team_possible(const struct machine *model);

/* Returns when all blocks before that of `m` have ended. False: the team has given up, and so does the block. Machines
 * that are in no team need not wait. */
bool simt_team_wait(struct machine *m);

/* Whether the team that `m` is in has given up. */
bool simt_team_has_given_up(const struct machine *m);

/* What follows needs a single core. False: `m` is in a team, which gives up. */
bool simt_team_alone(struct machine *m);

/* Around an atomic operation that need not wait for other blocks. */
void simt_team_enter(struct machine *m);
void simt_team_leave(struct machine *m);

/* order.c: finds the instructions that could see in which order blocks run. */
void simt_order_find(struct machine *m);
