/* Memory pools. */
#include "runtime/memory/memory.h"

#include <string.h>

#include "runtime/driver/driver.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/stream/graph.h"

enum pool_attribute {
	POOL_FOLLOW_EVENTS = 1,
	POOL_OPPORTUNISTIC,
	POOL_INTERNAL,
	POOL_THRESHOLD,
	POOL_RESERVED,
	POOL_RESERVED_MOST,
	POOL_USED,
	POOL_USED_MOST,
};
enum { POOL_TYPE_PINNED = 1, POOL_TYPE_MANAGED = 2, LOCATION_DEVICE = 1, ACCESS_NONE = 0, ACCESS_BOTH = 3 };

static struct cuda_pool *defaults[RUNTIME_DEVICES_MAX], *chosen[RUNTIME_DEVICES_MAX];

static struct cuda_pool *pool_new(struct runtime *r, int device)
{
	struct cuda_pool *p = arena_alloc(r->arena, sizeof *p);
	*p = (struct cuda_pool){.mark = POOL_MARK, .device = device, .reuse = {1, 1, 1}};
	return p;
}

static struct cuda_pool *default_pool(struct runtime *r, int device)
{
	if (!defaults[device]) {
		defaults[device] = pool_new(r, device);
		defaults[device]->is_default = true;
	}
	return defaults[device];
}

struct cuda_pool *pool_of_device(struct runtime *r, int device)
{
	return chosen[device] ? chosen[device] : default_pool(r, device);
}

static struct cuda_pool *pool_of(struct cuda_pool *handle)
{
	return handle && handle->mark == POOL_MARK && !handle->destroyed ? handle : NULL;
}

void pool_released(struct cuda_pool *pool, size_t bytes)
{
	pool->used -= bytes;
}

int pool_alloc(struct runtime *r, struct cuda_pool *pool, size_t bytes, void **out)
{
	int before = runtime_device();
	if (pool->most && bytes > pool->most - pool->used)
		return CUDA_ErrorMemoryAllocation;
	runtime_set_device(pool->device);
	uint64_t address = runtime_alloc(r, bytes, pool);
	runtime_set_device(before);
	if (!address)
		return CUDA_ErrorMemoryAllocation;
	pool->used += bytes;
	if (pool->used > pool->used_most)
		pool->used_most = pool->used;
	if (pool->used > pool->reserved_most)
		pool->reserved_most = pool->used;
	*out = (void *)(uintptr_t)address;
	return CUDA_Success;
}

int pool_free_work(struct runtime *r, const char *call, void *pointer, struct cuda_work *out)
{
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
	bool ours = a && (a->kind == MEMORY_GRAPH ? graph_memory_is_held(r, a->address) : a->kind == MEMORY_DEVICE);
	if (!pointer || !ours || a->address != (uintptr_t)pointer || a->freed) {
		struct buf what = {0};
		report_address(r, (uintptr_t)pointer, &what);
		report_problem(r, REPORT_FREE, NULL, "%s(%p): nothing was allocated there, or it was freed before%s%s",
			runtime_call_name(call), pointer, what.len ? ": " : "", what.len ? buf_str(&what) : "");
		buf_free(&what);
		return CUDA_ErrorInvalidValue;
	}
	*out = (struct cuda_work){.kind = WORK_FREE, .free = {.address = a->address}};
	return CUDA_Success;
}

/* --- in the order of a stream ------------------------------------------------------------------------------------- */

static int malloc_async(void **pointer, size_t bytes, struct cuda_pool *handle, bool named, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, stream);
	struct cuda_pool *pool = named ? pool_of(handle) : pool_of_device(r, s ? s->device : 0);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!pointer || !pool)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (queue_is_callback())
		return runtime_leave(CUDA_ErrorNotPermitted);
	*pointer = NULL;
	if (s->capture && !bytes)
		return runtime_leave(CUDA_Success);
	if (s->capture)
		return runtime_leave(graph_capture_alloc(r, s, pool->device, bytes, pointer));
	if (!bytes || r->failure_known)
		return runtime_leave(CUDA_Success);
	int error = pool_alloc(r, pool, bytes, pointer);
	if (error == CUDA_Success)
		report_order_made(r, s, (uintptr_t)*pointer, bytes);
	return runtime_leave(error);
}

RUNTIME_API int cudaMallocAsync(void **pointer, size_t bytes, struct cuda_stream *stream)
{
	return malloc_async(pointer, bytes, NULL, false, stream);
}

RUNTIME_API int cudaMallocFromPoolAsync(
	void **pointer, size_t bytes, struct cuda_pool *pool, struct cuda_stream *stream)
{
	return malloc_async(pointer, bytes, pool, true, stream);
}

RUNTIME_API int cudaFreeAsync(void *pointer, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct cuda_work work;
	struct cuda_stream *s = queue_stream(r, stream);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (s->capture)
		return runtime_leave(graph_capture_free(r, s, pointer));
	int error = pool_free_work(r, "cudaFreeAsync", pointer, &work);
	if (error != CUDA_Success)
		return runtime_leave(error);
	error = queue_submit(r, s, &work);
	if (error == CUDA_Success) {
		struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
		if (a && a->kind == MEMORY_GRAPH)
			graph_memory_let_go(r, a->address);
		else if (a && a->address == (uintptr_t)pointer)
			a->freed = true;
	}
	return runtime_leave(error);
}

/* --- pools -------------------------------------------------------------------------------------------------------- */

static int get_pool(struct cuda_pool **out, int device, bool is_default)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = is_default ? default_pool(r, device) : pool_of_device(r, device);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetDefaultMemPool(struct cuda_pool **out, int device)
{
	return get_pool(out, device, true);
}

RUNTIME_API int cudaDeviceGetMemPool(struct cuda_pool **out, int device)
{
	return get_pool(out, device, false);
}

