/* Capture: what a stream is asked for becomes nodes of a graph. */
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "runtime/memory/memory.h"
#include "runtime/stream/queue.h"

enum { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };
enum { STATUS_NONE, STATUS_ACTIVE, STATUS_INVALIDATED };

static _Thread_local int thread_mode; /* of calls that are not safe while something is captured */
static uint64_t captures;

static const void *this_thread(void)
{
	return &thread_mode;
}

static struct graph_node *capture_node(struct runtime *r, struct cuda_stream *stream, enum graph_type type)
{
	struct graph_node *node = graph_node_new(r, stream->capture->graph, type);

	for (int i = 0; i < stream->n_tail; i++)
		graph_node_need(node, stream->tail[i]);
	stream->n_tail = 0;
	*(struct graph_node **)vec_push(stream->tail, stream->n_tail, stream->tail_cap) = node;

	return node;
}

int graph_capture_work(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work)
{
	if (work->kind == WORK_HOST && work->host.callback) {
		stream->capture->broken = true;
		work_drop(work);
		return CUDA_ErrorStreamCaptureUnsupported;
	}

	enum graph_type type;
	switch (work->kind) {
	case WORK_LAUNCH: type = GRAPH_KERNEL; break;
	case WORK_COPY: type = GRAPH_COPY; break;
	case WORK_FILL: type = GRAPH_FILL; break;
	case WORK_HOST: type = GRAPH_HOST; break;
	case WORK_RECORD: type = GRAPH_RECORD; break;
	case WORK_AWAIT: type = GRAPH_AWAIT; break;
	default: type = GRAPH_EMPTY; break;
	}

	struct graph_node *node = capture_node(r, stream, type);
	node->work = *work;
	node->work.made = report_here();

	/* What the program would have said of the node. */
	const struct cuda_work *w = &node->work;
	if (w->kind == WORK_COPY) {
		struct cuda_copy *c = &node->asked.copy;
		c->from = (struct cuda_pitched){
			w->copy.from.at, w->copy.from.pitch, w->copy.from.pitch, w->copy.height};
		c->to = (struct cuda_pitched){w->copy.to.at, w->copy.to.pitch, w->copy.to.pitch, w->copy.height};
		c->extent = (struct cuda_extent){w->copy.width, w->copy.height, w->copy.depth};
		c->kind = CUDA_MemcpyDefault;
	} else if (w->kind == WORK_FILL) {
		node->asked.fill = (struct graph_fill){(void *)(uintptr_t)w->fill.address, w->fill.pitch, w->fill.value,
			w->fill.element, w->fill.width / w->fill.element, w->fill.height};
	}

	work->kind = WORK_NOTHING;
	return CUDA_Success;
}

/* A node of memory; one that cannot be made is not there, and the stream ends as it did. */
static int capture_memory(
	struct runtime *r, struct cuda_stream *stream, enum graph_type type, void *asked, struct graph_node **out)
{
	if (stream->capture->broken)
		return CUDA_ErrorStreamCaptureInvalidated;
	struct graph_node *node = graph_node_new(r, stream->capture->graph, type);
	for (int i = 0; i < stream->n_tail; i++)
		graph_node_need(node, stream->tail[i]);
	int error = type == GRAPH_ALLOC ? graph_set_alloc(r, node, asked) : graph_set_free(r, node, asked);
	if (error != CUDA_Success) {
		free(node->needs);
		node->mark = 0;
		node->graph->n--; /* it is the last */
		return error;
	}
	stream->n_tail = 0;
	*(struct graph_node **)vec_push(stream->tail, stream->n_tail, stream->tail_cap) = node;
	*out = node;
	return CUDA_Success;
}

int graph_capture_alloc(struct runtime *r, struct cuda_stream *stream, int device, size_t bytes, void **out)
{
	struct graph_node *node;
	struct graph_alloc p = {.type = 1, .location_type = 1, .location = device, .bytes = bytes};
	int error = capture_memory(r, stream, GRAPH_ALLOC, &p, &node);
	if (error == CUDA_Success)
		*out = node->asked.alloc.at;
	return error;
}

int graph_capture_free(struct runtime *r, struct cuda_stream *stream, void *pointer)
{
	struct graph_node *node;
	return capture_memory(r, stream, GRAPH_FREE, pointer, &node);
}

/* --- what is not allowed meanwhile -------------------------------------------------------------------------------- */

int graph_capture_forbids(struct runtime *r, const struct cuda_stream *stream)
{
	if (stream->capture)
		return stream->capture->broken ? CUDA_ErrorStreamCaptureInvalidated : CUDA_Success;
	int error = CUDA_Success;
	for (int i = 0; stream->is_legacy && i < r->queue->n; i++) {
		const struct cuda_stream *s = r->queue->streams[i];
		if (!s->capture || !s->blocking)
			continue;
		s->capture->broken = true;
		error = CUDA_ErrorStreamCaptureImplicit;
	}
	return error;
}

