/* The names that end in _ptsz and _ptds, which programs call that were compiled with a default stream for each
 * thread. */
#include "runtime/state.h"

#define PER_THREAD(suffix, name, params, args)                                                                         \
	int name params;                                                                                               \
	RUNTIME_API int name##suffix params                                                                            \
	{                                                                                                              \
		runtime_per_thread();                                                                                  \
		return name args;                                                                                      \
	}

PER_THREAD(_ptsz, cudaEventRecord, (struct cuda_event * event, struct cuda_stream *stream), (event, stream))
PER_THREAD(_ptsz, cudaLaunchHostFunc, (struct cuda_stream * stream, cuda_host_function *fn, void *userData),
	(stream, fn, userData))
PER_THREAD(_ptsz, cudaLaunchKernel,
	(const void *func, struct dim3_abi gridDim, struct dim3_abi blockDim, void **args, size_t sharedMem,
		struct cuda_stream *stream),
	(func, gridDim, blockDim, args, sharedMem, stream))
PER_THREAD(_ptsz, cudaMemcpy2DAsync,
	(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, int kind,
		struct cuda_stream *stream),
	(dst, dpitch, src, spitch, width, height, kind, stream))
PER_THREAD(_ptds, cudaMemcpy2D,
	(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height, int kind),
	(dst, dpitch, src, spitch, width, height, kind))
PER_THREAD(_ptsz, cudaMemcpyAsync, (void *dst, const void *src, size_t count, int kind, struct cuda_stream *stream),
	(dst, src, count, kind, stream))
PER_THREAD(_ptds, cudaMemcpyFromSymbol, (void *dst, const void *symbol, size_t count, size_t offset, int kind),
	(dst, symbol, count, offset, kind))
PER_THREAD(_ptds, cudaMemcpyToSymbol, (const void *symbol, const void *src, size_t count, size_t offset, int kind),
	(symbol, src, count, offset, kind))
PER_THREAD(_ptds, cudaMemcpy, (void *dst, const void *src, size_t count, int kind), (dst, src, count, kind))
PER_THREAD(_ptsz, cudaMemsetAsync, (void *devPtr, int value, size_t count, struct cuda_stream *stream),
	(devPtr, value, count, stream))
PER_THREAD(_ptds, cudaMemset, (void *devPtr, int value, size_t count), (devPtr, value, count))
PER_THREAD(_ptsz, cudaStreamAddCallback,
	(struct cuda_stream * stream, cuda_stream_callback *callback, void *userData, unsigned int flags),
	(stream, callback, userData, flags))
PER_THREAD(_ptsz, cudaStreamGetFlags, (struct cuda_stream * hStream, unsigned int *flags), (hStream, flags))
PER_THREAD(_ptsz, cudaStreamGetPriority, (struct cuda_stream * hStream, int *priority), (hStream, priority))
PER_THREAD(_ptsz, cudaStreamQuery, (struct cuda_stream * stream), (stream))
PER_THREAD(_ptsz, cudaStreamSynchronize, (struct cuda_stream * stream), (stream))
PER_THREAD(_ptsz, cudaStreamWaitEvent, (struct cuda_stream * stream, struct cuda_event *event, unsigned int flags),
	(stream, event, flags))
PER_THREAD(_ptsz, __cudaLaunchKernel,
	(struct cuda_kernel * kernel, struct dim3_abi grid, struct dim3_abi block, void **args, size_t shared,
		struct cuda_stream *stream),
	(kernel, grid, block, args, shared, stream))
PER_THREAD(_ptsz, cudaStreamGetId, (struct cuda_stream * hStream, unsigned long long *streamId), (hStream, streamId))
PER_THREAD(_ptsz, cudaStreamGetDevice, (struct cuda_stream * hStream, int *device), (hStream, device))
PER_THREAD(_ptsz, cudaEventRecordWithFlags, (struct cuda_event * event, struct cuda_stream *stream, unsigned int flags),
	(event, stream, flags))
PER_THREAD(_ptsz, cudaLaunchKernelExC, (const struct cuda_launch_config *config, const void *func, void **args),
	(config, func, args))
PER_THREAD(_ptsz, cudaLaunchCooperativeKernel,
	(const void *func, struct dim3_abi gridDim, struct dim3_abi blockDim, void **args, size_t sharedMem,
		struct cuda_stream *stream),
	(func, gridDim, blockDim, args, sharedMem, stream))
PER_THREAD(_ptds, cudaMemcpy3D, (const struct cuda_copy *p), (p))
PER_THREAD(_ptsz, cudaMemcpy3DAsync, (const struct cuda_copy *p, struct cuda_stream *stream), (p, stream))
PER_THREAD(_ptsz, cudaMemcpyToSymbolAsync,
	(const void *symbol, const void *src, size_t count, size_t offset, int kind, struct cuda_stream *stream),
	(symbol, src, count, offset, kind, stream))
