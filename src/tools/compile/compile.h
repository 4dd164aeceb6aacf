/* tools/compile/compile.h: CUDA source -> PTX, by the worker's NVRTC where a GPU is asked for, else by whatever compiler is here: $NVCC,
 * $CLANG, or nvcc or clang from PATH. */
#pragma once
#include "cmd/cmd.h"
#include "gpu/client/gpu.h"

#define COMPILE_FOLDERS_MAX 16

struct compile_request {
	const char *path; /* may include simt.h and headers beside it */
	int cc;           /* compute capability times ten, 0: the GPU's, or the machine's without; a compiler that does
	                              * not know it takes the newest before it */
	const char *const *defines; /* NAME or NAME=VALUE */
	int n_defines;
	const char *const
		*folders; /* that a compiler here may read beside the source's own; NULL: nobody can name any */
	int n_folders;
	bool debug_info; /* it names the variables, and is not optimized; by a compiler here */
	int least;       /* whatever the GPU: a kernel that needs a newer one runs on the machine */
	struct gpu *gpu; /* that is to run it, NULL: none; it is compiled for it, or for `cc` where that is less */
};

/* What a line of a source asks for, "// needs: sm_80, PTX 7.0", more than is usual; the last one counts. All 0: none does. */
struct compile_needs {
	int cc;
	bool own;         /* sm_90a: with what this GPU alone has */
	int major, minor; /* of PTX */
};
struct compile_needs compile_read_needs(const char *source);

/* Whether a compiler is found here. */
bool compile_can_here(struct cmd_ctx *ctx);

/* Appends the PTX, with its line table. The messages of a compiler here go to standard error; NVRTC's are diagnostics. An exit
 * status, with an error when it is not EXIT_OK: EXIT_MISSING without a compiler, EXIT_FAILED when it refuses. */
int compile_cuda(struct cmd_ctx *ctx, const struct compile_request *request, struct buf *ptx);