int graph_capture_breaks(struct runtime *r, const struct cuda_stream *stream)
{
	int error = CUDA_Success;
	if (stream && stream->capture) {
		stream->capture->broken = true;
		return CUDA_ErrorStreamCaptureUnsupported;
	}
	for (int i = 0; !stream && i < r->queue->n; i++) {
		struct graph_capture *c = r->queue->streams[i]->capture;

		if (!c)
			continue;
		/* Calls that are not safe while another thread captures, or this one. */
		if (c->mode == MODE_RELAXED || thread_mode == MODE_RELAXED)
			continue;
		if (c->thread != this_thread() && (c->mode != MODE_GLOBAL || thread_mode != MODE_GLOBAL))
			continue;

		c->broken = true;
		error = CUDA_ErrorStreamCaptureUnsupported;
	}
	return error;
}

RUNTIME_API int cudaThreadExchangeStreamCaptureMode(int *mode)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!mode || *mode < MODE_GLOBAL || *mode > MODE_RELAXED)
		return runtime_leave(CUDA_ErrorInvalidValue);
	int before = thread_mode;
	thread_mode = *mode;
	*mode = before;
	return runtime_leave(CUDA_Success);
}

/* --- events: how one stream's capture reaches another ------------------------------------------------------------- */

int graph_capture_record(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event)
{
	if (stream->capture->broken)
		return CUDA_ErrorStreamCaptureInvalidated;
	size_t n = (size_t)stream->n_tail;
	event->capture = stream->capture;
	event->captured = arena_alloc(r->arena, (n + 1) * sizeof *event->captured);
	event->n_captured = (int)n;
	if (n)
		memcpy(event->captured, stream->tail, n * sizeof *event->captured);
	return CUDA_Success;
}

int graph_capture_await(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event)
{
	(void)r;
	struct graph_capture *c = event->capture;
	if (!c || c->ended) {
		if (stream->capture)
			stream->capture->broken = true;
		return stream->capture ? CUDA_ErrorStreamCaptureIsolation : CUDA_Success;
	}
	if (c->broken)
		return CUDA_ErrorStreamCaptureInvalidated;
	if (stream->is_legacy)
		return CUDA_ErrorStreamCaptureImplicit;
	if (stream->capture && stream->capture != c) {
		stream->capture->broken = c->broken = true;
		return CUDA_ErrorStreamCaptureMerge;
	}
	if (!stream->capture)
		stream->n_tail = 0;
	stream->capture = c;
	for (int i = 0; i < event->n_captured; i++) {
		bool there = false;
		for (int k = 0; k < stream->n_tail; k++)
			there |= stream->tail[k] == event->captured[i];
		if (!there)
			*(struct graph_node **)vec_push(
				stream->tail, stream->n_tail, stream->tail_cap) = event->captured[i];
	}
	return CUDA_Success;
}

/* --- beginning and end -------------------------------------------------------------------------------------------- */

static int begin(struct runtime *r, struct cuda_stream *s, struct cuda_graph *graph, int mode)
{
	if (mode < MODE_GLOBAL || mode > MODE_RELAXED)
		return CUDA_ErrorInvalidValue;
	if (s->is_legacy)
		return CUDA_ErrorStreamCaptureUnsupported;
	if (s->capture) {
		s->capture->broken = true;
		return CUDA_ErrorIllegalState;
	}
	struct graph_capture *c = arena_alloc(r->arena, sizeof *c);
	*c = (struct graph_capture){.graph = graph ? graph : graph_new(r),
		.given = graph,
		.first = graph ? graph->n : 0,
		.stream = s,
		.mode = mode,
		.thread = this_thread(),
		.id = ++captures};
	s->capture = c;
	s->n_tail = 0;
	return CUDA_Success;
}

RUNTIME_API int cudaStreamBeginCapture(struct cuda_stream *handle, int mode)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	return runtime_leave(s ? begin(r, s, NULL, mode) : CUDA_ErrorInvalidResourceHandle);
}

RUNTIME_API int cudaStreamBeginCaptureToGraph(struct cuda_stream *handle, struct cuda_graph *into,
	struct graph_node **needs, const void *edges, size_t n, int mode)
{
	(void)edges;
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	struct cuda_graph *graph = graph_of(into);
	int error = s ? CUDA_Success : CUDA_ErrorInvalidResourceHandle;
	if (!graph || (n && !needs))
		error = CUDA_ErrorInvalidValue;
	for (size_t i = 0; i < n && error == CUDA_Success; i++)
		if (!graph_node_of(needs[i]) || needs[i]->graph != graph)
			error = CUDA_ErrorInvalidValue;
	error = error == CUDA_Success ? begin(r, s, graph, mode) : error;
	for (size_t i = 0; i < n && error == CUDA_Success; i++)
		*(struct graph_node **)vec_push(s->tail, s->n_tail, s->tail_cap) = needs[i];
	return runtime_leave(error);
}

static bool is_in(const struct graph_node *node, struct graph_node *const *list, int n)
{
	for (int i = 0; i < n; i++)
		if (list[i] == node)
			return true;
	return false;
}

