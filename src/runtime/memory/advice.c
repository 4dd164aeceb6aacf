/* What a program says of memory that host and devices share, and what it asks about it. There is one copy of it, which
 * all reach at the same cost: advice is kept, so that it can be asked for, and prefetches wait for nothing. */
#include "runtime/stream/queue.h"

enum { LOCATION_NONE, LOCATION_DEVICE, LOCATION_HOST, LOCATION_HOST_NUMA, LOCATION_HOST_NUMA_CURRENT };
enum { DEVICE_CPU = -1, DEVICE_INVALID = -2 };

enum {
	ADVICE_READ_MOSTLY = 1,
	ADVICE_NOT_READ_MOSTLY,
	ADVICE_PREFERRED,
	ADVICE_NOT_PREFERRED,
	ADVICE_ACCESSED_BY,
	ADVICE_NOT_ACCESSED_BY,
};

enum {
	RANGE_READ_MOSTLY = 1,
	RANGE_PREFERRED,
	RANGE_ACCESSED_BY,
	RANGE_PREFETCHED,
	RANGE_PREFERRED_TYPE,
	RANGE_PREFERRED_ID,
	RANGE_PREFETCHED_TYPE,
	RANGE_PREFETCHED_ID,
};

static struct cuda_advice *advice_of(struct runtime *r, struct cuda_allocation *a)
{
	if (!a->advice)
		a->advice = arena_alloc(r->arena, sizeof *a->advice);
	return a->advice;
}

/* Managed memory that has all these bytes; NULL: it is none. */
static struct cuda_allocation *managed(struct runtime *r, const void *at, size_t bytes)
{
	struct cuda_allocation *a = bytes ? runtime_allocation(r, (uintptr_t)at, bytes) : NULL;
	return a && a->kind == MEMORY_MANAGED ? a : NULL;
}

static int check_location(const struct runtime *r, struct cuda_location at)
{
	if (at.type == LOCATION_DEVICE)
		return at.id >= 0 && at.id < r->devices ? CUDA_Success : CUDA_ErrorInvalidDevice;
	return at.type >= LOCATION_HOST && at.type <= LOCATION_HOST_NUMA_CURRENT ? CUDA_Success
										 : CUDA_ErrorInvalidValue;
}

/* As CUDA 12 has it: a number of a device, or the host. */
static struct cuda_location location_of(int device)
{
	return device == DEVICE_CPU ? (struct cuda_location){LOCATION_HOST, 0}
				    : (struct cuda_location){LOCATION_DEVICE, device};
}

static int prefetch(
	const void *at, size_t bytes, struct cuda_location to, unsigned int flags, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, stream);
	struct cuda_allocation *a = managed(r, at, bytes);
	int error = s ? check_location(r, to) : CUDA_ErrorInvalidResourceHandle;
	if (error == CUDA_Success && (!a || flags))
		error = CUDA_ErrorInvalidValue;
	if (error != CUDA_Success)
		return runtime_leave(error);
	advice_of(r, a)->prefetched = to;
	struct cuda_work nothing = {.kind = WORK_NOTHING};
	return runtime_leave(queue_submit(r, s, &nothing));
}

/* CUDA 12: a device, a stream; CUDA 13: a location, flags, a stream. */
RUNTIME_API int cudaMemPrefetchAsync(
	const void *at, size_t bytes, struct cuda_location to, uintptr_t fourth, struct cuda_stream *fifth)
{
	if (runtime_version < 13000)
		return prefetch(at, bytes, location_of(to.type), 0, (struct cuda_stream *)fourth);
	return prefetch(at, bytes, to, (unsigned int)fourth, fifth);
}

RUNTIME_API int cudaMemPrefetchAsync_v2(
	const void *at, size_t bytes, struct cuda_location to, unsigned int flags, struct cuda_stream *stream)
{
	return prefetch(at, bytes, to, flags, stream);
}

/* Ranges of managed memory, all of them. */
struct ranges {
	void *const *at;
	const size_t *bytes;
	size_t n;
};

