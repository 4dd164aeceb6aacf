/* simt/machine.h: the inside of the SIMT machine. Inside simt/ only.
 *
 * Registers lie lane-contiguous: 32 values of 2, 4 or 8 bytes side by side, so that one warp instruction is one loop over
 * arrays; a predicate register is one 32-bit mask. An operand is a bank and an offset into it, whatever it is: registers,
 * constants (written out 32 times when the kernel is decoded) and special registers read alike. */
#pragma once
#include "ptx/program.h"
#include "simt/simt.h"

#define WARP 32
#define FULL_MASK 0xFFFFFFFFu
#define NOWHERE UINT32_MAX     /* a program counter that is never reached */
#define BARRIERS 16
#define RUN_STEPS 512          /* instructions a warp runs before the next one has its turn */

/* Windows of the generic address space. What lies below is global memory. */
#define WINDOW_SIZE ((uint64_t)1 << 32)
#define SHARED_WINDOW ((uint64_t)0x7F00000000000000)
#define LOCAL_WINDOW ((uint64_t)0x7E00000000000000)
#define CONST_WINDOW ((uint64_t)0x7D00000000000000)
#define PARAM_WINDOW ((uint64_t)0x7C00000000000000)

struct machine;
struct warp;
struct code;

typedef void exec_fn(struct warp *w, const struct code *c, uint32_t mask);

/* --- memory ------------------------------------------------------------------------------------------------------- */

struct region {
	uint64_t base;
	size_t size;
	uint8_t *bytes;
};

struct simt_memory {
	struct region *regions;        /* by base */
	int n, cap;
	size_t used, limit;
	uint64_t next;
};

/* The region that holds `address`, or the one before it; NULL when there is none. */
const struct region *memory_find(const struct simt_memory *memory, uint64_t address);

/* --- decoded instructions ----------------------------------------------------------------------------------------- */

enum bank { BANK_REGS, BANK_CONSTS, BANK_SPECIALS, BANKS };

struct ref {
	uint32_t bank, offset;
};

#define CODE_ALWAYS 1u         /* runs even when no lane takes part */
#define CODE_CLOCK 2u          /* reads a clock */
#define CODE_YIELDS 4u         /* ends the warp's turn, so that warps leave a barrier in their order */
#define CODE_SHARED 8u         /* reads or writes .shared: told to the listener even when no lane takes part */

struct code {
	exec_fn *run;
	struct ref r[PTX_OPERANDS_MAX]; /* operands, in the order of the instruction */
	int32_t guard;                 /* offset of the predicate in the registers, -1: none */
	uint32_t guard_xor;            /* all ones when negated */
	uint32_t flags;
	uint32_t invert;               /* all ones when the source predicate is negated */
	uint32_t target, reconverge;   /* of a branch; NOWHERE: the end */
	int64_t offset;                /* of an address */
	uint8_t address_bytes;         /* of the register that holds an address; 0: there is none */
	uint8_t space;                 /* enum ptx_space */
	uint8_t bytes, lanes;          /* of one element of a memory access; how many */
	uint8_t slot[2];               /* bytes of the registers of operands 0 and 1 */
	int32_t second;                /* offset of the predicate in d|p and p|q, -1: none */
	const struct ref *elements;    /* of a vector operand */
	const struct ptx_instr *instr;
	uint32_t index;
};

/* What `pick` columns of ops.def name: chooses the executor when the operands are decoded; NULL when there is none. */
typedef exec_fn *pick_fn(const struct code *c);
#define OP(id, spelling, types, types2, operands, modifiers, pick, meaning) pick_fn pick_##pick;
#include "ptx/ops.def"
#undef OP

struct program {
	const struct ptx_kernel *kernel;
	struct code *code;             /* n + 1: the last one ends the warp */
	uint32_t n;
	uint8_t *consts;
	size_t n_consts, cap_consts;
	uint32_t regs_bytes;           /* of one warp */
	uint32_t *reg_offset;
	bool uses_special[PTX_SPECIALS];
	uint32_t special_offset[PTX_SPECIALS];
	uint32_t specials_bytes;       /* of one warp */
	uint64_t *var_address;         /* by ptx_kernel.uses: address in its space */
};

/* --- a run -------------------------------------------------------------------------------------------------------- */

struct frame {
	uint32_t pc, rpc, mask;        /* lanes `mask` go on at `pc` and meet the others at `rpc` */
};

enum warp_state { WARP_RUNS, WARP_WAITS, WARP_DONE };

struct warp {
	uint8_t *bank[BANKS];
	uint32_t pc, rpc, active;      /* the top of the stack */
	uint32_t live;                 /* lanes that have not ended */
	uint32_t carry;                /* the carry flag of each lane */
	struct machine *m;
	uint8_t *local;                /* 32 frames of local memory */
	struct frame *stack;
	uint32_t depth, cap;
	uint32_t index;                /* in the block */
	enum warp_state state;
	uint32_t barrier;              /* waited for */
	const struct code *waits_at;
};

struct barrier {
	uint32_t arrived;              /* warps */
	uint32_t expected;             /* warps, 0: all that live */
	uint32_t all, any, count;      /* of bar.red */
};

struct machine {
	const struct simt_launch *launch;
	struct simt_memory *memory;
	struct simt_result *result;
	const struct simt_listener *listener; /* never NULL */
	struct arena *arena;
	struct program program;
	bool stop;
	uint64_t steps, max_steps;
	uint32_t block;                /* linear index */
	uint32_t n_warps, threads;
	struct warp *warps;
	struct barrier barriers[BARRIERS];
	uint8_t *shared;
	uint64_t shared_bytes;
	uint64_t local_bytes;          /* of one thread */
	struct region globals, constants; /* the module's variables */
	uint64_t *var_address;         /* of the module's variables; of constants, in their window */
	struct simt_access access;     /* being made */
	const struct region *last_region; /* where the last global access was */
	uint8_t *params;               /* a copy */
	uint8_t *at[WARP];             /* host addresses of the lanes of the access */
};

/* defect.c: ends the run. */
void defect(struct warp *w, const struct code *c, enum simt_defect_kind kind, uint32_t lanes, uint64_t address,
	const char *format, ...) __attribute__((format(printf, 6, 7)));
void refuse(struct machine *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* decode.c: false, with the reason in the result, when the kernel cannot be run. */
bool program_decode(struct machine *m, struct arena *arena);

/* mem.c: tells the listener of an instruction on .shared in which no lane takes part. */
void mem_tell_empty(struct warp *w, const struct code *c);

/* globals.c: the module's variables, with their initial values; false when they do not fit. */
bool globals_init(struct machine *m);

/* stack.c */
void warp_diverge(struct warp *w, uint32_t taken, uint32_t target, uint32_t reconverge);
void warp_switch(struct warp *w, const uint32_t target[WARP], uint32_t reconverge);
void warp_pop(struct warp *w);
void warp_exit(struct warp *w, uint32_t mask);

/* exec_ctl.c: a warp has ended or waits: is a barrier complete? */
void barriers_update(struct machine *m);

static inline enum ptx_type form_type(const struct ptx_instr *instr)
{
	return (enum ptx_type)instr->form->type;
}

static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* exec_ctl.c: do the lanes that a *.sync mask names take part, with the same mask? False: a defect was reported. */
bool mask_fits(struct warp *w, const struct code *c, uint32_t mask, const uint32_t *members);

/* The lanes of `left` that name the same mask as the first of them. They act together; lanes with another mask that come
 * to the instruction at the same time are a group of their own. */
uint32_t mask_group(uint32_t left, const uint32_t *members);
