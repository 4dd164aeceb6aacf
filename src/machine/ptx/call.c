/* Functions and their calls: signatures, declarations, prototypes, and the operands of call. */
#include <string.h>

#include "base/arena.h"
#include "machine/ptx/parse.h"

/* --- signatures --------------------------------------------------------------------------------------------------- */

bool ptx_parse_formals(struct ptx_parser *p, struct ptx_formal **formals, int *n)
{
	size_t cap = 0;
	if (!ptx_take(p, '(') || ptx_take(p, ')'))
		return true;
	do {
		struct ptx_formal formal;
		if (!ptx_parse_formal(p, &formal))
			return false;
		for (int i = 0, lanes = formal.lanes; i < lanes; i++, formal.lanes = 1)
			*vec_push_in(p->arena, *formals, *n, cap) = formal;
	} while (ptx_take(p, ','));
	return ptx_expect(p, ')');
}

static bool same_formals(const struct ptx_formal *a, int n_a, const struct ptx_formal *b, int n_b)
{
	if (n_a != n_b)
		return false;
	for (int i = 0; i < n_a; i++) {
		if (a[i].size != b[i].size || (a[i].type == PTX_PRED) != (b[i].type == PTX_PRED))
			return false;
	}
	return true;
}

bool ptx_same_signature(const struct ptx_signature *a, const struct ptx_signature *b)
{
	return same_formals(a->results, a->n_results, b->results, b->n_results) &&
		same_formals(a->params, a->n_params, b->params, b->n_params);
}

/* --- built-in functions ------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *results, *params;
} builtins[PTX_BUILTINS] = {
#define BUILTIN(id, name, results, params, meaning) [PTX_BUILTIN_##id] = {name, results, params},
#include "machine/ptx/builtins.def"
#undef BUILTIN
};

static bool has_sizes(const struct ptx_formal *formals, int n, const char *sizes)
{
	for (int i = 0; i < n; i++) {
		if (!sizes[i] || formals[i].type == PTX_PRED || formals[i].size != (uint32_t)(sizes[i] - '0'))
			return false;
	}
	return !sizes[n];
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

bool ptx_declare_function(struct ptx_parser *p, const struct ptx_token *name)
{
	struct ptx_symbol *s = ptx_names_find(&p->names, name->text, name->len);
	struct ptx_kernel *before = s && s->kind == PTX_SYM_FUNC ? s->function : NULL;

	if (!s) {
		struct ptx_symbol *function = ptx_names_add(&p->names, 0, name->text, name->len, PTX_SYM_FUNC);
		function->line = name->line;
		function->function = p->kernel;
		struct ptx_kernel *k = p->kernel;
		k->builtin = PTX_NO_BUILTIN;
		for (int i = PTX_NO_BUILTIN + 1; i < PTX_BUILTINS && !k->defined && !k->builtin; i++) {
			if (!strcmp(k->name, builtins[i].name) &&
				has_sizes(k->signature.results, k->signature.n_results, builtins[i].results) &&
				has_sizes(k->signature.params, k->signature.n_params, builtins[i].params))
				k->builtin = (uint8_t)i;
		}
		p->kernel->index = p->module->n_functions;
		*vec_push_in(p->arena, p->module->functions, p->module->n_functions, p->cap.functions) = p->kernel;

		return true;
	}
	if (!before || (before->defined && p->kernel->defined)) {
		ptx_fault(
			p, name, "%.*s is declared twice, first in line %d", ptx_shown(name->len), name->text, s->line);
		return false;
	}
	if (!ptx_same_signature(&before->signature, &p->kernel->signature)) {
		ptx_fault(p, name, "%.*s has other parameters or results than in line %d", ptx_shown(name->len),
			name->text, s->line);
		return false;
	}
	if (p->kernel->defined) {
		/* The body of a function that was declared before. */
		int index = before->index;
		bool taken = before->address_taken;
		*before = *p->kernel;
		before->index = index;
		before->address_taken = taken;
		p->kernel = before;
	}
	return true;
}

/* --- prototypes --------------------------------------------------------------------------------------------------- */

static struct ptx_symbol *find_function(struct ptx_parser *p)
{
	struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_names_find(&p->names, p->tok.text, p->tok.len) : NULL;
	return s && s->kind == PTX_SYM_FUNC ? s : NULL;
}

static struct ptx_prototype *new_prototype(struct ptx_parser *p, const struct ptx_token *label)
{
	struct ptx_symbol *s = ptx_names_add(&p->names, p->names.depth, label->text, label->len, PTX_SYM_PROTOTYPE);
	struct ptx_prototype *proto;

	s->line = label->line;
	s->index = p->module->n_prototypes;
	proto = vec_push_in(p->arena, p->module->prototypes, p->module->n_prototypes, p->cap.prototypes);
	*proto = (struct ptx_prototype){.name = arena_strndup(p->arena, label->text, label->len)};
	return proto;
}

