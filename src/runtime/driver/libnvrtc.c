/* libnvrtc.so.12 and .13: NVIDIA's compiler as a library, where it is installed, for the machine. It needs no GPU; but
 * a program asks it for machine code of its GPU (--gpu-architecture=sm_90, nvrtcGetCUBIN), which nothing here can run.
 * So it is asked for the PTX of the same architecture, and that is handed out under the name of the other:
 * cuModuleLoadData takes both. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cuda_abi.h"

enum { NVRTC_INTERNAL_ERROR = 11 };
#ifndef NVRTC_MAJOR
#define NVRTC_MAJOR "13" /* the Makefile says which; for tools that read this file alone */
#endif
#define SONAME "libnvrtc.so." NVRTC_MAJOR
#define REAL "SIMTTUTOR_NVRTC"

enum {
#define NVRTC(name, state) AT_##name,
#include "runtime/driver/nvrtc.def"
#undef NVRTC
	FUNCTIONS
};

static const char *const names[] = {
#define NVRTC(name, state) #name,
#include "runtime/driver/nvrtc.def"
#undef NVRTC
};

typedef intptr_t any_function(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);
static any_function *functions[FUNCTIONS]; /* NULL: NVIDIA's has none of that name */

/* --- NVIDIA's ----------------------------------------------------------------------------------------------------- */

static char own[PATH_MAX]; /* the path of this library */

/* A library of that path which is not this one. Where a program has asked for it by this very path, and found this one
 * (linked.c), the linker would do so again: another spelling is another path. */
static void *open_real(const char *path)
{
	char real[PATH_MAX], spelled[PATH_MAX + 2];
	if (!realpath(path, real) || strcmp(real, own) == 0)
		return NULL;
	const char *name = strrchr(real, '/') + 1;
	snprintf(spelled, sizeof spelled, "%.*s./%s", (int)(name - real), real, name);
	return dlopen(spelled, RTLD_NOW | RTLD_LOCAL);
}

/* In the folders that the variable lists. */
static void *open_listed(const char *variable, const char *inside)
{
	const char *at = getenv(variable);
	void *library = NULL;
	while (at && *at && !library) {
		size_t n = strcspn(at, ":");
		char path[PATH_MAX];
		library = n && snprintf(path, sizeof path, "%.*s%s/" SONAME, (int)n, at, inside) < (int)sizeof path
			? open_real(path)
			: NULL;
		at += n + (at[n] == ':');
	}
	return library;
}

static void *open_installed(void)
{
	static const char *const patterns[] = {"/usr/local/cuda/lib64/" SONAME,
		"/usr/local/cuda-" NVRTC_MAJOR "*/lib64/" SONAME, "/usr/lib/*/" SONAME, "/usr/lib64/" SONAME,
		"/usr/lib/" SONAME, "/opt/cuda/lib64/" SONAME};
	void *library = NULL;
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns && !library; i++) {
		glob_t found;
		if (glob(patterns[i], 0, NULL, &found) != 0)
			continue;
		for (size_t k = 0; k < found.gl_pathc && !library; k++)
			library = open_real(found.gl_pathv[k]);
		globfree(&found);
	}
	return library;
}

static void *find_real(void)
{
	const char *said = getenv(REAL);
	Dl_info info;
	if (!dladdr(names, &info) || !info.dli_fname || !realpath(info.dli_fname, own))
		return NULL;
	if (said && *said)
		return open_real(said);
	void *library = open_listed("LD_LIBRARY_PATH", "");
	library = library ? library : open_listed("CUDA_PATH", "/lib64");
	library = library ? library : open_listed("CUDA_HOME", "/lib64");
	return library ? library : open_installed();
}

static void load_functions(void)
{
	void *library = find_real();
	for (int i = 0; library && i < FUNCTIONS; i++) {
		void *symbol = dlsym(library, names[i]);
		memcpy(&functions[i], &symbol, sizeof symbol);
	}
	if (!library) {
		static const char message[] =
			"simttutor: the program compiles kernels as it runs, and NVRTC, which does that, is not installed "
			"(" SONAME "; " REAL "=FILE names it where it is not found)\n";
		ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
		(void)written;
	}
}

static any_function *real(int function)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, load_functions);
	return functions[function];
}

/* --- programs of which PTX is handed out -------------------------------------------------------------------------- */

