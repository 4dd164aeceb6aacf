#include <string.h>

#include "base/vec.h"
#include "ptx/parse.h"

#define DIMS_MAX 8

/* A declaration as far as it is the same for all its names. */
struct decl {
	enum mem_space space;
	enum ptx_type type;
	uint32_t align, lanes; /* lanes: 2 and 4 for .v2 and .v4 */
	bool is_extern, opaque;
};

static enum ptx_type type_of(const struct ptx_token *tok)
{
	for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES && tok->kind == PTX_TOK_DOT; t++) {
		const char *name = ptx_type_name((enum ptx_type)t);
		if (strlen(name) == tok->len && !memcmp(name, tok->text, tok->len))
			return (enum ptx_type)t;
	}
	return PTX_NO_TYPE;
}

static bool is_redeclared(struct ptx_parser *p, const struct ptx_token *name)
{
	struct ptx_symbol *s = ptx_names_find(&p->names, name->text, name->len);
	if (!s || s->depth != p->names.depth)
		return false;
	ptx_fault(p, name, "%.*s is declared twice, first in line %d", ptx_shown(name->len), name->text, s->line);
	return true;
}

static bool take_name(struct ptx_parser *p, struct ptx_token *name)
{
	*name = p->tok;
	if (p->tok.kind != PTX_TOK_NAME) {
		ptx_unexpected(p, "a name");
		return false;
	}
	ptx_next(p);
	return true;
}

/* --- registers ---------------------------------------------------------------------------------------------------- */

static bool parse_reg_name(struct ptx_parser *p, enum ptx_type type, int lanes)
{
	struct ptx_token name;
	int64_t count = 0;

	if (!take_name(p, &name))
		return false;
	bool range = ptx_take(p, '<');
	if (range && (!ptx_parse_int(p, &count) || !ptx_expect(p, '>')))
		return false;
	if (count < 0 || count > PTX_REGS_MAX) {
		ptx_fault(p, &name, "a range of registers has 0 to %d of them", PTX_REGS_MAX);
		return true;
	}
	if (is_redeclared(p, &name))
		return true;
	struct ptx_symbol *s = ptx_names_add(&p->names, p->names.depth, name.text, name.len,
		range               ? PTX_SYM_RANGE
			: lanes > 1 ? PTX_SYM_VECTOR
				    : PTX_SYM_REG);
	s->type = type;
	s->lanes = lanes;
	s->index = range ? (int)count : -1;
	s->line = name.line;
	return true;
}

bool ptx_parse_reg(struct ptx_parser *p)
{
	int lanes = ptx_take_dot(p, "v2") ? 2 : ptx_take_dot(p, "v4") ? 4 : 1;
	enum ptx_type type = type_of(&p->tok);
	if (!type || (lanes > 1 && type == PTX_PRED)) {
		ptx_unexpected(p, "a type of registers");
		return false;
	}
	ptx_next(p);
	do {
		if (!parse_reg_name(p, type, lanes))
			return false;
	} while (ptx_take(p, ','));
	return ptx_expect(p, ';');
}

/* --- initializers ------------------------------------------------------------------------------------------------- */