/* NAME, FUNCTION: what names the one means the other from now on, and what named it before too. */
bool ptx_parse_alias(struct ptx_parser *p)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *alias = find_function(p), *meant = NULL;

	ptx_next(p);
	if (ptx_expect(p, ','))
		meant = find_function(p);
	if (!alias || !meant || alias->function->defined ||
		!ptx_same_signature(&alias->function->signature, &meant->function->signature)) {
		ptx_fault(p, &at,
			".alias needs a declared function, and one with a body of the same parameters and results");
		return false;
	}
	meant->function->address_taken |= alias->function->address_taken;
	p->module->functions[alias->function->index] = meant->function;
	alias->function = meant->function;
	ptx_next(p);
	return ptx_expect(p, ';');
}

/* (RESULT) _ (PARAMETERS), and what may follow, as .noreturn */
bool ptx_parse_callprototype(struct ptx_parser *p, const struct ptx_token *label)
{
	struct ptx_prototype *proto = new_prototype(p, label);
	if (!ptx_parse_formals(p, &proto->signature.results, &proto->signature.n_results))
		return false;
	if (p->tok.kind == PTX_TOK_NAME)
		ptx_next(p);
	if (!ptx_parse_formals(p, &proto->signature.params, &proto->signature.n_params))
		return false;
	ptx_skip_statement(p);
	return true;
}

bool ptx_parse_calltargets(struct ptx_parser *p, const struct ptx_token *label)
{
	struct ptx_prototype *proto = new_prototype(p, label);
	size_t cap = 0;
	do {
		struct ptx_symbol *s = find_function(p);
		if (!s) {
			ptx_unexpected(p, "a function's name");
			return false;
		}
		if (proto->n_targets && !ptx_same_signature(&proto->signature, &s->function->signature))
			ptx_fault(p, &p->tok, "%s has other parameters or results than %s", s->function->name,
				proto->targets[0]->name);
		proto->signature = s->function->signature;
		*vec_push_in(p->arena, proto->targets, proto->n_targets, cap) = s->function;
		ptx_next(p);
	} while (ptx_take(p, ','));
	return ptx_expect(p, ';');
}

/* --- operands of call --------------------------------------------------------------------------------------------- */

/* A register, or a .param variable of a function or a call. */
static bool parse_passed(struct ptx_parser *p, struct ptx_operand *out)
{
	struct ptx_token at = p->tok;
	struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_find_symbol(p, at.text, at.len) : NULL;

	if (s && s->kind == PTX_SYM_REG) {
		*out = (struct ptx_operand){.kind = PTX_REG, .index = s->index, .second = -1};
	} else if (s && s->kind == PTX_SYM_VAR && s->var->in_frame) {
		*out = (struct ptx_operand){.kind = PTX_VAR, .index = ptx_use_var(p, s->var), .second = -1};
	} else {
		ptx_unexpected(p, "a register or a .param variable of this body");
		return false;
	}
	ptx_next(p);
	return true;
}

static bool parse_result(struct ptx_parser *p, struct ptx_operand *out)
{
	if (p->tok.kind != PTX_TOK_NAME || p->tok.len != 1 || *p->tok.text != '_')
		return parse_passed(p, out);
	*out = (struct ptx_operand){.kind = PTX_SINK, .second = -1};
	ptx_next(p);
	return true;
}

/* The count of a float constant is its bytes; whole numbers fit any size. */
static bool parse_argument(struct ptx_parser *p, struct ptx_operand *out)
{
	struct ptx_lexer ahead = p->lexer;
	struct ptx_token number = p->tok;

	if (number.kind == PTX_TOK_NAME)
		return parse_passed(p, out);
	if (number.kind == PTX_TOK_PUNCT) /* a sign */
		ptx_lex(&ahead, &number);
	enum ptx_type type = number.kind == PTX_TOK_F32 ? PTX_F32 : number.kind == PTX_TOK_F64 ? PTX_F64 : PTX_B64;
	if (!ptx_parse_constant(p, type, out))
		return false;
	out->count = type == PTX_B64 ? 0 : (uint8_t)ptx_type_bytes(type);
	return true;
}

static bool parse_list(struct ptx_parser *p, bool (*parse_item)(struct ptx_parser *p, struct ptx_operand *out),
	struct ptx_operand *out)
{
	struct ptx_operand item;
	size_t cap = 0;

