/* model/profile/machine_code_parts.h: what the files of model/profile/machine_code.h share. */
#pragma once
#include "machine/ptx/instr.h"
#include "model/profile/machine_code.h"

/* A basic block of the PTX; those of all parts are numbered one after the other. */
struct code_source {
	int first, last, part; /* instructions, as ptx_instr_count numbers them */
	int loop;              /* the innermost around it; -1: none */
	int depth;             /* loops around it */
	double executed, left; /* by the warps of the trace; of them, not given to machine code yet */
	double run;            /* so often since its loop began */
	int n_copies, copies;  /* basic blocks of machine code that it is in: of code_match.copies, from `copies` on */
	bool has_accesses;     /* to memory, or barriers: what the compiler does not move to elsewhere */
};

struct code_loop {
	int first, last; /* blocks of the PTX */
	int parent;
	double begun;
	bool open;
};

/* A basic block of machine code. */
struct code_block {
	int first, last;
	int depth, loop; /* loops around it; the first block of the innermost, -1: none */
	int source;      /* that most of it was made from; -1: none */
	int times;       /* that the source is in it */
	int certainty;   /* of that, as tells() ranks it */
	bool in_front;   /* of the loop of its source */
	int version; /* of its source: those of one have different instructions of it, those of others the same ones */
	double executed;
	bool reached, calls;
};

struct code_copy {
	int block, times, depth;
};

struct code_match {
	struct arena *arena;
	const struct ptx_kernel *kernel;
	const struct cubin *cubin;
	const struct trace *trace;
	int *op_of;       /* by machine instruction: the PTX instruction that it was made from; -1: none */
	int *source_of;   /* by PTX instruction */
	int *block_of;    /* by machine instruction */
	double *executed; /* by PTX instruction */
	struct code_source *sources;
	int n_sources;
	struct code_loop *loops;
	int n_loops;
	struct code_block *blocks;
	int n_blocks;
	struct code_copy *copies;
};

/* --- machine_code_blocks.c -------------------------------------------------------------------------------------------- */

/* Fills in the basic blocks and loops of the PTX and of its machine code, and op_of, from `kernel`, `cubin` and `trace`. False where
 * there are too many loops. */
bool profile_code_find_blocks(struct code_match *m);

/* Whether the basic block of PTX is of the loop. */
bool profile_code_is_within(const struct code_loop *loop, int source);

/* What has an effect, or waits: it is executed where it stands, and as often. */
bool profile_code_stays(const struct ptx_instr *instr);
