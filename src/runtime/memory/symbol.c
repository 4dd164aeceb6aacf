/* Variables of the program's kernels, by the host's name for them. */
#include "runtime/memory/copy.h"

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
	struct copy_ask ask = copy_bytes(
		s->call, s->to_symbol ? at : s->other, s->to_symbol ? s->other : at, s->bytes, s->kind);
	ask.to_array = s->to_symbol;
	ask.from_array = !s->to_symbol;
	return copy_work(r, &ask, out);
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
