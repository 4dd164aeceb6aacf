/* runtime/graph.h: graphs, built and captured. Inside runtime/ only. */
#pragma once
#include "runtime/queue.h"

/* Of a stream that is being captured: the work becomes a node of the graph. It owns the work. */
int graph_capture_work(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work);

/* What is wrong with asking this stream for work, or waiting for it (NULL: for all), while others are being captured. */
int graph_capture_forbids(struct runtime *r, const struct cuda_stream *stream);
int graph_capture_breaks(struct runtime *r, const struct cuda_stream *stream);

/* An event that is recorded in a stream that is being captured, and a stream that waits for such an event. */
int graph_capture_record(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event);
int graph_capture_await(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event);

/* Memory that is made by a stream that is being captured: an allocation of the graph's. */
struct cuda_pool;
int graph_capture_alloc(
	struct runtime *r, struct cuda_stream *stream, struct cuda_pool *pool, size_t bytes, void **out);
