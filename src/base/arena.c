#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (32 * 1024)
#define ALIGNMENT alignof(max_align_t)

struct chunk {
	struct chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char bytes[];
};

struct arena {
	struct chunk *chunks; /* the first is the one in use */
	size_t handed_out;
};

static void out_of_memory(void)
{
	static const char message[] = "simttutor: out of memory\n";
	fputs(message, stderr);
	abort();
}

void *base_malloc(size_t size)
{
	void *p = malloc(size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *base_calloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *base_realloc(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

char *base_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(base_malloc(size), text, size);
}

struct arena *arena_new(void)
{
	return base_calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *c = arena->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(arena);
}

static struct chunk *chunk_new(size_t size)
{
	struct chunk *c = base_malloc(sizeof *c + size);
	c->next = NULL;
	c->used = 0;
	c->size = size;
	return c;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	if (size > SIZE_MAX / 2)
		out_of_memory();
	size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	struct chunk *c = arena->chunks;
	if (!c || c->size - c->used < size) {
		int large = size > CHUNK_BYTES / 4;
		struct chunk *fresh = chunk_new(large ? size : CHUNK_BYTES);
		if (large && c) { /* keep filling the current chunk afterwards */
			fresh->next = c->next;
			c->next = fresh;
		} else {
			fresh->next = c;
			arena->chunks = fresh;
		}
		c = fresh;
	}
	void *p = c->bytes + c->used;
	c->used += size;
	arena->handed_out += size;
	return memset(p, 0, size);
}

size_t arena_used(const struct arena *arena)
{
	return arena->handed_out;
}

void *arena_alloc_array(struct arena *arena, size_t size, size_t n)
{
	if (n && size > SIZE_MAX / n)
		out_of_memory();
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
