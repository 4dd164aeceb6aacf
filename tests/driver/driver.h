/* What the programs beside this need of the driver: its functions, found by name, and called without their types. Sizes
 * and addresses are passed as such: SIZE and AT. */
#pragma once
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int function();
#define SIZE (size_t)
#define AT (uint64_t)

static inline function *find(const char *name)
{
	static void *library;
	function *found;
	if (!library)
		library = dlopen("libcuda.so.1", RTLD_NOW);
	void *symbol = library ? dlsym(library, name) : NULL;
	if (!symbol) {
		printf("no %s: %s\n", name, dlerror());
		exit(1);
	}
	memcpy(&found, &symbol, sizeof found);
	return found;
}

static inline const char *name_of(int error)
{
	const char *name = NULL;
	return find("cuGetErrorName")(error, &name) ? "no error that has a name" : name;
}

static inline void check(const char *call, int error)
{
	if (!error)
		return;
	printf("%s: %s\n", call, name_of(error));
	exit(1);
}

/* The error of a call; a call that has to succeed. */
#define TRY(name, ...) find(#name)(__VA_ARGS__)
#define CALL(name, ...) check(#name, TRY(name, __VA_ARGS__))
#define SAY(name, ...) printf("%s: %s\n", #name, name_of(TRY(name, __VA_ARGS__)))

/* The first device, and a context of it, current. */
static inline int begin(void)
{
	int device;
	void *context;
	CALL(cuInit, 0);
	CALL(cuDeviceGet, &device, 0);
	CALL(cuCtxCreate_v2, &context, 0, device);
	return device;
}

#define PTX ".version 6.3\n.target sm_75\n.address_size 64\n"

/* at[i] = value + i */
#define ADD                                                                                                            \
	".visible .entry add(.param .u64 at, .param .u32 value) {\n"                                                   \
	".reg .u64 %p, %q; .reg .u32 %v, %t;\n"                                                                        \
	"mov.u32 %t, %tid.x; mul.wide.u32 %q, %t, 4;\n"                                                                \
	"ld.param.u64 %p, [at]; cvta.to.global.u64 %p, %p; add.u64 %p, %p, %q;\n"                                      \
	"ld.param.u32 %v, [value]; add.u32 %v, %v, %t; st.global.u32 [%p], %v; ret; }\n"
