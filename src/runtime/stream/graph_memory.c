/* Memory that graphs allocate and free. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "runtime/driver/driver.h"
#include "runtime/report/report.h"
#include "runtime/stream/graph.h"

#define GRANULE ((size_t)2 << 20)      /* of the addresses of an allocation */
#define FOOTPRINT ((uint64_t)32 << 20) /* of what a device has for graphs. Verified: H200 */

/* Addresses of a graph, which allocations have that do not live at the same time. */
struct graph_slot {
	struct graph_memory *of; /* NULL: the graph was destroyed, and has left it allocated */
	uint64_t address;
	size_t bytes; /* of its addresses */
	int device;
	char *host;
	const struct graph_node *made,
		*freed; /* the last nodes that allocate and free it in the graph; freed: or NULL */
	bool held;
	struct graph_slot *next;
};

struct graph_memory {
	int users;  /* the graph, and what was made ready of it */
	bool ready; /* something was */
};

/* cudaMemAccessDesc */
struct graph_access {
	struct cuda_location location;
	int flags;
};
#define ACCESS_BOTH 3

static struct graph_slot *slots; /* of all graphs */

static struct graph_slot *slot_at(uint64_t address)
{
	struct graph_slot *s = slots;
	while (s && s->address != address)
		s = s->next;
	return s;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

bool graph_has_memory(const struct cuda_graph *graph)
{
	for (int i = 0; i < graph->n; i++)
		if (graph->nodes[i]->type == GRAPH_ALLOC || graph->nodes[i]->type == GRAPH_FREE)
			return true;
	return false;
}

/* Whether `first` comes before `node` by what that depends on. */
static bool find_before(struct graph_node *node, const struct graph_node *first, uint64_t walk)
{
	if (node == first)
		return true;
	if (node->seen == walk)
		return false;
	node->seen = walk;
	for (int i = 0; i < node->n_needs; i++)
		if (find_before(node->needs[i], first, walk))
			return true;
	return false;
}

static bool comes_after(struct graph_node *node, const struct graph_node *first)
{
	static uint64_t walks;
	return node != first && find_before(node, first, ++walks);
}

/* The first slot of the graph that nothing can have at the same time as the node; NULL: there is none. */
static struct graph_slot *reusable_slot(struct graph_node *node, size_t bytes, int device)
{
	struct graph_slot *best = NULL;
	for (struct graph_slot *s = slots; s; s = s->next)
		if (s->of == node->graph->memory && s->device == device && s->bytes >= bytes && s->freed &&
			comes_after(node, s->freed) && (!best || s->address < best->address))
			best = s;
	return best;
}

static struct graph_slot *new_slot(struct runtime *r, size_t bytes, int device)
{
	uint64_t address = (r->virtual_next + GRANULE - 1) / GRANULE * GRANULE;
	if (!r->device_end || address < r->virtual_next || address > r->device_end ||
		bytes + GRANULE > r->device_end - address)
		return NULL;
	char *host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (host == MAP_FAILED)
		return NULL;
	struct graph_slot *s = base_calloc(1, sizeof *s);
	*s = (struct graph_slot){.address = address, .bytes = bytes, .device = device, .host = host, .next = slots};
	slots = s;
	r->virtual_next = address + bytes + GRANULE; /* so that running past its end is seen */
	return s;
}

int graph_set_alloc(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct graph_alloc *p = (struct graph_alloc *)asked;
	if (!p->bytes || p->type != 1 || p->location_type != 1 || (p->n_access && !p->access))
		return CUDA_ErrorInvalidValue;
	if (p->location < 0 || p->location >= r->devices)
		return CUDA_ErrorInvalidValue;
	if (p->handles || node->graph->parent)
		return CUDA_ErrorNotSupported;
	for (size_t i = 0; i < p->n_access; i++)
		if (((const struct graph_access *)p->access)[i].flags != ACCESS_BOTH)
			return CUDA_ErrorNotSupported;
	if (p->bytes > r->memory_limit)
		return CUDA_ErrorMemoryAllocation;

	size_t bytes = (p->bytes + GRANULE - 1) / GRANULE * GRANULE;
	struct graph_slot *s = node->graph->memory ? reusable_slot(node, p->bytes, p->location) : NULL;
	if (!s && !(s = new_slot(r, bytes, p->location)))
		return CUDA_ErrorMemoryAllocation;
	if (!node->graph->memory) {
		node->graph->memory = base_calloc(1, sizeof *node->graph->memory);
		node->graph->memory->users = 1;
	}
	s->of = node->graph->memory;
	s->made = node;
	s->freed = NULL;
	struct cuda_allocation *a = runtime_allocation(r, s->address, 0);
	if (a) {
		a->bytes = p->bytes;
		a->site = report_here();
	} else {
		runtime_remember(r,
			&(struct cuda_allocation){.address = s->address,
				.bytes = p->bytes,
				.host = s->host,
				.kind = MEMORY_GRAPH,
				.device = (uint8_t)p->location,
				.away = true,
				.written = true,
				.site = report_here()});
	}
	p->at = (void *)(uintptr_t)s->address;
	node->asked.alloc = *p;
	node->work = (struct cuda_work){
		.kind = WORK_ALLOC, .site = report_here(), .alloc = {.address = s->address, .bytes = p->bytes}};
	return CUDA_Success;
}

int graph_set_free(struct runtime *r, struct graph_node *node, const void *asked)
{
	struct graph_slot *s = slot_at((uintptr_t)asked);
	const char *wrong = s ? NULL : "no allocation node, and no capture, has given that address";
	if (s && s->of && s->of == node->graph->memory) {
		if (s->freed)
			wrong = "the graph has a node that frees it already";
	} else {
		/* another graph allocates it: this one can free it once */
		for (int i = 0; s && i < node->graph->n; i++)
			if (node->graph->nodes[i] != node && node->graph->nodes[i]->type == GRAPH_FREE &&
				node->graph->nodes[i]->asked.freed == asked)
				wrong = "the graph has a node that frees it already";
	}
	if (wrong) {
		report_problem(r, REPORT_FREE, NULL, "%s(%p): %s",
			report_call() && report_call()->call ? runtime_call_name(report_call()->call) : "a node", asked,
			wrong);
		return CUDA_ErrorInvalidValue;
	}
	if (s->of && s->of == node->graph->memory)
		s->freed = node;
	node->asked.freed = (void *)asked;
	node->work = (struct cuda_work){.kind = WORK_FREE, .site = report_here(), .free = {.address = s->address}};
	return CUDA_Success;
}

/* --- the graph and what is made ready of it ----------------------------------------------------------------------- */

bool graph_memory_is_ordered(struct runtime *r, const struct cuda_graph *graph)
{
	for (int i = 0; i < graph->n; i++) {
		struct graph_node *node = graph->nodes[i];
		const struct graph_node *first = NULL;
		for (int k = 0; node->type == GRAPH_FREE && k < graph->n && !first; k++) {
			const struct graph_node *other = graph->nodes[k];
			if (other->type == GRAPH_ALLOC && other->asked.alloc.at == node->asked.freed)
				first = other;
		}
		if (!first || comes_after(node, first))
			continue;
		report_problem(r, REPORT_FREE, node->work.site,
			"the node that frees %p does not come after the one that allocates it; add a dependency",
			node->asked.freed);
		return false;
	}
	return true;
}

bool graph_memory_can_share(const struct cuda_graph *copy, const struct cuda_graph *graph)
{
	return !graph->memory || !graph->memory->ready || copy->memory == graph->memory;
}

bool graph_memory_share(struct cuda_graph *copy, const struct cuda_graph *graph)
{
	if (!graph->memory)
		return true;
	if (graph->memory->ready)
		return false;
	copy->memory = graph->memory;
	copy->memory->ready = true;
	copy->memory->users++;
	return true;
}

static void drop_slot(struct runtime *r, struct graph_slot *slot)
{
	struct graph_slot **at = &slots;
	while (*at != slot)
		at = &(*at)->next;
	*at = slot->next;
	runtime_pause(r);
	struct cuda_allocation *a = runtime_allocation(r, slot->address, 0);
	if (a && !a->away)
		simt_memory_release(r->memory, slot->address);
	if (a)
		runtime_forget(r, a);
	munmap(slot->host, slot->bytes);
	free(slot);
}

/* What no graph has any more, and the program has freed, is gone when nothing can be using it. */
static void drop_orphans(struct runtime *r)
{
	for (struct graph_slot *s = slots, *next; s; s = next) {
		next = s->next;
		if (!s->of && !s->held)
			drop_slot(r, s);
	}
}

void graph_memory_leave(struct runtime *r, struct cuda_graph *graph, bool was_ready)
{
	struct graph_memory *m = graph->memory;
	if (!m)
		return;
	graph->memory = NULL;
	m->ready = m->ready && !was_ready;
	if (--m->users)
		return;
	for (struct graph_slot *s = slots; s; s = s->next)
		if (s->of == m) {
			s->of = NULL;
			s->made = s->freed = NULL;
		}
	free(m);
	if (queue_all_idle(r) || queue_wait_all(r) != CUDA_ErrorNotPermitted)
		drop_orphans(r);
}

/* --- what a device has for graphs ------------------------------------------------------------------------------------
 *
 * What launches need they take from what is reserved and in no use, or more is reserved. A launch needs the memory of
 * its graph until it ends; what it leaves allocated, until that is freed. Launches of one stream come one after the
 * other, and have the same. */

struct graph_need {
	const struct cuda_stream *stream;
	uint64_t number; /* of the last launch there */
	size_t bytes;    /* of the largest */
	int device;
};

static struct {
	uint64_t used, used_most, reserved, reserved_most;
} footprint[RUNTIME_DEVICES_MAX];
static struct graph_need *needs;
static int n_needs, needs_cap;

static void count_used(int device)
{
	uint64_t used = 0;
	for (const struct graph_slot *s = slots; s; s = s->next)
		if (s->device == device && s->held)
			used += s->bytes;
	for (int i = 0; i < n_needs; i++)
		if (needs[i].device == device && needs[i].stream->done < needs[i].number)
			used += needs[i].bytes;
	footprint[device].used = (used + FOOTPRINT - 1) / FOOTPRINT * FOOTPRINT;
}

/* Nodes of the graph that allocate this address, less those that free it. */
static int count_left(const struct cuda_graph *graph, uint64_t address)
{
	int left = 0;
	for (int i = 0; i < graph->n; i++) {
		const struct graph_node *node = graph->nodes[i];
		left += node->type == GRAPH_ALLOC && (uintptr_t)node->asked.alloc.at == address;
		left -= node->type == GRAPH_FREE && (uintptr_t)node->asked.freed == address;
	}
	return left;
}

/* Bytes of the graph on a device: those that a launch leaves allocated, or those that it frees. */
static size_t count_bytes(const struct cuda_graph *graph, int device, bool left)
{
	size_t bytes = 0;
	for (const struct graph_slot *s = slots; s; s = s->next)
		if (s->of && s->of == graph->memory && s->device == device &&
			(count_left(graph, s->address) > 0) == left)
			bytes += s->bytes;
	return bytes;
}

int graph_memory_check(struct runtime *r, const struct graph_exec *exec, struct cuda_stream *stream)
{
	const struct cuda_graph *graph = exec->graph;
	if (!graph_has_memory(graph))
		return CUDA_Success;
	bool frees = exec->flags & GRAPH_AUTO_FREE;
	for (int i = 0; i < graph->n; i++) {
		const struct graph_node *node = graph->nodes[i];
		bool allocates = node->type == GRAPH_ALLOC;
		if (!allocates && node->type != GRAPH_FREE)
			continue;
		uint64_t address = (uintptr_t)(allocates ? node->asked.alloc.at : node->asked.freed);
		const struct graph_slot *s = slot_at(address);
		int left = count_left(graph, address);
		if (allocates && left > 0 && s && s->held && !frees) {
			report_problem(r, REPORT_LAUNCH, NULL,
				"cudaGraphLaunch: the launch before has left %zu bytes at 0x%llx allocated; free them first, "
				"or instantiate the graph with cudaGraphInstantiateFlagAutoFreeOnLaunch",
				node->asked.alloc.bytes, (unsigned long long)address);
			return CUDA_ErrorInvalidValue;
		}
		if (!allocates && left < 0 && !(s && s->held)) {
			report_problem(r, REPORT_FREE, NULL,
				"cudaGraphLaunch: a node frees 0x%llx, where nothing is allocated now",
				(unsigned long long)address);
			return CUDA_ErrorInvalidValue;
		}
	}
	for (int device = 0; device < r->devices; device++) {
		size_t more = count_bytes(graph, device, true) + count_bytes(graph, device, false);
		more = (more + FOOTPRINT - 1) / FOOTPRINT * FOOTPRINT;
		if (more > r->memory_limit - r->allocated[device] + footprint[device].reserved)
			return CUDA_ErrorMemoryAllocation;
	}

	int error = CUDA_Success;
	for (struct graph_slot *s = slots; s && error == CUDA_Success; s = s->next)
		if (s->of == graph->memory && s->held && count_left(graph, s->address) > 0) {
			struct cuda_work work = {.kind = WORK_FREE, .free = {.address = s->address}};
			error = queue_submit(r, stream, &work);
		}
	return error;
}

/* Reserves what is used now, and what was before where it is more. */
static void reserve(struct runtime *r, int device)
{
	count_used(device);
	uint64_t used = footprint[device].used;
	if (used > footprint[device].reserved) {
		r->allocated[device] += used - footprint[device].reserved;
		footprint[device].reserved = used;
	}
	if (footprint[device].reserved > footprint[device].reserved_most)
		footprint[device].reserved_most = footprint[device].reserved;
	if (footprint[device].reserved > footprint[device].used_most)
		footprint[device].used_most = footprint[device].reserved;
}

void graph_memory_uploaded(struct runtime *r, const struct graph_exec *exec)
{
	for (int device = 0; device < r->devices && graph_has_memory(exec->graph); device++) {
		uint64_t bytes = count_bytes(exec->graph, device, true) + count_bytes(exec->graph, device, false);
		bytes = (bytes + FOOTPRINT - 1) / FOOTPRINT * FOOTPRINT;
		if (bytes > footprint[device].reserved && bytes <= r->memory_limit - r->allocated[device]) {
			r->allocated[device] += bytes - footprint[device].reserved;
			footprint[device].reserved = bytes;
		}
		reserve(r, device);
	}
}

void graph_memory_launched(struct runtime *r, const struct graph_exec *exec, struct cuda_stream *stream)
{
	const struct cuda_graph *graph = exec->graph;
	if (!graph_has_memory(graph))
		return;
	for (struct graph_slot *s = slots; s; s = s->next) {
		int left = count_left(graph, s->address);
		s->held = left > 0 || (s->held && !left);
	}
	for (int device = 0; device < r->devices; device++) {
		size_t bytes = count_bytes(graph, device, false);
		int at = 0;
		while (at < n_needs && (needs[at].stream != stream || needs[at].device != device))
			at++;
		if (at == n_needs)
			*vec_push(needs, n_needs, needs_cap) = (struct graph_need){.stream = stream, .device = device};
		bool runs = needs[at].number > stream->done;
		needs[at].bytes = runs && needs[at].bytes > bytes ? needs[at].bytes : bytes;
		needs[at].number = stream->asked;
		reserve(r, device);
	}
}

bool graph_memory_is_held(struct runtime *r, uint64_t address)
{
	const struct graph_slot *s = slot_at(address);
	(void)r;
	return s && s->held;
}

void graph_memory_let_go(struct runtime *r, uint64_t address)
{
	struct graph_slot *s = slot_at(address);
	if (!s)
		return;
	s->held = false;
	if (!s->of && queue_all_idle(r))
		drop_slot(r, s);
}

/* --- when its turn has come --------------------------------------------------------------------------------------- */

void graph_memory_make(struct runtime *r, const struct cuda_work *work)
{
	struct cuda_allocation *a = runtime_allocation(r, work->alloc.address, 0);
	if (!a || a->address != work->alloc.address || a->kind != MEMORY_GRAPH)
		return; /* the graph was destroyed */
	runtime_pause(r);
	if (!a->away)
		simt_memory_release(r->memory, a->address);
	a->bytes = work->alloc.bytes;
	a->site = work->site;
	a->away = !simt_memory_map_at(r->memory, a->address, a->host, a->bytes);
}

void graph_memory_release(struct runtime *r, struct cuda_allocation *a)
{
	if (a->away)
		return;
	simt_memory_release(r->memory, a->address);
	a->away = true;
}

/* The first end of a copy or a fill that is of a graph and cannot be used now; NULL: none is. */
static const struct cuda_allocation *find_unusable(struct runtime *r, const struct cuda_work *w, bool by_calls)
{
	uint64_t addresses[2] = {0};
	if (w->kind == WORK_COPY) {
		addresses[0] = w->copy.to.address;
		addresses[1] = w->copy.from.address;
	} else if (w->kind == WORK_FILL) {
		addresses[0] = w->fill.address;
	}
	for (int i = 0; i < 2; i++) {
		const struct cuda_allocation *a = addresses[i] ? runtime_allocation(r, addresses[i], 1) : NULL;
		if (a && a->kind == MEMORY_GRAPH && (by_calls ? !graph_memory_is_held(r, a->address) : a->away))
			return a;
	}
	return NULL;
}

static void report_unusable(struct runtime *r, const struct cuda_work *w, const struct cuda_allocation *a)
{
	report_problem(r, REPORT_COPY, w->site,
		"a copy or a fill is of %zu bytes of a graph that are not allocated: no launch has allocated them yet, or they "
		"were freed since",
		a->bytes);
}

bool graph_memory_refuses(struct runtime *r, const struct cuda_work *w)
{
	const struct cuda_allocation *a = find_unusable(r, w, true);
	if (a)
		report_unusable(r, w, a);
	return a;
}

bool graph_memory_is_away(struct runtime *r, const struct cuda_work *w)
{
	const struct cuda_allocation *a = find_unusable(r, w, false);
	if (!a)
		return false;
	report_unusable(r, w, a);
	r->failed = r->failed ? r->failed : CUDA_ErrorIllegalAddress;
	return true;
}

/* --- what can be asked -------------------------------------------------------------------------------------------- */

/* What was used stays so, as on an H200, until it is trimmed. */
enum { MEMORY_USED, MEMORY_USED_MOST, MEMORY_RESERVED, MEMORY_RESERVED_MOST };

RUNTIME_API int cudaDeviceGraphMemTrim(int device)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	count_used(device);
	r->allocated[device] -= footprint[device].reserved - footprint[device].used;
	footprint[device].reserved = footprint[device].used;
	return runtime_leave(CUDA_Success);
}

