#include "config.h"
#include "gpu/worker/nvrtc.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "base/portable.h"
#include "gpu/worker/surroundings.h"

/* The spellings are those of the toolkit's <cuda/std/...>, so that both may be included. */
#define LIMITS                                                                                                         \
	"#pragma once\n"                                                                                               \
	"#define CHAR_BIT 8\n"                                                                                         \
	"#define SCHAR_MIN         (-128)\n"                                                                           \
	"#define SCHAR_MAX         127\n"                                                                              \
	"#define UCHAR_MAX         255\n"                                                                              \
	"#define SHRT_MIN  (-SHRT_MAX - 1)\n"                                                                          \
	"#define SHRT_MAX  0x7fff\n"                                                                                   \
	"#define USHRT_MAX 0xffff\n"                                                                                   \
	"#define INT_MIN   (-INT_MAX - 1)\n"                                                                           \
	"#define INT_MAX   0x7fffffff\n"                                                                               \
	"#define UINT_MAX  0xffffffff\n"                                                                               \
	"#define LLONG_MIN  (-LLONG_MAX - 1)\n"                                                                        \
	"#define LLONG_MAX  0x7fffffffffffffffLL\n"                                                                    \
	"#define ULLONG_MAX 0xffffffffffffffffUL\n"

#define INTEGERS                                                                                                                  \
	"#pragma once\n"                                                                                                          \
	"using int8_t = signed char; using int16_t = signed short; using int32_t = signed int;\n"                                 \
	"using int64_t = signed long long; using uint8_t = unsigned char; using uint16_t = unsigned short;\n"                     \
	"using uint32_t = unsigned int; using uint64_t = unsigned long long;\n"                                                   \
	"using intptr_t = int64_t; using uintptr_t = uint64_t;\n"                                                                 \
	"namespace std { using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t;\n" \
	"using ::uint32_t; using ::uint64_t; using ::intptr_t; using ::uintptr_t; }\n"

#define FLOATS                                                                                                         \
	"#pragma once\n"                                                                                               \
	"#define FLT_MAX 3.402823466e+38F\n"                                                                           \
	"#define FLT_MIN 1.175494351e-38F\n"                                                                           \
	"#define FLT_EPSILON 1.192092896e-07F\n"                                                                       \
	"#define DBL_MAX 1.7976931348623157e+308\n"                                                                    \
	"#define DBL_MIN 2.2250738585072014e-308\n"                                                                    \
	"#define DBL_EPSILON 2.2204460492503131e-16\n"

#define BUILT_IN "#pragma once\n"

/* NVRTC knows printf, assert, malloc, memcpy, size_t and the functions of mathematics by itself. */
const struct nvrtc_header nvrtc_headers[] = {
	{"assert.h", BUILT_IN},
	{"cassert", BUILT_IN},
	{"cfloat", FLOATS},
	{"climits", LIMITS},
	{"cmath", BUILT_IN},
	{"cstddef", BUILT_IN},
	{"cstdint", INTEGERS},
	{"cstdio", BUILT_IN},
	{"cstdlib", BUILT_IN},
	{"cstring", BUILT_IN},
	{"device_launch_parameters.h", BUILT_IN},
	{"float.h", FLOATS},
	{"limits.h", LIMITS},
	{"math.h", BUILT_IN},
	{"stddef.h", BUILT_IN},
	{"stdint.h", INTEGERS},
	{"stdio.h", BUILT_IN},
	{"stdlib.h", BUILT_IN},
	{"string.h", BUILT_IN},
	{0},
};

/* --- opening ------------------------------------------------------------------------------------------------------ */

