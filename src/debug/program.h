/* debug/program.h: what a debugger has to know of a kernel before it runs: its PTX as rows to show, the source line of
 * each instruction, where lines begin, and what instructions read and write. Does not change afterwards. */
#pragma once
#include "base/arena.h"
#include "lesson/source.h"
#include "ptx/program.h"

/* A row of the PTX pane: an instruction, or a label. */
struct debug_row {
	int line;                  /* in the PTX text */
	int instr;                 /* first one of the line, -1: a label */
	const char *text;          /* blanks tidied, comments left out, names as in the source */
};

struct debug_program {
	const struct ptx_kernel *kernel;
	const char *name;          /* of the kernel, as in the source where that can be told */
	const char *file;          /* of the source lines, NULL: they are those of the PTX */
	struct source source;      /* its text; n_lines 0: not at hand */
	struct debug_row *rows;
	int n_rows;
	int *row_of;               /* per instruction: its row */
	int *line_of;              /* per instruction: source line, 0: none. One inlined from another file has that of the
	                              instruction before it */
	bool *begins;              /* per instruction: its line begins here, in the text or at the head of a loop */
	uint8_t *kind;             /* per register: 'F', 'S', 'P', or 'X' for addresses and bits */
};

struct debug_program *debug_program_new(struct arena *arena, const struct ptx_kernel *kernel, const struct source *ptx,
	const struct source *source);

/* The row's text of an instruction. */
const char *debug_instr_text(const struct debug_program *program, int instr);

/* The first line from `line` on that has an instruction, 0: none; among the PTX's lines when `ptx`. */
int debug_line_with_code(const struct debug_program *program, bool ptx, int line);

/* Registers of an instruction, its guard among those read. Each register once. */
#define DEBUG_USES_MAX 40
struct debug_uses {
	int written[DEBUG_USES_MAX], read[DEBUG_USES_MAX];
	int n_written, n_read;
};
void debug_uses(const struct ptx_kernel *kernel, int instr, struct debug_uses *out);
