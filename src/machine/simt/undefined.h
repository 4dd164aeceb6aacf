/* machine/simt/undefined.h: values from uninitialized memory, and those that a shuffle takes from lanes that take no part in it (PTX ISA,
 * shfl.sync: undefined), from where they are loaded to where they are used. Inside simt/ only.
 *
 * To copy such a value is no fault: structures are copied with their padding and with members that nobody has set. So it is followed,
 * bit by bit as valgrind's memcheck does it (Seward and Nethercote, USENIX 2005): through registers, calls, and shared and local
 * memory. It is used, which is a defect, where a branch or a guard depends on it, as an address, as an operand of an atomic
 * operation, a barrier, a matrix product or printf, and where it is stored to global memory. What is computed from it is itself undefined.
 * Of a store to global memory all bits have to be, or some of those of a result, for padding is stored there, too.
 *
 * Nothing of this costs anything before a lane of the warp has loaded an uninitialized byte, or got such a value, in the block that runs.
 *
 * In doubt a bit counts as defined: one in a structure that is stored word by word, of which other words are known; a byte in
 * memory of which some bits are; what a lane gets from one that arrives at a *.sync by another path; the carry flag; the
 * variables of functions that were never stored to. */
#pragma once
#include "machine/simt/warp_state.h"

struct call_slot;

/* Before the instruction is executed by `mask`, of a warp that has w->undefined: reports what is used of undefined values,
 * and marks what becomes of those that are not. */
void simt_undefined_follow(struct warp *w, const struct code *c, uint32_t mask);

/* What a shuffle has just written to `lanes` is undefined. */
void simt_undefined_shuffle(struct warp *w, const struct code *c, uint32_t lanes);

/* m->access is about to be made. */
void simt_undefined_access(struct warp *w, const struct code *c);

/* A debugger has written a byte of a lane, at an offset in its space. */
void simt_undefined_written(struct warp *w, uint32_t lane, enum mem_space space, uint64_t at);

/* What printf reads at a generic address, of a warp that has w->undefined. */
void simt_undefined_print(struct warp *w, const struct code *c, int lane, uint64_t address, uint32_t bytes);

/* A call or a return passes `from` to `to`, of a warp that has w->undefined. */
struct frame_slot {
	const struct call_slot *slot;
	struct frame *frame;
};
void simt_undefined_pass(struct warp *w, uint32_t lanes, struct frame_slot from, struct frame_slot to);

/* Where values of the block came from is forgotten, as it begins or is given up. */
void simt_undefined_forget(struct machine *m);

/* Nothing is undefined, as when a block begins; a frame is given up; its part of local memory is that of another; it grows to
 * `wider` bytes of each thread. */
void simt_undefined_clear(struct warp *w);
void simt_undefined_drop(struct frame *frame);
void simt_undefined_frame(struct warp *w, uint32_t lanes, const struct frame *frame);
void simt_undefined_widen(struct warp *w, uint64_t wider);
