/* The memory of a launch, at the very addresses that its pointers have. */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "gpu/worker/cause.h"
#include "gpu/worker/session.h"

#define RANGES_BYTES_MAX ((uint64_t)8 << 30)

/* Whole pages at their addresses. */
struct session_range {
	CUdeviceptr begin, end;
	CUmemGenericAllocationHandle pages; /* of the GPU */
	bool has_pages, mapped;
	bool of_host, registered; /* of the host, in their place */
};

/* Addresses that the driver has given for some of them. */
struct session_room {
	CUdeviceptr at;
	size_t bytes;
};

/* Verified: H200, driver 580 (doc/hardware.md, tests/gpu/live.sh). A little room the driver takes from addresses that it has already,
 * whatever is wished; much it takes where it is wished. */
static const size_t room_bytes[] = {(size_t)1 << 40, (size_t)1 << 36, (size_t)1 << 34};
#define ROOM_SPAN ((uint64_t)1 << 34) /* ranges so near are in one room */

static CUmemAllocationProp pages_of(const struct session *s)
{
	return (CUmemAllocationProp){.type = CU_MEM_ALLOCATION_TYPE_PINNED,
		.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = s->cu_device}};
}

static void drop_range(const struct driver *d, struct session_range *r)
{
	if (r->mapped)
		d->cuMemUnmap(r->begin, r->end - r->begin);
	if (r->has_pages)
		d->cuMemRelease(r->pages);
	if (r->registered)
		d->cuMemHostUnregister((void *)r->begin);
	if (r->of_host)
		munmap((void *)r->begin, r->end - r->begin);
}

void session_memory_drop(struct session *s)
{
	for (int i = 0; i < s->n_ranges; i++)
		drop_range(&s->driver, &s->ranges[i]);
	for (int i = 0; i < s->n_rooms; i++)
		s->driver.cuMemAddressFree(s->rooms[i].at, s->rooms[i].bytes);
	free(s->ranges);
	free(s->rooms);
	s->ranges = NULL;
	s->rooms = NULL;
	s->n_ranges = s->ranges_cap = s->n_rooms = s->rooms_cap = 0;
}

/* The pages that hold the memory. Returns their bytes. */
static uint64_t find_ranges(struct session *s, const struct launch *launch, uint64_t page)
{
	uint64_t bytes = 0;
	for (int i = 0; i < launch->n_memory; i++) {
		const struct launch_memory *m = &launch->memory[i];
		uint64_t begin = m->address / page * page, end = (m->address + m->bytes + page - 1) / page * page;
		struct session_range *last = s->n_ranges ? &s->ranges[s->n_ranges - 1] : NULL;
		if (last && begin <= last->end) {
			bytes += end > last->end ? end - last->end : 0;
			last->end = end > last->end ? end : last->end;
			continue;
		}
		*(struct session_range *)vec_push(s->ranges, s->n_ranges, s->ranges_cap) = (struct session_range){
			.begin = begin, .end = end};
		bytes += end - begin;
	}
	return bytes;
}

/* False: the driver has no room there. */
static bool reserve_room(struct session *s, uint64_t begin, uint64_t end)
{
	for (size_t i = 0; i < sizeof room_bytes / sizeof *room_bytes; i++) {
		size_t bytes = room_bytes[i] > end - begin ? room_bytes[i] : end - begin;
		CUdeviceptr at = 0;
		if (s->driver.cuMemAddressReserve(&at, bytes, 0, begin, 0) != CUDA_SUCCESS)
			continue;
		if (at == begin) {
			*(struct session_room *)vec_push(s->rooms, s->n_rooms, s->rooms_cap) = (struct session_room){
				at, bytes};
			return true;
		}
		s->driver.cuMemAddressFree(at, bytes);
	}
	return false;
}

