/* tools/compile/compile_here.h: CUDA source -> PTX by a compiler that is here: $NVCC, $CLANG, or nvcc or clang from
 * PATH. Inside tools/compile only.
 *
 * Compilers hand the names that they are given to shells. So they are given fixed ones, in a private folder that they
 * run in: a copy of the source, which says by #line what it is a copy of, a header with the macros, and links to the
 * folders of the source and of simt.h. What they print and write names the reader's files. */
#pragma once
#include "tools/compile/compile.h"
#include "tools/sandbox/sandbox.h"

struct compile_here {
	const struct compile_ctx *ctx;
	const struct compile_request *request;
	int cc;
	bool own;                        /* the source needs what this GPU alone has: "// needs: sm_90a, PTX 8.0" */
	const struct compile_tool *tool; /* NULL: none was looked for, or there is none */
	const char *program;             /* its path; NULL without */
	const char *fault;               /* of what NVCC or CLANG names; NULL: none */
	int clang_version;               /* its first number; 0: not known, or not clang */
};

/* Finds a compiler; false without, or with a fault: one that is named is not passed over for another. */
bool compile_here_find(struct compile_here *here);

/* Compiles with the one that was found. An exit status, with an error when it is not EXIT_OK. */
int compile_here_run(struct compile_here *here, struct buf *ptx);

/* --- its parts, for build.c --------------------------------------------------------------------------------------- */

/* Adds the error that there is no compiler, and returns EXIT_MISSING. */
int compile_here_report_none(const struct compile_here *here);

bool compile_here_is_clang(const struct compile_here *here);

/* The target that it compiles for: the newest that it knows up to `here->cc`; finds `clang_version`. It is run like
 * that job. 0 with an error. */
int compile_here_arch(struct compile_here *here, const struct sandbox_job *like);

/* Adds the arguments for it. */
void compile_here_put_target(const struct compile_here *here, int arch, const char **argv, int *n);

/* Adds the error of how `program` ended, which has printed `log`. */
void compile_here_report(
	const struct compile_here *here, const char *program, const struct sandbox_end *end, const struct buf *log);

/* Appends the source as that compiler takes it, line by line the reader's. */
void compile_here_put_source(const struct compile_here *here, const struct buf *text, struct buf *out);

/* Notes who has the header that clang's messages say is missing, where it is of a library of NVIDIA's. */
void compile_here_explain_header(const struct compile_here *here, const struct buf *log);

/* --- names of files ---------- */

/* What a tool in a private folder printed, with the reader's names for its files. */
struct renamed {
	const char *ours, *readers; /* ours ends where theirs does */
};

/* Appends `text` with the reader's names; the first row that fits is taken. */
void renamed_put(const char *text, size_t len, const struct renamed *names, size_t n, struct buf *out);
