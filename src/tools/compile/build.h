/* tools/compile/build.h: whole CUDA programs, from source files to an executable, by the compiler that is here
 * (compile_here.h): nvcc, or clang with the headers of include/ and nothing of NVIDIA's. The program has PTX as its
 * device code and runs with our libcudart.
 *
 * As in compile_here.h, compilers see fixed names in a private folder: copies of sources, links to folders and
 * objects. */
#pragma once
#include "tools/compile/compile_here.h"

#define BUILD_WORDS_MAX 200 /* inputs, folders, macros and words, of each */

enum build_kind {
	BUILD_CUDA,
	BUILD_CXX,
	BUILD_C,
	BUILD_LINKED, /* an object, an archive or a library */
};

struct build_input {
	const char *path;
	enum build_kind kind;
};

struct build_list {
	const char *words[BUILD_WORDS_MAX];
	int n;
};

/* Which headers a dependency file names. */
enum build_dependencies { BUILD_NO_DEPENDENCIES, BUILD_ALL_HEADERS, BUILD_USER_HEADERS };

enum build_macro { BUILD_DEFINE, BUILD_UNDEFINE, BUILD_INCLUDE };

struct build_request {
	struct build_input inputs[BUILD_WORDS_MAX];
	int n_inputs;
	struct { /* in order */
		enum build_macro kind;
		const char *text; /* NAME, NAME=VALUE; the name of a header */
	} macros[BUILD_WORDS_MAX];
	int n_macros;
	struct build_list folders;         /* that headers are looked for in */
	struct build_list headers;         /* single ones elsewhere that may be read, too */
	struct build_list library_folders; /* of -l */
	struct build_list compile;         /* words for every compiler: -std=, -O, -g, -w */
	struct build_list nvcc, host;      /* for nvcc alone; for the host's compiler, of what is host code */
	bool driver;                       /* it calls the driver, too: -lcuda */
	bool as_needed;                    /* the driver and NVRTC, if it calls them */
	struct build_list link;            /* words for the linker's driver: -lm, -Wl,... */
	bool standard;                     /* -std= is among the words */
	bool fast_math, per_thread;
	bool host_debug;                      /* -g: all that a debugger wants of host code, not its lines alone */
	bool debug_info;                      /* device code names its variables, and is not optimized */
	bool relocatable;                     /* device code is linked with that of other files */
	bool verbose;                         /* commands are printed before they run */
	bool dry;                             /* they are printed, and not run */
	enum build_dependencies dependencies; /* what build_object also finds out, for build_put_dependencies */
	int arch;                             /* compute capability times ten; 0: the machine's */
};

struct build {
	const struct compile_ctx *ctx;
	const struct build_request *request;
	struct compile_here here;
	struct compile_request unit; /* names the source that is compiled now, for messages */
	struct scratch scratch;
	const char *reads[5 * BUILD_WORDS_MAX];
	int n_reads;
	const char *cxx; /* the host's C++ compiler, which also links */
	bool explained;  /* a library of NVIDIA's was named */
	int arch, major; /* of CUDA, which the program's runtime is of */
};

/* Finds the tools and makes the private folder. An exit status, with an error when it is not EXIT_OK. build_end in any
 * case. */
int build_begin(struct build *build, const struct compile_ctx *ctx, const struct build_request *request);
void build_end(struct build *build);

/* Compiles input `i`, a source, to an object in the private folder. Returns its path, NULL with an error. */
const char *build_object(struct build *build, int i);

/* Appends, as a rule of make for `targets`, the source and the headers that object `i` was made of. False with an
 * error. */
bool build_put_dependencies(struct build *build, int i, const char *targets, bool phony, struct buf *out);

/* Compiles the device code of input `i` to PTX. Returns its path, NULL with an error. */
const char *build_ptx(struct build *build, int i);

/* Preprocesses input `i`, a source: of CUDA, as device code sees it. Returns the path of the text, NULL with an
 * error. */
const char *build_preprocessed(struct build *build, int i);

/* Puts all objects into an archive. Returns its path, NULL with an error. */
const char *build_archive(struct build *build);

/* Appends what `nvcc --version` prints, of the release whose headers programs get. False with an error. */
bool build_put_version(struct build *build, struct buf *out);

/* Links device code alone, to an object that registers it: nvcc -dlink. Returns its path, NULL with an error. */
const char *build_device_link(struct build *build);

/* Compiles all and links them. Returns the path of the program in the private folder, NULL with an error. */
const char *build_program(struct build *build);

/* The C++ compiler that links and the archiver, their paths into `paths`, BUILD_TOOLS_MAX at most; returns how many. */
#define BUILD_TOOLS_MAX 2
int build_list_tools(const struct compile_ctx *ctx, const char **paths);
