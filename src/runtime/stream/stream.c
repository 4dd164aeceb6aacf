/* Streams. */
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"
#include "runtime/stream/queue.h"

#define PRIORITY_GREATEST (-5)
#define FLAGS_KNOWN 1u

RUNTIME_API int cudaStreamCreateWithPriority(struct cuda_stream **stream, unsigned int flags, int priority)
{
	RUNTIME_ENTER(r);
	if (!stream || flags & ~FLAGS_KNOWN)
		return runtime_leave(CUDA_ErrorInvalidValue);
	priority = priority > 0 ? 0 : priority < PRIORITY_GREATEST ? PRIORITY_GREATEST : priority;
	*stream = queue_stream_new(r, flags, priority);
	report_log_stream(*stream);
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

#define HANDLES_BUILT_IN ((uintptr_t)2) /* none, legacy, per-thread */

/* Its work is done all the same. */
RUNTIME_API int cudaStreamDestroy(struct cuda_stream *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = (uintptr_t)handle > HANDLES_BUILT_IN ? queue_stream(r, handle) : NULL;
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (s->capture)
		graph_capture_breaks(r, s);
	s->mark = 0;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamSynchronize(struct cuda_stream *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	return runtime_leave(s ? queue_wait_stream(r, s) : CUDA_ErrorInvalidResourceHandle);
}

RUNTIME_API int cudaStreamQuery(struct cuda_stream *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (queue_is_callback())
		return runtime_leave(CUDA_ErrorNotPermitted);
	if (s->capture)
		return runtime_leave(graph_capture_breaks(r, s));
	report_let_go();
	if (!queue_is_idle(s))
		return runtime_leave(CUDA_ErrorNotReady);
	report_waited(r, s, r->queue->numbers);
	return runtime_leave(runtime_wait(r, CUDA_Success));
}

RUNTIME_API int cudaStreamGetFlags(struct cuda_stream *handle, unsigned int *flags)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	if (!flags || !s)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*flags = s->flags;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamGetPriority(struct cuda_stream *handle, int *priority)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	if (!priority || !s)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*priority = s->priority;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamGetId(struct cuda_stream *handle, unsigned long long *id)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	if (!id || !s)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*id = s->id;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamGetDevice(struct cuda_stream *handle, int *device)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	if (!device || !s)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	*device = s->device;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (least)
		*least = 0;
	if (greatest)
		*greatest = PRIORITY_GREATEST;
	return runtime_leave(CUDA_Success);
}

/* --- the program's functions -------------------------------------------------------------------------------------- */

static int submit_call(struct cuda_stream *handle, struct cuda_work work)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	if (!s || (!work.host.function && !work.host.callback))
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	return runtime_leave(queue_submit(r, s, &work));
}

RUNTIME_API int cudaLaunchHostFunc(struct cuda_stream *stream, cuda_host_function *function, void *data)
{
	return submit_call(stream, (struct cuda_work){.kind = WORK_HOST, .host = {.function = function, .data = data}});
}

RUNTIME_API int cudaStreamAddCallback(
	struct cuda_stream *stream, cuda_stream_callback *function, void *data, unsigned int flags)
{
	return submit_call(stream,
		(struct cuda_work){.kind = WORK_HOST, .host = {.callback = flags ? NULL : function, .data = data}});
}

/* --- attributes --------------------------------------------------------------------------------------------------- */

enum { POLICY_AUTO = 1, POLICY_BLOCKING = 4 };

static int set_stream_attribute(
	struct runtime *r, struct cuda_stream *s, int attribute, const union cuda_launch_value *value)
{
	switch (attribute) {
	case CUDA_LaunchAttributeAccessPolicyWindow:
		if (!runtime_take_window(r, &value->window))
			return CUDA_ErrorInvalidValue;
		s->window = value->window;
		return CUDA_Success;
	case CUDA_LaunchAttributeSynchronizationPolicy:
		if (value->number < POLICY_AUTO || value->number > POLICY_BLOCKING)
			return CUDA_ErrorInvalidValue;
		s->sync_policy = (unsigned int)value->number;
		return CUDA_Success;
	case CUDA_LaunchAttributePriority:
		if (value->number > 0 || value->number < PRIORITY_GREATEST)
			return CUDA_ErrorInvalidValue;
		s->priority = value->number;
		return CUDA_Success;
	case CUDA_LaunchAttributeMemSyncDomainMap: s->domains = *value; return CUDA_Success;
	case CUDA_LaunchAttributeMemSyncDomain:
		if (value->number < 0 || value->number > 1)
			return CUDA_ErrorInvalidValue;
		s->domain = value->number;
		return CUDA_Success;
	default: return CUDA_ErrorInvalidValue;
	}
}

static int get_stream_attribute(const struct cuda_stream *s, int attribute, union cuda_launch_value *value)
{
	union cuda_launch_value out = {{0}};
	switch (attribute) {
	case CUDA_LaunchAttributeAccessPolicyWindow: out.window = s->window; break;
	case CUDA_LaunchAttributeSynchronizationPolicy:
		out.number = s->sync_policy ? (int)s->sync_policy : POLICY_AUTO;
		break;
	case CUDA_LaunchAttributePriority: out.number = s->priority; break;
	case CUDA_LaunchAttributeMemSyncDomainMap: out = s->domains; break;
	case CUDA_LaunchAttributeMemSyncDomain: out.number = s->domain; break;
	default: return CUDA_ErrorInvalidValue;
	}
	*value = out;
	return CUDA_Success;
}

RUNTIME_API int cudaStreamSetAttribute(struct cuda_stream *handle, int attribute, const union cuda_launch_value *value)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	if (!s || !value)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	return runtime_leave(set_stream_attribute(r, s, attribute, value));
}

RUNTIME_API int cudaStreamGetAttribute(struct cuda_stream *handle, int attribute, union cuda_launch_value *value)
{
	RUNTIME_ENTER(r);
	const struct cuda_stream *s = queue_stream(r, handle);
	if (!s || !value)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	return runtime_leave(get_stream_attribute(s, attribute, value));
}

RUNTIME_API int cudaStreamCopyAttributes(struct cuda_stream *to, struct cuda_stream *from)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *a = queue_stream(r, to);
	const struct cuda_stream *b = queue_stream(r, from);
	if (!a || !b)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	a->window = b->window;
	a->domains = b->domains;
	a->domain = b->domain;
	a->sync_policy = b->sync_policy;
	a->priority = b->priority;
	return runtime_leave(CUDA_Success);
}

/* --- events ----------------------------------------------------------------------------------------------------------
 *
 * Events. Their times are the model's. */

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
	if (ipc_event_is_others(e)) {
		struct cuda_work work = ipc_event_work(e);
		return runtime_leave(queue_submit(r, s, &work));
	}
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
	if (ipc_event_is_others(e)) {
		ipc_event_wait(e);
		return runtime_leave(runtime_wait(r, CUDA_Success));
	}
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
	if (ipc_event_is_others(e))
		return runtime_leave(ipc_event_is_done(e) ? CUDA_Success : CUDA_ErrorNotReady);
	report_let_go();
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
