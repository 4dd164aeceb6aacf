/* Copies and fills: of memory, rows, boxes, arrays and variables. */
#include "runtime/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/report/report.h"
#include "runtime/stream/graph.h"

/* --- one end of a copy -------------------------------------------------------------------------------------------- */

static int refuse_end(
	struct runtime *r, const struct copy_request *request, const char *name, const void *at, bool is_device)
{
	report_problem(r, REPORT_COPY, NULL,
		"%s: the %s %p is memory of the %s; the direction of the copy says it is the %s's", request->call, name,
		at, is_device ? "device" : "host", is_device ? "host" : "device");
	return CUDA_ErrorInvalidValue;
}

/* The bytes are not there: the first of them that is not. */
static void report_missing(struct runtime *r, const char *call, const char *name, const void *at, size_t span)
{
	struct buf what = {0};
	const struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)at, 0);
	if (a)
		report_address(r, a->address + a->bytes, &what);
	else
		report_address(r, (uintptr_t)at, &what);
	bool past = a && span > a->bytes - ((uintptr_t)at - a->address);
	uint64_t over = past ? span - (a->bytes - ((uintptr_t)at - a->address)) : 0;
	if (report_is_on() && past)
		report_problem(r, REPORT_COPY, NULL,
			"%s: the %s %p has no %zu bytes: the last %llu are past the end; it goes on %s", call, name, at,
			span, (unsigned long long)over, buf_str(&what));
	else
		report_problem(r, REPORT_COPY, NULL, "%s: the %s %p has no %zu bytes that are allocated%s%s", call,
			name, at, span, what.len ? ": " : "", what.len ? buf_str(&what) : "");
	buf_free(&what);
}

/* Finds the bytes of an end, which spans so many; says why it cannot. */
static int find_end(
	struct runtime *r, const struct copy_request *request, bool target, size_t span, struct copy_end *out)
{
	const char *name = target ? "target" : "source";
	bool of_device = runtime_is_of_device(r, out->at);
	bool device = request->kind == CUDA_MemcpyDeviceToDevice ||
		request->kind == (target ? CUDA_MemcpyHostToDevice : CUDA_MemcpyDeviceToHost);
	const struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)out->at, 0);
	if (target ? request->to_array : request->from_array) {
		out->where = COPY_DEVICE;
		return CUDA_Success;
	}
	if (request->kind == CUDA_MemcpyDefault)
		device = of_device || (a && a->kind >= MEMORY_MANAGED);
	if (a && a->kind == MEMORY_ARRAY)
		a = NULL;
	if (of_device && !device)
		return refuse_end(r, request, name, out->at, true);
	if (!of_device && !a && device)
		return refuse_end(r, request, name, out->at, false);
	if (a && !runtime_allocation(r, (uintptr_t)out->at, span))
		a = NULL;
	if (device && !a) {
		report_missing(r, request->call, name, out->at, span);
		return CUDA_ErrorInvalidValue;
	}
	if (target && a && a->read_only) {
		report_problem(r, REPORT_COPY, NULL, "%s: the target %p may only be read (cuMemSetAccess)",
			request->call, (void *)out->at);
		return CUDA_ErrorInvalidValue;
	}
	out->where = device ? COPY_DEVICE : a ? COPY_PINNED : COPY_HOST;
	out->address = a ? (uintptr_t)out->at : 0;
	if (a)
		out->at = a->host + (out->address - a->address);
	return CUDA_Success;
}

/* Bytes from the first to the last of `n` pieces of `bytes` that begin `apart`; SIZE_MAX where that is no number. */
static size_t span_of_pieces(size_t n, size_t apart, size_t bytes)
{
	size_t span;
	return __builtin_mul_overflow(n - 1, apart, &span) || __builtin_add_overflow(span, bytes, &span) ? SIZE_MAX
													 : span;
}

static size_t span_of(const struct copy_request *request, const struct copy_end *end)
{
	return span_of_pieces(request->depth, end->slice, span_of_pieces(request->height, end->pitch, request->width));
}

