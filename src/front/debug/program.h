/* front/debug/program.h: what a debugger has to know of a kernel before it runs: its PTX as rows to show, the source line of
 * each instruction, where lines begin, and what instructions read and write. Does not change afterwards. */
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "machine/ptx/program.h"

/* A row of the PTX pane: an instruction, or a label. */
struct debug_row {
	int line;         /* in the PTX text */
	int instr;        /* first one of the line, -1: a label */
	const char *text; /* blanks tidied, comments left out, names as in the source */
};

/* An instruction, numbered as ptx_instr_count does: the kernel's, then those of the functions that it may call. */
struct debug_instr {
	const struct ptx_instr *code;
	int part; /* of program->parts */
	int row;
	int line;    /* of the source, 0: none. One inlined from another file has that of the one before it */
	bool begins; /* its line begins here, in the text or at the head of a loop */
};

/* The kernel, or a function: they have registers of their own, which are numbered here through all parts. */
struct debug_part {
	const struct ptx_part *of;
	const char *name; /* as in the source where that is known */
	int first_instr, first_reg;
};

struct debug_reg {
	const char *name;
	enum ptx_type type;
	char kind;       /* 'F', 'S', 'P', or 'X' for addresses and bits */
	int part, index; /* which one of its part */
};

struct debug_program {
	const struct ptx_kernel *kernel;
	const char *name;     /* of the kernel, as in the source where that is known */
	const char *file;     /* of the source lines, NULL: they are those of the PTX */
	struct source source; /* its text; n_lines 0: not at hand */
	struct debug_part *parts;
	struct debug_instr *instrs;
	struct debug_reg *regs;
	struct debug_row *rows;
	int n_parts, n_instrs, n_regs, n_rows;
	const struct debug_dwarf *dwarf; /* variables of the source; NULL: nothing says what they are */
};

struct debug_program *debug_program_new(
	struct arena *arena, const struct ptx_kernel *kernel, const struct source *ptx, const struct source *source);

/* The row's text of an instruction. */
const char *debug_instr_text(const struct debug_program *program, int instr);

/* The two texts of a kernel, each with lines of its own. */
enum debug_text { DEBUG_SOURCE, DEBUG_PTX };

/* The first line from `line` on that has an instruction, 0: none. */
int debug_line_with_code(const struct debug_program *program, enum debug_text text, int line);

/* Registers of an instruction, its guard among those read. Each register once. */
#define DEBUG_USES_MAX 40
struct debug_uses {
	int written[DEBUG_USES_MAX], read[DEBUG_USES_MAX];
	int n_written, n_read;
};
void debug_uses(const struct debug_program *program, int index, struct debug_uses *out);
