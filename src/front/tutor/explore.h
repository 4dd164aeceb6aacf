/* front/tutor/explore.h: a session over a reader's own kernel, or two of them: a lesson without text that is made from a launch, and made
 * again when a file changes. What the files are, how they are compiled and what is launched is the caller's. */
#pragma once
#include "base/buf.h"
#include "front/tutor/tutor.h"

#define EXPLORE_FILES_MAX 2

struct tutor_explorer {
	void *ctx;
	const char *paths[EXPLORE_FILES_MAX]; /* of the kernels; a path that is NULL, standard input, never changes */
	int n_paths;
	struct tutor_compiler compiler; /* from one of the paths to its PTX */
	/* The lesson, from the PTX of each path, in `arena`; its steps are the versions, one or two, which show the same
	 * parameters but for the line. NULL with diagnostics. */
	struct lesson *(*make)(void *ctx, struct arena *arena, const struct buf *ptx, struct diag *diag);
	bool trusts;                           /* nothing is looked for that a kernel does wrong */
	uint64_t steps;                        /* warp instructions of a run */
	int cc;                                /* compute capability of the model */
	struct experiment_assembler assembler; /* run NULL: there is none */
};

/* A session with the lesson that `ptx` gives. Nothing is asked of a GPU before the reader measures, or tutor_gpu_start. NULL with
 * diagnostics. */
struct tutor *tutor_explore(const struct tutor_explorer *explorer, const struct buf *ptx, const char *gpu_spec,
	const char *worker, struct diag *diag);