	*out = (struct ptx_operand){.kind = PTX_LIST, .second = -1};
	if (!ptx_expect(p, '('))
		return false;
	if (ptx_take(p, ')'))
		return true;
	do {
		/* The vector of registers that the parser stands at, or NULL. */
		const struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_find_symbol(p, p->tok.text, p->tok.len)
									 : NULL;
		const struct ptx_symbol *vector = s && s->kind == PTX_SYM_VECTOR ? s : NULL;
		if (!vector && !parse_item(p, &item))
			return false;
		for (int i = 0; i < (vector ? vector->lanes : 1); i++)
			*vec_push_in(p->arena, out->elements, out->index, cap) = vector
				? (struct ptx_operand){.kind = PTX_REG, .index = vector->index + i, .second = -1}
				: item;
		if (vector)
			ptx_next(p);
	} while (ptx_take(p, ','));
	return ptx_expect(p, ')');
}

bool ptx_parse_call_operand(struct ptx_parser *p, char letter, struct ptx_operand *out)
{
	switch (letter) {
	case 'r': return parse_list(p, parse_result, out);
	case 'c': return parse_list(p, parse_argument, out);
	case 'F': {
		struct ptx_token at = p->tok;
		struct ptx_symbol *s = at.kind == PTX_TOK_NAME ? ptx_find_symbol(p, at.text, at.len) : NULL;

		if (s && s->kind == PTX_SYM_FUNC) {
			*out = (struct ptx_operand){.kind = PTX_FUNC, .index = s->function->index, .second = -1};
		} else if (s && s->kind == PTX_SYM_REG && ptx_slot_bytes(s->type) == 8) {
			*out = (struct ptx_operand){.kind = PTX_REG, .index = s->index, .second = -1};
		} else {
			ptx_unexpected(p, "a function or a 64-bit register");
			return false;
		}
		ptx_next(p);
		return true;
	}
	default: {
		struct ptx_symbol *s = p->tok.kind == PTX_TOK_NAME ? ptx_names_find(&p->names, p->tok.text, p->tok.len)
								   : NULL;
		if (!s || s->kind != PTX_SYM_PROTOTYPE) {
			ptx_unexpected(p, "a name made by .callprototype or .calltargets");
			return false;
		}
		*out = (struct ptx_operand){.kind = PTX_PROTOTYPE, .index = s->index, .second = -1};
		ptx_next(p);
		return true;
	}
	}
}

/* --- does a call fit what it calls? ------------------------------------------------------------------------------- */

/* `list` is PTX_CALL_RESULTS or PTX_CALL_ARGS. */
static bool list_fits(
	struct ptx_parser *p, const struct ptx_instr *call, int list, const struct ptx_signature *signature)
{
	bool results = list == PTX_CALL_RESULTS;
	const struct ptx_operand *given = &call->operands[list];
	const struct ptx_formal *formals = results ? signature->results : signature->params;
	const char *what = results ? "result" : "argument";
	int n = results ? signature->n_results : signature->n_params;
	if (given->index != n) {
		ptx_fault_at(p, call->line, call->col, "%s: %d %s%s given, %d expected", call->form->spelling,
			given->index, what, given->index == 1 ? "" : "s", n);
		return false;
	}
	for (int i = 0; i < n; i++) {
		bool fits;
		const struct ptx_formal *formal = &formals[i];
		const struct ptx_operand *o = &given->elements[i];
		enum ptx_type type;
		switch (o->kind) {
		case PTX_SINK: fits = true; break;
		case PTX_IMM:
			fits = formal->size && formal->size <= 8 && (!o->count || o->count == formal->size);
			break;
		case PTX_VAR: fits = p->kernel->uses[o->index].var->size == formal->size; break;
		default:
			type = p->kernel->regs[o->index].type;
			if (type == PTX_PRED || formal->type == PTX_PRED)
				fits = type == formal->type;
			else
				fits = formal->size == ptx_slot_bytes(type) || formal->size == ptx_type_bytes(type);
			break;
		}
		if (fits)
			continue;
		ptx_fault_at(p, call->line, call->col, "%s: %s %d is not of the %u byte%s expected",
			call->form->spelling, what, i + 1, formals[i].size, formals[i].size == 1 ? "" : "s");
		return false;
	}
	return true;
}

bool ptx_call_fits(struct ptx_parser *p, const struct ptx_instr *call)
{
	const struct ptx_operand *o = call->operands;
	bool direct = o[PTX_CALL_CALLEE].kind == PTX_FUNC;

	if (direct == (call->n > PTX_CALL_PROTOTYPE)) {
		ptx_fault_at(p, call->line, call->col,
			direct ? "%s: only a call through a register has a prototype"
			       : "%s: a call through a register has to name a prototype",
			call->form->spelling);
		return false;
	}
	const struct ptx_signature *s = direct ? &p->module->functions[o[PTX_CALL_CALLEE].index]->signature
					       : &p->module->prototypes[o[PTX_CALL_PROTOTYPE].index].signature;
	return list_fits(p, call, PTX_CALL_RESULTS, s) && list_fits(p, call, PTX_CALL_ARGS, s);
}
