/* machine/simt/block.h: a block, from its beginning to its end, and the turns of its warps. Inside simt/ only. */
#pragma once
#include "machine/simt/machine.h"
#include "machine/simt/warp_state.h"

#define RUN_STEPS 512u /* instructions a warp runs before the next one has its turn, */
#define POLL_STEPS 32u /* and after it has looked for something that others may do */

void simt_block_prepare(struct machine *m);
/* Tells who looks at the launch that the block has ended. */
void simt_block_count(struct machine *m);

void simt_block_start(struct machine *m, uint32_t block);
void simt_block_free(struct machine *m);
struct warp *simt_block_next(struct machine *m);
void simt_block_step(struct warp *w);
void simt_block_run(struct machine *m);

/* A block whose turn was over has another one. */
void simt_block_resume(struct machine *m);

/* Looks at the clock if the block has found another value where it waits. */
void simt_block_hears(struct machine *m);

/* A strong operation on global memory, the machine's `access`, has changed nothing. */
void simt_block_looks(struct warp *w, const struct code *c);

/* A strong operation has changed nothing; if it is part of a loop that waits for others, those should run soon. */
static inline void simt_block_polls(struct warp *w, const struct code *c)
{
	w->polling.polled = true;
	if (w->m->turns.left > POLL_STEPS)
		w->m->turns.left = POLL_STEPS;
	if (w->m->access.space == SPACE_GLOBAL)
		simt_block_looks(w, c);
}