int copy_work(struct runtime *r, const struct copy_request *request, struct cuda_work *out)
{
	*out = (struct cuda_work){.kind = WORK_NOTHING};
	if (request->kind < CUDA_MemcpyHostToHost || request->kind > CUDA_MemcpyDefault)
		return CUDA_ErrorInvalidMemcpyDirection;
	if (!request->width || !request->height || !request->depth)
		return CUDA_Success;
	if ((request->height > 1 || request->depth > 1) &&
		(request->width > request->to.pitch || request->width > request->from.pitch))
		return CUDA_ErrorInvalidPitchValue;
	if (!request->to.at || !request->from.at)
		return CUDA_ErrorInvalidValue;
	if (span_of(request, &request->to) == SIZE_MAX || span_of(request, &request->from) == SIZE_MAX) {
		runtime_warn("%s: no memory has so many bytes", request->call);
		return CUDA_ErrorInvalidValue;
	}
	struct copy_end to = request->to, from = request->from;
	int error = find_end(r, request, false, span_of(request, &from), &from);
	if (error == CUDA_Success)
		error = find_end(r, request, true, span_of(request, &to), &to);
	if (error != CUDA_Success)
		return error;
	*out = (struct cuda_work){.kind = WORK_COPY,
		.copy = {.to = to,
			.from = from,
			.width = request->width,
			.height = request->height,
			.depth = request->depth}};
	return CUDA_Success;
}

/* --- when it is done ---------------------------------------------------------------------------------------------- */

/* Programming Guide, API synchronization: up to so many bytes of such memory the call does not wait for the copy. Here
 * it never does; the report says of larger ones that a GPU's driver may. */
#define STAGED_AT_ONCE ((size_t)64 << 10)

int copy_submit(struct runtime *r, struct cuda_stream *stream, struct cuda_work *w, enum copy_when when)
{
	if (w->kind == WORK_NOTHING && when == COPY_ASYNC)
		return r->failure_known ? r->failed : CUDA_Success;
	if (!stream->capture && graph_memory_refuses(r, w)) {
		work_drop(w);
		return CUDA_ErrorInvalidValue;
	}
	if (when == COPY_SYNC)
		return queue_do(r, stream, w);
	if (stream->capture || w->kind != WORK_COPY)
		return queue_submit(r, stream, w);
	bool pageable = w->copy.from.where == COPY_HOST || w->copy.to.where == COPY_HOST;
	if (pageable && (w->copy.to.where == COPY_HOST || queue_all_idle(r)))
		return queue_do(r, stream, w);

	if (pageable) {
		/* What is read from memory of the host that no call has pinned is read before the call returns, so that
		 * the program may change it. */
		size_t width = w->copy.width, slice = width * w->copy.height;
		char *staged = malloc(slice * w->copy.depth);
		struct copy_end *from = &w->copy.from;
		if (!staged)
			return CUDA_ErrorMemoryAllocation;
		for (size_t z = 0; z < w->copy.depth; z++)
			for (size_t y = 0; y < w->copy.height; y++)
				memcpy(staged + z * slice + y * width, from->at + z * from->slice + y * from->pitch,
					width);
		w->copy.staged = staged;
		*from = (struct copy_end){.at = staged, .pitch = width, .slice = slice, .where = COPY_HOST};
	}

	w->blocks = pageable && w->copy.width * w->copy.height * w->copy.depth > STAGED_AT_ONCE;
	return queue_submit(r, stream, w);
}

