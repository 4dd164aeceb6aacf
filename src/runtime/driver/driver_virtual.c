/* Virtual memory: addresses that the program reserves, memory that it creates, and the mapping of one to the other.
 *
 * A reservation has a shadow: addresses of this process, as far apart as the device's, in which the host finds the
 * bytes. What is mapped lies there by a second mapping of the same memory. Neighbors that may be accessed alike are one
 * allocation to the machine, so that an array may lie over several of them.
 *
 * Memory that can be exported is a file (memory/shared.h). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/shared.h"

#define GRANULE ((size_t)2 << 20) /* as on GPUs */

enum { HANDLE_POSIX = 1, HANDLES_WINDOWS = 2 | 4, HANDLE_FABRIC = 8, COMPRESSION_GENERIC = 1, LOCATION_NONE = 0 };
enum { LOCATION_DEVICE = 1, TYPE_PINNED = 1, ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_BOTH = 3 };

/* CUmemAllocationProp */
struct memory_properties {
	int type, handle_types;
	struct cuda_location location;
	void *win32;
	unsigned char compression, rdma;
	unsigned short usage;
	unsigned char reserved[4];
};

/* CUmemGenericAllocationHandle: memory without an address. */
struct virtual_memory {
	uint32_t mark;
	int kept, mapped; /* how often; it is given back when both are 0 */
	struct memory_properties properties;
	size_t bytes;
	char *host;
	int file;      /* that it is; -1: none */
	bool imported; /* another process has made it */
	struct virtual_memory *next;
};
#define MEMORY_MARK 0x59524D4Du

struct virtual_mapping {
	uint64_t address;
	size_t bytes;
	struct virtual_memory *memory;
	int access;
};

struct virtual_range {
	uint64_t address;
	size_t bytes;
	char *shadow;
	struct virtual_mapping *mappings; /* by address */
	int n, cap;
	uint64_t *shown; /* the machine has an allocation from there */
	int n_shown, shown_cap;
	struct virtual_range *next;
};

static struct virtual_range *ranges;
static struct virtual_memory *memories;

/* --- reservations ------------------------------------------------------------------------------------------------- */

static struct virtual_range *range_at(uint64_t address, size_t bytes)
{
	for (struct virtual_range *v = ranges; v; v = v->next)
		if (address >= v->address && address - v->address < v->bytes &&
			bytes <= v->bytes - (address - v->address))
			return v;
	return NULL;
}

int cuMemAddressReserve(uint64_t *out, size_t bytes, size_t alignment, uint64_t wish, unsigned long long flags)
{
	RUNTIME_ENTER(r);
	(void)wish; /* a hint */
	if (!out || !bytes || bytes % GRANULE || alignment & (alignment - 1) || flags)
		return runtime_leave(CUDA_ErrorInvalidValue);
	size_t unit = alignment > GRANULE ? alignment : GRANULE;
	uint64_t address = (r->virtual_next + unit - 1) / unit * unit;
	if (!r->device_end || address < r->virtual_next || address > r->device_end ||
		bytes + GRANULE > r->device_end - address)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	char *shadow = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shadow == MAP_FAILED)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	struct virtual_range *v = base_calloc(1, sizeof *v);
	*v = (struct virtual_range){.address = address, .bytes = bytes, .shadow = shadow, .next = ranges};
	ranges = v;
	r->virtual_next = address + bytes + GRANULE; /* so that running past its end is seen */
	*out = address;
	return runtime_leave(CUDA_Success);
}

