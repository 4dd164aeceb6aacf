/* machine/race/table.h: a hash table of things found by a number, which is their first member, a uint64_t. Inside race/ only.
 *
 * Open addressing, never more than half full. The things are the caller's: the table has pointers to them. */
#pragma once
#include <stdint.h>

struct race_table {
	uint64_t **slots; /* NULL: empty; else the number of a thing, and so the thing */
	uint32_t n, cap;
};

/* The thing with this number, or NULL. */
void *race_table_find(const struct race_table *table, uint64_t number);

/* Adds a thing whose number the table does not have. */
void race_table_add(struct race_table *table, void *thing);

/* Empties the table; frees its memory. */
void race_table_clear(struct race_table *table);
void race_table_free(struct race_table *table);
