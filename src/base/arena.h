/* base/arena.h: memory that lives and dies together, one arena per parse and per run; and arrays that grow (vec_).
 *
 * Exhaustion of the host's memory ends the program (there is nothing better to do), with a sentence and a status of its
 * own; the limits of those who read inputs keep them far from it. */
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

/* EX_OSERR of sysexits.h: neither the program's status nor the worker's for anything else */
#define BASE_EXIT_OUT_OF_MEMORY 71

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

/* --- arrays that grow ------------------------------------------------------------------------------------------------
 *
 * An array is three variables, mostly members of one struct: a pointer, how many elements are in use, and for how many
 * there is room; all zero is an empty array. The two counts may be of any integer type. An array of vec_push and
 * vec_reserve is from malloc, and freed with free; that of vec_push_in and vec_reserve_in belongs to an arena, and its
 * new room is zeroed. Macros: their arguments are evaluated more than once. */

/* Makes room for `more` elements past the `n` in use. */
#define vec_reserve(items, n, cap, more)                                                                               \
	(vec_fits(n, cap, more) ? (void)0                                                                              \
				: (void)(vec_widen(items, n, cap, more),                                               \
					  (items) = vec_resize((items), sizeof *(items), (size_t)(cap))))
#define vec_reserve_in(arena, items, n, cap, more)                                                                     \
	(vec_fits(n, cap, more)                                                                                        \
			? (void)0                                                                                      \
			: (void)(vec_widen(items, n, cap, more),                                                       \
				  (items) = vec_copy((arena), (items), sizeof *(items), (size_t)(n), (size_t)(cap))))

/* A pointer to a new last element: *vec_push(s->rows, s->n_rows, s->cap_rows) = (struct row){...}; where the value is
 * made from the array or its count, take the pointer first. */
#define vec_push(items, n, cap) (vec_reserve(items, n, cap, 1), &(items)[(n)++])
#define vec_push_in(arena, items, n, cap) (vec_reserve_in(arena, items, n, cap, 1), &(items)[(n)++])

/* --- what the macros are made of ---------------------------------------------------------------------------------- */

#define vec_fits(n, cap, more) ((size_t)(n) + (more) <= (size_t)(cap))
#define vec_widen(items, n, cap, more)                                                                                 \
	((cap) = (__typeof__(cap))vec_capacity(sizeof *(items), (size_t)(cap), (size_t)(n) + (more)))

/* Room for at least `need` elements of `size` bytes and at least twice `cap`. */
size_t vec_capacity(size_t size, size_t cap, size_t need);

/* The elements with room for `cap`: moved, or copied, `n` of them, to an arena. */
void *vec_resize(void *items, size_t size, size_t cap);
void *vec_copy(struct arena *arena, const void *items, size_t size, size_t n, size_t cap);
