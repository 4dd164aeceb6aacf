#include "machine/simt/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/portable.h"

#define FIRST_ADDRESS ((uint64_t)0x7F0000000000)
#define ALIGNMENT 256u
#define GAP 4096u                    /* at least, between two buffers */
#define HEAP_BYTES ((size_t)8 << 20) /* as CUDA's default limit */
#define HEAP_PIECES 65536            /* that one launch can take */

struct simt_memory *simt_memory_new(size_t limit)
{
	struct simt_memory *memory = base_calloc(1, sizeof *memory);
	memory->limit = limit;
	memory->next = FIRST_ADDRESS;
	memory->end = GLOBAL_END;
	return memory;
}

void simt_memory_free(struct simt_memory *memory)
{
	if (!memory)
		return;
	for (int i = 0; i < memory->n; i++) {
		if (!memory->regions[i].mapped)
			free(memory->regions[i].bytes);
		free(memory->regions[i].written);
	}
	free(memory->regions);
	free(memory);
}

void simt_memory_reserve(struct simt_memory *memory, int buffers)
{
	vec_reserve(memory->regions, memory->n, memory->cap, (size_t)buffers);
}

bool simt_memory_is_crowded(const struct simt_memory *memory)
{
	return memory->cap - memory->n < 2 * HEAP_PIECES;
}

void simt_memory_round_up(struct simt_memory *memory, size_t granule)
{
	memory->granule = granule;
}

