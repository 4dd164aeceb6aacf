/* base/hash.h: fingerprints of bytes (FNV-1a; the checksum of POSIX's cksum(1)), and a hash table of things found by a
 * text.
 *
 * A fingerprint shows that something has changed; it is none against whoever wants it to match. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* --- fingerprints ------------------------------------------------------------------------------------------------- */

/* FNV-1a, 64 bits: begin with HASH_START, and add byte by byte, or whole words where only this program compares
 * them. */
#define HASH_START 0xCBF29CE484222325u
static inline uint64_t hash_step(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * 0x100000001B3u;
}

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t len)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < len; i++)
		hash = hash_step(hash, bytes[i]);
	return hash;
}

/* The checksum of cksum(1). */
struct cksum {
	uint32_t crc;
	uint64_t len;
};

/* Adds bytes; begin with {0}. */
void cksum_add(struct cksum *sum, const void *data, size_t len);

/* What cksum(1) prints of all that was added. */
uint32_t cksum_value(const struct cksum *sum);

/* --- a table ---------------------------------------------------------------------------------------------------------
 *
 * The table holds links, each a member of what is found; it allocates only its buckets, in an arena. */

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
