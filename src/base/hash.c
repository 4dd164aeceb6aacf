#include "base/hash.h"

#include <string.h>

#define FIRST_BUCKETS 256
#define GROWTH 4

/* FNV-1a of 32 bits; its upper half mixed into the lower, which picks the bucket. */
static uint32_t hash_text(const char *text, size_t len)
{
	uint32_t h = 2166136261u;
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h ^ h >> 15;
}

void hash_init(struct hash_table *table, struct arena *arena)
{
	*table = (struct hash_table){.arena = arena, .n_buckets = FIRST_BUCKETS};
	table->buckets = arena_array(arena, struct hash_link *, table->n_buckets);
}

static struct hash_link **bucket_of(const struct hash_table *table, uint32_t hash)
{
	return &table->buckets[hash & (table->n_buckets - 1)];
}

static void put_link(struct hash_table *table, struct hash_link *link)
{
	struct hash_link **bucket = bucket_of(table, link->hash);
	link->next = *bucket;
	*bucket = link;
}

void hash_add(struct hash_table *table, struct hash_link *link, const char *key, size_t len)
{
	if (table->count++ >= table->n_buckets) {
		struct hash_link **old = table->buckets;
		size_t n = table->n_buckets;
		table->n_buckets = n * GROWTH;
		table->buckets = arena_array(table->arena, struct hash_link *, table->n_buckets);
		for (size_t i = 0; i < n; i++) {
			for (struct hash_link *moved = old[i], *next; moved; moved = next) {
				next = moved->next;
				put_link(table, moved);
			}
		}
	}
	*link = (struct hash_link){.key = key, .len = len, .hash = hash_text(key, len)};
	put_link(table, link);
}

void hash_remove(struct hash_table *table, struct hash_link *link)
{
	struct hash_link **at = bucket_of(table, link->hash);
	while (*at != link)
		at = &(*at)->next;
	*at = link->next;
	table->count--;
}

static struct hash_link *first_same(struct hash_link *link, uint32_t hash, const char *key, size_t len)
{
	while (link && !(link->hash == hash && link->len == len && !memcmp(link->key, key, len)))
		link = link->next;
	return link;
}

struct hash_link *hash_find(const struct hash_table *table, const char *key, size_t len)
{
	uint32_t hash = hash_text(key, len);
	return first_same(*bucket_of(table, hash), hash, key, len);
}

struct hash_link *hash_next(const struct hash_link *link)
{
	return first_same(link->next, link->hash, link->key, link->len);
}

/* --- cksum -------------------------------------------------------------------------------------------------------- */

#define POLYNOMIAL 0x04C11DB7u

static uint32_t add_byte(uint32_t crc, unsigned byte)
{
	crc ^= byte << 24;
	for (int bit = 0; bit < 8; bit++)
		crc = (crc << 1) ^ (crc & 0x80000000u ? POLYNOMIAL : 0);
	return crc;
}

void cksum_add(struct cksum *sum, const void *data, size_t len)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < len; i++)
		sum->crc = add_byte(sum->crc, bytes[i]);
	sum->len += len;
}

uint32_t cksum_value(const struct cksum *sum)
{
	uint32_t crc = sum->crc;
	for (uint64_t len = sum->len; len; len >>= 8)
		crc = add_byte(crc, (unsigned)(len & 0xFF));
	return ~crc;
}