static int check_ranges(struct runtime *r, const struct ranges *ranges)
{
	if (!ranges->at || !ranges->bytes || !ranges->n)
		return CUDA_ErrorInvalidValue;
	for (size_t i = 0; i < ranges->n; i++)
		if (!managed(r, ranges->at[i], ranges->bytes[i]))
			return CUDA_ErrorInvalidValue;
	return CUDA_Success;
}

/* What is discarded counts as never written. */
static int discard(struct runtime *r, const struct ranges *ranges, struct cuda_stream *s)
{
	int error = queue_wait_stream(r, s);
	r->discards = true;
	for (size_t i = 0; i < ranges->n && error == CUDA_Success; i++)
		simt_memory_uninitialized(r->memory, (uintptr_t)ranges->at[i], ranges->bytes[i]);
	return error;
}

/* Where each range goes: location k for those from indices[k] on. */
struct targets {
	const struct cuda_location *to;
	const size_t *from;
	size_t n;
};

static int prefetch_batch(const struct ranges *ranges, const struct targets *targets, bool discards,
	unsigned long long flags, struct cuda_stream *stream)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, stream);
	int error = s ? check_ranges(r, ranges) : CUDA_ErrorInvalidResourceHandle;
	if (error == CUDA_Success && s->is_legacy) /* as CUDA 13.0 has it; the per-thread one is good */
		error = CUDA_ErrorInvalidValue;
	if (error == CUDA_Success &&
		(flags ||
			(targets &&
				(!targets->to || !targets->from || !targets->n || targets->n > ranges->n ||
					targets->from[0]))))
		error = CUDA_ErrorInvalidValue;
	for (size_t k = 0; targets && k < targets->n && error == CUDA_Success; k++)
		error = check_location(r, targets->to[k]);
	if (error != CUDA_Success)
		return runtime_leave(error);
	for (size_t i = 0, k = 0; targets && i < ranges->n; i++) {
		while (k + 1 < targets->n && targets->from[k + 1] <= i)
			k++;
		advice_of(r, managed(r, ranges->at[i], 1))->prefetched = targets->to[k];
	}
	if (discards)
		return runtime_leave(discard(r, ranges, s));
	struct cuda_work nothing = {.kind = WORK_NOTHING};
	return runtime_leave(queue_submit(r, s, &nothing));
}

RUNTIME_API int cudaMemPrefetchBatchAsync(void **at, size_t *bytes, size_t n, struct cuda_location *to, size_t *from,
	size_t n_to, unsigned long long flags, struct cuda_stream *stream)
{
	return prefetch_batch(&(struct ranges){at, bytes, n}, &(struct targets){to, from, n_to}, false, flags, stream);
}

RUNTIME_API int cudaMemDiscardBatchAsync(
	void **at, size_t *bytes, size_t n, unsigned long long flags, struct cuda_stream *stream)
{
	return prefetch_batch(&(struct ranges){at, bytes, n}, NULL, true, flags, stream);
}

RUNTIME_API int cudaMemDiscardAndPrefetchBatchAsync(void **at, size_t *bytes, size_t n, struct cuda_location *to,
	size_t *from, size_t n_to, unsigned long long flags, struct cuda_stream *stream)
{
	return prefetch_batch(&(struct ranges){at, bytes, n}, &(struct targets){to, from, n_to}, true, flags, stream);
}