static CUresult map_range(const struct session *s, struct session_range *r)
{
	const struct driver *d = &s->driver;
	const CUmemAllocationProp pages = pages_of(s);
	const CUmemAccessDesc access = {.location = pages.location, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
	size_t bytes = r->end - r->begin;
	CUresult result = d->cuMemCreate(&r->pages, bytes, &pages, 0);
	r->has_pages = result == CUDA_SUCCESS;
	if (r->has_pages)
		result = d->cuMemMap(r->begin, bytes, 0, r->pages, 0);
	r->mapped = r->has_pages && result == CUDA_SUCCESS;
	return r->mapped ? d->cuMemSetAccess(r->begin, bytes, &access, 1) : result;
}

/* Memory of this process, which the GPU sees at its address, does as well; only times would not. */
static CUresult take_from_host(const struct session *s, struct session_range *r)
{
	const struct driver *d = &s->driver;
	size_t bytes = r->end - r->begin;
	CUdeviceptr seen = 0;
	void *at = mmap((void *)r->begin, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (at == MAP_FAILED)
		return CUDA_ERROR_ALREADY_MAPPED;
	r->of_host = at == (void *)r->begin;
	if (!r->of_host) { /* of a kernel that takes an address as a wish */
		munmap(at, bytes);
		return CUDA_ERROR_ALREADY_MAPPED;
	}
	CUresult result = d->cuMemHostRegister(at, bytes, CU_MEMHOSTREGISTER_DEVICEMAP);
	r->registered = result == CUDA_SUCCESS;
	if (r->registered)
		result = d->cuMemHostGetDevicePointer(&seen, at, 0);
	return result == CUDA_SUCCESS && seen != r->begin ? CUDA_ERROR_INVALID_ADDRESS_SPACE : result;
}

static bool refuse(struct session_launch *l, const struct session_range *r, CUresult result, struct wire_error *error)
{
	const char *why = result == CUDA_ERROR_ALREADY_MAPPED ? "something else is there"
							      : driver_message(l->arena, &l->session->driver, result);
	*error = (struct wire_error){WIRE_BAD_LAUNCH,
		arena_printf(l->arena, "its memory from 0x%llx to 0x%llx cannot be there on this GPU: %s",
			(unsigned long long)r->begin, (unsigned long long)r->end, why)};
	session_memory_drop(l->session);
	return false;
}

/* Ranges that are near one another, from the first on. */
static int count_near(const struct session *s, int first)
{
	int n = 1;
	while (first + n < s->n_ranges && s->ranges[first + n].end - s->ranges[first].begin <= ROOM_SPAN)
		n++;
	return n;
}

static bool map_ranges(struct session_launch *l, struct wire_error *error)
{
	struct session *s = l->session;
	for (int first = 0, n; first < s->n_ranges; first += n) {
		n = count_near(s, first);
		bool room = reserve_room(s, s->ranges[first].begin, s->ranges[first + n - 1].end);
		for (int i = first; i < first + n; i++) {
			struct session_range *r = &s->ranges[i];
			CUresult result = room ? map_range(s, r) : take_from_host(s, r);
			if (result != CUDA_SUCCESS)
				return refuse(l, r, result, error);
		}
	}
	return true;
}

bool session_memory_map(struct session_launch *l, struct wire_error *error)
{
	struct session *s = l->session;
	const struct driver *d = &s->driver;
	const CUmemAllocationProp pages = pages_of(s);
	size_t page = 0;
	if (!l->launch->n_memory)
		return true; /* it may be counters that are tried on their way to those of another launch */
	session_memory_drop(s);
	CUresult result = d->cuMemGetAllocationGranularity(&page, &pages, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
	if (result != CUDA_SUCCESS || !page)
		return cause_fail_driver(
			l->arena, d, (struct cause_answer){CAUSE_MEMORY, result, "memory at addresses"}, error);
	uint64_t bytes = find_ranges(s, l->launch, page);
	if (bytes <= RANGES_BYTES_MAX)
		return map_ranges(l, error);
	*error = (struct wire_error){WIRE_OUT_OF_MEMORY,
		arena_printf(l->arena, "the pages of its memory hold %llu MiB; at most %llu are taken",
			(unsigned long long)(bytes >> 20), (unsigned long long)(RANGES_BYTES_MAX >> 20))};
	session_memory_drop(s);
	return false;
}

/* --- its bytes ---------------------------------------------------------------------------------------------------- */

CUresult session_memory_fill(const struct session_launch *l)
{
	const struct driver *d = &l->session->driver;
	CUresult result = CUDA_SUCCESS;
	for (int i = 0; i < l->launch->n_memory && result == CUDA_SUCCESS; i++) {
		const struct launch_memory *m = &l->launch->memory[i];
		if (m->n_data)
			result = d->cuMemcpyHtoD(m->address, m->data, m->n_data);
		if (result == CUDA_SUCCESS && m->bytes > m->n_data)
			result = d->cuMemsetD8(m->address + m->n_data, 0, m->bytes - m->n_data);
	}
	return result;
}
