#include "base/vec.h"

#include <stdint.h>
#include <string.h>

#define FIRST_BYTES 64 /* of an array that begins, */
#define FIRST_ITEMS 4  /* or so many elements where that is more */

size_t vec_capacity(size_t size, size_t cap, size_t need)
{
	size_t first = size * FIRST_ITEMS > FIRST_BYTES ? FIRST_ITEMS : FIRST_BYTES / size;
	size_t wider = cap ? cap * 2 : first;
	return wider > need ? wider : need;
}

void *vec_resize(void *items, size_t size, size_t cap)
{
	size_t bytes;
	if (__builtin_mul_overflow(size, cap, &bytes))
		bytes = SIZE_MAX; /* more than there can be */
	return base_realloc(items, bytes);
}

void *vec_copy(struct arena *arena, const void *items, size_t size, size_t n, size_t cap)
{
	void *wider = arena_alloc_array(arena, size, cap);
	if (n)
		memcpy(wider, items, n * size);
	return wider;
}
