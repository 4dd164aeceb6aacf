/* The initial values of variables. */
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/parse.h"

struct init {
	uint8_t *bytes;
	size_t cap;       /* what bytes has room for */
	uint64_t at, end; /* next byte to be written; end: the variable's size, UINT64_MAX while not known */
	uint64_t fills[PTX_DIMS_MAX +
		1];  /* bytes that a list at this depth of braces stands for; not used for the outermost */
	int deepest; /* how deep lists may be nested */
};

/* Makes room up to init->at. */
static bool init_room(struct ptx_parser *p, struct init *init, const struct ptx_token *where)
{
	if (init->at > init->end || init->at > PTX_VAR_MAX) {
		ptx_fault(p, where, "there are more values than the variable holds");
		return false;
	}
	size_t before = init->cap;
	if (init->at > before)
		vec_reserve_in(p->arena, init->bytes, before, init->cap, init->at - before);
	p->init_bytes += init->cap - before;
	if (p->init_bytes <= PTX_INIT_MAX)
		return true;
	ptx_fault(p, where, "the values of variables take more than %u MiB together", (unsigned)(PTX_INIT_MAX >> 20));
	return false;
}

static bool init_put(
	struct ptx_parser *p, struct init *init, const struct ptx_token *where, uint64_t value, uint32_t size)
{
	uint64_t at = init->at;
	init->at += size;
	if (!init_room(p, init, where))
		return false;
	memcpy(init->bytes + at, &value, size); /* little endian, as the host */
	return true;
}

/* NAME, NAME+N, generic(NAME)+N: an address. */
static bool init_address(struct ptx_parser *p, struct init *init, struct ptx_var *var, struct ptx_reloc reloc)
{
	struct ptx_token name;
	reloc.generic = ptx_at_name(p, "generic");
	if (reloc.generic)
		ptx_next(p);
	if (reloc.generic && !ptx_expect(p, '('))
		return false;
	name = p->tok;
	if (name.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a name");
		return false;
	}
	ptx_next(p);
	if (reloc.generic && !ptx_expect(p, ')'))
		return false;
	if ((ptx_at(p, '+') || ptx_at(p, '-')) && !ptx_parse_whole(p, &reloc.addend))
		return false;

	struct ptx_symbol *s = ptx_names_find(&p->names, name.text, name.len);
	bool is_function = s && s->kind == PTX_SYM_FUNC && (reloc.is_part || reloc.bytes == 8) && !reloc.addend;
	if (!is_function && (!s || s->kind != PTX_SYM_VAR || (!reloc.is_part && reloc.bytes < 4))) {
		ptx_fault(p, &name, "%.*s is not a variable or function whose address fits here", ptx_shown(name.len),
			name.text);
		return false;
	}
	reloc.offset = (uint32_t)init->at;
	reloc.target = s->var;
	reloc.function = s->function;
	reloc.next = var->relocs;
	var->relocs = arena_array(p->arena, struct ptx_reloc, 1);
	*var->relocs = reloc;
	if (is_function)
		s->function->address_taken = true;
	return init_put(p, init, &name, 0, reloc.bytes);
}

static bool init_list(struct ptx_parser *p, struct init *init, struct ptx_var *var, int depth)
{
	struct ptx_token at = p->tok;
	if (!ptx_take(p, '{')) {
		struct ptx_operand value;
		struct ptx_lexer ahead = p->lexer;
		struct ptx_token next = {0};
		if (at.kind == PTX_TOK_INT)
			ptx_lex(&ahead, &next);
		if (at.kind == PTX_TOK_INT && next.kind == PTX_TOK_PUNCT && next.punct == '(') {
			/* MASK(ADDRESS): the byte of an address that a mask of eight ones picks. */
			struct ptx_reloc reloc = {.bytes = 1, .is_part = true};
			while (reloc.shift < 64 && at.value != 0xFFull << reloc.shift)
				reloc.shift = (uint8_t)(reloc.shift + 8);
			ptx_next(p);
			if (reloc.shift == 64 || ptx_type_bytes(var->type) != 1) {
				ptx_fault(p, &at, "a mask picks one byte of an address, for a variable of bytes");
				return false;
			}
			return ptx_expect(p, '(') && init_address(p, init, var, reloc) && ptx_expect(p, ')');
		}
		if (at.kind == PTX_TOK_NAME && !ptx_at_name(p, "WARP_SZ"))
			return init_address(
				p, init, var, (struct ptx_reloc){.bytes = (uint8_t)ptx_type_bytes(var->type)});
		if (!ptx_parse_constant(p, var->type, &value))
			return false;
		return init_put(p, init, &at, (uint64_t)value.value, ptx_type_bytes(var->type));
	}
	if (depth > init->deepest) {
		ptx_fault(p, &at, "the values are nested deeper than the variable");
		return false;
	}
	uint64_t start = init->at;
	while (!ptx_at(p, '}')) {
		if (!init_list(p, init, var, depth + 1))
			return false;
		if (!ptx_take(p, ','))
			break;
	}
	if (!ptx_expect(p, '}'))
		return false;
	if (!depth)
		return true;
	if (init->at > start + init->fills[depth]) {
		ptx_fault(p, &at, "this list has more values than its part of the variable");
		return false;
	}
	init->at = start + init->fills[depth]; /* what an inner list leaves out is zero */
	return init_room(p, init, &at);
}

bool ptx_parse_init(struct ptx_parser *p, struct ptx_var *var, const uint64_t *dims, int n)
{
	bool is_vector = var->element > ptx_type_bytes(var->type);
	struct init init = {.end = var->size ? var->size : UINT64_MAX, .deepest = is_vector ? n : n - 1};

	init.fills[n] = var->element;
	for (int i = n - 1; i > 0; i--)
		init.fills[i] = init.fills[i + 1] * dims[i];
	if (!init_list(p, &init, var, 0))
		return false;
	if (!var->size)
		var->size = init.at;
	var->init = init.bytes;
	var->init_size = init.cap < var->size ? init.cap : var->size;
	return true;
}
