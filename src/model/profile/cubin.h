/* model/profile/cubin.h: the machine code of a kernel, as NVIDIA's assembler writes it into an ELF file (a cubin) with
 * --generate-line-info: of each instruction the PTX line that it was made from, its pipe, and where it branches to.
 *
 * Instructions are 16 bytes; the operation is in the lowest 12 bits, the number of its guard in the next 4. The table
 * of lines (.nv_debug_line_sass) is a line program of DWARF 2 whose lines are those of the PTX text. Which operation is
 * which was found by compiling PTX of each kind (ptxas 13.0, CC 9.0). Nothing of the file is trusted: what does not fit
 * is no machine code. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/hardware/listing.h"

enum cubin_flow {
	CUBIN_NEXT,   /* goes on with the next instruction */
	CUBIN_BRANCH, /* to `target`; where it is conditional, else to the next */
	CUBIN_END,    /* of the thread or function */
	CUBIN_CALL,   /* of a function or of a subroutine of the compiler's own, at `target`; then the next */
	CUBIN_SWITCH, /* to where a register says */
};

struct cubin_instr {
	uint32_t ptx_line;   /* 0: none */
	int32_t target;      /* of a branch: index of an instruction; -1: not known */
	uint8_t pipe;        /* enum pipe; PIPE_NONE: issue alone */
	uint8_t flow;        /* enum cubin_flow */
	bool is_conditional; /* it has a guard, or branches by something else */
	bool begins;         /* the first of a function */
};

struct cubin_function {
	const char *name; /* as the file has it: a stranger's */
	int first, n;     /* its instructions */
};

struct cubin {
	const struct cubin_instr *instrs; /* of all functions of the file, one after the other */
	int n;
	const struct cubin_function *functions;
	int n_functions;
};

/* False where the file is none, or has no lines, or has code that is not understood. Results are in `arena`. */
bool cubin_read(struct arena *arena, const void *file, size_t len, struct cubin *out);

/* --- disassembly.c ------------------------------------------------------------------------------------------------ */

/* What nvdisasm or cuobjdump print of a cubin -> the listing of its kernel.
 *
 * Of their text only this is read: the lines that begin a function (".text.NAME:", "Function : NAME"), labels
 * (".L_x_1:"), and instructions, an address in a comment and the text up to a semicolon: "slash star 0010 star slash
 * @P0 BRA `(.L_x_1) ;". A label in an instruction is replaced by its address. Which line of the PTX an instruction was
 * made from is in the cubin itself. Nothing of the text is trusted: what does not fit is left out, and a listing that
 * lacks an instruction is none. */

/* In `arena`; `out` gets the instructions alone. NULL: it was read; else why not, as a sentence. */
const char *profile_disassembly(
	struct arena *arena, const struct cubin *cubin, const char *kernel, const char *text, struct code_listing *out);
