/* Devices and contexts of the driver API. A thread has a stack of contexts; a thread that has called the runtime has
 * the primary context of its device where it has no other. */
#include "runtime/driver/driver.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "model/hardware/occupancy.h"

static atomic_bool began, runtime_used;
static struct cuda_context *primaries[RUNTIME_DEVICES_MAX], *created; /* created: the last one */
static uint64_t ids;
#define STACK_MAX 64
static _Thread_local struct cuda_context *stack[STACK_MAX];
static _Thread_local int depth;
static _Thread_local bool called_runtime;

/* --- the current one ---------------------------------------------------------------------------------------------- */

bool runtime_driver_began(void)
{
	return began || runtime_used;
}

void runtime_context_used(void)
{
	called_runtime = true;
	runtime_used = true;
}

static struct cuda_context *context_new(struct runtime *r, int device, unsigned int flags)
{
	struct cuda_context *c = arena_alloc(r->arena, sizeof *c);
	*c = (struct cuda_context){.mark = CONTEXT_MARK, .device = device, .flags = flags, .id = ++ids};
	return c;
}

struct cuda_context *runtime_primary(struct runtime *r, int device)
{
	if (!primaries[device]) {
		primaries[device] = context_new(r, device, r->device_flags);
		primaries[device]->primary = true;
	}
	return primaries[device];
}

struct cuda_context *runtime_context(struct runtime *r)
{
	if (depth)
		return stack[depth - 1];
	return called_runtime ? runtime_primary(r, runtime_device()) : NULL;
}

struct cuda_context *runtime_own_context(void)
{
	return depth && !stack[depth - 1]->primary ? stack[depth - 1] : NULL;
}

struct cuda_context *runtime_context_of(struct runtime *r, const void *handle)
{
	for (int i = 0; handle && i < r->devices; i++)
		if (primaries[i] == handle)
			return primaries[i];
	for (struct cuda_context *c = created; handle && c; c = c->next)
		if (c == handle && c->mark == CONTEXT_MARK)
			return c;
	return NULL;
}

void runtime_context_choose(struct runtime *r, int device)
{
	if (depth && stack[depth - 1] != runtime_primary(r, device))
		stack[depth - 1] = runtime_primary(r, device);
}

static int push(struct cuda_context *context)
{
	if (depth == STACK_MAX)
		return CUDA_ErrorInvalidValue;
	stack[depth++] = context;
	runtime_set_device(context->device);
	return CUDA_Success;
}

static void pop(void)
{
	depth--;
	if (depth)
		runtime_set_device(stack[depth - 1]->device);
}

int cuCtxPushCurrent_v2(void *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_context *context = runtime_context_of(r, handle);
	return runtime_leave(context ? push(context) : CUDA_ErrorDeviceUninitialized);
}

int cuCtxPopCurrent_v2(struct cuda_context **out)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!depth)
		return runtime_leave(CUDA_ErrorDeviceUninitialized);
	if (out)
		*out = stack[depth - 1];
	pop();
	return runtime_leave(CUDA_Success);
}

int cuCtxSetCurrent(void *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_context *context = runtime_context_of(r, handle);
	if (handle && !context)
		return runtime_leave(CUDA_ErrorDeviceUninitialized);
	if (depth)
		pop();
	return runtime_leave(context ? push(context) : CUDA_Success);
}

int cuCtxGetCurrent(struct cuda_context **out)
{
	RUNTIME_ENTER(r);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = runtime_context(r);
	return runtime_leave(CUDA_Success);
}

/* --- contexts that the program creates ---------------------------------------------------------------------------- */

#define CONTEXT_FLAGS 0xFFu
#define SCHEDULES 7u

static bool are_context_flags(unsigned int flags)
{
	unsigned int schedule = flags & SCHEDULES;
	return !(flags & ~CONTEXT_FLAGS) && !(schedule & (schedule - 1));
}

int cuCtxCreate_v2(struct cuda_context **out, unsigned int flags, int device)
{
	RUNTIME_ENTER(r);
	if (!out || !are_context_flags(flags))
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	struct cuda_context *c = context_new(r, device, flags);
	int error = push(c);
	if (error != CUDA_Success)
		return runtime_leave(error);
	c->next = created;
	created = c;
	*out = c;
	return runtime_leave(CUDA_Success);
}

