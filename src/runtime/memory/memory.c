/* Memory: of the device, and of the host where kernels see it. */
#include "model/hardware/occupancy.h"
#include "runtime/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/stream/graph.h"

/* --- what there is ------------------------------------------------------------------------------------------------ */

/* How many begin at or before the address. */
static int count_to(const struct runtime *r, uint64_t address)
{
	int low = 0, high = r->n_allocations;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (r->allocations[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void runtime_remember(struct runtime *r, const struct cuda_allocation *allocation)
{
	int at = count_to(r, allocation->address);
	vec_push(r->allocations, r->n_allocations, r->allocations_cap);
	memmove(&r->allocations[at + 1], &r->allocations[at],
		(size_t)(r->n_allocations - 1 - at) * sizeof *r->allocations);
	r->allocations[at] = *allocation;
	r->allocations[at].context = runtime_own_context();
	report_log_made(&r->allocations[at]);
}

void runtime_forget(struct runtime *r, const struct cuda_allocation *allocation)
{
	struct cuda_allocation *a = &r->allocations[allocation - r->allocations];
	memmove(a, a + 1, (size_t)(&r->allocations[r->n_allocations] - (a + 1)) * sizeof *a);
	r->n_allocations--;
}

struct cuda_allocation *runtime_allocation(struct runtime *r, uint64_t address, size_t bytes)
{
	int n = count_to(r, address);
	struct cuda_allocation *a = n ? &r->allocations[n - 1] : NULL;
	return a && address - a->address <= a->bytes && bytes <= a->bytes - (address - a->address) ? a : NULL;
}

bool runtime_is_of_device(const struct runtime *r, const void *pointer)
{
	return (uintptr_t)pointer >= r->device_begin && (uintptr_t)pointer < r->device_end;
}

/* --- making and releasing ----------------------------------------------------------------------------------------- */

size_t runtime_memory_left(const struct runtime *r)
{
	size_t used = 0;
	for (int i = 0; i < r->devices; i++)
		used += r->allocated[i];
	return used < r->memory_here ? r->memory_here - used : 0;
}

bool runtime_has_memory(const struct runtime *r, size_t bytes)
{
	if (bytes <= runtime_memory_left(r))
		return true;
	const char *gpu = "GPU";
	occupancy_sms(r->cc, &gpu);
	runtime_warn(
		"%zu MiB of device memory are not there: the device has %zu MiB, as the %s, but this machine has %zu in "
		"all, of which %zu are left; lower the sizes, or run it where there is more",
		(bytes + ((size_t)1 << 20) - 1) >> 20, r->memory_limit >> 20, gpu, r->memory_here >> 20,
		runtime_memory_left(r) >> 20);
	return false;
}

uint64_t runtime_alloc(struct runtime *r, size_t bytes, struct cuda_pool *pool)
{
	int device = runtime_device();
	if (bytes > r->memory_limit - r->allocated[device] || !runtime_has_memory(r, bytes))
		return 0;
	runtime_pause(r);
	uint64_t address = simt_memory_alloc(r->memory, bytes);
	if (!address) {
		runtime_warn(
			"the device has %zu bytes, but this process has no memory or no addresses for them", bytes);
		return 0;
	}
	runtime_remember(r,
		&(struct cuda_allocation){.address = address,
			.bytes = bytes,
			.host = simt_memory_at(r->memory, address, bytes),
			.kind = MEMORY_DEVICE,
			.device = (uint8_t)device,
			.pool = pool,
			.site = report_here()});
	r->allocated[device] += bytes;
	return address;
}

void runtime_release(struct runtime *r, uint64_t address)
{
	runtime_pause(r);
	struct cuda_allocation *a = runtime_allocation(r, address, 0);
	if (!a || a->address != address)
		return; /* another thread was faster */
	if (a->kind == MEMORY_GRAPH) {
		graph_memory_release(r, a);
		return;
	}
	simt_memory_release(r->memory, a->address);
	if (a->ipc)
		ipc_drop(a);
	report_freed(r, a);
	report_log_freed(a);
	if (a->kind == MEMORY_DEVICE || a->kind == MEMORY_ARRAY)
		r->allocated[a->device] -= a->bytes;
	if (a->pool)
		pool_released(a->pool, a->bytes);
	if (a->kind == MEMORY_PINNED || a->kind == MEMORY_MANAGED)
		report_share_free((void *)(uintptr_t)a->address, a->host, a->bytes);
	if (a->kind == MEMORY_REGISTERED)
		report_unshare_registered((void *)(uintptr_t)a->address);
	runtime_forget(r, a);
}

RUNTIME_API int cudaMalloc(void **pointer, size_t bytes)
{
	RUNTIME_ENTER(r);
	if (!pointer)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (graph_capture_breaks(r, NULL) != CUDA_Success)
		return runtime_leave(CUDA_ErrorStreamCaptureUnsupported);
	*pointer = NULL;
	if (!bytes || r->failure_known)
		return runtime_leave(CUDA_Success);
	uint64_t address = runtime_alloc(r, bytes, NULL);
	*pointer = (void *)(uintptr_t)address;
	return runtime_leave(address ? CUDA_Success : CUDA_ErrorMemoryAllocation);
}

#define PITCH_UNIT 512u

static int malloc_rows(void **pointer, size_t *pitch, size_t width, size_t rows)
{
	if (!pointer || !pitch || width > SIZE_MAX / 4 || (rows && width + PITCH_UNIT > SIZE_MAX / rows)) {
		RUNTIME_ENTER(r);
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	*pitch = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
	return cudaMalloc(pointer, *pitch * rows);
}

RUNTIME_API int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
	return malloc_rows(pointer, pitch, width, height);
}

RUNTIME_API int cudaMalloc3D(struct cuda_pitched *out, struct cuda_extent extent)
{
	void *pointer = NULL;
	size_t pitch = 0;
	bool fits = !extent.depth || extent.height <= SIZE_MAX / extent.depth;
	int error = malloc_rows(out && fits ? &pointer : NULL, &pitch, extent.width, extent.height * extent.depth);
	if (error == CUDA_Success)
		*out = (struct cuda_pitched){pointer, pitch, extent.width, extent.height};
	return error;
}

/* Memory that host and kernels have in common, at one address. */
static int share(void **pointer, size_t bytes, enum memory_kind kind, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!pointer || (!bytes && kind == MEMORY_MANAGED))
		return runtime_leave(CUDA_ErrorInvalidValue);
	*pointer = NULL;
	if (!bytes || r->failure_known)
		return runtime_leave(CUDA_Success);
	if (bytes > r->memory_limit && kind == MEMORY_MANAGED)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	void *machine, *host = report_share(bytes, &machine);
	if (!host)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	runtime_pause(r);
	runtime_pageable_drop(r);
	if (!simt_memory_map_at(r->memory, (uintptr_t)host, machine, bytes)) {
		report_share_free(host, machine, bytes);
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	}
	runtime_remember(r,
		&(struct cuda_allocation){.address = (uintptr_t)host,
			.bytes = bytes,
			.host = machine,
			.kind = kind,
			.device = (uint8_t)runtime_device(),
			.flags = flags,
			.written = true,
			.site = report_here()});
	if (r->queue->open)
		runtime_pageable_reach(r);
	*pointer = host;
	return runtime_leave(CUDA_Success);
}

#define ATTACH_GLOBAL 1u
#define ATTACH_HOST 2u

RUNTIME_API int cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
	bool known = flags == ATTACH_GLOBAL || flags == ATTACH_HOST;
	return share(known ? pointer : NULL, bytes, MEMORY_MANAGED, flags);
}

RUNTIME_API int cudaMallocHost(void **pointer, size_t bytes)
{
	return share(pointer, bytes, MEMORY_PINNED, 0);
}

#define HOST_ALLOC_FLAGS 7u     /* portable, mapped, write-combined */
#define HOST_REGISTER_FLAGS 15u /* portable, mapped, input and output, read-only */

RUNTIME_API int cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	return share(flags & ~HOST_ALLOC_FLAGS ? NULL : pointer, bytes, MEMORY_PINNED, flags);
}