/* Whether all that was captured comes before the end of the stream with which it began. */
static bool is_joined(const struct graph_capture *c)
{
	const struct cuda_graph *g = c->graph;
	for (int i = c->first; i < g->n; i++) {
		bool needed = is_in(g->nodes[i], c->stream->tail, c->stream->n_tail);
		for (int k = c->first; k < g->n && !needed; k++)
			needed = is_in(g->nodes[i], g->nodes[k]->needs, g->nodes[k]->n_needs);
		if (!needed)
			return false;
	}
	return true;
}

RUNTIME_API int cudaStreamEndCapture(struct cuda_stream *handle, struct cuda_graph **out)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	struct graph_capture *c = s ? s->capture : NULL;
	if (!s || (!out && !(c && c->given)))
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	if (!c)
		return runtime_leave(CUDA_ErrorIllegalState);
	if (c->stream != s)
		return runtime_leave(CUDA_ErrorStreamCaptureUnmatched);
	if (c->mode != MODE_RELAXED && c->thread != this_thread())
		return runtime_leave(CUDA_ErrorStreamCaptureWrongThread);

	int error = c->broken  ? CUDA_ErrorStreamCaptureInvalidated
		: is_joined(c) ? CUDA_Success
			       : CUDA_ErrorStreamCaptureUnjoined;

	if (out)
		*out = error == CUDA_Success ? c->graph : NULL;
	c->ended = true;
	for (int i = 0; i < r->queue->n; i++)
		if (r->queue->streams[i]->capture == c) {
			r->queue->streams[i]->capture = NULL;
			r->queue->streams[i]->n_tail = 0;
		}
	return runtime_leave(error);
}

/* --- what can be asked -------------------------------------------------------------------------------------------- */

struct capture_answer {
	int *status;
	unsigned long long *id;
	struct cuda_graph **graph;
	struct graph_node ***needs;
	const void **edges;
	size_t *n;
};

static int answer(struct cuda_stream *handle, const struct capture_answer *a)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	if (!s || !a->status)
		return runtime_leave(s ? CUDA_ErrorInvalidValue : CUDA_ErrorInvalidResourceHandle);
	int error = s->capture ? CUDA_Success : graph_capture_forbids(r, s);
	if (error != CUDA_Success)
		return runtime_leave(error);
	*a->status = !s->capture ? STATUS_NONE : s->capture->broken ? STATUS_INVALIDATED : STATUS_ACTIVE;
	if (!s->capture)
		return runtime_leave(CUDA_Success);
	if (a->id)
		*a->id = s->capture->id;
	if (a->graph)
		*a->graph = s->capture->graph;
	if (a->needs)
		*a->needs = s->tail;
	if (a->edges)
		*a->edges = NULL;
	if (a->n)
		*a->n = (size_t)s->n_tail;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamIsCapturing(struct cuda_stream *stream, int *status)
{
	return answer(stream, &(struct capture_answer){.status = status});
}

RUNTIME_API int cudaStreamGetCaptureInfo_v3(struct cuda_stream *stream, int *status, unsigned long long *id,
	struct cuda_graph **graph, struct graph_node ***needs, const void **edges, size_t *n)
{
	return answer(stream, &(struct capture_answer){status, id, graph, needs, edges, n});
}

RUNTIME_API int cudaStreamGetCaptureInfo_v2(struct cuda_stream *stream, int *status, unsigned long long *id,
	struct cuda_graph **graph, struct graph_node ***needs, size_t *n)
{
	return answer(stream, &(struct capture_answer){status, id, graph, needs, NULL, n});
}

/* CUDA 12's gives the status and the number alone. */
RUNTIME_API int cudaStreamGetCaptureInfo(struct cuda_stream *stream, int *status, unsigned long long *id,
	struct cuda_graph **graph, struct graph_node ***needs, const void **edges, size_t *n)
{
	if (runtime_version < 13000)
		return answer(stream, &(struct capture_answer){.status = status, .id = id});
	return answer(stream, &(struct capture_answer){status, id, graph, needs, edges, n});
}

static int update_tail(struct cuda_stream *handle, struct graph_node **needs, size_t n, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, handle);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!s->capture || flags > 1 || (n && !needs))
		return runtime_leave(s->capture ? CUDA_ErrorInvalidValue : CUDA_ErrorIllegalState);
	for (size_t i = 0; i < n; i++)
		if (!graph_node_of(needs[i]) || needs[i]->graph != s->capture->graph)
			return runtime_leave(CUDA_ErrorInvalidValue);
	s->n_tail = flags ? 0 : s->n_tail;
	for (size_t i = 0; i < n; i++)
		if (!is_in(needs[i], s->tail, s->n_tail))
			*(struct graph_node **)vec_push(s->tail, s->n_tail, s->tail_cap) = needs[i];
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaStreamUpdateCaptureDependencies_v2(
	struct cuda_stream *stream, struct graph_node **needs, const void *edges, size_t n, unsigned int flags)
{
	(void)edges;
	return update_tail(stream, needs, n, flags);
}

RUNTIME_API int cudaStreamUpdateCaptureDependencies(
	struct cuda_stream *stream, struct graph_node **needs, const void *edges, size_t n, unsigned int flags)
{
	bool old = runtime_version < 13000;
	return update_tail(stream, needs, old ? (size_t)(uintptr_t)edges : n, old ? (unsigned int)n : flags);
}
