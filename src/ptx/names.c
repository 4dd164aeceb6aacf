#include "ptx/names.h"

#include <string.h>

uint32_t ptx_hash(const char *text, size_t len)
{
	uint32_t h = 2166136261u; /* FNV-1a */
	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h ^ h >> 15;
}

void ptx_names_init(struct ptx_names *names, struct arena *arena)
{
	*names = (struct ptx_names){.arena = arena, .n_buckets = 256};
	names->buckets = arena_array(arena, struct ptx_symbol *, names->n_buckets);
}

bool ptx_names_enter(struct ptx_names *names)
{
	if (names->depth + 1 == PTX_SCOPES_MAX)
		return false;
	names->scopes[++names->depth] = NULL;
	return true;
}

static void unlink_symbol(struct ptx_names *names, struct ptx_symbol *symbol)
{
	struct ptx_symbol **at = &names->buckets[symbol->hash & (names->n_buckets - 1)];
	while (*at != symbol)
		at = &(*at)->next_in_bucket;
	*at = symbol->next_in_bucket;
	names->count--;
}

void ptx_names_leave(struct ptx_names *names)
{
	for (struct ptx_symbol *s = names->scopes[names->depth]; s; s = s->next_in_scope)
		unlink_symbol(names, s);
	names->scopes[names->depth--] = NULL;
}

struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t len)
{
	uint32_t hash = ptx_hash(name, len);
	struct ptx_symbol *best = NULL;
	for (struct ptx_symbol *s = names->buckets[hash & (names->n_buckets - 1)]; s; s = s->next_in_bucket) {
		if (s->hash == hash && s->len == len && !memcmp(s->name, name, len) &&
			(!best || s->depth > best->depth))
			best = s;
	}
	return best;
}

static void grow(struct ptx_names *names)
{
	size_t n = names->n_buckets * 4;
	struct ptx_symbol **fresh = arena_array(names->arena, struct ptx_symbol *, n);
	for (size_t i = 0; i < names->n_buckets; i++) {
		for (struct ptx_symbol *s = names->buckets[i], *next; s; s = next) {
			next = s->next_in_bucket;
			s->next_in_bucket = fresh[s->hash & (n - 1)];
			fresh[s->hash & (n - 1)] = s;
		}
	}
	names->buckets = fresh;
	names->n_buckets = n;
}

struct ptx_symbol *ptx_names_add(
	struct ptx_names *names, int depth, const char *name, size_t len, enum ptx_symbol_kind kind)
{
	if (names->count >= names->n_buckets)
		grow(names);
	struct ptx_symbol *s = arena_array(names->arena, struct ptx_symbol, 1);
	*s = (struct ptx_symbol){
		.name = name, .len = len, .hash = ptx_hash(name, len), .kind = kind, .lanes = 1, .depth = depth};
	struct ptx_symbol **bucket = &names->buckets[s->hash & (names->n_buckets - 1)];
	s->next_in_bucket = *bucket;
	*bucket = s;
	s->next_in_scope = names->scopes[depth];
	names->scopes[depth] = s;
	names->count++;
	return s;
}