/* Whether all of it can be read and written, as the kernels will. */
bool runtime_is_hosts(uint64_t at, size_t bytes)
{
	uint64_t first, last;
	char *line = NULL, rights[5];
	size_t cap = 0, left = bytes;
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps)
		return true;
	while (left && getline(&line, &cap, maps) > 0) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &first, &last, rights) != 3 || at < first ||
			at >= last || rights[0] != 'r' || rights[1] != 'w')
			continue;
		size_t here = last - at < left ? last - at : left;
		at += here;
		left -= here;
	}
	free(line);
	fclose(maps);
	return !left;
}

RUNTIME_API int cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!pointer || !bytes || flags & ~HOST_REGISTER_FLAGS || runtime_is_of_device(r, pointer) ||
		!runtime_is_hosts((uintptr_t)pointer, bytes))
		return runtime_leave(CUDA_ErrorInvalidValue);
	runtime_pause(r);
	runtime_pageable_drop(r);
	if (!simt_memory_map(r->memory, pointer, bytes))
		return runtime_leave(CUDA_ErrorHostMemoryAlreadyRegistered);
	void *machine = pointer;
	if (report_share_registered(pointer, bytes, &machine)) {
		simt_memory_release(r->memory, (uintptr_t)pointer);
		if (!simt_memory_map_at(r->memory, (uintptr_t)pointer, machine, bytes)) {
			report_unshare_registered(pointer);
			return runtime_leave(CUDA_ErrorMemoryAllocation);
		}
	}
	runtime_remember(r,
		&(struct cuda_allocation){.address = (uintptr_t)pointer,
			.bytes = bytes,
			.host = machine,
			.kind = MEMORY_REGISTERED,
			.flags = flags,
			.written = true,
			.site = report_here()});
	if (r->queue->open)
		runtime_pageable_reach(r);
	return runtime_leave(CUDA_Success);
}

