/* tools/compile/compile.h: CUDA source -> PTX, by the worker's NVRTC where a GPU is asked for, else by whatever
 * compiler is here: $NVCC, $CLANG, or nvcc or clang from PATH. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/diag.h"
#include "base/paths.h"
#include "gpu/client/gpu.h"

/* What compiling works with. */
struct compile_ctx {
	struct arena *arena; /* of strings and of what is returned */
	struct diag *diag;
	const struct paths *paths;
	void (*print_log)(const struct buf *log); /* what a compiler printed, with the reader's names for files */
	void (*print_progress)(const char *text); /* over the last line that was printed so; "" takes it away */
};

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
	bool debug_info;      /* it names the variables, and is not optimized; by a compiler here */
	int least;            /* whatever the GPU: a kernel that needs a newer one runs on the machine */
	struct gpu *gpu;      /* that is to run it, NULL: none; it is compiled for it, or for `cc` where that is less */
	const char *text;     /* the source itself, which `path` only names; NULL: the file has it */
	const char *compiler; /* "NVCC" or "CLANG": by this one of those that are here; NULL: the first that is found */
	bool without_lines;   /* the PTX has no line table; of a compiler here */
};

/* What a line of a source asks for, "// needs: sm_80, PTX 7.0", more than is usual; the last one counts. All 0: none
 * does. */
struct compile_needs {
	int cc;
	bool own;         /* sm_90a: with what this GPU alone has */
	int major, minor; /* of PTX */
};
struct compile_needs compile_read_needs(const char *source);

/* Whether a compiler is found here. */
bool compile_can_here(const struct compile_ctx *ctx);

/* Whether this one is, "NVCC" or "CLANG". */
bool compile_can_by(const struct compile_ctx *ctx, const char *compiler);

/* Adds the error that none is here, for `path`, and returns EXIT_MISSING. */
int compile_report_none(const struct compile_ctx *ctx, const char *path);

/* Puts the paths of all compilers that are here into `paths`, COMPILE_TOOLS_MAX at most, and returns how many. */
#define COMPILE_TOOLS_MAX 2
int compile_list_tools(const struct compile_ctx *ctx, const char **paths);

/* Appends the PTX, with its line table. The messages of a compiler here go to standard error; NVRTC's are diagnostics.
 * An exit status, with an error when it is not EXIT_OK: EXIT_MISSING without a compiler, EXIT_FAILED when it
 * refuses. */
int compile_cuda(const struct compile_ctx *ctx, const struct compile_request *request, struct buf *ptx);

/* --- CUDA source with the headers that it includes by name, as it is sent to a compiler that has none of our files  */

struct cuda_file {
	const char *file;  /* absolute, links followed */
	const char *shown; /* as the reader would name it */
	const char *text;  /* NUL-terminated */
	size_t len;
	const char *sent; /* the text, with `file` in the #includes that were found */
};

/* files[0] is the source, the others are its headers and theirs. */
struct cuda_source {
	struct cuda_file files[WIRE_HEADERS_MAX + 1];
	int n;
};

/* Reads `path` and what it includes by relative names from below its own folder, or `folder`, which has simt.h. A file
 * that is somewhere else is an error, since anyone may have written the source; what is not found is left to the
 * compiler. Strings belong to the arena. NULL with an error. */
struct cuda_source *cuda_source_read(const struct compile_ctx *ctx, const char *path, const char *folder);

/* Adds the messages of NVRTC's log, each with its place; warnings too. False when none of them is an error. */
bool cuda_source_report(const struct compile_ctx *ctx, const struct cuda_source *source, const char *log);

/* --- what a compiler made of a kernel -> the PTX that is kept beside it: of the oldest version that it needs, with
 * lines of the course's own files alone, and with no name of a folder of this machine */

struct kernel_ptx {
	const char *version;      /* of PTX: "6.3" */
	const char *main;         /* the kernel's source as a .file directive names it */
	const char *const *roots; /* folders whose names are left out, with a slash at the end; ends in NULL */
};

/* Appends it. */
void kernel_ptx_keep(const struct kernel_ptx *how, const char *text, size_t len, struct buf *out);
