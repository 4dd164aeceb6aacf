/* machine/simt/undefined_state.h: which bits are undefined, for undefined.c and undefined_flow.c. */
#pragma once
#include "machine/simt/lanes.h"
#include "machine/simt/undefined.h"

/* A load of uninitialized bytes by a warp, or a shuffle from lanes that take no part in it; another one by the same instruction takes its
 * place. */
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
struct undefined_registers *simt_undefined_make(struct frame *frame);

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
void simt_undefined_report(struct warp *w, const struct code *c, uint32_t lanes, const struct undefined_used *used);

/* Reports that the lanes of `mask` use what is undefined of a register, which from then on counts as defined. */
void simt_undefined_use(
	struct warp *w, const struct code *c, uint32_t mask, struct undefined_ref r, enum undefined_use use);

/* The register with element `e` of a load or a store; false: it is none. */
bool simt_undefined_element(const struct code *c, int e, int operand, struct undefined_ref *out);

/* Where a lane's value in a register comes from; a byte in memory is a copy of something that comes from there. */
struct undefined_past simt_undefined_past(const struct undefined_register *info, int lane);
void simt_undefined_copied(struct warp *w, enum mem_space space, uint64_t address, struct undefined_past past);

/* undefined_store.c: m->access is about to be made by a store; adds to `bytes` those of each lane that are undefined. */
void simt_undefined_store(struct warp *w, const struct code *c, uint16_t bytes[WARP_SIZE]);
