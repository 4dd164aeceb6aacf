/* Streams: what they are asked for, in which order it may be done, and waiting for it. */
#include "runtime/stream/queue.h"

#include <stdlib.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/memory.h"
#include "runtime/report/report.h"
#include "runtime/report/report_order.h"
#include "runtime/stream/graph.h"

/* --- work --------------------------------------------------------------------------------------------------------- */

struct cuda_work work_clone(const struct cuda_work *work)
{
	struct cuda_work out = *work;
	out.order = NULL;
	if (work->kind == WORK_LAUNCH) {
		out.launch.params = work_params(work->launch.kernel, work->launch.params);
		out.launch.uses = NULL;
	}
	return out;
}

void work_drop(struct cuda_work *work)
{
	if (work->kind == WORK_LAUNCH) {
		free(work->launch.params);
		free(work->launch.uses);
	}
	if (work->kind == WORK_COPY)
		free(work->copy.staged);
	work->kind = WORK_NOTHING;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

static _Thread_local struct cuda_stream *own[RUNTIME_DEVICES_MAX]; /* the per-thread default streams */

#define HANDLE_LEGACY ((uintptr_t)1)
#define HANDLE_PER_THREAD ((uintptr_t)2)
#define FLAG_NON_BLOCKING 1u

struct cuda_stream *queue_stream_new(struct runtime *r, unsigned int flags, int priority)
{
	struct runtime_queue *q = r->queue;
	struct cuda_stream *s = arena_alloc(r->arena, sizeof *s);

	/* Those that were destroyed and have no work left. */
	int n = 0;
	for (int i = 0; i < q->n; i++)
		if (q->streams[i]->mark == STREAM_MARK || q->streams[i]->mark == LANE_MARK || q->streams[i]->first)
			q->streams[n++] = q->streams[i];
	q->n = n;

	*s = (struct cuda_stream){.mark = STREAM_MARK,
		.priority = priority,
		.device = runtime_device(),
		.flags = flags,
		.id = ++q->ids,
		.blocking = !(flags & FLAG_NON_BLOCKING),
		.context = runtime_own_context()};
	*(struct cuda_stream **)vec_push(q->streams, q->n, q->cap) = s;
	return s;
}

struct cuda_stream *queue_lane(struct runtime *r, const struct cuda_stream *stream)
{
	const struct runtime_queue *q = r->queue;
	struct cuda_stream *lane = NULL;
	for (int i = 0; i < q->n && !lane; i++)
		if (q->streams[i]->mark == LANE_MARK && !q->streams[i]->first)
			lane = q->streams[i];
	if (!lane)
		lane = queue_stream_new(r, FLAG_NON_BLOCKING, stream->priority);
	lane->mark = LANE_MARK;
	lane->priority = stream->priority;
	lane->device = stream->device;
	lane->context = stream->context;
	lane->end = 0;
	report_order_forget(lane); /* what it did for another launch is not before what it does now */
	return lane;
}

struct cuda_stream *queue_stream(struct runtime *r, struct cuda_stream *handle)
{
	uintptr_t value = (uintptr_t)handle;
	int device = runtime_device();
	if (value == HANDLE_PER_THREAD || (!value && runtime_is_per_thread())) {
		if (!own[device]) {
			own[device] = queue_stream_new(r, 0, 0);
			own[device]->of_thread = true;
		}
		return own[device];
	}
	if (!value || value == HANDLE_LEGACY) {
		struct runtime_queue *q = r->queue;
		if (!q->legacy[device]) {
			q->legacy[device] = queue_stream_new(r, 0, 0);
			q->legacy[device]->is_legacy = true;
			q->legacy[device]->device = device;
		}
		return q->legacy[device];
	}
	for (int i = 0; i < r->queue->n; i++)
		if (r->queue->streams[i] == handle)
			return handle->mark == STREAM_MARK ? handle : NULL;
	return NULL;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static bool has_before(const struct cuda_stream *s, uint64_t number)
{
	return s->first && s->first->number < number;
}

bool queue_is_idle(const struct cuda_stream *stream)
{
	return !stream->first;
}

bool queue_all_idle(const struct runtime *r)
{
	for (int i = 0; i < r->queue->n; i++)
		if (r->queue->streams[i]->first)
			return false;
	return true;
}

bool queue_is_ready(const struct runtime *r, const struct cuda_operation *o)
{
	if (o->called)
		return false;

	/* Programming Guide, default stream: work of the legacy one begins when all before it in blocking streams has
	 * ended, and the other way round. */
	const struct cuda_stream *s = o->stream;
	const struct runtime_queue *q = r->queue;
	const struct cuda_stream *legacy = q->legacy[s->device];
	if (!s->is_legacy) {
		if (s->blocking && legacy && has_before(legacy, o->number))
			return false;
	} else {
		for (int i = 0; i < q->n; i++)
			if (q->streams[i] != s && q->streams[i]->blocking && q->streams[i]->device == s->device &&
				has_before(q->streams[i], o->number))
				return false;
	}

	return o->work.kind != WORK_AWAIT || o->work.event.stream->done >= o->work.event.serial;
}

/* --- time --------------------------------------------------------------------------------------------------------- */

double queue_now(struct runtime *r)
{
	return r->queue->now += hostlog_cost_ms(HOSTLOG_COST_CALL, 0);
}

static void lengthen(double *end, double to)
{
	*end = to > *end ? to : *end;
}

static double earliest(const struct runtime *r, const struct cuda_stream *s, double from)
{
	const struct runtime_queue *q = r->queue;
	lengthen(&from, s->end);
	if (!s->is_legacy && s->blocking && q->legacy[s->device])
		lengthen(&from, q->legacy[s->device]->end);
	for (int i = 0; s->is_legacy && i < q->n; i++)
		if (q->streams[i]->blocking && q->streams[i]->device == s->device)
			lengthen(&from, q->streams[i]->end);
	return from;
}

static double copy_ms(const struct cuda_work *w, double *engine[1], struct runtime_queue *q)
{
	double bytes = (double)w->copy.width * (double)w->copy.height * (double)w->copy.depth;
	bool out = w->copy.from.where == COPY_DEVICE, in = w->copy.to.where == COPY_DEVICE;
	bool pageable = w->copy.from.where == COPY_HOST || w->copy.to.where == COPY_HOST;
	enum hostlog_cost rate = in ? HOSTLOG_COST_IN_PINNED : HOSTLOG_COST_OUT_PINNED;
	if (in != out)
		*engine = &q->copy_end[out];
	if (pageable)
		rate = in ? HOSTLOG_COST_IN_PAGEABLE : HOSTLOG_COST_OUT_PAGEABLE;
	if (in && out)
		rate = HOSTLOG_COST_WITHIN;
	return hostlog_cost_ms(HOSTLOG_COST_COPY_BEGIN, 0) + hostlog_cost_ms(rate, bytes);
}

/* --- asking for work ---------------------------------------------------------------------------------------------- */

static struct cuda_operation *new_operation(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work)
{
	struct cuda_operation *o = base_calloc(1, sizeof *o);
	if (!work->site)
		work->site = report_here();
	*o = (struct cuda_operation){
		.stream = stream, .number = ++r->queue->numbers, .work = *work, .issued = queue_now(r)};
	stream->asked = o->number;
	if (work->kind == WORK_LAUNCH)
		o->work.launch.number = ++r->queue->launches;
	if (work->kind == WORK_RECORD) {
		struct cuda_event *e = work->event.event;
		e->recorded = o->work.event.serial = o->number;
		e->stream = stream;
		e->done = false;
		if (e->ipc)
			o->work.event.ipc = ipc_event_begin(e);
	}
	work->kind = WORK_NOTHING; /* it is the operation's now */
	report_log_submitted(r, o);
	return o;
}

struct cuda_operation *queue_part(struct runtime *r, const struct cuda_operation *o, const struct cuda_work *work)
{
	struct cuda_operation *part = base_calloc(1, sizeof *part);
	*part = (struct cuda_operation){
		.stream = o->stream, .number = o->number, .work = *work, .issued = o->issued, .part = true};
	if (!part->work.site)
		part->work.site = o->work.site;
	part->work.order = report_order_part(o->work.order, &part->work);
	if (work->kind == WORK_LAUNCH)
		part->work.launch.number = ++r->queue->launches;
	return part;
}

void queue_complete(struct runtime *r, struct cuda_operation *o)
{
	struct cuda_stream *s = o->stream;

	/* When it began and how long it took: its engine of the device does one after the other. */
	struct runtime_queue *q = r->queue;
	double *engine = NULL, ms = 0, from = earliest(r, o->stream, o->issued);
	const struct cuda_work *w = &o->work;
	if (w->kind == WORK_LAUNCH) {
		ms = o->duration;
		engine = o->share > 0.5 ? &q->compute_end : NULL;
	} else if (w->kind == WORK_COPY) {
		ms = copy_ms(w, &engine, q);
	} else if (w->kind == WORK_FILL) {
		ms = hostlog_cost_ms(HOSTLOG_COST_COPY_BEGIN, 0) +
			hostlog_cost_ms(HOSTLOG_COST_WITHIN, (double)w->fill.width * (double)w->fill.height);
	} else if (w->kind == WORK_AWAIT) {
		lengthen(&from, w->event.event ? w->event.event->at : w->event.stream->end);
	}
	if (engine) {
		lengthen(&from, *engine);
		*engine = from + ms;
	}
	s->end = from + ms;

	report_log_ended(o);
	report_order_completed(r, o);
	if (o->work.kind == WORK_RECORD && o->work.event.event->recorded == o->number) {
		o->work.event.event->at = s->end;
		o->work.event.event->done = true;
	}
	if (o->work.kind == WORK_RECORD && o->work.event.ipc)
		ipc_event_end(o->work.event.event, o->work.event.ipc);
	s->done = o->part ? s->done : o->number;
	if (s->first == o) {
		s->first = o->next;
		s->last = s->first ? s->last : NULL;
	}
	work_drop(&o->work);
	free(o);
}

static int wait_stream(struct runtime *r, struct cuda_stream *stream);

static int refuse_work(struct cuda_work *work, int error)
{
	work_drop(work);
	return error;
}

/* What the stream may not be asked for now. */
static int check_submit(struct runtime *r, const struct cuda_stream *stream)
{
	if (queue_is_callback())
		return CUDA_ErrorNotPermitted;
	if (r->failure_known)
		return r->failed;
	return graph_capture_forbids(r, stream);
}

int queue_submit(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work)
{
	int error = check_submit(r, stream);
	if (error != CUDA_Success)
		return refuse_work(work, error);
	if (stream->capture)
		return graph_capture_work(r, stream, work);
	struct cuda_operation *o = new_operation(r, stream, work);
	if (stream->last)
		stream->last->next = o;
	else
		stream->first = o;
	stream->last = o;
	report_order_submitted(r, o);
	report_submitted(r, o);
	executor_start(r);
	executor_wake();
	return CUDA_Success;
}

int queue_do(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work)
{
	if (stream->capture)
		return refuse_work(work, graph_capture_breaks(r, stream));
	int error = check_submit(r, stream);
	if (error != CUDA_Success)
		return refuse_work(work, error);
	work->blocks = true;
	if (queue_all_idle(r) && !r->failed) {
		struct cuda_operation *o = new_operation(r, stream, work);
		report_order_submitted(r, o);
		executor_perform(r, &o->work);
		queue_complete(r, o);
		return wait_stream(r, stream);
	}
	error = queue_submit(r, stream, work);
	return error == CUDA_Success ? wait_stream(r, stream) : error;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

/* The host has seen the end of the stream's work. */
static int have_waited(struct runtime *r, const struct cuda_stream *stream)
{
	if (stream)
		lengthen(&r->queue->now, stream->end);
	runtime_print(r);
	return runtime_wait(r, CUDA_Success);
}

static int check_wait(struct runtime *r, const struct cuda_stream *stream)
{
	if (queue_is_callback())
		return CUDA_ErrorNotPermitted;
	return stream && stream->capture ? graph_capture_breaks(r, stream) : CUDA_Success;
}

int queue_wait_number(struct runtime *r, struct cuda_stream *stream, uint64_t number)
{
	int error = check_wait(r, NULL);
	if (error != CUDA_Success)
		return error;
	report_log_waited(stream, number);
	while (stream->done < number)
		executor_wait();
	report_waited(r, stream, number);
	return have_waited(r, NULL);
}

static int wait_stream(struct runtime *r, struct cuda_stream *stream)
{
	int error = check_wait(r, stream);
	uint64_t number = r->queue->numbers;
	if (error != CUDA_Success)
		return error;
	while (has_before(stream, number + 1))
		executor_wait();
	report_waited(r, stream, number);
	return have_waited(r, stream);
}

int queue_wait_stream(struct runtime *r, struct cuda_stream *stream)
{
	int error = check_wait(r, stream);
	if (error != CUDA_Success)
		return error;
	report_log_waited(stream, 0);
	return wait_stream(r, stream);
}

void queue_settle(struct runtime *r)
{
	uint64_t number = r->queue->numbers;
	for (int i = 0; i < r->queue->n; i++)
		while (i < r->queue->n && has_before(r->queue->streams[i], number + 1))
			executor_wait();
}

int queue_wait_all(struct runtime *r)
{
	uint64_t number = r->queue->numbers;
	int error = check_wait(r, NULL);
	if (error != CUDA_Success)
		return error;
	error = graph_capture_breaks(r, NULL);
	if (error != CUDA_Success)
		return error;
	report_log_waited(NULL, 0);
	for (int i = 0; i < r->queue->n; i++) {
		struct cuda_stream *s = r->queue->streams[i];
		while (has_before(s, number + 1))
			executor_wait();
		lengthen(&r->queue->now, s->end);
	}
	report_waited(r, NULL, number);
	return have_waited(r, NULL);
}
