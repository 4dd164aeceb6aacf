/* Streams and events. Work is done in the call that asks for it (state.h), so nothing is ever left to wait for. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "runtime/state.h"

struct cuda_stream {
	int priority;
	unsigned int flags;
};

struct cuda_event {
	bool recorded;
	double ms; /* when it was recorded, of this processor's clock */
};

/* The streams that need no making: NULL, legacy (1) and per-thread (2). */
#define STREAMS_BUILT_IN 2u

static bool is_built_in(struct cuda_stream *stream)
{
	return (uintptr_t)stream <= STREAMS_BUILT_IN;
}

RUNTIME_API int cudaStreamCreateWithPriority(struct cuda_stream **stream, unsigned int flags, int priority)
{
	struct runtime *r = runtime_enter();
	if (!stream || flags > 1)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*stream = arena_alloc(r->arena, sizeof **stream);
	**stream = (struct cuda_stream){priority, flags};
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamCreateWithFlags(struct cuda_stream **stream, unsigned int flags)
{
	return cudaStreamCreateWithPriority(stream, flags, 0);
}

RUNTIME_API int cudaStreamCreate(struct cuda_stream **stream)
{
	return cudaStreamCreateWithPriority(stream, 0, 0);
}

RUNTIME_API int cudaStreamDestroy(struct cuda_stream *stream)
{
	runtime_enter();
	return runtime_leave(is_built_in(stream) ? CUDA_ErrorInvalidResourceHandle : CUDA_Success);
}

static int wait(void)
{
	struct runtime *r = runtime_enter();
	return runtime_leave(runtime_wait(r, CUDA_Success));
}

RUNTIME_API int cudaDeviceSynchronize(void)
{
	return wait();
}

RUNTIME_API int cudaStreamSynchronize(struct cuda_stream *stream)
{
	(void)stream;
	return wait();
}

RUNTIME_API int cudaStreamQuery(struct cuda_stream *stream)
{
	(void)stream;
	return wait();
}

RUNTIME_API int cudaStreamWaitEvent(struct cuda_stream *stream, struct cuda_event *event, unsigned int flags)
{
	(void)stream, (void)flags;
	runtime_enter();
	return runtime_leave(event ? CUDA_Success : CUDA_ErrorInvalidResourceHandle);
}

RUNTIME_API int cudaStreamGetFlags(struct cuda_stream *stream, unsigned int *flags)
{
	runtime_enter();
	if (!flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*flags = is_built_in(stream) ? 0 : stream->flags;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamGetPriority(struct cuda_stream *stream, int *priority)
{
	runtime_enter();
	if (!priority)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*priority = is_built_in(stream) ? 0 : stream->priority;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	runtime_enter();
	if (least)
		*least = 0;
	if (greatest)
		*greatest = 0;
	return runtime_leave(CUDA_Success);
}

/* All work before it has been done. */
RUNTIME_API int cudaLaunchHostFunc(struct cuda_stream *stream, void (*function)(void *), void *data)
{
	(void)stream;
	if (!function)
		return runtime_enter(), runtime_leave(CUDA_ErrorInvalidValue);
	function(data);
	return CUDA_Success;
}

RUNTIME_API int cudaStreamAddCallback(
	struct cuda_stream *stream, void (*function)(struct cuda_stream *, int, void *), void *data, unsigned int flags)
{
	if (!function || flags)
		return runtime_enter(), runtime_leave(CUDA_ErrorInvalidValue);
	function(stream, CUDA_Success, data);
	return CUDA_Success;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

RUNTIME_API int cudaEventCreateWithFlags(struct cuda_event **event, unsigned int flags)
{
	(void)flags;
	struct runtime *r = runtime_enter();
	if (!event)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*event = arena_alloc(r->arena, sizeof **event);
	**event = (struct cuda_event){0};
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaEventCreate(struct cuda_event **event)
{
	return cudaEventCreateWithFlags(event, 0);
}

RUNTIME_API int cudaEventDestroy(struct cuda_event *event)
{
	runtime_enter();
	return runtime_leave(event ? CUDA_Success : CUDA_ErrorInvalidResourceHandle);
}

RUNTIME_API int cudaEventRecord(struct cuda_event *event, struct cuda_stream *stream)
{
	(void)stream;
	runtime_enter();
	if (!event)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	*event = (struct cuda_event){true, clock_ms()};
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaEventSynchronize(struct cuda_event *event)
{
	return event ? wait() : (runtime_enter(), runtime_leave(CUDA_ErrorInvalidResourceHandle));
}

RUNTIME_API int cudaEventQuery(struct cuda_event *event)
{
	return cudaEventSynchronize(event);
}

/* The events' time is this processor's. */
RUNTIME_API int cudaEventElapsedTime(float *ms, struct cuda_event *from, struct cuda_event *to)
{
	runtime_enter();
	if (!ms || !from || !to || !from->recorded || !to->recorded)
		return runtime_leave(ms ? CUDA_ErrorInvalidResourceHandle : CUDA_ErrorInvalidValue);
	*ms = (float)(to->ms - from->ms);
	return runtime_leave(CUDA_Success);
}