int cuCtxCreate_v3(struct cuda_context **out, const void *affinity, int n, unsigned int flags, int device)
{
	if (!n && !affinity)
		return cuCtxCreate_v2(out, flags, device);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_ErrorUnsupportedExecAffinity);
}

/* CUctxCreateParams */
struct context_parameters {
	const void *affinity;
	int n;
	const void *cig;
};

int cuCtxCreate_v4(struct cuda_context **out, const struct context_parameters *p, unsigned int flags, int device)
{
	if (!p || (!p->affinity && !p->n && !p->cig))
		return cuCtxCreate_v2(out, flags, device);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_ErrorNotSupported);
}

/* What was allocated in it goes with it. */
int cuCtxDestroy_v2(void *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_context *context = runtime_context_of(r, handle);
	if (!context || context->primary)
		return runtime_leave(CUDA_ErrorDeviceUninitialized);
	int error = queue_wait_all(r);
	if (error == CUDA_ErrorNotPermitted || error == CUDA_ErrorStreamCaptureUnsupported)
		return runtime_leave(error);
	for (int i = r->n_allocations; i-- > 0;) {
		const struct cuda_allocation *a = &r->allocations[i];
		if (a->context == context && a->kind != MEMORY_VARIABLE && a->kind < MEMORY_VIRTUAL)
			runtime_release(r, a->address);
	}
	if (depth && stack[depth - 1] == context)
		pop();
	context->mark = 0;
	return runtime_leave(error);
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

int cuCtxGetDevice(int *device)
{
	RUNTIME_ENTER(r);
	if (!device)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = runtime_context(r)->device;
	return runtime_leave(CUDA_Success);
}

/* The current one, where it is not named. */
static struct cuda_context *named(struct runtime *r, const void *handle)
{
	return handle ? runtime_context_of(r, handle) : runtime_context(r);
}

int cuCtxGetDevice_v2(int *device, const void *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_context *context = named(r, handle);
	if (!device || !context)
		return runtime_leave(context ? CUDA_ErrorInvalidValue : CUDA_ErrorDeviceUninitialized);
	*device = context->device;
	return runtime_leave(CUDA_Success);
}

int cuCtxSynchronize_v2(const void *handle)
{
	RUNTIME_ENTER(r);
	return runtime_leave(named(r, handle) ? queue_wait_all(r) : CUDA_ErrorDeviceUninitialized);
}

int cuCtxGetFlags(unsigned int *flags)
{
	RUNTIME_ENTER(r);
	if (!flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = runtime_context(r)->flags;
	return runtime_leave(CUDA_Success);
}

int cuCtxSetFlags(unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!are_context_flags(flags))
		return runtime_leave(CUDA_ErrorInvalidValue);
	runtime_context(r)->flags = flags;
	return runtime_leave(CUDA_Success);
}

int cuCtxGetId(const void *handle, unsigned long long *id)
{
	RUNTIME_ENTER(r);
	const struct cuda_context *context = named(r, handle);
	if (!id || !context)
		return runtime_leave(context ? CUDA_ErrorInvalidValue : CUDA_ErrorContextIsDestroyed);
	*id = context->id;
	return runtime_leave(CUDA_Success);
}

#define API_VERSION 3020 /* of contexts, since that CUDA */

int cuCtxGetApiVersion(const void *handle, unsigned int *version)
{
	RUNTIME_ENTER(r);
	const struct cuda_context *context = named(r, handle);
	if (!version || !context)
		return runtime_leave(context ? CUDA_ErrorInvalidValue : CUDA_ErrorDeviceUninitialized);
	*version = API_VERSION;
	return runtime_leave(CUDA_Success);
}

int cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
int cudaDeviceDisablePeerAccess(int peer);

static int device_of_context(const void *handle)
{
	RUNTIME_ENTER(r);
	const struct cuda_context *context = runtime_context_of(r, handle);
	runtime_unlock();
	return context ? context->device : -1;
}

int cuCtxEnablePeerAccess(const void *handle, unsigned int flags)
{
	int device = device_of_context(handle);
	return device < 0 ? CUDA_ErrorDeviceUninitialized : cudaDeviceEnablePeerAccess(device, flags);
}

int cuCtxDisablePeerAccess(const void *handle)
{
	int device = device_of_context(handle);
	return device < 0 ? CUDA_ErrorDeviceUninitialized : cudaDeviceDisablePeerAccess(device);
}

int cuStreamGetCtx(struct cuda_stream *handle, struct cuda_context **out)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	struct cuda_context *context = runtime_context(r);
	if (!s || !out)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*out = s->context ? s->context : context->device == s->device ? context : runtime_primary(r, s->device);
	return runtime_leave(CUDA_Success);
}

