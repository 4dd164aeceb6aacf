/* model/hardware/blocks.h: which SM would run which block when: waves, and the tail after them.
 *
 * It is a model: blocks are assigned in the order of their numbers, first one to each SM, then a second to each, until as
 * many are resident as fit; each further one goes where a block ends first, and of several such slots to the lowest slot,
 * then SM. How long a block lasts depends only on its share of the work, not on the blocks beside it. */
#pragma once
#include "base/arena.h"
#include "model/hardware/timeline.h"

#define BLOCKS_MAX 65536u

struct blocks_input {
	uint32_t sms, resident; /* at least 1 each */
	uint64_t launched;
	const double *cycles; /* of each of the first `n` blocks, which are placed */
	size_t n;
};

/* After blocks_settle, in cycles; `cut` says when only the first blocks were placed; `origin.where` is the caller's to set. All
 * in `arena`. */
struct blocks_timeline *blocks_place(struct arena *arena, const struct blocks_input *input);
