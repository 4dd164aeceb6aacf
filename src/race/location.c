/* A table of places by address: open addressing, never more than half full; a place that nothing is known at stays. */
#include <stdlib.h>

#include "base/arena.h"
#include "race/detector.h"

static uint32_t slot_of(const struct places *places, uint64_t key)
{
	return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & (places->cap - 1);
}

static struct place *lookup(const struct places *places, uint64_t key)
{
	uint32_t at = slot_of(places, key);
	while (places->table[at].key && places->table[at].key != key)
		at = (at + 1) & (places->cap - 1);
	return &places->table[at];
}

struct place *places_find(const struct places *places, uint64_t address)
{
	if (!places->n)
		return NULL;
	struct place *place = lookup(places, address / 4 + 1);
	return place->key ? place : NULL;
}

static void grow(struct places *places)
{
	struct places larger = {.cap = places->cap ? places->cap * 2 : 64, .n = places->n};
	larger.table = base_calloc(larger.cap, sizeof *larger.table);
	for (uint32_t i = 0; i < places->cap; i++)
		if (places->table[i].key)
			*lookup(&larger, places->table[i].key) = places->table[i];
	free(places->table);
	*places = larger;
}

struct place *places_add(struct places *places, uint64_t address)
{
	if (2 * places->n >= places->cap)
		grow(places);
	struct place *place = lookup(places, address / 4 + 1);
	if (!place->key) {
		place->key = address / 4 + 1;
		places->n++;
	}
	return place;
}

void places_clear(struct places *places)
{
	for (uint32_t i = 0; places->n && i < places->cap; i++) {
		for (int scope = 0; scope < CHECK_SCOPES; scope++)
			known_drop(&places->table[i].reach[scope]);
		places->table[i].key = 0;
	}
	places->n = 0;
}

void places_free(struct places *places)
{
	places_clear(places);
	free(places->table);
	*places = (struct places){0};
}