struct init {
	uint8_t *bytes;
	size_t cap;       /* what bytes has room for */
	uint64_t at, end; /* next byte to be written; end: the variable's size, UINT64_MAX while not known */
	uint64_t fills[DIMS_MAX +
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
static bool init_address(struct ptx_parser *p, struct init *init, struct ptx_var *var)
{
	struct ptx_token at = p->tok, name;
	bool generic = at.len == 7 && !memcmp(at.text, "generic", 7);
	int64_t addend = 0;

	if (generic)
		ptx_next(p);
	if ((generic && !ptx_expect(p, '(')) || !take_name(p, &name) || (generic && !ptx_expect(p, ')')))
		return false;
	if ((ptx_at(p, '+') || ptx_at(p, '-')) && !ptx_parse_int(p, &addend))
		return false;
	struct ptx_symbol *s = ptx_names_find(&p->names, name.text, name.len);
	uint32_t size = ptx_type_bytes(var->type);
	bool is_function = s && s->kind == PTX_SYM_FUNC && size == 8 && !addend;
	if (!is_function && (!s || s->kind != PTX_SYM_VAR || size < 4)) {
		ptx_fault(p, &name, "%.*s is not a variable or function whose address fits here", ptx_shown(name.len),
			name.text);
		return false;
	}
	struct ptx_reloc *reloc = arena_array(p->arena, struct ptx_reloc, 1);
	*reloc = (struct ptx_reloc){
		(uint32_t)init->at, (uint8_t)size, generic, s->var, s->function, addend, var->relocs};
	var->relocs = reloc;
	if (is_function)
		s->function->address_taken = true;
	return init_put(p, init, &at, 0, size);
}

static bool init_scalar(struct ptx_parser *p, struct init *init, struct ptx_var *var)
{
	struct ptx_operand value;
	struct ptx_token at = p->tok;

	if (at.kind == PTX_TOK_NAME)
		return init_address(p, init, var);
	if (!ptx_parse_constant(p, var->type, &value))
		return false;
	return init_put(p, init, &at, (uint64_t)value.value, ptx_type_bytes(var->type));
}

static bool init_list(struct ptx_parser *p, struct init *init, struct ptx_var *var, int depth)
{
	struct ptx_token at = p->tok;
	if (!ptx_take(p, '{'))
		return init_scalar(p, init, var);
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

static bool parse_init(struct ptx_parser *p, struct ptx_var *var, const struct decl *decl, const uint64_t *dims, int n)
{
	struct init init = {.end = var->size ? var->size : UINT64_MAX, .deepest = decl->lanes > 1 ? n : n - 1};

	init.fills[n] = (uint64_t)ptx_type_bytes(decl->type) * decl->lanes;
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

/* --- variables ---------------------------------------------------------------------------------------------------- */

/* Alignment, vector, and type, in any order, up to the first name. */
static bool parse_qualifiers(struct ptx_parser *p, struct decl *decl)
{
	int64_t align;
	bool pointer = false; /* after .ptr: the alignment of what a parameter points to */
	while (p->tok.kind == PTX_TOK_DOT) {
		struct ptx_token at = p->tok;
		enum ptx_type type = type_of(&at);
		if (type) {
			decl->type = type;
		} else if (ptx_at_dot(p, "v2") || ptx_at_dot(p, "v4")) {
			decl->lanes = (uint32_t)(at.text[1] - '0');
		} else if (ptx_at_dot(p, "texref") || ptx_at_dot(p, "samplerref") || ptx_at_dot(p, "surfref")) {
			decl->opaque = true;
		}
		pointer |= ptx_at_dot(p, "ptr");
		ptx_next(p);
		if (at.len == 5 && !memcmp(at.text, "align", 5)) {
			if (!ptx_parse_int(p, &align))
				return false;
			if (pointer)
				continue;
			if (align < 1 || align > 65536 || align & (align - 1)) {
				ptx_fault(p, &at, "an alignment is a power of two up to 65536");
				return false;
			}
			decl->align = (uint32_t)align;
		}
		if (ptx_at(p, '(')) { /* .attribute(.managed) */
			while (p->tok.kind != PTX_TOK_END && !ptx_take(p, ')'))
				ptx_next(p);
		}
	}
	if (decl->opaque) {
		decl->type = PTX_B64;
		decl->align = 8;
		return true;
	}
	if (!decl->type || decl->type == PTX_PRED) {
		ptx_unexpected(p, "a type");
		return false;
	}
	uint32_t natural = ptx_type_bytes(decl->type) * decl->lanes;
	if (decl->align < natural)
		decl->align = natural;
	return true;
}

/* [4][8] into dims; an open first one, [], is 0. */
static bool parse_dims(struct ptx_parser *p, uint64_t dims[DIMS_MAX], int *n)
{
	for (*n = 0; ptx_at(p, '['); (*n)++) {
		struct ptx_token at = p->tok;
		int64_t value = 0;
		ptx_next(p);
		if (!ptx_at(p, ']') && !ptx_parse_int(p, &value))
			return false;
		if (*n == DIMS_MAX || value < 0 || (!value && *n)) {
			ptx_fault(
				p, &at, "an array has at most %d dimensions, and only the first may be open", DIMS_MAX);
			return false;
		}
		dims[*n] = (uint64_t)value;
		if (!ptx_expect(p, ']'))
			return false;
	}
	return true;
}

/* How large an array is; UINT64_MAX with a report when it is too large. */
static uint64_t array_bytes(
	struct ptx_parser *p, const struct ptx_token *name, const struct decl *decl, const uint64_t *dims, int n)
{
	uint64_t bytes = (uint64_t)ptx_type_bytes(decl->type) * decl->lanes;
	for (int i = 0; i < n; i++) {
		if (__builtin_mul_overflow(bytes, dims[i], &bytes) || bytes > PTX_VAR_MAX) {
			ptx_fault(p, name, "%.*s is larger than %u MiB", ptx_shown(name->len), name->text,
				(unsigned)(PTX_VAR_MAX >> 20));
			return UINT64_MAX;
		}
	}
	return bytes;
}

static struct ptx_var *new_var(struct ptx_parser *p, const struct ptx_token *name, const struct decl *decl)
{
	struct ptx_symbol *s = ptx_names_find(&p->names, name->text, name->len);
	struct ptx_var *var;

	if (s && s->kind == PTX_SYM_VAR && s->depth == p->names.depth && s->var->is_extern &&
		s->var->space == decl->space) {
		var = s->var; /* declared extern before */
	} else {
		if (is_redeclared(p, name))
			return NULL;
		s = ptx_names_add(&p->names, p->names.depth, name->text, name->len, PTX_SYM_VAR);
		s->line = name->line;
		var = s->var = arena_array(p->arena, struct ptx_var, 1);
		if (decl->space == SPACE_GLOBAL || decl->space == SPACE_CONST) {
			var->index = p->module->n_vars;
			*vec_push_in(p->arena, p->module->vars, p->module->n_vars, p->cap.vars) = var;
		}
	}
	var->name = arena_strndup(p->arena, name->text, name->len);
	var->space = decl->space;
	var->type = decl->type;
	var->align = decl->align;
	var->is_extern = decl->is_extern;
	var->dynamic = decl->is_extern && decl->space == SPACE_SHARED;
	return var;
}

static bool parse_one_var(struct ptx_parser *p, const struct decl *decl)
{
	struct ptx_token name;
	uint64_t dims[DIMS_MAX];
	int n;

	if (!take_name(p, &name) || !parse_dims(p, dims, &n))
		return false;
	uint64_t bytes = array_bytes(p, &name, decl, dims, n);
	if (bytes == UINT64_MAX)
		return false;
	if (decl->opaque)
		return true;
	struct ptx_var *var = new_var(p, &name, decl);
	if (!var)
		return false;
	var->size = bytes;
	if (decl->space == SPACE_PARAM)
		var->in_frame = true; /* it passes something to a call, or back */
	if (p->kernel)
		ptx_use_var(p, var); /* what a body declares has room, used or not */
	if (ptx_take(p, '='))
		return parse_init(p, var, decl, dims, n);
	return true;
}

bool ptx_parse_var(struct ptx_parser *p, enum mem_space space, bool is_extern)
{
	struct decl decl = {.space = space, .is_extern = is_extern, .lanes = 1};
	if (!parse_qualifiers(p, &decl))
		return false;
	do {
		if (!parse_one_var(p, &decl))
			return false;
	} while (ptx_take(p, ','));
	return ptx_expect(p, ';');
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static bool add_param(struct ptx_parser *p, const struct ptx_token *name, const struct decl *decl, uint64_t bytes)
{
	struct ptx_kernel *k = p->kernel;
	uint64_t offset = (k->param_bytes + (uint64_t)decl->align - 1) / decl->align * decl->align;

	if (offset + bytes > 32764) { /* what CUDA lets a kernel have */
		ptx_fault(p, name, "the parameters take more than 32764 bytes");
		return false;
	}
	struct ptx_var *var = new_var(p, name, decl);
	if (!var)
		return false;
	var->size = bytes;
	var->index = k->n_params;
	*vec_push_in(p->arena, k->params, k->n_params, p->cap.params) = (struct ptx_param){
		var->name, (uint32_t)offset, (uint32_t)bytes, decl->align, ptx_type_kind(decl->type)};
	k->param_bytes = (uint32_t)(offset + bytes);
	return true;
}

bool ptx_parse_param(struct ptx_parser *p)
{
	struct decl decl = {.space = SPACE_PARAM, .lanes = 1};
	struct ptx_token name;
	uint64_t dims[DIMS_MAX];
	int n;

	if (!ptx_take_dot(p, "param")) {
		ptx_unexpected(p, "'.param'");
		return false;
	}
	if (!parse_qualifiers(p, &decl) || !take_name(p, &name) || !parse_dims(p, dims, &n))
		return false;
	uint64_t bytes = array_bytes(p, &name, &decl, dims, n);
	return bytes != UINT64_MAX && add_param(p, &name, &decl, decl.opaque ? 8 : bytes);
}

/* --- parameters and results of functions -------------------------------------------------------------------------- */

static bool parse_register_formal(struct ptx_parser *p, struct ptx_token *name, struct ptx_formal *out)
{
	out->type = type_of(&p->tok);
	if (!out->type) {
		ptx_unexpected(p, "a type of registers");
		return false;
	}
	ptx_next(p);
	out->size = out->align = ptx_type_bytes(out->type);
	return take_name(p, name);
}

bool ptx_parse_formal(struct ptx_parser *p, struct ptx_formal *out)
{
	struct decl decl = {.space = SPACE_PARAM, .lanes = 1};
	struct ptx_token name;
	uint64_t dims[DIMS_MAX];
	int n;

	*out = (struct ptx_formal){.index = -1};
	if (ptx_take_dot(p, "reg")) {
		if (!parse_register_formal(p, &name, out))
			return false;
	} else if (ptx_take_dot(p, "param")) {
		if (!parse_qualifiers(p, &decl) || !take_name(p, &name) || !parse_dims(p, dims, &n))
			return false;
		uint64_t bytes = array_bytes(p, &name, &decl, dims, n);
		if (bytes == UINT64_MAX)
			return false;
		out->size = decl.opaque ? 8 : (uint32_t)bytes;
		out->align = decl.align;
	} else {
		ptx_unexpected(p, "'.param' or '.reg'");
		return false;
	}
	out->name = arena_strndup(p->arena, name.text, name.len);
	return true;
}

static void declare_formal(struct ptx_parser *p, struct ptx_formal *formal)
{
	struct ptx_kernel *k = p->kernel;
	struct ptx_token name = {.text = formal->name, .len = strlen(formal->name), .line = k->line, .col = k->col};

	if (formal->type) {
		if (is_redeclared(p, &name))
			return;
		struct ptx_symbol *s = ptx_names_add(&p->names, p->names.depth, name.text, name.len, PTX_SYM_REG);
		s->type = formal->type;
		s->index = -1;
		s->line = name.line;
		formal->index = ptx_find_symbol(p, name.text, name.len)->index;
		return;
	}
	struct decl decl = {.space = SPACE_PARAM, .type = PTX_B8, .align = formal->align, .lanes = 1};
	struct ptx_var *var = new_var(p, &name, &decl);
	if (!var)
		return;
	var->size = formal->size;
	var->in_frame = true;
	formal->index = ptx_use_var(p, var);
}

void ptx_declare_formals(struct ptx_parser *p)
{
	struct ptx_signature *s = &p->kernel->signature;
	for (int i = 0; i < s->n_results; i++)
		declare_formal(p, &s->results[i]);
	for (int i = 0; i < s->n_params; i++)
		declare_formal(p, &s->params[i]);
}
