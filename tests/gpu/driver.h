/* tests/gpu/driver.h: NVIDIA's driver for the programs that ask it directly, opened at run time. A program defines
 * DRIVER_FUNCTIONS(F), what it calls beside the functions here, before it includes this. Every failure is a TAP
 * bail-out; where there is no driver, the program's tests are skipped. */
#pragma once
#include <cuda.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
#define DRIVER_ALL(F) \
	F(cuInit) F(cuDeviceGet) F(cuDevicePrimaryCtxRetain) F(cuCtxSetCurrent) F(cuModuleLoadData) F(cuModuleGetFunction) \
	DRIVER_FUNCTIONS(F)
/* clang-format on */
#define DRIVER_QUOTE(name) #name
#define DRIVER_SYMBOL(name) DRIVER_QUOTE(name) /* the name that cuda.h maps it to */

static struct {
#define DRIVER_MEMBER(name) __typeof__(&name) name;
	DRIVER_ALL(DRIVER_MEMBER)
#undef DRIVER_MEMBER
} driver;

static void driver_bail(const char *what, int result)
{
	printf("Bail out! %s: %d\n", what, result);
	exit(99);
}

static void driver_must(CUresult result, const char *what)
{
	if (result != CUDA_SUCCESS)
		driver_bail(what, (int)result);
}
#define MUST(call) driver_must(driver.call, #call)

/* The first GPU, its primary context current. */
static CUdevice driver_open(void)
{
	CUdevice device;
	CUcontext context;
	void *library = dlopen("libcuda.so.1", RTLD_NOW);
	if (!library) {
		printf("1..0 # SKIP there is no NVIDIA driver here\n");
		exit(0);
	}
#define DRIVER_LOAD(name)                                                                                              \
	driver.name = (__typeof__(driver.name))dlsym(library, DRIVER_SYMBOL(name));                                    \
	if (!driver.name)                                                                                              \
		driver_bail(DRIVER_SYMBOL(name), 0);
	DRIVER_ALL(DRIVER_LOAD)
#undef DRIVER_LOAD
	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuDevicePrimaryCtxRetain(&context, device));
	MUST(cuCtxSetCurrent(context));
	return device;
}
