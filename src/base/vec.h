/* base/vec.h: arrays that grow by doubling.
 *
 * An array is three variables, mostly members of one struct: a pointer, how many elements are in use, and for how many
 * there is room; all zero is an empty array. The two counts may be of any integer type. An array of vec_push and
 * vec_reserve is from malloc, and freed with free; that of vec_push_in and vec_reserve_in belongs to an arena, and its new
 * room is zeroed. Exhaustion of the host's memory ends the program. Macros: their arguments are evaluated more than once. */
#pragma once
#include <stddef.h>

#include "base/arena.h"

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

/* A pointer to a new last element: *vec_push(s->rows, s->n_rows, s->cap_rows) = (struct row){...}; where the value is made
 * from the array or its count, take the pointer first. */
#define vec_push(items, n, cap) (vec_reserve(items, n, cap, 1), &(items)[(n)++])
#define vec_push_in(arena, items, n, cap) (vec_reserve_in(arena, items, n, cap, 1), &(items)[(n)++])

/* --- what the macros are made of -------------------------------------------------------------------------------------- */
#define vec_fits(n, cap, more) ((size_t)(n) + (more) <= (size_t)(cap))
#define vec_widen(items, n, cap, more)                                                                                 \
	((cap) = (__typeof__(cap))vec_capacity(sizeof *(items), (size_t)(cap), (size_t)(n) + (more)))

/* Room for at least `need` elements of `size` bytes and at least twice `cap`. */
size_t vec_capacity(size_t size, size_t cap, size_t need);

/* The elements with room for `cap`: moved, or copied, `n` of them, to an arena. */
void *vec_resize(void *items, size_t size, size_t cap);
void *vec_copy(struct arena *arena, const void *items, size_t size, size_t n, size_t cap);