/* --- primary contexts --------------------------------------------------------------------------------------------- */

int cuDevicePrimaryCtxRetain(struct cuda_context **out, int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = runtime_primary(r, device);
	(*out)->kept++;
	return runtime_leave(CUDA_Success);
}

/* What the runtime has in it stays. */
int cuDevicePrimaryCtxRelease_v2(int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!primaries[device] || !primaries[device]->kept)
		return runtime_leave(CUDA_ErrorDeviceUninitialized);
	primaries[device]->kept--;
	return runtime_leave(CUDA_Success);
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!are_context_flags(flags))
		return runtime_leave(CUDA_ErrorInvalidValue);
	runtime_primary(r, device)->flags = flags;
	return runtime_leave(CUDA_Success);
}

int cuDevicePrimaryCtxGetState(int device, unsigned int *flags, int *active)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!flags || !active)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = runtime_primary(r, device)->flags;
	*active = runtime_primary(r, device)->kept || runtime_used;
	return runtime_leave(CUDA_Success);
}

int cudaDeviceReset(void);

int cuDevicePrimaryCtxReset_v2(int device)
{
	RUNTIME_ENTER(r);
	bool is_device = device >= 0 && device < r->devices;
	runtime_unlock();
	if (!is_device)
		return CUDA_ErrorInvalidDevice;
	int before = runtime_device();
	runtime_set_device(device);
	int error = cudaDeviceReset();
	runtime_set_device(before);
	return error;
}

/* --- devices ------------------------------------------------------------------------------------------------------ */

int cuInit(unsigned int flags)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	began = true;
	return runtime_leave(CUDA_Success);
}

int cuDriverGetVersion(int *version)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!version)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*version = runtime_version;
	return runtime_leave(CUDA_Success);
}

int cuDeviceGet(int *device, int ordinal)
{
	RUNTIME_ENTER(r);
	if (!device)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (ordinal < 0 || ordinal >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*device = ordinal;
	return runtime_leave(CUDA_Success);
}

int cuDeviceGetName(char *name, int bytes, int device)
{
	RUNTIME_ENTER(r);
	if (!name || bytes <= 0)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	runtime_device_name(r, name, (size_t)bytes);
	return runtime_leave(CUDA_Success);
}

#define UUID_BYTES 16

int cuDeviceGetUuid_v2(char *uuid, int device)
{
	RUNTIME_ENTER(r);
	if (!uuid)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	char text[UUID_BYTES + 1];
	snprintf(text, sizeof text, "simttutor cc%-3d%c", r->cc, '0' + device);
	memcpy(uuid, text, UUID_BYTES);
	return runtime_leave(CUDA_Success);
}

int cuDeviceGetUuid(char *uuid, int device)
{
	return cuDeviceGetUuid_v2(uuid, device);
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
	RUNTIME_ENTER(r);
	if (!bytes)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*bytes = r->memory_limit;
	return runtime_leave(CUDA_Success);
}

int cuDeviceComputeCapability(int *major, int *minor, int device)
{
	RUNTIME_ENTER(r);
	if (!major || !minor)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*major = r->cc / 10;
	*minor = r->cc % 10;
	return runtime_leave(CUDA_Success);
}

int cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const void *channels, int device);

int cuDeviceGetTexture1DLinearMaxWidth(size_t *width, int format, unsigned int channels, int device)
{
	return cudaDeviceGetTexture1DLinearMaxWidth(width, format && channels ? &format : NULL, device);
}
