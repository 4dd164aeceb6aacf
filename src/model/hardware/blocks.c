#include "model/hardware/schedule.h"

#include <stdlib.h>

/* Slots for blocks as a heap, the one that is free first at the root; of those free at the same time, by `order`. */
struct heap_slot {
	uint64_t free;
	uint32_t order; /* slot * sms + sm */
};

static int is_free_before(const struct heap_slot *a, const struct heap_slot *b)
{
	return a->free != b->free ? a->free < b->free : a->order < b->order;
}

struct blocks_timeline *blocks_place(struct arena *arena, const struct blocks_input *in)
{
	struct blocks_timeline *t = arena_alloc(arena, sizeof *t);
	size_t slots = (size_t)in->sms * in->resident;
	struct heap_slot *heap = base_malloc(slots * sizeof *heap);
	t->spans = arena_array(arena, struct block_span, in->n + 1);
	for (size_t i = 0; i < slots; i++)
		heap[i] = (struct heap_slot){0, (uint32_t)i};
	for (size_t i = 0; i < in->n; i++) {
		uint64_t start = heap[0].free;
		heap[0].free += in->cycles[i] >= 1 ? (uint64_t)(in->cycles[i] + 0.5) : 1;
		t->spans[i] = (struct block_span){
			.start = start, .end = heap[0].free, .block = (uint32_t)i, .sm = heap[0].order % in->sms};

		/* the root got later: it moves down */
		struct heap_slot moved = heap[0];
		size_t at = 0;
		for (;;) {
			size_t child = 2 * at + 1;
			if (child >= slots)
				break;
			if (child + 1 < slots && is_free_before(&heap[child + 1], &heap[child]))
				child++;
			if (!is_free_before(&heap[child], &moved))
				break;
			heap[at] = heap[child];
			at = child;
		}
		heap[at] = moved;
	}
	free(heap);
	t->origin = (struct timeline_origin){.witness = WITNESS_MODEL, .unit = TIMELINE_CYCLES, .resolution = 1};
	if (in->n < in->launched)
		t->origin.cut = arena_printf(
			arena, "the first %zu of %llu blocks", in->n, (unsigned long long)in->launched);
	t->n = in->n;
	t->launched = in->launched;
	t->sms = in->sms;
	t->resident = in->resident;
	blocks_settle(t);
	return t;
}
