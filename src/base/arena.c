#include "config.h"

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_MALLOC_H
#include <malloc.h>
#endif

#define CHUNK_BYTES (32 * 1024)
#define LARGE_BYTES (1 << 20)
#define ALIGNMENT alignof(max_align_t)

struct chunk {
	struct chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

/* What the arena took over. */
struct adopted {
	struct adopted *next;
	void *bytes;
};

struct arena {
	struct chunk *chunks; /* the first is the one in use */
	struct adopted *adopted;
};

static void (*before_the_end)(void);

void base_before_out_of_memory(void (*rescue)(void))
{
	before_the_end = rescue;
}

/* Nothing here takes memory, and no exit handler runs that might. */
void base_out_of_memory(void)
{
	static const char message[] = "simttutor: out of memory\n";
	if (before_the_end)
		before_the_end();
	ssize_t wrote = write(STDERR_FILENO, message, sizeof message - 1);
	(void)wrote;
	_exit(BASE_EXIT_OUT_OF_MEMORY);
}

void base_memory_begin(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD,
		LARGE_BYTES); /* once it has freed a large block, glibc keeps the next ones up to 32 MiB */
#endif
}

void *base_malloc(size_t size)
{
	void *p = malloc(size ? size : 1);
	if (!p)
		base_out_of_memory();
	return p;
}

void *base_calloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		base_out_of_memory();
	return p;
}

void *base_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		base_out_of_memory();
	return p;
}

char *base_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(base_malloc(size), text, size);
}

char *base_strndup(const char *text, size_t len)
{
	char *copy = base_calloc(strnlen(text, len) + 1, 1);
	return memcpy(copy, text, strnlen(text, len));
}

struct arena *arena_new(void)
{
	return base_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (const struct adopted *a = arena->adopted; a; a = a->next)
		free(a->bytes);
	for (struct chunk *c = arena->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(arena);
}

static struct chunk *chunk_init(struct chunk *c, size_t size)
{
	c->next = NULL;
	c->used = 0;
	c->size = size;
	return c;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX / 2)
		base_out_of_memory();
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	struct chunk *c = arena->chunks;
	if (!c || c->size - c->used < size) {
		if (size > CHUNK_BYTES / 4) {
			/* It takes a chunk of its own; the current one stays in use. Large blocks from calloc are zero
			 * without being touched. */
			struct chunk *large = chunk_init(base_calloc(1, sizeof *large + size), size);
			large->used = size;
			large->next = c ? c->next : NULL;
			*(c ? &c->next : &arena->chunks) = large;
			return large->bytes;
		}
		c = chunk_init(base_malloc(sizeof *c + CHUNK_BYTES), CHUNK_BYTES);
		c->next = arena->chunks;
		arena->chunks = c;
	}
	void *p = c->bytes + c->used;
	c->used += size;
	return memset(p, 0, size);
}

void *arena_adopt(struct arena *arena, void *bytes)
{
	struct adopted *a = arena_alloc(arena, sizeof *a);
	*a = (struct adopted){arena->adopted, bytes};
	arena->adopted = a;
	return bytes;
}

void *arena_alloc_array(struct arena *arena, size_t size, size_t n)
{
	if (n && size > SIZE_MAX / n)
		base_out_of_memory();
	return arena_alloc(arena, size * n);
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);
	memcpy(copy, text, len);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	char *text = arena_alloc(arena, (size_t)(len < 0 ? 0 : len) + 1);
	if (len > 0)
		vsnprintf(text, (size_t)len + 1, format, again);
	va_end(again);
	return text;
}

/* --- arrays that grow --------------------------------------------------------------------------------------------- */

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