/* The allocation that begins there, of one of two kinds. */
static struct cuda_allocation *beginning_at(
	struct runtime *r, const void *pointer, enum memory_kind kind, enum memory_kind other)
{
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
	if (a && kind == MEMORY_DEVICE && graph_memory_is_held(r, a->address))
		kind = MEMORY_GRAPH;
	return a && a->address == (uintptr_t)pointer && (a->kind == kind || a->kind == other) ? a : NULL;
}

/* Waits for the device, and then gives it back. */
static int free_of(struct runtime *r, const void *pointer, enum memory_kind kind, enum memory_kind other)
{
	if (!pointer)
		return queue_is_callback() ? CUDA_ErrorNotPermitted : runtime_wait(r, CUDA_Success);
	if (!beginning_at(r, pointer, kind, other))
		return CUDA_ErrorInvalidValue;
	if (report_is_on() && beginning_at(r, pointer, kind, other)->pool && !queue_is_callback()) {
		/* CUDA assumes that nothing uses such memory any more. It is judged when all has been done. */
		queue_settle(r);
		const struct cuda_allocation *a = beginning_at(r, pointer, kind, other);
		if (a)
			report_order_frees(r, NULL, a);
	}
	int error = queue_wait_all(r);
	if (error != CUDA_ErrorNotPermitted && error != CUDA_ErrorStreamCaptureUnsupported) {
		runtime_release(r, (uintptr_t)pointer);
		graph_memory_let_go(r, (uintptr_t)pointer);
	}
	return error;
}

