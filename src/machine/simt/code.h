/* machine/simt/code.h: decoded instructions. Inside simt/ only.
 *
 * An operand is a bank and an offset into it, whatever it is: registers, constants (written out 32 times when the
 * kernel is decoded) and special registers read alike. Registers lie lane-contiguous: 32 values of 2, 4 or 8 bytes side
 * by side, so that one warp instruction is one loop over arrays; a predicate register is one 32-bit mask. */
#pragma once
#include "machine/ptx/instr.h"
#include "machine/simt/memory.h"
#include "machine/warp/warp.h"

struct arena;
struct code;
struct exchange;
struct machine;
struct warp;

#define NOWHERE UINT32_MAX /* a program counter that is never reached */

/* An executor; the second half of a *.sync instruction, which gives `lanes`, some of those that converged there, their
 * results. */
typedef void exec_fn(struct warp *w, const struct code *c, uint32_t mask);
typedef void converge_fn(struct warp *w, const struct code *c, uint32_t lanes, const struct exchange *x);

enum bank {
	BANK_REGS,
	BANK_CONSTS,
	BANK_SPECIALS,
	BANK_SCRATCH, /* undefined_flow.c: what an executor is tried with; NULL: nothing is */
	BANKS,
};

struct ref {
	uint32_t bank, offset;
};

#define CODE_ALWAYS 1u     /* runs even when no lane takes part */
#define CODE_CLOCK 2u      /* reads a clock */
#define CODE_YIELDS 4u     /* ends the warp's turn, so that warps leave a barrier in their order */
#define CODE_SHARED 8u     /* reads or writes .shared: reported to the listener even when no lane takes part */
#define CODE_STRONG 16u    /* PTX's strong memory operations, by which threads synchronize */
#define CODE_FRAME 32u     /* `offset` counts from the frame of the function */
#define CODE_PASSES 64u    /* reads or writes a .param variable of a function or a call, which is in the frame */
#define CODE_ORDERED 128u  /* sees what other blocks did before it: simt_order_find, */
#define CODE_CLUSTER 512u  /* its addresses may be in shared memory of other blocks of the cluster */
#define CODE_SIGNALS 2048u /* the operand is an mbarrier that counts what the instruction does */
#define CODE_ACTS 4096u    /* does what others can see: stores, prints, arrives, exchanges values */
#define CODE_TEXTURE                                                                                                   \
	1024u /* goes through the texture unit, which is not modeled: nothing is reported to the listener */
#define CODE_COMMUTES 256u /* or would, but nothing in the launch sees the difference */

struct code {
	exec_fn *run;
	converge_fn *converge;          /* of a *.sync */
	struct ref r[PTX_OPERANDS_MAX]; /* operands, in the order of the instruction */
	int32_t guard;                  /* offset of the predicate in the registers, -1: none */
	uint32_t guard_xor;             /* all ones when negated */
	uint32_t flags;
	uint32_t invert;             /* all ones when the source predicate is negated */
	uint32_t target, reconverge; /* of a branch; NOWHERE: the end */
	uint8_t condition;           /* passed.c: of a branch, 1 + the condition that it is; 0: none */
	int64_t offset;              /* of an address */
	uint8_t address;             /* the operand that it is */
	uint8_t address_bytes;       /* of the register that holds an address; 0: there is none */
	uint8_t space;               /* enum mem_space */
	uint8_t bytes, lanes;        /* of one element of a memory access; how many */
	uint8_t slot[2];             /* bytes of the registers of operands 0 and 1 */
	uint8_t members;             /* of a *.sync: the operand that names the lanes */
	int32_t second;              /* offset of the predicate in d|p and p|q, -1: none */
	const struct ref *elements;  /* of the vector operands, one after the other */
	uint8_t n_elements;
	struct ref sampler; /* of a texture fetch that names one */
	bool has_sampler;
	struct code *from; /* the same instruction with its next address: the source of a copy, its mbarrier */
	const struct call_site *call;   /* of a call */
	const struct code_array *array; /* that the address is of; NULL: it is not known */
	const struct ptx_instr *instr;
	uint32_t index;
	uint32_t next; /* the instruction after it; program.n: the end of the function */
};

