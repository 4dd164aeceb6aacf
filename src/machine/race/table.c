#include "machine/race/table.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define FIRST_SLOTS 64

/* Where the thing is, or goes. */
static uint64_t **find_table_slot(const struct race_table *table, uint64_t number)
{
	uint32_t at = (uint32_t)(number * 0x9E3779B97F4A7C15u >> 32) & (table->cap - 1);
	while (table->slots[at] && *table->slots[at] != number)
		at = (at + 1) & (table->cap - 1);
	return &table->slots[at];
}

void *race_table_find(const struct race_table *table, uint64_t number)
{
	return table->n ? *find_table_slot(table, number) : NULL;
}

static void grow_table(struct race_table *table)
{
	struct race_table larger = {.cap = table->cap ? table->cap * 2 : FIRST_SLOTS, .n = table->n};
	larger.slots = base_calloc(larger.cap, sizeof *larger.slots);
	for (uint32_t i = 0; i < table->cap; i++)
		if (table->slots[i])
			*find_table_slot(&larger, *table->slots[i]) = table->slots[i];
	free(table->slots);
	*table = larger;
}

void race_table_add(struct race_table *table, void *thing)
{
	uint64_t *number = thing;
	if (2 * (table->n + 1) > table->cap)
		grow_table(table);
	*find_table_slot(table, *number) = number;
	table->n++;
}

void race_table_clear(struct race_table *table)
{
	if (table->n)
		memset(table->slots, 0, table->cap * sizeof *table->slots);
	table->n = 0;
}

void race_table_free(struct race_table *table)
{
	free(table->slots);
	*table = (struct race_table){0};
}