static uint64_t aligned(uint64_t address)
{
	return (address + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Between its neighbors, by address. */
static struct region *insert_region(struct simt_memory *memory, int at, const struct region *region)
{
	vec_push(memory->regions, memory->n, memory->cap);
	memmove(&memory->regions[at + 1], &memory->regions[at], (size_t)(memory->n - 1 - at) * sizeof *memory->regions);
	memory->regions[at] = *region;
	return &memory->regions[at];
}

static struct region *allocate(struct simt_memory *memory, size_t asked)
{
	size_t over = memory->granule ? asked % memory->granule : 0;
	size_t bytes = over && asked <= memory->limit ? asked + memory->granule - over : asked;
	if (bytes > memory->limit - memory->used)
		return NULL;
	struct region region = {.size = bytes};

	/* The next addresses for a buffer: memory of the host may lie there, and beyond. Returns its index among the
	 * regions. */
	int at = memory->n;
	region.base = memory->next;
	while (at && memory->regions[at - 1].base >= region.base)
		at--;
	if (at && region.base - memory->regions[at - 1].base < memory->regions[at - 1].size)
		region.base = aligned(memory->regions[at - 1].base + memory->regions[at - 1].size + GAP);
	for (; at < memory->n && memory->regions[at].base - region.base < (uint64_t)region.size + GAP; at++)
		region.base = aligned(memory->regions[at].base + memory->regions[at].size + GAP);

	if (region.base > memory->end || bytes > memory->end - region.base)
		return NULL;
	region.bytes = calloc(bytes ? bytes : 1, 1);
	if (!region.bytes)
		return NULL;
	portable_take_large_pages(region.bytes, bytes);
	memory->used += bytes;
	memory->next = aligned(region.base + bytes + GAP);
	return insert_region(memory, at, &region);
}

uint64_t simt_memory_alloc(struct simt_memory *memory, size_t asked)
{
	const struct region *region = allocate(memory, asked);
	return region ? region->base : 0;
}

static void give_back(struct simt_memory *memory, struct region *r)
{
	memory->used -= r->size;
	free(r->bytes);
	free(r->written);
	r->bytes = base_calloc(1, 1); /* none of which counts */
	r->written = NULL;
	r->size = 0;
	r->freed = true;
}

bool simt_memory_begin(struct simt_memory *memory, uint64_t first, uint64_t end)
{
	const struct region *last = memory->n ? &memory->regions[memory->n - 1] : NULL;
	if ((last && (first <= last->base || first - last->base < last->size)) || first > GLOBAL_END - memory->limit ||
		end > GLOBAL_END || end < first)
		return false;
	memory->next = aligned(first);
	memory->end = end;
	return true;
}

bool simt_memory_map(struct simt_memory *memory, void *host, size_t bytes)
{
	return simt_memory_map_at(memory, (uintptr_t)host, host, bytes);
}

bool simt_memory_map_at(struct simt_memory *memory, uint64_t base, void *host, size_t bytes)
{
	int at = 0;
	while (at < memory->n && memory->regions[at].base <= base)
		at++;
	const struct region *before = at ? &memory->regions[at - 1] : NULL;
	if (!bytes || (before && base - before->base < before->size) ||
		(before && base == before->base && !before->freed) ||
		(at < memory->n && memory->regions[at].base - base < bytes))
		return false;
	insert_region(memory, at, &(struct region){.base = base, .size = bytes, .bytes = host, .mapped = true});
	memory->n_mapped++;
	return true;
}

bool simt_memory_move(struct simt_memory *memory, uint64_t address, void *host)
{
	struct region *r = (struct region *)simt_memory_find(memory, address);
	if (!r || r->base != address || r->freed || r->of_heap || r->mapped)
		return false;
	memcpy(host, r->bytes, r->size);
	free(r->bytes);
	r->bytes = host;
	r->mapped = true;
	memory->n_mapped++;
	memory->used -= r->size;
	return true;
}

void simt_memory_protect(struct simt_memory *memory, uint64_t address)
{
	struct region *r = (struct region *)simt_memory_find(memory, address);
	if (r && r->base == address)
		r->read_only = true;
}

bool simt_memory_release(struct simt_memory *memory, uint64_t address)
{
	struct region *r = (struct region *)simt_memory_find(memory, address);
	if (!r || r->base != address || r->freed || r->of_heap)
		return false;
	if (r->mapped) {
		memmove(r, r + 1, (size_t)(&memory->regions[memory->n - 1] - r) * sizeof *r);
		memory->regions[--memory->n] = (struct region){0}; /* a launch may have seen it there */
		memory->n_mapped--;
		return true;
	}
	give_back(memory, r);
	return true;
}

const struct region *simt_memory_find(const struct simt_memory *memory, uint64_t address)
{
	int low = 0, high = memory->n; /* regions below low start at or before it, from high on after it */
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (memory->regions[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &memory->regions[low - 1] : NULL;
}

void *simt_memory_at(const struct simt_memory *memory, uint64_t address, size_t bytes)
{
	const struct region *region = simt_memory_find(memory, address);
	if (!region || address - region->base > region->size || bytes > region->size - (address - region->base))
		return NULL;
	return region->bytes + (address - region->base);
}

static void set_bits(uint8_t *bits, size_t from, size_t to)
{
	for (; from < to && (from % 8 || to - from < 8); from++)
		bits[from / 8] |= (uint8_t)(1u << from % 8);
	memset(bits + from / 8, 0xFF, (to - from) / 8);
	for (from += (to - from) / 8 * 8; from < to; from++)
		bits[from / 8] |= (uint8_t)(1u << from % 8);
}

void simt_memory_uninitialized(struct simt_memory *memory, uint64_t address, size_t bytes)
{
	struct region *region = (struct region *)simt_memory_find(memory, address);
	if (!region || address - region->base >= region->size)
		return;
	size_t first = address - region->base, left = region->size - first;
	free(region->written);
	region->written = base_calloc(region->size / 8 + 2, 1);
	set_bits(region->written, 0, first);
	set_bits(region->written, first + (bytes < left ? bytes : left), region->size);
}

/* --- a memory that is made again ---------------------------------------------------------------------------------- */

int simt_memory_count(const struct simt_memory *memory)
{
	return memory->n;
}

struct simt_buffer simt_memory_buffer(const struct simt_memory *memory, int index)
{
	const struct region *r = &memory->regions[index];
	return (struct simt_buffer){.address = r->base,
		.bytes = r->size,
		.host = r->bytes,
		.written = r->written,
		.mapped = r->mapped,
		.of_heap = r->of_heap,
		.freed = r->freed};
}

bool simt_memory_make(struct simt_memory *memory, const struct simt_buffer *b)
{
	const struct region *last = memory->n ? &memory->regions[memory->n - 1] : NULL;
	struct region region = {.base = b->address, .size = b->bytes, .of_heap = b->of_heap, .freed = b->freed};
	if ((last && (b->address <= last->base || b->address - last->base < last->size)) || (b->freed && b->bytes) ||
		b->bytes > memory->limit - memory->used || b->address > GLOBAL_END ||
		b->bytes > GLOBAL_END - b->address)
		return false;
	region.bytes = calloc(b->bytes ? b->bytes : 1, 1);
	if (!region.bytes)
		return false;
	if (b->written) {
		region.written = base_calloc(b->bytes / 8 + 2, 1);
		memcpy(region.written, b->written, (b->bytes + 7) / 8);
	}
	memory->used += b->bytes;
	memory->heap_used += b->of_heap ? b->bytes : 0;
	*vec_push(memory->regions, memory->n, memory->cap) = region;
	return true;
}

struct simt_room simt_memory_room(const struct simt_memory *memory)
{
	return (struct simt_room){memory->next, memory->end};
}

bool simt_memory_make_room(struct simt_memory *memory, struct simt_room room)
{
	if (room.next % ALIGNMENT || room.next > room.end || room.end > GLOBAL_END)
		return false;
	memory->next = room.next;
	memory->end = room.end;
	return true;
}

/* --- the heap of kernels ------------------------------------------------------------------------------------------ */

void simt_heap_open(struct simt_memory *memory)
{
	memory->heap_end = memory->n + HEAP_PIECES;
	vec_reserve(memory->regions, memory->n, memory->cap, HEAP_PIECES);
}

uint64_t simt_heap_alloc(struct simt_memory *memory, uint64_t bytes)
{
	if (!bytes || memory->n >= memory->heap_end || bytes > HEAP_BYTES - memory->heap_used)
		return 0;
	struct region *region = allocate(memory, (size_t)bytes);
	if (!region)
		return 0;
	region->of_heap = true;
	memory->heap_used += bytes;
	return region->base;
}

bool simt_heap_free(struct simt_memory *memory, uint64_t address)
{
	struct region *r = (struct region *)simt_memory_find(memory, address);
	if (!r || r->base != address || !r->of_heap || r->freed)
		return false;
	memory->heap_used -= r->size;
	give_back(memory, r);
	return true;
}