struct nvrtc_program {
	const void *handle;
	struct nvrtc_program *next;
};
static struct nvrtc_program *programs;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct nvrtc_program **find_program(const void *handle)
{
	struct nvrtc_program **at = &programs;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

static void set_replaced(const void *handle, bool replaced)
{
	pthread_mutex_lock(&lock);
	struct nvrtc_program **at = find_program(handle), *p = *at;
	if (!p && replaced && (p = calloc(1, sizeof *p))) {
		p->handle = handle;
		*at = p;
	} else if (p && !replaced) {
		*at = p->next;
		free(p);
	}
	pthread_mutex_unlock(&lock);
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static const char *const arch_options[] = {"--gpu-architecture", "-gpu-architecture", "--arch", "-arch"};

/* What follows the name of the option, "" or "=sm_90"; NULL: it is another. */
static const char *after_arch(const char *option)
{
	for (size_t i = 0; option && i < sizeof arch_options / sizeof *arch_options; i++) {
		size_t n = strlen(arch_options[i]);
		if (strncmp(option, arch_options[i], n) == 0 && (!option[n] || option[n] == '='))
			return option + n;
	}
	return NULL;
}

/* "sm_90a" -> "compute_90a", after `before` letters that stay. NULL: there is nothing to be replaced. */
static char *replaced_option(const char *option, size_t before)
{
	if (!option || strncmp(option + before, "sm_", 3) != 0)
		return NULL;
	char *out = malloc(strlen(option) + sizeof "compute_");
	if (out)
		sprintf(out, "%.*scompute_%s", (int)before, option, option + before + 3);
	return out;
}

/* Whether lines are asked for, or debug information, with which they come. */
static bool has_lines(int n, const char *const *options)
{
	static const char *const options_of_lines[] = {"-lineinfo", "--generate-line-info", "-G", "--device-debug"};
	for (int i = 0; i < n; i++)
		for (size_t k = 0; options[i] && k < sizeof options_of_lines / sizeof *options_of_lines; k++)
			if (strcmp(options[i], options_of_lines[k]) == 0)
				return true;
	return false;
}

RUNTIME_API int nvrtcCompileProgram(void *program, int n, const char *const *options)
{
	any_function *compile = real(AT_nvrtcCompileProgram);
	if (!compile)
		return NVRTC_INTERNAL_ERROR;
	n = n > 0 && options ? n : 0;
	const char **words = calloc((size_t)n + 1, sizeof *words);
	char **own_words = words ? calloc((size_t)n + 1, sizeof *own_words) : NULL;
	bool replaced = false, code = true; /* whether machine code is asked for */
	for (int i = 0; i < n && code; i++)
		code = !options[i] || (!strstr(options[i], "dlto") && !strstr(options[i], "optix-ir"));
	for (int i = 0; own_words && i < n; i++) {
		const char *after = after_arch(options[i]), *before = i ? after_arch(options[i - 1]) : NULL;
		words[i] = options[i];
		if (!code)
			continue;
		if (after && *after)
			own_words[i] = replaced_option(options[i], (size_t)(after + 1 - options[i]));
		else if (before && !*before)
			own_words[i] = replaced_option(options[i], 0);
		words[i] = own_words[i] ? own_words[i] : options[i];
		replaced = replaced || own_words[i];
	}
	set_replaced(program, replaced);
	/* What is reported of a kernel is of its lines. */
	const bool adds = own_words && !has_lines(n, options);
	if (adds)
		words[n] = "--generate-line-info";
	intptr_t error = compile((intptr_t)program, n + adds, own_words ? (intptr_t)words : (intptr_t)options, 0, 0, 0);
	for (int i = 0; own_words && i < n; i++)
		free(own_words[i]);
	free(own_words);
	free(words);
	return (int)error;
}

static int get(const void *program, intptr_t out, int machine_code, int ptx)
{
	pthread_mutex_lock(&lock);
	bool replaced = *find_program(program) != NULL;
	pthread_mutex_unlock(&lock);

	any_function *function = real(replaced ? ptx : machine_code);
	return function ? (int)function((intptr_t)program, out, 0, 0, 0, 0) : NVRTC_INTERNAL_ERROR;
}

RUNTIME_API int nvrtcGetCUBINSize(void *program, size_t *bytes)
{
	return get(program, (intptr_t)bytes, AT_nvrtcGetCUBINSize, AT_nvrtcGetPTXSize);
}

RUNTIME_API int nvrtcGetCUBIN(void *program, char *code)
{
	return get(program, (intptr_t)code, AT_nvrtcGetCUBIN, AT_nvrtcGetPTX);
}

RUNTIME_API int nvrtcDestroyProgram(void **program)
{
	any_function *destroy = real(AT_nvrtcDestroyProgram);
	if (program)
		set_replaced(*program, false);
	return destroy ? (int)destroy((intptr_t)program, 0, 0, 0, 0, 0) : NVRTC_INTERNAL_ERROR;
}

/* --- the others --------------------------------------------------------------------------------------------------- */

static intptr_t without(int function)
{
	return function == AT_nvrtcGetErrorString ? (intptr_t) "NVRTC is not installed" : NVRTC_INTERNAL_ERROR;
}

#define PASS_SAME(name)                                                                                                \
	RUNTIME_API intptr_t name(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f)              \
	{                                                                                                              \
		any_function *to = real(AT_##name);                                                                    \
		return to ? to(a, b, c, d, e, f) : without(AT_##name);                                                 \
	}
#define PASS_OURS(name)
#define NVRTC(name, state) PASS_##state(name)
#include "runtime/driver/nvrtc.def"
