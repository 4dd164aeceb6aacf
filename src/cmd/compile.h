/* cmd/compile.h: CUDA source -> PTX, with whatever compiler is here: $NVCC, $CLANG, else nvcc or clang from PATH. */
#pragma once
#include "cmd/cmd.h"

/* Appends the PTX of `path`, which may include simt.h, with its line table. The compiler's messages go to standard error.
 * An exit status, with an error when it is not EXIT_OK: EXIT_MISSING without a compiler, EXIT_FAILED when it refuses. */
int compile_cuda(struct cmd_ctx *ctx, const char *path, struct buf *ptx);
