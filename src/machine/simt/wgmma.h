/* machine/simt/wgmma.h: what a wgmma.mma_async demands of the four warps that execute it, and of its registers. Inside
 * simt/ only.
 *
 * A product is computed when it is issued, and its result is in the registers at once: what it does to a program that
 * does not wait is undefined by the manual, and reported. PTX ISA, wgmma.fence and wgmma.mma_async:
 *  - all warps of a warpgroup execute the same wgmma instructions, with the same descriptors;
 *  - between a use of a register by another instruction, or by a product of another shape, and a product that has it as
 *    its accumulator or as a part of A there is a wgmma.fence, and one is before the first product;
 *  - such a register is not used by another instruction before a wgmma.wait_group that waits for the product. */
#pragma once
#include "machine/simt/code.h"

#define GROUP_WARPS 4u

/* Puts a guard before all other instructions that use registers of such products. */
void simt_wgmma_guard(struct program *p, struct arena *arena);

/* What the warps of a group have to agree on, of one instruction. */
struct wgmma_step {
	const struct code *c;
	uint64_t a, b; /* descriptors; 0: none */
};

/* The warp comes to a wgmma instruction. False, with a defect that ended the run, when its group is not whole or
 * disagrees. */
bool simt_wgmma_step(struct warp *w, const struct code *c, uint32_t mask, struct wgmma_step step);

/* Reports that `others` have another descriptor than lane 0. False: that ended the run. */
bool simt_wgmma_report_descriptors(struct warp *w, const struct code *c, uint32_t others);

/* A product is about to use its registers. False: a defect ended the run. */
bool simt_wgmma_issue(struct warp *w, const struct code *c);

/* The group that the warp's next product will be in, from 1 on. */
uint32_t simt_wgmma_group(const struct warp *w);

/* The warp executes a wgmma.fence, a commit_group, and a wait_group that leaves `kept` groups pending. */
void simt_wgmma_fence(struct warp *w);
void simt_wgmma_commit(struct warp *w);
void simt_wgmma_wait(struct warp *w, uint32_t kept);

/* The block has ended: reports warps that have not executed what others of their group have. */
void simt_wgmma_end(struct machine *m);
void simt_wgmma_free(struct warp *w);