PER_THREAD(_ptsz, cudaMemcpyFromSymbolAsync,
	(void *dst, const void *symbol, size_t count, size_t offset, int kind, struct cuda_stream *stream),
	(dst, symbol, count, offset, kind, stream))
PER_THREAD(_ptds, cudaMemset2D, (void *devPtr, size_t pitch, int value, size_t width, size_t height),
	(devPtr, pitch, value, width, height))
PER_THREAD(_ptds, cudaMemset3D, (struct cuda_pitched pitchedDevPtr, int value, struct cuda_extent extent),
	(pitchedDevPtr, value, extent))
PER_THREAD(_ptsz, cudaMemset2DAsync,
	(void *devPtr, size_t pitch, int value, size_t width, size_t height, struct cuda_stream *stream),
	(devPtr, pitch, value, width, height, stream))
PER_THREAD(_ptsz, cudaMemset3DAsync,
	(struct cuda_pitched pitchedDevPtr, int value, struct cuda_extent extent, struct cuda_stream *stream),
	(pitchedDevPtr, value, extent, stream))
PER_THREAD(_ptds, cudaMemcpy2DToArray,
	(struct cuda_array * dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width,
		size_t height, int kind),
	(dst, wOffset, hOffset, src, spitch, width, height, kind))
PER_THREAD(_ptds, cudaMemcpy2DFromArray,
	(void *dst, size_t dpitch, const struct cuda_array *src, size_t wOffset, size_t hOffset, size_t width,
		size_t height, int kind),
	(dst, dpitch, src, wOffset, hOffset, width, height, kind))
PER_THREAD(_ptds, cudaMemcpy2DArrayToArray,
	(struct cuda_array * dst, size_t wOffsetDst, size_t hOffsetDst, const struct cuda_array *src, size_t wOffsetSrc,
		size_t hOffsetSrc, size_t width, size_t height, int kind),
	(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind))
PER_THREAD(_ptsz, cudaMemcpy2DToArrayAsync,
	(struct cuda_array * dst, size_t wOffset, size_t hOffset, const void *src, size_t spitch, size_t width,
		size_t height, int kind, struct cuda_stream *stream),
	(dst, wOffset, hOffset, src, spitch, width, height, kind, stream))
PER_THREAD(_ptsz, cudaMemcpy2DFromArrayAsync,
	(void *dst, size_t dpitch, const struct cuda_array *src, size_t wOffset, size_t hOffset, size_t width,
		size_t height, int kind, struct cuda_stream *stream),
	(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream))
PER_THREAD(_ptsz, cudaMallocAsync, (void **pointer, size_t bytes, struct cuda_stream *stream), (pointer, bytes, stream))
PER_THREAD(_ptsz, cudaMallocFromPoolAsync,
	(void **pointer, size_t bytes, struct cuda_pool *pool, struct cuda_stream *stream),
	(pointer, bytes, pool, stream))
PER_THREAD(_ptsz, cudaFreeAsync, (void *pointer, struct cuda_stream *stream), (pointer, stream))
PER_THREAD(_ptsz, cudaStreamCopyAttributes, (struct cuda_stream * to, struct cuda_stream *from), (to, from))
PER_THREAD(_ptsz, cudaStreamGetAttribute, (struct cuda_stream * stream, int attribute, union cuda_launch_value *value),
	(stream, attribute, value))
PER_THREAD(_ptsz, cudaStreamSetAttribute,
	(struct cuda_stream * stream, int attribute, const union cuda_launch_value *value), (stream, attribute, value))
PER_THREAD(_ptsz, cudaStreamAttachMemAsync, (struct cuda_stream * stream, void *at, size_t bytes, unsigned int flags),
	(stream, at, bytes, flags))
PER_THREAD(_ptsz, cudaMemPrefetchAsync,
	(const void *at, size_t bytes, struct cuda_location to, uintptr_t fourth, struct cuda_stream *fifth),
	(at, bytes, to, fourth, fifth))
PER_THREAD(_ptsz, cudaMemPrefetchAsync_v2,
	(const void *at, size_t bytes, struct cuda_location to, unsigned int flags, struct cuda_stream *stream),
	(at, bytes, to, flags, stream))
PER_THREAD(_ptsz, cudaMemPrefetchBatchAsync,
	(void **at, size_t *bytes, size_t n, struct cuda_location *to, size_t *from, size_t n_to,
		unsigned long long flags, struct cuda_stream *stream),
	(at, bytes, n, to, from, n_to, flags, stream))
PER_THREAD(_ptsz, cudaMemDiscardBatchAsync,
	(void **at, size_t *bytes, size_t n, unsigned long long flags, struct cuda_stream *stream),
	(at, bytes, n, flags, stream))
PER_THREAD(_ptsz, cudaMemDiscardAndPrefetchBatchAsync,
	(void **at, size_t *bytes, size_t n, struct cuda_location *to, size_t *from, size_t n_to,
		unsigned long long flags, struct cuda_stream *stream),
	(at, bytes, n, to, from, n_to, flags, stream))
