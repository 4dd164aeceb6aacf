/* Memory of the driver API: where it differs from the runtime's. */
#include <string.h>

#include "runtime/driver/driver.h"
#include "runtime/memory/memory.h"

int cudaMalloc(void **pointer, size_t bytes);
int cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);

int cuMemAlloc_v2(void **pointer, size_t bytes)
{
	return bytes ? cudaMalloc(pointer, bytes) : CUDA_ErrorInvalidValue;
}

int cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height, unsigned int element)
{
	bool known = element == 4 || element == 8 || element == 16;
	return known && width && height ? cudaMallocPitch(pointer, pitch, width, height) : CUDA_ErrorInvalidValue;
}

int cuMemGetAddressRange_v2(uint64_t *base, size_t *bytes, uint64_t at)
{
	RUNTIME_ENTER(r);
	const struct cuda_allocation *a = runtime_allocation(r, at, 1);
	if (!a)
		return runtime_leave(CUDA_ErrorSymbolNotFound);
	if (base)
		*base = a->address;
	if (bytes)
		*bytes = a->bytes;
	return runtime_leave(CUDA_Success);
}

/* --- copies of bytes ---------------------------------------------------------------------------------------------- */

#define COPY(name, kind)                                                                                               \
	int name##_v2(void *to, const void *from, size_t bytes)                                                        \
	{                                                                                                              \
		struct copy_request request = copy_bytes(#name, to, from, bytes, kind);                                \
		return copy_do(&request, NULL, COPY_SYNC);                                                             \
	}                                                                                                              \
	int name##Async_v2(void *to, const void *from, size_t bytes, struct cuda_stream *stream)                       \
	{                                                                                                              \
		struct copy_request request = copy_bytes(#name "Async", to, from, bytes, kind);                        \
		return copy_do(&request, stream, COPY_ASYNC);                                                          \
	}
COPY(cuMemcpyHtoD, CUDA_MemcpyHostToDevice)
COPY(cuMemcpyDtoH, CUDA_MemcpyDeviceToHost)
COPY(cuMemcpyDtoD, CUDA_MemcpyDeviceToDevice)

int cuMemcpy(void *to, const void *from, size_t bytes)
{
	struct copy_request request = copy_bytes("cuMemcpy", to, from, bytes, CUDA_MemcpyDefault);
	return copy_do(&request, NULL, COPY_SYNC);
}

int cuMemcpyAsync(void *to, const void *from, size_t bytes, struct cuda_stream *stream)
{
	struct copy_request request = copy_bytes("cuMemcpyAsync", to, from, bytes, CUDA_MemcpyDefault);
	return copy_do(&request, stream, COPY_ASYNC);
}

static int copy_between(const struct copy_request *request, const void *contexts[2], struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	bool known = runtime_context_of(r, contexts[0]) && runtime_context_of(r, contexts[1]);
	runtime_unlock();
	return known ? copy_do(request, stream, COPY_ASYNC) : CUDA_ErrorDeviceUninitialized;
}

int cuMemcpyPeer(void *to, const void *to_context, const void *from, const void *from_context, size_t bytes)
{
	struct copy_request request = copy_bytes("cuMemcpyPeer", to, from, bytes, CUDA_MemcpyDefault);
	return copy_between(&request, (const void *[]){to_context, from_context}, NULL);
}

int cuMemcpyPeerAsync(void *to, const void *to_context, const void *from, const void *from_context, size_t bytes,
	struct cuda_stream *stream)
{
	struct copy_request request = copy_bytes("cuMemcpyPeerAsync", to, from, bytes, CUDA_MemcpyDefault);
	return copy_between(&request, (const void *[]){to_context, from_context}, stream);
}

/* --- bytes of arrays of one dimension ----------------------------------------------------------------------------- */

int cudaMemcpyToArray(struct cuda_array *to, size_t x, size_t y, const void *from, size_t bytes, int kind);
int cudaMemcpyFromArray(void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind);
int cudaMemcpyToArrayAsync(struct cuda_array *to, size_t x, size_t y, const void *from, size_t bytes, int kind,
	struct cuda_stream *stream);
int cudaMemcpyFromArrayAsync(void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind,
	struct cuda_stream *stream);
int cudaMemcpyArrayToArray(struct cuda_array *to, size_t to_x, size_t to_y, const struct cuda_array *from,
	size_t from_x, size_t from_y, size_t bytes, int kind);

int cuMemcpyAtoH_v2(void *to, const struct cuda_array *from, size_t offset, size_t bytes)
{
	return cudaMemcpyFromArray(to, from, offset, 0, bytes, CUDA_MemcpyDeviceToHost);
}

int cuMemcpyAtoHAsync_v2(
	void *to, const struct cuda_array *from, size_t offset, size_t bytes, struct cuda_stream *stream)
{
	return cudaMemcpyFromArrayAsync(to, from, offset, 0, bytes, CUDA_MemcpyDeviceToHost, stream);
}

int cuMemcpyHtoA_v2(struct cuda_array *to, size_t offset, const void *from, size_t bytes)
{
	return cudaMemcpyToArray(to, offset, 0, from, bytes, CUDA_MemcpyHostToDevice);
}

int cuMemcpyHtoAAsync_v2(
	struct cuda_array *to, size_t offset, const void *from, size_t bytes, struct cuda_stream *stream)
{
	return cudaMemcpyToArrayAsync(to, offset, 0, from, bytes, CUDA_MemcpyHostToDevice, stream);
}

int cuMemcpyAtoD_v2(void *to, const struct cuda_array *from, size_t offset, size_t bytes)
{
	return cudaMemcpyFromArray(to, from, offset, 0, bytes, CUDA_MemcpyDeviceToDevice);
}

int cuMemcpyDtoA_v2(struct cuda_array *to, size_t offset, const void *from, size_t bytes)
{
	return cudaMemcpyToArray(to, offset, 0, from, bytes, CUDA_MemcpyDeviceToDevice);
}

int cuMemcpyAtoA_v2(
	struct cuda_array *to, size_t to_offset, const struct cuda_array *from, size_t from_offset, size_t bytes)
{
	return cudaMemcpyArrayToArray(to, to_offset, 0, from, from_offset, 0, bytes, CUDA_MemcpyDeviceToDevice);
}

/* --- rows and boxes ----------------------------------------------------------------------------------------------- */

/* CUmemorytype */
enum { END_HOST = 1, END_DEVICE, END_ARRAY, END_UNIFIED };

/* One end: offsets in bytes, rows and slices. */
struct driver_end {
	size_t x, y, z;
	int type;
	const void *host, *device;
	const struct cuda_array *array;
	size_t pitch, rows;
};

/* CUDA_MEMCPY2D */
struct driver_rows {
	struct {
		size_t x, y;
		int type;
		const void *host, *device;
		const struct cuda_array *array;
		size_t pitch;
	} from, to;
	size_t width, height;
};

/* CUDA_MEMCPY3D, and CUDA_MEMCPY3D_PEER, which has contexts where this has nothing. */
struct driver_box {
	struct {
		size_t x, y, z, level;
		int type;
		const void *host, *device;
		const struct cuda_array *array;
		const void *context;
		size_t pitch, rows;
	} from, to;
	size_t width, height, depth;
};

/* Where the bytes begin. False: it is no end, or the array is too small. */
static bool find_begin(
	const struct driver_end *e, const struct copy_request *request, struct copy_end *out, bool *is_array)
{
	const struct cuda_array *a = e->type == END_ARRAY ? array_of(e->array) : NULL;
	size_t pitch = a ? a->width * a->texel : e->pitch, rows = a ? a->height : e->rows, offset, slice;
	*is_array = a != NULL;
	if (e->type < END_HOST || e->type > END_UNIFIED || (e->type == END_ARRAY && !a))
		return false;
	if (__builtin_mul_overflow(pitch, rows, &slice) || __builtin_mul_overflow(e->z, slice, &offset) ||
		e->y > SIZE_MAX / (pitch ? pitch : 1) || __builtin_add_overflow(offset, e->y * pitch, &offset) ||
		__builtin_add_overflow(offset, e->x, &offset))
		return false;
	if (a &&
		(e->x > pitch || request->width > pitch - e->x || e->y > rows || request->height > rows - e->y ||
			e->z > a->depth || request->depth > a->depth - e->z))
		return false;
	const char *at = a ? a->host : e->type == END_HOST ? e->host : e->device;
	*out = (struct copy_end){.at = (char *)(uintptr_t)at + offset, .pitch = pitch, .slice = slice};
	if (a)
		out->address = a->address + offset;
	return at != NULL;
}

static bool make_request(const char *call, const struct driver_end *to, const struct driver_end *from,
	const struct cuda_extent *size, struct copy_request *out)
{
	*out = (struct copy_request){.call = call, .width = size->width, .height = size->height, .depth = size->depth};

	if (to->type == END_UNIFIED || from->type == END_UNIFIED)
		out->kind = CUDA_MemcpyDefault;
	else if (from->type == END_HOST)
		out->kind = to->type == END_HOST ? CUDA_MemcpyHostToHost : CUDA_MemcpyHostToDevice;
	else
		out->kind = to->type == END_HOST ? CUDA_MemcpyDeviceToHost : CUDA_MemcpyDeviceToDevice;

	return find_begin(to, out, &out->to, &out->to_array) && find_begin(from, out, &out->from, &out->from_array);
}

static int copy_rows_of(const char *call, const struct driver_rows *c, struct cuda_stream *stream, enum copy_when when)
{
	struct copy_request request;
	if (!c)
		return CUDA_ErrorInvalidValue;
	struct driver_end to = {c->to.x, c->to.y, 0, c->to.type, c->to.host, c->to.device, c->to.array, c->to.pitch, 0};
	struct driver_end from = {
		c->from.x, c->from.y, 0, c->from.type, c->from.host, c->from.device, c->from.array, c->from.pitch, 0};
	return make_request(call, &to, &from, &(struct cuda_extent){c->width, c->height, 1}, &request)
		? copy_do(&request, stream, when)
		: CUDA_ErrorInvalidValue;
}

int cuMemcpy2D_v2(const struct driver_rows *c)
{
	return copy_rows_of("cuMemcpy2D", c, NULL, COPY_SYNC);
}

int cuMemcpy2DUnaligned_v2(const struct driver_rows *c)
{
	return copy_rows_of("cuMemcpy2DUnaligned", c, NULL, COPY_SYNC);
}

int cuMemcpy2DAsync_v2(const struct driver_rows *c, struct cuda_stream *stream)
{
	return copy_rows_of("cuMemcpy2DAsync", c, stream, COPY_ASYNC);
}

static bool box_request(const char *call, const struct driver_box *c, struct copy_request *out)
{
	if (!c || c->to.level || c->from.level)
		return false;
	struct driver_end to = {
		c->to.x, c->to.y, c->to.z, c->to.type, c->to.host, c->to.device, c->to.array, c->to.pitch, c->to.rows};
	struct driver_end from = {c->from.x, c->from.y, c->from.z, c->from.type, c->from.host, c->from.device,
		c->from.array, c->from.pitch, c->from.rows};
	return make_request(call, &to, &from, &(struct cuda_extent){c->width, c->height, c->depth}, out);
}

int cuMemcpy3D_v2(const struct driver_box *c)
{
	struct copy_request request;
	return box_request("cuMemcpy3D", c, &request) ? copy_do(&request, NULL, COPY_SYNC) : CUDA_ErrorInvalidValue;
}

int cuMemcpy3DAsync_v2(const struct driver_box *c, struct cuda_stream *stream)
{
	struct copy_request request;
	return box_request("cuMemcpy3DAsync", c, &request) ? copy_do(&request, stream, COPY_ASYNC)
							   : CUDA_ErrorInvalidValue;
}

int cuMemcpy3DPeerAsync(const struct driver_box *c, struct cuda_stream *stream)
{
	struct copy_request request;
	if (!box_request("cuMemcpy3DPeer", c, &request))
		return CUDA_ErrorInvalidValue;
	return copy_between(&request, (const void *[]){c->to.context, c->from.context}, stream);
}

int cuMemcpy3DPeer(const struct driver_box *c)
{
	return cuMemcpy3DPeerAsync(c, NULL);
}

/* --- copies of graphs --------------------------------------------------------------------------------------------- */

int cudaGraphAddMemcpyNode(void **out, void *graph, void *const *needs, size_t n, const struct cuda_copy *copy);
int cudaGraphMemcpyNodeSetParams(void *node, const struct cuda_copy *copy);
int cudaGraphExecMemcpyNodeSetParams(void *exec, void *node, const struct cuda_copy *copy);

/* The copy in the runtime's words, in which the extent is in texels where there is an array. */
static bool copy_of_box(const struct driver_box *c, struct cuda_copy *out)
{
	const struct cuda_array *to = c && c->to.type == END_ARRAY ? array_of(c->to.array) : NULL;
	const struct cuda_array *from = c && c->from.type == END_ARRAY ? array_of(c->from.array) : NULL;
	struct copy_request request;
	if (!box_request("cuGraphAddMemcpyNode", c, &request))
		return false;
	size_t texel = to ? to->texel : from ? from->texel : 1;
	if (c->width % texel || (to && c->to.x % texel) || (from && c->from.x % texel))
		return false;
	*out = (struct cuda_copy){.to_array = (struct cuda_array *)to,
		.from_array = (struct cuda_array *)from,
		.to_place = {to ? c->to.x / texel : c->to.x, c->to.y, c->to.z},
		.from_place = {from ? c->from.x / texel : c->from.x, c->from.y, c->from.z},
		.extent = {c->width / texel, c->height, c->depth},
		.kind = request.kind};
	if (!to)
		out->to = (struct cuda_pitched){(void *)(uintptr_t)(c->to.type == END_HOST ? c->to.host : c->to.device),
			c->to.pitch, 0, c->to.rows};
	if (!from)
		out->from = (struct cuda_pitched){
			(void *)(uintptr_t)(c->from.type == END_HOST ? c->from.host : c->from.device), c->from.pitch, 0,
			c->from.rows};
	return true;
}

int cuGraphAddMemcpyNode(
	void **out, void *graph, void *const *needs, size_t n, const struct driver_box *c, const void *context)
{
	struct cuda_copy copy;
	(void)context;
	return copy_of_box(c, &copy) ? cudaGraphAddMemcpyNode(out, graph, needs, n, &copy) : CUDA_ErrorInvalidValue;
}

int cuGraphMemcpyNodeSetParams(void *node, const struct driver_box *c)
{
	struct cuda_copy copy;
	return copy_of_box(c, &copy) ? cudaGraphMemcpyNodeSetParams(node, &copy) : CUDA_ErrorInvalidValue;
}

int cuGraphExecMemcpyNodeSetParams(void *exec, void *node, const struct driver_box *c, const void *context)
{
	struct cuda_copy copy;
	(void)context;
	return copy_of_box(c, &copy) ? cudaGraphExecMemcpyNodeSetParams(exec, node, &copy) : CUDA_ErrorInvalidValue;
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static int fill(const char *call, const struct copy_fill *asked, struct cuda_stream *stream)
{
	struct copy_fill f = *asked;
	size_t width;
	f.call = call;
	if ((uintptr_t)f.at % f.element || (f.height > 1 && f.pitch % f.element) ||
		__builtin_mul_overflow(f.width, f.element, &width))
		return CUDA_ErrorInvalidValue;
	f.width = width;
	return copy_fill_do(&f, stream, COPY_ASYNC);
}

#define FILL(bits, type)                                                                                               \
	int cuMemsetD##bits##_v2(void *at, type value, size_t n)                                                       \
	{                                                                                                              \
		return fill("cuMemsetD" #bits, &(struct copy_fill){"", at, 0, n, 1, value, sizeof(type)}, NULL);       \
	}                                                                                                              \
	int cuMemsetD##bits##Async(void *at, type value, size_t n, struct cuda_stream *stream)                         \
	{                                                                                                              \
		return fill(                                                                                           \
			"cuMemsetD" #bits "Async", &(struct copy_fill){"", at, 0, n, 1, value, sizeof(type)}, stream); \
	}                                                                                                              \
	int cuMemsetD2D##bits##_v2(void *at, size_t pitch, type value, size_t width, size_t height)                    \
	{                                                                                                              \
		return fill("cuMemsetD2D" #bits,                                                                       \
			&(struct copy_fill){"", at, pitch, width, height, value, sizeof(type)}, NULL);                 \
	}                                                                                                              \
	int cuMemsetD2D##bits##Async(                                                                                  \
		void *at, size_t pitch, type value, size_t width, size_t height, struct cuda_stream *stream)           \
	{                                                                                                              \
		return fill("cuMemsetD2D" #bits "Async",                                                               \
			&(struct copy_fill){"", at, pitch, width, height, value, sizeof(type)}, stream);               \
	}
FILL(8, uint8_t)
FILL(16, uint16_t)
FILL(32, uint32_t)

/* --- what is known of an address ---------------------------------------------------------------------------------- */

/* CUpointer_attribute */
enum {
	POINTER_CONTEXT = 1,
	POINTER_MEMORY_TYPE,
	POINTER_FOR_DEVICE,
	POINTER_FOR_HOST,
	POINTER_TOKENS,
	POINTER_SYNC,
	POINTER_BUFFER,
	POINTER_IS_MANAGED,
	POINTER_DEVICE,
	POINTER_IS_LEGACY_IPC,
	POINTER_BEGIN,
	POINTER_BYTES,
	POINTER_IS_MAPPED,
	POINTER_HANDLE_TYPES,
	POINTER_IS_RDMA,
	POINTER_ACCESS,
	POINTER_POOL,
};
#define ACCESS_READ_WRITE 3

static void put_number(void *out, uint64_t value, size_t bytes)
{
	memcpy(out, &value, bytes); /* little endian */
}

/* `a` is NULL where nothing is known: then it is what says so. An error where there is no such attribute. */
static int get_pointer_attribute(
	struct runtime *r, void *out, int attribute, uint64_t at, const struct cuda_allocation *a)
{
	bool of_host = a && (a->kind == MEMORY_PINNED || a->kind == MEMORY_REGISTERED);
	bool shared = of_host || (a && a->kind == MEMORY_MANAGED);
	switch (attribute) {
	case POINTER_CONTEXT:
		put_number(out, a ? (uintptr_t)(a->context ? a->context : runtime_primary(r, a->device)) : 0, 8);
		break;
	case POINTER_MEMORY_TYPE: put_number(out, !a ? 0 : of_host ? END_HOST : END_DEVICE, 4); break;
	case POINTER_FOR_DEVICE: put_number(out, a ? at : 0, 8); break;
	case POINTER_FOR_HOST: put_number(out, shared ? at : 0, 8); break;
	case POINTER_SYNC: put_number(out, 1, 4); break;
	case POINTER_BUFFER: put_number(out, a ? a->address : 0, 8); break;
	case POINTER_IS_MANAGED: put_number(out, a && a->kind == MEMORY_MANAGED, 4); break;
	case POINTER_DEVICE: put_number(out, a ? a->device : (uint64_t)-2, 4); break;
	case POINTER_BEGIN: put_number(out, a ? a->address : 0, 8); break;
	case POINTER_BYTES: put_number(out, a ? a->bytes : 0, 8); break;
	case POINTER_IS_MAPPED: put_number(out, a != NULL, 4); break;
	case POINTER_HANDLE_TYPES: put_number(out, 0, 8); break;
	case POINTER_IS_LEGACY_IPC:
	case POINTER_IS_RDMA: put_number(out, 0, 4); break;
	case POINTER_ACCESS: put_number(out, a ? ACCESS_READ_WRITE : 0, 4); break;
	case POINTER_POOL: put_number(out, a ? (uintptr_t)a->pool : 0, 8); break;
	default: return CUDA_ErrorInvalidValue;
	}
	return CUDA_Success;
}

int cuPointerGetAttribute(void *out, int attribute, uint64_t at)
{
	RUNTIME_ENTER(r);
	const struct cuda_allocation *a = runtime_allocation(r, at, 1);
	bool needs_host = attribute == POINTER_FOR_HOST;
	if (!out || !a || (needs_host && (a->kind == MEMORY_DEVICE || a->kind >= MEMORY_VARIABLE)))
		return runtime_leave(CUDA_ErrorInvalidValue);
	return runtime_leave(get_pointer_attribute(r, out, attribute, at, a));
}

int cuPointerGetAttributes(unsigned int n, const int *attributes, void **out, uint64_t at)
{
	RUNTIME_ENTER(r);
	const struct cuda_allocation *a = runtime_allocation(r, at, 1);
	int error = n && attributes && out ? CUDA_Success : CUDA_ErrorInvalidValue;
	for (unsigned int i = 0; i < n && error == CUDA_Success; i++)
		error = out[i] ? get_pointer_attribute(r, out[i], attributes[i], at, a) : CUDA_ErrorInvalidValue;
	return runtime_leave(error);
}

/* Calls that copy wait here as they should: there is nothing to be switched. */
int cuPointerSetAttribute(const void *value, int attribute, uint64_t at)
{
	RUNTIME_ENTER(r);
	bool known = value && attribute == POINTER_SYNC && runtime_allocation(r, at, 1);
	return runtime_leave(known ? CUDA_Success : CUDA_ErrorInvalidValue);
}

/* --- advice of before CUDA 12.2: a device, or the host ------------------------------------------------------------ */

int cudaMemPrefetchAsync_v2(
	const void *at, size_t bytes, struct cuda_location to, unsigned int flags, struct cuda_stream *stream);
int cudaMemAdvise_v2(const void *at, size_t bytes, int advice, struct cuda_location to);

static struct cuda_location location_of_device(int device)
{
	return device < 0 ? (struct cuda_location){2, 0} : (struct cuda_location){1, device};
}

int cuMemPrefetchAsync(const void *at, size_t bytes, int device, struct cuda_stream *stream)
{
	return cudaMemPrefetchAsync_v2(at, bytes, location_of_device(device), 0, stream);
}

int cuMemAdvise(const void *at, size_t bytes, int advice, int device)
{
	return cudaMemAdvise_v2(at, bytes, advice, location_of_device(device));
}