RUNTIME_API int cudaDeviceGetGraphMemAttribute(int device, int attribute, uint64_t *value)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!value || attribute < MEMORY_USED || attribute > MEMORY_RESERVED_MOST)
		return runtime_leave(CUDA_ErrorInvalidValue);
	count_used(device);
	*value = attribute == MEMORY_USED_MOST      ? footprint[device].used_most
		: attribute == MEMORY_RESERVED_MOST ? footprint[device].reserved_most
						    : footprint[device].reserved;
	return runtime_leave(CUDA_Success);
}

/* The highest can be set to what is now, by 0. */
RUNTIME_API int cudaDeviceSetGraphMemAttribute(int device, int attribute, const uint64_t *value)
{
	RUNTIME_ENTER(r);
	if (device < 0 || device >= r->devices)
		return runtime_leave(CUDA_ErrorInvalidDevice);
	if (!value || *value || (attribute != MEMORY_USED_MOST && attribute != MEMORY_RESERVED_MOST))
		return runtime_leave(CUDA_ErrorInvalidValue);
	count_used(device);
	if (attribute == MEMORY_USED_MOST)
		footprint[device].used_most = footprint[device].reserved;
	else
		footprint[device].reserved_most = footprint[device].reserved;
	return runtime_leave(CUDA_Success);
}
