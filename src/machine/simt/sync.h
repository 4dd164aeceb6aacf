/* machine/simt/sync.h: how lanes and warps wait for each other: *.sync instructions and barriers. Inside simt/ only. */
#pragma once
#include "machine/simt/warp_state.h"

#define NAMED_BARRIERS 16
#define BARRIERS NAMED_BARRIERS
#define CLUSTER_BARRIER NAMED_BARRIERS /* path.waits_for at the barrier of the cluster: cluster.h */

/* What the lanes that converge at a *.sync bring with them. */
struct exchange {
	uint32_t lanes;            /* that converge */
	uint32_t held;             /* of those, the ones whose predicate operand holds */
	uint64_t value[WARP_SIZE]; /* of each, the source operand */
};

/* A barrier of the block. */
struct barrier {
	bool has_arrivals;
	uint32_t arrived;         /* warps */
	uint32_t expected;        /* warps, 0: all that live */
	uint32_t all, any, count; /* of bar.red */
	const struct code *first; /* by which a warp arrived first, and which warp */
	uint32_t first_warp;
	const struct code *last; /* by which a warp arrived last, and which warp */
	uint32_t last_warp;
};

/* converge.c: executes a *.sync instruction, or one of the same kind that takes the lanes that are active. Lanes have
 * ended: lets paths that wait at one go on if they can. The first path that waits at one, with the lanes it still waits
 * for; NULL when there is none. Reports a mask with `named`, where `here` are; `lanes` are those of the defect. */
exec_fn simt_exec_converge, simt_exec_converge_here;
void simt_converge_decode(struct code *c); /* exec_warp.c */
void simt_converge_update(struct warp *w);
void simt_report_mask(struct warp *w, const struct code *c, uint32_t lanes, uint32_t named, uint32_t here);
const struct path *simt_converge_waiting(const struct warp *w, uint32_t *absent);

/* barrier.c: lanes have ended: completes barriers that waited for them. No warp can go
 * on, but some wait: reports why. The block has ended: reports a barrier at which more warps should have arrived. */
void simt_barriers_update(struct warp *w);
void simt_barriers_deadlock(struct machine *m);
void simt_barriers_end(struct machine *m);
