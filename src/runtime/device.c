/* The device: one, of the compute capability that SIMTTUTOR_CC says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hardware/occupancy.h"
#include "runtime/driver/driver.h"
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"
#include "runtime/stream/queue.h"

static uint32_t sms(const struct runtime *r)
{
	return occupancy_sms(r->cc, NULL);
}

/* As the GPU's that the device stands for; the machine's own, of %clock, where that is not known. */
static uint32_t clock_khz(const struct runtime *r)
{
	uint32_t khz = occupancy_gpu(r->cc)->clock_khz;
	return khz ? khz : RUNTIME_CLOCK_KHZ;
}

/* The highest number of a cudaDevAttr in CUDA 13.0. */
#define ATTRIBUTE_LAST 147

RUNTIME_API int cudaDeviceGetAttribute(int *value, int attribute, int device)
{
	RUNTIME_ENTER(r);
	const struct occupancy_sm *sm = occupancy_sm(r->cc);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!value)
		return runtime_leave(CUDA_ErrorInvalidValue);
	switch (attribute) {
#define ATTRIBUTE(number, expression, at13, at12, type)                                                                \
	case number:                                                                                                   \
		*value = (int)(expression);                                                                            \
		return runtime_leave(CUDA_Success);
#include "runtime/attributes.def"
#undef ATTRIBUTE
	default: break;
	}
	if (attribute <= 0 || attribute > ATTRIBUTE_LAST)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*value = 0;
	return runtime_leave(CUDA_Success);
}

/* Bytes of struct cudaDeviceProp: of CUDA 13, of CUDA 12, and of what CUDA 11 had of that. */
enum { PROPERTIES_13 = 1008, PROPERTIES_12 = 1032, PROPERTIES_11 = 728 };
#define NAME_BYTES 256
#define MEMORY_AT 288

static void put(char *at, uint64_t value, size_t size)
{
	memcpy(at, &value, size); /* little endian */
}

void runtime_device_name(const struct runtime *r, char *name, size_t bytes)
{
	const char *gpu = "";
	occupancy_sms(r->cc, &gpu);
	snprintf(name, bytes, "simttutor (as %s)", gpu);
}

static int get_properties(char *out, int device, size_t bytes)
{
	RUNTIME_ENTER(r);
	const struct occupancy_sm *sm = occupancy_sm(r->cc);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memset(out, 0, bytes);
	runtime_device_name(r, out, NAME_BYTES);
	put(out + MEMORY_AT, r->memory_limit, sizeof(size_t));
#define ATTRIBUTE(number, expression, at13, at12, type)                                                                \
	{                                                                                                              \
		int at = bytes == PROPERTIES_13 ? (at13) : (at12);                                                     \
		if (at >= 0 && (size_t)at + sizeof(type) <= bytes)                                                     \
			put(out + at, (uint64_t)(expression), sizeof(type));                                           \
	}
#include "runtime/attributes.def"
#undef ATTRIBUTE
	return runtime_leave(CUDA_Success);
}

/* In CUDA 12 this name is that of older programs. */
RUNTIME_API int cudaGetDeviceProperties(void *properties, int device)
{
	return get_properties(properties, device, runtime_version < 13000 ? PROPERTIES_11 : PROPERTIES_13);
}

RUNTIME_API int cudaGetDeviceProperties_v2(void *properties, int device)
{
	return get_properties(properties, device, PROPERTIES_12);
}

RUNTIME_API int cudaGetDeviceCount(int *count)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!count)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*count = r->devices;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetDevice(int *device)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!device)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = runtime_device();
	return runtime_leave(CUDA_Success);
}

/* A program for several devices learns how to have them. */
static void name_devices(const struct runtime *r, int device)
{
	static bool named;
	struct buf at = {0};
	if (named || device < r->devices || device >= RUNTIME_DEVICES_MAX)
		return;
	named = true;
	bool known = report_call() && report_site_text(report_call(), &at);
	runtime_warn(
		"%s%scudaSetDevice(%d): there %s %d device%s; with SIMTTUTOR_DEVICES=%d in the environment there are %d",
		buf_str(&at), known ? ": " : "", device, r->devices == 1 ? "is" : "are", r->devices,
		r->devices == 1 ? "" : "s", device + 1, device + 1);
	buf_free(&at);
}

RUNTIME_API int cudaSetDevice(int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices) {
		name_devices(r, device);
		return runtime_leave(CUDA_ErrorInvalidDevice);
	}
	runtime_set_device(device);
	runtime_context_choose(r, device);
	return runtime_leave(CUDA_Success);
}

static int version(int *out)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = runtime_version;
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

RUNTIME_API int cudaDeviceSynchronize(void)
{
	RUNTIME_ENTER(r);
	return runtime_leave(queue_wait_all(r));
}

/* What the program has allocated, and the streams and events that it made, go with the device. */
RUNTIME_API int cudaDeviceReset(void)
{
	RUNTIME_ENTER(r);
	int error = queue_wait_all(r);
	if (error == CUDA_ErrorNotPermitted)
		return runtime_leave(error);
	for (int i = r->n_allocations; i-- > 0;) {
		const struct cuda_allocation *a = &r->allocations[i];
		if (a->device == runtime_device() && (a->kind == MEMORY_DEVICE || a->kind == MEMORY_PINNED))
			runtime_release(r, a->address);
	}
	return runtime_leave(error);
}

RUNTIME_API int cudaThreadExit(void)
{
	return cudaDeviceReset();
}

RUNTIME_API int cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}