int cuMemAddressFree(uint64_t address, size_t bytes)
{
	RUNTIME_ENTER(r);
	struct virtual_range **at = &ranges, *v;
	(void)r;
	while (*at && ((*at)->address != address || (*at)->bytes != bytes))
		at = &(*at)->next;
	v = *at;
	if (!v || v->n)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*at = v->next;
	munmap(v->shadow, v->bytes);
	free(v->mappings);
	free(v->shown);
	free(v);
	return runtime_leave(CUDA_Success);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

/* Verified, as all errors here: H200. */
static int check_properties(const struct runtime *r, const struct memory_properties *p)
{
	if (!p || p->type != TYPE_PINNED || p->compression > COMPRESSION_GENERIC || p->location.type == LOCATION_NONE ||
		p->handle_types & HANDLES_WINDOWS)
		return CUDA_ErrorInvalidValue;
	if (p->handle_types & HANDLE_FABRIC)
		return CUDA_ErrorNotPermitted;
	if (p->location.type != LOCATION_DEVICE)
		return CUDA_ErrorNotSupported;
	return p->location.id >= 0 && p->location.id < r->devices ? CUDA_Success : CUDA_ErrorInvalidDevice;
}

int cuMemGetAllocationGranularity(size_t *out, const struct memory_properties *p, int option)
{
	RUNTIME_ENTER(r);
	(void)r;
	if (!out || !p || option < 0 || option > 1)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = GRANULE; /* whatever it is */
	return runtime_leave(CUDA_Success);
}

static struct virtual_memory *memory_of(uint64_t handle)
{
	for (struct virtual_memory *m = memories; m; m = m->next)
		if ((uintptr_t)m == handle && m->mark == MEMORY_MARK && m->kept)
			return m;
	return NULL;
}

/* It has the file from now on. NULL: there is no memory. */
static struct virtual_memory *memory_new(
	struct runtime *r, size_t bytes, const struct memory_properties *properties, int file)
{
	int flags = MAP_SHARED | MAP_NORESERVE | (file < 0 ? MAP_ANONYMOUS : 0);
	char *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
	if (host == MAP_FAILED) {
		if (file >= 0)
			close(file);
		return NULL;
	}
	struct virtual_memory *m = arena_alloc(r->arena, sizeof *m);
	*m = (struct virtual_memory){.mark = MEMORY_MARK,
		.kept = 1,
		.properties = *properties,
		.bytes = bytes,
		.host = host,
		.file = file,
		.next = memories};
	memories = m;
	return m;
}

int cuMemCreate(uint64_t *handle, size_t bytes, const struct memory_properties *p, unsigned long long flags)
{
	RUNTIME_ENTER(r);
	int error = handle && bytes && bytes % GRANULE == 0 && !flags ? check_properties(r, p) : CUDA_ErrorInvalidValue;
	if (error != CUDA_Success)
		return runtime_leave(error);
	if (bytes > r->memory_limit - r->allocated[p->location.id] || !runtime_has_memory(r, bytes))
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	int file = -1;
	if (p->handle_types & HANDLE_POSIX) {
		struct shared_title title = {.kind = SHARED_VIRTUAL,
			.bytes = bytes,
			.device = p->location.id,
			.compression = p->compression};
		file = shared_make(&title, NULL);
		if (file < 0)
			return runtime_leave(CUDA_ErrorMemoryAllocation);
	}
	struct virtual_memory *m = memory_new(r, bytes, p, file);
	if (!m)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	r->allocated[p->location.id] += bytes;
	*handle = (uintptr_t)m;
	return runtime_leave(CUDA_Success);
}

/* Memory that is neither held nor mapped is given back. */
static void drop_memory(struct runtime *r, struct virtual_memory *m)
{
	if (m->kept || m->mapped)
		return;
	munmap(m->host, m->bytes);
	if (m->file >= 0)
		close(m->file);
	m->mark = 0;
	if (!m->imported)
		r->allocated[m->properties.location.id] -= m->bytes;
}

int cuMemExportToShareableHandle(void *out, uint64_t handle, int type, unsigned long long flags)
{
	RUNTIME_ENTER(r);
	const struct virtual_memory *m = memory_of(handle);
	(void)r;
	if (!out || !m || type != HANDLE_POSIX || flags || m->file < 0)
		return runtime_leave(CUDA_ErrorInvalidValue);
	int file = fcntl(m->file, F_DUPFD_CLOEXEC, 0);
	if (file < 0)
		return runtime_leave(CUDA_ErrorOperatingSystem);
	memcpy(out, &file, sizeof file);
	return runtime_leave(CUDA_Success);
}

int cuMemImportFromShareableHandle(uint64_t *out, void *given, int type)
{
	RUNTIME_ENTER(r);
	int file = (int)(intptr_t)given;
	struct shared_title title;
	ino_t number, other;
	if (!out || type != HANDLE_POSIX)
		return runtime_leave(out ? CUDA_ErrorNotSupported : CUDA_ErrorInvalidValue);
	if (file < 0)
		return runtime_leave(CUDA_ErrorUnknown);
	if (!shared_read(file, SHARED_VIRTUAL, &title, &number) || title.bytes % GRANULE ||
		title.device >= r->devices) {
		runtime_warn(
			"cuMemImportFromShareableHandle: descriptor %d is not memory that a program exported with simttutor",
			file);
		return runtime_leave(CUDA_ErrorInvalidValue);
	}
	for (struct virtual_memory *m = memories; m; m = m->next)
		if (m->mark == MEMORY_MARK && shared_read(m->file, SHARED_VIRTUAL, &title, &other) && other == number) {
			m->kept++;
			*out = (uintptr_t)m;
			return runtime_leave(CUDA_Success);
		}
	shared_read(file, SHARED_VIRTUAL, &title, &number);
	file = fcntl(file, F_DUPFD_CLOEXEC, 0);
	if (file < 0)
		return runtime_leave(CUDA_ErrorOperatingSystem);
	struct memory_properties properties = {.type = TYPE_PINNED,
		.handle_types = HANDLE_POSIX,
		.location = {LOCATION_DEVICE, title.device},
		.compression = (unsigned char)title.compression};
	struct virtual_memory *m = memory_new(r, (size_t)title.bytes, &properties, file);
	if (!m)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	m->imported = true;
	*out = (uintptr_t)m;
	return runtime_leave(CUDA_Success);
}

int cuMemRelease(uint64_t handle)
{
	RUNTIME_ENTER(r);
	struct virtual_memory *m = memory_of(handle);
	if (!m)
		return runtime_leave(CUDA_ErrorInvalidValue);
	m->kept--;
	drop_memory(r, m);
	return runtime_leave(CUDA_Success);
}

int cuMemGetAllocationPropertiesFromHandle(struct memory_properties *out, uint64_t handle)
{
	RUNTIME_ENTER(r);
	const struct virtual_memory *m = memory_of(handle);
	(void)r;
	if (!out || !m)
		return runtime_leave(CUDA_ErrorInvalidValue);
	*out = m->properties;
	return runtime_leave(CUDA_Success);
}

int cuMemRetainAllocationHandle(uint64_t *handle, uint64_t address)
{
	RUNTIME_ENTER(r);
	const struct virtual_range *v = range_at(address, 1);
	(void)r;
	for (int i = 0; handle && v && i < v->n; i++) {
		struct virtual_mapping *m = &v->mappings[i];
		if (address < m->address || address - m->address >= m->bytes)
			continue;
		m->memory->kept++;
		*handle = (uintptr_t)m->memory;
		return runtime_leave(CUDA_Success);
	}
	return runtime_leave(CUDA_ErrorInvalidValue);
}

/* --- what the machine sees ---------------------------------------------------------------------------------------- */

static void hide(struct runtime *r, struct virtual_range *v)
{
	for (int i = 0; i < v->n_shown; i++)
		runtime_release(r, v->shown[i]);
	v->n_shown = 0;
}

/* After mappings or their access have changed. */
static int refresh(struct runtime *r, struct virtual_range *v)
{
	bool good = true;
	runtime_pause(r);
	hide(r, v);
	for (int i = 0, next; i < v->n; i = next) {
		const struct virtual_mapping *first = &v->mappings[i];
		size_t bytes = first->bytes;
		next = i + 1;
		if (!first->access)
			continue;
		while (next < v->n && v->mappings[next].access == first->access &&
			v->mappings[next].address == first->address + bytes)
			bytes += v->mappings[next++].bytes;

		char *host = v->shadow + (first->address - v->address);
		if (!simt_memory_map_at(r->memory, first->address, host, bytes)) {
			good = false;
		} else {
			if (first->access == ACCESS_READ)
				simt_memory_protect(r->memory, first->address);
			runtime_remember(r,
				&(struct cuda_allocation){.address = first->address,
					.bytes = bytes,
					.host = host,
					.kind = MEMORY_VIRTUAL,
					.read_only = first->access == ACCESS_READ,
					.device = (uint8_t)first->memory->properties.location.id,
					.written = true});
			*(uint64_t *)vec_push(v->shown, v->n_shown, v->shown_cap) = first->address;
		}
	}
	return good ? CUDA_Success : CUDA_ErrorMemoryAllocation;
}

const char *runtime_reservation(uint64_t address)
{
	const struct virtual_range *v = range_at(address, 1);
	for (int i = 0; v && i < v->n; i++) {
		const struct virtual_mapping *m = &v->mappings[i];
		if (address - m->address < m->bytes)
			return m->access ? NULL : "memory that is mapped there, with no access to it (cuMemSetAccess)";
	}
	return v ? "addresses that are reserved, with no memory mapped there (cuMemMap)" : NULL;
}

/* --- mapping ------------------------------------------------------------------------------------------------------ */

int cuMemMap(uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags)
{
	RUNTIME_ENTER(r);
	struct virtual_range *v = range_at(address, bytes);
	struct virtual_memory *m = memory_of(handle);
	if (!m || flags || !bytes)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (offset || bytes != m->bytes)
		return runtime_leave(CUDA_ErrorNotSupported); /* all of it, or nothing */
	if (!v || address % GRANULE)
		return runtime_leave(CUDA_ErrorInvalidValue);

	/* Where a mapping of these bytes goes, unless there is one already. */
	int at = 0;
	while (at < v->n && v->mappings[at].address + v->mappings[at].bytes <= address)
		at++;
	if (at < v->n && (v->mappings[at].address - address < bytes || v->mappings[at].address < address))
		return runtime_leave(CUDA_ErrorInvalidValue);
	char *to = v->shadow + (address - v->address);
	if (mremap(m->host + offset, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
		return runtime_leave(CUDA_ErrorMemoryAllocation);
	vec_push(v->mappings, v->n, v->cap);
	memmove(&v->mappings[at + 1], &v->mappings[at], (size_t)(v->n - 1 - at) * sizeof *v->mappings);
	v->mappings[at] = (struct virtual_mapping){address, bytes, m, ACCESS_NONE};
	m->mapped++;
	return runtime_leave(CUDA_Success);
}

/* The mappings from `*first` to before `*end` that are these bytes, without a gap. False: no such. */
static bool find_mappings(const struct virtual_range *v, uint64_t address, size_t bytes, int *first, int *end)
{
	uint64_t at = address;
	for (*first = 0; *first < v->n && v->mappings[*first].address != address; ++*first)
		;
	for (*end = *first; *end < v->n && at - address < bytes && v->mappings[*end].address == at; ++*end)
		at += v->mappings[*end].bytes;
	return *end > *first && at - address == bytes;
}

/* The mappings from `*first` to before `*end` that lie in these bytes, perhaps none. False: one is cut. */
static bool find_within(const struct virtual_range *v, uint64_t address, size_t bytes, int *first, int *end)
{
	const struct virtual_mapping *m = v->mappings;
	for (*first = 0; *first < v->n && m[*first].address + m[*first].bytes <= address; ++*first)
		;
	for (*end = *first; *end < v->n && m[*end].address < address + bytes; ++*end)
		if (m[*end].address < address || m[*end].address + m[*end].bytes > address + bytes)
			return false;
	return true;
}

/* What was asked for before may still use it: as on a GPU the program sees to that, here it is waited for. */
int cuMemUnmap(uint64_t address, size_t bytes)
{
	RUNTIME_ENTER(r);
	struct virtual_range *v = range_at(address, bytes);
	int first, end;
	if (!v || !bytes || address % GRANULE || bytes % GRANULE || !find_within(v, address, bytes, &first, &end))
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (first == end)
		return runtime_leave(CUDA_Success);
	int error = queue_wait_all(r);
	if (error == CUDA_ErrorNotPermitted)
		return runtime_leave(error);
	runtime_pause(r);
	hide(r, v);
	for (int i = first; i < end; i++) {
		v->mappings[i].memory->mapped--;
		drop_memory(r, v->mappings[i].memory);
	}
	memmove(&v->mappings[first], &v->mappings[end], (size_t)(v->n - end) * sizeof *v->mappings);
	v->n -= end - first;
	/* over what is mapped already: it takes the place of pages, and needs none */
	(void)mmap(v->shadow + (address - v->address), bytes, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
	int shown = refresh(r, v);
	return runtime_leave(error == CUDA_Success ? shown : error);
}

/* CUmemAccessDesc */
struct access_description {
	struct cuda_location location;
	int access;
};

int cuMemSetAccess(uint64_t address, size_t bytes, const struct access_description *list, size_t n)
{
	RUNTIME_ENTER(r);
	struct virtual_range *v = range_at(address, bytes);
	int first, end;
	if (!v || !list || !n || !find_mappings(v, address, bytes, &first, &end))
		return runtime_leave(CUDA_ErrorInvalidValue);
	for (size_t i = 0; i < n; i++) {
		int access = list[i].access;
		if (list[i].location.type != LOCATION_DEVICE ||
			(access != ACCESS_NONE && access != ACCESS_READ && access != ACCESS_BOTH))
			return runtime_leave(CUDA_ErrorInvalidValue);
		if (list[i].location.id < 0 || list[i].location.id >= r->devices)
			return runtime_leave(CUDA_ErrorInvalidDevice);
	}
	/* all devices reach what one of them does */
	int access = ACCESS_NONE;
	for (size_t i = 0; i < n; i++)
		access |= list[i].access;
	for (int i = first; i < end; i++)
		v->mappings[i].access = access;
	return runtime_leave(refresh(r, v));
}

int cuMemGetAccess(unsigned long long *access, const struct cuda_location *of, uint64_t address)
{
	RUNTIME_ENTER(r);
	const struct virtual_range *v = range_at(address, 1);
	if (of && of->type == LOCATION_DEVICE && (of->id < 0 || of->id >= r->devices))
		return runtime_leave(CUDA_ErrorInvalidDevice);
	for (int i = 0; access && of && v && i < v->n; i++) {
		const struct virtual_mapping *m = &v->mappings[i];
		if (address < m->address || address - m->address >= m->bytes)
			continue;
		*access = (unsigned long long)m->access;
		return runtime_leave(CUDA_Success);
	}
	return runtime_leave(CUDA_ErrorInvalidValue);
}
