#include "machine/simt/run.h"

#include <stdio.h>

#include "machine/simt/machine.h"

#define YIELD_ONE_IN 2u     /* rounds of a random order after which another block has its turn */
#define RANDOM_STEPS_LOG2 6 /* turns of a random order have 1, 2, 4... instructions, fewer than 2 to this */

const char *simt_order_name(uint32_t order, char out[SIMT_ORDER_TEXT])
{
	if (order < SIMT_ORDER_RANDOM)
		snprintf(out, SIMT_ORDER_TEXT, "%s", order == SIMT_ORDER_REVERSED ? "reversed" : "by number");
	else
		snprintf(out, SIMT_ORDER_TEXT, "random %u", order - SIMT_ORDER_RANDOM + 1);
	return out;
}

/* --- chance ------------------------------------------------------------------------------------------------------- */

static uint64_t scramble(uint64_t z)
{
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u; /* splitmix64 */
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

uint64_t simt_schedule_seed(uint32_t order, uint64_t block)
{
	return scramble((uint64_t)order << 32 ^ block);
}

uint32_t simt_schedule_pick(uint64_t *state, uint32_t n)
{
	return (uint32_t)((scramble(*state += 0x9E3779B97F4A7C15u) >> 32) * n >> 32);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

uint64_t simt_schedule_block(uint32_t order, uint64_t begun, uint64_t blocks)
{
	if (order == SIMT_ORDER_REVERSED)
		return blocks - 1 - begun;
	if (order) {
		/* A permutation: a step that has no divisor in common with the number of blocks, from some block on. */
		uint64_t step = simt_schedule_seed(order, blocks) % blocks;
		uint64_t from = simt_schedule_seed(order, blocks + 1) % blocks;
		while (common_divisor(step, blocks) != 1)
			step++;
		return (from + (uint64_t)((unsigned __int128)step * begun % blocks)) % blocks;
	}
	return begun;
}

/* --- warps -------------------------------------------------------------------------------------------------------- */

void simt_schedule_round(struct machine *m)
{
	struct turns *t = &m->turns;
	t->backward = m->launch->order == SIMT_ORDER_REVERSED;
	if (m->launch->order < SIMT_ORDER_RANDOM)
		return;
	t->first = simt_schedule_pick(&t->chance, m->n_warps);
	t->backward = simt_schedule_pick(&t->chance, 2);
}

uint32_t simt_schedule_warp(const struct machine *m, uint32_t turn)
{
	uint32_t at = m->turns.backward ? m->n_warps - 1 - turn : turn;
	return m->turns.first ? (at + m->turns.first) % m->n_warps : at;
}

uint32_t simt_schedule_steps(struct machine *m)
{
	if (m->launch->order < SIMT_ORDER_RANDOM)
		return RUN_STEPS;
	return 1u << simt_schedule_pick(&m->turns.chance, RANDOM_STEPS_LOG2);
}

bool simt_schedule_yields(struct machine *m)
{
	return m->launch->order >= SIMT_ORDER_RANDOM && !simt_schedule_pick(&m->turns.chance, YIELD_ONE_IN);
}