static void report_wrong_free(struct runtime *r, const char *call, const void *pointer)
{
	struct buf what = {0};
	const struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
	bool wrong_call = a && a->address == (uintptr_t)pointer && a->kind != MEMORY_GRAPH;
	if (wrong_call)
		buf_puts(&what, "; it is to be freed by another function");
	else
		report_address(r, (uintptr_t)pointer, &what);
	report_problem(r, REPORT_FREE, NULL, "%s(%p): %s%s%s", runtime_call_name(call), pointer,
		wrong_call ? "it was not allocated for that" : "nothing was allocated there, or it was freed before",
		what.len && !wrong_call ? ": " : "", what.len ? buf_str(&what) : "");
	buf_free(&what);
}

RUNTIME_API int cudaFree(void *pointer)
{
	RUNTIME_ENTER(r);
	if (pointer && !beginning_at(r, pointer, MEMORY_DEVICE, MEMORY_MANAGED)) {
		report_wrong_free(r, "cudaFree", pointer);
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	return runtime_leave(free_of(r, pointer, MEMORY_DEVICE, MEMORY_MANAGED));
}

RUNTIME_API int cudaFreeHost(void *pointer)
{
	RUNTIME_ENTER(r);
	if (pointer && !beginning_at(r, pointer, MEMORY_PINNED, MEMORY_PINNED))
		report_wrong_free(r, "cudaFreeHost", pointer);
	return runtime_leave(free_of(r, pointer, MEMORY_PINNED, MEMORY_PINNED));
}

RUNTIME_API int cudaHostUnregister(void *pointer)
{
	RUNTIME_ENTER(r);
	if (!pointer)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!beginning_at(r, pointer, MEMORY_REGISTERED, MEMORY_REGISTERED)) {
		const struct cuda_allocation *inside = runtime_allocation(r, (uintptr_t)pointer, 0);
		bool registered = inside && inside->kind == MEMORY_REGISTERED; /* further on; as CUDA 13.0 has it */
		return runtime_leave(registered ? CUDA_ErrorInvalidValue : CUDA_ErrorHostMemoryNotRegistered);
	}
	return runtime_leave(free_of(r, pointer, MEMORY_REGISTERED, MEMORY_REGISTERED));
}

/* --- questions ---------------------------------------------------------------------------------------------------- */

RUNTIME_API int cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)host, 0);
	if (!device || flags || !a || a->kind == MEMORY_DEVICE || a->kind == MEMORY_VARIABLE ||
		a->kind >= MEMORY_VIRTUAL)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = host;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaHostGetFlags(unsigned int *flags, void *host)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = beginning_at(r, host, MEMORY_PINNED, MEMORY_REGISTERED);
	if (!flags || !a)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = a->flags | 2u; /* all is mapped, with unified addresses */
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemGetInfo(size_t *available, size_t *total)
{
	RUNTIME_ENTER(r);
	if (!available || !total)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*total = r->memory_limit;
	*available = r->memory_limit - r->allocated[runtime_device()];
	if (*available > runtime_memory_left(r))
		*available = runtime_memory_left(r);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaPointerGetAttributes(struct cuda_pointer_attributes *out, const void *pointer)
{
	static const int types[] = {[MEMORY_DEVICE] = 2,
		[MEMORY_PINNED] = 1,
		[MEMORY_REGISTERED] = 1,
		[MEMORY_MANAGED] = 3,
		[MEMORY_VARIABLE] = 2,
		[MEMORY_ARRAY] = 2,
		[MEMORY_VIRTUAL] = 2,
		[MEMORY_GRAPH] = 2,
		[MEMORY_IPC] = 2};
	RUNTIME_ENTER(r);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	const struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 1);
	memset(out, 0, runtime_version < 13000 ? offsetof(struct cuda_pointer_attributes, reserved) : sizeof *out);
	out->device = -2; /* memory that is not registered */
	if (a && (a->kind != MEMORY_GRAPH || graph_memory_is_held(r, a->address))) {
		out->type = types[a->kind];
		out->device = a->device;
		out->for_device = (void *)pointer;
		out->for_host = out->type == 2 ? NULL : (void *)pointer;
	}
	return runtime_leave(CUDA_Success);
}

