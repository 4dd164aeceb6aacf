/* base/hash.h: a hash table of things found by a text. The table holds links, each a member of what is found; it allocates
 * only its buckets, in an arena. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct hash_link {
	const char *key; /* `len` bytes, not necessarily NUL-terminated; outlives its stay in the table */
	size_t len;
	uint32_t hash;
	struct hash_link *next; /* in the bucket */
};

struct hash_table {
	struct arena *arena;
	struct hash_link **buckets;
	size_t n_buckets, count; /* n_buckets: a power of two */
};

void hash_init(struct hash_table *table, struct arena *arena);

/* Adds `link` for the key, whether or not the table has others with the same key. */
void hash_add(struct hash_table *table, struct hash_link *link, const char *key, size_t len);

/* Takes out a link that is in the table. */
void hash_remove(struct hash_table *table, struct hash_link *link);

/* A link with the key, or NULL; hash_next: another with the same key, in no particular order, or NULL. */
struct hash_link *hash_find(const struct hash_table *table, const char *key, size_t len);
struct hash_link *hash_next(const struct hash_link *link);

/* What a link is a member of. */
#define hash_entry(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))
