/* The device: one, of the compute capability that SIMTTUTOR_CC says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/occupancy.h"
#include "runtime/state.h"

static uint32_t sms(const struct runtime *r)
{
	return occupancy_sms(r->cc, NULL);
}

RUNTIME_API int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	struct runtime *r = runtime_enter();
	const struct occupancy_sm *sm = occupancy_sm(r->cc);
	if (device != 0)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!value)
		return runtime_leave(CUDA_ErrorInvalidValue);
	switch (attribute) {
#define ATTRIBUTE(number, expression, offset, type)                                                                    \
	case number:                                                                                                   \
		*value = (int)(expression);                                                                            \
		return runtime_leave(CUDA_Success);
#include "runtime/attributes.def"
#undef ATTRIBUTE
	default: return runtime_leave(CUDA_ErrorInvalidValue);
	}
}

#define PROPERTIES_BYTES 1008 /* of CUDA 13's struct cudaDeviceProp */
#define MEMORY_AT 288

static void put(char *at, uint64_t value, size_t size)
{
	memcpy(at, &value, size); /* little endian */
}

RUNTIME_API int cudaGetDeviceProperties(void *properties, int device)
{
	struct runtime *r = runtime_enter();
	const struct occupancy_sm *sm = occupancy_sm(r->cc);
	const char *gpu = "";
	char *out = properties;
	if (device != 0)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!properties)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memset(out, 0, PROPERTIES_BYTES);
	occupancy_sms(r->cc, &gpu);
	snprintf(out, 256, "simttutor (as %s)", gpu);
	put(out + MEMORY_AT, r->memory_limit, sizeof(size_t));
#define ATTRIBUTE(number, expression, offset, type)                                                                    \
	if ((offset) >= 0)                                                                                             \
		put(out + ((offset) < 0 ? 0 : (offset)), (uint64_t)(expression), sizeof(type));
#include "runtime/attributes.def"
#undef ATTRIBUTE
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetDeviceCount(int *count)
{
	runtime_enter();
	if (!count)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*count = 1;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetDevice(int *device)
{
	runtime_enter();
	if (!device)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = 0;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaSetDevice(int device)
{
	runtime_enter();
	return runtime_leave(device == 0 ? CUDA_Success : CUDA_ErrorInvalidDevice);
}

RUNTIME_API int cudaSetDeviceFlags(unsigned int flags)
{
	(void)flags;
	runtime_enter();
	return runtime_leave(CUDA_Success);
}

#define VERSION 13000

static int version(int *out)
{
	runtime_enter();
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = VERSION;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaRuntimeGetVersion(int *out)
{
	return version(out);
}

RUNTIME_API int cudaDriverGetVersion(int *out)
{
	return version(out);
}

/* What is asked of caches has no effect on what kernels compute. */
RUNTIME_API int cudaFuncSetCacheConfig(const void *function, int config)
{
	(void)config;
	struct runtime *r = runtime_enter();
	return runtime_leave(runtime_kernel(r, function) ? CUDA_Success : CUDA_ErrorInvalidDeviceFunction);
}

RUNTIME_API int cudaDeviceSetCacheConfig(int config)
{
	(void)config;
	runtime_enter();
	return runtime_leave(CUDA_Success);
}

#define ATTRIBUTE_DYNAMIC_SHARED 8
#define ATTRIBUTE_CARVEOUT 9

RUNTIME_API int cudaFuncSetAttribute(const void *function, int attribute, int value)
{
	struct runtime *r = runtime_enter();
	struct cuda_kernel *kernel = runtime_kernel(r, function);
	if (!kernel)
		return runtime_leave(CUDA_ErrorInvalidDeviceFunction);
	if (attribute == ATTRIBUTE_CARVEOUT)
		return runtime_leave(CUDA_Success);
	if (attribute != ATTRIBUTE_DYNAMIC_SHARED || value < 0 || (uint32_t)value > occupancy_sm(r->cc)->block_shared)
		return runtime_leave(CUDA_ErrorInvalidValue);
	kernel->dynamic_shared_max = (uint32_t)value;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceReset(void)
{
	struct runtime *r = runtime_enter();
	return runtime_leave(runtime_wait(r, CUDA_Success));
}
