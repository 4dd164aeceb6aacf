#include "base/arena.h"
#include "machine/ptx/parse.h"

struct ptx_symbol *ptx_find_symbol(struct ptx_parser *p, const char *name, size_t len)
{
	struct ptx_symbol *s = ptx_names_find(&p->names, name, len);
	if (!s) {
		/* The range that the digits at the end of a name count into, as %r<28> for %r12. */
		struct ptx_symbol *range = NULL;
		uint64_t number = 0, scale = 1;
		for (size_t base = len;
			!range && base > 1 && name[base - 1] >= '0' && name[base - 1] <= '9' && len - base < 9;
			scale *= 10) {
			base--;
			number += (uint64_t)(name[base] - '0') * scale;
			if (name[base] == '0' && len - base > 1)
				continue;
			struct ptx_symbol *named = ptx_names_find(&p->names, name, base);
			if (named && named->kind == PTX_SYM_RANGE && number < (uint64_t)named->index)
				range = named;
		}
		if (!range)
			return NULL;
		s = ptx_names_add(&p->names, range->depth, name, len, range->lanes > 1 ? PTX_SYM_VECTOR : PTX_SYM_REG);
		s->type = range->type;
		s->lanes = range->lanes;
		s->line = range->line;
		s->index = -1;
	}
	if ((s->kind == PTX_SYM_REG || s->kind == PTX_SYM_VECTOR) && s->index < 0) {
		/* The registers of a name that is used for the first time; those of a vector are named after their
		 * components. */
		struct ptx_kernel *k = p->kernel;
		s->index = k->n_regs;
		for (int i = 0; i < s->lanes; i++) {
			const char *name_of_one = s->lanes == 1
				? arena_strndup(p->arena, s->name, s->len)
				: arena_printf(p->arena, "%.*s.%c", (int)s->len, s->name, "xyzw"[i]);
			*vec_push_in(p->arena, k->regs, k->n_regs, p->cap.regs) = (struct ptx_register){
				name_of_one, s->type};
		}
	}
	return s;
}

int ptx_use_var(struct ptx_parser *p, struct ptx_var *var)
{
	struct ptx_kernel *k = p->kernel;
	if (var->mark != p->mark) {
		var->mark = p->mark;
		var->mark_index = k->n_uses;
		*vec_push_in(p->arena, k->uses, k->n_uses, p->cap.uses) = (struct ptx_use){.var = var};
	}
	return var->mark_index;
}

bool ptx_parse_pred(struct ptx_parser *p, int32_t *reg)
{
	struct ptx_token at = p->tok;
	if (at.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a predicate");
		return false;
	}
	struct ptx_symbol *s = ptx_find_symbol(p, at.text, at.len);
	if (!s || s->kind != PTX_SYM_REG || s->type != PTX_PRED) {
		ptx_fault(p, &at, "%.*s is not a predicate register", ptx_shown(at.len), at.text);
		return false;
	}
	*reg = s->index;
	ptx_next(p);
	return true;
}

/* --- names in scopes ---------------------------------------------------------------------------------------------- */

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
