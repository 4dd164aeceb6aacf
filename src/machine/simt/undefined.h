/* machine/simt/undefined.h: values from uninitialized memory, and those that a shuffle takes from lanes that take no
 * part in it (PTX ISA, shfl.sync: undefined), from where they are loaded to where they are used. Inside simt/ only.
 *
 * To copy such a value is no fault: structures are copied with their padding and with members that nobody has set. So
 * it is followed, bit by bit as valgrind's memcheck does it (Seward and Nethercote, USENIX 2005): through registers,
 * calls, and shared and local memory. It is used, which is a defect, where a branch or a guard depends on it, as an
 * address, as an operand of an atomic operation, a barrier, a matrix product or printf, and where it is stored to
 * global memory. What is computed from it is itself undefined. Of a store to global memory all bits have to be, or some
 * of those of a result, for padding is stored there, too.
 *
 * Nothing of this costs anything before a lane of the warp has loaded an uninitialized byte, or got such a value, in
 * the block that runs.
 *
 * In doubt a bit counts as defined: one in a structure that is stored word by word, of which other words are known; a
 * byte in memory of which some bits are; what a lane gets from one that arrives at a *.sync by another path; the carry
 * flag; the variables of functions that were never stored to. */
#pragma once
#include "machine/simt/lanes.h"
#include "machine/simt/warp_state.h"

struct call_slot;

/* Before the instruction is executed by `mask`, of a warp that has w->undefined: reports what is used of undefined
 * values, and marks what becomes of those that are not. */
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

/* Nothing is undefined, as when a block begins; a frame is given up; its part of local memory is that of another; it
 * grows to `wider` bytes of each thread. */
void simt_undefined_clear(struct warp *w);
void simt_undefined_drop(struct frame *frame);
void simt_undefined_frame(struct warp *w, uint32_t lanes, const struct frame *frame);
void simt_undefined_widen(struct warp *w, uint64_t wider);

/* --- which bits are undefined ------------------------------------------------------------------------------------- */

/* A load of uninitialized bytes by a warp, or a shuffle from lanes that take no part in it; another one by the same
 * instruction takes its place. */
struct undefined_origin {
	int instr; /* by which a reader knows it */
	bool is_shuffle;
	uint32_t ptx_instr, warp;
	enum mem_space space;
	uint64_t address[WARP_SIZE];
};

#define UNDEFINED_OPERANDS 16 /* registers in the operands of an instruction that is tried */
#define UNDEFINED_SCRATCH 256 /* bytes of one */
#define UNDEFINED_COPIES 4096

/* Where an undefined value comes from. */
struct undefined_past {
	uint32_t origin;
	uint32_t by_plus_1; /* the instruction that first computed with it; 0: it was only copied */
};

/* A copy in memory. */
struct undefined_copy {
	uint64_t key;
	bool known;
	struct undefined_past past;
};

/* Of a block. */
struct undefined_origins {
	struct undefined_copy copies[UNDEFINED_COPIES]; /* by a hash; of two at one place the later one is kept */
	struct undefined_origin *at;
	uint32_t n, cap;
};

/* Of a warp. BANK_SCRATCH: each operand with its undefined bits 0, and 1, and results. */
struct undefined {
	uint8_t scratch[3 * UNDEFINED_OPERANDS][UNDEFINED_SCRATCH];
};

struct undefined_register {
	uint32_t lanes;    /* that have undefined bits */
	uint32_t computed; /* of those, the ones where they are of a result */
	struct undefined_past past;
};

/* Of a frame. Bits that are 1 are undefined; they lie where the registers' bits are. */
struct undefined_registers {
	uint8_t *bits;
	struct undefined_register *of, *of_predicates;
	uint32_t first_predicate; /* where they lie, after all others */
};

/* A register: PTX_PRED has no bytes. */
struct undefined_ref {
	uint32_t offset, bytes;
};

/* Of the running frame, if it has any; made. */
static inline struct undefined_registers *undefined_of(const struct warp *w)
{
	return w->frames.at[w->frame].undefined;
}

static inline struct undefined_register *undefined_info(struct undefined_registers *u, struct undefined_ref r)
{
	return r.bytes ? &u->of[r.offset / 64] : &u->of_predicates[(r.offset - u->first_predicate) / 4];
}

static inline uint32_t undefined_lanes(struct undefined_registers *u, struct undefined_ref r)
{
	return undefined_info(u, r)->lanes;
}

/* The undefined bits of a lane; sets them. */
uint64_t simt_undefined_bits(const struct undefined_registers *u, struct undefined_ref r, int lane);
void simt_undefined_set(struct undefined_registers *u, struct undefined_ref r, int lane, uint64_t bits);

/* All bits of `lanes` are defined. */
void simt_undefined_define(struct undefined_registers *u, struct undefined_ref r, uint32_t lanes);

enum undefined_use {
	UNDEFINED_LOADED, /* where it is loaded: an atomic operation, a matrix */
	UNDEFINED_BRANCH,
	UNDEFINED_ADDRESS,
	UNDEFINED_STORED,
	UNDEFINED_OPERAND,
	UNDEFINED_PRINTED,
};

/* `lanes` use at `c` what comes from there; `computed`: the result of what an instruction computed with it. */
struct undefined_used {
	enum undefined_use use;
	const struct undefined_origin *origin;
	const struct code *computed; /* NULL: it is used itself */
};

/* Reports that the lanes of `mask` use what is undefined of a register, which from then on counts as defined. */
void simt_undefined_use(
	struct warp *w, const struct code *c, uint32_t mask, struct undefined_ref r, enum undefined_use use);
