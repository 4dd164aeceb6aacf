/* Memory: of the device, of the host where kernels see it, and copies between them. */
#include <string.h>
#include <sys/mman.h>

#include "base/vec.h"
#include "runtime/state.h"

static void remember(struct runtime *r, uint64_t address, size_t bytes, enum memory_kind kind)
{
	*(struct cuda_allocation *)vec_push(r->allocations, r->n_allocations,
		r->allocations_cap) = (struct cuda_allocation){.address = address, .bytes = bytes, .kind = kind};
}

struct cuda_allocation *runtime_allocation(struct runtime *r, uint64_t address, size_t bytes)
{
	for (int i = r->n_allocations; i-- > 0;) {
		struct cuda_allocation *a = &r->allocations[i];
		if (!a->freed && address >= a->address && address - a->address <= a->bytes &&
			bytes <= a->bytes - (address - a->address))
			return a;
	}
	return NULL;
}

static bool is_of_device(const struct runtime *r, const void *pointer)
{
	return (uintptr_t)pointer >= r->device_begin && (uintptr_t)pointer < r->device_end;
}

/* --- allocations -------------------------------------------------------------------------------------------------- */

RUNTIME_API int cudaMalloc(void **pointer, size_t bytes)
{
	struct runtime *r = runtime_enter();
	if (!pointer)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*pointer = NULL;
	if (!bytes)
		return runtime_leave(CUDA_Success);
	uint64_t address = simt_memory_alloc(r->memory, bytes);
	if (!address)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	remember(r, address, bytes, MEMORY_DEVICE);
	r->allocated += bytes;
	*pointer = (void *)(uintptr_t)address;
	return runtime_leave(CUDA_Success);
}

#define PITCH_UNIT 512u

RUNTIME_API int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
	if (!pointer || !pitch || (height && width > SIZE_MAX / 2 / height))
		return runtime_enter(), runtime_leave(CUDA_ErrorInvalidValue);
	*pitch = (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
	return cudaMalloc(pointer, *pitch * height);
}

/* Memory that host and kernels have in common, at one address. */
static int share(void **pointer, size_t bytes, enum memory_kind kind)
{
	struct runtime *r = runtime_enter();
	if (!pointer || !bytes)
		return runtime_leave(CUDA_ErrorInvalidValue);
	void *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (host == MAP_FAILED)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	if (!simt_memory_map(r->memory, host, bytes)) {
		munmap(host, bytes);
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	}
	remember(r, (uintptr_t)host, bytes, kind);
	*pointer = host;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
	(void)flags;
	return share(pointer, bytes, MEMORY_MANAGED);
}

RUNTIME_API int cudaMallocHost(void **pointer, size_t bytes)
{
	return share(pointer, bytes, MEMORY_PINNED);
}

RUNTIME_API int cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
	(void)flags;
	return share(pointer, bytes, MEMORY_PINNED);
}

RUNTIME_API int cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
	(void)flags;
	struct runtime *r = runtime_enter();
	if (!pointer || !bytes)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!simt_memory_map(r->memory, pointer, bytes))
		return runtime_leave(CUDA_ErrorHostMemoryAlreadyRegistered);
	remember(r, (uintptr_t)pointer, bytes, MEMORY_REGISTERED);
	return runtime_leave(CUDA_Success);
}

/* The allocation that begins there, of one of two kinds. */
static struct cuda_allocation *beginning_at(
	struct runtime *r, const void *pointer, enum memory_kind kind, enum memory_kind other)
{
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
	return a && a->address == (uintptr_t)pointer && (a->kind == kind || a->kind == other) ? a : NULL;
}

static void release(struct runtime *r, struct cuda_allocation *a)
{
	simt_memory_release(r->memory, a->address);
	if (a->kind == MEMORY_DEVICE)
		r->allocated -= a->bytes;
	else if (a->kind != MEMORY_REGISTERED)
		munmap((void *)(uintptr_t)a->address, a->bytes);
	a->freed = true;
}

