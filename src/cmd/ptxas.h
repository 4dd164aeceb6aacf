/* cmd/ptxas.h: what NVIDIA's assembler makes of a kernel, where it is here: $PTXAS, else ptxas from PATH. */
#pragma once
#include "cmd/cmd.h"
#include "profile/cubin.h"

struct ptxas_usage {
	int registers, barriers;  /* of a thread; of a block */
	const struct cubin *code; /* its machine code, in the context's arena; NULL: not understood */
	const char *why;          /* NULL, or why nothing is known, some words: "there is no ptxas" */
};

/* Assembles the kernel for the compute capability `cc` (90: 9.0). No error is added: not knowing is an answer. */
struct ptxas_usage ptxas_usage(struct cmd_ctx *ctx, const struct buf *ptx, const char *kernel, int cc);

/* Its path; NULL: there is none. */
const char *ptxas_find(struct cmd_ctx *ctx);
