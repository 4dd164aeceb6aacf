#include <string.h>

#include "base/arena.h"
#include "machine/ptx/parse.h"

/* A declaration as far as it is the same for all its names. */
struct decl {
	enum mem_space space;
	enum ptx_type type;
	uint32_t align, lanes; /* lanes: 2 and 4 for .v2 and .v4 */
	bool is_extern;
	enum ptx_opaque opaque;
};

static enum ptx_opaque opaque_of(const struct ptx_parser *p)
{
	return ptx_at_dot(p, "texref")        ? PTX_TEXREF
		: ptx_at_dot(p, "samplerref") ? PTX_SAMPLERREF
		: ptx_at_dot(p, "surfref")    ? PTX_SURFREF
					      : PTX_NOT_OPAQUE;
}

static enum ptx_type type_of(const struct ptx_token *tok)
{
	for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES && tok->kind == PTX_TOK_DOT; t++) {
		const char *name = ptx_type_name((enum ptx_type)t);
		if (strlen(name) == tok->len && !memcmp(name, tok->text, tok->len)) {
			/* Types that only elements of matrices have. */
			enum ptx_type type = (enum ptx_type)t;
			bool of_elements = type == PTX_E4M3 || type == PTX_E5M2 ||
				(!ptx_type_bytes(type) && type != PTX_PRED);
			return of_elements ? PTX_NO_TYPE : type;
		}
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

static int parse_lanes(struct ptx_parser *p)
{
	return ptx_take_dot(p, "v2") ? 2 : ptx_take_dot(p, "v4") ? 4 : 1;
}

bool ptx_parse_reg(struct ptx_parser *p)
{
	int lanes = parse_lanes(p);
	bool widest = lanes == 1 && ptx_at_dot(p, "b128"); /* two words of 64 bits */
	enum ptx_type type = widest ? PTX_B64 : type_of(&p->tok);
	lanes = widest ? 2 : lanes;
	if (!type || (lanes > 1 && type == PTX_PRED)) {
		ptx_unexpected(p, "a type of registers");
		return false;
	}
	ptx_next(p);
	do {
		struct ptx_token name;
		int64_t count = 0;

		if (!take_name(p, &name))
			return false;
		bool range = ptx_take(p, '<');
		if (range && (!ptx_parse_int(p, &count) || !ptx_expect(p, '>')))
			return false;
		if (count < 0 || count > PTX_REGS_MAX) {
			ptx_fault(p, &name, "a range of registers has 0 to %d of them", PTX_REGS_MAX);
		} else if (!is_redeclared(p, &name)) {
			struct ptx_symbol *s = ptx_names_add(&p->names, p->names.depth, name.text, name.len,
				range               ? PTX_SYM_RANGE
					: lanes > 1 ? PTX_SYM_VECTOR
						    : PTX_SYM_REG);
			s->type = type;
			s->lanes = lanes;
			s->index = range ? (int)count : -1;
			s->line = name.line;
		}
	} while (ptx_take(p, ','));
	return ptx_expect(p, ';');
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
		} else if (opaque_of(p) && !pointer) {
			decl->opaque = opaque_of(p);
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
static bool parse_dims(struct ptx_parser *p, uint64_t dims[PTX_DIMS_MAX], int *n)
{
	for (*n = 0; ptx_at(p, '['); (*n)++) {
		struct ptx_token at = p->tok;
		int64_t value = 0;
		ptx_next(p);
		if (!ptx_at(p, ']') && !ptx_parse_whole(p, &value))
			return false;
		if (*n == PTX_DIMS_MAX || value < 0 || (!value && *n)) {
			ptx_fault(p, &at, "an array has at most %d dimensions, and only the first may be open",
				PTX_DIMS_MAX);
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
	var->element = ptx_type_bytes(decl->type) * decl->lanes;
	var->align = decl->align;
	var->is_extern = decl->is_extern && !decl->opaque;
	var->opaque = (uint8_t)decl->opaque;
	var->dynamic = decl->is_extern && decl->space == SPACE_SHARED;
	return var;
}

bool ptx_parse_var(struct ptx_parser *p, enum mem_space space, bool is_extern)
{
	struct decl decl = {.space = space, .is_extern = is_extern, .lanes = 1};
	if (!parse_qualifiers(p, &decl))
		return false;
	do {
		struct ptx_token name;
		uint64_t dims[PTX_DIMS_MAX];
		int n;

		if (!take_name(p, &name) || !parse_dims(p, dims, &n))
			return false;
		uint64_t bytes = array_bytes(p, &name, &decl, dims, n);
		if (bytes == UINT64_MAX)
			return false;
		struct ptx_var *var = new_var(p, &name, &decl);
		if (!var)
			return false;
		if (decl.opaque) {
			if (!ptx_parse_opaque_init(p, var))
				return false;
		} else {
			var->size = bytes;
			if (decl.space == SPACE_PARAM)
				var->in_frame = true; /* it passes something to a call, or back */
			if (p->kernel)
				ptx_use_var(p, var); /* what a body declares has room, used or not */
			if (ptx_take(p, '=')) {
				if (!ptx_parse_init(p, var, dims, n))
					return false;
			} else {
			}
		}
	} while (ptx_take(p, ','));
	return ptx_expect(p, ';');
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

bool ptx_parse_param(struct ptx_parser *p)
{
	struct decl decl = {.space = SPACE_PARAM, .lanes = 1};
	struct ptx_token name;
	uint64_t dims[PTX_DIMS_MAX];
	int n;

	if (!ptx_take_dot(p, "param")) {
		ptx_unexpected(p, "'.param'");
		return false;
	}
	if (!parse_qualifiers(p, &decl) || !take_name(p, &name) || !parse_dims(p, dims, &n))
		return false;
	uint64_t bytes = array_bytes(p, &name, &decl, dims, n);

	if (bytes == UINT64_MAX)
		return false;
	uint64_t param_bytes = decl.opaque ? 8 : bytes;
	struct ptx_kernel *k = p->kernel;
	uint64_t offset = (k->param_bytes + (uint64_t)decl.align - 1) / decl.align * decl.align;

	if (offset + param_bytes > 32764) { /* what CUDA lets a kernel have */
		ptx_fault(p, &name, "the parameters take more than 32764 bytes");
		return false;
	}
	struct ptx_var *var = new_var(p, &name, &decl);
	if (!var)
		return false;
	var->size = param_bytes;
	var->index = k->n_params;
	*vec_push_in(p->arena, k->params, k->n_params, p->cap.params) = (struct ptx_param){
		var->name, (uint32_t)offset, (uint32_t)param_bytes, decl.align, ptx_type_kind(decl.type)};
	k->param_bytes = (uint32_t)(offset + param_bytes);
	return true;
}

/* --- parameters and results of functions -------------------------------------------------------------------------- */

bool ptx_parse_formal(struct ptx_parser *p, struct ptx_formal *out)
{
	struct decl decl = {.space = SPACE_PARAM, .lanes = 1};
	struct ptx_token name;
	uint64_t dims[PTX_DIMS_MAX];
	int n;

	*out = (struct ptx_formal){.index = -1, .lanes = 1};
	if (ptx_take_dot(p, "reg")) {
		int lanes = parse_lanes(p);
		bool widest = lanes == 1 && ptx_at_dot(p, "b128");
		out->type = widest ? PTX_B64 : type_of(&p->tok);
		lanes = widest ? 2 : lanes;
		if (!out->type || (lanes > 1 && out->type == PTX_PRED)) {
			ptx_unexpected(p, "a type of registers");
			return false;
		}
		ptx_next(p);
		out->lanes = (uint8_t)lanes;
		out->size = out->align = ptx_type_bytes(out->type);
		if (!take_name(p, &name))
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
		struct ptx_symbol *s = ptx_names_add(&p->names, p->names.depth, name.text, name.len,
			formal->lanes > 1 ? PTX_SYM_VECTOR : PTX_SYM_REG);
		s->type = formal->type;
		s->lanes = formal->lanes;
		s->index = -1;
		s->line = name.line;
		ptx_find_symbol(p, name.text, name.len);
		for (int i = 0; i < formal->lanes; i++)
			formal[i].index = s->index + i;
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
	for (int i = 0; i < s->n_results; i += s->results[i].lanes)
		declare_formal(p, &s->results[i]);
	for (int i = 0; i < s->n_params; i += s->params[i].lanes)
		declare_formal(p, &s->params[i]);
}