RUNTIME_API int cudaDeviceSetMemPool(int device, struct cuda_pool *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_pool *pool = pool_of(handle);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!pool || pool->device != device)
		return runtime_leave(CUDA_ErrorInvalidValue);
	chosen[device] = pool;
	return runtime_leave(CUDA_Success);
}

/* The device of a location, -1: it is none. */
static int device_of(const struct runtime *r, const struct cuda_location *at, int type)
{
	return at && at->type == LOCATION_DEVICE && type == POOL_TYPE_PINNED && at->id >= 0 && at->id < r->devices
		? at->id
		: -1;
}

static int get_pool_at(struct cuda_pool **out, const struct cuda_location *at, int type, bool is_default)
{
	RUNTIME_ENTER(r);
	int device = device_of(r, at, type);
	runtime_leave(CUDA_Success);
	return get_pool(device < 0 ? NULL : out, device < 0 ? 0 : device, is_default);
}

RUNTIME_API int cudaMemGetDefaultMemPool(struct cuda_pool **out, const struct cuda_location *at, int type)
{
	return get_pool_at(out, at, type, true);
}

RUNTIME_API int cudaMemGetMemPool(struct cuda_pool **out, const struct cuda_location *at, int type)
{
	return get_pool_at(out, at, type, false);
}

RUNTIME_API int cudaMemSetMemPool(const struct cuda_location *at, int type, struct cuda_pool *pool)
{
	RUNTIME_ENTER(r);
	int device = device_of(r, at, type);
	runtime_leave(CUDA_Success);
	return cudaDeviceSetMemPool(device < 0 ? 0 : device, device < 0 ? NULL : pool);
}

RUNTIME_API int cudaMemPoolCreate(struct cuda_pool **out, const struct cuda_pool_properties *p)
{
	RUNTIME_ENTER(r);
	if (!out || !p || p->type != POOL_TYPE_PINNED || p->location_type != LOCATION_DEVICE)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (p->handles)
		return runtime_leave(CUDA_ErrorNotSupported);
	if (p->location < 0 || p->location >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*out = pool_new(r, p->location);
	(*out)->most = p->most;
	return runtime_leave(CUDA_Success);
}

/* What it has allocated stays until it is freed. */
RUNTIME_API int cudaMemPoolDestroy(struct cuda_pool *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_pool *pool = pool_of(handle);
	(void)r;
	if (!pool || pool->is_default)
		return runtime_leave(CUDA_ErrorInvalidValue);
	pool->destroyed = true;
	if (chosen[pool->device] == pool)
		chosen[pool->device] = NULL;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemPoolTrimTo(struct cuda_pool *pool, size_t keep)
{
	(void)keep;
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(pool_of(pool) ? CUDA_Success : CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaMemPoolSetAttribute(struct cuda_pool *handle, int attribute, const void *value)
{
	RUNTIME_ENTER(r);
	struct cuda_pool *pool = pool_of(handle);
	uint64_t number = 0;
	(void)r;
	if (!pool || !value || attribute < POOL_FOLLOW_EVENTS || attribute > POOL_USED_MOST)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memcpy(&number, value, attribute < POOL_THRESHOLD ? sizeof(int) : sizeof number);
	if (attribute < POOL_THRESHOLD)
		pool->reuse[attribute - POOL_FOLLOW_EVENTS] = number != 0;
	else if (attribute == POOL_THRESHOLD)
		pool->threshold = number;
	else if (attribute == POOL_RESERVED_MOST && !number)
		pool->reserved_most = pool->used;
	else if (attribute == POOL_USED_MOST && !number)
		pool->used_most = pool->used;
	else
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemPoolGetAttribute(struct cuda_pool *handle, int attribute, void *value)
{
	RUNTIME_ENTER(r);
	const struct cuda_pool *pool = pool_of(handle);
	(void)r;
	if (!pool || !value || attribute < POOL_FOLLOW_EVENTS || attribute > POOL_USED_MOST)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (attribute < POOL_THRESHOLD) {
		memcpy(value, &pool->reuse[attribute - POOL_FOLLOW_EVENTS], sizeof(int));
		return runtime_leave(CUDA_Success);
	}
	uint64_t number = attribute == POOL_THRESHOLD ? pool->threshold
		: attribute == POOL_RESERVED_MOST     ? pool->reserved_most
		: attribute == POOL_USED_MOST         ? pool->used_most
						      : pool->used;
	memcpy(value, &number, sizeof number);
	return runtime_leave(CUDA_Success);
}

struct cuda_access {
	struct cuda_location location;
	int flags;
};

/* All devices reach all memory. */
RUNTIME_API int cudaMemPoolSetAccess(struct cuda_pool *handle, const struct cuda_access *list, size_t n)
{
	RUNTIME_ENTER(r);
	const struct cuda_pool *pool = pool_of(handle);
	if (!pool || (n && !list))
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (size_t i = 0; i < n; i++) {
		int device = list[i].location.id;
		if (list[i].location.type != LOCATION_DEVICE ||
			(list[i].flags != ACCESS_NONE && list[i].flags != ACCESS_BOTH) ||
			(device == pool->device && list[i].flags == ACCESS_NONE))
			return runtime_leave(CUDA_ErrorInvalidValue);
		if (device < 0 || device >= r->devices)
			return runtime_leave(CUDA_ErrorInvalidDevice);
	}
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemPoolGetAccess(int *flags, struct cuda_pool *handle, const struct cuda_location *at)
{
	RUNTIME_ENTER(r);
	if (!flags || !pool_of(handle) || !at || at->type != LOCATION_DEVICE)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (at->id < 0 || at->id >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	*flags = ACCESS_BOTH;
	return runtime_leave(CUDA_Success);
}
