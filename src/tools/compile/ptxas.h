/* tools/compile/ptxas.h: what NVIDIA's assembler makes of a kernel, where it is here: $PTXAS, else ptxas from PATH; and
 * its machine code as text, by $NVDISASM, else nvdisasm or cuobjdump from PATH. */
#pragma once
#include "model/profile/cubin.h"
#include "tools/compile/compile.h"

struct ptxas_usage {
	int registers, barriers;              /* of a thread; of a block */
	int stack, spill_stores, spill_loads; /* bytes of a thread */
	const struct cubin *code;             /* its machine code, in the context's arena; NULL: not understood */
	const char *why;                      /* NULL, or why nothing is known, some words: "there is no ptxas" */
};

/* Assembles the kernel for the compute capability `cc` (90: 9.0). No error is added: not knowing is an answer. */
struct ptxas_usage ptxas_usage(const struct compile_ctx *ctx, const struct buf *ptx, const char *kernel, int cc);

/* The machine code as text, in the context's arena; NULL with `why`, some words. */
struct code_listing *ptxas_listing(
	const struct compile_ctx *ctx, const struct buf *ptx, const char *kernel, int cc, const char **why);

/* Their paths; NULL: there is none. */
const char *ptxas_find(const struct compile_ctx *ctx);
const char *ptxas_find_disassembler(const struct compile_ctx *ctx);
