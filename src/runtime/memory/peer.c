/* Several devices: all reach the memory of all, as over NVLink. */
#include "runtime/memory/memory.h"

static bool is_device(const struct runtime *r, int device)
{
	return device >= 0 && device < r->devices;
}

RUNTIME_API int cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	RUNTIME_ENTER(r);
	if (!is_device(r, device) || !is_device(r, peer))
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!can)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*can = device != peer;
	return runtime_leave(CUDA_Success);
}

static bool enabled[RUNTIME_DEVICES_MAX][RUNTIME_DEVICES_MAX]; /* by device and peer */

RUNTIME_API int cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
	RUNTIME_ENTER(r);
	int device = runtime_device();
	if (!is_device(r, peer) || peer == device)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (enabled[device][peer])
		return runtime_leave(CUDA_ErrorPeerAccessAlreadyEnabled);
	enabled[device][peer] = true;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceDisablePeerAccess(int peer)
{
	RUNTIME_ENTER(r);
	int device = runtime_device();
	if (!is_device(r, peer))
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!enabled[device][peer])
		return runtime_leave(CUDA_ErrorPeerAccessNotEnabled);
	enabled[device][peer] = false;
	return runtime_leave(CUDA_Success);
}

enum { P2P_RANK = 1, P2P_ACCESS, P2P_ATOMICS, P2P_ARRAYS, P2P_PARTIAL_ATOMICS };

RUNTIME_API int cudaDeviceGetP2PAttribute(int *value, int attribute, int from, int to)
{
	RUNTIME_ENTER(r);
	if (!is_device(r, from) || !is_device(r, to) || from == to)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!value || attribute < P2P_RANK || attribute > P2P_PARTIAL_ATOMICS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*value = attribute != P2P_RANK && attribute != P2P_PARTIAL_ATOMICS;
	return runtime_leave(CUDA_Success);
}

static int copy_peer(
	const struct copy_request *request, const int devices[2], struct cuda_stream *handle, enum copy_when when)
{
	RUNTIME_ENTER(r);
	struct cuda_work work;
	struct cuda_stream *s = queue_stream(r, handle);
	if (!is_device(r, devices[0]) || !is_device(r, devices[1]))
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	int error = copy_work(r, request, &work);
	return runtime_leave(error != CUDA_Success ? error : copy_submit(r, s, &work, when));
}

RUNTIME_API int cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	struct copy_request request = copy_bytes("cudaMemcpyPeer", to, from, bytes, CUDA_MemcpyDefault);
	return copy_peer(&request, (int[]){to_device, from_device}, NULL, COPY_ASYNC);
}

RUNTIME_API int cudaMemcpyPeerAsync(
	void *to, int to_device, const void *from, int from_device, size_t bytes, struct cuda_stream *stream)
{
	struct copy_request request = copy_bytes("cudaMemcpyPeerAsync", to, from, bytes, CUDA_MemcpyDefault);
	return copy_peer(&request, (int[]){to_device, from_device}, stream, COPY_ASYNC);
}

/* cudaMemcpy3DPeerParms */
struct cuda_peer_copy {
	struct cuda_array *from_array;
	struct cuda_place from_place;
	struct cuda_pitched from;
	int from_device;
	struct cuda_array *to_array;
	struct cuda_place to_place;
	struct cuda_pitched to;
	int to_device;
	struct cuda_extent extent;
};

static int copy_3d(const char *call, const struct cuda_peer_copy *p, struct cuda_stream *stream)
{
	struct copy_request request;
	struct cuda_copy c = {.kind = CUDA_MemcpyDefault};
	int error = CUDA_ErrorInvalidValue;
	if (p) {
		c.from_array = p->from_array;
		c.from_place = p->from_place;
		c.from = p->from;
		c.to_array = p->to_array;
		c.to_place = p->to_place;
		c.to = p->to;
		c.extent = p->extent;
		error = copy_box(call, &c, &request);
	}
	if (error == CUDA_Success)
		return copy_peer(&request, (int[]){p->to_device, p->from_device}, stream, COPY_ASYNC);
	RUNTIME_ENTER(r);
	(void)r;
	return runtime_leave(error);
}

RUNTIME_API int cudaMemcpy3DPeer(const struct cuda_peer_copy *p)
{
	return copy_3d("cudaMemcpy3DPeer", p, NULL);
}

RUNTIME_API int cudaMemcpy3DPeerAsync(const struct cuda_peer_copy *p, struct cuda_stream *stream)
{
	return copy_3d("cudaMemcpy3DPeerAsync", p, stream);
}

/* --- several copies in one call ----------------------------------------------------------------------------------- */

/* What is copied, and, by indices, how. */
struct copy_list {
	const char *call;
	void *const *to;
	const void *const *from;
	const size_t *bytes;
	size_t n;
	const void *attributes;
	const size_t *indices;
	size_t n_attributes;
};

/* In the order given, which is one of those allowed. `failed`, or NULL: the index of the copy that cannot be done. */
static int copy_batch(const struct copy_list *list, size_t *failed, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, stream);
	int error = CUDA_Success;
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!list->to || !list->from || !list->bytes || !list->n || !list->attributes || !list->indices ||
		!list->n_attributes || list->n_attributes > list->n || list->indices[0])
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (size_t i = 0; i < list->n && error == CUDA_Success; i++) {
		struct cuda_work work;
		struct copy_request request = copy_bytes(
			list->call, list->to[i], list->from[i], list->bytes[i], CUDA_MemcpyDefault);
		error = copy_work(r, &request, &work);
		error = error == CUDA_Success ? copy_submit(r, s, &work, COPY_ASYNC) : error;
		if (error != CUDA_Success && failed)
			*failed = i;
	}
	return runtime_leave(error);
}

/* CUDA 12 has the place of the index, too. */
RUNTIME_API int cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t n,
	const void *attributes, const size_t *indices, size_t n_attributes, void *seventh, struct cuda_stream *eighth)
{
	bool old = runtime_version < 13000;
	struct copy_list list = {"cudaMemcpyBatchAsync", to, from, bytes, n, attributes, indices, n_attributes};
	return copy_batch(&list, old ? seventh : NULL, old ? eighth : (struct cuda_stream *)seventh);
}

int cuMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *bytes, size_t n, const void *attributes,
	const size_t *indices, size_t n_attributes, size_t *failed, struct cuda_stream *stream)
{
	struct copy_list list = {"cuMemcpyBatchAsync", to, from, bytes, n, attributes, indices, n_attributes};
	return copy_batch(&list, failed, stream);
}

int cuMemcpyBatchAsync_v2(void *const *to, const void *const *from, const size_t *bytes, size_t n,
	const void *attributes, const size_t *indices, size_t n_attributes, struct cuda_stream *stream)
{
	struct copy_list list = {"cuMemcpyBatchAsync", to, from, bytes, n, attributes, indices, n_attributes};
	return copy_batch(&list, NULL, stream);
}