static void *open_any(struct arena *arena, int driver_cuda)
{
	const char *best = arena_printf(arena, "libnvrtc.so.%d", driver_cuda / 1000), *folder;
	const char *const names[] = {best, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
	return library_open(arena, names, &folder);
}

static bool load(struct nvrtc *nvrtc, struct arena *arena, struct wire_error *error)
{
	const char *missing = NULL;
#define LOAD(name, type, parameters)                                                                                   \
	nvrtc->name = (type(*) parameters)dlsym(nvrtc->library, #name);                                                \
	if (!nvrtc->name && !missing)                                                                                  \
		missing = #name;
	NVRTC_FUNCTIONS(LOAD)
#undef LOAD
	if (missing)
		*error = (struct wire_error){WIRE_NO_NVRTC,
			arena_printf(arena, "this NVRTC is too old: it has no %s (CUDA 11.2 has it)", missing)};
	return !missing;
}

/* root/include, when it holds the toolkit's headers; from CUDA 13 on those of <cuda/std/...> lie a folder deeper. */
static bool use_includes(struct nvrtc *nvrtc, struct arena *arena, const char *root)
{
	const char *deeper = arena_printf(arena, "%s/include/cccl", root);
	if (access(arena_printf(arena, "%s/include/cuda_fp16.h", root), R_OK) != 0)
		return false;
	nvrtc->includes[0] = arena_printf(arena, "-I%s/include", root);
	if (access(deeper, R_OK) == 0)
		nvrtc->includes[1] = arena_printf(arena, "-I%s", deeper);
	return true;
}

bool nvrtc_open(struct arena *arena, struct nvrtc *nvrtc, int driver_cuda, struct wire_error *error)
{
	*nvrtc = (struct nvrtc){.library = open_any(arena, driver_cuda)};
	if (!nvrtc->library) {
		*error = (struct wire_error){
			WIRE_NO_NVRTC, "libnvrtc.so.13 and libnvrtc.so.12 are in none of " LIBRARY_PLACES};
		return false;
	}
	if (!load(nvrtc, arena, error)) {
		nvrtc->library = NULL;
		return false;
	}

	int major = 0, minor = 0, n = 0;
	nvrtc->nvrtcVersion(&major, &minor);
	nvrtc->name = arena_printf(arena, "NVRTC %d.%d", major, minor);
	if (nvrtc->nvrtcGetNumSupportedArchs(&n) == 0 && n > 0) {
		nvrtc->archs = arena_array(arena, int, (size_t)n);
		if (nvrtc->nvrtcGetSupportedArchs(nvrtc->archs) == 0)
			nvrtc->n_archs = n;
	}

	char *root = arena_strdup(arena, "");
	const char *file = library_file(arena, nvrtc->library);
	if (file)
		root = arena_strdup(arena, file);
	for (int up = 0; up < 2 && strrchr(root, '/'); up++)
		*strrchr(root, '/') = '\0';
	if (!*root || !use_includes(nvrtc, arena, root)) {
		for (const char *const *toolkit = library_toolkits(arena); *toolkit; toolkit++)
			if (use_includes(nvrtc, arena, *toolkit))
				break;
	}

	return true;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

/* One source with its options and headers as NVRTC takes them. */
struct unit {
	struct arena *arena;
	const struct nvrtc *nvrtc;
	const struct wire_compile *request;
	const char **headers, **names, **options;
	int n_headers, n_options;
};

/* The newest that is not newer than the device; 0: none. */
static int choose_arch(const struct nvrtc *nvrtc, int cc)
{
	int best = 0;
	for (int i = 0; i < nvrtc->n_archs; i++)
		if (nvrtc->archs[i] <= cc && nvrtc->archs[i] > best)
			best = nvrtc->archs[i];
	return best;
}

/* NAME or NAME=VALUE; nothing that NVRTC could take for another option. */
static bool add_definition(struct unit *u, const char *definition, struct wire_error *error)
{
	static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	size_t name = strspn(definition, letters);
	if (name == 0 || strchr("0123456789", *definition) || (definition[name] && definition[name] != '=')) {
		*error = (struct wire_error){
			WIRE_BAD_REQUEST, arena_printf(u->arena, "\"%.60s\" defines no macro", definition)};
		return false;
	}
	u->options[u->n_options++] = arena_printf(u->arena, "-D%s", definition);
	return true;
}

static bool read_ptx(const struct unit *u, nvrtc_program program, struct wire_compiled *out)
{
	size_t size = 0;
	if (u->nvrtc->nvrtcGetPTXSize(program, &size) != 0 || size < 2)
		return false;
	char *ptx = arena_alloc(u->arena, size + 1);
	out->ptx = ptx;
	out->ptx_len = size - 1; /* its own 0 counts */
	return u->nvrtc->nvrtcGetPTX(program, ptx) == 0;
}

static bool fail(const struct unit *u, const char *what, int result, struct wire_error *error)
{
	*error = (struct wire_error){
		WIRE_INTERNAL, arena_printf(u->arena, "%s: %s", what, u->nvrtc->nvrtcGetErrorString(result))};
	return false;
}

/* nvrtcResult */
enum { DONE = 0, REFUSED = 6 };

bool nvrtc_compile(struct arena *arena, const struct nvrtc *nvrtc, const struct wire_compile *request,
	struct wire_compiled *out, struct wire_error *error)
{
	struct unit unit = {.arena = arena, .nvrtc = nvrtc, .request = request};
	int cc = request->cc, arch = choose_arch(nvrtc, cc);
	if (!arch) {
		*error = (struct wire_error){WIRE_NO_NVRTC,
			arena_printf(arena, "%s does not compile for compute capability %d.%d", nvrtc->name, cc / 10,
				cc % 10)};
		return false;
	}
	double start = clock_ms();
	*out = (struct wire_compiled){.compiler = nvrtc->name, .cc = arch, .log = ""};

	size_t room = (size_t)unit.request->n_headers;
	for (const struct nvrtc_header *h = nvrtc_headers; h->name; h++)
		room++;
	unit.headers = arena_array(unit.arena, const char *, room + 1);
	unit.names = arena_array(unit.arena, const char *, room + 1);
	for (int i = 0; i < unit.request->n_headers; i++) {
		unit.names[unit.n_headers] = unit.request->headers[i].file;
		unit.headers[unit.n_headers++] = unit.request->headers[i].text;
	}
	for (const struct nvrtc_header *h = nvrtc_headers; h->name; h++) {
		bool given = false;
		for (int i = 0; i < unit.request->n_headers && !given; i++)
			given = !strcmp(unit.request->headers[i].file, h->name);
		if (given)
			continue;
		unit.names[unit.n_headers] = h->name;
		unit.headers[unit.n_headers++] = h->text;
	}

	unit.options = arena_array(arena, const char *, (size_t)request->n_defines + 8);
	unit.options[unit.n_options++] = arena_printf(arena, "-arch=compute_%d", arch);
	unit.options[unit.n_options++] = "-lineinfo";
	for (int i = 0; i < 2; i++)
		if (nvrtc->includes[i])
			unit.options[unit.n_options++] = nvrtc->includes[i];
	for (int i = 0; i < request->n_defines; i++)
		if (!add_definition(&unit, request->defines[i], error))
			return false;

	nvrtc_program program = NULL;
	int result = nvrtc->nvrtcCreateProgram(
		&program, request->source, request->file, unit.n_headers, unit.headers, unit.names);
	if (result != DONE)
		return fail(&unit, "nvrtcCreateProgram", result, error);
	result = nvrtc->nvrtcCompileProgram(program, unit.n_options, unit.options);

	size_t size = 0;
	out->log = "";
	if (nvrtc->nvrtcGetProgramLogSize(program, &size) == 0 && size >= 2) {
		char *log = arena_alloc(arena, size + 1);
		out->log = nvrtc->nvrtcGetProgramLog(program, log) == 0 ? log : "";
	}

	bool ok = result == REFUSED || (result == DONE && read_ptx(&unit, program, out)) ||
		fail(&unit, "nvrtcCompileProgram", result, error);
	nvrtc->nvrtcDestroyProgram(&program);
	if (!ok)
		return false;

	out->worker_ms = clock_ms() - start;
	return true;
}
