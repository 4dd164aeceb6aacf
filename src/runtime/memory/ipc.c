/* Memory and events of other processes.
 *
 * What a handle is made of is a file (shared.h), which has the bytes from then on; the handle is its name. One from
 * another process is 64 bytes of anything: what it leads to is looked at, and taken if it is such a file. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/shared.h"
#include "runtime/report/report.h"

#define IPC_LAZY_PEER_ACCESS 1u
#define HANDLE_MARK 0x43504953u
#define GRANULE ((uint64_t)2 << 20)
#define WAIT_NS 50000

/* cudaIpcMemHandle_t and cudaIpcEventHandle_t */
struct ipc_handle {
	uint32_t mark, kind;
	uint8_t name[SHARED_NAME];
	uint8_t unused[40];
};

static struct ipc_handle handle_of(enum shared_kind kind, const uint8_t *name)
{
	struct ipc_handle handle = {.mark = HANDLE_MARK, .kind = kind};
	memcpy(handle.name, name, SHARED_NAME);
	return handle;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

struct ipc_memory {
	uint8_t name[SHARED_NAME];
	int file;     /* which is locked as long as it is ours; -1: another process has made it */
	void *at;     /* where it is mapped */
	size_t bytes; /* as many are */
	int opened;   /* how often, of another process's */
	ino_t number; /* of its file, likewise */
};

/* Files that are ours go with us. */
static struct ipc_memory **made;
static int n_made, made_cap;
static struct ipc_event **events;
static int n_events, events_cap;
static pid_t maker;

static void remove_all(void);

static void remove_at_end(void)
{
	if (maker)
		return;
	maker = getpid();
	atexit(remove_all);
}

void ipc_drop(const struct cuda_allocation *a)
{
	struct ipc_memory *m = a->ipc;
	munmap(m->at, m->bytes);
	if (m->file >= 0) {
		shared_remove(m->name);
		close(m->file);
	}
	for (int i = 0; i < n_made; i++)
		if (made[i] == m)
			made[i] = made[--n_made];
	free(m);
}

/* Its bytes move to a file. Nothing runs, and nothing that was asked for knows where they were. */
static int make_shared(struct runtime *r, uint64_t address)
{
	int error = queue_wait_all(r);
	if (error != CUDA_Success)
		return error;
	runtime_pause(r);
	struct cuda_allocation *a = runtime_allocation(r, address, 0);
	if (!a || a->kind != MEMORY_DEVICE)
		return CUDA_ErrorInvalidValue; /* another thread has freed it */
	struct shared_title title = {.kind = SHARED_ALLOCATION, .bytes = a->bytes, .device = a->device};
	struct ipc_memory *m = base_calloc(1, sizeof *m);
	m->file = shared_make(&title, m->name);
	m->bytes = shared_pages(a->bytes);
	m->at = m->file < 0 ? NULL : shared_map(m->file, &title);
	if (!m->at || !simt_memory_move(r->memory, a->address, m->at)) {
		if (m->at)
			munmap(m->at, m->bytes);
		if (m->file >= 0) {
			shared_remove(m->name);
			close(m->file);
		}
		free(m);
		return CUDA_ErrorMapBufferObjectFailed;
	}
	remove_at_end();
	a->ipc = m;
	a->host = m->at;
	a->written = true;
	*(struct ipc_memory **)vec_push(made, n_made, made_cap) = m;
	return CUDA_Success;
}

RUNTIME_API int cudaIpcGetMemHandle(struct ipc_handle *out, void *pointer)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 1);
	if (!out || !a || a->kind != MEMORY_DEVICE || a->pool || a->freed)
		return runtime_leave(CUDA_ErrorInvalidValue);
	uint64_t address = a->address;
	int error = a->ipc ? CUDA_Success : make_shared(r, address);
	a = error == CUDA_Success ? runtime_allocation(r, address, 0) : NULL;
	if (a && a->ipc)
		*out = handle_of(SHARED_ALLOCATION, a->ipc->name);
	return runtime_leave(error);
}

static struct cuda_allocation *find_opened(struct runtime *r, ino_t number)
{
	for (int i = 0; i < r->n_allocations; i++)
		if (r->allocations[i].kind == MEMORY_IPC && r->allocations[i].ipc->number == number)
			return &r->allocations[i];
	return NULL;
}

static bool is_own(enum shared_kind kind, const uint8_t *name);