int copy_do(const struct copy_request *request, struct cuda_stream *handle, enum copy_when when)
{
	RUNTIME_ENTER(r);
	struct cuda_work w;
	struct cuda_stream *stream = queue_stream(r, handle);
	if (!stream)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	int error = copy_work(r, request, &w);
	return runtime_leave(error != CUDA_Success ? error : copy_submit(r, stream, &w, when));
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static struct copy_end end_at(const void *at, size_t pitch, size_t slice)
{
	return (struct copy_end){.at = (char *)at, .pitch = pitch, .slice = slice};
}

struct copy_request copy_bytes(const char *call, void *to, const void *from, size_t bytes, int kind)
{
	return (struct copy_request){.call = call,
		.to = end_at(to, bytes, bytes),
		.from = end_at(from, bytes, bytes),
		.width = bytes,
		.height = 1,
		.depth = 1,
		.kind = kind};
}

RUNTIME_API int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
	struct copy_request request = copy_bytes("cudaMemcpy", to, from, bytes, kind);
	return copy_do(&request, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, struct cuda_stream *stream)
{
	struct copy_request request = copy_bytes("cudaMemcpyAsync", to, from, bytes, kind);
	return copy_do(&request, stream, COPY_ASYNC);
}

static struct copy_request copy_rows(
	const char *call, struct copy_end to, struct copy_end from, size_t width, size_t height)
{
	return (struct copy_request){
		.call = call, .to = to, .from = from, .width = width, .height = height, .depth = 1};
}

static int copy_2d(const char *call, struct copy_request request, struct cuda_stream *stream, enum copy_when when)
{
	request.call = call;
	if (request.width > request.to.pitch || request.width > request.from.pitch) {
		RUNTIME_ENTER(r);
		return runtime_leave(CUDA_ErrorInvalidPitchValue);
	}
	return copy_do(&request, stream, when);
}

RUNTIME_API int cudaMemcpy2D(
	void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind)
{
	struct copy_request request = copy_rows(
		"", end_at(to, to_pitch, 0), end_at(from, from_pitch, 0), width, height);
	request.kind = kind;
	return copy_2d("cudaMemcpy2D", request, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, int kind, struct cuda_stream *stream)
{
	struct copy_request request = copy_rows(
		"", end_at(to, to_pitch, 0), end_at(from, from_pitch, 0), width, height);
	request.kind = kind;
	return copy_2d("cudaMemcpy2DAsync", request, stream, COPY_ASYNC);
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

static struct copy_end end_of_pitched(const struct cuda_pitched *p, struct cuda_place at)
{
	size_t slice = p->pitch * p->height;
	return end_at((char *)p->pointer + at.z * slice + at.y * p->pitch + at.x, p->pitch, slice);
}

static struct copy_end end_of_array(const struct cuda_array *a, struct cuda_place at)
{
	size_t pitch = a->width * a->texel, slice = pitch * a->height;
	size_t offset = at.z * slice + at.y * pitch + at.x * a->texel;
	struct copy_end end = end_at(a->host + offset, pitch, slice);
	end.address = a->address + offset;
	return end;
}

static bool is_inside(const struct cuda_array *a, struct cuda_place at, struct cuda_extent e)
{
	return at.x <= a->width && e.width <= a->width - at.x && at.y <= a->height && e.height <= a->height - at.y &&
		at.z <= a->depth && e.depth <= a->depth - at.z;
}

int copy_box(const char *call, const struct cuda_copy *c, struct copy_request *out)
{
	struct cuda_array *to = array_of(c->to_array), *from = array_of(c->from_array);
	struct cuda_extent e = c->extent;
	if (!e.width || !e.height || !e.depth) {
		*out = (struct copy_request){.call = call, .kind = c->kind};
		return CUDA_Success;
	}
	if ((!to && !c->to.pointer) || (!from && !c->from.pointer) || (c->to_array && !to) || (c->from_array && !from))
		return CUDA_ErrorInvalidValue;
	if ((to && !is_inside(to, c->to_place, e)) || (from && !is_inside(from, c->from_place, e)) ||
		(to && from && to->texel != from->texel))
		return CUDA_ErrorInvalidValue;
	*out = (struct copy_request){.call = call,
		.to = to ? end_of_array(to, c->to_place) : end_of_pitched(&c->to, c->to_place),
		.from = from ? end_of_array(from, c->from_place) : end_of_pitched(&c->from, c->from_place),
		.to_array = to != NULL,
		.from_array = from != NULL,
		.width = e.width *
			(to                    ? to->texel
					: from ? from->texel
					       : 1),
		.height = e.height,
		.depth = e.depth,
		.kind = c->kind};
	return CUDA_Success;
}

static int copy_3d(const char *call, const struct cuda_copy *c, struct cuda_stream *stream, enum copy_when when)
{
	struct copy_request request;
	int error = c ? copy_box(call, c, &request) : CUDA_ErrorInvalidValue;
	if (error == CUDA_Success)
		return copy_do(&request, stream, when);
	RUNTIME_ENTER(r);
	return runtime_leave(error);
}

RUNTIME_API int cudaMemcpy3D(const struct cuda_copy *c)
{
	return copy_3d("cudaMemcpy3D", c, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpy3DAsync(const struct cuda_copy *c, struct cuda_stream *stream)
{
	return copy_3d("cudaMemcpy3DAsync", c, stream, COPY_ASYNC);
}

/* --- rows of arrays: offsets and widths in bytes ------------------------------------------------------------------ */

/* Rows from a byte of an array on. */
static bool end_in_array(
	const struct cuda_array *a, size_t x, size_t y, const struct cuda_extent *size, struct copy_end *out)
{
	size_t pitch = a ? a->width * a->texel : 0;
	if (!a || x > pitch || size->width > pitch - x || y > a->height * a->depth ||
		size->height > a->height * a->depth - y)
		return false;
	*out = end_at(a->host + y * pitch + x, pitch, 0);
	out->address = a->address + y * pitch + x;
	return true;
}

struct array_copy {
	struct cuda_array *to, *from;
	struct copy_end at; /* of the end that is no array */
	size_t to_x, to_y, from_x, from_y;
	size_t width, height;
	int kind;
};

static int copy_array(const char *call, const struct array_copy *c, struct cuda_stream *stream, enum copy_when when)
{
	struct cuda_extent size = {c->width, c->height, 1};
	struct copy_request request = copy_rows(call, c->at, c->at, c->width, c->height);
	bool good = true;
	request.kind = c->kind;
	request.to_array = c->to != NULL;
	request.from_array = c->from != NULL;
	if (c->to)
		good = end_in_array(array_of(c->to), c->to_x, c->to_y, &size, &request.to);
	if (c->from)
		good &= end_in_array(array_of(c->from), c->from_x, c->from_y, &size, &request.from);
	if (good)
		return copy_2d(call, request, stream, when);
	RUNTIME_ENTER(r);
	return runtime_leave(CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaMemcpy2DToArray(struct cuda_array *to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, int kind)
{
	struct array_copy c = {.to = to, .at = end_at(from, pitch, 0), .to_x = x, .to_y = y, .kind = kind};
	c.width = width;
	c.height = height;
	return copy_array("cudaMemcpy2DToArray", &c, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpy2DToArrayAsync(struct cuda_array *to, size_t x, size_t y, const void *from, size_t pitch,
	size_t width, size_t height, int kind, struct cuda_stream *stream)
{
	struct array_copy c = {.to = to, .at = end_at(from, pitch, 0), .to_x = x, .to_y = y, .kind = kind};
	c.width = width;
	c.height = height;
	return copy_array("cudaMemcpy2DToArrayAsync", &c, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpy2DFromArray(void *to, size_t pitch, const struct cuda_array *from, size_t x, size_t y,
	size_t width, size_t height, int kind)
{
	struct array_copy c = {.from = (struct cuda_array *)from, .at = end_at(to, pitch, 0), .from_x = x, .from_y = y};
	c.width = width;
	c.height = height;
	c.kind = kind;
	return copy_array("cudaMemcpy2DFromArray", &c, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, const struct cuda_array *from, size_t x, size_t y,
	size_t width, size_t height, int kind, struct cuda_stream *stream)
{
	struct array_copy c = {.from = (struct cuda_array *)from, .at = end_at(to, pitch, 0), .from_x = x, .from_y = y};
	c.width = width;
	c.height = height;
	c.kind = kind;
	return copy_array("cudaMemcpy2DFromArrayAsync", &c, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpy2DArrayToArray(struct cuda_array *to, size_t to_x, size_t to_y, const struct cuda_array *from,
	size_t from_x, size_t from_y, size_t width, size_t height, int kind)
{
	struct array_copy c = {.to = to, .from = (struct cuda_array *)from, .to_x = to_x, .to_y = to_y};
	c.from_x = from_x;
	c.from_y = from_y;
	c.width = width;
	c.height = height;
	c.kind = kind;
	return copy_array("cudaMemcpy2DArrayToArray", &c, NULL, COPY_SYNC);
}

/* --- bytes of arrays, row after row ------------------------------------------------------------------------------- */

static int copy_run(const char *call, const struct array_copy *c, struct cuda_stream *stream, enum copy_when when)
{
	const struct cuda_array *arrays[] = {array_of(c->to), array_of(c->from)};
	const size_t x[] = {c->to_x, c->from_x}, y[] = {c->to_y, c->from_y};
	struct copy_request request = copy_bytes(call, c->at.at, c->at.at, c->width, c->kind);
	struct copy_end *ends[] = {&request.to, &request.from};
	bool good = (!c->to || arrays[0]) && (!c->from || arrays[1]);
	for (int i = 0; i < 2; i++) {
		const struct cuda_array *a = arrays[i];
		size_t pitch = a ? a->width * a->texel : 0, offset = y[i] * pitch + x[i];
		size_t bytes = a ? pitch * a->height * a->depth : 0;
		if (!a)
			continue;
		good &= y[i] <= a->height * a->depth && offset <= bytes && c->width <= bytes - offset;
		ends[i]->at = a->host + offset;
		ends[i]->address = a->address + offset;
	}
	request.to_array = arrays[0] != NULL;
	request.from_array = arrays[1] != NULL;
	if (good)
		return copy_do(&request, stream, when);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(CUDA_ErrorInvalidValue);
}

RUNTIME_API int cudaMemcpyToArray(struct cuda_array *to, size_t x, size_t y, const void *from, size_t bytes, int kind)
{
	struct array_copy c = {.to = to, .at = end_at(from, 0, 0), .to_x = x, .to_y = y, .width = bytes, .kind = kind};
	return copy_run("cudaMemcpyToArray", &c, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpyToArrayAsync(
	struct cuda_array *to, size_t x, size_t y, const void *from, size_t bytes, int kind, struct cuda_stream *stream)
{
	struct array_copy c = {.to = to, .at = end_at(from, 0, 0), .to_x = x, .to_y = y, .width = bytes, .kind = kind};
	return copy_run("cudaMemcpyToArrayAsync", &c, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpyFromArray(void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind)
{
	struct array_copy c = {.from = (struct cuda_array *)from, .at = end_at(to, 0, 0), .from_x = x, .from_y = y};
	c.width = bytes;
	c.kind = kind;
	return copy_run("cudaMemcpyFromArray", &c, NULL, COPY_SYNC);
}

RUNTIME_API int cudaMemcpyFromArrayAsync(
	void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind, struct cuda_stream *stream)
{
	struct array_copy c = {.from = (struct cuda_array *)from, .at = end_at(to, 0, 0), .from_x = x, .from_y = y};
	c.width = bytes;
	c.kind = kind;
	return copy_run("cudaMemcpyFromArrayAsync", &c, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpyArrayToArray(struct cuda_array *to, size_t to_x, size_t to_y, const struct cuda_array *from,
	size_t from_x, size_t from_y, size_t bytes, int kind)
{
	struct array_copy c = {.to = to, .from = (struct cuda_array *)from, .to_x = to_x, .to_y = to_y};
	c.from_x = from_x;
	c.from_y = from_y;
	c.width = bytes;
	c.kind = kind;
	return copy_run("cudaMemcpyArrayToArray", &c, NULL, COPY_ASYNC);
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

int copy_fill_work(struct runtime *r, const struct copy_fill *f, struct cuda_work *out)
{
	*out = (struct cuda_work){.kind = WORK_NOTHING};
	if (!f->width || !f->height)
		return CUDA_Success;
	if (f->height > 1 && f->width > f->pitch)
		return CUDA_ErrorInvalidPitchValue;
	size_t span = span_of_pieces(f->height, f->pitch, f->width);
	const struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)f->at, span);
	if (!a && (runtime_is_of_device(r, f->at) || runtime_allocation(r, (uintptr_t)f->at, 0)))
		report_missing(r, f->call, "target", f->at, span);
	else if (!a)
		report_problem(r, REPORT_COPY, NULL,
			"%s: the target %p is memory of the host; only the device's can be set", f->call, f->at);
	if (a && a->read_only)
		report_problem(
			r, REPORT_COPY, NULL, "%s: the target %p may only be read (cuMemSetAccess)", f->call, f->at);
	if (!a || a->read_only)
		return CUDA_ErrorInvalidValue;
	*out = (struct cuda_work){.kind = WORK_FILL,
		.fill = {.at = a->host + ((uintptr_t)f->at - a->address),
			.address = (uintptr_t)f->at,
			.pitch = f->pitch,
			.width = f->width,
			.height = f->height,
			.value = f->element == 1 ? f->value & 0xFF : f->value,
			.element = f->element}};
	return CUDA_Success;
}

int copy_fill_do(const struct copy_fill *f, struct cuda_stream *handle, enum copy_when when)
{
	RUNTIME_ENTER(r);
	struct cuda_work w;
	struct cuda_stream *stream = queue_stream(r, handle);
	if (!stream)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	int error = copy_fill_work(r, f, &w);
	return runtime_leave(error != CUDA_Success ? error : copy_submit(r, stream, &w, when));
}

/* A fill of the device's memory does not wait: it is in the order of its stream. */
RUNTIME_API int cudaMemset(void *at, int value, size_t bytes)
{
	struct copy_fill f = {"cudaMemset", at, bytes, bytes, 1, (uint32_t)value, 1};
	return copy_fill_do(&f, NULL, COPY_ASYNC);
}

RUNTIME_API int cudaMemsetAsync(void *at, int value, size_t bytes, struct cuda_stream *stream)
{
	struct copy_fill f = {"cudaMemsetAsync", at, bytes, bytes, 1, (uint32_t)value, 1};
	return copy_fill_do(&f, stream, COPY_ASYNC);
}

RUNTIME_API int cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height)
{
	struct copy_fill f = {"cudaMemset2D", at, pitch, width, height, (uint32_t)value, 1};
	return copy_fill_do(&f, NULL, COPY_ASYNC);
}

RUNTIME_API int cudaMemset2DAsync(
	void *at, size_t pitch, int value, size_t width, size_t height, struct cuda_stream *stream)
{
	struct copy_fill f = {"cudaMemset2DAsync", at, pitch, width, height, (uint32_t)value, 1};
	return copy_fill_do(&f, stream, COPY_ASYNC);
}

static int fill_3d(const char *call, const struct cuda_pitched *p, int value, const struct cuda_extent *e,
	struct cuda_stream *stream)
{
	int error = CUDA_Success;
	size_t slices = e->width && e->height ? e->depth : 0;
	for (size_t z = 0; z < slices && error == CUDA_Success; z++) {
		char *at = (char *)p->pointer + z * p->pitch * p->height;
		struct copy_fill f = {call, at, p->pitch, e->width, e->height, (uint32_t)value, 1};
		error = copy_fill_do(&f, stream, COPY_ASYNC);
	}
	return error;
}

RUNTIME_API int cudaMemset3D(struct cuda_pitched p, int value, struct cuda_extent e)
{
	return fill_3d("cudaMemset3D", &p, value, &e, NULL);
}

RUNTIME_API int cudaMemset3DAsync(struct cuda_pitched p, int value, struct cuda_extent e, struct cuda_stream *stream)
{
	return fill_3d("cudaMemset3DAsync", &p, value, &e, stream);
}