/* --- variables of kernels --------------------------------------------------------------------------------------------
 *
 * Variables of the program's kernels, by the host's name for them. */

bool runtime_find_symbol(struct runtime *r, const void *symbol, struct cuda_symbol *out)
{
	struct simt_variable at;
	const struct cuda_variable *v = runtime_variable(r, symbol);
	if (!v)
		return false;
	if (!v->module->variables[runtime_device()])
		runtime_pause(r);
	if (!runtime_load_module(r, v->module) ||
		!simt_variables_find(v->module->variables[runtime_device()], v->name, &at))
		return false;
	*out = (struct cuda_symbol){at.address, at.size, at.bytes};
	return true;
}

int copy_symbol(struct runtime *r, const struct copy_symbol *s, struct cuda_work *out)
{
	struct cuda_symbol v;
	*out = (struct cuda_work){.kind = WORK_NOTHING};
	if (!runtime_find_symbol(r, s->symbol, &v))
		return CUDA_ErrorInvalidSymbol;
	if (s->offset > v.bytes || s->bytes > v.bytes - s->offset)
		return CUDA_ErrorInvalidValue;
	bool good = s->kind == CUDA_MemcpyDefault || s->kind == CUDA_MemcpyDeviceToDevice ||
		s->kind == (s->to_symbol ? CUDA_MemcpyHostToDevice : CUDA_MemcpyDeviceToHost);
	if (!good)
		return CUDA_ErrorInvalidMemcpyDirection;
	char *at = v.host + s->offset;
	struct copy_request request = copy_bytes(
		s->call, s->to_symbol ? at : s->other, s->to_symbol ? s->other : at, s->bytes, s->kind);
	request.to_array = s->to_symbol;
	request.from_array = !s->to_symbol;
	return copy_work(r, &request, out);
}

static int do_symbol(const struct copy_symbol *s, struct cuda_stream *handle, enum copy_when when)
{
	RUNTIME_ENTER(r);
	struct cuda_work w;
	struct cuda_stream *stream = queue_stream(r, handle);
	if (!stream)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	int error = copy_symbol(r, s, &w);
	return runtime_leave(error != CUDA_Success ? error : copy_submit(r, stream, &w, when));
}

RUNTIME_API int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = {"cudaMemcpyToSymbol", symbol, (void *)from, bytes, offset, kind, true};
	return do_symbol(&s, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpyToSymbolAsync(
	const void *symbol, const void *from, size_t bytes, size_t offset, int kind, struct cuda_stream *stream)
{
	struct copy_symbol s = {"cudaMemcpyToSymbolAsync", symbol, (void *)from, bytes, offset, kind, true};
	return do_symbol(&s, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
	struct copy_symbol s = {"cudaMemcpyFromSymbol", symbol, to, bytes, offset, kind, false};
	return do_symbol(&s, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpyFromSymbolAsync(
	void *to, const void *symbol, size_t bytes, size_t offset, int kind, struct cuda_stream *stream)
{
	struct copy_symbol s = {"cudaMemcpyFromSymbolAsync", symbol, to, bytes, offset, kind, false};
	return do_symbol(&s, stream, COPY_ASYNC);
}

RUNTIME_API int cudaGetSymbolAddress(void **pointer, const void *symbol)
{
	RUNTIME_ENTER(r);
	struct cuda_symbol v;
	if (!pointer || !runtime_find_symbol(r, symbol, &v))
		return runtime_leave(pointer ? CUDA_ErrorInvalidSymbol : CUDA_ErrorInvalidValue);
	*pointer = (void *)(uintptr_t)v.address;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetSymbolSize(size_t *size, const void *symbol)
{
	RUNTIME_ENTER(r);
	struct cuda_symbol v;
	if (!size || !runtime_find_symbol(r, symbol, &v))
		return runtime_leave(size ? CUDA_ErrorInvalidSymbol : CUDA_ErrorInvalidValue);
	*size = v.bytes;
	return runtime_leave(CUDA_Success);
}