RUNTIME_API int cudaFree(void *pointer)
{
	struct runtime *r = runtime_enter();
	struct cuda_allocation *a = pointer ? beginning_at(r, pointer, MEMORY_DEVICE, MEMORY_MANAGED) : NULL;
	if (pointer && !a) {
		runtime_say("cudaFree(%p): nothing was allocated there, or it was freed before", pointer);
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	if (a)
		release(r, a);
	return runtime_leave(runtime_wait(r, CUDA_Success));
}

RUNTIME_API int cudaFreeHost(void *pointer)
{
	struct runtime *r = runtime_enter();
	struct cuda_allocation *a = pointer ? beginning_at(r, pointer, MEMORY_PINNED, MEMORY_PINNED) : NULL;
	if (pointer && !a)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (a)
		release(r, a);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaHostUnregister(void *pointer)
{
	struct runtime *r = runtime_enter();
	struct cuda_allocation *a = beginning_at(r, pointer, MEMORY_REGISTERED, MEMORY_REGISTERED);
	if (!a)
		return runtime_leave(CUDA_ErrorHostMemoryNotRegistered);
	release(r, a);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
	(void)flags;
	struct runtime *r = runtime_enter();
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)host, 0);
	if (!device || !a || a->kind == MEMORY_DEVICE)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*device = host;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemGetInfo(size_t *available, size_t *total)
{
	struct runtime *r = runtime_enter();
	if (!available || !total)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*total = r->memory_limit;
	*available = r->memory_limit - r->allocated;
	return runtime_leave(CUDA_Success);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* One end of a copy. */
struct cuda_end {
	const char *name; /* "source" */
	void *pointer;
	bool device; /* as the direction says */
};

/* Where the host finds the bytes; NULL, having said why, when the end is not what the direction says. */
static void *host_bytes(struct runtime *r, const char *call, const struct cuda_end *end, size_t bytes)
{
	bool of_device = is_of_device(r, end->pointer);
	if (!end->device && !of_device)
		return end->pointer;
	void *at = simt_memory_at(r->memory, (uintptr_t)end->pointer, bytes);
	if (end->device && at)
		return at;
	if (!end->device)
		runtime_say("%s: the %s %p is memory of the device; the direction of the copy says it is the host's",
			call, end->name, end->pointer);
	else if (!of_device)
		runtime_say("%s: the %s %p is memory of the host; the direction of the copy says it is the device's",
			call, end->name, end->pointer);
	else
		runtime_say("%s: the %s %p has no %zu bytes that are allocated", call, end->name, end->pointer, bytes);
	return NULL;
}

static int copy(struct runtime *r, const char *call, void *to, const void *from, size_t bytes, int kind)
{
	if (kind < CUDA_MemcpyHostToHost || kind > CUDA_MemcpyDefault)
		return CUDA_ErrorInvalidMemcpyDirection;
	if (!bytes)
		return CUDA_Success;
	struct cuda_end source = {"source", (void *)from,
				kind == CUDA_MemcpyDeviceToHost || kind == CUDA_MemcpyDeviceToDevice},
			target = {"target", to, kind == CUDA_MemcpyHostToDevice || kind == CUDA_MemcpyDeviceToDevice};
	if (kind == CUDA_MemcpyDefault) {
		source.device = is_of_device(r, from);
		target.device = is_of_device(r, to);
	}
	const void *in = host_bytes(r, call, &source, bytes);
	void *out = host_bytes(r, call, &target, bytes);
	if (!in || !out)
		return CUDA_ErrorInvalidValue;
	memmove(out, in, bytes);
	return CUDA_Success;
}

RUNTIME_API int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
	struct runtime *r = runtime_enter();
	int error = runtime_wait(r, CUDA_Success);
	return runtime_leave(error != CUDA_Success ? error : copy(r, "cudaMemcpy", to, from, bytes, kind));
}

RUNTIME_API int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct cuda_stream *stream)
{
	(void)stream;
	struct runtime *r = runtime_enter();
	return runtime_leave(copy(r, "cudaMemcpyAsync", to, from, bytes, kind));
}

static int copy_rows(const char *call, void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, int kind)
{
	struct runtime *r = runtime_enter();
	int error = CUDA_Success;
	if (width > to_pitch || width > from_pitch)
		return runtime_leave(CUDA_ErrorInvalidPitchValue);
	for (size_t y = 0; y < height && error == CUDA_Success; y++)
		error = copy(r, call, (char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, kind);
	return runtime_leave(error);
}

RUNTIME_API int cudaMemcpy2D(
	void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind)
{
	return copy_rows("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, kind);
}

RUNTIME_API int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, int kind, struct cuda_stream *stream)
{
	(void)stream;
	return copy_rows("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, kind);
}

static int set(const char *call, void *at, int value, size_t bytes)
{
	struct runtime *r = runtime_enter();
	struct cuda_end target = {"target", at, true};
	if (!bytes)
		return runtime_leave(CUDA_Success);
	void *out = host_bytes(r, call, &target, bytes);
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memset(out, value, bytes);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemset(void *at, int value, size_t bytes)
{
	return set("cudaMemset", at, value, bytes);
}

RUNTIME_API int cudaMemsetAsync(void *at, int value, size_t bytes, struct cuda_stream *stream)
{
	(void)stream;
	return set("cudaMemsetAsync", at, value, bytes);
}

/* --- variables ---------------------------------------------------------------------------------------------------- */

static bool find_symbol(struct runtime *r, const void *symbol, struct simt_variable *out)
{
	const struct cuda_variable *v = runtime_variable(r, symbol);
	return v && runtime_load_module(r, v->module) && simt_variables_find(v->module->variables, v->name, out);
}

static int copy_symbol(const void *symbol, void *host, size_t bytes, size_t offset, bool to_device, int kind)
{
	struct runtime *r = runtime_enter();
	struct simt_variable v;
	int error = runtime_wait(r, CUDA_Success);
	if (error != CUDA_Success)
		return runtime_leave(error);
	if (!find_symbol(r, symbol, &v))
		return runtime_leave(CUDA_ErrorInvalidSymbol);
	if (offset > v.size || bytes > v.size - offset)
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct cuda_end other = {to_device ? "source" : "target", host, kind == CUDA_MemcpyDeviceToDevice};
	void *at = host_bytes(r, to_device ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol", &other, bytes);
	if (!at)
		return runtime_leave(CUDA_ErrorInvalidValue);
	memmove(to_device ? (char *)v.bytes + offset : at, to_device ? at : (char *)v.bytes + offset, bytes);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, int kind)
{
	return copy_symbol(symbol, (void *)from, bytes, offset, true, kind);
}

RUNTIME_API int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind)
{
	return copy_symbol(symbol, to, bytes, offset, false, kind);
}

RUNTIME_API int cudaGetSymbolAddress(void **pointer, const void *symbol)
{
	struct runtime *r = runtime_enter();
	struct simt_variable v;
	if (!pointer || !find_symbol(r, symbol, &v))
		return runtime_leave(CUDA_ErrorInvalidSymbol);
	*pointer = (void *)(uintptr_t)v.address;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaGetSymbolSize(size_t *size, const void *symbol)
{
	struct runtime *r = runtime_enter();
	struct simt_variable v;
	if (!size || !find_symbol(r, symbol, &v))
		return runtime_leave(CUDA_ErrorInvalidSymbol);
	*size = v.size;
	return runtime_leave(CUDA_Success);
}