struct cuda_peer_copy;
PER_THREAD(_ptds, cudaMemcpy3DPeer, (const struct cuda_peer_copy *p), (p))
PER_THREAD(_ptsz, cudaMemcpy3DPeerAsync, (const struct cuda_peer_copy *p, struct cuda_stream *stream), (p, stream))
PER_THREAD(_ptsz, cudaMemcpyBatchAsync,
	(void *const *to, const void *const *from, const size_t *bytes, size_t n, const void *attributes,
		const size_t *indices, size_t n_attributes, void *seventh, struct cuda_stream *eighth),
	(to, from, bytes, n, attributes, indices, n_attributes, seventh, eighth))
PER_THREAD(_ptsz, cudaGetDriverEntryPointByVersion,
	(const char *name, void **function, unsigned int version, unsigned long long flags, int *status),
	(name, function, version, flags, status))
PER_THREAD(_ptsz, cudaGetDriverEntryPoint, (const char *name, void **function, unsigned long long flags, int *status),
	(name, function, flags, status))
struct cuda_graph;
struct graph_exec;
struct graph_node;
struct graph_instantiate;
PER_THREAD(_ptsz, cudaStreamBeginCapture, (struct cuda_stream * stream, int mode), (stream, mode))
PER_THREAD(_ptsz, cudaStreamBeginCaptureToGraph,
	(struct cuda_stream * stream, struct cuda_graph *into, struct graph_node **needs, const void *edges, size_t n,
		int mode),
	(stream, into, needs, edges, n, mode))
PER_THREAD(_ptsz, cudaStreamEndCapture, (struct cuda_stream * stream, struct cuda_graph **out), (stream, out))
PER_THREAD(_ptsz, cudaStreamIsCapturing, (struct cuda_stream * stream, int *status), (stream, status))
PER_THREAD(_ptsz, cudaStreamGetCaptureInfo,
	(struct cuda_stream * stream, int *status, unsigned long long *id, struct cuda_graph **graph,
		struct graph_node ***needs, const void **edges, size_t *n),
	(stream, status, id, graph, needs, edges, n))
PER_THREAD(_ptsz, cudaStreamGetCaptureInfo_v2,
	(struct cuda_stream * stream, int *status, unsigned long long *id, struct cuda_graph **graph,
		struct graph_node ***needs, size_t *n),
	(stream, status, id, graph, needs, n))
PER_THREAD(_ptsz, cudaStreamGetCaptureInfo_v3,
	(struct cuda_stream * stream, int *status, unsigned long long *id, struct cuda_graph **graph,
		struct graph_node ***needs, const void **edges, size_t *n),
	(stream, status, id, graph, needs, edges, n))
PER_THREAD(_ptsz, cudaStreamUpdateCaptureDependencies,
	(struct cuda_stream * stream, struct graph_node **needs, const void *edges, size_t n, unsigned int flags),
	(stream, needs, edges, n, flags))
PER_THREAD(_ptsz, cudaStreamUpdateCaptureDependencies_v2,
	(struct cuda_stream * stream, struct graph_node **needs, const void *edges, size_t n, unsigned int flags),
	(stream, needs, edges, n, flags))
PER_THREAD(_ptsz, cudaGraphInstantiateWithParams,
	(struct graph_exec * *out, struct cuda_graph *graph, struct graph_instantiate *p), (out, graph, p))
PER_THREAD(_ptsz, cudaGraphUpload, (struct graph_exec * exec, struct cuda_stream *stream), (exec, stream))
PER_THREAD(_ptsz, cudaGraphLaunch, (struct graph_exec * exec, struct cuda_stream *stream), (exec, stream))
PER_THREAD(_ptds, cudaMemcpyToArray,
	(struct cuda_array * to, size_t x, size_t y, const void *from, size_t bytes, int kind),
	(to, x, y, from, bytes, kind))
PER_THREAD(_ptsz, cudaMemcpyToArrayAsync,
	(struct cuda_array * to, size_t x, size_t y, const void *from, size_t bytes, int kind,
		struct cuda_stream *stream),
	(to, x, y, from, bytes, kind, stream))
PER_THREAD(_ptds, cudaMemcpyFromArray,
	(void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind),
	(to, from, x, y, bytes, kind))
PER_THREAD(_ptsz, cudaMemcpyFromArrayAsync,
	(void *to, const struct cuda_array *from, size_t x, size_t y, size_t bytes, int kind,
		struct cuda_stream *stream),
	(to, from, x, y, bytes, kind, stream))
PER_THREAD(_ptds, cudaMemcpyArrayToArray,
	(struct cuda_array * to, size_t to_x, size_t to_y, const struct cuda_array *from, size_t from_x, size_t from_y,
		size_t bytes, int kind),
	(to, to_x, to_y, from, from_x, from_y, bytes, kind))
