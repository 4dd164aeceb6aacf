/* gpu/worker/nvrtc.h: NVRTC, NVIDIA's compiler as a library: CUDA source -> PTX. Opened at run time, needs no GPU.
 * Inside the worker only.
 *
 * It reads no file of the reader's: source and headers come with the request. <...> headers are taken from the toolkit
 * where one is found; those of C++ that a kernel may include without needing more of them than NVRTC has built in are
 * nvrtc_headers. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "gpu/wire/wire.h"

typedef struct _nvrtcProgram *nvrtc_program;

/* NVRTC's own: the same since CUDA 11.2. `int` is its nvrtcResult. */
#define NVRTC_FUNCTIONS(F)                                                                                             \
	F(nvrtcGetErrorString, const char *, (int result))                                                             \
	F(nvrtcVersion, int, (int *major, int *minor))                                                                 \
	F(nvrtcGetNumSupportedArchs, int, (int *n))                                                                    \
	F(nvrtcGetSupportedArchs, int, (int *archs))                                                                   \
	F(nvrtcCreateProgram, int,                                                                                     \
		(nvrtc_program * program, const char *source, const char *name, int n_headers,                         \
			const char *const *headers, const char *const *names))                                         \
	F(nvrtcDestroyProgram, int, (nvrtc_program * program))                                                         \
	F(nvrtcCompileProgram, int, (nvrtc_program program, int n_options, const char *const *options))                \
	F(nvrtcGetPTXSize, int, (nvrtc_program program, size_t * size))                                                \
	F(nvrtcGetPTX, int, (nvrtc_program program, char *ptx))                                                        \
	F(nvrtcGetProgramLogSize, int, (nvrtc_program program, size_t * size))                                         \
	F(nvrtcGetProgramLog, int, (nvrtc_program program, char *log))

struct nvrtc {
	void *library;           /* NULL: not opened */
	const char *name;        /* "NVRTC 13.0" */
	const char *includes[2]; /* -I... of the toolkit's folders; NULL where none was found */
	int *archs, n_archs;     /* compute capabilities it compiles for, times ten, rising */
#define NVRTC_MEMBER(name, type, parameters) type(*name) parameters;
	NVRTC_FUNCTIONS(NVRTC_MEMBER)
#undef NVRTC_MEMBER
};

/* Opens the library, that of CUDA `driver_cuda`'s major version first (13000 -> 13; 0: not known), and looks for the
 * toolkit's headers. False with NO_NVRTC. Strings belong to `arena`. */
bool nvrtc_open(struct arena *arena, struct nvrtc *nvrtc, int driver_cuda, struct wire_error *error);

/* Compiles for compute capability request->cc, or the newest before it that NVRTC knows. True also when the source is
 * refused: out->ptx is then NULL, and the log says why. False with NO_NVRTC when it knows only newer ones, BAD_REQUEST
 * for a definition that is none, or INTERNAL. */
bool nvrtc_compile(struct arena *arena, const struct nvrtc *nvrtc, const struct wire_compile *request,
	struct wire_compiled *out, struct wire_error *error);

struct nvrtc_header {
	const char *name, *text;
};

/* Ends in {0}. */
extern const struct nvrtc_header nvrtc_headers[];
