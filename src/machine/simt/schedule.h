/* machine/simt/schedule.h: in which order blocks begin and blocks and warps have their turns: simt_launch.order. Inside simt/ only.
 *
 * Whatever the order, a run with it is deterministic. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct machine;

/* The block that begins after `begun` others of `blocks`. */
uint64_t simt_schedule_block(uint32_t order, uint64_t begun, uint64_t blocks);

/* Of a block that has its turns: a round begins; the warp whose turn is number `turn` of the round, and how many instructions it
 * takes; whether another block has its turn after this round. */
void simt_schedule_round(struct machine *m);
uint32_t simt_schedule_warp(const struct machine *m, uint32_t turn);
uint32_t simt_schedule_steps(struct machine *m);
bool simt_schedule_yields(struct machine *m);

/* A number below `n`, other each time where the order is random. `*state` begins as simt_schedule_seed says. */
uint64_t simt_schedule_seed(uint32_t order, uint64_t block);
uint32_t simt_schedule_pick(uint64_t *state, uint32_t n);
