/* Events. Their times are the model's. */
#include "runtime/stream/event.h"

#include "runtime/report/report_unsynced.h"
#include "runtime/stream/graph.h"

enum { EVENT_BLOCKING = 1, EVENT_NO_TIMING = 2, EVENT_INTERPROCESS = 4 };

struct cuda_event *event_of(struct cuda_event *handle)
{
	return handle && handle->mark == EVENT_MARK ? handle : NULL;
}

RUNTIME_API int cudaEventCreateWithFlags(struct cuda_event **event, unsigned int flags)
{
	RUNTIME_ENTER(r);
	if (!event || flags > (EVENT_BLOCKING | EVENT_NO_TIMING | EVENT_INTERPROCESS) ||
		(flags & EVENT_INTERPROCESS && !(flags & EVENT_NO_TIMING)))
		return runtime_leave(CUDA_ErrorInvalidValue);
	*event = arena_alloc(r->arena, sizeof **event);
	**event = (struct cuda_event){.mark = EVENT_MARK, .flags = flags};
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaEventCreate(struct cuda_event **event)
{
	return cudaEventCreateWithFlags(event, 0);
}

RUNTIME_API int cudaEventDestroy(struct cuda_event *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	(void)r;
	if (!e)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	e->mark = 0;
	return runtime_leave(CUDA_Success);
}

/* It was last recorded in a stream that is still being captured. */
static bool is_captured(const struct cuda_event *e)
{
	return e->capture && !e->capture->ended;
}

#define RECORD_EXTERNAL 1u
#define WAIT_EXTERNAL 1u

RUNTIME_API int cudaEventRecordWithFlags(struct cuda_event *handle, struct cuda_stream *stream, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	struct cuda_stream *s = queue_stream(r, stream);
	if (!e || !s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (flags & ~RECORD_EXTERNAL)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (s->capture && !flags)
		return runtime_leave(graph_capture_record(r, s, e));
	e->capture = NULL;
	struct cuda_work work = {.kind = WORK_RECORD, .event = {.event = e}};
	return runtime_leave(queue_submit(r, s, &work));
}

RUNTIME_API int cudaEventRecord(struct cuda_event *event, struct cuda_stream *stream)
{
	return cudaEventRecordWithFlags(event, stream, 0);
}

RUNTIME_API int cudaStreamWaitEvent(struct cuda_stream *stream, struct cuda_event *handle, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	struct cuda_stream *s = queue_stream(r, stream);
	if (!e || !s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (flags & ~WAIT_EXTERNAL)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (e->capture || (s->capture && !flags))
		return runtime_leave(graph_capture_await(r, s, e));
	if (!e->recorded)
		return runtime_leave(CUDA_Success);
	struct cuda_work work = {.kind = WORK_AWAIT, .event = {.event = e, .serial = e->recorded, .stream = e->stream}};
	return runtime_leave(queue_submit(r, s, &work));
}

RUNTIME_API int cudaEventSynchronize(struct cuda_event *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	if (!e)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (is_captured(e))
		return runtime_leave(CUDA_ErrorCapturedEvent);
	if (!e->recorded)
		return runtime_leave(CUDA_Success);
	return runtime_leave(queue_wait_number(r, e->stream, e->recorded));
}

RUNTIME_API int cudaEventQuery(struct cuda_event *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	if (!e)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (is_captured(e))
		return runtime_leave(CUDA_ErrorCapturedEvent);
	if (queue_is_callback())
		return runtime_leave(CUDA_ErrorNotPermitted);
	if (e->recorded && e->stream->done < e->recorded)
		return runtime_leave(CUDA_ErrorNotReady);
	if (e->recorded)
		report_waited(r, e->stream, e->recorded);
	return runtime_leave(runtime_wait(r, CUDA_Success));
}

RUNTIME_API int cudaEventElapsedTime(float *ms, struct cuda_event *from, struct cuda_event *to)
{
	RUNTIME_ENTER(r);
	struct cuda_event *a = event_of(from), *b = event_of(to);
	if (!ms)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!a || !b || !a->recorded || !b->recorded || (a->flags | b->flags) & EVENT_NO_TIMING)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!a->done || !b->done)
		return runtime_leave(r->failure_known ? r->failed : CUDA_ErrorNotReady);
	*ms = (float)(b->at - a->at);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaEventElapsedTime_v2(float *ms, struct cuda_event *from, struct cuda_event *to)
{
	return cudaEventElapsedTime(ms, from, to);
}
