/* libcuda.so.1: the names of the driver API, and no more. Every call goes to the runtime library of the process,
 * libcudart.so.12 or .13 of simttutor, which is loaded from beside this one where the program has none; so both have
 * one device.
 *
 * What a call is given is passed on as it comes, in registers and on the stack: no function of drivers.def has more
 * than WORDS arguments, none of them is a float, and none has a structure by value that is larger than a word, but for
 * the handles of cuIpcOpen..., which are eight words on the stack, or a pointer in a register. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runtime/cuda_abi.h"
#include "runtime/driver/driver.h"

#define ERROR_NO_LIBRARY 303 /* CUDA_ERROR_SHARED_OBJECT_INIT_FAILED */
#define SONAME "libcudart.so."

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

enum {
#define GROUP(title)
#define DRIVER(name, suffix, since, variant, needs, state, by, note) AT_##name##suffix,
#include "runtime/driver/drivers.def"
#undef DRIVER
	FUNCTIONS
};

static const struct cuda_driver *driver;

static void complain(const char *what)
{
	ssize_t written = write(STDERR_FILENO, what, strlen(what));
	(void)written;
}

/* What a library has for us; NULL: it is not one of simttutor's. */
static const struct cuda_driver *driver_of(void *library)
{
	const struct cuda_driver *(*of)(const void *, const void *);
	void *symbol = library ? dlsym(library, "__simttutorDriver") : NULL;
	if (!symbol)
		return NULL;
	memcpy(&of, &symbol, sizeof of);
	const struct cuda_driver *d = of(__ehdr_start, _end);
	if (d->mark == DRIVER_MARK && d->n == FUNCTIONS && strcmp(d->version, PACKAGE_VERSION) == 0)
		return d;
	complain("simttutor: libcuda.so.1 and libcudart.so of simttutor are not of one build; install both again\n");
	return NULL;
}

/* The runtime library of the process: the one that it uses, where it has both, else the first. */
static void find_runtime(void)
{
	static const char *const versions[] = {"13", "12"};
	char name[32];
	for (int i = 0; i < 2; i++) {
		snprintf(name, sizeof name, SONAME "%s", versions[i]);
		const struct cuda_driver *d = driver_of(dlopen(name, RTLD_LAZY | RTLD_NOLOAD));
		if (d && (!driver || d->is_used()))
			driver = d;
	}
	if (!driver) {
		void *beside = NULL;
		Dl_info info;
		char path[4096];
		const char *slash = dladdr(&driver, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
		if (slash &&
			snprintf(path, sizeof path, "%.*s" SONAME "%s", (int)(slash - info.dli_fname) + 1,
				info.dli_fname, versions[0]) < (int)sizeof path)
			beside = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		driver = driver_of(beside);
	}
	if (!driver)
		complain("simttutor: libcuda.so.1 finds no libcudart.so.13 of simttutor beside it\n");
}

static const struct cuda_driver *runtime_driver(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, find_runtime);
	return driver;
}

typedef int any_function(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t,
	intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);
#define WORDS                                                                                                          \
	intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g, intptr_t h, intptr_t i,    \
		intptr_t j, intptr_t k, intptr_t l, intptr_t m, intptr_t n, intptr_t o, intptr_t p
#define PASS(name, function, per_thread)                                                                               \
	RUNTIME_API int name(WORDS)                                                                                    \
	{                                                                                                              \
		const struct cuda_driver *to = runtime_driver();                                                       \
		int error = to ? to->enter(AT_##function, per_thread) : ERROR_NO_LIBRARY;                              \
		if (error)                                                                                             \
			return error;                                                                                  \
		any_function *call = (any_function *)(uintptr_t)to->functions[AT_##function];                          \
		return to->leave(call(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p));                                \
	}
#define PASS_NONE(name)
#define PASS_PTSZ(name) PASS(name##_ptsz, name, 1)
#define PASS_PTDS(name) PASS(name##_ptds, name, 1)
#define DRIVER(name, suffix, since, variant, needs, state, by, note)                                                   \
	PASS(name##suffix, name##suffix, 0) PASS_##variant(name##suffix)
#include "runtime/driver/drivers.def"