/* The file that a handle leads to; -1: none, and why. */
static int open_handle(
	const struct ipc_handle *handle, enum shared_kind kind, struct shared_title *title, ino_t *number, int *error)
{
	*error = CUDA_ErrorInvalidValue;
	if (handle->mark != HANDLE_MARK || handle->kind != (uint32_t)kind)
		return -1;
	if (is_own(kind, handle->name)) {
		*error = CUDA_ErrorDeviceUninitialized; /* as of a process that opens its own */
		return -1;
	}
	int file = shared_open(handle->name);
	if (file < 0)
		runtime_warn(
			"the handle leads to nothing: its process has freed it or has ended, or it was not started by the same "
			"simttutor run (SIMTTUTOR_SHARED names a folder for several)");
	if (shared_read(file, kind, title, number))
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

/* Memory of another process at new addresses. */
static int map_opened(struct runtime *r, const struct shared_title *title, int file, ino_t number, uint64_t *out)
{
	uint64_t address = (r->virtual_next + GRANULE - 1) / GRANULE * GRANULE;
	if (!r->device_end || address < r->virtual_next || address > r->device_end ||
		title->bytes + GRANULE > r->device_end - address)
		return CUDA_ErrorMapBufferObjectFailed;
	struct ipc_memory *m = base_calloc(1, sizeof *m);
	*m = (struct ipc_memory){.file = -1,
		.at = shared_map(file, title),
		.bytes = shared_pages(title->bytes),
		.opened = 1,
		.number = number};
	runtime_pause(r);
	if (!m->at || !simt_memory_map_at(r->memory, address, m->at, title->bytes)) {
		if (m->at)
			munmap(m->at, m->bytes);
		free(m);
		return CUDA_ErrorMapBufferObjectFailed;
	}
	r->virtual_next = address + title->bytes + GRANULE;
	runtime_remember(r,
		&(struct cuda_allocation){.address = address,
			.bytes = title->bytes,
			.host = m->at,
			.kind = MEMORY_IPC,
			.device = (uint8_t)title->device,
			.ipc = m,
			.written = true,
			.site = report_here()});
	*out = address;
	return CUDA_Success;
}

RUNTIME_API int cudaIpcOpenMemHandle(void **out, struct ipc_handle handle, unsigned int flags)
{
	RUNTIME_ENTER(r);
	struct shared_title title;
	ino_t number;
	int error;
	uint64_t address = 0;
	if (!out || flags != IPC_LAZY_PEER_ACCESS)
		return runtime_leave(CUDA_ErrorInvalidValue);
	int file = open_handle(&handle, SHARED_ALLOCATION, &title, &number, &error);
	if (file < 0)
		return runtime_leave(error);
	struct cuda_allocation *a = find_opened(r, number);
	if (a) {
		a->ipc->opened++;
		address = a->address;
		error = CUDA_Success;
	} else {
		error = title.device < r->devices ? map_opened(r, &title, file, number, &address)
						  : CUDA_ErrorInvalidDevice;
	}
	close(file);
	if (error == CUDA_Success)
		*out = (void *)(uintptr_t)address;
	return runtime_leave(error);
}

/* What was asked for is waited for. */
RUNTIME_API int cudaIpcCloseMemHandle(void *pointer)
{
	RUNTIME_ENTER(r);
	struct cuda_allocation *a = runtime_allocation(r, (uintptr_t)pointer, 0);
	if (!a || a->address != (uintptr_t)pointer || a->kind != MEMORY_IPC)
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (a->ipc->opened > 1) {
		a->ipc->opened--;
		return runtime_leave(CUDA_Success);
	}
	int error = queue_wait_all(r);
	if (error != CUDA_ErrorNotPermitted && error != CUDA_ErrorStreamCaptureUnsupported)
		runtime_release(r, (uintptr_t)pointer);
	return runtime_leave(error);
}

/* --- events -------------------------------------------------------------------------------------------------------
 *
 * They have a page in common: how often one was recorded, and which recording has ended. */

enum { EVENT_NO_TIMING = 2, EVENT_INTERPROCESS = 4 };

struct ipc_page {
	_Atomic uint64_t asked, done;
	_Atomic int32_t process; /* that asked last */
};

struct ipc_event {
	uint8_t name[SHARED_NAME];
	int file;              /* as of memory */
	struct ipc_page *page; /* for as long as the program runs: work may look at it */
};

static bool is_own(enum shared_kind kind, const uint8_t *name)
{
	for (int i = 0; kind == SHARED_ALLOCATION && i < n_made; i++)
		if (memcmp(made[i]->name, name, SHARED_NAME) == 0)
			return true;
	for (int i = 0; kind == SHARED_EVENT && i < n_events; i++)
		if (memcmp(events[i]->name, name, SHARED_NAME) == 0)
			return true;
	return false;
}

static void remove_all(void)
{
	if (getpid() != maker)
		return;
	for (int i = 0; i < n_made; i++)
		shared_remove(made[i]->name);
	for (int i = 0; i < n_events; i++)
		shared_remove(events[i]->name);
}

RUNTIME_API int cudaIpcGetEventHandle(struct ipc_handle *out, struct cuda_event *handle)
{
	RUNTIME_ENTER(r);
	struct cuda_event *e = event_of(handle);
	if (!e)
		return runtime_leave(CUDA_ErrorInvalidResourceHandle);
	if (!out || !(e->flags & EVENT_INTERPROCESS))
		return runtime_leave(CUDA_ErrorInvalidValue);
	if (!e->ipc) {
		struct shared_title title = {.kind = SHARED_EVENT, .bytes = sizeof(struct ipc_page)};
		struct ipc_event *i = arena_alloc(r->arena, sizeof *i);
		*i = (struct ipc_event){.file = -1};
		i->file = shared_make(&title, i->name);
		i->page = i->file < 0 ? NULL : shared_map(i->file, &title);
		if (!i->page)
			return runtime_leave(CUDA_ErrorMapBufferObjectFailed);
		remove_at_end();
		*(struct ipc_event **)vec_push(events, n_events, events_cap) = i;
		/* what was recorded before has no number there */
		int error = e->recorded ? queue_wait_number(r, e->stream, e->recorded) : CUDA_Success;
		if (error != CUDA_Success)
			return runtime_leave(error);
		e->ipc = i;
	}
	*out = handle_of(SHARED_EVENT, e->ipc->name);
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaIpcOpenEventHandle(struct cuda_event **out, struct ipc_handle handle)
{
	RUNTIME_ENTER(r);
	struct shared_title title;
	ino_t number;
	int error;
	if (!out)
		return runtime_leave(CUDA_ErrorInvalidValue);
	int file = open_handle(&handle, SHARED_EVENT, &title, &number, &error);
	if (file < 0)
		return runtime_leave(error);
	struct ipc_page *page = title.bytes == sizeof *page ? shared_map(file, &title) : NULL;
	close(file);
	if (!page)
		return runtime_leave(CUDA_ErrorMapBufferObjectFailed);
	struct ipc_event *i = arena_alloc(r->arena, sizeof *i);
	*i = (struct ipc_event){.file = -1, .page = page};
	memcpy(i->name, handle.name, SHARED_NAME);
	*out = arena_alloc(r->arena, sizeof **out);
	**out = (struct cuda_event){.mark = EVENT_MARK, .flags = EVENT_NO_TIMING | EVENT_INTERPROCESS, .ipc = i};
	return runtime_leave(CUDA_Success);
}

uint64_t ipc_event_begin(struct cuda_event *event)
{
	struct ipc_page *page = event->ipc->page;
	atomic_store(&page->process, getpid());
	return atomic_fetch_add(&page->asked, 1) + 1;
}

static void raise_done(struct ipc_page *page, uint64_t to)
{
	uint64_t done = atomic_load(&page->done);
	while (done < to && !atomic_compare_exchange_weak(&page->done, &done, to))
		;
}

void ipc_event_end(const struct cuda_event *event, uint64_t serial)
{
	if (event->ipc)
		raise_done(event->ipc->page, serial);
}

bool ipc_event_is_others(const struct cuda_event *event)
{
	const struct ipc_page *page = event->ipc ? event->ipc->page : NULL;
	return page && atomic_load(&page->asked) && atomic_load(&page->process) != getpid();
}

bool ipc_event_is_done(const struct cuda_event *event)
{
	return atomic_load(&event->ipc->page->done) >= atomic_load(&event->ipc->page->asked);
}

struct awaited {
	struct ipc_page *page;
	uint64_t serial;
};

/* Not locked. The work of a process that has ended has, too. */
static void await_page(void *data)
{
	const struct awaited *a = data;
	const struct timespec pause = {.tv_nsec = WAIT_NS};
	while (atomic_load(&a->page->done) < a->serial) {
		int process = atomic_load(&a->page->process);
		if (process > 0 && kill(process, 0) != 0 && errno == ESRCH)
			raise_done(a->page, a->serial);
		nanosleep(&pause, NULL);
	}
}

static void await_and_free(void *data)
{
	await_page(data);
	free(data);
}

void ipc_event_wait(const struct cuda_event *event)
{
	struct awaited a = {event->ipc->page, atomic_load(&event->ipc->page->asked)};
	runtime_unlock();
	await_page(&a);
	runtime_lock();
}

struct cuda_work ipc_event_work(const struct cuda_event *event)
{
	struct awaited *a = base_calloc(1, sizeof *a);
	*a = (struct awaited){event->ipc->page, atomic_load(&event->ipc->page->asked)};
	return (struct cuda_work){.kind = WORK_HOST, .host = {.function = await_and_free, .data = a}};
}