static int advise(const void *at, size_t bytes, int advice, struct cuda_location to)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = managed(r, at, bytes);
	if (!a || advice < ADVICE_READ_MOSTLY || advice > ADVICE_NOT_ACCESSED_BY)
		return runtime_leave(CUDA_ErrorInvalidValue);
	bool located = advice == ADVICE_PREFERRED || advice >= ADVICE_ACCESSED_BY;
	int error = located ? check_location(r, to) : CUDA_Success;
	if (error != CUDA_Success)
		return runtime_leave(error);
	struct cuda_advice *kept = advice_of(r, a);
	bool on = advice % 2;
	if (advice <= ADVICE_NOT_READ_MOSTLY)
		kept->read_mostly = on;
	else if (advice <= ADVICE_NOT_PREFERRED)
		kept->preferred = on ? to : (struct cuda_location){0};
	else if (to.type == LOCATION_DEVICE)
		kept->accessed_by = on ? kept->accessed_by | 1u << to.id : kept->accessed_by & ~(1u << to.id);
	else
		kept->by_host = on;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaMemAdvise(const void *at, size_t bytes, int advice, struct cuda_location to)
{
	return advise(at, bytes, advice, runtime_version < 13000 ? location_of(to.type) : to);
}

RUNTIME_API int cudaMemAdvise_v2(const void *at, size_t bytes, int advice, struct cuda_location to)
{
	return advise(at, bytes, advice, to);
}

/* --- what is known of it ------------------------------------------------------------------------------------------ */

static int device_of(struct cuda_location at)
{
	return at.type == LOCATION_NONE ? DEVICE_INVALID : at.type == LOCATION_DEVICE ? at.id : DEVICE_CPU;
}

static int get_number(const struct cuda_advice *a, int attribute)
{
	switch (attribute) {
	case RANGE_READ_MOSTLY: return a->read_mostly;
	case RANGE_PREFERRED: return device_of(a->preferred);
	case RANGE_PREFETCHED: return device_of(a->prefetched);
	case RANGE_PREFERRED_TYPE: return a->preferred.type;
	case RANGE_PREFERRED_ID: return a->preferred.id;
	case RANGE_PREFETCHED_TYPE: return a->prefetched.type;
	default: return a->prefetched.id;
	}
}

static int get_range_attribute(void *data, size_t size, int attribute, const struct cuda_advice *a)
{
	if (!data || attribute < RANGE_READ_MOSTLY || attribute > RANGE_PREFETCHED_ID || !size || size % sizeof(int))
		return CUDA_ErrorInvalidValue;
	if (attribute == RANGE_ACCESSED_BY) {
		int *out = data;
		size_t n = size / sizeof(int);
		size_t at = 0;
		for (int device = a->by_host ? DEVICE_CPU : 0; device < RUNTIME_DEVICES_MAX && at < n; device++)
			if (device == DEVICE_CPU || a->accessed_by >> device & 1)
				out[at++] = device;
		while (at < n)
			out[at++] = DEVICE_INVALID;

		return CUDA_Success;
	}
	if (size != sizeof(int))
		return CUDA_ErrorInvalidValue;
	*(int *)data = get_number(a, attribute);
	return CUDA_Success;
}

RUNTIME_API int cudaMemRangeGetAttributes(
	void **data, const size_t *sizes, const int *attributes, size_t n, const void *at, size_t bytes)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = managed(r, at, bytes);
	int error = a && data && sizes && attributes ? CUDA_Success : CUDA_ErrorInvalidValue;
	for (size_t i = 0; i < n && error == CUDA_Success; i++)
		error = get_range_attribute(data[i], sizes[i], attributes[i], advice_of(r, a));
	return runtime_leave(error);
}

RUNTIME_API int cudaMemRangeGetAttribute(void *data, size_t size, int attribute, const void *at, size_t bytes)
{
	return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, at, bytes);
}

#define ATTACH_KINDS 7u /* global, host, single */

RUNTIME_API int cudaStreamAttachMemAsync(struct cuda_stream *stream, void *at, size_t bytes, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct cuda_stream *s = queue_stream(r, stream);
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)at, bytes);
	if (!s)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!a || a->kind != MEMORY_MANAGED || (bytes && (a->address != (uintptr_t)at || bytes != a->bytes)) ||
		!flags || flags & ~ATTACH_KINDS || flags & (flags - 1))
		return runtime_leave(CUDA_ErrorInvalidValue);
	struct cuda_work nothing = {.kind = WORK_NOTHING};
	return runtime_leave(queue_submit(r, s, &nothing));
}