/* Where an argument, a parameter or a result is. */
enum call_slot_kind { SLOT_NONE, SLOT_LANES, SLOT_MASK, SLOT_FRAME };
struct call_slot {
	enum call_slot_kind kind;
	struct ref ref;  /* LANES: 32 of `bytes` bytes each; MASK: a predicate */
	uint64_t offset; /* FRAME: in local memory, from the frame on */
	uint32_t bytes;
};

struct call_site {
	int32_t unit;             /* that is called; -1: one of the prototype, by the address in r[PTX_CALL_CALLEE] */
	enum ptx_builtin builtin; /* is called instead */
	const struct ptx_prototype *prototype;
	struct call_slot *results, *args; /* as many as the signature has */
};

/* A function of the launch; the first is the kernel. */
struct code_unit {
	const struct ptx_kernel *code;
	uint32_t first;      /* its first instruction */
	uint32_t regs_bytes; /* of one warp */
	uint32_t first_reg;  /* of all registers of the launch */
	uint32_t *reg_offset;
	uint64_t *var_address; /* by ptx_kernel.uses: address in its space; FRAME: from the frame on */
	uint32_t local_align;  /* of its frame in local memory */
	struct call_slot *results, *params;
};

/* What the `pick` column of ops.def names, and decode.c declares: chooses the executor when the operands are decoded;
 * NULL when there is none. */
typedef exec_fn *pick_fn(const struct code *c);

struct program {
	const struct ptx_kernel *kernel;
	struct code_unit *units; /* as the kernel's parts */
	uint32_t n_units;
	const struct code_unit *unit; /* being decoded */
	bool uses_heap;               /* calls malloc */
	int32_t *unit_of;             /* function of the module -> unit, -1: not linked */
	struct code *code;            /* of all units, one after the other */
	uint32_t n;
	uint8_t *consts;
	size_t n_consts, cap_consts;
	bool uses_special[PTX_SPECIALS];
	uint32_t special_offset[PTX_SPECIALS]; /* of those */
	uint32_t specials_bytes;               /* of one warp */
	exec_fn **unguarded;                   /* wgmma.h; NULL: it has none */
	uint32_t n_regs;                       /* of all units */
	struct conditions *conditions;         /* passed.c; NULL: there are none */
};

/* decode.c: false, with the reason in the result, when the kernel cannot be run. */
bool simt_program_decode(struct machine *m, struct arena *arena);
struct ref simt_decode_operand(struct program *p, const struct ptx_operand *o, enum ptx_type type, uint8_t *slot);

/* builtin.c: what calls the function; never NULL. */
exec_fn *simt_builtin_exec(enum ptx_builtin builtin);

static inline enum ptx_type form_type(const struct ptx_instr *instr)
{
	return (enum ptx_type)instr->form->type;
}

/* --- which variable an address is computed from ------------------------------------------------------------------- */

/* Followed are copies, conversions between address spaces, and sums with what is no address, whichever branch is taken.
 * What else is made of an address, or of two, and what comes from memory or a parameter, belongs to no variable; nor do
 * arrays whose size the launch gives. */

/* A variable of shared or global memory: addresses in its space. */
struct code_array {
	const struct ptx_var *var;
	uint64_t first, end;
};

/* Finds that of each access of the machine's program, if there is something beside it; when it has been decoded. */
void simt_arrays_find(struct machine *m, struct arena *arena);

/* m->access, which is valid, is of c->array: reports the lanes that are not in it. */
void simt_arrays_check(struct warp *w, const struct code *c);

/* --- libdevice ---------------------------------------------------------------------------------------------------- */

/* What calls the function; NULL: it is none of them. */
exec_fn *simt_math_exec(enum ptx_builtin builtin);
