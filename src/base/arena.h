/* base/arena.h: memory that lives and dies together. One arena per parse and per run.
 *
 * Exhaustion of the host's memory ends the program (there is nothing better to do), with a sentence and a status of its own; the
 * limits of those who read inputs keep them far from it. */
#pragma once
#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);

/* Frees the arena and everything taken from it. NULL is fine. */
void arena_free(struct arena *arena);

/* Returns `size` zeroed bytes aligned for any type; never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* What malloc or realloc gave is freed with the arena from now on. NULL is fine. Returns it. */
void *arena_adopt(struct arena *arena, void *bytes);

char *arena_strndup(struct arena *arena, const char *text, size_t len);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* arena_array(a, struct x, n): room for n of them, zeroed. Ends the program when the size overflows. */
#define arena_array(arena, type, n) ((type *)arena_alloc_array((arena), sizeof(type), (n)))
void *arena_alloc_array(struct arena *arena, size_t size, size_t n);

#define BASE_EXIT_OUT_OF_MEMORY                                                                                        \
	71 /* EX_OSERR of sysexits.h: neither the program's status nor the worker's for anything else */

/* Says so and ends the program: where a library had none, too. Files are as they were, or as they were to become. */
_Noreturn void base_out_of_memory(void);

/* What is called before that, to give the terminal back; it must not take memory. NULL: nothing. */
void base_before_out_of_memory(void (*rescue)(void));

/* Memory that is large goes back to the host when it is freed. To be called before any is taken. */
void base_memory_begin(void);

/* malloc and realloc that end the program instead of returning NULL. */
void *base_malloc(size_t size);
void *base_calloc(size_t n, size_t size);
void *base_realloc(void *old, size_t size);
char *base_strdup(const char *text);
char *base_strndup(const char *text, size_t len);
