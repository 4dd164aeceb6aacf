#include "runtime/graph.h"

int graph_capture_work(struct runtime *r, struct cuda_stream *stream, struct cuda_work *work)
{
	(void)r, (void)stream, (void)work;
	return CUDA_ErrorNotSupported;
}

int graph_capture_forbids(struct runtime *r, const struct cuda_stream *stream)
{
	(void)r, (void)stream;
	return CUDA_Success;
}

int graph_capture_breaks(struct runtime *r, const struct cuda_stream *stream)
{
	(void)r, (void)stream;
	return CUDA_Success;
}

int graph_capture_record(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event)
{
	(void)r, (void)stream, (void)event;
	return CUDA_ErrorNotSupported;
}

int graph_capture_await(struct runtime *r, struct cuda_stream *stream, struct cuda_event *event)
{
	(void)r, (void)stream, (void)event;
	return CUDA_ErrorNotSupported;
}

int graph_capture_alloc(struct runtime *r, struct cuda_stream *stream, struct cuda_pool *pool, size_t bytes, void **out)
{
	(void)r, (void)stream, (void)pool, (void)bytes, (void)out;
	return CUDA_ErrorNotSupported;
}
