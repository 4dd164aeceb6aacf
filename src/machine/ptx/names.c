#include "machine/ptx/names.h"

void ptx_names_init(struct ptx_names *names, struct arena *arena)
{
	*names = (struct ptx_names){.arena = arena};
	hash_init(&names->by_name, arena);
}

bool ptx_names_enter(struct ptx_names *names)
{
	if (names->depth + 1 == PTX_SCOPES_MAX)
		return false;
	names->scopes[++names->depth] = NULL;
	return true;
}

void ptx_names_leave(struct ptx_names *names)
{
	for (struct ptx_symbol *s = names->scopes[names->depth]; s; s = s->next_in_scope)
		hash_remove(&names->by_name, &s->link);
	names->scopes[names->depth--] = NULL;
}

struct ptx_symbol *ptx_names_find(const struct ptx_names *names, const char *name, size_t len)
{
	struct ptx_symbol *innermost = NULL;
	for (struct hash_link *link = hash_find(&names->by_name, name, len); link; link = hash_next(link)) {
		struct ptx_symbol *s = hash_entry(link, struct ptx_symbol, link);
		if (!innermost || s->depth > innermost->depth)
			innermost = s;
	}
	return innermost;
}

struct ptx_symbol *ptx_names_add(
	struct ptx_names *names, int depth, const char *name, size_t len, enum ptx_symbol_kind kind)
{
	struct ptx_symbol *s = arena_array(names->arena, struct ptx_symbol, 1);
	*s = (struct ptx_symbol){.name = name, .len = len, .kind = kind, .lanes = 1, .depth = depth};
	hash_add(&names->by_name, &s->link, name, len);
	s->next_in_scope = names->scopes[depth];
	names->scopes[depth] = s;
	return s;
}
